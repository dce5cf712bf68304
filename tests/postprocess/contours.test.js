/** Contours, polygons and text: against plain loops, forms of the call, whole messages. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Tensor } from 'onnx-layout';
import * as answers from 'onnx-layout/postprocess';
import { uniform } from './recipes.js';

const { approxPolyDP, boxPoints, contourArea, convexHull, ctcDecode, fillPoly, findContours, init } = answers;
const { minAreaRect, sortTextBoxes, textDetection } = answers;

beforeAll(() => init());

const points = (list) => Tensor.from('int32', list.flat(), [list.length, 2]);

/** A source of whole numbers below an end that a seed repeats. */
function source(seed) {
  let at = 0;
  return (end) => Math.floor(uniform(seed, at++) * end);
}

describe('random calls', () => {
  test('contours of 500 masks pass all pixels at a border, and tell parts from holes', () => {
    for (let seed = 0; seed < 500; seed++) {
      const below = source(seed);
      const [height, width] = [1 + below(9), 1 + below(9)];
      const data = Uint8Array.from({ length: height * width }, () => Number(below(3) > 0));
      const at = (x, y) => x >= 0 && y >= 0 && x < width && y < height && data[y * width + x] === 1;
      const { contours, parents } = findContours(new Tensor('bool', data, [height, width]), { method: 'none' });
      const passed = new Set();
      const steps = [];
      for (const { data: list } of contours) {
        for (let i = 0; i < list.length; i += 2) {
          passed.add(list[i + 1] * width + list[i]);
          // Neighbors on a border touch.
          const next = (i + 2) % list.length;
          steps.push(Math.abs(list[i] - list[next]), Math.abs(list[i + 1] - list[next + 1]));
        }
      }
      expect(steps.every((step) => step < 2)).toBe(true);
      const edges = [...data.keys()].filter((i) => {
        const [x, y] = [i % width, Math.floor(i / width)];
        const isInside = at(x - 1, y) && at(x + 1, y) && at(x, y - 1) && at(x, y + 1);
        return data[i] === 1 && !isInside;
      });
      expect([...passed].sort((a, b) => a - b)).toEqual(edges);
      const outer = findContours(new Tensor('bool', data, [height, width]), { mode: 'external', method: 'none' });
      expect(outer.contours.length).toBe([...parents.data].filter((parent) => parent === -1).length);
    }
  });

  test('hulls of 500 sets have all points on one side, and rectangles hold them', () => {
    for (let seed = 0; seed < 500; seed++) {
      const below = source(seed);
      const list = Array.from({ length: 1 + below(30) }, () => [below(40), below(40)]);
      const hull = convexHull(points(list)).toArray();
      const corners = hull.filter((_, i) => i % 2 === 0).map((x, i) => [x, hull[2 * i + 1]]);
      corners.forEach(([x, y], i) => {
        const [nextX, nextY] = corners[(i + 1) % corners.length];
        expect(list.every(([a, b]) => (nextX - x) * (b - y) >= (nextY - y) * (a - x))).toBe(true);
      });
      const indices = convexHull(points(list), { returnPoints: false }).toArray();
      expect(indices.flatMap((index) => list[index])).toEqual(hull);
      const { center, size, angle } = minAreaRect(points(list));
      const turn = (-angle * Math.PI) / 180;
      const isInside = ([a, b]) => {
        const [x, y] = [a - center[0], b - center[1]];
        const along = Math.abs(x * Math.cos(turn) - y * Math.sin(turn));
        const across = Math.abs(x * Math.sin(turn) + y * Math.cos(turn));
        return along <= size[0] / 2 + 1e-3 && across <= size[1] / 2 + 1e-3;
      };
      expect(list.every(isInside)).toBe(true);
    }
  });
});

test('a mask of more border than room is followed again', () => {
  const data = Uint8Array.from({ length: 200 * 200 }, (_, i) =>
    Number((i % 200) % 2 === 0 && Math.floor(i / 200) % 2 === 0),
  );
  const { contours } = findContours({ type: 'uint8', dims: [200, 200], data }, { method: 'none' });
  expect(contours.length).toBe(100 * 100);
  const full = Uint8Array.from({ length: 90 * 90 }, (_, i) =>
    Number((i % 90) % 2 === 0 || Math.floor(i / 90) % 2 === 0),
  );
  const nets = findContours({ type: 'uint8', dims: [90, 90], data: full }, { method: 'none' });
  expect(nets.contours.length).toBe(1 + 44 * 44 + 44 + 44 + 1 - 90 + 1);
});

