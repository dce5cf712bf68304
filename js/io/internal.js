/** The inner door of files: what the conversion of whole models builds on. Users come in by index.js. */
export { concat, readBytes } from './bytes.js';
export { readEntries } from './maps.js';
export { checkLocation } from './onnx/external-data.js';
export { innerPath, maxDepth } from './onnx/graph-tree.js';
export { modelRule } from './onnx/model.js';
export * from './onnx/onnx-fields.js';
export { attributesOnly, ExternalFiles, openFile, readInMessage } from './onnx/open-model.js';
export * from './onnx/place-data.js';
export * from './onnx/protobuf.js';
export { partsWithInitializers } from './onnx/save-model.js';
export { sparseName } from './onnx/sparse.js';
export { dtypeOfCode, headFields, parseBytes, parseTensor, readHead as readTensorHead } from './onnx/tensor-proto.js';
export { readValueInfo } from './onnx/value-info.js';
