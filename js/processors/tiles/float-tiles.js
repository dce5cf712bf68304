/** Processors of tiles that resize float32: Phi-4, Molmo 2. */
import { bytesBetween, bytesOf, largest, rangeError, spend } from '../../arguments/index.js';
import { dtypes, newData, tensorOf } from '../../tensor/index.js';
import * as steps from '../steps/index.js';
import { cropPicture, onTopLeft, rendered, sizeOf, square, squareSide } from '../pictures/index.js';
import { pairFrom } from '../settings/index.js';
import { gridSize, gridsUpTo, nearestScale, ratioGrid, tileCount } from './grids.js';
import { stacked, tilesOf } from './tiles.js';

/** @import { Tensor } from '../../tensor/index.js' */
/** @import { Call, FloatPicture, Picture, Settings, Size } from '../types.js' */
/** @import { Grid } from './grids.js' */

const white = [255, 255, 255];

/** Python's class refuses pictures of a ratio so extreme that one of their sides becomes shorter. */
const leastPhi4Side = 10;

/** The grid that a picture fills as it is or, beyond `dynamic_hd` tiles, the one of the nearest ratio.
 * @type {(settings: Settings, size: Size, tileSide: number) => Grid} */
function phi4Grid({ dynamic_hd: maxTiles }, size, tileSide) {
  const filled = { columns: Math.ceil(size.width / tileSide), rows: Math.ceil(size.height / tileSide) };
  return tileCount(filled) > maxTiles ? ratioGrid(size, square(tileSide), gridsUpTo(1, maxTiles)) : filled;
}

/** A picture's size once it is fitted into a grid of this size. @type {(size: Size, canvas: Size) => Size} */
function phi4Size({ width, height }, canvas) {
  const scaleX = canvas.width / width;
  const scaleY = canvas.height / height;
  return scaleX < scaleY
    ? { width: canvas.width, height: Math.trunc(height * scaleX) }
    : { width: Math.trunc(width * scaleY), height: canvas.height };
}

/** Fits a picture into a grid of tiles and fills the rest on the right and at the bottom with white, as Phi-4
 * does. `columns`, `rows`: of tiles; `shownCells`: how many columns and rows of cells, squares of
 * `patch_size` pixels, show at least a part of the picture
 * @type {(call: Call, picture: Picture, tileSide: number) => { canvas: Picture, columns: number, rows: number,
 *   shownCells: Size }} */
function phi4Canvas(call, picture, tileSide) {
  const { patch_size: patch } = call.settings;
  const { columns, rows } = phi4Grid(call.settings, sizeOf(picture), tileSide);
  const to = gridSize({ columns, rows }, square(tileSide));
  const inside = phi4Size(sizeOf(picture), to);
  if (Math.min(inside.width, inside.height) < leastPhi4Side)
    rangeError(
      `an image must have ${leastPhi4Side} pixels or more a side once it is fitted into ${columns} x ${rows} tiles, ` +
        `got ${inside.width} x ${inside.height}`,
    );
  // Python resizes to the canvas without a filter, for which torchvision takes the bilinear one.
  const settings = { ...call.settings, resample: 'bilinear' };
  const canvas = rendered(onTopLeft(steps.resizeTo({ ...call, settings }, picture, inside), to, white));
  const tileCells = Math.floor(tileSide / patch);
  /** Cells along `tiles` tiles without those that lie in the last `blank` pixels.
   * @type {(tiles: number, blank: number) => number} */
  const cellsBefore = (tiles, blank) => tileCells * tiles - Math.floor(blank / patch);
  const shownCells = {
    width: cellsBefore(columns, to.width - inside.width),
    height: cellsBefore(rows, to.height - inside.height),
  };
  return { canvas, columns, rows, shownCells };
}

/** @typedef {ReturnType<typeof phi4Canvas>} Phi4Canvas */

/** A thumbnail of a canvas as float32 numbers, which are rescaled and normalized before they are resized.
 * @type {(call: Call, canvas: Picture, tileSide: number) => FloatPicture} */
