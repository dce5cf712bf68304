/** Numbers as text. No DOM. */

const digits = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/**
 * A number with three digits.
 * @param {number} value
 */
export const short = (value) => digits.format(value);

const units = ['B', 'kB', 'MB', 'GB'];

/** A number of bytes, in the unit that suits it. */
export function showBytes(bytes) {
  const unit = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${short(bytes / 1000 ** unit)} ${units[unit]}`;
}
