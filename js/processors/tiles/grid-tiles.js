/** Processors that cut a picture into a grid of tiles. */
import { largest, rangeError } from '../../arguments/index.js';
import { dtypes, newData, tensorOf } from '../../tensor/index.js';
import { chunksByRatio, coveringGrid, gridsUpTo, ratioGrid, scaleGrid } from './grids.js';
import { exactSize, longestEdgeSize, meanColor, onSquare, rendered, sizeOf, square } from '../pictures/index.js';
import * as steps from '../steps/index.js';
import { stacked, tilesOf } from './tiles.js';

/** @import { Grid } from './grids.js' */
/** @import { Call, ClassOutputs, Make, Mean, Outputs, Picture } from '../types.js' */
/** @import { Settings, Size, SizeSetting, Step } from '../types.js' */

/** Cuts a picture into a grid of tiles of `size` and, if there are several, adds the whole picture before or behind
 * them.
 * @type {(call: Call, picture: Picture, grid: Grid, wholeIsFirst: boolean) => Picture[]} */
function gridTiles(call, picture, { columns, rows }, wholeIsFirst) {
  const { width, height } = exactSize(call.settings.size);
  const large = rendered(steps.resizeTo(call, picture, { width: columns * width, height: rows * height }));
  const tiles = tilesOf(large, width, height);
  if (tiles.length === 1) return tiles;
  const small = steps.resizeTo(call, picture, { width, height });
  return wholeIsFirst ? [small, ...tiles] : [...tiles, small];
}

const gridKeys = [...steps.resize.reads, ...steps.usualNumbers.reads, 'crop_to_patches', 'min_patches', 'max_patches'];

/** Makes a class that chooses a grid by the picture's size and cuts the picture into it: GOT-OCR 2, Cohere 2, Ovis 2.
 * `isCut`: whether a call cuts at all; `crop`: a step for each tile
 * @type {(rules: { reads?: string[], gridOf: (call: Call, size: Size) => Grid, isCut: (call: Call) => boolean,
 *   wholeIsFirst: boolean, crop?: Step, outputs: (tiled: { tiles: Picture[], grid: Grid }[]) => Outputs }) => Make} */
const makeGrids = ({ reads = [], gridOf, isCut, wholeIsFirst, crop, outputs }) => {
  /** @type {(call: Call, picture: Picture) => { tiles: Picture[], grid: Grid }} */
  const cutPicture = (call, picture) => {
    if (!(call.settings.crop_to_patches && isCut(call)))
      return { tiles: [steps.resize(call, picture)], grid: { columns: 1, rows: 1 } };
    const grid = gridOf(call, sizeOf(picture));
    return { tiles: gridTiles(call, picture, grid, wholeIsFirst), grid };
  };
  const make = steps.withSettings([...gridKeys, ...reads, ...(crop?.reads ?? [])], (call, pictures) => {
    const tiled = pictures.map((picture) => cutPicture(call, picture));
    const tiles = tiled.flatMap((part) => part.tiles);
    const cropped = crop ? tiles.map((tile) => crop(call, tile)) : tiles;
    return { pixel_values: steps.stack(call, cropped), ...outputs(tiled) };
  });
  return outputs === numPatches
    ? steps.counting(make, (call, picture) => cutPicture(call, picture).tiles.length)
    : make;
};

/** The grid between `min_patches` and `max_patches` whose ratio is nearest to the picture's.
 * @type {(call: Call, size: Size) => Grid} */
function gridByRatio({ settings }, size) {
  const { size: tile, min_patches: minTiles, max_patches: maxTiles } = settings;
  return ratioGrid(size, exactSize(tile), gridsUpTo(minTiles, maxTiles));
}

/** @type {(tiled: { tiles: Picture[] }[]) => Outputs} */
const numPatches = (tiled) => ({
  num_patches: steps.int64(tiled.map(({ tiles }) => tiles.length)),
});

export const gotOcr = makeGrids({
  gridOf: gridByRatio,
  isCut: ({ backend, settings }) => backend !== 'pil' || settings.max_patches > 1,
  wholeIsFirst: false,
  outputs: numPatches,
});
export const cohere = makeGrids({
  gridOf: ({ settings }, size) => scaleGrid(size, exactSize(settings.size).height, gridsUpTo(1, settings.max_patches)),
  isCut: () => true,
  wholeIsFirst: false,
  outputs: numPatches,
});
export const ovis = makeGrids({
  reads: ['use_covering_area_grid'],
  crop: steps.centerCrop,
  gridOf: (call, size) =>
    call.settings.use_covering_area_grid
      ? coveringGrid(size, exactSize(call.settings.size).height, gridsUpTo(1, call.settings.max_patches))
      : gridByRatio(call, size),
  isCut: ({ settings }) => settings.max_patches > 1,
  wholeIsFirst: true,
  outputs: (tiled) => ({
    grids: steps.int64(tiled.map(({ grid }) => [grid.rows, grid.columns])),
  }),
});

