/** The inner door of files: what the conversion of whole models builds on. Users come in by index.js. */
export { concat, readBytes } from './bytes.js';
export { checkLocation } from './onnx/external-data.js';
export { modelRule } from './onnx/model.js';
export * from './onnx/onnx-fields.js';
export { attributesOnly, openFile, openerOf, readInMessage } from './onnx/open-model.js';
export * from './onnx/protobuf.js';
export { sparseName } from './onnx/sparse.js';
export { dtypeOfCode, headFields, parseTensor, readHead as readTensorHead } from './onnx/tensor-proto.js';
export { openedModel } from './quantize/edit-weights.js';
export { weightTypes } from './quantize/matmul-nbits.js';
export { endingsOf, PackedWeights } from './quantize/pack-weights.js';
