/** NeMo's mel extractors, which torch computes in float32. Here they are float64 with one rounding at the end. */
import { readBoolean, readWord } from '../../arguments/index.js';
import { addNormals, emphasizeNumbers, precisions, reduceNumbers } from '../../engines/audio/index.js';
import { monoOf } from '../audio.js';
import { halfFramePadding, checkSamples, featuresOf, transposeFeatures, standardizeWide } from '../frames.js';
import { longest, ownData, padOptions, roundEven } from '../padding.js';
import { returnsMask, itemsOf, outputsOf } from '../rows.js';

/** @import { PaddedItem, Row, Settings } from '../types.js' */

/** Makes the samples of a padded waveform with pre-emphasis, x[i] - preemphasis * x[i - 1], and zeros in the padding.
 * Gives all unchanged if `preemphasis` is null.
 * @type {(item: PaddedItem, settings: Settings) => Float32Array} */
function emphasizeSamples(item, settings) {
  if (settings.preemphasis === null) return item.data;
  const data = ownData(item);
  emphasizeNumbers(data, Math.fround(settings.preemphasis));
  // Truncation may have cut the real samples, too.
  return data.fill(0, Math.min(item.realLength, data.length));
}

/** The number types of windows and filters that a file may state. */
const precisionsOfNemo = precisions.filter((name) => name !== 'float64');

/** @type {Partial<Row>} */
const nemoRow = {
  defaults: {
    feature_size: 80,
    hop_length: 160,
    n_fft: 512,
    win_length: 400,
    preemphasis: 0.97,
  },
  nullable: ['preemphasis'],
  options: padOptions,
  /** The settings of NeMo's mel energies, ln(mel + 2^-24). The file may state the type of windows and filters. */
  spectrum: ({ win_length, mel_filters_dtype: precision = 'float32' }) => ({
    window: 'torchHann',
    windowLength: win_length,
    windowPrecision: readWord('mel_filters_dtype', precisionsOfNemo, precision),
    periodic: false,
    narrowWindow: true, // frames times the window are rounded to float32
    slaneyNorm: true,
    melScale: 'slaney',
    narrowBank: true, // filters are rounded to float32
    precision,
    addsFloor: true,
    floor: 2 ** -24,
  }),
  padding: longest,
  /** Makes features [frames, mels], each mel normalized by the mean and the deviation of its `count` real frames;
   * frames of padding become 0. */
  makeItem(item, call) {
    const { prepared } = call;
    const mels = featuresOf(prepared, emphasizeSamples(item, call), {
      ...halfFramePadding(prepared, 'constant'),
      byColumns: true,
    });
    // A frame is real for each whole hop of real samples. Python counts the samples that truncation cuts off, too, so
    // that `count` can be above the number of frames.
    const count = Math.floor(item.realLength / call.hop_length);
    const toDeviation = (/** @type {number} */ variance) => Math.sqrt(variance) + 1e-5;
    const rows = transposeFeatures(standardizeWide(mels, count, toDeviation));
    // Python sets padding to 0 by a multiplication. The deviation of fewer than two frames is NaN, and stays NaN.
    const paddingValue = count > 1 ? 0 : NaN;
    rows.data.fill(paddingValue, count * rows.width);
    return { ...rows, count };
  },
  maskType: 'bool',
  givesMask: returnsMask.always,
};

/** Splits a waveform into chunks of at most `max_audio_clip_s` seconds as CohereASR does. Each but the last ends at the
 * quietest window of its last `overlap_chunk_second` seconds. Undefined if the waveform has at most `max_audio_clip_s -
 * overlap_chunk_second` seconds; a longer one is a list of one chunk if it has at most `max_audio_clip_s`.
 * @type {(samples: Float32Array, settings: Settings) => Float32Array[] | undefined} */
function splitAtQuiet(samples, settings) {
  const { sampling_rate: rate, max_audio_clip_s: clip, overlap_chunk_second: overlap } = settings;
  // Python compares with the clip less the seconds that are searched, not with the clip.
  if (samples.length / rate <= Math.max(0, clip - overlap)) return undefined;
  const mostSamples = Math.max(1, roundEven(clip * rate));
  const searchedSamples = Math.max(1, roundEven(overlap * rate));
  const chunks = [];
  let begin = 0;
  while (begin + mostSamples < samples.length) {
    const cut = quietestCut(samples, begin, begin + mostSamples, searchedSamples, settings);
    // At least one sample, so that splitting ends.
    const end = Math.max(begin + 1, cut);
    chunks.push(samples.subarray(begin, end));
    begin = end;
  }
  chunks.push(samples.subarray(begin));
  return chunks;
}

