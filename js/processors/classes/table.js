/**
 * The image processors of transformers: for each its defaults, and what it makes of pictures. To add one is to add a
 * row. A name in a file may end in `Fast`, and `FeatureExtractor` stands for `ImageProcessor`.
 */
import {
  bicubic,
  bilinear,
  canvasSize,
  clip,
  clipLike,
  cropped,
  detrPictures,
  gemma4,
  half,
  imagenet,
  lanczos,
  on,
  padColor,
  qwenLike,
  rescaled,
  shorter,
  square,
  torchvisionAlone,
  without,
} from './defaults.js';
import { chainRows } from './chain-rows.js';
import { plain } from './chain-processors.js';
import { floatRows } from './float-rows.js';
import * as steps from '../steps/index.js';
import { makeDepthPro, makeDinov3, makeOwlv2, makeRfDetr, makeZoeDepth } from './float-processors.js';
import { patchRows } from './patch-rows.js';
import { makeGemma4, makeGlm, makeLfm2Vl, makeSiglip2 } from './patches.js';
import { countOrNone } from '../settings/index.js';
import { tileRows } from './tile-rows.js';
import { makeGemma3, makeLlavaNext, makeLlavaOnevision } from '../tiles/tiles.js';

/** @import { Make, Row, Step } from '../types.js' */

/** A class that resizes and crops the middle, each where its flag is on. */
const unpadded = steps.chain({ steps: [steps.resize, steps.centerCrop] });
const detrLike = { ...detrPictures, max_size: 1333, do_pad: true };
/** Makes a class that resizes by `resizing`, pads to one size where `do_pad` is on, and then adds a mask.
 * @type {(resizing: Step) => Make} */
const resizedAndMasked = (resizing) =>
  steps.chain({ steps: [resizing], frames: steps.framesByPadSize, extraOutputs: steps.pixelMaskIfPadded });
/** An alias of a name that files have and that stands for no setting: its value is ignored. */
const noSetting = 'no setting';
/** A size that is a number is the shorter side's, whatever `default_to_square` says in the file. */
const shorterSides = { default_to_square: noSetting };
const detr = {
  defaults: detrLike,
  make: resizedAndMasked(steps.resizeDetr),
  aliases: { pad_and_return_pixel_mask: 'do_pad', ...shorterSides },
  /** Takes the class's own size where that of the file or the call is null.
   * @type {Row['adjust']} */
  adjust: (settings) => (settings.size ? settings : { ...settings, size: detrLike.size }),
};
/** Makes a class that does as `makeFloats`, which resizes float32, in calls with one of `flags` on, and otherwise as
 * `makeBytes`, which resizes bytes.
 * @type {(flags: readonly string[], makeFloats: Make, makeBytes: Make) => Make} */
function eitherBy(flags, makeFloats, makeBytes) {
  const reads = [...new Set([...makeFloats.reads, ...makeBytes.reads])];
  return steps.withSettings(reads, (call, pictures) => {
    const isFloat = flags.some((name) => call.settings[name]);
    return isFloat ? makeFloats(call, pictures) : makeBytes(call, pictures);
  });
}
const mobileNet = { ...on, ...half, resample: bilinear, ...shorter(256), ...cropped(224) };
const maskFormer = {
  defaults: { ...detrPictures, size_divisor: 32 },
  nullIsDefault: ['size'],
  aliases: shorterSides,
  make: steps.chain({ steps: [steps.resizeMaskFormer], frames: steps.framesOfPadSize, extraOutputs: steps.pixelMask }),
  /** Makes `max_size` the longest edge of the class's size, where neither the file nor the call has a size.
   * @type {Row['adjust']} */
  adjust: (settings, changes) => {
    const { max_size: maxSize } = settings;
    if (changes.size !== undefined || maxSize === undefined) return settings;
    return { ...settings, size: { ...settings.size, longest_edge: maxSize } };
  },
};
const dpt = {
  defaults: {
    ...on,
    ...half,
    resample: bicubic,
    size: square(384),
    default_to_square: true,
    ensure_multiple_of: 1,
    keep_aspect_ratio: false,
    do_pad: false,
  },
  make: steps.chain({ steps: [steps.resizeDpt, steps.centerCropOfTorchvision], frames: steps.framesByDivisor }),
  flags: { size_divisor: ['do_pad'] },
};
const glm = {
  defaults: { ...qwenLike, size: { shortest_edge: 112 * 112, longest_edge: 28 * 28 * 15000 } },
  make: makeGlm,
  patchOptions: without('temporal_patch_size'),
};
const sam2Like = { ...on, resample: bilinear, do_convert_rgb: true };
const sam2 = steps.chain({
  steps: [steps.resize, steps.centerCrop],
  frames: steps.framesByPadSize,
  extraOutputs: steps.originalSizes,
});
/** LLaVA-NeXT's tiles and its whole picture have these sizes, whatever its flags say. */
const tileSizes = { size: [], resample: [], crop_size: [] };
const llavaNext = {
  ...clipLike,
  do_pad: true,
  image_grid_pinpoints: [
    [336, 672],
    [672, 336],
    [672, 672],
    [1008, 336],
    [336, 1008],
  ],
};
const oneVisionSides = [384, 768, 1152, 1536, 1920, 2304];
const donutLike = { ...on, resample: bilinear, do_thumbnail: true, do_align_long_axis: false, do_pad: true };

