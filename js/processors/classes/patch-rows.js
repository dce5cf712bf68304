/** Rows of classes that return patches. */
import {
  bicubic,
  bilinear,
  gemma4,
  half,
  lanczos,
  on,
  qwenLike,
  qwenPatches,
  squareSize,
  torchvisionAlone,
  withPixelEdges,
  without,
} from './defaults.js';
import * as steps from '../steps/index.js';
import { makeGemma4Unified, makeGrouped, makeQwen } from './patches.js';
import { byPixels, expansion, glm5Canvas, kimiCanvas, neommeCanvas, patchKeys, resizeBicubic } from './patch-steps.js';
import { glmImageSize, paddleSize, ratioSize, volumeSize } from '../pictures/index.js';

/** @import { Row } from '../types.js' */

/** Turns the settings `min_pixels` and `max_pixels` into the shortest and longest edge of `size`, which these classes
 * read as numbers of pixels.
 * @type {NonNullable<Row['adjust']>} */
const pixelEdges = ({ min_pixels: min, max_pixels: max, ...settings }) => ({
  ...settings,
  size: withPixelEdges(settings.size, { min, max }),
});
/** The options of a call that counts patches, with the size that Python takes: its edges are `min_pixels` and
 * `max_pixels` of the options or, without them, the file's edges.
 * @type {NonNullable<Row['patchOptions']>} */
const withPixelSize = (options, { size }) => {
  const { min_pixels: minPixels = size.shortest_edge, max_pixels: maxPixels = size.longest_edge } = options;
  return { ...options, size: { shortest_edge: minPixels, longest_edge: maxPixels } };
};

const miniMaxSize = { shortest_edge: 56 * 56, longest_edge: 672 * 672 };
const withEdges = { nullIsDefault: ['size'], adjust: pixelEdges, isFinal: true, patchOptions: without('size') };

const hunYuan = {
  defaults: {
    ...qwenLike,
    patch_size: 16,
    temporal_patch_size: 1,
    size: { shortest_edge: 2 ** 18, longest_edge: 2 ** 22 },
  },
  make: makeGrouped({
    resizing: resizeBicubic,
    isGrouped: false,
    /** Python's `get_number_of_image_patches` gives the rows and columns here, elsewhere their product.
     * @type {(rows: number, columns: number) => number[]} */
    count: (rows, columns) => [rows, columns],
  }),
  ...withEdges,
};

/** Resizes by GLM-GA's bounds, which are numbers of pixels of all frames of a patch together: an image counts as each
 * of them. Sides are multiples of a group of patches, times `patch_expand_factor`. */
const resizeGlmga = byPixels(
  (size, bounds, call) => {
    const factor = bounds.factor * expansion(call);
    return volumeSize(size, { ...bounds, factor, frames: call.settings.temporal_patch_size });
  },
  ['patch_expand_factor'],
);

/** Resizes as Muse does: to a grid of at most `max_image_tokens` tokens, of a ratio near the picture's. */
const resizeMuse = steps.resizing([...patchKeys, 'max_image_tokens'], ({ settings }, size) => {
  const tokenSide = settings.patch_size * settings.merge_size;
  return ratioSize(size, tokenSide, settings.max_image_tokens);
});

