/**
 * The memory that entries read and write: taken away while they work, it is refused in words, and no byte of an earlier
 * call shows up in a result.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { cast, init, Tensor, transpose } from 'onnx-layout';
import { Entry, openModel, openNpy, saveModel, saveNpy, saveSafetensors, writeNpy } from 'onnx-layout/io';
import { expectTensor, expectRejection } from '../support/assertions.js';
import { bytesOf } from './files.js';
import { lists } from '../support/tables.js';

beforeAll(() => init());

const emptyModel = Uint8Array.of(8, 8, 0x3a, 0);
const secret = 0xab;

/** Fills the memory that pieces pass through with bytes of another call. */
function leaveBytes() {
  for (const side of [16, 256, 2048])
    transpose(new Tensor('uint8', new Uint8Array(side ** 2).fill(secret), [side, side]));
}

/** Ways to the bytes of an entry, and the function that is named in messages. */
const ways = [
  ['read', 'Entry.read', (entry) => entry.read()],
  ['cast', 'Entry.read', (entry) => entry.cast('int16').read()],
  ['transpose', 'Entry.read', (entry) => entry.transpose().read()],
  ['slice', 'Entry.read', (entry) => entry.slice([-1], [-1e9], [0], [-2]).read()],
  ['concat', 'Entry.read', (entry) => Entry.concat([entry, entry], { axis: 1 }).read()],
  ['pieces', 'Entry.pieces', (entry) => entry.pieces().next()],
  ['saveNpy', 'saveNpy', (entry) => bytesOf(saveNpy(entry))],
  ['saveSafetensors', 'saveSafetensors', (entry) => bytesOf(saveSafetensors(new Map([['x', entry]])))],
  ['saveModel', 'saveModel', async (entry) => bytesOf((await saveModel(emptyModel, new Map([['x', entry]]))).model)],
];

/** Sizes on the engine's ways: by words, in one piece, as one run, in slabs. */
const shapes = lists('[4, 6], [40, 60], [1000, 600]');

describe.each(ways)('%s', (_, prefix, call) => {
  test.each(shapes)('refuses data that shrank, of %p x %p', async (...dims) => {
    const size = dims[0] * dims[1];
    for (const left of [size - 1, 3, 0]) {
      const buffer = new ArrayBuffer(size, { maxByteLength: size });
      const entry = new Entry({ type: 'uint8', data: new Uint8Array(buffer), dims });
      leaveBytes();
      buffer.resize(left);
      const message = `${prefix}: memory that is read must hold ${size} bytes, got ${left}`;
      await expectRejection(() => call(entry), RangeError, message);
    }
  });

  test.each(shapes)('refuses data that is gone, of %p x %p', async (...dims) => {
    const size = dims[0] * dims[1];
    const data = new Uint8Array(size);
    const entry = new Entry({ type: 'uint8', data, dims });
    structuredClone(data.buffer, { transfer: [data.buffer] });
    const message = `${prefix}: memory that is read must hold ${size} bytes, got 0`;
    await expectRejection(() => call(entry), RangeError, message);
  });

  test('has dims that nobody can change', async () => {
    const entry = new Entry(new Tensor('uint8', new Uint8Array(24).fill(1), [4, 6]));
    expect(() => {
      entry.dims[0] = 400;
    }).toThrow(TypeError);
    leaveBytes();
    const given = await call(entry);
    expect(JSON.stringify(given.data ? [...given.data] : given)).not.toContain(String(secret));
  });
});

test('dims of entries of every kind are frozen', async () => {
  const tensor = new Tensor('uint8', new Uint8Array(24), [4, 6]);
  const entry = new Entry(tensor);
  const file = await openNpy(writeNpy(tensor));
  const derived = [entry.cast('int8'), entry.transpose(), entry.slice([0], [1]), Entry.concat([entry], { axis: 0 })];
  for (const each of [entry, file, ...derived]) expect(Object.isFrozen(each.dims)).toBe(true);
  expect(Object.isFrozen(tensor.dims)).toBe(false);
});

