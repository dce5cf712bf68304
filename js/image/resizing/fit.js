/** Resizing as the caller asks for it: the options, the size of the result, and where the image lies in it. */
import { readExtent, readWord, typeError } from '../../arguments/index.js';
import { checkTensorBackground, readBackground } from './background.js';
import { readFilter } from './filters.js';
import { roundHalfToEven } from './size.js';

/** @import { Backend } from './filters.js' */
/** @import { FitOptions, Fitting, Size, Window } from '../types.js' */

const fits = /** @type {const} */ (['fill', 'contain', 'cover', 'center-crop']);

/** Reads the options of resizing; undefined without a width and a height. `isBackendMore`: the backend is for more than
 * resizing, and may stand without them. `usual`: the backend if the caller names none.
 * @type {(options: Record<keyof FitOptions, unknown>, isBackendMore?: boolean, usual?: Backend) => Fitting |
 *   undefined} */
export function readFitting(options, isBackendMore = false, usual = 'pil') {
  const { width, height, fit, background, filter, backend } = options;
  const choice = readFilter(backend ?? usual, filter, ['canvas']);
  // A canvas reads any CSS color.
  const readsCss = choice.filter === 'canvas' ? () => {} : undefined;
  const fitting = {
    width: width === undefined ? undefined : readExtent('width', width),
    height: height === undefined ? undefined : readExtent('height', height),
    fit: readWord('fit', fits, fit) ?? 'fill',
    background: checkTensorBackground(readBackground(background === undefined ? 'black' : background, readsCss)),
    ...choice,
  };
  if (width !== undefined || height !== undefined) return /** @type {Fitting} */ (fitting);
  for (const [name, value] of Object.entries({ fit, background, filter, backend }))
    if (value !== undefined && !(isBackendMore && name === 'backend')) typeError(`${name} needs width or height`);
  return undefined;
}

/** Computes the size of the result. An extent that is not given keeps the aspect ratio, rounded and at least 1.
 * @type {(size: Size, fitting: Fitting | undefined) => Size} */
export function resizedSize({ width, height }, fitting) {
  if (!fitting) return { width, height };
  return {
    width: fitting.width ?? Math.max(1, Math.round((width * /** @type {number} */ (fitting.height)) / height)),
    height: fitting.height ?? Math.max(1, Math.round((height * /** @type {number} */ (fitting.width)) / width)),
  };
}

/** Places the resized image in the result: inside it for 'contain', beyond its edges for 'cover' and 'center-crop',
 * which rounds as torchvision does.
 * @type {(from: Size, to: Size, fit: Fitting['fit']) => Size & { x: number, y: number }} */
export function placementOf(from, to, fit) {
  if (fit === 'fill') return { x: 0, y: 0, width: to.width, height: to.height };
  const scales = [to.width / from.width, to.height / from.height];
  const scale = fit === 'contain' ? Math.min(...scales) : Math.max(...scales);
  if (fit === 'center-crop') {
    const isWide = scale === scales[1];
    const width = isWide ? Math.trunc((to.height * from.width) / from.height) : to.width;
    const height = isWide ? to.height : Math.trunc((to.width * from.height) / from.width);
    const [x, y] = [-roundHalfToEven((width - to.width) / 2), -roundHalfToEven((height - to.height) / 2)];
    return { x, y, width, height };
  }
  const width = Math.max(1, Math.round(from.width * scale));
  const height = Math.max(1, Math.round(from.height * scale));
  return { x: Math.floor((to.width - width) / 2), y: Math.floor((to.height - height) / 2), width, height };
}

/** Finds the part of a picture that is read where the rest is cut off.
 * @type {(from: Size, fitting: Fitting | undefined) => Window | undefined} */
export function croppedPart(from, fitting) {
  if (fitting?.fit !== 'cover' && fitting?.fit !== 'center-crop') return undefined;
  const to = resizedSize(from, fitting);
  const placed = placementOf(from, to, fitting.fit);
  const [x, width] = spanOf(from.width, placed.width, -placed.x, to.width);
  const [y, height] = spanOf(from.height, placed.height, -placed.y, to.height);
  return { x, y, width, height };
}

/** The reach of the widest filter, OpenCV's lanczos4, to either side, in pixels of the smaller picture. */
const mostReach = 4;

/** Finds the pixels of an axis that `count` resized ones from `first` on read. They start and end at even pixels,
 * because YUV has one color for two pixels.
 * @type {(extent: number, resized: number, first: number, count: number) => [start: number, count: number]} */
function spanOf(extent, resized, first, count) {
  const factor = extent / resized;
  const reach = mostReach * Math.max(1, factor) + 1;
  const start = Math.max(0, 2 * Math.floor((first * factor - reach) / 2));
  const end = Math.min(extent, 2 * Math.ceil(((first + count) * factor + reach) / 2));
  return [start, end - start];
}
