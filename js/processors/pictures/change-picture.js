/** The changes of a picture: resized, cropped, turned by a quarter, rendered to bytes. */
import { inBudget, named, rangeError } from '../../arguments/index.js';
import { move, planFor } from '../../engines/tensors/index.js';
import { commonWindow } from '../../image/internal.js';
import { dtypes, newData } from '../../tensor/index.js';
import { black, checkKept, checkSize, isSame, isWhole, lazyImage, pictureOf, sizeOf } from './picture.js';
import { pixelsOf } from './write-picture.js';

/** @import { Box } from '../../engines/tensors/types.js' */
/** @import { Image } from '../../engines/images/types.js' */
/** @import { SourceImage } from '../../image/types.js' */
/** @import { Picture, Rectangle, Size, StepReport } from '../types.js' */

/** Reports a step to the caller's listener with the picture's size and a function that computes its pixels.
 * @type {(picture: Picture, step: StepReport) => Picture} */
export function reportStep(picture, step) {
  picture.onStep?.({
    ...step,
    ...sizeOf(picture),
    pixels: inBudget(() => named('imageProcessor', () => pixelsOf(picture))),
  });
  return picture;
}

/** The most pixels of a side that a thin picture is resized to, of which a crop keeps a part. */
const mostResized = 2 ** 24;

/** Resizes a picture. One that has been resized, or has a border, is rendered to bytes before.
 * @type {(picture: Picture, size: Size, by: Picture['by'], reducingGap?: number) => Picture} */
export function resizePicture(picture, { width, height }, by, reducingGap) {
  checkSize({ width, height }, mostResized);
  if (isSame(picture.canvas, { width, height })) return picture;
  if (by.backend === 'torchvision' && ['box', 'hamming'].includes(by.filter))
    rangeError(`resample of backend 'torchvision' must be 0 to 3, got ${by.filter === 'box' ? 4 : 5}`);
  // A picture that is only cropped reads a part of its image.
  const isPart = isSame(picture.image, picture.size) && isSame(picture.shown, picture.canvas);
  const { image, isOnWhite, onStep } = isPart ? picture : rendered(picture);
  const full = { x: 0, y: 0, width, height };
  const resized = {
    image: isPart ? partOf(image, picture.shown) : image,
    isOnWhite,
    by: { ...by, ...(reducingGap && { reducingGap }) },
    size: { width, height },
    shown: full,
    canvas: full,
    fill: black,
    onStep,
  };
  return reportStep(resized, { name: 'resize', filter: by.filter });
}

/** A view of a part of an image, which shares its memory.
 * @type {(image: SourceImage, part: Rectangle) => SourceImage} */
function partOf(image, { x, y, width, height }) {
  const { channels, rowstride, copy } = image;
  const first = y * rowstride + x * channels;
  const end = first + (height - 1) * rowstride + width * channels;
  return {
    width,
    height,
    channels,
    rowstride,
    copy: copy && { ...copy, width, height, data: copy.data.subarray(first, end) },
    get data() {
      return image.data.subarray(first, end);
    },
  };
}

/** Crops a part of a picture. The part may reach beyond it: pixels there get the color `fill`.
 * @type {(picture: Picture, part: Rectangle, fill?: readonly number[]) => Picture} */
export function cropPicture(picture, part, fill = black) {
  const { shown, canvas } = picture;
  const isInside =
    part.x >= 0 && part.y >= 0 && part.x + part.width <= canvas.width && part.y + part.height <= canvas.height;
  const hasBorder = !isSame(shown, canvas);
  // One picture has one color beside its kept part.
  if (!isInside && hasBorder && fill.some((byte, i) => byte !== picture.fill[i]))
    return cropPicture(rendered(picture), part, fill);
  const { x: left, y: top, width, height } = commonWindow(part, { ...shown, x: canvas.x, y: canvas.y });
  const cropped = {
    ...picture,
    shown: { x: shown.x + left - canvas.x, y: shown.y + top - canvas.y, width, height },
    canvas: { x: left - part.x, y: top - part.y, width: part.width, height: part.height },
    fill: isInside ? picture.fill : fill,
  };
  const { x, y } = part;
  if (!isInside) return reportStep(cropped, { name: 'pad', x: -x, y: -y, fill });
  return isSame(part, canvas) ? cropped : reportStep(cropped, { name: 'crop', x, y });
}

/** Turns a picture clockwise by a quarter. @type {(picture: Picture) => Picture} */
export function turnPicture(picture) {
  const { image, onStep } = rendered(picture);
  const { width, height, channels } = image;
  const shape = { width: height, height: width, channels, rowstride: height * channels };
  const rotated = pictureOf(
    lazyImage(shape, () => turnedBytes(image)),
    false,
    onStep,
  );
  return reportStep(rotated, { name: 'turn' });
}

/** The boxes that copy pixels to a picture that is turned clockwise: each column, from the bottom up, becomes a row.
 * @type {(a: readonly number[]) => Box[]} */
const turnBoxes = ([width, height, channels, rowstride]) => [
  {
    extents: [width, height, channels],
    from: [channels, -rowstride, 1],
    to: [height * channels, channels, 1],
    first: (height - 1) * rowstride,
  },
];

/** Copies an image's bytes, turned by a quarter. @type {(image: Image) => Uint8Array} */
function turnedBytes({ data, width, height, channels, rowstride }) {
  const rotated = newData(dtypes.uint8, width * height * channels, undefined);
  move(planFor(turnBoxes, 8, [width, height, channels, rowstride], []), [data], [rotated]);
  return rotated;
}

/** The picture as an image of RGB bytes, which are computed when they are first read; the picture itself where nothing
 * changes an RGB image.
 * @type {(picture: Picture) => Picture} */
export function rendered(picture) {
  const { image, canvas } = picture;
  if (isWhole(picture) && isSame(image, canvas) && image.channels === 3) return picture;
  const { width, height } = canvas;
  checkKept(picture);
  const shape = { width, height, channels: 3, rowstride: 3 * width };
  return pictureOf(
    lazyImage(shape, () => pixelsOf(picture).data),
    false,
    picture.onStep,
  );
}
