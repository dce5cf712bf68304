/** Runs models whose graphs move tensors: the package's operators, Identity and Constant. */
import { copyList, show, showClass, showList, wrongKind, wrongValue } from '../arguments/index.js';
import { cast, flatten, reshape, splitToSequence, transpose } from '../operators/index.js';
import { Tensor, dtypeOf, readWholeTensor, tensorOf } from '../tensor/index.js';
import { isMap, readMap } from './maps.js';
import { dtypeOfCode } from './tensor-proto.js';

/** @import { TensorSequence } from '../operators/index.js' */
/** @import { TensorLike } from '../tensor/index.js' */
/** @import { Model, Node, ValueInfo } from './model.js' */
/** @typedef {Tensor | TensorSequence} Value */

const prefix = 'runModel';

/**
 * How many inputs an operator has, and what it computes from them and an options bag.
 * @typedef {{ counts: string, run: (inputs: any[], options: any, node: Node) => Value }} Operator
 */
/** @type {Map<string, Operator>} */
const operators = new Map(
  Object.entries({
    Flatten: { counts: '1', run: ([input], options) => flatten(input, options) },
    Reshape: { counts: '1 or 2', run: ([data, shape], options) => reshape(data, shape, options) },
    Transpose: { counts: '1', run: ([data], options) => transpose(data, options) },
    SplitToSequence: { counts: '1 or 2', run: ([input, split], options) => splitToSequence(input, split, options) },
    Cast: { counts: '1', run: ([input], { to, ...options }, node) => cast(input, castType(node, to), options) },
    Identity: { counts: '1', run: ([input]) => input },
    Constant: { counts: '0', run: (_, __, node) => constantOf(node) },
  }),
);

/** The types of the attributes that Constant may have instead of a tensor; lists end in s. @type {Map<string, import('../tensor/index.js').TypeName>} */
const constantTypes = new Map(
  Object.entries({
    value_float: 'float32',
    value_floats: 'float32',
    value_int: 'int64',
    value_ints: 'int64',
    value_string: 'string',
    value_strings: 'string',
  }),
);

/**
 * Runs a model at its opset. Its graph may hold Flatten, Reshape, Transpose, SplitToSequence, Cast, Identity and Constant.
 * @param {Model} model as `readModel` gives it
 * @param {ReadonlyMap<string, TensorLike | readonly TensorLike[]> | Record<string, TensorLike | readonly TensorLike[]>} inputs by name; one
 *   that an initializer stands for may be left out
 * @returns {Map<string, Value>} the graph's outputs by name. One that is not computed shares its data with an input or initializer
 * @throws {TypeError} an input of another type than the graph declares, or that the graph does not have
 * @throws {RangeError} another operator, a graph that is no computation, an input of other dims; what the operators themselves throw
 * @throws {Error} before `init()`
 * @example
 * runModel(readModel(bytes), { data: { type: 'float32', data: new Float32Array(6), dims: [2, 3] } }).get('transposed').dims; // [3, 2]
 */
export function runModel(model, inputs) {
  const { opset, nodes, initializers, infos, outputs } = readPlan(model);
  checkNodes(nodes);
  /** @type {Map<string, Value>} */
  const values = new Map(
    Array.from(initializers, ([name, tensor]) => [name, readOne(`initializer ${show(name)}`, tensor)]),
  );
  readInputs(infos, inputs, values);
  for (const node of nodes) {
    const { counts, run } = /** @type {Operator} */ (operators.get(node.operator));
    const given = node.inputs.map((name) => (name === '' ? undefined : valueOf(values, name, `${label(node)} input`)));
    if (!counts.split(' or ').includes(String(given.length)))
      wrongValue(prefix, `${label(node)} must have ${counts} input${counts === '1' ? '' : 's'}, got ${given.length}`);
    if (node.outputs.length !== 1) wrongValue(prefix, `${label(node)} must have 1 output, got ${node.outputs.length}`);
    values.set(node.outputs[0], run(given, { ...Object.fromEntries(node.attributes), opset }, node));
  }
  return new Map(outputs.map((name) => [name, valueOf(values, name, 'output')]));
}

