/** Range: numbers with a step between them. */
import { rangeError, readWhole, show, typeError } from '../../arguments/index.js';
import { fillRange } from '../../engines/tensors/index.js';
import { decodeValues, dtypes, encodeValues, newData } from '../../tensor/index.js';
import { define, filled, isUnknown, number, runNamed, type } from '../core/index.js';

/** @import { DType, Naming, Operator, RangeAttributes, RangeOptions, Tensor, TensorInfo } from '../types.js' */
/** @import { TensorLike, TypeCheck } from '../types.js' */

const names = /** @type {const} */ (['start', 'limit', 'delta']);

/** Makes the check of the input `name`, if it is a tensor: its type must be one that the version takes, and that of the
 * first of the inputs that is a tensor.
 * @type {(name: string) => TypeCheck} */
const sameType = (name) => (dtype, call, values) => {
  call.checkType(dtype);
  const firstTensor = values.findIndex((value) => value?.dtype);
  if (firstTensor < 0) return;
  const firstType = values[firstTensor].dtype;
  if (firstType !== dtype)
    typeError(`${name} must have the type of ${names[firstTensor]}, ${firstType.name}, got ${dtype.name}`);
};

/** Checks `stash_type`, the type in which numbers of 16 bits are computed.
 * @type {(dtype: DType) => void} */
const stashCheck = ({ name }) => {
  if (name !== 'float32' && name !== 'float64') typeError(`stash_type must be float32 or float64, got ${name}`);
};

/** The types of the first version. */
const firstTypes = /** @type {const} */ (['float32', 'float64', 'int16', 'int32', 'int64']);

/** @type {Operator<{ start?: TensorInfo, limit?: TensorInfo, delta?: TensorInfo }, RangeAttributes>} */
export const Range = define({
  name: 'Range',
  versions: { 11: 3, 27: 4 },
  types: { 11: firstTypes, 27: [...firstTypes, 'float16', 'bfloat16'] },
  undefinedFor: ['string', 'bool', 'complex'],
  inputs: names.map((name) => number(name, sameType(name))),
  attributes: { stash_type: type(stashCheck, dtypes.float32, { since: 27 }) },
  /** Plans the range: its type and length, and `start` and `delta`, rounded to that type. */
  shape(_, { stash_type: stashType }, startInput, limitInput, deltaInput) {
    const inputs = [startInput, limitInput, deltaInput];
    const tensorInput = inputs.find((input) => input.dtype);
    const dtype = tensorInput?.dtype ?? typeOfNumbers(inputs.map((input) => input.value));
    const isLengthKnown = inputs.every(({ value }) => value !== undefined && !isUnknown(value));
    if (!isLengthKnown) return { dims: [null], dtype };
    const [start, limit, delta] = inputs.map(({ value }, i) => roundedTo(dtype, names[i], value));
    if (delta === 0 || delta === 0n) rangeError(`delta must not be 0, got ${delta}`);
    // The type in which the engine computes each element, before it is rounded to the result's.
    const computingType = dtype.bits === 16 ? stashType : dtypes.float64;
    return { dims: [countElements(start, limit, delta)], dtype, start, delta, computingType };
  },
  /** Writes start + i * delta to element i. */
  move: filled(({ dims, dtype, start, delta, computingType }, data) =>
    fillRange(/** @type {DType} */ (dtype), computingType, [start, delta], dims[0], data),
  ),
});

/** Chooses the type of a range where no input is a tensor: int64 if all numbers are whole, float32 otherwise.
 * @type {(numbers: unknown[]) => DType} */
function typeOfNumbers(numbers) {
  const areWhole = numbers.every((number) => typeof number === 'bigint' || Number.isInteger(number));
  return areWhole ? dtypes.int64 : dtypes.float32;
}

/** Rounds a value to a type, by writing it and reading it again. Of an integer type, the result is a bigint.
 * @type {(dtype: DType, name: string, value: number | bigint) => number | bigint} */
function roundedTo(dtype, name, value) {
  const isInteger = dtype.format.kind === 'int';
  if (!isInteger && !Number.isFinite(Number(value))) rangeError(`${name} must be finite, got ${show(value)}`);
  const checked = isInteger ? readWhole(name, value) : value;
  const data = newData(dtype, 1);
  encodeValues(dtype, [checked], data, 1);
  const [rounded] = decodeValues(dtype, data, 1);
  return isInteger ? BigInt(/** @type {string | number | bigint | boolean} */ (rounded)) : rounded;
}

/** Counts the elements of a range: max(ceil((limit - start) / delta), 0). All three are numbers, or all are bigints.
 * @type {(start: number | bigint, limit: number | bigint, delta: number | bigint) => number} */
function countElements(start, limit, delta) {
  if (typeof delta !== 'bigint') return Math.max(Math.ceil((Number(limit) - Number(start)) / Number(delta)), 0);
  const [first, end] = /** @type {bigint[]} */ ([start, limit]);
  const isUpward = delta > 0n;
  const span = isUpward ? end - first : first - end;
  const step = isUpward ? delta : -delta;
  if (span <= 0n) return 0;
  // The division of bigints rounds down: with step - 1 added, up.
  return Number((span + step - 1n) / step);
}

/**
 * Range: start, start + delta and so on, up to the limit and without it. Element i is start + i * delta, rounded once;
 * of float16 and bfloat16 the product and the sum are rounded to `stash_type` before.
 *
 * Each of the three is a number, or a tensor of one element; of numbers alone the result is int64
 * where all are whole, and float32 otherwise.
 * @overload
 * @param {number | bigint | TensorLike} start
 * @param {number | bigint | TensorLike} limit
 * @param {number | bigint | TensorLike | Naming<RangeOptions, 'delta'>} delta not 0
 * @param {RangeOptions} [options]
 * @returns {Tensor} of rank 1, with memory of its own, or over `out.data`
 * @example
 * range(10, 4, -2).data; // BigInt64Array [10n, 8n, 6n]
 */
/**
 * @overload
 * @param {number | bigint | TensorLike} start
 * @param {Naming<RangeOptions, 'limit' | 'delta'>} options
 * @returns {Tensor}
 */
/**
 * @overload
 * @param {Naming<RangeOptions, 'start' | 'limit' | 'delta'>} options
 * @returns {Tensor}
 */
/** @param {unknown} start @param {unknown} [limit] @param {unknown} [delta] @param {unknown} [options] */
export function range(start, limit, delta, options) {
  return runNamed(Range, [start, limit, delta], options);
}
