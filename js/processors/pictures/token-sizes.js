/** Sizes by numbers of pixels, patches or tokens, by Python's own arithmetic: float64, `int()` truncates. */
import { rangeError } from '../../arguments/index.js';
import { roundHalfToEven } from '../../image/internal.js';
import { areaSize, both, multipleAbove, multipleBelow, square } from './sizes.js';

/** @import { AreaBounds, Size } from '../types.js' */

const { abs, ceil, floor, max, min, sqrt, trunc } = Math;

/** The pixels of a picture. @type {(size: Size) => number} */
const areaOf = ({ width, height }) => height * width;

/** PaddleOCR-VL's size within bounds, by its `smart_resize`: near to the picture's own size, or to that in its ratio
 * whose sides have at least `factor` pixels.
 * @type {(size: Size, bounds: AreaBounds) => Size} */
export function paddleSize(size, bounds) {
  const { factor } = bounds;
  let { width, height } = size;
  if (height < factor) {
    width = roundHalfToEven((width * factor) / height);
    height = factor;
  }
  if (width < factor) {
    height = roundHalfToEven((height * factor) / width);
    width = factor;
  }
  return areaSize({ width, height }, bounds);
}

/** GLM-Image's size, by its `smart_resize`: half of the picture's sides, times a scale, rounded to multiples of
 * `factor`. The scale would bring the whole picture's shorter side to at least sqrt(minPixels), then the longer one to
 * at most sqrt(maxPixels). Refuses sides below `factor` and ratios over 4.
 * @type {(size: Size, bounds: AreaBounds) => Size} */
export function glmImageSize(size, { factor, minPixels, maxPixels }) {
  const shorter = min(size.width, size.height);
  const longer = max(size.width, size.height);
  if (shorter < factor || longer / shorter > 4)
    rangeError(
      `an image must have sides of ${factor} pixels or more in a ratio up to 4, got ${size.width} x ${size.height}`,
    );
  const minShorter = roundHalfToEven(sqrt(minPixels));
  const maxLonger = roundHalfToEven(sqrt(maxPixels));
  const enlarging = shorter < minShorter ? minShorter / shorter : 1;
  const scale = longer * enlarging > maxLonger ? maxLonger / longer : enlarging;
  const rounded = both(size, (extent) => {
    const scaledHalf = floor(extent / 2) * scale;
    return max(factor, roundHalfToEven(scaledHalf / factor) * factor);
  });
  // A longer side that rounding brought over its limit shrinks both once more.
  const roundedLonger = max(rounded.width, rounded.height);
  if (roundedLonger <= maxLonger) return rounded;
  const shrinking = roundedLonger / maxLonger;
  return both(rounded, (extent) => max(factor, floor(extent / shrinking / factor) * factor));
}

/** GLM-5's size of a frame, and of the canvas that it is laid on, by its `smart_resize`. A token stands for `factor` x
 * `factor` pixels of `group` frames. The canvas has sides of whole tokens, and the canvases of all frames together have
 * `minTokens` to `maxTokens` tokens. `frames`: their number; an image, for which it is omitted, counts as `group`
 * frames
 * @type {(size: Size, bounds: { factor: number, group: number, frames?: number, minTokens: number, maxTokens: number })
 *   => { canvas: Size, size: Size }} */
export function canvasByTokens(size, { factor, group, frames = group, minTokens, maxTokens }) {
  const tokenPixels = group * factor ** 2;
  const minPixels = minTokens * tokenPixels;
  const maxPixels = maxTokens * tokenPixels;
  // As in Python, bounds are compared with whole groups, but the scale is computed from the frames that there are.
  const pixels = frames * size.height * size.width;
  const countedFrames = max(group, roundHalfToEven(frames / group) * group);
  /** The pixels of all frames together, if a frame has this canvas. @type {(canvas: Size) => number} */
  const totalPixels = ({ width, height }) => countedFrames * height * width;
  let canvas = both(size, (extent) => multipleAbove(extent, factor));
  if (totalPixels(canvas) < minPixels) {
    const enlarging = sqrt(minPixels / pixels);
    canvas = both(size, (extent) => multipleAbove(max(1, ceil(extent * enlarging)), factor));
  }
  if (totalPixels(canvas) > maxPixels) {
    const oneToken = square(factor);
    if (totalPixels(oneToken) > maxPixels)
      rangeError(`max_image_tokens must be at least ${countedFrames / group}, got ${maxTokens}`);
    canvas = greatestCanvas(size, factor, (tried) => totalPixels(tried) <= maxPixels);
  }
  const fitting = min(canvas.height / size.height, canvas.width / size.width);
  // A frame with enough pixels is not enlarged.
  const scale = pixels >= minPixels ? min(1, fitting) : fitting;
  /** @type {(extent: number, longest: number) => number} */
  const scaled = (extent, longest) => max(1, min(longest, floor(extent * scale)));
  return {
    canvas,
    size: { width: scaled(size.width, canvas.width), height: scaled(size.height, canvas.height) },
  };
}

