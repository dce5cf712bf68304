/** Types of this room. */
import type { Row as OptionRow } from '../arguments/index.js';

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
  run: (outputs: any, options: any, settings: Settings) => any;
}

/** A class: its methods under Python's names, and the defaults of the settings that they read. */
export interface Row {
  methods: Record<string, Method>;
  settings?: Settings;
}
