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
 * Where a channel of the result comes from: a byte of the pixel, by its index; `opaque`, which is 255 whatever the
 * pixel; or `luma`, which is made of red, green and blue.
 * @typedef {number | 'opaque' | 'luma'} ChannelSource
 */

/**
 * What is made of an image, one entry a channel of the result.
 * @typedef {object} Channels
 * @property {readonly ChannelSource[]} sources
 * @property {readonly number[]} scale
 * @property {readonly number[]} mean
 * @property {readonly number[]} std
 */

/**
 * Makes numbers of an image's bytes. See cpp/image/pixels.h.
 * @param {string} name of the public function that was called
 * @param {DType} to
 * @param {Image} image
 * @param {Channels} channels of the result
 * @param {boolean} planar whether each channel is a plane; otherwise a pixel's channels lie side by side
 * @param {Uint8Array} destination exactly the bytes of the result
 */
export function pixelBytes(name, to, image, channels, planar, destination) {
  const { pixels } = ready(name);
  writeChannels(name, channels);
  const { data, channels: sourceChannels, rowstride } = image;
  const size = image.width * image.height;
  const width = rowstride === image.width * sourceChannels ? size : image.width;
  const count = channels.sources.length;
  const planes = planar ? count : 1;
  const element = (to.bits / 8) * (planar ? 1 : count);
  // Multiples of 64 pixels, so that all planes are staged at the same place of a line.
  const step = 64 * Math.floor(conversionBytes / (64 * Math.max(sourceChannels, planes * element)));
  const front = placeInLine(data, 0);
  const first = destinationByte + placeInLine(destination, 0);
  const stride = planar ? step * element + 64 : 0;
  /** @type {Uint8Array[]} */
  let views = [];
  for (let done = 0; done < size; done += step) {
    const some = Math.min(step, size - done);
    for (let at = done; at < done + some;) {
      const column = at % width;
      const run = Math.min(width - column, done + some - at);
      const from = ((at - column) / width) * rowstride + column * sourceChannels;
      scratch.set(bytesBetween(data, from, from + run * sourceChannels), front + (at - done) * sourceChannels);
      at += run;
    }
    // The last piece may be shorter.
    if (done === 0 || some < step) views = planeViews(planes, first, stride, some * element);
    pixels(to.code, sourceChannels, count, stride, scratchByte + front, scratchByte + first, some);
    for (let plane = 0; plane < planes; plane++) destination.set(views[plane], (plane * size + done) * element);
  }
}

/**
 * Writes what is made of each channel for the module to read.
 * @type {(name: string, channels: Channels) => void}
 */
function writeChannels(name, { sources, scale, mean, std }) {
  const { opaque, luma } = ready(name);
  for (let c = 0; c < sources.length; c++) {
    const source = sources[c];
    channelBlock[4 * c] = source === 'opaque' ? opaque : source === 'luma' ? luma : source;
    channelBlock[4 * c + 1] = scale[c];
    channelBlock[4 * c + 2] = mean[c];
    channelBlock[4 * c + 3] = std[c];
  }
}

/** @type {(planes: number, first: number, stride: number, bytes: number) => Uint8Array[]} */
const planeViews = (planes, first, stride, bytes) =>
  Array.from({ length: planes }, (_, plane) =>
    bytesBetween(scratch, first + plane * stride, first + plane * stride + bytes),
  );
