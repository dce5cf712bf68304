/** The browser's canvas: gives the pixels of what it can draw, at any size. */
import { rangeError, refusal } from '../../arguments/index.js';
import { placementOf } from '../resizing/fit.js';

/** @import { Fitting } from '../resizing/fit.js' */
/** @import { Size } from '../resizing/size.js' */

/**
 * Refuses a call that needs a canvas where there is none.
 * @param {string} what the thing that needs a canvas, as the message names it
 * @throws {Error} no OffscreenCanvas here
 */
export function needCanvas(what) {
  if (!('OffscreenCanvas' in globalThis)) throw refusal(new Error(`${what} needs OffscreenCanvas, which is not there`));
}

/**
 * @param {Size} size
 * @param {boolean} willReadFrequently keeps the pixels in memory instead of on a graphics processor
 * @returns {any} the 2-D context of a new canvas
 */
function contextOf({ width, height }, willReadFrequently) {
  const { OffscreenCanvas } = /** @type {any} */ (globalThis);
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently });
  if (!context) rangeError(`a canvas must be possible for the image, got ${width} x ${height} pixels`);
  return context;
}

/**
 * Draws an image and reads its pixels back.
 * @param {any} source a drawable, or RGBA bytes in rows without padding
 * @param {Size} from the size of the source
 * @param {Size} to the size of the result
 * @param {Fitting | undefined} fitting
 * @returns {Uint8ClampedArray} RGBA
 * @throws {DOMException} pixels of another origin, which a page may not read
 */
export function draw(source, from, to, fitting) {
  const drawable = ArrayBuffer.isView(source) ? canvasOf(/** @type {Uint8Array} */ (source), from) : source;
  const context = contextOf(to, true);
  context.imageSmoothingQuality = 'high';
  const { fit, background } = fitting ?? { fit: 'fill', background: '' };
  const { x, y, width, height } = placementOf(from, to, fit);
  if (fit === 'contain') {
    context.fillStyle = background;
    context.fillRect(0, 0, to.width, to.height);
    // The background must not show through a transparent image.
    context.clearRect(x, y, width, height);
  }
  context.drawImage(drawable, x, y, width, height);
  return context.getImageData(0, 0, to.width, to.height).data;
}

/**
 * A canvas that shows the given pixels, because `putImageData` itself cannot resize.
 * @param {Uint8Array} rgba
 * @param {Size} size
 * @returns {any}
 */
function canvasOf(rgba, size) {
  const context = contextOf(size, false);
  const image = context.createImageData(size.width, size.height);
  image.data.set(rgba);
  context.putImageData(image, 0, 0);
  return context.canvas;
}
