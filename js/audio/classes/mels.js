/** Mel extractors that NumPy computes: CLVP, SpeechT5, UnivNet, Lasr. */
import { rangeError } from '../../arguments/index.js';
import { mapNumbers, windows } from '../../audio-engine/index.js';
import { monoOf, readBatch } from '../audio.js';
import { frameSteps } from '../frame-stream.js';
import { centered, features, featuresOf, standardized } from '../frames.js';
import { maskOf, ownData, padItems, padOptions, readPadding, surrounded } from '../padding.js';
import { asks, itemsOf, outputsOf, row } from '../rows.js';
import { batchOf, newNumbers } from '../tensors.js';
import { isUnpadded, sampleMask } from './whisper.js';

/** @import { SpectrumSettings } from '../../audio-engine/types.js' */

const slaney = /** @type {const} */ ({ slaneyNorm: true, melScale: 'slaney', narrowBins: true });

/** @param {number} n */
const powerOfTwo = (n) => 2 ** Math.ceil(Math.log2(n));

export const Clvp = row({
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
  spectrum: ({ mel_norms }) => ({
    slaneyNorm: true,
    high: 8000,
    narrowBins: true,
    floor: 1e-5,
    deviations: mel_norms,
  }),
  padding: ({ default_audio_length: seconds, sampling_rate: rate }) => ({
    padding: 'max_length',
    truncation: true,
    max_length: seconds * rate,
  }),
  item: ({ data }, { prepared }) => featuresOf(prepared, data, { ...centered(prepared), byColumns: true }),
  asked: asks.yes,
});

/** @type {(name: string) => SpectrumSettings['window']} A window by the name that a file has for it. */
function windowOf(name) {
  const known = windows.slice(0, 4).find((word) => word === name.replace('_window', ''));
  return (
    known ?? rangeError(`win_function must be 'hann_window', 'hamming_window', 'povey' or 'boxcar', got '${name}'`)
  );
}

export const SpeechT5 = row({
  axes: { input_values: 1, attention_mask: 1, labels: 1, decoder_attention_mask: 1 },
  defaults: {
    do_normalize: false,
    num_mel_bins: 80,
    hop_length: 16,
    win_length: 64,
    win_function: 'hann_window',
    fmin: 80,
    fmax: 7600,
    mel_floor: 1e-10,
  },
  options: [...padOptions, 'return_attention_mask', 'audio_target'],
  mayLackAudio: true,
  spectrum(settings) {
    const { sampling_rate: rate } = settings;
    const frameLength = Math.floor((settings.win_length * rate) / 1000);
    return {
      ...slaney,
      frameLength,
      hop: Math.floor((settings.hop_length * rate) / 1000),
      fftLength: powerOfTwo(frameLength),
      window: windowOf(settings.win_function),
      low: settings.fmin,
      high: settings.fmax,
      energy: 'magnitude',
      floor: settings.mel_floor,
      logarithm: 'log10',
    };
  },
  make(call) {
    const { settings, prepared, batch, options } = call;
    const padding = readPadding(settings, options);
    const target = options.audio_target && readBatch('audio_target', options.audio_target);
    if (batch.length === 0 && !target) rangeError('audio or audio_target must be given');
    const mask = asks.settings(call);
    /** @type {any} */
    const outputs = {};
    const names = Object.keys(SpeechT5.axes);
    const give = (/** @type {any[]} */ rows, /** @type {any[]} */ items) => {
      outputs[String(names.shift())] = batchOf('float32', rows);
      const name = String(names.shift());
      if (mask) outputs[name] = batchOf('int32', items.map(maskOf));
    };
    if (batch.length > 0) {
      const items = padItems(
        monoOf(batch).map((data) => ({ data })),
        padding,
      );
      const rows = items.map((item) => {
        const count = padding.strategy === 'do_not_pad' ? item.length : item.end - item.first;
        const isPlain = !settings.do_normalize;
        const data = isPlain ? ownData(item) : standardized(item.data, count, settings.padding_value);
        return { data, dims: [item.length] };
      });
      give(rows, items);
    }
    if (target) {
      const made = monoOf(target).map((samples) => featuresOf(prepared, samples, centered(prepared)));
      const items = padItems(made, padding);
      give(
        items.map(({ data, length, width }) => features(data, length, width)),
        items,
      );
    }
    return outputs;
  },
});

export const UnivNet = row({
  axes: { input_features: 1, padding_mask: 1, noise_sequence: 1 },
  defaults: {
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
  },
  nullable: ['filter_length'],
  options: [...padOptions, 'return_attention_mask', 'do_normalize', 'pad_end', 'pad_length', 'noise_sequence'],
  spectrum(settings) {
    const { win_length: length } = settings;
    const frameLength = settings.filter_length || powerOfTwo(length);
    if (length !== frameLength) rangeError(`win_length must be filter_length ${frameLength}, got ${length}`);
    return {
      ...slaney,
      frameLength,
      window: windowOf(settings.win_function),
      low: settings.fmin,
      high: settings.fmax ?? settings.sampling_rate / 2,
      energy: 'amplitude32',
      energyFloor: settings.mel_floor,
      floor: settings.compression_clip_val,
      gain: settings.compression_factor,
    };
  },
  wave(samples, { settings, options }) {
    if (!options.pad_end) return samples;
    const more = (options.pad_length ?? settings.pad_end_length) * settings.hop_length;
    const padded = newNumbers('padded audio', samples.length + more).fill(settings.padding_value);
    padded.set(samples);
    return padded;
  },
  padding: ({ max_length_s: seconds, sampling_rate: rate }) => ({
    padding: true,
    truncation: true,
    max_length: seconds * rate,
  }),
  stacks: false,
  item({ data }, { settings, prepared, options }) {
    const { normalize_min: low, normalize_max: high } = settings;
    const side = Math.floor((prepared.frameLength - settings.hop_length) / 2);
    if (data.length === 0) rangeError('audio must have at least 1 sample, got 0');
    const made = featuresOf(
      prepared,
      surrounded(data, side, side, 'reflect'),
      settings.center ? centered(prepared) : {},
    );
    if (options.do_normalize ?? settings.do_normalize)
      mapNumbers(made.data, 'range', [Math.fround(low), Math.fround(high - low), 2]);
    return made;
  },
  make: (call) => ({
    ...outputsOf(UnivNet, call, itemsOf(UnivNet, call)),
    noise_sequence: call.options.noise_sequence,
  }),
});

export const Lasr = row({
  defaults: { feature_size: 128, hop_length: 160, n_fft: 512, win_length: 400 },
  spectrum: ({ n_fft: fftLength, win_length: frameLength }) => ({
    frameLength,
    fftLength,
    window: 'torchHannWide',
    periodic: false,
    bank: 'lasr',
    low: 125,
    high: 7500,
    melScale: 'kaldi',
    inMelSpace: true,
    floor: 1e-5,
  }),
  padding: () => ({ padding: 'longest' }),
  item: ({ data }, { prepared }) => featuresOf(prepared, data),
  mask: sampleMask,
  maskType: 'bool',
  asked: asks.no,
  stream({ settings, prepared, options }) {
    if (!isUnpadded(settings, options)) return undefined;
    return frameSteps(
      prepared,
      {},
      { mask: options.return_attention_mask && [settings.win_length, settings.hop_length] },
    );
  },
});
