/** letterbox and unletterbox: against Ultralytics' results, and against an oracle that makes the same. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { imageToTensor, init, letterbox, letterboxGeometry, unletterbox } from 'onnx-layout/image';
import { expectError, expectTensor, expectErrors, refuses } from '../support/assertions.js';
import { recordOf } from '../support/goldens.js';
import { openCvGoldens, readInput } from '../support/opencv-goldens.js';
import { commitHash } from '../support/sample.js';
import { below, generator, randomData } from '../support/samples.js';
import { tensorOf } from './image.reference.js';
import { letterboxOf } from './letterbox.reference.js';
import { openCvFilters } from './resizing/resize-cases.js';

beforeAll(() => init());

const picture = (width, height, channels, seed = 7) => ({
  data: randomData('uint8', width * height * channels, seed),
  width,
  height,
  channels,
});

describe('Ultralytics', () => {
  const goldens = openCvGoldens('letterbox');

  test('there are 76 goldens', () => expect(goldens.length).toBe(76));

  test.each(goldens.map((golden) => [`${golden.id}: ${JSON.stringify(golden.options)}`, golden]))(
    '%s',
    (_, { input, options: { color: background, ...others }, output, resized, scale, left, top }) => {
      const options = { ...others, background };
      const source = readInput(input);
      const expected = { scale, left, top, resized: { width: resized[0], height: resized[1] } };
      for (const { data, ...rest } of [letterbox(source, options), letterboxOf(source, options)]) {
        expect(recordOf('uint8', output.dims, data, output)).toEqual(output);
        expect(rest).toMatchObject({ ...expected, height: output.dims[0], width: output.dims[1] });
      }
      expect(letterboxGeometry(source, options)).toMatchObject(expected);
    },
  );
});

/** At the speed of memcmp. */
const isSame = (a, b) => Buffer.from(a.buffer, a.byteOffset, a.byteLength).equals(b);

/** Options at random, and a picture for them. */
function randomCase(seed) {
  const random = generator(seed);
  const one = (list) => list[below(random, list.length)];
  const channels = one([1, 3, 4]);
  const image = picture(1 + below(random, 90), 1 + below(random, 90), channels, seed);
  const options = { width: 1 + below(random, 100), height: 1 + below(random, 100) };
  const may = (name, values) => {
    if (below(random, 3) === 0) options[name] = one(values);
  };
  may('auto', [true, false]);
  may('stride', [1, 7, 16, 64]);
  may('scaleFill', [true, false]);
  may('scaleup', [false, true]);
  may('center', [false, true]);
  may('background', [0, 255, 17, null, Array.from({ length: channels }, (_, c) => 40 + c)]);
  may('filter', openCvFilters);
  may('rounding', ['round', 'floor', 'aspect', 'ceil']);
  return { image, options };
}

const firstSeed = Number.parseInt(commitHash().slice(0, 8), 16);

test('500 letterboxes at random, with memory of their own and into out', () => {
  for (let seed = firstSeed; seed < firstSeed + 500; seed++) {
    const { image, options } = randomCase(seed);
    const what = `randomCase(${seed}): ${JSON.stringify(options)}`;
    const expected = letterboxOf(image, options);
    const { data: made, ...rest } = letterbox(image, options);
    const { data: expectedData, ...expectedRest } = expected;
    expect([what, rest, isSame(made, expectedData)]).toEqual([what, expectedRest, true]);
    const { width, height, channels } = expected;
    const memory = new Uint8Array((width * channels + 5) * height + 8).fill(9);
    const rowstride = width * channels + 5;
    const data = memory.subarray(4, 4 + rowstride * height);
    const into = letterbox(image, { ...options, out: { data, width, height, channels, rowstride } });
    expect(into.data).toBe(data);
    const expectedMemory = new Uint8Array(memory.length).fill(9);
    for (let y = 0; y < height; y++)
      expectedMemory.set(expected.data.subarray(y * width * channels, (y + 1) * width * channels), 4 + y * rowstride);
    expect([what, isSame(memory, expectedMemory)]).toEqual([what, true]);
  }
});

