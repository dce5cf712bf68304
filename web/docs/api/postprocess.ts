/**
 * Answers: boxes, selection, resizing, run lengths.
 * @module onnx-layout/postprocess
 */
export * from 'onnx-layout/postprocess';
