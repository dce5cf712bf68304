/** Squeeze: axes of extent 1 left out. */
import { isList, rangeError, readList, show, showList, typeError } from '../arguments/index.js';
import { axesIn } from './axes.js';
import { checkKeys } from './call.js';
import { callShared } from './copy.js';
import { isUnknown } from './extents.js';
import { int64Only, isAttribute, isOmitted, readIntegers, readKnownIntegers } from './integers.js';
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

/** @type {Operator<{ data?: TensorInfo, axes?: TensorInfo | null }, Attributes>} */
export const Squeeze = operator({
  name: 'Squeeze',
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
    // Which axes go is not known, so neither is the rank.
    const isUnclear = axes ? axes.some(isUnknown) : axes === null || dims?.some(isUnknown);
    const known = readValue('data', value, dims);
    if (dims === null || isUnclear) return { type: dtype.name, dims: null };
    const result = squeezeDims(call, dims, /** @type {Int64[] | undefined} */ (axes));
    return { type: dtype.name, dims: result, ...squeezedValue(known, result.length) };
  },
  run: ([data, axes], options) => squeeze(data, axes, options),
  view(call, source, [axes], options) {
    checkKeys(call, options);
    const read = (/** @type {unknown} */ value) => readIntegers('axes', value, int64Only);
    const list = readAxes(call, axes, options, read);
    return regroupAxes(source, squeezeDims(call, source.dims, /** @type {Int64[] | undefined} */ (list)));
  },
});

/**
 * Squeeze: the same elements, without the axes of extent 1 that `axes` names.
 *
 * ONNX Squeeze-1, 11, 13, 21, 23, 24, 25. Needs no `init()`.
 * @param {TensorLike} data
 * @param {IntegersLike | null} [axes] numbers, or an int64 tensor of rank 1; below opset 13 an attribute. All axes of
 *   extent 1 if omitted; none with an empty list
 * @param {Attributes & CallOptions} [options]
 * @returns {Tensor} shares the input's data
 * @throws {TypeError} no tensor, a type that the version does not take, an unknown option, axes of another type or rank
 * @throws {RangeError} an axis out of range, named twice or of another extent than 1; data of the wrong length
 * @example
 * squeeze({ type: 'uint8', data: new Uint8Array(6), dims: [1, 2, 1, 3] }, [0]).dims; // [2, 1, 3]
 */
export function squeeze(data, axes, options) {
  return callShared(Squeeze, data, [axes], options);
}

/**
 * Reads the axes: an input, or an attribute.
 * @template T
 * @param {Call} call
 * @param {any} input
 * @param {Attributes | undefined} options
 * @param {(value: any) => T} read reads the input
 * @returns {T | Int64[] | undefined} undefined where they are omitted
 */
function readAxes(call, input, options, read) {
  if (!isAttribute(call, 'axes', input)) return isOmitted(input) ? undefined : read(input);
  const axes = options?.axes;
  if (axes === undefined) return undefined;
  if (!isList(axes)) typeError(`axes must be a list of whole numbers, got ${show(axes)}`);
  return readList('axes', axes);
}

/**
 * The shape rule.
 * @template {Dim} E
 * @param {Call} call
 * @param {readonly E[]} dims
 * @param {readonly Int64[] | undefined} axes
 * @returns {E[]}
 */
function squeezeDims(call, dims, axes) {
  if (axes === undefined) return dims.filter((extent) => extent !== 1);
  const dropped = axesIn(call, 'axes', axes, dims.length);
  for (const axis of dropped)
    if (dims[axis] !== 1 && !isUnknown(dims[axis]))
      rangeError(`axes must name axes of extent 1, got ${showList(axes)} of dims ${showList(dims)}`);
  return dims.filter((_, i) => !dropped.includes(i));
}

/**
 * The known element that a list of one entry becomes.
 * @param {Value | undefined} value
 * @param {number} rank of the result
 * @returns {{ value?: Value }}
 */
function squeezedValue(value, rank) {
  if (value === undefined) return {};
  return { value: Array.isArray(value) && rank === 0 ? value[0] : value };
}
