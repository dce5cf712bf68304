/** Whisper's features and those of its kin: log10 of mel energies, at most 8 below the maximum. */
import { rangeError } from '../../arguments/index.js';
import {
  banks,
  logarithms,
  makeSpectrum,
  melScales,
  precisions,
  reduceNumbers,
  windows,
} from '../../audio-engine/index.js';
import { monoOf } from '../audio.js';
import { FrameStream, frameSteps, joinColumns } from '../frame-stream.js';
import { centered, featuresOf, raiseToTop, standardized, torchCentered } from '../frames.js';
import {
  asBool,
  everyHop,
  everyOf,
  maskOf,
  padItems,
  padOptions,
  paddedLength,
  readPadding,
  roundUp,
} from '../padding.js';
import { batchOf, checkEven, newFloats, stackOf, tensor } from '../tensors.js';

/** @import { Spectrum } from '../../audio-engine/index.js' */
/** @import { Item } from '../padding.js' */
/** @import { Call, CallOptions, Row, Settings, StreamSteps } from '../row.js' */

/** @type {(settings: Settings, precision?: number) => import('../../audio-engine/index.js').BankSettings} */
const slaneyBank = ({ n_fft: length, feature_size: filters, sampling_rate: rate }, precision) => ({
  kind: banks.audioUtils,
  bins: 1 + Math.floor(length / 2),
  filters,
  low: 0,
  high: 8000,
  rate,
  slaneyNorm: true,
  scale: melScales.slaney,
  precision,
});

/**
 * NumPy's: bins rounded to complex64.
 * @param {Settings} settings
 */
const spectrumOf = (settings) =>
  makeSpectrum({
    frameLength: settings.n_fft,
    hop: settings.hop_length,
    window: { kind: windows.hann, length: settings.n_fft },
    bank: slaneyBank(settings),
    narrowBins: true,
    floor: 1e-10,
    logarithm: logarithms.decimal,
  });

/**
 * torch's: a float32 window, everything else in float64.
 * @param {Settings} settings
 */
const torchSpectrumOf = (settings) =>
  makeSpectrum({
    frameLength: settings.n_fft,
    hop: settings.hop_length,
    window: { kind: windows.torchHann, length: settings.n_fft },
    narrowWindow: true,
    bank: slaneyBank(settings, precisions.float32),
    floor: 1e-10,
    logarithm: logarithms.decimal,
  });

/**
 * Log-mel features before their maximum is known: [mels, frames], without the last frame.
 * @param {Spectrum} spectrum
 * @param {Float32Array} samples
 */
const logMels = (spectrum, samples) =>
  featuresOf(spectrum, samples, { ...centered(spectrum), dropped: 1, byColumns: true });

/**
 * @param {Spectrum} spectrum
 * @param {Float32Array} samples
 */
function features(spectrum, samples) {
  const { data, frames, width } = logMels(spectrum, samples);
  raiseToTop(data);
  return { data, dims: [width, frames] };
}

/**
 * @param {Spectrum} spectrum
 * @param {Float32Array} samples
 */
function torchFeatures(spectrum, samples) {
  torchCentered(spectrum, samples.length);
  return features(spectrum, samples);
}

/** @type {(settings: Settings) => number} */
const chunkSamples = ({ chunk_length: seconds, sampling_rate: rate }) => seconds * rate;

const defaults = {
  feature_size: 80,
  sampling_rate: 16000,
  hop_length: 160,
  chunk_length: 30,
  n_fft: 400,
  dither: 0,
  return_attention_mask: false,
};

/**
 * The mask beside Whisper's features: an entry a frame if the call asks for that, otherwise an entry a sample.
 * @param {Settings} settings
 * @param {CallOptions} options
 * @param {Item[]} items
 */
function whisperMask(settings, { return_attention_mask: asked, do_normalize: normalizes }, items) {
  const masks = () => items.map(maskOf);
  if (asked)
    return {
      attention_mask: stackOf(
        'int32',
        masks().map((mask) => everyHop(mask, settings.hop_length)),
      ),
    };
  const isConfigured = asked === undefined && settings.return_attention_mask && normalizes === undefined;
  return isConfigured || normalizes ? { attention_mask: stackOf('int32', masks()) } : {};
}

/** @type {Row} */
export const Whisper = {
  axes: { input_features: 2, attention_mask: 1 },
  defaults,
  options: [...padOptions, 'return_attention_mask', 'do_normalize'],
  prepare: spectrumOf,
  stream: whisperStream,
  make({ settings, prepared, batch, options }) {
    const limit = options.max_length || chunkSamples(settings);
    const padding = readPadding(
      settings,
      { ...options, max_length: limit },
      { padding: 'max_length', truncation: true },
    );
    const items = padItems(
      monoOf(batch).map((data) => ({ data })),
      padding,
    );
    checkEven(items.map(({ length }) => length));
    const waves = options.do_normalize
      ? items.map(({ data, first, end }) => standardized(data, end - first, settings.padding_value))
      : items.map(({ data }) => data);
    return {
      input_features: stackOf(
        'float32',
        waves.map((samples) => features(prepared, samples)),
      ),
      ...whisperMask(settings, options, items),
    };
  },
};

