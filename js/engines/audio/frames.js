/** Frames of samples through the module. A frame is `reads` samples in a row; the next frame begins `hop` samples
 * later, and each gives `width` results. */
import { rangeError } from '../../arguments/index.js';
import { checkLength, doubleBytes, floatBytes, span } from '../memory/index.js';
import { halfBytes, kernels, loadTables, pieces } from './module.js';

/** @import { Class } from '../memory/index.js' */
/** @import { PadMode, Signal, Spectrum, Target } from './types.js' */

/** @type {(isWide: boolean) => Class<Float32Array | Float64Array>} */
const classOf = (isWide) => (isWide ? Float64Array : Float32Array);

/** In the place of a sample's index: padding with zeros. */
const noSample = -1;

/** Finds the sample that fills a place of padding: its index, or `noSample` for a zero. Modes are those of np.pad:
 * `reflect` mirrors at the first and the last sample without repeating them, again and again.
 * @param {number} i the place, counted from the first sample: below 0, or from `total` on
 * @param {number} total how many samples the signal has
 * @param {PadMode} mode
 * @returns {number} */
function paddingSource(i, total, mode) {
  if (mode === 'constant' || total === 0) return noSample;
  if (mode === 'edge') return Math.min(Math.max(i, 0), total - 1);
  if (total === 1) return 0;
  const thereAndBack = 2 * (total - 1); // not 0
  const at = Math.abs(i) % thereAndBack;
  return Math.min(at, thereAndBack - at);
}

/** Makes a signal of all samples of an array. `left`: how many samples of padding come before them.
 * @type {(data: Float32Array | Float64Array, left?: number, mode?: PadMode) => Signal} */
export const wholeSignal = (data, left = 0, mode = 'constant') => ({ data, start: 0, total: data.length, left, mode });

/** Copies places `first` to `first + count` of a padded signal to `to`, from entry `at` on. Place 0 is the first sample
 * of the padding in front.
 * @type {(signal: Signal, first: number, count: number, to: Float32Array | Float64Array, at: number) => void} */
