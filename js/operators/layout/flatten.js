/** Flatten: a matrix of the same elements. */
import { rangeError } from '../../arguments/index.js';
import { define } from '../core/define.js';
import { tensor, whole } from '../core/kinds.js';
import { shared } from '../core/results.js';
import { run } from '../core/run.js';
import { checkExtents, product } from '../extents.js';

/** @import { Tensor, TensorLike } from '../../tensor/index.js' */
/** @import { CallOptions } from '../call.js' */
/** @import { TensorInfo } from '../tensor-info.js' */
/** @import { Operator } from '../operator.js' */

/**
 * @typedef {object} Attributes
 * @property {number | bigint} [axis] in [-r, r] (below opset 11: in [0, r]); 1 if omitted
 */

/** @type {Operator<{ input?: TensorInfo }, Attributes>} */
export const Flatten = define({
  name: 'Flatten',
  versions: { 1: 1, 9: 3, 11: 3, 13: 4, 21: 10, 23: 11, 24: 12, 25: 13 },
  negativeAxis: 11,
  inputs: [tensor('input')],
  attributes: { axis: whole(1) },
  shape({ schema }, { axis }, { dims }) {
    if (!dims) return { dims };
    const rank = dims.length;
    const lowest = schema.negativeAxis ? 0 - rank : 0;
    if (!(axis >= lowest && axis <= rank)) rangeError(`axis must be in [${lowest}, ${rank}], got ${axis}`);
    const cut = Number(axis) < 0 ? Number(axis) + rank : Number(axis);
    return { dims: checkExtents([product(dims.slice(0, cut)), product(dims.slice(cut))]) };
  },
  move: shared,
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
  return run(Flatten, [input], options);
}