test('Wav2Vec2 has its own blank and a character for spaces', () => {
  const probs = Tensor.from('float32', [9, 0, 0, 0, 0, 9, 0, 0, 0, 0, 9, 0, 0, 9, 0, 0], [1, 4, 4]);
  const options = { character_list: ['a', '|', 'b', '<pad>'], blank: 3, word_delimiter_token: '|' };
  expect(ctcDecode(probs, options)[0].text).toBe('a b');
});

// transformers' Wav2Vec2CTCTokenizer.decode of the same ids.
test.each([
  [
    [3, 1, 0, 0, 3, 0, 2, 1, 1, 3, 1, 2, 2, 3, 1],
    'aab  b',
    [' 1 2', 'a 2 4', 'a 5 6', 'b 6 7', ' 7 9', ' 10 11', 'b 11 13', ' 14 15'],
    ['aab 2 7', 'b 11 13'],
  ],
  [[0, 0, 0], 'a', ['a 0 3'], ['a 0 3']],
  [[3, 3], '', [], []],
  [[1, 1, 3], '', [' 0 2'], []],
  [[2, 3, 2, 1, 0], 'bb a', ['b 0 1', 'b 2 3', ' 3 4', 'a 4 5'], ['bb 0 3', 'a 4 5']],
])('offsets of characters and words of %j', (ids, text, chars, words) => {
  const data = ids.flatMap((id) => [0, 1, 2, 3].map((other) => Number(other === id)));
  const [found] = ctcDecode(Tensor.from('float32', data, [1, ids.length, 4]), {
    ...{ character_list: ['a', '|', 'b', '<pad>'], blank: 3, word_delimiter_token: '|' },
    ...{ output_char_offsets: true, output_word_offsets: true },
  });
  expect(found.text).toBe(text);
  const shown = (one) => Object.values(one).join(' ').replace(/^ +/, ' ');
  expect(found.char_offsets.map(shown)).toEqual(chars);
  expect(found.word_offsets.map(shown)).toEqual(words);
});

test('an empty text scores NaN, or 0 where it is rounded', () => {
  const probs = Tensor.from('float32', [1, 0, 1, 0], [1, 2, 2]);
  const character_list = ['', 'a'];
  expect(ctcDecode(probs, { character_list })).toEqual([{ text: '', score: NaN }]);
  expect(ctcDecode(probs, { character_list, round: 5 })).toEqual([{ text: '', score: 0 }]);
});

test('a map of nothing has no text, nor an order', () => {
  const { boxes, scores } = textDetection(new Tensor('float32', new Float32Array(64), [8, 8]));
  expect([boxes.dims, scores.dims, sortTextBoxes(boxes).dims]).toEqual([[0, 4, 2], [0], [0, 4, 2]]);
});

test('a box that grows by half a pixel, though a corner of its smallest rectangle is off by a hair', () => {
  const map = Float32Array.from({ length: 26 * 12 }, (_, i) => (i % 12 < 4 && i >= 16 * 12 && i < 23 * 12 ? 0.5 : 0));
  const { boxes, scores } = textDetection(new Tensor('float32', map, [26, 12]), {
    thresh: 0.25,
    unclip_ratio: 0.5,
    use_dilation: false,
  });
  expect([boxes.toArray(), scores.toArray()]).toEqual([[0, 16, 4, 16, 4, 23, 0, 23], [0.5]]);
});

const square = points([
  [0, 0],
  [1, 0],
  [1, 1],
]);
const mask = Tensor.from('uint8', [0, 0, 0, 0], [2, 2]);
test('a box of text begins a line where it lies 10 pixels below the one before', () => {
  const boxAt = (x, y) => [0, 1, 2, 3].flatMap(() => [x, y]);
  for (const [y, first] of [
    [10, 9],
    [9.999, 0],
  ]) {
    const boxes = Tensor.from('float32', [...boxAt(9, 0), ...boxAt(0, y)], [2, 4, 2]);
    expect(sortTextBoxes(boxes).data[0]).toBe(first);
  }
});

