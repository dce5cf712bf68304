/** `preprocessor_config.json`: which processor it is for, and its settings. */
import { brief, nearestRule, rangeError, show, typeError, unknownRule } from '../arguments/index.js';
import { isGiven, parseConfiguration, readFiles } from '../configurations/index.js';
import { classOfModel } from './rows/model-types.js';
import { readSetting, standardSize } from './settings.js';
import { table } from './rows/table.js';

/** @import { Configuration } from '../configurations/index.js' */
/** @import { Backend, Row, Settings } from './types.js' */

const suffix = 'ImageProcessor';
const typeKeys = ['image_processor_type', 'feature_extractor_type'];

/** @type {(row: Row, name: string) => boolean} */
const isRead = (row, name) => name === 'do_convert_rgb' || row.make.reads.includes(name);

/**
 * The classes that {@link imageProcessor} knows, by their names in transformers.
 * @type {readonly string[]}
 */
export const processorNames = Object.freeze(
  Object.keys(table)
    .map((name) => name + suffix)
    .sort(),
);

/** How messages say where all names are. */
const allNames = 'processorNames lists all';

/** Settings of Python's calls that no class here reads: of labels, of boxes, and of classes that are missing here. */
const unread = ['do_affine_transform', 'do_color_quantize', 'do_convert_annotations', 'do_reduce_labels'];

/** Settings that a call may have: those of other classes have no effect, as in Python. */
const callSettings = new Set(['do_convert_rgb', ...unread, ...Object.values(table).flatMap(({ make }) => make.reads)]);

/** @type {(name: string) => string | undefined} */
function rowName(name) {
  const base = name.replace('FeatureExtractor', suffix).replace(/(Fast|Pil)$/, '');
  const key = base.endsWith(suffix) ? base.slice(0, -suffix.length) : base;
  // transformers spells one name in two ways.
  const spelled = key === 'Ernie4_5_VL_Moe' ? 'Ernie4_5_VLMoe' : key;
  return Object.hasOwn(table, spelled) ? spelled : undefined;
}

/** @type {(name: unknown) => boolean} */
export const isProcessor = (name) => typeof name === 'string' && rowName(name) !== undefined;

/**
 * The class and the settings that AutoImageProcessor takes of some files.
 * @type {(config: unknown, type: unknown) => { name: string, source: Configuration }}
 */
export function readProcessorClass(config, type) {
  const files = readFiles(config);
  const source = settingsFile(files);
  const model = files['config.json'] ?? {};
  const [imageType, extractorType] = typeKeys.map((key) => source[key]);
  const given = [type, imageType, extractorType, model.image_processor_type].find(isGiven);
  if (given === undefined) {
    const name = classOfModel(model.model_type);
    if (name === undefined) {
      const keys = 'image_processor_type, or config.json a model_type';
      typeError(`config must have the key ${keys}: ${allNames} classes`);
    }
    return { name: knownRow(/** @type {string} */ (name)), source };
  }
  if (typeof given !== 'string') typeError(`image_processor_type must be a string, got ${show(given)}`);
  return { name: knownRow(/** @type {string} */ (given)), source };
}

/** @type {(name: string) => string} */
const knownRow = (name) => rowName(name) ?? typeError(nearestRule('type', brief(name), processorNames, allNames));

/** @type {(files: Record<string, Configuration>) => Configuration} the file that holds the settings */
function settingsFile(files) {
  const nested = files['processor_config.json']?.image_processor;
  if (isGiven(nested)) return parseConfiguration(nested, 'image_processor');
  const model = files['config.json'];
  if (model && 'architecture' in model && 'pretrained_cfg' in model)
    return { image_processor_type: 'TimmWrapperImageProcessor', ...model };
  return (
    files['preprocessor_config.json'] ??
    rangeError(
      'config must have the file processor_config.json with image_processor, or preprocessor_config.json, got ' +
        brief(Object.keys(files).join(', ')),
    )
  );
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
    if (!callSettings.has(key)) typeError(unknownRule('option', key, [...others, ...new Set(row.make.reads)]));
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
const nullable = [
  'crop_size',
  'crop_pct',
  'max_size',
  'min_size',
  'pad_size',
  'size_divisor',
  'ensure_multiple_of',
  'resize_short',
];

/** Settings that are sizes, as numbers, lists or objects. */
const sizes = ['size', 'crop_size', 'pad_size', 'high_res_size', 'codebook_size', 'codebook_crop_size'];

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
  for (const key of sizes) {
    const isCanvas = key.endsWith('crop_size') || key === 'pad_size';
    const how = isCanvas ? { isSquare: true } : { isSquare, maxSize: settings.max_size };
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
      const isNeeded = read.includes(flag) && read.includes(key) && (own[key] !== undefined || key !== 'size');
      if (settings[flag] && isNeeded && settings[key] === undefined)
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
