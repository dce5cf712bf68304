/**
 * Tensors, operators, images.
 * @module onnx-layout
 */
export * from 'onnx-layout';
