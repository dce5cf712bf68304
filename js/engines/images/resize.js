/** Resizing pixels: the module plans, and rows of the picture and of the result pass through the scratch area. */
import { bytesBetween } from '../../arguments/index.js';
import { dtypes } from '../../tensor/index.js';
import { ready } from './load.js';
import { scratch, scratchByte, scratchDoubles, scratchIntegers } from './module.js';
import { stageRows, takeRows } from './parts.js';

/** @import { DType } from '../../tensor/index.js' */
/** @import { Emit, Image, Rescaling, ResizeAxis, Resizing } from './types.js' */

/** A side of the picture or the result: the taps of one pixel have to fit into the scratch area. */
export const mostPixels = 2 ** 16;

/** @type {Map<string, Uint8Array>} The plans made last, by their requests. To make their tables takes 3 % of bilinear
 *   from 1920 x 1080 RGB pixels to 224 x 224, 13 % of lanczos; to copy them .3 % (measured). */
const plans = new Map();
const maxPlans = 4;

/** Rows of the result leave through `emit`, from the first on; where they do not fit, block after block of columns.
 * @type {(resizing: Resizing, emit: Emit) => void} */
export function resizePixels(resizing, emit) {
  const { planResize, resizeStep } = ready();
  const request = requestOf(resizing);
  const key = request.join(' ');
  let plan = plans.get(key);
  plans.delete(key);
  if (plan) {
    scratch.set(plan);
  } else {
    scratchDoubles.set(request);
    plan = scratch.slice(0, planResize());
  }
  if (plan.length > 0) plans.set(key, plan);
  if (plans.size > maxPlans) plans.delete(/** @type {string} */ (plans.keys().next().value));
  const step = scratchIntegers;
  while (resizeStep() === 1) {
    if (step[2] > 0) emit(step[0], step[1], step[2], step[3], step[4]);
    for (let i = 8; i < 8 + 3 * step[7]; i += 3)
      stageRows(resizing.image, { row: step[i + 1], rows: step[i + 2], column: step[5], columns: step[6] }, step[i]);
  }
}

/** @type {(resizing: Resizing) => number[]} the numbers of a request, as the module reads them */
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
    Number('order' in image && image.order === 'BGRX'),
    ...axisOf(columns),
    ...axisOf(rows),
    ...[factorX, factorY, left, top, right, bottom],
    ...(rescaling ? rescalingOf(rescaling) : []),
  ];
}

/** @type {(rescaling: Rescaling) => number[]} */
const rescalingOf = ({ numbers, sources, low = -Infinity, high = Infinity, isRounded = false, ...finish }) => {
  const { scale = 1, divisor = 1, mean, std } = finish;
  return [low, high, scale, divisor, ...mean, ...std, Number(isRounded), ...sources, ...numbers];
};

/** @type {(resizing: Resizing, destination: Image) => void} memory of the result's size, with the picture's channels */
export function resizeToBytes(resizing, destination) {
  resizePixels(resizing, (at, row, rows, column, columns) => takeRows(destination, { row, rows, column, columns }, at));
}

/** @type {(resizing: Resizing, dtype: DType, destination: Uint8Array, frame: { x: number, y: number, width: number,
 *   height: number }) => void} To three planes of a float dtype of 16 or 32 bits, by `rescaled`. `frame`: a plane's
 *   size, and the picture's place in it. */
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

/** @type {(kind: string) => (name: string) => number} the codes of names in a table of cpp/resize */
const codesOf = (kind) => (name) => /** @type {any} */ (ready())[kind + name];

/** By names in filters.def, opencv.def and float_filters.def. */
export const [filterCode, ruleCode, floatFilterCode] = ['filter', 'openCv', 'float'].map(codesOf);
