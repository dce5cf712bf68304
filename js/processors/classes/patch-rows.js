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
  without,
} from './defaults.js';
import { bytesOf, rangeError } from '../../arguments/index.js';
import { dtypes } from '../../tensor/index.js';
import * as steps from '../steps/index.js';
import { makeGrouped, makeQwen } from './patches.js';
import {
  both,
  canvasByTokens,
  edgesOf,
  glmImageSize,
  multipleAbove,
  onTopLeft,
  paddleSize,
  patchCanvas,
  pixelBoundSize,
  ratioSize,
  sizeOf,
  volumeSize,
} from '../pictures/index.js';

/** @import { Call, Row, Size, Step } from '../types.js' */

const patchKeys = ['patch_size', 'merge_size', 'temporal_patch_size'];
const sizeKeys = [...patchKeys, 'size', 'default_to_square', 'min_pixels', 'max_pixels'];

/** Makes a step that resizes to multiples of a group's side, with the edges of `size` as bounds of the pixels.
 * @type {(rule: (size: Size, factor: number, minPixels: number, maxPixels: number, call: Call) => Size,
 *   reads?: string[]) => Step} */
const byPixels = (rule, reads = []) =>
  steps.resizing([...sizeKeys, ...reads], (call, size) => {
    const { settings } = call;
    const [minPixels, maxPixels] = edgesOf(settings.size);
    return rule(size, settings.patch_size * (settings.merge_size ?? 1), minPixels, maxPixels, call);
  });

/** Resizes as Qwen2-VL does, but always bicubic: HunYuan-VL ignores `resample`. */
const resizeBicubic = steps.step(steps.resizeQwen.reads, (call, picture) =>
  steps.resizeQwen({ ...call, settings: { ...call.settings, resample: 'bicubic' } }, picture),
);

/** The setting `patch_expand_factor`; 1 by the PIL classes, which do not read it. @type {(call: Call) => number} */
const expansion = ({ backend, settings }) => (backend === 'pil' ? 1 : settings.patch_expand_factor);

/** Makes a step that resizes a picture and lays it on the top left of a canvas.
 * @type {(reads: string[], rule: (call: Call, size: Size) => { canvas: Size, size: Size }) => Step} */
const onCanvasBy = (reads, rule) =>
  steps.step(['do_resize', 'resample', ...reads], (call, picture) => {
    if (!call.settings.do_resize) return picture;
    const { canvas, size } = rule(call, sizeOf(picture));
    return onTopLeft(steps.resizing([], () => size)(call, picture), canvas);
  });

/** Resizes by bounds of tokens and lays the picture on a canvas of whole tokens. */
const glm5Canvas = onCanvasBy(
  [...patchKeys, 'patch_expand_factor', 'min_image_tokens', 'max_image_tokens'],
  (call, size) => {
    const { settings } = call;
    return canvasByTokens(size, {
      factor: settings.patch_size * settings.merge_size * expansion(call),
      group: settings.temporal_patch_size,
      minTokens: settings.min_image_tokens,
      maxTokens: settings.max_image_tokens,
    });
  },
);

/** Shrinks to a number of patches and lays the picture on a canvas of whole groups. */
const kimiCanvas = onCanvasBy([...patchKeys, 'size', 'default_to_square', 'max_patches'], ({ settings }, size) => {
  const { max_height: high, max_width: wide } = settings.size;
  if (high === undefined || high !== wide)
    rangeError('size must have the keys max_height and max_width, and be square');
  return patchCanvas(size, {
    patch: settings.patch_size,
    merge: settings.merge_size,
    maxPatches: settings.max_patches,
    side: high,
  });
});

/** Resizes by bounds of pixels, if `do_resize` is on, and lays the picture on a canvas of whole patches. */
const neommeCanvas = steps.step(
  ['do_resize', 'resample', ...patchKeys, 'size', 'default_to_square', 'max_side'],
  (call, picture) => {
    const { settings } = call;
    const { min_pixels: minPixels, max_pixels: maxPixels } = settings.size ?? {};
    if (settings.size && maxPixels === undefined) rangeError('size must have the keys min_pixels and max_pixels here');
    const pictureSize = sizeOf(picture);
    const size = settings.do_resize
      ? pixelBoundSize(pictureSize, settings.max_side, minPixels, maxPixels)
      : pictureSize;
    const canvas = both(size, (side) => multipleAbove(side, settings.patch_size));
    return onTopLeft(steps.resizing([], () => size)(call, picture), canvas);
  },
);

/** Writes patches as large as a token, [pictures, max_soft_tokens, length] with zeros behind the last, and their
 * columns and rows. */
