/** The images of a call: one or a list of them, each pixels in memory or something that a canvas draws. */
import { copyList, readWord, wrongKind, wrongValue } from '../arguments/index.js';
import { classNameOf, drawableSize, isBitmap, isBlob, isDrawable, isImageElement } from './drawables.js';
import { withoutExif } from './exif.js';
import { readPixels } from './pixels.js';

/** @import { Drawable } from './drawables.js' */
/** @import { ImageLayout } from './layout.js' */
/** @import { Pixels, PixelSource } from './pixels.js' */
/** @import { Size } from './size.js' */

/** @typedef {Pixels | Drawable} ImageLike */

/**
 * A value that stands for an image, and the class that it claims, which is asked once.
 * @typedef {object} Entry
 * @property {string} argument
 * @property {any} value
 * @property {string} className
 * @property {any} [bitmap] of an image element: the same picture, decoded once more
 */

/**
 * A drawable, and its own size.
 * @typedef {object} Drawing
 * @property {string} argument
 * @property {any} drawable
 * @property {any} [bitmap] an ImageBitmap of the same picture; the drawable itself if it is one
 */
/** @typedef {Drawing & Size} DrawableSource */

/**
 * An image of which everything that belongs to the caller was read.
 * @typedef {PixelSource | DrawableSource} Source
 */

const orientations = /** @type {const} */ (['upright', 'ignore']);
/** @typedef {typeof orientations[number]} Orientation */

/**
 * @typedef {object} DecodingOptions
 * @property {Orientation} [orientation] of Blobs: 'upright' (if omitted) turns a picture as its EXIF says, 'ignore'
 *   takes the pixels as the file stores them, as PIL.Image.open does
 */

/**
 * Reads the option of decoding.
 * @param {string} prefix
 * @param {unknown} orientation
 * @returns {Orientation}
 */
export const readOrientation = (prefix, orientation) =>
  readWord(prefix, 'orientation', orientations, orientation) ?? 'upright';

/** What keeps a picture's own numbers: Pillow neither converts colours nor multiplies them by alpha. */
const asStored = /** @type {const} */ ({ colorSpaceConversion: 'none', premultiplyAlpha: 'none' });

/**
 * Lists the images of a call, without reading them.
 * @param {string} prefix
 * @param {ImageLayout} layout
 * @param {any} image one or a list
 * @returns {Entry[]} at least one
 */
export function readEntries(prefix, layout, image) {
  if (!Array.isArray(image)) return [{ argument: 'image', value: image, className: classNameOf(image) }];
  if (!layout.startsWith('N')) wrongValue(prefix, `layout of a batch must be 'NCHW' or 'NHWC', got '${layout}'`);
  const list = copyList(prefix, 'image', image);
  if (list.length === 0) wrongValue(prefix, 'image must hold at least one image, got []');
  return list.map((value, i) => ({ argument: `image[${i}]`, value, className: classNameOf(value) }));
}

/**
 * Decodes a Blob, and an image element once more. Keeps everything else.
 * @param {string} prefix
 * @param {Entry} entry
 * @param {Orientation} orientation
 * @param {any[]} bitmaps takes the bitmaps that the caller of this function has to close
 * @returns {Promise<Entry>}
 */
export async function decodeEntry(prefix, entry, orientation, bitmaps) {
  const { argument, value, className } = entry;
  const canDecode = 'createImageBitmap' in globalThis;
  if (isBlob(className)) {
    if (!canDecode) throw new Error(`${prefix}: a Blob needs createImageBitmap, which is not there`);
    const file = orientation === 'ignore' ? await withoutExif(value) : value;
    const bitmap = await createImageBitmap(file, asStored);
    bitmaps.push(bitmap);
    return { argument, value: bitmap, className: classNameOf(bitmap) };
  }
  if (!canDecode || !isImageElement(className)) return entry;
  // An element becomes no bitmap if it is not loaded, or in Chromium if it is an SVG without a size.
  const bitmap = await createImageBitmap(value, asStored).catch(() => undefined);
  if (bitmap) bitmaps.push(bitmap);
  return { ...entry, bitmap };
}

/**
 * Reads one image, by the class that it claims.
 * @param {string} prefix
 * @param {Entry} entry
 * @returns {Source}
 */
export function readImage(prefix, { argument, value, className, bitmap }) {
  if (isDrawable(className)) {
    const size = drawableSize(prefix, argument, value, className);
    return { argument, drawable: value, bitmap: isBitmap(className) ? value : bitmap, ...size };
  }
  if (isBlob(className)) wrongKind(prefix, `${argument} must be decoded, which imageToTensorAsync does, got a Blob`);
  return readPixels(prefix, argument, value, 'tensor');
}
