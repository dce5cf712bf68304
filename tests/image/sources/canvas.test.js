/**
 * Images that browsers draw, with fakes in Node. These tests check which objects are recognized, how large each is,
 * what the canvas is asked to do, and that its pixels become the tensor. webgl.test.js has what follows where WebGL2 is
 * there; tests/browser uses the real ones.
 */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { imageToTensor, imageToTensorAsync, init } from 'onnx-layout/image';
import { expectError, expectTensor, expectErrors } from '../../support/assertions.js';
import { tensorOf } from '../image.reference.js';
import { randomData } from '../../support/samples.js';

beforeAll(() => init());

/** The calls that the canvases got, in turn. */
let calls;
/** How each drawing was smoothed. */
let qualities;
/** The pixels that a canvas of this size gives. */
let given;
const translucent = (width, height) =>
  new Uint8ClampedArray(randomData('uint8', width * height * 4, width * 1000 + height));
const opaque = (width, height) => translucent(width, height).map((byte, i) => (i % 4 === 3 ? 255 : byte));

class FakeCanvas {
  constructor(width, height) {
    Object.assign(this, { width, height });
    calls.push(`canvas ${width} ${height}`);
  }

  get [Symbol.toStringTag]() {
    return 'OffscreenCanvas';
  }

  getContext(kind, settings) {
    calls.push(`context ${kind} ${JSON.stringify(settings)}`);
    if (kind === 'webgl2') return null;
    if (this.width > 60000) return null;
    const note =
      (name) =>
      (...args) =>
        calls.push(
          [name, ...args.map((arg) => arg?.name ?? (typeof arg === 'object' ? arg.constructor.name : arg))].join(' '),
        );
    return {
      canvas: this,
      drawImage(...args) {
        qualities.push(this.imageSmoothingQuality);
        note('draw')(...args);
      },
      clearRect: note('clear'),
      putImageData: (image) => calls.push(`put ${[...image.data].join()}`),
      fillRect(...args) {
        note(`fill ${this.fillStyle}`)(...args);
      },
      createImageData: (width, height) => ({ data: new Uint8ClampedArray(4 * width * height) }),
      getImageData: (x, y, width, height) => ({ data: given(width, height) }),
    };
  }
}

const tagged = (tag, properties) => ({ ...properties, name: tag, [Symbol.toStringTag]: tag });
const drawables = {
  ImageBitmap: { width: 5, height: 3 },
  HTMLImageElement: { naturalWidth: 5, naturalHeight: 3, width: 100, height: 100 },
  HTMLCanvasElement: { width: 5, height: 3 },
  OffscreenCanvas: { width: 5, height: 3 },
  VideoFrame: { displayWidth: 5, displayHeight: 3, codedWidth: 100, codedHeight: 100 },
  HTMLVideoElement: { videoWidth: 5, videoHeight: 3, width: 100, height: 100 },
};
const bitmap = tagged('ImageBitmap', drawables.ImageBitmap);
const start = ['context 2d {"willReadFrequently":true}'];

beforeEach(() => {
  calls = [];
  qualities = [];
  given = opaque;
  globalThis.OffscreenCanvas = FakeCanvas;
});
afterEach(() => {
  delete globalThis.OffscreenCanvas;
  delete globalThis.createImageBitmap;
});

const expected = (width, height, options) =>
  tensorOf([{ data: given(width, height), width, height, channels: 4 }], options);

test.each(Object.entries(drawables))('draws %s at its own size', (tag, properties) => {
  const options = { channels: 'RGBA', layout: 'HWC', dtype: 'uint8' };
  const { dims, data } = expected(5, 3, options);
  expectTensor(imageToTensor(tagged(tag, properties), options), 'uint8', dims, data);
  expect(calls).toEqual(['canvas 5 3', ...start, `draw ${tag} 0 0 5 3`]);
  expect(qualities).toEqual(['high']);
});

test.each(Object.entries(drawables))('takes translucent pixels of %s from the canvas without WebGL2', (tag, size) => {
  given = translucent;
  const options = { channels: 'RGBA', layout: 'HWC', dtype: 'uint8' };
  const { dims, data } = expected(5, 3, options);
  expectTensor(imageToTensor(tagged(tag, size), options), 'uint8', dims, data);
  const asked = calls.filter((call) => call.startsWith('context webgl2'));
  // Of the other classes WebGL2 knows no more than the canvas.
  expect(asked.length).toBe(tag === 'ImageBitmap' ? 1 : 0);
});

