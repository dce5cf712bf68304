/**
 * Values to codes and back, one element at a time, for `Tensor.from`, `toArray` and printing, which need no wasm
 * module. Everything follows from the dtype's row; no type has code of its own.
 */
import { rangeError, show, typedArrayName, typeError } from '../arguments/index.js';
import { isPacked, noCase } from './dtypes.js';
import { decodeFloat, encodeFloat } from './floats.js';

/** @import { DType, NumberFormat, TensorData } from './types.js' */

/**
 * One decoded element: bigint for the 64-bit integers, 0 or 1 for bool, a pair [re, im] for the complex types.
 * @typedef {number | bigint | string | [number, number]} Value
 */

/** The bits of a float64's significand, with the hidden one. */
const float64Bits = 53;

/** Rounds an integer to odd: cuts its magnitude to the 53 bits of a float64's significand, and sets the last of them if
 * any bit that was cut off was set. Every shorter format rounds that as it would round the integer itself.
 * @type {(value: bigint) => number} */
function roundIntegerToOdd(value) {
  const sign = value < 0n ? -1 : 1;
  const magnitude = value < 0n ? -value : value;
  const bitLength = magnitude.toString(2).length;
  const cutBits = BigInt(Math.max(0, bitLength - float64Bits));
  const significand = magnitude >> cutBits;
  const isExact = significand << cutBits === magnitude;
  const oddSignificand = isExact ? significand : significand | 1n;
  return sign * Number(oddSignificand) * 2 ** Number(cutBits);
}

/** Gives a float64 that a format of `bits` bits rounds as it would round the value itself. For a format below 64 bits,
 * a bigint is rounded to odd: rounded to nearest here and then again, it could differ from one rounding.
 * @type {(bits: number, value: number | bigint) => number} */
function float64ToRound(bits, value) {
  if (typeof value === 'number') return value;
  return bits < 64 ? roundIntegerToOdd(value) : Number(value);
}

/** Gives the float32 (`bits` 32) or float64 (64) nearest to a number or a bigint.
 * @type {(bits: number, value: number | bigint) => number} */
function nearestFloat(bits, value) {
  const number = float64ToRound(bits, value);
  if (bits === 64) return number;
  return bits === 32 ? Math.fround(number) : noCase('nearestFloat', /** @type {never} */ (bits));
}

/** Gives the integer of `bits` bits, at most 32, to which a number wraps: it is cut toward zero, and its lowest bits
 * are read with a sign or without one. NaN and infinities give 0. The operator << cuts the number and moves these bits
 * to the top of an int32; moving them back fills in copies of the sign, or zeros.
 * @type {(value: number, bits: number, isSigned: boolean) => number} */
function wrapInteger(value, bits, isSigned) {
  const otherBits = 32 - bits;
  const moved = value << otherBits;
  return isSigned ? moved >> otherBits : moved >>> otherBits;
}

/** Encodes a value as an integer: cut toward zero, then modulo 2^bits. NaN and infinities give 0. Packed types get
 * unsigned codes, others numbers, or bigints from 64 bits on.
 * @type {(value: number | bigint, bits: number, isSigned: boolean) => number | bigint} */
function encodeInteger(value, bits, isSigned) {
  if (bits > 32) {
    const integer = typeof value === 'bigint' ? value : BigInt(Number.isFinite(value) ? Math.trunc(value) : 0);
    return isSigned ? BigInt.asIntN(bits, integer) : BigInt.asUintN(bits, integer);
  }
  const number = typeof value === 'bigint' ? Number(BigInt.asIntN(32, value)) : value;
  const isUnsignedCode = bits < 8;
  return wrapInteger(number, bits, isSigned && !isUnsignedCode);
}

/** Encodes one value, rounded once, by the rules of ONNX Cast. A NaN has no sign here, as in JavaScript: it becomes the
 * positive quiet NaN, or -0 in the 4- and 6-bit floats, which have no NaN. Returns the entry of the data array: a bit
 * pattern for the floats below 32 bits and the packed types, a pair for the complex ones. The options are Cast's.
 * @type {(dtype: DType, value: any, options?: { saturate?: boolean, round_mode?: 'up' | 'down' | 'nearest' }) =>
 *   any} */
export function encode(dtype, value, { saturate = true, round_mode = 'up' } = {}) {
  const { bits, format } = dtype;
  switch (format.kind) {
    case 'string':
      return value;
    case 'bool':
      return typeof value === 'boolean' ? Number(value) : Number(value !== 0 && value !== 0n);
    case 'complex':
      return [0, 1].map((part) => nearestFloat(bits / 2, value[part]));
    case 'int':
      return encodeInteger(value, bits, format.signed);
    case 'float':
      if (bits >= 32) return nearestFloat(bits, value);
      // Floats of 16 bits have infinities instead; those of 4 and 6 saturate without being asked.
      return encodeFloat(format, float64ToRound(bits, value), saturate && bits === 8, round_mode);
    default:
      return noCase('encode', format);
  }
}

