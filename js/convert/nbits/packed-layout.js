/** How packed weights lie over their matrix. A block is the rows of a column, or the columns of a row, of one scale. */
import { dtypes } from '../../tensor/index.js';

/** @import { DType } from '../../tensor/index.js' */
/** @import { Matrix, Operator, PackedLayout } from './types.js' */

/** @typedef {{ bits: number, block: number, codes: DType, scales: DType }} LayoutPacking dtypes of codes and scales */
/** @typedef {PackedLayout['sides'][number]} Side */

/** Describes codes, scales and zero points of a matrix: their dims, and which rows and columns of the matrix an element
 * of each stands for. `units`: tiles of the matrix begin at multiples of these.
 * @type {(operator: Operator, packing: LayoutPacking, dims: Matrix) => PackedLayout} */
export function layoutOf(operator, packing, dims) {
  if (operator === 'MatMulNBits') return nBitsLayout(packing, dims);
  const { block, codes, scales } = packing;
  /** @type {Matrix} */
  // DequantizeLinear has blocks of rows, GatherBlockQuantized of columns.
  const units = operator === 'DequantizeLinear' ? [block, 1] : [1, block];
  /** @type {Omit<Side, 'dtype'>} */
  const blocks = { dims: dims.map((extent, i) => Math.ceil(extent / units[i])), axes: [0, 1], steps: units };
  /** @type {Side} */
  const matrix = { dtype: codes, dims, axes: [0, 1], steps: [1, 1] };
  return { units, sides: [matrix, { dtype: scales, ...blocks }, { dtype: codes, ...blocks }] };
}

/** MatMulNBits has codes and zero points in bytes, whatever their type is.
 * @type {(packing: LayoutPacking, dims: Matrix) => PackedLayout} */
function nBitsLayout({ bits, block, scales: scaleType }, [rows, columns]) {
  const blocks = Math.ceil(rows / block);
  const codesInByte = 8 / bits;
  // Tiles have so many blocks that their zero points fill whole bytes.
  const tileRows = block * codesInByte;
  /** Describes a tensor [columns, ...perColumn], of which an index of axis 1 stands for `step` rows.
   * @type {(dtype: DType, perColumn: readonly number[], step: number) => Side} */
  const sideOf = (dtype, perColumn, step) => ({ dtype, dims: [columns, ...perColumn], axes: [1, 0], steps: [step, 1] });
  // Codes are written as whole columns, as many as fit: those of one block of neighboring columns lie far apart in the
  // file.
  const codes = { ...sideOf(dtypes.uint8, [blocks, block / codesInByte], block), along: 1, widest: 16 };
  const scales = sideOf(scaleType, [blocks], block);
  const zeros = sideOf(dtypes.uint8, [Math.ceil(blocks / codesInByte)], tileRows);
  return { units: [tileRows, 1], sides: [codes, scales, zeros] };
}
