/** Converting elements: a tensor's or an image's bytes pass through the scratch area piece by piece, and the wasm module makes others of them. */
import { bytesBetween } from '../arguments/index.js';
import { channelBlock, inLine, ready, scratch, scratchBit, stagedAt } from './heap.js';

/** @import { DType } from '../tensor/index.js' */

/**
 * Bytes of a piece on the wider side of a conversion, a multiple of 64. Copies of this length are faster than shorter ones (of 240 KiB: up to 3 %),
 * and both sides lie in a second-level cache: with 960 KiB, packed integers take 6 to 8 % longer, with 2 MiB images
 * 4 to 14 %.
 */
const conversionBytes = 480 * 2 ** 10;

/**
 * Converts elements from one number format to another.
 * @param {string} name of the function that is called
 * @param {DType} from
 * @param {DType} to
 * @param {number} size in elements
 * @param {Uint8Array} source
 * @param {Uint8Array} destination
 * @param {number} [flags]
 */
export function convertBytes(name, from, to, size, source, destination, flags = 0) {
  const { convert } = ready(name);
  // A multiple of 8: pieces begin at whole bytes in packed formats too.
  const step = (8 * conversionBytes) / Math.max(from.bits, to.bits);
  const front = inLine(source, 0);
  const first = stagedAt(destination, 0);
  for (let done = 0; done < size; done += step) {
    const count = Math.min(step, size - done);
    scratch.set(bytesBetween(source, (done * from.bits) / 8, Math.ceil(((done + count) * from.bits) / 8)), front);
    convert(from.code, to.code, scratchBit / 8 + front, scratchBit / 8 + first, count, flags);
    destination.set(bytesBetween(scratch, first, first + Math.ceil((count * to.bits) / 8)), (done * to.bits) / 8);
  }
}

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
  const front = inLine(data, 0);
  const first = stagedAt(destination, 0);
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
    pixels(to.code, sourceChannels, count, stride, scratchBit / 8 + front, scratchBit / 8 + first, some);
    for (let plane = 0; plane < planes; plane++) destination.set(views[plane], (plane * size + done) * element);
  }
}
