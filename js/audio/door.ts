/** The types of `onnx-layout/audio`: its functions, and all types that their signatures name. */
export * from './index.js';
export type { InitOptions } from '../engines/loading/index.js';
export type { PadMode } from '../engines/audio/types.js';
export type { Tensor, TensorLike } from '../tensor/index.js';
export type { ChunkOptions } from './chunks.js';
export type { DecodeAudioOptions } from './decode-audio.js';
export type { DecibelOptions } from './decibels.js';
export type { AudioBufferLike, AudioDataLike, AudioLike, DecodedAudio, Samples } from './audio.js';
export type { IstftOptions, SpectrumLike } from './istft.js';
export type { MelOptions, WindowOptions } from './mel-filter-bank.js';
export type { MelSpectrogramOptions, MfccOptions } from './mel-spectrogram.js';
export type { PieceOptions, ResampleOptions } from './resample.js';
export type { SpectrogramOptions, SpectrogramPieceOptions } from './spectrogram.js';
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
  DecodeWavOptions,
  ExtractorOptions,
  ExtractorStream,
  FeatureExtractor,
  Outputs,
  StreamOptions,
  StreamOut,
  Unpadded,
  WavHeaderOptions,
  WavOptions,
} from './types.js';
export type { WavHeader } from './wav-header.js';
