/** ONNX's Resize. It goes axis by axis: a step is the resizing of one axis, to `count` elements, by the factor `scale`,
 * of the part from `start` to `end`, where 0 is the first element of the axis and 1 the last. */
import { copyList, isList, largest, readWord, show, smallest } from '../arguments/index.js';
import {
  attribute,
  readAxes,
  checkExtents,
  computed,
  define,
  flag,
  integers,
  isUnknown,
  list,
  rangeError,
  real,
  tensor,
  typeError,
  word,
} from '../operators/internal.js';
import { checkData, decodeValues, dtypes, readTensor, sizeOf, tensorOf } from '../tensor/index.js';
import { coordinates, interpolations, nearestRules, resizedAxes } from '../engines/results/index.js';

/** @import { ResizeRules, ResizeStep } from '../engines/results/index.js' */
/** @import { Attribute, DType, Dim, Input, TensorInfo } from '../operators/types.js' */

/** Refuses a type of X that is neither float32 nor uint8. @type {(dtype: DType) => void} */
function checkElements({ name }) {
  if (name !== 'float32' && name !== 'uint8') typeError(`X type must be float32 or uint8, got ${name}`);
}

/** Makes a check that refuses an input of another type than `types`.
 * @type {(name: string, types: readonly string[]) => (dtype: DType) => void} */
const typeCheck = (name, types) => (dtype) => {
  if (!types.includes(dtype.name)) typeError(`${name} type must be ${types.join(' or ')}, got ${dtype.name}`);
};

/** Declares an optional input that is a list of numbers. Calls read it to numbers, or undefined if it is omitted. Shape
 * inference has null where it does not know the elements.
 * @type {(name: string, types: readonly string[]) => Input} */
const realList = (name, types) => ({
  kind: 'tensor',
  name,
  optional: true,
  isEarly: false,
  read: (_, __, value) => readReals(name, types, value),
  // `known`: whatever shape inference knows of the input.
  known(_, __, known) {
    if (known === undefined || known === null) return undefined;
    const { type, dims, value } = /** @type {TensorInfo} */ (known);
    typeCheck(name, types)(dtypes[/** @type {keyof typeof dtypes} */ (type)]);
    // A tensor without elements has a known value.
    return value ?? (dims?.[0] === 0 ? [] : null);
  },
});

/** Reads a list of numbers, or a tensor of one axis and one of `types`, to numbers; undefined if it is omitted.
 * @type {(name: string, types: readonly string[], value: unknown) => number[] | undefined} */
function readReals(name, types, value) {
  if (value === undefined || value === null) return undefined;
  if (isList(value)) {
    const list = copyList(name, value);
    const wrong = list.findIndex((number) => typeof number !== 'number');
    if (wrong >= 0) typeError(`${name}[${wrong}] must be a number, got ${show(list[wrong])}`);
    return /** @type {number[]} */ (list);
  }
  const tensor = readTensor(name, value, typeCheck(name, types));
  if (tensor.dims.length !== 1) typeError(`${name} must be 1-D, got rank ${tensor.dims.length}`);
  return decodeValues(tensor.dtype, checkData(tensor), tensor.size);
}

/** Declares an attribute that is one of `words`, the first of them if it is omitted. `isIn`: whether a word is allowed
 * in the version `since` of the operator; `bounds`: the versions that have the attribute.
 * @type {(words: readonly string[], isIn: (word: string, since: number) => boolean, bounds?: { since: number }) =>
 *   Attribute} */
const wordOfVersion = (words, isIn, bounds) =>
  attribute(
    (name, value, { schema }) =>
      readWord(
        name,
        words.filter((word) => isIn(word, schema.since)),
        value,
      ),
    words[0],
    bounds,
  );

/** Whether a version of Resize has an interpolation. @type {(mode: string, since: number) => boolean} */
const isModeIn = (mode, since) => mode !== 'cubic' || since >= 11;

/** Whether a version of Resize has a rule of coordinates. @type {(mode: string, since: number) => boolean} */
function isCoordinateModeIn(mode, since) {
  if (mode === 'half_pixel_symmetric') return since >= 19;
  if (mode === 'tf_half_pixel_for_nn') return since < 13;
  return true;
}

const policies = /** @type {const} */ (['stretch', 'not_larger', 'not_smaller']);

