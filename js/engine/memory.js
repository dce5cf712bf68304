/** Memory that is shorter than a move needs: its owner detached or shrank it after its length was checked. */
import { byteLengthOf, rangeError } from '../arguments/index.js';

/**
 * Refuses memory that is too short.
 * @param {'read' | 'written'} use
 * @param {ArrayBufferView} memory
 * @param {number} bytes that a move needs
 * @returns {never}
 * @throws {RangeError}
 */
export function refuseMemory(use, memory, bytes) {
  return rangeError(`memory that is ${use} must hold ${bytes} bytes, got ${byteLengthOf(memory)}`);
}

/**
 * Compares the length of memory with the bytes that a move needs. Once a move, when no more code of the caller's can
 * run.
 * @param {'read' | 'written'} use
 * @param {ArrayBufferView} memory
 * @param {number} bytes
 * @throws {RangeError}
 */
export function checkMemory(use, memory, bytes) {
  if (byteLengthOf(memory) < bytes) refuseMemory(use, memory, bytes);
}
