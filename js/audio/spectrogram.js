/** Spectrograms, as transformers' audio_utils has them. */
import * as args from '../arguments/index.js';
import { limitRange, makeSpectrum, ready, wholeSignal, writeFrames } from '../engines/audio/index.js';
import { monoOf, readBatch, readWaveform } from './audio.js';
import { decibelFactors, decibelSettings, decibelTable } from './decibels.js';
import { frameStream, memoryOf } from './frame-stream.js';
import { frameCount, melStride, numbersOfFrame } from './frames.js';
import { allocateNumbers, readDims, readNumbers, tensor } from './tensors.js';

/** @import { PadMode, Spectrum } from '../engines/audio/types.js' */
/** @import { Tensor, TensorLike } from '../tensor/index.js' */
/** @import { DecibelSettings, ReadDecibels } from './decibels.js' */
/** @import { Block } from './frame-stream.js' */
/** @import { StreamOut } from './types.js' */
/** @import { AudioLike } from './audio.js' */

/**
 * The options of transformers' `spectrogram`.
 * @typedef {object} SpectrogramOptions
 * @property {Float64Array | Float32Array | readonly number[]} window The window's numbers, one a sample of a frame.
 * @property {number} frame_length The length of a frame, in samples.
 * @property {number} hop_length Samples from one frame to the next.
 * @property {number | null} [fft_length] The length of the transform, in samples: `frame_length` if omitted.
 * @property {number | null} [power] The exponent of magnitudes: 1 if omitted, 2 for the power; null for complex
 *   numbers.
 * @property {boolean} [center] Whether frames are centered on their place, with padding in front and behind: true if
 *   omitted.
 * @property {PadMode} [pad_mode] The padding of centered frames: 'reflect' if omitted.
 * @property {boolean} [onesided] Whether frequencies above half the rate are left out: true if omitted.
 * @property {number | null} [preemphasis] The share of each sample that is subtracted from the next one: none if
 *   omitted.
 * @property {Pick<TensorLike, 'dims' | 'data'> | null} [mel_filters] A bank of filters, [bins, filters], as
 *   `melFilterBank` makes it: none if omitted.
 * @property {number} [mel_floor] The least result of a filter, before the logarithm: 1e-10 if omitted.
 * @property {'log' | 'log10' | 'dB' | null} [log_mel] The logarithm of the result, natural, of base 10 or in decibels:
 *   none if omitted.
 * @property {number} [reference] With `log_mel` 'dB': the value that is 0 dB, 1 if omitted.
 * @property {number} [min_value] With `log_mel` 'dB': lower values count as this one, 1e-10 if omitted.
 * @property {number | null} [db_range] With `log_mel` 'dB': the highest distance from the maximum, in decibels. Results
 *   below it are raised; none are if omitted.
 * @property {boolean} [remove_dc_offset] Whether the mean of each frame is subtracted from it: false if omitted.
 */

/**
 * @typedef {object} SpectrogramPieceOptions
 * @property {{ spectrogram: TensorLike | ArrayBufferView }} [out] Memory for the part: a tensor or a typed array that
 *   is large enough. The part lies at its beginning.
 */

export const padModes = /** @type {const} */ (['reflect', 'constant', 'edge']);

/** Of samples, as NumPy computes with them. */
const keepsFloat64 = true;

const table = {
  window: readNumbers,
  frame_length: args.countFrom(1),
  hop_length: args.countFrom(1),
  fft_length: args.orNull(args.count()),
  power: args.orNull(args.number(1)),
  center: args.flag(true),
  pad_mode: args.word(padModes, 'reflect'),
  onesided: args.flag(true),
  preemphasis: args.orNull(args.number()),
  mel_filters: args.later,
  mel_floor: args.number(1e-10),
  log_mel: args.orNull(args.word(['log', 'log10', 'dB'], undefined)),
  ...decibelTable,
  remove_dc_offset: args.flag(false),
};

/**
 * A spectrogram that was read.
 * @typedef {object} Reading
 * @property {Spectrum} spectrum
 * @property {'float32' | 'float64' | 'complex64'} type
 * @property {{ left: number, mode: PadMode }} cut
 * @property {number | undefined} range of decibels
 */

