/** The types of `onnx-layout/operators`: its functions, and all types that their signatures name. */
export * from './declare.js';
export type { Int64 } from '../arguments/index.js';
export type { InitOptions } from '../engines/loading/index.js';
export type { DType, Tensor, TensorLike, TypeName } from '../tensor/index.js';
export type {
  Attribute,
  Bounds,
  Call,
  Declaration,
  Dim,
  Input,
  IntegersOptions,
  IntegersRules,
  Move,
  Open,
  Operator,
  Plan,
  ReadInputs,
  TensorData,
  TensorSequence,
  TypeCheck,
} from './types.js';
