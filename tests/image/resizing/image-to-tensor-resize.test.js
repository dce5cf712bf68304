/** Images that imageToTensor resizes on the way: as if resized by `resize`, cropped or framed, and then converted. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { imageToTensor, init } from 'onnx-layout/image';
import { expectError, expectTensor, expectErrors, refuses } from '../../support/assertions.js';
import { randomData } from '../../support/samples.js';
import { tensorOf } from '../image.reference.js';
import { resize } from './resize.reference.js';
import { lists } from '../../support/tables.js';

const { floor, max, min, round } = Math;

beforeAll(() => init());

const pixels = (width, height, channels, seed = 1) => ({
  data: randomData('uint8', width * height * channels, seed),
  width,
  height,
  channels,
});

/** The size of the whole picture at the scale that `fit` asks for. */
function fittedSize(image, { width, height, fit }) {
  if (fit === 'fill') return [width, height];
  const scales = [width / image.width, height / image.height];
  const scale = fit === 'contain' ? min(...scales) : max(...scales);
  return [max(1, round(image.width * scale)), max(1, round(image.height * scale))];
}

/** The picture in a frame: what reaches beyond it is cut off, and the rest of the frame has one color. */
function framed({ data, width, height, channels }, frameWidth, frameHeight, color) {
  const [left, top] = [floor((frameWidth - width) / 2), floor((frameHeight - height) / 2)];
  const framedData = new Uint8Array(frameWidth * frameHeight * channels);
  for (let y = 0; y < frameHeight; y++)
    for (let x = 0; x < frameWidth; x++) {
      const [column, row] = [x - left, y - top];
      const isInside = column >= 0 && column < width && row >= 0 && row < height;
      for (let c = 0; c < channels; c++) {
        const at = (y * frameWidth + x) * channels + c;
        framedData[at] = isInside ? data[(row * width + column) * channels + c] : color[c];
      }
    }
  return { data: framedData, width: frameWidth, height: frameHeight, channels };
}

/** The result of imageToTensor, by the oracles. Gray images have gray backgrounds here. */
function expected(images, options, color = [0, 0, 0, 255]) {
  const { width, height, fit = 'fill', filter, backend, ...numbers } = options;
  const parts = images.map((image) => {
    const premultiply = numbers.channels === 'RGBA' && (backend ?? 'pil') === 'pil';
    const [fitWidth, fitHeight] = fittedSize(image, { width, height, fit });
    const resized = resize(image, { width: fitWidth, height: fitHeight, filter, backend, premultiply });
    return framed(resized, width, height, color);
  });
  return tensorOf(parts, numbers);
}

function expectAsOracle(images, options, color) {
  const { dims, data } = expected(images, options, color);
  const { dtype: type = 'float32' } = options;
  expectTensor(imageToTensor(images.length === 1 ? images[0] : images, options), type, dims, data, options);
}

describe.each([1, 3, 4])('%i channels', (channels) => {
  test.each(['fill', 'contain', 'cover'])('fit %s, from wide and tall to wide and tall', (fit) => {
    for (const [width, height] of lists('[37, 21], [21, 37], [5, 60]'))
      for (const size of [
        { width: 16, height: 16 },
        { width: 9, height: 31 },
        { width: 50, height: 3 },
      ])
        expectAsOracle([pixels(width, height, channels, width)], { ...size, fit });
  });

  test.each([
    ['pil', 'nearest'],
    ['pil', 'box'],
    ['pil', 'bilinear'],
    ['pil', 'hamming'],
    ['pil', undefined],
    ['pil', 'lanczos'],
    ['torchvision', 'nearest'],
    ['torchvision', 'nearest_exact'],
    ['torchvision', undefined],
    ['torchvision', 'bicubic'],
    ['torchvision', 'lanczos'],
  ])('backend %s, filter %s', (backend, filter) => {
    for (const order of ['RGB', 'BGR', 'RGBA', 'L'])
      expectAsOracle([pixels(40, 33, channels)], {
        width: 17,
        height: 19,
        fit: 'cover',
        backend,
        filter,
        channels: order,
      });
  });

  test.each(['NCHW', 'NHWC', 'CHW', 'HWC'])('layout %s in every type', (layout) => {
    for (const type of ['float32', 'float16', 'bfloat16', 'uint8', 'int8'])
      for (const fit of ['fill', 'contain'])
        expectAsOracle(
          [pixels(64, 20, channels)],
          {
            width: 24,
            height: 24,
            fit,
            layout,
            dtype: type,
            scale: 1 / 255,
            mean: [0.1, 0.2, 0.3],
            std: [0.3, 0.2, 0.1],
          },
          [0, 0, 0, 255],
        );
  });
});