/** Chooses the end of the chunk that begins at sample `begin`: where the quietest window of `min_energy_window_samples`
 * begins. Windows lie one behind the other in the last `searched` samples before `latestEnd`, which is inside the
 * samples; if none fits there, the end is the middle of these.
 * @type {(samples: Float32Array, begin: number, latestEnd: number, searched: number, settings: Settings) => number} */
function quietestCut(samples, begin, latestEnd, searched, { min_energy_window_samples: windowLength }) {
  const from = Math.max(begin, latestEnd - searched);
  let cut = Math.floor((from + latestEnd) / 2);
  let leastEnergy = Infinity;
  for (let start = from; start < latestEnd - windowLength; start += windowLength) {
    const energy = reduceNumbers(samples.subarray(start, start + windowLength), 'wideSquares');
    if (energy < leastEnergy) {
      cut = start;
      leastEnergy = energy;
    }
  }
  return cut;
}

/** Counts the frames that NemotronAsrStreaming makes of real samples: one for each whole hop if frames are centered,
 * and otherwise one for each frame that the samples fill.
 * @type {(realSamples: number, settings: Settings, isCentered: boolean) => number} */
function countRealFrames(realSamples, { n_fft: frameLength, hop_length: hop }, isCentered) {
  if (isCentered) return Math.floor(realSamples / hop);
  const filledFrames = Math.floor((realSamples - frameLength) / hop) + 1;
  return Math.max(0, filledFrames);
}

/** @type {Record<string, Partial<Row>>} */
export const nemo = {
  Parakeet: nemoRow,
  CohereAsr: {
    ...nemoRow,
    axes: { input_features: 1, attention_mask: 1, audio_chunk_index: 0 },
    defaults: {
      ...nemoRow.defaults,
      feature_size: 128,
      dither: 1e-5,
      max_audio_clip_s: 35,
      overlap_chunk_second: 5,
      min_energy_window_samples: 1600,
    },
    /** Adds noise as torch does: normal numbers, seeded with their count, times `dither`. */
    changeWave(samples, { dither }) {
      // Torch draws fewer numbers in another way; so few samples stay as they are here.
      const fewestDrawn = 16;
      if (!(dither > 0) || samples.length < fewestDrawn) return samples;
      const noisy = samples.slice();
      const seed = samples.length;
      addNormals(noisy, seed, dither);
      return noisy;
    },
    /** Splits long waveforms into chunks, and makes an item of the batch of each. `audio_chunk_index` has a pair for
     * each item: the index of its waveform, and the chunk's number in it, null of a waveform that is not long. */
    makeOutputs(call) {
      /** @type {[waveform: number, chunk: number | null][]} */
      const audio_chunk_index = [];
      const batch = [];
      for (const [waveIndex, samples] of monoOf(call.batch).entries()) {
        const split = splitAtQuiet(samples, call);
        const chunks = split ?? [samples];
        for (const [chunkIndex, chunk] of chunks.entries()) {
          batch.push({ channels: [chunk] });
          audio_chunk_index.push([waveIndex, split ? chunkIndex : null]);
        }
      }
      return { ...outputsOf(call, itemsOf({ ...call, batch })), audio_chunk_index };
    },
  },
  NemotronAsrStreaming: {
    ...nemoRow,
    defaults: { ...nemoRow.defaults, mel_filters_dtype: 'float32' },
    options: { ...padOptions, center: readBoolean, is_last_audio_chunk: readBoolean },
    /** Makes the features of one padded piece of a stream, with zeros in frames that reach into the padding. */
    makeItem(item, call) {
      const { prepared, options, n_fft: frameLength, hop_length: hop } = call;
      const isCentered = options.center ?? true;
      const isUncenteredEnd = options.is_last_audio_chunk && !isCentered;
      // As many zeros as the last centered frame would reach beyond the samples.
      const right = isUncenteredEnd ? Math.floor(frameLength / 2) - hop : 0;
      const samples = emphasizeSamples(item, call);
      const mels = featuresOf(prepared, samples, isCentered ? halfFramePadding(prepared, 'constant') : { right });
      const { data, frames, width } = mels;
      // torch refuses a piece without a frame.
      if (frames === 0) checkSamples(samples.length, frameLength);
      const realFrames = countRealFrames(item.realLength + right, call, isCentered);
      const count = Math.min(realFrames, frames);
      data.fill(0, count * width);
      return { ...mels, count };
    },
  },
};
