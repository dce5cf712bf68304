/** `preprocessor_config.json`: which processor it is for, and its settings. */
import { brief, rangeError, show, typeError, unknownRule } from '../arguments/index.js';
import { isSetting, readSetting, standardSize } from './settings.js';
import { table } from './table.js';

/** @import { Backend, Row, Settings } from './types.js' */

const suffix = 'ImageProcessor';
const typeKeys = ['image_processor_type', 'feature_extractor_type'];

/** @type {(row: Row, name: string) => boolean} */
const isRead = (row, name) => name === 'do_convert_rgb' || row.make.reads.includes(name);

/** The processors' names. */
export const processorNames = Object.keys(table).map((name) => name + suffix);

/** @type {(name: string) => string | undefined} */
function rowName(name) {
  const base = name.replace('FeatureExtractor', suffix).replace(/(Fast|Pil)$/, '');
  const key = base.endsWith(suffix) ? base.slice(0, -suffix.length) : base;
  return Object.hasOwn(table, key) ? key : undefined;
}

/** @type {(name: unknown) => boolean} */
export const isProcessor = (name) => typeof name === 'string' && rowName(name) !== undefined;

/** @type {(config: Record<string, unknown>, type: unknown) => string} */
export function readProcessorType(config, type) {
  const given = [type, ...typeKeys.map((key) => config[key])].find((name) => name !== undefined && name !== null);
  const known = processorNames.join(', ');
  if (given === undefined) typeError(`config must have the key image_processor_type. Known: ${known}`);
  if (typeof given !== 'string') typeError(`image_processor_type must be a string, got ${show(given)}`);
  const name = /** @type {string} */ (given);
  return rowName(name) ?? typeError(unknownRule('type', brief(name), processorNames, Infinity));
}

/** @type {(row: Row, config: Record<string, unknown>) => { settings: Settings, ignored: string[] }} */
export function readSettings(row, config) {
  /** @type {Settings} */
  const settings = {};
  const ignored = [];
  const keys = Object.keys(config);
  for (const key of keys) {
    const alias = row.aliases && Object.hasOwn(row.aliases, key) ? row.aliases[key] : undefined;
    const name = alias !== undefined && !keys.includes(alias) ? alias : key;
    if (isRead(row, name)) settings[name] = readSetting(name, config[key], key);
    else if (!typeKeys.includes(key)) ignored.push(key);
  }
  return { settings, ignored };
}

/** @type {(row: Row, options: Record<string, unknown>, others: readonly string[]) => Settings} */
export function readCallSettings(row, options, others) {
  /** @type {Settings} */
  const settings = {};
  for (const key in options) {
    if (others.includes(key)) continue;
    if (!isSetting(key)) typeError(unknownRule('option', key, [...others, ...new Set(row.make.reads)]));
    const value = options[key];
    if (value !== undefined && isRead(row, key)) settings[key] = readSetting(key, value);
  }
  return settings;
}

/** Settings that a flag needs beside it. */
const needs = {
  do_rescale: ['rescale_factor'],
  do_normalize: ['image_mean', 'image_std'],
  do_center_crop: ['crop_size'],
  do_resize: ['size', 'resample'],
};

/** Settings that may be null although their class has a default. */
const nullable = ['crop_size', 'crop_pct', 'max_size', 'min_size', 'pad_size', 'size_divisor', 'ensure_multiple_of'];

/**
 * The class's settings, then the file's, then the call's, with sizes as objects.
 * @type {(row: Row, backend: Backend, given: Settings) => Settings}
 */
export function wholeSettings(row, backend, given) {
  const read = row.make.reads;
  const { defaults } = row;
  const own = Object.fromEntries(Object.keys(defaults).map((key) => [key, readSetting(key, defaults[key])]));
  /** @type {Settings} */
  let settings = { ...own, ...given };
  const isSquare = settings.default_to_square ?? true;
  for (const key of ['size', 'crop_size', 'pad_size']) {
    const how = key === 'size' ? { isSquare, maxSize: settings.max_size } : { isSquare: true };
    if (settings[key] !== undefined) settings[key] = standardSize(settings[key], how);
  }
  settings = row.adjust ? row.adjust(settings, given) : settings;
  for (const key of ['patch_size', 'max_image_size']) {
    if (typeof own[key] === 'object' && typeof settings[key] === 'number')
      settings[key] =
        key === 'patch_size' ? standardSize(settings[key], { isSquare: true }) : { longest_edge: settings[key] };
    if (typeof own[key] === 'number' && typeof settings[key] === 'object')
      typeError(`${key} must be a number, got ${show(settings[key])}`);
  }
  for (const [flag, keys] of Object.entries(needs))
    for (const key of keys) {
      if (settings[flag] && read.includes(flag) && read.includes(key) && settings[key] === undefined)
        rangeError(`${key} must be given where ${flag} is on, got null`);
    }
  const conditional = [...nullable, ...Object.values(needs).flat()];
  for (const key of Object.keys(own))
    if (own[key] !== undefined && settings[key] === undefined && !conditional.includes(key))
      rangeError(`${key} must be given, got null`);
  if (backend === 'torchvision' && ['box', 'hamming'].includes(settings.resample))
    rangeError(`resample of backend 'torchvision' must be 0 to 3, got ${settings.resample === 'box' ? 4 : 5}`);
  return settings;
}
