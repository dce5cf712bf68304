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
import {
  asBytes,
  asText,
  asWhole,
  bytesField,
  fieldsOf,
  inside,
  part,
  parts,
  readMessage,
  text,
  textField,
  whole,
  wholeField,
} from './protobuf.js';
import { dtypeOfCode } from './tensor-proto.js';

/** @import { CheckedTensor } from '../../tensor/index.js' */
/** @import { Rows, ValueInfo } from './types.js' */

/** @type {Rows} A dim has a value or a symbol. Of two, the last one counts; an empty symbol means an unknown extent. */
const dimRows = {
  [dimFields.value]: whole('extent'),
  [dimFields.param]: (dim, field) => void (dim.extent = asText(field) || null),
};

/** @type {Rows} */
const shapeRows = {
  [shapeFields.dim]: parts('dims', (message) => readMessage(message, dimRows, { extent: null }).extent),
};

/** @type {Rows} */
const tensorTypeRows = {
  // Code 0 is UNDEFINED.
  [tensorTypeFields.elemType]: (info, field) => {
    if (asWhole(field) !== 0n) info.type = dtypeOfCode('elem_type', asWhole(field)).name;
  },
  [tensorTypeFields.shape]: part('dims', (message) => readMessage(message, shapeRows, { dims: [] }).dims),
};

/** @type {Rows} */
const sequenceTypeRows = {
  [sequenceTypeFields.elemType]: (info, field) => void readMessage(asBytes(field), typeRows, info),
};

/** @type {Rows} */
const typeRows = {
  [typeFields.tensorType]: inside(tensorTypeRows),
  [typeFields.sequenceType]: (info, field) => {
    // One level alone: a file could nest sequences until the stack is full.
    if (info.sequence) return;
    info.sequence = true;
    readMessage(asBytes(field), sequenceTypeRows, info);
  },
};

/** @type {Rows} */
const valueInfoRows = {
  [valueInfoFields.name]: text('name'),
  [valueInfoFields.type]: inside(typeRows),
};

/** @type {(message: Uint8Array) => ValueInfo} */
export const readValueInfo = (message) =>
  readMessage(message, valueInfoRows, { name: '', type: undefined, dims: null, sequence: false });

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
