/**
 * A call that works for each public function, as the examples of the documents make it, for methods and for classes of
 * configurations. Fuzzers of arguments change one value of it.
 */
import { Tensor } from 'onnx-layout';
import { doorModules, exampleScope } from '../docs/example-scope.js';
import { publicEntries } from '../docs/docblocks.js';
import { runExample } from '../docs/run-example.js';
import { knownMethods } from './known-methods.js';

/**
 * @typedef {object} KnownCall
 * @property {string} door
 * @property {string} name of the function, as its messages begin, but for a version behind it
 * @property {any[]} args
 * @property {(...args: any[]) => unknown} call
 * @property {string[][]} options the options of each argument, by their names in the docblock
 * @property {boolean} [throwsRule] whether it is for shape rules, which bring what the package has read: its messages
 *   have no name
 */

/** Whether a copy of an object's properties stands for it. */
export const isPlain = (value) => [Object.prototype, null, Tensor.prototype].includes(Object.getPrototypeOf(value));

/** A copy of arguments: a call may write to them, or take their memory along. */
export function copied(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (ArrayBuffer.isView(value)) return 'slice' in value ? value.slice() : value;
  if (Array.isArray(value)) return value.map(copied);
  if (value instanceof Map) return new Map(Array.from(value, ([key, held]) => [key, copied(held)]));
  if (!isPlain(value)) return value;
  const entries = Object.entries(value).map(([key, held]) => [key, copied(held)]);
  return Object.setPrototypeOf(Object.fromEntries(entries), Object.getPrototypeOf(value));
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

/**
 * The first call of each function, and of each method and class.
 * @param {<T>(list: readonly T[]) => readonly T[]} [choose] leaves out examples and methods that need not be prepared
 * @returns {Promise<KnownCall[]>}
 */
export async function knownCalls(choose = (list) => list) {
  // Not every chosen example calls it.
  await Promise.all(Object.values(doorModules).map((door) => door.init?.()));
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
  const examples = entries.flatMap(({ door, examples }) => examples.map((program) => ({ door, program })));
  for (const { door, program } of choose(examples)) await runExample(program, exampleScope(door, modules));
  for (const make of choose(knownMethods())) {
    const call = await make();
    calls.set(`${call.door} ${call.name}`, call);
  }
  return [...calls.values()];
}
