/** Resizing pixels: the module plans, and rows of the picture and of the result pass through the scratch area. */
import { bytesBetween } from '../arguments/index.js';
import { dtypes } from '../tensor/index.js';
import { ready, scratch, scratchByte, scratchViews } from './module.js';

/** @import { DType } from '../tensor/index.js' */

/**
 * An image: interleaved bytes, row after row.
 * @typedef {object} Image
 * @property {Uint8Array} data
 * @property {number} width
 * @property {number} height
 * @property {number} channels bytes of a pixel: 1 to 4
 * @property {number} rowstride bytes from one row to the next
 */

/**
 * One axis of a picture and of its result, of which the pixels `first` to `first + count` are made.
 * @typedef {object} ResizeAxis
 * @property {number} [filter] a code that the module exports; undefined where nothing changes: then pixel i of the
 *   result is pixel `from` + i of the source
 * @property {number} extent pixels of the source
 * @property {number} from the part of the source that becomes the result, float32 numbers
 * @property {number} to
 * @property {number} size pixels of the whole result
 * @property {number} first
 * @property {number} count
 * @property {number} [factor] of OpenCV's rules: pixels of the result for one of the source; `from` is 0 and `to` the
 *   extent. Of a filter of float32: the deviation of a Gaussian that blurs before, or 0
 */

/**
 * A picture to resize, and how. See cpp/resize/plan.h.
 * @typedef {object} Resizing
 * @property {Image} image whose channels are 4 in mode F, one float32
 * @property {'pillow' | 'torch' | 'double' | 'opencv' | 'rescaled'} sums how a pass sums: bytes by Pillow's weights or
 *   by torch's, float32, bytes by OpenCV's rules, or bytes that become float32 before
 * @property {boolean} isNearest whether the filters of both axes are nearest
 * @property {boolean} isDownFirst whether the pass down the columns comes first
 * @property {ResizeAxis} columns
 * @property {ResizeAxis} rows
 * @property {number} [counted] channels that count, where the others are dropped behind; all if omitted
 * @property {'premultiplied' | 'white' | undefined} alpha what becomes of the last channel: colors are multiplied with
 *   it before, and divided by it behind; or the picture lies on white
 * @property {Reduction} [reduction] what comes before: the axes' source is its result
 * @property {Rescaling} [rescaling] of `rescaled`
 */

/**
 * The numbers that bytes become before they are resized, and how results are normalized.
 * @typedef {object} Rescaling
 * @property {Float32Array} numbers 256 of them
 * @property {readonly number[]} mean of each of three channels
 * @property {readonly number[]} std
 */

/**
 * A picture made smaller by whole factors, by the means of cells.
 * @typedef {object} Reduction
 * @property {number} factorX pixels of a cell
 * @property {number} factorY
 * @property {number} left the part of the picture that cells cover
 * @property {number} top
 * @property {number} right
 * @property {number} bottom
 */

/**
 * Takes rows of the result, or a block of their columns, from byte `at` of the scratch area on, one row after the
 * other. It may use the last `emitBytes` of the scratch area.
 * @callback Emit
 * @param {number} at
 * @param {number} row
 * @param {number} rows
 * @param {number} column
 * @param {number} columns
 * @returns {void}
 */

/**
 * The most pixels of a side, of the picture and of the result: the taps of one pixel have to fit into the scratch area.
 */
export const mostPixels = 2 ** 16;

/**
 * The plans that were made last, by their requests, since pictures of one size mostly follow one another. To make the
 * tables in them takes 3 % of bilinear from 1920 x 1080 RGB pixels to 224 x 224, 13 % of lanczos; to copy them takes
 * 0.3 % (measured).
 * @type {Map<string, Uint8Array>}
 */
const plans = new Map();
const maxPlans = 4;

/**
 * Resizes a picture. Rows of the result leave through `emit`, from the first on; where they do not fit, block after
 * block of columns.
 * @param {Resizing} resizing
 * @param {Emit} emit
 */
export function resizePixels(resizing, emit) {
  const { planResize, resizeStep } = ready();
  const request = requestOf(resizing);
  const key = request.join(' ');
  let plan = plans.get(key);
  plans.delete(key);
  if (plan) {
    scratch.set(plan);
  } else {
    scratchViews.Float64Array.set(request);
    plan = scratch.slice(0, planResize());
  }
  if (plan.length > 0) plans.set(key, plan);
  if (plans.size > maxPlans) plans.delete(/** @type {string} */ (plans.keys().next().value));
  const step = scratchViews.Int32Array;
  while (resizeStep()) {
    if (step[2] > 0) emit(step[0], step[1], step[2], step[3], step[4]);
    for (let i = 8; i < 8 + 3 * step[7]; i += 3)
      stageRows(resizing.image, { row: step[i + 1], rows: step[i + 2], column: step[5], columns: step[6] }, step[i]);
  }
}

