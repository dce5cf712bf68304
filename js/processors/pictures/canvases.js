/** Parts of pictures, and pictures on canvases. */
import { cropPicture } from './change-picture.js';
import { sizeOf } from './picture.js';
import { square } from './sizes.js';

/** @import { Call, Picture, Size } from '../types.js' */

/** Crops the middle of a picture. Pixels beyond it are 0. Where the rest is odd, Pillow has the odd pixel of the border
 * on the left and at the top, torchvision on the right and at the bottom.
 * @type {(call: Call, picture: Picture, size: Size) => Picture} */
export function centered({ backend }, picture, { width, height }) {
  const rounded = backend === 'pil' ? Math.floor : Math.trunc;
  const pictureSize = sizeOf(picture);
  const [x, y] = [rounded((pictureSize.width - width) / 2), rounded((pictureSize.height - height) / 2)];
  return cropPicture(picture, { x, y, width, height });
}

/** Lays a picture in the middle of a canvas, with the odd pixel of the border on the right and at the bottom.
 * @type {(picture: Picture, size: Size, fill?: readonly number[]) => Picture} */
export function onCanvas(picture, { width, height }, fill) {
  const pictureSize = sizeOf(picture);
  const [x, y] = [-Math.floor((width - pictureSize.width) / 2), -Math.floor((height - pictureSize.height) / 2)];
  return cropPicture(picture, { x, y, width, height }, fill);
}

/** Lays a picture in the middle of a square of its longer side.
 * @type {(picture: Picture, fill: readonly number[]) => Picture} */
export function onSquare(picture, fill) {
  const { width, height } = sizeOf(picture);
  return width === height ? picture : onCanvas(picture, square(Math.max(width, height)), fill);
}

/** Lays a picture at the top left of a canvas, or crops it there.
 * @type {(picture: Picture, size: Size, fill?: readonly number[]) => Picture} */
export const onTopLeft = (picture, { width, height }, fill) =>
  cropPicture(picture, { x: 0, y: 0, width, height }, fill);

/** Crops a window of `length` pixels, from `first` on, along the longer side.
 * @type {(picture: Picture, first: number, length: number) => Picture} */
export function windowOf(picture, first, length) {
  const { width, height } = sizeOf(picture);
  return height > width
    ? cropPicture(picture, { x: 0, y: first, width, height: Math.min(length, height - first) })
    : cropPicture(picture, { x: first, y: 0, width: Math.min(length, width - first), height });
}

/** The color of borders in Janus and LLaVA: the mean of 0 to 1 as bytes.
 * @type {(mean: number | readonly number[] | undefined) => number[]} */
export function meanColor(mean) {
  const list = [mean ?? 0.5].flat();
  const color = list.length === 3 ? list : Array(3).fill(list[0]);
  return color.map((value) => Math.min(255, Math.max(0, Math.trunc(value * 255))));
}
