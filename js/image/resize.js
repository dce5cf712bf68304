/** Pixels at another size, with Python's own numbers. */
import * as args from '../arguments/index.js';
import { ready, resizeToBytes } from '../engines/images/index.js';
import { readEdges } from './resizing/box.js';
import { readFilter } from './resizing/filters.js';
import { checkPixels, readPixels } from './sources/pixels.js';
import { resizingOf } from './resizing/resampling.js';
import { checkSides, readSide } from './resizing/size.js';
import { resultPixels } from './sources/target.js';

/** @import { Backend } from './resizing/filters.js' */
/** @import { PixelSource, Request, ResizablePixels, ResizedPixels, ResizeOptions, Size } from './types.js' */
/** @import { ThumbnailOptions } from './types.js' */

const table = {
  width: readSide,
  height: readSide,
  filter: args.later,
  backend: args.later,
  box: args.later,
  reducingGap: readGap,
  antialias: args.flag(true),
  premultiply: args.later,
  out: args.later,
};

/**
 * Resizes pixels. The result is equal to Python's in every byte: to Pillow's `Image.resize` of modes L, LA, RGB, RGBA
 * and F, to torchvision's `resize` of uint8 tensors on CPUs with AVX2, or to OpenCV 5's `cv2.resize` of bytes with 1, 3
 * or 4 channels. OpenCV's 'cubic' is that of its own code, which x86 has after `cv2.ipp.setUseIPP(False)`: Intel's IPP,
 * its default there for sides of 4 pixels or more, differs by 1 in 3 to 4 % of the bytes.
 * @param {ResizablePixels} image with sides of up to 65536 pixels
 * @param {ResizeOptions} options
 * @returns {ResizedPixels}
 * @example
 * const gray = { data: Uint8Array.of(0, 100, 200, 255), width: 4, height: 1 };
 * resize(gray, { width: 2, height: 1, filter: 'bilinear' }).data; // Uint8Array [71, 209]
 */
export function resize(image, options) {
  return args.named('resize', () => {
    ready();
    const source = readSource('image', image);
    const { width, height, filter, backend, box, reducingGap, antialias, premultiply, out } = args.readTable(
      options,
      table,
    );
    const choice = readFilter(backend, filter);
    if (choice.backend !== 'pil') refusePillowOptions(choice.backend, source, { box, reducingGap });
    const part = readBox(box, source);
    const alpha = alphaOf(premultiply, choice.backend);
    const request = { ...choice, width, height, reducingGap, antialias, box: part, alpha };
    if (!antialias) checkNoAntialias(choice);
    const target = out === undefined ? undefined : readSource('out', out);
    return resizeSource(source, request, target);
  });
}

/** Refuses what Pillow alone can do: float32, a box, or a reducing gap.
 * @type {(backend: Backend, source: ResizeSource, options: Record<string, unknown>) => void} */
function refusePillowOptions(backend, source, options) {
  if (source.isFloat) args.typeError(`image data must be bytes for backend '${backend}', got Float32Array`);
  for (const [name, value] of Object.entries(options))
    if (value !== undefined) args.typeError(`${name} needs backend 'pil', got backend '${backend}'`);
}

/** Refuses to resize without antialiasing, which torchvision alone does, and not by lanczos.
 * @type {(choice: { backend: Backend, filter: string }) => void} */
function checkNoAntialias({ backend, filter }) {
  if (backend !== 'torchvision') args.rangeError(`antialias of backend '${backend}' must be true, got false`);
  if (filter === 'lanczos') args.rangeError(`antialias of filter 'lanczos' must be true, got false`);
}

/** Reads `reducingGap` of a thumbnail: Pillow's 2 if omitted, and undefined for null, which is none.
 * @type {(name: string, value: unknown) => number | undefined} */
const readThumbnailGap = (name, value = 2) => (value === null ? undefined : readGap(name, value));

const thumbnailTable = {
  width: args.readExtent,
  height: args.readExtent,
  filter: args.later,
  reducingGap: readThumbnailGap,
};

/**
 * Makes a picture fit into a size, as Pillow's `Image.thumbnail`: it keeps its aspect ratio and is never enlarged.
 * @param {ResizablePixels} image with sides of up to 65536 pixels
 * @param {ThumbnailOptions} options
 * @returns {ResizedPixels} with memory of its own
 * @example
 * const image = { data: new Uint8Array(3 * 400 * 300), width: 400, height: 300 };
 * thumbnail(image, { width: 128, height: 128 }).height; // 96
 */