export function copySamples(signal, first, count, to, at) {
  const { data, start, total, left } = signal;
  // Places, counted from the first sample: `begin` to `end` are asked for; of these, `from` to `until` hold samples.
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

/** Writes the padding at places `begin` to `end`, counted from the signal's first sample, to `to` from entry `at` on.
 * @type {(signal: Signal, begin: number, end: number, to: Float32Array | Float64Array, at: number) => void} */
function padSamples({ data, start, total, mode }, begin, end, to, at) {
  for (let i = begin; i < end; i++) {
    const source = paddingSource(i, total, mode);
    to[at + i - begin] = source === noSample ? 0 : data[source - start];
  }
}

/** How many bytes of samples a block of frames has, unless two frames have more: they stay in the second cache. */
const blockSampleBytes = 2 ** 18;
/** Short frames would fit by the thousand. */
const mostBlockFrames = 512;

/** Computes how many frames go through the module at once. Their samples have at most half of its memory of pieces,
 * their results a quarter. `sampleBytes`, `resultBytes`: of one.
 * @type {(spectrum: Spectrum, sampleBytes: number, resultBytes: number) => number} */
function framesPerBlock({ reads, hop, width }, sampleBytes, resultBytes) {
  const mostResults = halfBytes / 4 / resultBytes;
  const framesOfResults = Math.floor(mostResults / width);
  if (framesOfResults < 1) rangeError(`a frame must have at most ${mostResults} results, got ${width}`);
  const mostSamples = halfBytes / 2 / sampleBytes;
  // At least those of two frames, because the kernel computes two at once.
  const samplesOfTwo = reads + hop;
  const samples = Math.min(mostSamples, Math.max(blockSampleBytes / sampleBytes, samplesOfTwo));
  // n frames read reads + (n - 1) * hop samples.
  const framesOfSamples = Math.floor((samples - reads) / hop) + 1;
  return Math.max(1, Math.min(framesOfSamples, framesOfResults, mostBlockFrames));
}

/** Computes the results of frames, and writes them where the target says. A frame's bits depend on no other frame.
 * @param {Spectrum} spectrum
 * @param {Signal} signal
 * @param {number} first the number of the first frame, which begins at sample first * hop of the padded signal
 * @param {number} count how many frames
 * @param {Target} target where its `stride` is 0, frame after frame is written; else result k of all frames side by
 *   side, `stride` results from those of k - 1. A complex result is two numbers */
export function writeFrames(spectrum, signal, first, count, { to, stride }) {
  const { reads, hop, width, wide, isComplex } = spectrum;
  const isWideInput = signal.data instanceof Float64Array;
  const [SampleClass, NumberClass] = [classOf(isWideInput), classOf(wide)];
  const numbersPerResult = isComplex ? 2 : 1;
  const resultBytes = NumberClass.BYTES_PER_ELEMENT * numbersPerResult;
  const isByResults = stride !== 0; // else by frames
  const targetResults = isByResults ? (width - 1) * stride + count : count * width;
  checkLength(to, targetResults * numbersPerResult);
  const table = loadTables(spectrum);
  const maxFrames = framesPerBlock(spectrum, SampleClass.BYTES_PER_ELEMENT, resultBytes);
  for (let done = 0; done < count; done += maxFrames) {
    const frames = Math.min(maxFrames, count - done);
    const sampleCount = (frames - 1) * hop + reads;
    pieces.clear();
    const samples = pieces.allocate(sampleCount * SampleClass.BYTES_PER_ELEMENT);
    const results = pieces.allocate(frames * width * resultBytes);
    copySamples(signal, (first + done) * hop, sampleCount, pieces.view(SampleClass, samples, sampleCount), 0);
    // In the module results of one kind lie side by side if they do in the target. Strides are in numbers.
    const runLength = frames * numbersPerResult;
    const frameStride = isByResults ? numbersPerResult : width * numbersPerResult;
    const resultStride = isByResults ? runLength : numbersPerResult;
    kernels.make_frames(table, samples, Number(isWideInput), frames, results, frameStride, resultStride);
    const numbers = pieces.view(NumberClass, results, width * runLength);
    if (isByResults)
      for (let k = 0; k < width; k++) {
        const run = numbers.subarray(k * runLength, (k + 1) * runLength);
        to.set(run, (k * stride + done) * numbersPerResult);
      }
    else to.set(numbers, done * width * numbersPerResult);
  }
}

/** Inverts a spectrogram: transforms frames of complex bins [bins, frames] back to samples, and adds them up, each a
 * hop after the one before; the sums are divided by those of the squared window, where these are above 1e-11. `give`
 * gets samples once no later frame changes them, and the place of the first; no samples between frames that lie apart.
 * @type {(spectrum: Spectrum, bins: Float32Array, frames: number, give: (piece: Float32Array, at: number) => void) =>
 *   void} */
export function overlapFrames(spectrum, bins, frames, give) {
  const { frameLength, hop, width } = spectrum;
  if (frames === 0) return;
  checkLength(bins, 2 * width * frames);
  const table = loadTables(spectrum);
  const maxFrames = overlapsPerBlock(spectrum);
  const length = (Math.min(maxFrames, frames) - 1) * hop + frameLength;
  pieces.clear();
  const [sums, squares] = [pieces.allocate(doubleBytes * length), pieces.allocate(doubleBytes * length)];
  const samples = pieces.allocate(floatBytes * length);
  const blockBins = pieces.allocate(2 * floatBytes * width * maxFrames);
  const binsView = pieces.view(Float32Array, blockBins, 2 * width * maxFrames);
  const sumViews = [sums, squares].map((at) => pieces.view(Float64Array, at, length));
  for (const view of sumViews) view.fill(0);
  for (let done = 0; done < frames; done += maxFrames) {
    const count = Math.min(maxFrames, frames - done);
    for (let k = 0; k < width; k++) {
      // Two numbers a bin: bin k of the frames `done` to `done + count`.
      const first = 2 * (k * frames + done);
      binsView.set(bins.subarray(first, first + 2 * count), 2 * k * count);
    }
    kernels.overlap_frames(table, blockBins, count, sums, squares);
    const reached = (count - 1) * hop + frameLength;
    const isLastBlock = done + count === frames;
    // Samples from where the next frame begins are not ready.
    const ready = isLastBlock ? reached : Math.min(count * hop, reached);
    kernels.divide_numbers(sums, squares, ready, samples);
    give(pieces.view(Float32Array, samples, ready), done * hop);
    // The sums that are not ready move to the front, where the next frame adds to them.
    for (const view of sumViews) {
      view.copyWithin(0, ready, reached);
      view.fill(0, reached - ready);
    }
  }
}

/** Computes how many frames `overlapFrames` transforms at once. Their bins (8 bytes each) take at most a quarter of the
 * module's memory of pieces; so do the sums of their samples (8 bytes), those of the squares, and the samples.
 * @type {(spectrum: Spectrum) => number} */
function overlapsPerBlock({ frameLength, hop, width }) {
  const quarter = halfBytes / 4;
  const framesOfBins = Math.floor(quarter / 8 / width);
  const framesOfSums = Math.floor((quarter / 8 - frameLength) / hop) + 1;
  const frames = Math.min(framesOfBins, framesOfSums);
  if (!(frames >= 1)) rangeError(`n_fft must be at most ${quarter / 8}, got ${frameLength}`);
  return frames;
}