/** Reads the option `mel_filters`, a tensor [bins, filters], and refuses other numbers of bins than the transform has.
 * @type {(value: unknown, lengths: { fftLength: number, onesided: boolean }) =>
 *   { weights: Float64Array, filters: number } | undefined} */
function readBank(value, { fftLength, onesided }) {
  if (value === undefined || value === null) return undefined;
  const bins = onesided ? Math.floor(fftLength / 2) + 1 : fftLength;
  const { dims, data } = /** @type {{ dims?: unknown, data?: unknown }} */ (value);
  if (!Array.isArray(dims) || dims.length !== 2)
    args.typeError(`mel_filters must be a tensor [bins, filters], got ${args.show(value)}`);
  if (dims[0] !== bins) args.rangeError(`mel_filters must have ${bins} bins, got ${args.show(dims[0])}`);
  const weights = readNumbers('mel_filters data', data);
  const [, filters] = readDims('mel_filters', dims, weights.length);
  if (filters === 0) args.rangeError('mel_filters must have a filter, got 0');
  return { weights, filters };
}

/** Gives the engine's name for magnitudes to the exponent `power`.
 * @type {(power: number | null) => 'complex' | 'power' | 'magnitude' | 'exponent'} */
function energyOf(power) {
  if (power === null) return 'complex';
  if (power === 2) return 'power';
  return power === 1 ? 'magnitude' : 'exponent';
}

/** Reads which logarithm results get, and the settings of decibels if it is 'dB'. Complex results, whose `power` is
 * null, get none.
 * @type {(power: number | null, read: ReadDecibels & { log_mel: 'log' | 'log10' | 'dB' | null | undefined }) =>
 *   { log: 'log' | 'log10' | 'dB' | null | undefined, decibels?: DecibelSettings }} */
function readLogarithm(power, read) {
  const log = power === null ? null : read.log_mel;
  if (log !== 'dB') return { log };
  if (power !== 1 && power !== 2) args.rangeError(`power must be 1 or 2 with log_mel 'dB', got ${power}`);
  const factor = power === 1 ? decibelFactors.amplitude : decibelFactors.power;
  return { log, decibels: decibelSettings(read, factor) };
}

/** Reads the options of a spectrogram, and makes its windows and filters.
 * @type {(options: SpectrogramOptions) => Reading} */
function readSpectrogram(options) {
  const { power, frame_length: frameLength, ...read } = args.readTable(options, table);
  const { window, onesided } = read;
  const fftLength = read.fft_length ?? frameLength;
  if (window.length !== frameLength)
    args.rangeError(`window must have frame_length ${frameLength} numbers, got ${window.length}`);
  const bank = readBank(read.mel_filters, { fftLength, onesided });
  if (power === null && bank) args.rangeError('power must be a number with mel_filters, got null');
  const { log, decibels } = readLogarithm(power, read);
  const isLimited = decibels?.range !== undefined;
  const hasEmphasis = read.preemphasis !== undefined && read.preemphasis !== null;
  const spectrum = makeSpectrum({
    frameLength,
    hop: read.hop_length,
    fftLength,
    window,
    onesided,
    ...bank,
    offset: read.remove_dc_offset ? 'float64' : 'kept',
    emphasis: hasEmphasis ? 'float64' : 'none',
    coefficient: read.preemphasis ?? 0,
    narrowBins: true,
    energy: energyOf(power),
    exponent: power ?? 1,
    // Python applies `mel_floor` only with filters.
    floor: bank ? read.mel_floor : -Infinity,
    logarithm: log ?? 'none',
    ...decibels,
    // Float64 results: those without a logarithm, and decibels that are limited to a range before they are rounded.
    wide: power !== null && (!log || isLimited),
  });
  const left = read.center ? Math.floor(frameLength / 2) : 0;
  const realType = log ? 'float32' : 'float64';
  const type = power === null ? 'complex64' : realType;
  return { spectrum, type, cut: { left, mode: read.pad_mode }, range: decibels?.range };
}

/** Makes a tensor [bins or mels, frames] of computed frames. Decibels with a range, which are float64 so far, are
 * limited to it in place and then rounded.
 * @param {Reading} reading
 * @param {Float32Array | Float64Array} data
 * @param {number} frames */
