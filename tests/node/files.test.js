/** Files by their paths: sources, weights of any format, and writing. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { spawn, spawnSync } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { init, Tensor } from 'onnx-layout';
import {
  Entry,
  openNpy,
  readSafetensors,
  saveModel,
  saveNpy,
  saveSafetensors,
  writeNpy,
  writeSafetensors,
} from 'onnx-layout/io';
import { fileSource, openWeights, writeFiles } from 'onnx-layout/node';
import { expectTensor } from '../support/assertions.js';
import { temporaryFolder } from '../support/programs.js';
import { bytesOf, expectRejection } from '../weights/files.js';

beforeAll(() => init());

const folder = temporaryFolder();
const at = (name) => join(folder, name);
const write = (name, bytes) => writeFileSync(at(name), bytes);
const x = Tensor.from('float32', [1, 2, 3, 4, 5, 6], [2, 3]);
const y = Tensor.from('int8', [7]);

describe('fileSource', () => {
  test('gives the size and the bytes, of short and of long reads', async () => {
    const bytes = Buffer.alloc(300_000).map((_, i) => i % 251);
    write('bytes', bytes);
    const source = await fileSource(at('bytes'));
    expect(source.byteLength).toBe(300_000);
    expect(Buffer.from(await source.slice(5, 25))).toEqual(bytes.subarray(5, 25));
    expect((await source.slice(7, 7)).length).toBe(0);
    expect(Buffer.from(await source.slice(1, 200_001))).toEqual(bytes.subarray(1, 200_001));
    const target = new Uint8Array(10);
    expect([await source.read(target, 250), target[0], target[1]]).toEqual([10, 250, 0]);
    await source.close();
  });

  test('passes on what the system says', async () => {
    await expect(fileSource(at('none'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('lets go of a file whose size the system does not tell', async () => {
    write('bytes', Buffer.of(1));
    const handle = await open(at('bytes'));
    const kind = Object.getPrototypeOf(handle);
    await handle.close();
    const failure = new Error('EIO: i/o error, fstat');
    const stat = jest.spyOn(kind, 'stat').mockRejectedValueOnce(failure);
    try {
      await expect(fileSource(at('bytes'))).rejects.toBe(failure);
      // Closed.
      expect(stat.mock.contexts.map(({ fd }) => fd)).toEqual([-1]);
    } finally {
      stat.mockRestore();
    }
  });

  test('a file that became shorter is named in the error', async () => {
    write('shrinks.npy', writeNpy(x));
    const source = await fileSource(at('shrinks.npy'));
    const entry = await openNpy(source);
    write('shrinks.npy', writeNpy(x).slice(0, 140));
    await expectRejection(() => entry.read(), RangeError, 'Entry.read: source must give 12 bytes from 140, got 0');
    await source.close();
  });

  test('a FileHandle of Node is a source as it is', async () => {
    write('x.npy', writeNpy(x));
    const handle = await open(at('x.npy'));
    expectTensor(await (await openNpy(handle)).read(), 'float32', [2, 3], x.data);
    await handle.close();
  });
});

describe('openWeights', () => {
  const opened = async (name, options) => {
    const { close, entries, format, byteLength } = await openWeights(at(name), options);
    const tensors = {};
    try {
      for (const [key, entry] of entries) tensors[key] = (await entry.read()).toArray();
    } finally {
      await close();
    }
    return { format, byteLength, tensors };
  };
  const values = x.toArray();

  test('tells formats by their first bytes', async () => {
    const safetensors = writeSafetensors(new Map([['x', x]]));
    write('a', writeNpy(x));
    write('b', safetensors);
    write('c', await bytesOf((await saveModel(Uint8Array.of(8, 8, 0x3a, 0), new Map([['x', x]]))).model));
    expect(await opened('a')).toEqual({ format: 'npy', byteLength: 152, tensors: { '': values } });
    expect(await opened('b')).toEqual({
      format: 'safetensors',
      byteLength: safetensors.length,
      tensors: { x: values },
    });
    expect(await opened('c')).toEqual({ format: 'onnx', byteLength: 41, tensors: { x: values } });
    write('void.npy', writeNpy({ type: 'int4', data: Uint8Array.of(0x21), dims: [2] }));
    expect((await opened('void.npy', { type: 'int4' })).tensors).toEqual({ '': [1, 2] });
  });

  test('an index, and a folder with one, are all of its shards', async () => {
    mkdirSync(at('shards'));
    write('shards/1.safetensors', writeSafetensors(new Map([['x', x]])));
    write('shards/2.safetensors', writeSafetensors(new Map([['y', y]])));
    const index = { metadata: { total_size: 25 }, weight_map: { y: '2.safetensors', x: '1.safetensors' } };
    const without = await opened('shards');
    expect(Object.keys(without.tensors)).toEqual(['x', 'y']);
    write('shards/model.safetensors.index.json', JSON.stringify(index));
    // What the index does not name is left out.
    write('shards/3.safetensors', writeSafetensors(new Map([['z', x]])));
    const tensors = { y: [7], x: values };
    for (const name of ['shards', 'shards/model.safetensors.index.json'])
      expect((await opened(name)).tensors).toEqual(tensors);
  });

  test('external data are files of the folder; a link does not lead out', async () => {
    mkdirSync(at('model'));
    const graph = Uint8Array.of(8, 8, 0x3a, 0);
    const big = Tensor.from('uint8', new Uint8Array(2000).fill(3));
    const { model, external } = await saveModel(graph, new Map([['big', big]]), { external: 'w.bin' });
    await writeFiles({ [at('model/w.bin')]: external, [at('model/m.onnx')]: model });
    expect((await opened('model/m.onnx')).tensors.big).toEqual([...big.data]);
    write('w.bin', new Uint8Array(2000));
    mkdirSync(at('linked'));
    symlinkSync('../w.bin', at('linked/w.bin'));
    write('linked/m.onnx', readFileSync(at('model/m.onnx')));
    await expectRejection(
      () => opened('linked/m.onnx'),
      RangeError,
      "openWeights: external data must be inside the model's folder, got w.bin",
    );
  });

  test.each([
    [() => openWeights(1), TypeError, 'openWeights: file must be a path or a Uint8Array, got 1'],
    [
      () => openWeights(at('b'), { typ: 1 }),
      TypeError,
      "openWeights: unknown option 'typ', did you mean 'type'? Known: type, folder",
    ],
  ])('%#', (call, Class, message) => expectRejection(call, Class, message));

  test('a folder without shards, and one with a tensor twice', async () => {
    mkdirSync(at('empty'));
    await expectRejection(
      () => openWeights(at('empty')),
      RangeError,
      `openWeights: '${at('empty')}' must have safetensors files, got none`,
    );
    mkdirSync(at('twice'));
    for (const name of ['a', 'b']) write(`twice/${name}.safetensors`, writeSafetensors(new Map([['x', x]])));
    await expectRejection(
      () => openWeights(at('twice')),
      RangeError,
      "openWeights: shards must have tensors of different names, got 'x' twice",
    );
  });
});

describe('writeFiles', () => {
  const left = () => readdirSync(folder).filter((name) => name.endsWith('.tmp'));

  test('bytes, iterables and what is saved, by an object or a Map', async () => {
    await writeFiles({ [at('o1')]: Uint8Array.of(1, 2), [at('o2')]: Readable.from([Buffer.of(3), Buffer.of(4)]) });
    await writeFiles(new Map([[at('o3.npy'), saveNpy(x)]]));
    expect(['o1', 'o2'].map((name) => [...readFileSync(at(name))])).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(new Uint8Array(readFileSync(at('o3.npy')))).toEqual(writeNpy(x));
    expect(left()).toEqual([]);
  });

  test('a link stays a link, and a file keeps its mode', async () => {
    write('real', '1');
    chmodSync(at('real'), 0o640);
    symlinkSync('real', at('link'));
    await writeFiles({ [at('link')]: Uint8Array.of(50) });
    expect([readFileSync(at('real'), 'utf8'), statSync(at('real')).mode & 0o777]).toEqual(['2', 0o640]);
    expect(
      readdirSync(folder, { withFileTypes: true })
        .find(({ name }) => name === 'link')
        .isSymbolicLink(),
    ).toBe(true);
  });

  test.each([
    ['absent', 'absent'],
    ['sub/absent', 'targets/absent'],
    ['second', 'third'],
    ['up/../past', 'targets/past'],
  ])('a link to %s, where nothing is yet, stays a link', async (target, written) => {
    mkdirSync(at('targets/deep'), { recursive: true });
    if (!existsSync(at('sub'))) {
      symlinkSync('targets', at('sub'));
      symlinkSync('third', at('second'));
      // The folder above its target is not the one that the text says.
      symlinkSync('targets/deep', at('up'));
    }
    const link = `to ${target.replaceAll('/', ' ')}`;
    symlinkSync(target, at(link));
    await writeFiles({ [at(link)]: Uint8Array.of(51) });
    expect([
      readlinkSync(at(link)),
      lstatSync(at(written)).isFile(),
      readFileSync(at(written), 'utf8'),
      left(),
    ]).toEqual([target, true, '3', []]);
  });

  test('an absolute link, where nothing is yet, stays a link', async () => {
    symlinkSync(at('far'), at('absolute'));
    await writeFiles({ [at('absolute')]: Uint8Array.of(51) });
    expect([readlinkSync(at('absolute')), readFileSync(at('far'), 'utf8')]).toEqual([at('far'), '3']);
  });

  test('links in a circle are refused, and stay', async () => {
    symlinkSync('loop b', at('loop a'));
    symlinkSync('loop a', at('loop b'));
    await expect(writeFiles({ [at('loop a')]: Uint8Array.of(1) })).rejects.toMatchObject({ code: 'ELOOP' });
    expect([readlinkSync(at('loop a')), readlinkSync(at('loop b')), left()]).toEqual(['loop b', 'loop a', []]);
  });

  test('a device is written as it is', async () => {
    await writeFiles({ '/dev/null': saveNpy(x) });
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  test('a pipe gets the bytes in order', async () => {
    const fifo = at('pipe');
    const { status } = await new Promise((resolve) => {
      spawn('mkfifo', [fifo]).on('close', (code) => resolve({ status: code }));
    });
    expect(status).toBe(0);
    const reader = spawn('cat', [fifo]);
    const chunks = [];
    reader.stdout.on('data', (chunk) => chunks.push(chunk));
    const ended = new Promise((resolve) => {
      reader.on('close', resolve);
    });
    await writeFiles({ [fifo]: saveNpy(new Entry(x).transpose()) });
    await ended;
    expect(Buffer.concat(chunks).length).toBe(152);
  });

  test('a failure in one file leaves all as they were', async () => {
    write('one', 'old');
    const broken = (async function* () {
      yield Uint8Array.of(1);
      throw new Error('no more');
    })();
    await expectRejection(() => writeFiles({ [at('one')]: Uint8Array.of(9), [at('two')]: broken }), Error, 'no more');
    expect([readFileSync(at('one'), 'utf8'), existsSync(at('two')), left()]).toEqual(['old', false, []]);
  });

  test('in the middle, the final name is as it was', async () => {
    write('slow', 'old');
    const seen = [];
    const content = (async function* () {
      yield Uint8Array.of(1);
      seen.push(readFileSync(at('slow'), 'utf8'), left().length);
      yield Uint8Array.of(2);
    })();
    await writeFiles({ [at('slow')]: content });
    expect([...seen, [...readFileSync(at('slow'))]]).toEqual(['old', 1, [1, 2]]);
  });

  test('an end by a signal', async () => {
    const end = new AbortController();
    const saved = saveNpy(new Entry(new Tensor('uint8', new Uint8Array(2 ** 24), [2 ** 24])), {
      signal: end.signal,
      onProgress: ({ done }) => done > 2 ** 22 && end.abort(new Error('enough')),
    });
    await expectRejection(() => writeFiles({ [at('ended')]: saved }), Error, 'enough');
    expect([existsSync(at('ended')), left()]).toEqual([false, []]);
  });

  test.each([
    [() => writeFiles(1), TypeError, 'writeFiles: files must be an object or a Map, got 1'],
    [() => writeFiles({ a: 1 }), TypeError, "writeFiles: 'a' must be a Uint8Array or an async iterable, got 1"],
    [() => writeFiles({ a: null }), TypeError, "writeFiles: 'a' must be a Uint8Array or an async iterable, got null"],
    [
      () => writeFiles({ [at('s')]: Readable.from(['text']) }),
      TypeError,
      `writeFiles: '${at('s').slice(0, 60)}' must be made of Uint8Arrays, got 'text'`,
    ],
    [
      () => writeFiles({ [at('s')]: Object.assign(Readable.from([Buffer.of(1)]), { byteLength: 2 }) }),
      RangeError,
      `writeFiles: '${at('s').slice(0, 60)}' must have 2 bytes, got 1`,
    ],
  ])('%#', (call, Class, message) => expectRejection(call, Class, message));

  test('what the package saves, in tiles too, is what it saves in order', async () => {
    const wide = new Entry(
      new Tensor(
        'uint16',
        Uint16Array.from({ length: 5000 * 3501 }, (_, i) => i),
        [5000, 3501],
      ),
    );
    const turned = wide.transpose();
    await writeFiles({
      [at('t.npy')]: saveNpy(turned),
      [at('t.safetensors')]: saveSafetensors(new Map([['t', turned]])),
    });
    const inOrder = await bytesOf(saveNpy(turned));
    expect(Buffer.compare(readFileSync(at('t.npy')), inOrder)).toBe(0);
    const { data } = readSafetensors(new Uint8Array(readFileSync(at('t.safetensors')))).get('t');
    expect(Buffer.compare(Buffer.from(data.buffer, data.byteOffset, data.byteLength), inOrder.subarray(128))).toBe(0);
  }, 60_000);
});
