/**
 * The operators' shape rules: what the dims of a result are, and which attributes and shapes are errors. The operators and
 * `inferShape` share them, so an extent may be open here: a symbol, or null where nothing is known. With known extents only, as at
 * run time, nothing of a result is open.
 */
import { brief, isList, readList, show, showList, wrongKind, wrongValue } from '../arguments/index.js';

/** @import { Whole } from '../arguments/index.js' */
/** @import { DType } from '../tensor/index.js' */
/** @import { Call } from './call.js' */
/** An extent: known, symbolic, or null for unknown. @typedef {number | string | null} Extent */
/** @typedef {Exclude<Extent, number>} Open */

/** More pieces than this are a mistake, and their bookkeeping would take longer than their bytes. */
const pieceLimit = 1_000_000;

/** @type {(extent: unknown) => extent is Open} */
export const isOpen = (extent) => extent === null || typeof extent === 'string';

/**
 * ONNX's product: 1 * x is x, an open factor beside any other makes it unknown; so does 0 * x.
 * @param {readonly (Whole | Open)[]} extents
 * @param {(i: number) => boolean} [skips] leaves factors out
 * @returns {Extent}
 */
export function product(extents, skips) {
  /** @type {Extent} */
  let result = 1;
  for (let i = 0; i < extents.length; i++) {
    const extent = extents[i];
    if (skips?.(i)) continue;
    if (isOpen(extent)) result = result === 1 ? extent : null;
    else if (typeof result === 'number') result *= Number(extent);
    else if (extent !== 1) result = null;
  }
  // Infinity times 0 is NaN: a zero extent beside enormous ones.
  return result !== result ? 0 : result;
}

/**
 * @template {Extent} E
 * @param {Call} call
 * @param {readonly E[]} dims
 * @param {Whole} axis
 * @returns {E[]}
 */
export function flattenDims({ schema, prefix }, dims, axis) {
  const rank = dims.length;
  const lowest = schema.negativeAxis ? 0 - rank : 0;
  if (!(axis >= lowest && axis <= rank)) wrongValue(prefix, `axis must be in [${lowest}, ${rank}], got ${axis}`);
  const cut = Number(axis) < 0 ? Number(axis) + rank : Number(axis);
  return checkExtents(prefix, [product(dims.slice(0, cut)), product(dims.slice(cut))]);
}

/**
 * Extents that are products may leave the exact numbers, beside an extent of 0.
 * @template {Extent} E
 * @param {string} prefix
 * @param {(Whole | Open)[]} dims
 * @returns {E[]}
 */
function checkExtents(prefix, dims) {
  const exact = dims.every((extent) => isOpen(extent) || Number.isSafeInteger(extent));
  if (!exact) wrongValue(prefix, `result dims must be at most ${Number.MAX_SAFE_INTEGER}, got ${showList(dims)}`);
  return /** @type {E[]} */ (dims);
}

/** The type of a shape that is an input. @type {(prefix: string) => (dtype: DType) => void} */
export const shapeTypeCheck =
  (prefix) =>
  ({ name }) => {
    if (name !== 'int64') wrongKind(prefix, `shape must be int64, got ${name}`);
  };

/** @type {(prefix: string, rank: number) => void} */
export function checkShapeRank(prefix, rank) {
  if (rank !== 1) wrongKind(prefix, `shape must be 1-D, got rank ${rank}`);
}

/**
 * @template {Extent} E
 * @param {Call} call
 * @param {readonly E[] | null} dims null where the rank is unknown
 * @param {readonly (Whole | E)[]} shape
 * @param {boolean} allowzero
 * @returns {E[]}
 */
export function reshapeDims({ prefix }, dims, shape, allowzero) {
  const free = shape.indexOf(-1);
  if (free >= 0 && shape.includes(-1, free + 1))
    wrongValue(prefix, `shape must have at most one -1, got ${showList(shape)}`);
  if (shape.some((extent) => !isOpen(extent) && Number(extent) < -1))
    wrongValue(prefix, `shape entries must be at least -1, got ${showList(shape)}`);
  if (allowzero && free >= 0 && shape.includes(0))
    wrongValue(prefix, `shape cannot mix 0 and -1 when allowzero=1, got ${showList(shape)}`);
  /** @type {(Whole | Open)[]} */
  const target = shape.map((extent, i) => {
    if (extent !== 0 || allowzero) return extent;
    if (dims === null) return null;
    if (i >= dims.length)
      wrongValue(prefix, `shape[${i}] is 0 but data has rank ${dims.length}, got ${showList(shape)}`);
    return dims[i];
  });
  // Beyond the safe integers a product is rounded, but never down to a size that data can have.
  if (free < 0) {
    const [count, size] = [product(target), dims && product(dims)];
    if (!isOpen(count) && !isOpen(size) && count !== size) {
      wrongValue(prefix, `shape ${showList(target)} has ${exactProduct(target)} elements, data has ${size}`);
    }
    return checkExtents(prefix, target);
  }
  /** A 0 that copies an open extent: a factor of both sides, so neither counts it. @type {(i: number) => boolean} */
  const cancels = (i) => shape[i] === 0 && isOpen(target[i]);
  const count = product(target, (i) => i === free || cancels(i));
  if (count === 0) wrongValue(prefix, `shape cannot have -1 beside a zero extent, got ${showList(shape)}`);
  const size = dims && product(dims, cancels);
  // Where an open extent is left, or the known ones have no exact product, -1 is not determined.
  if (dims === null || isOpen(count) || isOpen(size) || !Number.isSafeInteger(size)) {
    target[free] = null;
  } else {
    if (size % count !== 0) {
      const all = dims.some(isOpen) ? brief(dims.map((extent) => extent ?? '?').join(' * ')) : size;
      wrongValue(prefix, `shape ${showList(shape)} does not divide ${all} elements`);
    }
    target[free] = size / count;
  }
  return checkExtents(prefix, target);
}

