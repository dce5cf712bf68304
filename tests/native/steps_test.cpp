// Each step is there for exactly the formats that convert/steps.h names.

#include "convert/steps.h"

#include "check.h"

namespace {

using layout::Format;
using layout::FormatRow;
using layout::Kind;

/// Compares a function of steps with whether a step is `wanted` for a format's row.
template <typename Wanted>
void expect(const char* name, layout::Step (*step_for)(Format), const Wanted& wanted) {
  for (const FormatRow& row : layout::kFormatTable) {
    check((step_for(row.format) != nullptr) == wanted(row), "%s, format %d", name, static_cast<int>(row.format));
  }
}

}  // namespace

int main() {
  const auto is_integer = [](const FormatRow& row, int least, int most) {
    return (row.kind == Kind::kUnsigned || row.kind == Kind::kSigned) && row.bits >= least && row.bits <= most;
  };
  const auto is_float = [](const FormatRow& row, int least, int most) {
    return row.kind == Kind::kFloat && row.bits >= least && row.bits <= most;
  };
  const auto to_float32 = [&](const FormatRow& row) { return is_integer(row, 8, 32) || is_float(row, 64, 64); };
  expect("float_to_float32", layout::float_to_float32, [&](const FormatRow& row) { return is_float(row, 6, 16); });
  expect("float32_to_float", layout::float32_to_float, [&](const FormatRow& row) { return is_float(row, 4, 16); });
  expect("number_to_float32", layout::number_to_float32, to_float32);
  expect("number_to_sticky_float32", layout::number_to_sticky_float32, to_float32);
  expect("number_to_float64", layout::number_to_float64,
         [&](const FormatRow& row) { return is_integer(row, 32, 64) || is_float(row, 32, 32); });
  expect("number_to_int32", layout::number_to_int32,
         [&](const FormatRow& row) { return (is_integer(row, 8, 64) && row.bits != 32) || is_float(row, 32, 64); });
  expect("number_to_int64", layout::number_to_int64,
         [&](const FormatRow& row) { return is_integer(row, 32, 32) || is_float(row, 64, 64); });
  expect("number_to_bool", layout::number_to_bool, [&](const FormatRow& row) {
    return row.kind == Kind::kBool || is_integer(row, 8, 64) || is_float(row, 32, 64);
  });
  std::puts("steps");
}
