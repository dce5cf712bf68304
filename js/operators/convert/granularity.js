/** Type lists, scales and zero points of QuantizeLinear and DequantizeLinear, and which elements share a scale. */
import { rangeError, showList, typeError } from '../../arguments/index.js';
import { numbersAs } from '../../engines/tensors/index.js';
import { decode, dtypes, sizeOf } from '../../tensor/index.js';
import { isUnknown, readAxis, type, typeOfNode, integer } from '../core/index.js';

/** @import { Attribute, CheckedTensor, Dim, Int64, Sharing, TypeCheck, TypeName } from '../types.js' */

/** @typedef {Partial<Record<TypeName, number>>} Since the first opset that takes each type of a list */

/** The `ir` of each version; those of both operators are the same. */
export const versions = { 10: 3, 13: 4, 19: 9, 21: 10, 23: 11, 24: 12, 25: 13, 28: 14 };

/** The version from which x and its scale may differ in type, and the quotient has a precision. */
export const mixingTypes = 23;

/** @type {Readonly<Since>} the types that are quantized to */
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

/** Lists for each version, by its first opset, the types that it takes: those whose own first opset is not newer.
 * @type {(types: Readonly<Since>) => Record<number, TypeName[]>} */
export function typesOf(types) {
  const names = /** @type {TypeName[]} */ (Object.keys(types));
  const namesAt = (/** @type {string} */ since) => names.filter((name) => Number(types[name]) <= Number(since));
  return Object.fromEntries(Object.keys(versions).map((since) => [since, namesAt(since)]));
}

/** Makes the check of an input that has a type list of its own: `types` says the first opset of each type. Without
 * `strict`, every version takes them all.
 * @type {(argument: string, types: Readonly<Since>) => TypeCheck} */
export const sinceCheck =
  (argument, types) =>
  ({ name }, { schema, opset, strict }) => {
    const first = types[name];
    if (first === undefined) typeError(`${argument} ${name} is in no version, got opset ${opset}`);
    if (strict && first > schema.since) typeError(`${argument} ${name} needs opset ${first}, got opset ${opset}`);
  };

/** Declares an attribute of the versions from `since` on that is a type. A node has its code, where 0 stands for none.
 * @type {(check: TypeCheck, since: number) => Attribute} */
export const typeSince = (check, since) => ({
  ...type(check, undefined, { since }),
  fromNode: (node, name, value) => (value === 0 ? undefined : typeOfNode(node, name, value)),
});

export const granularityAttributes = { axis: integer(1, { since: 13 }), block_size: integer(0, { since: 21 }) };

/** @typedef {{ dims: readonly Dim[] | null }} WithDims */

/** Which elements share a scale: `block` neighbors along `axis`, or with a block of 0 all at one index of it. Undefined
 * stands for one scale for all elements.
 * @typedef {{ axis: number, block: number } | undefined} Granularity */

/** Finds which elements share a scale, and refuses scales and zero points that do not fit the data. `prefix`: of the
 * names of scale and zero point in messages, as in `x_scale`.
 * @type {(prefix: 'x' | 'y', since: number, attributes: { axis: Int64, block_size: Int64 }, inputs: readonly [data:
 *   WithDims, scale: WithDims, zero: WithDims | undefined]) => Granularity} */
export function granularityOf(prefix, since, attributes, [{ dims }, scale, zero]) {
  const granularity = readGranularity(`${prefix}_scale`, since, attributes, dims, scale.dims);
  if (zero) checkZeroDims(prefix, zero.dims, scale.dims);
  return granularity;
}

/** The version from which there may be several scales. */
const firstWithAxis = 13;

/** Tells whether no extent is known to be other than 1.
 * @type {(dims: readonly Dim[]) => boolean} */
const mayBeOneElement = (dims) => dims.every((extent) => extent === 1 || isUnknown(extent));

/** Finds which elements share a scale, by the dims of the data and of the scales. `name`: that of the scales, for
 * messages; `since`: the operator's version.
 * @type {(name: string, since: number, attributes: { axis: Int64, block_size: Int64 }, dims: WithDims['dims'],
 *   scaleDims: WithDims['dims']) => Granularity} */
