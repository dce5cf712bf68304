/**
 * Reshape: the rules of the target shape at every version. Dims only; the result shares its input's data. Needs no
 * init().
 */
import { test, expect, describe } from '@jest/globals';
import { Tensor, reshape } from 'onnx-layout';
import { elementCount, types, typeNames } from '../support/reference.js';
import { randomData } from '../support/samples.js';
import { expectError, expectTensor, refuses } from '../support/assertions.js';
import { lists, rows } from '../support/tables.js';

const float32 = (dims) => new Tensor('float32', new Float32Array(elementCount(dims)), dims);
const allowzero = { allowzero: 1 };

// Rules that hold at every version: dims, target shape, dims of the result.
const accepted = [
  ...rows(`
  [], [], []
  [1], [], []
  [1, 1], [], []
  [], [1], [1]
  [], [1, 1], [1, 1]
  [], [-1], [1]
  [2, 3], [6], [6]
  [2, 3], [-1], [6]
  [2, 3], [3, -1], [3, 2]
  [2, 3], [-1, 1, 2], [3, 1, 2]
  [2, 3, 4], [0, -1], [2, 12]
  [2, 3, 4], [0, 0, 0], [2, 3, 4]
  [2, 3, 4], [4, 0, 2], [4, 3, 2]
  [2, 3, 4], [-1, 0], [8, 3]
  [2, 3, 4], [0, 0, 1, -1], [2, 3, 1, 4]
  [2, 3, 4], [-0, -1], [2, 12]
  [0], [-1], [0]
  [0, 3], [3, -1], [3, 0]
  [0, 3], [-1, 3], [0, 3]
  [0, 3], [-1, 0], [0, 3]
  [0, 3], [0, 7], [0, 7]
  [2, 0, 3], [0, -1], [2, 0]
  [2, 0, 3], [0, 0, 5], [2, 0, 5]
`),
  [
    [2 ** 40, 0, 3],
    [0, 0, 2 ** 50],
    [2 ** 40, 0, 2 ** 50],
  ],
  [
    [2 ** 40, 2 ** 40, 0],
    [0, -1],
    [2 ** 40, 0],
  ],
];

// dims, target shape, the rule that refuses it.
const refused = [
  [[6], [], 'shape [] has 1 elements, data has 6'],
  [[2, 3], [4, 2], 'shape [4, 2] has 8 elements, data has 6'],
  [[2, 3], [5], 'shape [5] has 5 elements, data has 6'],
  [[2, 3], [0, 2], 'shape [2, 2] has 4 elements, data has 6'],
  [[0, 3], [3, 0], 'shape [3, 3] has 9 elements, data has 0'],
  [[0, 3], [1], 'shape [1] has 1 elements, data has 0'],
  [[6], [6, 0], 'shape[1] is 0 but data has rank 1, got [6, 0]'],
  [[], [0], 'shape[0] is 0 but data has rank 0, got [0]'],
  [[2, 3], [-1, -1], 'shape must have at most one -1, got [-1, -1]'],
  [[2, 3], [-2, 3], 'shape entries must be at least -1, got [-2, 3]'],
  [[2, 3], [-2, 1, 1, 1, 1, 1, 1, 3], 'shape entries must be at least -1, got [-2, 1, 1, 1, 1, 1, 1, 3]'],
  [[2, 3], [-2, 1, 1, 1, 1, 1, 1, 3, 1], 'shape entries must be at least -1, got [-2, 1, 1, 1, 1, 1, 1, 3, …]'],
  [[2, 3], [4, -1], 'shape [4, -1] does not divide 6 elements'],
  [[0, 3], [0, -1], 'shape cannot have -1 beside a zero extent, got [0, -1]'],
  [[2, 0, 3], [0, 0, -1], 'shape cannot have -1 beside a zero extent, got [0, 0, -1]'],
  [[2, 3], [2 ** 32, 2 ** 32], 'shape [4294967296, 4294967296] has 18446744073709551616 elements, data has 6'],
  [[2, 3], [2 ** 32, 2 ** 32, -1], 'shape [4294967296, 4294967296, -1] does not divide 6 elements'],
  [[2, 3], [2n ** 63n], 'shape must fit int64, got [9223372036854775808]'],
  [[2, 3], [1.5, 4], 'shape must hold whole numbers, got [1.5, 4]'],
  [[2, 3], [NaN], 'shape must hold whole numbers, got [NaN]'],
];