test('draws a batch of things, pixels among them', () => {
  const pixels = { data: randomData('uint8', 45, 1), width: 5, height: 3, channels: 3 };
  const { dims, data } = tensorOf([pixels, { data: given(5, 3), width: 5, height: 3, channels: 4 }], {});
  expectTensor(imageToTensor([pixels, bitmap]), 'float32', dims, data);
});

describe(`resizes by filter 'canvas'`, () => {
  const byCanvas = (image, options) => imageToTensor(image, { ...options, filter: 'canvas' });

  test.each([
    [{ width: 10, height: 10 }, 10, 10, ['draw ImageBitmap 0 0 10 10']],
    [{ width: 10, height: 10, fit: 'fill' }, 10, 10, ['draw ImageBitmap 0 0 10 10']],
    [{ width: 10 }, 10, 6, ['draw ImageBitmap 0 0 10 6']],
    [{ height: 6 }, 10, 6, ['draw ImageBitmap 0 0 10 6']],
    [{ height: 1 }, 2, 1, ['draw ImageBitmap 0 0 2 1']],
    [
      { width: 10, height: 10, fit: 'contain' },
      10,
      10,
      ['fill black 0 0 10 10', 'clear 0 2 10 6', 'draw ImageBitmap 0 2 10 6'],
    ],
    [
      { width: 10, height: 3, fit: 'contain', background: '#fff' },
      10,
      3,
      ['fill #fff 0 0 10 3', 'clear 2 0 5 3', 'draw ImageBitmap 2 0 5 3'],
    ],
    [{ width: 10, height: 12, fit: 'cover' }, 10, 12, ['draw ImageBitmap -5 0 20 12']],
    [{ width: 10, height: 2, fit: 'cover' }, 10, 2, ['draw ImageBitmap 0 -2 10 6']],
    [
      { width: 1, height: 1000, fit: 'contain' },
      1,
      1000,
      ['fill black 0 0 1 1000', 'clear 0 499 1 1', 'draw ImageBitmap 0 499 1 1'],
    ],
  ])('by %j', (options, width, height, drawn) => {
    const { dims, data } = expected(width, height, {});
    expectTensor(byCanvas(bitmap, options), 'float32', dims, data);
    expect(calls).toEqual([`canvas ${width} ${height}`, ...start, ...drawn]);
  });

  test('so that a pixel is left of each side', () => {
    byCanvas(tagged('ImageBitmap', { width: 100, height: 1 }), { width: 10 });
    byCanvas(tagged('ImageBitmap', { width: 1, height: 100 }), { height: 10 });
    expect(calls.filter((call) => call.startsWith('draw'))).toEqual([
      'draw ImageBitmap 0 0 10 1',
      'draw ImageBitmap 0 0 1 10',
    ]);
  });

  test.each([
    [1, [9, 8], [9, 9, 9, 255, 8, 8, 8, 255]],
    [3, [1, 2, 3, 4, 5, 6], [1, 2, 3, 255, 4, 5, 6, 255]],
    [4, [1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8]],
  ])('pixels of %i channels, put on a canvas of their own size first', (channels, bytes, put) => {
    const { dims, data } = expected(4, 2, {});
    expectTensor(byCanvas({ data: Uint8Array.from(bytes), width: 2, height: 1 }, { width: 4 }), 'float32', dims, data);
    expect(calls).toEqual([
      'canvas 2 1',
      'context 2d {"willReadFrequently":false}',
      `put ${put.join()}`,
      'canvas 4 2',
      ...start,
      'draw FakeCanvas 0 0 4 2',
    ]);
  });

  test('rows without their padding', () => {
    byCanvas(
      { data: Uint8Array.of(1, 2, 3, 0, 0, 4, 5, 6), width: 1, height: 2, channels: 3, rowstride: 5 },
      { width: 2 },
    );
    expect(calls[2]).toBe('put 1,2,3,255,4,5,6,255');
  });

  test('images of different sizes to a batch', () => {
    const other = tagged('ImageBitmap', { width: 9, height: 9 });
    const image = { data: given(4, 4), width: 4, height: 4, channels: 4 };
    const { dims, data } = tensorOf([image, image], {});
    expectTensor(byCanvas([bitmap, other], { width: 4, height: 4 }), 'float32', dims, data);
    expectErrors({
      'RangeError: imageToTensor: image[1] must have 5 x 3 pixels as the first, got 9 x 9': () =>
        imageToTensor([bitmap, other]),
      'RangeError: imageToTensor: image[1] must have 10 x 6 pixels as the first, got 10 x 10': () =>
        imageToTensor([bitmap, other], { width: 10 }),
    });
  });

  test("nothing where the size is the image's", () => {
    byCanvas({ data: new Uint8Array(6), width: 2, height: 1 }, { width: 2, height: 1, fit: 'cover' });
    expect(calls).toEqual([]);
  });
});

