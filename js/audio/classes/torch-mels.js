/** Mel extractors that torch computes in float32. Here they are float64 with one rounding at the end. */
import { largest, rangeError } from '../../arguments/index.js';
import { deltasOf, mapNumbers, reduceNumbers } from '../../engines/audio/index.js';
import { monoOf } from '../audio.js';
import { checkSamples, features, featuresOf, transposeFeatures, stackFrames, torchPadding } from '../frames.js';
import {
  makeSteppedMask,
  extendNumbers,
  maskOf,
  longest,
  paddedSeconds,
  padItems,
  readPadding,
  roundEven,
  roundUp,
  padSamples,
} from '../padding.js';
import { returnsMask, itemsOf, outputsOf } from '../rows.js';
import { checkEven, longs, allocateNumbers } from '../tensors.js';

/** @import { Spectrum } from '../../engines/audio/types.js' */
/** @import { CallOptions, Cut, Features, PaddedItem, Row, Settings } from '../types.js' */

/** Counts the frames of Phi4Multimodal; the count is 0 or less if the samples fill no frame.
 * @type {(length: number, settings: Settings) => number} */
const countPhi4Frames = (length, { win_length: win, hop_length: hop }) => Math.floor((length - win) / hop) + 1;

/** Gives the settings of Granite's mel energies, those of torchaudio's MelSpectrogram. GraniteSpeech calls the
 * number of filters `n_mels`, GraniteSpeech5 `num_mel_bins`. */
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

/** Computes Granite's features of a waveform: max(log10(mel), maximum - range) / 4 + 1.
 * @type {(spectrum: Spectrum, samples: Float32Array, range: number, cut?: Cut) => Features} */
function graniteFeatures(spectrum, samples, range, cut) {
  const mels = featuresOf(spectrum, samples, { ...torchPadding(spectrum, samples.length), ...cut });
  const least = Math.fround(reduceNumbers(mels.data, 'maximum') - range);
  const divisor = 4;
  const added = 1;
  mapNumbers(mels.data, 'raiseAfter', [least, divisor, added]);
  return mels;
}

const granite = { hop_length: 160, n_fft: 512, win_length: 400 };

/** Computes how many embeddings Granite's projector makes of `length` samples. Two frames are a row,
 * `projector_window_size` rows a window, of which one row in `projector_downsample_rate` is left.
 * @type {(length: number, settings: Settings) => number} */
function countEmbeddings(length, settings) {
  const { projector_window_size: window, projector_downsample_rate: rate, hop_length: hop } = settings;
  const frames = Math.floor(length / hop) + 1;
  const rows = Math.floor(frames / 2);
  const windows = Math.ceil(rows / window);
  return windows * Math.floor(window / rate);
}

/** Appends to each mel its deltas, slopes over 2 * half + 1 frames, and joins two frames to a row: [mels, frames]
 * become [frames / 2, 4 * mels]. The number of frames is even.
 * @type {(columns: Features, half: number) => Features} */
function addDeltas({ data, frames, width }, half) {
  const both = allocateNumbers('the features', 2 * data.length);
  both.set(data);
  for (let k = 0; k < width; k++) {
    const mel = data.subarray(k * frames, (k + 1) * frames);
    both.set(deltasOf(mel, half), (width + k) * frames);
  }
  const rows = transposeFeatures(features(both, frames, 2 * width, true));
  return { ...rows, dims: [frames / 2, 4 * width] };
}

/** Computes the length in samples to which GraniteSpeech5 pads all waveforms of a batch, and refuses what it does not
 * allow. `lengths`: of the waveforms.
 * @type {(options: CallOptions, lengths: readonly number[]) => number} */
function granitePaddedLength({ padding, max_length, pad_to_multiple_of }, lengths) {
  const padsToMaximum = padding === 'max_length';
  if (padsToMaximum && max_length === undefined) rangeError("max_length must be given with padding 'max_length'");
  const longest = largest(lengths);
  const length = padsToMaximum ? /** @type {number} */ (max_length) : longest;
  const target = roundUp(length, pad_to_multiple_of);
  if (padding === false || padding === 'do_not_pad') checkEven(lengths);
  if (longest > target) rangeError(`audio must have at most max_length ${target} samples, got ${longest}`);
  return target;
}

/** Counts GraniteSpeech5's rows of two frames that have audio, of which the last may have one.
 * @type {(samples: number, hop: number) => number} */
function countRealRows(samples, hop) {
  const realFrames = Math.floor(samples / hop);
  return Math.ceil(realFrames / 2);
}

/** Sets the largest number of each frame, of equals the first, to 1, the others to 0, in place. A loop in JS, because a
 * frame has 12 numbers for 4096 samples.
 * @type {(features: Features) => Features} */
