/** The public door of tensors: what users import as `onnx-layout`. */
export { init, pack, unpack } from './engines/tensors/index.js';
export * from './operators/index.js';
export { dtypes, Tensor } from './tensor/index.js';
