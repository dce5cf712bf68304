/**
 * The form of a method of a Python class: the outputs and the options that it reads, and `makeAnswer`, which makes the
 * answer, in most methods a list with an entry for each picture. It gets the outputs (tensors) and the options as they
 * were read, by name, and the settings of the class. All is read before work begins. The shape of an output has names
 * in place of extents: all axes of one name must have the same extent in a call.
 */
import {
  brief,
  checkNames,
  rangeError,
  readEntries,
  readWholes,
  show,
  showList,
  typeError,
} from '../../arguments/index.js';
import { readNumbers } from '../settings.js';
import { readFloats, readIntegers } from '../tensors.js';

/** @import { MethodOptions } from '../method-options.js' */
/** @import { Floats } from '../tensors.js' */
/** @import { DeclaredMethod, Extents, Method, OptionRow, OutputKind } from '../types.js' */
/** @import { ReadOptions, ReadOutputs, ReadTensor } from '../types.js' */

/** Declares a method, which it returns as it is: the function is there for the type check. That refuses an option which
 * MethodOptions lacks, where each option is documented.
 * @type {<Outputs, Options>(declared: DeclaredMethod<Outputs, Options> &
 *   { options: Record<Exclude<keyof Options, keyof MethodOptions>, never> }) => Method} */
export const method = (declared) => /** @type {Method} */ (/** @type {unknown} */ (declared));

/** Extents that may be 0, because a model can find nothing. */
const mayBeEmpty = ['batch', 'queries', 'points', 'people', 'steps'];

/** Checks the dims of an output against its shape, and adds the extents of the shape's names to `known`. A name that is
 * known from an output before stands for that extent.
 * @type {(name: string, dims: readonly number[], shape: readonly (string | number)[], known: Extents) => void} */
function checkDims(name, dims, shape, known) {
  const wanted = shape.map((extent) => (typeof extent === 'string' && extent in known ? known[extent] : extent));
  const hasRank = dims.length === wanted.length;
  const fits = hasRank && wanted.every((extent, i) => typeof extent === 'string' || extent === dims[i]);
  if (!fits) rangeError(`${name} must have dims [${wanted.join(', ')}], got [${dims.join(', ')}]`);
  shape.forEach((extent, i) => {
    if (typeof extent !== 'string') return;
    known[extent] = dims[i];
    if (dims[i] === 0 && !mayBeEmpty.includes(extent))
      rangeError(`${name} must have elements, got dims [${dims.join(', ')}]`);
  });
}

/** Reads a float32 or float16 tensor of a shape, and adds the extents of the shape's names to `known`.
 * @type {(name: string, value: unknown, shape: readonly (string | number)[], known: Extents) => Floats} */
function readFloatsOf(name, value, shape, known) {
  const tensor = readFloats(name, value);
  checkDims(name, tensor.dims, shape, known);
  return tensor;
}

/** Declares an output that is a float32 or float16 tensor of a shape.
 * @type {(...shape: (string | number)[]) => OutputKind<ReadTensor>} */
export const floatOutput = (...shape) => ({
  readOutput: (name, value, known) => readFloatsOf(name, value, shape, known),
});

/** Declares an output that is a tensor of whole numbers, which are read to int32, of a shape.
 * @type {(...shape: (string | number)[]) => OutputKind<ReadTensor<Int32Array>>} */
export const wholeOutput = (...shape) => ({
  readOutput(name, value, known) {
    const tensor = readIntegers(name, value);
    checkDims(name, tensor.dims, shape, known);
    return tensor;
  },
});

/** Declares an output that may be missing. @type {<Value>(kind: OutputKind<Value>) => OutputKind<Value | undefined>} */
export const optionalOutput = (kind) => ({ ...kind, isOptional: true });

/** Declares an output that may also have the name `alias`.
 * @type {<Value>(kind: OutputKind<Value>, alias: string) => OutputKind<Value>} */
