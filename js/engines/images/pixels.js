/** Making numbers of an image's bytes, piece by piece through the module's memory. */
import * as cpp from '../../../dist/bridge/images.js';
import { bytesBetween } from '../../arguments/index.js';
import { checkMemory } from '../memory/index.js';
import { conversionBytes, placeInLine } from '../tensors/index.js';
import { area, callBlock } from './module.js';
import { makeConverter, resultBytes, sourceBytes, writeStruct } from './pixel-converter.js';
import { resizePixels, startPlan } from './resize.js';

/** @import { Image, PixelNumbers, Resizing } from './types.js' */

/** Makes numbers of the first `numbers.size` pixels of an image, row after row, and writes them to the destination. See
 * cpp/image/pixels.h.
 * @type {(image: Image, numbers: PixelNumbers) => void} */
export function pixelBytes(image, numbers) {
  // First, because `data` may be a getter that makes the picture, and uses the module's memory for it.
  const { data, width, channels, rowstride } = image;
  const { size } = numbers;
  area.clear();
  const memory = area.allocate(sourceBytes);
  const { convert, maxCount } = makeConverter(image, numbers);
  if (size > 0) {
    const lastColumn = (size - 1) % width;
    const lastRow = (size - 1 - lastColumn) / width;
    checkMemory('read', data, lastRow * rowstride + (lastColumn + 1) * channels);
  }
  const stagedAt = memory + placeInLine(data, 0);
  const staged = area.view(Uint8Array, stagedAt, conversionBytes);
  // Rows that follow one another count as one long row.
  const isContiguous = rowstride === width * channels;
  const rows = { data, width: isContiguous ? size : width, channels, rowstride };
  for (let done = 0; done < size; done += maxCount) {
    const count = Math.min(maxCount, size - done);
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

/** @typedef {Pick<PixelNumbers, 'dtype' | 'channels' | 'destination'>} GroupNumbers */

/** Makes numbers of pixels of three bytes, in groups of `groupSize` pixels: each group becomes three planes of
 * `groupSize` numbers, which follow those of the group before. As many groups as fit are converted by one call. `data`
 * holds whole groups.
 * @type {(data: Uint8Array, groupSize: number, numbers: GroupNumbers) => void} */
export function groupedPixelBytes(data, groupSize, numbers) {
  const numberBytes = numbers.dtype.bits / 8;
  checkMemory('written', numbers.destination, data.length * numberBytes);
  // A byte of the picture becomes a number of the result.
  const groupBytes = 3 * groupSize;
  const groupsPerCall = Math.floor(conversionBytes / (groupBytes * numberBytes));
  if (groupsPerCall === 0) convertLargeGroups(data, groupSize, numbers);
  else convertGroups(data, groupSize, groupsPerCall, numbers);
}

/** Describes a group as an image of one row, without its data.
 * @type {(groupSize: number) => Omit<Image, 'data'>} */
const imageOfGroup = (groupSize) => ({ width: groupSize, height: 1, channels: 3, rowstride: 3 * groupSize });

/** Makes numbers of groups that are each larger than a piece of memory.
 * @type {(data: Uint8Array, groupSize: number, numbers: GroupNumbers) => void} */
function convertLargeGroups(data, groupSize, { dtype, channels, destination }) {
  const image = imageOfGroup(groupSize);
  const numberBytes = dtype.bits / 8;
  for (let first = 0; first < data.length; first += image.rowstride) {
    const end = first + image.rowstride;
    const groupDestination = bytesBetween(destination, first * numberBytes, end * numberBytes);
    const numbers = { dtype, channels, isPlanar: true, destination: groupDestination, size: groupSize };
    pixelBytes({ ...image, data: bytesBetween(data, first, end) }, numbers);
  }
}

/** Makes numbers of groups, `groupsPerCall` at a time.
 * @type {(data: Uint8Array, groupSize: number, groupsPerCall: number, numbers: GroupNumbers) => void} */
function convertGroups(data, groupSize, groupsPerCall, { dtype, channels, destination }) {
  const image = imageOfGroup(groupSize);
  const numberBytes = dtype.bits / 8;
  area.clear();
  const from = area.allocate(sourceBytes);
  const to = area.allocate(resultBytes) + placeInLine(destination, 0);
  // The settings of all calls, as indices of the struct's members.
  const makeNumbers = writeStruct(image, dtype, channels);
  callBlock[cpp.pixelNumbersPlaneBytes] = groupSize * numberBytes;
  callBlock[cpp.pixelNumbersSrc] = from;
  callBlock[cpp.pixelNumbersDst] = to;
  callBlock[cpp.pixelNumbersCount] = groupSize;
  const staged = area.view(Uint8Array, from, conversionBytes);
  const callBytes = groupsPerCall * image.rowstride;
  for (let done = 0; done < data.length; done += callBytes) {
    const count = Math.min(callBytes, data.length - done);
    staged.set(bytesBetween(data, done, done + count));
    const groups = count / image.rowstride;
    makeNumbers(groups);
    destination.set(area.view(Uint8Array, to, count * numberBytes), done * numberBytes);
  }
}

/** Resizes a picture, and makes numbers of its pixels as soon as resizing gives them. `frame`: where the resized
 * picture begins in the result (x, y), and the result's width, in pixels.
 * @type {(resizing: Resizing, numbers: PixelNumbers, frame: { x: number, y: number, width: number }) => void} */
export function resizedPixelBytes(resizing, numbers, { x, y, width }) {
  const { channels } = resizing.image;
  startPlan();
  const { convert, maxCount } = makeConverter(resizing.image, numbers);
  resizePixels(resizing, (at, { row, rows, column, columns }) => {
    // Rows that take the result's whole width follow one another: they are one run of pixels.
    const [runs, runLength] = columns === width ? [1, rows * columns] : [rows, columns];
    for (let run = 0; run < runs; run++) {
      const runAt = at + run * runLength * channels;
      const first = (y + row + run) * width + x + column;
      for (let done = 0; done < runLength; done += maxCount) {
        const count = Math.min(maxCount, runLength - done);
        convert(runAt + done * channels, first + done, count);
      }
    }
  });
}
