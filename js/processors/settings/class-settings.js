/** The settings of a processor: its class's, its file's and its call's. */
import { rangeError, show, typeError, unknownRule } from '../../arguments/index.js';
import { shownFilter } from './kinds.js';
import { readSetting, settingsOfBackend, standardSize } from './readers.js';

/** @import { Backend, Maker, Row, Settings, SizeSetting } from '../types.js' */

/** @typedef {Pick<Maker, 'row' | 'defaults'>} ClassSettings */

/** Keys that name a class. */
const typeKeys = ['image_processor_type', 'feature_extractor_type', 'video_processor_type'];

/** imageProcessor itself reads `do_convert_rgb`, for every class. @type {(row: Row, name: string) => boolean} */
const isRead = (row, name) => name === 'do_convert_rgb' || row.make.reads.includes(name);

/** The key under which settings keep errors by name: of values that were refused, but whose step may be off. */
const refusals = Symbol('refusals');

/** @typedef {Settings & { [refusals]?: Record<string, unknown> }} ReadSettings */

/** The flags of the step that alone reads a setting, in all classes whose row has no other `flags`. */
const flagsOfStep = new Map(
  Object.entries({
    do_rescale: ['rescale_factor'],
    do_normalize: ['image_mean', 'image_std', 'high_res_image_mean', 'high_res_image_std'],
    do_center_crop: ['crop_size'],
    do_resize: [
      ...['size', 'resample', 'max_size', 'min_size', 'crop_pct', 'ensure_multiple_of', 'keep_aspect_ratio'],
      ...['size_divisor', 'high_res_size', 'high_res_resample', 'patch_expand_factor', 'limit_side_len'],
    ],
    do_pad: ['pad_size', 'padding_value', 'constant_values'],
    crop_to_patches: ['min_patches', 'max_patches'],
    slice_mode: ['max_slice_nums'],
    split_image: ['split_resolutions'],
    dense_max_patches: ['dense_max_scale', 'dense_min_aspect', 'dense_max_aspect'],
  }).flatMap(([flag, keys]) => keys.map((key) => [key, [flag]])),
);

/** The flags of the steps which read a setting, as `do_resize` for `size`; only those that the class reads. FLAVA has a
 * second chain of steps, whose settings and flags begin with `codebook_`.
 * @type {(row: Row, name: string) => string[]} */
function flagsOf({ make: { reads }, flags }, name) {
  const prefix = name.startsWith('codebook_') ? 'codebook_' : '';
  const names = flags?.[name] ?? flagsOfStep.get(name.slice(prefix.length)) ?? [];
  return names.map((flag) => prefix + flag).filter((flag) => reads.includes(flag));
}

/** Reads the value of a setting into `settings`. `shown`: its name in messages. Python checks a value only when its
 * step runs: so the error of a setting whose step may be off is not thrown but kept under `refusals`, for checkSteps.
 * @type {(settings: ReadSettings, row: Row, name: string, value: unknown, shown: string) => void} */
function readInto(settings, row, name, value, shown) {
  try {
    settings[name] = readSetting(name, value, shown, row.readers);
  } catch (error) {
    const hasFlag = flagsOf(row, name).length > 0;
    if (!hasFlag) throw error;
    // Others are left out, so that the value of the file or the class stands in.
    const countsAsMissing = nullable.includes(name) || isNeeded(name);
    if (countsAsMissing) settings[name] = undefined;
    settings[refusals] = { ...settings[refusals], [name]: error };
  }
}

/** @type {(row: Row, settings: ReadSettings) => void} */
function checkSteps(row, settings) {
  for (const [name, error] of Object.entries(settings[refusals] ?? {}))
    if (flagsOf(row, name).some((flag) => settings[flag])) throw error;
}

/** Reads the keys of a file, by their present names.
 * @type {(row: Row, config: Record<string, unknown>) => { settings: Settings, ignored: string[] }} */