test('200 tensors of letterboxes at random', () => {
  for (let seed = firstSeed; seed < firstSeed + 200; seed++) {
    const { image, options } = randomCase(seed);
    delete options.background;
    const order = ['RGB', 'BGR', 'RGBA'][seed % 3];
    const type = ['float32', 'float16', 'uint8'][(seed % 5) % 3];
    const layout = ['NCHW', 'NHWC'][(seed % 7) % 2];
    // Where alpha is dropped, three channels count.
    const kept = order === 'RGBA' || image.channels < 4 ? image : withoutAlpha(image);
    const numbers = { channels: order, dtype: type, layout, std: 255 };
    const { dims, data } = tensorOf([letterboxOf(kept, options)], numbers);
    expectTensor(imageToTensor(image, { letterbox: options, ...numbers }), type, dims, data, { seed, options });
  }
});

const withoutAlpha = ({ data, width, height }) => ({
  data: data.filter((_, i) => i % 4 !== 3),
  width,
  height,
  channels: 3,
});

test('a color of red, green and blue in a tensor; null is 0 behind the numbers', () => {
  const image = picture(4, 2, 3);
  const options = { channels: 'BGR', layout: 'HWC', mean: 1 };
  const box = { width: 4, height: 4 };
  for (const background of [[5, 6, 7], '#050607']) {
    const colored = imageToTensor(image, { ...options, letterbox: { ...box, background } });
    expect([...colored.data.slice(0, 3)]).toEqual([6, 5, 4]);
  }
  const out = { type: 'float32', data: new Float32Array(48).fill(3), dims: [4, 4, 3] };
  const plain = imageToTensor(image, { ...options, out, letterbox: { ...box, background: null } });
  expect([...plain.data.slice(0, 12)]).toEqual(new Array(12).fill(0));
  expect(plain.data[12]).toBe(image.data[2] - 1);
});

test.each([
  [1, 'red', [76]],
  [3, 'red', [255, 0, 0]],
  [4, '#010203', [1, 2, 3, 255]],
  [4, 9, [9, 9, 9, 9]],
])('bars around %i channels, of %j', (channels, background, pixel) => {
  const { data } = letterbox(picture(4, 2, channels), { width: 4, height: 4, background });
  expect([...data.slice(0, channels)]).toEqual(pixel);
  expect([...data.slice(-channels)]).toEqual(pixel);
});

