/** An image's size in pixels. */
import { readWhole, show, wrongValue } from '../arguments/index.js';

/** @typedef {{ width: number, height: number }} Size */

/**
 * Reads one extent that a caller states.
 * @param {string} prefix
 * @param {string} argument
 * @param {unknown} value
 * @returns {number} at least 1
 */
export function readExtent(prefix, argument, value) {
  const extent = readWhole(prefix, argument, value);
  if (!(extent >= 1 && Number.isSafeInteger(extent)))
    wrongValue(prefix, `${argument} must be at least 1, got ${show(value)}`);
  return /** @type {number} */ (extent);
}
