/** Ranges of numbers as Python's libraries make them, to the last bit that choosing frames depends on. */
import { rangeError } from '../../arguments/index.js';

const { ceil, floor, fround, trunc } = Math;

/** The most frames of a video: torch counts them in float32, which lacks whole numbers above it. */
export const frameLimit = 2 ** 24;

/** Refuses more than 2^24 frames. @type {(count: number) => number} */
export const checkCount = (count) =>
  count <= frameLimit ? count : rangeError(`a video must give at most ${frameLimit} frames, got ${count}`);

/** The elements of a vector in torch's loop, and those of one turn of the loop, which takes two vectors. */
const [vectorLength, turnLength] = [8, 16];

/** The numbers of `torch.arange(start, total, step)` in float32, truncated to indices of frames. torch computes vectors
 * as long as a whole turn of its loop remains: the first element is rounded to float32, and the others add multiples of
 * the step to it in float64. Rounding may give an element `total`, which is not a frame and is dropped.
 * @type {(total: number, step: number, start?: number) => number[]} */
export function arange(total, step, start = 0) {
  const count = checkCount(Math.max(0, ceil((total - start) / step)));
  const countInVectors = count - (count % turnLength);
  return Array.from({ length: count }, (_, i) => {
    const lane = i % vectorLength;
    const vectorStart = fround(start + step * (i - lane));
    const value = i < countInVectors ? vectorStart + lane * step : start + step * i;
    return trunc(fround(value));
  }).filter((frame) => frame < total);
}

/** NumPy's linspace: `count` numbers at even steps from `first` to `last`, both included, in float64; `first` alone if
 * `count` is 1.
 * @type {(first: number, last: number, count: number) => number[]} */
export function linspace(first, last, count) {
  if (checkCount(count) === 1) return [first];
  const step = (last - first) / (count - 1);
  return Array.from({ length: count }, (_, i) => (i === count - 1 ? last : i * step + first));
}

/** NumPy's linspace as integers, which NumPy rounds down.
 * @type {(first: number, last: number, count: number) => number[]} */
export const linspaceWhole = (first, last, count) => linspace(first, last, count).map(floor);

/** The numbers of `torch.linspace(0, last, count)`, truncated: `count` numbers at even steps in float32, both ends
 * included; 0 alone if `count` is 1. torch counts the first half from 0 up and the rest from `last` down, which decides
 * the last bit.
 * @type {(last: number, count: number) => number[]} */
export function torchLinspace(last, count) {
  if (checkCount(count) === 1) return [0];
  const step = fround(fround(last) / (count - 1));
  const countFromStart = floor(count / 2);
  return Array.from({ length: count }, (_, i) => {
    const value = i < countFromStart ? step * i : fround(last) - step * (count - 1 - i);
    return trunc(fround(value));
  });
}
