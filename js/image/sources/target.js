/** Pixels that a caller gives to write to. */
import { overlap, rangeError, showClass, typeError } from '../../arguments/index.js';
import { checkPixels } from './pixels.js';

/** @import { Image } from '../../engine/types.js' */
/** @import { PixelSource } from '../types.js' */

/** @type {(out: PixelSource, result: { isFloat: boolean, width: number, height: number, channels: number }, image:
 *   Image) => Image} */
export function checkTarget(out, { isFloat, width, height, channels }, image) {
  const kind = isFloat ? 'a Float32Array' : 'bytes';
  if (out.isFloat !== isFloat) typeError(`out data must be ${kind} as the image's, got ${showClass(out.data)}`);
  if (out.width !== width || out.height !== height)
    rangeError(`out must have ${width} x ${height} pixels, got ${out.width} x ${out.height}`);
  const target = checkPixels(out);
  const given = isFloat ? 1 : target.channels;
  if (given !== channels) rangeError(`out channels must be ${channels} as the image's, got ${given}`);
  if (overlap(out.data, image.data)) rangeError('out must not overlap image');
  return target;
}
