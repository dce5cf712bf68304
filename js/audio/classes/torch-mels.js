/** Mel extractors that torch computes in float32. Here they are float64 with one rounding at the end. */
import { largest, rangeError } from '../../arguments/index.js';
import { deltasOf, mapNumbers, reduceNumbers } from '../../engines/audio/index.js';
import { monoOf } from '../audio.js';
import { checkSamples, features, featuresOf, flipped, stackedRows, torchCentered } from '../frames.js';
import {
  everyOf,
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

/** How many whole frames `length` samples have.
 * @type {(length: number, settings: Settings) => number} */
const phi4Frames = (length, { win_length: win, hop_length: hop }) => Math.floor((length - win) / hop) + 1;

/** The settings of torchaudio's MelSpectrogram: a float32 window in the middle of a frame, an htk bank in float32
 * steps. */
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

/** Granite's features: max(log10(mel), maximum - floor) / 4 + 1. `frames`: the most frames; the result is by columns if
 * it is there.
 * @type {(spectrum: Spectrum, samples: Float32Array, floor: number, frames?: number) => Features} */
function graniteLog(spectrum, samples, floor, frames) {
  const cut = torchCentered(spectrum, samples.length);
  const mels = featuresOf(spectrum, samples, { ...cut, maxFrames: frames, byColumns: frames !== undefined });
  mapNumbers(mels.data, 'raiseAfter', [Math.fround(reduceNumbers(mels.data, 'maximum') - floor), 4, 1]);
  return mels;
}

const granite = { hop_length: 160, n_fft: 512, win_length: 400 };

/** How many embeddings Granite's projector makes of `length` samples: windows of pairs of frames, downsampled.
 * @type {(length: number, settings: Settings) => number} */
function graniteSize(length, settings) {
  const { projector_window_size: window, projector_downsample_rate: rate, hop_length: hop } = settings;
  const rows = Math.floor((Math.floor(length / hop) + 1) / 2);
  return Math.ceil(rows / window) * Math.floor(window / rate);
}

/** Appends the deltas of each mel over 2 * half + 1 frames, and joins two frames to a row: [frames / 2, 4 * width]. The
 * features are by columns.
 * @type {(features: Features, half: number) => Features} */
function withDeltas({ data, frames, width }, half) {
  const both = allocateNumbers('the features', 2 * data.length);
  both.set(data);
  for (let k = 0; k < width; k++)
    both.set(deltasOf(data.subarray(k * frames, (k + 1) * frames), half), (width + k) * frames);
  return { ...flipped(features(both, frames, 2 * width, true)), dims: [frames / 2, 4 * width] };
}

/** The length to which GraniteSpeech5 pads, in samples.
 * @type {(options: CallOptions, lengths: readonly number[]) => number} */
function granitePadding({ padding, max_length, pad_to_multiple_of }, lengths) {
  if (padding === 'max_length' && max_length === undefined)
    rangeError("max_length must be given with padding 'max_length'");
  const longest = largest(lengths);
  const target = roundUp(padding === 'max_length' ? /** @type {number} */ (max_length) : longest, pad_to_multiple_of);
  if (padding === false) checkEven(lengths);
  if (longest > target) rangeError(`audio must have at most max_length ${target} samples, got ${longest}`);
  return target;
}

/** Sets the largest number of each frame to 1 and the others to 0, in place. A loop in JS, because a frame of 12
 * numbers stands for 4096 samples.
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
    item({ data: samples, realLength }, call, items) {
      const mels = featuresOf(call.prepared, samples);
      const { data, width } = mels;
      // Frames that reach into the padding are zeros in Python, and the logarithm of the floor is 0.
      if (items.some((other) => other.realLength > realLength))
        data.fill(0, phi4Frames(realLength, call) * width, (Math.floor(realLength / call.hop_length) - 1) * width);
      return mels;
    },
    maskType: 'bool',
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
    item({ data: samples }, { prepared }) {
      const { data, frames, width } = graniteLog(prepared, samples, 8);
      return stackedRows(data, frames, width, 2);
    },
    maskType: 'bool',
    asked: returnsMask.always,
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
    item({ data: samples }, call, items) {
      const { hop_length: hop, padding_value: value, logmel_floor_db: floor, delta_win_length: window } = call;
      const target = granitePadding(
        call.options,
        items.map(({ realLength }) => realLength),
      );
      const frames = 2 * Math.ceil(Math.floor(target / hop) / 2);
      // An even number of frames: zeros behind the padding, if the last frame needs them.
      const padded = extended(extended(samples, target, value), Math.max(target, (frames - 1) * hop + 1));
      return withDeltas(graniteLog(call.prepared, padded, floor, frames), Math.floor((window - 1) / 2));
    },
    mask: ({ realLength }, { hop_length: hop }, { dims: [rows] }) =>
      firstsOf(Math.ceil(Math.floor(realLength / hop) / 2), rows),
    maskType: 'int64',
    asked: returnsMask.unlessRefused,
    makeOutputs(call) {
      const { truncation, max_length } = call.options;
      const waves = monoOf(call.batch).map((samples) => (truncation ? samples.subarray(0, max_length) : samples));
      // Its own padding is a part of the item.
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
    item({ data: samples, realLength }, { prepared }) {
      const { frameLength, hop } = prepared;
      checkSamples(samples.length, 1);
      // A frame for each hop, whose window ends with the hop.
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
    spectrum: ({ num_chroma: filters }) => ({
      filters,
      window: 'torchHann',
      narrowWindow: true,
      bank: 'chroma',
      logarithm: 'none',
    }),
    padding: paddedSeconds('chunk_length', true),
    item({ data }, { prepared, n_fft }) {
      checkSamples(data.length, 1);
      // Shorter audio is centered in one transform.
      const more = Math.max(0, n_fft - data.length);
      const samples = surrounded(data, Math.floor(more / 2), Math.ceil(more / 2));
      return oneHot(featuresOf(prepared, samples, torchCentered(prepared, samples.length)));
    },
    // An entry a frame if the call asks for that; an entry a sample if the file does.
    mask: (item, call) => (returnsMask.ifAsked(call) ? everyOf(item, 0, call.hop_length) : maskOf(item)),
  },
};
