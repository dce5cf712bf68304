/**
 * Processors that rescale before they resize: pictures of float32, whose last bits depend on the CPU in Python too.
 * First come the sizes, then the result's memory, then pixels.
 */
import { bytesOf, either, rangeError } from '../arguments/index.js';
import { dtypes, newData, tensorOf } from '../tensor/index.js';
import { commonWindow, encoded, normalizing, numbersOf } from '../image/index.js';
import { checkSize, cropPicture, sizeOf, writePicture } from './picture.js';
import { framesByPadSize, maskOf, withSettings, reportFrame } from './results.js';
import { exactSize, multipleSize, sizeBySetting } from './sizes.js';
import { filterCodes } from './settings.js';
import { blurTaps, borderTaps, composedTaps, cornerTaps, sharpTaps, smoothTaps } from './taps.js';

/** @import { Numbers, Picture, Rectangle, Size } from './picture.js' */
/** @import { Outputs } from './results.js' */
/** @import { Call } from './steps.js' */
/** @import { Taps } from './taps.js' */

/** @typedef {{ columns: Taps[], rows: Taps[] }} Axes */

/**
 * A picture that will be resized as float32: nothing of it is computed yet.
 * @typedef {object} FloatPicture
 * @property {Picture} source
 * @property {Size} size of the result
 * @property {Rectangle} kept the part of the resized picture that the result shows
 * @property {{ x: number, y: number }} at where that part lies in the result; 0 before normalization is beside it
 * @property {() => Axes} axes of the resized picture
 */

/** Bytes of numbers that are staged at a time. */
const stripBytes = 2 * 2 ** 20;

/** Bytes of rows that were resized across and not yet down. */
const middleBytes = 16 * 2 ** 20;

/**
 * A picture that is rescaled and resized.
 * @type {(call: Call, source: Picture, size: Size, axes: () => Axes) => FloatPicture}
 */
function resampled({ settings }, source, size, axes) {
  const factor = settings.do_rescale ? settings.rescale_factor : undefined;
  const { onStep } = source;
  if (factor !== undefined) onStep?.({ name: 'rescale', factor });
  const { width, height } = sizeOf(source);
  if (size.width !== width || size.height !== height)
    onStep?.({ name: 'resize', filter: settings.resample ?? 'bilinear', ...size });
  return { source, size, kept: { x: 0, y: 0, ...size }, at: { x: 0, y: 0 }, axes };
}

/**
 * Resizes a picture, normalizes it and writes it at the left top of its frame. The rows between the two passes are
 * bounded: there is a band of them at a time, and where one row of the result needs too many, a block of their columns.
 * @type {(call: Call, made: FloatPicture, frame: Size, destination: Uint8Array) => void}
 */
function writeFloats(call, { source, size, kept, at, axes }, frame, destination) {
  const { dtype = dtypes.float32, backend, settings } = call;
  const normalize = settings.do_normalize ? normalizing(settings.image_mean, settings.image_std) : undefined;
  const element = dtype.bits / 8;
  /** @type {(line: Float32Array, c: number, x: number, y: number) => void} */
  const writeLine = (line, c, x, y) => {
    if (normalize) for (let i = 0; i < line.length; i++) line[i] = normalize(line[i], c);
    destination.set(encoded(line, dtype), ((c * frame.height + y) * frame.width + x) * element);
  };
  if (size.width !== kept.width || size.height !== kept.height)
    for (let y = 0; y < 3 * size.height; y++)
      writeLine(new Float32Array(size.width), Math.floor(y / size.height), 0, y % size.height);
  const { columns, rows } = axes();
  const keptColumns = columns.slice(kept.x, kept.x + kept.width);
  const keptRows = rows.slice(kept.y, kept.y + kept.height);
  const longest = keptRows.reduce((most, { weights }) => Math.max(most, weights.length), 1);
  const block = Math.min(kept.width, Math.max(1, Math.floor(middleBytes / (12 * longest))));
  const middle = new Float32Array(Math.min(middleBytes / 4, 3 * kept.width * reachOf(keptRows).size));
  const factor = settings.do_rescale ? settings.rescale_factor : undefined;
  const numbers = numbersOf(backend, { factor, mean: undefined, std: undefined }, { dtype: dtypes.float32 });
  const stripLength = 3 * reachOf(keptColumns).size;
  const strip = new Float32Array(stripLength * Math.max(1, Math.floor(stripBytes / (4 * stripLength))));
  for (let x = 0; x < kept.width; x += block) {
    const across = keptColumns.slice(x, x + block);
    const [line, sums] = [new Float32Array(across.length), new Float64Array(across.length)];
    const most = Math.floor(middle.length / (3 * across.length));
    for (let y = 0; y < kept.height;) {
      const { first, size: count, next } = bandOf(keptRows, y, most);
      const planes = sumBand({ source, numbers, strip, middle }, across, first, count);
      for (; y < next; y++)
        for (let c = 0; c < 3; c++) {
          sumDown(planes[c], keptRows[y], first, sums);
          line.set(sums);
          writeLine(line, c, at.x + x, at.y + y);
        }
    }
  }
}