/** @type {Record<string, Row>} The rows by the names of the classes, without `ImageProcessor`. */
export const table = {
  ...chainRows,
  ...floatRows,
  ...tileRows,
  ...patchRows,
  Beit: { defaults: { ...on, ...half, resample: bicubic, size: square(224), ...cropped(224, false) }, make: unpadded },
  Bit: { defaults: clipLike, make: plain },
  Blip: { defaults: { ...on, ...clip, resample: bicubic, size: square(384), do_convert_rgb: true }, make: plain },
  CHMv2: {
    defaults: {
      ...dpt.defaults,
      image_mean: [0.42, 0.411, 0.296],
      image_std: [0.213, 0.156, 0.143],
      do_resize: false,
      do_pad: true,
      ensure_multiple_of: 16,
      keep_aspect_ratio: true,
      size_divisor: 16,
    },
    make: dpt.make,
    flags: dpt.flags,
    backends: torchvisionAlone,
  },
  CLIP: {
    defaults: clipLike,
    // A plain chain that reads one setting more, for `adjust`.
    make: steps.withSettings([...plain.reads, 'use_square_size'], (call, pictures) => plain(call, pictures)),
    adjust: (settings) => (settings.use_square_size ? { ...settings, size: square(224) } : settings),
  },
  Chameleon: {
    defaults: {
      ...clipLike,
      image_mean: 1,
      image_std: 1,
      resample: lanczos,
      ...shorter(512),
      crop_size: square(512),
      rescale_factor: 0.0078,
    },
    make: plain,
  },
  ChineseCLIP: { defaults: clipLike, make: plain },
  ConditionalDetr: detr,
  ConvNext: {
    defaults: { ...on, ...half, resample: bicubic, ...shorter(384), crop_pct: 224 / 256 },
    make: steps.chain({ steps: [steps.resizeConvNext, steps.centerCrop] }),
  },
  DINOv3ViT: {
    defaults: { ...on, ...imagenet, resample: bilinear, size: square(224) },
    make: eitherBy(['do_rescale'], makeDinov3, unpadded),
    backends: torchvisionAlone,
  },
  DPT: dpt,
  DeformableDetr: detr,
  DeiT: { defaults: { ...on, ...half, resample: bicubic, size: square(256), ...cropped(224) }, make: plain },
  DepthPro: {
    defaults: { ...on, ...half, resample: bilinear, size: square(1536) },
    make: eitherBy(['do_rescale', 'do_normalize'], makeDepthPro, steps.chain({ steps: [steps.resizePoint] })),
    backends: torchvisionAlone,
  },
  Detr: detr,
  Donut: {
    defaults: { ...donutLike, ...half, size: { height: 2560, width: 1920 } },
    make: steps.chain({
      steps: [steps.alignLongAxis, steps.resizeDonut, steps.thumbnail, steps.padDonut, steps.centerCrop],
    }),
    flags: canvasSize,
    nullIsDefault: ['size'],
    /** Exchanges the sides of a size that is a list: in the older files of Donut it is [width, height], and it was read
     * as [height, width]. */
    adjust(settings, changes) {
      if (!Array.isArray(changes.size)) return settings;
      const { width: height, height: width } = settings.size;
      return { ...settings, size: { width, height } };
    },
  },
  EfficientNet: {
    defaults: {
      ...on,
      ...half,
      resample: bicubic,
      size: square(346),
      ...cropped(289, false),
      rescale_offset: false,
      include_top: true,
    },
    make: steps.chain({ steps: [steps.resize, steps.centerCrop], numbers: steps.efficientNetNumbers }),
    flags: { image_std: ['do_normalize', 'include_top'] },
  },
  GLPN: {
    defaults: { do_resize: true, ...rescaled, resample: bilinear, size_divisor: 32 },
    make: steps.chain({ steps: [steps.resizeGlpn] }),
  },
  Gemma3: {
    defaults: { ...on, ...half, resample: bilinear, size: square(224), do_convert_rgb: true },
    make: makeGemma3,
  },
  Gemma4: { defaults: gemma4, make: makeGemma4, nulls: { pil: { resample: 'bilinear' } } },
  Glm46V: glm,
  Glm4v: glm,
  GroundingDino: detr,
  Janus: chainRows.DeepseekVL,
  Levit: {
    defaults: { ...on, ...imagenet, resample: bicubic, ...shorter(224), ...cropped(224) },
    make: steps.chain({ steps: [steps.resizeLevit, steps.centerCrop], frames: steps.framesByPadSize }),
  },
  Lfm2Vl: {
    defaults: {
      ...on,
      ...half,
      resample: bilinear,
      downsample_factor: 2,
      do_image_splitting: true,
      min_tiles: 2,
      max_tiles: 10,
      use_thumbnail: true,
      min_image_tokens: 64,
      max_image_tokens: 256,
      encoder_patch_size: 16,
      tile_size: 512,
      max_pixels_tolerance: 2,
      do_pad: true,
    },
    make: makeLfm2Vl,
    backends: torchvisionAlone,
  },
  Llava: {
    defaults: { ...clipLike, do_pad: false },
    make: steps.chain({ steps: [steps.padSquare, steps.resize, steps.centerCrop] }),
    flags: padColor,
  },
  LlavaNext: { defaults: llavaNext, make: makeLlavaNext, flags: tileSizes },
  LlavaOnevision: {
    defaults: {
      ...llavaNext,
      size: square(384),
      crop_size: null,
      do_center_crop: null,
      image_grid_pinpoints: oneVisionSides.flatMap((height) => oneVisionSides.map((width) => [height, width])),
    },
    make: makeLlavaOnevision,
    flags: tileSizes,
  },
  Mask2Former: maskFormer,
  MaskFormer: maskFormer,
  MobileNetV1: { defaults: mobileNet, make: plain },
  MobileNetV2: { defaults: mobileNet, make: unpadded },
  MobileNetV3: { defaults: mobileNet, make: plain },
  MobileNetV4: { defaults: mobileNet, make: plain },
  MobileViT: {
    defaults: {
      do_resize: true,
      ...rescaled,
      resample: bicubic,
      ...shorter(224),
      ...cropped(256),
      do_flip_channel_order: true,
    },
    make: steps.chain({ steps: [steps.resize, steps.centerCrop], numbers: steps.flippedNumbers }),
  },
  Nougat: {
    defaults: { ...donutLike, ...imagenet, size: { height: 896, width: 672 }, do_crop_margin: true },
    make: steps.chain({
      steps: [steps.cropMargin, steps.alignLongAxis, steps.resizeDonut, steps.thumbnailNougat, steps.padDonut],
    }),
    flags: canvasSize,
  },
  OwlViT: {
    defaults: { ...on, ...clip, resample: bicubic, size: square(768), ...cropped(768, false), do_convert_rgb: true },
    make: plain,
    aliases: { rescale: 'do_rescale' },
  },
  Owlv2: {
    defaults: { ...on, ...clip, resample: bilinear, size: square(960), do_convert_rgb: true, do_pad: true },
    make: makeOwlv2,
    aliases: { rescale: 'do_rescale' },
  },
  Perceiver: {
    defaults: { ...on, ...imagenet, resample: bicubic, size: square(224), ...cropped(256) },
    make: steps.chain({ steps: [steps.cropPerceiver, steps.resize] }),
    flags: { size: ['do_resize', 'do_center_crop'] },
  },
  Pixtral: {
    defaults: {
      ...on,
      ...clip,
      resample: bicubic,
      size: { longest_edge: 1024 },
      patch_size: square(16),
      do_pad: true,
      do_convert_rgb: true,
    },
    make: steps.chain({
      steps: [steps.resizePixtral, steps.centerCrop],
      frames: steps.framesByBatch,
      extraOutputs: steps.pixtralSizes,
    }),
  },
  PoolFormer: {
    defaults: { ...on, ...imagenet, resample: bicubic, ...shorter(224), ...cropped(224), crop_pct: 0.9 },
    make: steps.chain({ steps: [steps.resizePoolFormer, steps.centerCrop], frames: steps.framesByPadSize }),
  },
  PromptDepthAnything: {
    ...dpt,
    make: steps.chain({ steps: [steps.resizeDpt], numbers: steps.ownChannelNumbers, frames: steps.framesByDivisor }),
    keepsChannels: true,
  },
  Pvt: { defaults: { ...on, ...imagenet, resample: bicubic, size: square(224) }, make: plain },
  RTDetr: {
    defaults: { ...detrLike, size: square(640), max_size: null, do_normalize: false, do_pad: false },
    make: detr.make,
  },
  RfDetr: {
    ...detr,
    make: eitherBy(['do_rescale'], makeRfDetr, resizedAndMasked(steps.resizePoint)),
    backends: torchvisionAlone,
  },
  Sam: {
    defaults: {
      ...on,
      ...imagenet,
      resample: bilinear,
      size: { longest_edge: 1024 },
      do_convert_rgb: true,
      do_pad: true,
      pad_size: square(1024),
    },
    make: steps.chain({
      steps: [steps.resizeSam, steps.centerCrop],
      frames: steps.framesByPadSize,
      extraOutputs: steps.samSizes,
    }),
    prompts: 'SamProcessor',
  },
  Sam2: {
    defaults: { ...sam2Like, ...imagenet, size: square(1024) },
    make: sam2,
    backends: torchvisionAlone,
    prompts: 'Sam2Processor',
  },
  Sam3: {
    defaults: { ...sam2Like, ...half, size: square(1008) },
    make: sam2,
    backends: torchvisionAlone,
    prompts: 'Sam3TrackerProcessor',
  },
  Sapiens: { defaults: { ...on, ...imagenet, resample: bilinear, size: { height: 1024, width: 768 } }, make: plain },
  Segformer: {
    defaults: { ...on, ...imagenet, resample: bilinear, size: square(512) },
    make: steps.chain({ steps: [steps.resize] }),
  },
  Siglip: {
    defaults: { ...on, ...half, resample: bicubic, size: square(224), default_to_square: false, do_convert_rgb: true },
    make: plain,
  },
  Siglip2: {
    defaults: { ...on, ...half, resample: bilinear, patch_size: 16, max_num_patches: 256 },
    make: makeSiglip2,
    nulls: { both: { resample: 'bilinear' } },
  },
  SuperPoint: {
    defaults: { ...chainRows.EfficientLoFTR.defaults, do_grayscale: false },
    make: steps.makeSuperPoint,
  },
  Swin2SR: {
    defaults: { ...rescaled, do_pad: true, size_divisor: 8 },
    make: steps.makeSwin2Sr,
    aliases: { pad_size: 'size_divisor' },
    flags: { size_divisor: ['do_pad'] },
    // The pad size of other classes has no effect.
    readers: {
      size_divisor: (name, value) =>
        name === 'pad_size' && typeof value === 'object' ? undefined : countOrNone(name, value),
    },
  },
  TextNet: {
    defaults: {
      ...on,
      ...imagenet,
      resample: bilinear,
      ...shorter(640),
      ...cropped(224, false),
      do_convert_rgb: true,
      size_divisor: 32,
    },
    make: steps.chain({ steps: [steps.resizeTextNet, steps.centerCrop] }),
  },
  ViT: { defaults: { ...on, ...half, resample: bilinear, size: square(224) }, make: plain },
  VLM: {
    ...chainRows.DeepseekVL,
    defaults: { ...chainRows.DeepseekVL.defaults, ...half },
    aliases: { image_size: 'size' },
  },
  VideoMAE: {
    defaults: { ...on, ...half, resample: bilinear, ...shorter(224), ...cropped(224) },
    make: steps.videoChain({ steps: [steps.resize, steps.centerCrop] }),
  },
  VitMatte: {
    defaults: { ...rescaled, do_normalize: true, ...half, do_pad: true, size_divisor: 32 },
    make: steps.makeVitMatte,
    aliases: { size_divisibility: 'size_divisor' },
    flags: { size_divisor: ['do_pad'] },
  },
  Yolos: { ...detr, make: resizedAndMasked(steps.resizeYolos) },
  ZoeDepth: {
    defaults: {
      ...on,
      ...half,
      resample: bilinear,
      size: { height: 384, width: 512 },
      do_pad: true,
      keep_aspect_ratio: true,
      ensure_multiple_of: 1 / 32,
    },
    make: makeZoeDepth,
  },
};
