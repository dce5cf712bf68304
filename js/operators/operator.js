/**
 * What an operator is: its versions, its inputs, and what it does for a call. Each operator stands in a file of its
 * own; table.js lists them.
 *
 * Versions and their type lists follow ONNX's operator changelog up to opset 28.
 */
/** @import { DType, Operator, Schema } from './types.js' */

/** The newest opset whose rules are known; the default of every call. */
export const newestOpset = 28;

/**
 * The version of an operator that an opset selects: the last one that is not newer.
 * @type {(operator: Operator, opset: number) => Readonly<Schema> | undefined}
 */
export function schemaAt({ schemas }, opset) {
  return schemas.findLast(({ since }) => since <= opset);
}

/**
 * The names of the inputs that an opset's version has.
 * @type {(operator: { inputs: readonly string[], firstInputs?: readonly string[], schemas: Operator['schemas'] },
 *   opset: number) => readonly string[]}
 */
export const inputsAt = ({ inputs, firstInputs, schemas }, opset) =>
  firstInputs && schemas[1].since > opset ? firstInputs : inputs;

/** @type {(schema: Schema, dtype: DType) => boolean} Whether a version's type list has a dtype. */
export function allows(schema, dtype) {
  if (schema.types) return schema.types.includes(dtype.name);
  return dtype.ir <= schema.ir && !schema.lacks.includes(dtype.format.kind);
}

/**
 * The first opset whose version of the operator takes a dtype.
 * @type {(operator: Operator, dtype: DType) => number | undefined}
 */
export function firstOpsetFor({ schemas }, dtype) {
  return schemas.find((schema) => allows(schema, dtype))?.since;
}

/**
 * The first opset after a version that brings an attribute.
 * @type {(operator: Operator, schema: Schema, attribute: string) => number | undefined}
 */
export function firstWithAttribute({ schemas }, { since }, attribute) {
  return schemas.find((later) => later.since > since && later.attributes.includes(attribute))?.since;
}
