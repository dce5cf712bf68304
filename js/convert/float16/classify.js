/** The first pass: in which type each node computes, in the order of the graph. Constants get theirs in the second. */
import { rangeError } from '../../arguments/index.js';
import { sizeOf } from '../../tensor/index.js';
import { attributeOf, graphsOf } from '../model/attributes.js';
import { codes, graphOperators, unknown } from '../types/infer-types.js';
import { isFloat32Only, rowOf, tokensFor } from '../types/type-rows.js';
import { labelOf } from '../check-model.js';
import { isNamedIn } from '../read-choice.js';
import { setFacts } from './facts.js';
import { reasons } from './reasons.js';
import * as rules from './rules.js';
import { HalfScope, NodeRecord, Value } from './values.js';

/** @import { Graph, Node, Weight } from '../model/types.js' */
/** @import { HalfPlan } from './types.js' */
/** @import { NumberType, Use } from './values.js' */

/** Decides for each node of a graph, and of graphs inside, whether it computes in float16 or float32.
 * @type {(plan: HalfPlan, graph: Graph, outer: HalfScope | undefined) => HalfScope} */
export function classifyGraph(plan, graph, outer) {
  const scope = new HalfScope(graph, plan.types.scopeOf(graph), outer);
  addInputsAndWeights(plan, scope);
  addUsers(scope);
  for (const node of graph.nodes) classifyNode(plan, node, scope);
  // Values that the graph gives out, also those of graphs around it.
  for (const name of scope.outputs) scope.find(name)?.outputOf.push(scope);
  return scope;
}

/** Adds a graph's float32 inputs and initializers to its values. Callers may replace inputs: they are no constants.
 * @type {(plan: HalfPlan, scope: HalfScope) => void} */
function addInputsAndWeights({ isKept }, scope) {
  const { graph, types, values, constants } = scope;
  const { initializers, sparse } = graph;
  const isFloat32 = (/** @type {string} */ name) => types.types.get(name) === codes.float32;
  const inputs = new Set(graph.inputs.map(({ name }) => name));
  for (const name of inputs)
    if (isFloat32(name)) {
      // Inputs of graphs inside are float16, because values are passed to them as float16.
      const ownType = scope.isTop && isKept(name) ? 'float32' : 'float16';
      values.set(name, new Value(name, scope, ownType, 'input', initializers.get(name)));
    }
  for (const [name, weight] of initializers) {
    if (inputs.has(name)) continue;
    constants.add(name);
    if (isFloat32(name)) values.set(name, new Value(name, scope, 'constant', 'weight', weight));
  }
  for (const name of sparse.keys()) if (isFloat32(name)) values.set(name, new Value(name, scope, 'float32', 'sparse'));
}

/** Lists for each name the nodes of the graph that have it as an input.
 * @type {(scope: HalfScope) => void} */
function addUsers({ graph, users }) {
  for (const node of graph.nodes)
    for (const name of node.inputs) {
      const nodes = users.get(name);
      if (nodes) nodes.push(node);
      else users.set(name, [node]);
    }
}

/** Decides the type in which a node computes, and records it in the graph's scope: the node, its float32 outputs as new
 * values, and the node as a user of its float32 inputs. Then does so for the nodes of the graphs inside.
 * @type {(plan: HalfPlan, node: Node, scope: HalfScope) => void} */
function classifyNode(plan, node, scope) {
  const record = decideTypes(plan, node, scope);
  scope.records.push(record);
  plan.records.push(record);
  const bodies = graphsOf(node);
  // A graph inside may use values that change, without them being inputs of the node.
  const hasGraphs = bodies.length > 0;
  const isRandom = node.operator.startsWith('Random');
  const isSameInEachRun = isConstantNode(node, scope) && !hasGraphs && !isRandom;
  if (isSameInEachRun) for (const name of node.outputs) scope.constants.add(name);
  addOutputs(plan, record);
  for (const { place, name } of record.inputs) scope.find(name)?.users.push({ record, place });
  if (!hasGraphs) return;
  const bodyScopes = bodies.map((body) => classifyGraph(plan, body, scope));
  scope.bodies.set(record, bodyScopes);
}

