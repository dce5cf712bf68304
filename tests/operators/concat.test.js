/** Concat: what each version gives and refuses. Random calls are in surgery-random.test.js. */
import { beforeAll, expect, test } from '@jest/globals';
import { concat, inferShape, init, unpack } from 'onnx-layout';
import { gives, leavesOut, refuses } from '../support/assertions.js';
import { bytes, floats, largest, smallest, strings } from './operands.js';

beforeAll(() => init());

gives({
  'uint8 [2] 1 2': () => concat([bytes([2])], { axis: 0 }),
  'uint8 [2, 3] 1 1 2 2 3 4': () => concat([bytes([2, 1]), bytes([2, 2])], { axis: -1 }),
  'uint8 [3, 2] 1 2 1 2 3 4': () => concat([bytes([1, 2]), bytes([0, 2]), bytes([2, 2])], { axis: 0 }),
  'uint8 [4, 0]': () => concat([bytes([2, 0]), bytes([2, 0])], { axis: 0 }),
  'uint8 [2, 3] 1 2 1 3 4 2': () => concat([bytes([2, 2]), bytes([2, 1])], { axis: 1n, opset: 4 }),
  'float32 [1, 3] 1 2 1': () => concat([floats([1, 2]), floats([1, 1])], { opset: 1 }),
  "string [3] 'a' 'b' 'c'": () => concat([strings(['a']), strings(['b', 'c'])], { axis: 0 }),
  'int4 [4] 17 16': () =>
    concat([bytes([1], 'int4'), bytes([2], 'int4'), bytes([1], 'int4')], { axis: 0, strict: false }),
  'uint8 [9007199254740991, 0]': () => concat([bytes([2 ** 53 - 1, 0]), bytes([2 ** 53 - 1, 0])], { axis: 1 }),
});

refuses('Concat-13', concat, {
  'RangeError: inputs must hold at least one tensor, got []': [[], { axis: 0 }],
  'TypeError: inputs must be an array of tensors, got undefined': [undefined, { axis: 0 }],
  'TypeError: inputs must be an array of tensors, got an object': [bytes([2]), { axis: 0 }],
  'TypeError: axis must be a number or a bigint, got undefined': [[bytes([2])]],
  'RangeError: axis must be in [-2, 1], got 2': [[bytes([2, 3])], { axis: 2 }],
  'RangeError: axis must be in [-2, 1], got -3': [[bytes([2, 3])], { axis: -3 }],
  'RangeError: axis must be in [-2, 1], got 9223372036854775807': [[bytes([2, 3])], { axis: largest }],
  'RangeError: axis must be in [-2, 1], got -9223372036854775808': [[bytes([2, 3])], { axis: smallest }],
  'RangeError: axis must fit int64, got 9223372036854775808': [[bytes([2, 3])], { axis: largest + 1n }],
  'RangeError: axis must be a whole number, got 0.5': [[bytes([2, 3])], { axis: 0.5 }],
  "TypeError: axis must be a number or a bigint, got '0'": [[bytes([2, 3])], { axis: '0' }],
  'TypeError: axis must be a number or a bigint, got null': [[bytes([2, 3])], { axis: null }],
  'RangeError: inputs[0] must have at least one axis, got a scalar': [[bytes([]), bytes([])], { axis: 0 }],
  'RangeError: inputs[1] must have rank 1, as inputs[0], got dims []': [[bytes([2]), bytes([])], { axis: 0 }],
  'RangeError: inputs[1] must have dims[1] = 3, as inputs[0], got 2': [[bytes([0, 3]), bytes([2, 2])], { axis: 0 }],
  'RangeError: inputs[1] must have dims[1] = 2, as inputs[0], got 3': [[bytes([2, 2]), bytes([0, 3])], { axis: 0 }],
  'RangeError: inputs[1] must have rank 2, as inputs[0], got dims [2]': [[bytes([2, 3]), bytes([2])], { axis: 0 }],
  'TypeError: inputs[1] type must be uint8, as that of inputs[0], got int8': () =>
    concat([bytes([2, 3]), bytes([2, 3], 'int8')], { axis: 0 }),
  'TypeError: inputs[1] must be a tensor { type, dims, data }, got 5': [[bytes([2, 3]), 5], { axis: 0 }],
  "TypeError: unknown option 'axes', did you mean 'axis'? Known: axis, out, opset, strict": () =>
    concat([bytes([2, 3])], { axis: 0, axes: 1 }),
  'RangeError: result dims must be at most 9007199254740991, got [9007199254740992, 0]': () =>
    concat([bytes([2 ** 52, 0]), bytes([2 ** 52, 0])], { axis: 0 }),
  'RangeError: uint8 data of dims [3, 3] has 9 bytes, got 6': () =>
    concat([bytes([2, 3]), { ...bytes([2, 3]), dims: [3, 3] }], { axis: 0 }),
  'RangeError: out dims must be [2, 3], got [2, 2]': [[bytes([2, 3])], { axis: 1, out: bytes([2, 2]) }],
  'TypeError: out type must be uint8, got bool': [[bytes([2, 3])], { axis: 1, out: bytes([2, 3], 'bool') }],
  'TypeError: type int4 is in no version, got opset 28': [[bytes([1, 1], 'int4')], { axis: 1 }],
});

