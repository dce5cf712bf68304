/** Parts of pictures, and pictures on canvases. */
import { cropPicture } from './change-picture.js';
import { sizeOf } from './picture.js';
import { square } from './sizes.js';

/** @import { Call, Picture, Size } from '../types.js' */

/** Crops the middle of a picture to `size`. A smaller picture gets a black border, whose odd pixel is on the left and
 * at the top with Pillow, on the right and at the bottom with torchvision.
 * @type {(call: Call, picture: Picture, size: Size) => Picture} */
export function centered({ backend }, picture, { width, height }) {
  // They differ in half pixels below 0, where a crop begins that is larger than the picture.
  const rounded = backend === 'pil' ? Math.floor : Math.trunc;
  const pictureSize = sizeOf(picture);
  const x = rounded((pictureSize.width - width) / 2);
  const y = rounded((pictureSize.height - height) / 2);
  return cropPicture(picture, { x, y, width, height });
}

/** Lays a picture in the middle of a canvas of `size`, or crops its middle where it is larger, as torchvision's `pad`
 * does: the odd pixel of a border is on the right and at the bottom, that of a crop on the left and at the top. `fill`:
 * the color of the border, black if omitted
 * @type {(picture: Picture, size: Size, fill?: readonly number[]) => Picture} */
export function onCanvas(picture, { width, height }, fill) {
  const pictureSize = sizeOf(picture);
  // A canvas is a crop that starts before the picture, so at negative x and y.
  const x = -Math.floor((width - pictureSize.width) / 2);
  const y = -Math.floor((height - pictureSize.height) / 2);
  return cropPicture(picture, { x, y, width, height }, fill);
}

/** Lays a picture in the middle of a square of its longer side. `fill`: the color around it
 * @type {(picture: Picture, fill: readonly number[]) => Picture} */
export function onSquare(picture, fill) {
  const { width, height } = sizeOf(picture);
  return width === height ? picture : onCanvas(picture, square(Math.max(width, height)), fill);
}

/** Lays a picture at the top left of a canvas. `fill`: the color around it, black if omitted
 * @type {(picture: Picture, size: Size, fill?: readonly number[]) => Picture} */
export const onTopLeft = (picture, { width, height }, fill) =>
  cropPicture(picture, { x: 0, y: 0, width, height }, fill);

/** Crops a window of `length` pixels, from `first` on, along a picture's longer side, or along the width of a square.
 * It ends where the picture ends.
 * @type {(picture: Picture, first: number, length: number) => Picture} */
export function windowOf(picture, first, length) {
  const { width, height } = sizeOf(picture);
  return height > width
    ? cropPicture(picture, { x: 0, y: first, width, height: Math.min(length, height - first) })
    : cropPicture(picture, { x: first, y: 0, width: Math.min(length, width - first), height });
}

/** The color of borders in Janus and LLaVA: the mean of the settings, from 0 to 1, as bytes. One number stands for all
 * three; without a mean it is 0.5.
 * @type {(mean: number | readonly number[] | undefined) => number[]} */
export function meanColor(mean) {
  const means = [mean ?? 0.5].flat();
  const color = means.length === 3 ? means : Array(3).fill(means[0]);
  return color.map((value) => {
    const byte = Math.trunc(value * 255);
    return Math.min(255, Math.max(0, byte));
  });
}
