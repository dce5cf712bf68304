/** How packed weights lie over their matrix. A block is the rows of a column, or the columns of a row, of one scale. */
import { dtypes } from '../../tensor/index.js';

/** @import { DType } from '../../tensor/index.js' */
/** @import { MatrixTensor } from '../../weights/types.js' */
/** @import { Matrix, Operator, PackedLayout } from './types.js' */

/** @typedef {{ bits: number, block: number, codes: DType, scales: DType }} LayoutPacking dtypes of codes and scales */

/** Describes how the codes, scales and zero points of a quantized matrix lie: the type and dims of each tensor, which
 * of its axes runs along the matrix's rows and which along its columns (`axes`), and how many rows and columns one
 * index of these stands for (`steps`). A matrix is packed in tiles, which begin at multiples of `units` rows and
 * columns.
 * @type {(operator: Operator, packing: LayoutPacking, dims: Matrix) => PackedLayout} */
export function layoutOf(operator, packing, dims) {
  if (operator === 'MatMulNBits') return nBitsLayout(packing, dims);
  const { block, codes: codeType, scales: scaleType } = packing;
  /** @type {Matrix} */
  const oneNumber = [1, 1];
  /** DequantizeLinear has blocks of rows, GatherBlockQuantized of columns. @type {Matrix} */
  const oneBlock = operator === 'DequantizeLinear' ? [block, 1] : [1, block];
  const blockCounts = dims.map((extent, i) => Math.ceil(extent / oneBlock[i]));
  /** @type {Pick<MatrixTensor, 'axes'>} */
  const rowsThenColumns = { axes: [0, 1] };
  const codes = { dtype: codeType, dims, ...rowsThenColumns, steps: oneNumber };
  const scales = { dtype: scaleType, dims: blockCounts, ...rowsThenColumns, steps: oneBlock };
  const zeros = { ...scales, dtype: codeType };
  return { units: oneBlock, tensors: [codes, scales, zeros] };
}

/** Describes the tensors of MatMulNBits, which has the codes of a column together, and codes in bytes.
 * @type {(packing: LayoutPacking, dims: Matrix) => PackedLayout} */
function nBitsLayout({ bits, block, scales: scaleType }, [rows, columns]) {
  const blocks = Math.ceil(rows / block);
  const codesInByte = 8 / bits;
  const bytesInBlock = block / codesInByte;
  const zeroBytes = Math.ceil(blocks / codesInByte);
  // Tiles have so many blocks that their zero points fill whole bytes.
  const tileRows = block * codesInByte;
  /** @type {Pick<MatrixTensor, 'axes'>} */
  const columnsThenRows = { axes: [1, 0] };
  const codes = {
    dtype: dtypes.uint8,
    dims: [columns, blocks, bytesInBlock],
    ...columnsThenRows,
    steps: oneColumnOf(block),
    // Codes are written as whole columns, as many as fit: the blocks of one column (axis 1) lie side by side in the
    // file, those of neighboring columns far apart.
    contiguousAxis: 1,
    widestBits: 16,
  };
  const scales = { dtype: scaleType, dims: [columns, blocks], ...columnsThenRows, steps: oneColumnOf(block) };
  const zeros = { dtype: dtypes.uint8, dims: [columns, zeroBytes], ...columnsThenRows, steps: oneColumnOf(tileRows) };
  return { units: oneColumnOf(tileRows), tensors: [codes, scales, zeros] };
}

/** @type {(rows: number) => Matrix} */
const oneColumnOf = (rows) => [rows, 1];
