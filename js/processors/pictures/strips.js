/** Writes pictures strip by strip, through memory that calls share. */
import { bytesBetween } from '../../arguments/index.js';
import { dtypes, newData } from '../../tensor/index.js';
import { cropPicture } from './change-picture.js';
import { sizeOf } from './picture.js';
import { writePicture } from './write-picture.js';

/** @import { Numbers, Picture } from '../types.js' */

/**
 * Bytes of numbers that are written at a time. With twice as many, patches take 3 to 20 % less time, and more than
 * 16 MB besides the input and the output.
 */
const stripBytes = 2 ** 20;

/** Longer memory is not kept from call to call. */
const maxKeptBytes = 2 * stripBytes;

/** Memory that is kept from call to call, by its use. @type {Map<string, Uint8Array>} */
const memories = new Map();

/** Memory of `bytes` bytes with any content, valid until the next call with the same `use`. The same memory is given
 * each time, because the system clears new one, which took a tenth of the time of Qwen2.5-VL's video (measured).
 * @type {(use: 'strips' | 'patches' | 'planes', bytes: number) => Uint8Array} */
export function stripMemory(use, bytes) {
  const earlier = memories.get(use);
  const memory = earlier && earlier.length >= bytes ? earlier : newData(dtypes.uint8, bytes, undefined);
  if (bytes <= maxKeptBytes) memories.set(use, memory);
  return bytesBetween(memory, 0, bytes);
}

/** Computes pictures of one size as numbers, strip by strip, so that little memory is taken at once. The height of a
 * strip is a multiple of `rows`, except at the bottom. `takeStrips` gets the strip's bytes of all pictures, one picture
 * after the other, which the next strip overwrites, its first row and its height.
 * @type {(pictures: readonly Picture[], numbers: Numbers, layout: { rows: number, isPlanar: boolean }, takeStrips:
 *   (strips: Uint8Array, y: number, height: number) => void) => void} */
export function writeStrips(pictures, numbers, { rows, isPlanar }, takeStrips) {
  const { width, height } = sizeOf(pictures[0]);
  const rowBytes = (numbers.channels.sources.length * width * numbers.dtype.bits) / 8;
  const blockBytes = rows * rowBytes;
  const blocksInStrip = Math.max(1, Math.floor(stripBytes / blockBytes));
  const stripHeight = Math.min(height, rows * blocksInStrip);
  // Strips are crops, which no listener asked for.
  const silent = pictures.map((picture) => ({ ...picture, onStep: undefined }));
  for (let y = 0; y < height; y += stripHeight) {
    const part = { x: 0, y, width, height: Math.min(stripHeight, height - y) };
    const frame = { ...part, y: 0 }; // the strip is all of its result
    const partBytes = part.height * rowBytes;
    const strips = stripMemory('strips', pictures.length * partBytes);
    silent.forEach((picture, i) => {
      const strip = bytesBetween(strips, i * partBytes, (i + 1) * partBytes);
      writePicture(cropPicture(picture, part), numbers, frame, { isPlanar }, strip);
    });
    takeStrips(strips, y, part.height);
  }
}
