/** Calls of every public function in which one value is exotic: an argument, an option, or an entry of either. */
import { copied, isPlain } from './known-calls.js';

/** @import { KnownCall } from './known-calls.js' */

/** @typedef {{ known: KnownCall, place: (string | number)[], kind: string }} Trial */

const cyclic = [];
cyclic.push(cyclic);
const detached = (data) => {
  structuredClone(data, { transfer: [data.buffer ?? data] });
  return data;
};

/** A list that says it has 2^32 - 1 entries, and has none. */
export const endless = () => new Array(2 ** 32 - 1);

/** Makers of values, by names. */
export const exotics = {
  symbol: () => Symbol('s'),
  bigint: () => 5n,
  'negative bigint': () => -1n,
  'bigint beyond int64': () => 2n ** 70n,
  NaN: () => NaN,
  '-0': () => -0,
  infinity: () => Infinity,
  '-infinity': () => -Infinity,
  'tiny number': () => 1e-300,
  'negative number': () => -1,
  fraction: () => 0.5,
  101: () => 101,
  '2^31': () => 2 ** 31,
  '2^32': () => 2 ** 32,
  '2^40': () => 2 ** 40,
  '2^53': () => 2 ** 53,
  'empty text': () => '',
  'long text': () => 'x'.repeat(100_000),
  'text with NUL': () => 'a\0b',
  number: () => '1e9',
  null: () => null,
  undefined: () => undefined,
  true: () => true,
  object: () => ({}),
  'object without prototype': () => Object.create(null),
  'object with a length': () => ({ length: 2 ** 32 - 1 }),
  'object whose text fails': () => ({
    toString() {
      throw new Error('own');
    },
  }),
  'list of a symbol': () => [Symbol('s')],
  'list of a bigint': () => [5n, 5n],
  'list of objects': () => [{}, {}],
  'empty list': () => [],
  'list with holes': () => [, ,], // eslint-disable-line no-sparse-arrays
  'list of null': () => [null, undefined],
  'list in itself': () => cyclic,
  'endless list': endless,
  'list of an endless list': () => [endless()],
  'list of long texts': () => ['x'.repeat(100_000)],
  'detached samples': () => detached(new Float32Array(8)),
  'detached bytes': () => detached(new Uint8Array(8)),
  'detached buffer': () => detached(new ArrayBuffer(8)),
  'float array': () => new Float32Array(3),
  'int array': () => Int32Array.of(-1, 2 ** 31 - 1),
  'bigint array': () => BigInt64Array.of(-(2n ** 63n)),
  'large array': () => new Uint8Array(500_000),
  'data view': () => new DataView(new ArrayBuffer(4)),
  buffer: () => new ArrayBuffer(7),
  date: () => new Date(NaN),
  regexp: () => /x/,
  function: () => () => undefined,
  class: () => class Own {},
  map: () => new Map([[Symbol('s'), 1]]),
  set: () => new Set([{}]),
  promise: () => Promise.resolve(1),
  tensor: () => ({ type: 'float32', dims: [2], data: new Float32Array(2) }),
  'tensor of bigints': () => ({ type: 'int64', dims: [1], data: BigInt64Array.of(2n ** 62n) }),
  'tensor of a symbol': () => ({ type: Symbol('s'), dims: [Symbol('s')], data: Symbol('s') }),
  'tensor without memory': () => ({ type: 'float32', dims: [8], data: detached(new Float32Array(8)) }),
  'endless tensor': () => ({ type: 'string', dims: [2 ** 32 - 1], data: endless() }),
  'tensor of endless dims': () => ({ type: 'float32', dims: endless(), data: new Float32Array(1) }),
};

/** The paths to values within arguments: ['0', 'dims', '1']. Lists are entered at their first entry and their last. */
function placesIn({ args, options }, depth = 4) {
  const places = [];
  const visit = (value, path) => {
    if (path.length > 0) places.push(path);
    if (path.length > depth || typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
    const keys = Array.isArray(value) ? [...new Set([0, value.length - 1])].filter((i) => i >= 0) : Object.keys(value);
    for (const key of keys) visit(value[key], [...path, key]);
  };
  for (let i = 0; i < Math.max(args.length, options.length); i++) visit(args[i], [i]);
  options.forEach((names, i) => {
    for (const name of names) places.push([i, ...name.split('.')]);
  });
  const byText = new Map(places.map((path) => [JSON.stringify(path), path]));
  return [...byText.values()];
}

/**
 * All trials of some calls: each place gets each value.
 * @param {readonly KnownCall[]} known
 * @param {string} [only] a part of the names of the values
 * @returns {Trial[]}
 */
export function trialsOf(known, only = '') {
  const kinds = Object.keys(exotics).filter((kind) => kind.includes(only));
  return known.flatMap((call) =>
    placesIn(call).flatMap((place) => kinds.map((kind) => ({ known: call, place, kind }))),
  );
}

/** The arguments of a trial; undefined where nothing can hold the value.
 * @type {(trial: Trial) => any[] | undefined} */
export function argumentsOf({ known, place, kind }) {
  const args = copied(known.args);
  let holder = args;
  for (const key of place.slice(0, -1)) holder = holder[key] = holder[key] ?? {};
  if (Object.isFrozen(holder) || !(Array.isArray(holder) || isPlain(holder))) return undefined;
  holder[place.at(-1)] = exotics[kind]();
  return args;
}

/** @type {(trial: Trial) => string} */
export const titleOf = ({ known, place, kind }) => `${known.door} ${known.name} ${place.join('.')} = ${kind}`;
