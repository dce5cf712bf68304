/** Extractors whose output is the waveform: Wav2Vec2, codecs, and voices for speech synthesis. */
import { rangeError } from '../../arguments/index.js';
import {
  fadeOut,
  mapNumbers,
  maps,
  meanOfChannels,
  decimalLog,
  powerOf,
  reduceNumbers,
} from '../../audio-engine/index.js';
import { monoOf } from '../audio.js';
import { standardized } from '../frames.js';
import { maskOf, ownData, padItems, padOptions, paddedLength, readPadding, roundUp, wantsMask } from '../padding.js';
import { batchOf, newFloats, stackOf, tensor } from '../tensors.js';

/** @import { Waveform } from '../audio.js' */
/** @import { Item, Padding } from '../padding.js' */
/** @import { CallOptions, Row, Settings, StreamSteps } from '../row.js' */

/** @param {readonly Item[]} items */
const plain = (items) => items.map((item) => ({ data: ownData(item), dims: [item.length] }));

/** @type {Row} */
export const Wav2Vec2 = {
  axes: { input_values: 1, attention_mask: 1 },
  defaults: { feature_size: 1, sampling_rate: 16000, return_attention_mask: false, do_normalize: true },
  options: [...padOptions, 'return_attention_mask'],
  prepare: () => undefined,
  make({ settings, batch, options }) {
    const padding = readPadding(settings, options);
    const items = padItems(
      monoOf(batch).map((data) => ({ data })),
      padding,
    );
    const mask = wantsMask(settings, options);
    // Without a mask the padding counts too.
    const isKnown = mask && padding.strategy !== 'do_not_pad';
    const made = items.map((item) =>
      settings.do_normalize
        ? {
            ...item,
            isShared: false,
            data: standardized(item.data, isKnown ? item.end - item.first : item.length, settings.padding_value),
          }
        : item,
    );
    const outputs = { input_values: batchOf('float32', plain(made)) };
    return mask ? { ...outputs, attention_mask: batchOf('int32', items.map(maskOf)) } : outputs;
  },
};

/**
 * Checks what codecs refuse.
 * @param {Settings} settings
 * @param {readonly Waveform[]} batch
 * @param {CallOptions} options
 */
function checkCodec({ feature_size: channels }, batch, options) {
  if (options.padding && options.truncation) rangeError('padding and truncation must not both be on');
  if (channels === 1) monoOf(batch);
  batch.forEach(({ channels: given }, i) => {
    if (given.length !== channels)
      rangeError(`${batch.length > 1 ? `audio[${i}]` : 'audio'} must have ${channels} channels, got ${given.length}`);
  });
}

/**
 * Pads each channel of each waveform.
 * @param {readonly Waveform[]} batch
 * @param {Padding} padding
 * @returns {{ data: Float32Array, dims: number[], items: Item[] }[]}
 */
function padChannels(batch, padding) {
  const count = batch[0].channels.length;
  const all = padItems(
    batch.flatMap(({ channels }) => channels.map((data) => ({ data: /** @type {Float32Array} */ (data) }))),
    padding,
  );
  return batch.map((_, i) => {
    const items = all.slice(i * count, (i + 1) * count);
    const [{ length }] = items;
    if (count === 1) return { data: ownData(items[0]), dims: [1, length], items };
    const data = newFloats('the batch', count * length);
    items.forEach((item, c) => data.set(item.data, c * length));
    return { data, dims: [count, length], items };
  });
}

/**
 * Silence around a padded waveform and its mask.
 * @param {{ data: Float32Array, dims: number[] }} values
 * @param {number} before
 * @param {number} behind
 */
function surrounded({ data, dims: [channels, length] }, before, behind) {
  const wide = before + length + behind;
  const padded = newFloats('padded audio', channels * wide);
  for (let c = 0; c < channels; c++) padded.set(data.subarray(c * length, (c + 1) * length), c * wide + before);
  return { data: padded, dims: [channels, wide] };
}

/**
 * The padding of EnCodec: to whole chunks where the file has them.
 * @param {Settings} settings
 * @param {readonly Waveform[]} batch
 * @param {CallOptions} options
 * @returns {Padding}
 */
function encodecPadding(settings, batch, options) {
  const { chunk_length_s: seconds, overlap, sampling_rate: rate } = settings;
  let { max_length, padding = true } = options;
  const { truncation } = options;
  if (seconds !== null && overlap !== null && max_length === undefined) {
    const chunk = Math.floor(seconds * rate);
    const step = Math.max(1, Math.floor((1 - overlap) * chunk));
    const lengths = batch.map(({ channels }) => channels[0].length);
    if (truncation) {
      max_length = (Math.floor(Math.min(...lengths) / step) - 1) * step + chunk;
    } else if (padding) {
      max_length = (Math.ceil(Math.max(...lengths) / step) - 1) * step + chunk;
      padding = 'max_length';
    }
  }
  return readPadding(settings, { padding, max_length, truncation });
}

/**
 * @param {Settings} more settings
 * @param {(settings: Settings) => [before: number, behind: number]} silence
 * @returns {Row}
 */
