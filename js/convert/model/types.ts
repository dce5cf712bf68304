/** The types of models that are edited. */
import type { TypedArray } from '../../arguments/types.js';
import type { Model as ReadModel, Node as ReadNode } from '../../io/types.js';
import type { DType } from '../../tensor/index.js';
import type { Tiled } from '../../weights/index.js';
import type { Elements } from '../../weights/types.js';

/** An attribute: its message, which its graphs replace where it has some. */
export interface Attribute {
  name: string;
  message: Uint8Array;
  graphs: Graph[];
}

export interface Node extends Omit<ReadNode, 'attributes'> {
  attributes: Attribute[];
  /** other fields, as the file has them */
  rest: Uint8Array[];
}

/** A ValueInfoProto: an input, an output, or a value whose type the graph states. `code`: the TensorProto code of its
 * elements; 0 for other types. */
export interface Info {
  name: string;
  code: number;
  message: Uint8Array;
}

export interface Weight {
  name: string;
  dtype: DType;
  dims: readonly number[];
  content: Content;
}

/**
 * The elements of a weight: in a message, opened in a file of any size, in memory, or made of another weight, whose
 * axes are in another order before `change` gets its elements, all of them or the box from `first` on; `derived`
 * elements have other dims; `tiled` ones are made tile by tile, several tensors at once.
 */
export type Content =
  | { kind: 'message'; message: Uint8Array }
  | { kind: 'opened'; elements: Elements }
  | { kind: 'memory'; data: TypedArray }
  | { kind: 'made'; source: Weight; perm?: readonly number[]; change: Change }
  | { kind: 'tiled'; sources: readonly Weight[]; tiled: Tiled; index: number }
  | {
      kind: 'derived';
      source: Weight;
      perm?: readonly number[];
      open: (source: Elements) => Elements;
      inMemory: (data: TypedArray) => TypedArray;
    };

/** Tensors that are made of initializers together, and the names that they get. */
export interface TiledWeights {
  sources: readonly Weight[];
  names: readonly string[];
  tiled: Tiled;
}

/** Takes a name that no value of the model has, for a tensor and what goes with it: `W`, else `W_1`, such that none of
 * the names with these endings is taken; without endings the name itself. */
export type FreeName = (stem: string, endings?: readonly string[]) => string;

export type Change = (
  source: TypedArray,
  data: TypedArray,
  counts: readonly number[],
  first: readonly number[],
) => void;

export interface Graph {
  outer: Graph | undefined;
  nodes: Node[];
  initializers: Map<string, Weight>;
  /** sparse initializers: the code of their elements, and the message */
  sparse: Map<string, { code: number; message: Uint8Array }>;
  inputs: Info[];
  outputs: Info[];
  /** value_info */
  infos: Info[];
  /** other fields, as the file has them */
  rest: Uint8Array[];
}

export interface ModelFunction extends Pick<Model, 'opsets'>, Pick<Graph, 'nodes'> {
  name: string;
  domain: string;
  inputs: string[];
  outputs: string[];
}

export interface Model extends Pick<ReadModel, 'irVersion' | 'opsets'> {
  /** the domains that the file imports */
  imported: Set<string>;
  functions: ModelFunction[];
  graph: Graph;
  /** fields in front of the graph and behind it, as the file has them */
  before: Uint8Array[];
  after: Uint8Array[];
}
