/**
 * Files by their paths, for Node alone.
 * @module onnx-layout/node
 */
export * from 'onnx-layout/node';
