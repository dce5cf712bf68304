/** Split and SplitToSequence: a tensor cut along one axis. */
import { rangeError, readList, show, showList, typeError } from '../../arguments/index.js';
import { checkData } from '../../tensor/index.js';
import * as core from '../core/index.js';
import { cut } from './pieces.js';

/** @import { Attribute, Dim, Indices, Input, Int64, Integers, IntegersLike, Move, Open } from '../types.js' */
/** @import { Operator, OutputCount, Plan, Schema } from '../types.js' */
/** @import { SplitAttributes, SplitOptions, SplitToSequenceAttributes, SplitToSequenceOptions } from '../types.js' */
/** @import { Tensor, TensorInfo, TensorLike, TensorSequence, TypeName, View } from '../types.js' */

/** The first version whose last piece may be smaller where only the number of pieces is given. */
const firstOfUneven = 18;
/** Split-1 alone takes `split` as an attribute or an input, whose tensor has the type of the data, such as float32, and
 * not int64. ONNX infers no shape of it.
 * @type {(schema: Schema) => boolean} */
const isSplit1 = ({ since }) => since === 1;

const int64Entries = core.integers('split', { optional: true, eitherIn: 1 });

/** The input `split` of Split: the extents of the pieces along the axis, which nodes and calls may leave out.
 * @type {Input} */
const splitInput = {
  ...int64Entries,
  /** Reads the list of a call; undefined where it is omitted. In Split-1 it has the type of the data, `values[0]`. */
  read(input, call, value, options, values) {
    if (!isSplit1(call.schema)) return int64Entries.read(input, call, value, options, values);
    const [{ dtype: dataType }] = values;
    return core.isOmitted(value) ? undefined : core.readIntegersOfType('split', value, dataType);
  },
  /** Reads the list as inference knows it: of the input, `known`, or of the attribute in `options` that versions before
   * 13 have instead; null where no entry is known, undefined where split is omitted. An unknown entry is a symbol or
   * null. */
  known(input, call, known, options) {
    const { name } = input;
    const attribute = /** @type {Attribute} */ (input.attribute);
    const isInputGiven = !core.isOmitted(known);
    // Split-1 takes both forms, so a node may have both. Its entries are not read, because ONNX infers no shape of it.
    if (isSplit1(call.schema) && isInputGiven) {
      if (options?.split !== undefined) typeError('split is given twice');
      return null;
    }
    if (core.isAttribute(call, name, known)) return core.readAttribute(name, attribute, call, options);
    return isInputGiven ? core.readKnownIntegers(name, known, core.int64Only) : undefined;
  },
};

/** @type {Operator<{ input?: TensorInfo, split?: TensorInfo | null }, SplitAttributes & OutputCount>} */
export const Split = core.define({
  name: 'Split',
  versions: { 1: 1, 2: 3, 11: 3, 13: 4, 18: 4 },
  negativeAxis: 11,
  inputs: [core.tensor('input'), splitInput],
  outputs: Infinity,
  attributes: {
    axis: core.integer(0),
    split: core.list({ before: 13 }),
    num_outputs: core.integer(undefined, { since: 18 }),
  },
  /** Plans the pieces: `outputs` with the dims of each, and `sizes`, their extents along the axis. `split`: the list of
   * sizes; in inference some may be unknown, and it is null where all are. */
  shape(call, { axis: axisOption, num_outputs: numOutputs }, { dims }, split) {
    const { since, negativeAxis } = call.schema;
    core.checkHasAxis('input', dims?.length);
    const axis = core.readAxis(axisOption, 0, dims?.length, negativeAxis);
    const count = countPieces(split, numOutputs, call.outputs);
    if (count === null) rangeError('outputs must be given where split is not known, got undefined');
    // Of an unknown `split` or input, only the number of pieces is known.
    const areDimsKnown = dims && split !== null && !split?.some(core.isUnknown);
    const sizes = areDimsKnown ? sizesOf(since, axis, dims[axis], split, count) : Array(count).fill(null);
    const outputs = new Array(sizes.length);
    for (let i = 0; i < sizes.length; i++) outputs[i] = { dims: areDimsKnown ? pieceDims(dims, axis, sizes[i]) : null };
    return { outputs, axis, sizes };
  },
  move: { ...cut, view: pieceViews },
  /** Gives the dims of a piece that inference answers. */
  inferred: ({ dims }, { schema }) => (isSplit1(schema) ? null : dims),
});

