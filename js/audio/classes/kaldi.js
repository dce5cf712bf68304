/** Kaldi's filter bank features as NumPy computes them: SeamlessM4T, Speech2Text, AST. */
import { readBoolean } from '../../arguments/index.js';
import { mapNumbers, meanAndVariance, reduceNumbers } from '../../engines/audio/index.js';
import { eachMel, features, transposeFeatures, stackFrames, standardizeMels } from '../frames.js';
import { makeSteppedMask, padOptions, roundDown } from '../padding.js';
import { returnsMask } from '../rows.js';
import { kaldiSettings } from './kaldi-settings.js';
import { torchKaldi } from './torch-kaldi.js';

/** @import { SpectrumSettings } from '../../engines/audio/types.js' */
/** @import { Features, Row, Settings } from '../types.js' */

const unscaled = 1;

/** Makes a row's `spectrum`: the settings of Kaldi's features, ln(max(mel, 2^-23)), as transformers.audio_utils has
 * them. `scale`: the factor of samples; by default 32768, the range of int16.
 * @type {(window: SpectrumSettings['window'], scale?: number) => (settings: Settings) => Partial<SpectrumSettings>} */
const numpyKaldiSettings =
  (window, scale = 32768) =>
  ({ sampling_rate: rate }) => ({
    ...kaldiSettings,
    window,
    scale,
    // Python's rate // 2.
    high: Math.floor(rate / 2),
    // Each frame without its mean, then with pre-emphasis, both in float64.
    offset: 'float64',
    emphasis: 'float64',
    inMelSpace: true, // triangles are straight over mels, not over Hz
    narrowBins: true, // rounded to complex64
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

/** @type {Partial<Row>} */
const SeamlessM4T = {
  defaults: { feature_size: 80, num_mel_bins: 80, stride: 2 },
  options: { ...padOptions, return_attention_mask: readBoolean, do_normalize_per_mel_bins: readBoolean },
  spectrum: numpyKaldiSettings('povey'),
  padsFrames: true,
  byColumns: true,
  /** Normalizes each mel, unless the call refuses that, and gives the frames one after the other. */
  changeFrames(columns, { options }) {
    const isNormalized = options.do_normalize_per_mel_bins ?? true;
    return transposeFeatures(isNormalized ? standardizeMels(columns) : columns);
  },
  padding: () => ({ padding: true, pad_to_multiple_of: 2 }),
  /** Joins `stride` padded frames to a row: [rows, stride * mels]. */
  makeItem: ({ data, width, length: frames }, { stride }) => stackFrames(data, frames, width, stride),
  /** Makes the mask of the rows. As in Python, a row is real if the second of its `stride` frames is; with a
   * `stride` of 1 the mask is empty. */
  makeMask(item, { stride }) {
    const length = stride > 1 ? roundDown(item.length, stride) : 0;
    const secondFrame = 1;
    return makeSteppedMask(item, { start: secondFrame, step: stride, length });
  },
};

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
    /** Normalizes each mel of padded frames, [frames, mels], if the file asks for that. */
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
    spectrum: numpyKaldiSettings('hann', unscaled),
    padsFrames: true,
    padding: ({ max_length }) => ({ padding: 'max_length', truncation: true, max_length }),
    fixedSettings: { padding_value: 0, padding_side: 'right' },
    /** Changes the features in place to (x - mean) / (2 std), as AST does, if `do_normalize` is set. */
    makeItem({ data, dims }, { mean, std, do_normalize: normalizes }) {
      if (normalizes) mapNumbers(data, 'standardize', [Math.fround(mean), Math.fround(std * 2)]);
      return { data, dims };
    },
  },
  ...torchKaldi,
  /** A class that transformers.js has and Python lacks. */
  WeSpeaker: {
    axes: { input_features: 1 },
    defaults: { feature_size: 80, num_mel_bins: 80 },
    options: {},
    spectrum: numpyKaldiSettings('hamming'),
    padsFrames: true,
    byColumns: true,
    /** Subtracts from each mel its mean over all frames, and gives the frames one after the other. */
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
