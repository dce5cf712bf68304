/** SpaceToDepth: blocks of pixels to blocks of channels. */
import { rangeError, showList } from '../../arguments/index.js';
import {
  checkExtents,
  copied,
  define,
  isUnknown,
  permuteAxes,
  regroupAxes,
  run,
  tensor,
  whole,
  word,
} from '../core/index.js';
import { checkImages, modes } from './depth-to-space.js';

/** @import { CallOptions, Dim, Operator, Results, SpaceToDepthAttributes, Tensor, TensorInfo } from '../types.js' */
/** @import { TensorLike, TypeName } from '../types.js' */

/** @type {Operator<{ input?: TensorInfo }, SpaceToDepthAttributes>} */
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
 * @template {TypeName} T
 * @param {TensorLike<T>} input of dims [N, C, H, W]
 * @param {SpaceToDepthAttributes & Results & CallOptions} options
 * @returns {Tensor<T>} of dims [N, C * blocksize², H / blocksize, W / blocksize], with memory of its own, or over
 *   `out.data`
 * @example
 * const input = { type: 'uint8', data: Uint8Array.of(1, 2, 3, 4), dims: [1, 1, 2, 2] };
 * spaceToDepth(input, { blocksize: 2 }).dims; // [1, 4, 1, 1]
 */
export const spaceToDepth = (input, options) => run(SpaceToDepth, [input], options);

/** @type {(dims: readonly Dim[], blocksize: number) => Dim[]} The shape rule. */
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
