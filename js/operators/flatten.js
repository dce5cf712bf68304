/** Flatten: a matrix of the same elements. */
import { rangeError, readWhole } from '../arguments/index.js';
import { checkKeys } from './call.js';
import { callShared } from './copy.js';
import { checkExtents, product } from './extents.js';
import { readKnown } from './tensor-info.js';
import { operator } from './operator.js';
import { regroupAxes } from './view.js';

/** @import { Int64 } from '../arguments/index.js' */
/** @import { Tensor, TensorLike } from '../tensor/index.js' */
/** @import { CallOptions } from './call.js' */
/** @import { Dim } from './extents.js' */
/** @import { TensorInfo } from './tensor-info.js' */
/** @import { Call, Operator } from './operator.js' */

/**
 * @typedef {object} Attributes
 * @property {number | bigint} [axis] in [-r, r] (below opset 11: in [0, r]); 1 if omitted
 */

/** @type {Operator<{ input?: TensorInfo }, Attributes>} */
export const Flatten = operator({
  name: 'Flatten',
  versions: [
    [1, 1, { attributes: ['axis'], negativeAxis: false }],
    [9, 3],
    [11, 3, { negativeAxis: true }],
    [13, 4],
    [21, 10],
    [23, 11],
    [24, 12],
    [25, 13],
  ],
  inputs: ['input'],
  infer(call, inputs, options) {
    const { dtype, dims } = readKnown('input', inputs.input, call.checkType);
    checkKeys(call, options);
    const axis = readAxis(options);
    return { type: dtype.name, dims: dims && flattenDims(call, dims, axis) };
  },
  run: ([input], options) => flatten(input, options),
  view(call, source, _, options) {
    checkKeys(call, options);
    return regroupAxes(source, flattenDims(call, source.dims, readAxis(options)));
  },
});

/**
 * Flatten: a matrix of the same elements, with the axes before `axis` in its rows and the others in its columns.
 *
 * ONNX Flatten-1, 9, 11, 13, 21, 23, 24, 25. Needs no `init()`.
 * @param {TensorLike} input of any rank r
 * @param {Attributes & CallOptions} [options]
 * @returns {Tensor} of dims [prod(dims[:axis]), prod(dims[axis:])]; shares the input's data
 * @throws {TypeError} no tensor, a type that the version does not take, an unknown option
 * @throws {RangeError} an axis out of range, data of the wrong length
 * @example
 * flatten({ type: 'uint8', data: new Uint8Array(24), dims: [2, 3, 4] }, { axis: 2 }).dims; // [6, 4]
 */
export function flatten(input, options) {
  return callShared(Flatten, input, [], options);
}

/**
 * @param {Attributes | undefined} options
 * @returns {Int64}
 */
function readAxis(options) {
  const axis = options?.axis;
  return axis === undefined ? 1 : readWhole('axis', axis);
}

/**
 * The shape rule.
 * @template {Dim} E
 * @param {Call} call
 * @param {readonly E[]} dims
 * @param {Int64} axis
 * @returns {E[]}
 */
function flattenDims({ schema }, dims, axis) {
  const rank = dims.length;
  const lowest = schema.negativeAxis ? 0 - rank : 0;
  if (!(axis >= lowest && axis <= rank)) rangeError(`axis must be in [${lowest}, ${rank}], got ${axis}`);
  const cut = Number(axis) < 0 ? Number(axis) + rank : Number(axis);
  return checkExtents([product(dims.slice(0, cut)), product(dims.slice(cut))]);
}
