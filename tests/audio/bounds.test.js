/** Refusals: options and arguments of the wrong kind, work and memory without bound. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as audio from 'onnx-layout/audio';
import { Tensor } from 'onnx-layout';
import { root } from '../support/packed.js';

const { chunkAudio, featureExtractor, istft, melFilterBank, melSpectrogram, mfcc, powerToDb, resampleAudio } = audio;
const { spectrogram, spectrogramStream, toMono, windowFunction } = audio;

beforeAll(() => audio.init());

const wave = Float32Array.from({ length: 400 }, (_, i) => Math.sin(i));
const how = { window: new Float64Array(16).fill(1), frame_length: 16, hop_length: 4 };
const bank = { num_frequency_bins: 9, num_mel_filters: 2, min_frequency: 0, max_frequency: 4000, sampling_rate: 8000 };
const bins = (frames) => new Tensor('complex64', new Float32Array(2 * 9 * frames).fill(1), [9, frames]);
const rates = { orig_freq: 2, new_freq: 1 };
const stereo = { channelData: [new Float32Array(1000), new Float32Array(1000)] };
/** The longest array. It has no entries. */
const endless = () => new Array(2 ** 32 - 1);

function detached() {
  const samples = new Float32Array(10);
  structuredClone(samples.buffer, { transfer: [samples.buffer] });
  return samples;
}

const flags = {
  'spectrogram: onesided': (value) => spectrogram(wave, { ...how, onesided: value }),
  'spectrogram: center': (value) => spectrogram(wave, { ...how, center: value }),
  'spectrogram: remove_dc_offset': (value) => spectrogram(wave, { ...how, remove_dc_offset: value }),
  'spectrogramStream: onesided': (value) => spectrogramStream({ ...how, onesided: value }),
  'spectrogramStream: center': (value) => spectrogramStream({ ...how, center: value }),
  'istft: onesided': (value) => istft(bins(2), { onesided: value }),
  'istft: center': (value) => istft(bins(2), { center: value }),
  'istft: normalized': (value) => istft(bins(2), { normalized: value }),
  'windowFunction: periodic': (value) => windowFunction(8, { periodic: value }),
  'windowFunction: center': (value) => windowFunction(8, { frame_length: 10, center: value }),
  'melFilterBank: triangularize_in_mel_space': (value) => melFilterBank({ ...bank, triangularize_in_mel_space: value }),
  'melSpectrogram: center': (value) => melSpectrogram(wave, { preset: 'torchaudio', center: value }),
  'mfcc: log_mels': (value) => mfcc(wave, { preset: 'torchaudio', log_mels: value }),
  'resampleAudio: mono': (value) => resampleAudio(wave, { ...rates, mono: value }),
};

describe.each(Object.entries(flags))('%s', (name, call) => {
  test.each([
    [null, TypeError, 'null'],
    [NaN, TypeError, 'NaN'],
    ['x', TypeError, "'x'"],
    ['', TypeError, "''"],
    [{}, TypeError, 'an object'],
    [[], TypeError, '[]'],
    [Symbol('s'), TypeError, 'Symbol(s)'],
    [new Boolean(false), TypeError, 'an object'],
    [2, RangeError, '2'],
    [-1n, RangeError, '-1'],
  ])('is a boolean #%#', (value, Class, shown) => {
    expect(() => call(value)).toThrow(new Class(`${name} must be 0 or 1, got ${shown}`));
  });

  test('is false where it is 0', () => {
    expect(JSON.stringify(call(0))).toBe(JSON.stringify(call(false)));
  });
});

