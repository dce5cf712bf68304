/** The sizes of pictures that are cut into tiles or laid on canvases, by Python's own arithmetic: float64, `int()`
 * truncates. */
import { multipleAbove } from './sizes.js';

/** @import { Size } from '../types.js' */

const { ceil, floor, fround, max, min, trunc } = Math;

/** Idefics3's size in the picture's ratio: the longer side is `longest`, the other one is truncated, made even by
 * adding 1 if it is odd, and at least 1. A size with a side over 4096 pixels is shrunk to that.
 * @type {(size: Size, longest: number) => Size} */
export function evenSize({ width, height }, longest) {
  const ratio = width / height;
  const isWide = width >= height;
  const shorter = trunc(isWide ? longest / ratio : longest * ratio);
  const isOdd = shorter % 2 === 1;
  const evenShorter = max(isOdd ? shorter + 1 : shorter, 1);
  const even = isWide ? { width: longest, height: evenShorter } : { width: evenShorter, height: longest };
  return cappedSize(even, maxIdeficsSide);
}

/** The longest side in pixels of a picture of Idefics3 and SmolVLM: Python's MAX_IMAGE_SIZE. */
export const maxIdeficsSide = 4096;

/** Shrinks a size so that its longer side is at most `longest`; the other one is truncated, and at least 1.
 * @type {(size: Size, longest: number) => Size} */
function cappedSize({ width, height }, longest) {
  const ratio = width / height;
  if (width >= height && width > longest) return { width: longest, height: max(trunc(longest / ratio), 1) };
  if (height > width && height > longest) return { width: max(trunc(longest * ratio), 1), height: longest };
  return { width, height };
}

/** Idefics3's size of whole tiles, by its `resize_for_vision_encoder`: the longer side is rounded up to a multiple of
 * `tile`. The shorter one follows from it by the picture's ratio, truncated, and is rounded up too.
 * @type {(size: Size, tile: number) => Size} */
export function tiledSize({ width, height }, tile) {
  const ratio = width / height;
  if (width >= height) {
    const wide = multipleAbove(width, tile);
    return { width: wide, height: multipleAbove(trunc(wide / ratio), tile) };
  }
  const high = multipleAbove(height, tile);
  return { width: multipleAbove(trunc(high * ratio), tile), height: high };
}

/** Chooses the resolution [height, width] that keeps most of the picture's pixels, of equals the one that leaves the
 * fewest pixels empty: transformers' `select_best_resolution`. The list is not empty.
 * @type {(size: Size, resolutions: readonly (readonly number[])[]) => Size} */
export function bestResolution(size, resolutions) {
  let best = { width: 0, height: 0 };
  let mostUsed = 0;
  let leastWasted = Infinity;
  for (const [height, width] of resolutions) {
    const scale = min(width / size.width, height / size.height);
    const fittedPixels = trunc(size.width * scale) * trunc(size.height * scale);
    // An enlarged picture does not count for more than it has.
    const used = min(fittedPixels, size.width * size.height);
    const wasted = width * height - used;
    const isBetter = used > mostUsed || (used === mostUsed && wasted < leastWasted);
    if (!isBetter) continue;
    best = { width, height };
    mostUsed = used;
    leastWasted = wasted;
  }
  return best;
}

/** The largest size in the picture's ratio that fits into `within`, as LLaVA-NeXT's `get_patch_output_size`. A side has
 * at least a pixel, and at most that of `within`, also where rounding up or float64's error would make it longer.
 * `rounded`: how the side that does not fill `within` is rounded; up if omitted
 * @type {(size: Size, within: Size, rounded?: (side: number) => number) => Size} */
export function insideSize({ width, height }, within, rounded = ceil) {
  const [scaleX, scaleY] = [within.width / width, within.height / height];
  /** @type {(extent: number, limit: number) => number} */
  const bounded = (extent, limit) => max(1, min(rounded(extent), limit));
  return scaleX < scaleY
    ? { width: within.width, height: bounded(height * scaleX, within.height) }
    : { width: bounded(width * scaleY, within.width), height: within.height };
}

/** Llama 4's size on its canvas: fitted into it, and enlarged at most to the side of a tile, or with `fillsCanvas`
 * without that limit. The side that the smaller scale does not set is rounded down. In Python the canvas' sides are
 * torch scalars: where such a side is the limit of an axis, torch computes the axis' scale, and products with it, in
 * float32, and where it is not, they are float64.
 * @type {(size: Size, canvas: Size, tileSide: number, fillsCanvas: boolean) => Size} */
export function chunkedSize(size, canvas, tileSide, fillsCanvas) {
  /** The longest that a side may become, and whether torch computes with it in float32.
   * @type {(extent: number, canvasExtent: number) => { limit: number, isFloat32: boolean }} */
  const limitOf = (extent, canvasExtent) => {
    const maxExtent = fillsCanvas ? Infinity : max(extent, tileSide);
    return canvasExtent < maxExtent ? { limit: canvasExtent, isFloat32: true } : { limit: maxExtent, isFloat32: false };
  };
  const across = limitOf(size.width, canvas.width);
  const down = limitOf(size.height, canvas.height);
  const scaleX = roundedIf(across.isFloat32, across.limit / size.width);
  const scaleY = roundedIf(down.isFloat32, down.limit / size.height);
  // torch compares in float32 where one of the two scales is a scalar of torch's.
  const comparesFloat32 = across.isFloat32 || down.isFloat32;
  const isWidthTighter = comparesFloat32 ? fround(scaleX) < fround(scaleY) : scaleX < scaleY;
  if (isWidthTighter) {
    const height = floor(roundedIf(across.isFloat32, size.height * scaleX));
    return { width: across.limit, height: max(1, min(height, down.limit)) };
  }
  const width = floor(roundedIf(down.isFloat32, size.width * scaleY));
  return { width: max(1, min(width, across.limit)), height: down.limit };
}

/** Rounds a number to float32 if it is one in torch. @type {(isFloat32: boolean, value: number) => number} */
const roundedIf = (isFloat32, value) => (isFloat32 ? fround(value) : value);

/** Mllama's size, as its `get_image_size_fit_to_canvas` computes it: fitted into the canvas, and not enlarged beyond a
 * tile.
 * @type {(size: Size, canvas: Size, tileSide: number) => Size} */
export function canvasSize(size, canvas, tileSide) {
  const within = {
    width: min(max(size.width, tileSide), canvas.width),
    height: min(max(size.height, tileSide), canvas.height),
  };
  return insideSize(size, within, floor);
}

/** The size of Donut's `thumbnail`: both sides are cut to those of `within`, and then the picture's shorter side is
 * computed from its longer one, whatever `within` says of it.
 * @type {(size: Size, within: Size) => Size} */
export function thumbnailSize({ width, height }, within) {
  const cut = { width: min(width, within.width), height: min(height, within.height) };
  if (cut.width === width && cut.height === height) return cut;
  if (height > width) return { width: trunc((width * cut.height) / height), height: cut.height };
  if (width > height) return { width: cut.width, height: trunc((height * cut.width) / width) };
  return cut;
}
