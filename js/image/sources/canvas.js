/** The browser's canvas: gives the pixels of what it can draw, at any size. */
import { rangeError, refusal } from '../../arguments/index.js';
import { rgbaOf } from '../resizing/background.js';
import { placementOf } from '../resizing/fit.js';

/** @import { BrowserClass } from './drawables.js' */
/** @import { Background, Bitmap, Fitting, Size } from '../types.js' */

/** Refuses `what` where there is no OffscreenCanvas. @type {(what: string) => void} */
export function needCanvas(what) {
  if (!('OffscreenCanvas' in globalThis)) throw refusal(new Error(`${what} needs OffscreenCanvas, which is not there`));
}

/** Makes a canvas, and gives its context for drawing. `willReadFrequently`: whether the browser is asked to keep the
 * pixels in main memory, from which they are read faster
 * @type {(size: Size, willReadFrequently: boolean) => BrowserClass<'OffscreenCanvasRenderingContext2D'>} */
function contextOf({ width, height }, willReadFrequently) {
  const { OffscreenCanvas } = globalThis;
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently });
  if (!context) rangeError(`a canvas must be possible for the image, got ${width} x ${height} pixels`);
  return context;
}

/** Draws a drawable, or RGBA bytes without padding, on a canvas of the size `to`, and reads its RGBA bytes. `from`: the
 * size of the drawable; `fitting`: the picture is stretched if undefined
 * @type {(source: unknown, from: Size, to: Size, fitting: Fitting | undefined) => Uint8ClampedArray} */
export function draw(source, from, to, fitting) {
  const drawable = ArrayBuffer.isView(source)
    ? canvasOf(/** @type {Uint8Array} */ (source), from)
    : /** @type {Bitmap} */ (source);
  const willReadFrequently = true;
  const context = contextOf(to, willReadFrequently);
  context.imageSmoothingQuality = 'high';
  const { x, y, width, height } = placementOf(from, to, fitting?.fit ?? 'fill');
  if (fitting?.fit === 'contain') {
    context.fillStyle = cssOf(fitting.background);
    context.fillRect(0, 0, to.width, to.height);
    // The background must not show through a transparent image.
    context.clearRect(x, y, width, height);
  }
  context.drawImage(drawable, x, y, width, height);
  return context.getImageData(0, 0, to.width, to.height).data;
}

/** Spells the background of bars as CSS: any CSS color as it is, a byte or three of them as `rgb(r,g,b)`.
 * @type {(background: Background) => string} */
function cssOf(background) {
  if (typeof background === 'string') return background;
  const hasAlpha = false;
  const [red, green, blue] = rgbaOf(background, hasAlpha);
  return `rgb(${[red, green, blue]})`;
}

/** Puts RGBA bytes on a canvas, which can be drawn at another size.
 * @type {(rgba: Uint8Array, size: Size) => BrowserClass<'OffscreenCanvas'>} */
function canvasOf(rgba, size) {
  const willReadFrequently = false; // it is only drawn
  const context = contextOf(size, willReadFrequently);
  const image = context.createImageData(size.width, size.height);
  image.data.set(rgba);
  context.putImageData(image, 0, 0);
  return context.canvas;
}
