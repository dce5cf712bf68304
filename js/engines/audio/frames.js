/** Frames of samples through the module. A frame is `reads` samples in a row; the next frame begins `hop` samples
 * later, and each gives `width` results. */
import { rangeError } from '../../arguments/index.js';
import { checkLength, span } from '../memory/index.js';
import { halfBytes, kernels, loadTables, pieces } from './module.js';

/** @import { Class } from '../memory/index.js' */
/** @import { PadMode, Signal, Spectrum, Target } from './types.js' */

/** @type {(isWide: boolean) => Class<Float32Array | Float64Array>} the class of float64 numbers, or of float32 */
const classOf = (isWide) => (isWide ? Float64Array : Float32Array);

/** In the place of a sample's index: the place holds a zero. */
const noSample = -1;

/** Finds the index of the sample that a padded signal has at place `i`, which may lie before its first sample or behind
 * its last one. Modes are those of np.pad: `reflect` mirrors at the last sample without repeating it, again and again.
 * @param {number} i
 * @param {number} total how many samples the signal has
 * @param {PadMode} mode
 * @returns {number} `noSample` in each place of padding in mode `constant` */
function paddedIndex(i, total, mode) {
  if (mode === 'constant' || total === 0) return noSample;
  if (mode === 'edge') return Math.min(Math.max(i, 0), total - 1);
  // The period below would be 0.
  if (total === 1) return 0;
  const thereAndBack = 2 * (total - 1);
  const at = Math.abs(i) % thereAndBack;
  return Math.min(at, thereAndBack - at);
}

/** `left`: how many samples of padding come before the waveform.
 * @type {(data: Float32Array | Float64Array, left?: number, mode?: PadMode) => Signal} */
export const wholeSignal = (data, left = 0, mode = 'constant') => ({ data, start: 0, total: data.length, left, mode });

/** Copies places `first` to `first + count` of a padded signal to `to`, from entry `at` on. Place 0 is the first sample
 * of the padding in front.
 * @type {(signal: Signal, first: number, count: number, to: Float32Array | Float64Array, at: number) => void} */
export function copySamples(signal, first, count, to, at) {
  const { data, start, total, left } = signal;
  // Indices of samples: `begin` to `end` are asked for, and `from` to `until` are in the signal.
  const begin = first - left;
  if (!(Number.isSafeInteger(begin) && total >= 0))
    rangeError(`samples must be those of a place in a signal, got ${begin} of ${total}`);
  const end = begin + count;
  const from = Math.min(Math.max(begin, 0), end);
  const until = Math.max(from, Math.min(end, total));
  if (until > from) to.set(span(data, from - start, until - start), at + from - begin);
  padSamples(signal, begin, from, to, at);
  padSamples(signal, until, end, to, at + until - begin);
}

/** Writes the padding at the indices `begin` to `end`, a frame long at most, to `to`, from entry `at` on.
 * @type {(signal: Signal, begin: number, end: number, to: Float32Array | Float64Array, at: number) => void} */
function padSamples({ data, start, total, mode }, begin, end, to, at) {
  for (let i = begin; i < end; i++) {
    const source = paddedIndex(i, total, mode);
    to[at + i - begin] = source === noSample ? 0 : data[source - start];
  }
}

/** How many bytes of samples a block of frames has, unless a single frame has more: they stay in the second cache. */
const sampleBytes = 2 ** 18;

/** Computes how many frames go through the module at once. Their samples have at most half of its memory of pieces,
 * their results a quarter. `sampleSize`, `resultSize`: bytes of one.
 * @type {(spectrum: Spectrum, sampleSize: number, resultSize: number) => number} */
function framesPerBlock({ reads, hop, width }, sampleSize, resultSize) {
  // At least two frames, `reads + hop` samples, because the kernel computes two at once.
  const maxSamples = Math.min(halfBytes / 2 / sampleSize, Math.max(sampleBytes / sampleSize, reads + hop));
  const byResults = Math.floor(halfBytes / 4 / (width * resultSize));
  if (byResults < 1) rangeError(`a frame must have at most ${halfBytes / 4 / resultSize} results, got ${width}`);
  // n frames read reads + (n - 1) * hop samples. 512 is a bound for short frames, which would fit by the thousand.
  return Math.max(1, Math.min(Math.floor((maxSamples - reads) / hop) + 1, byResults, 512));
}

/** Computes the results of frames, and writes them where the target says. Float64 samples are read as they are. A
 * frame's bits do not depend on its neighbors.
 * @param {Spectrum} spectrum
 * @param {Signal} signal
 * @param {number} first the number of the first frame, which begins at sample first * hop of the padded signal
 * @param {number} count how many frames
 * @param {Target} target its `stride` counts results, which are two numbers each if they are complex */
