/**
 * Errors of calls. A message reads `<Operator>-<since>: <argument> <rule>, got <value>`. A check throws the rule, and
 * the public function that was called puts its name in front, once. On hot paths a function of its own builds the
 * message: V8 inlines by code length.
 */
import { nearest, nearestNames } from './nearest.js';
import { typedArrayName } from './typed-arrays.js';

const maxEntries = 8;
const maxCharacters = 60;
/** The characters of a rule, which may list names of a hostile file. */
const maxRuleCharacters = 4000;

/** Cuts a text: a hostile name may have megabytes.
 * @type {(text: string) => string} */
export const brief = (text) => (text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text);

/** Shows a caller's value in a message. Arrays, Int32Arrays and BigInt64Arrays, in which callers give dims and indices,
 * show their entries; other objects show their class. Of nested lists, only the outer `depth` levels show entries,
 * because a list may hold itself.
 * @type {(value: unknown, depth?: number) => string} */
export function show(value, depth = 2) {
  if (typeof value === 'string') return `'${brief(value)}'`;
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return brief(String(value));
  const name = Array.isArray(value) ? 'Array' : typedArrayName(value);
  const isList = name === 'Array' || name === 'Int32Array' || name === 'BigInt64Array';
  if (isList && depth > 0) return showList(/** @type {ArrayLike<unknown>} */ (value), depth);
  return name ?? 'an object';
}

/** Shows the first 8 entries of a list in a message.
 * @type {(list: ArrayLike<unknown>, depth?: number) => string} */
export function showList(list, depth = 2) {
  const { length } = list;
  const entries = Array.from({ length: Math.min(length, maxEntries) }, (_, i) => show(list[i], depth - 1));
  return `[${entries.join(', ')}${length > maxEntries ? ', …' : ''}]`;
}

/** Shows a choice of at least one in a message: "a, b or c".
 * @type {(choices: readonly (string | number)[]) => string} */
export function either(choices) {
  const last = choices.at(-1);
  return choices.length === 1 ? `${last}` : `${choices.slice(0, -1).join(', ')} or ${last}`;
}

/** Shows a value of the wrong class in a message.
 * @type {(value: unknown) => string} */
export function showClass(value) {
  if (Array.isArray(value)) return 'Array';
  if (ArrayBuffer.isView(value)) return typedArrayName(value) ?? 'DataView';
  return show(value);
}

/** Our errors that no public function has named yet. Others, such as those of a callback, pass through as they are. */
const unnamed = new WeakSet();

/** Marks an error as one of ours, which a public function has to name.
 * @type {<E extends Error>(error: E) => E} */
export function refusal(error) {
  unnamed.add(error);
  return error;
}

/** Shortens the names and texts of the caller in a rule, which are words of 200 characters or more, and then the rule.
 * @type {(rule: string) => string} */
const concise = (rule) => rule.replace(/\S{200,}/g, brief).slice(0, maxRuleCharacters);

/** Throws the TypeError of a value of the wrong kind.
 * @param {string} rule `ARGUMENT must …, got …`
 * @returns {never} */
export function typeError(rule) {
  throw refusal(new TypeError(concise(rule)));
}

/** Throws the RangeError of a wrong value of the right kind.
 * @param {string} rule `ARGUMENT must …, got …`
 * @returns {never} */
export function rangeError(rule) {
  throw refusal(new RangeError(concise(rule)));
}

/** Puts a name in front of the message of an unnamed error. V8 begins the stack with the message, which is replaced
 * there, too.
 * @type {(name: string, error: Error) => Error} */
function prepend(name, error) {
  if (!unnamed.has(error)) return error;
  const { stack } = error;
  const title = String(error);
  error.message = `${name}: ${error.message}`;
  if (typeof stack === 'string' && stack.startsWith(title)) error.stack = `${error}${stack.slice(title.length)}`;
  return error;
}

/** Puts the name of the public function in front of an error's message, once, and returns the error.
 * @type {(name: string, thrown: unknown) => unknown} */
export function nameError(name, thrown) {
  const error = /** @type {Error} */ (thrown);
  prepend(name, error);
  unnamed.delete(error);
  return error;
}

/** Runs the work of a public function, and names the errors that it throws.
 * @type {<T>(name: string, work: () => T) => T} */
export function named(name, work) {
  try {
    return work();
  } catch (error) {
    throw nameError(name, error);
  }
}

/** Awaits the work of a public function, and names the errors that it throws.
 * @type {<T>(name: string, work: () => T | Promise<T>) => Promise<T>} */
export async function namedAsync(name, work) {
  try {
    return await work();
  } catch (error) {
    throw nameError(name, error);
  }
}

/** Yields what the work of a public function yields, and names the errors that it throws.
 * @type {<T>(name: string, work: () => AsyncIterable<T>) => AsyncGenerator<T, void, undefined>} */
export async function* namedEach(name, work) {
  try {
    yield* work();
  } catch (error) {
    throw nameError(name, error);
  }
}

/** Runs a part of a call, such as the reading of one input, and puts the part's name in front of the messages of its
 * errors, which the public function then names.
 * @type {<T>(part: string, work: () => T) => T} */
export function namePart(part, work) {
  try {
    return work();
  } catch (error) {
    throw prepend(part, /** @type {Error} */ (error));
  }
}

/** Writes the message about an unknown name. `kind`: the word for such a name, as `option`.
 * @type {(kind: string, name: unknown, known: readonly string[], maxNames?: number) => string} */
export function unknownRule(kind, name, known, maxNames = maxEntries) {
  const near = typeof name === 'string' ? nearest(name, known) : undefined;
  const sentenceEnd = near === undefined ? '.' : `, did you mean '${near}'?`;
  const ellipsis = known.length > maxNames ? ', …' : '';
  const names = known.slice(0, maxNames).join(', ') + ellipsis;
  return `unknown ${kind} ${show(name)}${sentenceEnd} Known: ${names}`;
}

/** The names that a message shows where there are too many to list. */
const nearNames = 5;

/** Writes the message about an unknown name of too many to list. `all`: a phrase that says how to list them.
 * @type {(kind: string, name: string, known: readonly string[], all: string) => string} */
export const nearestRule = (kind, name, known, all) =>
  `unknown ${kind} ${show(name)}. Nearest: ${nearestNames(name, known, nearNames).join(', ')}; ${all}`;

/** @type {(kind: string, name: unknown, known: readonly string[]) => never} */
export const unknownName = (kind, name, known) => typeError(unknownRule(kind, name, known));
