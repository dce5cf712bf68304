/** The class that a configuration names, and its settings. */
import { rangeError, show, typeError, unknownName } from '../arguments/index.js';
import { parseConfiguration } from '../configurations/index.js';
import { table } from './table.js';

/** @import { CallOptions, Row, Settings } from './row.js' */

const suffix = 'FeatureExtractor';

/** Classes that have no row, and why. */
const unsupported = /** @type {Record<string, string>} */ ({
  Pop2Piano: 'needs a beat tracker, which this package lacks',
  MarkupLM: 'reads HTML and no audio',
});

/** The classes' names. */
export const extractorNames = Object.keys(table)
  .filter((name) => name[0] === name[0].toUpperCase())
  .map((name) => name + suffix);

/**
 * Reads a configuration as AutoFeatureExtractor does: `processor_config.json` wins over `preprocessor_config.json`, and
 * holds the settings under `feature_extractor`.
 * @param {unknown} config
 * @returns {Record<string, unknown>}
 */
export function readConfiguration(config) {
  let value = parseConfiguration(config);
  const files = Object.keys(value);
  if (files.length > 0 && files.every((name) => name.endsWith('.json'))) {
    const processor = value['processor_config.json'];
    const nested = processor === undefined ? undefined : parseConfiguration(processor).feature_extractor;
    const file = nested === undefined ? value['preprocessor_config.json'] : processor;
    if (file === undefined) {
      const rule =
        'config must have the file processor_config.json with feature_extractor, or preprocessor_config.json';
      rangeError(`${rule}, got ${show(files)}`);
    }
    value = parseConfiguration(file);
  }
  return value.feature_extractor === undefined ? value : parseConfiguration(value.feature_extractor);
}

/**
 * @param {Record<string, unknown>} config
 * @param {unknown} className the caller's choice, if any
 * @returns {string} a key of the table
 */
export function readClass(config, className) {
  const given = className ?? config.feature_extractor_type;
  if (given === undefined || given === null)
    typeError('config must have the key feature_extractor_type, or pass className');
  if (typeof given !== 'string') typeError(`className must be a string, got ${show(given)}`);
  const full = /** @type {string} */ (given);
  const name = full.endsWith(suffix) ? full.slice(0, -suffix.length) : full;
  if (Object.hasOwn(unsupported, name)) rangeError(`${name}${suffix} ${unsupported[name]}`);
  if (!extractorNames.includes(name + suffix)) unknownName('class', full, extractorNames);
  return name;
}

/** Settings that are 0 or more. All other numbers without a sign of their own are above 0. */
const mayBeZero = [
  'dither',
  'fmin',
  'mel_floor',
  'min_frequency',
  'frequency_min',
  'mel_min_frequency',
  'min_length',
  'pad_end_length',
  'audio_delay_seconds',
  'audio_silence_prefix_seconds',
  'pause_duration',
  'fade_out_duration',
  'overlap',
  'preemphasis',
  'overlap_chunk_second',
];
/** Settings that are any number. */
const signed = [
  'padding_value',
  'mean',
  'normalize_min',
  'normalize_max',
  'target_dB_FS',
  'silence_floor_db',
  'global_log_mel_max',
];
/** Rates and hops of a file that are larger make gigabytes of padding. */
const mostCount = 2 ** 20;

/** Settings that count samples, bins or frames. */
const whole = [
  'feature_size',
  'sampling_rate',
  'hop_length',
  'n_fft',
  'win_length',
  'num_mel_bins',
  'n_mels',
  'stride',
  'fft_window_size',
  'filter_length',
  'num_frames_lfr',
  'stride_lfr',
  'max_length',
  'samples_per_token',
  'audio_samples_per_token',
  'num_chroma',
  'min_length',
  'n_window',
  'min_energy_window_samples',
  'delta_win_length',
  'audio_compression_rate',
  'audio_downsample_rate',
  'audio_feat_stride',
  'projector_window_size',
  'projector_downsample_rate',
  'pad_to_multiple_of',
  'pad_end_length',
];

/** Lists of numbers, one a mel. */
const lists = ['mel_norms', 'per_bin_mean', 'per_bin_stddev'];
/** Numbers whose class default is null. */
const numbers = ['chunk_length_s', 'overlap', 'fmax', 'n_fft', 'chunk_seconds', 'top_db'];

/**
 * @param {string} name
 * @param {any} value
 */
