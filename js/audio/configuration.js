/** The class that a configuration names, and its settings. */
import {
  brief,
  copyLeaves,
  rangeError,
  readOptions,
  readWord,
  show,
  typeError,
  unknownName,
} from '../arguments/index.js';
import { isGiven, parseConfiguration, readFiles } from '../arguments/configurations/index.js';
import { readCount, readNumber } from './mel-filter-bank.js';
import { classOfModel } from './model-types.js';
import { rowOf } from './rows.js';
import { table } from './table.js';

/** @import { Configuration } from '../arguments/configurations/index.js' */
/** @import { CallOptions, Row, Settings } from './types.js' */

const suffix = 'FeatureExtractor';

/** Classes that have no row, and why. */
const unsupported = /** @type {Record<string, string>} */ ({
  Pop2Piano: 'needs a beat tracker, which this package lacks',
  MarkupLM: 'reads HTML and no audio',
});

const extractorNames = Object.keys(table).map((name) => name + suffix);

/** Reads a configuration as AutoFeatureExtractor does: `processor_config.json`, which holds the settings under
 * `feature_extractor`, wins over `preprocessor_config.json`. `model`: its `config.json`.
 * @type {(config: unknown) => { file: Configuration, model: Configuration }} */
export function readConfiguration(config) {
  const files = readFiles(config);
  const nested = files['processor_config.json']?.feature_extractor;
  const file = isGiven(nested) ? parseConfiguration(nested, 'feature_extractor') : files['preprocessor_config.json'];
  if (file === undefined) {
    const rule = 'config must have the file processor_config.json with feature_extractor, or preprocessor_config.json';
    rangeError(`${rule}, got ${brief(Object.keys(files).join(', '))}`);
  }
  return { file: /** @type {Configuration} */ (file), model: files['config.json'] ?? {} };
}

/** The name and the row of a class. `chosen`: the caller's choice, if any.
 * @type {(files: { file: Configuration, model: Configuration }, chosen: unknown) => { className: string, row: Row }} */
export function readClass({ file, model }, chosen) {
  const type = [chosen, file.feature_extractor_type, model.feature_extractor_type].find(isGiven);
  const given = type ?? classOfModel(model.model_type);
  if (given === undefined)
    typeError('config must have the key feature_extractor_type, or config.json a model_type, or pass className');
  if (typeof given !== 'string') typeError(`className must be a string, got ${show(given)}`);
  const full = /** @type {string} */ (given);
  const name = full.replace(/FeatureExtractor$/, '');
  const className = name + suffix;
  if (Object.hasOwn(unsupported, name)) rangeError(`${className} ${unsupported[name]}`);
  if (!extractorNames.includes(className)) unknownName('class', full, extractorNames);
  return { className, row: rowOf(table[name]) };
}

/** Settings that are 0 or more. All other numbers without a sign of their own are above 0. */
const mayBeZero =
  /^(dither|fmin|mel_floor|overlap|preemphasis|pause_|fade_|pad_end_length|min_length|n_window)|min_freq|_min$|_second/;
/** Settings that are any number. */
const signed = /^(padding_value|mean|normalize_m|target_(peak_)?dB|silence_floor|global_log)/;
/** Settings that count samples, bins or frames. */
const whole = /_size$|rate$|^n_|(?<!chunk_|frame_|audio_)length$|^num_|stride|samples|multiple_of$/;
/** Rates and hops of a file that are larger make gigabytes of padding. */
const mostCount = 2 ** 20;

/** Lists of numbers, one a mel. */
const lists = ['mel_norms', 'per_bin_mean', 'per_bin_stddev'];

/** @type {(name: string, value: unknown) => number} */
function readAmount(name, value) {
  const isZeroFine = mayBeZero.test(name);
  if (whole.test(name)) {
    const count = readCount(name, value, Number(!isZeroFine));
    return count > mostCount ? rangeError(`${name} must be at most ${mostCount}, got ${count}`) : count;
  }
  const number = readNumber(name, value);
  if (!signed.test(name) && (isZeroFine ? number < 0 : number <= 0))
    rangeError(`${name} must be ${isZeroFine ? 'at least' : 'above'} 0, got ${number}`);
  return number;
}

/** @type {(name: string, value: any, length: unknown) => number[]} A list of numbers, one a result of each frame. */
function readNumbers(name, value, length) {
  const list = Array.isArray(value) ? copyLeaves(name, value) : [value];
  if (list.some((entry) => typeof entry !== 'number'))
    typeError(`${name} must be a list of numbers, got ${show(value)}`);
  if (list.length !== length) rangeError(`${name} must have ${length} numbers, got ${list.length}`);
  return list;
}

/** A default of null stands for a number.
 * @type {(name: string, value: any, byDefault: any) => any} */
function readSetting(name, value, byDefault) {
  if (typeof byDefault === 'number' || byDefault === null) return readAmount(name, value);
  if (typeof byDefault === 'boolean') checkFlag(name, value);
  if (typeof byDefault === 'string' && typeof value !== 'string')
    typeError(`${name} must be a string, got ${show(value)}`);
  return value;
}

/** @type {(name: string, value: unknown) => void} */
function checkFlag(name, value) {
  if (typeof value !== 'boolean') typeError(`${name} must be true or false, got ${show(value)}`);
}

/** The settings of a class with those of a file, and the file's keys that the class does not read.
 * @type {(row: Row, config: Record<string, unknown>) => { settings: Settings, ignored: string[] }} */
export function readSettings({ defaults, nullable = [] }, config) {
  /** @type {Settings} */
  const settings = { ...defaults };
  const ignored = [];
  const { feature_extractor_type: _, ...given } = config;
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(settings, name)) ignored.push(name);
    else if (value === null) {
      if (defaults[name] !== null && !nullable.includes(name)) rangeError(`${name} must be given, got null`);
      settings[name] = null;
    } else if (lists.includes(name))
      settings[name] = readNumbers(name, value, given.feature_size ?? settings.feature_size);
    else settings[name] = readSetting(name, value, defaults[name]);
  }
  readWord('padding_side', ['left', 'right'], settings.padding_side);
  return { settings, ignored };
}

/** Options that are flags, and those that are whole numbers. */
const flags = /^(truncation|return_attention_mask|do_normalize.*|center|is_last_audio_chunk|pad_end|end_on_pause)$/;
const counts = /^(max_length|pad_to_multiple_of|n_window|pad_length)$/;

/** The options of a call, as Python's: null is as if omitted.
 * @type {(row: Row, given: object | undefined) => CallOptions} */
export function readCall(row, given) {
  const bag = readOptions(given, [...row.options, 'sampling_rate', 'dtype']);
  const options = Object.fromEntries(Object.entries(bag).filter(([, value]) => (value ?? undefined) !== undefined));
  for (const [name, value] of Object.entries(options)) {
    if (flags.test(name) && !(name === 'truncation' && row.defaults.truncation)) checkFlag(name, value);
    if (counts.test(name)) readCount(name, value, Number(name !== 'n_window'));
  }
  return options;
}
