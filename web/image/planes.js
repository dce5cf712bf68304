/** Channel planes as gray pictures. No DOM. */
import { thinOut } from '../shared/pictures/thin.js';

/** @typedef {import('../shared/pictures/thin.js').Picture} Picture */

/**
 * One channel of interleaved RGBA pixels as gray RGBA pixels, thinned out for a thumbnail.
 * @param {Picture} image
 * @param {number} channel of the four
 * @param {number} most the greatest number of pixels on the longer side of the result
 * @returns {Picture}
 */
export function grayPlane(image, channel, most) {
  const plane = thinOut(image, most);
  const { data } = plane;
  for (let i = 0; i < data.length; i += 4) {
    data.fill(data[i + channel], i, i + 3);
    data[i + 3] = 255;
  }
  return plane;
}

/**
 * For each channel of a tensor, the index of that channel in RGBA pixels.
 * @param {'RGB' | 'BGR' | 'RGBA' | 'L'} channels
 */
export const channelIndices = (channels) =>
  [...channels].map((letter) => (letter === 'L' ? 0 : 'RGBA'.indexOf(letter)));
