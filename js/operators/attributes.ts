/** The options of calls, and the attributes of the operators by their ONNX names. */
import type { Integers } from '../arguments/index.js';
import type { ScatterReduction } from '../engines/tensors/types.js';
import type { TensorLike, TypeName } from '../tensor/index.js';

export type Flag = 0 | 1 | boolean;

/** The options that every call takes beside its attributes. */
export interface CallOptions {
  /** The opset whose rules apply: the newest if omitted. */
  opset?: number;
  /** Whether the version's type list holds: true if omitted. false lifts it, and nothing else. */
  strict?: boolean;
}

export interface Results {
  /** A tensor of the result's type and dims to write to, its memory apart from the inputs'. */
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
  /** From opset 19, for the five 8-bit floats: whether numbers that are too large become the largest. 1 if omitted. */
  saturate?: Flag;
  /** From opset 24, for float8e8m0: the direction of rounding, where 'nearest' takes ties up. 'up' if omitted. */
  round_mode?: RoundMode;
}

export interface DequantizeLinearAttributes extends GranularityOptions {
  /** From opset 23: the type of the result, that of x_scale if omitted. */
  output_dtype?: 'float32' | 'float16' | 'bfloat16' | 'float';
}

export interface QuantizedResults {
  /** A uint8 tensor of the dims of x, to which y is written, its memory apart from that of x. */
  out?: TensorLike;
}

export interface GranularityOptions {
  /** From opset 13, where there is more than one scale: the axis of the scales, in [-rank, rank - 1], 1 if omitted. */
  axis?: number | bigint;
  /** From opset 21: 0 (if omitted) for one scale for each entry of the axis, otherwise one for so many entries of the
   * axis, and for each entry of the other axes. */
  block_size?: number | bigint;
}

export interface QuantizeLinearAttributes extends GranularityOptions {
  /** From opset 19, for the four float8 types: whether numbers that are too large become the largest. 1 if omitted. */
  saturate?: Flag;
  /** From opset 21: the type of the result, that of y_zero_point if omitted, or else uint8. */
  output_dtype?: TypeName;
  /** From opset 23: the type of the quotient, if omitted that of y_scale, or that of x where y_scale is float8e8m0.
   * Before opset 23 it is float32. */
  precision?: 'float32' | 'float16' | 'bfloat16' | 'float';
}

export interface ConcatFromSequenceAttributes {
  /** The axis that grows, in [-rank, rank - 1] of the tensors, with new_axis in [-rank - 1, rank]. It is needed. */
  axis?: number | bigint;
  /** Whether tensors are joined along a new axis, as `stack` does it: 0 if omitted. */
  new_axis?: Flag;
}

export interface ConcatAttributes {
  /** The axis that grows, in [-rank, rank - 1], before opset 11 in [0, rank - 1]. It is needed from opset 4 on, and 1
   * if omitted before. */
  axis?: number | bigint;
}

export interface SplitToSequenceAttributes {
  /** The axis that is split, in [-rank, rank - 1]: 0 if omitted. */
  axis?: number | bigint;
  /** Where `split` is omitted: whether pieces keep the axis, 1 if omitted. */
  keepdims?: Flag;
}

export interface SplitAttributes {
  /** The axis that is split, in [-rank, rank - 1], before opset 11 in [0, rank - 1]: 0 if omitted. */
  axis?: number | bigint;
  /** From opset 18, in place of `split`: the number of pieces, of which the last may be smaller. */
  num_outputs?: number | bigint;
  /** Below opset 13: the input of this name. */
  split?: Integers;
}

export interface SplitResults {
  /** Tensors to write to, one a piece. */
  out?: readonly TensorLike[];
}

export interface DepthToSpaceAttributes {
  /** The side of a block, 1 or more. It is needed. */
  blocksize?: number | bigint;
  /** Whether a block's place is the outer part of a channel's index ('DCR'), or the inner one ('CRD'): 'DCR' if
   * omitted. */
  mode?: 'DCR' | 'CRD';
}

export interface FlattenAttributes {
  /** The first axis of those that become columns, in [-rank, rank], below opset 11 in [0, rank]: 1 if omitted. */
  axis?: number | bigint;
}

export interface ReshapeAttributes {
  /** From opset 14: whether 0 in `shape` is an extent of 0, 0 if omitted. */
  allowzero?: Flag;
  /** Below opset 5: the input of this name. */
  shape?: Integers;
  /** Below opset 5: without meaning. */
  consumed_inputs?: Integers;
}

