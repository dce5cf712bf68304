/** Softmax, maxima and selection through the module. Each function takes arrays and gives arrays of its own, or `out`
 * if it is given. Names that end in `At` are addresses in the module; functions named `put…` take memory of `arena`,
 * and return addresses in it. */
import * as cpp from '../../../dist/bridge/results.js';
import { rangeError } from '../../arguments/index.js';
import { doubleBytes, floatBytes, intBytes } from '../memory/index.js';
import { withMemory } from './load.js';
import { arena, kernels, rowsIn, sizeOf } from './module.js';

/** Bytes of a number and its index, of which the kernels' work memory holds lists. */
const rankedBytes = cpp.Ranked.bytes;
/** Bytes of a float16 number. */
const halfBytes = 2;

/** Converts the first `count` float16 numbers of an array to float32.
 * @type {(codes: ArrayBufferView, count: number) => Float32Array} */
export const widen = (codes, count) =>
  withMemory(() => {
    const floatsAt = arena.allocate(floatBytes * sizeOf([count]));
    const codesAt = arena.copyIn(codes, halfBytes * count);
    kernels.widen(codesAt, count, floatsAt);
    return arena.copyOut(Float32Array, floatsAt, count);
  });

/** Converts float32 numbers to the codes of float16, rounded to nearest even.
 * @type {(x: Float32Array) => Uint16Array} */
export const narrow = (x) =>
  withMemory(() => {
    const codesAt = arena.allocate(halfBytes * x.length);
    const floatsAt = arena.copyIn(x, floatBytes * x.length);
    kernels.narrow(floatsAt, x.length, codesAt);
    return arena.copyOut(Uint16Array, codesAt, x.length);
  });

/** Computes 1 / (1 + exp(-x)) of each number.
 * @type {(x: Float32Array, out?: Float32Array) => Float32Array} */
export const sigmoidOf = (x, out) =>
  withMemory(() => {
    const xAt = arena.copyIn(x, floatBytes * x.length);
    kernels.sigmoid(xAt, x.length, xAt);
    return arena.copyOut(Float32Array, xAt, x.length, out);
  });

/** Multiplies each number of `a` by the number of `b` at the same place.
 * @type {(a: Float32Array, b: Float32Array) => Float32Array} */
export const productOf = (a, b) =>
  withMemory(() => {
    const aAt = arena.copyIn(a, floatBytes * a.length);
    const bAt = arena.copyIn(b, floatBytes * a.length);
    kernels.multiply(aAt, bAt, a.length, aAt);
    return arena.copyOut(Float32Array, aAt, a.length);
  });

/** Computes the softmax of each row of `length` numbers. Refuses numbers that do not fill whole rows.
 * @type {(x: Float32Array, length: number, out?: Float32Array) => Float32Array} */
export const softmaxOf = (x, length, out) =>
  withMemory(() => {
    const rows = rowsIn(x, length);
    const xAt = arena.copyIn(x, floatBytes * x.length);
    kernels.softmax(xAt, rows, length, xAt);
    return arena.copyOut(Float32Array, xAt, x.length, out);
  });

/** Computes the softmax along the first axis of a matrix of `length` rows: of each column.
 * @type {(x: Float32Array, length: number) => Float32Array} */
export const outerSoftmaxOf = (x, length) =>
  withMemory(() => {
    const inner = rowsIn(x, length);
    const xAt = arena.copyIn(x, floatBytes * length * inner);
    const resultAt = arena.allocate(x.byteLength);
    // The kernel reads a first row.
    if (length > 0) kernels.softmax_outer(xAt, length, inner, resultAt);
    return arena.copyOut(Float32Array, resultAt, x.length);
  });

/** Finds the greatest number along the middle axis of [outer, length, inner], the first of equals; NaN counts as the
 * greatest number, or as the least one where that is asked for.
 * @param {Float32Array} x
 * @param {{ outer: number, length: number, inner: number, isLeast?: boolean, isLast?: boolean }} axes `length` is above
 *   0; `isLeast`: the least number instead; `isLast`: the last of equals
 * @returns {{ indices: Int32Array, values: Float32Array }} [outer, inner]: places along the axis, and the numbers */
export const extremesOf = (x, { outer, length, inner, isLeast = false, isLast = false }) =>
  withMemory(() => {
    const count = sizeOf([outer, inner]);
    const indicesAt = arena.allocate(intBytes * count);
    const valuesAt = arena.allocate(floatBytes * count);
    const xAt = arena.copyIn(x, floatBytes * count * sizeOf([length], 1));
    kernels.find_extreme(Number(isLeast), Number(isLast), xAt, outer, length, inner, indicesAt, valuesAt);
    return {
      indices: arena.copyOut(Int32Array, indicesAt, count),
      values: arena.copyOut(Float32Array, valuesAt, count),
    };
  });

/** Finds the `count` greatest numbers of each row of `length`, as torch.topk on a CPU does: with equal numbers in its
 * order, and all in its order unless `sorted`. Returns their places in the row, and the numbers: [rows, count].
 * @type {(x: Float32Array, length: number, count: number, sorted: boolean) =>
 *   { indices: Int32Array, values: Float32Array }} */
export const greatestOf = (x, length, count, sorted) =>
  withMemory(() => {
    const rows = rowsIn(x, length);
    checkCount(count, length);
    const indices = new Int32Array(rows * count);
    const values = new Float32Array(rows * count);
    const xAt = arena.copyIn(x, floatBytes * rows * length);
    const itemsAt = arena.allocate(rankedBytes * length);
    // The kernel writes pairs of a float32 number and its int32 place.
    const itemsAsFloats = arena.view(Float32Array, itemsAt, 2 * count);
    const itemsAsIntegers = arena.view(Int32Array, itemsAt, 2 * count);
    for (let row = 0; row < rows; row++) {
      const rowAt = xAt + floatBytes * row * length;
      kernels.top_k(rowAt, length, count, Number(sorted), itemsAt);
      for (let i = 0; i < count; i++) {
        values[row * count + i] = itemsAsFloats[2 * i];
        indices[row * count + i] = itemsAsIntegers[2 * i + 1];
      }
    }
    return { indices, values };
  });

