/** Embeddings packed as com.microsoft's GatherBlockQuantized has them. */
import { rangeError } from '../../arguments/index.js';
import { numbersAs } from '../../engine/index.js';
import { dtypes, encode, tensorOf } from '../../tensor/index.js';
import { packed } from './matmul-nbits.js';

/** @import { CheckedTensor, Tensor } from '../../tensor/index.js' */

const doubles = new Float64Array(1);
const words = new Int32Array(doubles.buffer);

/** @type {(value: number) => number} The bits that float16 lacks are lost in a sum with 1.5 * 2^42 times the power of
 *   two below the number, or below the least normal one. */
function toFloat16(value) {
  if (!(Math.abs(value) < 65520)) return value * Infinity;
  doubles[0] = value;
  const exponent = Math.max((words[1] >>> 20) & 0x7ff, 1023 - 14);
  words[0] = 0;
  words[1] = ((exponent + 42) << 20) | 0x80000;
  return value + doubles[0] - doubles[0] || 0 * value;
}

/** The nearest integer, ties to even, of a number below 2^51. */
const nearest = (/** @type {number} */ value) => value + 1.5 * 2 ** 52 - 1.5 * 2 ** 52;

/** @type {(value: number, lowest: number, highest: number) => number} */
const clamped = (value, lowest, highest) => Math.min(Math.max(value, lowest), highest);

/** @type {(name: string, parts: CheckedTensor, block: number, symmetric: boolean) => { data: Tensor, scales: Tensor,
 *   zero_points?: Tensor, squares: number }} Packs embeddings [rows, columns] to 4 bits with the bytes of onnxruntime's
 *   quantizer: arithmetic in the weights' type, divisions, halves to even. `squares`: the sum of squared errors.
 *   A float32 takes 21 ns, a float16 60 to 97; of MatMulNBits' kernel, which rounds otherwise, 2 (measured). */
export function packGather(name, { dtype, data, size, dims }, block, symmetric) {
  const [rows, columns] = dims;
  const isHalf = dtype === dtypes.float16;
  const round = (/** @type {number} */ value) => (isHalf ? toFloat16(value) : Math.fround(value));
  const count = Math.ceil(columns / block);
  const codes = new Uint8Array(rows * columns);
  const zeros = new Uint8Array(rows * count);
  const scales = new (isHalf ? Uint16Array : Float32Array)(rows * count);
  const numbers = numbersAs(dtype, dtypes.float32, size, data);
  const lowest = symmetric ? -8 : 0;
  let squares = 0;
  for (let at = 0; at < scales.length; at++) {
    const first = Math.floor(at / count) * columns + (at % count) * block;
    const end = first + Math.min(block, columns - (at % count) * block);
    const { low, high, isFinite } = rangeOf(numbers, first, end, symmetric, isHalf);
    if (!isFinite) rangeError(`${name} must hold finite numbers, got NaN or an infinity`);
    const most = Math.abs(high) > Math.abs(low) ? high : low;
    const scale = symmetric ? round(most / -8) : round(round(high - low) / 15);
    const zero = symmetric ? 0 : scale === 0 ? 8 : clamped(nearest(round(-low / scale)), 0, 15);
    scales[at] = encode(dtype, scale);
    zeros[at] = zero;
    for (let i = first; i < end; i++) {
      const quotient = scale === 0 ? 0 : round(numbers[i] / scale);
      const code = clamped(nearest(round(quotient + zero)), lowest, lowest + 15);
      codes[i] = code;
      squares += ((code - zero) * scale - numbers[i]) ** 2;
    }
  }
  const type = symmetric ? dtypes.int4 : dtypes.uint4;
  return {
    data: tensorOf(type, packed(4, codes), [rows, columns]),
    scales: tensorOf(dtype, scales, [rows, count]),
    ...(!symmetric && { zero_points: tensorOf(type, packed(4, zeros), [rows, count]) }),
    squares,
  };
}

/** @type {(numbers: Float32Array, first: number, end: number, symmetric: boolean, isHalf: boolean) => { low: number,
 *   high: number, isFinite: boolean }} Has 0 in it unless symmetric. NumPy's minimum of zeros is the last one in
 *   float32, the first in float16; the scale takes its sign. */
function rangeOf(numbers, first, end, symmetric, isHalf) {
  let low = symmetric ? numbers[first] : 0;
  let high = low;
  let finite = 0;
  for (let i = first; i < end; i++) {
    const value = numbers[i];
    if (value < low || (value === low && symmetric && !isHalf)) low = value;
    if (value > high) high = value;
    // 0 times what is not finite is NaN.
    finite += 0 * value;
  }
  return { low, high, isFinite: finite === 0 };
}
