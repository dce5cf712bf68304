/** The types of `onnx-layout/convert`: its functions, and all types that their signatures name. */
export * from './index.js';
export type { External, OpenExternal, OpenedModel } from '../io/types.js';
export type { ModelLike } from '../io/types.js';
export type { Bytes, Entry, FileWriter, Progress } from '../weights/index.js';
export type { BlobLike, ByteSource, FileHandleLike, SaveOptions, SourceLike } from '../weights/types.js';
export type { BytesOptions, ConvertedBytes, ConvertedFiles, ConvertOptions, FilesOptions, ReportRow } from './types.js';
