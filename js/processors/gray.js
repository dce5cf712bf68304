/** Gray of RGB pictures, by each backend's weights, and what Nougat makes of it. */

/** @import { Image } from '../engine/types.js' */
/** @import { Backend, Rectangle } from './types.js' */

const { fround } = Math;
const [red, green, blue] = [0.2989, 0.587, 0.114].map(fround);

/** @type {(r: number, g: number, b: number) => number} float32 products and sums, truncated. */
const torchGray = (r, g, b) => Math.trunc(fround(fround(fround(r * red) + fround(g * green)) + fround(b * blue)));

/** @type {(r: number, g: number, b: number) => number} */
const pillowGray = (r, g, b) => (19595 * r + 38470 * g + 7471 * b + 0x8000) >> 16;

/** @type {(image: Image, backend: Backend) => Uint8Array} */
export function luma({ data, width, height, channels, rowstride }, backend) {
  const gray = new Uint8Array(width * height);
  const of = backend === 'pil' ? pillowGray : torchGray;
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0, at = y * rowstride; x < width; x++, at += channels, i++)
      gray[i] = of(data[at], data[at + 1], data[at + 2]);
  }
  return gray;
}

/** @type {(image: Image) => boolean} */
export function isGray({ data, width, height, channels, rowstride }) {
  for (let y = 0; y < height; y++) {
    for (let x = 0, at = y * rowstride; x < width; x++, at += channels)
      if (data[at] !== data[at + 1] || data[at] !== data[at + 2]) return false;
  }
  return true;
}

/** Nougat: what is darker than this, when the grays are stretched to 0 to 255, is no margin. */
const threshold = 200;

/** @type {(image: Image, backend: Backend) => Rectangle} */
export function nougatMargin(image, backend) {
  const { width, height } = image;
  const gray = luma(image, backend);
  let [least, most] = [255, 0];
  for (const value of gray) [least, most] = [Math.min(least, value), Math.max(most, value)];
  if (least === most) return { x: 0, y: 0, width, height };
  // torchvision computes in float32, Pillow's backend in float64.
  const rounded = backend === 'pil' ? Number : fround;
  const isDark = Array.from({ length: 256 }, (_, value) => {
    const share = rounded((value - least) / (most - least));
    return rounded(share * 255) < threshold;
  });
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (!isDark[gray[i]]) continue;
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
    }
  }
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}
