/** The ways in which a planned box moves. Bytes alone: nothing here knows a dtype. */
import { byteLengthOf, bytesBetween, bytesOf, copyTo, typedArrayName } from '../arguments/index.js';
import { refuseMemory } from './memory.js';
import {
  destinationByte,
  layout,
  lineBytes,
  placeInLine,
  scratch,
  scratchByte,
  scratchLike,
  scratchViews,
  setAxes,
  setAxis,
} from './module.js';
import { advance, sourceLayout, destinationLayout, memoryBits } from './pieces.js';

/** @import { Axis } from './module.js' */
/** @import { Cuts, StagedLayout } from './pieces.js' */

/**
 * A box ready to move. Addresses and strides are in bits; memory k begins at k * {@link memoryBits}.
 * @typedef {object} PlannedBox
 * @property {number} bits the width of what moves as one element
 * @property {Axis[]} axes canonical
 * @property {number} from the address of the element at index 0 in the sources
 * @property {number} to its address in the destinations
 * @property {number} source the index of the first source
 * @property {number} destination the index of the first destination
 * @property {number} sources how many the box takes
 * @property {number} destinations how many the box takes
 */

/**
 * The part of both memories that a small box takes: all that lies between its first and its last element. Of several
 * sources it takes the same part of each.
 * @typedef {object} Spans
 * @property {number} low the source's first byte
 * @property {number} end the byte after the source's last one
 * @property {number} apart the distance of one source from the next in the scratch area, in bytes
 * @property {number} start the destination's first byte
 * @property {number} bytes of the destination
 * @property {number} phase of the destination's first bit in its byte
 * @property {number} tail bits of the destination's last byte that the box fills; 0 for all
 * @property {Record<string, any>} views of the staged result, by the class of the destination
 */

/** A whole array is copied without views of its bytes, which cost 200 ns: few bytes beside a small box go along. */
export const besideBytes = 256;

/**
 * Copies parts of the sources to the beginning of the scratch area, one after the other.
 * @type {(box: Spans & { source: number, sources: number }, memories: any[], ) => void}
 */
function stage({ low, end, apart, source, sources }, memories) {
  for (let k = 0; k < sources; k++) {
    const memory = memories[source + k];
    const bytes = byteLengthOf(memory);
    if (bytes < end) refuseMemory('read', memory, end);
    if (low === 0 && bytes <= end + besideBytes) {
      const words = scratchLike(memory);
      copyTo(words, memory, (k * apart) / words.BYTES_PER_ELEMENT);
    } else scratch.set(bytesBetween(bytesOf(memory), low, end), k * apart);
  }
}

/**
 * Copies a staged result to its destination. The language compares the lengths.
 * @type {(spans: Spans, memory: any, ) => void}
 */
function unstage({ start, bytes, phase, tail, views }, memory) {
  const name = /** @type {string} */ (typedArrayName(memory));
  let view = views[name];
  if (!view) {
    const whole = scratchViews[name];
    const first = destinationByte / whole.BYTES_PER_ELEMENT;
    views[name] = view = whole.subarray(first, first + bytes / whole.BYTES_PER_ELEMENT);
  }
  if (phase + tail > 0) mend(view, phase, tail, memory, start);
  try {
    copyTo(memory, view, start / view.BYTES_PER_ELEMENT);
  } catch {
    refuseMemory('written', memory, start + bytes);
  }
}

/**
 * Takes the bits beside a staged run from its destination, so that whole bytes can be copied.
 * @param {Uint8Array} view the run
 * @param {number} phase the run's first bit in its byte
 * @param {number} tail bits of the last byte that the run fills; 0 for all
 * @param {Uint8Array} memory
 * @param {number} byte where the run begins
 */
function mend(view, phase, tail, memory, byte) {
  const last = view.length - 1;
  const before = (1 << phase) - 1;
  const after = tail ? 0xff << tail : 0;
  view[0] = (view[0] & ~before) | (memory[byte] & before);
  view[last] = (view[last] & ~after) | (memory[byte + last] & after);
}