describe.each([5, 13, 14, 19, 21, 23, 24, 25])('Reshape-%i', (opset) => {
  test.each(accepted)('%j to %j gives %j', (dims, shape, expected) => {
    const data = float32(dims);
    expectTensor(reshape(data, shape, { opset }), 'float32', expected, data.data);
  });

  test.each(refused)('refuses %j to %p', (dims, shape, message) =>
    expectError(() => reshape(float32(dims), shape, { opset }), RangeError, `Reshape-${opset}: ${message}`),
  );
});

describe('Reshape-1, whose shape is an attribute', () => {
  test.each(accepted)('%j to %j gives %j', (dims, shape, expected) => {
    const data = float32(dims);
    expectTensor(reshape(data, undefined, { shape, opset: 1 }), 'float32', expected, data.data);
    expectTensor(reshape(data, undefined, { shape, opset: 4 }), 'float32', expected, data.data);
  });

  test.each(refused)('refuses %j to %p', (dims, shape, message) =>
    expectError(() => reshape(float32(dims), undefined, { shape, opset: 4 }), RangeError, `Reshape-1: ${message}`),
  );

  test('takes its shape once', () => {
    const refuse = (shape, options, message) =>
      expectError(() => reshape(float32([6]), shape, options), TypeError, message);
    refuse([6], { shape: [6], opset: 4 }, 'Reshape-1: shape is given twice');
    refuse([6], { shape: [6], opset: 5 }, 'Reshape-5: shape is given twice');
    const rule = 'shape must be a list of whole numbers or an int64 tensor, got undefined';
    refuse(undefined, { opset: 4 }, `Reshape-1: ${rule}`);
    refuse(
      undefined,
      { opset: 5 },
      'Reshape-5: shape must be a list of whole numbers or an int64 tensor, got undefined',
    );
    refuse(
      [6],
      { consumed_inputs: [0], opset: 5 },
      "Reshape-5: unknown option 'consumed_inputs'. Known: shape, opset, strict",
    );
  });

  test('ignores the legacy consumed_inputs', () =>
    expect(reshape(float32([6]), undefined, { shape: [2, 3], consumed_inputs: [0], opset: 1 }).dims).toEqual([2, 3]));
});

