/** CenterCropPad: axes cut or padded on both sides to given extents. */
import { isList, rangeError, readList, show, showList, typeError } from '../../arguments/index.js';
import { readTensor } from '../../tensor/index.js';
import { axesIn } from '../axes.js';
import { moving, checkKeys } from '../call.js';
import { isUnknown } from '../extents.js';
import { indexTypes, readIntegers, readKnownIntegers } from '../integers.js';
import { readKnown } from '../tensor-info.js';
import { operator } from '../operator.js';
import { padded } from './pad.js';
import { bordersOf } from './padding.js';

/** @import { Integers, Int64 } from '../../arguments/index.js' */
/** @import { Tensor, TensorLike } from '../../tensor/index.js' */
/** @import { CallOptions } from '../call.js' */
/** @import { IntegersLike } from '../integers.js' */
/** @import { TensorInfo } from '../tensor-info.js' */
/** @import { Call, Operator } from '../operator.js' */

/**
 * @typedef {object} Attributes
 * @property {Integers} [axes] those that `shape` is of, in [-rank, rank - 1]; all if omitted
 */
/**
 * @typedef {object} Results
 * @property {TensorLike} [out] a tensor of the result's type and dims to write to, its memory apart from the input's
 */

/** @type {Operator<{ input_data?: TensorInfo, shape?: TensorInfo }, Attributes>} */
export const CenterCropPad = operator({
  name: 'CenterCropPad',
  versions: [[18, 4, { attributes: ['axes'], negativeAxis: true }]],
  inputs: ['input_data', 'shape'],
  infer(call, inputs, options) {
    const { dtype, dims } = readKnown('input_data', inputs.input_data, call.checkType);
    checkKeys(call, options);
    const given = options?.axes;
    const shape = readKnownIntegers('shape', inputs.shape, indexTypes);
    const isKnown = dims !== null && shape !== null && !shape.some(isUnknown);
    if (!isKnown) return { type: dtype.name, dims: null };
    const asked = extentsOf(call, dims.length, /** @type {Int64[]} */ (shape), given);
    return { type: dtype.name, dims: dims.map((extent, i) => asked[i] ?? extent) };
  },
  run: ([input, shape], options) => centerCropPad(input, shape, options),
});

/**
 * CenterCropPad: each axis that is too long loses elements on both sides, and each that is too short gets zeros (empty
 * strings, false) on both sides. Of an odd number, the greater half goes, or comes, at the end.
 *
 * ONNX CenterCropPad-18.
 * @param {TensorLike} input_data
 * @param {IntegersLike} shape the extents that the axes get, or an int32 or int64 tensor of rank 1
 * @param {Attributes & Results & CallOptions} [options]
 * @returns {Tensor} with memory of its own, or over `out.data`
 * @throws {TypeError} no tensor, a type that the version does not take, an unknown option, a shape of another type or
 *   rank
 * @throws {RangeError} not one extent for each axis, a negative one, an axis out of range or named twice, out does not
 *   fit or overlaps, out of memory
 * @throws {Error} before `init()`
 * @example
 * const row = { type: 'uint8', data: Uint8Array.of(1, 2, 3, 4, 5), dims: [5] };
 * centerCropPad(row, [2]).data; // Uint8Array [2, 3]
 */
export function centerCropPad(input_data, shape, options) {
  return moving(CenterCropPad, options, (call) => {
    const parts = readTensor('input_data', input_data, call.checkType);
    checkKeys(call, options, 'out');
    const given = options?.axes;
    const { dims } = parts;
    const asked = extentsOf(call, dims.length, readIntegers('shape', shape, indexTypes), given);
    const added = dims.map((extent, i) => (asked[i] ?? extent) - extent);
    // Both cuts and borders have their smaller half in front.
    const begins = added.map((count) => Math.trunc(count / 2) + 0);
    const ends = added.map((count, i) => count - begins[i]);
    return padded('input_data', parts, bordersOf(dims, begins, ends), 'constant', undefined, options?.out);
  });
}

/**
 * The extents that are asked for, by axis.
 * @param {Call} call
 * @param {number} rank
 * @param {readonly Int64[]} shape
 * @param {unknown} given the attribute `axes`
 * @returns {number[]} with holes where an axis stays
 */
function extentsOf(call, rank, shape, given) {
  if (given !== undefined && !isList(given)) typeError(`axes must be a list of whole numbers, got ${show(given)}`);
  const axes = given ? axesIn(call, 'axes', readList('axes', given), rank) : Array.from({ length: rank }, (_, i) => i);
  if (shape.length !== axes.length)
    rangeError(`shape must have one entry for each of ${axes.length} axes, got ${showList(shape)}`);
  if (shape.some((extent) => extent < 0 || !Number.isSafeInteger(extent)))
    rangeError(`shape entries must be in [0, ${Number.MAX_SAFE_INTEGER}], got ${showList(shape)}`);
  /** @type {number[]} */
  const extents = Array(rank);
  axes.forEach((axis, i) => (extents[axis] = Number(shape[i])));
  return extents;
}