test.each([
  [
    'findContours',
    [points([[1, 2]]), { mode: 'all' }],
    RangeError,
    "mode must be 'list', 'external', 'ccomp' or 'tree', got 'all'",
  ],
  ['findContours', [Tensor.from('bool', [1], [1])], RangeError, 'mask must have dims [height, width], got [1]'],
  ['convexHull', [Tensor.from('int32', [1, 2, 3], [3])], RangeError, 'points must have dims [n, 2], got [3]'],
  ['minAreaRect', [Tensor.from('int32', [], [0, 2])], RangeError, 'points must have points, got dims [0, 2]'],
  ['contourArea', [Tensor.from('float32', [1, NaN], [1, 2])], RangeError, 'contour must be finite'],
  ['boxPoints', [7], TypeError, 'rect must be an object, got 7'],
  [
    'boxPoints',
    [{ center: [1, 2], size: [1, 2], angle: NaN }],
    RangeError,
    'rect must hold 5 finite numbers, got [1, 2, 1, 2, NaN]',
  ],
  ['approxPolyDP', [square, -1, true], RangeError, 'epsilon must be at least 0, got -1'],
  ['approxPolyDP', [square, 1], TypeError, 'closed must be true or false, got undefined'],
  ['fillPoly', [mask, square, 256], RangeError, 'value must be in [0, 255], got 256'],
  ['fillPoly', [mask, points([[2 ** 25, 1]])], RangeError, 'points must be in [-16777216, 16777216], got 33554432'],
  ['fillPoly', [square, square], TypeError, 'mask type must be uint8 or bool, got int32'],
  [
    'textDetection',
    [Tensor.from('float32', [1], [1])],
    RangeError,
    'prob must have dims [height, width] or [1, 1, height, width], got [1]',
  ],
  ['sortTextBoxes', [Tensor.from('float32', [1], [1])], RangeError, 'boxes must have dims [n, 4, 2], got [1]'],
  [
    'ctcDecode',
    [Tensor.from('float32', [1, 1], [1, 1, 2]), { character_list: ['a'] }],
    RangeError,
    'character_list must have 2 entries, got 1',
  ],
  [
    'ctcDecode',
    [Tensor.from('float32', [1], [1, 1, 1]), {}],
    TypeError,
    'character_list must be an array, got undefined',
  ],
])('%s refuses', (name, given, Class, message) => {
  expect(() => answers[name](...given)).toThrow(new Class(`${name}: ${message}`));
});

test('areas have a sign where asked for', () => {
  expect([contourArea(square, { oriented: true }), contourArea(square)]).toEqual([0.5, 0.5]);
  const back = points([
    [1, 1],
    [1, 0],
    [0, 0],
  ]);
  expect([contourArea(back, { oriented: true }), contourArea(back)]).toEqual([-0.5, 0.5]);
  expect(fillPoly(mask, square, 3).toArray()).toEqual([3, 3, 0, 3]);
  expect(boxPoints(minAreaRect(square)).dims).toEqual([4, 2]);
});

describe('time grows little faster than the points:', () => {
  const curve = (count, placeOf) =>
    Tensor.from('float32', Array.from({ length: count }, (_, i) => placeOf(i)).flat(), [count, 2]);
  /** Seconds of the processor that a call takes. */
  const secondsOf = (work) => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };

  // Divided near an end each time, all pairs of points took 17 s.
  test.each([
    ['a spiral', (i) => [i * Math.cos(i), i * Math.sin(i)]],
    ['a zigzag', (i) => [i, i % 2 ? 1000 : -1000]],
  ])('approxPolyDP of 80,000 points of %s', (_, placeOf) => {
    const points = curve(80_000, placeOf);
    expect(secondsOf(() => expect(approxPolyDP(points, 0.5, false).dims).toEqual([80_000, 2]))).toBeLessThan(4);
  });

  // All edges at each row, sorted by insertion, took 27 s.
  test('fillPoly of 10,000 points', () => {
    const mask = Tensor.from('uint8', new Uint8Array(2000 * 2000), [2000, 2000]);
    const places = Array.from({ length: 20_000 }, (_, i) => Math.imul(i + 1, 2654435761) >>> 21);
    const points = Tensor.from('int32', places, [10_000, 2]);
    expect(secondsOf(() => fillPoly(mask, points, 5))).toBeLessThan(5);
  });

  test('convexHull with more corners than fit a call', () => {
    // Steps without a common divisor, by their angle: each turns a little more than the one before.
    const divisor = (a, b) => (b === 0 ? a : divisor(b, a % b));
    const steps = [];
    for (let x = 1; x <= 420; x++) for (let y = 0; x + y <= 420; y++) if (divisor(x, y) === 1) steps.push([x, y]);
    steps.sort((a, b) => a[1] * b[0] - b[1] * a[0]);
    const turned = [([x, y]) => [x, y], ([x, y]) => [-y, x], ([x, y]) => [-x, -y], ([x, y]) => [y, -x]];
    let [x, y] = [0, 0];
    const corners = turned.flatMap((turn) => steps.map(turn)).map(([dx, dy]) => [(x += dx), (y += dy)]);
    const hull = convexHull(curve(corners.length, (i) => corners[i]));
    expect(hull.dims).toEqual([corners.length, 2]);
    expect(corners.length).toBeGreaterThan(150_000);
  });
});
