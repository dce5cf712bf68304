/** stack and unstack: what they give and refuse. Random calls are in surgery-random.test.js. */
import { beforeAll, test } from '@jest/globals';
import { init, stack, unstack } from 'onnx-layout';
import { expectErrors, gives, leavesOut, refuses } from '../support/assertions.js';
import { bytes, largest, smallest, strings } from './operands.js';

beforeAll(() => init());

gives({
  'uint8 [2, 2] 1 2 1 2': () => stack([bytes([2]), bytes([2])]),
  'uint8 [2, 2] 1 1 2 2': () => stack([bytes([2]), bytes([2])], { axis: -1 }),
  'uint8 [3] 1 1 1': () => stack([bytes([]), bytes([]), bytes([])]),
  'uint8 [2, 2, 0]': () => stack([bytes([2, 0]), bytes([2, 0])], { axis: 1n }),
  'uint8 [2, 9007199254740991, 0]': () => stack([bytes([2 ** 53 - 1, 0]), bytes([2 ** 53 - 1, 0])]),
  'int4 [2, 3] 1 18 32': () => stack([bytes([3], 'int4'), bytes([3], 'int4')]),
  "string [2, 1] 'a' 'b'": () => stack([strings(['a']), strings(['b'])]),
  '{ uint8 [3] 1 2 3 | uint8 [3] 4 5 6 }': () => unstack(bytes([2, 3])),
  '{ uint8 [2] 1 4 | uint8 [2] 2 5 | uint8 [2] 3 6 }': () => unstack(bytes([2, 3]), { axis: -1 }),
  '{ uint8 [] 1 | uint8 [] 2 }': () => unstack(bytes([2])),
  '{  }': () => unstack(bytes([0, 2])),
  '{ uint8 [0] | uint8 [0] }': () => unstack(bytes([2, 0])),
  '{ int4 [3] 1 2 | int4 [3] 48 0 }': () => unstack(bytes([2, 3], 'int4')),
});

refuses('stack', {
  'RangeError: tensors[1] dims must be [2], as tensors[0], got [3]': () => stack([bytes([2]), bytes([3])]),
  'RangeError: tensors[1] dims must be [2], as tensors[0], got [2, 1]': () => stack([bytes([2]), bytes([2, 1])]),
  'TypeError: tensors[1] type must be uint8, as that of tensors[0], got int8': () =>
    stack([bytes([2]), bytes([2], 'int8')]),
  'RangeError: tensors must hold at least one tensor, got []': () => stack([]),
  'TypeError: tensors must be an array of tensors, got an object': () => stack(bytes([2])),
  'TypeError: tensors[1] must be a tensor { type, dims, data }, got 5': () => stack([bytes([2]), 5]),
  'RangeError: axis must be in [-2, 1], got 2': () => stack([bytes([2])], { axis: 2 }),
  'RangeError: axis must be in [-2, 1], got -3': () => stack([bytes([2])], { axis: -3 }),
  'RangeError: axis must be in [-2, 1], got 9223372036854775807': () => stack([bytes([2])], { axis: largest }),
  'RangeError: axis must be in [-2, 1], got -9223372036854775808': () => stack([bytes([2])], { axis: smallest }),
  "TypeError: axis must be a number or a bigint, got '0'": () => stack([bytes([2])], { axis: '0' }),
  "TypeError: unknown option 'dim'. Known: axis, out": () => stack([bytes([2])], { dim: 0 }),
  'RangeError: result must have a rank of at most 64, got 65': () => stack([bytes(Array(64).fill(1))]),
  'RangeError: out dims must be [1, 2], got [2]': () => stack([bytes([2])], { out: bytes([2]) }),
  'RangeError: uint8 data of dims [3] has 3 bytes, got 2': () => stack([{ ...bytes([2]), dims: [3] }]),
});

refuses('unstack', {
  'RangeError: tensor must have at least one axis, got a scalar': () => unstack(bytes([])),
  'RangeError: axis must be in [-1, 0], got 1': () => unstack(bytes([2]), { axis: 1 }),
  'RangeError: axis must be in [-1, 0], got -2': () => unstack(bytes([2]), { axis: -2 }),
  'RangeError: dims[0] must be at most 1000000, got 1000001': () => unstack(bytes([1_000_001, 0])),
  "TypeError: unknown option 'axes', did you mean 'axis'? Known: axis, out": () => unstack(bytes([2]), { axes: 1 }),
  'RangeError: out must hold 1000000 tensors, got 1': () => unstack(bytes([1_000_000, 0]), { out: [bytes([])] }),
  'RangeError: out[1] dims must be [], got [1]': () => unstack(bytes([2]), { out: [bytes([]), bytes([1])] }),
  'RangeError: uint8 data of dims [3] has 3 bytes, got 2': () => unstack({ ...bytes([2]), dims: [3] }),
});

leavesOut([
  (out) => stack([bytes([1]), bytes([1]), bytes([2])], { out: { ...out, dims: [2, 1] } }),
  (out) => stack([bytes([1]), { ...bytes([0]), dims: [1] }], { out: { ...out, dims: [2, 1] } }),
  (out) => stack([bytes([1]), { ...out, data: out.data.subarray(1), dims: [1] }], { out: { ...out, dims: [2, 1] } }),
  (out) => unstack(bytes([2, 2]), { out: [out, out] }),
  (out) => unstack(bytes([2, 2]), { out: [out, bytes([1])] }),
  (out) => unstack({ ...bytes([3]), dims: [2, 2] }, { out: [out, bytes([2])] }),
]);

test('a tensor of fewer axes does not fit, whose extents are the first of the others', () =>
  expectErrors({
    'RangeError: stack: tensors[1] dims must be [2, 3], as tensors[0], got [2]': () =>
      stack([bytes([2, 3]), bytes([2])]),
  }));
