/** Extractors whose output is the waveform: Wav2Vec2, codecs, and voices for speech synthesis. */
import { rangeError } from '../../arguments/index.js';
import {
  decimalLog,
  fadeOut,
  mapNumbers,
  meanOfChannels,
  powerOf,
  reduceNumbers,
  roomFor,
} from '../../audio-engine/index.js';
import { monoOf } from '../audio.js';
import { maskPart, memoryOf } from '../frame-stream.js';
import { standardized } from '../frames.js';
import { cutOf, maskOf, ownData, padItems, paddedLength, readPadding, toMultiple } from '../padding.js';
import { asks, row } from '../rows.js';
import { batchOf, newNumbers, tensor } from '../tensors.js';

/** @import { Waveform } from '../audio.js' */
/** @import { CallOptions, Item, PaddedItem, Padding, Row, Settings, StreamSteps } from '../types.js' */

export const Wav2Vec2 = row({
  axes: { input_values: 1, attention_mask: 1 },
  defaults: { return_attention_mask: false, do_normalize: true },
  stacks: false,
  item(item, call) {
    const { settings, options } = call;
    // Without a mask the padding counts too.
    const isKnown = asks.settings(call) && readPadding(settings, options).strategy !== 'do_not_pad';
    const count = isKnown ? item.end - item.first : item.length;
    const isPlain = !settings.do_normalize;
    const data = isPlain ? ownData(item) : standardized(item.data, count, settings.padding_value);
    return { data, dims: [item.length] };
  },
});

/** @type {(batch: readonly Waveform[], options: CallOptions, channels?: number) => void} what codecs refuse */
function checkCodec(batch, options, channels) {
  if (options.padding && options.truncation) rangeError('padding and truncation must not both be on');
  if (channels === 1) monoOf(batch);
  batch.forEach(({ channels: given }, i) => {
    if (given.length !== (channels ?? given.length))
      rangeError(`${batch.length > 1 ? `audio[${i}]` : 'audio'} must have ${channels} channels, got ${given.length}`);
  });
}

/** Each channel padded. A codec's outputs have the mask first.
 * @type {(batch: readonly Waveform[], padding: Padding, isMasked: boolean, before?: number, behind?: number) => any} */
function codecOutputs(batch, padding, isMasked, before = 0, behind = 0) {
  const all = padItems(
    batch.flatMap(({ channels }) => channels.map((data) => ({ data: /** @type {Float32Array} */ (data) }))),
    padding,
  );
  /** @type {Item[]} */
  const masks = [];
  const values = batch.map(({ channels: { length: count } }) => {
    const items = all.splice(0, count);
    const [item] = items;
    const length = before + item.length + behind;
    masks.push(maskOf({ ...item, length, first: before + item.first, end: before + item.end }));
    if (length * count === item.data.length) return { data: ownData(item), dims: [1, length] };
    const data = newNumbers('padded audio', count * length);
    items.forEach((channel, c) => data.set(channel.data, c * length + before));
    return { data, dims: [count, length] };
  });
  return { padding_mask: isMasked && batchOf('int32', masks), input_values: batchOf('float32', values) };
}

/** @type {Partial<Row>} */
const codec = {
  axes: { input_values: 2, padding_mask: 1 },
  options: ['padding', 'max_length', 'truncation'],
};

/** The padding of EnCodec: to whole chunks where the file has them.
 * @type {(settings: Settings, batch: readonly Waveform[], options: CallOptions) => Padding} */
function encodecPadding(settings, batch, { padding = true, max_length, truncation }) {
  const { chunk_length_s: seconds, overlap, sampling_rate: rate } = settings;
  if (seconds === null || overlap === null || max_length !== undefined || !(truncation || padding))
    return readPadding(settings, { padding, max_length, truncation });
  const chunk = Math.floor(seconds * rate);
  const step = Math.max(1, Math.floor((1 - overlap) * chunk));
  const lengths = batch.map(({ channels }) => channels[0].length);
  const steps = truncation ? Math.floor(Math.min(...lengths) / step) : Math.ceil(Math.max(...lengths) / step);
  const how = { padding: truncation ? padding : 'max_length', max_length: (steps - 1) * step + chunk, truncation };
  return readPadding(settings, how);
}

