/** The settings of a processor: which kind of value each key has, and how it is refused. */
import {
  copyList,
  countFrom,
  either,
  rangeError,
  readBoolean,
  readFinite,
  readNumber,
  readText,
  show,
  showList,
  typeError,
} from '../../arguments/index.js';
import { dtypeOf } from '../../tensor/index.js';

/** @import { DType } from '../../tensor/index.js' */
/** @import { Backend, Reader, Settings, SizeSetting } from '../types.js' */

/** The keys that a size may have, as transformers accepts them. */
const sizeKeys = [
  ['height', 'width'],
  ['shortest_edge'],
  ['shortest_edge', 'longest_edge'],
  ['longest_edge'],
  ['max_height', 'max_width'],
  ['min_pixels', 'max_pixels'],
];

/** Takes true, false, 1 or 0.
 * @type {(name: string, value: boolean | 0 | 1) => boolean} */
export const flag = (name, value) => (value === 1 || value === 0 ? value === 1 : readBoolean(name, value));

/** A positive number.
 * @type {(name: string, value: number) => number} */
export function number(name, value) {
  if (!(Number.isFinite(readNumber(name, value)) && value > 0))
    rangeError(`${name} must be positive, got ${show(value)}`);
  return value;
}

/** A whole number from 1 on. */
export const whole = countFrom(1);

/** @type {typeof whole} 0 is none, for the classes that take it. */
export const wholeOrNone = (name, value) => (value === 0 ? 0 : whole(name, value));

/** More tiles would take forever to choose from. */
const mostTiles = 1024;

const tiles = countFrom(1, mostTiles);

/** @type {(name: string, value: any) => any[]} A list of anything, copied. */
export const listOf = (name, value) =>
  Array.isArray(value) ? copyList(name, value) : typeError(`${name} must be a list, got ${show(value)}`);

/** @type {(least: number) => Reader} Two whole numbers. */
export const pairFrom = (least) => (name, value) => {
  const pair = listOf(name, value);
  if (pair.length !== 2 || !pair.every((entry) => Number.isSafeInteger(entry) && entry >= least))
    rangeError(`${name} must be 2 whole numbers from ${least} on, got ${show(value)}`);
  return pair;
};

/** @type {(name: string, value: number | readonly number[]) => readonly number[]} */
function color(name, value) {
  const list = Array.isArray(value) ? copyList(name, value) : [value, value, value];
  if (list.length !== 3 || !list.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255))
    rangeError(
      `${name} must be 3 whole numbers from 0 to 255, got ${Array.isArray(value) ? showList(list) : show(value)}`,
    );
  return list;
}

/** @type {(name: string, value: number | readonly number[]) => number | readonly number[]} */
function perChannel(name, value) {
  const list = Array.isArray(value) ? copyList(name, value) : [value];
  const isNumbers = list.every((entry) => typeof entry === 'number');
  const shown = () => (Array.isArray(value) ? showList(list) : show(value));
  if (!isNumbers) typeError(`${name} must be a number or a list of 3, got ${shown()}`);
  // torchvision broadcasts a list of one number; the backend decides.
  if (Array.isArray(value) && list.length !== 3 && list.length !== 1)
    rangeError(`${name} must be a number or a list of 3, got ${shown()}`);
  if (!list.every((entry) => Number.isFinite(Math.fround(entry))))
    rangeError(`${name} must be finite in float32, got ${shown()}`);
  if (name === 'image_std' && list.some((entry) => Math.fround(entry) === 0))
    rangeError(`${name} must not be 0, got ${shown()}`);
  return Array.isArray(value) ? list : value;
}

/** @type {(value: number | readonly number[]) => number | readonly number[]} A list of one number is for all colors. */
const ofColors = (value) => (Array.isArray(value) && value.length === 1 ? [value[0], value[0], value[0]] : value);

/** The filters by the numbers that Pillow has for them. */
export const filterCodes = ['nearest', 'lanczos', 'bilinear', 'bicubic', 'box', 'hamming'];

/** torchvision's filters by their names: its `nearest` is torch's older rule, which Pillow's 0 is not.
 * @type {Record<string, string>} */
const namedFilters = {
  ...Object.fromEntries(filterCodes.map((name) => [name, name])),
  nearest: 'nearest_floor',
  'nearest-exact': 'nearest_exact',
};

/** @type {(name: string, value: 0 | 1 | 2 | 3 | 4 | 5 | string) => string | { name: string }} Pillow's numbers, or
 *   torchvision's names, whose meaning depends on the backend */
