/** CenterCropPad: axes cut or padded on both sides to given extents. */
import { rangeError, showList } from '../../arguments/index.js';
import { axesIn, define, indexTypes, integers, isUnknown, list, runNamed, tensor } from '../core/index.js';
import { bordersOf, padded } from './padding.js';

/** @import { CenterCropPadAttributes, CenterCropPadOptions, Dim, Int64, IntegersLike, Naming } from '../types.js' */
/** @import { Operator, Tensor, TensorInfo, TensorLike, TypeName } from '../types.js' */

/** @type {Operator<{ input_data?: TensorInfo, shape?: TensorInfo }, CenterCropPadAttributes>} */
export const CenterCropPad = define({
  name: 'CenterCropPad',
  versions: { 18: 4 },
  negativeAxis: 18,
  inputs: [tensor('input_data'), integers('shape', { types: indexTypes })],
  attributes: { axes: list() },
  shape(call, { axes: named }, { dims }, shape) {
    if (!dims || !shape || shape.some(isUnknown)) return { dims: null };
    const axes = named ? axesIn(call, 'axes', named, dims.length) : [...dims.keys()];
    if (shape.length !== axes.length)
      rangeError(`shape must have one entry for each of ${axes.length} axes, got ${showList(shape)}`);
    if (shape.some((/** @type {Int64} */ extent) => extent < 0 || !Number.isSafeInteger(extent)))
      rangeError(`shape entries must be in [0, ${Number.MAX_SAFE_INTEGER}], got ${showList(shape)}`);
    const asked = [...dims];
    axes.forEach((/** @type {number} */ axis, /** @type {number} */ i) => (asked[axis] = Number(shape[i])));
    const added = dims.map((/** @type {Dim} */ extent, /** @type {number} */ i) =>
      isUnknown(extent) ? 0 : asked[i] - extent,
    );
    // Both cuts and borders have their smaller half in front.
    const begins = added.map((/** @type {number} */ count) => Math.trunc(count / 2));
    const ends = added.map((/** @type {number} */ count, /** @type {number} */ i) => count - begins[i]);
    return { dims: asked, borders: bordersOf(dims, begins, ends), mode: 'constant' };
  },
  move: padded,
});

/**
 * CenterCropPad: each axis that is too long loses elements on both sides, and each that is too short gets zeros (empty
 * strings, false) on both sides. Of an odd number, the greater half goes, or comes, at the end.
 * @template {TypeName} T
 * @param {TensorLike<T>} input_data
 * @param {IntegersLike | Naming<CenterCropPadOptions, 'shape'>} shape the extents that the axes get, or an int32 or
 *   int64 tensor of rank 1
 * @param {CenterCropPadOptions} [options]
 * @returns {Tensor<T>} with memory of its own, or over `out.data`
 * @example
 * const row = { type: 'uint8', data: Uint8Array.of(1, 2, 3, 4, 5), dims: [5] };
 * centerCropPad(row, [2]).data; // Uint8Array [2, 3]
 */
export const centerCropPad = (input_data, shape, options) => runNamed(CenterCropPad, [input_data, shape], options);
