/** The settings of all feature extractors: a reader for each name. */
import * as args from '../arguments/index.js';

/** The most that a count of a file may be: larger rates and hops make gigabytes of padding. */
const mostCount = 2 ** 20;

/** @typedef {(name: string, value: unknown, length?: unknown) => unknown} Row `length`: `feature_size` */

/** @type {Row} */
function fromZero(name, value) {
  const number = args.readFinite(name, value);
  return number >= 0 ? number : args.rangeError(`${name} must be at least 0, got ${number}`);
}

/** Reads a list of one number for each feature of a frame. A number alone is a list of one.
 * @type {(name: string, value: unknown, length: unknown) => number[]} */
function perResult(name, value, length) {
  const list = Array.isArray(value) ? args.copyLeaves(name, value) : [value];
  if (list.some((entry) => typeof entry !== 'number'))
    args.typeError(`${name} must be a list of numbers, got ${args.show(value)}`);
  if (list.length !== length) args.rangeError(`${name} must have ${length} numbers, got ${list.length}`);
  return list;
}

/** Gives settings the same reader, by their names.
 * @type {(read: Row, names: string) => Record<string, Row>} */
const readersOf = (read, names) => Object.fromEntries(names.split(' ').map((name) => [name, read]));

export const settingReaders = {
  ...readersOf(
    args.readBoolean,
    'center do_ceptral_normalize do_normalize end_on_pause fft_overdrive normalize_audio normalize_means ' +
      'normalize_vars preemphasis_htk_flavor return_attention_mask',
  ),
  ...readersOf(
    args.countFrom(1, mostCount),
    'audio_compression_rate audio_downsample_rate audio_feat_stride audio_samples_per_token delta_win_length ' +
      'feature_size fft_window_size filter_length frame_size hop_length max_length min_energy_window_samples n_fft ' +
      'n_mels num_chroma num_frames_lfr num_mel_bins pad_to_multiple_of projector_downsample_rate ' +
      'projector_window_size samples_per_token sampling_rate stride stride_lfr win_length',
  ),
  ...readersOf(args.countFrom(0, mostCount), 'min_length n_window pad_end_length'),
  ...readersOf(
    args.readPositive,
    'analysis_frame_duration audio_token_duration_s chunk_length chunk_length_s compression_clip_val ' +
      'compression_factor default_audio_length eps fmax frame_length frame_length_ms frame_shift frequency_max ' +
      'hop_length_ms input_scale_factor logmel_floor_db max_audio_clip_s max_frequency max_length_s ' +
      'mel_max_frequency model_in_channels std top_db window_size_multiplier',
  ),
  ...readersOf(
    fromZero,
    'audio_delay_seconds audio_silence_prefix_seconds chunk_seconds dither fade_out_duration fmin frequency_min ' +
      'mel_floor mel_min_frequency min_frequency overlap overlap_chunk_second pause_duration preemphasis',
  ),
  ...readersOf(
    args.readFinite,
    'global_log_mel_max mean normalize_max normalize_min padding_value silence_floor_db target_dB_FS target_peak_dB_FS',
  ),
  ...readersOf(args.readText, 'mel_filters_dtype padding padding_side truncation win_function window'),
  ...readersOf(perResult, 'mel_norms per_bin_mean per_bin_stddev'),
};
