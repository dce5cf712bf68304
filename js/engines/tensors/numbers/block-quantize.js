/** Blocks of weights to codes, through the scratch area. A block is some rows of a matrix, and has a scale and a zero
 * point for each of its columns. */
import * as cpp from '../../../../dist/bridge/tensors.js';
import { dtypes, newData } from '../../../tensor/index.js';
import { checkMemory } from '../../memory/index.js';
import * as wasm from '../module.js';

/** @import { TypedArray } from '../../../arguments/types.js' */
/** @import { DType } from '../../../tensor/index.js' */
/** @import { ColumnRule, Columns } from '../types.js' */
/** @import { TensorData } from '../../../tensor/types.js' */

/** Bytes of a piece's numbers: they stay in a second-level cache. */
const pieceBytes = 512 * 2 ** 10;
/** Places of scales, zero points and numbers of 16 bits in the scratch area, in bytes. */
const [scalesByte, zerosByte, stageByte] = [6 * 2 ** 20, 8 * 2 ** 20, 4 * 2 ** 20];

/** Quantizes a matrix [rows, columns] of weights piece by piece. Returns its codes, and a scale and a zero point for
 * each column of each block of rows; undefined where a number is NaN or infinite. See cpp/quantize/columns.h.
 * @type {(dtype: DType, weights: TypedArray, rows: number, columns: number, rule: ColumnRule) =>
 *   Columns | undefined} */
export function columnBytes(dtype, weights, rows, columns, rule) {
  const { destinationByte, layout, scratch, scratchByte } = wasm;
  const { Float32Array: floats } = wasm.scratchViews;
  const { bits, block, joined } = rule;
  checkMemory('read', weights, (rows * columns * dtype.bits) / 8);
  // onnxruntime rounds scales of float16 before they are used, those of bfloat16 at the end.
  const rounded = dtype === dtypes.float16 ? dtype : dtypes.float32;
  // Rows whose codes share a byte.
  const perByte = joined ? 8 / bits : 1;
  const blocks = Math.ceil(rows / block);
  const codes = newData(dtypes.uint8, ((joined ? blocks * block : rows) / perByte) * columns, undefined);
  const scales = newData(dtypes.float32, blocks * columns, undefined);
  const zeros = newData(dtypes.uint8, blocks * columns, undefined);
  let squares = 0;
  for (const piece of piecesOf(rows, columns, block)) {
    const { row, column, high, wide } = piece;
    const maxColumns = wholeVectors(wide);
    // 16 more where rows are 4 KB or a multiple: at a stride of whole pages all rows would share a few lines of the
    // cache.
    const stride = maxColumns % 1024 === 0 ? maxColumns + 16 : maxColumns;
    const src = scratchByte + putNumbers(dtype, weights, columns, piece, stride);
    cpp.writeQuantizedColumns(wasm.callBlock, {
      rule: { ...rule, rounded: rounded.code },
      matrix: { src, rows: high, columns: maxColumns, stride, block },
      scales: scratchByte + scalesByte,
      zeros: scratchByte + zerosByte,
      codes: scratchByte + destinationByte,
    });
    const sum = layout.quantizeColumns();
    if (sum < 0) return undefined; // a number is not finite
    squares += sum;
    // Where the piece begins in the results. A piece begins with a block, so with a whole byte, too.
    const inCodes = (row / perByte) * columns + column;
    const inBlocks = (row / block) * columns + column;
    copyRows(Math.ceil(high / perByte), wide, [scratch, destinationByte, maxColumns], [codes, inCodes, columns]);
    copyRows(Math.ceil(high / block), wide, [floats, scalesByte / 4, maxColumns], [scales, inBlocks, columns]);
    copyRows(Math.ceil(high / block), wide, [scratch, zerosByte, maxColumns], [zeros, inBlocks, columns]);
  }
  return { codes, scales, zeros, squares };
}

/** A part of a matrix: where it begins, and how many rows and columns it has.
 * @typedef {{ row: number, column: number, high: number, wide: number }} Piece */

/** Copies a piece of the weights into the scratch area as float32, in rows of `stride` numbers, with zeros behind those
 * of a row that are no whole vector. Returns where it lies there, in bytes.
 * @type {(dtype: DType, weights: TensorData, columns: number, piece: Piece, stride: number) => number} */
function putNumbers(dtype, weights, columns, { row, column, high, wide }, stride) {
  const isConverted = dtype !== dtypes.float32;
  const bytes = dtype.bits / 8;
  const first = row * columns + column;
  const front = (isConverted ? stageByte : 0) + wasm.placeInLine(weights, bytes * first);
  const numbers = wasm.scratchLike(weights);
  // A vector has 16 numbers. Earlier calls left theirs in the scratch area.
  if (wide % 16 > 0) numbers.fill(0, front / bytes, front / bytes + high * stride);
  copyRows(high, wide, [weights, first, columns], [numbers, front / bytes, stride]);
  if (!isConverted) return front;
  wasm.layout.convert(dtype.code, dtypes.float32.code, wasm.scratchByte + front, wasm.scratchByte, high * stride, 0);
  return 0;
}

/** Rounds a number of columns up to a multiple of sixteen, which the module takes at a time. */
const wholeVectors = (/** @type {number} */ columns) => Math.ceil(columns / 16) * 16;

/** Cuts a matrix into pieces of at most `pieceBytes` of float32: of all columns and several blocks of rows where that
 * fits, otherwise of one block and some of the columns. `block`: 16 to 256 rows, a power of two.
 * @type {(rows: number, columns: number, block: number) => Generator<Piece>} */
function* piecesOf(rows, columns, block) {
  // So many columns of one block fit into a piece.
  const maxColumns = pieceBytes / (4 * block);
  const height = block * Math.max(1, Math.floor(maxColumns / wholeVectors(columns)));
  const width = Math.min(columns, maxColumns);
  for (let row = 0; row < rows; row += height)
    for (let column = 0; column < columns; column += width)
      yield { row, column, high: Math.min(height, rows - row), wide: Math.min(width, columns - column) };
}

/**
 * Copies `count` rows of `length` entries from one array to another, all at once where nothing lies between them.
 * @typedef {[array: TypedArray, first: number, stride: number]} Place an array, the entry where its first row begins,
 *   and the entries from one row to the next
 * @type {(count: number, length: number, from: Place, to: Place) => void}
 */
function copyRows(count, length, [source, from, sourceStride], [target, to, targetStride]) {
  const isDense = sourceStride === length && targetStride === length;
  const [times, run] = isDense ? [1, count * length] : [count, length];
  for (let i = 0; i < times; i++)
    target.set(source.subarray(from + i * sourceStride, from + i * sourceStride + run), to + i * targetStride);
}
