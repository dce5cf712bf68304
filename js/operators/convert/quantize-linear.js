/** QuantizeLinear and DequantizeLinear: numbers divided by a scale and rounded to a small type, and back. */
import { bytesOf, typeError } from '../../arguments/index.js';
import { dequantizeBytes, numbersAs, quantizeBytes } from '../../engines/tensors/index.js';
import { dtypes } from '../../tensor/index.js';
import { define, filled, flag, runNamed, tensor } from '../core/index.js';
import * as rules from './granularity.js';

/** @import { CheckedTensor, DType, DequantizeLinearAttributes, DequantizeLinearOptions } from '../types.js' */
/** @import { Operator, QuantizeLinearAttributes, QuantizeLinearOptions, Tensor, TensorInfo } from '../types.js' */
/** @import { TensorLike, TypeCheck } from '../types.js' */

const scaleTypes = { float32: 10, int32: 19, float16: 19, bfloat16: 19, float8e8m0: 24 };
const checkIsScaleType = rules.sinceCheck('y_scale', scaleTypes);
const checkIsOutputType = rules.sinceCheck('output_dtype', rules.quantizedTypes);
/** The types that a quotient may have, and the first version that takes each as `precision`. */
const precisions = Object.freeze({ float32: 23, float16: 23, bfloat16: 23 });

/** Checks the type of y_scale. In the versions 19 and 21, where ONNX has one type parameter for both, it has to be
 * that of x, unless `strict` is false.
 * @type {TypeCheck} */
function checkScale(dtype, call, [{ dtype: typeOfX }]) {
  checkIsScaleType(dtype, call, []);
  const { schema, strict } = call;
  const hasOneType = schema.since >= 19 && schema.since < rules.mixingTypes;
  if (strict && hasOneType && dtype !== typeOfX)
    typeError(`y_scale must have the type of x, ${typeOfX.name}, got ${dtype.name}`);
}

/** Checks output_dtype: it has to be the type of y_zero_point, if that is given.
 * @type {TypeCheck} */
function checkOutput(dtype, call, [_x, _scale, zero]) {
  checkIsOutputType(dtype, call, []);
  if (zero && dtype !== zero.dtype)
    typeError(`output_dtype must be the type of y_zero_point, ${zero.dtype.name}, got ${dtype.name}`);
}

/** @type {Operator<{ x?: TensorInfo, y_scale?: TensorInfo, y_zero_point?: TensorInfo }, QuantizeLinearAttributes>} */
export const QuantizeLinear = define({
  name: 'QuantizeLinear',
  versions: rules.versions,
  types: rules.typesOf({ float32: 10, int32: 10, float16: 19, bfloat16: 19 }),
  undefinedFor: ['string', 'complex'],
  inputs: [
    tensor('x'),
    tensor('y_scale', checkScale),
    tensor('y_zero_point', rules.sinceCheck('y_zero_point', rules.quantizedTypes), true),
  ],
  attributes: {
    saturate: flag(true, { since: 19 }),
    output_dtype: rules.typeSince(checkOutput, 21),
    precision: rules.typeSince(rules.sinceCheck('precision', precisions), 23),
    ...rules.granularityAttributes,
  },
  /** Plans y, of the type of the zero point, or of `output_dtype`, or else uint8. */
  shape({ schema }, attributes, x, scale, zero) {
    const { since } = schema;
    const { saturate } = attributes;
    const granularity = rules.granularityOf('y', since, attributes, [x, scale, zero]);
    const precision = attributes.precision ?? precisionOf(since, x.dtype, scale.dtype);
    const dtype = zero?.dtype ?? attributes.output_dtype ?? dtypes.uint8;
    return { dims: x.dims, dtype, x, scale, zero, granularity, rounding: { precision, saturate } };
  },
  /** Quantizes x. Before that, refuses zero points other than 0 in a type of floats that has no others. */
  move: filled(
    ({ dims, dtype: to, x, scale, zero, granularity, rounding }, data, [source]) => {
      const work = { from: x.dtype, to, size: x.size, source: bytesOf(source), destination: bytesOf(data) };
      const sharing = rules.sharingOf(dims, granularity);
      const scales = scalesForQuotients(rounding.precision, scale, zero);
      quantizeBytes(/** @type {any} */ (work), { sharing, ...scales }, rounding);
    },
    ({ zero }) => zero && allowsOnlyZero(zero.dtype) && rules.checkAllZero('y_zero_point', zero),
  ),
});

