/** Whole models to float16: the goldens of tests/goldens/convert, and the rules that they do not show. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { init } from 'onnx-layout';
import { convertModel, convertModelAsync } from 'onnx-layout/convert';
import { readModel, writeTensorProto } from 'onnx-layout/io';
import { extras, halfGoldens, modelAt, modelBefore } from '../support/convert-goldens.js';
import { modelFacts } from '../support/graph-facts.js';
import { hashOf } from '../support/goldens.js';
import { modelOf } from '../support/models.js';

beforeAll(() => init());

/** @type {(file: AsyncIterable<Uint8Array>) => Promise<Uint8Array>} */
async function bytesOfFile(file) {
  const chunks = [];
  for await (const chunk of file) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}

test('there are 102 models', () => expect(halfGoldens.length).toBe(102));

describe.each(halfGoldens)('$name', ({ model: name, keepIo, after, weights, mustHalf }) => {
  const options = { dtype: 'fp16', keepIo };

  test('gives the nodes, weights and types of the golden', () => {
    const { model } = convertModel(modelBefore(name), options);
    expect(modelFacts(model)).toEqual(modelFacts(modelAt(after)));
    const { initializers } = readModel(model);
    for (const weight of mustHalf) expect([weight, initializers.get(weight)?.type]).toEqual([weight, 'float16']);
    for (const [weight, { type, data }] of initializers)
      if (type === 'float16' && weights[weight])
        expect([weight, hashOf(data).slice(0, 16)]).toEqual([weight, weights[weight]]);
  });

  test('is the same from a source, and when it is converted again', async () => {
    const { model, report } = convertModel(modelBefore(name), options);
    const opened = await convertModelAsync(new Blob([modelBefore(name)]), options);
    expect(modelFacts(await bytesOfFile(opened.model))).toEqual(modelFacts(model));
    expect(opened.report).toEqual(report);
    if (keepIo === true) expect(Buffer.from(convertModel(model, options).model).equals(model)).toBe(true);
  });
});

test.each(extras.filter(({ options }) => options.dtype === 'fp16'))(
  '$model with $options',
  ({ model, options, after }) =>
    expect(modelFacts(convertModel(modelBefore(model), options).model)).toEqual(modelFacts(modelAt(after))),
);

test('the report has a row for each weight, and for each node that stays float32', () => {
  const { report } = convertModel(modelBefore('bert'), { dtype: 'fp16' });
  const weights = report.filter(({ value }) => value);
  expect(weights.every(({ from, to }) => from === 'float32' && to === 'float16')).toBe(true);
  expect(report.filter(({ node }) => node).every(({ reason }) => typeof reason === 'string')).toBe(true);
  expect(weights.length).toBeGreaterThan(0);
});

const big = { type: 'float32', dims: [4], data: Float32Array.of(1e5, -1e6, 1e-9, Infinity) };

test('weights beyond float16 are clipped, tiny ones are raised', () => {
  const file = modelOf({
    nodes: [{ operator: 'Add', inputs: ['x', 'w'], outputs: ['y'] }],
    inputs: { x: ['float32', [4]] },
    outputs: { y: ['float32', [4]] },
    initializers: { w: big },
    opset: 17,
  });
  const { model, report } = convertModel(file, { dtype: 'fp16', keepIo: false });
  expect(report).toEqual([{ value: 'w', from: 'float32', to: 'float16', clipped: 2, raised: 1 }]);
  expect([...readModel(model).initializers.get('w').data]).toEqual([0x7bff, 0xfbff, 1, 0x7c00]);
});

test.each([2, 300])('a weight of %i numbers that is a float16 output has a Cast for nodes of float32', (size) => {
  const file = modelOf({
    nodes: [
      { operator: 'Add', inputs: ['x', 'w'], outputs: ['y'] },
      { operator: 'ReduceSum', inputs: ['w'], outputs: ['sum'] },
    ],
    inputs: { x: ['float32', [size]] },
    outputs: { y: ['float32', [size]], w: ['float32', [size]], sum: ['float32', [1]] },
    initializers: { w: { type: 'float32', dims: [size], data: new Float32Array(size).fill(2) } },
    opset: 17,
  });
  const { graph } = modelFacts(convertModel(file, { dtype: 'fp16', keepIo: false }).model);
  const inputs = graph.nodes.map((node) => [node.operator, ...node.inputs]);
  expect(inputs).toEqual([
    ['Cast', 'w'],
    ['Add', 'x', 'w'],
    ['ReduceSum', 'w_fp32'],
    ['Cast', 'sum_fp32'],
  ]);
  expect(graph.initializers.map(([name, type]) => [name, type])).toEqual([['w', 'float16']]);
});

const lowest = -3.4028234663852886e38;

test.each([
  ['value', { tensor: writeTensorProto({ type: 'float32', dims: [1], data: Float32Array.of(lowest) }) }],
  ['value_float', { float: lowest }],
  ['value_floats', Float32Array.of(lowest)],
])('a float32 mask whose Constant states it by %s is clipped before its Cast', (key, number) => {
  const nodes = [
    { operator: 'Cast', inputs: ['i'], outputs: ['hidden'], attributes: { to: 1 } },
    { operator: 'Constant', inputs: [], outputs: ['low'], attributes: { [key]: number } },
    { operator: 'Mul', inputs: ['hidden', 'low'], outputs: ['mask'] },
    { operator: 'Add', inputs: ['x', 'mask'], outputs: ['y'] },
  ];
  const inputs = { i: ['int64', [4]], x: ['float32', [4]] };
  const file = modelOf({ nodes, inputs, outputs: { y: ['float32', [4]] } });
  const { nodes: after } = readModel(convertModel(file, { dtype: 'fp16', keepIo: false }).model);
  const clips = after.filter(({ operator }) => operator === 'Clip');
  expect(clips.map(({ inputs: [source] }) => source)).toEqual(['mask']);
});
