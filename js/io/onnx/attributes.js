/** Reads the attributes of a node: AttributeProto. */
import { attributeFields } from './onnx-fields.js';
import { asBytes, asText, asWhole, eachVarint, fieldsOf } from './protobuf.js';
import { parseTensor } from './tensor-proto.js';

/** @import { AttributeValue, External, Field } from './types.js' */

const { f, i, s, t, floats, ints, strings } = attributeFields;

/** By AttributeProto.AttributeType: the field that holds the value, and protobuf's default. */
const kinds = /** @type {const} */ ([
  { type: 1, field: f, list: false, fallback: 0 },
  { type: 2, field: i, list: false, fallback: 0 },
  { type: 3, field: s, list: false, fallback: '' },
  { type: 4, field: t, list: false, fallback: undefined },
  { type: 6, field: floats, list: true, fallback: undefined },
  { type: 7, field: ints, list: true, fallback: undefined },
  { type: 8, field: strings, list: true, fallback: undefined },
]);

/** @type {(message: Uint8Array, external: External | undefined) => [name: string, value: AttributeValue]} */
export function readAttribute(message, external) {
  let name = '';
  let type = 0;
  /** @type {Map<number, any[]>} */
  const values = new Map(kinds.map(({ field }) => [field, []]));
  for (const field of fieldsOf(message)) {
    if (field.number === attributeFields.name) name = asText(field);
    else if (field.number === attributeFields.type) type = Number(asWhole(field));
    else readValues(field, external, values.get(field.number));
  }
  // Files of the first IR version do not say the type.
  const kind = kinds.find((row) => (type === 0 ? values.get(row.field)?.length : row.type === type));
  const list = kind && values.get(kind.field);
  return [name, kind?.list ? list : (list?.at(-1) ?? kind?.fallback)];
}

/** @type {(field: Field, external: External | undefined, values: any[] | undefined) => void} */
function readValues(field, external, values) {
  switch (field.number) {
    case f:
    case floats: {
      const { buffer, byteOffset, byteLength } = field.payload;
      const view = new DataView(buffer, byteOffset, byteLength);
      for (let at = 0; at + 4 <= byteLength; at += 4) values?.push(view.getFloat32(at, true));
      break;
    }
    case i:
    case ints:
      eachVarint(field.payload, (value) => values?.push(Number.isSafeInteger(Number(value)) ? Number(value) : value));
      break;
    case s:
    case strings:
      values?.push(asText(field));
      break;
    case t:
      values?.push(parseTensor(asBytes(field), external).tensor);
      break;
    default:
  }
}