describe('refuses', () => {
  test.each([
    ['HTMLImageElement', { naturalWidth: 0, naturalHeight: 0 }, '0 x 0'],
    ['ImageBitmap', { width: 0, height: 0 }, '0 x 0'],
    ['HTMLVideoElement', { videoWidth: 0, videoHeight: 4 }, '0 x 4'],
    ['VideoFrame', { displayWidth: 4, displayHeight: 0 }, '4 x 0'],
  ])('%s %j', (tag, properties, shown) => {
    const message = `imageToTensor: image must be loaded and open, got ${shown} pixels`;
    expectError(() => imageToTensor(tagged(tag, properties)), RangeError, message);
    expect(calls).toEqual([]);
  });

  test('a size of nothing', () => {
    expectErrors({
      'RangeError: imageToTensor: width must be at least 1, got 0': () => imageToTensor(bitmap, { width: 0 }),
      'RangeError: imageToTensor: height must be at least 1, got -1': () => imageToTensor(bitmap, { height: -1 }),
    });
    expect(calls).toEqual([]);
  });

  test('what no canvas is large enough for', () =>
    expectErrors({
      'RangeError: imageToTensor: a canvas must be possible for the image, got 70000 x 1 pixels': () =>
        imageToTensor(bitmap, { width: 70000, height: 1, filter: 'canvas' }),
    }));

  test('to draw without OffscreenCanvas', () => {
    delete globalThis.OffscreenCanvas;
    expectErrors({
      'Error: imageToTensor: image needs OffscreenCanvas, which is not there': () => imageToTensor(bitmap),
      'Error: imageToTensor: image[0] needs OffscreenCanvas, which is not there': () => imageToTensor([bitmap, bitmap]),
    });
  });

  test('a wrong out before anything is drawn', () => {
    const out = { type: 'float32', data: new Float32Array(44), dims: [1, 3, 3, 5] };
    expectErrors({
      'RangeError: imageToTensor: float32 data of dims [1, 3, 3, 5] has 45 entries, got 44': () =>
        imageToTensor(bitmap, { out }),
    });
    expect(calls).toEqual([]);
  });
});

