/** One tensor from images that were read: checks that they fit together, then converts each into its part. */
import { bytesOf, overlap, rangeError } from '../../arguments/index.js';
import { mostPixels } from '../../engines/images/index.js';
import { checkLength, newData, readOut, sizeOf, tensorOf } from '../../tensor/index.js';
import { draw, needCanvas } from '../sources/canvas.js';
import { convertPixels, convertResized, fillBars, rgbaBytes } from '../numbers/convert.js';
import { pixelsOf } from '../sources/drawable-pixels.js';
import { rgbaOf } from '../resizing/background.js';
import { placementOf, resizedSize } from '../resizing/fit.js';
import { geometryOf } from '../resizing/letterbox-geometry.js';
import { checkPixels } from '../sources/pixels.js';
import { resizingOf } from '../resizing/resampling.js';
import { isSameSize } from '../resizing/size.js';

/** @import { Image } from '../../engines/images/types.js' */
/** @import { Backend } from '../resizing/filters.js' */
/** @import { Tensor } from '../../tensor/index.js' */
/** @import { Call, DrawableSource, Size, Source, SourceImage, Window } from '../types.js' */

/** Makes one tensor of all images of a call; a failed call leaves `out` as it was.
 * @type {(call: Call, sources: Source[]) => Tensor} */
export function tensorOfImages(call, sources) {
  const { layout, dtype } = call;
  const size = commonSize(call, sources);
  const isPlanar = layout.endsWith('CHW');
  const dims = dimsOf(call, sources.length, size);
  const out = call.out === undefined ? undefined : readOut('out', call.out, dtype, dims);
  // All images are checked before anything is written. Drawables, whose pixels are not read yet, are undefined here.
  const images = sources.map((source) => ('drawable' in source ? undefined : checkPixels(source)));
  sources.forEach((source, i) => {
    checkCanvasAndSides(call, source, size);
    const overlaps = out !== undefined && images[i] !== undefined && overlap(out.data, images[i].data);
    if (overlaps) rangeError(`out must not overlap ${source.argument}`);
  });
  if (out) checkLength(out);
  const data = out ? out.data : newData(dtype, sizeOf(dims), undefined);
  const bytes = bytesOf(data);
  const imageBytes = bytes.length / sources.length;
  // Draw all images before any is converted: the page may not be allowed to read the last one.
  const drawn = sources.map((source, i) => imageOf(call, source, images[i], size));
  drawn.forEach((image, i) => {
    convertImage(call, image, size, isPlanar, bytes.subarray(i * imageBytes, (i + 1) * imageBytes));
  });
  return tensorOf(dtype, data, dims);
}

/** The dims of a tensor of `count` images, in the order of the layout's letters, as NCHW.
 * @type {(call: Call, count: number, size: Size) => number[]} */
function dimsOf({ layout, channels }, count, { width, height }) {
  const extents = { N: count, C: channels.length, H: height, W: width };
  return Array.from(layout, (axis) => extents[/** @type {keyof typeof extents} */ (axis)]);
}

/** The size that all images of a call have after resizing; refuses images of which one differs.
 * @type {(call: Call, sources: Source[]) => Size} */
function commonSize({ fitting, letterboxing }, sources) {
  const sizeFor = (/** @type {Size} */ from) =>
    letterboxing ? geometryOf(letterboxing, from) : resizedSize(from, fitting);
  const { width, height } = sizeFor(sources[0]);
  for (const source of sources) {
    const size = sizeFor(source);
    if (!isSameSize(size, { width, height }))
      rangeError(
        `${source.argument} must have ${width} x ${height} pixels as the first, got ${size.width} x ${size.height}`,
      );
  }
  return { width, height };
}

/** Refuses an image that needs a canvas where there is none, or that has too many pixels a side to be resized. `size`:
 * of the result
 * @type {(call: Call, source: Source, size: Size) => void} */
function checkCanvasAndSides({ fitting }, source, size) {
  if ('drawable' in source) needCanvas(source.argument);
  if (isSameSize(source, size)) return; // nothing is resized
  if (fitting?.filter === 'canvas') return needCanvas(`filter 'canvas'`);
  for (const { width, height } of [source, size])
    if (Math.max(width, height) > mostPixels)
      rangeError(`resizing takes at most ${mostPixels} pixels a side, got ${width} x ${height}`);
}

/** Returns an image's pixels at its own size; with filter 'canvas' those that a canvas has resized to `size`. `image`:
 * undefined for a drawable
 * @type {(call: Call, source: Source, image: Image | undefined, size: Size) => SourceImage} */
