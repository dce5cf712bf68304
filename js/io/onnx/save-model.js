/** ONNX models of any size, written as they are made, their data in the file or in another one. */
import { namedAsync, rangeError, readText } from '../../arguments/index.js';
import { entryOf, readSaveOptions, FileWriter } from '../../weights/index.js';
import { concat, readBytes } from '../bytes.js';
import { checkLocation } from './external-data.js';
import { tensorNameIn } from './initializers.js';
import { graphFields, modelFields, tensorFields } from './onnx-fields.js';
import { append, byteLengthOfParts, checkModelLength, lengthHead, placeData } from './place-data.js';
import { asBytes, bytesField, fieldsOf, textField, varints } from './protobuf.js';
import { readEntries } from '../maps.js';
import { headFields, readFields } from './tensor-proto.js';
import { replaceType } from './value-info.js';

/** @import { TensorLike } from '../../tensor/index.js' */
/** @import { Entry } from '../../weights/index.js' */
/** @import { Elements } from '../../weights/types.js' */
/** @import { Outside, Part, SaveModelOptions } from './types.js' */

/**
 * Makes an ONNX model of any size: the graph of a model, with other initializers. Everything else is kept byte for
 * byte, except what the graph says of the types and dims of initializers that have changed.
 *
 * ONNX: onnx.proto, and "External Data".
 * @param {Uint8Array} bytes a model: what `openModel` gives as `bytes`, or a whole file. Its initializers stay where
 *   they are if `initializers` has one of their name, and are left out otherwise, except sparse ones, which stay
 * @param {ReadonlyMap<string, Entry | TensorLike>} initializers by name: all that the model has
 * @param {SaveModelOptions} [options]
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
    const outside = externalName === undefined ? undefined : oneFileOutside(readLocation(externalName));
    const model = await partsWithInitializers(file, named, outside);
    const writer = (/** @type {readonly Part[]} */ chunks) => new FileWriter('saveModel', chunks, rest);
    return { model: writer(model), ...(outside && { externalFile: writer(outside.files[0].content) }) };
  });
}

/** Reads the option `externalName`, a path inside the model's folder.
 * @type {(externalName: unknown) => string} */
const readLocation = (externalName) => checkLocation('externalName', 'model', readText('externalName', externalName));

/** Describes one file for all data outside of the model, which is written even if none go there.
 * @type {(location: string) => Outside} */
const oneFileOutside = (location) => ({
  location,
  maxBytes: Infinity,
  files: [{ location, content: [], end: 0 }],
});

/** Lists the parts of a model's file, bytes and the elements of tensors, with other initializers; those that the graph
 * does not have yet come at its end. `named`: all initializers; `outside`: gets the data that go to files beside the
 * model.
 * @type {(file: Uint8Array, named: Map<string, Elements>, outside: Outside | undefined) => Promise<Part[]>} */
export async function partsWithInitializers(file, named, outside) {
  const fields = [...fieldsOf(file)];
  // Protobuf allows a graph in several fields, which are merged: the last one gets the missing initializers.
  const lastGraph = fields.findLast(({ number }) => number === modelFields.graph);
  if (!lastGraph) rangeError('bytes must have a graph, got none');
  /** @type {Part[]} */
  const chunks = [];
  const missing = new Map(named);
  for (const field of fields) {
    if (field.number !== modelFields.graph) {
      chunks.push(field.bytes);
      continue;
    }
    const graph = await graphParts(asBytes(field), named, missing, outside);
    if (field === lastGraph)
      for (const [name, elements] of missing) append(graph, await tensorParts(name, elements, outside));
    chunks.push(lengthHead(modelFields.graph, byteLengthOfParts(graph)));
    append(chunks, graph);
  }
  checkModelLength(chunks, outside);
  return chunks;
}

/** Lists the parts of a graph with other initializers: dense ones that `named` does not have are left out, sparse ones
 * stay as they are; those that it has are written anew, as dense ones. Deletes their names from `missing`, which has
 * the names that no graph had so far; a second initializer of a name is left out, too.
 * @type {(graph: Uint8Array, named: Map<string, Elements>, missing: Map<string, Elements>, outside: Outside |
 *   undefined) => Promise<Part[]>} */
async function graphParts(graph, named, missing, outside) {
  /** @type {Part[]} */
  const chunks = [];
  const retyped = findRetyped(graph, named);
  for (const field of fieldsOf(graph)) {
    const { number, bytes } = field;
    const name = tensorNameIn(field);
    if (name === undefined) {
      chunks.push(bytes);
      continue;
    }
    const isDense = number === graphFields.initializer;
    // Sparse initializers are no part of openModel's `initializers`, so one that `named` lacks is kept.
    const isReplacedSparse = number === graphFields.sparseInitializer && named.has(name);
    if (isDense || isReplacedSparse) {
      const elements = missing.get(name);
      if (elements) append(chunks, await tensorParts(name, elements, outside));
      missing.delete(name);
    } else if (retyped.has(name)) {
      const { dtype, dims } = /** @type {Elements} */ (named.get(name));
      chunks.push(bytesField(number, replaceType(asBytes(field), name, { dtype, dims })));
    } else chunks.push(bytes);
  }
  return chunks;
}

/** Finds the names of the dense initializers that `named` has with another type or other dims. The graph may state
 * these once more where it lists its inputs, its outputs or the types of its values.
 * @type {(graph: Uint8Array, named: Map<string, Elements>) => Set<string>} */
function findRetyped(graph, named) {
  /** @type {Set<string>} */
  const retyped = new Set();
  for (const field of fieldsOf(graph)) {
    if (field.number !== graphFields.initializer) continue;
    const { name, code, extents } = readFields(asBytes(field));
    const elements = named.get(name);
    if (!elements) continue;
    const isSame = BigInt(elements.dtype.code) === code && String(elements.dims) === String(varints(extents));
    if (!isSame) retyped.add(name);
  }
  return retyped;
}

/** Lists the parts of an initializer's field: the tag and the length, the tensor's dims, type and name, and its data
 * or, if these go to a file of `outside`, where they lie there.
 * @type {(name: string, elements: Elements, outside: Outside | undefined) => Promise<Part[]>} */
async function tensorParts(name, elements, outside) {
  const { dtype, dims } = elements;
  /** @type {Part[]} */
  const chunks = [concat(headFields(dtype, dims, name))];
  if (dtype.array === 'Array') {
    const unknownBytes = 0;
    const { data } = await entryOf(elements, unknownBytes).read();
    // One part: each of its own would cost a hundred times the bytes of a short string.
    chunks.push(concat(data.map((/** @type {string} */ text) => textField(tensorFields.stringData, text))));
  } else append(chunks, placeData(elements, outside));
  return [lengthHead(graphFields.initializer, byteLengthOfParts(chunks)), ...chunks];
}
