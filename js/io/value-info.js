/** What a graph says of its inputs, outputs and inner values: ValueInfoProto, read and rewritten. */
import { concat } from './bytes.js';
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

/** @import { Parts, TypeName } from '../tensor/index.js' */
/** @import { Field } from './protobuf.js' */

/**
 * What a graph says about an input or output.
 * @typedef {object} ValueInfo
 * @property {string} name
 * @property {TypeName | undefined} type of the elements; undefined if this is no tensor or sequence of tensors
 * @property {(number | string | null)[] | null} dims each is a number, the name of a symbol, or null where it is
 *   unknown; null if the rank is unknown
 * @property {boolean} sequence
 */

/**
 * Reads one ValueInfoProto.
 * @param {string} prefix
 * @param {Uint8Array} message
 * @returns {ValueInfo}
 */
export function readValueInfo(prefix, message) {
  /** @type {ValueInfo} */
  const info = { name: '', type: undefined, dims: null, sequence: false };
  for (const field of fieldsOf(prefix, message)) {
    if (field.number === valueInfoFields.name) info.name = asText(prefix, field);
    else if (field.number === valueInfoFields.type) readType(prefix, asBytes(prefix, field), info);
  }
  return info;
}

/**
 * Reads a TypeProto: of a tensor, or of a sequence of tensors.
 * @param {string} prefix
 * @param {Uint8Array} message
 * @param {ValueInfo} info takes what is read
 */
function readType(prefix, message, info) {
  for (const field of fieldsOf(prefix, message)) {
    if (field.number === typeFields.tensorType) {
      readTensorType(prefix, asBytes(prefix, field), info);
    } else if (field.number === typeFields.sequenceType && !info.sequence) {
      // One level alone: a file could nest sequences until the stack is full.
      info.sequence = true;
      for (const element of fieldsOf(prefix, asBytes(prefix, field)))
        if (element.number === sequenceTypeFields.elemType) readType(prefix, asBytes(prefix, element), info);
    }
  }
}

/**
 * @param {string} prefix
 * @param {Uint8Array} message
 * @param {ValueInfo} info takes what is read
 */
function readTensorType(prefix, message, info) {
  for (const field of fieldsOf(prefix, message)) {
    // Code 0 is UNDEFINED.
    if (field.number === tensorTypeFields.elemType && asWhole(prefix, field) !== 0n)
      info.type = dtypeOfCode(prefix, 'elem_type', asWhole(prefix, field)).name;
    if (field.number === tensorTypeFields.shape) info.dims = readShape(prefix, asBytes(prefix, field));
  }
}

/**
 * @param {string} prefix
 * @param {Uint8Array} message
 * @returns {(number | string | null)[]}
 */
function readShape(prefix, message) {
  const dims = [];
  for (const field of fieldsOf(prefix, message))
    if (field.number === shapeFields.dim) dims.push(readDim(prefix, field));
  return dims;
}

/**
 * @param {string} prefix
 * @param {Field} dim
 * @returns {number | string | null}
 */
function readDim(prefix, dim) {
  /** @type {number | string | null} */
  let extent = null;
  for (const field of fieldsOf(prefix, asBytes(prefix, dim))) {
    if (field.number === dimFields.value) extent = Number(asWhole(prefix, field));
    else if (field.number === dimFields.param) extent = asText(prefix, field) || null;
  }
  return extent;
}

/**
 * A ValueInfoProto with another type and other dims; its other fields are kept.
 * @param {string} prefix
 * @param {Uint8Array} message
 * @param {string} name
 * @param {Pick<Parts, 'dtype'> & { dims: readonly number[] }} tensor gives the type and dims
 * @returns {Uint8Array}
 */
export function replaceType(prefix, message, name, { dtype, dims }) {
  const shape = concat(
    prefix,
    dims.map((extent) => bytesField(prefix, shapeFields.dim, wholeField(dimFields.value, extent))),
  );
  const tensorType = concat(prefix, [
    wholeField(tensorTypeFields.elemType, dtype.code),
    bytesField(prefix, tensorTypeFields.shape, shape),
  ]);
  const fields = [
    textField(prefix, valueInfoFields.name, name),
    bytesField(prefix, valueInfoFields.type, bytesField(prefix, typeFields.tensorType, tensorType)),
  ];
  for (const { number, whole } of fieldsOf(prefix, message))
    if (number !== valueInfoFields.name && number !== valueInfoFields.type) fields.push(whole);
  return concat(prefix, fields);
}
