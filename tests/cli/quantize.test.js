/** The commands quantize and dequantize: their files, what they print, what they refuse, and what a signal leaves. */
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Tensor } from 'onnx-layout';
import { dequantizeWeights, quantizeWeights } from 'onnx-layout/convert';
import { openModel, readModel, saveModel, writeNpy } from 'onnx-layout/io';
import { modelOf, weightsModel } from '../support/models.js';
import { bytesOf } from '../weights/files.js';
import { cli, done, expectRefusal, inFolder, leftBy, output, quiet, written } from './streams.js';

const folder = inFolder();

const read = (name) => new Uint8Array(readFileSync(join(folder, name)));
const matrix = (rows, columns) =>
  new Tensor(
    'float32',
    Float32Array.from({ length: rows * columns }, (_, i) => Math.sin(i)),
    [rows, columns],
  );
const product = (name, weights, output) => ({ name, operator: 'MatMul', inputs: ['x', weights], outputs: [output] });
const file = modelOf({
  nodes: [
    product('first', 'W', 'a'),
    product('second', 'W', 'b'),
    product('long name', 'V', 'c'),
    { name: 'table', operator: 'Gather', inputs: ['T', 'i'], outputs: ['d'] },
  ],
  initializers: { W: matrix(40, 50), V: matrix(64, 16), T: matrix(100, 32) },
  inputs: { x: ['float32', ['n', 40]] },
});

beforeAll(() => {
  writeFileSync('m.onnx', file);
  writeFileSync('x.npy', writeNpy(matrix(2, 2)));
});

describe('quantize', () => {
  test('the table, and the bytes of quantizeWeights', async () => {
    const { model, report } = quantizeWeights(file, { exclude: ['V'] });
    const rms = Number(report[0].rms.toPrecision(3));
    expect(await cli('quantize m.onnx q.onnx --exclude V')).toEqual(
      done(
        `packed  first      MatMul  W  8 kB to 2.05 kB, rms error ${rms}\n` +
          `packed  second     MatMul  W  8 kB to 2.05 kB, rms error ${rms}\n` +
          'left    long name  MatMul  V  excluded\n' +
          '2 packed, 1 left: 8 kB to 2.05 kB\n',
      ),
    );
    expect(read('q.onnx')).toEqual(model);
  });

  test('every option, as JSON', async () => {
    const args = '--bits 4 --block-size 16 --symmetric --ops MatMul,Gather --include W,T';
    const stdout = await output(`quantize m.onnx o.onnx ${args} --json`);
    const options = { blockSize: 16, symmetric: true, ops: ['MatMul', 'Gather'], include: ['W', 'T'] };
    const { model, report } = quantizeWeights(file, options);
    expect(JSON.parse(stdout)).toEqual({ files: ['o.onnx'], report });
    expect(report.map(({ packed }) => packed)).toEqual([true, true, false, true]);
    expect(read('o.onnx')).toEqual(model);
    await cli('quantize m.onnx p.onnx --form qdq');
    expect(read('p.onnx')).toEqual(quantizeWeights(file, { form: 'qdq' }).model);
  });

  test('standard input', async () => {
    const { status } = await written('quantize - stdin.onnx', Buffer.from(file));
    expect([status, read('stdin.onnx')]).toEqual([0, quantizeWeights(file).model]);
  });

  test('data in another file, there and back', async () => {
    const { bytes, initializers } = await openModel(file);
    const saved = await saveModel(bytes, initializers, { externalName: 'w.bin' });
    mkdirSync('in');
    mkdirSync('out');
    writeFileSync('in/e.onnx', await bytesOf(saved.model));
    writeFileSync('in/w.bin', await bytesOf(saved.externalFile));
    const stdout = await output('quantize in/e.onnx out/q.onnx --json');
    expect(JSON.parse(stdout).files).toEqual(['out/q.onnx.data', 'out/q.onnx']);
    const external = ({ location, offset, length }) => read(join('out', location)).subarray(offset, offset + length);
    const known = readModel(quantizeWeights(file).model);
    const model = readModel(read('out/q.onnx'), { external });
    for (const [name, tensor] of known.initializers)
      expect([name, model.initializers.get(name).toArray()]).toEqual([name, tensor.toArray()]);
    const back = await output('dequantize out/q.onnx out/d.onnx --json');
    expect(JSON.parse(back).files).toEqual(['out/d.onnx.data', 'out/d.onnx']);
    const plain = readModel(dequantizeWeights(quantizeWeights(file).model).model);
    const again = readModel(read('out/d.onnx'), { external });
    expect(again.initializers.get('W').toArray()).toEqual(plain.initializers.get('W').toArray());
  });
});

test('standard output, and no table', async () => {
  const { status, stdout, stderr } = await written('quantize m.onnx -');
  expect([status, new Uint8Array(stdout), stderr]).toEqual([0, quantizeWeights(file).model, '']);
  await quiet('quantize m.onnx silent.onnx --quiet');
});

