/** The decimal digits of floats: as few as name the number in its format. */
import { exponentOf } from './floats.js';

/** @import { DType, FloatFormat } from './types.js' */

/** Writes a finite value > 0 as the exact fraction rest / unit. `above / unit` and `below / unit` are half the gaps to
 * its neighbors in the format, of which the lower one is nearer below a power of two.
 * @type {(value: number, format: FloatFormat) => { rest: bigint, unit: bigint, above: bigint, below: bigint, isEven:
 *   boolean }} `isEven`: whether the significand is */
function fractionOf(value, { mantissa, bias }) {
  // value = significand * 2^power. Subnormal numbers have the power of the lowest normal ones.
  const lowestPower = 1 - bias - mantissa;
  const power = Math.max(exponentOf(value) - mantissa, lowestPower);
  const significand = BigInt(value / 2 ** power);
  // The neighbors are 2^power = gap / unit apart; both times 4, so that the quarter of a gap is whole.
  const gap = 4n << BigInt(Math.max(power, 0));
  const unit = 4n << BigInt(Math.max(-power, 0));
  const isPowerOfTwo = significand === 1n << BigInt(mantissa);
  const hasNearerBelow = isPowerOfTwo && power > lowestPower;
  return {
    ...{ rest: significand * gap, unit, above: gap / 2n, below: hasNearerBelow ? gap / 4n : gap / 2n },
    isEven: significand % 2n === 0n,
  };
}

/** Rounds a number whose first decimals are `digits`, followed by rest / unit of its last place: down or up, whichever
 * alone names the value, else to the nearest, ties to an even digit.
 * @type {(digits: string, rest: bigint, unit: bigint, downNames: boolean, upNames: boolean) => string} one digit longer
 *   where 99 becomes 100 */
function roundDigits(digits, rest, unit, downNames, upNames) {
  const twice = 2n * rest;
  const low = BigInt(digits);
  const isLowNearest = twice < unit || (twice === unit && low % 2n === 0n);
  const roundsDown = downNames === upNames ? isLowNearest : downNames;
  return String(roundsDown ? low : low + 1n);
}

/** Finds the decimal digits of a finite value > 0: as few as tell it from its neighbors in the format, but at least
 * `minPlaces` and at most `maxPlaces` decimal places, where its first digit has to lie. `relative`: both count places
 * behind the first digit instead of the point. `first`: the power of ten of the first digit. (Steele and White, "How to
 * print floating-point numbers accurately", 1990, algorithm FPP with exact integers.)
 * @type {(value: number, format: FloatFormat, maxPlaces: number, minPlaces: number, relative: boolean) => { digits:
 *   string, first: number }} */
function findDigits(value, format, maxPlaces, minPlaces, relative) {
  const exact = fractionOf(value, format);
  let { rest, unit, above, below } = exact;
  const multiply = (/** @type {bigint} */ factor) => {
    [rest, above, below] = [rest * factor, above * factor, below * factor];
  };
  // Scale to one digit before the point: value = rest / unit * 10^first. The logarithm is right to 1e-13, so `first` is
  // never too low, and one too high at most, just below a power of ten.
  let first = Math.floor(Math.log10(value) + 1e-12);
  if (first > 0) unit *= 10n ** BigInt(first);
  if (first < 0) multiply(10n ** BigInt(-first));
  if (rest < unit) {
    first -= 1;
    multiply(10n);
  }

  // Places are powers of ten: -2 stands for hundredths.
  const origin = relative ? first : 0;
  let digits = '';
  for (let place = first; ; place--) {
    digits += rest / unit;
    rest %= unit;
    // Whether the digits so far name the value, if they are kept or if the last one is raised. A number halfway to a
    // neighbor is read as the one of the two with an even significand.
    const downNames = exact.isEven ? rest <= below : rest < below;
    const upNames = exact.isEven ? rest + above >= unit : rest + above > unit;
    const isEnough = (downNames || upNames) && place <= origin - minPlaces;
    if (isEnough || place === origin - maxPlaces) {
      const rounded = roundDigits(digits, rest, unit, downNames, upNames);
      return { digits: rounded, first: first + rounded.length - digits.length };
    }
    multiply(10n);
  }
}

/** @type {(value: number) => boolean} whether the value has a minus sign: true for -0, too */
export const isNegative = (value) => value < 0 || Object.is(value, -0);

/**
 * A finite number's digits before and after the point, without its sign and the fraction's trailing zeros.
 * @typedef {{ integerDigits: string, fraction: string, exponent: string }} Digits
 */

/** @type {(fraction: string) => string} */
const withoutTrailingZeros = (fraction) => fraction.replace(/0+$/, '');

/** Writes a finite number in positional notation, without an exponent: by the fewest digits that name it in the float
 * type, but at least `minPlaces` (-Infinity: no bound) and at most `maxPlaces` decimal places, before trailing zeros
 * are dropped.
 * @type {(value: number, type: DType, maxPlaces: number, minPlaces: number) => Digits} */
export function positional(value, type, maxPlaces, minPlaces) {
  if (value === 0) return { integerDigits: '0', fraction: '', exponent: '' };
  const format = /** @type {FloatFormat} */ (type.format);
  const { digits, first } = findDigits(Math.abs(value), format, maxPlaces, minPlaces, false);
  const digitsBeforePoint = Math.max(first + 1, 0);
  const zerosBehindPoint = Math.max(-first - 1, 0);
  const integerDigits = digits.slice(0, digitsBeforePoint).padEnd(digitsBeforePoint, '0') || '0';
  const fraction = '0'.repeat(zerosBehindPoint) + digits.slice(digitsBeforePoint);
  return { integerDigits, fraction: withoutTrailingZeros(fraction), exponent: '' };
}

/** Writes a finite number in scientific notation, as {@link positional} chooses digits, but `maxPlaces` and `minPlaces`
 * count places behind the first digit. The exponent has its sign and at least two digits.
 * @type {(value: number, type: DType, maxPlaces: number, minPlaces: number) => Digits} */
export function scientific(value, type, maxPlaces, minPlaces) {
  if (value === 0) return { integerDigits: '0', fraction: '', exponent: '+00' };
  const format = /** @type {FloatFormat} */ (type.format);
  const { digits, first } = findDigits(Math.abs(value), format, maxPlaces, minPlaces, true);
  const exponent = (first < 0 ? '-' : '+') + String(Math.abs(first)).padStart(2, '0');
  return { integerDigits: digits[0], fraction: withoutTrailingZeros(digits.slice(1)), exponent };
}
