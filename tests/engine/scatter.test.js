/** Rows that indices name or that take updates, and ranges: of any length, in pieces. All formats: tests/native. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { dtypes, init } from 'onnx-layout';
import { fillRange, reduceRows, rowsOf, scatterRows } from '../../js/engines/tensors/index.js';
import { unpackCodes, packCodes } from './codes.js';
import { below, generator } from '../support/samples.js';

beforeAll(() => init());

const random = generator(7);
const numbersBelow = (count, end) => Int32Array.from({ length: count }, () => below(random, end));
const reduce = {
  add: (a, b) => a + b,
  mul: (a, b) => a * b,
  max: (a, b) => (b > a ? b : a),
  min: (a, b) => (b < a ? b : a),
};

describe('rowsOf', () => {
  // More than the scratch area takes at once: each plane has a stride of its own, and each tuple two indices.
  const [planes, count] = [3, 70_001];
  const axes = [50, 7, 40, 1, planes, 1000, count, 0];
  const pairs = Array.from({ length: planes * count }, () => [below(random, 100) - 50, below(random, 80) - 40]);
  const wanted = pairs.map(([a, b], k) => {
    const [first, second] = [a < 0 ? a + 50 : a, b < 0 ? b + 40 : b];
    return Math.floor(k / count) * 1000 + 7 * first + second;
  });

  test.each([
    ['int32', (list) => Int32Array.from(list)],
    ['int64', (list) => BigInt64Array.from(list, BigInt)],
    ['float64', (list) => list],
  ])('%s in pieces, and the first index that names no row', (type, make) => {
    const call = (list, size) =>
      rowsOf({ length: 2, axes, isSigned: true, size }, dtypes[type], make(list), (at) => {
        throw new Error(`${at}`);
      });
    const list = pairs.flat();
    expect(call(list, 3000)).toEqual(Int32Array.from(wanted));
    expect(call(list, 2 ** 31)).toEqual(Float64Array.from(wanted));
    for (const at of [1, 131_071, 131_072, 400_003])
      for (const wrong of [50, -51]) expect(() => call(list.with(at, wrong), 3000)).toThrow(new Error(`${at}`));
  });

  test('indices that name no row are left out', () => {
    const list = Float64Array.of(-1, 2.9, NaN, -0.5, 3, -3, 2 ** 70, 1);
    const tuples = { length: 1, axes: [3, 10, 8, 1], size: 100 };
    const call = (isSigned) => [...rowsOf({ ...tuples, isSigned }, dtypes.float64, list)];
    expect(call(false)).toEqual([21, 3, 17]);
    expect(call(true)).toEqual([20, 21, 3, 5, 17]);
  });
});

describe('scatterRows', () => {
  test.each([2, 4, 6, 8, 16, 32, 64, 128])('%i bits, rows of any length, the last of one number stays', (bits) => {
    for (const run of [1, 2, 3, 7, 50]) {
      const rows = numbersBelow(30, 20);
      const size = 20 * run;
      const [updates, before] = [30 * run, size].map((count) => Array.from({ length: count }, () => codeOf(bits)));
      const wanted = [...before];
      rows.forEach((row, k) => {
        for (let i = 0; i < run; i++) wanted[row * run + i] = updates[k * run + i];
      });
      const result = packCodes(bits, before);
      scatterRows(bits, { run, rows, size }, packCodes(bits, updates), result);
      expect(unpackCodes(bits, result, size)).toEqual(wanted);
    }
  });

  test('strings', () => {
    const result = ['a', 'b', 'c', 'd', 'e', 'f'];
    scatterRows(0, { run: 2, rows: Int32Array.of(2, 0, 2), size: 6 }, ['1', '2', '3', '4', '5', '6'], result);
    expect(result).toEqual(['3', '4', 'c', 'd', '5', '6']);
  });
});

/** A random code of up to 128 bits. */
function codeOf(bits) {
  let code = 0n;
  for (let i = 0; i < bits; i += 32) code = (code << 32n) | BigInt(random());
  return BigInt.asUintN(bits, code);
}

