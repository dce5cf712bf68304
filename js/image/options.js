/** The options of `imageToTensor`, read. */
import { readOptions, readWord, show, wrongKind } from '../arguments/index.js';
import { dtypeOf } from '../tensor/index.js';
import { channelOrders, layouts } from './layout.js';
import { isPixelType, readNormalization } from './normalization.js';
import { readResizing } from './resize.js';

/** @import { DType, TensorLike } from '../tensor/index.js' */
/** @import { ChannelOrder, ImageLayout } from './layout.js' */
/** @import { NormalizationLists } from './normalization.js' */
/** @import { Resizing } from './resize.js' */

/**
 * @typedef {object} ImageToTensorOptions
 * @property {ImageLayout} [layout] 'NCHW' if omitted; 'CHW' and 'HWC' for a single image, without the axis of the batch
 * @property {ChannelOrder} [channels] 'RGB' if omitted
 * @property {'uint8' | 'int8' | 'float32' | 'float16' | 'bfloat16'} [type] 'float32' if omitted
 * @property {TensorLike} [out] a tensor of the result's type and dims to write to; it must not overlap the images
 */

const optionNames = [
  'layout',
  'channels',
  'type',
  'preset',
  'scale',
  'mean',
  'std',
  'out',
  'width',
  'height',
  'fit',
  'background',
];

/**
 * What the caller asks for, each property read once.
 * @typedef {object} Call
 * @property {string} prefix
 * @property {ImageLayout} layout
 * @property {ChannelOrder} channels
 * @property {DType} dtype
 * @property {NormalizationLists} normalization
 * @property {Resizing | undefined} resizing
 * @property {unknown} out not read yet: its dims follow from the images
 */

/**
 * Reads the options bag.
 * @param {string} prefix
 * @param {any} options
 * @returns {Call}
 */
export function readCall(prefix, options) {
  const { layout, channels, type, preset, scale, mean, std, out, width, height, fit, background } = readOptions(
    prefix,
    options,
    optionNames,
  );
  const dtype = readTarget(prefix, type);
  const order = readWord(prefix, 'channels', channelOrders, channels) ?? 'RGB';
  return {
    prefix,
    layout: readWord(prefix, 'layout', layouts, layout) ?? 'NCHW',
    channels: order,
    dtype,
    normalization: readNormalization(prefix, { preset, scale, mean, std }, order, 'std'),
    resizing: readResizing(prefix, { width, height, fit, background }),
    out,
  };
}

/**
 * @param {string} prefix
 * @param {unknown} type
 * @returns {DType}
 */
function readTarget(prefix, type = 'float32') {
  const dtype = dtypeOf(type);
  if (dtype && isPixelType(dtype)) return dtype;
  const shown = dtype ? dtype.name : show(type);
  return wrongKind(
    prefix,
    `type must be uint8, int8, float32, float16 or bfloat16 (cast gives the others), got ${shown}`,
  );
}
