/** Squeeze and Unsqueeze: axes of extent 1, dropped and added. */
import { rangeError, showList } from '../../arguments/index.js';
import { rankLimit } from '../../tensor/index.js';
import { readAxes, callNamed, checkRank, define, integers, isUnknown, list, shared, tensor } from '../core/index.js';

/** @import { Dim, IntegersLike, Naming, Operator, SqueezeAttributes, SqueezeOptions, Tensor } from '../types.js' */
/** @import { TensorInfo, TensorLike, TypeName, UnsqueezeAttributes, UnsqueezeOptions } from '../types.js' */

/** @type {Operator<{ data?: TensorInfo, axes?: TensorInfo | null }, SqueezeAttributes>} */
export const Squeeze = define({
  name: 'Squeeze',
  versions: { 1: 3, 11: 3, 13: 4, 21: 10, 23: 11, 24: 12, 25: 13 },
  negativeAxis: 11,
  inputs: [tensor('data'), integers('axes', { optional: true })],
  attributes: { axes: list({ before: 13 }) },
  /** Null axes are not known; undefined ones stand for all axes of extent 1. */
  shape(call, _, { dims }, axes) {
    if (axes === null || !dims) return { dims: null };
    const knowsDropped = !(axes ?? dims).some(isUnknown);
    if (!knowsDropped) return { dims: null };
    if (!axes) return { dims: dims.filter((/** @type {Dim} */ extent) => extent !== 1) };
    const dropped = readAxes(call, 'axes', axes, dims.length);
    for (const axis of dropped)
      if (dims[axis] !== 1 && !isUnknown(dims[axis]))
        rangeError(`axes must name axes of extent 1, got ${showList(axes)} of dims ${showList(dims)}`);
    return { dims: dims.filter((/** @type {Dim} */ _extent, /** @type {number} */ i) => !dropped.includes(i)) };
  },
  move: shared,
  /** Gives the known elements: the list of one entry becomes the entry where no axis is left. */
  value({ dims }, { value }) {
    if (!dims) return undefined;
    return dims.length === 0 && Array.isArray(value) ? value[0] : value;
  },
});

/**
 * Squeeze: the same elements, without the axes of extent 1 that `axes` names.
 * @template {TypeName} T
 * @param {TensorLike<T>} data
 * @param {IntegersLike | null | SqueezeOptions} [axes] numbers, or an int64 tensor of rank 1. All axes of extent 1 if
 *   omitted; none with an empty list
 * @param {SqueezeOptions} [options]
 * @returns {Tensor<T>} shares the input's data
 * @example
 * squeeze({ type: 'uint8', data: new Uint8Array(6), dims: [1, 2, 1, 3] }, [0]).dims; // [2, 1, 3]
 */
export const squeeze = (data, axes, options) => callNamed(Squeeze, [data, axes], options);

/** @type {Operator<{ data?: TensorInfo, axes?: TensorInfo }, UnsqueezeAttributes>} */
export const Unsqueeze = define({
  name: 'Unsqueeze',
  versions: { 1: 3, 11: 3, 13: 4, 21: 10, 23: 11, 24: 12, 25: 13 },
  negativeAxis: 11,
  inputs: [tensor('data'), integers('axes')],
  attributes: { axes: list({ before: 13, required: true }) },
  shape(call, _, { dims }, axes) {
    if (!dims || !axes || axes.some(isUnknown)) return { dims: null };
    const rank = dims.length + axes.length;
    checkRank(rank, rankLimit);
    const added = readAxes(call, 'axes', axes, rank).sort((a, b) => a - b);
    const unsqueezed = dims.slice();
    for (const axis of added) unsqueezed.splice(axis, 0, 1);
    return { dims: unsqueezed };
  },
  move: shared,
  /** Gives the known elements: one entry becomes a list of it. A value of rank 2 or more is never known. */
  value({ dims }, { value }) {
    if (!dims || dims.length > 1 || value === undefined) return undefined;
    return Array.isArray(value) ? value : [value];
  },
});

/**
 * Unsqueeze: the same elements, with axes of extent 1 added where `axes` names axes of the result, in any order.
 * @template {TypeName} T
 * @param {TensorLike<T>} data
 * @param {IntegersLike | Naming<UnsqueezeOptions, 'axes'>} axes numbers, or an int64 tensor of rank 1
 * @param {UnsqueezeOptions} [options]
 * @returns {Tensor<T>} shares the input's data
 * @example
 * unsqueeze({ type: 'uint8', data: new Uint8Array(6), dims: [2, 3] }, [0, -1]).dims; // [1, 2, 3, 1]
 */
export const unsqueeze = (data, axes, options) => callNamed(Unsqueeze, [data, axes], options);
