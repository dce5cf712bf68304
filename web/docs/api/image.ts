/**
 * Pictures: to tensors and back, resized, cropped, letterboxed.
 * @module onnx-layout/image
 */
export * from 'onnx-layout/image';
