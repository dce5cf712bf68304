/** Slice: parts of axes, with steps. */
import { rangeError, showList, typeError } from '../../arguments/index.js';
import * as core from '../core/index.js';

/** @import { Call, Cuts, Dim, Int64, IntegersLike, Naming, Operator, Plan, TypeCheck } from '../types.js' */
/** @import { SliceAttributes, SliceOptions, Tensor, TensorInfo, TensorLike, TypeName } from '../types.js' */

/** Declares one of the inputs that are lists: of those that a call gives as tensors, all have one type.
 * @type {typeof core.integers} */
const listOfOneType = (name, options) =>
  core.integers(name, { ...options, types: core.indexTypes, check: sameType(name) });

/** The index, behind the five inputs that are read, at which the check of types keeps the name and the type of the
 * first list that is a tensor. */
const firstTensor = 5;

/** Makes the check of the list `name`, if it is a tensor: its type is int32 or int64, and that of the first such list,
 * whose check notes both at `firstTensor`.
 * @type {(name: string) => TypeCheck} */
const sameType = (name) => (dtype, _, values) => {
  core.integerCheck(name, core.indexTypes)(dtype);
  const first = (values[firstTensor] ??= { name, type: dtype.name });
  if (dtype.name !== first.type)
    typeError(`${name} type must be ${first.type}, as that of ${first.name}, got ${dtype.name}`);
};

/** @type {Operator<Partial<Record<'data' | 'starts' | 'ends' | 'axes' | 'steps', TensorInfo>>, SliceAttributes>} */
export const Slice = core.define({
  name: 'Slice',
  versions: { 1: 3, 10: 3, 11: 3, 13: 4 },
  negativeAxis: 11,
  inputs: [
    core.tensor('data'),
    listOfOneType('starts'),
    listOfOneType('ends'),
    listOfOneType('axes', { optional: true }),
    listOfOneType('steps', { optional: true, since: 10 }),
  ],
  attributes: {
    starts: core.list({ before: 10, required: true }),
    ends: core.list({ before: 10, required: true }),
    axes: core.list({ before: 10 }),
  },
  /** Plans the slices by four lists, starts, ends, axes and steps. Where inference does not know a list, all extents
   * are unknown; where it does not know the data's rank, the plan keeps the lists alone. */
  shape(call, _, { dims, size }, ...lists) {
    const [starts, ends, axes, steps] = lists; // the entry at `firstTensor` may follow
    const cuts = [starts, ends, axes, steps];
    checkLength('ends', ends, starts);
    checkLength('axes', axes, starts);
    checkLength('steps', steps, starts);
    if (steps?.includes(0)) rangeError(`steps must not be 0, got ${showList(steps)}`);
    // All lists of a call are known: only the data that inference knows of has no size.
    const isCall = size !== undefined;
    if (!isCall && cuts.some(hasUnknown)) return { dims: dims && dims.map(() => null) };
    return dims ? cutDims(call, dims, cuts) : { dims, cuts };
  },
  move: core.copied((source, { dims, starts, steps }) => core.stepAxes(source, starts, steps, dims)),
  /** Slices the elements of the data that inference knows: a list, as the dims that Shape gives. */
  value({ cuts, call }, { value }) {
    if (!cuts || !Array.isArray(value)) return undefined;
    const plan = cutDims(call, [value.length], cuts);
    const count = plan.dims[0];
    const start = plan.starts[0];
    const step = plan.steps[0];
    return Array.from({ length: count }, (_, i) => value[start + i * step]);
  },
});

/** Tells whether inference does not know a list, or an entry of it.
 * @type {(list: Cuts[0]) => boolean | undefined} */
const hasUnknown = (list) => list === null || list?.some(core.isUnknown);

/** Refuses a list of another length than `starts`, if both are given and known.
 * @type {(name: string, list: Cuts[0], starts: Cuts[0]) => void} */
function checkLength(name, list, starts) {
  if (starts && list && list.length !== starts.length)
    rangeError(`${name} must have as many entries as starts, ${starts.length}, got ${list.length}`);
}

/** Plans the slices of all axes: the first index, the step and the extent of each. No entry of `cuts`, which are
 * starts, ends, axes and steps, is unknown; an extent may be. The plan keeps `cuts` and `call`, by which inference
 * slices the known elements.
 * @type {(call: Call, dims: readonly Dim[], cuts: Cuts) => Plan} */
