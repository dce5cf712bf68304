/** The types and dims that a graph states of values: ValueInfoProto, read and rewritten. */
import { concat } from '../bytes.js';
import { dimFields, sequenceFields, shapeFields, tensorTypeFields, typeFields, infoFields } from './onnx-fields.js';
import * as protobuf from './protobuf.js';
import { dtypeOfCode } from './tensor-proto.js';

/** @import { CheckedTensor } from '../../tensor/index.js' */
/** @import { Rows, ValueInfo } from './types.js' */

/** @type {Rows} A dim has a value or a symbol. Of two, the last one counts; an empty symbol means an unknown extent. */
const dimRows = {
  [dimFields.value]: protobuf.integer('extent'),
  [dimFields.param]: (dim, field) => void (dim.extent = protobuf.asText(field) || null),
};

/** Reads a dim: a number, the name of a symbol, or null if it is unknown.
 * @type {(message: Uint8Array) => number | string | null} */
const readDim = (message) => protobuf.readMessage(message, dimRows, { extent: null }).extent;

/** @type {Rows} */
const shapeRows = { [shapeFields.dim]: protobuf.submessages('dims', readDim) };

/** @type {(message: Uint8Array) => (number | string | null)[]} */
const readShape = (message) => protobuf.readMessage(message, shapeRows, { dims: [] }).dims;

/** @type {Rows} */
const tensorTypeRows = {
  // Code 0 is UNDEFINED.
  [tensorTypeFields.elemType]: (info, field) => {
    if (protobuf.asWhole(field) !== 0n) info.type = dtypeOfCode('elem_type', protobuf.asWhole(field)).name;
  },
  [tensorTypeFields.shape]: protobuf.submessage('dims', readShape),
};

/** @type {Rows} */
const sequenceTypeRows = {
  [sequenceFields.elemType]: (info, field) => void protobuf.readMessage(protobuf.asBytes(field), typeRows, info),
};

/** @type {Rows} */
const typeRows = {
  [typeFields.tensorType]: protobuf.inside(tensorTypeRows),
  [typeFields.sequenceType]: (info, field) => {
    // One level alone: a file could nest sequences until the stack is full.
    if (info.sequence) return;
    info.sequence = true;
    protobuf.readMessage(protobuf.asBytes(field), sequenceTypeRows, info);
  },
};

/** @type {Rows} */
const valueInfoRows = {
  [infoFields.name]: protobuf.text('name'),
  [infoFields.type]: protobuf.inside(typeRows),
};

/** Reads the name, type and dims that a graph states of a value.
 * @type {(message: Uint8Array) => ValueInfo} */
export const readValueInfo = (message) =>
  protobuf.readMessage(message, valueInfoRows, { name: '', type: undefined, dims: null, sequence: false });

/** Encodes a ValueInfoProto with the type and dims of a tensor, and keeps the fields of `message` other than its name
 * and type.
 * @type {(message: Uint8Array, name: string, tensor: Pick<CheckedTensor, 'dtype'> & { dims: readonly number[] }) =>
 *   Uint8Array} */
export function replaceType(message, name, { dtype, dims }) {
  const encodeDim = (/** @type {number} */ extent) => protobuf.wholeField(dimFields.value, extent);
  const shape = concat(dims.map((extent) => protobuf.bytesField(shapeFields.dim, encodeDim(extent))));
  const tensorType = concat([
    protobuf.wholeField(tensorTypeFields.elemType, dtype.code),
    protobuf.bytesField(tensorTypeFields.shape, shape),
  ]);
  const type = protobuf.bytesField(typeFields.tensorType, tensorType);
  const fields = [protobuf.textField(infoFields.name, name), protobuf.bytesField(infoFields.type, type)];
  for (const { number, bytes } of protobuf.fieldsOf(message))
    if (number !== infoFields.name && number !== infoFields.type) fields.push(bytes);
  return concat(fields);
}
