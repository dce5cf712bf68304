/** Plans: all that follows from a list of boxes, worked out once and run often. A box is a strided copy: axes with an
 * extent and a stride on both sides, and a first element on both sides. The engine knows nothing of operators. */
import { isSame } from '../../../arguments/index.js';
import { checkMemory } from '../../memory/index.js';
import { besideBytes, canonicalAxes, destinationByte, scratchViews, stage, unstage } from '../module.js';
import { repeatPlaces } from './layouts.js';
import { moveRuns, moveWhole } from './move.js';
import { cutBox, memoryBits } from './pieces.js';
import { moveSlabs } from './slabs.js';

/** @import { Axis, Box, Describe, MovableBox, Plan, PlannedBox, Spans } from '../types.js' */
/** @import { TensorData } from '../../../tensor/types.js' */

/** A stride that steps to the same element of the next memory. At most {@link mostMemories} follow one another. */
export const nextMemory = Infinity;
/** Most memories that one axis can step through: addresses stay exact. */
export const mostMemories = 4096;
/** Plans of the latest calls. Without them, float32 [16, 16] takes 3.1 us instead of 0.7, and tensors of 0.5 to 6 MB
 * take 1.2 to 1.5 times as long (measured).
 * @type {Plan[]} */
const plans = [];
const maxPlans = 32;
/** Places in `plans`: where the next new plan goes, and of the plan that was used last. */
let nextPlace = 0;
let latestPlace = 0;

/** Returns the plan of the boxes that `describe(a, b)` lists, for elements of `bits` bits: the plan of an earlier call
 * if it is kept still, or a new one, which takes the place of the oldest in `plans`. `a`, `b`: two lists of numbers
 * from which the boxes follow, such as dims and strides.
 * @type {(describe: Describe, bits: number, a: readonly number[], b: readonly number[]) => Plan} */
export function planFor(describe, bits, a, b) {
  const earlierPlan = findPlan(describe, bits, a, b);
  if (earlierPlan !== undefined) return earlierPlan;
  const described = describe(a, b);
  const boxes = described.flatMap((box) => planBox(bits, box) ?? []);
  const isStaged = boxes.every((box) => box.move === moveWords || box.move === moveWhole);
  const plan = { describe, bits, a: [...a], b: [...b], boxes, isStaged, ...lengthsOf(bits, described) };
  plans[nextPlace] = plan;
  latestPlace = nextPlace;
  nextPlace = (nextPlace + 1) % maxPlans;
  return plan;
}

/** Finds the kept plan of an equal call: one with the same function `describe`, width of elements and lists of numbers.
 * @type {(describe: Describe, bits: number, a: readonly number[], b: readonly number[]) => Plan | undefined} */
function findPlan(describe, bits, a, b) {
  // From the latest one on, because calls often repeat.
  for (let i = 0; i < plans.length; i++) {
    let place = latestPlace + i;
    if (place >= plans.length) place -= plans.length;
    const plan = plans[place];
    if (plan.bits === bits && plan.describe === describe && isSame(plan.a, a) && isSame(plan.b, b)) {
      latestPlace = place;
      return plan;
    }
  }
  return undefined;
}

/** Computes how many bytes each source must hold so that the boxes can be read, and each destination so that they can
 * be written; 0 for a memory that no box takes. `bits`: of an element.
 * @type {(bits: number, boxes: readonly Box[]) => { reads: number[], writes: number[] }} */
