/** Embeddings packed as com.microsoft's GatherBlockQuantized has them. */
import { bytesOf, rangeError } from '../../arguments/index.js';
import { blockRanges, numbersAs, quantizeBytes } from '../../engines/tensors/index.js';
import { dtypes, newData, tensorOf } from '../../tensor/index.js';
import { nearestInteger } from '../nearest-integer.js';
import { packedCodes } from './matmul-nbits.js';

/** @import { CheckedTensor, DType } from '../../tensor/index.js' */
/** @import { Pack } from './types.js' */

/** @typedef {{ scales: Float32Array, zeros: Float32Array }} BlockScales of each block */

const { float32 } = dtypes;

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
  const encodedNumbers = encode(weights, { block, codes, scales, zeros });
  const scalesAsStored = numbersAs(float32, dtype, scales.length, scales);
  const zerosAsStored = packedCodes(4, Uint8Array.from(zeros));
  const blockDims = [rows, Math.ceil(columns / block)];
  const tensors = [
    tensorOf(codes, encodedNumbers, [rows, columns]),
    tensorOf(dtype, scalesAsStored, blockDims),
    tensorOf(codes, zerosAsStored, blockDims),
  ];
  if (!measured) return { tensors, squares: 0 };
  const codeNumbers = numbersAs(codes, float32, size, encodedNumbers);
  return { tensors, squares: sumSquaredErrors(numbers, codeNumbers, { columns, block, scales, zeros }) };
}

/** Makes packed codes of 4 bits: number / scale + zero point is rounded to the weights' type, and then to a code. The
 * first call of the kernel makes the sums, the second one rounds them.
 * @type {(weights: CheckedTensor, packing: { block: number, codes: DType } & BlockScales) => Uint8Array} */
function encode({ dtype, data, size, dims: [, columns] }, { block, codes, scales, zeros }) {
  const sums = new Float32Array(size);
  const rule = {
    // A scale for each block of the columns of a row.
    sharing: { width: 1, rows: columns, block },
    // Numbers of a block with the scale 0 are so small that they become 0 if they are divided by 1.
    scales: scales.map((scale) => scale || 1),
    zeros,
    defaultZeroPoint: 0,
  };
  const toSums = { from: dtype, to: float32, size, source: bytesOf(data), destination: bytesOf(sums) };
  quantizeBytes(toSums, rule, { precision: dtype, saturate: true });
  const result = newData(codes, size, undefined);
  const rounding = {
    // One scale, 1, for all: the sums are only rounded.
    sharing: { width: 1, rows: Infinity, block: Infinity },
    scales: Float32Array.of(1),
    zeros: undefined,
    defaultZeroPoint: 0,
  };
  const toCodes = { from: float32, to: codes, size, source: bytesOf(sums), destination: result };
  quantizeBytes(toCodes, rounding, { precision: float32, saturate: true });
  return result;
}

/** Finds the lowest and the highest number of each block, and refuses NaN and infinities.
 * @type {(name: string, weights: CheckedTensor, numbers: Float32Array, block: number) => { lows: Float32Array, highs:
 *   Float32Array }} */
function finiteRanges(name, { dims: [rows, columns] }, numbers, block) {
  const ranges = blockRanges(numbers, [rows, columns], block);
  if (!ranges) rangeError(`${name} must hold finite numbers, got NaN or an infinity`);
  // A low and a high number of each block in turn.
  const blocks = ranges.length / 2;
  const lows = new Float32Array(blocks).map((_, i) => ranges[2 * i]);
  const highs = new Float32Array(blocks).map((_, i) => ranges[2 * i + 1]);
  return { lows, highs };
}

/** Rounds numbers to a type. float32 has enough digits that rounding twice gives the same.
 * @type {(dtype: DType, list: Float32Array) => Float32Array} */
const rounded = (dtype, list) => numbersAs(dtype, float32, list.length, numbersAs(float32, dtype, list.length, list));

/** Computes the scale of each block for signed codes, whose zero points are 0: the number of the greatest magnitude in
 * a block becomes the lowest code.
 * @type {(name: string, weights: CheckedTensor, numbers: Float32Array, block: number) => BlockScales} */
function symmetricScales(name, weights, numbers, block) {
  const { dtype, dims } = weights;
  const [, columns] = dims;
  const { lows, highs } = finiteRanges(name, weights, numbers, block);
  const blocksInRow = Math.ceil(columns / block);
  /** A zero of a block that holds only 0 and -0. Its sign decides that of the scale, so it must be the one that NumPy's
   * minimum finds in onnxruntime's quantizer: the last one in float32, the first one in float16. */
  const zeroOf = (/** @type {number} */ blockIndex) => {
    const row = Math.floor(blockIndex / blocksInRow);
    const column = (blockIndex % blocksInRow) * block;
    const length = Math.min(block, columns - column);
    const first = row * columns + column;
    const last = first + length - 1;
    return numbers[dtype === float32 ? last : first];
  };
  const scales = lows.map((low, blockIndex) => {
    const high = highs[blockIndex];
    const greatest = Math.abs(high) > Math.abs(low) ? high : low;
    return (greatest || zeroOf(blockIndex)) / lowestSigned;
  });
  return { scales: rounded(dtype, scales), zeros: new Float32Array(scales.length) };
}

/** Computes the scale and the zero point of each block for unsigned codes: those from 0 to the highest one cover the
 * block's range and 0. Where the scale is 0 the zero point is the middle code.
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
  return { scales, zeros: exactZeros.map((zero) => Math.min(Math.max(nearestInteger(zero), 0), highestUnsigned)) };
}

/** Sums the squared errors of the codes, block by block. In JavaScript: 3.3 ns a number; a kernel would take 1.4 for
 * the sum and 0.6 for both lists (measured), and a model is measured once.
 * @type {(numbers: Float32Array, codes: Float32Array, packing: { columns: number, block: number } & BlockScales) =>
 *   number} */
function sumSquaredErrors(numbers, codes, { columns, block, scales, zeros }) {
  let squares = 0;
  let i = 0;
  for (let blockIndex = 0; blockIndex < scales.length; blockIndex++) {
    const scale = scales[blockIndex];
    const zero = zeros[blockIndex];
    const restOfRow = columns - (i % columns);
    const endOfBlock = i + Math.min(block, restOfRow);
    for (; i < endOfBlock; i++) {
      const error = (codes[i] - zero) * scale - numbers[i];
      squares += error ** 2;
    }
  }
  return squares;
}