function floatThumbnail(call, canvas, tileSide) {
  const size = sizeOf(canvas);
  const axes = steps.axesOf(steps.filterOf(call, steps.sharpFilters, size, square(tileSide)), size);
  // Tiles report the steps of numbers; thumbnails report none.
  return steps.resizedFloats({ ...canvas, onStep: undefined }, square(tileSide), axes, {
    filter: call.settings.resample ?? 'bicubic',
    before: steps.floatNumbers({ ...call, dtype: dtypes.float32 }),
  });
}

/** Makes Phi-4's pixels [pictures, count, 3, tileSide, tileSide]: a thumbnail of each picture's whole canvas, then its
 * tiles, then zeros. As in Python the thumbnail is made of bytes where nothing is rescaled or normalized, else of the
 * canvas' normalized numbers. `count`: 1 and the most tiles of a picture
 * @type {(call: Call, canvases: readonly Phi4Canvas[], count: number, tileSide: number) => Tensor} */
function phi4Values(call, canvases, count, tileSide) {
  const { settings } = call;
  const tileLists = canvases.map(({ canvas }) => tilesOf(canvas, tileSide));
  if (!settings.do_rescale && !settings.do_normalize) {
    // The class always resizes, but the step reads a flag. `out` is the caller's for an output of another name.
    const resizing = { ...steps.inOwnMemory(call), settings: { ...settings, do_resize: true } };
    const thumbnails = canvases.map(({ canvas }) => steps.resizePoint(resizing, canvas));
    return stacked(
      resizing,
      thumbnails.map((thumbnail, i) => [thumbnail, ...tileLists[i]]),
    );
  }
  const thumbnails = canvases.map(({ canvas }) => floatThumbnail(call, canvas, tileSide));
  const thumbnailPlace = (/** @type {number} */ picture) => picture * count;
  const tiles = tileLists.flat();
  const values = steps.toTensor(steps.inOwnMemory(call), tiles, steps.floatNumbers(call), tiles.map(steps.ownFrame), {
    dims: [canvases.length, count, 3, tileSide, tileSide],
    places: tileLists.flatMap((list, i) => list.map((_, tile) => thumbnailPlace(i) + 1 + tile)),
  });
  const dtype = call.dtype ?? dtypes.float32;
  const bytes = bytesOf(values.data);
  const tileBytes = (3 * tileSide * tileSide * dtype.bits) / 8;
  thumbnails.forEach((thumbnail, i) => {
    const first = thumbnailPlace(i) * tileBytes;
    steps.writeFloats(thumbnail, dtype, square(tileSide), bytesBetween(bytes, first, first + tileBytes));
  });
  return values;
}

/** Makes Phi-4's mask, float32 [pictures, count, cells, cells], of the cells of all tiles: 0 in cells of a picture's
 * tiles that show nothing of it, else 1. The thumbnail, tile 0, and the tiles that a picture lacks are 1. `count`: 1
 * and the most tiles of a picture; `cells`: along a side of a tile
 * @type {(canvases: readonly Phi4Canvas[], count: number, cells: number) => Tensor} */
function phi4Mask(canvases, count, cells) {
  const mask = newData(dtypes.float32, canvases.length * count * cells * cells, undefined).fill(1);
  canvases.forEach(({ columns, rows, shownCells }, i) => {
    for (let tile = 0; tile < columns * rows; tile++) {
      // The tile's first row and column among the cells of the canvas.
      const top = Math.floor(tile / columns) * cells;
      const left = (tile % columns) * cells;
      const shownAcross = Math.max(0, Math.min(cells, shownCells.width - left));
      const place = i * count + 1 + tile;
      for (let y = 0; y < cells; y++) {
        const rowStart = (place * cells + y) * cells;
        const shown = top + y < shownCells.height ? shownAcross : 0;
        mask.fill(0, rowStart + shown, rowStart + cells);
      }
    }
  });
  return tensorOf(dtypes.float32, mask, [canvases.length, count, cells, cells]);
}

/** Constants of Python's class: the tokens of a thumbnail, the ends of its rows, and the token before the tiles. */
const thumbnailTokens = 256;
const thumbnailRowEnds = 16;
const separator = 1;