export function lengthsOf(bits, boxes) {
  /** @type {number[]} */
  const reads = [];
  /** @type {number[]} */
  const writes = [];
  for (const { extents, from, to, first = 0, start = 0, source = 0, destination = 0 } of boxes) {
    let sizeBits = bits;
    let [sourceCount, destinationCount] = [1, 1];
    // The highest element on each side; a negative stride leads to lower ones.
    let [lastRead, lastWritten] = [first, start];
    for (let i = 0; i < extents.length; i++) {
      const extent = extents[i];
      sizeBits *= extent;
      if (from[i] === nextMemory) sourceCount = extent;
      else if (from[i] > 0) lastRead += (extent - 1) * from[i];
      if (to[i] === nextMemory) destinationCount = extent;
      else if (to[i] > 0) lastWritten += (extent - 1) * to[i];
    }
    // NaN is empty, too: a zero extent beside a product that overflows.
    if (!(sizeBits > 0)) continue;
    raiseLengths(reads, source, sourceCount, Math.ceil(((lastRead + 1) * bits) / 8));
    raiseLengths(writes, destination, destinationCount, Math.ceil(((lastWritten + 1) * bits) / 8));
  }
  return { reads, writes };
}

/** Raises `count` entries of a list, from index `first` on, to at least `least`, in place. A list that is too short
 * gets zeros first.
 * @type {(lengths: number[], first: number, count: number, least: number) => void} */
function raiseLengths(lengths, first, count, least) {
  while (lengths.length < first + count) lengths.push(0);
  for (let k = first; k < first + count; k++) if (lengths[k] < least) lengths[k] = least;
}

/** Moves a plan's boxes from the sources to the destinations. No destination shares memory with a source. Bits around
 * the elements keep their values.
 * @type {(plan: Plan, sources: unknown[], destinations: unknown[]) => void} */
export function move(plan, sources, destinations) {
  const { boxes } = plan;
  // `stage` and `unstage`, which move small boxes, compare the lengths themselves.
  if (!plan.isStaged) checkLengths(plan, sources, destinations);
  for (let i = 0; i < boxes.length; i++) boxes[i].move(boxes[i], sources, destinations);
}

/** Refuses sources and destinations that are shorter than the plan's boxes reach.
 * @type {(plan: Plan, sources: TensorData[], destinations: TensorData[]) => void} */
function checkLengths({ reads, writes }, sources, destinations) {
  for (let k = 0; k < reads.length; k++) checkMemory('read', sources[k], reads[k]);
  for (let k = 0; k < writes.length; k++) checkMemory('written', destinations[k], writes[k]);
}

/** Computes the strides of a dense tensor in row-major order, in elements.
 * @type {(dims: readonly number[]) => number[]} */
export function stridesOf(dims) {
  /** @type {number[]} */
  const strides = new Array(dims.length);
  let stride = 1;
  for (let axis = dims.length - 1; axis >= 0; axis--) {
    strides[axis] = stride;
    stride *= dims[axis];
  }
  return strides;
}

/** Zeroes the bits after a packed tensor's last element, in place. `bits`: of an element; `size`: how many there are.
 * @type {(bits: number, size: number, data: Uint8Array) => void} */
export function clearTail(bits, size, data) {
  const usedBits = (size * bits) % 8; // of the last byte; 0: all
  const usedMask = (1 << usedBits) - 1;
  if (bits < 8 && usedBits !== 0) data[data.length - 1] &= usedMask;
}

/** Up to this many words of 4 bytes (or narrower elements), a loop in JavaScript beats the call into wasm, which takes
 * 0.6 us in a program that has made others: uint8 and float32 [12, 12] .62 -> .50 us. */
const maxWords = 192;

/** Memory of `orderOf`: where each word of a small box lies on both sides. Kept, because to make it takes 2 of the 6 us
 * of a plan (measured). */
const readWords = new Int32Array(maxWords);
const writtenWords = new Int32Array(maxWords);

/** Plans a small box as words of the scratch area, where its source is staged: word i of the result is a copy of word
 * order[i]. Undefined for packed elements, and where the box has more than `maxWords`. The result is written from word
 * `begin` on, which is byte `place`. Where its words follow one another in the source, too, they are the result where
 * they are staged: `begin` is the first of them, and nothing is copied (float32 [3, 4] joined to another takes 0.9 of
 * the time). `from`: the staged address of the element at index 0, in bits.
 * @type {(elementBits: number, sizeBits: number, axes: readonly Axis[], from: number) =>
 *   { order: Int32Array, words: Uint32Array, begin: number, place: number } | undefined} */