/** Adds the float32 outputs of a node to the values of its graph.
 * @type {(plan: HalfPlan, record: NodeRecord) => void} */
function addOutputs(plan, record) {
  const { node, scope, outputs: outputTypes } = record;
  for (const [i, name] of node.outputs.entries()) {
    const isFloat32 = name !== '' && scope.types.types.get(name) === codes.float32;
    if (!isFloat32) continue;
    // Each float32 output has a type, so `??` is for the type check alone.
    const value = new Value(name, scope, outputTypes[i] ?? 'float32', 'node');
    value.maker = record;
    scope.values.set(name, value);
    setFacts(plan, record, value);
  }
}

/** Decides the type in which a node computes, and the types of its float32 outputs. The type is undefined for a node
 * that neither takes nor makes float32, and 'constant' for one of constants alone: in the second pass it gets the type
 * that its users need.
 * @type {(plan: HalfPlan, node: Node, scope: HalfScope) => NodeRecord} */
function decideTypes(plan, node, scope) {
  const { operator, domain } = node;
  const inputs = float32InputsOf(node, scope);
  const outputCodes = node.outputs.map((name) => (name === '' ? undefined : scope.types.typeOf(name)));
  if (outputCodes.includes(unknown)) rangeError(`model must state the types of the outputs of ${labelOf(node)}`);
  const signature = rowOf(operator, domain, plan.types.opsets.get(domain) ?? 0);
  const hasFloat32 = inputs.length > 0 || outputCodes.includes(codes.float32);
  if (!hasFloat32) return new NodeRecord(node, scope, { type: undefined, signature });
  /** Outputs that are not float32 keep their types. */
  const float32OutputsAs = (/** @type {NumberType} */ type) =>
    outputCodes.map((code) => (code === codes.float32 ? type : undefined));
  // Values go into graphs inside and come out of them as float16.
  if (domain === '' && graphOperators.has(operator))
    return new NodeRecord(node, scope, { type: 'float16', inputs, outputs: float32OutputsAs('float16'), signature });
  const reason = float32Reason(plan, node, scope, signature, inputs);
  if (reason !== undefined) {
    const outputs = float32OutputsAs('float32');
    const record = new NodeRecord(node, scope, { type: 'float32', inputs, outputs, signature, reason });
    record.castsFrom16Bits = reason === reasons.cast && is16BitFloat(scope.types.typeOf(node.inputs[0]));
    return record;
  }
  // An input that is the same in each run may have a type already, as a sum of constants is float32: then the type of
  // this node is not left to its users.
  const hasTypedInput = scope.valuesOf({ inputs }).some(({ ownType }) => ownType !== 'constant');
  const isLeftToUsers = isConstantNode(node, scope) && !hasTypedInput;
  const type = isLeftToUsers ? 'constant' : 'float16';
  const tokens = tokensFor(signature?.outputs ?? [], node.outputs.length);
  // An output that is never float16 stays float32 in a float16 node, too.
  const outputs = float32OutputsAs(type).map((output, i) => (output && isFloat32Only(tokens[i]) ? 'float32' : output));
  return new NodeRecord(node, scope, { type, inputs, outputs, signature });
}

const is16BitFloat = (/** @type {number} */ code) => code === codes.float16 || code === codes.bfloat16;

/** Collects the float32 inputs of a node. One that is computed later, which checkModel refuses, has a type but no
 * Value, and is left out.
 * @type {(node: Node, scope: HalfScope) => Use[]} */
const float32InputsOf = ({ inputs }, scope) =>
  inputs.flatMap((name, place) => {
    const isFloat32 = name !== '' && scope.types.typeOf(name) === codes.float32;
    return isFloat32 && scope.find(name) ? [{ place, name }] : [];
  });

