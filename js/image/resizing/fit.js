/** Resizing as the caller asks for it: the options, the size of the result, and where the image lies in it. */
import { readExtent, readWord, typeError } from '../../arguments/index.js';
import { checkTensorBackground, readBackground } from './background.js';
import { readFilter } from './filters.js';
import { roundHalfToEven } from './size.js';

/** @import { Backend } from './filters.js' */
/** @import { FitOptions, Fitting, Size, Window } from '../types.js' */

const fits = /** @type {const} */ (['fill', 'contain', 'cover', 'center-crop']);

/** Reads the options of resizing. Gives undefined if there is neither a width nor a height, and then refuses the other
 * options. `isBackendMore`: whether `backend` is taken even then, because it decides more than resizing; `usual`: the
 * backend if the caller names none.
 * @type {(options: Record<keyof FitOptions, unknown>, isBackendMore?: boolean, usual?: Backend) => Fitting |
 *   undefined} */
export function readFitting(options, isBackendMore = false, usual = 'pil') {
  const { width, height, fit, background, filter, backend } = options;
  const choice = readFilter(backend ?? usual, filter, ['canvas']);
  // A canvas takes any CSS color, so its text is not checked here.
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

/** Computes the size of the result of an image in pixels: the image's own if nothing is resized. A side that is not
 * given keeps the aspect ratio, rounded and at least 1.
 * @type {(size: Size, fitting: Fitting | undefined) => Size} */
export function resizedSize({ width, height }, fitting) {
  if (!fitting) return { width, height };
  return {
    width: fitting.width ?? Math.max(1, Math.round((width * /** @type {number} */ (fitting.height)) / height)),
    height: fitting.height ?? Math.max(1, Math.round((height * /** @type {number} */ (fitting.width)) / width)),
  };
}

/** Computes the size of the resized image and where its left top pixel lies in the result: for 'contain' inside of it,
 * for 'cover' and 'center-crop' beyond its edges (negative), always in the middle. 'center-crop' rounds as
 * torchvision's `Resize` and `CenterCrop`.
 * @type {(from: Size, to: Size, fit: Fitting['fit']) => Size & { x: number, y: number }} */
export function placementOf(from, to, fit) {
  if (fit === 'fill') return { x: 0, y: 0, width: to.width, height: to.height };
  const scales = [to.width / from.width, to.height / from.height];
  const scale = fit === 'contain' ? Math.min(...scales) : Math.max(...scales);
  if (fit === 'center-crop') {
    const isWide = scale === scales[1]; // the heights are equal, and columns are cut off
    const width = isWide ? Math.trunc((to.height * from.width) / from.height) : to.width;
    const height = isWide ? to.height : Math.trunc((to.width * from.height) / from.width);
    const [x, y] = [-roundHalfToEven((width - to.width) / 2), -roundHalfToEven((height - to.height) / 2)];
    return { x, y, width, height };
  }
  const width = Math.max(1, Math.round(from.width * scale));
  const height = Math.max(1, Math.round(from.height * scale));
  return { x: Math.floor((to.width - width) / 2), y: Math.floor((to.height - height) / 2), width, height };
}

/** Finds the part of a picture, in its own pixels, that has to be read if the rest is cut off by 'cover' or
 * 'center-crop'; undefined if all of it counts.
 * @type {(from: Size, fitting: Fitting | undefined) => Window | undefined} */
export function croppedPart(from, fitting) {
  if (fitting?.fit !== 'cover' && fitting?.fit !== 'center-crop') return undefined;
  const to = resizedSize(from, fitting);
  const placed = placementOf(from, to, fitting.fit);
  const [x, width] = spanOf(from.width, placed.width, -placed.x, to.width);
  const [y, height] = spanOf(from.height, placed.height, -placed.y, to.height);
  return { x, y, width, height };
}

/** How far the widest filter, OpenCV's lanczos4, reads to either side, in pixels of the smaller picture. */
const maxReach = 4;

/** Finds which pixels of an axis are read to make `count` pixels of the resized one, from `first` on. `extent` and
 * `resized`: pixels of the axis before and after. The part starts and ends at even pixels, because YUV has one color
 * for two pixels.
 * @type {(extent: number, resized: number, first: number, count: number) => [start: number, count: number]} */
function spanOf(extent, resized, first, count) {
  const factor = extent / resized;
  // A filter reads wider where a picture shrinks; one more pixel for rounding.
  const reach = maxReach * Math.max(1, factor) + 1;
  const start = Math.max(0, 2 * Math.floor((first * factor - reach) / 2));
  const end = Math.min(extent, 2 * Math.ceil(((first + count) * factor + reach) / 2));
  return [start, end - start];
}
