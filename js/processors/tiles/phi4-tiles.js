/** Phi-4: tiles of a canvas and a thumbnail that is resized as float32, with masks of the cells that show the
 * picture. */
import { bytesBetween, bytesOf, largest, rangeError } from '../../arguments/index.js';
import { dtypes, newData, tensorOf } from '../../tensor/index.js';
import * as steps from '../steps/index.js';
import { onTopLeft, rendered, sizeOf, square, squareSide } from '../pictures/index.js';
import { gridSize, gridsUpTo, ratioGrid, tileCount } from './grids.js';
import { stacked, tilesOf } from './tiles.js';

/** @import { Tensor } from '../../tensor/index.js' */
/** @import { Call, FloatPicture, Numbers, Picture, Settings, Size } from '../types.js' */
/** @import { Grid } from './grids.js' */

const white = [255, 255, 255];

/** Python's class refuses pictures of a ratio so extreme that one of their sides becomes shorter. */
const leastPhi4Side = 10;

/** The grid of tiles that a picture fills in its own size or, where that has more than `dynamic_hd` tiles, the grid
 * whose ratio is nearest to the picture's.
 * @type {(settings: Settings, size: Size, tileSide: number) => Grid} */
function phi4Grid({ dynamic_hd: maxTiles }, size, tileSide) {
  const filled = { columns: Math.ceil(size.width / tileSide), rows: Math.ceil(size.height / tileSide) };
  const isTooMany = tileCount(filled) > maxTiles;
  return isTooMany ? ratioGrid(size, square(tileSide), gridsUpTo(1, maxTiles)) : filled;
}

/** A picture's size once it is fitted into a grid of this size. @type {(size: Size, canvas: Size) => Size} */
function phi4Size({ width, height }, canvas) {
  const scaleX = canvas.width / width;
  const scaleY = canvas.height / height;
  return scaleX < scaleY
    ? { width: canvas.width, height: Math.trunc(height * scaleX) }
    : { width: Math.trunc(width * scaleY), height: canvas.height };
}

/** Fits a picture into a grid of tiles, at the top left of a white canvas, as Phi-4 does. `columns`, `rows`: of tiles;
 * `shownCells`: how many columns and rows of cells, squares of `patch_size` pixels, show at least a part of the picture
 * @type {(call: Call, picture: Picture, tileSide: number) => { canvas: Picture, columns: number, rows: number,
 *   shownCells: Size }} */
function phi4Canvas(call, picture, tileSide) {
  const { patch_size: patch } = call.settings;
  const { columns, rows } = phi4Grid(call.settings, sizeOf(picture), tileSide);
  const canvasSize = gridSize({ columns, rows }, square(tileSide));
  const fittedSize = phi4Size(sizeOf(picture), canvasSize);
  if (Math.min(fittedSize.width, fittedSize.height) < leastPhi4Side)
    rangeError(
      `an image must have ${leastPhi4Side} pixels or more a side once it is fitted into ${columns} x ${rows} tiles, ` +
        `got ${fittedSize.width} x ${fittedSize.height}`,
    );
  // Python resizes to the canvas without a filter, for which torchvision takes the bilinear one.
  const bilinearCall = { ...call, settings: { ...call.settings, resample: 'bilinear' } };
  const fitted = steps.resizeTo(bilinearCall, picture, fittedSize);
  const canvas = rendered(onTopLeft(fitted, canvasSize, white));
  const tileCells = Math.floor(tileSide / patch);
  const blankColumns = Math.floor((canvasSize.width - fittedSize.width) / patch);
  const blankRows = Math.floor((canvasSize.height - fittedSize.height) / patch);
  const shownCells = { width: columns * tileCells - blankColumns, height: rows * tileCells - blankRows };
  return { canvas, columns, rows, shownCells };
}

/** @typedef {ReturnType<typeof phi4Canvas>} Phi4Canvas */

/** A copy of a canvas of the size of one tile. The canvas' bytes become float32 numbers, and these are resized.
 * `numbers`: rescaled and normalized ones
 * @type {(call: Call, canvas: Picture, tileSide: number, numbers: Numbers) => FloatPicture} */
function floatThumbnail(call, canvas, tileSide, numbers) {
  const from = sizeOf(canvas);
  const to = square(tileSide);
  const axes = steps.axesOf(steps.filterOf(call, steps.sharpFilters, from, to), from);
  // Tiles report the steps of numbers; thumbnails report none.
  const silent = { ...canvas, onStep: undefined };
  return steps.resizedFloats(silent, to, axes, { filter: call.settings.resample ?? 'bicubic', before: numbers });
}

/** Makes Phi-4's pixels [pictures, tilesPerPicture, 3, tileSide, tileSide]: a thumbnail of each picture's whole canvas,
 * then its tiles, then zeros. As in Python the thumbnail is made of bytes where nothing is rescaled or normalized, else
 * of the canvas' normalized numbers.
 * @type {(call: Call, canvases: readonly Phi4Canvas[], tilesPerPicture: number, tileSide: number) => Tensor} */
