/** Making numbers of an image's bytes, piece by piece through the scratch area. */
import { bytesBetween } from '../arguments/index.js';
import { conversionBytes } from './convert.js';
import { checkMemory } from './memory.js';
import { channelBlock, destinationByte, placeInLine, ready, scratch, scratchByte, tableBlock } from './module.js';
import { resizePixels } from './resize.js';

/** @import { DType } from '../tensor/index.js' */
/** @import { Image, Resizing } from './resize.js' */

/**
 * Where a channel of the result comes from: a byte of the pixel, by its index; `opaque`, which is 255 whatever the
 * pixel; or `luma`, which is made of red, green and blue by Pillow's weights, as `openCvLuma`
 * by OpenCV's.
 * @typedef {number | 'opaque' | 'luma' | 'openCvLuma'} ChannelSource
 */

/**
 * What is made of an image, one entry a channel of the result: a formula, or tables.
 * @typedef {object} Channels
 * @property {readonly ChannelSource[]} sources
 * @property {readonly number[]} [scale] of the formula, as `mean` and `std`
 * @property {readonly number[]} [low] what a factor of float64 has below `scale`: x becomes `x * scale + x * low`
 * @property {readonly number[]} [mean]
 * @property {readonly number[]} [std]
 * @property {Uint8Array} [tables] in place of the formula: for each channel the 256 numbers that bytes become, in the
 *   format of the result
 */

/**
 * What is made of an image's pixels, and where it goes.
 * @typedef {object} PixelNumbers
 * @property {DType} dtype
 * @property {Channels} channels
 * @property {boolean} isPlanar whether each channel is a plane; otherwise a pixel's channels lie side by side
 * @property {Uint8Array} destination exactly the bytes of the result
 * @property {number} size pixels of the result
 */

/**
 * Makes numbers of an image's bytes. See cpp/image/pixels.h.
 * @param {Image} image of as many pixels as the result
 * @param {PixelNumbers} numbers
 */
export function pixelBytes(image, numbers) {
  const convert = converter(image.channels, numbers, destinationByte);
  const { data, channels, rowstride } = image;
  const { step } = convert;
  const { size } = numbers;
  const last = (size - 1) % image.width;
  if (size > 0) checkMemory('read', data, ((size - 1 - last) / image.width) * rowstride + (last + 1) * channels);
  const width = rowstride === image.width * channels ? size : image.width;
  const front = placeInLine(data, 0);
  for (let done = 0; done < size; done += step) {
    const some = Math.min(step, size - done);
    for (let at = done; at < done + some;) {
      const column = at % width;
      const run = Math.min(width - column, done + some - at);
      const from = ((at - column) / width) * rowstride + column * channels;
      scratch.set(bytesBetween(data, from, from + run * channels), front + (at - done) * channels);
      at += run;
    }
    convert(front, done, some);
  }
}

/**
 * Makes numbers of pixels while they are resized.
 * @param {Resizing} resizing
 * @param {PixelNumbers} numbers
 * @param {{ x: number, y: number, width: number }} frame where the resized picture lies in the result, and the result's
 *   width
 */
export function resizedPixelBytes(resizing, numbers, { x, y, width }) {
  const { channels } = resizing.image;
  const convert = converter(channels, numbers, scratch.length - ready().emitBytes);
  resizePixels(resizing, (at, row, rows, column, columns) => {
    // Rows of the result's whole width are one run.
    const [runs, length] = columns === width ? [1, rows * columns] : [rows, columns];
    for (let i = 0; i < runs; i++) {
      const first = (y + row + i) * width + x + column;
      for (let done = 0; done < length; done += convert.step) {
        const some = Math.min(convert.step, length - done);
        convert(at + (i * length + done) * channels, first + done, some);
      }
    }
  });
}

/**
 * Makes the function that turns pixels in the scratch area into numbers of the result.
 * @param {number} sourceChannels
 * @param {PixelNumbers} numbers
 * @param {number} area where the numbers may lie in the scratch area on their way
 * @returns {((at: number, first: number, count: number) => void) & { step: number }} takes the place of the pixels in
 *   the scratch area, the result's first pixel, and how many there are, at most `step`
 */
function converter(sourceChannels, { dtype, channels, isPlanar, destination, size }, area) {
  const { lookUp, pixels } = ready();
  writeChannels(channels);
  const count = channels.sources.length;
  const planes = isPlanar ? count : 1;
  const element = (dtype.bits / 8) * (isPlanar ? 1 : count);
  // Multiples of 64 pixels, so that all planes are staged at the same place of a line.
  const step = 64 * Math.floor(conversionBytes / (64 * Math.max(sourceChannels, planes * element)));
  checkMemory('written', destination, (size * count * dtype.bits) / 8);
  const first = area + placeInLine(destination, 0);
  const stride = isPlanar ? step * element + 64 : 0;
  /** @type {Uint8Array[]} */
  let views = [];
  let viewed = 0;
  /** @type {(at: number, to: number, some: number) => void} */
  const convert = (at, to, some) => {
    if (viewed !== some) {
      views = planeViews(planes, first, stride, some * element);
      viewed = some;
    }
    if (channels.tables)
      lookUp(dtype.bits / 8, sourceChannels, count, stride, scratchByte + at, scratchByte + first, some);
    else pixels(dtype.code, sourceChannels, count, stride, scratchByte + at, scratchByte + first, some);
    for (let plane = 0; plane < planes; plane++) destination.set(views[plane], (plane * size + to) * element);
  };
  return Object.assign(convert, { step });
}

/**
 * Writes what is made of each channel for the module to read.
 * @type {(channels: Channels) => void}
 */
function writeChannels({ sources, scale, low, mean, std, tables }) {
  const codes = ready();
  if (tables) tableBlock.set(tables);
  for (let c = 0; c < sources.length; c++) {
    const source = sources[c];
    channelBlock[5 * c] = typeof source === 'string' ? codes[source] : source;
    if (!scale || !mean || !std) continue;
    channelBlock[5 * c + 1] = scale[c];
    channelBlock[5 * c + 2] = mean[c];
    channelBlock[5 * c + 3] = std[c];
    // -0 changes no product, not even one of -0.
    channelBlock[5 * c + 4] = low ? low[c] : -0;
  }
}

/** @type {(planes: number, first: number, stride: number, bytes: number) => Uint8Array[]} */
const planeViews = (planes, first, stride, bytes) =>
  Array.from({ length: planes }, (_, plane) =>
    bytesBetween(scratch, first + plane * stride, first + plane * stride + bytes),
  );
