/** `buildDataset` and `openDataset`: shards that are the same however they are made, and what is refused. */
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { pack as packTar } from 'tar-stream';
import { encodeWav, featureExtractor, init as initAudio } from 'onnx-layout/audio';
import { readNpy, readSafetensors } from 'onnx-layout/io';
import { buildDataset, checkDataset, mergeDataset, openDataset, readImage } from 'onnx-layout/node';
import { imageProcessor, init } from 'onnx-layout/processors';
import { lockShard } from '../../js/node/datasets/shard-lock.js';
import { expectRejection } from '../support/assertions.js';
import { temporaryFolder } from '../support/programs.js';

const folder = temporaryFolder();
const at = (name) => join(folder, name);
const vit = { image_processor_type: 'ViTImageProcessor', size: { height: 6, width: 5 } };
const detr = { image_processor_type: 'DetrImageProcessor', size: { shortest_edge: 6, longest_edge: 20 } };
const qwen = { image_processor_type: 'Qwen2VLImageProcessor', size: { shortest_edge: 3136, longest_edge: 9999 } };
const names = ['a/0.png', 'a/1.jpg', 'b.png', 'c.webp', 'd.png', 'e.png', 'f.png'];

beforeAll(async () => {
  await Promise.all([init(), initAudio()]);
  for (const path of ['photos/a', 'sounds', 'mixed']) mkdirSync(at(path), { recursive: true });
  for (const [i, name] of names.entries()) {
    const raw = { width: 40 + 10 * i, height: 50, channels: 3 };
    const data = Buffer.from(Array.from({ length: 3 * raw.width * raw.height }, (_, k) => (k * (i + 3)) % 251));
    await sharp(data, { raw }).toFile(at(`photos/${name}`));
  }
  writeFileSync(at('photos/note.txt'), 'no picture');
  for (const i of [0, 1, 2]) {
    const channel = Float32Array.from({ length: 16000 + 100 * i }, (_, k) => Math.sin(k * (i + 1) * 0.01));
    writeFileSync(at(`sounds/${i}.wav`), encodeWav({ channelData: [channel, channel], sampleRate: 16000 }));
  }
  copyFileSync(at('photos/b.png'), at('mixed/b.png'));
  copyFileSync(at('sounds/0.wav'), at('mixed/a.wav'));
});

/** A target of a test's own, and what a call makes there. */
let targets = 0;
const fresh = () => at(`target-${targets++}`);

async function built(source, target, options) {
  const shards = [];
  for await (const shard of buildDataset(source, target, { jobs: 1, ...options })) shards.push(shard);
  return shards;
}

/** The bytes of a data set. Records and locks are not part of it. */
const bytesIn = (target) =>
  Object.fromEntries(
    readdirSync(target)
      .filter((name) => name !== '.parts')
      .map((name) => [name, readFileSync(join(target, name)).toString('latin1')]),
  );

const leftIn = (target) => readdirSync(join(target, '.parts')).filter((name) => !name.endsWith('.json'));

/** Of each input what a processor gives alone. */
const alone = async (config, options) => {
  const processor = imageProcessor(config, options);
  const all = {};
  for (const name of names) all[name] = processor([await readImage(at(`photos/${name}`))]);
  return all;
};