/** Counts the tokens that Phi-4's prompt has for a picture: those of the thumbnail, one for every second cell, across
 * and down, of the tiles that shows the picture, and one that ends each of their rows. `cells`: along a side of a tile
 * @type {(canvas: Phi4Canvas, cells: number) => number} */
function phi4Tokens({ columns, rows, shownCells }, cells) {
  /** The number of shown cells along `tiles` tiles that have an even index in their tile.
   * @type {(tiles: number, shown: number) => number} */
  const evenCells = (tiles, shown) =>
    upTo(tiles * cells).filter((cell) => (cell % cells) % 2 === 0 && cell < shown).length;
  const across = evenCells(columns, shownCells.width);
  const down = evenCells(rows, shownCells.height);
  const rowEnds = across > 0 ? down : 0;
  return thumbnailTokens + thumbnailRowEnds + separator + across * down + rowEnds;
}

/** Stacks the whole of each picture and its tiles, with masks of the cells that show it, as Phi-4 does. */
export const makePhi4 = steps.withSettings(
  ['resample', ...steps.usualNumbers.reads, 'size', 'default_to_square', 'patch_size', 'dynamic_hd'],
  (call, pictures) => {
    const { settings } = call;
    const tileSide = squareSide(settings.size);
    const cells = Math.floor(tileSide / settings.patch_size);
    const canvases = pictures.map((picture) => phi4Canvas(call, picture, tileSide));
    const count = 1 + largest(canvases.map(({ columns, rows }) => columns * rows));
    return {
      image_pixel_values: phi4Values(call, canvases, count, tileSide),
      image_sizes: steps.sizesTensor(canvases.map(({ canvas }) => sizeOf(canvas))),
      image_attention_mask: phi4Mask(canvases, count, cells),
      num_img_tokens: steps.int64(canvases.map((canvas) => phi4Tokens(canvas, cells))),
    };
  },
);

export const molmoReaders = { overlap_margins: pairFrom(0), pooling_size: pairFrom(1) };

/** The number of patches along a side of a crop; refuses a side that is not a multiple.
 * @type {(cropSide: number, patch: number) => number} */
export const cellsOf = (cropSide, patch) =>
  cropSide % patch === 0
    ? cropSide / patch
    : rangeError(`size must be a multiple of patch_size ${patch}, got ${cropSide}`);

/** The id of a place in a group that has no cell. */
export const emptyPlace = -1;

/** Groups the cells of a grid, which Molmo 2 pools, into groups of [height, width] cells: as few groups as hold all,
 * with the grid in their middle. `columns`, `rows`: a number for each column and row of cells, from which `idOf`
 * computes a cell's id. `ids`: group by group the ids of the cells; `grid`: [rows, columns] of groups. 81 x 81 cells
 * take .12 of the 67 ms of Molmo 2 for a picture of 1100 x 1100, all that a kernel could save (measured).
 * @type {(columns: readonly number[], rows: readonly number[], groupSize: readonly number[], idOf: (row: number,
 *   column: number) => number) => { ids: number[], grid: number[] }} */
export function pooledCells(columns, rows, [groupHeight, groupWidth], idOf) {
  const groupColumns = Math.ceil(columns.length / groupWidth);
  const groupRows = Math.ceil(rows.length / groupHeight);
  const cellsBefore = {
    x: Math.floor((groupColumns * groupWidth - columns.length) / 2),
    y: Math.floor((groupRows * groupHeight - rows.length) / 2),
  };
  const [groups, groupCells] = [groupColumns * groupRows, groupWidth * groupHeight];
  // Counts towards the call's memory: 16 bytes of each number in each of eight lists on the way to the tensor.
  spend(128 * groups * groupCells);
  const ids = [];
  for (let group = 0; group < groups; group++)
    for (let cell = 0; cell < groupCells; cell++) {
      const [groupRow, groupColumn] = [Math.floor(group / groupColumns), group % groupColumns];
      const [rowInGroup, columnInGroup] = [Math.floor(cell / groupWidth), cell % groupWidth];
      const y = groupRow * groupHeight + rowInGroup - cellsBefore.y;
      const x = groupColumn * groupWidth + columnInGroup - cellsBefore.x;
      const isInside = y >= 0 && y < rows.length && x >= 0 && x < columns.length;
      ids.push(isInside ? idOf(rows[y], columns[x]) : emptyPlace);
    }
  return { ids, grid: [groupRows, groupColumns] };
}

