/** Sparse tensors of models: flat and coordinate indices, in initializers and attributes; and data of length 0. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { init, Tensor } from 'onnx-layout';
import * as io from 'onnx-layout/io';
import { refuses, rejects } from '../../support/assertions.js';
import { modelOf } from '../../support/models.js';
import { below, generator } from '../../support/samples.js';
import { bytesOf } from '../../weights/files.js';

beforeAll(() => init());

const field = (number, bytes) => new BinaryWriter().tag(number, 2).bytes(bytes).finish();
const join = (...list) => new Uint8Array(Buffer.concat(list));

/** A SparseTensorProto. */
function sparseOf(name, dims, values, indices) {
  const extents = dims.map((extent) => new BinaryWriter().tag(3, 0).int64(extent).finish());
  const messages = [io.writeTensorProto(values, { name }), io.writeTensorProto(indices)];
  return join(...messages.map((message, i) => field(i + 1, message)), ...extents);
}

const int64 = (numbers, dims = [numbers.length]) => Tensor.from('int64', numbers, dims);
const floats = (...numbers) => Tensor.from('float32', numbers);

/** A model with sparse initializers, and a graph that gives the first one back. */
const modelWith = (...sparse) => {
  const graph = modelOf({
    nodes: [{ operator: 'Identity', inputs: ['w'], outputs: ['y'] }],
    outputs: { y: ['float32', []] },
  });
  // More of the same message joins it.
  return join(graph, field(7, join(...sparse.map((message) => field(15, message)))));
};
const matrix = (name = 'w') => sparseOf(name, [2, 3], floats(1, 2), int64([1, 5]));

test.each([
  ['flat indices', matrix()],
  ['coordinates', sparseOf('w', [2, 3], floats(1, 2), int64([0, 1, 1, 2], [2, 2]))],
])('%s', async (_, message) => {
  const file = modelWith(message);
  const model = io.readModel(file);
  const { type, dims, data } = model.initializers.get('w');
  expect([type, dims, [...data]]).toEqual(['float32', [2, 3], [0, 1, 0, 0, 0, 2]]);
  expect([...io.runModel(model, {}).get('y').data]).toEqual([0, 1, 0, 0, 0, 2]);
  const opened = await io.openModel(file);
  const entry = opened.constants.get('w');
  expect([entry.type, entry.dims, entry.byteLength, [...(await entry.read()).data]]).toEqual([
    'float32',
    [2, 3],
    24,
    [0, 1, 0, 0, 0, 2],
  ]);
  expect([...(await entry.read({ rows: [1, 2] })).data]).toEqual([0, 0, 2]);
});

const types = ['float32', 'float16', 'float64', 'int64', 'bool', 'string', 'complex64', 'int4', 'uint2', 'float6e2m3'];

test.each(types)('random tensors of %s, of any rank', (type) => {
  const numbers = generator(type.length);
  const random = (limit) => below(numbers, limit);
  for (let i = 0; i < 20; i++) {
    const dims = Array.from({ length: 1 + random(4) }, () => random(5));
    const size = dims.reduce((a, b) => a * b, 1);
    const places = Array.from({ length: size }, (_, at) => at).filter(() => random(3) === 0);
    const value = { string: 'a', bool: true, complex64: [1, 2], int64: 7n }[type] ?? 1;
    const zero = { string: '', bool: false, complex64: [0, 0], int64: 0n }[type] ?? 0;
    const coordinates = places.flatMap((place) => {
      let rest = place;
      return dims.map((_, axis) => {
        const inner = dims.slice(axis + 1).reduce((a, b) => a * b, 1);
        const index = Math.floor(rest / inner);
        rest %= inner;
        return index;
      });
    });
    const values = Tensor.from(
      type,
      places.map(() => value),
      [places.length],
    );
    const wanted = Tensor.from(
      type,
      Array.from({ length: size }, (_, at) => (places.includes(at) ? value : zero)),
      dims,
    );
    for (const indices of [int64(places), int64(coordinates, [places.length, dims.length])]) {
      const { initializers } = io.readModel(modelWith(sparseOf('w', dims, values, indices)));
      expect(initializers.get('w')).toEqual(wanted);
    }
  }
});