/**
 * Up to this many words of 4 bytes, a loop in JavaScript beats the call into wasm, which takes 0.6 us in a program that
 * has made others: uint8 and float32 [12, 12] .62 -> .50 us. A narrower element counts as a word, too.
 */
const mostWords = 192;

/** Where each element of a small box lies on both sides, in words. */
const reads = new Int32Array(mostWords);
const writes = new Int32Array(mostWords);

/**
 * The order in which the words of a small box move: which word of the staged source each word of the result takes.
 * @param {number} elementBits
 * @param {number} sizeBits of all elements together
 * @param {readonly Axis[]} axes
 * @param {number} from the staged address of the element at index 0, in bits
 * @returns {{ order: Int32Array, words: any } | undefined} undefined where the box is not small
 */
export function orderOf(elementBits, sizeBits, axes, from) {
  if (elementBits < 8 || (sizeBits / elementBits) * Math.max(elementBits, 32) > 32 * mostWords) return undefined;
  // Whole numbers, because a float that passes through JavaScript may lose the payload of a NaN.
  const wordBits = Math.min(elementBits, 32);
  const width = elementBits / wordBits;
  let count = 1;
  reads[0] = from / wordBits;
  writes[0] = 0;
  for (const { extent, source, destination } of axes) {
    for (let i = 1; i < extent; i++) {
      for (let k = 0; k < count; k++) {
        reads[i * count + k] = reads[k] + (i * source) / wordBits;
        writes[i * count + k] = writes[k] + (i * destination) / wordBits;
      }
    }
    count *= extent;
  }
  const order = new Int32Array(count * width);
  for (let k = 0; k < count; k++) for (let word = 0; word < width; word++) order[writes[k] + word] = reads[k] + word;
  return { order, words: scratchViews[`Uint${wordBits}Array`] };
}

/**
 * Moves a small box word by word.
 * @param {Spans & { source: number, sources: number, destination: number, order: Int32Array, words: any }} box
 * @param {any[]} sources
 * @param {any[]} destinations
 */
export function moveWords(box, sources, destinations) {
  const { order, words, destination } = box;
  stage(box, sources);
  const first = destinationByte / words.BYTES_PER_ELEMENT;
  for (let i = 0; i < order.length; i++) words[first + i] = words[order[i]];
  unstage(box, destinations[destination]);
}

/**
 * What stands in each slot of the module: the wasm side of the pieces that moved last. A piece whose slot was taken
 * plans anew, which costs 1 to 3 us.
 * @type {{ slot: number }[]}
 */
const owners = [];
let nextSlot = 0;

/**
 * Lets the module plan a piece whose axes were set.
 * @param {{ slot: number }} owner
 * @param {number} bits the element's width
 * @param {number} rank
 * @param {number} first the address of the piece in the source, in bits
 * @param {number} start its address in the destination
 */
function planPiece(owner, bits, rank, first, start) {
  if (owners[nextSlot]) owners[nextSlot].slot = -1;
  owners[nextSlot] = owner;
  owner.slot = nextSlot;
  layout.plan(nextSlot, bits, rank, (first | start) % 8 === 0);
  nextSlot = (nextSlot + 1) % layout.plans;
}

/**
 * Moves a box in one piece.
 * @param {Omit<PlannedBox, 'to' | 'destinations'> & Spans & { slot: number }} box
 * @param {any[]} sources
 * @param {any[]} destinations
 */
export function moveWhole(box, sources, destinations) {
  const { bits, axes, from, low, phase, destination } = box;
  const first = 8 * (scratchByte - low) + from;
  const start = 8 * (scratchByte + destinationByte) + phase;
  if (box.slot < 0) {
    setAxes(axes);
    planPiece(box, bits, axes.length, first, start);
  }
  stage(box, sources);
  layout.move(box.slot, first, start);
  unstage(box, destinations[destination]);
}

