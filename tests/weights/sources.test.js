/** Sources of every kind, and sources that lie: short, long, changing, throwing, slow. */
import { createContext, runInContext } from 'node:vm';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { init, Tensor } from 'onnx-layout';
import { Entry, openModel, openNpy, openSafetensors, saveModel, writeNpy, writeSafetensors } from 'onnx-layout/io';
import { expectTensor, expectRejection } from '../support/assertions.js';
import { namesInside, namesOutside } from '../support/file-names.js';
import { bytesOf } from './files.js';

const x = Tensor.from(
  'uint8',
  Uint8Array.from({ length: 3000 }, (_, i) => i),
  [3, 1000],
);
const file = writeNpy(x);
beforeAll(() => init());
const elsewhere = createContext({});

/** A source over bytes, of each kind. */
const kinds = {
  'a Uint8Array': (bytes) => bytes,
  'a Buffer': (bytes) => Buffer.from(bytes),
  'an ArrayBuffer': (bytes) => bytes.slice().buffer,
  'an ArrayBuffer of another realm': (bytes) => {
    const own = runInContext(`new Uint8Array(${bytes.length})`, elsewhere);
    own.set(bytes);
    return own.buffer;
  },
  'a Blob': (bytes) => new Blob([bytes]),
  'what a FileHandle has': (bytes) => ({
    stat: async () => ({ size: bytes.length }),
    // As the system does, it reads less than it is asked for.
    async read(buffer, offset, length, position) {
      const part = bytes.subarray(position, position + Math.min(length, 700));
      buffer.set(part, offset);
      return { bytesRead: part.length };
    },
  }),
  'slices that are ArrayBuffers': (bytes) => ({
    byteLength: bytes.length,
    slice: (from, to) => bytes.slice(from, to).buffer,
  }),
  'slices that are promises of Uint8Arrays': (bytes) => ({
    byteLength: bytes.length,
    slice: async (from, to) => bytes.subarray(from, to),
  }),
  'read, at once and later': (bytes) => ({
    byteLength: bytes.length,
    slice: () => expect('not called').toBe(''),
    read(target, from) {
      target.set(bytes.subarray(from, from + target.length));
      return from > 0 ? target.length : Promise.resolve(target.length);
    },
  }),
  'read that gives one byte at a time': (bytes) => ({
    byteLength: bytes.length,
    slice: () => expect('not called').toBe(''),
    read(target, from) {
      target[0] = bytes[from];
      return 1;
    },
  }),
};

describe.each(Object.entries(kinds))('%s', (_, make) => {
  test('is read', async () => {
    const entry = await openNpy(make(file));
    expectTensor(await entry.read(), 'uint8', [3, 1000], x.data);
    expectTensor(await entry.read({ rows: [1, 2] }), 'uint8', [1, 1000], x.data.slice(1000, 2000));
  });

  test('is read by several at a time', async () => {
    const entry = await openNpy(make(file));
    const rows = await Promise.all([0, 1, 2].map((row) => entry.read({ rows: [row, row + 1] })));
    rows.forEach(({ data }, i) => expect([...data]).toEqual([...x.data.slice(i * 1000, i * 1000 + 1000)]));
  });

  test('may be too short', () =>
    expectRejection(
      async () => openNpy(make(file.slice(0, 140))),
      RangeError,
      'openNpy: data must have 3000 bytes for uint8 [3, 1000], got 12',
    ));
});

/** A safetensors file without tensors, whose header is filled up with spaces. */
function spacious(length) {
  const bytes = new Uint8Array(8 + length).fill(0x20);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(length), true);
  bytes.set([0x7b, 0x7d], 8);
  return bytes;
}

test('never more than 8 MiB at once', async () => {
  const bytes = spacious(20 * 2 ** 20);
  const ranges = [];
  const read = (target, from) => {
    ranges.push([from, from + target.length]);
    target.set(bytes.subarray(from, from + target.length));
    return target.length;
  };
  expect((await openSafetensors({ byteLength: bytes.length, slice() {}, read })).size).toBe(0);
  const [first, second] = [8 + 8 * 2 ** 20, 8 + 16 * 2 ** 20];
  expect(ranges.slice(-3)).toEqual([
    [8, first],
    [first, second],
    [second, bytes.length],
  ]);
});

test('a header whose length is spelled as JSON begins is no index', async () => {
  const bytes = spacious(0x7b20);
  expect(String.fromCharCode(...bytes.subarray(0, 3))).toBe(' {\0');
  expect((await openSafetensors(bytes)).size).toBe(0);
});

