/** Softmax, maxima and selection through the module. Each function takes arrays and gives arrays of its own. */
import * as cpp from '../../../dist/bridge/results.js';
import { rangeError } from '../../arguments/index.js';
import { withMemory } from './load.js';
import { arena, kernels, rowsIn, sizeOf } from './module.js';

/** Bytes of a value with its index. */
const rankedBytes = cpp.Ranked.bytes;

/** Converts float16 codes to float32 numbers.
 * @type {(codes: ArrayBufferView, count: number) => Float32Array} */
export const widen = (codes, count) =>
  withMemory(() => {
    const to = arena.space(4 * sizeOf([count]));
    kernels.widen(arena.put(codes, 2 * count), count, to);
    return arena.take(Float32Array, to, count);
  });

/** Converts float32 numbers to float16 codes.
 * @type {(x: Float32Array) => Uint16Array} */
export const narrow = (x) =>
  withMemory(() => {
    const to = arena.space(2 * x.length);
    kernels.narrow(arena.put(x, 4 * x.length), x.length, to);
    return arena.take(Uint16Array, to, x.length);
  });

/** Computes the sigmoid of each number.
 * @type {(x: Float32Array, out?: Float32Array) => Float32Array} */
export const sigmoidOf = (x, out) =>
  withMemory(() => {
    const at = arena.put(x, 4 * x.length);
    kernels.sigmoid(at, x.length, at);
    return arena.take(Float32Array, at, x.length, out);
  });

/** Multiplies numbers at the same places.
 * @type {(a: Float32Array, b: Float32Array) => Float32Array} */
export const productOf = (a, b) =>
  withMemory(() => {
    const at = arena.put(a, 4 * a.length);
    kernels.multiply(at, arena.put(b, 4 * a.length), a.length, at);
    return arena.take(Float32Array, at, a.length);
  });

/** Computes the softmax of each row of this length.
 * @type {(x: Float32Array, length: number, out?: Float32Array) => Float32Array} */
export const softmaxOf = (x, length, out) =>
  withMemory(() => {
    const rows = rowsIn(x, length);
    const at = arena.put(x, 4 * rows * length);
    kernels.softmax(at, rows, length, at);
    return arena.take(Float32Array, at, x.length, out);
  });

/** Computes the softmax along the outer axis, which has this length.
 * @type {(x: Float32Array, length: number) => Float32Array} */
export const outerSoftmaxOf = (x, length) =>
  withMemory(() => {
    const inner = rowsIn(x, length);
    const [from, to] = [arena.put(x, 4 * length * inner), arena.space(x.byteLength)];
    if (length > 0) kernels.softmax_outer(from, length, inner, to);
    return arena.take(Float32Array, to, x.length);
  });

/** Finds the greatest or least number along the middle axis of [outer, length, inner]: its index, that of the first of
 * equals, and its value.
 * @param {Float32Array} x
 * @param {{ outer: number, length: number, inner: number, isLeast?: boolean, isLast?: boolean }} axes `length` is above
 *   0; `isLast`: the last of equals
 * @returns {{ indices: Int32Array, values: Float32Array }} */
export const extremesOf = (x, { outer, length, inner, isLeast = false, isLast = false }) =>
  withMemory(() => {
    const count = sizeOf([outer, inner]);
    const [indices, values] = [arena.space(4 * count), arena.space(4 * count)];
    const from = arena.put(x, 4 * count * sizeOf([length], 1));
    kernels.find_extreme(...[Number(isLeast), Number(isLast), from, outer, length, inner, indices, values]);
    return { indices: arena.take(Int32Array, indices, count), values: arena.take(Float32Array, values, count) };
  });

/** Finds the greatest numbers of each row, in torch's order.
 * @param {Float32Array} x
 * @param {number} length of a row
 * @param {number} count of a row's results, at most its length
 * @param {boolean} sorted
 * @returns {{ indices: Int32Array, values: Float32Array }} */
export const greatestOf = (x, length, count, sorted) =>
  withMemory(() => {
    const rows = rowsIn(x, length);
    checkTop(count, length);
    const indices = new Int32Array(rows * count);
    const values = new Float32Array(rows * count);
    const [from, items] = [arena.put(x, 4 * rows * length), arena.space(rankedBytes * length)];
    const numbers = arena.view(Float32Array, items, 2 * count);
    const places = arena.view(Int32Array, items, 2 * count);
    for (let row = 0; row < rows; row++) {
      kernels.top_k(from + 4 * row * length, length, count, Number(sorted), items);
      for (let i = 0; i < count; i++) {
        values[row * count + i] = numbers[2 * i];
        indices[row * count + i] = places[2 * i + 1];
      }
    }
    return { indices, values };
  });

