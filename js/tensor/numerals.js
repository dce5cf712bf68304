/**
 * Numbers as text and back, as ONNX's Cast to and from strings writes and reads them. Exact: a decimal number is
 * rounded once, to the format asked for.
 */
import { encode } from './codec.js';
import { noCase } from './dtypes.js';
import { exponentOf } from './floats.js';
import { shortestText } from './print.js';

/** @import { DType } from './dtypes.js' */

/** Its groups: the digits before and behind the point, and the exponent. */
const decimal = /^[+-]?(?=\.?\d)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;
/** Its groups: the sign, and `inf` or `infinity`. */
const special = /^([+-]?)(?:nan|(inf(?:inity)?))$/i;
const truth = /^(?:(true)|false)$/i;

/** Writes one number as text; a bool as ONNX's reference implementation writes it.
 * @type {(dtype: DType, value: any) => string} */
export function textOf(dtype, value) {
  const { kind } = dtype.format;
  switch (kind) {
    case 'bool':
      return value ? 'True' : 'False';
    case 'int':
      return String(value);
    case 'float':
      if (Number.isFinite(value)) return shortestText(dtype, value);
      return Number.isNaN(value) ? 'NaN' : value > 0 ? 'INF' : '-INF';
    // Cast writes no text of these.
    case 'string':
    case 'complex':
      return noCase('textOf', /** @type {never} */ (kind));
    default:
      return noCase('textOf', kind);
  }
}

/** Reads a number from text, and returns its code in a dtype, as {@link encode} gives it; undefined for other texts.
 * @type {(dtype: DType, text: string, options: { saturate: boolean, round_mode: 'up' | 'down' | 'nearest' }) => any} */
export function codeOfText(dtype, text, options) {
  const { bits, format } = dtype;
  const truthMatch = format.kind === 'bool' ? truth.exec(text) : null;
  if (truthMatch) {
    const [, isTrue] = truthMatch;
    return isTrue ? 1 : 0;
  }
  const specialMatch = special.exec(text);
  if (specialMatch) {
    const [, sign, isInfinity] = specialMatch;
    const infinity = sign === '-' ? -Infinity : Infinity;
    return encode(dtype, isInfinity ? infinity : NaN, options);
  }
  const match = decimal.exec(text);
  if (!match) return undefined;
  const [, integerDigits, fraction = '', exponent = '0'] = match;
  // The number is digits * 10^power.
  const digits = integerDigits + fraction;
  const power = Number(exponent) - fraction.length;
  if (format.kind === 'int') {
    const magnitude = wholePart(digits, power);
    return encode(dtype, text[0] === '-' ? -magnitude : magnitude);
  }
  const nearest = Number(text);
  if (bits === 64) return nearest;
  // `encode` rounds a number that was rounded to odd as it would round the exact one.
  const odd = roundToOdd(nearest, digits, power);
  // Read a scale by way of float32: its text is a decimal number near a power of two, which rounding up would double.
  const isScale = format.kind === 'float' && format.special === 'e8m0';
  return encode(dtype, isScale ? Math.fround(odd) : odd, options);
}

/** Computes the whole part of digits * 10^power, modulo 2^64: 10^64 is a multiple of that, so that no text can ask for
 * a huge bigint.
 * @type {(digits: string, power: number) => bigint} */
function wholePart(digits, power) {
  const hasNoWholePart = -power >= digits.length;
  if (power >= 64 || hasNoWholePart) return 0n;
  return power < 0 ? BigInt(digits) / 10n ** BigInt(-power) : BigInt(digits) * 10n ** BigInt(power);
}

/** Rounds the decimal number ± digits * 10^power, whose nearest float64 is `nearest`, to a float64 that every shorter
 * format rounds as it would round the decimal number itself: if it is not exact, the last bit of its significand is set
 * (rounding to odd).
 * @type {(nearest: number, digits: string, power: number) => number} */
function roundToOdd(nearest, digits, power) {
  const significand10 = BigInt(digits);
  if (significand10 === 0n || !Number.isFinite(nearest)) return nearest;
  const sign = nearest < 0 || Object.is(nearest, -0) ? -1 : 1;
  // Too small for a float64: as above 0 as can be. From here on the power is bounded by the number of digits.
  if (nearest === 0) return sign * Number.MIN_VALUE;
  // |nearest| = significand2 * 2^binary: a float64 has 52 bits of mantissa, and -1022 is its lowest exponent.
  const binary = Math.max(exponentOf(nearest), -1022) - 52;
  const significand2 = BigInt(Math.abs(nearest) / 2 ** binary);
  const isOdd = significand2 % 2n === 1n;
  if (isOdd) return nearest;
  // The decimal number and `nearest`, both times 10^-power and 2^-binary where these are no fractions.
  const exact = (significand10 * 10n ** BigInt(Math.max(power, 0))) << BigInt(Math.max(-binary, 0));
  const rounded = (significand2 * 10n ** BigInt(Math.max(-power, 0))) << BigInt(Math.max(binary, 0));
  if (exact === rounded) return nearest;
  const oddNeighbor = exact > rounded ? significand2 + 1n : significand2 - 1n;
  return sign * Number(oddNeighbor) * 2 ** binary;
}
