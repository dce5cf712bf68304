/**
 * Image processors: preprocessor_config.json to pixel_values.
 * @module onnx-layout/processors
 */
export * from 'onnx-layout/processors';
