/** Kaldi's filter bank features: by NumPy (SeamlessM4T, Speech2Text, AST) and by torchaudio (FunASR and two codecs). */
import { readBoolean, readWord } from '../../arguments/index.js';
import { mapNumbers, meanAndVariance, reduceNumbers } from '../../engines/audio/index.js';
import { monoOf } from '../audio.js';
import {
  checkSamples,
  eachMel,
  features,
  featuresOf,
  flipped,
  stackedRows,
  standardizeMels,
  standardizeWide,
} from '../frames.js';
import {
  channelItem,
  steppedMask,
  lengthOptions,
  longest,
  padItems,
  padOptions,
  powerOfTwo,
  readPadding,
  roundUp,
  surrounded,
  toMultiple,
} from '../padding.js';
import { returnsMask, outputsOf } from '../rows.js';
import { allocateNumbers } from '../tensors.js';

/** @import { SpectrumSettings } from '../../engines/audio/types.js' */
/** @import { Features, PaddedItem, Padding, Row, Settings } from '../types.js' */

const kaldiSettings = /** @type {const} */ ({
  frameLength: 400,
  hop: 160,
  fftLength: 512,
  coefficient: 0.97,
  periodic: false,
  low: 20,
  melScale: 'kaldi',
  floor: 2 ** -23,
  logarithm: 'log',
});

/** Gives a function from the settings of a class to those of its spectrogram, Kaldi's features as
 * transformers.audio_utils has them. `scale`: the factor of samples; 32768, the range of int16, by default.
 * @type {(window: SpectrumSettings['window'], scale?: number) => (settings: Settings) => Partial<SpectrumSettings>} */
const numpyKaldiSettings =
  (window, scale = 32768) =>
  ({ sampling_rate: rate }) => ({
    ...kaldiSettings,
    window,
    scale,
    // Python's rate // 2.
    high: Math.floor(rate / 2),
    offset: 'float64',
    emphasis: 'float64',
    inMelSpace: true,
    narrowBins: true,
  });

/** The settings of torchaudio.compliance.kaldi.fbank, without dither and with its edges snipped. */
const torchKaldi = /** @type {const} */ ({
  ...kaldiSettings,
  offset: 'float32',
  emphasis: 'float32',
  narrowWindow: true,
  bank: 'torchaudioKaldi',
  narrowBank: true,
});

/** Normalizes each mel in place as Speech2Text does: subtracts the mean of its first `count` frames, divides by their
 * deviation, each if its setting is on, and sets the frames behind them to `padding_value`. `features` are
 * [mels, frames]. `order`: in which order NumPy adds the frames up, which decides the last bits of the sums.
 * @type {(features: Features, count: number, settings: Settings, order: 'pairwise' | 'inOrder') => Features} */
const normalizeCepstra = (features, count, settings, order) =>
  eachMel(features, (mel) => {
    // Computed anew for the variance, because Python takes it of the numbers without their mean.
    const moments = () => meanAndVariance(mel.subarray(0, count), order);
    if (settings.normalize_means) mapNumbers(mel, 'standardize', [moments()[0]]);
    if (settings.normalize_vars) mapNumbers(mel, 'standardize', [0, Math.fround(Math.sqrt(moments()[1]))]);
    mel.fill(settings.padding_value, count);
  });

/** @type {Record<string, SpectrumSettings['window']>} */
const torchWindows = { hamming: 'torchHamming', hanning: 'torchHann', povey: 'torchPovey' };

/** Makes fewer and longer rows of features [frames, width], as FunASR does: row r has the `size` frames around frame
 * r * stride, one behind the other. The result is [ceil(frames / stride), size * width]. Before the first frame the
 * first is repeated, behind the last one the last.
 * @type {(features: Features, size: number, stride: number) => Features} */
function lowFrameRate({ data, frames, width }, size, stride) {
  const rows = Math.ceil(frames / stride);
  const wide = allocateNumbers('the features', rows * size * width);
  for (let r = 0; r < rows; r++) {
    for (let j = 0; j < size; j++) {
      // Of an even `size`, one frame more stands behind the middle than before it.
      const at = Math.min(Math.max(r * stride + j - Math.floor((size - 1) / 2), 0), frames - 1);
      wide.set(data.subarray(at * width, (at + 1) * width), (r * size + j) * width);
    }
  }
  return features(wide, rows, size * width);
}

