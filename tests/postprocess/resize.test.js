/** ONNX's Resize: its node tests, onnxruntime's answers, inference, whole messages. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { inferShape, Tensor } from 'onnx-layout';
import { readModel, runModel } from 'onnx-layout/io';
import { run } from 'onnx-layout/operators';
import { init, operators } from 'onnx-layout/postprocess';
import { readCases } from './goldens.js';

const { Resize } = operators;
const arrays = { float32: Float32Array, uint8: Uint8Array, int64: BigInt64Array };

/** A tensor of its record. */
const tensorOf = ({ type, dims, data }) => {
  const { buffer } = Uint8Array.from(Buffer.from(data, 'base64'));
  return { type, dims, data: new arrays[type](buffer) };
};

beforeAll(() => init());

describe('goldens', () => {
  /** onnxruntime sums four products in float32; of bytes, it cuts these sums. */
  const tolerances = { float32: 4e-5, uint8: 1 };
  /** ONNX divides by a fractional extent here; its text, and onnxruntime, by the result's. */
  const fractional = [
    'test_resize_downsample_scales_cubic_align_corners',
    'test_resize_downsample_scales_linear_align_corners',
  ];
  const cases = readCases('resize.json');

  test.each(cases.map((one) => [one.id, one]))('%s', (id, { model, inputs, y }) => {
    const given = Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, tensorOf(value)]));
    const wanted = tensorOf(y);
    const [result] = runModel(readModel(Uint8Array.from(Buffer.from(model, 'base64'))), given, { operators }).values();
    const far = result.data.filter((value, i) => !(Math.abs(value - wanted.data[i]) <= tolerances[y.type]));
    expect([result.type, result.dims]).toEqual([y.type, y.dims]);
    expect(far.length > 0).toBe(fractional.includes(id));
  });

  test('39 node tests and 160 answers are there', () => {
    expect(cases).toHaveLength(199);
    expect(cases.filter(({ id }) => id.startsWith('test_'))).toHaveLength(39);
  });
});

const row = Tensor.from('float32', [1, 2, 3, 4], [1, 4]);
const bytes = Tensor.from('uint8', [0, 255, 1, 2], [4]);

test('numbers of the nearest neighbor keep their bits; bytes are cut, or rounded with antialias', () => {
  const special = Tensor.from('float32', [NaN, -0, Infinity], [3]);
  const twice = run(Resize, [special], { scales: [2] });
  expect(twice.toArray()).toEqual([NaN, NaN, -0, -0, Infinity, Infinity]);
  expect(run(Resize, [bytes], { sizes: [2], mode: 'linear' }).toArray()).toEqual([127, 1]);
  expect(run(Resize, [bytes], { sizes: [2], mode: 'linear', antialias: true }).toArray()).toEqual([96, 33]);
});

test('the region that leaves the axis is the given number; axes count from the back; empty lists are none', () => {
  const cut = { coordinate_transformation_mode: 'tf_crop_and_resize', extrapolation_value: 9 };
  expect(run(Resize, [row, [0.5, 1.5]], { axes: [-1], sizes: [3], mode: 'linear', ...cut }).toArray()).toEqual([
    2.5, 4, 9,
  ]);
  expect(run(Resize, [row, [], [], [1, 2]]).toArray()).toEqual([1, 3]);
  expect(run(Resize, [row, [1, 0.5]], { opset: 10 }).toArray()).toEqual([1, 3]);
  expect(run(Resize, [row], { sizes: [1, 0] }).dims).toEqual([1, 0]);
});

describe('inference', () => {
  const X = { type: 'float32', dims: ['N', 3, 4, null] };
  const list = (type, value) => ({ type, dims: [value.length], value });
  test.each([
    [{ scales: list('float32', [1, 1, 2.5, 2]) }, {}, [null, 3, 10, null]],
    [{ sizes: list('int64', ['N', 3, 8, 'W']) }, {}, ['N', 3, 8, 'W']],
    [{ sizes: list('int64', [2, 2]) }, { axes: [1, 2], keep_aspect_ratio_policy: 'not_larger' }, ['N', 2, 2, null]],
    [{ sizes: list('int64', [2, 2]) }, { axes: [2, 3], keep_aspect_ratio_policy: 'not_larger' }, ['N', 3, null, null]],
    [{ scales: { type: 'float32', dims: [4] } }, {}, [null, null, null, null]],
  ])('%# of dims', (inputs, options, dims) => {
    expect(inferShape(Resize, { X, ...inputs }, options)).toEqual({ type: 'float32', dims });
  });

  test('the first version has X and scales', () => {
    const inputs = { X: { type: 'uint8', dims: [2, 3] }, scales: list('float32', [1, 0.5]) };
    expect(inferShape(Resize, inputs, { opset: 10 })).toEqual({ type: 'uint8', dims: [2, 1] });
  });
});

describe('messages', () => {
  const cut = { coordinate_transformation_mode: 'tf_crop_and_resize', sizes: [1, 2] };
  test.each([
    [[Tensor.from('int32', [1])], { sizes: [1] }, TypeError, 'Resize-19: X type must be float32 or uint8, got int32'],
    [[row], {}, TypeError, 'Resize-19: one of scales and sizes must be given, got none'],
    [[row], { sizes: [1, 2], scales: [1, 2] }, TypeError, 'Resize-19: one of scales and sizes must be given, got both'],
    [[row], { sizes: [1] }, RangeError, 'Resize-19: sizes must have 2 entries, got 1'],
    [[row], { sizes: [1, -2] }, RangeError, 'Resize-19: sizes must be at least 0, got -2'],
    [[row], { scales: [1, 0] }, RangeError, 'Resize-19: scales must be finite and above 0, got 0'],
    [[row], { scales: [1, NaN] }, RangeError, 'Resize-19: scales must be finite and above 0, got NaN'],
    [[row], { scales: [1, '2'] }, TypeError, "Resize-19: scales[1] must be a number, got '2'"],
    [[row], { scales: bytes }, TypeError, 'Resize-19: scales type must be float32, got uint8'],
    [[row], { scales: row }, TypeError, 'Resize-19: scales must be 1-D, got rank 2'],
    [[row], { sizes: [2], axes: [2] }, RangeError, 'Resize-19: axes must be in [-2, 1], got [2]'],
    [[row], { scales: [1, 1e12] }, RangeError, /^Resize-19: outputs must fit in the module's 2 GiB, got extents /],
    [
      [row],
      cut,
      TypeError,
      "Resize-19: roi must be given where coordinate_transformation_mode is 'tf_crop_and_resize'",
    ],
    [[row], { ...cut, roi: [0, 1] }, RangeError, 'Resize-19: roi must have 4 entries, got 2'],
    [
      [Tensor.from('float32', [], [0, 4])],
      { sizes: [1, 4] },
      RangeError,
      'Resize-19: X must have elements to resize, got dims[0] = 0',
    ],
    [
      [row],
      { scales: [1, 2], opset: 11, antialias: true },
      TypeError,
      'Resize-11: antialias needs opset 18, got opset 11',
    ],
    [
      [row],
      { scales: [1, 2], opset: 10, mode: 'cubic' },
      RangeError,
      "Resize-10: mode must be 'nearest' or 'linear', got 'cubic'",
    ],
  ])('%#', (inputs, options, Class, message) => {
    const refused = () => run(Resize, [...inputs], options);
    expect(refused).toThrow(Class);
    expect(refused).toThrow(message instanceof RegExp ? message : new Class(message));
  });
});
