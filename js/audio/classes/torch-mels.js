/** Mel extractors that torch computes in float32. Here they are float64 with one rounding at the end. */
import { rangeError } from '../../arguments/index.js';
import {
  addNormals,
  banks,
  checkLengths,
  deltasOf,
  emphases,
  emphasizeNumbers,
  energies,
  flipNumbers,
  logarithms,
  makeSpectrum,
  makeWindow,
  mapNumbers,
  maps,
  melScales,
  precisions,
  reduceNumbers,
  windows,
} from '../../audio-engine/index.js';
import { monoOf } from '../audio.js';
import { featuresOf, frameCount, standardizeRows, torchCentered } from '../frames.js';
import { firstsOf, maskOf, padItems, padOptions, readPadding, roundUp } from '../padding.js';
import { batchOf, checkEven, newFloats, stackOf, tensor } from '../tensors.js';

/** @import { Spectrum } from '../../audio-engine/index.js' */
/** @import { Features } from '../frames.js' */
/** @import { Item } from '../padding.js' */
/** @import { CallOptions, Row, Settings } from '../row.js' */

/**
 * A window in the middle of a frame of `length` samples.
 * @param {{ kind: number, length: number, periodic?: boolean, precision?: number }} window
 * @param {number} length
 */
function centeredWindow(window, length) {
  if (window.length > length) rangeError(`win_length must be at most n_fft ${length}, got ${window.length}`);
  checkLengths(window.length, length);
  const padded = new Float64Array(length);
  padded.set(makeWindow(window), Math.floor((length - window.length) / 2));
  return padded;
}

/** @type {(settings: Settings, precision?: number) => Spectrum} */
function nemoSpectrum(settings, precision = precisions.float32) {
  const { n_fft: frameLength, hop_length: hop, feature_size: filters, sampling_rate: rate, win_length } = settings;
  return makeSpectrum({
    frameLength,
    hop,
    window: centeredWindow({ kind: windows.torchHann, length: win_length, periodic: false, precision }, frameLength),
    narrowWindow: true,
    bank: {
      kind: banks.audioUtils,
      bins: Math.floor(frameLength / 2) + 1,
      filters,
      low: 0,
      high: rate / 2,
      rate,
      slaneyNorm: true,
      scale: melScales.slaney,
      narrow: true,
      precision,
    },
    addsFloor: true,
    floor: 2 ** -24,
    logarithm: logarithms.natural,
  });
}

/**
 * Waveforms padded and emphasized; what lies behind the real samples becomes 0.
 * @param {Settings} settings
 * @param {readonly Float32Array[]} waves
 * @param {CallOptions} options
 */
function nemoWaves(settings, waves, options) {
  const items = padItems(
    waves.map((data) => ({ data })),
    readPadding(settings, options, { padding: 'longest' }),
  );
  return items.map(({ data }, i) => {
    if (settings.preemphasis === null) return data;
    const emphasized = data.slice();
    emphasizeNumbers(emphasized, Math.fround(settings.preemphasis), 0);
    return emphasized.fill(0, Math.min(waves[i].length, data.length));
  });
}

/**
 * [width, frames] as the array of [frames, width].
 * @param {Features} features
 */
const rowsOf = ({ data, frames, width }) => flipNumbers(data, width, frames, newFloats('the features', data.length));

/**
 * Parakeet's features of padded waveforms.
 * @param {Settings} settings
 * @param {Spectrum} spectrum
 * @param {readonly Float32Array[]} padded
 * @param {readonly number[]} lengths how many samples are real
 */
function nemoNormalized(settings, spectrum, padded, lengths) {
  const made = padded.map((samples, i) => {
    const cut = { ...torchCentered(spectrum, samples.length, 'constant'), byColumns: true };
    const features = featuresOf(spectrum, samples, cut);
    const count = Math.min(Math.floor(lengths[i] / settings.hop_length), features.frames);
    standardizeRows(features, count, (variance) => Math.sqrt(variance) + 1e-5);
    const data = rowsOf(features).fill(0, count * features.width);
    return { data, dims: [features.frames, features.width], flags: firstsOf(count, features.frames) };
  });
  return {
    input_features: stackOf('float32', made),
    attention_mask: stackOf(
      'bool',
      made.map(({ flags }) => flags),
    ),
  };
}

