/** The pixels of a drawable at its own size, as exact as the browser has them. */
import { bytesOf } from '../../arguments/index.js';
import { rgbaBytes } from '../numbers/convert.js';
import { draw } from './canvas.js';
import { isOpaque } from './frame-copy.js';
import { storedPixels } from './webgl.js';

/** @import { OpaqueImage } from '../../engines/images/types.js' */
/** @import { Bitmap, DrawableSource, Size, SourceImage } from '../types.js' */

/** Reads the pixels of a drawable at its own size. `copy`: a VideoFrame's copy of them, if there is one; `bitmap`: of
 * an image element, decoded once more, or the drawable itself if it is a bitmap
 * @type {(source: DrawableSource) => SourceImage} */
export function pixelsOf({ drawable, bitmap, copy, width, height }) {
  if (copy) return imageOfCopy(copy);
  const size = { width, height };
  // A page may show an element in another size than the file has, by EXIF's resolution.
  const hasBitmap = bitmap !== undefined && bitmap.width === width && bitmap.height === height;
  const rgba = hasBitmap ? pixelsOfBitmap(bitmap, drawable, size) : canvasPixels(drawable, size);
  return { data: bytesOf(rgba), ...size, channels: 4, rowstride: 4 * width };
}

/** The RGBA bytes that a canvas gives of a drawable at its own size.
 * @type {(drawable: unknown, size: Size) => Uint8ClampedArray} */
const canvasPixels = (drawable, size) => draw(drawable, size, size, undefined);

/** Reads RGBA bytes of a bitmap, which `drawable` shows. A canvas rounds the colors of transparent pixels, by up to 247
 * of 255 levels, so a bitmap with such pixels is read through WebGL2. For all bitmaps that would take 1.5 to 2.8 times
 * as long (1080p and 12 megapixels, Chromium and Firefox, no graphics processor).
 * @type {(bitmap: Bitmap, drawable: unknown, size: Size) => Uint8Array | Uint8ClampedArray} */
function pixelsOfBitmap(bitmap, drawable, size) {
  const bitmapPixels = canvasPixels(bitmap, size);
  if (isOpaque(bitmapPixels, size.width, { x: 0, y: 0, ...size })) return bitmapPixels;
  const stored = storedPixels(bitmap, size);
  const drawn = bitmap === drawable ? bitmapPixels : canvasPixels(drawable, size);
  // WebGL2 may be missing, or give colors that are multiplied by alpha.
  const isExact = stored !== undefined && isSamePicture(stored, drawn);
  return isExact ? stored : drawn;
}

/** An image of a VideoFrame's copy, whose RGBA bytes are made when they are first read.
 * @type {(copy: OpaqueImage) => SourceImage} */
function imageOfCopy(copy) {
  const { width, height, channels, rowstride } = copy;
  /** @type {Uint8Array | undefined} */
  let data;
  return {
    width,
    height,
    channels,
    rowstride,
    copy,
    get data() {
      return (data ??= rgbaBytes(copy));
    },
  };
}

/** The limit of how much a canvas changes a color (0 to 255), times the pixel's alpha. It keeps color * alpha / 255 as
 * a whole number, less than 1 off, and its division by alpha rounds by less than 1 again: each is less than 255 / alpha
 * in the color. Measured for all colors and alphas in Chromium and Firefox: 254 at most. Colors that are multiplied by
 * alpha give up to 16,256. With alpha 0 any color passes. */
const maxCanvasLoss = 2 * 255;

/** Whether the RGBA bytes that WebGL2 read from a bitmap (`stored`) and those that a canvas drew (`drawn`) are one
 * picture: of equal alpha, and of colors that differ by no more than a canvas rounds them. They differ by more if the
 * bitmap stores colors multiplied by alpha, which no property tells: a caller's bitmap may, one of an SVG does, or any
 * in a browser that does not know `premultiplyAlpha`.
 * @type {(stored: Uint8Array, drawn: Uint8ClampedArray) => boolean} */
function isSamePicture(stored, drawn) {
  for (let pixel = 0; pixel < drawn.length; pixel += 4) {
    const alpha = drawn[pixel + 3]; // which a canvas does not round
    if (stored[pixel + 3] !== alpha) return false;
    for (let color = pixel; color < pixel + 3; color++) {
      const difference = Math.abs(stored[color] - drawn[color]);
      if (difference * alpha > maxCanvasLoss) return false;
    }
  }
  return true;
}