/**
 * The numbers of a request, as the module reads them.
 * @type {(resizing: Resizing) => number[]}
 */
function requestOf({ image, sums, isNearest, isDownFirst, columns, rows, counted, alpha, reduction, rescaling }) {
  const { none, sumPillow, sumTorch, sumDouble, sumOpenCv, sumRescaled, premultiply, onWhite } = ready();
  /** @type {(axis: ResizeAxis) => number[]} */
  const axisOf = ({ filter = none, extent, from, to, size, first, count, factor = 1 }) =>
    [filter, extent, from, to, size, first, count, factor]; // prettier-ignore
  const { factorX = none, factorY = none, left = 0, top = 0, right = 0, bottom = 0 } = reduction ?? {};
  return [
    { pillow: sumPillow, torch: sumTorch, double: sumDouble, opencv: sumOpenCv, rescaled: sumRescaled }[sums],
    image.channels,
    Number(isNearest),
    Number(isDownFirst),
    alpha === undefined ? none : alpha === 'white' ? onWhite : premultiply,
    counted ?? image.channels,
    ...axisOf(columns),
    ...axisOf(rows),
    ...[factorX, factorY, left, top, right, bottom],
    ...(rescaling ? [...rescaling.mean, ...rescaling.std, ...rescaling.numbers] : []),
  ];
}

/**
 * Copies a part of the picture to the scratch area.
 * @type {(image: Image, part: { row: number, rows: number, column: number, columns: number }, at: number) => void}
 */
function stageRows({ data, channels, rowstride }, { row, rows, column, columns }, at) {
  const bytes = columns * channels;
  const first = row * rowstride + column * channels;
  if (bytes === rowstride) {
    scratch.set(bytesBetween(data, first, first + rows * bytes), at);
  } else {
    for (let i = 0; i < rows; i++) {
      const from = first + i * rowstride;
      scratch.set(bytesBetween(data, from, from + bytes), at + i * bytes);
    }
  }
}

/**
 * Resizes a picture into memory.
 * @param {Resizing} resizing
 * @param {Image} destination of the result's size, and as many channels as the picture
 */
export function resizeToBytes(resizing, { data, width, channels, rowstride }) {
  resizePixels(resizing, (at, row, rows, column, columns) => {
    const bytes = columns * channels;
    if (columns === width && bytes === rowstride) {
      data.set(bytesBetween(scratch, at, at + rows * bytes), row * rowstride);
    } else {
      for (let i = 0; i < rows; i++) {
        const from = at + i * bytes;
        data.set(bytesBetween(scratch, from, from + bytes), (row + i) * rowstride + column * channels);
      }
    }
  });
}

/**
 * Resizes bytes as float32.
 * @param {Resizing} resizing by `rescaled`
 * @param {DType} dtype of the result: a float of 16 or 32 bits
 * @param {Uint8Array} destination three planes of the frame's size
 * @param {{ x: number, y: number, width: number, height: number }} frame the size of a plane, and where the picture
 *   lies in it
 */
export function resizeToPlanes(resizing, dtype, destination, { x, y, width, height }) {
  const { convert, emitBytes, saturateFlag } = ready();
  const element = dtype.bits / 8;
  resizePixels(resizing, (at, row, rows, column, columns) => {
    let from = at;
    if (dtype !== dtypes.float32) {
      from = scratch.length - emitBytes;
      convert(dtypes.float32.code, dtype.code, scratchByte + at, scratchByte + from, 3 * rows * columns, saturateFlag);
    }
    for (let i = 0; i < 3 * rows; i++, from += columns * element) {
      const to = (((i % 3) * height + y + row + Math.floor(i / 3)) * width + x + column) * element;
      destination.set(bytesBetween(scratch, from, from + columns * element), to);
    }
  });
}

/**
 * @param {string} filter its name in cpp/resize/filters.def
 * @returns {number}
 */
export const filterCode = (filter) => /** @type {any} */ (ready())[`filter${filter}`];

/**
 * @param {string} rule its name in cpp/resize/opencv.def
 * @returns {number}
 */
export const ruleCode = (rule) => /** @type {any} */ (ready())[`openCv${rule}`];

/**
 * @param {string} filter its name in cpp/resize/float_filters.def
 * @returns {number}
 */
export const floatFilterCode = (filter) => /** @type {any} */ (ready())[`float${filter}`];
