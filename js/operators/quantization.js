/** What QuantizeLinear and DequantizeLinear share: type lists, scales, zero points, and which elements share them. */
import { rangeError, readWhole, showList, typeError } from '../arguments/index.js';
import { decode, readTensor, readType, sizeOf } from '../tensor/index.js';
import { readAxis } from './axes.js';
import { isUnknown } from './extents.js';
import { readKnown } from './tensor-info.js';

/** @import { Int64 } from '../arguments/index.js' */
/** @import { Sharing } from '../engine/types.js' */
/** @import { DType, CheckedTensor, TypeName } from '../tensor/index.js' */
/** @import { Dim } from './extents.js' */
/** @import { Call, Row } from './operator.js' */

/** @typedef {Partial<Record<TypeName, number>>} Since the first opset of each type of a list */

/**
 * The types that are quantized to.
 * @type {Readonly<Since>}
 */
export const quantizedTypes = Object.freeze({
  uint8: 10,
  int8: 10,
  float8e4m3fn: 19,
  float8e4m3fnuz: 19,
  float8e5m2: 19,
  float8e5m2fnuz: 19,
  uint16: 21,
  int16: 21,
  uint4: 21,
  int4: 21,
  float4e2m1: 23,
  uint2: 25,
  int2: 25,
  float6e2m3: 28,
  float6e3m2: 28,
});

/**
 * The versions of an operator, which are those of its type list and of its attributes.
 * @param {Readonly<Since>} types of x
 * @param {Record<number, string[]>} attributes from an opset on, beside those before it
 * @returns {Row[]}
 */
export function versionsOf(types, attributes) {
  /** @type {[since: number, ir: number][]} */
  const versions = [
    [10, 3],
    [13, 4],
    [19, 9],
    [21, 10],
    [23, 11],
    [24, 12],
    [25, 13],
    [28, 14],
  ];
  /** @type {string[]} */
  let own = [];
  return versions.map(([since, ir]) => {
    own = [...own, ...(attributes[since] ?? [])];
    return [since, ir, { types: Object.freeze(namesAt(types, since)), attributes: own }];
  });
}

/** @type {(types: Readonly<Since>, opset: number) => TypeName[]} */
const namesAt = (types, opset) =>
  /** @type {TypeName[]} */ (Object.keys(types)).filter((name) => /** @type {number} */ (types[name]) <= opset);

/** The version from which x and its scale may differ in type, and the quotient has a precision. */
export const mixingTypes = 23;

/**
 * The check of a type that is not x's.
 * @param {Call} call
 * @param {string} what has the type, in messages
 * @param {Readonly<Since>} types
 * @returns {(dtype: DType) => void}
 */
export const sinceCheck =
  ({ schema, opset, strict }, what, types) =>
  ({ name }) => {
    const first = types[name];
    if (first === undefined) typeError(`${what} ${name} is in no version, got opset ${opset}`);
    if (strict && first > schema.since) typeError(`${what} ${name} needs opset ${first}, got opset ${opset}`);
  };

/**
 * Reads an option that names a type.
 * @param {Call} call
 * @param {string} name
 * @param {unknown} value
 * @param {Readonly<Since>} types that it may name
 * @returns {DType | undefined}
 */
export function readTypeOption(call, name, value, types) {
  if (value === undefined) return undefined;
  const dtype = readType(value);
  sinceCheck(call, name, types)(dtype);
  return dtype;
}

/**
 * @typedef {object} GranularityOptions
 * @property {number | bigint} [axis] in [-rank, rank - 1]; 1 if omitted; from opset 13; counts where there is more than
 *   one scale
 * @property {number | bigint} [block_size] from opset 21; 0 if omitted: one scale for each entry of the axis. Otherwise
 *   one for so many entries of the axis, and for each entry of the other axes
 */

/**
 * Reads which elements share a scale, and checks that the scales are as many.
 * @param {Call} call
 * @param {string} name of the scale
 * @param {readonly Dim[] | null} dims of x
 * @param {readonly Dim[] | null} scaleDims
 * @param {GranularityOptions | undefined} options
 * @returns {{ axis: number, block: number } | undefined} undefined for one scale, and where extents are too open
 */