/**
 * Split: the input cut along one axis, into pieces of the extents that `split` lists, or into `num_outputs` equal ones.
 *
 * Before opset 18 a call needs `split`; from opset 18 on, `split` or `num_outputs`. A node
 * of a model without both is cut into as many equal pieces as it has outputs.
 * @template {TypeName} T
 * @param {TensorLike<T>} input of rank 1 or more
 * @param {IntegersLike | null | SplitOptions} [split] numbers, or an int64 tensor of rank 1, which sum to the axis'
 *   extent
 * @param {SplitOptions} [options]
 * @returns {Tensor<T>[]} each with memory of its own, or over that of `out`
 * @example
 * const input = { type: 'uint8', data: Uint8Array.of(1, 2, 3, 4, 5), dims: [5] };
 * split(input, [2, 3]).map(({ dims }) => dims); // [[2], [3]]
 */
export const split = (input, split, options) => core.runNamed(Split, [input, split], options);

/** Counts the pieces: the entries of `split`, or else `numOutputs`, or else the node's `outputs`, with which the others
 * must agree. Null where inference does not know the count, undefined where nothing says it.
 * @type {(split: (Int64 | Open)[] | null | undefined, numOutputs: Int64 | undefined, outputs: number | null |
 *   undefined) => number | null | undefined} */
function countPieces(split, numOutputs, outputs) {
  if (split !== undefined && numOutputs !== undefined)
    rangeError(`split and num_outputs must not both be given, got num_outputs ${numOutputs}`);
  if (numOutputs !== undefined && (numOutputs < 1 || numOutputs > core.outputLimit))
    rangeError(`num_outputs must be in [1, ${core.outputLimit}], got ${numOutputs}`);
  const countWithoutSplit = numOutputs === undefined ? outputs : Number(numOutputs);
  const count = split ? split.length : countWithoutSplit;
  if (typeof outputs === 'number' && count !== outputs)
    rangeError(`${split ? 'split' : 'num_outputs'} must be the node's ${outputs} outputs, got ${count}`);
  return count;
}

/** Finds the extents of the pieces along the axis, of the extent `extent`: those of `split`, or else `count` equal
 * ones, of which the last may be smaller in versions (`since`) from 18 on.
 * @type {(since: number, axis: number, extent: Dim, split: Int64[] | undefined, count: number | undefined) => Dim[]} */
function sizesOf(since, axis, extent, split, count) {
  if (core.isUnknown(extent)) return Array(count).fill(null);
  if (split) {
    checkSizes(split, axis, extent);
    return split.map(Number);
  }
  const mayBeUneven = since >= firstOfUneven;
  if (count === undefined) rangeError(`split${mayBeUneven ? ' or num_outputs' : ''} must be given, got undefined`);
  const size = Math.ceil(extent / count);
  const lastSize = extent - size * (count - 1);
  if (!mayBeUneven && lastSize !== size)
    rangeError(`dims[${axis}] must divide into ${count} equal pieces, got ${extent}`);
  // Such as 5 elements in 4 pieces: 2, 2, 2, and -1.
  if (lastSize < 0) rangeError(`dims[${axis}] must fill ${count} pieces of ${size} but the last, got ${extent}`);
  return Array.from({ length: count }, (_, i) => (i === count - 1 ? lastSize : size));
}

/** Refuses a list of sizes that cannot cut an axis of this extent. Unknown sizes and extents pass.
 * @type {(split: readonly (Int64 | Open)[], axis: number, extent: Dim) => void} */
