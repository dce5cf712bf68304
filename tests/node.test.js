/** What Node alone has: its console, and other realms. */
import { inspect } from 'node:util';
import vm from 'node:vm';
import { beforeAll, expect, test } from '@jest/globals';
import { Tensor, flatten, init, reshape, transpose } from 'onnx-layout';

beforeAll(() => init());

test('Node prints it as toString does', () => {
  const tensor = new Tensor('float32', Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]);
  expect(tensor.toString()).toBe('[[1. 2. 3.]\n [4. 5. 6.]]');
  expect(inspect(tensor)).toBe('Tensor float32 [2, 3]\n[[1. 2. 3.]\n [4. 5. 6.]]');
});

test('arrays of another realm are arrays', () => {
  const foreign = vm.runInNewContext('({ data: Float32Array.of(1, 2, 3, 4, 5, 6), dims: [2, 3], perm: [1, 0], shape: BigInt64Array.of(3n, -1n), strings: ["a", "b"], options: { axis: 0 } })');
  const { data, dims, perm, shape, strings, options } = foreign;
  const result = transpose({ type: 'float32', data, dims }, { perm });
  expect([result.dims, Array.from(result.data)]).toEqual([[3, 2], [1, 4, 2, 5, 3, 6]]);
  expect(reshape({ type: 'float32', data, dims }, shape).dims).toEqual([3, 2]);
  expect(flatten({ type: 'float32', data, dims }, options).dims).toEqual([1, 6]);
  expect(Array.from(transpose({ type: 'string', data: strings, dims: [2] }).data)).toEqual(['a', 'b']);
});