const refused = {
  'RangeError: istft: hop_length must be at most 2147483647, got 4294967296': () =>
    istft(bins(1), { hop_length: 2 ** 32 }),
  'RangeError: spectrogram: hop_length must be at most 2147483647, got 2147483648': () =>
    spectrogram(wave, { ...how, hop_length: 2 ** 31 }),
  'RangeError: istft: the samples has 4294967312 numbers, more than there is memory for': () =>
    istft(bins(3), { hop_length: 2 ** 31 - 1, center: false, length: 2 ** 32 + 16 }),
  ['RangeError: resampleAudio: orig_freq and new_freq in lowest terms must be at most 33554432, ' +
  'got 4294967291 and 16000']: () => resampleAudio(wave, { orig_freq: 4294967291, new_freq: 16000 }),
  'RangeError: resampleAudio: a channel must become at most 1073741824 bytes (maxBytes), got 1280000000': () =>
    resampleAudio(new Float32Array(60_000), { orig_freq: 3, new_freq: 16000 }),
  'RangeError: resampleAudio: a channel must become at most 799 bytes (maxBytes), got 800': () =>
    resampleAudio(wave, { ...rates, maxBytes: 799 }),
  'RangeError: resampleStream: a part must become at most 1073741824 bytes (maxBytes), got 1280000000': () =>
    audio.resampleStream({ orig_freq: 3, new_freq: 16000 }).push(new Float32Array(60_000)),
  'RangeError: resampleStream: a part must become at most 799 bytes (maxBytes), got 800': () =>
    audio.resampleStream({ ...rates, maxBytes: 799 }).push(wave),
  // The mask and the channels of the first waveform, 12,000 bytes, are half of that for each of two waveforms.
  'RangeError: EncodecFeatureExtractor: audio must become at most 5000 bytes (maxBytes), got 6000': () =>
    featureExtractor({ feature_size: 2 }, { className: 'Encodec', maxBytes: 5000 })([stereo, stereo], {
      padding: false,
    }),
  'TypeError: resampleStream: maxBytes must be a number, got null': () =>
    audio.resampleStream({ ...rates, maxBytes: null }),
  'RangeError: resampleAudio: the filter must have at most 33554432 weights, got 3000000 times 21': () =>
    resampleAudio(wave, { orig_freq: 1, new_freq: 3e6, backend: 'scipy' }),
  'RangeError: resampleAudio: the filter must have at most 81920 taps, got 757578': () =>
    resampleAudio(wave, { orig_freq: 1e9, new_freq: 16000 }),
  'RangeError: toMono: audio channelData must have 0 to 65536 entries, got 131072': () =>
    toMono({ channelData: new Array(131072).fill([1]) }),
  'RangeError: toMono: audio channelData must have 0 to 65536 entries, got 4294967295': () =>
    toMono({ channelData: endless() }),
  'RangeError: toMono: audio numberOfChannels must be at most 65536, got 4294967295': () =>
    toMono({ numberOfChannels: 2 ** 32 - 1, getChannelData: () => wave }),
  'RangeError: toMono: a channel has 1099511627776 numbers, more than there is memory for': () =>
    toMono({ numberOfChannels: 1, numberOfFrames: 2 ** 40, copyTo: () => undefined }),
  'TypeError: toMono: audio must hold numbers, got undefined': () => toMono([0.1, undefined]),
  'TypeError: toMono: audio channelData[0] must hold numbers, got 1': () => toMono({ channelData: [[1n]] }),
  'TypeError: encodeWav: audio must hold numbers, got undefined': () => audio.encodeWav(endless()),
  'TypeError: chunkAudio: audio must hold numbers, got undefined': () =>
    chunkAudio(endless(), { chunk_length_s: 1, sampling_rate: 10 }),
  'RangeError: chunkAudio: stride_length_s must have 0 to 2 entries, got 4294967295': () =>
    chunkAudio(wave, { chunk_length_s: 1, stride_length_s: endless(), sampling_rate: 10 }),
  'RangeError: chunkAudio: chunk_length_s must give at most 1000000 chunks, got chunks 1 samples apart': () =>
    chunkAudio(new Float32Array(1_000_001), { chunk_length_s: 1, stride_length_s: 0, sampling_rate: 1 }),
  'RangeError: spectrogram: audio must have 0 to 1000000 entries, got 4294967295': () => spectrogram(endless(), how),
  'TypeError: spectrogram: window must hold numbers, got undefined': () =>
    spectrogram(wave, { ...how, window: endless() }),
  'TypeError: istft: window must hold numbers, got undefined': () => istft(bins(1), { window: endless() }),
  'RangeError: windowFunction: the window has 1099511627776 numbers, more than there is memory for': () =>
    windowFunction(10, { frame_length: 2 ** 40 }),
  'RangeError: windowFunction: window_length must be at most 327680, got 1099511627776': () => windowFunction(2 ** 40),
  'RangeError: spectrogram: mel_filters dims must hold whole numbers, got [9, 0.4444444444444444]': () =>
    spectrogram(wave, { ...how, mel_filters: { dims: [9, 4 / 9], data: [1, 2, 3, 4] } }),
  'RangeError: spectrogram: mel_filters must have a filter, got 0': () =>
    spectrogram(wave, { ...how, mel_filters: { dims: [9, 0], data: [] } }),
  'TypeError: spectrogram: preemphasis must be a number, got an object': () =>
    spectrogram(wave, { ...how, preemphasis: {} }),
  'TypeError: melFilterBank: onWarning must be a function, got 5': () => melFilterBank({ ...bank, onWarning: 5 }),
  'RangeError: melSpectrogram: power must be 1 or 2, got Symbol(s)': () =>
    melSpectrogram(wave, { preset: 'librosa', power: Symbol('s') }),
  [`RangeError: melSpectrogram: power must be 1 or 2, got '${'x'.repeat(60)}…'`]: () =>
    melSpectrogram(wave, { preset: 'librosa', power: 'x'.repeat(100_000) }),
  'RangeError: powerToDb: spectrogram dims must hold whole numbers from 0 on, got [-1]': () =>
    powerToDb({ data: [1], dims: [-1] }),
  'RangeError: powerToDb: spectrogram must have 2 numbers, got 1': () => powerToDb({ data: [1], dims: [2] }),
  'TypeError: powerToDb: spectrogram dims must be a list of whole numbers, got undefined': () =>
    powerToDb({ data: [1] }),
  "TypeError: powerToDb: spectrogram must be float32 or float64, got 'int8'": () =>
    powerToDb({ type: 'int8', data: [1], dims: [1] }),
  'TypeError: powerToDb: spectrogram data must hold numbers, got Symbol(s)': () =>
    powerToDb({ data: [Symbol('s')], dims: [1] }),
  'TypeError: powerToDb: spectrogram data must be numbers, got undefined': () => powerToDb(Symbol('s')),
  'TypeError: istft: spectrum must be complex64 [bins, frames]': () => istft({ type: 'complex64' }),
  'TypeError: istft: spectrum data must be a Float32Array, got Array': () =>
    istft({ type: 'complex64', dims: [2, 1], data: [1, 2, 3, 4] }),
  'TypeError: toMono: audio must have its memory, got a detached Float32Array': () => toMono(detached()),
  'TypeError: powerToDb: spectrogram data must have its memory, got a detached Float32Array': () =>
    powerToDb({ data: detached(), dims: [0] }),
  'RangeError: decodeWav: bytes must be a WAV file, got an empty file of 0 bytes': () => audio.decodeWav(detached()),
  'RangeError: decodeWav: header must be what readWavHeader gives, got code undefined and undefined channels': () =>
    audio.decodeWav(new Uint8Array(4), { header: null }),
  'RangeError: readWavHeader: byteLength must be at least that of bytes, 46, got -5': () =>
    audio.readWavHeader(audio.encodeWav([0], { sampling_rate: 1 }), { byteLength: -5 }),
};

