/** Mel extractors of their own kind that NumPy computes: CLAP, CLVP, SpeechT5, UnivNet, Lasr. */
import { rangeError } from '../../arguments/index.js';
import {
  banks,
  energies,
  logarithms,
  makeSpectrum,
  mapNumbers,
  maps,
  melScales,
  resizeRows,
  windows,
} from '../../audio-engine/index.js';
import { monoOf, readBatch } from '../audio.js';
import { frameSteps } from '../frame-stream.js';
import { centered, featuresOf, standardized } from '../frames.js';
import { asBool, everyOf, maskOf, ownData, padItems, padOptions, readPadding, wantsMask } from '../padding.js';
import { batchOf, newFloats, stackOf, tensor } from '../tensors.js';

/** @import { BankSettings, Spectrum } from '../../audio-engine/index.js' */
/** @import { Waveform } from '../audio.js' */
/** @import { CallOptions, Row, Settings } from '../row.js' */

/**
 * @param {number} fftLength
 * @param {number} filters
 * @param {[low: number, high: number]} range
 * @param {number} rate
 * @param {Partial<BankSettings>} [more]
 * @returns {BankSettings}
 */
const bankOf = (fftLength, filters, [low, high], rate, more) => ({
  kind: banks.audioUtils,
  bins: Math.floor(fftLength / 2) + 1,
  filters,
  low,
  high,
  rate,
  ...more,
});
const slaney = { slaneyNorm: true, scale: melScales.slaney };

/** @param {number} n */
const powerOfTwo = (n) => 2 ** Math.ceil(Math.log2(n));

/** @param {Settings} settings */
function clapSpectra(settings) {
  const { fft_window_size: length, feature_size: filters, sampling_rate: rate } = settings;
  /** @type {[number, number]} */
  const range = [settings.frequency_min, settings.frequency_max];
  const of = (/** @type {Partial<BankSettings>} */ more) =>
    makeSpectrum({
      frameLength: length,
      hop: settings.hop_length,
      window: { kind: windows.hann, length },
      bank: bankOf(length, filters, range, rate, more),
      narrowBins: true,
      floor: 1e-10,
      logarithm: logarithms.decibel,
      factor: 10,
      least: 1e-10,
    });
  /** @type {Record<string, Spectrum>} */
  const made = {};
  return {
    fusion: () => (made.fusion ??= of({})),
    plain: () => (made.plain ??= of(slaney)),
  };
}

/**
 * CLAP's waveform of exactly `limit` samples, unless it is longer.
 * @param {Float32Array | Float64Array} samples
 * @param {number} limit
 * @param {string} padding
 */
function clapPadded(samples, limit, padding) {
  if (samples.length >= limit) return samples;
  if (samples.length === 0) rangeError('audio must have at least 1 sample, got 0');
  const Class = /** @type {any} */ (samples.constructor);
  const whole = Math.floor(limit / samples.length);
  const times = { repeat: whole + 1, repeatpad: whole }[padding] ?? 1;
  const padded = newFloats('padded audio', limit, Class);
  for (let i = 0; i < times; i++) padded.set(samples.subarray(0, limit - i * samples.length), i * samples.length);
  return padded;
}

/**
 * A whole number from 0 to `most`: the caller's, or a random one, as Python draws it.
 * @param {readonly number[] | undefined} offsets
 * @param {number} index
 * @param {[from: number, to: number]} range
 */
function offsetOf(offsets, index, [from, to]) {
  const given = offsets?.[index];
  if (given === undefined) return from + Math.floor(Math.random() * (to - from + 1));
  if (!(Number.isInteger(given) && given >= 0 && given <= to))
    rangeError(`offsets[${index}] must be from 0 to ${to}, got ${given}`);
  return given;
}

/**
 * The four maps of CLAP's fusion: all of it, smaller; and one piece of each third.
 * @param {{ data: Float32Array, frames: number, width: number }} mel
 * @param {number} chunk
 * @param {readonly number[] | undefined} offsets
 */
function fused({ data, frames, width }, chunk, offsets) {
  const maps4 = newFloats('the features', 4 * chunk * width);
  maps4.set(resizeRows(data, frames, width, chunk, 64));
  const places = frames - chunk + 1;
  // np.array_split: the first thirds have one more. An empty third counts as the first place.
  const sizes = [0, 1, 2].map((i) => Math.floor(places / 3) + (i < places % 3 ? 1 : 0));
  sizes.forEach((size, i) => {
    const begin = sizes.slice(0, i).reduce((sum, one) => sum + one, 0);
    const third = /** @type {[number, number]} */ (size ? [begin, begin + size - 1] : [0, 0]);
    const at = offsetOf(offsets, i, offsets ? [0, frames - chunk] : third);
    maps4.set(data.subarray(at * width, (at + chunk) * width), (i + 1) * chunk * width);
  });
  return maps4;
}

