/** decodeYolo: heads of YOLOv5 against plain loops, forms of the call, whole messages. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Tensor } from 'onnx-layout';
import { decodeYolo, init } from 'onnx-layout/postprocess';
import { make, uniform } from './recipes.js';

const f = Math.fround;
const numbers = (values, dims) => Tensor.from('float32', values, dims);
const lists = (results) =>
  results.map((result) => Object.fromEntries(Object.entries(result).map(([name, { data }]) => [name, [...data]])));

beforeAll(() => init());

describe('a head of YOLOv5', () => {
  /** Rows of a box, an objectness and 3 classes, from rules: score = objectness * class, both above conf. */
  function expected(rows, { conf, iou, all }) {
    const found = rows.flatMap(([x, y, w, h, objectness, ...classes]) => {
      if (!(objectness > f(conf))) return [];
      const scores = classes.map((score) => f(score * objectness));
      const best = scores.indexOf(Math.max(...scores));
      const [left, top] = [f(x - f(w / 2)), f(y - f(h / 2))];
      const box = [left, top, f(x + f(w / 2)), f(y + f(h / 2))];
      return scores.flatMap((score, label) =>
        score > f(conf) && (all || label === best)
          ? [{ score, label, box, shifted: box.map((s) => f(s + 7680 * label)) }]
          : [],
      );
    });
    found.sort((a, b) => b.score - a.score);
    const area = ([a, b, c, d]) => f(f(c - a) * f(d - b));
    const overlap = (a, b) => {
      const side = (i) => Math.max(f(Math.min(a[i + 2], b[i + 2]) - Math.max(a[i], b[i])), 0);
      const common = f(side(0) * side(1));
      return f(common / f(f(area(a) + area(b)) - common));
    };
    return found.reduce(
      (kept, one) => (kept.some((better) => overlap(better.shifted, one.shifted) > iou) ? kept : [...kept, one]),
      [],
    );
  }

  test.each([[false], [true]])('answers as the rules say, with multi_label %s', (all) => {
    for (let seed = 1; seed <= 100; seed++) {
      const rows = Array.from({ length: 20 }, (_, i) =>
        Array.from({ length: 8 }, (__, k) => {
          const value = uniform(seed, 8 * i + k);
          return f(k < 2 ? 20 + 60 * value : k < 4 ? 5 + 30 * value : value);
        }),
      );
      const options = { size: [100, 100], nc: 3, conf: 0.2, iou: 0.3, multi_label: all };
      const [result] = lists(decodeYolo(numbers(rows.flat(), [1, 20, 8]), options));
      const wanted = expected(rows, { conf: 0.2, iou: 0.3, all });
      expect(wanted.length).toBeGreaterThan(0);
      expect(result.scores).toEqual(wanted.map(({ score }) => score));
      expect(result.labels).toEqual(wanted.map(({ label }) => label));
      expect(result.boxes).toEqual(wanted.flatMap(({ box }) => box.map((side) => Math.min(Math.max(side, 0), 100))));
    }
  });

  test('of one class needs end2end: false', () => {
    const rows = numbers([...[50, 50, 10, 10, 0.9, 0.5], ...Array(36).fill(0)], [1, 7, 6]);
    expect(lists(decodeYolo(rows, { size: [100, 100], end2end: false }))).toEqual([
      { boxes: [45, 45, 55, 55], scores: [f(f(0.9) * 0.5)], labels: [0] },
    ]);
    expect(lists(decodeYolo(rows, { size: [100, 100] }))).toEqual([
      { boxes: [50, 50, 10, 10], scores: [f(0.9)], labels: [0] },
    ]);
  });
});

