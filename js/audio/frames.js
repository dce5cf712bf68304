/** Frames of a waveform, and what several classes make of them. */
import { rangeError } from '../arguments/index.js';
import { mapNumbers, maps, meanAndVariance, reduceNumbers, writeFrames } from '../audio-engine/index.js';
import { newFloats } from './tensors.js';

/** @import { PadMode, Signal, Spectrum } from '../audio-engine/index.js' */

/**
 * Features: [frames, width], or [width, frames] where they are by columns.
 * @typedef {{ data: Float32Array, frames: number, width: number }} Features
 */

/**
 * How a waveform is cut to frames.
 * @typedef {object} Cut
 * @property {number} [left] padding in front
 * @property {number} [right] and behind
 * @property {PadMode} [mode]
 * @property {number} [dropped] how many frames at the end are not wanted
 * @property {boolean} [byColumns] whether a mel's frames lie side by side
 */

/**
 * How many frames there are; NumPy allows none, but not less.
 * @param {Spectrum} spectrum
 * @param {number} length of the padded waveform
 * @returns {number}
 * @throws {RangeError} too few samples
 */
export function frameCount({ reads, hop }, length) {
  const count = Math.floor((length - reads) / hop) + 1;
  if (count < 0) rangeError(`audio must have at least ${reads - hop} samples with its padding, got ${length}`);
  return count;
}

/**
 * All features of a waveform.
 * @param {Spectrum} spectrum
 * @param {Float32Array | Float64Array} samples
 * @param {Cut} [cut]
 * @returns {Features}
 */
export function featuresOf(spectrum, samples, cut = {}) {
  const { left = 0, right = left, mode = 'constant', dropped = 0, byColumns = false } = cut;
  const { width } = spectrum;
  const frames = Math.max(0, frameCount(spectrum, samples.length + left + right) - dropped);
  const data = newFloats('the features', frames * width);
  /** @type {Signal} */
  const signal = { data: samples, start: 0, total: samples.length, left, mode };
  writeFrames(spectrum, signal, 0, frames, { to: data, stride: byColumns ? frames : 0 });
  return { data, frames, width };
}

/**
 * A centered spectrogram: half a frame of reflected samples on both sides.
 * @param {Spectrum} spectrum
 * @returns {Cut}
 */
export const centered = ({ frameLength }) => ({ left: Math.floor(frameLength / 2), mode: 'reflect' });

/**
 * The cut of torch.stft, which refuses what NumPy takes.
 * @param {Spectrum} spectrum
 * @param {number} length
 * @param {PadMode} [mode]
 * @returns {Cut}
 * @throws {RangeError} too few samples
 */
export function torchCentered({ frameLength }, length, mode = 'reflect') {
  const left = Math.floor(frameLength / 2);
  if (mode === 'reflect' && length <= left) rangeError(`audio must have more than ${left} samples, got ${length}`);
  return { left, mode };
}

/**
 * Whisper's last step, in place: nothing lies more than 8 below the maximum, then (x + 4) / 4.
 * @param {Float32Array} data
 * @param {number} [top] the maximum, if it is not that of the data
 */
export function raiseToTop(data, top = reduceNumbers(data, 'maximum')) {
  if (data.length === 0) rangeError('audio must give at least 1 frame, got 0');
  mapNumbers(data, maps.raise, [Math.fround(top - 8), 4, 4]);
}

/**
 * Samples less their mean over their deviation, as Wav2Vec2 has it. All behind the first `count` becomes `value`.
 * @param {Float32Array} samples
 * @param {number} count
 * @param {number} value
 * @returns {Float32Array}
 */
export function standardized(samples, count, value) {
  const result = samples.slice();
  const [mean, variance] = meanAndVariance(samples.subarray(0, count), 'pairwise');
  const deviation = Math.fround(Math.sqrt(Math.fround(variance + Math.fround(1e-7))));
  mapNumbers(result, maps.standardize, [mean, deviation], 0, count);
  return result.fill(value, count);
}

/**
 * Each row of [width, frames] less its mean over its deviation, in float64 and rounded once.
 * @param {Features} features by columns
 * @param {number} count how many frames count
 * @param {(variance: number) => number} deviationOf of the unbiased variance
 */
export function standardizeRows({ data, frames, width }, count, deviationOf) {
  for (let k = 0; k < width; k++) {
    const row = data.subarray(k * frames, k * frames + count);
    const mean = reduceNumbers(row, 'wide') / count;
    const variance = reduceNumbers(row, 'wideSquares', mean) / (count - 1);
    mapNumbers(row, maps.standardizeWide, [mean, deviationOf(variance)]);
  }
}
