/** Weights packed by convert-model, and back: the files, what is printed, what is refused, and what a signal leaves. */
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Tensor } from 'onnx-layout';
import { dequantizeWeights, quantizeWeights } from 'onnx-layout/convert';
import { openModel, readModel, saveModel, writeNpy } from 'onnx-layout/io';
import { modelOf, weightsModel } from '../support/models.js';
import { size } from '../../js/cli/terminal.js';
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

/** Packs with zero points, as quantizeWeights does. */
const pack = (input, name, more = '') =>
  `convert-model ${input} --dtype q4 --weights-only --asymmetric --folder . --name ${name} ${more}`.trimEnd();
const unpack = (input, name) => `convert-model ${input} --dtype fp32 --folder . --name ${name}`;

describe('--weights-only', () => {
  test('the table, and the bytes of quantizeWeights', async () => {
    const { model, report } = quantizeWeights(file, { exclude: ['V'] });
    const rms = Number(report[0].rms.toPrecision(3));
    expect(await cli(pack('m.onnx', 'q', '--exclude V'))).toEqual(
      done(
        `q4  q_q4.onnx  ${size(file.length)} to ${size(model.length)}\n` +
          `packed  first      MatMul  W  8 kB to 2.05 kB, rms error ${rms}\n` +
          `packed  second     MatMul  W  8 kB to 2.05 kB, rms error ${rms}\n` +
          'left    long name  MatMul  V  excluded\n' +
          '2 packed, 1 left: 8 kB to 2.05 kB\n',
      ),
    );
    expect(read('q_q4.onnx')).toEqual(model);
  });

  test('every option, as JSON', async () => {
    const args = '--block-size 16 --ops MatMul,Gather --include W,T --dtype q4 --weights-only --folder o';
    const [{ files, report: rows, ...facts }] = JSON.parse(await output(`convert-model m.onnx ${args} --json`));
    const options = { blockSize: 16, symmetric: true, ops: ['MatMul', 'Gather'], include: ['W', 'T'] };
    const { model, report } = quantizeWeights(file, options);
    expect(facts).toEqual({ dtype: 'q4', before: file.length, after: model.length, external: 0 });
    expect([files, rows]).toEqual([['o/model_q4.onnx'], report]);
    expect(report.map(({ packed }) => packed)).toEqual([true, true, false, true]);
    expect(read('o/model_q4.onnx')).toEqual(model);
    await cli(pack('m.onnx', 'p', '--form qdq'));
    expect(read('p_q4.onnx')).toEqual(quantizeWeights(file, { form: 'qdq' }).model);
    await cli('convert-model m.onnx --dtype q8,q2 --weights-only --folder o');
    expect(read('o/model_quantized.onnx')).toEqual(quantizeWeights(file, { bits: 8, symmetric: true }).model);
    expect(read('o/model_q2.onnx')).toEqual(quantizeWeights(file, { bits: 2, symmetric: true }).model);
  });

  test('standard input', async () => {
    const { status } = await written(pack('-', 'stdin'), Buffer.from(file));
    expect([status, read('stdin_q4.onnx')]).toEqual([0, quantizeWeights(file).model]);
  });

  test('data in another file, there and back', async () => {
    const { bytes, initializers } = await openModel(file);
    const saved = await saveModel(bytes, initializers, { externalName: 'w.bin' });
    mkdirSync('in');
    writeFileSync('in/e.onnx', await bytesOf(saved.model));
    writeFileSync('in/w.bin', await bytesOf(saved.externalFile));
    const filesOf = async (args) => JSON.parse(await output(`${args} --json`))[0].files;
    expect(await filesOf(pack('in/e.onnx', 'q'))).toEqual(['q_q4.onnx_data', 'q_q4.onnx']);
    const external = ({ location, offset, length }) => read(location).subarray(offset, offset + length);
    const known = readModel(quantizeWeights(file).model);
    const model = readModel(read('q_q4.onnx'), { external });
    for (const [name, tensor] of known.initializers)
      expect([name, model.initializers.get(name).toArray()]).toEqual([name, tensor.toArray()]);
    expect(await filesOf(unpack('q_q4.onnx', 'd'))).toEqual(['d.onnx_data', 'd.onnx']);
    const plain = readModel(dequantizeWeights(quantizeWeights(file).model).model);
    const again = readModel(read('d.onnx'), { external });
    expect(again.initializers.get('W').toArray()).toEqual(plain.initializers.get('W').toArray());
  });
});

