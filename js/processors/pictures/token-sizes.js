/** Sizes by numbers of pixels, patches or tokens, by Python's own arithmetic: float64, `int()` truncates. */
import { rangeError } from '../../arguments/index.js';
import { roundHalfToEven } from '../../image/internal.js';
import { areaSize, both, multipleAbove, multipleBelow } from './sizes.js';

/** @import { Size } from '../types.js' */

const { abs, ceil, floor, max, min, sqrt, trunc } = Math;

/** PaddleOCR-VL's size, by its `smart_resize`: that of areaSize. A picture with a side below `factor` is first enlarged
 * in its ratio, until the side has `factor` pixels.
 * @type {(size: Size, factor: number, minPixels: number, maxPixels: number) => Size} */
export function paddleSize({ width, height }, factor, minPixels, maxPixels) {
  let [w, h] = [width, height];
  if (h < factor) [w, h] = [roundHalfToEven((w * factor) / h), factor];
  if (w < factor) [w, h] = [factor, roundHalfToEven((h * factor) / w)];
  return areaSize({ width: w, height: h }, factor, minPixels, maxPixels);
}

/** GLM-Image's size, by its `smart_resize`: half of the picture's sides, times a scale, rounded to multiples of
 * `factor`. The scale would bring the whole picture's shorter side to at least the root of `minPixels`, then the longer
 * one to at most that of `maxPixels`. Refuses pictures with a side below `factor` or a ratio over 4.
 * @type {(size: Size, factor: number, minPixels: number, maxPixels: number) => Size} */
export function glmImageSize(size, factor, minPixels, maxPixels) {
  const [shorter, longer] = [min(size.width, size.height), max(size.width, size.height)];
  if (shorter < factor || longer / shorter > 4)
    rangeError(
      `an image must have sides of ${factor} pixels or more in a ratio up to 4, got ${size.width} x ${size.height}`,
    );
  const [short, long] = [roundHalfToEven(sqrt(minPixels)), roundHalfToEven(sqrt(maxPixels))];
  let scale = shorter < short ? short / shorter : 1;
  if (longer * scale > long) scale = long / longer;
  const rounded = both(size, (side) => max(factor, roundHalfToEven((floor(side / 2) * scale) / factor) * factor));
  // A longer side that rounding brought over its limit shrinks both once more.
  const longest = max(rounded.width, rounded.height);
  if (longest <= long) return rounded;
  return both(rounded, (side) => max(factor, floor(side / (longest / long) / factor) * factor));
}

/** GLM-5's size of a frame, and of the canvas that it is laid on, by its `smart_resize`; an image counts as `group`
 * frames. A token stands for `factor` x `factor` pixels of `group` frames. The canvas has sides of whole tokens, and
 * the canvases of all frames together have `minTokens` to `maxTokens` tokens. On it the frame keeps its ratio, and is
 * enlarged only where it has too few pixels.
 * @type {(size: Size, bounds: { factor: number, group: number, frames?: number,
 *   minTokens: number, maxTokens: number }) => {
 *   canvas: Size, size: Size }} */
export function canvasByTokens({ width, height }, { factor, group, frames = group, minTokens, maxTokens }) {
  // Pixels of a token, the number of frames in whole groups, and the bounds in pixels.
  const unit = group * factor ** 2;
  const counted = max(group, roundHalfToEven(frames / group) * group);
  const [low, high] = [minTokens * unit, maxTokens * unit];
  /** @type {(side: number) => number} */
  const above = (side) => multipleAbove(side, factor);
  // As in Python, bounds are compared with whole groups, but the scale is computed from the frames that there are.
  let [w, h] = [above(width), above(height)];
  if (counted * h * w < low) {
    const scale = sqrt(low / (frames * height * width));
    [w, h] = [width, height].map((side) => above(max(1, ceil(side * scale))));
  }
  if (counted * h * w > high) {
    // The smallest canvas, of one token for each group of frames, must fit.
    if (high < counted * factor ** 2)
      rangeError(`max_image_tokens must be at least ${counted / group}, got ${maxTokens}`);
    [w, h] = [factor, factor];
    // The greatest height whose canvas has few enough pixels, found by halving the range of heights.
    for (let from = 1, to = height; from <= to;) {
      const middle = floor((from + to) / 2);
      const [wide, high2] = [above(max(1, floor((width * middle) / height))), above(middle)];
      if (counted * high2 * wide <= high) [w, h, from] = [wide, high2, middle + 1];
      else to = middle - 1;
    }
  }
  let scale = min(h / height, w / width);
  // A frame with enough pixels is not enlarged.
  if (frames * height * width >= low) scale = min(1, scale);
  /** @type {(side: number, longest: number) => number} */
  const scaled = (side, longest) => max(1, min(longest, floor(side * scale)));
  return { canvas: { width: w, height: h }, size: { width: scaled(width, w), height: scaled(height, h) } };
}

