/** Resizing as the caller asks for it: the options, the size of the result, and where the image lies in it. */
import { readWord, show, wrongKind } from '../arguments/index.js';
import { readExtent } from './size.js';

/** @import { Size } from './size.js' */

const fits = /** @type {const} */ (['fill', 'contain', 'cover']);

/**
 * @typedef {object} ResizeOptions
 * @property {number} [width] of the result; follows from height if omitted
 * @property {number} [height] of the result; follows from width if omitted
 * @property {typeof fits[number]} [fit] 'fill' if omitted
 * @property {string} [background] CSS colour of the bars that 'contain' leaves; 'black' if omitted
 */

/**
 * The options, read. At least one of `width` and `height` is a number.
 * @typedef {object} Resizing
 * @property {number | undefined} width
 * @property {number | undefined} height
 * @property {typeof fits[number]} fit
 * @property {string} background
 */

/**
 * Reads the options of resizing.
 * @param {string} prefix
 * @param {Record<keyof ResizeOptions, unknown>} options each read once
 * @returns {Resizing | undefined} undefined if the caller asks for no size
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
  for (const [name, value] of Object.entries({ fit, background }))
    if (value !== undefined) wrongKind(prefix, `${name} needs width or height`);
  return undefined;
}

/**
 * The size of the result. If the caller gives one extent, the other keeps the aspect ratio, rounded and at least 1.
 * @param {Size} size
 * @param {Resizing | undefined} resizing
 * @returns {Size}
 */
export function resizedSize({ width, height }, resizing) {
  if (!resizing) return { width, height };
  return {
    width: resizing.width ?? Math.max(1, Math.round((width * /** @type {number} */ (resizing.height)) / height)),
    height: resizing.height ?? Math.max(1, Math.round((height * /** @type {number} */ (resizing.width)) / width)),
  };
}

/**
 * Where the whole image lies in the result: inside it for 'contain', beyond its edges for 'cover'.
 * @param {Size} from
 * @param {Size} to
 * @param {Resizing['fit']} fit
 * @returns {Size & { x: number, y: number }}
 */
export function placementOf(from, to, fit) {
  if (fit === 'fill') return { x: 0, y: 0, width: to.width, height: to.height };
  const scales = [to.width / from.width, to.height / from.height];
  const scale = fit === 'contain' ? Math.min(...scales) : Math.max(...scales);
  const width = Math.max(1, Math.round(from.width * scale));
  const height = Math.max(1, Math.round(from.height * scale));
  return { x: Math.floor((to.width - width) / 2), y: Math.floor((to.height - height) / 2), width, height };
}
