/** Making numbers of an image's bytes, and bytes of numbers, piece by piece through the module's memory. The settings
 * of a call are written to `callBlock`, from which the kernel reads them. */
import * as cpp from '../../../dist/bridge/images.js';
import { bytesBetween } from '../../arguments/index.js';
import { checkMemory } from '../memory/index.js';
import { conversionBytes, lineBytes, placeInLine } from '../tensors/index.js';
import { dtypes } from '../../tensor/index.js';
import { ready } from './load.js';
import { area, callBlock, callFloats, scratch, tableBlock } from './module.js';
import { resizePixels, startPlan } from './resize.js';

/** @import { DType } from '../../tensor/index.js' */
/** @import { Channels, Image, OpaqueImage, PixelNumbers, Resizing } from './types.js' */

/** Bytes of memory for a piece of the source, so that the result's begins half a page behind a whole one: see
 * `destinationByte`. */
const sourceBytes = conversionBytes + 2048;
/** Bytes of memory for what a piece becomes: planes lie 64 bytes apart. */
const resultBytes = conversionBytes + 4 * 64 + 2 * lineBytes;

/** Makes numbers of the first `numbers.size` pixels of an image, row after row, and writes them to the destination. See
 * cpp/image/pixels.h.
 * @type {(image: Image, numbers: PixelNumbers) => void} */
export function pixelBytes(image, numbers) {
  // First, because `data` may be a getter that makes the picture, and uses the module's memory for it.
  const { data, channels, rowstride } = image;
  area.clear();
  const memory = area.space(sourceBytes);
  const convert = makeConverter(image, numbers);
  const { step } = convert;
  const { size } = numbers;
  // The column of the last pixel: its row may be read in part, and ends there.
  const last = (size - 1) % image.width;
  if (size > 0) checkMemory('read', data, ((size - 1 - last) / image.width) * rowstride + (last + 1) * channels);
  // Rows without gaps between them count as one long row.
  const width = rowstride === image.width * channels ? size : image.width;
  const front = memory + placeInLine(data, 0);
  const bytes = area.view(Uint8Array, front, conversionBytes);
  for (let done = 0; done < size; done += step) {
    const count = Math.min(step, size - done);
    for (let at = done; at < done + count;) {
      const column = at % width;
      const run = Math.min(width - column, done + count - at);
      const from = ((at - column) / width) * rowstride + column * channels;
      bytes.set(bytesBetween(data, from, from + run * channels), (at - done) * channels);
      at += run;
    }
    convert(front, done, count);
  }
}

/** Makes numbers of pixels of three bytes, `group` pixels at a time: each group becomes three planes of `group`
 * numbers, which follow those of the group before. As many groups as fit are converted by one call. `data` holds whole
 * groups.
 * @type {(data: Uint8Array, group: number, numbers: Pick<PixelNumbers, 'dtype' | 'channels' | 'destination'>) =>
 *   void} */
export function groupedPixelBytes(data, group, { dtype, channels, destination }) {
  const element = dtype.bits / 8;
  const pixels = data.length / 3;
  checkMemory('written', destination, data.length * element);
  const together = Math.floor(conversionBytes / (3 * element * group));
  const image = { width: group, height: 1, channels: 3, rowstride: 3 * group };
  // A single group is larger than a piece.
  if (together === 0) {
    for (let i = 0; i < data.length; i += 3 * group) {
      const part = bytesBetween(destination, i * element, (i + 3 * group) * element);
      const numbers = { dtype, channels, isPlanar: true, destination: part, size: group };
      pixelBytes({ ...image, data: bytesBetween(data, i, i + 3 * group) }, numbers);
    }
    return;
  }
  area.clear();
  const from = area.space(sourceBytes);
  const to = area.space(resultBytes) + placeInLine(destination, 0);
  const makeNumbers = writeStruct(image, dtype, channels);
  callBlock[cpp.pixelNumbersPlaneBytes] = group * element;
  callBlock[cpp.pixelNumbersSrc] = from;
  callBlock[cpp.pixelNumbersDst] = to;
  callBlock[cpp.pixelNumbersCount] = group;
  const bytes = area.view(Uint8Array, from, conversionBytes);
  for (let done = 0; done < pixels; done += together * group) {
    const end = Math.min(done + together * group, pixels);
    bytes.set(bytesBetween(data, 3 * done, 3 * end));
    makeNumbers((end - done) / group);
    destination.set(area.view(Uint8Array, to, 3 * (end - done) * element), 3 * done * element);
  }
}

/** Resizes a picture, and makes numbers of its pixels as soon as resizing gives them. `frame`: where the resized
 * picture begins in the result (x, y), and the result's width, in pixels.
 * @type {(resizing: Resizing, numbers: PixelNumbers, frame: { x: number, y: number, width: number }) => void} */
