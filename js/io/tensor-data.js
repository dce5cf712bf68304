/** A file's bytes as a tensor's data, and back. Files and tensors are both little-endian. */
import { arrayClasses, bytesOf, rangeError, showList } from '../arguments/index.js';
import { checkData, readDims, readTensor, sizeOf, tensorOf } from '../tensor/index.js';
import { copyOf } from './bytes.js';

/** @import { TypedArrayClass } from '../arguments/types.js' */
/** @import { CheckedTensor, DType, Tensor } from '../tensor/index.js' */
/** @import { TensorData } from '../tensor/types.js' */

/** Views bytes as a tensor's data, a typed array of the dtype's class; copies them first if they do not begin at a
 * multiple of its entries' bytes.
 * @type {(dtype: DType, bytes: Uint8Array) => TensorData} */
export function dataOver(dtype, bytes) {
  const ArrayClass = /** @type {TypedArrayClass} */ (arrayClasses[dtype.array]);
  const step = ArrayClass.BYTES_PER_ELEMENT;
  if (bytes.length % step !== 0)
    rangeError(`${dtype.name} data must be a multiple of ${step} bytes, got ${bytes.length}`);
  const isAligned = bytes.byteOffset % step === 0;
  const { buffer, byteOffset, length } = isAligned ? bytes : copyOf(bytes);
  return new ArrayClass(buffer, byteOffset, length / step);
}

/** Refuses a tensor's data in a file that have more or fewer bytes than its dims ask for, and gives its size in
 * elements. `label`: the tensor's name in messages, with a space behind it, or empty.
 * @type {(label: string, dtype: DType, dims: readonly (number | bigint)[], bytes: number) => number} */
export function checkBytes(label, dtype, dims, bytes) {
  const size = sizeOf(readDims(dims));
  const expected = Math.ceil((size * dtype.bits) / 8);
  if (expected !== bytes)
    rangeError(`${label}must have ${bytesOfDims(dtype, dims)} bytes for ${dtype.name} ${showList(dims)}, got ${bytes}`);
  return size;
}

/** Computes the bytes that a tensor of these dims takes, rounded up. As a bigint, because messages show it for any
 * dims.
 * @type {(dtype: DType, dims: readonly (number | bigint)[]) => bigint} */
function bytesOfDims(dtype, dims) {
  let bits = BigInt(dtype.bits);
  for (const extent of dims) bits *= BigInt(extent);
  return (bits + 7n) / 8n;
}

/** Makes a tensor of data in memory, and refuses data that do not have the length of the dims.
 * @type {(dtype: DType, dims: readonly (number | bigint)[], data: unknown) => Tensor} */
export function tensorFrom(dtype, dims, data) {
  const tensor = readTensor('tensor', { type: dtype.name, dims, data });
  checkData(tensor);
  return tensorOf(dtype, data, tensor.dims);
}

/** Gives the bytes of a tensor as a file has them: those of its data, or a copy where the bits behind the last packed
 * element must become zero.
 * @type {(tensor: CheckedTensor) => Uint8Array} */
export function rawBytes({ dtype, size, data }) {
  const bytes = bytesOf(data);
  const bitsInLastByte = (size * dtype.bits) % 8;
  const fillsBytes = bitsInLastByte === 0;
  if (fillsBytes) return bytes;
  const copy = copyOf(bytes);
  const usedBits = (1 << bitsInLastByte) - 1;
  copy[copy.length - 1] &= usedBits;
  return copy;
}
