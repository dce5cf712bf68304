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

/** Cuts a text at 60 characters: a hostile name may have megabytes.
 * @type {(text: string) => string} */
export const brief = (text) => (text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text);

/** Shows a caller's value in a message. Texts and numbers are cut at 60 characters, also as entries of a list. Arrays
 * show their first entries, and of typed arrays those of int32 and int64, in which callers give dims, axes and indices.
 * Others are data of a tensor or a file, and show their class alone; further objects are 'an object'. `depth`: how many
 * levels of nested lists show entries, because a list may hold itself
 * @type {(value: unknown, depth?: number) => string} */
export function show(value, depth = 2) {
  if (typeof value === 'string') return `'${brief(value)}'`;
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return brief(String(value));
  const name = typedArrayName(value);
  const isArray = Array.isArray(value);
  const isShown = depth > 0 && (name === 'Int32Array' || name === 'BigInt64Array' || isArray);
  if (isShown) return showList(/** @type {ArrayLike<unknown>} */ (value), depth);
  return name ?? (isArray ? 'Array' : 'an object');
}

/** Shows a list in a message: its first 8 entries, in brackets, as {@link show} shows each, with one level of nested
 * lists less.
 * @type {(list: ArrayLike<unknown>, depth?: number) => string} */
export function showList(list, depth = 2) {
  const { length } = list;
  const entries = Array.from({ length: Math.min(length, maxEntries) }, (_, i) => show(list[i], depth - 1));
  return `[${entries.join(', ')}${length > maxEntries ? ', …' : ''}]`;
}

/** Shows a choice in a message: "a, b or c". There is one at least.
 * @type {(choices: readonly (string | number)[]) => string} */
export const either = (choices) =>
  choices.length === 1 ? `${choices[0]}` : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;

/** Shows a value of the wrong class in a message: the class of an array or a DataView, and other values as {@link show}
 * does.
 * @type {(value: unknown) => string} */
export function showClass(value) {
  if (Array.isArray(value)) return 'Array';
  if (ArrayBuffer.isView(value)) return typedArrayName(value) ?? 'DataView';
  return show(value);
}

/**
 * The errors that no public function has named yet. All others, such as those of a caller's callback, are foreign: they
 * pass through as they are.
 */
const unnamed = new WeakSet();

/** Marks an error as one of ours, in whose message the public function puts its name in front, and returns it.
 * @type {<E extends Error>(error: E) => E} */
export function refusal(error) {
  unnamed.add(error);
  return error;
}

/** Shortens a rule: words of 200 characters or more, which are names and texts of the caller, to 60, and then all of it
 * to `maxRuleCharacters`.
 * @type {(rule: string) => string} */
const concise = (rule) => rule.replace(/\S{200,}/g, brief).slice(0, maxRuleCharacters);

/** Throws the TypeError of a value of the wrong kind; the public function puts its name in front of the rule.
 * @param {string} rule `ARGUMENT must …, got …`
 * @returns {never} */
export function typeError(rule) {
  throw refusal(new TypeError(concise(rule)));
}

/** Throws the RangeError of a wrong value of the right kind; the public function puts its name in front of the rule.
 * @param {string} rule `ARGUMENT must …, got …`
 * @returns {never} */
export function rangeError(rule) {
  throw refusal(new RangeError(concise(rule)));
}

/** Puts a name in front of the message of an error of ours that no public function has named yet; other errors are
 * returned as they are. The stack stays that of the fault; as V8 begins it with the message, that is replaced there,
 * too.
 * @type {(name: string, error: Error) => Error} */
function prepend(name, error) {
  if (!unnamed.has(error)) return error;
  const { stack } = error;
  const title = String(error);
  error.message = `${name}: ${error.message}`;
  if (typeof stack === 'string' && stack.startsWith(title)) error.stack = `${error}${stack.slice(title.length)}`;
  return error;
}

/** Puts the name of the public function in front of an error's message, once: an error that has a name already, or is
 * foreign (a callback's), stays as it is. Returns the error, for the caller to throw.
 * @type {(name: string, thrown: unknown) => unknown} */
export function nameError(name, thrown) {
  const error = /** @type {Error} */ (thrown);
  prepend(name, error);
  // So that functions further out leave the message alone.
  unnamed.delete(error);
  return error;
}

/** Runs the work of a public function, and puts the function's name in front of the errors that it throws, as
 * {@link nameError} does.
 * @type {<T>(name: string, work: () => T) => T} */
export function named(name, work) {
  try {
    return work();
  } catch (error) {
    throw nameError(name, error);
  }
}

/** Runs the work of a public function that is asynchronous, as {@link named} does for others.
 * @type {<T>(name: string, work: () => T | Promise<T>) => Promise<T>} */
export async function namedAsync(name, work) {
  try {
    return await work();
  } catch (error) {
    throw nameError(name, error);
  }
}

/** Runs the work of a public function that is an async iterable, as {@link named} does for others.
 * @type {<T>(name: string, work: () => AsyncIterable<T>) => AsyncGenerator<T, void, undefined>} */
export async function* namedEach(name, work) {
  try {
    yield* work();
  } catch (error) {
    throw nameError(name, error);
  }
}

/** Runs a part of a call, such as the reading of one input, and puts the part's name in front of its errors. The public
 * function still puts its own name in front of that.
 * @type {<T>(part: string, work: () => T) => T} */
export function namePart(part, work) {
  try {
    return work();
  } catch (error) {
    throw prepend(part, /** @type {Error} */ (error));
  }
}

/** Writes the message about an unknown name: the name, the known one that it may be a misspelling of, and the first
 * `maxNames` of the known names. `kind`: the word for such a name, as `option`.
 * @type {(kind: string, name: unknown, known: readonly string[], maxNames?: number) => string} */
export function unknownRule(kind, name, known, maxNames = maxEntries) {
  const near = typeof name === 'string' ? nearest(name, known) : undefined;
  const question = near === undefined ? '' : `, did you mean '${near}'?`;
  const names = known.slice(0, maxNames).join(', ') + (known.length > maxNames ? ', …' : '');
  return `unknown ${kind} ${show(name)}${question || '.'} Known: ${names}`;
}

/** The names that a message shows where there are too many to list. */
const nearNames = 5;

/** Writes the message about an unknown name where too many names are known to list: the name, and the five nearest
 * ones. `all`: a phrase that says how to list all of them.
 * @type {(kind: string, name: string, known: readonly string[], all: string) => string} */
export const nearestRule = (kind, name, known, all) =>
  `unknown ${kind} ${show(name)}. Nearest: ${nearestNames(name, known, nearNames).join(', ')}; ${all}`;

/** Throws the TypeError of a name that is not among the known ones.
 * @type {(kind: string, name: unknown, known: readonly string[]) => never} */
export const unknownName = (kind, name, known) => typeError(unknownRule(kind, name, known));