export function resizedPixelBytes(resizing, numbers, { x, y, width }) {
  const { channels } = resizing.image;
  startPlan();
  const convert = makeConverter(resizing.image, numbers);
  resizePixels(resizing, (at, row, rows, column, columns) => {
    // Rows that take the result's whole width follow one another: they are one run of pixels.
    const [runs, length] = columns === width ? [1, rows * columns] : [rows, columns];
    for (let i = 0; i < runs; i++) {
      const first = (y + row + i) * width + x + column;
      for (let done = 0; done < length; done += convert.step) {
        const count = Math.min(convert.step, length - done);
        convert(at + (i * length + done) * channels, first + done, count);
      }
    }
  });
}

/** Makes a function that turns `count` pixels at an address, at most `step` of them, into numbers, and writes these to
 * the destination from pixel `first` on. It takes memory of `area`. Most of the call's settings are written here once,
 * so no other call may write to `callBlock` while the function is in use.
 * @type {(source: Image | OpaqueImage, numbers: PixelNumbers) => ((at: number, first: number, count: number) => void) &
 *   { step: number }} */
function makeConverter(source, { dtype, channels, isPlanar, destination, size }) {
  const count = channels.sources.length;
  const planes = isPlanar ? count : 1;
  // Bytes of a pixel in a plane, which is the only one where a pixel's channels lie side by side.
  const element = (dtype.bits / 8) * (isPlanar ? 1 : count);
  // Multiples of 64 pixels, so that each plane begins at the same place of a cache line as the first.
  const step = 64 * Math.floor(conversionBytes / (64 * Math.max(source.channels, planes * element)));
  checkMemory('written', destination, (size * count * dtype.bits) / 8);
  // Bytes that stay as they are skip the kernel.
  if (dtype.name === 'uint8' && source.channels === 3 && !isPlanar && isIdentity(channels)) {
    /** @type {(at: number, to: number, pixels: number) => void} */
    const copy = (at, to, pixels) => destination.set(area.view(Uint8Array, at, 3 * pixels), 3 * to);
    return Object.assign(copy, { step });
  }
  const first = area.space(resultBytes) + placeInLine(destination, 0);
  const stride = isPlanar ? step * element + 64 : 0;
  const makeNumbers = writeStruct(source, dtype, channels);
  callBlock[cpp.pixelNumbersPlaneBytes] = stride;
  callBlock[cpp.pixelNumbersDst] = first;
  // Views of the planes of a piece, made anew only where a piece has another number of pixels: the last one.
  /** @type {Uint8Array[]} */
  let views = [];
  let viewed = 0;
  /** Makes numbers of `pixels` pixels at address `at`, and copies each plane of them to the destination.
   * @type {(at: number, to: number, pixels: number) => void} */
  const convert = (at, to, pixels) => {
    if (viewed !== pixels) {
      views = planeViews(planes, first, stride, pixels * element);
      viewed = pixels;
    }
    callBlock[cpp.pixelNumbersSrc] = at;
    callBlock[cpp.pixelNumbersCount] = pixels;
    makeNumbers(1);
    for (let plane = 0; plane < planes; plane++) destination.set(views[plane], (plane * size + to) * element);
  };
  return Object.assign(convert, { step });
}

/** Whether the three channels of the result are the bytes of the source, in their order and unchanged.
 * @type {(channels: Channels) => boolean} */
const isIdentity = ({ sources, scale, low, mean, std }) =>
  sources.length === 3 &&
  sources.every((source, c) => source === c && scale?.[c] === 1 && !low && mean?.[c] === 0 && std?.[c] === 1);

/** Writes the settings of a call to `callBlock`, without its addresses and counts. Returns the kernel that makes
 * numbers by them, for a number of groups of pixels: by tables, or by each channel's formula.
 * @type {(source: Omit<Image | OpaqueImage, 'data'>, dtype: PixelNumbers['dtype'], channels: Channels) => (groups:
 *   number) => void} */
function writeStruct(source, dtype, channels) {
  const { lookUp, pixels } = ready();
  callBlock[cpp.pixelNumbersTo] = dtype.code;
  callBlock[cpp.pixelNumbersSrcChannels] = source.channels;
  callBlock[cpp.pixelNumbersDstChannels] = channels.sources.length;
  writeChannels(channels, 'order' in source && source.order === 'BGRX');
  return channels.tables ? lookUp : pixels;
}

/** Writes the source and the formula of each channel to `callBlock`, and tables to `tableBlock`. `isBlueFirst`: the
 * pixels' bytes are blue, green, red, so a source of red is byte 2.
 * @type {(channels: Channels, isBlueFirst: boolean) => void} */
function writeChannels({ sources, scale, low, mean, std, tables }, isBlueFirst) {
  const codes = ready();
  if (tables) tableBlock.set(tables);
  for (let c = 0, first = cpp.pixelNumbersChannels; c < sources.length; c++, first += cpp.channelWords) {
    const source = sources[c];
    callBlock[first + cpp.channelSource] =
      typeof source === 'string' ? codes[source] : isBlueFirst ? 2 - source : source;
    // Without a formula there are tables.
    if (!scale || !mean || !std) continue;
    callFloats[first + cpp.channelScale] = scale[c];
    callFloats[first + cpp.channelMean] = mean[c];
    callFloats[first + cpp.channelStd] = std[c];
    // The kernel adds x * low, and -0 changes no sum, not even one of -0.
    callFloats[first + cpp.channelLow] = low ? low[c] : -0;
  }
}

