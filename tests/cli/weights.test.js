/** The command line with files of any size: headers, shards, whole files, and what a signal leaves. */
import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { cast, slice, Tensor, transpose } from 'onnx-layout';
import {
  openModel,
  readModel,
  readNpy,
  readNpz,
  readSafetensors,
  saveModel,
  saveNpz,
  writeNpy,
  writeSafetensors,
} from 'onnx-layout/io';
import { meter, pictures, size } from '../../js/cli/terminal.js';
import { expectTensor } from '../support/assertions.js';
import { modelOf } from '../support/models.js';
import { bytesOf } from '../weights/files.js';
import { cli, expectRefusal, inFolder, leftBy, output, quiet, written } from './streams.js';

const folder = inFolder();

const read = (name) => new Uint8Array(readFileSync(join(folder, name)));
const x = Tensor.from('float32', [1, 2, 3, 4, 5, 6], [2, 3]);
const tensors = new Map([
  ['model.0.weight', x],
  ['model.0.bias', Tensor.from('bfloat16', [1, 2])],
  ['model.1', Tensor.from('int64', [7])],
  ['head', Tensor.from('float16', [0.5])],
]);
const metadata = new Map([['format', 'pt']]);

beforeAll(() => {
  writeFileSync('x.npy', writeNpy(x));
  writeFileSync('all.safetensors', writeSafetensors(tensors, { metadata }));
  mkdirSync('shards');
  const [a, b] = [new Map([...tensors].slice(0, 2)), new Map([...tensors].slice(2))];
  writeFileSync('shards/a.safetensors', writeSafetensors(a, { metadata }));
  writeFileSync('shards/b.safetensors', writeSafetensors(b));
  const map = Object.fromEntries(Array.from(tensors.keys(), (key) => [key, `${a.has(key) ? 'a' : 'b'}.safetensors`]));
  writeFileSync('shards/model.safetensors.index.json', JSON.stringify({ weight_map: map }));
});

/** Writes a file of a square of zeros, which takes no room on the disk. */
function writeHeader(name, extent) {
  const bytes = 4 * extent ** 2;
  const header = JSON.stringify({ w: { dtype: 'F32', shape: [extent, extent], data_offsets: [0, bytes] } });
  const file = Buffer.alloc(8 + header.length);
  file.writeBigUInt64LE(BigInt(header.length));
  file.write(header, 8);
  writeFileSync(name, file);
  truncateSync(name, file.length + bytes);
}