describe.each([1, 2])('%i jobs', (jobs) => {
  test('shards hold the rows of the sorted inputs, and the index names them', async () => {
    const target = fresh();
    const shards = await built(at('photos'), target, { config: vit, dtype: 'float16', shardRows: 3, jobs });
    expect(shards.map(({ file, rows, inputs, isNew }) => [file, rows, inputs, isNew])).toEqual([
      ['data-00000-of-00003.safetensors', 3, [0, 3], true],
      ['data-00001-of-00003.safetensors', 3, [3, 6], true],
      ['data-00002-of-00003.safetensors', 1, [6, 7], true],
    ]);
    expect(readdirSync(target).sort()).toEqual(
      ['.parts', ...shards.map(({ file }) => file), 'errors.jsonl', 'index.json'].sort(),
    );
    const outputs = await alone(vit, { dtype: 'float16' });
    const { entries, keys, index } = await openDataset(target);
    expect(keys).toEqual(names);
    expect(index.outputs).toEqual({ pixel_values: { dtype: 'float16', dims: [7, 3, 6, 5] } });
    expect(index.config).toEqual({ 'preprocessor_config.json': vit });
    for (const [i, name] of names.entries())
      expect(await entries.get('pixel_values').read({ rows: [i, i + 1] })).toEqual(outputs[name].pixel_values);
    const second = readSafetensors(new Uint8Array(readFileSync(join(target, shards[1].file))));
    expect(JSON.parse(second.metadata.get('keys'))).toEqual(names.slice(3, 6));
    expect(await checkDataset(target)).toMatchObject({ shards: 3, rows: 7, faults: [] });
  });

  test('parts on their own, then merged, are the same bytes', async () => {
    const [together, apart] = [fresh(), fresh()];
    const options = { config: vit, shardRows: 2, jobs };
    await built(at('photos'), together, options);
    const counts = [];
    for (const index of [2, 0, 1])
      counts.push((await built(at('photos'), apart, { ...options, shard: { index, count: 3 } })).length);
    expect(counts).toEqual([2, 1, 1]);
    expect(readdirSync(apart)).not.toContain('index.json');
    const index = await mergeDataset(apart);
    expect(index.shards.length).toBe(4);
    expect(bytesIn(apart)).toEqual(bytesIn(together));
    expect(leftIn(apart)).toEqual([]);
  });

  test('inputs that fail are left out, and the shards keep their places', async () => {
    const target = fresh();
    mkdirSync(at(`some-${jobs}`));
    for (const name of ['b.png', 'd.png', 'f.png']) copyFileSync(at(`photos/${name}`), join(at(`some-${jobs}`), name));
    writeFileSync(join(at(`some-${jobs}`), 'c.png'), '');
    writeFileSync(join(at(`some-${jobs}`), 'e.jpg'), readFileSync(at('photos/a/1.jpg')).subarray(0, 400));
    const options = { config: vit, shardRows: 2, jobs };
    const kind = "c.png': image must be a JPEG, PNG, GIF, WebP, AVIF or TIFF picture, got an empty file of 0 bytes";
    await expectRejection(() => built(at(`some-${jobs}`), target, options), RangeError, `buildDataset: '${kind}`);
    expect(readdirSync(target)).toEqual(['.parts']);
    const shards = await built(at(`some-${jobs}`), target, { ...options, onError: 'skip' });
    expect(shards.map(({ rows, failed }) => [rows, failed.map(({ key }) => key)])).toEqual([
      [1, ['c.png']],
      [1, ['e.jpg']],
      [1, []],
    ]);
    const lines = readFileSync(join(target, 'errors.jsonl'), 'utf8').trimEnd().split('\n').map(JSON.parse);
    expect(lines[0]).toEqual({ key: 'c.png', error: kind.slice(kind.indexOf('image')) });
    expect(lines[1].error).toMatch(/^image must be a picture that sharp decodes: /);
    const { entries, keys } = await openDataset(target);
    expect([entries.get('pixel_values').dims, keys]).toEqual([
      [3, 3, 6, 5],
      ['b.png', 'd.png', 'f.png'],
    ]);
    expect(leftIn(target)).toEqual([]);
  });
});

