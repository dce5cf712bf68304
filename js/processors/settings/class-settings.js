/** The settings of a processor: its class's, its file's and its call's. */
import { rangeError, show, typeError, unknownRule } from '../../arguments/index.js';
import { shownFilter } from './kinds.js';
import { readSetting, settingsOfBackend, standardSize } from './readers.js';
import { flagsOf, isStepOff } from './step-flags.js';

/** @import { Backend, Maker, Row, Settings, SizeSetting } from '../types.js' */

/** @typedef {Pick<Maker, 'row' | 'defaults'>} ClassSettings */

/** Keys that name a class. */
const typeKeys = ['image_processor_type', 'feature_extractor_type', 'video_processor_type'];

/** Whether a class reads a setting: `do_convert_rgb` is read for every class. `row`: the class's entry in the table
 * @type {(row: Row, name: string) => boolean} */
const isRead = (row, name) => name === 'do_convert_rgb' || row.make.reads.includes(name);

/** The key under which settings keep the errors of invalid values, by setting, whose step may be off. */
const deferredErrors = Symbol('deferredErrors');

/** @typedef {Settings & { [deferredErrors]?: Record<string, unknown> }} ReadSettings */

/** Reads the value of a setting into `settings`. Python checks a value only when its step runs, so the error of a
 * setting whose step may be off is kept in `settings` and thrown once the step is known to be on. `shown`: the
 * setting's name in messages
 * @type {(settings: ReadSettings, row: Row, name: string, value: unknown, shown: string) => void} */
function readSettingInto(settings, row, name, value, shown) {
  try {
    settings[name] = readSetting(name, value, shown, row.readers);
  } catch (error) {
    const mayBeOff = flagsOf(row, name).length > 0;
    if (!mayBeOff) throw error;
    // A setting that may be missing counts as null; for others the value of the file or the class stands in.
    const mayBeMissing = nullable.includes(name) || isNeeded(name);
    if (mayBeMissing) settings[name] = undefined;
    settings[deferredErrors] = { ...settings[deferredErrors], [name]: error };
  }
}

/** Throws the error of an invalid value if one of the steps that read the setting is on.
 * @type {(row: Row, settings: ReadSettings) => void} */
function throwDeferredErrors(row, settings) {
  for (const [name, error] of Object.entries(settings[deferredErrors] ?? {}))
    if (flagsOf(row, name).some((flag) => settings[flag])) throw error;
}

/** Reads the settings of a file by their present names, and lists the keys that the class does not read (`ignored`). A
 * key that is null is left out where the class takes its default then, and so are keys that name a class.
 * @type {(row: Row, config: Record<string, unknown>) => { settings: Settings, ignored: string[] }} */
function readKeys(row, config) {
  /** @type {Settings} */
  const settings = {};
  const ignored = [];
  for (const [key, value] of Object.entries(config)) {
    const name = presentName(row, config, key);
    const isDefault = value === null && [key, name].some((each) => row.nullIsDefault?.includes(each));
    if (isDefault) continue;
    if (isRead(row, name)) readSettingInto(settings, row, name, value, key);
    else if (!typeKeys.includes(key)) ignored.push(key);
  }
  return { settings, ignored };
}

/** The present name of a file's key, which may be an older name of a setting. An older name beside a present one that
 * is not null stays as it is: the class does not read it, so the present one wins.
 * @type {(row: Row, config: Record<string, unknown>, key: string) => string} */
function presentName({ aliases }, config, key) {
  if (!aliases || !Object.hasOwn(aliases, key)) return key;
  const present = aliases[key];
  const isMissing = config[present] === undefined || config[present] === null;
  return isMissing ? present : key;
}

/** Reads the settings among a call's options, and refuses options of no class unless `ignoresUnknown`. `others`: names
 * of options that are not settings; `known`: settings of all classes, of which those of other classes have no effect
 * @type {(of: Pick<Maker, 'row' | 'ignoresUnknown'>, options: Record<string, unknown>, others: readonly string[],
 *   known: ReadonlySet<string>) => ReadSettings} */
function readOptions({ row, ignoresUnknown }, options, others, known) {
  /** @type {Settings} */
  const settings = {};
  for (const key in options) {
    if (others.includes(key)) continue;
    if (!known.has(key)) {
      if (ignoresUnknown) continue;
      typeError(unknownRule('option', key, [...others, ...new Set(row.make.reads)]));
    }
    const value = options[key];
    if (value !== undefined && isRead(row, key)) readSettingInto(settings, row, key, value, key);
  }
  return settings;
}

