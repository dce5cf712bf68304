/** The browser's own images: which objects a canvas can draw, and how large each is. */
import { rangeError, show } from '../../arguments/index.js';

/** @import { Size } from '../types.js' */

/**
 * A browser's class by its name; `never` in a program whose types include no browser.
 * @template {string} Name
 * @typedef {Name extends string
 *   ? typeof globalThis extends Record<Name, { prototype: infer T }> ? T : never
 *   : never} BrowserClass
 */

/**
 * The two properties that hold an image's own size, by the name of its class. An element's `width` and `height` are the
 * size that the page shows it at.
 * @type {Record<string, [width: string, height: string]>}
 */
const sizeNames = {
  ImageBitmap: ['width', 'height'],
  HTMLImageElement: ['naturalWidth', 'naturalHeight'],
  HTMLCanvasElement: ['width', 'height'],
  OffscreenCanvas: ['width', 'height'],
  VideoFrame: ['displayWidth', 'displayHeight'],
  HTMLVideoElement: ['videoWidth', 'videoHeight'],
};

/**
 * The class that a value claims by its `Symbol.toStringTag`. Objects of other frames have the same tag, which
 * `instanceof` would refuse; any object may claim any tag, so nothing relies on the claim being true.
 * @type {(value: unknown) => string}
 */
export const classNameOf = (value) => Object.prototype.toString.call(value).slice(8, -1);

/** @type {(className: string) => boolean} */
export const isDrawable = (className) => Object.hasOwn(sizeNames, className);

/** @type {(className: string) => boolean} */
export const isBlob = (className) => ['Blob', 'File'].includes(className);

/** @type {(className: string) => boolean} */
export const isBitmap = (className) => className === 'ImageBitmap';

/** @type {(className: string) => boolean} */
export const isImageElement = (className) => className === 'HTMLImageElement';

/** @type {(argument: string, drawable: any, className: string) => Size} */
export function drawableSize(argument, drawable, className) {
  const [width, height] = sizeNames[className].map((name) => drawable[name]);
  const isLoaded = [width, height].every((extent) => Number.isSafeInteger(extent) && extent > 0);
  if (!isLoaded) rangeError(`${argument} must be loaded and open, got ${show(width)} x ${show(height)} pixels`);
  return { width, height };
}
