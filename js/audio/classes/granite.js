/** Granite's features: logarithms of mel energies as torchaudio has them, two frames in a row. */
import { largest, rangeError } from '../../arguments/index.js';
import { deltasOf, mapNumbers, reduceNumbers } from '../../engines/audio/index.js';
import { monoOf } from '../audio.js';
import { features, featuresOf, transposeFeatures, stackFrames, torchPadding } from '../frames.js';
import { extendNumbers, maskOf, longest, padItems, readPadding, roundUp } from '../padding.js';
import { returnsMask, itemsOf, outputsOf } from '../rows.js';
import { checkEven, allocateNumbers } from '../tensors.js';

/** @import { Spectrum } from '../../engines/audio/types.js' */
/** @import { CallOptions, Cut, Features, PaddedItem, Row, Settings } from '../types.js' */

/** Gives the settings of Granite's mel energies, those of torchaudio's MelSpectrogram. GraniteSpeech calls the
 * number of filters `n_mels`, GraniteSpeech5 `num_mel_bins`. */
const graniteSpectrum = (/** @type {Settings} */ { win_length, n_mels, num_mel_bins: filters = n_mels }) =>
  /** @type {const} */ ({
    window: 'torchHann',
    windowLength: win_length,
    narrowWindow: true, // frames times the window are rounded to float32
    filters,
    bank: 'torchaudio',
    floor: 1e-10,
    logarithm: 'log10',
  });

/** Computes Granite's features of a waveform: max(log10(mel), maximum - range) / 4 + 1, where `maximum` is that of all
 * its log10(mel). `cut`: how frames are made, beside torch's padding
 * @type {(spectrum: Spectrum, samples: Float32Array, range: number, cut?: Cut) => Features} */
function graniteFeatures(spectrum, samples, range, cut) {
  const mels = featuresOf(spectrum, samples, { ...torchPadding(spectrum, samples.length), ...cut });
  const maximum = reduceNumbers(mels.data, 'maximum');
  const least = Math.fround(maximum - range);
  const divisor = 4;
  const added = 1;
  mapNumbers(mels.data, 'raiseAfter', [least, divisor, added]);
  return mels;
}

/** Frames that both classes join to a row of their features. */
const framesPerRow = 2;

const frameDefaults = { hop_length: 160, n_fft: 512, win_length: 400 };

/** Computes how many embeddings Granite's projector makes of `length` samples. `projector_window_size` rows are a
 * window, of which one row in `projector_downsample_rate` is left.
 * @type {(length: number, settings: Settings) => number} */
function countEmbeddings(length, settings) {
  const { projector_window_size: window, projector_downsample_rate: rate, hop_length: hop } = settings;
  const frames = Math.floor(length / hop) + 1;
  const rows = Math.floor(frames / framesPerRow);
  const windows = Math.ceil(rows / window);
  return windows * Math.floor(window / rate);
}

/** Appends to each mel its deltas, slopes over 2 * half + 1 frames, and joins two frames to a row: [mels, frames]
 * become [frames / 2, 4 * mels]. The number of frames is even.
 * @type {(columns: Features, half: number) => Features} */
function addDeltas({ data, frames, width }, half) {
  const withDeltas = allocateNumbers('the features', 2 * data.length);
  withDeltas.set(data);
  for (let k = 0; k < width; k++) {
    const mel = data.subarray(k * frames, (k + 1) * frames);
    const deltas = deltasOf(mel, half);
    withDeltas.set(deltas, (width + k) * frames);
  }
  const numbersOfFrame = 2 * width;
  const byColumns = true;
  const byFrames = transposeFeatures(features(withDeltas, frames, numbersOfFrame, byColumns));
  return { ...byFrames, dims: [frames / framesPerRow, framesPerRow * numbersOfFrame] };
}

/** Computes the length in samples to which GraniteSpeech5 pads all waveforms of a batch. Refuses unequal `lengths` of
 * waveforms if padding is off, and those above the length.
 * @type {(options: CallOptions, lengths: readonly number[]) => number} */
function granitePaddedLength({ padding, max_length, pad_to_multiple_of }, lengths) {
  const padsToMaximum = padding === 'max_length';
  if (padsToMaximum && max_length === undefined) rangeError("max_length must be given with padding 'max_length'");
  const mostSamples = largest(lengths);
  const length = padsToMaximum ? /** @type {number} */ (max_length) : mostSamples;
  const target = roundUp(length, pad_to_multiple_of);
  if (padding === false || padding === 'do_not_pad') checkEven(lengths);
  if (mostSamples > target) rangeError(`audio must have at most max_length ${target} samples, got ${mostSamples}`);
  return target;
}

/** Counts GraniteSpeech5's rows that have a frame of audio, and not of padding alone.
 * @type {(samples: number, hop: number) => number} */
function countRealRows(samples, hop) {
  const realFrames = Math.floor(samples / hop);
  return Math.ceil(realFrames / framesPerRow);
}

/** @type {Record<string, Partial<Row>>} */
export const granite = {
  GraniteSpeech: {
    axes: { input_features: 1, input_features_mask: 1, audio_embed_sizes: 0 },
    defaults: {
      ...frameDefaults,
      n_mels: 80,
      projector_window_size: 15,
      projector_downsample_rate: 5,
      feature_size: 80,
    },
    options: {},
    spectrum: graniteSpectrum,
    padding: longest,
    fixedSettings: { padding_value: 0, padding_side: 'right' },
    /** Makes the features [rows, 2 * mels] of a padded waveform. */
    makeItem({ data: samples }, { prepared }) {
      const range = 8;
      const { data, frames, width } = graniteFeatures(prepared, samples, range);
      return stackFrames(data, frames, width, framesPerRow);
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
      const row = { ...call.row, makeMask };
      return { ...outputsOf({ ...call, row }, items), audio_embed_sizes };
    },
  },
  GraniteSpeech5: {
    defaults: { ...frameDefaults, num_mel_bins: 80, delta_win_length: 3, logmel_floor_db: 8, feature_size: 320 },
    spectrum: graniteSpectrum,
    /** Makes the features [rows, 4 * mels] of a waveform that is not padded yet: mels and their deltas, two frames in a
     * row. */
    makeItem({ data: samples }, call, items) {
      const { hop_length: hop, padding_value: value, logmel_floor_db: range, delta_win_length: window } = call;
      const lengths = items.map(({ realLength }) => realLength);
      const target = granitePaddedLength(call.options, lengths);
      const framesOfRows = roundUp(Math.floor(target / hop), framesPerRow);
      // Behind the padding Python appends zeros, as many samples as these frames need.
      const neededSamples = (framesOfRows - 1) * hop + 1;
      const padded = extendNumbers(samples, target, value);
      const withZeros = extendNumbers(padded, Math.max(target, neededSamples));
      const cut = { maxFrames: framesOfRows, byColumns: true };
      const mels = graniteFeatures(call.prepared, withZeros, range, cut);
      const halfWindow = Math.floor((window - 1) / 2);
      return addDeltas(mels, halfWindow);
    },
    /** Makes the mask of the rows, 1 for those with a frame of audio. */
    makeMask: ({ realLength }, { hop_length: hop }, { dims: [rows] }) =>
      maskOf({ length: rows, end: countRealRows(realLength, hop) }),
    maskType: 'int64',
    givesMask: returnsMask.unlessRefused,
    /** Makes the features and their mask of waveforms that truncation may cut to `max_length` samples. */
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
};
