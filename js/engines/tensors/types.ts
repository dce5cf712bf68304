/** The types of the engine: the module's exports, boxes and plans, scales, rows. */
import type { TypedArray } from '../../arguments/types.js';
import type { TensorData } from '../../tensor/types.ts';
import type { DType } from '../../tensor/index.js';

/** The exports of cpp/modules/bindings.cpp. Addresses are in bits where a name says `Bit`, otherwise in bytes. */
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
  canonicalAxes: (elementBits: number, rank: number, onBytes: boolean) => number;
  plan: (slot: number, elementBits: number, rank: number, onBytes: boolean) => void;
  move: (slot: number, sourceBit: number, destinationBit: number) => void;
  convert: (from: number, to: number, source: number, destination: number, count: number, flags: number) => void;
  /** of float32 numbers in place; returns how many were clipped, times 2^26, plus how many were raised */
  fitFloat16: (count: number, numbers: number) => number;
  /** the struct: Quantization of cpp/quantize/quantize.h, as for `dequantize` */
  quantize: () => void;
  dequantize: () => void;
  /** the struct: ExactQuantization of cpp/quantize/quantize.h */
  quantizeExactly: () => void;
  subtractExactly: (count: number, source: number, zeros: number, destination: number) => void;
  widenRange: (count: number, source: number, range: number) => void;
  /** the struct: BlockRanges of cpp/quantize/quantize.h; returns the number of blocks, or -1 */
  blockRanges: () => number;
  /** the struct: QuantizedColumns of cpp/quantize/columns.h; returns the sum of the squared errors, or -1 */
  quantizeColumns: () => number;
  /** the struct: Bnb4 of cpp/quantize/bnb4.h */
  encodeBnb4: () => void;
  range: (format: number, math: number, first: number, count: number, values: number, destination: number) => void;
  /** the struct: IndexTuples of cpp/pick/indices.h; returns the number of rows, or -1 - the place of a wrong index */
  nameRows: () => number;
  /** the struct: Selection of cpp/pick/select.h */
  select: () => void;
  /** the struct: ScatterCall of cpp/pick/scatter.h, as for `scatterInPlace` */
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
  /** rows or a block of a grid that has no end; see cpp/quantize/grid.h */
  endless: number;
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

export type Move = (box: any, sources: TensorData[], destinations: TensorData[]) => void;
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
  /** where the result is staged, in bytes; `destinationByte` if omitted */
  place?: number;
  /** the staged result, by the class of the destination */
  views: Record<string, TypedArray>;
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

/** Which scales the elements of a piece have. See cpp/quantize/grid.h. */
export interface Grid {
  width: number;
  rows: number;
  block: number;
  row: number;
  column: number;
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
  /** nothing is made without one */
  destination?: Uint8Array;
}

/** How numbers are divided and rounded. */
export interface Rounding {
  /** of the quotient: float32, float16, bfloat16; int32 for exact quotients */
  precision: DType;
  /** counts for float8 */
  saturate: boolean;
}

/** Tuples of indices, each of which names a row of a tensor; cpp/pick/indices.h says how. */
export interface IndexTuples {
  /** indices of a tuple */
  length: number;
  /** an extent and a stride, in rows, of each axis that a tuple names, and of each on which the tuples lie */
  axes: readonly number[];
  /** whether an index below 0 counts from the back */
  isSigned: boolean;
  /** elements of the tensor that the rows are of */
  size: number;
}

/** Rows to copy. Their numbers count rows of the source; the result's rows follow one another. */
export interface Rows {
  /** elements of a row */
  run: number;
  /** int32 where the size is below 2^31 */
  rows: Int32Array | Float64Array;
  /** elements of the tensor that the rows are of */
  size: number;
  /** how often the list is gone through; 1 if omitted */
  blocks?: number;
  /** rows of the source from one block to the next */
  step?: number;
}

export type ScatterReduction = 'add' | 'mul' | 'max' | 'min';
export type ScatteredRows = Pick<Rows, 'run' | 'rows' | 'size'>;

/** Three inputs of one shape: the mask, the elements where it is not 0, and the elements elsewhere. */
export interface Selection {
  /** of the result */
  extents: readonly number[];
  /** of the three inputs, in elements; 0 to read an element again */
  strides: readonly (readonly number[])[];
}
