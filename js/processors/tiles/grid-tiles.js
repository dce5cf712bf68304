/** Processors that cut a picture into a grid of tiles. */
import { largest, rangeError } from '../../arguments/index.js';
import { dtypes, newData, tensorOf } from '../../tensor/index.js';
import { chunksByRatio, coveringGrid, gridSize, gridsUpTo, oneTile, ratioGrid, scaleGrid } from './grids.js';
import { exactSize, rendered, sizeOf, square } from '../pictures/index.js';
import * as steps from '../steps/index.js';
import { stacked, tilesOf } from './tiles.js';

/** @import { Grid } from './grids.js' */
/** @import { Call, ClassOutputs, Make, Outputs, Picture, Settings, Size, Step } from '../types.js' */

/** Resizes a picture to a grid of tiles of the setting `size` and cuts it; if there are several tiles, the whole
 * picture, resized to one tile, is added before or after them.
 * @type {(call: Call, picture: Picture, grid: Grid, wholeIsFirst: boolean) => Picture[]} */
function gridTiles(call, picture, grid, wholeIsFirst) {
  const tileSize = exactSize(call.settings.size);
  const large = rendered(steps.resizeTo(call, picture, gridSize(grid, tileSize)));
  const tiles = tilesOf(large, tileSize.width, tileSize.height);
  if (tiles.length === 1) return tiles;
  const wholePicture = steps.resizeTo(call, picture, tileSize);
  return wholeIsFirst ? [wholePicture, ...tiles] : [...tiles, wholePicture];
}

export const gridKeys = [
  ...steps.resize.reads,
  ...steps.usualNumbers.reads,
  'crop_to_patches',
  'min_patches',
  'max_patches',
];

/** A picture's tiles, and the grid that they form. @typedef {{ tiles: Picture[], grid: Grid }} TiledPicture */

/** How a class cuts pictures into grids of tiles.
 * @typedef {object} GridRules
 * @property {string[]} [reads] settings that the rules read, besides the usual ones
 * @property {(call: Call, size: Size) => Grid} gridOf chooses the grid of a picture of this size
 * @property {(call: Call) => boolean} isCut whether a call with `crop_to_patches` cuts at all
 * @property {boolean} wholeIsFirst whether the whole picture comes before its tiles, or after them
 * @property {Step} [crop] a step for each tile
 * @property {boolean} countsPatches whether Python's class has `get_number_of_image_patches`
 * @property {(tiled: TiledPicture[]) => Outputs} outputs those other than `pixel_values`
 */

/** Makes a class that chooses a grid by the picture's size and cuts the picture into it: GOT-OCR 2, Cohere 2, Ovis 2.
 * @type {(rules: GridRules) => Make} */
const makeGrids = ({ reads = [], gridOf, isCut, wholeIsFirst, crop, countsPatches, outputs }) => {
  /** Cuts a picture by the rules, or resizes it to be the only tile.
   * @type {(call: Call, picture: Picture) => TiledPicture} */
  const cutPicture = (call, picture) => {
    const staysWhole = !call.settings.crop_to_patches || !isCut(call);
    if (staysWhole) return { tiles: [steps.resize(call, picture)], grid: oneTile };
    const grid = gridOf(call, sizeOf(picture));
    return { tiles: gridTiles(call, picture, grid, wholeIsFirst), grid };
  };
  const make = steps.withSettings([...gridKeys, ...reads, ...(crop?.reads ?? [])], (call, pictures) => {
    const tiled = pictures.map((picture) => cutPicture(call, picture));
    const tiles = tiled.flatMap((picture) => picture.tiles);
    const cropped = crop ? tiles.map((tile) => crop(call, tile)) : tiles;
    return { pixel_values: steps.stack(call, cropped), ...outputs(tiled) };
  });
  return countsPatches ? steps.withPatchCount(make, (call, picture) => cutPicture(call, picture).tiles.length) : make;
};

/** The grid of `min_patches` to `max_patches` tiles whose ratio is nearest to the picture's.
 * @type {(call: Call, size: Size) => Grid} */
function gridByRatio({ settings }, size) {
  const { size: tile, min_patches: minTiles, max_patches: maxTiles } = settings;
  return ratioGrid(size, exactSize(tile), gridsUpTo(minTiles, maxTiles));
}

/** Makes `num_patches`: how many tiles each picture has, counting the whole picture among them.
 * @type {(tiled: TiledPicture[]) => Outputs} */
const numPatches = (tiled) => ({
  num_patches: steps.int64(tiled.map(({ tiles }) => tiles.length)),
});

/** GOT-OCR 2: the whole picture follows its tiles. The PIL class cuts nothing where `max_patches` is 1. */
export const gotOcr = makeGrids({
  gridOf: gridByRatio,
  isCut: ({ backend, settings }) => backend !== 'pil' || settings.max_patches > 1,
  wholeIsFirst: false,
  countsPatches: true,
  outputs: numPatches,
});
/** Cohere 2: the grid follows from the scale at which the picture fits into it, not from its ratio. */
export const cohere = makeGrids({
  gridOf: ({ settings }, size) => scaleGrid(size, exactSize(settings.size).height, gridsUpTo(1, settings.max_patches)),
  isCut: () => true,
  wholeIsFirst: false,
  countsPatches: true,
  outputs: numPatches,
});
/** Ovis 2: the whole picture comes before its tiles, and all are cropped. With `use_covering_area_grid` the grid is the
 * one of the fewest tiles that keep enough of the pixels. */
