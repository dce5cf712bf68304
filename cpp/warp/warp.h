/// Pixels through an affine map or a perspective, as OpenCV computes them.
#pragma once

#include <cstdint>

namespace layout {

/// A tile of the result. The part of the picture in memory holds what `find_part` says, or more.
struct Warp {
  const std::uint8_t* part;  // rows of `part_width` pixels, from pixel (left, top) of the picture on
  std::uint8_t* to;          // `rows` of `columns` pixels
  std::int32_t taps;         // in each direction: 1 of nearest, 2 of linear, 4 of cubic samples
  std::int32_t channels;     // 1 to 4
  std::int32_t width;        // of the picture
  std::int32_t height;
  std::int32_t left;
  std::int32_t top;
  std::int32_t part_width;
  std::int32_t column;  // the tile's first pixel in the result
  std::int32_t row;
  std::int32_t columns;
  std::int32_t rows;
  std::int32_t result_width;
  std::int32_t is_perspective;  // else the matrix has 6 numbers
  std::int32_t repeats_edges;   // else `background` lies around the picture
  std::uint8_t background[4];
  float matrix[9];  // from places in the result to those in the picture
};

/// Writes a tile of the result.
void warp(const Warp& call);

/// Writes the edges, in pixels, of the part of the picture that a tile needs: left, top, right and bottom, of which the
/// last two lie past it.
void find_part(const Warp& call, std::int32_t* edges);

}  // namespace layout
