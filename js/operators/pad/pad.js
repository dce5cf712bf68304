/** Pad and CenterCropPad: axes with borders added or cut. */
import { rangeError, readWord, showList, typeError } from '../../arguments/index.js';
import { checkData, encodeValues, newData, readTensor } from '../../tensor/index.js';
import * as core from '../core/index.js';
import { bordersOf, padded } from './padding.js';

/** @import { Attribute, Call, CenterCropPadAttributes, CenterCropPadOptions, DType, Dim, Input } from '../types.js' */
/** @import { Int64, IntegersLike, Naming, Operator, PadAttributes, PadOptions, Tensor } from '../types.js' */
/** @import { TensorData, TensorInfo, TensorLike, TypeName } from '../types.js' */

/** Pad-1 has other names, takes no negative pads, and ONNX infers no shape of it. */
const isFirstVersion = (/** @type {Call} */ { schema }) => schema.since === 1;

/** @type {(call: Call) => string} */
const padsName = (call) => (isFirstVersion(call) ? 'paddings' : 'pads');

const listOfPads = core.integers('pads');

/** The input `pads`, which early versions have as an attribute.
 * @type {Input} */
const pads = {
  ...listOfPads,
  former: 'paddings',
  /** Reads the pads of a call, with the name that its version has for them in messages. */
  read: (input, call, value, options, values) =>
    listOfPads.read({ ...input, name: padsName(call) }, call, value, options, values),
  /** Reads what inference knows of the pads: all of the attribute of early versions, or the value of the input. */
  known(_, call, value, options) {
    const name = padsName(call);
    if (core.isAttribute(call, name, value))
      return core.readAttribute(name, core.list({ required: true }), call, options);
    return core.readKnownIntegers('pads', value, core.int64Only);
  },
};

const firstModes = ['constant', 'reflect', 'edge'];
const modesFrom19 = [...firstModes, 'wrap'];

/** Reads the word of the attribute `mode`, of which version 19 has one more.
 * @type {Attribute['read']} */
const readMode = (name, word, { schema }) => readWord(name, schema.since < 19 ? firstModes : modesFrom19, word);

/** The attribute `value`, a float32, which later versions have as the input `constant_value`. */
const valueAttribute = core.real(undefined, { before: 11 });

/** The input `constant_value`, which early versions have as an attribute.
 * @type {Input} */
const constantValue = {
  kind: 'number',
  name: 'constant_value',
  former: 'value',
  optional: true,
  isEarly: false,
  read: readConstant,
  /** Checks the constant, of which inference needs no value: the attribute, or the input's type. */
  known(_, call, known, options, [{ dtype }]) {
    if (core.isAttribute(call, 'value', known)) return core.readAttribute('value', valueAttribute, call, options);
    return core.isOmitted(known) ? undefined : core.readKnown('constant_value', known, sameType(dtype));
  },
};

/** @type {Operator<Partial<Record<'data' | 'pads' | 'constant_value' | 'axes', TensorInfo | null>>, PadAttributes>} */
export const Pad = core.define({
  name: 'Pad',
  versions: { 1: 1, 2: 1, 11: 3, 13: 4, 18: 4, 19: 4, 21: 10, 23: 11, 24: 12, 25: 13 },
  lacks: { 11: ['string', 'bool', 'complex'], 13: [] },
  negativeAxis: 18,
  inputs: [
    core.tensor('data'),
    pads,
    constantValue,
    core.integers('axes', { types: core.indexTypes, optional: true, since: 18 }),
  ],
  attributes: {
    paddings: core.list({ before: 2 }),
    pads: core.list({ since: 2, before: 11 }),
    value: valueAttribute,
    mode: core.attribute(readMode, 'constant'),
  },
  /** Plans the borders. `padList`: in front of each axis, then behind each. `namedAxes`: the axes that it is for; all
   * if undefined, and null where inference does not know them. */
  shape(call, { mode }, { dims }, padList, constant, namedAxes) {
    const areAxesUnknown = namedAxes === null || namedAxes?.some(core.isUnknown);
    if (!dims || areAxesUnknown) return { dims: null };
    const arePadsUnknown = !padList || padList.some(core.isUnknown);
    if (arePadsUnknown) return { dims: dims.map(() => null) };
    const { begins, ends } = splitPads(call, dims.length, padList, namedAxes);
    const borders = bordersOf(dims, begins, ends);
    // Other modes need an element to repeat.
    const emptyAxis = borders.counts.findIndex((count, i) => count === 0 && borders.dims[i] > 0);
    if (mode !== 'constant' && emptyAxis >= 0)
      rangeError(`mode must be 'constant' where an axis has no elements, got '${mode}' for dims[${emptyAxis}]`);
    return { dims: core.checkExtents(borders.dims), borders, mode, constant };
  },
  move: padded,
  /** Gives the dims that ONNX's own inference gives: none for Pad-1. */
  inferred: ({ dims }, call) => (isFirstVersion(call) ? null : dims),
});

