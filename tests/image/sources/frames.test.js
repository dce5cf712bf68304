/** Pictures that are read by VideoFrame.copyTo, with fakes in Node: when, and what is done where it cannot be. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { below, generator, randomData } from '../../support/samples.js';
import { commitHash } from '../../support/sample.js';

const bytesOf = ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength);
const opaque = (width, height, seed) =>
  randomData('uint8', 4 * width * height, seed).map((byte, i) => (i % 4 === 3 ? 255 : byte));
const drawable = (tag, width, height, rgba, more) => {
  const sizes = { VideoFrame: ['displayWidth', 'displayHeight'], HTMLVideoElement: ['videoWidth', 'videoHeight'] };
  const [wide, high] = sizes[tag] ?? ['width', 'height'];
  return { rgba, [wide]: width, [high]: height, [Symbol.toStringTag]: tag, close() {}, ...more };
};
const [width, height] = [5, 3];
const shown = opaque(width, height, 1);
const picture = (tag = 'ImageBitmap', rgba = shown) => drawable(tag, width, height, rgba);

/** The behavior of the fakes: how long each takes, what a frame is like, and how many are open. */
let fake;
let clock;
/** The roads that were taken, in turn. */
let roads;
/** The rectangles and formats that were copied. */
let asked;

class FakeFrame {
  constructor(source) {
    this.isProbe = source.width === 32;
    if (fake.throws === 'new' && !this.isProbe) throw new TypeError('no frame');
    fake.open += 1;
    const extents = ['width', 'displayWidth', 'videoWidth'].map((name) => source[name]);
    const wide = extents.find((extent) => extent !== undefined);
    const high = source.rgba.length / 4 / wide;
    const usual = { displayWidth: wide, displayHeight: high, visibleRect: { x: 0, y: 0, width: wide, height: high } };
    const like = { format: 'BGRX', rotation: 0, flip: false, colorSpace: { matrix: 'rgb' }, ...fake.frameLike };
    Object.assign(this, { rgba: source.rgba, ...usual, ...(this.isProbe ? { ...like, format: 'BGRX' } : like) });
  }

  async copyTo(data, { rect, layout: [{ offset, stride }], format = this.format }) {
    if (fake.throws === 'copyTo') throw new DOMException('no format', 'NotSupportedError');
    const changed = this.isProbe ? fake.probed : fake.copied;
    const rgba = changed ?? this.rgba;
    const order = format.startsWith('B') ? [2, 1, 0] : [0, 1, 2];
    for (let y = 0; y < rect.height; y++)
      for (let x = 0; x < rect.width; x++) {
        const from = 4 * ((rect.y - this.visibleRect.y + y) * this.visibleRect.width + rect.x - this.visibleRect.x + x);
        // The last byte of an opaque format is any.
        const last = format.endsWith('X') ? 7 : rgba[from + 3];
        data.set([...order.map((color) => rgba[from + color]), last], offset + y * stride + 4 * x);
      }
    if (this.isProbe) return;
    clock += fake.frame;
    roads.push('frame');
    asked.push({ rect, format });
  }

  close() {
    fake.open -= 1;
  }
}

class FakeCanvas {
  getContext(kind) {
    if (kind !== '2d') return null;
    let drawn;
    const getImageData = () => {
      const isProbe = drawn.rgba.length === 4096;
      if (!isProbe) roads.push('canvas');
      if (!isProbe) clock += fake.canvas;
      return { data: Uint8ClampedArray.from(drawn.rgba, (byte, i) => (i === 5 ? byte ^ fake.noise : byte)) };
    };
    return { drawImage: (image) => (drawn = image), clearRect() {}, fillRect() {}, getImageData };
  }
}

class FakeImageData {
  constructor(rgba, wide, high) {
    const close = () => (fake.open -= 1);
    this.bitmap = () => drawable('ImageBitmap', wide, high, rgba, { close, open: (fake.open += 1) });
  }
}

