/** Floats of 16 bits and fewer: a number from its code, the code of a number. A code has the sign on top, then exponent
 * and mantissa; its magnitude is the code without the sign. */
import { noCase } from './dtypes.js';

/** @import { FloatFormat } from './types.js' */

/** Memory of `exponentOf`. */
const scratch = new DataView(new ArrayBuffer(8));

/** Gives the exponent of a float64: floor(log2(|value|)); -1023 of subnormal numbers, 1024 of infinities and NaN.
 * @type {(value: number) => number} */
export function exponentOf(value) {
  // Of a float64's upper 16 bits the sign is first, then 11 bits of exponent with a bias of 1023.
  scratch.setFloat64(0, value);
  return ((scratch.getUint16(0) >> 4) & 0x7ff) - 1023;
}

/** Gives the highest codes of a format, without signs. `top`: the largest finite number's; `nan`: the only NaN's or the
 * quiet one's, and that of -0 in a format without NaN; `overflow`: the code of larger numbers that do not saturate,
 * which is infinity's, without infinity NaN's, and without both that of the largest number.
 * @type {(format: FloatFormat) => { top: number, nan: number, overflow: number }} */
function limits({ exponent, mantissa, special }) {
  // The first code with a sign bit, and the one whose bits of the exponent alone are set.
  const end = 1 << (exponent + mantissa);
  const infinity = end - (1 << mantissa);
  switch (special) {
    case 'ieee':
      return { top: infinity - 1, nan: infinity | (1 << (mantissa - 1)), overflow: infinity };
    case 'fn':
    case 'e8m0':
      return { top: end - 2, nan: end - 1, overflow: end - 1 };
    case 'fnuz':
      return { top: end - 1, nan: end, overflow: end };
    case 'finite':
      return { top: end - 1, nan: end, overflow: end - 1 };
    default:
      return noCase('limits', special);
  }
}

/** Decodes a code, an unsigned number of the format's bits, to the number that it stands for, which may be negative,
 * infinite or NaN.
 * @type {(format: FloatFormat, code: number) => number} */
export function decodeFloat(format, code) {
  const { exponent, mantissa, bias, special } = format;
  const { top } = limits(format);
  if (special === 'e8m0') return code > top ? NaN : 2 ** (code - bias);
  const signBit = 1 << (exponent + mantissa);
  const sign = code & signBit ? -1 : 1;
  const magnitude = code & (signBit - 1);
  // Above the finite magnitudes, `ieee` has infinity, then NaNs; `fn` has a NaN; `finite` and `fnuz` have none.
  if (magnitude > top) return special === 'ieee' && magnitude === top + 1 ? sign * Infinity : NaN;
  // The only NaN of `fnuz` is the code that is -0 in other formats: the sign bit alone.
  if (special === 'fnuz' && code === signBit) return NaN;
  // Subnormal numbers lie on the grid of the lowest normal exponent, without the hidden bit.
  // Less `field - 1` in the exponent's place, the magnitude is the significand: the hidden bit, and the mantissa.
  const field = Math.max(magnitude >> mantissa, 1);
  return sign * (magnitude - ((field - 1) << mantissa)) * 2 ** (field - bias - mantissa);
}

/** Encodes a number in a format, rounded to nearest even. float8e8m0, whose numbers are powers of two, rounds by the
 * `round_mode` of Cast-25 instead. `saturate`: numbers beyond the format, infinities too, become its largest one;
 * otherwise they and NaN get the codes `overflow` and `nan` of {@link limits}.
 * @type {(format: FloatFormat, value: number, saturate: boolean, round_mode: 'up' | 'down' | 'nearest') => number} */
export function encodeFloat(format, value, saturate, round_mode) {
  const { exponent, mantissa, bias, special } = format;
  const { top, nan, overflow } = limits(format);
  if (Number.isNaN(value)) return nan;
  if (special === 'e8m0') return encodeScale(format, value, saturate, round_mode);
  const signBit = 1 << (exponent + mantissa);
  const lowest = 1 - bias;
  const power = Math.max(exponentOf(value), lowest);
  // The division by a power of two is exact; adding and taking away 2^52 rounds to an integer, ties to even.
  const significand = Math.abs(value) / 2 ** (power - mantissa) + 2 ** 52 - 2 ** 52;
  // A sum, not an or: a significand that was rounded up to the next power of two carries into the exponent. The lowest
  // normal numbers have the exponent code 1, which is their significand's hidden bit; subnormal numbers have no such
  // bit.
  const rounded = (power - lowest) * 2 ** mantissa + significand;
  const code = rounded <= top ? rounded : saturate ? top : overflow;
  const negative = value < 0 || Object.is(value, -0);
  // `fnuz` has no -0: its code is NaN.
  return negative && !(special === 'fnuz' && code === 0) ? code | signBit : code;
}

/** Encodes a number as float8e8m0, a power of two: the code is its exponent plus the bias. `round_mode`: up, down, or
 * to the nearest, where 1.5 times a power goes up. Numbers below the lowest power, 0 and negative ones too, and those
 * beyond the greatest give that power with `saturate`, otherwise NaN.
 * @type {(format: FloatFormat, value: number, saturate: boolean, round_mode: 'up' | 'down' | 'nearest') => number} */
function encodeScale(format, value, saturate, round_mode) {
  const { top, nan, overflow } = limits(format);
  if (value < 2 ** -format.bias) return saturate ? 0 : nan;
  if (value > 2 ** (top - format.bias)) return saturate ? top : overflow;
  const power = exponentOf(value);
  const significand = value / 2 ** power;
  const above = round_mode === 'up' ? significand > 1 : round_mode === 'nearest' && significand >= 1.5;
  return power + format.bias + Number(above);
}
