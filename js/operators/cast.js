/** Cast: every number format to every other, and to and from text. */
import { bytesOf, rangeError, readFlag, readWord, show, typeError, unknownName } from '../arguments/index.js';
import { convertBytes } from '../engine/index.js';
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
  typeNames,
} from '../tensor/index.js';
import { moving, checkKeys, checkType } from './call.js';
import { readKnown } from './tensor-info.js';
import { operator } from './operator.js';
import { typeOfNode } from './type-codes.js';

/** @import { DType, CheckedTensor, Tensor, TensorLike, TypeName } from '../tensor/index.js' */
/** @import { CallOptions, Flag } from './call.js' */
/** @import { TensorInfo } from './tensor-info.js' */
/** @import { Call, Operator } from './operator.js' */

/** How float8e8m0 rounds, in the order of the module's numbers. */
const roundModes = /** @type {const} */ (['up', 'down', 'nearest']);
/** @typedef {typeof roundModes[number]} RoundMode */

/**
 * @typedef {object} Attributes
 * @property {Flag} [saturate] from opset 19; 1 if omitted; counts for the five 8-bit floats
 * @property {RoundMode} [round_mode] from opset 24; 'up' if omitted; counts for float8e8m0, where 'nearest' takes ties
 *   up
 */
/**
 * @typedef {object} Results
 * @property {TensorLike} [out] a tensor of the result's type and dims to write to, its memory apart from the input's
 */
/**
 * The result's type: an attribute in ONNX, an argument of its own in a call.
 * @typedef {object} Target
 * @property {TypeName | 'float' | 'double'} [to]
 */

/** @type {Operator<{ input?: TensorInfo }, Attributes & Target>} */
export const Cast = operator({
  name: 'Cast',
  versions: [
    [1, 3, { lacks: ['string', 'complex'], attributes: [] }],
    [6, 3],
    [9, 3, { lacks: ['complex'] }],
    [13, 4],
    [19, 9, { attributes: ['saturate'] }],
    [21, 10],
    [23, 11],
    [24, 12, { attributes: ['saturate', 'round_mode'] }],
    [25, 13],
    [28, 14],
  ],
  inputs: ['input'],
  undefinedFor: ['complex'],
  infer(call, inputs, options) {
    const { dims } = readKnown('input', inputs.input, call.checkType);
    const target = readTarget(call, options?.to);
    checkKeys(call, options, 'to');
    readAttributes(options);
    return { type: target.name, dims };
  },
  run: ([input], { to, ...options }, node) => cast(input, typeOfNode(node, 'to', to), options),
});

/**
 * Cast: the same elements in another type.
 *
 * - To its own type: a copy, bit for bit (a bool's bytes other than 0 become 1).
 * - To a float: rounded once, to nearest even, with gradual underflow. A number that is too large becomes infinity; in
 *   the 8-bit floats with `saturate`, and always in the 6- and 4-bit floats, it becomes the largest number. NaN stays
 *   NaN; the 6- and 4-bit floats have none and take -0.
 * - To float8e8m0: to a power of two, as `round_mode` says. Zero, negative numbers and numbers that are too small
 *   become the smallest one, numbers that are too large the largest; without `saturate` all of these become NaN.
 * - To an integer: toward zero, then modulo 2^bits; NaN and infinities become 0. To bool: 1 for all but zeros.
 * - To string: integers in decimal; floats by the fewest digits that name the value in its format (in float32 for
 *   formats below 16 bits), plain from 1e-4 to 1e16 and scientific elsewhere; `NaN`, `INF`, `-INF`; a bool is `True` or
 *   `False`.
 * - From string: the same, and `infinity`, in any case, with `+` or `-` in front; `true` and `false` to bool alone.
 *   Space around a number is ignored. An integer is cut and wrapped from the exact number; float8e8m0 is read by way of
 *   float32.
 *
 * ONNX Cast-1, 6, 9, 13, 19, 21, 23, 24, 25, 28.
 * @param {TensorLike} input
 * @param {TypeName | 'float' | 'double'} to the result's type
 * @param {Attributes & Results & CallOptions} [options]
 * @returns {Tensor} with memory of its own, even if the type is the input's; or over `out.data`
 * @throws {TypeError} no tensor, a type that the version does not take (complex ones are in none), an unknown option
 * @throws {RangeError} a string that spells no number, out does not fit or overlaps, out of memory
 * @throws {Error} before `init()`
 * @example
 * const input = { type: 'float32', data: Float32Array.of(1, -2.5, 1e6), dims: [3] };
 * cast(input, 'float8e4m3fn').data; // Uint8Array [0x38, 0xc2, 0x7e]
 */
