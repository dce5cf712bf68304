/** imageToTensor in Node: every option, compared bit by bit, and every message in full. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Tensor } from 'onnx-layout';
import { imageToTensor, init } from 'onnx-layout/image';
import { expectError, expectTensor, expectErrors, refuses } from '../support/assertions.js';
import { presets, tensorOf } from './image.reference.js';
import { below, generator, randomData } from '../support/samples.js';

beforeAll(() => init());

const layouts = ['NCHW', 'NHWC', 'CHW', 'HWC'];
const orders = ['RGB', 'BGR', 'RGBA', 'L'];
const types = ['uint8', 'int8', 'float32', 'float16', 'bfloat16'];

const pixels = (width, height, channels, seed = width + 100 * height) => ({
  data: randomData('uint8', width * height * channels, seed),
  width,
  height,
  channels,
});

/** The same with padding after each row. */
function padded(width, height, channels, padding, seed) {
  const rowstride = width * channels + padding;
  return { data: randomData('uint8', rowstride * height, seed), width, height, channels, rowstride };
}

/** A preset spelled out as the other three options, in the order of the channels. */
function spelledOut(preset, channels) {
  const { factor, mean, std } = presets[preset];
  if (channels === 'BGR') return { factor, mean: mean.toReversed(), std: std.toReversed() };
  return channels === 'RGB' ? { factor, mean, std } : { factor, mean: mean[0], std: std[0] };
}

function check(image, options, what) {
  const images = [image].flat();
  const { preset, ...others } = options;
  const { dims, data } = tensorOf(
    images,
    preset ? { ...others, ...spelledOut(preset, options.channels ?? 'RGB') } : others,
  );
  expectTensor(
    imageToTensor(image, options),
    options.dtype ?? 'float32',
    dims,
    data,
    `${what} ${JSON.stringify(options)}`,
  );
}

/** Parameters of every kind: powers of two, negative ones, ones that saturate or underflow. */
const normalizations = [
  {},
  { preset: 'unit' },
  { preset: 'signed' },
  { scale: 0.37, mean: 11.3, std: 2.9 },
  { mean: 128 },
  { scale: 2, mean: 3 },
  { std: 0.25 },
  { scale: -1.5 },
  { scale: 1e-9, std: 7 },
  { scale: 3e36 },
  { mean: -1e30, std: -1e-8 },
];

describe.each(types)('%s', (type) => {
  describe.each(orders)('%s', (channels) => {
    test.each(layouts)('%s, from 1, 3 and 4 channels, by each normalization', (layout) => {
      for (const from of [1, 3, 4]) {
        const image = pixels(37, 3, from);
        const each = {
          scale: [0.1, -3, 1 / 255, 1].slice(0, channels.length),
          mean: [-1, 0.25, 1 / 3, 0].slice(0, channels.length),
          std: [1, 0.3, 64, 3].slice(0, channels.length),
        };
        const colored = channels.length === 3 ? [{ preset: 'imagenet' }, { preset: 'clip' }] : [];
        for (const normalization of [...normalizations, ...colored, each])
          check(image, { dtype: type, channels, layout, ...normalization }, `${from} channels`);
      }
    });

    test('widths 1 to 40, with and without padding, as bytes and as numbers', () => {
      for (let width = 1; width <= 40; width++)
        for (const from of [1, 3, 4])
          for (const layout of ['CHW', 'HWC'])
            for (const scale of [1, 0.5]) {
              check(pixels(width, 1, from), { dtype: type, channels, layout, scale }, `${width} x 1, ${from} channels`);
              check(
                padded(width, 3, from, width % 7, width),
                { dtype: type, channels, layout, scale },
                `${width} x 3 padded, ${from} channels`,
              );
            }
    });

    test('images beyond every staging size', () => {
      const sizes = [
        [513, 2, 3],
        [320, 512, 3],
        [163841, 1, 3],
        [1, 163843, 1],
        [701, 399, 4],
      ];
      // Each size in one layout as it is, and in the other one padded: all four take twice as long. Another type takes
      // the other half.
      const turn = types.indexOf(type) + orders.indexOf(channels);
      for (const [i, [width, height, from]] of sizes.entries()) {
        const [own, other] = (i + turn) % 2 === 0 ? ['CHW', 'HWC'] : ['HWC', 'CHW'];
        check(
          pixels(width, height, from),
          { dtype: type, channels, layout: own, scale: 0.7 },
          `${width} x ${height}, ${from} channels`,
        );
        check(
          padded(width, height, from, 5, width),
          { dtype: type, channels, layout: other },
          `${width} x ${height} padded, ${from} channels`,
        );
      }
    });
  });
});

