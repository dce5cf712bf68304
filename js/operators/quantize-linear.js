/** QuantizeLinear: numbers divided by a scale, and rounded to a small type. */
import { bytesOf, readFlag, typeError } from '../arguments/index.js';
import { numbersAs, quantizeBytes } from '../engine/index.js';
import { checkData, checkOut, checkLength, dtypes, newData, readOut, readTensor, tensorOf } from '../tensor/index.js';
import { moving, checkKeys } from './call.js';
import { readKnown } from './tensor-info.js';
import { operator } from './operator.js';
import {
  checkNoZero,
  checkZeroDims,
  mixingTypes,
  quantizedTypes,
  readGranularity,
  readOptional,
  readOptionalKnown,
  readTypeOption,
  sharingOf,
  sinceCheck,
  versionsOf,
} from './quantization.js';
import { withTypes } from './type-codes.js';

/** @import { DType, CheckedTensor, Tensor, TensorLike, TypeName } from '../tensor/index.js' */
/** @import { CallOptions, Flag } from './call.js' */
/** @import { TensorInfo } from './tensor-info.js' */
/** @import { Call, Operator } from './operator.js' */
/** @import { GranularityOptions } from './quantization.js' */

/**
 * @typedef {object} OwnAttributes
 * @property {Flag} [saturate] from opset 19; 1 if omitted; counts for the four float8 types
 * @property {TypeName} [output_dtype] from opset 21: the result's type; that of y_zero_point if omitted, or else uint8
 * @property {'float32' | 'float16' | 'bfloat16' | 'float'} [precision] from opset 23: of the quotient; the type of
 *   y_scale if omitted, or that of x where y_scale is float8e8m0. Before opset 23 it is float32
 */
/** @typedef {OwnAttributes & GranularityOptions} Attributes */
/**
 * @typedef {object} Results
 * @property {TensorLike} [out] a tensor of the result's type and dims to write to, its memory apart from the inputs'
 */

const inputTypes = Object.freeze({ float32: 10, int32: 10, float16: 19, bfloat16: 19 });
const scaleTypes = Object.freeze({ float32: 10, int32: 19, float16: 19, bfloat16: 19, float8e8m0: 24 });

/** @type {Operator<{ x?: TensorInfo, y_scale?: TensorInfo, y_zero_point?: TensorInfo }, Attributes>} */
export const QuantizeLinear = operator({
  name: 'QuantizeLinear',
  versions: versionsOf(inputTypes, {
    13: ['axis'],
    19: ['saturate'],
    21: ['block_size', 'output_dtype'],
    23: ['precision'],
  }),
  inputs: ['x', 'y_scale', 'y_zero_point'],
  optional: ['y_zero_point'],
  undefinedFor: ['string', 'complex'],
  infer(call, inputs, options) {
    const x = readKnown('x', inputs.x, call.checkType);
    const scale = readKnown('y_scale', inputs.y_scale, scaleCheck(call, x.dtype));
    const zero = readOptionalKnown('y_zero_point', inputs.y_zero_point, zeroCheck(call));
    checkKeys(call, options);
    const { to } = readAttributes(call, options, x.dtype, scale.dtype, zero?.dtype);
    readGranularity(call, 'y_scale', x.dims, scale.dims, options);
    checkZeroDims('y_zero_point', zero?.dims ?? null, 'y_scale', scale.dims);
    return { type: to.name, dims: x.dims };
  },
  run: ([x, scale, zero], options, node) =>
    quantizeLinear(x, scale, zero, withTypes(node, options, ['output_dtype', 'precision'])),
});

/**
 * QuantizeLinear: `x / y_scale`, to an integer rounded to the nearest, ties to even, plus `y_zero_point`, and
 * saturated. One scale for all of x; one for each entry of an axis; or, with `block_size`, one for so many entries of
 * the axis.
 *
 * - NaN becomes the lowest integer. A scale may be anything: it divides as IEEE 754 has it.
 * - To float8: as Cast rounds it, with `saturate`. To float6 and float4: the largest number where it is too large. Zero
 *   points of float8 and float6 must be 0; one of float4 is added before the sum is rounded.
 * - x and the scale are brought to the precision first, and the quotient is rounded to it. Quotients by an int32 scale
 *   are exact.
 *
 * ONNX QuantizeLinear-10, 13, 19, 21, 23, 24, 25, 28.
 * @param {TensorLike} x
 * @param {TensorLike} y_scale of one element; 1-D; or of the rank of x
 * @param {TensorLike | null} [y_zero_point] of the dims of y_scale and the result's type; 0 if omitted
 * @param {Attributes & Results & CallOptions} [options]
 * @returns {Tensor} with memory of its own, or over `out.data`
 * @throws {TypeError} no tensor, a type that the version does not take, types that do not go together, an unknown
 *   option
 * @throws {RangeError} an axis out of range, scales or zero points of other dims, out does not fit or overlaps, out of
 *   memory
 * @throws {Error} before `init()`
 * @example
 * const x = { type: 'float32', data: Float32Array.of(-1, 0.25, 0.75, 200), dims: [4] };
 * const scale = { type: 'float32', data: Float32Array.of(0.5), dims: [] };
 * const zero = { type: 'uint8', data: Uint8Array.of(3), dims: [] };
 * quantizeLinear(x, scale, zero).data; // Uint8Array [1, 3, 5, 255]
 */
