/** Where a picture lies in a letterbox: Ultralytics' LetterBox (ultralytics/data/augment.py), and what YOLOX,
 * InsightFace and RapidOCR do in its place. */
import { extent, flag, word } from '../../arguments/index.js';
import { readBackground } from './background.js';
import { openCvFilters } from './filters.js';
import { readSide, roundHalfToEven } from './size.js';

/** @import { LetterboxGeometry, Letterboxing, Size } from '../types.js' */

const roundings = /** @type {const} */ (['round', 'floor', 'aspect', 'ceil']);
/** @typedef {typeof roundings[number]} Rounding */

export const letterboxTable = {
  width: readSide,
  height: readSide,
  auto: flag(false),
  stride: extent(32),
  scaleFill: flag(false),
  scaleup: flag(true),
  center: flag(true),
  background: (/** @type {string} */ _, /** @type {unknown} */ value = 114) =>
    value === null ? null : readBackground(value),
  filter: word(openCvFilters, 'linear'),
  rounding: word(roundings, 'round'),
};

/** Splits the pixels that a picture leaves of an axis into the bars before and behind it, as Ultralytics' LetterBox
 * does. With `center` both are equal, or the one behind has a pixel more: the tenth makes halves round down in front
 * and up behind. Without it all pixels come behind.
 * @type {(bar: number, center: boolean) => [before: number, behind: number]} */
export function splitBar(bar, center) {
  if (!center) return [0, roundHalfToEven(bar + 0.1)];
  return [roundHalfToEven(bar / 2 - 0.1), roundHalfToEven(bar / 2 + 0.1)];
}

/** Computes where a picture lies in its letterbox, and its scale. With `auto` bars reach only the next multiple of
 * `stride`; with `scaleFill` the picture is stretched and gets none.
 * @type {(letterboxing: Letterboxing, source: Size) => LetterboxGeometry} */
export function geometryOf(letterboxing, source) {
  const { width, height, auto, stride, scaleFill, center } = letterboxing;
  const { scale, ...fitted } = resizedOf(letterboxing, source);
  const isStretched = scaleFill && !auto;
  const resized = isStretched ? { width, height } : fitted;
  /** The pixels of both bars of an axis together. @type {(extent: number, inner: number) => number} */
  const barsOf = (extent, inner) => (auto ? (extent - inner) % stride : extent - inner);
  const [left, right] = splitBar(barsOf(width, resized.width), center);
  const [top, bottom] = splitBar(barsOf(height, resized.height), center);
  // YOLOX and InsightFace divide both sides of a box by the one scale, which a stretched picture has not; Ultralytics
  // divides each side by the ratio that rounding left.
  const hasOneScale = ['floor', 'aspect'].includes(letterboxing.rounding) && !isStretched;
  return {
    width: left + resized.width + right,
    height: top + resized.height + bottom,
    scale,
    scaleX: hasOneScale ? scale : resized.width / source.width,
    scaleY: hasOneScale ? scale : resized.height / source.height,
    left,
    top,
    resized,
    source: { width: source.width, height: source.height },
    center,
  };
}

/** Computes the size of a picture in its letterbox, and its `scale`: pixels of the letterbox for one of the picture.
 * Only 'round' (Ultralytics) and 'floor' (YOLOX) heed `scaleup`.
 * @type {(letterboxing: Letterboxing, source: Size) => Size & { scale: number }} */
function resizedOf({ width, height, scaleup, rounding }, source) {
  const ratio = source.height / source.width;
  // InsightFace: the side that limits is the letterbox's, the other one follows from the ratio.
  if (rounding === 'aspect') {
    const isTall = ratio > height / width;
    const inner = isTall
      ? { width: Math.max(1, Math.trunc(height / ratio)), height }
      : { width, height: Math.max(1, Math.trunc(width * ratio)) };
    return { ...inner, scale: inner.height / source.height };
  }
  // RapidOCR's lines of text: always of the full height, whose scale counts, and squeezed only if they are too wide.
  if (rounding === 'ceil') {
    const exact = height * (source.width / source.height);
    return { width: Math.min(Math.ceil(exact), width), height, scale: height / source.height };
  }
  const fitting = Math.min(height / source.height, width / source.width);
  const scale = scaleup ? fitting : Math.min(fitting, 1);
  const round = rounding === 'floor' ? Math.trunc : roundHalfToEven;
  const scaledWidth = Math.max(1, round(source.width * scale));
  const scaledHeight = Math.max(1, round(source.height * scale));
  return { width: scaledWidth, height: scaledHeight, scale };
}
