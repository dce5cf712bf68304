/** Files of a conversion: data beside the model, old models, and models whose data are in other files. */
import { beforeAll, expect, test } from '@jest/globals';
import { init } from 'onnx-layout';
import { convertModel, convertModelAsync } from 'onnx-layout/convert';
import { openModel, readModel } from 'onnx-layout/io';
import { fieldsOf } from '../support/graph-facts.js';
import { modelOf } from '../support/models.js';

beforeAll(() => init());

const numbers = Float32Array.from({ length: 2048 }, (_, i) => i - 1024);
const weights = (dims) => ({ type: 'float32', dims, data: numbers });
const graph = (initializers, more = {}) => ({
  nodes: [
    { name: 'first', operator: 'MatMul', inputs: ['x', 'v'], outputs: ['h'] },
    { name: 'second', operator: 'MatMul', inputs: ['h', 'w'], outputs: ['y'] },
  ],
  inputs: { x: ['float32', [1, 32]] },
  outputs: { y: ['float32', [1, 32]] },
  initializers,
  ...more,
});
const plain = modelOf(graph({ v: weights([32, 64]), w: weights([64, 32]) }));

async function collect(file) {
  const chunks = [];
  for await (const chunk of file) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}

test('data of 1 KiB and more go to files of at most so many bytes', async () => {
  const options = { dtype: 'fp16', externalName: 'm.onnx_data', externalBytes: 5000 };
  const { model, externalFiles } = convertModel(plain, options);
  expect(Array.from(externalFiles, ([name, { length }]) => [name, length])).toEqual([
    ['m.onnx_data', 4096],
    ['m.onnx_data_1', 4096],
  ]);
  const external = ({ location, offset, length }) => externalFiles.get(location).subarray(offset, offset + length);
  const { initializers } = readModel(model, { external });
  const inside = readModel(convertModel(plain, { dtype: 'fp16' }).model).initializers;
  expect(initializers.get('w').data).toEqual(inside.get('w').data);
  const opened = await convertModelAsync(new Blob([plain]), options);
  expect(await collect(opened.model)).toEqual(model);
  for (const [name, file] of opened.externalFiles) expect(await collect(file)).toEqual(externalFiles.get(name));
});

test('data come from other files', async () => {
  const bytes = new Uint8Array(numbers.buffer);
  const place = { location: 'w.bin', offset: 0, length: 8192, type: 'float32', dims: [64, 32] };
  const file = modelOf(graph({ v: weights([32, 64]), w: place }));
  const inside = convertModel(plain, { dtype: 'fp16' }).model;
  const external = ({ offset, length }) => bytes.subarray(offset, offset + length);
  expect(convertModel(file, { dtype: 'fp16', external }).model).toEqual(inside);
  const opened = await convertModelAsync(file, { dtype: 'fp16', external: () => bytes });
  expect(await collect(opened.model)).toEqual(inside);
  expect(() => convertModel(file, { dtype: 'fp16' })).toThrow(
    "convertModel: tensor 'w' needs the option external for 'w.bin', got undefined",
  );
});

test('strings stay in the model where data come from other files', () => {
  const nodes = [{ operator: 'Identity', inputs: ['s'], outputs: ['t'] }];
  const more = { nodes: [...graph({}).nodes, ...nodes], outputs: { y: ['float32', [1, 32]], t: ['string', [2]] } };
  const strings = { type: 'string', dims: [2], data: ['a', 'b'] };
  const file = modelOf(graph({ v: weights([32, 64]), w: weights([64, 32]), s: strings }, more));
  const external = () => new Uint8Array(0);
  expect(convertModel(file, { dtype: 'fp16', external }).model).toEqual(convertModel(file, { dtype: 'fp16' }).model);
});

test('data of graphs inside of nodes come from other files, by what openModel gives', async () => {
  const bytes = new Uint8Array(numbers.buffer);
  const place = { location: 'w.bin', offset: 0, length: 8192, type: 'float32', dims: [64, 32] };
  const branchWith = (w) => {
    const nodes = [{ operator: 'MatMul', inputs: ['x', 'w'], outputs: ['z'] }];
    const fields = fieldsOf(modelOf({ nodes, initializers: { w }, outputs: { z: ['float32', [1, 32]] } }));
    return fields.find(({ number }) => number === 7).value;
  };
  const fileWith = (w) => {
    const attributes = { then_branch: branchWith(w), else_branch: branchWith(weights([64, 32])) };
    const inputs = { x: ['float32', [1, 64]], c: ['bool', []] };
    const nodes = [{ name: 'If_0', operator: 'If', inputs: ['c'], outputs: ['y'], attributes }];
    return modelOf({ nodes, inputs, outputs: { y: ['float32', [1, 32]] } });
  };
  for (const dtype of ['fp16', 'int8', 'q4']) {
    const inside = convertModel(fileWith(weights([64, 32])), { dtype }).model;
    const opened = await openModel(fileWith(place), { external: () => bytes });
    expect(await collect((await convertModelAsync(opened, { dtype })).model)).toEqual(inside);
  }
});

test('the initializers of models before IR 4, which are inputs too, become weights alone', () => {
  const inputs = { x: ['float32', [1, 32]], v: ['float32', [32, 64]], w: ['float32', [64, 32]] };
  const old = modelOf(graph({ v: weights([32, 64]), w: weights([64, 32]) }, { inputs, ir: 3, opset: 9 }));
  const { irVersion, inputs: rest, initializers } = readModel(convertModel(old, { dtype: 'fp16' }).model);
  expect([irVersion, rest.map(({ name }) => name), initializers.get('w').type]).toEqual([4, ['x'], 'float16']);
});
