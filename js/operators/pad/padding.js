/** Borders: what Pad and CenterCropPad cut from a tensor, and what they put around it. */
import { rangeError, showList } from '../../arguments/index.js';
import { clearTail, stridesOf } from '../../engine/index.js';
import { packedCode, sizeOf, store } from '../../tensor/index.js';
import { copyInto } from '../copy.js';

/** @import { Int64 } from '../../arguments/index.js' */
/** @import { DType } from '../../tensor/index.js' */

/** @typedef {'constant' | 'reflect' | 'edge' | 'wrap'} Mode */

/**
 * What is cut from every axis and added to it, in elements.
 * @typedef {object} Borders
 * @property {number[]} cuts left out in front
 * @property {number[]} counts kept
 * @property {number[]} before added in front
 * @property {number[]} dims of the result
 */

/**
 * A side of an axis, in entries from where the axis begins. Slice k from `to` on is a copy of the one that lies k times
 * `step` behind `from`. What is left, from `at` to `end`, repeats what lies `distance` behind it, which is negative on
 * the right.
 * @typedef {object} Side
 * @property {number} to
 * @property {number} from
 * @property {number} count of the slices
 * @property {number} length of a slice
 * @property {number} step
 * @property {number} at
 * @property {number} end
 * @property {number} distance
 */

/** Runs below this many elements cost more as a call each than to be filled first and then written over. */
const shortRun = 32;

/**
 * Runs of at least this many bytes are copied one by one, each with what is beside it while that is in the cache. With
 * 8 more on each side, uint8 [3, 1080, 1920] takes .6 of what the borders take apart from the runs, float32 .83 with
 * edges, and uint8 runs of 600 .6 to .8 (measured).
 */
const longRun = 512;

/**
 * The borders. What is negative is cut first; the rest is added to what is left.
 * @param {readonly number[]} dims
 * @param {readonly Int64[]} begins of every axis
 * @param {readonly Int64[]} ends of every axis
 * @returns {Borders}
 * @throws {RangeError} more is cut than an axis has
 */
export function bordersOf(dims, begins, ends) {
  const cutsOf = (/** @type {Int64} */ pad) => Math.max(0, -Number(pad));
  const addedBy = (/** @type {Int64} */ pad) => Math.max(0, Number(pad));
  const cuts = begins.map(cutsOf);
  const before = begins.map(addedBy);
  const counts = dims.map((extent, i) => extent - cuts[i] - cutsOf(ends[i]));
  counts.forEach((count, i) => {
    if (count < 0) rangeError(`pads must cut at most dims[${i}] = ${dims[i]}, got ${showList([begins[i], ends[i]])}`);
  });
  return { cuts, counts, before, dims: counts.map((count, i) => count + before[i] + addedBy(ends[i])) };
}

/**
 * Copies what is kept, and fills the borders.
 * @param {DType} dtype
 * @param {readonly number[]} dims of the source
 * @param {Borders} borders
 * @param {Mode} mode
 * @param {any} constant data of one element, for mode constant; undefined where the result is all 0 and so is it
 * @param {any} source
 * @param {any} result
 */
export function fillPadded(dtype, dims, borders, mode, constant, source, result) {
  const size = sizeOf(borders.dims);
  if (size === 0) return;
  const { counts, cuts, before } = borders;
  const strides = stridesOf(borders.dims);
  const own = stridesOf(dims);
  const isPacked = dtype.bits > 0 && dtype.bits < 8;
  const codes = codesOf(result);
  let inner = dims.length;
  while (inner > 0 && borders.dims[inner - 1] === counts[inner - 1]) inner--;
  const isWhole = inner > 0 && dims.every((extent, i) => i < inner || extent === counts[i]);
  let filled = dims.length;
  if (isWhole && counts[inner - 1] * strides[inner - 1] * dtype.bits >= 8 * longRun && !isPacked) {
    filled = inner - 1;
    moveRuns(dtype, borders, strides, own, filled, mode, constant && codesOf(constant), codesOf(source), codes);
  } else {
    if (constant) {
      if (isPacked) fillPacked(dtype, constant, result);
      else fillGaps(borders, strides, inner, codesOf(constant), codes);
    } else if (isPacked) result.fill(0);
    clearTail(dtype.bits, size, result);
    const first = cuts.reduce((sum, cut, i) => sum + cut * own[i], 0);
    const start = before.reduce((sum, pad, i) => sum + pad * strides[i], 0);
    copyInto(dtype, { dims: counts, extents: counts, strides: own, first }, source, result, strides, start);
  }
  if (mode === 'constant') return;
  while (--filled >= 0)
    if (borders.dims[filled] > counts[filled]) fillAxis(dtype, borders, strides, filled, mode, codes);
}

