/** Pad: what each version gives and refuses. Random calls are in surgery-random.test.js. */
import { beforeAll, expect, test } from '@jest/globals';
import { inferShape, init, pad } from 'onnx-layout';
import { expectErrors, expectTensor, gives, leavesOut, refuses } from '../../support/assertions.js';
import { elementCount } from '../../support/reference.js';
import { randomData } from '../../support/samples.js';
import { bytes, floats, int32, int64, largest, smallest, strings } from '../operands.js';
import { surgery } from '../surgery.reference.js';

beforeAll(() => init());

gives(pad, {
  'uint8 [6] 0 1 2 3 0 0': [bytes([3]), [1, 2]],
  'uint8 [6] 9 1 2 3 9 9': [bytes([3]), [1, 2], 9],
  'uint8 [7] 1 1 1 2 3 3 3': [bytes([3]), [2, 2], undefined, undefined, { mode: 'edge' }],
  'uint8 [17] 2 3 2 1 2 3 2 1 2 3 2 1 2 3 2 1 2': [bytes([3]), [7, 7], undefined, undefined, { mode: 'reflect' }],
  'uint8 [4] 1 1 1 1': [bytes([1]), [2, 1], undefined, undefined, { mode: 'reflect' }],
  'uint8 [12] 3 1 2 3 1 2 3 1 2 3 1 2': [bytes([3]), [4, 5], undefined, undefined, { mode: 'wrap' }],
  'uint8 [5] 2 3 4 3 2': [bytes([4]), [-1, 2], undefined, undefined, { mode: 'reflect' }],
  'uint8 [5] 2 1 2 1 2': [bytes([4]), [3, -2], undefined, undefined, { mode: 'wrap' }],
  'uint8 [2] 7 7': [bytes([3]), [-3, 2], 7],
  'uint8 [0]': [bytes([3]), [-2, -1]],
  'uint8 [2, 4] 0 1 2 0 0 3 4 0': [bytes([2, 2]), [1, 1], 0, [-1]],
  'uint8 [4, 3] 1 1 2 3 3 4 3 3 4 3 3 4': [bytes([2, 2]), [1, 0, 0, 2], undefined, int32([1, 0]), { mode: 'edge' }],
  'uint8 [3, 2] 1 1 2 2 2 2': [bytes([2, 1]), [0, 1, 1, 0], undefined, undefined, { mode: 'edge' }],
  'uint8 [0, 3]': [bytes([0, 2]), [0, 1, 0, 0], undefined, undefined, { mode: 'wrap' }],
  'uint8 [2] 5 5': [bytes([0]), [1, 1], 5],
  'uint8 [] 1': [() => pad(bytes([]), []), () => pad(bytes([]), [], undefined, undefined, { mode: 'edge' })],
  // Nothing is walked along the long axis.
  'uint8 [1649267441664, 0]': () =>
    pad({ ...bytes([0]), dims: [2 ** 40, 0] }, [2 ** 39, 0, 0, 0], undefined, undefined, { mode: 'reflect' }),
  'bool [2] 1 1': [bytes([1], 'bool'), [1, 0], true],
  "string [3] '' 'a' ''": [strings(['a']), [1, 1]],
  "string [2] 'a' 'b'": [strings(['a']), [0, 1], 'b'],
  'uint8 [2] 8 1': [
    () => pad(bytes([1]), [1, 0], { ...bytes([]), data: Uint8Array.of(8) }),
    () => pad(bytes([1]), [1, 0], { ...bytes([1]), data: Uint8Array.of(8) }),
  ],
  'complex64 [2] 3 4 1 2': [{ type: 'complex64', dims: [1], data: Float32Array.of(1, 2) }, [1, 0], [3, 4]],
  'int64 [2] -9223372036854775808n 1n': [{ type: 'int64', dims: [1], data: BigInt64Array.of(1n) }, [1, 0], smallest],
  'int4 [5] 29 242 13': [
    () => pad({ type: 'int4', dims: [3], data: Uint8Array.of(0x21, 0x0f) }, [1, 1], -3),
    () =>
      pad({ type: 'int4', dims: [3], data: Uint8Array.of(0x21, 0x0f) }, [1, 1], {
        type: 'int4',
        dims: [],
        data: Uint8Array.of(0xfd),
      }),
  ],
  'float32 [2] 0.10000000149011612 1': () =>
    pad(floats([1]), undefined, undefined, undefined, { opset: 10, pads: [1, 0], value: 0.1 }),
  'float32 [2] 1 0': [floats([1]), undefined, undefined, undefined, { opset: 1, paddings: [0, 1], mode: 'constant' }],
  'float32 [2] 2 0': [floats([2]), undefined, undefined, undefined, { opset: 2, pads: [-1, 1] }],
  'float16 [2] 15360 1': () =>
    pad({ type: 'float16', dims: [1], data: Uint16Array.of(1) }, undefined, undefined, undefined, {
      opset: 10,
      pads: [1, 0],
      value: 1,
    }),
});

