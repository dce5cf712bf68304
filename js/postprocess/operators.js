/**
 * ONNX operators that end common models. `runModel` and `inferShape` take them as `operators`; the functions for boxes
 * and numbers use the same kernels. `versions` has ONNX's IR version for each version of an operator. `shape` plans an
 * operator: the dims and types of its results and whatever else `move`, which computes them, needs. It also runs
 * without data, in shape inference, where dims may be unknown.
 */
import {
  convertBoxes,
  descendingOrder,
  extremesOf,
  gatherRows,
  indicesAbove,
  logSoftmaxAlong,
  sigmoidOf,
  softmaxAlong,
  softmaxDoubles,
  sortCorners,
  sortedAlong,
  suppressBoxes,
} from '../engines/results/index.js';
import {
  computed,
  define,
  flag,
  integer,
  integers,
  isUnknown,
  rangeError,
  readAxis,
  tensor,
  typeError,
} from '../operators/internal.js';
import { dtypes, sizeOf, tensorOf } from '../tensor/index.js';
import { numbersAt } from './tensors.js';
import { floatsLike, floatsOf, comparableFloats, sigmoidDoubles } from './element-types.js';
import { Resize } from './resize.js';

/** @import { Call, DType, Dim, Operator, TensorData, TensorLike } from '../operators/types.js' */

/** @typedef {{ iou: number, score: number, most: number }} Limits of suppression */

/** Makes a check that refuses an input that is not float32. @type {(name: string) => (dtype: DType) => void} */
const floatCheck = (name) => (dtype) => {
  if (dtype !== dtypes.float32) typeError(`${name} type must be float32, got ${dtype.name}`);
};

const floatTypes = ['float32', 'float16', 'float64', 'bfloat16'];
const numberTypes = [...floatTypes, 'uint8', 'int8', 'uint16', 'int16', 'uint32', 'int32', 'uint64', 'int64'];

/** Refuses an input whose type the operator's version does not allow or `types` does not list.
 * @type {(name: string, types: readonly string[]) => (dtype: DType, call: Call) => void} */
const typeCheck = (name, types) => (dtype, call) => {
  call.checkType(dtype);
  if (!types.includes(dtype.name)) typeError(`${name} type must be one of ${types.join(', ')}, got ${dtype.name}`);
};

/** Splits dims at an axis: `length` is its extent, `outer` the product of those before it, `inner` of those behind.
 * @type {(dims: readonly number[], axis: number) => { outer: number, length: number, inner: number }} */
const axesOf = (dims, axis) => ({
  outer: sizeOf(dims, 0, axis),
  length: dims[axis],
  inner: sizeOf(dims, axis + 1),
});

/** Declares Softmax or, with `isLog`, LogSoftmax. float64 is computed in float64, other floats in float32.
 * @type {(name: string, isLog: boolean) => Operator} */
const softmaxLike = (name, isLog) =>
  define({
    name,
    versions: { 1: 1, 11: 1, 13: 4 },
    negativeAxis: 11,
    inputs: [tensor('input', typeCheck('input', floatTypes))],
    attributes: { axis: integer(undefined) },
    shape({ schema }, { axis: axisOption }, { dims, dtype }) {
      // Shape inference may not know the dims.
      if (!dims) return { dims, dtype };
      const isFlat = schema.since < 13;
      // A scalar counts as one axis of extent 1; the axis may be negative from version 11 on.
      const axis = readAxis(axisOption, isFlat ? 1 : -1, dims.length || 1, schema.since >= 11);
      return { dims, dtype, axis, isFlat };
    },
    move: computed(({ axis, isFlat }, input) => {
      const { data, dims, dtype } = input;
      // Before version 13 all axes from `axis` on count as a single one.
      const axes = isFlat
        ? { outer: sizeOf(dims, 0, axis), length: sizeOf(dims, axis), inner: 1 }
        : axesOf(dims.length ? dims : [1], axis);
      if (data.length === 0) return tensorOf(dtype, data.slice(), dims);
      if (dtype === dtypes.float64) return tensorOf(dtype, softmaxDoubles(data, axes, isLog), dims);
      const compute = isLog ? logSoftmaxAlong : softmaxAlong;
      return floatsLike(input, compute(floatsOf(input), axes));
    }),
  });

const Softmax = softmaxLike('Softmax', false);
const LogSoftmax = softmaxLike('LogSoftmax', true);

const Sigmoid = define({
  name: 'Sigmoid',
  versions: { 1: 1, 6: 1, 13: 4 },
  inputs: [tensor('X', typeCheck('X', floatTypes))],
  attributes: {},
  shape: (_, __, { dims, dtype }) => ({ dims, dtype }),
  move: computed((_, inputs) =>
    inputs.dtype === dtypes.float64
      ? tensorOf(inputs.dtype, sigmoidDoubles(inputs.data), inputs.dims)
      : floatsLike(inputs, sigmoidOf(floatsOf(inputs))),
  ),
});