/** A node of a known operator, as a message names it. @type {(node: Node) => string} */
const label = ({ name, operator, outputs }) => `${operator} node ${show(name || outputs[0] || '')}`;

/** @type {(values: Map<string, Value>, name: string, what: string) => Value} */
function valueOf(values, name, what) {
  return values.get(name) ?? wrongValue(prefix, `${what} must be computed before it is used, got ${show(name)}`);
}

/**
 * A caller's model, of which each property is read once: it need not come from a file.
 * @type {(model: any) => { opset: any, nodes: Node[], initializers: Map<string, unknown>, infos: ValueInfo[], outputs: string[] }}
 */
function readPlan(model) {
  const { opsets, initializers, nodes, inputs, outputs } = record('model', model);
  const isModel = isMap(opsets) && isMap(initializers) && [nodes, inputs, outputs].every(Array.isArray);
  if (!isModel) notRead('model', model);
  const domains = readMap(prefix, 'opsets', opsets);
  const opset = domains.get('');
  if (opset === undefined)
    wrongValue(prefix, `model must import an opset of ONNX's own domain, got ${showList([...domains.keys()])}`);
  return {
    opset,
    nodes: copyList(prefix, 'nodes', nodes).map((node, i) => readNode(`nodes[${i}]`, node)),
    initializers: readMap(prefix, 'initializers', initializers),
    infos: copyList(prefix, 'inputs', inputs).map((info, i) => readInfo(`inputs[${i}]`, info)),
    outputs: copyList(prefix, 'outputs', outputs).map((info, i) =>
      readText(`outputs[${i}] name`, record(`outputs[${i}]`, info).name),
    ),
  };
}

/** @type {(argument: string, value: unknown) => never} */
const notRead = (argument, value) =>
  wrongKind(prefix, `${argument} must be what readModel gives, got ${showClass(value)}`);
/** @type {(argument: string, value: any) => any} */
const record = (argument, value) => (typeof value === 'object' && value !== null ? value : notRead(argument, value));
/** @type {(argument: string, value: unknown) => string} */
const readText = (argument, value) => (typeof value === 'string' ? value : notRead(argument, value));
/** @type {(argument: string, value: any) => string[]} */
const readTexts = (argument, value) =>
  Array.isArray(value)
    ? copyList(prefix, argument, value).map((text, i) => readText(`${argument}[${i}]`, text))
    : notRead(argument, value);

/** @type {(argument: string, value: any) => Node} */
function readNode(argument, value) {
  const { name, operator, domain, inputs, outputs, attributes } = record(argument, value);
  return {
    name: readText(`${argument} name`, name),
    operator: readText(`${argument} operator`, operator),
    domain: readText(`${argument} domain`, domain),
    inputs: readTexts(`${argument} inputs`, inputs),
    outputs: readTexts(`${argument} outputs`, outputs),
    attributes: new Map(
      Array.from(readMap(prefix, `${argument} attributes`, attributes), ([key, held]) => [
        readText(`${argument} attributes`, key),
        held,
      ]),
    ),
  };
}

/** @type {(argument: string, value: any) => ValueInfo} */
function readInfo(argument, value) {
  const { name, type, dims, sequence } = record(argument, value);
  return {
    name: readText(`${argument} name`, name),
    type: /** @type {any} */ (type === undefined ? undefined : readText(`${argument} type`, type)),
    dims: readExtents(`${argument} dims`, dims),
    sequence,
  };
}

/** @type {(argument: string, value: any) => (number | string | null)[] | null} */
function readExtents(argument, value) {
  if (value === null) return null;
  const extents = Array.isArray(value) ? copyList(prefix, argument, value) : notRead(argument, value);
  return extents.every((extent) => extent === null || typeof extent === 'number' || typeof extent === 'string')
    ? extents
    : notRead(argument, value);
}

/** Whether all of a model can be run, before any of it is. @type {(nodes: readonly Node[]) => void} */
function checkNodes(nodes) {
  for (const node of nodes) {
    if (node.domain !== '' || !operators.has(node.operator)) {
      const operator = `${node.domain && `${node.domain}.`}${node.operator}`;
      wrongValue(
        prefix,
        `node ${show(node.name || node.outputs[0] || '')} must be one of ${[...operators.keys()].join(', ')}, got ${show(operator)}`,
      );
    }
    // A call's own options are no attributes: a model that has them would choose what is written to.
    for (const key of ['opset', 'strict', 'out'])
      if (node.attributes.has(key)) wrongKind(prefix, `${label(node)} has no attribute ${key}`);
  }
}

