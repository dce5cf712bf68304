/**
 * Processors that rescale before they resize: pictures of float32, whose last bits depend on the CPU in Python too.
 * First come the sizes, then the result's memory, then pixels.
 */
import { bytesOf, either, rangeError } from '../arguments/index.js';
import { floatFilterCode, pixelBytes, resizeToPlanes } from '../engine/index.js';
import { dtypes, newData, tensorOf } from '../tensor/index.js';
import { commonWindow, encoded, fillAround, normalizing, numbersOf, rowOf } from '../image/index.js';
import { checkPixels, checkSize, cropPicture, sizeOf } from './picture.js';
import { framesByPadSize, maskOf, reportFrame, withSettings } from './results.js';
import { exactSize, multipleSize, sizeBySetting } from './sizes.js';
import { filterCodes } from './settings.js';

/** @import { ResizeAxis } from '../engine/types.js' */
/** @import { Call, FloatAxis, FloatPicture, Outputs, Picture, Size } from './types.js' */

/**
 * A picture that is rescaled and resized.
 * @type {(call: Call, source: Picture, size: Size, axes: FloatPicture['axes']) => FloatPicture}
 */
function resampled({ settings }, source, size, axes) {
  const factor = settings.do_rescale ? settings.rescale_factor : undefined;
  const { onStep } = source;
  if (factor !== undefined) onStep?.({ name: 'rescale', factor });
  const { width, height } = sizeOf(source);
  if (size.width !== width || size.height !== height)
    onStep?.({ name: 'resize', filter: settings.resample ?? 'bilinear', ...size });
  return { source, size, kept: { x: 0, y: 0, ...size }, at: { x: 0, y: 0 }, resized: size, axes };
}

/**
 * Resizes a picture, normalizes it and writes it at the left top of its frame.
 * @type {(call: Call, made: FloatPicture, frame: Size, destination: Uint8Array) => void}
 */
function writeFloats({ dtype = dtypes.float32, backend, settings }, made, frame, destination) {
  const { source, kept, at, resized, axes } = made;
  const image = { ...source.image };
  checkPixels(image);
  const [mean, std] = settings.do_normalize ? [settings.image_mean, settings.image_std] : [0, 1];
  const [means, stds] = [mean, std].map((value) => (typeof value === 'number' ? [value, value, value] : value));
  const plane = destination.length / 3;
  const window = { ...kept, ...at };
  for (let c = 0; c < 3 && (kept.width < made.size.width || kept.height < made.size.height); c++) {
    const row = rowOf(encoded(Float32Array.of(normalizing(mean, std)(0, c)), dtype), frame.width);
    fillAround(destination.subarray(c * plane, (c + 1) * plane), row.length, row, frame, window);
  }
  /** @type {(axis: FloatAxis, extent: number, size: number, first: number, count: number) => ResizeAxis} */
  const axisOf = ({ filter, from, to, sigma = 0 }, extent, size, first, count) => {
    return { filter: floatFilterCode(filter), extent, from, to, size, first, count, factor: sigma };
  };
  const resizing = {
    image,
    sums: /** @type {const} */ ('rescaled'),
    isNearest: false,
    isDownFirst: false,
    columns: axisOf(axes.columns, image.width, resized.width, kept.x, kept.width),
    rows: axisOf(axes.rows, image.height, resized.height, kept.y, kept.height),
    alpha: source.isOnWhite ? /** @type {const} */ ('white') : undefined,
    rescaling: { mean: means, std: stds, numbers: rescaledBytes(backend, settings) },
  };
  resizeToPlanes(resizing, dtype, destination, { ...frame, ...at });
}

/** @type {(backend: Call['backend'], settings: Call['settings']) => Float32Array} The numbers that all bytes become. */
function rescaledBytes(backend, { do_rescale: rescales, rescale_factor: factor }) {
  const scaling = { factor: rescales ? factor : undefined, mean: undefined, std: undefined };
  const numbers = new Float32Array(256);
  const bytes = { data: Uint8Array.from(numbers, (_, i) => i), width: 256, height: 1, channels: 1, rowstride: 256 };
  const { channels } = numbersOf(backend, scaling, { dtype: dtypes.float32, channels: 1 });
  pixelBytes(bytes, { dtype: dtypes.float32, channels, isPlanar: false, destination: bytesOf(numbers), size: 256 });
  return numbers;
}

