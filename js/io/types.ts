/** The types of files. */
import type { Node, ValueInfo } from './onnx/types.js';
import type { Operator, Schema, TensorSequence } from '../operators/types.js';
import type { VoidTypes } from './npz/npz.js';
import type { DType, Tensor, TypeName } from '../tensor/index.js';
import type { Entry } from '../weights/index.js';
import type { SourceLike } from '../weights/types.js';

export type { External, Field, Model, Node, OpenedModel, OpenExternal, Outside, Part, Rows } from './onnx/types.js';

export type Value = Tensor | TensorSequence;

/** How nodes of one operator run: its inputs, of which the last may be optional, and the function of its results. */
export interface Runnable {
  /** names, in their order */
  inputs: readonly string[];
  firstInputs?: readonly string[];
  schemas: readonly Readonly<Schema>[];
  /** names of the inputs that may be left out, the last ones */
  optional: readonly string[];
  /** whether the one input stands for any number of them */
  variadic?: boolean;
  /** whether it may have any number of outputs, or has `outputs` of them */
  several?: boolean;
  outputs?: number;
  /** Makes the results of Constant, which is no operator; others have none. */
  run?: (inputs: any[], options: any, node: string) => Value;
  move?: Operator['move'];
}

export type RunnableNode = Node & { runnable: Runnable };

/** The parts of a model that are run. */
export interface Plan {
  /** of ONNX's own domain */
  opset: number;
  nodes: Node[];
  /** by name; not checked yet */
  initializers: Map<string, unknown>;
  /** names, types and dims of the inputs */
  infos: ValueInfo[];
  /** names */
  outputs: string[];
}

export interface Header {
  /** NumPy's description of the elements: byte order, kind and width */
  descr: string;
  /** whether the order is Fortran's: the first axis is the innermost one in memory */
  fortran: boolean;
  shape: (number | bigint)[];
  /** the byte at which the data begins */
  dataStart: number;
}

/** An array in a .npz archive. */
export interface Member {
  /** the tensor's name: the member's without .npy */
  name: string;
  /** how messages call it, such as `member "a.npy"` */
  label: string;
  /** whether its bytes are deflated, or stored as they are */
  isDeflated: boolean;
  /** the CRC-32 of the .npy file */
  crc: number;
  /** bytes of the .npy file */
  size: number;
  /** bytes that it takes in the archive, without its header */
  compressed: number;
  /** the byte of the archive at which its header begins */
  offset: number;
}

/** Entries by name, in the order of the file. */
export type NamedEntries = Map<string, Entry> & { metadata: Map<string, string> };

/**
 * Gives the source of a shard. Its name is a path relative to the index's folder that does not lead out of it. A
 * symbolic link may lead out; the function decides whether to follow it.
 */
export type OpenShard = (name: string) => SourceLike | Promise<SourceLike>;

export interface OpenSafetensorsOptions {
  /** Gives the source of a shard, by the name that the index has for it. */
  shard?: OpenShard;
}

export interface MetadataOptions {
  /** Texts by name for the file's `__metadata__`: those of the map of tensors if omitted. */
  metadata?: ReadonlyMap<string, string>;
}

export interface NpyOptions {
  /** The type of void elements (`|V1`, `|V2`): bfloat16, a float8 or a packed type. They are refused if omitted. */
  dtype?: TypeName;
}

export interface OpenNpzOptions {
  /** The type of void elements (`|V1`, `|V2`), of all tensors or by name. They are refused if omitted. */
  dtype?: VoidTypes;
}

export interface NpzOptions extends OpenNpzOptions {
  /** Bytes that deflated members may become together: 1 GiB if omitted. */
  maxBytes?: number;
}

export interface RunOptions {
  /** Operators from `define`, in an array or an object: each stands for the package's own of its name. */
  operators?: readonly Operator[] | Readonly<Record<string, Operator>>;
  /** Bytes that the nodes may allocate together: 1 GiB if omitted. */
  maxBytes?: number;
}

/** Tensors by name, in the order of the file. */
export type NamedTensors = Map<string, Tensor> & { metadata: Map<string, string> };

/** A tensor in the header. `from` and `to`: its first byte, and the byte behind its last, from the header's end on. */
export type Place = { name: string; dtype: DType; dims: number[]; from: number; to: number };

/** A tensor to write: `value` is the tensor or its elements, `byteLength` its bytes in the file. */
export type Piece<T extends { dtype: DType; dims: readonly number[] }> = { name: string; value: T; byteLength: number };
