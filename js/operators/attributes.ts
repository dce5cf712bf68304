/** The options of calls, and the attributes of the operators by their ONNX names. */
import type { Integers } from '../arguments/index.js';
import type { ScatterReduction } from '../engines/tensors/types.js';
import type { TensorLike, TypeName } from '../tensor/index.js';

export type Flag = 0 | 1 | boolean;

/** The options that every call takes beside its attributes. */
export interface CallOptions {
  /** whose rules apply; the newest if omitted */
  opset?: number;
  /** `false` lifts the version's type list, and nothing else */
  strict?: boolean;
}

export interface Results {
  /** a tensor of the result's type and dims to write to, its memory apart from the inputs' */
  out?: TensorLike;
}

/** a number stands for a list of one entry */
export type IntegersLike = number | bigint | Integers | TensorLike;

/** a number stands for a scalar, a list for one axis */
export type IndicesLike = number | bigint | Integers | TensorLike;

export type Reduction = 'none' | ScatterReduction;

export type RoundMode = 'up' | 'down' | 'nearest';

/** a number, or an int32 or int64 scalar */
export type PositionLike = number | bigint | TensorLike;

export interface CastAttributes {
  /** from opset 19; 1 if omitted; counts for the five 8-bit floats */
  saturate?: Flag;
  /** from opset 24; 'up' if omitted; counts for float8e8m0, where 'nearest' takes ties up */
  round_mode?: RoundMode;
}

export interface DequantizeLinearAttributes extends GranularityOptions {
  /** from opset 23: the result's type; that of x_scale if omitted */
  output_dtype?: 'float32' | 'float16' | 'bfloat16' | 'float';
}

export interface QuantizedResults {
  /** a uint8 tensor of the dims of x, to which y is written; its memory apart from that of x */
  out?: TensorLike;
}

export interface GranularityOptions {
  /** in [-rank, rank - 1]; 1 if omitted; from opset 13; counts where there is more than one scale */
  axis?: number | bigint;
  /**
   * from opset 21; 0 if omitted: one scale for each entry of the axis. Otherwise one for so many entries of the axis,
   * and for each entry of the other axes
   */
  block_size?: number | bigint;
}

export interface QuantizeLinearAttributes extends GranularityOptions {
  /** from opset 19; 1 if omitted; counts for the four float8 types */
  saturate?: Flag;
  /** from opset 21: the result's type; that of y_zero_point if omitted, or else uint8 */
  output_dtype?: TypeName;
  /**
   * from opset 23: of the quotient; the type of y_scale if omitted, or that of x where y_scale is float8e8m0. Before
   * opset 23 it is float32
   */
  precision?: 'float32' | 'float16' | 'bfloat16' | 'float';
}

export interface ConcatFromSequenceAttributes {
  /** needed: in [-rank, rank - 1] of the tensors, with new_axis in [-rank - 1, rank] */
  axis?: number | bigint;
  /** 1 joins along a new axis, as `stack` does; 0 if omitted */
  new_axis?: Flag;
}

export interface ConcatAttributes {
  /** in [-rank, rank - 1], before opset 11 in [0, rank - 1]; needed from opset 4 on, 1 if omitted before */
  axis?: number | bigint;
}

export interface SplitToSequenceAttributes {
  /** in [-rank, rank - 1]; 0 if omitted */
  axis?: number | bigint;
  /** 0 drops the axis, and counts only where split is omitted */
  keepdims?: Flag;
}

export interface SplitAttributes {
  /** in [-rank, rank - 1], before opset 11 in [0, rank - 1]; 0 if omitted */
  axis?: number | bigint;
  /** from opset 18, in place of `split`: how many pieces, of which the last may be smaller */
  num_outputs?: number | bigint;
  /** below opset 13 */
  split?: Integers;
}

export interface SplitResults {
  /** one tensor a piece to write to */
  out?: readonly TensorLike[];
}