refuses('Pad-25', pad, {
  "RangeError: mode must be 'constant', 'reflect', 'edge' or 'wrap', got 'edges'": () =>
    pad(bytes([3]), [1, 1], undefined, undefined, { mode: 'edges' }),
  "TypeError: mode must be 'constant', 'reflect', 'edge' or 'wrap', got 1": () =>
    pad(bytes([3]), [1, 1], undefined, undefined, { mode: 1 }),
  'TypeError: pads must be a list of whole numbers or an int64 tensor, got undefined': [bytes([3])],
  'RangeError: pads must have two entries for each of 1 axes, got [1]': [bytes([3]), [1]],
  'RangeError: pads must have two entries for each of 1 axes, got [1, 1, 1]': [bytes([3]), [1, 1, 1]],
  'RangeError: axes must name each axis once, got [0, 0]': [bytes([2, 3]), [1, 1, 1, 1], undefined, [0, 0]],
  'RangeError: axes must name each axis once, got [0, -2]': [bytes([2, 3]), [1, 1, 1, 1], undefined, [0, -2]],
  'RangeError: axes must be in [-2, 1], got [2]': [bytes([2, 3]), [1, 1], undefined, [2]],
  'RangeError: axes must be in [-2, 1], got [9223372036854775807]': [bytes([2, 3]), [1, 1], undefined, [largest]],
  'RangeError: axes must be in [-2, 1], got [-9223372036854775808]': [bytes([2, 3]), [1, 1], undefined, [smallest]],
  'RangeError: pads must cut at most dims[0] = 3, got [-2, -2]': [bytes([3]), [-2, -2]],
  'RangeError: pads must cut at most dims[0] = 3, got [-4, 4]': [bytes([3]), [-4, 4]],
  'RangeError: pads must cut at most dims[0] = 0, got [-1, 1]': [bytes([0]), [-1, 1]],
  'RangeError: result dims must be at most 9007199254740991, got [9223372036854776000]': [
    () => pad(bytes([3]), [largest, 0]),
    () => pad(bytes([3]), [0, largest]),
    () => pad(bytes([3]), [largest, 0], undefined, undefined, { mode: 'reflect' }),
  ],
  'RangeError: result dims must be at most 9007199254740991, got [18446744073709552000]': () =>
    pad(bytes([3]), [largest, largest]),
  'RangeError: pads must cut at most dims[0] = 3, got [-9223372036854775808, 0]': [bytes([3]), [smallest, 0]],
  'RangeError: pads must cut at most dims[0] = 3, got [9223372036854775807, -9223372036854775808]': () =>
    pad(bytes([3]), [largest, smallest]),
  'RangeError: pads must cut at most dims[0] = 3, got [-9223372036854775808, -9223372036854775808]': () =>
    pad(bytes([3]), int64([smallest, smallest])),
  'RangeError: result dims must be at most 9007199254740991, got [9007199254740996]': [bytes([3]), [2 ** 52, 2 ** 52]],
  'RangeError: result must have at most 9007199254740991 elements, got dims [1099511627779, 1099511627777]': () =>
    pad(bytes([3, 1]), [2 ** 40, 2 ** 40, 0, 0]),
  "RangeError: mode must be 'constant' where an axis has no elements, got 'edge' for dims[0]": () =>
    pad(bytes([0]), [1, 0], undefined, undefined, { mode: 'edge' }),
  "RangeError: mode must be 'constant' where an axis has no elements, got 'reflect' for dims[0]": () =>
    pad(bytes([2]), [-2, 1], undefined, undefined, { mode: 'reflect' }),
  "RangeError: mode must be 'constant' where an axis has no elements, got 'wrap' for dims[1]": () =>
    pad(bytes([2, 0]), [0, 0, 0, 1], undefined, undefined, { mode: 'wrap' }),
  'TypeError: pads must be int64, got int32': [bytes([3]), int32([1, 1])],
  'TypeError: pads must be 1-D, got rank 2': [bytes([3]), int64([1, 1], [1, 2])],
  'TypeError: axes must be 1-D, got rank 0': [bytes([2, 3]), [1, 1], undefined, int64([0], [])],
  'RangeError: constant_value must be a scalar or of dims [1], got dims [2]': [bytes([3]), [1, 1], bytes([2])],
  'RangeError: constant_value must be a scalar or of dims [1], got dims [1, 1]': [bytes([3]), [1, 1], bytes([1, 1])],
  'TypeError: constant_value must be uint8, as data, got int8': [bytes([3]), [1, 1], bytes([1], 'int8')],
  'TypeError: constant_value must be uint8, as data, got int64': () =>
    pad(bytes([3]), [1, 1], int64([1]), undefined, { mode: 'edge' }),
  'RangeError: uint8 data of dims [1] has 1 bytes, got 0': [bytes([3]), [1, 1], { ...bytes([0]), dims: [1] }],
  "TypeError: uint8 value 0 must be a number or a bigint, got 'a'": [bytes([3]), [1, 1], 'a'],
  'RangeError: uint8 value 0 must be in [0, 256), got 256': [bytes([3]), [1, 1], 256],
  'TypeError: uint8 value 0 must be a number or a bigint, got true': [bytes([3]), [1, 1], true],
  'TypeError: string value 0 must be a string, got 5': [strings(['a']), [1, 0], 5],
  'RangeError: out dims must be [5], got [4]': [bytes([3]), [1, 1], undefined, undefined, { out: bytes([4]) }],
  "TypeError: unknown option 'value'. Known: mode, pads, constant_value, axes, out, opset, strict": () =>
    pad(bytes([3]), [1, 1], undefined, undefined, { value: 1 }),
  'RangeError: uint8 data of dims [4] has 4 bytes, got 3': [{ ...bytes([3]), dims: [4] }, [1, 1]],
});

