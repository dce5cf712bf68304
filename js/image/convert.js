/** From an image's bytes to numbers in the order that the result has. */
import { pixelBytes, resizedPixelBytes } from '../engine/index.js';
import { dtypes, newData } from '../tensor/index.js';
import { channelSources } from './layout.js';
import { identity } from './normalization.js';

/** @import { Image, PixelNumbers, Resizing } from '../engine/index.js' */
/** @import { Call } from './options.js' */
/** @import { Size } from './size.js' */

/** @typedef {Pick<Call, 'prefix' | 'dtype' | 'channels' | 'normalization'>} Numbers */

/**
 * Converts one image into its part of the result.
 * @param {Numbers} call
 * @param {Image} image
 * @param {boolean} isPlanar whether each channel is a plane; otherwise a pixel's channels lie side by side
 * @param {Uint8Array} destination exactly the bytes of the result
 */
export function convertPixels(call, image, isPlanar, destination) {
  pixelBytes(call.prefix, image, numbersOf(call, image, image, isPlanar, destination));
}

/**
 * Resizes one image and converts it into its part of the result, in one pass.
 * @param {Numbers} call
 * @param {Resizing} resizing
 * @param {Size & { x: number, y: number }} frame the size of the result, and where the resized image lies in it
 * @param {boolean} isPlanar as above
 * @param {Uint8Array} destination exactly the bytes of the result
 */
export function convertResized(call, resizing, frame, isPlanar, destination) {
  const numbers = numbersOf(call, resizing.image, frame, isPlanar, destination);
  resizedPixelBytes(call.prefix, resizing, numbers, frame);
}

/**
 * Fills the result with one colour.
 * @param {Numbers} call
 * @param {readonly number[]} colour red, green, blue and alpha
 * @param {boolean} isPlanar as above
 * @param {Uint8Array} destination exactly the bytes of the result
 */
export function fillColour(call, colour, isPlanar, destination) {
  const image = { data: Uint8Array.from(colour), width: 1, height: 1, channels: 4, rowstride: 4 };
  const pixel = new Uint8Array((call.channels.length * call.dtype.bits) / 8);
  convertPixels(call, image, false, pixel);
  const parts = isPlanar ? call.channels.length : 1;
  const [part, element] = [destination.length / parts, pixel.length / parts];
  for (let i = 0; i < parts; i++) {
    const plane = destination.subarray(i * part, (i + 1) * part);
    plane.set(pixel.subarray(i * element, (i + 1) * element));
    for (let done = element; done < part; done *= 2) plane.copyWithin(done, 0, Math.min(done, part - done));
  }
}

/** @type {(call: Numbers, image: Image, size: Size, isPlanar: boolean, destination: Uint8Array) => PixelNumbers} */
function numbersOf({ dtype, channels, normalization }, image, { width, height }, isPlanar, destination) {
  const sources = channelSources[channels][/** @type {1 | 3 | 4} */ (image.channels)];
  return { dtype, channels: { sources, ...normalization }, isPlanar, destination, size: width * height };
}

/**
 * An image's pixels as a canvas takes them.
 * @param {string} prefix
 * @param {Image} image
 * @returns {Uint8Array} RGBA, rows without padding
 */
export function rgbaOf(prefix, image) {
  const bytes = newData(prefix, dtypes.uint8, 4 * image.width * image.height, undefined);
  convertPixels({ prefix, dtype: dtypes.uint8, channels: 'RGBA', normalization: identity }, image, false, bytes);
  return bytes;
}
