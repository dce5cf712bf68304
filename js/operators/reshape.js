/** Reshape: the same elements under other dims. */
import {
  brief,
  isList,
  rangeError,
  readFlag,
  readList,
  show,
  showList,
  typedArrayName,
  typeError,
} from '../arguments/index.js';
import { checkData, rankLimit, readTensor } from '../tensor/index.js';
import { checkKeys } from './call.js';
import { callShared } from './copy.js';
import { checkExtents, isUnknown, product } from './extents.js';
import { readEntries, readKnown } from './tensor-info.js';
import { operator } from './operator.js';
import { regroupAxes } from './view.js';

/** @import { Integers, Int64 } from '../arguments/index.js' */
/** @import { DType, Tensor, TensorLike } from '../tensor/index.js' */
/** @import { CallOptions, Flag } from './call.js' */
/** @import { Dim, Open } from './extents.js' */
/** @import { TensorInfo } from './tensor-info.js' */
/** @import { Call, Operator } from './operator.js' */

/**
 * @typedef {object} Attributes
 * @property {Flag} [allowzero] from opset 14; 0 if omitted
 * @property {Integers} [shape] below opset 5
 * @property {Integers} [consumed_inputs] below opset 5, without meaning
 */

/** A longer shape whose entries are unknown gives no rank. */
const unknownShapeLimit = 1024;

/** The first version whose inference reads shapes that are known in part. */
const firstPropagating = 14;

/** @type {Operator<{ data?: TensorInfo, shape?: TensorInfo }, Attributes>} */
export const Reshape = operator({
  name: 'Reshape',
  versions: [
    [1, 1, { attributes: ['shape', 'consumed_inputs'] }],
    [5, 3, { attributes: [] }],
    [13, 4],
    [14, 4, { attributes: ['allowzero'] }],
    [19, 9],
    [21, 10],
    [23, 11],
    [24, 12],
    [25, 13],
  ],
  inputs: ['data', 'shape'],
  optional: ['shape'],
  infer(call, inputs, options) {
    const { schema } = call;
    const { dtype, dims } = readKnown('data', inputs.data, call.checkType);
    checkKeys(call, options);
    const allowzero = readFlag('allowzero', options?.allowzero, false);
    const given = inputs.shape;
    const shape = shapeIsAttribute(call, given) ? readShapeAttribute(options) : readKnownShape(call, given);
    if (shape === null) return { type: dtype.name, dims: null };
    const result = reshapeDims(dims, shape, allowzero);
    const isRead = schema.since >= firstPropagating || !shape.some(isUnknown);
    return { type: dtype.name, dims: isRead ? result : null };
  },
  run: ([data, shape], options) => reshape(data, shape, options),
  view(call, source, [shape], options) {
    checkKeys(call, options);
    const allowzero = readFlag('allowzero', options?.allowzero, false);
    const target = shapeIsAttribute(call, shape) ? readShapeAttribute(options) : readShape(shape);
    if (target.length > rankLimit) rangeError(`shape must have at most ${rankLimit} entries, got ${target.length}`);
    return regroupAxes(source, reshapeDims(source.dims, target, allowzero));
  },
});

/**
 * Reshape: the same elements under other dims. In `shape`, one entry may be -1: the others determine it. An entry of 0
 * copies the input's extent at the same index; with `allowzero` it is an extent of 0.
 *
 * ONNX Reshape-1, 5, 13, 14, 19, 21, 23, 24, 25. Needs no `init()`.
 * @param {TensorLike} data
 * @param {Integers | TensorLike} [shape] a list, or an int64 tensor of rank 1; omitted below opset 5, where it is an
 *   attribute
 * @param {Attributes & CallOptions} [options]
 * @returns {Tensor} shares the input's data
 * @throws {TypeError} no tensor, a type that the version does not take, an unknown option, a shape of another type or
 *   rank
 * @throws {RangeError} a shape that does not have the input's number of elements
 * @example
 * reshape({ type: 'uint8', data: new Uint8Array(24), dims: [2, 3, 4] }, [0, -1]).dims; // [2, 12]
 */
export function reshape(data, shape, options) {
  return callShared(Reshape, data, [shape], options);
}

/**
 * Whether the version has the shape as an attribute, and then not as an input.
 * @param {Call} call
 * @param {unknown} input
 * @returns {boolean}
 */
function shapeIsAttribute({ schema, opset }, input) {
  const isAttribute = schema.attributes.includes('shape');
  if (isAttribute && input !== undefined)
    typeError(`shape is an attribute before opset 5, got it as an input at opset ${opset}`);
  return isAttribute;
}

/**
 * @param {Attributes | undefined} options
 * @returns {Int64[]}
 */
function readShapeAttribute(options) {
  const shape = options?.shape;
  if (!isList(shape)) typeError(`shape must be a list of whole numbers, got ${show(shape)}`);
  return readList('shape', shape);
}

/**
 * Reads a call's shape.
 * @param {unknown} shape
 * @returns {Int64[]}
 */
