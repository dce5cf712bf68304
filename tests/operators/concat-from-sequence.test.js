/** ConcatFromSequence: along an axis and along a new one, and what is refused. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Tensor, concat, concatFromSequence, inferShape, init, stack } from 'onnx-layout';
import { runModel } from 'onnx-layout/io';
import { elementCount, typeNames } from '../support/reference.js';
import { offsetsOf, randomData } from '../support/samples.js';
import { expectTensor, expectErrors, refuses } from '../support/assertions.js';

beforeAll(() => init());

const a = new Tensor('uint8', Uint8Array.of(1, 2, 3, 4), [2, 2]);
const b = new Tensor('uint8', Uint8Array.of(5, 6, 7, 8), [2, 2]);

describe.each(typeNames)('%s', (type) => {
  const offset = type === 'string' ? 0 : offsetsOf(type).at(-1);
  const make = (dims, seed) => ({ type, data: randomData(type, elementCount(dims), seed, offset), dims });

  test('as concat and stack do', () => {
    const parts = [make([3, 5], 1), make([3, 5], 2), make([3, 5], 3)];
    const free = { strict: false };
    for (const axis of [-2, -1, 0, 1]) {
      const joined = concat(parts, { axis, ...free });
      expectTensor(concatFromSequence(parts, { axis, ...free }), type, joined.dims, joined.data);
    }
    for (const axis of [-3, -1, 0, 2]) {
      const { dims, data } = stack(parts, { axis });
      const out = make(dims, 4);
      const result = concatFromSequence(parts, { axis, new_axis: 1, out, ...free });
      expectTensor(result, type, dims, data);
      expect(result.data).toBe(out.data);
    }
  });
});

test('an axis of any extents, and scalars on a new axis', () => {
  const c = new Tensor('uint8', Uint8Array.of(9, 9), [2, 1]);
  const joined = concatFromSequence([a, c], { axis: -1n, opset: 11 });
  expectTensor(joined, 'uint8', [2, 3], Uint8Array.of(1, 2, 9, 3, 4, 9));
  const one = new Tensor('uint8', Uint8Array.of(7), []);
  expectTensor(concatFromSequence([one, one], { axis: 0, new_axis: true }), 'uint8', [2], Uint8Array.of(7, 7));
});

describe('refuses', () => {
  const one = new Tensor('uint8', Uint8Array.of(7), []);
  const line = new Tensor('uint8', Uint8Array.of(7), [1]);
  const int8 = new Tensor('int8', Int8Array.of(1, 2, 3, 4), [2, 2]);
  refuses('ConcatFromSequence-11', concatFromSequence, {
    'RangeError: axis must be in [-2, 1], got 2': [[a, b], { axis: 2 }],
    'RangeError: axis must be in [-3, 2], got 3': [[a, b], { axis: 3, new_axis: 1 }],
    'RangeError: new_axis must be 0 or 1, got 2': [[a, b], { axis: 0, new_axis: 2 }],
    'TypeError: axis must be a number or a bigint, got undefined': [
      () => concatFromSequence([a, b], { new_axis: 1 }),
      () => concatFromSequence([a, b], undefined),
    ],
    'RangeError: input_sequence must hold at least one tensor, got []': [[], { axis: 0 }],
    'RangeError: input_sequence[0] must have at least one axis, got a scalar': [[one, one], { axis: 0 }],
    'RangeError: input_sequence[1] must have rank 2, as input_sequence[0], got dims [1]': [[a, line], { axis: 0 }],
    'RangeError: input_sequence[1] must have dims[1] = 2, as input_sequence[0], got 3': () =>
      concatFromSequence([a, { ...a, data: new Uint8Array(6), dims: [2, 3] }], { axis: 0 }),
    'RangeError: input_sequence[1] dims must be [2, 2], as input_sequence[0], got [1]': () =>
      concatFromSequence([a, line], { axis: 0, new_axis: 1 }),
    'TypeError: input_sequence[1] type must be uint8, as that of the sequence, got int8': [[a, int8], { axis: 0 }],
    'TypeError: input_sequence must be an array of tensors, got an object': [a, { axis: 0 }],
    'RangeError: out dims must be [4, 2], got [2, 2]': [[a, b], { axis: 0, out: a }],
    'RangeError: out dims must be [2, 2, 2], got [2, 2]': [[a, b], { axis: 0, new_axis: 1, out: a }],
  });

  test('out over an input', () => {
    const out = { type: 'uint8', data: new Uint8Array(8), dims: [4, 2] };
    const inside = { ...a, data: out.data.subarray(4) };
    expectErrors({
      'RangeError: ConcatFromSequence-11: out must not overlap input_sequence[1]': () =>
        concatFromSequence([b, inside], { axis: 0, out }),
    });
  });
});

test('infers the rank, and leaves the axis open', () => {
  const infer = (dims, options) =>
    inferShape('ConcatFromSequence', { input_sequence: { sequence: true, type: 'int8', dims } }, options);
  expect(infer(['N', 3], { axis: 1 })).toStrictEqual({ type: 'int8', dims: ['N', null] });
  expect(infer(['N', 3], { axis: -2, new_axis: 1 })).toStrictEqual({ type: 'int8', dims: ['N', null, 3] });
  expect(infer(null, { axis: 5 }).dims).toBe(null);
  expectErrors({
    'RangeError: ConcatFromSequence-11: result must have a rank of at most 64, got 65': () =>
      infer(Array(64).fill('N'), { axis: 0, new_axis: 1 }),
    'RangeError: ConcatFromSequence-11: axis must be in [-2, 1], got 5': () => infer(['N', 3], { axis: 5 }),
  });
});

test('in a model', () => {
  const attributes = new Map([['axis', 0]]);
  const model = {
    opsets: new Map([['', 13]]),
    initializers: new Map(),
    nodes: [{ name: '', operator: 'ConcatFromSequence', domain: '', inputs: ['s'], outputs: ['y'], attributes }],
    inputs: [{ name: 's', type: 'uint8', dims: null, sequence: true }],
    outputs: [{ name: 'y' }],
  };
  const result = runModel(model, { s: [a, b] }).get('y');
  expectTensor(result, 'uint8', [4, 2], Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8));
});
