/** DeepSeek's processors: tiles of large pictures and the whole of each on a square, or squares of two sizes. */
import { gridSize, gridsUpTo, oneTile, ratioGrid, tileCount } from './grids.js';
import { gridKeys } from './grid-tiles.js';
import { exactSize, longestEdgeSize, meanColor, onSquare, rendered, sizeOf, square } from '../pictures/index.js';
import * as steps from '../steps/index.js';
import { tilesOf } from './tiles.js';

/** @import { Grid } from './grids.js' */
/** @import { Call, ClassOutputs, Make, Mean, Picture, Settings, Size, SizeSetting } from '../types.js' */

/** Makes the class of DeepSeek-OCR 2: `pixel_values` are the whole pictures, fitted into squares, and
 * `pixel_values_local` the tiles of those that are larger than a tile, where `crop_to_patches` is on. With
 * `isUnlimited` it makes that of UnlimitedOcr, which gives lists of counts and grids, and where nothing is cut
 * stretches pictures to squares of up to `maximum_pad_value` pixels.
 * @type {(kind: { isUnlimited: boolean }) => Make} */
export const makeDeepseekOcr = ({ isUnlimited }) => {
  const make = steps.withSettings(
    [...gridKeys, 'tile_size', 'background_color', 'maximum_pad_value'],
    (call, pictures) => {
      const { settings } = call;
      const edge = wholeEdge(settings, { isUnlimited });
      const isStretched = isUnlimited && !settings.crop_to_patches && edge <= settings.maximum_pad_value;
      const grids = pictures.map((picture) => deepseekGrid(settings, sizeOf(picture)));
      const tiles = pictures.flatMap((picture, i) => deepseekTiles(call, picture, grids[i]));
      const wholes = pictures.map((picture) =>
        isStretched ? steps.resizeTo(call, picture, square(edge)) : fittedWhole(call, picture, edge),
      );
      const counts = grids.map((grid) => (grid ? tileCount(grid) : 0));
      /** @type {ClassOutputs} */
      const outputs = {
        pixel_values: steps.stack(call, wholes),
        num_local_patches: isUnlimited ? counts : steps.int64(counts),
      };
      if (isUnlimited) {
        outputs.patches_grid = grids.map((grid) => {
          const { columns, rows } = grid ?? oneTile;
          return [columns, rows];
        });
      }
      if (tiles.length > 0) outputs.pixel_values_local = steps.stack(steps.withoutOut(call), tiles);
      return outputs;
    },
  );
  return steps.withPatchCount(make, ({ backend, settings }, picture) => {
    if (backend === 'pil') return pilCount(settings, sizeOf(picture));
    const grid = deepseekGrid(settings, sizeOf(picture));
    return grid ? 1 + tileCount(grid) : 1;
  });
};

/** Fits a whole picture in its ratio into a square of `edge` pixels a side, in the middle of `background_color`.
 * @type {(call: Call, picture: Picture, edge: number) => Picture} */
function fittedWhole(call, picture, edge) {
  // A call's color counts with PIL alone.
  const { background_color: background } = call.backend === 'pil' ? call.settings : call.file;
  const fitted = steps.resizeTo(call, picture, longestEdgeSize(sizeOf(picture), edge));
  return onSquare(fitted, background);
}

/** The side in pixels of the squares that whole pictures become: by UnlimitedOcr the longer one of `size`; else the
 * height of `size` where pictures are cut into tiles, and the side of a tile where they are not.
 * @type {(settings: Settings, kind: { isUnlimited: boolean }) => number} */
function wholeEdge({ size, tile_size: tile, crop_to_patches: cuts }, { isUnlimited }) {
  const { width, height } = exactSize(size);
  if (isUnlimited) return Math.max(width, height);
  return cuts ? height : tile;
}

/** Counts a picture and its tiles by the rules of the PIL class' `get_number_of_image_patches`, which are not those by
 * which it cuts.
 * @type {(settings: Settings, size: Size) => number} */
