/** Rounding to decimals as Python's `round(x, digits)` does it. */

/** `toFixed` takes no more digits. */
export const maxDigits = 100;
/** A float64 number that is a tie has nothing but zeros behind so many dropped digits. */
const tellingDigits = 40;

/** Rounds a number to decimals: its exact value to the nearest, a tie to the even digit. `toFixed` rounds a tie away
 * from 0.
 * @type {(value: number, digits: number) => number} */
export function roundDecimals(value, digits) {
  if (value < 0) return -roundDecimals(-value, digits);
  const nearest = value.toFixed(digits);
  const exactDigits = Math.min(maxDigits, digits + tellingDigits);
  const exact = value.toFixed(exactDigits);
  const droppedDigits = exact.slice(exact.length - (exactDigits - digits));
  const isTie = /^50*$/.test(droppedDigits);
  const isOdd = Number(nearest.at(-1)) % 2 === 1;
  const isTieMadeOdd = isTie && isOdd;
  if (!isTieMadeOdd) return Number(nearest);
  const evenBelow = Number(nearest) - 10 ** -digits;
  return Number(evenBelow.toFixed(digits));
}

/** Rounds a number to decimals as `np.round` does: by a product, a rounding to the even integer and a quotient, each of
 * which rounds to float64. Its ties are those of the product.
 * @type {(value: number, digits: number) => number} */
export function roundByProduct(value, digits) {
  const scale = 10 ** digits;
  return roundDecimals(value * scale, 0) / scale;
}