/** @type {(infos: readonly ValueInfo[], inputs: any, values: Map<string, Value>) => void} */
function readInputs(infos, inputs, values) {
  if (typeof inputs !== 'object' || inputs === null)
    wrongKind(prefix, `inputs must be an object or a Map, got ${show(inputs)}`);
  const given = isMap(inputs) ? readMap(prefix, 'inputs', inputs) : new Map(Object.entries(inputs));
  for (const info of infos) {
    const argument = `input ${show(info.name)}`;
    const value = given.get(info.name);
    given.delete(info.name);
    if (value !== undefined) values.set(info.name, readInput(argument, info, value));
    else if (!values.has(info.name)) wrongKind(prefix, `${argument} must be given, got undefined`);
  }
  for (const name of given.keys()) wrongKind(prefix, `inputs must be the graph's, got ${show(name)}`);
}

/** @type {(argument: string, info: ValueInfo, value: unknown) => Value} */
function readInput(argument, info, value) {
  if (!info.sequence) return readOne(argument, value, info);
  if (!Array.isArray(value)) wrongKind(prefix, `${argument} must be an array of tensors, got ${showClass(value)}`);
  const tensors = copyList(prefix, argument, value).map((tensor, i) => readOne(`${argument}[${i}]`, tensor, info));
  return Object.assign(tensors, { type: info.type ?? tensors[0]?.type });
}

/** A tensor of the type and the dims that a graph declares, if it does. @type {(argument: string, value: unknown, declared?: Partial<ValueInfo>) => Tensor} */
function readOne(argument, value, { type, dims = null } = {}) {
  const parts = readWholeTensor(prefix, argument, value, ({ name }) => {
    if (type !== undefined && name !== type) wrongKind(prefix, `${argument} must be ${type}, got ${name}`);
  });
  const fits =
    dims === null ||
    (dims.length === parts.dims.length &&
      dims.every((extent, i) => typeof extent !== 'number' || extent === parts.dims[i]));
  if (!fits) wrongValue(prefix, `${argument} dims must be ${showDims(dims)}, got ${showList(parts.dims)}`);
  return tensorOf(parts.dtype, parts.data, parts.dims);
}

/** Declared dims as a message shows them: symbols bare, unknown extents as ?. @type {(dims: readonly (number | string | null)[]) => string} */
function showDims(dims) {
  const entries = dims
    .slice(0, 8)
    .map((extent) => (typeof extent === 'string' ? extent.slice(0, 20) : (extent ?? '?')));
  return `[${entries.join(', ')}${dims.length > 8 ? ', …' : ''}]`;
}

/** Cast's `to`: a type's code, in the first version its name. @type {(node: Node, to: unknown) => any} */
function castType(node, to) {
  if (typeof to === 'number') return dtypeOfCode(prefix, `${label(node)} to`, to).name;
  const dtype = typeof to === 'string' ? dtypeOf(to.toLowerCase()) : undefined;
  return (
    dtype?.name ??
    wrongValue(prefix, `${label(node)} to must be a type, got ${typeof to === 'string' ? show(to) : 'none'}`)
  );
}

/** @type {(node: Node) => Tensor} */
function constantOf(node) {
  const [[name, value] = ['', undefined]] = node.attributes;
  const type = constantTypes.get(name);
  if (node.attributes.size !== 1 || value === undefined || (type === undefined) !== value instanceof Tensor) {
    wrongValue(
      prefix,
      `${label(node)} must have one value of a kind other than sparse, got ${show([...node.attributes.keys()].join(', '))}`,
    );
  }
  if (value instanceof Tensor) return value;
  const list = /** @type {any[]} */ (Array.isArray(value) ? value : [value]);
  return Tensor.from(/** @type {any} */ (type), list, name.endsWith('s') ? [list.length] : []);
}