/** Makes DeepSeek-OCR 2: tiles of a large picture, and the whole on a square. `isUnlimited`: the class that gives lists
 * instead of tensors and puts no border on a small side
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
      const local = pictures.flatMap((picture, i) => {
        const grid = grids[i];
        if (!grid) return [];
        const large = { width: grid.columns * tile, height: grid.rows * tile };
        return tilesOf(rendered(steps.resizeTo(call, picture, large)), tile);
      });
      const side = isUnlimited ? Math.max(size.height, size.width) : cuts ? size.height : tile;
      const squares = pictures.map((picture) => {
        if (isUnlimited && !cuts && side <= settings.maximum_pad_value)
          return steps.resizeTo(call, picture, square(side));
        return onSquare(steps.resizeTo(call, picture, longestEdgeSize(sizeOf(picture), side)), background);
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
    // The PIL class takes the size of the whole for the one of a tile here.
    const tile = backend === 'pil' ? exactSize(settings.size).height : settings.tile_size;
    const { columns, rows } = deepseekGrid(settings, sizeOf(picture), tile) ?? { columns: 1, rows: 1 };
    return columns * rows > 1 ? columns * rows + 1 : 1;
  });
};

/** The grid of a picture that is larger than a tile; undefined for one that stays whole.
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
    /** @type {(sizeCall: Call, picture: Picture, size: SizeSetting, mean: Mean | undefined) => Picture} */
    const resize = (sizeCall, picture, size, mean) => {
      if (!settings.do_resize) return picture;
      const side = exactSize(size).height;
      const resized = steps.resizeTo(sizeCall, picture, longestEdgeSize(sizeOf(picture), side, least));
      return pads ? onSquare(resized, mean === undefined ? [127, 127, 127] : meanColor(mean)) : resized;
    };
    const high = pictures.map((picture) =>
      rendered(resize(highCall, picture, settings.high_res_size, file.high_res_image_mean)),
    );
    const low = high.map((picture) => resize(call, picture, settings.size, file.image_mean));
    return { pixel_values: steps.stack(call, low), high_res_pixel_values: steps.stack(highCall, high) };
  },
);

/** Stacks the whole of each picture as a tile, then the tiles of its grid, as PerceptionLM does. */
export const makePerceptionLm = steps.withSettings(
  [...steps.resize.reads, ...steps.usualNumbers.reads, 'tile_size', 'max_num_tiles', 'vision_input_type'],
  (call, pictures) => {
    const { tile_size: side, max_num_tiles: limit, vision_input_type: kind } = call.settings;
    // As in Python, a call may turn tiles off, but the file says how many there are.
    const maxTiles = limit > 1 ? call.file.max_num_tiles : 1;
    const lists = pictures.map((picture) => {
      if (!call.settings.do_resize) return [picture];
      const tiles = [steps.resizeTo(call, picture, square(side))];
      if (kind !== 'thumb+tile') return tiles;
      const { columns, rows } =
        maxTiles > 1 ? perceptionGrid(sizeOf(picture), side, maxTiles) : { columns: 1, rows: 1 };
      return [
        ...tiles,
        ...tilesOf(rendered(steps.resizeTo(call, picture, { width: columns * side, height: rows * side })), side),
      ];
    });
    const [{ length }] = lists;
    const wrong = lists.findIndex((list) => list.length !== length);
    if (wrong >= 0) rangeError(`images[${wrong}] must become ${length} tiles as the first, got ${lists[wrong].length}`);
    return { pixel_values: stacked(call, lists) };
  },
);

/** The grid that PerceptionLM chooses: of those that hold the whole picture, the one that enlarges it most; if none
 * does, the longest of the nearest ratio.
 * @type {(size: Size, side: number, maxTiles: number) => Grid} */