export function cast(input, to, options) {
  return moving(Cast, options, (call) => {
    const parts = readTensor('input', input, call.checkType);
    const target = readTarget(call, to);
    checkKeys(call, options, 'out');
    const rules = readAttributes(options);
    const given = options?.out;
    const out = given === undefined ? undefined : readOut('out', given, target, parts.dims);
    const source = checkData(parts);
    if (out) checkOut('out', out, 'input', parts);
    const like = parts.dtype === target ? parts.data : undefined;
    const result = out ? out.data : newData(target, parts.size, like);
    convert(parts, source, target, result, rules);
    return tensorOf(target, result, parts.dims);
  });
}

/**
 * @param {Call} call
 * @param {unknown} to
 * @returns {DType}
 */
function readTarget(call, to) {
  const target = dtypeOf(to) ?? unknownTarget(to);
  checkType(call, 'to', target);
  return target;
}

/**
 * @param {unknown} to
 * @returns {never}
 */
function unknownTarget(to) {
  if (typeof to === 'string') unknownName('type', to, typeNames);
  return typeError(`to must be one of the ${Object.keys(dtypes).length} types of ONNX, got ${show(to)}`);
}

/**
 * @param {Attributes | undefined} options
 * @returns {Rules}
 */
function readAttributes(options) {
  const saturate = readFlag('saturate', options?.saturate, true);
  const round_mode = readWord('round_mode', roundModes, options?.round_mode) ?? 'up';
  return { saturate, round_mode };
}
/** @typedef {{ saturate: boolean, round_mode: RoundMode }} Rules */

/**
 * Writes the elements of `source` to `result` in another type.
 * @param {CheckedTensor} parts of the input
 * @param {any} source the input's data, checked
 * @param {DType} target
 * @param {any} result
 * @param {Rules} rules
 */
function convert({ dtype, size }, source, target, result, rules) {
  if (target.array === 'Array') {
    for (let i = 0; i < size; i++) result[i] = dtype === target ? source[i] : textOf(dtype, decode(dtype, source, i));
  } else if (dtype.array === 'Array') {
    bytesOf(result).set(bytesOf(readNumbers(target, source, rules)));
  } else if (isNumbers(dtype) && isNumbers(target) && target.format.kind === 'float') {
    // The JS engine's own conversion rounds once, to nearest even, and is the fastest: uint8 to float32 takes 0.7 of
    // the wasm module's time.
    if (size > 0) result.set(source);
  } else {
    convertBytes(dtype, target, size, source, result, rules);
  }
}

/**
 * Reads all strings as numbers before any number is written.
 * @param {DType} dtype
 * @param {string[]} strings
 * @param {Rules} rules
 * @returns {any}
 */
function readNumbers(dtype, strings, rules) {
  const data = newData(dtype, strings.length, undefined);
  strings.forEach((text, i) => {
    const code = codeOfText(dtype, text, rules);
    if (code === undefined) rangeError(`data must hold numbers, got ${show(text)} at ${i}`);
    store(dtype, data, i, code);
  });
  return data;
}

/**
 * Whether a type's array class holds its values themselves, as numbers.
 * @param {DType} dtype
 * @returns {boolean}
 */
function isNumbers({ array, bits, format }) {
  return (format.kind === 'int' && bits >= 8 && bits < 64) || (format.kind === 'float' && !array.startsWith('Uint'));
}
