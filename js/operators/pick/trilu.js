/** Trilu: the upper or the lower triangle of matrices. */
import { bytesOf, rangeError } from '../../arguments/index.js';
import { sizeOf } from '../../tensor/index.js';
import * as core from '../core/index.js';

/** @import { DType, Operator, Tensor, TensorInfo, TensorLike, TriluAttributes, TriluOptions } from '../types.js' */
/** @import { TensorData, TypeName } from '../types.js' */

/** @type {Operator<{ input?: TensorInfo, k?: TensorInfo | null }, TriluAttributes>} */
export const Trilu = core.define({
  name: 'Trilu',
  versions: { 14: 4 },
  inputs: [core.tensor('input'), core.number('k', core.integerCheck('k', core.int64Only), true)],
  attributes: { upper: core.flag(true) },
  /** Plans a result of the input's dims; `k` is 0, the main diagonal, if omitted. */
  shape(_, { upper }, { dims }, k) {
    if (dims && dims.length < 2) rangeError(`input must have at least two axes, got rank ${dims.length}`);
    return { dims, upper, k: k?.value ?? 0 };
  },
  move: core.filled(({ dims, dtype, k, upper }, data, [source]) => {
    const [high, wide] = dims.slice(-2);
    const size = sizeOf(dims);
    if (size === 0) return;
    core.copyView(/** @type {DType} */ (dtype), core.wholeView(dims), source, data);
    // In each row the columns before `cut` are cleared, or, of the lower triangle, those from it on. `k` is any int64:
    // it is clamped before it is added.
    const shift = Math.min(Math.max(Number(k), -high), wide) + (upper ? 0 : 1);
    for (let row = 0; row < size / wide; row++) {
      const cut = row * wide + Math.min(Math.max((row % high) + shift, 0), wide);
      clear(/** @type {DType} */ (dtype), data, size, upper ? row * wide : cut, upper ? cut : (row + 1) * wide);
    }
  }),
});

/** Sets the elements `from` up to `to` to 0, false or the empty string; the data have `size` elements. Of packed ones
 * at most 14 bits lie beside whole bytes; these are cleared one by one.
 * @type {(dtype: DType, data: TensorData, size: number, from: number, to: number) => void} */
function clear({ bits, array }, data, size, from, to) {
  const zero = array === 'Array' ? '' : array.startsWith('Big') ? 0n : 0;
  // Strings, of 0 bits, and whole bytes; a complex number is two numbers of the data.
  if (bits === 0 || bits >= 8) return data.fill(zero, (from * data.length) / size, (to * data.length) / size);
  const bytes = bytesOf(data);
  const end = to * bits;
  for (let bit = from * bits; bit < end;) {
    const wholeBytes = bit % 8 === 0 ? Math.floor((end - bit) / 8) : 0;
    if (wholeBytes > 0) bytes.fill(0, bit / 8, bit / 8 + wholeBytes);
    else bytes[Math.floor(bit / 8)] &= ~(1 << (bit % 8));
    bit += wholeBytes > 0 ? 8 * wholeBytes : 1;
  }
  return undefined;
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