/**
 * The bytes of the memories that one side of a box takes.
 * @type {(memories: any[], first: number, count: number) => Uint8Array[]}
 */
const bytesOfEach = (memories, first, count) =>
  count === 1 ? [bytesOf(memories[first])] : memories.slice(first, first + count).map(bytesOf);

/**
 * Copies long runs from memory to memory.
 * @type {(box: PlannedBox, sources: any[], destinations: any[]) => void}
 */
export function moveRuns(box, sources, destinations) {
  const { bits, axes, from, to } = box;
  const inputs = bytesOfEach(sources, box.source, box.sources);
  const outputs = bytesOfEach(destinations, box.destination, box.destinations);
  const bytes = bits / 8;
  const inner = axes.length - 1;
  const { extent, source, destination } = axes[inner] ?? { extent: 1, source: 0, destination: 0 };
  const outer = axes.slice(0, inner).map((axis) => axis.extent);
  const ones = outer.map(() => 1);
  const at = outer.map(() => 0);
  do {
    let low = from;
    let start = to;
    for (let i = 0; i < at.length; i++) {
      low += at[i] * axes[i].source;
      start += at[i] * axes[i].destination;
    }
    for (let i = 0; i < extent; i++) {
      const input = box.sources === 1 ? 0 : Math.floor(low / memoryBits);
      const output = box.destinations === 1 ? 0 : Math.floor(start / memoryBits);
      const byte = (low - input * memoryBits) / 8;
      outputs[output].set(inputs[input].subarray(byte, byte + bytes), (start - output * memoryBits) / 8);
      low += source;
      start += destination;
    }
  } while (advance(at, ones, outer));
}

/**
 * A slab as it lies in the scratch area.
 * @typedef {object} Slab
 * @property {number[]} size
 * @property {StagedLayout} staged
 * @property {number} phase of its lowest bit in its byte
 * @property {number} first the address of the element at index 0, in bits
 * @property {Map<number, Strip>} strips by what is cut off, and by where they begin on both sides
 */

/**
 * A strip as it lies in the scratch area.
 * @typedef {object} Strip
 * @property {number} slot
 * @property {number[]} size
 * @property {StagedLayout} staged
 * @property {number} first the address of its first bit
 * @property {Uint8Array[]} views of the runs
 * @property {boolean} isPartial whether a run begins or ends within a byte
 */

/** Most strips that a slab keeps: packed tensors of odd extents have another layout at each bit of a line. */
const mostStrips = 64;

/**
 * Moves a box slab by slab and strip by strip.
 * @type {(box: PlannedBox & Cuts & { slabs: Map<number, Slab> }, sources: any[], destinations: any[]) => void}
 */
