/** The sizes that pictures are resized to, by Python's own arithmetic: float64, `int()` truncates. */
import { rangeError } from '../../arguments/index.js';
import { roundHalfToEven } from '../../image/internal.js';

/** @import { Size, SizeSetting } from '../types.js' */

const { abs, ceil, floor, max, min, sqrt, trunc } = Math;

/** A size of equal sides. @type {(side: number) => Size} */
export const square = (side) => ({ height: side, width: side });

/** A size whose width and height are computed by `of` from another's.
 * @type {(size: Size, of: (side: number) => number) => Size} */
export const both = ({ width, height }, of) => ({ width: of(width), height: of(height) });

/** The size whose shorter side is `edge`, in the picture's ratio; the longer side is truncated, as in transformers'
 * `get_resize_output_image_size`.
 * @type {(size: Size, edge: number) => Size} */
export function shortestEdgeSize({ width, height }, edge) {
  const other = trunc((edge * max(width, height)) / min(width, height));
  return width <= height ? { width: edge, height: other } : { width: other, height: edge };
}

/** The size of DETR's `get_size_with_aspect_ratio`, in the picture's ratio: its shorter side is `edge`, or less so that
 * the longer side is at most `longest`. A picture whose shorter side has that length already keeps its size, a tall one
 * only with `keepsTall`: without it, as in YOLOS, its height is computed once more
 * @type {(size: Size, edge: number, longest: number, keepsTall?: boolean) => Size} */
export function boundedSize({ width, height }, edge, longest, keepsTall = true) {
  const [low, high] = [min(width, height), max(width, height)];
  const isLong = (high / low) * edge > longest;
  // Python computes the longer side from the shorter one before it is rounded.
  const exact = isLong ? (longest * low) / high : edge;
  const short = isLong ? roundHalfToEven(exact) : edge;
  if (low === short && (keepsTall || width >= height)) return { width, height };
  if (width < height) return { width: short, height: trunc((exact * height) / width) };
  return { width: trunc((exact * width) / height), height: short };
}

/** The size that a picture of `size` gets by a setting, by the keys that the setting has: shortest_edge, also with
 * longest_edge; max_height and max_width, into which the picture is fitted, or enlarged; or height and width. Refuses
 * others. `bounded`: the rule where both edges are given
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

/** The side in pixels of a setting that has to be square; refuses others.
 * @type {(setting: SizeSetting | undefined) => number} */
export function squareSide(setting) {
  const { width, height } = exactSize(setting);
  return width === height ? width : rangeError(`size must be square, got ${width} x ${height}`);
}

/** The pixels of one edge of a setting; refuses a setting without it. `name`: the setting's, for the message
 * @type {(setting: SizeSetting | undefined, key: 'shortest_edge' | 'longest_edge', name?: string) => number} */
export function edgeOf(setting = {}, key, name = 'size') {
  const edge = setting[key];
  return edge === undefined ? rangeError(`${name} must have the key ${key} here`) : edge;
}

/** The least and the greatest number of pixels of a picture, which settings such as Qwen2-VL's call edges.
 * @type {(setting: SizeSetting | undefined) => [minPixels: number, maxPixels: number]} */
export const edgesOf = (setting) => [edgeOf(setting, 'shortest_edge'), edgeOf(setting, 'longest_edge')];

/** YOLOS' size: that of boundedSize, with both sides rounded down to multiples of 16.
 * @type {(size: Size, edge: number, longest: number) => Size} */
export function yolosSize(size, edge, longest) {
  return both(boundedSize(size, edge, longest, false), (side) => side - (side % 16));
}

/** The size in the picture's ratio whose longer side is `edge`. Sides are rounded, halves to even, and at least
 * `least`.
 * @type {(size: Size, edge: number, least?: number) => Size} */
export function longestEdgeSize(size, edge, least = 0) {
  const scale = edge / max(size.width, size.height);
  return both(size, (side) => max(roundHalfToEven(side * scale), least));
}

/** ViLT's size, by its `get_resize_output_image_size`, in the picture's ratio: the shorter side is `edge`, or less so
 * that the longer side is at most 1333 / 800 of `edge`: Python's constants. Sides are rounded half up, then down to
 * multiples of `divisor`.
 * @type {(size: Size, edge: number, divisor: number) => Size} */
export function boundedRatioSize({ width, height }, edge, divisor) {
  const longest = trunc((1333 / 800) * edge);
  // First the shorter side becomes `edge`, then both shrink.
  const scale = edge / min(width, height);
  let [w, h] = height < width ? [scale * width, edge] : [edge, scale * height];
  if (max(w, h) > longest) {
    const down = longest / max(w, h);
    [w, h] = [down * w, down * h];
  }
  return { width: multipleBelow(trunc(w + 0.5), divisor), height: multipleBelow(trunc(h + 0.5), divisor) };
}

/** SAM's size in the picture's ratio: the longer side is `longest`, and both are rounded half up.
 * @type {(size: Size, longest: number) => Size} */
