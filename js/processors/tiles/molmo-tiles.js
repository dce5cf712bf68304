/** Molmo 2: overlapping crops that are resized as float32, and the groups of their cells that the model pools. */
import { bytesBetween, bytesOf, rangeError, spend } from '../../arguments/index.js';
import { dtypes, tensorOf } from '../../tensor/index.js';
import * as steps from '../steps/index.js';
import { cropPicture, sizeOf, square, squareSide } from '../pictures/index.js';
import { pairFrom } from '../settings/index.js';
import { gridsUpTo, nearestScale, tileCount } from './grids.js';

/** @import { Tensor } from '../../tensor/index.js' */
/** @import { Call, Picture, Settings, Size } from '../types.js' */
/** @import { Grid } from './grids.js' */

export const molmoReaders = { overlap_margins: pairFrom(0), pooling_size: pairFrom(1) };

/** The number of patches along a side of a crop; refuses a side that is not a multiple.
 * @type {(cropSide: number, patch: number) => number} */
export const cellsOf = (cropSide, patch) =>
  cropSide % patch === 0
    ? cropSide / patch
    : rangeError(`size must be a multiple of patch_size ${patch}, got ${cropSide}`);

/** The id of a place in a group that has no cell. */
export const emptyPlace = -1;

/** Splits a grid of cells into groups that Molmo 2 pools, each of `groupSize` = [height, width] cells: as few groups as
 * hold all, with the grid in their middle, so that the outer groups may have places without a cell. `columns`, `rows`:
 * a number for each column and row of cells, from which `idOf` computes a cell's id. `ids`: group by group the ids of
 * the cells, `emptyPlace` where there is none; `grid`: [rows, columns] of groups. 81 x 81 cells take .12 of the 67 ms
 * of Molmo 2 for a picture of 1100 x 1100, all that a kernel could save (measured).
 * @type {(columns: readonly number[], rows: readonly number[], groupSize: readonly number[], idOf: (row: number,
 *   column: number) => number) => { ids: number[], grid: number[] }} */
export function pooledCells(columns, rows, [groupHeight, groupWidth], idOf) {
  const groupColumns = Math.ceil(columns.length / groupWidth);
  const groupRows = Math.ceil(rows.length / groupHeight);
  const emptyLeft = Math.floor((groupColumns * groupWidth - columns.length) / 2);
  const emptyAbove = Math.floor((groupRows * groupHeight - rows.length) / 2);
  const groups = groupColumns * groupRows;
  const cellsOfGroup = groupWidth * groupHeight;
  // Counts towards the call's memory: 16 bytes of each number in each of eight lists on the way to the tensor.
  spend(16 * 8 * groups * cellsOfGroup);
  const ids = [];
  for (let group = 0; group < groups; group++) {
    const top = Math.floor(group / groupColumns) * groupHeight - emptyAbove;
    const left = (group % groupColumns) * groupWidth - emptyLeft;
    for (let cell = 0; cell < cellsOfGroup; cell++) {
      const y = top + Math.floor(cell / groupWidth);
      const x = left + (cell % groupWidth);
      const isInside = y >= 0 && y < rows.length && x >= 0 && x < columns.length;
      ids.push(isInside ? idOf(rows[y], columns[x]) : emptyPlace);
    }
  }
  return { ids, grid: [groupRows, groupColumns] };
}

/** The integers from 0 to `count` - 1. @type {(count: number) => number[]} */
export const upTo = (count) => Array.from({ length: count }, (_, i) => i);

/** Resizes a picture to `size` as float32 without antialiasing, by the setting `resample`, and rounds it to bytes.
 * @type {(call: Call, picture: Picture, size: Size) => Picture} */
export function resizeMolmo(call, picture, size) {
  const from = sizeOf(picture);
  const kernelFilter = steps.filterOf(call, steps.sharpFilters, from, size);
  // A listener gets the filter by its public name, as in the settings.
  const publicFilter = call.settings.resample ?? 'bilinear';
  return steps.roundedFloats(picture, size, steps.axesOf(kernelFilter, from), publicFilter);
}

/** Chooses Molmo 2's grid of at most `maxCrops` overlapping crops for a picture of this size in pixels, as Python's
 * `select_tiling` does: the one that enlarges the picture least or, if all shrink it, shrinks it least, computed in
 * float32. `stride`: the pixels from one crop to the next; `overlap`: the pixels that two crops share
 * @type {(size: Size, spacing: { stride: number, overlap: number }, maxCrops: number) => Grid} */
function molmoGrid({ width, height }, { stride, overlap }, maxCrops) {
  const { fround } = Math;
  // Of grids of one scale the first is taken: the fewest crops, then the fewest rows.
  const grids = gridsUpTo(1, maxCrops).sort((a, b) => tileCount(a) - tileCount(b) || a.rows - b.rows);
  const scales = grids.map(({ columns, rows }) => {
    const scaleX = fround((columns * stride) / (width - overlap));
    const scaleY = fround((rows * stride) / (height - overlap));
    return Math.min(scaleX, scaleY);
  });
  return grids[scales.indexOf(nearestScale(scales))];
}

/** How crops of `cells` x `cells` cells overlap. The setting `overlap_margins` is how many cells a crop leaves to the
 * crop before it and to the one after it. `stride`: the pixels from one crop to the next; `overlap`: the pixels that
 * two crops share
 * @type {(settings: Settings, cells: number) => { stride: number, overlap: number }} */
