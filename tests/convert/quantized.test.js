/** Whole models to 8, 4 and 2 bits: onnxruntime's nodes, names and bytes, in any valid order. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { init } from 'onnx-layout';
import { convertModel, convertModelAsync } from 'onnx-layout/convert';
import { readModel, writeTensorProto } from 'onnx-layout/io';
import {
  bnb4Goldens,
  combinedGoldens,
  eightBitGoldens,
  extras,
  modelAt,
  modelBefore,
} from '../support/convert-goldens.js';
import { modelFacts } from '../support/graph-facts.js';
import { modelOf } from '../support/models.js';

beforeAll(() => init());

/** The tool's order is another topological one. */
function sortedFacts(model) {
  const { graph } = modelFacts(model);
  const text = (node) => JSON.stringify(node);
  return { ...graph, values: [], nodes: graph.nodes.toSorted((a, b) => (text(a) < text(b) ? -1 : 1)) };
}

async function bytesOfFile(file) {
  const chunks = [];
  for await (const chunk of file) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}

/** The operators that are quantized, but for those that a golden chooses. */
const operators = ['Conv', 'MatMul', 'Attention', 'LSTM', 'Gather', 'Transpose', 'EmbedLayerNormalization'];

/** Names of the model whose nodes stay float32. */
function stays({ model, ops, exclude = [] }) {
  const { nodes } = readModel(modelBefore(model));
  const names = new Set(nodes.flatMap(({ name, operator }) => [name, operator]));
  const others = ops ? operators.filter((operator) => !ops.includes(operator)) : [];
  return [...exclude, ...others].filter((name) => names.has(name));
}

test('there are 74 models of 8 bits and 15 of bnb4', () =>
  expect([eightBitGoldens.length, bnb4Goldens.length]).toEqual([74, 15]));

const cases = [
  ...eightBitGoldens.map((row) => {
    const { name, model, weights, perChannel, reduceRange, subgraphs, after } = row;
    const options = { dtype: weights, perChannel, reduceRange, subgraphs, float32: stays(row) };
    return { name: `8 bits ${name}`, model, options, after };
  }),
  ...bnb4Goldens.map(({ name, model, kind, block, after }) => {
    return { name: `bnb4 ${name}`, model, options: { dtype: 'bnb4', bnb4: kind, blockSize: block }, after };
  }),
  ...combinedGoldens.map(({ name, model, bits, block, symmetric, after }) => {
    return { name, model, options: { dtype: `q${bits}f16`, blockSize: block, symmetric }, after };
  }),
  ...extras
    .filter(({ options }) => options.dtype && options.dtype !== 'fp16')
    .map((row) => ({ ...row, name: `${row.options.dtype} ${row.model}` })),
];

describe.each(cases)('$name', ({ model: name, options, after }) => {
  test('gives the nodes and initializers of the golden', () => {
    const { model } = convertModel(modelBefore(name), options);
    expect(sortedFacts(model)).toEqual(sortedFacts(modelAt(after)));
  });

  test('is the same from a source', async () => {
    const opened = await convertModelAsync(new Blob([modelBefore(name)]), options);
    const { model, report } = convertModel(modelBefore(name), options);
    // A model without a MatMul keeps its bytes, in which protobuf has fields that are empty.
    expect(modelFacts(await bytesOfFile(opened.model))).toEqual(modelFacts(model));
    expect(opened.report).toEqual(report);
  });
});

test('the tensor of a Constant node is a weight', () => {
  const data = Float32Array.from({ length: 64 * 3 }, (_, i) => Math.sin(i));
  const tensor = writeTensorProto({ type: 'float32', dims: [64, 3], data });
  const product = { name: 'node', operator: 'MatMul', inputs: ['x', 'w'], outputs: ['y'] };
  const ends = { inputs: { x: ['float32', ['n', 64]] }, outputs: { y: ['float32', ['n', 3]] } };
  const constant = { operator: 'Constant', inputs: [], outputs: ['w'], attributes: { value: { tensor } } };
  const inNode = modelOf({ nodes: [constant, product], ...ends });
  const initializers = { w: { type: 'float32', dims: [64, 3], data } };
  const plain = modelOf({ nodes: [product], initializers, ...ends });
  for (const dtype of ['int8', 'q4', 'bnb4'])
    expect(modelFacts(convertModel(inNode, { dtype }).model)).toEqual(modelFacts(convertModel(plain, { dtype }).model));
});

test('Gemms share the Transpose of a matrix that is no weight', () => {
  const gemm = (y) => ({ operator: 'Gemm', inputs: ['x', 'b'], outputs: [y], attributes: { transB: 1 } });
  const file = modelOf({
    nodes: [gemm('y'), gemm('z')],
    inputs: { x: ['float32', [1, 4]], b: ['float32', [3, 4]] },
    outputs: { y: ['float32', [1, 3]], z: ['float32', [1, 3]] },
  });
  const { nodes } = readModel(convertModel(file, { dtype: 'int8' }).model);
  expect(nodes.map(({ operator, inputs }) => [operator, ...inputs])).toEqual([
    ['Transpose', 'b'],
    ['MatMul', 'x', 'b_Transposed'],
    ['MatMul', 'x', 'b_Transposed'],
  ]);
});