test('no table', () => quiet(`${pack('m.onnx', 'silent')} --quiet`));

test('--dtype fp32, its table and its bytes', async () => {
  const { model } = quantizeWeights(file, { blockSize: 16 });
  writeFileSync('packed.onnx', model);
  const plain = dequantizeWeights(model).model;
  expect(await cli(unpack('packed.onnx', 'plain'))).toEqual(
    done(
      `fp32  plain.onnx  ${size(model.length)} to ${size(plain.length)}\n` +
        'unpacked  first_Q4      MatMulNBits  W_Q4  1.9 kB to 8 kB\n' +
        'unpacked  second_Q4     MatMulNBits  W_Q4  1.9 kB to 8 kB\n' +
        'unpacked  long name_Q4  MatMulNBits  V_Q4  800 bytes to 4.1 kB\n' +
        '3 unpacked, 0 left: 2.7 kB to 12.1 kB\n',
    ),
  );
  expect(read('plain.onnx')).toEqual(plain);
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
    await message(pack('none.onnx', 'still-none')),
    await message(pack('conv.onnx', 'still-none', '--ops MatMul,Gather')),
    await message(pack('m.onnx', 'still-none', '--include none')),
    await message(unpack('m.onnx', 'still-none')),
  ]).toEqual([
    'onnx-layout: IN must have nodes of MatMul, got none: no still-none_q4.onnx is written\n',
    'onnx-layout: IN must have nodes of MatMul or Gather, got Conv, Relu: no still-none_q4.onnx is written\n',
    'onnx-layout: no weights are packed, those of first because not included: no still-none_q4.onnx is written\n',
    'onnx-layout: IN must have packed weights, got none: no still-none.onnx is written\n',
  ]);
  expect(readdirSync('.').filter((name) => name.startsWith('still-none'))).toEqual([]);
});

test.each([
  ['m.onnx --dtype q4 --form qdq', '--form needs --weights-only'],
  ['m.onnx --dtype q4,fp16 --weights-only', '--weights-only takes --dtype q8, q4 and q2, got fp16'],
  [
    'm.onnx --dtype fp32 --folder . --name m',
    'IN must not be an output, got m.onnx: choose another --folder or --name',
  ],
  ['m.onnx --dtype q4 --weights-only --form q', '--form must be matmulnbits or qdq, got q'],
  ['m.onnx --dtype q4 --weights-only --block-size 1', '--block-size must be 16, 32, 64, 128 or 256, got 1'],
  ['m.onnx --dtype q4 --weights-only --ops Gemm', "--ops must hold 'MatMul' or 'Gather', got 'Gemm'"],
])('refuses %j', async (args, message) => {
  const { status, stderr } = await cli(`convert-model ${args}`);
  expect([status, stderr.split('\n')[0]]).toEqual([2, `onnx-layout: ${message}`]);
});

test('a file without a graph is refused', () =>
  expectRefusal(unpack('x.npy', 'a'), 1, 'IN must be an .onnx file, got npy\n'));

test('a bar while the weights are read', async () => {
  const [rows, columns] = [4096, 4100];
  writeFileSync('wide.onnx', weightsModel('MatMul', { ...long, dims: [rows, columns], length: rows * columns * 4 }));
  writeFileSync('long.data', '');
  truncateSync('long.data', rows * columns * 4);
  const { stderr } = await written(pack('wide.onnx', 'narrow'), undefined, true);
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
  const { status, left } = await leftBy(pack('long.onnx', 'ended'), signal);
  // Nothing can be done about a temporary file after SIGKILL.
  const files = left.filter((name) => signal === 'SIGINT' || !name.endsWith('.tmp'));
  expect([status, files]).toEqual([wanted, []]);
  for (const name of left) rmSync(name);
});
