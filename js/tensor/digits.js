/** The decimal digits of floats: as few as name the number in its format. */
import { exponentOf } from './floats.js';

/** @import { DType, FloatFormat } from './types.js' */

/** Writes a finite value > 0 as the exact fraction rest / unit. `above / unit` and `below / unit` are half the gaps to
 * its neighbors in the format: that below a power of two is half as wide. `isEven`: whether the significand is even.
 * @type {(value: number, format: FloatFormat) => { rest: bigint, unit: bigint, above: bigint, below: bigint, isEven:
 *   boolean }} */
function fractionOf(value, { mantissa, bias }) {
  // value = significand * 2^power. Subnormal numbers have the power of the lowest normal ones.
  const lowestPower = 1 - bias - mantissa;
  const power = Math.max(exponentOf(value) - mantissa, lowestPower);
  const significand = BigInt(value / 2 ** power);
  // The neighbors are 2^power = gap / unit apart; both times 4, so that the quarter of a gap is whole.
  const gap = 4n * 2n ** BigInt(Math.max(power, 0));
  const unit = 4n * 2n ** BigInt(Math.max(-power, 0));
  const isPowerOfTwo = significand === 2n ** BigInt(mantissa);
  const hasNearerBelow = isPowerOfTwo && power > lowestPower;
  return {
    rest: significand * gap,
    unit,
    above: gap / 2n,
    below: hasNearerBelow ? gap / 4n : gap / 2n,
    isEven: significand % 2n === 0n,
  };
}

/** Scales the fraction that {@link fractionOf} gives so that it has one digit before the point: value = rest / unit *
 * 10^first, where rest / unit is from 1 to below 10.
 * @type {(value: number, format: FloatFormat) => ReturnType<typeof fractionOf> & { first: number }} */
function scaledFraction(value, format) {
  const { rest, unit, above, below, isEven } = fractionOf(value, format);
  // The logarithm is right to 1e-13, so `first` is right, or 1 too high just below a power of ten.
  let first = Math.floor(Math.log10(value) + 1e-12);
  let factor = 10n ** BigInt(Math.max(-first, 0));
  const scaledUnit = unit * 10n ** BigInt(Math.max(first, 0));
  const isTooHigh = rest * factor < scaledUnit;
  if (isTooHigh) {
    first -= 1;
    factor *= 10n;
  }
  return { rest: rest * factor, unit: scaledUnit, above: above * factor, below: below * factor, isEven, first };
}

/** Tells whether `digits` round up, where rest / unit of their last place follows: to nearest, ties to an even digit.
 * @type {(digits: string, rest: bigint, unit: bigint) => boolean} */
function roundsUp(digits, rest, unit) {
  const isTie = 2n * rest === unit;
  const isOdd = Number(digits.at(-1)) % 2 === 1;
  return isTie ? isOdd : 2n * rest > unit;
}

/** Adds 1 to the last digit: '19' becomes '20', and '99' becomes '100'.
 * @type {(digits: string) => string} */
const raiseLastDigit = (digits) => String(BigInt(digits) + 1n);

/**
 * The least and the greatest number of decimal places of a text, before its trailing zeros are dropped.
 * @typedef {{ min: number, max: number }} Places
 */

/** @type {Readonly<Places>} */
export const anyPlaces = Object.freeze({ min: -Infinity, max: Infinity });

/** Finds the decimal digits of a finite value > 0: as few as tell it from its neighbors in the format, within the
 * bounds of `places`. These count the places behind `origin`: the decimal point, or the first digit that is not 0.
 * Counted from the point, the value must have a digit that is not 0 within `places.max`. `first`: the power of ten of
 * the first digit. (Steele and White, "How to print floating-point numbers accurately", 1990, algorithm FPP with exact
 * integers.)
 * @type {(value: number, format: FloatFormat, places: Places, origin: 'point' | 'first digit') => { digits: string,
 *   first: number }} */
function findDigits(value, format, places, origin) {
  const { unit, first, isEven, ...scaled } = scaledFraction(value, format);
  // `rest / unit` is the part of the value that is not written yet, in units of the last digit's place. In these units,
  // texts from `below / unit` below the value to `above / unit` above it are read back as it.
  let { rest, above, below } = scaled;
  // The places from here on are powers of ten: -2 stands for hundredths.
  const originPlace = origin === 'point' ? 0 : first;
  const leastPlace = originPlace - places.min;
  const lastPlace = originPlace - places.max;
  let digits = '';
  for (let place = first; ; place--) {
    digits += rest / unit;
    rest %= unit;
    // The digits so far lie `rest` below the value; with the last one raised, they lie `toRaised` above it. Either is
    // enough if it is read back as the value: halfway between two neighbors, the one with an even significand is read.
    const toRaised = unit - rest;
    const isReadAsIs = isEven ? rest <= below : rest < below;
    const isReadRaised = isEven ? toRaised <= above : toRaised < above;
    const isEnough = (isReadAsIs || isReadRaised) && place <= leastPlace;
    if (isEnough || place === lastPlace) {
      const isOneRead = isReadAsIs !== isReadRaised;
      const isRaised = isOneRead ? isReadRaised : roundsUp(digits, rest, unit);
      const rounded = isRaised ? raiseLastDigit(digits) : digits;
      const addedDigits = rounded.length - digits.length;
      return { digits: rounded, first: first + addedDigits };
    }
    // On to the next place.
    [rest, above, below] = [10n * rest, 10n * above, 10n * below];
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

/** Writes a finite number without an exponent: by the fewest digits that tell it from the others of its type, within
 * the bounds of `places`, which count from the point.
 * @type {(value: number, type: DType, places: Places) => Digits} */
export function positional(value, type, places) {
  if (value === 0) return { integerDigits: '0', fraction: '', exponent: '' };
  const format = /** @type {FloatFormat} */ (type.format);
  const { digits, first } = findDigits(Math.abs(value), format, places, 'point');
  const digitsBeforePoint = Math.max(first + 1, 0);
  const zerosBehindPoint = Math.max(-first - 1, 0);
  const integerDigits = digits.slice(0, digitsBeforePoint).padEnd(digitsBeforePoint, '0') || '0';
  const fraction = '0'.repeat(zerosBehindPoint) + digits.slice(digitsBeforePoint);
  return { integerDigits, fraction: withoutTrailingZeros(fraction), exponent: '' };
}

/** Writes a finite number with an exponent of a sign and two or more digits: by the fewest digits that tell it from the
 * others of its type, within the bounds of `places`, which count from the first digit.
 * @type {(value: number, type: DType, places: Places) => Digits} */
export function scientific(value, type, places) {
  if (value === 0) return { integerDigits: '0', fraction: '', exponent: '+00' };
  const format = /** @type {FloatFormat} */ (type.format);
  const { digits, first } = findDigits(Math.abs(value), format, places, 'first digit');
  const exponent = (first < 0 ? '-' : '+') + String(Math.abs(first)).padStart(2, '0');
  return { integerDigits: digits[0], fraction: withoutTrailingZeros(digits.slice(1)), exponent };
}