/** @type {(more: Settings, silence: (settings: Settings) => [before: number, behind: number]) => Row} */
const encodec = (more, silence) =>
  row({
    ...codec,
    defaults: { sampling_rate: 24000, chunk_length_s: null, overlap: null, ...more },
    make({ settings, batch, options }) {
      checkCodec(batch, options, settings.feature_size);
      const how = encodecPadding(settings, batch, options);
      return codecOutputs(batch, how, options.padding !== false, ...silence(settings));
    },
  });

export const Encodec = encodec({}, () => [0, 0]);
export const KyutaiSpeechToText = encodec(
  { audio_delay_seconds: 0, audio_silence_prefix_seconds: 0 },
  ({ sampling_rate: rate, audio_delay_seconds: delay, audio_silence_prefix_seconds: prefix }) => [
    Math.floor(prefix * rate),
    Math.floor((delay + 1) * rate),
  ],
);

/** @type {(settings: Settings, options: CallOptions) => Padding} */
const dacPadding = (settings, { padding = true, max_length, truncation }) =>
  readPadding(settings, { padding, max_length, truncation, pad_to_multiple_of: settings.hop_length });

/** A codec whose waveform is a multiple of a hop. `change` is made of each waveform before.
 * @type {(defaults: Settings, change?: (samples: any, settings: Settings) => any) => Row} */
const dac = (defaults, change) =>
  row({
    ...codec,
    defaults: { hop_length: 512, ...defaults },
    make({ settings, batch, options }) {
      checkCodec(batch, options, 1);
      if (settings.feature_size !== 1) rangeError(`feature_size must be 1, got ${settings.feature_size}`);
      const how = dacPadding(settings, options);
      const changed = change ? monoOf(batch).map((samples) => ({ channels: [change(samples, settings)] })) : batch;
      return codecOutputs(changed, how, how.strategy !== 'do_not_pad');
    },
    stream: ({ settings, options }) => {
      const how = dacPadding(settings, options);
      return change ? undefined : waveSteps(how, how.strategy === 'do_not_pad' ? undefined : 'padding_mask', [1, 1]);
    },
  });

/** Steps that give samples as they come, and the padding at the end.
 * @type {(padding: Padding, mask: string | undefined, axes: number[]) => StreamSteps | undefined} */
function waveSteps(padding, mask, axes) {
  if (padding.isLeft) return undefined;
  let received = 0;
  /** @type {(data: Float32Array, real: number, out: any) => any} */
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
      part(newNumbers('padded audio', paddedLength(received, padding) - received).fill(padding.value), 0, out),
  };
}

export const Dac = dac({});
export const Snac = dac({ sampling_rate: 24000 });
/** PeAudio reflects up to a whole hop. */
export const PeAudio = dac({ sampling_rate: 48000, hop_length: 1920 }, (samples, { hop_length: hop }) =>
  toMultiple(samples, hop, 'reflect'),
);

export const Dia = row({
  ...codec,
  defaults: { hop_length: 512 },
  make({ settings, batch, options }) {
    checkCodec(batch, options);
    const mixed = batch.map((one) => {
      const isMixed = settings.feature_size === 2 && one.channels.length === 2;
      return { channels: isMixed ? [meanOfChannels(/** @type {Float32Array[]} */ (one.channels))] : monoOf([one]) };
    });
    return codecOutputs(mixed, dacPadding(settings, options), true);
  },
});

/** @type {Row['padding']} */
const musePadding = ({ samples_per_token: multiple }) => ({ padding: 'longest', pad_to_multiple_of: multiple });

export const MuseSpark = row({
  axes: { input_values: 1, input_values_mask: 1 },
  defaults: { sampling_rate: 24000, samples_per_token: 1920 },
  padding: musePadding,
  stacks: false,
  stream(call) {
    const { settings, options } = call;
    const how = readPadding(settings, options, musePadding(settings, options));
    return waveSteps(how, asks.settings(call) ? 'input_values_mask' : undefined, [1]);
  },
});

