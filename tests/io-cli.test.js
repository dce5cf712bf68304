/** The command line, spawned as users spawn it. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { init, Tensor } from 'onnx-layout';
import { readModel, readNpy, readSafetensors, writeNpy, writeSafetensors, writeTensorProto } from 'onnx-layout/io';
import { expectTensor } from './assertions.js';
import { run, temporaryFolder, where } from './io-files.js';

beforeAll(() => init());

const folder = temporaryFolder();
const program = fileURLToPath(new URL('../js/cli.js', import.meta.url));
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

function cli(args, input) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { cwd: folder, input });
  return { status, stdout: stdout.toString('latin1'), stderr: stderr.toString() };
}

/** A command that does its work and says nothing. */
function quiet(...args) {
  expect(cli(args)).toEqual({ status: 0, stdout: '', stderr: '' });
}

const write = (name, bytes) => writeFileSync(join(folder, name), bytes);
const read = (name) => readFileSync(join(folder, name));
const field = (number, bytes) => Buffer.from([number << 3 | 2, bytes.length, ...bytes]);
const modelOf = (...initializers) => Buffer.concat([Buffer.of(8, 8), field(7, Buffer.concat(initializers.map((bytes) => field(5, bytes)))), field(8, Buffer.of(0x10, 21))]);
const x = Tensor.from('float32', [1, 2, 3, 4, 5, Infinity], [2, 3]);

beforeAll(() => {
  write('x.npy', writeNpy(x));
  write('x.safetensors', writeSafetensors(new Map([['w', x], ['b\u001b', Tensor.from('int64', [2n ** 60n])]]), { metadata: new Map([['format', 'pt']]) }));
  write('x.onnx', modelOf(writeTensorProto(x, { name: 'w' }), writeTensorProto({ type: 'string', data: ['a'], dims: [1] }, { name: 's' })));
});

test('package.json points to it', () => expect(manifest.bin).toEqual({ 'onnx-layout': 'js/cli.js' }));

describe('inspect', () => {
  test.each([
    ['x.npy', 'float32 [2, 3], 24 bytes: 1 2 3 4 5 Infinity\n'],
    ['x.safetensors', 'b\\x1b: int64 [1], 8 bytes: 1152921504606846976\nw: float32 [2, 3], 24 bytes: 1 2 3 4 5 Infinity\nmetadata format: pt\n'],
    ['x.onnx', 'w: float32 [2, 3], 24 bytes: 1 2 3 4 5 Infinity\ns: string [1], 1 bytes: "a"\n'],
  ])('%s', (file, stdout) => expect(cli(['inspect', file])).toEqual({ status: 0, stdout, stderr: '' }));

  test('standard input', () => expect(cli(['inspect', '-'], read('x.npy')).stdout).toBe('float32 [2, 3], 24 bytes: 1 2 3 4 5 Infinity\n'));

  test('--json', () => {
    const { status, stdout } = cli(['inspect', 'x.safetensors', '--json']);
    expect([status, JSON.parse(stdout)]).toEqual([0, {
      format: 'safetensors', metadata: { format: 'pt' },
      tensors: [
        { name: 'b\u001b', type: 'int64', dims: [1], bytes: 8, first: ['1152921504606846976'] },
        { name: 'w', type: 'float32', dims: [2, 3], bytes: 24, first: [1, 2, 3, 4, 5, 'Infinity'] },
      ],
    }]);
    expect(JSON.parse(cli(['inspect', 'x.onnx', '--json']).stdout).opsets).toEqual({ '': 21 });
  });

  test('external data beside the model is read; what a link leads to outside is not', () => {
    const pair = (key, value) => field(13, Buffer.concat([field(1, Buffer.from(key)), field(2, Buffer.from(value))]));
    const model = (location) => modelOf(Buffer.concat([Buffer.of(8, 2, 0x10, 5, 0x70, 1), pair('location', location), pair('offset', '2'), field(8, Buffer.from('e'))]));
    mkdirSync(join(folder, 'model'));
    write('outside.bin', Buffer.of(0, 0, 1, 0, 2, 0));
    write('model/inside.bin', Buffer.of(0, 0, 1, 0, 2, 0));
    symlinkSync('../outside.bin', join(folder, 'model/link.bin'));
    for (const name of ['inside', 'link', 'none']) write(`model/${name}.onnx`, model(`${name}.bin`));
    expect(cli(['inspect', 'model/inside.onnx'])).toEqual({ status: 0, stdout: 'e: int16 [2], 4 bytes: 1 2\n', stderr: '' });
    expect(cli(['inspect', 'model/link.onnx'])).toEqual({ status: 1, stdout: '', stderr: "onnx-layout: external data must be inside the model's folder, got link.bin\n" });
    expect(cli(['inspect', 'model/none.onnx']).status).toBe(1);
    write('model/inside.bin', Buffer.of(0, 0, 1, 0));
    expect(cli(['inspect', 'model/inside.onnx'])).toEqual({ status: 1, stdout: '', stderr: 'onnx-layout: inside.bin must have 6 bytes, got 4\n' });
  });
});

