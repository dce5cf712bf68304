/** Results whose rows are rows of the first input, as indices choose them. */
import { rangeError, show, typedArrayName } from '../../arguments/index.js';
import { copyRows } from '../../engine/index.js';
import { dtypes, newData } from '../../tensor/index.js';
import { filled } from '../core/index.js';

/** @import { Indices, Move, Numbers, Plan, Rows, RowsOf } from '../types.js' */

/** Stands for an int64 that no axis has. */
const beyond = -(2 ** 31);

/** A copy of indices. In place of one that is no int32, or no safe integer, stands another that is out of range, too.
 * @type {(indices: Indices, all: number) => Numbers} `all`: the elements of the tensor that they are of */
function numbersOf({ list, parts }, all) {
  // Beside an extent of 0, others may have 2^31 or more.
  const isWide = all === 0 || all >= 2 ** 31;
  const size = parts ? parts.size : list.length;
  const numbers = newData(isWide ? dtypes.float64 : dtypes.int32, size, undefined);
  if (!parts)
    for (let i = 0; i < size; i++) {
      const entry = Number(list[i]);
      numbers[i] = isWide || entry === (entry | 0) ? entry : beyond;
    }
  else if (parts.dtype.name === 'int32') {
    if (size > 0) numbers.set(parts.data);
  } else if (size > 0) readHalves(new Int32Array(parts.data.buffer, parts.data.byteOffset, 2 * size), numbers);
  return numbers;
}

/** Reads int64, 2 of the 9 ns that Gather takes for an index: a bigint for each takes ten times as long (measured).
 * @type {(halves: Int32Array, numbers: Numbers) => void} */
function readHalves(halves, numbers) {
  const { length } = numbers;
  if (typedArrayName(numbers) === 'Float64Array')
    for (let i = 0; i < length; i++) numbers[i] = halves[2 * i + 1] * 2 ** 32 + (halves[2 * i] >>> 0);
  else
    for (let i = 0; i < length; i++) {
      const low = halves[2 * i];
      numbers[i] = halves[2 * i + 1] === low >> 31 ? low : beyond;
    }
}

/** Counts an index from the front; negative where it is not in [-extent, extent - 1]. Without a branch on its sign it
 * takes 1.3 instead of 5 ms for 1,000,000 of both signs; to stage them for a kernel would take .5 alone (measured).
 * @type {(given: number, extent: number) => number} */
export function fromFront(given, extent) {
  const index = given + Number(given < 0) * extent;
  return index < extent ? index : -1;
}

/** @type {(indices: Indices, at: number, lowest: number, highest: number) => never} refuses one of the indices */
export function refuseIndex({ argument, list, parts }, at, lowest, highest) {
  const exact = show((parts?.data ?? list)[at]);
  return rangeError(`${argument} must be in [${lowest}, ${highest}], got ${exact} at ${at}`);
}

/** @type {(rowsOf: RowsOf) => (plan: Plan, values: any[]) => Rows} of indices that are all checked */
export const rowsAt =
  (rowsOf) =>
  (plan, [{ dims, size }, indices]) =>
    rowsOf(plan, numbersOf(indices, size), indices, dims);

/** @type {(rowsOf: RowsOf) => Move} the result's rows are rows of the first input */
export const indexed = (rowsOf) =>
  filled(
    ({ dtype }, data, [source], rows) => copyRows(/** @type {any} */ (dtype).bits, rows, source, data),
    rowsAt(rowsOf),
  );