test('an attribute, in runModel and as a constant', async () => {
  const attribute = join(
    new BinaryWriter().tag(1, 2).string('sparse_value').tag(20, 0).int32(11).finish(),
    field(22, matrix('')),
  );
  const node = join(
    new BinaryWriter().tag(2, 2).string('y').tag(4, 2).string('Constant').finish(),
    field(5, attribute),
  );
  const file = join(modelOf({ nodes: [], outputs: { y: ['float32', [2, 3]] } }), field(7, field(1, node)));
  expect([...io.runModel(io.readModel(file), {}).get('y').data]).toEqual([0, 1, 0, 0, 0, 2]);
  const { constants, notRead } = await io.openModel(file);
  expect([[...(await constants.get('y').read()).data], notRead]).toEqual([[0, 1, 0, 0, 0, 2], []]);
});

test('saveModel keeps them, writeInitializers and saveModel write dense ones in their place', async () => {
  const file = modelWith(matrix());
  const { bytes, initializers } = await io.openModel(file);
  expect(Buffer.from(await bytesOf((await io.saveModel(bytes, initializers)).model)).includes(matrix())).toBe(true);
  const dense = new Map([['w', floats(7)]]);
  const saved = await bytesOf((await io.saveModel(bytes, dense)).model);
  for (const written of [io.writeInitializers(file, dense), saved]) {
    expect([...io.readModel(written).initializers.get('w').data]).toEqual([7]);
    expect(Buffer.from(written).includes(matrix())).toBe(false);
  }
});

const broken =
  (...message) =>
  () =>
    io.readModel(modelWith(sparseOf('w', ...message)));
const enormous = sparseOf('w', [2 ** 31, 4], floats(), int64([]));

refuses('readModel', {
  "RangeError: sparse tensor 'w' must have dims, got none": broken([], floats(1), int64([0])),
  "RangeError: sparse tensor 'w' values must have one axis, got dims [1, 1]": broken(
    [4],
    Tensor.from('float32', [1], [1, 1]),
    int64([0]),
  ),
  "TypeError: sparse tensor 'w' indices must be int64, got int32": broken([4], floats(1), Tensor.from('int32', [0])),
  "RangeError: sparse tensor 'w' indices must have dims [1], got [2]": broken([4], floats(1), int64([0, 1])),
  "RangeError: sparse tensor 'w' indices must have dims [1, 1], got [1, 2]": broken(
    [4],
    floats(1),
    int64([0, 1], [1, 2]),
  ),
  "RangeError: sparse tensor 'w' indices must be from 0 to 3, got 4": broken([4], floats(1), int64([4])),
  "RangeError: sparse tensor 'w' indices must be from 0 to 3, got -1": broken([4], floats(1), int64([-1])),
  "RangeError: sparse tensor 'w' indices must ascend, got element 1 after 1": broken([4], floats(1, 2), int64([1, 1])),
  'RangeError: sparse tensors must become at most 1073741824 bytes (maxBytes), got 34359738368': () =>
    io.readModel(modelWith(enormous)),
  'RangeError: sparse tensors must become at most 40 bytes (maxBytes), got 48': () =>
    io.readModel(modelWith(matrix(), matrix()), { maxBytes: 40 }),
  'TypeError: maxBytes must be a number, got an object': () => io.readModel(modelWith(), { maxBytes: {} }),
  'RangeError: maxBytes must be at least 1, got NaN': () => io.readModel(modelWith(), { maxBytes: NaN }),
});

rejects('Entry.read', {
  "RangeError: sparse tensor 'w' must become at most 1073741824 bytes (maxBytes), got 34359738368": async () =>
    (await io.openModel(modelWith(enormous))).constants.get('w').read({ rows: [0, 1] }),
});

describe('data in another file', () => {
  const w = { location: 'w.bin', offset: 8, type: 'float32', dims: [2] };
  const data = Uint8Array.of(...new Array(8).fill(255), 0, 0, 128, 63, 0, 0, 0, 64, 255);
  const model = (length) =>
    modelOf({ nodes: [], initializers: { w: { ...w, length } }, outputs: { w: ['float32', [2]] } });

  test.each([0, 8])('length %i is what the dims need', async (length) => {
    const places = [];
    const external = (place) => {
      places.push(place);
      return data.subarray(place.offset, place.offset + place.length);
    };
    expect([...io.readModel(model(length), { external }).initializers.get('w').data]).toEqual([1, 2]);
    expect(places).toEqual([{ location: 'w.bin', offset: 8, length: 8 }]);
    const { initializers } = await io.openModel(model(length), { external: () => data });
    expect([...(await initializers.get('w').read()).data]).toEqual([1, 2]);
  });

  refuses('readModel', {
    "RangeError: tensor 'w' length must be 8, got 4": () => io.readModel(model(4), { external: () => data }),
  });
});
