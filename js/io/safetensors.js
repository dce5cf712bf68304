/**
 * safetensors files: eight bytes with the length of the header, a header of JSON, the bytes of the tensors.
 * Format: huggingface/safetensors, README and `safetensors/src/tensor.rs`.
 */
import { readOptions, show, wrongKind, wrongValue } from '../arguments/index.js';
import { dtypes } from '../tensor/index.js';
import { concat, decodeText, readBytes } from './bytes.js';
import { readMap, readTensors } from './maps.js';
import { dataOver, rawBytes, tensorFrom } from './tensor-data.js';

/** @import { DType, Parts, Tensor, TensorLike, TypeName } from '../tensor/index.js' */

/**
 * Tensors by name, in the order of the file.
 * @typedef {Map<string, Tensor> & { metadata: Map<string, string> }} NamedTensors
 */

/** The format's own bound. */
const headerLimit = 100_000_000;

/**
 * The format's name of each type; undefined for types that it lacks.
 * @type {Readonly<Record<TypeName, string | undefined>>}
 */
const formatNames = {
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
  float6e2m3: 'F6_E2M3',
  float6e3m2: 'F6_E3M2',
  float8e8m0: 'F8_E8M0',
  float8e4m3fn: 'F8_E4M3',
  float8e5m2: 'F8_E5M2',
  float8e4m3fnuz: 'F8_E4M3FNUZ',
  float8e5m2fnuz: 'F8_E5M2FNUZ',
  complex128: undefined,
  string: undefined,
  int4: undefined,
  uint4: undefined,
  int2: undefined,
  uint2: undefined,
};

/** @type {Map<string | undefined, DType>} */
const dtypeByFormatName = new Map(
  Object.values(dtypes)
    .filter(({ name }) => formatNames[name] !== undefined)
    .map((dtype) => [formatNames[dtype.name], dtype]),
);

/**
 * Reads a safetensors file.
 * @param {Uint8Array} bytes the whole file
 * @returns {NamedTensors} tensors that share the bytes where they are aligned, and the file's `metadata`
 * @throws {TypeError} no bytes
 * @throws {RangeError} bytes that are no safetensors file: the header is too long, or offsets are out of range, overlap
 *   or leave a hole, packed elements that do not fill whole bytes
 * @example
 * const bias = { type: 'bfloat16', data: Uint16Array.of(0x3f80), dims: [1] };
 * const file = writeSafetensors(new Map([['bias', bias]]));
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
    const tensor = tensorFrom(prefix, dtype, shape, dataOver(prefix, dtype, data.subarray(from, to)));
    checkWholeBytes(prefix, name, dtype, tensor.size);
    tensors.set(name, tensor);
  }
  if (end !== data.length) wrongValue(prefix, `tensors must fill the file's ${data.length} bytes of data, got ${end}`);
  return Object.assign(tensors, { metadata });
}

/**
 * What the header says of one tensor; `from` and `to` count from the end of the header.
 * @typedef {{ name: string, dtype: DType, shape: number[], from: number, to: number }} Entry
 */

/**
 * @param {string} prefix
 * @param {Uint8Array} bytes
 * @returns {{ entries: Entry[], metadata: Map<string, string> }} the entries in the order of their data
 */
