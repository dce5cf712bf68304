/** Copies between boxes of one tensor: the elements that both have. */
import { bytesBetween, bytesOf } from '../arguments/index.js';
import { checkMemory } from '../engines/memory/index.js';
import { advance, stridesOf } from '../engines/tensors/index.js';
import { sizeOf } from '../tensor/index.js';
import { denseBox } from './boxes.js';
import { movePart } from './place.js';

/** @import { DType } from '../tensor/index.js' */
/** @import { TensorData } from '../tensor/types.js' */
/** @import { Part } from './place.js' */
/** @import { Box } from './types.js' */

/** A box of a tensor, and memory that holds its elements in row-major order.
 * @typedef {{ box: Box, data: TensorData }} BoxInMemory */

/** Where runs begin in one memory: the first one, and from one to the next along each axis. In bytes.
 * @typedef {{ start: number, strides: readonly number[] }} RunStarts */

/** Runs of `length` bytes that are copied, `counts` of them along each outer axis.
 * @typedef {{ length: number, counts: readonly number[], from: RunStarts, to: RunStarts }} ByteRuns */

/** Up to so many bytes are copied one by one: 3 times as fast for 16 as by set(), but 1.4 times as slow for 24. */
const maxShortRun = 20;

/** Copies the elements that two boxes of one tensor share from the memory of one to that of the other, and gives how
 * many they are. The boxes have steps of 1, and must share at least one element.
 * @type {(dtype: DType, from: BoxInMemory, to: BoxInMemory) => number} */
export function copyOverlap(dtype, from, to) {
  const shared = overlapOf(from.box, to.box);
  const extents = shared.counts;
  const source = partFrom(from, shared.first);
  const target = partFrom(to, shared.first);
  const runs = byteRunsOf(extents, source, target, dtype.bits);
  if (runs) copyRuns(runs, bytesOf(from.data), bytesOf(to.data));
  else movePart(dtype, extents, source, target);
  return sizeOf(extents);
}

/** Finds the box that two boxes with steps of 1 share.
 * @type {(a: Box, b: Box) => Box} */
function overlapOf(a, b) {
  const first = a.first.map((index, axis) => Math.max(index, b.first[axis]));
  const counts = first.map((index, axis) => {
    const end = Math.min(a.first[axis] + a.counts[axis], b.first[axis] + b.counts[axis]);
    return end - index;
  });
  return denseBox(first, counts);
}

/** Finds where the element `index` of a tensor lies in the memory of a box of that tensor.
 * @type {(boxInMemory: BoxInMemory, index: readonly number[]) => Part} */
function partFrom({ box, data }, index) {
  const strides = stridesOf(box.counts);
  const start = index.reduce((sum, position, axis) => sum + (position - box.first[axis]) * strides[axis], 0);
  return { data, start, strides };
}

/** Describes the elements of two parts of these extents as runs that are contiguous in both, as long as possible;
 * undefined where a run of packed elements begins or ends within a byte.
 * @type {(extents: readonly number[], from: Part, to: Part, bits: number) => ByteRuns | undefined} */
function byteRunsOf(extents, from, to, bits) {
  let outerRank = extents.length - 1;
  let runLength = extents[outerRank];
  // An axis makes the run longer if its neighbors are a run apart in both parts.
  while (outerRank > 0 && from.strides[outerRank - 1] === runLength && to.strides[outerRank - 1] === runLength) {
    outerRank--;
    runLength *= extents[outerRank];
  }
  const inBytes = (/** @type {number} */ elements) => (elements * bits) / 8;
  const startsIn = (/** @type {Part} */ { start, strides }) => ({
    start: inBytes(start),
    strides: strides.slice(0, outerRank).map(inBytes),
  });
  const runs = {
    length: inBytes(runLength),
    counts: extents.slice(0, outerRank),
    from: startsIn(from),
    to: startsIn(to),
  };
  const places = [runs.length, runs.from.start, runs.to.start, ...runs.from.strides, ...runs.to.strides];
  return places.every(Number.isInteger) ? runs : undefined;
}

/** Copies runs of whole bytes. In JavaScript, because the engine would keep a plan for each place, with views of all
 * its runs: 200 MB for a matrix of 1 GB.
 * @type {(runs: ByteRuns, source: Uint8Array, target: Uint8Array) => void} */
function copyRuns({ length, counts, from, to }, source, target) {
  const endOf = (/** @type {RunStarts} */ { start, strides }) =>
    counts.reduce((sum, count, axis) => sum + (count - 1) * strides[axis], start + length);
  checkMemory('read', source, endOf(from));
  checkMemory('written', target, endOf(to));
  const index = counts.map(() => 0);
  do {
    let read = from.start;
    let write = to.start;
    for (let axis = 0; axis < index.length; axis++) {
      read += index[axis] * from.strides[axis];
      write += index[axis] * to.strides[axis];
    }
    if (length > maxShortRun) target.set(bytesBetween(source, read, read + length), write);
    else for (let i = 0; i < length; i++) target[write + i] = source[read + i];
  } while (advance(index, counts));
}