/** Chooses the type in which x is divided by the scale where the call gives no `precision`: int32 stands for an exact
 * quotient. From opset 23 on it is the scale's type, or that of x where the scale is a float8e8m0.
 * @type {(since: number, typeOfX: DType, scaleType: DType) => DType} */
function precisionOf(since, typeOfX, scaleType) {
  const { int32, float32, float8e8m0 } = dtypes;
  // Before opset 23 ONNX's text does not say; onnxruntime divides in float32.
  if (since < rules.mixingTypes) return scaleType === int32 ? int32 : float32;
  const precision = scaleType === float8e8m0 ? typeOfX : scaleType;
  // With `strict: false`, x may have a type that is no precision.
  const isPrecision = precision.name in precisions || precision === int32;
  return isPrecision ? precision : float32;
}

/** Tells whether zero points of a type must be 0, as those of floats but float4e2m1.
 * @type {(to: DType) => boolean} */
const allowsOnlyZero = ({ name, format }) => format.kind === 'float' && name !== 'float4e2m1';

/** Gives the scales by which x is divided, and the zero points, as the engine reads them: as float32, or as float64
 * where the precision is int32, an exact quotient. For a precision of 16 bits, scales are rounded to it first.
 * @type {(precision: DType, scale: CheckedTensor, zero: CheckedTensor | undefined) => any} */
function scalesForQuotients(precision, scale, zero) {
  const readType = precision === dtypes.int32 ? dtypes.float64 : dtypes.float32;
  const { dtype, size, data } = precision.bits === 16 ? rounded(scale, precision) : scale;
  const addsZero = zero && !allowsOnlyZero(zero.dtype);
  return {
    scales: numbersAs(dtype, readType, size, data),
    zeros: addsZero ? numbersAs(zero.dtype, readType, zero.size, zero.data) : undefined,
    defaultZeroPoint: -0, // where `zeros` is undefined: to add it changes no sum, not even -0
  };
}

/** @type {(tensor: CheckedTensor, to: DType) => { dtype: DType, size: number, data: any }} */
const rounded = ({ dtype, size, data }, to) => ({ dtype: to, size, data: numbersAs(dtype, to, size, data) });

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
 * @param {TensorLike} x
 * @param {TensorLike} y_scale of one element; 1-D; or of the rank of x
 * @param {TensorLike | null | QuantizeLinearOptions} [y_zero_point] of the dims of y_scale and the result's type; 0 if
 *   omitted
 * @param {QuantizeLinearOptions} [options]
 * @returns {Tensor} with memory of its own, or over `out.data`
 * @example
 * const x = { type: 'float32', data: Float32Array.of(-1, 0.25, 0.75, 200), dims: [4] };
 * const scale = { type: 'float32', data: Float32Array.of(0.5), dims: [] };
 * const zero = { type: 'uint8', data: Uint8Array.of(3), dims: [] };
 * quantizeLinear(x, scale, zero).data; // Uint8Array [1, 3, 5, 255]
 */
export const quantizeLinear = (x, y_scale, y_zero_point, options) =>
  runNamed(QuantizeLinear, [x, y_scale, y_zero_point], options);

/** The types of results, and the first version that takes each. */
const dequantizedTypes = { float32: 10, float16: 19, bfloat16: 19 };
const checkIsFactorType = rules.sinceCheck('x_scale', { ...dequantizedTypes, float8e8m0: 24 });

/** Checks the type of x_zero_point, which must be that of x.
 * @type {TypeCheck} */
