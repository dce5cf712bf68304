/** Gemma's features: magnitudes of frames in float32 steps, as NumPy has them on CPUs with fused multiply-add. */
import {
  banks,
  emphases,
  energies,
  logarithms,
  makeSpectrum,
  mapNumbers,
  maps,
  precisions,
  windows,
} from '../../audio-engine/index.js';
import { monoOf } from '../audio.js';
import { asBool, everyOf, maskOf, padItems, padOptions, paddedLength, readPadding, roundUp } from '../padding.js';
import { batchOf, newFloats, tensor } from '../tensors.js';
import { FrameStream } from '../frame-stream.js';
import { featuresOf } from '../frames.js';

/** @import { Item } from '../padding.js' */
/** @import { Call, Row, Settings, StreamSteps } from '../row.js' */

/** Python's round: half to even. */
const roundEven = (/** @type {number} */ x) => {
  const down = Math.floor(x);
  const rest = x - down;
  if (rest !== 0.5) return Math.round(x);
  return down % 2 === 0 ? down : down + 1;
};

/** @param {Settings} settings */
function lengthsOf({ sampling_rate: rate, frame_length_ms: frame, hop_length_ms: hop, fft_overdrive: overdrive }) {
  const length = roundEven((rate * frame) / 1000);
  const fftLength = 2 ** Math.ceil(Math.log2(length)) * (overdrive ? 2 : 1);
  return { length, hop: roundEven((rate * hop) / 1000), fftLength };
}

/**
 * @param {Settings} settings
 * @param {boolean} isLater whether it is Gemma 4
 */
function spectrumOf(settings, isLater) {
  const { length, hop, fftLength } = lengthsOf(settings);
  const { preemphasis: coefficient, preemphasis_htk_flavor: isHtk, mel_floor: floor } = settings;
  return makeSpectrum({
    frameLength: length,
    hop,
    fftLength,
    emphasis: !(coefficient > 0) ? emphases.none : isHtk ? emphases.htk : emphases.next,
    coefficient,
    window: isLater ? { kind: windows.hann, length, precision: precisions.float32 } : { kind: windows.gemma3n, length },
    narrowWindow: true,
    narrowBins: true,
    energy: energies.numpyAbs,
    bank: {
      kind: isLater ? banks.audioUtils : banks.gemma3n,
      bins: fftLength / 2 + 1,
      filters: settings.feature_size,
      low: settings.min_frequency,
      high: settings.max_frequency,
      rate: settings.sampling_rate,
    },
    addsFloor: isLater,
    floor,
    logarithm: logarithms.natural,
    means: settings.per_bin_mean,
    deviations: settings.per_bin_stddev,
  });
}

/**
 * A waveform with half a frame of silence in front, and its mask likewise.
 * @param {Item} item
 * @param {number} more
 * @returns {Item}
 */
function delayed(item, more) {
  const data = newFloats('padded audio', item.data.length + more);
  data.set(item.data, more);
  return { ...item, data, length: item.length + more, first: item.first + more, end: item.end + more };
}

const defaults = {
  feature_size: 128,
  sampling_rate: 16000,
  hop_length_ms: 10,
  preemphasis_htk_flavor: true,
  dither: 0,
  input_scale_factor: 1,
  per_bin_mean: null,
  per_bin_stddev: null,
  return_attention_mask: true,
};

const gemmaPadding = { padding: 'longest', max_length: 480000, truncation: true, pad_to_multiple_of: 128 };

/**
 * @param {Settings} own
 * @param {boolean} isLater
 * @returns {Row}
 */
const gemma = (own, isLater) => ({
  axes: { input_features: 1, input_features_mask: 1 },
  defaults: { ...defaults, ...own },
  options: [...padOptions, 'return_attention_mask'],
  prepare: (settings) => spectrumOf(settings, isLater),
  make({ settings, prepared, batch, options }) {
    const { length, hop } = lengthsOf(settings);
    const items = padItems(
      monoOf(batch).map((data) => ({ data })),
      readPadding(settings, options, gemmaPadding),
    );
    const made = items.map((item) => {
      const loud = { ...item, data: scaled(item.data, settings.input_scale_factor) };
      const from = isLater ? delayed(loud, Math.floor(length / 2)) : loud;
      // A frame takes one sample more than its window has, whether it reads it or not.
      const count = from.length > length ? Math.floor((from.length - length - 1) / hop) + 1 : 0;
      const reading = from.data.subarray(0, count > 0 ? (count - 1) * hop + prepared.reads : 0);
      const { data, width } =
        count > 0 ? featuresOf(prepared, reading) : { data: new Float32Array(0), width: prepared.width };
      const { data: keep } = asBool(everyOf(maskOf(from), isLater ? length : 0, hop));
      const flags = keep.subarray(0, count);
      if (isLater) flags.forEach((flag, t) => flag || data.fill(0, t * width, (t + 1) * width));
      return { data, dims: [count, width], flags };
    });
    return {
      input_features: batchOf('float32', made),
      input_features_mask: batchOf(
        'bool',
        made.map(({ flags: data }) => ({ data: data.slice(), dims: [data.length] })),
      ),
    };
  },
  stream: (call) => gemmaStream(call, isLater),
});

