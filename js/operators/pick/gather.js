/** Gather: slices along one axis, in the order of indices. */
import { rangeError } from '../../arguments/index.js';
import { rankLimit, sizeOf } from '../../tensor/index.js';
import {
  checkHasAxis,
  checkRank,
  define,
  indexTypes,
  indices,
  isUnknown,
  readAxis,
  runNamed,
  tensor,
  whole,
} from '../core/index.js';
import { fromFront, indexed, refuseIndex } from './indexed.js';

/** @import { Dim, GatherAttributes, GatherOptions, IndicesLike, Naming, Operator, Tensor } from '../types.js' */
/** @import { TensorInfo, TensorLike, TypeName, Value } from '../types.js' */

/** @type {Operator<{ data?: TensorInfo, indices?: TensorInfo }, GatherAttributes>} */
export const Gather = define({
  name: 'Gather',
  versions: { 1: 3, 11: 3, 13: 4 },
  negativeAxis: 1,
  inputs: [tensor('data'), indices('indices', indexTypes)],
  attributes: { axis: whole(0) },
  shape(_, { axis: given }, { dims }, { dims: chosen, value }) {
    checkHasAxis('data', dims?.length);
    const axis = readAxis(given, 0, dims?.length);
    if (dims && chosen) checkRank(dims.length + chosen.length - 1, rankLimit);
    if (dims && value !== undefined) checkKnown(value, dims[axis]);
    return { dims: dims && chosen && replaced(dims, axis, chosen), axis };
  },
  move: indexed(({ axis }, numbers, indices, dims) => {
    const extent = dims[axis];
    for (let i = 0; i < numbers.length; i++) {
      const index = fromFront(numbers[i], extent);
      if (index < 0) refuseIndex(indices, i, 0 - extent, extent - 1);
      numbers[i] = index;
    }
    return { run: sizeOf(dims, axis + 1), rows: numbers, blocks: sizeOf(dims, 0, axis), step: extent };
  }),
  value(_, { value: entries }, { value: chosen }) {
    if (!Array.isArray(entries) || chosen === undefined) return undefined;
    const entryAt = (/** @type {any} */ index) => (isUnknown(index) ? null : (entries.at(Number(index)) ?? null));
    return Array.isArray(chosen) ? chosen.map(entryAt) : entryAt(chosen);
  },
});

/** @type {(dims: Dim[], axis: number, others: Dim[]) => Dim[]} by loops: to spread takes longer */
function replaced(dims, axis, others) {
  const all = new Array(dims.length + others.length - 1);
  for (let i = 0; i < axis; i++) all[i] = dims[i];
  for (let i = 0; i < others.length; i++) all[axis + i] = others[i];
  for (let i = axis + 1; i < dims.length; i++) all[others.length - 1 + i] = dims[i];
  return all;
}

/** @type {(indices: Value, extent: Dim) => void} */
function checkKnown(indices, extent) {
  if (isUnknown(extent)) return;
  [indices].flat().forEach((index, i) => {
    if (isUnknown(index) || (index >= -extent && index < extent)) return;
    rangeError(`indices must be in [${0 - extent}, ${extent - 1}], got ${index} at ${i}`);
  });
}

/**
 * Gather: slices of the data along one axis, in the order of the indices. The result has the dims of the indices in
 * place of the axis, so an index that is a number, or a scalar, drops the axis. A negative index counts from the back.
 * @template {TypeName} T
 * @param {TensorLike<T>} data of rank 1 or more
 * @param {IndicesLike | Naming<GatherOptions, 'indices'>} indices in [-extent, extent - 1] of the axis: a number, a
 *   list, or an int32 or int64 tensor
 * @param {GatherOptions} [options]
 * @returns {Tensor<T>} with memory of its own, or over `out.data`
 * @example
 * const data = { type: 'uint8', data: Uint8Array.of(1, 2, 3, 4, 5, 6), dims: [3, 2] };
 * gather(data, [2, 0, 0]).data; // Uint8Array [5, 6, 1, 2, 1, 2]
 */
export const gather = (data, indices, options) => runNamed(Gather, [data, indices], options);
