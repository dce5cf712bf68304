/** The rows that indices name. A row is what a tuple of indices picks of a tensor: all elements along the axes that the
 * tuple does not name. Rows are numbered from the tensor's first element on. */
import * as cpp from '../../../../dist/bridge/tensors.js';
import { doubleBytes } from '../../memory/index.js';
import { callBlock, layout, scratchByte, scratchLike, scratchViews } from '../module.js';

/** @import { DType } from '../../../tensor/index.js' */
/** @import { IndexTuples, Rows } from '../types.js' */
/** @import { TensorData } from '../../../tensor/types.js' */

/** Fewer row numbers are copied by a loop: `subarray` and `set` take 80 ns. */
const fewRows = 32;
/** The most indices of a call, and the places of its axes and row numbers in the scratch area, in bytes. */
const maxIndices = 2 ** 17;
const axesByte = 2 ** 21;
const rowsByte = 2 ** 22;

/** Turns tuples of indices into the numbers of the rows that they name, piece by piece. A row's number is the sum of
 * the tuple's indices, and of its place on the axes on which tuples lie, each times the axis' stride. `data`: the
 * indices of all tuples, one tuple behind the other, of a dtype. `refuse` gets the place in `data` of the first index
 * that is out of range, and throws; without it, the tuples of such indices are left out.
 * @type {(tuples: IndexTuples, dtype: DType, data: TensorData, refuse?: (at: number) => never) =>
 *   Rows['rows']} */
export function rowsOf(tuples, dtype, data, refuse) {
  const { length, size } = tuples;
  // Row numbers that may not fit int32 are float64.
  const isWide = size >= 2 ** 31;
  const tupleCount = data.length / length;
  const rows = isWide ? new Float64Array(tupleCount) : new Int32Array(tupleCount);
  const staged = isWide ? scratchViews.Float64Array : scratchViews.Int32Array;
  const firstStaged = rowsByte / staged.BYTES_PER_ELEMENT;
  const skips = refuse === undefined;
  const maxTuples = Math.floor(maxIndices / length);
  let end = 0;
  for (let done = 0; done < tupleCount; done += maxTuples) {
    const count = Math.min(maxTuples, tupleCount - done);
    stageIndices(data, done * length, (done + count) * length);
    const rowCount = nameStagedRows(tuples, dtype, done, count, skips, isWide);
    if (rowCount < 0) {
      // -1 - the place of the wrong index among those of this call
      const wrongPlace = -1 - rowCount;
      refuse?.(done * length + wrongPlace);
    }
    if (rowCount < fewRows) for (let i = 0; i < rowCount; i++) rows[end + i] = staged[firstStaged + i];
    else rows.set(staged.subarray(firstStaged, firstStaged + rowCount), end);
    end += rowCount;
  }
  return end === tupleCount ? rows : rows.subarray(0, end);
}

/** Names the rows of `count` tuples whose indices are staged, `firstTuple` and those behind it: leaves the row numbers
 * in the scratch area at `rowsByte`. Returns how many there are, or a negative number for an index out of range.
 * @type {(tuples: IndexTuples, dtype: DType, firstTuple: number, count: number, skips: boolean, isWide: boolean) =>
 *   number} */
function nameStagedRows({ length, axes, isSigned }, { code }, firstTuple, count, skips, isWide) {
  const { Float64Array: doubles } = scratchViews;
  const firstAxis = axesByte / doubleBytes;
  // The module reads the number of the first tuple, then the axes.
  doubles[firstAxis] = firstTuple;
  copyNumbers(doubles, firstAxis + 1, axes);
  // `axes` has two numbers an axis: first the `length` axes that a tuple names, then those on which the tuples lie.
  const rank = axes.length / 2 - length;
  cpp.writeIndexTuples(callBlock, {
    format: code,
    isSigned,
    skips,
    isWide,
    length,
    rank,
    count,
    indices: scratchByte,
    axes: scratchByte + axesByte,
    rows: scratchByte + rowsByte,
  });
  return layout.nameRows();
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
