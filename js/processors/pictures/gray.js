/** Gray of RGB pictures, by each backend's weights, and what Nougat makes of it. */

import { extremesOf, pixelBytes } from '../../engines/images/index.js';
import { dtypes, newData } from '../../tensor/index.js';

/** @import { Image } from '../../engines/images/types.js' */
/** @import { Backend, Rectangle } from '../types.js' */

const { fround } = Math;

/** The grays of an RGB image, a byte a pixel, row by row, by Pillow's or torchvision's weights of red, green and blue.
 * @type {(image: Image, backend: Backend) => Uint8Array} */
export function luma(image, backend) {
  const gray = newData(dtypes.uint8, image.width * image.height, undefined);
  const sources = /** @type {const} */ ([backend === 'pil' ? 'luma' : 'torchLuma']);
  // The formula (x * scale - mean) / std with numbers that change nothing.
  const channels = { sources, scale: [1], mean: [0], std: [1] };
  pixelBytes(image, { dtype: dtypes.uint8, channels, isPlanar: false, destination: gray, size: gray.length });
  return gray;
}

/** Nougat's limit: pixels with a gray below it are no margin, after grays are stretched to 0 to 255. */
const threshold = 200;

/** Finds the part of a page without its light margin, as Nougat's `crop_margin` does: the smallest rectangle that holds
 * all pixels below 200, after the grays are stretched so that the darkest is 0, which is one of them, and the lightest
 * 255.
 * @type {(image: Image, backend: Backend) => Rectangle} */
export function nougatMargin(image, backend) {
  const { width, height } = image;
  const gray = luma(image, backend);
  const [lowest, highest] = extremesOf(gray);
  // A page of one gray is kept as it is.
  if (lowest === highest) return { x: 0, y: 0, width, height };
  // torchvision computes in float32, Pillow's backend in float64.
  const rounded = backend === 'pil' ? Number : fround;
  const isDark = Array.from(
    { length: 256 },
    (_, value) => rounded(rounded((value - lowest) / (highest - lowest)) * 255) < threshold,
  );
  // `right` and `bottom` are the last column and row of the rectangle.
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0; y < height; y++) {
    const row = gray.subarray(y * width, (y + 1) * width);
    // The first and the last dark pixel of the row; a row without one adds nothing.
    let [first, last] = [0, width - 1];
    while (first < width && !isDark[row[first]]) first++;
    if (first === width) continue;
    // Ends at `first` at the latest.
    while (!isDark[row[last]]) last--;
    left = Math.min(left, first);
    top = Math.min(top, y);
    right = Math.max(right, last);
    bottom = y;
  }
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}
