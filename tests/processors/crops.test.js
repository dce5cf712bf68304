/** Boxes of Sapiens 2, beyond the golden: pictures of each kind, types, `out`, refusals. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { cast } from 'onnx-layout';
import { imageProcessor, init } from 'onnx-layout/processors';
import { expectError } from '../support/assertions.js';
import { randomData } from '../support/samples.js';

beforeAll(() => init());

const size = { height: 6, width: 4 };
const processor = imageProcessor({ image_processor_type: 'Sapiens2ImageProcessor', size });
const image = { data: randomData('uint8', 20 * 10 * 3, 5), width: 20, height: 10, channels: 3 };
const numbers = { do_normalize: false, do_rescale: false };

const box = [3.3, 2, 2.4, 4];

test('beside the picture is black', () => {
  const { pixel_values: made } = processor(image, {
    ...numbers,
    boxes: [
      [
        [2, 1.5, 2.4, 4],
        [17.3, 1.5, 2.4, 4],
      ],
    ],
  });
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
  expect(data).toEqual(new Float32Array(72).fill(100));
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
    [{ boxes: [[box]], do_center_crop: true }, TypeError, 'do_center_crop must be false beside boxes, got true'],
  ])('%j', (options, Class, rule) => {
    expectError(() => processor(image, options), Class, `imageProcessor: ${rule}`);
  });
});
