/** How planned boxes move, but for those that go slab by slab. Bytes alone: nothing here knows a dtype. */
import { byteLengthOf, bytesBetween, bytesOf, copyTo, typedArrayName } from '../arguments/index.js';
import { refuseMemory } from './memory.js';
import { destinationByte, layout, scratch, scratchByte, scratchLike, scratchViews, setAxes } from './module.js';
import { advance, memoryBits } from './pieces.js';

/** @import { Axis, PlannedBox, Spans } from './types.js' */

/** A whole array is copied without views of its bytes, which cost 200 ns: few bytes beside a small box go along. */
export const besideBytes = 256;

/** @type {(box: Spans & { source: number, sources: number }, memories: any[]) => void} */
function stage({ low, end, apart, source, sources }, memories) {
  for (let k = 0; k < sources; k++) {
    const memory = memories[source + k];
    const bytes = byteLengthOf(memory);
    if (bytes < end) refuseMemory('read', memory, end);
    if (low === 0 && bytes <= end + besideBytes) {
      const words = scratchLike(memory);
      copyTo(words, memory, k === 0 ? 0 : (k * apart) / words.BYTES_PER_ELEMENT);
    } else scratch.set(bytesBetween(bytesOf(memory), low, end), k * apart);
  }
}

/** @type {(spans: Spans, memory: any) => void} the language compares the lengths */
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
    copyTo(memory, view, start === 0 ? 0 : start / view.BYTES_PER_ELEMENT);
  } catch {
    refuseMemory('written', memory, start + bytes);
  }
}

/** Takes the bits around a staged run from its destination at `byte`, so that whole bytes can be copied. `phase`: the
 * run's first bit in its byte. `tail`: bits of the last byte that it fills; 0 for all.
 * @type {(view: Uint8Array, phase: number, tail: number, memory: Uint8Array, byte: number) => void} */
export function mend(view, phase, tail, memory, byte) {
  const last = view.length - 1;
  const before = (1 << phase) - 1;
  const after = tail ? 0xff << tail : 0;
  view[0] = (view[0] & ~before) | (memory[byte] & before);
  view[last] = (view[last] & ~after) | (memory[byte + last] & after);
}

/** Up to this many words of 4 bytes (or narrower elements), a loop in JavaScript beats the call into wasm, which takes
 * 0.6 us in a program that has made others: uint8 and float32 [12, 12] .62 -> .50 us. */
const maxWords = 192;

/** Where each element of a small box lies on both sides, in words. */
const reads = new Int32Array(maxWords);
const writes = new Int32Array(maxWords);

/** The index of the source word that each word of the result copies; undefined where the box is not small. `from`: the
 * staged address of the element at index 0, in bits.
 * @type {(elementBits: number, sizeBits: number, axes: readonly Axis[], from: number) => { order: Int32Array, words:
 *   any, begin: number } | undefined} */
export function orderOf(elementBits, sizeBits, axes, from) {
  if (elementBits < 8 || (sizeBits / elementBits) * Math.max(elementBits, 32) > 32 * maxWords) return undefined;
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
  return { order, words: scratchViews[`Uint${wordBits}Array`], begin: (8 * destinationByte) / wordBits };
}

/** @type {(box: Spans & { source: number, sources: number, destination: number, order: Int32Array, words: any,
 *   begin: number }, sources: any[], destinations: any[]) => void} */
export function moveWords(box, sources, destinations) {
  const { order, words, begin, destination } = box;
  stage(box, sources);
  for (let i = 0; i < order.length; i++) words[begin + i] = words[order[i]];
  unstage(box, destinations[destination]);
}

/** The pieces that the module's slots hold. A piece whose slot was taken plans anew, which costs 1 to 3 us.
 * @type {{ slot: number }[]} */
const owners = [];
let nextSlot = 0;

/** Plans a piece whose axes were set. `first` and `start`: its addresses on both sides, in bits.
 * @type {(owner: { slot: number }, bits: number, rank: number, first: number, start: number) => void} */
export function planPiece(owner, bits, rank, first, start) {
  if (owners[nextSlot]) owners[nextSlot].slot = -1;
  owners[nextSlot] = owner;
  owner.slot = nextSlot;
  layout.plan(nextSlot, bits, rank, (first | start) % 8 === 0);
  nextSlot = (nextSlot + 1) % layout.plans;
}

/** @type {(box: Omit<PlannedBox, 'to' | 'destinations'> & Spans & { slot: number }, sources: any[], destinations:
 *   any[]) => void} */
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

/** @type {(memories: any[], first: number, count: number) => Uint8Array[]} */
export const bytesOfEach = (memories, first, count) =>
  count === 1 ? [bytesOf(memories[first])] : memories.slice(first, first + count).map(bytesOf);

/** @type {(box: PlannedBox, sources: any[], destinations: any[]) => void} */
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
