/** The types that a graph states of its values: ValueInfoProto. */
import { rangeError } from '../../arguments/index.js';
import * as io from '../../io/internal.js';

/** @import { Info } from './types.js' */

const { infoFields, sequenceFields, tensorTypeFields, typeFields } = io;

/** The most sequences and optionals around a tensor type. Each is two messages, and protobuf itself reads 100 inside of
 * each other. */
const maxNesting = 50;

/** Finds the last field of a number in a message, which by protobuf's rule counts; undefined if there is none.
 * @type {(message: Uint8Array, number: number) => Uint8Array | undefined} */
function lastField(message, number) {
  let last;
  for (const field of io.fieldsOf(message)) if (field.number === number) last = io.asBytes(field);
  return last;
}

/** Reads the TensorProto code of the elements of a TypeProto, also of tensors in a sequence or an optional; 0 for other
 * types, and for those that are nested too deep.
 * @type {(type: Uint8Array | undefined) => number} */
function elementCode(type) {
  for (let inner = type, depth = 0; inner && depth < maxNesting; depth++) {
    const tensor = lastField(inner, typeFields.tensorType);
    if (tensor) return io.readMessage(tensor, { [tensorTypeFields.elemType]: io.integer('code') }, { code: 0 }).code;
    const sequenceOrOptional = lastField(inner, typeFields.sequenceType) ?? lastField(inner, typeFields.optionalType);
    // The type inside has one field number in both.
    inner = sequenceOrOptional && lastField(sequenceOrOptional, sequenceFields.elemType);
  }
  return 0;
}

/** @type {(message: Uint8Array) => Info} */
export function readInfo(message) {
  const { name } = io.readMessage(message, { [infoFields.name]: io.text('name') }, { name: '' });
  return { name, code: elementCode(lastField(message, infoFields.type)), message };
}

/** Copies a message and rewrites the values of some fields, by the functions that `rewriters` has for field numbers.
 * @type {(message: Uint8Array, rewriters: Record<number, (bytes: Uint8Array) => Uint8Array>) => Uint8Array} */
function withRewrittenFields(message, rewriters) {
  const fields = Array.from(io.fieldsOf(message), (field) => {
    const rewrite = rewriters[field.number];
    return rewrite ? io.bytesField(field.number, rewrite(io.asBytes(field))) : field.bytes;
  });
  return io.concat(fields);
}

/** Copies a TypeProto with another element type. `depth`: how many sequences and optionals are around it.
 * @type {(type: Uint8Array, code: number, depth?: number) => Uint8Array} */
function withCode(type, code, depth = 0) {
  if (depth >= maxNesting) rangeError(`types must be nested at most ${maxNesting} deep, got more`);
  const rewriteTensor = (/** @type {Uint8Array} */ tensor) =>
    io.concat(
      Array.from(io.fieldsOf(tensor), ({ number, bytes }) =>
        number === tensorTypeFields.elemType ? io.wholeField(number, code) : bytes,
      ),
    );
  const rewriteSequenceOrOptional = (/** @type {Uint8Array} */ holder) =>
    withRewrittenFields(holder, { [sequenceFields.elemType]: (inner) => withCode(inner, code, depth + 1) });
  return withRewrittenFields(type, {
    [typeFields.tensorType]: rewriteTensor,
    [typeFields.sequenceType]: rewriteSequenceOrOptional,
    [typeFields.optionalType]: rewriteSequenceOrOptional,
  });
}

/** @type {(info: Info, code: number) => void} */
export function setCode(info, code) {
  info.code = code;
  info.message = withRewrittenFields(info.message, { [infoFields.type]: (type) => withCode(type, code) });
}

/** @type {(info: Info, name: string) => void} */
export function setName(info, name) {
  const otherFields = Array.from(io.fieldsOf(info.message)).filter(({ number }) => number !== infoFields.name);
  info.name = name;
  info.message = io.concat([io.textField(infoFields.name, name), ...otherFields.map(({ bytes }) => bytes)]);
}
