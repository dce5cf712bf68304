/**
 * Pictures on their way to a tensor. A picture is an image, and what is to become of it: the size that it is resized
 * to, the part of that which is kept, and the canvas on which that part lies. Nothing is computed before the picture is
 * written, so a crop costs nothing, and only pixels that it keeps are made.
 */
import { bytesBetween, inBudget, named, rangeError } from '../../arguments/index.js';
import { move, planFor } from '../../engines/tensors/index.js';
import { mostPixels, pixelBytes, resizedPixelBytes } from '../../engines/images/index.js';
import { commonWindow, fastest, resizingOf, rowOf } from '../../image/internal.js';
import { dtypes, newData } from '../../tensor/index.js';

/** @import { Box } from '../../engines/tensors/types.js' */
/** @import { Channels, Image } from '../../engines/images/types.js' */
/** @import { SourceImage } from '../../image/types.js' */
/** @import { Numbers, Picture, Pixels, Rectangle, Size, StepReport } from '../types.js' */

const black = [0, 0, 0];

/** Makes a picture of an image, without any change yet. `isOnWhite`: whether alpha is laid on white
 * @type {(image: SourceImage, isOnWhite: boolean, onStep?: Picture['onStep']) => Picture} */
export function pictureOf(image, isOnWhite, onStep) {
  const { width, height } = image;
  const full = { x: 0, y: 0, width, height };
  return {
    image,
    isOnWhite: isOnWhite && image.channels % 2 === 0 && !image.copy,
    by: { backend: 'pil', filter: 'nearest' },
    size: { width, height },
    shown: full,
    canvas: full,
    fill: black,
    onStep,
  };
}

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

/** @type {(picture: Picture) => Size} */
export const sizeOf = ({ canvas: { width, height } }) => ({ width, height });

/** @type {(a: Size, b: Size) => boolean} */
const isSame = (a, b) => a.width === b.width && a.height === b.height;

/** Whether nothing is cropped or padded. @type {(picture: Picture) => boolean} */
const isWhole = ({ size, shown, canvas }) => isSame(size, shown) && isSame(shown, canvas);

/** The most pixels of a side that a thin picture is resized to, of which a crop keeps a part. */
const mostResized = 2 ** 24;

/** Refuses sizes whose sides are not 1 to `maxPixels` pixels. @type {(size: Size, maxPixels?: number) => void} */
export function checkSize({ width, height }, maxPixels = mostPixels) {
  if (!(width >= 1 && height >= 1 && width <= maxPixels && height <= maxPixels))
    rangeError(`size must give 1 to ${maxPixels} pixels a side, got ${width} x ${height}`);
}

/** Refuses a picture whose kept part has more pixels a side than the engine writes.
 * @type {(picture: Picture) => void} */
export const checkKept = ({ shown: { width, height } }) =>
  checkSize({ width: Math.max(width, 1), height: Math.max(height, 1) });

/** Refuses images that have more pixels a side than the engine reads. @type {(size: Size) => void} */
export function checkSides({ width, height }) {
  if (Math.max(width, height) > mostPixels)
    rangeError(`an image must have at most ${mostPixels} pixels a side, got ${width} x ${height}`);
}

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

/** An image whose bytes are made when they are first read.
 * @type {(shape: Omit<Image, 'data'>, make: () => Uint8Array) => Image} */