export const Resize = define({
  name: 'Resize',
  versions: { 10: 3, 11: 3, 13: 4, 18: 4, 19: 4 },
  negativeAxis: 18,
  inputs: [
    tensor('X', checkElements),
    realList('roi', ['float32', 'float16', 'float64']),
    realList('scales', ['float32']),
    integers('sizes', { optional: true, since: 11 }),
  ],
  firstInputs: ['X', 'scales'],
  attributes: {
    mode: wordOfVersion(interpolations, isModeIn),
    coordinate_transformation_mode: wordOfVersion(coordinates, isCoordinateModeIn, { since: 11 }),
    nearest_mode: word(nearestRules, { since: 11 }),
    cubic_coeff_a: real(-0.75, { since: 11 }),
    exclude_outside: flag(false, { since: 11 }),
    extrapolation_value: real(0, { since: 11 }),
    antialias: flag(false, { since: 18 }),
    axes: list({ since: 18 }),
    keep_aspect_ratio_policy: word(policies, { since: 18 }),
  },
  shape(call, attributes, { dims, dtype }, region, scales, sizes) {
    const isVersion10 = call.schema.since < 11;
    // Version 10 has its scales in the place of the region.
    const inputs = isVersion10 ? { sizes, scales: scales ?? region } : { sizes, scales, region };
    const rules = rulesOf(attributes, isVersion10);
    const policy = attributes.keep_aspect_ratio_policy;
    // Shape inference may not know the dims.
    if (!dims) return { dims, dtype };
    const axes = readAxes(call, 'axes', attributes.axes ?? [...dims.keys()], dims.length);
    const lists = readLists(inputs, axes.length, rules.coordinate === 'tf_crop_and_resize');
    const steps = axes.map((axis, i) => ({ axis, ...stepOfAxis(dims[axis], i, lists) }));
    keepRatio(steps, dims, policy, lists);
    const to = [...dims];
    for (const { axis, count } of steps) to[axis] = count;
    return { dims: checkExtents(to), dtype, steps, rules };
  },
  move: computed(({ dims: to, steps, rules }, { data, dims, dtype }) => {
    if (sizeOf(to) === 0) return tensorOf(dtype, data.subarray(0, 0), to);
    const empty = dims.indexOf(0);
    if (empty >= 0) rangeError(`X must have elements to resize, got dims[${empty}] = 0`);
    return tensorOf(dtype, resizedAxes(data, dims, sortSteps(steps, dims, rules), rules), to);
  }),
});

/** Gives the attributes under the engine's names. Version 10 has none for coordinates and nearest elements: its rule
 * 'simple' takes the upper neighbor where an axis shrinks, else the lower one.
 * @type {(attributes: Record<string, any>, isVersion10: boolean) => ResizeRules} */
const rulesOf = (attributes, isVersion10) => ({
  mode: attributes.mode,
  coordinate: isVersion10 ? 'asymmetric' : attributes.coordinate_transformation_mode,
  nearest: isVersion10 ? 'simple' : attributes.nearest_mode,
  antialias: attributes.antialias,
  excludesOutside: attributes.exclude_outside,
  cubic: attributes.cubic_coeff_a,
  extrapolation: attributes.extrapolation_value,
});

/** Picks the steps that change anything, and sorts them: the axis that shrinks most comes first, so that the others
 * have fewer elements to compute. With `antialias` the last axis comes first, as in onnxruntime, whose rounding between
 * axes depends on the order.
 * @type {(steps: ResizeStep[], dims: number[], rules: ResizeRules) => ResizeStep[]} */
function sortSteps(steps, dims, { coordinate, antialias }) {
  // Only this mode reads a part of an axis.
  const mayBeCut = coordinate === 'tf_crop_and_resize';
  const changing = steps.filter(({ axis, count, scale, start, end }) => {
    const isCut = mayBeCut && (start !== 0 || end !== 1);
    return count !== dims[axis] || scale !== 1 || isCut;
  });
  if (antialias) return changing.sort((a, b) => b.axis - a.axis);
  const ratioOf = (/** @type {ResizeStep} */ { axis, count }) => count / dims[axis];
  return changing.sort((a, b) => ratioOf(a) - ratioOf(b));
}

/** A step as shape inference knows it: its count may be unknown or a symbol, and then its scale is null.
 * @typedef {Omit<ResizeStep, 'count' | 'scale'> & { count: Dim, scale: number | null }} OpenStep */

/** The inputs beside X: undefined where one is omitted, null where inference does not know its elements.
 * @typedef {{ sizes?: (Dim | bigint)[] | null, scales?: number[] | null, region?: number[] | null }} Inputs */