/** @type {Record<string, Row>} */
export const patchRows = {
  CohereCompass: { defaults: qwenLike, make: makeQwen, ...withEdges },
  Cosmos3Edge: {
    defaults: {
      ...qwenLike,
      ...half,
      patch_size: 16,
      temporal_patch_size: 1,
      size: { shortest_edge: 65536, longest_edge: 2 ** 24 },
    },
    make: makeGrouped({ resizing: steps.resizeGlm, order: 'yxct' }),
    patchOptions: without('temporal_patch_size'),
  },
  Ernie4_5_VLMoe: {
    defaults: { ...qwenLike, temporal_patch_size: 1, size: { shortest_edge: 56 * 56, longest_edge: 28 * 28 * 6177 } },
    make: makeQwen,
    patchOptions: withPixelSize,
  },
  Gemma4Unified: {
    defaults: gemma4,
    make: makeGemma4Unified,
    backends: torchvisionAlone,
  },
  Glm5Next: {
    defaults: {
      ...qwenLike,
      size: { longest_edge: 1 },
      min_image_tokens: 16,
      max_image_tokens: 8000,
      patch_expand_factor: 1,
    },
    make: makeGrouped({ resizing: glm5Canvas }),
    // The PIL class does not read it.
    nulls: { pil: { patch_expand_factor: 1 } },
    patchOptions: without('temporal_patch_size'),
  },
  GlmImage: {
    defaults: qwenLike,
    make: makeGrouped({
      resizing: byPixels(glmImageSize),
    }),
    ...withEdges,
  },
  Glmga: {
    defaults: { ...qwenLike, size: { shortest_edge: 12544, longest_edge: 11760000 }, patch_expand_factor: 1 },
    make: makeGrouped({ resizing: resizeGlmga }),
    nulls: { pil: { patch_expand_factor: 1 } },
    patchOptions: without('temporal_patch_size'),
  },
  HYV4VL: hunYuan,
  HunYuanVL: hunYuan,
  Kimi_K25: {
    defaults: {
      ...on,
      ...half,
      resample: bicubic,
      do_convert_rgb: true,
      patch_size: 14,
      merge_size: 2,
      size: { max_height: 512, max_width: 512 },
      max_patches: 16384,
    },
    make: makeGrouped({ resizing: kimiCanvas, isGrouped: false, isCut: true }),
    patchOptions: squareSize,
    backends: torchvisionAlone,
  },
  MiniMaxM3VL: {
    defaults: { ...qwenLike, size: miniMaxSize },
    make: makeQwen,
    backends: torchvisionAlone,
    /** Takes a file's size of [672, 672] for the class's default bounds, then `min_pixels` and `max_pixels`. */
    adjust(settings, changes) {
      const isOldSize = Array.isArray(changes.size) && changes.size.every((extent) => extent === 672);
      return pixelEdges(isOldSize ? { ...settings, size: miniMaxSize } : settings, changes);
    },
    isFinal: true,
    nullIsDefault: ['size'],
    patchOptions: without('size'),
  },
  MuseGlimmer: {
    defaults: {
      ...qwenPatches,
      ...half,
      resample: lanczos,
      max_image_tokens: 4096,
    },
    make: makeGrouped({
      resizing: resizeMuse,
      order: 'tcyx',
      isGrouped: false,
    }),
    nulls: { both: { resample: 'bilinear' } },
    backends: torchvisionAlone,
  },
  NeoMME: {
    defaults: { ...on, ...half, resample: bilinear, do_convert_rgb: true, patch_size: 32 },
    make: makeGrouped({ resizing: neommeCanvas, order: 'yxc', isGrouped: false, grid: 'image_grid_hw' }),
    nulls: { both: { resample: 'bilinear' } },
    backends: torchvisionAlone,
  },
  PaddleOCRVL: {
    defaults: { ...qwenLike, temporal_patch_size: 1, size: { shortest_edge: 147456, longest_edge: 2359296 } },
    make: makeGrouped({
      resizing: byPixels(paddleSize),
      isGrouped: false,
      isCut: true,
    }),
    ...withEdges,
  },
  Qwen2VL: { defaults: qwenLike, make: makeQwen, ...withEdges },
  VideoLlama3: {
    defaults: { ...qwenLike, ...half, merge_size: 1, temporal_patch_size: 1 },
    make: makeGrouped({
      resizing: steps.resizeQwen,
      /** The output `image_merge_sizes`: the setting `merge_size` for each of `count` pictures. */
      extraOutputs: ({ settings }, count) => ({
        image_merge_sizes: steps.int64(Array(count).fill(settings.merge_size)),
      }),
    }),
    ...withEdges,
  },
};
