/** The command `preprocess` over patterns and folders, and in threads to files that grow. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { Tensor } from 'onnx-layout';
import { readNpy, readSafetensors, writeNpy } from 'onnx-layout/io';
import { readImage } from 'onnx-layout/node';
import { imageProcessor } from 'onnx-layout/processors';
import { expand, segmentsOf } from '../../js/cli/globs.js';
import { root } from '../support/packed.js';
import { cli, expectRefusal, inFolder, output, quiet, words } from './streams.js';

const folder = inFolder();
const pictures = ['b/c/d.png', 'b/e.PNG', 'b/one.png', 'b/three.png', 'b/two.png'];
const configs = {
  vit: { image_processor_type: 'ViTImageProcessor', size: { height: 6, width: 5 } },
  detr: { image_processor_type: 'DetrImageProcessor', size: { height: 6, width: 8 } },
  own: { image_processor_type: 'ViTImageProcessor', do_resize: false },
  qwen: { image_processor_type: 'Qwen2VLImageProcessor', size: { shortest_edge: 3136, longest_edge: 9999 } },
  molmo: { image_processor_type: 'Molmo2ImageProcessor' },
  eomt: { image_processor_type: 'EomtImageProcessor', size: { shortest_edge: 8, longest_edge: 8 } },
};

beforeAll(async () => {
  for (const path of ['b/c', 'empty']) mkdirSync(path, { recursive: true });
  for (const [i, path] of pictures.entries()) {
    const raw = { width: 60 + 30 * i, height: 70, channels: 3 };
    const data = Buffer.from(Array.from({ length: 3 * raw.width * raw.height }, (_, k) => (k * (i + 3)) % 251));
    await sharp(data, { raw }).toFile(path.replace('PNG', 'png'));
    if (path.endsWith('PNG')) copyFileSync('b/e.png', 'b/e.PNG');
  }
  for (const path of ['b/note.txt', 'b/.hidden.png', 'b/c/x[1].npy']) writeFileSync(path, 'no picture');
  copyFileSync('b/one.png', 'b/x1.npy');
  symlinkSync('b', 'linked');
  symlinkSync('..', 'b/c/up');
  for (const [name, config] of Object.entries(configs)) writeFileSync(`${name}.json`, JSON.stringify(config));
});

describe('patterns', () => {
  test.each([
    [['b/*.png'], ['b/e.png', 'b/one.png', 'b/three.png', 'b/two.png']],
    [
      ['b/t*.png', 'b/c/d.png'],
      ['b/three.png', 'b/two.png', 'b/c/d.png'],
    ],
    [['b/???.png'], ['b/one.png', 'b/two.png']],
    [['b/{one,t[hw]*}.png'], ['b/one.png', 'b/three.png', 'b/two.png']],
    [['b/[!t]*.{png,PNG}'], ['b/e.PNG', 'b/e.png', 'b/one.png']],
    [['./b/.*.png'], ['b/.hidden.png']],
    [['**/*.npy'], ['b/x1.npy', 'b/c/x[1].npy']],
    // Each once, however many ways `**` matches it.
    [['**/**/*.npy'], ['b/x1.npy', 'b/c/x[1].npy']],
    [['*/c/*.png'], ['b/c/d.png', 'linked/c/d.png']],
    [['b/c/**'], ['b/c/d.png', 'b/c/x[1].npy']],
    // A name with brackets is a name where there is such a file.
    [['b/c/x[1].npy'], ['b/c/x[1].npy']],
    [['b/x[1].npy'], ['b/x1.npy']],
    [
      ['none.png', '-'],
      ['none.png', '-'],
    ],
    [['b/c'], ['b/c/d.png']],
    [['b'], ['b/e.PNG', 'b/e.png', 'b/one.png', 'b/three.png', 'b/two.png', 'b/c/d.png']],
  ])('%j', (args, expected) => {
    const sorted = (list) => [...list].sort();
    expect(sorted(expand(args))).toEqual(sorted(expected));
    expect(expand([join(folder, args[0])]).every((path) => path.startsWith(folder))).toBe(true);
  });

  test('come in the order of their names', () =>
    expect(expand(['b/*.png'])).toEqual(['b/e.png', 'b/one.png', 'b/three.png', 'b/two.png']));

  test('of Windows have both slashes', () => {
    expect(segmentsOf('C:\\photos\\**/*.jpg', '\\/')).toEqual(['C:', 'photos', '**', '*.jpg']);
    expect(segmentsOf('a\\b/*', '/')).toEqual(['a\\b', '*']);
    expect(expand(['b\\c\\*.png'], '\\/')).toEqual(['b/c/d.png']);
  });

  test.each([
    [['b/*.gif'], 'b/*.gif: no file is called so'],
    [['none/*.png'], 'none/*.png: no file is called so'],
    [['empty'], 'empty: has no picture (.jpg, .png, .webp, .gif, .tiff, .avif)'],
  ])('%j matches nothing', (args, message) => expect(() => expand(args)).toThrow(new Error(message)));
});

