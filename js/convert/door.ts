/** The types of `onnx-layout/convert`: its functions, and all types that their signatures name. */
export * from './index.js';
export type { InitOptions } from '../engines/loading/index.js';
export type { External, OpenExternal, OpenedModel } from '../io/types.js';
export type { Tensor, TensorLike, TypeName } from '../tensor/index.js';
export type { Bytes, Entry, FileWriter, Progress } from '../weights/index.js';
export type { BlobLike, ByteSource, FileHandleLike, SaveOptions, SourceLike } from '../weights/types.js';
export type {
  DequantizedBytes,
  DequantizedFiles,
  MatMulNBits,
  OneFileOptions,
  PackedRow,
  PackOptions,
  QuantizedBytes,
  QuantizedFiles,
  QuantizeOptions,
  UnpackedRow,
} from './nbits/types.js';
export type {
  BytesOptions,
  ConvertedBytes,
  ConvertedFiles,
  ConvertOptions,
  FilesOptions,
  ModelLike,
  ReportRow,
} from './types.js';