function readKeys(row, config) {
  /** @type {Settings} */
  const settings = {};
  const ignored = [];
  for (const [key, value] of Object.entries(config)) {
    const name = presentName(row, config, key);
    const isDefault = value === null && [key, name].some((each) => row.nullIsDefault?.includes(each));
    if (isDefault) continue;
    if (isRead(row, name)) readInto(settings, row, name, value, key);
    else if (!typeKeys.includes(key)) ignored.push(key);
  }
  return { settings, ignored };
}

/** The present name of a file's key: an older name counts where the file lacks the present one.
 * @type {(row: Row, config: Record<string, unknown>, key: string) => string} */
function presentName({ aliases }, config, key) {
  if (!aliases || !Object.hasOwn(aliases, key)) return key;
  const present = aliases[key];
  const isMissing = config[present] === undefined || config[present] === null;
  return isMissing ? present : key;
}

/** Reads the settings among a call's options. Options of other classes have no effect. `others`: options that are not
 * settings; `known`: settings of all classes
 * @type {(of: Pick<Maker, 'row' | 'ignoresUnknown'>, options: Record<string, unknown>, others: readonly string[],
 *   known: ReadonlySet<string>) => ReadSettings} */
function readOptions({ row, ignoresUnknown }, options, others, known) {
  /** @type {Settings} */
  const settings = {};
  for (const key in options) {
    if (others.includes(key) || (ignoresUnknown && !known.has(key))) continue;
    if (!known.has(key)) typeError(unknownRule('option', key, [...others, ...new Set(row.make.reads)]));
    const value = options[key];
    if (value !== undefined && isRead(row, key)) readInto(settings, row, key, value, key);
  }
  return settings;
}

/** The settings that a step needs, by its flag. */
const needs = {
  do_rescale: ['rescale_factor'],
  do_normalize: ['image_mean', 'image_std'],
  do_center_crop: ['crop_size'],
  do_resize: ['size', 'resample'],
  include_top: ['image_std'],
};

/** @type {(name: string) => boolean} */
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

const sizes = ['size', 'crop_size', 'pad_size', 'high_res_size', 'codebook_size', 'codebook_crop_size'];

/** @type {(row: Row) => Settings} */
const readDefaults = ({ defaults, readers }) =>
  Object.fromEntries(Object.keys(defaults).map((key) => [key, readSetting(key, defaults[key], key, readers)]));

/** Lays the settings of a file or a call over those of the class, turns sizes into objects, and lets the class's
 * `adjust` compute what follows from several settings.
 * @type {(of: ClassSettings, changes: Settings) => Settings} */
function mergeSettings({ row, defaults }, changes) {
  /** @type {Settings} */
  const settings = { ...defaults, ...changes };
  checkSteps(row, settings);
  const isSquare = settings.default_to_square ?? true;
  for (const key of sizes) {
    if (settings[key] === undefined) continue;
    // A number is both sides of a crop or a canvas; of another size, `default_to_square` and `max_size` say what it is.
    const isCanvas = key.endsWith('crop_size') || key === 'pad_size';
    const sizeRule = isCanvas ? { isSquare: true } : { isSquare, maxSize: settings.max_size };
    settings[key] = standardSize(settings[key], sizeRule);
  }
  return matchDefaults(defaults, row.adjust ? row.adjust(settings, changes) : settings);
}

/** Gives patch_size and max_image_size the form of the class's default: a number becomes an object where the default is
 * one, and an object is refused where the default is a number. Changes `settings` and returns it.
 * @type {(defaults: Settings, settings: Settings) => Settings} */
function matchDefaults(defaults, settings) {
  /** @type {Record<string, (value: number) => SizeSetting>} */
  const asObject = {
    patch_size: (value) => ({ height: value, width: value }),
    max_image_size: (value) => ({ longest_edge: value }),
  };
  for (const [key, objectOf] of Object.entries(asObject)) {
    const [usual, value] = [typeof defaults[key], settings[key]];
    if (usual === 'object' && typeof value === 'number') settings[key] = objectOf(value);
    if (usual === 'number' && typeof value === 'object') typeError(`${key} must be a number, got ${show(value)}`);
  }
  return settings;
}

