/** A model's configuration, whatever it is for: a parsed file, or its text. */
import { rangeError, show, typeError } from '../arguments/index.js';

/**
 * A configuration as an object.
 * @type {(config: unknown) => Record<string, unknown>}
 */
export function parseConfiguration(config) {
  let value = config;
  if (typeof config === 'string') {
    try {
      value = JSON.parse(config);
    } catch {
      rangeError(`config must be JSON, got ${show(config)}`);
    }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    typeError(`config must be an object or its JSON, got ${show(value)}`);
  return /** @type {Record<string, unknown>} */ (value);
}
