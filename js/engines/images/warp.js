/** Pixels through an affine map or a perspective: the module holds a part of the picture, and makes a tile of the
 * result of it. The settings of a call are written to `callBlock`, from which the kernel reads them as a struct:
 * constants of `cpp` are the indices of its members. */
import * as cpp from '../../../dist/bridge/images.js';
import { ready } from './load.js';
import { area, callBlock, callFloats } from './module.js';
import { halves, stageRows, takeRows, fullPart } from './parts.js';

/** @import { Part } from './parts.js' */
/** @import { Image, Warping } from './types.js' */

const maxPartBytes = 8 * 2 ** 20;
const maxTileBytes = 4 * 2 ** 20;

/** The two tasks of the module's `warp`, by its parameter `samples`: to find the part of the picture that a tile needs,
 * or to make the tile. */
const findPart = 0;
const makeTile = 1;

/** Moves pixels by a map, a tile of some rows of the result after the other. The destination has as many channels as
 * the picture.
 * @type {(image: Image, warping: Warping, destination: Image) => void} */
export function warpPixels(image, warping, destination) {
  const picture = fullPart(image);
  // A small picture is copied once; of a large one each tile copies the part that it needs.
  const fits = bytesOfPart(picture, image) <= maxPartBytes;
  area.clear();
  const memory = { part: area.allocate(maxPartBytes), tile: area.allocate(maxTileBytes) };
  if (fits) stageRows(image, picture, memory.part);
  const staged = fits ? picture : undefined;
  const rowBytes = destination.width * image.channels;
  const maxRows = Math.max(1, Math.floor(maxTileBytes / rowBytes));
  for (let row = 0; row < destination.height; row += maxRows) {
    const rows = Math.min(maxRows, destination.height - row);
    const tile = { row, rows, column: 0, columns: destination.width };
    warpTile(image, warping, destination, memory, tile, staged);
  }
}

/** Counts the bytes of a part of a picture.
 * @type {(part: Part, image: Image) => number} */
const bytesOfPart = ({ rows, columns }, { channels }) => rows * columns * channels;

/** @typedef {{ part: number, tile: number }} Memory the addresses of the picture's part and of the result's tile */

/** Makes a tile of the result. `staged`: the part of the picture that lies in the module already; undefined: the part
 * that the tile needs is copied there first. That may be too large, as where a picture shrinks: then the tile is cut in
 * two.
 * @type {(image: Image, warping: Warping, destination: Image, memory: Memory, tile: Part, staged: Part | undefined) =>
 *   void} */
function warpTile(image, warping, destination, memory, tile, staged) {
  writeCall(image, warping, destination.width, memory, tile);
  const part = staged ?? partNeededByCall(memory.tile);
  if (!staged) {
    if (bytesOfPart(part, image) > maxPartBytes) {
      for (const half of halves(tile)) warpTile(image, warping, destination, memory, half, undefined);
      return;
    }
    stageRows(image, part, memory.part);
  }
  callBlock[cpp.warpLeft] = part.column;
  callBlock[cpp.warpTop] = part.row;
  callBlock[cpp.warpPartWidth] = part.columns;
  ready().warp(makeTile);
  takeRows(destination, tile, memory.tile);
}

/** Asks the module which part of the picture the tile needs that `writeCall` has written to `callBlock`. The module
 * writes the part's edges to address `tileAt`, where the tile will be.
 * @type {(tileAt: number) => Part} */
function partNeededByCall(tileAt) {
  ready().warp(findPart);
  const [left, top, right, bottom] = area.view(Int32Array, tileAt, 4);
  return { row: top, rows: bottom - top, column: left, columns: right - left };
}

/** Pixels that a filter samples in each direction. */
const tapsOf = { nearest: 1, linear: 2, cubic: 4 };
/** Numbers of a perspective's matrix. An affine map has 6. */
const perspectiveNumbers = 9;

/** Writes the settings of a tile's calls to `callBlock`, without the picture's part, which is not known yet.
 * @type {(image: Image, warping: Warping, resultWidth: number, memory: Memory, tile: Part) => void} */
function writeCall({ width, height, channels }, { filter, matrix, background }, resultWidth, memory, tile) {
  callBlock[cpp.warpPart] = memory.part;
  callBlock[cpp.warpTo] = memory.tile;
  callBlock[cpp.warpTaps] = tapsOf[filter];
  callBlock[cpp.warpChannels] = channels;
  callBlock[cpp.warpWidth] = width;
  callBlock[cpp.warpHeight] = height;
  callBlock[cpp.warpColumn] = tile.column;
  callBlock[cpp.warpRow] = tile.row;
  callBlock[cpp.warpColumns] = tile.columns;
  callBlock[cpp.warpRows] = tile.rows;
  callBlock[cpp.warpResultWidth] = resultWidth;
  callBlock[cpp.warpIsPerspective] = Number(matrix.length === perspectiveNumbers);
  callBlock[cpp.warpRepeatsEdges] = Number(!background);
  // A byte for each channel, the first in the low bits.
  const [first = 0, second = 0, third = 0, fourth = 0] = Array.from(background ?? []);
  callBlock[cpp.warpBackground] = first | (second << 8) | (third << 16) | (fourth << 24);
  callFloats.set(matrix, cpp.warpMatrix);
}
