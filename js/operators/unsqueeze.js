/** Unsqueeze: axes of extent 1 added. */
import { isList, readList, show, typeError } from '../arguments/index.js';
import { rankLimit } from '../tensor/index.js';
import { axesIn } from './axes.js';
import { checkKeys } from './call.js';
import { callShared } from './copy.js';
import { checkRank, isUnknown } from './extents.js';
import { int64Only, isAttribute, readIntegers, readKnownIntegers } from './integers.js';
import { readKnown, readValue } from './tensor-info.js';
import { operator } from './operator.js';
import { regroupAxes } from './view.js';

/** @import { Integers, Int64 } from '../arguments/index.js' */
/** @import { Tensor, TensorLike } from '../tensor/index.js' */
/** @import { CallOptions } from './call.js' */
/** @import { Dim } from './extents.js' */
/** @import { IntegersLike } from './integers.js' */
/** @import { TensorInfo, Value } from './tensor-info.js' */
/** @import { Call, Operator } from './operator.js' */

/**
 * @typedef {object} Attributes
 * @property {Integers} [axes] below opset 13
 */

/** @type {Operator<{ data?: TensorInfo, axes?: TensorInfo }, Attributes>} */
export const Unsqueeze = operator({
  name: 'Unsqueeze',
  versions: [
    [1, 3, { attributes: ['axes'] }],
    [11, 3, { negativeAxis: true }],
    [13, 4, { attributes: [] }],
    [21, 10],
    [23, 11],
    [24, 12],
    [25, 13],
  ],
  inputs: ['data', 'axes'],
  optional: ['axes'],
  infer(call, inputs, options) {
    const { dtype, dims, value } = readKnown('data', inputs.data, call.checkType);
    checkKeys(call, options);
    const read = (/** @type {TensorInfo} */ known) => readKnownIntegers('axes', known, int64Only);
    const axes = readAxes(call, inputs.axes, options, read);
    const known = readValue('data', value, dims);
    if (dims === null || axes === null || axes.some(isUnknown)) return { type: dtype.name, dims: null };
    const result = unsqueezeDims(call, dims, /** @type {Int64[]} */ (axes));
    return { type: dtype.name, dims: result, ...unsqueezedValue(known, result.length) };
  },
  run: ([data, axes], options) => unsqueeze(data, axes, options),
  view(call, source, [axes], options) {
    checkKeys(call, options);
    const read = (/** @type {unknown} */ value) => readIntegers('axes', value, int64Only);
    return regroupAxes(source, unsqueezeDims(call, source.dims, readAxes(call, axes, options, read)));
  },
});

/**
 * Unsqueeze: the same elements, with axes of extent 1 added where `axes` names axes of the result, in any order.
 *
 * ONNX Unsqueeze-1, 11, 13, 21, 23, 24, 25. Needs no `init()`.
 * @param {TensorLike} data
 * @param {IntegersLike} [axes] numbers, or an int64 tensor of rank 1; below opset 13 an attribute
 * @param {Attributes & CallOptions} [options]
 * @returns {Tensor} shares the input's data
 * @throws {TypeError} no tensor, a type that the version does not take, an unknown option, axes of another type or rank
 * @throws {RangeError} an axis out of range or named twice, a rank above 64; data of the wrong length
 * @example
 * unsqueeze({ type: 'uint8', data: new Uint8Array(6), dims: [2, 3] }, [0, -1]).dims; // [1, 2, 3, 1]
 */
export function unsqueeze(data, axes, options) {
  return callShared(Unsqueeze, data, [axes], options);
}

/**
 * Reads the axes: an input, or an attribute.
 * @template T
 * @param {Call} call
 * @param {any} input
 * @param {Attributes | undefined} options
 * @param {(value: any) => T} read reads the input
 * @returns {T | Int64[]}
 */
function readAxes(call, input, options, read) {
  if (!isAttribute(call, 'axes', input)) return read(input);
  const axes = options?.axes;
  if (!isList(axes)) typeError(`axes must be a list of whole numbers, got ${show(axes)}`);
  return readList('axes', axes);
}

/**
 * The shape rule.
 * @template {Dim} E
 * @param {Call} call
 * @param {readonly E[]} dims
 * @param {readonly Int64[]} axes of the result
 * @returns {(E | 1)[]}
 */
function unsqueezeDims(call, dims, axes) {
  const rank = dims.length + axes.length;
  checkRank(rank, rankLimit);
  const added = axesIn(call, 'axes', axes, rank);
  let next = 0;
  return Array.from({ length: rank }, (_, i) => (added.includes(i) ? 1 : dims[next++]));
}

/**
 * The list that a known element becomes.
 * @param {Value | undefined} value
 * @param {number} rank of the result
 * @returns {{ value?: Value }} none of rank 2 or more
 */
function unsqueezedValue(value, rank) {
  if (value === undefined || rank > 1) return {};
  return { value: Array.isArray(value) ? value : [value] };
}
