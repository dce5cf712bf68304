/** The operators, one function each, in the order of ONNX's page. What a call means and whether it is legal is decided here. */
import {
  isList,
  readFlag,
  readList,
  readWhole,
  show,
  showClass,
  typedArrayName,
  wrongKind,
  wrongValue,
} from '../arguments/index.js';
import { clearTail, mostMemories, move, nextMemory, planFor, ready, stridesOf } from '../engine/index.js';
import {
  checkApart,
  checkData,
  checkOut,
  dtypes,
  newData,
  rankLimit,
  readOut,
  readOuts,
  readTensor,
  sizeOf,
  tensorOf,
} from '../tensor/index.js';
import { checkKeys, readCall, typeCheck } from './call.js';
import {
  checkShapeRank,
  checkSplit,
  checkSplitRank,
  flattenDims,
  readPerm,
  reshapeDims,
  shapeTypeCheck,
  splitAxis,
  splitSizes,
  splitTypeCheck,
} from './shapes.js';

/** @import { Describe } from '../engine/index.js' */
/** @import { Integers, Whole } from '../arguments/index.js' */
/** @import { Parts, Tensor, TensorLike, TypeName } from '../tensor/index.js' */

/** @typedef {Tensor[] & { type: TypeName }} TensorSequence an empty one still knows its element type */
/** @typedef {0 | 1 | boolean} Flag */

/**
 * What every call takes beside its attributes.
 * @typedef {object} CallOptions
 * @property {number} [opset] whose rules apply; the newest if omitted
 * @property {boolean} [strict] `false` lifts the version's type list, and nothing else
 */

/**
 * Flatten: a matrix of the same elements, the axes before `axis` in its rows, the others in its columns.
 *
 * ONNX Flatten-1, 9, 11, 13, 21, 23, 24, 25. Needs no `init()`.
 * @param {TensorLike} input of any rank r
 * @param {{ axis?: number | bigint } & CallOptions} [options] `axis`: in [-r, r] (below opset 11: in [0, r]); 1 if omitted
 * @returns {Tensor} of dims [prod(dims[:axis]), prod(dims[axis:])]; shares the input's data
 * @throws {TypeError} no tensor, a type that the version does not take, an unknown option
 * @throws {RangeError} an axis out of range, data of the wrong length
 * @example
 * flatten({ type: 'uint8', data: new Uint8Array(24), dims: [2, 3, 4] }, { axis: 2 }).dims; // [6, 4]
 */
export function flatten(input, options) {
  const call = readCall('Flatten', options);
  const parts = readTensor(call.prefix, 'input', input, typeCheck(call));
  checkKeys(call, options);
  const axis = options?.axis;
  const dims = flattenDims(call, parts.dims, axis === undefined ? 1 : readWhole(call.prefix, 'axis', axis));
  checkData(call.prefix, parts);
  return tensorOf(parts.dtype, parts.data, dims);
}

/**
 * Reshape: the same elements under other dims. In `shape`, one -1 is determined by the others; a 0 copies the input's extent at
 * the same index, or with `allowzero` is 0.
 *
 * ONNX Reshape-1, 5, 13, 14, 19, 21, 23, 24, 25. Needs no `init()`.
 * @param {TensorLike} data
 * @param {Integers | TensorLike} [shape] a list, or an int64 tensor of rank 1; omitted below opset 5, where it is an attribute
 * @param {{ allowzero?: Flag, shape?: Integers, consumed_inputs?: Integers } & CallOptions} [options] `allowzero`: from opset 14; 0 if omitted;
 *   `shape`: below opset 5; `consumed_inputs`: below opset 5, without meaning
 * @returns {Tensor} shares the input's data
 * @throws {TypeError} no tensor, a type that the version does not take, an unknown option, a shape of another type or rank
 * @throws {RangeError} a shape that does not have the input's number of elements
 * @example
 * reshape({ type: 'uint8', data: new Uint8Array(24), dims: [2, 3, 4] }, [0, -1]).dims; // [2, 12]
 */
export function reshape(data, shape, options) {
  const call = readCall('Reshape', options);
  const { prefix } = call;
  const parts = readTensor(prefix, 'data', data, typeCheck(call));
  checkKeys(call, options);
  const allowzero = readFlag(prefix, 'allowzero', options?.allowzero, false);
  if (call.schema.attributes.includes('shape')) {
    if (shape !== undefined)
      wrongKind(prefix, `shape is an attribute before opset 5, got it as an input at opset ${call.opset}`);
    shape = options?.shape;
    if (!isList(shape)) wrongKind(prefix, `shape must be a list of whole numbers, got ${show(shape)}`);
  }
  const target = readShape(prefix, shape);
  if (target.length > rankLimit)
    wrongValue(prefix, `shape must have at most ${rankLimit} entries, got ${target.length}`);
  const dims = reshapeDims(call, parts.dims, target, allowzero);
  checkData(prefix, parts);
  return tensorOf(parts.dtype, parts.data, dims);
}