export const ovis = makeGrids({
  reads: ['use_covering_area_grid'],
  crop: steps.centerCrop,
  /** By the setting the grid that keeps enough of the pixels, else the one of the nearest ratio. */
  gridOf: (call, size) =>
    call.settings.use_covering_area_grid
      ? coveringGrid(size, exactSize(call.settings.size).height, gridsUpTo(1, call.settings.max_patches))
      : gridByRatio(call, size),
  isCut: ({ settings }) => settings.max_patches > 1,
  wholeIsFirst: true,
  countsPatches: false,
  /** Makes `grids`: [rows, columns] of each picture's tiles. */
  outputs: (tiled) => ({
    grids: steps.int64(tiled.map(({ grid }) => [grid.rows, grid.columns])),
  }),
});

/** Stacks the whole of each picture as a tile, then the tiles of its grid, as PerceptionLM does. */
export const makePerceptionLm = steps.withSettings(
  [...steps.resize.reads, ...steps.usualNumbers.reads, 'tile_size', 'max_num_tiles', 'vision_input_type'],
  (call, pictures) => {
    // As in Python, a call may turn tiles off, but the file says how many there are.
    const maxTiles = call.settings.max_num_tiles > 1 ? call.file.max_num_tiles : 1;
    const tileLists = pictures.map((picture) => perceptionTiles(call, picture, maxTiles));
    const counts = tileLists.map(({ length }) => length);
    const other = counts.findIndex((count) => count !== counts[0]);
    if (other >= 0) rangeError(`images[${other}] must become ${counts[0]} tiles as the first, got ${counts[other]}`);
    return { pixel_values: stacked(call, tileLists) };
  },
);

/** The whole of a picture as a tile and, with 'thumb+tile', the tiles of its grid of at most `maxTiles`; without
 * `do_resize` the picture as it is.
 * @type {(call: Call, picture: Picture, maxTiles: number) => Picture[]} */
function perceptionTiles(call, picture, maxTiles) {
  const { do_resize: resizes, tile_size: tileSide, vision_input_type: inputType } = call.settings;
  if (!resizes) return [picture];
  const tile = square(tileSide);
  const wholePicture = steps.resizeTo(call, picture, tile);
  if (inputType !== 'thumb+tile') return [wholePicture];
  const grid = maxTiles > 1 ? perceptionGrid(sizeOf(picture), tileSide, maxTiles) : oneTile;
  const large = rendered(steps.resizeTo(call, picture, gridSize(grid, tile)));
  return [wholePicture, ...tilesOf(large, tileSide)];
}

/** Chooses PerceptionLM's grid of at most `maxTiles` tiles: one that holds the picture, or else one of its ratio.
 * @type {(size: Size, tileSide: number, maxTiles: number) => Grid} */
function perceptionGrid(size, tileSide, maxTiles) {
  const gridsByRatio = chunksByRatio(maxTiles);
  const allGrids = [...gridsByRatio.values()].flat();
  return holdingGrid(size, tileSide, allGrids) ?? closestGrid(size, gridsByRatio);
}

/** The shorter side of a picture that is fitted into a canvas. As in Python it follows from the longer side by the
 * picture's ratio, and is truncated, except that of a square.
 * @type {(size: Size, canvas: Size) => number} */
function fittedShorterSide({ width, height }, canvas) {
  const ratio = width / height;
  const scale = Math.min(canvas.width / width, canvas.height / height);
  if (ratio > 1) return Math.floor((scale * width) / ratio);
  if (ratio < 1) return Math.floor(scale * height * ratio);
  return scale * height;
}

/** Of the grids that are not smaller than the picture, the one in which the fitted picture's shorter side is longest,
 * as Python's `_fit_image_to_canvas`; of equals the last. undefined if there is none.
 * @type {(size: Size, tileSide: number, grids: readonly [columns: number, rows: number][]) => Grid | undefined} */
function holdingGrid(size, tileSide, grids) {
  let best;
  let bestShorter = -Infinity;
  for (const [columns, rows] of grids) {
    const canvas = gridSize({ columns, rows }, square(tileSide));
    const holdsPicture = canvas.width >= size.width && canvas.height >= size.height;
    if (!holdsPicture) continue;
    const shorter = fittedShorterSide(size, canvas);
    if (shorter >= bestShorter) {
      best = { columns, rows };
      bestShorter = shorter;
    }
  }
  return best;
}

/** Of the grids whose ratio of columns to rows is nearest to the picture's ratio, but not more extreme, the one with
 * the most tiles along the picture's longer side, as Python's `_find_closest_aspect_ratio`. `gridsByRatio`: pairs of
 * columns and rows
 * @type {(size: Size, gridsByRatio: ReturnType<typeof chunksByRatio>) => Grid} */
