/** Parts of tensors: which elements they hold, how these lie in a file, how a tensor is cut into them. Arithmetic. */
import { advance, stridesOf } from '../engines/tensors/index.js';
import { sizeOf } from '../tensor/index.js';

/** @import { Axis, Box } from './types.js' */

/** @type {(first: readonly number[], counts: readonly number[]) => Box} */
export const denseBox = (first, counts) => ({ first, counts, steps: counts.map(() => 1) });

/** @type {(dims: readonly number[]) => Box} */
export const wholeBox = (dims) => ({ first: dims.map(() => 0), counts: dims, steps: dims.map(() => 1) });

/** Describes a box, not empty, as runs of neighbors, repeated along axes, the outermost first; in elements.
 * @type {(dims: readonly number[], box: Box) => { start: number, run: number, axes: Axis[] }} */
export function runsOf(dims, { first, counts, steps }) {
  const strides = stridesOf(dims);
  let axis = dims.length - 1;
  let run = 1;
  // An axis goes on where the one inside it ends, if that is taken whole.
  for (; axis >= 0 && strides[axis] === run && steps[axis] === 1; axis--) run *= counts[axis];
  const axes = [];
  for (let i = 0; i <= axis; i++) if (counts[i] > 1) axes.push({ count: counts[i], stride: steps[i] * strides[i] });
  const start = first.reduce((sum, index, i) => sum + index * strides[i], 0);
  return { start, run, axes };
}

/** Yields the first element of each run, in turn.
 * @type {(start: number, axes: readonly Axis[]) => Generator<number>} */
export function* runStarts(start, axes) {
  const counts = axes.map(({ count }) => count);
  const at = counts.map(() => 0);
  do yield at.reduce((sum, index, i) => sum + index * axes[i].stride, start);
  while (advance(at, counts));
}

/** Cuts the rows `from` up to `to` into boxes of at most `maxBytes`, in row-major order: whole rows of axis 0, or parts
 * of one row. Packed elements may take up to four times `maxBytes`.
 * @type {(dims: readonly number[], bits: number, maxBytes: number, from?: number, to?: number) => Generator<Box>} */
export function* cutRows(dims, bits, maxBytes, from = 0, to = dims[0] ?? 1) {
  const all = dims.length === 0 ? [1] : [to - from, ...dims.slice(1)];
  if (sizeOf(all) === 0) return;
  // Find the outermost axis of which one index fits into a box.
  let axis = 0;
  let inner = sizeOf(all, 1);
  while (axis < all.length - 1 && (inner * bits) / 8 > maxBytes) inner = sizeOf(all, ++axis + 1);
  // So many elements fill whole bytes, and so does a box of as many rows, where rows can.
  const unit = wholeBytes(bits) / divisor(inner, wholeBytes(bits));
  const per = Math.max(unit, Math.floor((8 * maxBytes) / (inner * bits * unit)) * unit);
  const outer = all.slice(0, axis);
  const at = outer.map(() => 0);
  do {
    for (let start = 0; start < all[axis]; start += per) {
      const count = Math.min(per, all[axis] - start);
      const first = [...at, start, ...all.slice(axis + 1).fill(0)];
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
 * reading along one and writing along the other has long runs on both sides. `bits` is a multiple of 8.
 * @type {(dims: readonly number[], bits: number, maxBytes: number, along: number) => Generator<Box>} */
export function* cutTiles(dims, bits, maxBytes, along) {
  if (sizeOf(dims) === 0) return;
  const last = dims.length - 1;
  const counts = dims.map(() => 1);
  let left = Math.max(1, Math.floor((8 * maxBytes) / bits));
  const edge = Math.floor(Math.sqrt(left));
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
    const clipped = counts.map((count, i) => Math.min(count, dims[i] - at[i]));
    yield denseBox([...at], clipped);
  } while (advance(at, dims, counts));
}
