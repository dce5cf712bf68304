/** The sizes that pictures are resized to, by Python's own arithmetic: float64, `int()` truncates. */
import { rangeError } from '../../arguments/index.js';
import { roundHalfToEven } from '../../image/internal.js';

/** @import { Size, SizeSetting } from '../types.js' */

const { abs, ceil, floor, max, min, sqrt, trunc } = Math;

/** A size of equal sides. @type {(side: number) => Size} */
export const square = (side) => ({ height: side, width: side });

/** A size whose sides are `of` of another's. @type {(size: Size, of: (side: number) => number) => Size} */
export const both = ({ width, height }, of) => ({ width: of(width), height: of(height) });

/** The size whose shorter side is `edge`, in the picture's ratio. @type {(size: Size, edge: number) => Size} */
export function shortestEdgeSize({ width, height }, edge) {
  const other = trunc((edge * max(width, height)) / min(width, height));
  return width <= height ? { width: edge, height: other } : { width: other, height: edge };
}

/** The size whose shorter side is `edge`, or less so that the other is at most `longest`. `keepsTall`: whether a tall
 * picture whose shorter side is right keeps its size
 * @type {(size: Size, edge: number, longest: number, keepsTall?: boolean) => Size} */
export function boundedSize({ width, height }, edge, longest, keepsTall = true) {
  const [low, high] = [min(width, height), max(width, height)];
  const isLong = (high / low) * edge > longest;
  const exact = isLong ? (longest * low) / high : edge;
  const short = isLong ? roundHalfToEven(exact) : edge;
  if (low === short && (keepsTall || width >= height)) return { width, height };
  if (width < height) return { width: short, height: trunc((exact * height) / width) };
  return { width: trunc((exact * width) / height), height: short };
}

/** The size that a setting gives a picture, whichever keys it has. `bounded`: the rule for both edges
 * @type {(size: Size, setting: SizeSetting | undefined, bounded?: (size: Size, edge: number, longest: number) => Size)
 *   => Size} */
export function sizeBySetting(size, setting = {}, bounded = boundedSize) {
  const { shortest_edge: edge, longest_edge: longest, max_height: maxHeight, max_width: maxWidth } = setting;
  if (edge !== undefined && longest !== undefined) return bounded(size, edge, longest);
  if (edge !== undefined) return shortestEdgeSize(size, edge);
  if (maxHeight !== undefined && maxWidth !== undefined) {
    const scale = min(maxHeight / size.height, maxWidth / size.width);
    return both(size, (side) => trunc(side * scale));
  }
  return exactSize(setting);
}

/** A setting's height and width; refuses one without them.
 * @type {(setting: SizeSetting | undefined, name?: string) => Size} */
export function exactSize({ height, width } = {}, name = 'size') {
  if (height === undefined || width === undefined) rangeError(`${name} must have the keys height and width here`);
  return { width, height };
}

/** The side of a setting that has to be square. @type {(setting: SizeSetting | undefined) => number} */
export function squareSide(setting) {
  const { width, height } = exactSize(setting);
  return width === height ? width : rangeError(`size must be square, got ${width} x ${height}`);
}

/** One edge of a setting; refuses one without it.
 * @type {(setting: SizeSetting | undefined, key: 'shortest_edge' | 'longest_edge', name?: string) => number} */
export function edgeOf(setting = {}, key, name = 'size') {
  const edge = setting[key];
  return edge === undefined ? rangeError(`${name} must have the key ${key} here`) : edge;
}

/** The bounds of the number of pixels, which such settings call edges.
 * @type {(setting: SizeSetting | undefined) => [minPixels: number, maxPixels: number]} */
export const edgesOf = (setting) => [edgeOf(setting, 'shortest_edge'), edgeOf(setting, 'longest_edge')];

/** YOLOS' size: that of boundedSize, with sides cut to multiples of 16.
 * @type {(size: Size, edge: number, longest: number) => Size} */
export function yolosSize(size, edge, longest) {
  return both(boundedSize(size, edge, longest, false), (side) => side - (side % 16));
}

/** The size whose longer side is `edge`, rounded to nearest even; sides are at least `least`.
 * @type {(size: Size, edge: number, least?: number) => Size} */
export function longestEdgeSize(size, edge, least = 0) {
  const scale = edge / max(size.width, size.height);
  return both(size, (side) => max(roundHalfToEven(side * scale), least));
}

/** ViLT's size: the shorter side is `edge`, the longer one at most 1333 / 800 of it; both rounded half up, then down to
 * multiples of `divisor`. `isDivided`: whether the ratio is computed from the two sides first, as torchvision's ViLT
 * does
 * @type {(size: Size, edge: number, divisor: number, isDivided: boolean) => Size} */
export function boundedRatioSize({ width, height }, edge, divisor, isDivided) {
  const longest = trunc((1333 / 800) * edge);
  const scale = edge / min(width, height);
  let [w, h] = height < width ? [scale * width, edge] : [edge, scale * height];
  if (isDivided) [w, h] = height < width ? [width * (edge / height), edge] : [edge, height * (edge / width)];
  if (max(w, h) > longest) {
    const down = longest / max(w, h);
    [w, h] = [down * w, down * h];
  }
  return { width: multipleBelow(trunc(w + 0.5), divisor), height: multipleBelow(trunc(h + 0.5), divisor) };
}

