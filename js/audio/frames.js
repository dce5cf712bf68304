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

/** Describes numbers as features: [frames, width] or, by columns, [width, frames]. `width`: numbers of a frame, such as
 * mels.
 * @type {(data: Float32Array, frames: number, width: number, byColumns?: boolean) => Features} */
export const features = (data, frames, width, byColumns) => ({
  data,
  frames,
  width,
  dims: byColumns ? [width, frames] : [frames, width],
});

/** Counts the frames of `length` samples. Like NumPy, gives 0 if at most a hop is missing to the first frame, and
 * refuses fewer samples. `reads`: samples that a frame reads.
 * @type {(spectrum: Spectrum, length: number) => number} */
export function frameCount({ reads, hop }, length) {
  const lastStart = length - reads;
  const count = Math.floor(lastStart / hop) + 1;
  if (count < 0) rangeError(`audio must have at least ${reads - hop} samples with its padding, got ${length}`);
  return count;
}

/** Computes the frames of a waveform, such as mel energies, with the windows and filters of `spectrum`. `cut`: the
 * padding on both sides, and which frames are made.
 * @type {(spectrum: Spectrum, samples: Float32Array | Float64Array, cut?: Cut) => Features} */
export function featuresOf(spectrum, samples, cut = {}) {
  const { left = 0, right = left, mode = 'constant', dropped = 0, maxFrames = Infinity, byColumns = false } = cut;
  const { width } = spectrum;
  const allFrames = frameCount(spectrum, samples.length + left + right);
  const frames = Math.min(maxFrames, Math.max(0, allFrames - dropped));
  const data = allocateNumbers('the features', frames * width);
  const signal = wholeSignal(samples, left, mode);
  const firstFrame = 0;
  writeFrames(spectrum, signal, firstFrame, frames, { to: data, stride: melStride(frames, byColumns) });
  return features(data, frames, width, byColumns);
}

/** How many numbers a frame has in memory: a complex one has two parts.
 * @type {(spectrum: Spectrum) => number} */
export const numbersOfFrame = ({ width, isComplex }) => width * (isComplex ? 2 : 1);

/** How far the numbers of one mel lie from those of the next one, as `writeFrames` wants it; 0 for frame after frame.
 * @type {(frames: number, byColumns: boolean) => number} */
export const melStride = (frames, byColumns) => (byColumns ? frames : 0);

/** Gives the padding of centered frames: half a frame on both sides.
 * @type {(spectrum: Spectrum, mode?: PadMode) => Cut & { left: number }} */
export const halfFramePadding = ({ frameLength }, mode = 'reflect') => ({ left: Math.floor(frameLength / 2), mode });

/** @type {(length: number, least: number) => void} */
export function checkSamples(length, least) {
  if (length < least) rangeError(`audio must have at least ${least} sample${least > 1 ? 's' : ''}, got ${length}`);
}

/** Gives the padding of torch.stft, half a frame of reflected samples on both sides. Refuses audio that is too short to
 * be reflected, as torch does.
 * @type {(spectrum: Spectrum, length: number) => Cut & { left: number }} */
export function torchPadding(spectrum, length) {
  const cut = halfFramePadding(spectrum);
  if (length <= cut.left) rangeError(`audio must have more than ${cut.left} samples, got ${length}`);
  return cut;
}

/** Copies features from [frames, width] to [width, frames], or back.
 * @type {(features: Features) => Features} */
export function transposeFeatures({ data, frames, width, dims: [rows, columns] }) {
  const to = allocateNumbers('the features', data.length);
  return { data: flipNumbers(data, rows, columns, to), frames, width, dims: [columns, rows] };
}

/** Cuts features by columns, [mels, frames], to `count` frames, or adds zeros. Gives the same features if nothing
 * changes.
 * @type {(features: Features, count: number) => Features} */
