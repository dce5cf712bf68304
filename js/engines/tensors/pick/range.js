/** The numbers of a range, piece by piece through the scratch area. */
import { bytesBetween, bytesOf } from '../../../arguments/index.js';
import { conversionBytes } from '../numbers/convert.js';
import { checkMemory } from '../../memory/index.js';
import { destinationByte, layout, scratch, scratchByte, scratchViews } from '../module.js';

/** @import { TypedArray } from '../../../arguments/types.js' */
/** @import { DType } from '../../../tensor/index.js' */
/** @import { TensorData } from '../../../tensor/types.js' */

/** Writes start + i * delta for each i from 0 to `size - 1`, as `dtype`. `values`: start and delta, bigints for an
 * integer type. `math`: the type in which a float type's numbers are computed, float32 or float64.
 * @type {(dtype: DType, math: DType, values: readonly [number, number] | readonly [bigint, bigint], size: number,
 *   result: TensorData) => void} */
export function fillRange(dtype, math, values, size, result) {
  const { bits, code } = dtype;
  checkMemory('written', result, Math.ceil((size * bits) / 8));
  const bytes = bytesOf(result);
  // Start and delta lie at the start of the scratch area, and each piece of the result at `destinationByte` of it.
  const valuesAt = scratchByte;
  const pieceAt = scratchByte + destinationByte;
  const valuesClass = typeof values[0] === 'bigint' ? 'BigInt64Array' : 'Float64Array';
  /** @type {TypedArray} */ (scratchViews[valuesClass]).set(values);
  // A piece has at most `conversionBytes` bytes, and elements below 8 bits count as a byte. So its elements are a
  // multiple of 8, and pieces of packed elements begin at whole bytes.
  const maxCount = conversionBytes / (Math.max(bits, 8) / 8);
  for (let first = 0; first < size; first += maxCount) {
    const count = Math.min(maxCount, size - first);
    layout.range(code, math.code, first, count, valuesAt, pieceAt);
    const pieceBytes = Math.ceil((count * bits) / 8);
    bytes.set(bytesBetween(scratch, destinationByte, destinationByte + pieceBytes), (first * bits) / 8);
  }
}
