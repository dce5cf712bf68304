/** Processors of tiles that resize float32: Phi-4, Molmo 2. */
import { bytesBetween, bytesOf, largest, rangeError, spend } from '../../arguments/index.js';
import { dtypes, newData, tensorOf } from '../../tensor/index.js';
import * as steps from '../steps/index.js';
import { cropPicture, onTopLeft, rendered, sizeOf, square, squareSide } from '../pictures/index.js';
import { pairFrom } from '../settings/index.js';
import { gridsUpTo, nearestScale, ratioGrid } from './grids.js';
import { stacked, tilesOf } from './tiles.js';

/** @import { Tensor } from '../../tensor/index.js' */
/** @import { Call, FloatPicture, Picture, Size } from '../types.js' */

const white = [255, 255, 255];

/** Fits a picture into a grid of tiles of `side` x `side` pixels and fills the rest on the right and at the bottom with
 * white, as Phi-4 does. `columns`, `rows`: of tiles; `shownCells`: how many columns and rows of cells, squares of
 * `patch_size` pixels, show at least a part of the picture
 * @type {(call: Call, picture: Picture, side: number) => { canvas: Picture, columns: number, rows: number,
 *   shownCells: Size }} */
function phi4Canvas(call, picture, side) {
  const { patch_size: patch, dynamic_hd: maxTiles } = call.settings;
  const size = sizeOf(picture);
  // The grid that the picture fills as it is or, beyond `dynamic_hd` tiles, the one of the nearest ratio.
  let [columns, rows] = [Math.ceil(size.width / side), Math.ceil(size.height / side)];
  if (columns * rows > maxTiles) ({ columns, rows } = ratioGrid(size, square(side), gridsUpTo(1, maxTiles)));
  const to = { width: columns * side, height: rows * side };
  const [scaleX, scaleY] = [to.width / size.width, to.height / size.height];
  const inside =
    scaleX < scaleY
      ? { width: to.width, height: Math.trunc(size.height * scaleX) }
      : { width: Math.trunc(size.width * scaleY), height: to.height };
  // Python's class refuses these too, as of a ratio that is very extreme.
  if (Math.min(inside.width, inside.height) < 10)
    rangeError(
      `an image must have 10 pixels or more a side once it is fitted into ${columns} x ${rows} tiles, ` +
        `got ${inside.width} x ${inside.height}`,
    );
  // Python resizes to the canvas without a filter, for which torchvision takes the bilinear one.
  const settings = { ...call.settings, resample: 'bilinear' };
  const canvas = rendered(onTopLeft(steps.resizeTo({ ...call, settings }, picture, inside), to, white));
  const cells = Math.floor(side / patch);
  /** Cells along `count` tiles without those that lie in the last `rest` pixels.
   * @type {(count: number, rest: number) => number} */
  const shown = (count, rest) => cells * count - Math.floor(rest / patch);
  const shownCells = {
    width: shown(columns, to.width - inside.width),
    height: shown(rows, to.height - inside.height),
  };
  return { canvas, columns, rows, shownCells };
}

/** @typedef {ReturnType<typeof phi4Canvas>} Phi4Canvas */

/** Makes Phi-4's pixels [pictures, count, 3, side, side]: a thumbnail of each picture's whole canvas, then its tiles,
 * then zeros. As in Python the thumbnail is made of bytes where nothing is rescaled or normalized, else of the canvas'
 * normalized numbers. `count`: 1 and the most tiles of a picture
 * @type {(call: Call, canvases: readonly Phi4Canvas[], count: number, side: number) => Tensor} */
