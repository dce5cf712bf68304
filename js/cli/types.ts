/** The types of the program. */
import type { splitToSequence, Tensor } from '../index.js';
import type { Entry, FileWriter, OpenedModel } from '../io/index.js';
import type { Weights } from '../node/index.js';

export type Result = Tensor | ReturnType<typeof splitToSequence>;

export type Transform = (...entries: Entry[]) => Entry | Entry[] | undefined;

export interface Command {
  /** its ONNX name; a command that runs none has no `--opset` */
  operator?: string;
  /** whether it takes any number of files IN */
  several?: true;
  /** one line for each part of the meaning */
  help: [form: string, ...meaning: string[]];
  /** beside those that all commands have */
  options: Options;
  /** reads the options before any file, so that bad usage is reported first */
  read: (values: Values, opset: number | undefined) => (...tensors: Tensor[]) => Result;
  /**
   * the same of tensors of any size, which are not read before the result is written; undefined where only whole
   * tensors can be taken
   */
  entries?: (values: Values, opset: number | undefined) => Transform;
}

export interface Report {
  isEqual: boolean;
  isWithin: boolean;
  a: Tensor;
  b: Tensor;
  /** undefined where dims differ */
  found: Difference | undefined;
  tolerance: Tolerance | undefined;
}

export type Tolerance = { atol: number; rtol: number };

/** by its number in row-major order */
export type Place = { at: number; values: [a: string, b: string] };

/** How elements differ. Differences are infinite where one is NaN. ULPs are of float types of 16 bits or more. */
export interface Difference {
  dims: number[];
  elements: number;
  /** how many */
  differ: number;
  /** how many of them are not within tolerance */
  beyond: number;
  first?: Place;
  /** undefined for text */
  largest?: Place & { difference: number };
  /** of all elements; undefined for text */
  mean?: number;
  ulps?: { largest: number; mean: number };
}

/** a tensor in memory, or an entry that is made when it is written */
export type Outgoing = Tensor | Entry;

/** by path; the one that names others comes last */
export type Files = [path: string, content: Uint8Array | FileWriter][];

export type ValueInfo = OpenedModel['inputs'][number];

/** A tensor as it is shown. */
export interface Row {
  name: string;
  type: string;
  dims: readonly number[];
  bytes: number;
  /** values */
  first?: unknown[];
}

export type Options = Record<string, { type: 'string' | 'boolean'; multiple?: boolean }>;

export type Values = { [text: string]: any; dtype?: string; tensor?: string; json?: boolean; force?: boolean };

/** what is printed, and the exit status, 0 if omitted */
export type Outcome = { printed: string; status?: number };

/** A command that does not make one tensor of one. */
export interface SpecialCommand {
  /** one line for each part of the meaning */
  help: [form: string, ...meaning: string[]];
  /** beside those that all commands have */
  options: Options;
  /** reads the arguments before any file, so that bad usage is reported first; what it returns does the work */
  read: (values: Values, files: string[]) => (streams: Streams) => Promise<Outcome>;
}

export type Pixels = { data: Uint8Array; width: number; height: number; channels: number };

/** A row of either report. */
export type WeightsRow = {
  node: string;
  operator: string;
  weights: string;
  packed?: boolean;
  unpacked?: boolean;
  why?: string;
  before?: number;
  after?: number;
  rms?: number;
};

export type SavedModel = { model: FileWriter; external?: FileWriter; report: WeightsRow[] };

/** Makes the result. `name`: that of the file for data */
export type Make = (source: Weights, name: string, saving: object) => Promise<SavedModel>;

export interface Streams {
  stdin: AsyncIterable<Uint8Array | string>;
  stdout: { write(chunk: string | Uint8Array): unknown };
  stderr: { isTTY?: boolean; write(chunk: string): unknown };
  /** ends the work */
  signal?: AbortSignal;
}

/** A call of the program: `operate` is what a command does to a tensor, or `work` the work of another one. */
export interface Usage {
  command: string;
  values: Values;
  files: string[];
  operate?: (...tensors: Tensor[]) => Result;
  /** the same of tensors of any size */
  transform?: Transform;
  work?: (streams: Streams) => Promise<Outcome>;
}