export function lazyImage(shape, make) {
  /** @type {Uint8Array | undefined} */
  let data;
  return {
    ...shape,
    get data() {
      return (data ??= make());
    },
  };
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

/** @type {Channels} */
const bytes = { sources: [0, 1, 2], scale: [1, 1, 1], mean: [0, 0, 0], std: [1, 1, 1] };
/** @type {Numbers} The bytes as they are. */
export const byteNumbers = { dtype: dtypes.uint8, channels: bytes };

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

/** A picture without pixels, to see what size its steps would give it. @type {(size: Size) => Picture} */
export const blankPicture = ({ width, height }) =>
  pictureOf({ data: new Uint8Array(0), width, height, channels: 3, rowstride: 3 * width }, false);

/** Computes the RGB bytes of a picture. @type {(picture: Picture) => Pixels} */
function pixelsOf(picture) {
  const { width, height } = sizeOf(picture);
  const data = newData(dtypes.uint8, 3 * width * height, undefined);
  writePicture(picture, byteNumbers, { x: 0, y: 0, width, height }, false, data);
  return { data, width, height, channels: 3 };
}

/** Computes a picture's numbers and writes them into its place in a frame: pixel by pixel, or plane by plane. Border
 * pixels get the numbers of the picture's `fill`.
 * @type {(picture: Picture, numbers: Numbers, frame: Rectangle, isPlanar: boolean, destination: Uint8Array) => void} */
export function writePicture(picture, { dtype, channels }, frame, isPlanar, destination) {
  const { size, shown, canvas, isOnWhite, by, fill } = picture;
  const numbers = { dtype, channels, isPlanar, destination, size: frame.width * frame.height };
  // The border first: the canvas in the color `fill`.
  if (!isSame(shown, canvas)) {
    const pixel = new Uint8Array((channels.sources.length * dtype.bits) / 8);
    const dot = { data: Uint8Array.from(fill), width: 1, height: 1, channels: 3, rowstride: 3 };
    pixelBytes(dot, { dtype, channels, isPlanar: false, destination: pixel, size: 1 });
    fillArea(destination, pixel, frame, canvas, isPlanar ? channels.sources.length : 1);
  }
  if (shown.width === 0 || shown.height === 0) return;
  checkKept(picture);
  // Its data is read once.
  const image = { ...fastest(picture.image, channels.sources) };
  checkSides(image);
  // Pillow weighs colors by their alpha where a picture keeps it.
  const keepsAlpha = channels.sources.length % 2 === 0 && by.backend === 'pil';
  const alpha = isOnWhite ? 'white' : keepsAlpha ? 'premultiplied' : 'straight';
  const resizing = resizingOf(image, { ...by, ...size, window: shown, alpha, ...('order' in image && { counted: 3 }) });
  // Two numbers of a pixel are its gray and its alpha.
  const isGray = image.channels < 3 && channels.sources.length !== 2;
  const sources = isGray ? channels.sources.map(() => 0) : channels.sources;
  const at = { width: frame.width, x: frame.x + canvas.x, y: frame.y + canvas.y };
  resizedPixelBytes(resizing, { ...numbers, channels: { ...channels, sources } }, at);
}

/**
 * Bytes of numbers that are written at a time. With twice as many, patches take 3 to 20 % less time, and more than
 * 16 MB beside the input and the output.
 */
const stripBytes = 2 ** 20;

/** @type {Uint8Array[]} */
const strips = [];

/** Memory of `bytes` bytes for a `use`, which calls share unless it is large: the system clears new memory, which took
 * a tenth of the time of Qwen2.5-VL's video (measured).
 * @type {(use: number, bytes: number) => Uint8Array} */
export function stripMemory(use, bytes) {
  const memory = strips[use]?.length >= bytes ? strips[use] : newData(dtypes.uint8, bytes, undefined);
  if (bytes <= 2 * stripBytes) strips[use] = memory;
  return bytesBetween(memory, 0, bytes);
}

/** Writes pictures of one size in strips of whole groups of `rows` rows: the strips of all pictures one behind the
 * other. `use` is called with each strip, its first row and its height.
 * @type {(pictures: readonly Picture[], numbers: Numbers, layout: { rows: number, isPlanar: boolean }, use: (strips:
 *   Uint8Array, y: number, height: number) => void) => void} */
export function writeStrips(pictures, numbers, { rows, isPlanar }, use) {
  const { width, height } = sizeOf(pictures[0]);
  const rowBytes = (numbers.channels.sources.length * width * numbers.dtype.bits) / 8;
  const step = Math.min(height, rows * Math.max(1, Math.floor(stripBytes / (rows * rowBytes))));
  const silent = pictures.map((picture) => ({ ...picture, onStep: undefined }));
  for (let y = 0; y < height; y += step) {
    const part = { x: 0, y, width, height: Math.min(step, height - y) };
    const bytes = part.height * rowBytes;
    const strips = stripMemory(0, pictures.length * bytes);
    silent.forEach((picture, i) => {
      const strip = bytesBetween(strips, i * bytes, (i + 1) * bytes);
      writePicture(cropPicture(picture, part), numbers, { ...part, y: 0 }, isPlanar, strip);
    });
    use(strips, y, part.height);
  }
}

/** Fills an area of a frame with a pixel, in one plane or in several.
 * @type {(destination: Uint8Array, pixel: Uint8Array, frame: Rectangle, area: Size, planes: number) => void} */
function fillArea(destination, pixel, frame, { width, height }, planes) {
  const element = pixel.length / planes;
  for (let plane = 0; plane < planes; plane++) {
    const run = rowOf(pixel.subarray(plane * element, (plane + 1) * element), width);
    for (let row = 0; row < height; row++)
      destination.set(run, element * ((plane * frame.height + frame.y + row) * frame.width + frame.x));
  }
}