refuses('Pad-2', {
  'TypeError: pads is given twice': () => pad(bytes([3]), [1, 1], { opset: 10, strict: false, pads: [1, 1] }),
  'TypeError: value is given twice': () => pad(bytes([3]), [1, 1], 1, { opset: 10, strict: false, value: 1 }),
  'TypeError: pads must be a list of whole numbers or an int64 tensor, got undefined': () =>
    pad(bytes([3]), undefined, undefined, undefined, { opset: 2, strict: false }),
  "TypeError: value must be a number, got '1'": () =>
    pad(bytes([3]), undefined, undefined, undefined, { opset: 2, strict: false, pads: [1, 1], value: '1' }),
  "TypeError: unknown option 'paddings'. Known: pads, value, mode, axes, out, opset, strict": () =>
    pad(bytes([3]), undefined, undefined, undefined, { opset: 2, strict: false, pads: [1, 1], paddings: [1, 1] }),
  'RangeError: pads must cut at most dims[0] = 3, got [-9223372036854775808, 1]': () =>
    pad(bytes([3]), undefined, undefined, undefined, { opset: 2, strict: false, pads: [smallest, 1] }),
  'TypeError: type uint8 needs opset 11, got opset 2': () =>
    pad(bytes([3]), undefined, undefined, undefined, { opset: 2, pads: [1, 1] }),
});

