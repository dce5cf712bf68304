/** The third pass: the new graph. */
import { writeTensorProto } from '../../io/index.js';
import { dtypes, Tensor } from '../../tensor/index.js';
import * as attributes from '../model/attributes.js';
import { newNode } from '../model/edit.js';
import { setCode, setName } from '../model/info.js';
import { codes, likeAttributes, typeAttributes } from '../types/infer-types.js';
import { otherType } from './name-values.js';
import * as rules from './rules.js';
import { neededType } from './settle.js';
import { float16Bytes } from '../../engines/tensors/index.js';

/** @import { Attribute, Info, Node } from '../model/types.js' */
/** @import { HalfPlan } from './types.js' */
/** @import { HalfScope, NodeRecord, Value } from './values.js' */

/** Clip takes bounds as initializers since this opset, as attributes before. */
const clipInputsOpset = 11;
/** The bounds of a Clip to float16: names of initializers, and their numbers. */
const limits = /** @type {const} */ ([
  ['fp16_lowest', -rules.largestHalf],
  ['fp16_highest', rules.largestHalf],
]);

/** @type {(operator: string, inputs: string[], output: string, list?: Attribute[]) => Node} */
const nodeOfOutput = (operator, inputs, output, list = []) =>
  newNode(operator, inputs, [output], { name: output, attributes: list });

/** @type {(source: string, output: string, type: 'float16' | 'float32') => Node} */
const castNode = (source, output, type) => nodeOfOutput('Cast', [source], output, [attributes.int('to', codes[type])]);

/** Edits a graph and the graphs inside: nodes use each value in the type that they need, with Casts behind the values
 * that are used in both types, and weights and stated types follow.
 * @type {(plan: HalfPlan, scope: HalfScope) => void} */
export function rewriteGraph(plan, scope) {
  const { graph, values, records, bodies } = scope;
  /** @type {Node[]} */
  const nodes = [];
  for (const value of values.values()) {
    // Casts of inputs and weights stand in front of all nodes.
    if (value.origin === 'input' || value.origin === 'sparse') addCast(plan, value, nodes);
    if (value.weight) rewriteWeight(plan, value, nodes);
  }
  for (const record of records) {
    const outputValues = scope.madeBy(record.node);
    rewriteNode(plan, record, outputValues);
    for (const body of bodies.get(record) ?? []) rewriteGraph(plan, body);
    nodes.push(record.node);
    for (const value of outputValues) addCast(plan, value, nodes);
  }
  graph.nodes = nodes;
  rewriteInfos(plan, scope);
}

/** Renames a node's inputs to the names of the type in which it needs them, and its outputs to the names of the type in
 * which it makes them. Makes the attribute of the output type float16 if an output is.
 * @type {(plan: HalfPlan, record: NodeRecord, outputValues: readonly Value[]) => void} */
function rewriteNode(plan, record, outputValues) {
  const { node, scope, inputs, type } = record;
  for (const { place, name } of inputs) {
    const value = /** @type {Value} */ (scope.find(name));
    // Where the node takes both types, the one that needs no Cast.
    const inputType = neededType(record, place) ?? value.ownType;
    node.inputs[place] = value.nameAs[inputType] ?? name;
  }
  const makesHalf = outputValues.some(({ ownType }) => ownType === 'float16');
  if (type === 'float16' && makesHalf) setHalfOutput(plan, node);
  node.outputs = node.outputs.map((name) => {
    const value = scope.values.get(name);
    return value?.nameAs[value.ownType] ?? name;
  });
}

/** Changes the attribute that decides a node's output type, if it has one, so that the output is float16.
 * @type {(plan: HalfPlan, node: Node) => void} */
function setHalfOutput(plan, node) {
  const { operator, domain, outputs } = node;
  if (domain !== '') return;
  if (operator === 'Constant' || operator === 'ConstantOfShape') {
    const value = constantOf(node);
    const data = new Uint16Array(value.size);
    const counts = float16Bytes(value.size, value.data, data);
    plan.report.push({ value: outputs[0], from: 'float32', to: 'float16', ...counts });
    const half = writeTensorProto({ type: 'float16', data, dims: value.dims });
    node.attributes = [attributes.tensor('value', half)];
    return;
  }
  const typeAttribute = typeAttributes.get(operator) ?? likeAttributes.get(operator);
  // Without output_dtype, DequantizeLinear has the type of its scale.
  const isStated = operator !== 'DequantizeLinear' || attributes.wholeAttribute(node, 'output_dtype', 0) !== 0;
  if (typeAttribute && isStated) attributes.setAttribute(node, attributes.int(typeAttribute, codes.float16));
}

/** Reads the float32 tensor or number that a Constant or ConstantOfShape node states.
 * @type {(node: Node) => Tensor} */
