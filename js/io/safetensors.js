/**
 * safetensors files: eight bytes with the header's length, a header of JSON, the tensors' bytes.
 * Format: huggingface/safetensors, README and `safetensors/src/tensor.rs`.
 */
import { readOptions, show, wrongKind, wrongValue } from '../arguments/index.js';
import { dtypes } from '../tensor/index.js';
import { concat, dataOver, decodeText, rawBytes, readBytes, readMap, readTensors, tensorFrom } from './bytes.js';

/** @import { DType, Tensor, TensorLike, TypeName } from '../tensor/index.js' */
/** @typedef {Map<string, Tensor> & { metadata: Map<string, string> }} NamedTensors by name, in the file's order */

/** The format's own bound. */
const headerLimit = 100_000_000;

/** The format's name by ONNX's type. Its F6_E2M3 and F6_E3M2 are in no version of ONNX. @type {Partial<Record<TypeName, string>>} */
const names = {
  bool: 'BOOL',
  uint8: 'U8',
  int8: 'I8',
  uint16: 'U16',
  int16: 'I16',
  uint32: 'U32',
  int32: 'I32',
  uint64: 'U64',
  int64: 'I64',
  float16: 'F16',
  bfloat16: 'BF16',
  float32: 'F32',
  float64: 'F64',
  complex64: 'C64',
  float4e2m1: 'F4',
  float8e8m0: 'F8_E8M0',
  float8e4m3fn: 'F8_E4M3',
  float8e5m2: 'F8_E5M2',
  float8e4m3fnuz: 'F8_E4M3FNUZ',
  float8e5m2fnuz: 'F8_E5M2FNUZ',
};
/** @type {Map<unknown, DType>} */
const dtypeByName = new Map(
  Object.entries(names).map(([type, name]) => [name, dtypes[/** @type {TypeName} */ (type)]]),
);

/**
 * Reads a safetensors file.
 * @param {Uint8Array} bytes the whole file
 * @returns {NamedTensors} tensors that share the bytes where they are aligned, and the file's `metadata`
 * @throws {TypeError} no bytes
 * @throws {RangeError} bytes that are no safetensors file: its header too long, offsets out of range, overlapping or with a hole
 * @example
 * const file = writeSafetensors(new Map([['bias', { type: 'bfloat16', data: Uint16Array.of(0x3f80), dims: [1] }]]));
 * readSafetensors(file).get('bias').toArray(); // [1]
 */
export function readSafetensors(bytes) {
  const prefix = 'readSafetensors';
  const file = readBytes(prefix, bytes);
  if (file.length < 8) wrongValue(prefix, `bytes must have a header length of 8 bytes, got ${file.length} bytes`);
  const length = new DataView(file.buffer, file.byteOffset).getBigUint64(0, true);
  if (length > headerLimit) wrongValue(prefix, `header must have at most ${headerLimit} bytes, got ${length}`);
  const start = 8 + Number(length);
  if (start > file.length) wrongValue(prefix, `header must have ${length} bytes, got ${file.length - 8}`);
  const { entries, metadata } = readHeader(prefix, file.subarray(8, start));
  const data = file.subarray(start);
  /** @type {Map<string, Tensor>} */
  const tensors = new Map();
  let end = 0;
  for (const { name, dtype, shape, from, to } of entries) {
    if (from !== end || to < from || to > data.length) {
      wrongValue(
        prefix,
        `tensor ${show(name)} data_offsets must begin at ${end} and end by ${data.length}, got [${from}, ${to}]`,
      );
    }
    end = to;
    tensors.set(name, tensorFrom(prefix, dtype, shape, dataOver(prefix, dtype, data.subarray(from, to))));
  }
  if (end !== data.length) wrongValue(prefix, `tensors must fill the file's ${data.length} bytes of data, got ${end}`);
  return Object.assign(tensors, { metadata });
}

/** @typedef {{ name: string, dtype: DType, shape: number[], from: number, to: number }} Entry */

/** @type {(prefix: string, bytes: Uint8Array) => { entries: Entry[], metadata: Map<string, string> }} */
function readHeader(prefix, bytes) {
  const text = decodeText(prefix, 'header', bytes);
  let header;
  try {
    header = JSON.parse(text);
  } catch {
    wrongValue(prefix, `header must be JSON, got ${show(text)}`);
  }
  if (!isRecord(header)) wrongValue(prefix, `header must be an object, got ${show(text)}`);
  // A name is an own property here, __proto__ too.
  /** @type {Map<string, any>} */
  const records = new Map(Object.entries(header));
  const metadata = records.get('__metadata__') ?? {};
  records.delete('__metadata__');
  if (!isRecord(metadata) || !Object.values(metadata).every((value) => typeof value === 'string')) {
    wrongValue(prefix, `__metadata__ must be an object of strings, got other values`);
  }
  const entries = Array.from(records, ([name, record]) => readEntry(prefix, name, record));
  entries.sort((a, b) => a.from - b.from || a.to - b.to);
  return { entries, metadata: new Map(Object.entries(metadata)) };
}