test('dequantize, its table and its bytes', async () => {
  const { model } = quantizeWeights(file, { blockSize: 16 });
  writeFileSync('packed.onnx', model);
  expect(await cli('dequantize packed.onnx plain.onnx')).toEqual(
    done(
      'unpacked  first_Q4      MatMulNBits  W_Q4  1.9 kB to 8 kB\n' +
        'unpacked  second_Q4     MatMulNBits  W_Q4  1.9 kB to 8 kB\n' +
        'unpacked  long name_Q4  MatMulNBits  V_Q4  800 bytes to 4.1 kB\n' +
        '3 unpacked, 0 left: 2.7 kB to 12.1 kB\n',
    ),
  );
  expect(read('plain.onnx')).toEqual(dequantizeWeights(model).model);
});

test('a model without weights to pack is refused, and no file is written', async () => {
  writeFileSync('none.onnx', modelOf({ nodes: [] }));
  writeFileSync(
    'conv.onnx',
    modelOf({ nodes: ['Conv', 'Relu'].map((operator) => ({ operator, inputs: ['x'], outputs: [operator] })) }),
  );
  const message = async (args) => {
    const { status, stdout, stderr } = await cli(args);
    expect([status, stdout]).toEqual([1, '']);
    return stderr;
  };
  expect([
    await message('quantize none.onnx still-none.onnx'),
    await message('quantize conv.onnx still-none.onnx --ops MatMul,Gather'),
    await message('quantize m.onnx still-none.onnx --include none'),
    await message('dequantize m.onnx still-none.onnx'),
  ]).toEqual([
    'onnx-layout: IN must have nodes of MatMul, got none: OUT is not written\n',
    'onnx-layout: IN must have nodes of MatMul or Gather, got Conv, Relu: OUT is not written\n',
    'onnx-layout: no weights are packed, those of first because not included: OUT is not written\n',
    'onnx-layout: IN must have packed weights, got none: OUT is not written\n',
  ]);
  expect(readdirSync('.')).not.toContain('still-none.onnx');
});

test.each([
  ['quantize m.onnx', 'quantize takes IN OUT, got 1 file'],
  ['dequantize m.onnx a.onnx b.onnx', 'dequantize takes IN OUT, got 3 files'],
  ['quantize m.onnx a.npy', 'OUT must be .onnx or -, got a.npy'],
  ['quantize m.onnx ./m.onnx', 'OUT must not be an input, got ./m.onnx: --force replaces it'],
  ['quantize m.onnx a.onnx --bits four', '--bits must be a whole number, got four'],
  ['quantize m.onnx a.onnx --block-size 1,2', '--block-size must be a whole number, got 1,2'],
  ['dequantize m.onnx a.onnx --dtype int4', "unknown option '--dtype'. Known: --as, --force, --json, --quiet, --help"],
])('usage: %j', (args, message) =>
  expectRefusal(args, 2, `${message}\nonnx-layout ${args.split(' ')[0]} --help says more\n`),
);

test.each([
  ['quantize x.npy a.onnx', 1, 'IN must be an .onnx file, got npy'],
  ['dequantize x.npy a.onnx', 1, 'IN must be an .onnx file, got npy'],
  ['quantize m.onnx a.onnx --bits 3', 2, '--bits must be 2, 4 or 8, got 3'],
  ['quantize m.onnx a.onnx --form q', 2, '--form must be matmulnbits or qdq, got q'],
  ['quantize m.onnx a.onnx --ops Gemm', 2, "--ops must hold 'MatMul' or 'Gather', got 'Gemm'"],
])('refuses %j', async (args, status, message) => {
  await expectRefusal(args, status, `${message}\n`);
  expect(readdirSync(folder).filter((name) => name.startsWith('a.onnx'))).toEqual([]);
});

test('a bar while the weights are read', async () => {
  const [rows, columns] = [4096, 4100];
  writeFileSync('wide.onnx', weightsModel('MatMul', { ...long, dims: [rows, columns], length: rows * columns * 4 }));
  writeFileSync('long.data', '');
  truncateSync('long.data', rows * columns * 4);
  const { stderr } = await written('quantize wide.onnx narrow.onnx', undefined, true);
  expect(stderr).toMatch(/reading wide\.onnx \[=+ *\] \d+ % [\d.]+ .B\/s, \d+ s left/);
});

const long = { type: 'float32', location: 'long.data', offset: 0 };

test.each([
  ['SIGINT', 130],
  ['SIGKILL', null],
])('%s leaves no half file', async (signal, wanted) => {
  const [rows, columns] = [4096, 65536];
  const length = rows * columns * 4;
  writeFileSync('long.onnx', weightsModel('MatMul', { ...long, dims: [rows, columns], length }));
  writeFileSync('long.data', '');
  truncateSync('long.data', length);
  const { status, left } = await leftBy('quantize long.onnx ended.onnx', signal);
  // Nothing can be done about a temporary file after SIGKILL.
  const files = left.filter((name) => signal === 'SIGINT' || !name.endsWith('.tmp'));
  expect([status, files]).toEqual([wanted, []]);
  for (const name of left) rmSync(name);
});
