/** MiniCPM-V: a picture and its slices, whose rows of patches lie side by side. */
import { bytesOf } from '../../arguments/index.js';
import { move, planFor } from '../../engines/tensors/index.js';
import { roundHalfToEven } from '../../image/internal.js';
import { newData } from '../../tensor/index.js';
import { gridSize, minicpmGrid } from './grids.js';
import { both, boxOf, rendered, sizeOf, writePlanes } from '../pictures/index.js';
import * as steps from '../steps/index.js';
import { tilesOf } from './tiles.js';

/** @import { Box } from '../../engines/tensors/types.js' */
/** @import { Call, Make, Numbers, Picture, Settings, Size } from '../types.js' */

const { max, sqrt, trunc } = Math;

const miniCpmKeys = [
  'do_resize',
  'resample',
  ...steps.usualNumbers.reads,
  'patch_size',
  'scale_resolution',
  'max_slice_nums',
  'slice_mode',
  'downsample_mode',
  'small_image_upsize',
];

/** Makes a class that returns MiniCPM-V's patches. Each picture and its slices are cut into strips, rows of patches
 * that are `patch` pixels high, and all strips lie side by side: [1, 3, patch, columns]. `upsizes`: whether small
 * pictures without slices are enlarged
 * @type {(upsizes: (settings: Settings) => boolean) => Make} */
export const makeMiniCpm = (upsizes) =>
  steps.withSettings(miniCpmKeys, (call, pictures) => {
    const { settings, backend } = call;
    const { patch_size: patch } = settings;
    steps.requireFlag(call, 'do_resize');
    const sliced = pictures.map((picture) => miniCpmSlices(call, picture, upsizes(settings)));
    const slices = sliced.flatMap((entry) => entry.slices);
    const usual = steps.usualNumbers(call);
    // torchvision's class makes float32 of the bytes before any step, so that it is float32 without any too.
    const numbers = backend === 'pil' ? usual : steps.floatNumbers(call);
    const sizes = slices.map(sizeOf);
    const columns = sizes.reduce((sum, size) => sum + stripColumns(size, patch), 0);
    const tensor = steps.pixelTensor(call, numbers.dtype, [1, 3, patch, columns]);
    const bytes = bytesOf(tensor.data);
    let firstColumn = 0;
    slices.forEach((slice, i) => {
      const firstByte = (firstColumn * numbers.dtype.bits) / 8;
      writeSlice(slice, numbers, { patch, columns }, bytes.subarray(firstByte));
      firstColumn += stripColumns(sizes[i], patch);
    });
    return {
      pixel_values: tensor,
      target_sizes: steps.int32(sizes.map(({ width, height }) => [height / patch, width / patch])),
      grids: sliced.map(({ grid }) => grid),
      num_patches_per_image: sliced.map((entry) => entry.slices.length),
    };
  });

/** How many columns of pixels the strips of a slice have, its rows of patches, which are `patch` pixels high and lie
 * side by side.
 * @type {(size: Size, patch: number) => number} */
export const stripColumns = ({ width, height }, patch) => width * (height / patch);

/** Writes the strips of a slice, its rows of patches, side by side into planes [3, patch, columns], which have room for
 * those of other slices too. `destination`: the planes' bytes from the slice's first column on
 * @type {(slice: Picture, numbers: Numbers, planes: { patch: number, columns: number }, destination: Uint8Array) =>
 *   void} */
export function writeSlice(slice, numbers, { patch, columns }, destination) {
  const { width, height } = sizeOf(slice);
  steps.reportNumbers(slice, numbers);
  const planes = bytesOf(newData(numbers.dtype, 3 * width * height, undefined));
  writePlanes(slice, numbers, steps.ownFrame(slice), planes);
  const plan = planFor(stripsSideBySide, numbers.dtype.bits, [width, height], [patch, columns]);
  move(plan, [planes], [destination]);
}

/** The box that copies the strips of a slice, planes [3, strip, row, column], side by side into planes
 * [3, patch, columns].
 * @type {(size: readonly number[], planes: readonly number[]) => Box[]} */
const stripsSideBySide = ([width, height], [patch, columns]) => [
  // Axes as [extent, stride in the slice, stride in the result].
  boxOf(
    [3, width * height, patch * columns],
    [height / patch, patch * width, width],
    [patch, width, columns],
    [width, 1, 1],
  ),
];

/** Cuts a picture into MiniCPM-V's slices: first the whole picture, then the slices of a grid [rows, columns], which is
 * [0, 0] if there are none. Sides are multiples of a token's, and a slice has about as many pixels as a square of
 * `scale_resolution`. `upsizes`: whether a small picture without slices is enlarged to that
 * @type {(call: Call, picture: Picture, upsizes: boolean) => { slices: Picture[], grid: number[] }} */
export function miniCpmSlices(call, picture, upsizes) {
  const { settings } = call;
  const { scale_resolution: resolution, max_slice_nums: maxSlices, patch_size: patch } = settings;
  // A token stands for 2 x 2 patches by the mode '4x', for 4 x 4 by '16x'.
  const tokenSide = patch * (settings.downsample_mode === '4x' ? 2 : 4);
  const size = sizeOf(picture);
  const grid = settings.slice_mode ? minicpmGrid(size, maxSlices, resolution) : undefined;
  const isLarge = size.width * size.height > resolution ** 2;
  const isScaled = isLarge || (!grid && upsizes);
  const thumbnailSize = wholeTokens(isScaled ? scaledToArea(size, resolution) : size, tokenSide);
  const thumbnail = steps.resizeTo(call, picture, thumbnailSize);
  if (!grid) return { slices: [thumbnail], grid: [0, 0] };
  const equalPart = { width: partOf(size.width, grid.columns), height: partOf(size.height, grid.rows) };
  const slice = wholeTokens(scaledToArea(equalPart, resolution), tokenSide);
  const large = rendered(steps.resizeTo(call, picture, gridSize(grid, slice)));
  return { slices: [thumbnail, ...tilesOf(large, slice.width, slice.height)], grid: [grid.rows, grid.columns] };
}

/** The length in pixels of each of `count` equal parts of a picture's side, after the side is rounded to a multiple of
 * `count`; at least a pixel.
 * @type {(extent: number, count: number) => number} */
const partOf = (extent, count) => max(roundHalfToEven(extent / count) * count, count) / count;

/** Scales a size in its ratio to about as many pixels as a square of `edge` x `edge` pixels has. Both sides are
 * truncated, the width after the height, as in Python.
 * @type {(size: Size, edge: number) => Size} */
function scaledToArea({ width, height }, edge) {
  const ratio = width / height;
  const scaledHeight = trunc(edge / sqrt(ratio));
  return { width: trunc(scaledHeight * ratio), height: scaledHeight };
}

/** Rounds both sides to multiples of a token's side, at least one.
 * @type {(size: Size, tokenSide: number) => Size} */
const wholeTokens = (size, tokenSide) =>
  both(size, (extent) => max(roundHalfToEven(extent / tokenSide) * tokenSide, tokenSide));
