/** The types of the image engine: the module's exports, images, requests of resizing. */
import type { DType } from '../../tensor/index.js';
import type { Part } from './parts.js';

/** The exports of `image.wasm`, of cpp/modules/image_exports.cpp. Booleans are 0 and 1. */
export interface Kernels {
  /** the struct: PixelNumbers of cpp/image/pixels.h, as for `lookUp`, of each of some groups one behind the other */
  pixels: (groups: number) => void;
  lookUp: (groups: number) => void;
  /** the struct: RgbaPixels of cpp/image/pixels.h */
  rgba: () => void;
  /** of three planes of float32 at the start of the scratch area, whose first becomes gray; whether they were equal */
  grayPlanes: (size: number, isFused: number) => number;
  /** of the first bytes of the scratch area, or of their squares */
  sumBytes: (count: number, isSquared: number) => number;
  /**
   * the structs: Blur and Zoom of cpp/processors. The bytes that a plan takes; it is written where memory is not 0. A
   * step returns the row that it needs of the picture, or -1 for a row of the result
   */
  planBlur: (memory: number) => number;
  planZoom: (memory: number) => number;
  blurStep: (memory: number) => number;
  zoomStep: (memory: number) => number;
  /** the struct: NearestColors of cpp/processors/nearest_colors.h */
  nearestColors: () => void;
  /** the struct: Extremes of cpp/processors/scan.h */
  extremes: () => void;
  /** the struct: BoardRow of cpp/processors/chessboard.h */
  chessboard: () => void;
  /** of pixels of three bytes at the start of the scratch area */
  isGray: (bytes: number) => number;
  /**
   * makes a plan of the `ResizeRequest` of cpp/resize/plan.h at the start of the scratch area; returns how many bytes
   * of the plan are worth a copy
   */
  planResize: () => number;
  /**
   * makes the next `ResizeStep` at the start of the scratch area, over the last one; returns 1, or 0 if there is none
   */
  resizeStep: () => number;
  /**
   * the struct: Warp of cpp/warp/warp.h; if not `samples`, writes left, top, right and bottom of the part that a tile
   * needs in the place of the result, as int32
   */
  warp: (samples: number) => void;
  /** the struct: Samples of cpp/warp/samples.h */
  sample: () => void;

  /** sources of a channel beside the index of a byte */
  opaque: number;
  luma: number;
  openCvLuma: number;
  torchLuma: number;
  /** changes of alpha */
  premultiply: number;
  onWhite: number;
  /** in the place of a filter, of a change of alpha or of a factor */
  none: number;
  /** bytes at the end of the scratch area that plans of resizing leave alone */
  emitBytes: number;
}

/** An image: interleaved bytes, row after row. */
export interface Image {
  data: Uint8Array;
  width: number;
  height: number;
  /** bytes of a pixel: 1 to 4 */
  channels: number;
  /** bytes from one row to the next */
  rowstride: number;
}

/** Pixels of four bytes, the last of which says nothing. */
export interface OpaqueImage extends Image {
  order: 'RGBX' | 'BGRX';
}

/** A map from pixels of a result to places in a picture. See cpp/warp/warp.h. */
export interface Warping {
  filter: 'nearest' | 'linear' | 'cubic';
  /** row by row: 6 numbers, or 9 of a perspective */
  matrix: ArrayLike<number>;
  /** around the picture, a byte for each channel; undefined: the picture's edges are repeated */
  background: ArrayLike<number> | undefined;
}

/** One axis of a picture and of its result, of which the pixels `first` to `first + count` are made. */
export interface ResizeAxis {
  /** a code that the module exports; undefined: pixel i of the result is pixel `from` + i of the source */
  filter?: number;
  /** pixels of the source */
  extent: number;
  /** the part of the source that becomes the result, float32 numbers */
  from: number;
  to: number;
  /** pixels of the whole result */
  size: number;
  first: number;
  count: number;
  /**
   * of OpenCV's rules: pixels of the result for one of the source; `from` is 0 and `to` the extent. Of a filter of
   * float32: the deviation of a Gaussian that blurs before, or 0
   */
  factor?: number;
}

/** A picture to resize, and how. See cpp/resize/plan.h. */
export interface Resizing {
  /** its channels are 4 in mode F, one float32 */
  image: Image;
  /** bytes by Pillow's weights or by torch's, float32, bytes by OpenCV's rules, or bytes that become float32 before */
  sums: 'pillow' | 'torch' | 'double' | 'opencv' | 'rescaled';
  /** whether the filters of both axes are nearest */
  isNearest: boolean;
  /** whether the pass down the columns comes first */
  isDownFirst: boolean;
  columns: ResizeAxis;
  rows: ResizeAxis;
  /** channels that count, where the others are dropped behind; all if omitted */
  counted?: number;
  /** colors are multiplied with the last channel before and divided by it behind; or the picture lies on white */
  alpha: 'premultiplied' | 'white' | undefined;
  /** what comes before: the axes' source is its result */
  reduction?: Reduction;
  /** of `rescaled` */
  rescaling?: Rescaling;
}

/**
 * The numbers that bytes become before they are resized, and what results become: they are rounded, held between `low`
 * and `high`, and then `(x * scale / divisor - mean) / std`, each step in float32.
 */
export interface Rescaling {
  /** 256 for each of three planes */
  numbers: Float32Array;
  /** the channel of each plane */
  sources: readonly number[];
  isRounded?: boolean;
  /** no bound if omitted */
  low?: number;
  high?: number;
  /** 1 if omitted */
  scale?: number;
  divisor?: number;
  /** of each plane */
  mean: readonly number[];
  std: readonly number[];
}

/** A picture made smaller by whole factors, by the means of cells. */
export interface Reduction {
  /** pixels of a cell */
  factorX: number;
  factorY: number;
  /** the part of the picture that cells cover */
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/**
 * Takes a part of the result, some rows or a block of their columns, from address `at` on, one row after the other. It
 * may use what the plan has left of the memory.
 */
export type Emit = (at: number, part: Part) => void;

/**
 * Where a channel of the result comes from: a byte of the pixel, by its index; `opaque`, which is 255 whatever the
 * pixel; or `luma` of red, green and blue by Pillow's weights, as `openCvLuma` by OpenCV's and `torchLuma` by
 * torchvision's.
 */
export type ChannelSource = number | 'opaque' | 'luma' | 'openCvLuma' | 'torchLuma';

/** Numbers of an image, one entry a channel of the result: a formula, or tables. */
export interface Channels {
  sources: readonly ChannelSource[];
  /** of the formula, as `mean` and `std` */
  scale?: readonly number[];
  /** the rest of a factor of float64 below `scale`: x becomes `x * scale + x * low` */
  low?: readonly number[];
  mean?: readonly number[];
  std?: readonly number[];
  /** in place of the formula: for each channel the 256 numbers that bytes become, in the format of the result */
  tables?: Uint8Array;
}

/** The numbers of an image's pixels, and where they go. */
export interface PixelNumbers {
  dtype: DType;
  channels: Channels;
  /** whether each channel is a plane; otherwise a pixel's channels lie side by side */
  isPlanar: boolean;
  /** exactly the bytes of the result */
  destination: Uint8Array;
  /** pixels of the result */
  size: number;
}

/** Numbers of pictures, before or after they are rescaled. */
export type Samples = Float32Array | Uint8Array;

/** How pixels are sampled: see cpp/warp/samples.h. */
export interface Sampling {
  isCubic: boolean;
  numbers: readonly number[];
  /** of columns and of rows */
  places: readonly number[][];
}
