/** Frames of audio that comes in pieces. A frame's results do not depend on where pieces end. */
import { flipNumbers, writeFrames } from '../audio-engine/index.js';
import { frameCount } from './frames.js';
import { newFloats, tensor } from './tensors.js';

/** @import { PadMode, Spectrum } from '../audio-engine/index.js' */
/** @import { Features } from './frames.js' */
/** @import { StreamSteps } from './row.js' */

/**
 * A spectrogram that takes samples and gives frames.
 */
export class FrameStream {
  /**
   * @param {Spectrum} spectrum
   * @param {{ left?: number, right?: number, mode?: PadMode, byColumns?: boolean }} [cut]
   */
  constructor(spectrum, { left = 0, right = left, mode = 'constant', byColumns = false } = {}) {
    this.spectrum = spectrum;
    this.cut = { left, right, mode };
    this.byColumns = byColumns;
    /** @type {Float32Array | Float64Array} */
    this.kept = new Float32Array(0);
    this.start = 0;
    this.received = 0;
    this.frame = 0;
  }

  /**
   * @param {Float32Array | Float64Array} samples
   * @returns {{ data: any, frames: number }} the frames that no later sample changes
   */
  push(samples) {
    const { left, right, mode } = this.cut;
    const { reads, hop } = this.spectrum;
    this.append(samples);
    // Reflected samples in front are known only when there are enough to reflect.
    const isWaiting = mode === 'reflect' && this.received <= left;
    const count = isWaiting ? 0 : Math.max(0, Math.floor((left + this.received - reads) / hop) + 1 - this.frame);
    const made = this.write(count, Infinity);
    // The next frame's samples are kept, and those that the end reflects.
    const next = Math.max(0, Math.min(this.frame * hop - left, this.received - right - 1));
    if (next - this.start > this.kept.length / 2) {
      this.kept = this.kept.slice(next - this.start);
      this.start = next;
    }
    return made;
  }

  /**
   * @returns {{ data: any, frames: number }} the frames that were left
   */
  end() {
    const count = frameCount(this.spectrum, this.received + this.cut.left + this.cut.right);
    return this.write(Math.max(0, count - this.frame), this.received);
  }

  /**
   * @param {number} frames
   * @param {number} total
   */
  write(frames, total) {
    const { spectrum, kept: data, start } = this;
    const { left, mode } = this.cut;
    const Class = spectrum.wide ? Float64Array : Float32Array;
    const results = new Class(frames * spectrum.width * (spectrum.isComplex ? 2 : 1));
    const stride = this.byColumns ? frames : 0;
    if (frames > 0)
      writeFrames(spectrum, { data, start, total, left, mode }, this.frame, frames, { to: results, stride });
    this.frame += frames;
    return { data: results, frames };
  }

  /** @param {Float32Array | Float64Array} samples */
  append(samples) {
    const Class = /** @type {any} */ (samples.constructor);
    const joined = new Class(this.kept.length + samples.length);
    joined.set(this.kept);
    joined.set(samples, this.kept.length);
    this.kept = joined;
    this.received += samples.length;
  }
}

/**
 * Blocks of [frames, width] as one.
 * @param {readonly { data: Float32Array, frames: number }[]} blocks
 * @param {number} width
 * @param {number} [dropped] how many frames at the end are left out
 * @returns {Features}
 */
export function joinRows(blocks, width, dropped = 0) {
  const all = blocks.reduce((sum, block) => sum + block.frames, 0);
  const frames = Math.max(0, all - dropped);
  const data = newFloats('the features', frames * width);
  let at = 0;
  for (const block of blocks) {
    data.set(block.data.subarray(0, data.length - at), at);
    at += Math.min(block.data.length, data.length - at);
  }
  return { data, frames, width };
}

/**
 * Blocks of [frames, width] as [width, frames]. A stream keeps its frames as rows, because a few frames by columns are
 * as many small copies as there are mels: 1.8 times the time of the whole instead of 1.2.
 * @param {readonly { data: Float32Array, frames: number }[]} blocks
 * @param {number} width
 * @param {number} [dropped]
 * @returns {Features}
 */
export function joinColumns(blocks, width, dropped) {
  const { data, frames } = joinRows(blocks, width, dropped);
  return { data: flipNumbers(data, frames, width, newFloats('the features', data.length)), frames, width };
}

/**
 * Steps that keep frames until the end, because what is made of them needs them all.
 * @param {Spectrum} spectrum
 * @param {{ left?: number, mode?: PadMode, byColumns?: boolean }} cut
 * @param {(features: Features) => any} finish
 * @returns {StreamSteps}
 */
export function keptFrameSteps(spectrum, { byColumns = false, ...cut }, finish) {
  const frames = new FrameStream(spectrum, cut);
  /** @type {{ data: Float32Array, frames: number }[]} */
  const blocks = [];
  const join = byColumns ? joinColumns : joinRows;
  return {
    push: (samples) => void blocks.push(frames.push(samples)),
    end: () => finish(join([...blocks, frames.end()], spectrum.width)),
  };
}

/**
 * Steps that give frames as they come, and a mask of the samples if it is asked for.
 * @param {Spectrum} spectrum
 * @param {{ left?: number, right?: number, mode?: PadMode }} cut
 * @param {object} how
 * @param {boolean} [how.byColumns]
 * @param {number} [how.dropped] how many frames at the end are left out
 * @param {(data: Float32Array) => void} [how.change] of a part's numbers, in place
 * @param {[win: number, hop: number]} [how.mask] every hop-th sample from win - 1 on
 * @returns {StreamSteps}
 */
export function frameSteps(spectrum, cut, { byColumns = false, dropped = 0, change, mask }) {
  const frames = new FrameStream(spectrum, { ...cut, byColumns });
  const { width } = spectrum;
  let masked = 0;
  const part = (/** @type {{ data: Float32Array, frames: number }} */ made) => {
    change?.(made.data);
    const count = mask ? Math.max(0, Math.floor((frames.received - mask[0]) / mask[1]) + 1) - masked : 0;
    masked += count;
    if (made.frames === 0 && count === 0) return undefined;
    const dims = byColumns ? [1, width, made.frames] : [1, made.frames, width];
    const input_features = tensor('float32', made.data, dims);
    return {
      input_features,
      ...(mask && { attention_mask: tensor('bool', new Uint8Array(count).fill(1), [1, count]) }),
    };
  };
  return {
    push: (samples) => part(frames.push(samples)),
    end: () => part(byColumns ? withoutLast(frames.end(), width, dropped) : frames.end()),
  };
}

/**
 * [width, frames] without its last frames.
 * @param {{ data: Float32Array, frames: number }} block
 * @param {number} width
 * @param {number} dropped
 */
function withoutLast({ data, frames }, width, dropped) {
  const count = Math.max(0, frames - dropped);
  const kept = newFloats('the features', count * width);
  for (let k = 0; k < width; k++) kept.set(data.subarray(k * frames, k * frames + count), k * count);
  return { data: kept, frames: count };
}