/**
 * A stream of Whisper's features: frames are kept, not samples, until the maximum is known.
 * @param {Omit<Call, 'batch'>} call
 * @returns {StreamSteps | undefined}
 */
function whisperStream({ settings, prepared, options }) {
  const limit = options.max_length || chunkSamples(settings);
  const padding = readPadding(settings, { ...options, max_length: limit }, { padding: 'max_length', truncation: true });
  if (options.do_normalize || padding.isLeft) return undefined;
  const frames = new FrameStream(prepared, centered(prepared));
  const cut = padding.truncation ? roundUp(limit, padding.multiple) : Infinity;
  /** @type {{ data: Float32Array, frames: number }[]} */
  const blocks = [];
  const add = (/** @type {Float32Array} */ samples) => blocks.push(frames.push(samples));
  return {
    push: (samples) => void add(samples.subarray(0, Math.max(0, cut - frames.received))),
    end() {
      const { received: real } = frames;
      const length = paddedLength(real, padding);
      while (frames.received < length)
        add(new Float32Array(Math.min(2 ** 16, length - frames.received)).fill(padding.value));
      blocks.push(frames.end());
      const { data, frames: count, width } = joinColumns(blocks, prepared.width, 1);
      raiseToTop(data);
      const item = { data, width: 1, length, first: 0, end: real };
      const input_features = stackOf('float32', [{ data, dims: [width, count] }]);
      return { input_features, ...whisperMask(settings, options, [item]) };
    },
  };
}

/** @type {Row} */
export const MossTranscribeDiarize = {
  axes: { input_features: 2, input_features_mask: 1, padding_mask: 1 },
  defaults,
  options: ['pad_to_multiple_of'],
  prepare: spectrumOf,
  make({ settings, prepared, batch, options }) {
    const waves = monoOf(batch);
    const limit = chunkSamples(settings);
    const { pad_to_multiple_of } = options;
    const padding = readPadding(settings, {
      padding: 'max_length',
      max_length: limit,
      truncation: true,
      pad_to_multiple_of,
    });
    const items = padItems(
      waves.flatMap((samples) => piecesOf(samples, limit, 1)).map((data) => ({ data })),
      padding,
    );
    const longest = Math.max(...waves.map(({ length }) => length));
    const masks = waves.map(({ length }) => ({
      data: new BigInt64Array(longest).fill(1n, 0, length),
      dims: [longest],
    }));
    return {
      input_features: stackOf(
        'float32',
        items.map(({ data }) => features(prepared, data)),
      ),
      input_features_mask: stackOf(
        'int32',
        items.map((item) => everyHop(maskOf(item), settings.hop_length)),
      ),
      padding_mask: batchOf('int64', masks),
    };
  },
};

/**
 * Pieces of a length; of audio without samples, as many as Python makes.
 * @param {Float32Array} samples
 * @param {number} length
 * @param {number} least
 */
const piecesOf = (samples, length, least) =>
  Array.from({ length: Math.max(least, Math.ceil(samples.length / length)) }, (_, i) =>
    samples.subarray(i * length, (i + 1) * length),
  );

/** @type {Row} */
export const Qwen3ASR = {
  axes: { input_features: 2, attention_mask: 1 },
  defaults: { ...defaults, feature_size: 128, return_attention_mask: true, n_window: 50, min_length: 8000 },
  options: [...padOptions, 'return_attention_mask', 'n_window'],
  prepare: torchSpectrumOf,
  make({ settings, prepared, batch, options }) {
    const waves = monoOf(batch).map((samples) => ({ data: atLeast(samples, settings.min_length) }));
    const limit = options.max_length || chunkSamples(settings);
    const items = padItems(waves, readPadding(settings, { ...options, max_length: limit }, { padding: 'max_length' }));
    const multiple = 2 * (options.n_window ?? settings.n_window);
    const made = items.map(({ data }) => {
      const { data: mels, dims } = torchFeatures(prepared, data);
      return widened(mels, dims[0], dims[1], roundUp(dims[1], multiple > 1 ? multiple : 1));
    });
    const outputs = { input_features: stackOf('float32', made) };
    if (!options.return_attention_mask) return outputs;
    const masks = items.map((item) => {
      const { data } = everyHop(maskOf(item), settings.hop_length);
      const [, frames] = made[0].dims;
      const wide = new Int32Array(frames);
      wide.set(data.subarray(0, frames));
      return { data: wide, dims: [frames] };
    });
    return { ...outputs, attention_mask: stackOf('int32', masks) };
  },
};

/**
 * @param {Float32Array} samples
 * @param {number} length
 * @returns {Float32Array} with zeros behind
 */