/**
 * Copies the long runs that are kept, and fills what lies between them, or beside them in one axis.
 * @param {DType} dtype
 * @param {Borders} borders
 * @param {readonly number[]} strides of the result
 * @param {readonly number[]} own strides of the source
 * @param {number} axis the last one with borders
 * @param {Mode} mode
 * @param {ArrayLike<any> | undefined} constant codes of one element; undefined for no filling
 * @param {any} source its codes
 * @param {any} result its codes
 */
function moveRuns(dtype, borders, strides, own, axis, mode, constant, source, result) {
  const { dims, counts, cuts, before } = borders;
  const entries = Math.max(1, dtype.bits / 32);
  const run = counts[axis] * strides[axis];
  const sides = mode === 'constant' ? [] : sidesOf(dtype, borders, strides, axis, mode);
  let end = 0;
  forEachKept(axis, borders, strides, own, (first, row) => {
    const from = row + cuts[axis] * own[axis];
    const to = first + before[axis] * strides[axis];
    if (constant) fillRun(result, end, to, constant);
    result.set(source.subarray(from * entries, (from + run) * entries), to * entries);
    fillSides(dtype, sides, first * entries, result);
    end = to + run;
  });
  if (constant) fillRun(result, end, sizeOf(dims), constant);
}

/**
 * A tensor's data as codes, several of 32 bits where an element is wider: numbers would lose the payload of a NaN.
 * @param {any} data
 * @returns {any}
 */
function codesOf(data) {
  if (Array.isArray(data)) return data;
  const { buffer, byteOffset, byteLength, BYTES_PER_ELEMENT: width } = data;
  const Codes = width === 1 ? Uint8Array : width === 2 ? Uint16Array : Uint32Array;
  return new Codes(buffer, byteOffset, byteLength / Codes.BYTES_PER_ELEMENT);
}

/**
 * Fills a packed result. All of it: runs may begin inside a byte.
 * @param {DType} dtype
 * @param {any} constant data of one element
 * @param {Uint8Array} result
 */
function fillPacked(dtype, constant, result) {
  // Eight elements fill whole bytes.
  const pattern = new Uint8Array(dtype.bits);
  const code = packedCode(dtype.bits, constant, 0);
  for (let i = 0; i < 8; i++) store(dtype, pattern, i, code);
  for (let i = 0; i < result.length; i++) result[i] = pattern[i % pattern.length];
}

/**
 * Fills what lies between the runs that are kept.
 * @param {Borders} borders
 * @param {readonly number[]} strides of the result
 * @param {number} inner the first axis that has no borders, nor any behind it
 * @param {ArrayLike<any>} constant codes of one element
 * @param {any} result
 */
function fillGaps(borders, strides, inner, constant, result) {
  const { dims, counts, before } = borders;
  const size = sizeOf(dims);
  const run = inner === 0 ? size : counts[inner - 1] * strides[inner - 1];
  if (run < shortRun) return fillRun(result, 0, size, constant);
  let end = 0;
  forEachKept(inner - 1, borders, strides, strides, (first) => {
    const at = inner === 0 ? first : first + before[inner - 1] * strides[inner - 1];
    fillRun(result, end, at, constant);
    end = at + run;
  });
  return fillRun(result, end, size, constant);
}

/**
 * Calls back for each position of the outer axes that is kept, with the elements where it begins.
 * @param {number} rank how many axes are outer
 * @param {Borders} borders
 * @param {readonly number[]} strides of the result
 * @param {readonly number[]} own strides of the source
 * @param {(first: number, from: number) => void} visit gets the elements of the result and of the source
 */
function forEachKept(rank, { counts, cuts, before }, strides, own, visit) {
  const walk = (/** @type {number} */ axis, /** @type {number} */ first, /** @type {number} */ from) => {
    if (axis >= rank) return visit(first, from);
    for (let i = 0; i < counts[axis]; i++)
      walk(axis + 1, first + (before[axis] + i) * strides[axis], from + (cuts[axis] + i) * own[axis]);
    return undefined;
  };
  walk(0, 0, 0);
}

/**
 * @param {any} result
 * @param {number} from in elements
 * @param {number} to in elements
 * @param {ArrayLike<any>} constant codes of one element
 */
function fillRun(result, from, to, constant) {
  const { length } = constant;
  if (length === 1) result.fill(constant[0], from, to);
  else for (let i = length * from; i < length * to; i++) result[i] = constant[i % length];
}