function checkSizes(split, axis, extent) {
  if (split.length === 0) rangeError('split must not be empty, got []');
  if (split.some((size) => !core.isUnknown(size) && size < 0))
    rangeError(`split entries must be at least 0, got ${showList(split)}`);
  if (core.isUnknown(extent) || split.some(core.isUnknown)) return;
  // Sums of numbers are exact up to the largest safe integer, and no extent is larger.
  let sum = 0;
  for (let i = 0; i < split.length; i++) sum += Number(split[i]);
  if (sum === extent) return;
  const exactSum = split.reduce((/** @type {bigint} */ total, size) => total + BigInt(/** @type {Int64} */ (size)), 0n);
  rangeError(`split must sum to dims[${axis}] = ${extent}, got ${showList(split)}, which sum to ${exactSum}`);
}

/** Gives the view of each piece that Split cuts a view into; undefined where strides cannot express one.
 * @type {(source: View, plan: Plan) => View[] | undefined} */
function pieceViews(source, { outputs, axis, sizes }) {
  const steps = source.dims.map(() => 1);
  const starts = source.dims.map(() => 0); // of the next piece
  const views = [];
  for (const [i, { dims }] of outputs.entries()) {
    const view = core.stepAxes(source, starts, steps, dims);
    if (!view) return undefined;
    views.push(view);
    starts[axis] += sizes[i];
  }
  return views;
}

/** @typedef {Int64 | Open | (Int64 | Open)[]} Sizes one number for all pieces, or one for each */

/** The extent of each piece of SplitToSequence where `split` is omitted. */
const defaultSize = 1;

const requiredIndices = core.indices('split', core.indexTypes);

/** The input `split` of SplitToSequence: the extents of the pieces, a list; or one number, the extent of each piece.
 * @type {Input} */
const sizesOrSize = {
  ...requiredIndices,
  optional: true,
  /** Reads the list or the number of a call; undefined where it is omitted. */
  read(input, call, value, options, values) {
    if (core.isOmitted(value)) return undefined;
    const { dims, list, tensor } = /** @type {Indices} */ (requiredIndices.read(input, call, value, options, values));
    checkSplitRank(dims.length);
    const entries = tensor ? readList('split', checkData(tensor)) : list;
    const isScalar = dims.length === 0;
    return isScalar ? entries[0] : entries;
  },
  /** Reads the list or the number as inference knows it: null where only its type is known, undefined if omitted. */
  known(input, call, known) {
    if (core.isOmitted(known)) return undefined;
    const { dims, value } = core.readKnownIndices(input, call, known);
    if (dims) checkSplitRank(dims.length);
    if (value === undefined) {
      const isEmptyList = dims?.[0] === 0;
      return isEmptyList ? [] : null;
    }
    const isScalar = dims?.length === 0;
    if (dims && Array.isArray(value) === isScalar)
      typeError(`split value must be ${isScalar ? 'a number' : 'a list'}, got ${show(value)}`);
    return value;
  },
};

