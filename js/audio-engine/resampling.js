/** Resampling by a rational factor: each output is a sum over the input samples near it. */
import { rangeError, show, typedArrayName, typeError } from '../arguments/index.js';
import {
  floats,
  halfBytes,
  integers,
  kernels,
  doubles,
  loadTables,
  bytes,
  piecesByte,
  tableSpace,
  tablesByte,
} from './module.js';
import { copySamples } from './frames.js';
import { SampleBuffer } from './sample-buffer.js';

/** @import { Filter, FilterSettings, Signal } from './types.js' */

/** Whose weights a filter has; see cpp/audio/resample.h. */
export const sincs = { torchHann: 0, torchKaiser: 1, scipy: 2, kaiser: 3 };

/** Weights of more bytes are made for each output. They are those of rates without a large common divisor. */
const mostTableBytes = 2 ** 20;
/** With more phases or a larger step, 16 rows have more samples than a piece. */
const mostSteps = 4096;
/** So many samples of all channels, their planes and outputs stay in the second cache. */
const blockNumbers = 2 ** 15;

/** @type {(settings: FilterSettings) => Filter} Refuses a filter longer than the module's memory. */
export function makeFilter({ sinc, up, down, width, cutoff = 1, beta = 0, scale = 1 }) {
  const space = tableSpace();
  const block = space.take(64);
  const writeSettings = (/** @type {number} */ last) =>
    doubles.set([sinc, up, down, width, cutoff, beta, last], block / 8);
  writeSettings(scale);
  if (sinc === sincs.scipy) writeSettings(kernels.sum_of_weights(block));
  const taps = kernels.tap_count(block);
  const most = halfBytes / 32;
  if (!(taps <= most)) rangeError(`the filter must have at most ${most} taps, got ${taps}`);
  const isTabled = up * (taps + 1) * 4 <= mostTableBytes && Math.max(up, down) <= mostSteps;
  const phases = isTabled ? up : 1;
  const firsts = space.take(up <= mostSteps ? up * 4 : 4);
  const weights = space.take(phases * taps * 4);
  /** @type {number} */
  let earliest;
  /** @type {number} */
  let end;
  if (isTabled) {
    const firstOf = Array.from({ length: up }, (_, i) => kernels.make_phase(block, i, weights + i * taps * 4));
    earliest = Math.min(...firstOf);
    end = Math.max(...firstOf) + taps;
    integers.set(
      firstOf.map((first) => first - earliest),
      firsts / 4,
    );
  } else {
    // Outputs of a row come later and later, so the first and the last phase tell the range.
    earliest = kernels.make_phase(block, 0, weights);
    end = kernels.make_phase(block, up - 1, weights) + taps;
  }
  const tables = bytes.slice(tablesByte, tablesByte + space.used());
  return { up, down, taps, earliest, end, tables, isTabled };
}

/** Puts samples where pieces begin: of one channel, or the mean of some.
 * @type {(signals: readonly Signal[], first: number, count: number) => void} */
function placeSamples(signals, first, count) {
  signals.forEach((signal, c) => copySamples(signal, first, count, floats, piecesByte / 4 + c * count));
  if (signals.length > 1) kernels.mean_of_channels(piecesByte, signals.length, count, count, piecesByte);
}

/** Writes outputs of whole rows, and no more than `to` has room for.
 * @param {Filter} filter
 * @param {readonly Signal[]} signals of the channels, whose mean is resampled
 * @param {number} first the first row
 * @param {number} rows
 * @param {Float32Array} to */
export function resampleRows(filter, signals, first, rows, to) {
  const { up, down, taps, earliest, end, isTabled } = filter;
  loadTables(filter);
  const firsts = tablesByte + 64;
  const weights = firsts + Math.ceil((up <= mostSteps ? up * 4 : 4) / 16) * 16;
  const sources = signals.map((signal) => ({ ...signal, left: -earliest }));
  if (!isTabled) {
    resampleEach(filter, sources, weights, first, to.subarray(0, rows * up));
    return;
  }
  const span = end - earliest;
  const block = Math.max(16, Math.floor(blockNumbers / signals.length / Math.max(up, down) / 16) * 16);
  for (let done = 0; done < rows; done += block) {
    const count = Math.min(block, rows - done);
    const length = (count - 1) * down + span;
    const planes = piecesByte + kernels.plane_length(length * signals.length, 1, 0) * 4;
    const planeNumbers = down > 1 ? down * kernels.plane_length(count, down, span) : 0;
    const outputs = planes + planeNumbers * 4 + 64;
    if (outputs + count * up * 4 > piecesByte + halfBytes)
      rangeError(`a filter of ${taps} taps and ${up} phases needs more than ${halfBytes} bytes`);
    placeSamples(sources, (first + done) * down, length);
    kernels.resample_rows(firsts, weights, up, down, taps, piecesByte, count, planes, outputs);
    const from = outputs / 4;
    const place = done * up;
    to.set(floats.subarray(from, from + Math.min(count * up, to.length - place)), place);
  }
}

/** Outputs one by one, each with weights made for it.
 * @param {Filter} filter
 * @param {readonly Signal[]} signals
 * @param {number} weights an address
 * @param {number} first the first row
 * @param {Float32Array} to */
function resampleEach({ up, down, taps, earliest }, signals, weights, first, to) {
  for (let i = 0; i < to.length; i++) {
    const row = first + Math.floor(i / up);
    const start = kernels.make_phase(tablesByte, i % up, weights);
    placeSamples(signals, row * down + start - earliest, taps);
    to[i] = kernels.resample_one(weights, piecesByte, taps);
  }
}

/** One filter over audio that comes in pieces. Outputs do not depend on where pieces end. */
export class FilterStream {
  kept = new SampleBuffer();
  row = 0;

  /** @param {Filter} filter */
  constructor(filter) {
    this.filter = filter;
  }

  /** The outputs that no later sample changes, in `out` if it is given.
   * @type {(samples: Float32Array, out?: Float32Array) => Float32Array} */
  push(samples, out) {
    const { filter, kept } = this;
    const { up, down, earliest, end } = filter;
    kept.push(samples);
    const rows = Math.max(0, Math.floor((kept.received - end) / down) + 1 - this.row);
    const outputs = roomFor(rows * up, out);
    resampleRows(filter, this.signals(Infinity), this.row, rows, outputs);
    this.row += rows;
    kept.drop(this.row * down + earliest);
    return outputs;
  }

  /** Writes the next outputs, with zeros behind the last sample.
   * @type {(outputs: Float32Array) => Float32Array} */
  end(outputs) {
    const rows = Math.ceil(outputs.length / this.filter.up);
    resampleRows(this.filter, this.signals(this.kept.received), this.row, rows, outputs);
    return outputs;
  }

  /** @type {(total: number) => Signal[]} */
  signals(total) {
    const { data, start } = this.kept;
    return [{ data, start, total, left: 0, mode: 'constant' }];
  }
}

/** The beginning of `out`, or an array of its own where there is none.
 * @type {(length: number, out?: any, Class?: any) => any} */
export function roomFor(length, out, Class = Float32Array) {
  if (!out) return new Class(length);
  if (typedArrayName(out) !== Class.name) typeError(`out must be a ${Class.name}, got ${show(out)}`);
  if (length > out.length) rangeError(`out must have room for ${length} numbers, got ${out.length}`);
  return out.subarray(0, length);
}
