/** Windows and filter banks. Words stand in the order of their numbers in cpp/audio. */
import { rangeError } from '../../arguments/index.js';
import { halfBytes, kernels, pieces, view } from './module.js';

/** @import { BankSettings, WindowSettings } from './types.js' */

export const windows = /** @type {const} */ ([
  'boxcar',
  'hann',
  'hamming',
  'povey',
  'torchHann',
  'torchHamming',
  'torchPovey',
  'torchHannWide',
  'torchHammingWide',
  'gemma3n',
]);
export const precisions = /** @type {const} */ (['float64', 'float32', 'float16', 'bfloat16']);
export const bankWords = /** @type {const} */ ([
  'audioUtils',
  'torchaudio',
  'torchaudioKaldi',
  'gemma3n',
  'lasr',
  'chroma',
]);
export const scaleWords = /** @type {const} */ (['htk', 'slaney', 'kaldi']);

/** The settings of frames, in the order in which the module reads them: the words of a setting, or its default. The
 * default word is 'power' for `energy`, and the first one for the others. See cpp/audio/frames.h. */
export const spectrumSettings = /** @type {const} */ ({
  scale: 1,
  lateScale: 1,
  offset: ['kept', 'float64', 'float32'],
  emphasis: ['none', 'float64', 'float32', 'htk', 'next'],
  coefficient: 0,
  narrowWindow: false,
  narrowBins: false,
  onesided: true,
  energy: ['complex', 'power', 'magnitude', 'exponent', 'numpyAbs', 'amplitude32', 'floored'],
  exponent: 1,
  energyFloor: 0,
  addsFloor: false,
  floor: 0,
  gain: 1,
  logarithm: ['none', 'log', 'log10', 'dB'],
  factor: 1,
  least: 0,
  reference: 0,
  wide: false,
});

/** @type {(settings: WindowSettings) => Float64Array} */
export function makeWindow({ kind, length, periodic = true, precision = 'float64' }) {
  if (length * 8 > halfBytes) rangeError(`window_length must be at most ${halfBytes / 8}, got ${length}`);
  pieces.clear();
  const at = pieces.space(8 * length);
  kernels.make_window(windows.indexOf(kind), length, Number(periodic), at);
  kernels.round_numbers(precisions.indexOf(precision), at, length);
  return view(Float64Array, at, length).slice();
}

/** @type {(settings: BankSettings) => number} Makes a filter bank where pieces lie, and gives its address. */
export function stageBank(settings) {
  const { bank = 'audioUtils', bins, filters, low = 0, rate, high = rate / 2, precision = 'float64' } = settings;
  const { slaneyNorm = false, melScale = 'htk', inMelSpace = false, narrowBank = false } = settings;
  const scratchNumbers = bins + filters + 4;
  const most = Math.max(0, halfBytes / 8 - 16 - scratchNumbers);
  if (bins * filters > most)
    rangeError(`a filter bank must have at most ${most} numbers, got ${bins} bins times ${filters} filters`);
  const numbers = [bankWords.indexOf(bank), bins, filters, low, high, rate];
  const flags = [+slaneyNorm, scaleWords.indexOf(melScale), +inMelSpace, +narrowBank];
  pieces.clear();
  const block = pieces.put(Float64Array.of(...numbers, ...flags));
  const [scratch, at] = [scratchNumbers, bins * filters].map((count) => pieces.space(8 * count));
  kernels.make_bank(block, scratch, at);
  kernels.round_numbers(precisions.indexOf(precision), at, bins * filters);
  return at;
}

/** @type {(settings: BankSettings) => Float64Array} [bins, filters]. */
export const makeBank = (settings) => view(Float64Array, stageBank(settings), settings.bins * settings.filters).slice();