test('all bytes in all presets are the formula', () => {
  const image = { data: Uint8Array.from({ length: 768 }, (_, i) => i / 3), width: 16, height: 16, channels: 3 };
  for (const preset of Object.keys(presets))
    for (const channels of ['RGB', 'BGR'])
      for (const type of types) check(image, { preset, channels, dtype: type }, 'all bytes');
});

test('all gray levels of the luma, and colors at random', () => {
  const image = pixels(512, 512, 3, 5);
  for (const type of ['uint8', 'float32']) check(image, { channels: 'L', dtype: type }, 'random colors');
  const grays = { data: Uint8Array.from({ length: 1024 }, (_, i) => i >> 2), width: 256, height: 1, channels: 4 };
  expect([...imageToTensor(grays, { channels: 'L' }).data]).toEqual(Array.from({ length: 256 }, (_, i) => i));
});

test('float32 for NCHW and RGB by default, of ImageData', () => {
  const image = { data: Uint8ClampedArray.of(1, 2, 3, 4, 5, 6, 7, 8), width: 2, height: 1, colorSpace: 'srgb' };
  expectTensor(imageToTensor(image), 'float32', [1, 3, 1, 2], Float32Array.of(1, 5, 2, 6, 3, 7));
});

test('a Buffer, SharedArrayBuffer and views at odd bytes', () => {
  for (let offset = 0; offset < 16; offset++)
    for (const Memory of [ArrayBuffer, SharedArrayBuffer]) {
      const data = randomData('uint8', 5 * 7 * 3, offset, offset, Memory);
      check({ data, width: 5, height: 7, channels: 3 }, { dtype: 'float16' }, `offset ${offset}`);
      check(
        { data: Buffer.from(data.buffer, data.byteOffset, data.length), width: 5, height: 7, channels: 3 },
        {},
        `Buffer at ${offset}`,
      );
    }
});

test('the last row may come without its padding', () => {
  const whole = padded(5, 4, 3, 9, 1);
  const cut = { ...whole, data: whole.data.subarray(0, whole.data.length - 9) };
  check(cut, { preset: 'unit' }, 'cut');
  check(whole, { preset: 'unit' }, 'whole');
});

test('a batch, whose images may differ in all but their size', () => {
  const images = [pixels(19, 5, 3), { ...pixels(19, 5, 4, 7) }, padded(19, 5, 1, 3, 9), pixels(19, 5, 3, 11)];
  for (const layout of ['NCHW', 'NHWC'])
    for (const type of types) check(images, { layout, dtype: type, preset: 'signed' }, 'batch');
  check([pixels(1, 1, 4)], {}, 'batch of one');
});

test('scale, mean and std as typed arrays', () => {
  const image = pixels(3, 3, 3);
  const { data } = imageToTensor(image, {
    scale: Float32Array.of(1, 2, 3),
    mean: Float64Array.of(4, 5, 6),
    std: [7, 8, 9],
  });
  expectTensor(
    imageToTensor(image, { scale: [1, 2, 3], mean: [4, 5, 6], std: Float32Array.of(7, 8, 9) }),
    'float32',
    [1, 3, 3, 3],
    data,
  );
});

