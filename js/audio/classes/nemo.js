/** NeMo's mel extractors, which torch computes in float32. Here they are float64 with one rounding at the end. */
import { readBoolean, readWord } from '../../arguments/index.js';
import { addNormals, emphasizeNumbers, precisions, reduceNumbers } from '../../engines/audio/index.js';
import { monoOf } from '../audio.js';
import { centered, checkSamples, featuresOf, flipped, standardizeWide } from '../frames.js';
import { longest, ownData, padOptions, roundEven } from '../padding.js';
import { returnsMask, itemsOf, outputsOf } from '../rows.js';

/** @import { PaddedItem, Row, Settings } from '../types.js' */

/** Makes the samples of a padded waveform with pre-emphasis, x[i] - preemphasis * x[i - 1], and zeros in the padding.
 * The first sample stays. Gives all unchanged if `preemphasis` is null.
 * @type {(item: PaddedItem, settings: Settings) => Float32Array} */
function emphasized(item, settings) {
  if (settings.preemphasis === null) return item.data;
  const data = ownData(item);
  emphasizeNumbers(data, Math.fround(settings.preemphasis));
  // Truncation may have cut the real samples, too.
  return data.fill(0, Math.min(item.realLength, data.length));
}

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
  /** Gives the settings of NeMo's spectrogram. `mel_filters_dtype`: the type that window and filters are rounded to,
   * float32, float16 or bfloat16. */
  spectrum: ({ win_length, mel_filters_dtype: precision = 'float32' }) => ({
    window: 'torchHann',
    windowLength: win_length,
    // The first precision is float64, which NeMo does not have.
    windowPrecision: readWord('mel_filters_dtype', precisions.slice(1), precision),
    periodic: false,
    narrowWindow: true,
    slaneyNorm: true,
    melScale: 'slaney',
    narrowBank: true,
    precision,
    addsFloor: true,
    floor: 2 ** -24,
  }),
  padding: longest,
  /** Makes the features [frames, mels] of a padded waveform: each mel is normalized by the mean and the deviation of
   * its `count` real frames, and padding becomes 0. */
  item(item, call) {
    const { prepared } = call;
    const mels = featuresOf(prepared, emphasized(item, call), {
      ...centered(prepared, 'constant'),
      byColumns: true,
    });
    // Real frames: a whole hop of real samples each. Python counts the samples that truncation cuts off, too, so that
    // `count` can be above the number of frames.
    const count = Math.floor(item.realLength / call.hop_length);
    const rows = flipped(standardizeWide(mels, count, (variance) => Math.sqrt(variance) + 1e-5));
    // The deviation of fewer than two frames is NaN, and stays NaN where Python multiplies it by 0.
    rows.data.fill(count > 1 ? 0 : NaN, count * rows.width);
    return { ...rows, count };
  },
  maskType: 'bool',
  asked: returnsMask.always,
};

/** Splits a waveform into chunks of at most `max_audio_clip_s` seconds as CohereASR does. Each but the last ends at the
 * quietest window of its last `overlap_chunk_second` seconds. Undefined if the waveform has at most `max_audio_clip_s -
 * overlap_chunk_second` seconds; a longer one is a list of one chunk if it has at most `max_audio_clip_s`.
 * @type {(samples: Float32Array, settings: Settings) => Float32Array[] | undefined} */
function splitAtQuiet(samples, settings) {
  const { sampling_rate: rate, max_audio_clip_s: clip, overlap_chunk_second: overlap } = settings;
  // Python compares with the clip less the seconds that are searched, not with the clip.
  if (samples.length / rate <= Math.max(0, clip - overlap)) return undefined;
  const size = Math.max(1, roundEven(clip * rate));
  const back = Math.max(1, roundEven(overlap * rate));
  const chunks = [];
  for (let at = 0; at < samples.length;) {
    const end = at + size >= samples.length ? samples.length : quietestCut(samples, at, size, back, settings);
    chunks.push(samples.subarray(at, end));
    at = end;
  }
  return chunks;
}

/** Chooses the end of the chunk that begins at sample `at`: where the quietest window of `min_energy_window_samples`
 * begins. Windows lie one behind the other in the last `back` of the chunk's at most `size` samples; if none fits
 * there, the end is the middle of these.
 * @type {(samples: Float32Array, at: number, size: number, back: number, settings: Settings) => number} */
function quietestCut(samples, at, size, back, { min_energy_window_samples: quiet }) {
  const from = Math.max(at, at + size - back);
  const to = Math.min(at + size, samples.length);
  // Nothing to search: the chunk has its full size.
  let cut = to <= from ? at + size : Math.floor((from + to) / 2);
  let least = Infinity;
  for (let start = from; start < to - quiet; start += quiet) {
    const energy = reduceNumbers(samples.subarray(start, start + quiet), 'wideSquares');
    if (energy < least) [cut, least] = [start, energy];
  }
  // At least one sample, so that splitting ends.
  return Math.max(at + 1, Math.min(cut, samples.length));
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
    /** Adds noise to a copy of the samples as torch does: normal numbers, seeded with their count, times `dither`.
     * Torch draws fewer than 16 numbers in another way; so few samples stay as they are. */
    wave(samples, { dither }) {
      if (!(dither > 0) || samples.length < 16) return samples;
      const noisy = samples.slice();
      addNormals(noisy, noisy.length, dither);
      return noisy;
    },
    /** Splits long waveforms, and makes an item of the batch of each chunk. `audio_chunk_index` has a pair for each
     * item: the index of its waveform, and the chunk's number in it from 0 on, also where it is the only one. The
     * number is null for a waveform that {@link splitAtQuiet} leaves whole. */
    makeOutputs(call) {
      /** @type {[item: number, chunk: number | null][]} */
      const audio_chunk_index = [];
      const batch = monoOf(call.batch).flatMap((samples, i) => {
        const split = splitAtQuiet(samples, call);
        return (split ?? [samples]).map((chunk, k) => {
          audio_chunk_index.push([i, split ? k : null]);
          return { channels: [chunk] };
        });
      });
      return { ...outputsOf(call, itemsOf({ ...call, batch })), audio_chunk_index };
    },
  },
  NemotronAsrStreaming: {
    ...nemoRow,
    defaults: { ...nemoRow.defaults, mel_filters_dtype: 'float32' },
    options: { ...padOptions, center: readBoolean, is_last_audio_chunk: readBoolean },
    /** Makes the features [frames, mels] of one padded piece of a stream, with zeros in frames that reach into the
     * padding. `count`: the real frames. The option `center` pads half a frame of zeros on both sides. */
    item(item, call) {
      const { prepared, options, n_fft: length, hop_length: hop } = call;
      const center = options.center ?? true;
      // The last piece gets as many zeros behind it as its last centered frame would reach beyond the samples.
      const right = options.is_last_audio_chunk && !center ? Math.floor(length / 2) - hop : 0;
      const samples = emphasized(item, call);
      const mels = featuresOf(prepared, samples, center ? centered(prepared, 'constant') : { right });
      const { data, frames, width } = mels;
      // torch refuses a piece without a frame.
      if (frames === 0) checkSamples(samples.length, length);
      const real = item.realLength + right;
      // Real frames: one a hop if centered, otherwise those whose samples are all real.
      const all = center ? Math.floor(real / hop) : Math.floor((real - length) / hop) + 1;
      const count = Math.min(Math.max(all, 0), frames);
      data.fill(0, count * width);
      return { ...mels, count };
    },
  },
};
