/** Kaldi's filter bank features: by NumPy (SeamlessM4T, Speech2Text, AST) and by torchaudio (FunASR and two codecs). */
import { rangeError } from '../../arguments/index.js';
import {
  banks,
  emphases,
  flipNumbers,
  logarithms,
  makeSpectrum,
  mapNumbers,
  maps,
  meanAndVariance,
  melScales,
  offsets,
  windows,
} from '../../audio-engine/index.js';
import { monoOf } from '../audio.js';
import { keptFrameSteps } from '../frame-stream.js';
import { featuresOf, standardizeRows } from '../frames.js';
import { everyOf, maskOf, padItems, padOptions, readPadding, roundUp, wantsMask } from '../padding.js';
import { batchOf, newFloats, stackOf } from '../tensors.js';
import { kaldiSpectrumOf } from '../kaldi-spectrum.js';

/** @import { Spectrum } from '../../audio-engine/index.js' */
/** @import { Features } from '../frames.js' */
/** @import { Item } from '../padding.js' */
/** @import { Call, Row, Settings } from '../row.js' */

/**
 * torchaudio.compliance.kaldi.fbank's, without dither and with its edges snipped.
 * @param {{ mels: number, rate: number, length: number, hop: number, window: number, scale?: number }} shape
 */
function torchSpectrumOf({ mels, rate, length, hop, window, scale }) {
  const fftLength = 2 ** Math.ceil(Math.log2(length));
  return makeSpectrum({
    frameLength: length,
    hop,
    fftLength,
    scale,
    offset: offsets.float32,
    emphasis: emphases.float32,
    coefficient: 0.97,
    window: { kind: window, length, periodic: false },
    narrowWindow: true,
    bank: {
      kind: banks.torchaudioKaldi,
      bins: fftLength / 2 + 1,
      filters: mels,
      low: 20,
      high: rate / 2,
      rate,
      scale: melScales.kaldi,
      narrow: true,
    },
    floor: 2 ** -23,
    logarithm: logarithms.natural,
  });
}

/**
 * [width, frames] as [frames, width].
 * @param {Features} features
 */
const flipped = ({ data, frames, width }) => ({
  data: flipNumbers(data, width, frames, newFloats('the features', data.length)),
  width,
});

/**
 * `stride` frames side by side in each row; frames that fill no row are left out.
 * @param {Item} item
 * @param {number} stride
 */
function stacked({ data, width, length }, stride) {
  const rows = Math.floor(length / stride);
  return { data: data.subarray(0, rows * stride * width), dims: [rows, stride * width] };
}

/**
 * Each mel less its mean over its deviation, NumPy's way.
 * @param {Features} features by columns
 */
function standardizeMels({ data, frames, width }) {
  for (let k = 0; k < width; k++) {
    const row = data.subarray(k * frames, (k + 1) * frames);
    const [mean, variance] = meanAndVariance(row, 'pairwise', 1);
    const deviation = Math.fround(Math.sqrt(Math.fround(variance + Math.fround(1e-7))));
    mapNumbers(row, maps.standardize, [mean, deviation]);
  }
}

/** @type {Row} */
export const SeamlessM4T = {
  axes: { input_features: 1, attention_mask: 1 },
  defaults: { feature_size: 80, sampling_rate: 16000, num_mel_bins: 80, stride: 2, return_attention_mask: true },
  options: [...padOptions, 'return_attention_mask', 'do_normalize_per_mel_bins'],
  prepare: (settings) => kaldiSpectrumOf(settings, windows.povey, 32768),
  make: (call) => seamless(call, featuresByColumns(call)),
  stream: (call) => keptFrameSteps(call.prepared, { byColumns: true }, (features) => seamless(call, [features])),
};

/**
 * Features by columns of a whole batch.
 * @param {Call} call
 */
const featuresByColumns = ({ prepared, batch }) =>
  monoOf(batch).map((samples) => featuresOf(prepared, samples, { byColumns: true }));

/**
 * @param {Omit<Call, 'batch'>} call
 * @param {readonly Features[]} batch by columns
 */
function seamless({ settings, options }, batch) {
  const made = batch.map((features) => {
    if (options.do_normalize_per_mel_bins ?? true) standardizeMels(features);
    return flipped(features);
  });
  const items = padItems(made, readPadding(settings, options, { padding: true, pad_to_multiple_of: 2 }));
  const { stride } = settings;
  const outputs = {
    input_features: stackOf(
      'float32',
      items.map((item) => stacked(item, stride)),
    ),
  };
  if (!wantsMask(settings, options)) return outputs;
  const whole = items[0].length - (items[0].length % stride);
  const masks = items.map((item) => everyOf(maskOf(item), 1, stride, stride > 1 ? whole : 0));
  return { ...outputs, attention_mask: stackOf('int32', masks) };
}

/**
 * Speech2Text's normalization of features by columns, as if padded behind. The mean and the deviation are those of the
 * first `count` frames.
 * @param {Features} features
 * @param {number} count
 * @param {Settings} settings
 * @param {'pairwise' | 'inOrder'} how
 */
