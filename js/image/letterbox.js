/** A picture in the middle of a larger one, as YOLO's models take it. */
import { later, named, readTable } from '../arguments/index.js';
import { ready, resizeToBytes } from '../engines/images/index.js';
import { fillAround, rowOf } from './resizing/bars.js';
import { pixelOf } from './resizing/background.js';
import { geometryOf, letterboxTable } from './resizing/letterbox-geometry.js';
import { checkPixels, readBytePixels, readOutPixels } from './sources/pixels.js';
import { resizingOf } from './resizing/resampling.js';
import { checkSides, readSize } from './resizing/size.js';
import { resultPixels } from './sources/target.js';

/** @import { Image } from '../engines/images/types.js' */
/** @import { OpenCvFilter } from './resizing/filters.js' */
/** @import { LetterboxedPixels, LetterboxGeometry, LetterboxOptions, OutPixels } from './types.js' */
/** @import { Pixels, PixelSource, Size } from './types.js' */

/**
 * Puts pixels into a letterbox: resizes them with their ratio kept, and puts bars around them. The result is equal in
 * every byte to that of Ultralytics' `LetterBox` over OpenCV 5; `left`, `top` and `scale` are its numbers.
 * {@link unletterbox} brings boxes back.
 * @param {Pixels} image bytes of 1, 3 or 4 channels, with sides of up to 65536 pixels
 * @param {LetterboxOptions & OutPixels} options
 * @returns {LetterboxedPixels}
 * @example
 * const image = { data: new Uint8Array(3 * 1280 * 720), width: 1280, height: 720 };
 * const { left, top, scale, data } = letterbox(image, { width: 640, height: 640 });
 * [left, top, scale, data[0]]; // [0, 140, 0.5, 114]
 */
export function letterbox(image, options) {
  return named('letterbox', () => {
    ready();
    const source = readBytePixels('image', image);
    checkSides('image', source);
    const { out, ...letterboxing } = readTable(options, { ...letterboxTable, out: later });
    const outPixels = readOutPixels(out);
    const picture = checkPixels(source);
    const { channels } = picture;
    const geometry = geometryOf(letterboxing, source);
    // A background of null asks for the number 0 in the result; here the result's numbers are the bytes themselves.
    const pixel = pixelOf(letterboxing.background ?? 0, channels);
    const data = resizedWithin(picture, geometry, letterboxing.filter, pixel, outPixels);
    return { data, channels, ...geometry };
  });
}

/** Resizes a picture by a filter of OpenCV's to the size `resized`, at `left` and `top` of a larger one, and fills the
 * rest with `pixel`.
 * @type {(picture: Image, geometry: Size & { left: number, top: number, resized: Size }, filter: OpenCvFilter,
 *   pixel: ArrayLike<number>, out?: PixelSource) => Pixels['data']} */
export function resizedWithin(picture, { width, height, left, top, resized }, filter, pixel, out) {
  const { data, target } = resultPixels(out, { isFloat: false, width, height }, picture);
  const { data: bytes, channels, rowstride } = target;
  const resizing = resizingOf(picture, { backend: 'opencv', filter, ...resized });
  fillAround(bytes, rowstride, rowOf(pixel, width), { width, height }, { x: left, y: top, ...resized });
  const inner = bytes.subarray(top * rowstride + left * channels); // from the resized picture's first pixel on
  resizeToBytes(resizing, { data: inner, ...resized, channels, rowstride });
  return data;
}

/**
 * Computes where a picture lies in its letterbox, without its pixels. {@link unletterbox} takes the result if
 * `imageToTensor` made the letterbox.
 * @param {{ width: number, height: number }} image a picture, or its size in pixels
 * @param {LetterboxOptions} options
 * @returns {LetterboxGeometry}
 * @example
 * const { resized, top } = letterboxGeometry({ width: 1920, height: 1080 }, { width: 640, height: 640 });
 * [resized, top]; // [{ width: 640, height: 360 }, 140]
 */
export function letterboxGeometry(image, options) {
  return named('letterboxGeometry', () => {
    const source = readSize('image', image);
    return geometryOf(readTable(options, letterboxTable), source);
  });
}
