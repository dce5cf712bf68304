/** The command `preprocess` where sharp is not installed; preprocess.test.js has the program so. */
import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { temporaryFolder } from '../support/programs.js';
import { root } from '../support/packed.js';
import { cli } from './streams.js';

const folder = temporaryFolder();
const config = join(folder, 'vit.json');
writeFileSync(config, JSON.stringify({ image_processor_type: 'ViTImageProcessor' }));

test.each([
  ['ERR_MODULE_NOT_FOUND', 'photo.jpg: pictures are decoded by sharp, which is not there: npm install sharp'],
  ['ERR_DLOPEN_FAILED', 'photo.jpg: libvips-cpp.so cannot be opened'],
])('import fails with %s', async (code, message) => {
  jest.unstable_mockModule('sharp', () => {
    throw Object.assign(new Error('libvips-cpp.so cannot be opened'), { code });
  });
  const photo = join(folder, 'photo.jpg');
  copyFileSync(join(root, 'tests/image/sources/pictures/jpeg-444.jpg'), photo);
  const { status, stdout, stderr } = await cli(['preprocess', photo, join(folder, 'out.npy'), '--config', config]);
  expect([status, stdout, stderr.replace(`${folder}/`, '')]).toEqual([1, '', `onnx-layout: ${message}\n`]);
  expect(readdirSync(folder)).not.toContain('out.npy');
});
