/** 5,000 spectrograms at random against a naive DFT and plain sums, whole and as streams. */
import { beforeAll, expect, test } from '@jest/globals';
import { init, melFilterBank, spectrogram, spectrogramStream, windowFunction } from 'onnx-layout/audio';
import { spectrogramOf } from './audio.reference.js';
import { joinParts } from './golden-cases.js';

beforeAll(() => init());

/** The same numbers in every run: splitmix32. */
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let z = state ^ (state >>> 16);
    z = Math.imul(z, 0x21f0aaad);
    z ^= z >>> 15;
    z = Math.imul(z, 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
  };
}

const pick = (random, list) => list[Math.floor(random() * list.length)];

/** Options of a call, with lengths of all kinds of factors. */
function randomOptions(random) {
  const fft_length = 1 + Math.floor(random() * 64);
  const frame_length = random() < 0.5 ? fft_length : 1 + Math.floor(random() * fft_length);
  const power = pick(random, [1, 2, 2, 3, 0.5, null]);
  const bins = Math.floor(fft_length / 2) + 1;
  const hasMels = power !== null && bins > 1 && random() < 0.5;
  const mel = {
    num_frequency_bins: bins,
    num_mel_filters: 1 + Math.floor(random() * 12),
    min_frequency: random() * 500,
    max_frequency: 600 + random() * 7000,
    sampling_rate: 16000,
    norm: pick(random, [null, 'slaney']),
    mel_scale: pick(random, ['htk', 'slaney', 'kaldi']),
    triangularize_in_mel_space: random() < 0.3,
  };
  return {
    frame_length,
    hop_length: 1 + Math.floor(random() * 30),
    fft_length,
    power,
    window: windowFunction(frame_length, {
      name: pick(random, ['hann', 'hamming', 'povey', 'boxcar']),
      periodic: random() < 0.5,
    }),
    center: random() < 0.7,
    pad_mode: pick(random, ['reflect', 'constant', 'edge']),
    onesided: hasMels || random() < 0.8,
    preemphasis: pick(random, [null, 0.97]),
    remove_dc_offset: random() < 0.3,
    log_mel:
      power === null ? null : pick(random, [null, 'log10', 'log', ...(power === 1 || power === 2 ? ['dB'] : [])]),
    ...(hasMels && { mel_filters: melFilterBank(mel), mel_floor: 1e-6 }),
  };
}

/** Logarithms below these are of rounding alone. */
const least = { log: -16, log10: -7, dB: -70 };

const isNear = (a, b, log) => Object.is(a, b) || Math.abs(a - b) <= 2e-5 * (1 + Math.abs(b)) || b < least[log];

/** The first value that is not near, or undefined. */
function firstWrong({ dims: [rows, frames], data }, expected, { power, log_mel: log }) {
  for (let k = 0; k < rows; k++) {
    for (let t = 0; t < frames; t++) {
      const at = k * frames + t;
      const parts = power === null ? [data[2 * at], data[2 * at + 1]] : [data[at]];
      const wanted = power === null ? expected[k][t] : [expected[k][t]];
      if (!parts.every((x, i) => isNear(x, wanted[i], log))) return { k, t, parts, wanted };
    }
  }
  return undefined;
}

/** The result of a stream that is fed in pieces at random. */
function streamedOf(random, samples, options) {
  const stream = spectrogramStream(options);
  const parts = [];
  for (let at = 0; at < samples.length;) {
    const end = at + 1 + Math.floor(random() * 90);
    parts.push(stream.push(samples.subarray(at, end)));
    at = end;
  }
  const all = [...parts, stream.end()].filter(Boolean).map(({ spectrogram: part }) => part);
  return all.length > 0 ? joinParts(all, 1) : undefined;
}

test('5,000 calls at random', () => {
  const random = randomOf(41);
  for (let i = 0; i < 5000; i++) {
    const options = randomOptions(random);
    const shortest = options.center ? 1 : options.frame_length;
    const samples = Float32Array.from({ length: shortest + Math.floor(random() * 120) }, () => random() - 0.5);
    const result = spectrogram(samples, options);
    expect([i, firstWrong(result, spectrogramOf(samples, options), options)]).toEqual([i, undefined]);
    const joined = streamedOf(random, samples, options);
    if (joined) expect([i, Buffer.from(joined.data.buffer).equals(Buffer.from(result.data.buffer))]).toEqual([i, true]);
    else expect(result.dims[1]).toBe(0);
  }
});