const png = ['b/e.png', 'b/one.png', 'b/three.png', 'b/two.png'];

/** The outputs of pictures one by one, joined along the first axis. */
async function joined(name, paths) {
  const processor = imageProcessor(configs[name]);
  const all = await Promise.all(paths.map(async (path) => processor(await readImage(path))));
  return Object.fromEntries(
    Object.keys(all[0]).map((key) => {
      const tensors = all.map((outputs) => outputs[key]);
      const [{ type, dims, data }] = tensors;
      const bytes = Buffer.concat(tensors.map((tensor) => Buffer.from(tensor.data.buffer)));
      const rows = tensors.reduce((sum, tensor) => sum + tensor.dims[0], 0);
      const values = new data.constructor(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
      return [key, new Tensor(type, values, [rows, ...dims.slice(1)])];
    }),
  );
}

test.each([
  ['vit', '--jobs 2'],
  ['vit', '--jobs 1 --batch 3'],
  ['vit', '--batch 4'],
  ['detr', '--jobs 2'],
  ['qwen', '--jobs 2'],
])('%s %s to .npy', async (name, args) => {
  await quiet(`preprocess b/*.png out.npy --config ${name}.json ${args}`);
  for (const [output, tensor] of Object.entries(await joined(name, png))) {
    const file = readFileSync(output === 'pixel_values' ? 'out.npy' : `out.${output}.npy`);
    expect(readNpy(file)).toEqual(tensor);
    const size = file.length - tensor.data.byteLength;
    expect([size % 64, file[size - 1]]).toEqual([0, 10]);
  }
});

test.each([
  ['vit', '--jobs 2'],
  ['vit', '--jobs 1 --batch 3'],
  ['detr', '--jobs 2'],
])('%s %s to .safetensors', async (name, args) => {
  await quiet(`preprocess b/*.png out.safetensors --config ${name}.json ${args}`);
  const tensors = readSafetensors(new Uint8Array(readFileSync('out.safetensors')));
  expect(Object.fromEntries(tensors)).toEqual(await joined(name, png));
});

test.each(['--jobs 2', '--batch 2', ''])('.npy files are pictures: %s', async (args) => {
  mkdirSync('raw', { recursive: true });
  const paths = ['raw/one.npy', 'raw/two.npy'];
  for (const path of paths) {
    const { data, width, height, channels } = await readImage(path.replace('raw', 'b').replace('npy', 'png'));
    writeFileSync(path, writeNpy(new Tensor('uint8', data, [height, width, channels])));
  }
  await quiet(`preprocess ${paths.join(' ')} out.npy --config vit.json ${args}`);
  const { pixel_values: expected } = await joined('vit', ['b/one.png', 'b/two.png']);
  expect(readNpy(readFileSync('out.npy'))).toEqual(expected);
});

test.each(['', '--jobs 1'])('OUT may be in the folder of the pictures, again and again: %s', async (args) => {
  for (const name of ['again.npy', 'again.safetensors'])
    for (let time = 0; time < 2; time++) {
      await quiet(`preprocess b/c b/c/${name} --config vit.json ${args}`);
      expect(readFileSync(join('b/c', name)).length).toBeGreaterThan(4 * 3 * 6 * 5);
      if (time === 0) writeFileSync(join('b/c', name), 'of before');
    }
});

test.each(['vit', 'detr', 'qwen', 'molmo'])('%s: a pattern without --jobs is one batch', async (name) => {
  const batch = imageProcessor(configs[name])(await Promise.all(png.map((path) => readImage(path))));
  await quiet(`preprocess b/*.png out.npy --config ${name}.json`);
  expect(readNpy(readFileSync('out.npy'))).toEqual(batch.pixel_values);
  await quiet(`preprocess b/*.png out.safetensors --config ${name}.json`);
  const tensors = readSafetensors(new Uint8Array(readFileSync('out.safetensors')));
  expect(Object.fromEntries(tensors)).toEqual(batch);
});

test('pictures that a class pads to one size are one batch, too', async () => {
  writeFileSync('padded.json', JSON.stringify({ ...configs.detr, size: { shortest_edge: 6, longest_edge: 20 } }));
  const batch = imageProcessor(readFileSync('padded.json', 'utf8'))(
    await Promise.all(png.map((path) => readImage(path))),
  );
  expect(JSON.parse(await output('preprocess b/*.png out.npy --config padded.json --json')).images.length).toBe(4);
  expect(readNpy(readFileSync('out.npy'))).toEqual(batch.pixel_values);
  await expectRefusal(
    'preprocess b/*.png out.npy --config padded.json --on-error skip',
    2,
    '--on-error is for pictures',
  );
});

test.each(['--jobs 2', '--jobs 1 --batch 4', ''])('--json %s has a row for each file', async (args) => {
  const report = JSON.parse(await output(`preprocess b out.npy --config detr.json --json ${args}`));
  const { images, ...others } = report;
  expect(others).toEqual({
    className: 'DetrImageProcessor',
    backend: 'torchvision',
    ignored: [],
    files: ['out.npy', 'out.pixel_mask.npy'],
    outputs: [
      { name: 'pixel_values', type: 'float32', dims: [6, 3, 6, 8] },
      { name: 'pixel_mask', type: 'int64', dims: [6, 6, 8] },
    ],
    failed: [],
  });
  expect(images.map(({ file }) => file)).toEqual(expand(['b']));
  expect(images.find(({ file }) => file === 'b/two.png')).toEqual({
    file: 'b/two.png',
    ...{ width: 180, height: 70 },
    steps: [
      { name: 'resize', filter: 'bilinear', width: 8, height: 6 },
      { name: 'rescale', factor: 1 / 255 },
      { name: 'normalize', mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] },
    ],
  });
});

