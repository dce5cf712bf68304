/** Borders: cut from a tensor, and put around it. */
import { rangeError, showList } from '../../arguments/index.js';
import { packBytes, stridesOf, unpackBytes, wordsOf } from '../../engines/tensors/index.js';
import { dtypes, newData, sizeOf } from '../../tensor/index.js';
import { copyInto, filled, isUnknown } from '../core/index.js';

/** @import { Borders, DType, Dim, Int64, TensorData } from '../types.js' */

/** @typedef {'constant' | 'reflect' | 'edge' | 'wrap'} Mode */

/** Copy fewer words than this in a loop: a call costs more. */
const shortRun = 32;

/** Copy each run of at least 512 bytes with its borders, while they are in the cache: 1.2 to 1.7 times as fast as all
 * borders after all runs. */
const longRun = 512;

/** Plans borders: of each axis the elements that are cut, those that stay, and those that are added. Extents may be
 * unknown. Negative pads cut first; the others add to the rest.
 * @type {(extents: readonly Dim[], begins: readonly Int64[], ends: readonly Int64[]) => Borders} */
export function bordersOf(extents, begins, ends) {
  const cutBy = (/** @type {Int64} */ pad) => Math.max(0, -Number(pad));
  const addedBy = (/** @type {Int64} */ pad) => Math.max(0, Number(pad));
  const [cuts, before] = [begins.map(cutBy), begins.map(addedBy)];
  const counts = extents.map((extent, i) => (isUnknown(extent) ? extent : extent - cuts[i] - cutBy(ends[i])));
  const dims = counts.map((count, i) => {
    if (isUnknown(count)) return Number(begins[i]) === 0 && Number(ends[i]) === 0 ? count : null;
    if (count < 0)
      rangeError(`pads must cut at most dims[${i}] = ${extents[i]}, got ${showList([begins[i], ends[i]])}`);
    return count + before[i] + addedBy(ends[i]);
  });
  return /** @type {Borders} */ ({ extents, cuts, counts, before, dims });
}

/** The move that copies a part of the first input and puts borders around it: `borders`, `mode` and data of one element
 * as `constant`. */
export const padded = filled((plan, data, [source]) => {
  const { borders, mode, isFresh } = plan;
  const dtype = /** @type {DType} */ (plan.dtype);
  if (sizeOf(borders.dims) === 0) return;
  const constant = mode === 'constant' ? (plan.constant ?? zeroOf(dtype, isFresh)) : undefined;
  // Packed elements are filled as bytes, unless zeros alone surround them; wide ones as two or four words.
  const isPacked = dtype.bits > 0 && dtype.bits < 8;
  if (isPacked && mode === 'constant' && !constant) return copyKept(dtype, borders, source, data);
  if (isPacked) return padCodes(dtype, borders, mode, constant, source, data);
  if (dtype.bits <= 32) return fillPadded(dtype, borders, mode, constant, source, data);
  const words = dtype.bits / 32;
  const [extents, counts, dims] = [borders.extents, borders.counts, borders.dims].map((list) => [...list, words]);
  const all = { extents, counts, dims, cuts: [...borders.cuts, 0], before: [...borders.before, 0] };
  return fillPadded(dtypes.uint32, all, mode, constant, source, data);
});

/** Gives the element that fills borders by default; undefined where fresh data are 0 already.
 * @type {(dtype: DType, isFresh: boolean) => TensorData | undefined} */
const zeroOf = (dtype, isFresh) =>
  dtype.array === 'Array' ? [''] : isFresh ? undefined : newData(dtype, 1, undefined);

/** @typedef {(dtype: DType, borders: Borders, mode: Mode, constant: TensorData | undefined, source: TensorData,
 *   result: TensorData) => void} Fill */

/** Pads packed elements: unpacks them to a byte each, pads the bytes, and packs the result.
 * @type {Fill} */
function padCodes(dtype, borders, mode, constant, source, result) {
  const bytes = newData(dtypes.uint8, sizeOf(borders.dims), undefined);
  const unpacked = constant && unpackBytes(dtype, constant, 1);
  fillPadded(dtypes.uint8, borders, mode, unpacked, unpackBytes(dtype, source, sizeOf(borders.extents)), bytes);
  result.set(packBytes(dtype, bytes));
}

/** Copies the part that is kept, and fills the borders. Elements are one word or string. In mode `constant`,
 * but without a constant, the result is all 0 already.
 * @type {Fill} */
function fillPadded(dtype, borders, mode, constant, source, result) {
  const { extents, counts, dims } = borders;
  // All that lies behind the last axis that changes is one run.
  let last = dims.length - 1;
  while (last > 0 && dims[last] === counts[last] && extents[last] === counts[last]) last--;
  const run = last < 0 ? 0 : counts[last] * sizeOf(dims, last + 1);
  const isLong = run * dtype.bits >= 8 * longRun;
  if (!isLong) {
    // Fill all with the constant, and copy over it. Of other modes the borders are left.
    if (constant) fillRun(ownWords(result), 0, sizeOf(dims), ownWords(constant));
    copyKept(dtype, borders, source, result);
    if (mode === 'constant' || last < 0) return;
  }
  const words = [constant && ownWords(constant), ownWords(source), ownWords(result)];
  fillRuns(borders, mode, { last, run: isLong ? run : 0 }, words);
}

/** Copies the part that is kept to its place between the borders.
 * @type {(dtype: DType, borders: Borders, source: unknown, result: unknown) => void} */
