/** Gray of RGB pictures, by each backend's weights, and what Nougat makes of it. */

import { extremesOf, pixelBytes } from '../../engines/images/index.js';
import { dtypes, newData } from '../../tensor/index.js';

/** @import { Image } from '../../engines/images/types.js' */
/** @import { Backend, Rectangle } from '../types.js' */

const { fround } = Math;

/** The gray of a picture's pixels, by the weights of the backend.
 * @type {(image: Image, backend: Backend) => Uint8Array} */
export function luma(image, backend) {
  const gray = newData(dtypes.uint8, image.width * image.height, undefined);
  const sources = /** @type {const} */ ([backend === 'pil' ? 'luma' : 'torchLuma']);
  const channels = { sources, scale: [1], mean: [0], std: [1] };
  pixelBytes(image, { dtype: dtypes.uint8, channels, isPlanar: false, destination: gray, size: gray.length });
  return gray;
}

/** Nougat: what is darker than this, when the grays are stretched to 0 to 255, is no margin. */
const threshold = 200;

/** The rectangle of a picture without its light margin, as Nougat finds it: grays are stretched to 0 to 255, and those
 * below 200 are no margin.
 * @type {(image: Image, backend: Backend) => Rectangle} */
export function nougatMargin(image, backend) {
  const { width, height } = image;
  const gray = luma(image, backend);
  const [lowest, highest] = extremesOf(gray);
  if (lowest === highest) return { x: 0, y: 0, width, height };
  // torchvision computes in float32, Pillow's backend in float64.
  const rounded = backend === 'pil' ? Number : fround;
  const isDark = Array.from(
    { length: 256 },
    (_, value) => rounded(rounded((value - lowest) / (highest - lowest)) * 255) < threshold,
  );
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0; y < height; y++) {
    const row = gray.subarray(y * width, (y + 1) * width);
    let [first, last] = [0, width - 1];
    while (first < width && !isDark[row[first]]) first++;
    if (first === width) continue;
    while (!isDark[row[last]]) last--;
    left = Math.min(left, first);
    top = Math.min(top, y);
    right = Math.max(right, last);
    bottom = y;
  }
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}
