/** Runs models whose graphs move tensors: the package's operators, Identity and Constant. */
import { copyList } from '../arguments.js';
import { cast } from '../cast.js';
import { dtypeOf } from '../dtypes.js';
import { show, showClass, showList, wrongKind, wrongValue } from '../errors.js';
import { flatten, reshape, splitToSequence, transpose } from '../operators.js';
import { Tensor, readWholeTensor, tensorOf } from '../tensor.js';
import { isMap, readMap } from './bytes.js';
import { dtypeOfCode } from './onnx.js';

/** @typedef {import('../operators.js').TensorSequence} TensorSequence */
/** @typedef {import('../tensor.js').TensorLike} TensorLike */
/** @typedef {import('./model.js').Model} Model */
/** @typedef {import('./model.js').Node} Node */
/** @typedef {import('./model.js').ValueInfo} ValueInfo */
/** @typedef {Tensor | TensorSequence} Value */

const prefix = 'runModel';

/**
 * How many inputs an operator has, and what it computes from them and an options bag.
 * @typedef {{ counts: string, run: (inputs: any[], options: any, node: Node) => Value }} Operator
 */
/** @type {Map<string, Operator>} */
const operators = new Map(Object.entries({
  Flatten: { counts: '1', run: ([input], options) => flatten(input, options) },
  Reshape: { counts: '1 or 2', run: ([data, shape], options) => reshape(data, shape, options) },
  Transpose: { counts: '1', run: ([data], options) => transpose(data, options) },
  SplitToSequence: { counts: '1 or 2', run: ([input, split], options) => splitToSequence(input, split, options) },
  Cast: { counts: '1', run: ([input], { to, ...options }, node) => cast(input, castType(node, to), options) },
  Identity: { counts: '1', run: ([input]) => input },
  Constant: { counts: '0', run: (_, __, node) => constantOf(node) },
}));

/** The types of the attributes that Constant may have instead of a tensor; lists end in s. @type {Map<string, import('../dtypes.js').TypeName>} */
const constantTypes = new Map(Object.entries({
  value_float: 'float32', value_floats: 'float32', value_int: 'int64', value_ints: 'int64', value_string: 'string', value_strings: 'string',
}));

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
  const opset = checkNodes(model);
  /** @type {Map<string, Value>} */
  const values = new Map(model.initializers);
  readInputs(model, inputs, values);
  for (const node of model.nodes) {
    const { counts, run } = /** @type {Operator} */ (operators.get(node.operator));
    const given = node.inputs.map((name) => (name === '' ? undefined : valueOf(values, name, `${label(node)} input`)));
    if (!counts.split(' or ').includes(String(given.length))) wrongValue(prefix, `${label(node)} must have ${counts} input${counts === '1' ? '' : 's'}, got ${given.length}`);
    if (node.outputs.length !== 1) wrongValue(prefix, `${label(node)} must have 1 output, got ${node.outputs.length}`);
    values.set(node.outputs[0], run(given, { ...Object.fromEntries(node.attributes), opset }, node));
  }
  return new Map(model.outputs.map(({ name }) => [name, valueOf(values, name, 'output')]));
}

/** A node of a known operator, as a message names it. @type {(node: Node) => string} */
const label = ({ name, operator, outputs }) => `${operator} node ${show(name || outputs[0] || '')}`;

/** @type {(values: Map<string, Value>, name: string, what: string) => Value} */
function valueOf(values, name, what) {
  return values.get(name) ?? wrongValue(prefix, `${what} must be computed before it is used, got ${show(name)}`);
}

/** Whether all of a model can be run, before any of it is. Returns its opset. @type {(model: Model) => number} */
function checkNodes(model) {
  const isModel = typeof model === 'object' && model !== null && isMap(model.opsets) && isMap(model.initializers)
    && [model.nodes, model.inputs, model.outputs].every(Array.isArray);
  if (!isModel) wrongKind(prefix, `model must be what readModel gives, got ${showClass(model)}`);
  const { nodes, opsets } = model;
  const opset = opsets.get('');
  if (opset === undefined) {
    const domains = Array.from(opsets.keys(), (domain) => domain.slice(0, 60));
    wrongValue(prefix, `model must import an opset of ONNX's own domain, got ${showList(domains)}`);
  }
  for (const node of nodes) {
    if (node.domain !== '' || !operators.has(node.operator)) {
      const operator = `${node.domain && `${node.domain}.`}${node.operator}`;
      wrongValue(prefix, `node ${show(node.name || node.outputs[0] || '')} must be one of ${[...operators.keys()].join(', ')}, got ${show(operator)}`);
    }
    // A call's own options are no attributes: a model that has them would choose what is written to.
    for (const key of ['opset', 'strict', 'out']) if (node.attributes.has(key)) wrongKind(prefix, `${label(node)} has no attribute ${key}`);
  }
  return opset;
}

