/** Assertions about results and errors. Each takes the name of the case, because one test holds thousands of them. */
import { expect, test } from '@jest/globals';
import { Tensor } from 'onnx-layout';
import { elementCount, types } from './reference.js';

/** @typedef {any} Data an array of strings or a typed array */

const bytesOf = (/** @type {Data} */ data) => Buffer.from(data.buffer, data.byteOffset, data.byteLength);

/** @type {(a: Data, b: Data) => boolean} */
function sameData(a, b) {
  if (Array.isArray(a) || Array.isArray(b))
    return a.length === b.length && a.every((/** @type {unknown} */ entry, /** @type {number} */ i) => entry === b[i]);
  return a.constructor.name === b.constructor.name && bytesOf(a).equals(bytesOf(b));
}

/**
 * Expects a Tensor of exactly this type, these dims and these bytes in this class of array.
 * @param {any} actual
 * @param {string} type
 * @param {readonly number[]} dims
 * @param {Data} data
 * @param {string} [what] the case
 */
export function expectTensor(actual, type, dims, data, what = '') {
  const isEqual =
    actual instanceof Tensor &&
    actual.type === type &&
    Array.isArray(actual.dims) &&
    actual.dims.length === dims.length &&
    actual.dims.every((/** @type {number} */ extent, /** @type {number} */ i) => Object.is(extent, dims[i])) &&
    sameData(actual.data, data);
  if (isEqual) return;
  // Only a failing case gets here. Jest's own comparison shows the difference, but is far too slow for every case.
  const [from, to] = rangeOfDifference(actual.data, data);
  const describe = (/** @type {any} */ tensor) => ({
    type: tensor.type,
    dims: tensor.dims,
    class: tensor.data?.constructor?.name,
    length: tensor.data?.length,
    firstDifference: from,
    data: tensor.data?.slice?.(from, to),
  });
  nameFailure(what, () => {
    expect({ ...describe(actual), isTensor: actual instanceof Tensor }).toEqual({
      ...describe({ type, dims, data }),
      isTensor: true,
    });
    throw new Error('differs in bytes that print alike');
  });
}

/**
 * Puts the case's name in front of the failure.
 * @param {string} what
 * @param {() => void} check
 */
function nameFailure(what, check) {
  try {
    check();
  } catch (error) {
    if (error instanceof Error) error.message = `${what}\n${error.message}`;
    throw error;
  }
}

/**
 * The range of the first 16 entries from where two lists differ.
 * @type {(a: Data, b: Data) => [number, number]}
 */
function rangeOfDifference(a, b) {
  let i = 0;
  while (i < Math.min(a?.length ?? 0, b.length) && Object.is(a[i], b[i])) i++;
  return [i, i + 16];
}

/**
 * Expects the same bytes. A failure says the first value that differs, and how many do.
 * @param {Data} actual
 * @param {Data} expected
 * @param {string} [what] the case
 */
export function expectBytes(actual, expected, what = '') {
  if (bytesOf(actual).equals(bytesOf(expected))) return;
  const isSameClass = actual.constructor.name === expected.constructor.name;
  const [a, b] = isSameClass ? [actual, expected] : [bytesOf(actual), bytesOf(expected)];
  const places = Array.from(b, (_, /** @type {number} */ i) => i).filter((i) => !Object.is(a[i], b[i]));
  const [first] = places;
  const describe = (/** @type {Data} */ data, /** @type {number} */ differing) => ({
    length: data.length,
    first,
    value: data[first],
    differing,
  });
  nameFailure(what, () => {
    expect(describe(a, places.length)).toEqual(describe(b, 0));
    throw new Error('differs in bytes that print alike');
  });
}

/**
 * Expects a sequence: an array of Tensors with a `type` property.
 * @param {any} actual
 * @param {string} type
 * @param {[dims: readonly number[], data: Data][]} pieces
 * @param {string} [what] the case
 */
export function expectSequence(actual, type, pieces, what = '') {
  nameFailure(what, () =>
    expect({ isArray: Array.isArray(actual), type: actual.type, length: actual.length }).toEqual({
      isArray: true,
      type,
      length: pieces.length,
    }),
  );
  pieces.forEach(([dims, data], i) => {
    expectTensor(actual[i], type, dims, data, `${what} piece ${i}`);
    // Jest's comparison takes longer than the call that is tested, so that only a failing case gets to it.
    if (types[type].bits !== 0 && actual[i].data.byteLength !== actual[i].data.buffer.byteLength)
      expect(actual[i].data.byteLength).toBe(actual[i].data.buffer.byteLength);
  });
}

/**
 * Expects a call to throw exactly this class, not one derived from it, with this whole message.
 * @param {() => unknown} call
 * @param {Function} Class
 * @param {string} message
 * @param {string} [what] the case
 */
