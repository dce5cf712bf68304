/** The updates of ScatterElements and ScatterND: reductions, dims, and how they join the data. */
import { rangeError, readWord, showList, typeError } from '../../arguments/index.js';
import { reduceRows, scatterRows } from '../../engine/index.js';
import { attribute, copyView, filled, isUnknown, tensor, wholeView } from '../core/index.js';
import { rowsAt } from './indexed.js';

/** @import { DType, Dim, Move, Reduction, RowsOf } from '../types.js' */

/** How updates join; from opset 16, with max and min from opset 18. */
export const reduction = attribute(
  (name, value, { schema }) =>
    readWord(name, ['none', 'add', 'mul', ...(schema.since < 18 ? [] : ['max', 'min'])], value),
  'none',
  { since: 16 },
);

export const updates = tensor('updates', ({ name }, _, [{ dtype }]) => {
  if (name !== dtype.name) typeError(`updates must have the type of data, ${dtype.name}, got ${name}`);
});

/** @type {(dtype: DType, given: Reduction) => void} strings have no reduction, and complex numbers no order */
export function checkReduction({ name, format }, given) {
  const lacks = { string: given !== 'none', complex: given === 'max' || given === 'min' };
  if (/** @type {any} */ (lacks)[format.kind]) typeError(`reduction ${given} needs other types, got ${name}`);
}

/** @type {(given: Dim[] | null, wanted: Dim[] | null) => void} */
export function checkUpdates(given, wanted) {
  if (!given || !wanted) return;
  const isSame = (/** @type {Dim} */ extent, /** @type {number} */ i) =>
    isUnknown(extent) || isUnknown(wanted[i]) || extent === wanted[i];
  if (given.length !== wanted.length || !given.every(isSame))
    rangeError(`updates dims must be ${showList(wanted)}, got ${showList(given)}`);
}

/** @type {(rowsOf: RowsOf) => Move} the result is the data, with updates at rows of it */
export const updated = (rowsOf) =>
  filled(({ dims, dtype: held, reduction: given }, data, [source, , from], rows) => {
    const dtype = /** @type {DType} */ (held);
    copyView(dtype, wholeView(dims), source, data);
    if (given === 'none') scatterRows(dtype.bits, rows, from, data);
    else reduceRows(dtype, given, rows, from, data);
  }, rowsAt(rowsOf));
