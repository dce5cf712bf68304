/** Windows and filter banks. */
import * as cpp from '../../../dist/bridge/audio.js';
import { rangeError } from '../../arguments/index.js';
import { halfBytes, kernels, pieces } from './module.js';

/** @import { BankSettings, WindowSettings } from './types.js' */

export const precisions = cpp.Precision;
export const melScales = cpp.MelScale;

/** Makes the `length` weights of a window, rounded to its precision. It is made in the module's memory of pieces, and
 * copied.
 * @type {(settings: WindowSettings) => Float64Array} */
export function makeWindow({ kind, length, periodic = true, precision = 'float64' }) {
  if (length * 8 > halfBytes) rangeError(`window_length must be at most ${halfBytes / 8}, got ${length}`);
  pieces.clear();
  const at = pieces.space(8 * length);
  kernels.make_window(cpp.Window.indexOf(kind), length, Number(periodic), at);
  kernels.round_numbers(cpp.Precision.indexOf(precision), at, length);
  return pieces.view(Float64Array, at, length).slice();
}

/** Makes a filter bank, the weights [bins, filters] as float64, in the module's memory of pieces. Returns its address.
 * @type {(settings: BankSettings) => number} */
export function stageBank(settings) {
  const { bank, bins, filters, low, rate, high = rate / 2, precision = 'float64' } = settings;
  const { slaneyNorm, melScale, inMelSpace, narrowBank } = settings;
  // make_bank takes bins + filters + 2 numbers of scratch; 2 are spare. 16 more leave room for the settings' struct.
  const scratchNumbers = bins + filters + 4;
  const maxNumbers = Math.max(0, halfBytes / 8 - 16 - scratchNumbers);
  if (bins * filters > maxNumbers)
    rangeError(`a filter bank must have at most ${maxNumbers} numbers, got ${bins} bins times ${filters} filters`);
  pieces.clear();
  const names = { kind: bank, scale: melScale, narrow: narrowBank };
  const block = pieces.putStruct(cpp.Bank, { bins, filters, low, high, rate, slaneyNorm, inMelSpace, ...names });
  const [scratch, at] = [scratchNumbers, bins * filters].map((count) => pieces.space(8 * count));
  kernels.make_bank(block, scratch, at);
  kernels.round_numbers(cpp.Precision.indexOf(precision), at, bins * filters);
  return at;
}

/** Makes a filter bank: the weights [bins, filters], in an array of its own.
 * @type {(settings: BankSettings) => Float64Array} */
export const makeBank = (settings) =>
  pieces.view(Float64Array, stageBank(settings), settings.bins * settings.filters).slice();
