/** Audio that callers hand in. */
import {
  copyList,
  named,
  rangeError,
  readCount,
  readFinite,
  show,
  showClass,
  typedArrayName,
  typeError,
} from '../arguments/index.js';
import { mapNumbers, meanOfChannels, ready } from '../engines/audio/index.js';
import { checkAttached, checkNumbers, allocateNumbers } from './tensors.js';

/**
 * One waveform: its channels, of one length, and its rate if it carries one.
 * @template {Float32Array | Float64Array} [Numbers=Float32Array | Float64Array]
 * @typedef {{ channels: Numbers[], rate?: number }} Waveform
 */

/** @typedef {Float32Array | Float64Array | Int16Array | readonly number[]} Samples */
/** @typedef {{ channelData: readonly Samples[], sampleRate?: number }} DecodedAudio */
/**
 * @typedef {{ numberOfChannels: number, sampleRate: number, getChannelData: (channel: number) => Float32Array
 *   }} AudioBufferLike
 */
/**
 * @typedef {object} PlaneOptions
 * @property {number} planeIndex The channel that is copied, from 0 on.
 * @property {'f32-planar'} format The form of the samples: float32, one channel after the other.
 */
/**
 * @typedef {{ numberOfChannels: number, numberOfFrames: number, sampleRate: number, copyTo: (to: Float32Array,
 *   options: PlaneOptions) => void }} AudioDataLike
 */
/** @typedef {Samples | DecodedAudio | AudioBufferLike | AudioDataLike} AudioLike */

/** The most channels: a WAV header has 16 bits for their number. */
const mostChannels = 2 ** 16;

/** Reads samples of a typed array or a list as float32; int16 is divided by 2^15. With `keepsFloat64`, float64 stays
 * and lists become float64. Floats are not copied where their type stays. `argument`: the name in messages.
 * @type {(argument: string, value: unknown, keepsFloat64: boolean) => Float32Array | Float64Array} */
function readSamples(argument, value, keepsFloat64) {
  const name = typedArrayName(value);
  const samples = /** @type {Float32Array} */ (value);
  if (name) checkAttached(argument, samples);
  if (name === 'Float32Array') return samples;
  if (name === 'Int16Array') {
    const floats = new Float32Array(samples);
    mapNumbers(floats, 'multiply', [2 ** -15]);
    return floats;
  }
  if (name === 'Float64Array') return keepsFloat64 ? samples : new Float32Array(samples);
  if (Array.isArray(value)) {
    checkNumbers(argument, value);
    return keepsFloat64 ? new Float64Array(value) : new Float32Array(value);
  }
  return typeError(
    `${argument} must be a Float32Array, a Float64Array, an Int16Array or numbers, got ${showClass(value)}`,
  );
}

/** @type {(argument: string, rate: unknown) => number | undefined} */
function readRate(argument, rate) {
  if (rate === undefined || rate === null) return undefined;
  const number = readFinite(argument, rate);
  return number > 0 ? number : rangeError(`${argument} must be positive, got ${number}`);
}

/** @type {(argument: string, audio: { channelData: unknown, sampleRate?: unknown }, keepsFloat64: boolean) =>
 *   Waveform} */
function readChannels(argument, audio, keepsFloat64) {
  const { channelData, sampleRate } = audio;
  if (!Array.isArray(channelData)) typeError(`${argument} channelData must be a list, got ${showClass(channelData)}`);
  if (channelData.length === 0) rangeError(`${argument} channelData must have a channel, got []`);
  const list = copyList(`${argument} channelData`, channelData, mostChannels);
  const channels = list.map((samples, i) => readSamples(`${argument} channelData[${i}]`, samples, keepsFloat64));
  const lengths = [...new Set(channels.map(({ length }) => length))];
  if (lengths.length > 1)
    rangeError(`${argument} channels must have one length, got ${lengths[0]} and ${lengths[1]} samples`);
  return { channels, rate: readRate(`${argument} sampleRate`, sampleRate) };
}

/** Reads one waveform of any form that callers may pass: samples, which are one channel without a rate, decoded audio,
 * an AudioBuffer or an AudioData.
 * @type {(argument: string, audio: unknown, keepsFloat64?: boolean) => Waveform} */