/** Views the planes of a piece, `stride` bytes apart.
 * @type {(planes: number, first: number, stride: number, bytes: number) => Uint8Array[]} */
const planeViews = (planes, first, stride, bytes) =>
  Array.from({ length: planes }, (_, plane) => area.view(Uint8Array, first + plane * stride, bytes));

/** Makes RGBA pixels of a tensor's numbers, which undoes a normalization: a byte is (number * std + mean) / scale,
 * rounded. `bytes`: for each of the four bytes the channel whose numbers it takes, scale, mean and std; a channel of -1
 * gives 255. `tensor.count`: how many channels it has.
 * @type {(tensor: { dtype: DType, data: Uint8Array, count: number, isPlanar: boolean }, bytes: number[][], pixels:
 *   Uint8Array | Uint8ClampedArray) => void} */
export function rgbaBytes({ dtype, data, count, isPlanar }, bytes, pixels) {
  const { convert, rgba, saturateFlag } = ready();
  const element = dtype.bits / 8;
  const size = pixels.length / 4;
  // A piece is at most `conversionBytes` of float32, and a multiple of 16 pixels, of 64 bytes a channel.
  const step = 16 * Math.floor(conversionBytes / (64 * count));
  checkMemory('read', data, size * count * element);
  // Planes are staged one by one; `width` is the distance of a channel's numbers of neighboring pixels.
  const [runs, width] = isPlanar ? [count, 1] : [1, count];
  area.clear();
  const from = area.space(sourceBytes);
  const to = area.space(resultBytes) + placeInLine(pixels, 0);
  const floats = dtype === dtypes.float32 ? from : area.space(conversionBytes);
  const memory = area.view(Uint8Array, from, conversionBytes);
  for (let done = 0; done < size; done += step) {
    const pixelCount = Math.min(step, size - done);
    for (let run = 0; run < runs; run++) {
      const first = (run * size + done * width) * element;
      memory.set(bytesBetween(data, first, first + pixelCount * width * element), run * pixelCount * element);
    }
    if (dtype !== dtypes.float32)
      convert(dtype.code, dtypes.float32.code, from, floats, pixelCount * count, saturateFlag);
    callBlock[cpp.rgbaPixelsDst] = to;
    callBlock[cpp.rgbaPixelsCount] = pixelCount;
    callBlock[cpp.rgbaPixelsStep] = width;
    bytes.forEach(([source, scale, mean, std], i) => {
      const at = cpp.rgbaPixelsBytes + cpp.rgbaByteWords * i;
      // For the address 0 the kernel writes 255.
      callBlock[at + cpp.rgbaByteNumbers] = source < 0 ? 0 : floats + 4 * source * (isPlanar ? pixelCount : 1);
      callFloats[at + cpp.rgbaByteScale] = scale;
      callFloats[at + cpp.rgbaByteMean] = mean;
      callFloats[at + cpp.rgbaByteStd] = std;
    });
    rgba();
    pixels.set(area.view(Uint8Array, to, 4 * pixelCount), 4 * done);
  }
}

/** Copies an image's bytes, without the gaps between rows, to the start of the scratch area, at most `step` at a time,
 * and calls `use` with their number, until it returns true. Returns whether it did.
 * @type {(image: Image, step: number, use: (bytes: number) => boolean | void) => boolean} */
function stagePieces({ data, width, height, channels, rowstride }, step, use) {
  const isContiguous = rowstride === width * channels;
  const [rows, length] = isContiguous ? [1, height * rowstride] : [height, width * channels];
  for (let row = 0; row < rows; row++)
    for (let done = 0; done < length; done += step) {
      const from = row * rowstride + done;
      const count = Math.min(step, length - done);
      scratch.set(bytesBetween(data, from, from + count));
      if (use(count)) return true;
    }
  return false;
}

/** Sums an image's bytes, and their squares.
 * @type {(image: Image) => { sum: number, squares: number }} */
export function byteSums(image) {
  let [sum, squares] = [0, 0];
  stagePieces(image, scratch.length, (bytes) => {
    sum += ready().sumBytes(bytes, 0);
    squares += ready().sumBytes(bytes, 1);
  });
  return { sum, squares };
}

/** Whether red, green and blue are equal in each pixel. The image has three channels.
 * @type {(image: Image) => boolean} */
export const isGray = (image) => !stagePieces(image, 3 * 2 ** 14, (bytes) => ready().isGray(bytes) === 0);

/** Blends a row of pixels with alpha (2 or 4 channels) over a chessboard, and returns it as RGB: a view of the module's
 * memory, until the next call. See cpp/processors/chessboard.h.
 * @type {(image: Image, row: number) => Uint8Array} */
export function rowOnBoard({ data, width, channels, rowstride }, row) {
  const bytes = width * channels;
  area.clear();
  const from = area.put(bytesBetween(data, row * rowstride, row * rowstride + bytes), bytes);
  const to = area.space(3 * width);
  cpp.writeBoardRow(callBlock, { channels, width, row, pixels: from, to });
  ready().chessboard();
  return area.view(Uint8Array, to, 3 * width);
}
