/** QuantizeLinear, DequantizeLinear and DynamicQuantizeLinear: hard values, what is refused, inference, models. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { dequantizeLinear, dynamicQuantizeLinear, inferShape, init, quantizeLinear, Tensor } from 'onnx-layout';
import { runModel } from 'onnx-layout/io';
import { expectError, expectTensor, refuses, expectErrors } from '../support/assertions.js';

beforeAll(() => init());

const floats = (values, dims = [values.length]) => new Tensor('float32', Float32Array.from(values), dims);
const one = floats([1], []);
const of = (type, values, dims = [values.length]) => Tensor.from(type, values, dims);
const quantized = (values, scale, zero, options) =>
  quantizeLinear(floats(values), floats([scale], []), zero, options).toArray();

describe('hard values', () => {
  const wide = [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 254.5, 255.5, 1e9, -1e9, 3e9, Infinity, -3e9, -Infinity, NaN];
  test.each([
    ['uint8', 0, [0, 2, 2, 0, 0, 0, 254, 255, 255, 0, 255, 255, 0, 0, 0]],
    ['int8', -7, [-7, -5, -5, -7, -9, -9, 127, 127, 127, -128, 127, 127, -128, -128, -128]],
    ['uint4', 8, [8, 10, 10, 8, 6, 6, 15, 15, 15, 0, 15, 15, 0, 0, 0]],
    ['int2', -1, [-1, 1, 1, -1, -2, -2, 1, 1, 1, -2, 1, 1, -2, -2, -2]],
  ])('%s with zero point %i', (type, zero, expected) =>
    expect(quantized(wide, 1, of(type, [zero], []))).toEqual(expected),
  );

  test('divides, and does not multiply by the reciprocal', () => {
    const scale = Math.fround(0.037);
    const values = [16, 17, 18, 19, 20].map((k) => Math.fround((k + 0.5) * scale));
    expect(quantized(values, 0.037)).toEqual([16, 18, 18, 20, 20]);
  });

  test.each([
    [0, [0, 255, 0, 0]],
    [-0, [0, 0, 255, 0]],
    [Infinity, [10, 10, 10, 0]],
    [NaN, [0, 0, 0, 0]],
    [-2, [10, 10, 10, 0]],
    [1e-45, [10, 255, 0, 0]],
  ])('scale %d', (scale, expected) =>
    expect(quantized([0, 1, -1, NaN], scale, of('uint8', [10], []))).toEqual(expected),
  );

  test('the precision is that of the scale from opset 23 on', () => {
    const scale = of('float16', [1000], []);
    const x = floats([70_000, 1234.5]);
    expect(quantizeLinear(x, scale).toArray()).toEqual([255, 1]);
    expect(quantizeLinear(x, scale, null, { precision: 'float32' }).toArray()).toEqual([70, 1]);
  });

  test('the sum with a zero point is rounded to the precision', () => {
    const sum = (type, x) => quantizeLinear(of(type, [x]), of(type, [1]), of('float4e2m1', [3])).toArray();
    // Sums just below 3.5, which lies between 3 and 4: the narrow types round them to 3.5, which goes to 4.
    expect(sum('float32', 0.5 - 2 ** -9)).toEqual([3]);
    expect(sum('float16', 0.5 - 2 ** -12)).toEqual([4]);
    expect(sum('bfloat16', 0.5 - 2 ** -9)).toEqual([4]);
  });

  test('scales that begin within their memory', () => {
    const scale = new Tensor('float32', Float32Array.of(9, 2, 5).subarray(1), [2]);
    expect([...quantizeLinear(floats([10, 20, 30, 40], [2, 2]), scale).data]).toEqual([5, 4, 15, 8]);
    expect(dequantizeLinear(of('uint8', [1, 2]), scale, null, { axis: 0 }).toArray()).toEqual([2, 10]);
  });

  test('rows of so many scales that two rows do not fit into their area', () => {
    const tensor = (type, Class, value) =>
      new Tensor(
        type,
        new Class(1_000_000).map((_, i) => value(i)),
        [2, 500_000],
      );
    const scale = tensor('float32', Float32Array, (i) => 1 + (i % 3));
    const zero = tensor('uint8', Uint8Array, (i) => i % 5);
    const x = tensor('float32', Float32Array, (i) => (i % 7) * (1 + (i % 3)));
    const wanted = tensor('uint8', Uint8Array, (i) => (i % 7) + (i % 5));
    const blocks = { axis: 0, block_size: 1 };
    const y = quantizeLinear(x, scale, zero, blocks);
    expect(Buffer.compare(y.data, wanted.data)).toBe(0);
    const back = dequantizeLinear(y, scale, zero, blocks);
    expect(Buffer.compare(Buffer.from(back.data.buffer), Buffer.from(x.data.buffer))).toBe(0);
  });

  test('int32 by int32 is exact', () => {
    const x = of('int32', [2 ** 31 - 1, 5, -5, 7]);
    const scale = of('int32', [2], []);
    expect(quantizeLinear(x, scale, of('int16', [3], [])).toArray()).toEqual([32767, 5, 1, 7]);
  });

  test('float8 saturates or not, and keeps NaN', () => {
    const x = floats([1e6, -1e6, NaN]);
    const data = (options) => [...quantizeLinear(x, one, null, { output_dtype: 'float8e4m3fn', ...options }).data];
    expect(data({})).toEqual([0x7e, 0xfe, 0x7f]);
    expect(data({ saturate: 0 })).toEqual([0x7f, 0xff, 0x7f]);
  });

  test('dequantizing rounds once', () => {
    const half = (x, scale) => dequantizeLinear(x, scale, null, { output_dtype: 'float16' }).toArray();
    expect(half(of('uint8', [200]), floats([300]))).toEqual([60_000]);
    expect(dequantizeLinear(of('uint16', [65_535]), of('float16', [1])).toArray()).toEqual([Infinity]);
    expect(dequantizeLinear(of('int32', [2 ** 31 - 1]), one, of('int32', [-5], [])).toArray()).toEqual([2 ** 31]);
    expect(dequantizeLinear(of('uint8', [0]), floats([Infinity])).toArray()).toEqual([NaN]);
  });

  test.each([
    [[], 1, 0, []],
    [[0, -0], 1, 0, [0, 0]],
    [[NaN, NaN], 1, 0, [0, 0]],
    [[3e38, -3e38, 0], Infinity, 0, [0, 0, 0]],
    [[Infinity, 1], Infinity, 0, [0, 0]],
    [[-127.5, 127.5], 1, 128, [0, 255]],
    [[1e-38, -1e-38], Math.fround(7.843067504826e-41), 128, [255, 0]],
    [[-1, NaN, 1.55], Math.fround(0.01), 100, [0, 0, 255]],
    // Of a scale among the smallest numbers little is left: the lowest value is 300 steps from 0.
    [[-300 * 2 ** -149], 2 ** -149, 255, [0]],
  ])('the range of %j', (values, scale, zero, expected) => {
    const [y, s, z] = dynamicQuantizeLinear(floats(values));
    expectTensor(y, 'uint8', [values.length], Uint8Array.from(expected));
    expectTensor(s, 'float32', [], Float32Array.of(scale));
    expectTensor(z, 'uint8', [], Uint8Array.of(zero));
  });

  test('writes y over out, and takes other types where it is not strict', () => {
    const out = of('uint8', [9, 9]);
    const [y, scale] = dynamicQuantizeLinear(of('float16', [0, 2.55]), { out, strict: false });
    expect([y.data === out.data, [...out.data], scale.data.length]).toEqual([true, [0, 255], 1]);
  });
});

describe('refuses', () => {
  const x = floats([1, 2, 3, 4, 5, 6], [2, 3]);
  const codes = of('uint8', [1, 2, 3, 4, 5, 6], [2, 3]);
  const s = (...dims) => floats(new Array(dims.reduce((a, b) => a * b, 1)).fill(1), dims);
  const q = (scale, zero, options) => () => quantizeLinear(x, scale, zero, options);
  const d = (scale, zero, options) => () => dequantizeLinear(codes, scale, zero, options);
  refuses('QuantizeLinear-28', {
    'TypeError: type float64 is in no version, got opset 28': () => quantizeLinear(of('float64', [1]), one),
    'TypeError: type string is in no version, got opset 28': () =>
      quantizeLinear({ type: 'string', data: ['a'], dims: [1] }, one, null, { strict: false }),
    'TypeError: y_scale must be a tensor { type, dims, data }, got 5': q(5),
    'TypeError: y_scale uint8 is in no version, got opset 28': q(of('uint8', [1])),
    'TypeError: y_zero_point int32 is in no version, got opset 28': q(one, of('int32', [1])),
    'TypeError: output_dtype must be the type of y_zero_point, uint8, got int8': q(one, of('uint8', [1]), {
      output_dtype: 'int8',
    }),
    'TypeError: output_dtype float32 is in no version, got opset 28': q(one, null, { output_dtype: 'float32' }),
    ["TypeError: unknown type 'unit8', did you mean 'uint8'? Known: float32, uint8, int8, uint16, int16, " +
    'int32, int64, string, …']: q(one, null, { output_dtype: 'unit8' }),
    'TypeError: precision float64 is in no version, got opset 28': q(one, null, { precision: 'float64' }),
    'RangeError: axis must be in [-2, 1], got 2': q(s(3), null, { axis: 2 }),
    'RangeError: y_scale dims must be [2], got [3]': q(s(3), null, { axis: 0 }),
    'RangeError: y_scale must have one axis where block_size is 0, got dims [2, 2]': q(s(2, 2)),
    'RangeError: y_scale dims must be [2, 2] for blocks of 2 along axis 1, got [2, 1]': q(s(2, 1), null, {
      block_size: 2,
    }),
    'RangeError: block_size must not be negative, got -1': q(one, null, { block_size: -1 }),
    'RangeError: block_size must be a whole number, got 0.5': q(one, null, { block_size: 0.5 }),
    'RangeError: y_zero_point dims must be those of y_scale, [3], got [2]': q(s(3), of('uint8', [1, 2])),
    'RangeError: y_zero_point must be 0 for float8e5m2, got 1 at 0': q(one, of('float8e5m2', [1])),
    'RangeError: y_zero_point dims must be those of y_scale, [], got [2]': q(one, of('float6e3m2', [NaN, 2]), {}),
    'RangeError: saturate must be 0 or 1, got 2': q(one, null, { saturate: 2 }),
    'RangeError: out dims must be [2, 3], got [2]': q(one, null, { out: codes.data && of('uint8', [1, 2]) }),
    'RangeError: float32 data of dims [3] has 3 entries, got 2': q({
      type: 'float32',
      dims: [3],
      data: new Float32Array(2),
    }),
    ["TypeError: unknown option 'axes', did you mean 'axis'? Known: saturate, output_dtype, precision, " +
    'axis, block_size, y_zero_point, out, opset, …']: q(one, null, { axes: 1 }),
  });

  refuses('DequantizeLinear-28', {
    'TypeError: x_scale int32 is in no version, got opset 28': d(of('int32', [1])),
    'TypeError: x_zero_point must have the type of x, uint8, got int8': d(one, of('int8', [1])),
    'TypeError: output_dtype must be given where x_scale is float8e8m0, got undefined': d(of('float8e8m0', [1])),
    'TypeError: output_dtype int8 is in no version, got opset 28': d(one, null, { output_dtype: 'int8' }),
    'RangeError: x_scale dims must be [3], got [2]': d(s(2)),
    'RangeError: x_zero_point dims must be those of x_scale, [3], got [1]': d(s(3), of('uint8', [1])),
    'RangeError: x_zero_point must be 0 for float4e2m1, got 1 at 0': () =>
      dequantizeLinear(of('float4e2m1', [1]), one, of('float4e2m1', [1])),
    'RangeError: out dims must be [2, 3], got [1]': d(one, null, { out: floats([1], [1]) }),
  });

  refuses('', dynamicQuantizeLinear, {
    'TypeError: QuantizeLinear-19: y_zero_point uint4 needs opset 21, got opset 19': q(one, of('uint4', [1]), {
      opset: 19,
    }),
    'TypeError: QuantizeLinear-21: y_scale must have the type of x, float32, got float16': q(of('float16', [1]), null, {
      opset: 21,
    }),
    'TypeError: QuantizeLinear-21: precision needs opset 23, got opset 21': q(one, null, {
      precision: 'float16',
      opset: 21,
    }),
    'TypeError: QuantizeLinear-13: y_scale float16 needs opset 19, got opset 13': q(of('float16', [1]), null, {
      opset: 13,
    }),
    'RangeError: QuantizeLinear-10: y_scale must have one element below opset 13, got dims [3]': q(s(3), null, {
      opset: 10,
    }),
    'TypeError: DequantizeLinear-19: block_size needs opset 21, got opset 20': d(one, null, {
      block_size: 1,
      opset: 20,
    }),
    'TypeError: DynamicQuantizeLinear-11: type uint8 is in no version, got opset 28': [codes],
    "TypeError: DynamicQuantizeLinear-11: unknown option 'axis'. Known: out, opset, strict": [x, { axis: 1 }],
    'RangeError: DynamicQuantizeLinear: first appears in opset 11, got opset 10': [x, { opset: 10 }],
  });

  test('out over an input', () => {
    const memory = new ArrayBuffer(64);
    const at = (type, Class, first) => ({ type, data: new Class(memory, first, 4), dims: [4] });
    const call = (first) => () =>
      quantizeLinear(at('float32', Float32Array, 0), at('float32', Float32Array, 16), at('uint8', Uint8Array, 32), {
        axis: 0,
        out: at('uint8', Uint8Array, first),
      });
    expectError(call(15), RangeError, 'QuantizeLinear-28: out must not overlap x');
    expectError(call(30), RangeError, 'QuantizeLinear-28: out must not overlap y_scale');
    expectError(call(33), RangeError, 'QuantizeLinear-28: out must not overlap y_zero_point');
    expect(call(36)().data).toEqual(new Uint8Array(4));
  });

  test('a refused call leaves out as it was', () => {
    const out = of('float8e5m2', [2, 2]);
    const zero = of('float8e5m2', [0, 1]);
    const call = () => quantizeLinear(floats([1, 1]), floats([1, 1]), zero, { axis: 0, out });
    expectError(call, RangeError, 'QuantizeLinear-28: y_zero_point must be 0 for float8e5m2, got 1 at 1');
    expect(out.toArray()).toEqual([2, 2]);
  });
});

describe('inference', () => {
  const known = (type, dims) => ({ type, dims });
  test.each([
    ['QuantizeLinear', { x: known('float32', ['N', 3]), y_scale: known('float32', null) }, {}, 'uint8', ['N', 3]],
    [
      'QuantizeLinear',
      { x: known('float16', null), y_scale: known('float16', [3]) },
      { output_dtype: 'int4' },
      'int4',
      null,
    ],
    [
      'QuantizeLinear',
      { x: known('float32', [2, 'K']), y_scale: known('float32', [2, 5]), y_zero_point: known('int2', [2, null]) },
      { block_size: 3, axis: 1 },
      'int2',
      [2, 'K'],
    ],
    [
      'DequantizeLinear',
      { x: known('int4', [4]), x_scale: known('bfloat16', []), x_zero_point: null },
      {},
      'bfloat16',
      [4],
    ],
    [
      'DequantizeLinear',
      { x: known('int4', [4]), x_scale: known('float8e8m0', []) },
      { output_dtype: 'float16' },
      'float16',
      [4],
    ],
  ])('%s %#', (op, inputs, options, type, dims) =>
    expect(inferShape(op, inputs, options)).toStrictEqual({ type, dims }),
  );

  test('gives three results of DynamicQuantizeLinear', () =>
    expect(inferShape('DynamicQuantizeLinear', { x: known('float32', ['N']) })).toStrictEqual([
      { type: 'uint8', dims: ['N'] },
      { type: 'float32', dims: [] },
      { type: 'uint8', dims: [] },
    ]));

  test('refuses what the call does', () => {
    const x = known('float32', ['N', 3]);
    const scale = (...dims) => known('float32', dims);
    expectErrors({
      'RangeError: QuantizeLinear-28: y_scale dims must be [3], got [2]': () =>
        inferShape('QuantizeLinear', { x, y_scale: scale(2) }),
      "RangeError: QuantizeLinear-28: y_scale dims must be ['N', 2] for blocks of 2 along axis 1, got [?, 3]": () =>
        inferShape('QuantizeLinear', { x, y_scale: scale(null, 3) }, { block_size: 2 }),
      'RangeError: QuantizeLinear-28: y_zero_point dims must be those of y_scale, [3], got [2]': () =>
        inferShape('QuantizeLinear', { x, y_scale: scale(3), y_zero_point: known('int8', [2]) }),
    });
  });
});

describe('in a model', () => {
  const node = (operator, inputs, outputs, attributes = {}) => ({
    ...{ name: '', operator, domain: '', inputs, outputs, attributes: new Map(Object.entries(attributes)) },
  });
  const model = (nodes, outputs) => ({
    opsets: new Map([['', 25]]),
    initializers: new Map([['s', floats([0.5], [])]]),
    nodes,
    inputs: [{ name: 'x', type: 'float32', dims: null, sequence: false }],
    outputs: outputs.map((name) => ({ name })),
  });

  test('there and back', () => {
    const nodes = [
      node('QuantizeLinear', ['x', 's', ''], ['q'], { output_dtype: 22, precision: 0 }),
      node('DequantizeLinear', ['q', 's'], ['y'], { output_dtype: 10 }),
    ];
    const result = runModel(model(nodes, ['q', 'y']), { x: floats([1, -2, 100]) });
    expectTensor(result.get('q'), 'int4', [3], Uint8Array.of(0xc2, 0x07));
    expectTensor(result.get('y'), 'float16', [3], of('float16', [1, -2, 3.5]).data);
  });

  test('with a range, whose node has three outputs', () => {
    const nodes = [node('DynamicQuantizeLinear', ['x'], ['y', 'scale', 'zero'])];
    const result = runModel(model(nodes, ['y', 'scale', 'zero']), { x: floats([0, 2.55]) });
    expect([...result.values()].map((tensor) => tensor.toArray())).toEqual([[0, 255], [Math.fround(0.01)], [0]]);
    expectErrors({
      "RangeError: runModel: DynamicQuantizeLinear node 'y' must have 3 outputs, got 1": () =>
        runModel(model([node('DynamicQuantizeLinear', ['x'], ['y'])], ['y']), { x: floats([1]) }),
    });
  });

  test('a type that no code stands for', () =>
    expectErrors({
      "RangeError: runModel: QuantizeLinear node 'q' output_dtype must be the code of a type, 1 to 28, got 99": () =>
        runModel(model([node('QuantizeLinear', ['x', 's'], ['q'], { output_dtype: 99 })], ['q']), { x: one }),
    }));
});
