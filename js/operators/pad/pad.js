/** Pad: borders added to a tensor, or cut from it. */
import { isList, rangeError, readList, readWord, show, showList, typeError } from '../../arguments/index.js';
import {
  checkData,
  checkOut,
  encodeValues,
  newData,
  readOut,
  readTensor,
  sizeOf,
  tensorOf,
} from '../../tensor/index.js';
import { axesIn } from '../axes.js';
import { moving, checkKeys } from '../call.js';
import { checkExtents, checkSize, isUnknown } from '../extents.js';
import { indexTypes, int64Only, isAttribute, isOmitted, readIntegers, readKnownIntegers } from '../integers.js';
import { readKnown } from '../tensor-info.js';
import { operator } from '../operator.js';
import { bordersOf, fillPadded } from './padding.js';

/** @import { Integers, Int64 } from '../../arguments/index.js' */
/** @import { DType, CheckedTensor, Tensor, TensorLike } from '../../tensor/index.js' */
/** @import { CallOptions } from '../call.js' */
/** @import { Dim, Open } from '../extents.js' */
/** @import { IntegersLike } from '../integers.js' */
/** @import { TensorInfo } from '../tensor-info.js' */
/** @import { Call, Operator } from '../operator.js' */
/** @import { Borders, Mode } from './padding.js' */

/**
 * @typedef {object} Attributes
 * @property {'constant' | 'reflect' | 'edge' | 'wrap'} [mode] what the borders hold: one value; the elements mirrored
 *   at the first and last one, as often as it takes; the first and the last one; from opset 19, the elements from the
 *   other end. `'constant'` if omitted
 * @property {Integers} [pads] at opset 2 to 10
 * @property {Integers} [paddings] at opset 1
 * @property {number} [value] below opset 11, a float32; 0 if omitted
 */
/**
 * @typedef {object} Results
 * @property {TensorLike} [out] a tensor of the result's type and dims to write to, its memory apart from the input's
 */

const modes = /** @type {const} */ (['constant', 'reflect', 'edge', 'wrap']);
/** The first version with `wrap`. */
const firstOfWrap = 19;
/** Pad-1 takes no negative pads, and ONNX infers no shape. */
const firstOfCuts = 2;

/** @type {Operator<Partial<Record<'data' | 'pads' | 'constant_value' | 'axes', TensorInfo | null>>, Attributes>} */
export const Pad = operator({
  name: 'Pad',
  versions: [
    [1, 1, { attributes: ['paddings', 'value', 'mode'] }],
    [2, 1, { attributes: ['pads', 'value', 'mode'] }],
    [11, 3, { attributes: ['mode'], lacks: ['string', 'bool', 'complex'] }],
    [13, 4, { lacks: [] }],
    [18, 4, { negativeAxis: true }],
    [19, 4],
    [21, 10],
    [23, 11],
    [24, 12],
    [25, 13],
  ],
  inputs: ['data', 'pads', 'constant_value', 'axes'],
  optional: ['pads', 'constant_value', 'axes'],
  infer(call, inputs, options) {
    const { schema } = call;
    const { dtype, dims } = readKnown('data', inputs.data, call.checkType);
    checkKeys(call, options);
    readMode(call, options);
    const read = (/** @type {string} */ name, /** @type {TensorInfo} */ known) =>
      readKnownIntegers(name, known, name === 'pads' ? int64Only : indexTypes);
    const pads = readPads(call, inputs.pads, options, read);
    const value = inputs.constant_value;
    if (!isOmitted(value)) readKnown('constant_value', value, typeCheck(dtype));
    const axes = readAxes(call, inputs.axes, read);
    const isKnown = dims !== null && axes !== null && !axes?.some(isUnknown) && schema.since >= firstOfCuts;
    if (!isKnown) return { type: dtype.name, dims: null };
    const isOpenPad = pads === null || pads.some(isUnknown);
    return { type: dtype.name, dims: isOpenPad ? dims.map(() => null) : padDims(call, dims, pads, axes) };
  },
  run: ([data, pads, value, axes], options) => pad(data, pads, value, axes, options),
});

