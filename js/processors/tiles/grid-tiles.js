/** Processors that cut a picture into a grid of tiles. */
import { largest, rangeError } from '../../arguments/index.js';
import { dtypes, newData, tensorOf } from '../../tensor/index.js';
import { chunksByRatio, coveringGrid, gridsUpTo, ratioGrid, scaleGrid } from './grids.js';
import { exactSize, rendered, sizeOf, square } from '../pictures/index.js';
import * as steps from '../steps/index.js';
import { stacked, tilesOf } from './tiles.js';

/** @import { Grid } from './grids.js' */
/** @import { Call, ClassOutputs, Make, Outputs, Picture, Settings, Size, Step } from '../types.js' */

/** Resizes a picture to a grid of tiles of the setting `size` and cuts it; if there are several tiles, the whole
 * picture, resized to one tile, is added before or after them.
 * @type {(call: Call, picture: Picture, grid: Grid, wholeIsFirst: boolean) => Picture[]} */
function gridTiles(call, picture, { columns, rows }, wholeIsFirst) {
  const { width, height } = exactSize(call.settings.size);
  const large = rendered(steps.resizeTo(call, picture, { width: columns * width, height: rows * height }));
  const tiles = tilesOf(large, width, height);
  if (tiles.length === 1) return tiles;
  const small = steps.resizeTo(call, picture, { width, height });
  return wholeIsFirst ? [small, ...tiles] : [...tiles, small];
}

export const gridKeys = [
  ...steps.resize.reads,
  ...steps.usualNumbers.reads,
  'crop_to_patches',
  'min_patches',
  'max_patches',
];

/** Makes a class that chooses a grid by the picture's size and cuts the picture into it: GOT-OCR 2, Cohere 2, Ovis 2.
 * `reads`: settings that the rules read; `gridOf`: chooses the grid; `isCut`: whether a call with `crop_to_patches`
 * cuts at all; `wholeIsFirst`: whether the whole picture comes before its tiles; `crop`: a step for each tile;
 * `outputs`: those other than `pixel_values`
 * @type {(rules: { reads?: string[], gridOf: (call: Call, size: Size) => Grid, isCut: (call: Call) => boolean,
 *   wholeIsFirst: boolean, crop?: Step, outputs: (tiled: { tiles: Picture[], grid: Grid }[]) => Outputs }) => Make} */
const makeGrids = ({ reads = [], gridOf, isCut, wholeIsFirst, crop, outputs }) => {
  /** The tiles of a picture and their grid; a picture that is not cut is one tile.
   * @type {(call: Call, picture: Picture) => { tiles: Picture[], grid: Grid }} */
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
  // Python's classes with this output are those that count patches.
  return outputs === numPatches
    ? steps.counting(make, (call, picture) => cutPicture(call, picture).tiles.length)
    : make;
};

/** The grid of `min_patches` to `max_patches` tiles whose ratio is nearest to the picture's.
 * @type {(call: Call, size: Size) => Grid} */
function gridByRatio({ settings }, size) {
  const { size: tile, min_patches: minTiles, max_patches: maxTiles } = settings;
  return ratioGrid(size, exactSize(tile), gridsUpTo(minTiles, maxTiles));
}

/** The output `num_patches`: the number of tiles of each picture, with the whole one.
 * @type {(tiled: { tiles: Picture[] }[]) => Outputs} */
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
  /** The grid that covers most of the picture or, without `use_covering_area_grid`, that of the nearest ratio. */
  gridOf: (call, size) =>
    call.settings.use_covering_area_grid
      ? coveringGrid(size, exactSize(call.settings.size).height, gridsUpTo(1, call.settings.max_patches))
      : gridByRatio(call, size),
  isCut: ({ settings }) => settings.max_patches > 1,
  wholeIsFirst: true,
  /** The rows and columns of each picture's tiles. */
  outputs: (tiled) => ({
    grids: steps.int64(tiled.map(({ grid }) => [grid.rows, grid.columns])),
  }),
});

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

