/** The types of `onnx-layout/transformers`: its function, and all types that its signature names. */
export * from './index.js';
export type { Decode, Encoded, ImageLike, Pixels } from '../image/types.js';
export type { Comparison, InputDifference, Python, ReportRow, TransformersModule, UsePythonOptions } from './types.js';
