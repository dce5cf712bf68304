/** CLAP: one mel spectrogram, or four maps of audio that is longer than the model's. */
import { countFrom, rangeError, readEntries, readText, readWord } from '../../arguments/index.js';
import { resizeRows } from '../../engines/audio/index.js';
import { monoOf } from '../audio.js';
import { centered, checkSamples, featuresOf } from '../frames.js';
import { spectrumOf } from '../rows.js';
import { allocateNumbers, stackOf, tensor } from '../tensors.js';

/** @import { Spectrum } from '../../engines/audio/types.js' */
/** @import { Features, Row, Settings, StreamCall } from '../types.js' */

/** Makes the tables of CLAP's two spectrograms: without fusion, and with it.
 * @type {(settings: Settings) => Spectrum[]} */
const clapSpectra = (settings) =>
  [false, true].map((isFusion) =>
    spectrumOf(settings, {
      frameLength: settings.fft_window_size,
      low: settings.frequency_min,
      high: settings.frequency_max,
      ...(!isFusion && { slaneyNorm: true, melScale: 'slaney' }),
      narrowBins: true,
      floor: 1e-10,
      logarithm: 'dB',
      factor: 10,
      least: 1e-10,
    }),
  );

/** Reads a boolean or any text: the call checks CLAP's own words where it uses them.
 * @type {(name: string, value: unknown) => boolean | string} */
const flagOrWord = (name, value) => (typeof value === 'boolean' ? value : readText(name, value));

/** Pads a waveform to `limit` samples: 'repeatpad' writes as many whole copies as fit, 'repeat' part of another one,
 * other words one copy; zeros follow. Longer waveforms are returned as such.
 * @type {<T extends Float32Array | Float64Array>(samples: T, limit: number, padding: string) => T} */
function clapPadded(samples, limit, padding) {
  const { length } = samples;
  if (length >= limit) return samples;
  checkSamples(length, 1);
  const copies = Math.floor(limit / length);
  const times = { repeat: copies + 1, repeatpad: copies }[padding] ?? 1;
  const Class = /** @type {new (length: number) => typeof samples} */ (samples.constructor);
  const padded = allocateNumbers('padded audio', limit, Class);
  for (let i = 0; i < times; i++) padded.set(samples.subarray(0, limit - i * length), i * length);
  return padded;
}

/** The offset of a piece: the caller's, from 0 to `to`, or else a random whole number from `from` to `to`.
 * @type {(offsets: readonly number[] | undefined, index: number, from: number, to: number) => number} */
function offsetOf(offsets, index, from, to) {
  const offset = offsets?.[index];
  if (offset === undefined) return from + Math.floor(Math.random() * (to - from + 1));
  if (!(Number.isInteger(offset) && offset >= 0 && offset <= to))
    rangeError(`offsets[${index}] must be from 0 to ${to}, got ${offset}`);
  return offset;
}

/** CLAP's fusion, [4, chunk, width]: the whole spectrogram shrunk to `chunk` frames, then `chunk` frames from each
 * third of it, from a random place or from `offsets`, which may be anywhere.
 * @type {(features: Features, chunk: number, offsets: readonly number[] | undefined) => Float32Array} */
function fusionMaps({ data, frames, width }, chunk, offsets) {
  const maps = allocateNumbers('the features', 4 * chunk * width);
  maps.set(resizeRows(data, [frames, width], [chunk, 64]));
  const places = frames - chunk + 1;
  let begin = 0;
  for (let i = 0; i < 3; i++) {
    // np.array_split: the first thirds have one more. An empty third counts as the first place.
    const size = Math.floor(places / 3) + (i < places % 3 ? 1 : 0);
    const [from, to] = size ? [begin, begin + size - 1] : [0, 0];
    const at = offsetOf(offsets, i, from, offsets ? frames - chunk : to);
    maps.set(data.subarray(at * width, (at + chunk) * width), (i + 1) * chunk * width);
    begin += size;
  }
  return maps;
}

/** Makes the features of one waveform: [1, frames, width], or four maps with fusion, which are equal unless the
 * waveform is longer than the model's.
 * @type {(call: StreamCall, samples: Float32Array) => { data: Float32Array, dims: number[], isLonger: boolean }} */
function clapItem(call, samples) {
  const { options } = call;
  const truncation = options.truncation ?? call.truncation;
  const padding = (options.padding ?? true) === true ? call.padding : options.padding;
  const limit = options.max_length || call.max_length_s * call.sampling_rate;
  const isFusion = truncation === 'fusion';
  const isLonger = samples.length > limit;
  if (isLonger) readWord('truncation', ['fusion', 'rand_trunc'], truncation);
  const at = isLonger && !isFusion ? offsetOf(options.offsets, 0, 0, samples.length - limit) : 0;
  const wave = clapPadded(isFusion ? samples : samples.subarray(at, at + limit), limit, padding);
  const spectra = /** @type {Spectrum[]} */ (/** @type {unknown} */ (call.prepared));
  const spectrum = spectra[Number(isFusion)];
  const mel = featuresOf(spectrum, wave, centered(spectrum));
  const { data, frames, width } = mel;
  if (!isFusion) return { data, dims: [1, frames, width], isLonger };
  const chunk = Math.floor(limit / call.hop_length) + 1;
  if (isLonger && frames !== chunk)
    return { data: fusionMaps(mel, chunk, options.offsets), dims: [4, chunk, width], isLonger };
  const four = allocateNumbers('the features', 4 * data.length);
  for (let i = 0; i < 4; i++) four.set(data, i * data.length);
  return { data: four, dims: [4, frames, width], isLonger: false };
}

/** @type {Record<string, Partial<Row>>} */
export const clap = {
  Clap: {
    axes: { input_features: 2, is_longer: 0 },
    defaults: {
      feature_size: 64,
      sampling_rate: 48000,
      hop_length: 480,
      max_length_s: 10,
      fft_window_size: 1024,
      return_attention_mask: false,
      frequency_min: 0,
      frequency_max: 14000,
      top_db: null,
      truncation: 'fusion',
      padding: 'repeatpad',
    },
    options: { truncation: flagOrWord, padding: flagOrWord, max_length: countFrom(1), offsets: readEntries },
    wide: true,
    prepare: clapSpectra,
    makeOutputs(call) {
      const items = monoOf(call.batch).map((samples) => clapItem(call, samples));
      const isFusion = (call.options.truncation ?? call.truncation) === 'fusion';
      // Python marks a random item of a batch without long audio; here it is the first.
      if (isFusion && !items.some(({ isLonger }) => isLonger)) items[0].isLonger = true;
      const longer = Uint8Array.from(items, ({ isLonger }) => Number(isLonger));
      return { input_features: stackOf('float32', items), is_longer: tensor('bool', longer, [items.length, 1]) };
    },
  },
};