export function quantizeLinear(x, y_scale, y_zero_point, options) {
  return moving(QuantizeLinear, options, (call) => {
    const parts = readTensor('x', x, call.checkType);
    const scale = readTensor('y_scale', y_scale, scaleCheck(call, parts.dtype));
    const zero = readOptional('y_zero_point', y_zero_point, zeroCheck(call));
    checkKeys(call, options, 'out');
    const { to, ...rounding } = readAttributes(call, options, parts.dtype, scale.dtype, zero?.dtype);
    const granularity = readGranularity(call, 'y_scale', parts.dims, scale.dims, options);
    if (zero) checkZeroDims('y_zero_point', zero.dims, 'y_scale', scale.dims);
    const given = options?.out;
    const out = given === undefined ? undefined : readOut('out', given, to, parts.dims);
    const source = bytesOf(checkData(parts));
    checkLength(scale);
    if (zero) checkLength(zero);
    if (zero && hasNoZero(to)) checkNoZero('y_zero_point', zero);
    if (out) {
      checkOut('out', out, 'x', parts);
      checkOut('out', out, 'y_scale', scale);
      if (zero) checkOut('out', out, 'y_zero_point', zero);
    }
    const data = out ? out.data : newData(to, parts.size, undefined);
    const work = { from: parts.dtype, to, size: parts.size, source, destination: bytesOf(data) };
    const sharing = sharingOf(parts.dims, granularity);
    const { precision } = rounding;
    quantizeBytes(work, { sharing, ...scalesIn(precision, scale, zero) }, rounding);
    return tensorOf(to, data, parts.dims);
  });
}

/** @type {(to: DType) => boolean} whether zero points of a type have no meaning but 0 */
const hasNoZero = ({ name, format }) => format.kind === 'float' && name !== 'float4e2m1';

/** @type {(call: Call, x: DType) => (dtype: DType) => void} */
const scaleCheck = (call, x) => (dtype) => {
  sinceCheck(call, 'y_scale', scaleTypes)(dtype);
  const { schema, strict } = call;
  if (strict && schema.since >= 19 && schema.since < mixingTypes && dtype !== x)
    typeError(`y_scale must have the type of x, ${x.name}, got ${dtype.name}`);
};

/** @type {(call: Call) => (dtype: DType) => void} */
const zeroCheck = (call) => sinceCheck(call, 'y_zero_point', quantizedTypes);

/** The types a quotient may have. */
const precisions = Object.freeze({ float32: 23, float16: 23, bfloat16: 23 });

/**
 * @param {Call} call
 * @param {Attributes | undefined} options
 * @param {DType} x
 * @param {DType} scale
 * @param {DType | undefined} zero
 * @returns {{ to: DType, precision: DType, saturate: boolean }}
 */
function readAttributes(call, options, x, scale, zero) {
  const { schema } = call;
  const saturate = readFlag('saturate', options?.saturate, true);
  const asked = readTypeOption(call, 'output_dtype', options?.output_dtype, quantizedTypes);
  if (asked && zero && asked !== zero)
    typeError(`output_dtype must be the type of y_zero_point, ${zero.name}, got ${asked.name}`);
  const given = readTypeOption(call, 'precision', options?.precision, precisions);
  // Before opset 23 the text is silent; onnxruntime divides in float32.
  const old = scale === dtypes.int32 ? scale : dtypes.float32;
  const precision = given ?? (schema.since < mixingTypes ? old : scale === dtypes.float8e8m0 ? x : scale);
  return { to: zero ?? asked ?? dtypes.uint8, precision: known(precision), saturate };
}

/**
 * With `strict: false`, x may have a type that is no precision.
 * @type {(precision: DType) => DType}
 */
const known = (precision) => (precision.name in precisions || precision === dtypes.int32 ? precision : dtypes.float32);

/**
 * Scales and zero points in the precision, as the engine reads them.
 * @param {DType} precision
 * @param {CheckedTensor} scale
 * @param {CheckedTensor | undefined} zero
 */
function scalesIn(precision, scale, zero) {
  const wide = precision === dtypes.int32 ? dtypes.float64 : dtypes.float32;
  const isNarrow = precision.bits === 16;
  const [from, data] = isNarrow
    ? [precision, numbersAs(scale.dtype, precision, scale.size, scale.data)]
    : [scale.dtype, scale.data];
  return {
    scales: numbersAs(from, wide, scale.size, data),
    zeros: zero && !hasNoZero(zero.dtype) ? numbersAs(zero.dtype, wide, zero.size, zero.data) : undefined,
    defaultZeroPoint: -0,
  };
}
