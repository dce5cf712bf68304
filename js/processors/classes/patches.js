/** Processors that return patches: Qwen2-VL, SigLIP2, LFM2-VL, Gemma 4. */
import { bytesBetween, bytesOf, largest, rangeError } from '../../arguments/index.js';
import { dtypes, newData, tensorOf } from '../../tensor/index.js';
import { roundHalfToEven } from '../../image/internal.js';
import * as steps from '../steps/index.js';
import { both, boundedArea, patchCountSize, rendered, sizeOf, square } from '../pictures/index.js';
import { gridSize, gridsUpTo, ratioGrid } from '../tiles/grids.js';
import { tilesOf } from '../tiles/tiles.js';

/** @import { Call, Counting, Outputs, Picture, Settings, Size, Step } from '../types.js' */

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

/** @type {(rows: number, columns: number) => number} */
const product = (rows, columns) => rows * columns;

/** Makes a class, with its `get_number_of_image_patches`, whose pictures are resized and cut into patches.
 * @type {(rule: PatchRule) => MakeTensors & Counting} */
export function makeGrouped({ resizing, reads = [], count = product, ...rule }) {
  const makeTensors = steps.withSettings(
    [...resizing.reads, ...steps.usualNumbers.reads, 'patch_size', 'merge_size', 'temporal_patch_size', ...reads],
    (call, pictures) => {
      const resized = pictures.map((picture) => resizing(call, picture));
      return groupedPatches(call, resized, rule);
    },
  );
  return steps.withPatchCount(makeTensors, (call, picture) => {
    const { width, height } = sizeOf(resizing(call, picture));
    const { patch_size: patch } = call.settings;
    // Without `do_resize` the sides may be no whole patches, of which Python's method rounds the number down.
    return count(Math.floor(height / patch), Math.floor(width / patch));
  });
}

/** The columns (`width`) and rows (`height`) of a picture's patches of `patch` x `patch` pixels.
 * @type {(picture: Picture, patch: number) => Size} */
const gridOfPatches = (picture, patch) => both(sizeOf(picture), (extent) => extent / patch);

/** @type {(grid: Size) => number} */
const patchCount = ({ width: columns, height: rows }) => columns * rows;

/** Makes `pixel_values` of the patches of all pictures, one picture after the other: [patches, numbers of a patch], or
 * [patches, 3 * frames, patch, patch]; and an output with the grid of each picture. An image counts as each frame of
 * its patches.
 * @type {(call: Call, resized: readonly Picture[], rule: Omit<PatchRule, 'resizing'>) => Outputs} */
function groupedPatches(call, resized, rule) {
  const { isGrouped = true, order = 'ctyx', isCut = false, grid: gridName = 'image_grid_thw', extraOutputs } = rule;
  const { patch_size: patch, merge_size: merge = 1, temporal_patch_size: frames = 1 } = call.settings;
  // The classes with Pillow make float32 of bytes in any case.
  const numbers = call.backend === 'pil' ? steps.floatNumbers(call) : steps.usualNumbers(call);
  for (const picture of resized) steps.checkWhole(picture, patch * merge);
  const grids = resized.map((picture) => gridOfPatches(picture, patch));
  const total = grids.reduce((sum, grid) => sum + patchCount(grid), 0);
  const length = 3 * frames * patch * patch;
  const patchDims = isCut ? [3 * frames, patch, patch] : [length];
  const tensor = steps.pixelTensor(call, numbers.dtype, [total, ...patchDims]);
  const bytes = bytesOf(tensor.data);
  const patchBytes = (length * numbers.dtype.bits) / 8;
  const patchOrder = { patch, merge, frames, order, isGrouped };
  let firstByte = 0;
  resized.forEach((picture, i) => {
    const endByte = firstByte + patchCount(grids[i]) * patchBytes;
    steps.writePatches([picture], numbers, patchOrder, bytesBetween(bytes, firstByte, endByte));
    firstByte = endByte;
  });
  // In `thw` t is the number of groups of frames, 1 for an image.
  const frameGroups = gridName === 'image_grid_thw' ? [1] : [];
  return {
    pixel_values: tensor,
    [gridName]: steps.int64(grids.map(({ width, height }) => [...frameGroups, height, width])),
    ...extraOutputs?.(call, resized.length),
  };
}

/** Qwen2-VL, and GLM, which differs by its size. */
export const makeQwen = makeGrouped({ resizing: steps.resizeQwen });
export const makeGlm = makeGrouped({ resizing: steps.resizeGlm });

/** How many rows each picture gets for its patches, of which it has `counts`: `maxPatches`, or more where all pictures
 * have the same greater number. Like Python it refuses more than `maxPatches` only where the numbers differ.
 * @type {(counts: readonly number[], maxPatches: number) => number} */
