/** Beside ONNX: tensors joined along a new axis, and a tensor taken apart along one. */
import { isSame, named, rangeError, readOptions, showList } from '../../arguments/index.js';
import { ready } from '../../engines/tensors/index.js';
import { rankLimit, readTensor } from '../../tensor/index.js';
import { checkHasAxis, checkRank, outputLimit, readAll, readAxis } from '../core/index.js';
import { cut, joined } from './pieces.js';

/** @import { CheckedTensor, Int64, Plan, StackOptions, Tensor, TensorLike, TypeName } from '../types.js' */
/** @import { UnstackOptions } from '../types.js' */

/**
 * Joins tensors of one type and of the same dims along a new axis, as numpy.stack does.
 * @template {TypeName} T
 * @param {readonly TensorLike<T>[]} tensors one or more
 * @param {StackOptions} [options]
 * @returns {Tensor<T>} with memory of its own, or over `out.data`
 * @example
 * const [a, b] = [1, 2].map((value) => ({ type: 'uint8', data: Uint8Array.of(value, value), dims: [2] }));
 * stack([a, b], { axis: 1 }).data; // Uint8Array [1, 2, 1, 2]
 */
export function stack(tensors, options) {
  return named('stack', () => {
    ready();
    const anyType = undefined;
    const list = readAll('tensors', tensors, anyType, readTensor);
    const bag = readOptions(options, ['axis', 'out']);
    const axis = readNewAxis(bag.axis, list[0].dims.length);
    return joined.run({ inputs: ['tensors'] }, stackPlan('tensors', list, axis), [list], bag);
  });
}

/** Reads the index of an axis that is added to tensors of this rank, in [-rank - 1, rank], and counts it from the
 * front; 0 where the rank is unknown.
 * @type {(axis: Int64 | undefined, rank: number | undefined) => number} */
export function readNewAxis(value, rank) {
  if (rank === undefined) return readAxis(value, 0, rank);
  checkRank(rank + 1, rankLimit);
  return readAxis(value, 0, rank + 1);
}

/** Plans to join tensors along a new axis, and refuses tensors of different dims. `name`: that of the list in messages.
 * @type {(name: string, tensors: CheckedTensor[], axis: number) => Plan} */
export function stackPlan(name, tensors, axis) {
  const [{ dims, dtype }] = tensors;
  tensors.forEach((tensor, i) => {
    if (!isSame(tensor.dims, dims))
      rangeError(`${name}[${i}] dims must be ${showList(dims)}, as ${name}[0], got ${showList(tensor.dims)}`);
  });
  const stackedDims = dims.toSpliced(axis, 0, tensors.length);
  const sizes = Array(tensors.length).fill(1); // each tensor is one index of the new axis
  return { dims: stackedDims, dtype, axis, sizes, tensors };
}

/**
 * Takes a tensor apart along an axis, which the pieces no longer have: what {@link stack} joins.
 * @template {TypeName} T
 * @param {TensorLike<T>} tensor of rank 1 or more
 * @param {UnstackOptions} [options]
 * @returns {Tensor<T>[]} each with memory of its own, or over that of `out`
 * @example
 * const tensor = { type: 'uint8', data: Uint8Array.of(1, 2, 3, 4), dims: [2, 2] };
 * unstack(tensor, { axis: 1 }).map(({ data }) => [...data]); // [[1, 3], [2, 4]]
 */
export function unstack(tensor, options) {
  return named('unstack', () => {
    ready();
    const source = readTensor('tensor', tensor);
    const bag = readOptions(options, ['axis', 'out']);
    checkHasAxis('tensor', source.dims.length);
    const axis = readAxis(bag.axis, 0, source.dims.length);
    const count = source.dims[axis];
    if (count > outputLimit) rangeError(`dims[${axis}] must be at most ${outputLimit}, got ${count}`);
    const outputs = Array.from({ length: count }, () => ({ dims: source.dims.toSpliced(axis, 1) }));
    const sizes = Array(count).fill(1); // each piece is one index of the axis
    return cut.run({ inputs: ['tensor'] }, { outputs, axis, sizes }, [source], bag);
  });
}
