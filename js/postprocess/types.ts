/** Types of this room. */
import type { Configuration } from '../arguments/configurations/index.js';

/** Extents of outputs by their names, as they become known. */
export type Extents = Record<string, number>;

/** An output of a model as its kind reads it. */
export interface ReadTensor<Data = Float32Array> {
  data: Data;
  dims: number[];
}

/** A kind of output: how it is read, and what its reader gives. */
export interface OutputKind<Value = unknown> {
  readOutput: (name: string, value: unknown, known: Extents) => Value;
  isOptional?: boolean;
  /** Another name under which sessions have it. */
  alias?: string;
}

/** An option of a method: its reader, which gets the extents that are known of the outputs. `length` is there for the
 * reason that js/arguments/rows.js gives. */
export type OptionRow<Value = unknown> = ((name: string, value: unknown, known: Extents) => Value) & {
  readonly length: number;
};

/** In pixels. */
export type PictureSize = [height: number, width: number];

/** Settings of a class: its defaults, then the configuration's, which are not checked. */
export type Settings = Configuration;

/** The outputs of a model and the options of a call, by their names, as the kinds and rows of a method read them. */
export type ReadOutputs = Record<string, unknown>;
export type ReadOptions = Record<string, unknown>;

/** A method of a Python class as it is declared, where its steps get what its own kinds and rows read. */
export interface DeclaredMethod<Outputs, Options> {
  outputs: { [Name in keyof Outputs]: OutputKind<Outputs[Name]> };
  options: { [Name in keyof Options]: OptionRow<Options[Name]> };
  makeAnswer(outputs: Outputs, options: Options, settings: Settings): unknown;
}

/** A method of a Python class. */
export type Method = DeclaredMethod<ReadOutputs, ReadOptions>;

/** A class: its methods under Python's names, and the defaults of the settings that they read. */
export interface Row {
  methods: Record<string, Method>;
  settings?: Settings;
}
