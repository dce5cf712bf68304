/** Llama 4: tiles of a canvas, with numbers that are rounded to bfloat16 at each step. */
import { numbersOf } from '../../image/internal.js';
import { decode, dtypes, encode } from '../../tensor/index.js';
import { chunkGrid, gridSize } from './grids.js';
import { chunkedSize, onTopLeft, rendered, sizeOf, square, squareSide } from '../pictures/index.js';
import * as steps from '../steps/index.js';
import { tilesOf } from './tiles.js';

/** @import { NumberStep } from '../../image/types.js' */
/** @import { Call, Mean, Picture } from '../types.js' */
/** @import { Grid } from './grids.js' */

const { fround } = Math;

/** Rounds to the nearest bfloat16, ties to even. @type {(number: number) => number} */
const bfloat16 = (number) =>
  Number(decode(dtypes.bfloat16, Uint16Array.of(Number(encode(dtypes.bfloat16, number))), 0));

/** Numbers of which each operation is rounded to bfloat16, as Llama 4 has them. */
const llama4Numbers = steps.withSettings(steps.usualNumbers.reads, (call) => {
  const { backend, dtype = dtypes.bfloat16, settings } = call;
  const { do_rescale: rescales, do_normalize: normalizes, rescale_factor: factor } = settings;
  if (!rescales || !normalizes) return steps.usualNumbers(call);
  const { image_mean: mean, image_std: std } = settings;
  /** @type {(values: Mean, channel: number) => number} */
  const ofChannel = (values, channel) => bfloat16(fround(typeof values === 'number' ? values : values[channel]));
  /** @type {NumberStep} */
  const rescale = (value) => bfloat16(fround(value * fround(factor)));
  /** @type {NumberStep} */
  const subtractMean = (value, channel) => bfloat16(fround(value - ofChannel(mean, channel)));
  /** @type {NumberStep} */
  const divideByStd = (value, channel) => bfloat16(fround(value / ofChannel(std, channel)));
  const unscaled = {};
  return numbersOf(backend, unscaled, { dtype, then: [rescale, subtractMean, divideByStd] });
});

/** The tiles of a picture's canvas and, if there are several, the whole picture after them.
 * @type {(call: Call, picture: Picture, grid: Grid, tileSide: number) => Picture[]} */
function llama4Tiles(call, picture, grid, tileSide) {
  const canvas = gridSize(grid, square(tileSide));
  const size = chunkedSize(sizeOf(picture), canvas, tileSide, call.settings.resize_to_max_canvas);
  const tiles = tilesOf(rendered(onTopLeft(steps.resizeTo(call, picture, size), canvas)), tileSide);
  return tiles.length > 1 ? [...tiles, steps.resize(call, picture)] : tiles;
}

/** Stacks the tiles of each picture's canvas and, if there are several, the whole picture after them, as Llama 4 does.
 */
export const makeLlama4 = steps.withSettings(
  [...steps.resize.reads, ...steps.usualNumbers.reads, 'max_patches', 'resize_to_max_canvas'],
  (call, pictures) => {
    const { max_patches: maxChunks, resize_to_max_canvas: isGreatest, size } = call.settings;
    const tileSide = squareSide(size);
    steps.needs(call, 'do_resize');
    const grids = pictures.map((picture) => chunkGrid(sizeOf(picture), tileSide, maxChunks, isGreatest));
    const tiles = pictures.flatMap((picture, i) => llama4Tiles(call, picture, grids[i], tileSide));
    return {
      pixel_values: steps.stack(call, tiles, llama4Numbers),
      aspect_ratios: steps.int64(grids.map(({ rows, columns }) => [rows, columns])),
    };
  },
);
