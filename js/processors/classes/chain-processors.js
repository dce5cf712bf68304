/** Numbers, frames and outputs that only one class of chains has. */
import { rangeError } from '../../arguments/index.js';
import { normalizing, numbersOf } from '../../image/internal.js';
import { dtypes, newData, tensorOf } from '../../tensor/index.js';
import * as steps from '../steps/index.js';
import { exactSize, onTopLeft, sizeOf, windowOf } from '../pictures/index.js';

/** @import { Tensor } from '../../tensor/index.js' */
/** @import { Call, Make, Outputs, Picture, Size } from '../types.js' */

/** ViT's chain. */
export const plain = steps.chain({ steps: [steps.resize, steps.centerCrop], frames: steps.framesByPadSize });

/** Resizes pictures and pads them to the largest, as Apertus 1.5 does. A patch is a square of `spatial_factor`. */
export const makeApertus = steps.counting(
  steps.chain({ steps: [steps.resizeApertus], frames: steps.framesByBatch, extraOutputs: steps.imageSizes }),
  (call, picture) => {
    const { width, height } = steps.resizeApertus.sizeFor(call, sizeOf(picture));
    const { spatial_factor: factor } = call.settings;
    return Math.floor(height / factor) * Math.floor(width / factor);
  },
);

/** Refuses LayoutLM's `apply_ocr`: to read text takes a model, which this package lacks. */
export const withoutText = steps.withSettings(['apply_ocr'], ({ settings }) =>
  settings.apply_ocr ? rangeError('apply_ocr must be false: no text is recognized here') : {},
);
export const bytesReversed = steps.withSettings([], ({ backend, dtype }) => ({
  ...numbersOf(backend, {}, { dtype, isReversed: true }),
}));

/** Makes a class that gives the output `pixel_values` of another class under another name, which `nameOf` chooses by
 * the call's settings. The caller's `out`, which is for `pixel_values`, is not used.
 * @type {(make: Make, nameOf: (call: Call) => string) => Make} */
export const renamed = (make, nameOf) =>
  steps.withSettings(make.reads, (call, pictures) => {
    const { pixel_values: values, ...others } = make(steps.inOwnMemory(call), pictures);
    return { [nameOf(call)]: values, ...others };
  });

/** Makes a class whose `pixel_values` have the dims [samples, images, 3, H, W], not [N, 3, H, W] as those of `make`.
 * Samples have to have the same number of images.
 * @type {(make: Make) => Make} */
export const nested = (make) =>
  steps.withSettings(make.reads, (call, pictures) => {
    const { samples } = call;
    const [wanted] = samples;
    const wrong = samples.findIndex((length) => length !== wanted);
    if (wrong >= 0) rangeError(`images[${wrong}] must hold ${wanted} images, got ${samples[wrong]}`);
    // Images lie sample by sample, so only the dims change.
    return make({ ...call, reshape: ([, ...dims]) => [samples.length, wanted, ...dims] }, pictures);
  });

/** Numbers that are rescaled, less 1 with `offset`, then normalized, as ViViT has them. */
export const vivitNumbers = steps.withSettings([...steps.usualNumbers.reads, 'offset'], (call) => {
  const { factor, mean } = steps.scalingOf(call);
  const then = [
    ...(call.settings.offset ? [(/** @type {number} */ value) => value - 1] : []),
    ...(mean === undefined ? [] : [normalizing(mean, call.settings.image_std)]),
  ];
  return numbersOf(call.backend, { factor }, { dtype: call.dtype, then });
});

export const constantValues = steps.withSettings(['constant_values'], ({ settings }) => settings.constant_values ?? 0);

/** Numbers that are rescaled and normalized, in the order blue, green, red with `do_flip_channel_order`, as TVP has
 * them. */
export const flippedNumbers = steps.withSettings([...steps.usualNumbers.reads, 'do_flip_channel_order'], (call) =>
  call.settings.do_flip_channel_order ? steps.reversedNumbers(call) : steps.usualNumbers(call),
);

/** Lays a picture at the top left of Fuyu's canvas of the size `to`, in the color `fill`. A picture that does not fit
 * is refused, but with PIL one that is as large or larger along both sides stays as it is, as in Python.
 * @type {(call: Call, picture: Picture, to: Size, fill: readonly number[]) => Picture} */
function onFuyuCanvas({ backend }, picture, to, fill) {
  const pictureSize = sizeOf(picture);
  if (pictureSize.width <= to.width && pictureSize.height <= to.height) return onTopLeft(picture, to, fill);
  if (backend === 'pil' && pictureSize.width >= to.width && pictureSize.height >= to.height) return picture;
  return rangeError(
    `size must be at least ${pictureSize.width} x ${pictureSize.height}, got ${to.width} x ${to.height}`,
  );
}