function cutDims(call, dims, cuts) {
  const rank = dims.length;
  const [starts, ends, axes, steps] = /** @type {Int64[][]} */ (cuts);
  const plan = { dims: new Array(rank), starts: new Array(rank), steps: new Array(rank), cuts, call };
  // Axes that no entry of `starts` is for stay as they are.
  for (let i = 0; i < rank; i++) {
    plan.dims[i] = dims[i];
    plan.starts[i] = 0;
    plan.steps[i] = 1;
  }
  if (!axes && starts.length > rank)
    rangeError(`starts must have at most as many entries as data has axes, ${rank}, got ${starts.length}`);
  const namedAxes = axes && core.readAxes(call, 'axes', axes, rank);
  for (let i = 0; i < starts.length; i++) {
    const axis = namedAxes ? namedAxes[i] : i;
    const extent = dims[axis];
    const step = steps ? steps[i] : 1;
    if (core.isUnknown(extent)) {
      // Slice-10 infers a symbol as it is; the others infer it as unknown.
      plan.dims[axis] = call.schema.since === 10 ? extent : null;
      continue;
    }
    const first = clampedFirst(starts[i], step, extent);
    const end = clampedEnd(ends[i], step, extent);
    plan.starts[axis] = first;
    plan.steps[axis] = Number(step);
    plan.dims[axis] = countBetween(first, end, step, extent);
  }
  return plan;
}

/** Finds the first index that is taken of an axis: `start`, counted from the front and clamped, which may be a bigint.
 * @type {(start: Int64, step: Int64, extent: number) => number} */
function clampedFirst(start, step, extent) {
  // Going forward, a start at the extent takes no element.
  const highest = step > 0 ? extent : extent - 1;
  if (start < -extent) return 0;
  return start > highest ? highest : core.fromFront(start, extent);
}

/** Counts the end of a slice, which is not taken itself, from the front and clamps it. Going backward it may be -1.
 * @type {(end: Int64, step: Int64, extent: number) => number} */
function clampedEnd(end, step, extent) {
  const lowest = step > 0 ? 0 : -1;
  const highest = step > 0 ? extent : extent - 1;
  if (end < -extent) return lowest;
  return end > highest ? highest : core.fromFront(end, extent);
}

/** Counts the elements that are taken of an axis: max(ceil((end - first) / step), 0).
 * @type {(first: number, end: number, step: Int64, extent: number) => number} */
function countBetween(first, end, step, extent) {
  if (extent === 0) return 0;
  // A step beyond the safe integers is rounded: it is longer than any axis either way.
  return Math.max(0, Math.ceil((end - first) / Number(step)));
}

/**
 * Slice: of some axes, the elements from `starts` up to `ends`, `steps` apart. A start or an end may count from the
 * back, and is clamped to the axis. With a negative step the axis runs backwards.
 *
 * An end of 2^63 - 1 is beyond the last element in either direction, as ONNX's text says.
 * @template {TypeName} T
 * @overload
 * @param {TensorLike<T>} data
 * @param {IntegersLike} starts numbers, or an int32 or int64 tensor of rank 1, as the three that follow
 * @param {IntegersLike | Naming<SliceOptions, 'ends'>} ends
 * @param {IntegersLike | null | SliceOptions} [axes] the first ones if omitted
 * @param {IntegersLike | null | SliceOptions} [steps] 1 if omitted, and never 0
 * @param {SliceOptions} [options]
 * @returns {Tensor<T>} with memory of its own, or over `out.data`
 * @example
 * const row = { type: 'uint8', data: Uint8Array.of(0, 1, 2, 3, 4, 5), dims: [6] };
 * slice(row, [4], [0], [0], [-2]).data; // Uint8Array [4, 2]
 */
/**
 * @template {TypeName} T
 * @overload
 * @param {TensorLike<T>} data
 * @param {Naming<SliceOptions, 'starts' | 'ends'>} options
 * @returns {Tensor<T>}
 */
/** @param {unknown} data @param {unknown} starts @param {unknown} [ends] @param {unknown} [axes] @param {unknown}
 * [steps] @param {unknown} [options] */
export function slice(data, starts, ends, axes, steps, options) {
  return core.runNamed(Slice, [data, starts, ends, axes, steps], options);
}

/** @typedef {{ dims: number[], starts: number[], steps: number[] }} ReadSlice */

/** Reads a call of Slice on a tensor that is not in memory. `inputs`: starts, ends, axes and steps.
 * @type {(dims: readonly number[], inputs: unknown[]) => ReadSlice} */
export const readSlice = (dims, inputs) =>
  core.withCall(
    Slice,
    undefined,
    (call) => /** @type {ReadSlice} */ (core.planOf(call, [{ dims }, ...inputs], undefined)),
  );
