/** Processors whose tiles are windows or slices of a size of their own. */
import { bytesOf, largest, rangeError } from '../../arguments/index.js';
import { move, planFor } from '../../engines/tensors/index.js';
import { normalizing, numbersOf, roundHalfToEven } from '../../image/internal.js';
import { decode, dtypes, encode, newData, tensorOf } from '../../tensor/index.js';
import { chunkGrid, minicpmGrid } from './grids.js';
import {
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
  writePicture,
} from '../pictures/index.js';
import * as steps from '../steps/index.js';
import { tilesOf } from './tiles.js';

/** @import { Box } from '../../engines/tensors/types.js' */
/** @import { Call, ClassOutputs, Make, Mean, Picture, Settings, Size } from '../types.js' */

/** @typedef {{ rows: number, columns: number }} Windows */

const { floor, fround, max, min, sqrt, trunc } = Math;

/** Stacks a small copy of each picture and its windows, as Step3 does. The last rows and columns of windows stay only
 * if they are over a fifth of a window. */
const makeStep3Tiles = steps.withSettings(
  ['resample', 'size', 'default_to_square', ...steps.usualNumbers.reads, 'max_image_size', 'patch_size'],
  (call, pictures) => {
    const { settings } = call;
    const { patch_size: patch, max_image_size: longest } = settings;
    const { height: side } = exactSize(settings.size);
    /** @type {Picture[]} */
    const thumbnails = [];
    /** @type {Picture[][]} */
    const local = [];
    /** @type {boolean[][]} */
    const newlines = [];
    for (const source of pictures) {
      const picture = step3Square(source);
      const size = step3Size(sizeOf(picture), longest);
      thumbnails.push(steps.resizeTo(call, steps.resizeTo(call, picture, size), square(side)));
      const { window, large, rows, columns } = step3Windows(settings, size, side);
      const tiles = window === 0 ? [] : tilesOf(rendered(steps.resizeTo(call, picture, large)), window);
      local.push(tiles.map((tile) => steps.resizeTo(call, tile, square(patch))));
      newlines.push(tiles.map((_, i) => i % columns === columns - 1 && floor(i / columns) < rows - 1));
    }
    const counts = local.map(({ length }) => length);
    /** @type {ClassOutputs} */
    const outputs = { pixel_values: steps.stack(call, thumbnails), num_local_patches: steps.int64(counts) };
    if (largest(counts) > 0) {
      outputs.pixel_values_local = steps.stack(steps.inOwnMemory(call), local.flat());
      const maxCount = largest(counts);
      outputs.patch_newline_masks = newlines.map((row) => [...row, ...Array(maxCount - row.length).fill(false)]);
    }
    return outputs;
  },
);

export const makeStep3 = steps.counting(makeStep3Tiles, ({ settings }, picture) => {
  const size = step3Size(sizeOf(step3Square(picture)), settings.max_image_size);
  const { rows, columns } = step3Windows(settings, size, exactSize(settings.size).height);
  return rows * columns;
});

/** How Step3 cuts a picture into square windows: their side `window` in pixels, the size `large` that the picture is
 * resized to before, and the rows and columns of windows. `window`, `rows` and `columns` are 0 where it is not cut.
 * `size`: of the picture; `side`: of the thumbnail
 * @type {(settings: Settings, size: Size, side: number) => { window: number, large: Size } & Windows} */