/** The settings without which a step cannot run, by its flag. */
const needs = {
  do_rescale: ['rescale_factor'],
  do_normalize: ['image_mean', 'image_std'],
  do_center_crop: ['crop_size'],
  do_resize: ['size', 'resample'],
  include_top: ['image_std'],
};

/** Whether a step needs a setting. @type {(name: string) => boolean} */
const isNeeded = (name) => Object.values(needs).flat().includes(name);

/** Settings that may be null although their class has a default. */
const nullable = [
  'crop_size',
  'crop_pct',
  'max_side_limit',
  'max_size',
  'min_patches',
  'min_size',
  'pad_size',
  'size_divisor',
  'ensure_multiple_of',
  'resize_short',
];

/** The settings that are sizes: a number, [height, width] or an object. */
const sizeSettings = ['size', 'crop_size', 'pad_size', 'high_res_size', 'codebook_size', 'codebook_crop_size'];

/** Reads the class's own settings. @type {(row: Row) => Settings} */
const readDefaults = ({ defaults, readers }) =>
  Object.fromEntries(Object.keys(defaults).map((key) => [key, readSetting(key, defaults[key], key, readers)]));

/** Lays the settings of a file or a call over those of the class. Throws the errors of invalid values whose step is on,
 * turns sizes into objects, has the class's `adjust` compute what follows from several settings, and at last gives
 * patch_size and max_image_size the types of their defaults.
 * @type {(of: ClassSettings, changes: Settings) => Settings} */
function mergeSettings({ row, defaults }, changes) {
  /** @type {Settings} */
  const settings = { ...defaults, ...changes };
  throwDeferredErrors(row, settings);
  const isSquare = settings.default_to_square ?? true;
  for (const key of sizeSettings) {
    if (settings[key] === undefined) continue;
    // As in transformers, `default_to_square` and `max_size` do not apply to the sizes of crops and padded images.
    const isAlwaysSquare = key.endsWith('crop_size') || key === 'pad_size';
    const numberRule = isAlwaysSquare ? { isSquare: true } : { isSquare, maxSize: settings.max_size };
    settings[key] = standardSize(settings[key], numberRule);
  }
  const adjusted = row.adjust ? row.adjust(settings, changes) : settings;
  return matchDefaults(defaults, adjusted);
}

/** Settings that are a number in some classes and an object in others, and the object that a number stands for.
 * @type {Record<string, (value: number) => SizeSetting>} */
const objectsOfNumbers = {
  patch_size: (value) => standardSize(value, { isSquare: true }),
  max_image_size: (value) => ({ longest_edge: value }),
};

/** Gives patch_size and max_image_size the type of the class's default: a number becomes an object where the default is
 * one, and an object is refused where the default is a number. Changes `settings` and returns it.
 * @type {(defaults: Settings, settings: Settings) => Settings} */
function matchDefaults(defaults, settings) {
  for (const [key, objectOf] of Object.entries(objectsOfNumbers)) {
    const value = settings[key];
    const usualType = typeof defaults[key];
    if (usualType === 'object' && typeof value === 'number') settings[key] = objectOf(value);
    if (usualType === 'number' && typeof value === 'object') typeError(`${key} must be a number, got ${show(value)}`);
  }
  return settings;
}

/** Reads the settings that hold for every call: `defaults` are the class's, `file` the file's laid over them, `stated`
 * those over which a call's are laid, and `ignored` the keys that the class does not read.
 * @type {(row: Row, config: Record<string, unknown>) => Pick<Maker, 'defaults' | 'stated' | 'file' | 'ignored'>} */
export function readFileSettings(row, config) {
  const defaults = readDefaults(row);
  const { settings, ignored } = readKeys(row, config);
  const fileSettings = row.ofFile ? row.ofFile(settings) : settings;
  const file = mergeSettings({ row, defaults }, fileSettings);
  // Where `adjust` is final for a file, a call is laid over its result, else over the keys of the file alone.
  return { defaults, stated: row.isFinal ? file : fileSettings, file, ignored: Object.freeze(ignored) };
}

/** Reads the settings of a call, laid over those of the file, and refuses missing ones: not before, because a setting
 * that the file lacks may be the call's. `others`: options that are not settings; `known`: settings of all classes
 * @type {(maker: ClassSettings & Pick<Maker, 'stated' | 'backend' | 'ignoresUnknown'>, options: Record<string,
 *   unknown>, others: readonly string[], known: ReadonlySet<string>) => Settings} */
