/** DepthToSpace: blocks of channels to blocks of pixels. */
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

/** @import { CallOptions, DepthToSpaceAttributes, Dim, Operator, Results, Tensor, TensorInfo } from '../types.js' */
/** @import { TensorLike, TypeName } from '../types.js' */

/** Where a block's place is in a channel's index. */
export const modes = Object.freeze(['DCR', 'CRD']);

/** @type {Operator<{ input?: TensorInfo }, DepthToSpaceAttributes>} */
export const DepthToSpace = define({
  name: 'DepthToSpace',
  versions: { 1: 3, 11: 3, 13: 4, 28: 4 },
  inputs: [tensor('input')],
  attributes: { blocksize: whole(undefined, { least: 1, required: true }), mode: word(modes, { since: 11 }) },
  shape(_, { blocksize, mode }, { dims }) {
    const side = Number(blocksize);
    return { dims: dims && depthToSpaceDims(dims, side), side, mode };
  },
  move: copied((source, { dims, side, mode }) => {
    const [n, , h, w] = source.dims;
    const isOuter = mode === 'DCR';
    const inner = isOuter ? [side, side, dims[1]] : [dims[1], side, side];
    const split = regroupAxes(source, [n, ...inner, h, w]);
    return split && regroupAxes(permuteAxes(split, isOuter ? [0, 3, 4, 1, 5, 2] : [0, 1, 4, 2, 5, 3]), dims);
  }),
});

/**
 * DepthToSpace: each pixel's channels become a block of `blocksize` by `blocksize` pixels.
 * @template {TypeName} T
 * @param {TensorLike<T>} input of dims [N, C, H, W]
 * @param {DepthToSpaceAttributes & Results & CallOptions} options
 * @returns {Tensor<T>} of dims [N, C / blocksize², H * blocksize, W * blocksize], with memory of its own, or over
 *   `out.data`
 * @example
 * const input = { type: 'uint8', data: Uint8Array.of(1, 2, 3, 4), dims: [1, 4, 1, 1] };
 * depthToSpace(input, { blocksize: 2 }).dims; // [1, 1, 2, 2]
 */
export const depthToSpace = (input, options) => run(DepthToSpace, [input], options);

/** @type {(dims: readonly Dim[]) => void} Refuses another rank than that of images. */
export function checkImages(dims) {
  if (dims.length !== 4) rangeError(`input must have rank 4, got dims ${showList(dims)}`);
}

/** @type {(dims: readonly Dim[], blocksize: number) => Dim[]} The shape rule. */
function depthToSpaceDims(dims, blocksize) {
  checkImages(dims);
  const [n, c, h, w] = dims;
  const block = blocksize * blocksize;
  if (!isUnknown(c) && c % block !== 0) rangeError(`dims[1] must be divisible by blocksize² = ${block}, got ${c}`);
  const times = (/** @type {Dim} */ extent) =>
    isUnknown(extent) ? (blocksize === 1 ? extent : null) : extent * blocksize;
  const channels = isUnknown(c) ? (block === 1 ? c : null) : c / block;
  return checkExtents([n, channels, times(h), times(w)]);
}
