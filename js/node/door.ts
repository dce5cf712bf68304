/** The types of `onnx-layout/node`: its functions, and all types that their signatures name. */
export * from './index.js';
export type { InitOptions } from '../engines/loading/index.js';
export type { Encoded } from '../image/types.js';
export type { OpenedModel } from '../io/index.js';
export type { ImageClassOf, ImageOutputs } from '../processors/types.js';
export type { TypeName } from '../tensor/index.js';
export type { Entry } from '../weights/index.js';
export type { DatasetSource } from './datasets/list-inputs.js';
export type {
  BuildOptions,
  CheckOptions,
  Dataset,
  DatasetCheck,
  DatasetIndex,
  FailedInput,
  FinishedShard,
  IndexedShard,
  OutputForm,
} from './datasets/types.js';
export type {
  Content,
  EncodedImage,
  OpenWeightsOptions,
  PathSource,
  PreprocessOptions,
  Preprocessed,
  ReadImageOptions,
  SavedOutput,
  SaveOutputsOptions,
  WavFile,
  Weights,
} from './types.js';
