/** SplitToSequence: a tensor cut along one axis. */
import {
  isList,
  rangeError,
  readFlag,
  readList,
  readWhole,
  show,
  showClass,
  showList,
  typedArrayName,
  typeError,
} from '../arguments/index.js';
import { checkApart, checkData, checkOut, readOuts, readTensor, sizeOf, tensorOf } from '../tensor/index.js';
import { moving, checkKeys } from './call.js';
import { resultData } from './copy.js';
import { isUnknown } from './extents.js';
import { readEntries, readKnown } from './tensor-info.js';
import { operator } from './operator.js';
import { cutPieces } from './pieces.js';

/** @import { Integers, Int64 } from '../arguments/index.js' */
/** @import { DType, TensorLike } from '../tensor/index.js' */
/** @import { CallOptions, Flag } from './call.js' */
/** @import { Dim, Open } from './extents.js' */
/** @import { TensorInfo } from './tensor-info.js' */
/** @import { Operator, TensorSequence } from './operator.js' */

/**
 * @typedef {object} Attributes
 * @property {number | bigint} [axis] in [-rank, rank - 1]; 0 if omitted
 * @property {Flag} [keepdims] 0 drops the axis, and counts only where split is omitted
 */
/**
 * @typedef {object} Results
 * @property {readonly TensorLike[]} [out] one tensor a piece to write to
 */

/** More pieces than this are a mistake, and their bookkeeping would take longer than their bytes. */
const pieceLimit = 1_000_000;

/** @type {Operator<{ input?: TensorInfo, split?: TensorInfo | null }, Attributes>} */
export const SplitToSequence = operator({
  name: 'SplitToSequence',
  versions: [
    [11, 3, { attributes: ['axis', 'keepdims'], negativeAxis: true }],
    [24, 4],
  ],
  inputs: ['input', 'split'],
  optional: ['split'],
  infer(call, inputs, options) {
    const { dtype, dims } = readKnown('input', inputs.input, call.checkType);
    checkKeys(call, options);
    const givenAxis = options?.axis;
    const keepdims = readFlag('keepdims', options?.keepdims, true);
    const axis = readAxis(givenAxis, dims?.length);
    const extent = dims && dims[axis];
    const given = inputs.split;
    const omitted = given === undefined || given === null;
    const split = omitted ? 1 : readKnownSplit(given);
    checkSplit(split, axis, extent);
    const size = omitted ? 1 : commonSize(split, extent);
    return { type: dtype.name, dims: dims && pieceDims(dims, axis, size, omitted && !keepdims), sequence: true };
  },
  run: ([input, split], options) => splitToSequence(input, split, options),
});

/**
 * SplitToSequence: the input cut along one axis.
 *
 * ONNX SplitToSequence-11, 24.
 * @param {TensorLike} input of rank 1 or more
 * @param {number | bigint | Integers | TensorLike | null} [split] a number: the extent of each piece, where the last
 *   may be smaller; a list: the extents of all pieces, which sum to the axis' extent; or an int32 or int64 tensor of
 *   rank 0 or 1 for these. 1 if omitted
 * @param {Attributes & Results & CallOptions} [options]
 * @returns {TensorSequence} an array of Tensors, each with memory of its own (or over that of `out`), with their `type`
 * @throws {TypeError} no tensor, a type that the version does not take, an unknown option, a split of another type or
 *   rank
 * @throws {RangeError} an axis out of range, a split that does not sum to the extent, more than 1,000,000 pieces, out
 *   does not fit or overlaps, out of memory
 * @throws {Error} before `init()`
 * @example
 * const planes = splitToSequence({ type: 'uint8', data: new Uint8Array(12), dims: [3, 2, 2] }, 1);
 * planes.map(({ dims }) => dims); // [[1, 2, 2], [1, 2, 2], [1, 2, 2]]
 */
export function splitToSequence(input, split, options) {
  return moving(SplitToSequence, options, (call) => {
    const parts = readTensor('input', input, call.checkType);
    checkKeys(call, options, 'out');
    const givenAxis = options?.axis;
    const keepdims = readFlag('keepdims', options?.keepdims, true);
    const target = options?.out;
    const axis = readAxis(givenAxis, parts.dims.length);
    const omitted = split === undefined || split === null;
    const cut = omitted ? 1 : readSplit(split);
    checkSplit(cut, axis, parts.dims[axis]);
    const { dtype } = parts;
    const sizes = splitSizes(cut, parts.dims[axis]);
    const dims = sizes.map((size) => pieceDims(parts.dims, axis, size, omitted && !keepdims));
    const outs = target === undefined ? undefined : readOuts(target, dtype, dims);
    const source = checkData(parts);
    outs?.forEach((out, i) => checkOut(`out[${i}]`, out, 'input', parts));
    if (outs) checkApart(outs);
    const results = dims.map((own, i) => resultData(dtype, sizeOf(own), outs?.[i], parts.data));
    const outer = sizeOf(parts.dims, 0, axis);
    const inner = sizeOf(parts.dims, axis + 1);
    cutPieces(dtype, outer, inner, sizes, source, results);
    const pieces = results.map((data, i) => tensorOf(dtype, data, dims[i]));
    return Object.assign(pieces, { type: dtype.name });
  });
}

/**
 * @param {number | bigint | undefined} given
 * @param {number | undefined} rank undefined where it is unknown
 * @returns {number} counted from the front; 0 where the rank is unknown
 */
