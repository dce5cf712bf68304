/** How packed weights lie over their matrix: codes, scales and zero points. A block is the rows of a column, or the
 * columns of a row, that share a scale. */
import { dtypes } from '../../tensor/index.js';

/** @import { DType } from '../../tensor/index.js' */
/** @import { Matrix, Operator, PackedLayout } from './types.js' */

/** Describes codes, scales and zero points of a matrix: their dims, and which rows and columns of the matrix an element
 * of each stands for. `units`: tiles of the matrix begin at multiples of these. `codes`, `scales`: their dtypes;
 * MatMulNBits has its codes in bytes.
 * @type {(operator: Operator, packing: { bits: number, block: number, codes: DType, scales: DType }, dims: Matrix) =>
 *   PackedLayout} */
export function layoutOf(operator, { bits, block, codes, scales }, dims) {
  if (operator === 'MatMulNBits') {
    const [rows, columns] = dims;
    const count = Math.ceil(rows / block);
    // Tiles have a multiple of 8 / bits blocks, whose zero points fill whole bytes.
    const high = (block * 8) / bits;
    /** Describes a tensor [columns, ...perColumn], of which an index of axis 1 stands for `step` rows.
     * @type {(dtype: DType, perColumn: readonly number[], step: number) => PackedLayout['sides'][number]} */
    const sideOf = (dtype, perColumn, step) => ({
      dtype,
      dims: [columns, ...perColumn],
      axes: [1, 0],
      steps: [step, 1],
    });
    return {
      units: [high, 1],
      // The codes, the scales, the zero points. Codes are written as whole columns, as many as fit: those of one block
      // of neighboring columns lie far apart in the file.
      sides: [
        { ...sideOf(dtypes.uint8, [count, (block * bits) / 8], block), along: 1, widest: 16 },
        sideOf(scales, [count], block),
        sideOf(dtypes.uint8, [Math.ceil((count * bits) / 8)], high),
      ],
    };
  }
  /** @type {Matrix} */
  // DequantizeLinear has blocks of rows, GatherBlockQuantized of columns.
  const units = operator === 'DequantizeLinear' ? [block, 1] : [1, block];
  /** @type {Omit<PackedLayout['sides'][number], 'dtype'>} */
  const blocks = { dims: dims.map((extent, i) => Math.ceil(extent / units[i])), axes: [0, 1], steps: units };
  /** @type {PackedLayout['sides'][number]} */
  const matrix = { dtype: codes, dims, axes: [0, 1], steps: [1, 1] };
  return { units, sides: [matrix, { dtype: scales, ...blocks }, { dtype: codes, ...blocks }] };
}
