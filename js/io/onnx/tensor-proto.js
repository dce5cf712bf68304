/** Reads and writes TensorProto, ONNX's message for a tensor. */
import { bytesOf, named, rangeError, readOptions, readTable, readText, row, show } from '../../arguments/index.js';
import { dtypes, newData, readWholeTensor, store } from '../../tensor/index.js';
import { concat, decodeText, readBytes } from '../bytes.js';
import { readExternalData } from './external-data.js';
import { entryFields, tensorFields } from './onnx-fields.js';
import * as protobuf from './protobuf.js';
import { checkBytes, dataOver, rawBytes, tensorFrom } from '../tensor-data.js';

/** @import { CheckedTensor, DType, Tensor, TensorLike } from '../../tensor/index.js' */
/** @import { External, NamingOptions, Row, Rows, TensorProtoOptions } from './types.js' */
/** @import { TensorData } from '../../tensor/types.js' */

/** @type {Map<number, DType>} */
const dtypeByCode = new Map(Object.values(dtypes).map((dtype) => [dtype.code, dtype]));

/** Finds the type that a code of TensorProto.DataType stands for.
 * @type {(argument: string, code: bigint | number) => DType} */
export const dtypeOfCode = (argument, code) =>
  dtypeByCode.get(Number(code)) ??
  rangeError(`${argument} must be the code of a type, 1 to ${dtypeByCode.size}, got ${code}`);

/** The fields whose bytes are the elements themselves, little-endian. The other ones hold varints or strings. */
export const fieldsOfElementBytes = [tensorFields.floatData, tensorFields.rawData, tensorFields.doubleData];

const { floatData, int32Data, stringData, int64Data, rawData, doubleData, uint64Data } = tensorFields;

/** The fields that hold data, by number, with the names that messages give them. */
export const dataFields = new Map([
  [floatData, 'float_data'],
  [int32Data, 'int32_data'],
  [stringData, 'string_data'],
  [int64Data, 'int64_data'],
  [rawData, 'raw_data'],
  [doubleData, 'double_data'],
  [uint64Data, 'uint64_data'],
]);

/** The field that holds the data if raw_data does not: by the class of a tensor's data, int32_data if it is not here.
 * @type {Readonly<Partial<Record<DType['array'], number>>>} */
const typedFields = {
  Float32Array: floatData,
  Float64Array: doubleData,
  Array: stringData,
  BigInt64Array: int64Data,
  Uint32Array: uint64Data,
  BigUint64Array: uint64Data,
};

/**
 * Reads a TensorProto of any type. Its data may be in raw_data, in the field of its type, or in another file.
 * @param {Uint8Array} bytes
 * @param {TensorProtoOptions} [options]
 * @returns {Tensor} shares the bytes of raw_data where they are aligned
 * @example
 * readTensorProto(writeTensorProto({ type: 'int4', data: Uint8Array.of(0xf1), dims: [2] })).toArray(); // [1, -1]
 */
export function readTensorProto(bytes, options) {
  return named('readTensorProto', () => {
    const { external } = readOptions(options, ['external']);
    return parseTensor(readBytes(bytes), external).tensor;
  });
}

/** Reads a TensorProto: its name, and the tensor with its data. `external`: gives data that are in other files.
 * @type {(message: Uint8Array, external: External | undefined) => { name: string, tensor: Tensor }} */
export function parseTensor(message, external) {
  const { name, label, dtype, dims, isExternal, entries, payloads } = readHead(message);
  const data = isExternal
    ? readExternalData(label, dtype, dims, entries, external)
    : readData(label, dtype, dims, payloads);
  return { name, tensor: tensorFrom(dtype, dims, data) };
}

/** Reads the data of a TensorProto as bytes. Shares raw_data even where it is not aligned: quantizing a model of 64 MB
 * takes a third less time than by copies.
 * @type {(message: Uint8Array, external: External | undefined) => Uint8Array} */
export function parseBytes(message, external) {
  const { label, dtype, dims, isExternal, payloads } = readHead(message);
  const raw = payloads.get(rawData);
  // Data in another file or another field; parseTensor also refuses data in two fields.
  if (isExternal || raw === undefined || payloads.size > 1) return bytesOf(parseTensor(message, external).tensor.data);
  const bytes = raw[raw.length - 1]; // of a field that occurs twice the last one counts
  checkBytes(label, dtype, dims, bytes.length);
  return bytes;
}

