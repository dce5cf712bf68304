/**
 * Plans: what follows from a list of boxes, worked out once and run often.
 *
 * A box is a strided copy. It has axes, each with an extent and a stride on both sides, and a first element on both
 * sides. The engine knows nothing of operators: a transpose is one box, a split is some boxes with one source.
 */
import { checkMemory } from './memory.js';
import { canonicalAxes } from './module.js';
import { besideBytes, moveRuns, moveSlabs, moveWhole, moveWords, orderOf } from './move.js';
import { cutBox, memoryBits } from './pieces.js';

/** @import { Spans } from './move.js' */
/** @import { Axis } from './module.js' */

/**
 * A strided copy, in elements. Elements of the destination are distinct.
 * @typedef {object} Box
 * @property {readonly number[]} extents
 * @property {readonly number[]} from strides in the source: negative to run backwards, 0 to read an element again;
 *   {@link nextMemory} to step from one source to the next
 * @property {readonly number[]} to strides in the destination: negative to run backwards; {@link nextMemory} to step
 *   from one destination to the next
 * @property {number} [first] the first element in the source; 0 if omitted
 * @property {number} [start] the first element in the destination; 0 if omitted
 * @property {number} [source] the index of the first source; 0 if omitted
 * @property {number} [destination] the index of the first destination; 0 if omitted
 * @property {Copies} [copies] where an axis may repeat all that is inside it: plans that this moves once
 */
/** @typedef {(elementBits: number, box: Box) => MovableBox | undefined} PlanBox undefined: there is nothing to move */
/** @typedef {(elementBits: number, box: Box, planBox: PlanBox) => MovableBox | undefined} Copies */

/** A stride that steps to the same element of the next memory. At most {@link mostMemories} follow one another. */
export const nextMemory = Infinity;
/** Most memories that one axis can step through: addresses stay exact. */
export const mostMemories = 4096;
/**
 * @typedef {object} Plan
 * @property {Describe} describe
 * @property {number} bits
 * @property {readonly number[]} a
 * @property {readonly number[]} b
 * @property {MovableBox[]} boxes
 * @property {boolean} isStaged whether all boxes are so small that staging compares the lengths, too, which saves a
 *   small tensor 30 of 300 ns
 * @property {number[]} reads bytes that each source must hold
 * @property {number[]} writes bytes that each destination must hold
 */

/**
 * A planned box with the way to move it, and with what this way keeps.
 * @typedef {(box: any, sources: any[], destinations: any[]) => void} Move
 * @typedef {{ move: Move } & Record<string, any>} MovableBox
 */

/**
 * What an operator says: the boxes that follow from two lists of numbers.
 * @typedef {(a: readonly number[], b: readonly number[]) => Box[]} Describe
 */

/**
 * The plans of the latest calls. Without them, float32 [16, 16] takes 3.1 us instead of 0.7, and tensors of 0.5 to 6 MB
 * take 1.2 to 1.5 times as long (measured).
 * @type {Plan[]}
 */
const plans = [];
const maxPlans = 32;
/** Where the next plan goes, in turn, and where the latest one was found. */
let next = 0;
let latest = 0;

