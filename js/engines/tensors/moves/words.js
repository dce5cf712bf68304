/** Data as whole numbers of 1, 2 or 4 bytes: floats that pass through JavaScript may lose the payload of a NaN. */
import { bufferOf, byteLengthOf, byteOffsetOf } from '../../../arguments/index.js';

/** Finds the widest word, in bytes, of which `bytes` are a multiple, and to which all memories are aligned.
 * @type {(bytes: number, memories: readonly ArrayBufferView[]) => 1 | 2 | 4} */
export function wordBytesOf(bytes, memories) {
  // Joined by `or`, the length and the addresses have a low bit set where any of them has.
  let places = bytes;
  for (const data of memories) places |= byteOffsetOf(data);
  if (places % 2 !== 0) return 1;
  return places % 4 === 0 ? 4 : 2;
}

/** Views the memory of an array as words of so many bytes. The array is not empty, and aligned to a word; bytes behind
 * its last whole word are left out.
 * @type {(bytes: 1 | 2 | 4, data: ArrayBufferView) => Uint8Array | Uint16Array | Int32Array} */
export function wordsOf(bytes, data) {
  const [buffer, offset, length] = [bufferOf(data), byteOffsetOf(data), Math.floor(byteLengthOf(data) / bytes)];
  if (bytes === 4) return new Int32Array(buffer, offset, length);
  return bytes === 2 ? new Uint16Array(buffer, offset, length) : new Uint8Array(buffer, offset, length);
}
