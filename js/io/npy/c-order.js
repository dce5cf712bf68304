/** Brings arrays of Fortran order to C order, and packed elements to one a byte: in JavaScript, so that a bundle with
 * `readNpy` holds no module. */
import { dtypes, newData, packedCode, sizeOf, store } from '../../tensor/index.js';

/** @import { DType } from '../../tensor/index.js' */
/** @import { TensorData } from '../../tensor/types.js' */

/** Sides of the blocks that stay in a first-level cache while rows become columns. */
const blockSide = 32;

/** Writes the elements of an array in C order, whose first axis is the innermost one in memory. Elements are `width`
 * words each. The first and the last axis are transposed in blocks of 32 by 32, for each index of the axes between
 * them.
 * @param {TensorData} source
 * @param {TensorData} result of the same length
 * @param {readonly number[]} dims
 * @param {number} width words of an element */
export function reorder(source, result, dims, width) {
  const [rows, columns] = [dims[0], dims[dims.length - 1]];
  const middle = dims.slice(1, -1);
  const [high, wide] = [sizeOf(dims) / rows, sizeOf(dims) / columns];
  for (let index = 0; index < sizeOf(middle); index++) {
    const [from, to] = placesOf(index, middle, rows, columns);
    for (let row = 0; row < rows; row += blockSide)
      for (let column = 0; column < columns; column += blockSide) {
        const [lastRow, lastColumn] = [Math.min(row + blockSide, rows), Math.min(column + blockSide, columns)];
        for (let i = row; i < lastRow; i++) {
          let read = (from + i + column * wide) * width;
          let write = (to + i * high + column) * width;
          for (let k = column; k < lastColumn; k++, read += (wide - 1) * width)
            for (let word = 0; word < width; word++) result[write++] = source[read++];
        }
      }
  }
}

/** Finds where the elements at an index of the middle axes begin on both sides.
 * @type {(index: number, middle: readonly number[], rows: number, columns: number) => [from: number, to: number]} */
function placesOf(index, middle, rows, columns) {
  let [from, to, stride] = [0, 0, columns];
  const below = middle.map((_, axis) => rows * sizeOf(middle, 0, axis));
  for (let axis = middle.length - 1; axis >= 0; axis--) {
    const at = index % middle[axis];
    index = (index - at) / middle[axis];
    from += at * below[axis];
    to += at * stride;
    stride *= middle[axis];
  }
  return [from, to];
}

/** Packs elements of a byte each, of which the low bits count.
 * @type {(dtype: DType, bytes: Uint8Array) => Uint8Array} */
export function packBytes(dtype, bytes) {
  const result = newData(dtype, bytes.length, undefined);
  const mask = (1 << dtype.bits) - 1;
  for (let i = 0; i < bytes.length; i++) store(dtype, result, i, bytes[i] & mask);
  return result;
}

/** Unpacks packed elements to a byte each; signed ones keep their sign.
 * @type {(dtype: DType, packed: Uint8Array, size: number) => Uint8Array} */
export function unpackBytes({ bits, format }, packed, size) {
  const result = newData(dtypes.uint8, size, undefined);
  const shift = format.kind === 'int' && format.signed ? 32 - bits : 0;
  for (let i = 0; i < size; i++) result[i] = (packedCode(bits, packed, i) << shift) >> shift;
  return result;
}
