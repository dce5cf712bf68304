/** Cast: every number format to every other, and to and from text. */
import { bytesOf, rangeError, show, typeError, unknownName } from '../../arguments/index.js';
import { convertBytes } from '../../engines/tensors/index.js';
import { codeOfText, decode, dtypeOf, dtypes, newData, store, textOf, typeNames } from '../../tensor/index.js';
import { checkType, define, filled, flag, runNamed, tensor, typeOfNode, word } from '../core/index.js';

/** @import { Call, CastAttributes, CastOptions, DType, Input, Naming, Operator, Target, Tensor } from '../types.js' */
/** @import { Plan, Rules, TensorData, TensorInfo, TensorLike, TypeName } from '../types.js' */

/** The words of `round_mode`: how float8e8m0 rounds. */
const roundModes = ['up', 'down', 'nearest'];

/** @type {Input} the result's type: an attribute in ONNX, an argument of its own in a call */
const target = {
  kind: 'argument',
  name: 'to',
  optional: false,
  isEarly: true,
  fromNode: typeOfNode,
  read: (_, call, value) => readTarget(call, value),
  known: (_, call, value) => readTarget(call, value),
};

/** @type {Operator<{ input?: TensorInfo }, CastAttributes & Target>} */
export const Cast = define({
  name: 'Cast',
  versions: { 1: 3, 6: 3, 9: 3, 13: 4, 19: 9, 21: 10, 23: 11, 24: 12, 25: 13, 28: 14 },
  lacks: { 1: ['string', 'complex'], 9: ['complex'] },
  undefinedFor: ['complex'],
  inputs: [tensor('input'), target],
  attributes: { saturate: flag(true, { since: 19 }), round_mode: word(roundModes, { since: 24 }) },
  /** Plans a cast from the input's type to `dtype`, which the input `to` says. {@link filled} sets `isFresh`, which is
   * here only because an object that gets another property later makes small casts slower. */
  shape(_, { saturate, round_mode }, { dtype: from, size, dims }, dtype) {
    return { dims, dtype, from, size, rules: { saturate, round_mode }, isFresh: false };
  },
  move: filled(convert, readNumbers),
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
 * @template {TypeName} T
 * @param {TensorLike} input
 * @param {T | 'float' | 'double' | Naming<CastOptions, 'to'>} to the result's type
 * @param {CastOptions} [options]
 * @returns {Tensor<T>} with memory of its own, even if the type is the input's; or over `out.data`
 * @example
 * const input = { type: 'float32', data: Float32Array.of(1, -2.5, 1e6), dims: [3] };
 * cast(input, 'float8e4m3fn').data; // Uint8Array [0x38, 0xc2, 0x7e]
 */
export const cast = (input, to, options) => runNamed(Cast, [input, to], options);

/** Reads the type that a call casts to, and refuses one that the version does not take.
 * @type {(call: Call, to: unknown) => DType} */
function readTarget(call, to) {
  const dtype = dtypeOf(to) ?? unknownTarget(to);
  checkType(call, 'to', dtype);
  return dtype;
}

/** Refuses a value that is no type to cast to; a name that is nearly one gets a proposal.
 * @type {(to: unknown) => never} */
function unknownTarget(to) {
  if (typeof to === 'string') unknownName('type', to, typeNames);
  return typeError(`to must be one of the ${Object.keys(dtypes).length} types of ONNX, got ${show(to)}`);
}

/** @typedef {{ dtype: DType, from: DType, size: number, rules: Rules }} CastPlan */

/** Writes the elements of a cast from the type `from` to the type `dtype`. `numbersOfText`: what {@link readNumbers}
 * read where strings are cast to numbers.
 * @type {(plan: Plan, result: TensorData, sources: TensorData[], numbersOfText: TensorData | undefined) => void} */
function convert(plan, result, [source], numbersOfText) {
  const { dtype, from, size, rules } = /** @type {CastPlan} */ (plan);
  const isToString = dtype.array === 'Array';
  const isBetweenNumbers = hasNumbers(from) && hasNumbers(dtype);
  const isToFloat = isBetweenNumbers && dtype.format.kind === 'float';
  if (isToString) {
    for (let i = 0; i < size; i++) result[i] = from === dtype ? source[i] : textOf(from, decode(from, source, i));
  } else if (numbersOfText) {
    bytesOf(result).set(bytesOf(numbersOfText));
  } else if (isToFloat) {
    // The JS engine's own conversion rounds once, to nearest even, and is the fastest: uint8 to float32 takes 0.7 of
    // the wasm module's time.
    if (size > 0) result.set(source);
  } else {
    convertBytes(from, dtype, size, source, result, rules);
  }
}

/** Reads numbers from strings to data of the result's type; undefined unless strings are cast to numbers. A string that
 * is no number is refused here, before anything is written to an `out`.
 * @type {(plan: Plan, values: unknown[], sources: TensorData[]) => TensorData | undefined} */
function readNumbers(plan, _, [strings]) {
  const { dtype, from, rules } = /** @type {CastPlan} */ (plan);
  const isTextToNumber = from.array === 'Array' && dtype.array !== 'Array';
  if (!isTextToNumber) return undefined;
  const data = newData(dtype, strings.length);
  strings.forEach((/** @type {string} */ text, /** @type {number} */ i) => {
    const code = codeOfText(dtype, text, rules);
    if (code === undefined) rangeError(`data must hold numbers, got ${show(text)} at ${i}`);
    store(dtype, data, i, code);
  });
  return data;
}

/** Tells whether the data of a type hold its values as numbers: not as codes, like bfloat16 and int4, nor as bigints.
 * @type {(dtype: DType) => boolean} */
function hasNumbers({ array, bits, format }) {
  if (format.kind === 'int') return bits >= 8 && bits < 64;
  return format.kind === 'float' && !array.startsWith('Uint');
}
