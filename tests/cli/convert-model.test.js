/** The command convert-model: its files, what it prints, and what it refuses. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { convertModel } from 'onnx-layout/convert';
import { openModel, readModel, saveModel } from 'onnx-layout/io';
import { modelBefore } from '../support/convert-goldens.js';
import { bytesOf } from '../weights/files.js';
import { cli, expectRefusal, inFolder, output } from './streams.js';

const folder = inFolder();
const read = (name) => new Uint8Array(readFileSync(join(folder, name)));
const file = modelBefore('bert');

beforeAll(() => writeFileSync('m.onnx', file));

test('the set that transformers.js loads, and the nodes that stay float32', async () => {
  const { stdout, status } = await cli('convert-model m.onnx --dtype q4f16,fp16');
  expect(status).toBe(0);
  const lines = stdout.split('\n');
  expect(lines[0]).toMatch(/^q4f16 {2}onnx\/model_q4f16\.onnx {2}\d.* kB to \d.* kB$/);
  expect(lines.some((line) => /^ {2}float32, .*: \d+ nodes?, /.test(line))).toBe(true);
  for (const dtype of ['q4f16', 'fp16'])
    expect(readModel(read(`onnx/model_${dtype}.onnx`))).toEqual(readModel(convertModel(file, { dtype }).model));
});

test('options, the name and the folder, as JSON', async () => {
  const args = '--dtype uint8 --per-channel --reduce-range --no-subgraphs --name encoder --folder out/onnx --json';
  const [{ files, report, external }] = JSON.parse(await output(`convert-model m.onnx ${args}`));
  expect([files, external]).toEqual([['out/onnx/encoder_uint8.onnx'], 0]);
  const options = { dtype: 'uint8', perChannel: true, reduceRange: true, subgraphs: false };
  expect(report).toEqual(convertModel(file, options).report);
  expect(readModel(read(files[0]))).toEqual(readModel(convertModel(file, options).model));
});

test('data beside the model, with the entry of config.json', async () => {
  const { bytes, initializers } = await openModel(file);
  const saved = await saveModel(bytes, initializers, { externalName: 'w.bin' });
  mkdirSync('in');
  writeFileSync('in/e.onnx', await bytesOf(saved.model));
  writeFileSync('in/w.bin', await bytesOf(saved.externalFile));
  const { stdout } = await cli('convert-model in/e.onnx --dtype fp16 --folder split');
  const config = { 'transformers.js_config': { use_external_data_format: { 'model_fp16.onnx': 1 } } };
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(`config.json needs ${JSON.stringify(config)}`);
  const external = ({ location, offset, length }) => read(join('split', location)).subarray(offset, offset + length);
  const { initializers: known } = readModel(convertModel(file, { dtype: 'fp16' }).model);
  const { initializers: made } = readModel(read('split/model_fp16.onnx'), { external });
  expect(new Map([...made].sort())).toEqual(new Map([...known].sort()));
});

test('what it refuses', async () => {
  await expectRefusal('convert-model m.onnx', 2, 'convert-model needs --dtype');
  const { stderr, status } = await cli('convert-model m.onnx --dtype fp8 --folder none');
  expect([status, stderr]).toEqual([2, expect.stringContaining('--dtype')]);
  expect(existsSync('none')).toBe(false);
});
