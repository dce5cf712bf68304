/** One matrix of weights packed as com.microsoft's MatMulNBits has it, and back. */
import * as args from '../../arguments/index.js';
import { columnBytes, convertBytes, numbersAs, ready } from '../../engines/tensors/index.js';
import { dequantizeLinear, slice, transpose } from '../../operators/index.js';
import { dtypes, newData, readWholeTensor, tensorOf } from '../../tensor/index.js';

/** @import { ColumnRule, Columns } from '../../engines/tensors/types.js' */
/** @import { TensorData } from '../../tensor/types.js' */
/** @import { CheckedTensor, DType, Tensor, TensorLike } from '../../tensor/index.js' */
/** @import { MatMulNBits, Packing, PackOptions } from './types.js' */

export const weightTypes = Object.freeze(['float32', 'float16', 'bfloat16']);
const readWidth = args.numberFrom([2, 4, 8], 4);
export const blockSizes = Object.freeze([16, 32, 64, 128, 256]);
const readBlockSize = args.numberFrom(blockSizes, 32);
/** How weights are packed. */
export const packTable = { bits: readWidth, blockSize: readBlockSize, symmetric: args.flag(false) };

/**
 * Packs a matrix of weights for com.microsoft's MatMulNBits-1, with the bytes of onnxruntime's
 * `DefaultWeightOnlyQuantConfig`.
 *
 * Each column is cut into blocks of `blockSize` rows, which share a scale and a zero point. Their codes cover the
 * block's range and 0. With `symmetric` the zero point is the middle code, and codes cover the block's greatest
 * magnitude. A number becomes the code `round(w / scale + zero point)`, where it is multiplied by the reciprocal of
 * the scale and halves are rounded up. The last block of a column may have fewer rows: the bits of rows that are not
 * there are 0. The last byte of a column's zero points is filled with the middle code.
 * @param {TensorLike} weights [K, N], of float32, float16 or bfloat16
 * @param {PackOptions} [options]
 * @returns {MatMulNBits}
 * @example
 * const data = Float32Array.from({ length: 32 }, (_, i) => i % 16);
 * const { B } = packMatMulNBits({ type: 'float32', data, dims: [32, 1] }, { bits: 4, blockSize: 16 });
 * B.dims; // [1, 2, 8]
 */
export function packMatMulNBits(weights, options) {
  return args.named('packMatMulNBits', () => {
    ready();
    const { bits, blockSize: block, symmetric } = args.readTable(options, packTable);
    const packing = { bits, block, symmetric };
    const matrix = readWholeTensor('weights', weights, weightCheck());
    if (matrix.dims.length !== 2) args.rangeError(`weights must have two axes, got dims ${args.showList(matrix.dims)}`);
    return nBitsOf(matrix, columnsOf('weights', matrix, nBitsRule(packing)), packing);
  });
}

/** Makes the check that refuses weights of other types than float32, float16 and bfloat16.
 * @type {() => (dtype: DType) => void} */
const weightCheck =
  () =>
  ({ name }) => {
    if (!weightTypes.includes(name)) args.typeError(`weights must be float32, float16 or bfloat16, got ${name}`);
  };

/** Quantizes the columns of a matrix in blocks of rows: codes, scales and zero points, in the order of the matrix.
 * Refuses numbers that are not finite; `name` is that of the matrix in the message.
 * @type {(name: string, weights: CheckedTensor, rule: ColumnRule) => Columns} */
export function columnsOf(name, { dtype, data, size, dims }, rule) {
  return (
    // numbersAs of the same type views the data in the type's own array class.
    columnBytes(dtype, numbersAs(dtype, dtype, size, data), dims[0], dims[1], rule) ??
    args.rangeError(`${name} must hold finite numbers, got NaN or an infinity`)
  );
}

/** Describes how MatMulNBits' columns are quantized: unsigned codes of which several share a byte, the zero point added
 * before the sum is rounded, the middle code as the zero point of symmetric codes. Errors are not summed.
 * @type {(packing: Packing) => ColumnRule} */
export const nBitsRule = (packing) => ({
  ...{ ...packing, after: true, joined: true, measured: false, lowest: 0, zero: 2 ** (packing.bits - 1) },
});

/** Makes the tensors of MatMulNBits for a matrix [K, N]. `columns` has codes [bytes of a column, N], scales and zero
 * points [blocks of a column, N]: all are transposed, so that N is their first axis.
 * @type {(weights: CheckedTensor, columns: Columns, packing: Packing) => MatMulNBits} */
export function nBitsOf({ dtype, dims }, { codes, scales, zeros }, { bits, block, symmetric }) {
  const [K, N] = dims;
  const middle = 2 ** (bits - 1);
  // Blocks of a column, and bytes of the codes of a block.
  const count = Math.ceil(K / block);
  const bytes = (block * bits) / 8;
  const B = transposed(dtypes.uint8, codes, count * bytes, N);
  const scaleData = numbersAs(dtypes.float32, dtype, scales.length, transposed(dtypes.float32, scales, count, N));
  return {
    B: tensorOf(dtypes.uint8, B, [N, count, bytes]),
    scales: tensorOf(dtype, scaleData, [N, count]),
    ...(!symmetric && { zero_points: zeroPoints(zeros, { count, N, bits, middle }) }),
    ...{ K, N, bits, block_size: block },
  };
}

/** Transposes a matrix [rows, columns], and gives its data.
 * @type {(dtype: DType, data: ArrayBufferView, rows: number, columns: number) => TensorData} */
