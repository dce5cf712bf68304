/** JPEG files that are read by VideoFrame.copyTo, with fakes in Node: when, and what is done where it cannot be. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { randomData } from '../../support/samples.js';

const [width, height] = [5, 3];
const shown = randomData('uint8', 4 * width * height, 1).map((byte, i) => (i % 4 === 3 ? 255 : byte));

/** The behavior of the fakes: how long each takes, what a frame is like, and how many are open. */
let fake;
let clock;
/** The roads that were taken, in turn. */
let roads;

class FakeFrame {
  constructor() {
    if (fake.throws === 'new') throw new TypeError('no frame');
    fake.open += 1;
    Object.assign(this, { format: fake.format, codedWidth: fake.codedWidth, codedHeight: height });
  }

  async copyTo(data, { format }) {
    expect(format).toBe('RGBA');
    if (fake.throws === 'copyTo') throw new DOMException('no format', 'NotSupportedError');
    clock += fake.frame;
    roads.push('frame');
    data.set(fake.copied);
    return [{ offset: 0, stride: fake.stride }];
  }

  close() {
    fake.open -= 1;
  }
}

class FakeCanvas {
  getContext(kind) {
    if (kind !== '2d') return null;
    const getImageData = () => {
      clock += fake.canvas;
      roads.push('canvas');
      return { data: new Uint8ClampedArray(shown) };
    };
    return { drawImage() {}, clearRect() {}, fillRect() {}, getImageData };
  }
}

const asBitmap = { width, height, [Symbol.toStringTag]: 'ImageBitmap', close() {} };

/** A JPEG with these segments before its scan. */
const jpeg = (...segments) => {
  const parts = segments.map(([code, ...bytes]) => [0xff, code, 0, bytes.length + 2, ...bytes]);
  return new Blob([Uint8Array.of(0xff, 0xd8, ...parts.flat(), 0xff, 0xda, 0, 2, 1, 2, 3)]);
};
const exif = (order, ...tiff) => [0xe1, ...Buffer.from('Exif\0\0'), ...Buffer.from(order), ...tiff];
const turned = (orientation) => exif('II', 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0);
const turnedBig = (orientation) => exif('MM', 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0);

let read;
beforeEach(async () => {
  fake = { frame: 1, canvas: 3, format: 'BGRX', codedWidth: width, stride: 4 * width, copied: shown, open: 0 };
  clock = 0;
  roads = [];
  jest.spyOn(performance, 'now').mockImplementation(() => clock);
  Object.assign(globalThis, { VideoFrame: FakeFrame, OffscreenCanvas: FakeCanvas });
  globalThis.createImageBitmap = async () => asBitmap;
  // A page keeps the road that it found: each test has a page of its own.
  jest.resetModules();
  const { imageToTensorAsync, init } = await import('onnx-layout/image');
  await init();
  read = async (blob, options) => {
    roads = [];
    const given = { channels: 'RGBA', layout: 'HWC', dtype: 'uint8', ...options };
    const { data } = await imageToTensorAsync(blob, given);
    expect(fake.open).toBe(0);
    return { data, roads };
  };
});
afterEach(() => {
  jest.restoreAllMocks();
  for (const name of ['VideoFrame', 'OffscreenCanvas', 'createImageBitmap']) delete globalThis[name];
});

/** Reads the files that both ways read. */
async function probe() {
  for (let i = 0; i < 3; i++) expect((await read(jpeg())).roads).toEqual(['frame', 'canvas']);
}

test('the first files are read in both ways, and then in the faster one', async () => {
  await probe();
  expect(await read(jpeg())).toEqual({ data: shown, roads: ['frame'] });
});

test('a slower frame is not chosen', async () => {
  fake.frame = 4;
  await probe();
  expect(await read(jpeg())).toEqual({ data: shown, roads: ['canvas'] });
});

test('nor is one that gives other bytes', async () => {
  fake.copied = shown.map((byte, i) => (i === 17 ? byte ^ 1 : byte));
  for (let i = 0; i < 5; i++) expect((await read(jpeg())).data).toEqual(shown);
  expect(roads).toEqual(['canvas']);
});

