/** Brings arrays of Fortran order to C order, and packed elements to one a byte: in JavaScript, so that a bundle with
 * `readNpy` holds no module. */
import { dtypes, newData, packedCode, sizeOf, store } from '../../tensor/index.js';

/** @import { DType } from '../../tensor/index.js' */
/** @import { TensorData } from '../../tensor/types.js' */

/** Rows and columns of the blocks that stay in a first-level cache while they are transposed. */
const blockSide = 32;

/** Copies an array from Fortran order, where neighbors along the first axis are adjacent in memory, to C order, where
 * neighbors along the last axis are. The first axis (rows) and the last one (columns) are transposed in blocks, for
 * each index of the axes between them.
 * @param {TensorData} source in Fortran order
 * @param {TensorData} result of the same length; is filled in C order
 * @param {readonly number[]} dims of two axes at least
 * @param {number} width entries of `source` that one element takes */
export function reorder(source, result, dims, width) {
  const rows = dims[0];
  const columns = dims[dims.length - 1];
  const middle = dims.slice(1, -1);
  // In elements. If an extent is 0, no loop below runs.
  const rowStrideInResult = sizeOf(dims) / rows;
  const columnStrideInSource = sizeOf(dims) / columns;
  for (let index = 0; index < sizeOf(middle); index++) {
    const first = firstElements(index, middle, rows, columns);
    for (let firstRow = 0; firstRow < rows; firstRow += blockSide)
      for (let firstColumn = 0; firstColumn < columns; firstColumn += blockSide) {
        const endRow = Math.min(firstRow + blockSide, rows);
        const endColumn = Math.min(firstColumn + blockSide, columns);
        for (let row = firstRow; row < endRow; row++) {
          let read = (first.inSource + row + firstColumn * columnStrideInSource) * width;
          let write = (first.inResult + row * rowStrideInResult + firstColumn) * width;
          for (let column = firstColumn; column < endColumn; column++) {
            for (let word = 0; word < width; word++) result[write + word] = source[read + word];
            read += columnStrideInSource * width;
            write += width;
          }
        }
      }
  }
}

/** Finds the element of row 0 and column 0 at one place of the middle axes, in Fortran and in C order. `index` counts
 * these places in C order.
 * @type {(index: number, middle: readonly number[], rows: number, columns: number) =>
 *   { inSource: number, inResult: number }} */
function firstElements(index, middle, rows, columns) {
  let inSource = 0;
  let inResult = 0;
  let restOfIndex = index;
  let resultStride = columns;
  for (let axis = middle.length - 1; axis >= 0; axis--) {
    const sourceStride = rows * sizeOf(middle, 0, axis);
    const place = restOfIndex % middle[axis];
    restOfIndex = (restOfIndex - place) / middle[axis];
    inSource += place * sourceStride;
    inResult += place * resultStride;
    resultStride *= middle[axis];
  }
  return { inSource, inResult };
}

/** Packs elements of fewer than 8 bits, of which a .npy file has one in each byte. Only the low bits of a byte count:
 * the high ones of a negative int4 are copies of its sign.
 * @type {(dtype: DType, bytes: Uint8Array) => Uint8Array} */
export function packBytes(dtype, bytes) {
  const result = newData(dtype, bytes.length, undefined);
  const mask = (1 << dtype.bits) - 1;
  for (let i = 0; i < bytes.length; i++) store(dtype, result, i, bytes[i] & mask);
  return result;
}

/** Unpacks `size` elements of fewer than 8 bits to a byte each, as a .npy file has them; int4 -1 becomes 0xff.
 * @type {(dtype: DType, packed: Uint8Array, size: number) => Uint8Array} */
export function unpackBytes({ bits, format }, packed, size) {
  const result = newData(dtypes.uint8, size, undefined);
  // Extend the sign: shift it to bit 31 and back.
  const shift = format.kind === 'int' && format.signed ? 32 - bits : 0;
  for (let i = 0; i < size; i++) result[i] = (packedCode(bits, packed, i) << shift) >> shift;
  return result;
}
