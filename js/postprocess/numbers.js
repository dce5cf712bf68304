/** Softmax, sigmoid, selection and maxima as torch has them on a CPU with AVX2, and a classifier's answer. */
import * as args from '../arguments/index.js';
import { extremesOf, greatestOf, sigmoidOf, softmaxOf } from '../engines/results/index.js';
import { dtypes, sizeOf } from '../tensor/index.js';
import { readLabels } from './settings.js';
import { floats, integers, readFloats, resultIn } from './tensors.js';

/** @import { Tensor, TensorLike } from '../tensor/index.js' */
/** @import { ClassifyOptions, InPlaceOptions, TopkOptions } from './option-types.js' */

/**
 * Softmax along the last axis, as `torch.softmax(input, -1)`.
 * @param {TensorLike} input float32 or float16
 * @param {InPlaceOptions} [options]
 * @returns {Tensor} float32
 * @example
 * softmax(Tensor.from('float32', [0, 0])).toArray(); // [0.5, 0.5]
 */
export function softmax(input, options) {
  return args.named('softmax', () => {
    const { data, dims } = readFloats('input', input);
    const { out } = args.readOptions(options, ['out']);
    return resultIn(out, dtypes.float32, dims, (to) => softmaxOf(data, dims.at(-1) ?? 1, to));
  });
}

/**
 * 1 / (1 + exp(-x)) as torch's vectors compute it, whatever the length.
 * @param {TensorLike} input float32 or float16
 * @param {InPlaceOptions} [options]
 * @returns {Tensor} float32
 * @example
 * sigmoid(Tensor.from('float32', [0])).toArray(); // [0.5]
 */
export function sigmoid(input, options) {
  return args.named('sigmoid', () => {
    const { data, dims } = readFloats('input', input);
    const { out } = args.readOptions(options, ['out']);
    return resultIn(out, dtypes.float32, dims, (to) => sigmoidOf(data, to));
  });
}

/**
 * The greatest numbers along the last axis, as `torch.topk` gives them on a CPU. Equal numbers, and all numbers without
 * `sorted`, have the order of the selection there. NaN counts as greatest.
 * @param {TensorLike} input float32 or float16
 * @param {number} k at most the extent of the last axis
 * @param {TopkOptions} [options]
 * @returns {{ values: Tensor, indices: Tensor }} float32 and int32
 * @example
 * topk(Tensor.from('float32', [1, 4, 2]), 2).indices.toArray(); // [1, 2]
 */
export function topk(input, k, options) {
  return args.named('topk', () => {
    const { data, dims } = readFloats('input', input);
    const { sorted } = args.readTable(options, { sorted: args.flag(true) });
    const length = dims.at(-1) ?? 1;
    if (args.readCount('k', k) > length) args.rangeError(`k must be at most the last axis' extent ${length}, got ${k}`);
    const { indices, values } = greatestOf(data, length, k, sorted);
    const extents = dims.length === 0 ? [] : [...dims.slice(0, -1), k];
    return { values: floats(values, extents), indices: integers(indices, extents) };
  });
}

/** Reads the number of an axis, which counts from the end if it is negative.
 * @type {(dim: number, rank: number) => number} */
function readAxis(dim, rank) {
  const isAxis = Number.isInteger(args.readNumber('dim', dim)) && dim >= -rank && dim < rank;
  if (!isAxis) args.rangeError(`dim must be in [${-rank}, ${rank - 1}], got ${dim}`);
  return dim < 0 ? dim + rank : dim;
}

/** Finds the int32 indices of the greatest or, with `isLeast`, least numbers along the axis `dim`, which the result
 * lacks; without `dim`, the index of the one number of all, []. `name`: the public function's, for errors.
 * @type {(name: string, input: TensorLike, dim: number | undefined, rules: { isLeast: boolean }) => Tensor} */
const indicesOfExtremes = (name, input, dim, { isLeast }) =>
  args.named(name, () => {
    const { data, dims, size } = readFloats('input', input);
    if (size === 0) args.rangeError(`input must have elements, got dims ${args.showList(dims)}`);
    const isOverAll = dim === undefined || dims.length === 0;
    if (isOverAll) return integers(extremesOf(data, { outer: 1, length: size, inner: 1, isLeast }).indices, []);
    const axis = readAxis(dim, dims.length);
    const axes = { outer: sizeOf(dims, 0, axis), length: dims[axis], inner: sizeOf(dims, axis + 1), isLeast };
    const otherDims = dims.filter((_, i) => i !== axis);
    return integers(extremesOf(data, axes).indices, otherDims);
  });

/**
 * The index of the greatest number along an axis, the first of equals, as `torch.argmax`. NaN counts as greatest.
 * @param {TensorLike} input float32 or float16
 * @param {number} [dim] over all elements if omitted
 * @returns {Tensor} int32
 * @example
 * argmax(Tensor.from('float32', [1, 3, 2, 0], [2, 2]), 1).toArray(); // [1, 0]
 */
export function argmax(input, dim) {
  return indicesOfExtremes('argmax', input, dim, { isLeast: false });
}

/**
 * The index of the least number along an axis, the first of equals, as `torch.argmin`. NaN counts as least.
 * @param {TensorLike} input float32 or float16
 * @param {number} [dim] over all elements if omitted
 * @returns {Tensor} int32
 * @example
 * argmin(Tensor.from('float32', [1, 3, 2, 0])).toArray(); // [3]
 */
export function argmin(input, dim) {
  return indicesOfExtremes('argmin', input, dim, { isLeast: true });
}

/** @typedef {{ label: string, score: number }} Class */

const table = {
  top_k: args.count(5),
  id2label: readLabels,
  function_to_apply: args.word(['softmax', 'sigmoid', 'none'], undefined),
};

/**
 * The best classes of each row, best first, as transformers' pipelines give them.
 * @param {TensorLike} logits [classes] or [batch, classes]
 * @param {ClassifyOptions} [options]
 * @returns {Class[][]} a list for each row; logits of [classes] are one row
 * @example
 * const logits = Tensor.from('float32', [0, 9, 0]);
 * const [[best]] = classify(logits, { id2label: ['cat', 'dog', 'owl'] });
 * best.label; // 'dog'
 */
export function classify(logits, options) {
  return args.named('classify', () => {
    const { data, dims } = readFloats('logits', logits);
    const { top_k, id2label: labelOf, function_to_apply: activation } = args.readTable(options, table);
    if (dims.length < 1 || dims.length > 2)
      args.rangeError(`logits must have dims [classes] or [batch, classes], got ${args.showList(dims)}`);
    const classes = /** @type {number} */ (dims.at(-1));
    const count = Math.min(top_k, classes);
    // As in transformers' pipelines: a single class has a probability of its own.
    const scores = activate(data, classes, activation ?? (classes === 1 ? 'sigmoid' : 'softmax'));
    const { indices, values } = greatestOf(scores, classes, count, true);
    const rowCount = classes > 0 ? data.length / classes : 0;
    return Array.from({ length: rowCount }, (_, row) =>
      Array.from({ length: count }, (__, place) => {
        const at = row * count + place;
        return { label: labelOf(indices[at]), score: values[at] };
      }),
    );
  });
}

/** Turns logits [rows, classes] into scores.
 * @type {(logits: Float32Array, classes: number, activation: 'softmax' | 'sigmoid' | 'none') => Float32Array} */
function activate(logits, classes, activation) {
  if (activation === 'softmax') return softmaxOf(logits, classes);
  return activation === 'sigmoid' ? sigmoidOf(logits) : logits;
}
