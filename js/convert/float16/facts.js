/** Facts of a value that the types of later nodes depend on. */
import { float16Bytes } from '../../engines/tensors/index.js';
import { floatAttribute, floatsIn, tensorIn } from '../model/attributes.js';
import { reasons } from './reasons.js';
import * as rules from './rules.js';

/** @import { Attribute, Node } from '../model/types.js' */
/** @import { HalfPlan } from './types.js' */
/** @import { NodeRecord, Value } from './values.js' */

/** Sets the facts (`is...`) of a value that a node makes, which follow from its operator and its inputs' facts.
 * @type {(plan: HalfPlan, record: NodeRecord, value: Value) => void} */
export function setFacts(plan, record, value) {
  const { node, scope, type } = record;
  const values = scope.valuesOf(record);
  if (type === 'float32') setFloat32Facts(record, values, value);
  // The default of an input does not count, because the caller may replace it.
  const isHugeWeight = (/** @type {Value} */ { origin, weight }) =>
    origin === 'weight' && weight !== undefined && plan.isHuge(weight);
  value.isHuge = values.some(({ isHuge }) => isHuge) || values.some(isHugeWeight) || hasHugeNumbers(node);
}

/** Sets the facts that only outputs of float32 nodes have. `values`: the node's float32 inputs.
 * @type {(record: NodeRecord, values: readonly Value[], value: Value) => void} */
function setFloat32Facts({ node, reason, castsFrom16Bits }, values, value) {
  const { operator } = node;
  const isCast = reason === reasons.cast;
  const hasJoinedInput = values.some((input) => input.isJoined);
  const isReduction = rules.reductions.has(operator);
  // A node is a join if a float16 value meets a float32 one in it, as in x / norm(x).
  const isJoin = rules.joins.has(operator) && values.some(({ ownType }) => ownType === 'float16');
  const isJoined = isJoin || hasJoinedInput;
  value.isFromHalf = castsFrom16Bits || values.some((input) => input.isFromHalf);
  // Casts of other types than float16 and bfloat16 count as ones of integers.
  value.isExact = (isCast && !castsFrom16Bits) || values.some((input) => input.isExact);
  // A sum stays one through moving and elementwise operators, until it is joined.
  value.isSum = isReduction || (!isJoined && rules.followers.has(operator) && values.some((input) => input.isSum));
  // A sum of joined values is a sum again.
  value.isJoined = !isReduction && isJoined;
  // As LayerNormalization computes: x - mean(x), then that divided by a deviation, or times a weight.
  const isScaling = operator === 'Div' || operator === 'Mul';
  const isScaledCentered = isScaling && values.some((input) => input.isCentered);
  value.isCentered = (subtractsMean(node, values) && !isJoin) || isScaledCentered;
}

/** Whether a node subtracts the mean of its first input from that input.
 * @type {(node: Node, values: readonly Value[]) => boolean} */
function subtractsMean({ operator, inputs: [source] }, values) {
  if (operator !== 'Sub' || values.length !== 2) return false;
  const [, subtrahend] = values;
  const maker = subtrahend.maker?.node;
  return maker?.operator === 'ReduceMean' && maker.inputs[0] === source;
}

/** Whether an attribute that states the numbers of a Constant holds a finite float32 number beyond float16.
 * @type {(node: Node) => boolean} */
const hasHugeNumbers = (node) =>
  node.attributes.some((attribute) => {
    const numbers = statedNumbers(node, attribute);
    return numbers !== undefined && float16Bytes(numbers.length, numbers).clipped > 0;
  });

/** Reads the float32 numbers by which an attribute states the value of a Constant; undefined for other attributes and
 * types.
 * @type {(node: Node, attribute: Attribute) => Float32Array | undefined} */
function statedNumbers(node, attribute) {
  const { name } = attribute;
  if (name === 'value_float') return Float32Array.of(floatAttribute(node, name, 0));
  if (name === 'value_floats') return Float32Array.from(floatsIn(attribute));
  const tensor = name === 'value' ? tensorIn(attribute) : undefined;
  return tensor?.type === 'float32' ? tensor.data : undefined;
}
