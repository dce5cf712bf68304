/** The flags of the steps that read a setting: where they are off, the setting does not count. */

/** @import { Row, Settings } from '../types.js' */

/** The settings that are read by one step alone, by the step's flag, in all classes whose row has no other `flags`. */
const settingsByFlag = {
  do_rescale: ['rescale_factor'],
  do_normalize: ['image_mean', 'image_std', 'high_res_image_mean', 'high_res_image_std'],
  do_center_crop: ['crop_size'],
  do_resize: [
    'size',
    'resample',
    'max_size',
    'min_size',
    'crop_pct',
    'ensure_multiple_of',
    'keep_aspect_ratio',
    'size_divisor',
    'high_res_size',
    'high_res_resample',
    'patch_expand_factor',
    'limit_side_len',
  ],
  do_pad: ['pad_size', 'padding_value', 'constant_values'],
  crop_to_patches: ['min_patches', 'max_patches'],
  slice_mode: ['max_slice_nums'],
  split_image: ['split_resolutions'],
  dense_max_patches: ['dense_max_scale', 'dense_min_aspect', 'dense_max_aspect'],
};

/** The flag of the step that alone reads a setting, by the setting's name. */
const flagBySetting = new Map(Object.entries(settingsByFlag).flatMap(([flag, keys]) => keys.map((key) => [key, flag])));

/** The flags that switch on the steps which read a setting, as `do_resize` for `size`; only flags that the class reads.
 * FLAVA has a second chain of steps, whose settings and flags begin with `codebook_`.
 * @type {(row: Row, name: string) => string[]} */
export function flagsOf({ make: { reads }, flags }, name) {
  const prefix = name.startsWith('codebook_') ? 'codebook_' : '';
  const usualFlag = flagBySetting.get(name.slice(prefix.length));
  const usualFlags = usualFlag === undefined ? [] : [usualFlag];
  const flagsOfSetting = flags?.[name] ?? usualFlags;
  return flagsOfSetting.map((flag) => prefix + flag).filter((flag) => reads.includes(flag));
}

/** Whether all flags of the steps that read a setting are off. FLAVA's second chain has a flag of its own.
 * @type {(row: Row, settings: Settings, key: string) => boolean} */
export function isStepOff(row, settings, key) {
  if (key.startsWith('codebook_') && !settings.return_codebook_pixels) return true;
  const flags = flagsOf(row, key);
  return flags.length > 0 && flags.every((flag) => !settings[flag]);
}