/** @type {(taps: readonly Taps[]) => { first: number, size: number }} the pixels that some taps are made of */
function reachOf(taps) {
  let [least, end] = [Infinity, 0];
  for (const { first, weights } of taps) [least, end] = [Math.min(least, first), Math.max(end, first + weights.length)];
  return { first: least, size: end - least };
}

/**
 * The rows of the source that some rows of the result need.
 * @type {(rows: readonly Taps[], from: number, most: number) => { first: number, size: number, next: number }} at most
 *   `most`; for the rows from `from` on up to `next`
 */
function bandOf(rows, from, most) {
  let [{ first, size }, next] = [reachOf([rows[from]]), from + 1];
  for (; next < rows.length; next++) {
    const start = Math.min(first, rows[next].first);
    const end = Math.max(first + size, rows[next].first + rows[next].weights.length);
    if (end - start > most) break;
    [first, size] = [start, end - start];
  }
  return { first, size, next };
}

/**
 * Rescales rows of a picture, a strip at a time, and resizes each strip across at once.
 * @param {{ source: Picture, numbers: Numbers, strip: Float32Array, middle: Float32Array }} work
 * @param {readonly Taps[]} columns
 * @param {number} first row of the source
 * @param {number} count
 * @returns {Float32Array[]} three planes in `middle`
 */
