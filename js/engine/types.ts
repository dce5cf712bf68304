/** The types of the engine: the module's exports, boxes and plans, images, scales, rows. */
import type { DType } from '../tensor/index.js';

/** The exports of cpp/bindings.cpp. Addresses are in bits where a name says `Bit`, otherwise in bytes. */
export interface Layout {
  /** the memory that pieces of tensors pass through */
  scratch: () => Uint8Array;
  /**
   * three entries an axis: its extent, and its strides in the source and in the destination, in bits; after the last
   * axis the element's width in bits that `canonicalAxes` left
   */
  axes: () => Float64Array;
  /** the struct of the next call that takes none of its numbers as parameters */
  call: () => Uint32Array;
  /** a table of 256 numbers of up to 32 bits for each channel, one behind the other */
  tables: () => Uint8Array;
  canonicalAxes: (elementBits: number, rank: number, onBytes: boolean) => number;
  plan: (slot: number, elementBits: number, rank: number, onBytes: boolean) => void;
  move: (slot: number, sourceBit: number, destinationBit: number) => void;
  convert: (from: number, to: number, source: number, destination: number, count: number, flags: number) => void;
  /** the struct: PixelNumbers of cpp/image/pixels.h, as for `lookUp` */
  pixels: () => void;
  lookUp: () => void;
  /** of the first bytes of the scratch area, or of their squares */
  sumBytes: (count: number, isSquared: boolean) => number;
  /**
   * makes a plan of the request at the start of the scratch area: float64 numbers in the order of `ResizeRequest` in
   * cpp/resize/plan.h; returns how many bytes of the plan are worth a copy
   */
  planResize: () => number;
  /**
   * makes the next step at the start of the scratch area: int32 numbers in the order of `ResizeStep`; false if there is
   * none
   */
  resizeStep: () => boolean;
  /**
   * the struct: Warp of cpp/warp/warp.h; if not `samples`, writes left, top, right and bottom of the part that a tile
   * needs in the place of the result, as int32
   */
  warp: (samples: boolean) => void;
  /** the struct: Quantization of cpp/quantize/quantize.h, as for `dequantize` */
  quantize: () => void;
  dequantize: () => void;
  /** the struct: ExactQuantization of cpp/quantize/quantize.h */
  quantizeExactly: () => void;
  subtractExactly: (count: number, source: number, zeros: number, destination: number) => void;
  widenRange: (count: number, source: number, range: number) => void;
  /** the struct: ColumnsCall of cpp/bindings.cpp; returns the sum of the squared errors, or -1 */
  quantizeColumns: () => number;
  range: (format: number, math: number, first: number, count: number, values: number, destination: number) => void;
  /** the struct: Selection of cpp/pick/select.h */
  select: () => void;
  /** the struct: ScatterCall of cpp/bindings.cpp, as for `scatterInPlace` */
  scatter: () => void;
  scatterInPlace: () => void;

  /** axes that the block of axes holds, and plans that the module holds */
  maxRank: number;
  plans: number;
  /** the flags of `convert`: this one or 0, `codesFlag` or 0, and `scaleRoundingFlag` times a rounding */
  saturateFlag: number;
  codesFlag: number;
  scaleRoundingFlag: number;
  /** roundings to float8e8m0 */
  up: number;
  down: number;
  nearest: number;
  /** sources of a channel beside the index of a byte */
  opaque: number;
  luma: number;
  openCvLuma: number;
  /** how a pass of resizing sums */
  sumPillow: number;
  sumTorch: number;
  sumDouble: number;
  sumOpenCv: number;
  sumRescaled: number;
  /** changes of alpha */
  premultiply: number;
  onWhite: number;
  /** in the place of a filter, of a change of alpha or of a factor */
  none: number;
  /** bytes at the end of the scratch area that plans of resizing leave alone */
  emitBytes: number;
  /** rows or a block of a grid that has no end; see cpp/quantize/grid.h */
  endless: number;
  /** how `scatter` joins */
  reduceAdd: number;
  reduceMul: number;
  reduceMax: number;
  reduceMin: number;
  reduceMulComplex: number;
  /** the most rows of one call of `scatter`, and the most elements */
  scatterRows: number;
  scatterElements: number;
}

