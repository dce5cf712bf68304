/** Aria: pictures, or tiles of the best resolution, in the top left of squares. */
import { largest, rangeError } from '../../arguments/index.js';
import { dtypes, newData, tensorOf } from '../../tensor/index.js';
import { bestResolution, cropPicture, insideSize, onTopLeft, rendered, sizeOf, square } from '../pictures/index.js';
import * as steps from '../steps/index.js';
import { tilesOf } from './tiles.js';

/** @import { Tensor } from '../../tensor/index.js' */
/** @import { Call, Picture, Size } from '../types.js' */

/** Cuts a picture into Aria's tiles of `max_image_size` pixels a side: the picture is fitted into the one of
 * `split_resolutions` that keeps most of it, and laid on black of that size. Without `split_image` the picture is the
 * only tile.
 * @type {(call: Call, picture: Picture) => Picture[]} */
function ariaTiles(call, picture) {
  const { max_image_size: tileSide, split_image: splits, split_resolutions: sizes } = call.settings;
  if (tileSide !== 490 && tileSide !== 980) rangeError(`max_image_size must be 490 or 980, got ${tileSide}`);
  if (!splits) return [picture];
  const canvas = bestResolution(sizeOf(picture), sizes);
  const resized = steps.resizeTo(call, picture, insideSize(sizeOf(picture), canvas));
  // Python computes the border from the fitted size, fitted once more, which may differ by a pixel.
  const fittedTwice = insideSize(sizeOf(resized), canvas);
  const left = Math.floor((canvas.width - fittedTwice.width) / 2);
  const top = Math.floor((canvas.height - fittedTwice.height) / 2);
  // A crop that begins before the picture has a border there.
  return tilesOf(rendered(cropPicture(resized, { x: -left, y: -top, ...canvas })), tileSide);
}

/** Aria's size in the picture's ratio: the longer side has `longest` pixels, the other one at least `least`.
 * @type {(size: Size, longest: number, least: number) => Size} */
function ariaSize({ width, height }, longest, least) {
  const scale = longest / Math.max(width, height);
  return width >= height
    ? { width: longest, height: Math.max(Math.trunc(height * scale), least) }
    : { width: Math.max(Math.trunc(width * scale), least), height: longest };
}

/** The mask [sizes, tileSide, tileSide] of the pixels that pictures of these sizes have at the top left of their
 * squares.
 * @type {(sizes: readonly Size[], tileSide: number) => Tensor} */
function squareMasks(sizes, tileSide) {
  const mask = newData(dtypes.bool, sizes.length * tileSide * tileSide, undefined);
  sizes.forEach(({ width, height }, i) => {
    for (let y = 0; y < height; y++) {
      const rowStart = (i * tileSide + y) * tileSide;
      mask.fill(1, rowStart, rowStart + width);
    }
  });
  return tensorOf(dtypes.bool, mask, [sizes.length, tileSide, tileSide]);
}

/** Stacks each picture, or each tile of the best resolution, in the top left of a square, with a mask of its pixels, as
 * Aria does. */
const makeAriaTiles = steps.withSettings(
  ['resample', ...steps.usualNumbers.reads, 'max_image_size', 'min_image_size', 'split_image', 'split_resolutions'],
  (call, pictures) => {
    const { max_image_size: tileSide, min_image_size: minSide } = call.settings;
    const tileLists = pictures.map((picture) => ariaTiles(call, picture));
    const tiles = tileLists.flat();
    const sizes = tiles.map((tile) => ariaSize(sizeOf(tile), tileSide, minSide));
    const squares = tiles.map((tile, i) => onTopLeft(steps.resizeTo(call, tile, sizes[i]), square(tileSide)));
    const mask = squareMasks(sizes, tileSide);
    return {
      pixel_values: steps.stack(call, squares),
      pixel_mask: mask,
      num_crops: steps.int64([largest(tileLists.map(({ length }) => length))], []),
    };
  },
);

/** Aria's class; Python counts the tiles of a picture. */
export const makeAria = steps.withPatchCount(makeAriaTiles, (call, picture) => ariaTiles(call, picture).length);