export function thumbnail(image, options) {
  return args.named('thumbnail', () => {
    ready();
    const source = readSource('image', image);
    const { filter, reducingGap, ...within } = args.readTable(options, thumbnailTable);
    const choice = { ...readFilter('pil', filter), alpha: /** @type {const} */ ('premultiplied') };
    return resizeSource(source, { ...choice, ...thumbnailSize(source, within), reducingGap }, undefined);
  });
}

/** The size of Pillow's `Image.thumbnail`: the picture's own if that fits into `within`. Otherwise one side is that of
 * `within`, and the other one the whole number next to its exact length that keeps the aspect ratio better.
 * @type {(size: Size, within: Size) => Size} */
function thumbnailSize({ width, height }, within) {
  if (within.width >= width && within.height >= height) return { width, height };
  const aspect = width / height;
  /** How far a size is from the picture's aspect ratio. @type {(width: number, height: number) => number} */
  const aspectError = (width, height) => Math.abs(aspect - width / height);
  const isLimitedByHeight = within.width / within.height >= aspect;
  if (isLimitedByHeight) {
    const exactWidth = within.height * aspect;
    const best = nearerExtent(exactWidth, (candidate) => aspectError(candidate, within.height));
    return { width: best, height: within.height };
  }
  const exactHeight = within.width / aspect;
  // Pillow lets a height of 0, which has no ratio, win; `nearerExtent` makes 1 of it.
  const best = nearerExtent(exactHeight, (candidate) => (candidate === 0 ? 0 : aspectError(within.width, candidate)));
  return { width: within.width, height: best };
}

/** Chooses the whole number below or above `exact` for which `errorOf` is smaller, of equals the lower one; at least 1.
 * @type {(exact: number, errorOf: (candidate: number) => number) => number} */
function nearerExtent(exact, errorOf) {
  const [below, above] = [Math.floor(exact), Math.ceil(exact)];
  const nearer = errorOf(above) < errorOf(below) ? above : below;
  return Math.max(nearer, 1);
}

/** @typedef {PixelSource & { isFloat: boolean }} ResizeSource */

/** Resizes the caller's pixels to `out`, or new memory if that is omitted.
 * @type {(source: ResizeSource, request: Request, out: ResizeSource | undefined) => ResizedPixels} */
function resizeSource(source, request, out) {
  const { width, height } = request;
  const { isFloat } = source;
  const image = checkPixels(source);
  if (request.backend === 'opencv' && image.channels === 2)
    args.rangeError(`image channels must be 1, 3 or 4 for backend 'opencv', got 2`);
  const { data, channels, target } = resultPixels(out, { isFloat, width, height }, image);
  // Pixels of 2 channels are gray and alpha, those of 4 RGB and alpha; float32 has 1.
  const hasAlpha = channels === 2 || channels === 4;
  const alpha = hasAlpha ? request.alpha : undefined;
  resizeToBytes(resizingOf(image, { ...request, alpha, isFloat }), target);
  return { data, width, height, channels };
}

/** Reads the caller's pixels, whose sides the engine takes.
 * @type {(argument: string, value: unknown) => ResizeSource} */
function readSource(argument, value) {
  const source = readPixels(argument, value, 'resizable');
  checkSides(argument, source);
  return source;
}

/** Reads [left, top, right, bottom], which must lie within the picture.
 * @type {(value: unknown, size: Size) => number[] | undefined} */
function readBox(value, { width, height }) {
  if (value === undefined) return undefined;
  const box = readEdges(value);
  const [left, top, right, bottom] = box;
  if (!(left >= 0 && top >= 0 && right <= width && bottom <= height))
    args.rangeError(`box must lie within ${width} x ${height} pixels, got ${args.showList(box)}`);
  if (left > right || top > bottom) args.rangeError(`box must not end before it begins, got ${args.showList(box)}`);
  return box;
}

/** Reads the option `reducingGap`, a number from 1 on: a picture is reduced by whole factors first, as long as that
 * leaves at least this many times the result's sides. Undefined: it is not reduced
 * @type {(name: string, value: unknown) => number | undefined} */
function readGap(_, value) {
  if (value === undefined) return undefined;
  if (typeof value !== 'number') args.typeError(`reducingGap must be a number, got ${args.show(value)}`);
  if (!(value >= 1)) args.rangeError(`reducingGap must be at least 1, got ${args.show(value)}`);
  return value;
}

/** Reads the option `premultiply`: Pillow alone weighs colors by alpha when it mixes pixels.
 * @type {(premultiply: unknown, backend: Backend) => 'premultiplied' | 'straight'} */
function alphaOf(premultiply, backend) {
  const isPillow = backend === 'pil';
  const isWeighted = args.readFlag('premultiply', premultiply, isPillow);
  if (isWeighted && !isPillow) args.rangeError(`premultiply of backend '${backend}' must be false, got true`);
  return isWeighted ? 'premultiplied' : 'straight';
}
