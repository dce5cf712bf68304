/** Making numbers of an image's bytes, piece by piece through the scratch area. */
import { bytesBetween } from '../arguments/index.js';
import { conversionBytes } from './convert.js';
import { channelBlock, destinationByte, placeInLine, ready, scratch, scratchByte } from './module.js';

/** @import { DType } from '../tensor/index.js' */

/**
 * An image: interleaved bytes, row after row.
 * @typedef {object} Image
 * @property {Uint8Array} data
 * @property {number} width
 * @property {number} height
 * @property {number} channels bytes of a pixel: 1, 3 or 4
 * @property {number} rowstride bytes from one row to the next
 */

/**
 * Makes numbers of an image's bytes, cpp/pixels.h says how.
 * @param {string} name of the function that is called
 * @param {DType} to
 * @param {Image} image
 * @param {readonly number[]} channels of the result: source, scale, mean, std of each
 * @param {boolean} planar
 * @param {Uint8Array} destination of exactly the result's bytes
 */
export function pixelBytes(name, to, image, channels, planar, destination) {
  const { pixels } = ready(name);
  channelBlock.set(channels);
  const { data, channels: sourceChannels, rowstride } = image;
  const size = image.width * image.height;
  const width = rowstride === image.width * sourceChannels ? size : image.width;
  const count = channels.length / 4;
  const planes = planar ? count : 1;
  const element = (to.bits / 8) * (planar ? 1 : count);
  // Multiples of 64 pixels, so that all planes are staged alike in their lines.
  const step = 64 * Math.floor(conversionBytes / (64 * Math.max(sourceChannels, planes * element)));
  const front = placeInLine(data, 0);
  const first = destinationByte + placeInLine(destination, 0);
  const stride = planar ? step * element + 64 : 0;
  /** @type {Uint8Array[]} */
  const views = [];
  for (let done = 0; done < size; done += step) {
    const some = Math.min(step, size - done);
    for (let at = done, run = 0; at < done + some; at += run) {
      const column = at % width;
      run = Math.min(width - column, done + some - at);
      const from = ((at - column) / width) * rowstride + column * sourceChannels;
      scratch.set(bytesBetween(data, from, from + run * sourceChannels), front + (at - done) * sourceChannels);
    }
    if (done === 0 || some < step) {
      views.length = 0;
      for (let plane = 0; plane < planes; plane++)
        views.push(bytesBetween(scratch, first + plane * stride, first + plane * stride + some * element));
    }
    pixels(to.code, sourceChannels, count, stride, scratchByte + front, scratchByte + first, some);
    for (let plane = 0; plane < planes; plane++) destination.set(views[plane], (plane * size + done) * element);
  }
}
