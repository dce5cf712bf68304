/** DepthToSpace and SpaceToDepth: blocks of channels to blocks of pixels, and back. */
import { rangeError, showList } from '../../arguments/index.js';
import * as core from '../core/index.js';

/** @import { Attribute, CallOptions, Declaration, DepthToSpaceAttributes, Dim, Operator } from '../types.js' */
/** @import { Results, SpaceToDepthAttributes, Tensor, TensorInfo, TensorLike, TypeName } from '../types.js' */

/** Where a block's place is in a channel's index. */
const modes = Object.freeze(['DCR', 'CRD']);

/** Declares the attributes of both operators. `since` is the first version that has a mode.
 * @type {(since: number) => Record<string, Attribute>} */
const attributesOf = (since) => ({
  blocksize: core.integer(undefined, { least: 1, required: true }),
  mode: core.word(modes, { since }),
});

/** Makes the shape rule of both operators. `dimsOf` gives the result's dims, and refuses extents that the blocks do not
 * divide.
 * @type {(dimsOf: (dims: readonly Dim[], side: number) => Dim[]) => Declaration['shape']} */
const shapeBy =
  (dimsOf) =>
  (_, { blocksize, mode }, { dims }) => {
    if (dims && dims.length !== 4) rangeError(`input must have rank 4, got dims ${showList(dims)}`);
    const blockSize = Number(blocksize);
    return { dims: dims && core.checkExtents(dimsOf(dims, blockSize)), side: blockSize, mode };
  };

/** Computes extent * times / by; an unknown extent stays where that is the extent itself.
 * @type {(extent: Dim, times: number, by?: number) => Dim} */
const scaled = (extent, times, by = 1) =>
  core.isUnknown(extent) ? (times === by ? extent : null) : (extent * times) / by;

/** @type {Operator<{ input?: TensorInfo }, DepthToSpaceAttributes>} */
export const DepthToSpace = core.define({
  name: 'DepthToSpace',
  versions: { 1: 3, 11: 3, 13: 4, 28: 4 },
  inputs: [core.tensor('input')],
  attributes: attributesOf(11),
  shape: shapeBy(([n, c, h, w], blockSize) => {
    const block = blockSize * blockSize;
    if (!core.isUnknown(c) && c % block !== 0)
      rangeError(`dims[1] must be divisible by blocksize² = ${block}, got ${c}`);
    return [n, scaled(c, 1, block), scaled(h, blockSize), scaled(w, blockSize)];
  }),
  move: core.copied((source, { dims, side: blockSize, mode }) => {
    const [n, , h, w] = source.dims;
    const isOuter = mode === 'DCR';
    // Both modes end as [n, c, h, row in the block, w, column in the block].
    const inner = isOuter ? [blockSize, blockSize, dims[1]] : [dims[1], blockSize, blockSize];
    const split = core.regroupAxes(source, [n, ...inner, h, w]);
    return split && core.regroupAxes(core.permuteAxes(split, isOuter ? [0, 3, 4, 1, 5, 2] : [0, 1, 4, 2, 5, 3]), dims);
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
export const depthToSpace = (input, options) => core.run(DepthToSpace, [input], options);

/** @type {Operator<{ input?: TensorInfo }, SpaceToDepthAttributes>} */
export const SpaceToDepth = core.define({
  name: 'SpaceToDepth',
  versions: { 1: 3, 13: 4, 28: 4 },
  inputs: [core.tensor('input')],
  attributes: attributesOf(28),
  shape: shapeBy(([n, c, h, w], blockSize) => {
    for (const extent of [h, w])
      if (!core.isUnknown(extent) && extent % blockSize !== 0)
        rangeError(`height and width must be divisible by blocksize = ${blockSize}, got ${showList([h, w])}`);
    return [n, scaled(c, blockSize * blockSize), scaled(h, 1, blockSize), scaled(w, 1, blockSize)];
  }),
  move: core.copied((source, { dims, side: blockSize, mode }) => {
    const [n, , h, w] = dims;
    const split = core.regroupAxes(source, [n, source.dims[1], h, blockSize, w, blockSize]);
    // The places in the block, axes 3 and 5, go in front of the channels (DCR) or behind them (CRD).
    return (
      split && core.regroupAxes(core.permuteAxes(split, mode === 'DCR' ? [0, 3, 5, 1, 2, 4] : [0, 1, 3, 5, 2, 4]), dims)
    );
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
export const spaceToDepth = (input, options) => core.run(SpaceToDepth, [input], options);