const makeGemma4Unified = steps.withSettings(
  ['do_resize', 'resample', ...steps.usualNumbers.reads, 'patch_size', 'max_soft_tokens', 'pooling_kernel_size'],
  (call, pictures) => {
    const { patch_size: patch, pooling_kernel_size: pool, max_soft_tokens: maxTokens } = call.settings;
    if (![70, 140, 280, 560, 1120].includes(maxTokens))
      rangeError(`max_soft_tokens must be 70, 140, 280, 560 or 1120, got ${maxTokens}`);
    const unit = patch * pool;
    const resized = pictures.map((picture) => steps.resizeGemma(call, picture));
    const settings = { ...call.settings, patch_size: unit, merge_size: 1, temporal_patch_size: 1 };
    const rows = makeGrouped({ resizing: steps.step([], (_, picture) => picture), order: 'yxc' });
    const { pixel_values: values, image_grid_thw: grids } = rows({ ...steps.inOwnMemory(call), settings }, resized);
    const length = 3 * unit * unit;
    const dtype = dtypes[/** @type {'float32'} */ (values.type)];
    const tensor = steps.pixelTensor(call, dtype, [pictures.length, maxTokens, length]);
    const sides = pictures.map((_, i) => ({
      height: Number(grids.data[3 * i + 1]),
      width: Number(grids.data[3 * i + 2]),
    }));
    const counts = sides.map(({ height, width }) => height * width);
    let done = 0;
    const [bytes, rowBytes] = [bytesOf(tensor.data), (length * dtype.bits) / 8];
    const packed = bytesOf(values.data);
    counts.forEach((count, i) =>
      bytes.set(packed.subarray(done * rowBytes, (done += count) * rowBytes), i * maxTokens * rowBytes),
    );
    return {
      pixel_values: tensor,
      image_position_ids: steps.gridPositions(sides, maxTokens),
      num_soft_tokens_per_image: steps.int64(counts),
    };
  },
);

/** Makes min_pixels and max_pixels of a file or a call the edges of the size. @type {NonNullable<Row['adjust']>} */
const pixelEdges = ({ min_pixels: minPixels, max_pixels: maxPixels, ...settings }) => ({
  ...settings,
  size: {
    ...settings.size,
    ...(minPixels !== undefined && { shortest_edge: minPixels }),
    ...(maxPixels !== undefined && { longest_edge: maxPixels }),
  },
});
/** The size by which patches are counted: min_pixels and max_pixels of the options, else the file's edges.
 * @type {NonNullable<Row['patchOptions']>} */
const pixelSize = (options, { size }) => {
  const { min_pixels: shortest_edge = size.shortest_edge, max_pixels: longest_edge = size.longest_edge } = options;
  return { ...options, size: { shortest_edge, longest_edge } };
};

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
    count: (/** @type {number} */ rows, /** @type {number} */ columns) => [rows, columns],
  }),
  ...withEdges,
};

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
    patchOptions: pixelSize,
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
      resizing: byPixels((size, factor, minPixels, maxPixels) => glmImageSize(size, factor, minPixels, maxPixels)),
    }),
    ...withEdges,
  },
  Glmga: {
    defaults: { ...qwenLike, size: { shortest_edge: 12544, longest_edge: 11760000 }, patch_expand_factor: 1 },
    make: makeGrouped({
      resizing: byPixels(
        (size, factor, minPixels, maxPixels, call) =>
          volumeSize(size, factor * expansion(call), minPixels, maxPixels, call.settings.temporal_patch_size),
        ['patch_expand_factor'],
      ),
    }),
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
    defaults: { ...qwenLike, size: { shortest_edge: 56 * 56, longest_edge: 672 * 672 } },
    make: makeQwen,
    backends: torchvisionAlone,
    // A file's size of [672, 672] is the class's own.
    adjust: (settings, changes) =>
      pixelEdges(
        Array.isArray(changes.size) && changes.size.every((side) => side === 672)
          ? { ...settings, size: { shortest_edge: 56 * 56, longest_edge: 672 * 672 } }
          : settings,
        changes,
      ),
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
      resizing: steps.resizing([...patchKeys, 'max_image_tokens'], ({ settings }, size) =>
        ratioSize(size, settings.patch_size * settings.merge_size, settings.max_image_tokens),
      ),
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
      resizing: byPixels((size, factor, minPixels, maxPixels) => paddleSize(size, factor, minPixels, maxPixels)),
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
      extraOutputs: ({ settings }, count) => ({
        image_merge_sizes: steps.int64(Array(count).fill(settings.merge_size)),
      }),
    }),
    ...withEdges,
  },
};
