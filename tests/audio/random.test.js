/**
 * Calls that the commit's hash chooses, against a naive DFT and plain sums, whole and as streams: spectrograms, filter
 * banks, resampling; and feature extractors against tests/goldens/audio/reference.py.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { Tensor } from 'onnx-layout';
import {
  init,
  istft,
  melFilterBank,
  resampleAudio,
  resampleStream,
  spectrogram,
  spectrogramStream,
  windowFunction,
} from 'onnx-layout/audio';
import { root } from '../support/packed.js';
import { chooseEveryNth, commitHash } from '../support/sample.js';
import { generator } from '../support/samples.js';
import { melBankOf, samplesOf, spectrogramOf } from './audio.reference.js';
import { resampledOf, soxrWidths } from './resample.reference.js';
import { wrongOf } from './replay.mjs';
import { joinParts } from './stream-parts.js';

beforeAll(() => init());

const firstSeed = Number.parseInt(commitHash().slice(0, 7), 16);

/** Numbers from 0 to 1: a call's own, so that a failure repeats alone. */
function randomOf(seed) {
  const random = generator(seed);
  return () => random() / 2 ** 32;
}

const pick = (random, list) => list[Math.floor(random() * list.length)];
const upTo = (random, most) => 1 + Math.floor(random() * most);
const noise = (random, length) => Float32Array.from({ length }, () => random() - 0.5);
const isSame = (a, b) => Buffer.from(a.buffer).equals(Buffer.from(b.buffer));

/** Calls `check` with the generator of each seed, which a failure names. */
function eachSeed(count, check) {
  for (let seed = firstSeed; seed < firstSeed + count; seed++)
    expect([seed, check(randomOf(seed))]).toEqual([seed, '']);
}

/** The first number that is farther from the oracle's than the tolerance, in words. */
function firstFar(data, expected, tolerance) {
  if (data.length !== expected.length) return `${data.length} numbers instead of ${expected.length}`;
  const at = expected.findIndex((x, i) => !(Math.abs(x - data[i]) <= tolerance));
  return at < 0 ? '' : `number ${at} is ${data[at]} instead of ${expected[at]}`;
}

const randomBank = (random, bins) => ({
  num_frequency_bins: bins,
  num_mel_filters: upTo(random, 12),
  min_frequency: random() * 500,
  max_frequency: 600 + random() * 7000,
  sampling_rate: 16000,
  norm: pick(random, [null, 'slaney']),
  mel_scale: pick(random, ['htk', 'slaney', 'kaldi']),
  triangularize_in_mel_space: random() < 0.3,
});

/** Options of a call, with lengths of all kinds of factors. */
function randomOptions(random) {
  const fft_length = upTo(random, 64);
  const frame_length = random() < 0.5 ? fft_length : upTo(random, fft_length);
  const power = pick(random, [1, 2, 2, 3, 0.5, null]);
  const bins = Math.floor(fft_length / 2) + 1;
  const hasMels = power !== null && bins > 1 && random() < 0.5;
  return {
    frame_length,
    hop_length: upTo(random, 30),
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
    ...(hasMels && { mel_filters: melFilterBank(randomBank(random, bins)), mel_floor: 1e-6 }),
  };
}

/** Logarithms below these are of rounding alone. */
const least = { log: -16, log10: -7, dB: -70 };

const isNear = (a, b, log) => Object.is(a, b) || Math.abs(a - b) <= 2e-5 * (1 + Math.abs(b)) || b < least[log];

/** The first value that is not near, in words. */
function firstWrong({ dims: [rows, frames], data }, expected, { power, log_mel: log }) {
  for (let k = 0; k < rows; k++) {
    for (let t = 0; t < frames; t++) {
      const at = k * frames + t;
      const parts = power === null ? [data[2 * at], data[2 * at + 1]] : [data[at]];
      const wanted = power === null ? expected[k][t] : [expected[k][t]];
      if (!parts.every((x, i) => isNear(x, wanted[i], log))) return `[${k}, ${t}] is ${parts} instead of ${wanted}`;
    }
  }
  return '';
}

/** The parts that a stream gives of pieces at random. */
function streamedOf(random, samples, stream) {
  const parts = [];
  for (let at = 0; at < samples.length;) {
    const end = at + upTo(random, 90);
    parts.push(stream.push(samples.subarray(at, end)));
    at = end;
  }
  return [...parts, stream.end()].filter(Boolean);
}

test('1,000 spectrograms', () => {
  eachSeed(1000, (random) => {
    const options = randomOptions(random);
    const shortest = options.center ? 1 : options.frame_length;
    const samples = noise(random, shortest + Math.floor(random() * 120));
    const result = spectrogram(samples, options);
    const parts = streamedOf(random, samples, spectrogramStream(options)).map(({ spectrogram: part }) => part);
    const isStreamed = parts.length > 0 ? isSame(joinParts(parts, 1).data, result.data) : result.dims[1] === 0;
    if (!isStreamed) return 'the stream differs';
    return firstWrong(result, spectrogramOf(samples, options), options);
  });
});

test('500 filter banks', () => {
  eachSeed(500, (random) => {
    const dtype = pick(random, ['float64', 'float32']);
    const options = { ...randomBank(random, 1 + upTo(random, 120)), dtype, num_mel_filters: upTo(random, 40) };
    const expected = melBankOf(options).flat();
    const largest = expected.reduce((most, x) => Math.max(most, x), 0);
    const { type, data } = melFilterBank(options);
    // Filters may be less than a hertz wide, which float32 rounds before the norm.
    return type === dtype ? firstFar(data, expected, largest * (dtype === 'float32' ? 1e-6 : 1e-9)) : type;
  });
});