/** The integers from 0 to `count` - 1. @type {(count: number) => number[]} */
export const upTo = (count) => Array.from({ length: count }, (_, i) => i);

/** Resizes a picture to `size` as float32 without antialiasing, by the setting `resample`, and rounds it to bytes.
 * @type {(call: Call, picture: Picture, size: Size) => Picture} */
export const resizeMolmo = (call, picture, size) =>
  steps.roundedFloats(
    picture,
    size,
    steps.axesOf(steps.filterOf(call, steps.sharpFilters, sizeOf(picture), size), sizeOf(picture)),
    call.settings.resample ?? 'bilinear',
  );

/** Chooses Molmo 2's grid of at most `maxCrops` overlapping crops for a picture of this size in pixels, as Python's
 * `select_tiling` does: the one that enlarges the picture least or, if all shrink it, shrinks it least, computed in
 * float32. `window`: the pixels from one crop to the next; `margin`: the pixels by which two crops overlap
 * @type {(size: Size, window: number, margin: number, maxCrops: number) => Grid} */
function molmoGrid({ width, height }, window, margin, maxCrops) {
  const { fround } = Math;
  // Of grids of one scale the first is taken: the fewest crops, then the fewest rows.
  const grids = gridsUpTo(1, maxCrops).sort((a, b) => tileCount(a) - tileCount(b) || a.rows - b.rows);
  const scales = grids.map(({ columns, rows }) => {
    const scaleX = fround((columns * window) / (width - margin));
    const scaleY = fround((rows * window) / (height - margin));
    return Math.min(scaleX, scaleY);
  });
  return grids[scales.indexOf(nearestScale(scales))];
}

/** How crops of `cells` x `cells` cells overlap. Margins are in cells: those that a crop leaves to the crop before and
 * after it. `window`: the pixels from one crop to the next; `overlap`: the pixels that two crops share
 * @type {(settings: Settings, cells: number) => { window: number, overlap: number }} */
function molmoWindow({ patch_size: patch, overlap_margins: [before, after] }, cells) {
  const window = (cells - before - after) * patch;
  if (window < 1) rangeError(`overlap_margins must leave a cell of ${cells}, got ${before} and ${after}`);
  return { window, overlap: (before + after) * patch };
}

/** Cuts a picture into Molmo 2's crops of `cropSide` x `cropSide` pixels: the whole picture resized to one, then a grid
 * of overlapping ones of the picture enlarged. A cell is a patch of a crop; cells are numbered from 0 on through all
 * crops. `ids`: the numbers of the cells in each group that is pooled, `emptyPlace` where there is none; `grids`: rows
 * and columns of the groups of the whole picture, then of the crops
 * @type {(call: Call, picture: Picture, cropSide: number) => { crops: Picture[], ids: number[], grids: number[] }} */
function molmoCrops(call, picture, cropSide) {
  const { patch_size: patch, overlap_margins: margins, pooling_size: pooling, max_crops: maxCrops } = call.settings;
  if (maxCrops === undefined) rangeError('max_crops must be given, got null');
  const [before, after] = margins;
  const cells = cellsOf(cropSide, patch);
  const { window, overlap } = molmoWindow(call.settings, cells);
  const { columns, rows } = molmoGrid(sizeOf(picture), window, overlap, maxCrops);
  const canvas = resizeMolmo(call, picture, { width: columns * window + overlap, height: rows * window + overlap });
  /** Of the cells along `count` crops the indices of those that are kept: without the margins between two crops.
   * @type {(count: number) => number[]} */
  const keptCells = (count) =>
    upTo(count * cells).filter((index) => {
      const [crop, cell] = [Math.floor(index / cells), index % cells];
      const isAfterMargin = crop === 0 || cell >= before;
      const isBeforeMargin = crop === count - 1 || cell < cells - after;
      return isAfterMargin && isBeforeMargin;
    });
  const cellsOfWhole = upTo(cells);
  const wholeGroups = pooledCells(cellsOfWhole, cellsOfWhole, pooling, (y, x) => y * cells + x);
  const cropGroups = pooledCells(keptCells(columns), keptCells(rows), pooling, (y, x) => {
    // Crop 0 is the whole picture.
    const crop = 1 + Math.floor(y / cells) * columns + Math.floor(x / cells);
    return (crop * cells + (y % cells)) * cells + (x % cells);
  });
  const windows = upTo(columns * rows).map((i) =>
    cropPicture(canvas, { x: (i % columns) * window, y: Math.floor(i / columns) * window, ...square(cropSide) }),
  );
  return {
    crops: [resizeMolmo(call, picture, square(cropSide)), ...windows],
    ids: [...wholeGroups.ids, ...cropGroups.ids],
    grids: [...wholeGroups.grid, ...cropGroups.grid],
  };
}