/** Kimi's size of a picture and of the canvas that it is laid on, in pixels, by `navit_resize`. The picture is shrunk,
 * never enlarged, until it has at most `maxPatches` patches of `patch` x `patch` pixels, and at most `maxPerSide` of
 * them along each side. The canvas' sides are rounded up to groups of `merge` patches.
 * @type {(size: Size, limits: { patch: number, merge: number, maxPatches: number, maxPerSide: number }) => {
 *   canvas: Size, size: Size }} */
export function patchCanvas(own, { patch, merge, maxPatches, maxPerSide }) {
  const { width, height } = own;
  const count = max(1, floor(height / patch)) * max(1, floor(width / patch));
  const scale = min(1, sqrt(maxPatches / count), (maxPerSide * patch) / height, (maxPerSide * patch) / width);
  const size = both(own, (extent) => min(max(1, trunc(extent * scale)), maxPerSide * patch));
  return { size, canvas: both(size, (extent) => multipleAbove(extent, merge * patch)) };
}

/** Orders up to four pairs of whole numbers as CPython iterates over a set of these tuples: Muse takes the first of
 * equally near grids. The hash of a tuple is CPython's xxHash, in 64 bits, with the constants of its tupleobject.c; the
 * hash of a small whole number is itself. The set's table has eight places, as in setobject.c for up to four entries.
 * @type {(pairs: readonly number[][]) => number[][]} */
function inSetOrder(pairs) {
  /** @type {number[][]} */
  const table = [];
  for (const pair of pairs) {
    let hash = 2870177450012600261n;
    for (const value of pair) {
      hash = BigInt.asUintN(64, hash + BigInt(value) * 14029467366897019727n);
      hash = BigInt.asUintN(64, ((hash << 31n) | (hash >> 33n)) * 11400714785074694791n);
    }
    // The length of the tuple, 2, and CPython's constant for it.
    hash = BigInt.asUintN(64, hash + (2n ^ 2870177450012600261n ^ 3527539n));
    // A taken place is followed by another one that depends on the upper bits of the hash.
    let place = hash & 7n;
    while (table[Number(place)]) {
      hash >>= 5n;
      place = (place * 5n + 1n + hash) & 7n;
    }
    table[Number(place)] = pair;
  }
  return table.filter(Boolean);
}

/** Muse's size in pixels, by its `smart_resize`: that of a grid of at most `maxTokens` tokens of `unit` x `unit`
 * pixels. Of the grids with rows and columns next to the picture's own, or next to `maxTokens` in its ratio if it is
 * larger, it is the one whose ratio is nearest to the picture's.
 * @type {(size: Size, unit: number, maxTokens: number) => Size} */
export function ratioSize({ width, height }, unit, maxTokens) {
  // Rows and columns of tokens as fractions.
  let [down, across] = [height / unit, width / unit];
  const ratio = across / down;
  if (down * across > maxTokens) {
    down = (maxTokens / ratio) ** 0.5;
    across = down * ratio;
  }
  const rows = [...new Set([floor(down), ceil(down)])];
  const columns = [...new Set([floor(across), ceil(across)])];
  const grids = inSetOrder(rows.flatMap((row) => columns.map((column) => [row, column]))).filter(
    ([row, column]) => row >= 1 && column >= 1 && row * column <= maxTokens,
  );
  // A thin picture may have no grid of at least one row and one column.
  if (grids.length === 0) grids.push([max(1, roundHalfToEven(down)), max(1, roundHalfToEven(across))]);
  /** @type {(grid: number[]) => number} */
  const distance = ([row, column]) => abs(row / column - height / width);
  const [row, column] = grids.reduce((best, grid) => (distance(grid) < distance(best) ? grid : best));
  return { width: column * unit, height: row * unit };
}

