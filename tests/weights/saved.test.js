/** Files in the making: sizes before the first byte, order, tiles, progress, and the end by a signal. */
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { init, Tensor } from 'onnx-layout';
import * as io from 'onnx-layout/io';
import { expectTensor, expectRejection, rejects } from '../support/assertions.js';
import { Work } from '../../js/weights/work.js';
import { bytesOf } from './files.js';

beforeAll(() => init());

const x = Tensor.from('float32', [1, 2, 3, 4, 5, 6], [2, 3]);
const big = Tensor.from(
  'uint8',
  Uint8Array.from({ length: 2 ** 23 }, (_, i) => i * 7),
  [2 ** 23],
);
const field = (number, bytes) => Buffer.from([(number << 3) | 2, bytes.length, ...bytes]);
const graph = (...fields) => new Uint8Array(Buffer.concat([Buffer.of(8, 8), field(7, Buffer.concat(fields))]));
const text = (number, string) => field(number, Buffer.from(string));

test('is what the functions for whole files give', async () => {
  const tensors = new Map([
    ['a', Tensor.from('int8', [1])],
    ['x', x],
  ]);
  const metadata = new Map([['format', 'pt']]);
  expect(await bytesOf(io.saveNpy(x))).toEqual(io.writeNpy(x));
  expect(await bytesOf(io.saveSafetensors(tensors, { metadata }))).toEqual(io.writeSafetensors(tensors, { metadata }));
  expect(await bytesOf(io.saveSafetensors(io.readSafetensors(io.writeSafetensors(tensors, { metadata }))))).toEqual(
    io.writeSafetensors(tensors, { metadata }),
  );
});

test('can be made again, by streams too', async () => {
  const saved = io.saveNpy(new io.Entry(x).cast('float16'));
  const chunks = [];
  for await (const chunk of Readable.from(saved)) chunks.push(chunk);
  expect(new Uint8Array(Buffer.concat(chunks))).toEqual(await bytesOf(saved));
});

test('other tasks come through while chunks are made', async () => {
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  for await (const chunk of io.saveNpy(big)) {
    expect(chunk.length).toBeGreaterThan(0);
    for (const end = performance.now() + 25; performance.now() < end;);
  }
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(0);
});

test('chunks in order have memory of their own; writes have places', async () => {
  const saved = io.saveNpy(big);
  const chunks = [];
  for await (const chunk of saved) chunks.push(chunk);
  expect(new Set(chunks.map(({ buffer }) => buffer)).size).toBe(3);
  const file = new Uint8Array(saved.byteLength);
  const buffers = new Set();
  for await (const { at, bytes } of saved.writes()) {
    file.set(bytes, at);
    buffers.add(bytes.buffer);
  }
  expect([Buffer.compare(file, Buffer.concat(chunks)), buffers.size]).toEqual([0, 2]);
});

test('pieces are short in the wider of the types that a cast has', async () => {
  for (const [from, to] of [
    ['float32', 'int8'],
    ['int8', 'float32'],
  ]) {
    const counts = [];
    const wide = Tensor.from(from, new Uint8Array(3 * 2 ** 20));
    for await (const { data } of new io.Entry(wide).cast(to).pieces()) counts.push(data.length);
    expect(counts).toEqual([2 ** 20, 2 ** 20, 2 ** 20]);
  }
});

test('a pass keeps what an entry was parsed to until the next entry', async () => {
  const [work, owner] = [new Work(), {}];
  let parsed = 0;
  const parse = () => work.cached(owner, async () => ++parsed);
  expect([await parse(), await parse()]).toEqual([1, 1]);
  work.freeMemory();
  expect(await parse()).toBe(2);
});

test('memory that one entry leaves is too short for the next', async () => {
  const entries = new Map([
    ['first', Tensor.from('float32', [1])],
    ['second', new Tensor('uint8', big.data.subarray(0, 1000), [1000])],
  ]);
  const saved = io.saveSafetensors(entries);
  const file = new Uint8Array(saved.byteLength);
  for await (const { at, bytes } of saved.writes()) file.set(bytes, at);
  expect(file).toEqual(await bytesOf(saved));
});