const nemo = {
  sampling_rate: 16000,
  hop_length: 160,
  n_fft: 512,
  win_length: 400,
  preemphasis: 0.97,
  return_attention_mask: true,
};

/** @type {Row} */
export const Parakeet = {
  axes: { input_features: 1, attention_mask: 1 },
  defaults: { feature_size: 80, ...nemo },
  nullable: ['preemphasis'],
  options: padOptions,
  prepare: (settings) => nemoSpectrum(settings),
  make({ settings, prepared, batch, options }) {
    const waves = monoOf(batch);
    const padded = nemoWaves(settings, waves, options);
    return nemoNormalized(
      settings,
      prepared,
      padded,
      waves.map(({ length }) => length),
    );
  },
};

/**
 * Where CohereASR splits audio: at the quietest window of the last seconds of a chunk.
 * @param {Float32Array} samples
 * @param {Settings} settings
 * @returns {Float32Array[] | undefined} undefined if it is short enough
 */
function splitAtQuiet(samples, settings) {
  const { sampling_rate: rate, max_audio_clip_s: clip, overlap_chunk_second: overlap } = settings;
  if (samples.length / rate <= Math.max(0, clip - overlap)) return undefined;
  const size = Math.max(1, Math.round(clip * rate));
  const back = Math.max(1, Math.round(overlap * rate));
  const chunks = [];
  for (let at = 0; at < samples.length;) {
    const end = at + size >= samples.length ? samples.length : quietest(samples, at, size, back, settings);
    chunks.push(samples.subarray(at, end));
    at = end;
  }
  return chunks;
}

/**
 * @param {Float32Array} samples
 * @param {number} at where the chunk begins
 * @param {number} size of the chunk
 * @param {number} back
 * @param {Settings} settings
 * @returns {number} where the chunk ends
 */
function quietest(samples, at, size, back, { min_energy_window_samples: quiet }) {
  const from = Math.max(at, at + size - back);
  const to = Math.min(at + size, samples.length);
  let cut = to <= from ? at + size : Math.floor((from + to) / 2);
  let least = Infinity;
  for (let start = from; start < to - quiet; start += quiet) {
    const energy = reduceNumbers(samples.subarray(start, start + quiet), 'wideSquares');
    if (energy < least) [cut, least] = [start, energy];
  }
  return Math.max(at + 1, Math.min(cut, samples.length));
}

/** @type {Row} */
export const CohereAsr = {
  axes: { input_features: 1, attention_mask: 1, audio_chunk_index: 0 },
  defaults: {
    feature_size: 128,
    ...nemo,
    dither: 1e-5,
    max_audio_clip_s: 35,
    overlap_chunk_second: 5,
    min_energy_window_samples: 1600,
  },
  nullable: ['preemphasis'],
  options: padOptions,
  prepare: (settings) => nemoSpectrum(settings),
  make({ settings, prepared, batch, options }) {
    /** @type {Float32Array[]} */
    const chunks = [];
    /** @type {[number, number | null][]} */
    const index = [];
    monoOf(batch).forEach((samples, i) => {
      const split = splitAtQuiet(samples, settings);
      chunks.push(...(split ?? [samples]));
      index.push(...(split ?? [null]).map((one, k) => /** @type {[number, number | null]} */ ([i, one && k])));
    });
    const dithered = chunks.map((samples) => {
      if (!(settings.dither > 0) || samples.length < 16) return samples;
      const noisy = samples.slice();
      addNormals(noisy, noisy.length, settings.dither);
      return noisy;
    });
    const padded = nemoWaves(settings, dithered, options);
    const outputs = nemoNormalized(
      settings,
      prepared,
      padded,
      chunks.map(({ length }) => length),
    );
    return { ...outputs, audio_chunk_index: index };
  },
};

