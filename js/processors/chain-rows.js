/** Rows of classes whose pictures go through a chain of steps, each for itself. */
import { rangeError } from '../arguments/index.js';
import { normalizing, numbersOf } from '../image/index.js';
import { dtypes, newData, tensorOf } from '../tensor/index.js';
import { chain } from './chains.js';
import { sizeOf } from './picture.js';
import * as results from './results.js';
import { exactSize } from './sizes.js';
import * as steps from './steps.js';

/** @import { Call, Made, Make, Outputs, Picture, Row } from './types.js' */

const half = { image_mean: 0.5, image_std: 0.5 };
const imagenet = { image_mean: [0.485, 0.456, 0.406], image_std: [0.229, 0.224, 0.225] };
const clip = {
  image_mean: [0.48145466, 0.4578275, 0.40821073],
  image_std: [0.26862954, 0.26130258, 0.27577711],
};
const on = { do_resize: true, do_rescale: true, rescale_factor: 1 / 255, do_normalize: true };
/** @type {(side: number) => { height: number, width: number }} */
const square = (side) => ({ height: side, width: side });
const [bilinear, bicubic] = [2, 3];
/** @type {readonly ['torchvision']} */
const torchvisionAlone = ['torchvision'];
/** @type {readonly ['pil']} */
const pilAlone = ['pil'];

const plain = chain({ steps: [steps.resize, steps.centerCrop], frames: results.framesByPadSize });
/** LayoutLM: to read text takes a model, which this package lacks. */
const withoutText = results.withSettings(['apply_ocr'], (/** @type {Call} */ { settings }) =>
  settings.apply_ocr ? rangeError('apply_ocr must be false: no text is recognized here') : {},
);
const bytesReversed = results.withSettings([], (/** @type {Call} */ { backend, dtype }) => ({
  ...numbersOf(backend, {}, { dtype, isReversed: true }),
}));

/**
 * The tensor under another name.
 * @type {(make: Make, names: (call: Call) => string) => Make}
 */
const renamed = (make, nameOf) =>
  results.withSettings(make.reads, (call, pictures) => {
    const { pixel_values: values, ...others } = make(call, pictures);
    return { [nameOf(call)]: values, ...others };
  });

/**
 * The images of each sample in a dimension of their own.
 * @type {(make: Make, count?: number) => Make} `count`: how many a sample must have
 */
export const nested = (make, count) =>
  results.withSettings(make.reads, (/** @type {Call} */ call, /** @type {Picture[]} */ pictures) => {
    const { samples } = call;
    const wanted = count ?? samples[0];
    const wrong = samples.findIndex((length) => length !== wanted);
    if (wrong >= 0) rangeError(`images[${wrong}] must hold ${wanted} images, got ${samples[wrong]}`);
    const { pixel_values: values, ...others } = make(call, pictures);
    const { type, data, dims } = values;
    return { pixel_values: tensorOf(dtypes[type], data, [samples.length, wanted, ...dims.slice(1)]), ...others };
  });

/** ViViT: rescaled, less 1 with `offset`, then normalized. */
const vivitNumbers = results.withSettings(
  [...results.usualNumbers.reads, 'offset'],
  (/** @type {Call} */ { backend, dtype, settings }) => {
    const { offset, do_normalize: normalizes, image_mean: mean, image_std: std } = settings;
    const factor = settings.do_rescale ? settings.rescale_factor : undefined;
    const then = [
      ...(offset ? [(/** @type {number} */ value) => value - 1] : []),
      ...(normalizes ? [normalizing(mean, std)] : []),
    ];
    return numbersOf(backend, { factor }, { dtype, then });
  },
);

const constantValues = results.withSettings(
  ['constant_values'],
  (/** @type {Call} */ { settings }) => settings.constant_values ?? 0,
);

/** TVP: rescaled and normalized, in the order blue, green, red where a flag says so. */
const flippedNumbers = results.withSettings(
  [...results.usualNumbers.reads, 'do_flip_channel_order'],
  (/** @type {Call} */ call) =>
    call.settings.do_flip_channel_order ? reversedNumbers(call) : results.usualNumbers(call),
);

/** PP-LCNet and its kin: likewise, always in that order. */
export const reversedNumbers = results.withSettings(results.usualNumbers.reads, (/** @type {Call} */ call) => {
  const { settings } = call;
  const isOn = settings.do_normalize;
  const scaling = {
    factor: settings.do_rescale ? settings.rescale_factor : undefined,
    mean: isOn ? settings.image_mean : undefined,
    std: isOn ? settings.image_std : undefined,
  };
  return numbersOf(call.backend, scaling, { dtype: call.dtype, isReversed: true });
});

