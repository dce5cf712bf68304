/** Borders: cut from a tensor, and put around it. */
import { rangeError, showList } from '../../arguments/index.js';
import { packBytes, stridesOf, unpackBytes, wordsOf } from '../../engines/tensors/index.js';
import { dtypes, isPacked, newData, sizeOf } from '../../tensor/index.js';
import { copyInto, filled, isUnknown } from '../core/index.js';

/** @import { Borders, DType, Dim, Int64, TensorData } from '../types.js' */

/** @typedef {'constant' | 'reflect' | 'edge' | 'wrap'} Mode */
/** @typedef {{ low: number, high: number }} Span the indices from `low` to before `high` */

/** Copy fewer words than this in a loop: a call of `copyWithin` costs more. */
const fewWords = 32;

/** Copy each run of at least this many bytes with its borders, while they are in the cache: 1.2 to 1.7 times as fast as
 * all borders after all runs. */
const longRunBytes = 512;

/** @type {(pad: Int64) => number} how many elements a pad, which is negative then, cuts off */
const cutBy = (pad) => Math.max(0, -Number(pad));

/** @type {(pad: Int64) => number} how many elements a pad, which is positive then, adds */
const addedBy = (pad) => Math.max(0, Number(pad));

/** Plans borders: of each axis the elements that are cut, those that stay, and those that are added. `begins` and
 * `ends` have a pad for each axis: a negative one cuts elements, a positive one adds elements to what is left. Extents
 * may be unknown.
 * @type {(extents: readonly Dim[], begins: readonly Int64[], ends: readonly Int64[]) => Borders} */
export function bordersOf(extents, begins, ends) {
  const cuts = begins.map(cutBy);
  const before = begins.map(addedBy);
  const counts = extents.map((extent, i) => (isUnknown(extent) ? extent : extent - cuts[i] - cutBy(ends[i])));
  const dims = counts.map((count, i) => {
    const isKept = Number(begins[i]) === 0 && Number(ends[i]) === 0;
    if (isUnknown(count)) return isKept ? count : null;
    if (count < 0)
      rangeError(`pads must cut at most dims[${i}] = ${extents[i]}, got ${showList([begins[i], ends[i]])}`);
    return count + before[i] + addedBy(ends[i]);
  });
  return /** @type {Borders} */ ({ extents, cuts, counts, before, dims });
}

/** The move that copies a part of the first input and puts borders around it. The plan has `borders`, `mode` and
 * `constant`, which is data of one element, or undefined for zeros. Borders are filled word by word: packed elements
 * are unpacked to bytes for it, and those of 64 or 128 bits are several words. */
export const padded = filled((plan, data, [source]) => {
  const { borders, mode, isFresh } = plan;
  const dtype = /** @type {DType} */ (plan.dtype);
  if (sizeOf(borders.dims) === 0) return undefined;
  const constant = mode === 'constant' ? (plan.constant ?? zeroOf(dtype, isFresh)) : undefined;
  const areBordersFilled = mode === 'constant' && !constant; // with the zeros of fresh data
  if (isPacked(dtype) && areBordersFilled) return copyKept(dtype, borders, source, data);
  if (isPacked(dtype)) return padAsBytes(dtype, borders, mode, constant, source, data);
  if (dtype.bits <= 32) return fillPadded(dtype, borders, mode, constant, source, data);
  const wordsPerElement = dtype.bits / 32;
  return fillPadded(dtypes.uint32, wordBorders(borders, wordsPerElement), mode, constant, source, data);
});

/** Gives the borders of elements that are several words each: the words of an element are one more axis.
 * @type {(borders: Borders, words: number) => Borders} */
const wordBorders = ({ extents, cuts, counts, before, dims }, words) => ({
  extents: [...extents, words],
  cuts: [...cuts, 0],
  counts: [...counts, words],
  before: [...before, 0],
  dims: [...dims, words],
});

/** Gives the element that fills borders by default; undefined where fresh data are 0 already.
 * @type {(dtype: DType, isFresh: boolean) => TensorData | undefined} */
function zeroOf(dtype, isFresh) {
  if (dtype.array === 'Array') return [''];
  return isFresh ? undefined : newData(dtype, 1);
}

/** @typedef {(dtype: DType, borders: Borders, mode: Mode, constant: TensorData | undefined, source: TensorData,
 *   result: TensorData) => void} Fill */

/** Pads packed elements: unpacks them to a byte each, pads the bytes, and packs these.
 * @type {Fill} */
function padAsBytes(dtype, borders, mode, constant, source, result) {
  const constantByte = constant && unpackBytes(dtype, constant, 1);
  const sourceBytes = unpackBytes(dtype, source, sizeOf(borders.extents));
  const resultBytes = newData(dtypes.uint8, sizeOf(borders.dims));
  fillPadded(dtypes.uint8, borders, mode, constantByte, sourceBytes, resultBytes);
  result.set(packBytes(dtype, resultBytes));
}

