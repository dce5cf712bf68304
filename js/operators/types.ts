/** The types of operators, their calls and their options. */
import type { Int64, Integers } from '../arguments/index.js';
import type { Describe, IndexTuples, Rows } from '../engines/tensors/types.js';
import type { RoundMode } from './attributes.js';
import type { Axis } from './einops/pattern.js';
import type { Rule } from './infer.js';
import type { CheckedTensor, DType, NumberFormat, Tensor, TensorLike, TypeName } from '../tensor/index.js';

export type * from './attributes.js';
export type { Composition } from './lazy/compose.js';
export type { OperatorName } from './table.js';
export type { Int64, Integers } from '../arguments/index.js';
export type { Box, Describe, IndexTuples, Rows, ScatterReduction, Sharing } from '../engines/tensors/types.js';
export type { CheckedTensor, DType, NumberFormat, Tensor, TensorLike, TypeName } from '../tensor/index.js';
export type { TensorData } from '../tensor/types.js';

/** An extent: known, symbolic, or null for unknown. */
export type Dim = number | string | null;

/** An extent that is not known: a symbol, or null. */
export type Open = Exclude<Dim, number>;

/** All members of a union in one type. */
export type Merged<T> = (T extends unknown ? (of: T) => void : never) extends (of: infer All) => void ? All : never;

/** The results: a list where a node has several outputs. */
export type KnownResults<Op> = Op extends Operator
  ? any
  : Op extends 'Split' | 'DynamicQuantizeLinear'
    ? Inferred[]
    : Inferred;

/** The knowledge of the inputs, by their ONNX names. */
export type KnownInputs<Op> = Op extends Operator ? Record<string, unknown> : Merged<Parameters<Rule>[1]>;

/** The attributes of all operators; each takes its own. */
export type KnownAttributes<Op> = Op extends Operator
  ? Record<string, unknown>
  : Merged<NonNullable<Parameters<Rule>[2]>>;

export type Kind = NumberFormat['kind'];

/** an empty one still knows its element type */
export type TensorSequence = Tensor[] & { type: TypeName };

export interface Schema {
  operator: string;
  /** the first opset that has this version */
  since: number;
  /** a dtype is in the version's type list when its own `ir` is not above this */
  ir: number;
  /** kinds of types that are not in the list, whatever their `ir` */
  lacks: readonly Kind[];
  /** the type list itself, where no `ir` says it */
  types?: readonly TypeName[];
  /** that come as options, by their ONNX names */
  attributes: readonly string[];
  /** whether an axis may count from the back */
  negativeAxis: boolean;
}

/**
 * What shape inference gives. With `sequence`, the result is a sequence of tensors, and type and dims are theirs.
 * `value` is there where the elements are known in part, as those of a shape are: a list of rank 1, or one entry.
 */
export interface Inferred {
  type: TypeName;
  /** null where the rank is unknown */
  dims: Dim[] | null;
  sequence?: true;
  value?: (Int64 | Open)[] | Int64 | Open;
}

export interface Operator<Inputs extends object = any, Attributes extends object = any> {
  name: string;
  /** every version, oldest first */
  schemas: readonly Readonly<Schema>[];
  inputs: readonly string[];
  firstInputs: readonly string[] | undefined;
  optional: readonly string[];
  variadic: boolean;
  several: boolean;
  outputs: number | undefined;
  undefinedFor: readonly Kind[];
  /** a type alone: what inference knows of inputs and attributes */
  infer?: (call: Call, inputs: Inputs, options: Attributes | undefined) => Inferred | Inferred[];
  move: Move;
  /** an attribute that a call takes as an argument behind its inputs */
  argument: Input | undefined;
  declaredInputs: readonly Input[];
  /** the first input that may be given by name */
  firstNamed: number | undefined;
  attributes: readonly (Attribute & { name: string })[];
  defaults: Record<string, unknown>;
  needsOptions: boolean;
  shape: Declaration['shape'];
  inferred: Declaration['inferred'];
  value: Declaration['value'];
  /** those that were made, by their opset; behind them those of `strict: false` */
  calls: Call[];
}

/** The options of a call by their names: attributes, inputs, `out`, `opset` and `strict`. */
export type OptionBag = Record<string, unknown>;

/** What `opset` and `strict` of an options bag say. */
export interface Call {
  operator: Operator;
  schema: Schema;
  /** the operator and its version, in messages */
  name: string;
  opset: number;
  strict: boolean;
  /** a bit for the code of each type that the call takes */
  allowed: number;
  /** reads a tensor, or what inference knows of one */
  readTensor: (argument: string, value: unknown, checkType?: (dtype: DType) => void) => any;
  /** the names of attributes, and of inputs that may be given by name */
  options: readonly string[];
  /** rejects an input's type that the version does not take */
  checkType: (dtype: DType) => void;
  /** how many outputs the node has, of an operator with any number of them; null where inference is not told */
  outputs?: number | null;
}