/** NeoMME's size, by its `get_resize_output_size`, near to the picture's ratio, with at least `minPixels` and at most
 * `maxPixels` pixels and sides of at most `longest`. Sides are rounded to nearest, but down or up where that leaves the
 * bounds; the upper ones win.
 * @type {(size: Size, longest: number | undefined, minPixels: number | undefined,
 *   maxPixels: number | undefined) => Size} */
export function pixelBoundSize(size, longest = Infinity, minPixels = 0, maxPixels = Infinity) {
  const { width, height } = size;
  let scale = height * width < minPixels ? (minPixels / (height * width)) ** 0.5 : 1;
  scale = min(scale, longest / max(height, width), (maxPixels / (height * width)) ** 0.5);
  if (scale === 1) return size;
  /** @type {(size: Size) => boolean} */
  const isOver = (size) => max(size.width, size.height) > longest || size.width * size.height > maxPixels;
  const near = both(size, (side) => max(1, roundHalfToEven(side * scale)));
  if (isOver(near)) {
    const low = both(size, (side) => max(1, floor(side * scale)));
    if (low.width * low.height <= maxPixels) return low;
    // A side that had to be at least 1 may leave too many pixels: the longer side shrinks.
    if (low.height >= low.width) return { ...low, height: max(1, floor(maxPixels / low.width)) };
    return { ...low, width: max(1, floor(maxPixels / low.height)) };
  }
  const high = both(size, (side) => max(1, ceil(side * scale)));
  const isShort = height * width < minPixels && near.width * near.height < minPixels;
  return isShort && !isOver(high) ? high : near;
}

/** Gemma 4's size in pixels, by `get_aspect_ratio_preserving_size`, in the picture's ratio: as large as `maxPatches`
 * patches of `patch` x `patch` pixels, with sides rounded down to whole tokens, each a group of `pool` x `pool`
 * patches. A side that would be 0 becomes a token, and the other one is then at most as long as all tokens in a row.
 * @type {(size: Size, patch: number, maxPatches: number, pool: number) => Size} */
export function gemmaSize({ width, height }, patch, maxPatches, pool) {
  const unit = pool * patch;
  const scale = Math.sqrt((maxPatches * patch ** 2) / (width * height));
  let [w, h] = [multipleBelow(scale * width, unit), multipleBelow(scale * height, unit)];
  const longest = Math.floor(maxPatches / pool ** 2) * unit;
  if (w === 0 && h === 0) rangeError(`max_soft_tokens must leave a patch, got an image of 0 x 0`);
  if (h === 0) [w, h] = [Math.min(Math.floor(width / height) * unit, longest), unit];
  else if (w === 0) [w, h] = [unit, Math.min(Math.floor(height / width) * unit, longest)];
  return { width: w, height: h };
}

/** The columns (`width`) and rows (`height`) of patches that Nemotron resizes a picture to (`get_patch_grid_size`):
 * near to the picture's own, scaled where there are more than `maxPatches` or fewer than `minPatches`, and multiples of
 * `merge`, which are rounded up where `maxPatches` allows it, else down. `patch`: the side of a patch in pixels
 * @type {(size: Size, limits: { patch: number, merge: number, minPatches: number, maxPatches: number }) => Size} */
export function patchGrid({ width, height }, { patch, merge, minPatches, maxPatches }) {
  // Python's `round(x + 0.5)` rounds up, and turns an odd whole number into the next one.
  let [w, h] = [width, height].map((side) => roundHalfToEven(side / patch + 0.5));
  const down = min(sqrt(maxPatches / (h * w)), 1);
  [w, h] = [floor(down * w), floor(down * h)];
  if (maxPatches > minPatches && h * w < minPatches) {
    const up = sqrt(minPatches / (h * w));
    [w, h] = [ceil(up * w), ceil(up * h)];
  }
  /** Rounds the patches along a side; `other`: those along the other side.
   * @type {(side: number, other: number) => number} */
  const patchCount = (side, other) =>
    multipleAbove(side, merge) * other <= maxPatches ? multipleAbove(side, merge) : max(merge, side - (side % merge));
  // As in Python, the rows come first, with the columns before rounding.
  h = h % merge > 0 ? patchCount(h, w) : h;
  w = w % merge > 0 ? patchCount(w, h) : w;
  return { width: w, height: h };
}