export function samSize(size, longest) {
  const scale = longest / max(size.width, size.height);
  return both(size, (side) => trunc(side * scale + 0.5));
}

/** The size of DPT and ZoeDepth, by their `get_resize_output_image_size`: that of `to`, with sides rounded to the
 * nearest multiple of `multiple`, halves to even, and truncated, because a multiple may be a fraction. `keepsAspect`:
 * both sides are scaled alike before that, by the one of the two scales that is nearer to 1, of equals the height's
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

/** Refuses a multiple of 0: only the setting `size_divisor` may have it. @type {(multiple: number) => number} */
const checkedMultiple = (multiple) =>
  multiple === 0 ? rangeError('size_divisor must be a whole number from 1 on, got 0') : multiple;

/** Refuses pictures whose longer side is over 200 times the shorter one, as Qwen2-VL's `smart_resize` does.
 * @type {(size: Size) => void} */
export function checkRatio({ width, height }) {
  if (max(width, height) / min(width, height) > 200)
    rangeError(`an image must have sides of a ratio up to 200, got ${width} x ${height}`);
}

/** Qwen2-VL's size of a frame near to its own, by its `smart_resize`: sides are multiples of `factor`, and all frames
 * of a video together have `minPixels` to `maxPixels` pixels; an image is one frame. Refuses ratios over 200.
 * `counted`: the number of frames by which the bounds are checked, where Python rounds it; `frames`: the one from which
 * the scale is computed
 * @type {(size: Size, factor: number, minPixels: number, maxPixels: number, frames?: number, counted?: number) =>
 *   Size} */
export function areaSize(size, factor, minPixels, maxPixels, frames = 1, counted = frames) {
  checkRatio(size);
  return boundedArea(size, { factor, minPixels, maxPixels, frames, counted, shortest: 0 });
}

/** The size near to the picture's whose sides are multiples of `factor` and which has `minPixels` to `maxPixels`
 * pixels, of all frames together: sides are rounded to the nearest multiple or, if that has too many or too few pixels,
 * scaled and rounded down or up. `shortest`: the least side of a size that is only rounded. `counted`: the number of
 * frames by which the bounds are checked, where Python rounds it; `frames`: the one from which the scale is computed
 * @type {(size: Size, bounds: { factor: number, minPixels: number, maxPixels: number, frames?: number,
 *   counted?: number, shortest: number }) => Size} */
export function boundedArea(size, { factor, minPixels, maxPixels, frames = 1, counted = frames, shortest }) {
  const { width, height } = size;
  const rounded = both(size, (side) => max(shortest, roundHalfToEven(side / factor) * factor));
  const area = counted * rounded.height * rounded.width;
  if (area > maxPixels) {
    const scale = sqrt((frames * height * width) / maxPixels);
    // As in Python, one multiple at least is left, even if that has too many pixels.
    return both(size, (side) => max(factor, floor(side / scale / factor) * factor));
  }
  if (area < minPixels) {
    const scale = sqrt(minPixels / (frames * height * width));
    return both(size, (side) => ceil((side * scale) / factor) * factor);
  }
  return rounded;
}

/** GLM-4V's size of a frame, by areaSize; a frame with a side below `factor` is first enlarged in its ratio, until both
 * sides have at least `factor` pixels.
 * @type {(size: Size, factor: number, minPixels: number, maxPixels: number, frames: number, counted?: number) =>
 *   Size} */
export function volumeSize(size, factor, minPixels, maxPixels, frames, counted = frames) {
  const { width, height } = size;
  if (height >= factor && width >= factor) return areaSize(size, factor, minPixels, maxPixels, frames, counted);
  const scale = max(factor / height, factor / width);
  const grown = both(size, (side) => trunc(side * scale));
  return areaSize(grown, factor, minPixels, maxPixels, frames, counted);
}

/** Pixtral's size in pixels, by its `get_resize_output_image_size`: the picture is shrunk into `to` with sides rounded
 * down, never enlarged, then sides are rounded up to multiples of the sides of a patch.
 * @type {(size: Size, to: Size, patch: Size) => Size} */
export function pixtralSize({ width, height }, to, patch) {
  const ratio = max(height / to.height, width / to.width);
  const [w, h] = ratio > 1 ? [floor(width / ratio), floor(height / ratio)] : [width, height];
  // floor((n - 1) / m) + 1 is Python's way to round n / m up.
  return {
    width: (floor((w - 1) / patch.width) + 1) * patch.width,
    height: (floor((h - 1) / patch.height) + 1) * patch.height,
  };
}

/** SigLIP2's size in pixels, by its `get_image_size_for_max_num_patches`: that of the greatest scale, found by halving
 * the interval from 1e-6 to 100 (Python's numbers) down to 1e-5, at which the picture has at most `mostPatches` patches
 * of `patch` x `patch` pixels. Sides are rounded up to whole patches.
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
