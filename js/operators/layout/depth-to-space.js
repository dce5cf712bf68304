/** DepthToSpace and SpaceToDepth: blocks of channels to blocks of pixels, and back. */
import { rangeError, showList } from '../../arguments/index.js';
import * as core from '../core/index.js';

/** @import { Attribute, CallOptions, Declaration, DepthToSpaceAttributes, Dim, Operator } from '../types.js' */
/** @import { Results, SpaceToDepthAttributes, Tensor, TensorInfo, TensorLike, TypeName, View } from '../types.js' */

/** @typedef {'DCR' | 'CRD'} Mode ONNX's depth-column-row or column-row-depth: whether the place in a block is the outer
 *   part of a channel's index, or its inner part */

const modes = Object.freeze(['DCR', 'CRD']);

/** Declares the attributes of an operator whose versions have a `mode` from `firstWithMode` on.
 * @type {(firstWithMode: number) => Record<string, Attribute>} */
const attributesOf = (firstWithMode) => ({
  blocksize: core.integer(undefined, { least: 1, required: true }),
  mode: core.word(modes, { since: firstWithMode }),
});

/** Makes the shape rule of an operator: `dimsOf` gives the dims of its result from those of the input.
 * @type {(dimsOf: (dims: readonly Dim[], blockSize: number) => Dim[]) => Declaration['shape']} */
const shapeRuleBy =
  (dimsOf) =>
  (_, { blocksize, mode }, { dims }) => {
    if (dims && dims.length !== 4) rangeError(`input must have rank 4, got dims ${showList(dims)}`);
    const blockSize = Number(blocksize);
    return { dims: dims && core.checkExtents(dimsOf(dims, blockSize)), blockSize, mode };
  };

/** Multiplies an extent; of an unknown one, nothing is known then, unless the factor is 1.
 * @type {(extent: Dim, factor: number) => Dim} */
function multiplied(extent, factor) {
  if (factor === 1) return extent;
  return core.isUnknown(extent) ? null : extent * factor;
}

/** Divides an extent, which is a multiple of the divisor; of an unknown one, nothing is known then, unless that is 1.
 * @type {(extent: Dim, divisor: number) => Dim} */
function divided(extent, divisor) {
  if (divisor === 1) return extent;
  return core.isUnknown(extent) ? null : extent / divisor;
}

/** Gives the perm that Transpose takes to bring axes from one order to another. Both orders list the axes' names.
 * @type {(from: string, to: string) => number[]} */
function permBetween(from, to) {
  const namesBefore = from.split(' ');
  const namesAfter = to.split(' ');
  return namesAfter.map((name) => namesBefore.indexOf(name));
}

/** The axes of pictures whose height and width are split: into blocks, and the `row` and `column` in a block. */
const pixelAxes = 'n c h row w column';
/** By mode, the axes of pictures whose channels are split: into the `row` and `column` in a block, and channels. */
const channelAxes = { DCR: 'n row column c h w', CRD: 'n c row column h w' };
const permToPixels = { DCR: permBetween(channelAxes.DCR, pixelAxes), CRD: permBetween(channelAxes.CRD, pixelAxes) };
const permToChannels = { DCR: permBetween(pixelAxes, channelAxes.DCR), CRD: permBetween(pixelAxes, channelAxes.CRD) };

/** Splits the axes of a view to the extents `splitDims`, puts them in the order `perm`, and merges them to `dims`;
 * undefined where strides cannot express that.
 * @type {(view: View, splitDims: number[], perm: number[], dims: number[]) => View | undefined} */
function reorderBlocks(view, splitDims, perm, dims) {
  const splitView = core.regroupAxes(view, splitDims);
  return splitView && core.regroupAxes(core.permuteAxes(splitView, perm), dims);
}

/** @type {Operator<{ input?: TensorInfo }, DepthToSpaceAttributes>} */
export const DepthToSpace = core.define({
  name: 'DepthToSpace',
  versions: { 1: 3, 11: 3, 13: 4, 28: 4 },
  inputs: [core.tensor('input')],
  attributes: attributesOf(11),
  /** Plans `blockSize`² times fewer channels, and `blockSize` times the height and width. */
  shape: shapeRuleBy(([n, c, h, w], blockSize) => {
    const pixelsInBlock = blockSize * blockSize;
    if (!core.isUnknown(c) && c % pixelsInBlock !== 0)
      rangeError(`dims[1] must be divisible by blocksize² = ${pixelsInBlock}, got ${c}`);
    return [n, divided(c, pixelsInBlock), multiplied(h, blockSize), multiplied(w, blockSize)];
  }),
  /** Splits the channels in three axes, and merges two of these with the height and the width. */
  move: core.copied((source, { dims, blockSize, mode }) => {
    const [n, , h, w] = source.dims;
    const [, c] = dims;
    // In the order of `channelAxes`.
    const splitDims = mode === 'DCR' ? [n, blockSize, blockSize, c, h, w] : [n, c, blockSize, blockSize, h, w];
    return reorderBlocks(source, splitDims, permToPixels[/** @type {Mode} */ (mode)], dims);
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
  /** Plans `blockSize`² times the channels, and `blockSize` times less height and width. */
  shape: shapeRuleBy(([n, c, h, w], blockSize) => {
    for (const extent of [h, w])
      if (!core.isUnknown(extent) && extent % blockSize !== 0)
        rangeError(`height and width must be divisible by blocksize = ${blockSize}, got ${showList([h, w])}`);
    return [n, multiplied(c, blockSize * blockSize), divided(h, blockSize), divided(w, blockSize)];
  }),
  /** Splits the height and the width in two axes each, and merges the inner ones with the channels. */
  move: core.copied((source, { dims, blockSize, mode }) => {
    const [, c] = source.dims;
    const [n, , h, w] = dims;
    const splitDims = [n, c, h, blockSize, w, blockSize]; // in the order of `pixelAxes`
    return reorderBlocks(source, splitDims, permToChannels[/** @type {Mode} */ (mode)], dims);
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
