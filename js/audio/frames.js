/** Frames of a waveform, and what several classes make of them. */
import { rangeError } from '../arguments/index.js';
import {
  flipNumbers,
  mapNumbers,
  meanAndVariance,
  reduceNumbers,
  wholeSignal,
  writeFrames,
} from '../engines/audio/index.js';
import { ownItem } from './padding.js';
import { allocateNumbers } from './tensors.js';

/** @import { PadMode, Spectrum } from '../engines/audio/types.js' */
/** @import { Cut, Features, Item, PaddedItem, Settings } from './types.js' */

/** @type {(data: Float32Array, frames: number, width: number, byColumns?: boolean) => Features} */
export const features = (data, frames, width, byColumns) => ({
  data,
  frames,
  width,
  dims: byColumns ? [width, frames] : [frames, width],
});

/** How many frames there are; NumPy allows none, but not less.
 * @type {(spectrum: Spectrum, length: number) => number} */
export function frameCount({ reads, hop }, length) {
  const count = Math.floor((length - reads) / hop) + 1;
  if (count < 0) rangeError(`audio must have at least ${reads - hop} samples with its padding, got ${length}`);
  return count;
}

/** All features of a waveform.
 * @type {(spectrum: Spectrum, samples: Float32Array | Float64Array, cut?: Cut) => Features} */
export function featuresOf(spectrum, samples, cut = {}) {
  const { left = 0, right = left, mode = 'constant', dropped = 0, maxFrames = Infinity, byColumns = false } = cut;
  const { width } = spectrum;
  const frames = Math.min(maxFrames, Math.max(0, frameCount(spectrum, samples.length + left + right) - dropped));
  const data = allocateNumbers('the features', frames * width);
  writeFrames(spectrum, wholeSignal(samples, left, mode), 0, frames, { to: data, stride: byColumns ? frames : 0 });
  return features(data, frames, width, byColumns);
}

/** A centered spectrogram: half a frame of reflected samples on both sides.
 * @type {(spectrum: Spectrum, mode?: PadMode) => Cut & { left: number }} */
export const centered = ({ frameLength }, mode = 'reflect') => ({ left: Math.floor(frameLength / 2), mode });

/** @type {(length: number, least: number) => void} */
export function checkSamples(length, least) {
  if (length < least) rangeError(`audio must have at least ${least} sample${least > 1 ? 's' : ''}, got ${length}`);
}

/** The cut of torch.stft, which refuses what NumPy takes.
 * @type {(spectrum: Spectrum, length: number) => Cut & { left: number }} */
export function torchCentered(spectrum, length) {
  const cut = centered(spectrum);
  if (length <= cut.left) rangeError(`audio must have more than ${cut.left} samples, got ${length}`);
  return cut;
}

/** @type {(features: Features) => Features} [rows, columns] to [columns, rows]. */
export function flipped({ data, frames, width, dims: [rows, columns] }) {
  const to = allocateNumbers('the features', data.length);
  return { data: flipNumbers(data, rows, columns, to), frames, width, dims: [columns, rows] };
}

/** A matrix [rows, columns] with `count` columns: zeros are added behind each row, or columns are left out.
 * @type {(features: Features, count: number) => Features} */
export function withColumns(source, count) {
  const { data, width, dims } = source;
  const [rows, columns] = dims;
  if (count === columns) return source;
  const to = allocateNumbers('the features', rows * count);
  for (let r = 0; r < rows; r++) to.set(data.subarray(r * columns, r * columns + Math.min(columns, count)), r * count);
  return features(to, count, width, true);
}

/** Whisper's last step, in place: nothing lies more than 8 below the maximum `top`, then (x + 4) / 4.
 * @type {<T extends { data: Float32Array }>(matrix: T, top?: number) => T} */
export function raised(matrix, top = reduceNumbers(matrix.data, 'maximum')) {
  if (matrix.data.length === 0) rangeError('audio must give at least 1 frame, got 0');
  mapNumbers(matrix.data, 'raise', [Math.fround(top - 8), 4, 4]);
  return matrix;
}

/** A small part that keeps deviations above 0. */
const tiny = Math.fround(1e-7);
/** @type {(variance: number) => number} */
const deviationOf = (variance) => Math.fround(Math.sqrt(Math.fround(variance + tiny)));

/** Samples less their mean over their deviation, as Wav2Vec2 has it. All behind the first `count` becomes `value`.
 * @type {(samples: Float32Array, count: number, value: number) => Float32Array} */
export function standardized(samples, count, value) {
  const result = samples.slice();
  const [mean, variance] = meanAndVariance(samples.subarray(0, count), 'pairwise');
  mapNumbers(result, 'standardize', [mean, deviationOf(variance)], 0, count);
  return result.fill(value, count);
}

/** A waveform as it is, or standardized by its first `count` samples where the settings say so.
 * @type {(item: PaddedItem, settings: Settings, count: number) => Item} */
export const standardItem = (item, { do_normalize: normalizes, padding_value: value }, count) =>
  normalizes ? { data: standardized(item.data, count, value), dims: item.dims } : ownItem(item);

/** Changes the frames of each mel, in place.
 * @type {(features: Features, change: (row: Float32Array) => void) => Features} */
export function eachMel(matrix, change) {
  const { data, frames, width } = matrix;
  for (let k = 0; k < width; k++) change(data.subarray(k * frames, (k + 1) * frames));
  return matrix;
}

/** @type {(features: Features) => Features} Each mel less its mean over its deviation, NumPy's way. */
export const standardizeMels = (matrix) =>
  eachMel(matrix, (row) => {
    const [mean, variance] = meanAndVariance(row, 'pairwise', 1);
    mapNumbers(row, 'standardize', [mean, deviationOf(variance)]);
  });

/** Each mel less its mean over its deviation, in float64 and rounded once. `count` frames count. `toDeviation` gets the
 * unbiased variance.
 * @type {(features: Features, count: number, toDeviation: (variance: number) => number) => Features} */
export const standardizeWide = (matrix, count, toDeviation) =>
  eachMel(matrix, (row) => {
    const real = row.subarray(0, count);
    const mean = reduceNumbers(real, 'wide') / count;
    mapNumbers(real, 'standardizeWide', [mean, toDeviation(reduceNumbers(real, 'wideSquares', mean) / (count - 1))]);
  });

/** `stride` frames side by side in each row. Frames that fill no row are left out.
 * @type {(data: Float32Array, frames: number, width: number, stride: number) => Item} */
export function stackedRows(data, frames, width, stride) {
  const rows = Math.floor(frames / stride);
  return { data: data.subarray(0, rows * stride * width), dims: [rows, stride * width] };
}