/** Makes an int64 tensor of indices from 0 on. Each is written as the low 32 bits of its element, whose high bits stay
 * 0: assigning bigints takes 29 times as long.
 * @type {(data: Int32Array, dims: number[]) => TensorLike} */
function int64s(data, dims) {
  const words = new Int32Array(2 * data.length);
  for (let i = 0; i < data.length; i++) words[2 * i] = data[i];
  return { type: 'int64', dims, data: new BigInt64Array(words.buffer) };
}

/** Declares ArgMax or, with `isLeast`, ArgMin: int64 indices along an axis, which `keepdims` leaves with extent 1.
 * @type {(name: string, isLeast: boolean) => Operator} */
const extremeOf = (name, isLeast) =>
  define({
    name,
    versions: { 1: 3, 11: 3, 12: 3, 13: 4 },
    negativeAxis: 11,
    inputs: [tensor('data', typeCheck('data', numberTypes))],
    attributes: { axis: integer(0), keepdims: flag(true), select_last_index: flag(false, { since: 12 }) },
    shape({ schema }, { axis: axisOption, keepdims, select_last_index: isLast }, { dims }) {
      // Shape inference may not know the dims.
      if (!dims) return { dims, dtype: dtypes.int64 };
      const axis = readAxis(axisOption, 0, dims.length, schema.since >= 11);
      if (dims[axis] === 0) rangeError('data must have elements along the axis, got none');
      const resultDims = [...dims];
      if (keepdims) resultDims[axis] = 1;
      else resultDims.splice(axis, 1);
      return { dims: resultDims, dtype: dtypes.int64, axis, isLast };
    },
    move: computed(({ dims: resultDims, axis, isLast }, input) => {
      const axes = { ...axesOf(input.dims, axis), isLeast, isLast };
      return int64s(extremesOf(comparableFloats(input), axes).indices, resultDims);
    }),
  });

const ArgMax = extremeOf('ArgMax', false);
const ArgMin = extremeOf('ArgMin', true);

const TopK = define({
  name: 'TopK',
  versions: { 1: 1, 10: 1, 11: 3, 24: 4 },
  // ONNX states it from version 11 on. Before, -1 is the default already, and ONNX's inference takes negative axes.
  negativeAxis: 1,
  inputs: [tensor('X', typeCheck('X', numberTypes)), integers('K', { optional: true, since: 10, maxLength: 1 })],
  outputs: 2,
  attributes: {
    k: integer(undefined, { before: 10, least: 0 }),
    axis: integer(-1),
    largest: flag(true, { since: 11 }),
    sorted: flag(true, { since: 11 }),
  },
  shape({ schema }, { k, axis: axisOption, largest }, { dims, dtype }, list) {
    // K is an input from version 10 on: undefined if it is omitted, null if shape inference does not know it.
    const isAttribute = schema.since < 10;
    const isUnknownInput = list === null;
    const stated = isAttribute ? k : list?.[0];
    // Shape inference may not know the dims. Then those of the results are unknown too, and nothing is checked.
    if (!dims) return { outputs: [{ dims }, { dims, dtype: dtypes.int64 }], dtype };
    const axis = readAxis(axisOption, -1, dims.length, schema.negativeAxis);
    // Omitted, or an empty list.
    if (stated === undefined && !isUnknownInput) typeError(`${isAttribute ? 'k' : 'K'} must be given`);
    const count = stated ?? null;
    const extent = dims[axis];
    const areKnown = !isUnknown(count) && !isUnknown(extent);
    if (areKnown && !(count >= 0 && count <= extent)) rangeError(`K must be in [0, ${extent}], got ${count}`);
    const resultDims = [...dims];
    resultDims[axis] = count;
    const outputs = [{ dims: resultDims }, { dims: resultDims, dtype: dtypes.int64 }];
    return { outputs, dtype, axis, count, isLeast: !largest };
  },
  // Results are always sorted: without `sorted` ONNX allows any order.
  move: computed(({ outputs, axis, count, isLeast }, input) => {
    const axes = { ...axesOf(input.dims, axis), count: Number(count), isLeast };
    const resultDims = outputs[0].dims;
    const none = { values: new Float32Array(0), indices: new Int32Array(0) };
    const { values, indices } = sizeOf(resultDims) === 0 ? none : sortedAlong(comparableFloats(input), axes);
    // The sorted numbers of other types only stand for the elements, which are picked by their indices.
    const picked = input.dtype === dtypes.float32 ? values : pickedAlong(input.data, indices, axes);
    return [tensorOf(input.dtype, picked, resultDims), int64s(indices, resultDims)];
  }),
});

/** Picks elements by their indices along the middle axis. The loop is in JS, because it runs over the results alone.
 * @param {TensorData} data [outer, length, inner]
 * @param {Int32Array} indices [outer, count, inner], each below `length`
 * @param {{ length: number, inner: number, count: number }} axes
 * @returns {TensorData} [outer, count, inner] */
function pickedAlong(data, indices, { length, inner, count }) {
  const picked = new data.constructor(indices.length);
  indices.forEach((index, i) => {
    const outerIndex = Math.floor(i / (count * inner));
    const innerIndex = i % inner;
    picked[i] = data[(outerIndex * length + index) * inner + innerIndex];
  });
  return picked;
}