describe('reduceRows', () => {
  test.each([
    [1, 40_000, 1000],
    [1, 20_000, 20_000],
    [3, 30_000, 50],
    [1000, 300, 30],
    [40_000, 3, 2],
  ])('runs of %i, %i rows of %i', (run, count, high) => {
    const rows = numbersBelow(count, high);
    for (const [type, Class, make] of [
      ['float64', Float64Array, () => below(random, 9) - 4],
      ['uint8', Uint8Array, () => below(random, 256)],
      ['int64', BigInt64Array, () => BigInt(below(random, 9) - 4)],
    ])
      for (const reduction of ['add', 'mul', 'max', 'min']) {
        const [updates, before] = [count * run, high * run].map((size) => Class.from({ length: size }, make));
        const wanted = before.slice();
        for (let k = 0, at = 0; k < count; k++)
          for (let i = 0; i < run; i++, at++)
            wanted[rows[k] * run + i] = reduce[reduction](wanted[rows[k] * run + i], updates[at]);
        const result = before.slice();
        reduceRows(dtypes[type], reduction, { run, rows, size: high * run }, updates, result);
        expect(Buffer.compare(Buffer.from(result.buffer), Buffer.from(wanted.buffer))).toBe(0);
      }
  });

  test.each([
    [1, 40_000, 1_048_577],
    [1000, 70, 1049],
    [40_000, 3, 27],
  ])('a result of more than 8 MiB, whose rows are staged: runs of %i, %i rows', (run, count, high) => {
    const rows = numbersBelow(count, high);
    const updates = Float64Array.from({ length: count * run }, (_, i) => i % 9);
    const [result, wanted] = [new Float64Array(high * run), new Float64Array(high * run)];
    for (let at = 0; at < updates.length; at++) wanted[rows[Math.floor(at / run)] * run + (at % run)] += updates[at];
    reduceRows(dtypes.float64, 'add', { run, rows, size: high * run }, updates, result);
    expect(Buffer.compare(Buffer.from(result.buffer), Buffer.from(wanted.buffer))).toBe(0);
  });

  test('packed integers wrap, in rows that begin within bytes', () => {
    for (const run of [1, 3, 40_001]) {
      const count = run > 3 ? 2 : 500;
      const rows = numbersBelow(count, run > 3 ? 3 : 40);
      const size = (run > 3 ? 3 : 40) * run;
      const [updates, before] = [count * run, size].map((length) => Array.from({ length }, () => codeOf(4)));
      const wanted = [...before];
      for (let k = 0; k < count; k++)
        for (let i = 0; i < run; i++)
          wanted[rows[k] * run + i] = (wanted[rows[k] * run + i] * updates[k * run + i]) & 15n;
      const result = packCodes(4, before);
      reduceRows(dtypes.int4, 'mul', { run, rows, size }, packCodes(4, updates), result);
      expect(unpackCodes(4, result, size)).toEqual(wanted);
    }
  });

  test('float16 is rounded after each update', () => {
    // 2048 + 1 is 2048 in float16, whatever comes after.
    const result = Uint16Array.of(0x6800, 0);
    reduceRows(
      dtypes.float16,
      'add',
      { run: 1, rows: Int32Array.of(0, 0, 1), size: 2 },
      Uint16Array.of(0x3c00, 0x3c00, 0x3c00),
      result,
    );
    expect([...result]).toEqual([0x6800, 0x3c00]);
  });

  test('complex numbers are multiplied as such', () => {
    for (const [type, Class] of [
      ['complex64', Float32Array],
      ['complex128', Float64Array],
    ]) {
      const result = Class.of(1, 2, 5, 6);
      reduceRows(dtypes[type], 'mul', { run: 1, rows: Int32Array.of(0, 0), size: 2 }, Class.of(3, 4, 0, 1), result);
      expect([...result]).toEqual([-10, -5, 5, 6]);
      reduceRows(dtypes[type], 'add', { run: 2, rows: Int32Array.of(0), size: 2 }, Class.of(1, 1, 2, 2), result);
      expect([...result]).toEqual([-9, -4, 7, 8]);
    }
  });
});

describe('fillRange', () => {
  test('pieces go on where the last one ended', () => {
    const size = 700_001;
    const floats = new Float64Array(size);
    fillRange(dtypes.float64, dtypes.float64, [0.5, 0.1], size, floats);
    expect(floats.every((x, i) => x === 0.5 + i * 0.1)).toBe(true);
    const integers = new BigInt64Array(size);
    fillRange(dtypes.int64, dtypes.float64, [-(2n ** 63n), 2n ** 40n + 1n], size, integers);
    expect(integers[size - 1]).toBe(BigInt.asIntN(64, -(2n ** 63n) + BigInt(size - 1) * (2n ** 40n + 1n)));
  });

  test('the bits after the last packed element stay zero', () => {
    const result = new Uint8Array(2);
    fillRange(dtypes.int4, dtypes.float64, [-1n, 3n], 3, result);
    expect([...result]).toEqual([0x2f, 0x05]);
  });
});
