/** Numbers, frames and outputs that only one class of chains has. */
import { rangeError } from '../../arguments/index.js';
import { normalizing, numbersOf } from '../../image/internal.js';
import * as steps from '../steps/index.js';
import { exactSize, onTopLeft, sizeOf, windowOf } from '../pictures/index.js';

/** @import { Tensor } from '../../tensor/index.js' */
/** @import { NumberStep } from '../../image/types.js' */
/** @import { Call, Make, Outputs, Picture, Settings, Size } from '../types.js' */

/** Resizes, crops the middle and pads, each where its flag is on, as ViT does. Pictures are padded to `pad_size` or,
 * without that setting, to the largest width and the largest height. */
export const plain = steps.chain({ steps: [steps.resize, steps.centerCrop], frames: steps.framesByPadSize });

/** Resizes pictures and pads them to the largest width and the largest height, as Apertus 1.5 does. It counts patches,
 * squares of `spatial_factor` pixels a side. */
export const makeApertus = steps.withPatchCount(
  steps.chain({ steps: [steps.resizeApertus], frames: steps.framesByBatch, extraOutputs: steps.imageSizes }),
  (call, picture) => {
    const { width, height } = steps.resizeApertus.sizeFor(call, sizeOf(picture));
    const { spatial_factor: patch } = call.settings;
    return Math.floor(height / patch) * Math.floor(width / patch);
  },
);

/** Refuses LayoutLM's `apply_ocr`, for to read text takes a model, which this package lacks; adds no outputs. */
export const withoutText = steps.withSettings(['apply_ocr'], ({ settings }) =>
  settings.apply_ocr ? rangeError('apply_ocr must be false: no text is recognized here') : {},
);

/** Bytes as they are, in the order blue, green, red, as LayoutLMv2 has them. */
export const bytesReversed = steps.withSettings([], ({ backend, dtype }) => {
  const unscaled = {};
  return numbersOf(backend, unscaled, { dtype, isReversed: true });
});

/** Makes a class that gives the output `pixel_values` of another class under another name, which `nameOf` chooses by
 * the call's settings. The caller's `out`, which is for `pixel_values`, is not used.
 * @type {(make: Make, nameOf: (call: Call) => string) => Make} */
export const renamed = (make, nameOf) =>
  steps.withSettings(make.reads, (call, pictures) => {
    const { pixel_values: values, ...others } = make(steps.withoutOut(call), pictures);
    return { [nameOf(call)]: values, ...others };
  });

/** Makes a class that stacks the pictures of `make`, [N, 3, H, W], as [samples, images, 3, H, W]. Samples have to have
 * the same number of images.
 * @type {(make: Make) => Make} */
export const nested = (make) =>
  steps.withSettings(make.reads, (call, pictures) => {
    const { samples: imageCounts } = call;
    const [firstCount] = imageCounts;
    const other = imageCounts.findIndex((count) => count !== firstCount);
    if (other >= 0) rangeError(`images[${other}] must hold ${firstCount} images, got ${imageCounts[other]}`);
    // Images lie sample by sample, so only the dims change.
    /** @type {Call['reshape']} */
    const reshape = ([, ...pictureDims]) => [imageCounts.length, firstCount, ...pictureDims];
    return make({ ...call, reshape }, pictures);
  });

/** Numbers that are rescaled, less 1 with `offset`, then normalized, as ViViT has them. */
export const vivitNumbers = steps.withSettings([...steps.usualNumbers.reads, 'offset'], (call) => {
  const { offset: hasOffset, image_std: std } = call.settings;
  const { factor, mean } = steps.scalingOf(call);
  /** @type {NumberStep[]} */
  const then = [];
  if (hasOffset) then.push((value) => value - 1);
  if (mean !== undefined) then.push(normalizing(mean, std));
  return numbersOf(call.backend, { factor }, { dtype: call.dtype, then });
});

/** The number around padded pictures, as TVP has it. */
export const constantValues = steps.withSettings(['constant_values'], ({ settings }) => settings.constant_values ?? 0);

/** Numbers that are rescaled and normalized, in the order blue, green, red with `do_flip_channel_order`, as TVP has
 * them. */
export const tvpNumbers = steps.withSettings([...steps.usualNumbers.reads, 'do_flip_channel_order'], (call) =>
  call.settings.do_flip_channel_order ? steps.reversedNumbers(call) : steps.usualNumbers(call),
);

/** Lays a picture at the top left of Fuyu's canvas, which has the color `fill`. Refuses a picture that does not fit,
 * but with PIL one that is at least as large as the canvas along both sides stays as it is, as in Python.
 * @type {(call: Call, picture: Picture, canvas: Size, fill: readonly number[]) => Picture} */
function onFuyuCanvas({ backend }, picture, canvas, fill) {
  const { width, height } = sizeOf(picture);
  const fits = width <= canvas.width && height <= canvas.height;
  if (fits) return onTopLeft(picture, canvas, fill);
  const coversCanvas = width >= canvas.width && height >= canvas.height;
  if (backend === 'pil' && coversCanvas) return picture;
  return rangeError(`size must be at least ${width} x ${height}, got ${canvas.width} x ${canvas.height}`);
}

/** Stacks pictures [pictures, 1, 3, H, W] at the top left of canvases of `size`, whose other pixels are bytes of
 * `padding_value`, as Fuyu does. Gives the sizes of the resized pictures and of the originals, in pixels, too. */
