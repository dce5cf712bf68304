/** Reads the model that a caller hands to `runModel`, which need not come from a file: each part is checked, copied and
 * read by the function that a table names for it. Messages begin with the name of the part (`argument`). */
import { copyList, rangeError, showClass, showList, typeError } from '../arguments/index.js';
import { isMap, readMap } from './maps.js';

/** @import { Model, Node, ValueInfo } from './onnx/types.js' */
/** @import { Plan } from './types.js' */

/** @typedef {(argument: string, value: any) => any} Read checks a part of a model and gives a copy of it */

/** Refuses a part of a model that `readModel` would not give.
 * @type {(argument: string, value: unknown) => never} */
const refusePart = (argument, value) => typeError(`${argument} must be what readModel gives, got ${showClass(value)}`);

/** @type {(argument: string, value: unknown) => string} */
const readText = (argument, value) => (typeof value === 'string' ? value : refusePart(argument, value));

/** Makes the reader of a list, whose entries `read` reads.
 * @type {<T>(read: (argument: string, value: any) => T) => (argument: string, value: unknown) => T[]} */
const listReader = (read) => (argument, value) =>
  Array.isArray(value)
    ? copyList(argument, value).map((entry, i) => read(`${argument}[${i}]`, entry))
    : refusePart(argument, value);

/** Makes the reader of an object, with a reader for each property. Other properties are left out.
 * @type {(readers: Record<string, Read>) => Read} */
const objectReader = (readers) => (argument, value) => {
  if (typeof value !== 'object' || value === null) refusePart(argument, value);
  /** @type {Record<string, unknown>} */
  const result = {};
  for (const key of Object.keys(readers)) result[key] = readers[key](`${argument} ${key}`, value[key]);
  return result;
};

/** Copies a node's Map of attributes by name. Their values are checked when the node runs.
 * @type {Read} */
const readAttributes = (argument, value) =>
  new Map(Array.from(readMap(argument, value), ([key, held]) => [readText(argument, key), held]));

/** Reads the dims of an input: null if the rank is unknown; each extent a number, the name of a symbol, or null if it
 * is unknown.
 * @type {(argument: string, value: unknown) => (number | string | null)[] | null} */
function readExtents(argument, value) {
  if (value === null) return null;
  const list = Array.isArray(value) ? copyList(argument, value) : refusePart(argument, value);
  const isExtent = (/** @type {unknown} */ extent) =>
    extent === null || typeof extent === 'number' || typeof extent === 'string';
  return list.every(isExtent) ? list : refusePart(argument, value);
}

/** @type {(argument: string, value: unknown) => Node} */
const readNode = objectReader({
  name: readText,
  operator: readText,
  domain: readText,
  inputs: listReader(readText),
  outputs: listReader(readText),
  attributes: readAttributes,
});

/** @type {(argument: string, value: unknown) => ValueInfo} */
const readInfo = objectReader({
  name: readText,
  type: (argument, value) => (value === undefined ? undefined : readText(argument, value)),
  dims: readExtents,
  sequence: (_, value) => value,
});

const readOutput = objectReader({ name: readText });

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
    nodes: listReader(readNode)('nodes', nodes),
    initializers: readMap('initializers', initializers),
    infos: listReader(readInfo)('inputs', inputs),
    outputs: listReader(readOutput)('outputs', outputs).map(({ name }) => name),
  };
}
