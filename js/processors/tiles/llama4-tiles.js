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

/** Rounds to the nearest bfloat16, ties to even. @type {(value: number) => number} */
function roundToBfloat16(value) {
  const bits = Uint16Array.of(Number(encode(dtypes.bfloat16, value)));
  return Number(decode(dtypes.bfloat16, bits, 0));
}

/** Numbers that are rescaled and normalized in bfloat16, as Llama 4 has them: the result of each operation is rounded
 * to float32 and then to bfloat16. The usual numbers where one of the two steps is off. */
const llama4Numbers = steps.withSettings(steps.usualNumbers.reads, (call) => {
  const { backend, dtype = dtypes.bfloat16, settings } = call;
  const { do_rescale: rescales, do_normalize: normalizes, rescale_factor: factor } = settings;
  if (!rescales || !normalizes) return steps.usualNumbers(call);
  const { image_mean: mean, image_std: std } = settings;
  /** @type {(value: number) => number} */
  const rounded = (value) => roundToBfloat16(fround(value));
  /** @type {(values: Mean, channel: number) => number} */
  const ofChannel = (values, channel) => rounded(typeof values === 'number' ? values : values[channel]);
  /** @type {NumberStep} */
  const rescale = (value) => rounded(value * fround(factor));
  /** @type {NumberStep} */
  const subtractMean = (value, channel) => rounded(value - ofChannel(mean, channel));
  /** @type {NumberStep} */
  const divideByStd = (value, channel) => rounded(value / ofChannel(std, channel));
  const unscaled = {};
  return numbersOf(backend, unscaled, { dtype, then: [rescale, subtractMean, divideByStd] });
});

/** Fits a picture into its grid of square tiles, at the top left of a black canvas, and cuts that into the tiles. If
 * there are several, the whole picture, resized to the setting `size`, follows them.
 * @type {(call: Call, picture: Picture, grid: Grid, tileSide: number) => Picture[]} */
function llama4Tiles(call, picture, grid, tileSide) {
  const canvas = gridSize(grid, square(tileSide));
  const size = chunkedSize(sizeOf(picture), canvas, tileSide, call.settings.resize_to_max_canvas);
  const fitted = steps.resizeTo(call, picture, size);
  const tiles = tilesOf(rendered(onTopLeft(fitted, canvas)), tileSide);
  return tiles.length > 1 ? [...tiles, steps.resize(call, picture)] : tiles;
}

/** Makes Llama 4's pixels of the tiles of all pictures and, as `aspect_ratios`, [rows, columns] of each picture's
 * grid. */
export const makeLlama4 = steps.withSettings(
  [...steps.resize.reads, ...steps.usualNumbers.reads, 'max_patches', 'resize_to_max_canvas'],
  (call, pictures) => {
    const { max_patches: maxChunks, resize_to_max_canvas: isGreatest, size } = call.settings;
    const tileSide = squareSide(size);
    steps.requireFlag(call, 'do_resize');
    const grids = pictures.map((picture) => chunkGrid(sizeOf(picture), tileSide, maxChunks, isGreatest));
    const tiles = pictures.flatMap((picture, i) => llama4Tiles(call, picture, grids[i], tileSide));
    return {
      pixel_values: steps.stack(call, tiles, llama4Numbers),
      aspect_ratios: steps.int64(grids.map(({ rows, columns }) => [rows, columns])),
    };
  },
);
