/** Shape inference of a declared operator: its shape rule, of inputs that are known in part. */
import { checkNames, isList, rangeError, readWhole, show, typeError } from '../../arguments/index.js';
import { applyShapeRule, checkKeys, inputsAt, isAttribute, readAttribute, readAttributes, withCall } from './call.js';
import { checkOne, integerCheck, isOmitted, readKnownIntegers } from './integers.js';
import { readKnown, readValue } from './tensor-info.js';
import { checkSince } from './kinds.js';
import { outputLimit } from './results.js';

/** @import { Call, DType, Dim, Inferred, Input, IntegersRules, Operator, OptionBag, Plan } from '../types.js' */
/** @import { ReadInputs, TypeCheck, TypeName, Value } from '../types.js' */

/** @typedef {{ value: unknown, dims: Dim[] | null }} KnownTensor */

/** How inference reads what is known of an input, by the input's kind. Other kinds are read as in a call.
 * @type {Record<string, NonNullable<Input['known']>>} */
const readersByKind = {
  /** Reads the type and dims of a tensor of one element, and its `value`, a number; undefined if omitted. */
  number({ name, optional, check }, call, known, _, values) {
    if (optional && isOmitted(known)) return undefined;
    const checkType = (/** @type {DType} */ type) => /** @type {TypeCheck} */ (check)(type, call, values);
    const { dtype, dims, value } = readKnown(name, known, checkType);
    if (dims) checkOne(name, dims);
    return { dtype, dims, value: isList(value) ? value[0] : value };
  },
  indices: readKnownIndices,
  /** Reads a list whose unknown entries are null or symbols: null where nothing is known, undefined if omitted. */
  integers({ name, optional, attribute, rules }, call, known, options, values) {
    // Early versions have some of these inputs as an attribute.
    if (attribute && isAttribute(call, name, known)) return readAttribute(name, attribute, call, options);
    if (optional && isOmitted(known)) return undefined;
    const { since, types, check, lengthSince } = /** @type {IntegersRules} */ (rules);
    checkSince(name, since, call);
    const checkType = check && ((/** @type {DType} */ dtype) => check(dtype, call, values));
    // From `lengthSince` on, ONNX's inference also uses the length of a list whose entries are unknown.
    const takesLength = call.schema.since >= lengthSince;
    return readKnownIntegers(name, known, types, checkType, takesLength);
  },
};

/** Finds the function by which inference reads an input: the input's own, or that of its kind, or else that of a call.
 * @type {(input: Input) => Input['read']} */
const knownReaderOf = ({ known, kind, read }) => known ?? readersByKind[kind] ?? read;

/** Reads what inference knows of indices: their type and dims, and their `value` if that is given.
 * @type {(input: Input, call: Call, known: unknown) => { dtype: DType, dims: Dim[] | null, value?: Value }} */
export function readKnownIndices({ name, types }, _, known) {
  const { dtype, dims, value } = readKnown(name, known, integerCheck(name, /** @type {readonly TypeName[]} */ (types)));
  return { dtype, dims, value: readValue(name, value, dims) };
}

/** Infers the results of an operator from what is known of its inputs, by the steps of a call.
 * @type {(call: Call, inputs: Record<string, unknown>, options: OptionBag | undefined) => Inferred | Inferred[]} */
