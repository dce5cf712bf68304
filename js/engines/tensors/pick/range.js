/** The numbers of a range, piece by piece through the scratch area. */
import { bytesBetween, bytesOf } from '../../../arguments/index.js';
import { conversionBytes } from '../numbers/convert.js';
import { checkMemory } from '../../memory/index.js';
import { destinationByte, layout, scratch, scratchByte, scratchViews } from '../module.js';

/** @import { TypedArray } from '../../../arguments/types.js' */
/** @import { DType } from '../../../tensor/index.js' */
/** @import { TensorData } from '../../../tensor/types.js' */

/** Writes start + i * delta for each i from 0 to `size - 1`, as `dtype`. `values`: start and delta, bigints for an
 * integer type. `math`: the type in which a float type's numbers are computed, float32 or float64. See
 * cpp/pick/range.h.
 * @type {(dtype: DType, math: DType, values: readonly [number, number] | readonly [bigint, bigint], size: number,
 *   result: TensorData) => void} */
export function fillRange(dtype, math, values, size, result) {
  const { bits, code } = dtype;
  checkMemory('written', result, Math.ceil((size * bits) / 8));
  const bytes = bytesOf(result);
  // The module reads start and delta from the start of the scratch area.
  /** @type {TypedArray} */ (scratchViews[typeof values[0] === 'bigint' ? 'BigInt64Array' : 'Float64Array']).set(
    values,
  );
  // Elements of a piece: a multiple of 8, so that pieces of packed elements begin at whole bytes.
  const step = (8 * conversionBytes) / Math.max(bits, 8);
  for (let done = 0; done < size; done += step) {
    const count = Math.min(step, size - done);
    layout.range(code, math.code, done, count, scratchByte, scratchByte + destinationByte);
    const end = destinationByte + Math.ceil((count * bits) / 8);
    bytes.set(bytesBetween(scratch, destinationByte, end), (done * bits) / 8);
  }
}
