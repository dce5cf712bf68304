/** The images of a call: one or a list of them, each pixels in memory or something that a canvas draws. */
import { copyList, wrongKind, wrongValue } from '../arguments/index.js';
import { classNameOf, drawableSize, isBlob, isDrawable } from './drawables.js';
import { readPixels } from './pixels.js';

/** @import { Drawable } from './drawables.js' */
/** @import { ImageLayout } from './layout.js' */
/** @import { Pixels, PixelSource } from './pixels.js' */
/** @import { Size } from './size.js' */

/** @typedef {Pixels | Drawable} ImageLike */

/**
 * A value that stands for an image, and the class that it claims, which is asked once.
 * @typedef {{ argument: string, value: any, className: string }} Entry
 */

/**
 * An image of which everything that belongs to the caller was read.
 * @typedef {PixelSource | (Size & { argument: string, drawable: any })} Source
 */

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
 * Decodes what is a Blob and keeps everything else.
 * @param {string} prefix
 * @param {Entry} entry
 * @param {any[]} bitmaps takes the bitmaps that the caller of this function has to close
 * @returns {Promise<Entry>}
 */
export async function decodeEntry(prefix, entry, bitmaps) {
  if (!isBlob(entry.className)) return entry;
  if (!('createImageBitmap' in globalThis))
    throw new Error(`${prefix}: a Blob needs createImageBitmap, which is not there`);
  const bitmap = await createImageBitmap(entry.value);
  bitmaps.push(bitmap);
  return { argument: entry.argument, value: bitmap, className: classNameOf(bitmap) };
}

/**
 * Reads one image, by the class that it claims.
 * @param {string} prefix
 * @param {Entry} entry
 * @returns {Source}
 */
export function readImage(prefix, { argument, value, className }) {
  if (isDrawable(className)) return { argument, drawable: value, ...drawableSize(prefix, argument, value, className) };
  if (isBlob(className)) wrongKind(prefix, `${argument} must be decoded, which imageToTensorAsync does, got a Blob`);
  return readPixels(prefix, argument, value, 'tensor');
}