function readGranularity(name, since, { axis: axisOption, block_size: block }, dims, scaleDims) {
  if (block < 0) rangeError(`block_size must not be negative, got ${block}`);
  if (!scaleDims || mayBeOneElement(scaleDims)) return undefined;
  if (since < firstWithAxis)
    rangeError(`${name} must have one element below opset 13, got dims ${showDims(scaleDims)}`);
  const hasBlocks = block !== 0;
  if (!hasBlocks && scaleDims.length !== 1)
    rangeError(`${name} must have one axis where block_size is 0, got dims ${showDims(scaleDims)}`);
  if (!dims) return undefined;
  const axis = readAxis(axisOption, 1, dims.length);
  const expected = hasBlocks ? dims.with(axis, blocksIn(dims[axis], block)) : [dims[axis]];
  if (!mayBe(scaleDims, expected)) {
    const blocks = hasBlocks ? ` for blocks of ${block} along axis ${axis}` : '';
    rangeError(`${name} dims must be ${showDims(expected)}${blocks}, got ${showDims(scaleDims)}`);
  }
  return { axis, block: Number(block) };
}

/** @type {(extent: Dim, block: Int64) => Dim} */
const blocksIn = (extent, block) => (isUnknown(extent) ? null : Math.ceil(extent / Number(block)));

/** Tells whether dims are the expected ones, as far as both are known.
 * @type {(dims: readonly Dim[], expected: readonly Dim[]) => boolean} */
const mayBe = (dims, expected) =>
  dims.length === expected.length &&
  dims.every((extent, i) => isUnknown(extent) || isUnknown(expected[i]) || extent === expected[i]);

/** Shows dims in a message, with ? for an extent that is null.
 * @type {(dims: readonly Dim[]) => string} */
const showDims = (dims) => showList(dims).replaceAll('null', '?');

/** Refuses zero points of other dims than the scales'; of one element, any rank fits.
 * @type {(prefix: string, dims: WithDims['dims'], scaleDims: WithDims['dims']) => void} */
function checkZeroDims(prefix, dims, scaleDims) {
  if (!dims || !scaleDims || mayBe(dims, scaleDims)) return;
  if (mayBeOneElement(dims) && mayBeOneElement(scaleDims)) return;
  const [name, scaleName] = [`${prefix}_zero_point`, `${prefix}_scale`];
  rangeError(`${name} dims must be those of ${scaleName}, ${showDims(scaleDims)}, got ${showDims(dims)}`);
}

/** Describes for the engine which elements share a scale. The engine reads elements and scales in order, both as rows
 * of `width`: `block` rows of elements share a row of scales, column by column. After every `rows` rows a block ends,
 * even if it is not full. Behind the last row of scales comes the first again.
 * @type {(dims: readonly number[], granularity: Granularity) => Sharing} */
export function sharingOf(dims, granularity) {
  const allRows = Infinity;
  const oneScale = { width: 1, rows: allRows, block: allRows };
  if (!granularity) return oneScale;
  const { axis, block } = granularity;
  const elementsPerIndex = sizeOf(dims, axis + 1);
  const hasBlocks = block > 0;
  // An index of the axis is a row. A block ends with the axis.
  if (hasBlocks) return { width: elementsPerIndex, rows: dims[axis], block };
  // There is a scale for each index of the axis. All indices of the innermost axis are one row, and so are the scales.
  const isInnermost = elementsPerIndex === 1;
  if (isInnermost) return { width: dims[axis], rows: allRows, block: allRows };
  // The elements at one index of another axis are rows of one element that share a scale.
  return { width: 1, rows: elementsPerIndex, block: elementsPerIndex };
}

/** Refuses zero points of which one is not 0. `name`: that of the input, in messages.
 * @type {(name: string, zeros: CheckedTensor) => void} */
export function checkAllZero(name, { dtype, data, size }) {
  const numbers = numbersAs(dtype, dtypes.float32, size, data);
  const at = numbers.findIndex((/** @type {number} */ value) => value !== 0);
  if (at >= 0) rangeError(`${name} must be 0 for ${dtype.name}, got ${decode(dtype, data, at)} at ${at}`);
}
