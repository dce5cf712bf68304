/** ONNX's versions of the operators, which onnx-schemas.py extracts. */
import extract from './onnx-schemas.json' with { type: 'json' };

/** @type {any} */
export const committed = extract;

/** onnxruntime's name of an element type, from ONNX's in a TensorProto or in a type list. */
export const nameOf = (/** @type {string} */ onnxName) =>
  ({ float: 'float32', double: 'float64' })[onnxName.toLowerCase()] ?? onnxName.toLowerCase();

/**
 * The types of a version: of the first input that may have any of them, or of the results where there is none. A
 * sequence's types are its tensors'.
 * @type {(operator: string, version: any) => string[]}
 */
export const typesOf = (operator, { inputs, outputs }) =>
  committed.typeLists[inputs[{ Where: 1, OneHot: 2 }[operator] ?? 0]?.types ?? outputs[0]].map(nameOf);
