/** Windows and mel filter banks, as transformers' audio_utils has them. */
import * as args from '../arguments/index.js';
import { makeBank, makeWindow, ready, melScales } from '../engines/audio/index.js';
import { allocateNumbers, tensor } from './tensors.js';

/** @import { Tensor } from '../tensor/index.js' */

const names = /** @type {const} */ (['hann', 'hann_window', 'hamming', 'hamming_window', 'povey', 'boxcar']);

/** Reads the name of a window's shape, in either of transformers' spellings.
 * @type {(name: string, value: unknown) => 'boxcar' | 'hann' | 'hamming' | 'povey'} */
export const readWindowName = (name, value) =>
  /** @type {'hann'} */ ((args.readWord(name, names, value) ?? 'hann').replace('_window', ''));

/**
 * @typedef {object} WindowOptions
 * @property {'hann' | 'hann_window' | 'hamming' | 'hamming_window' | 'povey' | 'boxcar'} [name] The window's shape:
 *   'hann' if omitted.
 * @property {boolean} [periodic] Whether it is a window of one point more without its last: true if omitted.
 * @property {number | null} [frame_length] The length with zeros around the window, in samples: none if omitted.
 * @property {boolean} [center] Whether these zeros lie on both sides, and not behind alone: true if omitted.
 */

const windowTable = {
  name: readWindowName,
  periodic: args.flag(true),
  frame_length: args.orNull(args.count()),
  center: args.flag(true),
};

/**
 * A window, as transformers' `window_function` makes it.
 * @param {number} window_length in samples
 * @param {WindowOptions} [options]
 * @returns {Float64Array}
 * @example
 * windowFunction(4); // Float64Array [0, 0.5, 1, 0.5]
 */
export function windowFunction(window_length, options) {
  return args.named('windowFunction', () => {
    ready();
    const { name: kind, periodic, frame_length: total, center } = args.readTable(options, windowTable);
    const length = args.readCount('window_length', window_length, 1);
    const window = makeWindow({ kind, length, periodic });
    if (total === undefined || total === null) return window;
    if (length > total) args.rangeError(`window_length must be at most frame_length ${total}, got ${length}`);
    const padded = allocateNumbers('the window', total, Float64Array);
    padded.set(window, center ? Math.floor((total - length) / 2) : 0);
    return padded;
  });
}

/**
 * @typedef {object} MelOptions
 * @property {number} num_frequency_bins The frequencies of the spectrum: half of the transform's length, and 1.
 * @property {number} num_mel_filters The number of filters.
 * @property {number} min_frequency The lowest frequency of the filters, in hertz.
 * @property {number} max_frequency The highest frequency of the filters, in hertz.
 * @property {number} sampling_rate The rate of the audio, in samples a second.
 * @property {'slaney' | null} [norm] 'slaney' gives each triangle the area 1; all have the height 1 if omitted.
 * @property {'htk' | 'slaney' | 'kaldi'} [mel_scale] The scale from hertz to mel: 'htk' if omitted.
 * @property {boolean} [triangularize_in_mel_space] Whether the triangles are straight in mel instead of hertz: false if
 *   omitted.
 * @property {'float64' | 'float32'} [dtype] The type of the result: 'float64' if omitted.
 * @property {(message: string) => void} [onWarning] Is called where a filter has no bin, as Python warns.
 */

/**
 * A bank of triangular mel filters, as transformers' `mel_filter_bank` makes it.
 * @param {MelOptions} options
 * @returns {Tensor} [bins, filters]
 * @example
 * const bank = melFilterBank({
 *   num_frequency_bins: 201,
 *   num_mel_filters: 80,
 *   min_frequency: 0,
 *   max_frequency: 8000,
 *   sampling_rate: 16000,
 * });
 * bank.dims; // [201, 80]
 */
export function melFilterBank(options) {
  return args.named('melFilterBank', () => {
    ready();
    const { onWarning, ...read } = readMel(options);
    const data = makeBank(read);
    if (onWarning) warnOfEmpty(data, read, onWarning);
    const dims = [read.bins, read.filters];
    return read.narrowBank ? tensor('float32', new Float32Array(data), dims) : tensor('float64', data, dims);
  });
}

const melTable = {
  num_frequency_bins: args.countFrom(2),
  num_mel_filters: args.countFrom(1),
  min_frequency: args.readFinite,
  max_frequency: args.readFinite,
  sampling_rate: args.readFinite,
  norm: args.orNull(args.word(['slaney'], undefined)),
  mel_scale: args.word(melScales, undefined),
  triangularize_in_mel_space: args.flag(false),
  dtype: args.word(['float64', 'float32'], 'float64'),
  onWarning: args.row(args.readFunction, undefined),
};

/** Gives the options under the names of the engine's settings; `onWarning`, which is none of these, stays.
 * @param {MelOptions} options */
function readMel(options) {
  const read = args.readTable(options, melTable);
  const { min_frequency: low, max_frequency: high } = read;
  if (low > high) args.rangeError(`min_frequency must be at most max_frequency ${high}, got ${low}`);
  return {
    bins: read.num_frequency_bins,
    filters: read.num_mel_filters,
    low,
    high,
    rate: read.sampling_rate,
    melScale: read.mel_scale,
    slaneyNorm: read.norm === 'slaney',
    inMelSpace: read.triangularize_in_mel_space,
    narrowBank: read.dtype === 'float32',
    onWarning: read.onWarning,
  };
}

/** Calls back, in Python's words, if a filter has no weight above 0. `data` is the bank, [bins, filters]. A loop in JS,
 * because a bank has a few thousand numbers.
 * @type {(data: Float64Array, shape: { bins: number, filters: number }, onWarning: (message: string) => void) =>
 *   void} */
function warnOfEmpty(data, { bins, filters }, onWarning) {
  const usedFilters = new Set();
  data.forEach((weight, i) => {
    if (weight !== 0) usedFilters.add(i % filters);
  });
  if (usedFilters.size === filters) return;
  const bands = `The value for \`num_mel_filters\` (${filters}) may be set too high.`;
  const limit = `Or, the value for \`num_frequency_bins\` (${bins}) may be set too low.`;
  onWarning(`At least one mel filter has all zero values. ${bands} ${limit}`);
}