function normalizeCepstra({ data, frames, width }, count, settings, how) {
  for (let k = 0; k < width; k++) {
    const row = data.subarray(k * frames, (k + 1) * frames);
    if (settings.normalize_means) mapNumbers(row, maps.standardize, [meanAndVariance(row.subarray(0, count), how)[0]]);
    if (settings.normalize_vars) {
      const [, variance] = meanAndVariance(row.subarray(0, count), how);
      mapNumbers(row, maps.standardize, [0, Math.fround(Math.sqrt(variance))]);
    }
    row.fill(settings.padding_value, count);
  }
}

/** @type {Row} */
export const Speech2Text = {
  axes: { input_features: 1, attention_mask: 1 },
  defaults: {
    feature_size: 80,
    sampling_rate: 16000,
    num_mel_bins: 80,
    dither: 0,
    do_ceptral_normalize: true,
    normalize_means: true,
    normalize_vars: true,
    return_attention_mask: true,
  },
  options: [...padOptions, 'return_attention_mask'],
  prepare: (settings) => kaldiSpectrumOf(settings, windows.povey, 32768),
  make(call) {
    const { prepared, batch } = call;
    return speech2Text(
      call,
      monoOf(batch).map((samples) => featuresOf(prepared, samples)),
    );
  },
  stream: (call) => keptFrameSteps(call.prepared, {}, (features) => speech2Text(call, [features])),
};

/**
 * @param {Omit<Call, 'batch'>} call
 * @param {readonly Features[]} batch
 */
function speech2Text({ settings, options }, batch) {
  const padding = readPadding(settings, options);
  const items = padItems(batch, padding);
  // The file's return_attention_mask has no effect in Python.
  const mask = options.return_attention_mask ?? true;
  const isEven = items.every(({ length }) => length === items[0].length);
  const rows = items.map(({ data, width, length: frames, first, end }) => {
    if (!settings.do_ceptral_normalize) return { data, dims: [frames, width] };
    const count = padding.strategy !== 'do_not_pad' && mask ? end - first : frames;
    const columns = { data: flipNumbers(data, frames, width, newFloats('the features', data.length)), frames, width };
    // Arrays of one length are summed row after row; arrays of unequal lengths stay columns in NumPy's memory.
    normalizeCepstra(columns, count, settings, isEven ? 'inOrder' : 'pairwise');
    return { data: flipped(columns).data, dims: [frames, width] };
  });
  const outputs = { input_features: batchOf('float32', rows) };
  return mask ? { ...outputs, attention_mask: batchOf('int32', items.map(maskOf)) } : outputs;
}

/** @type {Row} */
export const AST = {
  axes: { input_values: 1 },
  defaults: {
    feature_size: 1,
    sampling_rate: 16000,
    num_mel_bins: 128,
    max_length: 1024,
    do_normalize: true,
    mean: -4.2677393,
    std: 4.5689974,
    return_attention_mask: false,
  },
  options: [],
  prepare: (settings) => kaldiSpectrumOf(settings, windows.hann, 1),
  make({ settings, prepared, batch }) {
    const made = monoOf(batch).map((samples) => featuresOf(prepared, samples));
    return {
      input_values: stackOf(
        'float32',
        made.map((features) => astItem(settings, features)),
      ),
    };
  },
  stream: ({ settings, prepared }) =>
    keptFrameSteps(prepared, {}, (features) => ({ input_values: stackOf('float32', [astItem(settings, features)]) })),
};

/**
 * @param {Settings} settings
 * @param {Features} features
 */
function astItem({ max_length: limit, mean, std, do_normalize: normalizes }, { data, width }) {
  const rows = newFloats('the features', limit * width);
  rows.set(data.subarray(0, rows.length));
  if (normalizes) mapNumbers(rows, maps.standardize, [Math.fround(mean), Math.fround(std * 2)]);
  return { data: rows, dims: [limit, width] };
}

/**
 * `size` frames side by side around every `stride`-th frame. Edges are repeated.
 * @param {Features} features
 * @param {number} size
 * @param {number} stride
 */
function lowFrameRate({ data, frames, width }, size, stride) {
  const rows = Math.ceil(frames / stride);
  const wide = newFloats('the features', rows * size * width);
  for (let r = 0; r < rows; r++) {
    for (let j = 0; j < size; j++) {
      const at = Math.min(Math.max(r * stride + j - Math.floor((size - 1) / 2), 0), frames - 1);
      wide.set(data.subarray(at * width, (at + 1) * width), (r * size + j) * width);
    }
  }
  return { data: wide, width: size * width };
}

/** @type {Record<string, number>} */
const torchWindows = { hamming: windows.torchHamming, hanning: windows.torchHann, povey: windows.torchPovey };

