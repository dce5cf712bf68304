/**
 * Tensor surgery against its oracle: 6,000 legal calls and 3,000 with one thing changed, which the commit's hash
 * chooses; and the oracle against laws that hold for all tensors.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { init, Tensor } from 'onnx-layout';
import { expectTensor } from '../support/assertions.js';
import { elementCount, toCodes, typeNames, types } from '../support/reference.js';
import { commitHash } from '../support/sample.js';
import { calls } from './surgery-names.js';
import {
  argumentsOf,
  expected,
  isUntouchedAround,
  randomCall,
  roomLike,
  rounds,
  spoiled,
  takesOut,
} from './surgery-random.js';
import { stack, surgery } from './surgery.reference.js';

beforeAll(() => init());

const firstSeed = Number.parseInt(commitHash().slice(0, 7), 16);
const portions = 5;
const legalCalls = 600;
const spoiledCalls = 300;

const plain = (_, value) => {
  if (typeof value === 'bigint') return `${value}n`;
  return ArrayBuffer.isView(value) ? `${value.constructor.name} of ${value.length}` : value;
};

/** The case as a message names it: randomCall of this seed makes it again. */
const nameOf = ({ call, inputs, options }, seed) =>
  `seed ${seed}: ${call} ${JSON.stringify([...inputs, options], plain).slice(0, 900)}`;

/** The tensors among the inputs. */
const tensorsOf = (inputs) =>
  inputs.flat().filter((input) => !input?.forms && (ArrayBuffer.isView(input?.data) || Array.isArray(input?.data)));

/** The bytes of a tensor's whole memory, so that a write beside the data shows. */
const memoryOf = ({ data }) => (Array.isArray(data) ? [...data] : new Uint8Array(data.buffer).slice());
const isSame = (a, b) => a.length === b.length && a.every((entry, i) => entry === b[i]);

/** Whether a result is the input's own data: where a pattern moves nothing, it is. */
const isUnmoved = ({ call, inputs }, actual) =>
  (call === 'rearrange' || call === 'repeat') && actual.data === inputs[0].data;

/** Some calls give their input's own data, whatever the bits after its last element. */
function expectShared(actual, wanted, source, what) {
  const codes = toCodes(wanted.type, actual.data, elementCount(wanted.dims));
  expect([what, actual.type, actual.dims, actual.data === source.data]).toEqual([what, wanted.type, wanted.dims, true]);
  expect([what, isSame(codes, toCodes(wanted.type, wanted.data, codes.length))]).toEqual([what, true]);
}

/** An element of a sequence may be the very tensor that was put in, padding bits and all. */
function expectElement(actual, wanted, what) {
  const size = elementCount(wanted.dims);
  expect([what, actual.type, actual.dims]).toEqual([what, wanted.type, wanted.dims]);
  const same = isSame(toCodes(wanted.type, actual.data, size), toCodes(wanted.type, wanted.data, size));
  expect([what, same]).toEqual([what, true]);
}

/** The calls whose result shares the input's data. */
const sharingCalls = ['identity', 'squeeze', 'unsqueeze'];

const isOfSequences = (call) => call.startsWith('sequence');

function expectResult(given, actual, wanted, what) {
  const { call, inputs } = given;
  if (Array.isArray(wanted)) {
    expect([what, Array.isArray(actual), actual.length]).toEqual([what, true, wanted.length]);
    if (isOfSequences(call)) expect([what, actual.type]).toEqual([what, wanted.type]);
    wanted.forEach((piece, i) => {
      if (isOfSequences(call)) expectElement(actual[i], piece, `${what}, [${i}]`);
      else expectTensor(actual[i], piece.type, piece.dims, piece.data, `${what}, [${i}]`);
    });
  } else if (sharingCalls.includes(call) || isUnmoved(given, actual)) expectShared(actual, wanted, inputs[0], what);
  else if (call === 'sequenceAt') expectElement(actual, wanted, what);
  else {
    expectTensor(actual, wanted.type, wanted.dims, wanted.data, what);
    const isApart = tensorsOf(inputs).every(({ data }) => data !== actual.data && data.buffer !== actual.data.buffer);
    if (types[wanted.type].bits > 0)
      expect([what, 'has memory of its own', isApart]).toEqual([what, expect.anything(), true]);
  }
}

/** The outcome of a call or of the oracle: its result, or the class of its error. */
function outcome(run) {
  try {
    return { result: run() };
  } catch (error) {
    return { error };
  }
}
const classOf = ({ error }) => error?.constructor;

/** Runs a call, into tensors of the caller's every second time, and compares. */
function check(given, seed) {
  const what = nameOf(given, seed);
  const wanted = outcome(() => expected(given));
  // Whatever the class is, the oracle's own mistakes are not a call's errors.
  if (wanted.error && wanted.error.stack.includes('of undefined')) throw wanted.error;
  const rooms =
    wanted.result && takesOut(given.call) && seed % 2
      ? [wanted.result].flat().map((r) => roomLike(given.d, r))
      : undefined;
  const withOut = rooms
    ? { ...given, options: { ...given.options, out: Array.isArray(wanted.result) ? rooms : rooms[0] } }
    : given;
  const args = argumentsOf(withOut);
  const before = tensorsOf(given.inputs).map(memoryOf);
  const actual = outcome(() => calls[given.call](...args));
  if (classOf(actual) !== classOf(wanted))
    throw new Error(
      `${what}\ngives ${actual.error?.stack ?? 'a result'}\nand should give ${wanted.error?.stack ?? 'one'}`,
    );
  expect([
    what,
    tensorsOf(given.inputs)
      .map(memoryOf)
      .every((now, i) => isSame(now, before[i])),
  ]).toEqual([what, true]);
  if (wanted.error) return 'refused';
  expectResult(given, actual.result, wanted.result, what);
  rooms?.forEach((room, i) => {
    const piece = [wanted.result].flat()[i];
    expectTensor(new Tensor(room.type, room.data, room.dims), piece.type, piece.dims, piece.data, `${what}, out`);
    expect([what, isUntouchedAround(room)]).toEqual([what, true]);
  });
  return 'given';
}