export const aliasedOutput = (kind, alias) => ({ ...kind, alias });

/** Splits a tensor [batch, ...] into a tensor for each picture, without copying its numbers.
 * @type {(tensor: ReadTensor) => ReadTensor[]} */
function pictureTensors({ data, dims: [batch, ...pictureDims] }) {
  const size = batch === 0 ? 0 : data.length / batch;
  return Array.from({ length: batch }, (_, i) => ({
    dims: [...pictureDims],
    data: data.subarray(i * size, (i + 1) * size),
  }));
}

/** Declares an output with tensors of a shape, one for each picture: a tensor whose first axis is the batch, or a list
 * of tensors without that axis. Both are read to a list.
 * @type {(...shape: (string | number)[]) => OutputKind<ReadTensor[]>} */
export const listOutput = (...shape) => ({
  readOutput(name, value, known) {
    if (!Array.isArray(value)) return pictureTensors(readFloatsOf(name, value, ['batch', ...shape], known));
    const list = readEntries(name, value);
    known.batch = list.length;
    // Tensors of a list may have different extents, so none becomes known.
    return list.map((tensor, i) => readFloatsOf(`${name}[${i}]`, tensor, shape, {}));
  },
});

/** Reads the outputs that a method declares, under their names or their aliases, and ignores others. `known`: the
 * extents of the names in their shapes.
 * @type {(kinds: Record<string, OutputKind>, outputs: ReadOutputs) => { read: ReadOutputs, known: Extents }} */
export function readOutputs(kinds, outputs) {
  if (typeof outputs !== 'object' || outputs === null)
    typeError(`outputs must be an object of tensors, got ${show(outputs)}`);
  /** @type {Extents} */
  const known = {};
  /** @type {ReadOutputs} */
  const read = {};
  for (const [name, kind] of Object.entries(kinds)) {
    const givenName = [name, kind.alias ?? name].find((key) => isGiven(outputs[key]));
    if (givenName !== undefined) {
      read[name] = kind.readOutput(givenName, outputs[givenName], known);
    } else if (!kind.isOptional) {
      typeError(`outputs must have ${name}, got ${brief(Object.keys(outputs).join(', ')) || 'none'}`);
    }
  }
  return { read, known };
}

/** Whether a value is there; null is as if omitted, like Python's None. @type {(value: unknown) => boolean} */
const isGiven = (value) => value !== undefined && value !== null;

/** Reads the options that a method declares; null is as if omitted. Refuses options of other names. `known`: extents of
 * the outputs, with which options have to agree.
 * @type {(rows: Record<string, OptionRow>, options: Record<string, unknown>, known: Extents) => ReadOptions} */
export function readMethodOptions(rows, options, known) {
  checkNames('option', options, Object.keys(rows));
  /** @type {ReadOptions} */
  const read = {};
  for (const name in rows) read[name] = rows[name](name, options[name] ?? undefined, known);
  return read;
}

/** Reads a list to an array, or a tensor [n, width] to the n lists of its rows' numbers. Tensors of other ranks are
 * refused; the message names the usual case, sizes [pictures, 2], although other widths are read, too.
 * @type {(name: string, value: unknown) => unknown[]} */
export function readRows(name, value) {
  const tensor = /** @type {{ dims?: unknown[], data?: unknown } | null | undefined} */ (value);
  if (!Array.isArray(tensor?.dims) || !isGiven(tensor.data)) return readEntries(name, value);
  if (tensor.dims.length !== 2) rangeError(`${name} must have dims [pictures, 2], got ${showList(tensor.dims)}`);
  const [count, width] = readWholes(`${name} dims`, tensor.dims).map(Number);
  const numbers = readNumbers(`${name} data`, tensor.data);
  if (numbers.length !== count * width)
    rangeError(`${name} data of dims ${showList(tensor.dims)} must fit them, got ${numbers.length} entries`);
  return Array.from({ length: count }, (_, i) => numbers.slice(i * width, (i + 1) * width));
}