export interface ShapeAttributes {
  /** From opset 15: the first axis, counted from the back if negative, 0 if omitted. */
  start?: number | bigint;
  /** From opset 15: the axis after the last one, the rank if omitted. */
  end?: number | bigint;
}

export interface SpaceToDepthAttributes {
  /** The side of a block, 1 or more. It is needed. */
  blocksize?: number | bigint;
  /** From opset 28: whether a block's place is the outer part of a channel's index ('DCR'), or the inner one ('CRD').
   * 'DCR' if omitted. */
  mode?: 'DCR' | 'CRD';
}

export interface SqueezeAttributes {
  /** Below opset 13: the input of this name. */
  axes?: Integers;
}

export interface TransposeAttributes {
  /** The axes in their new order, each of 0 to rank - 1 once: in reverse if omitted. */
  perm?: Integers;
}

export interface UnsqueezeAttributes {
  /** Below opset 13: the input of this name. */
  axes?: Integers;
}

export interface CenterCropPadAttributes {
  /** The axes that `shape` is of, in [-rank, rank - 1]: all if omitted. */
  axes?: Integers;
}

export interface PadAttributes {
  /**
   * The content of the borders. 'constant' (if omitted): one value; 'reflect': the elements mirrored at the first and
   * last one, as often as it takes; 'edge': the first and the last one; 'wrap', from opset 19: the elements from the
   * other end.
   */
  mode?: 'constant' | 'reflect' | 'edge' | 'wrap';
  /** At opset 2 to 10: the input of this name. */
  pads?: Integers;
  /** At opset 1: `pads`. */
  paddings?: Integers;
  /** Below opset 11: `constant_value`, as a float32, 0 if omitted. */
  value?: number;
}

export interface CompressAttributes {
  /** The axis along which the condition chooses: elements of all axes, in their order, if
   * omitted. */
  axis?: number | bigint;
}

export interface EyeLikeAttributes {
  /** The type of the result: the input's if omitted. */
  dtype?: TypeName;
  /** The diagonal of ones, above the main one if positive: 0 if omitted. */
  k?: number | bigint;
}

export interface GatherElementsAttributes {
  /** The axis that is indexed, in [-rank, rank - 1]: 0 if omitted. */
  axis?: number | bigint;
}

export interface GatherNDAttributes {
  /** From opset 12: the number of axes in front that data and indices share, 0 if omitted. */
  batch_dims?: number | bigint;
}

export interface GatherAttributes {
  /** The axis that is indexed, in [-rank, rank - 1]: 0 if omitted. */
  axis?: number | bigint;
}

export interface OneHotAttributes {
  /** The result's axis that the vectors lie on, in [-rank - 1, rank]: the last if omitted. */
  axis?: number | bigint;
}

export interface RangeAttributes {
  /** From opset 27: the type in which float16 and bfloat16 are computed, float32 if omitted. */
  stash_type?: 'float32' | 'float64';
}

export interface ReverseSequenceAttributes {
  /** The axis of the sequences, 0 or 1: 1 if omitted. */
  batch_axis?: number | bigint;
  /** The axis that is reversed, the other one: 0 if omitted. */
  time_axis?: number | bigint;
}

export interface ScatterElementsAttributes {
  /** The axis that is indexed, in [-rank, rank - 1]: 0 if omitted. */
  axis?: number | bigint;
  /** From opset 16, `max` and `min` from opset 18: how an update joins the element that is there. 'none', which takes
   * its place, if omitted. */
  reduction?: Reduction;
}

export interface ScatterNDAttributes {
  /** From opset 16, `max` and `min` from opset 18: how an update joins the slice that is there. 'none', which takes its
   * place, if omitted. */
  reduction?: Reduction;
}

export interface SliceAttributes {
  /** Below opset 10: the input of this name. */
  starts?: Integers;
  /** Below opset 10: the input of this name. */
  ends?: Integers;
  /** Below opset 10: the input of this name. */
  axes?: Integers;
}

export interface TriluAttributes {
  /** Whether the upper triangle stays, and not the lower one: 1 if omitted. */
  upper?: 0 | 1 | boolean;
}

export interface SequenceEmptyAttributes {
  /** The type of the tensors: float32 if omitted. */
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
