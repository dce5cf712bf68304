/**
 * File formats and models: bytes in, tensors out, and back.
 * @module onnx-layout/io
 */
export * from 'onnx-layout/io';