/** @type {(value: unknown) => boolean} */
const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
/** @type {(value: unknown) => boolean} */
const isExtents = (value) =>
  Array.isArray(value) && value.every((extent) => Number.isSafeInteger(extent) && extent >= 0);

/** @type {(prefix: string, name: string, record: any) => Entry} */
function readEntry(prefix, name, record) {
  const { dtype: type, shape, data_offsets: offsets } = isRecord(record) ? record : {};
  if (typeof type !== 'string' || !isExtents(shape) || !isExtents(offsets) || offsets.length !== 2) {
    wrongValue(
      prefix,
      `tensor ${show(name)} must have dtype, shape and data_offsets, got ${isRecord(record) ? show(Object.keys(record).join(', ')) : 'no object'}`,
    );
  }
  const dtype = dtypeByName.get(type);
  if (!dtype) wrongValue(prefix, `tensor ${show(name)} dtype must be one that ONNX has, got ${show(type)}`);
  return { name, dtype, shape, from: offsets[0], to: offsets[1] };
}

/**
 * Writes a safetensors file. Tensors of wide elements come first, so that all of them are aligned.
 * @param {ReadonlyMap<string, TensorLike> & { metadata?: ReadonlyMap<string, string> }} tensors by name
 * @param {{ metadata?: ReadonlyMap<string, string> }} [options] `metadata`: that of `tensors` if omitted
 * @returns {Uint8Array} the whole file
 * @throws {TypeError} no Map of tensors, a type that the format does not have, metadata that is no Map of strings, an unknown option
 * @throws {RangeError} data of the wrong length, a name that the format keeps for itself, packed elements that do not fill whole bytes
 * @example
 * writeSafetensors(new Map([['one', { type: 'float32', data: Float32Array.of(1), dims: [] }]])).length; // 68
 */
export function writeSafetensors(tensors, options) {
  const prefix = 'writeSafetensors';
  const { metadata: given = tensors?.metadata ?? new Map() } = readOptions(prefix, options, ['metadata']);
  const named = readTensors(prefix, tensors, (dtype, name) => {
    if (name === '__metadata__') wrongValue(prefix, 'names must not be __metadata__, got __metadata__');
    if (!names[dtype.name])
      wrongKind(prefix, `tensor ${show(name)} type must be one that the format has, got ${dtype.name}`);
  });
  const metadata = readMap(prefix, 'metadata', given);
  for (const pair of metadata) {
    if (!pair.every((text) => typeof text === 'string'))
      wrongKind(prefix, `metadata must hold strings, got ${show(pair)}`);
  }
  const entries = Array.from(named, ([name, parts]) => {
    if ((parts.size * parts.dtype.bits) % 8 !== 0) {
      wrongValue(
        prefix,
        `tensor ${show(name)} must fill whole bytes, got ${parts.size} elements of ${parts.dtype.bits} bits`,
      );
    }
    return { name, parts, bytes: rawBytes(prefix, parts) };
  });
  entries.sort((a, b) => b.parts.dtype.bits - a.parts.dtype.bits);
  /** @type {[string, object][]} */
  const records = metadata.size > 0 ? [['__metadata__', Object.fromEntries(metadata)]] : [];
  let end = 0;
  for (const {
    name,
    parts: { dtype, dims },
    bytes,
  } of entries) {
    records.push([name, { dtype: names[dtype.name], shape: dims, data_offsets: [end, end + bytes.length] }]);
    end += bytes.length;
  }
  // fromEntries defines properties, where an assignment to __proto__ would set the prototype.
  const text = new TextEncoder().encode(JSON.stringify(Object.fromEntries(records)));
  const header = new Uint8Array(Math.ceil((8 + text.length) / 8) * 8).fill(0x20);
  if (header.length - 8 > headerLimit)
    wrongValue(prefix, `header must have at most ${headerLimit} bytes, got ${header.length - 8}`);
  new DataView(header.buffer).setBigUint64(0, BigInt(header.length - 8), true);
  header.set(text, 8);
  return concat(prefix, [header, ...entries.map(({ bytes }) => bytes)]);
}
