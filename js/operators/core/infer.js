/** Shape inference of a declared operator: its shape rule, of inputs that are known in part. */
import { isList } from '../../arguments/index.js';
import { checkKeys } from '../call.js';
import { checkOne, integerCheck, isAttribute, isOmitted, readKnownIntegers } from '../integers.js';
import { readKnown, readValue } from '../tensor-info.js';
import { checkSince, readAttribute } from './kinds.js';
import { readAttributes, shapeOf } from './run.js';

/** @import { Call, Inferred } from '../operator.js' */

/**
 * How inference reads its knowledge of each kind of input.
 * @type {Record<string, (input: any, call: Call, known: any, options: any, values: any[]) => any>}
 */
const readers = {
  tensor: ({ name, how }, call, known, _, values) =>
    readKnown(name, known, how ? (dtype) => how(dtype, call, values) : call.checkType),
  number({ name, optional, how }, call, known, _, values) {
    if (optional && isOmitted(known)) return undefined;
    const { dtype, dims, value } = readKnown(name, known, (given) => how(given, call, values));
    if (dims) checkOne(name, dims);
    return { dtype, dims, value: isList(value) ? value[0] : value };
  },
  indices({ name, how }, _, known) {
    const { dtype, dims, value } = readKnown(name, known, integerCheck(name, how));
    return { dtype, dims, value: readValue(name, value, dims) };
  },
  integers({ name, optional, attribute, how }, call, known, options, values) {
    if (attribute && isAttribute(call, name, known)) return readAttribute(name, attribute, call, options);
    if (optional && isOmitted(known)) return undefined;
    checkSince(name, how.since, call);
    const check = how.check && ((/** @type {any} */ dtype) => how.check(dtype, call, values));
    return readKnownIntegers(name, known, how.types, check, call.schema.since >= how.lengthSince);
  },
};

/**
 * Infers the result of a declared operator, of inputs that are known in part.
 * @param {any} call
 * @param {any} inputs by their ONNX names
 * @param {any} options
 * @returns {Inferred}
 */
export function inferDeclared(call, inputs, options) {
  const { operator } = call;
  const { kinds, value, inferred } = operator;
  /** @type {any[]} */
  const values = [];
  const read = (/** @type {any} */ kind) =>
    (kind.known ?? readers[kind.kind])(kind, call, inputs[kind.name], options, values);
  for (const kind of kinds) values.push(kind.isEarly ? read(kind) : undefined);
  checkKeys(call, options);
  const attributes = readAttributes(call, options);
  kinds.forEach((/** @type {any} */ kind, /** @type {number} */ i) => {
    if (!kind.isEarly) values[i] = read(kind);
  });
  // Only an operator that knows elements asks for those of its input.
  if (value) values[0].value = readValue(kinds[0].name, values[0].value, values[0].dims);
  const plan = shapeOf(operator, call, attributes, values);
  const known = value?.(plan, ...values);
  return {
    type: (plan.dtype ?? values[0].dtype).name,
    dims: inferred ? inferred(plan, call) : plan.dims,
    ...(plan.sequence && { sequence: true }),
    ...(known !== undefined && { value: known }),
  };
}
