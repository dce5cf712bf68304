/** The sizes that pictures are resized to, by Python's own arithmetic: float64, `int()` truncates. */
import { rangeError } from '../../arguments/index.js';
import { roundHalfToEven } from '../../image/internal.js';

/** @import { AreaBounds, Size, SizeSetting } from '../types.js' */

const { abs, ceil, floor, max, min, sqrt, trunc } = Math;

/** @type {(edge: number) => Size} */
export const square = (edge) => ({ height: edge, width: edge });

/** Computes a size from another one, both sides by the same rule.
 * @type {(size: Size, rule: (extent: number) => number) => Size} */
export const both = ({ width, height }, rule) => ({ width: rule(width), height: rule(height) });

/** The size in the picture's ratio whose shorter side is `edge`, and whose longer one is truncated: transformers'
 * `get_resize_output_image_size`.
 * @type {(size: Size, edge: number) => Size} */
export function shortestEdgeSize({ width, height }, edge) {
  const other = trunc((edge * max(width, height)) / min(width, height));
  return width <= height ? { width: edge, height: other } : { width: other, height: edge };
}

/** The size of DETR's `get_size_with_aspect_ratio`: the shorter side is `edge`, or less so that the longer side is at
 * most `longest`. A picture whose shorter side has that length already keeps its size, a tall one only with
 * `keepsTall`: without it, as in YOLOS, its height is computed once more
 * @type {(size: Size, edge: number, longest: number, options?: { keepsTall: boolean }) => Size} */
export function boundedSize({ width, height }, edge, longest, { keepsTall } = { keepsTall: true }) {
  const shorter = min(width, height);
  const longer = max(width, height);
  const isTall = width < height;
  const isLong = (longer / shorter) * edge > longest;
  // Python computes the longer side from the shorter one before that is rounded.
  const exact = isLong ? (longest * shorter) / longer : edge;
  const rounded = isLong ? roundHalfToEven(exact) : edge;
  if (shorter === rounded && (keepsTall || !isTall)) return { width, height };
  if (isTall) return { width: rounded, height: trunc((exact * height) / width) };
  return { width: trunc((exact * width) / height), height: rounded };
}

/** The size that a picture gets by the keys of a setting: `shortest_edge` keeps its ratio, as does the box of
 * `max_height` and `max_width` that it is fitted into; `height` and `width` do not. Refuses other keys. `bounded`: the
 * rule where `shortest_edge` and `longest_edge` are given
 * @type {(size: Size, setting: SizeSetting | undefined, bounded?: (size: Size, edge: number, longest: number) =>
 *   Size) => Size} */
export function sizeBySetting(size, setting = {}, bounded = boundedSize) {
  const { shortest_edge: edge, longest_edge: longest, max_height: maxHeight, max_width: maxWidth } = setting;
  if (edge !== undefined && longest !== undefined) return bounded(size, edge, longest);
  if (edge !== undefined) return shortestEdgeSize(size, edge);
  const hasBox = maxHeight !== undefined && maxWidth !== undefined;
  if (!hasBox) return exactSize(setting);
  const scale = min(maxHeight / size.height, maxWidth / size.width);
  return both(size, (extent) => trunc(extent * scale));
}

/** The height and width of a setting, which must have both. `name`: the setting's, for messages
 * @type {(setting: SizeSetting | undefined, name?: string) => Size} */
export function exactSize({ height, width } = {}, name = 'size') {
  if (height === undefined || width === undefined) rangeError(`${name} must have the keys height and width here`);
  return { width, height };
}

/** The side of the square that the setting `size` must be. @type {(setting: SizeSetting | undefined) => number} */
export function squareSide(setting) {
  const { width, height } = exactSize(setting);
  return width === height ? width : rangeError(`size must be square, got ${width} x ${height}`);
}

/** The edge of a setting, which must have it. `name`: the setting's, for messages
 * @type {(setting: SizeSetting | undefined, key: 'shortest_edge' | 'longest_edge', name?: string) => number} */
