/** ReverseSequence: the first elements of the time axis in reverse, as many as each batch says. */
import { rangeError, readWhole, typeError } from '../arguments/index.js';
import { dtypes, newData, readTensor, sizeOf } from '../tensor/index.js';
import { moving, checkKeys } from './call.js';
import { isUnknown } from './extents.js';
import { indexedTensor, readIndices } from './indices.js';
import { int64Only, integerCheck } from './integers.js';
import { readKnown, readValue } from './tensor-info.js';
import { operator } from './operator.js';

/** @import { Rows } from '../engine/index.js' */
/** @import { Tensor, TensorLike } from '../tensor/index.js' */
/** @import { CallOptions } from './call.js' */
/** @import { Dim } from './extents.js' */
/** @import { IndicesLike, Refuse, RowsOf } from './indices.js' */
/** @import { TensorInfo } from './tensor-info.js' */
/** @import { Operator } from './operator.js' */

/**
 * @typedef {object} Attributes
 * @property {number | bigint} [batch_axis] 0 or 1; 1 if omitted
 * @property {number | bigint} [time_axis] the other one; 0 if omitted
 */
/**
 * @typedef {object} Results
 * @property {TensorLike} [out] a tensor of the result's type and dims to write to, its memory apart from the inputs'
 */

/** @type {Operator<{ input?: TensorInfo, sequence_lens?: TensorInfo }, Attributes>} */
export const ReverseSequence = operator({
  name: 'ReverseSequence',
  versions: [
    [10, 3, { attributes: ['time_axis', 'batch_axis'] }],
    [28, 4],
  ],
  inputs: ['input', 'sequence_lens'],
  infer(call, inputs, options) {
    const { dtype, dims } = readKnown('input', inputs.input, call.checkType);
    checkKeys(call, options);
    const timeAxis = readTimeAxis(options);
    const check = integerCheck('sequence_lens', int64Only);
    const lens = readKnown('sequence_lens', inputs.sequence_lens, check);
    checkDims(dims, lens.dims, timeAxis);
    const value = readValue('sequence_lens', lens.value, lens.dims);
    const extent = dims && dims[timeAxis];
    if (Array.isArray(value) && !isUnknown(extent))
      value.forEach((length, i) => {
        if (!isUnknown(length) && !(length >= 0 && length <= extent))
          rangeError(`sequence_lens must be in [0, ${extent}], got ${length} at ${i}`);
      });
    return { type: dtype.name, dims };
  },
  run: ([input, lens], options) => reverseSequence(input, lens, options),
});

/**
 * ReverseSequence: of each batch the first elements along the time axis in reverse, as many as `sequence_lens` says;
 * the others stay in place.
 *
 * ONNX ReverseSequence-10, 28.
 * @param {TensorLike} input of rank 2 or more
 * @param {IndicesLike} sequence_lens one number a batch, from 0 to the extent of the time axis: a list, or an int64
 *   tensor of rank 1
 * @param {Attributes & Results & CallOptions} [options]
 * @returns {Tensor} with memory of its own, or over `out.data`
 * @throws {TypeError} no tensor, a type that the version does not take, an unknown option, lengths of another type or
 *   rank
 * @throws {RangeError} axes that are not 0 and 1, lengths that do not fit the input, out does not fit or overlaps, out
 *   of memory
 * @throws {Error} before `init()`
 * @example
 * const input = { type: 'uint8', data: Uint8Array.of(1, 2, 3, 4, 5, 6), dims: [2, 3] };
 * reverseSequence(input, [2, 3], { batch_axis: 0, time_axis: 1 }).data; // Uint8Array [2, 1, 3, 6, 5, 4]
 */
export function reverseSequence(input, sequence_lens, options) {
  return moving(ReverseSequence, options, (call) => {
    const parts = readTensor('input', input, call.checkType);
    checkKeys(call, options, 'out');
    const timeAxis = readTimeAxis(options);
    const lens = readIndices('sequence_lens', sequence_lens, int64Only);
    const target = options?.out;
    const { dims } = parts;
    checkDims(dims, lens.dims, timeAxis);
    /** @type {RowsOf} */
    const rowsOf = (numbers, refuse) => reversedRows(numbers, refuse, dims, timeAxis);
    return indexedTensor('input', parts, lens, dims, dims[timeAxis], rowsOf, target);
  });
}

/**
 * Reads both axes.
 * @param {Attributes | undefined} options
 * @returns {number}
 */
function readTimeAxis(options) {
  const batchAxis = readEither('batch_axis', options?.batch_axis, 1);
  const timeAxis = readEither('time_axis', options?.time_axis, 0);
  if (timeAxis === batchAxis) rangeError(`time_axis must not be batch_axis, got ${timeAxis} for both`);
  return timeAxis;
}

/**
 * @param {string} argument
 * @param {number | bigint | undefined} given
 * @param {number} byDefault
 * @returns {number}
 */
function readEither(argument, given, byDefault) {
  const axis = given === undefined ? byDefault : readWhole(argument, given);
  if (axis !== 0 && axis !== 1) rangeError(`${argument} must be 0 or 1, got ${axis}`);
  return axis;
}

/**
 * Checks that there is one length for each batch, as far as that is known.
 * @param {readonly Dim[] | null} dims
 * @param {readonly Dim[] | null} lensDims
 * @param {number} timeAxis
 */
function checkDims(dims, lensDims, timeAxis) {
  if (dims && dims.length < 2) rangeError(`input must have at least two axes, got rank ${dims.length}`);
  if (lensDims && lensDims.length !== 1) typeError(`sequence_lens must be 1-D, got rank ${lensDims.length}`);
  const batchAxis = 1 - timeAxis;
  const [batches, given] = [dims && dims[batchAxis], lensDims && lensDims[0]];
  if (!isUnknown(batches) && !isUnknown(given) && given !== batches)
    rangeError(`sequence_lens must have dims[${batchAxis}] = ${batches} entries, got ${given}`);
}

/**
 * The rows that are copied.
 * @param {Int32Array | Float64Array} lens
 * @param {Refuse} refuse
 * @param {readonly number[]} dims
 * @param {number} timeAxis
 * @returns {Rows}
 */
function reversedRows(lens, refuse, dims, timeAxis) {
  const [batches, extent] = [dims[1 - timeAxis], dims[timeAxis]];
  const [batchStep, timeStep] = timeAxis === 0 ? [1, batches] : [extent, 1];
  const run = sizeOf(dims, 2);
  const count = run === 0 ? 0 : batches * extent;
  const rows = newData(count > 2 ** 31 ? dtypes.float64 : dtypes.int32, count, undefined);
  for (let batch = 0; batch < batches; batch++) {
    const length = lens[batch];
    if (!(length >= 0 && length <= extent)) refuse(batch, 0, extent);
    for (let time = 0; time < extent && count > 0; time++) {
      const from = time < length ? length - 1 - time : time;
      rows[batch * batchStep + time * timeStep] = batch * batchStep + from * timeStep;
    }
  }
  return { run, rows };
}
