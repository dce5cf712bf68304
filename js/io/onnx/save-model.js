/** ONNX models of any size, written as they are made, their data in the file or in another one. */
import { namedAsync, rangeError, readText } from '../../arguments/index.js';
import { byteLengthOf, entryOf, lengthOf, readSaveOptions, FileWriter } from '../../weights/index.js';
import { concat, readBytes } from '../bytes.js';
import { checkLocation } from './external-data.js';
import { tensorNameIn } from './initializers.js';
import { entryFields, graphFields, modelFields, tensorFields } from './onnx-fields.js';
import { asBytes, bytesField, bytesHead, fieldsOf, textField, varints, wholeField } from './protobuf.js';
import { readEntries } from '../maps.js';
import { headFields, readFields } from './tensor-proto.js';
import { replaceType } from './value-info.js';

/** @import { TensorLike } from '../../tensor/index.js' */
/** @import { Entry } from '../../weights/index.js' */
/** @import { Elements, SaveOptions } from '../../weights/types.js' */
/** @import { ModelParts, Outside } from './types.js' */
/** @typedef {Uint8Array | Elements} Part */

/** protobuf's own limit of a message, in bytes. */
const modelLimit = 2 ** 31 - 1;
/** Shorter data stay in the model, as `onnx.external_data_helper` leaves them there. In bytes. */
const leastExternal = 1024;
/** Windows maps memory at multiples of 64 KiB, so onnxruntime puts data of 1 MiB and more there.
 * @type {(length: number) => number} */
const alignmentOf = (length) => (length >= 2 ** 20 ? 2 ** 16 : 64);

/**
 * Makes an ONNX model of any size: the graph of a model, with other initializers. Everything else is kept byte for
 * byte, except what the graph says of the types and dims of initializers that have changed.
 *
 * ONNX: onnx.proto, and "External Data".
 * @param {Uint8Array} bytes a model: what `openModel` gives as `bytes`, or a whole file. Its initializers stay where
 *   they are if `initializers` has one of their name, and are left out otherwise
 * @param {ReadonlyMap<string, Entry | TensorLike>} initializers by name: all that the model has
 * @param {{ externalName?: string } & SaveOptions} [options] `externalName`: the name of a file for all data of 1 KiB
 *   and more, as the model will name it; needed for models of 2 GiB and more. `onProgress`: is called with
 *   `{ done, total }` in bytes of one file; `signal`: ends the work
 * @returns {Promise<{ model: FileWriter, externalFile?: FileWriter }>} the model's file and, with the option, the other
 *   one: their sizes, and their bytes as async iterables
 * @example
 * const { bytes: graph, initializers } = await openModel(bytes);
 * const { dims } = initializers.get('weight');
 * initializers.set('weight', new Entry({ type: 'float32', data: new Float32Array(6), dims }));
 * const { model } = await saveModel(graph, initializers);
 * model.byteLength; // 119
 */
export async function saveModel(bytes, initializers, options) {
  return namedAsync('saveModel', async () => {
    const { externalName, ...rest } = readSaveOptions(options, ['externalName']);
    const file = readBytes(bytes);
    const named = readEntries(initializers);
    return savedFiles('saveModel', await modelParts(file, named, readLocation(externalName)), rest);
  });
}

/** @type {(file: Uint8Array, named: Map<string, Elements>, location: string | undefined) => Promise<ModelParts>} */
export async function modelParts(file, named, location) {
  /** @type {Outside | undefined} */
  const outside = location === undefined ? undefined : { location, chunks: [], end: 0 };
  const model = await partsOf(file, named, outside);
  const length = model.reduce((sum, part) => sum + lengthOf(part), 0);
  if (length > modelLimit) {
    const hint = outside ? '' : `: name a file for its data by the option externalName`;
    rangeError(`model must have at most ${modelLimit} bytes${hint}, got ${length}`);
  }
  return outside ? { model, external: outside.chunks } : { model };
}

/** @type {(name: string, chunks: ModelParts, options: SaveOptions) => { model: FileWriter, externalFile?: FileWriter
 *   }} */
export const savedFiles = (name, { model, external }, options) => ({
  model: new FileWriter(name, model, options),
  ...(external && { externalFile: new FileWriter(name, external, options) }),
});

/** @type {(externalName: unknown) => string | undefined} */
export function readLocation(externalName) {
  if (externalName === undefined) return undefined;
  return checkLocation('externalName', 'model', readText('externalName', externalName));
}