function inferDeclared(call, inputs, options) {
  const { operator } = call;
  const { declaredInputs, argument } = operator;
  /** @type {ReadInputs} */
  const values = [];
  const readInput = (/** @type {Input} */ input) => {
    // Here an `argument`, such as the type that Cast casts to, is an option, as in a model's node.
    const known = input === argument ? options?.[input.name] : inputs?.[input.name];
    return knownReaderOf(input)(input, call, known, options, values);
  };
  // As in a call: first the inputs, such as tensors, on which the rules of attributes and of the other inputs depend.
  for (const input of declaredInputs) values.push(input.isEarly ? readInput(input) : undefined);
  // Only an operator with any number of outputs takes their count as an option.
  const takesCount = operator.several && operator.outputs === undefined;
  checkKeys(call, call.schema.attributes, options, takesCount ? 'outputs' : argument?.name);
  const callWithCount = takesCount ? { ...call, outputs: readCount(options?.outputs) } : call;
  const attributes = readAttributes(callWithCount, options, values);
  declaredInputs.forEach((input, i) => {
    if (!input.isEarly) values[i] = readInput(input);
  });
  // The operator's `value` computes the known elements of the result from those of its first input.
  if (operator.value) checkValues(declaredInputs[0], values[0]);
  const plan = applyShapeRule(callWithCount, attributes, values);
  const inferOutput = (/** @type {Plan} */ outputPlan) => inferredOf(operator, callWithCount, outputPlan, values);
  return plan.outputs ? plan.outputs.map(inferOutput) : inferOutput(plan);
}

/** Reads how many outputs a node has; null where that is not said.
 * @type {(value: unknown) => number | null} */
function readCount(value) {
  if (value === undefined) return null;
  const count = Number(readWhole('outputs', value));
  if (!(count >= 1 && count <= outputLimit)) rangeError(`outputs must be in [1, ${outputLimit}], got ${value}`);
  return count;
}

/** Replaces the `value`, the known elements, of an input, or of each tensor of a list, by the elements once checked.
 * @type {(input: Input, known: KnownTensor | KnownTensor[]) => void} */
function checkValues({ name }, known) {
  const checkValue = (/** @type {KnownTensor} */ info, /** @type {string} */ argument) => {
    info.value = readValue(argument, info.value, info.dims);
  };
  if (Array.isArray(known)) known.forEach((info, i) => checkValue(info, `${name}[${i}]`));
  else checkValue(known, name);
}

/** Makes inference's answer for one output. It has the type of the first input unless the plan says another, and the
 * dims of the plan unless the operator has a rule of its own for inference, `inferred`.
 * @type {(operator: Operator, call: Call, plan: Plan, values: ReadInputs) => Inferred} */
function inferredOf({ value, inferred }, call, plan, values) {
  // eslint-disable-next-line architecture/spreads -- few values: a list of tensors is one of them
  const knownElements = value?.(plan, ...values);
  /** @type {Inferred} */
  const output = {
    type: (plan.dtype ?? values[0].dtype).name,
    dims: inferred ? inferred(plan, call) : plan.dims,
  };
  if (plan.sequence) output.sequence = true;
  if (knownElements !== undefined) output.value = /** @type {Value} */ (knownElements);
  return output;
}

/**
 * Infers the type, dims and value of an operator's result. It takes the operator itself. `inferShape` finds one by its
 * name, and so brings every operator into a bundle: 30 kB in an application that only opens files.
 * @template {object} Inputs
 * @template {object} Attributes
 * @param {Operator<Inputs, Attributes>} operator
 * @param {Inputs} inputs by their ONNX names: of each `{ type, dims, value }`, a list of these where there may be any
 *   number. `dims` and its extents may be null; `value` has the elements, if they are known. An optional input that is
 *   omitted is undefined or null
 * @param {Attributes & import('../types.js').CallOptions} [options]
 * @returns {any} an `Inferred`, or a list of them where a node has several outputs
 * @throws {TypeError | RangeError} a name, type, dims or value that the operator refuses whatever is unknown; messages
 *   begin with the operator's name and version
 */
export function inferBy(operator, inputs, options) {
  return withCall(operator, options, (call) => {
    if (typeof inputs !== 'object' || inputs === null) typeError(`inputs must be an object, got ${show(inputs)}`);
    checkNames('input', inputs, inputsAt(operator, call.opset));
    // Where a call reads a tensor, inference reads what is known of it.
    const readTensor = /** @type {Call['readTensor']} */ (readKnown);
    return inferDeclared(
      { ...call, readTensor },
      /** @type {OptionBag} */ (inputs),
      /** @type {OptionBag | undefined} */ (options),
    );
  });
}
