/**
 * The caller's knowledge of an input, for `inferShape`: its type, its dims as far as they are known, and the values of
 * a shape or a split.
 */
import * as args from '../../arguments/index.js';
import { rankLimit, readType } from '../../tensor/index.js';
import { isUnknown, product } from './extents.js';

/** @import { DType, Dim, Int64, Integers, Open, Value } from '../types.js' */

/** Reads what a caller of `inferShape` says of an input: an object { type, dims, value }, of which `value`, the known
 * elements, is not checked. Refuses { sequence: true, … }, which stands for a sequence, unless `takesSequence`.
 * @type {(argument: string, known: unknown, checkType: (dtype: DType) => void, takesSequence?: boolean) => { dtype:
 *   DType, dims: Dim[] | null, value: unknown }} */
export function readKnown(argument, known, checkType, takesSequence = false) {
  if (typeof known !== 'object' || known === null || Array.isArray(known) || ArrayBuffer.isView(known))
    args.typeError(`${argument} must be what is known of a tensor { type, dims }, got ${args.showClass(known)}`);
  const { type, dims, value, sequence } = /** @type {Record<string, unknown>} */ (known);
  if (sequence === true && !takesSequence)
    args.typeError(`${argument} must be what is known of a tensor { type, dims }, got what is known of a sequence`);
  const dtype = readType(type);
  checkType(dtype);
  return { dtype, dims: dims === null ? null : readOpenDims(dims), value };
}

/** Reads dims of which some extents may be unknown: a symbol, or null.
 * @type {(dims: unknown) => Dim[]} */
function readOpenDims(dims) {
  if (!args.isList(dims)) args.typeError(`dims must be an array, got ${args.showClass(dims)}`);
  const extents = readOpenList('dims', dims);
  // readOpenList leaves bigints only beyond the safe integers.
  const isExtent = (/** @type {Int64} */ extent) => typeof extent !== 'bigint' && extent >= 0;
  const areExtents = extents.every((extent) => isUnknown(extent) || isExtent(extent));
  if (!areExtents)
    args.rangeError(`dims must hold whole numbers from 0 to ${Number.MAX_SAFE_INTEGER}, got ${args.showList(extents)}`);
  if (extents.length > rankLimit) args.rangeError(`dims must have at most ${rankLimit} entries, got ${extents.length}`);
  const size = product(extents);
  // No tensor is so large, and the shape rules count in exact numbers.
  if (!isUnknown(size) && !Number.isSafeInteger(size))
    args.rangeError(`dims must have at most ${Number.MAX_SAFE_INTEGER} elements, got ${args.showList(extents)}`);
  return /** @type {Dim[]} */ (extents);
}

/** Reads `value`, the list of the elements of a 1-D input, of which some may be unknown: a symbol, or null. Refuses
 * another length than the input's extent, if that is known.
 * @type {(argument: string, value: unknown, dims: Dim[] | null) => (Int64 | Open)[]} */
export function readEntries(argument, value, dims) {
  if (!args.isList(value)) args.typeError(`${argument} value must be a list, got ${args.show(value)}`);
  const entries = readOpenList(argument, value);
  const length = dims && dims[0];
  if (typeof length === 'number' && length !== entries.length)
    args.rangeError(`${argument} value must have dims[0] = ${length} entries, got ${entries.length}`);
  return entries;
}

/** Reads the known elements of an input: a list of them, or one number or symbol. Undefined where none are known.
 * @type {(argument: string, value: unknown, dims: Dim[] | null) => Value | undefined} */
export function readValue(argument, value, dims) {
  if (value === undefined || value === null) return undefined;
  if (args.isList(value)) return readEntries(argument, value, dims);
  return typeof value === 'string' ? value : args.readWhole(`${argument} value`, value);
}

/** Reads a list of whole numbers, of which some entries may be unknown: a symbol, or null.
 * @type {(argument: string, list: Integers) => (Int64 | Open)[]} */
function readOpenList(argument, list) {
  const entries = args.copyList(argument, list);
  const knownEntries = entries.filter((entry) => !isUnknown(entry));
  const numbers = args.readList(argument, knownEntries);
  let nextNumber = 0;
  return entries.map((entry) => (isUnknown(entry) ? entry : numbers[nextNumber++]));
}
