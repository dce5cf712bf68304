/** Files that would take more time, memory or stack than their size: long names, long lists, results without end. */
import { beforeAll, expect, test } from '@jest/globals';
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { init, Tensor } from 'onnx-layout';
import { dequantizeWeights, quantizeWeights, quantizeWeightsAsync } from 'onnx-layout/convert';
import * as io from 'onnx-layout/io';
import { refuses, rejects } from '../support/assertions.js';
import { modelOf } from '../support/models.js';
import { bytesOf } from '../weights/files.js';

beforeAll(() => init());

const field = (number, bytes) => new BinaryWriter().tag(number, 2).bytes(bytes).finish();
const text = (number, value) => field(number, Buffer.from(value));
const join = (...list) => new Uint8Array(Buffer.concat(list));
/** A model with more fields in its graph. */
const modelWith = (...fields) => join(modelOf({ nodes: [] }), field(7, Buffer.concat(fields)));

const product = (i) => ({ operator: 'MatMul', inputs: ['x', `w${i}`], outputs: [`y${i}`] });
const numbers = (count, make) => Array.from({ length: count }, (_, i) => make(i));

/** Milliseconds. A quadratic search takes ten times as long: the machine of the tests may be busy. */
const patience = 10_000;

test(
  'many tensors under a long path have short names',
  async () => {
    const tensors = numbers(4000, (i) =>
      field(5, io.writeTensorProto(new Tensor('uint8', Uint8Array.of(1)), { name: `w${i}` })),
    );
    const graph = join(text(1, 'branch'), field(6, join(...tensors)));
    const node = join(text(3, 'n'.repeat(20_000)), text(4, 'If'), field(5, graph));
    const { constants } = await io.openModel(modelWith(field(1, node)));
    expect([constants.size, [...constants.keys()][1]]).toEqual([4000, 'If_0/branch/w1']);
  },
  patience,
);

test(
  'quantizeWeights and dequantizeWeights look once at each of many nodes',
  () => {
    const count = 1500;
    const one = new Tensor('float32', Float32Array.of(1), [1, 1]);
    const initializers = Object.fromEntries(numbers(count, (i) => [`w${i}`, one]));
    const { model, report } = quantizeWeights(modelOf({ nodes: numbers(count, product), initializers }), {
      form: 'qdq',
    });
    expect(report.every(({ packed }) => packed)).toBe(true);
    expect(dequantizeWeights(model).report).toHaveLength(count);
  },
  patience,
);

test('no list is spread into a call: strings, fields, tensors', async () => {
  const strings = new Tensor('string', new Array(150_000).fill('a'), [150_000]);
  const info = Buffer.from(field(13, text(1, 'x')));
  const file = modelWith(Buffer.alloc(200_000 * info.length, info));
  const { model } = await io.saveModel(file, new Map([['s', strings]]));
  const back = io.readModel(await bytesOf(model)).initializers.get('s');
  expect([back.dims, back.data.at(-1)]).toEqual([[150_000], 'a']);
  const packed = await quantizeWeightsAsync(new Blob([file]));
  expect(packed.model.byteLength).toBe(file.length);
});

test('an index that spells a shard in many ways opens it once', async () => {
  const one = new Tensor('uint8', new Uint8Array(1));
  const file = io.writeSafetensors(new Map(numbers(100, (i) => [`t${i}`, one])));
  const map = Object.fromEntries(numbers(100, (i) => [`t${i}`, `${'./'.repeat(i)}a${'/'.repeat(1 + (i % 3))}m`]));
  const names = [];
  const index = Buffer.from(JSON.stringify({ weight_map: map }));
  const entries = await io.openSafetensors(index, { shard: (name) => names.push(name) && file });
  expect([entries.size, names]).toEqual([100, ['a/m']]);
});

test('external data that is spelled in several ways is opened once', async () => {
  const places = ['w.bin', './w.bin', '././w.bin'];
  const initializers = Object.fromEntries(
    places.map((location) => [location, { location, offset: 0, length: 1, type: 'uint8', dims: [1] }]),
  );
  const names = [];
  const external = (name) => names.push(name) && Uint8Array.of(7);
  const opened = await io.openModel(modelOf({ nodes: [], initializers }), { external });
  for (const entry of opened.initializers.values()) expect([...(await entry.read()).data]).toEqual([7]);
  expect(names).toEqual(['w.bin']);
});

const expand = (type, data) =>
  modelOf({
    nodes: [{ operator: 'Expand', inputs: ['a', 's'], outputs: ['y'] }],
    initializers: { a: new Tensor(type, data, []), s: new Tensor('int64', BigInt64Array.of(3_000_000_000n), [1]) },
    outputs: { y: [type, ['n']] },
  });
const run = (file, options) => () => io.runModel(io.readModel(file), {}, options);
const over = 'results must become at most 1073741824 bytes (maxBytes), got';

refuses('runModel', {
  [`RangeError: ${over} 3000000000`]: run(expand('uint8', Uint8Array.of(1))),
  [`RangeError: ${over} 24000000000`]: run(expand('string', ['a'])),
  'RangeError: results must become at most 5 bytes (maxBytes), got 3000000000': run(expand('int8', Int8Array.of(1)), {
    maxBytes: 5,
  }),
  'TypeError: maxBytes must be a number, got null': run(expand('int8', Int8Array.of(1)), { maxBytes: null }),
});

refuses('readModel', {
  "RangeError: node '' must have an op_type, got none": () => io.readModel(modelWith(field(1, new Uint8Array(0)))),
});

rejects('openModel', {
  [`RangeError: Constant ${'n'.repeat(60)}… must have one value of a kind other than sparse, got ''`]: () =>
    io.openModel(modelWith(field(1, join(text(3, 'n'.repeat(5000)), text(4, 'Constant'))))),
});
