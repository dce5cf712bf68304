/** Answers where a number meets its bound exactly: at it, below it and above it. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Tensor } from 'onnx-layout';
import * as answers from 'onnx-layout/postprocess';
import { methodCall } from './golden-calls.js';
import { readCases } from './goldens.js';

const { argmax, argmin, batchedNms, cropTextBox, init, postProcessor, sigmoid, softmax, topk } = answers;

beforeAll(() => init());

const floats = (values, dims = [values.length]) => Tensor.from('float32', values, dims);

describe('a score that is the threshold', () => {
  /** Python compares by `>=` in these, and by `>` elsewhere. */
  const inclusive = /^PPDocLayout/;
  /** Their scores are shares of the greatest, which the threshold is not compared with. */
  const scaled = 'post_process_image_guided_detection';
  const cases = readCases('processors.json').filter(
    ({ method, expect: wanted, options }) =>
      method !== scaled && 'threshold' in options && wanted[0]?.scores?.dims?.length === 1,
  );
  const classes = new Map(cases.map((one) => [`${one.class}.${one.method}`, one]));

  test.each([...classes])('%s', (_, one) => {
    const scoresAbove = (threshold) => {
      const { call, args } = methodCall({ ...one, options: { ...one.options, threshold } });
      return Array.from(call(...args)[0].scores.data);
    };
    const all = scoresAbove(0).sort((a, b) => a - b);
    const middle = all[all.length >> 1];
    expect(all.length).toBeGreaterThan(1);
    expect([middle, scoresAbove(middle).includes(middle)]).toEqual([middle, inclusive.test(one.class)]);
    expect(scoresAbove(middle - 2 ** -20)).toContain(middle);
  });

  test('these are 17 methods', () => expect(classes.size).toBe(17));
});

test.each([
  [14, [14, 10]],
  [15, [10, 15]],
  [16, [10, 16]],
])('a box of text of 10 x %i pixels stands upright from 1.5 on', (height, size) => {
  const image = { type: 'uint8', data: new Uint8Array(3 * 900), dims: [30, 30, 3] };
  const corners = floats([2, 2, 12, 2, 12, 2 + height, 2, 2 + height], [4, 2]);
  expect(cropTextBox(image, corners).dims).toEqual([...size, 3]);
});

test.each([
  [19, 0],
  [20, 0],
  [21, 1],
])('a mask %i pixels from the edge of its crop, inside the picture: %i stay', (distance, count) => {
  // Each mask is one row of two pixels, in a crop that begins at 100, 100 and ends at 200, 200.
  const { filter_masks: filter } = postProcessor({}, { className: 'SamImageProcessor' });
  const far = 100 - distance;
  for (const [x, y] of [
    [distance, 50],
    [50, distance],
    [far - 1, 50],
    [50, far - 1],
  ]) {
    const masks = floats(new Float32Array(10_000).fill(-9), [1, 1, 100, 100]);
    // The right and the lower edge are those of the last pixel.
    const isFar = x === far - 1 || y === far - 1;
    const at = isFar ? 100 * (y + Number(y === far - 1)) + x + Number(x === far - 1) : 100 * y + x;
    masks.data[at] = 9;
    const options = { original_size: [400, 400], cropped_box_image: [100, 100, 200, 200] };
    expect(filter({ masks, iou_scores: floats([1], [1, 1]) }, options).scores.dims).toEqual([count]);
  }
});

test.each([
  [999, 998],
  [1000, 999],
  [1001, 1001],
])('%i boxes, of which two become equal where torchvision shifts them by their class', (count, kept) => {
  const boxes = Array.from({ length: count - 3 }, (_, i) => [20 + 2 * i, 20, 21 + 2 * i, 21]);
  // Shifted by 2^24, their sides are even numbers.
  const last = [2 ** 24 - 2, 0, 2 ** 24 - 1, 1];
  const all = [...boxes, last, [0, 0, 10, 10], [0.9, 0, 10.9, 10]].flat();
  const classes = Int32Array.from({ length: count }, (_, i) => Number(i >= count - 2));
  const scores = floats(Float32Array.from({ length: count }, (_, i) => 1 - i / 2048));
  const found = batchedNms(floats(all, [count, 4]), scores, { type: 'int32', data: classes, dims: [count] }, 0.85);
  expect(found.dims).toEqual([kept]);
});

describe('NaN in each lane of 1 to 40 numbers', () => {
  const lanes = Array.from({ length: 40 }, (_, i) => i + 1).flatMap((n) => Array.from({ length: n }, (_, k) => [n, k]));
  const wrong = (isRight) => lanes.filter(([n, k]) => !isRight(withNaN(n, k), k, n));
  const withNaN = (n, k) => floats(Float32Array.from({ length: n }, (_, i) => (i === k ? NaN : Math.sin(i) * 9)));
  const plain = Array.from({ length: 41 }, (_, n) =>
    floats(Float32Array.from({ length: n }, (_, i) => Math.sin(i) * 9)),
  );

  test('sigmoid: NaN there, and every other number as without it', () => {
    const expected = plain.map((x) => sigmoid(x).data);
    expect(
      wrong((x, k, n) => sigmoid(x).data.every((y, i) => (i === k ? Number.isNaN(y) : Object.is(y, expected[n][i])))),
    ).toEqual([]);
  });

  test('softmax: NaN everywhere', () => expect(wrong((x) => softmax(x).data.every(Number.isNaN))).toEqual([]));

  test('argmax, argmin and topk: it is the greatest and the least', () => {
    expect(wrong((x, k) => Number(argmax(x, 0).data[0]) === k && Number(argmin(x, 0).data[0]) === k)).toEqual([]);
    expect(wrong((x, k) => Number(topk(x, 1).indices.data[0]) === k)).toEqual([]);
  });
});
