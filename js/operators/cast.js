/** Cast: every number format to every other, and to and from text. */
import { bytesOf, copyTo, readFlag, readWord, show, wrongKind, wrongValue } from '../arguments/index.js';
import { convertBytes, ready } from '../engine/index.js';
import {
  checkData,
  checkOut,
  codeOfText,
  decode,
  dtypeOf,
  dtypes,
  newData,
  readOut,
  readTensor,
  store,
  tensorOf,
  textOf,
} from '../tensor/index.js';
import { checkKeys, readCall, typeCheck } from './call.js';

/** @import { DType, Tensor, TensorLike, TypeName } from '../tensor/index.js' */
/** @import { Call } from './call.js' */
/** @import { CallOptions, Flag } from './operators.js' */

/** How float8e8m0 rounds, in the order of the module's numbers. */
const roundModes = /** @type {const} */ (['up', 'down', 'nearest']);
/** @typedef {typeof roundModes[number]} RoundMode */

/**
 * Cast: the same elements in another type.
 *
 * - To its own type: a copy, bit for bit (a bool's bytes other than 0 become 1).
 * - To a float: rounded once, to nearest even, with gradual underflow. What is too large becomes infinity, in the 8-bit floats with
 *   `saturate` the largest number; in float4e2m1 always the largest number. NaN stays NaN; float4e2m1, which has none, takes -0.
 * - To float8e8m0: to a power of two as `round_mode` says. Zero, negative numbers and what is too small become its smallest, what is
 *   too large its largest; without `saturate` all of these become NaN.
 * - To an integer: toward zero, then modulo 2^bits; NaN and infinities become 0. To bool: 1 for all but zeros.
 * - To string: integers in decimal, floats by the fewest digits that name the value in its format (in float32 for formats below 16
 *   bits), plain from 1e-4 to 1e16 and scientific elsewhere; `NaN`, `INF`, `-INF`; a bool is `True` or `False`.
 * - From string: the same, and `infinity`, in any case, `+` or `-` in front; `true` and `false` to bool alone. Space around is no
 *   part of a number. An integer is cut and wrapped from the exact number; float8e8m0 is read by way of float32.
 *
 * ONNX Cast-1, 6, 9, 13, 19, 21, 23, 24, 25.
 * @param {TensorLike} input
 * @param {TypeName | 'float' | 'double'} to the result's type
 * @param {{ saturate?: Flag, round_mode?: RoundMode, out?: TensorLike } & CallOptions} [options] `saturate`: from opset 19; 1 if omitted;
 *   counts for the five 8-bit floats. `round_mode`: from opset 24; 'up' if omitted; counts for float8e8m0, where 'nearest' takes ties
 *   up. `out`: a tensor of the result's type and dims to write to, its memory apart from the input's
 * @returns {Tensor} with memory of its own, even if the type is the input's; or over `out.data`
 * @throws {TypeError} no tensor, a type that the version does not take (complex ones are in none), an unknown option
 * @throws {RangeError} a string that spells no number, out does not fit or overlaps, out of memory
 * @throws {Error} before `init()`
 * @example
 * cast({ type: 'float32', data: Float32Array.of(1, -2.5, 1e6), dims: [3] }, 'float8e4m3fn').data; // Uint8Array [0x38, 0xc2, 0x7e]
 */
export function cast(input, to, options) {
  ready('cast');
  const call = readCall('Cast', options);
  const { prefix } = call;
  const parts = readTensor(prefix, 'input', input, castCheck(call));
  const target = readTarget(call, to);
  checkKeys(call, options, 'out');
  const saturate = readFlag(prefix, 'saturate', options?.saturate, true);
  const round_mode = readRoundMode(prefix, options?.round_mode);
  const given = options?.out;
  const out = given === undefined ? undefined : readOut(prefix, 'out', given, target, parts.dims);
  const source = checkData(prefix, parts);
  if (out) checkOut(prefix, 'out', out, 'input', parts);
  const { dtype, size, dims } = parts;
  const result = out ? out.data : newData(prefix, target, size, dtype === target ? parts.data : undefined);
  if (target.array === 'Array') {
    // All texts before the first is written to out: it may run code of the caller's then, and take the source away.
    /** @type {string[]} */
    const texts = out ? [] : result;
    for (let i = 0; i < size; i++) texts[i] = dtype === target ? source[i] : textOf(dtype, decode(dtype, source, i));
    if (out) for (let i = 0; i < size; i++) result[i] = texts[i];
  } else if (dtype.array === 'Array') {
    bytesOf(result).set(bytesOf(readNumbers(prefix, target, source, { saturate, round_mode })));
  } else if (isNumbers(dtype) && isNumbers(target) && target.format.kind === 'float') {
    // The engine's own conversion rounds once, to nearest even, and nothing is faster (uint8 to float32: 0.7 of the module's time).
    if (size > 0) copyTo(result, source);
  } else {
    const flags = Number(saturate) | (roundModes.indexOf(round_mode) << 1);
    convertBytes('cast', dtype, target, size, bytesOf(source), bytesOf(result), flags);
  }
  return tensorOf(target, result, dims);
}

/** No format's conversion is defined for complex numbers, so `strict` has nothing to lift there. @type {(call: Call, what?: string) => (dtype: DType) => void} */
export const castCheck = (call, what) => (dtype) => {
  typeCheck(dtype.format.kind === 'complex' ? { ...call, strict: true } : call, what)(dtype);
};

/** @type {(call: Call, to: unknown) => DType} */
export function readTarget(call, to) {
  const target = dtypeOf(to);
  if (!target)
    wrongKind(call.prefix, `to must be one of the ${Object.keys(dtypes).length} types of ONNX, got ${show(to)}`);
  castCheck(call, 'to')(target);
  return target;
}

/** @type {(prefix: string, value: unknown) => RoundMode} */
export function readRoundMode(prefix, value) {
  return readWord(prefix, 'round_mode', roundModes, value) ?? 'up';
}

/** All strings are read before any number is written. @type {(prefix: string, dtype: DType, strings: string[], options: { saturate: boolean, round_mode: RoundMode }) => any} */
function readNumbers(prefix, dtype, strings, options) {
  const data = newData(prefix, dtype, strings.length, undefined);
  strings.forEach((text, i) => {
    const code = codeOfText(dtype, text, options);
    if (code === undefined) wrongValue(prefix, `data must hold numbers, got ${show(text)} at ${i}`);
    store(dtype, data, i, code);
  });
  return data;
}

/** Whether a type's array class holds its values themselves, as numbers. @type {(dtype: DType) => boolean} */
function isNumbers({ array, bits, format }) {
  return (format.kind === 'int' && bits >= 8 && bits < 64) || (format.kind === 'float' && !array.startsWith('Uint'));
}
