/** Weights to the number types of models: float16 without infinities, and codes of bnb4. */
import * as cpp from '../../../../dist/bridge/tensors.js';
import { bytesBetween, bytesOf } from '../../../arguments/index.js';
import { dtypes } from '../../../tensor/index.js';
import { checkMemory } from '../../memory/index.js';
import { callBlock, destinationByte, layout, placeInLine, scratch, scratchByte, scratchViews } from '../module.js';
import { pieceElements, scalesByte } from './scales.js';

/** `fitFloat16` returns two counts in one number: clipped numbers times this, plus raised ones. */
const countUnit = 2 ** 26;

/** Writes float32 numbers as float16 so that none becomes infinite or 0: finite ones beyond 65504 become 65504, and
 * nonzero ones below 5.96e-8 become 2^-24, with their signs. Returns how many of both there were. Without a destination
 * they are only counted.
 * @type {(size: number, source: Float32Array, destination?: Uint16Array) => { clipped: number, raised: number }} */
export function float16Bytes(size, source, destination) {
  const { fitFloat16, convert } = layout;
  checkMemory('read', source, 4 * size);
  if (destination) checkMemory('written', destination, 2 * size);
  const bytes = bytesOf(source);
  const front = placeInLine(source, 0);
  const last = destinationByte + (destination ? placeInLine(destination, 0) : 0);
  const target = destination && bytesOf(destination);
  let [clipped, raised] = [0, 0];
  for (let first = 0; first < size; first += pieceElements) {
    const count = Math.min(pieceElements, size - first);
    scratch.set(bytesBetween(bytes, 4 * first, 4 * (first + count)), front);
    const counts = fitFloat16(count, scratchByte + front);
    clipped += Math.floor(counts / countUnit);
    raised += counts % countUnit;
    if (!target) continue;
    convert(dtypes.float32.code, dtypes.float16.code, scratchByte + front, scratchByte + last, count, 0);
    target.set(bytesBetween(scratch, last, last + 2 * count), 2 * first);
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
  const bytes = bytesOf(source);
  // Pieces are whole blocks.
  const step = Math.floor(pieceElements / block) * block;
  const { Float32Array: floats } = scratchViews;
  for (let first = 0; first < size; first += step) {
    const count = Math.min(step, size - first);
    scratch.set(bytesBetween(bytes, 4 * first, 4 * (first + count)), 0);
    floats.set(largest.subarray(first / block, Math.ceil((first + count) / block)), scalesByte / 4);
    cpp.writeBnb4(callBlock, {
      count,
      block,
      isFp4,
      src: scratchByte,
      largest: scratchByte + scalesByte,
      dst: scratchByte + destinationByte,
    });
    encodeBnb4();
    destination.set(bytesBetween(scratch, destinationByte, destinationByte + Math.ceil(count / 2)), first / 2);
  }
}
