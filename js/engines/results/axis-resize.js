/** Resizing axis by axis, by the rules of ONNX's Resize. See cpp/postprocess/axis_resize.h. Functions named `put…` take
 * memory of `arena`, and return its address. */
import * as cpp from '../../../dist/bridge/results.js';
import { doubleBytes, floatBytes, intBytes } from '../memory/index.js';
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
 * @param {readonly number[]} dims
 * @param {readonly ResizeStep[]} steps
 * @param {ResizeRules} rules
 * @returns {T}
 */
export const resizedAxes = (data, dims, steps, rules) =>
  withMemory(() => {
    const isBytes = data instanceof Uint8Array;
    const roundsEachAxis = isBytes && rules.antialias && rules.mode !== 'nearest';
    const extents = [...dims];
    const dataLength = sizeOf(extents);
    let floats = isBytes
      ? putFloats(arena.copyIn(data, dataLength), dataLength)
      : arena.copyIn(data, floatBytes * dataLength);
    for (const step of steps) {
      floats = putResizedAxis(floats, extents, step, rules);
      extents[step.axis] = step.count;
      if (roundsEachAxis) floats = putRounded(floats, sizeOf(extents));
    }
    const length = sizeOf(extents);
    const result = isBytes
      ? arena.copyOut(Uint8Array, putBytes(floats, length, { rounds: false }), length)
      : arena.copyOut(Float32Array, floats, length);
    return /** @type {T} */ (result);
  });

/** Resizes one axis of float32 numbers of shape `extents` at an address. Returns the address of the resized ones.
 * @type {(floats: number, extents: readonly number[], step: ResizeStep, rules: ResizeRules) => number} */
function putResizedAxis(floats, extents, step, rules) {
  const { axis, count } = step;
  checkExtents([extents[axis], count], 1);
  const settings = putRules(step, extents[axis], rules);
  const outer = sizeOf(extents.slice(0, axis));
  const inner = sizeOf(extents.slice(axis + 1));
  // Work memory of the kernel: for each of the `count` elements, where its source elements begin, and their weights.
  const firsts = arena.allocate(intBytes * count);
  const resized = arena.allocate(floatBytes * outer * count * inner);
  // Behind the memory of the result, which refuses a count that is too large.
  const weightsPerElement = kernels.count_taps(settings);
  const weights = arena.allocate(doubleBytes * count * weightsPerElement);
  kernels.resize_axis(settings, firsts, weights, floats, outer, inner, resized);
  return resized;
}

/** Converts bytes at an address to float32 numbers, divided by `divisor`.
 * @type {(bytes: number, count: number, divisor?: number) => number} */
function putFloats(bytes, count, divisor = 1) {
  const floats = arena.allocate(floatBytes * count);
  kernels.widen_bytes(bytes, count, divisor, floats);
  return floats;
}

/** Converts bytes to float32 numbers, divided by `divisor`.
 * @type {(bytes: Uint8Array, divisor: number) => Float32Array} */
export const dividedBytes = (bytes, divisor) =>
  withMemory(() => {
    const { length } = bytes;
    const floats = putFloats(arena.copyIn(bytes, length), length, divisor);
    return arena.copyOut(Float32Array, floats, length);
  });

/** Converts float32 numbers at an address to bytes, held within 0 to 255. `rounds`: half up, instead of cutting
 * fractions off.
 * @type {(floats: number, count: number, options: { rounds: boolean }) => number} */
function putBytes(floats, count, { rounds }) {
  const bytes = arena.allocate(count);
  kernels.narrow_bytes(floats, count, Number(rounds), bytes);
  return bytes;
}

/** Rounds float32 numbers at an address to whole numbers within 0 to 255, which stay float32.
 * @type {(floats: number, count: number) => number} */
const putRounded = (floats, count) => putFloats(putBytes(floats, count, { rounds: true }), count);

/** Puts the settings of the resize of one axis, which has `length` elements, into the module.
 * @type {(step: ResizeStep, length: number, rules: ResizeRules) => number} */
const putRules = (step, length, { mode, coordinate, nearest, excludesOutside, ...rules }) =>
  arena.copyInStruct(cpp.AxisResize, {
    ...rules,
    ...step,
    length,
    antialias: Number(rules.antialias),
    interpolation: cpp.Interpolation.indexOf(mode),
    coordinate: cpp.Coordinate.indexOf(coordinate),
    nearest: cpp.NearestRule.indexOf(nearest),
    excludeOutside: Number(excludesOutside),
  });
