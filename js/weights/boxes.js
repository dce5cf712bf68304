/** Boxes, which are parts of tensors: their elements, how these lie in a file, how tensors are cut into boxes. */
import { advance, stridesOf } from '../engines/tensors/index.js';
import { sizeOf } from '../tensor/index.js';

/** @import { Axis, Box } from './types.js' */

/** @type {(first: readonly number[], counts: readonly number[]) => Box} */
export const denseBox = (first, counts) => ({ first, counts, steps: counts.map(() => 1) });

/** @type {(dims: readonly number[]) => Box} */
export const wholeBox = (dims) => ({ first: dims.map(() => 0), counts: dims, steps: dims.map(() => 1) });

/** Describes how the elements of a box, not empty, lie in a dense tensor of `dims`: in runs of `run` contiguous ones,
 * of which the first begins at `start`, and which repeat along `axes`, the outermost first. All in elements.
 * @type {(dims: readonly number[], box: Box) => { start: number, run: number, axes: Axis[] }} */
export function runsOf(dims, { first, counts, steps }) {
  const strides = stridesOf(dims);
  let axis = dims.length - 1;
  let run = 1;
  // From the innermost axis outward: an axis makes the run longer if its stride is the run, which is so while all axes
  // inside it are taken whole. The axes 0 to `axis` that are left repeat the run.
  for (; axis >= 0 && strides[axis] === run && steps[axis] === 1; axis--) run *= counts[axis];
  // An axis of one index repeats nothing.
  const axes = [];
  for (let i = 0; i <= axis; i++) if (counts[i] > 1) axes.push({ count: counts[i], stride: steps[i] * strides[i] });
  const start = first.reduce((sum, index, i) => sum + index * strides[i], 0);
  return { start, run, axes };
}

/** Yields where each run begins, in elements, for the `start` and `axes` that {@link runsOf} gives.
 * @type {(start: number, axes: readonly Axis[]) => Generator<number>} */
export function* runStarts(start, axes) {
  const counts = axes.map(({ count }) => count);
  const at = counts.map(() => 0);
  do yield at.reduce((sum, index, i) => sum + index * axes[i].stride, start);
  while (advance(at, counts));
}

/** Cuts the rows `from` up to `to` into boxes of at most `maxBytes`, in row-major order: whole rows of axis 0, or parts
 * of one row, where a row is longer. `bits` are those of an element in its widest form; strings, whose `bits` are 0,
 * come in one box. Packed elements may take up to four times `maxBytes`, because a box has at least `unit` indices.
 * Yields nothing where there are no elements.
 * @type {(dims: readonly number[], bits: number, maxBytes: number, from?: number, to?: number) => Generator<Box>} */
export function* cutRows(dims, bits, maxBytes, from = 0, to = dims[0] ?? 1) {
  // A scalar counts as one row of one element.
  const all = dims.length === 0 ? [1] : [to - from, ...dims.slice(1)];
  if (sizeOf(all) === 0) return;
  // Find the outermost axis of which one index, `inner` elements, fits into a box.
  let axis = 0;
  let inner = sizeOf(all, 1);
  while (axis < all.length - 1 && (inner * bits) / 8 > maxBytes) inner = sizeOf(all, ++axis + 1);
  // The fewest indices whose elements fill whole bytes. A box takes a multiple of them, so that only the last one of an
  // axis can end within a byte.
  const unit = wholeBytes(bits) / divisor(inner, wholeBytes(bits));
  const per = Math.max(unit, Math.floor((8 * maxBytes) / (inner * bits * unit)) * unit);
  // Cut that axis at every index of the axes outside it.
  const outer = all.slice(0, axis);
  const at = outer.map(() => 0);
  do {
    for (let start = 0; start < all[axis]; start += per) {
      const count = Math.min(per, all[axis] - start);
      const first = [...at, start, ...all.slice(axis + 1).fill(0)];
      // Indices of axis 0 counted from the first row until here.
      first[0] += from;
      const counts = [...at.map(() => 1), count, ...all.slice(axis + 1)];
      yield dims.length === 0 ? denseBox([], []) : denseBox(first, counts);
    }
  } while (advance(at, outer));
}

/** @type {(bits: number) => number} how many elements fill whole bytes: 1, or of packed types 2 or 4 */
export const wholeBytes = (bits) => 8 / divisor(bits, 8);

/** Computes the greatest common divisor.
 * @type {(a: number, b: number) => number} */
const divisor = (a, b) => (b === 0 ? a : divisor(b, a % b));

/** Cuts a tensor into boxes of at most `maxBytes` that are about square in the axis `along` and the last one, so that
 * reading along one and writing along the other has long runs on both sides. `along` is not the last axis. `bits` is a
 * multiple of 8, so that each box is whole bytes. Yields nothing where there are no elements.
 * @type {(dims: readonly number[], bits: number, maxBytes: number, along: number) => Generator<Box>} */
export function* cutTiles(dims, bits, maxBytes, along) {
  if (sizeOf(dims) === 0) return;
  const last = dims.length - 1;
  const counts = dims.map(() => 1);
  // Count in `left` how many elements, and then how many indices of other axes, still fit into a box.
  let left = Math.max(1, Math.floor((8 * maxBytes) / bits));
  // The side of a square of so many elements.
  const edge = Math.floor(Math.sqrt(left));
  // Either axis gets what a short other one leaves.
  counts[along] = Math.min(dims[along], Math.max(edge, Math.floor(left / dims[last])));
  counts[last] = Math.min(dims[last], Math.floor(left / counts[along]));
  left = Math.floor(left / (counts[along] * counts[last]));
  // The remaining elements go to the inner axes first, so that runs in the result become longer.
  for (let axis = last - 1; axis >= 0; axis--) {
    if (axis === along) continue;
    counts[axis] = Math.min(dims[axis], left);
    left = Math.floor(left / counts[axis]);
  }
  const at = dims.map(() => 0);
  do {
    // The last box of an axis may be smaller.
    const clipped = counts.map((count, i) => Math.min(count, dims[i] - at[i]));
    yield denseBox([...at], clipped);
    // Each axis moves on by its `counts`.
  } while (advance(at, dims, counts));
}
