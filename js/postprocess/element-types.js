/** Elements of ONNX's operators in float32, in which the kernels compute, and back. */
import { rangeError } from '../arguments/index.js';
import { narrow, softmaxDoubles, widen } from '../engines/results/index.js';
import { dtypes, tensorOf } from '../tensor/index.js';
import { floats } from './tensors.js';

/** @import { CheckedTensor, Tensor } from '../tensor/index.js' */
/** @typedef {Pick<CheckedTensor, 'data' | 'dims' | 'dtype'>} TypedTensor */

/** The elements of a float32, float16 or bfloat16 tensor as float32.
 * @type {(tensor: TypedTensor) => Float32Array} */
export const floatsOf = ({ data, dtype }) =>
  dtype === dtypes.float32 ? data : dtype === dtypes.float16 ? widen(data, data.length) : ofBrain(data);

/** Makes a tensor of numbers with the type and the dims of `like`: float32, float16 or bfloat16.
 * @type {(like: TypedTensor, x: Float32Array) => Tensor} */
export function floatsLike({ data, dims, dtype }, x) {
  if (dtype === dtypes.float32) return floats(x, dims);
  const codes = dtype === dtypes.float16 ? new data.constructor(narrow(x).buffer) : toBrain(x);
  return tensorOf(dtype, codes, dims);
}

/** Widens bfloat16, whose codes are the upper halves of float32. A loop in JS: up to 17 ms for 10^6 numbers.
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
  for (let i = 0; i < codes.length; i++)
    codes[i] = Number.isNaN(x[i]) ? 0x7fc0 : (words[i] + 0x7fff + ((words[i] >>> 16) & 1)) / 65536;
  return codes;
}

/** The sigmoid of float64 numbers, as the softmax of each number and 0.
 * @type {(x: Float64Array) => Float64Array} */
export function sigmoidDoubles(x) {
  const pairs = new Float64Array(2 * x.length);
  pairs.set(x);
  return softmaxDoubles(pairs, { outer: 1, length: 2, inner: x.length }, false).slice(0, x.length);
}

/** Float32 numbers in the same order as a tensor's elements: the elements themselves if float32 holds them, otherwise
 * their ranks.
 * @type {(tensor: TypedTensor) => Float32Array} */
export function ordered(tensor) {
  const { data, dtype } = tensor;
  if (dtype.format.kind === 'float' && dtype.bits <= 32) return floatsOf(tensor);
  if (dtype.bits <= 16) return new Float32Array(data);
  return ranks(dtype.bits === 64 && dtype !== dtypes.float64 ? orderedWords(data) : new Float64Array(data));
}

/** The most distinct numbers: a rank below it, followed by 32 more bits, is exact in float64. */
const mostRanks = 2 ** 21;

/** The rank of each number among the distinct ones; NaN stays. Numbers of 32 and 64 bits need it, as float32 cannot
 * hold them: 1.5 s for 10^6 int64, .9 s for float64, a third of it in the engine's sort.
 * @type {(numbers: Float64Array) => Float32Array} */
function ranks(numbers) {
  const distinct = numbers.slice().sort();
  let count = 0;
  for (const number of distinct) if (!(number <= distinct[count - 1])) distinct[count++] = number;
  if (count > mostRanks) rangeError(`input must have at most ${mostRanks} different numbers, got ${count}`);
  return Float32Array.from(numbers, (number) => {
    let [first, end] = [0, count];
    while (first < end) {
      const middle = (first + end) >> 1;
      if (distinct[middle] < number) first = middle + 1;
      else end = middle;
    }
    return Number.isNaN(number) ? NaN : first;
  });
}

/** Float64 numbers in the same order as 64-bit integers: the rank of the high word times 2^32, plus the low word.
 * @type {(data: BigInt64Array | BigUint64Array) => Float64Array} */
function orderedWords(data) {
  const [low, high] = [new Uint32Array(data.buffer, data.byteOffset, 2 * data.length), new Float64Array(data.length)];
  const words = data instanceof BigInt64Array ? new Int32Array(data.buffer, data.byteOffset, low.length) : low;
  for (let i = 0; i < high.length; i++) high[i] = words[2 * i + 1];
  return Float64Array.from(ranks(high), (rank, i) => rank * 2 ** 32 + low[2 * i]);
}
