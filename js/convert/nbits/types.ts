/** The types of packed weights. */
import type { FreeName, Graph, Model, Weight } from '../model/types.js';
import type { Scopes } from '../model/scopes.js';
import type { FilesOptions } from '../types.js';
import type { PackedWeights } from './pack-weights.js';
import type { UnpackedWeights } from './unpack-weights.js';
import type { CheckedTensor, DType, Tensor } from '../../tensor/index.js';
import type { FileWriter } from '../../weights/index.js';
import type { MatrixTensor } from '../../weights/types.js';

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

export interface DequantizePlan {
  model: Model;
  scopes: Scopes;
  /** by what they are made of */
  unpacked: Map<string, UnpackedWeights>;
  /** the new weights' names by those of values that DequantizeLinear gives, by graph */
  values: Map<Graph, Map<string, string>>;
  /** names of values by their graphs: those that MatMul takes as weights, and those that something else uses */
  uses: Record<'asWeights' | 'others', Map<Graph, Set<string>>>;
  taken: ReadonlySet<string>;
  freeName: FreeName;
  report: UnpackedRow[];
}

export type Operator = 'MatMulNBits' | 'GatherBlockQuantized' | 'DequantizeLinear';

export interface PackOptions {
  /** The bits of a code: 4 if omitted. */
  bits?: 2 | 4 | 8;
  /** Rows of a matrix that share a scale: 32 if omitted. */
  blockSize?: 16 | 32 | 64 | 128 | 256;
  /** Whether the zero point is the middle code, so that none is stored: false if omitted. */
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

export type Matrix = readonly [rows: number, columns: number];

/** How packed weights lie over their matrix. */
export interface PackedLayout {
  /** tiles, the parts of the matrix that are packed at once, begin at multiples of these */
  units: Matrix;
  /** of codes, scales, and zero points where there are some */
  tensors: readonly MatrixTensor[];
}

/** Packs a matrix of whole blocks, all of it or a tile. `squares`: the sum of the squared errors, if measured */
export type Pack = (
  name: string,
  weights: CheckedTensor,
  rule: Packing & { codes: DType; measured: boolean },
) => { tensors: Tensor[]; squares: number };

/** A node's weights in the report. */
export interface PackedRow {
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
export type PackChoice = Packing & {
  form: 'matmulnbits' | 'qdq';
  ops: readonly string[];
  /** whether graphs inside of nodes are searched too */
  subgraphs: boolean;
  /** whether errors are added up */
  isMeasured: boolean;
  /** why a node stays, by its operator and by its names and those of its weights, with their paths and without */
  reasonToLeave: (operator: string, names: readonly string[]) => string | undefined;
};

/** The weights of a node in the report, and what they became. */
export type PlannedRow = { row: PackedRow; weights?: PackedWeights };

export interface QuantizePlan {
  model: Model;
  choice: PackChoice;
  scopes: Scopes;
  freeName: FreeName;
  /** by operator and weights */
  packed: Map<string, Map<Weight, PackedWeights>>;
  /** the outputs of DequantizeLinear: by the graph that uses them, then by their weights */
  outputs: Map<Graph, Map<PackedWeights, string>>;
  rows: PlannedRow[];
}

export interface QuantizeOptions extends PackOptions {
  /** The new nodes: com.microsoft's MatMulNBits, or with 'qdq' DequantizeLinear before MatMul. 'matmulnbits' if
   * omitted. */
  form?: 'matmulnbits' | 'qdq';
  /** The operators whose weights are quantized: MatMul alone if omitted. Gather takes 4 bits and becomes
   * com.microsoft's GatherBlockQuantized. */
  ops?: readonly ('MatMul' | 'Gather')[];
  /** Names of nodes or weights that are quantized, with or without the paths of the report: all if omitted. */
  include?: readonly string[];
  /** Names of nodes or weights that stay as they are, with or without the paths of the report: none if omitted. */
  exclude?: readonly string[];
}

export interface OneFileOptions extends FilesOptions {
  /** The name of a file for all data of 1 KiB and more, as the new model will name it: none if omitted. */
  externalName?: string;
}

/** A matrix that is packed. */
export interface Packed {
  /** its codes, its scales and its zero points, if it has some */
  sources: readonly Weight[];
  layout: PackedLayout;
  dims: Matrix;
  bits: number;
  block: number;
}

export interface QuantizedBytes {
  /** the bytes of the new file */
  model: Uint8Array;
  report: PackedRow[];
}

export interface QuantizedFiles {
  model: FileWriter;
  /** where `externalName` is given */
  externalFile?: FileWriter;
  report: PackedRow[];
}

export interface DequantizedBytes {
  /** the bytes of the new file */
  model: Uint8Array;
  report: UnpackedRow[];
}

export interface DequantizedFiles {
  model: FileWriter;
  /** where `externalName` is given */
  externalFile?: FileWriter;
  report: UnpackedRow[];
}