/**
 * One item of CLAP.
 * @param {{ settings: Settings, prepared: any, options: CallOptions }} call
 * @param {Float32Array | Float64Array} samples
 */
function clapItem({ settings, prepared, options }, samples) {
  const truncation = options.truncation ?? settings.truncation;
  const given = options.padding;
  const padding = given === undefined || given === true ? settings.padding : given;
  const limit = options.max_length || settings.max_length_s * settings.sampling_rate;
  const isFusion = truncation === 'fusion';
  const isLong = samples.length > limit;
  if (isLong && !isFusion && truncation !== 'rand_trunc')
    rangeError(`truncation must be 'fusion' or 'rand_trunc', got ${JSON.stringify(truncation)}`);
  let wave = clapPadded(samples, limit, padding);
  if (isLong && !isFusion) {
    const at = offsetOf(options.offsets, 0, [0, samples.length - limit]);
    wave = samples.subarray(at, at + limit);
  }
  const spectrum = isFusion ? prepared.fusion() : prepared.plain();
  const mel = featuresOf(spectrum, wave, centered(spectrum));
  const { data, frames, width } = mel;
  if (!isFusion) return { data, dims: [1, frames, width], isLonger: isLong };
  const chunk = Math.floor(limit / settings.hop_length) + 1;
  if (isLong && frames !== chunk)
    return { data: fused(mel, chunk, options.offsets), dims: [4, chunk, width], isLonger: true };
  const four = newFloats('the features', 4 * data.length);
  for (let i = 0; i < 4; i++) four.set(data, i * data.length);
  return { data: four, dims: [4, frames, width], isLonger: false };
}

/** @type {Row} */
export const Clap = {
  axes: { input_features: 2, is_longer: 0 },
  defaults: {
    feature_size: 64,
    sampling_rate: 48000,
    hop_length: 480,
    max_length_s: 10,
    fft_window_size: 1024,
    return_attention_mask: false,
    frequency_min: 0,
    frequency_max: 14000,
    top_db: null,
    truncation: 'fusion',
    padding: 'repeatpad',
  },
  options: ['truncation', 'padding', 'max_length', 'offsets'],
  wide: true,
  prepare: clapSpectra,
  make(call) {
    const items = monoOf(call.batch).map((samples) => clapItem(call, samples));
    const isFusion = (call.options.truncation ?? call.settings.truncation) === 'fusion';
    // Python marks a random item of a batch without long audio; here it is the first.
    if (isFusion && !items.some(({ isLonger }) => isLonger)) items[0].isLonger = true;
    const longer = Uint8Array.from(items, ({ isLonger }) => Number(isLonger));
    return { input_features: stackOf('float32', items), is_longer: tensor('bool', longer, [items.length, 1]) };
  },
};

/** @type {Row} */
export const Clvp = {
  axes: { input_features: 2, attention_mask: 1 },
  defaults: {
    feature_size: 80,
    sampling_rate: 22050,
    default_audio_length: 6,
    hop_length: 256,
    chunk_length: 30,
    n_fft: 1024,
    mel_norms: null,
    return_attention_mask: false,
  },
  options: [...padOptions, 'return_attention_mask'],
  prepare: (settings) =>
    makeSpectrum({
      frameLength: settings.n_fft,
      hop: settings.hop_length,
      window: { kind: windows.hann, length: settings.n_fft },
      bank: bankOf(settings.n_fft, settings.feature_size, [0, 8000], settings.sampling_rate, { slaneyNorm: true }),
      narrowBins: true,
      floor: 1e-5,
      logarithm: logarithms.natural,
      deviations: settings.mel_norms,
    }),
  make({ settings, prepared, batch, options }) {
    const limit = settings.default_audio_length * settings.sampling_rate;
    const defaults = { padding: 'max_length', truncation: true, max_length: limit };
    const items = padItems(
      monoOf(batch).map((data) => ({ data })),
      readPadding(settings, options, defaults),
    );
    const made = items.map(({ data }) => {
      const features = featuresOf(prepared, data, { ...centered(prepared), byColumns: true });
      return { data: features.data, dims: [features.width, features.frames] };
    });
    const outputs = { input_features: stackOf('float32', made) };
    return (options.return_attention_mask ?? true)
      ? { ...outputs, attention_mask: stackOf('int32', items.map(maskOf)) }
      : outputs;
  },
};

