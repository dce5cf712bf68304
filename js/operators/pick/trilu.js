/** Trilu: the upper or the lower triangle of matrices. */
import { bytesOf, rangeError } from '../../arguments/index.js';
import { isPacked, sizeOf } from '../../tensor/index.js';
import * as core from '../core/index.js';

/** @import { DType, Operator, Tensor, TensorInfo, TensorLike, TriluAttributes, TriluOptions } from '../types.js' */
/** @import { TensorData, TypeName } from '../types.js' */

/** @type {Operator<{ input?: TensorInfo, k?: TensorInfo | null }, TriluAttributes>} */
export const Trilu = core.define({
  name: 'Trilu',
  versions: { 14: 4 },
  inputs: [core.tensor('input'), core.number('k', core.integerCheck('k', core.int64Only), true)],
  attributes: { upper: core.flag(true) },
  /** Plans a result of the input's dims. `k`: the diagonal, 0 where the input of that name is omitted or unknown. */
  shape(_, { upper }, { dims }, k) {
    if (dims && dims.length < 2) rangeError(`input must have at least two axes, got rank ${dims.length}`);
    return { dims, upper, k: k?.value ?? 0 };
  },
  /** Copies the input, and clears the elements of each row that lie beyond the diagonal. */
  move: core.filled(({ dims, dtype: planned, k, upper }, data, [source]) => {
    const dtype = /** @type {DType} */ (planned);
    const [rows, columns] = dims.slice(-2);
    const size = sizeOf(dims);
    if (size === 0) return;
    core.copyView(dtype, core.wholeView(dims), source, data);
    // The column of the diagonal in row 0. `k` is any int64: clamped, it can be added exactly.
    const diagonal = clamp(Number(k), -rows, columns);
    const rowsOfAllMatrices = size / columns;
    for (let row = 0; row < rowsOfAllMatrices; row++) {
      const rowStart = row * columns;
      const columnOnDiagonal = (row % rows) + diagonal;
      if (upper) {
        const keptStart = rowStart + clamp(columnOnDiagonal, 0, columns);
        clearElements(dtype, data, size, rowStart, keptStart);
      } else {
        const keptEnd = rowStart + clamp(columnOnDiagonal + 1, 0, columns);
        const rowEnd = rowStart + columns;
        clearElements(dtype, data, size, keptEnd, rowEnd);
      }
    }
  }),
});

/** @type {(value: number, low: number, high: number) => number} */
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/** Sets the elements `from` to before `to` to 0, false or the empty string; the data have `size` elements.
 * @type {(dtype: DType, data: TensorData, size: number, from: number, to: number) => void} */
function clearElements(dtype, data, size, from, to) {
  const { bits, array } = dtype;
  if (isPacked(dtype)) return clearBits(bytesOf(data), from * bits, to * bits);
  const zero = array.startsWith('Big') ? 0n : 0;
  const entriesPerElement = data.length / size; // 2 of complex numbers
  return data.fill(array === 'Array' ? '' : zero, from * entriesPerElement, to * entriesPerElement);
}

/** Clears the bits `from` to before `to`: whole bytes at once, and the bits in front of and behind these one by one.
 * @type {(bytes: Uint8Array, from: number, to: number) => void} */
function clearBits(bytes, from, to) {
  const firstWholeByte = Math.ceil(from / 8);
  const wholeBytesEnd = Math.floor(to / 8);
  if (firstWholeByte >= wholeBytesEnd) {
    for (let bit = from; bit < to; bit++) clearBit(bytes, bit);
    return;
  }
  for (let bit = from; bit < 8 * firstWholeByte; bit++) clearBit(bytes, bit);
  bytes.fill(0, firstWholeByte, wholeBytesEnd);
  for (let bit = 8 * wholeBytesEnd; bit < to; bit++) clearBit(bytes, bit);
}

/** Clears one bit of packed elements, which fill each byte from its lowest bit on.
 * @type {(bytes: Uint8Array, bit: number) => void} */
function clearBit(bytes, bit) {
  const mask = 1 << (bit % 8);
  bytes[Math.floor(bit / 8)] &= ~mask;
}

/**
 * Trilu: of the last two axes, the elements on and above diagonal `k`, or on and below it. The others become 0, false
 * or ''.
 * @template {TypeName} T
 * @param {TensorLike<T>} input of rank 2 or more
 * @param {number | bigint | TensorLike | null | TriluOptions} [k] an int64; 0, the main diagonal, if omitted
 * @param {TriluOptions} [options]
 * @returns {Tensor<T>} with memory of its own, or over `out.data`
 * @example
 * const square = { type: 'uint8', data: Uint8Array.of(1, 2, 3, 4), dims: [2, 2] };
 * trilu(square, { upper: 0 }).data; // Uint8Array [1, 0, 3, 4]
 */
export const trilu = (input, k, options) => core.runNamed(Trilu, [input, k], options);
