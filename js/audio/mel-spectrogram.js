/** Mel spectrograms and cepstra with the defaults of librosa and of torchaudio. */
import { named, rangeError, readFinite, readFlag, readOptions, readWord, show } from '../arguments/index.js';
import {
  cepstraOf,
  decibelsOf,
  limitRange,
  makeSpectrum,
  mapNumbers,
  ready,
  scaleWords,
} from '../engines/audio/index.js';
import { monoOf, rateOf, readWaveform } from './audio.js';
import { features, featuresOf, flipped } from './frames.js';
import { readCount } from './mel-filter-bank.js';
import { padModes } from './spectrogram.js';
import { newNumbers, tensor } from './tensors.js';

/** @import { PadMode } from '../engines/audio/types.js' */
/** @import { Tensor } from '../tensor/index.js' */
/** @import { AudioLike } from './audio.js' */
/** @import { Features } from './types.js' */

/**
 * @typedef {object} MelSpectrogramOptions
 * @property {'librosa' | 'torchaudio'} preset whose defaults
 * @property {number} [sampling_rate] in hertz: 22050 or 16000 if neither this nor the audio's rate is given
 * @property {number} [n_fft] 2048 or 400
 * @property {number} [win_length] `n_fft` if omitted
 * @property {number} [hop_length] 512, or half a window
 * @property {number} [n_mels] 128
 * @property {number} [f_min] in hertz: 0
 * @property {number} [f_max] in hertz: half of the rate
 * @property {number} [power] 2; 1 is the magnitude
 * @property {'slaney' | null} [norm] slaney or null
 * @property {'htk' | 'slaney'} [mel_scale] slaney or htk
 * @property {boolean} [center] true
 * @property {PadMode} [pad_mode] constant or reflect
 */

const presets = {
  librosa: {
    sampling_rate: 22050,
    n_fft: 2048,
    hop_length: 512,
    n_mfcc: 20,
    norm: 'slaney',
    mel_scale: 'slaney',
    pad_mode: 'constant',
  },
  torchaudio: { sampling_rate: 16000, n_fft: 400, n_mfcc: 40, norm: null, mel_scale: 'htk', pad_mode: 'reflect' },
};
const names = [
  ...['preset', 'sampling_rate', 'n_fft', 'win_length', 'hop_length', 'n_mels', 'f_min', 'f_max', 'power', 'norm'],
  ...['mel_scale', 'center', 'pad_mode'],
];

/** Mel energies [frames, filters] or [filters, frames], and the options with their defaults.
 * @type {(audio: AudioLike, given: any, byColumns: boolean) => { made: Features, options: any }} */
function melsOf(audio, given, byColumns) {
  ready();
  const preset = readWord('preset', /** @type {const} */ (['librosa', 'torchaudio']), given.preset) ?? 'torchaudio';
  const waveform = readWaveform('audio', audio);
  const [samples] = monoOf([waveform]);
  const stated = Object.entries(given).filter(([, value]) => value !== undefined);
  /** @type {any} */
  const options = { n_mels: 128, f_min: 0, power: 2, ...presets[preset], ...Object.fromEntries(stated) };
  options.sampling_rate = rateOf('audio', waveform.rate, given.sampling_rate) ?? presets[preset].sampling_rate;
  const frameLength = readCount('n_fft', options.n_fft);
  const windowLength = readCount('win_length', options.win_length ?? frameLength);
  readFinite('sampling_rate', options.sampling_rate);
  if (options.power !== 1 && options.power !== 2) rangeError(`power must be 1 or 2, got ${show(options.power)}`);
  const spectrum = makeSpectrum({
    frameLength,
    hop: readCount('hop_length', options.hop_length ?? Math.floor(windowLength / 2)),
    window: 'hann',
    windowLength,
    filters: readCount('n_mels', options.n_mels),
    low: readFinite('f_min', options.f_min),
    high: readFinite('f_max', options.f_max ?? options.sampling_rate / 2),
    rate: options.sampling_rate,
    slaneyNorm: readWord('norm', ['slaney'], options.norm ?? undefined) === 'slaney',
    melScale: readWord('mel_scale', scaleWords.slice(0, 2), options.mel_scale),
    energy: options.power === 1 ? 'magnitude' : 'power',
  });
  const mode = readWord('pad_mode', padModes, options.pad_mode);
  const left = readFlag('center', options.center, true) ? Math.floor(frameLength / 2) : 0;
  return { made: featuresOf(spectrum, samples, { left, mode, byColumns }), options };
}

/**
 * Mel energies, as librosa's `feature.melspectrogram` and torchaudio's `MelSpectrogram` make them, within 4e-6 of the
 * largest. They compute in float32; here one rounding ends float64 arithmetic. `powerToDb` gives decibels.
 * @param {AudioLike} audio
 * @param {MelSpectrogramOptions} options
 * @returns {Tensor} float32 [n_mels, frames]
 * @example
 * await init();
 * melSpectrogram(new Float32Array(16000), { preset: 'torchaudio' }).dims; // [128, 81]
 */
export function melSpectrogram(audio, options) {
  return named('melSpectrogram', () => {
    const { made } = melsOf(audio, readOptions(options, names), true);
    return tensor('float32', made.data, made.dims);
  });
}

/**
 * Mel cepstra: the orthonormal DCT of mel energies in decibels, of which none is more than 80 below the largest, as
 * librosa's `feature.mfcc` and torchaudio's `MFCC` make them, within 1e-5 of the largest.
 * @param {AudioLike} audio
 * @param {MelSpectrogramOptions & { n_mfcc?: number, log_mels?: boolean }} options `n_mfcc`: 20 with librosa, 40 with
 *   torchaudio if omitted; `log_mels`: ln(energy + 1e-6) instead of decibels
 * @returns {Tensor} float32 [n_mfcc, frames]
 * @example
 * await init();
 * mfcc(new Float32Array(16000), { preset: 'librosa' }).dims; // [20, 32]
 */
export function mfcc(audio, options) {
  return named('mfcc', () => {
    const { made, options: read } = melsOf(audio, readOptions(options, [...names, 'n_mfcc', 'log_mels']), false);
    const { frames, width } = made;
    const count = readCount('n_mfcc', read.n_mfcc);
    if (count > width) rangeError(`n_mfcc must be at most n_mels ${width}, got ${count}`);
    if (readFlag('log_mels', read.log_mels, false)) mapNumbers(made.data, 'logarithm', [1e-6]);
    else {
      const wide = new Float64Array(made.data);
      decibelsOf(wide, 10, 1e-10, 0);
      limitRange(wide, 80);
      made.data.set(wide);
    }
    const cepstra = cepstraOf(made.data, frames, width, count, newNumbers('the cepstra', frames * count));
    const { data, dims } = flipped(features(cepstra, frames, count));
    return tensor('float32', data, dims);
  });
}
