/**
 * Values to codes and back, one element at a time, in plain JavaScript. What `Tensor.from`, `toArray` and printing use: none of
 * them needs the wasm module. Everything follows from the dtype's row; no type has code of its own.
 */

import { show, typedArrayName } from '../arguments/index.js';

/** @import { DType, FloatFormat } from './dtypes.js' */
/**
 * One decoded element: bigint for the 64-bit integers, 0 or 1 for bool, a pair [re, im] for the complex types.
 * @typedef {number | bigint | string | [number, number]} Value
 */

const scratch = new DataView(new ArrayBuffer(8));

/**
 * @param {number} value
 * @returns {number} floor(log2(|value|)) for the normal float64 numbers, -1023 below them, 1024 for infinities and NaN
 */
export function exponentOf(value) {
  scratch.setFloat64(0, value);
  return ((scratch.getUint16(0) >> 4) & 0x7ff) - 1023;
}

/** The code of the largest finite number. @type {(format: FloatFormat) => number} */
const largest = ({ exponent, mantissa, special }) => {
  const codes = 1 << (exponent + mantissa);
  return codes - { ieee: 1 << mantissa, fn: 1, fnuz: 0, finite: 0, e8m0: 1 }[special] - 1;
};

/** @type {(format: FloatFormat, code: number) => number} */
function decodeFloat(format, code) {
  const { exponent, mantissa, bias, special } = format;
  if (special === 'e8m0') return code > largest(format) ? NaN : 2 ** (code - bias);
  const signBit = 1 << (exponent + mantissa);
  const magnitude = code & (signBit - 1);
  if (magnitude > largest(format) && !(special === 'ieee' && magnitude === largest(format) + 1)) return NaN;
  if (special === 'fnuz' && code === signBit) return NaN;
  // Subnormal numbers lie on the grid of the lowest normal exponent, without the hidden bit.
  const field = Math.max(magnitude >> mantissa, 1);
  const value =
    magnitude > largest(format) ? Infinity : (magnitude - ((field - 1) << mantissa)) * 2 ** (field - bias - mantissa);
  return code & signBit ? -value : value;
}

/** OCP Microscaling's scale: a power of two, rounded as Cast-25's `round_mode` says. @type {(format: FloatFormat, value: number, saturate: boolean, mode: string) => number} */
function encodeScale(format, value, saturate, mode) {
  const top = largest(format);
  if (Number.isNaN(value)) return top + 1;
  if (value < 2 ** -format.bias) return saturate ? 0 : top + 1;
  if (value > 2 ** (top - format.bias)) return saturate ? top : top + 1;
  const power = exponentOf(value);
  const significand = value / 2 ** power;
  const above = mode === 'up' ? significand > 1 : mode === 'nearest' && significand >= 1.5;
  return power + format.bias + Number(above);
}

/** @type {(format: FloatFormat, value: number, saturate: boolean) => number} */
function encodeFloat(format, value, saturate) {
  const { mantissa, bias, special } = format;
  const signBit = 1 << (format.exponent + mantissa);
  const top = largest(format);
  if (Number.isNaN(value)) {
    if (special === 'ieee') return (top + 1) | (1 << (mantissa - 1));
    return special === 'fn' ? top + 1 : signBit;
  }
  const lowest = 1 - bias;
  const power = Math.max(exponentOf(value), lowest);
  // The division by a power of two is exact; adding and taking away 2^52 rounds to an integer, ties to even.
  const significand = Math.abs(value) / 2 ** (power - mantissa) + 2 ** 52 - 2 ** 52;
  // A sum, not an or: a significand that was rounded up to the next power of two carries into the exponent.
  let code = (power - lowest) * 2 ** mantissa + significand;
  if (code > top) {
    if (saturate || special === 'finite') code = top;
    else if (special === 'fnuz') return signBit;
    else code = top + 1;
  }
  const negative = value < 0 || Object.is(value, -0);
  return negative && !(special === 'fnuz' && code === 0) ? code | signBit : code;
}

/**
 * An integer as a float64 that rounds on to any shorter format as the integer itself would: cut to 53 bits, where the last
 * one is set if anything was cut off (rounding to odd). float64 itself takes Number(value), which rounds to nearest even.
 * @type {(value: bigint) => number}
 */
function oddFloat64(value) {
  const magnitude = value < 0n ? -value : value;
  const cut = BigInt(Math.max(0, magnitude.toString(2).length - 53));
  const kept = magnitude >> cut;
  const odd = kept << cut === magnitude ? kept : kept | 1n;
  return (value < 0n ? -1 : 1) * Number(odd) * 2 ** Number(cut);
}

/** @type {(bits: number, value: number | bigint) => number} */
function float64For(bits, value) {
  if (typeof value === 'number') return value;
  return bits < 64 ? oddFloat64(value) : Number(value);
}

/**
 * The code of one value, rounded once, by the rules of ONNX Cast: floats to nearest even with gradual underflow, integers
 * toward zero and then modulo 2^bits. A NaN has no sign here, as in JavaScript: the code is the positive quiet NaN.
 * @param {DType} dtype
 * @param {any} value of the kind that `encodeValues` takes for the dtype
 * @param {{ saturate?: boolean, round_mode?: 'up' | 'down' | 'nearest' }} [options] `saturate` counts for the 8-bit floats, `round_mode` for float8e8m0
 * @returns {any} the entry of the data array: a bit pattern for the floats below 32 bits and the packed types, a number
 *   (bigint for 64-bit integers) for the others, a pair for the complex types
 */
