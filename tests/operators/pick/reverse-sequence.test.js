/** ReverseSequence: what it gives and refuses. Random calls are in surgery-random.test.js. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Tensor, inferShape, init, reverseSequence } from 'onnx-layout';
import { expectError, expectTensor, expectErrors } from '../../support/assertions.js';

beforeAll(() => init());

const int64 = (values, dims = [values.length]) => new Tensor('int64', BigInt64Array.from(values, BigInt), dims);
const grid = new Tensor('uint8', Uint8Array.of(1, 2, 3, 4, 5, 6), [2, 3]);

test('lengths of 0 and 1 change nothing', () => {
  for (const opset of [10, 27, 28])
    expectTensor(reverseSequence(grid, [0, 1, 2], { opset }), 'uint8', [2, 3], Uint8Array.of(1, 2, 6, 4, 5, 3));
});

describe('refuses', () => {
  test.each([
    [grid, [0, 1, 3], {}, 'sequence_lens must be in [0, 2], got 3 at 2'],
    [grid, [-1, 1, 2], {}, 'sequence_lens must be in [0, 2], got -1 at 0'],
    [grid, int64([0, 1, 2n ** 32n]), {}, 'sequence_lens must be in [0, 2], got 4294967296 at 2'],
    [grid, [1, 1], {}, 'sequence_lens must have dims[1] = 3 entries, got 2'],
    [grid, [1, 1, 1], { batch_axis: 0, time_axis: 1 }, 'sequence_lens must have dims[0] = 2 entries, got 3'],
    [grid, [1, 1], { batch_axis: 0 }, 'time_axis must not be batch_axis, got 0 for both'],
    [grid, [1, 1], { time_axis: 1 }, 'time_axis must not be batch_axis, got 1 for both'],
    [grid, [1, 1], { time_axis: 2 }, 'time_axis must be 0 or 1, got 2'],
    [grid, [1, 1], { batch_axis: -1 }, 'batch_axis must be 0 or 1, got -1'],
    [{ ...grid, dims: [6] }, [1], {}, 'input must have at least two axes, got rank 1'],
    [
      { type: 'uint8', data: new Uint8Array(0), dims: [2, 1, 0] },
      [3],
      {},
      'sequence_lens must be in [0, 2], got 3 at 0',
    ],
  ])('%# %p %p %p', (input, lens, options, message) => {
    for (const [opset, since] of [
      [10, 10],
      [28, 28],
    ])
      expectError(
        () => reverseSequence(input, lens, { ...options, opset }),
        RangeError,
        `ReverseSequence-${since}: ${message}`,
      );
  });

  test.each([
    [1, 'sequence_lens must be 1-D, got rank 0'],
    [int64([1, 1, 1], [1, 3]), 'sequence_lens must be 1-D, got rank 2'],
    [new Tensor('int32', Int32Array.of(1, 1, 1)), 'sequence_lens must be int64, got int32'],
  ])('%p', (lens, message) => {
    expectError(() => reverseSequence(grid, lens), TypeError, `ReverseSequence-28: ${message}`);
  });

  test('a bad length before anything is written, and out over the lengths', () => {
    const out = { type: 'uint8', data: new Uint8Array(6).fill(9), dims: [2, 3] };
    expect(() => reverseSequence(grid, [0, 1, 3], { out })).toThrow(RangeError);
    expect([...out.data]).toEqual(Array(6).fill(9));
    const lens = int64([0, 1, 2]);
    const over = { type: 'uint8', data: new Uint8Array(lens.data.buffer, 16, 6), dims: [2, 3] };
    expectErrors({
      'RangeError: ReverseSequence-28: out must not overlap sequence_lens': () =>
        reverseSequence(grid, lens, { out: over }),
    });
  });

  test('an empty result beside enormous extents takes no time', () => {
    const dims = [2 ** 40, 2, 0];
    const result = reverseSequence({ type: 'uint8', data: new Uint8Array(0), dims }, [2 ** 36, 0]);
    expectTensor(result, 'uint8', dims, new Uint8Array(0));
  });
});

test('infers the dims of the input', () => {
  const infer = (dims, lens, options) =>
    inferShape(
      'ReverseSequence',
      { input: { type: 'int8', dims }, sequence_lens: { type: 'int64', ...lens } },
      options,
    );
  expect(infer(['N', null, 3], { dims: ['B'] })).toStrictEqual({ type: 'int8', dims: ['N', null, 3] });
  expect(infer(null, { dims: null }).dims).toBe(null);
  expectErrors({
    'RangeError: ReverseSequence-28: input must have at least two axes, got rank 1': () => infer(['N'], { dims: [1] }),
    'RangeError: ReverseSequence-28: sequence_lens must have dims[1] = 3 entries, got 5': () =>
      infer(['N', 3], { dims: [5] }),
    'RangeError: ReverseSequence-28: sequence_lens must be in [0, 4], got 5 at 1': () =>
      infer([4, 3], { dims: [3], value: [null, 5, 'K'] }),
    'TypeError: ReverseSequence-28: sequence_lens must be 1-D, got rank 2': () => infer([4, 3], { dims: [3, 1] }),
  });
});
