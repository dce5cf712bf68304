/** Embeddings packed as com.microsoft's GatherBlockQuantized has them. */
import { bytesOf, rangeError } from '../../arguments/index.js';
import { numbersAs, quantizeBytes } from '../../engine/index.js';
import { dtypes, newData, tensorOf } from '../../tensor/index.js';
import { packed } from './matmul-nbits.js';

/** @import { CheckedTensor } from '../../tensor/index.js' */
/** @import { Pack } from './types.js' */

const { float32 } = dtypes;

/** The nearest integer, ties to even, of a number below 2^51. */
const nearest = (/** @type {number} */ value) => value + 1.5 * 2 ** 52 - 1.5 * 2 ** 52;

/** Packs embeddings [rows, columns] to 4 bits with the bytes of onnxruntime's quantizer: arithmetic in the weights'
 * type, divisions, halves to even. The module divides and rounds. A loop here finds the ranges, another one sums the
 * errors: 10 and 3 ns of the 21 that a float32 takes on a busy core (measured); the module has neither.
 * @type {Pack} */
export function packGather(name, parts, { block, symmetric, codes, measured }) {
  const { dtype, data, size, dims } = parts;
  const [rows, columns] = dims;
  const blocks = [rows, Math.ceil(columns / block)];
  const numbers = numbersAs(dtype, float32, size, data);
  const { scales, zeros } = scalesOf(name, parts, numbers, { block, count: blocks[0] * blocks[1], symmetric });
  const sums = new Float32Array(size);
  const given = {
    sharing: { width: 1, rows: columns, block },
    // Numbers of a block whose scale is 0 are 0 beside a half.
    ...{ scales: scales.map((scale) => scale || 1), zeros, defaultZeroPoint: 0 },
  };
  const sources = { size, source: bytesOf(data), destination: bytesOf(sums) };
  quantizeBytes({ from: dtype, to: float32, ...sources }, given, { precision: dtype, saturate: true });
  const result = newData(codes, size, undefined);
  const rounding = { sharing: { width: 1, rows: Infinity, block: Infinity }, zeros: undefined, defaultZeroPoint: 0 };
  const inCodes = { from: float32, to: codes, size, source: bytesOf(sums), destination: result };
  quantizeBytes(inCodes, { ...rounding, scales: Float32Array.of(1) }, { precision: float32, saturate: true });
  return {
    tensors: [
      tensorOf(codes, result, [rows, columns]),
      tensorOf(dtype, numbersAs(float32, dtype, scales.length, scales), blocks),
      tensorOf(codes, packed(4, Uint8Array.from(zeros)), blocks),
    ],
    squares: measured
      ? squaresOf(numbers, numbersAs(codes, float32, size, result), { columns, block, scales, zeros })
      : 0,
  };
}

/** Each step is rounded to the weights' type: float32 has the digits that make two roundings one.
 * @type {(name: string, parts: CheckedTensor, numbers: Float32Array, how: { block: number, count: number, symmetric:
 *   boolean }) => { scales: Float32Array, zeros: Float32Array }} */
function scalesOf(name, { dtype, dims: [, columns] }, numbers, { block, count, symmetric }) {
  /** @type {(list: Float32Array) => Float32Array} */
  const rounded = (list) => numbersAs(dtype, float32, count, numbersAs(float32, dtype, count, list));
  const [lows, highs] = [new Float32Array(count), new Float32Array(count)];
  const perRow = Math.ceil(columns / block);
  for (let at = 0; at < count; at++) {
    const first = Math.floor(at / perRow) * columns + (at % perRow) * block;
    const end = first + Math.min(block, columns - (at % perRow) * block);
    const { low, high, isFinite } = rangeOf(numbers, first, end, symmetric, dtype !== float32);
    if (!isFinite) rangeError(`${name} must hold finite numbers, got NaN or an infinity`);
    [lows[at], highs[at]] = [low, high];
  }
  if (symmetric) {
    const greatest = lows.map((low, at) => (Math.abs(highs[at]) > Math.abs(low) ? highs[at] : low));
    return { scales: rounded(greatest.map((most) => most / -8)), zeros: new Float32Array(count) };
  }
  const spans = rounded(lows.map((low, at) => highs[at] - low));
  const scales = rounded(spans.map((span) => span / 15));
  const exact = rounded(lows.map((low, at) => (scales[at] === 0 ? 8 : -low / scales[at])));
  return { scales, zeros: exact.map((zero) => Math.min(Math.max(nearest(zero), 0), 15)) };
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

/** @type {(numbers: Float32Array, codes: Float32Array, how: { columns: number, block: number, scales: Float32Array,
 *   zeros: Float32Array }) => number} the sum of the squared errors */
function squaresOf(numbers, codes, { columns, block, scales, zeros }) {
  let squares = 0;
  for (let at = 0, i = 0; at < scales.length; at++) {
    const [scale, zero] = [scales[at], zeros[at]];
    const end = i + Math.min(block, columns - (i % columns));
    for (; i < end; i++) squares += ((codes[i] - zero) * scale - numbers[i]) ** 2;
  }
  return squares;
}
