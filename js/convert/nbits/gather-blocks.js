/** Embeddings packed as com.microsoft's GatherBlockQuantized has them. */
import { bytesOf, rangeError } from '../../arguments/index.js';
import { blockRanges, numbersAs, quantizeBytes } from '../../engines/tensors/index.js';
import { dtypes, newData, tensorOf } from '../../tensor/index.js';
import { packed } from './matmul-nbits.js';

/** @import { CheckedTensor } from '../../tensor/index.js' */
/** @import { Pack } from './types.js' */

const { float32 } = dtypes;

/** Rounds to the nearest integer, ties to even: a float64 at 1.5 * 2^52 has no fraction, so the sum is rounded. `value`
 * is below 2^51. */
const nearest = (/** @type {number} */ value) => value + 1.5 * 2 ** 52 - 1.5 * 2 ** 52;

/** Packs embeddings [rows, columns] to codes of 4 bits [rows, columns], with scales and zero points [rows, blocks]: a
 * block is `block` columns of a row. The bytes are those of onnxruntime's quantizer: each step of the arithmetic is
 * rounded to the weights' type, numbers are divided by the scale, and halves become even.
 * @type {Pack} */
export function packGather(name, weights, { block, symmetric, codes, measured }) {
  const { dtype, data, size, dims } = weights;
  const [rows, columns] = dims;
  const blocks = [rows, Math.ceil(columns / block)];
  const numbers = numbersAs(dtype, float32, size, data);
  const { scales, zeros } = scalesOf(name, weights, numbers, { block, count: blocks[0] * blocks[1], symmetric });
  // Each number by its scale, plus the zero point, rounded to the weights' type.
  const sums = new Float32Array(size);
  const rule = {
    // A scale for each `block` numbers of a row of `columns`.
    sharing: { width: 1, rows: columns, block },
    // Numbers of a block with the scale 0 are so small that they become 0 if they are divided by 1.
    ...{ scales: scales.map((scale) => scale || 1), zeros, defaultZeroPoint: 0 },
  };
  const sources = { size, source: bytesOf(data), destination: bytesOf(sums) };
  quantizeBytes({ from: dtype, to: float32, ...sources }, rule, { precision: dtype, saturate: true });
  // Then to the nearest code.
  const result = newData(codes, size, undefined);
  // One scale of 1 for all numbers.
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

/** Computes the scale and the zero point of each block of columns. Each step is rounded to the weights' type: float32
 * has enough digits that rounding twice gives the same. `count`: the number of blocks.
 * @type {(name: string, weights: CheckedTensor, numbers: Float32Array, packing: { block: number, count: number,
 *   symmetric: boolean }) => { scales: Float32Array, zeros: Float32Array }} */
function scalesOf(name, { dtype, dims: [rows, columns] }, numbers, { block, count, symmetric }) {
  /** Rounds numbers to the weights' type.
   * @type {(list: Float32Array) => Float32Array} */
  const rounded = (list) => numbersAs(dtype, float32, count, numbersAs(float32, dtype, count, list));
  const ranges = blockRanges(numbers, [rows, columns], block);
  if (!ranges) rangeError(`${name} must hold finite numbers, got NaN or an infinity`);
  /** Computes a number for each block (`at`) from its lowest and its highest number.
   * @type {(of: (low: number, high: number, at: number) => number) => Float32Array} */
  const ofBlocks = (of) => new Float32Array(count).map((_, at) => of(ranges[2 * at], ranges[2 * at + 1], at));
  if (symmetric) {
    /** Gives the zero, 0 or -0, whose sign the scale of block `at` takes if the block holds zeros alone: NumPy finds
     * the last one as their minimum in float32, the first one in float16. */
    const zeroOf = (/** @type {number} */ at) => {
      const column = (at % (count / rows)) * block;
      const first = Math.floor(at / (count / rows)) * columns + column;
      return numbers[dtype === float32 ? first + Math.min(block, columns - column) - 1 : first];
    };
    const greatest = ofBlocks((low, high, at) => (Math.abs(high) > Math.abs(low) ? high : low || zeroOf(at)));
    // Signed codes of 4 bits reach from -8 to 7: the number of the greatest magnitude becomes -8.
    return { scales: rounded(greatest.map((number) => number / -8)), zeros: new Float32Array(count) };
  }
  // The 16 codes are 15 steps apart, and cover the block's range and 0. Where the scale is 0 the zero point is 8, the
  // middle code.
  const spans = rounded(ofBlocks((low, high) => Math.max(high, 0) - Math.min(low, 0)));
  const scales = rounded(spans.map((span) => span / 15));
  const exact = rounded(ofBlocks((low, _, at) => (scales[at] === 0 ? 8 : -Math.min(low, 0) / scales[at])));
  return { scales, zeros: exact.map((zero) => Math.min(Math.max(nearest(zero), 0), 15)) };
}

/** Sums the squared errors of the codes, block by block. In JavaScript: 3.3 ns a number; a kernel would take 1.4 for
 * the sum and 0.6 for both lists (measured), and a model is measured once.
 * @type {(numbers: Float32Array, codes: Float32Array, packing: { columns: number, block: number, scales: Float32Array,
 *   zeros: Float32Array }) => number} */
function squaresOf(numbers, codes, { columns, block, scales, zeros }) {
  let squares = 0;
  for (let at = 0, i = 0; at < scales.length; at++) {
    const [scale, zero] = [scales[at], zeros[at]];
    // The last block of a row may be shorter.
    const end = i + Math.min(block, columns - (i % columns));
    for (; i < end; i++) squares += ((codes[i] - zero) * scale - numbers[i]) ** 2;
  }
  return squares;
}