const encodec = (more, silence) => ({
  axes: { input_values: 2, padding_mask: 1 },
  defaults: {
    feature_size: 1,
    sampling_rate: 24000,
    chunk_length_s: null,
    overlap: null,
    return_attention_mask: true,
    ...more,
  },
  options: ['padding', 'max_length', 'truncation'],
  hasChannels: true,
  prepare: () => undefined,
  make({ settings, batch, options }) {
    checkCodec(settings, batch, options);
    const padded = padChannels(batch, encodecPadding(settings, batch, options));
    const [before, behind] = silence(settings);
    const values = before + behind > 0 ? padded.map((one) => surrounded(one, before, behind)) : padded;
    const masks = padded.map(({ items: [item] }) => {
      const length = before + item.length + behind;
      return { data: new Int32Array(length).fill(1, before + item.first, before + item.end), dims: [length] };
    });
    return {
      ...(options.padding !== false && { padding_mask: batchOf('int32', masks) }),
      input_values: batchOf('float32', values),
    };
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

/**
 * A codec whose waveform is a multiple of a hop.
 * @param {Settings} own
 * @param {(samples: any, settings: Settings) => any} [change] of each waveform before padding
 * @returns {Row}
 */
const dac = (own, change, isChanged = change !== undefined) => ({
  axes: { input_values: 2, padding_mask: 1 },
  defaults: { feature_size: 1, hop_length: 512, sampling_rate: 16000, return_attention_mask: true, ...own },
  options: ['padding', 'max_length', 'truncation'],
  prepare: () => undefined,
  make({ settings, batch, options }) {
    checkCodec({ ...settings, feature_size: 1 }, batch, options);
    if (settings.feature_size !== 1) rangeError(`feature_size must be 1, got ${settings.feature_size}`);
    const changed = batch.map(({ channels }) => ({ channels: [change ? change(channels[0], settings) : channels[0]] }));
    return dacOutputs(settings, changed, options);
  },
  stream: ({ settings, options }) => {
    const { padding = true, max_length, truncation } = options;
    const how = readPadding(settings, { padding, max_length, truncation, pad_to_multiple_of: settings.hop_length });
    if (isChanged) return undefined;
    return waveSteps(how, (data, mask) => ({
      ...(how.strategy !== 'do_not_pad' && { padding_mask: tensor('int32', mask, [1, mask.length]) }),
      input_values: tensor('float32', data, [1, 1, data.length]),
    }));
  },
});

/**
 * Steps that give samples as they come, and the padding at the end.
 * @param {Padding} padding
 * @param {(data: Float32Array, mask: Int32Array) => any} toOutputs
 * @returns {StreamSteps | undefined}
 */
function waveSteps(padding, toOutputs) {
  if (padding.isLeft) return undefined;
  const cut = padding.truncation ? roundUp(/** @type {number} */ (padding.limit), padding.multiple) : Infinity;
  let received = 0;
  return {
    push(samples) {
      const data = samples.slice(0, Math.max(0, cut - received));
      received += data.length;
      return data.length > 0 ? toOutputs(data, new Int32Array(data.length).fill(1)) : undefined;
    },
    end() {
      const more = paddedLength(received, padding) - received;
      return more > 0
        ? toOutputs(newFloats('padded audio', more).fill(padding.value), new Int32Array(more))
        : undefined;
    },
  };
}

/**
 * @param {Settings} settings
 * @param {readonly Waveform[]} batch
 * @param {CallOptions} options
 */
function dacOutputs(settings, batch, options) {
  const { padding = true, max_length, truncation } = options;
  const how = { padding, max_length, truncation, pad_to_multiple_of: settings.hop_length };
  const padded = padChannels(batch, readPadding(settings, how));
  return {
    ...(padding &&
      padding !== 'do_not_pad' && {
        padding_mask: batchOf(
          'int32',
          padded.map(({ items: [item] }) => maskOf(item)),
        ),
      }),
    input_values: batchOf('float32', padded),
  };
}

export const Dac = dac({});

/** PeAudio reflects up to a whole hop. */
export const PeAudio = dac({ sampling_rate: 48000, hop_length: 1920 }, (samples, { hop_length: hop }) => {
  const { length } = samples;
  const whole = roundUp(length, hop);
  if (whole === length) return samples;
  const padded = newFloats('padded audio', whole);
  padded.set(samples);
  const period = Math.max(1, 2 * length - 2);
  for (let i = length; i < whole; i++) padded[i] = samples[Math.min(i % period, period - (i % period))];
  return padded;
});

/** @type {Row} */
export const Dia = {
  ...dac({}),
  hasChannels: true,
  stream: undefined,
  make({ settings, batch, options }) {
    if (options.padding && options.truncation) rangeError('padding and truncation must not both be on');
    const isStereo = settings.feature_size === 2;
    const mixed = batch.map((one) => ({
      channels:
        isStereo && one.channels.length === 2
          ? [meanOfChannels(/** @type {Float32Array[]} */ (one.channels))]
          : [monoOf([one])[0]],
    }));
    const outputs = dacOutputs(settings, mixed, options);
    if (outputs.padding_mask) return outputs;
    const masks = mixed.map(({ channels: [{ length }] }) => ({ data: new Int32Array(length).fill(1), dims: [length] }));
    return { padding_mask: batchOf('int32', masks), ...outputs };
  },
};

/** @type {Row} */
export const MuseSpark = {
  axes: { input_values: 1, input_values_mask: 1 },
  defaults: { feature_size: 1, sampling_rate: 24000, samples_per_token: 1920, return_attention_mask: true },
  options: [...padOptions, 'return_attention_mask'],
  prepare: () => undefined,
  make({ settings, batch, options }) {
    const how = { padding: 'longest', pad_to_multiple_of: settings.samples_per_token };
    const items = padItems(
      monoOf(batch).map((data) => ({ data })),
      readPadding(settings, options, how),
    );
    return {
      input_values: batchOf('float32', plain(items)),
      ...(wantsMask(settings, options) && { input_values_mask: batchOf('int32', items.map(maskOf)) }),
    };
  },
  stream: ({ settings, options }) => {
    const how = { padding: 'longest', pad_to_multiple_of: settings.samples_per_token };
    return waveSteps(readPadding(settings, options, how), (data, mask) => ({
      input_values: tensor('float32', data, [1, data.length]),
      ...(wantsMask(settings, options) && { input_values_mask: tensor('int32', mask, [1, mask.length]) }),
    }));
  },
};

/**
 * Voices for speech synthesis: padded to a multiple, [batch, 1, n].
 * @param {Settings} settings
 * @param {readonly Float32Array[]} waves
 * @param {CallOptions} options
 */
function voiceOutputs(settings, waves, { padding, max_length, pad_to_multiple_of, return_attention_mask }) {
  const multiple = pad_to_multiple_of ?? settings.pad_to_multiple_of;
  const how = readPadding(settings, { padding: padding ?? true, max_length, pad_to_multiple_of: multiple });
  const items = padItems(
    waves.map((data) => ({ data })),
    how,
  );
  return {
    input_values: stackOf(
      'float32',
      items.map((item) => ({ data: ownData(item), dims: [1, item.length] })),
    ),
    ...((return_attention_mask ?? true) && { padding_mask: stackOf('int32', items.map(maskOf)) }),
  };
}

/** @type {Row} */
export const VibeVoiceAcousticTokenizer = {
  axes: { input_values: 2, padding_mask: 1 },
  defaults: {
    feature_size: 1,
    sampling_rate: 24000,
    normalize_audio: true,
    target_dB_FS: -25,
    eps: 1e-6,
    pad_to_multiple_of: 3200,
    return_attention_mask: true,
  },
  options: ['padding', 'max_length', 'pad_to_multiple_of', 'return_attention_mask'],
  prepare: () => undefined,
  make({ settings, batch, options }) {
    const { normalize_audio: normalizes, target_dB_FS: target, eps } = settings;
    const waves = monoOf(batch).map((samples) => (normalizes ? leveled(samples, target, eps) : samples));
    return voiceOutputs(settings, waves, options);
  },
};

/**
 * Samples at a level in decibels below full scale, and not above full scale.
 * @param {Float32Array} samples
 * @param {number} target
 * @param {number} eps
 */
function leveled(samples, target, eps) {
  const result = samples.slice();
  const rms = Math.fround(Math.sqrt(reduceNumbers(samples, 'wideSquares') / samples.length));
  const small = Math.fround(eps);
  const factor = Math.fround(Math.fround(powerOf(10, target / 20)) / Math.fround(rms + small));
  mapNumbers(result, maps.multiply, [factor]);
  const top = reduceNumbers(result, 'largest');
  if (top > 1) mapNumbers(result, maps.standardize, [0, Math.fround(top + small)]);
  return result;
}

/** @type {Row} */
export const PocketTTS = {
  axes: { input_values: 2, padding_mask: 1 },
  defaults: {
    feature_size: 1,
    sampling_rate: 24000,
    frame_size: 1920,
    pad_to_multiple_of: 1920,
    end_on_pause: true,
    pause_duration: 0.08,
    fade_out_duration: 0.02,
    silence_floor_db: 35,
    analysis_frame_duration: 0.02,
    return_attention_mask: true,
  },
  options: ['padding', 'max_length', 'pad_to_multiple_of', 'return_attention_mask', 'end_on_pause'],
  prepare: () => undefined,
  make({ settings, batch, options }) {
    const ends = options.end_on_pause ?? settings.end_on_pause;
    const waves = monoOf(batch).map((samples) => (ends ? endedOnPause(samples, settings) : samples));
    return voiceOutputs(settings, waves, options);
  },
};

/**
 * A voice that ends after its last loud frame, fades out, and pauses.
 * @param {Float32Array} samples
 * @param {Settings} settings
 */
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
  const result = newFloats('padded audio', end + Math.floor(pause * rate));
  result.set(samples.subarray(0, end));
  fadeOut(result.subarray(end - Math.min(Math.floor(fade * rate), end), end));
  return result;
}
