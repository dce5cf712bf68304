/** Numbers of pictures that the module changes or measures in the scratch area. */
import * as cpp from '../../../dist/bridge/images.js';
import { largest, smallest } from '../../arguments/index.js';
import { conversionBytes } from '../tensors/index.js';
import { ready } from './load.js';
import { area, callBlock, callFloats, scratch, scratchByte } from './module.js';

/** @import { Samples } from './types.js' */

/** How many pixels of three planes are in the scratch area at once. */
const planeStep = conversionBytes / 12;

/** Puts parts of three planes into the scratch area, side by side: at its start, unless other arrays lie there.
 * @type {(planes: Float32Array, use: (numbers: Float32Array, done: number, count: number) => void) => void} */
function forPlanes(planes, use) {
  const size = planes.length / 3;
  const numbers = area.view(Float32Array, area.space(12 * planeStep), 3 * planeStep);
  for (let done = 0, count; done < size; done += count) {
    count = Math.min(planeStep, size - done);
    for (let c = 0; c < 3; c++) numbers.set(planes.subarray(c * size + done, c * size + done + count), c * count);
    use(numbers, done, count);
  }
}

/** The first of three planes becomes their gray, by torchvision's weights. `isFused`: products are not rounded.
 * @type {(planes: Float32Array, isFused: boolean) => boolean} whether they were gray before */
export function grayPlanes(planes, isFused) {
  let isGray = true;
  area.clear();
  forPlanes(planes, (numbers, done, count) => {
    isGray = ready().grayPlanes(count, Number(isFused)) === 1 && isGray;
    planes.set(numbers.subarray(0, count), done);
  });
  return isGray;
}

/** The scratch area, for 3 * 2^20 numbers of {@link neighborSums}. Behind them lie weights.
 * @type {(samples: Samples) => Samples} of the class of `samples` */
export const neighborMemory = (samples) =>
  samples instanceof Float32Array ? new Float32Array(scratch.buffer, scratchByte, 3 * 2 ** 20) : scratch;

/** Sums of `count` numbers behind `weights.length - 1` times `stride` others. They take the place of the first ones.
 * @type {(memory: Samples, count: number, stride: number, weights: readonly number[]) => Samples} */
export function neighborSums(memory, count, stride, weights) {
  area.clear();
  const from = area.space(3 * 2 ** 22);
  const behind = area.put(Float64Array.from(weights), 8 * weights.length);
  callBlock.set([memory.BYTES_PER_ELEMENT, count, stride, weights.length - 1, from, behind]);
  ready().sumNeighbors();
  return memory.subarray(0, count);
}

/** Adds the line at the start of the scratch area, blurred, to a row of `count` bytes. See cpp/processors/blur.h.
 * @type {(count: number, weights: Float32Array, shares: Float32Array, line: number) => Uint8Array} the row */
export function blurLine(count, weights, shares, line) {
  const block = 2 ** 20;
  neighborMemory(weights).set(weights, block / 4);
  callBlock.set([count, weights.length, line, shares.length, scratchByte]);
  callFloats[5] = shares[line];
  ready().blurLine();
  return scratch.subarray(3 * block, 3 * block + count);
}

export const mostColors = 2 ** 18;

/** The nearest of some colors, at most `mostColors`, for each pixel of three planes, as int64.
 * @type {(planes: Float32Array, colors: Float64Array, result: Uint8Array) => void} */
export function nearestColors(planes, colors, result) {
  area.clear();
  const [colorsAt, to] = [area.put(colors, colors.byteLength), area.space(8 * planeStep)];
  forPlanes(planes, (numbers, done, count) => {
    const colorCount = colors.length / 4;
    cpp.writeNearestColors(callBlock, { count, colors: colorCount, pixels: numbers.byteOffset, color: colorsAt, to });
    ready().nearestColors();
    result.set(area.view(Uint8Array, to, 8 * count), 8 * done);
  });
}

/** @type {(numbers: Samples) => [least: number, most: number]} */
export function extremesOf(numbers) {
  const memory = neighborMemory(numbers);
  /** @type {number[]} */
  const extremes = [];
  for (let done = 0; done < numbers.length; done += 2 ** 16) {
    const piece = numbers.subarray(done, done + 2 ** 16);
    memory.set(piece);
    cpp.writeExtremes(callBlock, { element: memory.BYTES_PER_ELEMENT, count: piece.length, numbers: scratchByte });
    ready().extremes();
    extremes.push(memory[0], memory[1]);
  }
  return [smallest(extremes), largest(extremes)];
}