function imageOf({ fitting }, source, image, size) {
  const isCanvas = fitting?.filter === 'canvas' && !isSameSize(source, size);
  if (image && !isCanvas) return image;
  if ('drawable' in source && !isCanvas) return pixelsOf(source);
  const drawable = image ? rgbaBytes(image) : /** @type {DrawableSource} */ (source).drawable;
  const rgba = draw(drawable, source, size, fitting);
  return { data: bytesOf(rgba), ...size, channels: 4, rowstride: 4 * size.width };
}

/** Converts an image of a call to numbers, and writes them to its part of the tensor, `destination`, which has `size`.
 * The image is resized first, if it has to be. Where it is smaller than `size` then, bars are left around it; where it
 * is larger, it is cut.
 * @type {(call: Call, image: SourceImage, size: Size, isPlanar: boolean, destination: Uint8Array) => void} */
function convertImage(call, image, size, isPlanar, destination) {
  const { placed, color, backend, filter } = placementIn(call, image, size);
  const alpha = alphaIn(call, image, backend);
  const keepsSize = isSameSize(image, size) && isSameSize(placed, size);
  // Only the kernel that resizes lays pixels on white, so such an image takes that one even at its own size.
  const needsResizing = !keepsSize || alpha === 'white';
  if (!needsResizing) return convertPixels(call, image, isPlanar, destination);
  const { window, corner } = visiblePart(placed, size);
  const hasBars = !isSameSize(window, size);
  if (hasBars) fillBars(call, color, isPlanar, destination, size, { ...window, ...corner });
  const { width, height } = placed;
  const counted = countResizedChannels(call, image);
  const resizing = resizingOf(image, { backend, filter, width, height, window, alpha, counted });
  convertResized(call, resizing, { ...size, ...corner }, isPlanar, destination);
}

/** Finds the part of a resized image that a result of `size` shows: `window` counts from the resized image's own first
 * pixel, `corner` is that part's first pixel in the result. `placed`: the resized image's place in the result, whose x
 * and y are negative where its left and top are cut off
 * @type {(placed: Window, size: Size) => { window: Window, corner: { x: number, y: number } }} */
function visiblePart(placed, size) {
  const [cutLeft, cutTop] = [Math.max(0, -placed.x), Math.max(0, -placed.y)];
  const width = Math.min(placed.width, size.width);
  const height = Math.min(placed.height, size.height);
  const corner = { x: Math.max(0, placed.x), y: Math.max(0, placed.y) };
  return { window: { x: cutLeft, y: cutTop, width, height }, corner };
}

/** The number of an image's channels that are resized: alpha only if the result has it.
 * @type {(call: Call, image: SourceImage) => number} */
const countResizedChannels = (call, { channels }) => (channels === 4 && call.channels !== 'RGBA' ? 3 : channels);

/** The use of alpha when an image is resized: colors are laid on white by it, or weighed by it ('premultiplied'), or it
 * is a channel like the others, or there is none ('straight').
 * @type {(call: Call, image: SourceImage, backend: Backend) => 'white' | 'premultiplied' | 'straight'} */
function alphaIn({ channels, isOnWhite }, image, backend) {
  if (image.channels !== 4) return 'straight';
  // A VideoFrame's copy is opaque.
  if (isOnWhite && !image.copy) return 'white';
  // Pillow weighs colors by alpha when it resizes RGBA. If the result drops alpha, RGB alone is resized, unweighed.
  return channels === 'RGBA' && backend === 'pil' ? 'premultiplied' : 'straight';
}

/** Finds where the whole resized image lies in the result (`placed`, negative if it is cut off), and the RGBA color of
 * the bars (null for 0 in the result).
 * @type {(call: Call, image: Image, size: Size) => { placed: Window, color: readonly number[] | null, backend:
 *   Backend, filter: string }} */
function placementIn({ fitting, letterboxing }, image, size) {
  const hasAlpha = image.channels === 4;
  if (!letterboxing) {
    // Without `fitting` the image keeps its size, so these decide nothing.
    const { fit = 'fill', backend = 'pil', filter = 'nearest', background = 0 } = fitting ?? {};
    return { placed: placementOf(image, size, fit), color: rgbaOf(background, hasAlpha), backend, filter };
  }
  const { left, top, resized } = geometryOf(letterboxing, image);
  const { background, filter } = letterboxing;
  const color = background === null ? null : rgbaOf(background, hasAlpha);
  return { placed: { x: left, y: top, ...resized }, color, backend: 'opencv', filter };
}