refuses('Pad-1', {
  'TypeError: paddings is given twice': () => pad(bytes([3]), [1, 1], { opset: 1, strict: false, paddings: [1, 1] }),
  'RangeError: paddings must be at least 0, got [-1, 1]': () =>
    pad(bytes([3]), undefined, undefined, undefined, { opset: 1, strict: false, paddings: [-1, 1] }),
  'RangeError: result dims must be at most 9007199254740991, got [9223372036854776000]': () =>
    pad(bytes([3]), undefined, undefined, undefined, { opset: 1, strict: false, paddings: [largest, 1] }),
  'RangeError: paddings must have two entries for each of 1 axes, got [1]': () =>
    pad(bytes([3]), undefined, undefined, undefined, { opset: 1, strict: false, paddings: [1] }),
  'TypeError: pads needs opset 2, got opset 1': () =>
    pad(bytes([3]), undefined, undefined, undefined, { opset: 1, strict: false, paddings: [1, 1], pads: [1, 1] }),
});

refuses('', {
  "RangeError: Pad-18: mode must be 'constant', 'reflect' or 'edge', got 'wrap'": () =>
    pad(bytes([3]), [1, 1], undefined, undefined, { mode: 'wrap', opset: 18 }),
  'TypeError: Pad-13: axes needs opset 18, got opset 17': () =>
    pad(bytes([2, 3]), [1, 1], undefined, [0], { opset: 17 }),
  'TypeError: Pad-11: type bool needs opset 13, got opset 11': () =>
    pad(bytes([3], 'bool'), [1, 1], undefined, undefined, { opset: 11 }),
  'TypeError: Pad-11: type string needs opset 13, got opset 12': () =>
    pad(strings(['a']), [1, 1], undefined, undefined, { opset: 12 }),
  'TypeError: Pad-19: type int4 needs opset 21, got opset 20': () =>
    pad(bytes([3], 'int4'), [1, 1], undefined, undefined, { opset: 20 }),
});

test.each(['uint8', 'float16', 'uint2', 'int4', 'float6e2m3', 'complex64', 'complex128', 'string'])(
  '%s: long rows, every mode',
  (type) => {
    const dims = [2, 3, 600];
    const data = { type, dims, data: randomData(type, 3600, 5) };
    const constant = { type, dims: [], data: randomData(type, 1, 6) };
    for (const mode of ['constant', 'edge', 'reflect', 'wrap'])
      for (const pads of [
        [1, 0, 3, 0, 2, 5],
        [0, 2, 0, 1, 0, 0],
        [0, 2, -580, 1, 0, 0],
        [-1, -1, 40, 2, 0, -3],
        [0, 0, 75, 0, 0, 605],
        [1, -1, -540, 0, 2, 31],
      ]) {
        const inputs = [data, int64(pads), mode === 'constant' ? constant : undefined];
        const wanted = surgery.Pad(inputs, { mode }, 25);
        const result = pad(...inputs, undefined, { mode, strict: false });
        expectTensor(result, type, wanted.dims, wanted.data, `${mode} [${pads}]`);
      }
  },
);

test.each(['uint8', 'float32', 'int2', 'uint4', 'float6e3m2', 'complex64', 'complex128', 'string'])(
  '%s: borders many times as wide as the axis, every mode',
  (type) => {
    for (const mode of ['edge', 'reflect', 'wrap'])
      for (const dims of [[1], [2], [3], [7, 2], [2, 3], [2, 2, 33]])
        for (const wide of [1, 5, 40]) {
          const data = { type, dims, data: randomData(type, elementCount(dims), wide) };
          const pads = int64([
            ...dims.map((_, i) => (i === 0 ? wide : 2)),
            ...dims.map((_, i) => (i === 1 ? wide : 9)),
          ]);
          const wanted = surgery.Pad([data, pads], { mode }, 25);
          const result = pad(data, pads, undefined, undefined, { mode, strict: false });
          expectTensor(result, type, wanted.dims, wanted.data, `${mode} [${dims}] ${wide}`);
        }
  },
);