/** @param {Settings} settings */
function speechT5Spectrum(settings) {
  const { sampling_rate: rate } = settings;
  const frameLength = Math.floor((settings.win_length * rate) / 1000);
  const fftLength = powerOfTwo(frameLength);
  return makeSpectrum({
    frameLength,
    hop: Math.floor((settings.hop_length * rate) / 1000),
    fftLength,
    window: windowOf(settings.win_function, frameLength),
    bank: bankOf(fftLength, settings.num_mel_bins, [settings.fmin, settings.fmax], rate, slaney),
    energy: energies.magnitude,
    narrowBins: true,
    floor: settings.mel_floor,
    logarithm: logarithms.decimal,
  });
}

/**
 * A window by the name that a file has for it.
 * @param {string} name
 * @param {number} length
 */
function windowOf(name, length) {
  const kind = /** @type {Record<string, number>} */ (windows)[String(name).replace('_window', '')];
  if (!(kind <= windows.povey))
    rangeError(`win_function must be 'hann_window', 'hamming_window', 'povey' or 'boxcar', got '${name}'`);
  return { kind, length };
}

/** @type {Row} */
export const SpeechT5 = {
  axes: { input_values: 1, attention_mask: 1, labels: 1, decoder_attention_mask: 1 },
  defaults: {
    feature_size: 1,
    sampling_rate: 16000,
    do_normalize: false,
    num_mel_bins: 80,
    hop_length: 16,
    win_length: 64,
    win_function: 'hann_window',
    fmin: 80,
    fmax: 7600,
    mel_floor: 1e-10,
    return_attention_mask: true,
  },
  options: [...padOptions, 'return_attention_mask', 'audio_target'],
  mayLackAudio: true,
  prepare: speechT5Spectrum,
  make({ settings, prepared, batch, options }) {
    const padding = readPadding(settings, options);
    const target = options.audio_target && readBatch('audio_target', options.audio_target);
    if (batch.length === 0 && !target) rangeError('audio or audio_target must be given');
    const values = batch.length > 0 && speechT5Values(settings, padding, batch);
    const labels = target && speechT5Labels(prepared, padding, target);
    const mask = wantsMask(settings, options);
    return {
      ...(values && { input_values: values.data, ...(mask && { attention_mask: values.mask }) }),
      ...(labels && {
        [values ? 'labels' : 'input_values']: labels.data,
        ...(mask && { [values ? 'decoder_attention_mask' : 'attention_mask']: labels.mask }),
      }),
    };
  },
};

/**
 * @param {Settings} settings
 * @param {import('../padding.js').Padding} padding
 * @param {readonly Waveform[]} batch
 */
function speechT5Values(settings, padding, batch) {
  const items = padItems(
    monoOf(batch).map((data) => ({ data })),
    padding,
  );
  const rows = items.map((item) => {
    const { length, first, end } = item;
    const count = padding.strategy === 'do_not_pad' ? length : end - first;
    const samples = settings.do_normalize ? standardized(item.data, count, settings.padding_value) : ownData(item);
    return { data: samples, dims: [length] };
  });
  return { data: batchOf('float32', rows), mask: batchOf('int32', items.map(maskOf)) };
}

/**
 * @param {Spectrum} spectrum
 * @param {import('../padding.js').Padding} padding
 * @param {readonly Waveform[]} batch
 */
function speechT5Labels(spectrum, padding, batch) {
  const made = monoOf(batch).map((samples) => featuresOf(spectrum, samples, centered(spectrum)));
  const items = padItems(made, padding);
  const rows = items.map(({ data, length, width }) => ({ data, dims: [length, width] }));
  return { data: batchOf('float32', rows), mask: batchOf('int32', items.map(maskOf)) };
}

/** @param {Settings} settings */
function univNetSpectrum(settings) {
  const { sampling_rate: rate, win_length: length } = settings;
  const fftLength = settings.filter_length || powerOfTwo(length);
  if (length !== fftLength) rangeError(`win_length must be filter_length ${fftLength}, got ${length}`);
  return makeSpectrum({
    frameLength: fftLength,
    hop: settings.hop_length,
    window: windowOf(settings.win_function, length),
    bank: bankOf(fftLength, settings.num_mel_bins, [settings.fmin, settings.fmax ?? rate / 2], rate, slaney),
    energy: energies.amplitude32,
    energyFloor: settings.mel_floor,
    narrowBins: true,
    floor: settings.compression_clip_val,
    gain: settings.compression_factor,
    logarithm: logarithms.natural,
  });
}

/**
 * UnivNet's waveform with its end, and the samples that it reflects around it.
 * @param {Settings} settings
 * @param {CallOptions} options
 * @param {Float32Array} samples
 */
function withEnd(settings, options, samples) {
  if (!options.pad_end) return { data: samples };
  const more = (options.pad_length ?? settings.pad_end_length) * settings.hop_length;
  const padded = newFloats('padded audio', samples.length + more).fill(settings.padding_value, samples.length);
  padded.set(samples);
  return { data: padded };
}

