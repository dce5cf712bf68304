/** Gemma's features: magnitudes of frames in float32 steps, as NumPy has them on CPUs with fused multiply-add. */
import { mapNumbers } from '../../engines/audio/index.js';
import { monoOf } from '../audio.js';
import { frameStream, maskPart, memoryOf } from '../frame-stream.js';
import { features, featuresOf } from '../frames.js';
import {
  cutOf,
  steppedMask,
  paddedLength,
  padItems,
  padOptions,
  powerOfTwo,
  readPadding,
  roundEven,
  surrounded,
  toMultiple,
} from '../padding.js';
import { returnsMask, outputsOf } from '../rows.js';
import { allocateNumbers, tensor } from '../tensors.js';

/** @import { Item, ItemFeatures, Outputs, PaddedItem, Row } from '../types.js' */
/** @import { Settings, StreamCall, StreamOut, StreamSteps } from '../types.js' */

/** Computes the lengths of a frame, of a hop and of the FFT in samples; the settings have frame and hop in
 * milliseconds. The FFT's length is the next power of two, twice that with `fft_overdrive`.
 * @type {(settings: Settings) => { frameLength: number, hop: number, fftLength: number }} */
function lengthsOf({ sampling_rate: rate, frame_length_ms: frame, hop_length_ms: hop, fft_overdrive: overdrive }) {
  const frameLength = roundEven((rate * frame) / 1000);
  const fftLength = powerOfTwo(frameLength) * (overdrive ? 2 : 1);
  return { frameLength, hop: roundEven((rate * hop) / 1000), fftLength };
}

/** Multiplies samples by a factor. A factor of 1 gives the same array, others a new one.
 * @type {(samples: Float32Array, factor: number) => Float32Array} */
function scaled(samples, factor) {
  if (factor === 1) return samples;
  const data = samples.slice();
  mapNumbers(data, 'multiply', [factor]);
  return data;
}

/** Gemma's defaults of the options of padding; lengths in samples. */
const padding = () => ({ padding: 'longest', max_length: 480000, truncation: true, pad_to_multiple_of: 128 });

/** Makes the features [frames, mels] of a padded waveform, and the mask of its frames (`flags`). `isLater`: whether the
 * model is Gemma 4, which has half a frame of silence in front of the samples, and zeros in masked frames.
 * @type {(item: PaddedItem, call: StreamCall, isLater: boolean) => ItemFeatures} */
function gemmaItem({ data, length, first, end }, { prepared, input_scale_factor: factor }, isLater) {
  const { frameLength, hop, reads, width } = prepared;
  const delay = isLater ? Math.floor(frameLength / 2) : 0;
  const samples = surrounded(scaled(data, factor), delay, 0);
  // A frame takes one sample more than its window has, whether it reads it or not.
  const count = Math.max(0, Math.floor((samples.length - frameLength - 1) / hop) + 1);
  // Without the samples behind the last frame, which would make one frame more where `reads` is one less.
  const real = samples.subarray(0, (count - 1) * hop + reads);
  const mels = count > 0 ? featuresOf(prepared, real) : features(new Float32Array(0), 0, width);
  const delayed = { length: length + delay, first: first + delay, end: end + delay };
  // A frame is real if its first sample is; in Gemma 4, if the sample behind its last one is.
  const flags = steppedMask(delayed, isLater ? frameLength : 0, hop).data.subarray(0, count);
  if (isLater)
    flags.forEach((flag, t) => {
      if (!flag) mels.data.fill(0, t * width, (t + 1) * width);
    });
  return { ...mels, flags: { data: flags, dims: [flags.length] } };
}

/** Makes the row of a Gemma model. `isLater`: whether it is Gemma 4, which has half a frame of silence in front of the
 * samples, and zeros in masked frames.
 * @type {(defaults: Settings, isLater: boolean) => Partial<Row>} */
const gemmaRow = (defaults, isLater) => ({
  axes: { input_features: 1, input_features_mask: 1 },
  defaults: {
    feature_size: 128,
    hop_length_ms: 10,
    preemphasis_htk_flavor: true,
    dither: 0,
    input_scale_factor: 1,
    per_bin_mean: null,
    per_bin_stddev: null,
    ...defaults,
  },
  /** Gives the settings of the spectrogram. Gemma 3n and 4 differ in the window, in the filters, and in how the floor
   * comes in: 3n takes the larger of energy and floor, 4 adds them. */
  spectrum: (settings) => ({
    ...lengthsOf(settings),
    emphasis: !(settings.preemphasis > 0) ? 'none' : settings.preemphasis_htk_flavor ? 'htk' : 'next',
    coefficient: settings.preemphasis,
    window: isLater ? 'hann' : 'gemma3n',
    windowPrecision: isLater ? 'float32' : 'float64',
    narrowWindow: true,
    narrowBins: true,
    energy: 'numpyAbs',
    bank: isLater ? 'audioUtils' : 'gemma3n',
    low: settings.min_frequency,
    high: settings.max_frequency,
    addsFloor: isLater,
    floor: settings.mel_floor,
    means: settings.per_bin_mean,
    deviations: settings.per_bin_stddev,
  }),
  padding,
  stacks: false,
  item: (item, call) => gemmaItem(item, call, isLater),
  mask: (_, __, { flags }) => /** @type {Item<Int32Array>} */ (flags),
  maskType: 'bool',
  asked: returnsMask.always,
  stream: (call) => gemmaStream(call, isLater),
});

