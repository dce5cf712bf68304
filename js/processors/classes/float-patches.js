/** Processors that return patches of resized float32: Nemotron, Pix2Struct, Kosmos-2.5. */
import { bytesBetween, bytesOf, rangeError } from '../../arguments/index.js';
import { move, planFor } from '../../engines/tensors/index.js';
import { byteSums } from '../../engines/images/index.js';
import { encoded, normalizing, numbersOf } from '../../image/internal.js';
import { dtypes, newData, tensorOf } from '../../tensor/index.js';
import * as steps from '../steps/index.js';
import { both, boxOf, byteNumbers, exactSize, patchGrid, rendered, sizeOf } from '../pictures/index.js';

/** @import { Box } from '../../engines/tensors/types.js' */
/** @import { DType } from '../../tensor/index.js' */
/** @import { TensorData } from '../../tensor/types.js' */
/** @import { Grid } from '../tiles/grids.js' */
/** @import { Call, FloatFinish, FloatPicture, Numbers, Outputs, Picture, Settings, Size } from '../types.js' */

/** Computes the three planes of a picture that is resized as float32, as bytes of numbers of `dtype`.
 * @type {(picture: FloatPicture, dtype: DType) => Uint8Array} */
function planesOf(picture, dtype) {
  const { width, height } = picture.size;
  const planes = bytesOf(newData(dtype, 3 * width * height, undefined));
  steps.writeFloats(picture, dtype, picture.size, planes);
  return planes;
}

/** The box that copies three planes, each of `rows` x `columns` patches, to patches [row, column, channel, y, x] of
 * `patch` x `patch` pixels.
 * @type {(grid: readonly number[], patch: readonly number[]) => Box[]} */
function planesToPatches([rows, columns], [patch]) {
  // Lengths in planes: a row of pixels, a row of patches, and a plane.
  const pixelRow = columns * patch;
  const patchRow = patch * pixelRow;
  const plane = rows * patchRow;
  // Lengths in the result: a channel of a patch, and a patch.
  const channel = patch * patch;
  const wholePatch = 3 * channel;
  // Axes as [extent, stride in the planes, stride in the result].
  return [
    boxOf(
      [rows, patchRow, columns * wholePatch],
      [columns, patch, wholePatch],
      [3, plane, channel],
      [patch, pixelRow, patch],
      [patch, 1, 1],
    ),
  ];
}

/** The side of Nemotron's token, in patches. @type {(settings: Settings) => number} */
const tokenSideOf = ({ downsample_ratio: ratio }) => Math.round(1 / ratio);

/** The most patches that Nemotron takes of each of `pictureCount` pictures: `max_num_patches`, unless that is 0, but
 * not more than a prompt has room for, and not fewer than `min_num_patches`.
 * @type {(settings: Settings, pictureCount: number) => number} */
function nemotronMaxPatches(settings, pictureCount) {
  const { max_model_len: maxTokens, min_num_patches: minPatches, max_num_patches: maxPatches } = settings;
  // Python keeps 4 tokens of a prompt for other things than pictures.
  const promptPatches = (maxTokens - 4) * tokenSideOf(settings) ** 2;
  const room = Math.max(promptPatches, minPatches * pictureCount);
  const bounded = maxPatches ? Math.min(room, maxPatches) : room;
  return Math.max(bounded, minPatches);
}

/** Resizes a picture as float32 to `size` with antialiasing. `finish`: the formula that rescales and normalizes the
 * results
 * @type {(call: Call, picture: Picture, size: Size, finish: FloatFinish) => FloatPicture} */
function nemotronResized(call, picture, size, finish) {
  const from = sizeOf(picture);
  const kernelFilter = steps.filterOf(call, steps.smoothFilters, from, size);
  // A listener gets the filter by its public name, as in the settings.
  const publicFilter = call.settings.resample ?? 'bicubic';
  return steps.resizedFloats(picture, size, steps.axesOf(kernelFilter, from), { filter: publicFilter, finish });
}