/**
 * Fills the borders of one axis from what lies between them; the axes behind it are filled.
 * @param {DType} dtype
 * @param {Borders} borders
 * @param {readonly number[]} strides of the result
 * @param {number} axis
 * @param {Mode} mode
 * @param {any} result its codes
 */
function fillAxis(dtype, borders, strides, axis, mode, result) {
  const sides = sidesOf(dtype, borders, strides, axis, mode);
  const entries = Math.max(1, dtype.bits / 32);
  forEachKept(axis, borders, strides, strides, (first) => fillSides(dtype, sides, first * entries, result));
}

/**
 * The sides of an axis: at most two, however wide they are.
 * @param {DType} dtype
 * @param {Borders} borders
 * @param {readonly number[]} strides of the result
 * @param {number} axis
 * @param {Mode} mode
 * @returns {Side[]}
 */
function sidesOf({ bits }, { dims, counts, before }, strides, axis, mode) {
  const length = strides[axis] * Math.max(1, bits / 32);
  const [count, pad] = [counts[axis], before[axis]];
  const [start, last, end] = [pad, pad + count - 1, dims[axis]];
  /** @type {Omit<Side, 'length'>[]} */
  const sides = [];
  // Reflect goes back and forth as often as it must, as NumPy has it; one slice is its own mirror image.
  if (mode === 'edge' || (mode === 'reflect' && count === 1)) {
    const once = { step: 0, at: 0, end: 0, distance: 0 };
    if (pad > 0) sides.push({ to: 0, from: start, count: pad, ...once });
    if (end > last + 1) sides.push({ to: last + 1, from: last, count: end - last - 1, ...once });
  } else {
    const isMirrored = mode === 'reflect';
    const [most, step] = isMirrored ? [count - 1, -1] : [count, 1];
    const distance = isMirrored ? 2 * most : count;
    const [left, right] = [Math.min(most, pad), Math.min(most, end - last - 1)];
    const [toLeft, toRight] = [pad - left, last + 1];
    const from = isMirrored ? start + left : toLeft + count;
    if (left > 0) sides.push({ to: toLeft, from, count: left, step, at: 0, end: toLeft, distance });
    const behind = { at: toRight + right, end, distance: -distance };
    if (right > 0) sides.push({ to: toRight, from: isMirrored ? last - 1 : start, count: right, step, ...behind });
  }
  return sides.map((side) => ({
    to: side.to * length,
    from: side.from * length,
    // Slices that lie in their order are one.
    count: side.step === 1 ? 1 : side.count,
    length: side.step === 1 ? side.count * length : length,
    step: side.step * length,
    at: side.at * length,
    end: side.end * length,
    distance: side.distance * length,
  }));
}

/**
 * Fills the borders of an axis at one position of the outer ones.
 * @param {DType} dtype
 * @param {Side[]} sides
 * @param {number} first the entry where the axis begins
 * @param {any} result its codes
 */
function fillSides(dtype, sides, first, result) {
  const { bits } = dtype;
  const isPacked = bits > 0 && bits < 8;
  for (const { to, from, count, length, step, at, end, distance } of sides) {
    const [start, source] = [first + to, first + from];
    if (length === 1 && step === 0 && count >= shortRun && !isPacked) result.fill(result[source], start, start + count);
    else
      for (let i = 0; i < count; i++) {
        const [high, low] = [start + i * length, source + i * step];
        if (isPacked)
          for (let k = 0; k < length; k++) store(dtype, result, high + k, packedCode(bits, result, low + k));
        else if (length < shortRun) for (let k = 0; k < length; k++) result[high + k] = result[low + k];
        else result.copyWithin(high, low, low + length);
      }
    if (at < end) repeat(dtype, result, first + at, first + end, distance);
  }
}

/**
 * Fills entries with those that lie a distance behind them.
 * @param {DType} dtype
 * @param {any} result its codes
 * @param {number} start
 * @param {number} end
 * @param {number} distance negative for those before them
 */
function repeat(dtype, result, start, end, distance) {
  const { bits } = dtype;
  const apart = Math.abs(distance);
  if (bits > 0 && bits < 8) {
    if (distance < 0) for (let i = start; i < end; i++) store(dtype, result, i, packedCode(bits, result, i + distance));
    else for (let i = end - 1; i >= start; i--) store(dtype, result, i, packedCode(bits, result, i + distance));
    return;
  }
  // The part that is copied at once grows, and stays a multiple of the distance.
  for (let done = 0, size = end - start; done < size;) {
    const part = Math.min(done + apart, size - done);
    const to = distance < 0 ? start + done : end - done - part;
    const from = distance < 0 ? start - apart : end + apart - part;
    result.copyWithin(to, from, from + part);
    done += part;
  }
}
