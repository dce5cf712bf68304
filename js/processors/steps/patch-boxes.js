/** The patches of a picture: where its bytes go, and their numbers. */
import { bytesBetween, bytesOf, rangeError } from '../../arguments/index.js';
import { convertBytes, move, planFor } from '../../engines/tensors/index.js';
import { groupedPixelBytes, pixelBytes } from '../../engines/images/index.js';
import { dtypes, newData, tensorOf } from '../../tensor/index.js';
import { byteNumbers, checkKept, sizeOf, stripMemory, writeStrips } from '../pictures/index.js';
import { reportNumbers } from './results.js';

/** @import { Box } from '../../engines/tensors/types.js' */
/** @import { Tensor } from '../../tensor/index.js' */
/** @import { Numbers, Picture, Size } from '../types.js' */

/** How patches lie in their tensor.
 * @typedef {object} PatchOrder
 * @property {number} patch its side
 * @property {number} [merge] the side of a group of patches, in patches
 * @property {boolean} [isGrouped] whether the patches of a group follow one another
 * @property {string} [order] of a patch's channel, frame, row and column
 * @property {number} [frames] in a patch */

/** Writes the patches of pictures of one size, of which a patch has one or all, strip by strip. Bytes are laid in order
 * before they become numbers: they are a quarter of float32, and a strip of four times as many rows makes fewer of them
 * twice. Qwen2.5-VL's video takes .7 of what it takes with strips of float32 (measured).
 * @type {(pictures: readonly Picture[], numbers: Numbers, order: PatchOrder, destination: Uint8Array) => void}
 *   destination: exactly the bytes of the patches */
export function writePatches(pictures, numbers, order, destination) {
  const { width, height } = sizeOf(pictures[0]);
  const { patch, merge = 1, isGrouped = false, frames = 1 } = order;
  for (const picture of pictures) reportNumbers(picture, numbers);
  const rowBytes = destination.length / height;
  const rows = patch * merge;
  const shape = [patch, merge, frames, pictures.length, Number(isGrouped)];
  writeStrips(pictures, byteNumbers, { rows, isPlanar: false }, (strips, y, count) => {
    const pixels = stripMemory(1, 3 * frames * count * width);
    move(planFor(patchBoxes, 8, [count / rows, width], shape), [strips], [pixels]);
    writeNumbers(pixels, numbers, order, bytesBetween(destination, y * rowBytes, (y + count) * rowBytes));
  });
}

/** The boxes that copy strips of pixels to patches, row by row or group by group of `merge` x `merge` patches. A single
 * strip is repeated for all frames.
 * @type {(a: readonly number[], b: readonly number[]) => Box[]} */
function patchBoxes([groups, width], [patch, merge, frames, strips, isGrouped]) {
  const [row, side] = [3 * width, patch * merge];
  const outer = [
    [groups, side * row],
    [width / side, 3 * side],
    [merge, patch * row],
    [merge, 3 * patch],
  ];
  const [down, across, downIn, acrossIn] = outer;
  const inner = [
    [frames, strips > 1 ? groups * side * row : 0],
    [patch, row],
    [3 * patch, 1],
  ];
  const axes = [...(isGrouped ? outer : [down, downIn, across, acrossIn]), ...inner];
  const extents = axes.map(([extent]) => extent);
  return [{ extents, from: axes.map(([, from]) => from), to: denseStrides(extents) }];
}

/** Converts patches of bytes [frame, row, column, channel] to numbers in the order that the class has.
 * @type {(pixels: Uint8Array, numbers: Numbers, order: PatchOrder, destination: Uint8Array) => void} */
function writeNumbers(pixels, { dtype, channels }, { patch, order = 'yxc', frames = 1 }, destination) {
  const isApart = order === 'yxct' && frames > 1;
  const target = isApart ? stripMemory(2, destination.length) : destination;
  const numbers = { dtype, channels, destination: target };
  const size = pixels.length / 3;
  if (order.startsWith('yxc') && !isApart)
    pixelBytes(
      { data: pixels, width: size, height: 1, channels: 3, rowstride: 3 * size },
      { ...numbers, isPlanar: false, size },
    );
  else groupedPixelBytes(pixels, order === 'tcyx' ? patch * patch : frames * patch * patch, numbers);
  if (isApart) move(planFor(framesLast, dtype.bits, [size], [patch * patch, frames]), [target], [destination]);
}

/** The boxes that copy the planes of each channel's frames to [row, column, channel, frame].
 * @type {(a: readonly number[], b: readonly number[]) => Box[]} */
function framesLast([size], [plane, frames]) {
  const extents = [size / (plane * frames), plane, 3, frames];
  return [{ extents, from: [3 * frames * plane, 1, frames * plane, plane], to: denseStrides(extents) }];
}

/** The strides of a dense array. @type {(extents: readonly number[]) => number[]} */
function denseStrides(extents) {
  let stride = 1;
  return extents.reduceRight((/** @type {number[]} */ strides, extent) => {
    strides.unshift(stride);
    stride *= extent;
    return strides;
  }, []);
}

/** Refuses pictures whose sides are no multiples of `unit`. @type {(picture: Picture, unit: number) => void} */
export function checkWhole(picture, unit) {
  const { width, height } = sizeOf(picture);
  checkKept(picture);
  if (width % unit > 0 || height % unit > 0)
    rangeError(`an image must have sides of multiples of ${unit} here, got ${width} x ${height}`);
}

/** The column and row of each patch, int64 [pictures, length, 2], with -1 behind the last patch. 2,025 patches of 2,048
 * take .04 of the 6 ms of Gemma 4 for a picture of 720 x 720, all that a kernel could save (measured).
 * @type {(grids: readonly Size[], length: number) => Tensor} */
export function gridPositions(grids, length) {
  const positions = newData(dtypes.int32, 2 * grids.length * length, undefined).fill(-1);
  grids.forEach(({ width, height }, i) => {
    for (let at = 0; at < height * width; at++) {
      positions[2 * (i * length + at)] = at % width;
      positions[2 * (i * length + at) + 1] = Math.floor(at / width);
    }
  });
  const wide = newData(dtypes.int64, positions.length, undefined);
  convertBytes(dtypes.int32, dtypes.int64, positions.length, bytesOf(positions), bytesOf(wide));
  return tensorOf(dtypes.int64, wide, [grids.length, length, 2]);
}
