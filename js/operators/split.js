/** Split: a tensor cut along one axis into pieces whose number is known. */
import { isList, rangeError, readList, readWhole, show, showList, typeError } from '../arguments/index.js';
import { checkApart, checkData, checkOut, readOuts, readTensor, sizeOf, tensorOf } from '../tensor/index.js';
import { checkHasAxis, readAxis } from './axes.js';
import { checkKeys, moving } from './call.js';
import { resultData } from './copy.js';
import { isUnknown } from './extents.js';
import { int64Only, isOmitted, readIntegers, readKnownIntegers, readOfType } from './integers.js';
import { readKnown } from './tensor-info.js';
import { operator } from './operator.js';
import { cutPieces } from './pieces.js';
import { stepAxes } from './view.js';

/** @import { Integers, Int64 } from '../arguments/index.js' */
/** @import { DType, Tensor, TensorLike } from '../tensor/index.js' */
/** @import { CallOptions } from './call.js' */
/** @import { Dim, Open } from './extents.js' */
/** @import { IntegersLike } from './integers.js' */
/** @import { TensorInfo } from './tensor-info.js' */
/** @import { Call, Operator } from './operator.js' */

/**
 * @typedef {object} Attributes
 * @property {number | bigint} [axis] in [-rank, rank - 1], before opset 11 in [0, rank - 1]; 0 if omitted
 * @property {number | bigint} [num_outputs] from opset 18, in place of `split`: how many pieces, of which the last may
 *   be smaller
 * @property {Integers} [split] below opset 13
 */
/**
 * @typedef {object} Results
 * @property {readonly TensorLike[]} [out] one tensor a piece to write to
 */
/** @typedef {{ axis: number, split: (Int64 | Open)[] | null | undefined, count: number | undefined }} Request */

/** More pieces than this are a mistake, and their bookkeeping would take longer than their bytes. */
const pieceLimit = 1_000_000;
/** From it on, the last piece may be smaller where only the number of pieces is given. */
const firstOfUneven = 18;
/** Split-1 infers no shape. */
const firstInferring = 2;

/** @type {Operator<{ input?: TensorInfo, split?: TensorInfo | null }, Attributes & { outputs?: number }>} */
export const Split = operator({
  name: 'Split',
  versions: [
    [1, 1, { attributes: ['axis', 'split'] }],
    [2, 3],
    [11, 3, { negativeAxis: true }],
    [13, 4, { attributes: ['axis'] }],
    [18, 4, { attributes: ['axis', 'num_outputs'] }],
  ],
  inputs: ['input', 'split'],
  optional: ['split'],
  several: true,
  infer(call, inputs, options) {
    const { schema } = call;
    const { dtype, dims } = readKnown('input', inputs.input, call.checkType);
    checkKeys(call, options, 'outputs');
    const outputs = options?.outputs;
    const read = (/** @type {TensorInfo} */ known) =>
      schema.since < firstInferring ? null : readKnownIntegers('split', known, int64Only);
    const given = outputs === undefined ? undefined : Number(readWhole('outputs', outputs));
    if (given !== undefined && !(given >= 1 && given <= pieceLimit))
      rangeError(`outputs must be in [1, ${pieceLimit}], got ${outputs}`);
    const request = readRequest(call, dims?.length, inputs.split, options, given, read);
    const count = request.split?.length ?? request.count;
    if (count === undefined) rangeError('outputs must be given where split is not known, got undefined');
    const { axis, split } = request;
    const isKnown = dims !== null && schema.since >= firstInferring && split !== null && !split?.some(isUnknown);
    if (!isKnown) return Array.from({ length: count }, () => ({ type: dtype.name, dims: null }));
    const sizes = isUnknown(dims[axis]) ? Array(count).fill(null) : sizesOf(call, dims, request);
    return sizes.map((/** @type {Dim} */ size) => ({ type: dtype.name, dims: dims.with(axis, size) }));
  },
  run: ([input, given], options, _, outputs) => splitInto(input, given, options, outputs),
  view(call, source, [given], options, dtype, outputs) {
    checkKeys(call, options, 'out');
    const request = readRequest(call, source.dims.length, given, options, outputs, splitReader(call, dtype));
    const { axis } = request;
    const { dims } = source;
    let first = 0;
    const views = [];
    for (const size of sizesOf(call, dims, request)) {
      const starts = dims.map((_, i) => (i === axis ? first : 0));
      const view = stepAxes(
        source,
        starts,
        dims.map(() => 1),
        dims.with(axis, size),
      );
      if (!view) return undefined;
      views.push(view);
      first += size;
    }
    return views;
  },
});

