/** The changes of a picture: resized, cropped, turned by a quarter, rendered to bytes. */
import { inBudget, named, rangeError } from '../../arguments/index.js';
import { move, planFor } from '../../engines/tensors/index.js';
import { commonWindow, isSameSize } from '../../image/internal.js';
import { dtypes, newData } from '../../tensor/index.js';
import { boxOf } from './boxes.js';
import { black, checkKeptSize, checkSize, isWhole, lazyImage, pictureOf, sizeOf } from './picture.js';
import { pixelsOf } from './write-picture.js';

/** @import { Box } from '../../engines/tensors/types.js' */
/** @import { Image } from '../../engines/images/types.js' */
/** @import { SourceImage } from '../../image/types.js' */
/** @import { Picture, Rectangle, Size, StepReport } from '../types.js' */

/** Reports a step to the picture's listener, with a function that computes the picture's pixels, and returns the
 * picture. The listener may call the function after the call of the processor, so it has a budget of its own, and its
 * errors begin with the processor's name.
 * @type {(picture: Picture, step: StepReport) => Picture} */
export function reportStep(picture, step) {
  picture.onStep?.({
    ...step,
    ...sizeOf(picture),
    pixels: inBudget(() => named('imageProcessor', () => pixelsOf(picture))),
  });
  return picture;
}

/** The most pixels of a side after resizing; more than the engine writes, because a crop may keep a part alone. */
const mostResized = 2 ** 24;

/** Resizes a picture when it is written; nothing is computed yet. One that is resized already, or has a border, is
 * first rendered to bytes. `method`: the library, the filter and its options
 * @type {(picture: Picture, size: Size, method: Picture['resizeMethod']) => Picture} */
export function resizePicture(picture, { width, height }, method) {
  checkSize({ width, height }, mostResized);
  // A filter that torchvision lacks is refused only where there is something to resize.
  if (isSameSize(picture.canvas, { width, height })) return picture;
  checkTorchFilter(method);
  // The part of an image is resized without a copy.
  const isResized = !isSameSize(picture.image, picture.size);
  const hasBorder = !isSameSize(picture.shown, picture.canvas);
  const isPart = !isResized && !hasBorder;
  const source = isPart ? picture : rendered(picture);
  const { isOnWhite, onStep } = source;
  const full = { x: 0, y: 0, width, height };
  const resized = {
    image: isPart ? partOf(source.image, picture.shown) : source.image,
    isOnWhite,
    resizeMethod: method,
    size: { width, height },
    shown: full,
    canvas: full,
    fill: black,
    onStep,
  };
  return reportStep(resized, { name: 'resize', filter: method.filter });
}

/** Refuses the filters that torchvision lacks, with Pillow's numbers of them.
 * @type {(method: Picture['resizeMethod']) => void} */
function checkTorchFilter({ backend, filter }) {
  if (backend !== 'torchvision') return;
  const code = { box: 4, hamming: 5 }[filter];
  if (code !== undefined) rangeError(`resample of backend 'torchvision' must be 0 to 3, got ${code}`);
}

/** A view of a part of an image, in its memory. A browser's `copy` of the image has its channels and `rowstride`, so
 * the part has the same place in both.
 * @type {(image: SourceImage, part: Rectangle) => SourceImage} */
function partOf(image, { x, y, width, height }) {
  const { channels, rowstride, copy } = image;
  const firstByte = y * rowstride + x * channels;
  const endByte = firstByte + (height - 1) * rowstride + width * channels;
  return {
    width,
    height,
    channels,
    rowstride,
    copy: copy && { ...copy, width, height, data: copy.data.subarray(firstByte, endByte) },
    /** A view: the bytes may be computed only when they are read. */
    get data() {
      return image.data.subarray(firstByte, endByte);
    },
  };
}

/** Crops a part of a picture, which may reach beyond it: pixels there get the color `fill`. Nothing is computed yet. A
 * picture that has a border of another color already is first rendered to bytes.
 * @type {(picture: Picture, part: Rectangle, fill?: readonly number[]) => Picture} */
export function cropPicture(picture, part, fill = black) {
  const { shown, canvas } = picture;
  const startsInside = part.x >= 0 && part.y >= 0;
  const endsInside = part.x + part.width <= canvas.width && part.y + part.height <= canvas.height;
  const isInside = startsInside && endsInside;
  const hasBorder = !isSameSize(shown, canvas);
  const isOfOtherColor = fill.some((byte, i) => byte !== picture.fill[i]);
  // A picture has one color around its kept part: one with two borders becomes bytes first.
  if (!isInside && hasBorder && isOfOtherColor) return cropPicture(rendered(picture), part, fill);
  // The kept part where it lies in the picture, and as much of it as the crop leaves.
  const shownWindow = { ...shown, x: canvas.x, y: canvas.y };
  const shownPart = commonWindow(part, shownWindow);
  const { width, height } = shownPart;
  // The same in pixels of the resized image.
  const shownX = shown.x + shownPart.x - canvas.x;
  const shownY = shown.y + shownPart.y - canvas.y;
  const cropped = {
    ...picture,
    shown: { x: shownX, y: shownY, width, height },
    canvas: { x: shownPart.x - part.x, y: shownPart.y - part.y, width: part.width, height: part.height },
    fill: isInside ? picture.fill : fill,
  };
  const { x, y } = part;
  if (!isInside) return reportStep(cropped, { name: 'pad', x: -x, y: -y, fill });
  const isAll = isSameSize(part, canvas);
  return isAll ? cropped : reportStep(cropped, { name: 'crop', x, y });
}

/** Turns a picture clockwise by 90 degrees. @type {(picture: Picture) => Picture} */
export function turnPicture(picture) {
  const { image, onStep } = rendered(picture);
  const { width, height, channels } = image;
  const shape = { width: height, height: width, channels, rowstride: height * channels };
  const rotated = lazyImage(shape, () => turnedBytes(image));
  return reportStep(pictureOf(rotated, { onStep }), { name: 'turn' });
}

/** The box that copies an image's bytes to a picture turned clockwise by 90 degrees: each column, from the bottom up,
 * becomes a row.
 * @type {(shape: readonly number[]) => Box[]} */
const turnBoxes = ([width, height, channels, rowstride]) => {
  const lastRow = (height - 1) * rowstride;
  const columns = boxOf(
    // Extent of an axis, its stride in the image, its stride in the turned one.
    [width, channels, height * channels],
    [height, -rowstride, channels],
    [channels, 1, 1],
  );
  return [{ ...columns, first: lastRow }];
};

/** An image's bytes turned clockwise by 90 degrees, without padding. @type {(image: Image) => Uint8Array} */
function turnedBytes({ data, width, height, channels, rowstride }) {
  const rotated = newData(dtypes.uint8, width * height * channels, undefined);
  const plan = planFor(turnBoxes, dtypes.uint8.bits, [width, height, channels, rowstride], []);
  move(plan, [data], [rotated]);
  return rotated;
}

/** Makes a picture of the RGB bytes of a picture with all its changes, which are computed when they are first read.
 * @type {(picture: Picture) => Picture} */
export function rendered(picture) {
  const { image, canvas } = picture;
  if (isWhole(picture) && isSameSize(image, canvas) && image.channels === 3) return picture;
  const { width, height } = canvas;
  // Now, not when the bytes are first read.
  checkKeptSize(picture);
  const shape = { width, height, channels: 3, rowstride: 3 * width };
  const pixels = lazyImage(shape, () => pixelsOf(picture).data);
  return pictureOf(pixels, { onStep: picture.onStep });
}
