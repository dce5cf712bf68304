/** ReverseSequence: the first elements of the time axis in reverse, as many as each batch says. */
import { rangeError, readWhole, typeError } from '../../arguments/index.js';
import { dtypes, newData, sizeOf } from '../../tensor/index.js';
import { attribute, define, indices, int64Only, isUnknown, runNamed, tensor } from '../core/index.js';
import { copied, readRows } from './indexed.js';

/** @import { Attribute, IndicesLike, Naming, Operator, Plan, ReverseSequenceAttributes } from '../types.js' */
/** @import { ReadInputs, ReverseSequenceOptions, Rows, Tensor, TensorInfo, TensorLike, TypeName } from '../types.js' */

/** Reads an axis that is 0 or 1.
 * @type {Attribute['read']} */
function readEither(name, value) {
  const axis = readWhole(name, value);
  return axis === 0 || axis === 1 ? axis : rangeError(`${name} must be 0 or 1, got ${axis}`);
}

/** @type {Operator<{ input?: TensorInfo, sequence_lens?: TensorInfo }, ReverseSequenceAttributes>} */
export const ReverseSequence = define({
  name: 'ReverseSequence',
  versions: { 10: 3, 28: 4 },
  inputs: [tensor('input'), indices('sequence_lens', int64Only)],
  attributes: { time_axis: attribute(readEither, 0), batch_axis: attribute(readEither, 1) },
  /** Plans a result of the input's dims, and refuses lengths that do not fit its batches and its time axis. */
  shape(_, { time_axis: timeAxis, batch_axis: batchAxis }, { dims }, { dims: lensDims, value }) {
    if (timeAxis === batchAxis) rangeError(`time_axis must not be batch_axis, got ${timeAxis} for both`);
    if (dims && dims.length < 2) rangeError(`input must have at least two axes, got rank ${dims.length}`);
    if (lensDims && lensDims.length !== 1) typeError(`sequence_lens must be 1-D, got rank ${lensDims.length}`);
    const [batches, lengths] = [dims && dims[batchAxis], lensDims && lensDims[0]];
    if (!isUnknown(batches) && !isUnknown(lengths) && lengths !== batches)
      rangeError(`sequence_lens must have dims[${batchAxis}] = ${batches} entries, got ${lengths}`);
    const extent = dims && dims[timeAxis];
    // Of a call, the lengths are checked when they are read as rows.
    if (Array.isArray(value) && !isUnknown(extent))
      value.forEach((length, i) => {
        if (!isUnknown(length) && !(length >= 0 && length <= extent))
          rangeError(`sequence_lens must be in [0, ${extent}], got ${length} at ${i}`);
      });
    return { dims, timeAxis };
  },
  move: copied(reverseRows),
});

/** Lists the rows of the input in the order of the result: of each batch, the first `sequence_lens` in reverse, the
 * others in place. A row is one time of one batch: all elements behind the first two axes.
 * @type {(plan: Plan, values: ReadInputs) => Rows} */
function reverseRows({ timeAxis }, [{ dims, size }, indices]) {
  const [batches, extent] = [dims[1 - timeAxis], dims[timeAxis]];
  // Check the lengths as if they were indices of an axis one longer than the time axis: 0 to `extent`.
  const lens = readRows({ length: 1, axes: [extent + 1, 1, batches, 0], isSigned: false, size }, indices);
  // Rows from one batch to the next, and from one time to the next.
  const [batchStep, step] = timeAxis === 0 ? [1, batches] : [extent, 1];
  const run = sizeOf(dims, 2);
  // Numbers of rows are exact in int32 below 2^31. Rows without elements need none.
  const rows = newData(size >= 2 ** 31 ? dtypes.float64 : dtypes.int32, run === 0 ? 0 : batches * extent, undefined);
  for (let batch = 0; batch < batches && rows.length > 0; batch++) {
    const first = batch * batchStep;
    // Rows up to `turn` are reversed, those from there to `end` stay.
    const [turn, end] = [first + lens[batch] * step, first + extent * step];
    let to = first;
    for (let from = turn - step; to < turn; to += step, from -= step) rows[to] = from;
    for (; to < end; to += step) rows[to] = to;
  }
  return { run, rows, size };
}

/**
 * ReverseSequence: of each batch the first elements along the time axis in reverse, as many as `sequence_lens` says;
 * the others stay in place.
 * @template {TypeName} T
 * @param {TensorLike<T>} input of rank 2 or more
 * @param {IndicesLike | Naming<ReverseSequenceOptions, 'sequence_lens'>} sequence_lens one number a batch, from 0 to
 *   the extent of the time axis: a list, or an int64 tensor of rank 1
 * @param {ReverseSequenceOptions} [options]
 * @returns {Tensor<T>} with memory of its own, or over `out.data`
 * @example
 * const input = { type: 'uint8', data: Uint8Array.of(1, 2, 3, 4, 5, 6), dims: [2, 3] };
 * reverseSequence(input, [2, 3], { batch_axis: 0, time_axis: 1 }).data; // Uint8Array [2, 1, 3, 6, 5, 4]
 */
export const reverseSequence = (input, sequence_lens, options) =>
  runNamed(ReverseSequence, [input, sequence_lens], options);
