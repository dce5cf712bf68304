/**
 * What operators of one's own are declared with.
 * @module onnx-layout/operators
 */
export * from 'onnx-layout/operators';
