/** The types of Python's numbers inside transformers.js. */
import type { Decode } from '../image/types.js';
import type { PythonOptions } from './options.js';

/** An object of transformers.js that is patched in place. */
export type Patchable = any;

/** The module `@huggingface/transformers`, of which this much is used. */
export interface TransformersModule {
  Tensor: new (...values: any) => any;
  RawImage: any;
  env?: any;
}

/** What one part of what was loaded is computed by. */
export interface ReportRow {
  /** `image_processor`, `feature_extractor`, `video_processor`, the name of a method, or `pipeline` */
  part: string;
  className: string;
  by: 'python' | 'transformers.js';
  /** why transformers.js computes it; empty where Python's numbers are computed */
  reason: string;
}

/** How an input of a model differs between transformers.js and Python. */
export interface InputDifference {
  /** how many values differ; NaN where the dims differ or one of the two calls has no such input */
  differing: number;
  /** by how much, at most; NaN where `differing` is, and where only one of two values is NaN */
  maxDifference: number;
  dims: [theirs: readonly number[] | undefined, ours: readonly number[] | undefined];
}

/** One call by transformers.js alone and with Python's numbers. */
export interface Comparison {
  inputs: Record<string, InputDifference>;
  results: [theirs: any, ours: any];
  milliseconds: [theirs: number, ours: number];
}

export interface UsePythonOptions {
  /** The library whose numbers pictures have: torchvision if omitted, as in transformers. */
  backend?: 'torchvision' | 'pil';
  /** Reads files of pictures: `readImage` of `onnx-layout/node`. Browsers decode in pages if omitted. */
  decode?: Decode;
}

/** Python's numbers for a module of transformers.js. */
export interface Python {
  /**
   * Gives an object that exists Python's numbers: a pipeline, a Processor, an image processor, a feature extractor or
   * a video processor. `model` is the model whose inputs a processor's outputs become, or the id that a pipeline
   * without a processor was loaded by.
   */
  use: <T>(object: T, model?: object | string) => Promise<T>;
  /** Gives everything that is loaded from then on Python's numbers. */
  install: () => void;
  /** Puts everything back as it was. */
  uninstall: () => void;
  /** What has been computed by whom so far. */
  report: () => ReportRow[];
  /** Runs a pipeline or processor twice, by transformers.js alone and with Python's numbers. */
  compare: (object: object, ...input: unknown[]) => Promise<Comparison>;
}

/** A session of onnxruntime, as far as its inputs are known. */
export interface Session {
  inputMetadata?: readonly { name: string; type?: string; shape?: readonly (number | string)[] }[];
}

/** What the patches of one module share. */
export interface Context extends PythonOptions {
  hf: LoadedModule;
  /** the sessions of the model behind an object */
  sessions: WeakMap<object, readonly Session[]>;
  note: (row: ReportRow) => void;
}

/** A tensor of transformers.js, of which this much is used; its rows by their numbers. */
export interface TheirTensor {
  type: string;
  dims: number[];
  data: Float32Array | Uint8Array | BigInt64Array;
  min: () => TheirTensor;
  max: () => TheirTensor;
  item: () => number;
  sub: (value: number) => TheirTensor;
  div_: (value: number) => TheirTensor;
  mul_: (value: number) => TheirTensor;
  sigmoid_: () => TheirTensor;
  unsqueeze: (dim: number) => TheirTensor;
  to: (type: string) => TheirTensor;
  [row: number]: TheirTensor;
}

/** A picture of transformers.js. */
export interface TheirImage {
  data: Uint8Array | Uint8ClampedArray;
  width: number;
  height: number;
  clone: () => TheirImage;
  putAlpha: (mask: TheirImage) => TheirImage;
}

/** The class of a picture of transformers.js. */
export interface TheirImageClass {
  new (data: Uint8ClampedArray, width: number, height: number, channels: number): TheirImage;
  read: (input: unknown) => Promise<TheirImage>;
  fromTensor: (tensor: TheirTensor) => TheirImage;
}

/** The module with its classes by their names. */
export type LoadedModule = Omit<TransformersModule, 'RawImage'> & { RawImage: TheirImageClass } & Record<string, any>;
