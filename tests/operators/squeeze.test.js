/** Squeeze and Unsqueeze: what each version gives and refuses. Random calls are in surgery-random.test.js. */
import { beforeAll, expect, test } from '@jest/globals';
import { init, squeeze, unsqueeze, inferShape } from 'onnx-layout';
import { refuses, gives } from '../support/assertions.js';
import { bytes, int32, int64, largest, smallest } from './operands.js';

beforeAll(() => init());

gives({
  'uint8 [2] 1 2': [
    () => squeeze(bytes([1, 2, 1])),
    () => squeeze(bytes([1, 2, 1]), null),
    () => squeeze(bytes([1, 2, 1]), [2, 0]),
    () => squeeze(bytes([1, 2, 1]), undefined, { opset: 1, axes: [2, 0] }),
    () => squeeze(bytes([1, 2, 1]), undefined, { opset: 1 }),
    () => unsqueeze(bytes([2]), []),
  ],
  'uint8 [0]': () => squeeze(bytes([1, 0])),
  'uint8 [1, 2, 1] 1 2': [
    () => squeeze(bytes([1, 2, 1]), []),
    () => unsqueeze(bytes([2]), [-1, 0]),
    () => unsqueeze(bytes([2]), undefined, { opset: 1, axes: [2, 0] }),
  ],
  'uint8 [1, 2] 1 2': [
    () => squeeze(bytes([1, 2, 1]), [-1]),
    () => squeeze(bytes([1, 2, 1]), undefined, { opset: 12, axes: [-1] }),
  ],
  'uint8 [2, 1] 1 2': [
    () => squeeze(bytes([1, 2, 1]), 0),
    () => unsqueeze(bytes([2]), undefined, { opset: 12, axes: [-1] }),
  ],
  'uint8 [0, 1]': [() => squeeze(bytes([1, 0, 1]), int64([-3])), () => unsqueeze(bytes([0]), int64([1]))],
  'uint8 [] 1': [() => squeeze(bytes([])), () => squeeze(bytes([]), [])],
  'uint8 [1, 1, 2] 1 2': () => unsqueeze(bytes([2]), [1, 0]),
  'uint8 [1] 1': () => unsqueeze(bytes([]), 0),
});

refuses('Squeeze-25', {
  'RangeError: axes must name axes of extent 1, got [1] of dims [1, 2, 1]': () => squeeze(bytes([1, 2, 1]), [1]),
  'RangeError: axes must name axes of extent 1, got [1] of dims [1, 0]': () => squeeze(bytes([1, 0]), [1]),
  'RangeError: axes must name each axis once, got [0, 0]': () => squeeze(bytes([1, 2, 1]), [0, 0]),
  'RangeError: axes must name each axis once, got [0, -3]': () => squeeze(bytes([1, 2, 1]), [0, -3]),
  'RangeError: axes must be in [-3, 2], got [3]': () => squeeze(bytes([1, 2, 1]), [3]),
  'RangeError: axes must be in [-3, 2], got [9223372036854775807]': () => squeeze(bytes([1, 2, 1]), [largest]),
  'RangeError: axes must be in [-3, 2], got [-9223372036854775808]': () => squeeze(bytes([1, 2, 1]), [smallest]),
  'TypeError: axes must be 1-D, got rank 0': () => squeeze(bytes([1, 2, 1]), int64([0], [])),
  'TypeError: axes must be 1-D, got rank 2': () => squeeze(bytes([1, 2, 1]), int64([0], [1, 1])),
  'TypeError: axes must be int64, got int32': () => squeeze(bytes([1, 2, 1]), int32([0])),
  "TypeError: axes must be a list of whole numbers or an int64 tensor, got 'a'": () => squeeze(bytes([1, 2, 1]), 'a'),
  'TypeError: axes is given twice': () => squeeze(bytes([1, 2, 1]), [0], { axes: [0] }),
  'RangeError: axes must be in [0, -1], got [0]': () => squeeze(bytes([]), [0]),
  "TypeError: unknown option 'out'. Known: axes, opset, strict": () => squeeze(bytes([1, 2]), [0], { out: bytes([2]) }),
  'RangeError: uint8 data of dims [1, 3] has 3 bytes, got 2': () => squeeze({ ...bytes([2]), dims: [1, 3] }),
});

