/** Mel extractors that torch computes in float32. Here they are float64 with one rounding at the end. */
import { largest, rangeError } from '../../arguments/index.js';
import { deltasOf, mapNumbers, reduceNumbers } from '../../engines/audio/index.js';
import { monoOf } from '../audio.js';
import { checkSamples, features, featuresOf, flipped, stackedRows, torchCentered } from '../frames.js';
import {
  steppedMask,
  extended,
  firstsOf,
  maskOf,
  longest,
  paddedSeconds,
  padItems,
  readPadding,
  roundEven,
  roundUp,
  surrounded,
} from '../padding.js';
import { returnsMask, itemsOf, outputsOf } from '../rows.js';
import { checkEven, longs, allocateNumbers } from '../tensors.js';

/** @import { Spectrum } from '../../engines/audio/types.js' */
/** @import { CallOptions, Features, PaddedItem, Row, Settings } from '../types.js' */

/** Computes how many whole frames `length` samples have: 0 or less if they fill none.
 * @type {(length: number, settings: Settings) => number} */
const phi4Frames = (length, { win_length: win, hop_length: hop }) => Math.floor((length - win) / hop) + 1;

/** Gives the settings of Granite's spectrogram: torchaudio's MelSpectrogram, with a float32 window in the middle of a
 * frame and filters of the HTK scale in float32 steps. GraniteSpeech calls the number of filters `n_mels`,
 * GraniteSpeech5 `num_mel_bins`. */
const graniteSpectrum = (/** @type {Settings} */ { win_length, n_mels, num_mel_bins: filters = n_mels }) =>
  /** @type {const} */ ({
    window: 'torchHann',
    windowLength: win_length,
    narrowWindow: true,
    filters,
    bank: 'torchaudio',
    floor: 1e-10,
    logarithm: 'log10',
  });

/** Computes Granite's features of a waveform: max(log10(mel), maximum - floor) / 4 + 1. They are [frames, mels] with
 * all frames; with `frames`, the most of them, [mels, frames].
 * @type {(spectrum: Spectrum, samples: Float32Array, floor: number, frames?: number) => Features} */
function graniteLog(spectrum, samples, floor, frames) {
  const cut = torchCentered(spectrum, samples.length);
  const mels = featuresOf(spectrum, samples, { ...cut, maxFrames: frames, byColumns: frames !== undefined });
  mapNumbers(mels.data, 'raiseAfter', [Math.fround(reduceNumbers(mels.data, 'maximum') - floor), 4, 1]);
  return mels;
}

const granite = { hop_length: 160, n_fft: 512, win_length: 400 };

/** Computes how many embeddings Granite's projector makes of `length` samples. Two frames are a row,
 * `projector_window_size` rows a window, of which one row in `projector_downsample_rate` is left.
 * @type {(length: number, settings: Settings) => number} */
function graniteSize(length, settings) {
  const { projector_window_size: window, projector_downsample_rate: rate, hop_length: hop } = settings;
  const rows = Math.floor((Math.floor(length / hop) + 1) / 2);
  return Math.ceil(rows / window) * Math.floor(window / rate);
}

/** Appends to each mel its deltas, slopes over 2 * half + 1 frames, and joins two frames to a row: [mels, frames]
 * become [frames / 2, 4 * mels]. The number of frames is even.
 * @type {(features: Features, half: number) => Features} */
function withDeltas({ data, frames, width }, half) {
  const both = allocateNumbers('the features', 2 * data.length);
  both.set(data);
  for (let k = 0; k < width; k++)
    both.set(deltasOf(data.subarray(k * frames, (k + 1) * frames), half), (width + k) * frames);
  return { ...flipped(features(both, frames, 2 * width, true)), dims: [frames / 2, 4 * width] };
}

/** Computes the length in samples to which GraniteSpeech5 pads a batch of these lengths, by its own rules. Refuses
 * lengths that differ without padding, and those beyond `max_length`.
 * @type {(options: CallOptions, lengths: readonly number[]) => number} */
function granitePadding({ padding, max_length, pad_to_multiple_of }, lengths) {
  if (padding === 'max_length' && max_length === undefined)
    rangeError("max_length must be given with padding 'max_length'");
  const longest = largest(lengths);
  const target = roundUp(padding === 'max_length' ? /** @type {number} */ (max_length) : longest, pad_to_multiple_of);
  if (padding === false || padding === 'do_not_pad') checkEven(lengths);
  if (longest > target) rangeError(`audio must have at most max_length ${target} samples, got ${longest}`);
  return target;
}

/** Sets the largest number of each frame, of equals the first, to 1, the others to 0, in place. A loop in JS, because a
 * frame has 12 numbers for 4096 samples.
 * @type {(features: Features) => Features} */
