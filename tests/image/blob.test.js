/** blobFromImage, copyMakeBorder and toGray: against what OpenCV made, and against an oracle that makes the same. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { blobFromImage, copyMakeBorder, imageToTensor, init, toGray } from 'onnx-layout/image';
import { expectError } from '../support/assertions.js';
import { hashOf, recordOf } from '../support/goldens.js';
import { openCvGoldens, readInput } from '../support/opencv-goldens.js';
import { commitHash } from '../support/sample.js';
import { below, generator, randomData } from '../support/samples.js';
import { blobOf, gray, padded } from './letterbox.reference.js';
import { cvResize } from './resizing/opencv-resize.reference.js';
import { lists } from '../support/tables.js';

beforeAll(() => init());

const picture = (width, height, channels, seed = 7) => ({
  data: randomData('uint8', width * height * channels, seed),
  width,
  height,
  channels,
});

const firstSeed = Number.parseInt(commitHash().slice(0, 8), 16);

describe('OpenCV', () => {
  test('there are 51 goldens', () =>
    expect(['blob', 'border', 'gray'].map((kind) => openCvGoldens(kind).length)).toEqual([40, 8, 3]));

  test.each(openCvGoldens('blob').map((golden) => [`${golden.id}: ${JSON.stringify(golden.options)}`, golden]))(
    '%s',
    (_, { input, options, output }) => {
      const source = readInput(input);
      expect(recordOf('float32', output.dims, blobOf(source, options), output)).toEqual(output);
      const { type, dims, data } = blobFromImage(source, options);
      expect(recordOf(type, dims, data, output)).toEqual(output);
    },
  );

  test.each(openCvGoldens('border').map((golden) => [`${golden.id}: ${JSON.stringify(golden.options)}`, golden]))(
    '%s',
    (_, { input, options: { kind: border, value: color, ...bars }, output }) => {
      const source = readInput(input);
      for (const call of [padded, copyMakeBorder])
        expect(
          recordOf('uint8', output.dims, call(source, { ...bars, border, background: color }).data, output),
        ).toEqual(output);
    },
  );

  test.each(openCvGoldens('gray').map((golden) => [golden.id, golden]))('%s', (_, { input, output }) => {
    const source = readInput(input);
    expect(recordOf('uint8', output.dims, gray(source).data, output)).toEqual(output);
    const { data, ...rest } = toGray(source, { backend: 'opencv' });
    expect(rest).toEqual({ width: output.dims[1], height: output.dims[0], channels: 1 });
    expect(recordOf('uint8', output.dims, data, output)).toEqual(output);
  });
});

describe('blobFromImage', () => {
  test('300 calls at random', () => {
    for (let seed = firstSeed; seed < firstSeed + 300; seed++) {
      const random = generator(seed);
      const one = (list) => list[below(random, list.length)];
      const channels = one([1, 3, 4]);
      const image = picture(1 + below(random, 60), 1 + below(random, 60), channels, seed);
      const options = {
        scalefactor: one([1, 1 / 255, 1 / 128, 0.017, -2]),
        mean: one([0, 127.5, [104, 117, 123].slice(0, channels), [1.1]]),
        swapRB: below(random, 2) === 0,
        crop: below(random, 2) === 0,
      };
      if (below(random, 4) > 0) {
        // OpenCV crops to what the picture covers alone.
        Object.assign(options, { width: 1 + below(random, 60), height: 1 + below(random, 60) });
      }
      const { dims, data } = blobFromImage(image, options);
      const size = [options.height ?? image.height, options.width ?? image.width];
      const what = `seed ${seed}: ${JSON.stringify(options)}`;
      expect([what, dims]).toEqual([what, [1, channels, ...size]]);
      expect([what, hashOf(data)]).toEqual([what, hashOf(blobOf(image, options))]);
    }
  });

  test('a batch has the size of its first image, in memory of its own or in out', () => {
    const images = [picture(9, 5, 3), picture(20, 30, 3, 8)];
    const options = { mean: [1, 2, 3], scalefactor: 0.1 };
    const { dims, data } = blobFromImage(images, options);
    const parts = images.map((image) => [...blobOf(image, { ...options, width: 9, height: 5 })]);
    expect([dims, [...data]]).toEqual([[2, 3, 5, 9], parts.flat()]);
    const out = { type: 'float32', data: new Float32Array(270), dims: [2, 3, 5, 9] };
    expect(blobFromImage(images, { ...options, out }).data).toBe(out.data);
    expect(out.data).toEqual(data);
  });

  test('the factor of a crop is float32: 9 rows times 5 / 6 are 7', () => {
    const image = picture(6, 9, 3);
    const options = { width: 5, height: 6, crop: true };
    expect([...blobFromImage(image, options).data]).toEqual([...blobOf(image, options)]);
  });

  test('bytes', () => {
    const image = picture(5, 4, 4);
    const { type, data } = blobFromImage(image, { dtype: 'uint8', swapRB: true });
    expect([type, [...data]]).toEqual(['uint8', [...blobOf(image, { swapRB: true })]]);
  });

  const image = picture(4, 4, 3);
  test.each([
    [[[]], RangeError, 'image must hold at least one image, got []'],
    [[image, { width: 3 }], TypeError, 'height must be a number or a bigint, got undefined'],
    [[image, { scalefactor: '1' }], TypeError, `scalefactor must be a number, got '1'`],
    [[image, { scalefactor: Infinity }], RangeError, 'scalefactor must be finite in float32, got Infinity'],
    [[image, { mean: '1' }], TypeError, `mean must be a number or a list of numbers, got '1'`],
    [[image, { mean: [1, 2, 3, 4, 5] }], RangeError, 'mean must hold at most 4 numbers, got [1, 2, 3, 4, 5]'],
    [[image, { dtype: 'uint8', mean: 1 }], RangeError, `dtype 'uint8' must have scalefactor 1 and mean 0`],
    [[image, { dtype: 'uint8', scalefactor: 2 }], RangeError, `dtype 'uint8' must have scalefactor 1 and mean 0`],
    [[image, { dtype: 'float16' }], RangeError, `dtype must be 'float32' or 'uint8', got 'float16'`],
    [[[image, picture(4, 4, 1)]], RangeError, `image[1] channels must be 3 as the first image's, got 1`],
    [
      [picture(1, 9, 1), { width: 60000, height: 2, crop: true }],
      RangeError,
      'resized image height must be at most 65536, got 540000',
    ],
    [[5], TypeError, 'image must be an image { data, width, height }, got 5'],
  ])('refuses %j', (args, Class, rule) => expectError(() => blobFromImage(...args), Class, `blobFromImage: ${rule}`));

  test('refuses an out that overlaps, before anything is written', () => {
    const memory = new Uint8Array(60);
    const overlapping = { data: memory.subarray(0, 12), width: 2, height: 2 };
    const out = { type: 'uint8', data: memory.subarray(11, 23), dims: [1, 3, 2, 2] };
    const rule = 'blobFromImage: out must not overlap image';
    expectError(() => blobFromImage(overlapping, { dtype: 'uint8', out }), RangeError, rule);
    expect(memory.every((byte) => byte === 0)).toBe(true);
  });
});

describe('copyMakeBorder', () => {
  const borders = ['constant', 'replicate', 'reflect', 'reflect101', 'wrap'];
  test.each(borders)('%s, bars longer than the picture too, and into out', (border) => {
    for (const [width, height, channels] of lists('[1, 1, 1], [1, 4, 3], [2, 3, 4], [5, 2, 3], [7, 7, 1]')) {
      const image = picture(width, height, channels);
      for (const bars of [
        {},
        { top: 1, left: 2 },
        { bottom: 3, right: 1 },
        { top: 9, bottom: 17, left: 20, right: 11 },
      ]) {
        const options = { ...bars, border, ...(border === 'constant' && { background: 77 }) };
        const expected = padded(image, options);
        expect(copyMakeBorder(image, options)).toEqual(expected);
        const rowstride = expected.width * channels + 3;
        const data = new Uint8Array(rowstride * expected.height).fill(9);
        expect(copyMakeBorder(image, { ...options, out: { ...expected, data, rowstride } }).data).toBe(data);
        const rows = Array.from({ length: expected.height }, (_, y) => [
          ...expected.data.subarray(y * (rowstride - 3), (y + 1) * (rowstride - 3)),
          ...[9, 9, 9],
        ]);
        expect([...data]).toEqual(rows.flat());
      }
    }
  });

  const image = picture(4, 4, 3);
  test.each([
    [{ top: -1 }, RangeError, 'top must be from 0 to 65536, got -1'],
    [{ left: 1.5 }, RangeError, 'left must be a whole number, got 1.5'],
    [{ right: 2 ** 20 }, RangeError, 'right must be from 0 to 65536, got 1048576'],
    [
      { border: 'mirror' },
      RangeError,
      `border must be 'constant', 'replicate', 'reflect', 'reflect101' or 'wrap', got 'mirror'`,
    ],
    [{ background: [1] }, RangeError, 'background must hold 3 bytes, one for each channel, got [1]'],
    [{ top: 1, out: image }, RangeError, 'out must have 4 x 5 pixels, got 4 x 4'],
    [{ out: image }, RangeError, 'out must not overlap image'],
  ])('refuses %j', (options, Class, rule) => {
    const before = image.data.slice();
    expectError(() => copyMakeBorder(image, options), Class, `copyMakeBorder: ${rule}`);
    expect(image.data).toEqual(before);
  });
});

describe('gray', () => {
  test.each([1, 3, 4])('of %i channels by both rules, as pixels and as a tensor', (channels) => {
    const image = picture(137, 123, channels);
    const opencv = gray(image).data;
    expect(toGray(image, { backend: 'opencv' }).data).toEqual(opencv);
    const bytes = { channels: 'L', dtype: 'uint8' };
    expect(imageToTensor(image, { ...bytes, backend: 'opencv' }).data).toEqual(opencv);
    const pillow = imageToTensor(image, bytes).data;
    expect(toGray(image).data).toEqual(pillow);
    expect(toGray(image, { backend: 'pil' }).data).toEqual(pillow);
    if (channels > 1) expect(pillow).not.toEqual(opencv);
    const small = imageToTensor(image, { ...bytes, backend: 'opencv', width: 11, height: 9 }).data;
    expect(small).toEqual(gray(cvResize(image, 11, 9)).data);
  });

  test.each([
    [{ backend: 'torchvision' }, RangeError, `backend must be 'pil' or 'opencv', got 'torchvision'`],
    [{ back: 'pil' }, TypeError, `unknown option 'back'. Known: backend`],
  ])('refuses %j', (options, Class, rule) =>
    expectError(() => toGray(picture(2, 2, 3), options), Class, `toGray: ${rule}`),
  );
});

test('a border has up to 65536 pixels', () => {
  const { width, data } = copyMakeBorder({ data: Uint8Array.of(7), width: 1, height: 1 }, { left: 65536 });
  expect([width, data.indexOf(7)]).toEqual([65537, 65536]);
});
