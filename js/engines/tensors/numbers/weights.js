/** Weights to the number types of models: float16 without infinities, and codes of bnb4. */
import * as cpp from '../../../../dist/bridge/tensors.js';
import { bytesBetween, bytesOf } from '../../../arguments/index.js';
import { dtypes } from '../../../tensor/index.js';
import { checkMemory, floatBytes } from '../../memory/index.js';
import { callBlock, destinationByte, layout, placeInLine, scratch, scratchByte, scratchViews } from '../module.js';
import { pieceElements, scalesByte } from './scales.js';

/** `fitFloat16` returns two counts in one number: clipped numbers times this, plus raised ones. */
const clippedUnit = 2 ** 26;
/** Of a float16 number. */
const halfBytes = 2;

/** Writes float32 numbers as float16 so that none becomes infinite or 0: finite ones beyond 65504 become 65504, and
 * nonzero ones below 5.96e-8 become 2^-24, with their signs. Returns how many of both there were. Without a destination
 * they are only counted.
 * @type {(size: number, source: Float32Array, destination?: Uint16Array) => { clipped: number, raised: number }} */
export function float16Bytes(size, source, destination) {
  const { fitFloat16, convert } = layout;
  checkMemory('read', source, floatBytes * size);
  if (destination) checkMemory('written', destination, halfBytes * size);
  const sourceBytes = bytesOf(source);
  const target = destination && bytesOf(destination);
  // Places of a piece's numbers and of its result in the scratch area, in bytes.
  const numbersByte = placeInLine(source, 0);
  const resultByte = destinationByte + (destination ? placeInLine(destination, 0) : 0);
  const [numbers, result] = [scratchByte + numbersByte, scratchByte + resultByte];
  let [clipped, raised] = [0, 0];
  for (let first = 0; first < size; first += pieceElements) {
    const count = Math.min(pieceElements, size - first);
    scratch.set(bytesBetween(sourceBytes, floatBytes * first, floatBytes * (first + count)), numbersByte);
    const bothCounts = fitFloat16(count, numbers); // changes the numbers in place
    clipped += Math.floor(bothCounts / clippedUnit);
    raised += bothCounts % clippedUnit;
    if (!target) continue;
    const noFlags = 0;
    convert(dtypes.float32.code, dtypes.float16.code, numbers, result, count, noFlags);
    target.set(bytesBetween(scratch, resultByte, resultByte + halfBytes * count), halfBytes * first);
  }
  return { clipped, raised };
}

/** Quantizes float32 numbers to the 4-bit codes of bnb4, FP4 or NF4, two a byte; see cpp/quantize/bnb4.h. `block`: how
 * many numbers share a scale, an even number up to `pieceElements`. `largest`: the largest magnitude of each block,
 * which the caller has computed and which is the block's scale.
 * @type {(source: Float32Array, block: number, isFp4: boolean, largest: Float32Array, destination: Uint8Array) =>
 *   void} */
export function bnb4Bytes(source, block, isFp4, largest, destination) {
  const { encodeBnb4 } = layout;
  const size = source.length;
  checkMemory('written', destination, Math.ceil(size / 2));
  const sourceBytes = bytesOf(source);
  // A piece has whole blocks.
  const blocksPerPiece = Math.floor(pieceElements / block);
  const maxCount = blocksPerPiece * block;
  const { Float32Array: floats } = scratchViews;
  for (let first = 0; first < size; first += maxCount) {
    const end = Math.min(first + maxCount, size);
    const count = end - first;
    scratch.set(bytesBetween(sourceBytes, floatBytes * first, floatBytes * end), 0);
    floats.set(largest.subarray(first / block, Math.ceil(end / block)), scalesByte / floatBytes);
    cpp.writeBnb4(callBlock, {
      count,
      block,
      isFp4,
      src: scratchByte,
      largest: scratchByte + scalesByte,
      dst: scratchByte + destinationByte,
    });
    encodeBnb4();
    // Two codes a byte.
    const codes = bytesBetween(scratch, destinationByte, destinationByte + Math.ceil(count / 2));
    destination.set(codes, first / 2);
  }
}
