/** Writes a model's initializers and keeps the rest of the file. */
import { named, rangeError, show } from '../../arguments/index.js';
import { concat, readBytes } from '../bytes.js';
import { readTensors } from '../maps.js';
import { graphFields, modelFields, tensorFields, valueInfoFields } from './onnx-fields.js';
import { asBytes, bytesField, fieldsOf, textIn } from './protobuf.js';
import { encodeTensor } from './tensor-proto.js';
import { replaceType } from './value-info.js';

/** @import { CheckedTensor, TensorLike } from '../../tensor/index.js' */

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
    const given = readTensors(tensors);
    const missing = new Set(given.keys());
    const fields = [];
    for (const field of fieldsOf(readBytes(bytes))) {
      if (field.number === modelFields.graph)
        fields.push(bytesField(modelFields.graph, replaceIn(asBytes(field), given, missing)));
      else fields.push(field.whole);
    }
    for (const name of missing) rangeError(`tensors must be by the name of an initializer, got ${show(name)}`);
    return concat(fields);
  });
}

/** The field that holds the name, in each message of a graph that speaks of a tensor. */
export const nameFields = new Map([
  [graphFields.initializer, tensorFields.name],
  [graphFields.input, valueInfoFields.name],
  [graphFields.output, valueInfoFields.name],
  [graphFields.valueInfo, valueInfoFields.name],
]);

/** `missing` loses the names that are found.
 * @type {(graph: Uint8Array, tensors: ReadonlyMap<string, CheckedTensor>, missing: Set<string>) => Uint8Array} */
function replaceIn(graph, tensors, missing) {
  const fields = [];
  for (const field of fieldsOf(graph)) {
    const { number, whole } = field;
    const nameField = nameFields.get(number);
    const name = nameField === undefined ? '' : textIn(asBytes(field), nameField);
    const tensor = nameField === undefined ? undefined : tensors.get(name);
    if (tensor === undefined) {
      fields.push(whole);
    } else if (number === graphFields.initializer) {
      missing.delete(name);
      fields.push(bytesField(number, encodeTensor(tensor, name)));
    } else {
      fields.push(bytesField(number, replaceType(asBytes(field), name, tensor)));
    }
  }
  return concat(fields);
}
