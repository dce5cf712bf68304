/** Processors that return patches of resized float32: Nemotron, Pix2Struct, Kosmos-2.5. */
import { bytesBetween, bytesOf, rangeError } from '../../arguments/index.js';
import { move, planFor } from '../../engines/tensors/index.js';
import { byteSums } from '../../engines/images/index.js';
import { encoded, normalizing, numbersOf } from '../../image/internal.js';
import { dtypes, newData, tensorOf } from '../../tensor/index.js';
import * as steps from '../steps/index.js';
import { byteNumbers, exactSize, patchGrid, rendered, sizeOf } from '../pictures/index.js';

/** @import { Box } from '../../engines/tensors/types.js' */
/** @import { DType, Tensor } from '../../tensor/index.js' */
/** @import { Call, FloatPicture, Outputs, Picture } from '../types.js' */

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
 * @type {(a: readonly number[], b: readonly number[]) => Box[]} */
const patched = ([rows, columns], [patch]) => {
  const [width, size] = [columns * patch, patch * patch];
  return [
    {
      extents: [rows, columns, 3, patch, patch],
      from: [patch * width, patch, rows * patch * width, width, 1],
      to: [3 * size * columns, 3 * size, size, patch, 1],
    },
  ];
};

/** Resizes pictures to a number of patches between two bounds and writes these in rows, as Nemotron does. */
export const makeNemotron = steps.withSettings(
  [
    ...['resample', ...steps.usualNumbers.reads, 'patch_size', 'downsample_ratio'],
    ...['max_model_len', 'min_num_patches', 'max_num_patches'],
  ],
  (call, pictures) => {
    const { settings, dtype = dtypes.float32 } = call;
    const { patch_size: patch, min_num_patches: minPatches, max_num_patches: maxPatches } = settings;
    const merge = Math.round(1 / settings.downsample_ratio);
    // The patches of all tokens of a prompt but 4, as Python counts them.
    const room = Math.max((settings.max_model_len - 4) * merge ** 2, minPatches * pictures.length);
    const bound = Math.max(Math.min(room, maxPatches || room), minPatches);
    const finish = steps.finishOf(steps.usualNumbers({ ...call, dtype: dtypes.float32 }));
    const resized = pictures.map((picture) => {
      const from = sizeOf(picture);
      const grid = patchGrid(from, { patch, merge, minPatches, maxPatches: bound });
      const size = { width: grid.width * patch, height: grid.height * patch };
      const axes = steps.axesOf(steps.filterOf(call, steps.smoothFilters, from, size), from);
      return steps.resizedFloats(picture, size, axes, { filter: settings.resample ?? 'bicubic', finish });
    });
    const length = 3 * patch * patch;
    const counts = resized.map(({ size }) => (size.width * size.height) / patch ** 2);
    const total = counts.reduce((sum, count) => sum + count, 0);
    const tensor = steps.pixelTensor(call, dtype, [total, length]);
    let done = 0;
    resized.forEach((picture, i) => {
      const end = done + (counts[i] * length * dtype.bits) / 8;
      const { width, height } = picture.size;
      const plan = planFor(patched, dtype.bits, [height / patch, width / patch], [patch]);
      move(plan, [planesOf(picture, dtype)], [bytesBetween(bytesOf(tensor.data), done, end)]);
      done = end;
    });
    return {
      pixel_values: tensor,
      image_grid_hw: steps.int64(resized.map(({ size }) => [size.height / patch, size.width / patch])),
    };
  },
);

/** The box that copies three planes, each of `rows` x `columns` patches of `high` x `wide` pixels, to rows of numbers,
 * one a patch: two numbers, which it leaves out, and the pixels [y, x, channel].
 * @type {(a: readonly number[], b: readonly number[]) => Box[]} */
const flattened = ([rows, columns], [high, wide]) => {
  const width = columns * wide;
  const length = 2 + 3 * wide * high;
  return [
    {
      extents: [rows, columns, high, wide, 3],
      from: [high * width, wide, width, 1, rows * high * width],
      to: [columns * length, length, 3 * wide, 3, 1],
      start: 2,
    },
  ];
};

/** The numbers of a picture that is normalized by its own mean and standard deviation, over all pixels and colors; its
 * bytes as they are without `do_normalize`.
 * @type {(call: Call, picture: Picture) => import('../types.js').Numbers} */
