/**
 * Bugs to plant in cpp/: a file and the native tests that must catch its bugs, the cheapest first, and below it a
 * snippet and its replacement for each bug. The snippet stands exactly once in the file. No bug moves a threshold
 * between two ways to the same bytes, because that changes the time alone.
 */
import { rows, words } from '../support/tables.js';

const table = String.raw`
cpp/audio/elementary.cpp audio_elementary_test
  "p.k * kLog2Low + ", "kLog2Low + "
cpp/audio/fft.cpp audio_frames_test replay_audio
  "if (mirrored) to[1] = -to[1];", ""
cpp/audio/frames.cpp audio_frames_test replay_audio
  "before = now;", ""
  "x, y, 2, 6, 3, 7", "x, y, 2, 6, 3, 6"
cpp/audio/radix.cpp audio_frames_test replay_audio
  "plus_minus(tr1, tr4, cr4, cr2)", "plus_minus(tr1, tr4, cr2, cr4)"
  "kIm * (di2 - di3)", "kIm * (di3 - di2)"
cpp/audio/numbers.cpp audio_numbers_test replay_audio
  "wasm_i64x2_shuffle(ab_high, cd_high, 1, 3)", "wasm_i64x2_shuffle(ab_high, cd_high, 0, 3)"
cpp/audio/resample.cpp audio_numbers_test replay_audio
  "const std::ptrdiff_t back = 1 -", "const std::ptrdiff_t back = 2 -"
cpp/audio/tables.cpp replay_audio audio_frames_test
  "bands[2 * f + 1] = end - first;", "bands[2 * f + 1] = end - first - 1;"
cpp/transpose/axes.cpp axes_test replay_transpose
  "inner.src_stride != element_bits || ", ""
cpp/transpose/blocks.h replay_transpose transpose_test
  "offsets_[i - inner_] + stride", "offsets_[i - 1] + stride"
cpp/transpose/small_blocks.cpp replay_transpose transpose_test
  "16 / block * block", "16"
  "step_ <= 48 ? move_row<3>", "step_ <= 64 ? move_row<3>"
cpp/transpose/plan.cpp replay_transpose transpose_test
  "pixels % 2 != 0", "pixels % 1 != 0"
  "i != across && i != down && i != next", "i != across && i != next"
  "src + (src_at >> 3)", "src + src_at / 8"
  "std::min(step, rows - r)", "step"
  "std::min<int64_t>(most, joined_.extent - done)", "most"
  "dst + dst_rows_[i], to)", "dst + dst_rows_[0], to)"
cpp/transpose/stepped_rows.cpp stepped_rows_test
  "15, 14, 13, 12, 11, 10, 9, 8, 7", "15, 14, 13, 12, 11, 10, 9, 7, 8"
  "(kLanes<kBits> - 1) * stride", "kLanes<kBits> * stride"
  "stride == 2 * kBits / 8", "stride == kBits / 8"
cpp/transpose/packed_blocks.cpp replay_transpose transpose_test
  "is_aligned && ", "(is_aligned || true) && "
  "(at & 7)", "(at % 8)"
cpp/bits/packed_runs.h replay_transpose transpose_test
  "8 % kBits == 0 ? 1 : bytes_of", "true ? 1 : bytes_of"
  "join_pairs(load(src))", "load(src)"
cpp/bits/runs.h replay_copy_rows replay_transpose transpose_test
  "0xffu >> phase", "0xffu >> (phase + 1)"
  "shift8(bytes - 8);", "shift8(bytes - 7);"
cpp/transpose/kernels_scalar.cpp replay_kernels kernels_test
  "code >> first", "code"
cpp/transpose/kernels_simd128.cpp replay_kernels kernels_test
  "row += columns - kColumns - c;", ""
  "c + kColumns <= columns", "c + 1 <= columns"
  "rows == 1 || columns == 1", "rows == 0"
  "c < columns; ++c) store", "c + 1 < columns; ++c) store"
cpp/transpose/tiles.h replay_kernels kernels_test
  "c + kColumns <= columns", "c <= columns"
cpp/transpose/channels.h replay_kernels kernels_test replay_transpose transpose_test
  "(kTurn * result + lane)", "(kTurn * result + 2 * lane)"
  "four_pixels_from(0, 1, 3, 1)", "four_pixels_from(0, 1, 2, 1)"
  "store_part<8>(dst + 16, pack", "store_part<8>(dst + 8, pack"
cpp/transpose/kernels_channels.cpp replay_kernels kernels_test replay_transpose transpose_test
  "std::min(at, count - lanes)", "at"
  "src + src_rows[0], dst, dst_rows", "src, dst, dst_rows + 0 * src_rows[0]"
cpp/transpose/kernels_packed.cpp replay_kernels kernels_test
  "EvenRows(dst + r + i", "EvenRows(dst + i"
  "at + 32 <= width", "at + 17 <= width"
cpp/bits/interleave.h replay_kernels kernels_test
  "done *= 2", "done *= 4"
cpp/bits/packed.h replay_convert convert_test replay_transpose transpose_test
  "(byte % 4 + 1) / 2", "(byte % 4) / 2"
  "1u << (12 + 16)", "1u << (11 + 16)"
  "splat8(0x0f)), splat16", "splat8(0x07)), splat16"
  "pairs[2 * i + 1] = zip_high<16>(first, second)", "pairs[2 * i + 1] = zip_high<16>(second, first)"
cpp/bits/vectors.h replay_kernels replay_convert kernels_test convert_test
  "a, b, 0, 2, 4, 6", "a, b, 0, 2, 4, 5"
  "+ 8, value, 2)", "+ 8, value, 1)"
cpp/convert/convert.cpp replay_convert convert_test
  "from.kind == Kind::kSigned ? Format::kInt32 : Format::kUint32", "Format::kInt32"
  "src_bits) + 7) / 8", "src_bits)) / 8"
cpp/convert/formats.def replay_convert convert_test
  "kFloat8E4m3fnuz, 18, Kind::kFloat, 8, 4, 3, 8", "kFloat8E4m3fnuz, 18, Kind::kFloat, 8, 4, 3, 7"
cpp/convert/formats.h replay_convert convert_test
  "(exponent + 127)", "(exponent + 126)"
cpp/convert/steps.h replay_convert convert_test
  "(count * kOutBits + 7) / 8", "(count * kOutBits + 15) / 8"
cpp/convert/small_floats_to_float32.cpp replay_convert convert_test
  "splat8(0x40)", "splat8(0x20)"
  "splat8(1u << (kRow.bits - 1))", "splat8(0x80)"
cpp/convert/float32_to_small_floats.cpp replay_convert convert_test
  "splat16(nan_code(kRow))", "splat16(nan_code(kRow) + 1)"
  "? 0x007fffff", "? 0x00800000"
  "second = mend_nan(second, c, d)", "second = mend_nan(second, d, c)"
cpp/convert/lookup_bytes.cpp replay_convert convert_test
  "if constexpr (kNegate)", "if constexpr (!kNegate)"
  "((1 << bits) - 1) << up", "1 << up"
  "table + kBytes * src[i]", "table + src[i]"
cpp/convert/to_bool.cpp replay_convert convert_test
  "andnot(splat8(1), zeros)", "andnot(splat8(0xff), zeros)"
cpp/convert/packed.cpp replay_convert convert_test
  "store(dst, 4 * i + k", "store(dst, 4 * i + (k | 1)"
  "context.table[pair >> 2] << 4", "context.table[pair & 3] << 4"
cpp/convert/to_floats.cpp replay_convert convert_test
  "differs, splat32(1)", "differs, splat32(0)"
  "wasm_v128_bitselect(nan, x, wasm_f32x4_ne(x, x))", "wasm_v128_bitselect(nan, x, wasm_i32x4_ne(x, x))"
cpp/convert/to_integers.cpp replay_convert convert_test
  "bits >> 63 ? 0 - magnitude", "bits >> 63 ? 1 - magnitude"
  "min(a, b), splat16(0x8000)", "min(a, b), splat16(0x8001)"
  "(15 + 8) << 8 | 15", "(15 + 8) << 8 | 14"
  "wasm_f32x4_nearest(wasm", "wasm_f32x4_trunc(wasm"
cpp/image/look_up.cpp pixels_test
  "std::min(kTile, count - at)", "kTile"
  "src_step = 1;", "src_step = src_bytes;"
  "element == 2 ? look_up_bytes<2>", "element == 2 ? look_up_bytes<1>"
cpp/image/pixels.cpp replay_pixels pixels_test
  "divides |= channel.std != 1", "divides |= channel.std > 1"
  "dst_count) < 16", "dst_count) < 4"
  "wasm_f32x4_nearest(x)", "wasm_f32x4_floor(x)"
  "low[lane] = channel.low", "low[lane] = 0"
cpp/image/rgba.cpp pixels_test
  "2 * step", "2"
  "wasm_f32x4_nearest(", "wasm_f32x4_trunc("
  "4 * some);", "16);"
cpp/processors/blur.cpp processors_test
  "k + i * call.stride", "k + call.stride"
  "k + 3 * j + 2 * p", "k + j + 2 * p"
  "call.lines - 1", "call.lines"
cpp/processors/chessboard.cpp processors_test
  "channels / 4", "channels / 2"
  "+ 127", ""
cpp/processors/nearest_colors.cpp processors_test
  "wasm_f64x2_lt(distance", "wasm_f64x2_le(distance"
  "wasm_f64x2_add(product, product)", "product"
cpp/processors/scan.cpp processors_test
  "numbers + count, kCount, numbers[0]", "numbers + count, kCount, T{}"
  "b % 3 < 2 ? 255 : 0", "255"
cpp/resize/alpha.cpp resize_alpha_test replay_resize
  "kOnWhite ? wasm_v128_or(load(at), is_alpha) : load(at)", "load(at)"
  "std::min(255u, (at[0] * inverses.of[at[1]]) >> 16)", "(at[0] * inverses.of[at[1]]) >> 16"
  "bytes % 16, rest", "bytes % 8, rest"
cpp/resize/curves.h replay_resize resize_taps_test
  "x < 3.0", "x <= 3.0"
cpp/resize/float_taps.cpp resize_float_taps_test
  "(axis.wide - 1.0) / (axis.size - 1.0)", "(axis.wide - 1.0) / axis.size"
  "std::max(0, pixel - reach_)", "pixel - reach_"
  "std::fill_n(sums_, taps.count, 0.0);", ""
  "taps.shift = 1 + (own.count - 1) / 4 * 4;", "taps.shift = 1 + own.count / 4 * 4;"
  "is_fused ? fused(square, x, 1.0f)", "is_fused ? plus(product(square, x), 1.0f)"
cpp/resize/float_passes.cpp resize_plan_test
  "above * right", "above * left"
  "else {\n      sum = fused(number, weight, sum);", "else {\n      sum += number * weight;"
  "std::clamp(whole, numbers.low, numbers.high)", "std::max(whole, numbers.low)"
cpp/resize/opencv_across.cpp replay_opencv resize_opencv_test
  "dst[i] + 4 * kChannels * pixel", "dst[i] + 4 * pixel"
  "at += 2 * kChannels", "at += kChannels"
  "std::min(row + i, rows - 1)", "std::min(row + i, rows)"
cpp/resize/opencv_down.cpp replay_opencv resize_opencv_test
  "wasm_i32x4_add(a, b), splat32(2)", "wasm_i32x4_add(a, b), splat32(1)"
  "rule == Rule::kLinearExact ? 64 : 1", "rule == Rule::kLinearExact ? 32 : 1"
  "x = rest.begin;", "x = rest.begin / 8 * 8 + 8;"
cpp/resize/opencv_taps.cpp replay_opencv resize_opencv_test
  "(1.25f * v - 2.25f) * v * v", "(1.25f * v - 2.25f) * v"
  "std::nearbyint((at - floor) * 256.0)", "std::round((at - floor) * 256.0)"
  "(std::ceil(1.0 / axis.factor)) + 2", "(std::ceil(1.0 / axis.factor))"
  "is_apart && whole[0] == 0", "is_apart && whole[0] <= 1"
cpp/resize/sums.h replay_resize resize_passes_test
  "kIsPillow ? 0 : kFewPrecision - table.precision", "kIsPillow ? 0 : 6"
  " || pairs(taps) > 2", " || pairs(taps) > 3"
  "fraction(splat32((1u << precision) - 1))", "fraction(splat32((1u << precision >> 1) - 1))"
  "static_cast<double>(number) * weight", "static_cast<double>(number * static_cast<float>(weight))"
cpp/resize/down.cpp replay_resize resize_passes_test
  "dst += done * to.stride", "dst += to.stride"
cpp/resize/across.cpp replay_resize resize_passes_test
  "taps->first + taps->count > limit", "taps->first > limit"
  "rows == kRows && x + kBytes <= bytes", "rows == kRows"
  "columns + (first - begin) * 16", "columns + first * 16"
  "i == table.count ? pending : pending / 8 * 8", "pending / 8 * 8"
  "std::min(rows - row, group)", "group"
cpp/resize/areas.h replay_plan resize_plan_test
  "down_taps + std::max(down_taps, stage_rows)", "down_taps"
  "scale_of(request.rows) >= taps", "scale_of(request.rows) >= 0"
cpp/resize/plan.cpp replay_plan resize_plan_test
  "middle + (first - begin) * middle_stride", "middle + first * middle_stride"
  "std::min(request.right - left, asked", "std::max(request.right - left, asked"
  "at(middle + std::ptrdiff_t{piece} * request.channels)", "at(middle)"
  "pixel + shared", "pixel"
  "pixel + counted - shared", "pixel + shared"
  "end > bytes && block > 1", "end > 2 * bytes && block > 1"
  "if (ask() || step.rows > 0) return true;", "if (ask()) return true;"
cpp/resize/reduce.cpp resize_reduce_test replay_resize
  "high > 1 && y + 1 < rows", "high > 1"
  "std::min(cells.width, cells.row - x);\n    const auto pixels", "cells.width;\n    const auto pixels"
  "static_cast<float>(static_cast<std::int32_t>(sum))", "static_cast<float>(sum)"
  "(cells.is_float ? 8 : 4) * numbers", "4 * numbers"
cpp/resize/taps.cpp replay_resize resize_taps_test
  "static_cast<std::int32_t>(at);", "static_cast<std::int32_t>(std::min(at, axis_.from + (i + 0.5) * scale_));"
  "std::min(axis_.extent, static_cast<int>(center + reach + 0.5))", "static_cast<int>(center + reach + 0.5)"
  "weight < 0.0 ? -0.5 : 0.5", "0.5"
  "(peak + (1 << shift >> 1)) >> shift >= 1 << 15", "peak >> shift >= 1 << 15"
cpp/warp/cubic.h warp_test
  "weights[2] = 1 -", "weights[2] = 2 -"
cpp/warp/perspective.cpp warp_test
  "(width - 1 - column) * height", "(width - column) * height"
  "left - 1 + k % kMostTaps", "left + k % kMostTaps"
cpp/warp/samples.cpp warp_test
  "pixel >= 0 && pixel < extent", "pixel < extent"
  "i < 2 ? t + static_cast<float>(1 - i)", "i < 2 ? t - static_cast<float>(1 - i)"
cpp/warp/warp.cpp warp_test
  "within(x + call.taps - 1, call.width)", "within(x + call.taps - 2, call.width)"
  "(row - call.top) * call.part_width", "(row - call.top) * call.width"
cpp/pick/indices.cpp pick_test
  "last.at = 0, ", ""
  "is_chosen != 0", "is_chosen == 1"
cpp/pick/range.cpp pick_test
  "if (math == Format::kFloat64)", "if (math == Format::kFloat32)"
cpp/pick/scatter.cpp pick_test
  "update < current || update != update", "update <= current || update != update"
  "std::size_t{numbers[row]} * rows.run", "std::size_t{numbers[row]}"
cpp/postprocess/approximate.cpp postprocess_test
  "push(to, from);", ""
cpp/postprocess/axis_resize.cpp postprocess_test
  "return x / scale;", "return x / (scale + 1);"
cpp/postprocess/boxes.cpp postprocess_test
  "wasm_v128_not(is_same)", "is_same"
  " && threshold_ >= 0) continue", ") continue"
  "count_++ % kLanes;", "count_++ / kLanes;"
cpp/postprocess/labels.cpp postprocess_test
  "kMargin = 1e-6F", "kMargin = 0"
cpp/postprocess/planes.cpp postprocess_test
  "0x1p-21F + 1e-30F", "0x1p-34F"
cpp/postprocess/runs.cpp postprocess_test
  "if (++y == height)", "if (y++ == height)"
cpp/postprocess/select.cpp postprocess_test
  "if (64 * most <= end)", "if (32 * most <= end)"
cpp/quantize/columns.cpp columns_test replay_quantize
  "wasm_f32x4_mul(x, splat(0))", "splat(0)"
  "std::min(joined, group.rows - row)", "joined"
  "(height / joined)", "(height * joined)"
cpp/quantize/dequantize.cpp quantize_test replay_quantize
  "source.bits < 8 ?", "source.bits < 4 ?"
cpp/pick/select.cpp pick_test
  "mask[i] != 0", "mask[i] == 1"
cpp/quantize/quantize.cpp quantize_test replay_quantize
  "-std::ldexp(1.0, row.bits - 1)", "1.0 - std::ldexp(1.0, row.bits - 1)"
  "(row.bits - is_signed)) - 1)", "(row.bits - is_signed)) - 2)"
  "std::min_element(ends[0], ends[0] + 16)", "std::min_element(ends[0], ends[0] + 4)"
cpp/quantize/runs.cpp quantize_test replay_quantize
  "size % 16", "size % 8"
cpp/quantize/runs.h quantize_test replay_quantize
  "|| left_ % 16 != 0", ""
  "scales.advance(16);", ""
  "zeros += elements;", ""
`;

/** The names of a file and of its tests, and its bugs as text. */
const parts = table
  .trim()
  .split(/\n(?=cpp)/)
  .map((part) => part.split(/\n([^]*)/));

export const tests = Object.fromEntries(parts.map(([names]) => [words(names)[0], words(names).slice(1)]));
export const mutants = Object.fromEntries(parts.map(([names, bugs]) => [words(names)[0], rows(bugs)]));