/** The checked inputs with one entry for each axis; the region as its starts and its ends.
 * @typedef {{ sizes?: (Dim | bigint)[] | null, scales?: number[] | null, starts?: number[], ends?: number[] }} Lists */

/** Checks that either scales or sizes are there, with one entry for each of `count` axes, and splits the region, which
 * is read only if `isCut`, into its starts and ends. An empty list counts as omitted; null is a list that inference
 * does not know.
 * @type {(lists: Inputs, count: number, isCut: boolean) => Lists} */
function readLists({ sizes, scales, region }, count, isCut) {
  /** @type {<List extends unknown[]>(name: string, list: List | null | undefined, length?: number) => typeof list} */
  const readList = (name, list, length = count) => {
    if (list === null) return null;
    if (list === undefined || list.length === 0) return undefined;
    if (list.length !== length) rangeError(`${name} must have ${length} entries, got ${list.length}`);
    return list;
  };
  const lists = { sizes: readList('sizes', sizes), scales: readList('scales', scales) };
  const [hasSizes, hasScales] = [lists.sizes !== undefined, lists.scales !== undefined];
  if (hasSizes === hasScales) typeError(`one of scales and sizes must be given, got ${hasSizes ? 'both' : 'none'}`);
  for (const scale of lists.scales ?? [])
    if (!(scale > 0 && scale < Infinity)) rangeError(`scales must be finite and above 0, got ${scale}`);
  for (const size of lists.sizes ?? [])
    if (!isUnknown(size) && size < 0) rangeError(`sizes must be at least 0, got ${size}`);
  if (!isCut) return lists;
  const roi = readList('roi', region, 2 * count);
  if (roi === undefined) typeError("roi must be given where coordinate_transformation_mode is 'tf_crop_and_resize'");
  return { ...lists, starts: roi?.slice(0, count), ends: roi?.slice(count) };
}

const { fround } = Math;

/** Computes the step of an axis, without the axis itself: `count`, the extent that it gets, the factor `scale`, and the
 * part that is resized. In float32, as onnxruntime does; null where inference does not know a number. `length`: the
 * axis' extent; `i`: its place in the lists.
 * @type {(length: Dim, i: number, lists: Lists) => Omit<OpenStep, 'axis'>} */
function stepOfAxis(length, i, { sizes, scales, starts, ends }) {
  const region = { start: starts?.[i] ?? 0, end: ends?.[i] ?? 1 };
  const isBySizes = sizes !== undefined;
  const resized = isBySizes ? resizedTo(length, sizes?.[i] ?? null) : resizedBy(length, scales?.[i] ?? null);
  return { ...region, ...resized };
}

/** Computes the scale of an axis of `length` elements that gets `size` elements.
 * @type {(length: Dim, size: Dim | bigint) => { count: Dim, scale: number | null }} */
function resizedTo(length, size) {
  if (isUnknown(size)) return { count: size, scale: null };
  const count = Number(size);
  return { count, scale: isUnknown(length) ? null : fround(count / length) };
}

/** Computes how many elements an axis of `length` gets that is resized by a scale.
 * @type {(length: Dim, scale: number | null) => { count: Dim, scale: number | null }} */
function resizedBy(length, scale) {
  if (scale === null) return { count: null, scale };
  const factor = fround(scale);
  return { count: isUnknown(length) ? null : Math.floor(fround(factor * length)), scale: factor };
}

/** Changes the steps so that all have one scale, as `keep_aspect_ratio_policy` says: the least of their scales for
 * 'not_larger', the greatest for 'not_smaller'. By scales, and for 'stretch', the steps stay.
 * @type {(steps: OpenStep[], dims: Dim[], policy: string, lists: Lists) => void} */
function keepRatio(steps, dims, policy, { sizes }) {
  if (policy === 'stretch' || sizes === undefined) return;
  // Where inference does not know all scales, it knows neither the least nor the greatest one.
  const isPartial = steps.some(({ scale }) => scale === null);
  const scales = steps.map((step) => step.scale);
  const scale = policy === 'not_larger' ? smallest(scales) : largest(scales);
  for (const step of steps) {
    const length = /** @type {number} */ (dims[step.axis]);
    step.scale = isPartial ? null : scale;
    step.count = isPartial ? null : Math.floor(fround(scale * length) + 0.5); // rounds halves up
  }
}
