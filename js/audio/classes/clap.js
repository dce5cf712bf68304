/** CLAP: one mel spectrogram, or four maps of audio that is longer than the model's. */
import { countFrom, rangeError, readEntries, readText, readWord } from '../../arguments/index.js';
import { resizeRows } from '../../engines/audio/index.js';
import { monoOf } from '../audio.js';
import { centered, checkSamples, featuresOf } from '../frames.js';
import { spectrumOf } from '../rows.js';
import { allocateNumbers, stackOf, tensor } from '../tensors.js';

/** @import { Spectrum } from '../../engines/audio/types.js' */
/** @import { Features, Row, Settings, StreamCall } from '../types.js' */

/** Makes the tables of CLAP's two spectrograms, in decibels of power: first the one without fusion, whose filters have
 * Slaney's mel scale and the area 1, then the one with fusion, whose filters have the HTK scale and the height 1.
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

/** Pads a waveform to `limit` samples. `padding` 'repeatpad' writes as many whole copies of the waveform as fit,
 * 'repeat' also a part of one more, any other word one copy; zeros follow. A waveform that is long enough is returned
 * as it is; an empty one, which nothing can repeat, is refused.
 * @type {<T extends Float32Array | Float64Array>(samples: T, limit: number, padding: string) => T} */
function clapPadded(samples, limit, padding) {
  const { length } = samples;
  if (length >= limit) return samples;
  checkSamples(length, 1);
  const copies = Math.floor(limit / length);
  // The last copy of 'repeat' is cut off at the end of the array.
  const times = { repeat: copies + 1, repeatpad: copies }[padding] ?? 1;
  const Class = /** @type {new (length: number) => typeof samples} */ (samples.constructor);
  const padded = allocateNumbers('padded audio', limit, Class);
  for (let i = 0; i < times; i++) padded.set(samples.subarray(0, limit - i * length), i * length);
  return padded;
}

/** Gives the place where a part is cut out, in samples or frames: number `index` of the caller's `offsets`, which may
 * be from 0 to `to`; without one, a random whole number from `from` to `to`, both included.
 * @type {(offsets: readonly number[] | undefined, index: number, from: number, to: number) => number} */
function offsetOf(offsets, index, from, to) {
  const offset = offsets?.[index];
  if (offset === undefined) return from + Math.floor(Math.random() * (to - from + 1));
  if (!(Number.isInteger(offset) && offset >= 0 && offset <= to))
    rangeError(`offsets[${index}] must be from 0 to ${to}, got ${offset}`);
  return offset;
}

/** Makes CLAP's fusion of a spectrogram [frames, width] with more than `chunk` frames. The result is [4, chunk, width]:
 * the whole spectrogram shrunk to `chunk` frames, then `chunk` frames from each third of the places where they may
 * begin. Each begins at a random place of its third or at one of the caller's `offsets`, which may name any place.
 * @type {(features: Features, chunk: number, offsets: readonly number[] | undefined) => Float32Array} */
function fusionMaps({ data, frames, width }, chunk, offsets) {
  // Python shrinks to 64 mels, whatever `feature_size` is, and then fails to stack maps of two sizes.
  if (width !== 64) rangeError(`feature_size must be 64 where audio is fused, got ${width}`);
  const maps = allocateNumbers('the features', 4 * chunk * width);
  maps.set(resizeRows(data, [frames, width], [chunk, width]));
  const places = frames - chunk + 1;
  let begin = 0;
  for (let i = 0; i < 3; i++) {
    // Thirds as np.array_split cuts them: the first ones are longer by 1. An empty third stands for place 0.
    const size = Math.floor(places / 3) + (i < places % 3 ? 1 : 0);
    const [from, to] = size ? [begin, begin + size - 1] : [0, 0];
    const at = offsetOf(offsets, i, from, offsets?.[i] === undefined ? to : frames - chunk);
    maps.set(data.subarray(at * width, (at + chunk) * width), (i + 1) * chunk * width);
    begin += size;
  }
  return maps;
}

/** Makes the features of one waveform, padded or cut to `max_length` samples: [1, frames, width] without fusion,
 * [4, frames, width] with it. The four maps are equal unless the waveform is longer. `isLonger`: whether it is, as the
 * output `is_longer` has it.
 * @type {(call: StreamCall, samples: Float32Array) => { data: Float32Array, dims: number[], isLonger: boolean }} */
function clapItem(call, samples) {
  const { options } = call;
  const truncation = options.truncation ?? call.truncation;
  // `padding: true` means the word that the configuration has.
  const padding = (options.padding ?? true) === true ? call.padding : options.padding;
  const limit = options.max_length || call.max_length_s * call.sampling_rate;
  const isFusion = truncation === 'fusion';
  const isLonger = samples.length > limit;
  // Python looks at the word only where it has to cut.
  if (isLonger) readWord('truncation', ['fusion', 'rand_trunc'], truncation);
  // Fusion computes the spectrogram of the whole waveform and cuts that; otherwise the waveform is cut.
  const at = isLonger && !isFusion ? offsetOf(options.offsets, 0, 0, samples.length - limit) : 0;
  const wave = clapPadded(isFusion ? samples : samples.subarray(at, at + limit), limit, padding);
  const spectra = /** @type {Spectrum[]} */ (/** @type {unknown} */ (call.prepared));
  const spectrum = spectra[Number(isFusion)];
  const mel = featuresOf(spectrum, wave, centered(spectrum));
  const { data, frames, width } = mel;
  if (!isFusion) return { data, dims: [1, frames, width], isLonger };
  // The number of frames of `limit` samples: centered frames begin at 0, hop, 2 hops and so on.
  const chunk = Math.floor(limit / call.hop_length) + 1;
  if (isLonger && frames !== chunk)
    return { data: fusionMaps(mel, chunk, options.offsets), dims: [4, chunk, width], isLonger };
  // Audio that is longer by less than a hop has no more frames than `chunk`, so Python does not count it as longer.
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
    /** Makes `input_features`, [batch, maps, frames, mels], and `is_longer`, [batch, 1]: which waveforms were
     * longer. */
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
