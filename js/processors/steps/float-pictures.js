/**
 * Pictures that are resized as float32, in the order of torch's own sums. First come the sizes, then the result's
 * memory, then pixels.
 */
import { bytesOf, either, rangeError } from '../../arguments/index.js';
import { move, planFor } from '../../engines/tensors/index.js';
import { floatFilterCode, resizeToPlanes } from '../../engines/images/index.js';
import { dtypes, newData } from '../../tensor/index.js';
import { commonWindow, encoded, fillAround, normalizing, numbersOf, rowOf } from '../../image/internal.js';
import {
  boxOf,
  byteNumbers,
  checkSides,
  checkSize,
  exactSize,
  lazyImage,
  pictureOf,
  reportStep,
  sizeOf,
  writePlanes,
} from '../pictures/index.js';
import { filterCodes } from '../settings/index.js';
import { commonFrame, ownFrame } from './frames.js';
import { perColor } from './numbers.js';
import { pixelTensor } from './results.js';

/** @import { Box } from '../../engines/tensors/types.js' */
/** @import { Rescaling, ResizeAxis, Resizing } from '../../engines/images/types.js' */
/** @import { DType, Tensor } from '../../tensor/index.js' */
/** @import { Call, FloatAxis, FloatFinish, FloatPicture, Numbers, Picture, Size } from '../types.js' */

/** torch's filters of float32 with antialiasing: the kernel's names by the public ones. */
export const smoothFilters = { nearest: 'Nearest', lanczos: 'Lanczos', bilinear: 'Bilinear', bicubic: 'Bicubic' };
/** Those without antialiasing. */
export const sharpFilters = { nearest: 'Nearest', bilinear: 'BilinearPoint', bicubic: 'BicubicPoint' };
/** Those that keep the centers of corner pixels in their place (`align_corners`). */
export const cornerFilters = { bilinear: 'BilinearCorners', bicubic: 'BicubicCorners' };

/** The kernel's name of the filter that the setting `resample` names; refuses one that is not among the `known` ones,
 * which are kernels' names by public ones. Where pictures keep their size (`from` is `to`), box and hamming, which
 * torch lacks, are taken as nearest.
 * @type {(call: Call, known: Record<string, string>, from?: Size, to?: Size) => string} */
export function filterOf({ settings: { resample = 'bilinear' } }, known, from, to) {
  // torch's exact rule of the nearest pixel is Pillow's.
  const name = resample === 'nearest_exact' ? 'nearest' : resample;
  const keepsSize = to && from?.width === to.width && from.height === to.height;
  if (keepsSize && ['box', 'hamming'].includes(name)) return 'Nearest';
  return Object.hasOwn(known, name) ? known[name] : refuseFilter(name, Object.keys(known));
}

/** Refuses a filter by Pillow's numbers of filters. Torch's older rule of the nearest pixel has none.
 * @type {(name: string, knownNames: readonly string[]) => never} */
function refuseFilter(name, knownNames) {
  const knownCodes = knownNames.map((knownName) => filterCodes.indexOf(knownName));
  const code = filterCodes.indexOf(name);
  const shown = code === -1 ? "'nearest'" : code;
  return rangeError(`resample must be ${either(knownCodes)} here, got ${shown}`);
}

/** Makes the axes of a picture that is resized as a whole: on both, its pixels from 0 to its last one.
 * @type {(filter: string, pictureSize: Size) => FloatPicture['axes']} */
export const axesOf = (filter, { width, height }) => ({
  columns: { filter, from: 0, to: width },
  rows: { filter, from: 0, to: height },
});

/** Makes a request to resize a picture as float32: its bytes become numbers `before`, these are resized, and the
 * formula `finish` follows. `filter`: its public name, for the listener
 * @type {(source: Picture, size: Size, axes: FloatPicture['axes'], rules: { filter: string, before?: Numbers,
 *   finish?: FloatFinish }) => FloatPicture} */
export function resizedFloats(source, size, axes, { filter, before = byteNumbers, finish = {} }) {
  // The part that is resized may be larger than the picture, by a mirrored border, so it is checked too.
  checkSize({ width: axes.columns.to - axes.columns.from, height: axes.rows.to - axes.rows.from });
  checkSize(size);
  const { onStep } = source;
  const { width, height } = sizeOf(source);
  const changesSize = size.width !== width || size.height !== height;
  for (const step of before.steps ?? []) onStep?.(step);
  if (changesSize) onStep?.({ name: 'resize', filter, ...size });
  for (const step of finish.steps ?? []) onStep?.(step);
  const all = { x: 0, y: 0, ...size };
  const rescaling = rescalingOf(before, finish);
  return { source, size, shown: all, at: { x: 0, y: 0 }, resized: size, axes, rescaling };
}

