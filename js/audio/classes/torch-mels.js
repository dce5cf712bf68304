/** Mel extractors that torch computes in float32. Here they are float64 with one rounding at the end. */
import { largest } from '../../arguments/index.js';
import { checkSamples, featuresOf, torchPadding } from '../frames.js';
import { makeSteppedMask, maskOf, longest, paddedSeconds, roundEven, roundUp, padSamples } from '../padding.js';
import { returnsMask, itemsOf, outputsOf } from '../rows.js';
import { longs } from '../tensors.js';
import { granite } from './granite.js';

/** @import { Features, PaddedItem, Row, Settings } from '../types.js' */

/** Counts the frames of Phi4Multimodal; the count is 0 or less if the samples fill no frame.
 * @type {(length: number, settings: Settings) => number} */
const countPhi4Frames = (length, { win_length: win, hop_length: hop }) => Math.floor((length - win) / hop) + 1;

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
    /** The settings of Phi-4's mel energies, ln(max(mel, 1)), of samples in the range of int16. */
    spectrum: (settings) => ({
      frameLength: settings.win_length,
      fftLength: settings.n_fft,
      emphasis: 'float32',
      coefficient: settings.preemphasis,
      // To the range of int16, behind the pre-emphasis.
      lateScale: 32768,
      window: 'torchHammingWide',
      periodic: false,
      narrowBins: true, // rounded to complex64
      low: settings.mel_min_frequency,
      high: settings.mel_max_frequency,
      melScale: 'kaldi',
      inMelSpace: true, // triangles are straight over mels, not over Hz
      precision: 'float32',
      floor: 1,
    }),
    padding: longest,
    /** Makes features [frames, mels]. If the batch has a longer waveform, frames with padding are zeros. */
    makeItem({ data: samples, realLength }, call, items) {
      const mels = featuresOf(call.prepared, samples);
      const { data, width } = mels;
      const isPadded = items.some((other) => other.realLength > realLength);
      if (!isPadded) return mels;
      // As in Python: from the first frame that has padding to frame realLength / hop - 2.
      const firstPadded = countPhi4Frames(realLength, call);
      const end = Math.floor(realLength / call.hop_length) - 1;
      data.fill(0, firstPadded * width, end * width);
      return mels;
    },
    maskType: 'bool',
    /** Makes the features, their mask and `audio_embed_sizes`: how many embeddings the model makes of each waveform,
     * one for `audio_compression_rate` times `audio_downsample_rate` frames. */
    makeOutputs(call) {
      const { audio_compression_rate: compression, audio_downsample_rate: downsampling, audio_feat_stride } = call;
      // As in Python, the stride multiplies the number of frames.
      const countFrames = (/** @type {PaddedItem} */ { realLength }) =>
        countPhi4Frames(realLength, call) * audio_feat_stride;
      const items = itemsOf(call);
      const frameCounts = items.map(countFrames);
      const mostFrames = largest(frameCounts);
      const row = {
        ...call.row,
        makeMask: (/** @type {PaddedItem} */ item) => maskOf({ length: mostFrames, end: countFrames(item) }),
        // As in Python, a single waveform, which has no padding, gets no mask.
        givesMask: () => items.length > 1 && returnsMask.unlessRefused(call),
      };
      const embeddingCounts = frameCounts.map((count) => {
        const compressed = Math.ceil(count / compression);
        return Math.ceil(compressed / downsampling);
      });
      return { ...outputsOf({ ...call, row }, items), audio_embed_sizes: longs(embeddingCounts) };
    },
  },
  ...granite,
  Inkling: {
    axes: { input_features: 1, input_features_mask: 1 },
    defaults: { feature_size: 80, audio_token_duration_s: 0.05, window_size_multiplier: 2, n_fft: null },
    /** The settings of Inkling's mel magnitudes, log10(max(mel, 1e-10)). A hop lasts `audio_token_duration_s`
     * seconds, a window `window_size_multiplier` hops; it stands in the middle of `n_fft` samples, if the file
     * states these. */
    spectrum({ sampling_rate: rate, audio_token_duration_s: seconds, window_size_multiplier: times, n_fft }) {
      const windowLength = roundEven(seconds * times * rate);
      return {
        frameLength: n_fft || windowLength,
        windowLength,
        hop: roundEven(seconds * rate),
        window: 'torchHann',
        narrowWindow: true, // frames times the window are rounded to float32
        energy: 'floored', // sqrt(max(re^2 + im^2, energyFloor))
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
      const framesWithAudio = Math.ceil(realLength / hop);
      const count = Math.min(framesWithAudio, mels.frames);
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
    /** The settings of the energies of `num_chroma` pitch classes, such as all C of any octave. */
    spectrum: ({ num_chroma: filters }) => ({
      filters,
      window: 'torchHann',
      narrowWindow: true, // frames times the window are rounded to float32
      bank: 'chroma',
      logarithm: 'none',
    }),
    padding: paddedSeconds('chunk_length', 'longest'),
    /** Makes the features [frames, pitch classes]: 1 for the loudest class of a frame, 0 for the others. */
    makeItem({ data }, { prepared, n_fft }) {
      checkSamples(data.length, 1);
      // Audio that is shorter than one FFT stands in the middle of it, between zeros.
      const missing = Math.max(0, n_fft - data.length);
      const samples = padSamples(data, Math.floor(missing / 2), Math.ceil(missing / 2));
      return markLoudest(featuresOf(prepared, samples, torchPadding(prepared, samples.length)));
    },
    /** Makes the mask: an entry for each frame if the call asks for it, as in Python, one for each sample if only the
     * file does. */
    makeMask: (item, call) =>
      returnsMask.ifAsked(call) ? makeSteppedMask(item, { step: call.hop_length }) : maskOf(item),
  },
};
