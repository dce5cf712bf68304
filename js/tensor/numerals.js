/**
 * Numbers as text and back, as ONNX's Cast to and from strings writes and reads them. Exact: a decimal number is
 * rounded once, to the format asked for.
 */
import { encode } from './codec.js';
import { noCase } from './dtypes.js';
import { exponentOf } from './floats.js';
import { shortestText } from './print.js';

/** @import { DType } from './dtypes.js' */

/** A decimal number such as -1.5e3, `.5` or `5.`: the lookahead asks for a digit before or behind the point. */
const decimal = /^[+-]?(?=\.?\d)(?<integer>\d*)(?:\.(?<fraction>\d*))?(?:e(?<exponent>[+-]?\d+))?$/i;
const special = /^(?<sign>[+-]?)(?:nan|(?<infinity>inf(?:inity)?))$/i;
const boolWord = /^(?:true|false)$/i;

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
      if (Number.isNaN(value)) return 'NaN';
      return value > 0 ? 'INF' : '-INF';
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
  if (format.kind === 'bool' && boolWord.test(text)) return text.toLowerCase() === 'true' ? 1 : 0;
  const specialNumber = readSpecial(text);
  if (specialNumber !== undefined) return encode(dtype, specialNumber, options);
  const decimalNumber = readDecimal(text);
  if (!decimalNumber) return undefined;
  const { digits, power } = decimalNumber;
  if (format.kind === 'int') {
    const magnitude = wholePart(digits, power);
    return encode(dtype, text.startsWith('-') ? -magnitude : magnitude);
  }
  const nearest = Number(text);
  if (bits === 64) return nearest;
  // Rounded to nearest and then again to the shorter format, a number could differ from one rounding.
  const rounded = roundDecimalToOdd(nearest, digits, power);
  // float8e8m0 has powers of two alone, but its texts are only near these: 1.1754944e-38 is a little more than 2^-126,
  // and rounding it up would give 2^-125. The nearest float32 is the power itself.
  const isPowerOfTwo = format.kind === 'float' && format.special === 'e8m0';
  return encode(dtype, isPowerOfTwo ? Math.fround(rounded) : rounded, options);
}

/** Reads `nan`, `inf` or `infinity`, in any case and with a sign or without; undefined for other texts.
 * @type {(text: string) => number | undefined} */
function readSpecial(text) {
  const match = special.exec(text);
  if (!match) return undefined;
  const { sign, infinity } = match.groups ?? {};
  if (!infinity) return NaN;
  return sign === '-' ? -Infinity : Infinity;
}

/** Reads the magnitude of a decimal number as digits * 10^power; undefined for other texts.
 * @type {(text: string) => { digits: string, power: number } | undefined} */
function readDecimal(text) {
  const match = decimal.exec(text);
  if (!match) return undefined;
  const { integer, fraction = '', exponent = '0' } = match.groups ?? {};
  return { digits: integer + fraction, power: Number(exponent) - fraction.length };
}

/** Computes the whole part of digits * 10^power; 0 in the place of a multiple of 10^64, which is one of 2^64, so that
 * integers of 64 bits and fewer wrap to the same. No short text, such as 1e999999, can ask for a huge bigint then.
 * @type {(digits: string, power: number) => bigint} */
function wholePart(digits, power) {
  const hasNoWholePart = -power >= digits.length;
  if (power >= 64 || hasNoWholePart) return 0n;
  return power < 0 ? BigInt(digits) / 10n ** BigInt(-power) : BigInt(digits) * 10n ** BigInt(power);
}

const float64MantissaBits = 52;
const lowestFloat64Exponent = -1022;

/** Rounds the decimal number ± digits * 10^power to odd: to the float64 that equals it, or else to the one of its two
 * neighbors that has an odd significand. Every shorter format rounds that as it would round the decimal number itself,
 * which is not so of `nearest`, the float64 nearest to it.
 * @type {(nearest: number, digits: string, power: number) => number} */
function roundDecimalToOdd(nearest, digits, power) {
  const decimalInteger = BigInt(digits);
  if (decimalInteger === 0n || !Number.isFinite(nearest)) return nearest;
  const sign = nearest < 0 || Object.is(nearest, -0) ? -1 : 1;
  // The neighbors of a number too small for a float64 are 0 and the smallest one, which is odd.
  if (nearest === 0) return sign * Number.MIN_VALUE;
  // |nearest| = significand * 2^binaryPower
  const binaryPower = Math.max(exponentOf(nearest), lowestFloat64Exponent) - float64MantissaBits;
  const significand = BigInt(Math.abs(nearest) / 2 ** binaryPower);
  const isOdd = significand % 2n === 1n;
  if (isOdd) return nearest;
  const order = compareExactly(decimalInteger, power, significand, binaryPower);
  if (order === 0) return nearest;
  const oddNeighbor = significand + BigInt(order);
  return sign * Number(oddNeighbor) * 2 ** binaryPower;
}

/** Compares decimalInteger * 10^power with significand * 2^binaryPower: 1 if the first is greater, -1 if it is smaller.
 * Both become whole numbers: where a power is negative, its factor multiplies the other number instead. None is huge if
 * the first is within the range of float64: `power` is then below 309, and above -325 less the number of digits.
 * @type {(decimalInteger: bigint, power: number, significand: bigint, binaryPower: number) => 0 | 1 | -1} */
function compareExactly(decimalInteger, power, significand, binaryPower) {
  const tens = 10n ** BigInt(Math.abs(power));
  const twos = 2n ** BigInt(Math.abs(binaryPower));
  let decimalNumber = decimalInteger;
  let binaryNumber = significand;
  if (power > 0) decimalNumber *= tens;
  else binaryNumber *= tens;
  if (binaryPower > 0) binaryNumber *= twos;
  else decimalNumber *= twos;
  if (decimalNumber === binaryNumber) return 0;
  return decimalNumber > binaryNumber ? 1 : -1;
}
