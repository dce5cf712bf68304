/** Shape and Size: what they count, and what inference knows of it. Neither needs init(). */
import { describe, expect, test } from '@jest/globals';
import { inferShape, shape, size } from 'onnx-layout';
import { runModel } from 'onnx-layout/io';
import { elementCount, typeNames } from '../support/reference.js';
import { randomData } from '../support/samples.js';
import { expectError, expectTensor } from '../support/assertions.js';

const big = (values) => BigInt64Array.from(values, BigInt);
const cube = { type: 'uint8', data: new Uint8Array(24), dims: [2, 3, 4] };

test.each(typeNames)('%s', (type) => {
  for (const dims of [[], [0], [3], [2, 0, 3], [7, 5], [1, 1, 1, 1, 1, 1, 1, 9]]) {
    const x = { type, data: randomData(type, elementCount(dims), 1), dims };
    expectTensor(shape(x, { strict: false }), 'int64', [dims.length], big(dims));
    expectTensor(size(x, { strict: false }), 'int64', [], big([elementCount(dims)]));
  }
});

describe('start and end', () => {
  const least = -(2n ** 63n);
  const most = 2n ** 63n - 1n;
  test.each([
    [{}, [2, 3, 4]],
    [{ start: 1 }, [3, 4]],
    [{ start: -1n }, [4]],
    [{ end: 1 }, [2]],
    [{ end: -1 }, [2, 3]],
    [{ start: 1, end: 2 }, [3]],
    [{ start: 1, end: -1 }, [3]],
    [{ start: 2, end: 1 }, []],
    [{ start: -9, end: 9 }, [2, 3, 4]],
    [{ start: least, end: most }, [2, 3, 4]],
    [{ start: most, end: least }, []],
    [{ start: 3 }, []],
    [{ end: 0 }, []],
  ])('%p', (options, expected) => {
    for (const opset of [15, 19, 28]) {
      expectTensor(shape(cube, { ...options, opset }), 'int64', [expected.length], big(expected));
      const inferred = inferShape('Shape', { data: cube }, { ...options, opset });
      expect(inferred).toStrictEqual({ type: 'int64', dims: [expected.length], value: expected });
    }
  });

  test('need opset 15', () => {
    for (const [opset, since] of [
      [1, 1],
      [14, 13],
    ])
      for (const name of ['start', 'end'])
        expectError(
          () => shape(cube, { [name]: 0, opset }),
          TypeError,
          `Shape-${since}: ${name} needs opset 15, got opset ${opset}`,
        );
  });
});

test('extents beyond 2^32', () => {
  const x = { type: 'uint8', data: new Uint8Array(0), dims: [0, 2 ** 53 - 1, 2 ** 40] };
  expectTensor(shape(x), 'int64', [3], big([0, 2 ** 53 - 1, 2 ** 40]));
  expectTensor(size(x), 'int64', [], big([0]));
  const message = `Size-25: uint8 data of dims [1099511627776, 1099511627776] has ${2n ** 80n} bytes, got 0`;
  expectError(() => size({ ...x, dims: [2 ** 40, 2 ** 40] }), RangeError, message);
});

test('refuse', () => {
  const short = { ...cube, dims: [5, 5] };
  expectError(() => shape(short), RangeError, 'Shape-25: uint8 data of dims [5, 5] has 25 bytes, got 24');
  expectError(() => size(short), RangeError, 'Size-25: uint8 data of dims [5, 5] has 25 bytes, got 24');
  expectError(() => shape(cube, { start: '0' }), TypeError, "Shape-25: start must be a number or a bigint, got '0'");
  expectError(() => shape(cube, { end: 0.5 }), RangeError, 'Shape-25: end must be a whole number, got 0.5');
  const message = "Shape-25: unknown option 'out'. Known: start, end, opset, strict";
  expectError(() => shape(cube, { out: cube }), TypeError, message);
  expectError(() => size(cube, { start: 0 }), TypeError, "Size-25: unknown option 'start'. Known: opset, strict");
  expectError(() => size([cube]), TypeError, 'Size-25: data must be a tensor { type, dims, data }, got Array');
});

describe('inference', () => {
  test('of Shape carries symbols', () => {
    const infer = (dims, options) => inferShape('Shape', { data: { type: 'string', dims } }, options);
    expect(infer(['N', null, 3])).toStrictEqual({ type: 'int64', dims: [3], value: ['N', null, 3] });
    expect(infer(['N', null, 3], { start: 1 })).toStrictEqual({ type: 'int64', dims: [2], value: [null, 3] });
    expect(infer([])).toStrictEqual({ type: 'int64', dims: [0], value: [] });
    expect(infer(null)).toStrictEqual({ type: 'int64', dims: [null] });
    expect(infer(['N'], { opset: 1 })).toStrictEqual({ type: 'int64', dims: [1], value: ['N'] });
  });

  test('of Size multiplies what is known', () => {
    const infer = (dims) => inferShape('Size', { data: { type: 'string', dims } });
    expect(infer([2, 3])).toStrictEqual({ type: 'int64', dims: [], value: 6 });
    expect(infer([1, 'N'])).toStrictEqual({ type: 'int64', dims: [], value: 'N' });
    expect(infer([2, 'N'])).toStrictEqual({ type: 'int64', dims: [] });
    expect(infer([])).toStrictEqual({ type: 'int64', dims: [], value: 1 });
    expect(infer(null)).toStrictEqual({ type: 'int64', dims: [] });
  });

  test('carries a shape through Shape and Gather to Reshape', () => {
    const known = inferShape('Shape', { data: { type: 'float32', dims: ['N', 3, 4] } });
    const indices = { type: 'int64', dims: [2], value: [0, 2] };
    const target = inferShape('Gather', { data: known, indices });
    expect(target).toStrictEqual({ type: 'int64', dims: [2], value: ['N', 4] });
    const data = { type: 'int8', dims: null };
    expect(inferShape('Reshape', { data, shape: target })).toStrictEqual({ type: 'int8', dims: ['N', 4] });
  });
});

test('in a model', () => {
  const node = (operator, output, attributes) => ({
    name: '',
    operator,
    domain: '',
    inputs: ['x'],
    outputs: [output],
    attributes: new Map(attributes),
  });
  const model = {
    opsets: new Map([['', 15]]),
    initializers: new Map(),
    nodes: [node('Shape', 'shape', [['start', -2]]), node('Size', 'size', [])],
    inputs: [{ name: 'x', type: 'uint8', dims: null, sequence: false }],
    outputs: [{ name: 'shape' }, { name: 'size' }],
  };
  const results = runModel(model, { x: cube });
  expectTensor(results.get('shape'), 'int64', [2], big([3, 4]));
  expectTensor(results.get('size'), 'int64', [], big([24]));
});
