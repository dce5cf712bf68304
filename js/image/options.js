/** The options of `imageToTensor`, read. */
import { rangeError, readOptions, readWord, show, showList, typeError, within } from '../arguments/index.js';
import { dtypeOf } from '../tensor/index.js';
import { readTable } from './option-table.js';
import { readBackend } from './resizing/filters.js';
import { channelOrders, layouts } from './numbers/layout.js';
import { isPixelType, readNormalization } from './numbers/normalization.js';
import { readFitting } from './resizing/fit.js';
import { recipeOf } from './numbers/recipes.js';
import { letterboxTable } from './resizing/letterbox-geometry.js';

/** @import { DType, TensorLike } from '../tensor/index.js' */
/** @import { ChannelOrder, ImageLayout } from './numbers/layout.js' */
/** @import { NormalizationLists } from './numbers/normalization.js' */
/** @import { Fitting } from './resizing/fit.js' */
/** @import { Recipe } from './numbers/recipes.js' */
/** @import { LetterboxOptions, Letterboxing } from './resizing/letterbox-geometry.js' */

/**
 * @typedef {object} ImageToTensorOptions
 * @property {ImageLayout} [layout] 'NCHW' if omitted; 'CHW' and 'HWC' for a single image, without the axis of the batch
 * @property {ChannelOrder} [channels] 'RGB' if omitted
 * @property {'uint8' | 'int8' | 'float32' | 'float16' | 'bfloat16'} [type] 'float32' if omitted
 * @property {'drop' | 'white'} [alpha] what becomes of an image's alpha where the result has none: 'drop' (if omitted)
 *   takes the colors as they are; 'white' lays the image on white first, as transformers' `convert_rgb`
 * @property {LetterboxOptions} [letterbox] puts the image into a letterbox, as `letterbox` does, in place of `width`,
 *   `height`, `fit`, `background`, `filter` and `backend`. A `color` of more than one byte is red, green and blue
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
  'filter',
  'backend',
  'alpha',
  'letterbox',
];

/**
 * The options, read, but for `out`, whose dims follow from the images. `isOpenCv`: gray is OpenCV's.
 * @typedef {{ layout: ImageLayout, channels: ChannelOrder, dtype: DType, normalization: NormalizationLists,
 *   fitting: Fitting | undefined, letterboxing: Letterboxing | undefined, isOpenCv: boolean, isOnWhite: boolean,
 *   out: unknown }} Call
 */

/** @type {(options: any, more?: readonly string[]) => Call} */
export function readCall(options, more = []) {
  const bag = readOptions(options, [...optionNames, ...more]);
  const { layout, channels, type, preset, scale, mean, std, out, alpha } = bag;
  const { width, height, fit, background, filter, backend, letterbox } = bag;
  const fitting = { width, height, fit, background, filter, backend };
  const dtype = readTarget(type);
  const recipe = recipeOf(preset);
  const order = readWord('channels', channelOrders, channels) ?? recipe.channels;
  const usual = recipe.isOpenCv ? 'opencv' : 'pil';
  const result = { dtype, backend: readBackend(backend ?? usual) };
  return {
    layout: readWord('layout', layouts, layout) ?? 'NCHW',
    channels: order,
    dtype,
    normalization: readNormalization({ preset, scale, mean, std }, order, 'std', result),
    letterboxing: letterbox === undefined ? undefined : readLetterboxOf(letterbox, fitting, recipe),
    fitting: readFitting(fitting, order === 'L' || preset !== undefined, usual),
    isOpenCv: letterbox !== undefined || result.backend === 'opencv',
    isOnWhite: readWord('alpha', /** @type {const} */ (['drop', 'white']), alpha) === 'white',
    out,
  };
}

/**
 * A letterbox has no options of fitting beside it.
 * @type {(letterbox: unknown, fitting: Record<string, unknown>, recipe: Recipe) => Letterboxing}
 */
function readLetterboxOf(letterbox, fitting, recipe) {
  for (const [name, value] of Object.entries(fitting))
    if (value !== undefined) typeError(`${name} cannot stand beside letterbox, got ${show(value)}`);
  return within('letterbox', () => {
    const read = readTable(letterbox, letterboxTable, recipe.letterbox);
    if (Array.isArray(read.color) && read.color.length !== 3)
      rangeError(`color must hold 3 bytes, for red, green and blue, got ${showList(read.color)}`);
    return read;
  });
}

/** @type {(type: unknown) => DType} */
function readTarget(type = 'float32') {
  const dtype = dtypeOf(type);
  if (dtype && isPixelType(dtype)) return dtype;
  const shown = dtype ? dtype.name : show(type);
  return typeError(`type must be uint8, int8, float32, float16 or bfloat16 (cast gives the others), got ${shown}`);
}
