/** The class that a configuration names, and its settings. */
import { brief, rangeError, readOptions, readText, readWord, typeError, unknownName } from '../arguments/index.js';
import { isGiven, parseConfiguration, readFiles } from '../arguments/configurations/index.js';
import { classOfModel } from './model-types.js';
import { rowOf } from './rows.js';
import { settingReaders } from './settings.js';
import { table } from './table.js';

/** @import { Row as OptionRow } from '../arguments/index.js' */
/** @import { Configuration } from '../arguments/configurations/index.js' */
/** @import { CallOptions, HeldError, Row, Settings } from './types.js' */

const suffix = 'FeatureExtractor';

/** Classes that have no row, and why. */
const unsupported = /** @type {Record<string, string>} */ ({
  Pop2Piano: 'needs a beat tracker, which this package lacks',
  MarkupLM: 'reads HTML and no audio',
});

const extractorNames = Object.keys(table).map((name) => name + suffix);

/** Reads a configuration as AutoFeatureExtractor does: `processor_config.json`, which holds the settings under
 * `feature_extractor`, wins over `preprocessor_config.json`. A configuration that is a single file counts as one of the
 * two, by its keys. `model` is its `config.json`, {} without one.
 * @type {(config: unknown) => { file: Configuration, model: Configuration }} */
export function readExtractorFiles(config) {
  const files = readFiles(config);
  const nested = files['processor_config.json']?.feature_extractor;
  const file = isGiven(nested) ? parseConfiguration(nested, 'feature_extractor') : files['preprocessor_config.json'];
  if (file === undefined) {
    const rule = 'config must have the file processor_config.json with feature_extractor, or preprocessor_config.json';
    rangeError(`${rule}, got ${brief(Object.keys(files).join(', '))}`);
  }
  return { file: /** @type {Configuration} */ (file), model: files['config.json'] ?? {} };
}

/** Chooses the class: the caller's choice (`chosen`), else the one that `file` or `model` names, else the one of the
 * model's type. A name may lack the suffix FeatureExtractor. Gives the name with it, and the row of the table.
 * @type {(files: { file: Configuration, model: Configuration }, chosen: unknown) => { className: string, row: Row }} */
export function readClass({ file, model }, chosen) {
  const type = [chosen, file.feature_extractor_type, model.feature_extractor_type].find(isGiven);
  const stated = type ?? classOfModel(model.model_type);
  if (stated === undefined)
    typeError('config must have the key feature_extractor_type, or config.json a model_type, or pass className');
  const full = readText('className', stated);
  const name = full.replace(/FeatureExtractor$/, '');
  const className = name + suffix;
  if (Object.hasOwn(unsupported, name)) rangeError(`${className} ${unsupported[name]}`);
  if (!extractorNames.includes(className)) unknownName('class', full, extractorNames);
  return { className, row: rowOf(table[name]) };
}

/** By the name of a setting that only one optional step of an extractor reads: the setting or option that switches the
 * step on. */
const switchOfSetting = new Map(
  Object.entries({
    do_normalize: ['mean', 'std', 'normalize_min', 'normalize_max'],
    do_ceptral_normalize: ['normalize_means', 'normalize_vars'],
    normalize_audio: ['target_dB_FS', 'eps', 'target_peak_dB_FS'],
    end_on_pause: ['pause_duration', 'fade_out_duration', 'silence_floor_db', 'analysis_frame_duration'],
    chunk_length_s: ['overlap'],
    preemphasis: ['preemphasis_htk_flavor'],
  }).flatMap(([switchName, settingNames]) => settingNames.map((name) => [name, switchName])),
);

/** Throws the error of an invalid setting if the call uses that setting: the step that reads it, such as
 * `normalize_audio`, is on by the option of the call or, without the option, by the file.
 * @type {(heldErrors: readonly HeldError[], settings: Settings, options: CallOptions) => void} */
export function throwHeldErrors(heldErrors, settings, options) {
  for (const { switchedBy, error } of heldErrors) {
    const isOn = /** @type {Settings} */ (options)[switchedBy] ?? settings[switchedBy];
    if (isOn) throw error;
  }
}

/** Reads the value of one setting. null is allowed where the default is null or `nullable` names the setting. `length`:
 * `feature_size`, the length of lists with one number for each feature.
 * @type {(row: Row, name: string, value: unknown, length: unknown) => unknown} */
function readSetting({ defaults, nullable = [] }, name, value, length) {
  if (value !== null) return settingReaders[name](name, value, length);
  if (defaults[name] !== null && !nullable.includes(name)) rangeError(`${name} must be given, got null`);
  return null;
}

/** Reads the settings of a file over the defaults of its class. `ignored`: the file's keys that the class does not
 * read. `heldErrors`: errors of settings that only an optional step reads. They are thrown here if the file switches
 * the step on, and otherwise by the call that does, because Python checks these settings only when it takes the step.
 * @type {(row: Row, config: Record<string, unknown>) =>
 *   { settings: Settings, ignored: string[], heldErrors: HeldError[] }} */
export function readSettings(row, config) {
  /** @type {Settings} */
  const settings = { ...row.defaults };
  const ignored = [];
  /** @type {HeldError[]} */
  const heldErrors = [];
  const { feature_extractor_type: _, ...entries } = config;
  for (const [name, value] of Object.entries(entries)) {
    if (!Object.hasOwn(settings, name)) {
      ignored.push(name);
      continue;
    }
    try {
      // The file may state `feature_size` behind a list of that length, so the settings may not have it yet.
      settings[name] = readSetting(row, name, value, entries.feature_size ?? settings.feature_size);
    } catch (error) {
      const switchedBy = switchOfSetting.get(name);
      if (switchedBy === undefined) throw error;
      heldErrors.push({ switchedBy, error });
    }
  }
  const noOptions = {};
  throwHeldErrors(heldErrors, settings, noOptions);
  readWord('padding_side', ['left', 'right'], settings.padding_side);
  return { settings, ignored, heldErrors };
}

/** @type {(options: Record<string, unknown> | undefined, names: readonly string[]) => object} */
function pickOptions(options, names) {
  const present = names.filter((name) => options?.[name] !== undefined);
  return Object.fromEntries(present.map((name) => [name, options?.[name]]));
}

/** Reads the options of a call. null is as if omitted, as in Python. `ignoresUnknown`: options that the class lacks are
 * dropped instead of refused.
 * @type {(row: Row, callerOptions: object | undefined, ignoresUnknown: boolean) => CallOptions} */
export function readCall(row, callerOptions, ignoresUnknown) {
  const names = [...Object.keys(row.options), 'sampling_rate', 'dtype'];
  const present = ignoresUnknown
    ? pickOptions(/** @type {Record<string, unknown> | undefined} */ (callerOptions), names)
    : readOptions(callerOptions, names);
  const isStated = (/** @type {unknown} */ value) => value !== undefined && value !== null;
  const options = Object.fromEntries(Object.entries(present).filter(([, value]) => isStated(value)));
  const readers = /** @type {Record<string, OptionRow | undefined>} */ (row.options);
  // Readers only check here: options stay as the caller wrote them.
  for (const [name, value] of Object.entries(options)) readers[name]?.(name, value);
  return options;
}
