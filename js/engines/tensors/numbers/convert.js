/** Converting elements to another number format, piece by piece through the scratch area. */
import { byteLengthOf, bytesBetween, bytesOf, copyTo } from '../../../arguments/index.js';
import { checkMemory } from '../../memory/index.js';
import { destinationByte, layout, placeInLine, scratch, scratchByte, scratchLike, smallView } from '../module.js';

/** @import { DType } from '../../../tensor/index.js' */
/** @import { Rules } from '../types.js' */

/** Bytes on the wider side, a multiple of 64. Copies of this length are up to 3 % faster than of 240 KiB, and both
 * sides stay in a second-level cache: with 960 KiB, packed integers take 6 to 8 % longer; with 2 MiB, images 4 to 14 %
 * (measured). */
export const conversionBytes = 480 * 2 ** 10;

/** ONNX's defaults of Cast.
 * @type {Rules} */
const castRules = { saturate: true, round_mode: 'up' };

/** Of a conversion that moves the bits of elements to wider or narrower ones, and computes no numbers: the other two
 * rules have no effect.
 * @type {Rules} */
export const codeRules = { saturate: true, round_mode: 'up', codes: true };

/** Converts the first `size` elements of the source from one number format to another, to the start of the destination.
 * Packed elements are read and written from the first bit of the arrays on. Refuses arrays that hold fewer elements.
 * @type {(from: DType, to: DType, size: number, source: ArrayBufferView, destination: ArrayBufferView, rules?: Rules)
 *   => void} */
export function convertBytes(from, to, size, source, destination, rules = castRules) {
  const [reads, writes] = [Math.ceil((size * from.bits) / 8), Math.ceil((size * to.bits) / 8)];
  checkMemory('read', source, reads);
  checkMemory('written', destination, writes);
  const flags = flagsOf(rules);
  // A small result is copied out by a view that is kept. Its source is copied in whole, which makes no view either, but
  // does not pay where most of it is not read.
  const small = smallView(destination, writes);
  const isMostlyUnread = byteLengthOf(source) > 2 * reads;
  if (small === undefined || isMostlyUnread)
    return convertPieces(from, to, size, bytesOf(source), bytesOf(destination), flags);
  copyTo(scratchLike(source), source, 0);
  layout.convert(from.code, to.code, scratchByte, scratchByte + destinationByte, size, flags);
  return copyTo(destination, small, 0);
}

/** Joins the rules of a conversion to the number of flags that the module takes; see `options_of` in convert.h.
 * @type {(rules: Rules) => number} */
function flagsOf({ saturate, codes, round_mode }) {
  const { saturateFlag, codesFlag, scaleRoundingFlag } = layout;
  const rounding = layout[round_mode];
  return (saturate ? saturateFlag : 0) + (codes ? codesFlag : 0) + scaleRoundingFlag * rounding;
}

/** Converts elements piece by piece: copies a piece into the scratch area, and its result out of it.
 * @type {(from: DType, to: DType, size: number, source: Uint8Array, destination: Uint8Array, flags: number) =>
 *   void} */
function convertPieces(from, to, size, source, destination, flags) {
  // A multiple of 8, for 6 bits too, so that pieces of packed elements begin at whole bytes.
  const maxCount = (8 * conversionBytes) / Math.max(from.bits, to.bits);
  const elementsAt = placeInLine(source, 0);
  const resultsAt = destinationByte + placeInLine(destination, 0);
  for (let first = 0; first < size; first += maxCount) {
    const end = Math.min(first + maxCount, size);
    const count = end - first;
    scratch.set(bytesBetween(source, (first * from.bits) / 8, Math.ceil((end * from.bits) / 8)), elementsAt);
    layout.convert(from.code, to.code, scratchByte + elementsAt, scratchByte + resultsAt, count, flags);
    const resultBytes = Math.ceil((count * to.bits) / 8);
    destination.set(bytesBetween(scratch, resultsAt, resultsAt + resultBytes), (first * to.bits) / 8);
  }
}
