/** Slice: what each version gives and refuses, at the ends of int64 too. Random calls are in surgery-random.test.js. */
import { beforeAll, expect, test } from '@jest/globals';
import { init, inferShape, slice } from 'onnx-layout';
import { runModel } from 'onnx-layout/io';
import { expectError, expectErrors, gives, leavesOut, refuses } from '../../support/assertions.js';
import { bytes, int32, int64, largest, smallest, strings } from '../operands.js';

beforeAll(() => init());

gives({
  'uint8 [] 1': () => slice(bytes([]), [], []),
  'uint8 [2] 5 3': () => slice(bytes([6]), [4], [0], [0], [-2]),
  'uint8 [0]': [
    () => slice(bytes([6]), [5], [-1], [0], [-1]),
    () => slice(bytes([6]), [-1], [largest], [0], [-1]),
    () => slice(bytes([6]), [largest], [smallest]),
    () => slice(bytes([6]), [smallest], [smallest]),
    () => slice(bytes([6]), [largest], [largest]),
    () => slice(bytes([0]), [largest], [smallest], [0], [smallest]),
    () => slice(bytes([0]), [-1], [smallest], [0], [-1]),
  ],
  'uint8 [5] 6 5 4 3 2': () => slice(bytes([6]), [5], [-6], [0], [-1]),
  'uint8 [6] 6 5 4 3 2 1': [
    () => slice(bytes([6]), [5], [-7], [0], [-1]),
    () => slice(bytes([6]), [largest], [smallest], [0], [-1]),
  ],
  'uint8 [1] 1': [
    () => slice(bytes([6]), [-100], [smallest], [0], [-1]),
    () => slice(bytes([6]), [0], [6], [0], [largest]),
    () => slice(bytes([6]), [smallest], [smallest], [0], [smallest]),
    () => slice(bytes([6]), int64([smallest]), int64([largest]), int64([0]), int64([largest])),
    () => slice(bytes([6]), int32([-(2 ** 31)]), int32([2 ** 31 - 1]), int32([0]), int32([2 ** 31 - 1])),
  ],
  'uint8 [6] 1 2 3 4 5 6': [() => slice(bytes([6]), [-100], [100]), () => slice(bytes([6]), [smallest], [largest])],
  'uint8 [1] 5': () => slice(bytes([6]), [4], [smallest], [0], [smallest]),
  'uint8 [2, 0, 1]': () => slice(bytes([2, 0, 3]), [0, 1], [2, 3], [0, 2], [1, 2]),
  'uint8 [2, 2] 2 3 5 6': [
    () => slice(bytes([2, 3]), [1], [3], [-1]),
    () => slice(bytes([2, 3]), int32([1]), [3], int32([1]), [1]),
    () =>
      slice(bytes([2, 3]), undefined, undefined, undefined, undefined, {
        opset: 9,
        starts: [1],
        ends: [largest],
        axes: [1],
      }),
  ],
  'uint8 [1, 2] 6 4': () => slice(bytes([2, 3]), [-1, 1], [smallest, 3], [1, 0], [-2, 1]),
  'uint8 [2, 1] 2 5': () => slice(bytes([2, 3]), 1, 2, 1),
  'uint8 [1, 3] 4 5 6': () =>
    slice(bytes([2, 3]), undefined, undefined, undefined, undefined, { opset: 1, starts: [-1], ends: [2] }),
  "string [2] 'c' 'b'": () => slice(strings(['a', 'b', 'c']), [2], [0], [0], [-1]),
});