/** Resizes pictures to a number of patches between two bounds and writes these in rows, as Nemotron does. */
export const makeNemotron = steps.withSettings(
  [
    'resample',
    ...steps.usualNumbers.reads,
    'patch_size',
    'downsample_ratio',
    'max_model_len',
    'min_num_patches',
    'max_num_patches',
  ],
  (call, pictures) => {
    const { settings, dtype = dtypes.float32 } = call;
    const { patch_size: patch, min_num_patches: minPatches } = settings;
    const bounds = {
      patch,
      merge: tokenSideOf(settings),
      minPatches,
      maxPatches: nemotronMaxPatches(settings, pictures.length),
    };
    const finish = steps.finishOf(steps.usualNumbers({ ...call, dtype: dtypes.float32 }));
    const grids = pictures.map((picture) => patchGrid(sizeOf(picture), bounds));
    const resized = pictures.map((picture, i) => {
      const size = both(grids[i], (patches) => patches * patch);
      return nemotronResized(call, picture, size, finish);
    });
    const total = grids.reduce((sum, { width, height }) => sum + width * height, 0);
    const length = 3 * patch * patch;
    const patchBytes = (length * dtype.bits) / 8;
    const tensor = steps.pixelTensor(call, dtype, [total, length]);
    const bytes = bytesOf(tensor.data);
    let firstByte = 0;
    resized.forEach((picture, i) => {
      const { width: columns, height: rows } = grids[i];
      const endByte = firstByte + rows * columns * patchBytes;
      const plan = planFor(planesToPatches, dtype.bits, [rows, columns], [patch]);
      move(plan, [planesOf(picture, dtype)], [bytesBetween(bytes, firstByte, endByte)]);
      firstByte = endByte;
    });
    return {
      pixel_values: tensor,
      image_grid_hw: steps.int64(grids.map(({ width, height }) => [height, width])),
    };
  },
);

/** Pix2Struct's row of a patch begins with the row and the column of the patch in the picture. */
const placeLength = 2;

/** The box that copies three planes, each of `rows` x `columns` patches of `patchHeight` x `patchWidth` pixels, to rows
 * of numbers, one a patch: the place, which it leaves out, and the pixels [y, x, channel].
 * @type {(grid: readonly number[], patch: readonly number[]) => Box[]} */
function planesToPlacedPatches([rows, columns], [patchHeight, patchWidth]) {
  // Lengths in planes: a row of pixels, a row of patches, and a plane.
  const pixelRow = columns * patchWidth;
  const patchRow = patchHeight * pixelRow;
  const plane = rows * patchRow;
  const length = placeLength + 3 * patchWidth * patchHeight;
  // Axes as [extent, stride in the planes, stride in the result].
  const pixels = boxOf(
    [rows, patchRow, columns * length],
    [columns, patchWidth, length],
    [patchHeight, pixelRow, 3 * patchWidth],
    [patchWidth, 1, 3],
    [3, plane, 1],
  );
  return [{ ...pixels, start: placeLength }];
}

/** The numbers of a picture that is normalized by its own mean and standard deviation, over all pixels and colors; its
 * bytes as they are without `do_normalize`.
 * @type {(call: Call, picture: Picture) => Numbers} */
function ownNumbers({ backend, settings }, picture) {
  if (!settings.do_normalize) return byteNumbers;
  const { sum, squares } = byteSums({ ...picture.image });
  const { width, height } = sizeOf(picture);
  const count = 3 * width * height;
  const mean = sum / count;
  // The sum of (x - mean) ** 2 over all bytes x.
  const squaredDistances = squares - sum * mean;
  // NumPy's variance divides by the number of values, torch's by one less.
  const variance = squaredDistances / (backend === 'pil' ? count : count - 1);
  // The lower limit of Python's `normalize`, for pictures of almost one color.
  const std = Math.max(Math.sqrt(variance), 1 / Math.sqrt(count));
  const unscaled = {};
  const numbers = numbersOf(backend, unscaled, { dtype: dtypes.float32, then: [normalizing(mean, std)] });
  return { ...numbers, steps: [{ name: 'normalize', mean, std }] };
}

/** The grid of patches to which Pix2Struct resizes a picture: about in the picture's ratio, as many patches as
 * `maxPatches` allows, and one row and column at least.
 * @type {(size: Size, patch: Size, maxPatches: number) => Grid} */
function placedGrid({ width, height }, patch, maxPatches) {
  // The scale by which the picture would have exactly `maxPatches` patches.
  const scale = Math.sqrt(maxPatches * (patch.height / height) * (patch.width / width));
  /** The whole patches along a side at that scale, 1 to `maxPatches`.
   * @type {(extent: number, patchExtent: number) => number} */
  const patchesAlong = (extent, patchExtent) => {
    const wholePatches = Math.floor((scale * extent) / patchExtent);
    return Math.max(Math.min(wholePatches, maxPatches), 1);
  };
  return { rows: patchesAlong(height, patch.height), columns: patchesAlong(width, patch.width) };
}

