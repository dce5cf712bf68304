/**
 * Tensors and operators.
 * @module onnx-layout
 */
export * from 'onnx-layout';
