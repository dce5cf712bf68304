/** Rounding as NumPy's `rint`. */

/** A float64 of this size has no fraction bits, so that a sum with it is rounded to an integer. */
const noFraction = 1.5 * 2 ** 52;
/** Rounds to the nearest integer, ties to even. `value` is below 2^51. */
export const nearestInteger = (/** @type {number} */ value) => value + noFraction - noFraction;
