/** Shape inference: the dims of a result without its data, for dims of which some or all are unknown. */
import {
  checkNames,
  copyList,
  isList,
  readFlag,
  readList,
  readWhole,
  show,
  showClass,
  showList,
  wrongKind,
  wrongValue,
} from '../arguments/index.js';
import { rankLimit, readType } from '../tensor/index.js';
import { checkKeys, readCall, typeCheck } from './call.js';
import { castCheck, readRoundMode, readTarget } from './cast.js';
import {
  checkShapeRank,
  checkSplit,
  checkSplitRank,
  commonSize,
  flattenDims,
  isOpen,
  product,
  readPerm,
  reshapeDims,
  shapeTypeCheck,
  splitAxis,
  splitTypeCheck,
} from './shapes.js';

/** @import { Integers, Whole } from '../arguments/index.js' */
/** @import { DType, TypeName } from '../tensor/index.js' */
/** @import { Call } from './call.js' */
/** @import { RoundMode } from './cast.js' */
/** @import { CallOptions, Flag } from './operators.js' */
/** @import { OperatorName } from './schemas.js' */
/** @import { Extent, Open } from './shapes.js' */

/**
 * What is known of an input. `dims`: null where the rank is unknown. `value`, of a shape or a split: a list where it has one axis, a
 * number where it has none; entries that only data propagation knows are symbols, or null.
 * @typedef {object} Known
 * @property {TypeName | 'float' | 'double'} type
 * @property {readonly Extent[] | null} dims
 * @property {readonly (number | bigint | string | null)[] | Integers | number | bigint | string | null} [value]
 */
/** By ONNX's names. @typedef {{ input?: Known, data?: Known, shape?: Known, split?: Known | null }} KnownInputs */

/**
 * The attributes of all operators; each takes its own.
 * @typedef {object} Attributes
 * @property {number | bigint} [axis]
 * @property {Integers} [perm]
 * @property {Flag} [allowzero]
 * @property {Flag} [keepdims]
 * @property {Integers} [shape] below opset 5
 * @property {Integers} [consumed_inputs] below opset 5
 * @property {TypeName | 'float' | 'double'} [to]
 * @property {Flag} [saturate]
 * @property {RoundMode} [round_mode]
 */

/** `sequence`: the result is a sequence of tensors, and type and dims are theirs. @typedef {{ type: TypeName, dims: Extent[] | null, sequence?: true }} Inferred */

/** A longer shape whose entries are unknown gives no rank. */
const unknownShapeLimit = 1024;

/** The first Reshape whose inference reads shapes that are known in part. */
const firstPropagating = 14;

/** Transpose-1 infers no shape of a scalar; this is the first that does. */
const firstOfScalars = 13;

/** The inputs of each operator and its rule. @type {Record<OperatorName, { names: string[], infer: (call: Call, inputs: any, options: any) => Inferred }>} */
const rules = {
  Flatten: { names: ['input'], infer: inferFlatten },
  Reshape: { names: ['data', 'shape'], infer: inferReshape },
  Transpose: { names: ['data'], infer: inferTranspose },
  SplitToSequence: { names: ['input', 'split'], infer: inferSplitToSequence },
  Cast: { names: ['input'], infer: inferCast },
};

/**
 * ONNX's shape inference: the type and the dims of a result, as far as those of the inputs tell. An extent is a number, a symbol (any
 * string), or null where nothing is known; so are dims as a whole where the rank is unknown.
 *
 * What the operator rejects whatever the unknown extents may be is rejected here too, with its own message; ONNX's inference lets
 * some of that pass, such as a shape with another number of elements. Follows ONNX where a rule gives less than could be known: of a
 * symbol times anything but 1 nothing is kept. All versions of Flatten, Reshape, Transpose, SplitToSequence and Cast. Needs no `init()`.
 * @param {OperatorName} op
 * @param {KnownInputs} inputs Flatten, SplitToSequence, Cast: `input`; Reshape, Transpose: `data`; beside it Reshape's `shape` (below
 *   opset 5 an attribute) and SplitToSequence's `split`, undefined or null if omitted
 * @param {Attributes & CallOptions} [options] the operator's attributes, and `to` for Cast
 * @returns {Inferred}
 * @throws {TypeError} an unknown operator, input or option, a type that the version does not take, a shape or split of another type or rank
 * @throws {RangeError} what the operator would reject; a value whose length is not what dims say
 * @example
 * const shape = { type: 'int64', dims: [3], value: [0, 0, -1] };
 * inferShape('Reshape', { data: { type: 'float32', dims: ['N', 'M', 3, 4] }, shape }).dims; // ['N', 'M', 12]
 */