describe('inspect', () => {
  test('--tree', async () =>
    expect(await output('inspect all.safetensors --tree')).toBe(
      '4 tensors, 38 bytes: int64 8 bytes, float32 24 bytes, bfloat16 4 bytes, float16 2 bytes\n' +
        'model. 3 tensors, 36 bytes: int64 8 bytes, float32 24 bytes, bfloat16 4 bytes\n' +
        '  1 int64 [1], 8 bytes\n' +
        '  0. 2 tensors, 28 bytes: float32 24 bytes, bfloat16 4 bytes\n' +
        '    weight float32 [2, 3], 24 bytes\n' +
        '    bias bfloat16 [2], 4 bytes\n' +
        'head float16 [1], 2 bytes\n',
    ));

  const empty = Tensor.from('int8', [], [0]);
  const writeNames = (names) =>
    writeFileSync('names.safetensors', writeSafetensors(new Map(names.map((n) => [n, empty]))));

  test('--tree of names of many parts: deeper ones in one line', async () => {
    writeNames([`${'.'.repeat(32)}a.b`, '.'.repeat(1e6)]);
    const lines = (await output('inspect names.safetensors --tree')).split('\n');
    const branch = (_, i) => `${'  '.repeat(i)}. 2 tensors, 0 bytes: int8 0 bytes`;
    const leaves = [`a.b`, '.'.repeat(1e6 - 32)].map((name) => `${'  '.repeat(32)}${name} int8 [0], 0 bytes`);
    const total = '2 tensors, 0 bytes: int8 0 bytes';
    expect(lines).toEqual([total, ...Array.from({ length: 32 }, branch), ...leaves, '']);
  });

  test('--tree of 5,000 names of 100 parts', async () => {
    writeNames(Array.from({ length: 5000 }, (_, i) => `${i}${'.x'.repeat(99)}`));
    const start = process.cpuUsage();
    const { length } = (await output('inspect names.safetensors --tree')).split('\n');
    // 165,000 lines take .3 s. They took 9, where each level split each name and copied its list for each tensor.
    expect([length, process.cpuUsage(start).user < 5e6]).toEqual([165002, true]);
  });

  test('a folder of shards, and its index, in the order of the index', async () => {
    const stdout = await output('inspect shards --json');
    expect(JSON.parse(stdout).tensors.map(({ name, first }) => [name, first])).toEqual([
      ['model.0.weight', [1, 2, 3, 4, 5, 6]],
      ['model.0.bias', [1, 2]],
      ['model.1', [7]],
      ['head', [0.5]],
    ]);
    expect(await output('inspect shards/model.safetensors.index.json --json')).toBe(stdout);
  });

  test('values of 32 tensors at most', async () => {
    const many = new Map(Array.from({ length: 33 }, (_, i) => [`${i}`, Tensor.from('int8', [i])]));
    writeFileSync('many.safetensors', writeSafetensors(many));
    const lines = (await output('inspect many.safetensors')).split('\n');
    expect([lines[3], lines[33]]).toEqual(['3: int8 [1], 1 bytes', 'total 33 tensors, 33 bytes: int8 33 bytes']);
    expect(await output('inspect many.safetensors --tensor 3')).toBe('3: int8 [1], 1 bytes: 3\n');
  });

  test('first values across short axes, and of a scalar', async () => {
    writeFileSync('thin.npy', writeNpy(Tensor.from('int4', [1, 2, 3, 4, 5, 6, 7, 0], [8, 1, 1])));
    expect(await output('inspect thin.npy --dtype int4')).toBe('int4 [8, 1, 1], 4 bytes: 1 2 3 4 5 6 …\n');
    writeFileSync('scalar.npy', writeNpy(Tensor.from('int8', [7], [])));
    expect(await output('inspect scalar.npy')).toBe('int8 [], 1 bytes: 7\n');
  });

  test('a file of 10 GB by its header', async () => {
    writeHeader('huge.safetensors', 50_000);
    const shown = 'w: float32 [50000, 50000], 10000000000 bytes: 0 0 0 0 0 0 …\n';
    expect(await output('inspect huge.safetensors')).toBe(shown);
  });
});

test('constants of a model are listed and converted, and stay in its nodes', async () => {
  const node = { operator: 'Constant', inputs: [], outputs: ['c'], attributes: { value_int: 5 } };
  writeFileSync('constant.onnx', modelOf({ nodes: [node], initializers: { w: x } }));
  expect(await output('inspect constant.onnx')).toBe(
    'c: int64 [], 8 bytes: 5\n' +
      'w: float32 [2, 3], 24 bytes: 1 2 3 4 5 6\n' +
      'total 2 tensors, 32 bytes: int64 8 bytes, float32 24 bytes\nopset 21\n' +
      'node Constant() -> c\n',
  );
  await quiet('convert constant.onnx constant.safetensors');
  const converted = readSafetensors(read('constant.safetensors'));
  expect([...converted.keys()]).toEqual(['c', 'w']);
  expectTensor(converted.get('c'), 'int64', [], BigInt64Array.of(5n));
  await quiet('transpose constant.onnx w.onnx --tensor w');
  const model = readModel(read('w.onnx'));
  expect([[...model.initializers.keys()], model.nodes[0].attributes.get('value_int')]).toEqual([['w'], 5]);
  const rule = 'tensor c is in a node of the graph: a model is written with other initializers alone\n';
  await expectRefusal('unsqueeze constant.onnx c.onnx --tensor c --axes 0', 1, rule);
});