export function expectError(call, Class, message, what = '') {
  /** @type {any} */
  let thrown;
  try {
    call();
  } catch (error) {
    thrown = error;
  }
  if (thrown?.constructor === Class && thrown.message === message) return;
  nameFailure(what, () =>
    expect({ class: thrown?.constructor, message: thrown?.message }).toEqual({ class: Class, message }),
  );
}

/**
 * Expects a call, or the promise that it gives, to fail with exactly this class and this whole message.
 * @param {() => unknown} call
 * @param {Function} Class
 * @param {string} message
 */
export async function expectRejection(call, Class, message) {
  /** @type {any} */
  let thrown;
  try {
    await call();
  } catch (error) {
    thrown = error;
  }
  expect({ class: thrown?.constructor, message: thrown?.message }).toEqual({ class: Class, message });
}

/** @typedef {Record<string, unknown>} Refusals by `RangeError: axis must be …`, as {@link callsOf} reads them */

/**
 * The calls of a row: a function, a list of functions, or the arguments of a call that the whole table shares.
 * @type {(given: any, call?: Function) => (() => any)[]}
 */
function callsOf(given, call) {
  const isCalls = (/** @type {any} */ one) => typeof one === 'function';
  if (call === undefined || isCalls(given) || (given.length > 0 && given.every(isCalls))) return [given].flat();
  return [() => call(...given)];
}

/**
 * Calls an assertion with each call, and the class and the message of its key.
 * @param {string} name what stands before each message, `Slice-13`; empty where the keys have it
 * @param {[Refusals] | [call: Function, rows: Refusals]} table
 * @param {(call: () => unknown, Class: Function, message: string) => void} check
 */
function forEachRefusal(name, table, check) {
  const [rows, shared] = /** @type {[Refusals, Function?]} */ (table.toReversed());
  for (const [key, given] of Object.entries(rows)) {
    const [, Class, rule] = /** @type {string[]} */ (/^(\w+): ([^]*)$/.exec(key));
    for (const call of callsOf(given, shared))
      check(call, /** @type {any} */ (globalThis)[Class], name ? `${name}: ${rule}` : rule);
  }
}

/**
 * Expects calls to throw the errors of their keys.
 * @param {[Refusals] | [call: Function, rows: Refusals]} table
 */
export const expectErrors = (...table) => forEachRefusal('', table, expectError);

/**
 * Tests that calls throw the errors of their keys. Several calls may throw the same.
 * @param {string} name what stands before each message, `Slice-13`; empty where the keys have it
 * @param {[Refusals] | [call: Function, rows: Refusals]} table
 */
export const refuses = (name, ...table) =>
  forEachRefusal(name, table, (call, Class, message) =>
    test(`refuses with ${Class.name} ${message}`, () => expectError(call, Class, message)),
  );

/**
 * Tests of refusals, for calls that throw or return a promise that rejects.
 * @type {(name: string, ...table: [Refusals] | [call: Function, rows: Refusals]) => void}
 */
export const rejects = (name, ...table) =>
  forEachRefusal(name, table, (call, Class, message) =>
    test(`rejects with ${Class.name} ${message}`, () => expectRejection(call, Class, message)),
  );

/** An element as a key of {@link gives} has it. */
const describeElement = (/** @type {unknown} */ value) => {
  if (typeof value === 'string') return `'${value}'`;
  return Object.is(value, -0) ? '-0' : `${value}${typeof value === 'bigint' ? 'n' : ''}`;
};

/** A tensor as a key of {@link gives} has it. */
const describeTensor = (/** @type {any} */ { type, dims, data }) =>
  [`${type} [${dims.join(', ')}]`, ...Array.from(data, describeElement)].join(' ');

/**
 * Tests that calls give the tensors of their keys: `uint8 [1, 2] 3 4`, or a list, `{ uint8 [1] 3 | uint8 [0] }`.
 * @param {[rows: Record<string, any>] | [call: Function, rows: Record<string, any>]} table as that of refusals
 */
export const gives = (...table) => {
  const [rows, shared] = /** @type {[Record<string, any>, Function?]} */ (table.toReversed());
  for (const [key, given] of Object.entries(rows))
    for (const call of callsOf(given, shared))
      test(`gives ${key}`, () => {
        const result = call();
        expect(Array.isArray(result) ? `{ ${result.map(describeTensor).join(' | ')} }` : describeTensor(result)).toBe(
          key,
        );
      });
};

/**
 * Tests that calls with `out`, a few bytes, throw and write nothing.
 * @type {(calls: ((out: any) => unknown)[], dims?: number[]) => void}
 */
export const leavesOut = (calls, dims = [2]) =>
  test('writes nothing where it refuses', () => {
    for (const call of calls) {
      const out = { type: 'uint8', dims, data: new Uint8Array(elementCount(dims)).fill(165) };
      expect(() => call(out)).toThrow();
      expect(new Set(out.data)).toEqual(new Set([165]));
    }
  });
