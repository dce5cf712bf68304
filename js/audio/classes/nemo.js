/** NeMo's mel extractors, which torch computes in float32. Here they are float64 with one rounding at the end. */
import { readBoolean, readWord } from '../../arguments/index.js';
import { addNormals, emphasizeNumbers, precisions, reduceNumbers } from '../../engines/audio/index.js';
import { monoOf } from '../audio.js';
import { centered, checkSamples, featuresOf, flipped, standardizeWide } from '../frames.js';
import { longest, ownData, padOptions, roundEven } from '../padding.js';
import { returnsMask, itemsOf, outputsOf } from '../rows.js';

/** @import { PaddedItem, Row, Settings } from '../types.js' */

/** The samples of an item with pre-emphasis, and zeros behind the real ones; as they are if `preemphasis` is null.
 * @type {(item: PaddedItem, settings: Settings) => Float32Array} */
function emphasized(item, settings) {
  if (settings.preemphasis === null) return item.data;
  const data = ownData(item);
  emphasizeNumbers(data, Math.fround(settings.preemphasis));
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
  spectrum: ({ win_length, mel_filters_dtype: precision = 'float32' }) => ({
    window: 'torchHann',
    windowLength: win_length,
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
  item(item, call) {
    const { prepared } = call;
    const mels = featuresOf(prepared, emphasized(item, call), {
      ...centered(prepared, 'constant'),
      byColumns: true,
    });
    // The samples that truncation cuts off count too: Python divides by the frames of all.
    const count = Math.floor(item.realLength / call.hop_length);
    const rows = flipped(standardizeWide(mels, count, (variance) => Math.sqrt(variance) + 1e-5));
    // The deviation of fewer than two frames is NaN, and stays NaN where Python multiplies it by 0.
    rows.data.fill(count > 1 ? 0 : NaN, count * rows.width);
    return { ...rows, count };
  },
  maskType: 'bool',
  asked: returnsMask.always,
};

/** Splits a waveform into chunks as CohereASR does, each at the quietest window of its last seconds; undefined if the
 * waveform is short enough for one.
 * @type {(samples: Float32Array, settings: Settings) => Float32Array[] | undefined} */
function splitAtQuiet(samples, settings) {
  const { sampling_rate: rate, max_audio_clip_s: clip, overlap_chunk_second: overlap } = settings;
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

/** The end of the chunk from `at` on: the start of the quietest window in the last `back` of its at most `size`
 * samples, or their middle if no window fits.
 * @type {(samples: Float32Array, at: number, size: number, back: number, settings: Settings) => number} */
function quietestCut(samples, at, size, back, { min_energy_window_samples: quiet }) {
  const from = Math.max(at, at + size - back);
  const to = Math.min(at + size, samples.length);
  let cut = to <= from ? at + size : Math.floor((from + to) / 2);
  let least = Infinity;
  for (let start = from; start < to - quiet; start += quiet) {
    const energy = reduceNumbers(samples.subarray(start, start + quiet), 'wideSquares');
    if (energy < least) [cut, least] = [start, energy];
  }
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
    wave(samples, { dither }) {
      if (!(dither > 0) || samples.length < 16) return samples;
      const noisy = samples.slice();
      addNormals(noisy, noisy.length, dither);
      return noisy;
    },
    makeOutputs(call) {
      // Each chunk is an item; the index tells its waveform, and its place there if the waveform was split.
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
    item(item, call) {
      const { prepared, options, n_fft: length, hop_length: hop } = call;
      const center = options.center ?? true;
      // Zeros behind the last chunk of a stream that is not centered.
      const right = options.is_last_audio_chunk && !center ? Math.floor(length / 2) - hop : 0;
      const samples = emphasized(item, call);
      const mels = featuresOf(prepared, samples, center ? centered(prepared, 'constant') : { right });
      const { data, frames, width } = mels;
      if (frames === 0) checkSamples(samples.length, length);
      const real = item.realLength + right;
      const all = center ? Math.floor(real / hop) : Math.floor((real - length) / hop) + 1;
      const count = Math.min(Math.max(all, 0), frames);
      data.fill(0, count * width);
      return { ...mels, count };
    },
  },
};