/** The float32 numbers that the bytes 0 to 255 become: a table of 256 numbers for each of three planes, one after the
 * other. They are computed from a picture that has each gray once.
 * @type {(numbers: Numbers) => Float32Array} */
function tablesOf(numbers) {
  const rowstride = 3 * 256;
  const grays = Uint8Array.from({ length: rowstride }, (_, i) => Math.floor(i / 3));
  const picture = pictureOf({ data: grays, width: 256, height: 1, channels: 3, rowstride });
  const tables = new Float32Array(rowstride);
  writePlanes(picture, { ...numbers, dtype: dtypes.float32 }, ownFrame(picture), bytesOf(tables));
  return tables;
}

/** Describes for the engine the numbers that bytes become before they are resized, and the formula that follows;
 * without `mean` and `std` in the formula the resized numbers are not normalized.
 * @type {(before: Numbers, finish: FloatFinish) => Rescaling} */
function rescalingOf(before, { steps: _, ...formula }) {
  const sources = /** @type {number[]} */ (before.channels.sources);
  return { numbers: tablesOf(before), sources, mean: [0, 0, 0], std: [1, 1, 1], ...formula };
}

/** The formula of `numbers`, which is for bytes, as one for the numbers of a resized picture: times a scale, less a
 * mean, divided by a deviation. All channels get the scale of the first.
 * @type {(numbers: Numbers) => FloatFinish} */
export function finishOf({ channels, steps }) {
  const { scale = [1], mean, std, sources } = channels;
  return { scale: scale[0], mean, std, sources: /** @type {number[]} */ (sources), steps };
}

/** The formula that normalizes resized numbers; one that changes nothing without `do_normalize`.
 * @type {(call: Call) => FloatFinish} */
export function normalizedFinish({ settings: { do_normalize: normalizes, image_mean: mean, image_std: std } }) {
  if (!normalizes) return {};
  return { mean: perColor(mean), std: perColor(std), steps: [{ name: 'normalize', mean, std }] };
}

/** The float32 numbers that bytes become before they are resized: times `rescale_factor`, or the bytes themselves
 * without `do_rescale`.
 * @type {(call: Call) => Numbers} */
export function rescaledBefore({ backend, settings: { do_rescale: rescales, rescale_factor: factor } }) {
  if (!rescales) return byteNumbers;
  const scaling = { factor, mean: undefined, std: undefined };
  return { ...numbersOf(backend, scaling, { dtype: dtypes.float32 }), steps: [{ name: 'rescale', factor }] };
}

/** Crops the middle of a resized picture to `crop_size` if `do_center_crop` is on, as torchvision does: the odd pixel
 * of a border is on the right and below.
 * @type {(call: Call, picture: FloatPicture) => FloatPicture} */
export function croppedFloats({ settings }, picture) {
  if (!settings.do_center_crop) return picture;
  const size = exactSize(settings.crop_size, 'crop_size');
  const { width, height } = picture.size;
  const x = Math.trunc((width - size.width) / 2);
  const y = Math.trunc((height - size.height) / 2);
  const changesSize = width !== size.width || height !== size.height;
  if (changesSize) picture.source.onStep?.({ name: 'crop', x, y, ...size });
  const shown = commonWindow({ x, y, ...size }, picture.shown);
  return { ...picture, size, shown, at: { x: shown.x - x, y: shown.y - y } };
}

/** Writes a picture's three planes as `dtype` at the top left of three planes as large as `frame`. The picture has
 * `size`, and at the place `at` in it the part `shown` of the `resized` one. A border around that, which a crop made,
 * gets the numbers of 0, normalized; the rest of the frame gets 0.
 * @type {(picture: FloatPicture, dtype: DType, frame: Size, destination: Uint8Array) => void} */
export function writeFloats(picture, dtype, frame, destination) {
  const { source, shown, size, at, resized, axes, rescaling } = picture;
  const image = { ...source.image }; // reads `data` once, which may be computed then
  checkSides(image);
  const hasBorder = shown.width < size.width || shown.height < size.height;
  if (hasBorder) fillBorder(picture, dtype, frame, destination);
  /** @type {Resizing} */
  const resizing = {
    image,
    sums: 'rescaled',
    isNearest: false,
    isDownFirst: false,
    columns: engineAxis(axes.columns, image.width, { size: resized.width, first: shown.x, count: shown.width }),
    rows: engineAxis(axes.rows, image.height, { size: resized.height, first: shown.y, count: shown.height }),
    alpha: source.isOnWhite ? 'white' : undefined,
    rescaling,
  };
  resizeToPlanes(resizing, dtype, destination, { ...frame, ...at });
}

