/** The operators' shape rules: what the dims of a result are, and which attributes and shapes are errors. */
import { showList, wrongValue } from './errors.js';
import { sizeOf } from './tensor.js';

/** @typedef {import('./arguments.js').Call} Call */
/** @typedef {import('./arguments.js').Whole} Whole */

/** More pieces than this are a mistake, and their bookkeeping would take longer than their bytes. */
const pieceLimit = 1_000_000;

/** @type {(call: Call, dims: readonly number[], axis: Whole) => number[]} */
export function flattenDims({ schema, prefix }, dims, axis) {
  const rank = dims.length;
  const lowest = schema.negativeAxis ? 0 - rank : 0;
  if (!(axis >= lowest && axis <= rank)) wrongValue(prefix, `axis must be in [${lowest}, ${rank}], got ${axis}`);
  const cut = Number(axis) < 0 ? Number(axis) + rank : Number(axis);
  return checkExtents(prefix, [sizeOf(dims.slice(0, cut)), sizeOf(dims.slice(cut))]);
}

/** Extents that are products may leave the exact numbers, beside an extent of 0. @type {(prefix: string, dims: Whole[]) => number[]} */
function checkExtents(prefix, dims) {
  if (!dims.every(Number.isSafeInteger)) wrongValue(prefix, `result dims must be at most ${Number.MAX_SAFE_INTEGER}, got ${showList(dims)}`);
  return /** @type {number[]} */ (dims);
}

/** @type {(call: Call, data: { dims: readonly number[], size: number }, shape: Whole[], allowzero: boolean) => number[]} */
export function reshapeDims({ prefix }, { dims, size }, shape, allowzero) {
  const free = shape.indexOf(-1);
  if (free >= 0 && shape.includes(-1, free + 1)) wrongValue(prefix, `shape must have at most one -1, got ${showList(shape)}`);
  if (shape.some((extent) => extent < -1)) wrongValue(prefix, `shape entries must be at least -1, got ${showList(shape)}`);
  if (allowzero && free >= 0 && shape.includes(0)) wrongValue(prefix, `shape cannot mix 0 and -1 when allowzero=1, got ${showList(shape)}`);
  const target = shape.map((extent, i) => {
    if (extent !== 0 || allowzero) return extent;
    if (i >= dims.length) wrongValue(prefix, `shape[${i}] is 0 but data has rank ${dims.length}, got ${showList(shape)}`);
    return dims[i];
  });
  // Beyond the safe integers a product is rounded, but never down to a size that data can have.
  const known = sizeOf(target.map((extent, i) => (i === free ? 1 : Number(extent))));
  if (free < 0) {
    if (known !== size) wrongValue(prefix, `shape ${showList(target)} has ${exactProduct(target)} elements, data has ${size}`);
    return checkExtents(prefix, target);
  }
  if (known === 0) wrongValue(prefix, `shape cannot have -1 beside a zero extent, got ${showList(shape)}`);
  if (size % known !== 0) wrongValue(prefix, `shape ${showList(shape)} does not divide ${size} elements`);
  target[free] = size / known;
  return checkExtents(prefix, target);
}

/** @type {(extents: readonly Whole[]) => bigint} */
const exactProduct = (extents) => extents.reduce((/** @type {bigint} */ product, extent) => product * BigInt(extent), 1n);

/** @type {(prefix: string, axis: Whole, rank: number) => number} */
export function splitAxis(prefix, axis, rank) {
  if (rank === 0) wrongValue(prefix, 'input must have at least one axis, got a scalar');
  if (!(axis >= -rank && axis < rank)) wrongValue(prefix, `axis must be in [-${rank}, ${rank - 1}], got ${axis}`);
  return Number(axis) < 0 ? Number(axis) + rank : Number(axis);
}

/** The extents of the pieces. @type {(prefix: string, split: Whole | Whole[], axis: number, extent: number) => number[]} */
export function splitSizes(prefix, split, axis, extent) {
  if (!Array.isArray(split)) {
    if (split < 1) wrongValue(prefix, `split must be at least 1, got ${split}`);
    const step = Number(split);
    const count = Math.ceil(extent / step);
    checkCount(prefix, count);
    return Array.from({ length: count }, (_, i) => Math.min(step, extent - i * step));
  }
  if (split.length === 0) wrongValue(prefix, 'split must not be empty, got []');
  checkCount(prefix, split.length);
  if (split.some((size) => size < 0)) wrongValue(prefix, `split must hold no negative entry, got ${showList(split)}`);
  const sum = split.reduce((/** @type {number} */ total, size) => total + Number(size), 0);
  if (sum !== extent) {
    const exact = split.reduce((/** @type {bigint} */ total, size) => total + BigInt(size), 0n);
    const terms = showList(split).slice(1, -1).replaceAll(', ', ' + ');
    wrongValue(prefix, `split must sum to dims[${axis}] = ${extent}, got ${split.length > 1 ? `${terms} = ` : ''}${exact}`);
  }
  return split.map(Number);
}

/** @type {(prefix: string, count: number) => void} */
function checkCount(prefix, count) {
  if (count > pieceLimit) wrongValue(prefix, `split must give at most ${pieceLimit} pieces, got ${count}`);
}
