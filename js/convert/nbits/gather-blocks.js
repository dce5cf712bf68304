/** Embeddings packed as com.microsoft's GatherBlockQuantized has them. */
import { bytesOf, rangeError } from '../../arguments/index.js';
import { blockRanges, numbersAs, quantizeBytes } from '../../engines/tensors/index.js';
import { dtypes, newData, tensorOf } from '../../tensor/index.js';
import { packed } from './matmul-nbits.js';

/** @import { CheckedTensor, DType } from '../../tensor/index.js' */
/** @import { Pack } from './types.js' */

/** @typedef {{ scales: Float32Array, zeros: Float32Array }} BlockScales of each block */

const { float32 } = dtypes;

/** A float64 of this size has no fraction bits. */
const noFraction = 1.5 * 2 ** 52;
/** Rounds to the nearest integer, ties to even: the sum is rounded. `value` is below 2^51. */
const nearest = (/** @type {number} */ value) => value + noFraction - noFraction;

/** Codes of 4 bits. */
const [lowestSigned, middleUnsigned, highestUnsigned] = [-8, 8, 15];

/** Packs embeddings [rows, columns] to codes of 4 bits [rows, columns], with scales and zero points [rows, blocks]: a
 * block is `block` columns of a row. The bytes are those of onnxruntime's quantizer: each step of the arithmetic is
 * rounded to the weights' type, numbers are divided by the scale, and halves become even.
 * @type {Pack} */
export function packGather(name, weights, { block, symmetric, codes, measured }) {
  const { dtype, data, size, dims } = weights;
  const [rows, columns] = dims;
  const numbers = numbersAs(dtype, float32, size, data);
  const computeScales = symmetric ? symmetricScales : unsignedScales;
  const { scales, zeros } = computeScales(name, weights, numbers, block);
  const result = encoded(weights, { block, codes, scales, zeros });
  const blockDims = [rows, Math.ceil(columns / block)];
  return {
    tensors: [
      tensorOf(codes, result, [rows, columns]),
      tensorOf(dtype, numbersAs(float32, dtype, scales.length, scales), blockDims),
      tensorOf(codes, packed(4, Uint8Array.from(zeros)), blockDims),
    ],
    squares: measured
      ? squaresOf(numbers, numbersAs(codes, float32, size, result), { columns, block, scales, zeros })
      : 0,
  };
}

/** Makes the packed codes of weights. Each number is divided by its scale and added to the zero point in the weights'
 * type, and then rounded to the nearest code.
 * @type {(weights: CheckedTensor, packing: { block: number, codes: DType } & BlockScales) => Uint8Array} */
function encoded({ dtype, data, size, dims: [, columns] }, { block, codes, scales, zeros }) {
  const sums = new Float32Array(size);
  const rule = {
    sharing: { width: 1, rows: columns, block },
    // Numbers of a block with the scale 0 are so small that they become 0 if they are divided by 1.
    ...{ scales: scales.map((scale) => scale || 1), zeros, defaultZeroPoint: 0 },
  };
  const toSums = { from: dtype, to: float32, size, source: bytesOf(data), destination: bytesOf(sums) };
  quantizeBytes(toSums, rule, { precision: dtype, saturate: true });
  const result = newData(codes, size, undefined);
  const rounding = {
    sharing: { width: 1, rows: Infinity, block: Infinity },
    ...{ scales: Float32Array.of(1), zeros: undefined, defaultZeroPoint: 0 },
  };
  const toCodes = { from: float32, to: codes, size, source: bytesOf(sums), destination: result };
  quantizeBytes(toCodes, rounding, { precision: float32, saturate: true });
  return result;
}

/** The lowest and the highest number of each block.
 * @type {(name: string, weights: CheckedTensor, numbers: Float32Array, block: number) => { lows: Float32Array, highs:
 *   Float32Array }} */
function finiteRanges(name, { dims: [rows, columns] }, numbers, block) {
  const ranges = blockRanges(numbers, [rows, columns], block);
  if (!ranges) rangeError(`${name} must hold finite numbers, got NaN or an infinity`);
  const lows = new Float32Array(ranges.length / 2).map((_, i) => ranges[2 * i]);
  const highs = new Float32Array(ranges.length / 2).map((_, i) => ranges[2 * i + 1]);
  return { lows, highs };
}

/** Rounds numbers to a type. float32 has enough digits that rounding twice gives the same.
 * @type {(dtype: DType, list: Float32Array) => Float32Array} */
const rounded = (dtype, list) => numbersAs(dtype, float32, list.length, numbersAs(float32, dtype, list.length, list));

/** The number of the greatest magnitude in a block becomes the lowest code.
 * @type {(name: string, weights: CheckedTensor, numbers: Float32Array, block: number) => BlockScales} */
function symmetricScales(name, weights, numbers, block) {
  const { dtype, dims } = weights;
  const [, columns] = dims;
  const { lows, highs } = finiteRanges(name, weights, numbers, block);
  const blocksInRow = Math.ceil(columns / block);
  /** The zero, 0 or -0, whose sign the scale of a block of zeros takes: NumPy finds the last one as their minimum in
   * float32, the first one in float16. */
  const zeroOf = (/** @type {number} */ i) => {
    const column = (i % blocksInRow) * block;
    const first = Math.floor(i / blocksInRow) * columns + column;
    const last = first + Math.min(block, columns - column) - 1;
    return numbers[dtype === float32 ? last : first];
  };
  const scales = lows.map((low, i) => {
    const greatest = Math.abs(highs[i]) > Math.abs(low) ? highs[i] : low || zeroOf(i);
    return greatest / lowestSigned;
  });
  return { scales: rounded(dtype, scales), zeros: new Float32Array(scales.length) };
}

/** The codes from 0 to the highest one cover the block's range and 0. Where the scale is 0 the zero point is the middle
 * code.
 * @type {(name: string, weights: CheckedTensor, numbers: Float32Array, block: number) => BlockScales} */
function unsignedScales(name, weights, numbers, block) {
  const { dtype } = weights;
  const { lows, highs } = finiteRanges(name, weights, numbers, block);
  const spans = rounded(
    dtype,
    lows.map((low, i) => Math.max(highs[i], 0) - Math.min(low, 0)),
  );
  const scales = rounded(
    dtype,
    spans.map((span) => span / highestUnsigned),
  );
  const exactZeros = rounded(
    dtype,
    lows.map((low, i) => (scales[i] === 0 ? middleUnsigned : -Math.min(low, 0) / scales[i])),
  );
  return { scales, zeros: exactZeros.map((zero) => Math.min(Math.max(nearest(zero), 0), highestUnsigned)) };
}

/** Sums the squared errors of the codes, block by block. In JavaScript: 3.3 ns a number; a kernel would take 1.4 for
 * the sum and 0.6 for both lists (measured), and a model is measured once.
 * @type {(numbers: Float32Array, codes: Float32Array, packing: { columns: number, block: number } & BlockScales) =>
 *   number} */
function squaresOf(numbers, codes, { columns, block, scales, zeros }) {
  let squares = 0;
  let i = 0;
  for (let blockIndex = 0; blockIndex < scales.length; blockIndex++) {
    const scale = scales[blockIndex];
    const zero = zeros[blockIndex];
    // The last block of a row may be shorter.
    const end = i + Math.min(block, columns - (i % columns));
    for (; i < end; i++) squares += ((codes[i] - zero) * scale - numbers[i]) ** 2;
  }
  return squares;
}