test('tiles of a tensor of three axes whose order is changed', async () => {
  const entry = new io.Entry(
    new Tensor(
      'uint16',
      Uint16Array.from({ length: 300 * 200 * 301 }, (_, i) => i),
      [300, 200, 301],
    ),
  );
  for (const perm of [
    [2, 1, 0],
    [0, 2, 1],
  ]) {
    const saved = io.saveNpy(entry.transpose({ perm }));
    const file = new Uint8Array(saved.byteLength);
    for await (const { at, bytes } of saved.writes()) file.set(bytes, at);
    expect([perm, Buffer.compare(file, await bytesOf(saved))]).toEqual([perm, 0]);
  }
});

test('progress counts the bytes of the file', async () => {
  const seen = [];
  await bytesOf(io.saveNpy(big, { onProgress: (progress) => seen.push(progress) }));
  const total = 2 ** 23 + 128;
  expect(seen).toEqual([
    { done: 128, total },
    { done: 128 + 2 ** 22, total },
    { done: total, total },
  ]);
});

test('a signal ends it', async () => {
  const end = new AbortController();
  const saved = io.saveNpy(big, { signal: end.signal });
  const chunks = saved[Symbol.asyncIterator]();
  await chunks.next();
  end.abort(new Error('enough'));
  await expectRejection(() => chunks.next(), Error, 'enough');
});

describe('saveModel', () => {
  const info = (name) => Buffer.concat([text(1, name), field(2, field(1, Buffer.of(8, 1)))]);
  const weight = field(5, io.writeTensorProto(x, { name: 'w' }));
  const strings = field(5, io.writeTensorProto({ type: 'string', data: ['a', 'ß'], dims: [2] }, { name: 's' }));
  const other = field(5, io.writeTensorProto(x, { name: 'gone' }));
  const file = graph(text(2, 'name'), weight, strings, field(13, info('w')), other, field(11, info('x')));

  test('keeps what is as it was, byte for byte, and drops what has no entry', async () => {
    const { initializers, bytes, name } = await io.openModel(file);
    expect([name, [...initializers.keys()], initializers.get('s').byteLength]).toEqual(['name', ['w', 's', 'gone'], 3]);
    const all = await io.saveModel(bytes, initializers);
    expect(await bytesOf(all.model)).toEqual(file);
    initializers.delete('gone');
    const { model } = await io.saveModel(bytes, initializers);
    expect(await bytesOf(model)).toEqual(
      graph(text(2, 'name'), weight, strings, field(13, info('w')), field(11, info('x'))),
    );
  });

  test('says the types and dims of what has changed, and adds what is new', async () => {
    const { initializers, bytes } = await io.openModel(file);
    initializers.set('w', initializers.get('w').cast('int4').transpose());
    initializers.set('new', Tensor.from('bool', [1]));
    const { model } = await io.saveModel(bytes, initializers);
    const saved = await bytesOf(model);
    const read = io.readModel(saved);
    expect([...read.initializers.keys()]).toEqual(['w', 's', 'gone', 'new']);
    expectTensor(read.initializers.get('w'), 'int4', [3, 2], Uint8Array.of(0x41, 0x52, 0x63));
    expect(read.initializers.get('s').data).toEqual(['a', 'ß']);
    const shape = Buffer.concat([
      Buffer.of(8, 22),
      field(2, Buffer.concat([field(1, Buffer.of(8, 3)), field(1, Buffer.of(8, 2))])),
    ]);
    expect(Buffer.from(saved).includes(field(13, Buffer.concat([text(1, 'w'), field(2, field(1, shape))])))).toBe(true);
  });

  test('external data: places are aligned, short ones stay inside', async () => {
    const entries = new Map([
      ['odd', Tensor.from('uint8', new Uint8Array(1025).fill(1))],
      ['short', Tensor.from('uint8', new Uint8Array(1023).fill(2))],
      ['next', Tensor.from('uint8', new Uint8Array(1024).fill(3))],
      ['long', big],
    ]);
    const { model, externalFile } = await io.saveModel(graph(), entries, { externalName: 'data/w.bin' });
    const [modelBytes, data] = [await bytesOf(model), await bytesOf(externalFile)];
    expect([data[0], data[1024], data[1025], data[1088], data.length]).toEqual([1, 1, 0, 3, 65536 + 2 ** 23]);
    const places = [];
    const { initializers } = io.readModel(modelBytes, {
      external(place) {
        places.push(place);
        return data.subarray(place.offset, place.offset + place.length);
      },
    });
    expect(places).toEqual([
      { location: 'data/w.bin', offset: 0, length: 1025 },
      { location: 'data/w.bin', offset: 1088, length: 1024 },
      { location: 'data/w.bin', offset: 65536, length: 2 ** 23 },
    ]);
    for (const [name, { type, dims, data: expected }] of entries)
      expectTensor(initializers.get(name), type, dims, expected);
  });

  test('typed fields and packed numbers are entries', async () => {
    const ints = Buffer.concat([Buffer.of(8, 3, 0x10, 7), field(7, Buffer.of(1, 0x80, 1, 3)), text(8, 'i')]);
    const floats = Buffer.concat([
      Buffer.of(8, 2, 0x10, 1),
      field(4, Buffer.from(Float32Array.of(1, 2).buffer)),
      text(8, 'f'),
    ]);
    const apart = Buffer.concat([Buffer.of(8, 2, 0x10, 1, 0x25, 0, 0, 0x80, 0x3f, 0x25, 0, 0, 0, 0x40), text(8, 'g')]);
    const { initializers } = await io.openModel(graph(field(5, ints), field(5, floats), field(5, apart)));
    expect((await initializers.get('i').read({ rows: [1, 3] })).toArray()).toEqual([128n, 3n]);
    for (const name of ['f', 'g']) expect((await initializers.get(name).read()).toArray()).toEqual([1, 2]);
  });

  test('a source that changes its typed data is found out', async () => {
    const ints = (count) =>
      graph(field(5, Buffer.concat([Buffer.of(8, count, 0x10, 7), field(7, Buffer.of(1, 2, 3)), text(8, 'i')])));
    const [first, second] = [ints(3), ints(2)];
    let bytes = first;
    const source = { byteLength: first.length, slice: (from, to) => bytes.slice(from, to) };
    const { initializers } = await io.openModel(source);
    bytes = second;
    await expect(initializers.get('i').read()).rejects.toBeInstanceOf(RangeError);
  });

  rejects('saveModel', {
    'TypeError: bytes must be a Uint8Array, got Array': () => io.saveModel([], new Map()),
    'RangeError: bytes must have a graph, got none': () => io.saveModel(Uint8Array.of(8, 8), new Map()),
    'TypeError: entries must be a Map, got an object': () => io.saveModel(graph(), {}),
    'TypeError: externalName must be a string, got 1': () => io.saveModel(graph(), new Map(), { externalName: 1 }),
    "RangeError: externalName must be a path inside the model's folder, got '../w'": () =>
      io.saveModel(graph(), new Map(), { externalName: '../w' }),
    'TypeError: names must be strings, got 1': () => io.saveModel(graph(), new Map([[1, x]])),
    ['RangeError: model must have at most 2147483647 bytes: name a file for its data by the option ' +
    'externalName, got 2147483679']: () => {
      const entry = new io.Entry(big);
      return io.saveModel(graph(), new Map([['w', io.Entry.concat(new Array(256).fill(entry), { axis: 0 })]]));
    },
  });
});