/** @type {Row} */
export const NemotronAsrStreaming = {
  axes: { input_features: 1, attention_mask: 1 },
  defaults: { feature_size: 80, ...nemo, mel_filters_dtype: 'float32' },
  nullable: ['preemphasis'],
  options: [...padOptions, 'center', 'is_last_audio_chunk'],
  prepare: (settings) => {
    const { mel_filters_dtype: name } = settings;
    const precision = /** @type {Record<string, number>} */ (precisions)[name];
    if (!(precision > 0))
      rangeError(`mel_filters_dtype must be 'float32', 'float16' or 'bfloat16', got ${JSON.stringify(name)}`);
    return nemoSpectrum(settings, precision);
  },
  make({ settings, prepared, batch, options }) {
    const { n_fft: length, hop_length: hop } = settings;
    const waves = monoOf(batch);
    const center = options.center ?? true;
    const more = options.is_last_audio_chunk && !center ? Math.floor(length / 2) - hop : 0;
    const made = nemoWaves(settings, waves, options).map((samples, i) => {
      const cut = center ? torchCentered(prepared, samples.length, 'constant') : { right: more };
      const features = featuresOf(prepared, samples, cut);
      if (features.frames === 0) rangeError(`audio must have at least ${length} samples, got ${samples.length}`);
      const real = waves[i].length + more;
      const count = center ? Math.floor(real / hop) : Math.floor((real - length) / hop) + 1;
      const { data, frames, width } = features;
      const kept = Math.min(Math.max(count, 0), frames);
      return { data: data.fill(0, kept * width), dims: [frames, width], flags: firstsOf(kept, frames) };
    });
    return {
      input_features: stackOf('float32', made),
      attention_mask: stackOf(
        'bool',
        made.map(({ flags }) => flags),
      ),
    };
  },
};

/** @type {Row} */
export const Phi4Multimodal = {
  axes: { audio_input_features: 1, audio_embed_sizes: 0, audio_attention_mask: 1 },
  defaults: {
    feature_size: 80,
    sampling_rate: 16000,
    hop_length: 160,
    n_fft: 512,
    win_length: 400,
    preemphasis: 0.97,
    audio_compression_rate: 8,
    audio_downsample_rate: 1,
    audio_feat_stride: 1,
    mel_min_frequency: 0,
    mel_max_frequency: 7690,
    return_attention_mask: true,
  },
  options: [...padOptions, 'return_attention_mask'],
  prepare: (settings) =>
    makeSpectrum({
      frameLength: settings.win_length,
      hop: settings.hop_length,
      fftLength: settings.n_fft,
      emphasis: emphases.float32,
      coefficient: settings.preemphasis,
      lateScale: 32768,
      window: { kind: windows.torchHammingWide, length: settings.win_length, periodic: false },
      narrowBins: true,
      bank: {
        kind: banks.audioUtils,
        bins: Math.floor(settings.n_fft / 2) + 1,
        filters: settings.feature_size,
        low: settings.mel_min_frequency,
        high: settings.mel_max_frequency,
        rate: settings.sampling_rate,
        scale: melScales.kaldi,
        inMelSpace: true,
        precision: precisions.float32,
      },
      floor: 1,
      logarithm: logarithms.natural,
    }),
  make({ settings, prepared, batch, options }) {
    const { win_length: win, hop_length: hop } = settings;
    const waves = monoOf(batch);
    const items = padItems(
      waves.map((data) => ({ data })),
      readPadding(settings, options, { padding: 'longest' }),
    );
    const longest = Math.max(...waves.map(({ length }) => length));
    const made = items.map(({ data: samples }, i) => {
      const { data, frames, width } = featuresOf(prepared, samples);
      const { length } = waves[i];
      // Frames that reach into the padding are zeros in Python, and the logarithm of the floor is 0.
      if (length !== longest)
        data.fill(0, (Math.floor((length - win) / hop) + 1) * width, (Math.floor(length / hop) - 1) * width);
      return { data, dims: [frames, width] };
    });
    const counts = waves.map(({ length }) => (Math.floor((length - win) / hop) + 1) * settings.audio_feat_stride);
    const sizes = counts.map((count) =>
      Math.ceil(Math.ceil(count / settings.audio_compression_rate) / settings.audio_downsample_rate),
    );
    const outputs = {
      audio_input_features: stackOf('float32', made),
      audio_embed_sizes: tensor('int64', BigInt64Array.from(sizes, BigInt), [sizes.length]),
    };
    if (counts.length < 2 || !(options.return_attention_mask ?? true)) return outputs;
    const most = Math.max(...counts);
    return {
      ...outputs,
      audio_attention_mask: stackOf(
        'bool',
        counts.map((count) => firstsOf(count, most)),
      ),
    };
  },
};

