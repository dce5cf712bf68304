/** Writes pictures: resized, cropped and on their canvas, as numbers. */
import { pixelBytes, resizedPixelBytes } from '../../engines/images/index.js';
import { fastest, isSameSize, resizingOf, rowOf } from '../../image/internal.js';
import { dtypes, newData } from '../../tensor/index.js';
import { checkKeptSize, checkSides, sizeOf } from './picture.js';

/** @import { Channels, Image, PixelNumbers, Resizing } from '../../engines/images/types.js' */
/** @import { Numbers, Picture, Pixels, Rectangle, Size } from '../types.js' */

/** @type {Channels} */
const bytes = { sources: [0, 1, 2], scale: [1, 1, 1], mean: [0, 0, 0], std: [1, 1, 1] };
/** @type {Numbers} The bytes as they are. */
export const byteNumbers = { dtype: dtypes.uint8, channels: bytes };

/** Computes the RGB bytes of a picture with all its changes. @type {(picture: Picture) => Pixels} */
export function pixelsOf(picture) {
  const { width, height } = sizeOf(picture);
  const data = newData(dtypes.uint8, 3 * width * height, undefined);
  writePixels(picture, byteNumbers, { x: 0, y: 0, width, height }, data);
  return { data, width, height, channels: 3 };
}

/** Computes a picture's numbers and writes them as planes, one for each channel: [channels, height, width]. `frame`:
 * the size of the result, and where the picture lies in it; `destination`: exactly the bytes of the result
 * @type {(picture: Picture, numbers: Numbers, frame: Rectangle, destination: Uint8Array) => void} */
export const writePlanes = (picture, numbers, frame, destination) =>
  writePicture(picture, numbers, frame, { isPlanar: true }, destination);

/** Computes a picture's numbers and writes them pixel by pixel: [height, width, channels]. `frame`: the size of the
 * result, and where the picture lies in it; `destination`: exactly the bytes of the result
 * @type {typeof writePlanes} */
export const writePixels = (picture, numbers, frame, destination) =>
  writePicture(picture, numbers, frame, { isPlanar: false }, destination);

/** Computes a picture's numbers and writes them into a result. `frame`: the size of the result, and where the picture
 * lies in it; pixels around it are left alone. `isPlanar`: whether each channel is a plane, or the channels of a pixel
 * lie side by side. `destination`: exactly the bytes of the result
 * @type {(picture: Picture, numbers: Numbers, frame: Rectangle, layout: { isPlanar: boolean }, destination: Uint8Array)
 *   => void} */
export function writePicture(picture, { dtype, channels }, frame, { isPlanar }, destination) {
  const { shown, canvas } = picture;
  const numbers = { dtype, channels, isPlanar, destination, size: frame.width * frame.height };
  if (!isSameSize(shown, canvas)) fillCanvas(picture, numbers, frame);
  // A crop beyond the picture shows none of its pixels.
  if (shown.width === 0 || shown.height === 0) return;
  checkKeptSize(picture);
  // `fastest` chooses a browser's copy where that is enough. The spread reads `data` once: a getter may compute it.
  const image = { ...fastest(picture.image, channels.sources) };
  checkSides(image);
  const resizing = resizingOfPicture(picture, image, channels.sources.length);
  const sources = sourcesIn(image, channels.sources);
  // Where the kept part lies in the result.
  const at = { width: frame.width, x: frame.x + canvas.x, y: frame.y + canvas.y };
  resizedPixelBytes(resizing, { ...numbers, channels: { ...channels, sources } }, at);
}

/** Describes for the engine how a picture is resized and cropped. `image`: the picture's own, or a browser's copy of
 * it; `channels`: of the result
 * @type {(picture: Picture, image: Image, channels: number) => Resizing} */
function resizingOfPicture({ size, shown, isOnWhite, resizeMethod }, image, channels) {
  const keepsAlpha = channels === 2 || channels === 4;
  // Pillow weighs colors by alpha when it resizes. To torchvision alpha is a channel like the others.
  const isWeighed = keepsAlpha && resizeMethod.backend === 'pil';
  const alphaOfResult = isWeighed ? 'premultiplied' : 'straight';
  const alpha = isOnWhite ? 'white' : alphaOfResult;
  // The fourth byte of a browser's copy, which alone has an `order`, says nothing: only three channels count.
  const isBrowserCopy = 'order' in image;
  const counted = isBrowserCopy ? 3 : undefined;
  return resizingOf(image, { ...resizeMethod, ...size, window: shown, alpha, counted });
}

/** The channels of an image that the planes of a result are made of. `sources` are channels of an RGB image, for each
 * of which a gray image has its channel 0; those of two planes are gray and alpha already.
 * @type {(image: Image, sources: Channels['sources']) => Channels['sources']} */
function sourcesIn(image, sources) {
  const isGray = image.channels < 3;
  const isGrayWithAlpha = sources.length === 2;
  return isGray && !isGrayWithAlpha ? sources.map(() => 0) : sources;
}

/** Fills the whole canvas of a picture with the numbers of its color `fill`.
 * @type {(picture: Picture, numbers: PixelNumbers, frame: Rectangle) => void} */
function fillCanvas({ fill, canvas }, { dtype, channels, isPlanar, destination }, frame) {
  const count = channels.sources.length;
  const pixel = new Uint8Array((count * dtype.bits) / 8);
  const imageOfPixel = { data: Uint8Array.from(fill), width: 1, height: 1, channels: 3, rowstride: 3 };
  pixelBytes(imageOfPixel, { dtype, channels, isPlanar: false, destination: pixel, size: 1 });
  const planes = isPlanar ? count : 1;
  fillArea(destination, pixel, frame, canvas, planes);
}

/** Fills a rectangle of a result with one pixel. `pixel`: the bytes of its channels, one after the other; `frame`: the
 * result's size, and the rectangle's top left corner in it; `planes`: 1 where the channels of a pixel lie side by side
 * @type {(destination: Uint8Array, pixel: Uint8Array, frame: Rectangle, area: Size, planes: number) => void} */
function fillArea(destination, pixel, frame, { width, height }, planes) {
  const pixelBytesInPlane = pixel.length / planes;
  const planePixels = frame.width * frame.height;
  for (let plane = 0; plane < planes; plane++) {
    const pixelInPlane = pixel.subarray(plane * pixelBytesInPlane, (plane + 1) * pixelBytesInPlane);
    const row = rowOf(pixelInPlane, width);
    for (let y = frame.y; y < frame.y + height; y++) {
      const firstPixel = plane * planePixels + y * frame.width + frame.x;
      destination.set(row, firstPixel * pixelBytesInPlane);
    }
  }
}
