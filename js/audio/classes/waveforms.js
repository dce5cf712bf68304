/** Extractors whose output is the waveform: Wav2Vec2 and its kin, and codecs. */
import { largest, rangeError, readBoolean, smallest } from '../../arguments/index.js';
import { mapNumbers, meanOfChannels, powerOf, reduceNumbers, roomFor } from '../../engines/audio/index.js';
import { batchName, monoOf } from '../audio.js';
import { maskPart, memoryOf } from '../frame-stream.js';
import { standardItem } from '../frames.js';
import {
  channelItem,
  cutOf,
  lengthOptions,
  longest,
  maskOf,
  ownData,
  paddedLength,
  padItems,
  readPadding,
  toMultiple,
} from '../padding.js';
import { returnsMask } from '../rows.js';
import { batchOf, allocateNumbers, tensor } from '../tensors.js';

/** @import { Waveform } from '../audio.js' */
/** @import { Call, CallOptions, Item, Outputs, PadDefaults, PaddedItem, Padding, StreamOut } from '../types.js' */
/** @import { Row, Settings, StreamCall, StreamSteps } from '../types.js' */

/** Refuses a call with padding and truncation at once and, if `channels` is given, waveforms with another number of
 * channels.
 * @type {(call: Call, channels?: number) => void} */
function checkCodec({ batch, options }, channels) {
  if (options.padding && options.truncation) rangeError('padding and truncation must not both be on');
  // monoOf refuses other numbers by a message of its own.
  if (channels === 1) monoOf(batch);
  batch.forEach(({ channels: itemChannels }, i) => {
    if (channels && itemChannels.length !== channels)
      rangeError(`${batchName(batch, i)} must have ${channels} channels, got ${itemChannels.length}`);
  });
}

/** Makes the outputs of a codec: `input_values` [batch, channels, length] and, if `isMasked`, `padding_mask`
 * [batch, length]. Each channel is padded, then gets `before` zeros in front and `behind` behind, which the mask does
 * not count as real.
 * @type {(batch: readonly Waveform[], padding: Padding, isMasked: boolean, before?: number, behind?: number) =>
 *   Outputs} */
function codecOutputs(batch, padding, isMasked, before = 0, behind = 0) {
  const all = padItems(
    batch.flatMap(({ channels }) => channels.map((data) => ({ data: /** @type {Float32Array} */ (data) }))),
    padding,
  );
  /** @type {Item<Int32Array>[]} */
  const masks = [];
  const values = batch.map(({ channels: { length: count } }) => {
    // Takes the channels of this waveform from the front of the list. They are equally long, so one mask is for all.
    const items = all.splice(0, count);
    const [item] = items;
    const length = before + item.length + behind;
    masks.push(maskOf({ ...item, length, first: before + item.first, end: before + item.end }));
    // One channel without zeros around it needs no new memory.
    if (count === 1 && length === item.data.length) return { data: ownData(item), dims: [1, length] };
    const data = allocateNumbers('padded audio', count * length);
    items.forEach((channel, c) => data.set(channel.data, c * length + before));
    return { data, dims: [count, length] };
  });
  // `withType` drops a mask that is false.
  return { padding_mask: isMasked && batchOf('int32', masks), input_values: batchOf('float32', values) };
}

/** @type {Partial<Row>} */
const codec = {
  axes: { input_values: 2, padding_mask: 1 },
  options: lengthOptions,
};

/** Reads the padding of EnCodec. If the file has chunks (`chunk_length_s` and `overlap`) and the call no `max_length`,
 * lengths become those of whole chunks: the longest waveform is padded up, or with truncation all are cut down to what
 * the shortest has.
 * @type {(call: Call) => Padding} */
function encodecPadding(call) {
  const { batch, chunk_length_s: seconds, overlap, sampling_rate: rate, options } = call;
  const { padding = true, max_length, truncation } = options;
  const padded = (/** @type {CallOptions} */ more) => readPadding({ ...call, options: { truncation, ...more } });
  // Without chunks the options alone decide.
  if (seconds === null || overlap === null || max_length !== undefined || !(truncation || padding))
    return padded({ padding, max_length });
  const chunk = Math.floor(seconds * rate);
  const step = Math.max(1, Math.floor((1 - overlap) * chunk));
  const lengths = batch.map(({ channels }) => channels[0].length);
  // A chunk begins every `step` samples; the last one is whole.
  const steps = truncation ? Math.floor(smallest(lengths) / step) : Math.ceil(largest(lengths) / step);
  // Truncation cuts to this length; without it, padding goes up to it.
  return padded({ padding: truncation ? padding : 'max_length', max_length: (steps - 1) * step + chunk });
}

