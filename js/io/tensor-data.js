/** A file's bytes as a tensor's data, and back. Files and tensors are both little-endian. */
import { arrayClasses, bytesOf, rangeError, showList } from '../arguments/index.js';
import { checkData, readDims, readTensor, sizeOf, tensorOf } from '../tensor/index.js';
import { copyOf } from './bytes.js';

/** @import { DType, CheckedTensor, Tensor } from '../tensor/index.js' */

/**
 * Bytes as an array of the dtype's class.
 * @param {DType} dtype
 * @param {Uint8Array} bytes
 * @returns {any} shares the bytes where they are aligned, else a copy
 */
export function dataOver(dtype, bytes) {
  const ArrayClass = arrayClasses[dtype.array];
  const step = ArrayClass.BYTES_PER_ELEMENT;
  if (bytes.length % step !== 0)
    rangeError(`${dtype.name} data must be a multiple of ${step} bytes, got ${bytes.length}`);
  const { buffer, byteOffset, length } = bytes.byteOffset % step === 0 ? bytes : copyOf(bytes);
  return new ArrayClass(buffer, byteOffset, length / step);
}

/**
 * Checks how many bytes a file has for a tensor, without its data.
 * @param {string} label of the tensor, at the beginning of messages
 * @param {DType} dtype
 * @param {readonly (number | bigint)[]} dims as the file has them
 * @param {number} bytes
 * @returns {number} the tensor's size in elements
 * @throws {RangeError} dims that no tensor has, or that need another number of bytes
 */
export function checkBytes(label, dtype, dims, bytes) {
  const size = sizeOf(readDims(dims));
  const expected = Math.ceil((size * dtype.bits) / 8);
  if (expected !== bytes)
    rangeError(`${label}must have ${bytesOfDims(dtype, dims)} bytes for ${dtype.name} ${showList(dims)}, got ${bytes}`);
  return size;
}

/** @type {(dtype: DType, dims: readonly (number | bigint)[]) => bigint} */
const bytesOfDims = ({ bits }, dims) =>
  (dims.reduce((/** @type {bigint} */ product, extent) => product * BigInt(extent), BigInt(bits)) + 7n) / 8n;

/**
 * A tensor whose dims come from a file, and so may be wrong.
 * @param {DType} dtype
 * @param {readonly (number | bigint)[]} dims
 * @param {any} data
 * @returns {Tensor}
 */
export function tensorFrom(dtype, dims, data) {
  const parts = readTensor('tensor', { type: dtype.name, dims, data });
  checkData(parts);
  return tensorOf(dtype, data, parts.dims);
}

/**
 * A tensor's bytes as files have them: the tail bits of a packed type are zero.
 * @param {CheckedTensor} parts
 * @returns {Uint8Array} shares the data, unless there are tail bits
 */
export function rawBytes({ dtype, size, data }) {
  const bytes = bytesOf(data);
  const tail = (size * dtype.bits) % 8;
  if (tail === 0) return bytes;
  const copy = copyOf(bytes);
  copy[copy.length - 1] &= (1 << tail) - 1;
  return copy;
}