test('images of different sizes make a batch', () =>
  expectAsOracle([pixels(31, 20, 3, 1), pixels(8, 90, 4, 2), pixels(24, 24, 1, 3)], {
    width: 24,
    height: 24,
    fit: 'cover',
  }));

// OpenCV rounds the last numbers of a whole row in another way, which shows in few pictures: a cut must not change it.
test.each([
  [30, 14, 3, { width: 40, height: 60 }, [8, 63, 279]],
  [41, 27, 4, { width: 36, height: 33 }, [35, 57, 258]],
])('a cover by OpenCV, %i x %i of %i channels to %j', (width, height, channels, size, seeds) => {
  const options = { ...size, fit: 'cover', filter: 'cubic', backend: 'opencv', dtype: 'uint8' };
  for (const seed of seeds) expectAsOracle([pixels(width, height, channels, seed)], options);
});

test('a cover that only cuts off', () => {
  expectAsOracle([pixels(40, 20, 3)], { width: 10, height: 20, fit: 'cover' });
  expectAsOracle([pixels(20, 41, 4)], { width: 20, height: 11, fit: 'cover' });
});

test('bars are opaque', () => {
  const options = { width: 6, height: 3, fit: 'contain', channels: 'RGBA', dtype: 'uint8' };
  expectAsOracle([pixels(4, 4, 4)], options, [0, 0, 0, 255]);
});

test('one extent follows from the other', () => {
  const image = pixels(30, 20, 3);
  expect(imageToTensor(image, { width: 15 }).dims).toEqual([1, 3, 10, 15]);
  expect(imageToTensor(image, { height: 40 }).dims).toEqual([1, 3, 40, 60]);
});

test('rows with padding', () => {
  const image = { data: randomData('uint8', 20 * 35, 4), width: 11, height: 20, channels: 3, rowstride: 35 };
  expectAsOracle([image], { width: 6, height: 7 });
});

test.each([
  ['#123', [17, 34, 51]],
  ['#0a141E', [10, 20, 30]],
  ['rgb(1, 2, 3)', [1, 2, 3]],
  ['rgb(255 0 128)', [255, 0, 128]],
  ['Fuchsia', [255, 0, 255]],
  [114, [114, 114, 114]],
  lists('[1, 2, 3], [1, 2, 3]'),
])('background %j', (background, color) => {
  const image = pixels(12, 5, 3);
  const options = { width: 10, height: 10, fit: 'contain', dtype: 'uint8' };
  const { dims, data } = expected([image], options, color);
  expectTensor(imageToTensor(image, { ...options, background }), 'uint8', dims, data);
});

const colors =
  'black, silver, gray, white, maroon, red, purple, fuchsia, green, lime, olive, yellow, navy, blue, teal, aqua';

test.each(['', 'rebeccapurple', '#12', '#1234567', 'rgb(256, 0, 0)', 'rgb(1, 2)', 'toString', 'ff0000'])(
  'background %j is no color here',
  (background) => {
    const rule = `background must be #rgb, #rrggbb, rgb(r, g, b) or one of ${colors}, got '${background}'`;
    const call = () => imageToTensor(pixels(2, 2, 3), { width: 4, fit: 'contain', background });
    expectError(call, RangeError, `imageToTensor: ${rule}`);
  },
);

