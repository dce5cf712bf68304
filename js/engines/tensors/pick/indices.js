/** The rows that indices name. A row is what a tuple of indices picks of a tensor: all elements along the axes that the
 * tuple does not name. Rows are numbered from the tensor's first element on. */
import * as cpp from '../../../../dist/bridge/tensors.js';
import { callBlock, layout, scratchByte, scratchLike, scratchViews } from '../module.js';

/** @import { DType } from '../../../tensor/index.js' */
/** @import { IndexTuples, Rows } from '../types.js' */
/** @import { TensorData } from '../../../tensor/types.js' */

/** Fewer rows are copied by a loop: `subarray` and `set` take 80 ns. */
const few = 32;
/** The most indices of a call, and the places of its axes and rows in the scratch area, in bytes. */
const mostIndices = 2 ** 17;
const [axesByte, rowsByte] = [2 ** 21, 2 ** 22];

/** Turns tuples of indices into the numbers of the rows that they name, piece by piece; see cpp/pick/indices.h. `data`:
 * the indices of all tuples, one tuple behind the other, of a dtype. `refuse` gets the place in `data` of the first
 * index that is out of range, and throws; without it, the tuples of such indices are left out.
 * @type {(tuples: IndexTuples, dtype: DType, data: TensorData, refuse?: (at: number) => never) =>
 *   Rows['rows']} */
export function rowsOf({ length, axes, isSigned, size }, { code }, data, refuse) {
  const { nameRows } = layout;
  // Row numbers that may not fit int32 are float64.
  const isWide = size >= 2 ** 31;
  const count = data.length / length;
  const rows = isWide ? new Float64Array(count) : new Int32Array(count);
  const numbers = isWide ? scratchViews.Float64Array : scratchViews.Int32Array;
  const first = rowsByte / (isWide ? 8 : 4);
  let end = 0;
  const perCall = Math.floor(mostIndices / length);
  for (let done = 0; done < count; done += perCall) {
    const rowCount = Math.min(perCall, count - done);
    stageIndices(data, done * length, (done + rowCount) * length);
    // The module reads the number of the first tuple, then the axes.
    scratchViews.Float64Array[axesByte / 8] = done;
    copyNumbers(scratchViews.Float64Array, axesByte / 8 + 1, axes);
    cpp.writeIndexTuples(callBlock, {
      format: code,
      isSigned,
      skips: refuse === undefined,
      isWide,
      length,
      // Of the axes on which the tuples lie: `axes` has two numbers for each, and for each of the `length` before them.
      rank: axes.length / 2 - length,
      count: rowCount,
      indices: scratchByte,
      axes: scratchByte + axesByte,
      rows: scratchByte + rowsByte,
    });
    const named = nameRows();
    // A negative result is -1 - the place of the wrong index among those of this call.
    if (named < 0) refuse?.(done * length - 1 - named);
    if (named < few) for (let i = 0; i < named; i++) rows[end + i] = numbers[first + i];
    else rows.set(numbers.subarray(first, first + named), end);
    end += named;
  }
  return end === count ? rows : rows.subarray(0, end);
}

/** Copies entries `from` to before `to` of the indices to the start of the scratch area; those of an Array as float64.
 * @type {(data: TensorData, from: number, to: number) => void} */
function stageIndices(data, from, to) {
  if (Array.isArray(data)) for (let i = from; i < to; i++) scratchViews.Float64Array[i - from] = Number(data[i]);
  else scratchLike(data).set(to - from === data.length ? data : data.subarray(from, to));
}

/** Copies a list to entry `at` of a view. By a loop: `set` of a list takes twice as long, 60 ns for nine numbers.
 * @type {(view: Uint32Array | Float64Array, at: number, list: readonly number[]) => void} */
function copyNumbers(view, at, list) {
  for (let i = 0; i < list.length; i++) view[at + i] = list[i];
}