/** One axis of a box. Strides are in bits. */
export interface Axis {
  extent: number;
  source: number;
  destination: number;
}

/** A strided copy, in elements. Elements of the destination are distinct. */
export interface Box {
  extents: readonly number[];
  /**
   * strides in the source: negative to run backwards, 0 to read an element again; `nextMemory` to step from one source
   * to the next
   */
  from: readonly number[];
  /** strides in the destination: negative to run backwards; `nextMemory` to step from one destination to the next */
  to: readonly number[];
  /** the first element in the source; 0 if omitted */
  first?: number;
  /** the first element in the destination; 0 if omitted */
  start?: number;
  /** the index of the first source; 0 if omitted */
  source?: number;
  /** the index of the first destination; 0 if omitted */
  destination?: number;
  /** where an axis may repeat all that is inside it: plans that this moves once */
  copies?: Copies;
}

/** The boxes that follow from two lists of numbers. */
export type Describe = (a: readonly number[], b: readonly number[]) => Box[];
/** Undefined: there is nothing to move. */
export type PlanBox = (elementBits: number, box: Box) => MovableBox | undefined;
export type Copies = (elementBits: number, box: Box, planBox: PlanBox) => MovableBox | undefined;

export type Move = (box: any, sources: any[], destinations: any[]) => void;
/** A planned box with the way to move it, and with what this way keeps. */
export type MovableBox = { move: Move } & Record<string, any>;

export interface Plan {
  describe: Describe;
  bits: number;
  a: readonly number[];
  b: readonly number[];
  boxes: MovableBox[];
  /** whether all boxes are so small that staging compares the lengths, too: saves a small tensor 30 of 300 ns */
  isStaged: boolean;
  /** bytes that each source must hold */
  reads: number[];
  /** bytes that each destination must hold */
  writes: number[];
}

/** A box ready to move. Addresses and strides are in bits; memory k begins at k * `memoryBits`. */
export interface PlannedBox {
  /** the width of what moves as one element */
  bits: number;
  /** canonical */
  axes: Axis[];
  /** the address of the element at index 0 in the sources */
  from: number;
  /** its address in the destinations */
  to: number;
  /** the index of the first source, and how many the box takes */
  source: number;
  sources: number;
  destination: number;
  destinations: number;
}

/**
 * The part of both memories that a small box takes: all that lies between its first and its last element. Of several
 * sources it takes the same part of each.
 */
export interface Spans {
  /** the source's first byte */
  low: number;
  /** the byte after the source's last one */
  end: number;
  /** the distance of one source from the next in the scratch area, in bytes */
  apart: number;
  /** the destination's first byte */
  start: number;
  /** bytes of the destination */
  bytes: number;
  /** place of the destination's first bit in its byte */
  phase: number;
  /** bits of the destination's last byte that the box fills; 0 for all */
  tail: number;
  /** the staged result, by the class of the destination */
  views: Record<string, any>;
}

/** A box to cut: canonical axes, and the orders of its axes in both memories. */
export interface CutAxes {
  /** the element's width */
  bits: number;
  axes: readonly Axis[];
  /** axes from the destination's innermost outward */
  outward: number[];
  /** axes from the source's innermost outward, without those of stride 0 */
  inward: number[];
}

export interface Cuts extends CutAxes {
  extents: number[];
  /** extents of a slab; slabs at the box's end are smaller */
  slab: number[];
  /** extents of a strip; strips at the slab's end are smaller */
  strip: number[];
  /** whether runs of the destination are long enough to be staged at their place of a line */
  isLong: boolean;
}

/** A piece as it lies in the scratch area. The element at index 0 is not the lowest one where a stride is negative. */
export interface StagedLayout {
  /** of all axes, in bits; a source's negative stride stays negative */
  strides: number[];
  /** from the lowest bit to the highest */
  bits: number;
  runBits: number;
  /** the runs in the scratch area, in bits from the lowest */
  places: Float64Array;
  /** the runs in the memory, in bits from the lowest */
  offsets: Float64Array;
}

