/** Slice: parts of axes, with steps. */
import { isList, rangeError, readList, show, showList, typeError } from '../arguments/index.js';
import { axesIn } from './axes.js';
import { calling, checkKeys } from './call.js';
import { callView } from './copy.js';
import { isUnknown } from './extents.js';
import { indexTypes, integerCheck, isAttribute, isOmitted, readIntegers, readKnownIntegers } from './integers.js';
import { readKnown, readValue } from './tensor-info.js';
import { operator } from './operator.js';
import { stepAxes } from './view.js';

/** @import { Integers, Int64 } from '../arguments/index.js' */
/** @import { DType, Tensor, TensorLike, TypeName } from '../tensor/index.js' */
/** @import { CallOptions } from './call.js' */
/** @import { Dim, Open } from './extents.js' */
/** @import { IntegersLike } from './integers.js' */
/** @import { TensorInfo, Value } from './tensor-info.js' */
/** @import { Call, Operator } from './operator.js' */

/**
 * @typedef {object} Attributes
 * @property {Integers} [starts] below opset 10
 * @property {Integers} [ends] below opset 10
 * @property {Integers} [axes] below opset 10
 */
/**
 * @typedef {object} Results
 * @property {TensorLike} [out] a tensor of the result's type and dims to write to, its memory apart from the input's
 */
/**
 * @typedef {object} Cuts what a call asks for; null where nothing is known
 * @property {(Int64 | Open)[] | null} starts
 * @property {(Int64 | Open)[] | null} ends
 * @property {(Int64 | Open)[] | null | undefined} axes
 * @property {(Int64 | Open)[] | null | undefined} steps
 */
/** @typedef {{ starts: number[], steps: number[], counts: number[] }} Steps of every axis */

/** The version that infers a symbolic extent as it is; the others infer it as unknown. */
const keepingSymbols = 10;

/** @type {Operator<Partial<Record<'data' | 'starts' | 'ends' | 'axes' | 'steps', TensorInfo>>, Attributes>} */
export const Slice = operator({
  name: 'Slice',
  versions: [
    [1, 3, { attributes: ['starts', 'ends', 'axes'] }],
    [10, 3, { attributes: [] }],
    [11, 3, { negativeAxis: true }],
    [13, 4],
  ],
  inputs: ['data', 'starts', 'ends', 'axes', 'steps'],
  optional: ['starts', 'ends', 'axes', 'steps'],
  infer(call, inputs, options) {
    const { dtype, dims, value } = readKnown('data', inputs.data, call.checkType);
    checkKeys(call, options);
    const { starts, ends, axes, steps } = inputs;
    const cuts = readCuts(call, [starts, ends, axes, steps], options, readKnownIntegers);
    const known = readValue('data', value, dims);
    return { type: dtype.name, dims: dims && sliceDims(call, dims, cuts), ...slicedValue(call, known, cuts) };
  },
  run: ([data, starts, ends, axes, steps], options) => slice(data, starts, ends, axes, steps, options),
  view(call, source, inputs, options) {
    checkKeys(call, options, 'out');
    const { starts, steps, counts } = stepsOf(call, source.dims, readCuts(call, inputs, options, readIntegers));
    return stepAxes(source, starts, steps, counts);
  },
});

/**
 * Slice: of some axes, the elements from `starts` up to `ends`, `steps` apart. A start or an end may count from the
 * back, and is clamped to the axis. With a negative step the axis runs backwards.
 *
 * ONNX Slice-1, 10, 11, 13. An end of 2^63 - 1 is beyond the last element in either direction, as ONNX's text says.
 * @param {TensorLike} data
 * @param {IntegersLike} [starts] numbers, or an int32 or int64 tensor of rank 1, as the three that follow; below opset
 *   10 they are attributes
 * @param {IntegersLike} [ends]
 * @param {IntegersLike | null} [axes] the first ones if omitted
 * @param {IntegersLike | null} [steps] 1 if omitted, and never 0
 * @param {Attributes & Results & CallOptions} [options]
 * @returns {Tensor} with memory of its own, or over `out.data`
 * @throws {TypeError} no tensor, a type that the version does not take, an unknown option, lists of another type or
 *   rank, tensors of two types among them
 * @throws {RangeError} lists of different lengths, an axis out of range or named twice, a step of 0, out does not fit
 *   or overlaps, out of memory
 * @throws {Error} before `init()`
 * @example
 * const row = { type: 'uint8', data: Uint8Array.of(0, 1, 2, 3, 4, 5), dims: [6] };
 * slice(row, [4], [0], [0], [-2]).data; // Uint8Array [4, 2]
 */