const transposed = (dtype, data, rows, columns) =>
  transpose({ type: dtype.name, data, dims: [rows, columns] }, { strict: false }).data;

/** The unsigned types of each width. */
export const unsigned = Object.freeze({ 2: dtypes.uint2, 4: dtypes.uint4, 8: dtypes.uint8 });

/** Packs codes of one byte each to `bits` bits each, in their order, the first one in the lowest bits. 8 bits are not
 * copied.
 * @type {(bits: number, codes: Uint8Array) => Uint8Array} */
export function packed(bits, codes) {
  if (bits === 8) return codes;
  const to = unsigned[/** @type {2 | 4} */ (bits)];
  const result = newData(to, codes.length, undefined);
  convertBytes(dtypes.uint8, to, codes.length, codes, result);
  return result;
}

/** Packs zero points [count, N], one byte each, to [N, bytes], `bits` bits each. The last byte of a column is filled
 * with the middle code.
 * @type {(zeros: Uint8Array, packing: { count: number, N: number, bits: number, middle: number }) => Tensor} */
function zeroPoints(zeros, { count, N, bits, middle }) {
  const bytes = Math.ceil((count * bits) / 8);
  // The number of zero points that whole bytes hold.
  const wide = (bytes * 8) / bits;
  const padded = newData(dtypes.uint8, wide * N, undefined).fill(middle);
  padded.set(zeros);
  return tensorOf(dtypes.uint8, packed(bits, transposed(dtypes.uint8, padded, wide, N)), [N, bytes]);
}

/**
 * The weights that MatMulNBits multiplies by: `(code - zero point) * scale`, as float32, rounded to the scales' type.
 * @param {{ B: TensorLike, scales: TensorLike, zero_points?: TensorLike, K: number, N: number, bits: number,
 *   block_size: number }} packedWeights what `packMatMulNBits` gives; zero points are packed
 * @returns {Tensor} [K, N]
 * @example
 * const packedWeights = packMatMulNBits({ type: 'float32', data: new Float32Array(16).fill(3), dims: [16, 1] });
 * unpackMatMulNBits(packedWeights).data[0]; // 3
 */
export function unpackMatMulNBits(packedWeights) {
  return args.named('unpackMatMulNBits', () => {
    ready();
    if (typeof packedWeights !== 'object' || packedWeights === null)
      args.typeError(`packedWeights must be an object, got ${args.show(packedWeights)}`);
    const { B, scales, zero_points: zeros, K, N, bits, block_size } = packedWeights;
    const width = readWidth('bits', bits);
    const block = readBlockSize('block_size', block_size);
    const [rows, columns] = [readExtent('K', K), readExtent('N', N)];
    const count = Math.ceil(rows / block);
    const bytes = readShaped('B', B, ['uint8'], [columns, count, (block * width) / 8]);
    const scale = readShaped('scales', scales, weightTypes, [columns, count]);
    const zeroBytes = Math.ceil((count * width) / 8);
    const zero = zeros === undefined ? undefined : readShaped('zero_points', zeros, ['uint8'], [columns, zeroBytes]);
    const type = unsigned[/** @type {2 | 4 | 8} */ (width)];
    const codes = tensorOf(type, args.bytesOf(bytes.data), [columns, count * block]);
    // The last byte of a column may hold zero points of no block, which are cut off. Without zero points they are the
    // middle code.
    const points = zero
      ? firstColumns(tensorOf(type, args.bytesOf(zero.data), [columns, (zeroBytes * 8) / width]), count)
      : tensorOf(type, middles(type, columns * count), [columns, count]);
    const factors = tensorOf(scale.dtype, scale.data, [columns, count]);
    const numbers = dequantizeLinear(codes, factors, points, { axis: 1, block_size: block });
    // Without the rows that fill the last block.
    return transpose(firstColumns(numbers, rows));
  });
}

/** Gives the first `count` columns of a matrix.
 * @type {(tensor: Tensor, count: number) => Tensor} */
const firstColumns = (tensor, count) =>
  tensor.dims[1] === count ? tensor : slice(tensor, [0], [count], [1], { strict: false });

/** Makes packed codes that are all the middle one.
 * @type {(type: DType, size: number) => Uint8Array} */
const middles = (type, size) => {
  const middle = 2 ** (type.bits - 1);
  // A byte full of codes: 255 / (2^bits - 1) has a 1 in the lowest bit of each.
  return newData(type, size, undefined).fill((middle * 255) / (2 ** type.bits - 1));
};

/** Reads an extent: a safe integer from 0. @type {(name: string, value: unknown) => number} */
function readExtent(name, value) {
  const extent = args.readWhole(name, value);
  return extent >= 0 && Number.isSafeInteger(extent)
    ? Number(extent)
    : args.rangeError(`${name} must be a whole number from 0, got ${extent}`);
}

/** Reads a tensor whose dtype is one of `types` and whose dims are `dims`.
 * @type {(name: string, value: unknown, types: readonly string[], dims: readonly number[]) => CheckedTensor} */
function readShaped(name, value, types, dims) {
  const tensor = readWholeTensor(name, value, (dtype) => {
    if (!types.includes(dtype.name)) args.typeError(`${name} must be ${types.join(' or ')}, got ${dtype.name}`);
  });
  const fits = tensor.dims.length === dims.length && tensor.dims.every((extent, i) => extent === dims[i]);
  return fits
    ? tensor
    : args.rangeError(`${name} dims must be ${args.showList(dims)}, got ${args.showList(tensor.dims)}`);
}
