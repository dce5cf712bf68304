/** The names of values that exist in both types: a value's form is the float16 or the float32 one. */
import { sizeOf } from '../../tensor/index.js';
import { maxTwice } from './rules.js';
import { needsOf } from './settle.js';

/** @import { HalfPlan } from './types.js' */
/** @import { HalfScope, NumberType, Value } from './values.js' */

/** The endings of the names of values in the type that they do not have at first. */
const endings = { float16: '_fp16', float32: '_fp32' };

/** Gives float32 for float16, and float16 for float32.
 * @type {(type: NumberType) => 'float16' | 'float32'} */
export const otherType = (type) => (type === 'float16' ? 'float32' : 'float16');

/** Takes a name that no value has: `name`, or the first free one of `name_1`, `name_2` and so on. Adds it to the names
 * that are taken. `tries` keeps the last number of each name, from which the next search begins.
 * @type {(plan: HalfPlan, name: string) => string} */
export function freeName({ taken, tries }, name) {
  let count = tries.get(name) ?? 0;
  const tried = () => (count === 0 ? name : `${name}_${count}`);
  while (taken.has(tried())) count++;
  tries.set(name, count);
  taken.add(tried());
  return tried();
}

/** Names the float16 and float32 forms of all values of a graph and of the graphs inside.
 * @type {(plan: HalfPlan, scope: HalfScope) => void} */
export function nameValues(plan, scope) {
  for (const value of scope.values.values()) nameValue(plan, value);
  for (const record of scope.records) for (const body of scope.bodies.get(record) ?? []) nameValues(plan, body);
}

/** Names the forms of a value that exist: the one in its natural type, and the other one if it is used. The natural
 * form keeps the name of the value; but of an output of the model, the form of the output's type does. Sets `needs`,
 * `names` and, of a weight, `natural`.
 * @type {(plan: HalfPlan, value: Value) => void} */
function nameValue(plan, value) {
  const { name, kind, scope, outputOf } = value;
  value.needs = needsOf(plan, value);
  if (kind === 'weight') value.natural = typeOfWeight(plan, value);
  const natural = /** @type {'float16' | 'float32'} */ (value.natural);
  // An input of the model that is also an output keeps its name as an input.
  const isOutput = kind !== 'input' && scope.isTop && outputOf.length > 0;
  const type = isOutput ? (plan.isKept(name) ? 'float32' : 'float16') : natural;
  const other = otherType(type);
  value.names = { [type]: name };
  if (value.needs.has(other) || natural === other) value.names[other] = freeName(plan, name + endings[other]);
}

/** Chooses the type in which a weight is stored: the one that its users need; float32 if none needs one. Needed in both
 * types, a weight of up to 256 elements is stored as float32, and exists in float16 too; a longer one is stored as
 * float16 with a Cast, unless it is an output that stays float32.
 * @type {(plan: HalfPlan, value: Value) => NumberType} */
function typeOfWeight(plan, { name, weight, needs, outputOf }) {
  if (!needs.has('float16')) return 'float32';
  if (!needs.has('float32')) return 'float16';
  const isLong = weight !== undefined && sizeOf(weight.dims) > maxTwice;
  return isLong && !(outputOf.length > 0 && plan.isKept(name)) ? 'float16' : 'float32';
}
