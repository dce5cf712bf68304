/** Rows of classes whose pictures go through a chain of steps, each for itself. */
import {
  bicubic,
  bilinear,
  canvasSize,
  clip,
  clipLike,
  cropped,
  deepseekVl,
  detrPictures,
  half,
  imagenet,
  on,
  padColor,
  paddleDocument,
  paddleText,
  pilAlone,
  rescaled,
  shorter,
  square,
  torchvisionAlone,
} from './defaults.js';
import {
  bytesReversed,
  constantValues,
  makeApertus,
  makeEomt,
  makeFlava,
  makeFuyu,
  nested,
  plain,
  renamed,
  tvpNumbers,
  vivitNumbers,
  withoutText,
} from './chain-processors.js';
import * as steps from '../steps/index.js';
import { clusters, makeImageGpt, makeSegGpt } from './palettes.js';
import { withBoxes } from './crops.js';
import { boxes, makeVitPose } from './poses.js';
import { count, number } from '../settings/index.js';

/** @import { Row } from '../types.js' */

const layoutLike = {
  defaults: paddleDocument,
  make: steps.chain({ steps: [steps.resizePoint, steps.centerCrop], frames: steps.framesByPadSize }),
  backends: torchvisionAlone,
};
const pairs = {
  defaults: {
    do_resize: true,
    ...rescaled,
    resample: bilinear,
    size: { height: 480, width: 640 },
    default_to_square: false,
    do_grayscale: true,
  },
  make: steps.makePairs,
  isNested: true,
};
const tips = {
  defaults: { ...on, do_normalize: false, resample: bilinear, size: square(448), do_convert_rgb: true },
  make: plain,
  backends: torchvisionAlone,
};

