/** Facts of a value that the types of later nodes depend on. */
import { float16Bytes } from '../../engines/tensors/index.js';
import { tensorIn } from '../model/attributes.js';
import { reasons } from './reasons.js';
import * as rules from './rules.js';

/** @import { Node } from '../model/types.js' */
/** @import { HalfPlan } from './types.js' */
/** @import { NodeRecord, Value } from './values.js' */

/** @type {(plan: HalfPlan, record: NodeRecord, value: Value) => void} */
export function markValue(plan, record, value) {
  const { node, scope, type, reason } = record;
  const { operator } = node;
  const values = scope.valuesOf(record);
  if (type === 'float32') {
    const isCast = reason === reasons.cast;
    const isReduction = rules.reductions.has(operator);
    const isJoining = rules.joins.has(operator) && values.some(({ natural }) => natural === 'float16');
    const isBehind = values.some(({ isJoined }) => isJoined);
    value.isFromHalf = (isCast && record.isFromHalf) || values.some(({ isFromHalf }) => isFromHalf);
    value.isExact = (isCast && !record.isFromHalf) || values.some(({ isExact }) => isExact);
    value.isSum =
      isReduction || (!isJoining && !isBehind && rules.followers.has(operator) && values.some(({ isSum }) => isSum));
    value.isJoined = !isReduction && (isJoining || isBehind);
    value.isCentered =
      (isDifference(node, values) && !isJoining) ||
      ((operator === 'Div' || operator === 'Mul') && values.some(({ isCentered }) => isCentered));
  }
  value.isHuge =
    values.some(({ kind, isHuge }) => kind === 'node' && isHuge) ||
    values.some(({ kind, weight }) => kind === 'weight' && weight && plan.isHuge(weight)) ||
    hasHugeTensor(node);
}

/** The difference of a value and its mean. @type {(node: Node, values: readonly Value[]) => boolean} */
function isDifference({ operator, inputs }, values) {
  if (operator !== 'Sub' || values.length !== 2) return false;
  const mean = values[1].maker?.node;
  return mean?.operator === 'ReduceMean' && mean.inputs[0] === inputs[0];
}

/** @type {(node: Node) => boolean} */
const hasHugeTensor = ({ attributes }) =>
  attributes.some((attribute) => {
    if (attribute.name !== 'value') return false;
    const tensor = tensorIn(attribute);
    const isFloat32 = tensor?.type === 'float32';
    return isFloat32 && float16Bytes(tensor.size, tensor.data).clipped > 0;
  });