let image;
let processors;
let read;
beforeEach(async () => {
  fake = { frame: 1, canvas: 3, noise: 0, open: 0 };
  clock = 0;
  [roads, asked] = [[], []];
  jest.spyOn(performance, 'now').mockImplementation(() => clock);
  Object.assign(globalThis, { VideoFrame: FakeFrame, OffscreenCanvas: FakeCanvas, ImageData: FakeImageData });
  globalThis.createImageBitmap = async (source) => source.bitmap?.() ?? picture();
  // A page keeps what it found out: each test has a page of its own.
  jest.resetModules();
  image = await import('onnx-layout/image');
  processors = await import('onnx-layout/processors');
  await image.init();
  read = async (source, options) => {
    roads = [];
    const given = { channels: 'RGBA', layout: 'HWC', dtype: 'uint8', ...options };
    const { data } = await image.imageToTensorAsync(source, given);
    expect(fake.open).toBe(0);
    return { data, roads };
  };
});
afterEach(() => {
  jest.restoreAllMocks();
  for (const name of ['VideoFrame', 'OffscreenCanvas', 'createImageBitmap', 'ImageData']) delete globalThis[name];
});

const file = () => new Blob(['a picture']);

/** Reads the pictures that both ways read. */
async function probe(source = picture()) {
  for (let i = 0; i < 3; i++) expect((await read(source)).roads).toEqual(['frame', 'canvas']);
}

test.each(['Blob', 'ImageBitmap', 'HTMLCanvasElement', 'OffscreenCanvas', 'HTMLVideoElement', 'VideoFrame'])(
  '%s of each format is read in both ways, and then in the faster one',
  async (tag) => {
    const source = () => (tag === 'Blob' ? file() : picture(tag));
    for (const format of ['BGRX', 'BGRA', 'RGBX', 'RGBA', 'I420', 'NV12', null]) {
      fake.frameLike = { format };
      await probe(source());
      expect(await read(source())).toEqual({ data: shown, roads: ['frame'] });
      const isOwn = format && /^(RGB|BGR)/.test(format);
      expect(asked.at(-1).format).toBe(isOwn ? format : format ? 'BGRX' : 'BGRA');
    }
  },
);

test('a slower frame is not chosen', async () => {
  fake.frame = 4;
  await probe();
  expect(await read(picture())).toEqual({ data: shown, roads: ['canvas'] });
});

test.each([
  ['BGRX', 1, 'canvas'],
  ['I420', 1, 'frame'],
  ['NV12', 1, 'frame'],
  ['I420', 2, 'canvas'],
])('a frame of %s that is %i levels from the canvas leaves it to the %s', async (format, levels, road) => {
  fake.frameLike = { format };
  fake.copied = shown.map((byte, i) => (i === 17 ? byte + (byte < 128 ? levels : -levels) : byte));
  for (let i = 0; i < 3; i++) expect((await read(picture())).data).toEqual(shown);
  const { data, roads: taken } = await read(picture());
  expect([data, taken]).toEqual([road === 'frame' ? fake.copied : shown, [road]]);
});

test('kinds of pictures are told apart by class, format and colors', async () => {
  await probe(picture());
  await probe(picture('OffscreenCanvas'));
  fake.frameLike = { format: 'RGBA' };
  await probe(picture());
  fake.frameLike = { colorSpace: { matrix: 'bt709' } };
  await probe(picture());
});

test('pictures of a batch are compared in turn', async () => {
  const { data, roads: taken } = await read([file(), picture(), file()], { layout: 'NHWC' });
  expect(taken).toEqual(['frame', 'canvas', 'frame', 'canvas', 'frame', 'canvas']);
  expect(data).toEqual(Uint8Array.from([...shown, ...shown, ...shown]));
});

describe('a canvas reads', () => {
  const rect = { x: 0, y: 0, width, height };
  test.each([
    ['what is turned', { rotation: 180 }],
    ['what is mirrored', { flip: true }],
    ['what may be turned', { rotation: undefined, flip: undefined }],
    ['what is stretched', { displayWidth: 8 }],
    ['what is part of a frame', { visibleRect: { ...rect, height: 2 } }],
    ['planes with alpha', { format: 'I420A' }],
  ])('%s', async (_, frameLike) => {
    await probe();
    fake.frameLike = frameLike;
    expect(await read(picture())).toEqual({ data: shown, roads: ['canvas'] });
  });

  test.each(['new', 'copyTo'])('what fails: %s', async (throws) => {
    await probe();
    Object.assign(fake, { throws });
    expect(await read(picture())).toEqual({ data: shown, roads: ['canvas'] });
  });

  test.each(['BGRA', 'RGBA', null])('translucent pixels of %s', async (format) => {
    fake.frameLike = { format };
    await probe();
    const translucent = shown.with(4 * 14 + 3, 254);
    const { data, roads: taken } = await read(picture('ImageBitmap', translucent));
    expect([data, taken.at(-1)]).toEqual([translucent, 'canvas']);
  });

  test('what it resizes', async () => {
    await probe();
    const { roads: taken } = await read(picture(), { width: 5, height: 3, filter: 'canvas' });
    expect(taken).toEqual(['canvas']);
  });
});

