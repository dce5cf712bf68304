/** DynamicQuantizeLinear: numbers to uint8, by a scale and a zero point that are made of their range. */
import { bytesOf } from '../arguments/index.js';
import { quantizeBytes, rangeOf } from '../engine/index.js';
import { checkData, checkOut, dtypes, newData, readOut, readTensor, tensorOf } from '../tensor/index.js';
import { moving, checkKeys } from './call.js';
import { readKnown } from './tensor-info.js';
import { operator } from './operator.js';
import { sharingOf } from './quantization.js';

/** @import { Tensor, TensorLike } from '../tensor/index.js' */
/** @import { CallOptions } from './call.js' */
/** @import { TensorInfo } from './tensor-info.js' */
/** @import { Operator } from './operator.js' */

/**
 * @typedef {object} Results
 * @property {TensorLike} [out] a uint8 tensor of the dims of x, to which y is written; its memory apart from that of x
 */

/** @type {Operator<{ x?: TensorInfo }, {}>} */
export const DynamicQuantizeLinear = operator({
  name: 'DynamicQuantizeLinear',
  versions: [[11, 3, { types: Object.freeze(/** @type {const} */ (['float32'])) }]],
  inputs: ['x'],
  several: true,
  outputs: 3,
  undefinedFor: ['string', 'complex'],
  infer(call, { x }, options) {
    const { dims } = readKnown('x', x, call.checkType);
    checkKeys(call, options);
    return [
      { type: 'uint8', dims },
      { type: 'float32', dims: [] },
      { type: 'uint8', dims: [] },
    ];
  },
  run: ([x], options) => dynamicQuantizeLinear(x, options),
});

/**
 * DynamicQuantizeLinear: x as uint8, by a scale and a zero point that cover its range and 0. `scale = (max - min) /
 * 255`, `zero = round(-min / scale)`, both in float32; then as `quantizeLinear` does it.
 *
 * NaN has no part in the range and becomes 0. Where all numbers are 0 or NaN, and where there are none, the scale is 1
 * and the zero point 0, as in onnxruntime.
 *
 * ONNX DynamicQuantizeLinear-11.
 * @param {TensorLike} x
 * @param {Results & CallOptions} [options]
 * @returns {[y: Tensor, y_scale: Tensor, y_zero_point: Tensor]} with memory of their own, or y over `out.data`
 * @throws {TypeError} no tensor, a type that the version does not take, an unknown option
 * @throws {RangeError} out does not fit or overlaps, out of memory
 * @throws {Error} before `init()`
 * @example
 * const x = { type: 'float32', data: Float32Array.of(-1, 0, 1.55), dims: [3] };
 * const [y, scale, zero] = dynamicQuantizeLinear(x);
 * y.data; // Uint8Array [0, 100, 255]
 */
export function dynamicQuantizeLinear(x, options) {
  return moving(DynamicQuantizeLinear, options, (call) => {
    const parts = readTensor('x', x, call.checkType);
    checkKeys(call, options, 'out');
    const { dtype, dims, size } = parts;
    const { float32, uint8 } = dtypes;
    const given = options?.out;
    const out = given === undefined ? undefined : readOut('out', given, uint8, dims);
    const source = bytesOf(checkData(parts));
    if (out) checkOut('out', out, 'x', parts);
    const data = out ? out.data : newData(uint8, size, undefined);
    const [scale, zero] = coverOf(rangeOf(dtype, size, source));
    const work = { from: dtype, to: uint8, size, source, destination: bytesOf(data) };
    const [scales, zeros] = [Float32Array.of(scale), Uint8Array.of(zero)];
    const sharing = sharingOf(dims, undefined);
    const rounding = { precision: float32, saturate: true };
    quantizeBytes(work, { sharing, scales, zeros: Float32Array.from(zeros), defaultZeroPoint: 0 }, rounding);
    return [tensorOf(uint8, data, dims), tensorOf(float32, scales, []), tensorOf(uint8, zeros, [])];
  });
}

/**
 * The scale and the zero point of a range that has 0 in it. Doubles round to float32 as float32 arithmetic does.
 * @param {[lowest: number, highest: number]} range
 * @returns {[scale: number, zero: number]}
 */
function coverOf([lowest, highest]) {
  if (lowest === highest) return [1, 0];
  const scale = Math.fround(Math.fround(highest - lowest) / 255);
  const zero = Math.fround(0 - Math.fround(lowest / scale));
  // An infinite number over an infinite scale is NaN, and counts as 0.
  const inside = zero > 0 ? Math.min(zero, 255) : 0;
  const nearest = 2 ** 52;
  return [scale, inside + nearest - nearest];
}