function phi4Values(call, canvases, tilesPerPicture, tileSide) {
  const { do_rescale: rescales, do_normalize: normalizes } = call.settings;
  // The caller's `out` is for `pixel_values`, and this output has another name.
  const ownCall = steps.withoutOut(call);
  return rescales || normalizes
    ? phi4Floats(ownCall, canvases, tilesPerPicture, tileSide)
    : phi4Bytes(ownCall, canvases, tileSide);
}

/** Phi-4's pixels where nothing is rescaled or normalized: thumbnails are resized as bytes.
 * @type {(call: Call, canvases: readonly Phi4Canvas[], tileSide: number) => Tensor} */
function phi4Bytes(call, canvases, tileSide) {
  // The class always resizes, but the step reads a flag.
  const resizing = { ...call, settings: { ...call.settings, do_resize: true } };
  const tileLists = canvases.map(({ canvas }) => tilesOf(canvas, tileSide));
  const thumbnails = canvases.map(({ canvas }) => steps.resizePoint(resizing, canvas));
  const lists = thumbnails.map((thumbnail, i) => [thumbnail, ...tileLists[i]]);
  return stacked(resizing, lists);
}

/** Phi-4's pixels where bytes are rescaled or normalized: thumbnails are resized as float32.
 * @type {(call: Call, canvases: readonly Phi4Canvas[], tilesPerPicture: number, tileSide: number) => Tensor} */
function phi4Floats(call, canvases, tilesPerPicture, tileSide) {
  const tileLists = canvases.map(({ canvas }) => tilesOf(canvas, tileSide));
  const float32Numbers = steps.floatNumbers({ ...call, dtype: dtypes.float32 });
  const thumbnails = canvases.map(({ canvas }) => floatThumbnail(call, canvas, tileSide, float32Numbers));
  // Of each picture the first place is the thumbnail's.
  const tilePlaces = tileLists.flatMap((tiles, picture) =>
    tiles.map((_, tile) => picture * tilesPerPicture + 1 + tile),
  );
  const tiles = tileLists.flat();
  const numbers = steps.floatNumbers(call);
  const values = steps.toTensor(call, tiles, numbers, tiles.map(steps.ownFrame), {
    dims: [canvases.length, tilesPerPicture, 3, tileSide, tileSide],
    places: tilePlaces,
  });
  const { dtype } = numbers;
  const bytes = bytesOf(values.data);
  const tileBytes = (3 * tileSide * tileSide * dtype.bits) / 8;
  thumbnails.forEach((thumbnail, picture) => {
    const first = picture * tilesPerPicture * tileBytes;
    steps.writeFloats(thumbnail, dtype, square(tileSide), bytesBetween(bytes, first, first + tileBytes));
  });
  return values;
}

/** Makes Phi-4's mask, float32 [pictures, tilesPerPicture, cells, cells], of the cells of all tiles: 0 in cells of a
 * picture's tiles that show nothing of it, else 1. The thumbnail, tile 0, and the tiles that a picture lacks are 1.
 * `cells`: along a side of a tile
 * @type {(canvases: readonly Phi4Canvas[], tilesPerPicture: number, cells: number) => Tensor} */
function phi4Mask(canvases, tilesPerPicture, cells) {
  const mask = newData(dtypes.float32, canvases.length * tilesPerPicture * cells * cells, undefined).fill(1);
  canvases.forEach(({ columns, rows, shownCells }, i) => {
    for (let tile = 0; tile < columns * rows; tile++) {
      // The tile's first row and column among the cells of the canvas.
      const top = Math.floor(tile / columns) * cells;
      const left = (tile % columns) * cells;
      const shownAcross = Math.max(0, Math.min(cells, shownCells.width - left));
      const place = i * tilesPerPicture + 1 + tile;
      for (let y = 0; y < cells; y++) {
        const rowStart = (place * cells + y) * cells;
        const shown = top + y < shownCells.height ? shownAcross : 0;
        mask.fill(0, rowStart + shown, rowStart + cells);
      }
    }
  });
  return tensorOf(dtypes.float32, mask, [canvases.length, tilesPerPicture, cells, cells]);
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
  const evenCells = (tiles, shown) => {
    let count = 0;
    for (let cell = 0; cell < Math.min(shown, tiles * cells); cell++) {
      const cellInTile = cell % cells;
      if (cellInTile % 2 === 0) count += 1;
    }
    return count;
  };
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
    // The thumbnail is one.
    const tilesPerPicture = 1 + largest(canvases.map(({ columns, rows }) => columns * rows));
    return {
      image_pixel_values: phi4Values(call, canvases, tilesPerPicture, tileSide),
      image_sizes: steps.sizesTensor(canvases.map(({ canvas }) => sizeOf(canvas))),
      image_attention_mask: phi4Mask(canvases, tilesPerPicture, cells),
      num_img_tokens: steps.int64(canvases.map((canvas) => phi4Tokens(canvas, cells))),
    };
  },
);
