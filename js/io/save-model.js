/** ONNX models of any size, written as they are made, their data in the file or in another one. */
import { show, wrongKind, wrongValue } from '../arguments/index.js';
import { byteLengthOf, entryOf, readSaveOptions, Saved } from '../weights/index.js';
import { concat, readBytes } from './bytes.js';
import { checkLocation } from './external-data.js';
import { nameFields, textIn } from './initializers.js';
import { entryFields, graphFields, modelFields, tensorFields } from './onnx-fields.js';
import { asBytes, bytesField, bytesHead, fieldsOf, textField, varints, wholeField } from './protobuf.js';
import { readEntries } from './save.js';
import { headFields, readFields } from './tensor-proto.js';
import { replaceType } from './value-info.js';

/** @import { TensorLike } from '../tensor/index.js' */
/** @import { Elements, Entry, SaveOptions } from '../weights/index.js' */
/** @typedef {Uint8Array | Elements} Part */

/** protobuf's own limit of a message, in bytes. */
const modelLimit = 2 ** 31 - 1;
/** Shorter data stay in the model, as `onnx.external_data_helper` leaves them there. In bytes. */
const leastExternal = 1024;
/**
 * Where data begin in the other file. Memory is mapped by pages: those of Windows begin at multiples of 64 KiB, so
 * onnxruntime puts data of 1 MiB and more there.
 * @type {(length: number) => number}
 */
const alignmentOf = (length) => (length >= 2 ** 20 ? 2 ** 16 : 64);

/**
 * The other file, while the places in it are given away.
 * @typedef {{ location: string, parts: Part[], end: number }} Outside
 */

/**
 * Makes an ONNX model of any size: the graph of a model, with other initializers. Everything else is kept byte for
 * byte, except what the graph says of the types and dims of initializers that have changed.
 *
 * ONNX: onnx.proto, and "External Data".
 * @param {Uint8Array} bytes a model: what `openModel` gives as `bytes`, or a whole file. Its initializers stay where
 *   they are if `initializers` has one of their name, and are left out otherwise
 * @param {ReadonlyMap<string, Entry | TensorLike>} initializers by name: all that the model has
 * @param {{ external?: string } & SaveOptions} [options] `external`: the name of a file for all data of 1 KiB and more,
 *   as the model will name it; needed for models of 2 GiB and more. `onProgress`: is called with `{ done, total }` in
 *   bytes of one file; `signal`: ends the work
 * @returns {Promise<{ model: Saved, external?: Saved }>} the model's file and, with the option, the other one: their
 *   sizes, and their bytes as async iterables
 * @throws {TypeError} no bytes, no Map of entries and tensors, an unknown option
 * @throws {RangeError} bytes that are no model, a model of 2 GiB or more, a name that is no path inside the model's
 *   folder
 * @throws {Error} before `init()`, when bytes are asked for
 * @example
 * const { bytes: graph, initializers } = await openModel(bytes);
 * initializers.set('weight', initializers.get('weight').cast('float16'));
 * const { model } = await saveModel(graph, initializers);
 * model.byteLength; // 107
 */
export async function saveModel(bytes, initializers, options) {
  const prefix = 'saveModel';
  const { external, ...rest } = readSaveOptions(prefix, options, ['external']);
  const file = readBytes(prefix, bytes);
  const named = readEntries(prefix, initializers);
  const location = external === undefined ? undefined : readName(prefix, 'external', external);
  return modelFiles(prefix, file, named, location, rest, 'external');
}

/**
 * Makes a model's files.
 * @param {string} prefix
 * @param {Uint8Array} file
 * @param {Map<string, Elements>} named
 * @param {string | undefined} location of the data
 * @param {SaveOptions} options
 * @param {string} argument that names the location
 * @returns {Promise<{ model: Saved, external?: Saved }>}
 */
export async function modelFiles(prefix, file, named, location, options, argument) {
  /** @type {Outside | undefined} */
  const outside = location === undefined ? undefined : { location, parts: [], end: 0 };
  const model = new Saved(prefix, await modelParts(prefix, file, named, outside), options);
  if (model.byteLength > modelLimit) {
    const hint = outside ? '' : `: name a file for its data by the option ${argument}`;
    wrongValue(prefix, `model must have at most ${modelLimit} bytes${hint}, got ${model.byteLength}`);
  }
  return outside ? { model, external: new Saved(prefix, outside.parts, options) } : { model };
}

/**
 * Reads the name of a file for data.
 * @param {string} prefix
 * @param {string} argument
 * @param {unknown} name
 * @returns {string}
 */
export function readName(prefix, argument, name) {
  if (typeof name !== 'string') wrongKind(prefix, `${argument} must be a string, got ${show(name)}`);
  return checkLocation(prefix, `${argument} location`, 'model', name);
}

/**
 * @param {string} prefix
 * @param {Uint8Array} file
 * @param {Map<string, Elements>} named
 * @param {Outside | undefined} outside
 * @returns {Promise<Part[]>}
 */