function perceptionGrid({ width, height }, side, maxTiles) {
  const table = chunksByRatio(maxTiles);
  const ratio = width / height;
  let best;
  let longest = -Infinity;
  for (const [columns, rows] of [...table.values()].flat()) {
    if (columns * side < width || rows * side < height) continue;
    const scale = Math.min((columns * side) / width, (rows * side) / height);
    const fitted =
      ratio > 1
        ? [scale * width, Math.floor((scale * width) / ratio)]
        : [Math.floor(scale * height * ratio), scale * height];
    const shorter = ratio < 1 ? fitted[0] : fitted[1];
    if (shorter >= longest) [best, longest] = [{ columns, rows }, shorter];
  }
  if (best) return best;
  const ratios = [...table.keys()].filter((key) => (ratio >= 1 ? key <= ratio : key > ratio));
  /** @type {(key: number) => number} */
  const distance = (key) => (ratio >= 1 ? Math.abs(key - ratio) : Math.abs(1 / key - 1 / ratio));
  const near = ratios.reduce((nearest, key) => (distance(key) < distance(nearest) ? key : nearest));
  const place = ratio >= 1 ? 0 : 1;
  const [columns, rows] = (table.get(near) ?? []).reduce((widest, grid) =>
    grid[place] > widest[place] ? grid : widest,
  );
  return { columns, rows };
}

/** Cuts a picture into Granite's tiles, with the whole as the last one.
 * @type {(call: Call, picture: Picture) => { tiles: Picture[], grid: Grid }} */
function graniteTiles(call, picture) {
  const { settings } = call;
  const tile = exactSize(settings.size);
  const maxTiles = graniteMost(settings, sizeOf(picture), tile);
  const grids = gridsUpTo(Math.min(settings.min_patches, maxTiles), maxTiles, 16);
  const grid = ratioGrid(sizeOf(picture), tile, grids);
  return { tiles: gridTiles(call, picture, grid, false), grid: maxTiles > 1 ? grid : { columns: 1, rows: 1 } };
}

/** Stacks the tiles of each sample's pictures with a mask of them, as Granite Docling does: GOT-OCR 2's tiles, with
 * more of them for some pictures. */
const makeGraniteTiles = steps.withSettings(
  [...gridKeys, 'dense_max_patches', 'dense_max_scale', 'dense_min_aspect', 'dense_max_aspect', 'fine_route'],
  (call, pictures) => {
    const { settings, backend } = call;
    const tiled = pictures.map((picture) => graniteTiles(call, picture));
    const rows = steps.bySample(call, tiled);
    const lists = rows.map((row) => row.flatMap(({ tiles }) => tiles));
    const tileCount = largest(lists.map(({ length }) => length));
    const mask = newData(dtypes.bool, lists.length * tileCount, undefined);
    lists.forEach(({ length }, i) => mask.fill(1, i * tileCount, i * tileCount + length));
    /** @type {ClassOutputs} */
    const outputs = {
      pixel_values: stacked(call, lists, backend === 'pil' ? steps.floatNumbers : steps.usualNumbers),
      pixel_attention_mask: tensorOf(dtypes.bool, mask, [lists.length, tileCount]),
      rows: rows.map((row) => row.map(({ grid }) => grid.rows)),
      cols: rows.map((row) => row.map(({ grid }) => grid.columns)),
    };
    if (settings.fine_route) {
      const fine = newData(dtypes.bool, lists.length, undefined).fill(1);
      outputs.tile_fine_mask = tensorOf(dtypes.bool, fine, [lists.length]);
    }
    return outputs;
  },
);

export const makeGranite = steps.counting(
  makeGraniteTiles,
  (call, picture) => graniteTiles(call, picture).tiles.length,
);

/** The most tiles of a picture: `dense_max_patches` if its ratio lies between the bounds and the usual grid would
 * enlarge it by less than `dense_max_scale`, else `max_patches`.
 * @type {(settings: Settings, size: Size, tile: Size) => number} */
function graniteMost(settings, size, tile) {
  const { max_patches: maxTiles, min_patches: minTiles, crop_to_patches: cuts } = settings;
  if (!cuts || maxTiles <= 1) return 1;
  const { dense_max_patches: dense, dense_max_scale: scale } = settings;
  const { dense_min_aspect: narrow, dense_max_aspect: wide } = settings;
  const ratio = size.width / size.height;
  if (!(dense && (scale > 0 || narrow > 0)) || (narrow > 0 && !(ratio > narrow)) || (wide > 0 && ratio > wide))
    return maxTiles;
  const { columns } = ratioGrid(size, tile, gridsUpTo(minTiles, maxTiles, 16));
  return !(scale > 0) || (columns * tile.width) / size.width < scale ? dense : maxTiles;
}