export interface DepthToSpaceAttributes {
  /** the side of a block, 1 or more; always needed */
  blocksize?: number | bigint;
  /** whether a block's place is the outer part of a channel's index, or the inner one; `'DCR'` if omitted */
  mode?: 'DCR' | 'CRD';
}

export interface FlattenAttributes {
  /** in [-r, r] (below opset 11: in [0, r]); 1 if omitted */
  axis?: number | bigint;
}

export interface ReshapeAttributes {
  /** from opset 14; 0 if omitted */
  allowzero?: Flag;
  /** below opset 5 */
  shape?: Integers;
  /** below opset 5, without meaning */
  consumed_inputs?: Integers;
}

export interface ShapeAttributes {
  /** from opset 15: the first axis, counted from the back if negative; 0 if omitted */
  start?: number | bigint;
  /** from opset 15: the axis after the last one; the rank if omitted */
  end?: number | bigint;
}

export interface SpaceToDepthAttributes {
  /** the side of a block, 1 or more; always needed */
  blocksize?: number | bigint;
  /**
   * from opset 28: whether a block's place is the outer part of a channel's index, or the inner one; `'DCR'` if omitted
   */
  mode?: 'DCR' | 'CRD';
}

export interface SqueezeAttributes {
  /** below opset 13 */
  axes?: Integers;
}

export interface TransposeAttributes {
  /** each of 0 to rank - 1 once; the axes in reverse if omitted */
  perm?: Integers;
}

export interface UnsqueezeAttributes {
  /** below opset 13 */
  axes?: Integers;
}

export interface CenterCropPadAttributes {
  /** those that `shape` is of, in [-rank, rank - 1]; all if omitted */
  axes?: Integers;
}

export interface PadAttributes {
  /**
   * what the borders hold: one value; the elements mirrored at the first and last one, as often as it takes; the first
   * and the last one; from opset 19, the elements from the other end. `'constant'` if omitted
   */
  mode?: 'constant' | 'reflect' | 'edge' | 'wrap';
  /** at opset 2 to 10 */
  pads?: Integers;
  /** at opset 1 */
  paddings?: Integers;
  /** below opset 11, a float32; 0 if omitted */
  value?: number;
}

export interface CompressAttributes {
  /** the elements in their order, as of one axis, if omitted */
  axis?: number | bigint;
}

export interface EyeLikeAttributes {
  /** of the result; the input's if omitted */
  dtype?: TypeName;
  /** the diagonal: above the main one if positive; 0 if omitted */
  k?: number | bigint;
}

export interface GatherElementsAttributes {
  /** in [-rank, rank - 1]; 0 if omitted */
  axis?: number | bigint;
}

export interface GatherNDAttributes {
  /** from opset 12: so many axes in front that data and indices share; 0 if omitted */
  batch_dims?: number | bigint;
}

export interface GatherAttributes {
  /** in [-rank, rank - 1]; 0 if omitted */
  axis?: number | bigint;
}

export interface OneHotAttributes {
  /** of the result, that the vectors lie on; the last if omitted */
  axis?: number | bigint;
}

export interface RangeAttributes {
  /** from opset 27: in which float16 and bfloat16 are computed; float32 if omitted */
  stash_type?: 'float32' | 'float64';
}

export interface ReverseSequenceAttributes {
  /** 0 or 1; 1 if omitted */
  batch_axis?: number | bigint;
  /** the other one; 0 if omitted */
  time_axis?: number | bigint;
}

export interface ScatterElementsAttributes {
  /** in [-rank, rank - 1]; 0 if omitted */
  axis?: number | bigint;
  /**
   * from opset 16, `max` and `min` from opset 18: how an update joins the element that is there; `'none'`, it takes its
   * place, if omitted
   */
  reduction?: Reduction;
}

export interface ScatterNDAttributes {
  /**
   * from opset 16, `max` and `min` from opset 18: how an update joins the slice that is there; `'none'`, it takes its
   * place, if omitted
   */
  reduction?: Reduction;
}

export interface SliceAttributes {
  /** below opset 10 */
  starts?: Integers;
  /** below opset 10 */
  ends?: Integers;
  /** below opset 10 */
  axes?: Integers;
}