test('values of a replaced Gemm have names that no other value has', () => {
  const gemm = { operator: 'Gemm', inputs: ['x', 'b', 'c'], outputs: ['y'], attributes: { transB: 1 } };
  const ends = ['b_Transposed', 'y_MatMul'].map((name) => [name, ['float32', [1, 3]]]);
  const file = modelOf({
    nodes: [gemm, ...ends.map(([name]) => ({ operator: 'Neg', inputs: ['c'], outputs: [name] }))],
    inputs: { x: ['float32', [1, 4]], b: ['float32', [3, 4]], c: ['float32', [1, 3]] },
    outputs: { y: ['float32', [1, 3]], ...Object.fromEntries(ends) },
  });
  const { nodes } = readModel(convertModel(file, { dtype: 'int8' }).model);
  expect(nodes.map(({ operator, inputs, outputs }) => [operator, ...inputs, '', ...outputs])).toEqual([
    ['Transpose', 'b', '', 'b_Transposed_1'],
    ['MatMul', 'x', 'b_Transposed_1', '', 'y_MatMul_1'],
    ['Add', 'y_MatMul_1', 'c', '', 'y'],
    ...ends.map(([name]) => ['Neg', 'c', '', name]),
  ]);
});

const matrix = { type: 'float32', dims: [4, 3], data: Float32Array.from({ length: 12 }, (_, i) => Math.sin(i)) };
const product = { name: 'node', operator: 'MatMul', inputs: ['x', 'w'], outputs: ['y'] };

test('a Transpose of a matrix with a scale for each column stays float32, and one behind it', () => {
  const file = modelOf({
    nodes: [
      product,
      { operator: 'Transpose', inputs: ['w'], outputs: ['t'], attributes: { perm: [1, 0] } },
      { operator: 'Transpose', inputs: ['t'], outputs: ['u'], attributes: { perm: [1, 0] } },
    ],
    initializers: { w: matrix },
    inputs: { x: ['float32', [1, 4]] },
    outputs: { y: ['float32', [1, 3]], t: ['float32', [3, 4]], u: ['float32', [4, 3]] },
  });
  const movesOf = (perChannel) =>
    readModel(convertModel(file, { dtype: 'int8', perChannel }).model)
      .nodes.filter(({ operator }) => ['Transpose', 'DequantizeLinear'].includes(operator))
      .map(({ operator, inputs }) => [operator, inputs[0]]);
  expect(movesOf(true)).toEqual([
    ['Transpose', 'w'],
    ['Transpose', 't'],
  ]);
  expect(movesOf(false).map(([operator]) => operator)).toEqual([
    ...['Transpose', 'Transpose', 'DequantizeLinear', 'DequantizeLinear'],
  ]);
});

test('other nodes that use a matrix with a scale for each column stay float32', () => {
  const file = modelOf({
    nodes: [
      product,
      { name: 'rows', operator: 'Gather', inputs: ['w', 'i'], outputs: ['r'] },
      { name: 'left', operator: 'MatMul', inputs: ['w', 'v'], outputs: ['l'] },
    ],
    initializers: { w: matrix, v: { ...matrix, dims: [3, 4] } },
    inputs: { x: ['float32', [1, 4]], i: ['int64', [1, 5]] },
    outputs: { y: ['float32', [1, 3]], r: ['float32', [1, 5, 3]], l: ['float32', [4, 4]] },
  });
  const { model, report } = convertModel(file, { dtype: 'int8', perChannel: true });
  const { nodes } = readModel(model);
  expect(nodes.filter(({ inputs }) => inputs[0] === 'w').map(({ name }) => name)).toEqual(['rows', 'left']);
  expect(nodes.some(({ operator }) => operator === 'DequantizeLinear')).toBe(false);
  expect(report.filter(({ node }) => node).map(({ node, reason }) => [node, reason])).toEqual([
    ['rows', 'its input has codes with several scales'],
    ['left', 'its input has codes with several scales'],
  ]);
});

test('a matrix of several pieces has the same codes from a source', async () => {
  const dims = [700, 3000];
  const data = Float32Array.from({ length: 2_100_000 }, (_, i) => Math.sin(i) * ((i % 3000) + 1));
  const file = modelOf({
    nodes: [{ name: 'node', operator: 'MatMul', inputs: ['x', 'w'], outputs: ['y'] }],
    initializers: { w: { type: 'float32', dims, data } },
    inputs: { x: ['float32', ['n', 700]] },
    outputs: { y: ['float32', ['n', 3000]] },
  });
  for (const options of [
    { dtype: 'int8' },
    { dtype: 'uint8', perChannel: true },
    { dtype: 'bnb4' },
    { dtype: 'q4f16', symmetric: false },
    { dtype: 'q2' },
    { dtype: 'bnb4', bnb4: 'fp4', blockSize: 256 },
  ]) {
    const opened = await convertModelAsync(new Blob([file]), options);
    expect(Buffer.from(await bytesOfFile(opened.model)).equals(convertModel(file, options).model)).toBe(true);
  }
});
