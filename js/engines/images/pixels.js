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
  const { data, width, channels, rowstride } = image;
  const { size } = numbers;
  area.clear();
  const memory = area.allocate(sourceBytes);
  const convert = makeConverter(image, numbers);
  if (size > 0) {
    const lastColumn = (size - 1) % width;
    const lastRow = (size - 1 - lastColumn) / width;
    checkMemory('read', data, lastRow * rowstride + (lastColumn + 1) * channels);
  }
  const stagedAt = memory + placeInLine(data, 0);
  const staged = area.view(Uint8Array, stagedAt, conversionBytes);
  // Rows without gaps between them count as one long row.
  const hasGaps = rowstride !== width * channels;
  const rows = { data, width: hasGaps ? width : size, channels, rowstride };
  for (let done = 0; done < size; done += convert.step) {
    const count = Math.min(convert.step, size - done);
    copyPixels(rows, done, count, staged);
    convert(stagedAt, done, count);
  }
}

/** Copies `count` pixels of an image, counted row after row from pixel `first` on, to the start of `to`.
 * @type {(image: Pick<Image, 'data' | 'width' | 'channels' | 'rowstride'>, first: number, count: number,
 *   to: Uint8Array) => void} */
function copyPixels({ data, width, channels, rowstride }, first, count, to) {
  let done = 0;
  while (done < count) {
    const column = (first + done) % width;
    const row = (first + done - column) / width;
    const run = Math.min(width - column, count - done);
    const from = row * rowstride + column * channels;
    to.set(bytesBetween(data, from, from + run * channels), done * channels);
    done += run;
  }
}

/** Makes numbers of pixels of three bytes, `group` pixels at a time: each group becomes three planes of `group`
 * numbers, which follow those of the group before. As many groups as fit are converted by one call. `data` holds whole
 * groups.
 * @type {(data: Uint8Array, group: number, numbers: Pick<PixelNumbers, 'dtype' | 'channels' | 'destination'>) =>
 *   void} */
export function groupedPixelBytes(data, group, numbers) {
  const numberBytes = numbers.dtype.bits / 8;
  checkMemory('written', numbers.destination, data.length * numberBytes);
  // A byte of the picture becomes a number of the result.
  const groupBytes = 3 * group;
  const groupsPerCall = Math.floor(conversionBytes / (groupBytes * numberBytes));
  if (groupsPerCall === 0) convertLargeGroups(data, group, numbers);
  else convertGroups(data, group, groupsPerCall, numbers);
}

/** @typedef {Pick<PixelNumbers, 'dtype' | 'channels' | 'destination'>} GroupNumbers */

/** The image of a group of pixels, without its data.
 * @type {(group: number) => Omit<Image, 'data'>} */
const imageOfGroup = (group) => ({ width: group, height: 1, channels: 3, rowstride: 3 * group });

/** Makes numbers of groups that are each larger than a piece.
 * @type {(data: Uint8Array, group: number, numbers: GroupNumbers) => void} */
function convertLargeGroups(data, group, { dtype, channels, destination }) {
  const image = imageOfGroup(group);
  const numberBytes = dtype.bits / 8;
  for (let first = 0; first < data.length; first += image.rowstride) {
    const end = first + image.rowstride;
    const groupDestination = bytesBetween(destination, first * numberBytes, end * numberBytes);
    const numbers = { dtype, channels, isPlanar: true, destination: groupDestination, size: group };
    pixelBytes({ ...image, data: bytesBetween(data, first, end) }, numbers);
  }
}

/** Makes numbers of groups, `groupsPerCall` at a time.
 * @type {(data: Uint8Array, group: number, groupsPerCall: number, numbers: GroupNumbers) => void} */
function convertGroups(data, group, groupsPerCall, { dtype, channels, destination }) {
  const image = imageOfGroup(group);
  const numberBytes = dtype.bits / 8;
  area.clear();
  const from = area.allocate(sourceBytes);
  const to = area.allocate(resultBytes) + placeInLine(destination, 0);
  const makeNumbers = writeStruct(image, dtype, channels);
  callBlock[cpp.pixelNumbersPlaneBytes] = group * numberBytes;
  callBlock[cpp.pixelNumbersSrc] = from;
  callBlock[cpp.pixelNumbersDst] = to;
  callBlock[cpp.pixelNumbersCount] = group;
  const staged = area.view(Uint8Array, from, conversionBytes);
  const callBytes = groupsPerCall * image.rowstride;
  for (let done = 0; done < data.length; done += callBytes) {
    const count = Math.min(callBytes, data.length - done);
    staged.set(bytesBetween(data, done, done + count));
    makeNumbers(count / image.rowstride);
    destination.set(area.view(Uint8Array, to, count * numberBytes), done * numberBytes);
  }
}

/** Resizes a picture, and makes numbers of its pixels as soon as resizing gives them. `frame`: where the resized
 * picture begins in the result (x, y), and the result's width, in pixels.
 * @type {(resizing: Resizing, numbers: PixelNumbers, frame: { x: number, y: number, width: number }) => void} */
