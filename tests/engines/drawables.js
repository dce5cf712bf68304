/**
 * imageToTensor of what only pages have (bitmaps, elements, frames, Blobs), and resizing. Written as Jest's test
 * files are, and run in pages alone.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { imageToTensor, imageToTensorAsync, init, readBack, tensorToImage } from 'onnx-layout/image';
import { expectError, expectTensor, expectErrors } from '../support/assertions.js';
import { presets, tensorOf } from '../image/image.reference.js';
import { generator } from '../support/samples.js';

beforeAll(() => init());

const width = 21;
const height = 13;
const random = generator(5);
/** Opaque, because a canvas multiplies colors by alpha. */
const data = Uint8ClampedArray.from({ length: 4 * width * height }, (_, i) => (i % 4 === 3 ? 255 : random()));
const pixels = () => new ImageData(data, width, height);

function drawn(canvas) {
  Object.assign(canvas, { width, height });
  canvas.getContext('2d').putImageData(pixels(), 0, 0);
  return canvas;
}

const offscreen = () => drawn(new OffscreenCanvas(1, 1));
const png = () => offscreen().convertToBlob({ type: 'image/png' });

async function element() {
  const image = new Image();
  image.src = URL.createObjectURL(await png());
  await image.decode();
  return image;
}

async function video() {
  const canvas = drawn(document.createElement('canvas'));
  const player = Object.assign(document.createElement('video'), { muted: true, srcObject: canvas.captureStream() });
  await player.play();
  // A stream's first frame comes with the next drawing.
  canvas.getContext('2d').putImageData(pixels(), 0, 0);
  await new Promise((resolve) => {
    player.requestVideoFrameCallback(resolve);
  });
  return player;
}

const drawables = {
  ImageData: pixels,
  ImageBitmap: () => createImageBitmap(pixels()),
  HTMLCanvasElement: () => drawn(document.createElement('canvas')),
  OffscreenCanvas: offscreen,
  HTMLImageElement: element,
  VideoFrame: () => new VideoFrame(offscreen(), { timestamp: 0 }),
};

function check(actual, images, options, type = 'float32') {
  const { preset, ...rest } = options;
  const expected = tensorOf(images, { ...presets[preset], ...rest });
  expectTensor(actual, type, expected.dims, expected.data, JSON.stringify(options));
}

const plain = { data, width, height, channels: 4 };

describe('all pixels as they are', () => {
  test.each(Object.keys(drawables))('%s', async (name) => {
    const image = await drawables[name]();
    check(imageToTensor(image), [plain], {});
    for (const options of [
      { layout: 'HWC', channels: 'BGR', dtype: 'uint8' },
      { preset: 'imagenet', dtype: 'float16' },
      { channels: 'L', layout: 'NHWC' },
      { channels: 'RGBA', layout: 'CHW', dtype: 'uint8' },
    ])
      check(await imageToTensorAsync(image, options), [plain], options, options.dtype);
    image.close?.();
  });

  test.each(['Blob', 'File'])('%s', async (name) => {
    const blob = await png();
    check(await imageToTensorAsync(name === 'Blob' ? blob : new File([blob], 'a.png')), [plain], {});
  });

  test('a JPEG, whose pixels a frame may copy once a canvas has read three', async () => {
    const canvas = offscreen();
    const file = await canvas.convertToBlob({ type: 'image/jpeg', quality: 1 });
    const bitmap = await createImageBitmap(file, { colorSpaceConversion: 'none', premultiplyAlpha: 'none' });
    const context = canvas.getContext('2d');
    context.drawImage(bitmap, 0, 0);
    const jpeg = { ...plain, data: context.getImageData(0, 0, width, height).data };
    bitmap.close();
    for (let i = 0; i < 8; i++) check(await imageToTensorAsync(file), [jpeg], {});
  });

  test('a YUV frame, within a level of the canvas', async () => {
    const size = { codedWidth: 20, codedHeight: 12 };
    const planes = Uint8Array.from({ length: 360 }, () => 16 + (random() % 220));
    const frame = new VideoFrame(planes, { format: 'I420', ...size, timestamp: 0 });
    const options = { dtype: 'uint8' };
    const wanted = imageToTensor(frame, options).data;
    for (let i = 0; i < 5; i++) {
      const { data: made } = await imageToTensorAsync(frame, options);
      expect(Math.max(...made.map((value, at) => Math.abs(value - wanted[at])))).toBeLessThan(2);
    }
    frame.close();
  });

  test('pixels come back as they were', async () => expect((await readBack()).canvas).toBe('exact'));

  test('a batch of all of them', async () => {
    const images = await Promise.all([...Object.values(drawables).map((make) => make()), png()]);
    const out = {
      type: 'uint8',
      data: new Uint8Array(images.length * 3 * width * height),
      dims: [images.length, 3, height, width],
    };
    const result = await imageToTensorAsync(images, { dtype: 'uint8', out });
    check(
      result,
      images.map(() => plain),
      { dtype: 'uint8' },
      'uint8',
    );
    expect(result.data).toBe(out.data);
    // Chromium complains of a VideoFrame that it collects open.
    for (const image of images) image.close?.();
  });

  test('a video, about as they are, because a stream may compress', async () => {
    const { dims, data: values } = imageToTensor(await video(), { channels: 'L' });
    expect(dims).toEqual([1, 1, height, width]);
    const { data: exact } = tensorOf([plain], { channels: 'L' });
    const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
    expect(Math.abs(mean(values) - mean(exact))).toBeLessThan(4);
  });
});