function readHeader(prefix, bytes) {
  const text = decodeText(prefix, 'header', bytes);
  let header;
  try {
    header = JSON.parse(text);
  } catch {
    wrongValue(prefix, `header must be JSON, got ${show(text)}`);
  }
  if (!isRecord(header)) wrongValue(prefix, `header must be an object, got ${show(text)}`);
  // JSON.parse makes every name an own property, __proto__ too.
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

/**
 * @param {string} prefix
 * @param {string} name
 * @param {any} record
 * @returns {Entry}
 */
function readEntry(prefix, name, record) {
  const { dtype: type, shape, data_offsets: offsets } = isRecord(record) ? record : {};
  if (typeof type !== 'string' || !isExtents(shape) || !isExtents(offsets) || offsets.length !== 2) {
    const keys = isRecord(record) ? show(Object.keys(record).join(', ')) : 'no object';
    wrongValue(prefix, `tensor ${show(name)} must have dtype, shape and data_offsets, got ${keys}`);
  }
  const dtype = dtypeByFormatName.get(type);
  if (!dtype) wrongValue(prefix, `tensor ${show(name)} dtype must be one that ONNX has, got ${show(type)}`);
  return { name, dtype, shape, from: offsets[0], to: offsets[1] };
}

/**
 * Writes a safetensors file. Tensors of wide elements come first, so that all of them are aligned.
 * @param {ReadonlyMap<string, TensorLike> & { metadata?: ReadonlyMap<string, string> }} tensors by name
 * @param {{ metadata?: ReadonlyMap<string, string> }} [options] `metadata`: that of `tensors` if omitted
 * @returns {Uint8Array} the whole file
 * @throws {TypeError} no Map of tensors, a type that the format lacks, metadata that is no Map of strings, an unknown
 *   option
 * @throws {RangeError} data of the wrong length, a name that the format reserves, packed elements that do not fill
 *   whole bytes
 * @example
 * writeSafetensors(new Map([['one', { type: 'float32', data: Float32Array.of(1), dims: [] }]])).length; // 68
 */
export function writeSafetensors(tensors, options) {
  const prefix = 'writeSafetensors';
  const { metadata: given = tensors?.metadata ?? new Map() } = readOptions(prefix, options, ['metadata']);
  const named = readTensors(prefix, tensors, (dtype, name) => {
    if (name === '__metadata__') wrongValue(prefix, 'names must not be __metadata__, got __metadata__');
    if (formatNames[dtype.name] === undefined)
      wrongKind(prefix, `tensor ${show(name)} type must be one that the format has, got ${dtype.name}`);
  });
  const metadata = readMap(prefix, 'metadata', given);
  for (const pair of metadata) {
    if (!pair.every((text) => typeof text === 'string'))
      wrongKind(prefix, `metadata must hold strings, got ${show(pair)}`);
  }
  const pieces = Array.from(named, ([name, parts]) => pieceOf(prefix, name, parts));
  pieces.sort((a, b) => b.dtype.bits - a.dtype.bits);
  return concat(prefix, [encodeHeader(prefix, pieces, metadata), ...pieces.map(({ bytes }) => bytes)]);
}

/**
 * A tensor as it is written.
 * @typedef {{ name: string, dtype: DType, dims: readonly number[], bytes: Uint8Array }} Piece
 */

/**
 * @param {string} prefix
 * @param {string} name
 * @param {Parts} parts
 * @returns {Piece}
 */
function pieceOf(prefix, name, parts) {
  const { dtype, dims, size } = parts;
  checkWholeBytes(prefix, name, dtype, size);
  return { name, dtype, dims, bytes: rawBytes(prefix, parts) };
}

/**
 * The format has no tensor whose last byte is filled in part.
 * @param {string} prefix
 * @param {string} name
 * @param {DType} dtype
 * @param {number} size in elements
 */
function checkWholeBytes(prefix, name, { bits }, size) {
  if ((size * bits) % 8 !== 0)
    wrongValue(prefix, `tensor ${show(name)} must fill whole bytes, got ${size} elements of ${bits} bits`);
}

/**
 * @param {string} prefix
 * @param {readonly Piece[]} pieces in the order of the file
 * @param {ReadonlyMap<string, string>} metadata
 * @returns {Uint8Array} a multiple of 8 bytes
 */
function encodeHeader(prefix, pieces, metadata) {
  /** @type {[string, object][]} */
  const records = metadata.size > 0 ? [['__metadata__', Object.fromEntries(metadata)]] : [];
  let end = 0;
  for (const { name, dtype, dims, bytes } of pieces) {
    records.push([name, { dtype: formatNames[dtype.name], shape: dims, data_offsets: [end, end + bytes.length] }]);
    end += bytes.length;
  }
  // fromEntries defines properties, where an assignment to __proto__ would set the prototype.
  const text = new TextEncoder().encode(JSON.stringify(Object.fromEntries(records)));
  const header = new Uint8Array(Math.ceil((8 + text.length) / 8) * 8).fill(0x20);
  if (header.length - 8 > headerLimit)
    wrongValue(prefix, `header must have at most ${headerLimit} bytes, got ${header.length - 8}`);
  new DataView(header.buffer).setBigUint64(0, BigInt(header.length - 8), true);
  header.set(text, 8);
  return header;
}
