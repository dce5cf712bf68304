/** The names of values as float16 and as float32. */
import { sizeOf } from '../../tensor/index.js';
import { maxTwice } from './rules.js';
import { needsOf } from './settle.js';

/** @import { HalfPlan } from './types.js' */
/** @import { HalfScope, NumberType, Value } from './values.js' */

const endings = { float16: '_fp16', float32: '_fp32' };

/** @type {(type: NumberType) => 'float16' | 'float32'} */
export const otherType = (type) => (type === 'float16' ? 'float32' : 'float16');

/** Names all values of a graph and of the graphs inside as float16 and float32.
 * @type {(plan: HalfPlan, scope: HalfScope) => void} */
export function nameValues(plan, scope) {
  for (const value of scope.values.values()) nameValue(plan, value);
  for (const record of scope.records) for (const body of scope.bodies.get(record) ?? []) nameValues(plan, body);
}

/** Names a value as float16, as float32 or as both: in its own type, and in the other one if that is used. The value's
 * name goes on in its own type, or for an output of the model in that of the output; the other one gets a new name.
 * @type {(plan: HalfPlan, value: Value) => void} */
function nameValue(plan, value) {
  const { name, origin, scope, outputOf } = value;
  value.needs = needsOf(plan, value);
  if (origin === 'weight') value.ownType = typeOfWeight(plan, value);
  const ownType = /** @type {'float16' | 'float32'} */ (value.ownType);
  // An input of the model that is also an output keeps its name as an input.
  const isOutput = origin !== 'input' && scope.isTop && outputOf.length > 0;
  const outputType = plan.isKept(name) ? 'float32' : 'float16';
  const typeOfName = isOutput ? outputType : ownType;
  const typeOfNewName = otherType(typeOfName);
  value.nameAs = { [typeOfName]: name };
  const existsInBoth = ownType === typeOfNewName || value.needs.has(typeOfNewName);
  if (existsInBoth) value.nameAs[typeOfNewName] = plan.freeName(name + endings[typeOfNewName]);
}

/** Chooses the type in which a weight is stored. Needed in both types, a short one is stored as float32, and exists in
 * float16 too; a longer one is stored as float16 with a Cast. One that is an output is stored in the output's type.
 * @type {(plan: HalfPlan, value: Value) => NumberType} */
function typeOfWeight(plan, { name, scope, weight, needs, outputOf }) {
  if (!needs.has('float16')) return 'float32';
  if (!needs.has('float32')) return 'float16';
  const isLong = weight !== undefined && sizeOf(weight.dims) > maxTwice;
  const isOutput = outputOf.length > 0;
  if (isOutput && plan.isKept(name)) return 'float32';
  // The initializer keeps its name for the output.
  if (isOutput && scope.isTop) return 'float16';
  return isLong ? 'float16' : 'float32';
}
