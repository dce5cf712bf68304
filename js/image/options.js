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

/** @import { DType } from '../tensor/index.js' */
/** @import { Call, Letterboxing, Recipe } from './types.js' */

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
