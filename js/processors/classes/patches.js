/** Processors that return patches: Qwen2-VL, SigLIP2, LFM2-VL, Gemma 4. */
import { bytesBetween, bytesOf, largest, rangeError } from '../../arguments/index.js';
import { dtypes, newData, tensorOf } from '../../tensor/index.js';
import { roundHalfToEven } from '../../image/internal.js';
import * as steps from '../steps/index.js';
import { boundedArea, patchCountSize, rendered, sizeOf } from '../pictures/index.js';
import { gridsUpTo, ratioGrid } from '../tiles/grids.js';
import { tilesOf } from '../tiles/tiles.js';

/** @import { Call, Counting, Outputs, Picture, Size, Step } from '../types.js' */

/** How a class makes patches of pictures. Groups of `merge_size` x `merge_size` patches become a token of the model.
 * @typedef {object} PatchRule
 * @property {Step} resizing resizes a picture to whole groups of patches
 * @property {string} [order] of a patch's numbers, the fastest axis last: c (channel), t (frame), y (row), x (column);
 *   'ctyx' if omitted
 * @property {boolean} [isGrouped] whether patches of a group follow one another, not those of a row; true if omitted
 * @property {boolean} [isCut] whether a patch has the dims [3 * frames, patch, patch], not a row of numbers
 * @property {'image_grid_thw' | 'image_grid_hw'} [grid] the output with each picture's grid, [1, rows, columns] or
 *   [rows, columns]; the first if omitted
 * @property {string[]} [reads] further settings that it reads
 * @property {(call: Call, count: number) => Outputs} [extraOutputs] further outputs of `count` pictures
 * @property {(rows: number, columns: number) => number | number[]} [count] computes `get_number_of_image_patches` from
 *   the grid of a picture; their product if omitted
 */

/** @typedef {((call: Call, pictures: Picture[]) => Outputs) & { reads: readonly string[] }} MakeTensors */

/** Makes a class, with its `get_number_of_image_patches`, whose pictures are resized and cut into patches.
 * @type {(rule: PatchRule) => MakeTensors & Counting} */
export const makeGrouped = ({ resizing, reads = [], count = (rows, columns) => rows * columns, ...rule }) =>
  steps.counting(
    steps.withSettings(
      [...resizing.reads, ...steps.usualNumbers.reads, 'patch_size', 'merge_size', 'temporal_patch_size', ...reads],
      (call, pictures) =>
        groupedPatches(
          call,
          pictures.map((picture) => resizing(call, picture)),
          rule,
        ),
    ),
    (call, picture) => {
      const { width, height } = sizeOf(resizing(call, picture));
      const { patch_size: patch } = call.settings;
      // Without `do_resize` the sides may be no whole patches, of which Python's method rounds the number down.
      return count(Math.floor(height / patch), Math.floor(width / patch));
    },
  );

/** Makes `pixel_values` of the patches of all pictures, one picture after the other: [patches, numbers of a patch], or
 * [patches, 3 * frames, patch, patch]; and an output with the grid of each picture. An image counts as each frame of
 * its patches.
 * @type {(call: Call, resized: readonly Picture[], rule: Omit<PatchRule, 'resizing'>) => Outputs} */
function groupedPatches(call, resized, rule) {
  const { isGrouped = true, order = 'ctyx', isCut = false, grid = 'image_grid_thw', extraOutputs } = rule;
  const { patch_size: patch, merge_size: merge = 1, temporal_patch_size: frames = 1 } = call.settings;
  // The classes with Pillow make float32 of bytes in any case.
  const numbers = call.backend === 'pil' ? steps.floatNumbers(call) : steps.usualNumbers(call);
  for (const picture of resized) steps.checkWhole(picture, patch * merge);
  const grids = resized.map(sizeOf).map(({ width, height }) => [height / patch, width / patch]);
  const counts = grids.map(([rows, columns]) => rows * columns);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const length = 3 * frames * patch * patch;
  const dims = isCut ? [total, 3 * frames, patch, patch] : [total, length];
  const tensor = steps.pixelTensor(call, numbers.dtype, dims);
  const element = numbers.dtype.bits / 8;
  let done = 0;
  resized.forEach((picture, i) => {
    const end = done + counts[i] * length * element;
    const patchOrder = { patch, merge, frames, order, isGrouped };
    steps.writePatches([picture], numbers, patchOrder, bytesBetween(bytesOf(tensor.data), done, end));
    done = end;
  });
  const first = grid === 'image_grid_thw' ? [1] : [];
  return {
    pixel_values: tensor,
    [grid]: steps.int64(grids.map((gridDims) => [...first, ...gridDims])),
    ...extraOutputs?.(call, resized.length),
  };
}

