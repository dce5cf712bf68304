/** Mel spectrograms and cepstra with the defaults of librosa and of torchaudio. */
import * as args from '../arguments/index.js';
import { cepstraOf, makeSpectrum, mapNumbers, ready, melScales } from '../engines/audio/index.js';
import { monoOf, rateOf, readWaveform } from './audio.js';
import { changeToDecibels, decibelFactors } from './decibels.js';
import { features, featuresOf, transposeFeatures } from './frames.js';
import { padModes } from './spectrogram.js';
import { allocateNumbers, tensor } from './tensors.js';

/** @import { PadMode, Spectrum } from '../engines/audio/types.js' */
/** @import { Tensor } from '../tensor/index.js' */
/** @import { AudioLike } from './audio.js' */
/** @import { Features, Settings } from './types.js' */

/**
 * @typedef {object} MelSpectrogramOptions
 * @property {'librosa' | 'torchaudio'} preset The library whose rules and defaults hold.
 * @property {number} [sampling_rate] The rate of audio that carries none, in samples a second. If omitted, 22050 with
 *   librosa and 16000 with torchaudio.
 * @property {number} [n_fft] The length of the transform, in samples. If omitted, 2048 with librosa and 400 with
 *   torchaudio.
 * @property {number} [win_length] The length of the window, in samples: `n_fft` if omitted.
 * @property {number} [hop_length] Samples from one frame to the next. If omitted, 512 with librosa and half a window
 *   with torchaudio.
 * @property {number} [n_mels] The number of mel filters: 128 if omitted.
 * @property {number} [f_min] The lowest frequency of the filters, in hertz: 0 if omitted.
 * @property {number} [f_max] The highest frequency of the filters, in hertz: half of the rate if omitted.
 * @property {number} [power] The exponent of magnitudes: 2, the power, if omitted; 1 for magnitudes.
 * @property {'slaney' | null} [norm] 'slaney' gives each filter the area 1. If omitted, 'slaney' with librosa and null
 *   with torchaudio.
 * @property {'htk' | 'slaney'} [mel_scale] The scale from hertz to mel. If omitted, 'slaney' with librosa and 'htk'
 *   with torchaudio.
 * @property {boolean} [center] Whether frames are centered on their place, with padding in front and behind: true if
 *   omitted.
 * @property {PadMode} [pad_mode] The padding of centered frames. If omitted, 'constant' with librosa and 'reflect' with
 *   torchaudio.
 */

/**
 * @typedef {object} MfccOptions
 * @property {number} [n_mfcc] The number of cepstra, at most `n_mels`. If omitted, 20 with librosa and 40 with
 *   torchaudio.
 * @property {boolean} [log_mels] Whether ln(energy + 1e-6) is taken instead of decibels: false if omitted.
 */

/** The rate of audio where neither it nor the options have one. Not among `presets`: a default there would count as the
 * caller's, which must not differ from the audio's. */
const rates = { librosa: 22050, torchaudio: 16000 };
const presets = {
  librosa: {
    n_fft: 2048,
    hop_length: 512,
    n_mfcc: 20,
    norm: 'slaney',
    mel_scale: 'slaney',
    pad_mode: 'constant',
  },
  torchaudio: { n_fft: 400, n_mfcc: 40, norm: null, mel_scale: 'htk', pad_mode: 'reflect' },
};
const readPreset = args.word(['librosa', 'torchaudio'], 'torchaudio');

/** Reads the exponent of magnitudes.
 * @type {(name: string, value: unknown) => 1 | 2} */
const readPower = (name, value) =>
  value === 1 || value === 2 ? value : args.rangeError(`${name} must be 1 or 2, got ${args.show(value)}`);

/** Where the libraries differ, `presets` has the defaults. */
const table = {
  preset: readPreset,
  sampling_rate: args.number(),
  n_fft: args.count(),
  win_length: args.orNull(args.count()),
  hop_length: args.orNull(args.count()),
  n_mels: args.count(128),
  f_min: args.number(0),
  f_max: args.orNull(args.number()),
  power: args.row(readPower, 2),
  norm: args.orNull(args.word(['slaney'], undefined)),
  mel_scale: args.word(melScales.slice(0, 2), undefined),
  center: args.flag(true),
  pad_mode: args.word(padModes, undefined),
};

