/**
 * Numbers as text and back, as ONNX's Cast to and from strings writes and reads them. Exact: a decimal number is
 * rounded once, to the format asked for.
 */
import { encode } from './codec.js';
import { noCase } from './dtypes.js';
import { exponentOf } from './floats.js';
import { shortestText } from './print.js';

/** @import { DType } from './dtypes.js' */

const decimal = /^[+-]?(?=\.?\d)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;
const special = /^([+-]?)(?:nan|(inf(?:inity)?))$/i;
const truth = /^(?:(true)|false)$/i;

/** Writes one number as text: integers in decimal; floats by the fewest digits that name the value in their format
 * (formats below 16 bits: in float32), `NaN`, `INF`, `-INF`; a bool as ONNX's reference implementation writes it,
 * `True` or `False`.
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

/** Reads a number from text, and returns its code in a dtype, as {@link encode} gives it. The text is plain or
 * scientific, or NaN, INF or infinity in any case, with or without a sign; for bool also true and false; undefined for
 * other texts. For an integer type the exact number is cut toward zero, then taken modulo 2^bits; NaN and infinities
 * give 0.
 * @type {(dtype: DType, text: string, options: { saturate: boolean, round_mode: 'up' | 'down' | 'nearest' }) => any} */
export function codeOfText(dtype, text, options) {
  const { bits, format } = dtype;
  const word = format.kind === 'bool' ? truth.exec(text) : null;
  if (word) return word[1] ? 1 : 0;
  const named = special.exec(text);
  if (named) return encode(dtype, named[2] ? Number(`${named[1]}1`) * Infinity : NaN, options);
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
  // Rounded to odd, so that `encode` rounds as if it had the exact number.
  const odd = roundToOdd(nearest, digits, power);
  // Read a scale by way of float32: its text is a decimal number near a power of two, which rounding up would double.
  return encode(dtype, format.kind === 'float' && format.special === 'e8m0' ? Math.fround(odd) : odd, options);
}

/** Computes the whole part of digits * 10^power; 0 if no digit is left before the point. With a power of 64 or more it
 * returns 0 too, because 10^64 is a multiple of 2^64, and integers are taken modulo 2^64 or less: so a text cannot ask
 * for a huge bigint.
 * @type {(digits: string, power: number) => bigint} */
function wholePart(digits, power) {
  if (power >= 64 || -power >= digits.length) return 0n;
  return power < 0 ? BigInt(digits) / 10n ** BigInt(-power) : BigInt(digits) * 10n ** BigInt(power);
}

/** Rounds the decimal number ± digits * 10^power, whose nearest float64 is `nearest`, to a float64 that every shorter
 * format rounds as it would round the decimal number itself: if it is not exact, the last bit of its significand is set
 * (rounding to odd).
 * @type {(nearest: number, digits: string, power: number) => number} */
function roundToOdd(nearest, digits, power) {
  const significand = BigInt(digits);
  if (significand === 0n || !Number.isFinite(nearest)) return nearest;
  const sign = nearest < 0 || Object.is(nearest, -0) ? -1 : 1;
  // Too small for a float64: as above 0 as can be. From here on the power is bounded by the number of digits.
  if (nearest === 0) return sign * Number.MIN_VALUE;
  // |nearest| = significand53 * 2^binary: a float64 has 52 bits of mantissa, and -1022 is its lowest exponent. If the
  // significand is odd, it is right already: either exact or rounded to odd.
  const binary = Math.max(exponentOf(nearest), -1022) - 52;
  const significand53 = BigInt(Math.abs(nearest) / 2 ** binary);
  if (significand53 % 2n === 1n) return nearest;
  // The decimal number and `nearest` as integers of one scale.
  const exact = (significand * 10n ** BigInt(Math.max(power, 0))) << BigInt(Math.max(-binary, 0));
  const rounded = (significand53 * 10n ** BigInt(Math.max(-power, 0))) << BigInt(Math.max(binary, 0));
  // Of the two odd neighbors the one on the side of the decimal number.
  return exact === rounded ? nearest : sign * Number(significand53 + (exact > rounded ? 1n : -1n)) * 2 ** binary;
}