describe('lies', () => {
  /** A source that is true until its header was read. */
  const lying = (lie) => {
    let isTrue = true;
    return {
      byteLength: file.length,
      slice(from, to) {
        if (!isTrue) return lie(from, to);
        isTrue = false;
        return file.slice(from, to);
      },
    };
  };
  const read = async (source) => (await openNpy(source)).read();
  const reading = (lie) => ({
    byteLength: file.length,
    slice() {},
    read(target, from) {
      target.set(file.subarray(from, from + target.length));
      return from === 0 ? target.length : lie(target, from);
    },
  });

  test.each([
    ['short', (from, to) => file.slice(from, to - 1), 'must give 3000 bytes from 128, got 2999'],
    ['empty', () => new Uint8Array(0), 'must give 3000 bytes from 128, got 0'],
    ['long', (from, to) => new Uint8Array(to - from + 1), 'must give 3000 bytes from 128, got 3001'],
    ['an enormous one', () => new ArrayBuffer(1e8), 'must give 3000 bytes from 128, got 100000000'],
  ])('a slice is %s', (_, lie, rule) =>
    expectRejection(() => read(lying(lie)), RangeError, `Entry.read: source ${rule}`),
  );

  test.each([
    [() => 'text', "'text'"],
    [() => undefined, 'undefined'],
    [() => [1], 'Array'],
    [() => new Int8Array(3000), 'Int8Array'],
  ])('a slice is no bytes %#', (lie, got) =>
    expectRejection(
      () => read(lying(lie)),
      TypeError,
      `Entry.read: source must give an ArrayBuffer or a Uint8Array, got ${got}`,
    ),
  );

  test.each([0, -1, 3001, 1.5, NaN, Infinity, '3000', undefined, null])('read says %j', (count) =>
    expectRejection(
      () => read(reading(async () => count)),
      RangeError,
      `Entry.read: source must give 3000 bytes from 128, got ${typeof count === 'string' ? `'${count}'` : count}`,
    ),
  );

  test('what a source throws is passed on', async () => {
    const error = new Error('gone');
    const thrower = () => {
      throw error;
    };
    for (const source of [lying(thrower), lying(() => Promise.reject(error)), reading(thrower)])
      await expect(read(source)).rejects.toBe(error);
    const { signal } = new AbortController();
    const entry = await openNpy(lying(() => Promise.reject(error)));
    await expect(entry.read({ signal })).rejects.toBe(error);
  });

  test('memory that was there is not', async () => {
    const bytes = file.slice();
    const entry = await openNpy(bytes);
    structuredClone(bytes, { transfer: [bytes.buffer] });
    await expectRejection(() => entry.read(), RangeError, 'Entry.read: source must keep its 3128 bytes, got 0');
  });

  test('memory that is written to is taken away', async () => {
    const out = { type: 'uint8', data: new Uint8Array(3000), dims: [3, 1000] };
    const source = lying((from, to) => {
      structuredClone(out.data, { transfer: [out.data.buffer] });
      return file.slice(from, to);
    });
    const entry = await openNpy(source);
    await expect(entry.read({ out })).rejects.toBeInstanceOf(RangeError);
  });

  test('a slow one is left at the signal', async () => {
    const end = new AbortController();
    const entry = await openNpy(lying(() => new Promise(() => {})));
    const reason = new Error('enough');
    setTimeout(() => end.abort(reason), 10);
    await expect(entry.read({ signal: end.signal })).rejects.toBe(reason);
    await expect(entry.read({ signal: end.signal })).rejects.toBe(reason);
    const pieces = entry.pieces({ signal: end.signal });
    await expect(pieces.next()).rejects.toBe(reason);
  });

  test.each([
    [1, TypeError, 'got 1'],
    [null, TypeError, 'got null'],
    ['path', TypeError, "got 'path'"],
    [{}, TypeError, 'got an object'],
    [[1], TypeError, 'got Array'],
    [new Int8Array(1), TypeError, 'got Int8Array'],
    [{ byteLength: 1 }, TypeError, 'got an object'],
    [{ size: 1 }, TypeError, 'got an object'],
  ])('%j is no source', (source, Class, got) =>
    expectRejection(
      () => openNpy(source),
      Class,
      `openNpy: source must be a Uint8Array, an ArrayBuffer, a Blob, a FileHandle or { byteLength, slice }, ${got}`,
    ),
  );

  const slice = () => new Uint8Array(0);
  test.each([
    [{ byteLength: -1, slice }, RangeError, 'source.byteLength must be a whole number from 0, got -1'],
    [{ byteLength: 1.5, slice }, RangeError, 'source.byteLength must be a whole number from 0, got 1.5'],
    [{ byteLength: '9', slice }, RangeError, "source.byteLength must be a whole number from 0, got '9'"],
    [{ byteLength: 9n, slice }, RangeError, 'source.byteLength must be a whole number from 0, got 9'],
    [{ byteLength: 1, slice, read: 1 }, TypeError, 'source.read must be a function, got 1'],
    [{ size: 2 ** 60, slice }, RangeError, 'source.size must be a whole number from 0, got 1152921504606847000'],
    [
      { stat: async () => ({ size: NaN }), read: slice },
      RangeError,
      'source size must be a whole number from 0, got NaN',
    ],
  ])('of lengths %#', (source, Class, rule) => expectRejection(() => openNpy(source), Class, `openNpy: ${rule}`));

  test('an enormous length costs nothing', async () => {
    const claims = { byteLength: Number.MAX_SAFE_INTEGER, slice: (from, to) => file.slice(from, to) };
    await expectRejection(() => openNpy(claims), RangeError, 'openNpy: source must give 10012 bytes from 0, got 3128');
  });
});

