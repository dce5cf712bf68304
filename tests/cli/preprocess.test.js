/** The command `preprocess`, against the processor that it calls and the pictures that Pillow decoded. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Tensor } from 'onnx-layout';
import { readNpy, readSafetensors, writeNpy } from 'onnx-layout/io';
import { imageProcessor } from 'onnx-layout/processors';
import { expectTensor } from '../support/assertions.js';
import { root } from '../support/packed.js';
import { randomData } from '../support/samples.js';
import { cli, expectRefusal, inFolder, output, quiet, words, written } from './streams.js';

const folder = inFolder();
const photos = join(root, 'tests/image/sources/pictures');

const rgb = { data: randomData('uint8', 3 * 20 * 10, 1), width: 20, height: 10, channels: 3 };
const gray = { data: randomData('uint8', 8 * 12, 2), width: 8, height: 12, channels: 1 };
const vit = { image_processor_type: 'ViTImageProcessor', size: 6, image_scale: 2 };
const detr = { image_processor_type: 'DetrImageProcessor', size: { shortest_edge: 6, longest_edge: 9 } };
const half = { do_normalize: false, do_rescale: false };

beforeAll(() => {
  writeFileSync('rgb.npy', writeNpy(new Tensor('uint8', rgb.data, [10, 20, 3])));
  writeFileSync('grey.npy', writeNpy(new Tensor('uint8', gray.data, [12, 8])));
  writeFileSync('floats.npy', writeNpy(Tensor.from('float32', [1, 2], [1, 2])));
  for (const [name, config] of Object.entries({ vit, detr })) writeFileSync(`${name}.json`, JSON.stringify(config));
  writeFileSync('bytes.json', JSON.stringify({ image_processor_type: 'ViTImageProcessor', do_resize: false, ...half }));
});

function expectSame(file, { type, dims, data }) {
  expectTensor(readNpy(readFileSync(file)), type, dims, data);
}

test.each([
  ['', {}, {}],
  ['--backend pil', { backend: 'pil' }, {}],
  ['--dtype float16', {}, { dtype: 'float16' }],
  ['--class-name BeitImageProcessor', { className: 'BeitImageProcessor' }, {}],
])('pixel_values %s', async (args, options, call) => {
  await quiet(`preprocess rgb.npy out.npy --config vit.json ${args}`);
  expectSame('out.npy', imageProcessor(vit, options)(rgb, call).pixel_values);
});

test('a batch, and what there is beside pixel_values', async () => {
  const outputs = imageProcessor(detr)([rgb, gray]);
  await quiet('preprocess rgb.npy grey.npy batch.npy --config detr.json');
  expectSame('batch.npy', outputs.pixel_values);
  expectSame('batch.pixel_mask.npy', outputs.pixel_mask);
  await quiet('preprocess rgb.npy grey.npy batch.safetensors --config detr.json');
  const tensors = readSafetensors(readFileSync('batch.safetensors'));
  expect([...tensors.keys()].sort()).toEqual(['pixel_mask', 'pixel_values']);
  for (const [name, { type, dims, data }] of Object.entries(outputs)) expectTensor(tensors.get(name), type, dims, data);
});

test('standard input to standard output, which has pixel_values alone', async () => {
  const { status, stdout } = await written('preprocess - - --config detr.json', readFileSync('rgb.npy'));
  const { type, dims, data } = imageProcessor(detr)(rgb).pixel_values;
  expect(status).toBe(0);
  expectTensor(readNpy(new Uint8Array(stdout)), type, dims, data);
});

test('trimaps', async () => {
  const config = { image_processor_type: 'VitMatteImageProcessor' };
  writeFileSync('vitmatte.json', JSON.stringify(config));
  const trimap = { ...gray, width: 20, height: 10, data: randomData('uint8', 200, 3) };
  writeFileSync('trimap.npy', writeNpy(new Tensor('uint8', trimap.data, [10, 20])));
  const args = '--config vitmatte.json --trimap trimap.npy --trimap trimap.npy';
  await quiet(`preprocess rgb.npy rgb.npy out.npy ${args}`);
  expectSame('out.npy', imageProcessor(config)([rgb, rgb], { trimaps: [trimap, trimap] }).pixel_values);
});

describe('pictures have the pixels of Pillow', () => {
  const pictures = JSON.parse(readFileSync(join(photos, 'pixels.json'), 'utf8')).filter(({ opaque }) => opaque);
  test.each(pictures)('$file', async ({ file, upright, stored }) => {
    for (const [orientation, expected] of Object.entries({ upright, ignore: stored })) {
      await quiet([
        'preprocess',
        join(photos, file),
        ...words(`out.npy --config bytes.json --orientation ${orientation}`),
      ]);
      const { type, dims, data } = readNpy(readFileSync('out.npy'));
      const [height, width] = dims.slice(2);
      const size = width * height;
      const rgba = Uint8Array.from({ length: 4 * size }, (_, i) =>
        i % 4 === 3 ? 255 : data[(i % 4) * size + (i >> 2)],
      );
      const sha256 = createHash('sha256').update(rgba).digest('hex');
      expect({ type, width, height, sha256 }).toEqual({ type: 'uint8', ...expected });
    }
  });
});

test('--json', async () => {
  const { status, stdout } = await cli('preprocess rgb.npy grey.npy out.npy --config vit.json --backend pil --json');
  const steps = [
    { name: 'resize', filter: 'bilinear', width: 6, height: 6 },
    { name: 'rescale', factor: 1 / 255 },
    { name: 'normalize', mean: 0.5, std: 0.5 },
  ];
  expect([status, JSON.parse(stdout)]).toEqual([
    0,
    {
      files: ['out.npy'],
      failed: [],
      className: 'ViTImageProcessor',
      backend: 'pil',
      ignored: ['image_scale'],
      images: [
        { file: 'rgb.npy', width: 20, height: 10, steps },
        { file: 'grey.npy', width: 8, height: 12, steps },
      ],
      outputs: [{ name: 'pixel_values', type: 'float32', dims: [2, 3, 6, 6] }],
    },
  ]);
  const { backend } = JSON.parse(await output('preprocess rgb.npy out.npy --config vit.json --json'));
  expect(backend).toBe('torchvision');
});

test('without sharp, .npy works and pictures name it', () => {
  // As installed, but in a folder from which sharp cannot be found.
  for (const part of ['js', 'dist', 'package.json']) cpSync(join(root, part), `package/${part}`, { recursive: true });
  const spawned = (...args) => {
    const program = [join(folder, 'package/dist/cli.js'), 'preprocess', ...args, '--config', 'vit.json'];
    const { status, stdout, stderr } = spawnSync(process.execPath, program, { cwd: folder });
    return [status, stdout.toString(), stderr.toString()];
  };
  writeFileSync('photo.jpg', readFileSync(join(photos, 'jpeg-444.jpg')));
  expect(spawned('rgb.npy', 'out.npy')).toEqual([0, '', '']);
  const stderr = 'onnx-layout: photo.jpg: pictures are decoded by sharp, which is not there: npm install sharp\n';
  expect(spawned('photo.jpg', 'none.npy')).toEqual([1, '', stderr]);
  expect(readdirSync('.')).not.toContain('none.npy');
});

test.each([
  [
    'vit.json out.npy --config vit.json',
    'vit.json: image must be a JPEG, PNG, GIF, WebP, AVIF or TIFF picture, got text of 69 bytes: ',
  ],
  ['none.jpg out.npy --config vit.json', 'none.jpg: no such file or directory\n'],
  ['package out.npy --config vit.json', 'package: has no picture (.jpg, .png, '],
  ['rgb.npy out.npy --config vit.json --trimap package', 'package: must be a file, got a folder\n'],
  ['rgb.npy out.npy --config none.json', 'none.json: no such file or directory\n'],
  ['floats.npy out.npy --config vit.json', 'floats.npy: image must be uint8 [H, W] or [H, W, C], got float32 [1, 2]\n'],
  ['rgb.npy out.npy --config rgb.npy', 'preprocess: config must be JSON, got '],
])('1: %s', (args, message) => expectRefusal(`preprocess ${args}`, 1, message));

test.each([
  ['rgb.npy --config vit.json', 'preprocess takes IMAGE… OUT, got 1 file'],
  ['', 'preprocess takes IMAGE… OUT, got 0 files'],
  ['rgb.npy out.npy', 'preprocess needs --config'],
  ['rgb.npy out.txt --config vit.json', 'OUT must be .npy, .safetensors or -, got out.txt'],
  ['rgb.npy ./rgb.npy --config vit.json', 'OUT must not be an input, got ./rgb.npy: --force replaces it'],
  ['rgb.npy a.npy --config vit.json --trimap a.npy', 'OUT must not be an input, got a.npy: --force replaces it'],
  ['rgb.npy - --config vit.json --json', '--json and OUT cannot both go to standard output'],
  ['rgb.npy out.npy --config vit.json --orientation left', '--orientation must be upright or ignore, got left'],
])('2: %s', (args, message) =>
  expectRefusal(`preprocess ${args}`, 2, `${message}\nonnx-layout preprocess --help says more\n`),
);