describe('resizing', () => {
  /** 8 x 4 pixels: 4 columns of one color, 4 of another. */
  const [left, right] = [
    [250, 10, 60],
    [20, 200, 90],
  ];
  const halves = () =>
    new ImageData(
      Uint8ClampedArray.from({ length: 128 }, (_, i) => [...((i >> 2) % 8 < 4 ? left : right), 255][i % 4]),
      8,
      4,
    );
  const sources = { ImageData: halves, ImageBitmap: () => createImageBitmap(halves()) };
  const options = { layout: 'HWC', dtype: 'uint8' };
  /** The rows of the result as lists of colors. */
  const rows = ({ dims: [h, w], data: bytes }) =>
    Array.from({ length: h }, (_, y) =>
      Array.from({ length: w }, (__, x) => Array.from(bytes.subarray(3 * (y * w + x), 3 * (y * w + x) + 3))),
    );
  const row = (...colors) => colors;
  const bar = (color, length = 8) => Array.from({ length }, () => color);

  describe.each(Object.keys(sources))('of %s', (name) => {
    test('contain leaves bars of the background above and below', async () => {
      const source = await sources[name]();
      const picture = row(left, left, left, left, right, right, right, right);
      for (const [background, color] of [
        [undefined, [0, 0, 0]],
        ['rgb(1, 2, 3)', [1, 2, 3]],
        ['white', [255, 255, 255]],
      ]) {
        const result = imageToTensor(source, { ...options, width: 8, height: 8, fit: 'contain', background });
        expect(rows(result)).toEqual([
          bar(color),
          bar(color),
          picture,
          picture,
          picture,
          picture,
          bar(color),
          bar(color),
        ]);
      }
    });

    test('contain leaves bars left and right', async () => {
      const result = rows(
        imageToTensor(await sources[name](), { ...options, width: 12, height: 4, fit: 'contain', background: 'lime' }),
      );
      for (const line of result)
        expect(line).toEqual([...bar([0, 255, 0], 2), ...bar(left, 4), ...bar(right, 4), ...bar([0, 255, 0], 2)]);
    });

    test('cover cuts off what is beyond, in the middle', async () => {
      const result = rows(imageToTensor(await sources[name](), { ...options, width: 4, height: 4, fit: 'cover' }));
      expect(result).toEqual(Array.from({ length: 4 }, () => row(left, left, right, right)));
    });

    test('fill distorts', async () => {
      const result = rows(imageToTensor(await sources[name](), { ...options, width: 32, height: 2 }));
      expect(result.length).toBe(2);
      // Pillow's bicubic filter reaches two pixels of the source, eight of the result.
      for (const line of result) expect([line.slice(0, 8), line.slice(24)]).toEqual([bar(left, 8), bar(right, 8)]);
    });

    test('one extent follows from the other', async () => {
      const source = await sources[name]();
      expect(imageToTensor(source, { ...options, width: 16 }).dims).toEqual([8, 16, 3]);
      expect(imageToTensor(source, { ...options, height: 2 }).dims).toEqual([2, 4, 3]);
      expect(imageToTensor(source, { ...options, height: 1, width: 1 }).dims).toEqual([1, 1, 3]);
    });
  });

  test('of pictures of different sizes makes a batch', async () => {
    const result = await imageToTensorAsync([halves(), await png(), offscreen()], {
      width: 5,
      height: 5,
      fit: 'cover',
      preset: 'unit',
    });
    expect(result.dims).toEqual([3, 3, 5, 5]);
  });
});

describe('refuses', () => {
  test('what is not there to be drawn', async () => {
    const bitmap = await createImageBitmap(pixels());
    bitmap.close();
    expectErrors({
      'RangeError: imageToTensor: image must be loaded and open, got 0 x 0 pixels': [
        () => imageToTensor(bitmap),
        () => imageToTensor(new Image()),
      ],
      'TypeError: imageToTensor: image must be decoded, which imageToTensorAsync does, got a Blob': () =>
        imageToTensor(new Blob()),
    });
  });

  test('a Blob that is no picture, with what the browser says', async () => {
    const error = await imageToTensorAsync(new Blob(['no picture'])).catch((reason) => reason);
    expect([error.name, error instanceof DOMException]).toEqual(['InvalidStateError', true]);
  });

  test('pictures of different sizes', async () => {
    const bitmap = await createImageBitmap(pixels(), 0, 0, 2, 3);
    expectError(
      () => imageToTensor([offscreen(), bitmap]),
      RangeError,
      `imageToTensor: image[1] must have ${width} x ${height} pixels as the first, got 2 x 3`,
    );
  });
});

test('a tensor comes back as an ImageData that a canvas takes', () => {
  for (const layout of ['CHW', 'HWC']) {
    const image = tensorToImage(imageToTensor(pixels(), { layout, preset: 'clip' }), { layout, preset: 'clip' });
    expect(Object.prototype.toString.call(image)).toBe('[object ImageData]');
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context.putImageData(image, 0, 0);
    expect(context.getImageData(0, 0, width, height).data).toEqual(data);
  }
});
