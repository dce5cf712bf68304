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
    const matrix = readWholeTensor('weights', weights, checkWeightType);
    if (matrix.dims.length !== 2) args.rangeError(`weights must have two axes, got dims ${args.showList(matrix.dims)}`);
    const columns = columnsOf('weights', matrix, nBitsRule(packing));
    return nBitsOf(matrix, columns, packing);
  });
}

/** @type {(dtype: DType) => void} */
const checkWeightType = ({ name }) => {
  if (!weightTypes.includes(name)) args.typeError(`weights must be float32, float16 or bfloat16, got ${name}`);
};

/** Quantizes the columns of a matrix in blocks of rows. Gives codes, scales and zero points, each as a matrix with the
 * same columns. `name`: of the matrix in messages.
 * @type {(name: string, weights: CheckedTensor, rule: ColumnRule) => Columns} */
export function columnsOf(name, { dtype, data, size, dims: [rows, columns] }, rule) {
  // To the same type, numbersAs converts nothing: it views the data as an array of the type's own class.
  const numbers = numbersAs(dtype, dtype, size, data);
  return (
    columnBytes(dtype, numbers, rows, columns, rule) ??
    args.rangeError(`${name} must hold finite numbers, got NaN or an infinity`)
  );
}

/** Gives the rule by which MatMulNBits quantizes columns: unsigned codes of which several share a byte (`joined`),
 * rounded after the zero point is added (`after`), with the middle code as the zero point of symmetric ones (`zero`).
 * @type {(packing: Packing) => ColumnRule} */
export const nBitsRule = (packing) => ({
  ...packing,
  after: true,
  joined: true,
  measured: false,
  lowest: 0,
  zero: middleCode(packing.bits),
});

/** Makes the tensors of MatMulNBits for a matrix [K, N] from its codes [bytes of a column, N], and its scales and zero
 * points [blocks of a column, N]. All are transposed, so that N is their first axis.
 * @type {(weights: CheckedTensor, columns: Columns, packing: Packing) => MatMulNBits} */
export function nBitsOf({ dtype, dims }, { codes, scales, zeros }, { bits, block, symmetric }) {
  const [K, N] = dims;
  const blocks = Math.ceil(K / block);
  const blockBytes = (block * bits) / 8;
  const B = transposed(dtypes.uint8, codes, blocks * blockBytes, N);
  const float32Scales = transposed(dtypes.float32, scales, blocks, N);
  const scaleData = numbersAs(dtypes.float32, dtype, float32Scales.length, float32Scales);
  return {
    B: tensorOf(dtypes.uint8, B, [N, blocks, blockBytes]),
    scales: tensorOf(dtype, scaleData, [N, blocks]),
    ...(!symmetric && { zero_points: packedZeroPoints(zeros, { blocks, N, bits }) }),
    K,
    N,
    bits,
    block_size: block,
  };
}

/** Transposes a matrix of any type. @type {(dtype: DType, data: ArrayBufferView, rows: number, columns: number) =>
 *   TensorData} */
const transposed = (dtype, data, rows, columns) =>
  transpose({ type: dtype.name, data, dims: [rows, columns] }, { strict: false }).data;

export const unsigned = Object.freeze({ 2: dtypes.uint2, 4: dtypes.uint4, 8: dtypes.uint8 });

/** Packs codes of one byte each to `bits` bits each, in their order, the first one in the lowest bits. 8 bits are not
 * copied.
 * @type {(bits: number, codes: Uint8Array) => Uint8Array} */
export function packedCodes(bits, codes) {
  if (bits === 8) return codes;
  const to = unsigned[/** @type {2 | 4} */ (bits)];
  const result = newData(to, codes.length, undefined);
  convertBytes(dtypes.uint8, to, codes.length, codes, result);
  return result;
}

/** Packs zero points [blocks, N], one byte each, to [N, bytes]; middle codes fill the last byte of a column.
 * @type {(zeros: Uint8Array, packing: { blocks: number, N: number, bits: number }) => Tensor} */
function packedZeroPoints(zeros, { blocks, N, bits }) {
  const bytes = Math.ceil((blocks * bits) / 8);
  const paddedBlocks = (bytes * 8) / bits;
  const padded = newData(dtypes.uint8, paddedBlocks * N, undefined).fill(middleCode(bits));
  padded.set(zeros);
  const columnByColumn = transposed(dtypes.uint8, padded, paddedBlocks, N);
  return tensorOf(dtypes.uint8, packedCodes(bits, columnByColumn), [N, bytes]);
}

const middleCode = (/** @type {number} */ bits) => 2 ** (bits - 1);

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
    const blocks = Math.ceil(rows / block);
    const codeBytes = readShaped('B', B, ['uint8'], [columns, blocks, (block * width) / 8]);
    const scale = readShaped('scales', scales, weightTypes, [columns, blocks]);
    const zeroBytesOfColumn = Math.ceil((blocks * width) / 8);
    const zeroBytes =
      zeros === undefined ? undefined : readShaped('zero_points', zeros, ['uint8'], [columns, zeroBytesOfColumn]);
    const type = unsigned[/** @type {2 | 4 | 8} */ (width)];
    // The bytes of packed codes, seen as a tensor of 2, 4 or 8 bits.
    const codes = tensorOf(type, args.bytesOf(codeBytes.data), [columns, blocks * block]);
    // The last byte of a column may hold zero points of no block, which are cut off.
    const paddedBlocks = (zeroBytesOfColumn * 8) / width;
    const zeroPointsOrMiddle = zeroBytes
      ? firstColumns(tensorOf(type, args.bytesOf(zeroBytes.data), [columns, paddedBlocks]), blocks)
      : tensorOf(type, middleCodes(type, columns * blocks), [columns, blocks]);
    const factors = tensorOf(scale.dtype, scale.data, [columns, blocks]);
    const numbers = dequantizeLinear(codes, factors, zeroPointsOrMiddle, { axis: 1, block_size: block });
    // Rows beyond K fill the last block of each column.
    return transpose(firstColumns(numbers, rows));
  });
}

/** Cuts a matrix to its first `count` columns. @type {(tensor: Tensor, count: number) => Tensor} */
function firstColumns(tensor, count) {
  const [, columns] = tensor.dims;
  if (columns === count) return tensor;
  const [starts, ends, axes] = [[0], [count], [1]];
  return slice(tensor, starts, ends, axes, { strict: false });
}

/** Makes packed codes that are all the middle one.
 * @type {(type: DType, size: number) => Uint8Array} */
const middleCodes = (type, size) => {
  const { bits } = type;
  // A byte with a 1 in the lowest bit of each of its codes, as 0b0001_0001.
  const oneInEach = 255 / (2 ** bits - 1);
  return newData(type, size, undefined).fill(middleCode(bits) * oneInEach);
};

/** Reads a number of rows or columns. @type {(name: string, value: unknown) => number} */
function readExtent(name, value) {
  const extent = args.readWhole(name, value);
  return extent >= 0 && Number.isSafeInteger(extent)
    ? Number(extent)
    : args.rangeError(`${name} must be a whole number from 0, got ${extent}`);
}

/** Reads a tensor that must have one of the types, and the dims.
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
