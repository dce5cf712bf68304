/** Tile: a tensor repeated along its axes. */
import { isList, rangeError, showList, typeError } from '../arguments/index.js';
import { checkKeys } from './call.js';
import { callView } from './copy.js';
import { checkExtents, checkSize, isUnknown } from './extents.js';
import { int64Only, isOmitted, readIntegers, readKnownIntegers, readOfType } from './integers.js';
import { readKnown } from './tensor-info.js';
import { operator } from './operator.js';
import { repeatAxes } from './view.js';

/** @import { Int64 } from '../arguments/index.js' */
/** @import { DType, Tensor, TensorLike } from '../tensor/index.js' */
/** @import { CallOptions } from './call.js' */
/** @import { Dim, Open } from './extents.js' */
/** @import { IntegersLike } from './integers.js' */
/** @import { TensorInfo } from './tensor-info.js' */
/** @import { Call, Operator } from './operator.js' */

/**
 * @typedef {object} Results
 * @property {TensorLike} [out] a tensor of the result's type and dims to write to, its memory apart from the input's
 */

/** Before it, one axis was tiled, and both numbers were of the input's type. */
const firstOfRepeats = 6;

/** @type {Operator<{ input?: TensorInfo, repeats?: TensorInfo, tiles?: TensorInfo, axis?: TensorInfo }, {}>} */
export const Tile = operator({
  name: 'Tile',
  versions: [
    [1, 1],
    [6, 3],
    [13, 4],
  ],
  inputs: ['input', 'repeats'],
  firstInputs: ['input', 'tiles', 'axis'],
  infer(call, inputs, options) {
    const { dtype, dims } = readKnown('input', inputs.input, call.checkType);
    checkKeys(call, options);
    // ONNX infers no shape of Tile-1.
    if (call.schema.since < firstOfRepeats) return { type: dtype.name, dims: null };
    const repeats = readKnownIntegers('repeats', inputs.repeats, int64Only);
    if (dims === null) return { type: dtype.name, dims };
    return { type: dtype.name, dims: tileDims(dims, repeats ?? dims.map(() => null)) };
  },
  run: ([input, repeats, axis], options) => tile(input, repeats, ...(isOmitted(axis) ? [options] : [axis, options])),
  view(call, source, [repeats, axis], options, dtype) {
    checkKeys(call, options, 'out');
    const { schema } = call;
    checkNoAxis(call, axis);
    const counts =
      schema.since < firstOfRepeats
        ? oneAxisRepeats(source.dims.length, repeats, axis, dtype)
        : readIntegers('repeats', repeats, int64Only);
    const dims = checkSize(/** @type {number[]} */ (tileDims(source.dims, counts)));
    return repeatAxes(source, counts.map(Number), dims);
  },
});

/**
 * Tile: the input repeated along each axis, `repeats` times.
 *
 * ONNX Tile-1, 6, 13. Tile-1 repeats one axis: its inputs are two numbers of the input's type, or tensors of one
 * element, `tile(input, tiles, axis, options)`.
 * @param {TensorLike} input
 * @param {IntegersLike} repeats one number for each axis, 0 or more, or an int64 tensor of rank 1
 * @param {(Results & CallOptions) | IntegersLike} [options] or, at opset 1 to 5, the axis; then the options follow
 * @param {Results & CallOptions} [further]
 * @returns {Tensor} with memory of its own, or over `out.data`
 * @throws {TypeError} no tensor, a type that the version does not take, an unknown option, repeats of another type or
 *   rank
 * @throws {RangeError} not one number for each axis, a negative one, out does not fit or overlaps, out of memory
 * @throws {Error} before `init()`
 * @example
 * tile({ type: 'uint8', data: Uint8Array.of(1, 2), dims: [1, 2] }, [2, 2]).data; // Uint8Array [1, 2, 1, 2, 1, 2, 1, 2]
 */
export function tile(input, repeats, options, further) {
  const isAxis = typeof options === 'number' || typeof options === 'bigint' || isList(options) || isTensor(options);
  const bag = isAxis || options === undefined ? further : options;
  return callView(Tile, input, [repeats, isAxis ? options : undefined], bag);
}

/** @type {(value: any) => boolean} */
const isTensor = (value) => typeof value === 'object' && value !== null && 'data' in value;

/**
 * @param {Call} call
 * @param {unknown} axis
 */
function checkNoAxis({ schema, opset }, axis) {
  if (schema.since >= firstOfRepeats && !isOmitted(axis))
    typeError(`axis is an input before opset ${firstOfRepeats} only, got it at opset ${opset}`);
}

/**
 * The repeats that Tile-1 asks for.
 * @param {number} rank
 * @param {unknown} tiles
 * @param {unknown} axis
 * @param {DType} dtype of the data, which both are of
 * @returns {Int64[]}
 */
function oneAxisRepeats(rank, tiles, axis, dtype) {
  const [count, at] = [readOfType('tiles', tiles, dtype), readOfType('axis', axis, dtype)];
  if (count.length !== 1) rangeError(`tiles must be one number, got ${showList(count)}`);
  if (count[0] < 0) rangeError(`tiles must be at least 0, got ${count[0]}`);
  if (at.length !== 1) rangeError(`axis must be one number, got ${showList(at)}`);
  if (!(at[0] >= 0 && at[0] < rank)) rangeError(`axis must be in [0, ${rank - 1}], got ${at[0]}`);
  return Array.from({ length: rank }, (_, i) => (i === Number(at[0]) ? count[0] : 1));
}

/**
 * The shape rule.
 * @param {readonly Dim[]} dims
 * @param {readonly (Int64 | Open)[]} repeats
 * @returns {Dim[]}
 */
function tileDims(dims, repeats) {
  if (repeats.length !== dims.length)
    rangeError(`repeats must have one entry for each axis, ${dims.length}, got ${showList(repeats)}`);
  if (repeats.some((count) => !isUnknown(count) && count < 0))
    rangeError(`repeats must be at least 0, got ${showList(repeats)}`);
  return checkExtents(
    dims.map((extent, i) => {
      const count = repeats[i];
      // As ONNX infers it, a symbol is lost even where it is repeated once.
      return isUnknown(extent) || isUnknown(count) ? null : extent * Number(count);
    }),
  );
}
