/** Gemma's features: magnitudes of frames in float32 steps, as NumPy has them on CPUs with fused multiply-add. */
import { mapNumbers } from '../../engines/audio/index.js';
import { monoOf } from '../audio.js';
import { frameStream, maskPart, memoryOf } from '../frame-stream.js';
import { features, featuresOf } from '../frames.js';
import {
  truncatedLength,
  makeSteppedMask,
  paddedLength,
  padItems,
  padOptions,
  powerOfTwo,
  readPadding,
  roundEven,
  padSamples,
  toMultiple,
} from '../padding.js';
import { returnsMask, outputsOf } from '../rows.js';
import { allocateNumbers, tensor } from '../tensors.js';

/** @import { Features, Item, ItemFeatures, Outputs, PaddedItem, Row } from '../types.js' */
/** @import { Settings, StreamCall, StreamOut, StreamSteps } from '../types.js' */

/** Converts the lengths of the settings, in milliseconds, to samples. `fft_overdrive` doubles the length of the FFT.
 * @type {(settings: Settings) => { frameLength: number, hop: number, fftLength: number }} */
function lengthsOf({ sampling_rate: rate, frame_length_ms: frame, hop_length_ms: hop, fft_overdrive: overdrive }) {
  const frameLength = roundEven((rate * frame) / 1000);
  const fftLength = powerOfTwo(frameLength) * (overdrive ? 2 : 1);
  return { frameLength, hop: roundEven((rate * hop) / 1000), fftLength };
}

/** Multiplies samples by a factor. A factor of 1 gives the same array, others a new one.
 * @type {(samples: Float32Array, factor: number) => Float32Array} */
function scaleSamples(samples, factor) {
  if (factor === 1) return samples;
  const data = samples.slice();
  mapNumbers(data, 'multiply', [factor]);
  return data;
}

/** Gemma's defaults of the options of padding: to the longest waveform, cut to 30 s at 16 kHz; lengths in samples. */
const defaultPadding = () => ({ padding: 'longest', max_length: 480000, truncation: true, pad_to_multiple_of: 128 });

/** Samples that a frame needs before it is made: as in Python, one more than its window has, whether it reads it or
 * not.
 * @type {(frameLength: number) => number} */
const neededSamples = (frameLength) => frameLength + 1;

/** How many zeros Gemma puts in front of the audio, in samples.
 * @type {(frameLength: number, isGemma4: boolean) => number} */
const silenceInFront = (frameLength, isGemma4) => (isGemma4 ? Math.floor(frameLength / 2) : 0);

/** Which sample decides in the mask whether a frame is audio or padding, counted from the frame's start. Gemma 3n looks
 * at the frame's first sample, Gemma 4 at the one behind its last.
 * @type {(frameLength: number, isGemma4: boolean) => number} */
const maskingSample = (frameLength, isGemma4) => (isGemma4 ? frameLength : 0);

/** Sets the frames of features [frames, width] whose flag is 0 to zeros, in place.
 * @type {(features: Features, flags: Int32Array) => void} */
function clearMaskedFrames({ data, width }, flags) {
  flags.forEach((flag, t) => {
    if (!flag) data.fill(0, t * width, (t + 1) * width);
  });
}

/** Makes the features [frames, mels] of a padded waveform, and the mask of its frames (`flags`). Masked frames are
 * zeros in Gemma 4.
 * @type {(item: PaddedItem, call: StreamCall, isGemma4: boolean) => ItemFeatures} */
function gemmaItem({ data, length, first, end }, { prepared, input_scale_factor: factor }, isGemma4) {
  const { frameLength, hop, width } = prepared;
  const silence = silenceInFront(frameLength, isGemma4);
  const samples = padSamples(scaleSamples(data, factor), silence, 0);
  const count = Math.max(0, Math.floor((samples.length - neededSamples(frameLength)) / hop) + 1);
  const noFrames = features(new Float32Array(0), 0, width);
  // A frame may read a sample less than it needs, so that one frame more than Python's would fit.
  const mels = count > 0 ? featuresOf(prepared, samples, { maxFrames: count }) : noFrames;
  const withSilence = { length: length + silence, first: first + silence, end: end + silence };
  const mask = makeSteppedMask(withSilence, { start: maskingSample(frameLength, isGemma4), step: hop });
  const flags = mask.data.subarray(0, count);
  if (isGemma4) clearMaskedFrames(mels, flags);
  return { ...mels, flags: { data: flags, dims: [flags.length] } };
}

/** Gives the engine's name for the pre-emphasis of the settings; none if its coefficient is 0.
 * @type {(settings: Settings) => 'none' | 'htk' | 'next'} */
function emphasisOf({ preemphasis: coefficient, preemphasis_htk_flavor: isHtk }) {
  if (!(coefficient > 0)) return 'none';
  return isHtk ? 'htk' : 'next';
}