describe('shards and external data are named', () => {
  const shard = writeSafetensors(new Map([['a', x]]));
  const index = new TextEncoder().encode(JSON.stringify({ weight_map: { a: 'one', b: 'two' } }));
  const short = { byteLength: 20, slice: () => new Uint8Array(1) };

  test.each([
    [
      () => openSafetensors(index),
      TypeError,
      'openSafetensors: an index needs the option shard, a function, got undefined',
    ],
    [
      () => openSafetensors(index, { shard: () => short }),
      RangeError,
      "openSafetensors: shard 'one' must give 20 bytes from 0, got 1",
    ],
    [
      () => openSafetensors(index, { shard: () => shard }),
      RangeError,
      "openSafetensors: shard 'two' must have tensor 'b', got none of that name",
    ],
    [() => openSafetensors(index, { shard: () => shard.slice(1) }), RangeError, undefined],
    [
      () => openSafetensors(index, { shard: () => new Uint8Array(3) }),
      RangeError,
      "openSafetensors: shard 'one': bytes must have a header length of 8 bytes, got 3 bytes",
    ],
    [
      () => openSafetensors(new TextEncoder().encode('{"weight_map":')),
      RangeError,
      'openSafetensors: index must be JSON, got \'{"weight_map":\'',
    ],
    [
      () => openSafetensors(new TextEncoder().encode('{"weight_map":{"a":1}}')),
      RangeError,
      'openSafetensors: index must have a weight_map of strings, got \'{"weight_map":{"a":1}}\'',
    ],
    [
      () => openSafetensors({ byteLength: 2e8, slice: (from, to) => new Uint8Array(to - from).fill(0x7b) }),
      RangeError,
      'openSafetensors: index must have at most 100000000 bytes, got 200000000',
    ],
  ])('%#', async (call, Class, message) => {
    if (message) await expectRejection(call, Class, message);
    else await expect(call()).rejects.toThrow(/^openSafetensors: shard 'one': /);
  });

  test.each(namesOutside)('the shard %j is not asked for, nor the one before it', async (name) => {
    const weights = { weight_map: { a: 'one', b: name } };
    const asked = [];
    await expectRejection(
      () => openSafetensors(new TextEncoder().encode(JSON.stringify(weights)), { shard: (one) => asked.push(one) }),
      RangeError,
      `openSafetensors: shard must be a path inside the index's folder, got '${name}'`,
    );
    expect(asked).toEqual([]);
  });

  test.each(namesInside)('the shard %j is asked for', async (name) => {
    const asked = [];
    const open = (one) => {
      asked.push(one);
      return shard;
    };
    const weights = { weight_map: { a: name } };
    await openSafetensors(new TextEncoder().encode(JSON.stringify(weights)), { shard: open });
    expect(asked).toEqual([name]);
  });

  test('an index that begins with space', async () => {
    const spaced = new TextEncoder().encode(` \n${JSON.stringify({ weight_map: { a: 'one' } })}`);
    expect([...(await openSafetensors(spaced, { shard: async () => shard })).keys()]).toEqual(['a']);
  });

  test('external data: opened when they are read, and once; tried again after a failure', async () => {
    const graph = Uint8Array.of(8, 8, 0x3a, 0);
    const { model, externalFile } = await saveModel(
      graph,
      new Map([
        ['w', new Entry(x)],
        ['v', new Entry(x)],
      ]),
      { externalName: 'w.bin' },
    );
    const [modelBytes, data] = [await bytesOf(model), await bytesOf(externalFile)];
    const asked = [];
    const { initializers } = await openModel(modelBytes, {
      external(location) {
        asked.push(location);
        if (asked.length === 1) throw new Error('not yet');
        return data;
      },
    });
    expect(asked).toEqual([]);
    await expectRejection(() => initializers.get('w').read(), Error, 'not yet');
    expectTensor(await initializers.get('w').read(), 'uint8', [3, 1000], x.data);
    expectTensor(await initializers.get('v').read(), 'uint8', [3, 1000], x.data);
    expect(asked).toEqual(['w.bin', 'w.bin']);
    const cut = await openModel(modelBytes, { external: () => data.slice(0, 4000) });
    const message = "Entry.read: external 'w.bin' must have 6008 bytes, got 4000";
    await expectRejection(() => cut.initializers.get('v').read(), RangeError, message);
  });
});