/**
 * Tells that numbers are normalized, the last step on each of them.
 * @type {(call: Call, made: FloatPicture) => FloatPicture}
 */
function normalized({ settings }, made) {
  const { do_normalize: normalizes, image_mean: mean, image_std: std } = settings;
  if (normalizes) made.source.onStep?.({ name: 'normalize', mean, std });
  return made;
}

/**
 * Allocates the result before anything is computed, then writes each picture at the top left of its frame, zero beside
 * it.
 * @type {(call: Call, pictures: readonly FloatPicture[], frames: readonly Size[]) => Outputs}
 */
function stackedFloats(call, pictures, frames) {
  const { dtype = dtypes.float32 } = call;
  const { width, height } = frames[0];
  for (const [i, frame] of frames.entries()) {
    if (frame.width === width && frame.height === height) continue;
    const sizes = `${width} x ${height} pixels as the first, got ${frame.width} x ${frame.height}`;
    rangeError(`images[${i}] must become ${sizes}`);
  }
  const data = newData(dtype, pictures.length * 3 * width * height, undefined);
  const bytes = bytesOf(data);
  const part = bytes.length / pictures.length;
  pictures.forEach((made, i) => writeFloats(call, made, frames[i], bytes.subarray(i * part, (i + 1) * part)));
  return { pixel_values: tensorOf(dtype, data, [pictures.length, 3, height, width]) };
}

const floatKeys = [
  'do_rescale',
  'rescale_factor',
  'do_resize',
  'size',
  'default_to_square',
  'do_normalize',
  'image_mean',
  'image_std',
];

/**
 * @param {readonly string[]} reads
 * @param {(call: Call, picture: Picture) => FloatPicture} makeOne
 */
const making = (reads, makeOne) =>
  withSettings([...floatKeys, ...reads], (/** @type {Call} */ call, /** @type {Picture[]} */ pictures) => {
    const made = pictures.map((picture) => makeOne(call, picture));
    return stackedFloats(
      call,
      made,
      made.map(({ size }) => size),
    );
  });

/** @type {(filter: string, from: Size) => FloatPicture['axes']} */
const axesOf = (filter, { width, height }) => ({
  columns: { filter, from: 0, to: width },
  rows: { filter, from: 0, to: height },
});

/** @type {(from: Size, to: Size) => void} */
function checkSizes(from, to) {
  checkSize(from);
  checkSize(to);
}

/** @type {(call: Call, known: Record<string, string>) => string} The filter, of those that torch has for float32. */
function filterOf({ settings: { resample = 'bilinear' } }, known) {
  if (Object.hasOwn(known, resample)) return known[resample];
  const codes = Object.keys(known).map((name) => filterCodes.indexOf(name));
  return rangeError(`resample must be ${either(codes)} here, got ${filterCodes.indexOf(resample)}`);
}

const smoothFilters = { nearest: 'Nearest', lanczos: 'Lanczos', bilinear: 'Bilinear', bicubic: 'Bicubic' };
const sharpFilters = { nearest: 'Nearest', bilinear: 'BilinearPoint', bicubic: 'BicubicPoint' };
const cornerFilters = { bilinear: 'BilinearCorners', bicubic: 'BicubicCorners' };

/** @type {(call: Call, picture: Picture, filters: Record<string, string>) => FloatPicture} */
function resizedBySetting(call, picture, filters) {
  const { settings } = call;
  const from = sizeOf(picture);
  const to = settings.do_resize ? sizeBySetting(from, settings.size) : from;
  const filter = settings.do_resize ? filterOf(call, filters) : 'Bilinear';
  checkSizes(from, to);
  return resampled(call, picture, to, axesOf(filter, from));
}

/** DINOv3: rescaled, resized with antialiasing, cropped, normalized. */
export const makeDinov3 = making(['resample', 'do_center_crop', 'crop_size'], (call, picture) => {
  const { settings } = call;
  const whole = resizedBySetting(call, picture, smoothFilters);
  if (!settings.do_center_crop) return normalized(call, whole);
  return normalized(call, croppedFloats(whole, exactSize(settings.crop_size, 'crop_size')));
});