export function slice(data, starts, ends, axes, steps, options) {
  return callView(Slice, data, [starts, ends, axes, steps], options);
}

/**
 * What a call takes of every axis, of a tensor of any type that is not in memory.
 * @param {readonly number[]} dims of the tensor
 * @param {any[]} inputs starts, ends, axes and steps
 * @returns {Steps}
 */
export function readSlice(dims, inputs) {
  return calling(Slice, undefined, (call) => {
    return stepsOf(call, dims, readCuts(call, inputs, undefined, readIntegers));
  });
}

/**
 * The first of the lists that is a tensor: the others have its type.
 * @typedef {{ name: string, type: string }} First
 */

/**
 * @typedef {(name: string, value: any, types: readonly TypeName[], check?: (dtype: DType) => void) =>
 *   Cuts['starts']} Read reads an input
 */

/**
 * Reads what a call asks for: inputs, or attributes. Written out, a small call takes .2 us less than by a loop over the
 * names.
 * @param {Call} call
 * @param {any[]} inputs
 * @param {Attributes | undefined} options
 * @param {Read} read
 * @returns {Cuts}
 */
function readCuts(call, inputs, options, read) {
  const first = { name: '', type: '' };
  const starts = readCut(call, 'starts', inputs[0], options, read, first) ?? null;
  const ends = readCut(call, 'ends', inputs[1], options, read, first) ?? null;
  const axes = readCut(call, 'axes', inputs[2], options, read, first);
  const given = inputs[3];
  if (!isOmitted(given) && call.schema.attributes.includes('starts'))
    typeError(`steps needs opset 10, got opset ${call.opset}`);
  const steps = isOmitted(given) ? undefined : readInput('steps', given, read, first);
  const cuts = { starts, ends, axes, steps };
  checkLengths(cuts);
  return cuts;
}

/**
 * @param {Call} call
 * @param {keyof Attributes} name
 * @param {any} value
 * @param {Attributes | undefined} options
 * @param {Read} read
 * @param {First} first
 * @returns {Cuts['axes']} undefined where the axes are omitted
 */
function readCut(call, name, value, options, read, first) {
  if (isAttribute(call, name, value)) return readAttribute(name, options?.[name]);
  return name === 'axes' && isOmitted(value) ? undefined : readInput(name, value, read, first);
}

/**
 * @param {string} name
 * @param {any} value
 * @param {Read} read
 * @param {First} first
 * @returns {Cuts['starts']}
 */
function readInput(name, value, read, first) {
  if (Array.isArray(value)) return read(name, value, indexTypes);
  return read(name, value, indexTypes, (dtype) => {
    integerCheck(name, indexTypes)(dtype);
    if (first.type === '') [first.name, first.type] = [name, dtype.name];
    if (dtype.name !== first.type)
      typeError(`${name} type must be ${first.type}, as that of ${first.name}, got ${dtype.name}`);
  });
}

/**
 * @param {string} name
 * @param {unknown} value
 * @returns {Int64[] | undefined} undefined where the axes are omitted
 */
function readAttribute(name, value) {
  if (name === 'axes' && value === undefined) return undefined;
  if (!isList(value)) typeError(`${name} must be a list of whole numbers, got ${show(value)}`);
  return readList(name, value);
}

/**
 * @param {Cuts} cuts
 */
function checkLengths({ starts, ends, axes, steps }) {
  const length = starts?.length;
  checkLength('ends', ends, length);
  checkLength('axes', axes, length);
  checkLength('steps', steps, length);
  if (steps?.includes(0)) rangeError(`steps must not be 0, got ${showList(steps)}`);
}

/**
 * @param {string} name
 * @param {Cuts['axes']} list
 * @param {number | undefined} length of `starts`
 */
function checkLength(name, list, length) {
  if (length !== undefined && list && list.length !== length)
    rangeError(`${name} must have as many entries as starts, ${length}, got ${list.length}`);
}