function cropSpacing({ patch_size: patch, overlap_margins: [before, after] }, cells) {
  const stride = (cells - before - after) * patch;
  if (stride < 1) rangeError(`overlap_margins must leave a cell of ${cells}, got ${before} and ${after}`);
  return { stride, overlap: (before + after) * patch };
}

/** The indices of the cells along `crops` overlapping crops of `cells` cells each that are kept: where two crops meet,
 * the first one loses its last cells and the second one its first cells, as `overlap_margins` = [first, last] says.
 * @type {(crops: number, cells: number, margins: readonly number[]) => number[]} */
const keptCells = (crops, cells, [before, after]) =>
  upTo(crops * cells).filter((index) => {
    const crop = Math.floor(index / cells);
    const cell = index % cells;
    const isAfterMargin = crop === 0 || cell >= before;
    const isBeforeMargin = crop === crops - 1 || cell < cells - after;
    return isAfterMargin && isBeforeMargin;
  });

/** The cells of a picture's crops in the groups that Molmo 2 pools. Cells are numbered from 0 on through all crops, the
 * whole picture first, then the `grid` of overlapping crops, of `cells` x `cells` cells each. `ids`: the numbers of the
 * cells in each group, `emptyPlace` where there is none; `grids`: rows and columns of the groups of the whole picture,
 * then of the crops
 * @type {(settings: Settings, grid: Grid, cells: number) => { ids: number[], grids: number[] }} */
function molmoGroups({ overlap_margins: margins, pooling_size: pooling }, { columns, rows }, cells) {
  /** The number of a cell in its row and column of one crop; crop 0 is the whole picture.
   * @type {(crop: number, row: number, column: number) => number} */
  const cellId = (crop, row, column) => (crop * cells + row) * cells + column;
  const allCells = upTo(cells);
  const wholeGroups = pooledCells(allCells, allCells, pooling, (row, column) => cellId(0, row, column));
  const cellColumns = keptCells(columns, cells, margins);
  const cellRows = keptCells(rows, cells, margins);
  const cropGroups = pooledCells(cellColumns, cellRows, pooling, (row, column) => {
    const crop = 1 + Math.floor(row / cells) * columns + Math.floor(column / cells);
    return cellId(crop, row % cells, column % cells);
  });
  return { ids: [...wholeGroups.ids, ...cropGroups.ids], grids: [...wholeGroups.grid, ...cropGroups.grid] };
}

/** Cuts a picture into Molmo 2's crops of `cropSide` x `cropSide` pixels: the whole picture resized to one, then a grid
 * of overlapping ones of the picture enlarged. A cell is a patch of a crop; `ids` and `grids` are those of
 * `molmoGroups`.
 * @type {(call: Call, picture: Picture, cropSide: number) => { crops: Picture[], ids: number[], grids: number[] }} */
function molmoCrops(call, picture, cropSide) {
  const { patch_size: patch, max_crops: maxCrops } = call.settings;
  if (maxCrops === undefined) rangeError('max_crops must be given, got null');
  const cells = cellsOf(cropSide, patch);
  const { stride, overlap } = cropSpacing(call.settings, cells);
  const grid = molmoGrid(sizeOf(picture), { stride, overlap }, maxCrops);
  const { columns, rows } = grid;
  const canvas = resizeMolmo(call, picture, { width: columns * stride + overlap, height: rows * stride + overlap });
  // Before the pictures, because many groups may exceed the memory of the call.
  const groups = molmoGroups(call.settings, grid, cells);
  const windows = upTo(columns * rows).map((i) => {
    const x = (i % columns) * stride;
    const y = Math.floor(i / columns) * stride;
    return cropPicture(canvas, { x, y, ...square(cropSide) });
  });
  const wholePicture = resizeMolmo(call, picture, square(cropSide));
  return { crops: [wholePicture, ...windows], ...groups };
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
    'resample',
    ...steps.usualNumbers.reads,
    'size',
    'default_to_square',
    'patch_size',
    'max_crops',
    'overlap_margins',
    'pooling_size',
  ],
  (call, pictures) => {
    const { patch_size: patch, pooling_size: pooling, size } = call.settings;
    const cropSide = squareSide(size);
    const cut = pictures.map((picture) => molmoCrops(call, picture, cropSide));
    const allCrops = cut.flatMap(({ crops }) => crops);
    const cropCells = cellsOf(cropSide, patch) ** 2;
    const idLists = cut.map(({ ids }) => ids);
    const cellCounts = cut.map(({ crops }) => crops.length * cropCells);
    const ids = numberedThrough(idLists, cellCounts);
    const [groupHeight, groupWidth] = pooling;
    const groupCells = groupHeight * groupWidth;
    return {
      pixel_values: cellTensor(call, allCrops, patch),
      image_token_pooling: tensorOf(dtypes.int32, Int32Array.from(ids), [ids.length / groupCells, groupCells]),
      image_grids: steps.int64(cut.map(({ grids }) => grids)),
      image_num_crops: steps.int64(cut.map(({ crops }) => crops.length)),
    };
  },
);

/** Molmo 2's class; Python counts the groups that the cells of a picture are pooled in. */
export const makeMolmo2 = steps.withPatchCount(makeMolmoCrops, (call, picture) => {
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