test('a canvas is never turned', async () => {
  fake.frameLike = { rotation: undefined, flip: undefined };
  await probe(picture('OffscreenCanvas'));
  expect((await read(picture('OffscreenCanvas'))).roads).toEqual(['frame']);
});

describe('readBack', () => {
  test('says how pixels come back', async () => {
    expect(await image.readBack()).toEqual({ canvas: 'exact', videoFrame: 'exact' });
  });

  test('finds a canvas that changes pixels, beside which a frame is read at once', async () => {
    fake.noise = 1;
    expect(await image.readBack()).toEqual({ canvas: 'changed', videoFrame: 'exact' });
    expect(await read(picture())).toEqual({ data: shown, roads: ['frame'] });
  });

  test('finds a frame that changes pixels, which is not read', async () => {
    fake.probed = opaque(32, 32, 5);
    expect(await image.readBack()).toEqual({ canvas: 'exact', videoFrame: 'changed' });
    expect(await read(picture())).toEqual({ data: shown, roads: ['canvas'] });
  });

  test('says that VideoFrame is not there', async () => {
    delete globalThis.VideoFrame;
    expect(await image.readBack()).toEqual({ canvas: 'exact', videoFrame: 'missing' });
    expect(await read(picture())).toEqual({ data: shown, roads: ['canvas'] });
  });

  test('says that nothing is there', async () => {
    delete globalThis.createImageBitmap;
    expect(await image.readBack()).toEqual({ canvas: 'missing', videoFrame: 'missing' });
  });
});

test('pictures in one memory, one after the other, do not mix', async () => {
  await probe();
  const first = await read(picture());
  fake.copied = shown.map((byte, i) => (i % 4 === 3 ? byte : 255 - byte));
  expect([(await read(picture())).data, first.data]).toEqual([fake.copied, shown]);
  const both = (await read([picture(), picture()], { layout: 'NHWC' })).data;
  expect(both).toEqual(Uint8Array.from([...fake.copied, ...fake.copied]));
});

test('onStep keeps the pixels that it was shown', async () => {
  await probe();
  const config = { image_processor_type: 'ViTImageProcessor', size: { width, height } };
  const processor = processors.imageProcessorAsync(config);
  const steps = [];
  await processor(file(), { size: { width: 4, height: 2 }, onStep: (step) => steps.push(step) });
  const { data } = steps[0].pixels();
  fake.copied = shown.map((byte) => 255 - byte);
  await processor(file());
  expect(steps[0].pixels().data).toEqual(data);
});

