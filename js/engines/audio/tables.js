/** Windows and filter banks. */
import * as cpp from '../../../dist/bridge/audio.js';
import { rangeError } from '../../arguments/index.js';
import { doubleBytes } from '../memory/index.js';
import { halfBytes, kernels, pieces } from './module.js';

/** @import { BankSettings, WindowSettings } from './types.js' */

export const precisions = cpp.Precision;
export const melScales = cpp.MelScale;

/** Makes the `length` weights of a window, rounded to its precision.
 * @type {(settings: WindowSettings) => Float64Array} */
export function makeWindow({ kind, length, periodic = true, precision = 'float64' }) {
  const mostWeights = halfBytes / doubleBytes;
  if (length > mostWeights) rangeError(`window_length must be at most ${mostWeights}, got ${length}`);
  pieces.clear();
  const weights = pieces.allocate(doubleBytes * length);
  kernels.make_window(cpp.Window.indexOf(kind), length, Number(periodic), weights);
  kernels.round_numbers(cpp.Precision.indexOf(precision), weights, length);
  return pieces.view(Float64Array, weights, length).slice();
}

/** Makes a filter bank, the weights [bins, filters] as float64, in the module's memory of pieces. Returns its address.
 * @type {(settings: BankSettings) => number} */
export function stageBank(settings) {
  const { bank, bins, filters, low, rate, high = rate / 2, precision = 'float64' } = settings;
  const { slaneyNorm, melScale, inMelSpace, narrowBank } = settings;
  // make_bank takes bins + filters + 2; 2 are spare.
  const scratchNumbers = bins + filters + 4;
  // Room for the settings' struct, in float64 numbers.
  const structNumbers = 16;
  const maxWeights = Math.max(0, halfBytes / doubleBytes - structNumbers - scratchNumbers);
  const weightCount = bins * filters;
  if (weightCount > maxWeights)
    rangeError(`a filter bank must have at most ${maxWeights} numbers, got ${bins} bins times ${filters} filters`);
  pieces.clear();
  const names = { kind: bank, scale: melScale, narrow: narrowBank };
  const struct = pieces.copyInStruct(cpp.Bank, { bins, filters, low, high, rate, slaneyNorm, inMelSpace, ...names });
  const scratch = pieces.allocate(doubleBytes * scratchNumbers);
  const weights = pieces.allocate(doubleBytes * weightCount);
  kernels.make_bank(struct, scratch, weights);
  kernels.round_numbers(cpp.Precision.indexOf(precision), weights, weightCount);
  return weights;
}

/** Makes a filter bank: the weights [bins, filters], in an array of its own.
 * @type {(settings: BankSettings) => Float64Array} */
export const makeBank = (settings) =>
  pieces.view(Float64Array, stageBank(settings), settings.bins * settings.filters).slice();
