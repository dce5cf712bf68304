/** ONNX's operators of the door: onnxruntime's answers, inference, whole messages. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { inferShape, Tensor } from 'onnx-layout';
import { readModel, runModel } from 'onnx-layout/io';
import { run } from 'onnx-layout/operators';
import { init, operators } from 'onnx-layout/postprocess';
import { readCases, recordOf } from './goldens.js';
import { make, uniform } from './recipes.js';

const cases = readCases('operators.json');
const floats = (dims, values = new Array(dims.reduce((a, b) => a * b, 1)).fill(0)) =>
  Tensor.from('float32', values, dims);

const floatTypes = ['float32', 'float16', 'float64', 'bfloat16'];
const numberTypes = [...floatTypes, 'uint8', 'int8', 'uint16', 'int16', 'uint32', 'int32', 'uint64', 'int64'];

/** Values of whole numbers that no narrower type tells apart. */
const extremes = {
  uint8: [0, 1, 254, 255],
  int8: [-128, -1, 0, 127],
  uint16: [0, 65534, 65535],
  int16: [-32768, -1, 32766, 32767],
  uint32: [0, 2 ** 32 - 2, 2 ** 32 - 1],
  int32: [-(2 ** 31), 2 ** 31 - 2, 2 ** 31 - 1],
  uint64: [0n, 2n ** 64n - 2n, 2n ** 64n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 2n, 2n ** 63n - 1n],
};

/** The rows along an axis, and the dims. */
function rowsAlong(x, axis) {
  const { dims } = x;
  const values = x.toArray();
  const product = (list) => list.reduce((a, b) => a * b, 1);
  const inner = product(dims.slice(axis + 1));
  const rows = Array.from({ length: product(dims) / dims[axis] }, (_, row) =>
    Array.from(
      { length: dims[axis] },
      (__, i) => values[(Math.floor(row / inner) * dims[axis] + i) * inner + (row % inner)],
    ),
  );
  return { rows, dims };
}

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
    [
      'Softmax',
      [Tensor.from('int32', [1])],
      {},
      TypeError,
      'Softmax-13: input type must be one of float32, float16, float64, bfloat16, got int32',
    ],
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
      [Tensor.from('bool', [1])],
      {},
      TypeError,
      `ArgMax-13: data type must be one of ${numberTypes.join(', ')}, got bool`,
    ],
    [
      'ArgMin',
      [Tensor.from('bfloat16', [1])],
      { opset: 12 },
      TypeError,
      'ArgMin-12: type bfloat16 needs opset 13, got opset 12',
    ],
    [
      'Sigmoid',
      [Tensor.from('bfloat16', [1])],
      { opset: 12 },
      TypeError,
      'Sigmoid-6: type bfloat16 needs opset 13, got opset 12',
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

  test.each(numberTypes)('ArgMax, ArgMin and TopK of %s, with ties, along each axis', (type) => {
    const values = extremes[type] ?? [-2, 0.5, 0.5009765625, 64, -0.25];
    for (let seed = 0; seed < 20; seed++) {
      const at = (i) => values[Math.floor(uniform(seed, i) * values.length)];
      const x = Tensor.from(
        type,
        Array.from({ length: 30 }, (_, i) => at(i)),
        [2, 5, 3],
      );
      const axis = seed % 3;
      const { rows, dims } = rowsAlong(x, axis);
      const options = { axis, keepdims: false };
      const most = rows.map((row) => BigInt(row.findIndex((value) => row.every((other) => other <= value))));
      const least = rows.map((row) => BigInt(row.findLastIndex((value) => row.every((other) => other >= value))));
      expect(run(operators.ArgMax, [x], options).toArray()).toEqual(most);
      expect(run(operators.ArgMin, [x], { ...options, select_last_index: true }).toArray()).toEqual(least);
      const [best, places] = run(operators.TopK, [x, 2], { axis });
      const order = rows.map((row) =>
        [...row.keys()].sort((a, b) => Number(row[a] < row[b]) - Number(row[a] > row[b]) || a - b).slice(0, 2),
      );
      expect(best.type).toBe(type);
      expect(best.dims).toEqual(dims.with(axis, 2));
      expect(rowsAlong(places, axis).rows).toEqual(order.map((list) => list.map(BigInt)));
      expect(rowsAlong(best, axis).rows).toEqual(order.map((list, i) => list.map((place) => rows[i][place])));
    }
  });

  test.each([
    ['float64', 1e-14],
    ['float16', 2 ** -11],
    ['bfloat16', 2 ** -8],
  ])('Softmax, LogSoftmax and Sigmoid of %s', (type, error) => {
    for (let seed = 0; seed < 20; seed++) {
      const values = Array.from({ length: 24 }, (_, i) => 8 * uniform(seed, i) - 4);
      const x = Tensor.from(type, values, [2, 3, 4]);
      const axis = seed % 3;
      const expectNear = (result, wanted) => {
        expect([result.type, result.dims]).toEqual([type, x.dims]);
        const values_ = rowsAlong(result, axis).rows.flat();
        const isFar = (value, i) => !(Math.abs(values_[i] - value) <= error * Math.abs(value) + 1e-14);
        expect(wanted.flat().filter(isFar)).toEqual([]);
      };
      const { rows } = rowsAlong(x, axis);
      const sums = rows.map((row) => row.reduce((sum, value) => sum + Math.exp(value), 0));
      expectNear(
        run(operators.Softmax, [x], { axis }),
        rows.map((row, i) => row.map((value) => Math.exp(value) / sums[i])),
      );
      expectNear(
        run(operators.LogSoftmax, [x], { axis }),
        rows.map((row, i) => row.map((value) => value - Math.log(sums[i]))),
      );
      expectNear(
        run(operators.Sigmoid, [x]),
        rows.map((row) => row.map((value) => 1 / (1 + Math.exp(-value)))),
      );
    }
  });

  test('numbers far out: float64 does not overflow, codes round to nearest even and keep NaN', () => {
    const x = Tensor.from('float64', [1000, 999, NaN, -800], [2, 2]);
    const [a, b, ...others] = run(operators.Softmax, [x]).toArray();
    expect([Math.abs(a - 0.7310585786300049) < 1e-15, Math.abs(b - 0.2689414213699951) < 1e-15]).toEqual([true, true]);
    expect(others).toEqual([NaN, NaN]);
    expect(run(operators.Sigmoid, [Tensor.from('float64', [-800, 800, NaN])]).toArray()).toEqual([0, 1, NaN]);
    expect(run(operators.ArgMax, [Tensor.from('float64', [1, NaN, 2])]).toArray()).toEqual([1n]);
    for (const [type, least] of [
      ['float16', -17],
      ['bfloat16', -60],
    ]) {
      const codes = Tensor.from(type, [NaN, least, 0, Infinity], [4]);
      const exact = Tensor.from(type, [NaN, 1 / (1 + Math.exp(-least)), 0.5, 1], [4]);
      expect(run(operators.Sigmoid, [codes])).toEqual(exact);
    }
  });

  test('K of TopK-1 is an attribute', () => {
    expect(run(operators.TopK, [floats([3], [1, 3, 2])], { k: 1, opset: 9 })[1].toArray()).toEqual([1n]);
  });
});