describe('outputs whose dims differ', () => {
  test('are a tensor a row', async () => {
    const target = fresh();
    await built(at('photos'), target, { config: detr, shardRows: 4 });
    const outputs = await alone(detr);
    const { entries, index } = await openDataset(target);
    expect(index.outputs.pixel_values).toEqual({ dtype: 'float32', dims: [null, 3, null, null] });
    expect([...entries.keys()].sort()).toEqual(
      names.flatMap((name) => [`${name}/pixel_mask`, `${name}/pixel_values`]).sort(),
    );
    for (const name of names)
      expect(await entries.get(`${name}/pixel_values`).read()).toEqual(outputs[name].pixel_values);
  });

  test('stand beside those that are joined', async () => {
    const target = fresh();
    await built(at('photos'), target, { config: qwen, shardBytes: 100_000 });
    const outputs = await alone(qwen);
    const { entries, index } = await openDataset(target);
    expect(index.outputs.image_grid_thw).toEqual({ dtype: 'int64', dims: [7, 3] });
    expect(index.shards.length).toBeGreaterThan(1);
    expect((await entries.get('image_grid_thw').read({ rows: [6, 7] })).data).toEqual(
      outputs['f.png'].image_grid_thw.data,
    );
    expect(await entries.get('f.png/pixel_values').read()).toEqual(outputs['f.png'].pixel_values);
  });

  test('are refused in .npy, as several outputs are', async () => {
    const message = "buildDataset: format must be 'safetensors' for several outputs, got 'npy' for pixel_values, ";
    await expect(built(at('photos'), fresh(), { config: detr, format: 'npy' })).rejects.toThrow(message);
    const own = { image_processor_type: 'ViTImageProcessor', do_resize: false };
    await expectRejection(
      () => built(at('photos'), fresh(), { config: own, format: 'npy' }),
      RangeError,
      "buildDataset: format must be 'safetensors' for dims that differ, got 'npy' for 'pixel_values'",
    );
  });
});

test('.npy', async () => {
  const target = fresh();
  const [{ file }] = await built(at('photos'), target, { config: vit, format: 'npy', name: 'x', dtype: 'bfloat16' });
  expect(file).toBe('x-00000-of-00001.npy');
  expect(readNpy(readFileSync(join(target, file)), { dtype: 'bfloat16' }).dims).toEqual([7, 3, 6, 5]);
  const { entries, keys } = await openDataset(target);
  expect([keys, entries.get('pixel_values').type]).toEqual([names, 'bfloat16']);
});

test('audio', async () => {
  const target = fresh();
  const config = { feature_extractor_type: 'WhisperFeatureExtractor' };
  await built([at('sounds')], target, { config, mono: true });
  const { entries, keys } = await openDataset(target);
  const extract = featureExtractor(config);
  const channel = Float32Array.from({ length: 16200 }, (_, k) => Math.sin(k * 3 * 0.01));
  const wav = encodeWav({ channelData: [channel], sampleRate: 16000 });
  const { decodeWav } = await import('onnx-layout/audio');
  expect(keys).toEqual(['0.wav', '1.wav', '2.wav']);
  const row = await entries.get('input_features').read({ rows: [2, 3] });
  expect(row).toEqual(extract(decodeWav(wav)).input_features);
});