refuses('Slice-13', slice, {
  'RangeError: starts must have at most as many entries as data has axes, 0, got 1': [bytes([]), [0], [1]],
  'TypeError: ends must be a list of whole numbers or an int32 or int64 tensor, got undefined': [bytes([6]), [0]],
  'TypeError: starts must be a list of whole numbers or an int32 or int64 tensor, got undefined': [bytes([6])],
  'TypeError: starts must be a list of whole numbers or an int32 or int64 tensor, got null': [bytes([6]), null, [1]],
  'RangeError: starts must have at most as many entries as data has axes, 1, got 2': [bytes([6]), [0, 0], [1, 1]],
  'RangeError: ends must have as many entries as starts, 2, got 1': [bytes([2, 3]), [0, 0], [1]],
  'RangeError: ends must have as many entries as starts, 1, got 2': [bytes([2, 3]), [0], [1, 1]],
  'RangeError: axes must have as many entries as starts, 1, got 2': [bytes([2, 3]), [0], [1], [0, 1]],
  'RangeError: steps must have as many entries as starts, 1, got 2': [bytes([2, 3]), [0], [1], [0], [1, 1]],
  'RangeError: axes must name each axis once, got [0, 0]': [bytes([2, 3]), [0, 0], [1, 1], [0, 0]],
  'RangeError: axes must name each axis once, got [1, -1]': [bytes([2, 3]), [0, 0], [1, 1], [1, -1]],
  'RangeError: axes must be in [-2, 1], got [2]': [bytes([2, 3]), [0], [1], [2]],
  'RangeError: axes must be in [-2, 1], got [-3]': [bytes([2, 3]), [0], [1], [-3]],
  'RangeError: axes must be in [-2, 1], got [9223372036854775807]': [bytes([2, 3]), [0], [1], [largest]],
  'RangeError: axes must be in [-2, 1], got [-9223372036854775808]': [bytes([2, 3]), [0], [1], [smallest]],
  'RangeError: steps must not be 0, got [0]': [bytes([2, 3]), [0], [1], [0], [0]],
  'TypeError: starts is given twice': [bytes([2, 3]), [0], { starts: [0], ends: [1] }],
  'TypeError: starts must be 1-D, got rank 2': [bytes([2, 3]), int64([0], [1, 1]), [1]],
  'TypeError: starts must be 1-D, got rank 0': [bytes([2, 3]), int64([0], []), [1]],
  'TypeError: starts must be int32 or int64, got uint8': [bytes([2, 3]), bytes([1]), [1]],
  'TypeError: ends type must be int32, as that of starts, got int64': [bytes([2, 3]), int32([0]), int64([1])],
  'TypeError: axes type must be int64, as that of starts, got int32': [bytes([2, 3]), int64([0]), [1], int32([0])],
  'TypeError: steps type must be int64, as that of axes, got int32': [bytes([2, 3]), [0], [1], int64([0]), int32([1])],
  "TypeError: starts must be a list of whole numbers or an int32 or int64 tensor, got 'a'": [bytes([2, 3]), 'a', [1]],
  'RangeError: starts must hold whole numbers, got [0.5]': [bytes([2, 3]), [0.5], [1]],
  'RangeError: ends must hold whole numbers, got [NaN]': [bytes([2, 3]), [0], [NaN]],
  'RangeError: starts must fit int64, got [9223372036854775808]': [bytes([2, 3]), [largest + 1n], [1]],
  'RangeError: ends must fit int64, got [-9223372036854775809]': [bytes([2, 3]), [0], [smallest - 1n]],
  'RangeError: out dims must be [1, 3], got [1, 2]': () =>
    slice(bytes([2, 3]), [0], [1], undefined, undefined, { out: bytes([1, 2]) }),
  "TypeError: unknown option 'axis', did you mean 'axes'? Known: starts, ends, axes, steps, out, opset, strict": () =>
    slice(bytes([2, 3]), [0], [1], undefined, undefined, { axis: 1 }),
  'RangeError: uint8 data of dims [7] has 7 bytes, got 6': [{ ...bytes([6]), dims: [7] }, [0], [1]],
  'TypeError: type int4 is in no version, got opset 28': [bytes([6], 'int4'), [0], [1]],
});