/**
 * Samples with reflected ones on both sides.
 * @param {Float32Array} samples
 * @param {number} side
 */
function reflected(samples, side) {
  const { length } = samples;
  if (length === 0) rangeError('audio must have at least 1 sample, got 0');
  const padded = newFloats('padded audio', length + 2 * side);
  padded.set(samples, side);
  const period = Math.max(1, 2 * length - 2);
  for (let i = 0; i < side; i++) {
    const [before, after] = [(i + 1) % period, (length + i) % period];
    padded[side - 1 - i] = samples[Math.min(before, period - before)];
    padded[side + length + i] = samples[Math.min(after, period - after)];
  }
  return padded;
}

/** @type {Row} */
export const UnivNet = {
  axes: { input_features: 1, padding_mask: 1, noise_sequence: 1 },
  defaults: {
    feature_size: 1,
    sampling_rate: 24000,
    do_normalize: false,
    num_mel_bins: 100,
    hop_length: 256,
    win_length: 1024,
    win_function: 'hann_window',
    filter_length: 1024,
    max_length_s: 10,
    fmin: 0,
    fmax: null,
    mel_floor: 1e-9,
    center: false,
    compression_factor: 1,
    compression_clip_val: 1e-5,
    normalize_min: -11.512925148010254,
    normalize_max: 2.31433868408203125,
    model_in_channels: 64,
    pad_end_length: 10,
    return_attention_mask: true,
  },
  nullable: ['filter_length'],
  options: [...padOptions, 'return_attention_mask', 'do_normalize', 'pad_end', 'pad_length', 'noise_sequence'],
  prepare: univNetSpectrum,
  make({ settings, prepared, batch, options }) {
    const { max_length_s: seconds, sampling_rate: rate, normalize_min: low, normalize_max: high } = settings;
    const defaults = { padding: true, truncation: true, max_length: seconds * rate };
    const items = padItems(
      monoOf(batch).map((samples) => withEnd(settings, options, samples)),
      readPadding(settings, options, defaults),
    );
    const side = Math.floor((prepared.frameLength - settings.hop_length) / 2);
    const made = items.map(({ data }) => {
      const {
        data: mel,
        frames,
        width,
      } = featuresOf(prepared, reflected(data, side), settings.center ? centered(prepared) : {});
      if (options.do_normalize ?? settings.do_normalize)
        mapNumbers(mel, maps.range, [Math.fround(low), Math.fround(high - low), 2]);
      return { data: mel, dims: [frames, width] };
    });
    return {
      input_features: batchOf('float32', made),
      ...(wantsMask(settings, options) && { padding_mask: batchOf('int32', items.map(maskOf)) }),
      ...(options.noise_sequence && { noise_sequence: options.noise_sequence }),
    };
  },
};

/** @type {Row} */
export const Lasr = {
  axes: { input_features: 1, attention_mask: 1 },
  defaults: {
    feature_size: 128,
    sampling_rate: 16000,
    hop_length: 160,
    n_fft: 512,
    win_length: 400,
    return_attention_mask: true,
  },
  options: [...padOptions, 'return_attention_mask'],
  prepare: ({ n_fft: fftLength, win_length: length, hop_length: hop, feature_size: filters, sampling_rate: rate }) =>
    makeSpectrum({
      frameLength: length,
      hop,
      fftLength,
      window: { kind: windows.torchHannWide, length, periodic: false },
      bank: {
        kind: banks.lasr,
        bins: Math.floor(fftLength / 2) + 1,
        filters,
        low: 125,
        high: 7500,
        rate,
        scale: melScales.kaldi,
        inMelSpace: true,
      },
      floor: 1e-5,
      logarithm: logarithms.natural,
    }),
  make({ settings, prepared, batch, options }) {
    const items = padItems(
      monoOf(batch).map((data) => ({ data })),
      readPadding(settings, options, { padding: 'longest' }),
    );
    const made = items.map(({ data }) => {
      const features = featuresOf(prepared, data);
      return { data: features.data, dims: [features.frames, features.width] };
    });
    const outputs = { input_features: stackOf('float32', made) };
    if (!options.return_attention_mask) return outputs;
    const masks = items.map((item) => asBool(everyOf(maskOf(item), settings.win_length - 1, settings.hop_length)));
    return { ...outputs, attention_mask: stackOf('bool', masks) };
  },
  stream: ({ settings, prepared, options }) => {
    const { strategy } = readPadding(settings, options, { padding: 'longest' });
    if (strategy === 'max_length' || options.truncation || options.pad_to_multiple_of) return undefined;
    return frameSteps(
      prepared,
      {},
      {
        mask: options.return_attention_mask && [settings.win_length, settings.hop_length],
      },
    );
  },
};