/** @type {(model: Model, inputs: any, values: Map<string, Value>) => void} */
function readInputs(model, inputs, values) {
  if (typeof inputs !== 'object' || inputs === null) wrongKind(prefix, `inputs must be an object or a Map, got ${show(inputs)}`);
  const given = isMap(inputs) ? readMap(prefix, 'inputs', inputs) : new Map(Object.entries(inputs));
  for (const info of model.inputs) {
    const argument = `input ${show(info.name)}`;
    const value = given.get(info.name);
    given.delete(info.name);
    if (value !== undefined) values.set(info.name, readInput(argument, info, value));
    else if (!values.has(info.name)) wrongKind(prefix, `${argument} must be given, got undefined`);
  }
  for (const name of given.keys()) wrongKind(prefix, `inputs must be the graph's, got ${show(name)}`);
}

/** @type {(argument: string, info: ValueInfo, value: unknown) => Value} */
function readInput(argument, { type, dims, sequence }, value) {
  /** @type {(argument: string, value: unknown) => Tensor} */
  const readOne = (one, tensor) => {
    const parts = readWholeTensor(prefix, one, tensor, ({ name }) => {
      if (type !== undefined && name !== type) wrongKind(prefix, `${one} must be ${type}, got ${name}`);
    });
    const fits = dims === null || (dims.length === parts.dims.length && dims.every((extent, i) => typeof extent !== 'number' || extent === parts.dims[i]));
    if (!fits) wrongValue(prefix, `${one} dims must be ${showDims(dims)}, got ${showList(parts.dims)}`);
    return tensorOf(parts.dtype, parts.data, parts.dims);
  };
  if (!sequence) return readOne(argument, value);
  if (!Array.isArray(value)) wrongKind(prefix, `${argument} must be an array of tensors, got ${showClass(value)}`);
  const tensors = copyList(prefix, argument, value).map((tensor, i) => readOne(`${argument}[${i}]`, tensor));
  return Object.assign(tensors, { type: type ?? tensors[0]?.type });
}

/** Declared dims as a message shows them: symbols bare, unknown extents as ?. @type {(dims: readonly (number | string | null)[]) => string} */
function showDims(dims) {
  const entries = dims.slice(0, 8).map((extent) => (typeof extent === 'string' ? extent.slice(0, 20) : extent ?? '?'));
  return `[${entries.join(', ')}${dims.length > 8 ? ', …' : ''}]`;
}

/** Cast's `to`: a type's code, in the first version its name. @type {(node: Node, to: unknown) => any} */
function castType(node, to) {
  if (typeof to === 'number') return dtypeOfCode(prefix, `${label(node)} to`, to).name;
  const dtype = typeof to === 'string' ? dtypeOf(to.toLowerCase()) : undefined;
  return dtype?.name ?? wrongValue(prefix, `${label(node)} to must be a type, got ${typeof to === 'string' ? show(to) : 'none'}`);
}

/** @type {(node: Node) => Tensor} */
function constantOf(node) {
  const [[name, value] = ['', undefined]] = node.attributes;
  const type = constantTypes.get(name);
  if (node.attributes.size !== 1 || value === undefined || (type === undefined) !== (value instanceof Tensor)) {
    wrongValue(prefix, `${label(node)} must have one value of a kind other than sparse, got ${show([...node.attributes.keys()].join(', '))}`);
  }
  if (value instanceof Tensor) return value;
  const list = /** @type {any[]} */ (Array.isArray(value) ? value : [value]);
  return Tensor.from(/** @type {any} */ (type), list, name.endsWith('s') ? [list.length] : []);
}