/** The canvas of whole tokens for the greatest height, up to the picture's, that `fits` in the picture's ratio, found
 * by halving the range of heights; one token if none does.
 * @type {(size: Size, factor: number, fits: (canvas: Size) => boolean) => Size} */
function greatestCanvas({ width, height }, factor, fits) {
  let canvas = square(factor);
  let [low, high] = [1, height];
  while (low <= high) {
    const middle = floor((low + high) / 2);
    const inRatio = { width: max(1, floor((width * middle) / height)), height: middle };
    const tried = both(inRatio, (extent) => multipleAbove(extent, factor));
    if (fits(tried)) {
      canvas = tried;
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return canvas;
}

/** Kimi's size of a picture and of its canvas, by `navit_resize`. The picture is shrunk, never enlarged, to at most
 * `maxPatches` patches of `patch` x `patch` pixels, and `maxPerSide` of them a side. The canvas' sides are rounded up
 * to groups of `merge` patches.
 * @type {(size: Size, limits: { patch: number, merge: number, maxPatches: number, maxPerSide: number }) => {
 *   canvas: Size, size: Size }} */
export function patchCanvas(picture, { patch, merge, maxPatches, maxPerSide }) {
  const { width, height } = picture;
  const patches = max(1, floor(height / patch)) * max(1, floor(width / patch));
  const longest = maxPerSide * patch; // side in pixels
  const scale = min(1, sqrt(maxPatches / patches), longest / height, longest / width);
  const size = both(picture, (extent) => min(max(1, trunc(extent * scale)), longest));
  return { size, canvas: both(size, (extent) => multipleAbove(extent, merge * patch)) };
}

/** CPython's constants for the hash of a tuple, in its tupleobject.c. */
const [xxPrime1, xxPrime2, xxPrime5] = [11400714785074694791n, 14029467366897019727n, 2870177450012600261n];
const lengthMask = xxPrime5 ^ 3527539n;

/** The low 64 bits of a number. @type {(value: bigint) => bigint} */
const uint64 = (value) => BigInt.asUintN(64, value);

/** CPython's hash of a tuple of small whole numbers, each of which is its own hash: `tuplehash` in tupleobject.c, a
 * part of xxHash.
 * @type {(tuple: readonly number[]) => bigint} */
function tupleHash(tuple) {
  let hash = xxPrime5;
  for (const value of tuple) {
    const sum = uint64(hash + BigInt(value) * xxPrime2);
    const rotatedBy31 = (sum << 31n) | (sum >> 33n);
    hash = uint64(rotatedBy31 * xxPrime1);
  }
  return uint64(hash + (BigInt(tuple.length) ^ lengthMask));
}

/** Orders up to four pairs of whole numbers as CPython iterates over a set of these tuples: by their places in the
 * set's hash table, which has eight, as in setobject.c for up to four entries. Muse takes the first of equally near
 * grids.
 * @type {(pairs: readonly number[][]) => number[][]} */
function inSetOrder(pairs) {
  const tablePlaces = 8n;
  /** @type {number[][]} */
  const table = [];
  for (const pair of pairs) {
    let hash = tupleHash(pair);
    let place = hash % tablePlaces;
    // Where a place is taken, CPython tries others, which depend on the hash's upper bits.
    while (table[Number(place)]) {
      hash >>= 5n;
      place = (place * 5n + 1n + hash) % tablePlaces;
    }
    table[Number(place)] = pair;
  }
  // Without the empty places.
  return table.filter(Boolean);
}

/** Muse's size, by its `smart_resize`: that of a grid of at most `maxTokens` tokens of `unit` x `unit` pixels. Of the
 * grids next to the picture's own, or next to `maxTokens` in its ratio if it is larger, it is the one whose ratio is
 * nearest to the picture's.
 * @type {(size: Size, unit: number, maxTokens: number) => Size} */
export function ratioSize({ width, height }, unit, maxTokens) {
  let exactRows = height / unit;
  let exactColumns = width / unit;
  const ratio = exactColumns / exactRows;
  if (exactRows * exactColumns > maxTokens) {
    exactRows = (maxTokens / ratio) ** 0.5;
    exactColumns = exactRows * ratio;
  }
  const rowCounts = [...new Set([floor(exactRows), ceil(exactRows)])];
  const columnCounts = [...new Set([floor(exactColumns), ceil(exactColumns)])];
  const neighbors = rowCounts.flatMap((rows) => columnCounts.map((columns) => [rows, columns]));
  // The first of equally near grids is chosen, so their order counts.
  const grids = inSetOrder(neighbors).filter(
    ([rows, columns]) => rows >= 1 && columns >= 1 && rows * columns <= maxTokens,
  );
  // A thin picture may have no grid of at least one row and one column.
  if (grids.length === 0) grids.push([max(1, roundHalfToEven(exactRows)), max(1, roundHalfToEven(exactColumns))]);
  /** @type {(grid: number[]) => number} */
  const distance = ([rows, columns]) => abs(rows / columns - height / width);
  let nearest = grids[0];
  for (const grid of grids) if (distance(grid) < distance(nearest)) nearest = grid;
  const [rows, columns] = nearest;
  return { width: columns * unit, height: rows * unit };
}

/** NeoMME's size in the picture's ratio, by its `get_resize_output_size`: with a longer side of at most `longest` and
 * `minPixels` to `maxPixels` pixels (the upper bounds win). Sides are rounded to nearest, or down or up where that
 * leaves the bounds.
 * @type {(size: Size, longest: number | undefined, minPixels: number | undefined,
 *   maxPixels: number | undefined) => Size} */
export function pixelBoundSize(size, longest = Infinity, minPixels = 0, maxPixels = Infinity) {
  const pixels = areaOf(size);
  const enlarging = pixels < minPixels ? (minPixels / pixels) ** 0.5 : 1;
  const scale = min(enlarging, longest / max(size.height, size.width), (maxPixels / pixels) ** 0.5);
  if (scale === 1) return size;
  /** @type {(round: (extent: number) => number) => Size} */
  const scaledBy = (round) => both(size, (extent) => max(1, round(extent * scale)));
  /** @type {(size: Size) => boolean} */
  const isTooLarge = (size) => max(size.width, size.height) > longest || areaOf(size) > maxPixels;
  const nearest = scaledBy(roundHalfToEven);
  if (isTooLarge(nearest)) return cutToPixels(scaledBy(floor), maxPixels);
  const isTooSmall = pixels < minPixels && areaOf(nearest) < minPixels;
  const above = scaledBy(ceil);
  return isTooSmall && !isTooLarge(above) ? above : nearest;
}

/** Shortens the longer side of a size with more than `maxPixels` pixels, which a thin picture may have: its other side
 * is at least 1.
 * @type {(size: Size, maxPixels: number) => Size} */
function cutToPixels(size, maxPixels) {
  const { width, height } = size;
  if (areaOf(size) <= maxPixels) return size;
  if (height >= width) return { width, height: max(1, floor(maxPixels / width)) };
  return { width: max(1, floor(maxPixels / height)), height };
}

/** Gemma 4's size, by `get_aspect_ratio_preserving_size`: as large as `maxPatches` patches of `patch` x `patch` pixels,
 * with sides rounded down to whole tokens of `pool` x `pool` patches. A side that would be 0 is one token, and the
 * other one as many as the picture's ratio and `maxPatches` allow.
 * @type {(size: Size, patch: number, maxPatches: number, pool: number) => Size} */
export function gemmaSize(size, patch, maxPatches, pool) {
  const { width, height } = size;
  const tokenSide = pool * patch;
  const maxPixels = maxPatches * patch ** 2;
  const scale = sqrt(maxPixels / (width * height));
  const scaled = both(size, (extent) => multipleBelow(scale * extent, tokenSide));
  const maxTokens = floor(maxPatches / pool ** 2);
  const longest = maxTokens * tokenSide;
  if (scaled.width === 0 && scaled.height === 0)
    rangeError(`max_soft_tokens must leave a patch, got an image of 0 x 0`);
  if (scaled.height === 0) return { width: min(floor(width / height) * tokenSide, longest), height: tokenSide };
  if (scaled.width === 0) return { width: tokenSide, height: min(floor(height / width) * tokenSide, longest) };
  return scaled;
}

/** The columns (`width`) and rows (`height`) of patches that Nemotron resizes a picture to (`get_patch_grid_size`): as
 * many as the picture has, scaled to at most `maxPatches` and at least `minPatches` together, then rounded to multiples
 * of `merge`, up where `maxPatches` allows it. `patch`: the side of a patch in pixels
 * @type {(size: Size, limits: { patch: number, merge: number, minPatches: number, maxPatches: number }) => Size} */
export function patchGrid(size, { patch, merge, minPatches, maxPatches }) {
  // Python's `round(x + 0.5)` rounds up, and turns an odd whole number into the next one.
  const roundedUp = both(size, (extent) => roundHalfToEven(extent / patch + 0.5));
  const shrinking = min(sqrt(maxPatches / areaOf(roundedUp)), 1);
  let grid = both(roundedUp, (patches) => floor(shrinking * patches));
  if (maxPatches > minPatches && areaOf(grid) < minPatches) {
    const enlarging = sqrt(minPatches / areaOf(grid));
    grid = both(grid, (patches) => ceil(enlarging * patches));
  }
  /** Rounds the patches along one side to a multiple of `merge`: up, or down where the grid with `across` patches along
   * the other side would have too many. @type {(patches: number, across: number) => number} */
  const inGroups = (patches, across) => {
    const beyond = patches % merge;
    if (beyond === 0) return patches;
    const above = multipleAbove(patches, merge);
    const fits = above * across <= maxPatches;
    return fits ? above : max(merge, patches - beyond);
  };
  // As in Python, the rows come first, with the columns before rounding.
  const height = inGroups(grid.height, grid.width);
  return { width: inGroups(grid.width, height), height };
}
