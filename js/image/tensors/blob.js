/** Pictures as the input of a network, as cv2.dnn makes it. */
import * as args from '../../arguments/index.js';
import { pixelBytes, ready, resizedPixelBytes } from '../../engines/images/index.js';
import { checkLength, dtypes, newData, readOut, sizeOf, tensorOf } from '../../tensor/index.js';
import { tablesOf } from '../numbers/backends.js';
import { checkPixels, readBytePixels } from '../sources/pixels.js';
import { resizingOf } from '../resizing/resampling.js';
import { checkSides, isSameSize, readSide, roundHalfToEven } from '../resizing/size.js';

/** @import { Channels, Image } from '../../engines/images/types.js' */
/** @import { DType, Tensor } from '../../tensor/index.js' */
/** @import { BlobOptions, Pixels, PixelSource, Size } from '../types.js' */

const table = {
  scalefactor: args.later,
  width: args.later,
  height: args.later,
  mean: args.later,
  swapRB: args.flag(false),
  crop: args.flag(false),
  dtype: args.word(['float32', 'uint8'], 'float32'),
  out: args.later,
};

/**
 * Makes the input of a network of one or more images, as OpenCV 5's `cv2.dnn.blobFromImage` and `blobFromImages`:
 * resized by 'linear', each number `(x - mean) * scalefactor`, both rounded to float32 as each step is, in planes.
 * @template {'float32' | 'uint8'} [T='float32']
 * @param {Pixels | readonly Pixels[]} image bytes of 1, 3 or 4 channels, equally many in all; sides of up to 65536
 *   pixels
 * @param {BlobOptions<T>} [options]
 * @returns {Tensor<T>} of dims [N, C, H, W], with memory of its own, or over `out.data`
 * @example
 * const image = { data: Uint8Array.of(10, 20, 30), width: 1, height: 1 };
 * blobFromImage(image, { mean: [1, 2, 3], swapRB: true }).data; // Float32Array [29, 18, 7]
 */
export function blobFromImage(image, options) {
  return args.named('blobFromImage', () => {
    ready();
    const { scalefactor, width, height, mean, swapRB, crop, dtype: name, out } = args.readTable(options, table);
    const dtype = dtypes[name];
    const asked = readBlobSize(width, height);
    const numbers = readNumbers(scalefactor, mean, dtype);
    const sources = readPictures(image);
    const size = asked ?? { width: sources[0].width, height: sources[0].height };
    const images = sources.map((source) => checkPixels(source));
    const [{ channels }] = images;
    const dims = [sources.length, channels, size.height, size.width];
    const target = out === undefined ? undefined : readOut('out', out, dtype, dims);
    const places = images.map((each, i) => {
      const { argument } = sources[i];
      if (each.channels !== channels)
        args.rangeError(`${argument} channels must be ${channels} as the first image's, got ${each.channels}`);
      if (target && args.overlap(target.data, each.data)) args.rangeError(`out must not overlap ${argument}`);
      return placeOf(each, size, crop);
    });
    if (target) checkLength(target);
    const data = target ? target.data : newData(dtype, sizeOf(dims), undefined);
    const bytes = args.bytesOf(data);
    const imageBytes = bytes.length / images.length;
    const format = { dtype, channels: channelsOf(dtype, channels, swapRB, numbers), isPlanar: true };
    images.forEach((each, i) => {
      const destination = bytes.subarray(i * imageBytes, (i + 1) * imageBytes);
      writeBlob(each, size, places[i], { ...format, destination });
    });
    return /** @type {Tensor<NonNullable<typeof options>['dtype'] & string>} */ (tensorOf(dtype, data, dims));
  });
}

/** Reads one image or a list of them, all but the length of their data.
 * @type {(image: unknown) => PixelSource[]} */
function readPictures(image) {
  const list = Array.isArray(image) ? args.copyList('image', image) : [image];
  if (list.length === 0) args.rangeError('image must hold at least one image, got []');
  return list.map((each, i) => {
    const argument = Array.isArray(image) ? `image[${i}]` : 'image';
    const source = readBytePixels(argument, each);
    checkSides(argument, source);
    return source;
  });
}

/** Reads the size of a blob: both sides, or neither for the first image's size.
 * @type {(width: unknown, height: unknown) => Size | undefined} */
function readBlobSize(width, height) {
  if (width === undefined && height === undefined) return undefined;
  return { width: readSide('width', width), height: readSide('height', height) };
}

/** Float32 numbers; four means, in the order of the result's channels.
 * @typedef {{ scale: number, mean: readonly number[] }} BlobNumbers */

