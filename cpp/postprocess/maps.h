/// Maps of a picture's size: normals, mattes, colors, meshes. Each has planes of `size` numbers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace layout {

/// Divides the vector at each of `size` places, one number of each of three planes, by its norm, or by `least` where
/// the norm is smaller. The squares are summed in float64, the norm is float32. `to` may be `x`.
void normalize_vectors(const float* x, std::size_t size, float least, float* to);

/// Writes the mean of a map and of another one that is mirrored left to right. `to` may be `x`.
void average_mirrored(const float* x, const float* mirrored, std::size_t rows, std::size_t width, float* to);

/// Numbers that were normalized, of 3 planes: the mean and the deviation of each.
struct Normalization {
  float mean[3];
  float deviation[3];
};

/// Reads a picture that SegGPT has painted: undoes the normalization, limits numbers to 0..255, and writes the index of
/// the nearest of `count` colors (r, g, b) at each pixel, the first of equals. Without colors it writes the mean of the
/// pixel, cut to a whole number. A pixel with NaN gets 0, or without colors int32's least.
void name_colors(const float* rgb, std::size_t size, const Normalization& normalization, const float* colors,
                 std::size_t count, std::int32_t* to);

/// Lowers, at each pixel, all of `count` planes but the greatest (the first of equals) to at most -10: SAM 2's
/// non-overlapping constraints.
void separate_planes(float* x, std::size_t count, std::size_t size);

/// Lays three planes, already multiplied by `alpha`, over a background of three planes: foreground + (1 - alpha) *
/// background. Writes three planes of bytes, of which 255 stands for 1.
void blend_background(const float* foreground, const float* alpha, const float* background, std::size_t size,
                      std::uint8_t* to);

/// A picture in planes.
struct PlanarPicture {
  const float* data;
  int channels;
  int height;
  int width;
};

/// Writes bilinear samples as torch's grid_sample with align_corners: a position of -1 is the middle of the first pixel
/// of an axis, 1 that of the last, and pixels outside of the picture are 0. `mesh` has the positions, two planes of the
/// picture's size: x and y. Samples times `scale` become bytes, limited to 0..255 and cut (NaN gives 0): [height,
/// width, channels] with the last channel first.
void sample_picture(const PlanarPicture& from, const float* mesh, float scale, std::uint8_t* to);

/// Writes the color of each label, 4 bytes; labels without one become 0.
void paint_labels(const std::int32_t* labels, std::size_t count, const std::uint32_t* colors, std::size_t known,
                  std::uint32_t* to);

/// The numbers of a mask: bytes, which are the alpha; bytes of 0 and 1; or float32 of 0 to 1.
enum class MaskKind : int { kUint8, kBool, kFloat32 };

/// Writes pixels of red, green, blue and the alpha of a mask; other channels are left out. Floats are limited to 0..1
/// and multiplied by 255; halves are rounded up, NaN is 0.
void join_alpha(const std::uint8_t* pixels, std::size_t count, std::size_t channels, const void* mask, MaskKind kind,
                std::uint8_t* to);

}  // namespace layout