function closestGrid({ width, height }, gridsByRatio) {
  const ratio = width / height;
  const isWide = ratio >= 1;
  /** How far a grid's ratio is from the picture's, both as the longer side to the shorter one.
   * @type {(gridRatio: number) => number} */
  const distance = (gridRatio) => (isWide ? Math.abs(gridRatio - ratio) : Math.abs(1 / gridRatio - 1 / ratio));
  const candidates = [...gridsByRatio.keys()].filter((gridRatio) => (isWide ? gridRatio <= ratio : gridRatio > ratio));
  const [nearest] = candidates.sort((a, b) => distance(a) - distance(b));
  const grids = (gridsByRatio.get(nearest) ?? []).map(([columns, rows]) => ({ columns, rows }));
  const along = isWide ? 'columns' : 'rows';
  const [longest] = grids.sort((a, b) => b[along] - a[along]);
  return longest;
}

/** The most rows and columns of Granite's grids: its tokenizer has no markers of others. */
const maxGraniteRows = 16;

/** Cuts a picture into Granite's tiles, with the whole picture as the last one.
 * @type {(call: Call, picture: Picture) => TiledPicture} */
function graniteTiles(call, picture) {
  const { settings } = call;
  const tile = exactSize(settings.size);
  const maxTiles = graniteMaxTiles(settings, sizeOf(picture), tile);
  // A picture that is not cut has one tile, whatever `min_patches` says.
  const minTiles = Math.min(settings.min_patches, maxTiles);
  const grid = ratioGrid(sizeOf(picture), tile, gridsUpTo(minTiles, maxTiles, maxGraniteRows));
  const wholeIsFirst = false;
  return { tiles: gridTiles(call, picture, grid, wholeIsFirst), grid };
}

/** Stacks the tiles of each sample's pictures with a mask of them, as Granite Docling does: GOT-OCR 2's tiles, with
 * more of them for some pictures. */
const makeGraniteTiles = steps.withSettings(
  [...gridKeys, 'dense_max_patches', 'dense_max_scale', 'dense_min_aspect', 'dense_max_aspect', 'fine_route'],
  (call, pictures) => {
    const { settings, backend } = call;
    const tiled = pictures.map((picture) => graniteTiles(call, picture));
    const samples = steps.bySample(call, tiled);
    const tileLists = samples.map((sample) => sample.flatMap(({ tiles }) => tiles));
    const maxTiles = largest(tileLists.map(({ length }) => length));
    const mask = newData(dtypes.bool, samples.length * maxTiles, undefined);
    tileLists.forEach(({ length }, sample) => {
      const firstTile = sample * maxTiles;
      mask.fill(1, firstTile, firstTile + length);
    });
    /** @type {ClassOutputs} */
    const outputs = {
      pixel_values: stacked(call, tileLists, backend === 'pil' ? steps.floatNumbers : steps.usualNumbers),
      pixel_attention_mask: tensorOf(dtypes.bool, mask, [samples.length, maxTiles]),
      rows: samples.map((sample) => sample.map(({ grid }) => grid.rows)),
      cols: samples.map((sample) => sample.map(({ grid }) => grid.columns)),
    };
    if (settings.fine_route) {
      const fine = newData(dtypes.bool, samples.length, undefined).fill(1);
      outputs.tile_fine_mask = tensorOf(dtypes.bool, fine, [samples.length]);
    }
    return outputs;
  },
);

/** Granite's class; Python counts the tiles of a picture and the whole. */
export const makeGranite = steps.withPatchCount(
  makeGraniteTiles,
  (call, picture) => graniteTiles(call, picture).tiles.length,
);

/** The most tiles of a picture, as Python's `get_page_max_patches` gives them: more for a picture of dense text.
 * @type {(settings: Settings, size: Size, tile: Size) => number} */
function graniteMaxTiles(settings, size, tile) {
  const { max_patches: maxTiles, crop_to_patches: cuts, dense_max_patches: denseTiles } = settings;
  if (!cuts || maxTiles <= 1) return 1;
  return isDense(settings, size, tile) ? denseTiles : maxTiles;
}

/** Whether a picture counts as one of dense text: its ratio, width / height, is within the bounds, and the usual grid
 * would enlarge its width by less than `dense_max_scale`. A setting of 0 sets no bound.
 * @type {(settings: Settings, size: Size, tile: Size) => boolean} */
function isDense(settings, size, tile) {
  const { max_patches: maxTiles, min_patches: minTiles, dense_max_patches: denseTiles } = settings;
  const { dense_max_scale: maxScale, dense_min_aspect: minRatio, dense_max_aspect: maxRatio } = settings;
  const isOn = denseTiles && (maxScale > 0 || minRatio > 0);
  if (!isOn) return false;
  const ratio = size.width / size.height;
  if (minRatio > 0 && !(ratio > minRatio)) return false;
  if (maxRatio > 0 && ratio > maxRatio) return false;
  const { columns } = ratioGrid(size, tile, gridsUpTo(minTiles, maxTiles, maxGraniteRows));
  const scale = (columns * tile.width) / size.width;
  return !(maxScale > 0) || scale < maxScale;
}