/**
 * Split: the input cut along one axis, into pieces of the extents that `split` lists, or into `num_outputs` equal ones.
 *
 * ONNX Split-1, 2, 11, 13, 18. Before opset 18 a call needs `split`; from opset 18 on, `split` or `num_outputs`. A node
 * of a model without both is cut into as many equal pieces as it has outputs.
 * @param {TensorLike} input of rank 1 or more
 * @param {IntegersLike | null} [split] numbers, or an int64 tensor of rank 1, which sum to the axis' extent; at opset 2
 *   to 12 an attribute
 * @param {Attributes & Results & CallOptions} [options]
 * @returns {Tensor[]} each with memory of its own, or over that of `out`
 * @throws {TypeError} no tensor, a type that the version does not take, an unknown option, a split of another type or
 *   rank
 * @throws {RangeError} an axis out of range, a split that does not sum to the extent, both or none of split and
 *   num_outputs, more than 1,000,000 pieces, out does not fit or overlaps, out of memory
 * @throws {Error} before `init()`
 * @example
 * const input = { type: 'uint8', data: Uint8Array.of(1, 2, 3, 4, 5), dims: [5] };
 * split(input, [2, 3]).map(({ dims }) => dims); // [[2], [3]]
 */
export function split(input, split, options) {
  return splitInto(input, split, options, undefined);
}

/**
 * @param {TensorLike} input
 * @param {unknown} given
 * @param {(Attributes & Results & CallOptions) | undefined} options
 * @param {number | undefined} outputs how many the node has, of a model
 * @returns {Tensor[]}
 */
function splitInto(input, given, options, outputs) {
  return moving(Split, options, (call) => {
    const parts = readTensor('input', input, call.checkType);
    checkKeys(call, options, 'out');
    const { dtype } = parts;
    const request = readRequest(call, parts.dims.length, given, options, outputs, splitReader(call, dtype));
    const target = options?.out;
    const { axis } = request;
    const sizes = sizesOf(call, parts.dims, request);
    const dims = sizes.map((size) => parts.dims.with(axis, size));
    const outs = target === undefined ? undefined : readOuts(target, dtype, dims);
    const source = checkData(parts);
    outs?.forEach((out, i) => checkOut(`out[${i}]`, out, 'input', parts));
    if (outs) checkApart(outs);
    const results = dims.map((own, i) => resultData(dtype, sizeOf(own), outs?.[i], parts.data));
    const [outer, inner] = [sizeOf(parts.dims, 0, axis), sizeOf(parts.dims, axis + 1)];
    cutPieces(dtype, outer, inner, sizes, source, results);
    return results.map((data, i) => tensorOf(dtype, data, dims[i]));
  });
}

/**
 * How a call's input `split` is read: at opset 1 it has the data's type.
 * @param {Call} call
 * @param {DType} dtype
 * @returns {(value: unknown) => Int64[]}
 */
const splitReader =
  ({ schema }, dtype) =>
  (value) =>
    schema.since === 1 ? readOfType('split', value, dtype) : readIntegers('split', value, int64Only);

