/**
 * Processors that rescale before they resize: pictures of float32, whose last bits depend on the CPU in Python too.
 * Rows of bytes become numbers, a strip at a time, and each strip is resized across at once.
 */
import { bytesOf, either, wrongValue } from '../arguments/index.js';
import { dtypes, newData, tensorOf } from '../tensor/index.js';
import { encoded, normalizing, numbersOf } from '../image/index.js';
import { checkSize, cropPicture, sizeOf, writePicture } from './picture.js';
import { framesByPadSize, maskOf, reading, tellFrame } from './results.js';
import { exactSize, multipleSize, sizeBySetting } from './sizes.js';
import { filterCodes } from './settings.js';
import { blurTaps, borderTaps, composedTaps, cornerTaps, sharpTaps, smoothTaps } from './taps.js';

/** @import { Picture, Size } from './picture.js' */
/** @import { Outputs } from './results.js' */
/** @import { Call } from './steps.js' */
/** @import { Taps } from './taps.js' */

/**
 * A picture of three planes of float32.
 * @typedef {Size & { planes: Float32Array[] }} FloatPicture
 */

/** @typedef {{ columns: Taps[], rows: Taps[] }} Axes */

/** Bytes of numbers that are staged at a time. */
const stripBytes = 2 * 2 ** 20;

/**
 * Rescales a picture and resizes it.
 * @type {(call: Call, picture: Picture, axes: Axes) => FloatPicture}
 */
function resampled({ prefix, backend, settings }, picture, { columns, rows }) {
  const factor = settings.do_rescale ? settings.rescale_factor : undefined;
  const scaling = { factor, mean: undefined, std: undefined };
  const numbers = numbersOf(prefix, backend, scaling, { dtype: dtypes.float32 });
  const source = sizeOf(picture);
  const [width, height] = [columns.length, rows.length];
  const { tell } = picture;
  if (factor !== undefined) tell?.({ name: 'rescale', factor });
  if (width !== source.width || height !== source.height)
    tell?.({ name: 'resize', filter: settings.resample ?? 'bilinear', width, height });
  const floats = (/** @type {number} */ size) => newData(prefix, dtypes.float32, size, undefined);
  const middle = [0, 1, 2].map(() => floats(width * source.height));
  const step = Math.max(1, Math.floor(stripBytes / (12 * source.width)));
  for (let y = 0; y < source.height; y += step) {
    const some = Math.min(step, source.height - y);
    const frame = { x: 0, y: 0, width: source.width, height: some };
    const strip = floats(3 * source.width * some);
    const part = cropPicture(prefix, { ...picture, tell: undefined }, { x: 0, y, width: source.width, height: some });
    writePicture(prefix, part, numbers, frame, true, bytesOf(strip));
    middle.forEach((plane, c) => {
      for (let row = 0; row < some; row++)
        sumAcross(strip, (c * some + row) * source.width, columns, plane, (y + row) * width);
    });
  }
  const planes = middle.map((plane) => {
    const result = floats(width * height);
    rows.forEach((taps, row) => sumDown(plane, width, taps, result, row * width));
    return result;
  });
  return { planes, width, height };
}

/** @type {(source: Float32Array, at: number, columns: readonly Taps[], result: Float32Array, to: number) => void} */
function sumAcross(source, at, columns, result, to) {
  for (let x = 0; x < columns.length; x++) {
    const { first, weights } = columns[x];
    let sum = 0;
    for (let k = 0; k < weights.length; k++) sum += weights[k] * source[at + first + k];
    result[to + x] = sum;
  }
}

/** @type {(source: Float32Array, width: number, taps: Taps, result: Float32Array, to: number) => void} */
function sumDown(source, width, { first, weights }, result, to) {
  const sums = new Float64Array(width);
  for (let k = 0; k < weights.length; k++) {
    const [weight, at] = [weights[k], (first + k) * width];
    for (let x = 0; x < width; x++) sums[x] += weight * source[at + x];
  }
  result.set(sums, to);
}

/**
 * Normalizes numbers, in place.
 * @type {(call: Call, picture: Picture, made: FloatPicture) => FloatPicture}
 */