refuses('Squeeze-1', {
  'RangeError: axes must be in [0, 2], got [-1]': () => squeeze(bytes([1, 2, 1]), undefined, { opset: 1, axes: [-1] }),
  'RangeError: axes must be in [0, 0], got [1]': () => squeeze(bytes([1]), undefined, { opset: 1, axes: [1] }),
});

refuses('Unsqueeze-25', {
  'TypeError: axes must be a list of whole numbers or an int64 tensor, got undefined': () => unsqueeze(bytes([2])),
  'TypeError: axes must be a list of whole numbers or an int64 tensor, got null': () => unsqueeze(bytes([2]), null),
  'RangeError: axes must name each axis once, got [1, 1]': () => unsqueeze(bytes([2]), [1, 1]),
  'RangeError: axes must name each axis once, got [0, -3]': () => unsqueeze(bytes([2]), [0, -3]),
  'RangeError: axes must be in [-2, 1], got [2]': () => unsqueeze(bytes([2]), [2]),
  'RangeError: axes must be in [-2, 1], got [-3]': () => unsqueeze(bytes([2]), [-3]),
  'RangeError: axes must be in [-2, 1], got [9223372036854775807]': () => unsqueeze(bytes([2]), [largest]),
  'RangeError: axes must be in [-2, 1], got [-9223372036854775808]': () => unsqueeze(bytes([2]), [smallest]),
  'TypeError: axes must be 1-D, got rank 0': () => unsqueeze(bytes([2]), int64([0], [])),
  'TypeError: axes must be int64, got int32': () => unsqueeze(bytes([2]), int32([0])),
  'TypeError: axes is given twice': () => unsqueeze(bytes([2]), [0], { axes: [0] }),
  'RangeError: result must have a rank of at most 64, got 65': () => unsqueeze(bytes(Array(63).fill(1)), [0, 1]),
  "TypeError: unknown option 'axis', did you mean 'axes'? Known: axes, opset, strict": () =>
    unsqueeze(bytes([2]), [0], { axis: 0 }),
  'RangeError: uint8 data of dims [3] has 3 bytes, got 2': () => unsqueeze({ ...bytes([2]), dims: [3] }, [0]),
});

refuses('Unsqueeze-1', {
  'RangeError: axes must be in [0, 1], got [-1]': () => unsqueeze(bytes([2]), undefined, { opset: 1, axes: [-1] }),
  'RangeError: axes must name each axis once, got [0, 0]': () =>
    unsqueeze(bytes([2]), undefined, { opset: 1, axes: [0, 0] }),
  'RangeError: axes must be in [0, 1], got [3]': () => unsqueeze(bytes([2]), undefined, { opset: 1, axes: [3] }),
  'TypeError: axes must be a list of whole numbers or an int64 tensor, got undefined': () =>
    unsqueeze(bytes([2]), undefined, { opset: 1 }),
});

test('they share the data', () => {
  const data = bytes([1, 2]);
  expect(squeeze(data).data).toBe(data.data);
  expect(squeeze(data, []).data).toBe(data.data);
  expect(unsqueeze(data, [0]).data).toBe(data.data);
});

test('inference carries a known element in and out of a list', () => {
  const axes = { type: 'int64', dims: [1], value: [0] };
  const list = { type: 'int64', dims: [1], value: [7] };
  expect(inferShape('Squeeze', { data: list })).toEqual({ type: 'int64', dims: [], value: 7 });
  expect(inferShape('Unsqueeze', { data: { type: 'int64', dims: [], value: 7 }, axes })).toEqual(list);
  const two = { type: 'int64', dims: [2], value: [3, 4] };
  expect(inferShape('Unsqueeze', { data: two, axes })).toEqual({ type: 'int64', dims: [1, 2] });
});
