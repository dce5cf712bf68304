/** Images of any kind as pixels in memory. */
import { needCanvas } from './canvas.js';
import { pixelsOf } from './drawable-pixels.js';
import { checkPixels } from './pixels.js';
import { readEntries, readImage } from './read-images.js';

/** @import { Image } from '../../engines/images/types.js' */
/** @import { DrawableSource, Entry, PixelSource, SourceImage } from '../types.js' */

/** Makes an image of the caller's pixels whose data is checked whenever it is read, because the caller's `onStep` may
 * have transferred or resized the memory since.
 * @type {(source: PixelSource) => Image} */
function watchImage(source) {
  const { data: _, ...image } = checkPixels(source);
  return {
    ...image,
    /** Another length counts as wrong, not as another number of channels. */
    get data() {
      return checkPixels({ ...source, channels: image.channels }).data;
    },
  };
}

/** Reads the images of a call as pixels in memory. All pixels of the caller's are checked first, and then drawables are
 * read, which takes long. `decoder`: the function that decodes Blobs, for the message that refuses one.
 * @type {(entries: Entry[], decoder?: string) => SourceImage[]} */
export function imagesOf(entries, decoder = 'imageProcessorAsync') {
  const sources = entries.map((entry) => readImage(entry, decoder, 'processor'));
  const images = sources.map((source) => ('drawable' in source ? undefined : watchImage(source)));
  return sources.map((source, i) =>
    'drawable' in source ? readDrawable(source) : /** @type {SourceImage} */ (images[i]),
  );
}

/** Reads the pixels of a drawable, where there is a canvas. @type {(source: DrawableSource) => SourceImage} */
function readDrawable(source) {
  needCanvas(source.argument);
  return pixelsOf(source);
}

/** Reads the sizes of the frames of a video. `read` gives the pixels of a frame: those of a drawable are read only
 * then, and anew each time; those in memory are the caller's own.
 * @type {(argument: string, images: readonly unknown[]) => { width: number, height: number, read: () => Image }[]} */
export const frameSources = (argument, images) =>
  readEntries(argument, images).map((entry) => {
    const source = readImage(entry, 'videoProcessorAsync', 'processor');
    const { width, height } = source;
    if ('drawable' in source) return { width, height, read: () => readDrawable(source) };
    const image = watchImage(source);
    return { width, height, read: () => image };
  });