function readAxis(given, rank) {
  const axis = given === undefined ? 0 : readWhole('axis', given);
  if (rank === undefined) return 0;
  if (rank === 0) rangeError('input must have at least one axis, got a scalar');
  if (!(axis >= -rank && axis < rank)) rangeError(`axis must be in [-${rank}, ${rank - 1}], got ${axis}`);
  return Number(axis) < 0 ? Number(axis) + rank : Number(axis);
}

/**
 * Reads a call's split.
 * @param {unknown} split
 * @returns {Int64 | Int64[]}
 */
function readSplit(split) {
  if (typeof split === 'number' || typeof split === 'bigint') return readWhole('split', split);
  if (isList(split)) return readList('split', split);
  if (typedArrayName(split)) typeError(`split must be a list of whole numbers, got ${showClass(split)}`);
  if (typeof split !== 'object')
    typeError(`split must be a number, a list of whole numbers or a tensor, got ${show(split)}`);
  const parts = readTensor('split', split, splitTypeCheck());
  checkSplitRank(parts.dims.length);
  checkData(parts);
  const list = readList('split', parts.data);
  return parts.dims.length === 0 ? list[0] : list;
}

/**
 * Reads what inference knows of a split.
 * @param {unknown} input
 * @returns {Int64 | Open | (Int64 | Open)[]}
 */
function readKnownSplit(input) {
  const { dims, value } = readKnown('split', input, splitTypeCheck());
  if (dims) checkSplitRank(dims.length);
  if (value === undefined || value === null) return dims?.[0] === 0 ? [] : null;
  if (isList(value) && dims?.length !== 0) return readEntries('split', value, dims);
  if (dims?.length === 1) typeError(`split value must be a list, got ${show(value)}`);
  return typeof value === 'string' ? value : readWhole('split', value);
}

/**
 * The check of a split tensor's type.
 * @returns {(dtype: DType) => void}
 */
const splitTypeCheck =
  () =>
  ({ name }) => {
    if (name !== 'int32' && name !== 'int64') typeError(`split must be int32 or int64, got ${name}`);
  };

/**
 * @param {number} rank
 */
function checkSplitRank(rank) {
  if (rank > 1) typeError(`split must be a scalar or 1-D, got rank ${rank}`);
}

/**
 * Checks that the axis can be cut so, as far as that is known.
 * @param {Int64 | Open | (Int64 | Open)[]} split
 * @param {number} axis
 * @param {Dim} extent of the axis
 */
function checkSplit(split, axis, extent) {
  if (Array.isArray(split)) return checkSizes(split, axis, extent);
  if (isUnknown(split)) return undefined;
  if (split < 1) rangeError(`split must be at least 1, got ${split}`);
  const count = isUnknown(extent) ? 0 : Math.ceil(extent / Number(split));
  if (count > pieceLimit) rangeError(`split must give at most ${pieceLimit} pieces, got ${count}`);
  return undefined;
}

/**
 * @param {(Int64 | Open)[]} sizes
 * @param {number} axis
 * @param {Dim} extent
 */
function checkSizes(sizes, axis, extent) {
  if (sizes.length === 0) rangeError('split must not be empty, got []');
  if (sizes.some((size) => !isUnknown(size) && size < 0))
    rangeError(`split must hold no negative entry, got ${showList(sizes)}`);
  if (isUnknown(extent) || sizes.some(isUnknown)) return;
  const sum = sizes.reduce((/** @type {number} */ total, size) => total + Number(size), 0);
  if (sum === extent) return;
  const exact = sizes.reduce((/** @type {bigint} */ total, size) => total + BigInt(/** @type {Int64} */ (size)), 0n);
  const terms = sizes.length > 1 ? `${showList(sizes).slice(1, -1).replaceAll(', ', ' + ')} = ` : '';
  rangeError(`split must sum to dims[${axis}] = ${extent}, got ${terms}${exact}`);
}

/**
 * The extents of the pieces along the axis, of a split that was checked.
 * @param {Int64 | Int64[]} split
 * @param {number} extent
 * @returns {number[]}
 */
function splitSizes(split, extent) {
  if (Array.isArray(split)) return split.map(Number);
  const step = Number(split);
  return Array.from({ length: Math.ceil(extent / step) }, (_, i) => Math.min(step, extent - i * step));
}

/**
 * The extent that all pieces have along the axis, as ONNX's inference has it: unknown where a piece may differ, where
 * the axis' extent is open, and for pieces of 0. A number on an axis of extent 0 gives that number, though there is no
 * piece.
 * @param {Int64 | Open | (Int64 | Open)[]} split
 * @param {Dim} extent
 * @returns {Dim}
 */
function commonSize(split, extent) {
  if (isUnknown(extent)) return null;
  const first = Array.isArray(split) ? split[0] : split;
  if (typeof first !== 'number' || first === 0) return null;
  const same = Array.isArray(split) ? split.every((size) => size === first) : extent % first === 0;
  return same ? first : null;
}

/**
 * The shape rule.
 * @template {Dim} E
 * @param {readonly E[]} dims of the input
 * @param {number} axis
 * @param {E} size of the piece along the axis
 * @param {boolean} drops whether the axis is dropped
 * @returns {E[]}
 */
function pieceDims(dims, axis, size, drops) {
  return drops ? dims.toSpliced(axis, 1) : dims.with(axis, size);
}