export function resizeToFrames(source, count) {
  const { data, width, frames } = source;
  if (count === frames) return source;
  const to = allocateNumbers('the features', width * count);
  const copiedFrames = Math.min(frames, count);
  for (let k = 0; k < width; k++) {
    const start = k * frames;
    to.set(data.subarray(start, start + copiedFrames), k * count);
  }
  const byColumns = true;
  return features(to, count, width, byColumns);
}

/** Raises low numbers and scales all of them in place, as Whisper does last: x becomes (max(x, top - 8) + 4) / 4.
 * `top`: the maximum, by default of the matrix itself. Refuses a matrix without frames, which has no maximum, even if
 * `top` is given.
 * @type {<T extends { data: Float32Array }>(matrix: T, top?: number) => T} */
export function raiseByMaximum(matrix, top = reduceNumbers(matrix.data, 'maximum')) {
  if (matrix.data.length === 0) rangeError('audio must give at least 1 frame, got 0');
  const least = Math.fround(top - 8);
  const added = 4;
  const divisor = 4;
  mapNumbers(matrix.data, 'raise', [least, added, divisor]);
  return matrix;
}

/** Added to a variance, as in Wav2Vec2, so that no deviation is 0. */
const tiny = Math.fround(1e-7);
/** Computes the square root of a variance and {@link tiny} in float32 steps, as NumPy does.
 * @type {(variance: number) => number} */
const deviationOf = (variance) => Math.fround(Math.sqrt(Math.fround(variance + tiny)));

/** Makes a copy of the samples whose first `count` ones are (x - mean) / deviation of these, as Wav2Vec2 has it; the
 * others are `value`.
 * @type {(samples: Float32Array, count: number, value: number) => Float32Array} */
export function standardizeSamples(samples, count, value) {
  const result = samples.slice();
  const real = result.subarray(0, count);
  const [mean, variance] = meanAndVariance(real, 'pairwise');
  mapNumbers(real, 'standardize', [mean, deviationOf(variance)]);
  return result.fill(value, count);
}

/** Makes the output of a padded waveform: itself or, if `do_normalize` is set, its first `count` samples as
 * (x - mean) / deviation, followed by `padding_value`.
 * @type {(item: PaddedItem, settings: Settings, count: number) => Item} */
export function standardizeItem(item, { do_normalize: normalizes, padding_value: value }, count) {
  if (!normalizes) return ownItem(item);
  return { data: standardizeSamples(item.data, count, value), dims: item.dims };
}

/** Calls `change` with the frames of each mel, to change them in place. `columns`: features as [mels, frames].
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
  eachMel(columns, (mel) => {
    const degreesLost = 1; // the variance is divided by the number of frames less 1
    const [mean, variance] = meanAndVariance(mel, 'pairwise', degreesLost);
    mapNumbers(mel, 'standardize', [mean, deviationOf(variance)]);
  });

/** Changes the first `count` frames of each mel of features by columns, the real ones, to (x - mean) / deviation in
 * place, in float64 and rounded once. `toDeviation` gets their unbiased variance, 0 / 0 of a single frame. Sums are
 * divided by `count` even where there are fewer frames, as NeMo does.
 * @type {(columns: Features, count: number, toDeviation: (variance: number) => number) => Features} */
export const standardizeWide = (columns, count, toDeviation) =>
  eachMel(columns, (mel) => {
    const real = mel.subarray(0, count);
    const mean = reduceNumbers(real, 'wide') / count;
    const squares = reduceNumbers(real, 'wideSquares', mean);
    mapNumbers(real, 'standardizeWide', [mean, toDeviation(squares / (count - 1))]);
  });

/** Joins `stride` frames to a row; frames that fill no row are left out. Shares the memory of `data`, [frames, width].
 * @type {(data: Float32Array, frames: number, width: number, stride: number) => Item} */
export function stackFrames(data, frames, width, stride) {
  const rows = Math.floor(frames / stride);
  return { data: data.subarray(0, rows * stride * width), dims: [rows, stride * width] };
}
