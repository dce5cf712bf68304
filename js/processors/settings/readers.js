/** The settings of a processor: which kind of value each key has, and what a backend makes of it. */
import { either, rangeError, readFinite, readText, show, showList, typeError } from '../../arguments/index.js';
import { dtypeOf } from '../../tensor/index.js';
import {
  color,
  flag,
  namedFilters,
  number,
  perChannel,
  resample,
  resolutions,
  size,
  tiles,
  timmSettings,
  count,
  countOrNone,
} from './kinds.js';

/** @import { DType } from '../../tensor/index.js' */
/** @import { Backend, Reader, Settings, SizeSetting } from '../types.js' */

/** @satisfies {Record<string, Reader>} The reader of each key. Keys that begin with `do_` are flags. */
const readers = {
  apply_ocr: flag,
  background_color: color,
  constant_values: readFinite,
  crop_pct: number,
  crop_size: size,
  crop_to_patches: flag,
  dense_max_aspect: readFinite,
  dense_max_patches: countOrNone,
  dense_max_scale: readFinite,
  dense_min_aspect: readFinite,
  default_to_square: flag,
  downsample_factor: count,
  downsample_mode: readText,
  encoder_patch_size: count,
  ensure_multiple_of: number,
  fine_route: flag,
  image_grid_pinpoints: resolutions,
  image_mean: perChannel,
  image_std: perChannel,
  include_top: flag,
  keep_aspect_ratio: flag,
  limit_side_len: count,
  limit_type: readText,
  max_image_size: size,
  max_image_tiles: tiles,
  max_image_width: count,
  max_image_tokens: count,
  max_num_tiles: tiles,
  max_num_patches: count,
  max_patches: count,
  max_pixels: count,
  max_pixels_tolerance: number,
  max_side: count,
  max_side_limit: count,
  max_size: count,
  max_slice_nums: tiles,
  maximum_pad_value: count,
  max_soft_tokens: count,
  max_tiles: tiles,
  merge_size: count,
  min_image_size: count,
  min_image_tokens: count,
  min_patches: count,
  min_pixels: count,
  min_size: count,
  min_tiles: tiles,
  offset: flag,
  pad_size: size,
  padding_value: readFinite,
  pan_and_scan_max_num_crops: count,
  pan_and_scan_min_crop_size: count,
  pan_and_scan_min_ratio_to_activate: number,
  patch_expand_factor: count,
  patch_size: size,
  pooling_kernel_size: count,
  resample,
  pretrained_cfg: timmSettings,
  rescale_factor: number,
  rescale_image_frac: number,
  rescale_image_max_upscaled_long_edge: count,
  rescale_offset: flag,
  return_codebook_pixels: flag,
  return_image_mask: flag,
  return_legacy_image_output: flag,
  resize_short: count,
  resize_to_max_canvas: flag,
  return_row_col_info: flag,
  scale_resolution: count,
  size,
  size_divisor: countOrNone,
  spatial_factor: count,
  slice_mode: flag,
  small_image_upsize: readText,
  split_image: flag,
  split_resolutions: resolutions,
  temporal_patch_size: count,
  tile_size: count,
  use_covering_area_grid: flag,
  use_square_size: flag,
  use_thumbnail: flag,
  vision_input_type: readText,
};

/** @typedef {typeof readers} Readers */

/** The name by which a setting is looked up: without the prefix of a class's second set of settings, as `size` for
 * `high_res_size`, and `image_mean` for `norm_mean`. @type {(name: string) => string} */
const plainName = (name) => name.replace(/^(high_res|codebook)_/, '').replace(/^norm_/, 'image_');

/** The reader of a setting, in all classes that have none of their own. @type {(name: string) => Reader} */
function usualReader(name) {
  const plain = plainName(name);
  return plain.startsWith('do_') ? flag : /** @type {Record<string, Reader>} */ (readers)[plain];
}

/** Reads the value of a setting: null and undefined become undefined, or false for a flag. `shown`: the setting's name
 * in messages; `ownReaders`: the class's own, which come first
 * @type {(name: string, value: unknown, shown?: string, ownReaders?: Record<string, Reader>) => any} */
export function readSetting(name, value, shown = name, ownReaders = {}) {
  const reader = ownReaders[name] ?? usualReader(name);
  if (value === null || value === undefined) return reader === flag ? false : undefined;
  return reader(shown, value);
}

/** Makes a size an object. A list is [height, width]; a number is both sides with `isSquare`, otherwise the shortest
 * edge, beside the longest one `maxSize`.
 * @type {(value: number | number[] | SizeSetting, rule: { isSquare: boolean, maxSize?: number }) => SizeSetting} */
export function standardSize(value, { isSquare, maxSize }) {
  if (Array.isArray(value)) {
    const [height, width] = value;
    return { height, width };
  }
  if (typeof value !== 'number') return value;
  if (isSquare) return { height: value, width: value };
  return maxSize === undefined ? { shortest_edge: value } : { shortest_edge: value, longest_edge: maxSize };
}

/** The settings as a backend takes them. torchvision's names of filters all mean bilinear to Python's PIL backend. A
 * list of one number becomes the number, but the PIL backend fails on it where it normalizes.
 * @type {(settings: Settings, backend: Backend) => Settings} */
export function settingsOfBackend(settings, backend) {
  const isPil = backend === 'pil';
  /** The value of one setting as the backend takes it. @type {(key: string, value: any) => unknown} */
  const valueOfBackend = (key, value) => {
    const isNamedFilter = key.endsWith('resample') && typeof value === 'object';
    if (isNamedFilter) return isPil ? 'bilinear' : namedFilters[value.name];
    const isListOfOne = /(mean|std)$/.test(key) && Array.isArray(value) && value.length === 1;
    if (!isListOfOne) return value;
    if (isPil && isNormalized(settings, key))
      rangeError(`${key} must be a number or a list of 3, got ${showList(value)}`);
    return value[0];
  };
  return Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, valueOfBackend(key, value)]));
}

/** Whether the step that reads a mean or a deviation is on. `codebook_image_mean` has the flag `codebook_do_normalize`;
 * `high_res_image_mean` has no flag but `do_normalize`.
 * @type {(settings: Settings, key: string) => boolean} */
function isNormalized(settings, key) {
  const flagOfKey = key.replace(/image_(mean|std)$/, 'do_normalize');
  return settings[flagOfKey] ?? settings.do_normalize;
}

/** Refuses extents that are not integers from 1 on.
 * @type {(extents: Record<string, unknown>) => void} */
export function checkExtents(extents) {
  for (const [key, value] of Object.entries(extents)) {
    const isCount = Number.isSafeInteger(value) && Number(value) > 0;
    if (!isCount) rangeError(`${key} must be a whole number from 1 on, got ${show(value)}`);
  }
}

/** Makes a reader of types of numbers, of which it takes these names alone; undefined stays.
 * @type {(types: readonly string[]) => (name: string, value: unknown) => DType | undefined} */
const typeReader = (types) => (name, value) => {
  if (value === undefined) return undefined;
  const dtype = dtypeOf(value);
  if (dtype && types.includes(dtype.name)) return dtype;
  return typeError(`${name} must be ${either(types)}, got ${dtype ? dtype.name : show(value)}`);
};

/** The type of `pixel_values`. */
export const readPixelType = typeReader(['float32', 'float16', 'bfloat16']);

/** The type of masks with a number a pixel. */
export const readMaskType = typeReader(['int64', 'bool']);
