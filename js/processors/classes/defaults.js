/** Settings that many classes start with. */

import { square } from '../pictures/index.js';

/** @import { Settings, SizeSetting } from '../types.js' */

export { square };

export const half = { image_mean: 0.5, image_std: 0.5 };
export const imagenet = { image_mean: [0.485, 0.456, 0.406], image_std: [0.229, 0.224, 0.225] };
export const clip = {
  image_mean: [0.48145466, 0.4578275, 0.40821073],
  image_std: [0.26862954, 0.26130258, 0.27577711],
};
export const rescaled = { do_rescale: true, rescale_factor: 1 / 255 };
export const on = { do_resize: true, ...rescaled, do_normalize: true };

/** The settings of a size by the shorter side.
 * @type {(edge: number) => { size: { shortest_edge: number }, default_to_square: false }} */
export const shorter = (edge) => ({ size: { shortest_edge: edge }, default_to_square: false });

/** The settings of a square crop of the middle. `isDone`: whether it is on
 * @type {(edge: number, isDone?: boolean) => { crop_size: ReturnType<typeof square>, do_center_crop: boolean }} */
export const cropped = (edge, isDone = true) => ({ crop_size: square(edge), do_center_crop: isDone });

/** Pillow's codes of filters, as files have them. */
export const [lanczos, bilinear, bicubic] = [1, 2, 3];

export const clipLike = { ...on, ...clip, resample: bicubic, ...shorter(224), ...cropped(224), do_convert_rgb: true };

export const deepseekVl = { ...on, ...clip, resample: bicubic, size: square(384), min_size: 14, do_pad: true };

export const miniCpm = {
  ...on,
  ...half,
  resample: bicubic,
  do_convert_rgb: true,
  patch_size: 14,
  scale_resolution: 448,
  max_slice_nums: 9,
  slice_mode: true,
};

export const miniCpmNulls = { nulls: { both: { resample: 'bilinear', downsample_mode: '16x' } } };

export const detrPictures = {
  ...on,
  ...imagenet,
  resample: bilinear,
  size: { shortest_edge: 800, longest_edge: 1333 },
  default_to_square: false,
};

export const gemma4 = {
  ...on,
  do_normalize: false,
  image_mean: 0,
  image_std: 1,
  resample: bicubic,
  do_convert_rgb: true,
  patch_size: 16,
  max_soft_tokens: 280,
  pooling_kernel_size: 3,
};

/** @type {readonly ['torchvision']} */
export const torchvisionAlone = ['torchvision'];
/** @type {readonly ['pil']} */
export const pilAlone = ['pil'];

/** Patches of pictures and of videos as Qwen2-VL cuts them. */
export const qwenPatches = {
  ...on,
  ...clip,
  resample: bicubic,
  do_convert_rgb: true,
  patch_size: 14,
  temporal_patch_size: 2,
  merge_size: 2,
};

/** Qwen2-VL, and the classes that cut patches as it does. */
export const qwenLike = {
  ...qwenPatches,
  default_to_square: false,
  size: { shortest_edge: 56 * 56, longest_edge: 28 * 28 * 1280 },
};

/** Copies a size in which the least and the greatest number of pixels, if they are given, replace the shortest and the
 * longest edge, as which the classes of Qwen2-VL's kind read them.
 * @type {(size: SizeSetting | undefined, pixels: { min?: number, max?: number }) => SizeSetting} */
export function withPixelEdges(size, { min, max }) {
  const edges = { ...size };
  if (min !== undefined) edges.shortest_edge = min;
  if (max !== undefined) edges.longest_edge = max;
  return edges;
}

/** Makes a function that copies options without some keys, which Python does not read in `get_number_of_image_patches`.
 * @type {(...keys: string[]) => (options: Settings) => Settings} */
export const without =
  (...keys) =>
  (options) =>
    Object.fromEntries(Object.entries(options).filter(([key]) => !keys.includes(key)));

/** Replaces in the options the `max_width` of a size by its `max_height`, as Python does in
 * `get_number_of_image_patches`.
 * @type {(options: Settings) => Settings} */
export function squareSize({ size, ...options }) {
  if (!size) return options;
  return { ...options, size: { max_height: size.max_height, max_width: size.max_height } };
}

/** PaddlePaddle's pictures of text: ImageNet's numbers in the order of BGR. */
export const paddleText = {
  ...on,
  image_mean: [0.406, 0.456, 0.485],
  image_std: [0.225, 0.224, 0.229],
  resample: bilinear,
};

/** PaddlePaddle's layouts of documents. */
export const paddleDocument = {
  ...on,
  image_mean: 0,
  image_std: 1,
  resample: bicubic,
  size: { height: 800, width: 800 },
};

/** The flags of canvases whose size is that of resizing, and of squares in the color of the mean. */
export const canvasSize = { size: ['do_resize', 'do_thumbnail', 'do_pad'] };
export const padColor = { image_mean: ['do_normalize', 'do_pad'] };