/** @type {Operator<{ input?: TensorInfo, split?: TensorInfo | null }, SplitToSequenceAttributes>} */
export const SplitToSequence = core.define({
  name: 'SplitToSequence',
  versions: { 11: 3, 24: 4 },
  negativeAxis: 11,
  inputs: [core.tensor('input'), sizesOrSize],
  attributes: { axis: core.integer(0), keepdims: core.flag(true) },
  /** Plans the sequence. `dims` are those that all its tensors share, for inference; the move finds each one's. */
  shape(_, { axis: axisOption, keepdims }, { dims }, split) {
    core.checkHasAxis('input', dims?.length);
    const axis = core.readAxis(axisOption, 0, dims?.length);
    const extent = dims && dims[axis];
    const isOmitted = split === undefined;
    checkSplit(isOmitted ? defaultSize : split, axis, extent);
    // ONNX reads keepdims only without split.
    const dropsAxis = isOmitted && !keepdims;
    const size = isOmitted ? defaultSize : commonSize(split, extent);
    return { dims: dims && dimsInSequence(dims, axis, size, dropsAxis), sequence: true, axis, split, dropsAxis };
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
export const splitToSequence = (input, split, options) => core.runNamed(SplitToSequence, [input, split], options);

/** Refuses a `split` of SplitToSequence that is neither one number nor a list.
 * @type {(rank: number) => void} */
function checkSplitRank(rank) {
  if (rank > 1) typeError(`split must be a scalar or 1-D, got rank ${rank}`);
}

/** Refuses a `split`, a list of sizes or one size, that cannot cut an axis of this extent. Unknown ones pass.
 * @type {(split: Sizes, axis: number, extent: Dim) => void} */
function checkSplit(split, axis, extent) {
  if (Array.isArray(split)) checkSizes(split, axis, extent);
  else if (!core.isUnknown(split)) checkPieceSize(split, extent);
}

/** Refuses the size of all pieces if it is not positive, or gives too many pieces of an axis of this extent.
 * @type {(size: Int64, extent: Dim) => void} */
function checkPieceSize(size, extent) {
  if (size < 1) rangeError(`split must be at least 1, got ${size}`);
  if (core.isUnknown(extent)) return;
  const count = Math.ceil(extent / Number(size));
  if (count > core.outputLimit) rangeError(`split must give at most ${core.outputLimit} pieces, got ${count}`);
}

/** Gives the extents of the pieces of a checked `split`: a list, or one size, of which the last piece has the rest.
 * @type {(split: Int64 | Int64[], extent: number) => number[]} */
function pieceSizes(split, extent) {
  if (Array.isArray(split)) return split.map(Number);
  const size = Number(split);
  const count = Math.ceil(extent / size);
  return Array.from({ length: count }, (_, i) => Math.min(size, extent - i * size));
}

/** Finds the extent that all pieces have along the axis, as ONNX's inference has it: null where a piece may differ,
 * where the axis' extent is unknown, and for pieces of 0.
 * @type {(split: Sizes, extent: Dim) => Dim} */
function commonSize(split, extent) {
  if (core.isUnknown(extent)) return null;
  const size = Array.isArray(split) ? split[0] : split;
  // Only a number is an extent: a symbol is not known, and a bigint is beyond the safe integers.
  if (typeof size !== 'number' || size === 0) return null;
  const isCommon = Array.isArray(split) ? split.every((other) => other === size) : extent % size === 0;
  return isCommon ? size : null;
}

/** Gives the dims of a piece, of which `size` is the extent along the axis. By `slice`: `with` takes 45 ns longer.
 * @type {<E extends Dim>(dims: readonly E[], axis: number, size: E) => E[]} */
function pieceDims(dims, axis, size) {
  const piece = dims.slice();
  piece[axis] = size;
  return piece;
}

/** Gives the dims of a tensor of the sequence: without the axis that is cut where `keepdims` is 0.
 * @type {<E extends Dim>(dims: readonly E[], axis: number, size: E, dropsAxis: boolean) => E[]} */
const dimsInSequence = (dims, axis, size, dropsAxis) =>
  dropsAxis ? dims.toSpliced(axis, 1) : pieceDims(dims, axis, size);

/** Cuts the tensor to a sequence: an array of tensors, whose type is the array's `type`.
 * @type {Move['run']} */
function cutSequence(operator, plan, values, options) {
  const { axis, split = defaultSize, dropsAxis } = plan;
  const [{ dtype, dims }] = values;
  const sizes = pieceSizes(split, dims[axis]);
  const outputs = sizes.map((size) => ({ dims: dimsInSequence(dims, axis, size, dropsAxis) }));
  const tensors = cut.run(operator, { ...plan, outputs, sizes }, values, options);
  return Object.assign(tensors, { type: dtype.name });
}
