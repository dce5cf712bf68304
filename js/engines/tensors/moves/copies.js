/** Boxes that repeat elements: these are moved once, and then copied within the destination. A bundle without Expand
 * and Tile goes without this file. */
import { bytesOf } from '../../../arguments/index.js';
import { advance } from './pieces.js';
import { wordsOf } from './words.js';

/** @import { Copies, Describe, MovableBox } from '../types.js' */
/** @import { TensorData } from '../../../tensor/types.js' */

/** Describes one box by a list of numbers: its first element in the source and in the destination, then its strides in
 * the source, then those in the destination, all in elements. An axis may repeat elements.
 * @type {Describe} */
export function strided(extents, [first, start, ...strides]) {
  const rank = extents.length;
  return [{ extents, from: strides.slice(0, rank), to: strides.slice(rank), first, start, copies: planCopies }];
}

/** Plans a box whose outermost axis in the destination repeats all that is inside it (its stride in the source is 0):
 * the inside moves once, and is copied from there. Otherwise plans repeated runs; undefined where neither suits. Tiling
 * [256, 256] by 8 x 8 is 2.8 times, expanding [512, 1] to [64, 512, 512] 2.7 times faster by it (measured).
 * @type {Copies} */
export function planCopies(elementBits, box, planBox) {
  const runs = planRuns(elementBits, box);
  // Runs of one element are filled, which reads nothing: no other way is faster.
  if (runs?.run === 1) return runs;
  const { extents, start = 0, destination = 0 } = box;
  // The axis of the longest stride in the destination, and how many elements the box has.
  let outermost = -1;
  let size = 1;
  for (let i = 0; i < extents.length; i++) {
    if (extents[i] === 1) continue;
    size *= extents[i];
    if (outermost < 0 || box.to[i] > box.to[outermost]) outermost = i;
  }
  if (outermost < 0 || box.from[outermost] !== 0) return runs;
  const count = extents[outermost];
  const insideElements = box.to[outermost];
  const insideBits = insideElements * elementBits;
  const areBytesWhole = insideBits % 8 === 0 && (start * elementBits) % 8 === 0;
  // Otherwise bytes between two copies of the inside, which the box does not write, would be copied, too.
  const isDense = size === count * insideElements;
  if (!areBytesWhole || !isDense) return runs;
  // The inside begins at `start`, which has to be its lowest element.
  const runsBackwards = box.to.some((stride, i) => extents[i] > 1 && stride < 0);
  if (runsBackwards) return runs;
  const inside = planBox(elementBits, { ...box, extents: extents.with(outermost, 1) });
  const [at, bytes] = [(start * elementBits) / 8, insideBits / 8];
  return inside && { move: moveCopies, inside, destination, at, bytes, count };
}

/** Bytes of one copy: they stay in a second-level cache. */
const copyBytes = 256 * 2 ** 10;

/** Moves the inside of a box, whose `bytes` bytes begin at byte `at` of the destination, then copies them so that they
 * lie there `count` times, one behind the other.
 * @type {(box: { inside: MovableBox, destination: number, at: number, bytes: number, count: number },
 *   sources: TensorData[], destinations: TensorData[]) => void} */
function moveCopies({ inside, destination, at, bytes, count }, sources, destinations) {
  inside.move(inside, sources, destinations);
  const output = bytesOf(destinations[destination]);
  const end = at + bytes * count;
  const wholeCopiesBytes = copyBytes - (copyBytes % bytes);
  const maxBytes = Math.max(bytes, wholeCopiesBytes);
  let writtenEnd = at + bytes;
  while (writtenEnd < end) {
    // A copy takes all that is there already, so that it doubles, up to `maxBytes`.
    const partBytes = Math.min(writtenEnd - at, maxBytes, end - writtenEnd);
    output.copyWithin(writtenEnd, at, at + partBytes);
    writtenEnd += partBytes;
  }
}

/** From this length on, runs of one element are filled, which reads nothing: expanding float32 [512, 1] to [64, 512,
 * 512] is 1.1 times faster than by copies, float16 [16384, 1] to [16384, 2048] 6 times faster than by the kernel. Not a
 * single run: 1,000,000 copies of one float32 take 1.5 times as long (measured). */
