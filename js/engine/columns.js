/** Blocks of weights to codes, a scale for each column of each block, through the scratch area. */
import { bytesBetween } from '../arguments/index.js';
import { dtypes } from '../tensor/index.js';
import { destinationByte, ready, scratch, scratchByte, scratchViews } from './module.js';
import { scalesByte, zerosByte } from './scales.js';

/** @import { DType } from '../tensor/index.js' */

/**
 * How weights are rounded; cpp/quantize/columns.h says what each does.
 * @typedef {object} ColumnRule
 * @property {number} bits
 * @property {number} block rows of a block
 * @property {boolean} symmetric
 * @property {boolean} after whether the zero point is added before the sum is rounded
 * @property {number} lowest code
 * @property {number} zero the zero point of symmetric codes
 */
/**
 * Codes of one byte [rows, columns], and scales and zero points [blocks, columns].
 * @typedef {{ codes: Uint8Array, scales: Float32Array, zeros: Uint8Array }} Columns
 */

/** Bytes of a piece: it is read twice, and stays in a second-level cache. */
const pieceBytes = 384 * 2 ** 10;
/** Where reciprocals and scales on their way to float16 lie in the scratch area, in bytes. */
const [reciprocalsByte, narrowByte] = [6 * 2 ** 20, 8 * 2 ** 20];

/**
 * Makes codes of a matrix.
 * @param {string} name of the public function that was called
 * @param {Float32Array} weights
 * @param {number} rows
 * @param {number} columns
 * @param {ColumnRule} rule
 * @param {DType} rounded the format that scales are rounded to before they are used
 * @returns {Columns | undefined} undefined where a number is not finite
 */
export function columnBytes(name, weights, rows, columns, rule, rounded) {
  const blocks = Math.ceil(rows / rule.block);
  const result = {
    codes: new Uint8Array(rows * columns),
    scales: new Float32Array(blocks * columns),
    zeros: new Uint8Array(blocks * columns),
  };
  // Whole vectors of columns, so that the kernels read nothing of a piece's neighbour but in the last one.
  const most = 16 * Math.max(1, Math.floor(pieceBytes / (4 * 16 * rule.block)));
  for (let block = 0; block < blocks; block++) {
    const first = block * rule.block;
    const height = Math.min(rule.block, rows - first);
    for (let column = 0; column < columns; column += most) {
      const width = Math.min(most, columns - column);
      if (!piece(name, weights, columns, rule, rounded, { block, first, height, column, width }, result))
        return undefined;
    }
  }
  return result;
}

/** @typedef {{ block: number, first: number, height: number, column: number, width: number }} Piece of a block */

/**
 * @param {string} name
 * @param {Float32Array} weights
 * @param {number} columns of the matrix
 * @param {ColumnRule} rule
 * @param {DType} rounded
 * @param {Piece} where
 * @param {Columns} result
 * @returns {boolean} whether all numbers are finite
 */
function piece(name, weights, columns, rule, rounded, { block, first, height, column, width }, result) {
  const { columnScales, columnCodes, convert } = ready(name);
  const { Float32Array: floats } = scratchViews;
  for (let row = 0; row < height; row++) {
    const from = (first + row) * columns + column;
    floats.set(weights.subarray(from, from + width), row * width);
  }
  const top = 2 ** rule.bits - 1;
  const address = (/** @type {number} */ byte) => scratchByte + byte;
  if (!columnScales(rule.symmetric, top, height, width, scratchByte, address(scalesByte), address(zerosByte)))
    return false;
  if (rounded !== dtypes.float32) {
    convert(dtypes.float32.code, rounded.code, address(scalesByte), address(narrowByte), width, 0);
    convert(rounded.code, dtypes.float32.code, address(narrowByte), address(scalesByte), width, 0);
  }
  const at = block * columns + column;
  for (let i = 0; i < width; i++) {
    const scale = floats[scalesByte / 4 + i];
    floats[reciprocalsByte / 4 + i] = scale === 0 ? 0 : 1 / scale;
    result.scales[at + i] = scale;
    if (rule.symmetric) floats[zerosByte / 4 + i] = rule.zero;
    result.zeros[at + i] = floats[zerosByte / 4 + i];
  }
  const { lowest } = rule;
  const [reciprocals, zeros, codes] = [reciprocalsByte, zerosByte, destinationByte].map(address);
  columnCodes(rule.after, lowest, lowest + top, height, width, scratchByte, reciprocals, zeros, codes);
  for (let row = 0; row < height; row++) {
    const from = destinationByte + row * width;
    result.codes.set(bytesBetween(scratch, from, from + width), (first + row) * columns + column);
  }
  return true;
}