function step3Windows(settings, size, side) {
  const window = windowSide(size, side, settings.patch_size);
  // A patch_size that is null is NaN here.
  if (window !== 0 && Number.isNaN(settings.patch_size))
    rangeError('patch_size must be given for a picture that is cut into windows, got null');
  const large = { width: windowed(size.width, window), height: windowed(size.height, window) };
  const [columns, rows] = [large.width, large.height].map((extent) => (window ? max(1, floor(extent / window)) : 0));
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

/** The side in pixels of the square windows that Step3 cuts a picture into; 0 if it is not cut. A picture with sides of
 * up to `side` pixels is cut only if it is longer than 3:2, into windows of its shorter side. A larger one is cut into
 * windows of `window` pixels or, if it is longer than 4:1, of its shorter side where that is less.
 * @type {(size: Size, side: number, window: number) => number} */
function windowSide({ width, height }, side, window) {
  const [short, long] = [min(width, height), max(width, height)];
  if (long <= side) return long / short > 1.5 ? short : 0;
  return long / short > 4 ? min(short, window) : window;
}

/** The length in pixels of a side before it is cut: a multiple of `window`, rounded up where the rest is over a fifth
 * of a window, else down. A side that is shorter than a window, or is not cut (`window` 0), keeps its length.
 * @type {(extent: number, window: number) => number} */
function windowed(extent, window) {
  if (window === 0 || extent < window) return extent;
  return window * (floor(extent / window) + Number(extent % window > 0.2 * window));
}

/** Makes MiniCPM-V: the whole of each picture and its slices, as rows of patches that lie side by side, [1, 3, patch,
 * total], where `total` are the columns of pixels of all rows. `upsizes`: whether small pictures without slices are
 * enlarged
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
      const total = sizes.reduce((sum, { width, height }) => sum + (width * height) / patch, 0);
      const tensor = steps.pixelTensor(call, numbers.dtype, [1, 3, patch, total]);
      // Columns that are written so far.
      let done = 0;
      slices.forEach((part, i) => {
        const { width, height } = sizes[i];
        steps.reportNumbers(part, numbers);
        const planes = bytesOf(newData(numbers.dtype, 3 * width * height, undefined));
        writePicture(part, numbers, { x: 0, y: 0, width, height }, true, planes);
        const plan = planFor(sideBySide, numbers.dtype.bits, [width, height], [patch, total]);
        move(plan, [planes], [bytesOf(tensor.data).subarray((done * numbers.dtype.bits) / 8)]);
        done += (width * height) / patch;
      });
      const targets = newData(dtypes.int32, 2 * slices.length, undefined);
      sizes.forEach(({ width, height }, i) => targets.set([height / patch, width / patch], 2 * i));
      return {
        pixel_values: tensor,
        target_sizes: tensorOf(dtypes.int32, targets, [slices.length, 2]),
        grids: sliced.map(({ grid }) => grid),
        num_patches_per_image: sliced.map((entry) => entry.slices.length),
      };
    },
  );

/** The box that copies planes [3, height, width] into [3, patch, total]: the picture is cut into rows of patches, bands
 * of `patch` pixels in height, which are laid side by side. `total`: the columns of the destination
 * @type {(a: readonly number[], b: readonly number[]) => Box[]} */
export const sideBySide = ([width, height], [patch, total]) => [
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
  const { width, height } = sizeOf(picture);
  const grid = settings.slice_mode ? minicpmGrid({ width, height }, maxSlices, resolution) : undefined;
  const isScaled = width * height > resolution ** 2 || (!grid && upsizes);
  const thumbnail = steps.resizeTo(call, picture, sliceSize(width, height, resolution, isScaled, unit));
  if (!grid) return { slices: [thumbnail], grid: [0, 0] };
  const [rows, columns] = grid;
  /** The side of one of `count` equal slices, after the picture's is rounded; at least a pixel.
   * @type {(extent: number, count: number) => number} */
  const part = (extent, count) => max(roundHalfToEven(extent / count) * count, count) / count;
  const slice = sliceSize(part(width, columns), part(height, rows), resolution, true, unit);
  const large = { width: slice.width * columns, height: slice.height * rows };
  return {
    slices: [thumbnail, ...tilesOf(rendered(steps.resizeTo(call, picture, large)), slice.width, slice.height)],
    grid,
  };
}

/** The size of a slice of `width` x `height` pixels: with sides rounded to multiples of `unit`, at least one, and with
 * `isScaled` first scaled in its ratio to as many pixels as a square of `resolution` pixels a side has.
 * @type {(width: number, height: number, resolution: number, isScaled: boolean, unit: number) => Size} */
function sliceSize(width, height, resolution, isScaled, unit) {
  let [w, h] = [width, height];
  if (isScaled) {
    const ratio = width / height;
    h = trunc(resolution / sqrt(ratio));
    w = trunc(h * ratio);
  }
  /** @type {(side: number) => number} */
  const rounded = (side) => max(roundHalfToEven(side / unit) * unit, unit);
  return { width: rounded(w), height: rounded(h) };
}

/** Rounds to the nearest bfloat16, ties to even. @type {(number: number) => number} */
const bfloat16 = (number) =>
  Number(decode(dtypes.bfloat16, Uint16Array.of(Number(encode(dtypes.bfloat16, number))), 0));

/** Numbers of which each operation is rounded to bfloat16, as Llama 4 has them. */
const llama4Numbers = steps.withSettings(steps.usualNumbers.reads, (call) => {
  const { backend, dtype, settings } = call;
  const { do_rescale: rescales, do_normalize: normalizes, rescale_factor: factor } = settings;
  if (!rescales || !normalizes) return steps.usualNumbers(call);
  /** @type {(value: Mean, channel: number) => number} */
  const entry = (value, channel) => bfloat16(fround(typeof value === 'number' ? value : value[channel]));
  const then = [
    (/** @type {number} */ value) => bfloat16(fround(value * fround(factor))),
    (/** @type {number} */ value, /** @type {number} */ c) => bfloat16(fround(value - entry(settings.image_mean, c))),
    (/** @type {number} */ value, /** @type {number} */ c) => bfloat16(fround(value / entry(settings.image_std, c))),
  ];
  return numbersOf(backend, {}, { dtype: dtype ?? dtypes.bfloat16, then });
});

/** Stacks the tiles of each picture's canvas and, if there are several, the whole picture after them, as Llama 4 does.
 */
export const makeLlama4 = steps.withSettings(
  [...steps.resize.reads, ...steps.usualNumbers.reads, 'max_patches', 'resize_to_max_canvas'],
  (call, pictures) => {
    const { settings } = call;
    const { max_patches: maxChunks, resize_to_max_canvas: isGreatest } = settings;
    const side = squareSide(settings.size);
    steps.needs(call, 'do_resize');
    const grids = pictures.map((picture) => chunkGrid(sizeOf(picture), side, maxChunks, isGreatest));
    const tiles = pictures.flatMap((picture, i) => {
      const canvas = { width: grids[i].columns * side, height: grids[i].rows * side };
      const size = chunkedSize(sizeOf(picture), canvas, side, isGreatest);
      const cut = tilesOf(rendered(onTopLeft(steps.resizeTo(call, picture, size), canvas)), side);
      return cut.length > 1 ? [...cut, steps.resize(call, picture)] : cut;
    });
    return {
      pixel_values: steps.stack(call, tiles, llama4Numbers),
      aspect_ratios: steps.int64(grids.map(({ rows, columns }) => [rows, columns])),
    };
  },
);

/** Resizes by Pillow to the size of timm's crop divided by `crop_pct`, crops the middle and normalizes it. */
export const makeTimm = steps.withSettings(['pretrained_cfg'], (call, pictures) => {
  const { settings, dtype } = call;
  const { pretrained_cfg: config } = settings;
  if (config === undefined) rangeError('pretrained_cfg must be given, got undefined');
  const { width, height, filter, mean, std, share, mode } = config;
  const large = { width: floor(width / share), height: floor(height / share) };
  const by = /** @type {const} */ ({ backend: 'pil' });
  const fill = mode === 'border' ? mean.map((/** @type {number} */ value) => roundHalfToEven(255 * value)) : undefined;
  const tiles = pictures.map((picture) => {
    const resized = resizePicture(picture, timmSize(sizeOf(picture), large, mode), { ...by, filter });
    const size = sizeOf(resized);
    const canvas = { width: max(size.width, width), height: max(size.height, height) };
    const [left, top] = [floor((canvas.width - size.width) / 2), floor((canvas.height - size.height) / 2)];
    const padded = cropPicture(resized, { x: -left, y: -top, ...canvas }, fill);
    const [x, y] = [roundHalfToEven((canvas.width - width) / 2), roundHalfToEven((canvas.height - height) / 2)];
    return cropPicture(padded, { x, y, width, height }, fill);
  });
  const then = [(/** @type {number} */ value) => fround(value / 255), normalizing(mean, std)];
  const numbers = numbersOf('pil', {}, { dtype, then });
  return { pixel_values: steps.toTensor(call, tiles, numbers, tiles.map(steps.ownFrame)) };
});

/** The size that a picture is resized to before timm's crop. `large`: the crop's size, divided by `crop_pct`. By the
 * mode `squash` it is `large` itself, by `border` the picture is fitted into it, else the picture covers it.
 * @type {(size: Size, large: Size, mode: string) => Size} */
function timmSize({ width, height }, large, mode) {
  if (mode === 'squash') return large;
  // A square is covered by the shorter side, which timm truncates rather than rounds.
  if (mode === 'border' || large.width !== large.height) {
    const ratios = [height / large.height, width / large.width];
    const scale = mode === 'border' ? max(...ratios) : min(...ratios);
    return { width: roundHalfToEven(width / scale), height: roundHalfToEven(height / scale) };
  }
  return shortestEdgeSize({ width, height }, large.height);
}
