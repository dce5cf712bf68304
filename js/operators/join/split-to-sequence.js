/** SplitToSequence: a tensor cut along one axis. */
import { rangeError, readList, show, typeError } from '../../arguments/index.js';
import { checkData } from '../../tensor/index.js';
import {
  checkHasAxis,
  define,
  flag,
  indexTypes,
  indices,
  isOmitted,
  isUnknown,
  outputLimit,
  readAxis,
  readKnownIndices,
  runNamed,
  tensor,
  whole,
} from '../core/index.js';
import { cut } from './pieces.js';
import { checkSizes } from './split.js';

/** @import { Dim, Input, Int64, Integers, Move, Open, Operator, SplitToSequenceAttributes } from '../types.js' */
/** @import { SplitToSequenceOptions, TensorInfo, TensorLike, TensorSequence } from '../types.js' */

/** @typedef {Int64 | Open | (Int64 | Open)[]} Sizes one number for all pieces, or one for each */

const usual = indices('split', indexTypes);

/** @type {Input} a list, or one number */
const sizes = {
  ...usual,
  optional: true,
  read(input, call, value, options, values) {
    if (isOmitted(value)) return undefined;
    const { dims, list, parts } = usual.read(input, call, value, options, values);
    checkSplitRank(dims.length);
    const all = parts ? readList('split', checkData(parts)) : list;
    return dims.length === 0 ? all[0] : all;
  },
  known(input, call, known) {
    if (isOmitted(known)) return undefined;
    const { dims, value } = readKnownIndices(input, call, known);
    if (dims) checkSplitRank(dims.length);
    if (value === undefined) return dims?.[0] === 0 ? [] : null;
    if (dims && Array.isArray(value) !== (dims.length === 1))
      typeError(`split value must be ${dims.length === 0 ? 'a number' : 'a list'}, got ${show(value)}`);
    return value;
  },
};

/** @type {Operator<{ input?: TensorInfo, split?: TensorInfo | null }, SplitToSequenceAttributes>} */
export const SplitToSequence = define({
  name: 'SplitToSequence',
  versions: { 11: 3, 24: 4 },
  negativeAxis: 11,
  inputs: [tensor('input'), sizes],
  attributes: { axis: whole(0), keepdims: flag(true) },
  shape(_, { axis: given, keepdims }, { dims }, split) {
    checkHasAxis('input', dims?.length);
    const axis = readAxis(given, 0, dims?.length);
    const extent = dims && dims[axis];
    const isGiven = split !== undefined;
    checkSplit(isGiven ? split : 1, axis, extent);
    const drops = !isGiven && !keepdims;
    const size = isGiven ? commonSize(split, extent) : 1;
    return { dims: dims && pieceDims(dims, axis, size, drops), sequence: true, axis, split, drops };
  },
  move: { ...cut, run: cutSequence },
});

/**
 * SplitToSequence: the input cut along one axis.
 * @param {TensorLike} input of rank 1 or more
 * @param {number | bigint | Integers | TensorLike | null | SplitToSequenceOptions} [split] a number: the extent of each
 *   piece, where the last may be smaller; a list: the extents of all pieces, which sum to the axis' extent; or an int32
 *   or int64 tensor of rank 0 or 1 for these. 1 if omitted
 * @param {SplitToSequenceOptions} [options]
 * @returns {TensorSequence} an array of Tensors, each with memory of its own (or over that of `out`), with their `type`
 * @example
 * const planes = splitToSequence({ type: 'uint8', data: new Uint8Array(12), dims: [3, 2, 2] }, 1);
 * planes.map(({ dims }) => dims); // [[1, 2, 2], [1, 2, 2], [1, 2, 2]]
 */
export const splitToSequence = (input, split, options) => runNamed(SplitToSequence, [input, split], options);

/** @type {(rank: number) => void} */
function checkSplitRank(rank) {
  if (rank > 1) typeError(`split must be a scalar or 1-D, got rank ${rank}`);
}

/** @type {(split: Sizes, axis: number, extent: Dim) => void} refuses what cannot cut the axis so, as far as known */
function checkSplit(split, axis, extent) {
  if (Array.isArray(split)) return checkSizes(split, axis, extent);
  if (isUnknown(split)) return undefined;
  if (split < 1) rangeError(`split must be at least 1, got ${split}`);
  const count = isUnknown(extent) ? 0 : Math.ceil(extent / Number(split));
  if (count > outputLimit) rangeError(`split must give at most ${outputLimit} pieces, got ${count}`);
  return undefined;
}

/** @type {(split: Int64 | Int64[], extent: number) => number[]} of a split that was checked */
function sizesOf(split, extent) {
  if (Array.isArray(split)) return split.map(Number);
  const step = Number(split);
  return Array.from({ length: Math.ceil(extent / step) }, (_, i) => Math.min(step, extent - i * step));
}

/**
 * The extent that all pieces have along the axis, as ONNX's inference has it: unknown where a piece may differ, where
 * the axis' extent is open, and for pieces of 0. A number on an axis of extent 0 gives that number, though there is
 * no piece.
 * @type {(split: Sizes, extent: Dim) => Dim}
 */
function commonSize(split, extent) {
  if (isUnknown(extent)) return null;
  const first = Array.isArray(split) ? split[0] : split;
  if (typeof first !== 'number' || first === 0) return null;
  const same = Array.isArray(split) ? split.every((size) => size === first) : extent % first === 0;
  return same ? first : null;
}

/** @type {<E extends Dim>(dims: readonly E[], axis: number, size: E, drops: boolean) => E[]} */
const pieceDims = (dims, axis, size, drops) => (drops ? dims.toSpliced(axis, 1) : dims.with(axis, size));

/** @type {Move['run']} */
function cutSequence(operator, plan, values, options) {
  const { axis, split = 1, drops } = plan;
  const [{ dtype, dims }] = values;
  const sizes = sizesOf(split, dims[axis]);
  const outputs = sizes.map((size) => ({ dims: pieceDims(dims, axis, size, drops) }));
  return Object.assign(cut.run(operator, { ...plan, outputs, sizes }, values, options), { type: dtype.name });
}
