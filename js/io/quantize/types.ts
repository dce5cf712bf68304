/** The types of packed weights. */
import type { External, Model, OpenExternal } from '../onnx/types.js';
import type { PackedWeights } from './pack-weights.js';
import type { UnpackedWeights } from './unpack-weights.js';
import type { CheckedTensor, DType, Tensor } from '../../tensor/index.js';
import type { Entry, Tiled } from '../../weights/index.js';
import type { Side, SourceLike } from '../../weights/types.js';

/** Packed weights in the report. */
export interface UnpackedRow {
  /** its name, or that of its output */
  node: string;
  operator: string;
  /** the name of the initializer with the codes */
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
  graph: GraphOfWeights;
  /** by what they are made of */
  made: Map<string, UnpackedWeights>;
  /** the new weights' names by those of values that DequantizeLinear gives */
  values: Map<string, string>;
  /** names */
  taken: Set<string>;
  report: UnpackedRow[];
}

export type Operator = 'MatMulNBits' | 'GatherBlockQuantized' | 'DequantizeLinear';

/** A model without its weights. `ranks` of values, where the graph states them; `names` of the initializers */
export type GraphOfWeights = Graph & {
  ranks: ReadonlyMap<string, number>;
  names: ReadonlySet<string>;
  shapeOf: (name: string) => { dtype: DType; dims: readonly number[] };
};

/** New tensors, and the initializers that they are made of. */
export type Made = { sources: readonly string[]; names: readonly string[]; tiled: Tiled };

export interface Edit {
  nodes: Replaced;
  /** new tensors */
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
  /** its name, or that of its output */
  node: string;
  operator: string;
  /** the initializer's name */
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
  include: readonly string[] | undefined;
  exclude: readonly string[];
};

/** The state of planning. */
export interface QuantizePlan {
  /** by operator and weights */
  packed: Map<string, PackedWeights>;
  /** of the report */
  rows: { row: ReportRow; own?: PackedWeights }[];
}

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
  /** names of nodes or weights; all if omitted */
  include?: readonly string[];
  /** names of nodes or weights */
  exclude?: readonly string[];
}

export type Graph = Omit<Model, 'initializers'>;

/** what takes the place of each node; undefined where it stays */
export type Replaced = (NewNode[] | undefined)[];

export interface Changes {
  nodes: Replaced;
  /** names of initializers */
  dropped: ReadonlySet<string>;
  /** fields of the graph */
  added: readonly Uint8Array[];
  /** the IR version that new tensors need */
  leastIr: number;
}

/** A matrix that is packed. */
export interface Packed {
  /** names of its codes, its scales and its zero points, if it has some */
  sources: readonly string[];
  /** of these */
  layout: PackedLayout;
  /** of the matrix */
  dims: Matrix;
  bits: number;
  block: number;
}
