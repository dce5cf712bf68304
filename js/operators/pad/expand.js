/** Expand and Tile: axes repeated. */
import { rangeError, showList, typeError } from '../../arguments/index.js';
import { rankLimit } from '../../tensor/index.js';
import * as core from '../core/index.js';

/** @import { CheckedTensor, DType, Dim, ExpandOptions, Input, Int64, IntegersLike, Naming, Open } from '../types.js' */
/** @import { Operator, Tensor, TensorInfo, TensorLike, TileOptions, TypeName } from '../types.js' */

/** @type {Operator<{ input?: TensorInfo, shape?: TensorInfo }, {}>} */
export const Expand = core.define({
  name: 'Expand',
  versions: { 8: 3, 13: 4 },
  inputs: [core.tensor('input'), core.integers('shape')],
  /** Plans the result, to whose dims those of the input and `shape` broadcast. */
  shape(_, _attributes, { dims }, shape) {
    if (!dims || !shape) return { dims: null };
    core.checkRank(Math.max(dims.length, shape.length), rankLimit);
    if (shape.some((/** @type {Dim} */ extent) => !core.isUnknown(extent) && extent < 0))
      rangeError(`shape entries must be at least 0, got ${showList(shape)}`);
    const refuse = () => rangeError(`shape must broadcast with dims ${showList(dims)}, got ${showList(shape)}`);
    return { dims: core.checkExtents(core.broadcastDims([dims, shape], refuse)) };
  },
  move: core.copied((source, { dims }) => core.expandAxes(source, core.checkSize(dims))),
});

/**
 * Expand: broadcasts the input and `shape` to one another, as NumPy does: extents of 1 are repeated on either side, and
 * the shorter of both gets axes in front.
 * @template {TypeName} T
 * @param {TensorLike<T>} input
 * @param {IntegersLike | Naming<ExpandOptions, 'shape'>} shape numbers, or an int64 tensor of rank 1
 * @param {ExpandOptions} [options]
 * @returns {Tensor<T>} with memory of its own, or over `out.data`
 * @example
 * expand({ type: 'uint8', data: Uint8Array.of(7, 8), dims: [2, 1] }, [3]).data; // Uint8Array [7, 7, 7, 8, 8, 8]
 */
export const expand = (input, shape, options) => core.runNamed(Expand, [input, shape], options);

/** The first version with `repeats`. Tile-1 has `tiles` and `axis` in their place: two numbers of the input's type. */
const firstOfRepeats = 6;

const listOfRepeats = core.integers('repeats');

/** The input `repeats`, a list with a number for each axis; in a node of Tile-1, `tiles`, which stands in its place.
 * @type {Input} */
const repeats = {
  ...listOfRepeats,
  /** Reads the repeats of a call; for Tile-1, makes them of its inputs `tiles` and `axis`. */
  read(input, call, value, options, values) {
    if (call.schema.since >= firstOfRepeats) return listOfRepeats.read(input, call, value, options, values);
    const [data, _tiles, axis] = values;
    // A call without an axis means the repeats of newer versions.
    if (core.isOmitted(axis)) typeError(`repeats needs opset ${firstOfRepeats}, got opset ${call.opset}`);
    return readRepeatsOfTile1(data, value, axis);
  },
  /** Reads what inference knows of the repeats: for Tile-1 nothing, because ONNX infers no shape of it. */
  known: (_, { schema }, known) =>
    schema.since < firstOfRepeats ? null : core.readKnownIntegers('repeats', known, core.int64Only),
};

/** Reads the inputs of Tile-1 as the repeats of later versions: `tiles` along one axis, and 1 along the others.
 * @type {(data: CheckedTensor, tilesInput: unknown, axisInput: unknown) => Int64[]} */
function readRepeatsOfTile1({ dtype, dims }, tilesInput, axisInput) {
  const tiles = readOneNumber('tiles', tilesInput, dtype);
  const axis = readOneNumber('axis', axisInput, dtype);
  if (tiles < 0) rangeError(`tiles must be at least 0, got ${tiles}`);
  if (!(axis >= 0 && axis < dims.length)) rangeError(`axis must be in [0, ${dims.length - 1}], got ${axis}`);
  return dims.map((_, i) => (i === Number(axis) ? tiles : 1));
}

/** Reads one whole number: itself, or a tensor of one element of the type `dtype`.
 * @type {(name: string, value: unknown, dtype: DType) => Int64} */
function readOneNumber(name, value, dtype) {
  const list = core.readIntegersOfType(name, value, dtype);
  return list.length === 1 ? list[0] : rangeError(`${name} must be one number, got ${showList(list)}`);
}

/** @type {Operator<{ input?: TensorInfo, repeats?: TensorInfo, tiles?: TensorInfo, axis?: TensorInfo }, {}>} */
export const Tile = core.define({
  name: 'Tile',
  versions: { 1: 1, 6: 3, 13: 4 },
  inputs: [core.tensor('input'), repeats],
  firstInputs: ['input', 'tiles', 'axis'],
  /** Plans the result: each extent times its repeats, and `counts`, the repeats as numbers for the move. */
  shape(_, _attributes, { dims }, repeatsInput) {
    if (!dims) return { dims };
    if (!repeatsInput) return { dims: dims.map(() => null) };
    if (repeatsInput.length !== dims.length)
      rangeError(`repeats must have one entry for each axis, ${dims.length}, got ${showList(repeatsInput)}`);
    if (repeatsInput.some((/** @type {Int64 | Open} */ count) => !core.isUnknown(count) && count < 0))
      rangeError(`repeats must be at least 0, got ${showList(repeatsInput)}`);
    const tiledDims = new Array(dims.length);
    const counts = new Array(dims.length);
    for (let i = 0; i < dims.length; i++) {
      counts[i] = Number(repeatsInput[i]);
      // As ONNX infers it, a symbol is lost even where it is repeated once.
      const isKnown = !core.isUnknown(dims[i]) && !core.isUnknown(repeatsInput[i]);
      tiledDims[i] = isKnown ? dims[i] * counts[i] : null;
    }
    return { dims: core.checkExtents(tiledDims), counts };
  },
  move: core.copied((source, { dims, counts }) => core.repeatAxes(source, counts, core.checkSize(dims))),
  /** Gives the dims that ONNX's own inference gives: none for Tile-1. */
  inferred: ({ dims }, { schema }) => (schema.since < firstOfRepeats ? null : dims),
});

/**
 * Tile: the input repeated along each axis, `repeats` times. Tile-1, which repeats one axis, is for nodes of models.
 * @template {TypeName} T
 * @param {TensorLike<T>} input
 * @param {IntegersLike | Naming<TileOptions, 'repeats'>} repeats one number for each axis, 0 or more, or an int64
 *   tensor of rank 1
 * @param {TileOptions} [options]
 * @returns {Tensor<T>} with memory of its own, or over `out.data`
 * @example
 * tile({ type: 'uint8', data: Uint8Array.of(1, 2), dims: [1, 2] }, [2, 2]).data; // Uint8Array [1, 2, 1, 2, 1, 2, 1, 2]
 */
export const tile = (input, repeats, options) => core.runNamed(Tile, [input, repeats], options);
