/** ONNX's operators of the door: onnxruntime's answers, inference, whole messages. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { inferShape, Tensor } from 'onnx-layout';
import { readModel, runModel } from 'onnx-layout/io';
import { run } from 'onnx-layout/operators';
import { init, operators } from 'onnx-layout/postprocess';
import { readCases, recordOf } from './goldens.js';
import { make } from './recipes.js';

const cases = readCases('operators.json');
const floats = (dims, values = new Array(dims.reduce((a, b) => a * b, 1)).fill(0)) =>
  Tensor.from('float32', values, dims);

beforeAll(() => init());

test.each(cases.map((one) => [one.id, one]))('%s', (_, { model, outputs, expect: expected }) => {
  const inputs = Object.fromEntries(Object.entries(outputs).map(([name, recipe]) => [name, make(recipe)]));
  const results = runModel(readModel(Uint8Array.from(Buffer.from(model, 'base64'))), inputs, { operators });
  expect(recordOf(Object.fromEntries(results), expected)).toEqual(expected);
});

test('all 32 cases are there, of each operator but Resize', () => {
  expect(cases).toHaveLength(32);
  const others = Object.keys(operators).filter((name) => name !== 'Resize');
  expect([...new Set(cases.map(({ operator }) => operator))].sort()).toEqual(others.sort());
});

describe('inference', () => {
  const X = { type: 'float32', dims: ['N', 4, 5] };
  test.each([
    ['Softmax', { input: X }, {}, X],
    ['Sigmoid', { X }, {}, X],
    ['ArgMax', { data: X }, { axis: 1 }, { type: 'int64', dims: ['N', 1, 5] }],
    ['ArgMin', { data: X }, { axis: -1, keepdims: false }, { type: 'int64', dims: ['N', 4] }],
    [
      'TopK',
      { X, K: { type: 'int64', dims: [1], value: [2] } },
      {},
      [
        { type: 'float32', dims: ['N', 4, 2] },
        { type: 'int64', dims: ['N', 4, 2] },
      ],
    ],
  ])('of %s', (name, inputs, options, wanted) => {
    expect(inferShape(operators[name], inputs, options)).toEqual(wanted);
  });
});

describe('calls', () => {
  const boxes = floats([1, 2, 4]);
  test.each([
    ['Softmax', [Tensor.from('int32', [1])], {}, TypeError, 'Softmax-13: input type must be float32, got int32'],
    ['Softmax', [floats([2, 3])], { axis: 2 }, RangeError, 'Softmax-13: axis must be in [-2, 1], got 2'],
    [
      'ArgMax',
      [floats([2, 0])],
      { axis: 1 },
      RangeError,
      'ArgMax-13: data must have elements along the axis, got none',
    ],
    [
      'ArgMax',
      [Tensor.from('int32', [1])],
      {},
      TypeError,
      'ArgMax-13: data type must be one of float32, float16, uint8, int8, uint16, int16, got int32',
    ],
    [
      'TopK',
      [Tensor.from('uint8', [1]), 1],
      { opset: 10 },
      TypeError,
      'TopK-10: type uint8 needs opset 11, got opset 10',
    ],
    ['TopK', [floats([3]), 4], {}, RangeError, 'TopK-24: K must be in [0, 3], got 4'],
    ['TopK', [floats([3])], {}, TypeError, 'TopK-24: K must be given'],
    [
      'NonMaxSuppression',
      [floats([2, 4]), floats([1, 1, 2])],
      {},
      RangeError,
      'NonMaxSuppression-11: boxes must have dims [batch, boxes, 4], got [2, 4]',
    ],
    [
      'NonMaxSuppression',
      [boxes, floats([1, 1, 3])],
      {},
      RangeError,
      'NonMaxSuppression-11: scores must have dims [1, classes, 2], got [1, 1, 3]',
    ],
  ])('%s refuses %#', (name, inputs, options, Class, message) => {
    expect(() => run(operators[name], inputs, options)).toThrow(new Class(message));
  });

  test('empty tensors and scalars', () => {
    expect(run(operators.Softmax, [floats([2, 0])]).dims).toEqual([2, 0]);
    expect(run(operators.Softmax, [floats([], [3])]).data[0]).toBe(1);
    expect(run(operators.TopK, [floats([2, 3]), 0]).map(({ dims }) => dims)).toEqual([
      [2, 0],
      [2, 0],
    ]);
    expect(run(operators.NonMaxSuppression, [boxes, floats([1, 1, 2])]).dims).toEqual([0, 3]);
  });

  test('equal numbers: the first one, or the last; TopK keeps their order, along inner axes too', () => {
    const x = floats([2, 3], [5, 1, 5, 5, 5, 2]);
    expect(run(operators.ArgMax, [x], { axis: 1, keepdims: false }).toArray()).toEqual([0n, 0n]);
    expect(run(operators.ArgMax, [x], { axis: 1, keepdims: false, select_last_index: true }).toArray()).toEqual([
      2n,
      1n,
    ]);
    expect(run(operators.TopK, [x, 2])[1].toArray()).toEqual([0n, 2n, 0n, 1n]);
    const [values, indices] = run(operators.TopK, [x, 1], { axis: 0, largest: false });
    expect([values.toArray(), indices.toArray()]).toEqual([
      [5, 1, 2],
      [0n, 0n, 1n],
    ]);
  });

  test('small integers and float16 keep their order and their type', () => {
    for (const [type, values] of [
      ['uint8', [3, 255, 0, 255]],
      ['int8', [3, -1, -128, 127]],
      ['uint16', [3, 65535, 65534, 0]],
      ['int16', [-32768, 32767, 32766, 0]],
    ]) {
      const x = Tensor.from(type, values, [4]);
      const most = Math.max(...values);
      expect(run(operators.ArgMax, [x]).toArray()).toEqual([BigInt(values.indexOf(most))]);
      expect(run(operators.ArgMin, [x]).toArray()).toEqual([BigInt(values.indexOf(Math.min(...values)))]);
      const [best, places] = run(operators.TopK, [x, 4]);
      expect([best.type, best.toArray()]).toEqual([type, [...values].sort((a, b) => b - a)]);
      expect(places.toArray().map((place) => values[Number(place)])).toEqual(best.toArray());
    }
    const halves = Tensor.from('float16', [0.5, -2, 0.5009765625, 0.5], [4]);
    expect(run(operators.ArgMax, [halves]).toArray()).toEqual([2n]);
    expect(run(operators.ArgMin, [halves]).toArray()).toEqual([1n]);
  });

  test('K of TopK-1 is an attribute', () => {
    expect(run(operators.TopK, [floats([3], [1, 3, 2])], { k: 1, opset: 9 })[1].toArray()).toEqual([1n]);
  });
});