/** Finds the last axis that has borders or is cut; 0 if there is none, and -1 of a scalar.
 * @type {(borders: Borders) => number} */
function lastChangedAxis({ extents, counts, dims }) {
  let axis = dims.length - 1;
  while (axis > 0 && dims[axis] === counts[axis] && extents[axis] === counts[axis]) axis--;
  return axis;
}

/** Copies the part that is kept, and fills the borders; in mode `constant` without a constant these are 0 already.
 * Elements are one word or string.
 * @type {Fill} */
function fillPadded(dtype, borders, mode, constant, source, result) {
  const { counts, dims } = borders;
  const lastAxis = lastChangedAxis(borders);
  const isScalar = lastAxis < 0;
  // The part that is kept lies in runs of contiguous elements: all that is behind the last axis that changes.
  const runLength = isScalar ? 0 : counts[lastAxis] * sizeOf(dims, lastAxis + 1);
  const runBytes = (runLength * dtype.bits) / 8;
  const viewWords = () => ({
    constant: constant && wordsIn(constant),
    source: wordsIn(source),
    result: wordsIn(result),
  });
  if (runBytes >= longRunBytes) {
    fillRuns(borders, mode, { lastAxis, runLength }, viewWords());
    return;
  }
  // Short runs are copied all at once: over the constant, with which all is filled before, or else before the borders.
  if (constant) fillRun(wordsIn(result), 0, sizeOf(dims), wordsIn(constant));
  copyKept(dtype, borders, source, result);
  const bordersAreLeft = mode !== 'constant' && !isScalar;
  const copiedBefore = 0;
  if (bordersAreLeft) fillRuns(borders, mode, { lastAxis, runLength: copiedBefore }, viewWords());
}

/** Copies the part that is kept to its place in the result, and leaves the borders.
 * @type {(dtype: DType, borders: Borders, source: unknown, result: unknown) => void} */
function copyKept(dtype, { extents, cuts, counts, before, dims }, source, result) {
  const sourceStrides = stridesOf(extents);
  const resultStrides = stridesOf(dims);
  let first = 0;
  let start = 0;
  for (let i = 0; i < dims.length; i++) {
    first += cuts[i] * sourceStrides[i];
    start += before[i] * resultStrides[i];
  }
  const view = { dims: counts, extents: counts, strides: sourceStrides, first };
  copyInto(dtype, view, source, result, resultStrides, start);
}

/** Fills the borders, and copies the runs that are kept: one of `runLength` words at each index of the axes before
 * `lastAxis`; of 0 words where they are copied already. In mode `constant` the words between one run and the next are
 * filled with it. In other modes each border is copied from the elements between the two, the innermost axis first.
 * @type {(borders: Borders, mode: Mode, runs: { lastAxis: number, runLength: number }, words: { constant: TensorData |
 *   undefined, source: TensorData, result: TensorData }) => void} */
function fillRuns(borders, mode, { lastAxis, runLength }, { constant, source, result }) {
  const { extents, cuts, counts, before, dims } = borders;
  const sourceStrides = stridesOf(extents);
  const resultStrides = stridesOf(dims);
  const borderCopies = mode === 'constant' ? [] : dims.map((_, axis) => copiesOf(borders, axis, mode, resultStrides));
  let filledEnd = 0; // the word behind the latest run
  /** Copies a run, and fills the words between the latest run and this one with the constant. */
  const placeRun = (/** @type {number} */ sourceBegin, /** @type {number} */ resultBegin) => {
    if (constant) fillRun(result, filledEnd, resultBegin, constant);
    result.set(source.subarray(sourceBegin, sourceBegin + runLength), resultBegin);
    filledEnd = resultBegin + runLength;
  };
  /** Fills `axis` at one index of the axes before it: first the axes inside it, then its borders. `sourceBegin` and
   * `resultBegin`: where that index begins in both.
   * @type {(axis: number, sourceBegin: number, resultBegin: number) => void} */
  const fillAxis = (axis, sourceBegin, resultBegin) => {
    const sourceKept = sourceBegin + cuts[axis] * sourceStrides[axis];
    const resultKept = resultBegin + before[axis] * resultStrides[axis];
    const hasAxesInside = axis < lastAxis;
    if (hasAxesInside) {
      for (let i = 0; i < counts[axis]; i++)
        fillAxis(axis + 1, sourceKept + i * sourceStrides[axis], resultKept + i * resultStrides[axis]);
    } else if (runLength > 0) placeRun(sourceKept, resultKept);
    if (mode === 'constant') return; // `placeRun` fills the borders
    for (const { to, from, length } of borderCopies[axis])
      copyRun(result, resultBegin + to, resultBegin + from, length);
  };
  fillAxis(0, 0, 0);
  if (constant) fillRun(result, filledEnd, sizeOf(dims), constant);
}

