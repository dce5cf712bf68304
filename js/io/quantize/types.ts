/** The types of packed weights. */
import type { External, GraphTree, ModelTree, OpenExternal, TreeNode } from '../onnx/types.js';
import type { PackedWeights } from './pack-weights.js';
import type { UnpackedWeights } from './unpack-weights.js';
import type { CheckedTensor, DType, Tensor } from '../../tensor/index.js';
import type { Entry, Tiled } from '../../weights/index.js';
import type { Side, SourceLike } from '../../weights/types.js';

/** Packed weights in the report. */
export interface UnpackedRow {
  /** its name, or that of its output; behind the path to it, as `If_3/then_branch/` */
  node: string;
  operator: string;
  /** the name of the initializer with the codes, behind its path */
  weights: string;
  unpacked: boolean;
  /** they were left */
  why?: string;
  /** bytes, of codes, scales and zero points */
  before?: number;
  /** bytes */
  after?: number;
}

/** The state of planning. */
export interface DequantizePlan {
  model: ModelOfWeights;
  /** by what they are made of */
  made: Map<string, UnpackedWeights>;
  /** the new weights' names by those of values that DequantizeLinear gives, by graph */
  values: Map<GraphTree, Map<string, string>>;
  /** names of values by their graphs: those that MatMul takes as weights, and those that something else uses */
  uses: Record<'asWeights' | 'others', Map<GraphTree, Set<string>>>;
  /** names */
  taken: ReadonlySet<string>;
  freeName: FreeName;
  report: UnpackedRow[];
}

export type Operator = 'MatMulNBits' | 'GatherBlockQuantized' | 'DequantizeLinear';

/** An initializer: the graph that it is of, its name, and the path to it. */
export type Weights = { graph: GraphTree; name: string; path: string };

/** A model without its weights. */
export interface ModelOfWeights extends ModelTree {
  shapeOf: (weights: Weights) => { dtype: DType; dims: readonly number[] };
}

/** Tensors that are made of initializers, and the names that they get. */
export type Made = { sources: readonly Weights[]; names: readonly string[]; tiled: Tiled };

export interface Edit {
  nodes: Replaced;
  made: readonly Made[];
  /** what became of the weights, when all tensors were made once */
  report: () => any[];
}

/** A model of any size: a file, or what `openModel` gives. */
export type ModelLike = SourceLike | { bytes: Uint8Array; initializers: ReadonlyMap<string, Entry> };

export interface BytesOptions {
  /** gives the data that are in other files; that of {@link readModel} */
  external?: External;
}

export interface FilesOptions {
  /** gives the sources of other files; that of {@link openModel} */
  external?: OpenExternal;
  /** the name of a file for all data of 1 KiB and more, as the new model will name it */
  externalName?: string;
}

export interface PackOptions {
  /** 4 if omitted */
  bits?: 2 | 4 | 8;
  /** rows that share a scale; 32 if omitted */
  blockSize?: 16 | 32 | 64 | 128 | 256;
  /** whether the zero point is the middle code; false if omitted */
  symmetric?: boolean | 0 | 1;
}

/** The inputs and attributes of a node. */
export interface MatMulNBits {
  /** uint8 [N, blocks, block_size * bits / 8]: each column's blocks in turn, low bits first */
  B: Tensor;
  /** [N, blocks], of the weights' type */
  scales: Tensor;
  /** uint8 [N, ceil(blocks * bits / 8)]; none where the codes are symmetric */
  zero_points?: Tensor;
  /** rows of the weights */
  K: number;
  /** columns */
  N: number;
  bits: number;
  block_size: number;
}

export type Packing = { bits: number; block: number; symmetric: boolean };

export interface NewNode {
  name: string;
  operator: string;
  domain: string;
  inputs: readonly string[];
  outputs: readonly string[];
  attributes: Record<string, number>;
}

export type Matrix = readonly [rows: number, columns: number];

/** How packed weights lie over their matrix. */
export interface PackedLayout {
  /** of a tile */
  units: Matrix;
  /** of codes, scales, and zero points where there are some */
  sides: readonly Side[];
}

/** Packs a matrix of whole blocks, all of it or a tile. `squares`: the sum of the squared errors, if measured */
export type Pack = (
  name: string,
  parts: CheckedTensor,
  how: Packing & { codes: DType; measured: boolean },
) => { tensors: Tensor[]; squares: number };

/** A node's weights in the report. */
export interface ReportRow {
  /** its name, or that of its output; behind the path to it, as `If_3/then_branch/` */
  node: string;
  operator: string;
  /** the initializer's name, behind its path */
  weights: string;
  packed: boolean;
  /** they were left */
  why?: string;
  /** bytes */
  before?: number;
  /** bytes, of codes, scales and zero points */
  after?: number;
  /** the root-mean-square error */
  rms?: number;
}

/** what to pack, and how */
export type Choice = Packing & {
  form: 'matmulnbits' | 'qdq';
  ops: readonly string[];
  include: ReadonlySet<string> | undefined;
  exclude: ReadonlySet<string>;
};

/** The state of planning. */
export interface QuantizePlan {
  /** by operator, graph and name of the weights */
  packed: Map<string, PackedWeights>;
  /** names of what DequantizeLinear gives, by the weights, in each graph that uses them */
  outputs: Map<GraphTree, Map<PackedWeights, string>>;
  replaced: Replaced;
  freeName: FreeName;
  /** of the report */
  rows: { row: ReportRow; weights?: PackedWeights }[];
}

/** Takes a name that no value of the model has, for a tensor and what goes with it: `W`, else `W_1`, such that none of
 * the names with these endings is taken. */
export type FreeName = (stem: string, endings: readonly string[]) => string;

export interface QuantizeOptions {
  /** 4 if omitted */
  bits?: 2 | 4 | 8;
  /** elements that share a scale; 32 if omitted */
  blockSize?: 16 | 32 | 64 | 128 | 256;
  /** false if omitted */
  symmetric?: boolean | 0 | 1;
  /** com.microsoft's MatMulNBits, or DequantizeLinear before MatMul; 'matmulnbits' if omitted */
  form?: 'matmulnbits' | 'qdq';
  /**
   * whose weights are quantized; MatMul alone if omitted. Gather takes 4 bits and becomes com.microsoft's
   * GatherBlockQuantized
   */
  ops?: readonly ('MatMul' | 'Gather')[];
  /** names of nodes or weights, with or without the paths of the report; all if omitted */
  include?: readonly string[];
  /** names of nodes or weights, in the same way */
  exclude?: readonly string[];
}

/** what takes the place of nodes */
export type Replaced = Map<TreeNode, NewNode[]>;

export interface Changes {
  nodes: Replaced;
  /** names of initializers, by graph */
  dropped: ReadonlyMap<GraphTree, ReadonlySet<string>>;
  /** fields of the outermost graph */
  added: readonly Uint8Array[];
  /** the IR version that new tensors need */
  leastIr: number;
  /** to a version in which no initializer is an input but for its default */
  isRaised: boolean;
}

/** A matrix that is packed. */
export interface Packed {
  /** its codes, its scales and its zero points, if it has some */
  sources: readonly Weights[];
  /** of these */
  layout: PackedLayout;
  /** of the matrix */
  dims: Matrix;
  bits: number;
  block: number;
}
