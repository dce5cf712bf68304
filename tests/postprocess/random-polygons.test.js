/** Random polygons and contours against plain loops. */
import { beforeAll, test } from '@jest/globals';
import { fillPoly, findContours, init } from 'onnx-layout/postprocess';
import { bool, compare, int32, range } from './plain.js';

beforeAll(() => init());

/** Lines as OpenCV cuts and draws them, and the even-odd rows between edges in 16 bits of fraction. */
function filled([h, w], points) {
  const picture = new Uint8Array(h * w);
  const [one, cut] = [65536, Math.trunc];
  const edges = points.flatMap((to, i) => {
    const from = points.at(i - 1);
    const { isLeft, ends } = clipped([from, to], [h, w]);
    if (isLeft) draw(ends, (x, y) => (picture[y * w + x] = 1));
    if (from[1] === to[1]) return [];
    const rows = ends[0][1] === ends[1][1] ? [from[1], to[1]] : [ends[0][1], ends[1][1]];
    const slope = cut(((ends[1][0] - ends[0][0]) * one) / (rows[1] - rows[0]));
    const upper = from[1] < to[1] ? 0 : 1;
    const top = [from, to][upper][1];
    return [{ top, end: [from, to][1 - upper][1], x: ends[upper][0] * one + (top - rows[upper]) * slope, slope }];
  });
  for (let y = 0; y < h; y++) {
    const places = edges
      .filter(({ top, end }) => y >= top && y < end)
      .map(({ top, x, slope }) => x + (y - top) * slope);
    places.sort((a, b) => a - b);
    for (let i = 0; i + 1 < places.length; i += 2)
      for (let x = Math.max(Math.ceil(places[i] / one), 0); x <= Math.min(Math.floor(places[i + 1] / one), w - 1); x++)
        picture[y * w + x] = 1;
  }
  return picture;
}

/** Cohen's and Sutherland's clipping: rows, then columns. */
function clipped([a, b], [h, w]) {
  const ends = [[...a], [...b]];
  const sides = [w, h];
  const code = (end, axis) => (end[axis] < 0 ? 1 : end[axis] >= sides[axis] ? 2 : 0);
  const isOut = (axis) => (code(ends[0], axis) & code(ends[1], axis)) !== 0;
  if (isOut(0) || isOut(1)) return { isLeft: false, ends };
  for (const axis of [1, 0]) {
    if (isOut(axis)) return { isLeft: false, ends };
    for (const end of ends) {
      if (code(end, axis) === 0) continue;
      const edge = code(end, axis) === 1 ? 0 : sides[axis] - 1;
      const [first, last] = ends;
      end[1 - axis] += Math.trunc(
        ((edge - end[axis]) * (last[1 - axis] - first[1 - axis])) / (last[axis] - first[axis]),
      );
      end[axis] = edge;
    }
  }
  return { isLeft: true, ends };
}

/** Bresenham's line from the left end on. */
function draw(ends, set) {
  const [[x0, y0], [x1, y1]] = ends[0][0] <= ends[1][0] ? ends : [ends[1], ends[0]];
  const [right, down] = [x1 - x0, Math.abs(y1 - y0)];
  const steps = Math.max(right, down);
  const step = Math.sign(y1 - y0);
  for (let i = 0, aside = 0, error = steps - 2 * Math.min(right, down); i <= steps; i++) {
    set(x0 + (down > right ? aside : i), y0 + step * (down > right ? i : aside));
    if (error < 0) {
      aside++;
      error += 2 * steps;
    }
    error -= 2 * Math.min(right, down);
  }
}

test('fillPoly of polygons that leave the picture', () =>
  compare(300, ({ below, list }, seed) => {
    const [h, w] = [1 + below(30), 1 + below(30)];
    const far = [5, 20, 200][seed % 3];
    const points = list(1 + below(8), () => [below(w + 2 * far) - far, below(h + 2 * far) - far]);
    const mask = { type: 'uint8', dims: [h, w], data: new Uint8Array(h * w) };
    const made = fillPoly(mask, int32(points.flat(), [points.length, 2]));
    return [[made.data], [filled([h, w], points)]];
  }));

/** The parts of equal pixels, with their first pixels; parts of pixels that are set touch at corners too. */
function partsOf(data, [h, w]) {
  const part = new Int32Array(h * w).fill(-1);
  const firsts = [];
  for (let first = 0; first < part.length; first++) {
    if (part[first] >= 0) continue;
    const todo = [first];
    part[first] = firsts.length;
    while (todo.length) {
      const at = todo.pop();
      const [x, y] = [at % w, Math.floor(at / w)];
      for (const [dx, dy] of [-1, 0, 1].flatMap((a) => [-1, 0, 1].map((b) => [a, b]))) {
        const [nx, ny] = [x + dx, y + dy];
        const isNear = data[at] || dx === 0 || dy === 0;
        const next = ny * w + nx;
        if (!isNear || nx < 0 || ny < 0 || nx >= w || ny >= h || part[next] >= 0 || data[next] !== data[at]) continue;
        part[next] = firsts.length;
        todo.push(next);
      }
    }
    firsts.push(first);
  }
  return { part, firsts };
}

test('levels of contours are those of parts in parts', () =>
  compare(200, ({ below, list }) => {
    const [h, w] = [3 + below(12), 3 + below(12)];
    const inside = (i) => i % w > 0 && i % w < w - 1 && i >= w && i < (h - 1) * w;
    const often = 2 + below(4);
    const data = list(h * w, (i) => Number(inside(i) && below(often) > 0));
    const { part, firsts } = partsOf(data, [h, w]);
    // The part around a part lies left of its first pixel. The frame is the first part, and no contour.
    const around = firsts.map((first, i) => (i === 0 ? -1 : part[first - 1]));
    const branch = (one) => [
      one,
      ...range(firsts.length)
        .reverse()
        .filter((i) => around[i] === one)
        .flatMap(branch),
    ];
    const order = branch(0).slice(1);
    const parents = order.map((one) => order.indexOf(around[one]));
    return [[findContours(bool(data, [h, w]), { mode: 'tree' }).parents.data], [parents]];
  }));
