/** Resampling of a stream by a filter; see resampling-filters.js for rows. */
import { show, typedArrayName, typeError, rangeError } from '../../arguments/index.js';
import { newNumbers } from './numbers.js';
import { resampleRows } from './resampling.js';
import { SampleBuffer } from './sample-buffer.js';

/** @import { Filter, Signal } from './types.js' */

/** One filter over audio that comes in pieces. Outputs do not depend on where pieces end. A row is the next `up`
 * outputs, for which the filter goes on by `down` samples: row r reads the samples from r * down + earliest to
 * r * down + end - 1. */
export class FilterStream {
  /** The samples that outputs to come still read. */
  buffer = new SampleBuffer();
  /** The number of the first row whose outputs are not written yet. */
  row = 0;

  /** @param {Filter} filter */
  constructor(filter) {
    this.filter = filter;
  }

  /** Takes the next samples, and returns the outputs of all rows that have their samples now; in `out`, if it is given.
   * @type {(samples: Float32Array, out?: Float32Array) => Float32Array} */
  push(samples, out) {
    const { filter, buffer } = this;
    const { up, down, earliest, end } = filter;
    buffer.push(samples);
    // The last row whose samples have all come.
    const lastRow = Math.floor((buffer.received - end) / down);
    const rows = Math.max(0, lastRow + 1 - this.row);
    const outputs = roomFor(rows * up, out);
    resampleRows(filter, this.bufferedSignals(Infinity), this.row, rows, outputs);
    this.row += rows;
    buffer.drop(this.row * down + earliest);
    return outputs;
  }

  /** Ends the stream: fills `outputs` with the outputs that remain, for which zeros follow the last sample.
   * @type {(outputs: Float32Array) => Float32Array} */
  end(outputs) {
    const rows = Math.ceil(outputs.length / this.filter.up);
    resampleRows(this.filter, this.bufferedSignals(this.buffer.received), this.row, rows, outputs);
    return outputs;
  }

  /** The buffered samples, as the one channel of a stream that has `total` samples; Infinity if more may come.
   * @type {(total: number) => Signal[]} */
  bufferedSignals(total) {
    const { data, start } = this.buffer;
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
