/** Processors whose tiles are windows or slices of a size of their own. */
import { bytesOf, largest, rangeError } from '../../arguments/index.js';
import { move, planFor } from '../../engines/tensors/index.js';
import { normalizing, numbersOf, roundHalfToEven } from '../../image/internal.js';
import { decode, dtypes, encode, newData } from '../../tensor/index.js';
import { chunkGrid, gridSize, minicpmGrid } from './grids.js';
import {
  both,
  chunkedSize,
  cropPicture,
  exactSize,
  onTopLeft,
  rendered,
  resizePicture,
  shortestEdgeSize,
  sizeOf,
  square,
  squareSide,
  writePlanes,
} from '../pictures/index.js';
import * as steps from '../steps/index.js';
import { tilesOf } from './tiles.js';

/** @import { Box } from '../../engines/tensors/types.js' */
/** @import { NumberStep } from '../../image/types.js' */
/** @import { Call, ClassOutputs, Make, Mean, Numbers, Picture, Settings, Size } from '../types.js' */
/** @import { Grid } from './grids.js' */

const { floor, fround, max, min, sqrt, trunc } = Math;

/** The side of windows of a picture that Step3 does not cut. */
const notCut = 0;

/** The thumbnail of a picture and its windows. `newlines`: of each window, whether it ends a row other than the last
 * @type {(call: Call, original: Picture, thumbnailSide: number) => { thumbnail: Picture, tiles: Picture[],
 *   newlines: boolean[] }} */
function step3Parts(call, original, thumbnailSide) {
  const { patch_size: patch, max_image_size: longest } = call.settings;
  const picture = step3Square(original);
  const size = step3Size(sizeOf(picture), longest);
  const thumbnail = steps.resizeTo(call, steps.resizeTo(call, picture, size), square(thumbnailSide));
  const windows = step3Windows(call.settings, size, thumbnailSide);
  if (!windows) return { thumbnail, tiles: [], newlines: [] };
  const { window, large, rows, columns } = windows;
  const tiles = tilesOf(rendered(steps.resizeTo(call, picture, large)), window).map((tile) =>
    steps.resizeTo(call, tile, square(patch)),
  );
  const newlines = tiles.map((_, i) => {
    const endsRow = i % columns === columns - 1;
    const isLastRow = floor(i / columns) === rows - 1;
    return endsRow && !isLastRow;
  });
  return { thumbnail, tiles, newlines };
}

/** Stacks a small copy of each picture and its windows, as Step3 does. The last rows and columns of windows stay only
 * if they are over a fifth of a window. */
const makeStep3Tiles = steps.withSettings(
  ['resample', 'size', 'default_to_square', ...steps.usualNumbers.reads, 'max_image_size', 'patch_size'],
  (call, pictures) => {
    const { height: thumbnailSide } = exactSize(call.settings.size);
    const parts = pictures.map((picture) => step3Parts(call, picture, thumbnailSide));
    const thumbnails = parts.map(({ thumbnail }) => thumbnail);
    const counts = parts.map(({ tiles }) => tiles.length);
    const maxTiles = largest(counts);
    /** @type {ClassOutputs} */
    const outputs = { pixel_values: steps.stack(call, thumbnails), num_local_patches: steps.int64(counts) };
    if (maxTiles > 0) {
      outputs.pixel_values_local = steps.stack(
        steps.inOwnMemory(call),
        parts.flatMap(({ tiles }) => tiles),
      );
      outputs.patch_newline_masks = parts.map(({ newlines }) => [
        ...newlines,
        ...Array(maxTiles - newlines.length).fill(false),
      ]);
    }
    return outputs;
  },
);

export const makeStep3 = steps.counting(makeStep3Tiles, ({ settings }, picture) => {
  const size = step3Size(sizeOf(step3Square(picture)), settings.max_image_size);
  const { height: thumbnailSide } = exactSize(settings.size);
  const windows = step3Windows(settings, size, thumbnailSide);
  return windows ? windows.rows * windows.columns : 0;
});

/** How Step3 cuts a picture into square windows: their side in pixels, the size `large` that the picture is resized to
 * before, and the rows and columns of windows; undefined where it is not cut
 * @type {(settings: Settings, size: Size, thumbnailSide: number) => { window: number, large: Size } & Grid |
 *   undefined} */