/** Voices for speech synthesis: padded to a multiple, [batch, 1, n]. */
const voice = /** @type {Partial<Row>} */ ({
  axes: { input_values: 2, padding_mask: 1 },
  options: ['padding', 'max_length', 'pad_to_multiple_of', 'return_attention_mask'],
  padding: ({ pad_to_multiple_of }) => ({ padding: true, pad_to_multiple_of }),
  item: (/** @type {PaddedItem} */ item) => ({ data: ownData(item), dims: [1, item.length] }),
  asked: asks.yes,
});

export const VibeVoiceAcousticTokenizer = row({
  ...voice,
  defaults: {
    sampling_rate: 24000,
    normalize_audio: true,
    target_dB_FS: -25,
    eps: 1e-6,
    pad_to_multiple_of: 3200,
  },
  wave: (samples, { settings }) => (settings.normalize_audio ? leveled(samples, settings) : samples),
});

/** Samples at a level in decibels below full scale, and not above full scale.
 * @type {(samples: Float32Array, settings: Settings) => Float32Array} */
function leveled(samples, { target_dB_FS: target, eps }) {
  const result = samples.slice();
  const rms = Math.fround(Math.sqrt(reduceNumbers(samples, 'wideSquares') / samples.length));
  const small = Math.fround(eps);
  const factor = Math.fround(Math.fround(powerOf(10, target / 20)) / Math.fround(rms + small));
  mapNumbers(result, 'multiply', [factor]);
  const top = reduceNumbers(result, 'largest');
  if (top > 1) mapNumbers(result, 'standardize', [0, Math.fround(top + small)]);
  return result;
}

export const PocketTTS = row({
  ...voice,
  defaults: {
    sampling_rate: 24000,
    frame_size: 1920,
    pad_to_multiple_of: 1920,
    end_on_pause: true,
    pause_duration: 0.08,
    fade_out_duration: 0.02,
    silence_floor_db: 35,
    analysis_frame_duration: 0.02,
  },
  options: [.../** @type {string[]} */ (voice.options), 'end_on_pause'],
  wave: (samples, { settings, options }) =>
    (options.end_on_pause ?? settings.end_on_pause) ? endedOnPause(samples, settings) : samples,
});

/** A voice that ends after its last loud frame, fades out, and pauses.
 * @type {(samples: Float32Array, settings: Settings) => Float32Array} */
function endedOnPause(samples, settings) {
  const { sampling_rate: rate, pause_duration: pause, fade_out_duration: fade, silence_floor_db: floor } = settings;
  const size = Math.max(1, Math.floor(settings.analysis_frame_duration * rate));
  const count = Math.floor(samples.length / size);
  if (count === 0) return samples;
  const levels = Array.from({ length: count }, (_, i) => {
    const squares = reduceNumbers(samples.subarray(i * size, (i + 1) * size), 'wideSquares');
    return 20 * decimalLog(Math.sqrt(squares / size) + 1e-12);
  });
  const top = levels.reduce((most, level) => Math.max(most, level), -Infinity);
  const end = (levels.findLastIndex((level) => level > top - floor) + 1) * size;
  const result = newNumbers('padded audio', end + Math.floor(pause * rate));
  result.set(samples.subarray(0, end));
  fadeOut(result.subarray(end - Math.min(Math.floor(fade * rate), end), end));
  return result;
}

/** Names of files that were made for JavaScript: the waveform with axes in front.
 * @type {(axes: number[], defaults?: Settings) => Row} */
const waveform = (axes, defaults) =>
  row({
    axes: { input_values: axes.length + 1 },
    defaults,
    options: [],
    item: (item) => ({ data: ownData(item), dims: [...axes, item.length] }),
  });

export const Moonshine = waveform([]);
export const Chatterbox = waveform([], { sampling_rate: 24000 });
export const PyAnnote = waveform([1]);
