/** Options of the command line, and how their text becomes numbers. */

/** @typedef {Record<string, { type: 'string' | 'boolean' }>} Options */
/** @typedef {{ [text: string]: any, type?: string, tensor?: string, json?: boolean }} Values */

/** The caller's mistake, as opposed to the file's. */
export class UsageError extends Error {}

export const text = /** @type {const} */ ({ type: 'string' });
export const flag = /** @type {const} */ ({ type: 'boolean' });

/**
 * Reads a list of whole numbers.
 * @param {string} name
 * @param {string | undefined} given
 * @returns {number[] | undefined}
 */
export function list(name, given) {
  if (given === undefined) return undefined;
  const entries = given === '' ? [] : given.split(',');
  if (!entries.every((entry) => /^-?\d{1,15}$/.test(entry)))
    throw new UsageError(`--${name} must be whole numbers with commas between, got ${given}`);
  return entries.map(Number);
}

/**
 * Reads a whole number.
 * @param {string} name
 * @param {string | undefined} given
 * @returns {number | undefined}
 */
export function whole(name, given) {
  const numbers = list(name, given);
  if (numbers && numbers.length !== 1) throw new UsageError(`--${name} must be a whole number, got ${given}`);
  return numbers?.[0];
}
