/** Converts the elements of ONNX's operators to float32, in which the kernels compute, and back. */
import { rangeError } from '../arguments/index.js';
import { narrow, softmaxDoubles, widen } from '../engines/results/index.js';
import { dtypes, tensorOf } from '../tensor/index.js';
import { floats } from './tensors.js';

/** @import { CheckedTensor, Tensor } from '../tensor/index.js' */
/** @typedef {Pick<CheckedTensor, 'data' | 'dims' | 'dtype'>} TypedTensor */

/** Converts the elements of a float32, float16 or bfloat16 tensor to float32; float32 data are not copied.
 * @type {(tensor: TypedTensor) => Float32Array} */
export function floatsOf({ data, dtype }) {
  if (dtype === dtypes.float32) return data;
  return dtype === dtypes.float16 ? widen(data, data.length) : widenBfloat16(data);
}

/** Makes a tensor of float32 numbers with the type and the dims of the first tensor: float32, float16 or bfloat16.
 * @type {(like: TypedTensor, x: Float32Array) => Tensor} */
export function floatsLike({ data, dims, dtype }, x) {
  if (dtype === dtypes.float32) return floats(x, dims);
  // float16 has the caller's class of array: Uint16Array or Float16Array.
  const codes = dtype === dtypes.float16 ? new data.constructor(narrow(x).buffer) : roundToBfloat16(x);
  return tensorOf(dtype, codes, dims);
}

/** Converts codes of bfloat16, each the upper half of a float32's bits, to float32. It takes up to 17 ms for 10^6.
 * @type {(codes: Uint16Array) => Float32Array} */
function widenBfloat16(codes) {
  const words = new Uint32Array(codes.length);
  for (let i = 0; i < words.length; i++) words[i] = codes[i] << 16;
  return new Float32Array(words.buffer);
}

/** The positive quiet NaN of bfloat16. */
const bfloat16NaN = 0x7fc0;

/** Rounds float32 to codes of bfloat16, to nearest even. @type {(x: Float32Array) => Uint16Array} */
function roundToBfloat16(x) {
  const words = new Uint32Array(x.buffer, x.byteOffset, x.length);
  const codes = new Uint16Array(x.length);
  for (let i = 0; i < codes.length; i++) {
    const isOdd = (words[i] >>> 16) & 1;
    // Half a unit of the upper 16 bits, less 1 where they are even, so that ties go to even.
    const rounding = 0x7fff + isOdd;
    codes[i] = Number.isNaN(x[i]) ? bfloat16NaN : (words[i] + rounding) / 2 ** 16;
  }
  return codes;
}

/** Computes the sigmoid of float64 numbers: the first of the two numbers of softmax(x, 0), 1 / (1 + exp(-x)).
 * @type {(x: Float64Array) => Float64Array} */
export function sigmoidDoubles(x) {
  // [2, n]: the numbers, then zeros. The softmax runs down the columns; `false` takes no logarithm of it.
  const pairs = new Float64Array(2 * x.length);
  pairs.set(x);
  return softmaxDoubles(pairs, { outer: 1, length: 2, inner: x.length }, false).slice(0, x.length);
}

/** Makes float32 numbers that compare as the elements of a tensor do, for operators that select elements by comparing.
 * They are the elements themselves if float32 holds the type exactly, otherwise the elements' {@link ranksOf}.
 * @type {(tensor: TypedTensor) => Float32Array} */
export function comparableFloats(tensor) {
  const { data, dtype } = tensor;
  if (dtype.format.kind === 'float' && dtype.bits <= 32) return floatsOf(tensor);
  if (dtype.bits <= 16) return new Float32Array(data);
  const isInt64 = dtype.bits === 64 && dtype !== dtypes.float64;
  return ranksOf(isInt64 ? comparableDoubles(data) : new Float64Array(data));
}

/** The limit of distinct numbers. A rank below it takes 21 bits, to which {@link comparableDoubles} adds 32: float64
 * holds 53. */
const maxRanks = 2 ** 21;

/** Replaces each number by its rank, the count of distinct numbers below it; NaN stays. float32 holds all ranks, but
 * not all numbers of 32 and 64 bits. It takes 1.5 s for 10^6 int64, .9 s for float64, a third of it in the engine's
 * sort.
 * @type {(numbers: Float64Array) => Float32Array} */
function ranksOf(numbers) {
  const distinct = sortedDistinct(numbers);
  if (distinct.length > maxRanks)
    rangeError(`input must have at most ${maxRanks} different numbers, got ${distinct.length}`);
  return Float32Array.from(numbers, (number) => (Number.isNaN(number) ? NaN : countBelow(distinct, number)));
}

/** Sorts numbers, and keeps the first of equal ones, and every NaN: they are sorted to the end.
 * @type {(numbers: Float64Array) => Float64Array} */
function sortedDistinct(numbers) {
  const sorted = numbers.slice().sort();
  let count = 0;
  for (const number of sorted) {
    const isRepeated = number <= sorted[count - 1];
    if (isRepeated) continue;
    sorted[count] = number;
    count++;
  }
  return sorted.subarray(0, count);
}

/** Counts the numbers of a sorted list that are below a number, by a binary search.
 * @type {(sorted: Float64Array, number: number) => number} */
function countBelow(sorted, number) {
  let [first, end] = [0, sorted.length];
  while (first < end) {
    const middle = (first + end) >> 1;
    if (sorted[middle] < number) first = middle + 1;
    else end = middle;
  }
  return first;
}

/** Makes float64 numbers that compare as 64-bit integers do, although float64 does not hold all of those: the rank of
 * an integer's upper 32 bits among all such, times 2^32, plus its lower 32 bits.
 * @type {(data: BigInt64Array | BigUint64Array) => Float64Array} */
function comparableDoubles(data) {
  const words = new Uint32Array(data.buffer, data.byteOffset, 2 * data.length);
  // The upper half has the sign.
  const signed = data instanceof BigInt64Array ? new Int32Array(data.buffer, data.byteOffset, words.length) : words;
  const upper = new Float64Array(data.length);
  for (let i = 0; i < upper.length; i++) upper[i] = signed[2 * i + 1];
  return Float64Array.from(ranksOf(upper), (rank, i) => rank * 2 ** 32 + words[2 * i]);
}
