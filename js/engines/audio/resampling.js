/** Resampling by a filter, in blocks of rows; see resampling-filters.js for rows and phases. */
import { checkLength, doubleBytes, wordBytes } from '../memory/index.js';
import { copySamples, wholeSignal } from './frames.js';
import { kernels, loadTables, pieces } from './module.js';
import { makePhases, settingsBytes } from './resampling-filters.js';

/** @import { Filter, Signal } from './types.js' */

/** The kernel makes at least so many rows at once: `kNarrowRows` of cpp/audio/resample.h. */
const kernelRows = 16;
/** So many samples of all channels, their planes and outputs stay in the second cache. */
const blockNumbers = 2 ** 15;
/** How many weights and how many samples a block of phases has at most, and how many phases. */
const phaseNumbers = 2 ** 16;
const maxPhasesPerBlock = 2048;
/** So many rows share each load of a weight, where their samples and planes have at most so many numbers. */
const sharingRows = 48;
const sharedNumbers = 2 ** 18;

/** Puts `count` samples from place `first` on into the module: those of one signal, or the mean of several. Returns
 * their address. Zeros lie behind them, because the kernel reads whole vectors.
 * @type {(signals: readonly Signal[], first: number, count: number) => number} */
function placeSamples(signals, first, count) {
  const length = count * signals.length;
  const paddedLength = length + marginNumbers();
  const samples = pieces.allocate(wordBytes * paddedLength);
  const samplesView = pieces.view(Float32Array, samples, paddedLength);
  samplesView.fill(0, length);
  signals.forEach((signal, c) => copySamples(signal, first, count, samplesView, c * count));
  const channelStride = count;
  if (signals.length > 1) kernels.mean_of_channels(samples, signals.length, channelStride, count, samples);
  return samples;
}

/** Counts the numbers that the kernel may read behind the samples: `kNarrowRows` of cpp/audio/resample.h. */
function marginNumbers() {
  // A plane of no rows has this margin alone.
  const [rows, down, span] = [0, 1, 0];
  return kernels.plane_length(rows, down, span);
}

/** Takes memory for `down` planes, into which `resample_rows` sorts the samples of `rows` rows, `span` of each, so that
 * those of neighboring rows lie side by side. A single plane is the samples themselves.
 * @type {(rows: number, down: number, span: number) => number} */
function takePlanes(rows, down, span) {
  const planeLength = down > 1 ? kernels.plane_length(rows, down, span) : 0;
  return pieces.allocate(wordBytes * down * planeLength);
}

/** Writes the outputs of `rows` rows, `up` of each, from row `first` on: the mean of the channels' signals, resampled.
 * The last row ends where `to` does, with one output at least.
 * @type {(filter: Filter, signals: readonly Signal[], first: number, rows: number, to: Float32Array) => void} */
export function resampleRows(filter, signals, first, rows, to) {
  checkLength(to, (rows - 1) * filter.up + 1);
  // Padding of `-earliest` samples puts the first sample that row 0 reads at place 0.
  const sources = signals.map((signal) => ({ ...signal, left: -filter.earliest }));
  if (filter.isTabled) resampleByTable(filter, sources, first, rows, to);
  else resampleByPhases(filter, sources, first, rows, to);
}

/** Writes the outputs of rows by the table of all weights, a block of rows at a time. `signals` are padded so that
 * place 0 is the first sample of row 0.
 * @type {(filter: Filter, signals: readonly Signal[], first: number, rows: number, to: Float32Array) => void} */
function resampleByTable(filter, signals, first, rows, to) {
  const { up, down, taps, earliest, end } = filter;
  // The memory holds what makeFilter made: settings, the first sample of each phase, weights; each from a multiple of
  // 16 on.
  const firsts = loadTables(filter) + settingsBytes;
  const firstsBytes = Math.ceil((wordBytes * up) / 16) * 16;
  const weights = firsts + firstsBytes;
  const span = end - earliest;
  // A row has `down` samples of each channel and `up` outputs. A block has whole groups of the kernel's rows.
  const rowNumbers = signals.length * Math.max(up, down);
  const rowGroups = Math.max(1, Math.floor(blockNumbers / rowNumbers / kernelRows));
  const maxRows = rowGroups * kernelRows;
  for (let done = 0; done < rows; done += maxRows) {
    const count = Math.min(maxRows, rows - done);
    pieces.clear();
    const samples = placeSamples(signals, (first + done) * down, (count - 1) * down + span);
    const planes = takePlanes(count, down, span);
    const outputs = pieces.allocate(wordBytes * count * up);
    kernels.resample_rows(firsts, weights, up, down, taps, samples, count, planes, outputs);
    const place = done * up;
    const length = Math.min(count * up, to.length - place);
    to.set(pieces.view(Float32Array, outputs, length), place);
  }
}

