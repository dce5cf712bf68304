/**
 * Plans: what follows from a list of boxes, worked out once and run often.
 *
 * A box is a strided copy. It has axes, each with an extent and a stride on both sides, and a first element on both
 * sides. The engine knows nothing of operators: a transpose is one box, a split is some boxes with one source.
 */
import { canonicalAxes } from './module.js';
import { moveRuns, moveSlabs, moveWhole, moveWords, wordsOf } from './move.js';
import { cutBox, memoryBits } from './pieces.js';

/** @import { PlannedBox, Spans } from './move.js' */

/**
 * A strided copy, in elements. Elements of the destination are distinct.
 * @typedef {object} Box
 * @property {readonly number[]} extents
 * @property {readonly number[]} from strides in the source: negative to run backwards, 0 to read an element again;
 *   {@link nextMemory} to step from one source to the next
 * @property {readonly number[]} to strides in the destination: negative to run backwards; {@link nextMemory} to step from
 *   one destination to the next
 * @property {number} [first] the first element in the source; 0 if omitted
 * @property {number} [start] the first element in the destination; 0 if omitted
 * @property {number} [source] the index of the first source; 0 if omitted
 * @property {number} [destination] the index of the first destination; 0 if omitted
 */

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
 */

/**
 * A planned box with the way to move it, and with what this way keeps.
 * @typedef {PlannedBox & { move: (box: any, sources: any[], destinations: any[]) => void } & Record<string, any>} MovableBox
 */

/**
 * What an operator says: the boxes that follow from two lists of numbers.
 * @typedef {(a: readonly number[], b: readonly number[]) => Box[]} Describe
 */

/**
 * The plans of the latest calls. Without them, tensors of 3 to 8 MB take 5 to 20 % longer, and small tensors three times
 * as long (float32 [16, 16]: PLANGAIN).
 * @type {Plan[]}
 */
const plans = [];
const mostPlans = 32;
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
  const boxes = describe(a, b).flatMap((box) => planBox(bits, box) ?? []);
  const plan = { describe, bits, a: [...a], b: [...b], boxes };
  plans[next] = plan;
  latest = next;
  next = (next + 1) % mostPlans;
  return plan;
}

/**
 * Moves what a plan says. No destination shares memory with a source. Bits beside the elements keep their values.
 * @param {Plan} plan
 * @param {any[]} sources typed arrays
 * @param {any[]} destinations typed arrays
 */
export function move({ boxes }, sources, destinations) {
  for (let i = 0; i < boxes.length; i++) boxes[i].move(boxes[i], sources, destinations);
}

/**
 * The strides of a tensor in row-major order, in elements.
 * @param {readonly number[]} dims
 * @returns {number[]}
 */
export function stridesOf(dims) {
  let stride = 1;
  return dims
    .toReversed()
    .map((extent) => {
      const own = stride;
      stride *= extent;
      return own;
    })
    .reverse();
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

/** Runs of at least this length are copied from memory to memory. */
const directBytes = 2048;
/** Up to this size a box goes through in one piece: staging would save cache misses, but cost more in calls. */
const wholeBytes = 256 * 2 ** 10;

/**
 * Plans one box.
 * @type {(elementBits: number, box: Box) => MovableBox | undefined} undefined where there is nothing to move
 */
function planBox(elementBits, box) {
  const { extents, first = 0, start = 0, source = 0, destination = 0 } = box;
  let size = 1;
  for (const extent of extents) size *= extent;
  // NaN is empty, too: a zero extent beside a product that overflows.
  if (!(size > 0)) return undefined;
  const inBits = (/** @type {number} */ stride) => (stride === nextMemory ? memoryBits : stride * elementBits);
  let from = first * elementBits;
  let to = start * elementBits;
  const axes = extents.map((extent, i) => {
    const [step, distance] = [inBits(box.from[i]), inBits(box.to[i])];
    if (distance >= 0) return { extent, source: step, destination: distance };
    // The same elements from the other end.
    from += (extent - 1) * step;
    to += (extent - 1) * distance;
    return { extent, source: -step, destination: -distance };
  });
  const { bits, list } = canonicalAxes(elementBits, axes, (from | to) % 8 === 0);
  const memories = (/** @type {'source' | 'destination'} */ side) =>
    list.find((axis) => axis[side] === memoryBits)?.extent ?? 1;
  const planned = {
    ...{ bits, axes: list, from, to, source, destination },
    ...{ sources: memories('source'), destinations: memories('destination') },
  };
  return chooseWay(elementBits, size * elementBits, planned);
}

/**
 * @param {number} elementBits
 * @param {number} sizeBits of all elements together
 * @param {PlannedBox} box
 * @returns {MovableBox}
 */
function chooseWay(elementBits, sizeBits, box) {
  const { bits, axes, from, to, sources, destinations } = box;
  // From the lowest element to the end of the highest one.
  let [low, end, toEnd] = [from, from + bits, to + bits];
  for (const { extent, source, destination } of axes) {
    if (source < 0) low += (extent - 1) * source;
    else end += (extent - 1) * source;
    toEnd += (extent - 1) * destination;
  }
  const isDense = toEnd - to === sizeBits;
  if (sources * destinations === 1 && isDense && Math.max(end - low, sizeBits) <= 8 * wholeBytes) {
    const spans = spansOf(low, end, to, toEnd);
    const words = wordsOf(elementBits, sizeBits, box, spans.low);
    return words ? { ...box, ...spans, ...words, move: moveWords } : { ...box, ...spans, move: moveWhole, slot: -1 };
  }
  const isRun = axes.length === 0 || (axes.length === 1 && destinations > 1);
  const onBytes = bits % 8 === 0 && (from | to) % 8 === 0;
  if (onBytes && (isRun || bits >= 8 * directBytes)) return { ...box, move: moveRuns };
  return { ...box, ...cutBox(bits, axes, destinations > 1), move: moveSlabs, slabs: new Map() };
}

/**
 * The bytes that hold some bits of the source and of the destination.
 * @type {(low: number, end: number, to: number, toEnd: number) => Spans}
 */
function spansOf(low, end, to, toEnd) {
  const start = Math.floor(to / 8);
  return {
    low: Math.floor(low / 8),
    end: Math.ceil(end / 8),
    start,
    bytes: Math.ceil(toEnd / 8) - start,
    phase: to % 8,
    tail: toEnd % 8,
    views: {},
  };
}