const fillBytes = 1024;
/** Runs of at least `minRun` and less than `longRun` bytes are copied from the source once, and then within the
 * destination: tiling float32 [64, 256] by 8 is 3 times faster than by the kernel, uint8 [1000, 128] by 20 5 to 10
 * times. Longer runs gain nothing, nor do runs that make less than `longRun` (measured). */
const minRun = 512;
const longRun = 2048;

/** Plans a box whose inner axes repeat runs: the innermost axes are `run` elements that follow one another on both
 * sides, and the axes around them repeat these, so that they make `all` elements of the destination. Undefined where
 * another way is faster.
 * @type {(elementBits: number, box: Parameters<Copies>[1]) => MovableBox | undefined} */
function planRuns(elementBits, { extents, from, to, first = 0, start = 0, source = 0, destination = 0 }) {
  // Elements that are words of a typed array.
  if (![8, 16, 32].includes(elementBits)) return undefined;
  const bytes = elementBits / 8;
  /** Whether an axis has these strides on both sides; those of a single element do not matter.
   * @type {(axis: number, fromStride: number, toStride: number) => boolean} */
  const hasStrides = (axis, fromStride, toStride) =>
    extents[axis] === 1 || (from[axis] === fromStride && to[axis] === toStride);
  // From the innermost axis outward: axes that continue a run on both sides, then axes that repeat it.
  let axis = extents.length - 1;
  let run = 1;
  for (; axis >= 0 && hasStrides(axis, run, run); axis--) run *= extents[axis];
  let all = run;
  for (; axis >= 0 && hasStrides(axis, 0, all); axis--) all *= extents[axis];
  const outerCount = axis + 1;
  const [runBytes, allBytes] = [run * bytes, all * bytes];
  const isWorthCopies = runBytes >= minRun && runBytes < longRun && allBytes >= longRun;
  const isWorthFilling = run === 1 && allBytes >= fillBytes;
  if (outerCount === 0 || !(isWorthCopies || isWorthFilling)) return undefined;
  const outer = {
    extents: extents.slice(0, outerCount),
    from: from.slice(0, outerCount),
    to: to.slice(0, outerCount),
  };
  return { move: moveRepeats, bytes, outer, run, all, first, start, source, destination };
}

/**
 * @typedef {object} Runs
 * @property {1 | 2 | 4} bytes of an element
 * @property {{ extents: number[], from: number[], to: number[] }} outer the axes around runs and their copies: extents,
 *   and strides in the source and in the destination
 * @property {number} run elements of a run
 * @property {number} all elements of a run and its copies
 * @property {number} first the first element in the source
 * @property {number} start the first element in the destination
 * @property {number} source the index of the source
 * @property {number} destination the index of the destination
 */

/** Copies each run from the source to the destination once, and repeats it there; runs of one element are filled.
 * @type {(box: Runs, sources: readonly ArrayBufferView[], destinations: readonly ArrayBufferView[]) => void} */
function moveRepeats({ bytes, outer: { extents, from, to }, run, all, ...box }, sources, destinations) {
  const input = wordsOf(bytes, sources[box.source]);
  const words = wordsOf(bytes, destinations[box.destination]);
  // V8 takes 1.13 times as long to fill an Int32Array (measured).
  const output = bytes === 4 ? new Uint32Array(words.buffer, words.byteOffset, words.length) : words;
  // The last axis has a loop of its own: float32 [256, 256] tiled by 8 x 8 is 1.4 times faster by it, [512, 1] expanded
  // to [64, 512, 512] 1.05 times (measured).
  const last = extents.length - 1;
  const outerExtents = extents.slice(0, last);
  const index = outerExtents.map(() => 0);
  do {
    let [runStart, copiesStart] = [box.first, box.start];
    for (let i = 0; i < last; i++) {
      runStart += index[i] * from[i];
      copiesStart += index[i] * to[i];
    }
    for (let i = 0; i < extents[last]; i++) {
      if (run === 1) output.fill(input[runStart], copiesStart, copiesStart + all);
      else {
        // One copy from the source, then each copy doubles the elements that are there.
        output.set(input.subarray(runStart, runStart + run), copiesStart);
        for (let done = run; done < all; done *= 2) {
          const part = Math.min(done, all - done);
          output.copyWithin(copiesStart + done, copiesStart, copiesStart + part);
        }
      }
      runStart += from[last];
      copiesStart += to[last];
    }
  } while (advance(index, outerExtents));
}