export function edgeOf(setting = {}, key, name = 'size') {
  const edge = setting[key];
  return edge === undefined ? rangeError(`${name} must have the key ${key} here`) : edge;
}

/** The least and the greatest number of pixels of a picture, which settings such as Qwen2-VL's `size` call edges.
 * @type {(setting: SizeSetting | undefined) => { minPixels: number, maxPixels: number }} */
export const pixelBounds = (setting) => ({
  minPixels: edgeOf(setting, 'shortest_edge'),
  maxPixels: edgeOf(setting, 'longest_edge'),
});

/** YOLOS's size: the shorter side is `edge`, or less so that the longer one is at most `longest`; then both are cut
 * down to multiples of 16.
 * @type {(size: Size, edge: number, longest: number) => Size} */
export function yolosSize(size, edge, longest) {
  const bounded = boundedSize(size, edge, longest, { keepsTall: false });
  return both(bounded, (extent) => extent - (extent % 16));
}

/** The size in the picture's ratio whose longer side is `edge`. Both are rounded, halves to even, and at least `least`.
 * @type {(size: Size, edge: number, least?: number) => Size} */
export function longestEdgeSize(size, edge, least = 0) {
  const scale = edge / max(size.width, size.height);
  return both(size, (extent) => max(roundHalfToEven(extent * scale), least));
}

/** ViLT's size, by its `get_resize_output_image_size`: the shorter side is `edge`, or less so that the longer side is
 * at most 1333 / 800 of `edge`. Sides are rounded half up, then down to multiples of `divisor`.
 * @type {(size: Size, edge: number, divisor: number) => Size} */
export function boundedRatioSize({ width, height }, edge, divisor) {
  const longest = trunc((1333 / 800) * edge);
  const scale = edge / min(width, height);
  const scaled = height < width ? { width: scale * width, height: edge } : { width: edge, height: scale * height };
  const longer = max(scaled.width, scaled.height);
  const shrinking = longer > longest ? longest / longer : 1;
  return both(scaled, (extent) => multipleBelow(trunc(shrinking * extent + 0.5), divisor));
}

/** SAM's size: the longer side is `longest`, and both are rounded half up.
 * @type {(size: Size, longest: number) => Size} */
export function samSize(size, longest) {
  const scale = longest / max(size.width, size.height);
  return both(size, (extent) => trunc(extent * scale + 0.5));
}

/** The size of DPT and ZoeDepth, by their `get_resize_output_image_size`: sides near those of `to`, which are multiples
 * of `multiple`, a whole number or a fraction. `keepsAspect`: both sides are scaled alike, by the smaller change
 * @type {(size: Size, to: Size, rules: { keepsAspect: boolean, multiple: number }) => Size} */
export function multipleSize(size, to, { keepsAspect, multiple }) {
  const scaleX = to.width / size.width;
  const scaleY = to.height / size.height;
  const nearerTo1 = abs(1 - scaleX) < abs(1 - scaleY) ? scaleX : scaleY;
  const scaled = keepsAspect
    ? both(size, (extent) => nearerTo1 * extent)
    : { width: scaleX * size.width, height: scaleY * size.height };
  return both(scaled, (extent) => {
    const count = roundHalfToEven(extent / multiple);
    // A multiple of a fraction may be no whole number.
    return trunc(count * multiple);
  });
}

/** Rounds up to a multiple. @type {(value: number, multiple: number) => number} */
export const multipleAbove = (value, multiple) => ceil(value / checkedMultiple(multiple)) * multiple;
/** Rounds down to a multiple. @type {(value: number, multiple: number) => number} */
export const multipleBelow = (value, multiple) => floor(value / checkedMultiple(multiple)) * multiple;

/** Gives a multiple back; refuses 0, which only the setting `size_divisor` may be.
 * @type {(multiple: number) => number} */
const checkedMultiple = (multiple) =>
  multiple === 0 ? rangeError('size_divisor must be a whole number from 1 on, got 0') : multiple;

