/** The second pass, from the end: constants become what their users need, and some nodes what they feed. */
import { graphOperators } from '../types/infer-types.js';
import { isFloat32Only, tokensFor } from '../types/type-rows.js';
import { reasons } from './reasons.js';
import * as rules from './rules.js';

/** @import { Node } from '../model/types.js' */
/** @import { TypeRow } from '../types/type-rows.js' */
/** @import { HalfPlan } from './types.js' */
/** @import { NodeRecord, NumberType, Use, Value } from './values.js' */

/** The type in which a node needs its float32 input number `place`; undefined where it takes float16 and float32.
 * @type {(record: NodeRecord, place: number) => NumberType | undefined} */
export function neededType({ node, type, signature }, place) {
  const { operator, domain, inputs } = node;
  if (type === 'float32') return 'float32';
  const hasGraphs = domain === '' && graphOperators.has(operator);
  // Values go into graphs inside of nodes as float16.
  if (hasGraphs) return 'float16';
  // For the type check alone: a node without a signature is float32.
  if (!signature) return 'float16';
  const token = tokensFor(signature.inputs, inputs.length)[place];
  if (isFloat32Only(token)) return 'float32';
  return isTiedToOthers(node, signature, place) ? 'float16' : undefined;
}

/** Whether an input of a node must have the type of another input or of an output: the operator's signature has one
 * type variable for both, as the T of Add, `T T > T`. The input of Shape, `T > .`, is tied to nothing.
 * @type {(node: Node, signature: TypeRow, place: number) => boolean} */
function isTiedToOthers({ operator, inputs, outputs }, signature, place) {
  const inputVariables = tokensFor(signature.inputs, inputs.length);
  const outputVariables = tokensFor(signature.outputs, outputs.length);
  const variable = inputVariables[place];
  const isOfOtherInput = inputVariables.some((other, i) => i !== place && other === variable);
  const isOfOutput = outputVariables.includes(variable);
  // A star lets the place repeat.
  const isOfManyInputs = (signature.inputs[place] ?? '').includes('*');
  // Operators of sequences tie the variable of a sequence to that of its elements, by another letter.
  const isOfSequence = operator.includes('Sequence');
  return isOfOtherInput || isOfOutput || isOfManyInputs || isOfSequence;
}

/** Collects the types in which nodes and outputs need a value. Only outputs of the model may stay float32, those of
 * graphs inside are float16.
 * @type {(plan: HalfPlan, value: Value) => Set<NumberType>} */
export function needsOf({ isKept }, { name, users, outputOf }) {
  /** @type {Set<NumberType>} */
  const needs = new Set();
  for (const { record, place } of users) {
    const type = neededType(record, place);
    if (type) needs.add(type);
  }
  for (const { isTop } of outputOf) needs.add(isTop && isKept(name) ? 'float32' : 'float16');
  return needs;
}

/** Goes through the nodes from the last one to the first: gives constants the type that their users need, and makes
 * nodes float32 whose outputs float32 nodes alone use. Then reports the float32 nodes that have float32 inputs.
 * @type {(plan: HalfPlan) => void} */
export function settleTypes(plan) {
  for (const record of plan.records.toReversed()) {
    const outputValues = record.scope.madeBy(record.node);
    if (record.type === 'constant') settleConstant(plan, record, outputValues);
    else if (feedsFloat32Alone(record, outputValues)) {
      record.type = 'float32';
      record.reason = reasons.feeds;
      for (const value of outputValues) value.ownType = 'float32';
    }
  }
  for (const { node, type, inputs, reason } of plan.records)
    if (type === 'float32' && inputs.length > 0)
      plan.report.push({ node: node.name || node.outputs[0], from: 'float32', to: 'float32', reason });
}

/** Makes a node of constants float32 if its users need float32 alone, else float16.
 * @type {(plan: HalfPlan, record: NodeRecord, outputValues: readonly Value[]) => void} */
function settleConstant(plan, record, outputValues) {
  const constants = outputValues.filter(({ ownType }) => ownType === 'constant');
  const needs = new Set(constants.flatMap((value) => [...needsOf(plan, value)]));
  const needsFloat32Alone = needs.size === 1 && needs.has('float32');
  record.type = needsFloat32Alone ? 'float32' : 'float16';
  for (const value of constants) value.ownType = record.type;
}

/** Whether a float16 node becomes float32 because float32 nodes alone use its outputs. Only a Pow, Mul, Abs or Exp of
 * one value does, such as the x * x of a mean of squares: in float16 the square of 256 is infinite already. A product
 * of two values is no square, and stays float16.
 * @type {(record: NodeRecord, outputValues: readonly Value[]) => boolean} */
function feedsFloat32Alone({ node, scope, type, inputs }, outputValues) {
  const mayBecomeFloat32 = type === 'float16' && node.domain === '' && rules.feeders.has(node.operator);
  if (!mayBecomeFloat32 || outputValues.length === 0) return false;
  const isUsedByFloat32Alone = (/** @type {Value} */ { users, outputOf }) => {
    const isOutput = outputOf.length > 0;
    const areUsersFloat32 = users.every(({ record, place }) => neededType(record, place) === 'float32');
    return users.length > 0 && !isOutput && areUsersFloat32;
  };
  // Weights, as the exponent of Pow, exist in each type that is needed.
  const isWeight = (/** @type {Use} */ { name }) => scope.find(name)?.origin === 'weight';
  const factorNames = inputs.filter((input) => !isWeight(input)).map(({ name }) => name);
  const isOfOneValue = new Set(factorNames).size === 1;
  return isOfOneValue && outputValues.every(isUsedByFloat32Alone);
}
