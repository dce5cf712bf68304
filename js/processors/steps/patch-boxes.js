/** The patches of a picture: where its bytes go, and their numbers. */
import { bytesBetween, bytesOf, rangeError } from '../../arguments/index.js';
import { convertBytes, move, planFor, stridesOf } from '../../engines/tensors/index.js';
import { groupedPixelBytes, pixelBytes } from '../../engines/images/index.js';
import { dtypes, newData, tensorOf } from '../../tensor/index.js';
import { boxOf, byteNumbers, checkKeptSize, sizeOf, stripMemory, writeStrips } from '../pictures/index.js';
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
 * these frames, or a single one that counts as all of them. `destination`: exactly the bytes of the patches. Strip by
 * strip, pixels are brought into the order of patches as bytes and then become numbers, which takes .7 of the time of
 * float32 for Qwen2.5-VL's video (measured).
 * @type {(pictures: readonly Picture[], numbers: Numbers, order: PatchOrder, destination: Uint8Array) => void} */
export function writePatches(pictures, numbers, order, destination) {
  const { width, height } = sizeOf(pictures[0]);
  const { patch, merge = 1, isGrouped = false, frames = 1 } = order;
  for (const picture of pictures) reportNumbers(picture, numbers);
  const resultRowBytes = destination.length / height; // of the numbers of a row of pixels
  const groupHeight = patch * merge; // in pixels
  const orderOfBoxes = [patch, merge, frames, pictures.length, Number(isGrouped)];
  writeStrips(pictures, byteNumbers, { rows: groupHeight, isPlanar: false }, (strips, y, stripHeight) => {
    const pixels = stripMemory('patches', 3 * frames * stripHeight * width);
    const plan = planFor(patchBoxes, dtypes.uint8.bits, [stripHeight / groupHeight, width], orderOfBoxes);
    move(plan, [strips], [pixels]);
    const part = bytesBetween(destination, y * resultRowBytes, (y + stripHeight) * resultRowBytes);
    writeNumbers(pixels, numbers, order, part);
  });
}

/** The box that copies strips of RGB bytes to patches [patch, frame, row, column, channel], which follow one another
 * row by row, or group by group of `merge` x `merge` patches. `groupRows`: rows of groups in a strip; `width`: of a
 * strip in pixels; `strips`: how many lie one after the other, one a frame; a single one is repeated for all `frames`.
 * @type {(strip: readonly number[], order: readonly number[]) => Box[]} */
function patchBoxes([groupRows, width], [patch, merge, frames, strips, isGrouped]) {
  const rowBytes = 3 * width;
  const groupEdge = patch * merge;
  const stripBytes = groupRows * groupEdge * rowBytes;
  // Axes, with their strides in the strips.
  const groupsDown = { extent: groupRows, stride: groupEdge * rowBytes };
  const groupsAcross = { extent: width / groupEdge, stride: 3 * groupEdge };
  const patchesDown = { extent: merge, stride: patch * rowBytes };
  const patchesAcross = { extent: merge, stride: 3 * patch };
  // By the stride 0 a single strip is read for each frame.
  const frameAxis = { extent: frames, stride: strips > 1 ? stripBytes : 0 };
  const pixelRows = { extent: patch, stride: rowBytes };
  const bytesOfRow = { extent: 3 * patch, stride: 1 };
  const patchAxes = isGrouped
    ? [groupsDown, groupsAcross, patchesDown, patchesAcross]
    : [groupsDown, patchesDown, groupsAcross, patchesAcross];
  const axes = [...patchAxes, frameAxis, pixelRows, bytesOfRow];
  const extents = axes.map(({ extent }) => extent);
  return [{ extents, from: axes.map(({ stride }) => stride), to: stridesOf(extents) }];
}

/** Converts patches of bytes [frame, row, column, channel] to numbers in the `order` of a patch: its axes by their
 * letters, t for frames, y rows, x columns, c channels. `destination`: exactly the bytes of the numbers
 * @type {(pixels: Uint8Array, numbers: Numbers, order: PatchOrder, destination: Uint8Array) => void} */
