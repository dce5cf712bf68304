/** Reads the model that a caller hands to `runModel`, which need not come from a file: each part is checked, copied and
 * read by the function that a table names for it. Messages begin with the name of the part (`argument`). */
import { copyList, rangeError, showClass, showList, typeError } from '../arguments/index.js';
import { isMap, readMap } from './maps.js';

/** @import { Model, Node, ValueInfo } from './onnx/types.js' */
/** @import { Plan } from './types.js' */

/** @typedef {(argument: string, value: any) => any} Read */

/** Refuses a part of a model that `readModel` would not give.
 * @type {(argument: string, value: unknown) => never} */
const refusePart = (argument, value) => typeError(`${argument} must be what readModel gives, got ${showClass(value)}`);

/** @type {(argument: string, value: unknown) => string} */
const text = (argument, value) => (typeof value === 'string' ? value : refusePart(argument, value));

/** @type {<T>(read: (argument: string, value: any) => T) => (argument: string, value: unknown) => T[]} */
const listOf = (read) => (argument, value) =>
  Array.isArray(value)
    ? copyList(argument, value).map((entry, i) => read(`${argument}[${i}]`, entry))
    : refusePart(argument, value);

/** Properties that `readers` does not name are left out.
 * @type {(readers: Record<string, Read>) => Read} */
const record = (readers) => (argument, value) => {
  if (typeof value !== 'object' || value === null) refusePart(argument, value);
  /** @type {Record<string, unknown>} */
  const result = {};
  for (const key of Object.keys(readers)) result[key] = readers[key](`${argument} ${key}`, value[key]);
  return result;
};

/** Copies a node's Map of attributes by name. Their values are checked when the node runs.
 * @type {Read} */
const attributes = (argument, value) =>
  new Map(Array.from(readMap(argument, value), ([key, held]) => [text(argument, key), held]));

/** Reads the dims of an input: null if the rank is unknown; each extent a number, the name of a symbol, or null if it
 * is unknown.
 * @type {(argument: string, value: unknown) => (number | string | null)[] | null} */
function extents(argument, value) {
  if (value === null) return null;
  const list = Array.isArray(value) ? copyList(argument, value) : refusePart(argument, value);
  const isExtent = (/** @type {unknown} */ extent) =>
    extent === null || typeof extent === 'number' || typeof extent === 'string';
  return list.every(isExtent) ? list : refusePart(argument, value);
}

/** @type {(argument: string, value: unknown) => Node} */
const node = record({
  ...{ name: text, operator: text, domain: text },
  ...{ inputs: listOf(text), outputs: listOf(text), attributes },
});

/** @type {(argument: string, value: unknown) => ValueInfo} */
const info = record({
  name: text,
  type: (argument, value) => (value === undefined ? undefined : text(argument, value)),
  dims: extents,
  sequence: (_, value) => value,
});

const output = record({ name: text });

/** Reads what running a model needs: its opset of ONNX's own domain, its nodes, initializers and inputs, and the names
 * of its outputs. Operators, initializers and attributes are checked later.
 * @type {(model: Model) => Plan} */
export function readPlan(model) {
  const { opsets, initializers, nodes, inputs, outputs } = model ?? {};
  const isModel = isMap(opsets) && isMap(initializers) && [nodes, inputs, outputs].every(Array.isArray);
  if (!isModel) refusePart('model', model);
  const domains = readMap('opsets', opsets);
  const opset = domains.get('');
  if (opset === undefined)
    rangeError(`model must import an opset of ONNX's own domain, got ${showList([...domains.keys()])}`);
  return {
    opset,
    nodes: listOf(node)('nodes', nodes),
    initializers: readMap('initializers', initializers),
    infos: listOf(info)('inputs', inputs),
    outputs: listOf(output)('outputs', outputs).map(({ name }) => name),
  };
}
