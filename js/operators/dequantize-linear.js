/** DequantizeLinear: numbers of a small type times a scale. */
import { bytesOf, typeError } from '../arguments/index.js';
import { dequantizeBytes, numbersAs } from '../engine/index.js';
import { checkData, checkOut, checkLength, dtypes, newData, readOut, readTensor, tensorOf } from '../tensor/index.js';
import { moving, checkKeys } from './call.js';
import { readKnown } from './tensor-info.js';
import { operator } from './operator.js';
import {
  checkNoZero,
  checkZeroDims,
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

/** @import { DType, CheckedTensor, Tensor, TensorLike } from '../tensor/index.js' */
/** @import { CallOptions } from './call.js' */
/** @import { TensorInfo } from './tensor-info.js' */
/** @import { Call, Operator } from './operator.js' */
/** @import { GranularityOptions } from './quantization.js' */

/**
 * @typedef {object} OwnAttributes
 * @property {'float32' | 'float16' | 'bfloat16' | 'float'} [output_dtype] from opset 23: the result's type; that of
 *   x_scale if omitted
 */
/** @typedef {OwnAttributes & GranularityOptions} Attributes */
/**
 * @typedef {object} Results
 * @property {TensorLike} [out] a tensor of the result's type and dims to write to, its memory apart from the inputs'
 */

const inputTypes = Object.freeze({ int32: 10, ...quantizedTypes });
const scaleTypes = Object.freeze({ float32: 10, float16: 19, bfloat16: 19, float8e8m0: 24 });
const resultTypes = Object.freeze({ float32: 10, float16: 19, bfloat16: 19 });

/** @type {Operator<{ x?: TensorInfo, x_scale?: TensorInfo, x_zero_point?: TensorInfo }, Attributes>} */
export const DequantizeLinear = operator({
  name: 'DequantizeLinear',
  versions: versionsOf(inputTypes, { 13: ['axis'], 21: ['block_size'], 23: ['output_dtype'] }),
  inputs: ['x', 'x_scale', 'x_zero_point'],
  optional: ['x_zero_point'],
  undefinedFor: ['string', 'complex'],
  infer(call, inputs, options) {
    const x = readKnown('x', inputs.x, call.checkType);
    const scale = readKnown('x_scale', inputs.x_scale, sinceCheck(call, 'x_scale', scaleTypes));
    const zero = readOptionalKnown('x_zero_point', inputs.x_zero_point, zeroCheck(x.dtype));
    checkKeys(call, options);
    const to = readResultType(call, options, scale.dtype);
    readGranularity(call, 'x_scale', x.dims, scale.dims, options);
    checkZeroDims('x_zero_point', zero?.dims ?? null, 'x_scale', scale.dims);
    return { type: to.name, dims: x.dims };
  },
  run: ([x, scale, zero], options, node) =>
    dequantizeLinear(x, scale, zero, withTypes(node, options, ['output_dtype'])),
});

/**
 * DequantizeLinear: `(x - x_zero_point) * x_scale`. The difference is exact; it is rounded to float32, multiplied in
 * float32, and rounded once more to the result's type. One scale for all of x; one for each entry of an axis; or, with
 * `block_size`, one for so many entries of the axis.
 *
 * ONNX DequantizeLinear-10, 13, 19, 21, 23, 24, 25, 28.
 * @param {TensorLike} x
 * @param {TensorLike} x_scale of one element; 1-D; or of the rank of x
 * @param {TensorLike | null} [x_zero_point] of the dims of x_scale and the type of x; 0 if omitted, and always 0 for
 *   floats
 * @param {Attributes & Results & CallOptions} [options]
 * @returns {Tensor} with memory of its own, or over `out.data`
 * @throws {TypeError} no tensor, a type that the version does not take, types that do not go together, an unknown
 *   option
 * @throws {RangeError} an axis out of range, scales or zero points of other dims, a zero point of a float that is not
 *   0, out does not fit or overlaps, out of memory
 * @throws {Error} before `init()`
 * @example
 * const x = { type: 'int4', data: Uint8Array.of(0x21, 0xf8), dims: [4] };
 * const scale = { type: 'float32', data: Float32Array.of(0.5, 10), dims: [2] };
 * dequantizeLinear(x, scale, undefined, { axis: 0, block_size: 2 }).data; // Float32Array [0.5, 1, -80, -10]
 */
export function dequantizeLinear(x, x_scale, x_zero_point, options) {
  return moving(DequantizeLinear, options, (call) => {
    const parts = readTensor('x', x, call.checkType);
    const { dtype, dims, size } = parts;
    const scale = readTensor('x_scale', x_scale, sinceCheck(call, 'x_scale', scaleTypes));
    const zero = readOptional('x_zero_point', x_zero_point, zeroCheck(dtype));
    checkKeys(call, options, 'out');
    const to = readResultType(call, options, scale.dtype);
    const granularity = readGranularity(call, 'x_scale', dims, scale.dims, options);
    if (zero) checkZeroDims('x_zero_point', zero.dims, 'x_scale', scale.dims);
    const given = options?.out;
    const out = given === undefined ? undefined : readOut('out', given, to, dims);
    const source = bytesOf(checkData(parts));
    checkLength(scale);
    if (zero) checkLength(zero);
    if (zero && dtype.format.kind === 'float') checkNoZero('x_zero_point', zero);
    if (out) {
      checkOut('out', out, 'x', parts);
      checkOut('out', out, 'x_scale', scale);
      if (zero) checkOut('out', out, 'x_zero_point', zero);
    }
    const data = out ? out.data : newData(to, size, to === scale.dtype ? scale.data : undefined);
    const work = { from: dtype, to, size, source, destination: bytesOf(data) };
    dequantizeBytes(work, {
      sharing: sharingOf(dims, granularity),
      ...scalesOf(scale, zero),
    });
    return tensorOf(to, data, dims);
  });
}

/** @type {(x: DType) => (dtype: DType) => void} */
const zeroCheck = (x) => (dtype) => {
  if (dtype !== x) typeError(`x_zero_point must have the type of x, ${x.name}, got ${dtype.name}`);
};

/**
 * @param {Call} call
 * @param {Attributes | undefined} options
 * @param {DType} scale
 * @returns {DType}
 */
function readResultType(call, options, scale) {
  const asked = readTypeOption(call, 'output_dtype', options?.output_dtype, resultTypes);
  if (!asked && scale === dtypes.float8e8m0)
    typeError('output_dtype must be given where x_scale is float8e8m0, got undefined');
  return asked ?? scale;
}

/**
 * Scales and zero points as the engine reads them. Those of floats are 0.
 * @param {CheckedTensor} scale
 * @param {CheckedTensor | undefined} zero
 */
function scalesOf(scale, zero) {
  const wide = zero?.dtype === dtypes.int32 ? dtypes.float64 : dtypes.float32;
  const counts = zero && zero.dtype.format.kind !== 'float';
  return {
    scales: numbersAs(scale.dtype, dtypes.float32, scale.size, scale.data),
    zeros: counts ? numbersAs(zero.dtype, wide, zero.size, zero.data) : undefined,
    defaultZeroPoint: 0,
  };
}
