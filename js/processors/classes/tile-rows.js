/** Rows of classes that cut a picture into tiles. */
import {
  bicubic,
  bilinear,
  clip,
  deepseekVl,
  half,
  lanczos,
  miniCpm,
  miniCpmNulls,
  on,
  padColor,
  pilAlone,
  square,
  torchvisionAlone,
} from './defaults.js';
import { rangeError } from '../../arguments/index.js';
import { makeAria } from '../tiles/aria-tiles.js';
import { makeIdefics2, makeIdefics3, makeMllama, makeUltraVBert } from '../tiles/canvas-tiles.js';
import { cohere, gotOcr, makeGranite, makePerceptionLm, ovis } from '../tiles/grid-tiles.js';
import { makeDeepseekHybrid, makeDeepseekOcr } from '../tiles/deepseek-tiles.js';
import { makeInkling, makeInkling2 } from '../tiles/pixel-tiles.js';
import { makeLlama4 } from '../tiles/llama4-tiles.js';
import { makeMiniCpm } from '../tiles/minicpm-slices.js';
import { makeStep3 } from '../tiles/step3-tiles.js';
import { makeTimm } from './timm.js';

/** @import { Row, Settings } from '../types.js' */

const gotOcrLike = {
  ...on,
  ...clip,
  resample: bicubic,
  size: square(384),
  do_convert_rgb: true,
  crop_to_patches: false,
  min_patches: 1,
  max_patches: 12,
};

/** Changes the options of `get_number_of_image_patches`: Python's method takes the size of a tile from `patch_size`,
 * and does not look at `size`.
 * @type {NonNullable<Row['patchOptions']>} */
const tileOption = ({ size: _, patch_size: tile, ...options }) => (tile ? { ...options, size: tile } : options);

const deepseekOcr = {
  ...gotOcrLike,
  ...half,
  size: square(1024),
  background_color: [127, 127, 127],
  crop_to_patches: true,
  min_patches: 2,
};

const idefics3 = {
  defaults: {
    ...on,
    ...half,
    resample: lanczos,
    size: { longest_edge: 1456 },
    max_image_size: { longest_edge: 364 },
    do_convert_rgb: true,
    do_image_splitting: true,
    do_pad: true,
  },
  make: makeIdefics3,
  isNested: true,
};

/** Whether MiniCPM-OCR enlarges small pictures. Python's third rule, 'adaptive', looks at the pixels, and is refused.
 * @type {(settings: Settings) => boolean} */
function upsizesSmallImages({ small_image_upsize: rule }) {
  if (rule !== 'always' && rule !== 'never')
    rangeError(`small_image_upsize must be 'always' or 'never', for sizes follow no pixels here, got '${rule}'`);
  return rule === 'always';
}

