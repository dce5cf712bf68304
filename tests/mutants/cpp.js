/** The native tests that must catch the mistakes of a source of cpp/, the cheapest first. */
import { words } from '../support/tables.js';

/** By the beginning of a source's path; the longest one counts. */
const table = `
  cpp/audio/ replay_audio audio_frames_test
  cpp/elementary/double_double audio_elementary_test
  cpp/elementary/float64 audio_elementary_test replay_postprocess postprocess_test
  cpp/audio/numbers audio_numbers_test replay_audio
  cpp/audio/resample audio_numbers_test replay_audio
  cpp/bits/interleave.h replay_kernels kernels_test
  cpp/bits/mirrored.h processors_test resize_float_taps_test
  cpp/bits/packed.h replay_convert convert_test replay_transpose transpose_test
  cpp/bits/packed_runs.h replay_transpose transpose_test
  cpp/bits/runs.h replay_copy_rows replay_transpose transpose_test
  cpp/bits/vectors.h replay_kernels replay_convert kernels_test convert_test
  cpp/convert/ replay_convert convert_test
  cpp/image/ replay_pixels pixels_test
  cpp/pick/ pick_test
  cpp/postprocess/ postprocess_test
  cpp/processors/ processors_test
  cpp/quantize/ quantize_test replay_quantize
  cpp/quantize/columns columns_test replay_quantize
  cpp/resize/alpha resize_alpha_test replay_resize
  cpp/resize/areas replay_plan resize_plan_test
  cpp/resize/axis_rule replay_plan resize_plan_test
  cpp/resize/curves replay_resize resize_taps_test
  cpp/resize/dispatch replay_plan resize_plan_test
  cpp/resize/float_passes resize_plan_test
  cpp/resize/float_taps resize_float_taps_test
  cpp/resize/opencv replay_opencv resize_opencv_test
  cpp/resize/plan replay_plan resize_plan_test
  cpp/resize/progress replay_plan resize_plan_test
  cpp/resize/reduce resize_reduce_test replay_resize
  cpp/resize/sums replay_resize resize_passes_test
  cpp/resize/across replay_resize resize_passes_test
  cpp/resize/down replay_resize resize_passes_test
  cpp/resize/taps replay_resize resize_taps_test
  cpp/transpose/ replay_transpose transpose_test
  cpp/transpose/axes axes_test replay_transpose
  cpp/transpose/channels.h replay_kernels kernels_test replay_transpose transpose_test
  cpp/transpose/kernels replay_kernels kernels_test replay_transpose transpose_test
  cpp/transpose/stepped_rows stepped_rows_test
  cpp/transpose/tiles.h replay_kernels kernels_test
  cpp/warp/ warp_test
`;

/** @type {[start: string, ...tests: string[]][]} */
export const rows = table.trim().split('\n').map(words);

/**
 * The tests of a source.
 * @param {string} file
 * @returns {string[]} none where no test is named
 */
export function testsOf(file) {
  const matching = rows.filter(([start]) => file.startsWith(start));
  const [, ...tests] = matching.sort(([a], [b]) => b.length - a.length)[0] ?? [''];
  return tests;
}
