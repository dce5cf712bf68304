/** Refusals of resize, thumbnail and crop: whole messages, nothing written, and a call afterwards that works. */
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { crop, init, resize, thumbnail } from 'onnx-layout/image';
import { expectError } from '../../support/assertions.js';

beforeAll(() => init());

const bytes = Uint8Array.from({ length: 60 }, (_, i) => i * i);
const rgb = (changes) => ({ data: bytes.slice(), width: 5, height: 4, channels: 3, ...changes });
const size = { width: 2, height: 3 };
const expected = resize.bind(undefined, rgb(), size);

afterEach(() => expect(expected().data.length).toBe(18));

describe('options', () => {
  const known = 'width, height, filter, backend, box, reducingGap, antialias, premultiply, …';
  const pil = `must be one of nearest, box, bilinear, hamming, bicubic, lanczos`;
  const torchvision = `must be one of nearest, nearest_exact, bilinear, bicubic, lanczos`;
  const opencv = `must be one of nearest, nearest_exact, linear, linear_exact, area, cubic, lanczos4`;
  const filters =
    `'nearest', 'box', 'bilinear', 'hamming', 'bicubic', 'lanczos', 'nearest_exact', ` +
    `'linear', 'linear_exact', 'area', 'cubic' or 'lanczos4'`;
  test.each([
    [{ width: undefined }, TypeError, 'width must be a number or a bigint, got undefined'],
    [{ height: '3' }, TypeError, `height must be a number or a bigint, got '3'`],
    [{ width: 0 }, RangeError, 'width must be at least 1, got 0'],
    [{ height: -1 }, RangeError, 'height must be at least 1, got -1'],
    [{ width: 1.5 }, RangeError, 'width must be a whole number, got 1.5'],
    [{ width: NaN }, RangeError, 'width must be a whole number, got NaN'],
    [{ width: 65537 }, RangeError, 'width must be at most 65536, got 65537'],
    [{ height: 2n ** 70n }, RangeError, 'height must fit int64, got 1180591620717411303424'],
    [{ filter: 'trilinear' }, RangeError, `filter must be ${filters}, got 'trilinear'`],
    [{ filter: 'linear' }, RangeError, `filter of backend 'pil' ${pil}, got 'linear'`],
    [{ filter: 2 }, TypeError, `filter must be ${filters}, got 2`],
    [{ filter: 'canvas' }, RangeError, `filter must be ${filters}, got 'canvas'`],
    [{ filter: 'nearest_exact' }, RangeError, `filter of backend 'pil' ${pil}, got 'nearest_exact'`],
    [
      { filter: 'box', backend: 'torchvision' },
      RangeError,
      `filter of backend 'torchvision' ${torchvision}, got 'box'`,
    ],
    [{ filter: 'bilinear', backend: 'opencv' }, RangeError, `filter of backend 'opencv' ${opencv}, got 'bilinear'`],
    [{ backend: 'cv2' }, RangeError, `backend must be 'pil', 'torchvision' or 'opencv', got 'cv2'`],
    [{ box: [0, 0, 5, 4], backend: 'opencv' }, TypeError, `box needs backend 'pil', got backend 'opencv'`],
    [{ reducingGap: 2, backend: 'opencv' }, TypeError, `reducingGap needs backend 'pil', got backend 'opencv'`],
    [{ antialias: false, backend: 'opencv' }, RangeError, `antialias of backend 'opencv' must be true, got false`],
    [{ premultiply: true, backend: 'opencv' }, RangeError, `premultiply of backend 'opencv' must be false, got true`],
    [{ box: [0, 0, 5, 4], backend: 'torchvision' }, TypeError, `box needs backend 'pil', got backend 'torchvision'`],
    [
      { reducingGap: 2, backend: 'torchvision' },
      TypeError,
      `reducingGap needs backend 'pil', got backend 'torchvision'`,
    ],
    [{ antialias: false }, RangeError, `antialias of backend 'pil' must be true, got false`],
    [
      { antialias: false, backend: 'torchvision', filter: 'lanczos' },
      RangeError,
      `antialias of filter 'lanczos' must be true, got false`,
    ],
    [{ antialias: 2 }, RangeError, 'antialias must be 0 or 1, got 2'],
    [{ premultiply: 'white' }, TypeError, `premultiply must be 0 or 1, got 'white'`],
    [
      { premultiply: true, backend: 'torchvision' },
      RangeError,
      `premultiply of backend 'torchvision' must be false, got true`,
    ],
    [{ reducingGap: 0.99 }, RangeError, 'reducingGap must be at least 1, got 0.99'],
    [{ reducingGap: NaN }, RangeError, 'reducingGap must be at least 1, got NaN'],
    [{ reducingGap: '2' }, TypeError, `reducingGap must be a number, got '2'`],
    [{ box: 5 }, TypeError, 'box must be [left, top, right, bottom], got 5'],
    [{ box: [0, 0, 5] }, RangeError, 'box must hold 4 numbers, got [0, 0, 5]'],
    [{ box: [0, 0, 5, '4'] }, TypeError, `box must hold numbers, got [0, 0, 5, '4']`],
    [{ box: [0, 0, 5.1, 4] }, RangeError, 'box must lie within 5 x 4 pixels, got [0, 0, 5.1, 4]'],
    [{ box: [0, 0, 5, 4.1] }, RangeError, 'box must lie within 5 x 4 pixels, got [0, 0, 5, 4.1]'],
    [{ box: [-1, 0, 5, 4] }, RangeError, 'box must lie within 5 x 4 pixels, got [-1, 0, 5, 4]'],
    [{ box: [0, NaN, 5, 4] }, RangeError, 'box must lie within 5 x 4 pixels, got [0, NaN, 5, 4]'],
    [{ box: [3, 0, 2, 4] }, RangeError, 'box must not end before it begins, got [3, 0, 2, 4]'],
    [{ filtr: 'box' }, TypeError, `unknown option 'filtr', did you mean 'filter'? Known: ${known}`],
  ])('%j', (options, Class, message) => {
    const out = rgb({ data: new Uint8Array(18), ...size });
    expectError(() => resize(rgb(), { ...size, ...options, out }), Class, `resize: ${message}`);
    expect(out.data.every((byte) => byte === 0)).toBe(true);
  });

  test.each([
    [{ ...size, width: 0 }, RangeError, 'width must be at least 1, got 0'],
    [{ ...size, filter: 'nearest_exact' }, RangeError, `filter of backend 'pil' ${pil}, got 'nearest_exact'`],
    [{ ...size, reducingGap: 0 }, RangeError, 'reducingGap must be at least 1, got 0'],
    [{ ...size, box: [0, 0, 1, 1] }, TypeError, `unknown option 'box'. Known: width, height, filter, reducingGap`],
  ])('thumbnail by %j', (options, Class, message) =>
    expectError(() => thumbnail(rgb(), options), Class, `thumbnail: ${message}`),
  );
});

