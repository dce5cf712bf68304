/**
 * The caller's knowledge of an input, for `inferShape`: its type, its dims as far as they are known, and the values of
 * a shape or a split.
 */
import {
  copyList,
  isList,
  rangeError,
  readList,
  readWhole,
  show,
  showClass,
  showList,
  typeError,
} from '../arguments/index.js';
import { rankLimit, readType } from '../tensor/index.js';
import { isUnknown, product } from './extents.js';

/** @import { Integers, Int64 } from '../arguments/index.js' */
/** @import { DType, TypeName } from '../tensor/index.js' */
/** @import { Dim, Open } from './extents.js' */

/**
 * The knowledge that inference has of an input.
 * @typedef {object} TensorInfo
 * @property {TypeName | 'float' | 'double'} type
 * @property {readonly Dim[] | null} dims null where the rank is unknown
 * @property {readonly (number | bigint | string | null)[] | Integers | number | bigint | string | null} [value] of a
 *   shape or a split: a list where it has one axis, a number where it has none; entries that only data propagation
 *   knows are symbols, or null
 * @property {true} [sequence] of a sequence: type and dims are those of its tensors
 */

/** @typedef {(Int64 | Open)[] | Int64 | Open} Value known elements: a list of rank 1, or one entry */

/**
 * Reads what is known of an input.
 * @param {string} argument the input's name in messages
 * @param {any} known
 * @param {(dtype: DType) => void} checkType is called first, so that the dtype is reported first
 * @param {boolean} [isSequence] whether a sequence may be known of; type and dims are those of its tensors
 * @returns {{ dtype: DType, dims: Dim[] | null, value: unknown }}
 */
export function readKnown(argument, known, checkType, isSequence = false) {
  if (typeof known !== 'object' || known === null || Array.isArray(known) || ArrayBuffer.isView(known))
    typeError(`${argument} must be what is known of a tensor { type, dims }, got ${showClass(known)}`);
  const { type, dims, value, sequence } = known;
  if (sequence === true && !isSequence)
    typeError(`${argument} must be what is known of a tensor { type, dims }, got what is known of a sequence`);
  const dtype = readType(type);
  checkType(dtype);
  return { dtype, dims: dims === null ? null : readOpenDims(dims), value };
}

/**
 * @param {unknown} dims
 * @returns {Dim[]}
 */
function readOpenDims(dims) {
  if (!isList(dims)) typeError(`dims must be an array, got ${showClass(dims)}`);
  const extents = readOpenList('dims', dims);
  if (extents.some((extent) => !isUnknown(extent) && (typeof extent === 'bigint' || extent < 0)))
    rangeError(`dims must hold whole numbers from 0 to ${Number.MAX_SAFE_INTEGER}, got ${showList(extents)}`);
  if (extents.length > rankLimit) rangeError(`dims must have at most ${rankLimit} entries, got ${extents.length}`);
  const size = product(extents);
  // No tensor is so large, and the shape rules count in exact numbers.
  if (!isUnknown(size) && !Number.isSafeInteger(size))
    rangeError(`dims must have at most ${Number.MAX_SAFE_INTEGER} elements, got ${showList(extents)}`);
  return /** @type {Dim[]} */ (extents);
}

/**
 * Reads the value of a 1-D input.
 * @param {string} argument
 * @param {unknown} value
 * @param {Dim[] | null} dims of the input
 * @returns {(Int64 | Open)[]}
 */
export function readEntries(argument, value, dims) {
  if (!isList(value)) typeError(`${argument} value must be a list, got ${show(value)}`);
  const entries = readOpenList(argument, value);
  const length = dims && dims[0];
  if (typeof length === 'number' && length !== entries.length)
    rangeError(`${argument} value must have dims[0] = ${length} entries, got ${entries.length}`);
  return entries;
}

/**
 * Reads the elements of an input of which shape inference may know some, as it does of a shape's.
 * @param {string} argument
 * @param {unknown} value
 * @param {Dim[] | null} dims of the input
 * @returns {Value | undefined} undefined where nothing is known
 */
export function readValue(argument, value, dims) {
  if (value === undefined || value === null) return undefined;
  if (isList(value)) return readEntries(argument, value, dims);
  return typeof value === 'string' ? value : readWhole(`${argument} value`, value);
}

/**
 * Reads whole numbers among open entries; a message about the numbers shows them alone.
 * @param {string} argument
 * @param {Integers} list
 * @returns {(Int64 | Open)[]}
 */
function readOpenList(argument, list) {
  const entries = copyList(argument, list);
  const known = readList(
    argument,
    entries.filter((entry) => !isUnknown(entry)),
  );
  let next = 0;
  return entries.map((entry) => (isUnknown(entry) ? entry : known[next++]));
}