export function inferShape(op, inputs, options) {
  const rule = typeof op === 'string' && Object.hasOwn(rules, op) ? rules[op] : undefined;
  if (!rule) wrongKind('inferShape', `op must be one of ${Object.keys(rules).join(', ')}, got ${show(op)}`);
  const call = readCall(op, options);
  if (typeof inputs !== 'object' || inputs === null)
    wrongKind(call.prefix, `inputs must be an object, got ${show(inputs)}`);
  checkNames(call.prefix, 'input', inputs, rule.names);
  return rule.infer(call, inputs, options);
}

/** @type {(call: Call, inputs: KnownInputs, options: Attributes | undefined) => Inferred} */
function inferFlatten(call, inputs, options) {
  const { dtype, dims } = readKnown(call.prefix, 'input', inputs.input, typeCheck(call));
  checkKeys(call, options);
  const given = options?.axis;
  const axis = given === undefined ? 1 : readWhole(call.prefix, 'axis', given);
  return { type: dtype.name, dims: dims && flattenDims(call, dims, axis) };
}

/** @type {(call: Call, inputs: KnownInputs, options: Attributes | undefined) => Inferred} */
function inferReshape(call, inputs, options) {
  const { prefix, schema } = call;
  const { dtype, dims } = readKnown(prefix, 'data', inputs.data, typeCheck(call));
  checkKeys(call, options);
  const allowzero = readFlag(prefix, 'allowzero', options?.allowzero, false);
  const shape = readTargetShape(call, inputs.shape, options);
  if (shape === null) return { type: dtype.name, dims: null };
  const result = reshapeDims(call, dims, shape, allowzero);
  const isRead = schema.since >= firstPropagating || !shape.some(isOpen);
  return { type: dtype.name, dims: isRead ? result : null };
}

/** Null where not even its length is known. @type {(call: Call, input: unknown, options: Attributes | undefined) => (Whole | Open)[] | null} */
function readTargetShape({ prefix, schema, opset }, input, options) {
  if (schema.attributes.includes('shape')) {
    if (input !== undefined)
      wrongKind(prefix, `shape is an attribute before opset 5, got it as an input at opset ${opset}`);
    const shape = options?.shape;
    if (!isList(shape)) wrongKind(prefix, `shape must be a list of whole numbers, got ${show(shape)}`);
    return readList(prefix, 'shape', shape);
  }
  const { dims, value } = readKnown(prefix, 'shape', input, shapeTypeCheck(prefix));
  if (dims) checkShapeRank(prefix, dims.length);
  if (value !== undefined && value !== null) return readEntries(prefix, 'shape', value, dims);
  const length = schema.since >= firstPropagating ? dims?.[0] : null;
  return typeof length === 'number' && length <= unknownShapeLimit ? Array(length).fill(null) : null;
}

/** @type {(call: Call, inputs: KnownInputs, options: Attributes | undefined) => Inferred} */
function inferTranspose(call, inputs, options) {
  const { dtype, dims } = readKnown(call.prefix, 'data', inputs.data, typeCheck(call));
  checkKeys(call, options);
  const perm = readPerm(call.prefix, options?.perm, dims?.length);
  const isInferred = dims && (dims.length > 0 || call.schema.since >= firstOfScalars);
  return { type: dtype.name, dims: isInferred ? perm.map((axis) => dims[axis]) : null };
}

/** @type {(call: Call, inputs: KnownInputs, options: Attributes | undefined) => Inferred} */
function inferSplitToSequence(call, inputs, options) {
  const { prefix } = call;
  const { dtype, dims } = readKnown(prefix, 'input', inputs.input, typeCheck(call));
  checkKeys(call, options);
  const givenAxis = options?.axis;
  const keepdims = readFlag(prefix, 'keepdims', options?.keepdims, true);
  const wholeAxis = givenAxis === undefined ? 0 : readWhole(prefix, 'axis', givenAxis);
  const axis = dims ? splitAxis(prefix, wholeAxis, dims.length) : 0;
  const extent = dims && dims[axis];
  const given = inputs.split;
  const omitted = given === undefined || given === null;
  const split = omitted ? 1 : readSplitValue(prefix, given);
  checkSplit(prefix, split, axis, extent);
  const pieceDims =
    omitted && !keepdims ? dims?.toSpliced(axis, 1) : dims?.with(axis, omitted ? 1 : commonSize(split, extent));
  return { type: dtype.name, dims: pieceDims ?? null, sequence: true };
}