/** Qwen2-VL, and GLM, which differs by its size. */
export const makeQwen = makeGrouped({ resizing: steps.resizeQwen });
export const makeGlm = makeGrouped({ resizing: steps.resizeGlm });

/** Makes `pixel_values` [pictures, maxPatches, length] of pictures, whose patches of `patch` x `patch` pixels are rows
 * of numbers, with rows of zeros after the last one; a mask [pictures, maxPatches] that is 1 for patches; and the rows
 * and columns of each picture. Where all pictures have as many patches, more than `maxPatches`, all are written, and
 * the mask alone ends there.
 * @type {(call: Call, pictures: readonly Picture[], patch: number, maxPatches: number) => Outputs} */
function paddedPatches(call, pictures, patch, maxPatches) {
  const numbers = steps.usualNumbers(call);
  const grids = pictures.map(sizeOf).map(({ width, height }) => ({ width: width / patch, height: height / patch }));
  const counts = grids.map(({ width, height }) => width * height);
  // As in Python, which refuses more patches only where pictures differ in their number.
  const longest = largest(counts);
  const rows = Math.max(maxPatches, longest);
  if (longest > maxPatches && counts.some((count) => count !== longest))
    rangeError(`images must have at most ${maxPatches} patches, got ${longest}`);
  const length = 3 * patch * patch;
  const tensor = steps.pixelTensor(call, numbers.dtype, [pictures.length, rows, length]);
  const bytes = bytesOf(tensor.data);
  const patchBytes = (length * numbers.dtype.bits) / 8;
  const mask = newData(dtypes.int32, pictures.length * maxPatches, undefined);
  pictures.forEach((picture, i) => {
    steps.checkWhole(picture, patch);
    const first = i * rows;
    const part = bytesBetween(bytes, first * patchBytes, (first + counts[i]) * patchBytes);
    steps.writePatches([picture], numbers, { patch }, part);
    mask.fill(1, i * maxPatches, i * maxPatches + Math.min(maxPatches, counts[i]));
  });
  return {
    pixel_values: tensor,
    pixel_attention_mask: tensorOf(dtypes.int32, mask, [pictures.length, maxPatches]),
    spatial_shapes: steps.sizesTensor(grids),
  };
}

/** Resizes pictures to as many patches as `max_num_patches` allows and writes them as padded rows, as SigLIP2 does. */
export const makeSiglip2 = steps.withSettings(
  ['do_resize', 'resample', ...steps.usualNumbers.reads, 'patch_size', 'max_num_patches'],
  (call, pictures) => {
    const { do_resize: resizes, patch_size: patch, max_num_patches: maxPatches } = call.settings;
    const resized = pictures.map((picture) =>
      resizes ? steps.resizeTo(call, picture, patchCountSize(sizeOf(picture), patch, maxPatches)) : picture,
    );
    return paddedPatches(call, resized, patch, maxPatches);
  },
);

const lfmKeys = [
  'downsample_factor',
  'do_image_splitting',
  'min_tiles',
  'max_tiles',
  'use_thumbnail',
  'min_image_tokens',
  'max_image_tokens',
  'encoder_patch_size',
  'tile_size',
  'max_pixels_tolerance',
  'do_pad',
  'return_row_col_info',
];

/** Cuts a picture into LFM2-VL's tiles of `tile_size` x `tile_size` pixels if `do_image_splitting` is on and it has
 * more than `max_pixels_tolerance` times the pixels of `max_image_tokens` tokens. With `use_thumbnail`, a small copy of
 * the picture follows two tiles or more. Any other picture is resized and is the only tile. `size`: of the small copy
 * or the only tile, whose area is that of `min_image_tokens` to `max_image_tokens` tokens; `rows`, `columns`: of the
 * tiles without the copy
 * @type {(call: Call, picture: Picture) => { tiles: Picture[], rows: number, columns: number, size: Size }} */
