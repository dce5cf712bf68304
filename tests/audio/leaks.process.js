/**
 * Measures the memory that 1,000 calls of audio leave behind, in bytes a call, and prints it as JSON. Of four rounds
 * the second least counts: a leak shows in every round, what the engine compiles late in one, and what it frees late in
 * another.
 */
import {
  decodeWav,
  encodeWav,
  featureExtractor,
  init,
  istft,
  melSpectrogram,
  resampleAudio,
  resampleStream,
  spectrogram,
  spectrogramStream,
  toMono,
  windowFunction,
} from 'onnx-layout/audio';
import { memoriesOf } from '../support/wasm-memory.js';

const [memory] = await memoriesOf(init);
const calls = 1000;
const samples = Float32Array.from({ length: 1600 }, (_, i) => Math.sin(i / 9));
const how = { window: windowFunction(64), frame_length: 64, hop_length: 32, power: null };
const bins = spectrogram(samples, how);
const wav = encodeWav(samples, { sampling_rate: 16000 });
const small = { feature_extractor_type: 'WhisperFeatureExtractor', chunk_length: 1, n_fft: 64, feature_size: 4 };
const extract = featureExtractor(small);

/** @type {Record<string, (i: number) => unknown>} */
const functions = {
  featureExtractor: (i) => featureExtractor({ ...small, feature_size: 1 + (i % 9) })(samples),
  'a call of an extractor': () => extract(samples),
  'a stream to its end': () => {
    const stream = extract.stream();
    stream.push(samples);
    return stream.end();
  },
  'a stream that is dropped': () => extract.stream().push(samples),
  spectrogram: () => spectrogram(samples, how),
  'spectrogramStream, dropped': () => spectrogramStream(how).push(samples),
  istft: () => istft(bins),
  melSpectrogram: () => melSpectrogram(samples, { preset: 'torchaudio' }),
  resampleAudio: (i) => resampleAudio(samples, { orig_freq: 16000, new_freq: 8000 + (i % 9) * 1000 }),
  'resampleStream, dropped': () => resampleStream({ orig_freq: 16000, new_freq: 8000 }).push(samples),
  decodeWav: () => decodeWav(wav),
  toMono: () => toMono({ channelData: [samples, samples] }),
  'decodeWav, refused': (i) => {
    try {
      return decodeWav(wav.subarray(0, i % 40));
    } catch (error) {
      return error;
    }
  },
};

function used() {
  // Twice, because what a finalizer frees is gone after the second collection.
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const before = memory.buffer.byteLength;
const results = Object.entries(functions).map(([name, call]) => {
  const round = calls / 4;
  for (let i = 0; i < round; i++) call(i);
  const readings = [used()];
  for (let i = 0; i < calls; i++) {
    call(i);
    if ((i + 1) % round === 0) readings.push(used());
  }
  const steps = readings.slice(1).map((reading, k) => reading - readings[k]);
  return { name, bytesPerCall: steps.sort((a, b) => a - b)[1] / round };
});
console.log(JSON.stringify({ results, grown: memory.buffer.byteLength - before, size: before }));
