/** Results whose rows are rows of the first input, as indices choose them. A row is a run of contiguous elements. */
import { rangeError, show } from '../../arguments/index.js';
import { copyRows, rowsOf } from '../../engines/tensors/index.js';
import { dtypes } from '../../tensor/index.js';
import { filled } from '../core/index.js';

/** @import { DType, IndexTuples, Indices, Move, Plan, ReadInputs, Rows, TuplesOf } from '../types.js' */

/** Turns tuples of indices, a tensor or a list, into the numbers of the rows that they name. Refuses an index beyond
 * its axis, whose extent `tuples.axes` says; `at` is its place among all indices.
 * @type {(tuples: IndexTuples, indices: Indices) => Rows['rows']} */
export function readRows(tuples, { argument, tensor, list }) {
  const { dtype, data } = tensor ?? { dtype: dtypes.float64, data: list };
  return rowsOf(tuples, dtype, data, (at) => {
    const indexInTuple = at % tuples.length;
    const extent = tuples.axes[2 * indexInTuple]; // the list has an extent and a stride for each index
    const lowest = tuples.isSigned ? 0 - extent : 0;
    return rangeError(`${argument} must be in [${lowest}, ${extent - 1}], got ${show(data[at])} at ${at}`);
  });
}

/** Makes the function that lists the rows of input 0 which the indices, input 1, name. `tuplesOf` describes these.
 * @type {(tuplesOf: TuplesOf) => (plan: Plan, values: ReadInputs) => Rows} */
export const rowsNamedBy =
  (tuplesOf) =>
  (plan, [{ dims, size }, indices]) => {
    // Add to the object: a spread takes .8 us.
    const tuples = /** @type {IndexTuples & Rows} */ (tuplesOf(plan, dims, indices.dims));
    tuples.size = size;
    tuples.rows = readRows(tuples, indices);
    return tuples;
  };

/** Makes the move that copies rows of the first input to the result, those that `rowsFor` lists.
 * @type {(rowsFor: (plan: Plan, values: ReadInputs) => Rows) => Move} */
export const copiedRows = (rowsFor) =>
  filled(({ dtype }, data, [source], rows) => copyRows(/** @type {DType} */ (dtype).bits, rows, source, data), rowsFor);

/** Makes the move that copies rows of the first input to the result, those that the call's indices name.
 * @type {(tuplesOf: TuplesOf) => Move} */
export const indexed = (tuplesOf) => copiedRows(rowsNamedBy(tuplesOf));