/** Chooses PerceptionLM's grid of at most `maxTiles` tiles of `side` x `side` pixels. Of the grids that are not smaller
 * than the picture, it is the one in which the fitted picture's shorter side is longest (Python's
 * `_fit_image_to_canvas`). If there is none, it is the longest of the grids whose ratio is nearest to the picture's,
 * but not more extreme (`_find_closest_aspect_ratio`).
 * @type {(size: Size, side: number, maxTiles: number) => Grid} */
function perceptionGrid({ width, height }, side, maxTiles) {
  const table = chunksByRatio(maxTiles);
  const ratio = width / height;
  let best;
  let longest = -Infinity;
  for (const [columns, rows] of [...table.values()].flat()) {
    if (columns * side < width || rows * side < height) continue;
    const scale = Math.min((columns * side) / width, (rows * side) / height);
    // Width and height, of which Python truncates the one that it computes from the ratio.
    const fitted =
      ratio > 1
        ? [scale * width, Math.floor((scale * width) / ratio)]
        : [Math.floor(scale * height * ratio), scale * height];
    const shorter = ratio < 1 ? fitted[0] : fitted[1];
    // Of equals the last one counts.
    if (shorter >= longest) [best, longest] = [{ columns, rows }, shorter];
  }
  if (best) return best;
  const ratios = [...table.keys()].filter((key) => (ratio >= 1 ? key <= ratio : key > ratio));
  /** @type {(key: number) => number} */
  const distance = (key) => (ratio >= 1 ? Math.abs(key - ratio) : Math.abs(1 / key - 1 / ratio));
  const near = ratios.reduce((nearest, key) => (distance(key) < distance(nearest) ? key : nearest));
  // The grid of that ratio with the most columns or, of a tall picture, the most rows.
  const place = ratio >= 1 ? 0 : 1;
  const [columns, rows] = (table.get(near) ?? []).reduce((widest, grid) =>
    grid[place] > widest[place] ? grid : widest,
  );
  return { columns, rows };
}

/** The most rows and columns of Granite's grids: its tokenizer has no markers of others. */
const mostGraniteSide = 16;

/** Cuts a picture into Granite's tiles, with the whole picture as the last one. `grid`: of the tiles; 1 x 1 where the
 * class does not cut
 * @type {(call: Call, picture: Picture) => { tiles: Picture[], grid: Grid }} */
function graniteTiles(call, picture) {
  const { settings } = call;
  const tile = exactSize(settings.size);
  const maxTiles = graniteMost(settings, sizeOf(picture), tile);
  // A picture that is not cut has one tile, whatever `min_patches` says.
  const grids = gridsUpTo(Math.min(settings.min_patches, maxTiles), maxTiles, mostGraniteSide);
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

/** The most tiles of a picture, as Python's `get_page_max_patches` gives them: `dense_max_patches` for a picture of
 * dense text, else `max_patches`; 1 if nothing is cut. A picture counts as dense if its ratio, width / height, is over
 * `dense_min_aspect` and not over `dense_max_aspect`, and the usual grid would enlarge its width by less than
 * `dense_max_scale`. A bound of 0 does not count. No picture is dense if `dense_max_patches` is 0, or
 * `dense_min_aspect` and `dense_max_scale` both are.
 * @type {(settings: Settings, size: Size, tile: Size) => number} */
function graniteMost(settings, size, tile) {
  const { max_patches: maxTiles, min_patches: minTiles, crop_to_patches: cuts } = settings;
  if (!cuts || maxTiles <= 1) return 1;
  const { dense_max_patches: dense, dense_max_scale: scale } = settings;
  const { dense_min_aspect: narrow, dense_max_aspect: wide } = settings;
  const ratio = size.width / size.height;
  if (!(dense && (scale > 0 || narrow > 0)) || (narrow > 0 && !(ratio > narrow)) || (wide > 0 && ratio > wide))
    return maxTiles;
  const { columns } = ratioGrid(size, tile, gridsUpTo(minTiles, maxTiles, mostGraniteSide));
  return !(scale > 0) || (columns * tile.width) / size.width < scale ? dense : maxTiles;
}