describe('a call', () => {
  const recipe = { kind: 'yolo', dims: [1, 10, 336], seed: 7, nc: 6, size: 128, objects: 4 };
  const output0 = make(recipe);
  const options = { size: [128, 128], conf: 0.2 };

  test('takes a tensor, output0 or output, and classes from the dims', () => {
    const [result] = lists(decodeYolo({ output0 }, { ...options, nc: 6 }));
    expect(result.scores.length).toBeGreaterThan(1);
    for (const outputs of [output0, { output: output0 }]) expect(lists(decodeYolo(outputs, options))).toEqual([result]);
  });

  test('answers picture by picture, each with its size', () => {
    const other = make({ ...recipe, seed: 8 });
    const both = { type: 'float32', dims: [2, 10, 336], data: Float32Array.of(...output0.data, ...other.data) };
    const alone = [output0, other].flatMap((one, i) => decodeYolo(one, { ...options, orig: [64 << i, 50] }));
    expect(
      lists(
        decodeYolo(both, {
          ...options,
          orig: [
            [64, 50],
            [128, 50],
          ],
        }),
      ),
    ).toEqual(lists(alone));
  });

  test('drops an anchor with a NaN score', () => {
    const [whole] = lists(decodeYolo(output0, options));
    const data = output0.data.slice();
    for (let anchor = 0; anchor < 336; anchor++) data[9 * 336 + anchor] = NaN;
    expect(lists(decodeYolo({ ...output0, data }, options))).toEqual([{ boxes: [], scores: [], labels: [] }]);
    expect(whole.scores.length).toBeGreaterThan(0);
  });

  test('leaves what it reads alone', () => {
    const before = output0.data.slice();
    decodeYolo(output0, options);
    expect(output0.data).toEqual(before);
  });

  test('of no picture and of no anchor answers nothing', () => {
    expect(decodeYolo(numbers([], [0, 5, 6]), { size: [64, 64] })).toEqual([]);
    const result = { boxes: [], scores: [], labels: [] };
    expect(lists(decodeYolo(numbers([], [1, 6, 0]), { size: [64, 64], nc: 2 }))).toEqual([result]);
    expect(lists(decodeYolo(numbers([], [1, 0, 6]), { size: [64, 64], end2end: true }))).toEqual([result]);
  });

  const tensor = numbers(Array(60).fill(0), [1, 6, 10]);
  const heads = (nc, extras) =>
    `output0 must have dims [batch, ${4 + nc + extras}, anchors] or [batch, anchors, ${5 + nc + extras}]`;
  test.each([
    ['no outputs', [undefined, options], TypeError, 'outputs must be an object of tensors, got undefined'],
    ['other names', [{ logits: tensor }, options], TypeError, 'outputs must have output0, got logits'],
    ['no prototypes', [tensor, { ...options, task: 'segment' }], TypeError, 'outputs must have output1, got output0'],
    [
      'another rank',
      [numbers([1], [1]), options],
      RangeError,
      'output0 must have dims [batch, channels, anchors], got [1]',
    ],
    [
      'another task',
      [tensor, { task: 'track' }],
      RangeError,
      "task must be 'detect', 'segment', 'pose', 'obb' or 'classify', got 'track'",
    ],
    ['no size', [tensor, {}], TypeError, 'size must be an array, got undefined'],
    [
      'a class beyond all heads',
      [tensor, { ...options, classes: [2e9] }],
      RangeError,
      'classes must be below 1000000, got 2000000000',
    ],
    ['other classes', [tensor, { ...options, nc: 3 }], RangeError, `${heads(3, 0)}, got [1, 6, 10]`],
    [
      'no room for classes',
      [tensor, { ...options, task: 'pose' }],
      RangeError,
      `${heads(1, 51)} or more channels, got [1, 6, 10]`,
    ],
    [
      'no rows',
      [tensor, { ...options, end2end: true }],
      RangeError,
      'output0 must have dims [batch, n, 6], got [1, 6, 10]',
    ],
    [
      'too many sizes',
      [
        tensor,
        {
          ...options,
          orig: [
            [1, 1],
            [2, 2],
          ],
        },
      ],
      RangeError,
      'orig must have 1 entries, one a picture, got 2',
    ],
    ['a NaN threshold', [tensor, { ...options, conf: NaN }], RangeError, 'conf must be a number, got NaN'],
    [
      'points of four numbers',
      [tensor, { ...options, kpt_shape: [1, 4] }],
      RangeError,
      'kpt_shape must be [count, 2 or 3], got [1, 4]',
    ],
    ['an unknown option', [tensor, { ...options, max: 1 }], TypeError, "unknown option 'max'"],
  ])('with %s is refused', (_, given, Class, message) => {
    let error;
    try {
      decodeYolo(...given);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(Class);
    expect(error.message.slice(0, `decodeYolo: ${message}`.length)).toBe(`decodeYolo: ${message}`);
  });
});
