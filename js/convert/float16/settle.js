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
    const values = record.scope.madeBy(record.node);
    if (record.type === 'constant') settleConstant(plan, record, values);
    else if (isPulled(record, values)) {
      record.type = 'float32';
      record.reason = reasons.feeds;
      for (const value of values) value.natural = 'float32';
    }
  }
  for (const { node, type, inputs, reason } of plan.records)
    if (type === 'float32' && inputs.length > 0)
      plan.report.push({ node: node.name || node.outputs[0], from: 'float32', to: 'float32', reason });
}

/** Makes a node of constants float32 if its users need float32 alone, else float16, also if nothing uses it.
 * @type {(plan: HalfPlan, record: NodeRecord, values: readonly Value[]) => void} */
function settleConstant(plan, record, values) {
  const constants = values.filter(({ natural }) => natural === 'constant');
  const needs = new Set(constants.flatMap((value) => [...needsOf(plan, value)]));
  record.type = needs.size === 1 && needs.has('float32') ? 'float32' : 'float16';
  for (const value of constants) value.natural = record.type;
}

/** Whether a float16 node becomes float32 because float32 nodes alone use its outputs (`values`): only nodes of a
 * single value that is no weight, such as the square below a mean.
 * @type {(record: NodeRecord, values: readonly Value[]) => boolean} */
function isPulled({ node, scope, type, inputs }, values) {
  if (type !== 'float16' || node.domain !== '' || !rules.pulled.has(node.operator) || values.length === 0) return false;
  const feedsFloat32Alone = (/** @type {Value} */ { users, outputOf }) =>
    users.length > 0 &&
    outputOf.length === 0 &&
    users.every(({ record, place }) => neededType(record, place) === 'float32');
  const changing = new Set(inputs.flatMap(({ name }) => (scope.find(name)?.kind === 'weight' ? [] : [name])));
  return values.every(feedsFloat32Alone) && changing.size === 1;
}