function resample(name, value) {
  if (typeof value === 'string' && Object.hasOwn(namedFilters, value)) return { name: value };
  const rule = `${name} must be a number from 0 to 5 or one of ${Object.keys(namedFilters).join(', ')}`;
  if (typeof value !== 'number' && typeof value !== 'string') typeError(`${rule}, got ${show(value)}`);
  return typeof value === 'number' && value in filterCodes
    ? filterCodes[value]
    : rangeError(`${rule}, got ${show(value)}`);
}

/** @type {(filter: undefined | string | { name: string }) => number | string | null} as {@link resample} takes it */
export const shownFilter = (filter) =>
  typeof filter === 'string' ? filterCodes.indexOf(filter) : (filter?.name ?? null);

/** @type {(name: string, value: number | readonly number[] | SizeSetting) => number | number[] | SizeSetting} */
function size(name, value) {
  if (typeof value === 'number') return whole(name, value);
  if (Array.isArray(value)) {
    const list = copyList(name, value);
    if (list.length !== 2) rangeError(`${name} must hold 2 numbers, got ${showList(list)}`);
    return list.map((entry, i) => whole(`${name}[${i}]`, entry));
  }
  if (typeof value !== 'object' || value === null)
    typeError(`${name} must be a number, a list or an object, got ${show(value)}`);
  // A key that is null counts for nothing.
  const given = Object.entries(value).filter(([, entry]) => entry !== null);
  const keys = given.map(([key]) => key);
  if (!sizeKeys.some((known) => known.length === keys.length && known.every((key) => keys.includes(key)))) {
    const known = either(sizeKeys.map((list) => `{ ${list.join(', ')} }`));
    rangeError(`${name} must have the keys ${known}, got { ${keys.slice(0, 8).map(String).join(', ')} }`);
  }
  return Object.fromEntries(given.map(([key, entry]) => [key, whole(`${name} ${key}`, entry)]));
}

/** @type {(name: string, value: readonly (readonly number[])[]) => number[][]} */
function resolutions(name, value) {
  if (!Array.isArray(value)) typeError(`${name} must be a list of [height, width], got ${show(value)}`);
  const list = copyList(name, value);
  if (list.length === 0) rangeError(`${name} must be a list of [height, width], got []`);
  return list.map((entry, i) => {
    const pair = size(`${name}[${i}]`, entry);
    return Array.isArray(pair) ? pair : typeError(`${name}[${i}] must be [height, width], got ${show(entry)}`);
  });
}

/** @type {Reader} The settings of timm, under its own names. */
function timmSettings(name, value) {
  if (typeof value !== 'object' || Array.isArray(value)) typeError(`${name} must be an object, got ${show(value)}`);
  /** @type {(key: string, byDefault: any) => any} */
  const of = (key, byDefault) => value[key] || byDefault;
  const input = listOf(`${name} input_size`, of('input_size', [3, 224, 224]));
  const [height, width] = input.slice(-2).map((entry) => whole(`${name} input_size`, entry));
  const filter = of('interpolation', 'bicubic');
  if (!filterCodes.includes(filter))
    rangeError(`${name} interpolation must be ${either(filterCodes)}, got ${show(filter)}`);
  return {
    ...{ width, height, filter },
    mean: ofColors(perChannel(`${name} mean`, of('mean', [0.485, 0.456, 0.406]))),
    std: ofColors(perChannel('image_std', of('std', [0.229, 0.224, 0.225]))),
    share: number(`${name} crop_pct`, of('crop_pct', 0.875)),
    mode: of('crop_mode', 'center'),
  };
}