describe('out', () => {
  test('is written to, at any offset, and nothing beside it', () => {
    const random = generator(3);
    for (const type of types)
      for (const channels of orders) {
        const image = pixels(1 + below(random, 50), 1 + below(random, 50), 3);
        const { dims, data } = tensorOf([image], { dtype: type, channels });
        const offset = data.BYTES_PER_ELEMENT * below(random, 9);
        const buffer = new ArrayBuffer(offset + data.byteLength + 64);
        new Uint8Array(buffer).fill(0xa5);
        const out = { type, dims, data: new data.constructor(buffer, offset, data.length) };
        const result = imageToTensor(image, { dtype: type, channels, out });
        expect(result.data).toBe(out.data);
        expectTensor(result, type, dims, data, `${type} ${channels}`);
        expect(new Uint8Array(buffer, 0, offset).every((byte) => byte === 0xa5)).toBe(true);
        expect(new Uint8Array(buffer, offset + data.byteLength).every((byte) => byte === 0xa5)).toBe(true);
      }
  });

  refuses('imageToTensor', {
    'TypeError: out type must be float32, got float64': () =>
      imageToTensor(pixels(2, 2, 3), { out: { type: 'float64', data: new Float64Array(12), dims: [1, 3, 2, 2] } }),
    'RangeError: out dims must be [1, 3, 2, 2], got [3, 2, 2]': () =>
      imageToTensor(pixels(2, 2, 3), { out: { type: 'float32', data: new Float32Array(12), dims: [3, 2, 2] } }),
    'RangeError: float32 data of dims [1, 3, 2, 2] has 12 entries, got 11': () =>
      imageToTensor(pixels(2, 2, 3), { out: { type: 'float32', data: new Float32Array(11), dims: [1, 3, 2, 2] } }),
    'TypeError: out must be a tensor { type, dims, data }, got null': () =>
      imageToTensor(pixels(2, 2, 3), { out: null }),
  });

  test("must not be an image's memory", () => {
    const memory = new Uint8Array(48);
    const image = { data: memory.subarray(0, 12), width: 2, height: 2 };
    const out = { type: 'uint8', data: memory.subarray(11, 23), dims: [1, 3, 2, 2] };
    expectErrors({
      'RangeError: imageToTensor: out must not overlap image': () => imageToTensor(image, { dtype: 'uint8', out }),
    });
    const batch = { type: 'uint8', data: memory.subarray(11, 35), dims: [2, 3, 2, 2] };
    expectErrors({
      'RangeError: imageToTensor: out must not overlap image[1]': () =>
        imageToTensor([pixels(2, 2, 3), image], { dtype: 'uint8', out: batch }),
    });
    expect(memory.every((byte) => byte === 0)).toBe(true);
  });
});

const presetNames =
  `'imagenet', 'clip', 'unit', 'signed', 'yolo', 'yolo-cls', 'yolox', 'scrfd', 'rapidocr-det', 'paddleocr-det' ` +
  `or 'rapidocr-text'`;

