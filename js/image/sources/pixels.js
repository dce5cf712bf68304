/** Pixels in memory, as the caller hands them in: `{ data, width, height }`. */
import * as args from '../../arguments/index.js';

/** @import { Image } from '../../engines/images/types.js' */
/** @import { PixelSource, PixelUse } from '../types.js' */

/** The numbers of channels that pixels may have. Gray with alpha, 2 channels, does not become a tensor.
 * @type {(use: PixelUse, isFloat: boolean) => number[]} */
function countsOf(use, isFloat) {
  if (use === 'tensor') return [1, 3, 4];
  return isFloat ? [1] : [1, 2, 3, 4];
}

/** Reads the caller's pixels, and checks all but the length of the data, which checkPixels does just before they are
 * used. `use`: which kinds of pixels are taken
 * @type {(argument: string, value: unknown, use: PixelUse) => PixelSource} */
export function readPixels(argument, value, use) {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) {
    args.typeError(`${argument} must be an image { data, width, height }, got ${args.showClass(value)}`);
  }
  const { data, width, height, channels, rowstride } = /** @type {PixelSource} */ (value);
  const name = args.typedArrayName(data);
  const classes = ['Uint8Array', 'Uint8ClampedArray', ...(use === 'resizable' ? ['Float32Array'] : [])];
  if (!name || !classes.includes(name))
    args.typeError(`${argument} data must be a ${args.either(classes)}, got ${args.showClass(data)}`);
  const isFloat = name === 'Float32Array';
  const counts = countsOf(use, isFloat);
  const sides = {
    width: args.readExtent(`${argument} width`, width),
    height: args.readExtent(`${argument} height`, height),
  };
  const source = { argument, data, isFloat, counts, ...sides };
  if (channels === undefined) {
    // The length of data tells the number of channels later, which it cannot if rows are padded.
    if (rowstride !== undefined) args.typeError(`${argument} channels must stand beside rowstride, got undefined`);
    return source;
  }
  checkChannels(argument, channels, counts);
  if (rowstride === undefined) return { ...source, channels };
  const rowBytes = source.width * channels * (isFloat ? 4 : 1);
  return { ...source, channels, rowstride: readRowstride(`${argument} rowstride`, rowstride, rowBytes, isFloat) };
}

/** Refuses a number of channels that is none of `counts`.
 * @type {(argument: string, channels: unknown, counts: readonly number[]) => void} */
function checkChannels(argument, channels, counts) {
  if (counts.includes(/** @type {number} */ (channels))) return;
  const isNumber = typeof channels === 'number' || typeof channels === 'bigint';
  const refuse = isNumber ? args.rangeError : args.typeError;
  refuse(`${argument} channels must be ${args.either(counts)}, got ${args.show(channels)}`);
}

/** Reads the caller's pixels as `readPixels` does: bytes of 1, 3 or 4 channels.
 * @type {(argument: string, value: unknown) => PixelSource} */
export const readBytePixels = (argument, value) => readPixels(argument, value, 'tensor');

/** Reads the option `out`, if it is given: bytes of 1, 3 or 4 channels.
 * @type {(out: unknown) => PixelSource | undefined} */
export const readOutPixels = (out) => (out === undefined ? undefined : readBytePixels('out', out));

/** Reads the bytes from a row to the next: at least `rowBytes`, and a multiple of 4 for float32.
 * @type {(name: string, value: unknown, rowBytes: number, isFloat: boolean) => number} */
function readRowstride(name, value, rowBytes, isFloat) {
  const stride = args.readExtent(name, value);
  if (stride < rowBytes) args.rangeError(`${name} must be at least ${rowBytes}, got ${stride}`);
  if (isFloat && stride % 4 > 0) args.rangeError(`${name} must be a multiple of 4, got ${stride}`);
  return stride;
}

/** Makes an image of bytes of the caller's pixels, and checks the length of their data. The length tells the number of
 * channels if the caller does not. A float32 pixel counts as four channels of bytes.
 * @type {(source: PixelSource) => Image} */
export function checkPixels({ argument, data, counts, isFloat, width, height, channels, rowstride }) {
  const length = isFloat ? 4 * data.length : data.length; // in bytes
  const pixels = width * height;
  const knownBytes = isFloat ? 4 : channels; // of a pixel
  const pixelBytes = knownBytes ?? length / pixels;
  if (knownBytes === undefined && !counts.includes(pixelBytes)) {
    const lengths = args.either(counts.map((count) => count * pixels));
    args.rangeError(`${argument} data of ${width} x ${height} pixels has ${lengths} bytes, got ${length}`);
  }
  const rowBytes = width * pixelBytes;
  const stride = rowstride ?? rowBytes;
  const paddedLength = stride * height;
  const lengthWithoutLastPadding = stride * (height - 1) + rowBytes;
  if (length !== paddedLength && length !== lengthWithoutLastPadding) {
    args.rangeError(`${argument} data of ${width} x ${height} pixels has ${paddedLength} bytes, got ${length}`);
  }
  return { data: args.bytesOf(data), width, height, channels: pixelBytes, rowstride: stride };
}
