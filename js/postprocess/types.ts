/** Types of this room. */
import type { Row as OptionRow } from '../arguments/index.js';
import type { TensorData } from '../tensor/types.js';

/** Extents of outputs by their names, as they become known. */
export type Extents = Record<string, number>;

export interface OutputKind {
  read: (name: string, value: any, known: Extents) => any;
  isOptional?: boolean;
  /** Another name under which sessions have it. */
  alias?: string;
}

/** Settings of a class: its defaults, then the configuration's. */
export type Settings = Record<string, any>;

/** A method of a Python class. */
export interface Method {
  outputs: Record<string, OutputKind>;
  options: Record<string, OptionRow>;
  run: (outputs: ReadOutputs, options: any, settings: Settings) => any;
}

/** A class: its methods under Python's names, and the defaults of the settings that they read. */
export interface Row {
  methods: Record<string, Method>;
  settings?: Settings;
}

/** The outputs of a model and the options of a call, by their names, as the kinds and rows of a method read them. */
export type ReadOutputs = Record<string, any>;
export type ReadOptions = Record<string, any>;

/** An output of a model as its kind reads it. */
export type ReadTensor = { data: TensorData; dims: number[] };