describe('convert', () => {
  test('one tensor to .npy, and to a file of its own', async () => {
    await quiet('convert all.safetensors w.npy --tensor model.0.weight');
    expectTensor(readNpy(read('w.npy')), 'float32', [2, 3], x.data);
    await quiet('convert all.safetensors one.safetensors --tensor head');
    expect([...readSafetensors(read('one.safetensors')).keys()]).toEqual(['head']);
    const { stdout } = await written('convert x.npy -');
    expect(new Uint8Array(stdout)).toEqual(writeNpy(x));
  });

  test('to .npz, which is inspected, cast and converted', async () => {
    await quiet('convert x.npy one.npz');
    expect(read('one.npz')).toEqual(await bytesOf(saveNpz(new Map([['tensor', x]]))));
    await quiet('cast one.npz two.npz --to int8');
    expect([...readNpz(read('two.npz'))].map(([name, { type, dims }]) => [name, type, dims])).toEqual([
      ['tensor', 'int8', x.dims],
    ]);
    await quiet('convert two.npz two.safetensors');
    expect([...readSafetensors(read('two.safetensors')).keys()]).toEqual(['tensor']);
    expect(JSON.parse(await output('inspect one.npz --json')).format).toBe('npz');
  });

  test('shards to one file, which has their metadata', async () => {
    expect(await output('convert shards joined.safetensors --json')).toBe(
      '{\n  "files": [\n    "joined.safetensors"\n  ]\n}\n',
    );
    expect(read('joined.safetensors')).toEqual(read('all.safetensors'));
  });

  test.each([
    ['convert x.npy', 'convert takes IN OUT, got 1 file'],
    ['convert x.npy ./x.npy', 'OUT must not be an input, got ./x.npy: --force replaces it'],
    ['convert x.npy - --json', '--json and OUT cannot both go to standard output'],
    ['convert all.safetensors y.npy', 'all.safetensors has 4 tensors: choose one by --tensor'],
    ['convert all.safetensors y.onnx', 'OUT must be .npy, .npz, .safetensors or -, got y.onnx'],
    ['cast all.safetensors y.safetensors --to int8 --all --tensor a', '--all and --tensor exclude each other'],
    [
      'cast all.safetensors y.npy --to int8 --all',
      'a .npy file holds one tensor, and all.safetensors has 4: OUT.safetensors',
    ],
  ])('%j', (args, message) =>
    expectRefusal(args, 2, `${message}\nonnx-layout ${args.split(' ')[0]} --help says more\n`),
  );
});

test('cast --all casts what are floats, and keeps the rest', async () => {
  await quiet('cast shards half.safetensors --to float16 --all');
  const half = readSafetensors(read('half.safetensors'));
  expect(Array.from(half, ([name, { type }]) => [name, type]).sort()).toEqual([
    ['head', 'float16'],
    ['model.0.bias', 'float16'],
    ['model.0.weight', 'float16'],
    ['model.1', 'int64'],
  ]);
  expectTensor(half.get('model.0.weight'), 'float16', [2, 3], cast(x, 'float16').data);
});

test.each([
  ['transpose', (t) => transpose(t)],
  ['transpose --opset 13 --perm 0,1', (t) => t],
  ['slice --starts 1 --ends 3 --axes -1', (t) => slice(t, [1], [3], [1])],
  ['slice --starts 1 --ends 2 --opset 1', (t) => slice(t, [1], [2])],
])('%s of a tensor in a model', async (line, expected) => {
  const [command, ...options] = line.split(' ');
  const graph = Uint8Array.of(8, 8, 0x3a, 0);
  writeFileSync('m.onnx', await bytesOf((await saveModel(graph, new Map([['w', x]]))).model));
  await quiet([command, 'm.onnx', 'out.onnx', ...options]);
  const { type, dims, data } = expected(x);
  expectTensor(readModel(read('out.onnx')).initializers.get('w'), type, dims, data);
});