describe('memory that is written', () => {
  /** A source whose read runs code of the caller's in the middle. */
  const meddling = (bytes, meddle) => ({
    byteLength: bytes.length,
    async read(target, start) {
      target.set(bytes.subarray(start, start + target.length));
      await meddle(start);
      return target.length;
    },
    slice: () => {},
  });
  /** An `out` that can shrink. */
  const shrinking = (bytes) => new Uint8Array(new ArrayBuffer(bytes, { maxByteLength: bytes }));

  test.each([
    ['whole', [4, 6], (entry) => entry, 24, 'memory that is read to must stay in place, got 0 of 24 bytes'],
    ['turned', [4, 6], (entry) => entry.transpose(), 24, 'uint8 data of dims [6, 4] has 24 bytes, got 0'],
    ['cast', [4, 6], (entry) => entry.cast('int8'), 24, 'int8 data of dims [4, 6] has 24 entries, got 0'],
    [
      'stepped',
      [4, 6],
      (entry) => entry.slice([0], [6], [1], [2]),
      12,
      'memory that is written must hold 12 bytes, got 0',
    ],
  ])('is gone while a source is awaited: %s', async (_, dims, make, bytes, rule) => {
    const file = writeNpy(new Tensor('uint8', new Uint8Array(24), dims));
    const gone = { memory: undefined };
    const entry = make(
      await openNpy(
        meddling(file, () => {
          if (gone.memory) structuredClone(gone.memory, { transfer: [gone.memory] });
        }),
      ),
    );
    const data = entry.type === 'int8' ? new Int8Array(bytes) : new Uint8Array(bytes);
    gone.memory = data.buffer;
    const out = { type: entry.type, data, dims: [...entry.dims] };
    const prefix = { uint8: 'Transpose-25', int8: 'Cast-28' }[/data of/.test(rule) ? entry.type : ''] ?? 'Entry.read';
    await expectRejection(() => entry.read({ out }), RangeError, `${prefix}: ${rule}`);
  });

  test('is gone while external data is opened', async () => {
    const tensor = new Tensor('uint8', new Uint8Array(2048).fill(1), [2048]);
    const { model, externalFile } = await saveModel(emptyModel, new Map([['x', tensor]]), { externalName: 'data' });
    const outside = await bytesOf(externalFile);
    const out = { type: 'uint8', data: new Uint8Array(2048), dims: [2048] };
    const opened = await openModel(await bytesOf(model), {
      external: async () => {
        structuredClone(out.data.buffer, { transfer: [out.data.buffer] });
        return outside;
      },
    });
    const message = 'Entry.read: memory that is written must hold 2048 bytes, got 0';
    await expectRejection(() => opened.initializers.get('x').read({ out }), RangeError, message);
  });

  test('shrinks between pieces', async () => {
    // Pieces of 4 MiB: the second one finds `out` too short.
    const length = 10 * 2 ** 20;
    const data = shrinking(length);
    const file = writeNpy({ type: 'uint8', data: new Uint8Array(length), dims: [length] });
    let [reads, isUnknown] = [0, false];
    const entry = await openNpy(
      meddling(file, () => {
        if (++reads === 1 && isUnknown) data.buffer.resize(4 * 2 ** 20);
      }),
    );
    [reads, isUnknown] = [0, true];
    const message = 'Entry.read: memory that is written must hold 8388608 bytes, got 4194304';
    await expectRejection(() => entry.read({ out: { type: 'uint8', data, dims: [length] } }), RangeError, message);
    expect(reads).toBe(1);
  });

  test('shrinks between runs of one piece', async () => {
    const file = writeNpy(new Tensor('uint8', new Uint8Array(4 * 100_000), [4, 100_000]));
    let left = Infinity;
    const data = shrinking(8);
    const entry = await openNpy(
      meddling(file, () => {
        if (--left === 0) data.buffer.resize(3);
      }),
    );
    left = 1;
    const out = { type: 'uint8', data, dims: [4, 2] };
    const message = 'Entry.read: memory that is written must hold 4 bytes, got 0';
    await expectRejection(() => entry.slice([0], [2], [1]).read({ out }), RangeError, message);
  });
});