const divisor = (a, b) => (b === 0 ? a : divisor(b, a % b));

/** Rates and options of a resampling. */
function randomResampling(random) {
  const backend = pick(random, ['torchaudio', 'scipy', 'soxr']);
  const [up, down] =
    backend === 'soxr'
      ? pick(random, Object.keys(soxrWidths)).split('/').map(Number)
      : [upTo(random, 12), upTo(random, 12)];
  const own = {
    lowpass_filter_width: upTo(random, 12),
    rolloff: 0.5 + random() / 2,
    resampling_method: pick(random, ['sinc_interp_hann', 'sinc_interp_kaiser']),
    beta: pick(random, [undefined, 5 + random() * 10]),
  };
  return { orig_freq: down * 1000, new_freq: up * 1000, backend, ...(backend === 'torchaudio' && own) };
}

test('200 resamplings', () => {
  eachSeed(200, (random) => {
    const options = randomResampling(random);
    const { orig_freq: from, new_freq: to, backend } = options;
    const common = divisor(from, to);
    const samples = noise(random, upTo(random, 150));
    const result = resampleAudio(samples, options);
    const parts = streamedOf(random, samples, resampleStream(options));
    const joined = Float32Array.from(parts.flatMap((part) => [...part]));
    if (!isSame(joined, result)) return 'the stream differs';
    const expected = from === to ? [...samples] : resampledOf(samples, to / common, from / common, options);
    // torchaudio computes its weights in float32.
    return firstFar(result, expected, backend === 'torchaudio' ? 1e-4 : 2e-6);
  });
});

test("100 resamplings by scipy's rule in float64", () => {
  eachSeed(100, (random) => {
    const [up, down] = [upTo(random, 40), upTo(random, 40)];
    const common = divisor(up, down);
    const samples = Float64Array.from({ length: upTo(random, 150) }, () => random() - 0.5);
    const result = resampleAudio(samples, { orig_freq: down, new_freq: up, backend: 'scipy' });
    if (!(result instanceof Float64Array)) return result.constructor.name;
    const plain = () => resampledOf(samples, up / common, down / common, { backend: 'scipy' });
    return firstFar(result, up === down ? [...samples] : plain(), 1e-13);
  });
});

test('float64 stays by channels, and the mean is one of float64', () => {
  const channelData = [new Float64Array(40).fill(1 / 3), new Float64Array(40).fill(0.1)];
  const options = { orig_freq: 3, new_freq: 2, backend: 'scipy' };
  const { channelData: both } = resampleAudio({ channelData }, options);
  expect(both).toEqual(channelData.map((channel) => resampleAudio(channel, options)));
  const { channelData: mean } = resampleAudio({ channelData }, { ...options, mono: true });
  expect(mean).toEqual([resampleAudio(new Float64Array(40).fill((1 / 3 + 0.1) / 2), options)]);
  for (const audio of [new Float64Array(3), [1, 2, 3]])
    expect(resampleAudio(audio, { ...options, backend: 'torchaudio' })).toBeInstanceOf(Float32Array);
  expect(resampleAudio([1, 2, 3], options)).toBeInstanceOf(Float32Array);
});

test('a quarter of 228 calls of all classes, whole and as streams', () => {
  const calls = JSON.parse(readFileSync(join(root, 'tests/goldens/audio/random.json'), 'utf8'));
  expect(calls).toHaveLength(228);
  for (const one of chooseEveryNth(calls, 4, commitHash()))
    expect([one.config, wrongOf(one)]).toEqual([one.config, '']);
});

test('80 calls of transformers over settings that classes ignore or read in their own way', () => {
  const calls = JSON.parse(readFileSync(join(root, 'tests/goldens/audio/settings.json'), 'utf8'));
  expect(calls).toHaveLength(80);
  expect(calls.map(wrongOf).filter(Boolean)).toEqual([]);
});

test('300 spectra back to samples', () => {
  eachSeed(300, (random) => {
    const n = 1 + upTo(random, 39);
    const frames = Math.floor(random() * 8);
    const win_length = pick(random, [n, upTo(random, n)]);
    const name = pick(random, ['hann', 'hamming', 'povey', 'boxcar']);
    const numbers = pick(random, [undefined, noise(random, win_length), [...noise(random, win_length)]]);
    const [center, normalized, onesided] = [random() < 0.5, random() < 0.3, random() < 0.7];
    const hop = upTo(random, 20);
    const bins = onesided ? Math.floor(n / 2) + 1 : n;
    const data = noise(random, 2 * bins * frames);
    const length = pick(random, [undefined, Math.floor(random() * 150)]);
    const own = { n_fft: n, hop_length: hop, win_length, window: numbers ?? name };
    const result = istft(new Tensor('complex64', data, [bins, frames]), {
      ...own,
      center,
      normalized,
      onesided,
      length,
    });
    const window = Array(n).fill(0);
    const side = Math.floor((n - win_length) / 2);
    [...(numbers ?? windowFunction(win_length, { name }))].forEach((x, i) => (window[side + i] = x));
    const left = center ? Math.floor(n / 2) : 0;
    const all = frames === 0 ? 0 : (frames - 1) * hop + n;
    const pairs = Array.from({ length: Math.floor(n / 2) + 1 }, (_, k) =>
      Array.from({ length: frames }, (__, t) => [data[2 * (k * frames + t)], data[2 * (k * frames + t) + 1]]),
    );
    const how = { n, hop, window, left, length: length ?? Math.max(0, all - 2 * left) };
    const expected = samplesOf(pairs, how).map((x) => x * (normalized ? Math.sqrt(n) : 1));
    const largest = expected.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    return firstFar(result, expected, 1e-6 * largest);
  });
});
