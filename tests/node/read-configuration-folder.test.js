/** Configurations out of folders and of Blobs: the choices of transformers' own from_pretrained. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readConfigurationFolder } from 'onnx-layout/node';
import { imageProcessor, readConfiguration, videoProcessor } from 'onnx-layout/processors';
import { expectRejection } from '../support/assertions.js';
import { readGoldens } from '../support/processor-goldens.js';
import { temporaryFolder } from '../support/programs.js';

const root = temporaryFolder();
const folders = readGoldens('index.json').filter(({ kind }) => kind === 'load');

test.each(folders.map((golden) => [golden.id, golden]))('%s', async (_, { files, of, type, error }) => {
  const folder = mkdtempSync(join(root, 'model-'));
  const texts = Object.entries(files).map(([name, file]) => [name, JSON.stringify(file)]);
  for (const [name, text] of texts) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'model.onnx'), 'weights');
  mkdirSync(join(folder, 'text_encoder'));
  const configurations = await Promise.all([
    readConfigurationFolder(folder),
    readConfiguration(Object.fromEntries(texts.map(([name, text]) => [name, new Blob([text])]))),
  ]);
  const wanted = Object.fromEntries(texts);
  for (const config of configurations) {
    expect(config).toEqual(wanted);
    const make = () => (of === 'image' ? imageProcessor : videoProcessor)(config).className;
    if (error) expect(make).toThrow(/^(image|video)Processor: /);
    else expect(make()).toBe(type.replace('VL_Moe', 'VLMoe'));
  }
});

test('refuses what is no folder of configurations', async () => {
  const names = 'config.json, preprocessor_config.json, processor_config.json, video_preprocessor_config.json';
  const rule = `the folder must have one of ${names}, got none`;
  const empty = mkdtempSync(join(root, 'empty-'));
  await expectRejection(() => readConfigurationFolder(empty), RangeError, `readConfigurationFolder: ${rule}`);
  await expect(readConfigurationFolder(join(empty, 'none'))).rejects.toThrow(/ENOENT/);
  await expectRejection(() => readConfiguration({ 'a.json': new Blob([]) }), RangeError, `readConfiguration: ${rule}`);
  await expectRejection(() => readConfiguration(5), TypeError, 'readConfiguration: files must be Blobs by name, got 5');
  const file = { 'config.json': 'text' };
  await expectRejection(
    () => readConfiguration(file),
    TypeError,
    "readConfiguration: config.json must be a Blob, got 'text'",
  );
});

test.each([
  ['a pipe', (path) => spawnSync('mkfifo', [path]), 'be a regular file, got a pipe'],
  ['a folder', mkdirSync, 'be a regular file, got a folder'],
  [
    '65 MiB',
    (path) => {
      writeFileSync(path, '');
      truncateSync(path, 65 * 2 ** 20);
    },
    'have at most 67108864 bytes, got 68157440',
  ],
])('refuses %s in the place of a file', async (_, make, rule) => {
  const folder = mkdtempSync(join(root, 'no-'));
  const path = join(folder, 'config.json');
  make(path);
  const shown = path.length > 60 ? `${path.slice(0, 60)}…` : path;
  const message = `readConfigurationFolder: '${shown}' must ${rule}`;
  await expectRejection(() => readConfigurationFolder(folder), RangeError, message);
});
