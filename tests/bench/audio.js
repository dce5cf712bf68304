/**
 * Times feature extractors and resampling beside transformers.js, libsamplerate-js and a plain loop in this process,
 * and beside transformers, torchaudio, scipy and soxr in Python, on one thread.
 */
import { decodeWav, encodeWav, featureExtractor, init, resampleAudio, toMono } from '../../js/audio/index.js';
import { contest, inPython } from './contest.js';
import { installPeers } from './peers.js';

/** Noise that swells and ebbs. */
const noise = (count, seed = 1) => {
  let state = seed;
  return Float32Array.from({ length: count }, (_, i) => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state / 2 ** 31) * (0.5 + 0.4 * Math.sin(i / 9000));
  });
};

/** The contenders in Python, which have an environment of their own. */
const pythons = (samples, request) =>
  inPython('audio', [samples], ([file]) => ({ '': { ...request, file } }), 'python-audio');

/** One extractor on 30 s of audio. */
async function features({ title, config, bars }, options) {
  await init();
  const samples = noise(30 * 16000);
  const ours = featureExtractor(config);
  installPeers();
  const library = await import('@huggingface/transformers');
  const theirs = new library[config.feature_extractor_type](config);
  const python = await pythons(samples, { config, rate: 16000 });
  const contenders = { ours: () => ours(samples), 'transformers.js': () => theirs(samples), ...python.contenders };
  const result = await contest(title, contenders, { ours: bars }, options);
  python.end();
  return result;
}

const whisper = (feature_size) => ({
  feature_extractor_type: 'WhisperFeatureExtractor',
  feature_size,
  sampling_rate: 16000,
  hop_length: 160,
  chunk_length: 30,
  n_fft: 400,
  n_samples: 480000,
  nb_max_frames: 3000,
  padding_side: 'right',
  padding_value: 0,
});
const whisperBars = { 'transformers.js': [0.04, 0.018], NumPy: [0.14, 0.09], torch: [0.9, 0.55] };

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

/** 10 minutes of stereo at 48 kHz to mono at 16 kHz. */
async function resampling(options) {
  await init();
  const length = options.quick ? 60 * 48000 : 600 * 48000;
  const channelData = [noise(length), noise(length, 7)];
  const both = new Float32Array(2 * length);
  channelData.forEach((channel, c) => both.set(channel, c * length));
  installPeers();
  const { create, ConverterType } = (await import('@alexanderolsen/libsamplerate-js')).default;
  const libsamplerate = await create(1, 48000, 16000, { converterType: ConverterType.SRC_SINC_MEDIUM_QUALITY });
  const ours = (backend) => () =>
    resampleAudio({ channelData, sampleRate: 48000 }, { new_freq: 16000, backend, mono: true });
  const mono = toMono({ channelData }).channelData[0];
  const python = await pythons(both, {});
  const contenders = {
    'ours torchaudio': ours('torchaudio'),
    'ours scipy': ours('scipy'),
    'ours soxr': ours('soxr'),
    'libsamplerate-js (medium sinc)': () => libsamplerate.full(mono),
    'JS loop': plainResampler(mono),
    ...python.contenders,
  };
  const bars = {
    'ours torchaudio': { torchaudio: [0.29, 0.19] },
    'ours scipy': { scipy: [0.29, 0.19] },
    'ours soxr': { soxr: [6, 2.5] },
  };
  const title = `${length / 48000 / 60} minutes of 48 kHz stereo to 16 kHz mono`;
  const result = await contest(title, contenders, bars, options);
  libsamplerate.destroy();
  python.end();
  return result;
}

/** Whisper streamed in chunks of 100 ms beside one call. */
async function streaming(options) {
  await init();
  const samples = noise(30 * 16000);
  const extract = featureExtractor(whisper(80));
  const streamed = () => {
    const stream = extract.stream();
    for (let at = 0; at < samples.length; at += 1600) stream.push(samples.subarray(at, at + 1600));
    return stream.end();
  };
  const contenders = { 'one call': () => extract(samples), streamed };
  return contest('Whisper of 30 s in chunks of 100 ms', contenders, { streamed: { 'one call': [1.3, 1.1] } }, options);
}

/** A WAV file of 16 bits and two channels beside a copy of its samples. */
async function wav(options) {
  await init();
  const megabytes = options.quick ? 50 : 500;
  const count = (megabytes * 1e6) / 4;
  const bytes = encodeWav({ channelData: [noise(count), noise(count, 3)], sampleRate: 48000 });
  const { channelData } = decodeWav(bytes);
  const contenders = {
    decodeWav: () => decodeWav(bytes),
    memcpy: () => channelData.map((channel) => channel.slice()),
  };
  return contest(`WAV of ${megabytes} MB to float32`, contenders, { decodeWav: { memcpy: [3, 2] } }, options);
}

const seamless = {
  feature_extractor_type: 'SeamlessM4TFeatureExtractor',
  feature_size: 80,
  num_mel_bins: 80,
  sampling_rate: 16000,
  stride: 2,
  padding_side: 'right',
  padding_value: 0,
};

/** The checks by the name that `--only` takes: `audio` takes all of them. */
export const audioChecks = {
  'audio-whisper80': (options) =>
    features({ title: 'Whisper, 80 mels, 30 s', config: whisper(80), bars: whisperBars }, options),
  'audio-whisper128': (options) =>
    features({ title: 'Whisper, 128 mels, 30 s', config: whisper(128), bars: whisperBars }, options),
  'audio-kaldi': (options) =>
    features({ title: 'Kaldi fbank 80, 30 s', config: seamless, bars: { NumPy: [0.12, 0.06] } }, options),
  'audio-resample': resampling,
  'audio-stream': streaming,
  'audio-wav': wav,
};
