/** ReverseSequence: the first elements of the time axis in reverse, as many as each batch says. */
import { rangeError, readWhole, typeError } from '../../arguments/index.js';
import { dtypes, newData, sizeOf } from '../../tensor/index.js';
import { attribute, define, indices, int64Only, isUnknown, runNamed, tensor } from '../core/index.js';
import { copiedRows, readRows } from './indexed.js';

/** @import { Attribute, Dim, Indices, IndicesLike, Int64, Naming, Open, Operator, Plan } from '../types.js' */
/** @import { ReadInputs, ReverseSequenceAttributes, ReverseSequenceOptions, Rows, Tensor } from '../types.js' */
/** @import { TensorInfo, TensorLike, TypeName } from '../types.js' */

/** Reads the number of an axis, which is one of the first two.
 * @type {Attribute['read']} */
function readZeroOrOne(name, value) {
  const axis = readWhole(name, value);
  return axis === 0 || axis === 1 ? axis : rangeError(`${name} must be 0 or 1, got ${axis}`);
}

/** @type {Operator<{ input?: TensorInfo, sequence_lens?: TensorInfo }, ReverseSequenceAttributes>} */
export const ReverseSequence = define({
  name: 'ReverseSequence',
  versions: { 10: 3, 28: 4 },
  inputs: [tensor('input'), indices('sequence_lens', int64Only)],
  attributes: { time_axis: attribute(readZeroOrOne, 0), batch_axis: attribute(readZeroOrOne, 1) },
  /** Checks both inputs as far as they are known. The lengths of a call have no `value`: the move checks them. */
  shape(_, { time_axis: timeAxis, batch_axis: batchAxis }, { dims }, { dims: lensDims, value: knownLengths }) {
    if (timeAxis === batchAxis) rangeError(`time_axis must not be batch_axis, got ${timeAxis} for both`);
    if (dims && dims.length < 2) rangeError(`input must have at least two axes, got rank ${dims.length}`);
    if (lensDims && lensDims.length !== 1) typeError(`sequence_lens must be 1-D, got rank ${lensDims.length}`);
    const batches = dims && dims[batchAxis];
    const lengthCount = lensDims && lensDims[0];
    if (!isUnknown(batches) && !isUnknown(lengthCount) && lengthCount !== batches)
      rangeError(`sequence_lens must have dims[${batchAxis}] = ${batches} entries, got ${lengthCount}`);
    if (Array.isArray(knownLengths)) checkKnownLengths(knownLengths, dims && dims[timeAxis]);
    return { dims, timeAxis };
  },
  move: copiedRows(reverseRows),
});

/** Refuses lengths that inference knows and that are beyond the time axis. Unknown lengths and extents pass.
 * @type {(lengths: readonly (Int64 | Open)[], extent: Dim) => void} */
function checkKnownLengths(lengths, extent) {
  if (isUnknown(extent)) return;
  lengths.forEach((length, i) => {
    if (!isUnknown(length) && !(length >= 0 && length <= extent))
      rangeError(`sequence_lens must be in [0, ${extent}], got ${length} at ${i}`);
  });
}

/** Lists the rows of the input in the order of the result: of each batch, the first `sequence_lens` in reverse, the
 * others in place. A row is one time of one batch: all elements behind the first two axes.
 * @type {(plan: Plan, values: ReadInputs) => Rows} */
function reverseRows({ timeAxis }, [{ dims, size }, indices]) {
  const batchAxis = timeAxis === 0 ? 1 : 0;
  const times = dims[timeAxis];
  const batches = dims[batchAxis];
  const lengths = readLengths(times, batches, size, indices);
  const elementsPerRow = sizeOf(dims, 2);
  const rowCount = elementsPerRow === 0 ? 0 : batches * times;
  // Numbers of rows are exact in int32 below 2^31.
  const rows = newData(size >= 2 ** 31 ? dtypes.float64 : dtypes.int32, rowCount);
  if (rowCount === 0) return { run: elementsPerRow, rows, size };
  // How many rows lie between one batch and the next, and between one time and the next.
  const batchStep = batchAxis === 0 ? times : 1;
  const timeStep = timeAxis === 0 ? batches : 1;
  const rowAt = (/** @type {number} */ batch, /** @type {number} */ time) => batch * batchStep + time * timeStep;
  for (let batch = 0; batch < batches; batch++) {
    const reversed = lengths[batch];
    for (let time = 0; time < reversed; time++) rows[rowAt(batch, time)] = rowAt(batch, reversed - 1 - time);
    for (let time = reversed; time < times; time++) rows[rowAt(batch, time)] = rowAt(batch, time);
  }
  return { run: elementsPerRow, rows, size };
}

/** Reads `sequence_lens`: of each batch, how many times are reversed. The engine checks them as it checks indices, here
 * of an axis whose indices are 0 to `times`. `size`: the elements of the input.
 * @type {(times: number, batches: number, size: number, indices: Indices) => Rows['rows']} */
function readLengths(times, batches, size, indices) {
  const lengthAxis = { extent: times + 1, stride: 1 };
  const batchAxis = { extent: batches, stride: 0 }; // the batch does not change a length
  const axes = [lengthAxis.extent, lengthAxis.stride, batchAxis.extent, batchAxis.stride];
  return readRows({ length: 1, axes, isSigned: false, size }, indices);
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