/**
 * Pad: borders added around a tensor. A negative number cuts so many elements instead, before anything is added.
 *
 * ONNX Pad-1, 2, 11, 13, 18, 19, 21, 23, 24, 25; `reflect` beyond the extent as NumPy has it.
 * @param {TensorLike} data
 * @param {IntegersLike} [pads] what to add before each axis, then what to add behind each; below opset 11 an attribute
 * @param {TensorLike | number | bigint | boolean | string | readonly [number, number] | null} [constant_value] one
 *   element of the data's type, or its value; 0, '' or false if omitted. Below opset 11 the attribute `value`
 * @param {IntegersLike | null} [axes] from opset 18: those that `pads` is of; all if omitted
 * @param {Attributes & Results & CallOptions} [options]
 * @returns {Tensor} with memory of its own, or over `out.data`
 * @throws {TypeError} no tensor, a type that the version does not take, an unknown option, a value of another type
 * @throws {RangeError} not two pads for each axis, more cut than there is, borders of an axis without elements, out
 *   does not fit or overlaps, out of memory
 * @throws {Error} before `init()`
 * @example
 * const row = { type: 'uint8', data: Uint8Array.of(1, 2, 3), dims: [3] };
 * pad(row, [2, 1], null, null, { mode: 'reflect' }).data; // Uint8Array [3, 2, 1, 2, 3, 2]
 */
export function pad(data, pads, constant_value, axes, options) {
  return moving(Pad, options, (call) => {
    const parts = readTensor('data', data, call.checkType);
    checkKeys(call, options, 'out');
    const mode = readMode(call, options);
    const read = (/** @type {string} */ name, /** @type {unknown} */ value) =>
      readIntegers(name, value, name === 'pads' ? int64Only : indexTypes);
    const list = /** @type {Int64[]} */ (readPads(call, pads, options, read));
    const constant = readConstant(call, parts.dtype, constant_value, options);
    const named = /** @type {Int64[] | undefined} */ (readAxes(call, axes, read));
    const [begins, ends] = splitPads(call, parts.dims.length, list, named);
    const borders = bordersOf(parts.dims, begins, ends);
    checkGrowth(borders, mode);
    return padded('data', parts, borders, mode, constant, options?.out);
  });
}

/**
 * The tensor with its borders.
 * @param {string} name of the input
 * @param {CheckedTensor} parts
 * @param {Borders} borders
 * @param {Mode} mode
 * @param {any} constant data of one element; undefined for 0
 * @param {unknown} target the option `out`
 * @returns {Tensor}
 */
export function padded(name, parts, borders, mode, constant, target) {
  const { dtype } = parts;
  const dims = checkSize(/** @type {number[]} */ (checkExtents(borders.dims)));
  const out = target === undefined ? undefined : readOut('out', target, dtype, dims);
  const source = checkData(parts);
  if (out) checkOut('out', out, name, parts);
  const result = out ? out.data : newData(dtype, sizeOf(dims), parts.data);
  const isZero = !out && dtype.array !== 'Array';
  const filling = mode === 'constant' ? (constant ?? (isZero ? undefined : zeroOf(dtype))) : undefined;
  fillPadded(dtype, parts.dims, borders, mode, filling, source, result);
  return tensorOf(dtype, result, dims);
}

/** @type {(dtype: DType) => any} */
const zeroOf = (dtype) => (dtype.array === 'Array' ? [''] : newData(dtype, 1, undefined));

/**
 * @param {Call} call
 * @param {Attributes | undefined} options
 * @returns {Mode}
 */
function readMode({ schema }, options) {
  const known = schema.since < firstOfWrap ? modes.filter((mode) => mode !== 'wrap') : modes;
  return readWord('mode', known, options?.mode) ?? 'constant';
}

/**
 * Reads the pads: an input, or an attribute.
 * @param {Call} call
 * @param {any} input
 * @param {Attributes | undefined} options
 * @param {(name: string, value: any) => (Int64 | Open)[] | null} read reads the input
 * @returns {(Int64 | Open)[] | null}
 */
function readPads(call, input, options, read) {
  const { schema } = call;
  const name = schema.since < firstOfCuts ? 'paddings' : 'pads';
  if (!isAttribute(call, name, input)) return read(name, input);
  const pads = options?.[name];
  if (!isList(pads)) typeError(`${name} must be a list of whole numbers, got ${show(pads)}`);
  const list = readList(name, pads);
  if (name === 'paddings' && list.some((count) => count < 0))
    rangeError(`paddings must be at least 0, got ${showList(list)}`);
  return list;
}

