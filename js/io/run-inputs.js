/** The tensors that a model runs on: its initializers, and the inputs that the caller gives. */
import * as args from '../arguments/index.js';
import { readWholeTensor, tensorOf } from '../tensor/index.js';
import { isMap, readMap } from './maps.js';

/** @import { Tensor, TypeName } from '../tensor/index.js' */
/** @import { ValueInfo } from './onnx/types.js' */
/** @import { Value } from './types.js' */

/** Reads the caller's inputs. An input of the graph that the caller leaves out needs an initializer of its name.
 * Refuses inputs that the graph does not have.
 * @param {readonly ValueInfo[]} infos the inputs that the graph declares
 * @param {unknown} inputs the caller's: a Map or an object
 * @param {ReadonlyMap<string, unknown>} initializers by name
 * @returns {Map<string, Value>} by name: those that the caller gives */
export function readInputs(infos, inputs, initializers) {
  if (typeof inputs !== 'object' || inputs === null)
    args.typeError(`inputs must be an object or a Map, got ${args.show(inputs)}`);
  const remaining = isMap(inputs)
    ? readMap('inputs', /** @type {ReadonlyMap<string, unknown>} */ (inputs))
    : new Map(Object.entries(inputs));
  /** @type {Map<string, Value>} */
  const values = new Map();
  for (const info of infos) {
    const argument = `input ${args.show(info.name)}`;
    const value = remaining.get(info.name);
    remaining.delete(info.name);
    if (value !== undefined) values.set(info.name, readInput(argument, info, value));
    else if (!values.has(info.name) && !initializers.has(info.name))
      args.typeError(`${argument} must be given, got undefined`);
  }
  for (const name of remaining.keys()) args.typeError(`inputs must be the graph's, got ${args.show(name)}`);
  return values;
}

/** Reads one input of the caller's: a tensor or, where the graph declares a sequence, an array of tensors. These are of
 * one type: the declared one, or that of the first tensor.
 * @type {(argument: string, info: ValueInfo, value: unknown) => Value} */
function readInput(argument, info, value) {
  if (!info.sequence) return readTensorAs(argument, value, info);
  if (!Array.isArray(value)) args.typeError(`${argument} must be an array of tensors, got ${args.showClass(value)}`);
  let { type } = info;
  const tensors = args.copyList(argument, value).map((tensor, i) => {
    const checked = readTensorAs(`${argument}[${i}]`, tensor, { ...info, type });
    type = checked.type;
    return checked;
  });
  return Object.assign(tensors, { type: /** @type {TypeName} */ (type) });
}

/** A type and dims that a graph declares: undefined and null allow any.
 * @typedef {Pick<ValueInfo, 'type' | 'dims'>} Declared */

/** @type {Declared} */
const anyTensor = { type: undefined, dims: null };

/** Reads a model's initializers, tensors of any type and dims.
 * @type {(initializers: ReadonlyMap<string, unknown>) => Map<string, Tensor>} */
export function readInitializers(initializers) {
  /** @type {Map<string, Tensor>} */
  const tensors = new Map();
  for (const [name, tensor] of initializers)
    tensors.set(name, readTensorAs(`initializer ${args.show(name)}`, tensor, anyTensor));
  return tensors;
}

/** Whether dims are of the declared rank and extents. Symbols and null allow any extent.
 * @type {(declared: readonly (number | string | null)[], dims: readonly number[]) => boolean} */
const fitsDims = (declared, dims) =>
  declared.length === dims.length && declared.every((extent, i) => typeof extent !== 'number' || extent === dims[i]);

/** Reads a tensor, and refuses another type or other dims than the graph declares.
 * @type {(argument: string, value: unknown, declared: Declared) => Tensor} */
function readTensorAs(argument, value, { type, dims }) {
  const tensor = readWholeTensor(argument, value, ({ name }) => {
    if (type !== undefined && name !== type) args.typeError(`${argument} must be ${type}, got ${name}`);
  });
  if (dims !== null && !fitsDims(dims, tensor.dims))
    args.rangeError(`${argument} dims must be ${showDims(dims)}, got ${args.showList(tensor.dims)}`);
  return tensorOf(tensor.dtype, tensor.data, tensor.dims);
}

/** Spells declared dims for a message, such as `[batch, 3, ?]`: the first few axes, and of a symbol a few characters.
 * @type {(dims: readonly (number | string | null)[]) => string} */
function showDims(dims) {
  const mostAxes = 8;
  const mostCharacters = 20;
  const showExtent = (/** @type {number | string | null} */ extent) =>
    typeof extent === 'string' ? extent.slice(0, mostCharacters) : (extent ?? '?');
  const entries = dims.slice(0, mostAxes).map(showExtent);
  return `[${entries.join(', ')}${dims.length > mostAxes ? ', …' : ''}]`;
}
