/** What the file formats share: bytes that become a tensor's data and back, and text in messages. */
import { arrayClasses, bytesOf, show, showClass, typedArrayName, wrongKind, wrongValue } from '../arguments/index.js';
import { checkData, checkRoom, dtypes, newData, readTensor, readWholeTensor, tensorOf } from '../tensor/index.js';

/** @import { DType, Parts, Tensor } from '../tensor/index.js' */

const noBytes = new Uint8Array(0);
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A file's bytes, without a subclass' methods: Buffer's `slice` does not copy. @type {(prefix: string, bytes: unknown) => Uint8Array} */
export function readBytes(prefix, bytes) {
  if (typedArrayName(bytes) !== 'Uint8Array') wrongKind(prefix, `bytes must be a Uint8Array, got ${showClass(bytes)}`);
  return bytesOf(/** @type {Uint8Array} */ (bytes));
}

const mapSize = /** @type {any} */ (Object.getOwnPropertyDescriptor(Map.prototype, 'size')).get;

/** Whether a value is a Map, of any realm. @type {(value: unknown) => boolean} */
export function isMap(value) {
  try {
    return mapSize.call(value) >= 0;
  } catch {
    return false;
  }
}

/** Copies a caller's Map. @template K, V @param {string} prefix @param {string} argument @param {ReadonlyMap<K, V>} value @returns {Map<K, V>} */
export function readMap(prefix, argument, value) {
  if (!isMap(value)) wrongKind(prefix, `${argument} must be a Map, got ${showClass(value)}`);
  return new Map(Map.prototype.entries.call(value));
}

/** @type {(prefix: string, argument: string, bytes: Uint8Array) => string} */
export function decodeText(prefix, argument, bytes) {
  // Browsers decode no shared memory, and none that can be resized.
  const copy = copyOf(prefix, bytes);
  try {
    return utf8.decode(copy);
  } catch {
    return wrongValue(prefix, `${argument} must be UTF-8, got other bytes`);
  }
}

/**
 * A data array over bytes: shared where they are aligned, else copied.
 * @type {(prefix: string, dtype: DType, bytes: Uint8Array) => any}
 */
export function dataOver(prefix, dtype, bytes) {
  const ArrayClass = arrayClasses[dtype.array];
  const step = ArrayClass.BYTES_PER_ELEMENT;
  if (bytes.length % step !== 0)
    wrongValue(prefix, `${dtype.name} data must be a multiple of ${step} bytes, got ${bytes.length}`);
  const { buffer, byteOffset, length } = bytes.byteOffset % step === 0 ? bytes : copyOf(prefix, bytes);
  return new ArrayClass(buffer, byteOffset, length / step);
}

/** A tensor whose dims and length come from a file. @type {(prefix: string, dtype: DType, dims: readonly (number | bigint)[], data: any) => Tensor} */
export function tensorFrom(prefix, dtype, dims, data) {
  const parts = readTensor(prefix, 'tensor', { type: dtype.name, dims, data });
  checkData(prefix, parts);
  return tensorOf(dtype, data, parts.dims);
}

/**
 * A caller's tensors by name, complete and checked: at the end once more, because one's getters may take another's memory away.
 * @type {(prefix: string, tensors: ReadonlyMap<string, unknown>, checkType?: (dtype: DType, name: string) => void) => Map<string, Parts>}
 */
export function readTensors(prefix, tensors, checkType) {
  const named = Array.from(readMap(prefix, 'tensors', tensors), ([name, tensor]) => {
    if (typeof name !== 'string') wrongKind(prefix, `names must be strings, got ${show(name)}`);
    return /** @type {const} */ ([
      name,
      readWholeTensor(prefix, `tensor ${show(name)}`, tensor, (dtype) => checkType?.(dtype, name)),
    ]);
  });
  for (const [, parts] of named) checkRoom(prefix, parts);
  return new Map(named);
}

/** A tensor's bytes, tail bits zero; shared where nothing has to change. @type {(prefix: string, parts: Parts) => Uint8Array} */
export function rawBytes(prefix, { dtype, size, data }) {
  const bytes = bytesOf(data);
  const tail = (size * dtype.bits) % 8;
  if (tail === 0) return bytes;
  const copy = copyOf(prefix, bytes);
  copy[copy.length - 1] &= (1 << tail) - 1;
  return copy;
}

/** @type {(prefix: string, bytes: Uint8Array) => Uint8Array} */
export const copyOf = (prefix, bytes) => concat(prefix, [bytes, noBytes]);

/** One chunk is shared. @type {(prefix: string, chunks: readonly Uint8Array[]) => Uint8Array} */
export function concat(prefix, chunks) {
  if (chunks.length === 1) return chunks[0];
  const whole = newData(
    prefix,
    dtypes.uint8,
    chunks.reduce((total, { length }) => total + length, 0),
    undefined,
  );
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
