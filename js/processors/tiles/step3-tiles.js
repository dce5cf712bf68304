/** Step3: a small copy of each picture, and the windows that it is cut into. */
import { largest, rangeError } from '../../arguments/index.js';
import { both, exactSize, onTopLeft, rendered, sizeOf, square } from '../pictures/index.js';
import * as steps from '../steps/index.js';
import { tilesOf } from './tiles.js';

/** @import { Call, Picture, Settings, Size } from '../types.js' */
/** @import { Grid } from './grids.js' */

const { floor, max, min, trunc } = Math;

/** Makes Step3's small square copy of a picture (`thumbnail`) and its windows (`tiles`). `newlines`: of each window,
 * whether it ends a row other than the last
 * @type {(call: Call, original: Picture, thumbnailSide: number) => { thumbnail: Picture, tiles: Picture[],
 *   newlines: boolean[] }} */
function step3Cut(call, original, thumbnailSide) {
  const { patch_size: patch, max_image_size: longest } = call.settings;
  const picture = step3Square(original);
  const size = step3Size(sizeOf(picture), longest);
  const thumbnail = steps.resizeTo(call, steps.resizeTo(call, picture, size), square(thumbnailSide));
  const windows = step3Windows(call.settings, size, thumbnailSide);
  if (!windows) return { thumbnail, tiles: [], newlines: [] };
  const { window, large, rows, columns } = windows;
  const resized = rendered(steps.resizeTo(call, picture, large));
  const tiles = tilesOf(resized, window).map((tile) => steps.resizeTo(call, tile, square(patch)));
  const newlines = tiles.map((_, i) => {
    const endsRow = i % columns === columns - 1;
    const isLastRow = floor(i / columns) === rows - 1;
    return endsRow && !isLastRow;
  });
  return { thumbnail, tiles, newlines };
}

/** Stacks small copies of pictures, and the windows of all pictures one after the other, as Step3 does. Of each picture
 * `patch_newline_masks` says which windows end a row other than the last one. */
const makeStep3Tiles = steps.withSettings(
  ['resample', 'size', 'default_to_square', ...steps.usualNumbers.reads, 'max_image_size', 'patch_size'],
  (call, pictures) => {
    const { height: thumbnailSide } = exactSize(call.settings.size);
    const cuts = pictures.map((picture) => step3Cut(call, picture, thumbnailSide));
    const thumbnails = cuts.map(({ thumbnail }) => thumbnail);
    const counts = cuts.map(({ tiles }) => tiles.length);
    const maxTiles = largest(counts);
    const outputs = { pixel_values: steps.stack(call, thumbnails), num_local_patches: steps.int64(counts) };
    if (maxTiles === 0) return outputs;
    const allTiles = cuts.flatMap(({ tiles }) => tiles);
    return {
      ...outputs,
      pixel_values_local: steps.stack(steps.withoutOut(call), allTiles),
      patch_newline_masks: cuts.map(({ newlines }) => {
        const missing = Array(maxTiles - newlines.length).fill(false);
        return [...newlines, ...missing];
      }),
    };
  },
);

/** Step3's class; Python counts the windows of a picture, without its small copy. */
export const makeStep3 = steps.withPatchCount(makeStep3Tiles, ({ settings }, picture) => {
  const size = step3Size(sizeOf(step3Square(picture)), settings.max_image_size);
  const { height: thumbnailSide } = exactSize(settings.size);
  const windows = step3Windows(settings, size, thumbnailSide);
  return windows ? windows.rows * windows.columns : 0;
});

/** How Step3 cuts a picture of this size into square windows. `window`: their side in pixels; `large`: the size that
 * the picture is resized to before; `rows`, `columns`: of windows; undefined where it is not cut
 * @type {(settings: Settings, size: Size, thumbnailSide: number) => { window: number, large: Size } & Grid |
 *   undefined} */
function step3Windows(settings, size, thumbnailSide) {
  const window = windowSide(size, thumbnailSide, settings.patch_size);
  // A picture that is shrunk to a side of 0 is not cut. NaN goes on to the message about patch_size.
  if (window === undefined || window === 0) return undefined;
  // A patch_size that is null is NaN here.
  if (Number.isNaN(settings.patch_size))
    rangeError('patch_size must be given for a picture that is cut into windows, got null');
  const large = both(size, (extent) => wholeWindows(extent, window));
  const { width: columns, height: rows } = both(large, (extent) => max(1, floor(extent / window)));
  return { window, large, rows, columns };
}

/** Lays a thin picture, with a side below 32 pixels and the other over four times as long, at the top left of a square
 * of its longer side; the rest is black. Other pictures are returned as they are.
 * @type {(picture: Picture) => Picture} */
function step3Square(picture) {
  const { width, height } = sizeOf(picture);
  const [short, long] = [min(width, height), max(width, height)];
  return short < 32 && long / short > 4 ? rendered(onTopLeft(picture, square(long))) : picture;
}

/** Step3's size of a picture, shrunk in its ratio so that its longer side is at most `longest` pixels. Sides are
 * truncated, as by Python's `_plan_patches`.
 * @type {(size: Size, longest: number) => Size} */
function step3Size({ width, height }, longest) {
  const scale = min(1, longest / max(width, height));
  return { width: trunc(width * scale), height: trunc(height * scale) };
}

/** The side in pixels of the square windows that Step3 cuts a picture into; undefined where it is not cut. A picture
 * with sides of up to `thumbnailSide` pixels is cut only if it is longer than 3:2, into windows of its shorter side. A
 * larger one is cut into windows of `patch` pixels or, if it is longer than 4:1, of its shorter side where that is
 * less.
 * @type {(size: Size, thumbnailSide: number, patch: number) => number | undefined} */
function windowSide({ width, height }, thumbnailSide, patch) {
  const [short, long] = [min(width, height), max(width, height)];
  const ratio = long / short;
  if (long <= thumbnailSide) return ratio > 1.5 ? short : undefined;
  return ratio > 4 ? min(short, patch) : patch;
}

/** The length in pixels of a side before it is cut: a multiple of `window`, rounded up where the rest is over a fifth
 * of a window, else down. A side that is shorter than a window keeps its length.
 * @type {(extent: number, window: number) => number} */
function wholeWindows(extent, window) {
  if (extent < window) return extent;
  const full = floor(extent / window);
  const isRoundedUp = extent % window > 0.2 * window;
  return window * (isRoundedUp ? full + 1 : full);
}