function toTensor({ spectrum, type, range }, data, frames) {
  if (range !== undefined) limitRange(/** @type {Float64Array} */ (data), range);
  const numbers = type === 'float32' && spectrum.wide ? new Float32Array(data) : data;
  return tensor(type, numbers, [spectrum.width, frames]);
}

/**
 * A spectrogram, as transformers' `spectrogram` makes it by NumPy: to the bit for FFTs of lengths without prime factors
 * above 5, and to a few float64 ulps for others.
 * @template {AudioLike | readonly AudioLike[]} Audio
 * @param {Audio} audio one waveform, or a list of them
 * @param {SpectrogramOptions} options
 * @returns {Audio extends readonly AudioLike[] ? Tensor[] | Tensor : Tensor} [bins, frames] or [filters, frames]:
 *   float32 with `log_mel`, otherwise float64, or complex64 where `power` is null; for a list, a list
 * @example
 * const options = { window: windowFunction(400), frame_length: 400, hop_length: 160 };
 * spectrogram(new Float32Array(16000), options).dims; // [201, 101]
 */
export function spectrogram(audio, options) {
  return args.named('spectrogram', () => {
    ready();
    const isBatch = Array.isArray(audio) && audio.length > 0 && typeof audio[0] !== 'number';
    const waves = monoOf(readBatch('audio', audio, keepsFloat64));
    const reading = readSpectrogram(options);
    const spectrograms = waves.map((samples) => computeSpectrogram(reading, samples));
    return /** @type {any} */ (isBatch ? spectrograms : spectrograms[0]);
  });
}

/** Computes the spectrogram of one waveform, [bins or mels, frames].
 * @param {Reading} reading
 * @param {Float32Array | Float64Array} samples */
function computeSpectrogram(reading, samples) {
  const { spectrum, cut } = reading;
  const paddedLength = samples.length + 2 * cut.left;
  const frames = Math.max(0, frameCount(spectrum, paddedLength));
  /** @type {new (length: number) => Float32Array | Float64Array} */
  const Class = spectrum.wide ? Float64Array : Float32Array;
  const data = allocateNumbers('the spectrogram', frames * numbersOfFrame(spectrum), Class);
  const signal = wholeSignal(samples, cut.left, cut.mode);
  const firstFrame = 0;
  const byColumns = true;
  writeFrames(spectrum, signal, firstFrame, frames, { to: data, stride: melStride(frames, byColumns) });
  return toTensor(reading, data, frames);
}

/**
 * A spectrogram of audio that comes in pieces. Joined along axis 1, the parts are equal in every bit to
 * {@link spectrogram} of the whole. `push` gives `{ spectrogram }` or, while no frame is complete, undefined.
 * @param {SpectrogramOptions} options as spectrogram takes them, without `db_range`, which needs the whole
 * @returns {{
 *   push: (samples: AudioLike, options?: SpectrogramPieceOptions) => { spectrogram: Tensor } | undefined,
 *   end: (options?: SpectrogramPieceOptions) => { spectrogram: Tensor } | undefined,
 *   axes: { spectrogram: number } }} `out`: a tensor or a typed array with room for a part, which lies at its beginning
 * @example
 * const stream = spectrogramStream({ window: windowFunction(400), frame_length: 400, hop_length: 160 });
 * stream.push(new Float32Array(800))?.spectrogram.dims; // [201, 4]
 */
export function spectrogramStream(options) {
  return args.named('spectrogramStream', () => {
    ready();
    const reading = readSpectrogram(options);
    if (reading.range !== undefined) args.rangeError(`db_range must be omitted in a stream, got ${reading.range}`);
    const frames = frameStream(reading.spectrum, { ...reading.cut, byColumns: true });
    const outOf = (/** @type {{ out?: StreamOut } | undefined} */ options) =>
      memoryOf(args.readOptions(options, ['out']).out, 'spectrogram');
    const outputsOf = (/** @type {Block} */ block) =>
      block.frames > 0 ? { spectrogram: toTensor(reading, block.data, block.frames) } : undefined;
    return {
      push: (samples, options) =>
        args.named('spectrogramStream', () => {
          const [channel] = monoOf([readWaveform('samples', samples, keepsFloat64)]);
          return outputsOf(frames.push(channel, outOf(options)));
        }),
      end: (options) => args.named('spectrogramStream', () => outputsOf(frames.end(outOf(options)))),
      axes: { spectrogram: 1 },
    };
  });
}