describe('--on-error skip', () => {
  const unsupported = "must be a JPEG, PNG, GIF, WebP, AVIF or TIFF picture, got text of 10 bytes: 'no picture'";
  const error = `'b/note.txt' ${unsupported}`;
  const skipping = 'out.npy --config vit.json --on-error skip';
  const all = png.join(' ');

  test.each(['', '--jobs 1', '--jobs 2'])('leaves out what fails, says so, and ends with 3: %s', async (args) => {
    const seen = await cli(`preprocess b/note.txt ${all} ${skipping} --json ${args}`);
    expect([seen.status, seen.stderr]).toEqual([3, `onnx-layout: left out b/note.txt: ${error}\n`]);
    const { outputs, images, failed } = JSON.parse(seen.stdout);
    expect([outputs[0].dims[0], images.length, failed]).toEqual([4, 4, [{ file: 'b/note.txt', error }]]);
    expect(readNpy(readFileSync('out.npy'))).toEqual((await joined('vit', png)).pixel_values);
  });

  test('ends with 0 where nothing fails', () => quiet(`preprocess ${all} ${skipping} --jobs 1 --quiet`));

  test('writes nothing where everything fails', async () => {
    writeFileSync('out.npy', 'as it was');
    const seen = await cli(`preprocess b/note.txt ${skipping} --batch 2 --jobs 1`);
    const stderr = `onnx-layout: left out b/note.txt: ${error}\nonnx-layout: no picture is left\n`;
    expect(seen).toEqual({ status: 1, stdout: '', stderr });
    expect(readFileSync('out.npy', 'utf8')).toBe('as it was');
  });
});