function phi4Values(call, canvases, count, side) {
  const { settings } = call;
  const dims = [canvases.length, count, 3, side, side];
  const tiles = canvases.map(({ canvas }) => tilesOf(canvas, side));
  if (!settings.do_rescale && !settings.do_normalize) {
    // The class always resizes, but the step reads a flag. `out` is the caller's for an output of another name.
    const resizing = { ...steps.inOwnMemory(call), settings: { ...settings, do_resize: true } };
    const thumbnails = canvases.map(({ canvas }) => steps.resizePoint(resizing, canvas));
    return stacked(
      resizing,
      thumbnails.map((thumbnail, i) => [thumbnail, ...tiles[i]]),
    );
  }
  // A picture's thumbnail has its first place, the tiles have the next ones.
  const list = tiles.flat();
  const places = tiles.flatMap((pictureTiles, i) => pictureTiles.map((_, k) => i * count + 1 + k));
  /** @type {(canvas: Picture) => FloatPicture['axes']} */
  const axesOf = (canvas) =>
    steps.axesOf(steps.filterOf(call, steps.sharpFilters, sizeOf(canvas), square(side)), sizeOf(canvas));
  const before = steps.floatNumbers({ ...call, dtype: dtypes.float32 });
  // Tiles report the steps of numbers; thumbnails report none.
  const thumbnails = canvases.map(({ canvas }) =>
    steps.resizedFloats({ ...canvas, onStep: undefined }, square(side), axesOf(canvas), {
      filter: settings.resample ?? 'bicubic',
      before,
    }),
  );
  const values = steps.toTensor(steps.inOwnMemory(call), list, steps.floatNumbers(call), list.map(steps.ownFrame), {
    dims,
    places,
  });
  const dtype = call.dtype ?? dtypes.float32;
  const bytes = bytesOf(values.data);
  // Bytes of a tile; a thumbnail is the first of its picture's `count` tiles.
  const part = (3 * side * side * dtype.bits) / 8;
  thumbnails.forEach((thumbnail, i) =>
    steps.writeFloats(thumbnail, dtype, square(side), bytesBetween(bytes, i * count * part, (i * count + 1) * part)),
  );
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
      const [top, left] = [Math.floor(tile / columns) * cells, (tile % columns) * cells];
      for (let y = 0; y < cells; y++) {
        const first = ((i * count + 1 + tile) * cells + y) * cells;
        const shown = top + y < shownCells.height ? Math.max(0, Math.min(cells, shownCells.width - left)) : 0;
        mask.fill(0, first + shown, first + cells);
      }
    }
  });
  return tensorOf(dtypes.float32, mask, [canvases.length, count, cells, cells]);
}

/** Counts the tokens that Phi-4's prompt has for a picture: 256 for the thumbnail, 16 that end its rows, one between it
 * and the tiles, one for every second cell, across and down, of the tiles that shows the picture, and one that ends
 * each of their rows. 256 and 16 are constants of Python's class. `cells`: along a side of a tile
 * @type {(canvas: Phi4Canvas, cells: number) => number} */
function phi4Tokens({ columns, rows, shownCells }, cells) {
  /** The number of shown cells along `count` tiles that have an even index in their tile.
   * @type {(count: number, shown: number) => number} */
  const counted = (count, shown) => upTo(count * cells).filter((at) => (at % cells) % 2 === 0 && at < shown).length;
  const [across, down] = [counted(columns, shownCells.width), counted(rows, shownCells.height)];
  return 256 + 1 + across * down + (across > 0 ? down : 0) + 16;
}

/** Stacks the whole of each picture and its tiles, with masks of the cells that show it, as Phi-4 does. */
export const makePhi4 = steps.withSettings(
  ['resample', ...steps.usualNumbers.reads, 'size', 'default_to_square', 'patch_size', 'dynamic_hd'],
  (call, pictures) => {
    const { settings } = call;
    const side = squareSide(settings.size);
    const cells = Math.floor(side / settings.patch_size);
    const canvases = pictures.map((picture) => phi4Canvas(call, picture, side));
    const count = 1 + largest(canvases.map(({ columns, rows }) => columns * rows));
    return {
      image_pixel_values: phi4Values(call, canvases, count, side),
      image_sizes: steps.sizesTensor(canvases.map(({ canvas }) => sizeOf(canvas))),
      image_attention_mask: phi4Mask(canvases, count, cells),
      num_img_tokens: steps.int64(canvases.map((canvas) => phi4Tokens(canvas, cells))),
    };
  },
);