/** Makes the row of an EnCodec class. `more`: settings of its own; `silence`: how many zeros are put around each padded
 * waveform.
 * @type {(more: Settings, silence: (settings: Settings) => [before: number, behind: number]) => Partial<Row>} */
const encodec = (more, silence) => ({
  ...codec,
  defaults: { sampling_rate: 24000, chunk_length_s: null, overlap: null, ...more },
  /** Makes the padded waveforms [batch, channels, length] and their mask, unless the call has `padding: false`. */
  makeOutputs(call) {
    checkCodec(call, call.feature_size);
    const [before, behind] = silence(call);
    return codecOutputs(call.batch, encodecPadding(call), call.options.padding !== false, before, behind);
  },
});

/** Reads the padding of DAC and its kin: to a multiple of a hop, unless the call says otherwise. */
const dacPadding = (/** @type {StreamCall} */ call) =>
  readPadding(call, { padding: true, pad_to_multiple_of: call.hop_length });

/** Makes the row of a codec of one channel whose waveforms are padded to a multiple of a hop. `change` makes of each
 * waveform what is padded.
 * @type {(defaults: Settings, change?: (samples: Float32Array, settings: Settings) => Float32Array) => Partial<Row>} */
const dac = (defaults, change) => ({
  ...codec,
  defaults: { hop_length: 512, ...defaults },
  /** Makes the padded waveforms [batch, 1, length] and, if they are padded, their mask. */
  makeOutputs(call) {
    const { batch, feature_size: channels } = call;
    checkCodec(call, 1);
    if (channels !== 1) rangeError(`feature_size must be 1, got ${channels}`);
    const padded = dacPadding(call);
    const changed = change ? monoOf(batch).map((samples) => ({ channels: [change(samples, call)] })) : batch;
    return codecOutputs(changed, padded, padded.strategy !== 'do_not_pad');
  },
  /** Opens a stream of samples; undefined with a `change`, which needs the whole waveform. */
  stream(call) {
    const padded = dacPadding(call);
    return change
      ? undefined
      : waveSteps(padded, padded.strategy === 'do_not_pad' ? undefined : 'padding_mask', [1, 1]);
  },
});

/** Opens a stream that gives samples as they come, and at the end their padding. `mask`: the name of the mask among the
 * outputs, if there is one; `axes`: the extents in front of the samples, so that an output is [...axes, length].
 * Undefined with padding on the left, whose length is known only at the end.
 * @type {(padding: Padding, mask: string | undefined, axes: number[]) => StreamSteps | undefined} */
function waveSteps(padding, mask, axes) {
  if (padding.isLeft) return undefined;
  let received = 0;
  /** Makes the outputs of `data`, [...axes, length], of which the first `real` samples are no padding; undefined if
   * there are none. They lie in `out` if that is given. `mask` is the name of the mask among the outputs.
   * @type {(data: Float32Array, real: number, out: StreamOut | undefined) => Outputs | undefined} */
  const part = (data, real, out) => {
    const { length } = data;
    if (length === 0) return undefined;
    const memory = roomFor(length, memoryOf(out, 'input_values'));
    memory.set(data);
    return {
      input_values: tensor('float32', memory, [...axes, length]),
      ...(mask && { [mask]: maskPart('int32', length, real, memoryOf(out, mask)) }),
    };
  };
  return {
    /** Gives the samples, but for those that truncation cuts off. Counts them in `received`. */
    push(samples, out) {
      const data = samples.subarray(0, Math.max(0, cutOf(padding) - received));
      received += data.length;
      return part(data, data.length, out);
    },
    end: (out) =>
      part(allocateNumbers('padded audio', paddedLength(received, padding) - received).fill(padding.value), 0, out),
  };
}

/** Gives the defaults of MuseSpark's padding: to whole tokens.
 * @type {(settings: Settings) => PadDefaults} */
const musePadding = ({ samples_per_token: multiple }) => ({ padding: 'longest', pad_to_multiple_of: multiple });

/** Scales a copy of the samples so that the largest magnitude is `target_peak_dB_FS` decibels (0 dB is 1). Silence is
 * divided by 1e-10 instead of 0.
 * @type {(samples: Float32Array, settings: Settings) => Float32Array} */
function peaked(samples, { target_peak_dB_FS: target }) {
  const result = samples.slice();
  const factor = powerOf(10, target / 20) / Math.max(reduceNumbers(samples, 'largest'), 1e-10);
  mapNumbers(result, 'multiply', [Math.fround(factor)]);
  return result;
}

