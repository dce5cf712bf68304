/** Reads the attributes of a node: AttributeProto. */
import { attributeFields } from './onnx-fields.js';
import { eachVarint, submessages, readMessage, text, texts, integer } from './protobuf.js';
import { parseTensor } from './tensor-proto.js';

/** @import { AttributeValue, Reading, Row, Rows } from './types.js' */

const { f, i, s, t, floats, ints, strings, sparseTensor } = attributeFields;

/** By AttributeProto.AttributeType: the field that holds the value, and protobuf's default. */
const kinds = /** @type {const} */ ([
  { type: 1, field: f, list: false, fallback: 0 },
  { type: 2, field: i, list: false, fallback: 0 },
  { type: 3, field: s, list: false, fallback: '' },
  { type: 4, field: t, list: false, fallback: undefined },
  { type: 11, field: sparseTensor, list: false, fallback: undefined },
  { type: 6, field: floats, list: true, fallback: undefined },
  { type: 7, field: ints, list: true, fallback: undefined },
  { type: 8, field: strings, list: true, fallback: undefined },
]);

/** Adds the float32s of a field, one or several of a packed list. By a DataView, the faster way for short lists.
 * @type {Row} */
function takeFloats(record, { number, payload }) {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  for (let at = 0; at + 4 <= payload.byteLength; at += 4) record[number].push(view.getFloat32(at, true));
}

/** Adds the int64s of a field, one or several of a packed list. Those that a number does not hold exactly are bigints.
 * @type {Row} */
const takeWholes = (record, { number, payload }) =>
  eachVarint(payload, (value) => {
    const asNumber = Number(value);
    record[number].push(Number.isSafeInteger(asNumber) ? asNumber : value);
  });

/** @type {Rows} The record has a list of values under the number of each field. */
const rows = {
  [attributeFields.name]: text('name'),
  [attributeFields.type]: integer('type'),
  [f]: takeFloats,
  [floats]: takeFloats,
  [i]: takeWholes,
  [ints]: takeWholes,
  [s]: texts(s),
  [strings]: texts(strings),
  [t]: submessages(t, (message, { external }) => parseTensor(message, external).tensor),
  [sparseTensor]: submessages(sparseTensor, (message, { sparse }) => sparse(message)),
};

/** Reads an AttributeProto: its name and its value. The attribute's type says which field counts; of a field for one
 * value, the last one. The value is undefined for graphs and types, and if neither a type nor a value is there.
 * @type {(message: Uint8Array, reading: Reading) => [name: string, value: AttributeValue]} */
export function readAttribute(message, reading) {
  /** @type {any} */
  const record = { name: '', type: 0 };
  for (const { field } of kinds) record[field] = [];
  readMessage(message, rows, record, reading);
  // Files of the first IR version do not say the type: there the field that has values decides.
  const hasType = record.type !== 0;
  const kind = kinds.find(({ type, field }) => (hasType ? type === record.type : record[field].length > 0));
  if (!kind) return [record.name, undefined];
  const values = record[kind.field];
  return [record.name, kind.list ? values : (values.at(-1) ?? kind.fallback)];
}
