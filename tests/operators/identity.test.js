/** Identity: the same dims over the same data. Needs no init(). The type lists are in versions.test.js. */
import { describe, expect, test } from '@jest/globals';
import { identity, inferShape, schemas, Tensor } from 'onnx-layout';
import { runModel } from 'onnx-layout/io';
import { elementCount, typeNames } from '../support/reference.js';
import { randomData } from '../support/samples.js';
import { expectError, expectTensor } from '../support/assertions.js';

const shapes = [[], [0], [1], [3], [2, 0, 3], [7, 5], [1, 1, 1, 1, 1, 1, 1, 9]];

describe.each(typeNames)('%s', (type) => {
  test.each(shapes.map((dims) => [dims]))('%j', (dims) => {
    const data = randomData(type, elementCount(dims), 1);
    const copy = data.slice();
    const result = identity({ type, data, dims }, { strict: false });
    expectTensor(result, type, dims, copy);
    expect(result.data).toBe(data);
    expect(result.dims).not.toBe(dims);
    expect(inferShape('Identity', { input: { type, dims } }, { strict: false })).toStrictEqual({ type, dims });
  });
});

test('takes a name of ONNX and gives its own', () => {
  expect(identity({ type: 'double', data: new Float64Array(2), dims: [2n] })).toStrictEqual(
    new Tensor('float64', new Float64Array(2), [2]),
  );
});

test('infers symbols and unknown extents as they are', () => {
  for (const dims of [['N', null, 3], [], null])
    expect(inferShape('Identity', { input: { type: 'int4', dims } }).dims).toEqual(dims);
});

test.each(schemas.Identity.map(({ since }) => since))(
  'Identity-%i in a model, of a tensor and of a sequence',
  (opset) => {
    const x = new Tensor('float32', Float32Array.of(1, 2, 3), [3]);
    const nodes = [
      { name: '', operator: 'Identity', domain: '', inputs: ['x'], outputs: ['y'], attributes: new Map() },
    ];
    const run = (sequence, value) =>
      runModel(
        {
          opsets: new Map([['', opset]]),
          initializers: new Map(),
          nodes,
          inputs: [{ name: 'x', type: 'float32', dims: null, sequence }],
          outputs: [{ name: 'y' }],
        },
        { x: value },
      ).get('y');
    expectTensor(run(false, x), 'float32', [3], Float32Array.of(1, 2, 3));
    expect(run(false, x).data).toBe(x.data);
    const pieces = run(true, [x, x]);
    expect([pieces.type, pieces.length]).toEqual(['float32', 2]);
    expectTensor(pieces[1], 'float32', [3], Float32Array.of(1, 2, 3));
  },
);

test('what goes for every operator', () => {
  const x = { type: 'float32', data: new Float32Array(6), dims: [2, 3] };
  expectError(
    () => identity({ ...x, dims: [7] }),
    RangeError,
    'Identity-25: float32 data of dims [7] has 7 entries, got 6',
  );
  expectError(
    () => identity(x, { axis: 1, opset: 14 }),
    TypeError,
    "Identity-14: unknown option 'axis'. Known: opset, strict",
  );
  expectError(() => identity(x, { opset: 0 }), RangeError, 'Identity: opset must be in [1, 28], got 0');
  // Only `true` says that it is a sequence.
  const known = { type: 'float32', dims: [2, 3] };
  expect(inferShape('Identity', { input: { ...known, sequence: 1 } })).toEqual(known);
  expectError(
    () => inferShape('Identity', { input: x }, { axis: 1 }),
    TypeError,
    "Identity-25: unknown option 'axis'. Known: opset, strict",
  );
  expectError(() => inferShape('Identity', { data: x }), TypeError, "Identity-25: unknown input 'data'. Known: input");
});