export function encode(dtype, value, { saturate = true, round_mode = 'up' } = {}) {
  const { bits, format } = dtype;
  switch (format.kind) {
    case 'string':
      return value;
    case 'bool':
      return typeof value === 'boolean' ? Number(value) : Number(value != 0);
    case 'complex':
      return [0, 1].map((part) =>
        bits === 64 ? Math.fround(float64For(32, value[part])) : float64For(64, value[part]),
      );
    case 'int': {
      if (bits === 64) {
        const whole = typeof value === 'bigint' ? value : BigInt(Number.isFinite(value) ? Math.trunc(value) : 0);
        return format.signed ? BigInt.asIntN(64, whole) : BigInt.asUintN(64, whole);
      }
      const high = (typeof value === 'bigint' ? Number(BigInt.asIntN(32, value)) : value) << (32 - bits);
      return format.signed && bits >= 8 ? high >> (32 - bits) : high >>> (32 - bits);
    }
    case 'float': {
      const number = float64For(bits, value);
      if (bits === 64) return number;
      if (bits === 32) return Math.fround(number);
      return format.special === 'e8m0'
        ? encodeScale(format, number, saturate, round_mode)
        : encodeFloat(format, number, saturate && bits === 8);
    }
  }
}

/**
 * Element `index` of a data array.
 * @param {DType} dtype
 * @param {any} data of the dtype's class; packed types hold the first element in the low bits
 * @param {number} index in elements
 * @returns {any} a {@link Value}
 */
export function decode(dtype, data, index) {
  const { bits, format } = dtype;
  if (format.kind === 'complex') return [data[2 * index], data[2 * index + 1]];
  if (format.kind === 'bool') return data[index] === 0 ? 0 : 1;
  // Nothing to decode: strings, integers of whole bytes, and floats in an array class of their own width.
  if (
    format.kind === 'string' ||
    (format.kind === 'int' ? bits >= 8 : bits >= 32 || typedArrayName(data) === 'Float16Array')
  )
    return data[index];
  if (bits >= 8) return decodeFloat(/** @type {FloatFormat} */ (format), data[index]);
  const perByte = 8 / bits;
  const high = data[Math.floor(index / perByte)] << (32 - bits - (index % perByte) * bits);
  if (format.kind === 'int' && format.signed) return high >> (32 - bits);
  const code = high >>> (32 - bits);
  return format.kind === 'float' ? decodeFloat(format, code) : code;
}

/** What a value must be, by its dtype's kind; integers have a range beside it. */
const kinds = {
  string: { rule: 'a string', holds: (/** @type {unknown} */ value) => typeof value === 'string' },
  bool: {
    rule: 'a boolean, a number or a bigint',
    holds: (/** @type {unknown} */ value) => typeof value === 'boolean' || isNumeric(value),
  },
  complex: {
    rule: 'a pair [re, im] of numbers',
    holds: (/** @type {unknown} */ value) => Array.isArray(value) && value.length === 2 && value.every(isNumeric),
  },
  int: { rule: 'a number or a bigint', holds: isNumeric },
  float: { rule: 'a number or a bigint', holds: isNumeric },
};

/** @type {(value: unknown) => boolean} */
function isNumeric(value) {
  return typeof value === 'number' || typeof value === 'bigint';
}

/**
 * Writes a list of values to a data array. The values are those that `decodeValues` gives, or any number or bigint: floats are
 * rounded once, to nearest even, the 8-bit ones saturate; integers are cut toward zero.
 * @param {DType} dtype
 * @param {ArrayLike<unknown>} values each read once; bool takes booleans too (a number is true unless it is 0)
 * @param {any} data of the dtype's array class, fresh: still zero where packed codes go
 * @param {number} size in elements
 * @throws {TypeError} a value is of the wrong kind
 * @throws {RangeError} a value for an integer type is not finite or does not fit
 */
export function encodeValues(dtype, values, data, size) {
  const { name, bits, format } = dtype;
  const { rule, holds } = kinds[format.kind];
  const range =
    format.kind === 'int' &&
    (format.signed ? { low: -(2 ** (bits - 1)), high: 2 ** (bits - 1) } : { low: 0, high: 2 ** bits });
  for (let index = 0; index < size; index++) {
    const given = /** @type {any} */ (values[index]);
    // What is checked is what is stored, whatever a getter says next.
    const value = Array.isArray(given)
      ? Array.from({ length: given.length === 2 ? 2 : 0 }, (_, part) => given[part])
      : given;
    if (!holds(value)) throw new TypeError(`Tensor.from: ${name} value ${index} must be ${rule}, got ${show(given)}`);
    if (range) {
      // JavaScript compares a bigint with a number exactly, and the bounds are exact: powers of two.
      const whole = typeof value === 'bigint' ? value : Math.trunc(value);
      if (!(whole >= range.low && whole < range.high)) {
        throw new RangeError(
          `Tensor.from: ${name} value ${index} must be in [${BigInt(range.low)}, ${BigInt(range.high)}), got ${show(value)}`,
        );
      }
    }
    store(dtype, data, index, encode(dtype, value));
  }
}

/**
 * Writes a code that {@link encode} gave.
 * @param {DType} dtype
 * @param {any} data of the dtype's class, still zero where a packed code goes
 * @param {number} index in elements
 * @param {any} code
 */
export function store({ bits, format }, data, index, code) {
  if (format.kind === 'complex') [data[2 * index], data[2 * index + 1]] = code;
  else if (bits > 0 && bits < 8) data[Math.floor((index * bits) / 8)] |= code << ((index * bits) % 8);
  else data[index] = code;
}

/**
 * The first `size` elements of a data array, as JavaScript values.
 * @param {DType} dtype
 * @param {any} data of the dtype's class
 * @param {number} size in elements
 * @returns {any[]} of {@link Value}
 */
export function decodeValues(dtype, data, size) {
  return Array.from({ length: size }, (_, index) => decode(dtype, data, index));
}
