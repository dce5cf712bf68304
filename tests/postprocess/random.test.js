/** Random calls against loops that are written from the rules alone. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as answers from 'onnx-layout/postprocess';
import { uniform } from './recipes.js';

const { argmax, batchedNms, boxIou, decodeRle, encodeRle, init, interpolate, nms, topk } = answers;

beforeAll(() => init());

/** A source of numbers that a seed repeats. */
function source(seed) {
  let at = 0;
  const next = () => uniform(seed, at++);
  return { next, below: (end) => Math.floor(next() * end) };
}

const tensor = (values, dims = [values.length]) => ({ type: 'float32', dims, data: Float32Array.from(values) });
const f = Math.fround;
const fma = (a, b, c) => f(a * b + c);

describe('random calls', () => {
  test('nms of 300 sets of boxes, with ties and thresholds that are hit exactly', () => {
    for (let seed = 0; seed < 300; seed++) {
      const { below } = source(seed);
      const count = below(40);
      const boxes = Array.from({ length: count }, () => {
        const [x, y] = [below(6), below(6)];
        return [x, y, x + below(6), y + below(6)];
      });
      const scores = boxes.map(() => below(5));
      const classes = boxes.map(() => below(3));
      const area = ([a, b, c, d]) => (c - a) * (d - b);
      const overlap = (a, b) => {
        const side = (i) => Math.max(Math.min(a[i + 2], b[i + 2]) - Math.max(a[i], b[i]), 0);
        const common = side(0) * side(1);
        return f(common / (area(a) + area(b) - common));
      };
      const order = boxes.map((_, i) => i).sort((a, b) => scores[b] - scores[a] || a - b);
      const kept = (same) =>
        order.reduce(
          (list, i) => (list.some((j) => same(i, j) && overlap(boxes[i], boxes[j]) > 0.25) ? list : [...list, i]),
          [],
        );
      const input = tensor(boxes.flat(), [count, 4]);
      expect([...nms(input, tensor(scores), 0.25).data]).toEqual(kept(() => true));
      const idxs = { type: 'int32', dims: [count], data: Int32Array.from(classes) };
      // Whole numbers: shifting boxes by their class moves no bit.
      expect([...batchedNms(input, tensor(scores), idxs, 0.25).data]).toEqual(
        kept((i, j) => classes[i] === classes[j]),
      );
      const pairs = boxIou(input, input).data;
      const wanted = Float32Array.from(boxes.flatMap((a) => boxes.map((b) => overlap(a, b))));
      expect(pairs.every((value, i) => Object.is(value, wanted[i]))).toBe(true);
    }
  });

  test('batched nms of 1,500 boxes compares within classes', () => {
    const { next, below } = source(7);
    const boxes = Array.from({ length: 1500 }, () => {
      const [x, y] = [next() * 90, next() * 90];
      return [x, y, x + 10 * next(), y + 10 * next()].map(f);
    });
    const scores = tensor(boxes.map(() => next()));
    const classes = Int32Array.from(boxes, () => below(4));
    const all = batchedNms(
      tensor(boxes.flat(), [1500, 4]),
      scores,
      { type: 'int32', dims: [1500], data: classes },
      0.3,
    );
    const parts = [0, 1, 2, 3].flatMap((one) => {
      const places = boxes.map((_, i) => i).filter((i) => classes[i] === one);
      const part = tensor(
        places.flatMap((i) => boxes[i]),
        [places.length, 4],
      );
      return [...nms(part, tensor(places.map((i) => scores.data[i])), 0.3).data].map((i) => places[i]);
    });
    expect([...all.data]).toEqual(parts.sort((a, b) => scores.data[b] - scores.data[a]));
  });

  test('topk of 1,000 rows gives the greatest values, whichever of equals', () => {
    for (let seed = 0; seed < 1000; seed++) {
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

  test('argmax of 500 tensors along each axis', () => {
    for (let seed = 0; seed < 500; seed++) {
      const { below } = source(seed);
      const dims = [1 + below(4), 1 + below(5), 1 + below(6)];
      const [a, b, c] = dims;
      const values = Array.from({ length: a * b * c }, () => below(4));
      const at = (i, j, k) => values[(i * b + j) * c + k];
      const first = (list) => list.indexOf(Math.max(...list));
      const range = (n) => Array.from({ length: n }, (_, i) => i);
      const middle = range(a).flatMap((i) => range(c).map((k) => first(range(b).map((j) => at(i, j, k)))));
      expect([...argmax(tensor(values, dims), 1).data]).toEqual(middle);
      const outer = range(b).flatMap((j) => range(c).map((k) => first(range(a).map((i) => at(i, j, k)))));
      expect([...argmax(tensor(values, dims), -3).data]).toEqual(outer);
    }
  });

  test('bilinear resizes of 300 pictures, on both sides of the small kernel', () => {
    for (let seed = 0; seed < 300; seed++) {
      const { next, below } = source(seed);
      const [channels, h, w] = [1 + below(17), 1 + below(9), 1 + below(9)];
      const size = seed % 3 ? [1 + below(12), 1 + below(12)] : [120 + below(3), 8 + below(3)];
      const align = seed % 2 === 1;
      const values = Array.from({ length: channels * h * w }, () => f(8 * next() - 4));
      const isSmall = size[0] + size[1] <= 128;
      const { data } = interpolate(tensor(values, [1, channels, h, w]), {
        size,
        mode: 'bilinear',
        align_corners: align,
      });
      const [rows, columns] = [axis(h, size[0], align, isSmall), axis(w, size[1], align, isSmall)];
      const expected = [];
      for (let channel = 0; channel < channels; channel++) {
        const at = (y, x) => values[(channel * h + y) * w + x];
        const isVector = channel < channels - (channels % 8);
        for (const row of rows) {
          for (const column of columns) {
            const corners = [row.a, row.b].map((y) => [at(y, column.a), at(y, column.b)]);
            expected.push((isSmall ? smallPixel : pixel)(corners, row, column, isVector));
          }
        }
      }
      // One comparison of all bytes: a million of `expect` take minutes.
      expect(Buffer.from(data.buffer).equals(Buffer.from(Float32Array.from(expected).buffer))).toBe(true);
    }
  });

  test('run lengths of 500 masks', () => {
    for (let seed = 0; seed < 500; seed++) {
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

/** Where torch looks along an axis, and by how much. */
function axis(n, count, align, isSmall) {
  return Array.from({ length: count }, (_, i) => {
    const scale = align ? (count > 1 ? f((n - 1) / (count - 1)) : 0) : f(n / count);
    const half = isSmall ? fma(scale, i + 0.5, -0.5) : f(f(scale * (i + 0.5)) - 0.5);
    const place = align ? f(scale * i) : Math.max(half, 0);
    const a = Math.min(Math.floor(place), n - 1);
    const part = Math.min(Math.max(f(place - a), 0), 1);
    return { a, b: Math.min(a + 1, n - 1), parts: [f(1 - part), part] };
  });
}

function pixel([[a, b], [c, d]], { parts: v }, { parts: u }) {
  const top = fma(a, u[0], f(b * u[1]));
  const bottom = fma(c, u[0], f(d * u[1]));
  return fma(top, v[0], f(bottom * v[1]));
}

function smallPixel([[a, b], [c, d]], { parts: v }, { parts: u }, isVector) {
  const [w00, w01, w10, w11] = [f(v[0] * u[0]), f(v[0] * u[1]), f(v[1] * u[0]), f(v[1] * u[1])];
  if (isVector) return fma(w00, a, fma(w01, b, fma(w11, d, f(w10 * c))));
  return fma(w11, d, fma(w10, c, fma(w00, a, f(w01 * b))));
}