describe('refuses', () => {
  const data = new Uint8Array(12);
  refuses('imageToTensor', imageToTensor, {
    'TypeError: image must be an image { data, width, height }, got undefined': [undefined],
    'TypeError: image must be an image { data, width, height }, got null': [null],
    "TypeError: image must be an image { data, width, height }, got 'cat.png'": ['cat.png'],
    'TypeError: image must be an image { data, width, height }, got Uint8Array': [data],
    'TypeError: image data must be a Uint8Array or Uint8ClampedArray, got undefined': [{ width: 2, height: 2 }],
    'TypeError: image data must be a Uint8Array or Uint8ClampedArray, got Float32Array': () =>
      imageToTensor({ data: new Float32Array(12), width: 2, height: 2 }),
    'TypeError: image data must be a Uint8Array or Uint8ClampedArray, got Array': () =>
      imageToTensor({ data: [1, 2, 3], width: 1, height: 1 }),
    "TypeError: image width must be a number or a bigint, got '2'": [{ data, width: '2', height: 2 }],
    'TypeError: image height must be a number or a bigint, got undefined': [{ data, width: 2 }],
    'RangeError: image width must be at least 1, got 0': [{ data, width: 0, height: 2 }],
    'RangeError: image height must be at least 1, got -2': [{ data, width: 2, height: -2 }],
    'RangeError: image width must be a whole number, got 1.5': [{ data, width: 1.5, height: 2 }],
    'RangeError: image width must be at least 1, got 1152921504606846976': [{ data, width: 2n ** 60n, height: 2 }],
    'RangeError: image data of 5 x 2 pixels has 10, 30 or 40 bytes, got 12': [{ data, width: 5, height: 2 }],
    'RangeError: image data of 3 x 2 pixels has 6, 18 or 24 bytes, got 12': [{ data, width: 3, height: 2 }],
    'RangeError: image data of 2 x 2 pixels has 16 bytes, got 12': [{ data, width: 2, height: 2, channels: 4 }],
    'RangeError: image channels must be 1, 3 or 4, got 2': [{ data, width: 3, height: 2, channels: 2 }],
    "TypeError: image channels must be 1, 3 or 4, got 'RGB'": [{ data, width: 2, height: 2, channels: 'RGB' }],
    'TypeError: image channels must stand beside rowstride, got undefined': () =>
      imageToTensor({ data, width: 2, height: 2, rowstride: 6 }),
    'RangeError: image rowstride must be at least 6, got 5': [{ data, width: 2, height: 2, channels: 3, rowstride: 5 }],
    'RangeError: image data of 2 x 2 pixels has 14 bytes, got 12': () =>
      imageToTensor({ data, width: 2, height: 2, channels: 3, rowstride: 7 }),
    'RangeError: image must hold at least one image, got []': [[]],
    'TypeError: image[1] must be an image { data, width, height }, got 5': [[{ data, width: 2, height: 2 }, 5]],
    'TypeError: image[0] must be an image { data, width, height }, got Array': [[[{ data, width: 2, height: 2 }]]],
    'RangeError: image[1] must have 2 x 2 pixels as the first, got 4 x 3': () =>
      imageToTensor([
        { data, width: 2, height: 2 },
        { data, width: 4, height: 3 },
      ]),
    'TypeError: image must be decoded, which imageToTensorAsync does, got a Blob': [new Blob(['x'])],
  });

  refuses('imageToTensor', (options) => imageToTensor(pixels(2, 2, 3), options), {
    'TypeError: options must be an object, got 5': [5],
    'TypeError: options must be an object, got null': [null],
    "TypeError: unknown option 'color'. Known: layout, channels, dtype, preset, scale, mean, std, out, …": () =>
      imageToTensor(pixels(2, 2, 3), { color: 'RGB' }),
    "RangeError: layout must be 'NCHW', 'NHWC', 'CHW' or 'HWC', got 'nchw'": [{ layout: 'nchw' }],
    "TypeError: layout must be 'NCHW', 'NHWC', 'CHW' or 'HWC', got 3": [{ layout: 3 }],
    "RangeError: channels must be 'RGB', 'BGR', 'RGBA' or 'L', got 'ARGB'": [{ channels: 'ARGB' }],
    "TypeError: channels must be 'RGB', 'BGR', 'RGBA' or 'L', got null": [{ channels: null }],
    'TypeError: dtype must be uint8, int8, float32, float16 or bfloat16 (cast gives the others), got float64': () =>
      imageToTensor(pixels(2, 2, 3), { dtype: 'float64' }),
    "TypeError: dtype must be uint8, int8, float32, float16 or bfloat16 (cast gives the others), got 'float33'": () =>
      imageToTensor(pixels(2, 2, 3), { dtype: 'float33' }),
    [`RangeError: preset must be ${presetNames}, got 'coco'`]: [{ preset: 'coco' }],
    [`RangeError: preset must be ${presetNames}, got 'toString'`]: [{ preset: 'toString' }],
    'TypeError: scale cannot stand beside preset, got 1': [{ preset: 'unit', scale: 1 }],
    'TypeError: std cannot stand beside preset, got [1, 2, 3]': [{ preset: 'imagenet', std: [1, 2, 3] }],
    "RangeError: preset 'imagenet' is for RGB or BGR, got channels 'L'": [{ preset: 'imagenet', channels: 'L' }],
    "RangeError: preset 'clip' is for RGB or BGR, got channels 'RGBA'": [{ preset: 'clip', channels: 'RGBA' }],
    "TypeError: scale must be a number or a list of numbers, got '1'": [{ scale: '1' }],
    'TypeError: mean must be a number or a list of numbers, got null': [{ mean: null }],
    'TypeError: mean must be a number or a list of numbers, got 1': [{ mean: 1n }],
    "TypeError: mean must hold numbers, got [1, '2', 3]": [{ mean: [1, '2', 3] }],
    'TypeError: std must be a number or a list of numbers, got Int8Array': [{ std: Int8Array.of(1, 2, 3) }],
    'RangeError: std must hold 3 numbers, one for each of RGB, got 2': [{ std: [1, 2] }],
    'RangeError: mean must hold 3 numbers, one for each of RGB, got 4': [{ mean: [1, 2, 3, 4] }],
    'RangeError: mean must hold 4 numbers, one for each of RGBA, got 1': [{ mean: [1], channels: 'RGBA' }],
    'RangeError: scale must be finite in float32, got NaN': [{ scale: NaN }],
    'RangeError: mean must be finite in float32, got [0, Infinity, 1]': [{ mean: [0, Infinity, 1] }],
    'RangeError: scale must be finite in float32, got 1e+39': [{ scale: 1e39 }],
    'RangeError: std must not be 0, got 0': [{ std: 0 }],
    'RangeError: std must not be 0, got [1, 1e-60, 1]': [{ std: [1, 1e-60, 1] }],
    "TypeError: width must be a number or a bigint, got '2'": [{ width: '2' }],
    'RangeError: height must be at least 1, got 0': [{ height: 0 }],
    "RangeError: fit must be 'fill', 'contain', 'cover' or 'center-crop', got 'inside'": [{ width: 2, fit: 'inside' }],
    'TypeError: background must be a byte, a list of bytes or a CSS color, got null': [{ width: 2, background: null }],
    'TypeError: fit needs width or height': [{ fit: 'cover' }],
    'TypeError: background needs width or height': [{ background: 'white' }],
  });

  test('a batch without an axis for it', () =>
    expectErrors({
      "RangeError: imageToTensor: layout of a batch must be 'NCHW' or 'NHWC', got 'CHW'": () =>
        imageToTensor([pixels(2, 2, 3)], { layout: 'CHW' }),
    }));

  test('data that is gone', () => {
    const gone = new Uint8Array(12);
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    expectErrors({
      'RangeError: imageToTensor: image data of 2 x 2 pixels has 4, 12 or 16 bytes, got 0': () =>
        imageToTensor({ data: gone, width: 2, height: 2 }),
    });
  });

  test('a result that no memory holds', () => {
    const image = { data: new Uint8Array(1), width: 1, height: 1 };
    expectError(
      () => imageToTensor({ ...image, width: 2 ** 52, height: 1 }),
      RangeError,
      `imageToTensor: image data of ${2 ** 52} x 1 pixels has ${2 ** 52}, ${3 * 2 ** 52} or ${2 ** 54} bytes, got 1`,
    );
  });
});

test('the result is a tensor with memory of its own', () => {
  const tensor = imageToTensor(pixels(3, 3, 3), { dtype: 'float16' });
  expect(tensor).toBeInstanceOf(Tensor);
  expect(tensor.data.buffer.byteLength).toBe(54);
});
