/** The types of ONNX files. */
import type { DType, Tensor, TypeName } from '../../tensor/index.js';
import type { Entry } from '../../weights/index.js';
import type { Elements, SaveOptions, SourceLike } from '../../weights/types.js';

/**
 * The value of an attribute. An int64 is a number where that is safe, a sparse tensor a dense one. Graphs and types
 * are undefined.
 */
export type AttributeValue = number | bigint | string | Tensor | (number | bigint)[] | string[] | undefined;

/**
 * Gives the bytes of a tensor that is in another file: `length` of them from `offset`, in the file at `location`. That
 * is a path relative to the model's folder that does not lead out of it. A symbolic link may lead out; the callback
 * decides whether to follow it.
 */
export type External = (place: { location: string; offset: number; length: number }) => Uint8Array;

export interface TensorProtoOptions {
  /** Gives the data of tensors that are in other files. */
  external?: External;
}

export interface ReadModelOptions extends TensorProtoOptions {
  /** Bytes that sparse tensors may take together once they are dense: 1 GiB if omitted. */
  maxBytes?: number;
}

export interface NamingOptions {
  /** The tensor's name in the message: empty if omitted. */
  name?: string;
}

export interface OpenModelOptions {
  /** Gives the source of another file that has data of initializers, when they are read for the first time. */
  external?: OpenExternal;
}

export interface SaveModelOptions extends SaveOptions {
  /** The name of a file for all data of 1 KiB and more, as the model will name it: models of 2 GiB and more need it. */
  externalName?: string;
}

/** Where the data of a tensor lie: in which file, and where in it. */
export type Place = { location: string; offset: number; length: number };

export interface Node {
  /** often empty */
  name: string;
  operator: string;
  /** empty for ONNX's own */
  domain: string;
  /** names of values; an empty name is an omitted input */
  inputs: string[];
  outputs: string[];
  attributes: Map<string, AttributeValue>;
}

export interface Model {
  irVersion: number;
  /** by domain; ONNX's own is '' */
  opsets: Map<string, number>;
  /** what the file says of itself, as metadata_props: labels, characters, who made it */
  metadataProps: Map<string, string>;
  /** of the graph */
  name: string;
  /** in the order of the file, in which they can be computed */
  nodes: Node[];
  initializers: Map<string, Tensor>;
  /** older files list the initializers among them */
  inputs: ValueInfo[];
  outputs: ValueInfo[];
}

/**
 * Gives the source of a file beside the model. A location is a path relative to the model's folder that does not lead
 * out of it. A symbolic link may lead out; the function decides whether to follow it.
 */
export type OpenExternal = (location: string) => SourceLike | Promise<SourceLike>;

export interface OpenedModel extends Omit<Model, 'initializers'> {
  initializers: Map<string, Entry>;
  /**
   * tensors of Constant nodes by the names of their outputs, sparse initializers, and what subgraphs hold, as
   * `If_3/then_branch/w`
   */
  constants: Map<string, Entry>;
  /** names of constant strings, which have no entries */
  notRead: string[];
  /** the model without its initializers' data, which `saveModel` takes */
  bytes: Uint8Array;
}

/** A SparseTensorProto: the dense tensor's dims, and the messages of its values and indices. */
export interface SparseHead {
  name: string;
  /** what messages call it */
  label: string;
  dtype: DType;
  dims: number[];
  values: Uint8Array;
  indices: Uint8Array;
}

/** How a model is read. */
export interface Reading {
  /** gives data in other files */
  external: External | undefined;
  /** makes the value of an attribute that is a sparse tensor */
  sparse: (message: Uint8Array) => AttributeValue;
}

/** A node, and the graphs in its attributes, in the order of the file. */
export type TreeNode = Node & { graphs: { label: string; graph: GraphTree }[] };

/** A graph, and the graphs inside its nodes. */
export interface GraphTree {
  /** of the nodes and attributes around it, as `If_3/then_branch/`; empty for the outermost graph */
  path: string;
  nodes: TreeNode[];
  /** messages by name */
  initializers: Map<string, Uint8Array>;
  /** messages of sparse initializers by name */
  sparse: Map<string, Uint8Array>;
}

/** The tensors of a model beside the dense initializers of its outermost graph, by name with the path in front. */
export interface Constants {
  /** of Constant nodes */
  tensors: Map<string, Tensor>;
  /** the TensorProtos of initializers in subgraphs */
  messages: Map<string, Uint8Array>;
  /** the SparseTensorProtos of Constant nodes and of sparse initializers */
  sparse: Map<string, Uint8Array>;
  /** names of Constant nodes' strings */
  notRead: string[];
}

/** One field of a message. */
export interface Field {
  number: number;
  /** the int64 of a varint, the shared bytes of a field that states its length, undefined for other wire types */
  value: bigint | Uint8Array | undefined;
  /** the value's own bytes, of a varint too */
  payload: Uint8Array;
  /** tag and value as the message has them */
  bytes: Uint8Array;
}

/** Reads a field of a message, and sets or adds its value in `record`, the object that is made of the message. */
export type Row = (record: any, field: Field, context: any) => void;

/** How a message is read: a row for each field that is read, by the field's number. */
export type Rows = Readonly<Record<number, Row>>;

/**
 * The beginning of a field. `head`: how many bytes the tag and, if the wire type has one, the stated length take;
 * `length`: bytes of the value behind them
 */
export type FieldHead = { number: number; wireType: number; head: number; length: number };

/** A part of a file that is written: bytes, or elements that are read then. */
export type Part = Uint8Array | Elements;

/** A file of data beside a model, while data are added to it. `end`: bytes so far */
export type OutsideFile = { location: string; content: Part[]; end: number };

/** The files of data beside a model. `location`: the name of the first; `maxBytes`: of each file */
export type Outside = { location: string; maxBytes: number; files: OutsideFile[] };

/** A part of a file, in bytes. */
export type Range = { start: number; length: number };

/** Where an initializer lies in a file: its message, and in it the values of the fields of data, by their numbers. */
export type Scanned = { message: Range; data: Map<number, Range[]> };

/** An input or output of a graph. */
export interface ValueInfo {
  name: string;
  /** of the elements; undefined if this is no tensor or sequence of tensors */
  type: TypeName | undefined;
  /** each is a number, the name of a symbol, or null where it is unknown; null if the rank is unknown */
  dims: (number | string | null)[] | null;
  sequence: boolean;
}