/**
 * @param {Call} call
 * @param {any} input
 * @param {(name: string, value: any) => (Int64 | Open)[] | null} read reads the input
 * @returns {(Int64 | Open)[] | null | undefined} undefined where they are omitted
 */
function readAxes({ schema, opset }, input, read) {
  if (isOmitted(input)) return undefined;
  if (schema.since < 18) typeError(`axes needs opset 18, got opset ${opset}`);
  return read('axes', input);
}

/**
 * Reads the value of the borders.
 * @param {Call} call
 * @param {DType} dtype
 * @param {any} input
 * @param {Attributes | undefined} options
 * @returns {any} data of one element; undefined where it is omitted
 */
function readConstant({ schema, opset }, dtype, input, options) {
  if (schema.attributes.includes('value')) {
    if (!isOmitted(input))
      typeError(`constant_value needs opset 11, got it at opset ${opset}: value is an attribute before`);
    const value = options?.value;
    if (value === undefined) return undefined;
    if (typeof value !== 'number') typeError(`value must be a number, got ${show(value)}`);
    return oneOf(dtype, Math.fround(value));
  }
  if (isOmitted(input)) return undefined;
  if (typeof input !== 'object' || Array.isArray(input)) return oneOf(dtype, input);
  const parts = readTensor('constant_value', input, typeCheck(dtype));
  if (parts.size !== 1 || parts.dims.length > 1)
    rangeError(`constant_value must be a scalar or of dims [1], got dims ${showList(parts.dims)}`);
  return checkData(parts);
}

/**
 * @param {DType} dtype
 * @param {unknown} value
 * @returns {any} data of one element
 */
function oneOf(dtype, value) {
  const data = newData(dtype, 1, undefined);
  encodeValues(dtype, [value], data, 1);
  return data;
}

/**
 * The check of the type of a value for the borders.
 * @param {DType} dtype of the data
 * @returns {(given: DType) => void}
 */
const typeCheck =
  ({ name }) =>
  (given) => {
    if (given.name !== name) typeError(`constant_value must be ${name}, as data, got ${given.name}`);
  };

/**
 * The pads of every axis.
 * @param {Call} call
 * @param {number} rank
 * @param {readonly Int64[]} pads
 * @param {readonly Int64[] | undefined} named axes
 * @returns {[begins: Int64[], ends: Int64[]]}
 */
function splitPads(call, rank, pads, named) {
  const axes = named ? axesIn(call, 'axes', named, rank) : Array.from({ length: rank }, (_, i) => i);
  const name = call.schema.since < firstOfCuts ? 'paddings' : 'pads';
  if (pads.length !== 2 * axes.length)
    rangeError(`${name} must have two entries for each of ${axes.length} axes, got ${showList(pads)}`);
  /** @type {[Int64[], Int64[]]} */
  const all = [Array(rank).fill(0), Array(rank).fill(0)];
  axes.forEach((axis, i) => {
    all[0][axis] = pads[i];
    all[1][axis] = pads[i + axes.length];
  });
  return all;
}

/**
 * Refuses borders that have nothing to repeat.
 * @param {Borders} borders
 * @param {Mode} mode
 */
function checkGrowth({ counts, dims }, mode) {
  const axis = counts.findIndex((count, i) => count === 0 && dims[i] > 0);
  if (mode !== 'constant' && axis >= 0)
    rangeError(`mode must be 'constant' where an axis has no elements, got '${mode}' for dims[${axis}]`);
}

/**
 * The shape rule for inference.
 * @param {Call} call
 * @param {readonly Dim[]} dims
 * @param {readonly (Int64 | Open)[]} pads without open entries
 * @param {readonly (Int64 | Open)[] | undefined} named axes without open entries
 * @returns {Dim[]}
 */
function padDims(call, dims, pads, named) {
  const [begins, ends] = splitPads(call, dims.length, /** @type {Int64[]} */ (pads), /** @type {any} */ (named));
  const known = dims.map((_, i) => i).filter((i) => !isUnknown(dims[i]));
  const pick = (/** @type {readonly any[]} */ list) => known.map((i) => list[i]);
  const result = bordersOf(pick(dims), pick(begins), pick(ends)).dims;
  return checkExtents(
    dims.map((extent, i) => {
      if (!isUnknown(extent)) return result[known.indexOf(i)];
      return Number(begins[i]) === 0 && Number(ends[i]) === 0 ? extent : null;
    }),
  );
}