test('pieces along the last axis, by one number and by several', async () => {
  const pieces = (name) =>
    readdirSync(folder)
      .filter((file) => file.startsWith(name))
      .sort();
  await quiet('split x.npy p.npy --axis -1 --split 2');
  expect(pieces('p.')).toEqual(['p.0.npy', 'p.1.npy']);
  expectTensor(readNpy(read('p.1.npy')), 'float32', [2, 1], Float32Array.of(3, 6));
  await quiet('split x.npy q.npy --axis 1 --split 0,3');
  expect(pieces('q.').map((name) => readNpy(read(name)).dims)).toEqual([
    [2, 0],
    [2, 3],
  ]);
  expect((await cli('split x.npy q.npy --axis 2 --split 1')).stderr).toBe(
    'onnx-layout: SplitToSequence-24: axis must be in [-2, 1], got 2\nonnx-layout split --help says more\n',
  );
});

test('a model that had external data has them again', async () => {
  const big = Tensor.from('uint8', new Uint8Array(4096).fill(9));
  const graph = Uint8Array.of(8, 8, 0x3a, 0);
  const { model, externalFile } = await saveModel(graph, new Map([['big', big]]), { externalName: 'in.bin' });
  mkdirSync('outer');
  writeFileSync('outer/in.onnx', await bytesOf(model));
  writeFileSync('outer/in.bin', await bytesOf(externalFile));
  const stdout = await output('cast outer/in.onnx outer/out.onnx --to int8 --json');
  const files = [join('outer', 'out.onnx.data'), 'outer/out.onnx'];
  expect(JSON.parse(stdout)).toEqual({ files, type: 'int8', dims: [[4096]] });
  const { initializers } = await openModel(read('outer/out.onnx'), {
    external: (location) => read(join('outer', location)),
  });
  expectTensor(await initializers.get('big').read(), 'int8', [4096], new Int8Array(4096).fill(9));
});

test('a signal ends the work, and leaves nothing', async () => {
  writeHeader('long.safetensors', 30_000);
  expect(await leftBy('cast long.safetensors ended.npy --to float16', 'SIGINT')).toEqual({ status: 130, left: [] });
});

/** The lines of a bar after steps: times in ms, and how much is done. */
function barOf(steps, total, rateText) {
  let time = 0;
  const lines = [];
  const stderr = { isTTY: true, write: (line) => lines.push(line) };
  const step = meter({ stderr }, 'w', { now: () => time, ...(rateText && { rateText }) });
  for (const [now, done] of steps) {
    time = Number(now);
    step({ done, total });
  }
  return lines.map((line) => line.replace('\r\x1b[K', '>'));
}

test('a bar of pictures counts them, however few they are', () =>
  expect(barOf(Object.entries({ 0: 0, 400: 1, 600: 12 }), 24, pictures)).toEqual([
    '>w [=                       ] 4 % 2.5 pictures/s, 10 s left',
    '>w [============            ] 50 % 20 pictures/s, 1 s left',
  ]));

test('a bar says the part, the rate and the time left', () => {
  const steps = Object.entries({ 0: 0, 50: 1e8, 200: 2.5e8, 250: 3e8, 400: 1e9 });
  expect(barOf(steps, 1e9)).toEqual([
    '>w [==                      ] 10 % 2 GB/s, 1 s left',
    '>w [======                  ] 25 % 1.25 GB/s, 1 s left',
    '>w [========================] 100 % 2.5 GB/s, 0 s left',
  ]);
  const sizes = [0, 999, 999.6, 1e6, 123_456_789, 2e15].map(size);
  expect(sizes.join()).toBe('0 bytes,999 bytes,1 kB,1 MB,123 MB,2000 TB');
});
