/** Converts the elements of ONNX's operators to float32, in which the kernels compute, and back. */
import { rangeError } from '../arguments/index.js';
import { narrow, softmaxDoubles, widen } from '../engines/results/index.js';
import { dtypes, tensorOf } from '../tensor/index.js';
import { floats } from './tensors.js';

/** @import { CheckedTensor, Tensor } from '../tensor/index.js' */
/** @typedef {Pick<CheckedTensor, 'data' | 'dims' | 'dtype'>} TypedTensor */

/** Converts the elements of a float32, float16 or bfloat16 tensor to float32; float32 data are not copied.
 * @type {(tensor: TypedTensor) => Float32Array} */
export const floatsOf = ({ data, dtype }) =>
  dtype === dtypes.float32 ? data : dtype === dtypes.float16 ? widen(data, data.length) : ofBrain(data);

/** Makes a tensor of float32 numbers, which are rounded to the type of the first tensor: float32, float16 or bfloat16.
 * The dims are that tensor's, too.
 * @type {(like: TypedTensor, x: Float32Array) => Tensor} */
export function floatsLike({ data, dims, dtype }, x) {
  if (dtype === dtypes.float32) return floats(x, dims);
  // float16 has the caller's class of array: Uint16Array or Float16Array.
  const codes = dtype === dtypes.float16 ? new data.constructor(narrow(x).buffer) : toBrain(x);
  return tensorOf(dtype, codes, dims);
}

/** Converts codes of bfloat16 to float32. A code is the upper half of the float32's bits. A loop in JS: up to 17 ms for
 * 10^6 numbers.
 * @type {(codes: Uint16Array) => Float32Array} */
function ofBrain(codes) {
  const words = new Uint32Array(codes.length);
  for (let i = 0; i < words.length; i++) words[i] = codes[i] << 16;
  return new Float32Array(words.buffer);
}

/** Rounds float32 to codes of bfloat16, to nearest even; NaN becomes the positive quiet one.
 * @type {(x: Float32Array) => Uint16Array} */
function toBrain(x) {
  const words = new Uint32Array(x.buffer, x.byteOffset, x.length);
  const codes = new Uint16Array(x.length);
  // Half a unit of the upper 16 bits is added, less 1 bit where they are even; the division drops the lower bits.
  for (let i = 0; i < codes.length; i++)
    codes[i] = Number.isNaN(x[i]) ? 0x7fc0 : (words[i] + 0x7fff + ((words[i] >>> 16) & 1)) / 65536;
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
 * They are the elements themselves if float32 holds the type exactly, otherwise the elements' {@link ranks}.
 * @type {(tensor: TypedTensor) => Float32Array} */
export function ordered(tensor) {
  const { data, dtype } = tensor;
  if (dtype.format.kind === 'float' && dtype.bits <= 32) return floatsOf(tensor);
  if (dtype.bits <= 16) return new Float32Array(data);
  return ranks(dtype.bits === 64 && dtype !== dtypes.float64 ? orderedWords(data) : new Float64Array(data));
}

/** The limit of distinct numbers. A rank below it takes 21 bits, to which {@link orderedWords} adds 32: float64 holds
 * 53.
 */
const mostRanks = 2 ** 21;

/** Replaces each number by its rank, the count of distinct numbers below it; NaN stays. float32 holds all ranks, but
 * not all numbers of 32 and 64 bits. It takes 1.5 s for 10^6 int64, .9 s for float64, a third of it in the engine's
 * sort.
 * @type {(numbers: Float64Array) => Float32Array} */
function ranks(numbers) {
  const distinct = numbers.slice().sort();
  let count = 0;
  // Keep the first of equal numbers, and every NaN: they are sorted to the end.
  for (const number of distinct) if (!(number <= distinct[count - 1])) distinct[count++] = number;
  if (count > mostRanks) rangeError(`input must have at most ${mostRanks} different numbers, got ${count}`);
  return Float32Array.from(numbers, (number) => {
    // Search for the number by halves.
    let [first, end] = [0, count];
    while (first < end) {
      const middle = (first + end) >> 1;
      if (distinct[middle] < number) first = middle + 1;
      else end = middle;
    }
    return Number.isNaN(number) ? NaN : first;
  });
}

/** Makes float64 numbers that compare as 64-bit integers do, although float64 does not hold all of those: the rank of
 * an integer's upper 32 bits among all such, times 2^32, plus its lower 32 bits.
 * @type {(data: BigInt64Array | BigUint64Array) => Float64Array} */
function orderedWords(data) {
  const [low, high] = [new Uint32Array(data.buffer, data.byteOffset, 2 * data.length), new Float64Array(data.length)];
  // The upper half has the sign.
  const words = data instanceof BigInt64Array ? new Int32Array(data.buffer, data.byteOffset, low.length) : low;
  for (let i = 0; i < high.length; i++) high[i] = words[2 * i + 1];
  return Float64Array.from(ranks(high), (rank, i) => rank * 2 ** 32 + low[2 * i]);
}