function writeNumbers(pixels, numbers, { patch, order = 'yxc', frames = 1 }, destination) {
  const framePixels = patch * patch;
  // A single frame has the same place wherever its axis is.
  if (order === 'yxct' && frames > 1) writeFramesLast(pixels, numbers, { framePixels, frames }, destination);
  else if (order === 'yxc' || order === 'yxct') writeChannelsLast(pixels, numbers, destination);
  else if (order === 'tcyx') writePlanesOf(pixels, numbers, framePixels, destination);
  else writePlanesOf(pixels, numbers, frames * framePixels, destination); // 'ctyx'
}

/** Writes the numbers of pixels in the order of the bytes, the channels of a pixel side by side.
 * @type {(pixels: Uint8Array, numbers: Numbers, destination: Uint8Array) => void} */
function writeChannelsLast(pixels, { dtype, channels }, destination) {
  // The order of bytes stays, so all pixels may count as one row.
  const size = pixels.length / 3;
  const image = { data: pixels, width: size, height: 1, channels: 3, rowstride: 3 * size };
  pixelBytes(image, { dtype, channels, destination, isPlanar: false, size });
}

/** Writes the numbers of each `planePixels` pixels as three planes, one a channel.
 * @type {(pixels: Uint8Array, numbers: Numbers, planePixels: number, destination: Uint8Array) => void} */
const writePlanesOf = (pixels, { dtype, channels }, planePixels, destination) =>
  groupedPixelBytes(pixels, planePixels, { dtype, channels, destination });

/** Writes the numbers of patches in the order [row, column, channel, frame]. No kernel writes in this order, so they
 * are written as planes first, and then moved.
 * @type {(pixels: Uint8Array, numbers: Numbers, patch: { framePixels: number, frames: number }, destination:
 *   Uint8Array) => void} */
function writeFramesLast(pixels, numbers, { framePixels, frames }, destination) {
  const planes = stripMemory('planes', destination.length);
  writePlanesOf(pixels, numbers, frames * framePixels, planes);
  const patches = pixels.length / (3 * frames * framePixels);
  move(planFor(framesLast, numbers.dtype.bits, [patches], [framePixels, frames]), [planes], [destination]);
}

/** The box that copies patches [channel, frame, pixel] to [pixel, channel, frame].
 * @type {(result: readonly number[], patch: readonly number[]) => Box[]} */
function framesLast([patches], [framePixels, frames]) {
  const channelStride = frames * framePixels;
  const patchLength = 3 * channelStride;
  return [
    boxOf(
      // Extent of an axis, its stride in the source, its stride in the result.
      [patches, patchLength, patchLength],
      [framePixels, 1, 3 * frames],
      [3, channelStride, frames],
      [frames, framePixels, 1],
    ),
  ];
}

/** Refuses a picture whose sides are not multiples of `unit` pixels, or longer than the engine writes.
 * @type {(picture: Picture, unit: number) => void} */
export function checkWhole(picture, unit) {
  const { width, height } = sizeOf(picture);
  checkKeptSize(picture);
  if (width % unit > 0 || height % unit > 0)
    rangeError(`an image must have sides of multiples of ${unit} here, got ${width} x ${height}`);
}

/** The column and row of each patch, int64 [pictures, length, 2], row by row of each grid (`width` columns, `height`
 * rows), and -1 after its last patch. 2,025 patches of 2,048 take .04 of the 6 ms of Gemma 4 for a picture of 720 x
 * 720, all that a kernel could save (measured).
 * @type {(grids: readonly Size[], length: number) => Tensor} */
export function gridPositions(grids, length) {
  // As int32 first: each entry of an int64 array takes a BigInt.
  const positions = newData(dtypes.int32, 2 * grids.length * length, undefined).fill(-1);
  grids.forEach(({ width, height }, i) => {
    const firstPatch = i * length;
    for (let patch = 0; patch < height * width; patch++) {
      const column = patch % width;
      const row = Math.floor(patch / width);
      const at = 2 * (firstPatch + patch);
      positions[at] = column;
      positions[at + 1] = row;
    }
  });
  const wide = newData(dtypes.int64, positions.length, undefined);
  convertBytes(dtypes.int32, dtypes.int64, positions.length, bytesOf(positions), bytesOf(wide));
  return tensorOf(dtypes.int64, wide, [grids.length, length, 2]);
}