function readShape(shape) {
  if (isList(shape)) return readList('shape', shape);
  if (typeof shape !== 'object' || shape === null || typedArrayName(shape))
    typeError(`shape must be a list of whole numbers or an int64 tensor, got ${show(shape)}`);
  const parts = readTensor('shape', shape, shapeTypeCheck());
  checkShapeRank(parts.dims.length);
  checkData(parts);
  return readList('shape', parts.data);
}

/**
 * Reads what inference knows of a shape.
 * @param {Call} call
 * @param {unknown} input
 * @returns {(Int64 | Open)[] | null} null where not even its length is known
 */
function readKnownShape({ schema }, input) {
  const { dims, value } = readKnown('shape', input, shapeTypeCheck());
  if (dims) checkShapeRank(dims.length);
  if (value !== undefined && value !== null) return readEntries('shape', value, dims);
  const length = schema.since >= firstPropagating ? dims?.[0] : null;
  return typeof length === 'number' && length <= unknownShapeLimit ? Array(length).fill(null) : null;
}

/**
 * The check of a shape tensor's type.
 * @returns {(dtype: DType) => void}
 */
const shapeTypeCheck =
  () =>
  ({ name }) => {
    if (name !== 'int64') typeError(`shape must be int64, got ${name}`);
  };

/**
 * @param {number} rank
 */
function checkShapeRank(rank) {
  if (rank !== 1) typeError(`shape must be 1-D, got rank ${rank}`);
}

/**
 * The shape rule.
 * @template {Dim} E
 * @param {readonly E[] | null} dims null where the rank is unknown
 * @param {readonly (Int64 | E)[]} shape
 * @param {boolean} allowzero
 * @returns {E[]}
 */
function reshapeDims(dims, shape, allowzero) {
  const free = shape.indexOf(-1);
  checkShape(shape, free, allowzero);
  const target = withCopiedExtents(dims, shape, allowzero);
  if (free >= 0) target[free] = freeExtent(dims, shape, target, free);
  else checkCount(dims, target);
  return checkExtents(target);
}

/**
 * Checks what a shape says for itself.
 * @param {readonly (Int64 | Open)[]} shape
 * @param {number} free the index of its first -1, or -1
 * @param {boolean} allowzero
 */
function checkShape(shape, free, allowzero) {
  if (free >= 0 && shape.includes(-1, free + 1)) rangeError(`shape must have at most one -1, got ${showList(shape)}`);
  if (shape.some((extent) => !isUnknown(extent) && Number(extent) < -1))
    rangeError(`shape entries must be at least -1, got ${showList(shape)}`);
  if (allowzero && free >= 0 && shape.includes(0))
    rangeError(`shape cannot mix 0 and -1 when allowzero=1, got ${showList(shape)}`);
}

/**
 * The shape with the input's extents in place of its zeros, unless `allowzero` keeps these.
 * @param {readonly Dim[] | null} dims
 * @param {readonly (Int64 | Open)[]} shape
 * @param {boolean} allowzero
 * @returns {(Int64 | Open)[]}
 */
function withCopiedExtents(dims, shape, allowzero) {
  return shape.map((extent, i) => {
    if (extent !== 0 || allowzero) return extent;
    if (dims === null) return null;
    if (i >= dims.length) rangeError(`shape[${i}] is 0 but data has rank ${dims.length}, got ${showList(shape)}`);
    return dims[i];
  });
}

/**
 * Checks that a shape without -1 has as many elements as the data. Beyond the safe integers a product is rounded, but
 * never down to a size that data can have.
 * @param {readonly Dim[] | null} dims
 * @param {readonly (Int64 | Open)[]} target
 */
function checkCount(dims, target) {
  const count = product(target);
  const size = dims && product(dims);
  if (isUnknown(count) || isUnknown(size) || count === size) return;
  const exact = target.reduce(
    (/** @type {bigint} */ total, extent) => total * BigInt(/** @type {Int64} */ (extent)),
    1n,
  );
  rangeError(`shape ${showList(target)} has ${exact} elements, data has ${size}`);
}

/**
 * The extent that -1 stands for; null where an open extent is left, or where the known ones have no exact product.
 * @param {readonly Dim[] | null} dims
 * @param {readonly (Int64 | Open)[]} shape
 * @param {readonly (Int64 | Open)[]} target the shape with the copied extents in it
 * @param {number} free the index of the -1
 * @returns {number | null}
 */
function freeExtent(dims, shape, target, free) {
  /**
   * Whether an entry is a 0 that copies an open extent: a factor of both sides, so neither counts it.
   * @param {number} i
   */
  const cancels = (i) => shape[i] === 0 && isUnknown(target[i]);
  const count = product(target, (i) => i === free || cancels(i));
  if (count === 0) rangeError(`shape cannot have -1 beside a zero extent, got ${showList(shape)}`);
  const size = dims && product(dims, cancels);
  if (dims === null || isUnknown(count) || isUnknown(size) || !Number.isSafeInteger(size)) return null;
  if (size % count !== 0) {
    const all = dims.some(isUnknown) ? brief(dims.map((extent) => extent ?? '?').join(' * ')) : size;
    rangeError(`shape ${showList(shape)} does not divide ${all} elements`);
  }
  return size / count;
}