/** Reads the factor and the means of a blob, rounded to float32. For uint8 it refuses numbers that would change bytes,
 * as OpenCV does.
 * @type {(scalefactor: unknown, mean: unknown, dtype: DType) => BlobNumbers} */
function readNumbers(scalefactor = 1, mean = 0, dtype) {
  const isList = Array.isArray(mean);
  if (!isList && typeof mean !== 'number')
    args.typeError(`mean must be a number or a list of numbers, got ${args.show(mean)}`);
  const list = isList ? args.copyList('mean', mean) : [mean, mean, mean, mean];
  if (list.length > 4) args.rangeError(`mean must hold at most 4 numbers, got ${args.showList(list)}`);
  /** @type {(argument: string, number: unknown) => number} */
  const readFloat = (argument, number) => {
    if (typeof number !== 'number') args.typeError(`${argument} must be a number, got ${args.show(number)}`);
    const float = Math.fround(number);
    if (!Number.isFinite(float)) args.rangeError(`${argument} must be finite in float32, got ${args.show(number)}`);
    return float;
  };
  const scale = readFloat('scalefactor', scalefactor);
  const means = Array.from({ length: 4 }, (_, i) => readFloat('mean', list[i] ?? 0)); // omitted ones are 0
  const changesBytes = scale !== 1 || means.some((each) => each !== 0);
  if (dtype.name === 'uint8' && changesBytes) args.rangeError(`dtype 'uint8' must have scalefactor 1 and mean 0`);
  return { scale, mean: means };
}

/** The size to which an image is resized, and the pixel of it at which the blob begins. `factor`: that of both sides,
 * if it does not follow from the sizes.
 * @typedef {Size & { x: number, y: number, factor?: number }} BlobPlace */

/** The size to which an image is resized for a blob of `size`, and where the blob begins in it. With `crops` both sides
 * are resized by one factor, in float32 as OpenCV, so that the blob just fits in; it is cut out of the middle.
 * @type {(image: Image, size: Size, crops: boolean) => BlobPlace} */
function placeOf(image, size, crops) {
  if (!crops || isSameSize(image, size)) return { ...size, x: 0, y: 0 };
  const { fround } = Math;
  const factorOf = (/** @type {number} */ to, /** @type {number} */ from) => fround(fround(to) / fround(from));
  const factor = Math.max(factorOf(size.width, image.width), factorOf(size.height, image.height));
  const width = roundHalfToEven(image.width * factor);
  const height = roundHalfToEven(image.height * factor);
  checkSides('resized image', { width, height });
  const x = Math.trunc(0.5 * (width - size.width));
  const y = Math.trunc(0.5 * (height - size.height));
  return { width, height, x, y, factor };
}

/** Chooses the engine's formula (x * scale - mean) / std if that rounds as OpenCV's (x - mean) * scale does, otherwise
 * a table of all bytes. `swaps`: the first and the third channel change places, which gray has not
 * @type {(dtype: DType, count: number, swaps: boolean, numbers: BlobNumbers) => Channels} */
function channelsOf(dtype, count, swaps, { scale, mean }) {
  const colors = swaps && count > 2 ? [2, 1, 0] : [0, 1, 2];
  const alpha = 3;
  const sources = [...colors, alpha].slice(0, count); // the picture's channel for each of the result
  const means = mean.slice(0, count);
  const all = (/** @type {number} */ number) => sources.map(() => number);
  const isMeanZero = means.every((each) => each === 0);
  // Without a mean, or with scale 1, only one step rounds, in OpenCV's order as in the formula's. The formula is three
  // times as fast as tables.
  const isFormulaExact = isMeanZero || scale === 1;
  if (isFormulaExact) return { sources, scale: all(scale), mean: isMeanZero ? all(0) : means, std: all(1) };
  const tables = tablesOf(dtype, count, (byte, c) => Math.fround(byte - mean[c]) * scale);
  return { sources, tables };
}

/** Writes the numbers of an image, resized if need be, to its part of a blob. `numbers.destination`: the bytes of this
 * part
 * @type {(image: Image, size: Size, place: BlobPlace, numbers: { dtype: DType, channels: Channels, isPlanar:
 *   boolean, destination: Uint8Array }) => void} */
function writeBlob(image, size, { x, y, width, height, factor }, numbers) {
  const blobNumbers = { ...numbers, size: size.width * size.height };
  if (isSameSize(image, size)) return pixelBytes(image, blobNumbers);
  // The blob is this part of the resized image, and nothing besides.
  const window = { ...size, x, y };
  const wholeBlob = { x: 0, y: 0, width: size.width };
  const resizing = resizingOf(image, { backend: 'opencv', filter: 'linear', width, height, window, factor });
  resizedPixelBytes(resizing, blobNumbers, wholeBlob);
}
