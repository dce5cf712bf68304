/** istft, mfcc and melSpectrogram against librosa, torchaudio and torch. */
import { beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Tensor } from 'onnx-layout';
import { init, istft, melSpectrogram, mfcc, spectrogram, windowFunction } from 'onnx-layout/audio';
import { refuses } from '../support/assertions.js';
import { root } from '../support/packed.js';

beforeAll(() => init());

const cases = JSON.parse(readFileSync(join(root, 'tests/goldens/audio/parts.json'), 'utf8'));
const samples = Float32Array.from({ length: 20000 }, (_, i) => 0.5 * Math.sin(i * i * 1e-5) + 0.1 * Math.sin(i * 0.3));

/** The spectrum that parts.py takes apart from librosa's stft: bins fade from 1 to 0.25. */
function fadingSpectrum({ n_fft: length, hop_length, win_length = length }) {
  const window = windowFunction(win_length, { frame_length: length });
  const bins = spectrogram(samples, { window, frame_length: length, hop_length, power: null });
  const [rows, frames] = bins.dims;
  bins.data.forEach((x, i) => {
    bins.data[i] = x * Math.fround(1 - (0.75 * Math.floor(i / 2 / frames)) / (rows - 1));
  });
  return bins;
}

/** The spectrum that parts.py hands to torch, whose formula it has too. */
function plainSpectrum([bins, frames]) {
  const data = Float32Array.from({ length: 2 * bins * frames }, (_, i) => (((i * i * 7919) % 1009) - 504) / 1009);
  return new Tensor('complex64', data, [bins, frames]);
}

const made = {
  melSpectrogram: (options) => melSpectrogram(samples, options),
  mfcc: (options) => mfcc(samples, options),
  istft: (options, dims) => {
    const data = istft(dims ? plainSpectrum(dims) : fadingSpectrum(options), options);
    return { dims: [data.length], data };
  },
};
/** Of the largest value. */
const tolerances = { melSpectrogram: 4e-6, mfcc: 1e-5, istft: 1e-6 };

test.each(cases.map((one) => [`${one.function} ${JSON.stringify(one.options)}`, one]))('%s', (_, one) => {
  const { dims, data } = made[one.function](one.options, one.spectrum);
  expect(dims).toEqual(one.dims);
  const wanted = new Float32Array(new Uint8Array(Buffer.from(one.values, 'base64')).buffer);
  const largest = wanted.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  const distance = wanted.reduce((most, x, i) => Math.max(most, Math.abs(x - data[i * one.step])), 0);
  expect(distance / largest).toBeLessThan(tolerances[one.function]);
});

test('istft of more frames than a piece has gives the samples back', () => {
  const long = Float32Array.from({ length: 200_000 }, (_, i) => Math.sin(i * i * 1e-7));
  const bins = spectrogram(long, { window: windowFunction(256), frame_length: 256, hop_length: 64, power: null });
  const back = istft(bins, { hop_length: 64, length: long.length });
  expect(back.reduce((most, x, i) => Math.max(most, Math.abs(x - long[i])), 0)).toBeLessThan(1e-6);
});

refuses('', {
  "RangeError: melSpectrogram: preset must be 'librosa' or 'torchaudio', got 'x'": () =>
    melSpectrogram(samples, { preset: 'x' }),
  'RangeError: melSpectrogram: power must be 1 or 2, got 3': () => melSpectrogram(samples, { power: 3 }),
  'RangeError: mfcc: n_mfcc must be at most n_mels 40, got 41': () => mfcc(samples, { n_mfcc: 41, n_mels: 40 }),
  'RangeError: istft: spectrum must have 5 bins, got 3': () =>
    istft(new Tensor('complex64', new Float32Array(12), [3, 2]), { n_fft: 8 }),
  'RangeError: istft: spectrum must have 4 bins, got 3': () =>
    istft(new Tensor('complex64', new Float32Array(12), [3, 2]), { n_fft: 4, onesided: false }),
  'RangeError: istft: window must have win_length 3 numbers, got 2': () =>
    istft(new Tensor('complex64', new Float32Array(12), [3, 2]), { window: [1, 1], win_length: 3 }),
  'RangeError: istft: win_length must be at most n_fft 4, got 5': () =>
    istft(new Tensor('complex64', new Float32Array(12), [3, 2]), { window: [1, 1, 1, 1, 1] }),
  'TypeError: istft: window must be numbers, got 7': () =>
    istft(new Tensor('complex64', new Float32Array(12), [3, 2]), { window: 7 }),
  "RangeError: istft: window must be 'hann', 'hann_window', 'hamming', 'hamming_window', 'povey' or 'boxcar', got 'x'":
    () => istft(new Tensor('complex64', new Float32Array(12), [3, 2]), { window: 'x' }),
});
