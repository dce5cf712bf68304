/** Softmax, maxima and selection through the module. Each function takes arrays and gives arrays of its own. */
import { kernels, put, space, take, view, withMemory } from './module.js';

/** Bytes of a value with its index; see cpp/postprocess/select.h. */
const rankedBytes = 8;

/** @type {(codes: ArrayBufferView, count: number) => Float32Array} float32 numbers of float16 codes */
export const widen = (codes, count) =>
  withMemory(() => {
    const to = space(4 * count);
    kernels.widen(put(codes), count, to);
    return take(Float32Array, to, count);
  });

/** @type {(x: Float32Array) => Float32Array} */
export const sigmoidOf = (x) =>
  withMemory(() => {
    const at = put(x);
    kernels.sigmoid(at, x.length, at);
    return take(Float32Array, at, x.length);
  });

/** @type {(a: Float32Array, b: Float32Array) => Float32Array} products of numbers at the same places */
export const productOf = (a, b) =>
  withMemory(() => {
    const at = put(a);
    kernels.multiply(at, put(b), a.length, at);
    return take(Float32Array, at, a.length);
  });

/** @type {(x: Float32Array, length: number) => Float32Array} of each row of this length */
export const softmaxOf = (x, length) =>
  withMemory(() => {
    const at = put(x);
    if (length > 0) kernels.softmax(at, x.length / length, length, at);
    return take(Float32Array, at, x.length);
  });

/** @type {(x: Float32Array, length: number) => Float32Array} over the outer axis, which has this length */
export const outerSoftmaxOf = (x, length) =>
  withMemory(() => {
    const to = space(x.byteLength);
    if (length > 0) kernels.softmax_outer(put(x), length, x.length / length, to);
    return take(Float32Array, to, x.length);
  });

/**
 * The first index of the extreme along the middle axis of [outer, length, inner], and its value.
 * @param {Float32Array} x
 * @param {{ outer: number, length: number, inner: number, isLeast?: boolean }} axes `length` is above 0
 * @returns {{ indices: Int32Array, values: Float32Array }}
 */
export const extremesOf = (x, { outer, length, inner, isLeast = false }) =>
  withMemory(() => {
    const count = outer * inner;
    const [indices, values] = [space(4 * count), space(4 * count)];
    kernels.find_extreme(Number(isLeast), put(x), outer, length, inner, indices, values);
    return { indices: take(Int32Array, indices, count), values: take(Float32Array, values, count) };
  });

/**
 * The greatest numbers of each row in torch's order.
 * @param {Float32Array} x
 * @param {number} length of a row
 * @param {number} count of a row's results, at most its length
 * @param {boolean} sorted
 * @returns {{ indices: Int32Array, values: Float32Array }}
 */
export const greatestOf = (x, length, count, sorted) =>
  withMemory(() => {
    const rows = length > 0 ? x.length / length : 0;
    const indices = new Int32Array(rows * count);
    const values = new Float32Array(rows * count);
    const [from, items] = [put(x), space(rankedBytes * length)];
    const numbers = view(Float32Array, items, 2 * count);
    const places = view(Int32Array, items, 2 * count);
    for (let row = 0; row < rows; row++) {
      kernels.top_k(from + 4 * row * length, length, count, Number(sorted), items);
      for (let i = 0; i < count; i++) {
        values[row * count + i] = numbers[2 * i];
        indices[row * count + i] = places[2 * i + 1];
      }
    }
    return { indices, values };
  });

/** @type {(x: Float32Array) => Int32Array} indices by falling value; equal values stay in order */
export const descendingOrder = (x) => withMemory(() => take(Int32Array, putOrder(x), x.length));

/** @type {(x: Float32Array) => number} the address of {@link descendingOrder} */
export function putOrder(x) {
  const [items, order] = [space(2 * rankedBytes * x.length), space(4 * x.length)];
  kernels.sort_descending(put(x), x.length, items, order);
  return order;
}
