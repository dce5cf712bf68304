/** Inkling: tiles of pixels, and numbers of -1 where there is no picture. */
import { bytesOf } from '../../arguments/index.js';
import { move, planFor } from '../../engines/tensors/index.js';
import { rowOnBoard } from '../../engines/images/index.js';
import { fillAround, rowOf } from '../../image/internal.js';
import { dtypes, newData } from '../../tensor/index.js';
import { both, boxOf, exactSize, sizeOf, square, squareSide, writePixels } from '../pictures/index.js';
import * as steps from '../steps/index.js';
import { gridSize, tileCount } from './grids.js';

/** @import { Box } from '../../engines/tensors/types.js' */
/** @import { Channels } from '../../engines/images/types.js' */
/** @import { Tensor } from '../../tensor/index.js' */
/** @import { Call, Numbers, Picture, Settings, Size } from '../types.js' */
/** @import { Grid } from './grids.js' */

const { ceil, floor, fround, max, min } = Math;

/** Writes tiles of pixels, [tiles, 2, side, side, 3], each twice as for two frames, as Inkling does. */
export const makeInkling = steps.withSettings(
  [
    'do_resize',
    'size',
    'default_to_square',
    'resample',
    ...steps.usualNumbers.reads,
    'rescale_image_frac',
    'rescale_image_max_upscaled_long_edge',
  ],
  (call, pictures) => {
    const { settings } = call;
    const tileSide = squareSide(settings.size);
    steps.requireFlag(call, 'do_resize');
    const resized = pictures.map((picture) => {
      const size = sizeOf(picture);
      const scale = inklingScale(settings, max(size.width, size.height));
      if (scale === 1) return picture;
      const scaledSize = both(size, (extent) => floor(extent * scale + 0.5));
      return steps.resizeTo(call, picture, scaledSize);
    });
    const grids = resized.map(sizeOf).map(({ width, height }) => ({
      rows: ceil(height / tileSide),
      // One more column of nothing where the width is a multiple.
      columns: floor(width / tileSide) + 1,
    }));
    const frameCopies = 2;
    return {
      pixel_values: pixelTiles(call, resized, grids, square(tileSide), frameCopies),
      num_patches: steps.int64(grids.map(tileCount)),
    };
  },
);

/** Inkling's scale of a picture with a longer side of `long` pixels: the setting `rescale_image_frac`, 1 without it. A
 * longer side that the setting brings over `rescale_image_max_upscaled_long_edge` gets that length, or keeps its own if
 * it is longer already.
 * @type {(settings: Settings, long: number) => number} */
function inklingScale({ rescale_image_frac: scale, rescale_image_max_upscaled_long_edge: maxLongEdge }, long) {
  if (scale === undefined) return 1;
  const wanted = long * scale;
  const bounded = maxLongEdge === undefined ? wanted : min(wanted, max(maxLongEdge, long));
  return bounded / long;
}

/** Makes `pixel_values` of the tiles of all pictures: [tiles, height, width, 3], or [tiles, copies, height, width, 3]
 * if each tile is repeated. Pixels of a grid of tiles that lie beyond its picture have the numbers of `outsideNumbers`.
 * @type {(call: Call, pictures: readonly Picture[], grids: readonly Grid[], tile: Size, copies: number) => Tensor} */
function pixelTiles(call, pictures, grids, tile, copies) {
  const { width, height } = tile;
  const { float32 } = dtypes;
  const numbers = steps.usualNumbers({ ...call, dtype: float32 });
  const total = grids.reduce((sum, grid) => sum + tileCount(grid), 0);
  const dims = copies === 1 ? [total, height, width, 3] : [total, copies, height, width, 3];
  const tensor = steps.pixelTensor(call, float32, dims);
  const bytes = bytesOf(tensor.data);
  const outside = bytesOf(outsideNumbers(numbers));
  const tileDims = [width, height, copies];
  const pixelBytes = (3 * float32.bits) / 8;
  const tileBytes = pixelBytes * width * height * copies;
  let firstByte = 0;
  pictures.forEach((picture, i) => {
    const { rows, columns } = grids[i];
    const pixels = pixelsOfGrid(picture, numbers, gridSize(grids[i], tile), outside);
    const plan = planFor(tileBoxes, float32.bits, [rows, columns], tileDims);
    const endByte = firstByte + rows * columns * tileBytes;
    move(plan, [pixels], [bytes.subarray(firstByte, endByte)]);
    firstByte = endByte;
  });
  return tensor;
}