function oneHot(features) {
  const { data, frames, width } = features;
  for (let t = 0; t < frames; t++) {
    const row = data.subarray(t * width, (t + 1) * width);
    const best = row.reduce((best, x, i) => (x > row[best] ? i : best), 0);
    row.fill(0)[best] = 1;
  }
  return features;
}

/** @type {Record<string, Partial<Row>>} */
export const torchMels = {
  Phi4Multimodal: {
    axes: { audio_input_features: 1, audio_attention_mask: 1, audio_embed_sizes: 0 },
    defaults: {
      feature_size: 80,
      hop_length: 160,
      n_fft: 512,
      win_length: 400,
      preemphasis: 0.97,
      audio_compression_rate: 8,
      audio_downsample_rate: 1,
      audio_feat_stride: 1,
      mel_min_frequency: 0,
      mel_max_frequency: 7690,
    },
    /** Gives the settings of Phi-4's spectrogram. Samples are scaled to int16 behind the pre-emphasis; mels below 1
     * become 1, whose logarithm is 0. */
    spectrum: (settings) => ({
      frameLength: settings.win_length,
      fftLength: settings.n_fft,
      emphasis: 'float32',
      coefficient: settings.preemphasis,
      lateScale: 32768,
      window: 'torchHammingWide',
      periodic: false,
      narrowBins: true,
      low: settings.mel_min_frequency,
      high: settings.mel_max_frequency,
      melScale: 'kaldi',
      inMelSpace: true,
      precision: 'float32',
      floor: 1,
    }),
    padding: longest,
    /** Makes the features [frames, mels] of a padded waveform. */
    item({ data: samples, realLength }, call, items) {
      const mels = featuresOf(call.prepared, samples);
      const { data, width } = mels;
      // If this item was padded, Python sets frames to 0: from the first that has padding to realLength / hop - 2.
      if (items.some((other) => other.realLength > realLength))
        data.fill(0, phi4Frames(realLength, call) * width, (Math.floor(realLength / call.hop_length) - 1) * width);
      return mels;
    },
    maskType: 'bool',
    /** Makes the features, their mask and `audio_embed_sizes`: how many embeddings the model makes of each waveform,
     * one for `audio_compression_rate` times `audio_downsample_rate` frames. A single waveform has no mask. */
    makeOutputs(call) {
      const items = itemsOf(call);
      const counts = items.map(({ realLength }) => phi4Frames(realLength, call) * call.audio_feat_stride);
      const longest = largest(counts);
      const row = {
        ...call.row,
        mask: (/** @type {PaddedItem} */ item) => firstsOf(counts[items.indexOf(item)], longest),
        asked: () => counts.length > 1 && returnsMask.unlessRefused(call),
      };
      const { audio_compression_rate: rate, audio_downsample_rate: down } = call;
      return {
        ...outputsOf({ ...call, row }, items),
        audio_embed_sizes: longs(counts.map((count) => Math.ceil(Math.ceil(count / rate) / down))),
      };
    },
  },
  GraniteSpeech: {
    axes: { input_features: 1, input_features_mask: 1, audio_embed_sizes: 0 },
    defaults: {
      ...granite,
      n_mels: 80,
      projector_window_size: 15,
      projector_downsample_rate: 5,
      feature_size: 80,
    },
    options: {},
    spectrum: graniteSpectrum,
    padding: longest,
    fixed: { padding_value: 0, padding_side: 'right' },
    /** Makes the features of a padded waveform: max(log10(mel), maximum - 8) / 4 + 1, where the maximum is that of all
     * its logarithms. Two frames are a row: [floor(frames / 2), 2 * mels]. An odd last frame is left out. */
    item({ data: samples }, { prepared }) {
      const { data, frames, width } = graniteLog(prepared, samples, 8);
      return stackedRows(data, frames, width, 2);
    },
    maskType: 'bool',
    asked: returnsMask.always,
    /** Makes the features and `audio_embed_sizes`, the number of embeddings that the model makes of each waveform. The
     * mask tells these, and not the rows of the features. */
    makeOutputs(call) {
      const items = itemsOf(call);
      const audio_embed_sizes = items.map(({ realLength }) => graniteSize(realLength, call));
      const longest = largest(audio_embed_sizes);
      const mask = (/** @type {PaddedItem} */ { realLength }) => firstsOf(graniteSize(realLength, call), longest);
      return { ...outputsOf({ ...call, row: { ...call.row, mask } }, items), audio_embed_sizes };
    },
  },
  GraniteSpeech5: {
    defaults: { ...granite, num_mel_bins: 80, delta_win_length: 3, logmel_floor_db: 8, feature_size: 320 },
    spectrum: graniteSpectrum,
    /** Makes the features [rows, 4 * mels] of a waveform that is not padded yet: mels and their deltas, two frames in a
     * row. */
    item({ data: samples }, call, items) {
      const { hop_length: hop, padding_value: value, logmel_floor_db: floor, delta_win_length: window } = call;
      const target = granitePadding(
        call.options,
        items.map(({ realLength }) => realLength),
      );
      // An even number of frames. Behind the padding Python appends zeros, up to (frames - 1) * hop + 1 samples.
      const frames = 2 * Math.ceil(Math.floor(target / hop) / 2);
      const padded = extended(extended(samples, target, value), Math.max(target, (frames - 1) * hop + 1));
      return withDeltas(graniteLog(call.prepared, padded, floor, frames), Math.floor((window - 1) / 2));
    },
    mask: ({ realLength }, { hop_length: hop }, { dims: [rows] }) =>
      firstsOf(Math.ceil(Math.floor(realLength / hop) / 2), rows),
    maskType: 'int64',
    asked: returnsMask.unlessRefused,
    /** Cuts waveforms to `max_length` if the call has `truncation`, and makes the outputs. */
    makeOutputs(call) {
      const { truncation, max_length } = call.options;
      const waves = monoOf(call.batch).map((samples) => (truncation ? samples.subarray(0, max_length) : samples));
      // Not padded here: `item` pads by GraniteSpeech5's own rules.
      const items = padItems(
        waves.map((data) => ({ data })),
        readPadding({ ...call, options: {} }),
      );
      return outputsOf(call, items);
    },
  },
  Inkling: {
    axes: { input_features: 1, input_features_mask: 1 },
    defaults: { feature_size: 80, audio_token_duration_s: 0.05, window_size_multiplier: 2, n_fft: null },
    /** Gives the settings of Inkling's spectrogram: a hop is a token of `audio_token_duration_s` seconds, a window
     * `window_size_multiplier` times as long. */
    spectrum({ sampling_rate: rate, audio_token_duration_s: seconds, window_size_multiplier: times, n_fft }) {
      const windowLength = roundEven(seconds * times * rate);
      return {
        frameLength: n_fft || windowLength,
        windowLength,
        hop: roundEven(seconds * rate),
        window: 'torchHann',
        narrowWindow: true,
        energy: 'floored',
        energyFloor: 1e-10,
        slaneyNorm: true,
        melScale: 'slaney',
        precision: 'float32',
        floor: 1e-10,
        logarithm: 'log10',
      };
    },
    padding: longest,
    /** Makes the features [frames, mels] of a padded waveform: a frame for each hop, whose window ends with the hop.
     * Frames of padding alone are 0. */
    item({ data: samples, realLength }, { prepared }) {
      const { frameLength, hop } = prepared;
      checkSamples(samples.length, 1);
      // Zeros behind fill the last hop, zeros in front the first window.
      const right = roundUp(samples.length, hop) - samples.length;
      const mels = featuresOf(prepared, samples, { left: Math.max(frameLength - hop, 0), right });
      const count = Math.min(Math.ceil(realLength / hop), mels.frames);
      mels.data.fill(0, count * mels.width);
      return { ...mels, count };
    },
    maskType: 'bool',
    asked: returnsMask.unlessRefused,
  },
  MusicgenMelody: {
    defaults: {
      feature_size: 12,
      sampling_rate: 32000,
      hop_length: 4096,
      chunk_length: 30,
      n_fft: 16384,
      num_chroma: 12,
      return_attention_mask: false,
    },
    /** Gives the settings of MusicGen Melody's spectrogram: the energy of each of `num_chroma` pitch classes. */
    spectrum: ({ num_chroma: filters }) => ({
      filters,
      window: 'torchHann',
      narrowWindow: true,
      bank: 'chroma',
      logarithm: 'none',
    }),
    padding: paddedSeconds('chunk_length', true),
    /** Makes the features [frames, pitch classes] of a padded waveform: 1 for the loudest class of a frame, 0 for the
     * others. */
    item({ data }, { prepared, n_fft }) {
      checkSamples(data.length, 1);
      // Audio that is shorter than one FFT stands in the middle of it, between zeros.
      const more = Math.max(0, n_fft - data.length);
      const samples = surrounded(data, Math.floor(more / 2), Math.ceil(more / 2));
      return oneHot(featuresOf(prepared, samples, torchCentered(prepared, samples.length)));
    },
    // An entry a frame if the call asks for that; an entry a sample if the file does.
    mask: (item, call) => (returnsMask.ifAsked(call) ? steppedMask(item, 0, call.hop_length) : maskOf(item)),
  },
};
