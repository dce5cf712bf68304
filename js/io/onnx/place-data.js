/** Data of initializers in files beside the model: ONNX's "External Data". */
import { rangeError } from '../../arguments/index.js';
import { lengthOf } from '../../weights/index.js';
import { concat } from '../bytes.js';
import { entryFields, tensorFields } from './onnx-fields.js';
import { bytesField, bytesHead, textField, wholeField } from './protobuf.js';

/** @import { Outside, Part } from './types.js' */

/** protobuf's own limit of a message, in bytes. */
const modelLimit = 2 ** 31 - 1;
/** Shorter data stay in the model, as `onnx.external_data_helper` leaves them there. In bytes. */
const minExternal = 1024;
/** @type {(length: number) => number} The multiple at which data of this length begin, in bytes. Windows maps memory at
 *   multiples of 64 KiB, so onnxruntime puts data of 1 MiB and more there. */
const alignmentOf = (length) => (length >= 2 ** 20 ? 2 ** 16 : 64);

/** Computes the bytes of parts together.
 * @type {(pieces: readonly Part[]) => number} */
export const sumOf = (pieces) => pieces.reduce((sum, part) => sum + lengthOf(part), 0);

/** Adds parts to a list. Without a spread: the arguments of a call have to fit on the stack.
 * @type {(pieces: Part[], more: readonly Part[]) => void} */
export function append(pieces, more) {
  for (const part of more) pieces.push(part);
}

/** Encodes the tag and the length of a field. A length above protobuf's limit becomes the limit: checkModelLength
 * refuses such a model later, with a better message.
 * @type {(number: number, length: number) => Uint8Array} */
export const lengthHead = (number, length) => bytesHead(number, Math.min(length, modelLimit));

/** Refuses a model that is longer than protobuf allows.
 * @type {(pieces: readonly Part[], outside: Outside | undefined) => void} */
export function checkModelLength(pieces, outside) {
  const length = sumOf(pieces);
  if (length <= modelLimit) return;
  const hint = outside ? '' : ': name a file for its data by the option externalName';
  rangeError(`model must have at most ${modelLimit} bytes${hint}, got ${length}`);
}

/** Makes the fields of a TensorProto that have its data or, if they go to a file beside the model, say where they lie
 * there. In that case adds the data to the last file of `outside.files`, or to a new one if they would pass its limit.
 * `outside`: undefined if all data stay in the model.
 * @type {(data: Part, outside: Outside | undefined) => Part[]} */
export function placeData(data, outside) {
  const length = lengthOf(data);
  if (!outside || length < minExternal) return [lengthHead(tensorFields.rawData, length), data];
  // Where the data begin in a file that has `end` bytes so far.
  const offsetIn = (/** @type {number} */ end) => Math.ceil(end / alignmentOf(length)) * alignmentOf(length);
  // Choose the file. An empty one takes even data that are longer than its limit.
  const { location, maxBytes, files } = outside;
  let file = files.at(-1);
  if (!file || (file.end > 0 && offsetIn(file.end) + length > maxBytes)) {
    file = { location: files.length === 0 ? location : `${location}_${files.length}`, content: [], end: 0 };
    files.push(file);
  }
  // Put the data at its end.
  const offset = offsetIn(file.end);
  if (offset > file.end) file.content.push(new Uint8Array(offset - file.end));
  file.content.push(data);
  file.end = offset + length;
  // Say where they are: in external_data, with the data location 1, EXTERNAL.
  const entries = { location: file.location, offset: String(offset), length: String(length) };
  const fields = Object.entries(entries).map(([key, value]) =>
    bytesField(
      tensorFields.externalData,
      concat([textField(entryFields.key, key), textField(entryFields.value, value)]),
    ),
  );
  return [concat([...fields, wholeField(tensorFields.dataLocation, 1)])];
}