/** Writes the outputs of rows without a table: makes the weights of a block of phases, then that block's outputs in all
 * rows. `signals` are padded so that place 0 is the first sample of row 0.
 * @type {(filter: Filter, signals: readonly Signal[], first: number, rows: number, to: Float32Array) => void} */
function resampleByPhases(filter, signals, first, rows, to) {
  const { up, down, taps } = filter;
  const settings = loadTables(filter);
  // A phase has `taps` weights, and begins `down / up` samples after the phase before on average.
  const phaseSize = Math.max(taps, down / up);
  const maxPhases = Math.max(1, Math.min(maxPhasesPerBlock, Math.floor(phaseNumbers / phaseSize)));
  // A result of less than a row lacks the last phases.
  const phaseEnd = Math.min(up, to.length);
  for (let phase = 0; phase < phaseEnd; phase += maxPhases) {
    const count = Math.min(maxPhases, up - phase);
    pieces.clear();
    const firsts = pieces.allocate(wordBytes * count);
    const weights = pieces.allocate(wordBytes * count * taps);
    const starts = makePhases(settings, phase, count, weights, taps);
    const start = starts[0];
    // Phases begin in ascending order.
    const span = starts[count - 1] + taps - start;
    pieces.view(Int32Array, firsts, count).set(starts.map((phaseStart) => phaseStart - start));
    resamplePhases(filter, signals, { phase, count, firsts, weights, start, span }, first, rows, to);
  }
}

/**
 * A block of `count` phases, from the number `phase` on.
 * @typedef {object} PhaseBlock
 * @property {number} phase
 * @property {number} count
 * @property {number} firsts address of each phase's first sample, counted from `start`
 * @property {number} weights address
 * @property {number} start the first sample that these phases read of row 0
 * @property {number} span how many samples they read of a row
 */

/** Writes the outputs of a block of phases in all rows. Samples and outputs take the memory behind the block's arrays.
 * @type {(filter: Filter, signals: readonly Signal[], block: PhaseBlock, first: number, rows: number,
 *   to: Float32Array) => void} */
function resamplePhases({ up, down, taps, earliest }, signals, block, first, rows, to) {
  const { phase, count, firsts, weights, start, span } = block;
  // Samples and planes have `down` numbers a row each.
  const togetherNumbers = 2 * (down * (sharingRows + kernelRows) + span);
  const maxRows = togetherNumbers <= sharedNumbers ? sharingRows : 1;
  const keptArrays = pieces.count;
  // The last row may end before these phases.
  for (let row = 0; row < rows && row * up + phase < to.length; row += maxRows) {
    const rowCount = Math.min(maxRows, rows - row);
    pieces.clear(keptArrays);
    const place = (first + row) * down + start - earliest;
    const samples = placeSamples(signals, place, (rowCount - 1) * down + span);
    const planes = rowCount > 1 ? takePlanes(rowCount, down, span) : pieces.allocate(0); // `resample_row` needs none
    const outputs = pieces.allocate(wordBytes * rowCount * count);
    if (rowCount === 1) kernels.resample_row(firsts, weights, count, taps, samples, outputs);
    else kernels.resample_rows(firsts, weights, count, down, taps, samples, rowCount, planes, outputs);
    for (let i = 0; i < rowCount; i++) {
      const at = (row + i) * up + phase;
      const length = Math.min(count, to.length - at);
      if (length > 0) to.set(pieces.view(Float32Array, outputs + wordBytes * i * count, length), at);
    }
  }
}

/** How many outputs a block in float64 has at most, and about how many samples it reads. */
const wideOutputs = 2 ** 14;
const wideSamples = 2 ** 16;
/** So many samples before those that an output reads, and behind them, because their places are rounded. */
const roundingMargin = 2;

/** Resamples float64 samples with scipy's filter, with sums of float64, to all of `to`. Samples beyond both ends are 0.
 * @type {(filter: Filter, samples: Float64Array, to: Float64Array) => void} */
export function resampleWide(filter, samples, to) {
  const { up, down, taps, earliest } = filter;
  const settings = loadTables(filter);
  const signal = wholeSignal(samples);
  const maxOutputs = Math.max(1, Math.min(wideOutputs, Math.floor((wideSamples * up) / down)));
  const firstSampleOf = (/** @type {number} */ output) => Math.floor((output * down) / up) + earliest;
  for (let done = 0; done < to.length; done += maxOutputs) {
    const count = Math.min(maxOutputs, to.length - done);
    const first = firstSampleOf(done) - roundingMargin;
    const end = firstSampleOf(done + count - 1) + taps + roundingMargin;
    const length = end - first;
    pieces.clear();
    const from = pieces.allocate(doubleBytes * length);
    copySamples(signal, first, length, pieces.view(Float64Array, from, length), 0);
    const weights = pieces.allocate(doubleBytes * taps);
    const outputs = pieces.allocate(doubleBytes * count);
    kernels.resample_wide(settings, done, first, count, from, weights, outputs);
    to.set(pieces.view(Float64Array, outputs, count), done);
  }
}
