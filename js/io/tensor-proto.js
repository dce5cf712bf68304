/** ONNX's TensorProto. Source: onnx.in.proto, IR version 13. */
import { bytesOf, readOptions, show, showClass, typedArrayName, wrongKind, wrongValue } from '../arguments/index.js';
import { dtypes, newData, readWholeTensor, sizeOf } from '../tensor/index.js';
import { concat, dataOver, decodeText, rawBytes, readBytes, tensorFrom } from './bytes.js';
import {
  asBytes,
  asText,
  asWhole,
  bytesField,
  countVarints,
  eachVarint,
  fieldsOf,
  textField,
  varints,
  wholeField,
} from './protobuf.js';

/** @import { DType, Parts, Tensor, TensorLike } from '../tensor/index.js' */
/**
 * Gives the bytes of a tensor that stands in another file: `length` of them from `offset`, in the file at `location`, a path
 * relative to the model's folder that does not lead out of it (a symbolic link there may: that is the callback's to check).
 * @typedef {(place: { location: string, offset: number, length: number }) => Uint8Array} External
 */

/** @type {Map<number, DType>} */
const dtypeByCode = new Map(Object.values(dtypes).map((dtype) => [dtype.code, dtype]));

/** The type of a TensorProto.DataType code. @type {(prefix: string, argument: string, code: bigint | number) => DType} */
export function dtypeOfCode(prefix, argument, code) {
  return (
    dtypeByCode.get(Number(code)) ??
    wrongValue(prefix, `${argument} must be the code of a type, 1 to ${dtypeByCode.size}, got ${code}`)
  );
}

/** The fields that data may stand in. */
const dataFields = new Map([
  [4, 'float_data'],
  [5, 'int32_data'],
  [6, 'string_data'],
  [7, 'int64_data'],
  [9, 'raw_data'],
  [10, 'double_data'],
  [11, 'uint64_data'],
]);
const rawField = 9;

/** The field, beside raw_data, that holds a type's data. @type {(dtype: DType) => number} */
function typedField({ name, bits, format: { kind } }) {
  if (kind === 'string') return 6;
  if (kind === 'complex') return bits === 64 ? 4 : 10;
  if (kind === 'float' && bits >= 32) return bits === 32 ? 4 : 10;
  if (name === 'int64') return 7;
  return name === 'uint32' || name === 'uint64' ? 11 : 5;
}

/**
 * Reads a TensorProto: of any type, from raw_data, the type's own field, or another file.
 * @param {Uint8Array} bytes
 * @param {{ external?: External }} [options] `external`: gives the data that stands in another file
 * @returns {Tensor} shares the bytes of raw_data where they are aligned
 * @throws {TypeError} no bytes, external data without the option, an unknown option
 * @throws {RangeError} bytes that are no TensorProto, data that does not fit the dims, a location outside the model's folder
 * @example
 * readTensorProto(writeTensorProto({ type: 'int4', data: Uint8Array.of(0xf1), dims: [2] })).toArray(); // [1, -1]
 */
export function readTensorProto(bytes, options) {
  const prefix = 'readTensorProto';
  const { external } = readOptions(prefix, options, ['external']);
  const file = readBytes(prefix, bytes);
  return parseTensor(prefix, file, guarded(prefix, file, external)).tensor;
}

/** The caller's function, which may take the file's memory away. @type {(prefix: string, file: Uint8Array, external: External | undefined) => External | undefined} */
export function guarded(prefix, file, external) {
  if (typeof external !== 'function') return external;
  const { length } = file;
  return (place) => {
    const bytes = external(place);
    if (file.length !== length)
      wrongValue(prefix, `external must leave the file's ${length} bytes in place, got ${file.length}`);
    return bytes;
  };
}

/** @type {(prefix: string, message: Uint8Array, external: External | undefined) => { name: string, tensor: Tensor }} */
export function parseTensor(prefix, message, external) {
  let name = '';
  let code = 0n;
  let elsewhere = false;
  /** @type {Map<string, string>} */
  const place = new Map();
  /** @type {Uint8Array[]} */
  const extents = [];
  /** The payloads of each data field. @type {Map<number, Uint8Array[]>} */
  const found = new Map();
  for (const field of fieldsOf(prefix, message)) {
    const { number } = field;
    if (number === 1) extents.push(field.payload);
    else if (number === 2) code = asWhole(prefix, field);
    else if (number === 8) name = asText(prefix, field);
    else if (number === 13) place.set(...parseEntry(prefix, asBytes(prefix, field)));
    else if (number === 14) elsewhere = asWhole(prefix, field) === 1n;
    else if (dataFields.has(number) && (number === 6 || field.payload.length > 0)) {
      if (number === 6 || number === rawField) asBytes(prefix, field);
      const payloads = found.get(number);
      if (payloads) payloads.push(field.payload);
      else found.set(number, [field.payload]);
    }
  }
  const label = name ? `tensor ${show(name)} ` : '';
  const dtype = dtypeOfCode(prefix, `${label}data_type`, code);
  const dims = varints(prefix, extents);
  const data = elsewhere
    ? readElsewhere(prefix, label, dtype, dims, place, external)
    : readData(prefix, label, dtype, found);
  return { name, tensor: tensorFrom(prefix, dtype, dims, data) };
}

/** A StringStringEntryProto. @type {(prefix: string, message: Uint8Array) => [string, string]} */
function parseEntry(prefix, message) {
  const texts = ['', ''];
  for (const field of fieldsOf(prefix, message))
    if (field.number === 1 || field.number === 2) texts[field.number - 1] = asText(prefix, field);
  return [texts[0], texts[1]];
}