async function modelParts(prefix, file, named, outside) {
  const fields = [...fieldsOf(prefix, file)];
  const last = fields.findLast(({ number }) => number === modelFields.graph);
  if (!last) wrongValue(prefix, 'bytes must have a graph, got none');
  /** @type {Part[]} */
  const parts = [];
  const missing = new Map(named);
  for (const field of fields) {
    if (field.number === modelFields.graph) {
      const graph = await graphParts(prefix, asBytes(prefix, field), named, missing, outside);
      if (field === last)
        for (const [name, elements] of missing) graph.push(...(await tensorParts(prefix, name, elements, outside)));
      const length = graph.reduce((sum, part) => sum + lengthOf(part), 0);
      parts.push(lengthHead(prefix, modelFields.graph, length), ...graph);
    } else parts.push(field.whole);
  }
  return parts;
}

/** @type {(part: Part) => number} */
const lengthOf = (part) => (part instanceof Uint8Array ? part.length : byteLengthOf(part));

/**
 * The beginning of a field that may be too long: the whole model's length is checked, with a better message.
 * @param {string} prefix
 * @param {number} number
 * @param {number} length
 * @returns {Uint8Array}
 */
const lengthHead = (prefix, number, length) => bytesHead(prefix, number, Math.min(length, modelLimit));

/**
 * @param {string} prefix
 * @param {Uint8Array} graph
 * @param {Map<string, Elements>} named
 * @param {Map<string, Elements>} missing loses those that the graph has
 * @param {Outside | undefined} outside
 * @returns {Promise<Part[]>}
 */
async function graphParts(prefix, graph, named, missing, outside) {
  /** @type {Part[]} */
  const parts = [];
  const changed = changedIn(prefix, graph, named);
  for (const field of fieldsOf(prefix, graph)) {
    const { number, whole } = field;
    const nameField = nameFields.get(number);
    const name = nameField === undefined ? '' : textIn(prefix, asBytes(prefix, field), nameField);
    if (number === graphFields.initializer) {
      const elements = missing.get(name);
      if (elements) parts.push(...(await tensorParts(prefix, name, elements, outside)));
      missing.delete(name);
    } else if (nameField !== undefined && changed.has(name)) {
      const { dtype, dims } = /** @type {Elements} */ (named.get(name));
      parts.push(bytesField(prefix, number, replaceType(prefix, asBytes(prefix, field), name, { dtype, dims })));
    } else parts.push(whole);
  }
  return parts;
}

/**
 * The initializers that get another type or other dims.
 * @param {string} prefix
 * @param {Uint8Array} graph
 * @param {Map<string, Elements>} named
 * @returns {Set<string>} names
 */
function changedIn(prefix, graph, named) {
  /** @type {Set<string>} */
  const changed = new Set();
  for (const field of fieldsOf(prefix, graph)) {
    if (field.number !== graphFields.initializer) continue;
    const { name, code, extents } = readFields(prefix, asBytes(prefix, field));
    const elements = named.get(name);
    if (
      elements &&
      !(BigInt(elements.dtype.code) === code && String(elements.dims) === String(varints(prefix, extents)))
    )
      changed.add(name);
  }
  return changed;
}

/**
 * An initializer's field of the graph.
 * @param {string} prefix
 * @param {string} name
 * @param {Elements} elements
 * @param {Outside | undefined} outside gets the data, if they are long
 * @returns {Promise<Part[]>}
 */
async function tensorParts(prefix, name, elements, outside) {
  const { dtype, dims } = elements;
  /** @type {Part[]} */
  let parts = [concat(prefix, headFields(prefix, dtype, dims, name))];
  if (dtype.array === 'Array') {
    const { data } = await entryOf(elements, 0).read();
    parts.push(...data.map((/** @type {string} */ text) => textField(prefix, tensorFields.stringData, text)));
  } else if (outside && byteLengthOf(elements) >= leastExternal) {
    parts.push(placeFields(prefix, elements, outside));
  } else {
    parts = [...parts, lengthHead(prefix, tensorFields.rawData, byteLengthOf(elements)), elements];
  }
  const length = parts.reduce((sum, part) => sum + lengthOf(part), 0);
  return [lengthHead(prefix, graphFields.initializer, length), ...parts];
}

/**
 * Gives elements a place in the other file.
 * @param {string} prefix
 * @param {Elements} elements
 * @param {Outside} outside
 * @returns {Uint8Array} the fields that say where it is
 */
function placeFields(prefix, elements, outside) {
  const length = byteLengthOf(elements);
  const alignment = alignmentOf(length);
  const offset = Math.ceil(outside.end / alignment) * alignment;
  if (offset > outside.end) outside.parts.push(new Uint8Array(offset - outside.end));
  outside.parts.push(elements);
  outside.end = offset + length;
  const entries = { location: outside.location, offset: String(offset), length: String(length) };
  const fields = Object.entries(entries).map(([key, value]) =>
    bytesField(
      prefix,
      tensorFields.externalData,
      concat(prefix, [textField(prefix, entryFields.key, key), textField(prefix, entryFields.value, value)]),
    ),
  );
  return concat(prefix, [...fields, wholeField(tensorFields.dataLocation, 1)]);
}
