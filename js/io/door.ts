/** The types of `onnx-layout/io`: its functions, and all types that their signatures name. */
export * from './index.js';
export type { Integers } from '../arguments/index.js';
export type { InitOptions } from '../engines/loading/index.js';
export type { IntegersLike, Operator } from '../operators/types.js';
export type { Tensor, TensorLike, TypeName } from '../tensor/index.js';
export type {
  Bytes,
  CastOptions,
  ConcatOptions,
  FileWriter,
  Progress,
  ReadOptions,
  TransposeOptions,
} from '../weights/index.js';
export type {
  BlobLike,
  ByteSource,
  FileHandleLike,
  PiecesOptions,
  SaveOptions,
  SourceLike,
  UrlOptions,
} from '../weights/types.js';
export type {
  AttributeValue,
  External,
  Model,
  NamingOptions,
  Node,
  OpenExternal,
  OpenModelOptions,
  OpenedModel,
  ReadModelOptions,
  SaveModelOptions,
  TensorProtoOptions,
  ValueInfo,
} from './onnx/types.js';
export type { VoidTypes } from './npz/npz.js';
export type { Given } from './run-model.js';
export type {
  MetadataOptions,
  NamedEntries,
  NamedTensors,
  NpyOptions,
  NpzOptions,
  OpenNpzOptions,
  OpenSafetensorsOptions,
  OpenShard,
  RunOptions,
  Value,
} from './types.js';