/** Computes the float32 numbers of the pixels of all tiles of a picture, [height, width, 3], as bytes. `gridPixels`:
 * the size of all tiles together; `outside`: the bytes of a pixel's numbers beyond the picture
 * @type {(picture: Picture, numbers: Numbers, gridPixels: Size, outside: Uint8Array) => Uint8Array} */
function pixelsOfGrid(picture, numbers, gridPixels, outside) {
  // The picture lies at the top left of all tiles, and the pixels to its right and below are outside.
  const frame = { x: 0, y: 0, ...gridPixels };
  const pixels = bytesOf(newData(dtypes.float32, 3 * frame.width * frame.height, undefined));
  const outsideRow = rowOf(outside, frame.width);
  fillAround(pixels, outsideRow.length, outsideRow, frame, { x: 0, y: 0, ...sizeOf(picture) });
  steps.reportNumbers(picture, numbers, frame);
  writePixels(picture, numbers, frame, pixels);
  return pixels;
}

/** The box that copies the pixels of a grid of tiles to tiles [row, column, copy, height, width * 3], each `copies`
 * times, by the stride 0. `width`, `height`: of a tile
 * @type {(grid: readonly number[], tile: readonly number[]) => Box[]} */
const tileBoxes = ([rows, columns], [width, height, copies]) => {
  // Lengths: a row of a tile, a row of all tiles, and a tile.
  const tileRow = 3 * width;
  const gridRow = columns * tileRow;
  const tile = height * tileRow;
  // Axes as [extent, stride in the grid, stride in the result].
  return [
    boxOf(
      [rows, height * gridRow, columns * copies * tile],
      [columns, tileRow, copies * tile],
      [copies, 0, tile],
      [height, gridRow, tileRow],
      [tileRow, 1, 1],
    ),
  ];
};

/** The numbers of a pixel beyond the picture, in three channels. Python fills it with -1 before it rescales and
 * normalizes, by (x * scale - mean) / std.
 * @type {(numbers: Numbers) => Float32Array} */
function outsideNumbers({ channels }) {
  const { scale, mean, std } = /** @type {Required<Channels>} */ (channels);
  return Float32Array.from({ length: 3 }, (_, channel) => {
    const shifted = fround(-1 * scale[channel] - mean[channel]);
    return fround(shifted / std[channel]);
  });
}

/** Writes tiles of pixels, [tiles, height, width, 3], and the grids of each picture, as Inkling 2 does. Alpha lies on a
 * chessboard. */
export const makeInkling2 = steps.withSettings(
  ['size', 'default_to_square', ...steps.usualNumbers.reads],
  (call, pictures) => {
    const tile = exactSize(call.settings.size);
    const opaque = pictures.map(onChessboard);
    const grids = opaque.map((picture) => {
      const { width, height } = sizeOf(picture);
      return { rows: ceil(height / tile.height), columns: ceil(width / tile.width) };
    });
    const copies = 1;
    return {
      pixel_values: pixelTiles(call, opaque, grids, tile, copies),
      image_grid_thw: steps.int64(grids.map(({ rows, columns }) => [1, rows, columns])),
    };
  },
);

/** Lays a picture with alpha on a chessboard of squares of 8 x 8 pixels, of the grays 204 and 153 in turn.
 * @type {(picture: Picture) => Picture} */
function onChessboard(picture) {
  const { width, height, channels } = picture.image;
  const hasAlpha = channels === 2 || channels === 4;
  if (!hasAlpha) return picture;
  const rgb = newData(dtypes.uint8, 3 * width * height, undefined);
  for (let y = 0; y < height; y++) rgb.set(rowOnBoard(picture.image, y), 3 * width * y);
  const image = { data: rgb, width, height, channels: 3, rowstride: 3 * width };
  return { ...picture, image, isOnWhite: false };
}