/** @type {(dtype: DType, data: TensorData, index: number) => any} */
export function decode(dtype, data, index) {
  const { bits, format } = dtype;
  switch (format.kind) {
    case 'string':
      return data[index];
    case 'bool':
      return data[index] === 0 ? 0 : 1;
    case 'complex':
      return [data[2 * index], data[2 * index + 1]];
    case 'int':
      return bits >= 8 ? data[index] : wrapInteger(packedCode(bits, data, index), bits, format.signed);
    case 'float':
      // The entries of these arrays are the numbers themselves, those of other arrays are codes.
      if (bits >= 32 || typedArrayName(data) === 'Float16Array') return data[index];
      return decodeFloat(format, bits < 8 ? packedCode(bits, data, index) : data[index]);
    default:
      return noCase('decode', format);
  }
}

/** Reads the code of packed element `index`, an unsigned number of `bits` bits, which may begin in one byte and end in
 * the next. The low bits of a byte come first.
 * @type {(bits: number, data: Uint8Array, index: number) => number} */
export function packedCode(bits, data, index) {
  const firstBit = index * bits;
  const byte = Math.floor(firstBit / 8);
  // Behind the last byte there is undefined, which << takes as 0.
  const twoBytes = data[byte] | (data[byte + 1] << 8);
  const mask = (1 << bits) - 1;
  return (twoBytes >> (firstBit % 8)) & mask;
}

/** Writes the entry that {@link encode} returned. The bits of a packed element must still be zero.
 * @type {(dtype: DType, data: TensorData, index: number, code: unknown) => void} */
export function store(dtype, data, index, code) {
  if (dtype.format.kind === 'complex') [data[2 * index], data[2 * index + 1]] = /** @type {[number, number]} */ (code);
  else if (isPacked(dtype)) storePacked(dtype.bits, data, index, /** @type {number} */ (code));
  else data[index] = code;
}

/** Writes the code of packed element `index`, laid out as {@link packedCode} reads it.
 * @type {(bits: number, data: Uint8Array, index: number, code: number) => void} */
function storePacked(bits, data, index, code) {
  const firstBit = index * bits;
  const byte = Math.floor(firstBit / 8);
  const twoBytes = code << (firstBit % 8);
  data[byte] |= twoBytes; // the lower one: the array drops the bits above it
  if (twoBytes > 0xff) data[byte + 1] |= twoBytes >> 8;
}

/** @type {(value: unknown) => boolean} */
const isNumeric = (value) => typeof value === 'number' || typeof value === 'bigint';

/** The rules that values keep, by their dtype's kind. Integers have a range as well.
 * @type {Record<NumberFormat['kind'], { rule: string, holds: (value: unknown) => boolean }>} */
const kinds = {
  string: { rule: 'a string', holds: (value) => typeof value === 'string' },
  bool: { rule: 'a boolean, a number or a bigint', holds: (value) => typeof value === 'boolean' || isNumeric(value) },
  complex: {
    rule: 'a pair [re, im] of numbers',
    holds: (value) => Array.isArray(value) && value.length === 2 && value.every(isNumeric),
  },
  int: { rule: 'a number or a bigint', holds: isNumeric },
  float: { rule: 'a number or a bigint', holds: isNumeric },
};

/** Writes the first `size` values of a list to a data array of zeros, as {@link encode} gives them, and refuses values
 * of the wrong kind or outside an integer type's range. In JavaScript, because it works before any module is loaded.
 * @type {(dtype: DType, values: ArrayLike<unknown>, data: unknown, size: number) => void} */
export function encodeValues(dtype, values, data, size) {
  const { name, format } = dtype;
  const { rule, holds } = kinds[format.kind];
  for (let index = 0; index < size; index++) {
    const value = values[index];
    if (!holds(value)) typeError(`${name} value ${index} must be ${rule}, got ${show(value)}`);
    if (format.kind === 'int') checkRange(dtype, /** @type {number | bigint} */ (value), index);
    store(dtype, data, index, encode(dtype, value));
  }
}

/** Refuses a value that is outside an integer type's range once it is cut to a whole number; NaN, too.
 * @type {(dtype: DType, value: number | bigint, index: number) => void} */
function checkRange({ name, bits, format }, value, index) {
  const isSigned = format.kind === 'int' && format.signed;
  const lowest = isSigned ? -(2 ** (bits - 1)) : 0;
  const end = isSigned ? 2 ** (bits - 1) : 2 ** bits;
  // JavaScript compares a bigint with a number exactly, and the bounds are exact: powers of two.
  const integer = typeof value === 'bigint' ? value : Math.trunc(value);
  if (integer >= lowest && integer < end) return;
  const range = `[${BigInt(lowest)}, ${BigInt(end)})`;
  rangeError(`${name} value ${index} must be in ${range}, got ${show(value)}`);
}

/** Decodes the first `size` elements of a data array. By a loop: `Array.from` takes 1.5 times as long.
 * @type {(dtype: DType, data: unknown, size: number) => any[]} */
export function decodeValues(dtype, data, size) {
  const values = [];
  for (let index = 0; index < size; index++) values.push(decode(dtype, data, index));
  return values;
}