/** Stacks pictures at the top left of canvases of `size`, whose other pixels are bytes of `padding_value`, as Fuyu
 * does. */
export const makeFuyu = steps.withSettings(
  [...steps.resizeFuyu.reads, ...steps.usualNumbers.reads],
  (call, originals) => {
    const { settings } = call;
    const fill = Array(3).fill(Math.trunc(settings.padding_value ?? 0));
    const resized = originals.map((picture) => steps.resizeFuyu(call, picture));
    const padded = resized.map((picture) =>
      settings.do_pad ? onFuyuCanvas(call, picture, exactSize(settings.size), fill) : picture,
    );
    /** @type {Call['reshape']} */
    const reshape = ([, ...dims]) => [originals.length, 1, ...dims];
    const images = steps.stack({ ...steps.inOwnMemory(call), reshape }, padded);
    const sizes = resized.map(sizeOf);
    const count = originals.length;
    const scales = newData(dtypes.float32, count, undefined);
    originals.forEach((picture, i) => (scales[i] = sizes[i].height / sizeOf(picture).height));
    /** @type {(values: number[]) => Tensor} */
    const column = (values) => steps.int64(values, [count, 1]);
    return {
      images,
      image_unpadded_heights: column(sizes.map(({ height }) => height)),
      image_unpadded_widths: column(sizes.map(({ width }) => width)),
      image_scale_factors: tensorOf(dtypes.float32, scales, [count, 1]),
      image_sizes: steps.sizesTensor(originals.map(sizeOf)),
    };
  },
);

/** Stacks windows along the longer side of each picture, as EoMT does, and gives the image, the start and the end of
 * each. */
export const makeEomt = steps.withSettings(
  [...steps.resize.reads, ...steps.usualNumbers.reads, 'do_pad', 'do_split_image'],
  (call, originals) => {
    const { settings } = call;
    const { shortest_edge: short = 1, longest_edge: long } = settings.size ?? {};
    /** @type {Picture[]} */
    const windows = [];
    /** @type {Tensor[]} */
    const offsets = [];
    originals.forEach((original, image) => {
      const picture = steps.resize(call, original);
      if (!settings.do_split_image) return windows.push(picture);
      const { width, height } = sizeOf(picture);
      const longer = Math.max(width, height);
      const count = Math.ceil(longer / short);
      const over = count > 1 ? (count * short - longer) / (count - 1) : 0;
      for (let k = 0; k < count; k++) {
        const first = Math.trunc(k * (short - over));
        windows.push(windowOf(picture, first, short));
        offsets.push(steps.int64([image, first, first + short]));
      }
      return undefined;
    });
    const padded = settings.do_pad
      ? windows.map((part) => {
          const windowSize = sizeOf(part);
          const size = { width: Math.max(windowSize.width, long ?? short), height: Math.max(windowSize.height, short) };
          return onTopLeft(part, size);
        })
      : windows;
    const values = steps.stack(call, padded);
    return { pixel_values: values, patch_offsets: offsets };
  },
);

/** Makes FLAVA's pixels and, with `return_codebook_pixels`, those of a second chain with settings of its own for the
 * codebook. */
export const makeFlava = steps.withSettings(
  [
    ...plain.reads,
    'return_codebook_pixels',
    'return_image_mask',
    ...plain.reads.filter((key) => key !== 'do_convert_rgb').map((key) => `codebook_${key}`),
    'codebook_do_map_pixels',
  ],
  (call, pictures) => {
    const { settings } = call;
    if (settings.return_image_mask) rangeError('return_image_mask must be false: masks are random');
    /** @type {Outputs} */
    const outputs = {
      pixel_values: plain({ ...call, settings: { ...settings, do_pad: false } }, pictures).pixel_values,
    };
    if (!settings.return_codebook_pixels) return outputs;
    const codebookSettings = Object.fromEntries(
      Object.entries(settings).flatMap(([key, value]) => (key.startsWith('codebook_') ? [[key.slice(9), value]] : [])),
    );
    const codebook = steps.chain({ steps: [steps.resize, steps.centerCrop], numbers: codebookNumbers });
    outputs.codebook_pixel_values = codebook(
      { ...steps.inOwnMemory(call), settings: codebookSettings },
      pictures,
    ).pixel_values;
    return outputs;
  },
);

/** Numbers of FLAVA's codebook: with `do_map_pixels` 0.8 x + 0.1, which keeps them off 0 and 1. */
const codebookNumbers = steps.withSettings(steps.usualNumbers.reads, (call) => {
  const { backend, dtype, settings } = call;
  const { fround } = Math;
  const mapped = (/** @type {number} */ value) => fround(fround(0.8) * value) + fround(0.1);
  return numbersOf(backend, steps.scalingOf(call), { dtype, then: settings.do_map_pixels ? [mapped] : [] });
});
