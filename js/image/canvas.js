/** What browsers draw: its size, and its pixels by way of an OffscreenCanvas, which resizes too. */
import { readWhole, readWord, show, wrongKind, wrongValue } from '../arguments/index.js';

/**
 * A browser's class by its name; never where a program's types have no browser.
 * @template {string} Name
 * @typedef {Name extends string ? typeof globalThis extends Record<Name, { prototype: infer T }> ? T : never : never} BrowserClass
 */
/** @typedef {BrowserClass<'ImageBitmap' | 'HTMLImageElement' | 'HTMLCanvasElement' | 'OffscreenCanvas' | 'VideoFrame' | 'HTMLVideoElement'>} Drawable */

const fits = /** @type {const} */ (['fill', 'contain', 'cover']);

/**
 * @typedef {object} ResizeOptions
 * @property {number} [width] of the result; follows from height if omitted
 * @property {number} [height] of the result; follows from width if omitted
 * @property {typeof fits[number]} [fit] 'fill' if omitted
 * @property {string} [background] CSS colour of the bars that 'contain' leaves; 'black' if omitted
 */

/** @typedef {{ width: number, height: number }} Size */
/** @typedef {{ width: number | undefined, height: number | undefined, fit: typeof fits[number], background: string }} Resizing */

/** The names of the properties that hold an image's own size, by the class' name. @type {Record<string, [width: string, height: string]>} */
const sizeNames = {
  ImageBitmap: ['width', 'height'],
  HTMLImageElement: ['naturalWidth', 'naturalHeight'],
  HTMLCanvasElement: ['width', 'height'],
  OffscreenCanvas: ['width', 'height'],
  VideoFrame: ['displayWidth', 'displayHeight'],
  HTMLVideoElement: ['videoWidth', 'videoHeight'],
};

/** By the tag, which classes of other frames have too, and anything may claim. @type {(value: unknown) => string} */
export const classNameOf = (value) => Object.prototype.toString.call(value).slice(8, -1);

/** @type {(className: string) => boolean} */
export const isDrawable = (className) => Object.hasOwn(sizeNames, className);

/** @type {(className: string) => boolean} */
export const isBlob = (className) => ['Blob', 'File'].includes(className);

/**
 * @param {string} prefix
 * @param {string} argument
 * @param {any} drawable
 * @param {string} className what it claims to be
 * @returns {Size}
 * @throws {RangeError} nothing to draw: an image that is not loaded yet, a bitmap that is closed
 */
export function drawableSize(prefix, argument, drawable, className) {
  const [width, height] = sizeNames[className].map((name) => drawable[name]);
  const isLoaded = [width, height].every((extent) => Number.isSafeInteger(extent) && extent > 0);
  if (!isLoaded) wrongValue(prefix, `${argument} must be loaded and open, got ${show(width)} x ${show(height)} pixels`);
  return { width, height };
}

/**
 * @param {string} prefix
 * @param {string} argument
 * @param {unknown} value
 * @returns {number} from 1
 */
export function readExtent(prefix, argument, value) {
  const extent = readWhole(prefix, argument, value);
  if (!(extent >= 1 && Number.isSafeInteger(extent)))
    wrongValue(prefix, `${argument} must be at least 1, got ${show(value)}`);
  return /** @type {number} */ (extent);
}

/**
 * @param {string} prefix
 * @param {Record<keyof ResizeOptions, unknown>} options each read once
 * @returns {Resizing | undefined} undefined where no size is asked for
 */
export function readResizing(prefix, { width, height, fit, background }) {
  const resizing = {
    width: width === undefined ? undefined : readExtent(prefix, 'width', width),
    height: height === undefined ? undefined : readExtent(prefix, 'height', height),
    fit: readWord(prefix, 'fit', fits, fit) ?? 'fill',
    background: background ?? 'black',
  };
  if (typeof resizing.background !== 'string')
    wrongKind(prefix, `background must be a CSS colour, got ${show(background)}`);
  if (width !== undefined || height !== undefined) return /** @type {Resizing} */ (resizing);
  for (const [name, value] of [
    ['fit', fit],
    ['background', background],
  ])
    if (value !== undefined) wrongKind(prefix, `${name} needs width or height`);
  return undefined;
}

/** @type {(size: Size, resizing: Resizing | undefined) => Size} */
export function resizedSize({ width, height }, resizing) {
  if (!resizing) return { width, height };
  return {
    width: resizing.width ?? Math.max(1, Math.round((width * /** @type {number} */ (resizing.height)) / height)),
    height: resizing.height ?? Math.max(1, Math.round((height * /** @type {number} */ (resizing.width)) / width)),
  };
}

/** @type {(prefix: string, size: Size, willReadFrequently: boolean) => any} */
function contextOf(prefix, { width, height }, willReadFrequently) {
  const context = new /** @type {any} */ (globalThis).OffscreenCanvas(width, height).getContext('2d', {
    willReadFrequently,
  });
  if (!context) wrongValue(prefix, `a canvas must be possible for the image, got ${width} x ${height} pixels`);
  return context;
}

/** @type {(prefix: string, what: string) => void} */
export function needCanvas(prefix, what) {
  if (!('OffscreenCanvas' in globalThis))
    throw new Error(`${prefix}: ${what} needs OffscreenCanvas, which is not there`);
}

/**
 * An image's pixels, drawn.
 * @param {string} prefix
 * @param {any} source a drawable, or RGBA bytes in rows without padding
 * @param {Size} from the source's size
 * @param {Size} to
 * @param {Resizing | undefined} resizing
 * @returns {Uint8ClampedArray} RGBA
 * @throws {DOMException} pixels of another origin's, which a page may not read
 */
export function draw(prefix, source, from, to, resizing) {
  let drawable = source;
  if (ArrayBuffer.isView(source)) {
    const context = contextOf(prefix, from, false);
    const image = context.createImageData(from.width, from.height);
    image.data.set(source);
    context.putImageData(image, 0, 0);
    drawable = context.canvas;
  }
  const context = contextOf(prefix, to, true);
  context.imageSmoothingQuality = 'high';
  const { fit, background } = resizing ?? { fit: 'fill', background: '' };
  const scales = [to.width / from.width, to.height / from.height];
  const scale = fit === 'contain' ? Math.min(...scales) : Math.max(...scales);
  const [width, height] =
    fit === 'fill'
      ? [to.width, to.height]
      : [Math.max(1, Math.round(from.width * scale)), Math.max(1, Math.round(from.height * scale))];
  const [x, y] = [Math.floor((to.width - width) / 2), Math.floor((to.height - height) / 2)];
  if (fit === 'contain') {
    context.fillStyle = background;
    context.fillRect(0, 0, to.width, to.height);
    context.clearRect(x, y, width, height);
  }
  context.drawImage(drawable, x, y, width, height);
  return context.getImageData(0, 0, to.width, to.height).data;
}