/**
 * torchaudio's MelSpectrogram: a float32 window in the middle of a frame, an htk bank in float32 steps.
 * @param {Settings} settings
 * @param {number} filters
 */
const graniteSpectrum = ({ n_fft: frameLength, win_length, hop_length: hop, sampling_rate: rate }, filters) =>
  makeSpectrum({
    frameLength,
    hop,
    window: centeredWindow({ kind: windows.torchHann, length: win_length }, frameLength),
    narrowWindow: true,
    bank: {
      kind: banks.torchaudio,
      bins: Math.floor(frameLength / 2) + 1,
      filters,
      low: 0,
      high: rate / 2,
      rate,
    },
    floor: 1e-10,
    logarithm: logarithms.decimal,
  });

/**
 * log10 of mel energies, at most `floor` below the maximum, a quarter of it plus 1.
 * @param {Spectrum} spectrum
 * @param {Float32Array} samples
 * @param {{ floor: number, frames?: number, byColumns?: boolean }} how `frames`: no more than these
 */
function graniteLog(spectrum, samples, { floor, frames = Infinity, byColumns = false }) {
  const cut = torchCentered(spectrum, samples.length);
  const all = frameCount(spectrum, samples.length + 2 * /** @type {number} */ (cut.left));
  const features = featuresOf(spectrum, samples, { ...cut, dropped: Math.max(0, all - frames), byColumns });
  const top = reduceNumbers(features.data, 'maximum');
  mapNumbers(features.data, maps.raiseAfter, [Math.fround(top - floor), 4, 1]);
  return features;
}

/** @type {Row} */
export const GraniteSpeech = {
  axes: { input_features: 1, audio_embed_sizes: 0, input_features_mask: 1 },
  defaults: {
    sampling_rate: 16000,
    n_fft: 512,
    win_length: 400,
    hop_length: 160,
    n_mels: 80,
    projector_window_size: 15,
    projector_downsample_rate: 5,
    feature_size: 80,
    return_attention_mask: true,
  },
  options: [],
  prepare: (settings) => graniteSpectrum(settings, settings.n_mels),
  make({ settings, prepared, batch }) {
    const waves = monoOf(batch);
    const items = padItems(
      waves.map((data) => ({ data })),
      readPadding({ ...settings, padding_value: 0, padding_side: 'right' }, { padding: true }),
    );
    const made = items.map(({ data: samples }) => {
      const { data, frames, width } = graniteLog(prepared, samples, { floor: 8 });
      const rows = Math.floor(frames / 2);
      return { data: data.subarray(0, rows * 2 * width), dims: [rows, 2 * width] };
    });
    const { projector_window_size: window, projector_downsample_rate: rate } = settings;
    const sizes = waves.map(({ length }) => {
      const rows = Math.floor((Math.floor(length / settings.hop_length) + 1) / 2);
      return Math.ceil(rows / window) * Math.floor(window / rate);
    });
    const most = Math.max(...sizes);
    return {
      input_features: stackOf('float32', made),
      audio_embed_sizes: sizes,
      input_features_mask: stackOf(
        'bool',
        sizes.map((size) => firstsOf(size, most)),
      ),
    };
  },
};

