/** Nested lists of numbers, as prompts are: checked, measured and filled up. */
import { copyLeaves, largest, rangeError, show, typeError } from '../../arguments/index.js';

/** @typedef {import('../option-types.js').NestedNumbers} Nested */

const { max } = Math;

/** Refuses a prompt that is not a list, nested at any depth, of numbers or null.
 * @type {(name: string, value: unknown) => void} */
export function checkLeaves(name, value) {
  if (!Array.isArray(value)) typeError(`${name} must be nested lists, got ${show(value)}`);
  for (const leaf of copyLeaves(name, value))
    if (typeof leaf !== 'number' && leaf !== null) typeError(`${name} must hold numbers, got ${show(leaf)}`);
}

/** How deep lists are nested, along the first entries that are not null.
 * @type {(value: Nested[number] | undefined) => number} */
const depthOf = (value) => (Array.isArray(value) ? 1 + depthOf(value.find((entry) => entry !== null)) : 0);

/** Refuses lists that are nested less than `minDepth` deep or more than `maxDepth`; a list of numbers is 1 deep. A
 * prompt that is not given is accepted.
 * @type {(name: string, value: Nested | undefined, minDepth: number, maxDepth?: number) => void} */
export function checkDepth(name, value, minDepth, maxDepth = minDepth) {
  const depth = value ? depthOf(value) : minDepth;
  const rule = maxDepth === minDepth ? `${minDepth}` : `at least ${minDepth}`;
  if (depth < minDepth || depth > maxDepth) rangeError(`${name} must be nested ${rule} deep, got ${depth}`);
}

/** The numbers of nested lists, in one list. @type {(value: Nested[number]) => number[]} */
export const leavesOf = (value) => /** @type {number[]} */ (/** @type {unknown[]} */ (value).flat(Infinity));

/** The dims of nested lists; refuses lists at one level that differ in shape. `name`: the prompt's, for the message
 * @type {(name: string, value: Nested[number]) => number[]} */
export function evenDims(name, value) {
  if (!Array.isArray(value)) return [];
  const [first = [], ...others] = value.map((entry) => evenDims(name, entry));
  const other = others.find((dims) => String(dims) !== String(first));
  if (other) rangeError(`${name} must be lists of one shape, got [${first}] and [${other}]`);
  return [value.length, ...first];
}

/** The length of the longest list at each of the outer `levels` levels of nested lists; null counts as no list, and a
 * level without lists has the length 0.
 * @type {(value: Nested[number], levels: number) => number[]} */
export function longestLengths(value, levels) {
  if (levels === 0) return [];
  const list = /** @type {Nested} */ (value);
  const entries = list.filter((entry) => entry !== null);
  const lengthsOfEntries = entries.map((entry) => longestLengths(entry, levels - 1));
  const inner = Array.from({ length: levels - 1 }, (_, level) => {
    const lengths = lengthsOfEntries.map((entryLengths) => entryLengths[level]);
    return max(0, largest(lengths));
  });
  return [list.length, ...inner];
}

/** The numbers of nested lists in one list, after lists at each level are filled up to the lengths `dims` with `pad`. A
 * list that is missing or null counts as empty; without `dims` the value is a number.
 * @type {(value: Nested[number] | undefined, dims: readonly number[], pad: number) => number[]} */
export function paddedLeaves(value, dims, pad) {
  if (dims.length === 0) return [/** @type {number | null | undefined} */ (value) ?? pad];
  const [extent, ...innerDims] = dims;
  const list = /** @type {Nested | null | undefined} */ (value);
  return Array.from({ length: extent }, (_, i) => paddedLeaves(list?.[i], innerDims, pad)).flat();
}
