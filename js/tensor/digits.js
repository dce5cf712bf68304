/** The decimal digits of floats: as few as name the number in its format. */
import { exponentOf } from './floats.js';

/** @import { DType, FloatFormat } from './types.js' */

/** Finds the decimal digits of a finite value > 0: as few as tell it from its neighbors in the format, but at least
 * down to the decimal place `least` and none beyond `maxPlaces`, where 2 stands for hundredths; its first digit has to
 * lie within `maxPlaces`. `relative`: both count places behind the first digit instead. Digits that are cut off round
 * to nearest even on the exact value. `first`: the power of ten of the first digit. (Steele and White, "How to print
 * floating-point numbers accurately", 1990, algorithm FPP with exact integers.)
 * @type {(value: number, format: FloatFormat, maxPlaces: number, least: number, relative: boolean) => { digits: string,
 *   first: number }} */
function findDigits(value, { mantissa, bias }, maxPlaces, least, relative) {
  // value = significand * 2^power. Subnormal numbers have the power of the lowest normal ones.
  const power = Math.max(exponentOf(value), 1 - bias) - mantissa;
  const significand = BigInt(value / 2 ** power);
  const isEven = significand % 2n === 0n;
  // value = rest / unit, both times 4. `above`, `below`: half the gaps to its neighbors; less below a power of two.
  let rest = (4n * significand) << BigInt(Math.max(power, 0));
  let unit = 4n << BigInt(Math.max(-power, 0));
  let above = 2n << BigInt(Math.max(power, 0));
  let below = significand === 1n << BigInt(mantissa) && power > 1 - bias - mantissa ? above / 2n : above;

  // `first` is never too low, because the logarithm is right to 1e-13, and one too high at most, just below a power of
  // ten. Then value = rest / unit * 10^first, with one digit before the point.
  let first = Math.floor(Math.log10(value) + 1e-12);
  if (first > 0) unit *= 10n ** BigInt(first);
  const scale = 10n ** BigInt(Math.max(-first, 0));
  [rest, above, below] = [rest * scale, above * scale, below * scale];
  if (rest < unit) [first, rest, above, below] = [first - 1, rest * 10n, above * 10n, below * 10n];

  const lastAllowed = (relative ? first : 0) - maxPlaces;
  const lastWanted = (relative ? first : 0) - least;
  let digits = '';
  for (let place = first; ; place--) {
    const digit = rest / unit;
    rest %= unit;
    // Whether the digits so far tell the value from its neighbors, if they are kept or if the last is raised. A number
    // halfway to a neighbor is read as the one of the two with an even significand.
    const downNames = isEven ? rest <= below : rest < below;
    const upNames = isEven ? rest + above >= unit : rest + above > unit;
    if (((downNames || upNames) && place <= lastWanted) || place === lastAllowed) {
      // Round down or up: whichever alone names the value, else to the nearest, ties to an even digit. 99 becomes 100.
      const twice = 2n * rest;
      const down = downNames !== upNames ? downNames : twice < unit || (twice === unit && digit % 2n === 0n);
      const all = String(BigInt(digits + digit) + (down ? 0n : 1n));
      return { digits: all, first: first + all.length - digits.length - 1 };
    }
    digits += digit;
    [rest, above, below] = [rest * 10n, above * 10n, below * 10n];
  }
}

/** @type {(value: number) => boolean} whether the value has a minus sign: true for -0, too */
export const isNegative = (value) => value < 0 || Object.is(value, -0);

/**
 * A finite number's digits before and after the point, without its sign and the fraction's trailing zeros.
 * @typedef {{ integerDigits: string, fraction: string, exponent: string }} Digits
 */

/** Writes a finite number in positional notation, without an exponent: by the fewest digits that name it in the float
 * type, but at least `least` (-Infinity: no bound) and at most `maxPlaces` decimal places, before trailing zeros are
 * dropped.
 * @type {(value: number, type: DType, maxPlaces: number, least: number) => Digits} */
export function positional(value, type, maxPlaces, least) {
  if (value === 0) return { integerDigits: '0', fraction: '', exponent: '' };
  const { digits, first } = findDigits(
    Math.abs(value),
    /** @type {FloatFormat} */ (type.format),
    maxPlaces,
    least,
    false,
  );
  // How many digits stand before the point; zeros fill up on both sides of it.
  const point = Math.max(first + 1, 0);
  const fraction = '0'.repeat(Math.max(-first - 1, 0)) + digits.slice(point);
  const integerDigits = digits.slice(0, point).padEnd(point, '0') || '0';
  return { integerDigits, fraction: fraction.replace(/0+$/, ''), exponent: '' };
}

/** Writes a finite number in scientific notation, as {@link positional} chooses digits, but `maxPlaces` and `least`
 * count places behind the first digit. The exponent has its sign and at least two digits.
 * @type {(value: number, type: DType, maxPlaces: number, least: number) => Digits} */
export function scientific(value, type, maxPlaces, least) {
  const { digits, first } =
    value === 0
      ? { digits: '0', first: 0 }
      : findDigits(Math.abs(value), /** @type {FloatFormat} */ (type.format), maxPlaces, least, true);
  const exponent = (first < 0 ? '-' : '+') + String(Math.abs(first)).padStart(2, '0');
  return { integerDigits: digits[0], fraction: digits.slice(1).replace(/0+$/, ''), exponent };
}
