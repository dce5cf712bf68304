/** crop, against an oracle that makes pixel by pixel what Pillow does: see also resize-goldens.test.js. */
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { crop, init } from 'onnx-layout/image';
import { expectError } from '../support/assertions.js';
import { cropped } from './resizing/resize.reference.js';

beforeAll(() => init());

const bytes = Uint8Array.from({ length: 60 }, (_, i) => i + 1);
const rgb = (changes) => ({ data: bytes.slice(), width: 5, height: 4, channels: 3, ...changes });
const box = [3, -1, 7, 2];
const good = () => crop(rgb(), { box });

afterEach(() => expect(good()).toEqual(cropped(rgb(), { box })));

/** Every kind of pixels, with rows that are padded by three numbers. */
const kinds = [1, 2, 3, 4].map((channels) => ['bytes', channels, Uint8Array]);
kinds.push(['clamped bytes', 3, Uint8ClampedArray], ['float32', 1, Float32Array]);

describe.each(kinds)('%s of %i channels', (_, channels, Class) => {
  const [width, height] = [5, 4];
  const stride = width * channels + 3;
  const data = Class.from({ length: stride * height - 3 }, (__, i) => i + 1);
  const image = { data, width, height, channels, rowstride: stride * Class.BYTES_PER_ELEMENT };

  test('every box over, beyond and beside a picture, and into out', () => {
    const before = data.slice();
    const edges = [-6, -2, 0, 1, 4, 5, 8];
    for (const left of edges)
      for (const top of edges)
        for (const right of edges.filter((edge) => edge > left))
          for (const bottom of edges.filter((edge) => edge > top)) {
            const options = { box: [left, top, right, bottom] };
            const expected = cropped(image, options);
            expect(crop(image, options)).toEqual(expected);
            const row = expected.width * channels;
            const padded = new Class((row + 3) * expected.height).fill(99);
            const rowstride = (row + 3) * Class.BYTES_PER_ELEMENT;
            const out = { ...expected, data: padded, rowstride };
            const result = crop(image, { ...options, out });
            expect(result).toEqual({ ...expected, data: padded });
            expect(result.data).toBe(padded);
            padded.forEach((number, i) => {
              const [x, y] = [i % (row + 3), Math.floor(i / (row + 3))];
              const wanted = x < row ? expected.data[y * row + x] : 99;
              if (number !== wanted) expect([options, x, y, number]).toEqual([options, x, y, wanted]);
            });
          }
    expect(data).toEqual(before);
  });
});

test('the result has memory of its own, even if it is all of the picture', () => {
  const image = rgb();
  const { data } = crop(image, { box: [0, 0, 5, 4] });
  expect(data).toEqual(image.data);
  expect(data.buffer).not.toBe(image.data.buffer);
  expect(data.buffer.byteLength).toBe(60);
});

test('keeps the bits of NaN', () => {
  const codes = Uint32Array.of(0x7f800001, 0xffc00002, 0x80000000, 0x7fffffff);
  const image = { data: new Float32Array(codes.buffer), width: 4, height: 1 };
  const { data } = crop(image, { box: [1, 0, 5, 1] });
  expect([...new Uint32Array(data.buffer)]).toEqual([0xffc00002, 0x80000000, 0x7fffffff, 0]);
});

test('a picture longer than resize takes, and boxes far away', () => {
  const image = { data: new Uint8Array(70_000).fill(5), width: 70_000, height: 1 };
  expect(crop(image, { box: [69_999, 0, 70_001, 1] }).data).toEqual(Uint8Array.of(5, 0));
  expect(crop(image, { box: [2 ** 40, -(2 ** 40), 2 ** 40 + 2, 1 - 2 ** 40] }).data).toEqual(new Uint8Array(2));
});

describe('refuses', () => {
  const out = (changes) => ({ data: new Uint8Array(36).fill(7), width: 4, height: 3, channels: 3, ...changes });
  const form = 'box must be [left, top, right, bottom], got';
  test.each([
    [{ box: undefined }, TypeError, `${form} undefined`],
    [{ box: { left: 0 } }, TypeError, `${form} an object`],
    [{ box: Float32Array.of(0, 0, 1, 1) }, TypeError, `${form} Float32Array`],
    [{ box: [0, 0, 5] }, RangeError, 'box must hold 4 numbers, got [0, 0, 5]'],
    [{ box: [0, 0, 5, 4, 3] }, RangeError, 'box must hold 4 numbers, got [0, 0, 5, 4, 3]'],
    [{ box: [0, 0, 5, 4n] }, TypeError, 'box must hold numbers, got [0, 0, 5, 4]'],
    [{ box: [0, 0, 5, '4'] }, TypeError, `box must hold numbers, got [0, 0, 5, '4']`],
    [{ box: [0, NaN, 5, 4] }, RangeError, 'box must hold finite numbers, got [0, NaN, 5, 4]'],
    [{ box: [0, 0, Infinity, 4] }, RangeError, 'box must hold finite numbers, got [0, 0, Infinity, 4]'],
    [{ box: [2, 1, 2, 4] }, RangeError, 'box must hold at least one pixel, got [2, 1, 2, 4]'],
    [{ box: [2, 4, 5, 3] }, RangeError, 'box must hold at least one pixel, got [2, 4, 5, 3]'],
    [{ box: [0.5, 0, -0.5, 4] }, RangeError, 'box must hold at least one pixel, got [0.5, 0, -0.5, 4]'],
    [{ border: 'wrap' }, TypeError, `unknown option 'border'. Known: box, out`],
    [{ out: out({ width: 3 }) }, RangeError, 'out must have 4 x 3 pixels, got 3 x 3'],
    [{ out: out({ height: 4 }) }, RangeError, 'out must have 4 x 3 pixels, got 4 x 4'],
    [
      { out: out({ channels: 1, data: new Uint8Array(12).fill(7) }) },
      RangeError,
      `out channels must be 3 as the image's, got 1`,
    ],
    [
      { out: out({ data: new Float32Array(12).fill(7), channels: 1 }) },
      TypeError,
      `out data must be bytes as the image's, got Float32Array`,
    ],
    [{ out: out({ data: new Uint8Array(35).fill(7) }) }, RangeError, 'out data of 4 x 3 pixels has 36 bytes, got 35'],
    [{ out: 5 }, TypeError, 'out must be an image { data, width, height }, got 5'],
  ])('%j', (options, Class, message) => {
    const given = options.out ?? out();
    expectError(() => crop(rgb(), { box, out: given, ...options }), Class, `crop: ${message}`);
    if (given.data) expect(given.data.every((number) => number === 7)).toBe(true);
  });

  test('a box that no memory holds', () => {
    const message = 'crop: result must fit in memory, got 3e+40 entries of Uint8Array';
    expectError(() => crop(rgb(), { box: [0, 0, 1e20, 1e20] }), RangeError, message);
  });

  test('an out that overlaps, before anything is written', () => {
    const memory = Uint8Array.from({ length: 100 }, (_, i) => i);
    const image = rgb({ data: memory.subarray(0, 60) });
    const over = (from) => ({ data: memory.subarray(from, from + 36), width: 4, height: 3, channels: 3 });
    const message = 'crop: out must not overlap image';
    expectError(() => crop(image, { box, out: over(59) }), RangeError, message);
    expect([...memory]).toEqual(Array.from({ length: 100 }, (_, i) => i));
    const expected = cropped(image, { box }).data;
    expect(crop(image, { box, out: over(60) }).data).toEqual(expected);
  });
});
