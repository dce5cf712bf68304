/** The one place where memory is guarded. A caller may detach or shrink it while a call goes on, and a short piece
 * would give away bytes of earlier calls from the scratch area. */
import { byteLengthOf, rangeError } from '../../arguments/index.js';

/** A function of its own: moves of small tensors inline the comparison alone.
 * @type {(use: 'read' | 'written', memory: ArrayBufferView, bytes: number) => never} */
export const refuseMemory = (use, memory, bytes) =>
  rangeError(`memory that is ${use} must hold ${bytes} bytes, got ${memory.byteLength}`);

/** @type {(use: 'read' | 'written', memory: ArrayBufferView, bytes: number) => void} once a move, at its moment */
export function checkMemory(use, memory, bytes) {
  if (byteLengthOf(memory) < bytes) refuseMemory(use, memory, bytes);
}

/** @type {(use: 'read' | 'written', strings: readonly string[], count: number) => void} */
export function checkStrings(use, strings, count) {
  if (strings.length < count) rangeError(`memory that is ${use} must hold ${count} strings, got ${strings.length}`);
}