describe('a tensor in, a tensor out', () => {
  const values = [1, 2, 3, 4, 5, Infinity];
  const turned = [1, 4, 2, 5, 3, Infinity];
  test.each([
    [['transpose', '--perm', '1,0'], [3, 2], turned],
    [['transpose'], [3, 2], turned],
    [['reshape', '--shape', '-1,2'], [3, 2], values],
    [['reshape', '--shape', '3,2', '--opset', '1'], [3, 2], values],
    [['flatten', '--axis', '-2'], [1, 6], values],
    [['flatten'], [2, 3], values],
  ])('%j', ([command, ...options], dims, expected) => {
    quiet(command, 'x.npy', 'out.npy', ...options);
    expectTensor(readNpy(read('out.npy')), 'float32', dims, Float32Array.from(expected));
  });

  test('cast', () => {
    quiet('cast', 'x.npy', 'out.npy', '--to', 'float8e4m3fn', '--no-saturate');
    quiet('cast', 'out.npy', 'back.npy', '--to', 'float16', '--type', 'float8e4m3fn');
    expectTensor(readNpy(read('back.npy')), 'float16', [2, 3], Uint16Array.of(0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x7e00));
  });

  test('split: numbered files, or one file of all', () => {
    quiet('split', 'x.npy', 'piece.npy', '--axis', '1', '--split', '1,2');
    expectTensor(readNpy(read('piece.0.npy')), 'float32', [2, 1], Float32Array.of(1, 4));
    expectTensor(readNpy(read('piece.1.npy')), 'float32', [2, 2], Float32Array.of(2, 3, 5, Infinity));
    quiet('split', 'x.npy', 'pieces.safetensors', '--drop-axis');
    expect([...readSafetensors(read('pieces.safetensors'))].map(([name, { dims }]) => [name, dims])).toEqual([['0', [3]], ['1', [3]]]);
    quiet('split', 'x.npy', 'two.safetensors', '--axis', '1', '--split', '2');
    expect([...readSafetensors(read('two.safetensors')).values()].map(({ dims }) => dims)).toEqual([[2, 2], [2, 1]]);
  });

  test('one tensor of a safetensors file or a model is replaced, the others stay', () => {
    quiet('transpose', 'x.safetensors', 'out.safetensors', '--tensor', 'w');
    const tensors = readSafetensors(read('out.safetensors'));
    expectTensor(tensors.get('w'), 'float32', [3, 2], Float32Array.from(turned));
    expect([tensors.size, tensors.metadata.get('format')]).toEqual([2, 'pt']);
    quiet('transpose', 'x.onnx', 'out.onnx', '--tensor', 'w');
    expectTensor(readModel(read('out.onnx')).initializers.get('w'), 'float32', [3, 2], Float32Array.from(turned));
    quiet('flatten', 'x.onnx', 'out.safetensors', '--tensor', 'w');
    expect([...readSafetensors(read('out.safetensors')).keys()]).toEqual(['w']);
  });

  test('standard input to standard output, and on through a pipe', () => {
    const { status, stdout, stderr } = cli(['transpose', '-', '-'], read('x.npy'));
    expect([status, stderr]).toEqual([0, '']);
    expectTensor(readNpy(new Uint8Array(Buffer.from(stdout, 'latin1'))), 'float32', [3, 2], Float32Array.from(turned));
    const large = new Tensor('uint8', new Uint8Array(3e6), [3, 1_000_000]);
    write('large.npy', writeNpy(large));
    const shell = `"${process.execPath}" "${program}" transpose large.npy - | "${process.execPath}" "${program}" inspect -`;
    expect(run('sh', ['-c', shell], { cwd: folder }).toString()).toBe('uint8 [1000000, 3], 3000000 bytes: 0 0 0 0 0 0 …\n');
    expect(spawnSync('sh', ['-c', `"${process.execPath}" "${program}" transpose large.npy - | head -c 1`], { cwd: folder }).stderr.toString()).toBe('');
  });

  test('--json', () => {
    const { status, stdout } = cli(['split', 'x.npy', 'j.npy', '--json']);
    expect([status, JSON.parse(stdout)]).toEqual([0, { files: ['j.0.npy', 'j.1.npy'], type: 'float32', dims: [[1, 3], [1, 3]] }]);
  });
});