const framesIfPadded = results.withSettings(
  ['do_pad'],
  (/** @type {Call} */ call, /** @type {Picture[]} */ pictures) =>
    call.settings.do_pad ? results.batchFrames(pictures) : pictures.map(results.ownFrame),
);

/** Fuyu: the canvas of `size`, where its pixels are bytes of `padding_value`. */
const makeFuyu = results.withSettings(
  [...steps.resizeFuyu.reads, ...results.usualNumbers.reads],
  (/** @type {Call} */ call, /** @type {Picture[]} */ originals) => {
    const { settings } = call;
    const to = exactSize(settings.size);
    const fill = Array(3).fill(Math.trunc(settings.padding_value ?? 0));
    const resized = originals.map((picture) => steps.resizeFuyu(call, picture));
    const padded = resized.map((picture) => (settings.do_pad ? steps.onTopLeft(picture, to, fill) : picture));
    const { type, data, dims } = results.toTensor(padded, results.usualNumbers(call), padded.map(results.ownFrame));
    const sizes = resized.map(sizeOf);
    const count = originals.length;
    const scales = newData(dtypes.float32, count, undefined);
    originals.forEach((picture, i) => (scales[i] = sizes[i].height / sizeOf(picture).height));
    /** @type {(values: number[]) => any} */
    const column = (values) => results.int64([count, 1], values);
    return {
      images: tensorOf(dtypes[type], data, [count, 1, ...dims.slice(1)]),
      image_unpadded_heights: column(sizes.map(({ height }) => height)),
      image_unpadded_widths: column(sizes.map(({ width }) => width)),
      image_scale_factors: tensorOf(dtypes.float32, scales, [count, 1]),
      image_sizes: results.sizesTensor(originals.map(sizeOf)),
    };
  },
);

/** EoMT: windows along the longer side. */
const makeEomt = results.withSettings(
  [...steps.resize.reads, ...results.usualNumbers.reads, 'do_pad', 'do_split_image'],
  (/** @type {Call} */ call, /** @type {Picture[]} */ originals) => {
    const { settings } = call;
    const { shortest_edge: short = 1, longest_edge: long } = settings.size ?? {};
    /** @type {Picture[]} */
    const parts = [];
    /** @type {any[]} */
    const offsets = [];
    originals.forEach((original, image) => {
      const picture = steps.resize(call, original);
      if (!settings.do_split_image) return parts.push(picture);
      const { width, height } = sizeOf(picture);
      const longer = Math.max(width, height);
      const count = Math.ceil(longer / short);
      const over = count > 1 ? (count * short - longer) / (count - 1) : 0;
      for (let k = 0; k < count; k++) {
        const first = Math.trunc(k * (short - over));
        parts.push(steps.windowOf(picture, first, short));
        offsets.push(results.int64([3], [image, first, first + short]));
      }
      return undefined;
    });
    const padded = settings.do_pad
      ? parts.map((part) => {
          const own = sizeOf(part);
          const size = { width: Math.max(own.width, long ?? short), height: Math.max(own.height, short) };
          return steps.onTopLeft(part, size);
        })
      : parts;
    const values = results.toTensor(padded, results.usualNumbers(call), padded.map(results.ownFrame));
    return /** @type {any} */ ({ pixel_values: values, patch_offsets: offsets });
  },
);

/** FLAVA: a second chain for the codebook. */
const makeFlava = results.withSettings(
  [
    ...plain.reads,
    'return_codebook_pixels',
    'return_image_mask',
    ...plain.reads.filter((key) => key !== 'do_convert_rgb').map((key) => `codebook_${key}`),
    'codebook_do_map_pixels',
  ],
  (/** @type {Call} */ call, /** @type {Picture[]} */ pictures) => {
    const { settings } = call;
    if (settings.return_image_mask) rangeError('return_image_mask must be false: masks are random');
    /** @type {Outputs} */
    const outputs = {
      pixel_values: plain({ ...call, settings: { ...settings, do_pad: false } }, pictures).pixel_values,
    };
    if (!settings.return_codebook_pixels) return outputs;
    const own = Object.fromEntries(
      Object.entries(settings).flatMap(([key, value]) => (key.startsWith('codebook_') ? [[key.slice(9), value]] : [])),
    );
    const codebook = chain({ steps: [steps.resize, steps.centerCrop], numbers: codebookNumbers });
    outputs.codebook_pixel_values = codebook({ ...call, settings: own }, pictures).pixel_values;
    return outputs;
  },
);

