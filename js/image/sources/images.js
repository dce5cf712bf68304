/** Images of any kind as pixels in memory. */
import { needCanvas } from './canvas.js';
import { pixelsOf } from './drawable-pixels.js';
import { checkPixels } from './pixels.js';
import { readImage } from './read-images.js';

/** @import { Image } from '../../engine/types.js' */
/** @import { Entry, PixelSource } from '../types.js' */

/** Checks a caller's data whenever it is read: `onStep` may have taken the memory away.
 * @type {(source: PixelSource) => Image} */
function watched(source) {
  const { width, height, channels, rowstride } = checkPixels(source);
  return {
    width,
    height,
    channels,
    rowstride,
    get data() {
      return checkPixels({ ...source, channels }).data;
    },
  };
}

/** @type {(entries: Entry[]) => Image[]} */
export function imagesOf(entries) {
  const sources = entries.map((entry) => readImage(entry, 'imageProcessorAsync', 'processor'));
  const images = sources.map((source) => ('drawable' in source ? undefined : watched(source)));
  return sources.map((source, i) => {
    if (!('drawable' in source)) return /** @type {Image} */ (images[i]);
    needCanvas(source.argument);
    return pixelsOf(source);
  });
}
