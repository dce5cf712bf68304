/** CLAP: one mel spectrogram, or four maps of audio that is longer than the model's. */
import { countFrom, rangeError, readEntries, readText, readWord } from '../../arguments/index.js';
import { resizeRows } from '../../engines/audio/index.js';
import { monoOf } from '../audio.js';
import { halfFramePadding, checkSamples, featuresOf } from '../frames.js';
import { spectrumOf } from '../rows.js';
import { allocateNumbers, stackOf, tensor } from '../tensors.js';

/** @import { Spectrum, SpectrumSettings } from '../../engines/audio/types.js' */
/** @import { Features, Row, Settings, StreamCall } from '../types.js' */

/** Makes the tables of CLAP's two spectrograms, in decibels of power: without fusion, and with it.
 * @type {(settings: Settings) => { plain: Spectrum, fusion: Spectrum }} */
function clapSpectra(settings) {
  /** @type {Partial<SpectrumSettings>} Filters of the HTK scale and of height 1. */
  const fusion = {
    frameLength: settings.fft_window_size,
    low: settings.frequency_min,
    high: settings.frequency_max,
    narrowBins: true, // rounded to complex64
    floor: 1e-10,
    logarithm: 'dB',
    factor: 10,
    least: 1e-10, // so decibels are 10 * log10(max(mel, 1e-10))
  };
  const plain = spectrumOf(settings, { ...fusion, slaneyNorm: true, melScale: 'slaney' });
  return { plain, fusion: spectrumOf(settings, fusion) };
}

/** Reads an option that is true, false or a word. The call checks which word where it uses it.
 * @type {(name: string, value: unknown) => boolean | string} */
const flagOrWord = (name, value) => (typeof value === 'boolean' ? value : readText(name, value));

/** Counts the copies of a waveform that the word `padding` asks for, the last of which may be cut off. `wholeCopies`:
 * how many fit whole.
 * @type {(padding: unknown, wholeCopies: number) => number} */
function countCopies(padding, wholeCopies) {
  if (padding === 'repeatpad') return wholeCopies;
  if (padding === 'repeat') return wholeCopies + 1;
  return 1;
}

/** Pads a waveform to `limit` samples, with copies of itself, if the word `padding` says so, and then zeros. A waveform
 * that is long enough is returned as it is; an empty one, which nothing can repeat, is refused.
 * @type {<T extends Float32Array | Float64Array>(samples: T, limit: number, padding: unknown) => T} */
function padForClap(samples, limit, padding) {
  const { length } = samples;
  if (length >= limit) return samples;
  checkSamples(length, 1);
  const copies = countCopies(padding, Math.floor(limit / length));
  const Class = /** @type {new (length: number) => typeof samples} */ (samples.constructor);
  const padded = allocateNumbers('padded audio', limit, Class);
  for (let i = 0; i < copies; i++) {
    const begin = i * length;
    padded.set(samples.subarray(0, limit - begin), begin);
  }
  return padded;
}

/** Chooses where cut-out `index` of a waveform begins, in samples or frames: at the caller's offset, any from 0 to
 * `last`, or, without one, at a random place of the range, whose ends are included; by default the same as the
 * caller's.
 * @type {(offsets: readonly number[] | undefined, index: number, last: number, range?: PlaceRange) => number} */
function chooseOffset(offsets, index, last, { from, to } = { from: 0, to: last }) {
  const offset = offsets?.[index];
  if (offset === undefined) {
    const places = to - from + 1;
    return from + Math.floor(Math.random() * places);
  }
  const isPlace = Number.isInteger(offset) && offset >= 0 && offset <= last;
  if (!isPlace) rangeError(`offsets[${index}] must be from 0 to ${last}, got ${offset}`);
  return offset;
}

/** The first and the last place where a cut-out may begin.
 * @typedef {{ from: number, to: number }} PlaceRange */

/** Cuts `count` places into thirds. As by np.array_split, the first thirds are longer by 1 if 3 does not divide the
 * count. An empty third is place 0.
 * @type {(count: number) => PlaceRange[]} */
function thirdsOf(count) {
  let next = 0;
  return [0, 1, 2].map((i) => {
    const isLonger = i < count % 3;
    const size = Math.floor(count / 3) + (isLonger ? 1 : 0);
    const from = next;
    next += size;
    return size > 0 ? { from, to: next - 1 } : { from: 0, to: 0 };
  });
}

/** Maps of a fusion: the whole spectrogram and one cut-out from each third of it. */
const mapCount = 4;

/** Makes CLAP's fusion of a spectrogram [frames, width] with more than `chunk` frames. The result is [4, chunk, width]:
 * the whole spectrogram shrunk to `chunk` frames, then `chunk` frames from each third of the places where they may
 * begin.
 * @type {(features: Features, chunk: number, offsets: readonly number[] | undefined) => Float32Array} */