function sumBand({ source, numbers, strip, middle }, columns, first, count) {
  const { first: x, size: width } = reachOf(columns);
  const size = columns.length * count;
  const planes = [0, 1, 2].map((c) => middle.subarray(c * size, (c + 1) * size));
  const step = Math.floor(strip.length / (3 * width));
  for (let done = 0; done < count; done += step) {
    const height = Math.min(step, count - done);
    const part = cropPicture({ ...source, onStep: undefined }, { x, y: first + done, width, height });
    const bytes = bytesOf(strip.subarray(0, 3 * width * height));
    writePicture(part, numbers, { x: 0, y: 0, width, height }, true, bytes);
    planes.forEach((plane, c) => {
      for (let row = 0; row < height; row++)
        sumAcross(strip, (c * height + row) * width - x, columns, plane, (done + row) * columns.length);
    });
  }
  return planes;
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

/** @type {(source: Float32Array, taps: Taps, from: number, sums: Float64Array) => void} of rows from `from` on */
function sumDown(source, { first, weights }, from, sums) {
  const width = sums.length;
  sums.fill(0);
  for (let k = 0; k < weights.length; k++) {
    const [weight, at] = [weights[k], (first - from + k) * width];
    for (let x = 0; x < width; x++) sums[x] += weight * source[at + x];
  }
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

/** @typedef {(extent: number, size: number, filter: string) => Taps[]} AxisRule */

/** @type {(how: AxisRule, from: Size, to: Size, filter: string) => Axes} */
const axesOf = (how, from, to, filter) => ({
  columns: how(from.width, to.width, filter),
  rows: how(from.height, to.height, filter),
});

/** @type {(from: Size, to: Size) => void} */
function checkSizes(from, to) {
  checkSize(from);
  checkSize(to);
}

/**
 * The filter, of those that torch has for float32.
 * @type {(call: Call, known: readonly string[]) => string}
 */
function filterOf({ settings: { resample = 'bilinear' } }, known) {
  if (known.includes(resample)) return resample;
  const codes = known.map((name) => filterCodes.indexOf(name));
  return rangeError(`resample must be ${either(codes)} here, got ${filterCodes.indexOf(resample)}`);
}

const smoothFilters = ['nearest', 'lanczos', 'bilinear', 'bicubic'];
const sharpFilters = ['nearest', 'bilinear', 'bicubic'];
const cornerFilters = ['bilinear', 'bicubic'];

/** @type {(call: Call, picture: Picture, how: AxisRule) => FloatPicture} */
function resizedBySetting(call, picture, how) {
  const { settings } = call;
  const from = sizeOf(picture);
  const to = settings.do_resize ? sizeBySetting(from, settings.size) : from;
  const filter = filterOf(call, how === smoothTaps ? smoothFilters : sharpFilters);
  checkSizes(from, to);
  return resampled(call, picture, to, () => axesOf(how, from, to, filter));
}

/** DINOv3: rescaled, resized with antialiasing, cropped, normalized. */
export const makeDinov3 = making(['resample', 'do_center_crop', 'crop_size'], (call, picture) => {
  const { settings } = call;
  const whole = resizedBySetting(call, picture, smoothTaps);
  if (!settings.do_center_crop) return normalized(call, whole);
  return normalized(call, croppedFloats(whole, exactSize(settings.crop_size, 'crop_size')));
});

/**
 * The middle, with 0 beside it as torchvision has it.
 * @type {(made: FloatPicture, size: Size) => FloatPicture}
 */
function croppedFloats(made, size) {
  const { width, height } = made.size;
  const [x, y] = [Math.trunc((width - size.width) / 2), Math.trunc((height - size.height) / 2)];
  if (width !== size.width || height !== size.height) made.source.onStep?.({ name: 'crop', x, y, ...size });
  const kept = commonWindow({ x, y, ...size }, made.kept);
  return { ...made, size, kept, at: { x: kept.x - x, y: kept.y - y } };
}

/** DepthPro: normalized, then resized without antialiasing, which is the same in the other order but for last bits. */
export const makeDepthPro = making(['resample'], (call, picture) =>
  normalized(call, resizedBySetting(call, picture, sharpTaps)),
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
  const axes = () => {
    const { columns, rows } = axesOf(sharpTaps, from, to, 'bilinear');
    if (!sigmas.every((sigma) => sigma > 0)) return { columns, rows };
    return {
      columns: composedTaps(blurTaps(from.width, sigmas[0]), columns),
      rows: composedTaps(blurTaps(from.height, sigmas[1]), rows),
    };
  };
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
    const [columns, rows] = [borderTaps(width, border(width)), borderTaps(height, border(height))];
    if (settings.do_pad) picture.onStep?.({ name: 'pad', x: border(width), y: border(height), ...from });
    if (!settings.do_resize)
      return normalized(
        call,
        resampled(call, picture, from, () => ({
          columns: Array.from({ length: from.width }, (_, i) => columns(i)),
          rows: Array.from({ length: from.height }, (_, i) => rows(i)),
        })),
      );
    const { keep_aspect_ratio: keeps = false, ensure_multiple_of: multiple = 1 } = settings;
    const to = multipleSize(from, exactSize(settings.size), keeps, multiple);
    const filter = filterOf(call, cornerFilters);
    checkSizes(from, to);
    const axes = () => {
      const after = axesOf(cornerTaps, from, to, filter);
      return { columns: composedTaps(columns, after.columns), rows: composedTaps(rows, after.rows) };
    };
    return normalized(call, resampled(call, picture, to, axes));
  },
);

/** RF-DETR: rescaled, resized without antialiasing, normalized, padded. */
export const makeRfDetr = withSettings(
  [...floatKeys, 'resample', ...framesByPadSize.reads, 'max_size'],
  (/** @type {Call} */ call, /** @type {Picture[]} */ pictures) => {
    const made = pictures.map((picture) => normalized(call, resizedBySetting(call, picture, sharpTaps)));
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