/** @type {(extents: readonly unknown[]) => bigint} */
const exactProduct = (extents) =>
  extents.reduce((/** @type {bigint} */ total, extent) => total * BigInt(/** @type {Whole} */ (extent)), 1n);

/**
 * The order that `perm` gives, or the axes in reverse if it is omitted.
 * @param {string} prefix
 * @param {unknown} given
 * @param {number | undefined} rank undefined where it is unknown: then what perm itself says
 * @returns {number[]}
 */
export function readPerm(prefix, given, rank) {
  if (given === undefined) {
    const perm = [];
    for (let i = (rank ?? 0) - 1; i >= 0; i--) perm.push(i);
    return perm;
  }
  if (!isList(given)) wrongKind(prefix, `perm must be a list of whole numbers, got ${show(given)}`);
  const perm = readList(prefix, 'perm', given);
  rank ??= perm.length;
  if (!isPermutation(perm, rank))
    wrongValue(prefix, `perm must be a permutation of [0, ${rank}), got ${showList(perm)}`);
  return /** @type {number[]} */ (perm);
}

/** @type {(perm: readonly Whole[], rank: number) => boolean} */
function isPermutation(perm, rank) {
  if (perm.length !== rank) return false;
  for (let i = 0; i < rank; i++) {
    if (!(perm[i] >= 0 && perm[i] < rank)) return false;
    // Ranks are at most 64 and mostly 4: this beats a set, and indexOf.
    for (let k = 0; k < i; k++) if (perm[k] === perm[i]) return false;
  }
  return true;
}

/** @type {(prefix: string, axis: Whole, rank: number) => number} */
export function splitAxis(prefix, axis, rank) {
  if (rank === 0) wrongValue(prefix, 'input must have at least one axis, got a scalar');
  if (!(axis >= -rank && axis < rank)) wrongValue(prefix, `axis must be in [-${rank}, ${rank - 1}], got ${axis}`);
  return Number(axis) < 0 ? Number(axis) + rank : Number(axis);
}

/** The type of a split that is a tensor. @type {(prefix: string) => (dtype: DType) => void} */
export const splitTypeCheck =
  (prefix) =>
  ({ name }) => {
    if (name !== 'int32' && name !== 'int64') wrongKind(prefix, `split must be int32 or int64, got ${name}`);
  };

/** @type {(prefix: string, rank: number) => void} */
export function checkSplitRank(prefix, rank) {
  if (rank > 1) wrongKind(prefix, `split must be a scalar or 1-D, got rank ${rank}`);
}

/** Whether the axis can be cut so, as far as that is known. @type {(prefix: string, split: Whole | Open | (Whole | Open)[], axis: number, extent: Extent) => void} */
export function checkSplit(prefix, split, axis, extent) {
  if (!Array.isArray(split)) {
    if (isOpen(split)) return;
    if (split < 1) wrongValue(prefix, `split must be at least 1, got ${split}`);
    if (!isOpen(extent)) checkCount(prefix, Math.ceil(extent / Number(split)));
    return;
  }
  if (split.length === 0) wrongValue(prefix, 'split must not be empty, got []');
  if (split.some((size) => !isOpen(size) && size < 0))
    wrongValue(prefix, `split must hold no negative entry, got ${showList(split)}`);
  if (isOpen(extent) || split.some(isOpen)) return;
  const sum = split.reduce((/** @type {number} */ total, size) => total + Number(size), 0);
  if (sum === extent) return;
  const exact = split.reduce((/** @type {bigint} */ total, size) => total + BigInt(/** @type {Whole} */ (size)), 0n);
  const terms = showList(split).slice(1, -1).replaceAll(', ', ' + ');
  wrongValue(
    prefix,
    `split must sum to dims[${axis}] = ${extent}, got ${split.length > 1 ? `${terms} = ` : ''}${exact}`,
  );
}

/** @type {(prefix: string, count: number) => void} */
function checkCount(prefix, count) {
  if (count > pieceLimit) wrongValue(prefix, `split must give at most ${pieceLimit} pieces, got ${count}`);
}

/** The extents of the pieces along the axis, of a split that was checked. @type {(split: Whole | Whole[], extent: number) => number[]} */
export function splitSizes(split, extent) {
  if (Array.isArray(split)) return split.map(Number);
  const step = Number(split);
  return Array.from({ length: Math.ceil(extent / step) }, (_, i) => Math.min(step, extent - i * step));
}

/**
 * The extent that all pieces have along the axis, as ONNX's inference has it: unknown where a piece may differ, where the axis'
 * extent is open, and for pieces of 0. A number on a zero-length axis gives that number, though no piece.
 * @type {(split: Whole | Open | (Whole | Open)[], extent: Extent) => Extent}
 */
export function commonSize(split, extent) {
  if (isOpen(extent)) return null;
  const first = Array.isArray(split) ? split[0] : split;
  if (typeof first !== 'number' || first === 0) return null;
  const same = Array.isArray(split) ? split.every((size) => size === first) : extent % first === 0;
  return same ? first : null;
}
