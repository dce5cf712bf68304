/**
 * Times feature extractors and resampling beside transformers.js, libsamplerate-js and a plain loop in this process,
 * and beside transformers, torchaudio, scipy and soxr in Python, on one thread.
 */
import { decodeWav, encodeWav, featureExtractor, resampleAudio, toMono } from '../../js/audio/index.js';
import { generator } from '../support/samples.js';
import { configurations } from './configurations.js';
import { checksOf, contestsOf } from './contest.js';
import { importPeer, loadTransformers } from './peers.js';

/** Noise that swells and ebbs. */
function noise(count, seed = 1) {
  const random = generator(seed);
  return new Float32Array(count).map((_, i) => (random() / 2 ** 31 - 1) * (0.5 + 0.4 * Math.sin(i / 9000)));
}

/** The contenders in Python, which have an environment of their own. */
const inPython = (samples, request) => ({
  ...{ name: 'audio', environment: 'python-audio', arrays: [samples], requests: [request] },
});

const whisper = (feature_size) => ({ ...configurations.whisper, feature_size });
const whisperBars = { 'transformers.js': [0.04, 0.018], NumPy: [0.14, 0.09], torch: [0.9, 0.55] };

const seamless = {
  feature_extractor_type: 'SeamlessM4TFeatureExtractor',
  feature_size: 80,
  num_mel_bins: 80,
  sampling_rate: 16000,
  stride: 2,
  padding_side: 'right',
  padding_value: 0,
};

const extractors = [
  { name: 'whisper80', title: 'Whisper, 80 mels, 30 s', config: whisper(80), bars: whisperBars },
  { name: 'whisper128', title: 'Whisper, 128 mels, 30 s', config: whisper(128), bars: whisperBars },
  { name: 'kaldi', title: 'Kaldi fbank 80, 30 s', config: seamless, bars: { NumPy: [0.12, 0.06] } },
];

/** An extractor on 30 s of audio. */
async function features({ title, config, bars }) {
  const samples = noise(30 * 16000);
  const ours = featureExtractor(config);
  const { [config.feature_extractor_type]: Extractor } = await loadTransformers();
  const theirs = new Extractor(config);
  return {
    title,
    contenders: { ours: () => ours(samples), 'transformers.js': () => theirs(samples) },
    python: inPython(samples, { config, rate: 16000 }),
    bars: { ours: bars },
  };
}

/** One output after the other: what a page writes without a library, with torchaudio's weights. */
function plainResampler(samples) {
  const taps = 41;
  const weights = Float32Array.from({ length: taps }, (_, i) => {
    const x = ((i - 20) / 3) * 0.99;
    if (Math.abs(x) >= 6) return 0;
    const sinc = x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
    return (sinc * Math.cos((Math.PI * x) / 12) ** 2 * 0.99) / 3;
  });
  return () => {
    const out = new Float32Array(Math.ceil(samples.length / 3));
    for (let i = 0; i < out.length; i++) {
      let sum = 0;
      for (let k = 0; k < taps; k++) sum += (samples[3 * i + k - 20] ?? 0) * weights[k];
      out[i] = sum;
    }
    return out;
  };
}

/** Upper limits of our time as a part of Python's, by resamplers, [must, aim]. */
const resamplerBars = { torchaudio: [0.29, 0.19], scipy: [0.29, 0.19], soxr: [6, 2.5] };

/** 10 minutes of stereo at 48 kHz to mono at 16 kHz. */
async function resampling({ quick }) {
  const length = quick ? 60 * 48000 : 600 * 48000;
  const channelData = [noise(length), noise(length, 7)];
  const both = new Float32Array(2 * length);
  channelData.forEach((channel, c) => both.set(channel, c * length));
  const { create, ConverterType } = (await importPeer('@alexanderolsen/libsamplerate-js')).default;
  const libsamplerate = await create(1, 48000, 16000, { converterType: ConverterType.SRC_SINC_MEDIUM_QUALITY });
  const ours = (backend) => () =>
    resampleAudio({ channelData, sampleRate: 48000 }, { new_freq: 16000, backend, mono: true });
  const mono = toMono({ channelData }).channelData[0];
  const backends = Object.entries(resamplerBars);
  return {
    title: `${length / 48000 / 60} minutes of 48 kHz stereo to 16 kHz mono`,
    contenders: {
      ...Object.fromEntries(backends.map(([backend]) => [`ours ${backend}`, ours(backend)])),
      'libsamplerate-js (medium sinc)': () => libsamplerate.full(mono),
      'JS loop': plainResampler(mono),
    },
    python: inPython(both, {}),
    bars: Object.fromEntries(backends.map(([backend, limits]) => [`ours ${backend}`, { [backend]: limits }])),
    end: () => libsamplerate.destroy(),
  };
}

/** Whisper streamed in chunks of 100 ms beside one call. */
function streaming() {
  const samples = noise(30 * 16000);
  const extract = featureExtractor(whisper(80));
  const streamed = () => {
    const stream = extract.stream();
    for (let at = 0; at < samples.length; at += 1600) stream.push(samples.subarray(at, at + 1600));
    return stream.end();
  };
  return {
    title: 'Whisper of 30 s in chunks of 100 ms',
    contenders: { 'one call': () => extract(samples), streamed },
    bars: { streamed: { 'one call': [1.3, 1.1] } },
  };
}

/** A WAV file of 16 bits and two channels beside a copy of its samples. */
function wav({ quick }) {
  const megabytes = quick ? 50 : 500;
  const count = (megabytes * 1e6) / 4;
  const bytes = encodeWav({ channelData: [noise(count), noise(count, 3)], sampleRate: 48000 });
  const { channelData } = decodeWav(bytes);
  return {
    title: `WAV of ${megabytes} MB to float32`,
    contenders: { decodeWav: () => decodeWav(bytes), memcpy: () => channelData.map((channel) => channel.slice()) },
    bars: { decodeWav: { memcpy: [3, 2] } },
  };
}

/** The checks by the name that `--only` takes: `audio` takes all of them. */
export const audioChecks = checksOf('audio', {
  ...contestsOf(extractors, features),
  resample: resampling,
  stream: streaming,
  wav,
});