/** @type {Rows} */
const entryRows = { [entryFields.key]: protobuf.text('key'), [entryFields.value]: protobuf.text('value') };

/** Reads a pair of texts, of external_data or of a model's metadata.
 * @type {(message: Uint8Array) => [key: string, value: string]} */
export function readEntry(message) {
  const { key, value } = protobuf.readMessage(message, entryRows, { key: '', value: '' });
  return [key, value];
}

/** Adds the payload of a field of data to the record. Empty payloads are left out, so that the field does not count as
 * one with data; but an empty string is an element.
 * @type {Row} */
function takeData({ payloads }, field) {
  const { number, payload } = field;
  if (number !== stringData && payload.length === 0) return;
  const holdsBytes = number === stringData || number === rawData;
  if (holdsBytes) protobuf.asBytes(field); // refuses an integer in their place
  const list = payloads.get(number);
  if (list) list.push(payload);
  else payloads.set(number, [payload]);
}

/** @type {Rows} */
const rows = {
  [tensorFields.dims]: (record, { payload }) => void record.extents.push(payload),
  [tensorFields.dataType]: (record, field) => void (record.code = protobuf.asWhole(field)),
  [tensorFields.name]: protobuf.text('name'),
  [tensorFields.externalData]: protobuf.entries('entries', readEntry),
  [tensorFields.dataLocation]: (record, field) => void (record.isExternal = protobuf.asWhole(field) === 1n),
  ...Object.fromEntries(Array.from(dataFields.keys(), (number) => [number, takeData])),
};

/** Reads the fields of a TensorProto, without decoding its data. `extents`: payloads of the dims, as varints;
 * `payloads`: those of the data, by the field's number.
 * @type {(message: Uint8Array) => { name: string, code: bigint, isExternal: boolean, entries: Map<string, string>,
 *   extents: Uint8Array[], payloads: Map<number, Uint8Array[]> }} */
export function readFields(message) {
  const record = { name: '', code: 0n, isExternal: false, entries: new Map(), extents: [], payloads: new Map() };
  return protobuf.readMessage(message, rows, record);
}

/** Reads the name, type and dims of a TensorProto, and where its data are. `label`: the tensor's name in messages,
 * 'tensor "w" ' with a space behind it, or empty.
 * @type {(message: Uint8Array) => ReturnType<typeof readFields> & { label: string, dtype: DType, dims: bigint[] }} */
export function readHead(message) {
  const fields = readFields(message);
  const label = fields.name ? `tensor ${show(fields.name)} ` : '';
  const dtype = dtypeOfCode(`${label}data_type`, fields.code);
  return { ...fields, label, dtype, dims: protobuf.varints(fields.extents) };
}

/** Finds the number of the field that holds a tensor's data. `fields`: the fields of data that the message has; if it
 * has none, the field is that of the type. Refuses several fields, and a field that the type cannot use.
 * @type {(label: string, dtype: DType, fields: readonly number[]) => number} */
export function fieldOfData(label, dtype, fields) {
  const names = fields.map((number) => dataFields.get(number)).join(' and ');
  if (fields.length > 1) rangeError(`${label}data must be in one field, got ${names}`);
  const typedField = typedFields[dtype.array] ?? int32Data;
  const [field = typedField] = fields;
  // onnx.proto forbids strings in raw_data.
  const allowedFields = dtype.array === 'Array' ? [typedField] : [typedField, rawData];
  if (!allowedFields.includes(field)) {
    const allowed = allowedFields.map((number) => dataFields.get(number)).join(' or ');
    rangeError(`${label}${dtype.name} data must be in ${allowed}, got ${names}`);
  }
  return field;
}

/** Decodes a tensor's data from the one field of its message that holds them. `payloadsByField`: the payloads of the
 * fields of data, by the field's number.
 * @type {(label: string, dtype: DType, dims: readonly bigint[], payloadsByField: Map<number, Uint8Array[]>) =>
 *   TensorData} */