test('the program in one file finds its threads', () => {
  const program = join(root, 'dist/cli.js');
  const args = words('preprocess b/*.png spawned.npy --config vit.json --jobs 2');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { cwd: folder });
  expect([status, stdout.toString(), stderr.toString()]).toEqual([0, '', '']);
  expect(readNpy(readFileSync('spawned.npy')).dims).toEqual([4, 3, 6, 5]);
});

const sizes = "of 'b/three.png' must be float32 of dims [*, 3, 70, 120] as the first, got float32 [1, 3, 70, 150]";
test.each([
  [1, 'b/[ot]*.png kept.npy --config own.json --jobs 2', `preprocess: pixel_values ${sizes}`],
  [
    1,
    'b/[ot]*.png kept.safetensors --config qwen.json --jobs 2',
    "preprocess: pixel_values of 'b/three.png' must have 32 rows a picture as the first, got 40 rows of 1 picture: " +
      '.npy takes any',
  ],
  [1, 'b/* kept.npy --config vit.json --jobs 2', "preprocess: 'b/note.txt' must be a JPEG, PNG, "],
  [
    1,
    'b/*.png kept.npy --config eomt.json --jobs 1',
    'preprocess: patch_offsets must be a tensor of pictures to be joined, got Array',
  ],
  [1, 'b/one.png kept.npy --config vit.json --max-pixels 10', 'b/one.png: image must have at most 10'],
  [1, 'b/one.png kept.npy --config vit.json --max-pixels 10 --jobs 1', "preprocess: 'b/one.png' must have at most 10"],
  [1, 'b/one.png kept.npy --config vit.json --max-bytes 10', 'preprocess: an image must become at most 10'],
  [1, 'b/one.png kept.npy --config vit.json --max-bytes 10 --jobs 1', 'preprocess: an image must become at'],
  [2, 'b/*.png kept.npy --config vit.json --jobs 0', '--jobs must be a whole number'],
  [2, 'b/*.png - --config vit.json --jobs 2', '--jobs and --batch need a file OUT, which is patched'],
  [2, '- kept.npy --config vit.json --batch 2', '--jobs and --batch take files, got - for standard'],
  [
    2,
    'b/*.png kept --as npy --config vit.json --batch 2',
    '--jobs and --batch take the format by the name of OUT, got kept\n',
  ],
  [
    2,
    'b/*.png kept.npy --config vit.json --batch 2 --trimap b/one.png',
    '--trimap is for one batch, without --jobs and --batch\n',
  ],
  [
    2,
    'b/one.png kept.npy --config vit.json --on-error skip',
    '--on-error is for pictures whose outputs have the same dims, or --jobs\n',
  ],
  [
    2,
    'b/* kept.safetensors --config vit.json --jobs 2 --on-error skip',
    '--on-error skip needs OUT .npy, which may have fewer rows than planned, got kept.safetensors\n',
  ],
  [2, 'b/* kept.npy --config vit.json --jobs 2 --on-error stop', '--on-error must be throw or skip, got stop\n'],
  [2, 'b/x*.npy b/x1.npy --config vit.json --jobs 2', 'OUT must not be an input, got b/x1.npy'],
  [2, 'b b/one.png --as npy --config vit.json', 'OUT must not be an input, got b/one.png: --force'],
])('%i: %j', async (status, args, message) => {
  writeFileSync('kept.npy', writeNpy(Tensor.from('uint8', [1], [1])));
  await expectRefusal(`preprocess ${args}`, status, message);
  expect(readNpy(readFileSync('kept.npy')).toArray()).toEqual([1]);
  expect(readdirSync('.').filter((name) => name.endsWith('.tmp'))).toEqual([]);
  expect(existsSync('kept.safetensors')).toBe(false);
});