const cepstraTable = { ...table, n_mfcc: args.count(), log_mels: args.flag(false) };

/** Computes mel energies, [frames, mels] or, by columns, [mels, frames]. `rows`: the options that the caller may pass;
 * `read`: their values, with the defaults of the preset.
 * @type {(audio: AudioLike, options: any, rows: Record<string, args.Row>, byColumns: boolean) =>
 *   { mels: Features, read: any }} */
function melsOf(audio, options, rows, byColumns) {
  ready();
  const preset = readPreset('preset', args.readOptions(options, Object.keys(rows)).preset);
  const read = args.readTable(options, rows, presets[preset]);
  const waveform = readWaveform('audio', audio);
  const [samples] = monoOf([waveform]);
  const rate = rateOf('audio', waveform.rate, read.sampling_rate) ?? rates[preset];
  const spectrum = melSpectrum(read, rate);
  const left = read.center ? Math.floor(read.n_fft / 2) : 0;
  return { mels: featuresOf(spectrum, samples, { left, mode: read.pad_mode, byColumns }), read };
}

/** Makes the window and the filters of mel energies from the options that were read.
 * @type {(read: Settings, rate: number) => Spectrum} */
function melSpectrum(read, rate) {
  const windowLength = read.win_length ?? read.n_fft;
  return makeSpectrum({
    frameLength: read.n_fft,
    // torchaudio has half a window; librosa's default is among its presets.
    hop: read.hop_length ?? args.readCount('hop_length', Math.floor(windowLength / 2), 1),
    window: 'hann',
    windowLength,
    filters: read.n_mels,
    low: read.f_min,
    high: read.f_max ?? rate / 2,
    rate,
    slaneyNorm: read.norm === 'slaney',
    melScale: read.mel_scale,
    energy: read.power === 1 ? 'magnitude' : 'power',
  });
}

/** Changes mel energies to decibels in place, of which none is more than 80 below the largest. The numbers are those of
 * both libraries.
 * @type {(energies: Float32Array) => void} */
function melsToDecibels(energies) {
  const decibels = new Float64Array(energies);
  changeToDecibels(decibels, { factor: decibelFactors.power, least: 1e-10, reference: 0, range: 80 });
  energies.set(decibels);
}

/**
 * Mel energies, as librosa's `feature.melspectrogram` and torchaudio's `MelSpectrogram` make them, within 4e-6 of the
 * largest. They compute in float32; here one rounding ends float64 arithmetic. `powerToDb` gives decibels.
 * @param {AudioLike} audio
 * @param {MelSpectrogramOptions} options
 * @returns {Tensor} float32 [n_mels, frames]
 * @example
 * melSpectrogram(new Float32Array(16000), { preset: 'torchaudio' }).dims; // [128, 81]
 */
export function melSpectrogram(audio, options) {
  return args.named('melSpectrogram', () => {
    const byColumns = true;
    const { mels } = melsOf(audio, options, table, byColumns);
    return tensor('float32', mels.data, mels.dims);
  });
}

/**
 * Mel cepstra: the orthonormal DCT of mel energies in decibels, of which none is more than 80 below the largest, as
 * librosa's `feature.mfcc` and torchaudio's `MFCC` make them, within 1e-5 of the largest.
 * @param {AudioLike} audio
 * @param {MelSpectrogramOptions & MfccOptions} options
 * @returns {Tensor} float32 [n_mfcc, frames]
 * @example
 * mfcc(new Float32Array(16000), { preset: 'librosa' }).dims; // [20, 32]
 */
export function mfcc(audio, options) {
  return args.named('mfcc', () => {
    const byColumns = false;
    const { mels, read } = melsOf(audio, options, cepstraTable, byColumns);
    const { frames, width } = mels;
    const { n_mfcc: length, log_mels: isLogarithm } = read;
    if (length > width) args.rangeError(`n_mfcc must be at most n_mels ${width}, got ${length}`);
    if (isLogarithm) mapNumbers(mels.data, 'logarithm', [1e-6]);
    else melsToDecibels(mels.data);
    const cepstra = cepstraOf(mels.data, frames, width, length, allocateNumbers('the cepstra', frames * length));
    const { data, dims } = transposeFeatures(features(cepstra, frames, length));
    return tensor('float32', data, dims);
  });
}