/** Opens a stream that gives frames as soon as their samples are there, and at the end the frames that padding
 * completes. Undefined with padding on the left, whose length is known only at the end. `isLater`: whether the model
 * is Gemma 4, which has half a frame of silence in front, and zeros in masked frames.
 * @type {(call: StreamCall, isLater: boolean) => StreamSteps | undefined} */
function gemmaStream(call, isLater) {
  const { prepared, input_scale_factor: factor } = call;
  const { frameLength, hop, width } = prepared;
  const padded = readPadding(call, padding());
  if (padded.isLeft) return undefined;
  const delay = isLater ? Math.floor(frameLength / 2) : 0;
  // Samples behind truncation's limit are dropped. The buffer counts the silence in front, so the limit does too.
  const cut = cutOf(padded) + delay;
  // A frame waits for one sample more than its window has, as in Python.
  const frames = frameStream({ ...prepared, reads: frameLength + 1 });
  frames.push(new Float32Array(delay));
  /** Gives the frames that `samples` complete, and their mask; undefined if there are none. `real`: how many samples of
   * the stream, with the silence in front, are not padding: Infinity before the end.
   * @type {(samples: Float32Array, real: number, out?: StreamOut) => Outputs | undefined} */
  const part = (samples, real, out) => {
    const block = frames.push(scaled(samples, factor), memoryOf(out, 'input_features'));
    const { data, frames: count, first = 0 } = block;
    if (count === 0) return undefined;
    // How many frames, from the first of these on, are unmasked: those whose first sample is real; in Gemma 4, those
    // for which the sample behind the last one is.
    const all = Math.ceil((real - (isLater ? frameLength : 0)) / hop) - first;
    const unmasked = Math.min(count, Math.max(0, all));
    if (isLater) data.fill(0, unmasked * width);
    return {
      input_features: tensor('float32', data, [1, count, width]),
      input_features_mask: maskPart('bool', count, unmasked, memoryOf(out, 'input_features_mask')),
    };
  };
  return {
    push: (samples, out) => part(samples.subarray(0, Math.max(0, cut - frames.buffer.received)), Infinity, out),
    /** Passes the padding through the stream. `received` counts the silence in front, padding does not. */
    end(out) {
      const { received: real } = frames.buffer;
      const rest = allocateNumbers('padded audio', paddedLength(real - delay, padded) + delay - real);
      return part(rest.fill(padded.value), real, out);
    },
  };
}

/** @type {Record<string, Partial<Row>>} */
export const gemma = {
  Gemma3nAudio: gemmaRow(
    {
      frame_length_ms: 32,
      min_frequency: 125,
      max_frequency: 7600,
      preemphasis: 0.97,
      fft_overdrive: true,
      mel_floor: 1e-5,
    },
    false,
  ),
  Gemma4Audio: gemmaRow(
    {
      frame_length_ms: 20,
      min_frequency: 0,
      max_frequency: 8000,
      preemphasis: 0,
      fft_overdrive: false,
      mel_floor: 1e-3,
    },
    true,
  ),
  Gemma4UnifiedAudio: {
    axes: { input_features: 1, input_features_mask: 1 },
    defaults: { feature_size: 640, audio_samples_per_token: 640 },
    options: padOptions,
    stacks: false,
    maskType: 'bool',
    asked: returnsMask.always,
    /** Gives the samples themselves as features, [batch, tokens, samples of a token]. Each waveform is filled with
     * zeros to whole tokens, then padded by tokens. Python truncates only where the call has a `max_length`. */
    makeOutputs(call) {
      const { options, audio_samples_per_token: width } = call;
      const truncation = (options.truncation ?? true) && options.max_length !== undefined;
      const items = monoOf(call.batch).map((samples) => ({ data: toMultiple(samples, width), width }));
      const padded = readPadding({ ...call, options: { ...options, truncation } }, { padding: 'longest' });
      return outputsOf(call, padItems(items, padded));
    },
  },
};
