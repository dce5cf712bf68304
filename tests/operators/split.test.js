/** Split: what each version gives and refuses. Random calls are in surgery-random.test.js. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { inferShape, init, split } from 'onnx-layout';
import { runModel } from 'onnx-layout/io';
import { expectError, expectErrors, gives, leavesOut, refuses } from '../support/assertions.js';
import { bytes, floats, int32, int64, largest, smallest, strings } from './operands.js';

beforeAll(() => init());

gives({
  '{ uint8 [3] 1 2 3 | uint8 [3] 4 5 6 }': () => split(bytes([6]), [3, 3]),
  '{ uint8 [6] 1 2 3 4 5 6 }': () => split(bytes([6]), 6),
  '{ uint8 [2, 0] | uint8 [2, 1] 1 4 | uint8 [2, 2] 2 3 5 6 }': () => split(bytes([2, 3]), [0, 1, 2], { axis: -1 }),
  '{ uint8 [1] 1 | uint8 [1] 2 | uint8 [1] 3 | uint8 [0] }': () => split(bytes([3]), undefined, { num_outputs: 4 }),
  '{ uint8 [2] 1 2 | uint8 [2] 3 4 | uint8 [1] 5 }': () => split(bytes([5]), undefined, { num_outputs: 3 }),
  '{ uint8 [0] | uint8 [0] }': () => split(bytes([0]), undefined, { num_outputs: 2 }),
  '{ uint8 [3] 1 2 3 }': () => split(bytes([3]), undefined, { num_outputs: 1n }),
  '{ uint8 [1, 0] | uint8 [1, 0] }': () => split(bytes([2, 0]), [1, 1]),
  '{ uint8 [1] 1 | uint8 [2] 2 3 }': [
    () => split(bytes([3]), int64([1, 2]), { opset: 13 }),
    () => split(bytes([3]), undefined, { opset: 2, split: [1, 2] }),
  ],
  '{ float32 [1] 1 | float32 [2] 2 3 }': [
    () => split(floats([3]), undefined, { opset: 1, split: [1, 2] }),
    () => split(floats([3]), [1, 2], { opset: 1 }),
    () => split(floats([3]), floats([2]), { opset: 1 }),
  ],
  "{ string [2] 'a' 'b' | string [1] 'c' }": () => split(strings(['a', 'b', 'c']), [2, 1]),
  '{ int4 [1] 1 | int4 [2] 32 }': () => split(bytes([3], 'int4'), [1, 2], { strict: false }),
});

describe('inference takes as many outputs as a call makes pieces', () => {
  const input = { type: 'uint8', dims: [6] };
  test.each([0, -1, 2 ** 33, -(2n ** 63n), 1_000_001])('not %p', (outputs) => {
    for (const opset of [1, 2, 11, 13, 18])
      expectError(
        () => inferShape('Split', { input: { ...input, type: 'float32' } }, { outputs, opset }),
        RangeError,
        `Split-${opset}: outputs must be in [1, 1000000], got ${outputs}`,
      );
  });

  test('1 and 1,000,000', () => {
    expect(inferShape('Split', { input }, { outputs: 1 })).toEqual([{ type: 'uint8', dims: [6] }]);
    expect(inferShape('Split', { input: { ...input, dims: null } }, { outputs: 1_000_000 }).length).toBe(1_000_000);
  });
});

refuses('Split-18', split, {
  'RangeError: input must have at least one axis, got a scalar': [bytes([]), [1]],
  'RangeError: split or num_outputs must be given, got undefined': [bytes([6])],
  'TypeError: split is given twice': [bytes([6]), [3, 3], { opset: 18, split: [3, 3] }],
  'RangeError: split and num_outputs must not both be given, got num_outputs 2': () =>
    split(bytes([6]), [3, 3], { num_outputs: 2 }),
  'RangeError: split must not be empty, got []': [bytes([6]), []],
  'RangeError: split must sum to dims[0] = 6, got [3, 2], which sum to 5': [bytes([6]), [3, 2]],
  'RangeError: split entries must be at least 0, got [7, -1]': [bytes([6]), [7, -1]],
  ['RangeError: split must sum to dims[0] = 6, got [9223372036854775807, 9223372036854775807], which sum ' +
  'to 18446744073709551614']: () => split(bytes([6]), [largest, largest]),
  'RangeError: split entries must be at least 0, got [-9223372036854775808, 6]': [bytes([6]), [smallest, 6]],
  'RangeError: split entries must be at least 0, got [9223372036854775807, -9223372036854775808, 7]': () =>
    split(bytes([6]), [largest, smallest, 7n]),
  'RangeError: split must sum to dims[0] = 6, got [9223372036854775807, 7], which sum to 9223372036854775814': () =>
    split(bytes([6]), int64([largest, 7])),
  'TypeError: split must be int64, got int32': [bytes([6]), int32([3, 3])],
  'TypeError: split must be 1-D, got rank 2': [bytes([6]), int64([3, 3], [2, 1])],
  'TypeError: split must be 1-D, got rank 0': [bytes([6]), int64([6], [])],
  "TypeError: split must be a list of whole numbers or an int64 tensor, got 'a'": [bytes([6]), 'a'],
  'RangeError: axis must be in [-1, 0], got 1': [bytes([6]), [3, 3], { axis: 1 }],
  'RangeError: axis must be in [-1, 0], got -2': [bytes([6]), [3, 3], { axis: -2 }],
  'RangeError: num_outputs must be in [1, 1000000], got 0': [bytes([6]), undefined, { num_outputs: 0 }],
  'RangeError: num_outputs must be in [1, 1000000], got -1': [bytes([6]), undefined, { num_outputs: -1 }],
  'RangeError: num_outputs must be a whole number, got 1.5': [bytes([6]), undefined, { num_outputs: 1.5 }],
  'RangeError: num_outputs must be in [1, 1000000], got 1000001': [bytes([6]), undefined, { num_outputs: 1_000_001 }],
  'RangeError: dims[0] must fill 4 pieces of 2 but the last, got 5': [bytes([5]), undefined, { num_outputs: 4 }],
  'RangeError: split must have 0 to 1000000 entries, got 1000001': [bytes([6]), Array(1_000_001).fill(0)],
  'RangeError: out must hold 2 tensors, got 1': [bytes([6]), [3, 3], { out: [bytes([3])] }],
  'RangeError: out[1] dims must be [3], got [2]': [bytes([6]), [3, 3], { out: [bytes([3]), bytes([2])] }],
  "TypeError: unknown option 'axes', did you mean 'axis'? Known: axis, num_outputs, split, out, opset, strict": () =>
    split(bytes([6]), [3, 3], { axes: 0 }),
  'RangeError: uint8 data of dims [7] has 7 bytes, got 6': [{ ...bytes([6]), dims: [7] }, [3, 4]],
  'TypeError: type int4 is in no version, got opset 28': [bytes([6], 'int4'), [3, 3]],
});

refuses('Split-1', {
  'RangeError: axis must be in [0, 0], got -1': () =>
    split(floats([6]), undefined, { axis: -1, opset: 1, split: [3, 3] }),
  'TypeError: split is given twice': () => split(floats([6]), [3, 3], { opset: 1, split: [3, 3] }),
  'RangeError: split must hold whole numbers, got [2.5, 3.5]': () =>
    split(floats([6]), { ...floats([2]), data: Float32Array.of(2.5, 3.5) }, { opset: 1 }),
  'RangeError: split must fit int64, got [1.0000000150474662e+30]': () =>
    split(floats([6]), { ...floats([1]), data: Float32Array.of(1e30) }, { opset: 1 }),
  'TypeError: split must be float32, got int64': () => split(floats([6]), int64([3, 3]), { opset: 1 }),
  'TypeError: split must be a scalar or 1-D, got rank 2': () => split(floats([6]), floats([2, 1]), { opset: 1 }),
});

refuses('', {
  'RangeError: Split-13: split must be given, got undefined': () => split(bytes([6]), undefined, { opset: 13 }),
  'TypeError: Split-13: num_outputs needs opset 18, got opset 13': () =>
    split(bytes([6]), undefined, { opset: 13, num_outputs: 2 }),
  'RangeError: Split-11: split must be given, got undefined': () =>
    split(bytes([6]), undefined, { axis: -1, opset: 11 }),
  'TypeError: Split-2: split must be a list of whole numbers or an int64 tensor, got true': () =>
    split(bytes([6]), { opset: 2, split: true }),
  'RangeError: Split-2: axis must be in [0, 0], got -1': () =>
    split(bytes([6]), undefined, { axis: -1, opset: 2, split: [3, 3] }),
});

test('inference counts the pieces of an unknown split, up to 1,024', () => {
  const known = (pieces) => ({ input: { type: 'uint8', dims: [5000] }, split: { type: 'int64', dims: [pieces] } });
  expect(inferShape('Split', known(1024))).toEqual(Array(1024).fill({ type: 'uint8', dims: null }));
  expect(inferShape('Split', known(1025), { outputs: 1 })).toEqual([{ type: 'uint8', dims: null }]);
});

leavesOut([
  (out) => split(bytes([4]), [2, 1], { out: [out, bytes([1])] }),
  (out) => split(bytes([4]), [2, 2], { out: [out, bytes([1])] }),
  (out) => split(bytes([4]), [2, 2], { out: [out, out] }),
  (out) => split({ ...bytes([3]), dims: [4] }, [2, 2], { out: [out, bytes([2])] }),
  (out) => split(bytes([4]), [2, 2, 0], { axis: 0, num_outputs: 2, out: [out, bytes([2])] }),
]);

test('a node must have as many outputs as there are pieces', () => {
  const split = { type: 'int64', dims: [2], value: [2, 2] };
  expectErrors({
    "RangeError: Split-18: split must be the node's 3 outputs, got 2": () =>
      inferShape('Split', { input: { type: 'uint8', dims: [4] }, split }, { outputs: 3 }),
  });
});

test('out lies apart from the input', () => {
  const x = bytes([4]);
  const out = [bytes([2]), { type: 'uint8', dims: [2], data: x.data.subarray(1, 3) }];
  expectError(() => split(x, [2, 2], { out }), RangeError, 'Split-18: out[1] must not overlap input');
  expect([...x.data]).toEqual([1, 2, 3, 4]);
});

test('a piece that is turned before it is copied begins where the ones before it end', () => {
  const model = {
    irVersion: 8,
    opsets: new Map([['', 18]]),
    name: '',
    initializers: new Map([['sizes', { type: 'int64', data: BigInt64Array.of(1n, 2n, 3n), dims: [3] }]]),
    nodes: [
      { operator: 'Split', inputs: ['x', 'sizes'], outputs: ['a', 'b', 'c'] },
      { operator: 'Transpose', inputs: ['c'], outputs: ['y'] },
    ].map((node) => ({ name: '', domain: '', attributes: new Map(), ...node })),
    inputs: [{ name: 'x', type: 'uint8', dims: [6, 2], sequence: false }],
    outputs: [{ name: 'y' }],
  };
  expect([...runModel(model, { x: bytes([6, 2]) }).get('y').data]).toEqual([7, 9, 11, 8, 10, 12]);
});
