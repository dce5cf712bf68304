/** Ranges of numbers as Python's libraries make them, to the last bit that choosing frames depends on. */
import { rangeError } from '../../arguments/index.js';

const { ceil, floor, fround, trunc } = Math;

/** Beyond it float32, by which torch counts, has no whole numbers in turn. */
export const mostFrames = 2 ** 24;

/** @type {(count: number) => number} */
export const checkCount = (count) =>
  count <= mostFrames ? count : rangeError(`a video must give at most ${mostFrames} frames, got ${count}`);

/**
 * `torch.arange(start, total, step)` as whole numbers. In runs of 8, as long as 16 remain, the first is rounded and the
 * others are counted from it in float64. For one pair of 23 there is an element `total`, which is no frame.
 * @type {(total: number, step: number, start?: number) => number[]}
 */
export function arange(total, step, start = 0) {
  const count = checkCount(Math.max(0, ceil((total - start) / step)));
  const inRuns = count - (count % 16);
  return Array.from({ length: count }, (_, i) => {
    const run = i % 8;
    const value = i < inRuns ? fround(start + step * (i - run)) + run * step : start + step * i;
    return trunc(fround(value));
  }).filter((frame) => frame < total);
}

/** @type {(first: number, last: number, count: number) => number[]} NumPy's, in float64. */
export function linspace(first, last, count) {
  if (checkCount(count) === 1) return [first];
  const step = (last - first) / (count - 1);
  return Array.from({ length: count }, (_, i) => (i === count - 1 ? last : i * step + first));
}

/** @type {(first: number, last: number, count: number) => number[]} NumPy's as whole numbers, which it rounds down. */
export const linspaceWhole = (first, last, count) => linspace(first, last, count).map(floor);

/** @type {(last: number, count: number) => number[]} torch's from 0 on: float32, from both ends. */
export function torchLinspace(last, count) {
  if (checkCount(count) === 1) return [0];
  const step = fround(fround(last) / (count - 1));
  return Array.from({ length: count }, (_, i) =>
    trunc(fround(i < floor(count / 2) ? step * i : fround(last) - step * (count - 1 - i))),
  );
}
