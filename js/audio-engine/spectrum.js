/** Spectrograms: their tables, and frames of samples through the module. */
import { rangeError } from '../arguments/index.js';
import {
  doubles,
  floats,
  halfBytes,
  kernels,
  loadTables,
  piecesByte,
  tableSpace,
  tablesByte,
  bytes,
} from './module.js';

/** The kinds of windows; see cpp/audio/tables.h. */
export const windows = {
  boxcar: 0,
  hann: 1,
  hamming: 2,
  povey: 3,
  torchHann: 4,
  torchHamming: 5,
  torchPovey: 6,
  torchHannWide: 7,
  torchHammingWide: 8,
  gemma3n: 9,
};
/** The precisions to which a table is rounded. */
export const precisions = { float64: 0, float32: 1, float16: 2, bfloat16: 3 };
/** The kinds of filter banks. */
export const banks = { audioUtils: 0, torchaudio: 1, torchaudioKaldi: 2, gemma3n: 3, lasr: 4, chroma: 5 };
export const melScales = { htk: 0, slaney: 1, kaldi: 2 };
/** How the mean of a frame is taken off; see cpp/audio/frames.h, as for the next three. */
export const offsets = { kept: 0, float64: 1, float32: 2 };
export const emphases = { none: 0, float64: 1, float32: 2, htk: 3, next: 4 };
export const energies = { complex: 0, power: 1, magnitude: 2, exponent: 3, numpyAbs: 4, amplitude32: 5, floored: 6 };
export const logarithms = { none: 0, natural: 1, decimal: 2, decibel: 3 };

/**
 * A filter bank before it is made.
 * @typedef {object} BankSettings
 * @property {number} kind
 * @property {number} bins
 * @property {number} filters
 * @property {number} low
 * @property {number} high
 * @property {number} rate
 * @property {boolean} [slaneyNorm]
 * @property {number} [scale]
 * @property {boolean} [inMelSpace]
 * @property {boolean} [narrow]
 * @property {number} [precision]
 */

/**
 * A window before it is made.
 * @typedef {{ kind: number, length: number, periodic?: boolean, precision?: number }} WindowSettings
 */

/**
 * A window.
 * @param {WindowSettings} settings
 * @returns {Float64Array}
 */
export function makeWindow({ kind, length, periodic = true, precision = 0 }) {
  if (length * 8 > halfBytes) rangeError(`window_length must be at most ${halfBytes / 8}, got ${length}`);
  kernels.make_window(kind, length, Number(periodic), piecesByte);
  kernels.round_numbers(precision, piecesByte, length);
  return doubles.slice(piecesByte / 8, piecesByte / 8 + length);
}

/**
 * Makes a filter bank where pieces lie.
 * @param {BankSettings} settings
 * @returns {number} its address
 */
function stageBank(settings) {
  const { kind, bins, filters, low, high, rate, precision = 0 } = settings;
  const { slaneyNorm = false, scale = 0, inMelSpace = false, narrow = false } = settings;
  const scratch = piecesByte + 128;
  const at = scratch + (bins + filters + 4) * 8;
  const most = Math.floor((piecesByte + halfBytes - at) / 8);
  if (bins * filters > most)
    rangeError(`a filter bank must have at most ${most} numbers, got ${bins} bins times ${filters} filters`);
  const block = [kind, bins, filters, low, high, rate, Number(slaneyNorm), scale, Number(inMelSpace), Number(narrow)];
  doubles.set(block, piecesByte / 8);
  kernels.make_bank(piecesByte, scratch, at);
  kernels.round_numbers(precision, at, bins * filters);
  return at;
}

/**
 * A filter bank.
 * @param {BankSettings} settings
 * @returns {Float64Array} [bins, filters]
 */
export function makeBank(settings) {
  const at = stageBank(settings) / 8;
  return doubles.slice(at, at + settings.bins * settings.filters);
}

/**
 * A spectrogram's settings. Those that are omitted are off.
 * @typedef {object} SpectrumSettings
 * @property {number} frameLength
 * @property {number} hop
 * @property {number} [fftLength]
 * @property {number} [scale]
 * @property {number} [lateScale]
 * @property {number} [offset]
 * @property {number} [emphasis]
 * @property {number} [coefficient]
 * @property {boolean} [narrowWindow]
 * @property {boolean} [narrowBins]
 * @property {boolean} [onesided]
 * @property {number} [energy]
 * @property {number} [exponent]
 * @property {number} [energyFloor]
 * @property {boolean} [addsFloor]
 * @property {number} [floor]
 * @property {number} [gain]
 * @property {number} [logarithm]
 * @property {number} [factor]
 * @property {number} [least]
 * @property {number} [reference] the logarithm of it
 * @property {boolean} [wide]
 * @property {WindowSettings | Float64Array} window
 * @property {BankSettings | { data: Float64Array, bins: number, filters: number }} [bank]
 * @property {readonly number[] | null} [means]
 * @property {readonly number[] | null} [deviations]
 */