export function readGranularity({ schema }, name, dims, scaleDims, options) {
  const axis = options?.axis;
  const size = options?.block_size;
  const given = axis === undefined ? 1 : readWhole('axis', axis);
  const block = size === undefined ? 0 : readWhole('block_size', size);
  if (block < 0) rangeError(`block_size must not be negative, got ${block}`);
  if (!scaleDims || scaleDims.every((extent) => extent === 1 || isUnknown(extent))) return undefined;
  if (schema.since < 13) rangeError(`${name} must have one element below opset 13, got dims ${showDims(scaleDims)}`);
  if (block === 0 && scaleDims.length !== 1)
    rangeError(`${name} must have one axis where block_size is 0, got dims ${showDims(scaleDims)}`);
  if (!dims) return undefined;
  const along = readAxis(/** @type {any} */ (given), 1, dims.length);
  const expected =
    block === 0 ? [dims[along]] : dims.map((extent, i) => (i === along ? blocksOf(extent, block) : extent));
  if (!mayBe(scaleDims, expected)) {
    const what = block === 0 ? '' : ` for blocks of ${block} along axis ${along}`;
    rangeError(`${name} dims must be ${showDims(expected)}${what}, got ${showDims(scaleDims)}`);
  }
  return { axis: along, block: Number(block) };
}

/** @type {(extent: Dim, block: Int64) => Dim} */
const blocksOf = (extent, block) => (isUnknown(extent) ? null : Math.ceil(extent / Number(block)));

/** @type {(dims: readonly Dim[], expected: readonly Dim[]) => boolean} */
const mayBe = (dims, expected) =>
  dims.length === expected.length &&
  dims.every((extent, i) => isUnknown(extent) || isUnknown(expected[i]) || extent === expected[i]);

/** @type {(dims: readonly Dim[]) => string} */
const showDims = (dims) => showList(dims).replaceAll(/null/g, '?');

/**
 * Checks that zero points are as many as scales.
 * @param {string} name of the zero point
 * @param {readonly Dim[] | null} dims
 * @param {string} scaleName
 * @param {readonly Dim[] | null} scaleDims
 */
export function checkZeroDims(name, dims, scaleName, scaleDims) {
  if (!dims || !scaleDims || mayBe(dims, scaleDims)) return;
  if ([...dims, ...scaleDims].every((extent) => extent === 1 || isUnknown(extent))) return;
  rangeError(`${name} dims must be those of ${scaleName}, ${showDims(scaleDims)}, got ${showDims(dims)}`);
}

/**
 * Which elements share a scale, as the engine has it.
 * @param {readonly number[]} dims of x
 * @param {{ axis: number, block: number } | undefined} granularity
 * @returns {Sharing}
 */
export function sharingOf(dims, granularity) {
  if (!granularity) return { width: 1, rows: Infinity, block: Infinity };
  const { axis, block } = granularity;
  const inner = sizeOf(dims, axis + 1);
  if (block > 0) return { width: inner, rows: dims[axis], block };
  return inner === 1 ? { width: dims[axis], rows: Infinity, block: Infinity } : { width: 1, rows: inner, block: inner };
}

/**
 * Reads an input that may be left out.
 * @param {string} name
 * @param {unknown} value
 * @param {(dtype: DType) => void} check
 * @returns {CheckedTensor | undefined}
 */
export const readOptional = (name, value, check) =>
  value === undefined || value === null ? undefined : readTensor(name, value, check);

/**
 * Reads what is known of an input that may be left out.
 * @param {string} name
 * @param {unknown} known
 * @param {(dtype: DType) => void} check
 * @returns {{ dtype: DType, dims: Dim[] | null } | undefined}
 */
export const readOptionalKnown = (name, known, check) =>
  known === undefined || known === null ? undefined : readKnown(name, known, check);

/**
 * Refuses zero points that are not 0, of a type that has none.
 * @param {string} name
 * @param {CheckedTensor} zeros whose data is checked
 */
export function checkNoZero(name, { dtype, data, size }) {
  for (let i = 0; i < size; i++) {
    const value = decode(dtype, data, i);
    if (value !== 0) rangeError(`${name} must be 0 for ${dtype.name}, got ${value} at ${i}`);
  }
}
