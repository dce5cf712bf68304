/** Concat: tensors joined along an axis. */
import { rangeError, showList, typeError } from '../../arguments/index.js';
import { checkExtents, checkHasAxis, define, isUnknown, readAxis, run, tensors, integer } from '../core/index.js';
import { joined } from './pieces.js';

/** @import { CallOptions, ConcatAttributes, Dim, Operator, Plan, Results, Tensor, TensorInfo } from '../types.js' */
/** @import { TensorLike, TypeName } from '../types.js' */

/** The first version without a default axis. */
const firstRequiringAxis = 4;
/** The first version of which ONNX infers the shape: of Concat-1, `inferShape` gives neither dims nor elements. */
const firstWithInference = 4;
/** The first version that infers the symbol of the joined axis from a single input. */
const firstKeepingSymbol = 11;

/** Whether the rank of an input is known. Defined once, because making a function in each call slows small concats.
 * @type {(input: { dims: readonly Dim[] | null }) => boolean} */
const hasRank = ({ dims }) => dims !== null;

/** @type {Operator<{ inputs?: readonly TensorInfo[] }, ConcatAttributes>} */
export const Concat = define({
  name: 'Concat',
  versions: { 1: 1, 4: 3, 11: 3, 13: 4 },
  negativeAxis: 11,
  inputs: [tensors('inputs')],
  attributes: { axis: integer(undefined) },
  /** Plans the result of `inputs`: tensors in a call, their types and dims in inference. The result's dims are null
   * where inference does not know the rank of each input. */
  shape({ schema }, { axis: axisOption }, inputs) {
    const { since, negativeAxis } = schema;
    if (axisOption === undefined && since >= firstRequiringAxis)
      typeError('axis must be a number or a bigint, got undefined');
    // All inputs have one rank: the first one that is known is enough to check the axis.
    const rank = inputs.find(hasRank)?.dims.length;
    checkHasAxis('inputs[0]', rank);
    const defaultAxis = 1; // of Concat-1 alone
    const axis = readAxis(axisOption, defaultAxis, rank, negativeAxis);
    for (let i = 0; i < inputs.length; i++) if (!inputs[i].dims) return { dims: null, dtype: inputs[0].dtype };
    const plan = concatPlan('inputs', inputs, axis);
    // A sum with an unknown extent is null; but of a single input, its symbol, such as 'batch', stays.
    const keepsSymbol = inputs.length === 1 && since >= firstKeepingSymbol;
    if (keepsSymbol) plan.dims[axis] = inputs[0].dims[axis];
    plan.hasInference = since >= firstWithInference;
    return plan;
  },
  move: joined,
  /** Gives the dims that inference answers. */
  inferred: ({ dims, hasInference }) => (hasInference ? dims : null),
  /** Joins the elements that inference knows of 1-D inputs, such as the parts of a shape that a model computes;
   * undefined where those of one are unknown. */
  value({ dims, hasInference }, inputs) {
    if (!dims || !hasInference) return undefined;
    const lists = inputs.map((/** @type {{ value?: unknown }} */ { value }) => value);
    return lists.every(Array.isArray) ? lists.flat() : undefined;
  },
});

/**
 * Concat: tensors of one type joined along an axis; their other extents are the same.
 * @template {TypeName} T
 * @param {readonly TensorLike<T>[]} inputs one or more, of rank 1 or more
 * @param {ConcatAttributes & Results & CallOptions} options
 * @returns {Tensor<T>} with memory of its own, or over `out.data`
 * @example
 * const [a, b] = [1, 2].map((value) => ({ type: 'uint8', data: Uint8Array.of(value, value), dims: [2, 1] }));
 * concat([a, b], { axis: 1 }).data; // Uint8Array [1, 2, 1, 2]
 */
export const concat = (inputs, options) => run(Concat, [inputs], options);

/** Plans to join tensors along an axis that they have: `sizes` are their extents along it. Refuses tensors of different
 * ranks, or of different extents on the other axes. `name`: that of the list in messages.
 * @type {(name: string, tensors: readonly any[], axis: number) => Plan} */
export function concatPlan(name, tensors, axis) {
  const dims = tensors[0].dims.slice();
  for (let i = 1; i < tensors.length; i++) {
    const inputDims = tensors[i].dims;
    if (inputDims.length !== dims.length)
      rangeError(`${name}[${i}] must have rank ${dims.length}, as ${name}[0], got dims ${showList(inputDims)}`);
  }

  const sizes = new Array(tensors.length);
  for (let i = 0; i < tensors.length; i++) {
    const inputDims = tensors[i].dims;
    for (let k = 0; k < dims.length; k++) if (k !== axis) dims[k] = mergeExtents(dims[k], inputDims[k], name, i, k);
    sizes[i] = inputDims[axis];
  }
  dims[axis] = sumOf(sizes);
  const hasInference = true; // the rule of Concat-1 says otherwise
  return { dims: checkExtents(dims), dtype: tensors[0].dtype, axis, sizes, tensors, hasInference };
}

/** Sums extents; null where one is unknown.
 * @type {(extents: readonly Dim[]) => number | null} */
function sumOf(extents) {
  let sum = 0;
  for (let i = 0; i < extents.length; i++) {
    const extent = extents[i];
    if (isUnknown(extent)) return null;
    sum += extent;
  }
  return sum;
}

/** Merges the extents of two tensors along an axis, which have to be the same: gives a number rather than a symbol, and
 * a symbol rather than null. `b`: that of the tensor `name`[i], as the message calls it.
 * @type {(a: Dim, b: Dim, name: string, i: number, axis: number) => Dim} */
function mergeExtents(a, b, name, i, axis) {
  if (isUnknown(a)) return isUnknown(b) ? (a ?? b) : b;
  if (!isUnknown(b) && a !== b) rangeError(`${name}[${i}] must have dims[${axis}] = ${a}, as ${name}[0], got ${b}`);
  return a;
}
