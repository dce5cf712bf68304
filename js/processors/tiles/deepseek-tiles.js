/** DeepSeek's processors: tiles of large pictures and the whole of each on a square, or squares of two sizes. */
import { gridsUpTo, ratioGrid } from './grids.js';
import { gridKeys } from './grid-tiles.js';
import { exactSize, longestEdgeSize, meanColor, onSquare, rendered, sizeOf, square } from '../pictures/index.js';
import * as steps from '../steps/index.js';
import { tilesOf } from './tiles.js';

/** @import { Grid } from './grids.js' */
/** @import { Call, ClassOutputs, Make, Mean, Picture, Settings, Size, SizeSetting } from '../types.js' */

/** Makes DeepSeek-OCR 2: `pixel_values` are the whole pictures, fitted into squares, and `pixel_values_local` the tiles
 * of those that are larger than a tile, where `crop_to_patches` is on. `isUnlimited`: makes UnlimitedOcr, which gives
 * lists of counts and grids, and where nothing is cut stretches pictures to squares of up to `maximum_pad_value` pixels
 * @type {(isUnlimited: boolean) => Make} */
export const makeDeepseekOcr = (isUnlimited) => {
  const make = steps.withSettings(
    [...gridKeys, 'tile_size', 'background_color', 'maximum_pad_value'],
    (call, pictures) => {
      const { settings } = call;
      const { tile_size: tile, crop_to_patches: cuts } = settings;
      // A call's color counts with PIL alone.
      const { background_color: background } = call.backend === 'pil' ? settings : call.file;
      const size = exactSize(settings.size);
      const grids = pictures.map((picture) => deepseekGrid(settings, sizeOf(picture), tile));
      const local = pictures.flatMap((picture, i) => localTiles(call, picture, grids[i], tile));
      // The side of the squares: that of a tile where nothing is cut, but not in UnlimitedOcr.
      const edge = isUnlimited ? Math.max(size.height, size.width) : cuts ? size.height : tile;
      const squares = pictures.map((picture) => {
        if (isUnlimited && !cuts && edge <= settings.maximum_pad_value)
          return steps.resizeTo(call, picture, square(edge));
        return onSquare(steps.resizeTo(call, picture, longestEdgeSize(sizeOf(picture), edge)), background);
      });
      const counts = grids.map((grid) => (grid ? grid.columns * grid.rows : 0));
      /** @type {ClassOutputs} */
      const outputs = {
        pixel_values: steps.stack(call, squares),
        num_local_patches: isUnlimited ? counts : steps.int64(counts),
      };
      if (isUnlimited) outputs.patches_grid = grids.map((grid) => (grid ? [grid.columns, grid.rows] : [1, 1]));
      if (local.length > 0) outputs.pixel_values_local = steps.stack(steps.inOwnMemory(call), local);
      return outputs;
    },
  );
  return steps.counting(make, ({ backend, settings }, picture) => {
    if (backend === 'pil') return pilCount(settings, sizeOf(picture));
    const grid = deepseekGrid(settings, sizeOf(picture), settings.tile_size);
    return grid ? 1 + grid.columns * grid.rows : 1;
  });
};

/** Counts a picture and its tiles by the rules of the PIL class' `get_number_of_image_patches`, which are not those by
 * which it cuts: a small picture has a grid too, the size of the whole is taken for a tile's, and a grid of a single
 * tile counts for none. @type {(settings: Settings, size: Size) => number} */
function pilCount(settings, size) {
  if (!settings.crop_to_patches) return 1;
  const tile = exactSize(settings.size);
  const { columns, rows } = ratioGrid(size, tile, gridsUpTo(settings.min_patches, settings.max_patches));
  return columns * rows > 1 ? 1 + columns * rows : 1;
}

/** Resizes a picture to a grid of tiles of `tile` x `tile` pixels and cuts it; there are no tiles without a grid.
 * @type {(call: Call, picture: Picture, grid: Grid | undefined, tile: number) => Picture[]} */
function localTiles(call, picture, grid, tile) {
  if (!grid) return [];
  const large = { width: grid.columns * tile, height: grid.rows * tile };
  return tilesOf(rendered(steps.resizeTo(call, picture, large)), tile);
}

/** DeepSeek-OCR's grid of a picture with a side over `tile` pixels, where `crop_to_patches` is on: of `min_patches` to
 * `max_patches` tiles, nearest to the picture's ratio. undefined for a picture that is not cut.
 * @type {(settings: Settings, size: Size, tile: number) => Grid | undefined} */
function deepseekGrid(settings, size, tile) {
  if (!(settings.crop_to_patches && Math.max(size.width, size.height) > tile)) return undefined;
  return ratioGrid(size, square(tile), gridsUpTo(settings.min_patches, settings.max_patches));
}

/** Stacks pictures on large squares, and these resized to small squares, as DeepSeek-VL hybrid does. */
export const makeDeepseekHybrid = steps.withSettings(
  [
    ...steps.usualNumbers.reads,
    ...['do_resize', 'resample', 'size', 'min_size', 'do_pad', 'high_res_size', 'high_res_resample'],
    ...['high_res_image_mean', 'high_res_image_std'],
  ],
  (call, pictures) => {
    const { settings, file } = call;
    const { min_size: least = 1, do_pad: pads, high_res_resample: filter } = settings;
    // Without, the PIL class keeps pictures as they are, and the other one fails.
    if (call.backend !== 'pil') steps.needs(call, 'do_resize');
    const highCall = {
      ...steps.inOwnMemory(call),
      settings: {
        ...settings,
        // The PIL class computes `high_res_resample or self.resample`.
        resample: call.backend === 'pil' && filter === 'nearest' ? file.resample : filter,
        image_mean: settings.high_res_image_mean,
        image_std: settings.high_res_image_std,
      },
    };
    /** Fits a picture, in its ratio and with no side below `min_size`, into a square of the height of `size`; with
     * `do_pad` the square is filled up in the color of `mean`, or in Python's gray without a mean. Without `do_resize`
     * the picture is returned as it is.
     * @type {(sizeCall: Call, picture: Picture, size: SizeSetting, mean: Mean | undefined) => Picture} */
    const resize = (sizeCall, picture, size, mean) => {
      if (!settings.do_resize) return picture;
      const edge = exactSize(size).height;
      const resized = steps.resizeTo(sizeCall, picture, longestEdgeSize(sizeOf(picture), edge, least));
      return pads ? onSquare(resized, mean === undefined ? [127, 127, 127] : meanColor(mean)) : resized;
    };
    const high = pictures.map((picture) =>
      rendered(resize(highCall, picture, settings.high_res_size, file.high_res_image_mean)),
    );
    const low = high.map((picture) => resize(call, picture, settings.size, file.image_mean));
    return { pixel_values: steps.stack(call, low), high_res_pixel_values: steps.stack(highCall, high) };
  },
);