/** @type {Record<string, Row>} */
export const chainRows = {
  Apertus1p5: {
    defaults: {
      ...on,
      ...half,
      resample: bicubic,
      do_convert_rgb: true,
      do_pad: true,
      size: { min_pixels: 128 * 128, max_pixels: 1400 * 1400 },
      spatial_factor: 16,
    },
    make: makeApertus,
    backends: torchvisionAlone,
  },
  BridgeTower: {
    defaults: {
      ...on,
      ...clip,
      resample: bicubic,
      ...shorter(288),
      size_divisor: 32,
      do_center_crop: true,
      crop_size: { shortest_edge: 288 },
      do_pad: true,
    },
    make: steps.chain({
      steps: [steps.resizeBridgeTower, steps.centerCropSquare],
      frames: steps.framesByBatch,
      extraOutputs: steps.pixelMaskIfPadded,
    }),
  },
  DeepseekVL: {
    defaults: deepseekVl,
    make: steps.chain({ steps: [steps.resizeJanus, steps.padSquareOfFile] }),
    flags: padColor,
  },
  EfficientLoFTR: pairs,
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
    fileOnly: ['spatial_factor', 'min_pixels', 'max_pixels'],
    nullIsDefault: ['image_mean', 'image_std'],
    make: steps.chain({ steps: [steps.resizeEmu3], frames: steps.framesOfBatch, extraOutputs: steps.imageSizes }),
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
      ...cropped(224),
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
    nulls: { both: { codebook_resample: 'bilinear' } },
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
    nulls: { torchvision: { padding_value: 0 } },
    flags: canvasSize,
  },
  Idefics: {
    defaults: { ...on, ...clip, resample: bicubic, size: square(224), do_convert_rgb: true },
    make: plain,
    nullIsDefault: ['size', 'default_to_square'],
    aliases: { image_size: 'size' },
  },
  ImageGPT: {
    defaults: { ...on, ...half, resample: bilinear, size: square(256), do_color_quantize: true },
    make: makeImageGpt,
    readers: { clusters },
  },
  LayoutLMv2: {
    defaults: { do_resize: true, resample: bilinear, size: square(224), apply_ocr: true },
    make: steps.chain({ steps: [steps.resize], numbers: bytesReversed, extraOutputs: withoutText }),
  },
  LayoutLMv3: {
    defaults: { ...on, ...half, resample: bilinear, size: square(224), apply_ocr: true },
    make: steps.chain({ steps: [steps.resize, steps.centerCrop], extraOutputs: withoutText }),
  },
  LightGlue: pairs,
  OneFormer: {
    defaults: { ...detrPictures, do_convert_rgb: true },
    make: steps.chain({
      steps: [steps.resize],
      frames: steps.framesOfBatch,
      /** The mask of pixels, and the text that Python's class gives for its default task. */
      extraOutputs: steps.withSettings([], (call, pictures, layout) => ({
        ...steps.pixelMask(call, pictures, layout),
        task_inputs: ['the task is panoptic'],
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
    make: steps.chain({
      steps: [steps.cropMargin, steps.resizeDonut, steps.thumbnailBicubic, steps.padDonut],
    }),
    flags: canvasSize,
    backends: torchvisionAlone,
  },
  PPLCNet: {
    defaults: {
      ...paddleText,
      size: square(256),
      resize_short: 256,
      size_divisor: 1,
      ...cropped(224),
    },
    make: steps.chain({ steps: [steps.resizeLcnet, steps.centerCrop], numbers: steps.reversedNumbers }),
    backends: torchvisionAlone,
  },
  Sapiens2: {
    defaults: {
      ...on,
      ...imagenet,
      resample: bilinear,
      size: { height: 1024, width: 768 },
      ...cropped(224, false),
      do_pad: false,
    },
    make: withBoxes(steps.chain({ steps: [steps.resizeSapiens2, steps.centerCrop] })),
    backends: torchvisionAlone,
    readers: { boxes },
  },
  SegGpt: {
    defaults: { ...on, ...imagenet, resample: bicubic, size: square(448), do_convert_rgb: true },
    make: makeSegGpt,
    keepsChannels: true,
    readers: { num_labels: count },
  },
  SuperGlue: pairs,
  Tipsv2: tips,
  Tipsv2Dpt: tips,
  Tvp: {
    defaults: {
      ...on,
      ...half,
      resample: bilinear,
      size: { longest_edge: 448 },
      default_to_square: false,
      ...cropped(448),
      do_pad: true,
      pad_size: square(448),
      constant_values: 0,
      do_flip_channel_order: true,
    },
    make: nested(
      steps.chain({
        steps: [steps.resizeTvp, steps.centerCrop],
        numbers: tvpNumbers,
        frames: steps.framesByPadSize,
        border: constantValues,
      }),
    ),
    nulls: { torchvision: { constant_values: 0 } },
    isNested: true,
  },
  VideoLlava: {
    defaults: {
      ...clipLike,
      return_legacy_image_output: true,
    },
    nullIsDefault: ['size', 'crop_size', 'image_mean', 'image_std'],
    // Python reads it of a call alone.
    ofFile: ({ return_legacy_image_output: _, ...settings }) => settings,
    make: renamed(
      steps.chain({
        steps: [steps.resizeVideoLlava, steps.centerCrop],
        // No output; only says that the class reads the flag, as `renamed` does here.
        extraOutputs: steps.withSettings(['return_legacy_image_output'], () => ({})),
      }),
      ({ settings }) => (settings.return_legacy_image_output ? 'pixel_values_images' : 'pixel_values'),
    ),
    backends: pilAlone,
  },
  Vilt: {
    defaults: { ...on, ...half, resample: bicubic, ...shorter(384), size_divisor: 32, do_pad: true },
    make: steps.chain({
      steps: [steps.resizeBridgeTower],
      frames: steps.framesByBatch,
      extraOutputs: steps.pixelMaskIfPadded,
    }),
  },
  VitPose: {
    defaults: {
      ...rescaled,
      do_normalize: true,
      ...imagenet,
      size: { height: 256, width: 192 },
      do_affine_transform: true,
      normalize_factor: 200,
    },
    make: makeVitPose,
    readers: { boxes, normalize_factor: number },
  },
  Vivit: {
    defaults: {
      ...on,
      ...half,
      resample: bilinear,
      rescale_factor: 1 / 127.5,
      ...shorter(256),
      ...cropped(224),
      offset: true,
    },
    nullIsDefault: ['size', 'crop_size', 'image_mean', 'image_std'],
    make: nested(steps.chain({ steps: [steps.resize, steps.centerCrop], numbers: vivitNumbers })),
    backends: pilAlone,
    isNested: true,
  },
};
