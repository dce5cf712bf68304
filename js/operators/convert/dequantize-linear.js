/** DequantizeLinear: numbers of a small type times a scale. */
import { bytesOf, typeError } from '../../arguments/index.js';
import { dequantizeBytes, numbersAs } from '../../engine/index.js';
import { dtypes } from '../../tensor/index.js';
import { define, filled, runNamed, tensor } from '../core/index.js';
import {
  checkNoZero,
  granularityAttributes,
  granularityOf,
  quantizedTypes,
  sharingOf,
  sinceCheck,
  typeSince,
  typesOf,
  versions,
} from './granularity.js';

/** @import { Check, CheckedTensor, DequantizeLinearAttributes, DequantizeLinearOptions } from '../types.js' */
/** @import { Operator, Tensor, TensorInfo, TensorLike } from '../types.js' */

const names = /** @type {const} */ (['x', 'x_scale', 'x_zero_point']);
const isScale = sinceCheck('x_scale', { float32: 10, float16: 19, bfloat16: 19, float8e8m0: 24 });
const isOutput = sinceCheck('output_dtype', { float32: 10, float16: 19, bfloat16: 19 });

/** @type {Check} */
const checkZero = ({ name }, _, [{ dtype: x }]) => {
  if (name !== x.name) typeError(`x_zero_point must have the type of x, ${x.name}, got ${name}`);
};

/** @type {Operator<{ x?: TensorInfo, x_scale?: TensorInfo, x_zero_point?: TensorInfo }, DequantizeLinearAttributes>} */
export const DequantizeLinear = define({
  name: 'DequantizeLinear',
  versions,
  types: typesOf({ int32: 10, ...quantizedTypes }),
  undefinedFor: ['string', 'complex'],
  inputs: [tensor('x'), tensor('x_scale', isScale), tensor('x_zero_point', checkZero, true)],
  attributes: { output_dtype: typeSince(isOutput, 23), ...granularityAttributes },
  shape({ schema }, { output_dtype: asked, ...attributes }, x, scale, zero) {
    if (!asked && scale.dtype === dtypes.float8e8m0)
      typeError('output_dtype must be given where x_scale is float8e8m0, got undefined');
    const granularity = granularityOf(names, schema.since, attributes, [x, scale, zero]);
    return { dims: x.dims, dtype: asked ?? scale.dtype, x, scale, zero, granularity };
  },
  move: filled(
    ({ dims, dtype: to, x, scale, zero, granularity }, data, [source]) => {
      const work = { from: x.dtype, to, size: x.size, source: bytesOf(source), destination: bytesOf(data) };
      dequantizeBytes(/** @type {any} */ (work), { sharing: sharingOf(dims, granularity), ...scalesOf(scale, zero) });
    },
    ({ zero }) => zero?.dtype.format.kind === 'float' && checkNoZero('x_zero_point', zero),
  ),
});

/** @type {(scale: CheckedTensor, zero: CheckedTensor | undefined) => any} Zero points of floats are 0 */
function scalesOf(scale, zero) {
  const wide = zero?.dtype === dtypes.int32 ? dtypes.float64 : dtypes.float32;
  const counts = zero && zero.dtype.format.kind !== 'float';
  return {
    scales: numbersAs(scale.dtype, dtypes.float32, scale.size, scale.data),
    zeros: counts ? numbersAs(zero.dtype, wide, zero.size, zero.data) : undefined,
    defaultZeroPoint: 0,
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