/** @type {(made: FloatPicture, size: Size) => FloatPicture} The middle, with 0 beside it as torchvision has it. */
function croppedFloats(made, size) {
  const { width, height } = made.size;
  const [x, y] = [Math.trunc((width - size.width) / 2), Math.trunc((height - size.height) / 2)];
  if (width !== size.width || height !== size.height) made.source.onStep?.({ name: 'crop', x, y, ...size });
  const kept = commonWindow({ x, y, ...size }, made.kept);
  return { ...made, size, kept, at: { x: kept.x - x, y: kept.y - y } };
}

/** DepthPro: normalized, then resized without antialiasing, which is the same in the other order but for last bits. */
export const makeDepthPro = making(['resample'], (call, picture) =>
  normalized(call, resizedBySetting(call, picture, sharpFilters)),
);

/**
 * OWLv2: a square with 0 on the right and at the bottom, blurred as much as it shrinks. It is always bilinear: its
 * `resize` takes `resample` and leaves it aside.
 */
export const makeOwlv2 = making(['do_pad'], (call, picture) => {
  const { settings } = call;
  const own = sizeOf(picture);
  const side = Math.max(own.width, own.height);
  const square = settings.do_pad ? cropPicture(picture, { x: 0, y: 0, width: side, height: side }) : picture;
  const from = sizeOf(square);
  const to = settings.do_resize ? exactSize(settings.size) : from;
  checkSizes(from, to);
  // torchvision takes the first of both, the rows', for the columns.
  const sigmas = [from.height / to.height, from.width / to.width].map((scale) => Math.max(0, (scale - 1) / 2));
  const { columns, rows } = axesOf('BilinearPoint', from);
  const [ofColumns, ofRows] = sigmas.every((sigma) => sigma > 0) ? sigmas : [0, 0];
  const axes = { columns: { ...columns, sigma: ofColumns }, rows: { ...rows, sigma: ofRows } };
  return normalized(call, resampled(call, square, to, axes));
});

/** ZoeDepth: with a mirrored border, resized so that corners stay. */
export const makeZoeDepth = making(
  ['resample', 'do_pad', 'keep_aspect_ratio', 'ensure_multiple_of'],
  (call, picture) => {
    const { settings } = call;
    const { width, height } = sizeOf(picture);
    /** @type {(extent: number) => number} */
    const border = (extent) => (settings.do_pad ? Math.trunc(Math.sqrt(extent / 2) * 3) : 0);
    if (border(width) >= width || border(height) >= height)
      rangeError(`an image must be larger than its mirrored border, got ${width} x ${height} pixels`);
    const from = { width: width + 2 * border(width), height: height + 2 * border(height) };
    if (settings.do_pad) picture.onStep?.({ name: 'pad', x: border(width), y: border(height), ...from });
    /** @type {(filter: string) => FloatPicture['axes']} */
    const axes = (filter) => ({
      columns: { filter, from: -border(width), to: width + border(width) },
      rows: { filter, from: -border(height), to: height + border(height) },
    });
    // The axes' own size leaves all pixels as they are.
    if (!settings.do_resize) return normalized(call, resampled(call, picture, from, axes('BilinearCorners')));
    const { keep_aspect_ratio: keeps = false, ensure_multiple_of: multiple = 1 } = settings;
    const to = multipleSize(from, exactSize(settings.size), keeps, multiple);
    const filter = filterOf(call, cornerFilters);
    checkSizes(from, to);
    return normalized(call, resampled(call, picture, to, axes(filter)));
  },
);

/** RF-DETR: rescaled, resized without antialiasing, normalized, padded. */
export const makeRfDetr = withSettings(
  [...floatKeys, 'resample', ...framesByPadSize.reads, 'max_size'],
  (/** @type {Call} */ call, /** @type {Picture[]} */ pictures) => {
    const made = pictures.map((picture) => normalized(call, resizedBySetting(call, picture, sharpFilters)));
    const sizes = made.map(({ size }) => size);
    // A picture of the same size stands for each where frames are chosen.
    const stand = sizes.map((size, i) => cropPicture({ ...pictures[i], onStep: undefined }, { x: 0, y: 0, ...size }));
    const frames = framesByPadSize(call, stand);
    stand.forEach((one, i) => reportFrame(pictures[i], one, frames[i]));
    const outputs = stackedFloats(call, made, frames);
    if (call.settings.do_pad) outputs.pixel_mask = maskOf(sizes, frames[0], 'int64');
    return outputs;
  },
);
