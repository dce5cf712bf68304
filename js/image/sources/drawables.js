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

/** The properties of an image's own size, by its class. An element's `width` and `height` are what the page shows.
 * @type {Record<string, [width: string, height: string]>} */
const sizeNames = {
  ImageBitmap: ['width', 'height'],
  HTMLImageElement: ['naturalWidth', 'naturalHeight'],
  HTMLCanvasElement: ['width', 'height'],
  OffscreenCanvas: ['width', 'height'],
  VideoFrame: ['displayWidth', 'displayHeight'],
  HTMLVideoElement: ['videoWidth', 'videoHeight'],
};

/** The name of an object's class, by its `Symbol.toStringTag`, because `instanceof` refuses objects of other pages'
 * frames. Nothing relies on the claim being true.
 * @type {(value: unknown) => string} */
export const classNameOf = (value) => Object.prototype.toString.call(value).slice(8, -1);

/** Whether a canvas can draw objects of a class. @type {(className: string) => boolean} */
export const isDrawable = (className) => Object.hasOwn(sizeNames, className);

/** @type {(className: string) => boolean} */
export const isBlob = (className) => ['Blob', 'File'].includes(className);

/** @type {(className: string) => boolean} */
export const isBitmap = (className) => className === 'ImageBitmap';

/** @type {(className: string) => boolean} */
export const isCanvas = (className) => ['HTMLCanvasElement', 'OffscreenCanvas'].includes(className);

/** @type {(className: string) => boolean} */
export const isImageElement = (className) => className === 'HTMLImageElement';

/** The size of a drawable in its own pixels. One that is not loaded, or is closed, has sides of 0, and is refused.
 * @type {(argument: string, drawable: unknown, className: string) => Size} */
export function drawableSize(argument, drawable, className) {
  const record = /** @type {Record<string, number>} */ (drawable);
  const [width, height] = sizeNames[className].map((name) => record[name]);
  const isLoaded = [width, height].every((extent) => Number.isSafeInteger(extent) && extent > 0);
  if (!isLoaded) rangeError(`${argument} must be loaded and open, got ${show(width)} x ${show(height)} pixels`);
  return { width, height };
}
