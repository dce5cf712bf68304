/** The orders that a tensor of images may have: of its axes, and of the channels. */

/** @import { ChannelSource } from '../../engines/images/types.js' */

/** The orders of axes; a single image may lack the axis of the batch. */
export const layouts = /** @type {const} */ (['NCHW', 'NHWC', 'CHW', 'HWC']);
/** @typedef {typeof layouts[number]} ImageLayout */

/** Where each channel of the result comes from, by the order of the channels and their number in the source. */
export const channelSources = /** @type {const} */ ({
  RGB: { 1: [0, 0, 0], 3: [0, 1, 2], 4: [0, 1, 2] },
  BGR: { 1: [0, 0, 0], 3: [2, 1, 0], 4: [2, 1, 0] },
  RGBA: { 1: [0, 0, 0, 'opaque'], 3: [0, 1, 2, 'opaque'], 4: [0, 1, 2, 3] },
  L: { 1: [0], 3: ['luma'], 4: ['luma'] },
});
/** @typedef {keyof typeof channelSources} ChannelOrder */

/** The channel of a picture that each channel of the result is made of, or the rule by which gray is made of colors.
 * `count`: the picture's channels, 1, 3 or 4; `isOpenCv`: whether OpenCV's rule makes gray
 * @type {(order: ChannelOrder, count: number, isOpenCv: boolean) => readonly ChannelSource[]} */
export const sourcesOf = (order, count, isOpenCv) =>
  isOpenCv && order === 'L' && count > 1 ? ['openCvLuma'] : channelSources[order][/** @type {1 | 3 | 4} */ (count)];

export const channelOrders = /** @type {ChannelOrder[]} */ (Object.keys(channelSources));
