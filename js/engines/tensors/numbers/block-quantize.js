/** Blocks of weights to codes, a scale for each column of each block, through the scratch area. */
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

/** Quantizes a matrix of weights: a scale and a zero point for each column of each block of rows. `squares`: the sum of
 * the squared errors. Undefined where a number is not finite.
 * @type {(dtype: DType, weights: TypedArray, rows: number, columns: number, rule: ColumnRule) =>
 *   Columns | undefined} */
export function columnBytes(dtype, weights, rows, columns, rule) {
  const { destinationByte, layout, scratch, scratchByte } = wasm;
  const { Float32Array: floats } = wasm.scratchViews;
  const { bits, block, joined } = rule;
  checkMemory('read', weights, (rows * columns * dtype.bits) / 8);
  // onnxruntime rounds scales of float16 before they are used, those of bfloat16 at the end.
  const rounded = dtype === dtypes.float16 ? dtype : dtypes.float32;
  const perByte = joined ? 8 / bits : 1;
  const blocks = Math.ceil(rows / block);
  const codes = newData(dtypes.uint8, ((joined ? blocks * block : rows) / perByte) * columns, undefined);
  const scales = newData(dtypes.float32, blocks * columns, undefined);
  const zeros = newData(dtypes.uint8, blocks * columns, undefined);
  let squares = 0;
  for (const piece of piecesOf(rows, columns, block)) {
    const { row, column, high, wide } = piece;
    const maxColumns = wholeVectors(wide);
    // At a stride of whole pages all rows would share the same few lines of the cache.
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
    if (sum < 0) return undefined;
    squares += sum;
    const inCodes = (row / perByte) * columns + column;
    const inBlocks = (row / block) * columns + column;
    copyRows(Math.ceil(high / perByte), wide, [scratch, destinationByte, maxColumns], [codes, inCodes, columns]);
    copyRows(Math.ceil(high / block), wide, [floats, scalesByte / 4, maxColumns], [scales, inBlocks, columns]);
    copyRows(Math.ceil(high / block), wide, [scratch, zerosByte, maxColumns], [zeros, inBlocks, columns]);
  }
  return { codes, scales, zeros, squares };
}

/** @typedef {{ row: number, column: number, high: number, wide: number }} Piece of a matrix */

/** Stages a piece as float32, with zeros up to a whole vector, and returns its place in the scratch area.
 * @type {(dtype: DType, weights: TensorData, columns: number, piece: Piece, stride: number) => number} */
function putNumbers(dtype, weights, columns, { row, column, high, wide }, stride) {
  const isConverted = dtype !== dtypes.float32;
  const bytes = dtype.bits / 8;
  const first = row * columns + column;
  const front = (isConverted ? stageByte : 0) + wasm.placeInLine(weights, bytes * first);
  const numbers = wasm.scratchLike(weights);
  if (wide % 16 > 0) numbers.fill(0, front / bytes, front / bytes + high * stride);
  copyRows(high, wide, [weights, first, columns], [numbers, front / bytes, stride]);
  if (!isConverted) return front;
  wasm.layout.convert(dtype.code, dtypes.float32.code, wasm.scratchByte + front, wasm.scratchByte, high * stride, 0);
  return 0;
}

/** The module takes sixteen columns at a time. */
const wholeVectors = (/** @type {number} */ columns) => Math.ceil(columns / 16) * 16;

/** Cuts a matrix into pieces of whole blocks, and of as many columns as fit.
 * @type {(rows: number, columns: number, block: number) => Generator<Piece>} */
function* piecesOf(rows, columns, block) {
  const maxBlocks = pieceBytes / (4 * block);
  const height = block * Math.max(1, Math.floor(maxBlocks / wholeVectors(columns)));
  const width = Math.min(columns, maxBlocks);
  for (let row = 0; row < rows; row += height)
    for (let column = 0; column < columns; column += width)
      yield { row, column, high: Math.min(height, rows - row), wide: Math.min(width, columns - column) };
}

/**
 * Copies rows of a matrix, all at once where nothing lies between them.
 * @typedef {[array: TypedArray, first: number, stride: number]} Place
 * @type {(count: number, length: number, from: Place, to: Place) => void}
 */
function copyRows(count, length, [source, from, sourceStride], [target, to, targetStride]) {
  const isDense = sourceStride === length && targetStride === length;
  const [times, run] = isDense ? [1, count * length] : [count, length];
  for (let i = 0; i < times; i++)
    target.set(source.subarray(from + i * sourceStride, from + i * sourceStride + run), to + i * targetStride);
}
