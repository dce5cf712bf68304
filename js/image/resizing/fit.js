/** Resizing as the caller asks for it: the options, the size of the result, and where the image lies in it. */
import { readExtent, readWord, typeError } from '../../arguments/index.js';
import { checkTensorBackground, readBackground } from './background.js';
import { readFilter } from './filters.js';
import { roundHalfToEven } from './size.js';

/** @import { Backend } from './filters.js' */
/** @import { FitOptions, Fitting, Size, Window } from '../types.js' */

const fits = /** @type {const} */ (['fill', 'contain', 'cover', 'center-crop']);

/** Reads the options of resizing; gives undefined if there is neither a width nor a height, and refuses the others
 * then. `takesBackend`: whether `backend` is taken even then, because it decides more than resizing; `usualBackend`:
 * the backend if it is omitted
 * @type {(options: Record<keyof FitOptions, unknown>, takesBackend?: boolean, usualBackend?: Backend) => Fitting |
 *   undefined} */
export function readFitting(options, takesBackend = false, usualBackend = 'pil') {
  const { width, height, fit, background, filter, backend } = options;
  const choice = readFilter(backend ?? usualBackend, filter, ['canvas']);
  // A canvas takes any CSS color, so its text is not checked here.
  const checkCss = choice.filter === 'canvas' ? () => {} : undefined;
  const fitting = {
    width: width === undefined ? undefined : readExtent('width', width),
    height: height === undefined ? undefined : readExtent('height', height),
    fit: readWord('fit', fits, fit) ?? 'fill',
    background: checkTensorBackground(readBackground(background === undefined ? 'black' : background, checkCss)),
    ...choice,
  };
  if (width !== undefined || height !== undefined) return /** @type {Fitting} */ (fitting);
  // Nothing is resized, so options of resizing are mistakes.
  const refused = { fit, background, filter, ...(!takesBackend && { backend }) };
  for (const [name, value] of Object.entries(refused))
    if (value !== undefined) typeError(`${name} needs width or height`);
  return undefined;
}

/** The size to which a picture is resized. A side that is not given follows from the other one by the aspect ratio,
 * rounded and at least 1.
 * @type {(size: Size, fitting: Fitting | undefined) => Size} */
export function resizedSize({ width, height }, fitting) {
  if (!fitting) return { width, height };
  // One of the two is there, so each line below that needs the other side has it.
  const [fittedWidth, fittedHeight] = /** @type {number[]} */ ([fitting.width, fitting.height]);
  return {
    width: fittedWidth ?? Math.max(1, Math.round((width * fittedHeight) / height)),
    height: fittedHeight ?? Math.max(1, Math.round((height * fittedWidth) / width)),
  };
}

/** The size of the resized image and where its left top pixel lies in the result: beyond its edges (negative) for
 * 'cover' and 'center-crop', which rounds as torchvision's `Resize` and `CenterCrop`.
 * @type {(from: Size, to: Size, fit: Fitting['fit']) => Size & { x: number, y: number }} */
export function placementOf(from, to, fit) {
  if (fit === 'fill') return { x: 0, y: 0, width: to.width, height: to.height };
  if (fit === 'center-crop') return centerCropOf(from, to);
  const scaleX = to.width / from.width;
  const scaleY = to.height / from.height;
  const scale = fit === 'contain' ? Math.min(scaleX, scaleY) : Math.max(scaleX, scaleY);
  const width = Math.max(1, Math.round(from.width * scale));
  const height = Math.max(1, Math.round(from.height * scale));
  return { x: Math.floor((to.width - width) / 2), y: Math.floor((to.height - height) / 2), width, height };
}

/** The size of a picture that covers `to` in its own ratio, and where its left top pixel lies if the middle of it is
 * cut out, rounded as torchvision's `Resize` and `CenterCrop` do.
 * @type {(from: Size, to: Size) => Size & { x: number, y: number }} */
function centerCropOf(from, to) {
  // The side that needs the greater scale fits exactly; the other one is cut.
  const cutsColumns = to.height / from.height >= to.width / from.width;
  const width = cutsColumns ? Math.trunc((to.height * from.width) / from.height) : to.width;
  const height = cutsColumns ? to.height : Math.trunc((to.width * from.height) / from.width);
  const x = -roundHalfToEven((width - to.width) / 2);
  const y = -roundHalfToEven((height - to.height) / 2);
  return { x, y, width, height };
}

/** The part of a picture, in its own pixels, that 'cover' or 'center-crop' leaves; undefined if all of it counts.
 * @type {(from: Size, fitting: Fitting | undefined) => Window | undefined} */
export function croppedPart(from, fitting) {
  if (fitting?.fit !== 'cover' && fitting?.fit !== 'center-crop') return undefined;
  const to = resizedSize(from, fitting);
  const placed = placementOf(from, to, fitting.fit);
  const [cutLeft, cutTop] = [-placed.x, -placed.y];
  const [x, width] = spanOf(from.width, placed.width, cutLeft, to.width);
  const [y, height] = spanOf(from.height, placed.height, cutTop, to.height);
  return { x, y, width, height };
}

/** How far the widest filter, OpenCV's lanczos4, reads to either side, in pixels of the smaller picture. */
const maxReach = 4;

/** The pixels of a picture's row or column that a filter reads to make pixels of the resized one: `count` of them, from
 * the pixel `first` on. `extent`: pixels of the axis; `resized`: pixels that the whole axis becomes. The part starts
 * and ends at even pixels, because YUV has one color for two pixels.
 * @type {(extent: number, resized: number, first: number, count: number) => [start: number, count: number]} */
function spanOf(extent, resized, first, count) {
  const factor = extent / resized;
  // A filter reads wider where a picture shrinks; one more pixel for rounding.
  const reach = maxReach * Math.max(1, factor) + 1;
  const firstRead = first * factor - reach;
  const endRead = (first + count) * factor + reach;
  const start = Math.max(0, 2 * Math.floor(firstRead / 2));
  const end = Math.min(extent, 2 * Math.ceil(endRead / 2));
  return [start, end - start];
}