// It took an array entry for nearly every element, and aborted the process.
test.each(['edge', 'reflect', 'wrap'])('%s: 2 ** 26 elements before two, and behind them, in seconds', (mode) => {
  for (const [pads, at] of [
    [[2 ** 26, 0], 2 ** 26],
    [[0, 2 ** 26], 0],
  ]) {
    const start = performance.now();
    const { data } = pad(bytes([2]), pads, undefined, undefined, { mode });
    expect(performance.now() - start).toBeLessThan(5000);
    const pair = mode === 'edge' ? [at ? 1 : 2, at ? 1 : 2] : [1, 2];
    expect([data[at], data[at + 1]]).toEqual([1, 2]);
    const border = data.subarray(at ? 0 : 2, (at ? 0 : 2) + 2 ** 26);
    expect(Buffer.compare(border, Buffer.alloc(2 ** 26, Buffer.from(pair)))).toBe(0);
  }
});

test('fills an out that holds other bytes', () => {
  const out = { type: 'uint8', dims: [4], data: new Uint8Array(4).fill(165) };
  expect(pad(bytes([2]), [1, 1], undefined, undefined, { out }).data).toEqual(Uint8Array.of(0, 1, 2, 0));
});

test('the attribute value is a float32, whatever the data is', () => {
  const data = { type: 'float64', dims: [1], data: Float64Array.of(1) };
  const padded = pad(data, undefined, undefined, undefined, { opset: 2, pads: [1, 0], value: 0.1 });
  expect(padded.data).toEqual(Float64Array.of(Math.fround(0.1), 1));
});

leavesOut([
  (out) => pad(bytes([1]), [0, 1], undefined, [1], { out }),
  (out) => pad(bytes([1]), [-2, 3], undefined, undefined, { out }),
  (out) => pad(bytes([0]), [1, 1], undefined, undefined, { mode: 'edge', out }),
  (out) => pad(bytes([1]), [0, 1], 300, undefined, { out }),
  (out) => pad(bytes([1]), [0, 1], { ...bytes([0]), dims: [1] }, undefined, { out }),
  (out) => pad({ ...bytes([0]), dims: [1] }, [0, 1], undefined, undefined, { out }),
  (out) => pad({ ...bytes([1]), data: out.data.subarray(1) }, [0, 1], undefined, undefined, { out }),
]);

test('inference with and without a constant_value', () => {
  const data = { type: 'uint8', dims: [3] };
  const pads = { type: 'int64', dims: [2], value: [1, 2] };
  const axes = { type: 'int32', dims: [1], value: [-1] };
  const one = { type: 'uint8', dims: [] };
  for (const constant_value of [undefined, null, one])
    for (const inputs of [
      { data, pads, constant_value },
      { data, pads, constant_value, axes },
    ])
      expect(inferShape('Pad', inputs)).toEqual({ type: 'uint8', dims: [6] });
  expect(inferShape('Pad', { data, pads })).toEqual({ type: 'uint8', dims: [6] });
  expectErrors({
    'TypeError: Pad-25: constant_value must be uint8, as data, got int8': () =>
      inferShape('Pad', { data, pads, constant_value: { type: 'int8', dims: [] } }),
    'TypeError: Pad-25: constant_value must be what is known of a tensor { type, dims }, got 0': () =>
      inferShape('Pad', { data, pads, constant_value: 0 }),
  });
});

test('inference keeps a symbol where nothing is padded', () => {
  const dims = (pads) => {
    const data = { type: 'uint8', dims: ['N', 'M', 3] };
    return inferShape('Pad', { data, pads: { type: 'int64', dims: [6], value: pads } }).dims;
  };
  expect(dims([0, 0, 1, 0, 0, 2])).toEqual(['N', 'M', 6]);
  expect(dims([1, 0, 0, 0, 2, 0])).toEqual([null, null, 3]);
});
