/**
 * Damaged files over the open readers: a sample of corruptions of each format gives a result or one of our errors.
 * `CORRUPTIONS=100000 npm test -- tests/adversarial/adversarial-open` makes as many of each.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { init, Tensor } from 'onnx-layout';
import {
  openModel,
  openNpy,
  openNpz,
  openSafetensors,
  saveModel,
  writeNpy,
  writeNpz,
  writeSafetensors,
} from 'onnx-layout/io';
import { readFileSync } from 'node:fs';
import { generator } from '../support/samples.js';
import { bytesOf } from '../weights/files.js';
import { corruptions } from './corrupt.js';

beforeAll(() => init());

const count = Number(process.env.CORRUPTIONS ?? 2000);
const Bytes = Uint8Array;
const tensor = Tensor.from('uint8', [1, 2, 3, 4, 5, 6], [2, 3]);
const pairs = new Map([
  ['a', tensor],
  ['__proto__', Tensor.from('bfloat16', [1])],
]);
const field = (number, bytes) => Buffer.from([(number << 3) | 2, bytes.length, ...bytes]);

/** A model with data in the file, in another one, in varints and in strings. */
async function models() {
  const ints = field(
    5,
    Buffer.concat([Buffer.of(8, 2, 0x10, 7), field(7, Buffer.of(1, 2)), field(8, Buffer.from('i'))]),
  );
  const graph = Bytes.from(Buffer.concat([Buffer.of(8, 8), field(7, ints), field(8, Buffer.of(0x10, 13))]));
  const opened = await openModel(graph);
  const all = new Map([...opened.initializers, ...pairs, ['s', Tensor.from('string', ['a', 'ß'])]]);
  const inside = await saveModel(opened.bytes, all);
  const long = new Map([['long', Tensor.from('uint8', new Bytes(1024))]]);
  const outside = await saveModel(opened.bytes, long, { externalName: 'w.bin' });
  return [graph, await bytesOf(inside.model), await bytesOf(outside.model)];
}

/** Reads every entry, a row of it, and its pieces. */
async function readAll(entries) {
  for (const entry of entries) {
    await entry.read();
    if (entry.dims[0] > 0) await entry.read({ rows: [0, 1] });
    for await (const { data } of entry.pieces()) expect(data.length).toBeGreaterThanOrEqual(0);
  }
}

const index = (shard) => new TextEncoder().encode(JSON.stringify({ weight_map: { a: shard } }));

const { archives } = JSON.parse(readFileSync(new URL('../io/npz/npz-goldens.json', import.meta.url), 'utf8'));
const deflated = new Bytes(Buffer.from(archives.short.file, 'base64'));

const formats = {
  npy: {
    files: async () => [
      writeNpy(tensor),
      fortran(writeNpy(tensor)),
      writeNpy({ type: 'int4', data: Bytes.of(0x21), dims: [2] }),
    ],
    read: async (bytes, i) => readAll([await openNpy(bytes, i === 2 ? { dtype: 'int4' } : {})]),
  },
  npz: {
    files: async () => [writeNpz(new Map([...'ab'].map((name) => [name, tensor]))), deflated],
    read: async (bytes) => readAll((await openNpz(bytes)).values()),
  },
  safetensors: {
    files: async () => [writeSafetensors(pairs, { metadata: new Map([['format', 'pt']]) }), index('one')],
    read: async (bytes) => readAll((await openSafetensors(bytes, { shard: () => writeSafetensors(pairs) })).values()),
  },
  ONNX: {
    files: models,
    read: async (bytes) => readAll((await openModel(bytes, { external: () => new Bytes(1024) })).initializers.values()),
  },
};
const fortran = (bytes) =>
  Bytes.from(Buffer.from(Buffer.from(bytes).toString('latin1').replace('False', 'True '), 'latin1'));

const ours = /^(openNpy|openNpz|openSafetensors|openModel|Entry\.read|Entry\.pieces|Transpose-\d+|pack|unpack):/;

/** Reads one file, which must give a result or one of our errors. */
async function tryFile(read, bytes, which, tally) {
  try {
    await read(bytes, which);
    tally.results++;
  } catch (error) {
    const isOurs = (error.constructor === RangeError || error.constructor === TypeError) && ours.test(error.message);
    if (!isOurs || error.message.length > 1000)
      throw new Error(`on ${Buffer.from(bytes).toString('hex')}: ${error.stack}`, { cause: error });
    tally.errors++;
  }
}

describe.each(Object.entries(formats))('%s', (name, { files, read }) => {
  test('the files themselves are read; truncated ones give our errors', async () => {
    const tally = { results: 0, errors: 0 };
    const originals = await files();
    for (const [i, bytes] of originals.entries()) await tryFile(read, bytes, i, tally);
    expect(tally).toEqual({ results: originals.length, errors: 0 });
    for (const [i, bytes] of originals.entries())
      for (let length = 0; length < bytes.length; length++) await tryFile(read, bytes.slice(0, length), i, tally);
    // A protobuf message that ends between two fields is a whole one.
    if (name !== 'ONNX') expect(tally.results).toBe(originals.length);
  });

  test(`${count} seeded corruptions`, async () => {
    const random = generator(11);
    const tally = { results: 0, errors: 0 };
    for (const [bytes, which] of corruptions(await files(), count, random)) await tryFile(read, bytes, which, tally);
    expect(tally.results + tally.errors).toBe(count);
    expect(Math.min(tally.results, tally.errors)).toBeGreaterThan(count / 100);
    expect(Object.prototype.a).toBe(undefined);
  }, 3_600_000);
});

test('sizes that a file claims and does not have take neither time nor memory', async () => {
  const before = process.memoryUsage().arrayBuffers;
  const claims = [
    () => openSafetensors(Bytes.of(0, 0xe1, 0xf5, 5, 0, 0, 0, 0, 0x7b)),
    () => openSafetensors({ byteLength: 2 ** 50, slice: (from, to) => new Bytes(to - from).fill(0xff) }),
    () => openNpy({ byteLength: 2 ** 50, slice: () => new Bytes(0) }),
    () => openNpz({ byteLength: 2 ** 50, slice: (from, to) => new Bytes(to - from).fill(0x50) }),
    () => openModel(Bytes.of(0x3a, 0xff, 0xff, 0xff, 0xff, 7)),
    () => openModel(Bytes.of(0x3a, 9, 0x2a, 7, 8, 0xff, 0xff, 0x7f, 0x2a, 1, 1)),
    // A graph that has no end: its length is far more than 100 MB.
    () => openModel({ byteLength: 2 ** 40, slice: (from, to) => new Bytes(to - from).fill(0x52) }),
  ];
  for (const claim of claims) await expect(claim()).rejects.toBeInstanceOf(RangeError);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(150e6);
});
