/** Whisper's features and those of its kin: log10 of mel energies, at most 8 below the maximum. */
import { rangeError } from '../../arguments/index.js';
import { reduceNumbers } from '../../audio-engine/index.js';
import { monoOf } from '../audio.js';
import { FrameStream, frameSteps, joinFrames } from '../frame-stream.js';
import { centered, checkSamples, featuresOf, raised, standardized, torchCentered, withColumns } from '../frames.js';
import {
  cutOf,
  everyHop,
  everyOf,
  firstsOf,
  maskOf,
  paddedLength,
  padItems,
  padOptions,
  readPadding,
  roundUp,
  surrounded,
} from '../padding.js';
import { asks, outputsOf, row } from '../rows.js';
import { batchOf, longs, stackOf } from '../tensors.js';

/** @import { Spectrum } from '../../audio-engine/types.js' */
/** @import { Features, Row, Settings, StreamCall, StreamSteps } from '../types.js' */

const mels = /** @type {const} */ ({
  high: 8000,
  slaneyNorm: true,
  melScale: 'slaney',
  floor: 1e-10,
  logarithm: 'log10',
});
/** NumPy's: bins rounded to complex64. */
const numpySpectrum = () => ({ ...mels, narrowBins: true });
/** torch's: a float32 window and bank, everything else in float64. */
const torchSpectrum = () =>
  /** @type {const} */ ({ ...mels, window: 'torchHann', narrowWindow: true, precision: 'float32' });

const defaults = {
  feature_size: 80,
  hop_length: 160,
  chunk_length: 30,
  n_fft: 400,
  dither: 0,
  return_attention_mask: false,
};
const many = { ...defaults, feature_size: 128 };

/** @type {(settings: Settings) => number} */
const chunkSamples = ({ chunk_length: seconds, sampling_rate: rate }) => seconds * rate;
/** @type {Row['padding']} */
const padding = (settings) => ({ padding: 'max_length', truncation: true, max_length: chunkSamples(settings) });

/** @type {(spectrum: Spectrum, samples: Float32Array) => Features} */
const whisperFeatures = (spectrum, samples) =>
  raised(featuresOf(spectrum, samples, { ...centered(spectrum), dropped: 1, byColumns: true }));

/** @type {typeof whisperFeatures} */
function torchFeatures(spectrum, samples) {
  torchCentered(spectrum, samples.length);
  return whisperFeatures(spectrum, samples);
}

export const Whisper = row({
  axes: { input_features: 2, attention_mask: 1 },
  defaults,
  options: [...padOptions, 'return_attention_mask', 'do_normalize'],
  spectrum: numpySpectrum,
  padding,
  isEven: true,
  item({ data, first, end }, { settings, prepared, options }) {
    const isPlain = !options.do_normalize;
    return whisperFeatures(prepared, isPlain ? data : standardized(data, end - first, settings.padding_value));
  },
  // An entry a frame if the call asks for that, otherwise an entry a sample.
  mask: (item, { settings, options }) => (options.return_attention_mask ? everyHop(item, settings) : maskOf(item)),
  asked: ({ settings, options: { return_attention_mask: asked, do_normalize: normalizes } }) =>
    asked || normalizes || ((asked ?? normalizes) === undefined && settings.return_attention_mask),
  stream: whisperStream,
});

/** A stream of Whisper's features: frames are kept, not samples, until the maximum is known.
 * @type {(call: StreamCall) => StreamSteps | undefined} */
function whisperStream(call) {
  const { settings, prepared, options } = call;
  const how = readPadding(settings, options, padding(settings, options));
  if (options.do_normalize || how.isLeft) return undefined;
  const frames = new FrameStream(prepared, centered(prepared));
  /** @type {any[]} */
  const blocks = [];
  const add = (/** @type {Float32Array} */ samples) => blocks.push(frames.push(samples));
  return {
    push: (samples) => void add(samples.subarray(0, Math.max(0, cutOf(how) - frames.received))),
    end() {
      const { received: end } = frames;
      const length = paddedLength(end, how);
      while (frames.received < length)
        add(new Float32Array(Math.min(2 ** 16, length - frames.received)).fill(how.value));
      const made = raised(joinFrames([...blocks, frames.end()], prepared.width, true, 1));
      const item = { data: made.data, width: 1, length, first: 0, end, given: end };
      return outputsOf({ ...Whisper, item: () => made }, call, [item]);
    },
  };
}

/** Pieces of a length; of audio without samples, as many as Python makes.
 * @type {(samples: Float32Array, length: number, least: number) => { data: Float32Array }[]} */
const piecesOf = (samples, length, least) =>
  Array.from({ length: Math.max(least, Math.ceil(samples.length / length)) }, (_, i) => ({
    data: samples.subarray(i * length, (i + 1) * length),
  }));