/** @type {(file: Uint8Array, named: Map<string, Elements>, outside: Outside | undefined) => Promise<Part[]>} */
async function partsOf(file, named, outside) {
  const fields = [...fieldsOf(file)];
  const last = fields.findLast(({ number }) => number === modelFields.graph);
  if (!last) rangeError('bytes must have a graph, got none');
  /** @type {Part[]} */
  const chunks = [];
  const missing = new Map(named);
  for (const field of fields) {
    if (field.number === modelFields.graph) {
      const graph = await graphParts(asBytes(field), named, missing, outside);
      if (field === last)
        for (const [name, elements] of missing) append(graph, await tensorParts(name, elements, outside));
      const length = graph.reduce((sum, part) => sum + lengthOf(part), 0);
      chunks.push(lengthHead(modelFields.graph, length));
      append(chunks, graph);
    } else chunks.push(field.bytes);
  }
  return chunks;
}

/** Without a spread: the arguments of a call have to fit on the stack.
 * @type {(chunks: Part[], more: Part[]) => void} */
function append(chunks, more) {
  for (const part of more) chunks.push(part);
}

/** For a field that may be too long: the model's length is checked later, with a better message.
 * @type {(number, length: number) => Uint8Array} */
const lengthHead = (number, length) => bytesHead(number, Math.min(length, modelLimit));

/** @type {(graph: Uint8Array, named: Map<string, Elements>, missing: Map<string, Elements>, outside: Outside |
 *   undefined) => Promise<Part[]>} `missing` loses the names that the graph has. */
async function graphParts(graph, named, missing, outside) {
  /** @type {Part[]} */
  const chunks = [];
  const changed = changedIn(graph, named);
  for (const field of fieldsOf(graph)) {
    const { number, bytes } = field;
    const name = tensorNameIn(field);
    const isSparse = number === graphFields.sparseInitializer;
    const isTensor = number === graphFields.initializer || (isSparse && named.has(name ?? ''));
    if (name === undefined || !(isTensor || (changed.has(name) && !isSparse))) chunks.push(bytes);
    else if (isTensor) {
      const elements = missing.get(name);
      if (elements) append(chunks, await tensorParts(name, elements, outside));
      missing.delete(name);
    } else {
      const { dtype, dims } = /** @type {Elements} */ (named.get(name));
      chunks.push(bytesField(number, replaceType(asBytes(field), name, { dtype, dims })));
    }
  }
  return chunks;
}

/** @type {(graph: Uint8Array, named: Map<string, Elements>) => Set<string>} */
function changedIn(graph, named) {
  /** @type {Set<string>} */
  const changed = new Set();
  for (const field of fieldsOf(graph)) {
    if (field.number !== graphFields.initializer) continue;
    const { name, code, extents } = readFields(asBytes(field));
    const elements = named.get(name);
    if (elements && !(BigInt(elements.dtype.code) === code && String(elements.dims) === String(varints(extents))))
      changed.add(name);
  }
  return changed;
}

/** @type {(name: string, elements: Elements, outside: Outside | undefined) => Promise<Part[]>} */
async function tensorParts(name, elements, outside) {
  const { dtype, dims } = elements;
  /** @type {Part[]} */
  let chunks = [concat(headFields(dtype, dims, name))];
  if (dtype.array === 'Array') {
    const { data } = await entryOf(elements, 0).read();
    // One part: each of its own would cost a hundred times the bytes of a short string.
    chunks.push(concat(data.map((/** @type {string} */ text) => textField(tensorFields.stringData, text))));
  } else if (outside && byteLengthOf(elements) >= leastExternal) {
    chunks.push(placeFields(elements, outside));
  } else {
    chunks = [...chunks, lengthHead(tensorFields.rawData, byteLengthOf(elements)), elements];
  }
  const length = chunks.reduce((sum, part) => sum + lengthOf(part), 0);
  return [lengthHead(graphFields.initializer, length), ...chunks];
}

/** @type {(elements: Elements, outside: Outside) => Uint8Array} */
function placeFields(elements, outside) {
  const length = byteLengthOf(elements);
  const alignment = alignmentOf(length);
  const offset = Math.ceil(outside.end / alignment) * alignment;
  if (offset > outside.end) outside.chunks.push(new Uint8Array(offset - outside.end));
  outside.chunks.push(elements);
  outside.end = offset + length;
  const entries = { location: outside.location, offset: String(offset), length: String(length) };
  const fields = Object.entries(entries).map(([key, value]) =>
    bytesField(
      tensorFields.externalData,
      concat([textField(entryFields.key, key), textField(entryFields.value, value)]),
    ),
  );
  return concat([...fields, wholeField(tensorFields.dataLocation, 1)]);
}