export const molmoReaders = { overlap_margins: pairFrom(0), pooling_size: pairFrom(1) };

/** The number of patches along a side of a crop; refuses a side that is not a multiple.
 * @type {(side: number, patch: number) => number} */
export const cellsOf = (side, patch) =>
  side % patch === 0 ? side / patch : rangeError(`size must be a multiple of patch_size ${patch}, got ${side}`);

/** Groups the cells of a grid, which Molmo 2 pools, into groups of [height, width] cells: as few groups as hold all,
 * with the grid in their middle. `columns`, `rows`: a number for each column and row of cells, from which `idOf`
 * computes a cell's id. `ids`: group by group the ids of the cells, -1 for those beyond the grid; `grid`: [rows,
 * columns] of groups. 81 x 81 cells take .12 of the 67 ms of Molmo 2 for a picture of 1100 x 1100, all that a kernel
 * could save (measured).
 * @type {(columns: readonly number[], rows: readonly number[], size: readonly number[], idOf: (row: number, column:
 *   number) => number) => { ids: number[], grid: number[] }} */
export function pooledCells(columns, rows, [high, wide], idOf) {
  const [width, height] = [Math.ceil(columns.length / wide), Math.ceil(rows.length / high)];
  // Cells of the groups before the grid.
  const left = Math.floor((width * wide - columns.length) / 2);
  const top = Math.floor((height * high - rows.length) / 2);
  // Counts towards the call's memory: 16 bytes of each number in each of eight lists on the way to the tensor.
  spend(128 * width * wide * height * high);
  const ids = [];
  for (let group = 0; group < width * height; group++)
    for (let cell = 0; cell < wide * high; cell++) {
      const y = Math.floor(group / width) * high + Math.floor(cell / wide) - top;
      const x = (group % width) * wide + (cell % wide) - left;
      const isInside = y >= 0 && y < rows.length && x >= 0 && x < columns.length;
      ids.push(isInside ? idOf(rows[y], columns[x]) : -1);
    }
  return { ids, grid: [height, width] };
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
 * @type {(size: Size, window: number, margin: number, maxCrops: number) => { columns: number, rows: number }} */
function molmoGrid({ width, height }, window, margin, maxCrops) {
  const { fround } = Math;
  // Of grids of one scale the first is taken: the fewest crops, then the fewest rows.
  const grids = gridsUpTo(1, maxCrops).sort((a, b) => a.columns * a.rows - b.columns * b.rows || a.rows - b.rows);
  const scales = grids.map(({ columns, rows }) =>
    Math.min(fround((rows * window) / (height - margin)), fround((columns * window) / (width - margin))),
  );
  return grids[scales.indexOf(nearestScale(scales))];
}

/** Cuts a picture into Molmo 2's crops of `side` x `side` pixels: the whole picture resized to one, then a grid of
 * overlapping ones of the picture enlarged. A cell is a patch of a crop; cells are numbered from 0 on through all
 * crops. `ids`: the numbers of the cells in each group that is pooled, -1 for an empty place; `grids`: rows and columns
 * of the groups of the whole picture, then of the crops
 * @type {(call: Call, picture: Picture, side: number) => { crops: Picture[], ids: number[], grids: number[] }} */
function molmoCrops(call, picture, side) {
  const { patch_size: patch, overlap_margins: margins, pooling_size: pooling, max_crops: maxCrops } = call.settings;
  if (maxCrops === undefined) rangeError('max_crops must be given, got null');
  // Margins are in cells: those that a crop leaves to the crop before and after it.
  const [left, right] = margins;
  const cells = cellsOf(side, patch);
  const window = (cells - left - right) * patch;
  if (window < 1) rangeError(`overlap_margins must leave a cell of ${cells}, got ${left} and ${right}`);
  const margin = (left + right) * patch;
  const { columns, rows } = molmoGrid(sizeOf(picture), window, margin, maxCrops);
  const canvas = resizeMolmo(call, picture, { width: columns * window + margin, height: rows * window + margin });
  /** Of the cells along `count` crops the indices of those that are kept: without the margins between two crops.
   * @type {(count: number) => number[]} */
  const shown = (count) =>
    upTo(count * cells).filter((at) => {
      const [crop, cell] = [Math.floor(at / cells), at % cells];
      return (crop === 0 || cell >= left) && (crop === count - 1 || cell < cells - right);
    });
  // All cells of the whole picture, then those that crops show, each cell as its number among all crops' cells.
  const all = upTo(cells);
  const low = pooledCells(all, all, pooling, (y, x) => y * cells + x);
  const high = pooledCells(shown(columns), shown(rows), pooling, (y, x) => {
    const crop = 1 + Math.floor(y / cells) * columns + Math.floor(x / cells);
    return (crop * cells + (y % cells)) * cells + (x % cells);
  });
  const windows = upTo(columns * rows).map((i) =>
    cropPicture(canvas, { x: (i % columns) * window, y: Math.floor(i / columns) * window, ...square(side) }),
  );
  return {
    crops: [resizeMolmo(call, picture, square(side)), ...windows],
    ids: [...low.ids, ...high.ids],
    grids: [...low.grid, ...high.grid],
  };
}

/** Writes patches [crops, cells, 3 * patch * patch] and, for each group that is pooled, its cells among those of all
 * crops. */
const makeMolmoCrops = steps.withSettings(
  [
    ...['resample', ...steps.usualNumbers.reads, 'size', 'default_to_square', 'patch_size'],
    ...['max_crops', 'overlap_margins', 'pooling_size'],
  ],
  (call, pictures) => {
    const { patch_size: patch, pooling_size: pooling } = call.settings;
    const side = squareSide(call.settings.size);
    const cropLists = pictures.map((picture) => molmoCrops(call, picture, side));
    // Cells are numbered through all pictures of the call.
    let first = 0;
    const ids = cropLists.flatMap((cropList) => {
      const before = first;
      first += cropList.crops.length * cellsOf(side, patch) ** 2;
      return cropList.ids.map((id) => (id < 0 ? id : id + before));
    });
    const group = pooling[0] * pooling[1];
    const pictureList = cropLists.flatMap(({ crops }) => crops);
    return {
      pixel_values: cellTensor(call, pictureList, patch),
      image_token_pooling: tensorOf(dtypes.int32, Int32Array.from(ids), [ids.length / group, group]),
      image_grids: steps.int64(cropLists.map(({ grids }) => grids)),
      image_num_crops: steps.int64(cropLists.map(({ crops }) => crops.length)),
    };
  },
);

/** Writes the patches of the whole of each picture and of overlapping crops, and the cells that are pooled, as Molmo 2
 * does. */
export const makeMolmo2 = steps.counting(makeMolmoCrops, (call, picture) => {
  const [high, wide] = call.settings.pooling_size;
  return molmoCrops(call, picture, squareSide(call.settings.size)).ids.length / (high * wide);
});

/** Makes `pixel_values` [pictures, patches, 3 * patch * patch] of pictures of one size: the numbers of each patch are a
 * row, with a pixel's channels side by side.
 * @type {(call: Call, pictures: readonly Picture[], patch: number) => Tensor} */
function cellTensor(call, pictures, patch) {
  const numbers = steps.usualNumbers(call);
  const { width, height } = sizeOf(pictures[0]);
  const length = 3 * patch * patch;
  const count = (width * height) / patch ** 2;
  const tensor = steps.pixelTensor(call, numbers.dtype, [pictures.length, count, length]);
  const part = (count * length * numbers.dtype.bits) / 8;
  pictures.forEach((picture, i) =>
    steps.writePatches([picture], numbers, { patch }, bytesBetween(bytesOf(tensor.data), i * part, (i + 1) * part)),
  );
  return tensor;
}