/** Reads the constant as data of one element, of the type of the input `data`; undefined where it is omitted. Early
 * versions have a float32, later ones a value of that type, or a tensor of one element.
 * @type {Input['read']} */
function readConstant(_, call, value, _options, [{ dtype }]) {
  if (core.isOmitted(value)) return undefined;
  const isFloatAttribute = call.schema.since < valueAttribute.before;
  if (isFloatAttribute) {
    const number = /** @type {number} */ (valueAttribute.read('value', value, call));
    return oneElement(dtype, Math.fround(number));
  }
  const isComplex = Array.isArray(value);
  if (typeof value !== 'object' || isComplex) return oneElement(dtype, value);
  const source = readTensor('constant_value', value, sameType(dtype));
  if (source.size !== 1 || source.dims.length > 1)
    rangeError(`constant_value must be a scalar or of dims [1], got dims ${showList(source.dims)}`);
  return checkData(source);
}

/** Makes the check of the constant's type, which has to be `dtype`, that of the data.
 * @type {(dtype: DType) => (otherType: DType) => void} */
const sameType =
  ({ name }) =>
  (otherType) => {
    if (otherType.name !== name) typeError(`constant_value must be ${name}, as data, got ${otherType.name}`);
  };

/** Makes data of one element of a type from its value.
 * @type {(dtype: DType, value: unknown) => TensorData} */
function oneElement(dtype, value) {
  const data = newData(dtype, 1);
  encodeValues(dtype, [value], data, 1);
  return data;
}

/** Splits the list of pads into those in front of and those behind each axis of the tensor. The list has all those in
 * front first, in the order of the axes that `namedAxes` lists, or of all axes; other axes have pads of 0.
 * @type {(call: Call, rank: number, padList: Int64[], namedAxes?: Int64[]) => { begins: Int64[], ends: Int64[] }} */
function splitPads(call, rank, padList, namedAxes) {
  const axes = namedAxes && core.readAxes(call, 'axes', namedAxes, rank);
  if (isFirstVersion(call) && padList.some((count) => count < 0))
    rangeError(`paddings must be at least 0, got ${showList(padList)}`);
  const axisCount = axes ? axes.length : rank;
  if (padList.length !== 2 * axisCount)
    rangeError(`${padsName(call)} must have two entries for each of ${axisCount} axes, got ${showList(padList)}`);
  const listedBegins = padList.slice(0, axisCount);
  const listedEnds = padList.slice(axisCount);
  if (!axes) return { begins: listedBegins, ends: listedEnds };
  const begins = Array(rank).fill(0);
  const ends = Array(rank).fill(0);
  axes.forEach((axis, i) => {
    begins[axis] = listedBegins[i];
    ends[axis] = listedEnds[i];
  });
  return { begins, ends };
}

