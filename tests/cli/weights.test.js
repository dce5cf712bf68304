/** The command line with files of any size: headers, shards, whole files, and what a signal leaves. */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cast, init, slice, Tensor, transpose } from 'onnx-layout';
import { openModel, readModel, readNpy, readSafetensors, saveModel, writeNpy, writeSafetensors } from 'onnx-layout/io';
import { meter, pictures, size } from '../../js/cli/terminal.js';
import { expectTensor } from '../support/assertions.js';
import { modelOf } from '../support/models.js';
import { temporaryFolder } from '../support/programs.js';
import { bytesOf } from '../weights/files.js';
import { cli, written } from './streams.js';

beforeAll(() => init());

const folder = temporaryFolder();
const program = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const home = process.cwd();
beforeAll(() => process.chdir(folder));
afterAll(() => process.chdir(home));

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

const done = { status: 0, stdout: '', stderr: '' };

describe('inspect', () => {
  test('--tree', async () =>
    expect((await cli(['inspect', 'all.safetensors', '--tree'])).stdout).toBe(
      '4 tensors, 38 bytes: int64 8 bytes, float32 24 bytes, bfloat16 4 bytes, float16 2 bytes\n' +
        'model. 3 tensors, 36 bytes: int64 8 bytes, float32 24 bytes, bfloat16 4 bytes\n' +
        '  1 int64 [1], 8 bytes\n' +
        '  0. 2 tensors, 28 bytes: float32 24 bytes, bfloat16 4 bytes\n' +
        '    weight float32 [2, 3], 24 bytes\n' +
        '    bias bfloat16 [2], 4 bytes\n' +
        'head float16 [1], 2 bytes\n',
    ));

  test('a folder of shards, and its index, in the order of the index', async () => {
    const { stdout } = await cli(['inspect', 'shards', '--json']);
    expect(JSON.parse(stdout).tensors.map(({ name, first }) => [name, first])).toEqual([
      ['model.0.weight', [1, 2, 3, 4, 5, 6]],
      ['model.0.bias', [1, 2]],
      ['model.1', [7]],
      ['head', [0.5]],
    ]);
    expect((await cli(['inspect', 'shards/model.safetensors.index.json', '--json'])).stdout).toBe(stdout);
  });

  test('values of 32 tensors at most', async () => {
    const many = new Map(Array.from({ length: 33 }, (_, i) => [`${i}`, Tensor.from('int8', [i])]));
    writeFileSync('many.safetensors', writeSafetensors(many));
    const { stdout } = await cli(['inspect', 'many.safetensors']);
    expect([stdout.split('\n')[3], stdout.split('\n')[33]]).toEqual([
      '3: int8 [1], 1 bytes',
      'total 33 tensors, 33 bytes: int8 33 bytes',
    ]);
    expect((await cli(['inspect', 'many.safetensors', '--tensor', '3'])).stdout).toBe('3: int8 [1], 1 bytes: 3\n');
  });

  test('first values across short axes, and of a scalar', async () => {
    writeFileSync('thin.npy', writeNpy(Tensor.from('int4', [1, 2, 3, 4, 5, 6, 7, 0], [8, 1, 1])));
    expect((await cli(['inspect', 'thin.npy', '--dtype', 'int4'])).stdout).toBe(
      'int4 [8, 1, 1], 4 bytes: 1 2 3 4 5 6 …\n',
    );
    writeFileSync('scalar.npy', writeNpy(Tensor.from('int8', [7], [])));
    expect((await cli(['inspect', 'scalar.npy'])).stdout).toBe('int8 [], 1 bytes: 7\n');
  });

  test('a file of 10 GB by its header', async () => {
    const header = JSON.stringify({ w: { dtype: 'F32', shape: [50_000, 50_000], data_offsets: [0, 10 ** 10] } });
    const file = Buffer.alloc(8 + header.length);
    file.writeBigUInt64LE(BigInt(header.length));
    file.write(header, 8);
    writeFileSync('huge.safetensors', file);
    truncateSync('huge.safetensors', file.length + 10 ** 10);
    expect((await cli(['inspect', 'huge.safetensors'])).stdout).toBe(
      'w: float32 [50000, 50000], 10000000000 bytes: 0 0 0 0 0 0 …\n',
    );
  });
});