describe('alpha', () => {
  /** A translucent pixel before white: x * a / 255 + 255 - a, rounded as Pillow does, which is to nearest. */
  const onWhite = ({ data, ...rest }) => ({
    ...rest,
    data: data.map((byte, i) => {
      const a = data[i - (i % 4) + 3];
      return i % 4 === 3 ? 255 : floor((byte * a + 255 * (255 - a)) / 255 + 0.5);
    }),
  });
  const image = pixels(33, 17, 4);

  test(`'white' lays the picture on white before it is resized`, () => {
    for (const size of [
      { width: 20, height: 11 },
      { width: 33, height: 17 },
    ]) {
      const { dims, data } = expected([onWhite(image)], { ...size, dtype: 'uint8' });
      expectTensor(imageToTensor(image, { ...size, dtype: 'uint8', alpha: 'white' }), 'uint8', dims, data);
    }
  });

  test(`'white' needs no size, and leaves what is opaque`, () => {
    const { dims, data } = tensorOf([onWhite(image)], {});
    expectTensor(imageToTensor(image, { alpha: 'white' }), 'float32', dims, data);
    const rgb = pixels(4, 4, 3);
    expect(imageToTensor(rgb, { alpha: 'white' })).toEqual(imageToTensor(rgb));
  });

  test('every pair of a color and an alpha on white', () => {
    const pairs = Uint8Array.from({ length: 4 * 2 ** 16 }, (_, i) => (i % 4 === 3 ? (i >> 2) & 255 : i >> 10));
    const all = { data: pairs, width: 256, height: 256, channels: 4 };
    const { dims, data } = tensorOf([onWhite(all)], { dtype: 'uint8' });
    expectTensor(imageToTensor(all, { alpha: 'white', dtype: 'uint8' }), 'uint8', dims, data);
  });

  test(`'drop' is the default: colors do not depend on alpha`, () => {
    const opaque = { ...image, data: image.data.map((byte, i) => (i % 4 === 3 ? 255 : byte)) };
    const size = { width: 9, height: 9 };
    expect(imageToTensor(image, { ...size, alpha: 'drop' })).toEqual(imageToTensor(opaque, size));
  });
});

describe('refuses', () => {
  const filters =
    `'nearest', 'box', 'bilinear', 'hamming', 'bicubic', 'lanczos', 'nearest_exact', 'linear', ` +
    `'linear_exact', 'area', 'cubic', 'lanczos4' or 'canvas'`;
  const [pil, torchvision] = ['box, bilinear, hamming, bicubic, lanczos', 'nearest_exact, bilinear, bicubic, lanczos'];
  refuses('imageToTensor', (options) => imageToTensor(pixels(3, 3, 3), options), {
    [`RangeError: filter must be ${filters}, got 'mitchell'`]: [{ width: 4, filter: 'mitchell' }],
    [`TypeError: filter must be ${filters}, got 3`]: [{ width: 4, filter: 3 }],
    "RangeError: backend must be 'pil', 'torchvision' or 'opencv', got 'cv2'": [{ width: 4, backend: 'cv2' }],
    [`RangeError: filter of backend 'torchvision' must be one of nearest, ${torchvision}, got 'hamming'`]: () =>
      imageToTensor(pixels(3, 3, 3), { width: 4, filter: 'hamming', backend: 'torchvision' }),
    [`RangeError: filter of backend 'pil' must be one of nearest, ${pil}, got 'nearest_exact'`]: () =>
      imageToTensor(pixels(3, 3, 3), { width: 4, filter: 'nearest_exact' }),
    'TypeError: filter needs width or height': [{ filter: 'box' }],
    'TypeError: backend needs width or height': [{ backend: 'pil' }],
    "RangeError: alpha must be 'drop' or 'white', got 'straight'": [{ alpha: 'straight' }],
    'RangeError: resizing takes at most 65536 pixels a side, got 1 x 65537': [{ width: 1, height: 65537 }],
    'RangeError: resizing takes at most 65536 pixels a side, got 65537 x 65537': [{ width: 65537 }],
  });

  test('an out that overlaps, before anything is written', () => {
    const memory = new Uint8Array(48);
    const image = { data: memory.subarray(0, 12), width: 2, height: 2, channels: 3 };
    const out = { type: 'uint8', data: memory.subarray(8, 44), dims: [1, 3, 3, 4] };
    expectErrors({
      'RangeError: imageToTensor: out must not overlap image': () =>
        imageToTensor(image, { width: 4, height: 3, dtype: 'uint8', out }),
    });
    expect(memory.every((byte) => byte === 0)).toBe(true);
  });
});
