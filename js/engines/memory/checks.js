/** The one place where memory is guarded: arrays that are shorter than a kernel or a copy needs are refused. A caller
 * may detach or shrink its memory while a call goes on, and results of a short array would hold bytes of earlier calls,
 * which the scratch area still has. */
import { byteLengthOf, rangeError } from '../../arguments/index.js';

/** Throws the RangeError of memory of fewer than `bytes` bytes. A function of its own, so that moves of small tensors
 * inline the comparison alone.
 * @type {(use: 'read' | 'written', memory: ArrayBufferView, bytes: number) => never} */
export const refuseMemory = (use, memory, bytes) =>
  rangeError(`memory that is ${use} must hold ${bytes} bytes, got ${memory.byteLength}`);

/** Refuses memory of fewer than `bytes` bytes. Called once a move, right before it.
 * @type {(use: 'read' | 'written', memory: ArrayBufferView, bytes: number) => void} */
export function checkMemory(use, memory, bytes) {
  if (byteLengthOf(memory) < bytes) refuseMemory(use, memory, bytes);
}

/** Refuses a list of fewer than `count` strings.
 * @type {(use: 'read' | 'written', strings: readonly string[], count: number) => void} */
export function checkStrings(use, strings, count) {
  if (strings.length < count) rangeError(`memory that is ${use} must hold ${count} strings, got ${strings.length}`);
}

/** Refuses an array of fewer than `count` numbers. Functions that call kernels ask before they write anything.
 * @type {(data: ArrayLike<number>, count: number) => void} */
export function checkLength(data, count) {
  // Negated, so that a count of NaN is refused, too.
  if (!(data.length >= count)) rangeError(`memory must hold ${count} numbers, got ${data.length}`);
}

/** Views numbers `first` to before `end` of an array, and refuses an array that does not hold them all.
 * @template {Float32Array | Float64Array | Uint8Array} T
 * @param {T} data
 * @param {number} first
 * @param {number} end
 * @returns {T} */
export function span(data, first, end) {
  if (!(first >= 0 && first <= end && end <= data.length))
    rangeError(`memory must hold numbers ${first} to ${end}, got ${data.length} numbers`);
  return /** @type {T} */ (data.subarray(first, end));
}
