/**
 * Python's inputs and results inside of transformers.js.
 * @module onnx-layout/transformers
 */
export * from 'onnx-layout/transformers';
