/** Memory of the caller's that goes away, and what a failed call leaves behind. */
import { test, expect, describe, beforeAll } from '@jest/globals';
import { Tensor, flatten, init, pack, reshape, splitToSequence, transpose } from 'onnx-layout';
import { expectError, expectSequence, expectTensor, expectErrors } from '../support/assertions.js';

beforeAll(() => init());

describe('memory that goes away', () => {
  const detach = (data) => structuredClone(data, { transfer: [data.buffer] });

  test('detached before the call', () => {
    const data = new Float32Array(6);
    detach(data);
    expectErrors({
      'RangeError: Transpose-25: float32 data of dims [2, 3] has 6 entries, got 0': () =>
        transpose({ type: 'float32', data, dims: [2, 3] }),
      'RangeError: Flatten-25: float32 data of dims [2, 3] has 6 entries, got 0': () =>
        flatten({ type: 'float32', data, dims: [2, 3] }),
    });
    const tensor = new Tensor('float32', new Float32Array(6), [2, 3]);
    detach(tensor.data);
    expectError(() => transpose(tensor), RangeError, 'Transpose-25: float32 data of dims [2, 3] has 6 entries, got 0');
  });

  test('a resizable buffer that shrank, and one that did not', () => {
    const buffer = new ArrayBuffer(24, { maxByteLength: 48 });
    const data = new Float32Array(buffer);
    data.set([1, 2, 3, 4, 5, 6]);
    const actual = transpose({ type: 'float32', data, dims: [2, 3] });
    expectTensor(actual, 'float32', [3, 2], Float32Array.of(1, 4, 2, 5, 3, 6));
    buffer.resize(16);
    expectErrors({
      'RangeError: Transpose-25: float32 data of dims [2, 3] has 6 entries, got 4': () =>
        transpose({ type: 'float32', data, dims: [2, 3] }),
    });
  });
});

test('a failed call changes nothing, and the next good one works', () => {
  const data = Int32Array.of(1, 2, 3, 4, 5, 6);
  const outData = Int32Array.of(-1, -1, -1, -1, -1, -1);
  const input = { type: 'int32', data, dims: [2, 3] };
  const out = { type: 'int32', data: outData, dims: [3, 2] };
  const pieces = [new Int32Array(3), new Int32Array(3)].map((piece) => ({ type: 'int32', data: piece, dims: [1, 3] }));
  const bad = [
    () => transpose(input, { perm: [0, 0], out }),
    () => transpose(input, { out, opset: 99 }),
    () => transpose(input, { out, bogus: 1 }),
    () => transpose(input, { perm: [0, 1], out }),
    () => splitToSequence(input, [1, 2], { out: pieces }),
    () => splitToSequence(input, 1, { out: [pieces[0], input] }),
    () => splitToSequence(input, 1, { out: pieces, axis: 5 }),
    () => reshape(input, [5]),
    () => flatten(input, { axis: 9 }),
    () => pack('int4', 5),
  ];
  for (const call of bad) {
    expect(call).toThrow(/^(Transpose|SplitToSequence|Reshape|Flatten|pack)(-\d+)?: /);
    expect([input, out, pieces]).toEqual([
      { type: 'int32', data: Int32Array.of(1, 2, 3, 4, 5, 6), dims: [2, 3] },
      { type: 'int32', data: Int32Array.of(-1, -1, -1, -1, -1, -1), dims: [3, 2] },
      [0, 1].map(() => ({ type: 'int32', data: new Int32Array(3), dims: [1, 3] })),
    ]);
    expectTensor(transpose(input), 'int32', [3, 2], Int32Array.of(1, 4, 2, 5, 3, 6));
    expectSequence(splitToSequence(input, 1), 'int32', [
      [[1, 3], Int32Array.of(1, 2, 3)],
      [[1, 3], Int32Array.of(4, 5, 6)],
    ]);
  }
});

test('a good call changes nothing in its arguments either', () => {
  const input = Object.freeze({ type: 'int32', data: Int32Array.of(1, 2, 3, 4, 5, 6), dims: Object.freeze([2, 3]) });
  const options = Object.freeze({ perm: Object.freeze([1, 0]), opset: 13 });
  expect(transpose(input, options).dims).toEqual([3, 2]);
  expect(splitToSequence(input, Object.freeze([1, 1]), Object.freeze({ axis: 0 })).length).toBe(2);
  expect(reshape(input, Object.freeze([6])).dims).toEqual([6]);
  expect(flatten(input, Object.freeze({ axis: 0 })).dims).toEqual([1, 6]);
  expect([...input.data]).toEqual([1, 2, 3, 4, 5, 6]);
});