function constantOf(node) {
  const [attribute] = node.attributes;
  // ONNX's default of ConstantOfShape.
  if (!attribute) return Tensor.from('float32', [0], [1]);
  if (attribute.name === 'value') return /** @type {Tensor} */ (attributes.tensorIn(attribute));
  if (attribute.name === 'value_floats') return Tensor.from('float32', attributes.floatsIn(attribute));
  const scalar = attributes.floatAttribute(node, attribute.name, 0);
  return Tensor.from('float32', [scalar], []);
}

/** Adds a Cast to `nodes`, from a value's own type to the other one, if the value is used in that too. A float32 value
 * that may exceed float16 is clipped before: else masks of -3.4e38 would become -infinity, and rows of such masks NaN.
 * @type {(plan: HalfPlan, value: Value, nodes: Node[]) => void} */
function addCast(plan, { name, nameAs, ownType, isHuge }, nodes) {
  const castType = otherType(ownType);
  const ownName = /** @type {string} */ (nameAs[ownType]);
  const castName = nameAs[castType];
  if (castName === undefined || castName === ownName) return;
  const needsClip = isHuge && castType === 'float16';
  if (!needsClip) {
    nodes.push(castNode(ownName, castName, castType));
    return;
  }
  const clippedName = plan.freeName(`${name}_clipped`);
  nodes.push(clipNode(plan, ownName, clippedName), castNode(clippedName, castName, castType));
}

/** Makes a Clip to the range of float16.
 * @type {(plan: HalfPlan, source: string, output: string) => Node} */
function clipNode(plan, source, output) {
  const opset = plan.model.opsets.get('') ?? 0;
  if (opset < clipInputsOpset) {
    const bounds = [attributes.float('min', -rules.largestHalf), attributes.float('max', rules.largestHalf)];
    return nodeOfOutput('Clip', [source], output, bounds);
  }
  const bounds = limits.map(([stem, limit]) => nameOfLimit(plan, stem, limit));
  return nodeOfOutput('Clip', [source, ...bounds], output);
}

/** Gives the name of the initializer that holds a bound of Clip: `stem`, with a number if that is taken. The first call
 * adds the initializer to the model; all Clip nodes share it.
 * @type {(plan: HalfPlan, stem: string, limit: number) => string} */
function nameOfLimit({ model, limitNames, freeName }, stem, limit) {
  const known = limitNames.get(stem);
  if (known !== undefined) return known;
  const name = freeName(stem);
  limitNames.set(stem, name);
  const content = { kind: /** @type {const} */ ('memory'), data: Float32Array.of(limit) };
  model.graph.initializers.set(name, { name, dtype: dtypes.float32, dims: [], content });
  return name;
}

/** Stores a weight as float16 if that is its own type. A float32 weight that is also used as float16 gets an
 * initializer for that; a float16 one that is also used as float32 gets a Cast, which is added to `nodes`.
 * @type {(plan: HalfPlan, value: Value, nodes: Node[]) => void} */
function rewriteWeight(plan, { name, nameAs, origin, ownType, scope, ...value }, nodes) {
  const { initializers } = scope.graph;
  const weight = /** @type {import('../model/types.js').Weight} */ (value.weight);
  if (ownType === 'float16') initializers.set(name, plan.toHalf(weight, name));
  // The default of an input: the Cast stands behind the input.
  if (origin === 'input') return;
  const otherName = nameAs[otherType(ownType)];
  if (otherName === undefined || otherName === name) return;
  if (ownType === 'float32') initializers.set(otherName, plan.toHalf(weight, otherName));
  else nodes.push(castNode(/** @type {string} */ (nameAs.float16), otherName, 'float32'));
}

/** Makes the types that a graph states of its values follow the conversion: those of inputs, outputs and other values
 * that are float16 now. Inputs and outputs of the model that are kept stay float32.
 * @type {(plan: HalfPlan, scope: HalfScope) => void} */
function rewriteInfos({ isKept }, scope) {
  const { graph, values, isTop } = scope;
  const makeHalf = (/** @type {Info} */ info) => {
    if (info.code === codes.float32) setCode(info, codes.float16);
  };
  for (const info of [...graph.inputs, ...graph.outputs]) {
    const staysFloat32 = isTop && isKept(info.name);
    if (!staysFloat32) makeHalf(info);
  }
  if (!isTop) renameOutputs(scope);
  for (const info of graph.infos) {
    // A value that exists in both types may have its old name as float32 still.
    const isNameOfHalf = values.get(info.name)?.nameAs.float16 === info.name;
    if (isNameOfHalf) makeHalf(info);
  }
}

/** Makes a graph inside of a node give out its float32 values as float16, by the names that they have in that type.
 * @type {(scope: HalfScope) => void} */
function renameOutputs(scope) {
  for (const info of scope.graph.outputs) {
    const halfName = scope.find(info.name)?.nameAs.float16;
    if (halfName !== undefined && halfName !== info.name) setName(info, halfName);
  }
}
