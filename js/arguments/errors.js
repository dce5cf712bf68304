/**
 * Errors: one format, `<Operator>-<since>: <argument> <rule>, got <value>`, made on the throw path alone. In what small tensors pass through, that path is
 * a function of its own: engines inline by the length of the code, and messages are most of it.
 */
import { listLength, typedArrayName } from './typed-arrays.js';

const listLimit = 8;
const textLimit = 60;

/** A hostile name may have megabytes, a bigint a million digits. @type {(text: string) => string} */
export const brief = (text) => (text.length > textLimit ? `${text.slice(0, textLimit)}…` : text);

/**
 * A caller's value as a message shows it, cut at 60 characters. Calls nothing of the caller's but array entries.
 * @param {unknown} value
 * @param {number} [depth] of lists that are shown with their entries: they may hold one another, or themselves
 * @returns {string}
 */
export function show(value, depth = 2) {
  if (typeof value === 'string') return `'${brief(value)}'`;
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return brief(String(value));
  const name = typedArrayName(value);
  const isArray = Array.isArray(value);
  const isShown = depth > 0 && (name === 'Int32Array' || name === 'BigInt64Array' || isArray);
  if (isShown) return showList(/** @type {ArrayLike<unknown>} */ (value), depth);
  return name ?? (isArray ? 'Array' : 'an object');
}

/**
 * A list as a message shows it, cut at 8 entries.
 * @param {ArrayLike<unknown>} list
 * @param {number} [depth]
 */
export function showList(list, depth = 2) {
  const given = listLength(list);
  const length = Number.isSafeInteger(given) ? /** @type {number} */ (given) : 0;
  const entries = Array.from({ length: Math.min(length, listLimit) }, (_, i) => show(list[i], depth - 1));
  return `[${entries.join(', ')}${length > listLimit ? ', …' : ''}]`;
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