rejects('saveNpy', {
  'TypeError: entry must be a tensor { type, dims, data }, got 1': () => io.saveNpy(1),
  'TypeError: type must not be string, got string': () => io.saveNpy(Tensor.from('string', ['a'])),
  'TypeError: onProgress must be a function, got 1': () => io.saveNpy(x, { onProgress: 1 }),
  'TypeError: signal must be an AbortSignal, got an object': () => io.saveNpy(x, { signal: {} }),
  "TypeError: unknown option 'out'. Known: onProgress, signal": () => io.saveNpy(x, { out: 1 }),
});

rejects('saveSafetensors', io.saveSafetensors, {
  'TypeError: entries must be a Map, got an object': [{}],
  "TypeError: tensor 'x' type must be one that the format has, got int4": [new Map([['x', Tensor.from('int4', [1])]])],
  'RangeError: names must not be __metadata__, got __metadata__': [new Map([['__metadata__', x]])],
  "RangeError: tensor 'x' must fill whole bytes, got 1 elements of 4 bits": () =>
    io.saveSafetensors(new Map([['x', Tensor.from('float4e2m1', [1])]])),
  "TypeError: metadata must hold strings, got ['a', 1]": [new Map([['x', x]]), { metadata: new Map([['a', 1]]) }],
});
