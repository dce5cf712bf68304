/** Kaldi's filter bank features: by NumPy (SeamlessM4T, Speech2Text, AST) and by torchaudio (FunASR and two codecs). */
import { readBoolean, readWord } from '../../arguments/index.js';
import { mapNumbers, meanAndVariance, reduceNumbers } from '../../engines/audio/index.js';
import { monoOf } from '../audio.js';
import {
  checkSamples,
  eachMel,
  features,
  featuresOf,
  transposeFeatures,
  stackFrames,
  standardizeMels,
  standardizeWide,
} from '../frames.js';
import {
  channelItem,
  makeSteppedMask,
  lengthOptions,
  longest,
  padItems,
  padOptions,
  powerOfTwo,
  readPadding,
  roundDown,
  roundUp,
  padSamples,
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

/** Makes a row's `spectrum`: Kaldi's features as transformers.audio_utils has them. `scale`: the factor of samples; by
 * default 32768, the range of int16.
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

/** Normalizes each mel in place as Speech2Text does: by the mean and the deviation of its first `count` frames, which
 * are real. The others become `padding_value`. `columns` are [mels, frames]. `order`: in which order NumPy adds the
 * frames up, which decides the last bits.
 * @type {(columns: Features, count: number, settings: Settings, order: 'pairwise' | 'inOrder') => Features} */
const normalizeCepstra = (columns, count, settings, order) =>
  eachMel(columns, (mel) => {
    const real = mel.subarray(0, count);
    if (settings.normalize_means) {
      const [mean] = meanAndVariance(real, order);
      mapNumbers(mel, 'standardize', [mean]);
    }
    if (settings.normalize_vars) {
      // As in Python, after the mean was subtracted, which changes the last bits of the variance.
      const [, variance] = meanAndVariance(real, order);
      const noMean = 0;
      mapNumbers(mel, 'standardize', [noMean, Math.fround(Math.sqrt(variance))]);
    }
    mel.fill(settings.padding_value, count);
  });

/** @type {Record<string, SpectrumSettings['window']>} */
const torchWindows = { hamming: 'torchHamming', hanning: 'torchHann', povey: 'torchPovey' };

/** Joins frames [frames, width] to fewer and longer rows, as FunASR does: row r has the `size` frames around frame
 * r * stride. The first and the last frame are repeated beyond the ends.
 * @type {(features: Features, size: number, stride: number) => Features} */
function joinNeighbors({ data, frames, width }, size, stride) {
  const rows = Math.ceil(frames / stride);
  const wide = allocateNumbers('the features', rows * size * width);
  // Of an even `size`, one frame more stands behind the middle than before it.
  const framesBefore = Math.floor((size - 1) / 2);
  for (let r = 0; r < rows; r++) {
    const firstFrame = r * stride - framesBefore;
    for (let j = 0; j < size; j++) {
      const source = Math.min(Math.max(firstFrame + j, 0), frames - 1);
      const target = r * size + j;
      wide.set(data.subarray(source * width, (source + 1) * width), target * width);
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
  changeFrames: (rows, { options }) =>
    transposeFeatures((options.do_normalize_per_mel_bins ?? true) ? standardizeMels(rows) : rows),
  padding: () => ({ padding: true, pad_to_multiple_of: 2 }),
  makeItem: ({ data, width, length }, { stride }) => stackFrames(data, length, width, stride),
  makeMask(item, { stride }) {
    // As in Python, a row is real if the second of its `stride` frames is. With a `stride` of 1 the mask is empty.
    const length = stride > 1 ? roundDown(item.length, stride) : 0;
    const secondFrame = 1;
    return makeSteppedMask(item, secondFrame, stride, length);
  },
};

const framesOfPair = 2;

/** The steps of a row that make features of padded frames: two frames are joined to a pair, which is real if both are.
 * @type {Partial<Row>} */
const stepsOfPairs = {
  axes: { input_features: 1, input_features_mask: 1 },
  makeItem: ({ data, width, length: frames }) => stackFrames(data, frames, width, framesOfPair),
  givesMask: returnsMask.always,
  makeMask(item, { padding_side }) {
    // A pair is real if the one of its frames that is nearer to the padding is.
    const frameNearPadding = padding_side === 'left' ? 0 : 1;
    return makeSteppedMask(item, frameNearPadding, framesOfPair, roundDown(item.length, framesOfPair));
  },
};

/** @type {(settings: Settings) => Partial<SpectrumSettings>} */
function codecSpectrum({ sampling_rate: rate }) {
  // torchaudio takes milliseconds and rounds down, so that at some rates a length is one sample less.
  const viaMilliseconds = (/** @type {number} */ samples) => {
    const milliseconds = (samples / rate) * 1000;
    return Math.floor(rate * milliseconds * 0.001);
  };
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

/** Makes the row of a codec that gives a waveform and Kaldi features. `featureSamples` gives the samples of which the
 * features are made, from a waveform with a 0 behind it, the padded `item` of it, and the hop in samples.
 * @type {(featureSamples: (wave: Float32Array, item: PaddedItem, hop: number) => Float32Array) => Partial<Row>} */
const codecWithFeatures = (featureSamples) => ({
  axes: { input_values: 2, padding_mask: 1, input_features: 1, input_features_mask: 1 },
  defaults: { feature_size: 80, padding_value: 1, hop_length: 320 },
  options: lengthOptions,
  spectrum: codecSpectrum,
  makeItem: channelItem,
  givesMask: returnsMask.always,
  /** Makes the padded waveforms [batch, 1, length] and the features [batch, rows, 160], each with a mask. As in Python,
   * one zero is put behind each waveform first, and mels are normalized before they are padded. */
  makeOutputs(call) {
    const { prepared, batch, hop_length: hop } = call;
    const waves = monoOf(batch).map((data) => ({ data: padSamples(data, 0, 1) }));
    /** Reads the padding of the call to a multiple of samples or frames. `settings`: in place of the file's.
     * @type {(multiple: number, settings?: Settings) => Padding} */
    const paddingTo = (multiple, settings) =>
      readPadding({ ...call, ...settings }, { padding: true, pad_to_multiple_of: multiple });
    // The settings of padding are those of the features; waveforms get zeros on the right.
    const items = padItems(waves, paddingTo(hop, { padding_side: 'right', padding_value: 0 }));
    const mels = items.map((item, i) => {
      const samples = featureSamples(waves[i].data, item, hop);
      checkSamples(samples.length, prepared.frameLength);
      const columns = featuresOf(prepared, samples, { byColumns: true });
      // SeamlessM4T's rule: over all frames, with 1e-7 added to the variance.
      return transposeFeatures(standardizeWide(columns, columns.frames, (variance) => Math.sqrt(variance + 1e-7)));
    });
    const paddedMels = padItems(mels, paddingTo(framesOfPair));
    const waveformOutputs = outputsOf(call, items);
    const callOfFeatures = { ...call, row: { ...call.row, ...stepsOfPairs } };
    return { ...waveformOutputs, ...outputsOf(callOfFeatures, paddedMels) };
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
    mustStack: false,
    makeItem({ data, width, length: frames, first, end }, call, items) {
      const cepstra = features(data, frames, width);
      if (!call.do_ceptral_normalize) return cepstra;
      // Without a mask the padding counts too.
      const count = returnsMask.unlessRefused(call) ? end - first : frames;
      // NumPy sums as numbers lie in memory: frame after frame in a batch of one length; in one of unequal lengths each
      // mel by itself, and then in pairs.
      const isEven = items.every(({ length }) => length === items[0].length);
      const order = isEven ? 'inOrder' : 'pairwise';
      const columns = transposeFeatures(cepstra);
      return transposeFeatures(normalizeCepstra(columns, count, call, order));
    },
    // The file's return_attention_mask has no effect in Python.
    givesMask: returnsMask.unlessRefused,
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
    fixedSettings: { padding_value: 0, padding_side: 'right' },
    /** Changes the features in place to (x - mean) / (2 std), as AST does, if `do_normalize` is set. */
    makeItem({ data, dims }, { mean, std, do_normalize: normalizes }) {
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
    spectrum({ sampling_rate: rate, frame_length: frameMs, frame_shift: hopMs, window }) {
      // torchaudio multiplies by 0.001 and rounds down.
      const frameLength = Math.floor(rate * frameMs * 0.001);
      const windowWord = /** @type {string} */ (readWord('window', Object.keys(torchWindows), window));
      return {
        ...torchKaldi,
        frameLength,
        fftLength: powerOfTwo(frameLength),
        hop: Math.floor(rate * hopMs * 0.001),
        window: torchWindows[windowWord],
      };
    },
    changeWave(samples, { prepared }) {
      checkSamples(samples.length, prepared.frameLength);
      return samples;
    },
    padsFrames: true,
    changeFrames: (rows, { num_frames_lfr: size, stride_lfr: stride }) => joinNeighbors(rows, size, stride),
    padding: longest,
    stream: () => undefined,
  },
  NeuCodec: codecWithFeatures((samples, _, hop) => toMultiple(samples, hop)),
  Xcodec2: codecWithFeatures((_, { data, first, end }, hop) => {
    const wholeHops = data.subarray(0, roundUp(end - first, hop));
    const halfHop = Math.floor(hop / 2);
    return padSamples(wholeHops, halfHop, halfHop);
  }),
  /** A class that transformers.js has and Python lacks. */
  WeSpeaker: {
    axes: { input_features: 1 },
    defaults: { feature_size: 80, num_mel_bins: 80 },
    options: {},
    spectrum: numpyKaldiSettings('hamming'),
    padsFrames: true,
    byColumns: true,
    changeFrames(columns) {
      const withoutMeans = eachMel(columns, (mel) => {
        const mean = reduceNumbers(mel, 'wide') / columns.frames;
        const noDivisor = 1;
        mapNumbers(mel, 'standardizeWide', [mean, noDivisor]);
      });
      return transposeFeatures(withoutMeans);
    },
  },
};
