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

export interface StackOptions extends Results {
  /** The place of the new axis among the result's axes, from -rank - 1 to rank: 0 if omitted. */
  axis?: number | bigint;
}

export interface UnstackOptions {
  /** The axis that the pieces no longer have, from -rank to rank - 1: 0 if omitted. */
  axis?: number | bigint;
  /** Tensors to write to, one a piece, of its type and dims. */
  out?: readonly TensorLike[];
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

/** Indices along an axis, one an element of what they choose. */
export interface IndicesInput {
  /** Indices along `axis`: negative ones count from the end. */
  indices: IndicesLike;
}

export interface TupleIndicesInput {
  /** Indices whose last axis holds a place in the tensor, one number for each of its first axes. */
  indices: IndicesLike;
}

export interface UpdatesInput {
  /** The elements that are written, or joined with those of the tensor by `reduction`. */
  updates: TensorLike;
}

export interface PadInputs {
  /** Elements that are added in front of each of `axes`, then behind each: negative numbers cut elements off. */
  pads: IntegersLike;
  /** The element that is added in mode 'constant': 0, false or an empty string if omitted. */
  constant_value: TensorLike | number | bigint | boolean | string | readonly [number, number] | null;
  /** The axes that `pads` is for: all if omitted. */
  axes: IntegersLike | null;
}

export interface RangeInputs {
  /** The first number. */
  start: number | bigint | TensorLike;
  /** The number before which the range ends. */
  limit: number | bigint | TensorLike;
  /** The step from one number to the next, which is not 0. */
  delta: number | bigint | TensorLike;
}

export interface SliceInputs {
  /** The first index of each of `axes`: negative ones count from the end. */
  starts: IntegersLike;
  /** The index of each of `axes` before which the slice ends: negative ones count from the end. */
  ends: IntegersLike;
  /** The axes that are sliced: the first ones if omitted. */
  axes: IntegersLike | null;
  /** The step along each of `axes`, which is not 0: 1 if omitted. */
  steps: IntegersLike | null;
}

export interface OneHotInputs {
  /** The extent of the new axis. */
  depth: number | bigint | TensorLike;
  /** The two elements of the result, [off, on]. */
  values: TensorLike;
}

export interface CastInputs {
  /** The type of the result. */
  to: TypeName | 'float' | 'double';
}

export interface CenterCropPadInputs {
  /** The result's extent of each of `axes`. */
  shape: IntegersLike;
}

export interface DequantizeLinearInputs {
  /** The code that stands for 0, one for each scale: 0 if omitted. */
  x_zero_point: TensorLike | null;
}

export interface QuantizeLinearInputs {
  /** The code that stands for 0, one for each scale: 0 if omitted. The result has its type. */
  y_zero_point: TensorLike | null;
}

export interface ExpandInputs {
  /** The dims that the tensor is broadcast with. */
  shape: IntegersLike;
}

export interface ReshapeInputs {
  /** The dims of the result: -1 stands for what is left, and 0 for the extent of the tensor, unless `allowzero` is
   * on. */
  shape: Integers | TensorLike;
}

export interface ReverseSequenceInputs {
  /** Elements that are reversed, one number for each sequence. */
  sequence_lens: IndicesLike;
}

export interface PositionInput {
  /** The place in the sequence: negative ones count from the end. */
  position: PositionLike;
}

export interface OptionalPositionInput {
  /** The place in the sequence, its end if omitted: negative ones count from the end. */
  position: PositionLike | null;
}

export interface SplitInputs {
  /** The extent of each piece along `axis`: equal ones if omitted. */
  split: IntegersLike | null;
}

export interface SplitToSequenceInputs {
  /** The extent of each piece along `axis`, or of all but the last: 1 if omitted. */
  split: number | bigint | Integers | TensorLike | null;
}

export interface SqueezeInputs {
  /** The axes of extent 1 that are dropped: all of them if omitted. */
  axes: IntegersLike | null;
}

export interface UnsqueezeInputs {
  /** The places of the new axes among the result's: negative ones count from the end. */
  axes: IntegersLike;
}

export interface TileInputs {
  /** How often the elements are repeated along each axis. */
  repeats: IntegersLike;
}

export interface TriluInputs {
  /** The diagonal at which the triangle ends, above the main one if positive: 0 if omitted. */
  k: number | bigint | TensorLike | null;
}

export type CastOptions = NamedOptions<CastAttributes, CastInputs>;
export type CenterCropPadOptions = NamedOptions<CenterCropPadAttributes, CenterCropPadInputs>;
export type DequantizeLinearOptions = NamedOptions<DequantizeLinearAttributes, DequantizeLinearInputs>;
export type ExpandOptions = NamedOptions<{}, ExpandInputs>;
export type GatherElementsOptions = NamedOptions<GatherElementsAttributes, IndicesInput>;
export type GatherNDOptions = NamedOptions<GatherNDAttributes, TupleIndicesInput>;
export type GatherOptions = NamedOptions<GatherAttributes, IndicesInput>;
export type OneHotOptions = NamedOptions<OneHotAttributes, OneHotInputs>;
export type PadOptions = NamedOptions<PadAttributes, PadInputs>;
export type QuantizeLinearOptions = NamedOptions<QuantizeLinearAttributes, QuantizeLinearInputs>;
export type RangeOptions = NamedOptions<RangeAttributes, RangeInputs>;
export type ReshapeOptions = NamedOptions<ReshapeAttributes, ReshapeInputs, {}>;
export type ReverseSequenceOptions = NamedOptions<ReverseSequenceAttributes, ReverseSequenceInputs>;
export type ScatterElementsOptions = NamedOptions<ScatterElementsAttributes, IndicesInput & UpdatesInput>;
export type ScatterNDOptions = NamedOptions<ScatterNDAttributes, TupleIndicesInput & UpdatesInput>;
export type SequenceAtOptions = NamedOptions<{}, PositionInput, {}>;
export type SequenceEraseOptions = NamedOptions<{}, OptionalPositionInput, {}>;
export type SequenceInsertOptions = NamedOptions<{}, OptionalPositionInput, {}>;
export type SliceOptions = NamedOptions<SliceAttributes, SliceInputs>;
export type SplitOptions = NamedOptions<SplitAttributes, SplitInputs, SplitResults>;
export type SplitToSequenceOptions = NamedOptions<SplitToSequenceAttributes, SplitToSequenceInputs, SplitResults>;
export type SqueezeOptions = NamedOptions<SqueezeAttributes, SqueezeInputs, {}>;
export type TileOptions = NamedOptions<{}, TileInputs>;
export type TriluOptions = NamedOptions<TriluAttributes, TriluInputs>;
export type UnsqueezeOptions = NamedOptions<UnsqueezeAttributes, UnsqueezeInputs, {}>;
