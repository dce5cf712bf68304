/** `readImage`, and what takes it as `decode`. tests/image/sources/pictures.test.js has the pixels of each format. */
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { crc32 } from 'node:zlib';
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
const gifs = JSON.parse(readFileSync(join(root, 'tests/image/sources/pictures/gif-goldens.json'), 'utf8'));
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

test('an ArrayBuffer whose memory is gone is an empty file', async () => {
  const { buffer } = new Uint8Array(8);
  structuredClone(buffer, { transfer: [buffer] });
  await expect(readImage(buffer)).rejects.toThrow(
    'readImage: image must be a JPEG, PNG, GIF, WebP, AVIF or TIFF picture, got an empty file of 0 bytes',
  );
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
    const tensor = imageToTensor([await readImage(photo), await readImage(bytes)], size);
    const expected = Object.assign(tensor, { originalSizes: Array(2).fill([67, 45]) });
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
      new TypeError("imageProcessor: unknown option 'decode'. Known: backend, className, dtype, maxBytes, unknown"),
    );
  });

  test('must give an image', () =>
    expect(imageToTensorAsync('a.jpg', { decode: () => 'pixels' })).rejects.toThrow(
      new TypeError("imageToTensorAsync: image must be an image { data, width, height }, got 'pixels'"),
    ));
});

describe("GIF: the first frame, with Pillow's colors where it has none", () => {
  const hash = (bytes) => createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const rgb = ({ data, channels }) => data.filter((_, i) => i % channels < 3);
  test.each(gifs.map((row, i) => [i, row]))('%d', async (_, row) => {
    const picture = await readImage(Buffer.from(row.data, 'base64'));
    expect([picture.width, picture.height]).toEqual(row.size);
    expect(hash(rgb(picture))).toBe(row.RGB);
    if (picture.channels === 4 && row.RGBA) expect(hash(picture.data)).toBe(row.RGBA);
  });

  test('a frame in a screen of 640 x 480, which libvips takes for a mistake', async () => {
    const gif = Buffer.from(gifs.find(({ size }) => size[0] > 2).data, 'base64');
    gif.writeUInt16LE(640, 6);
    gif.writeUInt16LE(480, 8);
    expect(await readImage(gif)).toMatchObject({ width: 640, height: 480 });
  });
});

/** Bits, the number in tRNS, a file of the grays 0, 1, 2, 3 (of 4 bits 0, 1, 2, 8, 9, 13, 14, 15), and the ones that
 * Pillow 13's `convert('RGBA')` makes transparent, of 8 bits. */
test.each([
  [
    1,
    3,
    'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABAQAAAADcWUInAAAAAnRSTlMAA++anIIAAAAKSURBVHicY3AAAABCAEEpN/TvAAAAAElFTkSuQmCC',
    [255],
  ],
  [
    2,
    3,
    'iVBORw0KGgoAAAANSUhEUgAAAAQAAAABAgAAAACW50iwAAAAAnRSTlMAA++anIIAAAAKSURBVHicY5AGAAAdAByO9PUhAAAAAElFTkSuQmCC',
    [],
  ],
  [
    2,
    0,
    'iVBORw0KGgoAAAANSUhEUgAAAAQAAAABAgAAAACW50iwAAAAAnRSTlMAAHaTzTgAAAAKSURBVHicY5AGAAAdAByO9PUhAAAAAElFTkSuQmCC',
    [0],
  ],
  [
    2,
    85,
    'iVBORw0KGgoAAAANSUhEUgAAAAQAAAABAgAAAACW50iwAAAAAnRSTlMAVW2SaEMAAAAKSURBVHicY5AGAAAdAByO9PUhAAAAAElFTkSuQmCC',
    [85],
  ],
  [
    4,
    17,
    'iVBORw0KGgoAAAANSUhEUgAAAAgAAAABBAAAAAADm12eAAAAAnRSTlMAERwj7coAAAANSURBVHicY2DUmPseAAKqAbZ80F+7AAAAAElFTkSuQmCC',
    [17],
  ],
  [
    4,
    8,
    'iVBORw0KGgoAAAANSUhEUgAAAAgAAAABBAAAAAADm12eAAAAAnRSTlMACHhIRQoAAAANSURBVHicY2DUmPseAAKqAbZ80F+7AAAAAElFTkSuQmCC',
    [],
  ],
])('a gray PNG of %i bits whose tRNS has %i', async (bits, _, file, transparent) => {
  const { data, channels } = await readImage(new Uint8Array(Buffer.from(file, 'base64')));
  const grays = { 1: [0, 255], 2: [0, 85, 170, 255], 4: [0, 17, 34, 136, 153, 221, 238, 255] }[bits];
  expect(channels).toBe(4);
  const wanted = grays.flatMap((gray) => [gray, gray, gray, transparent.includes(gray) ? 0 : 255]);
  expect([...data]).toEqual(wanted);
});

test('a gray PNG of 16 bits has its high bytes, and is transparent where all 16 bits are those of tRNS', async () => {
  // 0, 1, 255, 256, 0x1234, 0x1235, 65535, 256; transparent is 0x1234.
  const file =
    'iVBORw0KGgoAAAANSUhEUgAAAAgAAAABEAAAAACW+2zcAAAAAnRSTlMSNC/TSV4AAAAYSU' +
    'RBVHicY2BgYGBk+M/IIGQiZPofSAMAFYkDjm3yPesAAAAASUVORK5CYII=';
  const { data, channels } = await readImage(new Uint8Array(Buffer.from(file, 'base64')));
  expect(channels).toBe(4);
  const pixels = [0, 0, 0, 1, 18, 18, 255, 1].flatMap((gray, i) => [gray, gray, gray, i === 4 ? 0 : 255]);
  expect([...data]).toEqual(pixels);
});

