/**
 * Resampling by a rational factor up / down: an output is a weighted sum of `taps` input samples near it.
 *
 * A row is `up` outputs that follow one another, and the samples that a row reads begin `down` samples after those of
 * the row before. The place of an output in its row is its phase; outputs of one phase have the same weights.
 */
import { largest, rangeError, show, smallest, typedArrayName, typeError } from '../../arguments/index.js';
import * as cpp from '../../../dist/bridge/audio.js';
import { checkLength, doubleBytes, structBytes, wordBytes } from '../memory/index.js';
import { copyTables, halfBytes, kernels, loadTables, pieces, startTables, tables } from './module.js';
import { copySamples, wholeSignal } from './frames.js';
import { newNumbers } from './numbers.js';
import { SampleBuffer } from './sample-buffer.js';

/** @import { Filter, FilterSettings, Signal } from './types.js' */

/** The libraries whose weights a filter may have. */
export const sincs = cpp.Sinc;
/** Where the weights of a filter begin, behind its settings. */
const settingsBytes = Math.ceil(cpp.Resampling.bytes / 16) * 16;

/** Weights of more bytes are not kept in a table but made a block of phases at a time: those of rates without a large
 * common divisor. */
const mostTableBytes = 2 ** 20;
/** With a larger `up` or `down` there is no table either: a block of `kernelRows` would be too large. */
const mostSteps = 4096;
/** The kernel makes at least so many rows at once: `kNarrowRows` of cpp/audio/resample.h. */
const kernelRows = 16;
/** So many samples of all channels, their planes and outputs stay in the second cache. */
const blockNumbers = 2 ** 15;
/** How many weights and how many samples a block of phases has at most, and how many phases. */
const phaseNumbers = 2 ** 16;
const mostPhases = 2048;
/** So many rows share each load of a weight, where their samples and planes have at most so many numbers. */
const sharingRows = 48;
const sharedNumbers = 2 ** 18;
/** Making so many weights takes 4 s. Filters of usual rates have less than a million. */
const mostWeights = 2 ** 25;

/** Refuses a filter that does not fit in the module's memory or takes seconds to make, because a file may state any
 * rate. Returns the number of taps, for which `countTaps` asks the module once `up` and `down` are known to be int32.
 * @type {(up: number, down: number, countTaps: () => number) => number} */
function checkFilter(up, down, countTaps) {
  // Negated comparisons refuse NaN, too.
  if (!(Math.max(up, down) <= mostWeights))
    rangeError(`orig_freq and new_freq in lowest terms must be at most ${mostWeights}, got ${down} and ${up}`);
  const taps = countTaps();
  // At 8 bytes a number, the weights of an output take a quarter of the memory of a piece, and its samples another one.
  const maxTaps = halfBytes / 32;
  if (!(taps <= maxTaps)) rangeError(`the filter must have at most ${maxTaps} taps, got ${taps}`);
  if (up * taps > mostWeights)
    rangeError(`the filter must have at most ${mostWeights} weights, got ${up} times ${taps}`);
  return taps;
}

/** Makes a filter in the module's memory of tables, of which it keeps a copy: its settings, and the weights of all
 * phases if they fit a table.
 * @type {(settings: FilterSettings) => Filter} */
export function makeFilter(settings) {
  const { sinc, up, down } = settings;
  startTables();
  const block = tables.allocate(settingsBytes);
  const writeSettings = (/** @type {FilterSettings} */ values) =>
    tables.view(Uint8Array, block, cpp.Resampling.bytes).set(structBytes(cpp.Resampling, values));
  const taps = checkFilter(up, down, () => {
    writeSettings(settings);
    return kernels.tap_count(block);
  });
  // The sum of scipy's weights, by which they are scaled.
  if (sinc === sincs.scipy) writeSettings({ ...settings, scale: kernels.sum_of_weights(block) });
  const tableBytes = wordBytes * up * (taps + 1); // a phase's weights and its first sample
  const isTabled = tableBytes <= mostTableBytes && Math.max(up, down) <= mostSteps;
  if (isTabled) {
    const firsts = tables.allocate(wordBytes * up);
    const weights = tables.allocate(wordBytes * up * taps);
    const starts = makePhases(block, 0, up, weights, taps);
    const earliest = smallest(starts);
    tables.view(Int32Array, firsts, up).set(starts.map((start) => start - earliest));
    return { up, down, taps, earliest, end: largest(starts) + taps, tables: copyTables(), isTabled };
  }
  // The weights are not kept: they are made here only to learn where the phases begin.
  const weights = tables.allocate(wordBytes * taps);
  // Each phase begins no earlier than the one before, so the first and the last phase tell the range.
  const [earliest, lastStart] = [0, up - 1].map((phase) => kernels.make_phase(block, phase, weights));
  return { up, down, taps, earliest, end: lastStart + taps, tables: copyTables(settingsBytes), isTabled };
}