function fusionMaps({ data, frames, width }, chunk, offsets) {
  // Python shrinks to 64 mels, whatever `feature_size` is, and then fails to stack maps of two sizes.
  if (width !== 64) rangeError(`feature_size must be 64 where audio is fused, got ${width}`);
  const maps = allocateNumbers('the features', mapCount * chunk * width);
  maps.set(resizeRows(data, [frames, width], [chunk, width]));
  const lastPlace = frames - chunk;
  thirdsOf(lastPlace + 1).forEach((third, i) => {
    const firstFrame = chooseOffset(offsets, i, lastPlace, third);
    const mapIndex = i + 1; // behind the shrunk map
    maps.set(data.subarray(firstFrame * width, (firstFrame + chunk) * width), mapIndex * chunk * width);
  });
  return maps;
}

/** Cuts a waveform to at most `limit` samples. With fusion it stays whole, because the spectrogram is cut instead.
 * @type {(samples: Float32Array, limit: number, isFusion: boolean, offsets: readonly number[] | undefined) =>
 *   Float32Array} */
function cutForClap(samples, limit, isFusion, offsets) {
  if (isFusion || samples.length <= limit) return samples;
  const start = chooseOffset(offsets, 0, samples.length - limit);
  return samples.subarray(start, start + limit);
}

/** Gives the two tables that `clapSpectra` made for a call. The type of `prepared` is the one table of other classes.
 * @type {(call: StreamCall) => ReturnType<typeof clapSpectra>} */
const preparedSpectra = ({ prepared }) =>
  /** @type {ReturnType<typeof clapSpectra>} */ (/** @type {unknown} */ (prepared));

/** Repeats a spectrogram [frames, width] to the form of a fusion, [4, frames, width].
 * @type {(features: Features) => Float32Array} */
function repeatMap({ data }) {
  const maps = allocateNumbers('the features', mapCount * data.length);
  for (let i = 0; i < mapCount; i++) maps.set(data, i * data.length);
  return maps;
}

/** Reads how a call changes the lengths of waveforms: the words for longer and for shorter ones, and the length in
 * samples. Its options win over the file. `padding` may be false.
 * @type {(call: StreamCall) => { truncation: unknown, padding: unknown, limit: number }} */
function readLengths({ options, truncation, padding, max_length_s: seconds, sampling_rate: rate }) {
  // True and none both stand for the word of the file.
  const isWordOfFile = options.padding === undefined || options.padding === true;
  return {
    truncation: options.truncation ?? truncation,
    padding: isWordOfFile ? padding : options.padding,
    limit: options.max_length || seconds * rate,
  };
}

/** Makes the features of one waveform, padded or cut to `max_length` samples: [1, frames, width] or, with the
 * truncation 'fusion', four maps [4, frames, width], which are all alike if the waveform needs no cut. `isLonger`: the
 * waveform's value in the output `is_longer`.
 * @type {(call: StreamCall, samples: Float32Array) => { data: Float32Array, dims: number[], isLonger: boolean }} */
function clapItem(call, samples) {
  const { options } = call;
  const { truncation, padding, limit } = readLengths(call);
  const isFusion = truncation === 'fusion';
  const isLonger = samples.length > limit;
  // Python looks at the word only where it has to cut.
  if (isLonger) readWord('truncation', ['fusion', 'rand_trunc'], truncation);
  const part = cutForClap(samples, limit, isFusion, options.offsets);
  const wave = padForClap(part, limit, padding);
  const { plain, fusion } = preparedSpectra(call);
  const spectrum = isFusion ? fusion : plain;
  const mels = featuresOf(spectrum, wave, halfFramePadding(spectrum));
  const { data, frames, width } = mels;
  if (!isFusion) return { data, dims: [1, frames, width], isLonger };
  // Centered frames begin at samples 0, hop, 2 hops and so on.
  const framesOfLimit = Math.floor(limit / call.hop_length) + 1;
  // Audio that is longer by less than a hop has no frame more, so Python does not count it as longer.
  const hasMoreFrames = isLonger && frames !== framesOfLimit;
  const maps = hasMoreFrames ? fusionMaps(mels, framesOfLimit, options.offsets) : repeatMap(mels);
  const mapFrames = hasMoreFrames ? framesOfLimit : frames;
  return { data: maps, dims: [mapCount, mapFrames, width], isLonger: hasMoreFrames };
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
    keepsFloat64: true,
    prepare: clapSpectra,
    /** Makes `input_features`, [batch, maps, frames, mels], and `is_longer`, [batch, 1]. */
    makeOutputs(call) {
      const items = monoOf(call.batch).map((samples) => clapItem(call, samples));
      const isFusion = readLengths(call).truncation === 'fusion';
      // Python marks a random item of a batch without long audio; here it is the first.
      if (isFusion && !items.some(({ isLonger }) => isLonger)) items[0].isLonger = true;
      const longer = Uint8Array.from(items, ({ isLonger }) => Number(isLonger));
      return { input_features: stackOf('float32', items), is_longer: tensor('bool', longer, [items.length, 1]) };
    },
  },
};
