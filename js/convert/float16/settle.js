/** The second pass, from the end: constants become what their users need, and some nodes what they feed. */
import { graphOperators } from '../types/infer-types.js';
import { isFloat32Only, tokensFor } from '../types/type-rows.js';
import { reasons } from './reasons.js';
import * as rules from './rules.js';

/** @import { HalfPlan } from './types.js' */
/** @import { NodeRecord, NumberType, Value } from './values.js' */

/** The type that a node needs for the input at `place`; undefined where either will do.
 * @type {(record: NodeRecord, place: number) => NumberType | undefined} */
export function neededType({ node, type, row }, place) {
  const { operator, domain, inputs, outputs } = node;
  if (type === 'float32') return 'float32';
  // Values go into graphs inside of nodes as float16. A node of an operator that is not known is float32.
  if (!row || (domain === '' && graphOperators.has(operator))) return 'float16';
  const places = tokensFor(row.inputs, inputs.length);
  const token = places[place];
  if (isFloat32Only(token)) return 'float32';
  // A place whose variable occurs nowhere else, as in Shape, takes either type.
  const isOfOneInput = places.filter((other) => other === token).length === 1;
  const isOfOutput = tokensFor(row.outputs, outputs.length).includes(token);
  const isRepeated = (row.inputs[place] ?? '').includes('*');
  // Operators of sequences tie the variable of a sequence to that of its elements.
  const isTied = operator.includes('Sequence');
  const takesEither = isOfOneInput && !isOfOutput && !isRepeated && !isTied;
  return takesEither ? undefined : 'float16';
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
      for (const value of outputValues) value.natural = 'float32';
    }
  }
  for (const { node, type, inputs, reason } of plan.records)
    if (type === 'float32' && inputs.length > 0)
      plan.report.push({ node: node.name || node.outputs[0], from: 'float32', to: 'float32', reason });
}

/** Makes a node of constants float32 if its users need float32 alone, else float16.
 * @type {(plan: HalfPlan, record: NodeRecord, outputValues: readonly Value[]) => void} */
function settleConstant(plan, record, outputValues) {
  const constants = outputValues.filter(({ natural }) => natural === 'constant');
  const needs = new Set(constants.flatMap((value) => [...needsOf(plan, value)]));
  const needsFloat32Alone = needs.size === 1 && needs.has('float32');
  record.type = needsFloat32Alone ? 'float32' : 'float16';
  for (const value of constants) value.natural = record.type;
}

/** Whether a float16 node becomes float32 because float32 nodes alone use its outputs: only a Pow, Mul, Abs or Exp of a
 * single value that is no weight, such as the square below a mean.
 * @type {(record: NodeRecord, outputValues: readonly Value[]) => boolean} */
function feedsFloat32Alone({ node, scope, type, inputs }, outputValues) {
  const mayBecomeFloat32 = type === 'float16' && node.domain === '' && rules.feeders.has(node.operator);
  if (!mayBecomeFloat32 || outputValues.length === 0) return false;
  const isUsedByFloat32Alone = (/** @type {Value} */ { users, outputOf }) =>
    users.length > 0 &&
    outputOf.length === 0 &&
    users.every(({ record, place }) => neededType(record, place) === 'float32');
  const inputNames = inputs.map(({ name }) => name).filter((name) => scope.find(name)?.kind !== 'weight');
  const isOfOneValue = new Set(inputNames).size === 1;
  return isOfOneValue && outputValues.every(isUsedByFloat32Alone);
}
