/** The types of tensors of any size. */
import type { CheckedTensor, DType, Tensor } from '../tensor/index.js';
import type { Progress } from './file-writer.js';
import type { Bytes } from './source.js';
import type { TensorData } from '../tensor/types.js';
import type { Work } from './work.js';

/** A part of a tensor: of each axis, `counts` indices from `first` on, `steps` apart. A step may be negative. */
export interface Box {
  first: readonly number[];
  counts: readonly number[];
  steps: readonly number[];
}

export interface PiecesOptions {
  /** The part of axis 0, from one index up to before another: all if omitted. */
  rows?: readonly [from: number, to: number];
  /** Ends the reading, which is rejected with the signal's reason. */
  signal?: AbortSignal;
}

/** Elements, wherever they lie or however they are made. */
export interface Elements {
  dtype: DType;
  dims: readonly number[];
  /** the axis whose neighbors lie side by side in the file */
  contiguousAxis: number;
  /** bits of an element in the widest form that it has while it is read: 32 for a float16 that is cast from float32 */
  widestBits: number;
  /** writes the elements of a box to `data`, which has their exact length, dense and in row-major order */
  readBox: (box: Box, data: TensorData, work: Work) => Promise<void>;
}

/** An axis along which runs repeat: how often, and how many elements lie from one to the next. */
export type Axis = { count: number; stride: number };

export interface SaveOptions {
  /** Is called with `{ done, total }` in bytes of a file, after each piece; after short ones every 50 ms. */
  onProgress?: (progress: Progress) => void;
  /** Ends the work, which is rejected with the signal's reason. */
  signal?: AbortSignal;
}

/** A file of any kind of storage. This is the shape of hyparquet's AsyncBuffer, and one optional method. */
export interface ByteSource {
  byteLength: number;
  /** the bytes from `start` up to `end` */
  slice: (start: number, end: number) => Bytes | Promise<Bytes>;
  /**
   * fills `target` with the bytes from `start`, and says how many it wrote: at least one. With it one buffer is used
   * again and again, which takes half the time of `slice`
   */
  read?: (target: Uint8Array, start: number) => number | Promise<number>;
}

/** A Blob or a File. */
export type BlobLike = { size: number; slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> } };

/** The used part of Node's FileHandle. */
export interface FileHandleLike {
  stat: () => Promise<{ size: number }>;
  read: (buffer: Uint8Array, offset: number, length: number, position: number) => Promise<{ bytesRead: number }>;
}

export type SourceLike = Bytes | BlobLike | FileHandleLike | ByteSource;

/** Reads a source once, from byte `start` on: fills `part` in whole or in part, and says how many bytes it wrote. */
export type ReadSome = (part: Uint8Array, start: number) => number | Promise<number>;

/**
 * A tensor of which an index of one axis stands for some rows of a matrix, and an index of another axis for some of its
 * columns. A tile of the matrix has all indices of the other axes.
 */
export interface MatrixTensor {
  dtype: DType;
  dims: readonly number[];
  /** which axis of the tensor stands for the rows of the matrix, and which for the columns */
  axes: readonly [rows: number, columns: number];
  /** how many rows, and columns, an index of these axes stands for */
  steps: readonly [rows: number, columns: number];
  /** as elements have it; the last axis if omitted */
  contiguousAxis?: number;
  /** as elements have it; the bits of its type if omitted */
  widestBits?: number;
}

/** Which tensors are made of which, and where a matrix, over which all of them lie, is cut into tiles. */
export interface Tiling {
  /** of the matrix */
  dims: readonly [rows: number, columns: number];
  /** tiles begin at multiples of these */
  units: readonly [rows: number, columns: number];
  /** what is read */
  from: readonly MatrixTensor[];
  /** what is made */
  to: readonly MatrixTensor[];
  /** whether tiles are as high as the matrix before they are wide: for `from` whose columns lie together */
  isTall?: boolean;
  /** gets a tile of each of `from`, and gives one of each of `to`. The parts' memory is used again for the next tile */
  make: (tiles: CheckedTensor[], dims: [rows: number, columns: number]) => Tensor[];
}

export interface UrlOptions {
  /** The function that sends requests: the global `fetch` if omitted. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** The headers of each request. */
  headers?: Readonly<Record<string, string>>;
  /** The length of the file, in bytes: saves the request that asks for it. */
  size?: number;
  /** Ends all requests. */
  signal?: AbortSignal;
}