function lfmTiles(call, picture) {
  const { settings } = call;
  const { downsample_factor: down, encoder_patch_size: patch, tile_size: side, do_image_splitting: splits } = settings;
  const [minTiles, maxTiles] = splits ? [settings.min_tiles, settings.max_tiles] : [1, 1];
  if (minTiles > maxTiles) rangeError(`min_tiles must be at most max_tiles, got ${minTiles} and ${maxTiles}`);
  // The side and the area of a token, `down` x `down` patches, in pixels.
  const tokenSide = patch * down;
  const tokenArea = tokenSide * tokenSide;
  const size = sizeOf(picture);
  const [leastArea, mostArea] = [settings.min_image_tokens * tokenArea, settings.max_image_tokens * tokenArea];
  /** Rounds a side to whole tokens, but not below `floor`.
   * @type {(extent: number, floor: number) => number} */
  const rounded = (extent, floor) => Math.max(floor, roundHalfToEven(extent / tokenSide) * tokenSide);
  // Larger than its tokens allow, by a factor `max_pixels_tolerance`. Python's `_is_image_too_large` takes a patch for
  // the shortest side, `smart_resize`, which gives the small copy's size, a token.
  const isLarge = rounded(size.height, patch) * rounded(size.width, patch) > mostArea * settings.max_pixels_tolerance;
  const bounds = { factor: tokenSide, minPixels: leastArea, maxPixels: mostArea, shortest: tokenSide };
  const smallSize = boundedArea(size, bounds);
  // With a `maxTiles` of 1, `minTiles` is 1 too, so Python cuts nothing.
  if (!isLarge || maxTiles === 1)
    return { tiles: [steps.resizeTo(call, picture, smallSize)], rows: 1, columns: 1, size: smallSize };
  const { columns, rows } = ratioGrid(size, { width: side, height: side }, gridsUpTo(minTiles, maxTiles));
  const resized = rendered(steps.resizeTo(call, picture, { width: columns * side, height: rows * side }));
  const tiles = tilesOf(resized, side);
  if (settings.use_thumbnail && columns * rows > 1) tiles.push(steps.resizeTo(call, picture, smallSize));
  return { tiles, rows, columns, size: smallSize };
}

/** Writes the patches of tiles as padded rows, as LFM2-VL does. It resizes whatever `do_resize` says. */
export const makeLfm2Vl = steps.withSettings(
  ['resample', ...steps.usualNumbers.reads, ...lfmKeys],
  (call, pictures) => {
    const { settings } = call;
    const { encoder_patch_size: patch, downsample_factor: down, do_pad: pads } = settings;
    const perTile = settings.do_image_splitting ? Math.floor(settings.tile_size / patch) ** 2 : 0;
    const grids = pictures.map((picture) => lfmTiles(call, picture));
    const tiles = grids.flatMap((grid) => grid.tiles);
    /** @type {(size: Size) => number} */
    const patchesOf = ({ width, height }) => (width * height) / patch ** 2;
    const length = pads
      ? Math.max(settings.max_image_tokens * down ** 2, perTile)
      : patchesOf(steps.commonFrame(tiles.map(sizeOf)));
    const { pixel_values: values, ...masks } = paddedPatches(call, tiles, patch, length);
    return {
      pixel_values: values,
      ...(pads && masks),
      ...(settings.return_row_col_info && {
        image_rows: steps.int64(grids.map(({ rows }) => rows)),
        image_cols: steps.int64(grids.map(({ columns }) => columns)),
        image_sizes: steps.sizesTensor(grids.map(({ size }) => size)),
      }),
    };
  },
);

/** Resizes pictures to as many pixels as their tokens stand for and writes padded rows of patches with their columns
 * and rows, as Gemma 4 does. */
export const makeGemma4 = steps.withSettings(
  ['do_resize', 'resample', ...steps.usualNumbers.reads, 'patch_size', 'max_soft_tokens', 'pooling_kernel_size'],
  (call, pictures) => {
    const { settings } = call;
    const { patch_size: patch, pooling_kernel_size: pool, max_soft_tokens: tokens } = settings;
    const maxPatches = tokens * pool ** 2;
    const resized = pictures.map((picture) => steps.resizeGemma(call, picture));
    const { pixel_values: values, spatial_shapes: shapes } = paddedPatches(call, resized, patch, maxPatches);
    const sides = pictures.map((_, i) => ({
      height: Number(shapes.data[2 * i]),
      width: Number(shapes.data[2 * i + 1]),
    }));
    const counts = sides.map(({ height, width }) => Math.floor((height * width) / pool ** 2));
    return {
      pixel_values: values,
      image_position_ids: steps.gridPositions(sides, maxPatches),
      num_soft_tokens_per_image: steps.int64(counts),
    };
  },
);
