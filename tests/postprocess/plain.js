/** Arithmetic and resizing as the rules of tests/goldens/postprocess/README.md have them, in plain loops. */
import { expect } from '@jest/globals';
import { commitHash } from '../support/sample.js';
import { uniform } from './recipes.js';

/**
 * The seeds of random calls: a few that the commit's hash chooses, or those from 0 on: as many as `CALLS` says, or ten
 * times the few where WHOLE is set.
 * @type {(few: number) => number[]}
 */
export function seeds(few) {
  const { CALLS, WHOLE } = process.env;
  const count = CALLS ?? (WHOLE ? 10 * few : undefined);
  const first = count === undefined ? parseInt(commitHash().slice(0, 6), 16) : 0;
  return Array.from({ length: Number(count ?? few) }, (_, i) => first + i);
}

/** A source of numbers that a seed repeats. */
export function source(seed) {
  let at = 0;
  const next = () => uniform(seed, at++);
  const below = (end) => Math.floor(next() * end);
  return { next, below, list: (length, make) => Array.from({ length }, (_, i) => make(i)) };
}

export const tensor = (values, dims = [values.length]) => ({ type: 'float32', dims, data: Float32Array.from(values) });
export const int32 = (values, dims = [values.length]) => ({ type: 'int32', dims, data: Int32Array.from(values) });
export const bool = (values, dims) => ({ type: 'bool', dims, data: Uint8Array.from(values) });
export const range = (length) => Array.from({ length }, (_, i) => i);
export const rowsOf = (values, width) =>
  range(values.length / width).map((i) => values.slice(i * width, (i + 1) * width));

export const area = ([left, top, right, bottom]) => (right - left) * (bottom - top);

/** The area that two boxes share, of the area that they cover. */
export function overlap(a, b) {
  const side = (i) => Math.max(Math.min(a[i + 2], b[i + 2]) - Math.max(a[i], b[i]), 0);
  const common = side(0) * side(1);
  return f(common / (area(a) + area(b) - common));
}

/** The boxes that stay, in their order: none is over one that stays before it. */
export const suppressed = (order, isOver) =>
  order.reduce((kept, i) => (kept.some((j) => isOver(j, i)) ? kept : [...kept, i]), []);

/** Compares the values of an answer, a list for each seed, in one comparison. */
export function compare(few, call) {
  const wrong = [];
  for (const seed of seeds(few)) {
    const [made, wanted] = call(source(seed), seed).map((lists) => JSON.stringify(lists.map((list) => [...list])));
    if (made !== wanted) wrong.push({ seed, made, wanted });
  }
  expect(wrong.slice(0, 3)).toEqual([]);
}

export const f = Math.fround;
export const fma = (a, b, c) => f(a * b + c);

const terms = [0.00139304355252534151, 0.00833336077630519867, 0.0416664853692054749, 0.166666671633720398, 0.5].map(f);

/** SLEEF's exponential, of numbers whose result is normal. */
function exp(x) {
  const product = f(x * f(1.4426950408889634));
  const floor = Math.floor(product);
  const q = product - floor === 0.5 ? floor + (floor & 1) : Math.round(product);
  const s = fma(q, f(-1.428606765330187e-6), fma(q, f(-0.693145751953125), x));
  const p = terms.reduce((sum, term) => fma(sum, s, term), f(0.000198527617612853646));
  return f(f(1 + fma(f(s * s), p, s)) * 2 ** q);
}

export const sigmoid = (x) => f(1 / f(1 + exp(-x)));

/** Eight sums in turn, whose upper half is added to the lower one until one is left. */
export function softmax(row) {
  const most = row.reduce((a, b) => Math.max(a, b));
  const powers = row.map((x) => exp(f(x - most)));
  let lanes =
    powers.length < 8
      ? powers
      : powers.slice(0, 8).map((_, lane) => powers.filter((__, i) => i % 8 === lane).reduce((a, b) => f(a + b)));
  while (lanes.length > 1 && powers.length >= 8) {
    const half = lanes.length / 2;
    lanes = lanes.slice(0, half).map((sum, i) => f(sum + lanes[i + half]));
  }
  const factor = f(1 / lanes.reduce((a, b) => f(a + b)));
  return powers.map((power) => f(power * factor));
}

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

/** A bilinear resize of [channels, h, w], by the small kernel or the general one. */
export function resized(values, [channels, h, w], size, align = false) {
  const isSmall = size[0] + size[1] <= 128;
  const [rows, columns] = [axis(h, size[0], align, isSmall), axis(w, size[1], align, isSmall)];
  const made = [];
  for (let channel = 0; channel < channels; channel++) {
    const at = (y, x) => values[(channel * h + y) * w + x];
    const isVector = channel < channels - (channels % 8);
    for (const row of rows) {
      for (const column of columns) {
        const corners = [row.a, row.b].map((y) => [at(y, column.a), at(y, column.b)]);
        made.push((isSmall ? smallPixel : pixel)(corners, row, column, isVector));
      }
    }
  }
  return made;
}
