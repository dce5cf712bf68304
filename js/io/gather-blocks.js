/** Embeddings packed as com.microsoft's GatherBlockQuantized has them. */
import { wrongValue } from '../arguments/index.js';
import { decode, dtypes, encode, tensorOf } from '../tensor/index.js';
import { packed } from './matmul-nbits.js';

/** @import { Parts, Tensor } from '../tensor/index.js' */

/** @type {(value: number) => number} */
const toFloat16 = (value) => decode(dtypes.float16, [encode(dtypes.float16, value)], 0);

/** The nearest integer, ties to even, of a number below 2^51. */
const nearest = (/** @type {number} */ value) => value + 1.5 * 2 ** 52 - 1.5 * 2 ** 52;

/** @type {(value: number, lowest: number, highest: number) => number} */
const clamped = (value, lowest, highest) => Math.min(Math.max(value, lowest), highest);

/**
 * Packs embeddings to 4 bits, in blocks of their last axis, with the bytes of onnxruntime's quantizer: arithmetic in
 * the weights' own type, divisions, halves to even.
 * @param {string} prefix
 * @param {string} name of the weights, in messages
 * @param {Parts} parts of [rows, columns], float32 or float16
 * @param {number} block
 * @param {boolean} symmetric
 * @returns {{ data: Tensor, scales: Tensor, zero_points?: Tensor, squares: number }} `squares`: the sum of the
 *   squared errors
 */
export function packGather(prefix, name, { dtype, data, dims }, block, symmetric) {
  const [rows, columns] = dims;
  const round = dtype === dtypes.float16 ? toFloat16 : Math.fround;
  const count = Math.ceil(columns / block);
  const codes = new Uint8Array(rows * columns);
  const zeros = new Uint8Array(rows * count);
  const scales = new (dtype === dtypes.float16 ? Uint16Array : Float32Array)(rows * count);
  const numbers = Float32Array.from({ length: codes.length }, (_, i) => decode(dtype, data, i));
  if (!numbers.every(Number.isFinite)) wrongValue(prefix, `${name} must hold finite numbers, got NaN or an infinity`);
  let squares = 0;
  for (let at = 0; at < scales.length; at++) {
    const first = Math.floor(at / count) * columns + (at % count) * block;
    const length = Math.min(block, columns - (at % count) * block);
    const own = numbers.subarray(first, first + length);
    const { scale, zero, codeOf } = symmetric ? symmetricRule(own, round) : rangeRule(own, round);
    scales[at] = encode(dtype, scale);
    zeros[at] = zero;
    own.forEach((value, i) => {
      const code = codeOf(value);
      codes[first + i] = code;
      squares += ((code - zero) * scale - value) ** 2;
    });
  }
  const type = symmetric ? dtypes.int4 : dtypes.uint4;
  return {
    data: tensorOf(type, packed(prefix, 4, codes), [rows, columns]),
    scales: tensorOf(dtype, scales, [rows, count]),
    ...(!symmetric && { zero_points: tensorOf(type, packed(prefix, 4, zeros), [rows, count]) }),
    squares,
  };
}

/** @typedef {(value: number) => number} Round */

/**
 * NumPy's minimum of zeros is the last of them in float32, and the first in float16: its sign is that of the scale.
 * @type {(own: Float32Array, round: Round) => { scale: number, zero: number, codeOf: Round }}
 */
function symmetricRule(own, round) {
  const isLast = round === Math.fround;
  let [low, high] = [own[0], own[0]];
  for (const value of own) {
    if (value < low || (isLast && value === low)) low = value;
    if (value > high) high = value;
  }
  const scale = round((Math.abs(high) > Math.abs(low) ? high : low) / -8);
  return { scale, zero: 0, codeOf: (value) => (scale === 0 ? 0 : clamped(nearest(round(value / scale)), -8, 7)) };
}

/** @type {(own: Float32Array, round: Round) => { scale: number, zero: number, codeOf: Round }} */
function rangeRule(own, round) {
  let [low, high] = [0, 0];
  for (const value of own) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const scale = round(round(high - low) / 15);
  const zero = scale === 0 ? 8 : clamped(nearest(round(-low / scale)), 0, 15);
  const codeOf = (/** @type {number} */ value) =>
    scale === 0 ? 8 : clamped(nearest(round(round(value / scale) + zero)), 0, 15);
  return { scale, zero, codeOf };
}
