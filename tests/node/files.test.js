/** Files by their paths: sources, weights of any format, and writing. */
import * as fs from 'node:fs';
import { spawn, spawnSync } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { init, Tensor } from 'onnx-layout';
import * as io from 'onnx-layout/io';
import { fileSource, openWeights, writeFiles } from 'onnx-layout/node';
import { expectTensor, rejects, expectRejection } from '../support/assertions.js';
import { root } from '../support/packed.js';
import { temporaryFolder } from '../support/programs.js';
import { bytesOf } from '../weights/files.js';
import { words } from '../support/tables.js';

beforeAll(() => init());

const folder = temporaryFolder();
const at = (name) => join(folder, name);
const write = (name, bytes) => fs.writeFileSync(at(name), bytes);
const x = Tensor.from('float32', [1, 2, 3, 4, 5, 6], [2, 3]);
const y = Tensor.from('int8', [7]);

test('a source that is dropped closes its file, without a warning; one in use stays open', () => {
  const program = `
    import { readdirSync } from 'node:fs';
    import { fileSource } from 'onnx-layout/node';
    const openFiles = () => readdirSync('/proc/self/fd').length;
    const before = openFiles();
    for (let i = 0; i < 20; i++) await fileSource('package.json');
    const { slice } = await fileSource('package.json');
    for (let i = 0; i < 100 && openFiles() > before + 1; i++) {
      gc();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    console.log(openFiles() - before, (await slice(0, 2)).length);`;
  const args = ['--expose-gc', '--input-type=module', '-e', program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: '1 2\n', stderr: '' });
});

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

  test('passes on what the system says', async () =>
    await expect(fileSource(at('none'))).rejects.toMatchObject({ code: 'ENOENT' }));

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
    write('shrinks.npy', io.writeNpy(x));
    const source = await fileSource(at('shrinks.npy'));
    const entry = await io.openNpy(source);
    write('shrinks.npy', io.writeNpy(x).slice(0, 140));
    await expectRejection(() => entry.read(), RangeError, 'Entry.read: source must give 12 bytes from 140, got 0');
    await source.close();
  });

  test('a FileHandle of Node is a source as it is', async () => {
    write('x.npy', io.writeNpy(x));
    const handle = await open(at('x.npy'));
    expectTensor(await (await io.openNpy(handle)).read(), 'float32', [2, 3], x.data);
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

  test('gives the metadata of a model, where it has one', async () => {
    const metadataOf = async (...fields) => (await openWeights(Uint8Array.of(8, 8, 0x3a, 0, ...fields))).metadata;
    expect(await metadataOf(0x72, 6, 0x0a, 1, 97, 0x12, 1, 98)).toEqual(new Map([['a', 'b']]));
    expect(await metadataOf()).toBe(undefined);
  });

  test('tells formats by their first bytes', async () => {
    const safetensors = io.writeSafetensors(new Map([['x', x]]));
    write('a', io.writeNpy(x));
    write('b', safetensors);
    write('c', await bytesOf((await io.saveModel(Uint8Array.of(8, 8, 0x3a, 0), new Map([['x', x]]))).model));
    expect(await opened('a')).toEqual({ format: 'npy', byteLength: 152, tensors: { '': values } });
    expect(await opened('b')).toEqual({
      format: 'safetensors',
      byteLength: safetensors.length,
      tensors: { x: values },
    });
    expect(await opened('c')).toEqual({ format: 'onnx', byteLength: 41, tensors: { x: values } });
    write('void.npy', io.writeNpy({ type: 'int4', data: Uint8Array.of(0x21), dims: [2] }));
    expect((await opened('void.npy', { dtype: 'int4' })).tensors).toEqual({ '': [1, 2] });
  });

  test('an index, and a folder with one, are all of its shards', async () => {
    fs.mkdirSync(at('shards'));
    write('shards/1.safetensors', io.writeSafetensors(new Map([['x', x]])));
    write('shards/2.safetensors', io.writeSafetensors(new Map([['y', y]])));
    const index = { metadata: { total_size: 25 }, weight_map: { y: '2.safetensors', x: '1.safetensors' } };
    const without = await opened('shards');
    expect(Object.keys(without.tensors)).toEqual(['x', 'y']);
    write('shards/model.safetensors.index.json', JSON.stringify(index));
    // Tensors that the index does not name are left out.
    write('shards/3.safetensors', io.writeSafetensors(new Map([['z', x]])));
    const tensors = { y: [7], x: values };
    for (const name of ['shards', 'shards/model.safetensors.index.json'])
      expect((await opened(name)).tensors).toEqual(tensors);
  });

  test('external data are files of the folder', async () => {
    fs.mkdirSync(at('model'));
    const graph = Uint8Array.of(8, 8, 0x3a, 0);
    const big = Tensor.from('uint8', new Uint8Array(2000).fill(3));
    const { model, externalFile } = await io.saveModel(graph, new Map([['big', big]]), { externalName: 'w.bin' });
    await writeFiles({ [at('model/w.bin')]: externalFile, [at('model/m.onnx')]: model });
    expect((await opened('model/m.onnx')).tensors.big).toEqual([...big.data]);
  });

  describe('links out of the folder', () => {
    const graph = Uint8Array.of(8, 8, 0x3a, 0);
    const index = 'model.safetensors.index.json';
    const weights = { x: 'one.safetensors', y: 'sub/two.safetensors' };
    const tensors = { x: values, y: [7] };

    /** As Hugging Face's cache has a repository: links to files that are named by their hash. */
    beforeAll(async () => {
      const big = Tensor.from('uint8', new Uint8Array(1024).fill(3));
      const { model, externalFile } = await io.saveModel(graph, new Map([['big', big]]), { externalName: 'w.bin' });
      fs.mkdirSync(at('cache/blobs'), { recursive: true });
      fs.mkdirSync(at('cache/snapshots/1/sub'), { recursive: true });
      fs.mkdirSync(at('cache/snapshots/listed'));
      write('cache/blobs/01', io.writeSafetensors(new Map([['x', x]])));
      write('cache/blobs/02', io.writeSafetensors(new Map([['y', y]])));
      write('cache/blobs/03', JSON.stringify({ weight_map: weights }));
      await writeFiles({ [at('cache/blobs/04')]: externalFile, [at('cache/blobs/05')]: model });
      const links = {
        '1/one.safetensors': '../../blobs/01',
        '1/sub/two.safetensors': '../../../blobs/02',
        [`1/${index}`]: '../../blobs/03',
        '1/w.bin': '../../blobs/04',
        '1/model.onnx': '../../blobs/05',
        'listed/one.safetensors': '../../blobs/01',
        'listed/two.safetensors': '../../blobs/02',
      };
      for (const [name, target] of Object.entries(links)) fs.symlinkSync(target, at(`cache/snapshots/${name}`));
      fs.symlinkSync('cache/snapshots/1', at('current'));
      fs.symlinkSync('01', at('cache/blobs/near.safetensors'));
    });

    const paths = ['cache/snapshots/1', `cache/snapshots/1/${index}`, 'current', `current/${index}`];

    test.each([...paths, 'cache/snapshots/listed'])('%s: followed', async (name) => {
      for (const options of [undefined, { links: undefined }, { links: 'follow' }])
        expect((await opened(name, options)).tensors).toEqual(tensors);
    });

    test('of external data: followed', async () => {
      expect((await opened('current/model.onnx')).tensors.big.length).toBe(1024);
      const bytes = new Uint8Array(fs.readFileSync(at('cache/blobs/05')));
      const { entries, close } = await openWeights(bytes, { folder: at('current') });
      expect((await entries.get('big').read()).data[1023]).toBe(3);
      await close();
    });

    test.each([
      ['cache/snapshots/1', `index must be inside the folder, got '${index}', a link out of it`],
      [`current/${index}`, "shard must be inside the folder, got 'one.safetensors', a link out of it"],
      ['cache/snapshots/listed', "shard must be inside the folder, got 'one.safetensors', a link out of it"],
      ['current/model.onnx', "external data must be inside the folder, got 'w.bin', a link out of it"],
    ])('%s: refused where they are to stay inside', (name, rule) =>
      expectRejection(() => opened(name, { links: 'inside' }), RangeError, `openWeights: ${rule}`),
    );

    test('a link within the folder stays inside', async () =>
      expect((await opened('cache/blobs', { links: 'inside' })).tensors).toEqual({ x: values }));

    test('a folder that is a link out: refused too', async () => {
      fs.mkdirSync(at('parent'));
      fs.symlinkSync('../cache/blobs', at('parent/sub'));
      write(`parent/${index}`, JSON.stringify({ weight_map: { x: 'sub/01' } }));
      expect((await opened('parent')).tensors).toEqual({ x: values });
      const message = "openWeights: shard must be inside the folder, got 'sub/01', a link out of it";
      await expectRejection(() => opened('parent', { links: 'inside' }), RangeError, message);
    });

    test.each([
      ['out', RangeError, "links must be 'follow' or 'inside', got 'out'"],
      [true, TypeError, "links must be 'follow' or 'inside', got true"],
    ])('links: %p', (links, Class, rule) =>
      expectRejection(() => openWeights(at('current'), { links }), Class, `openWeights: ${rule}`),
    );
  });

  test('a name in an index does not lead out of the folder', async () => {
    fs.mkdirSync(at('climbing'));
    write('secret.safetensors', io.writeSafetensors(new Map([['x', x]])));
    for (const name of ['../secret.safetensors', at('secret.safetensors')]) {
      write('climbing/model.safetensors.index.json', JSON.stringify({ weight_map: { x: name } }));
      await expect(opened('climbing')).rejects.toThrow(
        /^openSafetensors: shard must be a path inside the index's folder, got '/,
      );
    }
  });

  /** The descriptors of this process that are open. */
  const openDescriptors = () => fs.readdirSync('/proc/self/fd').length;

  // Linux alone lists them.
  const isListed = fs.existsSync('/proc/self/fd');

  describe('what is not read', () => {
    const index = (weightMap) => JSON.stringify({ weight_map: weightMap });

    beforeAll(() => {
      for (const name of ['refused', 'refused/half', 'refused/twins', 'refused/lacks', 'refused/pipes', 'refused/bad'])
        fs.mkdirSync(at(name));
      const one = io.writeSafetensors(new Map([['x', x]]));
      write('refused/cut.npy', io.writeNpy(x).slice(0, 100));
      write('refused/bad.onnx', Uint8Array.of(0x3a, 0xff));
      write('refused/bad.index.json', '{"weight_map":{"x":1}}');
      for (const folderOf of ['half', 'twins', 'lacks', 'pipes', 'bad'])
        write(`refused/${folderOf}/1.safetensors`, one);
      write('refused/twins/2.safetensors', one);
      write('refused/bad/2.safetensors', one.slice(0, 50));
      write('refused/half/i.json', index({ x: '1.safetensors', y: 'none.safetensors' }));
      write('refused/lacks/i.json', index({ x: '1.safetensors', y: '1.safetensors' }));
      write('refused/pipes/i.json', index({ x: '1.safetensors', y: 'pipe' }));
      for (const name of ['refused/pipe', 'refused/pipes/pipe']) spawnSync('mkfifo', [at(name)]);
    });

    const cases = words('cut.npy bad.onnx bad.index.json half/i.json twins lacks/i.json pipes/i.json bad pipe none');
    test.each(cases)('%s is let go of', async (name) => {
      const before = isListed ? openDescriptors() : 0;
      await expect(openWeights(at(`refused/${name}`))).rejects.toThrow();
      if (isListed) expect(openDescriptors()).toBe(before);
    });

    const shown = (name) => at(name).slice(0, 60) + (at(name).length > 60 ? '…' : '');
    test.each([
      [() => openWeights(at('refused/pipe')), 'openWeights', 'refused/pipe', 'a pipe'],
      [() => openWeights(at('refused/pipes/i.json')), 'openWeights', 'refused/pipes/pipe', 'a pipe'],
      [() => openWeights('/dev/null'), 'openWeights', undefined, 'a device'],
      [() => fileSource(at('refused/pipe')), 'fileSource', 'refused/pipe', 'a pipe'],
      [() => fileSource(at('refused')), 'fileSource', 'refused', 'a folder'],
    ])('%s: no regular file', (call, prefix, name, kind) =>
      expectRejection(
        call,
        RangeError,
        `${prefix}: '${name ? shown(name) : '/dev/null'}' must be a regular file, got ${kind}`,
      ),
    );

    test('a file that was closed', async () => {
      write('closed.npy', io.writeNpy(x));
      const { entries, close } = await openWeights(at('closed.npy'));
      await close();
      const rule = `'${shown('closed.npy')}' must be open while it is read, got a closed file`;
      await expectRejection(() => entries.get('').read(), RangeError, `openWeights: ${rule}`);
      await close();
      const source = await fileSource(at('closed.npy'));
      await source.close();
      for (const length of [1, 2 ** 17])
        await expectRejection(() => source.slice(0, length), RangeError, `fileSource: ${rule}`);
    });

    test('external data that are first asked for after the end', async () => {
      const { model, externalFile } = await io.saveModel(
        Uint8Array.of(8, 8, 0x3a, 0),
        new Map([['big', Tensor.from('uint8', new Uint8Array(2000))]]),
        { externalName: 'late.bin' },
      );
      await writeFiles({ [at('late.bin')]: externalFile, [at('late.onnx')]: model });
      const before = isListed ? openDescriptors() : 0;
      const { entries, close } = await openWeights(at('late.onnx'));
      await close();
      const message = `openWeights: '${shown('late.bin')}' must be opened before close(), got closed weights`;
      await expectRejection(() => entries.get('big').read(), RangeError, message);
      if (isListed) expect(openDescriptors()).toBe(before);
    });
  });

  rejects('', {
    'TypeError: openWeights: file must be a path or a Uint8Array, got 1': () => openWeights(1),
    "TypeError: openWeights: unknown option 'dtyp', did you mean 'dtype'? Known: dtype, folder, links": () =>
      openWeights(at('b'), { dtyp: 1 }),
  });

  test('a folder without shards, and one with a tensor twice', async () => {
    fs.mkdirSync(at('empty'));
    const message = `openWeights: '${at('empty')}' must have safetensors files, got none`;
    await expectRejection(() => openWeights(at('empty')), RangeError, message);
    fs.mkdirSync(at('twice'));
    for (const name of ['a', 'b']) write(`twice/${name}.safetensors`, io.writeSafetensors(new Map([['x', x]])));
    const rule = "openWeights: shards must have tensors of different names, got 'x' twice";
    await expectRejection(() => openWeights(at('twice')), RangeError, rule);
    write('twice/b.safetensors', io.writeSafetensors(new Map([['x', x]])).subarray(0, -1));
    const damaged = /^openSafetensors: shard 'b\.safetensors': tensor 'x' data_offsets must begin at 0 and end by /;
    await expect(openWeights(at('twice'))).rejects.toThrow(damaged);
    fs.renameSync(at('twice/b.safetensors'), at("twice/$&b$'.safetensors"));
    const quoted = /^openSafetensors: shard .\$&b\$\\?'\.safetensors.: tensor 'x' data_offsets /;
    await expect(openWeights(at('twice'))).rejects.toThrow(quoted);
  });
});