function step3Windows(settings, size, thumbnailSide) {
  const window = windowSide(size, thumbnailSide, settings.patch_size);
  if (window === notCut) return undefined;
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

/** The side in pixels of the square windows that Step3 cuts a picture into, or `notCut`. A picture with sides of up to
 * `thumbnailSide` pixels is cut only if it is longer than 3:2, into windows of its shorter side. A larger one is cut
 * into windows of `patch` pixels or, if it is longer than 4:1, of its shorter side where that is less.
 * @type {(size: Size, thumbnailSide: number, patch: number) => number} */
function windowSide({ width, height }, thumbnailSide, patch) {
  const [short, long] = [min(width, height), max(width, height)];
  const ratio = long / short;
  if (long <= thumbnailSide) return ratio > 1.5 ? short : notCut;
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

/** Makes a class that returns MiniCPM-V's patches: the rows of patches of the whole of each picture and of its slices
 * lie side by side, [1, 3, patch, total], in all `total` columns of pixels. `upsizes`: whether small pictures without
 * slices are enlarged
 * @type {(upsizes: (settings: Settings) => boolean) => Make} */
export const makeMiniCpm = (upsizes) =>
  steps.withSettings(
    [
      ...['do_resize', 'resample', ...steps.usualNumbers.reads, 'patch_size', 'scale_resolution', 'max_slice_nums'],
      ...['slice_mode', 'downsample_mode', 'small_image_upsize'],
    ],
    (call, pictures) => {
      const { settings, backend } = call;
      const { patch_size: patch } = settings;
      steps.needs(call, 'do_resize');
      const sliced = pictures.map((picture) => miniCpmParts(call, picture, upsizes(settings)));
      const slices = sliced.flatMap((entry) => entry.slices);
      const usual = steps.usualNumbers(call);
      // torchvision's class makes float32 of the bytes before any step, so that it is float32 without any too.
      const numbers = backend === 'pil' ? usual : steps.floatNumbers(call);
      const sizes = slices.map(sizeOf);
      const total = sizes.reduce((sum, size) => sum + stripColumns(size, patch), 0);
      const tensor = steps.pixelTensor(call, numbers.dtype, [1, 3, patch, total]);
      const bytes = bytesOf(tensor.data);
      let firstColumn = 0;
      slices.forEach((slice, i) => {
        const firstByte = (firstColumn * numbers.dtype.bits) / 8;
        writeStrip(slice, numbers, patch, total, bytes.subarray(firstByte));
        firstColumn += stripColumns(sizes[i], patch);
      });
      return {
        pixel_values: tensor,
        target_sizes: steps.int32(sizes.map(({ width, height }) => [height / patch, width / patch])),
        grids: sliced.map(({ grid }) => grid),
        num_patches_per_image: sliced.map((entry) => entry.slices.length),
      };
    },
  );

/** The columns of pixels of a slice whose rows of patches, each `patch` pixels high, lie side by side.
 * @type {(size: Size, patch: number) => number} */
export const stripColumns = ({ width, height }, patch) => width * (height / patch);

/** Writes a slice as rows of patches that lie side by side in planes [3, patch, total]. `destination`: the planes'
 * bytes from the slice's first column on
 * @type {(slice: Picture, numbers: Numbers, patch: number, total: number, destination: Uint8Array) => void} */
export function writeStrip(slice, numbers, patch, total, destination) {
  const { width, height } = sizeOf(slice);
  steps.reportNumbers(slice, numbers);
  const planes = bytesOf(newData(numbers.dtype, 3 * width * height, undefined));
  writePlanes(slice, numbers, steps.ownFrame(slice), planes);
  const plan = planFor(bandsSideBySide, numbers.dtype.bits, [width, height], [patch, total]);
  move(plan, [planes], [destination]);
}

/** The box that copies planes [3, height, width] into [3, patch, total]: bands of `patch` pixels in height are laid
 * side by side.
 * @type {(a: readonly number[], b: readonly number[]) => Box[]} */
const bandsSideBySide = ([width, height], [patch, total]) => [
  {
    extents: [3, height / patch, patch, width],
    from: [width * height, patch * width, width, 1],
    to: [patch * total, width, total, 1],
  },
];

/** Cuts a picture into MiniCPM-V's slices: first the whole picture, then the slices of a grid [rows, columns], which is
 * [0, 0] if there are none. Sides are multiples of a token's, and a slice has about as many pixels as a square of
 * `scale_resolution`. `upsizes`: whether a small picture without slices is enlarged to that
 * @type {(call: Call, picture: Picture, upsizes: boolean) => { slices: Picture[], grid: number[] }} */
export function miniCpmParts(call, picture, upsizes) {
  const { settings } = call;
  const { scale_resolution: resolution, max_slice_nums: maxSlices, patch_size: patch } = settings;
  // The side in pixels of what becomes one token: 2 x 2 patches by '4x', 4 x 4 by '16x'.
  const unit = patch * (settings.downsample_mode === '4x' ? 2 : 4);
  const size = sizeOf(picture);
  const grid = settings.slice_mode ? minicpmGrid(size, maxSlices, resolution) : undefined;
  const isLarge = size.width * size.height > resolution ** 2;
  const isScaled = isLarge || (!grid && upsizes);
  const thumbnail = steps.resizeTo(call, picture, sliceSize(size, resolution, isScaled, unit));
  if (!grid) return { slices: [thumbnail], grid: [0, 0] };
  const equalPart = { width: partOf(size.width, grid.columns), height: partOf(size.height, grid.rows) };
  const isSliceScaled = true;
  const slice = sliceSize(equalPart, resolution, isSliceScaled, unit);
  const large = rendered(steps.resizeTo(call, picture, gridSize(grid, slice)));
  return { slices: [thumbnail, ...tilesOf(large, slice.width, slice.height)], grid: [grid.rows, grid.columns] };
}

/** The side of one of `count` equal slices, after the picture's is rounded to a multiple of `count`; at least a pixel.
 * @type {(extent: number, count: number) => number} */
const partOf = (extent, count) => max(roundHalfToEven(extent / count) * count, count) / count;

/** The size of a slice: with sides rounded to multiples of `unit`, at least one, and with `isScaled` first scaled in
 * its ratio to as many pixels as a square of `resolution` pixels a side has.
 * @type {(size: Size, resolution: number, isScaled: boolean, unit: number) => Size} */
function sliceSize(size, resolution, isScaled, unit) {
  const ratio = size.width / size.height;
  const heightByArea = trunc(resolution / sqrt(ratio));
  const byArea = { width: trunc(heightByArea * ratio), height: heightByArea };
  return both(isScaled ? byArea : size, (extent) => max(roundHalfToEven(extent / unit) * unit, unit));
}

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

/** Resizes a picture by timm's configuration, pads it to the crop's size at least and crops its middle. `width`,
 * `height`: of the crop; `share`: `crop_pct`, the crop's part of the resized picture
 * @type {(picture: Picture, config: Settings) => Picture} */
function timmCrop(picture, { width, height, filter, mean, share, mode }) {
  const large = { width: floor(width / share), height: floor(height / share) };
  const size = timmSize(sizeOf(picture), large, mode);
  const resized = resizePicture(picture, size, { backend: 'pil', filter });
  // The bars are black or, by the mode `border`, of the mean color.
  const fill = mode === 'border' ? mean.map((/** @type {number} */ value) => roundHalfToEven(255 * value)) : undefined;
  const canvas = { width: max(size.width, width), height: max(size.height, height) };
  const left = floor((canvas.width - size.width) / 2);
  const top = floor((canvas.height - size.height) / 2);
  // A crop that begins before the picture has a border there.
  const padded = cropPicture(resized, { x: -left, y: -top, ...canvas }, fill);
  const x = roundHalfToEven((canvas.width - width) / 2);
  const y = roundHalfToEven((canvas.height - height) / 2);
  return cropPicture(padded, { x, y, width, height }, fill);
}

/** Resizes by Pillow to the size of timm's crop divided by `crop_pct`, crops the middle and normalizes it. */
export const makeTimm = steps.withSettings(['pretrained_cfg'], (call, pictures) => {
  const { settings, dtype } = call;
  const { pretrained_cfg: config } = settings;
  if (config === undefined) rangeError('pretrained_cfg must be given, got undefined');
  const crops = pictures.map((picture) => timmCrop(picture, config));
  /** @type {NumberStep} */
  const rescale = (value) => fround(value / 255);
  const unscaled = {};
  const numbers = numbersOf('pil', unscaled, { dtype, then: [rescale, normalizing(config.mean, config.std)] });
  return { pixel_values: steps.toTensor(call, crops, numbers, crops.map(steps.ownFrame)) };
});

/** The size that a picture is resized to before timm's crop. `large`: the crop's size, divided by `crop_pct`. By the
 * mode `squash` it is `large` itself, by `border` the picture is fitted into it, else the picture covers it.
 * @type {(size: Size, large: Size, mode: string) => Size} */
function timmSize({ width, height }, large, mode) {
  if (mode === 'squash') return large;
  const isFitted = mode === 'border';
  const isSquare = large.width === large.height;
  // A square is covered by the shorter side, which timm truncates rather than rounds.
  if (!isFitted && isSquare) return shortestEdgeSize({ width, height }, large.height);
  const ratios = [height / large.height, width / large.width];
  const shrinking = isFitted ? max(...ratios) : min(...ratios);
  return { width: roundHalfToEven(width / shrinking), height: roundHalfToEven(height / shrinking) };
}