/** @type {Partial<Row>} */
const SeamlessM4T = {
  defaults: { feature_size: 80, num_mel_bins: 80, stride: 2 },
  options: { ...padOptions, return_attention_mask: readBoolean, do_normalize_per_mel_bins: readBoolean },
  spectrum: numpyKaldiSettings('povey'),
  padsFrames: true,
  byColumns: true,
  finish: (rows, { options }) => flipped((options.do_normalize_per_mel_bins ?? true) ? standardizeMels(rows) : rows),
  padding: () => ({ padding: true, pad_to_multiple_of: 2 }),
  item: ({ data, width, length }, { stride }) => stackedRows(data, length, width, stride),
  // Python takes the frames whose index modulo `stride` is 1: none if `stride` is 1.
  mask: (item, { stride }) => steppedMask(item, 1, stride, stride > 1 ? item.length - (item.length % stride) : 0),
};

/** Differs from SeamlessM4T for codecs that give features too: two frames are joined to a row, and the mask tells the
 * rows in which both frames are real. That is known by the later frame with padding on the right, by the earlier one
 * with padding on the left.
 * @type {Partial<Row>} */
const pairs = {
  ...SeamlessM4T,
  axes: { input_features: 1, input_features_mask: 1 },
  asked: returnsMask.always,
  mask: (item, { padding_side }) =>
    steppedMask(item, padding_side === 'left' ? 0 : 1, 2, item.length - (item.length % 2)),
};

/** Gives the settings of the spectrogram of codecs: Kaldi's features of torchaudio, with frames of 400 samples, a hop
 * of 160 and 80 filters.
 * @type {(settings: Settings) => Partial<SpectrumSettings>} */
function codecSpectrum({ sampling_rate: rate }) {
  // torchaudio takes milliseconds and rounds down, so that at some rates a length is one sample less.
  const viaMilliseconds = (/** @type {number} */ count) => Math.floor(rate * ((count / rate) * 1000) * 0.001);
  return {
    ...torchKaldi,
    frameLength: viaMilliseconds(400),
    hop: viaMilliseconds(160),
    window: 'torchPovey',
    // Samples of -1 to 1 in the range of int16, as Kaldi has them.
    scale: 32768,
    filters: 80,
    // Python's rate // 2.
    high: Math.floor(rate / 2),
  };
}

/** Makes the row of a codec that gives a waveform and Kaldi features. `waveform` gives the samples of which the
 * features are made, from the waveform and a 0 behind it, the padded `item` of it, and the hop in samples.
 * @type {(waveform: (samples: Float32Array, item: PaddedItem, hop: number) => Float32Array) => Partial<Row>} */
const codecWithFeatures = (waveform) => ({
  axes: { input_values: 2, padding_mask: 1, input_features: 1, input_features_mask: 1 },
  defaults: { feature_size: 80, padding_value: 1, hop_length: 320 },
  options: lengthOptions,
  spectrum: codecSpectrum,
  item: channelItem,
  asked: returnsMask.always,
  /** Makes the padded waveforms [batch, 1, length] and, of the samples that `waveform` gives, the features
   * [batch, rows, 160], each with a mask. As in Python, one zero is put behind each waveform first, and each mel is
   * normalized before features are padded to an even number of frames. */
  makeOutputs(call) {
    const { prepared, batch, hop_length: hop } = call;
    const waves = monoOf(batch).map((data) => ({ data: surrounded(data, 0, 1) }));
    /** The padding of the call to a multiple of samples or frames. `fixed`: settings instead of the file's.
     * @type {(multiple: number, fixed?: Settings) => Padding} */
    const paddingTo = (multiple, fixed) =>
      readPadding({ ...call, ...fixed }, { padding: true, pad_to_multiple_of: multiple });
    // The settings of padding are those of the features; waveforms get zeros on the right.
    const items = padItems(waves, paddingTo(hop, { padding_side: 'right', padding_value: 0 }));
    const mels = items.map((item, i) => {
      const samples = waveform(waves[i].data, item, hop);
      checkSamples(samples.length, prepared.frameLength);
      const columns = featuresOf(prepared, samples, { byColumns: true });
      // SeamlessM4T's rule: over all frames, with 1e-7 added to the variance.
      return flipped(standardizeWide(columns, columns.frames, (variance) => Math.sqrt(variance + 1e-7)));
    });
    const rows = padItems(mels, paddingTo(2));
    return {
      ...outputsOf(call, items),
      // The second pair of names, of `pairs`. It joins two frames whatever the setting `stride` is.
      ...outputsOf({ ...call, row: { ...call.row, ...pairs }, stride: 2 }, rows),
    };
  },
});

