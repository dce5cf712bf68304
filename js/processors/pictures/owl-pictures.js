/** OWLv2's pictures, blurred before they shrink: bytes as torchvision blurs them, numbers or bytes as scipy does. */
import { blurBytes, zoomSamples } from '../../engines/images/index.js';
import { dtypes, newData } from '../../tensor/index.js';
import { rendered } from './change-picture.js';
import { lazyImage, pictureOf, sizeOf } from './picture.js';

/** @import { Samples } from '../../engines/images/types.js' */
/** @import { Picture, Size } from '../types.js' */

/** Blurs a picture as torchvision's `gaussian_blur` does, when its bytes are first read. `sigmas`: in pixels
 * @type {(picture: Picture, sigmas: { columns: number, rows: number }) => Picture} */
export function blurredPicture(picture, sigmas) {
  const { width, height } = sizeOf(picture);
  const image = lazyImage({ width, height, channels: 3, rowstride: 3 * width }, () => {
    const result = newData(dtypes.uint8, 3 * width * height, undefined);
    blurBytes(rendered(picture).image, sigmas, result);
    return result;
  });
  return pictureOf(image, { onStep: picture.onStep });
}

/** Resizes the samples [height, width, 3] of a picture as transformers does with scipy: by `zoom` of order 1, which is
 * linear, and with `blurs` by `gaussian_filter` before it, along the axes that shrink. Bytes stay bytes.
 * @type {(samples: Samples, from: Size, to: Size, blurs: boolean) => Samples} */
export function zoomed(samples, from, to, blurs) {
  const dtype = samples instanceof Uint8Array ? dtypes.uint8 : dtypes.float32;
  const result = newData(dtype, 3 * to.width * to.height, undefined);
  zoomSamples(samples, from, to, blurs, result);
  return result;
}