export function writeFrames(spectrum, signal, first, count, { to, stride }) {
  const { reads, hop, width, wide, isComplex } = spectrum;
  const isWideInput = signal.data instanceof Float64Array;
  const [sampleSize, numberSize] = [isWideInput ? 8 : 4, wide ? 8 : 4];
  const numbersPerResult = isComplex ? 2 : 1;
  const needed = stride ? (width - 1) * stride + count : count * width;
  checkLength(to, needed * numbersPerResult);
  const table = loadTables(spectrum);
  const block = framesPerBlock(spectrum, sampleSize, numberSize * numbersPerResult);
  for (let done = 0; done < count; done += block) {
    const frames = Math.min(block, count - done);
    const samples = (frames - 1) * hop + reads;
    pieces.clear();
    const [from, results] = [samples * sampleSize, frames * width * numbersPerResult * numberSize].map((n) =>
      pieces.space(n),
    );
    copySamples(signal, (first + done) * hop, samples, pieces.view(classOf(isWideInput), from, samples), 0);
    // In numbers of the module's results: from one frame to the next, and from one result of a frame to the next.
    const [frameStride, resultStride] = stride
      ? [numbersPerResult, frames * numbersPerResult]
      : [width * numbersPerResult, numbersPerResult];
    kernels.make_frames(table, from, Number(isWideInput), frames, results, frameStride, resultStride);
    // With a stride, a result's frames are one run each in the target; without, all results of the block are one run.
    const rows = stride ? width : 1;
    const length = (frames * numbersPerResult * width) / rows;
    const numbers = pieces.view(classOf(wide), results, rows * length);
    for (let row = 0; row < rows; row++) {
      const place = (row * stride + (done * width) / rows) * numbersPerResult;
      to.set(numbers.subarray(row * length, (row + 1) * length), place);
    }
  }
}

/** Transforms frames of complex bins [bins, frames] back to samples, and adds them up, each a hop after the one before;
 * the sums are divided by those of the squared window, where these are above 1e-11. `give` gets samples once no later
 * frame changes them, and the place of the first; nothing is given without frames. Where the hop is longer than a
 * frame, samples between frames are 0 and not given.
 * @type {(spectrum: Spectrum, bins: Float32Array, frames: number, give: (piece: Float32Array, at: number) => void) =>
 *   void} */
export function overlapFrames(spectrum, bins, frames, give) {
  const { frameLength, hop, width } = spectrum;
  if (frames === 0) return;
  checkLength(bins, 2 * width * frames);
  const table = loadTables(spectrum);
  // A quarter of the memory for bins, one for sums, one for squares, one for samples: 8 bytes a bin, 8 a sum.
  const quarter = halfBytes / 4;
  const maxFrames = Math.min(Math.floor(quarter / 8 / width), Math.floor((quarter / 8 - frameLength) / hop) + 1);
  if (!(maxFrames >= 1)) rangeError(`n_fft must be at most ${quarter / 8}, got ${frameLength}`);
  const length = (Math.min(maxFrames, frames) - 1) * hop + frameLength;
  pieces.clear();
  const [sums, squares] = [1, 2].map(() => pieces.space(8 * length));
  const to = pieces.space(4 * length);
  const from = pieces.space(8 * width * maxFrames);
  const [source, both] = [
    pieces.view(Float32Array, from, 2 * width * maxFrames),
    [sums, squares].map((at) => pieces.view(Float64Array, at, length)),
  ];
  for (const numbers of both) numbers.fill(0);
  for (let done = 0; done < frames; done += maxFrames) {
    const count = Math.min(maxFrames, frames - done);
    for (let k = 0; k < width; k++) {
      // A row of the matrix has one bin of all frames, two numbers each; the piece takes `count` frames of it.
      const row = 2 * (k * frames + done);
      source.set(bins.subarray(row, row + 2 * count), 2 * k * count);
    }
    kernels.overlap_frames(table, from, count, sums, squares);
    const reached = (count - 1) * hop + frameLength;
    // Only samples before the next frame are ready, unless there is none.
    const ready = done + count === frames ? reached : Math.min(count * hop, reached);
    kernels.divide_numbers(sums, squares, ready, to);
    give(pieces.view(Float32Array, to, ready), done * hop);
    // The next frames add to the sums behind these.
    for (const numbers of both) numbers.copyWithin(0, ready, reached).fill(0, reached - ready);
  }
}
