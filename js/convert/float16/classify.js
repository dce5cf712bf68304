/** The first pass: in which type each node computes, in the order of the graph. Constants get theirs in the second. */
import { rangeError } from '../../arguments/index.js';
import { sizeOf } from '../../tensor/index.js';
import { attributeOf, graphsOf } from '../model/attributes.js';
import { codes, graphOperators, unknown } from '../types/infer-types.js';
import { isFloat32Only, rowOf, tokensFor } from '../types/type-rows.js';
import { labelOf } from '../check-model.js';
import { isNamedIn } from '../read-choice.js';
import { markValue } from './marks.js';
import { reasons } from './reasons.js';
import * as rules from './rules.js';
import { HalfScope, NodeRecord, Value } from './values.js';

/** @import { Graph, Node, Weight } from '../model/types.js' */
/** @import { HalfPlan } from './types.js' */
/** @import { NumberType, Use } from './values.js' */

/** Classifies the nodes of a graph and of the graphs inside.
 * @type {(plan: HalfPlan, graph: Graph, outer: HalfScope | undefined) => HalfScope} */
export function classifyGraph(plan, graph, outer) {
  const scope = new HalfScope(graph, plan.types.scopeOf(graph), outer);
  addSources(plan, scope);
  addUsers(scope);
  for (const node of graph.nodes) classifyNode(plan, node, scope);
  // Values that the graph gives out, also those of graphs around it.
  for (const name of scope.outputs) scope.find(name)?.outputOf.push(scope);
  return scope;
}

/** Adds the float32 inputs and initializers of a graph to its values. Initializers that are no inputs are constants;
 * one that is an input may be replaced by the caller.
 * @type {(plan: HalfPlan, scope: HalfScope) => void} */
function addSources({ isKept }, scope) {
  const { graph, types, values, constants } = scope;
  const { initializers, sparse } = graph;
  const isFloat32 = (/** @type {string} */ name) => types.types.get(name) === codes.float32;
  const inputs = new Set(graph.inputs.map(({ name }) => name));
  for (const name of inputs)
    if (isFloat32(name)) {
      // Inputs of graphs inside are float16, because values are passed to them as float16.
      const natural = scope.isTop && isKept(name) ? 'float32' : 'float16';
      values.set(name, new Value(name, scope, natural, 'input', initializers.get(name)));
    }
  for (const [name, weight] of initializers) {
    if (inputs.has(name)) continue;
    constants.add(name);
    if (isFloat32(name)) values.set(name, new Value(name, scope, 'constant', 'weight', weight));
  }
  for (const name of sparse.keys()) if (isFloat32(name)) values.set(name, new Value(name, scope, 'float32', 'sparse'));
}

/** @type {(scope: HalfScope) => void} */
function addUsers({ graph, users }) {
  for (const node of graph.nodes)
    for (const name of node.inputs) {
      const nodes = users.get(name);
      if (nodes) nodes.push(node);
      else users.set(name, [node]);
    }
}

/** @type {(plan: HalfPlan, node: Node, scope: HalfScope) => void} */
function classifyNode(plan, node, scope) {
  const record = recordOf(plan, node, scope);
  scope.records.push(record);
  plan.records.push(record);
  const bodies = graphsOf(node);
  const isRandom = node.operator.startsWith('Random');
  if (isConstantNode(node, scope) && bodies.length === 0 && !isRandom)
    for (const name of node.outputs) scope.constants.add(name);
  for (const [i, name] of node.outputs.entries()) {
    if (name === '' || scope.types.types.get(name) !== codes.float32) continue;
    // `outputs` has a type for each float32 output, so `??` is for the type check.
    const value = new Value(name, scope, record.outputs[i] ?? 'float32', 'node');
    value.maker = record;
    scope.values.set(name, value);
    markValue(plan, record, value);
  }
  for (const { place, name } of record.inputs) scope.find(name)?.users.push({ record, place });
  if (bodies.length > 0)
    scope.bodies.set(
      record,
      bodies.map((body) => classifyGraph(plan, body, scope)),
    );
}

/** @type {(plan: HalfPlan, node: Node, scope: HalfScope) => NodeRecord} */
function recordOf(plan, node, scope) {
  const { operator, domain } = node;
  const inputs = usesOf(node, scope);
  const outputCodes = node.outputs.map((name) => (name === '' ? undefined : scope.types.typeOf(name)));
  if (outputCodes.includes(unknown)) rangeError(`model must state the types of the outputs of ${labelOf(node)}`);
  const row = rowOf(operator, domain, plan.types.opsets.get(domain) ?? 0);
  if (inputs.length === 0 && !outputCodes.includes(codes.float32))
    return new NodeRecord(node, scope, { type: undefined, row });
  /** Only float32 outputs get a type; others keep theirs. */
  const typed = (/** @type {NumberType} */ type) =>
    outputCodes.map((code) => (code === codes.float32 ? type : undefined));
  // Values go into graphs inside and come out of them as float16.
  if (domain === '' && graphOperators.has(operator))
    return new NodeRecord(node, scope, { type: 'float16', inputs, outputs: typed('float16'), row });
  const reason = float32Reason(plan, node, scope, row, inputs);
  if (reason !== undefined) {
    const record = new NodeRecord(node, scope, { type: 'float32', inputs, outputs: typed('float32'), row, reason });
    const source = scope.types.typeOf(node.inputs[0]);
    record.isFromHalf = reason === reasons.cast && (source === codes.float16 || source === codes.bfloat16);
    return record;
  }
  // A node of constants alone gets the type that its users need, in the second pass. Not so where an input has a type
  // already, as a sum of constants has: it is float32.
  const isMoving = scope.valuesOf({ inputs }).some(({ natural }) => natural !== 'constant');
  const type = !isMoving && isConstantNode(node, scope) ? 'constant' : 'float16';
  const tokens = tokensFor(row?.outputs ?? [], node.outputs.length);
  // An output that is never float16 stays float32 in a float16 node, too.
  const outputs = typed(type).map((output, i) => (output && isFloat32Only(tokens[i]) ? 'float32' : output));
  return new NodeRecord(node, scope, { type, inputs, outputs, row });
}

