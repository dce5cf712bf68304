/** Pixels in memory, as the caller hands them in: `{ data, width, height }`. */
import { bytesOf, lengthOf, show, showClass, typedArrayName, wrongKind, wrongValue } from '../arguments/index.js';
import { readExtent } from './size.js';

/** @import { Image } from '../engine/index.js' */
/** @import { Size } from './size.js' */

/**
 * Interleaved bytes, as ImageData, sharp, pngjs and jpeg-js have them: grey, RGB or RGBA.
 * @typedef {object} Pixels
 * @property {Uint8Array | Uint8ClampedArray} data row after row
 * @property {number} width in pixels
 * @property {number} height in pixels
 * @property {number} [channels] 1, 3 or 4; follows from the length of data if omitted
 * @property {number} [rowstride] bytes from one row to the next; `width * channels` if omitted
 */

/**
 * Pixels of which every property was read; the length of the data is not checked yet.
 * @typedef {Size & { argument: string, data: Uint8Array | Uint8ClampedArray, channels?: number, rowstride?: number
 *   }} PixelSource
 */

/**
 * Reads pixels, each property once.
 * @param {string} prefix
 * @param {string} argument
 * @param {any} value
 * @returns {PixelSource}
 */
export function readPixels(prefix, argument, value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) {
    wrongKind(prefix, `${argument} must be an image { data, width, height }, got ${showClass(value)}`);
  }
  const { data, width, height, channels, rowstride } = value;
  const name = typedArrayName(data);
  if (name !== 'Uint8Array' && name !== 'Uint8ClampedArray')
    wrongKind(prefix, `${argument} data must be a Uint8Array or Uint8ClampedArray, got ${showClass(data)}`);
  const source = {
    argument,
    data,
    width: readExtent(prefix, `${argument} width`, width),
    height: readExtent(prefix, `${argument} height`, height),
  };
  if (channels === undefined) {
    if (rowstride !== undefined) wrongKind(prefix, `${argument} channels must stand beside rowstride, got undefined`);
    return source;
  }
  if (channels !== 1 && channels !== 3 && channels !== 4) {
    const wrong = typeof channels === 'number' || typeof channels === 'bigint' ? wrongValue : wrongKind;
    wrong(prefix, `${argument} channels must be 1, 3 or 4, got ${show(channels)}`);
  }
  if (rowstride === undefined) return { ...source, channels };
  const stride = readExtent(prefix, `${argument} rowstride`, rowstride);
  if (stride < source.width * channels)
    wrongValue(prefix, `${argument} rowstride must be at least ${source.width * channels}, got ${stride}`);
  return { ...source, channels, rowstride: stride };
}

/**
 * Checks the length of the data. Call this when no more code of the caller's can run: a getter could shrink the memory.
 * @param {string} prefix
 * @param {PixelSource} source
 * @returns {Image}
 */
export function checkPixels(prefix, { argument, data, width, height, channels, rowstride }) {
  const length = lengthOf(data);
  const size = width * height;
  const perPixel = channels ?? length / size;
  if (channels === undefined && ![1, 3, 4].includes(perPixel)) {
    wrongValue(
      prefix,
      `${argument} data of ${width} x ${height} pixels has ${size}, ${3 * size} or ${4 * size} bytes, got ${length}`,
    );
  }
  const rowBytes = width * perPixel;
  const stride = rowstride ?? rowBytes;
  // The last row may lack its padding.
  if (length !== stride * height && length !== stride * (height - 1) + rowBytes) {
    wrongValue(prefix, `${argument} data of ${width} x ${height} pixels has ${stride * height} bytes, got ${length}`);
  }
  return { data: bytesOf(data), width, height, channels: perPixel, rowstride: stride };
}
