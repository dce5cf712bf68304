/**
 * How a call is refused. A message reads `<Operator>-<since>: <argument> <rule>, got <value>`. A check throws the rule
 * where it sees the fault; the public function that was called puts its name in front, once. Each is made on the throw
 * path alone; in what small tensors pass through, that path is a function of its own: engines decide by the length of
 * the code what to inline, and messages are most of it.
 */
import { nearest } from './nearest.js';
import { typedArrayName } from './typed-arrays.js';

const mostEntries = 8;
const mostCharacters = 60;

/**
 * A text cut at 60 characters: a hostile name may have megabytes, a bigint a million digits.
 * @param {string} text
 * @returns {string}
 */
export const brief = (text) => (text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text);

/**
 * A caller's value as a message shows it, cut at 60 characters.
 * @param {unknown} value
 * @param {number} [depth] how many levels of lists are shown with their entries: a list may hold itself
 * @returns {string}
 */
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

/**
 * A list as a message shows it, cut at 8 entries.
 * @param {ArrayLike<unknown>} list
 * @param {number} [depth] as {@link show} takes it
 * @returns {string}
 */
export function showList(list, depth = 2) {
  const { length } = list;
  const entries = Array.from({ length: Math.min(length, mostEntries) }, (_, i) => show(list[i], depth - 1));
  return `[${entries.join(', ')}${length > mostEntries ? ', …' : ''}]`;
}

/**
 * A choice as a message shows it.
 * @param {readonly (string | number)[]} choices
 * @returns {string}
 */
export const either = (choices) =>
  choices.length === 1 ? `${choices[0]}` : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;

/**
 * A value as a message shows it where its class is wrong.
 * @param {unknown} value
 * @returns {string}
 */
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

/**
 * Marks an error that the public function shall name.
 * @template {Error} E
 * @param {E} error
 * @returns {E}
 */
export function refusal(error) {
  unnamed.add(error);
  return error;
}

/**
 * Refuses a value of the wrong kind.
 * @param {string} rule
 * @returns {never}
 */
export function typeError(rule) {
  throw refusal(new TypeError(rule));
}

/**
 * Refuses a wrong value of the right kind.
 * @param {string} rule
 * @returns {never}
 */
export function rangeError(rule) {
  throw refusal(new RangeError(rule));
}

/**
 * Puts a name in front of the message of an error that has none yet. The stack stays that of the fault; V8 begins it
 * with the message.
 * @param {string} name
 * @param {any} error
 * @returns {any} the error
 */
function prepend(name, error) {
  if (!unnamed.has(error)) return error;
  const { stack } = error;
  const title = String(error);
  error.message = `${name}: ${error.message}`;
  if (typeof stack === 'string' && stack.startsWith(title)) error.stack = `${error}${stack.slice(title.length)}`;
  return error;
}

/**
 * An error as a public function throws it: with its name in front, unless another has named it or it is foreign.
 * @param {string} name
 * @param {unknown} error
 * @returns {unknown} the error
 */
export function nameError(name, error) {
  prepend(name, error);
  unnamed.delete(/** @type {any} */ (error));
  return error;
}

/**
 * Runs a public function.
 * @template T
 * @param {string} name
 * @param {() => T} work
 * @returns {T}
 */
export function named(name, work) {
  try {
    return work();
  } catch (error) {
    throw nameError(name, error);
  }
}

/**
 * Runs a public function that is asynchronous.
 * @template T
 * @param {string} name
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T>}
 */
export async function namedAsync(name, work) {
  try {
    return await work();
  } catch (error) {
    throw nameError(name, error);
  }
}

/**
 * Runs a public function that gives one thing after the other.
 * @template T
 * @param {string} name
 * @param {() => AsyncIterable<T>} work
 * @returns {AsyncGenerator<T, void, undefined>}
 */
export async function* namedEach(name, work) {
  try {
    yield* work();
  } catch (error) {
    throw nameError(name, error);
  }
}

/**
 * Runs a part of a call whose messages say which part they are about, behind the name of the call.
 * @template T
 * @param {string} part
 * @param {() => T} work
 * @returns {T}
 */
export function within(part, work) {
  try {
    return work();
  } catch (error) {
    throw prepend(part, error);
  }
}

/**
 * What to say of a name that is not known: the name, the known one that is near, and the first of all known ones.
 * @param {string} kind what the name stands for: 'option', 'type'
 * @param {unknown} name
 * @param {readonly string[]} known
 * @param {number} [most] how many known ones to list: 8 if omitted
 * @returns {string}
 */
export function unknownRule(kind, name, known, most = mostEntries) {
  const near = typeof name === 'string' ? nearest(name, known) : undefined;
  const question = near === undefined ? '' : `, did you mean '${near}'?`;
  const names = known.slice(0, most).join(', ') + (known.length > most ? ', …' : '');
  return `unknown ${kind} ${show(name)}${question || '.'} Known: ${names}`;
}

/**
 * Refuses a name that is not known.
 * @param {string} kind as {@link unknownRule} takes it
 * @param {unknown} name
 * @param {readonly string[]} known
 * @returns {never}
 */
export function unknownName(kind, name, known) {
  return typeError(unknownRule(kind, name, known));
}