/**
 * The length to which GraniteSpeech5 pads, in samples.
 * @param {CallOptions} options
 * @param {readonly Float32Array[]} waves
 */
function granitePadding({ padding = 'longest', max_length, pad_to_multiple_of }, waves) {
  if (padding === 'max_length' && max_length === undefined)
    rangeError("max_length must be given with padding 'max_length'");
  const lengths = waves.map(({ length }) => length);
  const longest = Math.max(...lengths);
  const target = roundUp(padding === 'max_length' ? max_length : longest, pad_to_multiple_of);
  if (padding === false) checkEven(lengths);
  if (longest > target) rangeError(`audio must have at most max_length ${target} samples, got ${longest}`);
  return target;
}

/**
 * Logs and their deltas, two frames in a row.
 * @param {Features} features by columns
 * @param {number} half
 */
function withDeltas({ data, frames, width }, half) {
  const both = newFloats('the features', 2 * data.length);
  both.set(data);
  for (let k = 0; k < width; k++)
    both.set(deltasOf(data.subarray(k * frames, (k + 1) * frames), half), (width + k) * frames);
  return { data: rowsOf({ data: both, frames, width: 2 * width }), dims: [frames / 2, 4 * width] };
}

/** @type {Row} */
export const GraniteSpeech5 = {
  axes: { input_features: 1, attention_mask: 1 },
  defaults: {
    num_mel_bins: 80,
    sampling_rate: 16000,
    n_fft: 512,
    win_length: 400,
    hop_length: 160,
    delta_win_length: 3,
    logmel_floor_db: 8,
    feature_size: 320,
    return_attention_mask: true,
  },
  options: [...padOptions, 'return_attention_mask'],
  prepare: (settings) => graniteSpectrum(settings, settings.num_mel_bins),
  make({ settings, prepared, batch, options }) {
    const { hop_length: hop, padding_value: value, logmel_floor_db: floor, delta_win_length: window } = settings;
    const { truncation, max_length } = options;
    const waves = monoOf(batch).map((samples) => (truncation ? samples.subarray(0, max_length) : samples));
    const target = granitePadding(options, waves);
    const frames = 2 * Math.ceil(Math.floor(target / hop) / 2);
    const made = waves.map((samples) => {
      const padded = newFloats('padded audio', Math.max(target, (frames - 1) * hop + 1));
      padded.fill(value, 0, target).set(samples);
      return withDeltas(graniteLog(prepared, padded, { floor, frames, byColumns: true }), Math.floor((window - 1) / 2));
    });
    const outputs = { input_features: stackOf('float32', made) };
    if (!(options.return_attention_mask ?? true)) return outputs;
    const masks = waves.map(({ length }) => ({
      data: new BigInt64Array(frames / 2).fill(1n, 0, Math.ceil(Math.floor(length / hop) / 2)),
      dims: [frames / 2],
    }));
    return { ...outputs, attention_mask: batchOf('int64', masks) };
  },
};

/** @param {Settings} settings */
function inklingLengths({
  sampling_rate: rate,
  audio_token_duration_s: seconds,
  window_size_multiplier: times,
  n_fft,
}) {
  const win = Math.round(seconds * times * rate);
  return { hop: Math.round(seconds * rate), win, length: n_fft || win };
}