function orderOf(elementBits, sizeBits, axes, from) {
  // Whole numbers, because a float that passes through JavaScript may lose the payload of a NaN.
  const wordBits = Math.min(elementBits, 32);
  if (elementBits < 8 || sizeBits / wordBits > maxWords) return undefined;
  // Elements of more than a word are one axis more.
  const wordAxis = { extent: elementBits / wordBits, source: wordBits, destination: wordBits };
  readWords[0] = from / wordBits;
  writtenWords[0] = 0;
  let listed = 1;
  for (const { extent, source, destination } of [...axes, wordAxis]) {
    repeatPlaces(readWords, listed, extent, source / wordBits);
    repeatPlaces(writtenWords, listed, extent, destination / wordBits);
    listed *= extent;
  }
  // Sorted by their places in the result.
  const order = new Int32Array(listed);
  for (let k = 0; k < listed; k++) order[writtenWords[k]] = readWords[k];
  const followOneAnother = order.every((word, i) => word === order[0] + i);
  const begin = followOneAnother ? order[0] : (8 * destinationByte) / wordBits;
  const name = /** @type {'Uint32Array'} */ (`Uint${wordBits}Array`);
  return { order, words: scratchViews[name], begin, place: (begin * wordBits) / 8 };
}

/** Moves a small box that `orderOf` planned: copies its sources into the scratch area, moves it there word by word,
 * unless its words follow one another already, and copies the result out.
 * @type {(box: Spans & { source: number, sources: number, destination: number, order: Int32Array, words: TensorData,
 *   begin: number }, sources: unknown[], destinations: unknown[]) => void} */
function moveWords(box, sources, destinations) {
  const { order, words, begin, destination } = box;
  stage(box, sources);
  if (order[0] !== begin) for (let i = 0; i < order.length; i++) words[begin + i] = words[order[i]];
  unstage(box, destinations[destination]);
}

/** Runs of this length are copied directly: at 2 KB 1.1 times faster than by the scratch area (measured). */
const directBytes = 2048;
/** Such a box goes through in one piece: float32 [32, 32] 1.6, [256, 256] 1.2 times faster than by slabs (measured). */
const wholeBytes = 256 * 2 ** 10;

/** Chooses how a box moves, by its size and its axes, and returns it with its function `move` and with all that this
 * function needs; undefined where there is nothing to move.
 * @type {(elementBits: number, box: Box) => MovableBox | undefined} */
function planBox(elementBits, box) {
  const placed = placeBox(elementBits, box);
  // NaN is empty, too: a zero extent beside a product that overflows.
  if (!(placed.sizeBits > 0)) return undefined;
  return box.copies?.(elementBits, box, planBox) ?? planSmall(elementBits, placed) ?? planLarge(elementBits, placed);
}

/** A box in bits, and how many bits its elements have together.
 * @typedef {Omit<PlannedBox, 'bits'> & { sizeBits: number }} PlacedBox */

/** Plans a box that goes through the scratch area in one piece: a dense one of at most `wholeBytes` in one destination.
 * Undefined for others.
 * @type {(elementBits: number, box: PlacedBox) => MovableBox | undefined} */
function planSmall(elementBits, { sizeBits, axes, from, to, source, sources, destination, destinations }) {
  if (destinations > 1) return undefined;
  const spans = spansOf(elementBits, axes, from, to);
  // Whether the box fills all between its first and its last element in the destination.
  const isDense = spans.toEnd - to === sizeBits;
  const stagedBits = Math.max(8 * sources * spans.apart, sizeBits);
  if (!isDense || stagedBits > 8 * wholeBytes) return undefined;
  // An axis that steps from one source to the next does so in the scratch area, where they lie `apart` bytes apart.
  for (const axis of axes) if (axis.source === memoryBits) axis.source = 8 * spans.apart;
  const order = orderOf(elementBits, sizeBits, axes, from - 8 * spans.low);
  if (order) return { move: moveWords, source, sources, destination, ...spans, ...order };
  return { move: moveWhole, bits: elementBits, axes, from, source, sources, destination, ...spans, slot: -1 };
}