/** @type {Row} */
export const FunAsrNano = {
  axes: { input_features: 1, input_features_mask: 1 },
  defaults: {
    feature_size: 80,
    sampling_rate: 16000,
    frame_length: 25,
    frame_shift: 10,
    num_frames_lfr: 7,
    stride_lfr: 6,
    window: 'hamming',
    return_attention_mask: true,
  },
  options: [...padOptions, 'return_attention_mask'],
  prepare: ({ feature_size: mels, sampling_rate: rate, frame_length: length, frame_shift: shift, window }) =>
    torchSpectrumOf({
      mels,
      rate,
      length: Math.floor(rate * length * 0.001),
      hop: Math.floor(rate * shift * 0.001),
      window: torchWindows[window] ?? rangeError(`window must be 'hamming', 'hanning' or 'povey', got '${window}'`),
    }),
  make({ settings, prepared, batch, options }) {
    const made = monoOf(batch).map((samples) => {
      checkFrame(prepared, samples.length);
      return lowFrameRate(featuresOf(prepared, samples), settings.num_frames_lfr, settings.stride_lfr);
    });
    const items = padItems(made, readPadding(settings, options, { padding: true }));
    const rows = items.map(({ data, width, length }) => ({ data, dims: [length, width] }));
    const outputs = { input_features: stackOf('float32', rows) };
    return wantsMask(settings, options)
      ? { ...outputs, input_features_mask: stackOf('int32', items.map(maskOf)) }
      : outputs;
  },
};

/**
 * torchaudio refuses audio shorter than a frame.
 * @param {Spectrum} spectrum
 * @param {number} length
 */
function checkFrame({ frameLength }, length) {
  if (length < frameLength) rangeError(`audio must have at least ${frameLength} samples, got ${length}`);
}

/**
 * A codec's waveform beside Kaldi features of it.
 * @param {(samples: Float32Array, item: Item, hop: number) => [samples: Float32Array, side: number]} waveform what the
 *   features are of, and how much silence goes around it
 * @returns {Row}
 */
const codecWithFeatures = (waveform) => ({
  axes: { input_values: 2, padding_mask: 1, input_features: 1, input_features_mask: 1 },
  defaults: {
    feature_size: 80,
    sampling_rate: 16000,
    padding_value: 1,
    hop_length: 320,
    return_attention_mask: true,
  },
  options: ['padding', 'max_length', 'truncation'],
  prepare: () =>
    torchSpectrumOf({ mels: 80, rate: 16000, length: 400, hop: 160, window: windows.torchPovey, scale: 32768 }),
  make({ settings, prepared, batch, options }) {
    const { hop_length: hop } = settings;
    const waves = monoOf(batch).map((samples) => ({ data: withSilence(samples, 0, 1) }));
    const how = { ...options, padding: options.padding ?? true };
    const right = { ...settings, padding_side: 'right' };
    const items = padItems(waves, readPadding({ ...right, padding_value: 0 }, { ...how, pad_to_multiple_of: hop }));
    const made = items.map((item, i) => codecFeatures(prepared, waveform(waves[i].data, item, hop)));
    const rows = padItems(made, readPadding(right, { ...how, pad_to_multiple_of: 2 }));
    return {
      input_values: stackOf(
        'float32',
        items.map(({ data, length }) => ({ data, dims: [1, length] })),
      ),
      padding_mask: stackOf('int32', items.map(maskOf)),
      input_features: stackOf(
        'float32',
        rows.map((item) => stacked(item, 2)),
      ),
      input_features_mask: stackOf('int32', rows.map(pairMask)),
    };
  },
});

/**
 * Kaldi features of a codec's waveform, normalized by mel.
 * @param {Spectrum} spectrum
 * @param {[samples: Float32Array, side: number]} waveform
 */
function codecFeatures(spectrum, [samples, side]) {
  const padded = withSilence(samples, side, side);
  checkFrame(spectrum, padded.length);
  const features = featuresOf(spectrum, padded, { byColumns: true });
  standardizeRows(features, features.frames, (variance) => Math.sqrt(variance + 1e-7));
  return flipped(features);
}

/**
 * A mask of pairs of rows: 1 where both are real.
 * @param {Item} item
 */
function pairMask(item) {
  const { data } = maskOf(item);
  const count = Math.floor(item.length / 2);
  return { data: Int32Array.from({ length: count }, (_, j) => data[2 * j] & data[2 * j + 1]), dims: [count] };
}

/**
 * @param {Float32Array} samples
 * @param {number} left
 * @param {number} right
 */
function withSilence(samples, left, right) {
  if (left + right === 0) return samples;
  const padded = newFloats('padded audio', left + samples.length + right);
  padded.set(samples, left);
  return padded;
}

export const NeuCodec = codecWithFeatures((samples, _, hop) => [
  withSilence(samples, 0, roundUp(samples.length, hop) - samples.length),
  0,
]);

export const Xcodec2 = codecWithFeatures((_, { data, first, end }, hop) => [
  data.subarray(0, roundUp(end - first, hop)),
  Math.floor(hop / 2),
]);