const codebookNumbers = results.withSettings(
  results.usualNumbers.reads,
  (/** @type {Call} */ { backend, dtype, settings }) => {
    const { do_rescale: rescales, do_normalize: normalizes, do_map_pixels: maps } = settings;
    const { fround } = Math;
    const scaling = {
      factor: rescales ? settings.rescale_factor : undefined,
      mean: normalizes ? settings.image_mean : undefined,
      std: normalizes ? settings.image_std : undefined,
    };
    const then = maps ? [(/** @type {number} */ value) => fround(fround(0.8) * value) + fround(0.1)] : [];
    return numbersOf(backend, scaling, { dtype, then });
  },
);

const paddleDocument = { ...on, image_mean: 0, image_std: 1, resample: bicubic, size: square(800) };
const layoutLike = {
  defaults: { ...paddleDocument },
  make: chain({ steps: [steps.resizePoint], frames: results.framesByPadSize }),
  backends: torchvisionAlone,
};
const tips = {
  defaults: { ...on, do_normalize: false, resample: bilinear, size: square(448), do_convert_rgb: true },
  make: plain,
  backends: torchvisionAlone,
};

/** @type {Record<string, Row>} */
export const chainRows = {
  BridgeTower: {
    defaults: {
      ...on,
      ...clip,
      resample: bicubic,
      size: { shortest_edge: 288 },
      default_to_square: false,
      size_divisor: 32,
      do_center_crop: true,
      crop_size: { shortest_edge: 288 },
      do_pad: true,
    },
    make: chain({
      steps: [steps.resizeBridgeTower, steps.centerCropSquare],
      frames: framesIfPadded,
      extraOutputs: results.pixelMaskIfPadded,
    }),
  },
  DeepseekVL: {
    defaults: { ...on, ...clip, resample: bicubic, size: square(384), min_size: 14, do_pad: true },
    make: chain({ steps: [steps.resizeJanus, steps.padSquareOfFile] }),
  },
  Emu3: {
    defaults: {
      ...on,
      ...clip,
      resample: bicubic,
      do_convert_rgb: true,
      min_pixels: 512 * 512,
      max_pixels: 1024 * 1024,
      spatial_factor: 8,
    },
    make: chain({ steps: [steps.resizeEmu3], frames: results.framesOfBatch, extraOutputs: results.imageSizes }),
    backends: pilAlone,
  },
  Eomt: {
    defaults: {
      ...on,
      ...imagenet,
      resample: bilinear,
      size: { shortest_edge: 640, longest_edge: 640 },
      default_to_square: false,
      do_pad: false,
      do_split_image: false,
    },
    make: makeEomt,
  },
  Flava: {
    defaults: {
      ...on,
      ...clip,
      resample: bicubic,
      size: square(224),
      do_center_crop: true,
      crop_size: square(224),
      return_codebook_pixels: false,
      return_image_mask: false,
      codebook_do_resize: true,
      codebook_size: square(112),
      codebook_resample: 1,
      codebook_do_center_crop: true,
      codebook_crop_size: square(112),
      codebook_do_rescale: true,
      codebook_rescale_factor: 1 / 255,
      codebook_do_map_pixels: true,
      codebook_do_normalize: true,
      codebook_image_mean: 0,
      codebook_image_std: 1,
    },
    make: makeFlava,
  },
  Fuyu: {
    defaults: {
      ...on,
      ...half,
      resample: bilinear,
      size: { height: 1080, width: 1920 },
      do_pad: true,
      padding_value: 1,
    },
    make: makeFuyu,
  },
  Idefics: {
    defaults: { ...on, ...clip, resample: bicubic, size: square(224), do_convert_rgb: true },
    make: plain,
    aliases: { image_size: 'size' },
  },
  LayoutLMv2: {
    defaults: { do_resize: true, resample: bilinear, size: square(224), apply_ocr: true },
    make: chain({ steps: [steps.resize], numbers: bytesReversed, extraOutputs: withoutText }),
  },
  LayoutLMv3: {
    defaults: { ...on, ...half, resample: bilinear, size: square(224), apply_ocr: true },
    make: chain({ steps: [steps.resize, steps.centerCrop], extraOutputs: withoutText }),
  },
  OneFormer: {
    defaults: {
      ...on,
      ...imagenet,
      resample: bilinear,
      size: { shortest_edge: 800, longest_edge: 1333 },
      default_to_square: false,
      do_convert_rgb: true,
    },
    make: chain({
      steps: [steps.resize],
      frames: results.framesOfBatch,
      extraOutputs: results.withSettings([], (/** @type {Call} */ call, /** @type {Made} */ made) => ({
        ...results.pixelMask(call, made),
        .../** @type {any} */ ({ task_inputs: ['the task is panoptic'] }),
      })),
    }),
  },
  PI0: {
    defaults: {
      ...on,
      ...half,
      resample: bicubic,
      size: { max_height: 224, max_width: 224 },
      default_to_square: false,
      do_convert_rgb: true,
      do_pad: true,
      pad_size: square(224),
    },
    make: plain,
    backends: torchvisionAlone,
  },
  PPChart2Table: { defaults: { ...on, ...clip, resample: bicubic, size: square(1024) }, make: plain },
  PPDocLayoutV2: layoutLike,
  PPDocLayoutV3: layoutLike,
  PPFormulaNet: {
    defaults: {
      ...on,
      image_mean: 0.7931,
      image_std: 0.1738,
      resample: bilinear,
      size: square(768),
      do_crop_margin: true,
      do_thumbnail: true,
      do_pad: true,
    },
    make: chain({ steps: [steps.cropMargin, steps.resizeDonut, steps.thumbnailBicubic, steps.padDonut] }),
    backends: torchvisionAlone,
  },
  PPLCNet: {
    defaults: {
      ...on,
      image_mean: [0.406, 0.456, 0.485],
      image_std: [0.225, 0.224, 0.229],
      resample: bilinear,
      size: square(256),
      resize_short: 256,
      size_divisor: 1,
      do_center_crop: true,
      crop_size: square(224),
    },
    make: chain({ steps: [steps.resizeLcnet, steps.centerCrop], numbers: reversedNumbers }),
    backends: torchvisionAlone,
  },
  Sapiens2: {
    defaults: {
      ...on,
      ...imagenet,
      resample: bilinear,
      size: { height: 1024, width: 768 },
      do_center_crop: false,
      crop_size: square(224),
      do_pad: false,
    },
    make: chain({ steps: [steps.resizeSapiens2, steps.centerCrop] }),
    backends: torchvisionAlone,
  },
  Tipsv2: tips,
  Tipsv2Dpt: tips,
  Tvp: {
    defaults: {
      ...on,
      ...half,
      resample: bilinear,
      size: { longest_edge: 448 },
      default_to_square: false,
      do_center_crop: true,
      crop_size: square(448),
      do_pad: true,
      pad_size: square(448),
      constant_values: 0,
      do_flip_channel_order: true,
    },
    make: nested(
      chain({
        steps: [steps.resizeTvp, steps.centerCrop],
        numbers: flippedNumbers,
        frames: results.framesByPadSize,
        border: constantValues,
      }),
    ),
    isNested: true,
  },
  VideoLlava: {
    defaults: {
      ...on,
      ...clip,
      resample: bicubic,
      size: { shortest_edge: 224 },
      default_to_square: false,
      do_center_crop: true,
      crop_size: square(224),
      do_convert_rgb: true,
      return_legacy_image_output: true,
    },
    make: renamed(
      chain({
        steps: [steps.resizeVideoLlava, steps.centerCrop],
        extraOutputs: results.withSettings(['return_legacy_image_output'], () => ({})),
      }),
      ({ settings }) => (settings.return_legacy_image_output ? 'pixel_values_images' : 'pixel_values'),
    ),
    backends: pilAlone,
  },
  Vilt: {
    defaults: {
      ...on,
      ...half,
      resample: bicubic,
      size: { shortest_edge: 384 },
      default_to_square: false,
      size_divisor: 32,
      do_pad: true,
    },
    make: chain({
      steps: [steps.resizeVilt],
      frames: framesIfPadded,
      extraOutputs: results.pixelMaskIfPadded,
    }),
  },
  Vivit: {
    defaults: {
      ...on,
      ...half,
      resample: bilinear,
      rescale_factor: 1 / 127.5,
      size: { shortest_edge: 256 },
      default_to_square: false,
      do_center_crop: true,
      crop_size: square(224),
      offset: true,
    },
    make: nested(chain({ steps: [steps.resize, steps.centerCrop], numbers: vivitNumbers })),
    backends: pilAlone,
    isNested: true,
  },
};