describe('unletterbox', () => {
  const { fround } = Math;

  test.each([
    [1280, 720, { width: 640, height: 640 }],
    [333, 517, { width: 640, height: 480, auto: true }],
    [90, 40, { width: 300, height: 200, scaleup: false }],
    [500, 100, { width: 64, height: 64, scaleFill: true }],
    [50, 170, { width: 320, height: 320, center: false }],
  ])('takes the corners of a picture of %i x %i back: %j', (width, height, options) => {
    const geometry = letterboxGeometry({ width, height }, options);
    const { left, top, resized } = geometry;
    const corners = unletterbox([left, top, left + resized.width, top + resized.height], geometry);
    [0, 0, width, height].forEach((edge, i) => expect(Math.abs(corners[i] - edge)).toBeLessThan(width / resized.width));
  });

  const goldens = JSON.parse(readFileSync(new URL('ultralytics-goldens.json', import.meta.url), 'utf8'));
  const sized = ([width, height]) => ({ width, height });

  test('91 calls of scale_boxes and scale_coords', () => {
    expect(goldens.boxes.length).toBe(91);
    for (const { letterbox: box, source, center, format, given, made } of goldens.boxes) {
      const geometry = letterboxGeometry(sized(source), { ...sized(box), center });
      const what = { box, source, center, format };
      expect({ ...what, made: unletterbox(given, geometry, { format }) }).toEqual({
        ...what,
        made: Float32Array.from(made),
      });
    }
  });

  test('124 windows of scale_masks', () => {
    expect(goldens.masks.length).toBe(124);
    for (const { size, source, center, window } of goldens.masks) {
      const geometry = letterboxGeometry(sized(source), { width: 640, height: 640, center });
      const { x, y, width, height } = unletterbox(sized(size), geometry);
      expect({ size, source, center, window: [x, y, width, height] }).toEqual({ size, source, center, window });
    }
  });

  test('both axes by the scale of YOLOX and InsightFace, each by its own where they are stretched', () => {
    const size = { width: 640, height: 640 };
    for (const rounding of ['floor', 'aspect']) {
      const { scale, scaleX, scaleY } = letterboxGeometry({ width: 1333, height: 800 }, { ...size, rounding });
      expect([scaleX, scaleY]).toEqual([scale, scale]);
      const stretched = letterboxGeometry({ width: 1333, height: 800 }, { ...size, rounding, scaleFill: true });
      expect(stretched).toMatchObject({ scaleX: 640 / 1333, scaleY: 0.8 });
    }
  });

  test('divides in float32, and moves boxes into the picture', () => {
    const geometry = letterboxGeometry({ width: 810, height: 1080 }, { width: 640, height: 640 });
    const { left, top, scale } = geometry;
    const random = generator(5);
    const numbers = Float32Array.from({ length: 600 }, () => (below(random, 9000) - 1000) / 11);
    const back = (x, bar, most) => Math.min(Math.max(fround(fround(x - bar) / fround(scale)), 0), most);
    const expected = numbers.map((x, i) => {
      const column = i % 6;
      if (column > 3) return x;
      return column % 2 === 0 ? back(x, left, 810) : back(x, top, 1080);
    });
    expect(unletterbox(numbers, geometry, { columns: 6 })).toEqual(expected);
  });

  test('leaves widths and heights of xywh without bars and edges', () => {
    const geometry = letterboxGeometry({ width: 100, height: 50 }, { width: 200, height: 200 });
    expect(unletterbox([-10, 50, 40, 60], geometry, { format: 'xywh' })).toEqual(Float32Array.of(-5, 0, 20, 30));
    expect(unletterbox([0, 50, 500, 500], geometry, { format: 'points' })).toEqual(Float32Array.of(0, 0, 100, 50));
    const keypoints = unletterbox([20, 70, 0.5], geometry, { format: 'points', columns: 3 });
    expect(keypoints).toEqual(Float32Array.of(10, 10, 0.5));
    expect(unletterbox([], geometry)).toEqual(new Float32Array(0));
    const rule = 'unletterbox: boxes must have 0 to 1000000 entries, got 1000001';
    expectError(() => unletterbox(new Array(1e6 + 1), geometry), RangeError, rule);
  });

  test('a geometry that does not say whether it is centered is', () => {
    const { center, ...geometry } = letterboxGeometry({ width: 100, height: 50 }, { width: 200, height: 200 });
    expect(center).toBe(true);
    expect(unletterbox({ width: 20, height: 20 }, geometry)).toEqual({ x: 0, y: 5, width: 20, height: 10 });
  });

  test.each([
    [1280, 720, { width: 640, height: 640 }, 160, 160, { x: 0, y: 35, width: 160, height: 90 }],
    [810, 1080, { width: 480, height: 640 }, 160, 120, { x: 35, y: 0, width: 90, height: 120 }],
    [1000, 333, { width: 640, height: 640, center: false }, 160, 160, { x: 0, y: 0, width: 160, height: 53 }],
    [427, 640, { width: 640, height: 640 }, 160, 160, { x: 26, y: 0, width: 107, height: 160 }],
  ])('a mask of a picture of %i x %i, %j', (width, height, options, maskWidth, maskHeight, expected) => {
    const geometry = letterboxGeometry({ width, height }, options);
    expect(unletterbox({ width: maskWidth, height: maskHeight }, geometry)).toEqual(expected);
  });
});