/** A slab as it lies in the scratch area. */
export interface Slab {
  size: number[];
  staged: StagedLayout;
  /** place of its lowest bit in its byte */
  phase: number;
  /** the address of the element at index 0, in bits */
  first: number;
  /** by what is cut off, and by where they begin on both sides */
  strips: Map<number, Strip>;
}

/** A strip as it lies in the scratch area. */
export interface Strip {
  slot: number;
  size: number[];
  staged: StagedLayout;
  /** the address of its first bit */
  first: number;
  /** the runs */
  views: Uint8Array[];
  /** whether a run begins or ends within a byte */
  isPartial: boolean;
}

/** The rules of a conversion; cpp/convert/convert.h says what each does. */
export interface Rules {
  saturate: boolean;
  round_mode: 'up' | 'down' | 'nearest';
  codes?: true;
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
 * Takes rows of the result, or a block of their columns, from byte `at` of the scratch area on, one row after the
 * other. It may use the last `emitBytes` of the scratch area.
 */
export type Emit = (at: number, row: number, rows: number, column: number, columns: number) => void;

/**
 * Where a channel of the result comes from: a byte of the pixel, by its index; `opaque`, which is 255 whatever the
 * pixel; or `luma` of red, green and blue by Pillow's weights, as `openCvLuma` by OpenCV's.
 */
export type ChannelSource = number | 'opaque' | 'luma' | 'openCvLuma';

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

/** How weights are rounded; cpp/quantize/columns.h says what each does. */
export interface ColumnRule {
  bits: number;
  /** rows of a block */
  block: number;
  symmetric: boolean;
  /** whether the zero point is added before the sum is rounded */
  after: boolean;
  /** whether a byte holds the codes of the next rows of a column; otherwise it holds one code */
  joined: boolean;
  /** whether errors are summed */
  measured: boolean;
  /** the lowest code */
  lowest: number;
  /** the zero point of symmetric codes */
  zero: number;
}

/**
 * Scales and zero points [blocks, columns]; codes of one byte [rows, columns], or joined ones, of the rows of whole
 * blocks [blocks * block * bits / 8, columns].
 */
export interface Columns {
  codes: Uint8Array;
  scales: Float32Array;
  zeros: Uint8Array;
  /** the sum of the squared errors; 0 where they are not measured */
  squares: number;
}

/**
 * How elements share scales. Elements come in rows of `width`, an axis has `rows` rows, and `block` rows in a turn
 * share a row of scales, with one for each column. The last block of an axis may be short. The rows of scales repeat
 * where there are more blocks than rows of them. See cpp/quantize/grid.h.
 */
export interface Sharing {
  /** 1: a scale for whole elements in a row */
  width: number;
  /** Infinity: one axis */
  rows: number;
  /** Infinity: one block */
  block: number;
}

/** Scales and zero points of a tensor. */
export interface Scales {
  sharing: Sharing;
  scales: Float32Array | Float64Array;
  /** as many; undefined for none */
  zeros: Float32Array | Float64Array | undefined;
  /** stands for a zero point where there is none: 0, or -0, which changes no sum */
  defaultZeroPoint: number;
}

/** Types, sizes and memory of one quantization. */
export interface Quantization {
  from: DType;
  to: DType;
  /** in elements */
  size: number;
  source: Uint8Array;
  destination: Uint8Array;
}

/** How numbers are divided and rounded. */
export interface Rounding {
  /** of the quotient: float32, float16, bfloat16; int32 for exact quotients */
  precision: DType;
  /** counts for float8 */
  saturate: boolean;
}

/** Rows to copy. Their numbers count rows of the source; the result's rows follow one another. */
export interface Rows {
  /** elements of a row */
  run: number;
  rows: Int32Array | Float64Array;
  /** how often the list is gone through; 1 if omitted */
  blocks?: number;
  /** rows of the source from one block to the next */
  step?: number;
}

export type ScatterReduction = 'add' | 'mul' | 'max' | 'min';
export type ScatteredRows = Pick<Rows, 'run' | 'rows'>;

/** Three inputs of one shape: the mask, the elements where it is not 0, and the elements elsewhere. */
export interface Selection {
  /** of the result */
  extents: readonly number[];
  /** of the three inputs, in elements; 0 to read an element again */
  strides: readonly (readonly number[])[];
}