/** @type {(prefix: string, input: unknown) => Whole | Open | (Whole | Open)[]} */
function readSplitValue(prefix, input) {
  const { dims, value } = readKnown(prefix, 'split', input, splitTypeCheck(prefix));
  if (dims) checkSplitRank(prefix, dims.length);
  if (value === undefined || value === null) return dims?.[0] === 0 ? [] : null;
  if (isList(value) && dims?.length !== 0) return readEntries(prefix, 'split', value, dims);
  if (dims?.length === 1) wrongKind(prefix, `split value must be a list, got ${show(value)}`);
  return typeof value === 'string' ? value : readWhole(prefix, 'split', value);
}

/** @type {(call: Call, inputs: KnownInputs, options: Attributes | undefined) => Inferred} */
function inferCast(call, inputs, options) {
  const { dims } = readKnown(call.prefix, 'input', inputs.input, castCheck(call));
  // At run time the result's type is an argument of its own, so no version lists it among its options.
  const target = readTarget(call, options?.to);
  checkKeys(call, options, 'to');
  readFlag(call.prefix, 'saturate', options?.saturate, true);
  readRoundMode(call.prefix, options?.round_mode);
  return { type: target.name, dims };
}

/** Reads what is known of an input, each property once. @type {(prefix: string, argument: string, known: any, checkType: (dtype: DType) => void) => { dtype: DType, dims: Extent[] | null, value: unknown }} */
function readKnown(prefix, argument, known, checkType) {
  if (typeof known !== 'object' || known === null || Array.isArray(known) || ArrayBuffer.isView(known)) {
    wrongKind(prefix, `${argument} must be what is known of a tensor { type, dims }, got ${showClass(known)}`);
  }
  const { type, dims, value } = known;
  const dtype = readType(prefix, type);
  checkType(dtype);
  return { dtype, dims: dims === null ? null : readOpenDims(prefix, dims), value };
}

/** @type {(prefix: string, dims: unknown) => Extent[]} */
function readOpenDims(prefix, dims) {
  if (!isList(dims)) wrongKind(prefix, `dims must be an array, got ${showClass(dims)}`);
  const extents = readOpenList(prefix, 'dims', dims);
  if (extents.some((extent) => !isOpen(extent) && (typeof extent === 'bigint' || extent < 0))) {
    wrongValue(prefix, `dims must hold whole numbers from 0 to ${Number.MAX_SAFE_INTEGER}, got ${showList(extents)}`);
  }
  if (extents.length > rankLimit)
    wrongValue(prefix, `dims must have at most ${rankLimit} entries, got ${extents.length}`);
  const size = product(extents);
  // No tensor is so large, and the rules count in exact numbers.
  if (!isOpen(size) && !Number.isSafeInteger(size)) {
    wrongValue(prefix, `dims must have at most ${Number.MAX_SAFE_INTEGER} elements, got ${showList(extents)}`);
  }
  return /** @type {Extent[]} */ (extents);
}

/** @type {(prefix: string, argument: string, value: unknown, dims: Extent[] | null) => (Whole | Open)[]} */
function readEntries(prefix, argument, value, dims) {
  if (!isList(value)) wrongKind(prefix, `${argument} value must be a list, got ${show(value)}`);
  const entries = readOpenList(prefix, argument, value);
  const length = dims && dims[0];
  if (typeof length === 'number' && length !== entries.length)
    wrongValue(prefix, `${argument} value must have dims[0] = ${length} entries, got ${entries.length}`);
  return entries;
}

/** Reads whole numbers among open entries; a message about them shows them alone. @type {(prefix: string, argument: string, list: Integers) => (Whole | Open)[]} */
function readOpenList(prefix, argument, list) {
  const entries = copyList(prefix, argument, list);
  const known = readList(
    prefix,
    argument,
    entries.filter((entry) => !isOpen(entry)),
  );
  let next = 0;
  return entries.map((entry) => (isOpen(entry) ? entry : known[next++]));
}
