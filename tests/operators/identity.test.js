/** Identity: the same dims over the same data. Needs no init(). The type lists are in versions.test.js. */
import { describe, expect, test } from '@jest/globals';
import { identity, inferShape, schemas, Tensor } from 'onnx-layout';
import { runModel } from 'onnx-layout/io';
import { elementCount, typeNames } from '../support/reference.js';
import { randomData } from '../support/samples.js';
import { expectError, expectTensor, expectErrors } from '../support/assertions.js';

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

test('takes a name of ONNX and gives its own', () =>
  expect(identity({ type: 'double', data: new Float64Array(2), dims: [2n] })).toStrictEqual(
    new Tensor('float64', new Float64Array(2), [2]),
  ));

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
    if (opset < 14) {
      const rule = `Identity-${opset}: a sequence needs opset 14, got opset ${opset}`;
      expectError(() => run(true, [x, x]), TypeError, rule);
      expectError(() => identity([x], { opset }), TypeError, rule);
      expectError(() => identity([x], { opset, strict: false }), TypeError, rule);
      const input = { type: 'float32', dims: [3], sequence: true };
      expectError(() => inferShape('Identity', { input }, { opset }), TypeError, rule);
      return;
    }
    const pieces = run(true, [x, x]);
    expect([pieces.type, pieces.length]).toEqual(['float32', 2]);
    expectTensor(pieces[1], 'float32', [3], Float32Array.of(1, 2, 3));
  },
);

describe('a sequence', () => {
  const sequences = typeNames.filter((type) => !/bfloat|float[468]e|int[24]$/.test(type));
  const x = (type) => ({ type, data: randomData(type, 6, 1), dims: [2, 3] });

  test('has the same tensors in an array of its own', () => {
    const given = [x('uint8'), { ...x('uint8'), dims: [6] }];
    const result = identity(given);
    expect([Array.isArray(result), result.type, result.length, result === given]).toEqual([true, 'uint8', 2, false]);
    expect(result.map(({ data }, i) => data === given[i].data)).toEqual([true, true]);
    expectTensor(result[1], 'uint8', [6], given[1].data);
    const empty = identity(Object.assign([], { type: 'double' }));
    expect([empty.type, empty.length]).toEqual(['float64', 0]);
  });

  test.each(typeNames)('of %s', (type) => {
    const input = { type, dims: ['N', 3], sequence: true };
    for (const opset of [14, 16, 19, 25]) {
      if (sequences.includes(type)) {
        expect(identity([x(type)], { opset }).type).toBe(type);
        expect(inferShape('Identity', { input }, { opset })).toEqual(input);
      } else {
        const rule = `Identity-${opset}: sequence of ${type} is in no version, got opset ${opset}`;
        expectError(() => identity([x(type)], { opset }), TypeError, rule);
        expectError(() => identity(Object.assign([], { type }), { opset }), TypeError, rule);
        expectError(() => inferShape('Identity', { input }, { opset }), TypeError, rule);
      }
      expect(identity([x(type)], { opset, strict: false }).type).toBe(type);
      expect(inferShape('Identity', { input }, { opset, strict: false })).toEqual(input);
    }
  });

  test('is refused where its tensors are of two types, or options unknown', () =>
    expectErrors({
      'TypeError: Identity-25: input[1] type must be uint8, as that of the sequence, got int8': () =>
        identity([x('uint8'), x('int8')]),
      'RangeError: Identity-25: uint8 data of dims [7] has 7 bytes, got 6': () =>
        identity([{ ...x('uint8'), dims: [7] }]),
      "TypeError: Identity-25: unknown option 'axis'. Known: opset, strict": () => identity([], { axis: 1 }),
    }));

  test('is known of no other tensor', () => {
    const known = { sequence: true, type: 'float32', dims: [2, 3] };
    const rule = 'must be what is known of a tensor { type, dims }, got what is known of a sequence';
    const tensor = { type: 'float32', dims: [2, 3] };
    for (const [operator, inputs, argument, options] of [
      ['Transpose', { data: known }, 'Transpose-25: data'],
      ['Shape', { data: known }, 'Shape-25: data'],
      ['Cast', { input: known }, 'Cast-28: input', { to: 'uint8' }],
      ['Size', { data: known }, 'Size-25: data'],
      ['Reshape', { data: tensor, shape: { ...known, type: 'int64' } }, 'Reshape-25: shape'],
      ['Where', { condition: { ...tensor, type: 'bool' }, X: tensor, Y: known }, 'Where-16: Y'],
      ['SequenceInsert', { input_sequence: known, tensor: known }, 'SequenceInsert-11: tensor'],
      ['SequenceConstruct', { inputs: [tensor, known] }, 'SequenceConstruct-11: inputs[1]'],
    ])
      expectError(() => inferShape(operator, inputs, options), TypeError, `${argument} ${rule}`);
  });
});

test('what goes for every operator', () => {
  const x = { type: 'float32', data: new Float32Array(6), dims: [2, 3] };
  expectErrors({
    'RangeError: Identity-25: float32 data of dims [7] has 7 entries, got 6': () => identity({ ...x, dims: [7] }),
    "TypeError: Identity-14: unknown option 'axis'. Known: opset, strict": () => identity(x, { axis: 1, opset: 14 }),
    'RangeError: Identity: opset must be in [1, 28], got 0': () => identity(x, { opset: 0 }),
  });
  // Only `true` says that it is a sequence.
  const known = { type: 'float32', dims: [2, 3] };
  expect(inferShape('Identity', { input: { ...known, sequence: 1 } })).toEqual(known);
  expectErrors({
    "TypeError: Identity-25: unknown option 'axis'. Known: opset, strict": () =>
      inferShape('Identity', { input: x }, { axis: 1 }),
    "TypeError: Identity-25: unknown input 'data'. Known: input": () => inferShape('Identity', { data: x }),
  });
});
