/** Pixels whose memory changes, or that are none: functions from pixels to pixels or sizes. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as pixels from 'onnx-layout/image';
import { expectError } from '../support/assertions.js';
import { changingViews, otherRealm, goodViews } from './adversarial.js';

beforeAll(() => pixels.init());

const bytes = Uint8Array.from({ length: 60 }, (_, i) => (i * i) % 251);
const image = (changes) => ({ data: bytes.slice(), width: 5, height: 4, channels: 3, ...changes });

/** Each function that takes pixels, and its options. */
const takers = {
  letterbox: [pixels.letterbox, { width: 6, height: 6 }],
  copyMakeBorder: [pixels.copyMakeBorder, { top: 1, border: 'reflect' }],
  warpAffine: [(given, options) => pixels.warpAffine(given, [1, 0.5, 0, 0, 1, 0], options), { filter: 'cubic' }],
  toGray: [pixels.toGray, {}],
  blobFromImage: [pixels.blobFromImage, { width: 3, height: 3 }],
};

/** Those that take floats and two channels too: resize-errors.test.js has their refusals. */
const resizers = {
  resize: [pixels.resize, { width: 2, height: 3 }],
  thumbnail: [pixels.thumbnail, { width: 2, height: 3 }],
  crop: [pixels.crop, { box: [1, 1, 5, 4] }],
};

describe.each(Object.entries({ ...takers, ...resizers }))('%s', (name, [run, options]) => {
  const call = (given) => run(given, options);
  const good = () => [...call(image()).data];
  let expected;
  beforeAll(() => {
    expected = good();
  });

  test.each(Object.entries(goodViews))('takes data %s', (_, make) => {
    for (const Class of [Uint8Array, Uint8ClampedArray]) {
      const data = make(Class, 60);
      Uint8Array.prototype.set.call(data, bytes);
      expect([...call(image({ data })).data]).toEqual(expected);
      expect(bytes.every((byte, i) => data[i] === byte)).toBe(true);
    }
  });

  test.each(changingViews)('refuses data that was %s', (_, make, change, left) => {
    const rule = `${name}: image data of 5 x 4 pixels has 60 bytes, got ${left(60)}`;
    const gone = make(Uint8Array, 60);
    change(gone);
    expectError(() => call(image({ data: gone })), RangeError, rule);
    expect(good()).toEqual(expected);
  });

  if (name in resizers) return;
  const kind = 'image data must be a Uint8Array or Uint8ClampedArray, got';
  test.each([
    [undefined, TypeError, 'image must be an image { data, width, height }, got undefined'],
    [bytes, TypeError, 'image must be an image { data, width, height }, got Uint8Array'],
    [image({ data: [...bytes] }), TypeError, `${kind} Array`],
    [image({ data: new Float32Array(60) }), TypeError, `${kind} Float32Array`],
    [image({ data: new Proxy(bytes, {}) }), TypeError, `${kind} an object`],
    [image({ channels: 2 }), RangeError, 'image channels must be 1, 3 or 4, got 2'],
    [image({ channels: '3' }), TypeError, `image channels must be 1, 3 or 4, got '3'`],
    [image({ width: -0 }), RangeError, 'image width must be at least 1, got 0'],
    [image({ height: 1.5 }), RangeError, 'image height must be a whole number, got 1.5'],
    [image({ rowstride: 14 }), RangeError, 'image rowstride must be at least 15, got 14'],
    [
      image({ width: 2 ** 15, height: 2 ** 16 }),
      RangeError,
      `image data of 32768 x 65536 pixels has 6442450944 bytes, got 60`,
    ],
  ])('refuses image #%#', (given, Class, rule) => {
    expectError(() => call(given), Class, `${name}: ${rule}`);
    expect(good()).toEqual(expected);
  });
});

const geometry = { left: 0, top: 0, scaleX: 1, scaleY: 1, source: { width: 99, height: 99 } };

describe('unletterbox', () => {
  const boxes = [1, 2, 3, 4, 5, 6, 7, 8];
  const good = () => pixels.unletterbox(boxes, geometry);

  test.each(Object.entries(goodViews))('takes boxes %s', (_, make) => {
    for (const Class of [Float32Array, Float64Array, Int32Array]) {
      const data = make(Class, 8);
      Object.getPrototypeOf(Uint8Array.prototype).set.call(data, boxes);
      expect(pixels.unletterbox(data, geometry)).toEqual(Float32Array.from(boxes));
    }
  });

  test('takes boxes of another realm', () => {
    expect(pixels.unletterbox(new otherRealm.Array(1, 2, 3, 4), geometry)).toEqual(Float32Array.of(1, 2, 3, 4));
    expect(good()).toEqual(Float32Array.from(boxes));
  });
});

test.each([
  [undefined, TypeError, 'image must be a size { width, height }, got undefined'],
  [[5, 4], TypeError, 'image must be a size { width, height }, got Array'],
  [{ width: '5', height: 4 }, TypeError, `image width must be a number or a bigint, got '5'`],
  [{ width: 5, height: NaN }, RangeError, 'image height must be a whole number, got NaN'],
  [{ width: 5, height: 65537 }, RangeError, 'image height must be at most 65536, got 65537'],
  [{ width: 5, height: 2n ** 64n }, RangeError, 'image height must fit int64, got 18446744073709551616'],
])('no size: %p', (size, Class, rule) => {
  expectError(() => pixels.letterboxGeometry(size, { width: 6, height: 6 }), Class, `letterboxGeometry: ${rule}`);
  expectError(() => pixels.textDetectionSize(size), Class, `textDetectionSize: ${rule}`);
});
