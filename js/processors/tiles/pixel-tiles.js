/** Inkling: tiles of pixels, and numbers of -1 where there is no picture. */
import { bytesOf } from '../../arguments/index.js';
import { move, planFor } from '../../engines/tensors/index.js';
import { rowOnBoard } from '../../engines/images/index.js';
import { fillAround, rowOf } from '../../image/internal.js';
import { dtypes, newData } from '../../tensor/index.js';
import { exactSize, sizeOf, square, squareSide, writePicture } from '../pictures/index.js';
import * as steps from '../steps/index.js';

/** @import { Box } from '../../engines/tensors/types.js' */
/** @import { Channels } from '../../engines/images/types.js' */
/** @import { Call, Numbers, Picture, Settings, Size } from '../types.js' */

const { ceil, floor, fround, max, min } = Math;

/** Writes tiles of pixels, [tiles, 2, side, side, 3], each twice as for two frames, with bytes of -1 beyond the
 * picture, as Inkling does. */
export const makeInkling = steps.withSettings(
  [
    ...['do_resize', 'size', 'default_to_square', 'resample', ...steps.usualNumbers.reads],
    ...['rescale_image_frac', 'rescale_image_max_upscaled_long_edge'],
  ],
  (call, pictures) => {
    const { settings } = call;
    const side = squareSide(settings.size);
    steps.needs(call, 'do_resize');
    const resized = pictures.map((picture) => {
      const size = sizeOf(picture);
      const scale = inklingScale(settings, max(size.width, size.height));
      if (scale === 1) return picture;
      return steps.resizeTo(call, picture, {
        width: floor(size.width * scale + 0.5),
        height: floor(size.height * scale + 0.5),
      });
    });
    const grids = resized.map((picture) => {
      const size = sizeOf(picture);
      // One more column of nothing where the width is a multiple.
      return { rows: ceil(size.height / side), columns: floor(size.width / side) + 1 };
    });
    const values = pixelTiles(call, resized, grids, square(side), 2);
    const counts = grids.map(({ rows, columns }) => rows * columns);
    return {
      pixel_values: values,
      num_patches: steps.int64(counts),
    };
  },
);

/** The scale of a picture: `rescale_image_frac`, but none that enlarges the longer side beyond `maxLongEdge`.
 * @type {(settings: Settings, long: number) => number} */
function inklingScale({ rescale_image_frac: share, rescale_image_max_upscaled_long_edge: maxLongEdge }, long) {
  if (share === undefined) return 1;
  const wanted = long * share;
  return (maxLongEdge === undefined ? wanted : min(wanted, max(maxLongEdge, long))) / long;
}

/** Writes the tiles of each picture's grid, [tiles, height, width, 3], each tile `copies` times. Pixels beyond the
 * picture count as bytes of -1.
 * @type {(call: Call, pictures: readonly Picture[], grids: readonly { rows: number, columns: number }[], tile: Size,
 *   copies: number) => import('../../tensor/index.js').Tensor} */
function pixelTiles(call, pictures, grids, { width, height }, copies) {
  const numbers = steps.usualNumbers({ ...call, dtype: dtypes.float32 });
  const total = grids.reduce((sum, { rows, columns }) => sum + rows * columns, 0);
  const length = 3 * width * height * copies;
  const dims = [total, ...(copies === 1 ? [] : [copies]), height, width, 3];
  const tensor = steps.pixelTensor(call, dtypes.float32, dims);
  const bytes = bytesOf(tensor.data);
  const border = Uint8Array.from(bytesOf(borderNumbers(numbers)));
  let done = 0;
  pictures.forEach((picture, i) => {
    const { rows, columns } = grids[i];
    const frame = { x: 0, y: 0, width: columns * width, height: rows * height };
    const pixels = bytesOf(newData(dtypes.float32, 3 * frame.width * frame.height, undefined));
    const row = rowOf(border, frame.width);
    fillAround(pixels, row.length, row, frame, { x: 0, y: 0, ...sizeOf(picture) });
    steps.reportNumbers(picture, numbers, frame);
    writePicture(picture, numbers, frame, false, pixels);
    const plan = planFor(tileBoxes, 32, [rows, columns], [width, height, copies]);
    move(plan, [pixels], [bytes.subarray(4 * done * length, 4 * (done + rows * columns) * length)]);
    done += rows * columns;
  });
  return tensor;
}

/** The boxes that copy rows of pixels to tiles, each `copies` times.
 * @type {(a: readonly number[], b: readonly number[]) => Box[]} */
const tileBoxes = ([rows, columns], [width, height, copies]) => {
  const [line, row] = [3 * width, 3 * width * columns];
  return [
    {
      extents: [rows, columns, copies, height, line],
      from: [height * row, line, 0, row, 1],
      to: [columns * copies * height * line, copies * height * line, height * line, line, 1],
    },
  ];
};

/** The numbers that a byte of -1 would become. @type {(numbers: Numbers) => Float32Array} */
function borderNumbers({ channels }) {
  const { scale, mean, std } = /** @type {Required<Channels>} */ (channels);
  return Float32Array.from({ length: 3 }, (_, c) => fround(fround(-scale[c] - mean[c]) / std[c]));
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
    const values = pixelTiles(call, opaque, grids, tile, 1);
    return {
      pixel_values: values,
      image_grid_thw: steps.int64(grids.map(({ rows, columns }) => [1, rows, columns])),
    };
  },
);

/** Lays a picture with alpha on a chessboard of squares of 8 pixels, 204 and 153 in turn.
 * @type {(picture: Picture) => Picture} */
function onChessboard(picture) {
  const { width, height, channels } = picture.image;
  if (channels % 2 === 1) return picture;
  const rgb = newData(dtypes.uint8, 3 * width * height, undefined);
  for (let y = 0; y < height; y++) rgb.set(rowOnBoard(picture.image, y), 3 * width * y);
  const image = { data: rgb, width, height, channels: 3, rowstride: 3 * width };
  return { ...picture, image, isOnWhite: false };
}