export function moveSlabs(box, sources, destinations) {
  const { axes, from, to, extents, slab, strip, isLong, slabs } = box;
  const inputs = bytesOfEach(sources, box.source, box.sources);
  const outputs = bytesOfEach(destinations, box.destination, box.destinations);
  const slabAt = axes.map(() => 0);
  const stripAt = axes.map(() => 0);
  // Runs are staged at their place of a line where they are long, otherwise at their place of a byte.
  const lineBits = isLong ? 8 * lineBytes : 8;
  const firstBit = isLong ? 8 * placeInLine(outputs[0], 0) : 0;
  do {
    let low = from;
    let slabTo = to;
    let slabKey = 0;
    for (let i = 0; i < axes.length; i++) {
      const { source, destination } = axes[i];
      const size = Math.min(slab[i], extents[i] - slabAt[i]);
      if (size < slab[i]) slabKey += 2 ** i;
      low += (source < 0 ? slabAt[i] + size - 1 : slabAt[i]) * source;
      slabTo += slabAt[i] * destination;
    }
    slabKey = 8 * slabKey + (low % 8);
    let piece = slabs.get(slabKey);
    if (!piece) slabs.set(slabKey, (piece = laySlab(box, slabAt, low % 8)));
    copyIn(piece, inputs, low);
    do {
      let first = piece.first;
      let start = slabTo;
      let key = 0;
      for (let i = 0; i < axes.length; i++) {
        if (piece.size[i] - stripAt[i] < strip[i]) key += 2 ** i;
        first += stripAt[i] * piece.staged.strides[i];
        start += stripAt[i] * axes[i].destination;
      }
      const place = (firstBit + start) % lineBits;
      key = 8 * (lineBits * key + place) + (first % 8);
      let part = piece.strips.get(key);
      if (!part) {
        if (piece.strips.size === mostStrips) piece.strips.clear();
        piece.strips.set(key, (part = layStrip(box, piece, stripAt, place)));
      }
      if (part.slot < 0) {
        for (let i = 0; i < axes.length; i++) setAxis(i, part.size[i], piece.staged.strides[i], part.staged.strides[i]);
        planPiece(part, box.bits, axes.length, first, part.first);
      }
      layout.move(part.slot, first, part.first);
      copyOut(part, outputs, start);
    } while (advance(stripAt, strip, piece.size));
  } while (advance(slabAt, slab, extents));
}

/** @type {(box: PlannedBox & Cuts, slabAt: readonly number[], phase: number) => Slab} */
function laySlab({ bits, axes, inward, extents, slab }, slabAt, phase) {
  const size = slab.map((step, i) => Math.min(step, extents[i] - slabAt[i]));
  const staged = sourceLayout(bits, axes, inward, extents, size, phase);
  // With a negative stride, index 0 is the highest one.
  const first = staged.strides.reduce((bit, stride, i) => bit + (stride < 0 ? (1 - size[i]) * stride : 0), phase);
  return { size, staged, phase, first: 8 * scratchByte + first, strips: new Map() };
}

/** @type {(box: PlannedBox & Cuts, slab: Slab, stripAt: readonly number[], place: number) => Strip} */
function layStrip({ bits, axes, outward, inward, strip, isLong }, slab, stripAt, place) {
  const size = strip.map((step, i) => Math.min(step, slab.size[i] - stripAt[i]));
  const staged = destinationLayout(bits, axes, outward, inward, size, place % 8, isLong);
  const { places, offsets, runBits } = staged;
  const first = 8 * destinationByte + place;
  const views = Array.from(places, (at) =>
    bytesBetween(scratch, Math.floor((first + at) / 8), Math.ceil((first + at + runBits) / 8)),
  );
  const isPartial = [place, runBits, ...offsets].some((bit) => bit % 8 !== 0);
  return { slot: -1, size, staged, first: 8 * scratchByte + first, views, isPartial };
}

/**
 * Copies a slab into the scratch area, run by run.
 * @type {(slab: Slab, inputs: Uint8Array[], low: number) => void}
 */
function copyIn({ staged: { places, offsets, runBits }, phase }, inputs, low) {
  for (let k = 0; k < places.length; k++) {
    const address = low + offsets[k];
    const input = Math.floor(address / memoryBits);
    const bit = address - input * memoryBits;
    const run = bytesBetween(inputs[input], Math.floor(bit / 8), Math.ceil((bit + runBits) / 8));
    scratch.set(run, Math.floor((phase + places[k]) / 8));
  }
}

/**
 * Copies a strip to the destination, run by run.
 * @type {(strip: Strip, outputs: Uint8Array[], start: number) => void}
 */
function copyOut({ staged: { offsets, runBits }, views, isPartial }, outputs, start) {
  for (let k = 0; k < views.length; k++) {
    const address = start + offsets[k];
    const output = outputs[Math.floor(address / memoryBits)];
    const byte = Math.floor((address % memoryBits) / 8);
    if (isPartial) mend(views[k], address % 8, (address + runBits) % 8, output, byte);
    output.set(views[k], byte);
  }
}