function rowsPerPicture(counts, maxPatches) {
  const longest = largest(counts);
  if (longest <= maxPatches) return maxPatches;
  const areEqual = counts.every((count) => count === longest);
  if (!areEqual) rangeError(`images must have at most ${maxPatches} patches, got ${longest}`);
  return longest;
}

/** Makes of pictures `pixel_values` [pictures, rows, length], one row of numbers for each patch of `patch` x `patch`
 * pixels and zeros after a picture's last patch; `pixel_attention_mask` [pictures, maxPatches], 1 for patches; and
 * `spatial_shapes`, each picture's `grids` as a tensor. `rows`: how many each picture gets, by `rowsPerPicture`;
 * `grids`: columns (`width`) and rows (`height`) of patches
 * @type {(call: Call, pictures: readonly Picture[], patch: number, maxPatches: number) => { outputs: Outputs,
 *   rows: number, grids: Size[] }} */
function paddedPatches(call, pictures, patch, maxPatches) {
  const numbers = steps.usualNumbers(call);
  for (const picture of pictures) steps.checkWhole(picture, patch);
  const grids = pictures.map((picture) => gridOfPatches(picture, patch));
  const counts = grids.map(patchCount);
  const rows = rowsPerPicture(counts, maxPatches);
  const length = 3 * patch * patch;
  const tensor = steps.pixelTensor(call, numbers.dtype, [pictures.length, rows, length]);
  const bytes = bytesOf(tensor.data);
  const rowBytes = (length * numbers.dtype.bits) / 8;
  const mask = newData(dtypes.int32, pictures.length * maxPatches, undefined);
  pictures.forEach((picture, i) => {
    const firstRow = i * rows;
    const endRow = firstRow + counts[i];
    steps.writePatches([picture], numbers, { patch }, bytesBetween(bytes, firstRow * rowBytes, endRow * rowBytes));
    const firstOfMask = i * maxPatches;
    mask.fill(1, firstOfMask, firstOfMask + Math.min(maxPatches, counts[i]));
  });
  const outputs = {
    pixel_values: tensor,
    pixel_attention_mask: tensorOf(dtypes.int32, mask, [pictures.length, maxPatches]),
    spatial_shapes: steps.sizesTensor(grids),
  };
  return { outputs, rows, grids };
}

