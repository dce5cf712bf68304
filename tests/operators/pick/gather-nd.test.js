/** GatherND: what it gives and refuses. Random calls are in surgery-random.test.js. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Tensor, gatherND, inferShape, init } from 'onnx-layout';
import { expectError, expectTensor, expectErrors } from '../../support/assertions.js';

beforeAll(() => init());

const int64 = (values, dims = [values.length]) => new Tensor('int64', BigInt64Array.from(values, BigInt), dims);
const cube = new Tensor(
  'uint8',
  Uint8Array.from({ length: 8 }, (_, i) => i),
  [2, 2, 2],
);

test('a list is one tuple', () => {
  for (const opset of [11, 12, 13]) {
    expectTensor(gatherND(cube, [1], { opset }), 'uint8', [2, 2], Uint8Array.of(4, 5, 6, 7));
    expectTensor(gatherND(cube, [1, -2n, 1], { opset }), 'uint8', [], Uint8Array.of(5));
  }
});

describe('refuses', () => {
  test.each([
    [cube, int64([0, 0, 0, 2], [2, 2]), {}, 'indices must be in [-2, 1], got 2 at 3'],
    [cube, int64([0, -3], [1, 2]), {}, 'indices must be in [-2, 1], got -3 at 1'],
    [cube, int64([2n ** 40n], [1]), {}, 'indices must be in [-2, 1], got 1099511627776 at 0'],
    [cube, int64([], [3, 0]), {}, 'indices must hold tuples of 1 to 3 indices, got 0'],
    [cube, [], {}, 'indices must hold tuples of 1 to 3 indices, got 0'],
    [cube, [0, 0, 0, 0], {}, 'indices must hold tuples of 1 to 3 indices, got 4'],
    [cube, int64([0, 0, 0, 0, 0, 0], [2, 3]), { batch_dims: 1 }, 'indices must hold tuples of 1 to 2 indices, got 3'],
    [cube, int64([0, 0, 0, 0], [4, 1]), { batch_dims: 1 }, 'indices dims must begin with those of data [2], got [4]'],
    [cube, int64([0], [1]), { batch_dims: 1 }, 'batch_dims must be in [0, 0], got 1'],
    [cube, int64([0], [1]), { batch_dims: -1 }, 'batch_dims must be at least 0, got -1'],
    [cube, 0, {}, 'indices must have at least one axis, got a scalar'],
    [{ ...cube, data: new Uint8Array(1), dims: [] }, [0], {}, 'data must have at least one axis, got a scalar'],
  ])('%# %p %p %p', (data, indices, options, message) => {
    for (const [opset, since] of [
      [12, 12],
      [28, 13],
    ])
      expectError(() => gatherND(data, indices, { ...options, opset }), RangeError, `GatherND-${since}: ${message}`);
  });

  test('int32 indices, batch_dims below opset 12, a bad index before anything is written', () => {
    expectErrors(gatherND, {
      'TypeError: GatherND-13: indices must be int64, got int32': [cube, new Tensor('int32', Int32Array.of(0), [1])],
      'TypeError: GatherND-11: batch_dims needs opset 12, got opset 11': [cube, [0], { batch_dims: 0, opset: 11 }],
      "TypeError: GatherND-13: indices must be a number, a list of whole numbers or an int64 tensor, got '0'": () =>
        gatherND(cube, '0'),
    });
    const out = { type: 'uint8', data: Uint8Array.of(9, 9), dims: [2] };
    expect(() => gatherND(cube, int64([0, 0, 0, 0, 0, 2], [2, 3]), { out })).toThrow(RangeError);
    expect([...out.data]).toEqual([9, 9]);
  });
});

test('infers dims, and no rank where the length of the tuples is open', () => {
  const infer = (dims, indexDims, options) =>
    inferShape('GatherND', { data: { type: 'int8', dims }, indices: { type: 'int64', dims: indexDims } }, options);
  expect(infer(['N', 3, 'M'], ['B', 'Q', 1], { batch_dims: 1 })).toStrictEqual({ type: 'int8', dims: ['B', 'Q', 'M'] });
  expect(infer(['N', 3, 'M'], ['B', 'K']).dims).toBe(null);
  expect(infer(null, ['B', 2]).dims).toBe(null);
  expect(infer(['N'], null).dims).toBe(null);
  expect(infer(['N', 3], [2]).dims).toEqual([]);
  expectErrors({
    'RangeError: GatherND-13: indices must hold tuples of 1 to 2 indices, got 3': () => infer(['N', 3], [3]),
    'RangeError: GatherND-13: indices dims must begin with those of data [2], got [4]': () =>
      infer([2, 3], [4, 1], { batch_dims: 1 }),
  });
});
