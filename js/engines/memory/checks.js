/** The one place where memory is guarded. A caller may detach or shrink it while a call goes on, and a short piece
 * would give away bytes of earlier calls from the scratch area. */
import { byteLengthOf, rangeError } from '../../arguments/index.js';

/** Refuses memory that is too short. A function of its own: moves of small tensors inline the comparison alone.
 * @type {(use: 'read' | 'written', memory: ArrayBufferView, bytes: number) => never} */
export const refuseMemory = (use, memory, bytes) =>
  rangeError(`memory that is ${use} must hold ${bytes} bytes, got ${memory.byteLength}`);

/** Refuses memory of fewer bytes, once a move and right before it.
 * @type {(use: 'read' | 'written', memory: ArrayBufferView, bytes: number) => void} */
export function checkMemory(use, memory, bytes) {
  if (byteLengthOf(memory) < bytes) refuseMemory(use, memory, bytes);
}

/** Refuses a list of fewer strings.
 * @type {(use: 'read' | 'written', strings: readonly string[], count: number) => void} */
export function checkStrings(use, strings, count) {
  if (strings.length < count) rangeError(`memory that is ${use} must hold ${count} strings, got ${strings.length}`);
}

/** Refuses an array that lacks some of `count` numbers. Wrappers of kernels ask before they write anything.
 * @type {(data: ArrayLike<number>, count: number) => void} */
export function checkLength(data, count) {
  if (!(data.length >= count)) rangeError(`memory must hold ${count} numbers, got ${data.length}`);
}

/** Numbers `first` to `end` of an array that must hold them.
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