/**
 * A spectrogram whose tables are made.
 * @typedef {object} Spectrum
 * @property {number} frameLength
 * @property {number} reads how many samples a frame reads
 * @property {number} hop
 * @property {number} width how many results a frame has
 * @property {boolean} isComplex whether a result is two numbers
 * @property {boolean} wide whether results are float64
 * @property {Uint8Array} tables
 */

/**
 * A bank where pieces lie, ready to be packed.
 * @param {NonNullable<SpectrumSettings['bank']>} bank
 * @returns {number} its address
 */
function placeBank(bank) {
  if (!('data' in bank)) return stageBank(bank);
  if (bank.data.length * 8 > halfBytes)
    rangeError(`mel_filters must have at most ${halfBytes / 8} numbers, got ${bank.data.length}`);
  doubles.set(bank.data, piecesByte / 8);
  return piecesByte;
}

/** Settings that are numbers or flags, and what they are if omitted, in the order in which the module reads them. */
const before = /** @type {const} */ ([
  ['scale', 1],
  ['lateScale', 1],
  ['offset', offsets.kept],
  ['emphasis', emphases.none],
  ['coefficient', 0],
  ['narrowWindow', false],
  ['narrowBins', false],
  ['onesided', true],
  ['energy', energies.power],
  ['exponent', 1],
  ['energyFloor', 0],
  ['addsFloor', false],
  ['floor', 0],
  ['gain', 1],
  ['logarithm', logarithms.none],
  ['factor', 1],
  ['least', 0],
  ['reference', 0],
  ['wide', false],
]);

/** How long a transform may be: six arrays of float64 numbers of this length are in the memory's front half. */
const mostFftLength = () => Math.floor(halfBytes / 48);

/**
 * Refuses lengths with which the module cannot work.
 * @param {number} frameLength
 * @param {number} fftLength
 * @param {number} [hop]
 * @throws {RangeError}
 */
export function checkLengths(frameLength, fftLength, hop = 1) {
  for (const [name, length] of Object.entries({ frame_length: frameLength, hop_length: hop, fft_length: fftLength }))
    if (!(Number.isSafeInteger(length) && length >= 1))
      rangeError(`${name} must be a whole number from 1 on, got ${length}`);
  const most = mostFftLength();
  if (fftLength > most) rangeError(`fft_length must be at most ${most}, got ${fftLength}`);
  if (frameLength > fftLength) rangeError(`frame_length must be at most fft_length ${fftLength}, got ${frameLength}`);
}

/**
 * Makes the tables of a spectrogram.
 * @param {SpectrumSettings} settings
 * @returns {Spectrum}
 * @throws {RangeError} tables larger than the module's memory
 */
export function makeSpectrum(settings) {
  const { frameLength, hop, fftLength = frameLength, onesided = true, bank, means, deviations } = settings;
  checkLengths(frameLength, fftLength, hop);
  const given = settings.window instanceof Float64Array ? settings.window : makeWindow(settings.window);
  const filters = bank?.filters ?? 0;
  const bins = onesided ? Math.floor(fftLength / 2) + 1 : fftLength;
  const bankAt = bank ? placeBank(bank) : 0;
  const weightCount = bank ? kernels.pack_bank(bankAt, bins, filters, 0, 0) : 0;
  const space = tableSpace();
  const block = space.take(64 * 8);
  const window = space.take(frameLength * 8);
  const bands = space.take(filters * 8);
  const weights = space.take(weightCount * 8);
  const [meansAt, deviationsAt] = [means, deviations].map((list) => (list ? space.take(list.length * 8) : 0));
  const twiddles = space.take(kernels.twiddle_count(fftLength) * 8);
  const used = space.used();
  const data = space.take((Math.max(fftLength, frameLength) + 2) * 16);
  const scratch = space.take((fftLength + 2) * 16);
  if (scratch === 0)
    rangeError(`fft_length ${fftLength} with ${weightCount} weights needs more than ${halfBytes} bytes`);
  if (bank) kernels.pack_bank(bankAt, bins, filters, bands, weights);
  doubles.set(given, window / 8);
  if (means) doubles.set(means, meansAt / 8);
  if (deviations) doubles.set(deviations, deviationsAt / 8);
  kernels.make_twiddles(fftLength, data, twiddles);
  const numbers = before.map(([name, byDefault]) => Number(settings[name] ?? byDefault));
  const addresses = [window, twiddles, bands, weights, meansAt, deviationsAt, data, scratch];
  doubles.set([frameLength, hop, fftLength, ...numbers, filters, ...addresses], block / 8);
  return {
    frameLength,
    reads: settings.emphasis === emphases.next ? frameLength + 1 : frameLength,
    hop,
    width: filters || bins,
    isComplex: settings.energy === energies.complex,
    wide: settings.wide ?? false,
    tables: bytes.slice(tablesByte, tablesByte + used),
  };
}

