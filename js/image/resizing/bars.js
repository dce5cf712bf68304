/** Rectangles of pixels: what two of them share, how one is copied, and how what lies around it is filled. */

/** @import { Image } from '../../engines/images/types.js' */
/** @import { Size, Window } from '../types.js' */

/** The part that two rectangles share; of width and height 0 if they have no common pixel.
 * @type {(a: Window, b: Window) => Window} */
export function commonWindow(a, b) {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : { x, y, width: 0, height: 0 };
}

/** Copies the pixels of a window of `source` to `target`, where the first of them goes to `corner`. Both have as many
 * channels, of a byte each; the window lies within both.
 * @type {(target: Image, source: Image, window: Window, corner: { x: number, y: number }) => void} */
export function copyWindow(target, source, { x, y, width, height }, corner) {
  const pixelBytes = source.channels;
  for (let row = 0; row < height; row++) {
    const from = (y + row) * source.rowstride + x * pixelBytes;
    const to = (corner.y + row) * target.rowstride + corner.x * pixelBytes;
    target.data.set(source.data.subarray(from, from + width * pixelBytes), to);
  }
}

/** Fills a picture outside of `window` with one color. `row`: a whole row of pixels of this color, from which they are
 * copied; `stride`: bytes from a row of the picture to the next
 * @type {(bytes: Uint8Array, stride: number, row: Uint8Array, size: Size, window: Window) => void} */
export function fillAround(bytes, stride, row, size, { x, y, width, height }) {
  const pixelBytes = row.length / size.width;
  const leftEnd = x * pixelBytes;
  const rightStart = (x + width) * pixelBytes;
  for (let rowIndex = 0; rowIndex < size.height; rowIndex++) {
    const rowStart = rowIndex * stride;
    const isInWindow = rowIndex >= y && rowIndex < y + height;
    if (isInWindow) {
      if (leftEnd > 0) bytes.set(row.subarray(0, leftEnd), rowStart);
      if (rightStart < row.length) bytes.set(row.subarray(rightStart), rowStart + rightStart);
    } else {
      bytes.set(row, rowStart);
    }
  }
}

/** A row of `count` equal pixels. `pixel`: its bytes @type {(pixel: ArrayLike<number>, count: number) => Uint8Array} */
export function rowOf(pixel, count) {
  const row = new Uint8Array(pixel.length * count);
  if (count > 0) row.set(pixel);
  // Each step doubles the pixels that are there.
  for (let done = pixel.length; done < row.length; done *= 2) row.copyWithin(done, 0, done);
  return row;
}
