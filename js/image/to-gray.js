/** Colors as gray. */
import { bytesOf, named, readTable, word } from '../arguments/index.js';
import { ready } from '../engines/images/index.js';
import { dtypes, newData } from '../tensor/index.js';
import { convertPixels } from './numbers/convert.js';
import { identity } from './numbers/normalization.js';
import { checkPixels, readBytePixels } from './sources/pixels.js';

/** @import { GrayOptions, Pixels } from './types.js' */

const backends = /** @type {const} */ (['pil', 'opencv']);
const table = { backend: word(backends, 'pil') };

/**
 * Makes gray pixels of colors, by the weights of ITU-R BT.601 in whole numbers: as Pillow's `convert('L')`,
 * `(19595 r + 38470 g + 7471 b + 32768) >> 16`, or as OpenCV's `COLOR_RGB2GRAY`,
 * `(9798 r + 19235 g + 3735 b + 16384) >> 15`. Alpha does not count.
 * @param {Pixels} image bytes of 1, 3 or 4 channels
 * @param {GrayOptions} [options]
 * @returns {{ data: Uint8Array, width: number, height: number, channels: number }} with memory of its own
 * @example
 * const image = { data: Uint8Array.of(255, 20, 0), width: 1, height: 1 };
 * toGray(image, { backend: 'opencv' }).data; // Uint8Array [88]
 */
export function toGray(image, options) {
  return named('toGray', () => {
    ready();
    const source = readBytePixels('image', image);
    const isOpenCv = readTable(options, table).backend === 'opencv';
    const picture = checkPixels(source);
    const { width, height } = picture;
    const data = newData(dtypes.uint8, width * height, undefined);
    const numbers = /** @type {const} */ ({ dtype: dtypes.uint8, channels: 'L', normalization: identity });
    const isPlanar = true; // one channel is the same in both orders
    convertPixels({ ...numbers, isOpenCv }, picture, isPlanar, bytesOf(data));
    return { data, width, height, channels: 1 };
  });
}