describe('refuses', () => {
  const box = { width: 8, height: 6 };
  const image = picture(4, 4, 3);
  test.each([
    [{}, TypeError, 'width must be a number or a bigint, got undefined'],
    [{ width: 8 }, TypeError, 'height must be a number or a bigint, got undefined'],
    [{ ...box, width: 65537 }, RangeError, 'width must be at most 65536, got 65537'],
    [{ ...box, stride: 0 }, RangeError, 'stride must be at least 1, got 0'],
    [{ ...box, auto: 2 }, RangeError, 'auto must be 0 or 1, got 2'],
    [{ ...box, background: 256 }, RangeError, 'background must be from 0 to 255, got 256'],
    [{ ...box, background: [0, -1, 0] }, RangeError, 'background must be from 0 to 255, got [0, -1, 0]'],
    [{ ...box, background: {} }, TypeError, 'background must be a byte, a list of bytes or a CSS color, got an object'],
    [{ ...box, background: [1, 2] }, RangeError, 'background must hold 3 bytes, one for each channel, got [1, 2]'],
    [{ ...box, filter: 'bilinear' }, RangeError, /^letterbox: filter must be 'nearest', .* got 'bilinear'$/],
    [{ ...box, rounding: 'up' }, RangeError, `rounding must be 'round', 'floor', 'aspect' or 'ceil', got 'up'`],
    [{ ...box, fit: 'fill' }, TypeError, /^letterbox: unknown option 'fit'/],
    [{ ...box, out: image }, RangeError, 'out must have 8 x 6 pixels, got 4 x 4'],
    [{ ...box, out: picture(8, 6, 4) }, RangeError, `out channels must be 3 as the image's, got 4`],
  ])('%j', (options, Class, rule) => {
    const before = options.out?.data.slice();
    if (typeof rule === 'string') expectError(() => letterbox(image, options), Class, `letterbox: ${rule}`);
    else expect(() => letterbox(image, options)).toThrow(rule);
    expect(options.out?.data).toEqual(before);
  });

  refuses('imageToTensor', (options) => imageToTensor(image, options), {
    'TypeError: width cannot stand beside letterbox, got 5': [{ letterbox: box, width: 5 }],
    "TypeError: backend cannot stand beside letterbox, got 'pil'": [{ letterbox: box, backend: 'pil' }],
    'RangeError: letterbox: background must hold 3 bytes, for red, green and blue, got [1, 2]': () =>
      imageToTensor(image, { letterbox: { ...box, background: [1, 2] } }),
    'RangeError: letterbox: width must be at least 1, got 0': [{ letterbox: { ...box, width: 0 } }],
  });

  test('a picture that is too long', () => {
    const long = { data: new Uint8Array(65537), width: 65537, height: 1 };
    const rule = 'letterbox: image width must be at most 65536, got 65537';
    expectError(() => letterbox(long, box), RangeError, rule);
  });

  test('images whose letterboxes differ', () => {
    const letterboxing = { width: 64, height: 64, auto: true };
    expectErrors({
      'RangeError: imageToTensor: image[1] must have 64 x 64 pixels as the first, got 64 x 32': () =>
        imageToTensor([picture(64, 64, 3), picture(64, 20, 3)], { letterbox: letterboxing }),
    });
  });

  const geometry = letterboxGeometry(image, box);
  test.each([
    [[[1, 2, 3], geometry], RangeError, 'boxes must have whole rows of 4 numbers, got 3'],
    [[['1', 2, 3, 4], geometry], TypeError, `boxes must hold numbers, got '1'`],
    ...[[[1, 2, 3, 4]], [Float32Array.of(1, 2, 3, 4)]].map((rows) => [
      [rows, geometry],
      TypeError,
      'boxes must be numbers, row after row, got a list of rows',
    ]),
    [[5, geometry], TypeError, 'boxes must be a size { width, height }, got 5'],
    [[[], undefined], TypeError, 'geometry must be what letterbox returns, got undefined'],
    [[[], { ...geometry, left: '1' }], TypeError, `geometry left must be a number, got '1'`],
    [[[], { ...geometry, top: NaN }], RangeError, 'geometry top must be finite, got NaN'],
    [[[], { ...geometry, scaleY: Infinity }], RangeError, 'geometry scaleY must be finite, got Infinity'],
    [[[], { ...geometry, source: 5 }], TypeError, 'geometry source must be a size { width, height }, got 5'],
    [[{ width: 0, height: 4 }, geometry], RangeError, 'boxes width must be at least 1, got 0'],
    [[BigInt64Array.of(1n, 2n, 3n, 4n), geometry], TypeError, 'boxes must hold numbers, got 1'],
    [[[], { ...geometry, scaleX: 0 }], RangeError, 'geometry scaleX must be above 0, got 0'],
    [[[], geometry, { columns: 3 }], RangeError, `columns must be at least 4 for 'xyxy', got 3`],
    [[[], geometry, { format: 'yolo' }], RangeError, `format must be 'xyxy', 'xywh' or 'points', got 'yolo'`],
  ])('unletterbox(%j)', (args, Class, rule) => expectError(() => unletterbox(...args), Class, `unletterbox: ${rule}`));
});