/** @type {Record<string, Row>} */
export const tileRows = {
  Aria: {
    defaults: {
      ...on,
      ...half,
      resample: bicubic,
      do_convert_rgb: true,
      max_image_size: 980,
      min_image_size: 336,
      split_image: false,
      split_resolutions: [
        ...[980, 1470, 1960, 2450, 2940, 3430, 3920].map((width) => [490, width]),
        ...[1960, 1470, 980, 490].map((width) => [980, width]),
        ...[
          [1470, 490],
          [1470, 980],
          [1960, 490],
          [1960, 980],
          [2450, 490],
          [2940, 490],
          [3430, 490],
          [3920, 490],
        ],
      ],
    },
    make: makeAria,
  },
  Cohere2Vision: {
    defaults: { ...gotOcrLike, crop_to_patches: true, size: square(512) },
    make: cohere,
    patchOptions: tileOption,
    backends: torchvisionAlone,
  },
  DeepseekOcr2: {
    defaults: {
      ...deepseekOcr,
      max_patches: 6,
      tile_size: 768,
    },
    make: makeDeepseekOcr({ isUnlimited: false }),
  },
  DeepseekVLHybrid: {
    defaults: {
      ...deepseekVl,
      high_res_size: square(1024),
      high_res_resample: bicubic,
      high_res_image_mean: clip.image_mean,
      high_res_image_std: clip.image_std,
    },
    make: makeDeepseekHybrid,
    flags: padColor,
    nulls: { torchvision: { high_res_resample: 'bilinear' }, pil: { high_res_resample: 'nearest' } },
  },
  GotOcr2: { defaults: gotOcrLike, make: gotOcr, patchOptions: tileOption },
  GraniteDocling: {
    defaults: {
      ...gotOcrLike,
      size: square(512),
      crop_to_patches: true,
      max_patches: 32,
      dense_max_patches: 0,
      dense_max_scale: 0,
      dense_min_aspect: 0,
      dense_max_aspect: 0,
      fine_route: false,
    },
    make: makeGranite,
    nulls: { both: { dense_max_patches: 0 } },
    isNested: true,
  },
  Idefics2: {
    defaults: {
      ...on,
      ...half,
      resample: bilinear,
      size: { shortest_edge: 378, longest_edge: 980 },
      default_to_square: false,
      do_convert_rgb: true,
      do_image_splitting: false,
      do_pad: true,
    },
    make: makeIdefics2,
    isNested: true,
  },
  Idefics3: idefics3,
  Mllama: {
    defaults: {
      ...on,
      ...half,
      resample: bilinear,
      size: square(224),
      do_convert_rgb: true,
      do_pad: true,
      max_image_tiles: 4,
    },
    make: makeMllama,
    isNested: true,
  },
  Ovis2: { defaults: { ...gotOcrLike, use_covering_area_grid: true }, make: ovis },
  PerceptionLM: {
    defaults: {
      ...on,
      ...half,
      resample: bicubic,
      size: square(448),
      do_convert_rgb: true,
      tile_size: 448,
      max_num_tiles: 36,
      vision_input_type: 'thumb+tile',
    },
    make: makePerceptionLm,
    nulls: { both: { vision_input_type: 'vanilla' } },
    backends: torchvisionAlone,
  },
  SmolVLM: idefics3,
  UnlimitedOcr: {
    defaults: {
      ...deepseekOcr,
      max_patches: 32,
      maximum_pad_value: 640,
      tile_size: 640,
    },
    make: makeDeepseekOcr({ isUnlimited: true }),
    nulls: { both: { maximum_pad_value: 0 } },
    backends: torchvisionAlone,
  },
  Inkling: {
    defaults: {
      ...on,
      ...clip,
      resample: lanczos,
      size: square(40),
      do_convert_rgb: true,
      rescale_image_max_upscaled_long_edge: 2048,
    },
    make: makeInkling,
    nullIsDefault: ['do_resize'],
    nulls: { both: { resample: 'bilinear', rescale_image_max_upscaled_long_edge: Infinity } },
    backends: torchvisionAlone,
  },
  Inkling2: {
    defaults: { ...on, ...half, size: square(40) },
    make: makeInkling2,
    backends: torchvisionAlone,
  },
  Llama4: {
    defaults: {
      ...on,
      ...half,
      resample: bilinear,
      size: square(336),
      do_convert_rgb: true,
      max_patches: 16,
      resize_to_max_canvas: false,
    },
    make: makeLlama4,
    backends: torchvisionAlone,
  },
  MiniCPMOcr: {
    defaults: { ...miniCpm, downsample_mode: '4x', small_image_upsize: 'always' },
    make: makeMiniCpm(upsizesSmallImages),
    nulls: { both: { ...miniCpmNulls.nulls.both, small_image_upsize: 'never' } },
    backends: torchvisionAlone,
  },
  MiniCPMV4_6: { defaults: { ...miniCpm, downsample_mode: '16x' }, make: makeMiniCpm(() => true), ...miniCpmNulls },
  Step3p7: {
    defaults: {
      ...on,
      ...clip,
      resample: bilinear,
      size: square(728),
      do_convert_rgb: true,
      max_image_size: 3024,
      patch_size: 504,
    },
    make: makeStep3,
    nulls: { both: { patch_size: NaN } },
    fileOnly: ['max_image_size'],
    backends: torchvisionAlone,
  },
  TimmWrapper: { defaults: { do_convert_rgb: true }, make: makeTimm, backends: pilAlone },
  UltraVBert: {
    defaults: {
      ...idefics3.defaults,
      size: { longest_edge: 3072 },
      max_image_size: { longest_edge: 512 },
      max_image_tiles: 27,
      return_row_col_info: false,
    },
    make: makeUltraVBert,
    backends: torchvisionAlone,
    isNested: true,
  },
};
