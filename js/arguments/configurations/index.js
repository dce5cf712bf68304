/** A model's configuration, whatever it is for: a parsed file, its text, or files by name. */
import { rangeError, show, typeError } from '../errors.js';
import { describeBytes } from '../file-kinds.js';
import { parseJson } from './parse-json.js';

export { classesByType } from './class-types.js';
export { imageClassesByType } from './image-types.js';
export { readConfiguration, readTexts } from './read-configuration.js';

/** @typedef {Record<string, unknown>} Configuration */

/** Reads a configuration: an object, which is returned as it is, or its JSON. A text that is no JSON is often the
 * content of another file, such as a Git LFS pointer or a web page, so the message names its kind.
 * @type {(config: unknown, name?: string) => Configuration} */
export function parseConfiguration(config, name = 'config') {
  let value = config;
  if (typeof config === 'string') {
    try {
      value = parseJson(config);
    } catch {
      rangeError(`${name} must be JSON, got ${describeBytes(config) ?? show(config)}`);
    }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value))
    typeError(`${name} must be an object or its JSON, got ${show(value)}`);
  return /** @type {Configuration} */ (value);
}

/** The keys under which `processor_config.json` holds the settings of its parts. */
const sections = ['image_processor', 'video_processor', 'feature_extractor'];

/** Reads a configuration as files by their names. It is an object whose keys all end in `.json`, with parsed files or
 * their texts; or a single file, parsed or its text, which gets the name that its keys suggest, and without any of
 * these keys the name preprocessor_config.json.
 * @type {(config: unknown) => Record<string, Configuration>} */
export function readFiles(config) {
  const value = parseConfiguration(config);
  const names = Object.keys(value);
  if (names.length > 0 && names.every((name) => name.endsWith('.json')))
    return Object.fromEntries(names.map((name) => [name, parseConfiguration(value[name], name)]));
  if (sections.some((part) => isGiven(value[part]))) return { 'processor_config.json': value };
  // timm's models have their settings in config.json.
  if ('architecture' in value && 'pretrained_cfg' in value) return { 'config.json': value };
  return { 'preprocessor_config.json': value };
}

/** @type {(value: unknown) => boolean} */
export const isGiven = (value) => value !== undefined && value !== null;