/** @type {(prefix: string, shape: unknown) => Whole[]} */
function readShape(prefix, shape) {
  if (isList(shape)) return readList(prefix, 'shape', shape);
  if (typeof shape !== 'object' || shape === null || typedArrayName(shape)) {
    wrongKind(prefix, `shape must be a list of whole numbers or an int64 tensor, got ${show(shape)}`);
  }
  const parts = readTensor(prefix, 'shape', shape, shapeTypeCheck(prefix));
  checkShapeRank(prefix, parts.dims.length);
  checkData(prefix, parts);
  return readList(prefix, 'shape', parts.data);
}

/**
 * Transpose: axis i of the result is axis perm[i] of the input.
 *
 * ONNX Transpose-1, 13, 21, 23, 24, 25.
 * @param {TensorLike} data
 * @param {{ perm?: Integers, out?: TensorLike } & CallOptions} [options] `perm`: each of 0 to rank - 1 once; the axes in reverse if
 *   omitted. `out`: a tensor of the result's type and dims to write to, its memory apart from the input's
 * @returns {Tensor} with memory of its own, or over `out.data`
 * @throws {TypeError} no tensor, a type that the version does not take, an unknown option
 * @throws {RangeError} perm is no permutation, out does not fit or overlaps, out of memory
 * @throws {Error} before `init()`
 * @example
 * transpose({ type: 'uint8', data: Uint8Array.of(1, 2, 3, 4, 5, 6), dims: [2, 3] }).data; // Uint8Array [1, 4, 2, 5, 3, 6]
 */
export function transpose(data, options) {
  ready('transpose');
  const call = readCall('Transpose', options);
  const { prefix } = call;
  const parts = readTensor(prefix, 'data', data, typeCheck(call));
  checkKeys(call, options, 'out');
  const given = options?.perm;
  const target = options?.out;
  const perm = readPerm(prefix, given, parts.dims.length);
  const { dtype } = parts;
  /** @type {number[]} */
  const dims = new Array(perm.length);
  // Not by map, which takes 30 ns of a small tensor's 440.
  for (let i = 0; i < perm.length; i++) dims[i] = parts.dims[perm[i]];
  const out = target === undefined ? undefined : readOut(prefix, 'out', target, dtype, dims);
  const source = checkData(prefix, parts);
  if (out) checkOut(prefix, 'out', out, 'data', parts);
  const result = out ? out.data : newData(prefix, dtype, parts.size, parts.data);
  if (dtype.array === 'Array') transposeStrings(prefix, source, parts.dims, perm, result);
  else transposeData(dtype.bits, parts, perm, source, result);
  return tensorOf(dtype, result, dims);
}

/**
 * A transpose is one box: its axes are the result's.
 * @type {Describe}
 */
function transposeBoxes(dims, perm) {
  const strides = stridesOf(dims);
  const extents = perm.map((axis) => dims[axis]);
  return [{ extents, from: perm.map((axis) => strides[axis]), to: stridesOf(extents) }];
}

/** @type {(bits: number, input: Parts, perm: readonly number[], source: any, result: any) => void} */
function transposeData(bits, { dims, size }, perm, source, result) {
  clearTail(bits, size, result);
  move(planFor(transposeBoxes, bits, dims, perm), [source], [result]);
}

/** Strings have no width: their indices are moved as uint32, and the strings follow. @type {(prefix: string, source: string[], dims: number[], perm: number[], result: string[]) => void} */
function transposeStrings(prefix, source, dims, perm, result) {
  const indices = newData(prefix, dtypes.uint32, source.length, undefined);
  const moved = newData(prefix, dtypes.uint32, source.length, undefined);
  for (let i = 0; i < indices.length; i++) indices[i] = i;
  move(planFor(transposeBoxes, 32, dims, perm), [indices], [moved]);
  for (let i = 0; i < moved.length; i++) result[i] = source[moved[i]];
}

