/** Floats of 16 bits and fewer: a number from its code, the code of a number. A code has the sign on top, then exponent
 * and mantissa; its magnitude is the code without the sign. */
import { noCase } from './dtypes.js';

/** @import { FloatFormat } from './types.js' */

const float64Bytes = new DataView(new ArrayBuffer(8));

/** Gives the exponent of a float64: floor(log2(|value|)); -1023 of 0 and subnormal numbers, 1024 of infinities and NaN.
 * @type {(value: number) => number} */
export function exponentOf(value) {
  float64Bytes.setFloat64(0, value);
  const highest16Bits = float64Bytes.getUint16(0); // 1 of the sign, 11 of the exponent and 4 of the mantissa
  const bias = 1023;
  return ((highest16Bits >> 4) & 0x7ff) - bias;
}

/** Rounds a number from 0 on to an integer, ties to even: a sum from 2^52 on is a float64 without a fraction.
 * @type {(value: number) => number} */
export const roundHalfEven = (value) => value + 2 ** 52 - 2 ** 52;

/** Gives the codes at the end of a format's range. `top`: of the largest number; `nan`: of NaN, the quiet one if there
 * are several, and in a format without NaN of -0; `overflow`: of larger numbers that do not saturate.
 * @type {(format: FloatFormat) => { top: number, nan: number, overflow: number }} */
function limits({ exponent, mantissa, special }) {
  const signBit = 1 << (exponent + mantissa);
  const allOnes = signBit - 1;
  const exponentOnes = signBit - (1 << mantissa);
  const quietBit = 1 << (mantissa - 1);
  switch (special) {
    case 'ieee':
      return { top: exponentOnes - 1, nan: exponentOnes | quietBit, overflow: exponentOnes };
    case 'fn':
    case 'e8m0':
      return { top: allOnes - 1, nan: allOnes, overflow: allOnes };
    case 'fnuz':
      return { top: allOnes, nan: signBit, overflow: signBit };
    case 'finite':
      return { top: allOnes, nan: signBit, overflow: allOnes };
    default:
      return noCase('limits', special);
  }
}

/** @type {(format: FloatFormat, code: number) => number} */
export function decodeFloat(format, code) {
  const { exponent, mantissa, bias, special } = format;
  const { top } = limits(format);
  if (special === 'e8m0') return code > top ? NaN : 2 ** (code - bias);
  const signBit = 1 << (exponent + mantissa);
  const sign = code & signBit ? -1 : 1;
  const magnitude = code & (signBit - 1);
  const isInfinity = special === 'ieee' && magnitude === top + 1;
  if (isInfinity) return sign * Infinity;
  const isNegativeZero = code === signBit; // which is the NaN of `fnuz`
  if (magnitude > top || (special === 'fnuz' && isNegativeZero)) return NaN;
  // Subnormal numbers have the exponent of the lowest normal ones, without the hidden bit: subtracting one less than
  // the exponent's code leaves that bit and the mantissa.
  const exponentCode = Math.max(magnitude >> mantissa, 1);
  const significand = magnitude - ((exponentCode - 1) << mantissa);
  return sign * significand * 2 ** (exponentCode - bias - mantissa);
}

/** Encodes a number in a format, rounded to nearest even. float8e8m0 rounds by the `round_mode` of Cast-25 instead.
 * `saturate`: numbers beyond the format, infinities too, become its largest one.
 * @type {(format: FloatFormat, value: number, saturate: boolean, round_mode: 'up' | 'down' | 'nearest') => number} */
export function encodeFloat(format, value, saturate, round_mode) {
  const { exponent, mantissa, bias, special } = format;
  const { top, nan, overflow } = limits(format);
  if (Number.isNaN(value)) return nan;
  if (special === 'e8m0') return encodePowerOfTwo(format, value, saturate, round_mode);
  const lowestPower = 1 - bias;
  const power = Math.max(exponentOf(value), lowestPower);
  const significand = roundHalfEven(Math.abs(value) / 2 ** (power - mantissa));
  // The hidden bit of a normal significand adds 1 to the exponent's code; subnormal ones lack it. A sum, not an or: a
  // significand that was rounded up to the next power of two carries into the exponent.
  const rounded = (power - lowestPower) * 2 ** mantissa + significand;
  const beyond = saturate ? top : overflow;
  const magnitude = rounded <= top ? rounded : beyond;
  const isNegative = value < 0 || Object.is(value, -0);
  const lacksNegative = special === 'fnuz' && magnitude === 0; // the code of -0 is NaN
  const signBit = 1 << (exponent + mantissa);
  return isNegative && !lacksNegative ? signBit | magnitude : magnitude;
}

/** Encodes a number as float8e8m0, a power of two: the code is its exponent plus the bias. `nearest` takes 1.5 times a
 * power up. Numbers below the lowest power, 0 and negative ones too, and those beyond the greatest give that power with
 * `saturate`, otherwise NaN.
 * @type {(format: FloatFormat, value: number, saturate: boolean, round_mode: 'up' | 'down' | 'nearest') => number} */
function encodePowerOfTwo(format, value, saturate, round_mode) {
  const { top, nan, overflow } = limits(format);
  if (value < 2 ** -format.bias) return saturate ? 0 : nan;
  if (value > 2 ** (top - format.bias)) return saturate ? top : overflow;
  const power = exponentOf(value);
  const significand = value / 2 ** power; // from 1 to below 2
  const isRoundedUp = round_mode === 'up' ? significand > 1 : round_mode === 'nearest' && significand >= 1.5;
  const roundedPower = isRoundedUp ? power + 1 : power;
  return roundedPower + format.bias;
}