/**
 * Pad: borders added around a tensor. A negative number cuts so many elements instead, before anything is added.
 * `reflect` goes beyond the extent as NumPy's does.
 * @template {TypeName} T
 * @param {TensorLike<T>} data
 * @param {IntegersLike | Naming<PadOptions, 'pads'> | Naming<PadOptions, 'paddings'>} pads what to add before each
 *   axis, then what to add behind each
 * @param {TensorLike | number | bigint | boolean | string | readonly [number, number] | null | PadOptions}
 *   [constant_value] one element of the data's type, or its value; 0, '' or false if omitted. Below opset 11 its name
 *   is `value`, a float32
 * @param {IntegersLike | null | PadOptions} [axes] from opset 18: those that `pads` is of; all if omitted
 * @param {PadOptions} [options]
 * @returns {Tensor<T>} with memory of its own, or over `out.data`
 * @example
 * const row = { type: 'uint8', data: Uint8Array.of(1, 2, 3), dims: [3] };
 * pad(row, [2, 1], { mode: 'reflect' }).data; // Uint8Array [3, 2, 1, 2, 3, 2]
 */
export const pad = (data, pads, constant_value, axes, options) =>
  core.runNamed(Pad, [data, pads, constant_value, axes], options);

/** @type {Operator<{ input_data?: TensorInfo, shape?: TensorInfo }, CenterCropPadAttributes>} */
export const CenterCropPad = core.define({
  name: 'CenterCropPad',
  versions: { 18: 4 },
  negativeAxis: 18,
  inputs: [core.tensor('input_data'), core.integers('shape', { types: core.indexTypes })],
  attributes: { axes: core.list() },
  /** Plans the borders that bring the axes to the extents in `shape`: cuts, where an axis is too long. */
  shape(call, { axes: namedAxes }, { dims }, shape) {
    if (!dims || !shape || shape.some(core.isUnknown)) return { dims: null };
    const axes = namedAxes ? core.readAxes(call, 'axes', namedAxes, dims.length) : [...dims.keys()];
    if (shape.length !== axes.length)
      rangeError(`shape must have one entry for each of ${axes.length} axes, got ${showList(shape)}`);
    if (shape.some((/** @type {Int64} */ extent) => extent < 0 || !Number.isSafeInteger(extent)))
      rangeError(`shape entries must be in [0, ${Number.MAX_SAFE_INTEGER}], got ${showList(shape)}`);
    const resultDims = [...dims];
    for (const [i, axis] of axes.entries()) resultDims[axis] = Number(shape[i]);
    // Negative where an axis loses elements. Inference needs no borders, so any number does for an unknown extent.
    const added = dims.map((/** @type {Dim} */ extent, /** @type {number} */ i) =>
      core.isUnknown(extent) ? 0 : resultDims[i] - extent,
    );
    // Both cuts and borders have their smaller half in front.
    const begins = added.map((/** @type {number} */ count) => Math.trunc(count / 2));
    const ends = added.map((/** @type {number} */ count, /** @type {number} */ i) => count - begins[i]);
    return { dims: resultDims, borders: bordersOf(dims, begins, ends), mode: 'constant' };
  },
  move: padded,
});

/**
 * CenterCropPad: each axis that is too long loses elements on both sides, and each that is too short gets zeros (empty
 * strings, false) on both sides. Of an odd number, the greater half goes, or comes, at the end.
 * @template {TypeName} T
 * @param {TensorLike<T>} input_data
 * @param {IntegersLike | Naming<CenterCropPadOptions, 'shape'>} shape the extents that the axes get, or an int32 or
 *   int64 tensor of rank 1
 * @param {CenterCropPadOptions} [options]
 * @returns {Tensor<T>} with memory of its own, or over `out.data`
 * @example
 * const row = { type: 'uint8', data: Uint8Array.of(1, 2, 3, 4, 5), dims: [5] };
 * centerCropPad(row, [2]).data; // Uint8Array [2, 3]
 */
export const centerCropPad = (input_data, shape, options) => core.runNamed(CenterCropPad, [input_data, shape], options);