describe('imageToTensorAsync', () => {
  const blob = (bytes) => new Blob([Uint8Array.from(bytes)]);
  /** The bitmaps that are not closed. */
  let open;
  beforeEach(() => {
    open = 0;
    globalThis.createImageBitmap = async (source, settings) => {
      expect(settings).toEqual({ colorSpaceConversion: 'none', premultiplyAlpha: 'none' });
      if (source.size === 0) throw new Error('The source image could not be decoded.');
      await new Promise((resolve) => {
        setTimeout(resolve, source.size);
      });
      open++;
      return tagged('ImageBitmap', {
        width: source.size,
        height: 2,
        close: () => {
          open--;
        },
      });
    };
  });

  test('decodes Blobs and Files and closes what it made of them', async () => {
    const { dims, data } = expected(3, 2, {});
    expectTensor(await imageToTensorAsync(blob([1, 2, 3])), 'float32', dims, data);
    expectTensor(await imageToTensorAsync(new File([Uint8Array.of(1, 2, 3)], 'a.png')), 'float32', dims, data);
    const image = { data: given(3, 2), width: 3, height: 2, channels: 4 };
    const batch = tensorOf([image, image], { dtype: 'uint8' });
    const actual = await imageToTensorAsync([blob([1, 2, 3]), image], { dtype: 'uint8' });
    expectTensor(actual, 'uint8', batch.dims, batch.data);
    expect(open).toBe(0);
  });

  test('takes all that imageToTensor takes', async () => {
    const image = { data: Uint8Array.of(1, 2, 3), width: 1, height: 1 };
    expectTensor(await imageToTensorAsync(image, { layout: 'CHW' }), 'float32', [3, 1, 1], Float32Array.of(1, 2, 3));
    expectTensor(await imageToTensorAsync(bitmap), 'float32', [1, 3, 3, 5], imageToTensor(bitmap).data);
  });

  test('decodes an image element once more', async () => {
    const element = tagged('HTMLImageElement', { naturalWidth: 7, naturalHeight: 2, size: 7 });
    const { dims, data } = expected(7, 2, {});
    expectTensor(await imageToTensorAsync(element), 'float32', dims, data);
    expect(calls).toEqual(['canvas 7 2', ...start, 'draw ImageBitmap 0 0 7 2']);
    expect(open).toBe(0);
  });

  test.each([
    ['translucent', translucent, 7, 2],
    ['of another size than its file', opaque, 7, 4],
    ['of another size than its file', opaque, 8, 2],
  ])('draws an image element itself that is %s', async (_, pixels, naturalWidth, naturalHeight) => {
    given = pixels;
    const element = tagged('HTMLImageElement', { naturalWidth, naturalHeight, size: 7 });
    const { dims, data } = expected(naturalWidth, naturalHeight, {});
    expectTensor(await imageToTensorAsync(element), 'float32', dims, data);
    expect(calls.at(-1)).toBe(`draw HTMLImageElement 0 0 ${naturalWidth} ${naturalHeight}`);
    expect(open).toBe(0);
  });

  test('has the canvas resize an image element itself', async () => {
    const element = tagged('HTMLImageElement', { naturalWidth: 7, naturalHeight: 2, size: 7 });
    await imageToTensorAsync(element, { width: 14, filter: 'canvas' });
    expect(calls.at(-1)).toBe('draw HTMLImageElement 0 0 14 4');
  });

  test('draws an image element that becomes no bitmap', async () => {
    const element = tagged('HTMLImageElement', { ...drawables.HTMLImageElement, size: 0 });
    const { dims, data } = expected(5, 3, {});
    expectTensor(await imageToTensorAsync(element), 'float32', dims, data);
    delete globalThis.createImageBitmap;
    expectTensor(await imageToTensorAsync(element), 'float32', dims, data);
    expect(calls.filter((call) => call.startsWith('draw'))).toEqual([
      'draw HTMLImageElement 0 0 5 3',
      'draw HTMLImageElement 0 0 5 3',
    ]);
  });

  const rejection = async (...args) =>
    imageToTensorAsync(...args).then(
      () => undefined,
      (error) => [error.constructor, error.message],
    );

  test('is rejected, and leaves no bitmap open', async () => {
    expect(await rejection(5)).toEqual([
      TypeError,
      'imageToTensorAsync: image must be an image { data, width, height }, got 5',
    ]);
    expect(await rejection(blob([1]), { color: 1 })).toEqual([
      TypeError,
      "imageToTensorAsync: unknown option 'color'. Known: layout, channels, dtype, preset, scale, mean, std, out, …",
    ]);
    expect(await rejection(blob([1]), { orientation: 'none' })).toEqual([
      RangeError,
      "imageToTensorAsync: orientation must be 'upright' or 'ignore', got 'none'",
    ]);
    expect(await rejection(tagged('HTMLImageElement', { naturalWidth: 0, naturalHeight: 0 }))).toEqual([
      RangeError,
      'imageToTensorAsync: image must be loaded and open, got 0 x 0 pixels',
    ]);
    expect(await rejection([blob([1]), blob([1, 2])])).toEqual([
      RangeError,
      'imageToTensorAsync: image[1] must have 1 x 2 pixels as the first, got 2 x 2',
    ]);
    expect(await rejection([blob([1]), blob([])])).toEqual([Error, 'The source image could not be decoded.']);
    expect(open).toBe(0);
    delete globalThis.createImageBitmap;
    expect(await rejection(blob([1]))).toEqual([
      Error,
      'imageToTensorAsync: a Blob needs createImageBitmap, which is not there, or decode: readImage of ' +
        'onnx-layout/node is one',
    ]);
  });
});