export const MossTranscribeDiarize = row({
  axes: { input_features: 2, input_features_mask: 1, padding_mask: 1 },
  defaults,
  options: ['pad_to_multiple_of'],
  spectrum: numpySpectrum,
  item: ({ data }, { prepared }) => whisperFeatures(prepared, data),
  mask: (item, { settings }) => everyHop(item, settings),
  asked: asks.always,
  make(call) {
    const { settings, options } = call;
    const waves = monoOf(call.batch);
    const how = readPadding(settings, options, padding(settings, options));
    const pieces = waves.flatMap((samples) => piecesOf(samples, chunkSamples(settings), 1));
    const lengths = waves.map(({ length }) => length);
    const longest = Math.max(...lengths);
    return {
      ...outputsOf(MossTranscribeDiarize, call, padItems(pieces, how)),
      padding_mask: batchOf(
        'int64',
        lengths.map((length) => firstsOf(length, longest)),
      ),
    };
  },
});

export const Qwen3ASR = row({
  axes: { input_features: 2, attention_mask: 1 },
  defaults: { ...many, return_attention_mask: true, n_window: 50, min_length: 8000 },
  options: [...padOptions, 'return_attention_mask', 'n_window'],
  spectrum: torchSpectrum,
  padding: (settings) => ({ padding: 'max_length', max_length: chunkSamples(settings) }),
  wave: (samples, { settings }) => surrounded(samples, 0, settings.min_length - samples.length),
  item({ data }, { settings, prepared, options }) {
    const made = torchFeatures(prepared, data);
    return withColumns(made, roundUp(made.frames, 2 * (options.n_window ?? settings.n_window)));
  },
  mask: (item, { settings: { hop_length: hop } }, { frames }) =>
    everyOf({ ...item, end: Math.min(item.end, item.length - (item.length % hop)) }, 0, hop, frames * hop),
  asked: asks.no,
});

export const Dots3Note = row({
  axes: { input_features: 2, chunk_sample_lengths: 0, num_audio_tokens: 0 },
  defaults: { ...many, chunk_length: 60, chunk_seconds: null },
  options: [],
  spectrum: torchSpectrum,
  make({ settings, prepared, batch }) {
    const limit = (settings.chunk_seconds ?? settings.chunk_length) * settings.sampling_rate;
    const pieces = monoOf(batch).map((samples) => piecesOf(samples, limit, 0));
    const tokensOf = (/** @type {{ data: Float32Array }} */ { data }) =>
      Math.ceil(data.length / (settings.hop_length * 8));
    const all = pieces.flat();
    if (all.length === 0) rangeError('audio must have at least 1 sample, got 0');
    const items = padItems(all, readPadding(settings, { padding: 'max_length', max_length: limit }));
    const kept = Math.max(...all.map(tokensOf)) * 8;
    const made = items.map(({ data }) => {
      const features = torchFeatures(prepared, data);
      return withColumns(features, Math.min(features.frames, kept));
    });
    return {
      input_features: stackOf('float32', made),
      chunk_sample_lengths: longs(all.map(({ data }) => data.length)),
      num_audio_tokens: longs(pieces.map((list) => list.reduce((sum, piece) => sum + tokensOf(piece), 0))),
    };
  },
});

export const VoxtralRealtime = row({
  axes: { input_features: 2, attention_mask: 1 },
  defaults: { feature_size: 128, hop_length: 160, n_fft: 400, win_length: 400, global_log_mel_max: 1.5 },
  nullable: ['global_log_mel_max'],
  options: [...padOptions, 'return_attention_mask', 'center'],
  spectrum: torchSpectrum,
  padding: () => ({ padding: 'longest' }),
  item({ data }, { prepared, options }) {
    if (options.center ?? true) torchCentered(prepared, data.length);
    else checkSamples(data.length, prepared.frameLength);
    const cut = (options.center ?? true) ? centered(prepared) : {};
    return featuresOf(prepared, data, { ...cut, dropped: 1, byColumns: true });
  },
  all(items, { settings }) {
    const top = settings.global_log_mel_max ?? Math.max(...items.map(({ data }) => reduceNumbers(data, 'maximum')));
    for (const item of items) raised(item, Math.fround(top));
  },
  mask: sampleMask,
  maskType: 'bool',
  asked: asks.no,
  stream({ settings, prepared, options }) {
    const top = settings.global_log_mel_max;
    // Without padding the last frame, which is dropped, is known only at the end.
    if (!(options.center ?? true) || top === null || !isUnpadded(settings, options)) return undefined;
    return frameSteps(
      prepared,
      { ...centered(prepared), byColumns: true, dropped: 1 },
      {
        change: (made) => raised(made, Math.fround(top)),
        mask: options.return_attention_mask && [settings.win_length, settings.hop_length],
      },
    );
  },
});

/** @type {Row['mask']} Every hop-th entry of a mask of samples, from the first frame's last sample on. */
export function sampleMask(item, { settings }) {
  return everyOf(item, settings.win_length - 1, settings.hop_length);
}

/** Whether a waveform stays as it is.
 * @type {(settings: Settings, options: import('../types.js').CallOptions) => boolean} */
export const isUnpadded = (settings, options) =>
  readPadding(settings, options, { padding: 'longest' }).strategy !== 'max_length' &&
  !options.truncation &&
  !options.pad_to_multiple_of;
