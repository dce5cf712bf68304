/** Converting elements: a tensor's or an image's bytes pass through the scratch area piece by piece, and the wasm module makes others of them. */
import { bytesBetween } from '../arguments/index.js';
import { destinationByte, placeInLine, ready, scratch, scratchByte } from './module.js';

/** @import { DType } from '../tensor/index.js' */

/**
 * Bytes of a piece on the wider side of a conversion, a multiple of 64. Copies of this length are faster than shorter ones (of 240 KiB: up to 3 %),
 * and both sides lie in a second-level cache: with 960 KiB, packed integers take 6 to 8 % longer, with 2 MiB images
 * 4 to 14 %.
 */
export const conversionBytes = 480 * 2 ** 10;

/**
 * Converts elements from one number format to another.
 * @param {string} name of the function that is called
 * @param {DType} from
 * @param {DType} to
 * @param {number} size in elements
 * @param {Uint8Array} source
 * @param {Uint8Array} destination
 * @param {number} [flags]
 */
export function convertBytes(name, from, to, size, source, destination, flags = 0) {
  const { convert } = ready(name);
  // A multiple of 8: pieces begin at whole bytes in packed formats too.
  const step = (8 * conversionBytes) / Math.max(from.bits, to.bits);
  const front = placeInLine(source, 0);
  const first = destinationByte + placeInLine(destination, 0);
  for (let done = 0; done < size; done += step) {
    const count = Math.min(step, size - done);
    scratch.set(bytesBetween(source, (done * from.bits) / 8, Math.ceil(((done + count) * from.bits) / 8)), front);
    convert(from.code, to.code, scratchByte + front, scratchByte + first, count, flags);
    destination.set(bytesBetween(scratch, first, first + Math.ceil((count * to.bits) / 8)), (done * to.bits) / 8);
  }
}