describe('bytes whose memory the caller takes', () => {
  /** The bytes of a file whose pieces are all taken away, as by posting them to a worker. */
  async function taken(writes, byteLength) {
    const file = new Uint8Array(byteLength);
    for await (const { at, bytes } of writes) {
      file.set(bytes, at);
      structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    }
    return file;
  }

  test('pieces in order keep their places', async () => {
    const data = Uint8Array.from({ length: 9 * 2 ** 20 }, (_, i) => i % 251);
    const tensor = new Tensor('uint8', data, [9, 2 ** 20]);
    const progress = [];
    const saved = saveNpy(tensor, { onProgress: ({ done, total }) => progress.push([done, total]) });
    for (const again of [1, 2]) {
      const file = await taken(saved.writes(), saved.byteLength);
      expect([again, Buffer.compare(file, new Uint8Array(writeNpy(tensor)))]).toEqual([again, 0]);
      expect(progress.at(-1)).toEqual([saved.byteLength, saved.byteLength]);
    }
  });

  test('bytes of a model that the caller takes are refused', async () => {
    const model = Uint8Array.of(8, 8, 0x3a, 2, 0x12, 0);
    const { model: saved } = await saveModel(model, new Map([['x', new Tensor('uint8', new Uint8Array(1), [1])]]));
    structuredClone(model.buffer, { transfer: [model.buffer] });
    await expectRejection(() => bytesOf(saved), RangeError, 'saveModel: memory that is read must hold 2 bytes, got 0');
  });

  test('runs of a tile are refused', async () => {
    const data = new Uint8Array(36 * 2 ** 20);
    const saved = saveNpy(new Entry(new Tensor('uint8', data, [6 * 2 ** 10, 6 * 2 ** 10])).transpose());
    const message = expect.stringMatching(/^saveNpy: memory that is read must hold \d+ bytes, got 0$/);
    await expectRejection(() => taken(saved.writes(), saved.byteLength), RangeError, message);
  });
});

