/** Reshape: the same elements under other dims. */
import { brief, rangeError, showList } from '../../arguments/index.js';
import { rankLimit } from '../../tensor/index.js';
import * as core from '../core/index.js';

/** @import { Dim, Int64, Integers, Naming, Open, Operator, ReshapeAttributes, ReshapeOptions } from '../types.js' */
/** @import { Tensor, TensorInfo, TensorLike, TypeName } from '../types.js' */

/** The first version whose inference in ONNX reads a `shape` of which only some entries are known. */
const firstPropagating = 14;

/** @type {Operator<{ data?: TensorInfo, shape?: TensorInfo }, ReshapeAttributes>} */
export const Reshape = core.define({
  name: 'Reshape',
  versions: { 1: 1, 5: 3, 13: 4, 14: 4, 19: 9, 21: 10, 23: 11, 24: 12, 25: 13 },
  inputs: [
    core.tensor('data'),
    core.integers('shape', { takesNumber: false, maxLength: rankLimit, lengthSince: firstPropagating }),
  ],
  attributes: {
    shape: core.list({ before: 5, required: true }),
    consumed_inputs: core.ignoredAttribute({ before: 5 }),
    allowzero: core.flag(false, { since: 14 }),
  },
  /** Plans the dims: `shape` with its 0 and -1 replaced. `isPartial`: whether an entry of `shape` is unknown. */
  shape(_, { allowzero }, { dims }, shape) {
    if (!shape) return { dims: null };
    const freeAxis = shape.indexOf(-1);
    const hasFree = freeAxis >= 0;
    checkShape(shape, freeAxis, allowzero);
    const target = withCopiedExtents(dims, shape, allowzero);
    if (hasFree) target[freeAxis] = freeExtent(dims, shape, target, freeAxis);
    else checkCount(dims, target);
    return { dims: core.checkExtents(target), isPartial: shape.some(core.isUnknown) };
  },
  move: core.shared,
  /** Gives the dims that ONNX's own inference gives: before opset 14 none if an entry of `shape` is unknown. */
  inferred({ dims, isPartial }, { schema }) {
    const ignoresShape = isPartial && schema.since < firstPropagating;
    return ignoresShape ? null : dims;
  },
});

/**
 * Reshape: the same elements under other dims. In `shape`, one entry may be -1: the others determine it. An entry of 0
 * copies the input's extent at the same index; with `allowzero` it is an extent of 0.
 * @template {TypeName} T
 * @param {TensorLike<T>} data
 * @param {Integers | TensorLike | Naming<ReshapeOptions, 'shape'>} shape a list, or an int64 tensor of rank 1
 * @param {ReshapeOptions} [options]
 * @returns {Tensor<T>} shares the input's data
 * @example
 * reshape({ type: 'uint8', data: new Uint8Array(24), dims: [2, 3, 4] }, [0, -1]).dims; // [2, 12]
 */
export const reshape = (data, shape, options) => core.callNamed(Reshape, [data, shape], options);

/** Refuses a shape that no input fits. `freeAxis`: the index of its first -1, or -1.
 * @type {(shape: readonly (Int64 | Open)[], freeAxis: number, allowzero: boolean) => void} */
function checkShape(shape, freeAxis, allowzero) {
  const hasFree = freeAxis >= 0;
  if (hasFree && shape.includes(-1, freeAxis + 1)) rangeError(`shape must have at most one -1, got ${showList(shape)}`);
  if (shape.some((extent) => !core.isUnknown(extent) && Number(extent) < -1))
    rangeError(`shape entries must be at least -1, got ${showList(shape)}`);
  if (allowzero && hasFree && shape.includes(0))
    rangeError(`shape cannot mix 0 and -1 when allowzero=1, got ${showList(shape)}`);
}

/** Replaces the shape's zeros, unless `allowzero` keeps them, by the input's extents; by null if its rank is unknown.
 * @type {(dims: readonly Dim[] | null, shape: readonly (Int64 | Open)[], allowzero: boolean) => (Int64 | Open)[]} */
function withCopiedExtents(dims, shape, allowzero) {
  return shape.map((extent, i) => {
    if (extent !== 0 || allowzero) return extent;
    if (dims === null) return null;
    if (i >= dims.length) rangeError(`shape[${i}] is 0 but data has rank ${dims.length}, got ${showList(shape)}`);
    return dims[i];
  });
}

/** Refuses a shape without -1 that has another number of elements than the data.
 * @type {(dims: readonly Dim[] | null, target: readonly (Int64 | Open)[]) => void} */
function checkCount(dims, target) {
  const count = core.product(target);
  const size = dims && core.product(dims);
  // Beyond the safe integers `count` is rounded, but no size is so large that it could equal it.
  if (core.isUnknown(count) || core.isUnknown(size) || count === size) return;
  let exactCount = 1n;
  for (const extent of target) exactCount *= BigInt(/** @type {Int64} */ (extent));
  rangeError(`shape ${showList(target)} has ${exactCount} elements, data has ${size}`);
}

/** Computes the extent that -1 stands for: the data's size over the product of the other extents; null where an unknown
 * extent is left, or where the known ones have no exact product. `target` is `shape` with its zeros replaced.
 * @type {(dims: readonly Dim[] | null, shape: readonly (Int64 | Open)[], target: readonly (Int64 | Open)[], freeAxis:
 *   number) => number | null} */
function freeExtent(dims, shape, target, freeAxis) {
  // An unknown extent that a 0 copies is a factor of the data's size and of the others' product: both leave it out.
  const cancels = (/** @type {number} */ i) => shape[i] === 0 && core.isUnknown(target[i]);
  const others = core.product(target, (i) => i === freeAxis || cancels(i));
  if (others === 0) rangeError(`shape cannot have -1 beside a zero extent, got ${showList(shape)}`);
  const size = dims && core.product(dims, cancels);
  if (dims === null || core.isUnknown(others) || core.isUnknown(size) || !Number.isSafeInteger(size)) return null;
  if (size % others !== 0) {
    const shownProduct = () => brief(dims.map((extent) => extent ?? '?').join(' * '));
    const shownSize = dims.some(core.isUnknown) ? shownProduct() : size;
    rangeError(`shape ${showList(shape)} does not divide ${shownSize} elements`);
  }
  return size / others;
}