export function resizedPixelBytes(resizing, numbers, { x, y, width }) {
  const { channels } = resizing.image;
  startPlan();
  const convert = makeConverter(resizing.image, numbers);
  resizePixels(resizing, (at, { row, rows, column, columns }) => {
    // Rows that take the result's whole width follow one another: they are one run of pixels.
    const [runs, runLength] = columns === width ? [1, rows * columns] : [rows, columns];
    for (let run = 0; run < runs; run++) {
      const runAt = at + run * runLength * channels;
      const first = (y + row + run) * width + x + column;
      for (let done = 0; done < runLength; done += convert.step) {
        const count = Math.min(convert.step, runLength - done);
        convert(runAt + done * channels, first + done, count);
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
  const resultChannels = channels.sources.length;
  // Numbers that lie side by side are one plane.
  const planes = isPlanar ? resultChannels : 1;
  const bytesInPlane = (dtype.bits / 8) * (isPlanar ? 1 : resultChannels);
  // Multiples of 64 pixels, so that each plane begins at the same place of a cache line as the first.
  const step = 64 * Math.floor(conversionBytes / (64 * Math.max(source.channels, planes * bytesInPlane)));
  checkMemory('written', destination, (size * resultChannels * dtype.bits) / 8);
  const isCopy = dtype.name === 'uint8' && source.channels === 3 && !isPlanar && isIdentity(channels);
  if (isCopy) {
    /** @type {(at: number, first: number, count: number) => void} */
    const copy = (at, first, count) => destination.set(area.view(Uint8Array, at, 3 * count), 3 * first);
    return Object.assign(copy, { step });
  }
  const planesAt = area.allocate(resultBytes) + placeInLine(destination, 0);
  const planeStride = isPlanar ? step * bytesInPlane + 64 : 0;
  const makeNumbers = writeStruct(source, dtype, channels);
  callBlock[cpp.pixelNumbersPlaneBytes] = planeStride;
  callBlock[cpp.pixelNumbersDst] = planesAt;
  // Views of the planes of a piece, made anew only where a piece has another number of pixels: the last one.
  /** @type {Uint8Array[]} */
  let views = [];
  let viewedCount = 0;
  /** @type {(at: number, first: number, count: number) => void} */
  const convert = (at, first, count) => {
    if (viewedCount !== count) {
      views = planeViews(planes, planesAt, planeStride, count * bytesInPlane);
      viewedCount = count;
    }
    callBlock[cpp.pixelNumbersSrc] = at;
    callBlock[cpp.pixelNumbersCount] = count;
    const groups = 1;
    makeNumbers(groups);
    for (let plane = 0; plane < planes; plane++) destination.set(views[plane], (plane * size + first) * bytesInPlane);
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
  for (let c = 0; c < sources.length; c++) {
    const struct = cpp.pixelNumbersChannels + c * cpp.channelWords;
    const source = sources[c];
    if (typeof source === 'string') callBlock[struct + cpp.channelSource] = codes[source];
    else callBlock[struct + cpp.channelSource] = isBlueFirst ? 2 - source : source;
    const hasFormula = scale && mean && std;
    if (!hasFormula) continue;
    callFloats[struct + cpp.channelScale] = scale[c];
    callFloats[struct + cpp.channelMean] = mean[c];
    callFloats[struct + cpp.channelStd] = std[c];
    // The kernel adds x * low, and -0 changes no sum, not even one of -0.
    callFloats[struct + cpp.channelLow] = low ? low[c] : -0;
  }
}

/** Views `bytes` bytes of each plane; planes begin `stride` bytes apart, from address `first` on.
 * @type {(planes: number, first: number, stride: number, bytes: number) => Uint8Array[]} */
const planeViews = (planes, first, stride, bytes) =>
  Array.from({ length: planes }, (_, plane) => area.view(Uint8Array, first + plane * stride, bytes));

/** @typedef {{ dtype: DType, data: Uint8Array, count: number, isPlanar: boolean }} ImageTensor `count`: of its
 *   channels */

/** The address for which the kernel makes a byte 255. */
const noNumbers = 0;

/** Makes RGBA pixels of a tensor's numbers, which undoes a normalization: a byte is (number * std + mean) / scale,
 * rounded. `formulas`: for each of the four bytes the channel whose numbers it takes, scale, mean and std; a channel of
 * -1 gives 255.
 * @type {(tensor: ImageTensor, formulas: number[][], pixels: Uint8Array | Uint8ClampedArray) => void} */
export function rgbaBytes(tensor, formulas, pixels) {
  const { dtype, data, count, isPlanar } = tensor;
  const { convert, rgba, saturateFlag } = ready();
  const size = pixels.length / 4;
  checkMemory('read', data, (size * count * dtype.bits) / 8);
  // A piece is at most `conversionBytes` of float32, and a multiple of 16 pixels, of 64 bytes a channel.
  const step = 16 * Math.floor(conversionBytes / (64 * count));
  area.clear();
  const stagedAt = area.allocate(sourceBytes);
  const to = area.allocate(resultBytes) + placeInLine(pixels, 0);
  const isFloat = dtype === dtypes.float32;
  const floatsAt = isFloat ? stagedAt : area.allocate(conversionBytes);
  const staged = area.view(Uint8Array, stagedAt, conversionBytes);
  for (let done = 0; done < size; done += step) {
    const pieceSize = Math.min(step, size - done);
    stageNumbers(tensor, size, done, pieceSize, staged);
    if (!isFloat) convert(dtype.code, dtypes.float32.code, stagedAt, floatsAt, pieceSize * count, saturateFlag);
    callBlock[cpp.rgbaPixelsDst] = to;
    callBlock[cpp.rgbaPixelsCount] = pieceSize;
    callBlock[cpp.rgbaPixelsStep] = isPlanar ? 1 : count;
    const channelBytes = isPlanar ? 4 * pieceSize : 4;
    formulas.forEach(([channel, scale, mean, std], byte) => {
      const struct = cpp.rgbaPixelsBytes + byte * cpp.rgbaByteWords;
      callBlock[struct + cpp.rgbaByteNumbers] = channel < 0 ? noNumbers : floatsAt + channel * channelBytes;
      callFloats[struct + cpp.rgbaByteScale] = scale;
      callFloats[struct + cpp.rgbaByteMean] = mean;
      callFloats[struct + cpp.rgbaByteStd] = std;
    });
    rgba();
    pixels.set(area.view(Uint8Array, to, 4 * pieceSize), 4 * done);
  }
}

/** Copies the numbers of `pieceSize` of a tensor's `size` pixels, from pixel `first` on, to `staged`: of planes that of
 * each plane, one behind the other.
 * @type {(tensor: ImageTensor, size: number, first: number, pieceSize: number, staged: Uint8Array) => void} */
function stageNumbers({ dtype, data, count, isPlanar }, size, first, pieceSize, staged) {
  const [planes, numbersPerPixel] = isPlanar ? [count, 1] : [1, count];
  const pixelBytesInPlane = (numbersPerPixel * dtype.bits) / 8;
  const pieceBytes = pieceSize * pixelBytesInPlane;
  for (let plane = 0; plane < planes; plane++) {
    const from = (plane * size + first) * pixelBytesInPlane;
    staged.set(bytesBetween(data, from, from + pieceBytes), plane * pieceBytes);
  }
}

/** Copies an image's bytes, without the gaps between rows, to the start of the scratch area, at most `step` at a time,
 * and calls `use` with their number, until it returns true. Returns whether it did.
 * @type {(image: Image, step: number, use: (bytes: number) => boolean | void) => boolean} */
function stagePieces({ data, width, height, channels, rowstride }, step, use) {
  const isContiguous = rowstride === width * channels;
  const [runs, runBytes] = isContiguous ? [1, height * rowstride] : [height, width * channels];
  for (let run = 0; run < runs; run++)
    for (let done = 0; done < runBytes; done += step) {
      const from = run * rowstride + done;
      const count = Math.min(step, runBytes - done);
      scratch.set(bytesBetween(data, from, from + count));
      if (use(count)) return true;
    }
  return false;
}

/** Sums the first bytes of the scratch area, or their squares.
 * @type {(bytes: number, options: { squared: boolean }) => number} */
const sumStaged = (bytes, { squared }) => ready().sumBytes(bytes, Number(squared));

/** Sums an image's bytes, and their squares.
 * @type {(image: Image) => { sum: number, squares: number }} */
export function byteSums(image) {
  let [sum, squares] = [0, 0];
  stagePieces(image, scratch.length, (bytes) => {
    sum += sumStaged(bytes, { squared: false });
    squares += sumStaged(bytes, { squared: true });
  });
  return { sum, squares };
}

/** Bytes of whole pixels of three bytes. */
const grayStep = 3 * 2 ** 14;

/** Whether red, green and blue are equal in each pixel. The image has three channels.
 * @type {(image: Image) => boolean} */
export const isGray = (image) => !stagePieces(image, grayStep, (bytes) => ready().isGray(bytes) === 0);

/** Blends a row of pixels with alpha (2 or 4 channels) over a chessboard, and returns it as RGB: a view of the module's
 * memory, until the next call. See cpp/processors/chessboard.h.
 * @type {(image: Image, row: number) => Uint8Array} */
export function rowOnBoard({ data, width, channels, rowstride }, row) {
  const bytes = width * channels;
  area.clear();
  const from = area.copyIn(bytesBetween(data, row * rowstride, row * rowstride + bytes), bytes);
  const to = area.allocate(3 * width);
  cpp.writeBoardRow(callBlock, { channels, width, row, pixels: from, to });
  ready().chessboard();
  return area.view(Uint8Array, to, 3 * width);
}