test('thousands of cast entries are saved in the memory of one', async () => {
  const size = 16 * 2 ** 10;
  const wide = new Tensor(
    'float32',
    Float32Array.from({ length: size }, (_, i) => i % 251),
    [size],
  );
  const narrow = cast(wide, 'float16');
  // Both directions: the buffers that one leaves are longer and shorter than those that the next one takes.
  const made = [() => new Entry(wide).cast('float16'), () => new Entry(narrow).cast('float32')];
  const expected = [narrow, wide].map(({ data }) => Buffer.from(data.buffer));
  const entries = new Map(Array.from({ length: 3000 }, (_, i) => [`x${i}`, made[i % 2]()]));
  const saved = saveSafetensors(entries);
  const buffers = new Set();
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  let isHeader = true;
  for await (const { bytes } of saved.writes()) {
    if (!isHeader) expect(expected.some((one) => one.equals(bytes))).toBe(true);
    isHeader = false;
    buffers.add(bytes.buffer);
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  // The header, the piece and what it is cast from, which take turns. 3000 pieces have 140 MiB.
  expect(buffers.size).toBeLessThanOrEqual(3);
  expect(most).toBeLessThan(2 ** 20);
});

describe('signals', () => {
  test.each(['setImmediate', 'MessageChannel'])('end a transpose by %s, and timers run meanwhile', async (how) => {
    const { setImmediate } = globalThis;
    if (how === 'MessageChannel') delete globalThis.setImmediate;
    const rows = 6000;
    let reads = 0;
    const header = writeNpy({ type: 'float32', data: new Float32Array(0), dims: [0, rows] }).subarray(0, 128);
    const first = Buffer.from(Buffer.from(header).toString('latin1').replace('(0, 6000)', '(6000, 6000)'), 'latin1');
    const source = {
      byteLength: 128 + 4 * rows * rows,
      slice: () => expect(undefined).toBeDefined(),
      read(target, start) {
        if (start === 0) target.set(first.subarray(0, target.length));
        reads++;
        return target.length;
      },
    };
    const entry = (await openNpy(source)).transpose();
    const end = new AbortController();
    const reported = [];
    const reason = new Error('enough');
    setTimeout(() => end.abort(reason), 30);
    const whole = async () => {
      const saved = saveNpy(entry, { signal: end.signal, onProgress: ({ done }) => reported.push(done) });
      for await (const { bytes } of saved.writes()) expect(bytes.length).toBeGreaterThan(0);
    };
    await expect(whole().finally(() => Object.assign(globalThis, { setImmediate }))).rejects.toBe(reason);
    // Its source answers at once.
    expect(reads).toBeLessThan(12_000);
    expect(reported.length).toBeLessThan(1000);
  });

  test.each([
    ['read', (entry, signal) => entry.read({ signal })],
    [
      'a read that fails',
      (entry, signal) =>
        entry
          .slice([1], [0])
          .cast('float16')
          .read({ signal, rows: [0, 0] }),
    ],
    [
      'pieces',
      async (entry, signal) => {
        for await (const piece of entry.pieces({ signal })) expect(piece.type).toBe('uint8');
      },
    ],
    ['saving', (entry, signal) => bytesOf(saveNpy(entry, { signal }))],
  ])('keep no listener after %s', async (_, call) => {
    const { signal } = new AbortController();
    const file = writeNpy(new Tensor('uint8', new Uint8Array(24), [4, 6]));
    const most = [];
    const source = {
      byteLength: file.length,
      async slice(start, end) {
        most.push(getEventListeners(signal, 'abort').length);
        return file.slice(start, end);
      },
    };
    const entry = await openNpy(source);
    await call(entry, signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(Math.max(...most)).toBe(0);
  });

  test('keep no listener after a source that fails', async () => {
    const { signal } = new AbortController();
    const file = writeNpy(new Tensor('uint8', new Uint8Array(24), [4, 6]));
    let isBroken = false;
    let listeners = 0;
    const entry = await openNpy({
      byteLength: file.length,
      async slice(start, end) {
        await null;
        listeners = getEventListeners(signal, 'abort').length;
        if (isBroken) throw new TypeError('broken');
        return file.slice(start, end);
      },
    });
    isBroken = true;
    await expectRejection(() => entry.read({ signal }), TypeError, 'broken');
    expect(listeners).toBe(1);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

test('a tensor whose dims change in the file between opening and reading', async () => {
  /** A model whose one initializer has its numbers apart, so that they are parsed when they are read. */
  const modelOf = (...dims) => {
    const tensor = [...dims.flatMap((extent) => [0x08, extent]), 0x10, 6, 0x42, 1, 0x78];
    for (let i = 1; i <= 6; i++) tensor.push(0x28, i);
    return Uint8Array.of(0x08, 8, 0x3a, tensor.length + 2, 0x2a, tensor.length, ...tensor);
  };
  const file = modelOf(2, 3);
  const entry = (
    await openModel({ byteLength: file.length, slice: (from, to) => file.slice(from, to) })
  ).initializers.get('x');
  expectTensor(await entry.read(), 'int32', [2, 3], Int32Array.of(1, 2, 3, 4, 5, 6));
  for (const dims of lists('[3, 2], [1, 6]')) {
    file.set(modelOf(...dims));
    const message = "Entry.read: source must stay as it is, got another tensor 'x'";
    await expectRejection(() => entry.read(), RangeError, message);
  }
  file.set(modelOf(2, 3));
  expectTensor(await entry.read(), 'int32', [2, 3], Int32Array.of(1, 2, 3, 4, 5, 6));
});
