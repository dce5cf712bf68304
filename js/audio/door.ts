/** The types of `onnx-layout/audio`: its functions, and all types that their signatures name. */
export * from './index.js';
export type { PadMode } from '../engines/audio/types.js';
export type { Tensor, TensorLike } from '../tensor/index.js';
export type { AudioBufferLike, AudioDataLike, AudioLike, DecodedAudio, Samples } from './audio.js';
export type { IstftOptions, SpectrumLike } from './istft.js';
export type { MelOptions, WindowOptions } from './mel-filter-bank.js';
export type { MelSpectrogramOptions } from './mel-spectrogram.js';
export type { ResampleOptions } from './resample.js';
export type { DecibelOptions, SpectrogramOptions } from './spectrogram.js';
export type { AudioSettings, SharedAudioOptions } from './option-types.js';
export type { AudioClasses } from './outputs.js';
export type {
  AudioCallOptions,
  AudioClassName,
  AudioClassOf,
  AudioOutputs,
  Batch,
  BatchOutputs,
  CallOptions,
  ExtractorStream,
  FeatureExtractor,
  Outputs,
  StreamOut,
  Unpadded,
} from './types.js';
export type { WavHeader } from './wav.js';
