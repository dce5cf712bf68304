/** The types of data sets. */
import type { TypeName } from '../../tensor/index.js';
import type { Entry } from '../../weights/index.js';

export interface BuildOptions {
  /** The configuration, as `imageProcessor` or `featureExtractor` takes it. */
  config: object | string;
  /** The class, by its name in transformers, where the configuration has none or another. */
  className?: string;
  /** Options of the processor's call, which count instead of the configuration's settings. */
  settings?: object;
  /** The library whose numbers pictures have, as in `imageProcessor`: 'torchvision' if omitted. */
  backend?: 'torchvision' | 'pil';
  /** The type of float outputs: 'float32' if omitted. */
  dtype?: 'float32' | 'float16' | 'bfloat16';
  /** Of pictures, as in `readImage`: 'upright' if omitted. */
  orientation?: 'upright' | 'ignore';
  /** A picture that states more pixels is refused, as in `readImage`: Pillow's 178,956,970 if omitted. */
  maxPixels?: number;
  /** Bytes that an input may become: 1 GiB if omitted. */
  maxBytes?: number;
  /** Whether channels of audio become their mean: false if omitted. */
  mono?: boolean;
  /** The beginning of files' names: 'data' if omitted. */
  name?: string;
  /** The format of shards: 'safetensors' if omitted. 'npy' takes one output of fixed dims. */
  format?: 'safetensors' | 'npy';
  /** Inputs of each shard: as many as make `shardBytes` if omitted. */
  shardRows?: number;
  /** Bytes of a shard by the outputs of the first input: 256 MiB if omitted. */
  shardBytes?: number;
  /** The part of the shards that this call makes, from 0 on, and the number of parts: all if omitted. */
  shard?: { index: number; count: number };
  /** The number of threads: as many as there are cores if omitted. 1 works in the caller's thread. */
  jobs?: number;
  /** 'throw' (if omitted) ends at the first input that fails, 'skip' leaves it out. */
  onError?: 'throw' | 'skip';
  /** Whether shards of other inputs or options are replaced: false if omitted. */
  force?: boolean;
  /** Is called with the number of inputs of this call's shards, after each. */
  onProgress?: (progress: { done: number; failed: number; total: number }) => void;
  /** Ends the work, and rejects with the signal's reason. */
  signal?: AbortSignal;
}

export interface CheckOptions {
  /** Is called with the bytes that are read so far, and with all. */
  onProgress?: (progress: { done: number; total: number }) => void;
  /** Ends the work, and rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** A file or a member of a tar archive. */
export interface Input {
  key: string;
  path: string;
  isAudio: boolean;
  /** of a member: where its bytes lie in the archive */
  start?: number;
  length?: number;
}

export type Kind = 'pictures' | 'audio';

/** The settings that a thread is started with. */
export type InputProcessing = Pick<
  BuildOptions,
  'className' | 'settings' | 'backend' | 'dtype' | 'orientation' | 'maxPixels' | 'maxBytes' | 'mono'
> & { config: object | string; kind: Kind };

/** An output: null where dims are not the same for all inputs. */
export interface OutputForm {
  dtype: TypeName;
  dims: (number | null)[];
}

export type FailedInput = { key: string; error: string };

/** A shard as the index has it. */
export interface IndexedShard {
  file: string;
  /** inputs that did not fail */
  rows: number;
  bytes: number;
  sha256: string;
  /** which inputs of the sorted list: from the first one up to the last one, which it does not have */
  inputs: [from: number, to: number];
  /** of its rows, where the file has no place for them: of .npy */
  keys?: string[];
}

/** A shard that is there. */
export interface FinishedShard extends IndexedShard {
  failed: FailedInput[];
  /** whether this call made it */
  isNew: boolean;
}

/** What a finished shard leaves for the index, and for whoever goes on. */
export interface ShardRecord {
  fingerprint: string;
  shard: IndexedShard;
  failed: FailedInput[];
}

/** What all shards of a data set have in common. */
export interface Plan {
  format: 'onnx-layout dataset';
  version: string;
  config: object;
  configHash: string;
  options: object;
  outputs: Record<string, OutputForm>;
  /** shards of the data set */
  count: number;
  name: string;
  extension: string;
}

/** index.json */
export interface DatasetIndex extends Pick<Plan, 'format' | 'version' | 'config' | 'configHash' | 'options'> {
  /** `dims` with all rows; null where dims differ */
  outputs: Record<string, OutputForm>;
  shards: IndexedShard[];
}

/** A data set that is open. */
export interface Dataset {
  index: DatasetIndex;
  /** by the names of outputs, joined along axis 0; outputs whose dims differ by `KEY/NAME` */
  entries: Map<string, Entry>;
  /** of the rows */
  keys: string[];
}

export interface DatasetCheck {
  shards: number;
  rows: number;
  bytes: number;
  faults: { file: string; fault: string }[];
}
