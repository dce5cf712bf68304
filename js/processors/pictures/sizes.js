/** The sizes that pictures are resized to, by Python's own arithmetic: float64, `int()` truncates. */
import { rangeError } from '../../arguments/index.js';
import { roundHalfToEven } from '../../image/internal.js';

/** @import { Size, SizeSetting } from '../types.js' */

const { abs, ceil, floor, fround, max, min, sqrt, trunc } = Math;

/** @type {(side: number) => Size} */
export const square = (side) => ({ height: side, width: side });

/** @type {(size: Size, of: (side: number) => number) => Size} */
export const both = ({ width, height }, of) => ({ width: of(width), height: of(height) });

/** @type {(size: Size, edge: number) => Size} The shorter side becomes `edge`. */
export function shortestEdgeSize({ width, height }, edge) {
  const other = trunc((edge * max(width, height)) / min(width, height));
  return width <= height ? { width: edge, height: other } : { width: other, height: edge };
}

/** The shorter side becomes `edge`, unless the other one would be longer than `longest`.
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

/** @type {(size: Size, setting: SizeSetting | undefined, bounded?: (size: Size, edge: number, longest: number) => Size)
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

/** @type {(setting: SizeSetting | undefined, name?: string) => Size} */
export function exactSize({ height, width } = {}, name = 'size') {
  if (height === undefined || width === undefined) rangeError(`${name} must have the keys height and width here`);
  return { width, height };
}

/** @type {(setting: SizeSetting | undefined) => number} */
export function squareSide(setting) {
  const { width, height } = exactSize(setting);
  return width === height ? width : rangeError(`size must be square, got ${width} x ${height}`);
}

/** @type {(setting: SizeSetting | undefined, key: 'shortest_edge' | 'longest_edge', name?: string) => number} */
export function edgeOf(setting = {}, key, name = 'size') {
  const edge = setting[key];
  return edge === undefined ? rangeError(`${name} must have the key ${key} here`) : edge;
}

/** The edges that bound a number of pixels.
 * @type {(setting: SizeSetting | undefined) => [minPixels: number, maxPixels: number]} */
export const edgesOf = (setting) => [edgeOf(setting, 'shortest_edge'), edgeOf(setting, 'longest_edge')];

/** YOLOS: {@link boundedSize} with sides cut to multiples of 16.
 * @type {(size: Size, edge: number, longest: number) => Size} */
export function yolosSize(size, edge, longest) {
  return both(boundedSize(size, edge, longest, false), (side) => side - (side % 16));
}

/** @type {(size: Size, edge: number, least?: number) => Size} The longer side becomes `edge`, to nearest even. */
export function longestEdgeSize(size, edge, least = 0) {
  const scale = edge / max(size.width, size.height);
  return both(size, (side) => max(roundHalfToEven(side * scale), least));
}

/** ViLT: the shorter side becomes `edge`, the longer up to 1333 / 800 of it, half up and down to multiples.
 * @type {(size: Size, edge: number, divisor: number, isDivided: boolean) => Size} `isDivided`: whether the ratio is the
 *   edge by the shorter side of the two that are compared, as torchvision's ViLT has it */
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

/** @type {(size: Size, longest: number) => Size} SAM: the longer side becomes `longest`, half up. */
export function samSize(size, longest) {
  const scale = longest / max(size.width, size.height);
  return both(size, (side) => trunc(side * scale + 0.5));
}

/** DPT and ZoeDepth: multiples, ties to even, and with `keepsAspect` the scale that is nearer to 1 for both sides.
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

/** @type {(value: number, multiple: number) => number} */
export const multipleAbove = (value, multiple) => ceil(value / checkedMultiple(multiple)) * multiple;
/** @type {(value: number, multiple: number) => number} */
export const multipleBelow = (value, multiple) => floor(value / checkedMultiple(multiple)) * multiple;

/** @type {(multiple: number) => number} */
const checkedMultiple = (multiple) =>
  multiple === 0 ? rangeError('size_divisor must be a whole number from 1 on, got 0') : multiple;

/** @type {(size: Size) => void} */
export function checkRatio({ width, height }) {
  if (max(width, height) / min(width, height) > 200)
    rangeError(`an image must have sides of a ratio up to 200, got ${width} x ${height}`);
}

/** Qwen2-VL: sides are multiples of a factor, and their product lies between two bounds. Frames count beside them:
 * `counted` where the bounds are compared, and `frames` where the sides are scaled.
 * @type {(size: Size, factor: number, minPixels: number, maxPixels: number, frames?: number, counted?: number) =>
 *   Size} */
export function areaSize(size, factor, minPixels, maxPixels, frames = 1, counted = frames) {
  checkRatio(size);
  return boundedArea(size, { factor, minPixels, maxPixels, frames, counted, shortest: 0 });
}

/** @type {(size: Size, bounds: { factor: number, minPixels: number, maxPixels: number, frames?: number,
 *   counted?: number, shortest: number }) => Size} `shortest`: of a side whose product lies between the bounds */
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

/** A volume: frames count beside height and width, and small pictures grow first.
 * @type {(size: Size, factor: number, minPixels: number, maxPixels: number, frames: number, counted?: number) =>
 *   Size} */
