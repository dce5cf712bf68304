/** Resampling of one channel that comes in pieces, by the filters of a ratio one after the other. */
import { spend } from '../arguments/index.js';
import { FilterStream, roomFor } from '../engines/audio/index.js';

/** @import { Filter } from '../engines/audio/types.js' */

/**
 * A resampling that was read: filters one after the other, and how many outputs there are.
 * @typedef {object} Resampling
 * @property {number} rate
 * @property {Filter[]} filters
 * @property {(samples: number) => number} countOutputs how many outputs the last filter gives for so many samples
 * @property {(samples: number) => number} countReal how many of these are the result; those behind them are 0
 */

/** Computes how many outputs of a filter the next filter gets: those of `samples` samples, those that half a filter of
 * zeros behind them still gives, and some to spare.
 * @type {(filter: Filter, samples: number) => number} */
export function outputsWithTail({ up, down, taps }, samples) {
  const zerosBehind = taps / 2;
  const spare = 20;
  return Math.ceil(((samples + zerosBehind) * up) / down) + spare;
}

const float32Bytes = 4;

/** Resamples one channel that comes in pieces. Counts the samples that came (`received`), and the outputs that `push`
 * gave (`emitted`). */
export class ChannelStream {
  /** @param {Resampling} resampling */
  constructor(resampling) {
    this.resampling = resampling;
    this.stages = resampling.filters.map((filter) => new FilterStream(filter));
    this.received = 0;
    this.emitted = 0;
  }

  /** Counts the outputs of `received` samples that were not given yet, and refuses them beyond the call's limit.
   * @type {(received: number) => number} */
  spendOutputs(received) {
    const count = this.resampling.countOutputs(received) - this.emitted;
    spend(float32Bytes * count);
    return count;
  }

  /** Gives the outputs that no later sample changes, in `out` if it is given.
   * @type {(samples: Float32Array, out?: Float32Array) => Float32Array} */
  push(samples, out) {
    const { stages } = this;
    this.spendOutputs(this.received + samples.length);
    this.received += samples.length;
    let piece = samples;
    for (const stage of stages) {
      const isLast = stage === stages.at(-1);
      piece = stage.push(piece, isLast ? out : undefined);
    }
    this.emitted += piece.length;
    if (stages.length > 0) return piece;
    // Without a stage the piece is still the caller's memory.
    const copy = roomFor(piece.length, out);
    copy.set(piece);
    return copy;
  }

  /** Gives the outputs that are left. Each stage gets the last outputs of the stage before it, and ends as if zeros
   * followed. Outputs behind the last real one are 0.
   * @type {(out?: Float32Array) => Float32Array} */
  end(out) {
    const { stages, received } = this;
    if (stages.length === 0) return roomFor(0, out);
    const tail = roomFor(Math.max(0, this.spendOutputs(received)), out);
    let outputsBefore = new Float32Array(0); // the first stage has got all samples
    for (const stage of stages) {
      const isLast = stage === stages.at(-1);
      const room = isLast ? tail : new Float32Array(outputsLeft(stage, outputsBefore.length));
      endStage(stage, outputsBefore, room);
      outputsBefore = room;
    }
    const realInTail = this.resampling.countReal(received) - this.emitted;
    const firstZero = Math.min(tail.length, Math.max(0, realInTail));
    return tail.fill(0, firstZero);
  }
}

/** Fills `room` with the last outputs of a stage: first those that `samples` complete, then those that reach into the
 * zeros behind.
 * @type {(stage: FilterStream, samples: Float32Array, room: Float32Array) => void} */
function endStage(stage, samples, room) {
  // The spare outputs of the stage before may complete more than this one has to give.
  const pushed = stage.push(samples).subarray(0, room.length);
  room.set(pushed);
  stage.end(room.subarray(pushed.length));
}

/** How many outputs a stage before the last one has not given yet, once it has got `more` samples.
 * @type {(stage: FilterStream, more: number) => number} */
function outputsLeft({ filter, buffer: { received }, row: emittedRows }, more) {
  return outputsWithTail(filter, received + more) - emittedRows * filter.up;
}
