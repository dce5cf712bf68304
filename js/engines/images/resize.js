/** Resizing pixels: the module plans, and rows of the picture and of the result pass through its memory. */
import * as cpp from '../../../dist/bridge/images.js';
import { dtypes } from '../../tensor/index.js';
import { storeNumbers } from '../memory/index.js';
import { ready } from './load.js';
import { area, scratch, scratchByte, scratchIntegers } from './module.js';
import { stageRows, takeRows } from './parts.js';

/** @import { DType } from '../../tensor/index.js' */
/** @import { Emit, Image, Rescaling, Resizing } from './types.js' */

/** The longest side of a picture or a result, in pixels: the taps of one pixel have to fit into the scratch area. */
export const mostPixels = 2 ** 16;

/** The plans made last, by their requests. To make their tables takes 3 % of bilinear from 1920 x 1080 RGB pixels to
 * 224 x 224, 13 % of lanczos; to copy them .3 % (measured).
 * @type {Map<string, Uint8Array>} */
const plans = new Map();
const maxPlans = 4;

/** Empties `area` and takes the memory of a plan in it: all of the scratch area but the last `emitBytes`, which those
 * who take the result's rows may use. */
export function startPlan() {
  area.clear();
  area.allocate(scratch.length - ready().emitBytes);
}

/** Runs a resizing: plans it, then does what each step of the module asks for: gives rows of the result to `emit`, and
 * copies rows of the picture into the module. Rows of the result come from the first to the last; where whole rows are
 * too long, a block of columns after the other. `startPlan` comes first. The plan lies in the scratch area from its
 * start on, and changes with each step.
 * @type {(resizing: Resizing, emit: Emit) => void} */
export function resizePixels(resizing, emit) {
  const { resizeStep } = ready();
  placePlan(resizing);
  // The plan begins with a `ResizeStep`, whose members the module writes as int32.
  const step = scratchIntegers;
  while (resizeStep() === 1) {
    emitRows(step, emit);
    stageRuns(step, resizing.image);
  }
}

/** Puts the plan of a resizing at the start of the scratch area: a copy of that of an equal request, or a new one.
 * @type {(resizing: Resizing) => void} */
function placePlan(resizing) {
  const { bytes, runs, list } = cpp.ResizeRequest;
  const request = list(requestOf(resizing));
  const key = request.join(' ');
  let plan = plans.get(key);
  if (plan) scratch.set(plan);
  else {
    storeNumbers(new DataView(scratch.buffer, scratch.byteOffset, bytes), runs, request);
    // The module puts the plan in the request's place, and returns its bytes; 0 if it is not worth a copy.
    const planBytes = ready().planResize();
    // Copied now, because the steps overwrite the plan.
    plan = scratch.slice(0, planBytes);
  }
  // Removed and set again, so that the plan is the latest in the Map, and the one used longest ago the first.
  plans.delete(key);
  if (plan.length > 0) plans.set(key, plan);
  if (plans.size > maxPlans) plans.delete(/** @type {string} */ (plans.keys().next().value));
}

/** Gives the rows of the result that a step has made, if any, to `emit`: their address, and which part of the result
 * they are. `step`: the members of the module's struct `ResizeStep`; the constants are their indices.
 * @type {(step: Int32Array, emit: Emit) => void} */
function emitRows(step, emit) {
  const rows = step[cpp.resizeStepRows];
  if (rows === 0) return;
  const at = scratchByte + step[cpp.resizeStepAt];
  const row = step[cpp.resizeStepRow];
  const column = step[cpp.resizeStepColumn];
  const columns = step[cpp.resizeStepColumns];
  emit(at, { row, rows, column, columns });
}

/** Copies the rows of the picture that a step asks for into the module. The step lists them as runs, which are rows
 * that follow one another: the first row, the number of rows, and the place in the scratch area. All runs have the same
 * columns. `step` is the struct of `emitRows`.
 * @type {(step: Int32Array, image: Image) => void} */
function stageRuns(step, image) {
  const column = step[cpp.resizeStepStagedColumn];
  const columns = step[cpp.resizeStepStagedColumns];
  const runCount = step[cpp.resizeStepRuns];
  for (let k = 0; k < runCount; k++) {
    const run = cpp.resizeStepRun + k * cpp.resizeRunWords;
    const row = step[run + cpp.resizeRunRow];
    const rows = step[run + cpp.resizeRunRows];
    const at = scratchByte + step[run + cpp.resizeRunAt];
    stageRows(image, { row, rows, column, columns }, at);
  }
}

/** Lists the members of the module's `ResizeRequest`; see cpp/resize/plan.h. A member that is undefined gets its
 * initial value.
 * @type {(resizing: Resizing) => cpp.ResizeRequest} */
function requestOf({ image, sums, isNearest, isDownFirst, columns, rows, counted, alpha, reduction, rescaling }) {
  const { none, premultiply, onWhite } = ready();
  const alphaCodes = { white: onWhite, premultiplied: premultiply };
  // No spread objects: they take 10 us.
  return {
    sums,
    channels: image.channels,
    isNearest,
    isDownFirst,
    alpha: alpha === undefined ? none : alphaCodes[alpha],
    counted: counted ?? image.channels,
    isBgr: 'order' in image && image.order === 'BGRX',
    columns,
    rows,
    factorX: reduction?.factorX,
    factorY: reduction?.factorY,
    left: reduction?.left,
    top: reduction?.top,
    right: reduction?.right,
    bottom: reduction?.bottom,
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
  resizePixels(resizing, (at, part) => takeRows(destination, part, at));
}

/** Resizes to three planes of a float dtype of 16 or 32 bits; `resizing.rescaling` says which numbers they hold.
 * `frame`: a plane's width and height, and where the resized picture begins in it (x, y), in pixels.
 * @type {(resizing: Resizing, dtype: DType, destination: Uint8Array, frame: { x: number, y: number, width: number,
 *   height: number }) => void} */
export function resizeToPlanes(resizing, dtype, destination, { x, y, width, height }) {
  const { convert, emitBytes, saturateFlag } = ready();
  const numberBytes = dtype.bits / 8;
  const isFloat = dtype === dtypes.float32;
  startPlan();
  const converted = area.allocate(emitBytes);
  resizePixels(resizing, (at, { row, rows, column, columns }) => {
    const numberCount = 3 * rows * columns;
    if (!isFloat) convert(dtypes.float32.code, dtype.code, at, converted, numberCount, saturateFlag);
    const rowBytes = columns * numberBytes;
    // A row of the result is a row of each of the three planes, one behind the other.
    let from = isFloat ? at : converted;
    for (let i = 0; i < rows; i++)
      for (let plane = 0; plane < 3; plane++) {
        const planeRow = plane * height + y + row + i;
        const to = (planeRow * width + x + column) * numberBytes;
        destination.set(area.view(Uint8Array, from, rowBytes), to);
        from += rowBytes;
      }
  });
}

/** Gives the code of a filter or a rule, which the module exports as kind + name.
 * @type {(kind: string, name: string) => number} */
const codeOf = (kind, name) => /** @type {Record<string, number>} */ (/** @type {unknown} */ (ready()))[kind + name];

/** Give codes by the names in filters.def, opencv.def and float_filters.def. */
export const filterCode = (/** @type {string} */ name) => codeOf('filter', name);
export const ruleCode = (/** @type {string} */ name) => codeOf('openCv', name);
export const floatFilterCode = (/** @type {string} */ name) => codeOf('float', name);