function ownNumbers({ backend, settings }, picture) {
  if (!settings.do_normalize) return byteNumbers;
  const { sum, squares } = byteSums({ ...picture.image });
  const { width, height } = sizeOf(picture);
  const count = 3 * width * height;
  const mean = sum / count;
  // The squared distances from the mean, added up; NumPy's variance divides them by their number, torch's by one less.
  const variance = (squares - sum * mean) / (backend === 'pil' ? count : count - 1);
  // The lower limit of Python's `normalize`, for pictures of almost one color.
  const std = Math.max(Math.sqrt(variance), 1 / Math.sqrt(count));
  const numbers = numbersOf(backend, {}, { dtype: dtypes.float32, then: [normalizing(mean, std)] });
  return { ...numbers, steps: [{ name: 'normalize', mean, std }] };
}

/** Makes the outputs of Pix2Struct: resizes each picture, about in its ratio, to as many patches as `max_patches`
 * allows and writes a row of numbers for each patch: its row and column from 1 on, then its pixels. Rows of zeros
 * follow up to `max_patches`, and the mask is 1 for patches. Another type than float32 takes a second array, which is
 * empty for float32. `grids`: rows and columns of each picture's patches
 * @type {(call: Call, pictures: readonly Picture[]) => { outputs: Outputs, grids: { rows: number, columns: number }[]
 *   }} */
function flatten(call, pictures) {
  const { settings } = call;
  const { width: wide, height: high } = exactSize(settings.patch_size, 'patch_size');
  const { max_patches: maxPatches } = settings;
  const length = 2 + 3 * wide * high;
  const data = newData(dtypes.float32, pictures.length * maxPatches * length, undefined);
  const mask = newData(dtypes.float32, pictures.length * maxPatches, undefined);
  const grids = pictures.map((original, i) => {
    const picture = rendered(original);
    const from = sizeOf(picture);
    // The scale by which the picture would have exactly `maxPatches` patches.
    const scale = Math.sqrt(maxPatches * (high / from.height) * (wide / from.width));
    /** @type {(side: number, patch: number) => number} */
    const counted = (side, patch) => Math.max(Math.min(Math.floor((scale * side) / patch), maxPatches), 1);
    const [rows, columns] = [counted(from.height, high), counted(from.width, wide)];
    const axes = steps.axesOf('Bilinear', from);
    const size = { width: columns * wide, height: rows * high };
    const resized = steps.resizedFloats(picture, size, axes, { filter: 'bilinear', before: ownNumbers(call, picture) });
    const part = data.subarray(i * maxPatches * length, (i * maxPatches + rows * columns) * length);
    move(planFor(flattened, 32, [rows, columns], [high, wide]), [planesOf(resized, dtypes.float32)], [bytesOf(part)]);
    // .004 of 28 ms for 45 x 45 patches: all that a kernel could save (measured).
    for (let k = 0; k < rows * columns; k++) {
      part[k * length] = Math.floor(k / columns) + 1;
      part[k * length + 1] = (k % columns) + 1;
    }
    mask.fill(1, i * maxPatches, i * maxPatches + rows * columns);
    return { rows, columns };
  });
  const { dtype = dtypes.float32 } = call;
  const values = newData(dtype, dtype === dtypes.float32 ? 0 : data.length, undefined);
  if (dtype !== dtypes.float32) bytesOf(values).set(encoded(data, dtype));
  const dims = [pictures.length, maxPatches, length];
  return {
    grids,
    outputs: {
      flattened_patches: tensorOf(dtype, dtype === dtypes.float32 ? data : values, dims),
      attention_mask: tensorOf(dtypes.float32, mask, dims.slice(0, 2)),
    },
  };
}

const flattenKeys = ['do_normalize', 'patch_size', 'max_patches'];

/** Writes pictures as rows of patches with their places, as Pix2Struct does. */
export const makePix2Struct = steps.withSettings([...flattenKeys, 'is_vqa'], (call, pictures) => {
  if (call.settings.is_vqa) rangeError('is_vqa must be false: no text is drawn here');
  return flatten(call, pictures).outputs;
});

/** Writes pictures as Pix2Struct does, and their sizes in pixels and patches, as Kosmos-2.5 does. */
export const makeKosmos = steps.withSettings(flattenKeys, (call, pictures) => {
  const { outputs, grids } = flatten(call, pictures);
  const { width: wide, height: high } = exactSize(call.settings.patch_size, 'patch_size');
  /** @type {(of: (grid: { rows: number, columns: number }) => number) => Tensor} */
  const list = (of) => steps.int64(grids.map(of));
  return {
    ...outputs,
    width: list(({ columns }) => columns * wide),
    height: list(({ rows }) => rows * high),
    rows: list(({ rows }) => rows),
    cols: list(({ columns }) => columns),
  };
});
