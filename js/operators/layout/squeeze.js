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
  /** Plans the dims that are left: null where it is not known which axes are dropped. `axes` is undefined where they
   * are omitted, which stands for all axes of extent 1, and null where inference does not know them. */
  shape(call, _, { dims }, axes) {
    if (axes === null || !dims) return { dims: null };
    if (!axes) {
      const areExtentsKnown = !dims.some(isUnknown);
      return { dims: areExtentsKnown ? dims.filter((/** @type {Dim} */ extent) => extent !== 1) : null };
    }
    if (axes.some(isUnknown)) return { dims: null };
    const dropped = readAxes(call, 'axes', axes, dims.length);
    for (const axis of dropped)
      if (dims[axis] !== 1 && !isUnknown(dims[axis]))
        rangeError(`axes must name axes of extent 1, got ${showList(axes)} of dims ${showList(dims)}`);
    return { dims: dims.filter((/** @type {Dim} */ _extent, /** @type {number} */ i) => !dropped.includes(i)) };
  },
  move: shared,
  /** Gives the known elements of the result: where no axis is left, the entry of a list of one entry. */
  value({ dims }, { value }) {
    if (!dims) return undefined;
    const isScalar = dims.length === 0;
    return isScalar && Array.isArray(value) ? value[0] : value;
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
  /** Plans the dims with a 1 at each index that `axes` names; null where they are not known. */
  shape(call, _, { dims }, axes) {
    if (!dims || !axes || axes.some(isUnknown)) return { dims: null };
    const rank = dims.length + axes.length;
    checkRank(rank, rankLimit);
    // In rising order: the axes in front of one are there when it is added.
    const added = readAxes(call, 'axes', axes, rank).sort((a, b) => a - b);
    const unsqueezed = dims.slice();
    for (const axis of added) unsqueezed.splice(axis, 0, 1);
    return { dims: unsqueezed };
  },
  move: shared,
  /** Gives the known elements of the result: of a scalar, a list of its entry. Of rank 2 or more none are known. */
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
