/** GatherElements: what it gives and refuses. Random calls are in surgery-random.test.js. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Tensor, gatherElements, inferShape, init } from 'onnx-layout';
import { expectError, expectTensor, expectErrors } from '../../support/assertions.js';

beforeAll(() => init());

const int64 = (values, dims = [values.length]) => new Tensor('int64', BigInt64Array.from(values, BigInt), dims);
const int32 = (values, dims = [values.length]) => new Tensor('int32', Int32Array.from(values), dims);
const square = new Tensor('uint8', Uint8Array.of(1, 2, 3, 4), [2, 2]);

test('a list is one axis', () => {
  const line = { type: 'uint8', data: Uint8Array.of(5, 6, 7), dims: [3] };
  for (const opset of [11, 13, 28]) {
    expectTensor(gatherElements(line, [2, -1n, 0, 0], { opset }), 'uint8', [4], Uint8Array.of(7, 7, 5, 5));
    expectTensor(gatherElements(line, [], { opset }), 'uint8', [0], new Uint8Array(0));
  }
});

describe('refuses', () => {
  test.each([
    [square, int32([0, 0, 0, 2], [2, 2]), {}, 'indices must be in [-2, 1], got 2 at 3'],
    [square, int64([0, -3], [1, 2]), {}, 'indices must be in [-2, 1], got -3 at 1'],
    [square, int64([2n ** 33n], [1, 1]), { axis: 1 }, 'indices must be in [-2, 1], got 8589934592 at 0'],
    [square, int32([0], [1, 1]), { axis: 2 }, 'axis must be in [-2, 1], got 2'],
    [square, [0], {}, 'indices must have rank 2 as data has, got rank 1'],
    [square, 0, {}, 'indices must have rank 2 as data has, got rank 0'],
    [square, int32([0, 0, 0], [1, 3]), {}, 'indices dims must be at most [?, 2], got [1, 3]'],
    [square, int32([0, 0, 0], [3, 1]), { axis: -1 }, 'indices dims must be at most [2, ?], got [3, 1]'],
    [{ ...square, data: new Uint8Array(1), dims: [] }, 0, {}, 'data must have at least one axis, got a scalar'],
    [{ ...square, data: new Uint8Array(0), dims: [0] }, [0], {}, 'indices must be in [0, -1], got 0 at 0'],
  ])('%# %p %p %p', (data, indices, options, message) => {
    for (const [opset, since] of [
      [12, 11],
      [28, 13],
    ])
      expectError(
        () => gatherElements(data, indices, { ...options, opset }),
        RangeError,
        `GatherElements-${since}: ${message}`,
      );
  });

  test('indices of another type, and a bad index before anything is written', () => {
    expectErrors({
      'TypeError: GatherElements-13: indices must be int32 or int64, got int8': () =>
        gatherElements(square, new Tensor('int8', Int8Array.of(0), [1, 1])),
    });
    const out = { type: 'uint8', data: Uint8Array.of(9, 9, 9, 9), dims: [2, 2] };
    expect(() => gatherElements(square, int32([0, 0, 0, 5], [2, 2]), { out })).toThrow(RangeError);
    expect([...out.data]).toEqual([9, 9, 9, 9]);
    const chosen = int32([0, 0, 0, 0], [2, 2]);
    const over = { type: 'uint8', data: new Uint8Array(chosen.data.buffer, 4, 4), dims: [2, 2] };
    expectErrors({
      'RangeError: GatherElements-13: out must not overlap indices': () =>
        gatherElements(square, chosen, { out: over }),
    });
  });
});

test('infers the dims of the indices', () => {
  const infer = (dims, indexDims, options) =>
    inferShape(
      'GatherElements',
      { data: { type: 'int4', dims }, indices: { type: 'int64', dims: indexDims } },
      options,
    );
  const free = { strict: false };
  expect(infer(['N', 3], ['K', 2], free)).toStrictEqual({ type: 'int4', dims: ['K', 2] });
  expect(infer(null, [null, 2], free).dims).toEqual([null, 2]);
  expect(infer([4, 3], null, free).dims).toBe(null);
  expectErrors({
    'RangeError: GatherElements-13: indices must have rank 1 as data has, got rank 2': () => infer([4], ['K', 2], free),
    "RangeError: GatherElements-13: indices dims must be at most [?, 3], got ['K', 4]": () =>
      infer(['N', 3], ['K', 4], free),
    'TypeError: GatherElements-13: type int4 is in no version, got opset 28': () => infer([2], [2]),
  });
});

test('inference takes indices whose extents off the axis are not known', () => {
  const infer = (dims, indices) =>
    inferShape('GatherElements', { data: { type: 'uint8', dims }, indices: { type: 'int64', dims: indices } }).dims;
  for (const open of ['N', null]) {
    expect(infer([2, 3], [open, open])).toEqual([open, open]);
    expect(infer([2, open], [7, 3])).toEqual([7, 3]);
  }
  expectErrors({
    "RangeError: GatherElements-13: indices dims must be at most [?, 3], got ['N', 4]": () => infer([2, 3], ['N', 4]),
  });
});
