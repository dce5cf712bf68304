/** Extractors whose output is the waveform: Wav2Vec2 and its kin, and codecs. */
import { largest, rangeError, readBoolean, smallest } from '../../arguments/index.js';
import { mapNumbers, meanOfChannels, powerOf, reduceNumbers, roomFor } from '../../engines/audio/index.js';
import { batchName, monoOf } from '../audio.js';
import { maskPart, memoryOf } from '../frame-stream.js';
import { standardizeItem } from '../frames.js';
import {
  channelItem,
  truncatedLength,
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

/** Refuses a call of a codec with padding and truncation together, and waveforms with another number of channels than
 * `channels`; any number passes if that is omitted.
 * @type {(call: Call, channels?: number) => void} */
function checkCodecCall({ batch, options }, channels) {
  if (options.padding && options.truncation) rangeError('padding and truncation must not both be on');
  if (channels === undefined) return;
  // monoOf refuses other numbers than 1 by a message of its own.
  if (channels === 1) monoOf(batch);
  batch.forEach((waveform, i) => {
    const count = waveform.channels.length;
    if (count !== channels) rangeError(`${batchName(batch, i)} must have ${channels} channels, got ${count}`);
  });
}

/** How many zeros stand around a padded waveform, which its mask does not count as real.
 * @typedef {{ before: number, behind: number }} Silence */

const noSilence = { before: 0, behind: 0 };

/** Joins the padded channels of one waveform, with silence around each: [channels, length].
 * @type {(channels: readonly PaddedItem[], silence: Silence) => Item} */
function joinChannels(channels, { before, behind }) {
  const [first] = channels;
  const length = before + first.length + behind;
  const isUnchanged = channels.length === 1 && length === first.length;
  if (isUnchanged) return { data: ownData(first), dims: [1, length] };
  const data = allocateNumbers('padded audio', channels.length * length);
  channels.forEach((channel, c) => data.set(channel.data, c * length + before));
  return { data, dims: [channels.length, length] };
}

/** Makes the mask of a padded waveform with silence around it.
 * @type {(item: PaddedItem, silence: Silence) => Item<Int32Array>} */
const maskWith = ({ length, first, end }, { before, behind }) =>
  maskOf({ length: before + length + behind, first: before + first, end: before + end });

/** Pads all channels of a batch to one length, and gives those of each waveform.
 * @type {(batch: readonly Waveform[], padding: Padding) => PaddedItem[][]} */
function padChannels(batch, padding) {
  const allChannels = /** @type {Float32Array[]} */ (batch.flatMap(({ channels }) => channels));
  const items = allChannels.map((data) => ({ data }));
  const padded = padItems(items, padding);
  let end = 0;
  return batch.map(({ channels }) => {
    const start = end;
    end += channels.length;
    return padded.slice(start, end);
  });
}

/** Makes the outputs of a codec: `input_values` [batch, channels, length] and, if `isMasked`, `padding_mask`
 * [batch, length].
 * @type {(batch: readonly Waveform[], padding: Padding, form: { isMasked: boolean, silence?: Silence }) => Outputs} */
function codecOutputs(batch, padding, { isMasked, silence = noSilence }) {
  const padded = padChannels(batch, padding);
  // Waveform after waveform, its mask first: a message about `maxBytes` states the bytes that were made so far.
  const masks = [];
  const values = [];
  for (const channels of padded) {
    const [channel] = channels; // all are equally long, so one mask is for all
    masks.push(maskWith(channel, silence));
    values.push(joinChannels(channels, silence));
  }
  // `withType` drops a mask that is false.
  return { padding_mask: isMasked && batchOf('int32', masks), input_values: batchOf('float32', values) };
}

/** The outputs and the options that all codecs share. Parts of a stream are joined along the axis of samples.
 * @type {Partial<Row>} */
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
  const paddingBy = (/** @type {CallOptions} */ lengths) =>
    readPadding({ ...call, options: { truncation, ...lengths } });
  const hasChunks = seconds !== null && overlap !== null;
  const changesLengths = truncation || padding;
  const roundsToChunks = hasChunks && changesLengths && max_length === undefined;
  if (!roundsToChunks) return paddingBy({ padding, max_length });
  const chunk = Math.floor(seconds * rate);
  const step = Math.max(1, Math.floor((1 - overlap) * chunk));
  const lengths = batch.map(({ channels }) => channels[0].length);
  // A chunk begins every `step` samples; the last one is whole.
  const chunks = truncation ? Math.floor(smallest(lengths) / step) : Math.ceil(largest(lengths) / step);
  const wholeChunks = (chunks - 1) * step + chunk;
  // Truncation cuts to `max_length` whatever the padding is; without it, all waveforms are padded up to that length.
  return paddingBy({ padding: truncation ? padding : 'max_length', max_length: wholeChunks });
}

