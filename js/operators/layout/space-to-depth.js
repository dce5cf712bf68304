/** SpaceToDepth: blocks of pixels to blocks of channels. */
import { rangeError, showList } from '../../arguments/index.js';
import { define } from '../core/define.js';
import { tensor, whole, word } from '../core/kinds.js';
import { copied } from '../core/results.js';
import { run } from '../core/run.js';
import { checkExtents, isUnknown } from '../extents.js';
import { permuteAxes, regroupAxes } from '../view.js';
import { checkImages, modes } from './depth-to-space.js';

/** @import { Tensor, TensorLike } from '../../tensor/index.js' */
/** @import { CallOptions } from '../call.js' */
/** @import { Results } from '../core/results.js' */
/** @import { Dim } from '../extents.js' */
/** @import { TensorInfo } from '../tensor-info.js' */
/** @import { Operator } from '../operator.js' */

/**
 * @typedef {object} Attributes
 * @property {number | bigint} [blocksize] the side of a block, 1 or more; always needed
 * @property {'DCR' | 'CRD'} [mode] from opset 28: whether a block's place is the outer part of a channel's index, or
 *   the inner one; `'DCR'` if omitted
 */

/** @type {Operator<{ input?: TensorInfo }, Attributes>} */
export const SpaceToDepth = define({
  name: 'SpaceToDepth',
  versions: { 1: 3, 13: 4, 28: 4 },
  inputs: [tensor('input')],
  attributes: { blocksize: whole(undefined, { least: 1, required: true }), mode: word(modes, { since: 28 }) },
  shape(_, { blocksize, mode }, { dims }) {
    const side = Number(blocksize);
    return { dims: dims && spaceToDepthDims(dims, side), side, mode };
  },
  move: copied((source, { dims, side, mode }) => {
    const [n, , h, w] = dims;
    const split = regroupAxes(source, [n, source.dims[1], h, side, w, side]);
    return split && regroupAxes(permuteAxes(split, mode === 'DCR' ? [0, 3, 5, 1, 2, 4] : [0, 1, 3, 5, 2, 4]), dims);
  }),
});

/**
 * SpaceToDepth: each block of `blocksize` by `blocksize` pixels becomes the channels of one.
 *
 * ONNX SpaceToDepth-1, 13, 28.
 * @param {TensorLike} input of dims [N, C, H, W]
 * @param {Attributes & Results & CallOptions} options
 * @returns {Tensor} of dims [N, C * blocksize², H / blocksize, W / blocksize], with memory of its own, or over
 *   `out.data`
 * @throws {TypeError} no tensor, a type that the version does not take, an unknown option, no blocksize
 * @throws {RangeError} another rank than 4, sides that blocks do not divide, out does not fit or overlaps, out of
 *   memory
 * @throws {Error} before `init()`
 * @example
 * const input = { type: 'uint8', data: Uint8Array.of(1, 2, 3, 4), dims: [1, 1, 2, 2] };
 * spaceToDepth(input, { blocksize: 2 }).dims; // [1, 4, 1, 1]
 */
export function spaceToDepth(input, options) {
  return run(SpaceToDepth, [input], options);
}

/**
 * The shape rule.
 * @param {readonly Dim[]} dims
 * @param {number} blocksize
 * @returns {Dim[]}
 */
function spaceToDepthDims(dims, blocksize) {
  checkImages(dims);
  const [n, c, h, w] = dims;
  for (const extent of [h, w])
    if (!isUnknown(extent) && extent % blocksize !== 0)
      rangeError(`height and width must be divisible by blocksize = ${blocksize}, got ${showList([h, w])}`);
  const divided = (/** @type {Dim} */ extent) =>
    isUnknown(extent) ? (blocksize === 1 ? extent : null) : extent / blocksize;
  const channels = isUnknown(c) ? (blocksize === 1 ? c : null) : c * blocksize * blocksize;
  return checkExtents([n, channels, divided(h), divided(w)]);
}
