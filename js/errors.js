/** Errors: one format, `<Operator>-<since>: <argument> <rule>, got <value>`, made on the throw path alone. */
import { typedArrayName } from './views.js';

const listLimit = 8;

/**
 * A caller's value as a message shows it. Calls nothing of the caller's but array entries.
 * @param {unknown} value
 * @returns {string}
 */
export function show(value) {
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  const name = typedArrayName(value);
  if (name === 'Int32Array' || name === 'BigInt64Array' || Array.isArray(value)) return showList(/** @type {ArrayLike<unknown>} */ (value));
  return name ?? 'an object';
}

/**
 * A list as a message shows it, cut at 8 entries.
 * @param {ArrayLike<unknown>} list
 */
export function showList(list) {
  const entries = Array.from({ length: Math.min(list.length, listLimit) }, (_, i) => show(list[i]));
  return `[${entries.join(', ')}${list.length > listLimit ? ', …' : ''}]`;
}

/**
 * A value as a message shows it where its class is what is wrong.
 * @param {unknown} value
 */
export function showClass(value) {
  if (Array.isArray(value)) return 'Array';
  if (ArrayBuffer.isView(value)) return typedArrayName(value) ?? 'DataView';
  return show(value);
}

/**
 * The value has the wrong kind.
 * @param {string} prefix the operator and its version, as far as known
 * @param {string} rule
 * @returns {never}
 */
export function wrongKind(prefix, rule) {
  throw new TypeError(`${prefix}: ${rule}`);
}

/**
 * The kind is right, the value is not.
 * @param {string} prefix the operator and its version, as far as known
 * @param {string} rule
 * @returns {never}
 */
export function wrongValue(prefix, rule) {
  throw new RangeError(`${prefix}: ${rule}`);
}