/** Reads the first element of an optional tensor; `byDefault` if it is omitted or has none.
 * @type {(value: { data: ArrayLike<number> } | undefined, byDefault: number) => number} */
const scalarOf = (value, byDefault) => (value?.data?.length ? Number(value.data[0]) : byDefault);

/** Refuses dims of boxes but [batch, boxes, 4]. Shape inference may not know the dims, nor an extent.
 * @type {(dims: Dim[] | undefined) => void} */
function checkDimsOfBoxes(dims) {
  if (!dims) return;
  const isBoxes = dims.length === 3 && (isUnknown(dims[2]) || dims[2] === 4);
  if (!isBoxes) rangeError(`boxes must have dims [batch, boxes, 4], got [${dims.join(', ')}]`);
}

/** Refuses dims of scores that are not three. Shape inference may not know the dims.
 * @type {(dims: Dim[] | undefined) => void} */
function checkDimsOfScores(dims) {
  if (dims && dims.length !== 3) rangeError(`scores must have dims [batch, classes, boxes], got [${dims.join(', ')}]`);
}

const NonMaxSuppression = define({
  name: 'NonMaxSuppression',
  versions: { 10: 1, 11: 1 },
  inputs: [
    tensor('boxes', floatCheck('boxes')),
    tensor('scores', floatCheck('scores')),
    integers('max_output_boxes_per_class', { optional: true, maxLength: 1 }),
    tensor('iou_threshold', floatCheck('iou_threshold'), true),
    tensor('score_threshold', floatCheck('score_threshold'), true),
  ],
  attributes: { center_point_box: flag(false) },
  shape(_, { center_point_box: isCenter }, boxes, scores, most) {
    checkDimsOfBoxes(boxes.dims);
    checkDimsOfScores(scores.dims);
    // The number of rows follows from the data. If `max_output_boxes_per_class` is omitted, ONNX selects no box.
    return { dims: [null, 3], dtype: dtypes.int64, isCenter, most: Number(most?.[0] ?? 0) };
  },
  move: computed(({ isCenter, most }, boxes, scores, _, iou, scoreThreshold) => {
    const [batch, count] = boxes.dims;
    const [scoreBatch, classes, scoreCount] = scores.dims;
    if (scoreBatch !== batch || scoreCount !== count)
      rangeError(`scores must have dims [${batch}, classes, ${count}], got [${scores.dims.join(', ')}]`);
    const limits = { iou: scalarOf(iou, 0), score: scalarOf(scoreThreshold, -Infinity), most };
    /** @type {number[]} the indices of picture, class and box, in turn */
    const rows = [];
    for (let picture = 0; picture < batch && most > 0; picture++) {
      const pictureBoxes = boxes.data.subarray(4 * picture * count, 4 * (picture + 1) * count);
      const corners = isCenter ? convertBoxes(pictureBoxes, 'cxcywh', 'xyxy') : sortCorners(pictureBoxes);
      for (let klass = 0; klass < classes; klass++) {
        const start = (picture * classes + klass) * count;
        const selected = selectBoxes(corners, scores.data.subarray(start, start + count), limits);
        for (const box of selected) rows.push(picture, klass, box);
      }
    }
    return int64s(Int32Array.from(rows), [rows.length / 3, 3]);
  }),
});

/** Finds the boxes of one class that survive suppression, and returns the indices of the best `most`, best first. Boxes
 * are corners [n, 4]; scores [n] have to be above `score`, where -Infinity stands for no threshold.
 * @type {(boxes: Float32Array, scores: Float32Array, limits: Limits) => Int32Array} */
function selectBoxes(boxes, scores, { iou, score, most }) {
  // A comparison with -Infinity would drop scores of -Infinity and NaN.
  const isUnlimited = score === -Infinity;
  const candidates = isUnlimited ? descendingOrder(scores) : indicesAbove(scores, score);
  const survivors = suppressBoxes(gatherRows(boxes, 4, candidates), numbersAt(scores, candidates), iou);
  return numbersAt(candidates, survivors.subarray(0, most));
}

/**
 * The ONNX operators Softmax, LogSoftmax, Sigmoid, ArgMax, ArgMin, TopK and NonMaxSuppression in all their versions,
 * for all types of each, and Resize for float32 and uint8: `runModel(model, inputs, { operators })` takes them,
 * `inferShape` and `run` of `onnx-layout/operators` one. They are within onnxruntime's tolerance; equal numbers are in
 * ONNX's order. float16 and bfloat16 are computed in float32 and rounded once. Resize cuts resized bytes, and rounds
 * them with `antialias`, as onnxruntime does.
 * @example
 * Object.keys(operators).slice(0, 3); // ['Softmax', 'LogSoftmax', 'Sigmoid']
 */
export const operators = Object.freeze({
  Softmax,
  LogSoftmax,
  Sigmoid,
  ArgMax,
  ArgMin,
  TopK,
  NonMaxSuppression,
  Resize,
});