refuses('Slice-1', {
  'TypeError: steps needs opset 10, got opset 9': [
    () => slice(bytes([2, 3]), [0], [1], [0], [1], { opset: 9 }),
    () => slice(bytes([2, 3]), { opset: 9, starts: [0], ends: [1], steps: [1] }),
  ],
  'RangeError: axes must be in [0, 1], got [-1]': () =>
    slice(bytes([2, 3]), undefined, undefined, undefined, undefined, { opset: 9, starts: [0], ends: [1], axes: [-1] }),
  'TypeError: ends must be a list of whole numbers or an int32 or int64 tensor, got undefined': () =>
    slice(bytes([2, 3]), undefined, undefined, undefined, undefined, { opset: 9, starts: [0] }),
});

refuses('', {
  'RangeError: Slice-10: axes must be in [0, 1], got [-1]': () =>
    slice(bytes([2, 3]), [0], [1], [-1], [1], { opset: 10 }),
  'TypeError: Slice-11: type bfloat16 needs opset 13, got opset 12': () =>
    slice(bytes([6], 'bfloat16'), [0], [1], undefined, undefined, { opset: 12 }),
});

leavesOut(
  [
    (out) => slice(bytes([2, 3]), [0, 0], [1, 2], [0, 2], undefined, { out }),
    (out) => slice(bytes([2, 3]), [0, 0], [1, 2], [0, 1], [1, 0], { out }),
    (out) => slice(bytes([2, 3]), [0, 0], [1, 2], [0, 1], int32([1, 1], [2, 1]), { out }),
    (out) => slice({ ...bytes([2, 3]), dims: [2, 4] }, [0, 0], [1, 2], undefined, undefined, { out }),
  ],
  [1, 2],
);

test('in a model, lists of two types are refused', () => {
  const model = (ends) => ({
    opsets: new Map([['', 13]]),
    initializers: new Map([
      ['starts', int32([1])],
      ['ends', ends],
    ]),
    nodes: [
      {
        name: '',
        operator: 'Slice',
        domain: '',
        inputs: ['x', 'starts', 'ends'],
        outputs: ['y'],
        attributes: new Map(),
      },
    ],
    inputs: [{ name: 'x', type: 'uint8', dims: [3], sequence: false }],
    outputs: [{ name: 'y' }],
  });
  expect(runModel(model(int32([3])), { x: bytes([3]) }).get('y').data).toEqual(Uint8Array.of(2, 3));
  const message = 'Slice-13: ends type must be int32, as that of starts, got int64';
  expectError(() => runModel(model(int64([3])), { x: bytes([3]) }), TypeError, message);
  const known = { data: { type: 'uint8', dims: [3] }, starts: { type: 'int32', dims: [1] } };
  expectError(() => inferShape('Slice', { ...known, ends: { type: 'int64', dims: [1] } }), TypeError, message);
  expectErrors({
    'TypeError: Slice-13: ends must be 1-D, got rank 0': () =>
      inferShape('Slice', { ...known, ends: { type: 'int32', dims: [] } }),
  });
});

test('Slice-10 infers a symbol that it cuts as it is, the others as unknown', () => {
  const list = (value) => ({ type: 'int64', dims: [1], value: [value] });
  const inputs = { data: { type: 'uint8', dims: ['N', 3] }, starts: list(0), ends: list(2) };
  expect(inferShape('Slice', inputs, { opset: 10 }).dims).toEqual(['N', 3]);
  for (const opset of [11, 13]) expect(inferShape('Slice', inputs, { opset }).dims).toEqual([null, 3]);
});

test('inference carries known elements through a step', () => {
  const list = (...value) => ({ type: 'int64', dims: [value.length], value });
  const inputs = { data: list(5, 'N', 7, 8), starts: list(-1), ends: list(smallest), axes: list(0), steps: list(-2) };
  expect(inferShape('Slice', inputs)).toEqual({ type: 'int64', dims: [2], value: [8, 'N'] });
});