export interface TriluAttributes {
  /** whether the upper triangle stays, which is so if omitted, or the lower one */
  upper?: 0 | 1 | boolean;
}

export interface SequenceEmptyAttributes {
  /** the type of the tensors; float32 if omitted */
  dtype?: TypeName | 'float' | 'double';
}

/** The options of a call: attributes, inputs by their names, and those of every call. */
export type NamedOptions<Attributes, Inputs, Own = Results> = Omit<Attributes, keyof Inputs> &
  Partial<Inputs> &
  Own &
  CallOptions;

/** Options in the place of an input that a call needs: they name that input. */
export type Naming<Options, Name extends keyof Options> = Options & Required<Pick<Options, Name>>;

export type CastOptions = NamedOptions<CastAttributes, { to: TypeName | 'float' | 'double' }>;
export type CenterCropPadOptions = NamedOptions<CenterCropPadAttributes, { shape: IntegersLike }>;
export type DequantizeLinearOptions = NamedOptions<DequantizeLinearAttributes, { x_zero_point: TensorLike | null }>;
export type ExpandOptions = NamedOptions<{}, { shape: IntegersLike }>;
export type GatherElementsOptions = NamedOptions<GatherElementsAttributes, { indices: IndicesLike }>;
export type GatherNDOptions = NamedOptions<GatherNDAttributes, { indices: IndicesLike }>;
export type GatherOptions = NamedOptions<GatherAttributes, { indices: IndicesLike }>;
export type OneHotOptions = NamedOptions<OneHotAttributes, { depth: number | bigint | TensorLike; values: TensorLike }>;
export type PadOptions = NamedOptions<
  PadAttributes,
  {
    pads: IntegersLike;
    constant_value: TensorLike | number | bigint | boolean | string | readonly [number, number] | null;
    axes: IntegersLike | null;
  }
>;
export type QuantizeLinearOptions = NamedOptions<QuantizeLinearAttributes, { y_zero_point: TensorLike | null }>;
export type RangeOptions = NamedOptions<
  RangeAttributes,
  { start: number | bigint | TensorLike; limit: number | bigint | TensorLike; delta: number | bigint | TensorLike }
>;
export type ReshapeOptions = NamedOptions<ReshapeAttributes, { shape: Integers | TensorLike }, {}>;
export type ReverseSequenceOptions = NamedOptions<ReverseSequenceAttributes, { sequence_lens: IndicesLike }>;
export type ScatterElementsOptions = NamedOptions<
  ScatterElementsAttributes,
  { indices: IndicesLike; updates: TensorLike }
>;
export type ScatterNDOptions = NamedOptions<ScatterNDAttributes, { indices: IndicesLike; updates: TensorLike }>;
export type SequenceAtOptions = NamedOptions<{}, { position: PositionLike }, {}>;
export type SequenceEraseOptions = NamedOptions<{}, { position: PositionLike | null }, {}>;
export type SequenceInsertOptions = NamedOptions<{}, { position: PositionLike | null }, {}>;
export type SliceOptions = NamedOptions<
  SliceAttributes,
  { starts: IntegersLike; ends: IntegersLike; axes: IntegersLike | null; steps: IntegersLike | null }
>;
export type SplitOptions = NamedOptions<SplitAttributes, { split: IntegersLike | null }, SplitResults>;
export type SplitToSequenceOptions = NamedOptions<
  SplitToSequenceAttributes,
  { split: number | bigint | Integers | TensorLike | null },
  SplitResults
>;
export type SqueezeOptions = NamedOptions<SqueezeAttributes, { axes: IntegersLike | null }, {}>;
export type TileOptions = NamedOptions<{}, { repeats: IntegersLike }>;
export type TriluOptions = NamedOptions<TriluAttributes, { k: number | bigint | TensorLike | null }>;
export type UnsqueezeOptions = NamedOptions<UnsqueezeAttributes, { axes: IntegersLike }, {}>;