/** @type {(a: readonly number[], b: readonly number[]) => boolean} */
function isSame(a, b) {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/**
 * The plan for some boxes. Its key is the function that describes the boxes, the element's width and both lists.
 * @param {Describe} describe
 * @param {number} bits the element's width
 * @param {readonly number[]} a
 * @param {readonly number[]} b
 * @returns {Plan}
 */
export function planFor(describe, bits, a, b) {
  for (let i = 0; i < plans.length; i++) {
    const at = latest + i < plans.length ? latest + i : latest + i - plans.length;
    const plan = plans[at];
    if (plan.bits === bits && plan.describe === describe && isSame(plan.a, a) && isSame(plan.b, b)) {
      latest = at;
      return plan;
    }
  }
  const described = describe(a, b);
  const boxes = described.flatMap((box) => planBox(bits, box) ?? []);
  const isStaged = boxes.every((box) => box.move === moveWords || box.move === moveWhole);
  const plan = { describe, bits, a: [...a], b: [...b], boxes, isStaged, ...lengthsOf(bits, described) };
  plans[next] = plan;
  latest = next;
  next = (next + 1) % maxPlans;
  return plan;
}

/**
 * The bytes that the boxes of a plan need of each memory.
 * @param {number} bits the element's width
 * @param {readonly Box[]} boxes
 * @returns {{ reads: number[], writes: number[] }}
 */
export function lengthsOf(bits, boxes) {
  /** @type {number[]} */
  const reads = [];
  /** @type {number[]} */
  const writes = [];
  for (const { extents, from, to, first = 0, start = 0, source = 0, destination = 0 } of boxes) {
    let [size, last, end, sources, destinations] = [bits, first, start, 1, 1];
    for (let i = 0; i < extents.length; i++) {
      const extent = extents[i];
      size *= extent;
      if (from[i] === nextMemory) sources = extent;
      else if (from[i] > 0) last += (extent - 1) * from[i];
      if (to[i] === nextMemory) destinations = extent;
      else if (to[i] > 0) end += (extent - 1) * to[i];
    }
    // NaN is empty, too: a zero extent beside a product that overflows.
    if (!(size > 0)) continue;
    raise(reads, source, sources, Math.ceil(((last + 1) * bits) / 8));
    raise(writes, destination, destinations, Math.ceil(((end + 1) * bits) / 8));
  }
  return { reads, writes };
}

/** @type {(lengths: number[], first: number, count: number, least: number) => void} */
function raise(lengths, first, count, least) {
  while (lengths.length < first + count) lengths.push(0);
  for (let k = first; k < first + count; k++) if (lengths[k] < least) lengths[k] = least;
}

/**
 * Moves what a plan says. No destination shares memory with a source. Bits beside the elements keep their values.
 * @param {Plan} plan
 * @param {any[]} sources typed arrays
 * @param {any[]} destinations typed arrays
 * @throws {RangeError} memory that is shorter than the boxes need. Pieces pass through memory that holds bytes of
 *   earlier calls, and a short piece would leave some of them there
 */
export function move(plan, sources, destinations) {
  const { boxes } = plan;
  if (!plan.isStaged) checkLengths(plan, sources, destinations);
  for (let i = 0; i < boxes.length; i++) boxes[i].move(boxes[i], sources, destinations);
}

/** @type {(plan: Plan, sources: any[], destinations: any[], ) => void} */
function checkLengths({ reads, writes }, sources, destinations) {
  for (let k = 0; k < reads.length; k++) checkMemory('read', sources[k], reads[k]);
  for (let k = 0; k < writes.length; k++) checkMemory('written', destinations[k], writes[k]);
}

/**
 * The strides of a tensor in row-major order, in elements.
 * @param {readonly number[]} dims
 * @returns {number[]}
 */
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

/**
 * Zeroes the bits after a packed tensor's last element.
 * @param {number} bits the element's width
 * @param {number} size in elements
 * @param {any} data
 */
export function clearTail(bits, size, data) {
  if (bits < 8 && (size * bits) % 8 !== 0) data[data.length - 1] &= (1 << ((size * bits) % 8)) - 1;
}

/**
 * Runs of at least this length are copied from memory to memory: 1.1 times faster at 2 KB than through the scratch
 * area, 1.8 times at 256 KB (measured).
 */
const directBytes = 2048;
/**
 * Up to this size a box goes through in one piece, which needs no bookkeeping of slabs: 1.6 times faster for float32
 * [32, 32], 1.2 times for [256, 256] (measured).
 */
const wholeBytes = 256 * 2 ** 10;

/**
 * Plans one box. Loops rather than array methods: a program whose shapes change plans on each call.
 * @type {(elementBits: number, box: Box) => MovableBox | undefined} undefined where there is nothing to move
 */
function planBox(elementBits, box) {
  const { extents, first = 0, start = 0, source = 0, destination = 0 } = box;
  const axes = [];
  let [from, to, sizeBits] = [first * elementBits, start * elementBits, elementBits];
  let [sources, destinations] = [1, 1];
  for (let i = 0; i < extents.length; i++) {
    const extent = extents[i];
    sizeBits *= extent;
    if (extent === 1) continue;
    let [step, distance] = [box.from[i] * elementBits, box.to[i] * elementBits];
    if (step === nextMemory) [step, sources] = [memoryBits, extent];
    if (distance === nextMemory) [distance, destinations] = [memoryBits, extent];
    if (distance < 0) {
      // The same elements from the other end.
      from += (extent - 1) * step;
      to += (extent - 1) * distance;
      [step, distance] = [-step, -distance];
    }
    axes.push({ extent, source: step, destination: distance });
  }
  // NaN is empty, too: a zero extent beside a product that overflows.
  if (!(sizeBits > 0)) return undefined;
  const copies = box.copies?.(elementBits, box, planBox);
  if (copies) return copies;
  if (destinations === 1) {
    const spans = spansOf(elementBits, axes, from, to);
    const isDense = spans.toEnd - to === sizeBits;
    if (isDense && Math.max(8 * sources * spans.apart, sizeBits) <= 8 * wholeBytes) {
      for (const axis of axes) if (axis.source === memoryBits) axis.source = 8 * spans.apart;
      const order = orderOf(elementBits, sizeBits, axes, from - 8 * spans.low);
      if (order) return { move: moveWords, source, sources, destination, ...spans, ...order };
      return { move: moveWhole, bits: elementBits, axes, from, source, sources, destination, ...spans, slot: -1 };
    }
  }
  const { bits, list } = canonicalAxes(elementBits, axes, from % 8 === 0 && to % 8 === 0);
  const planned = { bits, axes: list, from, to, source, destination, sources, destinations };
  const isRun = list.length === 0 || (list.length === 1 && destinations > 1);
  const onBytes = bits % 8 === 0 && from % 8 === 0 && to % 8 === 0;
  if (onBytes && (isRun || bits >= 8 * directBytes)) return { move: moveRuns, ...planned };
  return { move: moveSlabs, ...planned, ...cutBox(bits, list, sources * destinations > 1), slabs: new Map() };
}

/**
 * The bytes that hold the elements of a box on both sides, of one memory each.
 * @type {(bits: number, axes: readonly Axis[], from: number, to: number) => Spans & { toEnd: number }}
 */
function spansOf(bits, axes, from, to) {
  let [low, end, toEnd] = [from, from + bits, to + bits];
  for (const { extent, source, destination } of axes) {
    if (source < 0) low += (extent - 1) * source;
    else if (source !== memoryBits) end += (extent - 1) * source;
    toEnd += (extent - 1) * destination;
  }
  const start = Math.floor(to / 8);
  const first = low <= 8 * besideBytes ? 0 : Math.floor(low / 8);
  const last = Math.ceil(end / 8);
  return {
    low: first,
    end: last,
    apart: 8 * Math.ceil((last - first) / 8),
    start,
    bytes: Math.ceil(toEnd / 8) - start,
    phase: to % 8,
    tail: toEnd % 8,
    toEnd,
    views: {},
  };
}