function normalized({ settings }, { tell }, made) {
  const { do_normalize: normalizes, image_mean: mean, image_std: std } = settings;
  if (!normalizes) return made;
  const { planes } = made;
  tell?.({ name: 'normalize', mean, std });
  const step = normalizing(mean, std);
  for (const [c, plane] of planes.entries()) for (let i = 0; i < plane.length; i++) plane[i] = step(plane[i], c);
  return made;
}

/**
 * @type {(call: Call, pictures: readonly FloatPicture[], frames: readonly Size[]) => Outputs} each picture at the top
 *   left of its frame, zero beside it
 */
function stackedFloats({ prefix, dtype = dtypes.float32 }, pictures, frames) {
  const { width, height } = frames[0];
  const data = newData(prefix, dtype, pictures.length * 3 * width * height, undefined);
  const bytes = bytesOf(data);
  const element = dtype.bits / 8;
  pictures.forEach(({ planes, ...own }, i) => {
    const frame = frames[i];
    if (frame.width !== width || frame.height !== height) {
      const sizes = `${width} x ${height} pixels as the first, got ${frame.width} x ${frame.height}`;
      wrongValue(prefix, `images[${i}] must become ${sizes}`);
    }
    planes.forEach((plane, c) => {
      const numbers = encoded(prefix, plane, dtype);
      for (let row = 0; row < own.height; row++) {
        const line = numbers.subarray(row * own.width * element, (row + 1) * own.width * element);
        bytes.set(line, ((3 * i + c) * height + row) * width * element);
      }
    });
  });
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
  reading([...floatKeys, ...reads], (/** @type {Call} */ call, /** @type {Picture[]} */ pictures) => {
    const made = pictures.map((picture) => makeOne(call, picture));
    return stackedFloats(call, made, made);
  });

/** @type {(prefix: string, how: typeof smoothTaps, from: Size, to: Size, filter: string) => Axes} */
function axesOf(prefix, how, from, to, filter) {
  checkSize(prefix, from);
  checkSize(prefix, to);
  return { columns: how(from.width, to.width, filter), rows: how(from.height, to.height, filter) };
}

/**
 * The filter, of those that torch has for float32.
 * @type {(call: Call, known: readonly string[]) => string}
 */
function filterOf({ prefix, settings: { resample = 'bilinear' } }, known) {
  if (known.includes(resample)) return resample;
  const codes = known.map((name) => filterCodes.indexOf(name));
  return wrongValue(prefix, `resample must be ${either(codes)} here, got ${filterCodes.indexOf(resample)}`);
}

const smoothFilters = ['nearest', 'lanczos', 'bilinear', 'bicubic'];
const sharpFilters = ['nearest', 'bilinear', 'bicubic'];
const cornerFilters = ['bilinear', 'bicubic'];

/** @type {(call: Call, picture: Picture, how: typeof smoothTaps) => FloatPicture} */
function resizedBySetting(call, picture, how) {
  const { prefix, settings } = call;
  const from = sizeOf(picture);
  const to = settings.do_resize ? sizeBySetting(prefix, from, settings.size) : from;
  return resampled(
    call,
    picture,
    axesOf(prefix, how, from, to, filterOf(call, how === smoothTaps ? smoothFilters : sharpFilters)),
  );
}

/** DINOv3: rescaled, resized with antialiasing, cropped, normalized. */
export const makeDinov3 = making(['resample', 'do_center_crop', 'crop_size'], (call, picture) => {
  const { prefix, settings } = call;
  const whole = resizedBySetting(call, picture, smoothTaps);
  if (!settings.do_center_crop) return normalized(call, picture, whole);
  const size = exactSize(prefix, settings.crop_size, 'crop_size');
  return normalized(call, picture, croppedFloats(prefix, picture, whole, size));
});

/**
 * The middle, with 0 beside it as torchvision has it.
 * @type {(prefix: string, picture: Picture, made: FloatPicture, size: Size) => FloatPicture}
 */
function croppedFloats(prefix, { tell }, { planes, width, height }, size) {
  const [left, top] = [Math.trunc((width - size.width) / 2), Math.trunc((height - size.height) / 2)];
  if (width !== size.width || height !== size.height) tell?.({ name: 'crop', x: left, y: top, ...size });
  const made = planes.map((plane) => {
    const result = newData(prefix, dtypes.float32, size.width * size.height, undefined);
    for (let y = Math.max(0, -top); y < Math.min(size.height, height - top); y++)
      for (let x = Math.max(0, -left); x < Math.min(size.width, width - left); x++)
        result[y * size.width + x] = plane[(y + top) * width + x + left];
    return result;
  });
  return { planes: made, ...size };
}

/** DepthPro: normalized, then resized without antialiasing, which is the same in the other order but for last bits. */
export const makeDepthPro = making(['resample'], (call, picture) =>
  normalized(call, picture, resizedBySetting(call, picture, sharpTaps)),
);

/**
 * OWLv2: a square with 0 on the right and at the bottom, blurred as much as it shrinks. It is always bilinear: its
 * `resize` takes `resample` and leaves it aside.
 */
export const makeOwlv2 = making(['do_pad'], (call, picture) => {
  const { prefix, settings } = call;
  const own = sizeOf(picture);
  const side = Math.max(own.width, own.height);
  const square = settings.do_pad ? cropPicture(prefix, picture, { x: 0, y: 0, width: side, height: side }) : picture;
  const from = sizeOf(square);
  const to = settings.do_resize ? exactSize(prefix, settings.size) : from;
  // torchvision takes the first of both, the rows', for the columns.
  const sigmas = [from.height / to.height, from.width / to.width].map((scale) => Math.max(0, (scale - 1) / 2));
  const axes = axesOf(prefix, sharpTaps, from, to, 'bilinear');
  if (sigmas.every((sigma) => sigma > 0)) {
    axes.columns = composedTaps(blurTaps(from.width, sigmas[0]), axes.columns);
    axes.rows = composedTaps(blurTaps(from.height, sigmas[1]), axes.rows);
  }
  return normalized(call, picture, resampled(call, square, axes));
});

/** ZoeDepth: with a mirrored border, resized so that corners stay. */
export const makeZoeDepth = making(
  ['resample', 'do_pad', 'keep_aspect_ratio', 'ensure_multiple_of'],
  (call, picture) => {
    const { prefix, settings } = call;
    const own = sizeOf(picture);
    /** @type {(extent: number) => number} */
    const border = (extent) => (settings.do_pad ? Math.trunc(Math.sqrt(extent / 2) * 3) : 0);
    if (border(own.width) >= own.width || border(own.height) >= own.height)
      wrongValue(prefix, `an image must be larger than its mirrored border, got ${own.width} x ${own.height} pixels`);
    const [columns, rows] = [borderTaps(own.width, border(own.width)), borderTaps(own.height, border(own.height))];
    const from = { width: columns.length, height: rows.length };
    if (settings.do_pad) picture.tell?.({ name: 'pad', x: border(own.width), y: border(own.height), ...from });
    if (!settings.do_resize) return normalized(call, picture, resampled(call, picture, { columns, rows }));
    const { keep_aspect_ratio: keeps = false, ensure_multiple_of: multiple = 1 } = settings;
    const to = multipleSize(from, exactSize(prefix, settings.size), keeps, multiple);
    const axes = axesOf(prefix, cornerTaps, from, to, filterOf(call, cornerFilters));
    const both = { columns: composedTaps(columns, axes.columns), rows: composedTaps(rows, axes.rows) };
    return normalized(call, picture, resampled(call, picture, both));
  },
);

/** RF-DETR: rescaled, resized without antialiasing, normalized, padded. */
export const makeRfDetr = reading(
  [...floatKeys, 'resample', ...framesByPadSize.reads, 'max_size'],
  (/** @type {Call} */ call, /** @type {Picture[]} */ pictures) => {
    const made = pictures.map((picture) => normalized(call, picture, resizedBySetting(call, picture, sharpTaps)));
    // A picture of the same size stands for each where frames are chosen.
    const stand = made.map(({ width, height }, i) =>
      cropPicture(call.prefix, { ...pictures[i], tell: undefined }, { x: 0, y: 0, width, height }),
    );
    const frames = framesByPadSize(call, stand);
    stand.forEach((one, i) => tellFrame(pictures[i], one, frames[i]));
    const outputs = stackedFloats(call, made, frames);
    if (call.settings.do_pad) outputs.pixel_mask = maskOf(call, made, frames[0], 'int64');
    return outputs;
  },
);