export function readCallSettings(maker, options, others, known) {
  const { row, backend, stated: fileSettings } = maker;
  const allCallSettings = readOptions(maker, options, others, known);
  const callSettings = effectiveSettings(row, allCallSettings);
  const errors = { ...deferredErrorsWithout(fileSettings, callSettings), ...allCallSettings[deferredErrors] };
  const merged = mergeSettings(maker, { ...fileSettings, ...callSettings, [deferredErrors]: errors });
  const settings = replaceNulls(maker, merged);
  checkNothingMissing(maker, settings);
  return settingsOfBackend(settings, backend);
}

/** The settings of a call that have an effect. Those in `fileOnly` have one in files alone, and `default_to_square`
 * only on a `size` of the call itself: Python has made the file's size an object before.
 * @type {(row: Row, call: ReadSettings) => Settings} */
function effectiveSettings({ fileOnly = [] }, call) {
  const entries = Object.entries(call).filter(([key]) => {
    if (key === 'default_to_square') return call.size !== undefined;
    return !fileOnly.includes(key);
  });
  return Object.fromEntries(entries);
}

/** The errors of a file's settings, except of those that the call replaces.
 * @type {(file: ReadSettings, call: Settings) => Record<string, unknown>} */
function deferredErrorsWithout(file, call) {
  const errors = Object.entries(file[deferredErrors] ?? {});
  return Object.fromEntries(errors.filter(([key]) => !Object.hasOwn(call, key)));
}

/** Copies settings for the processor's property `settings`, with values as files have them.
 * @type {(settings: Settings) => Readonly<Settings>} */
export function shownSettings(settings) {
  /** A value as a file has it: a filter's code or name, null for none. @type {(key: string, value: any) => unknown} */
  const shownValue = (key, value) => (key.endsWith('resample') ? shownFilter(value) : structuredClone(value ?? null));
  const entries = Object.entries(settings).map(([key, value]) => [key, shownValue(key, value)]);
  return Object.freeze(Object.fromEntries(entries));
}

/** Replaces settings that are null (here: undefined) by the values with which Python computes then, which the class
 * lists in `nulls` for both backends or for one.
 * @type {(of: { row: Row, backend: Backend }, settings: Settings) => Settings} */
function replaceNulls({ row: { nulls }, backend }, settings) {
  const meanings = { ...nulls?.both, ...nulls?.[backend] };
  const missing = Object.entries(meanings).filter(([key]) => settings[key] === undefined);
  return { ...settings, ...Object.fromEntries(missing) };
}

/** Refuses settings that are null although a step that is on needs them, or although the class has a default of them
 * and no step that is off is the only one to read them.
 * @type {(of: ClassSettings, settings: Settings) => void} */
function checkNothingMissing({ row, defaults }, settings) {
  checkNeeds(row, defaults, settings);
  // A setting with a reader of the class's own may be null, unless its default is a list.
  const classKeys = Object.keys(row.readers ?? {}).filter((key) => !Array.isArray(defaults[key]));
  const checkedKeys = Object.values(needs).flat();
  const mayBeNull = [...nullable, ...checkedKeys, ...classKeys];
  for (const key of Object.keys(defaults)) {
    const isMissing = defaults[key] !== undefined && settings[key] === undefined;
    if (!isMissing || mayBeNull.includes(key)) continue;
    if (!isStepOff(row, settings, key)) rangeError(`${key} must be given, got null`);
  }
}

/** Refuses settings that are null although a step that is on needs them.
 * @type {(row: Row, defaults: Settings, settings: Settings) => void} */
function checkNeeds({ make: { reads } }, defaults, settings) {
  for (const [flag, keys] of Object.entries(needs)) {
    if (!settings[flag] || !reads.includes(flag)) continue;
    for (const key of keys) {
      // A class without a default of `size` can resize by other settings.
      const isNeededHere = reads.includes(key) && (key !== 'size' || defaults.size !== undefined);
      if (isNeededHere && settings[key] === undefined) rangeError(`${key} must be given where ${flag} is on, got null`);
    }
  }
}

/** Turns the options of a method that counts patches, which some classes of Python read differently, into those of a
 * call. A value that is not an object is returned as it is, and refused where it is read.
 * @type {(row: Pick<Row, 'patchOptions'>, options: Settings | undefined, file: Settings) => Settings | undefined} */
export function callOptionsOfCount(row, options, file) {
  const isObject = typeof options === 'object' && options !== null;
  return isObject && row.patchOptions ? row.patchOptions(options, file) : options;
}
