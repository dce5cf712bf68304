/**
 * Audio: feature extractors, spectrograms, resampling, WAV.
 * @module onnx-layout/audio
 */
export * from 'onnx-layout/audio';