/** @typedef {{ to: number, from: number, length: number }} Copy from one place of a padded axis to another */

/** Lists the copies that fill both borders of an axis, in words, each from elements that are there already.
 * @type {(borders: Borders, axis: number, mode: Mode, strides: readonly number[]) => Copy[]} */
function copiesOf({ counts, before, dims }, axis, mode, strides) {
  const count = counts[axis];
  const inside = { low: before[axis], high: before[axis] + count };
  const extent = dims[axis];
  const stride = strides[axis];
  // Copies of indices of the axis, as copies of all words at these indices.
  const inWords = (/** @type {Copy} */ { to, from, length }) => ({
    to: to * stride,
    from: from * stride,
    length: length * stride,
  });
  const repeatsOneElement = mode === 'edge' || (mode === 'reflect' && count === 1);
  if (repeatsOneElement) {
    const period = 1;
    const firstElementEnd = inside.low + 1;
    const lastElement = inside.high - 1;
    return periodicCopies(inside, extent, period, { front: firstElementEnd, behind: lastElement }).map(inWords);
  }
  // Borders repeat whole periods of all elements that are kept.
  const ends = { front: inside.high, behind: inside.low };
  if (mode === 'wrap') return periodicCopies(inside, extent, count, ends).map(inWords);
  // A reflected axis repeats itself once it has gone there and back.
  const thereAndBack = 2 * (count - 1);
  const { copies, filled: mirrored } = mirrorCopies(inside, extent);
  return [...copies, ...periodicCopies(mirrored, extent, thereAndBack, ends)].map(inWords);
}

/** Lists the copies of mirror images of the indices `inside` to both sides of them, as far as the extent goes:
 * `...abc..` becomes `.cbabcba`. A copy is of one element, because their order is reversed. `filled`: the indices that
 * are filled then.
 * @type {(inside: Span, extent: number) => { copies: Copy[], filled: Span }} */
function mirrorCopies(inside, extent) {
  const first = inside.low;
  const last = inside.high - 1;
  const imageLength = last - first; // all elements but the one that is the mirror
  const filled = { low: Math.max(0, inside.low - imageLength), high: Math.min(extent, inside.high + imageLength) };
  /** @type {Copy[]} */
  const copies = [];
  for (let distance = 1; first - distance >= filled.low; distance++)
    copies.push({ to: first - distance, from: first + distance, length: 1 });
  for (let distance = 1; last + distance < filled.high; distance++)
    copies.push({ to: last + distance, from: last - distance, length: 1 });
  return { copies, filled };
}

/** Lists the copies that fill both borders of an axis with elements that repeat after `period` indices: `...abc..`
 * becomes `abcabcab` with a period of 3. Each copies all whole periods that are filled by then, so that copies grow.
 * The border in front repeats the filled indices before `ends.front`, the one behind those from `ends.behind` on.
 * @type {(filled: Span, extent: number, period: number, ends: { front: number, behind: number }) => Copy[]} */
function periodicCopies(filled, extent, period, ends) {
  const cutToPeriods = (/** @type {number} */ length) => length - (length % period);
  let { low, high } = filled;
  /** @type {Copy[]} */
  const copies = [];
  while (low > 0) {
    const distance = cutToPeriods(ends.front - low);
    const length = Math.min(distance, low);
    low -= length;
    copies.push({ to: low, from: low + distance, length });
  }
  while (high < extent) {
    const distance = cutToPeriods(high - ends.behind);
    const length = Math.min(distance, extent - high);
    copies.push({ to: high, from: high - distance, length });
    high += length;
  }
  return copies;
}

/** Views data as words, integers of 1, 2 or 4 bytes: floats would lose the payload of a NaN. Strings are words.
 * @type {(data: TensorData) => TensorData} */
const wordsIn = (data) =>
  Array.isArray(data) ? data : wordsOf(/** @type {1 | 2 | 4} */ (Math.min(4, data.BYTES_PER_ELEMENT)), data);

/** Fills the words `from` to before `to` with a constant of one or more words, of which a whole number fits: writes it
 * once, and doubles what is written.
 * @type {(words: TensorData, from: number, to: number, constant: TensorData) => void} */
function fillRun(words, from, to, constant) {
  if (from >= to) return undefined;
  const { length } = constant;
  if (length === 1) return words.fill(constant[0], from, to);
  for (let i = 0; i < length; i++) words[from + i] = constant[i];
  for (let written = length; written < to - from; written *= 2) {
    const missing = to - from - written;
    copyRun(words, from + written, from, Math.min(written, missing));
  }
  return undefined;
}

/** Copies words to a place that does not overlap theirs.
 * @type {(words: TensorData, to: number, from: number, length: number) => void} */
function copyRun(words, to, from, length) {
  if (length >= fewWords) words.copyWithin(to, from, from + length);
  else for (let i = 0; i < length; i++) words[to + i] = words[from + i];
}