/** @satisfies {Record<string, Reader>} The reader of each key. Keys that begin with `do_` are flags. */
const readers = {
  apply_ocr: flag,
  background_color: color,
  constant_values: readFinite,
  crop_pct: number,
  crop_size: size,
  crop_to_patches: flag,
  dense_max_aspect: readFinite,
  dense_max_patches: wholeOrNone,
  dense_max_scale: readFinite,
  dense_min_aspect: readFinite,
  default_to_square: flag,
  downsample_factor: whole,
  downsample_mode: readText,
  encoder_patch_size: whole,
  ensure_multiple_of: number,
  fine_route: flag,
  image_grid_pinpoints: resolutions,
  image_mean: perChannel,
  image_std: perChannel,
  include_top: flag,
  keep_aspect_ratio: flag,
  limit_side_len: whole,
  limit_type: readText,
  max_image_size: size,
  max_image_tiles: tiles,
  max_image_width: whole,
  max_image_tokens: whole,
  max_num_tiles: tiles,
  max_num_patches: whole,
  max_patches: whole,
  max_pixels: whole,
  max_pixels_tolerance: number,
  max_side: whole,
  max_side_limit: whole,
  max_size: whole,
  max_slice_nums: tiles,
  maximum_pad_value: whole,
  max_soft_tokens: whole,
  max_tiles: tiles,
  merge_size: whole,
  min_image_size: whole,
  min_image_tokens: whole,
  min_patches: whole,
  min_pixels: whole,
  min_size: whole,
  min_tiles: tiles,
  offset: flag,
  pad_size: size,
  padding_value: readFinite,
  pan_and_scan_max_num_crops: whole,
  pan_and_scan_min_crop_size: whole,
  pan_and_scan_min_ratio_to_activate: number,
  patch_expand_factor: whole,
  patch_size: size,
  pooling_kernel_size: whole,
  resample,
  pretrained_cfg: timmSettings,
  rescale_factor: number,
  rescale_image_frac: number,
  rescale_image_max_upscaled_long_edge: whole,
  rescale_offset: flag,
  return_codebook_pixels: flag,
  return_image_mask: flag,
  return_legacy_image_output: flag,
  resize_short: whole,
  resize_to_max_canvas: flag,
  return_row_col_info: flag,
  scale_resolution: whole,
  size,
  size_divisor: wholeOrNone,
  spatial_factor: whole,
  slice_mode: flag,
  small_image_upsize: readText,
  split_image: flag,
  split_resolutions: resolutions,
  temporal_patch_size: whole,
  tile_size: whole,
  use_covering_area_grid: flag,
  use_square_size: flag,
  use_thumbnail: flag,
  vision_input_type: readText,
};

/** @typedef {typeof readers} Readers */

/** @type {(name: string) => string} Settings of a second chain have a prefix. */
const plainName = (name) => name.replace(/^(high_res|codebook)_/, '').replace(/^norm_/, 'image_');

/** @type {(name: string, value: unknown, shown?: string, more?: Record<string, Reader>) => any} */
export function readSetting(name, value, shown = name, more = {}) {
  const reader =
    more[name] ??
    (plainName(name).startsWith('do_') ? flag : /** @type {Record<string, Reader>} */ (readers)[plainName(name)]);
  if (value === null || value === undefined) return reader === flag ? false : undefined;
  return reader(shown, value);
}

/**
 * A single number stands for both sides, or for the shorter one, beside which `maxSize` is the longest.
 * @type {(value: number | number[] | SizeSetting, how: { isSquare: boolean, maxSize?: number }) => SizeSetting}
 */
export function standardSize(value, { isSquare, maxSize }) {
  if (Array.isArray(value)) return { height: value[0], width: value[1] };
  if (typeof value !== 'number') return value;
  if (isSquare) return { height: value, width: value };
  return maxSize === undefined ? { shortest_edge: value } : { shortest_edge: value, longest_edge: maxSize };
}

/**
 * The settings as a backend takes them: by torchvision's rules names are filters and a list of one number is for all
 * colors; Python's PIL backend takes every name for bilinear, and lists of three alone.
 * @type {(settings: Settings, backend: Backend) => Settings}
 */
export function settingsOfBackend(settings, backend) {
  const isPil = backend === 'pil';
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => {
      if (key.endsWith('resample') && typeof value === 'object')
        return [key, isPil ? 'bilinear' : namedFilters[value.name]];
      if (!/(mean|std)$/.test(key) || !Array.isArray(value) || value.length !== 1) return [key, value];
      const flag = key.replace(/image_(mean|std)$/, 'do_normalize');
      if (isPil && (settings[flag] ?? settings.do_normalize))
        rangeError(`${key} must be a number or a list of 3, got ${showList(value)}`);
      return [key, value[0]];
    }),
  );
}

/** Refuses what is no extent, by its name.
 * @type {(extents: Record<string, unknown>) => void} */
export function checkExtents(extents) {
  for (const [key, value] of Object.entries(extents))
    if (!(Number.isSafeInteger(value) && Number(value) > 0))
      rangeError(`${key} must be a whole number from 1 on, got ${show(value)}`);
}

const pixelTypes = ['float32', 'float16', 'bfloat16'];

/** The type of `pixel_values`.
 * @type {(name: string, given: unknown) => DType | undefined} */
export function readPixelType(name, given) {
  if (given === undefined) return undefined;
  const dtype = dtypeOf(given);
  if (dtype && pixelTypes.includes(dtype.name)) return dtype;
  return typeError(`${name} must be ${either(pixelTypes)}, got ${dtype ? dtype.name : show(given)}`);
}
