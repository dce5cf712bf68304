/** Writes pictures: resized, cropped and on their canvas, as numbers. */
import { pixelBytes, resizedPixelBytes } from '../../engines/images/index.js';
import { fastest, resizingOf, rowOf } from '../../image/internal.js';
import { dtypes, newData } from '../../tensor/index.js';
import { checkKept, checkSides, isSame, sizeOf } from './picture.js';

/** @import { Channels } from '../../engines/images/types.js' */
/** @import { Numbers, Picture, Pixels, Rectangle, Size } from '../types.js' */

/** @type {Channels} */
const bytes = { sources: [0, 1, 2], scale: [1, 1, 1], mean: [0, 0, 0], std: [1, 1, 1] };
/** @type {Numbers} The bytes as they are. */
export const byteNumbers = { dtype: dtypes.uint8, channels: bytes };

/** Computes the RGB bytes of a picture. @type {(picture: Picture) => Pixels} */
export function pixelsOf(picture) {
  const { width, height } = sizeOf(picture);
  const data = newData(dtypes.uint8, 3 * width * height, undefined);
  writePicture(picture, byteNumbers, { x: 0, y: 0, width, height }, false, data);
  return { data, width, height, channels: 3 };
}

/** Computes a picture's numbers and writes them into a result: pixel by pixel, or plane by plane if `isPlanar`.
 * `frame`: the width and height of the result, and where the picture lies in it; pixels around the picture are left
 * alone. The picture's own border gets the numbers of its color `fill`. `destination`: exactly the bytes of the result
 * @type {(picture: Picture, numbers: Numbers, frame: Rectangle, isPlanar: boolean, destination: Uint8Array) => void} */
export function writePicture(picture, { dtype, channels }, frame, isPlanar, destination) {
  const { size, shown, canvas, isOnWhite, by, fill } = picture;
  const numbers = { dtype, channels, isPlanar, destination, size: frame.width * frame.height };
  // The border first: the whole canvas gets the numbers of the color `fill`, computed from a picture of one pixel.
  if (!isSame(shown, canvas)) {
    const pixel = new Uint8Array((channels.sources.length * dtype.bits) / 8);
    const dot = { data: Uint8Array.from(fill), width: 1, height: 1, channels: 3, rowstride: 3 };
    pixelBytes(dot, { dtype, channels, isPlanar: false, destination: pixel, size: 1 });
    fillArea(destination, pixel, frame, canvas, isPlanar ? channels.sources.length : 1);
  }
  // A crop beyond the picture shows none of its pixels.
  if (shown.width === 0 || shown.height === 0) return;
  checkKept(picture);
  // A browser's copy where it can be read instead. The spread reads `data`, which may be computed, once.
  const image = { ...fastest(picture.image, channels.sources) };
  checkSides(image);
  // Results of 2 or 4 channels keep alpha, by which Pillow weighs colors when it resizes. To torchvision it is a
  // channel like the others.
  const keepsAlpha = channels.sources.length % 2 === 0 && by.backend === 'pil';
  const alpha = isOnWhite ? 'white' : keepsAlpha ? 'premultiplied' : 'straight';
  // In an image with an `order`, the browser's own, three of a pixel's four bytes count.
  const resizing = resizingOf(image, { ...by, ...size, window: shown, alpha, ...('order' in image && { counted: 3 }) });
  // Red, green and blue of a gray image are its channel 0. Results of two channels are gray and alpha already.
  const isGray = image.channels < 3 && channels.sources.length !== 2;
  const sources = isGray ? channels.sources.map(() => 0) : channels.sources;
  const at = { width: frame.width, x: frame.x + canvas.x, y: frame.y + canvas.y };
  resizedPixelBytes(resizing, { ...numbers, channels: { ...channels, sources } }, at);
}

/** Fills an area of a result with one pixel. `pixel`: the bytes of its channels, one after the other; `frame`: the
 * result's size, and the area's top left corner in it; `planes`: how many planes the channels lie in, 1 if they lie
 * side by side
 * @type {(destination: Uint8Array, pixel: Uint8Array, frame: Rectangle, area: Size, planes: number) => void} */
function fillArea(destination, pixel, frame, { width, height }, planes) {
  // Bytes of the pixel in each plane: of one channel, or of all if they lie side by side.
  const element = pixel.length / planes;
  for (let plane = 0; plane < planes; plane++) {
    const run = rowOf(pixel.subarray(plane * element, (plane + 1) * element), width);
    for (let row = 0; row < height; row++)
      destination.set(run, element * ((plane * frame.height + frame.y + row) * frame.width + frame.x));
  }
}
