/**
 * Whole models to other number types.
 * @module onnx-layout/convert
 */
export * from 'onnx-layout/convert';
