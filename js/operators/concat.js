/** Concat: tensors joined along an axis. */
import { copyList, entryName, rangeError, show, showList, typeError } from '../arguments/index.js';
import { stridesOf } from '../engine/index.js';
import { checkData, checkOut, readOut, readTensor, sizeOf, tensorOf } from '../tensor/index.js';
import { checkHasAxis, readAxis } from './axes.js';
import { calling, moving, checkKeys } from './call.js';
import { copyInto, resultData } from './copy.js';
import { checkExtents, checkSize, isUnknown } from './extents.js';
import { readKnown, readValue } from './tensor-info.js';
import { operator } from './operator.js';
import { joinPieces } from './pieces.js';
import { stridesWithin } from './view.js';

/** @import { DType, CheckedTensor, Tensor, TensorLike } from '../tensor/index.js' */
/** @import { CallOptions } from './call.js' */
/** @import { Dim } from './extents.js' */
/** @import { TensorInfo, Value } from './tensor-info.js' */
/** @import { Call, Operator } from './operator.js' */

/**
 * @typedef {object} Attributes
 * @property {number | bigint} [axis] in [-rank, rank - 1], before opset 11 in [0, rank - 1]; needed from opset 4 on, 1
 *   if omitted before
 */
/**
 * @typedef {object} Results
 * @property {TensorLike} [out] a tensor of the result's type and dims to write to, its memory apart from the inputs'
 */

/** Before it, the axis had a default, and ONNX infers no shape. */
const firstOfAxis = 4;
/** The first version that infers the axis' symbol of a single input. */
const firstOfOne = 11;

/** @type {Operator<{ inputs?: readonly TensorInfo[] }, Attributes>} */
export const Concat = operator({
  name: 'Concat',
  versions: [
    [1, 1, { attributes: ['axis'] }],
    [4, 3],
    [11, 3, { negativeAxis: true }],
    [13, 4],
  ],
  inputs: ['inputs'],
  variadic: true,
  infer(call, { inputs }, options) {
    const { schema } = call;
    const known = readAll('inputs', inputs, call.checkType, readKnown);
    checkKeys(call, options);
    const [{ dtype }] = known;
    const values = known.map(({ value, dims }, i) => readValue(`inputs[${i}]`, value, dims));
    const given = options?.axis;
    const ranked = known.find(({ dims }) => dims)?.dims;
    const axis = axisOf(call, given, ranked?.length);
    const all = known.map(({ dims }) => dims);
    const isKnown = all.every((dims) => dims !== null) && schema.since >= firstOfAxis;
    if (!isKnown) return { type: dtype.name, dims: null };
    const dims = concatDims(call, /** @type {Dim[][]} */ (all), axis);
    return { type: dtype.name, dims, ...joinedValue(values) };
  },
  run: (inputs, options) => concat(inputs, options),
  join(sources, options) {
    return calling(Concat, options, (call) => {
      const read = readAll('inputs', sources, call.checkType, (_name, source, check) => {
        check(source.parts.dtype);
        return source;
      });
      checkKeys(call, options);
      const axis = axisOf(call, options?.axis, read[0].view.dims.length);
      const all = read.map(({ view }) => view.dims);
      const dims = checkSize(/** @type {number[]} */ (concatDims(call, all, axis)));
      const [{ dtype, data: like }] = read.map(({ parts }) => parts);
      const data = resultData(dtype, sizeOf(dims), undefined, like);
      const strides = stridesOf(dims);
      let start = 0;
      for (const { parts, view } of read) {
        if (sizeOf(view.dims) > 0)
          copyInto(dtype, view, parts.data, data, stridesWithin(view, strides), start * strides[axis]);
        start += view.dims[axis];
      }
      return tensorOf(dtype, data, dims);
    });
  },
});

/**
 * Concat: tensors of one type joined along an axis; their other extents are the same.
 *
 * ONNX Concat-1, 4, 11, 13.
 * @param {readonly TensorLike[]} inputs one or more, of rank 1 or more
 * @param {Attributes & Results & CallOptions} options
 * @returns {Tensor} with memory of its own, or over `out.data`
 * @throws {TypeError} no tensor, tensors of several types, a type that the version does not take, no axis, an unknown
 *   option
 * @throws {RangeError} no tensors, scalars, extents that differ, an axis out of range, out does not fit or overlaps,
 *   out of memory
 * @throws {Error} before `init()`
 * @example
 * const [a, b] = [1, 2].map((value) => ({ type: 'uint8', data: Uint8Array.of(value, value), dims: [2, 1] }));
 * concat([a, b], { axis: 1 }).data; // Uint8Array [1, 2, 1, 2]
 */
export function concat(inputs, options) {
  return moving(Concat, options, (call) => {
    const parts = readAll('inputs', inputs, call.checkType, readTensor);
    checkKeys(call, options, 'out');
    const given = options?.axis;
    const target = options?.out;
    const axis = axisOf(call, given, parts[0].dims.length);
    const all = parts.map((own) => own.dims);
    const dims = checkSize(/** @type {number[]} */ (concatDims(call, all, axis)));
    return joined('inputs', parts, axis, all, dims, target);
  });
}

