/**
 * Extents, which may be open: a symbol, or null where nothing is known. At run time none is, so what holds for open
 * extents holds for a call's too, and a shape rule is written once for both.
 */
import { isList, rangeError, readLength, show, showList, typeError } from '../../arguments/index.js';

/** @import { Dim, Int64, Open } from '../types.js' */

/** Tells whether an extent, or an element of a shape, is unknown: a symbol such as 'batch', or null.
 * @type {(extent: unknown) => extent is Open} */
export const isUnknown = (extent) => extent === null || typeof extent === 'string';

/** Gives the length of dims, which the shape rule of a caller's operator may have made: refuses all but a list.
 * @type {(dims: ArrayLike<unknown>) => number} */
const countDims = (dims) =>
  isList(dims) ? readLength('dims', dims) : typeError(`dims must be a list of extents, got ${show(dims)}`);

/** Multiplies extents as ONNX's inference does: 1 * x is x; an unknown factor beside any other factor, even 0, makes
 * the product unknown.
 * @param {readonly (Int64 | Open)[]} extents
 * @param {(i: number) => boolean} [skips] tells which entries are no factors
 * @returns {Dim} */
export function product(extents, skips) {
  /** @type {Dim} */
  let result = 1;
  const count = countDims(extents);
  for (let i = 0; i < count; i++) {
    const extent = extents[i];
    if (skips?.(i)) continue;
    if (isUnknown(extent)) result = result === 1 ? extent : null;
    else if (typeof result === 'number') result *= Number(extent);
    else if (extent !== 1) result = null;
  }
  // Infinity times 0 is NaN: an extent of 0 beside enormous ones.
  return Number.isNaN(result) ? 0 : result;
}

/**
 * Gives result dims, and refuses an extent beyond the safe integers. Even a result without elements may have one: an
 * extent that is a product, beside an extent of 0.
 * @template {Dim} E the extents that the caller has: numbers in a call, any in inference
 * @param {(Int64 | Open)[]} dims
 * @returns {E[]}
 */
export function checkExtents(dims) {
  countDims(dims); // refuses anything but a list
  const areExact = dims.every((extent) => isUnknown(extent) || Number.isSafeInteger(extent));
  if (!areExact) rangeError(`result dims must be at most ${Number.MAX_SAFE_INTEGER}, got ${showList(dims)}`);
  return /** @type {E[]} */ (dims);
}

/** Refuses a result of more axes than `limit`.
 * @type {(rank: number, limit: number) => void} */
export function checkRank(rank, limit) {
  if (rank > limit) rangeError(`result must have a rank of at most ${limit}, got ${rank}`);
}

/** Refuses a result with more elements than the largest safe integer, and gives its dims.
 * @type {(dims: number[]) => number[]} */
export function checkSize(dims) {
  const size = product(dims);
  if (!Number.isSafeInteger(size))
    rangeError(`result must have at most ${Number.MAX_SAFE_INTEGER} elements, got dims ${showList(dims)}`);
  return dims;
}

/** Broadcasts lists of dims to one: axes are aligned at the back, and an extent of 1 fits any other. Calls `refuse`
 * where two numbers differ. By loops: array methods take .8 us longer.
 * @type {(list: readonly (readonly unknown[])[], refuse: () => never) => any[]} */
export function broadcastDims(list, refuse) {
  let rank = 0;
  for (const { length } of list) if (length > rank) rank = length;
  const result = new Array(rank);
  for (let axis = 0; axis < rank; axis++) {
    /** @type {unknown} */
    let extent = 1;
    for (const dims of list) {
      const missingAxes = rank - dims.length;
      if (axis >= missingAxes) extent = broadcastExtents(extent, dims[axis - missingAxes], refuse);
    }
    result[axis] = extent;
  }
  return result;
}

/** Broadcasts two extents to one. An unknown one stays beside 1 and beside itself; beside any other number it is that
 * number; two different unknown ones give null. Other numbers that differ go to `refuse`, which throws.
 * @type {(a: unknown, b: unknown, refuse: () => never) => unknown} */
function broadcastExtents(a, b, refuse) {
  if (b === 1 || a === b) return a;
  if (a === 1) return b;
  if (isUnknown(a)) return isUnknown(b) ? null : b;
  return isUnknown(b) ? a : refuse();
}
