/** Blocks of weights to codes, through the scratch area. A block is some rows of a matrix, and has a scale and a zero
 * point for each of its columns. */
import * as cpp from '../../../../dist/bridge/tensors.js';
import { dtypes, newData } from '../../../tensor/index.js';
import { checkMemory, floatBytes } from '../../memory/index.js';
import * as wasm from '../module.js';

/** @import { TypedArray } from '../../../arguments/types.js' */
/** @import { DType } from '../../../tensor/index.js' */
/** @import { ColumnRule, Columns } from '../types.js' */
/** @import { TensorData } from '../../../tensor/types.js' */

/** Bytes of a piece's numbers: they stay in a second-level cache. */
const pieceBytes = 512 * 2 ** 10;
/** Places in the scratch area, in bytes: of weights of 16 bits before they are converted, of scales and zero points. */
const stageByte = 4 * 2 ** 20;
const scalesByte = 6 * 2 ** 20;
const zerosByte = 8 * 2 ** 20;
/** The module takes so many columns at a time. */
const vectorColumns = 16;
/** Numbers of float32 in a page of memory (4 KB). */
const pageNumbers = 1024;

/** Quantizes a matrix [rows, columns] of weights piece by piece. Returns its codes, and a scale and a zero point for
 * each column of each block of rows; undefined where a number is NaN or infinite. See cpp/quantize/columns.h.
 * @type {(dtype: DType, weights: TypedArray, rows: number, columns: number, rule: ColumnRule) =>
 *   Columns | undefined} */
export function columnBytes(dtype, weights, rows, columns, rule) {
  const { destinationByte, scratch } = wasm;
  const { Float32Array: floats } = wasm.scratchViews;
  const { block } = rule;
  checkMemory('read', weights, (rows * columns * dtype.bits) / 8);
  const rowsPerByte = rowsPerByteOf(rule);
  const { codes, scales, zeros } = newColumns(rule, rows, columns);
  let squares = 0;
  for (const piece of piecesOf(rows, columns, block)) {
    const { row, column, height, width } = piece;
    const squaresOfPiece = quantizePiece(dtype, weights, columns, piece, rule);
    if (squaresOfPiece < 0) return undefined; // a number is not finite
    squares += squaresOfPiece;
    // Results lie in the scratch area in rows of whole vectors, and go to rows of `columns` entries. A piece begins
    // with a block, so with a whole byte, too.
    const stagedStride = wholeVectors(width);
    const codeRows = Math.ceil(height / rowsPerByte);
    const firstCode = (row / rowsPerByte) * columns + column;
    copyRows(
      { count: codeRows, length: width },
      { array: scratch, first: destinationByte, stride: stagedStride },
      { array: codes, first: firstCode, stride: columns },
    );
    const blockRows = { count: Math.ceil(height / block), length: width };
    const firstInBlocks = (row / block) * columns + column;
    copyRows(
      blockRows,
      { array: floats, first: scalesByte / floatBytes, stride: stagedStride },
      { array: scales, first: firstInBlocks, stride: columns },
    );
    copyRows(
      blockRows,
      { array: scratch, first: zerosByte, stride: stagedStride },
      { array: zeros, first: firstInBlocks, stride: columns },
    );
  }
  return { codes, scales, zeros, squares };
}

/** @type {(rule: ColumnRule) => number} how many rows share a byte of codes */
const rowsPerByteOf = ({ bits, joined }) => (joined ? 8 / bits : 1);

/** Makes the arrays of a result, all zeros.
 * @type {(rule: ColumnRule, rows: number, columns: number) => Omit<Columns, 'squares'>} */
function newColumns(rule, rows, columns) {
  const blocks = Math.ceil(rows / rule.block);
  // Joined codes are those of whole blocks.
  const codedRows = rule.joined ? blocks * rule.block : rows;
  return {
    codes: newData(dtypes.uint8, (codedRows / rowsPerByteOf(rule)) * columns, undefined),
    scales: newData(dtypes.float32, blocks * columns, undefined),
    zeros: newData(dtypes.uint8, blocks * columns, undefined),
  };
}

/** A part of a matrix: its first row and column, and how many rows (`height`) and columns (`width`) it has.
 * @typedef {{ row: number, column: number, height: number, width: number }} Piece */

