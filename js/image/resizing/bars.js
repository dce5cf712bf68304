/** The bars that a picture leaves in a larger one, and what two parts of a picture share. */

/** @import { Size } from './size.js' */

/** @typedef {Size & { x: number, y: number }} Window a part of a picture */

/**
 * What two parts of a picture share.
 * @param {Window} a
 * @param {Window} b
 * @returns {Window} without width and height where they share nothing
 */
export function commonWindow(a, b) {
  const [x, y] = [Math.max(a.x, b.x), Math.max(a.y, b.y)];
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : { x, y, width: 0, height: 0 };
}

/**
 * Fills what lies around a part of a picture.
 * @param {Uint8Array} bytes from the picture's first byte on
 * @param {number} stride bytes from one row to the next
 * @param {Uint8Array} row a whole row of the bars
 * @param {Size} size of the picture
 * @param {Window} window what is left alone
 */
export function fillAround(bytes, stride, row, size, { x, y, width, height }) {
  const element = row.length / size.width;
  const [left, right] = [x * element, (x + width) * element];
  for (let i = 0; i < size.height; i++) {
    const at = i * stride;
    if (i < y || i >= y + height) {
      bytes.set(row, at);
    } else {
      if (left > 0) bytes.set(row.subarray(0, left), at);
      if (right < row.length) bytes.set(row.subarray(right), at + right);
    }
  }
}

/**
 * Repeats a pixel.
 * @param {ArrayLike<number>} pixel the bytes of a pixel, or of one number
 * @param {number} count
 * @returns {Uint8Array} as many of them
 */
export function rowOf(pixel, count) {
  const row = new Uint8Array(pixel.length * count);
  if (count > 0) row.set(pixel);
  for (let done = pixel.length; done < row.length; done *= 2) row.copyWithin(done, 0, done);
  return row;
}