test('constants of a model are listed and converted, and stay in its nodes', async () => {
  const node = { operator: 'Constant', inputs: [], outputs: ['c'], attributes: { value_int: 5 } };
  writeFileSync('constant.onnx', modelOf({ nodes: [node], initializers: { w: x } }));
  expect((await cli(['inspect', 'constant.onnx'])).stdout).toBe(
    'c: int64 [], 8 bytes: 5\n' +
      'w: float32 [2, 3], 24 bytes: 1 2 3 4 5 6\n' +
      'total 2 tensors, 32 bytes: int64 8 bytes, float32 24 bytes\nopset 21\n' +
      'node Constant() -> c\n',
  );
  expect(await cli(['convert', 'constant.onnx', 'constant.safetensors'])).toEqual(done);
  const converted = readSafetensors(read('constant.safetensors'));
  expect([...converted.keys()]).toEqual(['c', 'w']);
  expectTensor(converted.get('c'), 'int64', [], BigInt64Array.of(5n));
  expect(await cli(['transpose', 'constant.onnx', 'w.onnx', '--tensor', 'w'])).toEqual(done);
  const model = readModel(read('w.onnx'));
  expect([[...model.initializers.keys()], model.nodes[0].attributes.get('value_int')]).toEqual([['w'], 5]);
  expect(await cli(['unsqueeze', 'constant.onnx', 'c.onnx', '--tensor', 'c', '--axes', '0'])).toEqual({
    status: 1,
    stdout: '',
    stderr: 'onnx-layout: tensor c is in a node of the graph: a model is written with other initializers alone\n',
  });
});

describe('convert', () => {
  test('one tensor to .npy, and to a file of its own', async () => {
    expect(await cli(['convert', 'all.safetensors', 'w.npy', '--tensor', 'model.0.weight'])).toEqual(done);
    expectTensor(readNpy(read('w.npy')), 'float32', [2, 3], x.data);
    expect(await cli(['convert', 'all.safetensors', 'one.safetensors', '--tensor', 'head'])).toEqual(done);
    expect([...readSafetensors(read('one.safetensors')).keys()]).toEqual(['head']);
    const { stdout } = await written(['convert', 'x.npy', '-']);
    expect(new Uint8Array(stdout)).toEqual(writeNpy(x));
  });

  test('shards to one file, which has their metadata', async () => {
    const { stdout } = await cli(['convert', 'shards', 'joined.safetensors', '--json']);
    expect(stdout).toBe('{\n  "files": [\n    "joined.safetensors"\n  ]\n}\n');
    expect(read('joined.safetensors')).toEqual(read('all.safetensors'));
  });

  test.each([
    [['convert', 'x.npy'], 'convert takes IN OUT, got 1 file'],
    [['convert', 'x.npy', './x.npy'], 'OUT must not be an input, got ./x.npy: --force replaces it'],
    [['convert', 'x.npy', '-', '--json'], '--json and OUT cannot both go to standard output'],
    [['convert', 'all.safetensors', 'y.npy'], 'all.safetensors has 4 tensors: choose one by --tensor'],
    [['convert', 'all.safetensors', 'y.onnx'], 'OUT must be .npy, .safetensors or -, got y.onnx'],
    [
      ['cast', 'all.safetensors', 'y.safetensors', '--to', 'int8', '--all', '--tensor', 'a'],
      '--all and --tensor exclude each other',
    ],
    [
      ['cast', 'all.safetensors', 'y.npy', '--to', 'int8', '--all'],
      'a .npy file holds one tensor, and all.safetensors has 4: OUT.safetensors',
    ],
  ])('%j', async (args, message) => {
    const { status, stderr } = await cli(args);
    expect([status, stderr]).toEqual([2, `onnx-layout: ${message}\nonnx-layout ${args[0]} --help says more\n`]);
  });
});

test('cast --all casts what are floats, and keeps the rest', async () => {
  expect(await cli(['cast', 'shards', 'half.safetensors', '--to', 'float16', '--all'])).toEqual(done);
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
  [['transpose'], (t) => transpose(t)],
  [['transpose', '--opset', '13', '--perm', '0,1'], (t) => t],
  [['slice', '--starts', '1', '--ends', '3', '--axes', '-1'], (t) => slice(t, [1], [3], [1])],
  [['slice', '--starts', '1', '--ends', '2', '--opset', '1'], (t) => slice(t, [1], [2])],
])('%j of a tensor in a model', async ([command, ...options], expected) => {
  const graph = Uint8Array.of(8, 8, 0x3a, 0);
  writeFileSync('m.onnx', await bytesOf((await saveModel(graph, new Map([['w', x]]))).model));
  expect(await cli([command, 'm.onnx', 'out.onnx', ...options])).toEqual(done);
  const { type, dims, data } = expected(x);
  expectTensor(readModel(read('out.onnx')).initializers.get('w'), type, dims, data);
});

