/** Frames of samples through the module. */
import { rangeError } from '../arguments/index.js';
import { doubles, floats, halfBytes, kernels, loadTables, piecesByte, tablesByte } from './module.js';

/** @import { PadMode, Signal, Spectrum, Target } from './types.js' */

/** The index of the sample that stands at a place outside the signal.
 * @param {number} i
 * @param {number} total
 * @param {PadMode} mode
 * @returns {number} -1 for zero */
function mirrored(i, total, mode) {
  if (mode === 'constant' || total === 0) return -1;
  if (mode === 'edge') return Math.min(Math.max(i, 0), total - 1);
  if (total === 1) return 0;
  const at = Math.abs(i) % (2 * total - 2);
  return Math.min(at, 2 * total - 2 - at);
}

/** All of a waveform.
 * @type {(data: Float32Array | Float64Array, left?: number, mode?: PadMode) => Signal} */
export const wholeSignal = (data, left = 0, mode = 'constant') => ({ data, start: 0, total: data.length, left, mode });

/** Copies samples of the padded signal into an array. Loops over padding alone, which is a frame long at most.
 * @type {(signal: Signal, first: number, count: number, to: Float32Array | Float64Array, at: number) => void} */
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

/** How many frames go through at once. Sizes in bytes.
 * @type {(spectrum: Spectrum, sampleSize: number, resultSize: number) => number} */
function blockOf({ reads, hop, width }, sampleSize, resultSize) {
  const most = Math.min(halfBytes / 2 / sampleSize, Math.max(sampleBytes / sampleSize, reads + hop));
  const byResults = Math.floor(halfBytes / 4 / (width * resultSize));
  if (byResults < 1) rangeError(`a frame must have at most ${halfBytes / 4 / resultSize} results, got ${width}`);
  return Math.min(Math.floor((most - reads) / hop) + 1, byResults, 512);
}

/** Writes the results of frames. A frame's bits do not depend on its neighbors.
 * @param {Spectrum} spectrum
 * @param {Signal} signal
 * @param {number} first the first frame
 * @param {number} count
 * @param {Target} target */
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
    const rows = stride ? width : 1;
    const length = (frames * parts * width) / rows;
    for (let k = 0; k < rows; k++) {
      const row = from + k * length;
      to.set(results.subarray(row, row + length), at + (k * stride + (done * width) / rows) * parts);
    }
  }
}

/** Transforms frames of complex bins [bins, frames] back and adds them a hop apart. `give` gets samples as they are
 * ready, and where they begin.
 * @type {(spectrum: Spectrum, bins: Float32Array, frames: number, give: (piece: Float32Array, at: number) => void) =>
 *   void} */
export function overlapFrames(spectrum, bins, frames, give) {
  const { frameLength, hop, width } = spectrum;
  loadTables(spectrum);
  // A quarter for bins, one for sums, one for squares, one for samples.
  const quarter = halfBytes / 4;
  const most = Math.min(Math.floor(quarter / 8 / width), Math.floor((quarter / 8 - frameLength) / hop) + 1);
  if (most < 1) rangeError(`hop_length must be at most ${quarter / 8 - frameLength}, got ${hop}`);
  const from = piecesByte / 4;
  const [sums, squares] = [1, 2].map((i) => piecesByte + i * quarter);
  for (const at of [sums, squares]) doubles.fill(0, at / 8, (at + quarter) / 8);
  for (let done = 0; done < frames; done += most) {
    const count = Math.min(most, frames - done);
    for (let k = 0; k < width; k++) {
      const row = 2 * (k * frames + done);
      floats.set(bins.subarray(row, row + 2 * count), from + 2 * k * count);
    }
    kernels.overlap_frames(tablesByte, piecesByte, count, sums, squares);
    const isLast = done + count === frames;
    const ready = isLast ? (count - 1) * hop + frameLength : count * hop;
    const to = piecesByte + 3 * quarter;
    kernels.divide_numbers(sums, squares, ready, to);
    give(floats.subarray(to / 4, to / 4 + ready), done * hop);
    // The next frames reach the numbers behind.
    for (const at of [sums, squares]) {
      const rest = Math.max(0, frameLength - hop);
      doubles.copyWithin(at / 8, at / 8 + ready, at / 8 + ready + rest);
      doubles.fill(0, at / 8 + rest, at / 8 + quarter / 8);
    }
  }
}