function readNumber(name, value) {
  if (typeof value !== 'number') typeError(`${name} must be a number, got ${show(value)}`);
  if (!Number.isFinite(value)) rangeError(`${name} must be finite, got ${show(value)}`);
  if (signed.includes(name)) return value;
  const isZero = value === 0 && mayBeZero.includes(name);
  if (!(value > 0 || isZero)) {
    rangeError(`${name} must be ${mayBeZero.includes(name) ? 'at least 0' : 'above 0'}, got ${show(value)}`);
  }
  if (whole.includes(name) && !Number.isSafeInteger(value)) rangeError(`${name} must be a whole number, got ${value}`);
  if (whole.includes(name) && value > mostCount) rangeError(`${name} must be at most ${mostCount}, got ${value}`);
  return value;
}

/**
 * A list of numbers, one a result of each frame.
 * @param {string} name
 * @param {any} value
 * @param {number} length
 */
function readNumbers(name, value, length) {
  const list = Array.isArray(value) ? value.flat(Infinity) : [];
  if (!Array.isArray(value) || list.some((entry) => typeof entry !== 'number'))
    typeError(`${name} must be a list of numbers, got ${show(value)}`);
  if (list.length !== length) rangeError(`${name} must have ${length} numbers, got ${list.length}`);
  return list;
}

/**
 * @param {string} name
 * @param {any} value
 * @param {any} byDefault
 */
function readSetting(name, value, byDefault) {
  if (typeof byDefault === 'number' || numbers.includes(name)) return readNumber(name, value);
  if (typeof byDefault === 'boolean' && typeof value !== 'boolean')
    typeError(`${name} must be true or false, got ${show(value)}`);
  if (typeof byDefault === 'string' && typeof value !== 'string')
    typeError(`${name} must be a string, got ${show(value)}`);
  return value;
}

const base = { padding_side: 'right', padding_value: 0, return_attention_mask: true };

/**
 * The settings of a class with those of a file.
 * @param {Row} row
 * @param {Record<string, unknown>} config
 * @returns {{ settings: Settings, ignored: string[] }} the keys that the class does not read
 */
export function readSettings(row, config) {
  /** @type {Settings} */
  const settings = { ...base, ...row.defaults };
  const nullable = row.nullable ?? [];
  const ignored = [];
  for (const [name, value] of Object.entries(config)) {
    if (!Object.hasOwn(settings, name)) {
      if (name !== 'feature_extractor_type') ignored.push(name);
      continue;
    }
    const mayBeNull = settings[name] === null || nullable.includes(name);
    if (value === null && !mayBeNull) rangeError(`${name} must be given, got null`);
    if (value === null) settings[name] = null;
    else if (!lists.includes(name)) settings[name] = readSetting(name, value, settings[name]);
  }
  for (const name of lists) {
    const value = config[name];
    if (Object.hasOwn(settings, name) && value !== undefined && value !== null)
      settings[name] = readNumbers(name, value, settings.feature_size);
  }
  if (!['left', 'right'].includes(settings.padding_side))
    rangeError(`padding_side must be 'left' or 'right', got ${show(settings.padding_side)}`);
  return { settings, ignored };
}

/** Options that are flags. */
const flags = [
  'truncation',
  'return_attention_mask',
  'do_normalize',
  'do_normalize_per_mel_bins',
  'center',
  'is_last_audio_chunk',
  'pad_end',
  'end_on_pause',
];
/** Options that are whole numbers. */
const counts = ['max_length', 'pad_to_multiple_of', 'n_window', 'pad_length'];

/**
 * The options of a call, as Python's: null is as if omitted.
 * @param {Row} row
 * @param {object | undefined} given
 * @returns {CallOptions}
 */
export function readCall(row, given) {
  const known = [...row.options, 'sampling_rate', 'dtype'];
  if (given !== undefined && (typeof given !== 'object' || given === null))
    typeError(`options must be an object, got ${show(given)}`);
  /** @type {CallOptions} */
  const options = {};
  for (const [name, value] of Object.entries(given ?? {})) {
    if (!known.includes(name)) unknownName('option', name, known);
    if (value === undefined || value === null) continue;
    options[name] = value;
    const isFlag = flags.includes(name) && !(name === 'truncation' && row.defaults.truncation);
    if (isFlag && typeof value !== 'boolean') typeError(`${name} must be true or false, got ${show(value)}`);
    if (counts.includes(name)) readCount(name, value);
  }
  return options;
}

/**
 * @param {string} name
 * @param {unknown} value
 */
function readCount(name, value) {
  if (typeof value !== 'number') typeError(`${name} must be a number, got ${show(value)}`);
  if (!(Number.isSafeInteger(value) && value >= 1))
    rangeError(`${name} must be a whole number from 1 on, got ${show(value)}`);
}