/** Makes a waveform [1, length] whose real samples become (x - mean) / sqrt(variance + 1e-5) if `do_normalize` is set;
 * padding stays as it is.
 * @type {(item: PaddedItem, settings: Settings) => Item} */
function standardChannel(padded, { do_normalize: normalizes }) {
  const item = channelItem(padded);
  const { first, end } = padded;
  if (!normalizes || end === first) return item;
  const real = item.data.subarray(first, end);
  const mean = reduceNumbers(real, 'wide') / real.length;
  const variance = reduceNumbers(real, 'wideSquares', mean) / real.length;
  mapNumbers(real, 'standardizeWide', [mean, Math.sqrt(variance + 1e-5)]);
  return item;
}

/** Makes the row of a class that only files for JavaScript name: its output is the padded waveform, [...axes, length].
 * @type {(axes: number[], defaults?: Settings) => Partial<Row>} */
const waveform = (axes, defaults) => ({
  axes: { input_values: axes.length + 1 },
  defaults,
  options: {},
  item: (item) => ({ data: ownData(item), dims: [...axes, item.length] }),
});

/** @type {Record<string, Partial<Row>>} */
export const waveforms = {
  Wav2Vec2: {
    axes: { input_values: 1, attention_mask: 1 },
    defaults: { return_attention_mask: false, do_normalize: true },
    stacks: false,
    // Without a mask the padding counts too.
    item: (item, call) => standardItem(item, call, returnsMask.bySetting(call) ? item.end - item.first : item.length),
  },
  Encodec: encodec({}, () => [0, 0]),
  KyutaiSpeechToText: encodec(
    { audio_delay_seconds: 0, audio_silence_prefix_seconds: 0 },
    ({ sampling_rate: rate, audio_delay_seconds: delay, audio_silence_prefix_seconds: prefix }) => [
      Math.floor(prefix * rate),
      Math.floor((delay + 1) * rate),
    ],
  ),
  Dac: dac({}),
  Snac: dac({ sampling_rate: 24000 }),
  /** PeAudio reflects up to a whole hop. */
  PeAudio: dac({ sampling_rate: 48000, hop_length: 1920 }, (samples, { hop_length: hop }) =>
    toMultiple(samples, hop, 'reflect'),
  ),
  Dia: {
    ...codec,
    defaults: { hop_length: 512 },
    /** Makes the padded waveforms [batch, 1, length] and their mask. With a `feature_size` of 2, two channels are
     * replaced by their mean; all other waveforms must have one channel. */
    makeOutputs(call) {
      checkCodec(call);
      const mixed = call.batch.map((waveform) => {
        const isMixed = call.feature_size === 2 && waveform.channels.length === 2;
        return {
          channels: isMixed ? [meanOfChannels(/** @type {Float32Array[]} */ (waveform.channels))] : monoOf([waveform]),
        };
      });
      return codecOutputs(mixed, dacPadding(call), true);
    },
  },
  MuseSpark: {
    axes: { input_values: 1, input_values_mask: 1 },
    defaults: { sampling_rate: 24000, samples_per_token: 1920 },
    padding: musePadding,
    stacks: false,
    /** Opens a stream of samples [1, length] and, if the call returns it, their mask. */
    stream(call) {
      const padded = readPadding(call, musePadding(call));
      return waveSteps(padded, returnsMask.bySetting(call) ? 'input_values_mask' : undefined, [1]);
    },
  },
  OmniASR: {
    axes: { input_values: 2, padding_mask: 1 },
    defaults: { do_normalize: true },
    options: { ...lengthOptions, return_attention_mask: readBoolean },
    padding: longest,
    isEven: true,
    item: standardChannel,
    asked: returnsMask.unlessRefused,
  },
  WavTokenizer: {
    ...codec,
    defaults: { sampling_rate: 24000, hop_length: 600, normalize_audio: false, target_peak_dB_FS: -3 },
    /** Makes the padded waveforms [batch, 1, length] and their mask. `normalize_audio` scales each waveform to a peak
     * first. */
    makeOutputs(call) {
      const batch = monoOf(call.batch).map((samples, i) => {
        if (samples.length === 0) rangeError(`${batchName(call.batch, i)} must have samples, got none`);
        return { channels: [call.normalize_audio ? peaked(samples, call) : samples] };
      });
      return codecOutputs(batch, readPadding(call, longest()), true);
    },
    stream: (call) =>
      call.normalize_audio ? undefined : waveSteps(readPadding(call, longest()), 'padding_mask', [1, 1]),
  },
  Moonshine: waveform([]),
  Chatterbox: waveform([], { sampling_rate: 24000 }),
  PyAnnote: waveform([1]),
};
