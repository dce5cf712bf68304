/** Resizing axis by axis, by the rules of ONNX's Resize. See cpp/postprocess/axis_resize.h. Functions named `put…` take
 * memory of `arena`, and return its address. */
import * as cpp from '../../../dist/bridge/results.js';
import { withMemory } from './load.js';
import { arena, checkExtents, kernels, sizeOf } from './module.js';

export const interpolations = cpp.Interpolation;
export const coordinates = cpp.Coordinate;
/** ONNX's `nearest_mode`. `simple` is the rule of its first versions, which have no such attribute. */
export const nearestRules = /** @type {Exclude<(typeof cpp.NearestRule)[number], 'simple'>[]} */ (
  cpp.NearestRule.filter((rule) => rule !== 'simple')
);

/**
 * The attributes of ONNX's Resize.
 * @typedef {object} ResizeRules
 * @property {(typeof interpolations)[number]} mode
 * @property {(typeof coordinates)[number]} coordinate coordinate_transformation_mode
 * @property {(typeof cpp.NearestRule)[number]} nearest nearest_mode
 * @property {boolean} antialias
 * @property {boolean} excludesOutside exclude_outside
 * @property {number} cubic cubic_coeff_a
 * @property {number} extrapolation extrapolation_value
 */

/** An axis to resize: to `count` elements, by a scale; `start` and `end` of the region that `tf_crop_and_resize` takes.
 * @typedef {{ axis: number, count: number, scale: number, start: number, end: number }} ResizeStep */

/**
 * Resizes along some axes, one after the other, in float32. Bytes are cut to whole numbers at the end, as in
 * onnxruntime; with `antialias` they are rounded after each axis, unless the mode is nearest.
 * @template {Float32Array | Uint8Array} T
 * @param {T} data
 * @param {readonly number[]} dims of the data
 * @param {readonly ResizeStep[]} steps
 * @param {ResizeRules} rules
 * @returns {T} a new array, with `count` elements along each axis of the steps
 */
export const resizedAxes = (data, dims, steps, rules) =>
  withMemory(() => {
    const extents = [...dims];
    const isBytes = data instanceof Uint8Array;
    const rounds = rules.antialias && rules.mode !== 'nearest';
    const length = sizeOf(extents);
    let at = isBytes ? putFloats(arena.put(data, length), length) : arena.put(data, 4 * length);
    for (const step of steps) {
      const { axis, count } = step;
      checkExtents([extents[axis], count], 1);
      const settings = putRules(step, extents[axis], rules);
      const inner = sizeOf(extents.slice(axis + 1));
      const outer = sizeOf(extents.slice(0, axis));
      extents[axis] = count;
      const size = sizeOf(extents);
      const [firsts, to] = [arena.space(4 * count), arena.space(4 * size)];
      // Taken after the memory of the result, which refuses a count that is too large.
      const weights = arena.space(8 * count * kernels.count_taps(settings));
      kernels.resize_axis(settings, firsts, weights, at, outer, inner, to);
      at = isBytes && rounds ? putFloats(putBytes(to, size, true), size) : to;
    }
    const size = sizeOf(extents);
    const result = isBytes
      ? arena.take(Uint8Array, putBytes(at, size, false), size)
      : arena.take(Float32Array, at, size);
    return /** @type {T} */ (result);
  });

/** Converts bytes at an address to float32 numbers, divided by `divisor`.
 * @type {(bytes: number, count: number, divisor?: number) => number} */
function putFloats(bytes, count, divisor = 1) {
  const to = arena.space(4 * count);
  kernels.widen_bytes(bytes, count, divisor, to);
  return to;
}

/** Converts bytes to float32 numbers, divided by `divisor`.
 * @type {(bytes: Uint8Array, divisor: number) => Float32Array} */
export const dividedBytes = (bytes, divisor) =>
  withMemory(() => {
    const { length } = bytes;
    const floats = putFloats(arena.put(bytes, length), length, divisor);
    return arena.take(Float32Array, floats, length);
  });

/** Converts float32 numbers at an address to bytes, held within 0 to 255. `rounds`: half up, instead of cutting
 * fractions off.
 * @type {(floats: number, count: number, rounds: boolean) => number} */
function putBytes(floats, count, rounds) {
  const to = arena.space(count);
  kernels.narrow_bytes(floats, count, Number(rounds), to);
  return to;
}

/** Puts the settings of an axis of `length` elements into the module.
 * @type {(step: ResizeStep, length: number, rules: ResizeRules) => number} */
const putRules = (step, length, { mode, coordinate, nearest, excludesOutside, ...rules }) =>
  arena.putStruct(cpp.AxisResize, {
    ...rules,
    ...step,
    length,
    antialias: Number(rules.antialias),
    interpolation: cpp.Interpolation.indexOf(mode),
    coordinate: cpp.Coordinate.indexOf(coordinate),
    nearest: cpp.NearestRule.indexOf(nearest),
    excludeOutside: Number(excludesOutside),
  });