/** Collects the float32 inputs of a node. One that is computed later, which checkModel refuses, has a type but no
 * Value, and is left out.
 * @type {(node: Node, scope: HalfScope) => Use[]} */
const usesOf = ({ inputs }, scope) =>
  inputs.flatMap((name, place) => {
    const isFloat32 = name !== '' && scope.types.typeOf(name) === codes.float32;
    return isFloat32 && scope.find(name) ? [{ place, name }] : [];
  });

/** Why a node computes in float32; undefined where it may compute in float16. `row`: of the table of operators,
 * undefined for an operator that is not known; `inputs`: the float32 ones.
 * @type {(plan: HalfPlan, node: Node, scope: HalfScope, row: unknown, inputs: readonly Use[]) => string |
 *   undefined} */
function float32Reason({ types, float32 }, node, scope, row, inputs) {
  const { operator, domain } = node;
  if (isNamedIn(float32, node)) return reasons.asked;
  if (types.functionOf(node)) return reasons.function;
  if (!row) return reasons.unknown;
  // The rules below are of ONNX's own operators.
  if (domain !== '') return undefined;
  // A Cast to float32 from another type: positions, times and sizes are exact in float32 alone.
  if (operator === 'Cast' && inputs.length === 0) return reasons.cast;
  if (operator === 'Constant' && attributeOf(node, 'sparse_value')) return reasons.sparse;
  if (rules.float32Operators.has(operator) && !isCentering(node, scope)) return reasons.sum;
  const values = scope.valuesOf({ inputs });
  /** Inputs that change from run to run. */
  const moving = values.filter(({ natural }) => natural !== 'constant');
  if (moving.length === 0) return undefined;
  if (moving.every(({ natural }) => natural === 'float32') && follows(operator, moving, values)) return reasons.follows;
  const hasSum = moving.some(({ natural, isSum }) => natural === 'float32' && isSum);
  return rules.joins.has(operator) && moving.length === 2 && hasSum ? reasons.joins : undefined;
}

/** Whether a node stays float32 because all of its inputs that change from run to run (`moving`) are float32.
 * @type {(operator: string, moving: readonly Value[], values: readonly Value[]) => boolean} */
function follows(operator, moving, values) {
  const constants = values.filter(({ natural }) => natural === 'constant');
  // A value like x / norm(x) is joined with a sum. Behind it only arithmetic with single numbers stays float32.
  if (moving.some(({ isJoined }) => isJoined)) {
    // Weight and bias of a LayerNormalization that is float32 from its source on.
    const isAffine = (operator === 'Mul' || operator === 'Add') && moving.some(({ isCentered }) => isCentered);
    const isTaken = (/** @type {Value} */ { weight }) => sizeIn(weight) === 1 || (isAffine && isVector(weight));
    return rules.arithmetic.has(operator) && constants.every(isTaken);
  }
  if (rules.followers.has(operator)) return true;
  // Products stay float32 in the model's own float32 part, and as rotary embeddings have them: of integers with small
  // constants.
  if (!rules.products.has(operator)) return false;
  if (moving.some(({ isFromHalf }) => isFromHalf)) return true;
  const isSmall = constants.every(({ weight }) => sizeIn(weight) <= rules.maxProductConstant);
  return moving.some(({ isExact }) => isExact) && isSmall;
}

/** Counts the elements of a weight; 0 for a constant that a node makes, whose size is not known: it counts as small,
 * but not as a single number.
 * @type {(weight: Weight | undefined) => number} */
const sizeIn = (weight) => (weight ? sizeOf(weight.dims) : 0);

/** Whether a weight has at most one axis that is longer than 1.
 * @type {(weight: Weight | undefined) => boolean} */
const isVector = (weight) => weight !== undefined && weight.dims.filter((extent) => extent !== 1).length <= 1;

/** Whether a node is a ReduceMean of a float16 value that is only subtracted from that value. Such a mean stays
 * float16: onnxruntime fuses these nodes to LayerNormalization, but not across a Cast.
 * @type {(node: Node, scope: HalfScope) => boolean} */
function isCentering({ operator, inputs: [source], outputs: [mean] }, scope) {
  if (operator !== 'ReduceMean') return false;
  const users = scope.users.get(mean) ?? [];
  const isSub = (/** @type {Node} */ { operator: other, inputs }) =>
    other === 'Sub' && inputs.length === 2 && inputs[0] === source && inputs[1] === mean;
  const isHalf = scope.find(source)?.natural === 'float16';
  return isHalf && users.length > 0 && !scope.outputs.has(mean) && users.every(isSub);
}

/** Whether all inputs of a node are constant, apart from a shape: that changes how many elements there are, and not
 * their numbers.
 * @type {(node: Node, scope: HalfScope) => boolean} */
function isConstantNode({ operator, inputs }, scope) {
  const shapePlace = rules.shapePlaces.get(operator);
  return inputs.every((name, place) => name === '' || place === shapePlace || scope.isConstant(name));
}
