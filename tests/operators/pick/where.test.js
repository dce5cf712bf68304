/** Where: long rows, and what is refused. Random calls are in surgery-random.test.js. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Tensor, inferShape, init, where } from 'onnx-layout';
import { elementCount } from '../../support/reference.js';
import { below, generator, randomData } from '../../support/samples.js';
import { expectError, expectErrors, expectTensor, refuses } from '../../support/assertions.js';
import { rows } from '../../support/tables.js';
import { surgery } from '../surgery.reference.js';

beforeAll(() => init());

const mask = (values, dims = [values.length]) => new Tensor('bool', Uint8Array.from(values), dims);
const bytes = (values, dims = [values.length]) => new Tensor('uint8', Uint8Array.from(values), dims);

test.each([
  ['uint8', 65_600],
  ['float16', 32_900],
  ['float32', 16_500],
  ['int64', 8_300],
  ['complex128', 4_200],
])('%s: rows of several pieces and of 5 elements, broadcast in every way', (type, length) => {
  const random = generator(23);
  const rows = 2;
  const masks = Array.from({ length: rows * length }, () => [0, 1, 2, 128][below(random, 4)]);
  const dimsOf = (repeats, bit) => [rows, repeats & bit ? 1 : repeats < 8 ? length : 5];
  for (let repeats = 0; repeats < 16; repeats++) {
    const [maskDims, aDims, bDims] = [1, 2, 4].map((bit) => dimsOf(repeats, bit));
    const [a, b] = [aDims, bDims].map((dims, k) => randomData(type, elementCount(dims), k + repeats, 0));
    const own = masks.slice(-elementCount(maskDims));
    const inputs = [mask(own, maskDims), { type, data: a, dims: aDims }, { type, data: b, dims: bDims }];
    const { dims, data } = surgery.Where(inputs);
    expectTensor(where(...inputs, { strict: false }), type, dims, data, `repeats ${repeats}`);
  }
});

test('keeps the payload of a NaN', () => {
  const nan = { type: 'float32', data: new Float32Array(Uint32Array.of(0x7f800001, 0xffc12345).buffer), dims: [2] };
  const result = where(mask([1, 0]), nan, nan);
  expect([...new Uint32Array(result.data.buffer)]).toEqual([0x7f800001, 0xffc12345]);
});

describe('refuses', () => {
  const x = bytes([1, 2, 3]);
  refuses('Where-16', {
    'TypeError: condition must be bool, got uint8': () => where(x, x, x),
    'TypeError: condition must be a tensor { type, dims, data }, got Array': () => where([1], x, x),
    'TypeError: Y must be a tensor { type, dims, data }, got 5': () => where(mask([1]), x, 5),
    'TypeError: Y must have the type of X, uint8, got int8': () =>
      where(mask([1]), x, new Tensor('int8', Int8Array.of(1))),
    "TypeError: unknown option 'axis'. Known: out, opset, strict": () => where(mask([1]), x, x, { axis: 0 }),
    'RangeError: condition, X and Y must broadcast, got dims [2], [3] and [3]': () => where(mask([1, 0]), x, x),
    'RangeError: condition, X and Y must broadcast, got dims [1], [0, 1] and [2, 1]': () =>
      where(mask([1]), bytes([], [0, 1]), bytes([1, 2], [2, 1])),
    'RangeError: out dims must be [3], got [1]': () => where(mask([1]), x, x, { out: bytes([1]) }),
    'RangeError: bool data of dims [3] has 3 bytes, got 2': () =>
      where({ type: 'bool', data: new Uint8Array(2), dims: [3] }, x, x),
  });

  test('out over an input', () => {
    const memory = new Uint8Array(16);
    const at = (type, first) => ({ type, data: memory.subarray(first, first + 4), dims: [4] });
    const call = (first) => () => where(at('bool', 0), at('uint8', 4), at('uint8', 8), { out: at('uint8', first) });
    expectError(call(3), RangeError, 'Where-16: out must not overlap condition');
    expectError(call(5), RangeError, 'Where-16: out must not overlap X');
    expectError(call(11), RangeError, 'Where-16: out must not overlap Y');
    expect(call(12)().data).toEqual(new Uint8Array(4));
  });
});

describe('inference', () => {
  const infer = (...dims) => {
    const [condition, X, Y] = dims.map((own, i) => ({ type: i === 0 ? 'bool' : 'int8', dims: own }));
    return inferShape('Where', { condition, X, Y });
  };
  test.each(
    rows(`
    ["N", 1, 3], ["M", "K", "N"], [0, 1, 1], [0, "K", 3]
    ["N", 1], ["N", "K"], [4, 1], [4, "K"]
    ["N"], ["M"], [1], [null]
    ["N"], ["N"], [1], ["N"]
    ["N"], [null], [1], [null]
    [], [], [], []
    [2, 1], ["N"], [], [2, "N"]
    null, [2], [2], null
    [2], [2], null, null
  `),
  )('%j %j %j', (condition, X, Y, dims) => expect(infer(condition, X, Y)).toStrictEqual({ type: 'int8', dims }));

  test('refuses what the call does', () => {
    expectErrors({
      'RangeError: Where-16: condition, X and Y must broadcast, got dims [N, ?, 2], [3] and [1]': () =>
        infer(['N', null, 2], [3], [1]),
    });
    const x = { type: 'int8', dims: [1] };
    expectErrors({
      'TypeError: Where-16: condition must be bool, got int8': () => inferShape('Where', { condition: x, X: x, Y: x }),
      'TypeError: Where-16: Y must have the type of X, int8, got bool': () =>
        inferShape('Where', { condition: { ...x, type: 'bool' }, X: x, Y: { ...x, type: 'bool' } }),
    });
  });
});

test('a result of more elements than numbers count exactly', () => {
  const zeros = (type, dims) => ({ type, dims, data: new Uint8Array(elementCount(dims)) });
  expectErrors({
    'RangeError: Where-16: result must have at most 9007199254740991 elements, got dims [16384, 1048576, 1048576]':
      () => where(zeros('bool', [2 ** 20]), zeros('uint8', [2 ** 20, 1]), zeros('uint8', [2 ** 14, 1, 1])),
  });
});
