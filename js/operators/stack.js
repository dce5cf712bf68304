/** Beside ONNX: tensors joined along a new axis, and a tensor taken apart along one. */
import { named, rangeError, readOptions, showList } from '../arguments/index.js';
import { ready } from '../engine/index.js';
import { checkApart, checkData, checkOut, rankLimit, readOuts, readTensor, sizeOf, tensorOf } from '../tensor/index.js';
import { checkHasAxis, readAxis } from './axes.js';
import { joined, readAll } from './concat.js';
import { resultData } from './copy.js';
import { checkRank, checkSize } from './extents.js';
import { cutPieces } from './pieces.js';

/** @import { Tensor, TensorLike } from '../tensor/index.js' */

/** More pieces than this are a mistake, and their bookkeeping would take longer than their bytes. */
const pieceLimit = 1_000_000;

/**
 * Joins tensors of one type and of the same dims along a new axis, as numpy.stack does.
 * @param {readonly TensorLike[]} tensors one or more
 * @param {{ axis?: number | bigint, out?: TensorLike }} [options] `axis` of the result, in [-rank - 1, rank]; 0 if
 *   omitted. `out`: a tensor of the result's type and dims to write to, its memory apart from the inputs'
 * @returns {Tensor} with memory of its own, or over `out.data`
 * @throws {TypeError} no tensor, tensors of several types, an unknown option
 * @throws {RangeError} no tensors, dims that differ, an axis out of range, a rank above 64, out does not fit or
 *   overlaps, out of memory
 * @throws {Error} before `init()`
 * @example
 * const [a, b] = [1, 2].map((value) => ({ type: 'uint8', data: Uint8Array.of(value, value), dims: [2] }));
 * stack([a, b], { axis: 1 }).data; // Uint8Array [1, 2, 1, 2]
 */
export function stack(tensors, options) {
  return named('stack', () => {
    ready();
    const parts = readAll('tensors', tensors, undefined, readTensor);
    const { axis: given, out } = readOptions(options, ['axis', 'out']);
    return stacked('tensors', parts, given, out);
  });
}

/**
 * The tensor that stacked ones make.
 * @param {string} argument the tensors' name
 * @param {import('../tensor/index.js').CheckedTensor[]} parts
 * @param {number | bigint | undefined} given the axis
 * @param {unknown} target the option `out`
 * @returns {Tensor}
 */
export function stacked(argument, parts, given, target) {
  const { dims } = parts[0];
  checkRank(dims.length + 1, rankLimit);
  const axis = readAxis(given, 0, dims.length + 1);
  parts.forEach((own, i) => {
    if (own.dims.length !== dims.length || own.dims.some((extent, k) => extent !== dims[k]))
      rangeError(`${argument}[${i}] dims must be ${showList(dims)}, as ${argument}[0], got ${showList(own.dims)}`);
  });
  const all = parts.map((own) => own.dims.toSpliced(axis, 0, 1));
  return joined(argument, parts, axis, all, checkSize(dims.toSpliced(axis, 0, parts.length)), target);
}

/**
 * Takes a tensor apart along an axis, which the pieces no longer have: what {@link stack} joins.
 * @param {TensorLike} tensor of rank 1 or more
 * @param {{ axis?: number | bigint, out?: readonly TensorLike[] }} [options] `axis` in [-rank, rank - 1]; 0 if omitted.
 *   `out`: one tensor a piece to write to
 * @returns {Tensor[]} each with memory of its own, or over that of `out`
 * @throws {TypeError} no tensor, an unknown option
 * @throws {RangeError} an axis out of range, more than 1,000,000 pieces, out does not fit or overlaps, out of memory
 * @throws {Error} before `init()`
 * @example
 * const tensor = { type: 'uint8', data: Uint8Array.of(1, 2, 3, 4), dims: [2, 2] };
 * unstack(tensor, { axis: 1 }).map(({ data }) => [...data]); // [[1, 3], [2, 4]]
 */
export function unstack(tensor, options) {
  return named('unstack', () => {
    ready();
    const parts = readTensor('tensor', tensor);
    const { dtype, dims } = parts;
    const { axis: given, out: target } = readOptions(options, ['axis', 'out']);
    checkHasAxis('tensor', dims.length);
    const axis = readAxis(given, 0, dims.length);
    const count = dims[axis];
    if (count > pieceLimit) rangeError(`dims[${axis}] must be at most ${pieceLimit}, got ${count}`);
    const all = Array.from({ length: count }, () => dims.toSpliced(axis, 1));
    const outs = target === undefined ? undefined : readOuts(target, dtype, all);
    const source = checkData(parts);
    outs?.forEach((out, i) => checkOut(`out[${i}]`, out, 'tensor', parts));
    if (outs) checkApart(outs);
    const size = sizeOf(dims.toSpliced(axis, 1));
    const results = all.map((_, i) => resultData(dtype, size, outs?.[i], parts.data));
    const [outer, inner] = [sizeOf(dims, 0, axis), sizeOf(dims, axis + 1)];
    cutPieces(dtype, outer, inner, Array(count).fill(1), source, results);
    return results.map((data, i) => tensorOf(dtype, data, all[i]));
  });
}