const checkZero = ({ name }, _, [{ dtype: typeOfX }]) => {
  if (name !== typeOfX.name) typeError(`x_zero_point must have the type of x, ${typeOfX.name}, got ${name}`);
};

/** @type {Operator<{ x?: TensorInfo, x_scale?: TensorInfo, x_zero_point?: TensorInfo }, DequantizeLinearAttributes>} */
export const DequantizeLinear = define({
  name: 'DequantizeLinear',
  versions: rules.versions,
  types: rules.typesOf({ int32: 10, ...rules.quantizedTypes }),
  undefinedFor: ['string', 'complex'],
  inputs: [tensor('x'), tensor('x_scale', checkIsFactorType), tensor('x_zero_point', checkZero, true)],
  attributes: {
    output_dtype: rules.typeSince(rules.sinceCheck('output_dtype', dequantizedTypes), 23),
    ...rules.granularityAttributes,
  },
  /** Plans y, of the type `output_dtype`, or else of the scale's. */
  shape({ schema }, attributes, x, scale, zero) {
    const outputType = attributes.output_dtype;
    if (!outputType && scale.dtype === dtypes.float8e8m0)
      typeError('output_dtype must be given where x_scale is float8e8m0, got undefined');
    const granularity = rules.granularityOf('x', schema.since, attributes, [x, scale, zero]);
    return { dims: x.dims, dtype: outputType ?? scale.dtype, x, scale, zero, granularity };
  },
  /** Dequantizes x. Before that, refuses zero points of floats that are not 0. */
  move: filled(
    ({ dims, dtype: to, x, scale, zero, granularity }, data, [source]) => {
      const work = { from: x.dtype, to, size: x.size, source: bytesOf(source), destination: bytesOf(data) };
      const sharing = rules.sharingOf(dims, granularity);
      dequantizeBytes(/** @type {any} */ (work), { sharing, ...scalesForProducts(scale, zero) });
    },
    ({ zero }) => zero?.dtype.format.kind === 'float' && rules.checkAllZero('x_zero_point', zero),
  ),
});

/** Gives the scales that x is multiplied by, and the zero points, as the engine reads them: as float32, but int32 zero
 * points, which float32 cannot hold exactly, as float64. Zero points of floats are 0, and are left out.
 * @type {(scale: CheckedTensor, zero: CheckedTensor | undefined) => any} */
function scalesForProducts(scale, zero) {
  const zeroType = zero?.dtype === dtypes.int32 ? dtypes.float64 : dtypes.float32;
  const hasIntegerZeros = zero && zero.dtype.format.kind !== 'float';
  return {
    scales: numbersAs(scale.dtype, dtypes.float32, scale.size, scale.data),
    zeros: hasIntegerZeros ? numbersAs(zero.dtype, zeroType, zero.size, zero.data) : undefined,
    defaultZeroPoint: 0, // where `zeros` is undefined
  };
}

/**
 * DequantizeLinear: `(x - x_zero_point) * x_scale`. The difference is exact; it is rounded to float32, multiplied in
 * float32, and rounded once more to the result's type. One scale for all of x; one for each entry of an axis; or, with
 * `block_size`, one for so many entries of the axis.
 * @param {TensorLike} x
 * @param {TensorLike} x_scale of one element; 1-D; or of the rank of x
 * @param {TensorLike | null | DequantizeLinearOptions} [x_zero_point] of the dims of x_scale and the type of x; 0 if
 *   omitted, and always 0 for floats
 * @param {DequantizeLinearOptions} [options]
 * @returns {Tensor} with memory of its own, or over `out.data`
 * @example
 * const x = { type: 'int4', data: Uint8Array.of(0x21, 0xf8), dims: [4] };
 * const scale = { type: 'float32', data: Float32Array.of(0.5, 10), dims: [2] };
 * dequantizeLinear(x, scale, { axis: 0, block_size: 2 }).data; // Float32Array [0.5, 1, -80, -10]
 */
export const dequantizeLinear = (x, x_scale, x_zero_point, options) =>
  runNamed(DequantizeLinear, [x, x_scale, x_zero_point], options);
