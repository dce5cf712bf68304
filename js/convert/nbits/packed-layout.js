/** How packed weights lie over their matrix: codes, scales and zero points. */
import { dtypes } from '../../tensor/index.js';

/** @import { DType } from '../../tensor/index.js' */
/** @import { Matrix, Operator, PackedLayout } from './types.js' */

/** The dims of codes, scales and zero points, and which block of the matrix each element belongs to. `codes` and
 * `scales`: their dtypes; MatMulNBits has its codes in bytes.
 * @type {(operator: Operator, packing: { bits: number, block: number, codes: DType, scales: DType }, dims: Matrix) =>
 *   PackedLayout} */
export function layoutOf(operator, { bits, block, codes, scales }, dims) {
  if (operator === 'MatMulNBits') {
    const [rows, columns] = dims;
    const count = Math.ceil(rows / block);
    // Tiles of so many blocks have zero points that fill whole bytes.
    const high = (block * 8) / bits;
    /** @type {(dtype: DType, perColumn: readonly number[], step: number) => PackedLayout['sides'][number]} */
    const sideOf = (dtype, perColumn, step) => ({
      dtype,
      dims: [columns, ...perColumn],
      axes: [1, 0],
      steps: [step, 1],
    });
    return {
      units: [high, 1],
      // Pieces of B are whole columns, however many fit: along its blocks the file has neighbors far apart.
      sides: [
        { ...sideOf(dtypes.uint8, [count, (block * bits) / 8], block), along: 1, widest: 16 },
        sideOf(scales, [count], block),
        sideOf(dtypes.uint8, [Math.ceil((count * bits) / 8)], high),
      ],
    };
  }
  /** @type {Matrix} */
  const units = operator === 'DequantizeLinear' ? [block, 1] : [1, block];
  /** @type {Omit<PackedLayout['sides'][number], 'dtype'>} */
  const blocks = { dims: dims.map((extent, i) => Math.ceil(extent / units[i])), axes: [0, 1], steps: units };
  /** @type {PackedLayout['sides'][number]} */
  const matrix = { dtype: codes, dims, axes: [0, 1], steps: [1, 1] };
  return { units, sides: [matrix, { dtype: scales, ...blocks }, { dtype: codes, ...blocks }] };
}