/**
 * SplitToSequence: the input cut along one axis.
 *
 * ONNX SplitToSequence-11, 24.
 * @param {TensorLike} input of rank 1 or more
 * @param {number | bigint | Integers | TensorLike | null} [split] a number: the extent of each piece, where the last may be smaller; a
 *   list: the extents of all pieces, with the axis' extent as their sum; or an int32 or int64 tensor of rank 0 or 1 for these. As 1 if omitted
 * @param {{ axis?: number | bigint, keepdims?: Flag, out?: readonly TensorLike[] } & CallOptions} [options] `axis`: in [-rank, rank - 1]; 0
 *   if omitted. `keepdims`: 0 drops the axis, which counts only where split is omitted. `out`: one tensor a piece to write to
 * @returns {TensorSequence} an array of Tensors, each with memory of its own (or over that of `out`), with their `type`
 * @throws {TypeError} no tensor, a type that the version does not take, an unknown option, a split of another type or rank
 * @throws {RangeError} an axis out of range, a split that does not sum to the extent, more than 1,000,000 pieces, out does not fit or overlaps, out of memory
 * @throws {Error} before `init()`
 * @example
 * const planes = splitToSequence({ type: 'uint8', data: new Uint8Array(12), dims: [3, 2, 2] }, 1);
 * planes.map(({ dims }) => dims); // [[1, 2, 2], [1, 2, 2], [1, 2, 2]]
 */
export function splitToSequence(input, split, options) {
  ready('splitToSequence');
  const call = readCall('SplitToSequence', options);
  const { prefix } = call;
  const parts = readTensor(prefix, 'input', input, typeCheck(call));
  checkKeys(call, options, 'out');
  const givenAxis = options?.axis;
  const keepdims = readFlag(prefix, 'keepdims', options?.keepdims, true);
  const target = options?.out;
  const axis = splitAxis(prefix, givenAxis === undefined ? 0 : readWhole(prefix, 'axis', givenAxis), parts.dims.length);
  const omitted = split === undefined || split === null;
  const cut = omitted ? 1 : readSplit(prefix, split);
  checkSplit(prefix, cut, axis, parts.dims[axis]);
  const sizes = splitSizes(cut, parts.dims[axis]);
  const { dtype } = parts;
  const pieceDims = sizes.map((size) =>
    omitted && !keepdims ? parts.dims.toSpliced(axis, 1) : parts.dims.with(axis, size),
  );
  const outs = target === undefined ? undefined : readOuts(prefix, target, dtype, pieceDims);
  const source = checkData(prefix, parts);
  outs?.forEach((out, i) => checkOut(prefix, `out[${i}]`, out, 'input', parts));
  if (outs) checkApart(prefix, outs);
  const results = pieceDims.map((dims, i) => (outs ? outs[i].data : newData(prefix, dtype, sizeOf(dims), parts.data)));
  const outer = sizeOf(parts.dims.slice(0, axis));
  const inner = sizeOf(parts.dims.slice(axis + 1));
  if (dtype.array === 'Array') splitStrings(source, outer, inner, sizes, results);
  else {
    results.forEach((data, i) => clearTail(dtype.bits, outer * inner * sizes[i], data));
    move(planFor(splitBoxes, dtype.bits, [outer, inner], sizes), [source], results);
  }
  const pieces = results.map((data, i) => tensorOf(dtype, data, pieceDims[i]));
  return Object.assign(pieces, { type: dtype.name });
}

/** @type {(prefix: string, split: unknown) => Whole | Whole[]} */
function readSplit(prefix, split) {
  if (typeof split === 'number' || typeof split === 'bigint') return readWhole(prefix, 'split', split);
  if (isList(split)) return readList(prefix, 'split', split);
  if (typedArrayName(split)) wrongKind(prefix, `split must be a list of whole numbers, got ${showClass(split)}`);
  if (typeof split !== 'object')
    wrongKind(prefix, `split must be a number, a list of whole numbers or a tensor, got ${show(split)}`);
  const parts = readTensor(prefix, 'split', split, splitTypeCheck(prefix));
  checkSplitRank(prefix, parts.dims.length);
  checkData(prefix, parts);
  const list = readList(prefix, 'split', parts.data);
  return parts.dims.length === 0 ? list[0] : list;
}

/**
 * Pieces of one size that follow one another are one box.
 * @type {Describe}
 */
function splitBoxes([outer, inner], sizes) {
  const row = inner * sizes.reduce((sum, size) => sum + size, 0);
  const boxes = [];
  let first = 0;
  for (let i = 0, count = 0; i < sizes.length; i += count) {
    count = 1;
    while (count < mostMemories && sizes[i + count] === sizes[i]) count++;
    const piece = inner * sizes[i];
    const [extents, from, to] = [
      [count, outer, piece],
      [piece, row, 1],
      [nextMemory, piece, 1],
    ];
    boxes.push({ extents, from, to, first, destination: i });
    first += count * piece;
  }
  return boxes;
}

/** @type {(source: string[], outer: number, inner: number, sizes: number[], results: string[][]) => void} */
function splitStrings(source, outer, inner, sizes, results) {
  let from = 0;
  for (let row = 0; row < outer; row++) {
    for (let i = 0; i < sizes.length; i++) {
      const run = sizes[i] * inner;
      for (let k = 0; k < run; k++) results[i][row * run + k] = source[from++];
    }
  }
}