/**
 * Frames as they come. Those that the padding at the end completes come at the end.
 * @param {Omit<Call, 'batch'>} call
 * @param {boolean} isLater
 * @returns {StreamSteps | undefined}
 */
function gemmaStream({ settings, prepared, options }, isLater) {
  const { length, hop } = lengthsOf(settings);
  const padding = readPadding(settings, options, gemmaPadding);
  if (padding.isLeft) return undefined;
  const cut = padding.truncation ? roundUp(/** @type {number} */ (padding.limit), padding.multiple) : Infinity;
  const delay = isLater ? Math.floor(length / 2) : 0;
  // A frame takes one sample more than its window has, whether it reads it or not.
  const frames = new FrameStream({ ...prepared, reads: length + 1 });
  frames.spectrum.tables = prepared.tables;
  frames.push(new Float32Array(delay));
  const part = (
    /** @type {{ data: Float32Array, frames: number }} */ { data, frames: count },
    /** @type {number} */ real,
  ) => {
    if (count === 0) return undefined;
    const { width } = prepared;
    const kept = Math.min(
      count,
      Math.max(0, Math.ceil((real - (isLater ? length : 0)) / hop) - (frames.frame - count)),
    );
    if (isLater) data.fill(0, kept * width);
    return {
      input_features: tensor('float32', data, [1, count, width]),
      input_features_mask: tensor('bool', new Uint8Array(count).fill(1, 0, kept), [1, count]),
    };
  };
  return {
    push: (samples) => {
      const some = samples.subarray(0, Math.max(0, cut + delay - frames.received));
      return part(frames.push(scaled(some, settings.input_scale_factor)), Infinity);
    },
    end() {
      const real = frames.received;
      const rest = new Float32Array(paddedLength(real - delay, padding) + delay - real).fill(padding.value);
      return part(frames.push(scaled(rest, settings.input_scale_factor)), real);
    },
  };
}

/**
 * @param {Float32Array} samples
 * @param {number} factor
 * @returns {Float32Array}
 */
function scaled(samples, factor) {
  if (factor === 1) return samples;
  const data = samples.slice();
  mapNumbers(data, maps.multiply, [factor]);
  return data;
}

export const Gemma3nAudio = gemma(
  {
    frame_length_ms: 32,
    min_frequency: 125,
    max_frequency: 7600,
    preemphasis: 0.97,
    fft_overdrive: true,
    mel_floor: 1e-5,
  },
  false,
);

export const Gemma4Audio = gemma(
  {
    frame_length_ms: 20,
    min_frequency: 0,
    max_frequency: 8000,
    preemphasis: 0,
    fft_overdrive: false,
    mel_floor: 1e-3,
  },
  true,
);

/** @type {Row} */
export const Gemma4UnifiedAudio = {
  axes: { input_features: 1, input_features_mask: 1 },
  defaults: { feature_size: 640, sampling_rate: 16000, audio_samples_per_token: 640, return_attention_mask: true },
  options: padOptions,
  prepare: () => undefined,
  make({ settings, batch, options }) {
    const { audio_samples_per_token: width } = settings;
    const rows = monoOf(batch).map((samples) => {
      const data = newFloats('padded audio', roundUp(samples.length, width));
      data.set(samples);
      return { data, width };
    });
    const truncation = (options.truncation ?? true) && options.max_length !== undefined;
    const items = padItems(rows, readPadding(settings, { ...options, truncation }, { padding: 'longest' }));
    return {
      input_features: batchOf(
        'float32',
        items.map(({ data, length }) => ({ data, dims: [length, width] })),
      ),
      input_features_mask: batchOf(
        'bool',
        items.map((item) => asBool(maskOf(item))),
      ),
    };
  },
};