describe('images', () => {
  const classes = 'Uint8Array, Uint8ClampedArray or Float32Array';
  const takers = {
    resize: (image) => resize(image, size),
    thumbnail: (image) => thumbnail(image, size),
    crop: (image) => crop(image, { box: [1, 1, 5, 4] }),
  };
  test.each([
    [rgb({ data: new Int8Array(60) }), TypeError, `data must be a ${classes}, got Int8Array`],
    [rgb({ channels: 5 }), RangeError, 'channels must be 1, 2, 3 or 4, got 5'],
    [rgb({ channels: '3' }), TypeError, `channels must be 1, 2, 3 or 4, got '3'`],
    [rgb({ data: new Float32Array(20) }), RangeError, 'channels must be 1, got 3'],
    [rgb({ channels: undefined, width: 7 }), RangeError, 'data of 7 x 4 pixels has 28, 56, 84 or 112 bytes, got 60'],
    [rgb({ channels: 4 }), RangeError, 'data of 5 x 4 pixels has 80 bytes, got 60'],
    [rgb({ rowstride: 14 }), RangeError, 'rowstride must be at least 15, got 14'],
    [rgb({ rowstride: 16 }), RangeError, 'data of 5 x 4 pixels has 64 bytes, got 60'],
    [
      rgb({ data: new Float32Array(20), channels: 1, rowstride: 21 }),
      RangeError,
      'rowstride must be a multiple of 4, got 21',
    ],
    [{ data: new Float32Array(19), width: 5, height: 4 }, RangeError, 'data of 5 x 4 pixels has 80 bytes, got 76'],
    [rgb({ height: 0 }), RangeError, 'height must be at least 1, got 0'],
    [undefined, TypeError, 'must be an image { data, width, height }, got undefined'],
    [bytes, TypeError, 'must be an image { data, width, height }, got Uint8Array'],
  ])('image #%#', (image, Class, rule) => {
    const subject = rule.startsWith('must') ? 'image' : 'image ';
    for (const [name, call] of Object.entries(takers))
      expectError(() => call(image), Class, `${name}: ${subject.trim()} ${rule}`);
  });

  test('resize and thumbnail take at most 65536 pixels a side', () => {
    for (const name of ['resize', 'thumbnail']) {
      const message = `${name}: image width must be at most 65536, got 65537`;
      expectError(() => takers[name](rgb({ width: 65537 })), RangeError, message);
    }
  });

  test.each(['torchvision', 'opencv'])('%s takes no float32', (backend) =>
    expectError(
      () => resize({ data: new Float32Array(20), width: 5, height: 4 }, { ...size, backend }),
      TypeError,
      `resize: image data must be bytes for backend '${backend}', got Float32Array`,
    ),
  );

  test('opencv takes no two channels', () => {
    const image = { data: bytes.slice(0, 40), width: 5, height: 4 };
    const message = `resize: image channels must be 1, 3 or 4 for backend 'opencv', got 2`;
    const out = { data: new Uint8Array(12).fill(7), ...size };
    expectError(() => resize(image, { ...size, backend: 'opencv', out }), RangeError, message);
    expect(out.data.every((number) => number === 7)).toBe(true);
  });
});

