/** Writes a model's initializers and keeps the rest of the file. */
import { named, rangeError, show } from '../../arguments/index.js';
import { concat, readBytes } from '../bytes.js';
import { readTensors } from '../maps.js';
import { graphFields, modelFields, tensorFields, infoFields } from './onnx-fields.js';
import { asBytes, bytesField, fieldsOf, textIn } from './protobuf.js';
import { sparseName } from './sparse.js';
import { encodeTensor } from './tensor-proto.js';
import { replaceType } from './value-info.js';

/** @import { CheckedTensor, TensorLike } from '../../tensor/index.js' */
/** @import { Field } from './types.js' */

/**
 * Replaces initializers of a model. Everything else is kept byte for byte, except what the graph says of these tensors'
 * types and dims.
 * @param {Uint8Array} bytes the whole file
 * @param {ReadonlyMap<string, TensorLike>} tensors by the names of the initializers that they replace
 * @returns {Uint8Array} the whole file; the data of these tensors is in it, even if it was in another file before
 * @example
 * const { initializers } = readModel(bytes);
 * const turned = writeInitializers(bytes, new Map([['weight', transpose(initializers.get('weight'))]]));
 */
export function writeInitializers(bytes, tensors) {
  return named('writeInitializers', () => {
    const added = readTensors(tensors);
    const missing = new Set(added.keys());
    const fields = Array.from(fieldsOf(readBytes(bytes)), (field) =>
      field.number === modelFields.graph
        ? bytesField(modelFields.graph, replaceTensors(asBytes(field), added, missing))
        : field.bytes,
    );
    for (const name of missing) rangeError(`tensors must be by the name of an initializer, got ${show(name)}`);
    return concat(fields);
  });
}

/** The field that holds the name, in each message of a graph that speaks of a tensor. */
const nameFields = new Map([
  [graphFields.initializer, tensorFields.name],
  [graphFields.input, infoFields.name],
  [graphFields.output, infoFields.name],
  [graphFields.valueInfo, infoFields.name],
]);

/** Reads the name of the tensor that a field of a graph holds or describes; undefined for other fields, such as nodes.
 * @type {(field: Field) => string | undefined} */
export function tensorNameIn(field) {
  if (field.number === graphFields.sparseInitializer) return sparseName(asBytes(field));
  const nameField = nameFields.get(field.number);
  return nameField === undefined ? undefined : textIn(asBytes(field), nameField);
}

/** Replaces initializers, and their types and dims where the graph lists them. Deletes the names that it finds from
 * `missing`.
 * @type {(graph: Uint8Array, tensors: ReadonlyMap<string, CheckedTensor>, missing: Set<string>) => Uint8Array} */
function replaceTensors(graph, tensors, missing) {
  const fields = Array.from(fieldsOf(graph), (field) => {
    const { number, bytes } = field;
    const name = tensorNameIn(field);
    const tensor = name === undefined ? undefined : tensors.get(name);
    if (name === undefined || tensor === undefined) return bytes;
    const holdsTensor = number === graphFields.initializer || number === graphFields.sparseInitializer;
    // Otherwise the field describes the tensor, as an input, an output or a value.
    if (!holdsTensor) return bytesField(number, replaceType(asBytes(field), name, tensor));
    missing.delete(name);
    return bytesField(graphFields.initializer, encodeTensor(tensor, name));
  });
  return concat(fields);
}