/** Plans a box that moves run by run, from memory to memory or slab by slab.
 * @type {(elementBits: number, box: PlacedBox) => MovableBox} */
function planLarge(elementBits, { axes: all, from, to, source, sources, destination, destinations }) {
  const beginsAtByte = from % 8 === 0 && to % 8 === 0;
  const { bits, list: axes } = canonicalAxes(elementBits, all, beginsAtByte);
  const planned = { bits, axes, from, to, source, destination, sources, destinations };
  // The box is one run, or one run in each of several destinations.
  const isRun = axes.length === 0 || (axes.length === 1 && destinations > 1);
  const isOfBytes = bits % 8 === 0 && beginsAtByte;
  if (isOfBytes && (isRun || bits >= 8 * directBytes)) return { move: moveRuns, ...planned };
  const isSpread = sources * destinations > 1;
  return { move: moveSlabs, ...planned, ...cutBox(bits, axes, isSpread), slabs: new Map() };
}

/** Turns a box from elements into bits: lists its axes of more than one element, and the addresses of its first
 * elements (`from`, `to`), and counts the memories that it takes on each side. An axis that runs backwards in the
 * destination is turned around. Loops, not array methods: programs whose shapes change plan on each call.
 * @type {(elementBits: number, box: Box) => PlacedBox} */
function placeBox(elementBits, box) {
  const { extents, first = 0, start = 0, source: firstSource = 0, destination: firstDestination = 0 } = box;
  const axes = [];
  let [from, to, sizeBits] = [first * elementBits, start * elementBits, elementBits];
  let [sources, destinations] = [1, 1];
  for (let i = 0; i < extents.length; i++) {
    const extent = extents[i];
    sizeBits *= extent;
    if (extent === 1) continue;
    let [source, destination] = [box.from[i] * elementBits, box.to[i] * elementBits];
    if (source === nextMemory) [source, sources] = [memoryBits, extent];
    if (destination === nextMemory) [destination, destinations] = [memoryBits, extent];
    if (destination < 0) {
      // The same elements from the other end.
      from += (extent - 1) * source;
      to += (extent - 1) * destination;
      [source, destination] = [-source, -destination];
    }
    axes.push({ extent, source, destination });
  }
  return { sizeBits, axes, from, to, source: firstSource, sources, destination: firstDestination, destinations };
}

/** Computes which bytes of each memory hold a box's elements, and how they are staged. Bytes `low` to before `end` of
 * each source are staged, `apart` bytes from those of the next. The result is `bytes` bytes from byte `start` of the
 * destination on: it begins at bit `phase` of the first, and takes `tail` bits of the last (0: all). `toEnd`: the
 * address behind its last bit. `from`, `to`: the addresses of the box's first element, in bits.
 * @type {(bits: number, axes: readonly Axis[], from: number, to: number) => Spans & { toEnd: number }} */
function spansOf(bits, axes, from, to) {
  // The lowest bit of a source, and the bit behind the highest one on each side. `memoryBits` steps between memories.
  let [low, end, toEnd] = [from, from + bits, to + bits];
  for (const { extent, source, destination } of axes) {
    if (source < 0) low += (extent - 1) * source;
    else if (source !== memoryBits) end += (extent - 1) * source;
    toEnd += (extent - 1) * destination;
  }
  // Staged from the array's start if that costs few bytes: see `besideBytes`.
  const lowByte = low <= 8 * besideBytes ? 0 : Math.floor(low / 8);
  const endByte = Math.ceil(end / 8);
  // A multiple of 8 bytes, so that each source is aligned for every class of array.
  const apart = 8 * Math.ceil((endByte - lowByte) / 8);
  const start = Math.floor(to / 8);
  const bytes = Math.ceil(toEnd / 8) - start;
  return { low: lowByte, end: endByte, apart, start, bytes, phase: to % 8, tail: toEnd % 8, toEnd, views: {} };
}