/** Makes the class of Gemma 3n or Gemma 4, whose steps differ in a few places.
 * @type {(defaults: Settings, version: { isGemma4: boolean }) => Partial<Row>} */
const gemmaRow = (defaults, { isGemma4 }) => ({
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
  /** The settings of the mel magnitudes of both classes: (ln(mel + mel_floor) - mean) / deviation in Gemma 4, with the
   * larger of mel and floor in Gemma 3n; means and deviations are those of the mel, if the file has any. */
  spectrum: (settings) => ({
    ...lengthsOf(settings),
    emphasis: emphasisOf(settings),
    coefficient: settings.preemphasis,
    window: isGemma4 ? 'hann' : 'gemma3n',
    windowPrecision: isGemma4 ? 'float32' : 'float64',
    narrowWindow: true, // frames times the window are rounded to float32
    narrowBins: true, // rounded to complex64
    energy: 'numpyAbs', // magnitudes as NumPy has them in float32
    bank: isGemma4 ? 'audioUtils' : 'gemma3n',
    low: settings.min_frequency,
    high: settings.max_frequency,
    addsFloor: isGemma4,
    floor: settings.mel_floor,
    means: settings.per_bin_mean,
    deviations: settings.per_bin_stddev,
  }),
  padding: defaultPadding,
  mustStack: false,
  makeItem: (item, call) => gemmaItem(item, call, isGemma4),
  // `gemmaItem` made it with the features.
  makeMask: (_item, _call, { flags }) => /** @type {Item<Int32Array>} */ (flags),
  maskType: 'bool',
  givesMask: returnsMask.always,
  stream: (call) => gemmaStream(call, isGemma4),
});

/** Counts the frames of a whole stream that the mask marks as audio. Frame t begins at sample t * hop of the stream,
 * which has `silence` zeros, `audioSamples` samples of audio and then padding; it counts if its masking sample lies
 * before that padding.
 * @type {(frameLength: number, hop: number, audioSamples: number, isGemma4: boolean) => number} */
function countAudioFrames(frameLength, hop, audioSamples, isGemma4) {
  const paddingStart = silenceInFront(frameLength, isGemma4) + audioSamples;
  return Math.max(0, Math.ceil((paddingStart - maskingSample(frameLength, isGemma4)) / hop));
}

/** Opens a stream that gives frames as soon as their samples are there, and at the end the frames that padding
 * completes. Undefined with padding on the left, whose length is known only at the end.
 * @type {(call: StreamCall, isGemma4: boolean) => StreamSteps | undefined} */
function gemmaStream(call, isGemma4) {
  const { prepared, input_scale_factor: factor } = call;
  const { frameLength, hop, width } = prepared;
  const padded = readPadding(call, defaultPadding());
  if (padded.isLeft) return undefined;
  const silence = silenceInFront(frameLength, isGemma4);
  // Frames wait for the samples that Python needs, whether they read them or not.
  const frames = frameStream({ ...prepared, reads: neededSamples(frameLength) });
  frames.push(new Float32Array(silence));
  const receivedSamples = () => frames.buffer.received - silence;
  const mostSamples = truncatedLength(padded);
  /** Takes samples, and gives the frames that they complete, with their mask; undefined if they complete none.
   * `audioSamples`: how many samples of the whole stream are no padding.
   * @type {(samples: Float32Array, audioSamples: number, out?: StreamOut) => Outputs | undefined} */
  const pushSamples = (samples, audioSamples, out) => {
    const block = frames.push(scaleSamples(samples, factor), memoryOf(out, 'input_features'));
    const { data, frames: count, first: framesBefore = 0 } = block;
    if (count === 0) return undefined;
    const audioFramesOfStream = countAudioFrames(frameLength, hop, audioSamples, isGemma4);
    const audioFrames = Math.min(count, Math.max(0, audioFramesOfStream - framesBefore));
    if (isGemma4) data.fill(0, audioFrames * width);
    return {
      input_features: tensor('float32', data, [1, count, width]),
      input_features_mask: maskPart('bool', count, audioFrames, memoryOf(out, 'input_features_mask')),
    };
  };
  return {
    push(samples, out) {
      const room = Math.max(0, mostSamples - receivedSamples());
      const audioSamples = Infinity; // because more may come
      return pushSamples(samples.subarray(0, room), audioSamples, out);
    },
    end(out) {
      const audioSamples = receivedSamples();
      const missing = paddedLength(audioSamples, padded) - audioSamples;
      const paddingSamples = allocateNumbers('padded audio', missing).fill(padded.value);
      return pushSamples(paddingSamples, audioSamples, out);
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
    { isGemma4: false },
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
    { isGemma4: true },
  ),
  Gemma4UnifiedAudio: {
    axes: { input_features: 1, input_features_mask: 1 },
    defaults: { feature_size: 640, audio_samples_per_token: 640 },
    options: padOptions,
    mustStack: false,
    maskType: 'bool',
    givesMask: returnsMask.always,
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
