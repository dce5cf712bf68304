/** Pages of text, by plain numbers; tests/postprocess/goldens.test.js has RapidOCR's own. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  init,
  letterboxGeometry,
  resize,
  textDetectionSize,
  textLineBatches,
  textPage,
  unletterbox,
} from 'onnx-layout/image';
import { expectError } from '../support/assertions.js';
import { randomData } from '../support/samples.js';

beforeAll(() => init());

const picture = (width, height, channels = 3) => ({
  data: randomData('uint8', width * height * channels, 5),
  ...{ width, height, channels },
});

describe('textDetectionSize', () => {
  test.each([
    [1000, 700, {}, [1056, 736]],
    [2100, 300, { limitSideLen: 960, limitType: 'max' }, [960, 128]],
    [736, 736, {}, [736, 736]],
    // 80.5 is cut off before it is divided.
    [322, 161, { limitSideLen: 161, limitType: 'max' }, [160, 64]],
    [5, 5000, { limitSideLen: 320, limitType: 'max' }, [32, 320]],
    // 48 / 32 and 80 / 32 lie half-way, and go to the even one.
    [48, 80, { limitSideLen: 10 }, [64, 64]],
  ])('%i x %i, %j', (width, height, options, [wide, high]) => {
    expect(textDetectionSize({ width, height }, options)).toEqual({ width: wide, height: high });
  });

  test.each([
    [[undefined], TypeError, 'image must be a size { width, height }, got undefined'],
    [[{ width: 1, height: 0 }], RangeError, 'image height must be at least 1, got 0'],
    [[{ width: 1, height: 1 }, { limitType: 'mid' }], RangeError, `limitType must be 'min' or 'max', got 'mid'`],
    [[{ width: 1, height: 1 }, { limitSideLen: 0 }], RangeError, 'limitSideLen must be at least 1, got 0'],
  ])('refuses %j', (args, Class, rule) => {
    expectError(() => textDetectionSize(...args), Class, `textDetectionSize: ${rule}`);
  });
});

describe('textPage', () => {
  test.each([
    // Neither is exceeded: 8 times the height, and 31 rows.
    [248, 31, {}, { width: 248, height: 31, top: 0, resized: [248, 31], ratios: [1, 1] }],
    [249, 31, {}, { width: 249, height: 61, top: 15, resized: [249, 31], ratios: [1, 1] }],
    [90, 30, {}, { width: 90, height: 60, top: 15, resized: [90, 30], ratios: [1, 1] }],
    [2001, 900, {}, { width: 1984, height: 896, top: 0, resized: [1984, 896], ratios: [2001 / 1984, 900 / 896] }],
    // 48 and 80 are 1.5 and 2.5 times 32: to the even ones.
    [96, 160, { maxSideLen: 80 }, { width: 64, height: 64, top: 0, resized: [64, 64], ratios: [96 / 64, 160 / 64] }],
    [20, 29, { minHeight: 32 }, { width: 32, height: 64, top: 16, resized: [32, 32], ratios: [20 / 32, 29 / 32] }],
    [900, 40, { widthHeightRatio: Infinity }, { width: 900, height: 40, top: 0, resized: [900, 40], ratios: [1, 1] }],
  ])('%i x %i, %j', (width, height, options, { resized, ratios, ...place }) => {
    const page = textPage(picture(width, height), options);
    expect(page).toMatchObject({ ...place, left: 0, source: { width, height } });
    expect([page.resized.width, page.resized.height]).toEqual(resized);
    expect([page.ratioX, page.ratioY]).toEqual(ratios);
  });

  test.each([1, 3, 4])('black rows lie around what is resized, of %i channels', (channels) => {
    const image = picture(500, 20, channels);
    const { data, width, height, top, resized } = textPage(image);
    const inner = resize(image, { ...resized, filter: 'linear', backend: 'opencv' }).data;
    const bar = top * width * channels;
    expect([width, height, top, data.length]).toEqual([736, 184, 76, 736 * 184 * channels]);
    expect(data.subarray(bar, data.length - bar)).toEqual(inner);
    expect(data.subarray(0, bar).every((byte) => byte === 0)).toBe(true);
    expect(data.subarray(data.length - bar).every((byte) => byte === 0)).toBe(true);
  });

  test('the result has memory of its own', () => {
    const image = picture(50, 50);
    const { data } = textPage(image);
    expect(data).toEqual(image.data);
    expect(data.buffer).not.toBe(image.data.buffer);
  });

  test.each([
    [[undefined], TypeError, 'image must be an image { data, width, height }, got undefined'],
    [[picture(5000, 30)], RangeError, 'image must not become less than 16 pixels narrow, got 5000 x 30 pixels'],
    [[picture(9, 9), { minHeight: 0 }], RangeError, 'minHeight must be at least 1, got 0'],
    [[picture(9, 9), { widthHeightRatio: '8' }], TypeError, "widthHeightRatio must be a number, got '8'"],
    [[picture(9, 9), { widthHeightRatio: -1 }], RangeError, 'widthHeightRatio must be above 0, got -1'],
  ])('refuses %#', (args, Class, rule) => {
    expectError(() => textPage(...args), Class, `textPage: ${rule}`);
  });
});

test('points of a page come back to the picture, in it', () => {
  const page = textPage(picture(640, 40));
  expect(unletterbox([3, 60, 639.5, 120, -1, 7], page, { format: 'points' })).toEqual(
    Float32Array.of(3, 0, 639.5, 40, 0, 0),
  );
  const large = textPage(picture(2001, 900));
  const { fround } = Math;
  expect(unletterbox([1000, 333], large, { format: 'points' })).toEqual(
    Float32Array.of(1000 * fround(2001 / 1984), 333 * fround(900 / 896)),
  );
  const { ratioX: _, ...rest } = page;
  expectError(
    () => unletterbox([1, 2], rest),
    TypeError,
    'unletterbox: geometry scaleX must be a number, got undefined',
  );
  const wrong = { ...page, ratioY: 0 };
  expectError(() => unletterbox([1, 2], wrong), RangeError, 'unletterbox: geometry ratioY must be above 0, got 0');
  expect(letterboxGeometry({ width: 9, height: 9 }, { width: 9, height: 9 }).ratioX).toBeUndefined();
});

describe('textLineBatches', () => {
  const line = (width, height = 10) => ({ width, height });

  test('lines are sorted by their ratios, and a batch is as wide as its widest', () => {
    const lines = [line(300), line(50), line(200), line(50), line(121)];
    expect(textLineBatches(lines, { batchSize: 2 })).toEqual([
      { indices: [1, 3], letterbox: { width: 320, height: 48 } },
      { indices: [4, 2], letterbox: { width: 960, height: 48 } },
      { indices: [0], letterbox: { width: 1440, height: 48 } },
    ]);
    expect(textLineBatches(lines, { width: 160, height: 80, batchSize: 9 })).toEqual([
      { indices: [1, 3, 4, 2, 0], letterbox: { width: 2400, height: 80 } },
    ]);
    expect(textLineBatches([])).toEqual([]);
  });

  test.each([
    [[undefined], TypeError, 'lines must be an array, got undefined'],
    [[[line(1), [2, 3]]], TypeError, 'lines[1] must be a size { width, height }, got Array'],
    [[[line(0)]], RangeError, 'lines[0] width must be at least 1, got 0'],
    [[[line(1)], { batchSize: 0 }], RangeError, 'batchSize must be at least 1, got 0'],
  ])('refuses %j', (args, Class, rule) => {
    expectError(() => textLineBatches(...args), Class, `textLineBatches: ${rule}`);
  });
});
