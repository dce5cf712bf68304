/** The door of audio: users import from here. */
export { init } from '../engines/audio/index.js';
export { toMono } from './audio.js';
export { chunkAudio } from './chunks.js';
export { decodeAudio } from './decode-audio.js';
export { featureExtractor } from './feature-extractor.js';
export { istft } from './istft.js';
export { melFilterBank, windowFunction } from './mel-filter-bank.js';
export { melSpectrogram, mfcc } from './mel-spectrogram.js';
export { resampleAudio, resampleStream } from './resample.js';
export { amplitudeToDb, powerToDb } from './decibels.js';
export { spectrogram, spectrogramStream } from './spectrogram.js';
export { decodeWav, encodeWav, readWavHeader } from './wav.js';