/** Refuses more results of a row than it has numbers.
 * @type {(count: number, length: number) => void} */
function checkTop(count, length) {
  if (sizeOf([count]) > length) rangeError(`count must be at most ${length}, got ${count}`);
}

/** Sorts indices by falling value; equal values stay in order.
 * @type {(x: Float32Array) => Int32Array} */
export const descendingOrder = (x) => withMemory(() => arena.take(Int32Array, putOrder(x), x.length));

/** @type {(x: Float32Array) => number} the address of {@link descendingOrder} */
export const putOrder = (x) => putSorted(arena.put(x, 4 * x.length), x.length).order;

/** Sorts numbers of the module by falling value, and returns the addresses of the indices and the values.
 * @type {(at: number, length: number) => { order: number, values: number }} */
export function putSorted(at, length) {
  const [items, values, order] = [
    arena.space(2 * rankedBytes * length),
    arena.space(4 * length),
    arena.space(4 * length),
  ];
  kernels.sort_rows(at, 1, length, length, 0, items, values, order);
  return { order, values };
}

/** @typedef {{ outer: number, length: number, inner: number }} Axes the extents before an axis, of it, and behind it */

/** Swaps an axis to the end, so that it becomes rows, and the results of `work` back.
 * @param {Float32Array} x [outer, length, inner]
 * @param {Axes} axes
 * @param {(rows: Float32Array) => Float32Array} work
 * @returns {Float32Array} */
function alongRows(x, { outer, length, inner }, work) {
  if (inner === 1) return work(x);
  const rows = work(swapped(x, outer, length, inner));
  return swapped(rows, outer, inner, rows.length / (outer * inner || 1));
}

/** Swaps the last two axes of [outer, rows, columns].
 * @type {(x: Float32Array, outer: number, rows: number, columns: number) => Float32Array} */
export const swapped = (x, outer, rows, columns) =>
  withMemory(() => {
    const length = sizeOf([outer, rows, columns]);
    const to = arena.space(4 * length);
    kernels.swap_axes(arena.put(x, 4 * length), outer, rows, columns, to);
    return arena.take(Float32Array, to, length);
  });

/** @type {(x: Float32Array, axes: Axes) => Float32Array} softmax along an axis */
export const softmaxAlong = (x, axes) => alongRows(x, axes, (rows) => softmaxOf(rows, axes.length));

/** Computes the logarithm of the softmax along an axis, by float64 sums.
 * @type {(x: Float32Array, axes: Axes) => Float32Array} */
export const logSoftmaxAlong = (x, axes) => new Float32Array(softmaxDoubles(new Float64Array(x), axes, true));

/** Computes the softmax along an axis in float64, or its logarithm.
 * @type {(x: Float64Array, axes: Axes, isLog: boolean) => Float64Array} */
export const softmaxDoubles = (x, { outer, length, inner }, isLog) =>
  withMemory(() => {
    const size = sizeOf([outer, length, inner]);
    const at = arena.put(x, 8 * size);
    kernels.softmax_doubles(at, outer, length, inner, Number(isLog), at);
    return arena.take(Float64Array, at, size);
  });

/** Finds the `count` greatest numbers along an axis, or the least; equal ones stay in order.
 * @param {Float32Array} x
 * @param {Axes & { count: number, isLeast: boolean }} axes
 * @returns {{ values: Float32Array, indices: Int32Array }} [outer, count, inner] */
export function sortedAlong(x, { count, isLeast, ...axes }) {
  let places = /** @type {Float32Array | undefined} */ (undefined);
  const values = alongRows(x, axes, (rows) =>
    withMemory(() => {
      const { outer, inner, length } = axes;
      const lines = sizeOf([outer, inner]);
      checkTop(count, length);
      const [items, to, at] = [
        arena.space(2 * rankedBytes * length),
        arena.space(4 * lines * count),
        arena.space(4 * lines * count),
      ];
      const from = arena.put(rows, 4 * lines * length);
      kernels.sort_rows(...[from, lines, length, count, Number(isLeast), items, to, at]);
      places = arena.take(Float32Array, at, lines * count);
      return arena.take(Float32Array, to, lines * count);
    }),
  );
  // Indices pass as the bits of float32: the swap moves words.
  const ranked = /** @type {Float32Array} */ (places);
  const bits = axes.inner === 1 ? ranked : swapped(ranked, axes.outer, axes.inner, count);
  return { values, indices: new Int32Array(bits.buffer, bits.byteOffset, bits.length) };
}
