/** From an image's bytes to numbers in the order that the result has. `destination` is the memory of the result, or of
 * one image's part of it; `isPlanar` says whether channels lie in planes, as in NCHW, or interleaved, as in NHWC. */
import { pixelBytes, resizedPixelBytes } from '../../engines/images/index.js';
import { dtypes, newData } from '../../tensor/index.js';
import { fillAround, rowOf } from '../resizing/bars.js';
import { sourcesOf } from './layout.js';
import { identity } from './normalization.js';

/** @import { ChannelSource, Image, OpaqueImage, PixelNumbers, Resizing } from '../../engines/images/types.js' */
/** @import { Call, Size, SourceImage, Window } from '../types.js' */

/** @typedef {Pick<Call, 'dtype' | 'channels' | 'normalization'> & { isOpenCv?: boolean }} Conversion */

/** Chooses the memory from which an image is read: a VideoFrame's `copy`, if there is one and the result needs only
 * red, green and blue as they are, which saves a pass over the pixels.
 * @type {(image: SourceImage, sources: readonly ChannelSource[]) => Image | OpaqueImage} */
export function fastest(image, sources) {
  if (!image.copy) return image;
  const needsColorsAlone = sources.every((source) => typeof source === 'number' && source < 3);
  if (needsColorsAlone) return image.copy;
  // Reads the getter `data` now: it may call the module, and no call of the module may start within another.
  return { ...image };
}

/** Converts an image to numbers at its own size.
 * @type {(call: Conversion, image: SourceImage, isPlanar: boolean, destination: Uint8Array) => void} */
export function convertPixels(call, image, isPlanar, destination) {
  const numbers = numbersOf(call, image, image, isPlanar, destination);
  pixelBytes(fastest(image, numbers.channels.sources), numbers);
}

/** Resizes an image and converts it to numbers. `frame`: the size of the result, whose bars around the image it leaves
 * alone, and where the resized image begins in it
 * @type {(call: Conversion, resizing: Resizing, frame: Size & { x: number, y: number }, isPlanar: boolean,
 *   destination: Uint8Array) => void} */
export function convertResized(call, resizing, frame, isPlanar, destination) {
  const numbers = numbersOf(call, resizing.image, frame, isPlanar, destination);
  resizedPixelBytes({ ...resizing, image: fastest(resizing.image, numbers.channels.sources) }, numbers, frame);
}

/** Fills a result outside of `window` with an RGBA color, or with the number 0 if the color is null.
 * @type {(call: Conversion, color: readonly number[] | null, isPlanar: boolean, destination: Uint8Array, size: Size,
 *   window: Window) => void} */
export function fillBars(call, color, isPlanar, destination, size, window) {
  // The numbers of one pixel, made of an image of one pixel; they stay 0 without a color.
  const pixel = new Uint8Array((call.channels.length * call.dtype.bits) / 8);
  if (color) {
    const image = { data: Uint8Array.from(color), width: 1, height: 1, channels: 4, rowstride: 4 };
    const hasPlanes = false;
    convertPixels(call, image, hasPlanes, pixel);
  }
  // Interleaved channels are one plane.
  const planes = isPlanar ? call.channels.length : 1;
  const planeBytes = destination.length / planes;
  const pixelBytesInPlane = pixel.length / planes;
  for (let i = 0; i < planes; i++) {
    const plane = destination.subarray(i * planeBytes, (i + 1) * planeBytes);
    const pixelInPlane = pixel.subarray(i * pixelBytesInPlane, (i + 1) * pixelBytesInPlane);
    const row = rowOf(pixelInPlane, size.width);
    fillAround(plane, row.length, row, size, window);
  }
}

/** Describes for the engine the numbers that an image becomes, and where they go. `size`: of the result
 * @type {(call: Conversion, image: Image, size: Size, isPlanar: boolean, destination: Uint8Array) => PixelNumbers} */
function numbersOf({ dtype, channels, normalization, isOpenCv = false }, image, size, isPlanar, destination) {
  const { width, height } = size;
  const sources = sourcesOf(channels, image.channels, isOpenCv);
  return { dtype, channels: { sources, ...normalization }, isPlanar, destination, size: width * height };
}

/** The RGBA bytes of an image, with alpha 255 if it has none. @type {(image: Image | OpaqueImage) => Uint8Array} */
export function rgbaBytes(image) {
  const bytes = newData(dtypes.uint8, 4 * image.width * image.height, undefined);
  // A VideoFrame's copy, which alone has an `order`, has no alpha in its fourth byte.
  const shape = { ...image, channels: 'order' in image ? 3 : image.channels };
  const call = { dtype: dtypes.uint8, channels: /** @type {const} */ ('RGBA'), normalization: identity };
  const isPlanar = false;
  pixelBytes(image, numbersOf(call, shape, image, isPlanar, bytes));
  return bytes;
}