/** @typedef {'reflect' | 'constant' | 'edge'} PadMode */

/**
 * Samples with what is thought around them.
 * @typedef {object} Signal
 * @property {Float32Array | Float64Array} data
 * @property {number} start the sample that stands first in `data`
 * @property {number} total how many samples there are, from 0 on; Infinity if more may come
 * @property {number} left how many samples of padding stand in front
 * @property {PadMode} mode
 */

/**
 * The index of the sample that stands at a place outside the signal.
 * @param {number} i
 * @param {number} total
 * @param {PadMode} mode
 * @returns {number} -1 for zero
 */
function mirrored(i, total, mode) {
  if (mode === 'constant' || total === 0) return -1;
  if (mode === 'edge') return Math.min(Math.max(i, 0), total - 1);
  if (total === 1) return 0;
  const at = Math.abs(i) % (2 * total - 2);
  return Math.min(at, 2 * total - 2 - at);
}

/**
 * Copies samples of the padded signal into an array. Loops over padding alone, which is a frame long at most.
 * @param {Signal} signal
 * @param {number} first
 * @param {number} count
 * @param {Float32Array | Float64Array} to
 * @param {number} at
 */
export function copySamples({ data, start, total, left, mode }, first, count, to, at) {
  const begin = first - left;
  const from = Math.min(Math.max(begin, 0), begin + count);
  const end = Math.max(from, Math.min(begin + count, total));
  to.set(data.subarray(from - start, end - start), at + from - begin);
  for (let i = begin; i < begin + count; i++) {
    if (i === from) i = end;
    if (i >= begin + count) break;
    const source = mirrored(i, total, mode);
    to[at + i - begin] = source < 0 ? 0 : data[source - start];
  }
}

/** How many bytes of samples and of results a piece has: both stay in the second cache. */
const sampleBytes = 2 ** 18;

/**
 * How many frames go through at once.
 * @param {Spectrum} spectrum
 * @param {number} sampleSize in bytes
 * @param {number} resultSize of one result
 * @returns {number}
 * @throws {RangeError} a frame longer than the module's memory
 */
function blockOf({ reads, hop, width }, sampleSize, resultSize) {
  const most = Math.min(halfBytes / 2 / sampleSize, Math.max(sampleBytes / sampleSize, reads + hop));
  if (reads > most) rangeError(`frame_length must be at most ${most}, got ${reads}`);
  const byResults = Math.floor(halfBytes / 4 / (width * resultSize));
  if (byResults < 1) rangeError(`a frame must have at most ${halfBytes / 4 / resultSize} results, got ${width}`);
  return Math.min(Math.floor((most - reads) / hop) + 1, byResults, 512);
}

/**
 * Where results go: from `at` on, frame after frame if `stride` is 0; otherwise each result's frames lie side by side,
 * `stride` results from those of the next.
 * @typedef {{ to: Float32Array | Float64Array, at?: number, stride: number }} Target
 */

/**
 * Writes the results of frames. A frame's bits do not depend on its neighbors.
 * @param {Spectrum} spectrum
 * @param {Signal} signal
 * @param {number} first the first frame
 * @param {number} count
 * @param {Target} target
 */
export function writeFrames(spectrum, signal, first, count, { to, at = 0, stride }) {
  const { reads, hop, width, wide, isComplex } = spectrum;
  const isWideInput = signal.data instanceof Float64Array;
  const [sampleSize, numberSize] = [isWideInput ? 8 : 4, wide ? 8 : 4];
  const parts = isComplex ? 2 : 1;
  loadTables(spectrum);
  const block = blockOf(spectrum, sampleSize, numberSize * parts);
  const results = wide ? doubles : floats;
  const resultsByte = piecesByte + halfBytes / 2;
  const from = resultsByte / numberSize;
  for (let done = 0; done < count; done += block) {
    const frames = Math.min(block, count - done);
    const samples = isWideInput ? doubles : floats;
    copySamples(signal, (first + done) * hop, (frames - 1) * hop + reads, samples, piecesByte / sampleSize);
    const strides = stride ? [parts, frames * parts] : [width * parts, parts];
    kernels.make_frames(tablesByte, piecesByte, Number(isWideInput), frames, resultsByte, ...strides);
    const length = frames * parts;
    if (stride === 0) to.set(results.subarray(from, from + width * length), at + done * width * parts);
    for (let k = 0; stride > 0 && k < width; k++) {
      const row = from + k * length;
      to.set(results.subarray(row, row + length), at + (k * stride + done) * parts);
    }
  }
}