/** Refuses pictures of a ratio over 200, as Qwen2-VL's `smart_resize` does. @type {(size: Size) => void} */
export function checkRatio({ width, height }) {
  const ratio = max(width, height) / min(width, height);
  if (ratio > 200) rangeError(`an image must have sides of a ratio up to 200, got ${width} x ${height}`);
}

/** Qwen2-VL's size near to the picture's, with a number of pixels within bounds; refuses a picture of a ratio over 200.
 * @type {(size: Size, bounds: AreaBounds) => Size} */
export function areaSize(size, bounds) {
  checkRatio(size);
  return boundedArea(size, bounds);
}

/** The size near to a picture's with at least `minPixels` and at most `maxPixels`, in all `frames` of a video together.
 * Sides are rounded to multiples of `factor`, and to `shortest` at least; where that has too many or too few pixels,
 * both are scaled alike to the bound, and rounded down or up. `countedFrames`: what Python takes for `frames` when it
 * compares the rounded size
 * @type {(size: Size, bounds: AreaBounds) => Size} */
export function boundedArea(size, { factor, minPixels, maxPixels, frames = 1, countedFrames = frames, shortest = 0 }) {
  const rounded = both(size, (extent) => max(shortest, roundHalfToEven(extent / factor) * factor));
  const roundedPixels = countedFrames * rounded.height * rounded.width;
  const pixels = frames * size.height * size.width;
  if (roundedPixels > maxPixels) {
    const shrinking = sqrt(pixels / maxPixels);
    // As in Python, one multiple at least is left, even if that has too many pixels.
    return both(size, (extent) => max(factor, floor(extent / shrinking / factor) * factor));
  }
  if (roundedPixels < minPixels) {
    const scale = sqrt(minPixels / pixels);
    return both(size, (extent) => ceil((extent * scale) / factor) * factor);
  }
  return rounded;
}

/** GLM-4V's size of a frame within bounds: one with a side below `factor` is first enlarged until both sides have at
 * least `factor` pixels.
 * @type {(size: Size, bounds: AreaBounds) => Size} */
export function volumeSize(size, bounds) {
  const { factor } = bounds;
  const { width, height } = size;
  if (height >= factor && width >= factor) return areaSize(size, bounds);
  const scale = max(factor / height, factor / width);
  const grown = both(size, (extent) => trunc(extent * scale));
  return areaSize(grown, bounds);
}

/** Pixtral's size, by its `get_resize_output_image_size`: shrunk into `to`, then rounded up to whole patches.
 * @type {(size: Size, to: Size, patch: Size) => Size} */
export function pixtralSize(size, to, patch) {
  const ratio = max(size.height / to.height, size.width / to.width);
  const shrunk = ratio > 1 ? both(size, (extent) => floor(extent / ratio)) : size;
  /** Python's `(extent - 1) // multiple + 1`, times the multiple.
   * @type {(extent: number, multiple: number) => number} */
  const roundedUp = (extent, multiple) => (floor((extent - 1) / multiple) + 1) * multiple;
  return { width: roundedUp(shrunk.width, patch.width), height: roundedUp(shrunk.height, patch.height) };
}

/** SigLIP2's size, by its `get_image_size_for_max_num_patches`: of the greatest scale at which the picture has at most
 * `maxPatches` patches of `patch` x `patch` pixels. The scale is found by halving an interval; its ends, 1e-6 and 100,
 * and the length at which halving stops, 1e-5, are Python's.
 * @type {(size: Size, patch: number, maxPatches: number) => Size} */
export function patchCountSize(size, patch, maxPatches) {
  /** @type {(scale: number) => Size} */
  const scaledBy = (scale) => both(size, (extent) => max(patch, ceil((extent * scale) / patch) * patch));
  let [low, high] = [1e-6, 100];
  while (high - low >= 1e-5) {
    const middle = (low + high) / 2;
    const { width, height } = scaledBy(middle);
    const fits = (height / patch) * (width / patch) <= maxPatches;
    if (fits) low = middle;
    else high = middle;
  }
  return scaledBy(low);
}