/** @type {Record<string, Partial<Row>>} */
export const kaldi = {
  SeamlessM4T,
  Speech2Text: {
    defaults: {
      feature_size: 80,
      num_mel_bins: 80,
      dither: 0,
      do_ceptral_normalize: true,
      normalize_means: true,
      normalize_vars: true,
    },
    spectrum: numpyKaldiSettings('povey'),
    padsFrames: true,
    stacks: false,
    /** Normalizes the padded features of one waveform, [frames, mels], by its real frames; by all frames if the call
     * refuses the mask, because Python knows the real ones from the mask. */
    item({ data, width, length: frames, first, end }, call, items) {
      const cepstra = features(data, frames, width);
      if (!call.do_ceptral_normalize) return cepstra;
      const count = returnsMask.unlessRefused(call) ? end - first : frames;
      // Arrays of one length are summed row after row; arrays of unequal lengths stay columns in NumPy's memory.
      const isEven = items.every(({ length }) => length === items[0].length);
      return flipped(normalizeCepstra(flipped(cepstra), count, call, isEven ? 'inOrder' : 'pairwise'));
    },
    // The file's return_attention_mask has no effect in Python.
    asked: returnsMask.unlessRefused,
  },
  AST: {
    axes: { input_values: 1 },
    defaults: {
      num_mel_bins: 128,
      max_length: 1024,
      do_normalize: true,
      mean: -4.2677393,
      std: 4.5689974,
      return_attention_mask: false,
    },
    options: {},
    spectrum: numpyKaldiSettings('hann', 1),
    padsFrames: true,
    padding: ({ max_length }) => ({ padding: 'max_length', truncation: true, max_length }),
    fixed: { padding_value: 0, padding_side: 'right' },
    /** Normalizes the features in place to (x - mean) / (2 std), AST's own rule. */
    item({ data, dims }, { mean, std, do_normalize: normalizes }) {
      if (normalizes) mapNumbers(data, 'standardize', [Math.fround(mean), Math.fround(std * 2)]);
      return { data, dims };
    },
  },
  FunAsrNano: {
    axes: { input_features: 1, input_features_mask: 1 },
    defaults: {
      feature_size: 80,
      frame_length: 25,
      frame_shift: 10,
      num_frames_lfr: 7,
      stride_lfr: 6,
      window: 'hamming',
    },
    /** Gives the settings of torchaudio's Kaldi features. `frame_length` and `frame_shift` are in milliseconds. */
    spectrum({ sampling_rate: rate, frame_length: length, frame_shift: shift, window }) {
      // torchaudio multiplies by 0.001 and rounds down.
      const frameLength = Math.floor(rate * length * 0.001);
      return {
        ...torchKaldi,
        frameLength,
        fftLength: powerOfTwo(frameLength),
        hop: Math.floor(rate * shift * 0.001),
        window: torchWindows[/** @type {string} */ (readWord('window', Object.keys(torchWindows), window))],
      };
    },
    /** Refuses a waveform that is shorter than one frame, and gives it unchanged. */
    wave(samples, { prepared }) {
      checkSamples(samples.length, prepared.frameLength);
      return samples;
    },
    padsFrames: true,
    finish: (rows, { num_frames_lfr: size, stride_lfr: stride }) => lowFrameRate(rows, size, stride),
    padding: longest,
    stream: () => undefined,
  },
  NeuCodec: codecWithFeatures((samples, _, hop) => toMultiple(samples, hop)),
  Xcodec2: codecWithFeatures((_, { data, first, end }, hop) => {
    const margin = Math.floor(hop / 2);
    return surrounded(data.subarray(0, roundUp(end - first, hop)), margin, margin);
  }),
  /** A name of files that were made for JavaScript: each mel less its mean. */
  WeSpeaker: {
    axes: { input_features: 1 },
    defaults: { feature_size: 80, num_mel_bins: 80 },
    options: {},
    spectrum: numpyKaldiSettings('hamming'),
    padsFrames: true,
    byColumns: true,
    /** Subtracts from each mel its mean over all frames, and gives [frames, mels]. The features come by columns:
     * [mels, frames]. */
    finish: (rows) =>
      flipped(
        eachMel(rows, (mel) => mapNumbers(mel, 'standardizeWide', [reduceNumbers(mel, 'wide') / rows.frames, 1])),
      ),
  },
};
