/**
 * A call that works for each public function, as the examples of the documents make it. Fuzzers of arguments change one
 * value of it.
 */
import { doorModules, exampleScope } from '../docs/example-scope.js';
import { publicEntries } from '../docs/docblocks.js';
import { runExample } from '../docs/run-example.js';

/**
 * @typedef {object} KnownCall
 * @property {string} door
 * @property {string} name of the function, as its messages begin, but for a version behind it
 * @property {any[]} args
 * @property {(...args: any[]) => unknown} call
 * @property {string[][]} options the options of each argument, by their names in the docblock
 */

const isPlain = (value) => [Object.prototype, null].includes(Object.getPrototypeOf(value));

/** A copy of arguments: a call may write to them, or take their memory along. */
export function copied(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (ArrayBuffer.isView(value)) return 'slice' in value ? value.slice() : value;
  if (Array.isArray(value)) return value.map(copied);
  if (value instanceof Map) return new Map(Array.from(value, ([key, held]) => [key, copied(held)]));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, copied(held)]));
}

/** The options of an entry's arguments: `options.axis` is one of `options`. */
function optionsOf({ params }) {
  const names = params.map(({ name }) => name).filter((name) => !name.includes('.'));
  return names.map((name) =>
    params.filter((part) => part.name.startsWith(`${name}.`)).map((part) => part.name.slice(name.length + 1)),
  );
}

/** A door's functions, which note how they are called. */
function noting(door, exported, note) {
  const wrap = (name, value) => {
    if (typeof value !== 'function') return value;
    return new Proxy(value, {
      apply(call, self, args) {
        note({ door, name, args: copied(args), call: (...others) => Reflect.apply(call, self, others) });
        return wrapResult(name, Reflect.apply(call, self, args));
      },
      construct(Class, args) {
        note({ door, name, args: copied(args), call: (...others) => Reflect.construct(Class, others) });
        return wrapResult(name, Reflect.construct(Class, args));
      },
    });
  };
  // Processors are functions, and post-processors objects of them.
  const wrapResult = (name, result) => {
    if (typeof result === 'function') return wrap(`${name}()`, result);
    if (result instanceof Promise) return result.then((value) => wrapResult(name, value));
    if (typeof result !== 'object' || result === null || Array.isArray(result) || !isPlain(result)) return result;
    for (const [key, held] of Object.entries(result)) {
      if (typeof held === 'function' && !Object.isFrozen(result)) result[key] = wrap(`${name}().${key}`, held);
    }
    return result;
  };
  return Object.fromEntries(Object.entries(exported).map(([name, value]) => [name, wrap(name, value)]));
}

/** @returns {Promise<KnownCall[]>} the first call of each function */
export async function knownCalls() {
  const entries = publicEntries();
  const optionsByName = new Map(entries.map((entry) => [`${entry.door} ${entry.name}`, optionsOf(entry)]));
  const calls = new Map();
  const note = (call) => {
    const key = `${call.door} ${call.name}`;
    const options = optionsByName.get(key) ?? call.args.map(() => []);
    if (!calls.has(key)) calls.set(key, { ...call, options });
  };
  const modules = Object.fromEntries(
    Object.entries(doorModules).map(([door, exported]) => [door, noting(door, exported, note)]),
  );
  for (const { door, examples } of entries) {
    for (const program of examples) await runExample(program, exampleScope(door, modules));
  }
  return [...calls.values()];
}