describe.each(['BGRX', 'RGBX', 'RGBA', 'I420'])('the numbers of pixels in memory, from a frame of %s', (format) => {
  const [wide, high] = [61, 47];
  const rgba = opaque(wide, high, 3);
  const plain = { data: rgba, width: wide, height: high, channels: 4 };
  const source = () => drawable('ImageBitmap', wide, high, rgba);
  const size = { width: 24, height: 32 };
  beforeEach(async () => {
    fake.frameLike = { format };
    await probe(source());
  });

  test('of tensors', async () => {
    for (const options of [
      {},
      { channels: 'BGR', layout: 'HWC', dtype: 'uint8' },
      { channels: 'RGBA', width: 20, height: 20, filter: 'lanczos' },
      { channels: 'L', preset: 'unit' },
      { channels: 'L', width: 9, backend: 'opencv' },
      { alpha: 'white', width: 30, height: 30, fit: 'contain', background: 'red' },
      { preset: 'imagenet', backend: 'torchvision', width: 32, height: 32 },
      { preset: 'clip', dtype: 'float16', height: 30 },
      { preset: 'yolo', letterbox: { width: 64, height: 64 } },
    ]) {
      roads = [];
      const [made, wanted] = [await image.imageToTensorAsync(source(), options), image.imageToTensor(plain, options)];
      expect([options, made.dims, Buffer.compare(bytesOf(made.data), bytesOf(wanted.data))]).toEqual([
        options,
        wanted.dims,
        0,
      ]);
      expect(roads).toEqual(['frame']);
    }
  });

  test('of processors', async () => {
    for (const [name, settings] of [
      ['ViT', { size }],
      ['CLIP', { crop_size: 20, size: { shortest_edge: 24 } }],
      ['CLIP', { crop_size: 20, size: { shortest_edge: 24 }, do_convert_rgb: false }],
      ['SuperPoint', { size, do_grayscale: true }],
      ['Nougat', { size }],
      ['Qwen2VL', { min_pixels: 784, max_pixels: 3136 }],
      ['Donut', { size }],
      ['EfficientNet', { size, crop_size: size }],
    ])
      for (const backend of ['pil', 'torchvision']) {
        const config = { image_processor_type: `${name}ImageProcessor`, ...settings };
        const { pixel_values: made } = await processors.imageProcessorAsync(config, { backend })(source());
        const wanted = processors.imageProcessor(config, { backend })(plain).pixel_values;
        const difference = Buffer.compare(bytesOf(made.data), bytesOf(wanted.data));
        expect([name, made.dims, difference]).toEqual([name, wanted.dims, 0]);
      }
  });

  test('of a video', async () => {
    const config = { video_processor_type: 'VideoMAEVideoProcessor', size: { shortest_edge: 40 }, crop_size: 32 };
    const outputs = await processors.videoProcessorAsync(config)([source(), source()]);
    expect(outputs).toEqual(processors.videoProcessor(config)([plain, plain]));
  });

  test('over out', async () => {
    const config = { image_processor_type: 'ViTImageProcessor', size };
    const wanted = processors.imageProcessor(config)(plain).pixel_values;
    const out = { ...wanted, type: 'float32', dims: wanted.dims, data: new Float32Array(wanted.data.length) };
    const { pixel_values: made } = await processors.imageProcessorAsync(config)(source(), {
      out: { pixel_values: out },
    });
    expect(made.data).toBe(out.data);
    expect(made.data).toEqual(wanted.data);
  });
});

describe('a crop reads its part alone', () => {
  const seed = Number.parseInt(commitHash().slice(0, 8), 16);
  const filters = {
    pil: ['nearest', 'box', 'bilinear', 'hamming', 'bicubic', 'lanczos'],
    torchvision: ['nearest', 'nearest_exact', 'bilinear', 'bicubic', 'lanczos'],
    opencv: ['nearest', 'nearest_exact', 'linear', 'linear_exact', 'area', 'cubic', 'lanczos4'],
  };

  test.each(Object.entries(filters))('of any filter of %s', async (backend, names) => {
    await probe();
    const random = generator(seed);
    for (let i = 0; i < 4 * names.length; i++) {
      const filter = names[i >> 2];
      const [wide, high] = [1 + below(random, 120), 1 + below(random, 90)];
      const rgba = opaque(wide, high, i);
      const [w, h] = [1 + below(random, 40), 1 + below(random, 40)];
      const fit = i % 2 ? 'cover' : 'center-crop';
      const options = { width: w, height: h, fit, backend, filter, dtype: 'uint8' };
      const { data } = await image.imageToTensorAsync(drawable('ImageBitmap', wide, high, rgba), options);
      const wanted = image.imageToTensor({ data: rgba, width: wide, height: high }, options).data;
      expect([seed, filter, i, Buffer.compare(data, wanted)]).toEqual([seed, filter, i, 0]);
    }
  });

  test('and rounds the last numbers of a row of cubic in the order of red, green and blue', async () => {
    await probe();
    for (const [i, size] of [[20, { width: 35, height: 25 }], ...[3, 6, 9, 10].map((width) => [width, { width }])]) {
      const rgba = opaque(34, 28, i);
      const options = { ...size, fit: 'center-crop', backend: 'opencv', filter: 'cubic', dtype: 'uint8' };
      const { data } = await image.imageToTensorAsync(drawable('ImageBitmap', 34, 28, rgba), options);
      expect([i, data]).toEqual([i, image.imageToTensor({ data: rgba, width: 34, height: 28 }, options).data]);
    }
  });

  test('128 x 72 to 24 x 24', async () => {
    const source = drawable('VideoFrame', 128, 72, opaque(128, 72, 1));
    await probe(source);
    await image.imageToTensorAsync(source, { width: 24, height: 24, fit: 'cover' });
    expect(asked.at(-1).rect).toEqual({ x: 16, y: 0, width: 100, height: 72 });
  });
});
