/** Shape and Size: the dims of a tensor, and the number of its elements, as tensors. */
import { checkLength, dtypes, tensorOf } from '../../tensor/index.js';
import { callOperator, define, fromDims, product, tensor, integer } from '../core/index.js';

/** @import { CallOptions, Operator, ShapeAttributes, Tensor, TensorInfo, TensorLike } from '../types.js' */

/** @type {Operator<{ data?: TensorInfo }, ShapeAttributes>} */
export const Shape = define({
  name: 'Shape',
  versions: { 1: 3, 13: 4, 15: 4, 19: 9, 21: 10, 23: 11, 24: 12, 25: 13 },
  inputs: [tensor('data')],
  attributes: { start: integer(0, { since: 15 }), end: integer(undefined, { since: 15 }) },
  /** Plans a list of `extents`; their number is null where the rank is unknown. */
  shape(_, { start, end }, { dims }) {
    // A slice of an array counts from the back and clamps as ONNX does.
    const extents = dims && dims.slice(Number(start), end === undefined ? undefined : Number(end));
    const count = extents && extents.length;
    return { dims: [count], dtype: dtypes.int64, extents };
  },
  /** Makes an int64 list of the extents. The data are not read, but must have the length that their dims say. */
  move: fromDims(({ dims, extents }, [source]) => {
    checkLength(source);
    return tensorOf(dtypes.int64, BigInt64Array.from(extents, BigInt), dims);
  }),
  value: ({ extents }) => extents ?? undefined,
});

/**
 * Shape: the extents of the data from axis `start` up to, not including, axis `end`. Both may count from the back, and
 * both are clamped to the axes that there are.
 * @param {TensorLike} data
 * @param {ShapeAttributes & CallOptions} [options]
 * @returns {Tensor<'int64'>} int64, of rank 1
 * @example
 * shape({ type: 'uint8', data: new Uint8Array(24), dims: [2, 3, 4] }, { start: -2 }).data; // BigInt64Array [3n, 4n]
 */
export const shape = (data, options) => callOperator(Shape, [data], options);

/** @type {Operator<{ data?: TensorInfo }, {}>} */
export const Size = define({
  name: 'Size',
  versions: { 1: 3, 13: 4, 19: 9, 21: 10, 23: 11, 24: 12, 25: 13 },
  inputs: [tensor('data')],
  /** Plans a scalar. `count`: the number of elements as far as inference knows it, or null. */
  shape: (_call, _, { dims }) => ({ dims: [], dtype: dtypes.int64, count: dims && product(dims) }),
  /** Makes an int64 scalar. The data are not read, but must have the length that their dims say. */
  move: fromDims((_, [source]) => {
    checkLength(source);
    return tensorOf(dtypes.int64, BigInt64Array.of(BigInt(source.size)), []);
  }),
  value: ({ count }) => count ?? undefined,
});

/**
 * Size: the number of elements, 1 for a scalar.
 * @param {TensorLike} data
 * @param {CallOptions} [options]
 * @returns {Tensor<'int64'>} an int64 scalar
 * @example
 * size({ type: 'uint8', data: new Uint8Array(6), dims: [2, 3] }).data; // BigInt64Array [6n]
 */
export const size = (data, options) => callOperator(Size, [data], options);