/**
 * The tensor that joined ones make.
 * @param {string} name of the list
 * @param {CheckedTensor[]} parts
 * @param {number} axis
 * @param {number[][]} all their dims, which may have an axis more than they have themselves
 * @param {number[]} dims of the result
 * @param {unknown} target the option `out`
 * @returns {Tensor}
 */
export function joined(name, parts, axis, all, dims, target) {
  const [{ dtype, data: like }] = parts;
  const out = target === undefined ? undefined : readOut('out', target, dtype, dims);
  const [sources, sizes] = [new Array(parts.length), new Array(parts.length)];
  for (let i = 0; i < parts.length; i++) {
    sources[i] = checkData(parts[i]);
    sizes[i] = all[i][axis];
  }
  if (out) for (let i = 0; i < parts.length; i++) checkOut('out', out, entryName(name, i), parts[i]);
  const data = resultData(dtype, sizeOf(dims), out, like);
  joinPieces(dtype, sizeOf(dims, 0, axis), sizeOf(dims, axis + 1), sizes, sources, data);
  return tensorOf(dtype, data, dims);
}

/**
 * Reads tensors of one type.
 * @template T
 * @param {string} name of the list
 * @param {unknown} inputs
 * @param {((dtype: DType) => void) | undefined} checkType checks the type of the first
 * @param {(argument: string, input: any, check: (dtype: DType) => void) => T} read reads one
 * @returns {T[]}
 */
export function readAll(name, inputs, checkType, read) {
  if (!Array.isArray(inputs)) typeError(`${name} must be an array of tensors, got ${show(inputs)}`);
  const list = copyList(name, inputs);
  if (list.length === 0) rangeError(`${name} must hold at least one tensor, got []`);
  /** @type {DType | undefined} */
  let first;
  let at = 0;
  /** @type {(dtype: DType) => void} */
  const check = (dtype) => {
    if (at === 0) checkType?.(dtype);
    first ??= dtype;
    if (dtype !== first)
      typeError(`${name}[${at}] type must be ${first.name}, as that of ${name}[0], got ${dtype.name}`);
  };
  const all = new Array(list.length);
  for (; at < list.length; at++) all[at] = read(entryName(name, at), list[at], check);
  return all;
}

/**
 * @param {Call} call
 * @param {number | bigint | undefined} given
 * @param {number | undefined} rank undefined where it is unknown
 * @returns {number}
 */
function axisOf({ schema }, given, rank) {
  if (given === undefined && schema.since >= firstOfAxis) typeError('axis must be a number or a bigint, got undefined');
  checkHasAxis('inputs[0]', rank);
  return readAxis(given, 1, rank, schema.negativeAxis);
}

/**
 * The shape rule.
 * @param {Call} call
 * @param {readonly (readonly Dim[])[]} all dims of all inputs
 * @param {number} axis
 * @param {string} [name] of the list
 * @returns {Dim[]}
 */
export function concatDims({ schema }, all, axis, name = 'inputs') {
  const [first] = all;
  for (let i = 1; i < all.length; i++)
    if (all[i].length !== first.length)
      rangeError(`${name}[${i}] must have rank ${first.length}, as ${name}[0], got dims ${showList(all[i])}`);
  const dims = first.slice();
  // Loops, because the functions of a list take .2 of the .9 us of a small call.
  for (let i = 1; i < all.length; i++)
    for (let k = 0; k < dims.length; k++) if (k !== axis) dims[k] = mergedExtent(dims[k], all[i][k], name, i, k);
  if (all.length > 1 || schema.since < firstOfOne) dims[axis] = sumOf(all, axis);
  return checkExtents(dims);
}

/**
 * @param {readonly (readonly Dim[])[]} all
 * @param {number} axis
 * @returns {number | null} null where an extent is not known
 */
function sumOf(all, axis) {
  let sum = 0;
  for (let i = 0; i < all.length; i++) {
    const part = all[i][axis];
    if (isUnknown(part)) return null;
    sum += part;
  }
  return sum;
}

/**
 * What is known of an extent that two inputs share: a number beats a symbol, and a symbol what is unknown.
 * @param {Dim} a
 * @param {Dim} b
 * @param {string} name of the list
 * @param {number} input
 * @param {number} axis
 * @returns {Dim}
 */
function mergedExtent(a, b, name, input, axis) {
  if (!isUnknown(a) && !isUnknown(b) && a !== b)
    rangeError(`${name}[${input}] must have dims[${axis}] = ${a}, as ${name}[0], got ${b}`);
  if (!isUnknown(a)) return a;
  return isUnknown(b) ? (a ?? b) : b;
}

/**
 * The known elements that joined lists have.
 * @param {readonly (Value | undefined)[]} values
 * @returns {{ value?: Value }}
 */
function joinedValue(values) {
  return values.every(Array.isArray) ? { value: values.flat() } : {};
}
