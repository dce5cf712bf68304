/** GatherND: slices of every type, batches, and what is refused. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Tensor, gatherND, inferShape, init } from 'onnx-layout';
import { runModel } from 'onnx-layout/io';
import { elementCount, fromCodes, toCodes, typeNames } from '../../support/reference.js';
import { below, generator, offsetsOf, randomData } from '../../support/samples.js';
import { expectError, expectTensor } from '../../support/assertions.js';
import * as reference from './indexing.reference.js';

beforeAll(() => init());

const int64 = (values, dims = [values.length]) => new Tensor('int64', BigInt64Array.from(values, BigInt), dims);
const cube = new Tensor(
  'uint8',
  Uint8Array.from({ length: 8 }, (_, i) => i),
  [2, 2, 2],
);

test.each(typeNames)('%s: seeded shapes, batches and tuples', (type) => {
  const random = generator(13);
  const offsets = type === 'string' ? [0] : offsetsOf(type);
  for (let round = 0; round < 150; round++) {
    const rank = 1 + below(random, 5);
    const dims = Array.from({ length: rank }, () => [1, 2, 3, 5, 8][below(random, 5)]);
    const batches = below(random, Math.min(rank, 3));
    const length = 1 + below(random, rank - batches);
    const free = Array.from({ length: below(random, 3) }, () => below(random, 4));
    const indexDims = [...dims.slice(0, batches), ...free, length];
    const indices = Array.from({ length: elementCount(indexDims) }, (_, i) => {
      const extent = dims[batches + (i % length)];
      return below(random, 2 * extent) - extent;
    });
    const data = randomData(type, elementCount(dims), round, offsets[round % offsets.length]);
    const codes = toCodes(type, data, elementCount(dims));
    const [result, expected] = reference.gatherND(codes, dims, indices, indexDims, batches);
    const what = `${type} [${dims}] by [${indexDims}], ${batches} batch axes`;
    const options = { ...(batches > 0 && { batch_dims: batches }), strict: false };
    const chosen = int64(indices, indexDims);
    expectTensor(gatherND({ type, data, dims }, chosen, options), type, result, fromCodes(type, expected), what);
    const out = { type, data: randomData(type, elementCount(result), round, offsets.at(-1)), dims: result };
    const into = gatherND({ type, data, dims }, chosen, { ...options, out });
    expectTensor(into, type, result, fromCodes(type, expected), `${what} into out`);
    expect(into.data).toBe(out.data);
  }
});

test('a list is one tuple', () => {
  for (const opset of [11, 12, 13]) {
    expectTensor(gatherND(cube, [1], { opset }), 'uint8', [2, 2], Uint8Array.of(4, 5, 6, 7));
    expectTensor(gatherND(cube, [1, -2n, 1], { opset }), 'uint8', [], Uint8Array.of(5));
  }
});

describe('refuses', () => {
  test.each([
    [cube, int64([0, 0, 0, 2], [2, 2]), {}, 'indices must be in [-2, 1], got 2 at 3'],
    [cube, int64([0, -3], [1, 2]), {}, 'indices must be in [-2, 1], got -3 at 1'],
    [cube, int64([2n ** 40n], [1]), {}, 'indices must be in [-2, 1], got 1099511627776 at 0'],
    [cube, int64([], [3, 0]), {}, 'indices must hold tuples of 1 to 3 indices, got 0'],
    [cube, [], {}, 'indices must hold tuples of 1 to 3 indices, got 0'],
    [cube, [0, 0, 0, 0], {}, 'indices must hold tuples of 1 to 3 indices, got 4'],
    [cube, int64([0, 0, 0, 0, 0, 0], [2, 3]), { batch_dims: 1 }, 'indices must hold tuples of 1 to 2 indices, got 3'],
    [cube, int64([0, 0, 0, 0], [4, 1]), { batch_dims: 1 }, 'indices dims must begin with those of data [2], got [4]'],
    [cube, int64([0], [1]), { batch_dims: 1 }, 'batch_dims must be in [0, 0], got 1'],
    [cube, int64([0], [1]), { batch_dims: -1 }, 'batch_dims must be at least 0, got -1'],
    [cube, 0, {}, 'indices must have at least one axis, got a scalar'],
    [{ ...cube, data: new Uint8Array(1), dims: [] }, [0], {}, 'data must have at least one axis, got a scalar'],
  ])('%# %p %p %p', (data, indices, options, message) => {
    for (const [opset, since] of [
      [12, 12],
      [28, 13],
    ])
      expectError(() => gatherND(data, indices, { ...options, opset }), RangeError, `GatherND-${since}: ${message}`);
  });

  test('int32 indices, batch_dims below opset 12, a bad index before anything is written', () => {
    expectError(
      () => gatherND(cube, new Tensor('int32', Int32Array.of(0), [1])),
      TypeError,
      'GatherND-13: indices must be int64, got int32',
    );
    expectError(
      () => gatherND(cube, [0], { batch_dims: 0, opset: 11 }),
      TypeError,
      'GatherND-11: batch_dims needs opset 12, got opset 11',
    );
    expectError(
      () => gatherND(cube, '0'),
      TypeError,
      "GatherND-13: indices must be a number, a list of whole numbers or an int64 tensor, got '0'",
    );
    const out = { type: 'uint8', data: Uint8Array.of(9, 9), dims: [2] };
    expect(() => gatherND(cube, int64([0, 0, 0, 0, 0, 2], [2, 3]), { out })).toThrow(RangeError);
    expect([...out.data]).toEqual([9, 9]);
  });
});

test('infers dims, and no rank where the length of the tuples is open', () => {
  const infer = (dims, indexDims, options) =>
    inferShape('GatherND', { data: { type: 'int8', dims }, indices: { type: 'int64', dims: indexDims } }, options);
  expect(infer(['N', 3, 'M'], ['B', 'Q', 1], { batch_dims: 1 })).toStrictEqual({ type: 'int8', dims: ['B', 'Q', 'M'] });
  expect(infer(['N', 3, 'M'], ['B', 'K']).dims).toBe(null);
  expect(infer(null, ['B', 2]).dims).toBe(null);
  expect(infer(['N'], null).dims).toBe(null);
  expect(infer(['N', 3], [2]).dims).toEqual([]);
  expectError(() => infer(['N', 3], [3]), RangeError, 'GatherND-13: indices must hold tuples of 1 to 2 indices, got 3');
  expectError(
    () => infer([2, 3], [4, 1], { batch_dims: 1 }),
    RangeError,
    'GatherND-13: indices dims must begin with those of data [2], got [4]',
  );
});

test('in a model', () => {
  const attributes = new Map([['batch_dims', 1]]);
  const model = {
    opsets: new Map([['', 12]]),
    initializers: new Map([['i', int64([1, 0], [2, 1])]]),
    nodes: [{ name: '', operator: 'GatherND', domain: '', inputs: ['x', 'i'], outputs: ['y'], attributes }],
    inputs: [{ name: 'x', type: 'uint8', dims: null, sequence: false }],
    outputs: [{ name: 'y' }],
  };
  expectTensor(runModel(model, { x: cube }).get('y'), 'uint8', [2, 2], Uint8Array.of(2, 3, 4, 5));
});
