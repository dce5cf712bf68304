/**
 * Pictures on their way to a tensor. A picture is an image, and what is to become of it: the size that it is resized
 * to, the part of that which is kept, and the canvas on which that part lies. Nothing is computed before the picture is
 * written, so a crop costs nothing, and only pixels that it keeps are made.
 */
import { rangeError } from '../../arguments/index.js';
import { mostPixels } from '../../engines/images/index.js';
import { isSameSize } from '../../image/internal.js';

/** @import { Image } from '../../engines/images/types.js' */
/** @import { SourceImage } from '../../image/types.js' */
/** @import { Picture, Size } from '../types.js' */

export const black = [0, 0, 0];

/** Makes a picture of an image, without any change. `isOnWhite`: whether alpha, if there is one, is laid on white; it
 * is dropped if omitted. `onStep`: the listener to which changes are reported
 * @type {(image: SourceImage, options?: { isOnWhite?: boolean, onStep?: Picture['onStep'] }) => Picture} */
export function pictureOf(image, { isOnWhite = false, onStep } = {}) {
  const { width, height } = image;
  const full = { x: 0, y: 0, width, height };
  return {
    image,
    // Pixels of 2 or 4 channels have alpha, except in a copy from the browser, whose fourth byte says nothing.
    isOnWhite: isOnWhite && image.channels % 2 === 0 && !image.copy,
    // Nothing is resized yet, so any would do.
    resizeMethod: { backend: 'pil', filter: 'nearest' },
    size: { width, height },
    shown: full,
    canvas: full,
    fill: black,
    onStep,
  };
}

/** The size of a picture with all its changes. @type {(picture: Picture) => Size} */
export const sizeOf = ({ canvas: { width, height } }) => ({ width, height });

/** Whether a picture is neither cropped nor padded. @type {(picture: Picture) => boolean} */
export const isWhole = ({ size, shown, canvas }) => isSameSize(size, shown) && isSameSize(shown, canvas);

/** Refuses sizes to make with a side below 1 or above `maxPixels`, by default the most that the engine writes; NaN too.
 * @type {(size: Size, maxPixels?: number) => void} */
export function checkSize({ width, height }, maxPixels = mostPixels) {
  if (!(width >= 1 && height >= 1 && width <= maxPixels && height <= maxPixels))
    rangeError(`size must give 1 to ${maxPixels} pixels a side, got ${width} x ${height}`);
}

/** Refuses a picture whose kept part has more pixels a side than the engine writes. A part without pixels is allowed: a
 * crop beyond the picture shows its border alone.
 * @type {(picture: Picture) => void} */
export const checkKeptSize = ({ shown: { width, height } }) =>
  checkSize({ width: Math.max(width, 1), height: Math.max(height, 1) });

/** Refuses images that have more pixels a side than the engine reads. @type {(size: Size) => void} */
export function checkSides({ width, height }) {
  if (Math.max(width, height) > mostPixels)
    rangeError(`an image must have at most ${mostPixels} pixels a side, got ${width} x ${height}`);
}

/** Makes an image whose bytes are made when `data` is read for the first time.
 * @type {(shape: Omit<Image, 'data'>, make: () => Uint8Array) => Image} */
export function lazyImage(shape, make) {
  /** @type {Uint8Array | undefined} */
  let data;
  return {
    ...shape,
    get data() {
      return (data ??= make());
    },
  };
}

/** A picture of a size without pixels, of which only the size after its steps can be asked.
 * @type {(size: Size) => Picture} */
export const blankPicture = ({ width, height }) =>
  pictureOf({ data: new Uint8Array(0), width, height, channels: 3, rowstride: 3 * width });