test('pieces along the last axis, by one number and by several', async () => {
  const pieces = (name) =>
    readdirSync(folder)
      .filter((file) => file.startsWith(name))
      .sort();
  expect(await cli(['split', 'x.npy', 'p.npy', '--axis', '-1', '--split', '2'])).toEqual(done);
  expect(pieces('p.')).toEqual(['p.0.npy', 'p.1.npy']);
  expectTensor(readNpy(read('p.1.npy')), 'float32', [2, 1], Float32Array.of(3, 6));
  expect(await cli(['split', 'x.npy', 'q.npy', '--axis', '1', '--split', '0,3'])).toEqual(done);
  expect(pieces('q.').map((name) => readNpy(read(name)).dims)).toEqual([
    [2, 0],
    [2, 3],
  ]);
  expect((await cli(['split', 'x.npy', 'q.npy', '--axis', '2', '--split', '1'])).stderr).toBe(
    'onnx-layout: SplitToSequence-24: axis must be in [-2, 1], got 2\n',
  );
});

test('a model that had external data has them again', async () => {
  const big = Tensor.from('uint8', new Uint8Array(4096).fill(9));
  const graph = Uint8Array.of(8, 8, 0x3a, 0);
  const { model, externalFile } = await saveModel(graph, new Map([['big', big]]), { externalName: 'in.bin' });
  mkdirSync('outer');
  writeFileSync('outer/in.onnx', await bytesOf(model));
  writeFileSync('outer/in.bin', await bytesOf(externalFile));
  const { stdout } = await cli(['cast', 'outer/in.onnx', 'outer/out.onnx', '--to', 'int8', '--json']);
  const files = [join('outer', 'out.onnx.data'), 'outer/out.onnx'];
  expect(JSON.parse(stdout)).toEqual({ files, type: 'int8', dims: [[4096]] });
  const { initializers } = await openModel(read('outer/out.onnx'), {
    external: (location) => read(join('outer', location)),
  });
  expectTensor(await initializers.get('big').read(), 'int8', [4096], new Int8Array(4096).fill(9));
});

test('a signal ends the work, and leaves nothing', async () => {
  const header = JSON.stringify({ w: { dtype: 'F32', shape: [30_000, 30_000], data_offsets: [0, 3_600_000_000] } });
  const file = Buffer.alloc(8 + header.length);
  file.writeBigUInt64LE(BigInt(header.length));
  file.write(header, 8);
  writeFileSync('long.safetensors', file);
  truncateSync('long.safetensors', file.length + 3_600_000_000);
  const child = spawn(process.execPath, [program, 'cast', 'long.safetensors', 'ended.npy', '--to', 'float16'], {
    cwd: folder,
  });
  const ended = new Promise((resolve) => {
    child.on('close', (status) => resolve(status));
  });
  const left = () => readdirSync(folder).filter((name) => name.startsWith('ended'));
  while (left().length === 0)
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  child.kill('SIGINT');
  expect([await ended, left()]).toEqual([130, []]);
}, 60_000);

test('a bar of pictures counts them, however few they are', () => {
  let time = 0;
  const lines = [];
  const stderr = { isTTY: true, write: (line) => lines.push(line) };
  const step = meter({ stderr }, 'w', { now: () => time, shown: pictures });
  for (const [now, done] of [
    [0, 0],
    [400, 1],
    [600, 12],
  ]) {
    time = now;
    step({ done, total: 24 });
  }
  expect(lines).toEqual([
    '\r\x1b[Kw [=                       ] 4 % 2.5 pictures/s, 10 s left',
    '\r\x1b[Kw [============            ] 50 % 20 pictures/s, 1 s left',
  ]);
});

test('a bar says the part, the rate and the time left', () => {
  let time = 0;
  const lines = [];
  const stderr = { isTTY: true, write: (line) => lines.push(line) };
  const step = meter({ stderr }, 'w', { now: () => time });
  const total = 1e9;
  for (const [now, done] of [
    [0, 0],
    [50, 1e8],
    [200, 2.5e8],
    [250, 3e8],
    [400, 1e9],
  ]) {
    time = now;
    step({ done, total });
  }
  expect(lines).toEqual([
    '\r\x1b[Kw [==                      ] 10 % 2 GB/s, 1 s left',
    '\r\x1b[Kw [======                  ] 25 % 1.25 GB/s, 1 s left',
    '\r\x1b[Kw [========================] 100 % 2.5 GB/s, 0 s left',
  ]);
  expect([0, 999, 999.6, 1e6, 123_456_789, 2e15].map(size)).toEqual([
    '0 bytes',
    '999 bytes',
    '1 kB',
    '1 MB',
    '123 MB',
    '2000 TB',
  ]);
});