/** Makes the weights of `count` phases, `taps` of each, from address `weights` on. Returns the first sample that each
 * phase of row 0 reads. `settings`: the address of the filter's.
 * @type {(settings: number, firstPhase: number, count: number, weights: number, taps: number) => number[]} */
const makePhases = (settings, firstPhase, count, weights, taps) =>
  Array.from({ length: count }, (_, i) => kernels.make_phase(settings, firstPhase + i, weights + wordBytes * i * taps));

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
  // As makeFilter took their memory: settings, the first sample of each phase, weights; each from a multiple of 16 on.
  const firsts = loadTables(filter) + settingsBytes;
  const firstsBytes = Math.ceil((wordBytes * up) / 16) * 16;
  const weights = firsts + firstsBytes;
  const span = end - earliest;
  // Rows whose samples of all channels, or whose outputs, are about `blockNumbers`.
  const aboutRows = blockNumbers / signals.length / Math.max(up, down);
  const maxRows = Math.max(1, Math.floor(aboutRows / kernelRows)) * kernelRows;
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
  const maxPhases = Math.max(1, Math.min(mostPhases, Math.floor(phaseNumbers / phaseSize)));
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
    pieces.view(Int32Array, firsts, count).set(starts.map((each) => each - start));
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

/** One filter over audio that comes in pieces. Outputs do not depend on where pieces end. */
export class FilterStream {
  /** The samples that outputs to come still read. */
  kept = new SampleBuffer();
  /** The number of the first row whose outputs are not written yet. */
  row = 0;

  /** @param {Filter} filter */
  constructor(filter) {
    this.filter = filter;
  }

  /** Takes the next samples, and returns the outputs of all rows that have their samples now; in `out`, if it is given.
   * @type {(samples: Float32Array, out?: Float32Array) => Float32Array} */
  push(samples, out) {
    const { filter, kept } = this;
    const { up, down, earliest, end } = filter;
    kept.push(samples);
    // The last row r whose samples are all there, up to r * down + end - 1.
    const lastRow = Math.floor((kept.received - end) / down);
    const rows = Math.max(0, lastRow + 1 - this.row);
    const outputs = roomFor(rows * up, out);
    resampleRows(filter, this.keptSignals(Infinity), this.row, rows, outputs);
    this.row += rows;
    kept.drop(this.row * down + earliest);
    return outputs;
  }

  /** Ends the stream: fills `outputs` with the outputs that remain, for which zeros follow the last sample.
   * @type {(outputs: Float32Array) => Float32Array} */
  end(outputs) {
    const rows = Math.ceil(outputs.length / this.filter.up);
    resampleRows(this.filter, this.keptSignals(this.kept.received), this.row, rows, outputs);
    return outputs;
  }

  /** The samples that are kept, as one channel of a stream that has `total` samples; Infinity if more may come.
   * @type {(total: number) => Signal[]} */
  keptSignals(total) {
    const { data, start } = this.kept;
    return [{ data, start, total, left: 0, mode: 'constant' }];
  }
}

/** Returns memory for `length` numbers: the beginning of the caller's `out`, or a new array without one.
 * @type {(length: number, out?: any, Class?: any) => any} */
export function roomFor(length, out, Class = Float32Array) {
  if (out === undefined || out === null) return newNumbers('a part', length, Class);
  if (typedArrayName(out) !== Class.name) typeError(`out must be a ${Class.name}, got ${show(out)}`);
  if (length > out.length) rangeError(`out must have room for ${length} numbers, got ${out.length}`);
  // `subarray` throws where the memory of an `out` is gone, which has a length of 0 then.
  return length === 0 ? new Class(0) : out.subarray(0, length);
}
