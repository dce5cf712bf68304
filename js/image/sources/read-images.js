/** The images of a call: one or a list of them, each pixels in memory or something that a canvas draws. */
import * as args from '../../arguments/index.js';
import { classNameOf, drawableSize, isBitmap, isBlob, isDrawable, isImageElement } from './drawables.js';
import { withoutExif } from './exif.js';
import { release } from './frame-copy.js';
import { framePixels } from './frame-pixels.js';
import { readPixels } from './pixels.js';

/** @import { Bitmap, Decode, Decoding, Entry, PixelUse, Source } from '../types.js' */

export const orientations = /** @type {const} */ (['upright', 'ignore']);
/** @typedef {typeof orientations[number]} Orientation */

/** @type {(orientation: unknown) => Orientation} */
export const readOrientation = (orientation) => args.readWord('orientation', orientations, orientation) ?? 'upright';

/** @type {(decode: unknown) => Decode | undefined} */
export const readDecode = (decode) =>
  decode === undefined || typeof decode === 'function'
    ? /** @type {Decode | undefined} */ (decode)
    : args.typeError(`decode must be a function, got ${args.show(decode)}`);

/** Options of `createImageBitmap` that keep a picture's own numbers, as Pillow does. */
const asStored = /** @type {const} */ ({ colorSpaceConversion: 'none', premultiplyAlpha: 'none' });

/** Lists the images of an argument that is one image or a list of them, each with its name for messages, as `image[2]`.
 * @type {(argument: string, image: unknown) => Entry[]} */
export function readEntries(argument, image) {
  if (!Array.isArray(image)) return [{ argument, value: image, className: classNameOf(image) }];
  const list = args.copyList(argument, image);
  if (list.length === 0) args.rangeError(`${argument} must hold at least one image, got []`);
  return list.map((value, i) => ({ argument: `${argument}[${i}]`, value, className: classNameOf(value) }));
}

/** Decodes the images that need it, all at once, and gives the result of `use`. Then closes the bitmaps that were made
 * and, unless `keepsPixels`, reuses the memory of frames' copies.
 * @type {<Result>(images: Entry[], decoding: Decoding, use: (entries: Entry[]) => Result) => Promise<Result>} */
export async function withDecoded(images, decoding, use) {
  const { signal, keepsPixels } = decoding;
  signal?.throwIfAborted();
  /** @type {Bitmap[]} */
  const bitmaps = [];
  // All settled, so that after a failure, too, `bitmaps` gets all that are made.
  const decoded = Promise.allSettled(images.map((entry) => decodeEntry(entry, decoding, bitmaps)));
  try {
    const results = await args.abortable(decoded, signal);
    const entries = results.map((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    });
    const result = use(entries);
    if (!keepsPixels) for (const { copy } of entries) if (copy) release(copy);
    return result;
  } finally {
    // Bitmaps that arrive after a failure or an abort have to be closed too.
    decoded.then(() => bitmaps.forEach((bitmap) => bitmap.close()));
  }
}

/** Whether the pixels of an image can be read without a decoder. @type {(entry: Entry) => boolean} */
const isDecoded = ({ value, className }) =>
  isDrawable(className) || (typeof value === 'object' && value !== null && 'data' in value);

/** Decodes an image that is neither pixels nor a drawable, by the caller's `decode` or, for Blobs, the browser; reads
 * the pixels of a drawable if there is a faster way than a canvas. Pixels and values of other classes are returned as
 * they are, the latter to be refused by `readImage`. The caller closes the bitmaps that are added to `bitmaps`.
 * @type {(entry: Entry, decoding: Decoding, bitmaps: Bitmap[]) => Promise<Entry>} */
async function decodeEntry(entry, decoding, bitmaps) {
  const { orientation, decode } = decoding;
  const { argument, value, className } = entry;
  if (decode && !isDecoded(entry)) {
    const pixels = await decode(value, { orientation });
    return { argument, value: pixels, className: classNameOf(pixels) };
  }
  if (isBlob(className)) return withFramePixels(await decodeBlob(entry, orientation, bitmaps), decoding);
  if (typeof value === 'string' || ArrayBuffer.isView(value) || className === 'URL')
    args.typeError(`${argument} needs decode, got ${args.showClass(value)}: ${nodeDecoder}`);
  if (!isDrawable(className)) return entry;
  return canDecode() && isImageElement(className) ? withBitmap(entry, bitmaps) : withFramePixels(entry, decoding);
}

const canDecode = () => 'createImageBitmap' in globalThis;

/** Has the browser decode a Blob, and adds the bitmap to `bitmaps`.
 * @type {(entry: Entry, orientation: Orientation, bitmaps: Bitmap[]) => Promise<Entry>} */
async function decodeBlob({ argument, value }, orientation, bitmaps) {
  if (!canDecode())
    throw args.refusal(new Error(`a Blob needs createImageBitmap, which is not there, or decode: ${nodeDecoder}`));
  const blob = /** @type {Blob} */ (value);
  // Browsers turn a picture upright by its EXIF, unless the file has none.
  const file = orientation === 'ignore' ? await withoutExif(blob) : blob;
  const bitmap = await createImageBitmap(file, asStored);
  bitmaps.push(bitmap);
  return { argument, value: bitmap, className: classNameOf(bitmap) };
}

/** Decodes an image element once more, as its file stores the pixels: the page's own are converted by a color profile
 * and multiplied by alpha. That fails if it is not loaded, or in Chromium if it is an SVG without a size.
 * @type {(entry: Entry, bitmaps: Bitmap[]) => Promise<Entry>} */
async function withBitmap(entry, bitmaps) {
  const bitmap = await createImageBitmap(/** @type {Bitmap} */ (entry.value), asStored).catch(() => undefined);
  if (bitmap) bitmaps.push(bitmap);
  return { ...entry, bitmap };
}

/** Adds to a drawable its pixels (`copy`), taken by way of a VideoFrame, which browsers make of any drawable. None are
 * added where a canvas is faster, which `framePixels` measures. `isDrawn`: a canvas will resize the picture, so that
 * its own pixels are not read; `partOf`: computes the part of a picture that is read from its size
 * @type {(entry: Entry, decoding: Decoding) => Promise<Entry>} */
async function withFramePixels(entry, { isDrawn, partOf }) {
  // Drawables are refused where there is no canvas, so a copy would be of no use. `needCanvas` does that, later.
  const hasCanvas = 'OffscreenCanvas' in globalThis;
  if (isDrawn || !hasCanvas) return entry;
  const { argument, value, className } = entry;
  const size = drawableSize(argument, value, className);
  return { ...entry, copy: await framePixels(className, value, size, partOf?.(size)) };
}

const nodeDecoder = 'readImage of onnx-layout/node is one';

/** Reads an image: pixels in memory, or a drawable, whose pixels are not read yet. `bitmap` of an entry: an image
 * element's picture, decoded once more; `copy`: a drawable's pixels, if they were read by way of a VideoFrame already.
 * `decoder`: the function that decodes Blobs, for the message that refuses one; `use`: which kinds of pixels are taken
 * @type {(entry: Entry, decoder: string, use?: PixelUse) => Source} */
export function readImage({ argument, value, className, bitmap: decoded, copy }, decoder, use = 'tensor') {
  if (isDrawable(className)) {
    const size = drawableSize(argument, value, className);
    const bitmap = isBitmap(className) ? /** @type {Bitmap} */ (value) : decoded;
    return { argument, drawable: value, bitmap, copy, ...size };
  }
  if (isBlob(className)) args.typeError(`${argument} must be decoded, which ${decoder} does, got a Blob`);
  return readPixels(argument, value, use);
}
