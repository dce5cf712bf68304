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

/** How many frames `length` samples give. Like NumPy, takes samples that give no frame if they lack at most a hop to
 * one, and refuses fewer.
 * @type {(spectrum: Spectrum, length: number) => number} */
export function frameCount({ reads, hop }, length) {
  const count = Math.floor((length - reads) / hop) + 1;
  if (count < 0) rangeError(`audio must have at least ${reads - hop} samples with its padding, got ${length}`);
  return count;
}

/** @type {(spectrum: Spectrum, samples: Float32Array | Float64Array, cut?: Cut) => Features} */
export function featuresOf(spectrum, samples, cut = {}) {
  const { left = 0, right = left, mode = 'constant', dropped = 0, maxFrames = Infinity, byColumns = false } = cut;
  const { width } = spectrum;
  const frames = Math.min(maxFrames, Math.max(0, frameCount(spectrum, samples.length + left + right) - dropped));
  const data = allocateNumbers('the features', frames * width);
  // A stride of 0 writes frame after frame; otherwise it is the distance of one mel's frames from the next mel's.
  writeFrames(spectrum, wholeSignal(samples, left, mode), 0, frames, { to: data, stride: byColumns ? frames : 0 });
  return features(data, frames, width, byColumns);
}

/** Half a frame on both sides.
 * @type {(spectrum: Spectrum, mode?: PadMode) => Cut & { left: number }} */
export const halfFramePadding = ({ frameLength }, mode = 'reflect') => ({ left: Math.floor(frameLength / 2), mode });

/** @type {(length: number, least: number) => void} */
export function checkSamples(length, least) {
  if (length < least) rangeError(`audio must have at least ${least} sample${least > 1 ? 's' : ''}, got ${length}`);
}

/** The padding of torch.stft. Refuses audio of so few samples that torch cannot reflect them; NumPy takes such audio.
 * @type {(spectrum: Spectrum, length: number) => Cut & { left: number }} */
export function torchPadding(spectrum, length) {
  const cut = halfFramePadding(spectrum);
  if (length <= cut.left) rangeError(`audio must have more than ${cut.left} samples, got ${length}`);
  return cut;
}

/** @type {(features: Features) => Features} */
export function transposeFeatures({ data, frames, width, dims: [rows, columns] }) {
  const to = allocateNumbers('the features', data.length);
  return { data: flipNumbers(data, rows, columns, to), frames, width, dims: [columns, rows] };
}

/** Cuts features by columns, [mels, frames], to `count` frames, or adds zeros. Gives the same features if nothing
 * changes.
 * @type {(features: Features, count: number) => Features} */
export function cutToFrames(source, count) {
  const { data, width, dims } = source;
  const [rows, columns] = dims;
  if (count === columns) return source;
  const to = allocateNumbers('the features', rows * count);
  for (let r = 0; r < rows; r++) to.set(data.subarray(r * columns, r * columns + Math.min(columns, count)), r * count);
  return features(to, count, width, true);
}

/** Does Whisper's last step in place: x becomes (max(x, top - 8) + 4) / 4. `top`: the maximum, by default of the matrix
 * itself. Refuses a matrix without frames, which has no maximum, even if `top` is given.
 * @type {<T extends { data: Float32Array }>(matrix: T, top?: number) => T} */
export function raiseByMaximum(matrix, top = reduceNumbers(matrix.data, 'maximum')) {
  if (matrix.data.length === 0) rangeError('audio must give at least 1 frame, got 0');
  mapNumbers(matrix.data, 'raise', [Math.fround(top - 8), 4, 4]);
  return matrix;
}

/** Added to a variance, as in Wav2Vec2, so that no deviation is 0. */
const tiny = Math.fround(1e-7);
/** In float32 steps, as NumPy has them.
 * @type {(variance: number) => number} */
const deviationOf = (variance) => Math.fround(Math.sqrt(Math.fround(variance + tiny)));

/** Makes a copy of the samples whose first `count` ones are (x - mean) / deviation of these, as Wav2Vec2 has it; the
 * others are `value`.
 * @type {(samples: Float32Array, count: number, value: number) => Float32Array} */
export function standardizeSamples(samples, count, value) {
  const result = samples.slice();
  const [mean, variance] = meanAndVariance(samples.subarray(0, count), 'pairwise');
  mapNumbers(result, 'standardize', [mean, deviationOf(variance)], 0, count);
  return result.fill(value, count);
}

/** @type {(item: PaddedItem, settings: Settings, count: number) => Item} */
export const standardizeItem = (item, { do_normalize: normalizes, padding_value: value }, count) =>
  normalizes ? { data: standardizeSamples(item.data, count, value), dims: item.dims } : ownItem(item);

/** Changes the frames of each mel in place. The features are by columns: [mels, frames].
 * @type {(columns: Features, change: (row: Float32Array) => void) => Features} */
export function eachMel(columns, change) {
  const { data, frames, width } = columns;
  for (let k = 0; k < width; k++) change(data.subarray(k * frames, (k + 1) * frames));
  return columns;
}

/** Changes each mel of features by columns to (x - mean) / deviation in place, with the unbiased variance and NumPy's
 * order of sums. A single frame becomes NaN: its unbiased variance is 0 / 0.
 * @type {(columns: Features) => Features} */
export const standardizeMels = (columns) =>
  eachMel(columns, (row) => {
    // 1: the divisor of the variance is the number of frames less 1.
    const [mean, variance] = meanAndVariance(row, 'pairwise', 1);
    mapNumbers(row, 'standardize', [mean, deviationOf(variance)]);
  });

/** Changes the first `count` frames of each mel of features by columns, the real ones, to (x - mean) / deviation in
 * place, in float64 and rounded once. `toDeviation` gets their unbiased variance, 0 / 0 of a single frame. Sums are
 * divided by `count` even where there are fewer frames, as NeMo does.
 * @type {(columns: Features, count: number, toDeviation: (variance: number) => number) => Features} */
export const standardizeWide = (columns, count, toDeviation) =>
  eachMel(columns, (row) => {
    const real = row.subarray(0, count);
    const mean = reduceNumbers(real, 'wide') / count;
    mapNumbers(real, 'standardizeWide', [mean, toDeviation(reduceNumbers(real, 'wideSquares', mean) / (count - 1))]);
  });

/** Joins `stride` frames to a row; frames that fill no row are left out. Shares the memory of `data`, [frames, width].
 * @type {(data: Float32Array, frames: number, width: number, stride: number) => Item} */
export function stackFrames(data, frames, width, stride) {
  const rows = Math.floor(frames / stride);
  return { data: data.subarray(0, rows * stride * width), dims: [rows, stride * width] };
}
