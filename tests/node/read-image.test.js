/** `readImage`, and what takes it as `decode`. tests/image/sources/pictures.test.js has the pixels of each format. */
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { PNG } from 'pngjs';
import sharp from 'sharp';
import { imageToTensor, imageToTensorAsync, init } from 'onnx-layout/image';
import { readImage } from 'onnx-layout/node';
import { imageProcessor, imageProcessorAsync, videoProcessorAsync } from 'onnx-layout/processors';
import { root } from '../support/packed.js';
import { temporaryFolder } from '../support/programs.js';

beforeAll(() => init());

const folder = temporaryFolder();
const photo = join(root, 'tests/image/sources/pictures/jpeg-orientation-6.jpg');
const bytes = readFileSync(photo);
const vit = { image_processor_type: 'ViTImageProcessor', size: { height: 8, width: 8 } };

describe('gives the same pixels', () => {
  test.each([
    ['of a path', photo],
    ['of a URL', pathToFileURL(photo)],
    ['of a Buffer', bytes],
    ['of a Uint8Array', new Uint8Array(bytes)],
    ['of an ArrayBuffer', new Uint8Array(bytes).buffer],
    ['of a Blob', new Blob([bytes])],
    ['of a File', new File([bytes], 'photo.jpg')],
    ['of a pipeline of sharp', sharp(photo)],
  ])('%s', async (_, image) => {
    const { data, info } = await sharp(photo, { autoOrient: true }).raw().toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    expect(await readImage(image)).toEqual({ data, width, height, channels });
    const stored = await readImage(image, { orientation: 'ignore' });
    expect([stored.width, stored.height]).toEqual([height, width]);
  });
});

test('a pipeline of sharp keeps its steps, and serves again', async () => {
  const pipeline = sharp(photo).resize(5, 3).raw({ depth: 'ushort' });
  const { width, height, data } = await readImage(pipeline);
  expect([width, height, data.length]).toEqual([5, 3, 45]);
  expect(await readImage(pipeline)).toEqual({ data, width, height, channels: 3 });
});

test('gray becomes RGB, and alpha stays', async () => {
  const image = new PNG({ width: 2, height: 1 });
  image.data.set([100, 100, 100, 255, 50, 50, 50, 255]);
  const data = Buffer.of(100, 100, 100, 50, 50, 50);
  expect((await readImage(PNG.sync.write(image, { colorType: 0 }))).data).toEqual(data);
  expect((await readImage(PNG.sync.write(image, { colorType: 4 }))).data).toEqual(Buffer.from(image.data));
});

describe('as decode', () => {
  test('of imageToTensorAsync', async () => {
    const size = { width: 8, height: 8 };
    const expected = imageToTensor([await readImage(photo), await readImage(bytes)], size);
    expect(await imageToTensorAsync([photo, new Blob([bytes])], { ...size, decode: readImage })).toEqual(expected);
  });

  test('of imageProcessorAsync, which tells it the orientation, and hands on pixels as they are', async () => {
    const decode = jest.fn(readImage);
    const processor = imageProcessorAsync(vit, { decode, backend: 'pil' });
    const pixels = await readImage(photo, { orientation: 'ignore' });
    const expected = imageProcessor(vit, { backend: 'pil' })([pixels, pixels]);
    expect(await processor([photo, pixels], { orientation: 'ignore' })).toEqual(expected);
    expect(decode.mock.calls).toEqual([[photo, { orientation: 'ignore' }]]);
  });

  test('of videoProcessorAsync, for each frame', async () => {
    const config = { video_processor_type: 'VideoMAEVideoProcessor', size: { shortest_edge: 8 }, crop_size: 8 };
    const pixels = await readImage(photo);
    const expected = await videoProcessorAsync(config)([pixels, pixels]);
    expect(await videoProcessorAsync(config, { decode: readImage })([photo, bytes])).toEqual(expected);
  });

  test('what it throws comes through as it is', async () => {
    const error = new Error('no such picture');
    const decode = () => Promise.reject(error);
    await expect(imageToTensorAsync('a.jpg', { decode })).rejects.toBe(error);
  });

  test.each([
    [imageToTensorAsync, 'a.jpg', "imageToTensorAsync: image needs decode, got 'a.jpg'"],
    [imageToTensorAsync, [bytes], 'imageToTensorAsync: image[0] needs decode, got Uint8Array'],
    [imageProcessorAsync(vit), pathToFileURL(photo), 'imageProcessorAsync: images needs decode, got an object'],
  ])('is missing in %p', (call, image, message) =>
    expect(call(image)).rejects.toThrow(new TypeError(`${message}: readImage of onnx-layout/node is one`)),
  );

  test('must be a function', async () => {
    const rule = "decode must be a function, got 'sharp'";
    await expect(imageToTensorAsync(photo, { decode: 'sharp' })).rejects.toThrow(
      new TypeError(`imageToTensorAsync: ${rule}`),
    );
    expect(() => imageProcessorAsync(vit, { decode: 'sharp' })).toThrow(new TypeError(`imageProcessorAsync: ${rule}`));
    expect(() => imageProcessor(vit, { decode: readImage })).toThrow(
      new TypeError("imageProcessor: unknown option 'decode'. Known: backend, className, dtype, maxBytes"),
    );
  });

  test('must give an image', () =>
    expect(imageToTensorAsync('a.jpg', { decode: () => 'pixels' })).rejects.toThrow(
      new TypeError("imageToTensorAsync: image must be an image { data, width, height }, got 'pixels'"),
    ));
});

describe('refuses', () => {
  const text = join(folder, 'text.jpg');
  writeFileSync(text, 'no picture');
  const unsupported = 'must be a picture that sharp decodes: Input buffer contains unsupported image format';
  test.each([
    [text, {}, RangeError, (show) => `'${show}' ${unsupported}`],
    [Buffer.from('no picture'), {}, RangeError, () => `image ${unsupported}`],
    [Buffer.alloc(0), {}, RangeError, () => 'image must be a picture that sharp decodes: Input Buffer is empty'],
    [folder, {}, RangeError, (show) => `'${show}' must be a regular file, got a folder`],
    [5, {}, TypeError, () => 'image must be a path, bytes, a Blob or a pipeline of sharp, got 5'],
    [photo, { orientation: 'up' }, RangeError, () => "orientation must be 'upright' or 'ignore', got 'up'"],
  ])('%p %j', async (image, options, Class, rule) => {
    const shown = String(image).length > 60 ? `${String(image).slice(0, 60)}…` : image;
    await expect(readImage(image, options)).rejects.toThrow(new Class(`readImage: ${rule(shown)}`));
  });

  test('a file that is missing', () => expect(readImage(join(folder, 'none.jpg'))).rejects.toThrow('ENOENT'));

  test('without sharp, and says how to install it', () => {
    const at = join(folder, 'program');
    mkdirSync(at);
    // As installed, but in a folder from which sharp cannot be found.
    for (const part of ['js', 'dist', 'package.json'])
      cpSync(join(root, part), join(at, 'node_modules/onnx-layout', part), { recursive: true });
    copyFileSync(photo, join(at, 'photo.jpg'));
    const program = `import { readImage } from 'onnx-layout/node';
      await readImage('photo.jpg').catch(({ message }) => console.log(message));`;
    writeFileSync(join(at, 'program.mjs'), program);
    const { stdout, stderr } = spawnSync(process.execPath, ['program.mjs'], { cwd: at });
    expect([stdout.toString(), stderr.toString()]).toEqual([
      'readImage: pictures are decoded by sharp, which is not there: npm install sharp\n',
      '',
    ]);
  });
});