/** Fills three planes of the size `frame` around a picture's pixels: up to the picture's `size` with the number 0 as it
 * is normalized, beyond that with 0.
 * @type {(picture: FloatPicture, dtype: DType, frame: Size, destination: Uint8Array) => void} */
function fillBorder({ shown, size, at, rescaling }, dtype, frame, destination) {
  const planeBytes = destination.length / 3;
  const normalize = normalizing(rescaling.mean, rescaling.std);
  const pixelWindow = { ...shown, ...at };
  const pictureWindow = { x: 0, y: 0, ...size };
  for (let channel = 0; channel < 3; channel++) {
    const plane = destination.subarray(channel * planeBytes, (channel + 1) * planeBytes);
    const borderNumber = encoded(Float32Array.of(normalize(0, channel)), dtype);
    const borderRow = rowOf(borderNumber, frame.width);
    const zeroRow = new Uint8Array(borderRow.length);
    // Writes beyond the picture too, where the second fill overwrites it.
    fillAround(plane, borderRow.length, borderRow, frame, pixelWindow);
    fillAround(plane, zeroRow.length, zeroRow, frame, pictureWindow);
  }
}

/** Describes an axis for the engine: the filter, the part of the picture that is resized, and the result. `extent`:
 * pixels of the picture; `result`: the axis' extent after resizing, and the part of that to make. `sigma`: the
 * deviation of a blur, which filters of float32 take from the field `factor`
 * @type {(axis: FloatAxis, extent: number, result: Pick<ResizeAxis, 'size' | 'first' | 'count'>) => ResizeAxis} */
const engineAxis = ({ filter, from, to, sigma = 0 }, extent, result) => {
  return { filter: floatFilterCode(filter), extent, from, to, ...result, factor: sigma };
};

/** Makes `pixel_values` [N, 3, H, W] of pictures that are resized as float32, each at the top left of its frame. The
 * tensor is allocated before anything is computed.
 * @type {(call: Call, pictures: readonly FloatPicture[], frames?: readonly Size[]) => Tensor} */
export function stackFloats(call, pictures, frames = pictures.map(({ size }) => size)) {
  const { width, height } = commonFrame(frames);
  const { dtype = dtypes.float32 } = call;
  const tensor = pixelTensor(call, dtype, [pictures.length, 3, height, width]);
  const bytes = bytesOf(tensor.data);
  const pictureBytes = bytes.length / pictures.length;
  pictures.forEach((picture, i) => {
    writeFloats(picture, dtype, frames[i], bytes.subarray(i * pictureBytes, (i + 1) * pictureBytes));
  });
  return tensor;
}

/** The box that copies three planes of `size` elements each to pixels, whose channels lie side by side.
 * @type {(sizes: readonly number[]) => Box[]} */
const planesToPixels = ([size]) => [
  boxOf(
    // Extent of an axis, its stride in the planes, its stride in the pixels.
    [size, 1, 3],
    [3, size, 1],
  ),
];

/** Resizes a picture as float32 and rounds the results to bytes, which are computed when they are first read. `filter`:
 * its public name, for the listener
 * @type {(picture: Picture, size: Size, axes: FloatPicture['axes'], filter: string) => Picture} */
export function roundedFloats(picture, size, axes, filter) {
  const finish = { isRounded: true, low: 0, high: 255 };
  // The step is reported below, with a function for the rounded pixels.
  const silent = { ...picture, onStep: undefined };
  const resized = resizedFloats(silent, size, axes, { filter, finish });
  const { width, height } = size;
  const image = lazyImage({ width, height, channels: 3, rowstride: 3 * width }, () => {
    const planes = newData(dtypes.uint8, 3 * width * height, undefined);
    writeFloats(resized, dtypes.uint8, size, planes);
    const pixels = newData(dtypes.uint8, planes.length, undefined);
    const plan = planFor(planesToPixels, dtypes.uint8.bits, [width * height], []);
    move(plan, [planes], [pixels]);
    return pixels;
  });
  return reportStep(pictureOf(image, { onStep: picture.onStep }), { name: 'resize', filter });
}