test('files of a batch are compared in turn', async () => {
  const { data, roads: taken } = await read([jpeg(), jpeg(), jpeg()], { layout: 'NHWC' });
  expect(taken).toEqual(['frame', 'canvas', 'frame', 'canvas', 'frame', 'canvas']);
  expect(data).toEqual(Uint8Array.from([...shown, ...shown, ...shown]));
});

describe('a canvas reads', () => {
  test.each([
    ['a picture that EXIF turns', () => jpeg(turned(6))],
    ['one in the other order of bytes', () => jpeg(turnedBig(3))],
    ['one whose second EXIF turns it', () => jpeg(turned(1), turned(8))],
    ['EXIF that ends too soon', () => jpeg(turned(1).slice(0, -6))],
    ['EXIF without a directory', () => jpeg(exif('II', 42, 0, 99, 0, 0, 0))],
    ['EXIF of a few bytes', () => jpeg(exif('II', 42))],
    ['a JPEG whose scan is not found', () => new Blob([Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 2)])],
    ['another format', () => new Blob([Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0xff, 0xda, 0, 2)])],
  ])('%s', async (_, make) => {
    await probe();
    expect(await read(make())).toEqual({ data: shown, roads: ['canvas'] });
  });

  test.each([
    ['a format with alpha', { format: 'BGRA' }],
    ['a format without a name', { format: null }],
    ['a frame of another size', { codedWidth: 8 }],
    ['rows with padding', { stride: 32 }],
    ['a frame that cannot be made', { throws: 'new' }],
    ['a frame that cannot be copied', { throws: 'copyTo' }],
  ])('%s', async (_, change) => {
    await probe();
    Object.assign(fake, change);
    const { data, roads: taken } = await read(jpeg());
    expect([data, taken.at(-1)]).toEqual([shown, 'canvas']);
  });

  test('what a canvas resizes', async () => {
    await probe();
    const { roads: taken } = await read(jpeg(), { width: 5, height: 3, filter: 'canvas' });
    expect(taken).toEqual(['canvas']);
  });
});

test('pictures in one memory, one after the other, do not mix', async () => {
  await probe();
  const first = await read(jpeg());
  fake.copied = shown.map((byte) => 255 - byte);
  expect([(await read(jpeg())).data, first.data]).toEqual([fake.copied, shown]);
  const both = (await read([jpeg(), jpeg()], { layout: 'NHWC' })).data;
  expect(both).toEqual(Uint8Array.from([...fake.copied, ...fake.copied]));
});

test('onStep keeps the pixels that it was shown', async () => {
  await probe();
  const { imageProcessorAsync } = await import('onnx-layout/processors');
  const config = { image_processor_type: 'ViTImageProcessor', size: { width, height } };
  const steps = [];
  await imageProcessorAsync(config)(jpeg(), { size: { width: 4, height: 2 }, onStep: (step) => steps.push(step) });
  const { data } = steps[0].pixels();
  fake.copied = shown.map((byte) => 255 - byte);
  await imageProcessorAsync(config)(jpeg());
  expect(steps[0].pixels().data).toEqual(data);
});

test.each([
  ['EXIF that does not turn', () => jpeg(turned(1))],
  ['EXIF in the other order of bytes', () => jpeg(turnedBig(1))],
  ['EXIF without an orientation', () => jpeg(exif('II', 42, 0, 8, 0, 0, 0, 0, 0))],
  ['XMP', () => jpeg([0xe1, ...Buffer.from('http://ns.adobe.com/xap/1.0/\0')])],
])('a frame reads a picture with %s', async (_, make) => {
  await probe();
  expect(await read(make())).toEqual({ data: shown, roads: ['frame'] });
});

test('and one whose EXIF is ignored', async () => {
  await probe();
  expect((await read(jpeg(turned(6)), { orientation: 'ignore' })).roads).toEqual(['frame']);
});
