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

/** How patches lie in their tensor: each is a row of numbers. Models merge groups of `merge` x `merge` patches to a
 * token.
 * @typedef {object} PatchOrder
 * @property {number} patch the side of a patch in pixels
 * @property {number} [merge] the side of a group of patches, in patches; 1 if omitted
 * @property {boolean} [isGrouped] whether the patches of a group follow one another; otherwise those of a picture's row
 * @property {string} [order] of the numbers in a patch, the fastest axis last: c (channel), t (frame), y (row) and x
 *   (column); 'yxc' if omitted
 * @property {number} [frames] how many frames of a video a patch has; 1 if omitted */

/** Writes the patches of an image, or of the frames of a video that share a patch: `pictures`, all of one size, are
 * these frames, or a single one that counts as all of them. `destination`: exactly the bytes of the patches. Works
 * strip by strip: pixels are brought into the order of patches as bytes and then become numbers, which takes .7 of the
 * time of float32 for Qwen2.5-VL's video (measured). Uses the memories 0 to 2 of stripMemory.
 * @type {(pictures: readonly Picture[], numbers: Numbers, order: PatchOrder, destination: Uint8Array) => void} */
export function writePatches(pictures, numbers, order, destination) {
  const { width, height } = sizeOf(pictures[0]);
  const { patch, merge = 1, isGrouped = false, frames = 1 } = order;
  for (const picture of pictures) reportNumbers(picture, numbers);
  // Bytes of the result for a row of pixels, and rows of pixels in a row of groups.
  const rowBytes = destination.length / height;
  const rows = patch * merge;
  const shape = [patch, merge, frames, pictures.length, Number(isGrouped)];
  writeStrips(pictures, byteNumbers, { rows, isPlanar: false }, (strips, y, count) => {
    const pixels = stripMemory(1, 3 * frames * count * width);
    move(planFor(patchBoxes, 8, [count / rows, width], shape), [strips], [pixels]);
    writeNumbers(pixels, numbers, order, bytesBetween(destination, y * rowBytes, (y + count) * rowBytes));
  });
}

/** The box that copies strips of RGB bytes to patches [patch, frame, row, column, channel], which follow one another
 * row by row, or group by group of `merge` x `merge` patches. `groups`: rows of groups in a strip; `width`: of a strip
 * in pixels; `strips`: how many lie one after the other, one a frame; a single one is repeated for all `frames`.
 * @type {(a: readonly number[], b: readonly number[]) => Box[]} */
function patchBoxes([groups, width], [patch, merge, frames, strips, isGrouped]) {
  // Bytes of a row of pixels; the side of a group in pixels.
  const [row, side] = [3 * width, patch * merge];
  // Axes as [extent, stride in the strips]: groups down and across, then patches down and across in a group.
  const outer = [
    [groups, side * row],
    [width / side, 3 * side],
    [merge, patch * row],
    [merge, 3 * patch],
  ];
  const [down, across, downIn, acrossIn] = outer;
  // By the stride 0 a single strip is read for each frame.
  const inner = [
    [frames, strips > 1 ? groups * side * row : 0],
    [patch, row],
    [3 * patch, 1],
  ];
  const axes = [...(isGrouped ? outer : [down, downIn, across, acrossIn]), ...inner];
  const extents = axes.map(([extent]) => extent);
  return [{ extents, from: axes.map(([, from]) => from), to: denseStrides(extents) }];
}

/** Converts patches of bytes [frame, row, column, channel] to numbers in the given `order` of a patch. `destination`:
 * exactly the bytes of the numbers
 * @type {(pixels: Uint8Array, numbers: Numbers, order: PatchOrder, destination: Uint8Array) => void} */
function writeNumbers(pixels, { dtype, channels }, { patch, order = 'yxc', frames = 1 }, destination) {
  // The kernels write channels last, or planes. Frames last ('yxct') take a second pass, from a scratch memory. A
  // single frame has the same place wherever its axis is.
  const isApart = order === 'yxct' && frames > 1;
  const target = isApart ? stripMemory(2, destination.length) : destination;
  const numbers = { dtype, channels, destination: target };
  const size = pixels.length / 3;
  if (order.startsWith('yxc') && !isApart)
    pixelBytes(
      { data: pixels, width: size, height: 1, channels: 3, rowstride: 3 * size },
      { ...numbers, isPlanar: false, size },
    );
  // Each channel of a patch is a plane: of all its frames, or of one where frames come first.
  else groupedPixelBytes(pixels, order === 'tcyx' ? patch * patch : frames * patch * patch, numbers);
  if (isApart) move(planFor(framesLast, dtype.bits, [size], [patch * patch, frames]), [target], [destination]);
}

/** The box that copies patches [channel, frame, pixel] to [pixel, channel, frame]. `size`: pixels of all patches;
 * `plane`: pixels of one frame of a patch
 * @type {(a: readonly number[], b: readonly number[]) => Box[]} */
function framesLast([size], [plane, frames]) {
  const extents = [size / (plane * frames), plane, 3, frames];
  return [{ extents, from: [3 * frames * plane, 1, frames * plane, plane], to: denseStrides(extents) }];
}

/** The strides, in elements, of a dense array with the last axis fastest.
 * @type {(extents: readonly number[]) => number[]} */
function denseStrides(extents) {
  let stride = 1;
  return extents.reduceRight((/** @type {number[]} */ strides, extent) => {
    strides.unshift(stride);
    stride *= extent;
    return strides;
  }, []);
}

/** Refuses pictures whose sides are not multiples of `unit` pixels, or more than the engine writes.
 * @type {(picture: Picture, unit: number) => void} */
export function checkWhole(picture, unit) {
  const { width, height } = sizeOf(picture);
  checkKept(picture);
  if (width % unit > 0 || height % unit > 0)
    rangeError(`an image must have sides of multiples of ${unit} here, got ${width} x ${height}`);
}

/** The column and row of each patch, int64 [pictures, length, 2]: row by row of each picture's grid (`width` columns,
 * `height` rows), and -1 after its last patch. 2,025 patches of 2,048 take .04 of the 6 ms of Gemma 4 for a picture of
 * 720 x 720, all that a kernel could save (measured).
 * @type {(grids: readonly Size[], length: number) => Tensor} */
export function gridPositions(grids, length) {
  // As int32 first: each entry of an int64 array takes a BigInt.
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
