/**
 * From a picture file to a tensor in Node: sharp decodes, as the reference shows it, and every pixel is Pillow's.
 * tests/browser has the same files decoded by browsers.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { imageToTensor, init, tensorToImage } from 'onnx-layout';
import { readNpy } from 'onnx-layout/io';
import { root } from '../../support/packed.js';
import { run, temporaryFolder } from '../../support/programs.js';

beforeAll(() => init());

const folder = join(import.meta.dirname, 'pictures');
const pictures = JSON.parse(readFileSync(join(folder, 'pixels.json'), 'utf8'));

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** The RGBA bytes of a picture, by way of a tensor. */
async function decoded(file, autoOrient, size = {}) {
  const settings = { autoOrient, ignoreIcc: true };
  const { data, info } = await sharp(join(folder, file), settings).raw().toBuffer({ resolveWithObject: true });
  const tensor = imageToTensor({ data, ...info }, { channels: 'RGBA', layout: 'HWC', dtype: 'uint8', ...size });
  return { width: tensor.dims[1], height: tensor.dims[0], sha256: sha256(tensor.data) };
}

describe.each(pictures)('sharp decodes $file to the pixels of Pillow', ({ file, stored, upright, resized }) => {
  test('as they are stored', async () => expect(await decoded(file, false)).toEqual(stored));
  test('upright', async () => expect(await decoded(file, true)).toEqual(upright));
  test('resized', async () => {
    const size = { width: 48, height: 40 };
    expect(await decoded(file, false, size)).toEqual({ ...size, sha256: resized.stored });
    expect(await decoded(file, true, size)).toEqual({ ...size, sha256: resized.upright });
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