/**
 * Reads what is asked for.
 * @param {Call} call
 * @param {number | undefined} rank undefined where it is unknown
 * @param {any} input the input `split`
 * @param {Attributes | undefined} options
 * @param {number | undefined} outputs how many the node has, of a model
 * @param {(value: any) => (Int64 | Open)[] | null} read reads the input
 * @returns {Request}
 */
function readRequest(call, rank, input, options, outputs, read) {
  const { schema } = call;
  const given = options?.axis;
  const count = options?.num_outputs;
  const split = readSplit(call, input, options?.split, read);
  checkHasAxis('input', rank);
  const axis = readAxis(given, 0, rank, schema.negativeAxis);
  const number = count === undefined ? outputs : Number(readWhole('num_outputs', count));
  if (split !== undefined && count !== undefined)
    rangeError(`split and num_outputs must not both be given, got num_outputs ${count}`);
  if (count !== undefined && (Number(number) < 1 || Number(number) > pieceLimit))
    rangeError(`num_outputs must be in [1, ${pieceLimit}], got ${count}`);
  const pieces = split ? split.length : number;
  if (outputs !== undefined && pieces !== outputs)
    rangeError(`${split ? 'split' : 'num_outputs'} must be the node's ${outputs} outputs, got ${pieces}`);
  if (split?.length === 0) rangeError('split must not be empty, got []');
  return { axis, split, count: number };
}

/**
 * Reads the input, or the attribute.
 * @param {Call} call
 * @param {any} input
 * @param {unknown} attribute
 * @param {(value: any) => (Int64 | Open)[] | null} read reads the input
 * @returns {(Int64 | Open)[] | null | undefined} undefined where it is omitted
 */
function readSplit({ schema, opset }, input, attribute, read) {
  if (!isOmitted(input)) {
    if (schema.attributes.includes('split') && schema.since > 1)
      typeError(`split is an attribute before opset 13, got it as an input at opset ${opset}`);
    if (attribute !== undefined) rangeError('split must not be both an input and an attribute');
    return read(input);
  }
  if (attribute === undefined) return undefined;
  if (!isList(attribute)) typeError(`split must be a list of whole numbers, got ${show(attribute)}`);
  return readList('split', attribute);
}

/**
 * The extents of the pieces along the axis: the shape rule.
 * @param {Call} call
 * @param {readonly Dim[]} dims
 * @param {Request} request without open entries
 * @returns {number[]}
 */
function sizesOf(call, dims, { axis, split, count }) {
  const extent = /** @type {number} */ (dims[axis]);
  return split ? givenSizes(axis, extent, /** @type {Int64[]} */ (split)) : equalSizes(call, axis, extent, count);
}

/**
 * @param {number} axis
 * @param {number} extent
 * @param {readonly Int64[]} split
 * @returns {number[]}
 */
function givenSizes(axis, extent, split) {
  if (split.some((size) => size < 0)) rangeError(`split entries must be at least 0, got ${showList(split)}`);
  const sum = split.reduce((/** @type {bigint} */ total, size) => total + BigInt(size), 0n);
  if (sum !== BigInt(extent))
    rangeError(`split must sum to dims[${axis}] = ${extent}, got ${showList(split)}, which sum to ${sum}`);
  return split.map(Number);
}

/**
 * @param {Call} call
 * @param {number} axis
 * @param {number} extent
 * @param {number | undefined} count
 * @returns {number[]}
 */
function equalSizes({ schema }, axis, extent, count) {
  const isUneven = schema.since >= firstOfUneven;
  if (count === undefined) rangeError(`split${isUneven ? ' or num_outputs' : ''} must be given, got undefined`);
  const size = Math.ceil(extent / count);
  const last = extent - size * (count - 1);
  if (!isUneven && last !== size) rangeError(`dims[${axis}] must divide into ${count} equal pieces, got ${extent}`);
  if (last < 0) rangeError(`dims[${axis}] must fill ${count} pieces of ${size} but the last, got ${extent}`);
  return Array.from({ length: count }, (_, i) => (i === count - 1 ? last : size));
}