function markLoudest(features) {
  const { data, frames, width } = features;
  for (let t = 0; t < frames; t++) {
    const row = data.subarray(t * width, (t + 1) * width);
    let loudest = 0;
    row.forEach((x, i) => {
      if (x > row[loudest]) loudest = i;
    });
    row.fill(0);
    row[loudest] = 1;
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
      // To the range of int16, behind the pre-emphasis.
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
    makeItem({ data: samples, realLength }, call, items) {
      const mels = featuresOf(call.prepared, samples);
      const { data, width } = mels;
      const isPadded = items.some((other) => other.realLength > realLength);
      if (isPadded) {
        // As in Python: from the first frame that has padding to frame realLength / hop - 2.
        const firstPadded = countPhi4Frames(realLength, call);
        const end = Math.floor(realLength / call.hop_length) - 1;
        data.fill(0, firstPadded * width, end * width);
      }
      return mels;
    },
    maskType: 'bool',
    /** Makes the features, their mask and `audio_embed_sizes`: how many embeddings the model makes of each waveform,
     * one for `audio_compression_rate` times `audio_downsample_rate` frames. */
    makeOutputs(call) {
      const { audio_compression_rate: rate, audio_downsample_rate: down, audio_feat_stride: times } = call;
      const countOf = (/** @type {PaddedItem} */ { realLength }) => countPhi4Frames(realLength, call) * times;
      const items = itemsOf(call);
      const counts = items.map(countOf);
      const largestCount = largest(counts);
      const row = {
        ...call.row,
        makeMask: (/** @type {PaddedItem} */ item) => maskOf({ length: largestCount, end: countOf(item) }),
        // As in Python, a single waveform, which has no padding, gets no mask.
        givesMask: () => items.length > 1 && returnsMask.unlessRefused(call),
      };
      const sizes = counts.map((count) => Math.ceil(Math.ceil(count / rate) / down));
      return { ...outputsOf({ ...call, row }, items), audio_embed_sizes: longs(sizes) };
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
    fixedSettings: { padding_value: 0, padding_side: 'right' },
    makeItem({ data: samples }, { prepared }) {
      const { data, frames, width } = graniteFeatures(prepared, samples, 8);
      return stackFrames(data, frames, width, 2);
    },
    maskType: 'bool',
    givesMask: returnsMask.always,
    /** Makes the features and `audio_embed_sizes`, the number of embeddings that the model makes of each waveform. The
     * mask tells these, and not the rows of the features. */
    makeOutputs(call) {
      const items = itemsOf(call);
      const audio_embed_sizes = items.map(({ realLength }) => countEmbeddings(realLength, call));
      const largestSize = largest(audio_embed_sizes);
      const makeMask = (/** @type {PaddedItem} */ { realLength }) =>
        maskOf({ length: largestSize, end: countEmbeddings(realLength, call) });
      return { ...outputsOf({ ...call, row: { ...call.row, makeMask } }, items), audio_embed_sizes };
    },
  },
  GraniteSpeech5: {
    defaults: { ...granite, num_mel_bins: 80, delta_win_length: 3, logmel_floor_db: 8, feature_size: 320 },
    spectrum: graniteSpectrum,
    /** Makes the features [rows, 4 * mels] of a waveform that is not padded yet: mels and their deltas, two frames in a
     * row. */
    makeItem({ data: samples }, call, items) {
      const { hop_length: hop, padding_value: value, logmel_floor_db: range, delta_win_length: window } = call;
      const lengths = items.map(({ realLength }) => realLength);
      const target = granitePaddedLength(call.options, lengths);
      const evenFrames = roundUp(Math.floor(target / hop), 2);
      // Behind the padding Python appends zeros, as many samples as these frames need.
      const neededSamples = (evenFrames - 1) * hop + 1;
      const padded = extendNumbers(samples, target, value);
      const withZeros = extendNumbers(padded, Math.max(target, neededSamples));
      const mels = graniteFeatures(call.prepared, withZeros, range, { maxFrames: evenFrames, byColumns: true });
      const halfWindow = Math.floor((window - 1) / 2);
      return addDeltas(mels, halfWindow);
    },
    makeMask: ({ realLength }, { hop_length: hop }, { dims: [rows] }) =>
      maskOf({ length: rows, end: countRealRows(realLength, hop) }),
    maskType: 'int64',
    givesMask: returnsMask.unlessRefused,
    makeOutputs(call) {
      const { truncation, max_length } = call.options;
      const waves = monoOf(call.batch).map((samples) => ({
        data: truncation ? samples.subarray(0, max_length) : samples,
      }));
      // `makeItem` pads by GraniteSpeech5's own rules.
      const noPadding = readPadding({ ...call, options: {} });
      return outputsOf(call, padItems(waves, noPadding));
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
    /** Makes a frame for each hop, whose window ends with the hop. Frames of padding alone are 0. */
    makeItem({ data: samples, realLength }, { prepared }) {
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
    givesMask: returnsMask.unlessRefused,
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
    /** Makes the features [frames, pitch classes]: 1 for the loudest class of a frame, 0 for the others. */
    makeItem({ data }, { prepared, n_fft }) {
      checkSamples(data.length, 1);
      // Audio that is shorter than one FFT stands in the middle of it, between zeros.
      const missing = Math.max(0, n_fft - data.length);
      const samples = padSamples(data, Math.floor(missing / 2), Math.ceil(missing / 2));
      return markLoudest(featuresOf(prepared, samples, torchPadding(prepared, samples.length)));
    },
    // One entry for each frame if the call asks for the mask; one for each sample if only the file does.
    makeMask: (item, call) => (returnsMask.ifAsked(call) ? makeSteppedMask(item, 0, call.hop_length) : maskOf(item)),
  },
};
