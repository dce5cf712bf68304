/** One tensor from images that were read: checks that they fit together, then converts each into its part. */
import { bytesOf, overlap, wrongValue } from '../arguments/index.js';
import { checkRoom, newData, readOut, sizeOf, tensorOf } from '../tensor/index.js';
import { draw, needCanvas } from './canvas.js';
import { convertPixels, rgbaOf } from './convert.js';
import { checkPixels } from './pixels.js';
import { resizedSize } from './resize.js';

/** @import { Image } from '../engine/index.js' */
/** @import { Tensor } from '../tensor/index.js' */
/** @import { Call } from './options.js' */
/** @import { Source } from './read-images.js' */
/** @import { Size } from './size.js' */

/**
 * Converts images that were read.
 * @param {Call} call
 * @param {Source[]} sources at least one
 * @returns {Tensor}
 */
export function tensorOfImages(call, sources) {
  const { prefix, layout, channels, dtype } = call;
  const size = commonSize(call, sources);
  const isPlanar = layout.endsWith('CHW');
  const extents = { N: sources.length, C: channels.length, H: size.height, W: size.width };
  const dims = Array.from(layout, (axis) => extents[/** @type {keyof typeof extents} */ (axis)]);
  const out = call.out === undefined ? undefined : readOut(prefix, 'out', call.out, dtype, dims);
  const images = sources.map((source) => ('drawable' in source ? undefined : checkPixels(prefix, source)));
  sources.forEach((source, i) => {
    checkCanvas(prefix, source, size);
    if (out && images[i] && overlap(out.data, images[i].data))
      wrongValue(prefix, `out must not overlap ${source.argument}`);
  });
  if (out) checkRoom(prefix, out);
  const data = out ? out.data : newData(prefix, dtype, sizeOf(dims), undefined);
  const bytes = bytesOf(data);
  const part = bytes.length / sources.length;
  // Draw all images before any is converted: the page may not be allowed to read the last one, and a failed call must
  // leave `out` as it was.
  const resized = sources.map((source, i) => imageOfSize(call, source, images[i], size));
  resized.forEach((image, i) => convertPixels(call, image, isPlanar, bytes.subarray(i * part, (i + 1) * part)));
  return tensorOf(dtype, data, dims);
}

/**
 * The size that all images have in the result.
 * @param {Call} call
 * @param {Source[]} sources
 * @returns {Size}
 */
function commonSize({ prefix, resizing }, sources) {
  const size = resizedSize(sources[0], resizing);
  for (const source of sources) {
    const { width, height } = resizedSize(source, resizing);
    if (width === size.width && height === size.height) continue;
    wrongValue(
      prefix,
      `${source.argument} must have ${size.width} x ${size.height} pixels as the first, got ${width} x ${height}`,
    );
  }
  return size;
}

/**
 * @param {string} prefix
 * @param {Source} source
 * @param {Size} size of the result
 * @throws {Error} an image that only a canvas can draw or resize, where there is none
 */
function checkCanvas(prefix, source, size) {
  if ('drawable' in source) needCanvas(prefix, source.argument);
  else if (source.width !== size.width || source.height !== size.height) needCanvas(prefix, 'resizing');
}

/**
 * @param {Call} call
 * @param {Source} source
 * @param {Image | undefined} image the source's pixels, if they are in memory
 * @param {Size} size
 * @returns {Image} pixels of the given size
 */
function imageOfSize({ prefix, resizing }, source, image, size) {
  if (image && image.width === size.width && image.height === size.height) return image;
  const drawable = image ? rgbaOf(prefix, image) : /** @type {any} */ (source).drawable;
  const rgba = draw(prefix, drawable, source, size, resizing);
  return { data: bytesOf(rgba), ...size, channels: 4, rowstride: 4 * size.width };
}
