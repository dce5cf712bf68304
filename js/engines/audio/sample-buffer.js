import { newNumbers } from './numbers.js';

/** The samples of a stream that later results still need, in memory that is used again. */
export class SampleBuffer {
  /** @type {Float32Array | Float64Array} */
  memory = new Float32Array(0);
  count = 0;
  /** The place of the first of them in the stream. */
  start = 0;

  /** Appends samples. If the memory is too short, or of float32 while the samples are float64, the samples move to new
   * memory, twice as long as they need.
   * @param {Float32Array | Float64Array} samples */
  push(samples) {
    const { length } = samples;
    const isWide = samples.BYTES_PER_ELEMENT > this.memory.BYTES_PER_ELEMENT;
    const isShort = this.count + length > this.memory.length;
    if (isWide || isShort) {
      const WiderClass = isWide ? Float64Array : /** @type {Float64ArrayConstructor} */ (this.memory.constructor);
      const memory = newNumbers('the stream', 2 * (this.count + length), WiderClass);
      memory.set(this.data);
      this.memory = memory;
    }
    this.memory.set(samples, this.count);
    this.count += length;
  }

  /** How many samples the stream has had so far, kept or not. */
  get received() {
    return this.start + this.count;
  }

  /** A view of the samples that are kept, until the next call. */
  get data() {
    return this.memory.subarray(0, this.count);
  }

  /** Forgets the samples before a place of the stream, which may lie in front of those that are kept or behind them.
   * @type {(place: number) => void} */
  drop(place) {
    const droppedCount = Math.min(Math.max(0, place - this.start), this.count);
    this.memory.copyWithin(0, droppedCount, this.count);
    this.count -= droppedCount;
    this.start += droppedCount;
  }
}