test.each(Object.entries(refused))('%s', (message, call) => {
  const begin = performance.now();
  let error;
  try {
    call();
  } catch (thrown) {
    error = thrown;
  }
  expect(`${error}`).toBe(message);
  // Nothing is done before; the longest of these takes some milliseconds.
  expect(performance.now() - begin).toBeLessThan(3000);
});

test('a hop longer than the frames leaves silence between them', () => {
  const spectrum = bins(3);
  const near = istft(spectrum, { hop_length: 16, center: false });
  for (const hop of [20, 82_000, 170_000, 300_000, 2_000_000]) {
    const far = istft(spectrum, { hop_length: hop, center: false });
    const expected = new Float32Array(2 * hop + 16);
    for (let i = 0; i < 3; i++) expected.set(near.subarray(16 * i, 16 * i + 16), hop * i);
    expect(Buffer.compare(Buffer.from(far.buffer), Buffer.from(expected.buffer))).toBe(0);
  }
});

test('a file at a rate of a few hertz is resampled in time', () => {
  const begin = process.cpuUsage().user;
  expect(resampleAudio(wave, { orig_freq: 3, new_freq: 16000 })).toHaveLength(2_133_334);
  // 13 ms; weights that are made for each output took 1.5 s.
  expect(process.cpuUsage().user - begin).toBeLessThan(700_000);
});

test('rates without a common divisor give the same bits whatever the number of rows', () => {
  const options = { orig_freq: 3, new_freq: 16000, backend: 'scipy' };
  const samples = wave.subarray(0, 60);
  const all = resampleAudio(samples, options);
  const stream = audio.resampleStream(options);
  const joined = new Float32Array(all.length);
  let at = 0;
  for (let i = 0; i < samples.length; i += 7) {
    const part = stream.push(samples.subarray(i, i + 7));
    joined.set(part, at);
    at += part.length;
  }
  joined.set(stream.end(), at);
  expect(Buffer.compare(Buffer.from(joined.buffer), Buffer.from(all.buffer))).toBe(0);
});

test('the mean of as many channels as there may be', () => {
  const channelData = Array.from({ length: 65536 }, (_, i) => [i % 2, 1]);
  expect([...toMono({ channelData }).channelData[0]]).toEqual([0.5, 1]);
});

describe('SECURITY.md states the numbers of the code', () => {
  const text = readFileSync(join(root, 'SECURITY.md'), 'utf8').replace(/\s+/g, ' ');
  const ofLength = (fft_length) => () => spectrogram(wave, { ...how, fft_length, frame_length: 16 });
  test.each([
    ['A resampling filter has at most N taps', () => resampleAudio(wave, { orig_freq: 1e9, new_freq: 16000 })],
    ['FFTs and frames have at most N samples', ofLength(2 ** 20)],
    ['windows and filter banks at most N numbers', () => windowFunction(2 ** 40)],
    ['FFTs with a large prime factor have at most N samples', ofLength(18_013)],
  ])('%s', (sentence, call) => {
    let message = '';
    try {
      call();
    } catch (error) {
      ({ message } = error);
    }
    const most = /at most (\d+)/.exec(message)?.[1];
    expect(text).toContain(sentence.replace('N', Number(most).toLocaleString('en')));
  });
});
