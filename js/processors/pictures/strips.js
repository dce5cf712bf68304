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

/** Memory that is kept from call to call, by its use. @type {Uint8Array[]} */
const strips = [];

/** Memory of `bytes` bytes with any content, valid until the next call with the same `use`, a number from 0 on that
 * each caller chooses. Unless it is large, it is kept in `strips` and given again: the system clears new memory, which
 * took a tenth of the time of Qwen2.5-VL's video (measured).
 * @type {(use: number, bytes: number) => Uint8Array} */
export function stripMemory(use, bytes) {
  const memory = strips[use]?.length >= bytes ? strips[use] : newData(dtypes.uint8, bytes, undefined);
  if (bytes <= 2 * stripBytes) strips[use] = memory;
  return bytesBetween(memory, 0, bytes);
}

/** Writes pictures of one size strip by strip, from top to bottom, so that little memory is needed. The height of a
 * strip is a multiple of `rows`, except at the bottom. `use` is called for each strip with the bytes of all pictures,
 * one after the other in memory 0 of stripMemory, with the strip's first row and with its height.
 * @type {(pictures: readonly Picture[], numbers: Numbers, layout: { rows: number, isPlanar: boolean }, use: (strips:
 *   Uint8Array, y: number, height: number) => void) => void} */
export function writeStrips(pictures, numbers, { rows, isPlanar }, use) {
  const { width, height } = sizeOf(pictures[0]);
  const rowBytes = (numbers.channels.sources.length * width * numbers.dtype.bits) / 8;
  // As many times `rows` as fit into `stripBytes` for one picture, and at least once.
  const step = Math.min(height, rows * Math.max(1, Math.floor(stripBytes / (rows * rowBytes))));
  // Strips are crops, which no listener asked for.
  const silent = pictures.map((picture) => ({ ...picture, onStep: undefined }));
  for (let y = 0; y < height; y += step) {
    const part = { x: 0, y, width, height: Math.min(step, height - y) };
    const bytes = part.height * rowBytes;
    const strips = stripMemory(0, pictures.length * bytes);
    silent.forEach((picture, i) => {
      const strip = bytesBetween(strips, i * bytes, (i + 1) * bytes);
      writePicture(cropPicture(picture, part), numbers, { ...part, y: 0 }, isPlanar, strip);
    });
    use(strips, y, part.height);
  }
}