describe('writeFiles', () => {
  const left = () => fs.readdirSync(folder).filter((name) => name.endsWith('.tmp'));

  test('bytes, iterables and what is saved, by an object or a Map', async () => {
    await writeFiles({ [at('o1')]: Uint8Array.of(1, 2), [at('o2')]: Readable.from([Buffer.of(3), Buffer.of(4)]) });
    await writeFiles(new Map([[at('o3.npy'), io.saveNpy(x)]]));
    expect(['o1', 'o2'].map((name) => [...fs.readFileSync(at(name))])).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(new Uint8Array(fs.readFileSync(at('o3.npy')))).toEqual(io.writeNpy(x));
    expect(left()).toEqual([]);
  });

  test.each(['x'.repeat(80), 'x'.repeat(255), '\u6f22'.repeat(85), `${'\u{1f600}'.repeat(63)}abc`])(
    'a name as long as the system takes it: %s',
    async (name) => {
      await writeFiles({ [at(name)]: Uint8Array.of(1) });
      expect([...fs.readFileSync(at(name))]).toEqual([1]);
      fs.unlinkSync(at(name));
      await expect(writeFiles({ [at(`${name}${'x'.repeat(176)}`)]: Uint8Array.of(1) })).rejects.toThrow();
      expect(left()).toEqual([]);
    },
  );

  test('a link stays a link, and a file keeps its mode', async () => {
    write('real', '1');
    fs.chmodSync(at('real'), 0o640);
    fs.symlinkSync('real', at('link'));
    await writeFiles({ [at('link')]: Uint8Array.of(50) });
    expect([fs.readFileSync(at('real'), 'utf8'), fs.statSync(at('real')).mode & 0o777]).toEqual(['2', 0o640]);
    expect(
      fs
        .readdirSync(folder, { withFileTypes: true })
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
    fs.mkdirSync(at('targets/deep'), { recursive: true });
    if (!fs.existsSync(at('sub'))) {
      fs.symlinkSync('targets', at('sub'));
      fs.symlinkSync('third', at('second'));
      // The folder above its target is not the one that the text says.
      fs.symlinkSync('targets/deep', at('up'));
    }
    const link = `to ${target.replaceAll('/', ' ')}`;
    fs.symlinkSync(target, at(link));
    await writeFiles({ [at(link)]: Uint8Array.of(51) });
    expect([
      fs.readlinkSync(at(link)),
      fs.lstatSync(at(written)).isFile(),
      fs.readFileSync(at(written), 'utf8'),
      left(),
    ]).toEqual([target, true, '3', []]);
  });

  test('an absolute link, where nothing is yet, stays a link', async () => {
    fs.symlinkSync(at('far'), at('absolute'));
    await writeFiles({ [at('absolute')]: Uint8Array.of(51) });
    expect([fs.readlinkSync(at('absolute')), fs.readFileSync(at('far'), 'utf8')]).toEqual([at('far'), '3']);
  });

  test('links in a circle are refused, and stay', async () => {
    fs.symlinkSync('loop b', at('loop a'));
    fs.symlinkSync('loop a', at('loop b'));
    await expect(writeFiles({ [at('loop a')]: Uint8Array.of(1) })).rejects.toMatchObject({ code: 'ELOOP' });
    expect([fs.readlinkSync(at('loop a')), fs.readlinkSync(at('loop b')), left()]).toEqual(['loop b', 'loop a', []]);
  });

  test('a device is written as it is', async () => {
    await writeFiles({ '/dev/null': io.saveNpy(x) });
    expect(fs.statSync('/dev/null').isCharacterDevice()).toBe(true);
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
    // So large that a file would get it in tiles.
    const wide = new io.Entry(
      new Tensor(
        'uint16',
        Uint16Array.from({ length: 5000 * 3501 }, (_, i) => i),
        [5000, 3501],
      ),
    ).transpose();
    await writeFiles({ [fifo]: io.saveNpy(wide) });
    await ended;
    expect(Buffer.compare(Buffer.concat(chunks), await bytesOf(io.saveNpy(wide)))).toBe(0);
  });

  test('more bytes than one write takes', async () => {
    const bytes = new Uint8Array(2 ** 26 + 9).fill(1, 2 ** 26);
    await writeFiles({ [at('long')]: bytes });
    expect(Buffer.compare(fs.readFileSync(at('long')), bytes)).toBe(0);
    fs.unlinkSync(at('long'));
  });

  test('the file that names the others gets its name last', async () => {
    write('names', 'old');
    const content = (async function* () {
      yield Uint8Array.of(1);
      // The data cannot get their name any more.
      fs.mkdirSync(at('data'));
    })();
    const files = { [at('data')]: Uint8Array.of(1), [at('names')]: content };
    await expect(writeFiles(files)).rejects.toMatchObject({ code: 'EISDIR', syscall: 'rename' });
    expect([fs.readFileSync(at('names'), 'utf8'), left()]).toEqual(['old', []]);
  });

  test('a failure in one file leaves all as they were', async () => {
    write('one', 'old');
    const broken = (async function* () {
      yield Uint8Array.of(1);
      throw new Error('no more');
    })();
    await expectRejection(() => writeFiles({ [at('one')]: Uint8Array.of(9), [at('two')]: broken }), Error, 'no more');
    expect([fs.readFileSync(at('one'), 'utf8'), fs.existsSync(at('two')), left()]).toEqual(['old', false, []]);
  });

  test('in the middle, the final name is as it was', async () => {
    write('slow', 'old');
    const seen = [];
    const content = (async function* () {
      yield Uint8Array.of(1);
      seen.push(fs.readFileSync(at('slow'), 'utf8'), left().length);
      yield Uint8Array.of(2);
    })();
    await writeFiles({ [at('slow')]: content });
    expect([...seen, [...fs.readFileSync(at('slow'))]]).toEqual(['old', 1, [1, 2]]);
  });

  test('an end by a signal', async () => {
    const end = new AbortController();
    const saved = io.saveNpy(new io.Entry(new Tensor('uint8', new Uint8Array(2 ** 24), [2 ** 24])), {
      signal: end.signal,
      onProgress: ({ done }) => done > 2 ** 22 && end.abort(new Error('enough')),
    });
    await expectRejection(() => writeFiles({ [at('ended')]: saved }), Error, 'enough');
    expect([fs.existsSync(at('ended')), left()]).toEqual([false, []]);
  });

  rejects('', {
    'TypeError: writeFiles: files must be an object or a Map, got 1': () => writeFiles(1),
    "TypeError: writeFiles: 'a' must be a Uint8Array or an async iterable, got 1": () => writeFiles({ a: 1 }),
    "TypeError: writeFiles: 'a' must be a Uint8Array or an async iterable, got null": () => writeFiles({ a: null }),
    [`TypeError: writeFiles: '${at('s').slice(0, 60)}' must be made of Uint8Arrays, got 'text'`]: () =>
      writeFiles({ [at('s')]: Readable.from(['text']) }),
    [`RangeError: writeFiles: '${at('s').slice(0, 60)}' must have 2 bytes, got 1`]: () =>
      writeFiles({ [at('s')]: Object.assign(Readable.from([Buffer.of(1)]), { byteLength: 2 }) }),
  });

  test('what the package saves, in tiles too, is what it saves in order', async () => {
    const wide = new io.Entry(
      new Tensor(
        'uint16',
        Uint16Array.from({ length: 5000 * 3501 }, (_, i) => i),
        [5000, 3501],
      ),
    );
    const turned = wide.transpose();
    await writeFiles({
      [at('t.npy')]: io.saveNpy(turned),
      [at('t.safetensors')]: io.saveSafetensors(new Map([['t', turned]])),
    });
    const inOrder = await bytesOf(io.saveNpy(turned));
    expect(Buffer.compare(fs.readFileSync(at('t.npy')), inOrder)).toBe(0);
    const { data } = io.readSafetensors(new Uint8Array(fs.readFileSync(at('t.safetensors')))).get('t');
    expect(Buffer.compare(Buffer.from(data.buffer, data.byteOffset, data.byteLength), inOrder.subarray(128))).toBe(0);
  });
});