/** Why a node computes in float32; undefined where it may compute in float16. `signature`:
 * undefined for an operator that is not known; `inputs`: the float32 ones.
 * @type {(plan: HalfPlan, node: Node, scope: HalfScope, signature: unknown, inputs: readonly Use[]) => string |
 *   undefined} */
function float32Reason({ types, float32 }, node, scope, signature, inputs) {
  const { operator, domain } = node;
  if (isNamedIn(float32, node)) return reasons.asked;
  if (types.functionOf(node)) return reasons.function;
  if (!signature) return reasons.unknown;
  // The rules below are of ONNX's own operators.
  if (domain !== '') return undefined;
  // A Cast to float32 from another type: positions, times and sizes are exact in float32 alone.
  if (operator === 'Cast' && inputs.length === 0) return reasons.cast;
  if (operator === 'Constant' && attributeOf(node, 'sparse_value')) return reasons.sparse;
  if (rules.float32Operators.has(operator) && !isCentering(node, scope)) return reasons.sum;
  const values = scope.valuesOf({ inputs });
  const constants = values.filter(({ ownType }) => ownType === 'constant');
  /** Inputs that change from run to run. */
  const changing = values.filter(({ ownType }) => ownType !== 'constant');
  if (changing.length === 0) return undefined;
  const areFloat32 = changing.every(({ ownType }) => ownType === 'float32');
  if (areFloat32 && followsFloat32(operator, changing, constants)) return reasons.follows;
  const hasSum = changing.some(({ ownType, isSum }) => ownType === 'float32' && isSum);
  return rules.joins.has(operator) && changing.length === 2 && hasSum ? reasons.joins : undefined;
}

/** Whether a node computes in float32 because all of its inputs that change from run to run (`changing`) are float32.
 * `constants`: its other inputs.
 * @type {(operator: string, changing: readonly Value[], constants: readonly Value[]) => boolean} */
function followsFloat32(operator, changing, constants) {
  // A joined value is one like x / norm(x). Behind it only arithmetic with single numbers stays float32.
  if (changing.some(({ isJoined }) => isJoined)) {
    // In a LayerNormalization of a float32 value, x - mean(x) is also multiplied by a vector, and one is added.
    const isAffine = (operator === 'Mul' || operator === 'Add') && changing.some(({ isCentered }) => isCentered);
    const isAllowed = (/** @type {Value} */ { weight }) => sizeIn(weight) === 1 || (isAffine && isVector(weight));
    return rules.arithmetic.has(operator) && constants.every(isAllowed);
  }
  if (rules.followers.has(operator)) return true;
  // Products stay float32 in the model's own float32 part, and as rotary embeddings have them: of integers with small
  // constants.
  if (!rules.products.has(operator)) return false;
  if (changing.some(({ isFromHalf }) => isFromHalf)) return true;
  const isSmall = constants.every(({ weight }) => sizeIn(weight) <= rules.maxProductConstant);
  return changing.some(({ isExact }) => isExact) && isSmall;
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
  /** Whether a node is `source - mean`. */
  const isDifference = (/** @type {Node} */ { operator: other, inputs }) =>
    other === 'Sub' && inputs.length === 2 && inputs[0] === source && inputs[1] === mean;
  const isSourceHalf = scope.find(source)?.ownType === 'float16';
  const isOnlySubtracted = users.length > 0 && users.every(isDifference) && !scope.outputs.has(mean);
  return isSourceHalf && isOnlySubtracted;
}

/** Whether all inputs of a node are constant, apart from a shape: that changes how many elements there are, and not
 * their numbers.
 * @type {(node: Node, scope: HalfScope) => boolean} */
function isConstantNode({ operator, inputs }, scope) {
  const shapePlace = rules.shapePlaces.get(operator);
  return inputs.every((name, place) => name === '' || place === shapePlace || scope.isConstant(name));
}