/** Quantizes a piece of the weights: leaves its codes, scales and zero points in the scratch area, at
 * `destinationByte`, `scalesByte` and `zerosByte`. Returns the sum of the squared errors, or -1 where a number is not
 * finite.
 * @type {(dtype: DType, weights: TypedArray, columns: number, piece: Piece, rule: ColumnRule) => number} */
function quantizePiece(dtype, weights, columns, piece, rule) {
  const { destinationByte, scratchByte } = wasm;
  const stagedColumns = wholeVectors(piece.width);
  // At a stride of whole pages all rows would share a few lines of the cache.
  const isWholePages = stagedColumns % pageNumbers === 0;
  const stride = isWholePages ? stagedColumns + vectorColumns : stagedColumns;
  const numbersByte = putNumbers(dtype, weights, columns, piece, stride);
  // onnxruntime rounds scales of float16 before they are used, those of bfloat16 at the end.
  const rounded = dtype === dtypes.float16 ? dtype : dtypes.float32;
  cpp.writeQuantizedColumns(wasm.callBlock, {
    rule: { ...rule, rounded: rounded.code },
    matrix: { src: scratchByte + numbersByte, rows: piece.height, columns: stagedColumns, stride, block: rule.block },
    scales: scratchByte + scalesByte,
    zeros: scratchByte + zerosByte,
    codes: scratchByte + destinationByte,
  });
  return wasm.layout.quantizeColumns();
}

/** Copies a piece of the weights into the scratch area as float32, in rows of `stride` numbers; zeros fill a row up to
 * a whole vector. Returns where the piece lies there, in bytes.
 * @type {(dtype: DType, weights: TensorData, columns: number, piece: Piece, stride: number) => number} */
function putNumbers(dtype, weights, columns, { row, column, height, width }, stride) {
  const isConverted = dtype !== dtypes.float32;
  const bytes = dtype.bits / 8;
  const firstWeight = row * columns + column;
  const stagedByte = (isConverted ? stageByte : 0) + wasm.placeInLine(weights, bytes * firstWeight);
  const numbers = wasm.scratchLike(weights);
  const first = stagedByte / bytes;
  const length = height * stride;
  // Earlier calls left their numbers in the scratch area.
  if (width % vectorColumns > 0) numbers.fill(0, first, first + length);
  copyRows(
    { count: height, length: width },
    { array: weights, first: firstWeight, stride: columns },
    { array: numbers, first, stride },
  );
  if (!isConverted) return stagedByte;
  const { layout, scratchByte } = wasm;
  const [convertedByte, noFlags] = [0, 0];
  const [from, to] = [scratchByte + stagedByte, scratchByte + convertedByte];
  layout.convert(dtype.code, dtypes.float32.code, from, to, length, noFlags);
  return convertedByte;
}

/** Rounds a number of columns up to whole vectors. */
const wholeVectors = (/** @type {number} */ columns) => Math.ceil(columns / vectorColumns) * vectorColumns;

/** Cuts a matrix into pieces of at most `pieceBytes` of float32: of all columns and several blocks of rows where that
 * fits, otherwise of one block and some of the columns. `block`: 16 to 256 rows, a power of two.
 * @type {(rows: number, columns: number, block: number) => Generator<Piece>} */
function* piecesOf(rows, columns, block) {
  // How many columns of one block of rows fit into a piece.
  const maxColumns = pieceBytes / (floatBytes * block);
  const blocksPerPiece = Math.max(1, Math.floor(maxColumns / wholeVectors(columns)));
  const maxHeight = block * blocksPerPiece;
  const maxWidth = Math.min(columns, maxColumns);
  for (let row = 0; row < rows; row += maxHeight) {
    const height = Math.min(maxHeight, rows - row);
    for (let column = 0; column < columns; column += maxWidth)
      yield { row, column, height, width: Math.min(maxWidth, columns - column) };
  }
}

/** Rows in an array: the entry where the first row begins, and the entries from one row to the next.
 * @typedef {{ array: TypedArray, first: number, stride: number }} RowsOfArray */

/** Copies `count` rows of `length` entries from one array to another, all at once where nothing lies between them.
 * @type {(rows: { count: number, length: number }, from: RowsOfArray, to: RowsOfArray) => void} */
function copyRows({ count, length }, from, to) {
  const isDense = from.stride === length && to.stride === length;
  const [runs, runLength] = isDense ? [1, count * length] : [count, length];
  for (let i = 0; i < runs; i++) {
    const first = from.first + i * from.stride;
    to.array.set(from.array.subarray(first, first + runLength), to.first + i * to.stride);
  }
}
