/** safetensors files, by huggingface/safetensors, README and `safetensors/src/tensor.rs`. */
import { checkFileKind, named, rangeError, readOptions, show, typeError } from '../../arguments/index.js';
import { dtypes, sizeOf } from '../../tensor/index.js';
import { checkText, concat, decodeText, readBytes } from '../bytes.js';
import { isRecord, membersOf, parseObject } from './json.js';
import { readMap, readTensors } from '../maps.js';
import { checkBytes, dataOver, rawBytes, tensorFrom } from '../tensor-data.js';

/** @import { DType, TensorLike, TypeName } from '../../tensor/index.js' */
/** @import { MetadataOptions, NamedTensors, Piece, Place } from '../types.js' */

/** The format's own bound. */
export const headerLimit = 100_000_000;
/** Bytes of the number in front of the header's JSON, which says how long that is. */
export const lengthBytes = 8;

/** @type {Readonly<Record<TypeName, string | undefined>>} Undefined for types that the format lacks. */
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
const dtypeByFormatName = new Map(Object.values(dtypes).map((dtype) => [formatNames[dtype.name], dtype]));

/**
 * Reads a safetensors file.
 * @param {Uint8Array} bytes the whole file
 * @returns {NamedTensors} tensors that share the bytes where they are aligned, and the file's `metadata`
 * @example
 * const bias = { type: 'bfloat16', data: Uint16Array.of(0x3f80), dims: [1] };
 * const file = writeSafetensors(new Map([['bias', bias]]));
 * readSafetensors(file).get('bias').toArray(); // [1]
 */
export function readSafetensors(bytes) {
  return named('readSafetensors', () => {
    const file = readBytes(bytes);
    const end = headerEnd(file, file.length);
    const { places, metadata } = readHeader(file.subarray(lengthBytes, end), file.length - end);
    const data = file.subarray(end);
    const tensors = Array.from(places, ({ name, dtype, dims, from, to }) => {
      return /** @type {const} */ ([name, tensorFrom(dtype, dims, dataOver(dtype, data.subarray(from, to)))]);
    });
    return Object.assign(new Map(tensors), { metadata });
  });
}

/** Gives the byte at which the header ends and the data begin. A file begins with the length of the header's JSON (8
 * bytes) and the JSON. `beginning`: the file's first `kindBytes` or more, by which files of other kinds are told;
 * `length`: bytes of the whole file.
 * @type {(beginning: Uint8Array, length: number) => number} */
export function headerEnd(beginning, length) {
  checkFileKind('bytes', 'a safetensors file', beginning, length);
  if (length < lengthBytes) rangeError(`bytes must have a header length of 8 bytes, got ${length} bytes`);
  const header = new DataView(beginning.buffer, beginning.byteOffset).getBigUint64(0, true);
  if (header > headerLimit) rangeError(`header must have at most ${headerLimit} bytes, got ${header}`);
  const end = lengthBytes + Number(header);
  if (end > length) rangeError(`header must have ${header} bytes, got ${length - lengthBytes}`);
  return end;
}

/** Reads the JSON of the header: type, dims and place of each tensor, by ascending place in the data, and the texts of
 * `__metadata__`, none if it is missing. Refuses tensors that do not fill the data without gaps. `bytes`: of the JSON;
 * `length`: bytes of the data behind it.
 * @type {(bytes: Uint8Array, length: number) => { places: Place[], metadata: Map<string, string> }} */
export function readHeader(bytes, length) {
  const text = decodeText('header', bytes);
  // Checks that it is an object; membersOf reads it, because JSON.parse drops repeated names.
  parseObject('header', text);
  /** @type {Map<string, Place>} */
  const named = new Map();
  /** @type {Map<string, string> | undefined} */
  let metadata;
  /** @type {string | undefined} */
  let repeated;
  for (const [name, value] of membersOf(text)) {
    checkText('names', name);
    if (name === metadataName) {
      if (metadata) rangeError(`${metadataName} must be there once, got it again`);
      metadata = readPairs(value);
      continue;
    }
    // Of a repeated name the last tensor counts, as in the format's own library. checkOffsets mostly refuses such a
    // file, because the first tensor's bytes are a gap then.
    if (named.has(name)) repeated = name;
    named.set(name, readEntry(name, value));
  }
  const places = [...named.values()].sort((a, b) => a.from - b.from || a.to - b.to);
  checkOffsets(places, length, repeated);
  return { places, metadata: metadata ?? new Map() };
}