function pilCount(settings, size) {
  if (!settings.crop_to_patches) return 1;
  // Python passes `size`, that of the square for the whole picture, where `ratioGrid` expects that of a tile; and a
  // picture below `tile_size`, which is not cut, has a grid too.
  const wholeSize = exactSize(settings.size);
  const tiles = tileCount(ratioGrid(size, wholeSize, gridsUpTo(settings.min_patches, settings.max_patches)));
  return tiles > 1 ? 1 + tiles : 1;
}

/** Resizes a picture to a grid of tiles and cuts it; there are no tiles without a grid.
 * @type {(call: Call, picture: Picture, grid: Grid | undefined) => Picture[]} */
function deepseekTiles(call, picture, grid) {
  if (!grid) return [];
  const tileSide = call.settings.tile_size;
  return tilesOf(rendered(steps.resizeTo(call, picture, gridSize(grid, square(tileSide)))), tileSide);
}

/** DeepSeek-OCR's grid of a picture with a side over `tile_size` pixels, where `crop_to_patches` is on: of
 * `min_patches` to `max_patches` tiles, nearest to the picture's ratio. undefined for a picture that is not cut.
 * @type {(settings: Settings, size: Size) => Grid | undefined} */
function deepseekGrid(settings, size) {
  const { tile_size: tileSide, crop_to_patches: cuts } = settings;
  const isCut = cuts && Math.max(size.width, size.height) > tileSide;
  if (!isCut) return undefined;
  return ratioGrid(size, square(tileSide), gridsUpTo(settings.min_patches, settings.max_patches));
}

/** The color that Python pads with where a file has no mean. */
const gray = [127, 127, 127];

/** Fits a picture, in its ratio and with no side below `min_size`, into a square of the height of `size`; with `do_pad`
 * the square is filled up in the color of `mean`, or in gray without a mean.
 * @type {(call: Call, picture: Picture, size: SizeSetting, mean: Mean | undefined) => Picture} */
function fitSquare(call, picture, size, mean) {
  const { do_resize: resizes, min_size: minSide = 1, do_pad: pads } = call.settings;
  if (!resizes) return picture;
  const edge = exactSize(size).height;
  const resized = steps.resizeTo(call, picture, longestEdgeSize(sizeOf(picture), edge, minSide));
  return pads ? onSquare(resized, mean === undefined ? gray : meanColor(mean)) : resized;
}

/** The call for DeepSeek-VL hybrid's large squares: its filter, mean and deviation are the `high_res_` settings.
 * @type {(call: Call) => Call} */
function highResolutionCall(call) {
  const { backend, settings, file } = call;
  const { high_res_resample: filter, high_res_image_mean: mean, high_res_image_std: std } = settings;
  // The PIL class computes `high_res_resample or self.resample`, in which 'nearest' is 0.
  const resample = backend === 'pil' && filter === 'nearest' ? file.resample : filter;
  return { ...steps.withoutOut(call), settings: { ...settings, resample, image_mean: mean, image_std: std } };
}

/** Stacks pictures on large squares, and these resized to small squares, as DeepSeek-VL hybrid does. */
export const makeDeepseekHybrid = steps.withSettings(
  [
    ...steps.usualNumbers.reads,
    'do_resize',
    'resample',
    'size',
    'min_size',
    'do_pad',
    'high_res_size',
    'high_res_resample',
    'high_res_image_mean',
    'high_res_image_std',
  ],
  (call, pictures) => {
    const { settings, file } = call;
    // Without `do_resize` the PIL class keeps pictures as they are, and the other one fails.
    if (call.backend !== 'pil') steps.requireFlag(call, 'do_resize');
    const highCall = highResolutionCall(call);
    const high = pictures.map((picture) =>
      rendered(fitSquare(highCall, picture, settings.high_res_size, file.high_res_image_mean)),
    );
    const low = high.map((picture) => fitSquare(call, picture, settings.size, file.image_mean));
    return { pixel_values: steps.stack(call, low), high_res_pixel_values: steps.stack(highCall, high) };
  },
);
