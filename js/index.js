/** The public door of tensors: what users import as `onnx-layout`. */
export { init } from './engine/init.js';
export { pack, unpack } from './engine/index.js';
export * from './operators/index.js';
export { dtypes, Tensor } from './tensor/index.js';