/** The knowledge that inference has of an input. */
export interface TensorInfo {
  type: TypeName | 'float' | 'double';
  /** null where the rank is unknown */
  dims: readonly Dim[] | null;
  /**
   * of a shape or a split: a list where it has one axis, a number where it has none; entries that only data propagation
   * knows are symbols, or null
   */
  value?: readonly (number | bigint | string | null)[] | Integers | number | bigint | string | null;
  /** of a sequence: type and dims are those of its tensors */
  sequence?: true;
}

/** known elements: a list of rank 1, or one entry */
export type Value = (Int64 | Open)[] | Int64 | Open;

export type Rules = { saturate: boolean; round_mode: RoundMode };

/** A tensor and a view of it that is not copied yet. */
export interface LazyTensor {
  tensor: CheckedTensor;
  view: View;
}

/** of a node and of inference */
export interface Target {
  /** The type of the result. */
  to?: TypeName | 'float' | 'double';
}

/** of a node and of inference */
export interface OutputCount {
  /** The number of a node's outputs. */
  outputs?: number;
}

export interface Declaration {
  name: string;
  /** since: the `ir` of its type list */
  versions: Record<number, number>;
  /** since: kinds of types that are not in the list from there on */
  lacks?: Record<number, Kind[]>;
  /** since: the type list itself, where no `ir` says it */
  types?: Record<number, readonly TypeName[]>;
  /** the first version whose axes may count from the back */
  negativeAxis?: number;
  /** kinds of types without a rule: `strict: false` does not lift these */
  undefinedFor?: Kind[];
  /** tensors first */
  inputs: readonly Input[];
  /** the names of the first version's inputs, where they were others */
  firstInputs?: readonly string[];
  /** how many a node has; Infinity: any number, and the rule reads `call.outputs` */
  outputs?: number;
  /** by their ONNX names. An input that was an attribute has its name in both */
  attributes?: Record<string, Attribute>;
  /** the rule, for calls and for inference: an extent may be a number, a symbol or unknown */
  shape: (call: Call, attributes: any, ...inputs: any[]) => Plan;
  move: Move;
  /** the dims, where ONNX infers others than the rule gives */
  inferred?: (plan: Plan, call: Call) => Dim[] | null;
  /** the elements of the result that inference knows */
  value?: (plan: Plan, ...inputs: any[]) => unknown;
}

export interface Input {
  kind: 'tensor' | 'number' | 'indices' | 'integers' | 'tensors' | 'sequence' | 'position' | 'argument';
  /** ONNX's */
  name: string;
  /** the attribute of older versions that it was, where that had another name */
  former?: string;
  /** false if omitted */
  optional?: boolean;
  /** whether it is read before options and attributes, as tensors are; true if omitted */
  isEarly?: boolean;
  /** gets the inputs that were read before */
  read: (input: Input, call: Call, value: unknown, options: OptionBag | undefined, values: ReadInputs) => unknown;
  check?: TypeCheck | undefined;
  /** of the tensor that holds indices */
  types?: readonly TypeName[] | undefined;
  /** of a list of integers */
  rules?: IntegersRules | undefined;
  known?: (input: Input, call: Call, known: unknown, options: OptionBag | undefined, values: ReadInputs) => unknown;
  /** what it was in older versions */
  attribute?: Attribute;
  /** of an argument: ONNX has it as an attribute, a call behind the inputs */
  fromNode?: Attribute['fromNode'];
}

export interface Attribute {
  /** the first version that has it */
  since: number;
  /** the version that has it no more */
  before: number;
  required: boolean;
  byDefault: unknown;
  read: (name: string, value: unknown, call: Call, values?: ReadInputs) => unknown;
  /** reads it of a model's node, where that differs */
  fromNode?: (node: string, name: string, value: unknown) => unknown;
}

/** What an input that is a list of integers may be. */
export interface IntegersOptions extends Partial<IntegersRules> {
  /** Whether nodes and calls may leave the input out: false if omitted. */
  optional?: boolean;
}

export interface IntegersRules {
  /** The first version that has an optional list. */
  since: number;
  /** The types that a tensor may have. */
  types: readonly TypeName[];
  /** Checks a tensor's type, where `types` do not say it. */
  check: TypeCheck | undefined;
  /** Whether a number stands for a list of one. */
  takesNumber: boolean;
  /** The highest length of a call's list. */
  maxLength: number;
  /** The first version whose inference reads the length of a list without a value. */
  lengthSince: number;
  /** A version whose nodes may have it as an attribute or as an input. */
  eitherIn?: number;
}

