/** Data of initializers in files beside the model: ONNX's "External Data". */
import { rangeError } from '../../arguments/index.js';
import { byteLengthOfPart } from '../../weights/index.js';
import { concat } from '../bytes.js';
import { entryFields, tensorFields } from './onnx-fields.js';
import { bytesField, bytesHead, textField, wholeField } from './protobuf.js';

/** @import { Outside, OutsideFile, Part } from './types.js' */

/** protobuf's own limit of a message, in bytes. */
const modelLimit = 2 ** 31 - 1;
/** Shorter data stay in the model, as `onnx.external_data_helper` leaves them there. In bytes. */
const minExternal = 1024;
/** Gives the multiple of bytes at which data of this length begin. Windows maps memory at multiples of 64 KiB, so
 * onnxruntime puts data of 1 MiB and more there.
 * @type {(length: number) => number} */
const alignmentOf = (length) => (length >= 2 ** 20 ? 2 ** 16 : 64);

/** @type {(pieces: readonly Part[]) => number} */
export const byteLengthOfParts = (pieces) => pieces.reduce((sum, part) => sum + byteLengthOfPart(part), 0);

/** Adds parts to a list. Without a spread: the arguments of a call have to fit on the stack.
 * @type {(pieces: Part[], more: readonly Part[]) => void} */
export function append(pieces, more) {
  for (const part of more) pieces.push(part);
}

/** Encodes the tag and the length of a field. A length above protobuf's limit becomes the limit: checkModelLength
 * refuses such a model later, with a better message.
 * @type {(number: number, length: number) => Uint8Array} */
export const lengthHead = (number, length) => bytesHead(number, Math.min(length, modelLimit));

/** Refuses a model that is longer than protobuf allows. `outside`: undefined if all data stay in the model.
 * @type {(pieces: readonly Part[], outside: Outside | undefined) => void} */
export function checkModelLength(pieces, outside) {
  const length = byteLengthOfParts(pieces);
  if (length <= modelLimit) return;
  const hint = outside ? '' : ': name a file for its data by the option externalName';
  rangeError(`model must have at most ${modelLimit} bytes${hint}, got ${length}`);
}

/** TensorProto.DataLocation. */
const dataLocations = { external: 1 };

/** Makes the fields of a TensorProto that have its data or, if they go to a file beside the model, say where they lie
 * there; then adds them to that file. `outside`: undefined if all data stay in the model.
 * @type {(data: Part, outside: Outside | undefined) => Part[]} */
export function placeData(data, outside) {
  const length = byteLengthOfPart(data);
  if (!outside || length < minExternal) return [lengthHead(tensorFields.rawData, length), data];
  const file = fileFor(length, outside);
  const offset = addAligned(file, data);
  return [placeFields(file.location, offset, length)];
}

/** Gives the byte at which data of this length begin in a file that has `end` bytes so far.
 * @type {(end: number, length: number) => number} */
function offsetBehind(end, length) {
  const alignment = alignmentOf(length);
  return Math.ceil(end / alignment) * alignment;
}

/** Gives the last file of `outside.files`, or a new one if the data would pass its limit. An empty file takes even data
 * that are longer than that.
 * @type {(length: number, outside: Outside) => OutsideFile} */
function fileFor(length, { location, maxBytes, files }) {
  const last = files.at(-1);
  const fits = (/** @type {OutsideFile} */ { end }) => offsetBehind(end, length) + length <= maxBytes;
  if (last && (last.end === 0 || fits(last))) return last;
  const name = files.length === 0 ? location : `${location}_${files.length}`;
  const file = { location: name, content: [], end: 0 };
  files.push(file);
  return file;
}

/** Adds data to the end of a file, and gives the byte at which they begin.
 * @type {(file: OutsideFile, data: Part) => number} */
function addAligned(file, data) {
  const length = byteLengthOfPart(data);
  const offset = offsetBehind(file.end, length);
  if (offset > file.end) file.content.push(new Uint8Array(offset - file.end));
  file.content.push(data);
  file.end = offset + length;
  return offset;
}

/** Encodes the fields of a TensorProto that say where its data lie.
 * @type {(location: string, offset: number, length: number) => Uint8Array} */
function placeFields(location, offset, length) {
  const place = { location, offset: String(offset), length: String(length) };
  const entries = Object.entries(place).map(([key, value]) =>
    concat([textField(entryFields.key, key), textField(entryFields.value, value)]),
  );
  return concat([
    ...entries.map((entry) => bytesField(tensorFields.externalData, entry)),
    wholeField(tensorFields.dataLocation, dataLocations.external),
  ]);
}