/** Makes the row of a codec whose files may ask for chunks, as EnCodec's. `ownDefaults`: settings that EnCodec lacks;
 * `silence` gives the zeros around each waveform.
 * @type {(ownDefaults: Settings, silence: (settings: Settings) => Silence) => Partial<Row>} */
const encodec = (ownDefaults, silence) => ({
  ...codec,
  defaults: { sampling_rate: 24000, chunk_length_s: null, overlap: null, ...ownDefaults },
  /** Makes the padded waveforms [batch, feature_size, length], and their mask unless the call refuses padding. */
  makeOutputs(call) {
    checkCodecCall(call, call.feature_size);
    const isMasked = call.options.padding !== false;
    return codecOutputs(call.batch, encodecPadding(call), { isMasked, silence: silence(call) });
  },
});

/** Reads the padding of DAC and its kin: to a multiple of a hop, unless the call says otherwise. */
const dacPadding = (/** @type {StreamCall} */ call) =>
  readPadding(call, { padding: true, pad_to_multiple_of: call.hop_length });

/** Makes the row of a codec of one channel whose waveforms are padded to a multiple of a hop, after `change`, if any.
 * @type {(defaults: Settings, change?: (samples: Float32Array, settings: Settings) => Float32Array) => Partial<Row>} */
const dac = (defaults, change) => ({
  ...codec,
  defaults: { hop_length: 512, ...defaults },
  /** Makes the padded waveforms [batch, 1, length], and their mask unless the call refuses padding. */
  makeOutputs(call) {
    const { batch, feature_size: channels } = call;
    checkCodecCall(call, 1);
    if (channels !== 1) rangeError(`feature_size must be 1, got ${channels}`);
    const padding = dacPadding(call);
    const waves = change ? monoOf(batch).map((samples) => ({ channels: [change(samples, call)] })) : batch;
    const isMasked = padding.strategy !== 'do_not_pad';
    return codecOutputs(waves, padding, { isMasked });
  },
  /** Opens a stream of samples [1, 1, length]; undefined where `change` needs the whole waveform. */
  stream(call) {
    const padding = dacPadding(call);
    if (change) return undefined;
    const maskName = padding.strategy === 'do_not_pad' ? undefined : 'padding_mask';
    return waveStream(padding, maskName, batchAndChannel);
  },
});

/** The dims in front of the samples of a stream, which has one waveform of one channel. */
const batchOnly = [1];
const batchAndChannel = [1, 1];

/** Opens a stream that gives samples as they come, [...leadingDims, length], and at the end their padding. `maskName`:
 * the name of the mask among the outputs; undefined if there is none. Gives undefined with padding on the left, whose
 * length is known only at the end.
 * @type {(padding: Padding, maskName: string | undefined, leadingDims: number[]) => StreamSteps | undefined} */
function waveStream(padding, maskName, leadingDims) {
  if (padding.isLeft) return undefined;
  const mostSamples = truncatedLength(padding);
  let received = 0;
  /** Makes the outputs of samples of which the first `real` ones are no padding; undefined if there are none. They lie
   * in `out` if that is given.
   * @type {(samples: Float32Array, real: number, out: StreamOut | undefined) => Outputs | undefined} */
  const outputsFor = (samples, real, out) => {
    const { length } = samples;
    if (length === 0) return undefined;
    const memory = roomFor(length, memoryOf(out, 'input_values'));
    memory.set(samples);
    /** @type {Outputs} */
    const outputs = { input_values: tensor('float32', memory, [...leadingDims, length]) };
    if (maskName) outputs[maskName] = maskPart('int32', length, real, memoryOf(out, maskName));
    return outputs;
  };
  return {
    /** Gives the samples as they are, as far as truncation lets them through. */
    push(samples, out) {
      const accepted = samples.subarray(0, Math.max(0, mostSamples - received));
      received += accepted.length;
      return outputsFor(accepted, accepted.length, out);
    },
    /** Gives the padding behind all samples, if there is any. */
    end(out) {
      const missing = paddedLength(received, padding) - received;
      const paddingSamples = allocateNumbers('padded audio', missing).fill(padding.value);
      const real = 0;
      return outputsFor(paddingSamples, real, out);
    },
  };
}

/** MuseSpark's defaults of the options of padding: to whole tokens of `samples_per_token` samples.
 * @type {(settings: Settings) => PadDefaults} */
const musePadding = ({ samples_per_token: multiple }) => ({ padding: 'longest', pad_to_multiple_of: multiple });

/** Scales a copy of the samples to a peak in decibels (0 dB is 1). Silence is divided by 1e-10 instead of 0.
 * @type {(samples: Float32Array, settings: Settings) => Float32Array} */
function scaleToPeak(samples, { target_peak_dB_FS: target }) {
  const result = samples.slice();
  const peak = reduceNumbers(samples, 'largest');
  const targetPeak = powerOf(10, target / 20);
  const gain = targetPeak / Math.max(peak, 1e-10);
  mapNumbers(result, 'multiply', [Math.fround(gain)]);
  return result;
}

