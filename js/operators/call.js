/** How a call is read: which version of the operator it asks for, and which types and options that version has. */
import { brief, readWhole, show, wrongKind, wrongValue } from '../arguments/index.js';
import { allows, firstOpsetFor, firstWithAttribute, newestOpset, schemaAt, schemas } from './schemas.js';

/** @import { DType } from '../tensor/index.js' */
/** @import { OperatorName, Schema } from './schemas.js' */

/**
 * An options bag of which `opset` and `strict` were read.
 * @typedef {object} Call
 * @property {Schema} schema
 * @property {string} prefix of the call's messages: the operator and its version
 * @property {number} opset
 * @property {boolean} strict
 */

/** The calls without options, which are most. @type {Partial<Record<OperatorName, Call>>} */
const plainCalls = {};

/**
 * Finds the version that an options bag asks for.
 * @param {OperatorName} operator
 * @param {{ opset?: number, strict?: boolean } | undefined} options
 * @returns {Call}
 */
export function readCall(operator, options) {
  if (options === undefined) return (plainCalls[operator] ??= callOf(operator, newestOpset, true));
  if (typeof options !== 'object' || options === null)
    wrongKind(operator, `options must be an object, got ${show(options)}`);
  const { opset, strict } = options;
  if (opset === undefined && strict === undefined)
    return (plainCalls[operator] ??= callOf(operator, newestOpset, true));
  return askedCall(operator, opset, strict);
}

/** @type {(operator: OperatorName, opset: number | undefined, strict: boolean | undefined) => Call} */
function askedCall(operator, opset, strict) {
  const asked = opset === undefined ? newestOpset : readWhole(operator, 'opset', opset);
  if (!(asked >= 1 && asked <= newestOpset)) wrongValue(operator, `opset must be in [1, ${newestOpset}], got ${asked}`);
  const call = callOf(operator, Number(asked), strict ?? true);
  if (typeof call.strict !== 'boolean' || strict === null)
    wrongKind(call.prefix, `strict must be true or false, got ${show(strict)}`);
  return call;
}

/** @type {(operator: OperatorName, opset: number, strict: boolean) => Call} */
function callOf(operator, opset, strict) {
  const schema = schemaAt(operator, opset);
  if (!schema) wrongValue(operator, `first appears in opset ${schemas[operator][0].since}, got opset ${opset}`);
  return { schema, prefix: `${operator}-${schema.since}`, opset, strict };
}

/**
 * Rejects types that the version does not take.
 * @param {Call} call
 * @param {string} [what] has the type, in messages
 * @returns {(dtype: DType) => void}
 */
export const typeCheck =
  (call, what = 'type') =>
  (dtype) => {
    if (call.strict && !allows(call.schema, dtype)) notAllowed(call, what, dtype);
  };

/** @type {(call: Call, what: string, dtype: DType) => never} */
function notAllowed({ schema, prefix, opset }, what, dtype) {
  const first = firstOpsetFor(schema.operator, dtype);
  return wrongKind(
    prefix,
    `${what} ${dtype.name} ${first ? `needs opset ${first}` : 'is in no version'}, got opset ${opset}`,
  );
}

/**
 * Rejects options that the version does not have: a misspelt attribute must not be ignored.
 * @param {Call} call
 * @param {object | undefined} options
 * @param {'out' | 'to'} [further] an option that is no attribute
 */
export function checkKeys(call, options, further) {
  for (const key in options) {
    if (key === 'opset' || key === 'strict' || key === further || call.schema.attributes.includes(key)) continue;
    unknownOption(call, key);
  }
}

/** @type {(call: Call, key: string) => never} */
function unknownOption({ schema, prefix, opset }, key) {
  const later = firstWithAttribute(schema, key);
  return wrongKind(prefix, later ? `${key} needs opset ${later}, got opset ${opset}` : `unknown option ${brief(key)}`);
}