function atLeast(samples, length) {
  if (samples.length >= length) return samples;
  const padded = newFloats('padded audio', length);
  padded.set(samples);
  return padded;
}

/**
 * Rows of a matrix with zeros behind each.
 * @param {Float32Array} data
 * @param {number} rows
 * @param {number} columns
 * @param {number} width
 */
function widened(data, rows, columns, width) {
  if (width === columns) return { data, dims: [rows, columns] };
  const wide = newFloats('the features', rows * width);
  for (let r = 0; r < rows; r++) wide.set(data.subarray(r * columns, (r + 1) * columns), r * width);
  return { data: wide, dims: [rows, width] };
}

/** @type {Row} */
export const Dots3Note = {
  axes: { input_features: 2, chunk_sample_lengths: 0, num_audio_tokens: 0 },
  defaults: { ...defaults, feature_size: 128, chunk_length: 60, chunk_seconds: null },
  options: [],
  prepare: torchSpectrumOf,
  make({ settings, prepared, batch }) {
    const waves = monoOf(batch);
    const limit = (settings.chunk_seconds ?? settings.chunk_length) * settings.sampling_rate;
    const pieces = waves.map((samples) => piecesOf(samples, limit, 0));
    const tokensOf = (/** @type {Float32Array} */ { length }) => Math.ceil(length / (settings.hop_length * 8));
    const all = pieces.flat();
    if (all.length === 0) rangeError('audio must have at least 1 sample, got 0');
    const items = padItems(
      all.map((data) => ({ data })),
      readPadding(settings, { padding: 'max_length', max_length: limit }),
    );
    const kept = Math.max(...all.map(tokensOf)) * 8;
    const made = items.map(({ data }) => {
      const { data: mels, dims } = torchFeatures(prepared, data);
      const [rows, columns] = dims;
      const width = Math.min(columns, kept);
      const narrow = newFloats('the features', rows * width);
      for (let r = 0; r < rows; r++) narrow.set(mels.subarray(r * columns, r * columns + width), r * width);
      return { data: narrow, dims: [rows, width] };
    });
    const sums = pieces.map((list) => list.reduce((sum, piece) => sum + tokensOf(piece), 0));
    return {
      input_features: stackOf('float32', made),
      chunk_sample_lengths: tensor(
        'int64',
        BigInt64Array.from(all, ({ length }) => BigInt(length)),
        [all.length],
      ),
      num_audio_tokens: tensor('int64', BigInt64Array.from(sums, BigInt), [sums.length]),
    };
  },
};

/** @type {Row} */
export const VoxtralRealtime = {
  axes: { input_features: 2, attention_mask: 1 },
  defaults: {
    feature_size: 128,
    sampling_rate: 16000,
    hop_length: 160,
    n_fft: 400,
    win_length: 400,
    global_log_mel_max: 1.5,
  },
  nullable: ['global_log_mel_max'],
  options: [...padOptions, 'return_attention_mask', 'center'],
  prepare: torchSpectrumOf,
  make({ settings, prepared, batch, options }) {
    const items = padItems(
      monoOf(batch).map((data) => ({ data })),
      readPadding(settings, options, { padding: 'longest' }),
    );
    const center = options.center ?? true;
    const made = items.map(({ data }) => {
      const cut = center ? torchCentered(prepared, data.length) : {};
      if (!center && data.length < settings.n_fft)
        rangeError(`audio must have at least ${settings.n_fft} samples, got ${data.length}`);
      return featuresOf(prepared, data, { ...cut, dropped: 1, byColumns: true });
    });
    const top = settings.global_log_mel_max ?? Math.max(...made.map(({ data }) => reduceNumbers(data, 'maximum')));
    for (const { data } of made) raiseToTop(data, Math.fround(top));
    const outputs = {
      input_features: stackOf(
        'float32',
        made.map(({ data, width, frames }) => ({ data, dims: [width, frames] })),
      ),
    };
    if (!options.return_attention_mask) return outputs;
    const masks = items.map((item) => asBool(everyOf(maskOf(item), settings.win_length - 1, settings.hop_length)));
    return { ...outputs, attention_mask: stackOf('bool', masks) };
  },
  stream: ({ settings, prepared, options }) => {
    const { global_log_mel_max: top } = settings;
    const center = options.center ?? true;
    const isPlain = readPadding(settings, options, { padding: 'longest' }).strategy !== 'max_length';
    // Without padding the last frame, which is dropped, is known only at the end.
    if (!center || top === null || !isPlain || options.truncation || options.pad_to_multiple_of) return undefined;
    return frameSteps(prepared, centered(prepared), {
      byColumns: true,
      dropped: 1,
      change: (data) => data.length > 0 && raiseToTop(data, Math.fround(top)),
      mask: options.return_attention_mask && [settings.win_length, settings.hop_length],
    });
  },
};