describe('exit status', () => {
  test('0 and the help', () => {
    const { status, stdout, stderr } = cli(['--help']);
    expect([status, stderr, stdout.split('\n')[0]]).toEqual([0, '', 'Usage: onnx-layout COMMAND IN [OUT] [options]']);
    for (const command of ['inspect', 'transpose', 'reshape', 'flatten', 'split', 'cast']) expect(stdout).toContain(`\n  ${command} `);
  });

  test.each([
    [['inspect', 'none.npy'], "ENOENT: no such file or directory, stat 'none.npy'"],
    [['transpose', 'x.npy', 'out.npy', '--perm', '0,0'], 'Transpose-25: perm must be a permutation of [0, 2), got [0, 0]'],
    [['transpose', 'x.onnx', 'out.npy', '--tensor', 'v'], 'no tensor v'],
    [['cast', 'x.npy', 'out.npy', '--to', 'float'.repeat(2)], "Cast-25: to must be one of the 26 types of ONNX, got 'floatfloat'"],
    [['inspect', program], 'readModel: bytes must be protobuf, got '],
  ])('1: %j', (args, message) => {
    const { status, stdout, stderr } = cli(args);
    expect([status, stdout, stderr.startsWith(`onnx-layout: ${message}`), stderr.split('\n').length]).toEqual([1, '', true, 2]);
  });

  test.each([
    [[], 'unknown command (none)'],
    [['toString'], 'unknown command toString'],
    [['inspect'], 'inspect takes a file, got 0'],
    [['transpose', 'x.npy'], 'transpose takes two files, IN and OUT, got 1'],
    [['transpose', 'x.npy', 'out.npy', '--perm', 'a'], '--perm must be whole numbers with commas between, got a'],
    [['flatten', 'x.npy', 'out.npy', '--axis', '1,2'], '--axis must be a whole number, got 1,2'],
    [['reshape', 'x.npy', 'out.npy'], 'reshape needs --shape'],
    [['cast', 'x.npy', 'out.npy'], 'cast needs --to'],
    [['flatten', 'x.npy', 'out.npy', '--perm', '1'], "Unknown option '--perm'"],
    [['flatten', 'x.npy', 'out.txt'], 'OUT must be .npy, .safetensors or -, got out.txt'],
    [['flatten', 'x.npy', 'x.npy'], 'OUT must not be IN'],
    [['flatten', 'x.safetensors', 'out.npy'], 'the file has 2 tensors: choose one by --tensor'],
    [['split', 'x.npy', '-'], 'split needs a file to write to'],
    [['flatten', 'x.npy', '-', '--json'], '--json and the tensor cannot both go to standard output'],
    [['inspect', 'x.onnx', '--type', 'int4'], '--type is for .npy files'],
  ])('2: %j', (args, message) => {
    const { status, stdout, stderr } = cli(args);
    expect([status, stdout, stderr.slice(0, 13 + message.length)]).toEqual([2, '', `onnx-layout: ${message}`]);
  });
});

where(spawnSync('script', ['--version']).status === 0, 'script (util-linux)', () => {
  test('a terminal has a line about long work, gone at the end', () => {
    write('long.npy', writeNpy(new Tensor('uint8', new Uint8Array(2 ** 26), [2 ** 26])));
    const seen = run('script', ['-qec', `"${process.execPath}" "${program}" flatten long.npy out.npy`, '/dev/null'], { cwd: folder }).toString();
    expect(seen).toBe('\r\x1b[Kreading long.npy\r\x1b[Kflatten\r\x1b[Kwriting out.npy\r\x1b[K');
    expect(run('script', ['-qec', `"${process.execPath}" "${program}" flatten x.npy out.npy`, '/dev/null'], { cwd: folder }).toString()).toBe('\r\x1b[K');
  }, 30_000);
});