/** Reads the settings of a class and of its file, which hold for every call.
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
 * that the file lacks may be the call's.
 * @type {(maker: ClassSettings & Pick<Maker, 'stated' | 'backend' | 'ignoresUnknown'>, options: Record<string,
 *   unknown>, others: readonly string[], known: ReadonlySet<string>) => Settings} */
export function readCallSettings(maker, options, others, known) {
  const { row, backend } = maker;
  /** @type {ReadSettings} */
  const file = maker.stated;
  const { default_to_square: isSquare, ...call } = readOptions(maker, options, others, known);
  // Python has made the file's size an object before the call, whose default_to_square counts for its own size alone.
  const squareness = call.size !== undefined && isSquare !== undefined && { default_to_square: isSquare };
  const read = Object.fromEntries(Object.entries(call).filter(([key]) => !row.fileOnly?.includes(key)));
  // The file's refusals count, but for settings of which the call has a value.
  const remaining = Object.entries(file[refusals] ?? {}).filter(([key]) => !Object.hasOwn(read, key));
  const refused = { ...Object.fromEntries(remaining), ...call[refusals] };
  const merged = mergeSettings(maker, { ...file, ...read, ...squareness, [refusals]: refused });
  const settings = replaceNulls(maker, merged);
  checkNothingMissing(maker, settings);
  return settingsOfBackend(settings, backend);
}

/** Copies settings for the caller in the form of files. @type {(settings: Settings) => Readonly<Settings>} */
export const shownSettings = (settings) =>
  Object.freeze(
    Object.fromEntries(
      Object.entries(settings).map(([key, value]) => [
        key,
        key.endsWith('resample') ? shownFilter(value) : structuredClone(value ?? null),
      ]),
    ),
  );

/** Replaces settings that are null (here: undefined) by what they mean to the class with this backend.
 * @type {(of: { row: Row, backend: Backend }, settings: Settings) => Settings} */
function replaceNulls({ row: { nulls }, backend }, settings) {
  const missing = Object.entries({ ...nulls?.both, ...nulls?.[backend] }).filter(
    ([key]) => settings[key] === undefined,
  );
  return { ...settings, ...Object.fromEntries(missing) };
}

/** @type {(of: ClassSettings, settings: Settings) => void} */
function checkNothingMissing({ row, defaults }, settings) {
  checkNeeds(row, defaults, settings);
  // A setting with a reader of the class's own may be null, unless its default is a list.
  const ownKeys = Object.keys(row.readers ?? {}).filter((key) => !Array.isArray(defaults[key]));
  const mayBeNull = [...nullable, ...Object.values(needs).flat(), ...ownKeys];
  for (const key of Object.keys(defaults)) {
    const isMissing = defaults[key] !== undefined && settings[key] === undefined;
    if (isMissing && !mayBeNull.includes(key) && !isStepOff(row, settings, key))
      rangeError(`${key} must be given, got null`);
  }
}

/** @type {(row: Row, defaults: Settings, settings: Settings) => void} */
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

/** Whether all flags of the steps that read a setting are off. FLAVA's second chain has a flag of its own.
 * @type {(row: Row, settings: Settings, key: string) => boolean} */
function isStepOff(row, settings, key) {
  if (key.startsWith('codebook_') && !settings.return_codebook_pixels) return true;
  const flags = flagsOf(row, key);
  return flags.length > 0 && flags.every((flag) => !settings[flag]);
}

/** The options of a method that counts patches, which some classes of Python read differently there than in a call. A
 * value that is not an object is returned as it is, and refused where it is read.
 * @type {(row: Pick<Row, 'patchOptions'>, options: Settings | undefined, file: Settings) => Settings | undefined} */
export function countOptions(row, options, file) {
  const isObject = typeof options === 'object' && options !== null;
  return isObject && row.patchOptions ? row.patchOptions(options, file) : options;
}
