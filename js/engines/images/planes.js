/** Numbers of pictures that the module changes or measures in the scratch area. */
import * as cpp from '../../../dist/bridge/images.js';
import { largest, smallest } from '../../arguments/index.js';
import { floatBytes } from '../memory/index.js';
import { conversionBytes } from '../tensors/index.js';
import { ready } from './load.js';
import { area, callBlock, scratch, scratchByte } from './module.js';

/** @import { Samples } from './types.js' */

/** How many pixels of three float32 planes are in the scratch area at once, and the bytes of one. */
const planePixelBytes = 3 * floatBytes;
const maxPlanePixels = conversionBytes / planePixelBytes;

/** Copies three planes of one size to the module part by part: pixels `done` to `done + count` of each plane, one plane
 * behind the other, and calls `use` with a view of them. They lie behind the arrays that `area` holds: at the start of
 * the scratch area if there are none.
 * @type {(planes: Float32Array, use: (staged: Float32Array, done: number, count: number) => void) => void} */
function forEachPlanePiece(planes, use) {
  const size = planes.length / 3;
  const stagedAt = area.allocate(planePixelBytes * maxPlanePixels);
  const staged = area.view(Float32Array, stagedAt, 3 * maxPlanePixels);
  for (let done = 0; done < size; done += maxPlanePixels) {
    const count = Math.min(maxPlanePixels, size - done);
    for (let plane = 0; plane < 3; plane++) {
      const from = plane * size + done;
      staged.set(planes.subarray(from, from + count), plane * count);
    }
    use(staged, done, count);
  }
}

/** Writes the gray of three planes, by torchvision's weights, to the first plane. Returns whether the three
 * planes were equal before. `isFused`: products are not rounded, as on CPUs with fused multiply-add.
 * @type {(planes: Float32Array, isFused: boolean) => boolean} */
export function grayPlanes(planes, isFused) {
  let isGray = true;
  area.clear();
  forEachPlanePiece(planes, (staged, done, count) => {
    // The kernel works at the start of the scratch area, where the pixels are: no array lies before them.
    const wasGray = ready().grayPlanes(count, Number(isFused)) === 1;
    if (!wasGray) isGray = false;
    planes.set(staged.subarray(0, count), done);
  });
  return isGray;
}

/** The most colors of `nearestColors`, whose table lies in the scratch area. */
export const mostColors = 2 ** 18;
/** Numbers of a color, and bytes of its index in the result. */
const colorNumbers = 4;
const indexBytes = 8;

/** Finds for each pixel of three planes the nearest of some colors, at most `mostColors`. `colors`: red, green, blue
 * and the sum of their squares for each. `result`: the bytes of an int64 for each pixel, the index of its color.
 * @type {(planes: Float32Array, colors: Float64Array, result: Uint8Array) => void} */
export function nearestColors(planes, colors, result) {
  area.clear();
  const colorsAt = area.copyIn(colors, colors.byteLength);
  const to = area.allocate(indexBytes * maxPlanePixels);
  const colorCount = colors.length / colorNumbers;
  forEachPlanePiece(planes, (staged, done, count) => {
    cpp.writeNearestColors(callBlock, { count, colors: colorCount, pixels: staged.byteOffset, color: colorsAt, to });
    ready().nearestColors();
    result.set(area.view(Uint8Array, to, indexBytes * count), indexBytes * done);
  });
}

/** Numbers of a piece of `extremesOf`: half of its memory, because the kernel also writes behind the last one. */
const extremesStep = 2 ** 16;

/** Finds the least and the greatest of some numbers; [Infinity, -Infinity] if there are none.
 * @type {(numbers: Samples) => [least: number, most: number]} */
export function extremesOf(numbers) {
  const isFloat = numbers instanceof Float32Array;
  const memory = isFloat ? new Float32Array(scratch.buffer, scratchByte, 2 * extremesStep) : scratch;
  /** @type {number[]} */
  const extremes = [];
  for (let done = 0; done < numbers.length; done += extremesStep) {
    const piece = numbers.subarray(done, done + extremesStep);
    memory.set(piece);
    cpp.writeExtremes(callBlock, { element: memory.BYTES_PER_ELEMENT, count: piece.length, numbers: scratchByte });
    ready().extremes();
    // The kernel writes its results over the first two numbers.
    const [least, greatest] = memory;
    extremes.push(least, greatest);
  }
  return [smallest(extremes), largest(extremes)];
}
