/** The options of `imageToTensor`, read. */
import { later, readSignal, readTable, show, typeError, namePart, word } from '../../arguments/index.js';
import { dtypeOf } from '../../tensor/index.js';
import { readBackend } from '../resizing/filters.js';
import { channelOrders, layouts } from '../numbers/layout.js';
import { isPixelType, readNormalization } from '../numbers/normalization.js';
import { checkTensorBackground } from '../resizing/background.js';
import { readFitting } from '../resizing/fit.js';
import { recipeOf } from '../numbers/recipes.js';
import { letterboxTable } from '../resizing/letterbox-geometry.js';
import { orientations, readDecode } from '../sources/read-images.js';

/** @import { DType } from '../../tensor/index.js' */
/** @import { Row } from '../../arguments/index.js' */
/** @import { Call, Decoding, FitOptions, Letterboxing, LetterboxOptions, Recipe } from '../types.js' */

const table = {
  layout: word(layouts, 'NCHW'),
  channels: word(channelOrders, undefined),
  dtype: (/** @type {string} */ _, /** @type {unknown} */ value) => readPixelType(value),
  preset: later,
  scale: later,
  mean: later,
  std: later,
  out: later,
  width: later,
  height: later,
  fit: later,
  background: later,
  filter: later,
  backend: later,
  alpha: word(['drop', 'white'], 'drop'),
  letterbox: later,
};
export const callTables = {
  sync: table,
  async: {
    ...table,
    orientation: word(orientations, 'upright'),
    signal: readSignal,
    decode: (/** @type {string} */ _, /** @type {unknown} */ value) => readDecode(value),
  },
};

/** @typedef {typeof table & { orientation?: Row, signal?: Row, decode?: Row }} CallRows */

/** Reads the options of a call, for `imageToTensor` and `imageToTensorAsync`. A preset of a project (its recipe) may
 * bring channels, a backend and sizes along, which count where the caller gives none. `rows`: the table of options;
 * only that of `imageToTensorAsync` has `orientation`, `signal` and `decode`
 * @type {(options: object | undefined, rows: CallRows) => Call &
 *   Pick<Decoding, 'orientation' | 'signal' | 'decode'>} */
export function readCall(options, rows) {
  const bag = /** @type {{ [Name in keyof CallRows]?: unknown } | undefined} */ (options);
  const { layout, channels: givenChannels, dtype, out, alpha, letterbox, ...others } = readTable(bag, rows);
  // `fitting`: width, height, fit, background, filter and backend, which are not read yet.
  const { preset, scale, mean, std, orientation, signal, decode, ...fitting } = others;
  const recipe = recipeOf(preset);
  const channels = givenChannels ?? recipe.channels;
  const usualBackend = recipe.isOpenCv ? 'opencv' : 'pil';
  const result = { dtype, backend: readBackend(fitting.backend ?? usualBackend) };
  // Gray and presets are computed as the backend does, even if nothing is resized.
  const dependsOnBackend = channels === 'L' || preset !== undefined;
  return {
    layout,
    channels,
    dtype,
    out,
    orientation,
    signal,
    decode,
    normalization: readNormalization({ preset, scale, mean, std }, channels, 'std', result),
    letterboxing: letterbox === undefined ? undefined : readLetterboxOf(letterbox, fitting, recipe),
    fitting: readFitting(withRecipe(fitting, recipe), dependsOnBackend, usualBackend),
    // letterbox always resizes as OpenCV.
    isOpenCv: letterbox !== undefined || result.backend === 'opencv',
    isOnWhite: alpha === 'white',
  };
}

/** Adds the recipe's options of resizing to the caller's; nothing is resized without a width or height.
 * @type {(fitting: Record<keyof FitOptions, unknown>, recipe: Recipe) => Record<keyof FitOptions, unknown>} */
function withRecipe(fitting, recipe) {
  if (fitting.width === undefined && fitting.height === undefined) return fitting;
  const stated = Object.entries(fitting).filter(([, value]) => value !== undefined);
  return { ...fitting, ...recipe.fitting, ...Object.fromEntries(stated) };
}

/** Reads the option `letterbox`, beside which no option of resizing may stand.
 * @type {(letterbox: LetterboxOptions, fitting: Record<string, unknown>, recipe: Recipe) => Letterboxing} */
function readLetterboxOf(letterbox, fitting, recipe) {
  for (const [name, value] of Object.entries(fitting))
    if (value !== undefined) typeError(`${name} cannot stand beside letterbox, got ${show(value)}`);
  return namePart('letterbox', () => {
    const read = readTable(letterbox, letterboxTable, recipe.letterbox);
    if (read.background !== null) checkTensorBackground(read.background);
    return read;
  });
}

/** Reads the type of a tensor's numbers, float32 if omitted. @type {(type: unknown) => DType} */
function readPixelType(type = 'float32') {
  const dtype = dtypeOf(type);
  if (dtype && isPixelType(dtype)) return dtype;
  const shown = dtype ? dtype.name : show(type);
  return typeError(`dtype must be uint8, int8, float32, float16 or bfloat16 (cast gives the others), got ${shown}`);
}
