/** From an image's bytes to numbers in the order that the result has. */
import { pixelBytes } from '../engine/index.js';
import { dtypes, newData } from '../tensor/index.js';
import { channelSources } from './layout.js';
import { identity } from './normalization.js';

/** @import { Image } from '../engine/index.js' */
/** @import { Call } from './options.js' */

/**
 * Converts one image into its part of the result.
 * @param {Pick<Call, 'prefix' | 'dtype' | 'channels' | 'normalization'>} call
 * @param {Image} image
 * @param {boolean} isPlanar whether each channel is a plane; otherwise a pixel's channels lie side by side
 * @param {Uint8Array} destination exactly the bytes of the result
 */
export function convertPixels({ prefix, dtype, channels, normalization }, image, isPlanar, destination) {
  const sources = channelSources[channels][/** @type {1 | 3 | 4} */ (image.channels)];
  pixelBytes(prefix, dtype, image, { sources, ...normalization }, isPlanar, destination);
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