export function volumeSize(size, factor, minPixels, maxPixels, frames, counted = frames) {
  const { width, height } = size;
  if (height >= factor && width >= factor) return areaSize(size, factor, minPixels, maxPixels, frames, counted);
  const scale = max(factor / height, factor / width);
  const grown = both(size, (side) => trunc(side * scale));
  return areaSize(grown, factor, minPixels, maxPixels, frames, counted);
}

/** @type {(size: Size, to: Size, patch: Size) => Size} Pixtral: only smaller, then up to whole patches. */
export function pixtralSize({ width, height }, to, patch) {
  const ratio = max(height / to.height, width / to.width);
  const [w, h] = ratio > 1 ? [floor(width / ratio), floor(height / ratio)] : [width, height];
  return {
    width: (floor((w - 1) / patch.width) + 1) * patch.width,
    height: (floor((h - 1) / patch.height) + 1) * patch.height,
  };
}

/** SigLIP2: the greatest scale, searched to 1e-5, that leaves no more than some patches.
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

/** @type {(size: Size, longest: number) => Size} Idefics3: the longer side becomes `longest`, the other one even. */
export function evenSize({ width, height }, longest) {
  const ratio = width / height;
  const isWide = width >= height;
  let other = isWide ? trunc(longest / ratio) : trunc(longest * ratio);
  other += other % 2;
  const long = longest;
  const even = isWide ? { width: long, height: max(other, 1) } : { width: max(other, 1), height: long };
  return cappedSize(even, 4096);
}

/** @type {(size: Size, longest: number) => Size} */
function cappedSize({ width, height }, longest) {
  const ratio = width / height;
  if (width >= height && width > longest) return { width: longest, height: max(trunc(longest / ratio), 1) };
  if (height > width && height > longest) return { width: max(trunc(longest * ratio), 1), height: longest };
  return { width, height };
}

/** @type {(size: Size, tile: number) => Size} Idefics3: both sides up to multiples of a tile's. */
export function tiledSize({ width, height }, tile) {
  const ratio = width / height;
  if (width >= height) {
    const wide = multipleAbove(width, tile);
    return { width: wide, height: multipleAbove(trunc(wide / ratio), tile) };
  }
  const high = multipleAbove(height, tile);
  return { width: multipleAbove(trunc(high * ratio), tile), height: high };
}

/** LLaVA-NeXT: of some resolutions, the one that keeps most of the picture and wastes least.
 * @type {(size: Size, resolutions: readonly (readonly number[])[]) => Size} */
export function bestResolution({ width, height }, resolutions) {
  let best = { width: 0, height: 0 };
  let [most, least] = [0, Infinity];
  for (const [h, w] of resolutions) {
    const scale = min(w / width, h / height);
    const used = min(trunc(width * scale) * trunc(height * scale), width * height);
    const wasted = w * h - used;
    if (used > most || (used === most && wasted < least)) [best, most, least] = [{ width: w, height: h }, used, wasted];
  }
  return best;
}

/** @type {(size: Size, within: Size, rounded?: (side: number) => number) => Size} The longer side becomes that of
 * `within`, the other one a pixel at least. */
export function insideSize({ width, height }, within, rounded = ceil) {
  const [scaleX, scaleY] = [within.width / width, within.height / height];
  return scaleX < scaleY
    ? { width: within.width, height: max(1, min(rounded(height * scaleX), within.height)) }
    : { width: max(1, min(rounded(width * scaleY), within.width)), height: within.height };
}

/** Llama 4: {@link canvasSize} in Python's own arithmetic. A limit that is a side of the canvas is a scalar of torch,
 * whose scale and products are float32; any other is a number. With `isGreatest` the canvas alone is the limit.
 * @type {(size: Size, canvas: Size, side: number, isGreatest: boolean) => Size} */
export function chunkedSize(size, canvas, side, isGreatest) {
  /** @type {(key: 'width' | 'height') => { limit: number, rounded: (value: number) => number }} */
  const limitOf = (key) => {
    const wanted = isGreatest ? Infinity : max(size[key], side);
    return { limit: min(wanted, canvas[key]), rounded: canvas[key] < wanted ? fround : Number };
  };
  const [wide, high] = [limitOf('width'), limitOf('height')];
  const scaleX = wide.rounded(wide.limit / size.width);
  const scaleY = high.rounded(high.limit / size.height);
  // torch compares in float32 where one of both is a scalar.
  const compared = wide.rounded === fround ? wide.rounded : high.rounded;
  if (compared(scaleX) < compared(scaleY))
    return { width: wide.limit, height: max(1, min(floor(wide.rounded(size.height * scaleX)), high.limit)) };
  return { width: max(1, min(floor(high.rounded(size.width * scaleY)), wide.limit)), height: high.limit };
}

/** @type {(size: Size, canvas: Size, side: number) => Size} Mllama: inside, and no smaller than a tile. */
export function canvasSize(size, canvas, side) {
  const to = {
    width: min(max(size.width, side), canvas.width),
    height: min(max(size.height, side), canvas.height),
  };
  return insideSize(size, to, floor);
}

/** @type {(size: Size, within: Size) => Size} Donut: within a size, never larger. */
export function thumbnailSize({ width, height }, within) {
  const [w, h] = [min(width, within.width), min(height, within.height)];
  if (w === width && h === height) return { width, height };
  if (height > width) return { width: trunc((width * h) / height), height: h };
  if (width > height) return { width: w, height: trunc((height * w) / width) };
  return { width: w, height: h };
}