export const makeFuyu = steps.withSettings(
  [...steps.resizeFuyu.reads, ...steps.usualNumbers.reads],
  (call, originals) => {
    const { settings } = call;
    const paddingByte = Math.trunc(settings.padding_value ?? 0);
    const fill = [paddingByte, paddingByte, paddingByte];
    const resized = originals.map((picture) => steps.resizeFuyu(call, picture));
    const padded = resized.map((picture) =>
      settings.do_pad ? onFuyuCanvas(call, picture, exactSize(settings.size), fill) : picture,
    );
    const count = originals.length;
    // Each picture is a sample of one image.
    /** @type {Call['reshape']} */
    const reshape = ([, ...pictureDims]) => [count, 1, ...pictureDims];
    const images = steps.stack({ ...steps.withoutOut(call), reshape }, padded);
    const sizes = resized.map(sizeOf);
    const originalSizes = originals.map(sizeOf);
    const heights = sizes.map(({ height }) => height);
    const widths = sizes.map(({ width }) => width);
    const scaleFactors = heights.map((height, i) => height / originalSizes[i].height);
    return {
      images,
      image_unpadded_heights: steps.int64(heights, [count, 1]),
      image_unpadded_widths: steps.int64(widths, [count, 1]),
      image_scale_factors: steps.float32(scaleFactors, [count, 1]),
      image_sizes: steps.sizesTensor(originalSizes),
    };
  },
);

/** Where EoMT's windows begin along a picture's longer side of `longer` pixels: as few windows of `windowLength` pixels
 * as cover it, at even steps, overlapping where they are together longer than the side.
 * @type {(longer: number, windowLength: number) => number[]} */
function windowStarts(longer, windowLength) {
  const count = Math.ceil(longer / windowLength);
  const overlap = count > 1 ? (count * windowLength - longer) / (count - 1) : 0;
  return Array.from({ length: count }, (_, i) => Math.trunc(i * (windowLength - overlap)));
}

/** Pads a window of EoMT on the right and at the bottom to the size of the setting `size` at least: `shortest_edge`
 * pixels high and `longest_edge` wide, as in Python.
 * @type {(picture: Picture, least: Size) => Picture} */
function paddedWindow(picture, least) {
  const { width, height } = sizeOf(picture);
  return onTopLeft(picture, { width: Math.max(width, least.width), height: Math.max(height, least.height) });
}

/** Stacks windows along the longer side of each picture, if `do_split_image` is on, as EoMT does. `patch_offsets` are
 * for each window the index of its image, and its start and end in pixels. */
export const makeEomt = steps.withSettings(
  [...steps.resize.reads, ...steps.usualNumbers.reads, 'do_pad', 'do_split_image'],
  (call, originals) => {
    const { settings } = call;
    const { shortest_edge: windowLength = 1, longest_edge: padWidth = windowLength } = settings.size ?? {};
    /** @type {Picture[]} */
    const windows = [];
    /** @type {Tensor[]} */
    const offsets = [];
    originals.forEach((original, image) => {
      const picture = steps.resize(call, original);
      if (!settings.do_split_image) {
        windows.push(picture);
        return;
      }
      const { width, height } = sizeOf(picture);
      for (const start of windowStarts(Math.max(width, height), windowLength)) {
        windows.push(windowOf(picture, start, windowLength));
        offsets.push(steps.int64([image, start, start + windowLength]));
      }
    });
    const least = { width: padWidth, height: windowLength };
    const padded = settings.do_pad ? windows.map((picture) => paddedWindow(picture, least)) : windows;
    return { pixel_values: steps.stack(call, padded), patch_offsets: offsets };
  },
);

/** FLAVA's settings for its codebook begin with this. */
const codebookPrefix = 'codebook_';

/** FLAVA's settings that begin with `codebook_`, by their names without that.
 * @type {(settings: Settings) => Settings} */
function codebookSettings(settings) {
  const entries = Object.entries(settings).filter(([key]) => key.startsWith(codebookPrefix));
  return Object.fromEntries(entries.map(([key, value]) => [key.slice(codebookPrefix.length), value]));
}

/** The numbers of FLAVA's codebook: with `do_map_pixels` 0.8 x + 0.1 in float32, which keeps them off 0 and 1. */
const codebookNumbers = steps.withSettings(steps.usualNumbers.reads, (call) => {
  const { backend, dtype, settings } = call;
  const { fround } = Math;
  const [factor, offset] = [fround(0.8), fround(0.1)];
  /** @type {NumberStep} */
  const mapPixel = (value) => fround(factor * value) + offset;
  return numbersOf(backend, steps.scalingOf(call), { dtype, then: settings.do_map_pixels ? [mapPixel] : [] });
});

/** The chain of FLAVA's codebook, whose pixels are read by a model that makes tokens of them. */
const codebook = steps.chain({ steps: [steps.resize, steps.centerCrop], numbers: codebookNumbers });

/** The settings of the codebook's chain. Colors are converted by the flag of the other pixels. */
const codebookKeys = plain.reads.filter((key) => key !== 'do_convert_rgb').map((key) => codebookPrefix + key);

/** Makes FLAVA's pixels and, with `return_codebook_pixels`, those of a second chain with settings of its own for the
 * codebook. */
export const makeFlava = steps.withSettings(
  [...plain.reads, 'return_codebook_pixels', 'return_image_mask', ...codebookKeys, 'codebook_do_map_pixels'],
  (call, pictures) => {
    const { settings } = call;
    if (settings.return_image_mask) rangeError('return_image_mask must be false: masks are random');
    // FLAVA never pads, but the plain chain would.
    const unpaddedCall = { ...call, settings: { ...settings, do_pad: false } };
    /** @type {Outputs} */
    const outputs = { pixel_values: plain(unpaddedCall, pictures).pixel_values };
    if (settings.return_codebook_pixels) {
      const codebookCall = { ...steps.withoutOut(call), settings: codebookSettings(settings) };
      outputs.codebook_pixel_values = codebook(codebookCall, pictures).pixel_values;
    }
    return outputs;
  },
);
