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

/** Refuses padding with truncation, and waveforms of another number of channels.
 * @type {(call: Call, channels?: number) => void} */
function checkCodec({ batch, options }, channels) {
  if (options.padding && options.truncation) rangeError('padding and truncation must not both be on');
  if (channels === 1) monoOf(batch);
  batch.forEach(({ channels: itemChannels }, i) => {
    if (channels && itemChannels.length !== channels)
      rangeError(`${batchName(batch, i)} must have ${channels} channels, got ${itemChannels.length}`);
  });
}

/** Pads each channel, puts `before` and `behind` zeros around it, and makes a codec's outputs, the mask first:
 * [batch, length] and [batch, channels, length].
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
    const items = all.splice(0, count);
    const [item] = items;
    const length = before + item.length + behind;
    masks.push(maskOf({ ...item, length, first: before + item.first, end: before + item.end }));
    if (length * count === item.data.length) return { data: ownData(item), dims: [1, length] };
    const data = allocateNumbers('padded audio', count * length);
    items.forEach((channel, c) => data.set(channel.data, c * length + before));
    return { data, dims: [count, length] };
  });
  return { padding_mask: isMasked && batchOf('int32', masks), input_values: batchOf('float32', values) };
}

/** @type {Partial<Row>} */
const codec = {
  axes: { input_values: 2, padding_mask: 1 },
  options: lengthOptions,
};

/** Reads the padding of EnCodec: to whole chunks, which overlap, where the file has them and the call no `max_length`.
 * @type {(call: Call) => Padding} */
function encodecPadding(call) {
  const { batch, chunk_length_s: seconds, overlap, sampling_rate: rate, options } = call;
  const { padding = true, max_length, truncation } = options;
  const padded = (/** @type {CallOptions} */ more) => readPadding({ ...call, options: { truncation, ...more } });
  if (seconds === null || overlap === null || max_length !== undefined || !(truncation || padding))
    return padded({ padding, max_length });
  const chunk = Math.floor(seconds * rate);
  const step = Math.max(1, Math.floor((1 - overlap) * chunk));
  const lengths = batch.map(({ channels }) => channels[0].length);
  const steps = truncation ? Math.floor(smallest(lengths) / step) : Math.ceil(largest(lengths) / step);
  return padded({ padding: truncation ? padding : 'max_length', max_length: (steps - 1) * step + chunk });
}

/** The row of an EnCodec class. `silence`: how many zeros are put around each waveform.
 * @type {(more: Settings, silence: (settings: Settings) => [before: number, behind: number]) => Partial<Row>} */
const encodec = (more, silence) => ({
  ...codec,
  defaults: { sampling_rate: 24000, chunk_length_s: null, overlap: null, ...more },
  makeOutputs(call) {
    checkCodec(call, call.feature_size);
    const [before, behind] = silence(call);
    return codecOutputs(call.batch, encodecPadding(call), call.options.padding !== false, before, behind);
  },
});

/** Reads the padding of DAC's kin: to a multiple of a hop. */
const dacPadding = (/** @type {StreamCall} */ call) =>
  readPadding(call, { padding: true, pad_to_multiple_of: call.hop_length });

/** The row of a codec whose waveform is padded to a multiple of a hop. `change` gives each waveform before that.
 * @type {(defaults: Settings, change?: (samples: Float32Array, settings: Settings) => Float32Array) => Partial<Row>} */
const dac = (defaults, change) => ({
  ...codec,
  defaults: { hop_length: 512, ...defaults },
  makeOutputs(call) {
    const { batch, feature_size: channels } = call;
    checkCodec(call, 1);
    if (channels !== 1) rangeError(`feature_size must be 1, got ${channels}`);
    const padded = dacPadding(call);
    const changed = change ? monoOf(batch).map((samples) => ({ channels: [change(samples, call)] })) : batch;
    return codecOutputs(changed, padded, padded.strategy !== 'do_not_pad');
  },
  stream(call) {
    const padded = dacPadding(call);
    return change
      ? undefined
      : waveSteps(padded, padded.strategy === 'do_not_pad' ? undefined : 'padding_mask', [1, 1]);
  },
});

/** Steps that give samples as they come, and at the end their padding. `mask`: the name of its output, if any; `axes`:
 * the extents in front of the samples. Padding on the left would need the length first: undefined.
 * @type {(padding: Padding, mask: string | undefined, axes: number[]) => StreamSteps | undefined} */
function waveSteps(padding, mask, axes) {
  if (padding.isLeft) return undefined;
  let received = 0;
  /** @type {(data: Float32Array, real: number, out: StreamOut | undefined) => Outputs | undefined} */
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
    push(samples, out) {
      const data = samples.subarray(0, Math.max(0, cutOf(padding) - received));
      received += data.length;
      return part(data, data.length, out);
    },
    end: (out) =>
      part(allocateNumbers('padded audio', paddedLength(received, padding) - received).fill(padding.value), 0, out),
  };
}

/** @type {(settings: Settings) => PadDefaults} */
const musePadding = ({ samples_per_token: multiple }) => ({ padding: 'longest', pad_to_multiple_of: multiple });

/** Scales samples so that their peak is at `target_peak_dB_FS`.
 * @type {(samples: Float32Array, settings: Settings) => Float32Array} */
function peaked(samples, { target_peak_dB_FS: target }) {
  const result = samples.slice();
  const factor = powerOf(10, target / 20) / Math.max(reduceNumbers(samples, 'largest'), 1e-10);
  mapNumbers(result, 'multiply', [Math.fround(factor)]);
  return result;
}

/** A waveform of one channel whose real samples become (x - mean) / deviation, if `do_normalize` is set; padding stays.
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

/** The row of a class that only files for JavaScript name: the waveform, with axes of these extents in front.
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
