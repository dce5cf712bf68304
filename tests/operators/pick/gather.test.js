/** Gather: long slices, every form of indices, and what is refused. Random calls are in surgery-random.test.js. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Tensor, gather, inferShape, init } from 'onnx-layout';
import { randomData } from '../../support/samples.js';
import { expectError, expectTensor, expectErrors, refuses } from '../../support/assertions.js';
import { surgery } from '../surgery.reference.js';

beforeAll(() => init());

const int64 = (values, dims = [values.length]) => new Tensor('int64', BigInt64Array.from(values, BigInt), dims);
const int32 = (values, dims = [values.length]) => new Tensor('int32', Int32Array.from(values), dims);
const grid = new Tensor(
  'uint8',
  Uint8Array.from({ length: 12 }, (_, i) => i),
  [3, 4],
);

describe('bytes', () => {
  test.each(['uint2', 'int4', 'float6e2m3', 'uint8', 'float16', 'float32', 'complex128', 'string'])(
    '%s: rows of 1 to 300 elements of two blocks, neighbors among them',
    (type) => {
      const indices = [4, 0, 1, 2, -1, 3, 3, -5];
      for (let run = 1; run <= 300; run += run < 140 ? 1 : 31) {
        const data = randomData(type, 10 * run, run);
        const input = { type, data, dims: [2, 5, run] };
        const expected = surgery.Gather([input, int64(indices)], { axis: 1 });
        const result = gather(input, indices, { axis: 1, strict: false });
        expectTensor(result, type, [2, 8, run], expected.data, `${type} ${run}`);
      }
    },
  );

  test('from shared memory, and into the class of the data', () => {
    const data = randomData('float32', 12, 1, 4, SharedArrayBuffer);
    const result = gather({ type: 'float32', data, dims: [3, 4] }, [2]);
    expect(Object.prototype.toString.call(result.data.buffer)).toBe('[object ArrayBuffer]');
    expectTensor(result, 'float32', [1, 4], data.slice(8));
    const clamped = gather({ type: 'uint8', data: Uint8ClampedArray.of(1, 2), dims: [2] }, [1]);
    expectTensor(clamped, 'uint8', [1], Uint8Array.of(2));
  });
});

describe('indices', () => {
  test.each([
    [2, [4], [8, 9, 10, 11]],
    [-1n, [4], [8, 9, 10, 11]],
    [int64([1], []), [4], [4, 5, 6, 7]],
    [int32([1], []), [4], [4, 5, 6, 7]],
    [[1], [1, 4], [4, 5, 6, 7]],
    [
      [-3, 2n],
      [2, 4],
      [0, 1, 2, 3, 8, 9, 10, 11],
    ],
    [Int32Array.of(0), [1, 4], [0, 1, 2, 3]],
    [BigInt64Array.of(-2n), [1, 4], [4, 5, 6, 7]],
    [int64([0, 1], [2, 1]), [2, 1, 4], [0, 1, 2, 3, 4, 5, 6, 7]],
    [[], [0, 4], []],
    [int32([], [2, 0]), [2, 0, 4], []],
  ])('%p', (indices, dims, values) => {
    for (const opset of [1, 11, 28])
      expectTensor(gather(grid, indices, { opset }), 'uint8', dims, Uint8Array.from(values));
  });

  test('of data without elements', () => {
    const empty = { type: 'uint8', data: new Uint8Array(0), dims: [3, 0] };
    expectTensor(gather(empty, [2, 1]), 'uint8', [2, 0], new Uint8Array(0));
    expectTensor(gather(empty, [], { axis: 1 }), 'uint8', [3, 0], new Uint8Array(0));
    const enormous = { ...empty, dims: [2 ** 40, 0, 2 ** 40] };
    expectTensor(gather(enormous, [2 ** 36, -1]), 'uint8', [2, 0, 2 ** 40], new Uint8Array(0));
    expectErrors({
      'RangeError: Gather-13: indices must be in [-1099511627776, 1099511627775], got 1099511627776 at 0': () =>
        gather(enormous, [2 ** 40]),
    });
  });
});

describe('refuses', () => {
  const spread = { type: 'int8', data: new Int8Array(1), dims: Array(64).fill(1) };
  test.each([
    [grid, [3], {}, 'indices must be in [-3, 2], got 3 at 0'],
    [grid, [0, 1, -4], {}, 'indices must be in [-3, 2], got -4 at 2'],
    [grid, int32([0, 0, 9, 0], [2, 2]), { axis: 1 }, 'indices must be in [-4, 3], got 9 at 2'],
    [grid, 2n ** 63n - 1n, {}, 'indices must be in [-3, 2], got 9223372036854775807 at 0'],
    [grid, int64([0n, -(2n ** 63n)]), {}, 'indices must be in [-3, 2], got -9223372036854775808 at 1'],
    // The low half alone would be 1.
    [grid, int64([2n ** 32n + 1n]), {}, 'indices must be in [-3, 2], got 4294967297 at 0'],
    [grid, int64([-(2n ** 32n) + 1n]), {}, 'indices must be in [-3, 2], got -4294967295 at 0'],
    [grid, [2 ** 31], {}, 'indices must be in [-3, 2], got 2147483648 at 0'],
    [grid, [2n ** 63n], {}, 'indices must fit int64, got [9223372036854775808]'],
    [grid, 0.5, {}, 'indices must be a whole number, got 0.5'],
    [grid, 0, { axis: 2 }, 'axis must be in [-2, 1], got 2'],
    [grid, 0, { axis: -3 }, 'axis must be in [-2, 1], got -3'],
    [{ ...grid, data: new Uint8Array(1), dims: [] }, 0, {}, 'data must have at least one axis, got a scalar'],
    [{ ...grid, data: new Uint8Array(0), dims: [0, 4] }, [0], {}, 'indices must be in [0, -1], got 0 at 0'],
    [{ ...grid, data: new Uint8Array(0), dims: [3, 0] }, [3], {}, 'indices must be in [-3, 2], got 3 at 0'],
    [spread, int32([0], [1, 1]), {}, 'result must have a rank of at most 64, got 65'],
    [{ ...grid, dims: [3, 5] }, 0, {}, 'uint8 data of dims [3, 5] has 15 bytes, got 12'],
    [grid, { type: 'int32', data: Int32Array.of(1), dims: [2] }, {}, 'int32 data of dims [2] has 2 entries, got 1'],
  ])('%# %s by %p %p', (data, indices, options, message) => {
    expectError(() => gather(data, indices, options), RangeError, `Gather-13: ${message}`);
    expectError(() => gather(data, indices, { ...options, opset: 10 }), RangeError, `Gather-1: ${message}`);
  });

  refuses('Gather-13', (indices, options) => gather(grid, indices, options), {
    'TypeError: indices must be int32 or int64, got uint8': [new Tensor('uint8', Uint8Array.of(1), [1]), {}],
    'TypeError: indices must be a number, a list of whole numbers or an int32 or int64 tensor, got Float32Array': () =>
      gather(grid, Float32Array.of(1), {}),
    "TypeError: indices must be a number, a list of whole numbers or an int32 or int64 tensor, got '1'": ['1', {}],
    'TypeError: indices must be a number, a list of whole numbers or an int32 or int64 tensor, got undefined': () =>
      gather(grid, undefined, {}),
    'TypeError: indices must hold whole numbers, got [[1]]': [[[1]], {}],
    "TypeError: axis must be a number or a bigint, got '0'": [0, { axis: '0' }],
    "TypeError: unknown option 'axes', did you mean 'axis'? Known: axis, indices, out, opset, strict": [0, { axes: 0 }],
  });

  test('a bad index at the end before anything is written', () => {
    const data = Uint8Array.of(9, 9, 9, 9, 9, 9, 9, 9);
    const out = { type: 'uint8', data, dims: [2, 4] };
    expectError(() => gather(grid, [0, 3], { out }), RangeError, 'Gather-13: indices must be in [-3, 2], got 3 at 1');
    expect([...data]).toEqual(Array(8).fill(9));
    const packed = { type: 'int4', data: Uint8Array.of(255, 255), dims: [3] };
    const int4 = { type: 'int4', data: Uint8Array.of(0x21, 0x43), dims: [4] };
    expect(() => gather(int4, [0, 1, 4], { out: packed, strict: false })).toThrow(RangeError);
    expect([...packed.data]).toEqual([255, 255]);
  });

  test('out over the data or the indices', () => {
    const memory = new ArrayBuffer(64);
    const data = { type: 'int32', data: new Int32Array(memory, 0, 4), dims: [4] };
    const indices = { type: 'int32', data: new Int32Array(memory, 32, 4), dims: [4] };
    const out = (at) => ({ type: 'int32', data: new Int32Array(memory, at, 4), dims: [4] });
    const rule = 'Gather-13: out must not overlap';
    expectError(() => gather(data, indices, { out: out(12) }), RangeError, `${rule} data`);
    expectError(() => gather(data, indices, { out: out(44) }), RangeError, `${rule} indices`);
    expect(gather(data, indices, { out: out(16) }).data.byteOffset).toBe(16);
    expectError(() => gather(data, [0], { out: out(16) }), RangeError, 'Gather-13: out dims must be [1], got [4]');
  });
});

test('takes indices beyond int32', () => {
  // 512 MB of zeros, of which no page but the last is touched.
  const data = new Uint8Array(2 ** 29 + 1);
  data[data.length - 1] = 0b11000000;
  const long = { type: 'uint2', data, dims: [4 * data.length] };
  expect([...gather(long, [2 ** 31 + 3, 0, -1], { strict: false }).data]).toEqual([0b110011]);
});

describe('inference', () => {
  const known = (dims, value, type = 'int64') => ({ type, dims, ...(value !== undefined && { value }) });
  test.each([
    [known(['N', 3, null]), known(['K', null]), {}, { dims: ['K', null, 3, null] }],
    [known(['N', 3, null]), known([]), { axis: -1 }, { dims: ['N', 3] }],
    [known(['N', 3, null]), known(null), {}, { dims: null }],
    [known(null), known([2]), { axis: 70 }, { dims: null }],
    [known([3], ['N', 3, null]), known([2], [0, -1]), {}, { dims: [2], value: ['N', null] }],
    [known([3], ['N', 3, 7n]), known([], 1n), {}, { dims: [], value: 3 }],
    [known([3], ['N', 3, 4]), known([2], [1, 'K']), {}, { dims: [2], value: [3, null] }],
    [known([3], ['N', 3, 4]), known([2]), {}, { dims: [2] }],
    [known([3], ['N', 3, 4]), known([1, 1]), {}, { dims: [1, 1] }],
  ])('%#', (data, indices, options, expected) => {
    for (const opset of [1, 11, 13])
      expect(inferShape('Gather', { data, indices }, { ...options, opset })).toStrictEqual({
        type: 'int64',
        ...expected,
      });
  });

  test('refuses what the call does', () => {
    const data = known([3], [1, 2, 3]);
    expectErrors({
      'RangeError: Gather-13: indices must be in [-3, 2], got 3 at 1': () =>
        inferShape('Gather', { data, indices: known([2], [0, 3]) }),
      'TypeError: Gather-13: indices must be int32 or int64, got int8': () =>
        inferShape('Gather', { data, indices: known([], undefined, 'int8') }),
      'RangeError: Gather-13: data must have at least one axis, got a scalar': () =>
        inferShape('Gather', { data: known([]), indices: known([]) }),
    });
  });
});

test('indices of an axis longer than 2^31, which has no elements', () => {
  const long = { type: 'uint8', data: new Uint8Array(0), dims: [2 ** 31 + 8, 0] };
  expectTensor(gather(long, int64([-2, 2 ** 31 + 7, -(2 ** 31) - 8])), 'uint8', [3, 0], new Uint8Array(0));
  for (const [index, shown] of [
    [2n ** 31n + 8n, '2147483656'],
    [-(2n ** 31n) - 9n, '-2147483657'],
  ])
    expectError(
      () => gather(long, int64([0, index])),
      RangeError,
      `Gather-13: indices must be in [-2147483656, 2147483655], got ${shown} at 1`,
    );
});

test('inference counts known elements from the back', () => {
  const data = { type: 'int64', dims: [3], value: [4, 'N', 6] };
  const indices = { type: 'int64', dims: [2], value: [-1, -2] };
  expect(inferShape('Gather', { data, indices })).toEqual({ type: 'int64', dims: [2], value: [6, 'N'] });
});
