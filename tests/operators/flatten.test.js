/** Flatten: dims only; the result shares its input's data. Needs no init(). */
import { test, expect, describe } from '@jest/globals';
import { Tensor, flatten, inferShape } from 'onnx-layout';
import { elementCount, types, typeNames } from '../support/reference.js';
import { randomData } from '../support/samples.js';
import { expectError, expectTensor, expectErrors } from '../support/assertions.js';

const float32 = (dims) => new Tensor('float32', new Float32Array(elementCount(dims)), dims);

describe('results', () => {
  test.each([
    // dims, axis, dims of the result
    [[], 0, [1, 1]],
    [[4], 1, [4, 1]],
    [[4], 0, [1, 4]],
    [[4], -1, [1, 4]],
    [[2, 3], 2, [6, 1]],
    [[2, 3], -2, [1, 6]],
    [[2, 3, 4, 5], 0, [1, 120]],
    [[2, 3, 4, 5], 1, [2, 60]],
    [[2, 3, 4, 5], 2, [6, 20]],
    [[2, 3, 4, 5], 3, [24, 5]],
    [[2, 3, 4, 5], 4, [120, 1]],
    [[2, 3, 4, 5], -1, [24, 5]],
    [[2, 3, 4, 5], -4, [1, 120]],
    [[2, 3, 4, 5], undefined, [2, 60]],
    [[4], undefined, [4, 1]],
    [[0, 3], 1, [0, 3]],
    [[0, 3], 0, [1, 0]],
    [[0, 3], 2, [0, 1]],
    [[3, 0, 2], 2, [0, 2]],
    [[3, 0, 2], 1, [3, 0]],
    [[65536, 65536, 0], 2, [2 ** 32, 0]],
    [[2 ** 40, 2 ** 40, 0], 3, [0, 1]],
    [[0, 2 ** 40, 2 ** 13 - 1], 1, [0, 2 ** 53 - 2 ** 40]],
  ])('%j axis %j gives %j', (dims, axis, expected) => {
    const input = float32(dims);
    expectTensor(flatten(input, { axis }), 'float32', expected, input.data);
  });

  test('axis may be a bigint, and -0 is 0', () => {
    for (const [axis, expected] of [
      [2n, [6, 4]],
      [-1n, [6, 4]],
      [0n, [1, 24]],
      [-0, [1, 24]],
    ])
      expect(flatten(float32([2, 3, 4]), { axis }).dims).toEqual(expected);
  });

  test('every axis at rank 64, of which most extents are 1', () => {
    const dims = Array.from({ length: 64 }, (_, i) => (i % 16 === 3 ? 2 : 1));
    for (let axis = -64; axis <= 64; axis++) {
      const cut = axis < 0 ? axis + 64 : axis;
      expect(flatten(float32(dims), { axis }).dims).toEqual([
        elementCount(dims.slice(0, cut)),
        elementCount(dims.slice(cut)),
      ]);
    }
  });
});

describe('negative axes', () => {
  test.each([
    [1, 8, 1],
    [9, 10, 9],
  ])('opsets %i to %i (Flatten-%i) have none', (first, last, since) => {
    for (const opset of [first, last]) {
      const message = `Flatten-${since}: axis must be in [0, 3], got -1`;
      expectError(() => flatten(float32([2, 3, 4]), { axis: -1, opset }), RangeError, message);
      expect(flatten(float32([2, 3, 4]), { axis: 3, opset }).dims).toEqual([24, 1]);
      expect(flatten(float32([2, 3, 4]), { opset }).dims).toEqual([2, 12]);
    }
  });

  test.each([11, 13, 21, 23, 24, 25])('Flatten-%i counts them from the back', (opset) => {
    expect(flatten(float32([2, 3, 4]), { axis: -1, opset }).dims).toEqual([6, 4]);
    expect(flatten(float32([2, 3, 4]), { axis: -3, opset }).dims).toEqual([1, 24]);
  });
});

describe('refuses', () => {
  test.each([
    [[], undefined, 'axis must be in [0, 0], got 1'],
    [[], 1, 'axis must be in [0, 0], got 1'],
    [[], -1, 'axis must be in [0, 0], got -1'],
    [[4], 2, 'axis must be in [-1, 1], got 2'],
    [[2, 3], 3, 'axis must be in [-2, 2], got 3'],
    [[2, 3], -3, 'axis must be in [-2, 2], got -3'],
    [[2, 3], 2n ** 32n, 'axis must be in [-2, 2], got 4294967296'],
    [[2, 3], 2n ** 63n, 'axis must fit int64, got 9223372036854775808'],
    [[2, 3], -(2n ** 63n) - 1n, 'axis must fit int64, got -9223372036854775809'],
    [[2 ** 27, 2 ** 26, 0], 2, 'result dims must be at most 9007199254740991, got [9007199254740992, 0]'],
    [[2, 3], 1.5, 'axis must be a whole number, got 1.5'],
    [[2, 3], NaN, 'axis must be a whole number, got NaN'],
    [[2, 3], Infinity, 'axis must be a whole number, got Infinity'],
  ])('%j axis %s', (dims, axis, message) => {
    expectError(() => flatten(float32(dims), { axis }), RangeError, `Flatten-25: ${message}`);
  });

  test.each([
    ['1', "axis must be a number or a bigint, got '1'"],
    [null, 'axis must be a number or a bigint, got null'],
    [true, 'axis must be a number or a bigint, got true'],
    [[1], 'axis must be a number or a bigint, got [1]'],
  ])('axis %j', (axis, message) => {
    expectError(() => flatten(float32([2, 3]), { axis }), TypeError, `Flatten-25: ${message}`);
  });
});

test('shares data with its input, for every type', () => {
  for (const type of typeNames) {
    const data = randomData(type, 24, 7, types[type].array === Array ? 0 : 8);
    const result = flatten({ type, data, dims: [2, 3, 4] }, { strict: false });
    expectTensor(result, type, [2, 12], data, type);
    if (type === 'string') expect(result.data).toBe(data);
    else expect([result.data.buffer === data.buffer, result.data.byteOffset]).toEqual([true, data.byteOffset]);
  }
});

test('inference refuses what the call refuses', () => {
  const input = { type: 'float32', dims: [2, 3] };
  expectErrors({
    "TypeError: Flatten-25: unknown option 'axes', did you mean 'axis'? Known: axis, opset, strict": () =>
      inferShape('Flatten', { input }, { axes: 1 }),
  });
});
