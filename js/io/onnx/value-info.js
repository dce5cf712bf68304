/** The types and dims that a graph states of values: ValueInfoProto, read and rewritten. */
import { concat } from '../bytes.js';
import {
  dimFields,
  sequenceTypeFields,
  shapeFields,
  tensorTypeFields,
  typeFields,
  valueInfoFields,
} from './onnx-fields.js';
import { asBytes, asText, asWhole, bytesField, fieldsOf, textField, wholeField } from './protobuf.js';
import { dtypeOfCode } from './tensor-proto.js';

/** @import { CheckedTensor } from '../../tensor/index.js' */
/** @import { Field, ValueInfo } from './types.js' */

/** @type {(message: Uint8Array) => ValueInfo} */
export function readValueInfo(message) {
  /** @type {ValueInfo} */
  const info = { name: '', type: undefined, dims: null, sequence: false };
  for (const field of fieldsOf(message)) {
    if (field.number === valueInfoFields.name) info.name = asText(field);
    else if (field.number === valueInfoFields.type) readType(asBytes(field), info);
  }
  return info;
}

/** @type {(message: Uint8Array, info: ValueInfo) => void} */
function readType(message, info) {
  for (const field of fieldsOf(message)) {
    if (field.number === typeFields.tensorType) {
      readTensorType(asBytes(field), info);
    } else if (field.number === typeFields.sequenceType && !info.sequence) {
      // One level alone: a file could nest sequences until the stack is full.
      info.sequence = true;
      for (const element of fieldsOf(asBytes(field)))
        if (element.number === sequenceTypeFields.elemType) readType(asBytes(element), info);
    }
  }
}

/** @type {(message: Uint8Array, info: ValueInfo) => void} */
function readTensorType(message, info) {
  for (const field of fieldsOf(message)) {
    // Code 0 is UNDEFINED.
    if (field.number === tensorTypeFields.elemType && asWhole(field) !== 0n)
      info.type = dtypeOfCode('elem_type', asWhole(field)).name;
    if (field.number === tensorTypeFields.shape) info.dims = readShape(asBytes(field));
  }
}

/** @type {(message: Uint8Array) => (number | string | null)[]} */
function readShape(message) {
  const dims = [];
  for (const field of fieldsOf(message)) if (field.number === shapeFields.dim) dims.push(readDim(field));
  return dims;
}

/** @type {(dim: Field) => number | string | null} */
function readDim(dim) {
  /** @type {number | string | null} */
  let extent = null;
  for (const field of fieldsOf(asBytes(dim))) {
    if (field.number === dimFields.value) extent = Number(asWhole(field));
    else if (field.number === dimFields.param) extent = asText(field) || null;
  }
  return extent;
}

/** @type {(message: Uint8Array, name: string, tensor: Pick<CheckedTensor, 'dtype'> & { dims: readonly number[] }) =>
 *   Uint8Array} */
export function replaceType(message, name, { dtype, dims }) {
  const shape = concat(dims.map((extent) => bytesField(shapeFields.dim, wholeField(dimFields.value, extent))));
  const tensorType = concat([
    wholeField(tensorTypeFields.elemType, dtype.code),
    bytesField(tensorTypeFields.shape, shape),
  ]);
  const fields = [
    textField(valueInfoFields.name, name),
    bytesField(valueInfoFields.type, bytesField(typeFields.tensorType, tensorType)),
  ];
  for (const { number, whole } of fieldsOf(message))
    if (number !== valueInfoFields.name && number !== valueInfoFields.type) fields.push(whole);
  return concat(fields);
}