/** @type {Row} */
export const Inkling = {
  axes: { input_features: 1, input_features_mask: 1 },
  defaults: {
    feature_size: 80,
    sampling_rate: 16000,
    audio_token_duration_s: 0.05,
    window_size_multiplier: 2,
    n_fft: null,
    return_attention_mask: true,
  },
  options: [...padOptions, 'return_attention_mask'],
  prepare: (settings) => {
    const { hop, win, length } = inklingLengths(settings);
    return makeSpectrum({
      frameLength: length,
      hop,
      window: centeredWindow({ kind: windows.torchHann, length: win }, length),
      narrowWindow: true,
      energy: energies.floored,
      energyFloor: 1e-10,
      bank: {
        kind: banks.audioUtils,
        bins: Math.floor(length / 2) + 1,
        filters: settings.feature_size,
        low: 0,
        high: settings.sampling_rate / 2,
        rate: settings.sampling_rate,
        slaneyNorm: true,
        scale: melScales.slaney,
        precision: precisions.float32,
      },
      floor: 1e-10,
      logarithm: logarithms.decimal,
    });
  },
  make({ settings, prepared, batch, options }) {
    const { hop, length } = inklingLengths(settings);
    const waves = monoOf(batch);
    const items = padItems(
      waves.map((data) => ({ data })),
      readPadding(settings, options, { padding: true }),
    );
    const made = items.map(({ data: samples }, i) => {
      const right = roundUp(samples.length, hop) - samples.length;
      const { data, frames, width } = featuresOf(prepared, samples, { left: Math.max(length - hop, 0), right });
      const count = Math.min(Math.ceil(waves[i].length / hop), frames);
      return { data: data.fill(0, count * width), dims: [frames, width], flags: firstsOf(count, frames) };
    });
    return {
      input_features: stackOf('float32', made),
      ...((options.return_attention_mask ?? true) && {
        input_features_mask: stackOf(
          'bool',
          made.map(({ flags }) => flags),
        ),
      }),
    };
  },
};

/**
 * The largest of each frame's numbers becomes 1, the others 0. A frame of 12 numbers stands for 4096 samples, so this
 * is a loop in JS.
 * @param {Features} features
 */
function oneHot({ data, frames, width }) {
  const result = newFloats('the features', data.length);
  for (let t = 0; t < frames; t++) {
    const row = data.subarray(t * width, (t + 1) * width);
    result[t * width + row.reduce((best, x, i) => (x > row[best] ? i : best), 0)] = 1;
  }
  return { data: result, dims: [frames, width] };
}

/**
 * Silence on both sides of audio that is shorter than a frame.
 * @param {Item} item
 * @param {number} length
 */
function inMiddle({ data }, length) {
  if (data.length >= length) return data;
  const padded = newFloats('padded audio', length);
  padded.set(data, Math.floor((length - data.length) / 2));
  return padded;
}

/** @type {Row} */
export const MusicgenMelody = {
  axes: { input_features: 1, attention_mask: 1 },
  defaults: {
    feature_size: 12,
    sampling_rate: 32000,
    hop_length: 4096,
    chunk_length: 30,
    n_fft: 16384,
    num_chroma: 12,
    return_attention_mask: false,
  },
  options: [...padOptions, 'return_attention_mask'],
  prepare: ({ n_fft: length, hop_length: hop, num_chroma: filters, sampling_rate: rate }) =>
    makeSpectrum({
      frameLength: length,
      hop,
      window: { kind: windows.torchHann, length },
      narrowWindow: true,
      bank: { kind: banks.chroma, bins: Math.floor(length / 2) + 1, filters, low: 0, high: rate / 2, rate },
    }),
  make({ settings, prepared, batch, options }) {
    const limit = options.max_length || settings.chunk_length * settings.sampling_rate;
    const items = padItems(
      monoOf(batch).map((data) => ({ data })),
      readPadding(settings, { ...options, max_length: limit }, { padding: true, truncation: true }),
    );
    const made = items.map((item) => {
      const samples = inMiddle(item, settings.n_fft);
      return oneHot(featuresOf(prepared, samples, torchCentered(prepared, samples.length)));
    });
    const outputs = { input_features: stackOf('float32', made) };
    if (!options.return_attention_mask) return outputs;
    const masks = items.map((item) => {
      const { data } = maskOf(item);
      const count = Math.ceil(data.length / settings.hop_length);
      return { data: Int32Array.from({ length: count }, (_, i) => data[i * settings.hop_length]), dims: [count] };
    });
    return { ...outputs, attention_mask: stackOf('int32', masks) };
  },
};