describe('a file that states more pixels than Pillow takes', () => {
  const refused = (name, size) =>
    `readImage: ${name} must have at most 178956970 pixels, option maxPixels, got ${size}`;
  const png = (width, height) => {
    const file = Buffer.from(PNG.sync.write(new PNG({ width: 1, height: 1 })));
    file.writeUInt32BE(width, 16);
    file.writeUInt32BE(height, 20);
    file.writeUInt32BE(crc32(file.subarray(12, 29)), 29);
    return file;
  };
  const gif = Buffer.concat([
    Buffer.from('GIF89a\xff\xff\xff\xff\x80\0\0\0\0\0\xff\xff\xff', 'latin1'),
    Buffer.from(',\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;', 'latin1'),
  ]);
  // Pillow's lossless WebP of one color, as large as WebP allows: 40 bytes took 2.1 GB.
  const webp = Buffer.from('UklGRiAAAABXRUJQVlA4TBQAAAAv/r//DwdQgVQIIAAKmv7HiIj+Bw==', 'base64');
  test.each([
    ['PNG', png(20_000, 20_000), '20000 x 20000'],
    ['PNG that is thin', png(1_000_000, 179), '1000000 x 179'],
    ['GIF', gif, '65535 x 65535'],
    ['WebP', webp, '16383 x 16383'],
  ])('%s is refused before it is decoded', async (_, bytes, size) => {
    const before = process.memoryUsage().rss;
    await expect(readImage(bytes)).rejects.toThrow(new RangeError(refused('image', size)));
    expect(process.memoryUsage().rss - before).toBeLessThan(2e8);
  });

  test('maxPixels sets another limit, to the pixel', async () => {
    const image = PNG.sync.write(new PNG({ width: 6, height: 5 }));
    expect(await readImage(image, { maxPixels: 30 })).toMatchObject({ width: 6, height: 5 });
    await expect(readImage(image, { maxPixels: 29 })).rejects.toThrow(
      new RangeError('readImage: image must have at most 29 pixels, option maxPixels, got 6 x 5'),
    );
    for (const maxPixels of [0, -1, 1.5, NaN, null])
      await expect(readImage(image, { maxPixels })).rejects.toThrow(
        new RangeError(`readImage: maxPixels must be a whole number from 1 on, got ${maxPixels}`),
      );
  });
});

describe('refuses', () => {
  const text = join(folder, 'text.jpg');
  writeFileSync(text, 'no picture');
  const unsupported = "must be a JPEG, PNG, GIF, WebP, AVIF or TIFF picture, got text of 10 bytes: 'no picture'";
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1e9" height="1e9"/>';
  const path = 'image must be that of a file, got a URL of';
  test.each([
    [text, {}, RangeError, (show) => `'${show}' ${unsupported}`],
    [Buffer.from('no picture'), {}, RangeError, () => `image ${unsupported}`],
    [Buffer.alloc(0), {}, RangeError, () => `image ${unsupported.replace(/text.*/, 'an empty file of 0 bytes')}`],
    [
      Buffer.from(svg),
      {},
      RangeError,
      () => `image ${unsupported.replace(/text.*/, `an SVG picture of ${svg.length} bytes: save it as PNG`)}`,
    ],
    [Uint8Array.of(1, 2, 3), {}, RangeError, () => `image ${unsupported.replace(/text.*/, '3 other bytes')}`],
    [
      Buffer.from('GIF89a'),
      {},
      RangeError,
      () => 'image must be a picture that sharp decodes: Input buffer has corrupt header: gifload_buffer: Unexpected …',
    ],
    [new URL('https://example.com/a.png'), {}, RangeError, () => `${path} https:`],
    ['', {}, RangeError, () => "image must be that of a file, got ''"],
    [folder, {}, RangeError, (show) => `'${show}' must be a regular file, got a folder`],
    [5, {}, TypeError, () => 'image must be a path, bytes, a Blob or a pipeline of sharp, got 5'],
    [photo, { orientation: 'up' }, RangeError, () => "orientation must be 'upright' or 'ignore', got 'up'"],
  ])('%p %j', async (image, options, Class, rule) => {
    const shown = String(image).length > 60 ? `${String(image).slice(0, 60)}…` : image;
    await expect(readImage(image, options)).rejects.toThrow(new Class(`readImage: ${rule(shown)}`));
  });

  test('bytes whose memory is gone', async () => {
    const gone = new Uint8Array(8);
    structuredClone(gone, { transfer: [gone.buffer] });
    const rule = 'readImage: image must be a JPEG, PNG, GIF, WebP, AVIF or TIFF picture, got an empty file of 0 bytes';
    await expect(readImage(gone)).rejects.toThrow(new RangeError(rule));
  });

  test('an address with data, without its data', () =>
    expect(readImage(`data:image/png;base64,${'A'.repeat(1e5)}`)).rejects.toThrow(
      new RangeError(`readImage: ${path} data:`),
    ));

  test('a file that is missing', () => {
    const none = join(folder, 'none.jpg');
    const shown = none.length > 60 ? `${none.slice(0, 60)}…` : none;
    const message = `readImage: '${shown}' must be accessible, got ENOENT: no such file or directory`;
    return expect(readImage(none)).rejects.toMatchObject({
      constructor: RangeError,
      message,
      code: 'ENOENT',
      path: none,
    });
  });

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