describe('out', () => {
  const out = (changes) => rgb({ data: new Uint8Array(18).fill(7), ...size, ...changes });
  test.each([
    [out({ width: 3 }), RangeError, 'out must have 2 x 3 pixels, got 3 x 3'],
    [out({ channels: 1, data: new Uint8Array(6).fill(7) }), RangeError, `out channels must be 3 as the image's, got 1`],
    [
      out({ data: new Float32Array(6).fill(7), channels: 1 }),
      TypeError,
      `out data must be bytes as the image's, got Float32Array`,
    ],
    [out({ data: new Uint8Array(17).fill(7) }), RangeError, 'out data of 2 x 3 pixels has 18 bytes, got 17'],
    [5, TypeError, 'out must be an image { data, width, height }, got 5'],
  ])('#%#', (given, Class, message) => {
    expectError(() => resize(rgb(), { ...size, out: given }), Class, `resize: ${message}`);
    if (given.data) expect(given.data.every((number) => number === 7)).toBe(true);
  });

  test('must not overlap the image', () => {
    const memory = Uint8Array.from({ length: 77 }, (_, i) => i);
    const image = rgb({ data: memory.subarray(0, 60) });
    const over = (from) => ({ data: memory.subarray(from, from + 18), ...size, channels: 3 });
    expectError(() => resize(image, { ...size, out: over(59) }), RangeError, 'resize: out must not overlap image');
    expect([...memory]).toEqual(Array.from({ length: 77 }, (_, i) => i));
    const beside = new Uint8Array(78);
    const result = resize(rgb({ data: beside.subarray(0, 60) }), {
      ...size,
      out: { data: beside.subarray(60), ...size },
    });
    expect(result.data.byteOffset).toBe(60);
  });

  test('is written to, rows with padding too, and nothing beside it', () => {
    const data = new Uint8Array(40).fill(9);
    const target = { data: data.subarray(4, 4 + 3 * 10), ...size, channels: 3, rowstride: 10 };
    const result = resize(rgb(), { ...size, out: target });
    expect(result.data).toBe(target.data);
    const rows = [0, 1, 2].flatMap((row) => [...expected().data.slice(6 * row, 6 * row + 6), 9, 9, 9, 9]);
    expect([...data]).toEqual([9, 9, 9, 9, ...rows, 9, 9, 9, 9, 9, 9]);
  });
});