/** Numbers the cells of several pictures, of which each has `cellCounts` cells, through all of them.
 * @type {(idLists: readonly (readonly number[])[], cellCounts: readonly number[]) => number[]} */
function numberedThrough(idLists, cellCounts) {
  let firstId = 0;
  return idLists.flatMap((ids, i) => {
    const offset = firstId;
    firstId += cellCounts[i];
    return ids.map((id) => (id === emptyPlace ? id : id + offset));
  });
}

/** Writes patches [crops, cells, 3 * patch * patch] and, for each group that is pooled, its cells among those of all
 * crops. */
const makeMolmoCrops = steps.withSettings(
  [
    ...['resample', ...steps.usualNumbers.reads, 'size', 'default_to_square', 'patch_size'],
    ...['max_crops', 'overlap_margins', 'pooling_size'],
  ],
  (call, pictures) => {
    const { patch_size: patch, pooling_size: pooling, size } = call.settings;
    const cropSide = squareSide(size);
    const cut = pictures.map((picture) => molmoCrops(call, picture, cropSide));
    const cropCells = cellsOf(cropSide, patch) ** 2;
    const ids = numberedThrough(
      cut.map((part) => part.ids),
      cut.map(({ crops }) => crops.length * cropCells),
    );
    const [groupHeight, groupWidth] = pooling;
    const groupCells = groupHeight * groupWidth;
    return {
      pixel_values: cellTensor(
        call,
        cut.flatMap(({ crops }) => crops),
        patch,
      ),
      image_token_pooling: tensorOf(dtypes.int32, Int32Array.from(ids), [ids.length / groupCells, groupCells]),
      image_grids: steps.int64(cut.map(({ grids }) => grids)),
      image_num_crops: steps.int64(cut.map(({ crops }) => crops.length)),
    };
  },
);

/** Writes the patches of the whole of each picture and of overlapping crops, and the cells that are pooled, as Molmo 2
 * does. */
export const makeMolmo2 = steps.counting(makeMolmoCrops, (call, picture) => {
  const [groupHeight, groupWidth] = call.settings.pooling_size;
  return molmoCrops(call, picture, squareSide(call.settings.size)).ids.length / (groupHeight * groupWidth);
});

/** Makes `pixel_values` [pictures, patches, 3 * patch * patch] of pictures of one size: the numbers of each patch are a
 * row, with a pixel's channels side by side.
 * @type {(call: Call, pictures: readonly Picture[], patch: number) => Tensor} */
function cellTensor(call, pictures, patch) {
  const numbers = steps.usualNumbers(call);
  const { width, height } = sizeOf(pictures[0]);
  const patchNumbers = 3 * patch * patch;
  const patches = (width * height) / patch ** 2;
  const tensor = steps.pixelTensor(call, numbers.dtype, [pictures.length, patches, patchNumbers]);
  const bytes = bytesOf(tensor.data);
  const pictureBytes = (patches * patchNumbers * numbers.dtype.bits) / 8;
  pictures.forEach((picture, i) => {
    const destination = bytesBetween(bytes, i * pictureBytes, (i + 1) * pictureBytes);
    steps.writePatches([picture], numbers, { patch }, destination);
  });
  return tensor;
}