function readData(label, dtype, dims, payloadsByField) {
  const field = fieldOfData(label, dtype, [...payloadsByField.keys()]);
  const payloads = payloadsByField.get(field) ?? [];
  if (dtype.array === 'Array') return payloads.map((payload, i) => decodeText(`${label}string_data[${i}]`, payload));
  // raw_data is a scalar field: if it occurs twice, the last one counts. The others are repeated: all payloads count.
  if (field === rawData) return dataOver(dtype, payloads[payloads.length - 1]);
  const joined = concat(payloads);
  if (field === floatData || field === doubleData) return dataOver(dtype, joined);
  // The other fields hold varints. Types of 6 bits have one for each element, smaller types one for each packed byte.
  const hasVarintPerPackedElement = dtype.bits === 6;
  return hasVarintPerPackedElement ? packVarints(label, dtype, dims, joined) : readVarints(dtype, joined);
}

/** Decodes a stream of varints. Each is an element; for types of 2 and 4 bits it is a byte of several elements.
 * @type {(dtype: DType, stream: Uint8Array) => TensorData} */
function readVarints(dtype, stream) {
  const count = protobuf.countVarints(stream);
  const elementsPerVarint = dtype.bits < 8 ? 8 / dtype.bits : 1;
  const data = newData(dtype, count * elementsPerVarint, undefined);
  const isBool = dtype.format.kind === 'bool';
  // A typed array keeps the low bits of what it is given. Of a bool they could be 0 where the number is not.
  if (dtype.bits === 64) protobuf.eachVarint(stream, (value, i) => (data[i] = value));
  else if (isBool) protobuf.eachVarint(stream, (value, i) => (data[i] = Number(value !== 0n)));
  else protobuf.eachWord(stream, (value, i) => (data[i] = value));
  return data;
}

/** Decodes a stream of varints with one element of 6 bits in the low bits of each, and packs the elements.
 * @type {(label: string, dtype: DType, dims: readonly bigint[], stream: Uint8Array) => TensorData} */
function packVarints(label, dtype, dims, stream) {
  const count = protobuf.countVarints(stream);
  // The packed bytes would not tell: 3 elements of 6 bits take as many as 4.
  const size = dims.reduce((product, extent) => product * extent, 1n);
  if (size !== BigInt(count)) rangeError(`${label}int32_data must have ${size} entries, got ${count}`);
  const data = newData(dtype, count, undefined);
  const elementMask = 2 ** dtype.bits - 1;
  protobuf.eachWord(stream, (value, i) => store(dtype, data, i, value & elementMask));
  return data;
}

/**
 * Writes a TensorProto with its data in raw_data, or in string_data for strings.
 * @param {TensorLike} tensor of any type
 * @param {NamingOptions} [options]
 * @returns {Uint8Array}
 * @example
 * const tensor = { type: 'uint8', data: Uint8Array.of(7), dims: [] };
 * writeTensorProto(tensor, { name: 'x' }); // Uint8Array [16, 2, 66, 1, 120, 74, 1, 7]
 */
export function writeTensorProto(tensor, options) {
  return named('writeTensorProto', () => {
    const { name } = readTable(options, { name: row(readText, '') });
    return encodeTensor(readWholeTensor('tensor', tensor), name);
  });
}

/** Encodes a tensor as a TensorProto: strings in string_data, other types in raw_data.
 * @type {(tensor: CheckedTensor, name: string) => Uint8Array} */
export function encodeTensor(tensor, name) {
  const { dtype, dims, data } = tensor;
  const fields = headFields(dtype, dims, name);
  if (dtype.array === 'Array') for (const text of data) fields.push(protobuf.textField(stringData, text));
  else fields.push(protobuf.bytesField(rawData, rawBytes(tensor)));
  return concat(fields);
}

/** Encodes the fields of a TensorProto except its data: dims, type and, if it is not empty, the name.
 * @type {(dtype: DType, dims: readonly number[], name: string) => Uint8Array[]} */
export function headFields(dtype, dims, name) {
  const fields = dims.map((extent) => protobuf.wholeField(tensorFields.dims, extent));
  fields.push(protobuf.wholeField(tensorFields.dataType, dtype.code));
  if (name) fields.push(protobuf.textField(tensorFields.name, name));
  return fields;
}
