/** Gray of RGB pictures, by each backend's weights, and what Nougat makes of it. */

import { extremesOf, pixelBytes } from '../../engines/images/index.js';
import { dtypes, newData } from '../../tensor/index.js';

/** @import { Image } from '../../engines/images/types.js' */
/** @import { Backend, Rectangle } from '../types.js' */

const { fround } = Math;

/** The grays of an RGB image, a byte a pixel, by Pillow's or torchvision's weights.
 * @type {(image: Image, backend: Backend) => Uint8Array} */
export function luma(image, backend) {
  const gray = newData(dtypes.uint8, image.width * image.height, undefined);
  const sources = /** @type {const} */ ([backend === 'pil' ? 'luma' : 'torchLuma']);
  const channels = { sources, scale: [1], mean: [0], std: [1] }; // which leave grays as they are
  pixelBytes(image, { dtype: dtypes.uint8, channels, isPlanar: false, destination: gray, size: gray.length });
  return gray;
}

/** Nougat's limit: pixels with a gray below it are no margin. */
const threshold = 200;

const unrounded = (/** @type {number} */ value) => value;

/** Finds the part of a page without its light margin, as Nougat's `crop_margin` does: the smallest rectangle that holds
 * all pixels below the threshold, after the grays are stretched to 0 to 255. A page of one gray is all of it.
 * @type {(image: Image, backend: Backend) => Rectangle} */
export function nougatMargin(image, backend) {
  const { width, height } = image;
  const grays = luma(image, backend);
  const [lowest, highest] = extremesOf(grays);
  if (lowest === highest) return { x: 0, y: 0, width, height };
  // torchvision computes in float32, Pillow's backend in float64.
  const rounded = backend === 'pil' ? unrounded : fround;
  const isDark = Array.from({ length: 256 }, (_, gray) => {
    const share = rounded((gray - lowest) / (highest - lowest));
    const stretched = rounded(share * 255);
    return stretched < threshold;
  });
  return darkRectangle(grays, width, isDark);
}

/** The smallest rectangle that holds all dark pixels, of which there is one at least. `isDark`: of each gray 0 to 255
 * whether it counts as dark
 * @type {(grays: Uint8Array, width: number, isDark: readonly boolean[]) => Rectangle} */
function darkRectangle(grays, width, isDark) {
  const height = grays.length / width;
  let left = width;
  let top = height;
  let lastColumn = 0;
  let lastRow = 0;
  for (let y = 0; y < height; y++) {
    const row = grays.subarray(y * width, (y + 1) * width);
    let first = 0;
    while (first < width && !isDark[row[first]]) first++;
    if (first === width) continue;
    let last = width - 1;
    while (!isDark[row[last]]) last--;
    left = Math.min(left, first);
    top = Math.min(top, y);
    lastColumn = Math.max(lastColumn, last);
    lastRow = y; // rows come from the top down
  }
  return { x: left, y: top, width: lastColumn - left + 1, height: lastRow - top + 1 };
}