/** Resizes pictures to as many patches as `max_num_patches` allows and writes them as padded rows, as SigLIP2 does. */
export const makeSiglip2 = steps.withSettings(
  ['do_resize', 'resample', ...steps.usualNumbers.reads, 'patch_size', 'max_num_patches'],
  (call, pictures) => {
    const { do_resize: resizes, patch_size: patch, max_num_patches: maxPatches } = call.settings;
    const resized = pictures.map((picture) =>
      resizes ? steps.resizeTo(call, picture, patchCountSize(sizeOf(picture), patch, maxPatches)) : picture,
    );
    return paddedPatches(call, resized, patch, maxPatches).outputs;
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

/** The side in pixels of LFM2-VL's token, which stands for `downsample_factor` patches along each side, and the pixels
 * of `min_image_tokens` and of `max_image_tokens` tokens.
 * @type {(settings: Settings) => { tokenSide: number, minPixels: number, maxPixels: number }} */
function lfmTokens(settings) {
  const tokenSide = settings.encoder_patch_size * settings.downsample_factor;
  const tokenPixels = tokenSide * tokenSide;
  const { min_image_tokens: minTokens, max_image_tokens: maxTokens } = settings;
  return { tokenSide, minPixels: minTokens * tokenPixels, maxPixels: maxTokens * tokenPixels };
}

/** Whether a picture, whose sides are rounded to whole tokens and to a patch at least, has more than
 * `max_pixels_tolerance` times the pixels of `max_image_tokens` tokens, by Python's `_is_image_too_large`.
 * @type {(settings: Settings, size: Size) => boolean} */
function isTooLarge(settings, size) {
  const { tokenSide, maxPixels } = lfmTokens(settings);
  const rounded = both(size, (extent) => {
    const wholeTokens = roundHalfToEven(extent / tokenSide) * tokenSide;
    return Math.max(settings.encoder_patch_size, wholeTokens);
  });
  return rounded.height * rounded.width > maxPixels * settings.max_pixels_tolerance;
}

/** Cuts a picture into LFM2-VL's tiles of `tile_size` x `tile_size` pixels if `do_image_splitting` is on and it is too
 * large. With `use_thumbnail`, a small copy of the picture follows two tiles or more. Any other picture is resized and
 * is the only tile. `size`: of the small copy or the only tile, whose area is that of `min_image_tokens` to
 * `max_image_tokens` tokens; `rows`, `columns`: of the tiles without the copy
 * @type {(call: Call, picture: Picture) => { tiles: Picture[], rows: number, columns: number, size: Size }} */
function lfmTiles(call, picture) {
  const { settings } = call;
  const { min_tiles: minTiles, max_tiles: maxTiles, tile_size: tileSide, do_image_splitting: splits } = settings;
  if (splits && minTiles > maxTiles) rangeError(`min_tiles must be at most max_tiles, got ${minTiles} and ${maxTiles}`);
  const pictureSize = sizeOf(picture);
  const { tokenSide, minPixels, maxPixels } = lfmTokens(settings);
  const size = boundedArea(pictureSize, { factor: tokenSide, minPixels, maxPixels, shortest: tokenSide });
  const isCut = splits && maxTiles !== 1 && isTooLarge(settings, pictureSize);
  if (!isCut) return { tiles: [steps.resizeTo(call, picture, size)], rows: 1, columns: 1, size };
  const tile = square(tileSide);
  const grid = ratioGrid(pictureSize, tile, gridsUpTo(minTiles, maxTiles));
  const tiles = tilesOf(rendered(steps.resizeTo(call, picture, gridSize(grid, tile))), tileSide);
  if (settings.use_thumbnail && tiles.length > 1) tiles.push(steps.resizeTo(call, picture, size));
  return { tiles, ...grid, size };
}

/** How many rows for patches LFM2-VL gives each tile: with `do_pad` as many as a tile or a resized picture can have;
 * otherwise as many as the tiles have, which must be of one size then.
 * @type {(settings: Settings, tiles: readonly Picture[]) => number} */
function lfmRowsPerTile(settings, tiles) {
  const { encoder_patch_size: patch, downsample_factor: down, max_image_tokens: maxTokens } = settings;
  if (!settings.do_pad) {
    const { width, height } = steps.commonFrame(tiles.map(sizeOf));
    return (width * height) / patch ** 2;
  }
  const patchesOfTile = settings.do_image_splitting ? Math.floor(settings.tile_size / patch) ** 2 : 0;
  const patchesOfResized = maxTokens * down ** 2;
  return Math.max(patchesOfResized, patchesOfTile);
}

/** Writes the patches of tiles as padded rows, as LFM2-VL does. It resizes whatever `do_resize` says. */
export const makeLfm2Vl = steps.withSettings(
  ['resample', ...steps.usualNumbers.reads, ...lfmKeys],
  (call, pictures) => {
    const { settings } = call;
    const cuts = pictures.map((picture) => lfmTiles(call, picture));
    const tiles = cuts.flatMap((cut) => cut.tiles);
    const padded = paddedPatches(call, tiles, settings.encoder_patch_size, lfmRowsPerTile(settings, tiles)).outputs;
    const outputs = settings.do_pad ? padded : { pixel_values: padded.pixel_values };
    if (!settings.return_row_col_info) return outputs;
    return {
      ...outputs,
      image_rows: steps.int64(cuts.map(({ rows }) => rows)),
      image_cols: steps.int64(cuts.map(({ columns }) => columns)),
      image_sizes: steps.sizesTensor(cuts.map(({ size }) => size)),
    };
  },
);

/** Resizes pictures to as many pixels as their tokens stand for and writes padded rows of patches with their columns
 * and rows, as Gemma 4 does. `patch`: the side of a patch in pixels; `patchesPerToken`: how many become a token
 * @type {(call: Call, pictures: readonly Picture[], patch: number, patchesPerToken: number) => Outputs} */
function gemmaPatches(call, pictures, patch, patchesPerToken) {
  const { max_soft_tokens: maxTokens } = call.settings;
  steps.checkSoftTokens(maxTokens);
  const maxPatches = maxTokens * patchesPerToken;
  const resized = pictures.map((picture) => steps.resizeGemma(call, picture));
  const { outputs, rows, grids } = paddedPatches(call, resized, patch, maxPatches);
  return {
    pixel_values: outputs.pixel_values,
    image_position_ids: steps.gridPositions(grids, rows),
    num_soft_tokens_per_image: steps.int64(grids.map((grid) => Math.floor(patchCount(grid) / patchesPerToken))),
  };
}

const gemmaKeys = [
  'do_resize',
  'resample',
  ...steps.usualNumbers.reads,
  'patch_size',
  'max_soft_tokens',
  'pooling_kernel_size',
];

/** Gemma 4: the model pools `pooling_kernel_size` x `pooling_kernel_size` patches to a token. */
export const makeGemma4 = steps.withSettings(gemmaKeys, (call, pictures) => {
  const { patch_size: patch, pooling_kernel_size: pool } = call.settings;
  return gemmaPatches(call, pictures, patch, pool ** 2);
});

/** Gemma 4 in its unified form: a patch is as large as a token, `pooling_kernel_size` patches a side. */
export const makeGemma4Unified = steps.withSettings(gemmaKeys, (call, pictures) => {
  const { patch_size: patch, pooling_kernel_size: pool } = call.settings;
  return gemmaPatches(call, pictures, patch * pool, 1);
});
