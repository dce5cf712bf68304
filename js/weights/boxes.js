/** Boxes, which are parts of tensors: their elements, how these lie in a file, how tensors are cut into boxes. */
import { greatestCommonDivisor } from '../arguments/index.js';
import { advance, stridesOf } from '../engines/tensors/index.js';
import { sizeOf } from '../tensor/index.js';

/** @import { Axis, Box } from './types.js' */

/** Makes the box of all elements from the index `first` on, `counts` of each axis.
 * @type {(first: readonly number[], counts: readonly number[]) => Box} */
export const denseBox = (first, counts) => ({ first, counts, steps: counts.map(() => 1) });

/** @type {(dims: readonly number[]) => Box} */
export const wholeBox = (dims) => ({ first: dims.map(() => 0), counts: dims, steps: dims.map(() => 1) });

/** Runs of `runLength` contiguous elements: the first begins at `start`, and they repeat along `axes`, the outermost
 * first. All in elements.
 * @typedef {{ start: number, runLength: number, axes: Axis[] }} Runs */

/** Describes how the elements of a box, not empty, lie in a dense tensor of `dims`: in the longest runs.
 * @type {(dims: readonly number[], box: Box) => Runs} */
export function runsOf(dims, { first, counts, steps }) {
  const strides = stridesOf(dims);
  let outerRank = dims.length;
  let runLength = 1;
  // The neighbors of an axis follow one another, as one run, while all axes inside it are taken whole.
  while (outerRank > 0 && strides[outerRank - 1] === runLength && steps[outerRank - 1] === 1) {
    outerRank--;
    runLength *= counts[outerRank];
  }
  const axes = [];
  for (let axis = 0; axis < outerRank; axis++)
    if (counts[axis] > 1) axes.push({ count: counts[axis], stride: steps[axis] * strides[axis] });
  const start = first.reduce((sum, index, axis) => sum + index * strides[axis], 0);
  return { start, runLength, axes };
}

/** Yields where each run begins, in elements, for the `start` and `axes` that {@link runsOf} gives.
 * @type {(start: number, axes: readonly Axis[]) => Generator<number>} */
export function* runStarts(start, axes) {
  const counts = axes.map(({ count }) => count);
  const index = counts.map(() => 0);
  do yield index.reduce((sum, place, axis) => sum + place * axes[axis].stride, start);
  while (advance(index, counts));
}

/** Cuts the rows `from` up to `to` into boxes of at most `maxBytes`, in row-major order: whole rows of axis 0, or parts
 * of one row, where a row is longer. `bits` are those of an element in its widest form; strings, whose `bits` are 0,
 * come in one box. Boxes of packed elements may be four times as long, so as to end at whole bytes.
 * @type {(dims: readonly number[], bits: number, maxBytes: number, from?: number, to?: number) => Generator<Box>} */
export function* cutRows(dims, bits, maxBytes, from = 0, to = dims[0] ?? 1) {
  if (dims.length === 0) {
    yield denseBox([], []);
    return;
  }
  const extents = [to - from, ...dims.slice(1)];
  if (sizeOf(extents) === 0) return;
  const axis = outermostFitting(extents, bits, maxBytes);
  const inner = extents.slice(axis + 1);
  const step = indicesPerBox(sizeOf(inner), bits, maxBytes);
  const outer = extents.slice(0, axis);
  const outerIndex = outer.map(() => 0);
  do {
    for (let start = 0; start < extents[axis]; start += step) {
      const count = Math.min(step, extents[axis] - start);
      const first = [...outerIndex, start, ...inner.map(() => 0)];
      const counts = [...outer.map(() => 1), count, ...inner];
      // Axis 0 of `extents` begins at row `from`.
      first[0] += from;
      yield denseBox(first, counts);
    }
  } while (advance(outerIndex, outer));
}

/** Finds the outermost axis of which one index fits into a box; the last axis if there is none.
 * @type {(extents: readonly number[], bits: number, maxBytes: number) => number} */
function outermostFitting(extents, bits, maxBytes) {
  const last = extents.length - 1;
  let axis = 0;
  while (axis < last && (sizeOf(extents, axis + 1) * bits) / 8 > maxBytes) axis++;
  return axis;
}

/** Counts the indices of an axis that a box takes, each with `elementsPerIndex` elements: as many as fit, in units of
 * the fewest that fill whole bytes, and one unit at least. So only the last box of an axis can end within a byte.
 * @type {(elementsPerIndex: number, bits: number, maxBytes: number) => number} */
function indicesPerBox(elementsPerIndex, bits, maxBytes) {
  const multiple = elementsInWholeBytes(bits);
  const indicesPerUnit = multiple / greatestCommonDivisor(elementsPerIndex, multiple);
  const unitBits = indicesPerUnit * elementsPerIndex * bits;
  const maxUnits = Math.floor((8 * maxBytes) / unitBits);
  return indicesPerUnit * Math.max(1, maxUnits);
}

/** Counts the fewest elements that fill whole bytes: 1, or of packed types 2 or 4.
 * @type {(bits: number) => number} */
export const elementsInWholeBytes = (bits) => 8 / greatestCommonDivisor(bits, 8);

/** Cuts a tensor into boxes of at most `maxBytes` that are about square in two axes, so that reading and writing have
 * long runs: `contiguousAxis`, whose neighbors lie side by side in the file that is read, and the last axis, another
 * one, whose neighbors do so in the file that is written. `bits`, of an element in its widest form, is a multiple of 8.
 * @type {(dims: readonly number[], bits: number, maxBytes: number, contiguousAxis: number) => Generator<Box>} */
export function* cutTiles(dims, bits, maxBytes, contiguousAxis) {
  if (sizeOf(dims) === 0) return;
  const last = dims.length - 1;
  const counts = dims.map(() => 1);
  const maxElements = Math.max(1, Math.floor((8 * maxBytes) / bits));
  const squareSide = Math.floor(Math.sqrt(maxElements));
  // If the last axis is shorter than a square, the contiguous one gets more; then the last one gets what is left.
  const besideLast = Math.floor(maxElements / dims[last]);
  counts[contiguousAxis] = Math.min(dims[contiguousAxis], Math.max(squareSide, besideLast));
  counts[last] = Math.min(dims[last], Math.floor(maxElements / counts[contiguousAxis]));
  // How many times as large the box may become. The inner axes come first, so that runs in the result become longer.
  let growth = Math.floor(maxElements / (counts[contiguousAxis] * counts[last]));
  for (let axis = last - 1; axis >= 0; axis--) {
    if (axis === contiguousAxis) continue;
    counts[axis] = Math.min(dims[axis], growth);
    growth = Math.floor(growth / counts[axis]);
  }
  const first = dims.map(() => 0);
  do {
    const clipped = counts.map((count, axis) => Math.min(count, dims[axis] - first[axis]));
    yield denseBox([...first], clipped);
  } while (advance(first, dims, counts));
}
