/** Rows of classes that resize float32, or by a rule of their own. */
import {
  bicubic,
  bilinear,
  clip,
  half,
  imagenet,
  on,
  paddleDocument,
  paddleText,
  rescaled,
  torchvisionAlone,
} from './defaults.js';
import { makeKosmos, makeNemotron, makePix2Struct } from './float-patches.js';
import { square } from '../pictures/index.js';
import {
  makeDocLayout4,
  makeTables,
  makeTextDetection,
  makeTextLines,
  makeTextRecognition,
  makeUvDoc,
} from './paddle.js';
import { count, countOrNone, flag, number } from '../settings/index.js';
import { makeMolmo2, molmoReaders } from '../tiles/molmo-tiles.js';
import { makePhi4 } from '../tiles/phi4-tiles.js';

/** @import { Row } from '../types.js' */

const textLine = {
  defaults: {
    ...on,
    ...half,
    resample: bilinear,
    size: { height: 48, width: 320 },
    max_image_width: 3200,
    do_convert_rgb: true,
    do_pad: true,
    pad_size: { height: 48, width: 320 },
  },
  fileOnly: ['size', 'max_image_width'],
  backends: torchvisionAlone,
};

const flattened = { do_convert_rgb: true, do_normalize: true, patch_size: square(16) };

/** @type {Record<string, Row>} */
export const floatRows = {
  Kosmos2_5: { defaults: { ...flattened, max_patches: 4096 }, make: makeKosmos },
  Molmo2: {
    defaults: {
      ...on,
      ...half,
      resample: bilinear,
      size: square(378),
      do_convert_rgb: true,
      patch_size: 14,
      max_crops: 8,
      overlap_margins: [4, 4],
      pooling_size: [2, 2],
    },
    make: makeMolmo2,
    backends: torchvisionAlone,
    readers: { ...molmoReaders, max_crops: count },
  },
  NemotronH_Omni_Reasoning_V3: {
    defaults: {
      ...rescaled,
      do_normalize: true,
      ...clip,
      resample: bicubic,
      do_convert_rgb: true,
      patch_size: 16,
      downsample_ratio: 0.5,
      max_model_len: 16384,
      min_num_patches: 1024,
      max_num_patches: 13312,
    },
    make: makeNemotron,
    aliases: { norm_mean: 'image_mean', norm_std: 'image_std' },
    nullIsDefault: ['norm_mean', 'norm_std'],
    nulls: { both: { max_num_patches: 0 } },
    backends: torchvisionAlone,
    readers: {
      downsample_ratio: number,
      max_model_len: count,
      max_num_patches: countOrNone,
      min_num_patches: count,
    },
  },
  PPDocLayoutV4: { defaults: paddleDocument, make: makeDocLayout4, backends: torchvisionAlone },
  PPOCRV5ServerDet: {
    defaults: {
      ...paddleText,
      size: square(960),
      limit_side_len: 960,
      limit_type: 'max',
      max_side_limit: 4000,
    },
    make: makeTextDetection,
    backends: torchvisionAlone,
  },
  PPOCRV5ServerRec: { ...textLine, make: makeTextRecognition },
  PPOCRV6SmallRec: { ...textLine, make: makeTextLines },
  SLANeXt: {
    defaults: {
      ...on,
      ...imagenet,
      resample: bilinear,
      size: square(512),
      do_convert_rgb: true,
      do_pad: true,
      pad_size: square(512),
    },
    make: makeTables,
    backends: torchvisionAlone,
  },
  Phi4Multimodal: {
    defaults: {
      ...rescaled,
      do_normalize: true,
      ...half,
      resample: bicubic,
      size: square(448),
      do_convert_rgb: true,
      patch_size: 14,
      dynamic_hd: 36,
    },
    make: makePhi4,
    backends: torchvisionAlone,
    readers: { dynamic_hd: count },
  },
  Pix2Struct: {
    defaults: { ...flattened, max_patches: 2048, is_vqa: false },
    make: makePix2Struct,
    readers: { is_vqa: flag },
  },
  UVDoc: {
    defaults: {
      do_resize: true,
      ...rescaled,
      resample: bilinear,
      size: { height: 712, width: 488 },
    },
    make: makeUvDoc,
    backends: torchvisionAlone,
  },
};