/**
 * The axes that are cut, in the order of the lists.
 * @param {Call} call
 * @param {number} rank
 * @param {readonly Int64[] | undefined} axes
 * @param {number} length of the lists
 * @returns {number[]}
 */
function cutAxes(call, rank, axes, length) {
  if (axes) return axesIn(call, 'axes', axes, rank);
  if (length > rank) rangeError(`starts must have at most as many entries as data has axes, ${rank}, got ${length}`);
  return Array.from({ length }, (_, i) => i);
}

/**
 * What is taken of every axis.
 * @param {Call} call
 * @param {readonly number[]} dims
 * @param {any} cuts without open entries
 * @returns {Steps}
 */
function stepsOf(call, dims, { starts, ends, axes, steps }) {
  const cut = cutAxes(call, dims.length, axes, starts.length);
  /** @type {Steps} */
  const all = { starts: new Array(dims.length), steps: new Array(dims.length), counts: new Array(dims.length) };
  for (let i = 0; i < dims.length; i++) {
    all.starts[i] = 0;
    all.steps[i] = 1;
    all.counts[i] = dims[i];
  }
  for (let i = 0; i < cut.length; i++) {
    const extent = dims[cut[i]];
    const step = steps ? steps[i] : 1;
    const first = firstOf(starts[i], step, extent);
    all.starts[cut[i]] = first;
    all.steps[cut[i]] = Number(step);
    all.counts[cut[i]] = countOf(first, ends[i], step, extent);
  }
  return all;
}

/**
 * Where an axis begins: a start from the back counted from the front, and clamped. Bigints and numbers compare exactly,
 * and only what is within the axis is added.
 * @param {Int64} start
 * @param {Int64} step
 * @param {number} extent
 * @returns {number}
 */
function firstOf(start, step, extent) {
  const last = step > 0 ? extent : extent - 1;
  if (start < -extent) return 0;
  if (start < 0) return Number(start) + extent;
  return start > last ? last : Number(start);
}

/**
 * How many elements are taken of an axis.
 * @param {number} first
 * @param {Int64} end
 * @param {Int64} step
 * @param {number} extent
 * @returns {number}
 */
function countOf(first, end, step, extent) {
  if (extent === 0) return 0;
  const lowest = step > 0 ? 0 : -1;
  const highest = step > 0 ? extent : extent - 1;
  let last = end > highest ? highest : lowest;
  if (end >= -extent && end <= highest) last = Number(end) < 0 ? Number(end) + extent : Number(end);
  // A step beyond the safe integers is rounded: it is longer than any axis either way.
  return Math.max(0, Math.ceil((last - first) / Number(step)));
}

/**
 * The shape rule for inference: what is known of the extents.
 * @param {Call} call
 * @param {readonly Dim[]} dims
 * @param {Cuts} cuts
 * @returns {Dim[]}
 */
function sliceDims(call, dims, { starts, ends, axes, steps }) {
  const lists = [starts, ends, axes, steps];
  if (lists.some((list) => list === null || list?.some(isUnknown))) return dims.map(() => null);
  const known = /** @type {Int64[]} */ (starts);
  const cut = cutAxes(call, dims.length, /** @type {Int64[] | undefined} */ (axes), known.length);
  const keeps = call.schema.since === keepingSymbols;
  const closed = dims.map((extent) => (isUnknown(extent) ? 0 : extent));
  const { counts } = stepsOf(call, closed, { starts, ends, axes, steps });
  return dims.map((extent, i) => {
    if (!isUnknown(extent)) return counts[i];
    return keeps || !cut.includes(i) ? extent : null;
  });
}

/**
 * The elements that a slice of known ones has.
 * @param {Call} call
 * @param {Value | undefined} value
 * @param {Cuts} cuts
 * @returns {{ value?: Value }}
 */
function slicedValue(call, value, cuts) {
  if (!Array.isArray(value) || Object.values(cuts).some((list) => list === null || list?.some(isUnknown))) return {};
  const { starts, steps, counts } = stepsOf(call, [value.length], cuts);
  return { value: Array.from({ length: counts[0] }, (_, i) => value[starts[0] + i * steps[0]]) };
}
