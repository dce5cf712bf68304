/** The types of files in Node. */
import type { Entry, OpenedModel } from '../io/index.js';
import type { BrowserClass } from '../image/internal.js';
import type { Encoded } from '../image/types.js';
import type { CallOptions, Outputs, ProcessorOptions } from '../processors/types.js';
import type { TensorLike, TypeName } from '../tensor/index.js';
import type { Decoded } from './read-wav.js';

/** Opened files. */
export interface Weights {
  format: 'npy' | 'npz' | 'safetensors' | 'onnx';
  /** of all files that were opened, without external data */
  byteLength: number;
  /** by name; the one of a .npy file has the empty name. Of a model also its constants: see `openModel` */
  entries: Map<string, Entry>;
  /** of safetensors files, and a model's metadata_props */
  metadata?: Map<string, string>;
  /** of an .onnx file */
  model?: OpenedModel;
  /** lets go of the files */
  close: () => Promise<void>;
}

/** A source over an open file. */
export interface PathSource {
  /** as it was when the file was opened */
  byteLength: number;
  slice: (start: number, end: number) => Promise<Uint8Array>;
  read: (target: Uint8Array, start: number) => number | Promise<number>;
  close: () => Promise<void>;
}

/** A picture file: its path, its bytes, or a pipeline of sharp. */
export type EncodedImage = Encoded | BrowserClass<'Blob'>;

export interface ReadImageOptions {
  /**
   * 'upright' (if omitted) turns a picture as its EXIF says, 'ignore' takes the pixels as the file stores them, as
   * PIL.Image.open does.
   */
  orientation?: 'upright' | 'ignore';
  /** A file that states more pixels is refused before it is decoded: Pillow's 178,956,970 if omitted. */
  maxPixels?: number;
}

export interface OpenWeightsOptions {
  /** The type of void elements (`|V1`, `|V2`) of a .npy or .npz file. They are refused if omitted. */
  dtype?: TypeName;
  /** The folder of the other files, where `file` is bytes: the current one if omitted. */
  folder?: string;
  /** Whether other files may be links that lead out of the folder: 'follow' if omitted; 'inside' refuses them. */
  links?: 'follow' | 'inside';
}

export interface SaveOutputsOptions {
  /** The number of pictures that come: .safetensors needs it. */
  total?: number;
}

/** The outputs of a batch of picture files. */
export interface Preprocessed<Result = Outputs> {
  /** of the pictures in `outputs`, in their order */
  paths: string[];
  /** undefined if all have failed */
  outputs: Result | undefined;
  /** of each picture in `outputs`, where the option `steps` asks for it */
  images?: { width: number; height: number; steps: object[] }[];
  failed: { path: string; error: Error }[];
}

/** What a thread makes of a list of paths or inputs. Where the thread itself ended, `failed` has items of the list. */
export interface Processed<Item> extends Omit<Preprocessed, 'failed'> {
  failed: { path: string | Item; error: Error }[];
  /** of an input: whether the system could not read it */
  isSystem?: boolean;
}

export type Run<Item> = (list: Item[]) => Promise<Processed<Item>>;

/** An output as a thread sends it: a tensor, or a list of tensors, numbers and texts. */
export type Sent = TensorLike | number | string | boolean | Sent[];

/** The methods of sharp's pipelines that are called here. */
export interface Pipeline {
  clone: () => Pipeline;
  autoOrient: () => Pipeline;
  pipelineColorspace: (name: string) => Pipeline;
  toColorspace: (name: string) => Pipeline;
  raw: (options: { depth: string }) => Pipeline;
  metadata: () => Promise<{ space?: string; width: number; height: number }>;
  toBuffer: (options: { resolveWithObject: true }) => Promise<{
    data: Uint8Array;
    info: { width: number; height: number; channels: number };
  }>;
}

/** An output that was written: all pictures' rows. */
export interface SavedOutput {
  name: string;
  type: TypeName;
  dims: number[];
}

/** An output on its way to a file. */
export interface OutputFile {
  /** of the file */
  name: string;
  target: Target;
  /** the byte that comes next */
  at: number;
  rows: number;
  type: TypeName;
  /** without the rows */
  dims: number[];
  /** rows of each picture, where they have to be the same */
  perPicture?: number;
}

export interface PreprocessOptions<Name extends string = string> extends ProcessorOptions<Name> {
  /** Options of the processor's call, which count instead of the configuration's settings. */
  settings?: CallOptions;
  /** As in `readImage`: 'upright' if omitted. */
  orientation?: 'upright' | 'ignore';
  /** A file that states more pixels is refused, as in `readImage`: Pillow's 178,956,970 if omitted. */
  maxPixels?: number;
  /** Pictures that become one batch: 1 if omitted. */
  batch?: number;
  /** The number of threads: as many as there are cores if omitted. 1 works in the caller's thread. */
  jobs?: number;
  /** 'throw' (if omitted) ends at the first failure, 'skip' lists it in `failed`. */
  onError?: 'throw' | 'skip';
  /** Whether each picture's size and steps are reported, in `images`, which takes time: false if omitted. */
  steps?: boolean;
  /** Is called with the number of files, after each batch; `total` is undefined where paths are no array. */
  onProgress?: (progress: { done: number; failed: number; total: number | undefined }) => void;
  /** Ends the work, and rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** The settings that a thread is started with. */
export type Processing = Pick<
  PreprocessOptions,
  'backend' | 'className' | 'dtype' | 'maxBytes' | 'maxPixels' | 'settings' | 'orientation' | 'steps'
> & { config: object | string };

/** A WAV file that is open. */
export interface WavFile {
  sampleRate: number;
  numberOfChannels: number;
  /** how many samples each channel has */
  length: number;
  /** the samples of a part, or all */
  read: (from?: number, to?: number) => Promise<Decoded>;
  /** all samples, `length` at a time: 2^18 if omitted */
  pieces: (length?: number) => AsyncGenerator<Decoded, void, undefined>;
  /** lets go of the file */
  close: () => Promise<void>;
}

/** Bytes, an async iterable of them, or the result of a function that saves. */
export type Content = Uint8Array | AsyncIterable<Uint8Array>;

/** The used part of an open file. */
export interface Handle {
  fd: number;
  write: (
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number | null,
  ) => Promise<{ bytesWritten: number }>;
  sync: () => Promise<void>;
  close: () => Promise<void>;
}

/**
 * A file on its way. `temporary`: undefined where the path is no file, but a device or a pipe, which is written as it
 * is
 */
export type Target = { path: string; temporary: string | undefined; handle: Handle };