/** Makes a waveform [1, length] whose real samples become (x - mean) / sqrt(variance + 1e-5) if `do_normalize` is set;
 * padding stays as it is.
 * @type {(item: PaddedItem, settings: Settings) => Item} */
function standardizeChannel(padded, { do_normalize: normalizes }) {
  const item = channelItem(padded);
  const { first, end } = padded;
  const hasSamples = end > first;
  if (!normalizes || !hasSamples) return item;
  const real = item.data.subarray(first, end);
  const mean = reduceNumbers(real, 'wide') / real.length;
  const variance = reduceNumbers(real, 'wideSquares', mean) / real.length;
  mapNumbers(real, 'standardizeWide', [mean, Math.sqrt(variance + 1e-5)]);
  return item;
}

/** Makes the row of a class that transformers.js has and Python lacks. Its output is the waveform without padding,
 * [batch, ...channelDims, length].
 * @type {(channelDims: [] | [1], defaults?: Settings) => Partial<Row>} */
const plainWaveform = (channelDims, defaults) => ({
  axes: { input_values: 1 + channelDims.length },
  defaults,
  options: {},
  makeItem: (item) => ({ data: ownData(item), dims: [...channelDims, item.length] }),
});

/** @type {Record<string, Partial<Row>>} */
export const waveforms = {
  Wav2Vec2: {
    axes: { input_values: 1, attention_mask: 1 },
    defaults: { return_attention_mask: false, do_normalize: true },
    mustStack: false,
    /** Makes the waveform itself, standardized if `do_normalize` is set: by its real samples or, if the call returns no
     * mask, by its padding, too. */
    makeItem(item, call) {
      const count = returnsMask.bySetting(call) ? item.end - item.first : item.length;
      return standardizeItem(item, call, count);
    },
  },
  Encodec: encodec({}, () => noSilence),
  /** EnCodec's row with silence around each waveform, whose seconds the file states, and one second more behind it. */
  KyutaiSpeechToText: encodec(
    { audio_delay_seconds: 0, audio_silence_prefix_seconds: 0 },
    ({ sampling_rate: rate, audio_delay_seconds: delay, audio_silence_prefix_seconds: prefix }) => ({
      before: Math.floor(prefix * rate),
      behind: Math.floor((delay + 1) * rate),
    }),
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
    /** Makes the padded waveforms [batch, 1, length], and their mask. Two channels are replaced by their mean if
     * `feature_size` is 2; all other waveforms must have one channel. */
    makeOutputs(call) {
      checkCodecCall(call);
      const mono = call.batch.map((waveform) => {
        const channels = /** @type {Float32Array[]} */ (waveform.channels);
        const isStereo = call.feature_size === 2 && channels.length === 2;
        return { channels: isStereo ? [meanOfChannels(channels)] : monoOf([waveform]) };
      });
      return codecOutputs(mono, dacPadding(call), { isMasked: true });
    },
  },
  MuseSpark: {
    axes: { input_values: 1, input_values_mask: 1 },
    defaults: { sampling_rate: 24000, samples_per_token: 1920 },
    padding: musePadding,
    mustStack: false,
    /** Opens a stream of samples [1, length], with a mask if `return_attention_mask` of the call or the file is on. */
    stream(call) {
      const maskName = returnsMask.bySetting(call) ? 'input_values_mask' : undefined;
      const padding = readPadding(call, musePadding(call));
      return waveStream(padding, maskName, batchOnly);
    },
  },
  OmniASR: {
    axes: { input_values: 2, padding_mask: 1 },
    defaults: { do_normalize: true },
    options: { ...lengthOptions, return_attention_mask: readBoolean },
    padding: longest,
    needsEqualLengths: true,
    makeItem: standardizeChannel,
    givesMask: returnsMask.unlessRefused,
  },
  WavTokenizer: {
    ...codec,
    defaults: { sampling_rate: 24000, hop_length: 600, normalize_audio: false, target_peak_dB_FS: -3 },
    /** Makes the padded waveforms [batch, 1, length], and their mask. Each is first scaled to a peak if the file's
     * `normalize_audio` asks for that. */
    makeOutputs(call) {
      const batch = monoOf(call.batch).map((samples, i) => {
        if (samples.length === 0) rangeError(`${batchName(call.batch, i)} must have samples, got none`);
        return { channels: [call.normalize_audio ? scaleToPeak(samples, call) : samples] };
      });
      return codecOutputs(batch, readPadding(call, longest()), { isMasked: true });
    },
    /** Opens a stream of samples [1, 1, length]; undefined if they are scaled by their peak, known only at the end. */
    stream: (call) =>
      call.normalize_audio ? undefined : waveStream(readPadding(call, longest()), 'padding_mask', batchAndChannel),
  },
  Moonshine: plainWaveform([]),
  Chatterbox: plainWaveform([], { sampling_rate: 24000 }),
  PyAnnote: plainWaveform([1]),
};
