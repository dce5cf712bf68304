/** Boxes of Sapiens 2, beyond the golden: pictures of each kind, types, `out`, refusals. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { cast } from 'onnx-layout';
import { imageProcessor, init } from 'onnx-layout/processors';
import { expectError } from '../support/assertions.js';
import { hashOf } from '../support/goldens.js';
import { randomData } from '../support/samples.js';

beforeAll(() => init());

const size = { height: 6, width: 4 };
const processor = imageProcessor({ image_processor_type: 'Sapiens2ImageProcessor', size });
const image = { data: randomData('uint8', 20 * 10 * 3, 5), width: 20, height: 10, channels: 3 };
const numbers = { do_normalize: false, do_rescale: false };

const box = [3.3, 2, 2.4, 4];

test('beside the picture is black', () => {
  const [first, second] = [2, 17.3].map((left) => [left, 1.5, 2.4, 4]);
  const { pixel_values: made } = processor(image, { ...numbers, boxes: [[first, second]] });
  expect(made.dims).toEqual([2, 3, 6, 4]);
  const at = (n, c, y, x) => made.data[((n * 3 + c) * 6 + y) * 4 + x];
  // The window of the second box ends beyond the right edge.
  expect(at(1, 0, 2, 3)).toBe(0);
  expect(at(0, 0, 2, 1)).not.toBe(0);
});

test('one box at a time gives the same as many, in every type and in out', () => {
  const boxes = [[box, [-2, -1, 30, 5]]];
  const both = processor(image, { boxes }).pixel_values;
  const half = both.data.length / 2;
  boxes[0].forEach((one, i) => {
    const { data } = processor(image, { boxes: [[one]] }).pixel_values;
    expect(data).toEqual(both.data.slice(i * half, (i + 1) * half));
  });
  const config = { image_processor_type: 'Sapiens2ImageProcessor', size };
  const float16 = imageProcessor(config, { dtype: 'float16' })(image, { boxes }).pixel_values;
  expect(float16).toEqual(cast(both, { to: 'float16' }));
  const out = { pixel_values: { type: 'float32', data: new Float32Array(both.data.length), dims: both.dims } };
  expect(processor(image, { boxes, out }).pixel_values.data).toBe(out.pixel_values.data);
  expect(out.pixel_values.data).toEqual(both.data);
});

test('a box that is enlarged is sampled by weights that add up to 1', () => {
  const even = { ...image, data: new Uint8Array(600).fill(100) };
  const { data } = processor(even, { ...numbers, boxes: [[[9, 4, 1, 1.5]]] }).pixel_values;
  for (const value of data) expect(Math.abs(value - 100)).toBeLessThan(5e-5);
});

// The hashes are those of torch's own sums.
test('a large box passes through the memory in tiles', () => {
  const make = imageProcessor({ image_processor_type: 'Sapiens2ImageProcessor', size: { height: 1024, width: 768 } });
  const large = { data: randomData('uint8', 2000 * 1200 * 3, 5), width: 2000, height: 1200, channels: 3 };
  const hashes = [box, [-9, 7, 1300, 1500]].map((one) => hashOf(make(large, { boxes: [[one]] }).pixel_values.data));
  expect(hashes).toEqual([
    'dd770db9e5f3fce0ba1472c0106df84e5fb2124c64235a673dbd7102fd1d2302',
    '43c7767070606c9913a655079985078e7df3fcc815affbf8916a6681d71f693f',
  ]);
});

test('memory that onStep takes away is missed when it is read', () => {
  const mine = structuredClone(image);
  const onStep = () => mine.data.length > 0 && structuredClone(mine.data, { transfer: [mine.data.buffer] });
  const rule = 'images data of 20 x 10 pixels has 600 bytes, got 0';
  expectError(() => processor(mine, { boxes: [[box]], onStep }), RangeError, `imageProcessor: ${rule}`);
});

describe('refuses', () => {
  test.each([
    [{ boxes: 1 }, TypeError, 'boxes must be a list, got 1'],
    [{ boxes: [] }, RangeError, 'boxes must hold 1 lists, one for each image, got 0'],
    [{ boxes: [[]] }, RangeError, 'boxes must hold a box at least, got none'],
    [{ boxes: [[[1, 2, 3]]] }, TypeError, 'boxes[0][0] must be [left, top, width, height], got [1, 2, 3]'],
  ])('%j', (options, Class, rule) => {
    expectError(() => processor(image, options), Class, `imageProcessor: ${rule}`);
  });
});

describe('boxes of VitPose', () => {
  /** Numbers that float32 has exactly: a box of 8 x 8 pixels becomes 125 steps of one pixel each. */
  const side = 126;
  const config = { size: { height: side, width: side }, normalize_factor: 16 };
  const pose = imageProcessor(config, { className: 'VitPoseImageProcessor' });
  const picture = { data: randomData('uint8', 3 * side ** 2, 6), width: side, height: side, channels: 3 };
  const cut = (x, y) => {
    const boxes = [[[58.5 + x, 58.5 + y, 8, 8]]];
    return Uint8Array.from(pose(picture, { ...numbers, boxes }).pixel_values.data);
  };
  const moved = (left, top) =>
    Uint8Array.from({ length: 3 * side ** 2 }, (_, i) => {
      const [x, y] = [(i % side) + left, (Math.floor(i / side) % side) + top];
      const isInside = x >= 0 && x < side && y >= 0 && y < side;
      return isInside ? picture.data[3 * (side * y + x) + Math.floor(i / side ** 2)] : 0;
    });

  test.each([
    ['begins on the first pixel and ends on the last', 0, 0],
    ['begins and ends a pixel to the left', -1, 0],
    ['begins and ends a pixel to the right', 1, 0],
    ['begins and ends a pixel above', 0, -1],
    ['begins and ends a pixel below', 0, 1],
  ])('a box that %s', (_, x, y) => expect(cut(x, y)).toEqual(moved(x, y)));
});