refuses('', {
  'TypeError: Concat-1: type uint8 needs opset 4, got opset 1': () => concat([bytes([2])], { opset: 1 }),
  'RangeError: Concat-1: axis must be in [0, 0], got 1': () => concat([floats([2])], { opset: 1 }),
  'RangeError: Concat-1: axis must be in [0, 1], got -1': () =>
    concat([bytes([2, 3])], { axis: -1, opset: 1, strict: false }),
  'RangeError: Concat-4: axis must be in [0, 1], got -1': () => concat([bytes([2, 3])], { axis: -1, opset: 4 }),
  'TypeError: Concat-11: type bfloat16 needs opset 13, got opset 12': () =>
    concat([bytes([1, 1], 'bfloat16')], { axis: 1, opset: 12 }),
});

leavesOut([
  (out) => concat([bytes([1]), bytes([1]), bytes([1, 1])], { axis: 0, out }),
  (out) => concat([bytes([1]), bytes([1], 'int8')], { axis: 0, out }),
  (out) => concat([bytes([1]), { ...bytes([0]), dims: [1] }], { axis: 0, out }),
  (out) => concat([bytes([1]), { ...out, data: out.data.subarray(1), dims: [1] }], { axis: 0, out }),
  (out) => concat([bytes([1]), bytes([1])], { axis: 1, out }),
]);

test('inference keeps the symbol of a single input from opset 11 on, and values that are all known', () => {
  const [open, known] = [
    { type: 'int64', dims: ['N'] },
    { type: 'int64', dims: [2], value: [3, 'M'] },
  ];
  const infer = (inputs, opset) => inferShape('Concat', { inputs }, { axis: 0, opset });
  expect([4, 11, 13].map((opset) => infer([open], opset).dims)).toEqual([[null], ['N'], ['N']]);
  expect(infer([known, known], 13)).toEqual({ type: 'int64', dims: [4], value: [3, 'M', 3, 'M'] });
  expect(infer([known, open], 13)).toEqual({ type: 'int64', dims: [null] });
});

// An address of a memory counts in steps of 2^40 bits: beyond 16,384 memories, two bits more would be lost.
test('20,000 tensors of three elements of 2 bits', () => {
  const inputs = Array.from({ length: 20_000 }, (_, i) => ({
    type: 'uint2',
    dims: [3],
    data: Uint8Array.of((7 * i) & 63),
  }));
  const packed = concat(inputs, { axis: 0, strict: false }).data;
  const data = unpack('uint2', packed, 60_000);
  const expected = new Uint8Array(60_000).map((_, i) => (((7 * Math.floor(i / 3)) & 63) >> (2 * (i % 3))) & 3);
  expect(Buffer.compare(data, expected)).toBe(0);
});