/** Rejects a dtype; `values` holds the inputs read so far. */
export type TypeCheck = (dtype: DType, call: Call, values: ReadInputs) => void;

/** Indices as they were read. Those of a tensor are not copied yet. */
export interface Indices {
  /** their name in messages */
  argument: string;
  dims: number[];
  list: Int64[];
  /** of a tensor, and then the list is empty */
  tensor: CheckedTensor | undefined;
}

/**
 * The dims of a result, null where the rank is unknown; its type, where that is not the first input's; and whatever the
 * move needs beside them. Of an operator with several outputs: `outputs`, a list of such plans.
 */
export type Plan = { dims?: any; dtype?: DType; outputs?: any; [more: string]: any };

/** What a move reads of its operator. */
export type RunOperator = Pick<Operator, 'inputs'> & Partial<Pick<Operator, 'move' | 'outputs' | 'several'>>;

export interface Move {
  /** whether a call needs the engine */
  isMoving: boolean;
  out: 'out' | undefined;
  run: (operator: RunOperator, plan: Plan, values: ReadInputs, options: OptionBag | undefined) => any;
  /**
   * of an operator that only rearranges: where its results lie in the first input. Undefined where no strides say it,
   * which is never so of a whole tensor
   */
  view: ((source: View, plan: Plan) => View | View[] | undefined) | undefined;
  /** of an operator of any number of inputs: makes the result of views of tensors */
  join?: (plan: Plan, sources: LazyTensor[]) => Tensor;
}

/** A name, or a number, which stands for a new axis of that extent. */
export type Name = string | number;

/** The axes of one side of a pattern, in their order. */
export type Side = readonly Axis[];

export type Pattern = { left: Side; right: Side };

/** of axes, by their names in the pattern */
export type Lengths = Readonly<Record<string, number | bigint>>;

/** The arguments of a call behind its tensor. */
export type Behind<F extends (tensor: never, ...rest: never[]) => unknown> =
  Parameters<F> extends [unknown, ...infer Rest] ? Rest : never;

/** The borders of every axis, in elements. */
export interface Borders {
  /** of the source */
  extents: number[];
  /** left out in front */
  cuts: number[];
  /** kept */
  counts: number[];
  /** added in front */
  before: number[];
  /** of the result */
  dims: number[];
}

/** Describes how the indices of a call name rows of its first input, of `dims`: all but the numbers of these rows. */
export type TuplesOf = (plan: Plan, dims: number[], indexDims: number[]) => Omit<Rows & IndexTuples, 'rows' | 'size'>;

/** starts, ends, axes and steps; null if unknown */
export type Cuts = readonly ((Int64 | Open)[] | null | undefined)[];

/** an array of tensors; one without tensors needs a `type` of its own */
export type SequenceLike = readonly TensorLike[];

/** A sequence as it was read. Its tensors may have data of the wrong length until {@link sequenceOf} is called. */
export interface Sequence {
  /** undefined where neither a tensor nor the array says it */
  dtype: DType | undefined;
  tensors: CheckedTensor[];
}

/**
 * Where an operator's results lie in its first input, the `source`, of type `dtype`. Reads the options and the other
 * inputs as the call does; `outputs` counts those of the node. Undefined where no strides say it, which is never so of
 * a whole tensor.
 */
export type ViewRule = (
  call: Call,
  source: View,
  inputs: unknown[],
  options: OptionBag | undefined,
  dtype: DType,
  outputs?: number,
) => View | View[] | undefined;

/** The first version that has an attribute, the version that has it no more, and whether a call needs it. */
export type Bounds = { since?: number; before?: number; required?: boolean };

/** A part of a view's axis: how many steps it takes, and how many elements of the tensor a step is. */
export type Factor = [extent: number, stride: number];

/**
 * A view, in elements. Its axes are made of factors, each an extent and a stride: one factor an axis (then `extents` is
 * `dims`), or any number, such as the two of an axis that DepthToSpace makes of two. Factors of 1 are left out then,
 * and those of one axis follow one another.
 */
export interface View {
  dims: number[];
  /** of the factors, outermost first */
  extents: number[];
  strides: number[];
  first: number;
  /** of a view made of factors: what only those need, so that a bundle of Transpose alone goes without it */
  ofFactors?: { permute: (view: View, dims: number[], perm: readonly number[]) => View; boxes: Describe };
}

/** The inputs of a call, each as the `read` of its kind gives it: a {@link CheckedTensor}, {@link Indices}, a list. */
export type ReadInputs = any[];