/** @type {(prefix: string, label: string, dtype: DType, found: Map<number, Uint8Array[]>) => any} */
function readData(prefix, label, dtype, found) {
  const fields = [...found.keys()];
  const names = fields.map((number) => dataFields.get(number)).join(' and ');
  if (fields.length > 1) wrongValue(prefix, `${label}data must be in one field, got ${names}`);
  const own = typedField(dtype);
  const string = dtype.array === 'Array';
  const [field = own] = fields;
  if (field !== own && (field !== rawField || string)) {
    wrongValue(
      prefix,
      `${label}${dtype.name} data must be in ${dataFields.get(own)}${string ? '' : ' or raw_data'}, got ${names}`,
    );
  }
  const payloads = found.get(field) ?? [];
  if (string) return payloads.map((payload, i) => decodeText(prefix, `${label}string_data[${i}]`, payload));
  // A scalar bytes field that comes twice has its last value; a repeated one has all.
  if (field === rawField) return dataOver(prefix, dtype, payloads[payloads.length - 1]);
  const stream = concat(prefix, payloads);
  // These are little-endian numbers in a row, as in raw_data.
  if (field === 4 || field === 10) return dataOver(prefix, dtype, stream);
  return readVarints(prefix, dtype, stream);
}

/** Numbers of int32_data, int64_data or uint64_data, their low bits: packed types have a byte's worth in each. @type {(prefix: string, dtype: DType, stream: Uint8Array) => any} */
function readVarints(prefix, dtype, stream) {
  const count = countVarints(stream);
  const data = newData(prefix, dtype, dtype.bits < 8 ? (count * 8) / dtype.bits : count, undefined);
  const bool = dtype.format.kind === 'bool';
  eachVarint(prefix, stream, (value, i) => {
    // A typed array keeps the low bits of what it is given.
    data[i] = dtype.bits === 64 ? value : bool ? Number(value !== 0n) : Number(BigInt.asIntN(32, value));
  });
  return data;
}

/** @type {(prefix: string, label: string, dtype: DType, dims: bigint[], place: Map<string, string>, external: External | undefined) => any} */
function readElsewhere(prefix, label, dtype, dims, place, external) {
  if (dtype.array === 'Array') wrongValue(prefix, `${label}string data must be in string_data, got external data`);
  const location = place.get('location') ?? '';
  // Neither an absolute path of any system nor a URL, and no way up.
  if (location === '' || /^[/\\]|^[a-z][a-z0-9+.-]*:|(^|[/\\])\.\.([/\\]|$)|\0/i.test(location)) {
    wrongValue(prefix, `${label}location must be a path inside the model's folder, got ${show(location)}`);
  }
  const expected = Math.ceil((sizeOf(dims.map(Number)) * dtype.bits) / 8);
  const offset = readDecimal(prefix, `${label}offset`, place.get('offset') ?? '0');
  const length = readDecimal(prefix, `${label}length`, place.get('length') ?? String(expected));
  if (length !== expected) wrongValue(prefix, `${label}length must be ${expected}, got ${length}`);
  if (external === undefined)
    wrongKind(prefix, `${label}needs the option external for ${show(location)}, got undefined`);
  if (typeof external !== 'function') wrongKind(prefix, `external must be a function, got ${show(external)}`);
  const bytes = external({ location, offset, length });
  if (typedArrayName(bytes) !== 'Uint8Array')
    wrongKind(prefix, `external must return a Uint8Array, got ${showClass(bytes)}`);
  const raw = bytesOf(bytes);
  if (raw.length !== length)
    wrongValue(prefix, `external must return ${length} bytes of ${show(location)}, got ${raw.length}`);
  return dataOver(prefix, dtype, raw);
}

/** @type {(prefix: string, argument: string, text: string) => number} */
function readDecimal(prefix, argument, text) {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(number)) wrongValue(prefix, `${argument} must be a whole number from 0, got ${show(text)}`);
  return number;
}

/**
 * Writes a TensorProto, its data in raw_data, strings in string_data.
 * @param {TensorLike} tensor of any type
 * @param {{ name?: string }} [options]
 * @returns {Uint8Array}
 * @throws {TypeError} no tensor, a name that is no string, an unknown option
 * @throws {RangeError} data of the wrong length, or of more than protobuf's 2 GiB
 * @example
 * writeTensorProto({ type: 'uint8', data: Uint8Array.of(7), dims: [] }, { name: 'x' }); // Uint8Array [16, 2, 66, 1, 120, 74, 1, 7]
 */
export function writeTensorProto(tensor, options) {
  const prefix = 'writeTensorProto';
  const { name = '' } = readOptions(prefix, options, ['name']);
  if (typeof name !== 'string') wrongKind(prefix, `name must be a string, got ${show(name)}`);
  return encodeTensor(prefix, readWholeTensor(prefix, 'tensor', tensor), name);
}

/** @type {(prefix: string, parts: Parts, name: string) => Uint8Array} */
export function encodeTensor(prefix, parts, name) {
  const { dtype, dims, data } = parts;
  const fields = dims.map((extent) => wholeField(1, extent));
  fields.push(wholeField(2, dtype.code));
  if (name) fields.push(textField(prefix, 8, name));
  if (dtype.array === 'Array') for (const text of data) fields.push(textField(prefix, 6, text));
  else fields.push(bytesField(prefix, rawField, rawBytes(prefix, parts)));
  return concat(prefix, fields);
}