function copyKept(dtype, { extents, cuts, counts, before, dims }, source, result) {
  const [from, to] = [stridesOf(extents), stridesOf(dims)];
  let [first, start] = [0, 0];
  for (let i = 0; i < dims.length; i++) {
    first += cuts[i] * from[i];
    start += before[i] * to[i];
  }
  copyInto(dtype, { dims: counts, extents: counts, strides: from, first }, source, result, to, start);
}

/** Fills the borders, and copies the runs that are kept, if they are not there yet. In mode `constant` the words
 * between one run and the next are filled; in other modes the borders of each axis, once all axes inside it are filled,
 * are copied from the elements between them.
 * @param {Borders} borders
 * @param {Mode} mode
 * @param {{ last: number, run: number }} kept the last axis that changes, at which a run lies; and the words of a run,
 *   0 where the runs are there already
 * @param {TensorData[]} words of the constant, the source and the result */
function fillRuns(borders, mode, { last, run }, [constant, source, result]) {
  const { extents, cuts, counts, before, dims } = borders;
  const [from, to] = [stridesOf(extents), stridesOf(dims)];
  // For each axis the copies that fill its borders; in `end` the word behind the latest run.
  const sides = mode === 'constant' ? [] : dims.map((_, axis) => copiesOf(borders, axis, mode, to[axis]));
  let end = 0;
  /** Fills an axis, at one index of each axis outside it, after those inside it. `low` and `high`: the words where it
   * begins in the source and in the result.
   * @type {(axis: number, low: number, high: number) => void} */
  const walk = (axis, low, high) => {
    // Where the axis has its first element that is kept, on both sides.
    const inside = low + cuts[axis] * from[axis];
    const next = high + before[axis] * to[axis];
    if (axis < last)
      for (let i = 0; i < counts[axis]; i++) walk(axis + 1, inside + i * from[axis], next + i * to[axis]);
    else if (run > 0) {
      if (constant) fillRun(result, end, next, constant);
      result.set(source.subarray(inside, inside + run), next);
      end = next + run;
    }
    if (mode === 'constant') return;
    const copies = sides[axis];
    for (let i = 0; i < copies.length; i += 3) copyRun(result, high + copies[i], high + copies[i + 1], copies[i + 2]);
  };
  walk(0, 0, 0);
  if (constant) fillRun(result, end, sizeOf(dims), constant);
}

/** Lists the copies that fill both borders of an axis, each from elements that are there already. A copy is three
 * numbers: where it goes, where it comes from, both from the beginning of the padded axis, and its length; in words, of
 * which an index of the axis has `stride`.
 * @type {(borders: Borders, axis: number, mode: Mode, stride: number) => number[]} */
function copiesOf({ counts, before, dims }, axis, mode, stride) {
  const [count, start, extent] = [counts[axis], before[axis], dims[axis]];
  const end = start + count;
  // To reflect an axis of one element repeats that.
  const isEdge = mode === 'edge' || (mode === 'reflect' && count === 1);
  // Elements of the padded axis repeat after so many: a reflected axis after it has gone there and back.
  const period = isEdge ? 1 : mode === 'wrap' ? count : 2 * (count - 1);
  /** @type {number[]} */
  const copies = [];
  // The indices [low, high) are filled.
  let [low, high] = [start, end];
  // A reflected border begins in reverse order, so its elements are copied one by one: index i is the mirror image of
  // 2 * start - i in front of the axis, and of 2 * (end - 1) - i behind it.
  if (mode === 'reflect') {
    for (; low > 0 && start - low < count - 1; low--) copies.push(low - 1, 2 * start - (low - 1), 1);
    for (; high < extent && high - end < count - 1; high++) copies.push(high, 2 * (end - 1) - high, 1);
  }
  // From here on the axis repeats itself: copies come from whole periods away, and grow with what is filled. An edge
  // repeats the first element in front, and the last one behind. `apart` are the whole periods that are filled.
  const [first, behind] = isEdge ? [end - 1, start + 1] : [start, end];
  while (low > 0) {
    const apart = behind - low - ((behind - low) % period);
    const part = Math.min(apart, low);
    low -= part;
    copies.push(low, low + apart, part);
  }
  while (high < extent) {
    const apart = high - first - ((high - first) % period);
    const part = Math.min(apart, extent - high);
    copies.push(high, high - apart, part);
    high += part;
  }
  return copies.map((indices) => indices * stride);
}

/** Views data as words of their own bits, because numbers would lose the payload of a NaN; strings are their own words.
 * @type {(data: TensorData) => TensorData} */
const ownWords = (data) =>
  Array.isArray(data) ? data : wordsOf(/** @type {1 | 2 | 4} */ (Math.min(4, data.BYTES_PER_ELEMENT)), data);

/** Fills the words `from` up to `to` with a constant of one or more words: writes it once, and doubles what is written.
 * The words have room for a whole number of constants, or for none.
 * @type {(words: TensorData, from: number, to: number, constant: TensorData) => void} */
function fillRun(words, from, to, constant) {
  if (from >= to) return undefined;
  const { length } = constant;
  if (length === 1) return words.fill(constant[0], from, to);
  for (let i = 0; i < length; i++) words[from + i] = constant[i];
  for (let done = length; done < to - from; done *= 2)
    copyRun(words, from + done, from, Math.min(done, to - from - done));
  return undefined;
}

/** Copies words to a place that does not overlap theirs.
 * @type {(words: TensorData, to: number, from: number, length: number) => void} */
function copyRun(words, to, from, length) {
  if (length >= shortRun) words.copyWithin(to, from, from + length);
  else for (let i = 0; i < length; i++) words[to + i] = words[from + i];
}