/** A tar archive of members, in any order, as streams of Node make them. */
async function tarOf(members) {
  const archive = packTar();
  for (const [header, content] of members)
    await new Promise((resolve) => {
      archive.entry(typeof header === 'string' ? { name: header } : header, content, resolve);
    });
  archive.finalize();
  const chunks = [];
  for await (const chunk of archive) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('tar archives', () => {
  const picture = (name) => readFileSync(at(`photos/${name}`));
  const long = `${'folder/'.repeat(30)}${'n'.repeat(99)}`;

  test('of WebDataset: members by key, of which others are left alone', async () => {
    const [target, files] = [fresh(), fresh()];
    const members = [
      ['wds/7.png', picture('b.png')],
      ['wds/7.cls', Buffer.from('3')],
      [{ name: 'wds', type: 'directory' }, ''],
      [`${long}.input.png`, picture('d.png')],
      ['wds/3.JPG', picture('a/1.jpg')],
      [{ name: 'wds/4.png', type: 'symlink', linkname: '7.png' }, ''],
      ['wds/.hidden.png', picture('d.png')],
    ];
    writeFileSync(at('one.tar'), await tarOf(members));
    await built(at('one.tar'), target, { config: vit, shardRows: 2 });
    const { entries, keys } = await openDataset(target);
    expect(keys).toEqual([long, 'wds/3', 'wds/7']);
    await built([at('photos/d.png'), at('photos/a/1.jpg'), at('photos/b.png')], files, { config: vit });
    const outputs = await alone(vit);
    for (const [i, name] of ['d.png', 'a/1.jpg', 'b.png'].entries())
      expect(await entries.get('pixel_values').read({ rows: [i, i + 1] })).toEqual(outputs[name].pixel_values);
  });

  test('that are cut, or none', async () => {
    const bytes = await tarOf([['k.png', picture('b.png')]]);
    writeFileSync(at('cut.tar'), bytes.subarray(0, 600));
    writeFileSync(at('none.tar'), Buffer.alloc(2048, 'x'));
    await expectRejection(
      () => built(at('cut.tar'), fresh(), { config: vit }),
      RangeError,
      `buildDataset: '${at('cut.tar')}' must have its members whole, got the first bytes of 'k.png'`,
    );
    await expect(built(at('none.tar'), fresh(), { config: vit })).rejects.toThrow(
      `buildDataset: '${at('none.tar')}' must be a tar archive: `,
    );
  });

  test('a member that fails is named by its key', async () => {
    writeFileSync(at('bad.tar'), await tarOf([['k.png', Buffer.from('text here')]]));
    await expect(built(at('bad.tar'), fresh(), { config: vit })).rejects.toThrow(
      "buildDataset: 'k': image must be a JPEG, PNG, GIF, WebP, AVIF or TIFF picture, got text of 9 bytes",
    );
  });
});

describe('a second call', () => {
  test('leaves alone what is there, and makes what is missing or has other bytes', async () => {
    const target = fresh();
    const options = { config: vit, shardRows: 2 };
    const shards = await built(at('photos'), target, options);
    const bytes = bytesIn(target);
    expect((await built(at('photos'), target, options)).some(({ isNew }) => isNew)).toBe(false);
    rmSync(join(target, shards[0].file));
    appendFileSync(join(target, shards[2].file), 'x');
    writeFileSync(join(target, '.parts/data-00003-of-00004.json'), '{"half');
    const left = ['data-00000-of-00004.safetensors.0123.tmp', '.parts/data-00000-of-00004.json.0123.tmp'];
    for (const name of left) writeFileSync(join(target, name), 'left by a process that was killed');
    const again = await built(at('photos'), target, options);
    expect(again.map(({ isNew }) => isNew)).toEqual([true, false, true, true]);
    expect(bytesIn(target)).toEqual(bytes);
    expect(left.filter((name) => existsSync(join(target, name)))).toEqual([]);
  });

  test('deletes what killed calls left in their last steps, and nothing of a process that works', async () => {
    const target = fresh();
    const options = { config: vit, shardRows: 2 };
    await built(at('photos'), target, options);
    const all = readdirSync(target, { recursive: true }).sort();
    const write = (name, text = 'left') => writeFileSync(join(target, name), text);
    const owner = (pid) => JSON.stringify({ host: hostname(), pid });
    for (const name of ['index.json.0123.tmp', 'errors.jsonl.0123.tmp']) write(name);
    write('.parts/index.lock', owner(2 ** 30));
    write('.parts/data-00000-of-00004.lock', owner(2 ** 30));
    write('.parts/data-00001-of-00004.pixel_values.rows');
    write('data-00002-of-00004.safetensors.0123.tmp');
    const ofAnother = ['.parts/data-00003-of-00004.lock', '.parts/data-00003-of-00004.pixel_values.rows'];
    write(ofAnother[0], owner(1));
    write(ofAnother[1]);
    expect((await built(at('photos'), target, options)).map(({ isNew }) => isNew)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(readdirSync(target, { recursive: true }).sort()).toEqual([...all, ...ofAnother].sort());
  });

  test.each([
    ['another option', { dtype: 'float16' }, () => {}],
    ['another cut', { shardRows: 3 }, () => {}],
    ['another name', { name: 'other' }, () => {}],
    ['a file of another time', {}, (source) => utimesSync(join(source, 'd.png'), 1e9, 1e9)],
    ['one file less', {}, (source) => rmSync(join(source, 'd.png'))],
  ])('with %s is refused, unless force replaces the shards', async (_, more, change) => {
    const [source, target] = [fresh(), fresh()];
    mkdirSync(source);
    for (const name of names.slice(2)) copyFileSync(at(`photos/${name}`), join(source, name));
    const options = { config: vit, shardRows: 2, ...more };
    await built(source, target, { config: vit, shardRows: 2 });
    change(source);
    const message = `buildDataset: '${target}' must hold shards of the same inputs and options, got 'data-0000`;
    await expect(built(source, target, options)).rejects.toThrow(message);
    await built(source, target, { ...options, force: true });
    const clean = fresh();
    await built(source, clean, options);
    expect(bytesIn(target)).toEqual(bytesIn(clean));
  });

  test('waits for nobody: a shard that another process makes is refused, one of a dead process is not', async () => {
    const target = fresh();
    const lock = join(target, '.parts/data-00000-of-00001.lock');
    mkdirSync(join(target, '.parts'), { recursive: true });
    const owner = (pid, host = hostname()) => writeFileSync(lock, JSON.stringify({ host, pid }));
    owner(1);
    const rule = "buildDataset: 'data-00000-of-00001' must be made by one process at a time, got process";
    await expectRejection(
      () => built(at('photos'), target, { config: vit }),
      RangeError,
      `${rule} 1 of '${hostname()}' at it`,
    );
    owner(5, 'elsewhere');
    await expect(built(at('photos'), target, { config: vit })).rejects.toThrow(`${rule} 5 of 'elsewhere' at it`);
    utimesSync(lock, 1e9, 1e9);
    expect(await built(at('photos'), target, { config: vit })).toHaveLength(1);
    expect(leftIn(target)).toEqual([]);
  });
});

test('of two calls that find the lock of a dead process one gets it', async () => {
  const lock = at('shard.lock');
  for (let round = 0; round < 50; round++) {
    // No process has this number: Linux has 22 bits for them.
    writeFileSync(lock, JSON.stringify({ host: hostname(), pid: 2 ** 30 }));
    const calls = await Promise.allSettled([lockShard(lock, 'shard'), lockShard(lock, 'shard')]);
    const won = calls.filter(({ status }) => status === 'fulfilled');
    expect(won).toHaveLength(1);
    expect(existsSync(lock)).toBe(true);
    await won[0].value();
    expect(readdirSync(folder).filter((name) => name.startsWith('shard.lock'))).toEqual([]);
  }
});

test('a shard that another process made before this one got the lock is not new, and counts at once', async () => {
  const [target, progress] = [fresh(), []];
  const options = { config: vit, shardRows: 4 };
  const shards = await built(at('photos'), target, options);
  const record = join(target, '.parts/data-00000-of-00002.json');
  renameSync(record, `${record}-away`);
  // This process finds no record of the first shard; the moment it has the lock, the record is there.
  const finish = () => existsSync(`${record}-away`) && renameSync(`${record}-away`, record);
  subscribe('onnx-layout.temporary', finish);
  try {
    const again = await built(at('photos'), target, { ...options, onProgress: (seen) => progress.push(seen) });
    expect(again).toEqual(shards.map((shard) => ({ ...shard, isNew: false })));
  } finally {
    unsubscribe('onnx-layout.temporary', finish);
  }
  expect(progress).toEqual([4, 7].map((done) => ({ done, failed: 0, total: 7 })));
  expect(leftIn(target)).toEqual([]);
});

test('onProgress counts inputs, and a signal ends the work without half files', async () => {
  const [target, seen] = [fresh(), []];
  const options = { config: vit, shardRows: 3, onProgress: (progress) => seen.push(progress) };
  const controller = new AbortController();
  const stopping = {
    ...options,
    signal: controller.signal,
    onProgress: ({ done }) => done === 4 && controller.abort(),
  };
  await expect(built(at('photos'), target, stopping)).rejects.toThrow('This operation was aborted');
  expect(readdirSync(target)).toEqual(['.parts', 'data-00000-of-00003.safetensors']);
  expect(leftIn(target)).toEqual([]);
  await built(at('photos'), target, options);
  expect(seen.map(({ done }) => done)).toEqual([3, 4, 5, 6, 7]);
  expect(seen.at(-1)).toEqual({ done: 7, failed: 0, total: 7 });
});

test('a folder that vanishes ends the work, also with skip: other shards stay, and a call goes on', async () => {
  const [source, target] = [fresh(), fresh()];
  mkdirSync(source);
  for (const name of names.slice(2)) copyFileSync(at(`photos/${name}`), join(source, name));
  const options = { config: vit, shardRows: 2, onError: 'skip' };
  const vanish = ({ done }) => done === 3 && renameSync(source, `${source}-away`);
  await expect(built(source, target, { ...options, onProgress: vanish })).rejects.toThrow(/e\.png|f\.png/);
  expect(readdirSync(target)).toEqual(['.parts', 'data-00000-of-00003.safetensors']);
  renameSync(`${source}-away`, source);
  expect((await built(source, target, options)).map(({ isNew }) => isNew)).toEqual([false, true, true]);
});

test('checkDataset says what is wrong', async () => {
  const target = fresh();
  const shards = await built(at('photos'), target, { config: vit, shardRows: 2 });
  const [first, second, third] = shards.map(({ file }) => join(target, file));
  const bytes = readFileSync(first);
  bytes[bytes.length - 1] ^= 1;
  writeFileSync(first, bytes);
  appendFileSync(second, 'x');
  rmSync(third);
  const { faults, rows } = await checkDataset(target);
  expect(rows).toBe(3);
  expect(faults.map(({ fault }) => fault.replace(/[0-9a-f]{64}|'.*?-00002-.*?'/g, '…'))).toEqual([
    'sha256 must be …, got …',
    `'${shards[1].file}' must have ${shards[1].bytes} bytes, got ${shards[1].bytes + 1}`,
    `… must be accessible, got ENOENT: no such file or directory`,
  ]);
});

const config = vit;
describe('refusals', () => {
  test.each([
    [TypeError, 'source must be a path or an iterable of paths, got 5', () => [5, at('x'), { config }]],
    [RangeError, 'source must have inputs, got none', () => [[], at('x'), { config }]],
    [TypeError, 'target must be a string or a URL, got 5', () => [at('photos'), 5, { config }]],
    [TypeError, 'config must be an object or its JSON, got undefined', () => [at('photos'), at('x'), {}]],
    [
      TypeError,
      'settings must be an object, got Array',
      () => [at('photos'), at('x'), { config, settings: new Array(2 ** 32 - 1) }],
    ],
    [
      RangeError,
      "name must be 1 to 60 letters, digits, dots and dashes, got '../x'",
      () => [at('photos'), at('x'), { config, name: '../x' }],
    ],
    [
      RangeError,
      'shard must be { index, count } with 0 <= index < count, got 2 of 2',
      () => [at('photos'), at('x'), { config, shard: { index: 2, count: 2 } }],
    ],
    [
      RangeError,
      "inputs must be pictures or audio, got both: 'a.wav' and 'b.png'",
      () => [at('mixed'), at('x'), { config }],
    ],
  ])('%p %s', (Class, message, call) => expectRejection(() => built(...call()), Class, `buildDataset: ${message}`));

  test('a key twice', () =>
    expectRejection(
      () => built([at('photos'), at('mixed/b.png'), at('photos')], at('x'), { config }),
      RangeError,
      `buildDataset: inputs must have different keys, got 'a/0.png' of '${at('photos/a/0.png')}' and ` +
        `'${at('photos/a/0.png')}'`,
    ));

  test('a target that cannot be written', async () => {
    writeFileSync(at('file'), '');
    await expect(built(at('photos'), at('file'), { config })).rejects.toThrow(/^buildDataset: '.*' must be accessible/);
    // Root may write anywhere.
    if (process.getuid?.() === 0) return;
    const target = fresh();
    mkdirSync(target);
    chmodSync(target, 0o500);
    await expect(built(at('photos'), target, { config })).rejects.toThrow('got EACCES: permission denied');
  });

  test('parts that are missing, and folders that are no data set', async () => {
    const target = fresh();
    await built(at('photos'), target, { config, shardRows: 2, shard: { index: 0, count: 2 } });
    await expectRejection(
      () => mergeDataset(target),
      RangeError,
      `mergeDataset: '${target}' must have all of its 4 shards, got 2: 'data-00002-of-00004' is missing`,
    );
    await expectRejection(
      () => mergeDataset(at('photos')),
      RangeError,
      `mergeDataset: '${at('photos')}' must have shards of buildDataset, got none`,
    );
    writeFileSync(join(target, 'index.json'), '{}');
    await expectRejection(
      () => openDataset(target),
      RangeError,
      "openDataset: index.json must be the index of a data set, got '{}'",
    );
  });
});
