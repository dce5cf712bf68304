/** DynamicQuantizeLinear: numbers to uint8, by a scale and a zero point that are made of their range. */
import { bytesOf } from '../../arguments/index.js';
import { quantizeBytes, rangeOf } from '../../engines/tensors/index.js';
import { dtypes, roundHalfEven, tensorOf } from '../../tensor/index.js';
import { define, filled, run, tensor } from '../core/index.js';
import { sharingOf } from './granularity.js';

/** @import { CallOptions, Operator, QuantizedResults, Tensor, TensorInfo, TensorLike } from '../types.js' */

const { float32, uint8 } = dtypes;

/** The move that makes y: quantizes x by the range of its elements. It leaves the scale and the zero point of that
 * range in the plan, as the data of the other two results. */
const quantized = filled((plan, data, [source]) => {
  const { x, dims } = plan;
  const range = rangeOf(x.dtype, x.size, bytesOf(source));
  const { scale, zero } = scaleCovering(range);
  plan.scales = Float32Array.of(scale);
  plan.zeros = Uint8Array.of(zero);
  const work = { from: x.dtype, to: uint8, size: x.size, source: bytesOf(source), destination: bytesOf(data) };
  const granularity = undefined; // all of x shares one scale
  const scales = {
    sharing: sharingOf(dims, granularity),
    scales: plan.scales,
    zeros: Float32Array.of(zero),
    defaultZeroPoint: 0, // of scales without a zero point, which this one is not
  };
  quantizeBytes(work, scales, { precision: float32, saturate: true });
});

/** @type {Operator<{ x?: TensorInfo }, {}>} */
export const DynamicQuantizeLinear = define({
  name: 'DynamicQuantizeLinear',
  versions: { 11: 3 },
  types: { 11: ['float32'] },
  undefinedFor: ['string', 'complex'],
  inputs: [tensor('x')],
  outputs: 3,
  /** Plans the three results. The plan of y keeps x, and its move adds the data of the other two. */
  shape(_call, _attributes, x) {
    const y = { dims: x.dims, dtype: uint8, x };
    const scale = { dims: [], dtype: float32 };
    const zero = { dims: [], dtype: uint8 };
    return { outputs: [y, scale, zero] };
  },
  move: {
    ...quantized,
    /** Makes y first, which computes the scale and the zero point that follow it. */
    run(operator, { outputs }, values, options) {
      const [planOfY] = outputs;
      const y = quantized.run(operator, planOfY, values, options);
      return [y, tensorOf(float32, planOfY.scales, []), tensorOf(uint8, planOfY.zeros, [])];
    },
  },
});

/**
 * DynamicQuantizeLinear: x as uint8, by a scale and a zero point that cover its range and 0. `scale = (max - min) /
 * 255`, `zero = round(-min / scale)`, both in float32; then as `quantizeLinear` does it.
 *
 * NaN has no part in the range and becomes 0. Where all numbers are 0 or NaN, and where there are none, the scale is 1
 * and the zero point 0, as in onnxruntime.
 * @param {TensorLike} x
 * @param {QuantizedResults & CallOptions} [options]
 * @returns {[y: Tensor, y_scale: Tensor, y_zero_point: Tensor]} with memory of their own, or y over `out.data`
 * @example
 * const x = { type: 'float32', data: Float32Array.of(-1, 0, 1.55), dims: [3] };
 * const [y, scale, zero] = dynamicQuantizeLinear(x);
 * y.data; // Uint8Array [0, 100, 255]
 */
export const dynamicQuantizeLinear = (x, options) => run(DynamicQuantizeLinear, [x], options);

/** Computes the scale and the zero point that bring a range, which has 0 in it, to 0..255; 1 and 0 for a range of 0
 * alone. Each result of float64 is rounded to float32, which gives the result of float32 arithmetic.
 * @type {(range: [lowest: number, highest: number]) => { scale: number, zero: number }} */
function scaleCovering([lowest, highest]) {
  if (lowest === highest) return { scale: 1, zero: 0 };
  const scale = Math.fround(Math.fround(highest - lowest) / maxUint8);
  const zero = Math.fround(0 - Math.fround(lowest / scale));
  // An infinite number over an infinite scale is NaN, and counts as 0.
  const clampedZero = zero > 0 ? Math.min(zero, maxUint8) : 0;
  return { scale, zero: roundHalfEven(clampedZero) };
}

const maxUint8 = 255;