/** Resizes a picture to `grid` patches and writes a row of numbers for each: its row and column from 1 on, then its
 * pixels. `destination`: exactly these rows
 * @type {(call: Call, picture: Picture, grid: Grid, patch: Size, destination: Float32Array) => void} */
function writePlacedPatches(call, picture, { rows, columns }, patch, destination) {
  const axes = steps.axesOf('Bilinear', sizeOf(picture));
  const size = { width: columns * patch.width, height: rows * patch.height };
  const resized = steps.resizedFloats(picture, size, axes, { filter: 'bilinear', before: ownNumbers(call, picture) });
  const planes = planesOf(resized, dtypes.float32);
  const { bits } = dtypes.float32;
  const plan = planFor(planesToPlacedPatches, bits, [rows, columns], [patch.height, patch.width]);
  move(plan, [planes], [bytesOf(destination)]);
  const patchCount = rows * columns;
  const length = destination.length / patchCount;
  // .004 of 28 ms for 45 x 45 patches: all that a kernel could save (measured).
  for (let i = 0; i < patchCount; i++) {
    destination[i * length] = Math.floor(i / columns) + 1;
    destination[i * length + 1] = (i % columns) + 1;
  }
}

/** Makes Pix2Struct's outputs: `flattened_patches` [pictures, max_patches, length], a row of numbers for each patch,
 * with zeros after a picture's last one, and the mask [pictures, max_patches], 1 for patches. `grids`: of each
 * picture's patches
 * @type {(call: Call, pictures: readonly Picture[]) => { outputs: Outputs, grids: Grid[] }} */
function placedPatches(call, pictures) {
  const { settings, dtype = dtypes.float32 } = call;
  const { max_patches: maxPatches } = settings;
  const patch = exactSize(settings.patch_size, 'patch_size');
  const length = placeLength + 3 * patch.width * patch.height;
  const data = newData(dtypes.float32, pictures.length * maxPatches * length, undefined);
  const mask = newData(dtypes.float32, pictures.length * maxPatches, undefined);
  const grids = pictures.map((original, i) => {
    const picture = rendered(original);
    const grid = placedGrid(sizeOf(picture), patch, maxPatches);
    const firstRow = i * maxPatches;
    const endRow = firstRow + grid.rows * grid.columns;
    writePlacedPatches(call, picture, grid, patch, data.subarray(firstRow * length, endRow * length));
    mask.fill(1, firstRow, endRow);
    return grid;
  });
  const dims = [pictures.length, maxPatches];
  return {
    grids,
    outputs: {
      flattened_patches: tensorOf(dtype, inType(dtype, data), [...dims, length]),
      attention_mask: tensorOf(dtypes.float32, mask, dims),
    },
  };
}

/** Converts float32 numbers to the type `dtype`, in new memory unless that is float32.
 * @type {(dtype: DType, numbers: Float32Array) => TensorData} */
function inType(dtype, numbers) {
  if (dtype === dtypes.float32) return numbers;
  const data = newData(dtype, numbers.length, undefined);
  bytesOf(data).set(encoded(numbers, dtype));
  return data;
}

const placedKeys = ['do_normalize', 'patch_size', 'max_patches'];

/** Writes pictures as rows of patches with their places, as Pix2Struct does. */
export const makePix2Struct = steps.withSettings([...placedKeys, 'is_vqa'], (call, pictures) => {
  if (call.settings.is_vqa) rangeError('is_vqa must be false: no text is drawn here');
  return placedPatches(call, pictures).outputs;
});

/** Writes pictures as Pix2Struct does, and their sizes in pixels and patches, as Kosmos-2.5 does. */
export const makeKosmos = steps.withSettings(placedKeys, (call, pictures) => {
  const { outputs, grids } = placedPatches(call, pictures);
  const patch = exactSize(call.settings.patch_size, 'patch_size');
  return {
    ...outputs,
    width: steps.int64(grids.map(({ columns }) => columns * patch.width)),
    height: steps.int64(grids.map(({ rows }) => rows * patch.height)),
    rows: steps.int64(grids.map(({ rows }) => rows)),
    cols: steps.int64(grids.map(({ columns }) => columns)),
  };
});