const metadataName = '__metadata__';

/** Reads the JSON of the metadata: an object of strings, or null for none.
 * @type {(text: string) => Map<string, string>} */
function readPairs(text) {
  const metadata = JSON.parse(text) ?? {};
  if (!isRecord(metadata) || !Object.values(metadata).every((value) => typeof value === 'string'))
    rangeError(`${metadataName} must be an object of strings, got other values`);
  const pairs = Object.entries(metadata);
  for (const part of pairs.flat()) checkText(metadataName, part);
  return new Map(pairs);
}

/** Checks that the tensors fill the data without gaps, and that each has the bytes that its dims ask for. `places`: by
 * ascending place; `length`: bytes of the data; `repeated`: a name that the header has twice, the likely cause of gaps.
 * @type {(places: readonly Place[], length: number, repeated: string | undefined) => void} */
function checkOffsets(places, length, repeated) {
  const refuse = (/** @type {string} */ message) =>
    rangeError(repeated === undefined ? message : `header must name each tensor once, got ${show(repeated)} twice`);
  let end = 0;
  for (const { name, dtype, dims, from, to } of places) {
    const follows = from === end && to >= from && to <= length;
    if (!follows)
      refuse(`tensor ${show(name)} data_offsets must begin at ${end} and end by ${length}, got [${from}, ${to}]`);
    end = to;
    const size = checkBytes(`tensor ${show(name)} `, dtype, dims, to - from);
    checkWholeBytes(name, dtype, size);
  }
  if (end !== length) refuse(`tensors must fill the file's ${length} bytes of data, got ${end}`);
}

const fieldNames = new Set(['dtype', 'shape', 'data_offsets']);

/** Reads the fields of one tensor, each as its JSON; other keys are ignored.
 * @type {(name: string, text: string) => Map<string, string>} */
function fieldsOf(name, text) {
  /** @type {Map<string, string>} */
  const fields = new Map();
  for (const [key, value] of membersOf(text)) {
    if (fields.has(key)) rangeError(`tensor ${show(name)} must have one ${key}, got it again`);
    if (fieldNames.has(key)) fields.set(key, value);
  }
  return fields;
}

/** Reads the JSON of a list of whole numbers; undefined if it is anything else. Only digits are taken, as by the
 * format's own library: no 1.0, 1e0 or -0. Refuses numbers above 2^53 - 1.
 * @type {(argument: string, text: string | undefined) => number[] | undefined} */
function readWholes(argument, text) {
  if (text === undefined || /[^\d\s,[\]]/.test(text)) return undefined;
  const list = JSON.parse(text);
  if (!Array.isArray(list)) return undefined;
  if (list.every(Number.isSafeInteger)) return list;
  const isFlat = list.every((entry) => typeof entry === 'number');
  return isFlat ? rangeError(`${argument} must hold whole numbers up to 2^53 - 1, got larger ones`) : undefined;
}

/** Reads what the header says of one tensor: its dtype, dims, and place in the data. `text`: the JSON of an object.
 * @type {(name: string, text: string) => Place} */
function readEntry(name, text) {
  const fields = fieldsOf(name, text);
  const type = JSON.parse(fields.get('dtype') ?? 'null');
  const dims = readWholes(`tensor ${show(name)} shape`, fields.get('shape'));
  const offsets = readWholes(`tensor ${show(name)} data_offsets`, fields.get('data_offsets'));
  if (typeof type !== 'string' || !dims || offsets?.length !== 2) {
    const record = JSON.parse(text);
    const keys = isRecord(record) ? show(Object.keys(record).join(', ')) : 'no object';
    return rangeError(`tensor ${show(name)} must have dtype, shape and data_offsets, got ${keys}`);
  }
  const dtype = dtypeByFormatName.get(type);
  if (!dtype) rangeError(`tensor ${show(name)} dtype must be one that ONNX has, got ${show(type)}`);
  return { name, dtype, dims, from: offsets[0], to: offsets[1] };
}

