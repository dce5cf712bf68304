/**
 * Values to codes and back, one element at a time, for `Tensor.from`, `toArray` and printing, which need no wasm
 * module. Everything follows from the dtype's row; no type has code of its own.
 */
import { rangeError, show, typedArrayName, typeError } from '../arguments/index.js';
import { noCase } from './dtypes.js';
import { decodeFloat, encodeFloat } from './floats.js';

/** @import { DType, NumberFormat, TensorData } from './types.js' */

/**
 * One decoded element: bigint for the 64-bit integers, 0 or 1 for bool, a pair [re, im] for the complex types.
 * @typedef {number | bigint | string | [number, number]} Value
 */

/** Rounds an integer to a float64 that every shorter format rounds as it would round the integer itself. The integer is
 * cut to 53 bits, the last of which is set if anything was cut off (rounding to odd), so that a tie is one only if the
 * integer is.
 * @type {(value: bigint) => number} */
function oddFloat64(value) {
  // `cut`: how many bits the integer has beyond 53.
  const magnitude = value < 0n ? -value : value;
  const cut = BigInt(Math.max(0, magnitude.toString(2).length - 53));
  const cutMagnitude = magnitude >> cut;
  const odd = cutMagnitude << cut === magnitude ? cutMagnitude : cutMagnitude | 1n;
  return (value < 0n ? -1 : 1) * Number(odd) * 2 ** Number(cut);
}

/** Gives the float64 that a float format of `bits` bits then rounds. A bigint is rounded to odd for formats shorter
 * than float64, because rounding to nearest twice may differ from rounding once.
 * @type {(bits: number, value: number | bigint) => number} */
function float64For(bits, value) {
  if (typeof value === 'number') return value;
  return bits < 64 ? oddFloat64(value) : Number(value);
}

/** Rounds a number or a bigint to the nearest float32 (`bits` 32) or float64 (64), once.
 * @type {(bits: number, value: number | bigint) => number} */
function nearestFloat(bits, value) {
  const number = float64For(bits, value);
  if (bits === 64) return number;
  return bits === 32 ? Math.fround(number) : noCase('nearestFloat', /** @type {never} */ (bits));
}

/** Encodes one value, rounded once, by the rules of ONNX Cast: floats to nearest even with gradual underflow, but
 * float8e8m0 by `round_mode`; integers toward zero and then modulo 2^bits; bool to 1 for all but 0. Numbers beyond an
 * 8-bit float become its largest one if `saturate`, those beyond a 4- or 6-bit float always do. A NaN has no sign here,
 * as in JavaScript: it becomes the positive quiet NaN, or -0 in the 4- and 6-bit floats, which have no NaN. Returns the
 * entry of the data array: a bit pattern for the floats below 32 bits and the packed types, a pair for the complex
 * ones.
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
    case 'int': {
      // 64 bits are bigints. NaN and infinities give 0.
      if (bits > 32) {
        const integer = typeof value === 'bigint' ? value : BigInt(Number.isFinite(value) ? Math.trunc(value) : 0);
        return format.signed ? BigInt.asIntN(bits, integer) : BigInt.asUintN(bits, integer);
      }
      // `<<` cuts a number toward zero and takes it modulo 2^32; NaN and infinities become 0. Its low bits, moved to
      // the top of an int32 and back: with the sign or, as packed elements are stored, as an unsigned code.
      const high = (typeof value === 'bigint' ? Number(BigInt.asIntN(32, value)) : value) << (32 - bits);
      return format.signed && bits >= 8 ? high >> (32 - bits) : high >>> (32 - bits);
    }
    case 'float':
      // Of the shorter floats those of 8 bits saturate alone.
      return bits >= 32
        ? nearestFloat(bits, value)
        : encodeFloat(format, float64For(bits, value), saturate && bits === 8, round_mode);
    default:
      return noCase('encode', format);
  }
}

/** Decodes element `index` of a data array to a {@link Value}: packed types and floats below 32 bits from their codes.
 * @type {(dtype: DType, data: TensorData, index: number) => any} */
export function decode(dtype, data, index) {
  const { bits, format } = dtype;
  switch (format.kind) {
    case 'string':
      return data[index];
    case 'bool':
      return data[index] === 0 ? 0 : 1;
    case 'complex':
      return [data[2 * index], data[2 * index + 1]];
    case 'int': {
      if (bits >= 8) return data[index];
      // Moved to the top of an int32 and back, so that the sign of a signed element is spread.
      const high = packedCode(bits, data, index) << (32 - bits);
      return format.signed ? high >> (32 - bits) : high >>> (32 - bits);
    }
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
  const byte = Math.floor((index * bits) / 8);
  // Behind the last byte there is undefined, which counts as 0.
  const pair = data[byte] | (data[byte + 1] << 8);
  return (pair >> ((index * bits) % 8)) & ((1 << bits) - 1);
}

/** Writes the entry that {@link encode} returned, `code`, as element `index` of a data array. The bits of a packed
 * element must still be zero.
 * @type {(dtype: DType, data: TensorData, index: number, code: unknown) => void} */
export function store({ bits, format }, data, index, code) {
  if (format.kind === 'complex') [data[2 * index], data[2 * index + 1]] = /** @type {[number, number]} */ (code);
  // A string has 0 bits.
  else if (bits > 0 && bits < 8) storePacked(bits, data, index, /** @type {number} */ (code));
  else data[index] = code;
}

/** Writes the code of packed element `index`, whose bits are still zero; it may begin in one byte and end in the next.
 * @type {(bits: number, data: Uint8Array, index: number, code: number) => void} */
function storePacked(bits, data, index, code) {
  const byte = Math.floor((index * bits) / 8);
  const pair = code << ((index * bits) % 8);
  data[byte] |= pair;
  if (pair > 0xff) data[byte + 1] |= pair >> 8;
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

/** Writes the first `size` values of a list to a data array of zeros, and refuses values of the wrong kind or outside
 * an integer type's range. The values are those that `decodeValues` gives, or any number or bigint. Floats are rounded
 * once, to nearest even, float8e8m0 up to a power of two; numbers beyond a float of 4, 6 or 8 bits become its largest
 * one. Integers are cut toward zero. In JavaScript, because it works before any module is loaded.
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

/** Refuses a value that lies outside an integer type's range once it is cut to a whole number, as NaN and infinities
 * do. `index`: its place in the list, for the message.
 * @type {(dtype: DType, value: number | bigint, index: number) => void} */
function checkRange({ name, bits, format }, value, index) {
  const isSigned = format.kind === 'int' && format.signed;
  const low = isSigned ? -(2 ** (bits - 1)) : 0;
  const high = isSigned ? 2 ** (bits - 1) : 2 ** bits;
  // JavaScript compares a bigint with a number exactly, and the bounds are exact: powers of two.
  const integer = typeof value === 'bigint' ? value : Math.trunc(value);
  if (integer >= low && integer < high) return;
  const range = `[${BigInt(low)}, ${BigInt(high)})`;
  rangeError(`${name} value ${index} must be in ${range}, got ${show(value)}`);
}

/** Decodes the first `size` elements of a data array. By a loop: `Array.from` takes 1.5 times as long (measured).
 * @type {(dtype: DType, data: unknown, size: number) => any[]} */
export function decodeValues(dtype, data, size) {
  const values = [];
  for (let index = 0; index < size; index++) values.push(decode(dtype, data, index));
  return values;
}