/** SAM's size: the longer side is `longest`, and both are rounded half up.
 * @type {(size: Size, longest: number) => Size} */
export function samSize(size, longest) {
  const scale = longest / max(size.width, size.height);
  return both(size, (side) => trunc(side * scale + 0.5));
}

/** The size of DPT and ZoeDepth: multiples, ties to even. `keepsAspect`: both sides are scaled by the scale that is
 * nearer to 1
 * @type {(size: Size, to: Size, keepsAspect: boolean, multiple: number) => Size} */
export function multipleSize({ width, height }, to, keepsAspect, multiple) {
  let [scaleX, scaleY] = [to.width / width, to.height / height];
  if (keepsAspect) {
    if (abs(1 - scaleX) < abs(1 - scaleY)) scaleY = scaleX;
    else scaleX = scaleY;
  }
  /** @type {(value: number) => number} */
  const constrained = (value) => trunc(roundHalfToEven(value / multiple) * multiple);
  return { width: constrained(scaleX * width), height: constrained(scaleY * height) };
}

/** Rounds up to a multiple. @type {(value: number, multiple: number) => number} */
export const multipleAbove = (value, multiple) => ceil(value / checkedMultiple(multiple)) * multiple;
/** Rounds down to a multiple. @type {(value: number, multiple: number) => number} */
export const multipleBelow = (value, multiple) => floor(value / checkedMultiple(multiple)) * multiple;

/** Refuses a multiple of 0. @type {(multiple: number) => number} */
const checkedMultiple = (multiple) =>
  multiple === 0 ? rangeError('size_divisor must be a whole number from 1 on, got 0') : multiple;

/** Refuses pictures longer than 200:1. @type {(size: Size) => void} */
export function checkRatio({ width, height }) {
  if (max(width, height) / min(width, height) > 200)
    rangeError(`an image must have sides of a ratio up to 200, got ${width} x ${height}`);
}

/** Qwen2-VL's size: sides are multiples of `factor`, and the pixels of all frames lie between two bounds. `counted`:
 * the number of frames that is compared with the bounds; `frames`: the one that sides are scaled by
 * @type {(size: Size, factor: number, minPixels: number, maxPixels: number, frames?: number, counted?: number) =>
 *   Size} */
export function areaSize(size, factor, minPixels, maxPixels, frames = 1, counted = frames) {
  checkRatio(size);
  return boundedArea(size, { factor, minPixels, maxPixels, frames, counted, shortest: 0 });
}

/** The size nearest to the picture's whose sides are multiples of `factor` and whose pixels lie between two bounds.
 * Sides that need no scaling are at least `shortest`
 * @type {(size: Size, bounds: { factor: number, minPixels: number, maxPixels: number, frames?: number,
 *   counted?: number, shortest: number }) => Size} */
export function boundedArea(size, { factor, minPixels, maxPixels, frames = 1, counted = frames, shortest }) {
  const { width, height } = size;
  const rounded = both(size, (side) => max(shortest, roundHalfToEven(side / factor) * factor));
  const area = counted * rounded.height * rounded.width;
  if (area > maxPixels) {
    const scale = sqrt((frames * height * width) / maxPixels);
    return both(size, (side) => max(factor, floor(side / scale / factor) * factor));
  }
  if (area < minPixels) {
    const scale = sqrt(minPixels / (frames * height * width));
    return both(size, (side) => ceil((side * scale) / factor) * factor);
  }
  return rounded;
}

/** The size by bounds of the pixels of all frames, as areaSize gives it; a picture with a side below `factor` grows
 * first.
 * @type {(size: Size, factor: number, minPixels: number, maxPixels: number, frames: number, counted?: number) =>
 *   Size} */
export function volumeSize(size, factor, minPixels, maxPixels, frames, counted = frames) {
  const { width, height } = size;
  if (height >= factor && width >= factor) return areaSize(size, factor, minPixels, maxPixels, frames, counted);
  const scale = max(factor / height, factor / width);
  const grown = both(size, (side) => trunc(side * scale));
  return areaSize(grown, factor, minPixels, maxPixels, frames, counted);
}

/** Pixtral's size: shrunk into `to`, never enlarged, then sides are rounded up to whole patches.
 * @type {(size: Size, to: Size, patch: Size) => Size} */
export function pixtralSize({ width, height }, to, patch) {
  const ratio = max(height / to.height, width / to.width);
  const [w, h] = ratio > 1 ? [floor(width / ratio), floor(height / ratio)] : [width, height];
  return {
    width: (floor((w - 1) / patch.width) + 1) * patch.width,
    height: (floor((h - 1) / patch.height) + 1) * patch.height,
  };
}

/** SigLIP2's size: that of the greatest scale, searched to 1e-5, at which the picture has at most `mostPatches`
 * patches.
 * @type {(size: Size, patch: number, mostPatches: number) => Size} */
export function patchCountSize({ width, height }, patch, mostPatches) {
  /** @type {(scale: number, side: number) => number} */
  const scaled = (scale, side) => max(patch, ceil((side * scale) / patch) * patch);
  let [low, high] = [1e-6, 100];
  while (high - low >= 1e-5) {
    const scale = (low + high) / 2;
    if ((scaled(scale, height) / patch) * (scaled(scale, width) / patch) <= mostPatches) low = scale;
    else high = scale;
  }
  return { width: scaled(low, width), height: scaled(low, height) };
}
