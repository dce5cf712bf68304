/**
 * From a picture file to a tensor in Node: readImage decodes, and every pixel is Pillow's.
 * tests/browser has the same files decoded by browsers.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { imageToTensorAsync, init, tensorToImage } from 'onnx-layout/image';
import { readNpy } from 'onnx-layout/io';
import { readImage } from 'onnx-layout/node';
import { root } from '../../support/packed.js';
import { run, temporaryFolder } from '../../support/programs.js';

beforeAll(() => init());

const folder = join(import.meta.dirname, 'pictures');
const pictures = JSON.parse(readFileSync(join(folder, 'pixels.json'), 'utf8'));

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** The RGBA bytes of a picture, by way of a tensor. */
async function decoded(file, orientation, size = {}) {
  const options = { channels: 'RGBA', layout: 'HWC', dtype: 'uint8', decode: readImage, orientation };
  const tensor = await imageToTensorAsync(join(folder, file), { ...options, ...size });
  return { width: tensor.dims[1], height: tensor.dims[0], sha256: sha256(tensor.data) };
}

describe.each(pictures)('readImage decodes $file to the pixels of Pillow', ({ file, stored, upright, resized }) => {
  test('as they are stored', async () => expect(await decoded(file, 'ignore')).toEqual(stored));
  test('upright', async () => expect(await decoded(file, 'upright')).toEqual(upright));
  test('resized', async () => {
    const size = { width: 48, height: 40 };
    expect(await decoded(file, 'ignore', size)).toEqual({ ...size, sha256: resized.stored });
    expect(await decoded(file, 'upright', size)).toEqual({ ...size, sha256: resized.upright });
  });
});

const temporary = temporaryFolder();

test.each(pictures.filter(({ opaque }) => opaque))('images-to-npy.mjs packs $file', ({ file, upright }) => {
  const images = join(temporary, file);
  mkdirSync(images);
  copyFileSync(join(folder, file), join(images, file));
  run(process.execPath, [join(root, 'tests/io/scripts/images-to-npy.mjs'), images, `${images}.npy`]);
  const { data, width, height } = tensorToImage(readNpy(readFileSync(`${images}.npy`)));
  expect({ width, height, sha256: sha256(data) }).toEqual(upright);
});
