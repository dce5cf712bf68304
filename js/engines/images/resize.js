/** Resizing pixels: the module plans, and rows of the picture and of the result pass through its memory. */
import * as cpp from '../../../dist/bridge/images.js';
import { dtypes } from '../../tensor/index.js';
import { storeNumbers } from '../memory/index.js';
import { ready } from './load.js';
import { area, scratch, scratchByte, scratchIntegers } from './module.js';
import { stageRows, takeRows } from './parts.js';

/** @import { DType } from '../../tensor/index.js' */
/** @import { Emit, Image, Reduction, Rescaling, Resizing } from './types.js' */

/** A side of the picture or the result: the taps of one pixel have to fit into the scratch area. */
export const mostPixels = 2 ** 16;

/** @type {Map<string, Uint8Array>} The plans made last, by their requests. To make their tables takes 3 % of bilinear
 *   from 1920 x 1080 RGB pixels to 224 x 224, 13 % of lanczos; to copy them .3 % (measured). */
const plans = new Map();
const maxPlans = 4;

/** Empties `area` and takes the memory of a plan in it: all of the scratch area but the last `emitBytes`, which those
 * who take the result's rows may use. */
export function startPlan() {
  area.clear();
  area.space(scratch.length - ready().emitBytes);
}

/** Runs a resizing: makes a plan, or copies that of an equal request, then does what each step of the module asks for:
 * gives rows of the result to `emit`, and copies rows of the picture into the module. Rows of the result come from the
 * first to the last; where whole rows are too long, a block of columns after the other. `startPlan` comes first. The
 * plan lies in the scratch area from its start on, and changes with each step.
 * @type {(resizing: Resizing, emit: Emit) => void} */
export function resizePixels(resizing, emit) {
  const { planResize, resizeStep } = ready();
  const { bytes, runs, list } = cpp.ResizeRequest;
  const request = list(requestOf(resizing));
  const key = request.join(' ');
  // Removed and set again, so that the plan is the latest in the Map, and the one used longest ago the first.
  let plan = plans.get(key);
  plans.delete(key);
  if (plan) {
    scratch.set(plan);
  } else {
    // The module takes the request from the start of the scratch area, puts the plan in its place, and returns the
    // plan's bytes, or 0 if the plan is not worth a copy. The copy is made now, because the steps overwrite the plan.
    storeNumbers(new DataView(scratch.buffer, scratch.byteOffset, bytes), runs, request);
    plan = scratch.slice(0, planResize());
  }
  if (plan.length > 0) plans.set(key, plan);
  if (plans.size > maxPlans) plans.delete(/** @type {string} */ (plans.keys().next().value));
  // The plan begins with the step, whose members the module writes as int32.
  const step = scratchIntegers;
  while (resizeStep() === 1) {
    const rows = step[cpp.resizeStepRows];
    if (rows > 0)
      emit(
        scratchByte + step[cpp.resizeStepAt],
        step[cpp.resizeStepRow],
        rows,
        step[cpp.resizeStepColumn],
        step[cpp.resizeStepColumns],
      );
    const [column, columns] = [step[cpp.resizeStepStagedColumn], step[cpp.resizeStepStagedColumns]];
    for (let k = 0, run = cpp.resizeStepRun; k < step[cpp.resizeStepRuns]; k++, run += cpp.resizeRunWords) {
      const part = { row: step[run + cpp.resizeRunRow], rows: step[run + cpp.resizeRunRows], column, columns };
      stageRows(resizing.image, part, scratchByte + step[run + cpp.resizeRunAt]);
    }
  }
}

/** @type {Partial<Reduction>} */
const noReduction = {};

/** Lists the members of the module's `ResizeRequest`, by which it plans a resizing; see cpp/resize/plan.h. A member
 * that is undefined gets its initial value.
 * @type {(resizing: Resizing) => cpp.ResizeRequest} */
function requestOf({ image, sums, isNearest, isDownFirst, columns, rows, counted, alpha, reduction, rescaling }) {
  const { none, premultiply, onWhite } = ready();
  const { factorX, factorY, left, top, right, bottom } = reduction ?? noReduction;
  // Spreading objects here takes 10 us.
  return {
    sums,
    channels: image.channels,
    isNearest,
    isDownFirst,
    alpha: alpha === undefined ? none : alpha === 'white' ? onWhite : premultiply,
    counted: counted ?? image.channels,
    isBgr: 'order' in image && image.order === 'BGRX',
    columns,
    rows,
    factorX,
    factorY,
    left,
    top,
    right,
    bottom,
    rescaling: rescaling && rescalingOf(rescaling),
  };
}

/** Lists a rescaling in the order of the module's struct, with no bounds and factors of 1 where it omits them.
 * @type {(rescaling: Rescaling) => cpp.ResizeRequest['rescaling']} */
const rescalingOf = ({ numbers, sources, low = -Infinity, high = Infinity, scale = 1, divisor = 1, ...finish }) => ({
  finish: { low, high, scale, divisor, ...finish },
  sources,
  numbers,
});

/** Resizes to bytes. `destination`: an image of the result's size, with the picture's channels, whose data are written.
 * @type {(resizing: Resizing, destination: Image) => void} */
export function resizeToBytes(resizing, destination) {
  startPlan();
  resizePixels(resizing, (at, row, rows, column, columns) => takeRows(destination, { row, rows, column, columns }, at));
}

/** Resizes to three planes of a float dtype of 16 or 32 bits; `resizing.rescaling` says which numbers they hold.
 * `frame`: a plane's width and height, and where the resized picture begins in it (x, y), in pixels.
 * @type {(resizing: Resizing, dtype: DType, destination: Uint8Array, frame: { x: number, y: number, width: number,
 *   height: number }) => void} */
export function resizeToPlanes(resizing, dtype, destination, { x, y, width, height }) {
  const { convert, emitBytes, saturateFlag } = ready();
  const element = dtype.bits / 8;
  startPlan();
  const converted = area.space(emitBytes);
  resizePixels(resizing, (at, row, rows, column, columns) => {
    if (dtype !== dtypes.float32)
      convert(dtypes.float32.code, dtype.code, at, converted, 3 * rows * columns, saturateFlag);
    // A row of the result is a row of each of the three planes, one behind the other.
    let from = dtype === dtypes.float32 ? at : converted;
    for (let i = 0; i < 3 * rows; i++, from += columns * element) {
      const to = (((i % 3) * height + y + row + Math.floor(i / 3)) * width + x + column) * element;
      destination.set(area.view(Uint8Array, from, columns * element), to);
    }
  });
}

/** @type {(kind: string) => (name: string) => number} a look-up of codes, which the module exports as kind + name */
const codesOf = (kind) => (name) =>
  /** @type {Record<string, number>} */ (/** @type {unknown} */ (ready()))[kind + name];

/** By names in filters.def, opencv.def and float_filters.def. */
export const [filterCode, ruleCode, floatFilterCode] = ['filter', 'openCv', 'float'].map(codesOf);