const seedsOf = (count) => Array.from({ length: portions }, (_, i) => firstSeed + i * count);

describe('the calls', () => {
  test.each(seedsOf(legalCalls))('600 legal ones from seed %i', (first) => {
    for (let i = 0; i < legalCalls; i++) {
      const seed = first + i;
      check(randomCall(seed, rounds[seed % rounds.length]), seed);
    }
  });

  test.each(seedsOf(spoiledCalls))('300 of which many are illegal, from seed %i', (first) => {
    for (let i = 0; i < spoiledCalls; i++) {
      const seed = first + i;
      check(spoiled(randomCall(seed, rounds[seed % rounds.length])), seed);
    }
  });
});

describe('the oracle', () => {
  const legal = Array.from({ length: 4000 }, (_, i) => randomCall(firstSeed + i, rounds[i % rounds.length]));
  const laws = (call, law) => {
    const cases = legal.filter((given) => given.call === call);
    expect(cases.length).toBeGreaterThan(20);
    cases.forEach((given) => law(given, expected(given)));
  };
  const same = (actual, { type, dims, data }) => {
    const size = elementCount(dims);
    expect([actual.type, actual.dims]).toEqual([type, dims]);
    expect(isSame(toCodes(type, actual.data, size), toCodes(type, data, size))).toBe(true);
  };
  const newest = { Concat: 13, Split: 18, Unsqueeze: 25, SpaceToDepth: 28, Slice: 13, Gather: 13 };
  const run = (operator, inputs, attributes = {}) => surgery[operator](inputs, attributes, newest[operator]);
  const int64 = (values) => ({ type: 'int64', dims: [values.length], data: BigInt64Array.from(values, BigInt) });

  test('meets every operator at every version, each with every type, with sequences and any number of outputs', () => {
    const timesOf = (wanted) => legal.filter(wanted).length;
    for (const [call, , since] of rounds) {
      const own = legal.filter((given) => given.call === call && given.since === since);
      const met = new Set(own.map(({ type }) => type));
      expect([call, since, typeNames.filter((type) => !met.has(type))]).toEqual([call, since, []]);
    }
    const outputs = legal.filter(({ call }) => call === 'split').map((given) => expected(given).length);
    expect([Math.min(...outputs), Math.max(...outputs) > 4]).toEqual([1, true]);
    expect(timesOf(({ inputs }) => Array.isArray(inputs[0]) && inputs[0].type)).toBeGreaterThan(100);
    expect(timesOf(({ inputs }) => Array.isArray(inputs[0]) && inputs[0].length === 0)).toBeGreaterThan(5);
  });

  test('takes every legal call, and refuses a good part of the spoiled ones', () => {
    const quarter = legal.filter((_, i) => i % 4 === firstSeed % 4);
    quarter.forEach((given) => expected(given));
    const results = quarter.map((given) => outcome(() => expected(spoiled(given))));
    const classes = results.filter(({ error }) => error).map(({ error }) => error.constructor);
    expect(new Set(classes)).toEqual(new Set([RangeError, TypeError]));
    expect(classes.length).toBeGreaterThan(250);
    expect(classes.length).toBeLessThan(750);
  });

  test('Concat of what Split gives is the input', () =>
    laws('split', ({ inputs: [input], attributes: { axis = 0 } }, parts) =>
      same(run('Concat', [parts], { axis }), input),
    ));

  test('Split of what Concat gives is the inputs', () =>
    laws('concat', ({ inputs: [list], attributes: { axis = 1 } }, joined) => {
      const sizes = int64(list.map(({ dims }) => dims.at(axis)));
      run('Split', [joined, sizes], { axis }).forEach((piece, i) => same(piece, list[i]));
    }));

  test('stack of what unstack gives is the input', () =>
    laws('unstack', ({ inputs: [input], attributes }, parts) => {
      if (parts.length > 0) same(stack(parts, attributes), input);
    }));

  test('SpaceToDepth takes back DepthToSpace, in either mode', () =>
    laws('depthToSpace', ({ inputs: [input], attributes }, result) =>
      same(run('SpaceToDepth', [result], attributes), input),
    ));

  test('a slice of a padded tensor is what was padded', () =>
    laws('pad', ({ inputs: [data], attributes, since, inputs }, result) => {
      if (since < 11 || inputs[3] || inputs[1].data.some((entry) => entry < 0)) return;
      const begins = Array.from(inputs[1].data.slice(0, data.dims.length));
      const ends = begins.map((begin, i) => begin + BigInt(data.dims[i]));
      expect(attributes.axes).toBe(undefined);
      same(run('Slice', [result, int64(begins), int64(ends)]), data);
    }));

  test('Gather of all indices is the input', () =>
    laws('gather', ({ inputs: [data], attributes: { axis = 0 } }) =>
      same(run('Gather', [data, int64(Array.from({ length: data.dims.at(axis) }, (_, i) => i))], { axis }), data),
    ));

  test('ReverseSequence twice gives the input', () =>
    laws('reverseSequence', ({ inputs: [input, lens], attributes }, result) =>
      same(surgery.ReverseSequence([result, lens], attributes), input),
    ));
});
