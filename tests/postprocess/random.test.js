/** Random calls against loops that are written from the rules alone. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as answers from 'onnx-layout/postprocess';
import { expectBytes } from '../support/assertions.js';
import { f, int32, overlap, range, resized, seeds, source, suppressed, tensor } from './plain.js';

const { argmax, batchedNms, boxIou, decodeRle, encodeRle, init, interpolate, nms, topk } = answers;

beforeAll(() => init());

describe('random calls', () => {
  test('nms of sets of boxes, with ties and thresholds that are hit exactly', () => {
    for (const seed of seeds(100)) {
      const { below } = source(seed);
      const count = below(40);
      const boxes = Array.from({ length: count }, () => {
        const [x, y] = [below(6), below(6)];
        return [x, y, x + below(6), y + below(6)];
      });
      const scores = boxes.map(() => below(5));
      const classes = boxes.map(() => below(3));
      const order = range(count).sort((a, b) => scores[b] - scores[a] || a - b);
      const kept = (same) => suppressed(order, (j, i) => same(i, j) && overlap(boxes[i], boxes[j]) > 0.25);
      const input = tensor(boxes.flat(), [count, 4]);
      expect([...nms(input, tensor(scores), 0.25).data]).toEqual(kept(() => true));
      // Whole numbers: shifting boxes by their class moves no bit.
      expect([...batchedNms(input, tensor(scores), int32(classes), 0.25).data]).toEqual(
        kept((i, j) => classes[i] === classes[j]),
      );
      const pairs = boxIou(input, input).data;
      const wanted = Float32Array.from(boxes.flatMap((a) => boxes.map((b) => overlap(a, b))));
      expect(pairs.every((value, i) => Object.is(value, wanted[i]))).toBe(true);
    }
  });

  // As torchvision answers: up to 1,000 boxes are shifted by the largest number, which is NaN then.
  test.each([0, 1, 2])('batched nms keeps all boxes if box %i has a NaN', (place) => {
    const boxes = [
      [0, 0, 10, 10],
      [0, 0, 10, 9],
    ];
    boxes.splice(place, 0, [50, 50, 60, NaN]);
    const scores = tensor([0.9, 0.8, 0.7]);
    expect([...batchedNms(tensor(boxes.flat(), [3, 4]), scores, int32([0, 0, 0]), 0.5).data]).toEqual([0, 1, 2]);
    expect(nms(tensor(boxes.flat(), [3, 4]), scores, 0.5).data).toHaveLength(2);
  });

  test('batched nms of 1,500 boxes compares within classes', () => {
    const { next, below } = source(7);
    const boxes = Array.from({ length: 1500 }, () => {
      const [x, y] = [next() * 90, next() * 90];
      return [x, y, x + 10 * next(), y + 10 * next()].map(f);
    });
    const scores = tensor(boxes.map(() => next()));
    const classes = boxes.map(() => below(4));
    const all = batchedNms(tensor(boxes.flat(), [1500, 4]), scores, int32(classes), 0.3);
    const parts = [0, 1, 2, 3].flatMap((one) => {
      const places = range(1500).filter((i) => classes[i] === one);
      const part = tensor(
        places.flatMap((i) => boxes[i]),
        [places.length, 4],
      );
      return [...nms(part, tensor(places.map((i) => scores.data[i])), 0.3).data].map((i) => places[i]);
    });
    expect([...all.data]).toEqual(parts.sort((a, b) => scores.data[b] - scores.data[a]));
  });

  test('topk gives the greatest values, whichever of equals', () => {
    for (const seed of seeds(300)) {
      const { below } = source(seed);
      const values = Array.from({ length: 1 + below(400) }, () => below(50) - 25);
      const k = below(values.length + 1);
      const sorted = seed % 2 === 0;
      const { values: most, indices } = topk(tensor(values), k, { sorted });
      const expected = [...values].sort((a, b) => b - a).slice(0, k);
      expect(sorted ? [...most.data] : [...most.data].sort((a, b) => b - a)).toEqual(expected);
      expect([...indices.data].map((i) => values[i])).toEqual([...most.data]);
      expect(new Set(indices.data).size).toBe(k);
    }
  });

  test('argmax along each axis', () => {
    for (const seed of seeds(200)) {
      const { below } = source(seed);
      const dims = [1 + below(4), 1 + below(5), 1 + below(6)];
      const [a, b, c] = dims;
      const values = Array.from({ length: a * b * c }, () => below(4));
      const at = (i, j, k) => values[(i * b + j) * c + k];
      const first = (list) => list.indexOf(Math.max(...list));
      const middle = range(a).flatMap((i) => range(c).map((k) => first(range(b).map((j) => at(i, j, k)))));
      expect([...argmax(tensor(values, dims), 1).data]).toEqual(middle);
      const outer = range(b).flatMap((j) => range(c).map((k) => first(range(a).map((i) => at(i, j, k)))));
      expect([...argmax(tensor(values, dims), -3).data]).toEqual(outer);
    }
  });

  test('bilinear resizes, on both sides of the small kernel', () => {
    for (const seed of seeds(100)) {
      const { next, below } = source(seed);
      const [channels, h, w] = [1 + below(17), 1 + below(9), 1 + below(9)];
      const size = seed % 3 ? [1 + below(12), 1 + below(12)] : [120 + below(3), 8 + below(3)];
      const align = seed % 2 === 1;
      const values = Array.from({ length: channels * h * w }, () => f(8 * next() - 4));
      const { data } = interpolate(tensor(values, [1, channels, h, w]), {
        size,
        mode: 'bilinear',
        align_corners: align,
      });
      const expected = resized(values, [channels, h, w], size, align);
      // One comparison of all bytes: a million of `expect` take minutes.
      expectBytes(data, Float32Array.from(expected));
    }
  });

  test('run lengths', () => {
    for (const seed of seeds(200)) {
      const { below } = source(seed);
      const dims = [1 + below(9), 1 + below(9)];
      const data = Uint8Array.from({ length: dims[0] * dims[1] }, () => below(2));
      const mask = { type: 'bool', dims, data };
      const columns = Array.from(data, (_, i) => data[(i % dims[0]) * dims[1] + Math.floor(i / dims[0])]);
      const counts = [0];
      let last = 0;
      for (const value of columns) {
        if (value !== last) counts.push(0);
        counts[counts.length - 1]++;
        last = value;
      }
      expect(encodeRle(mask).counts).toEqual(counts);
      expect(decodeRle(encodeRle(mask, { compress: true })).data).toEqual(data);
    }
  });
});