describe('allowzero', () => {
  test.each([[1], [true]])('%j: 0 means 0', (value) => {
    for (const opset of [14, 19, 21, 23, 24, 25]) {
      expect(reshape(float32([0, 3]), [3, 0], { allowzero: value, opset }).dims).toEqual([3, 0]);
      expect(reshape(float32([0, 3]), [0, 7], { allowzero: value, opset }).dims).toEqual([0, 7]);
      expect(reshape(float32([0]), [4, 0, 5], { allowzero: value, opset }).dims).toEqual([4, 0, 5]);
      expect(reshape(float32([2, 3]), [-1], { allowzero: value, opset }).dims).toEqual([6]);
      expect(reshape(float32([0, 3]), [3, -1], { allowzero: value, opset }).dims).toEqual([3, 0]);
    }
  });

  test.each([[0], [false], [undefined]])('%j: 0 copies', (value) =>
    expect(reshape(float32([2, 3]), [0, 3], { allowzero: value }).dims).toEqual([2, 3]),
  );

  test.each([
    [[2, 3], [0, 3], 'shape [0, 3] has 0 elements, data has 6'],
    [[2, 3], [0, -1], 'shape cannot mix 0 and -1 when allowzero=1, got [0, -1]'],
    [[2, 0, 3], [0, -1], 'shape cannot mix 0 and -1 when allowzero=1, got [0, -1]'],
    [[2, 3], [-1, 0], 'shape cannot mix 0 and -1 when allowzero=1, got [-1, 0]'],
  ])('1: refuses %j to %j', (dims, shape, message) => {
    expectError(() => reshape(float32(dims), shape, allowzero), RangeError, `Reshape-25: ${message}`);
    expectError(() => reshape(float32(dims), shape, { ...allowzero, opset: 14 }), RangeError, `Reshape-14: ${message}`);
  });

  test.each([
    [2, RangeError],
    [-1, RangeError],
    [0.5, RangeError],
    [NaN, TypeError],
  ])('%d is refused', (value, Class) => {
    const message = `Reshape-25: allowzero must be 0 or 1, got ${value}`;
    expectError(() => reshape(float32([6]), [6], { allowzero: value }), Class, message);
  });

  test.each([
    ['1', "'1'"],
    [null, 'null'],
  ])('%j is refused', (value, shown) => {
    const message = `Reshape-25: allowzero must be 0 or 1, got ${shown}`;
    expectError(() => reshape(float32([6]), [6], { allowzero: value }), TypeError, message);
  });

  test.each(lists('[5, 5], [12, 5], [13, 13]'))('is unknown at opset %i', (opset, since) => {
    const message = `Reshape-${since}: allowzero needs opset 14, got opset ${opset}`;
    expectError(() => reshape(float32([6]), [6], { ...allowzero, opset }), TypeError, message);
  });
});

describe('the shape', () => {
  test('is an array of numbers or bigints, an Int32Array, a BigInt64Array or an int64 tensor', () => {
    const entries = BigInt64Array.of(0n, -1n);
    for (const shape of [
      [0, -1],
      [0n, -1n],
      [0, -1n],
      Int32Array.of(0, -1),
      entries,
      new Tensor('int64', entries, [2]),
      { type: 'int64', data: entries, dims: [2] },
    ])
      expect(reshape(float32([2, 3, 4]), shape).dims).toEqual([2, 12]);
    expect(reshape(float32([1]), new Tensor('int64', new BigInt64Array(0), [0])).dims).toEqual([]);
  });

  refuses('Reshape-25', (shape) => reshape(float32([2, 3]), shape), {
    'TypeError: shape must be 1-D, got rank 0': [new Tensor('int64', BigInt64Array.of(6n), [])],
    'TypeError: shape must be 1-D, got rank 2': [new Tensor('int64', BigInt64Array.of(2n, 3n), [1, 2])],
    'TypeError: shape must be int64, got int32': [new Tensor('int32', Int32Array.of(2, 3), [2])],
    'TypeError: shape must be a list of whole numbers or an int64 tensor, got 6': [6],
    "TypeError: shape must be a list of whole numbers or an int64 tensor, got '6'": ['6'],
    'TypeError: shape must be a list of whole numbers or an int64 tensor, got null': [null],
    'TypeError: shape must be a list of whole numbers or an int64 tensor, got Float32Array': [Float32Array.of(6)],
    "TypeError: shape must hold whole numbers, got ['6']": [['6']],
    'TypeError: shape must hold whole numbers, got [[2, 3]]': [[[2, 3]]],

    // eslint-disable-next-line no-sparse-arrays
    'TypeError: shape must hold whole numbers, got [2, undefined, 3]': [[2, , 3]],
  });
});

test('shares data with its input, for every type', () => {
  for (const type of typeNames) {
    const data = randomData(type, 15, 3, types[type].array === Array ? 0 : 8);
    const result = reshape({ type, data, dims: [3, 5] }, [5, -1], { strict: false });
    expectTensor(result, type, [5, 3], data, type);
    if (type === 'string') expect(result.data).toBe(data);
    else expect([result.data.buffer === data.buffer, result.data.byteOffset]).toEqual([true, data.byteOffset]);
  }
});