/**
 * Writes a safetensors file. Tensors of wide elements come first, so that all of them are aligned.
 * @param {ReadonlyMap<string, TensorLike> & { metadata?: ReadonlyMap<string, string> }} tensors by name
 * @param {MetadataOptions} [options]
 * @returns {Uint8Array} the whole file
 * @example
 * writeSafetensors(new Map([['one', { type: 'float32', data: Float32Array.of(1), dims: [] }]])).length; // 68
 */
export function writeSafetensors(tensors, options) {
  return named('writeSafetensors', () => {
    const { metadata = tensors?.metadata ?? new Map() } = readOptions(options, ['metadata']);
    const read = readTensors(tensors, (dtype, name) => checkFormat(name, dtype));
    const pairs = readMetadata(metadata);
    const pieces = sortedPieces(read);
    return concat([encodeHeader(pieces, pairs), ...pieces.map(({ value }) => rawBytes(value))]);
  });
}

/** Refuses a tensor whose name or type the format cannot have.
 * @type {(name: string, dtype: DType) => void} */
export function checkFormat(name, dtype) {
  if (name === metadataName) rangeError(`names must not be ${metadataName}, got ${metadataName}`);
  checkText('names', name);
  if (formatNames[dtype.name] === undefined)
    typeError(`tensor ${show(name)} type must be one that the format has, got ${dtype.name}`);
}

/** Reads the texts that a file's `__metadata__` gets. Refuses lone surrogates, which are no UTF-8.
 * @type {(metadata: ReadonlyMap<string, string>) => Map<string, string>} */
export function readMetadata(metadata) {
  const pairs = readMap('metadata', metadata);
  for (const pair of pairs) {
    if (!pair.every((text) => typeof text === 'string')) typeError(`metadata must hold strings, got ${show(pair)}`);
    for (const text of pair) checkText('metadata', text);
  }
  return pairs;
}

/** Lists tensors in the order in which they are written, each with its bytes: those of wide elements first. So each
 * begins at a multiple of its element's bytes, without padding, which the format forbids.
 * @type {<T extends { dtype: DType, dims: readonly number[] }>(named: ReadonlyMap<string, T>) => Piece<T>[]} */
export function sortedPieces(named) {
  const pieces = Array.from(named, ([name, value]) => {
    const { dtype, dims } = value;
    const size = sizeOf(dims);
    checkWholeBytes(name, dtype, size);
    return { name, value, byteLength: (size * dtype.bits) / 8 };
  });
  return pieces.sort((a, b) => b.value.dtype.bits - a.value.dtype.bits);
}

/** Refuses packed tensors whose last byte is not full. `size`: in elements.
 * @type {(name: string, dtype: DType, size: number) => void} */
function checkWholeBytes(name, { bits }, size) {
  if ((size * bits) % 8 !== 0)
    rangeError(`tensor ${show(name)} must fill whole bytes, got ${size} elements of ${bits} bits`);
}

/** Encodes all bytes in front of the data: eight of the JSON's length, and the JSON, padded with spaces to a multiple
 * of 8. `pieces`: the tensors in the order of their data.
 * @type {(pieces: readonly Piece<{ dtype: DType, dims: readonly number[] }>[], metadata: ReadonlyMap<string, string>)
 *   => Uint8Array} */
export function encodeHeader(pieces, metadata) {
  /** @type {[string, object][]} */
  const records = metadata.size > 0 ? [[metadataName, Object.fromEntries(metadata)]] : [];
  let end = 0;
  for (const { name, value, byteLength } of pieces) {
    const { dtype, dims } = value;
    records.push([name, { dtype: formatNames[dtype.name], shape: dims, data_offsets: [end, end + byteLength] }]);
    end += byteLength;
  }
  // fromEntries defines properties, where an assignment to __proto__ would set the prototype.
  const text = new TextEncoder().encode(JSON.stringify(Object.fromEntries(records)));
  const space = 0x20;
  const header = new Uint8Array(Math.ceil((lengthBytes + text.length) / 8) * 8).fill(space);
  const paddedText = header.length - lengthBytes;
  if (paddedText > headerLimit) rangeError(`header must have at most ${headerLimit} bytes, got ${paddedText}`);
  new DataView(header.buffer).setBigUint64(0, BigInt(paddedText), true);
  header.set(text, lengthBytes);
  return header;
}
