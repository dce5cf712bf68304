/** The types of the program. */
import type { schemas, Tensor } from '../index.js';
import type { Entry, FileWriter, OpenedModel } from '../io/index.js';
import type { imageProcessor } from '../processors/index.js';

/** An option: how it is read, and what the help and completions say of it. */
export interface Option {
  type: 'string' | 'boolean';
  multiple?: boolean;
  /** a value that the help shows */
  sample: string;
  /** the words of which it takes one; shells complete them */
  words?: readonly string[];
  help?: string;
  /** the name of its value; if omitted, that of the option in camelCase */
  key?: string;
  /** whether its value is a file that the command reads */
  isPath?: boolean;
  /** refuses a text by a rule that begins with `name` */
  read(name: string, text: string): unknown;
}

export type Options = Record<string, Option>;

/** A call of a command: its arguments, read. */
export interface Call {
  /** of the command */
  name: string;
  /** the files before OUT */
  inputs: string[];
  /** empty for a command without OUT */
  out: string;
  /** that of OUT, such as `.npy`, by its name or by --as; empty for a command without OUT */
  extension: string;
  /** the values of the command's own options, by their keys */
  options: OptionValues;
  /** the values of the options that several commands share */
  values: {
    tensor?: string;
    dtype?: Tensor['type'];
    viewAs?: PackedName;
    as?: string;
    json?: boolean;
    quiet?: boolean;
    force?: boolean;
  };
}

export type PackedName = 'int4' | 'uint4' | 'int2' | 'uint2';

/** The end of a command. `report`: for --json; `lines`: printed without it; `status`: of the program, 0 if omitted */
export type Outcome = { report: object; lines?: string[]; status?: number };

export interface Command {
  /** its files; … stands for any number */
  form: string;
  /** one line */
  summary: string;
  notes?: string;
  /** calls, without the name of the program */
  examples: string[];
  options: Options;
  required?: string[];
  /** names of options that several commands have */
  shared: string[];
  /** the extensions that OUT may have, that of standard output first; any if omitted */
  extensions?: string[];
  /** whether OUT must not exist */
  isNew?: boolean;
  /** whether a folder stands for its pictures, not for all of its files: `work` checks OUT against them */
  hasPictures?: boolean;
  work(streams: Streams, call: Call): Promise<Outcome>;
}

/** A command that makes tensors of tensors: of one, or of several as a list. */
export type TensorCommand = SharedTensorCommand &
  ({ several?: undefined; call: Operation<Tensor> } | { several: true; call: Operation<Tensor[]> });

/** The operator reads the options. */
type Operation<Input> = (input: Input, options: any) => Tensor | Tensor[];

/** `form` is IN OUT, if omitted. */
interface SharedTensorCommand extends Omit<Command, 'form' | 'shared' | 'work'> {
  form?: string;
  /** its ONNX name; a command that runs none has no `--opset` */
  operator?: keyof typeof schemas;

  /** whether IN may be a picture, which sharp decodes */
  takesPictures?: boolean;

  /** the name of the first input, for inference before `entries` */
  inferred?: string;
  /**
   * the same for entries, whose data are read only when the result is written; gives undefined if tensors have to be
   * read first
   */
  entries?: (entries: Entry[], options: OptionValues) => Entry | Entry[] | undefined;
}

/** How two tensors differ. */
export interface Report {
  /** whether types, dims and elements are equal */
  isEqual: boolean;
  /** whether they are equal, or all differences within tolerance */
  isWithin: boolean;
  a: Tensor;
  b: Tensor;
  /** undefined where dims differ */
  details: Difference | undefined;
  tolerance: Tolerance | undefined;
}

/** An element may differ by `atol + rtol * |b|` if both are finite. */
export type Tolerance = { atol: number; rtol: number };

/** An element that differs. `at`: its number in row-major order; `values`: in both tensors, as text */
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

/** A result to write: a tensor in memory, or an entry that is made when it is written. */
export type Outgoing = Tensor | Entry;

/** Files to write, by path; the one that names others comes last. */
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

/** a picture that failed, with the message why */
export type LeftOut = { file: string; error: string };

export type Pixels = { data: Uint8Array; width: number; height: number; channels: number };

/**
 * A row of the report of `quantizeWeights` or `dequantizeWeights`. `why`: the reason if the weights were left; `before`
 * and `after`: their bytes; `rms`: the error of packed ones
 */
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

export interface Streams {
  stdin: AsyncIterable<Uint8Array | string>;
  /** `isClosed`: nobody reads any more */
  stdout: { isClosed?: boolean; write(chunk: string | Uint8Array): unknown };
  stderr: { isTTY?: boolean; write(chunk: string): unknown };
  /** no lines about long work */
  isQuiet?: boolean;
}

/** Of any class. */
export type ImageProcessor = ReturnType<typeof imageProcessor>;

/** The options of a command line, by their names. */
export type OptionValues = Record<string, any>;
