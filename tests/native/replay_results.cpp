// Makes calls of the postprocess module again that tests/fuzz/extents.js recorded: on the host, where each piece of
// memory has exactly the size that JS took, so that the sanitizers see the first access beyond it. A call is a line:
// the name, the numbers, and the pieces (address, size, bytes in hexadecimal up to a full stop; the others are 0xff).

#pragma clang diagnostic ignored "-Wunknown-attributes"
#include "../../cpp/modules/mask_exports.cpp"
#include "../../cpp/modules/postprocess_exports.cpp"

#include <cmath>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "check.h"

std::uint8_t __heap_base = 0;

namespace {

struct Piece {
  std::uint32_t address;
  std::size_t size;
  std::unique_ptr<std::uint8_t[]> bytes;
};

/// A call of the wasm module: addresses are those of its memory.
struct Call {
  std::string name;
  std::vector<double> numbers;
  std::vector<Piece> pieces;
  Piece none{0, 0, std::unique_ptr<std::uint8_t[]>(new std::uint8_t[0])};
  // The host's form of structs that hold addresses.
  layout::Head head{};
  layout::ContourSpace contours{};

  /// The piece that holds an address: of two the one that has a byte there. Without one it is a piece of no bytes.
  Piece& piece_of(double address) {
    Piece* found = &none;
    for (Piece& piece : pieces) {
      const double at = address - piece.address, size = static_cast<double>(piece.size);
      if (at >= 0 && (at < size || (at == size && found == &none))) found = &piece;
    }
    return *found;
  }
  std::uint8_t* pointer_of(double address) {
    if (address == 0) return nullptr;
    const Piece& piece = piece_of(address);
    return piece.bytes.get() + (&piece == &none ? 0 : static_cast<std::size_t>(address - piece.address));
  }
};

/// Reads the words of a struct as wasm32 lays it out.
class Words {
 public:
  Words(Call& call, double address) : call_(call), at_(call.pointer_of(address)) {}
  std::uint32_t word() {
    std::uint32_t value = 0;
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  template <typename T>
  T* pointer() {
    return reinterpret_cast<T*>(call_.pointer_of(word()));
  }

 private:
  Call& call_;
  const std::uint8_t* at_;
};

template <typename T>
T argument_of(Call& call, double number) {
  if constexpr (std::is_same_v<T, const layout::Head*>) {
    Words words(call, number);
    auto& head = call.head;
    head.data = words.pointer<const float>();
    for (std::size_t* extent : {&head.anchors, &head.classes, &head.channel_stride, &head.anchor_stride})
      *extent = words.word();
    head.has_objectness = words.word() != 0;
    return &head;
  } else if constexpr (std::is_same_v<T, const layout::ContourSpace*>) {
    Words words(call, number);
    call.contours.points = words.pointer<std::int32_t>();
    call.contours.contours = words.pointer<layout::Contour>();
    call.contours.capacity = words.word();
    return &call.contours;
  } else if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<T>(call.pointer_of(number));
  } else if constexpr (std::is_integral_v<T>) {
    // As a number becomes an i32.
    const double whole = std::isfinite(number) ? std::trunc(number) : 0;
    return static_cast<T>(static_cast<std::uint32_t>(static_cast<std::int64_t>(whole)));
  } else {
    return static_cast<T>(number);
  }
}

template <typename Result, typename... Arguments, std::size_t... i>
void make(Result (*kernel)(Arguments...), Call& call, std::index_sequence<i...>) {
  kernel(argument_of<Arguments>(call, call.numbers[i])...);
}

template <typename Result, typename... Arguments>
void make(Result (*kernel)(Arguments...), Call& call) {
  check(call.numbers.size() == sizeof...(Arguments), "%s of %zu numbers", call.name.c_str(), call.numbers.size());
  make(kernel, call, std::index_sequence_for<Arguments...>());
}

/// Numbers of a step behind its kind, and which of them is an address: see postprocess/rows.h.
struct StepForm {
  int numbers;
  bool begins_with_address;
};
constexpr StepForm kStepForms[] = {{4, false}, {4, false}, {3, true},  {0, false},
                                   {2, false}, {2, false}, {0, false}, {3, true}};

/// A block of planes holds addresses, and its steps are larger here than in wasm32.
void translate_planes(Call& call) {
  auto* at = reinterpret_cast<double*>(call.pointer_of(call.numbers[0]));
  const double* block = at;
  const auto translate = [&](double* place) {
    *place = static_cast<double>(reinterpret_cast<std::uintptr_t>(call.pointer_of(*place)));
  };
  translate(at);
  int left = static_cast<int>(at[5]);
  for (at += 6; left > 0; --left) {
    const StepForm& form = kStepForms[static_cast<int>(*at)];
    if (form.begins_with_address) translate(at + 1);
    at += 1 + form.numbers;
  }
  if (call.name == "rows_bytes") return;
  Piece& scratch = call.piece_of(call.numbers[1]);
  scratch.size = static_cast<std::size_t>(rows_bytes(block));
  scratch.bytes.reset(new std::uint8_t[scratch.size]);
}

#define KERNEL(name)                             \
  {                                              \
#name, [](Call & call) { make(name, call); } \
  }
#define PLANES(name)                                                \
  {                                                                 \
#name, [](Call& call) { translate_planes(call); make(name, call); } \
  }

const std::map<std::string, std::function<void(Call&)>> kKernels = {
    PLANES(rows_bytes),
    PLANES(store_planes),
    PLANES(threshold_planes),
    PLANES(label_planes),
    PLANES(own_planes),
    PLANES(paint_plane),
    PLANES(mean_planes),
    KERNEL(name_owners),
    KERNEL(label_cells_bytes),
    KERNEL(label_cells),
    KERNEL(widen),
    KERNEL(narrow),
    KERNEL(softmax_doubles),
    KERNEL(multiply),
    KERNEL(sigmoid),
    KERNEL(softmax),
    KERNEL(softmax_outer),
    KERNEL(find_extreme),
    KERNEL(top_k),
    KERNEL(sort_rows),
    KERNEL(swap_axes),
    KERNEL(convert_boxes),
    KERNEL(scale_boxes),
    KERNEL(sort_corners),
    KERNEL(clip_boxes),
    KERNEL(box_areas),
    KERNEL(box_overlaps),
    KERNEL(large_boxes),
    KERNEL(suppress),
    KERNEL(suppress_scores),
    KERNEL(find_above),
    KERNEL(count_above),
    KERNEL(gather_rows),
    KERNEL(cut_rows),
    KERNEL(sum_votes),
    KERNEL(scale_points),
    KERNEL(blur_maps),
    KERNEL(keep_peaks),
    KERNEL(find_peaks),
    KERNEL(refine_peaks),
    KERNEL(normalize_vectors),
    KERNEL(average_mirrored),
    KERNEL(name_colors),
    KERNEL(separate_planes),
    KERNEL(blend_background),
    KERNEL(sample_picture),
    KERNEL(count_taps),
    KERNEL(resize_axis),
    KERNEL(widen_bytes),
    KERNEL(narrow_bytes),
    KERNEL(find_candidates),
    KERNEL(gather_channels),
    KERNEL(find_scored_rows),
    KERNEL(shift_boxes),
    KERNEL(suppress_rotated),
    KERNEL(regularize_boxes),
    KERNEL(leave_letterbox),
    KERNEL(count_runs),
    KERNEL(fill_runs),
    KERNEL(value_runs),
    KERNEL(mask_boxes),
    KERNEL(cut_masks),
    KERNEL(find_contours),
    KERNEL(convex_hull),
    KERNEL(min_area_rect),
    KERNEL(box_points),
    KERNEL(approximate_polygon),
    KERNEL(contour_area),
    KERNEL(fill_polygon),
    KERNEL(binarize),
    KERNEL(find_text),
    KERNEL(paint_labels),
    KERNEL(join_alpha),
    KERNEL(warp_picture),
};

Call read_call(const std::string& line) {
  std::istringstream in(line);
  Call call;
  std::size_t count = 0;
  in >> call.name >> count;
  for (std::string number; call.numbers.size() < count && in >> number;)
    call.numbers.push_back(std::strtod(number.c_str(), nullptr));
  in >> count;
  while (call.pieces.size() < count) {
    Piece piece{};
    std::string bytes;
    in >> piece.address >> piece.size >> bytes;
    check(!in.fail() && bytes.size() / 2 <= piece.size, "in a line of %s", call.name.c_str());
    piece.bytes.reset(new std::uint8_t[piece.size]);
    std::fill_n(piece.bytes.get(), piece.size, std::uint8_t{0xff});
    for (std::size_t i = 0; i < bytes.size() / 2; ++i)
      piece.bytes[i] = static_cast<std::uint8_t>(std::stoi(bytes.substr(2 * i, 2), nullptr, 16));
    call.pieces.push_back(std::move(piece));
  }
  return call;
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  int calls = 0;
  for (std::string line; std::getline(std::cin, line); ++calls) {
    Call call = read_call(line);
    const auto kernel = kKernels.find(call.name);
    check(kernel != kKernels.end(), "%s", call.name.c_str());
    kernel->second(call);
  }
  check(calls > 0, "no calls");
}