/** @type {(count: number, length: number) => void} */
function checkCount(count, length) {
  if (sizeOf([count]) > length) rangeError(`count must be at most ${length}, got ${count}`);
}

/** Lists the indices of all numbers, the greatest number first; equal ones stay in order.
 * @type {(x: Float32Array) => Int32Array} */
export const descendingOrder = (x) => withMemory(() => arena.copyOut(Int32Array, putOrder(x), x.length));

/** Puts the indices that {@link descendingOrder} gives into the module.
 * @type {(x: Float32Array) => number} their address */
export const putOrder = (x) => putSorted(arena.copyIn(x, floatBytes * x.length), x.length).order;

/** An order of the kernel `sort_rows`. The other one is 1, the least first. */
const greatestFirst = 0;

/** Sorts `length` float32 numbers at an address by falling value; equal ones stay in order, NaN is greatest. Returns
 * the addresses of the sorted numbers (`values`) and of their indices before (`order`).
 * @type {(at: number, length: number) => { order: number, values: number }} */
export function putSorted(at, length) {
  const itemsAt = arena.allocate(2 * rankedBytes * length); // work memory of the kernel
  const values = arena.allocate(floatBytes * length);
  const order = arena.allocate(intBytes * length);
  const [rows, listed] = [1, length];
  kernels.sort_rows(at, rows, length, listed, greatestFirst, itemsAt, values, order);
  return { order, values };
}

/** @typedef {{ outer: number, length: number, inner: number }} Axes the extents before an axis, of it, and behind it */

/** Calls `work` with numbers [outer, length, inner] as rows [outer, inner, length], and swaps its results back, whose
 * rows may have another length.
 * @type {(x: Float32Array, axes: Axes, work: (rows: Float32Array) => Float32Array) => Float32Array} */
function alongRows(x, { outer, length, inner }, work) {
  const isLastAxis = inner === 1;
  if (isLastAxis) return work(x);
  const results = work(swapped(x, outer, length, inner));
  const lines = outer * inner;
  const resultLength = lines === 0 ? 0 : results.length / lines;
  return swapped(results, outer, inner, resultLength);
}

/** Transposes each matrix of [outer, rows, columns]: the result is [outer, columns, rows].
 * @type {(x: Float32Array, outer: number, rows: number, columns: number) => Float32Array} */
export const swapped = (x, outer, rows, columns) =>
  withMemory(() => {
    const length = sizeOf([outer, rows, columns]);
    const swappedAt = arena.allocate(floatBytes * length);
    const xAt = arena.copyIn(x, floatBytes * length);
    kernels.swap_axes(xAt, outer, rows, columns, swappedAt);
    return arena.copyOut(Float32Array, swappedAt, length);
  });

/** Computes the softmax along an axis.
 * @type {(x: Float32Array, axes: Axes) => Float32Array} */
export const softmaxAlong = (x, axes) => alongRows(x, axes, (rows) => softmaxOf(rows, axes.length));

/** Computes the logarithm of the softmax along an axis, by float64 sums.
 * @type {(x: Float32Array, axes: Axes) => Float32Array} */
export const logSoftmaxAlong = (x, axes) => {
  const isLog = true;
  return new Float32Array(softmaxDoubles(new Float64Array(x), axes, isLog));
};

/** Computes the softmax along an axis in float64, or its logarithm.
 * @type {(x: Float64Array, axes: Axes, isLog: boolean) => Float64Array} */
export const softmaxDoubles = (x, { outer, length, inner }, isLog) =>
  withMemory(() => {
    const size = sizeOf([outer, length, inner]);
    const xAt = arena.copyIn(x, doubleBytes * size);
    kernels.softmax_doubles(xAt, outer, length, inner, Number(isLog), xAt);
    return arena.copyOut(Float64Array, xAt, size);
  });

/** Finds the `count` greatest numbers along an axis, or the least ones, in falling or rising order, and their places
 * along it: [outer, count, inner]. Equal ones stay in order, NaN is greatest.
 * @type {(x: Float32Array, axes: Axes & { count: number, isLeast: boolean }) =>
 *   { values: Float32Array, indices: Int32Array }} */
export function sortedAlong(x, { count, isLeast, ...axes }) {
  const { outer, inner, length } = axes;
  // The bits of int32 indices as float32, because `swapped` moves those. Set by the work below.
  let indexBits = new Float32Array();
  const values = alongRows(x, axes, (rows) =>
    withMemory(() => {
      const lines = sizeOf([outer, inner]);
      checkCount(count, length);
      const items = arena.allocate(2 * rankedBytes * length);
      const [numbers, places] = [arena.allocate(floatBytes * lines * count), arena.allocate(intBytes * lines * count)];
      const from = arena.copyIn(rows, floatBytes * lines * length);
      kernels.sort_rows(from, lines, length, count, Number(isLeast), items, numbers, places);
      indexBits = arena.copyOut(Float32Array, places, lines * count);
      return arena.copyOut(Float32Array, numbers, lines * count);
    }),
  );
  const isLastAxis = inner === 1;
  // `swapped` moves words of 4 bytes as they are, so that the indices' bits are kept.
  const { buffer, byteOffset, length: entries } = isLastAxis ? indexBits : swapped(indexBits, outer, inner, count);
  return { values, indices: new Int32Array(buffer, byteOffset, entries) };
}
