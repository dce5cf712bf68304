/** The pixels that functions write to. */
import { bytesOf, overlap, rangeError, showClass, typeError } from '../../arguments/index.js';
import { dtypes, newData } from '../../tensor/index.js';
import { checkPixels } from './pixels.js';

/** @import { Image } from '../../engines/images/types.js' */
/** @import { Pixels, PixelSource, Size } from '../types.js' */

/** The class of data: bytes, or of any pixels where only the call says whether they are float32.
 * @template {boolean} IsFloat
 * @typedef {IsFloat extends false ? Pixels['data'] : PixelSource['data']} ResultData */

/** Gives the memory of a result: `out`, or new memory without it. `image`: the picture, as bytes; the result has as
 * many channels. Returns `data`, as the caller gets it, and `target`, the same memory as an image of bytes, in which a
 * float32 pixel counts as 4 channels.
 * @template {boolean} IsFloat
 * @param {PixelSource | undefined} out
 * @param {Size & { isFloat: IsFloat }} result
 * @param {Image} image
 * @returns {{ data: ResultData<IsFloat>, channels: number, target: Image }} */
export function resultPixels(out, { isFloat, width, height }, image) {
  const channels = isFloat ? 1 : image.channels;
  if (out) {
    const target = checkTarget(out, { isFloat, width, height, channels }, image);
    return { data: /** @type {ResultData<IsFloat>} */ (out.data), channels, target };
  }
  const data = newData(isFloat ? dtypes.float32 : dtypes.uint8, width * height * channels, undefined);
  const rowstride = width * image.channels;
  return { data, channels, target: { data: bytesOf(data), width, height, channels: image.channels, rowstride } };
}

/** Refuses pixels `out` that have not the class, size and channels of the result, or share memory with the image; gives
 * them as an image of bytes.
 * @type {(out: PixelSource, result: { isFloat: boolean, width: number, height: number, channels: number }, image:
 *   Image) => Image} */
function checkTarget(out, { isFloat, width, height, channels }, image) {
  const kind = isFloat ? 'a Float32Array' : 'bytes';
  if (out.isFloat !== isFloat) typeError(`out data must be ${kind} as the image's, got ${showClass(out.data)}`);
  if (out.width !== width || out.height !== height)
    rangeError(`out must have ${width} x ${height} pixels, got ${out.width} x ${out.height}`);
  const target = checkPixels(out);
  // A float32 pixel has one channel for the caller, but counts as four channels of bytes in `target`.
  const outChannels = isFloat ? 1 : target.channels;
  if (outChannels !== channels) rangeError(`out channels must be ${channels} as the image's, got ${outChannels}`);
  if (overlap(out.data, image.data)) rangeError('out must not overlap image');
  return target;
}
