/** An image's bytes, measured or blended in the module's memory. */
import * as cpp from '../../../dist/bridge/images.js';
import { bytesBetween } from '../../arguments/index.js';
import { ready } from './load.js';
import { area, callBlock, scratch } from './module.js';

/** @import { Image } from './types.js' */

/** Copies an image's bytes, without the gaps between rows, to the start of the scratch area, at most `step` at a time,
 * and calls `use` with their number, until it returns true. Returns whether it did.
 * @type {(image: Image, step: number, use: (bytes: number) => boolean | void) => boolean} */
function stagePieces({ data, width, height, channels, rowstride }, step, use) {
  const isContiguous = rowstride === width * channels;
  const [runs, runBytes] = isContiguous ? [1, height * rowstride] : [height, width * channels];
  for (let run = 0; run < runs; run++)
    for (let done = 0; done < runBytes; done += step) {
      const from = run * rowstride + done;
      const count = Math.min(step, runBytes - done);
      scratch.set(bytesBetween(data, from, from + count));
      if (use(count)) return true;
    }
  return false;
}

/** Sums the first bytes of the scratch area, or their squares.
 * @type {(bytes: number, options: { squared: boolean }) => number} */
const sumStaged = (bytes, { squared }) => ready().sumBytes(bytes, Number(squared));

/** Sums an image's bytes, and their squares.
 * @type {(image: Image) => { sum: number, squares: number }} */
export function byteSums(image) {
  let [sum, squares] = [0, 0];
  stagePieces(image, scratch.length, (bytes) => {
    sum += sumStaged(bytes, { squared: false });
    squares += sumStaged(bytes, { squared: true });
  });
  return { sum, squares };
}

/** Bytes of whole pixels of three bytes. */
const grayStep = 3 * 2 ** 14;

/** Whether red, green and blue are equal in each pixel. The image has three channels.
 * @type {(image: Image) => boolean} */
export const isGray = (image) => !stagePieces(image, grayStep, (bytes) => ready().isGray(bytes) === 0);

/** Blends a row of pixels with alpha (2 or 4 channels) over a chessboard, and returns it as RGB: a view of the module's
 * memory, until the next call. See cpp/processors/chessboard.h.
 * @type {(image: Image, row: number) => Uint8Array} */
export function rowOnBoard({ data, width, channels, rowstride }, row) {
  const bytes = width * channels;
  area.clear();
  const from = area.copyIn(bytesBetween(data, row * rowstride, row * rowstride + bytes), bytes);
  const to = area.allocate(3 * width);
  cpp.writeBoardRow(callBlock, { channels, width, row, pixels: from, to });
  ready().chessboard();
  return area.view(Uint8Array, to, 3 * width);
}
