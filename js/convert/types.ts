/** The types of the conversion of models. */
import type { TypedArray } from '../arguments/types.js';
import type { External, OpenExternal } from '../io/types.js';
import type { Entry, FileWriter } from '../weights/index.js';
import type { SaveOptions, SourceLike } from '../weights/types.js';
import type { Model, TiledWeights, Weight } from './model/types.js';

/** A node that stays float32, with the reason, or a weight that has another type. */
export interface ReportRow {
  /** its name, or that of its output */
  node?: string;
  /** the name of the weight */
  value?: string;
  from: string;
  to: string;
  reason?: string;
  /** numbers beyond float16, which became 65504 or -65504 */
  clipped?: number;
  /** numbers too small for float16, which became 2^-24 or -2^-24 */
  raised?: number;
}

/** A pass over the numbers of a weight before anything is written. `perm`: the order in which its axes are read;
 * `visit` gets the boxes of the weight one after the other, of `counts` elements from index `first` on. */
export interface ReadPass {
  weight: Weight;
  perm?: readonly number[];
  visit: (data: TypedArray, counts: readonly number[], first: readonly number[]) => void;
  /** is called when all is read */
  finish?: () => void;
}

/** A pass that makes tensors and drops them before anything is written: faults show then, and errors are measured. */
export interface DryRun extends Pick<TiledWeights, 'sources' | 'tiled'> {
  /** is called when all are made */
  finish?: () => void;
}

/** What to convert to, and how. */
export interface Choice {
  dtype: string;
  /** or the names of inputs and outputs that stay float32 */
  keepIo: boolean | ReadonlySet<string>;
  /** operators and nodes that stay float32 */
  float32: ReadonlySet<string>;
  perChannel: boolean;
  reduceRange: boolean;
  subgraphs: boolean;
  blockSize: number;
  symmetric: boolean;
  bnb4: 'nf4' | 'fp4';
}

/**
 * One conversion of a model. `before`: what it reads first; `apply` edits the model, and gives what it reads before
 * anything is written. `Row`: of its report.
 */
export interface Step<Row = ReportRow> {
  before?: (model: Model) => ReadPass[];
  /** adds its rows to the report */
  apply: (model: Model, report: Row[]) => { isChanged: boolean; passes: (ReadPass | DryRun)[] };
}

export interface EditedBytes<Row> {
  /** the bytes of the new file */
  model: Uint8Array;
  /** of the files of data, by their names, where `externalName` is given */
  externalFiles?: Map<string, Uint8Array>;
  report: Row[];
}

export interface EditedFiles<Row> {
  model: FileWriter;
  /** by their names, where `externalName` is given */
  externalFiles?: Map<string, FileWriter>;
  report: Row[];
}

/** A model of any size: a file, or what `openModel` gives. */
export type ModelLike =
  | SourceLike
  | {
      bytes: Uint8Array;
      initializers: ReadonlyMap<string, Entry>;
      /** of graphs inside of nodes; where they are omitted, `external` gives the data that are in other files */
      constants?: ReadonlyMap<string, Entry>;
    };

export interface ConvertOptions {
  /** The number types of the result, as transformers.js names them. */
  dtype: 'fp16' | 'q8' | 'int8' | 'uint8' | 'q4' | 'q4f16' | 'q2' | 'q2f16' | 'bnb4';
  /** Whether inputs and outputs of the model stay float32, or the names of those that do: true if omitted. Pixels and
   * other inputs that transformers.js makes have to stay. */
  keepIo?: boolean | 0 | 1 | readonly string[];
  /** Operators and names of nodes that stay float32: none if omitted. */
  float32?: readonly string[];
  /** With 8 bits: whether each column of a matrix has a scale of its own, false if omitted. */
  perChannel?: boolean | 0 | 1;
  /**
   * With 8 bits: whether weights get 7 bits, for processors whose sums of products would overflow, false if omitted.
   */
  reduceRange?: boolean | 0 | 1;
  /** With 8 and 4 bits: whether graphs inside of nodes are converted too, true if omitted. */
  subgraphs?: boolean | 0 | 1;
  /** With q4, q2 and their like: whether the zero point is the middle code, true if omitted. */
  symmetric?: boolean | 0 | 1;
  /** Elements that share a scale: 32 if omitted, 64 for bnb4. */
  blockSize?: 16 | 32 | 64 | 128 | 256;
  /** The code of bnb4: 'nf4' if omitted. */
  bnb4?: 'nf4' | 'fp4';
  /** The name of a file for all data of 1 KiB and more, as the new model will name it: none if omitted. */
  externalName?: string;
  /** The most bytes of such a file: 2,000,000,000 if omitted. The next ones are called `NAME_1`, `NAME_2` and so on. */
  externalBytes?: number;
}

export interface BytesOptions {
  /** Gives the data that are in other files: that of {@link readModel}. */
  external?: External;
}

export interface FilesOptions extends SaveOptions {
  /** Gives the sources of other files: that of {@link openModel}. */
  external?: OpenExternal;
}

export interface ConvertedBytes extends EditedBytes<ReportRow> {}

export interface ConvertedFiles extends EditedFiles<ReportRow> {}