export function readWaveform(argument, audio, keepsFloat64 = false) {
  if (ArrayBuffer.isView(audio) || Array.isArray(audio))
    return { channels: [readSamples(argument, audio, keepsFloat64)] };
  const source = /** @type {DecodedAudio & AudioBufferLike & AudioDataLike} */ (audio ?? {});
  if (source.channelData !== undefined) return readChannels(argument, source, keepsFloat64);
  const { sampleRate } = source;
  const isAudioBuffer = typeof source.getChannelData === 'function';
  const isAudioData = !isAudioBuffer && typeof source.copyTo === 'function';
  if (!isAudioBuffer && !isAudioData)
    typeError(
      `${argument} must be samples, { channelData, sampleRate }, an AudioBuffer or an AudioData, got ${show(audio)}`,
    );
  const length = readCount(`${argument} numberOfChannels`, source.numberOfChannels, 1, mostChannels);
  const readChannel = (/** @type {number} */ i) =>
    isAudioBuffer ? source.getChannelData(i) : copyChannel(argument, source, i);
  const channelData = Array.from({ length }, (_, i) => readChannel(i));
  return readChannels(argument, { channelData, sampleRate }, keepsFloat64);
}

/** @type {(argument: string, source: AudioDataLike, planeIndex: number) => Float32Array} */
function copyChannel(argument, source, planeIndex) {
  const frames = readCount(`${argument} numberOfFrames`, source.numberOfFrames);
  const samples = allocateNumbers('a channel', frames);
  source.copyTo(samples, { planeIndex, format: 'f32-planar' });
  return samples;
}

/** Reads a list of waveforms, or a single one as a batch of one. A list that is empty or begins with a number is a
 * single waveform.
 * @type {(argument: string, audio: unknown, keepsFloat64?: boolean) => Waveform[]} */
export function readBatch(argument, audio, keepsFloat64 = false) {
  const isList = Array.isArray(audio) && audio.length > 0 && typeof audio[0] !== 'number';
  if (!isList) return [readWaveform(argument, audio, keepsFloat64)];
  return copyList(argument, audio).map((item, i) => readWaveform(`${argument}[${i}]`, item, keepsFloat64));
}

/** Gives the name by which messages call item `i` of a batch.
 * @type {(batch: readonly unknown[], i: number) => string} */
export const batchName = (batch, i) => (batch.length > 1 ? `audio[${i}]` : 'audio');

/** Gives the rate that the caller states or else the one that the audio carries. Refuses two that differ. `which`: the
 * audio, `name`: the caller's option, in messages.
 * @type {<Rate>(which: string, carried: number | undefined, stated: Rate, name?: string) =>
 *   Rate | number | undefined} */
export function rateOf(which, carried, stated, name = 'sampling_rate') {
  if (carried !== undefined && stated !== undefined && carried !== stated)
    rangeError(`${name} must be that of ${which}, ${carried}, got ${show(stated)}`);
  return stated ?? carried;
}

/** Gives the one channel of each waveform, and refuses waveforms that have another number of channels.
 * @type {<Numbers extends Float32Array | Float64Array>(batch: readonly Waveform<Numbers>[]) => Numbers[]} */
export function monoOf(batch) {
  return batch.map(({ channels }, i) => {
    if (channels.length !== 1)
      rangeError(`${batchName(batch, i)} must have 1 channel, got ${channels.length}: toMono gives their mean`);
    return channels[0];
  });
}

/**
 * The mean over channels in float32: `np.mean` of the array that soundfile reads.
 * @param {AudioLike} audio
 * @returns {{ channelData: [Float32Array], sampleRate: number | undefined }}
 * @example
 * toMono({ channelData: [[0, 1], [1, 0]] }).channelData[0]; // Float32Array [0.5, 0.5]
 */
export function toMono(audio) {
  return named('toMono', () => {
    ready();
    const { channels, rate } = readWaveform('audio', audio);
    const floats = /** @type {Float32Array[]} */ (channels);
    // A single channel is its own mean, and is not copied.
    const mono = floats.length === 1 ? floats[0] : meanOfChannels(floats);
    return { channelData: [mono], sampleRate: rate };
  });
}
