/** Frames of audio that comes in pieces. A frame's results do not depend on where pieces end. */
import { flipNumbers, roomFor, SampleBuffer, writeFrames } from '../engines/audio/index.js';
import { features, frameCount } from './frames.js';
import { allocateNumbers, tensor } from './tensors.js';

/** @import { Spectrum } from '../engines/audio/types.js' */
/** @import { Cut, Features, Outputs, StreamOut, StreamSteps } from './types.js' */

/** Results of frames, float64 where the spectrum is `wide`. `first`: the number of the first frame in the stream.
 * @typedef {{ data: Float32Array, frames: number, first?: number }} Block */

/** Opens a spectrogram of audio that comes in pieces. `push` takes samples and gives the frames that no later sample
 * changes, `end` the others; both write into `out` if it is given. `cut`: padding, and how many of the last frames are
 * dropped.
 * @param {Spectrum} spectrum
 * @param {Cut} [cut] */
export function frameStream(spectrum, cut = {}) {
  const { left = 0, right = left, mode = 'constant', byColumns = false, dropped = 0 } = cut;
  const { reads, hop, width, isComplex, wide } = spectrum;
  const buffer = new SampleBuffer();
  /** The number of the next frame in the stream. */
  let first = 0;
  /** Computes the frames from `first` to before `end` from the samples in `buffer`, and moves `first` to `end`. There
   * are none if `end` is not above `first`, as while samples are too few. `total`: the samples of the whole signal,
   * Infinity if unknown.
   * @type {(end: number, total: number, out?: unknown) => Block} */
  const write = (end, total, out) => {
    const frames = Math.max(0, end - first);
    const to = roomFor(frames * width * (isComplex ? 2 : 1), out, wide ? Float64Array : Float32Array);
    const { data, start } = buffer;
    const signal = { data, start, total, left, mode };
    if (frames > 0) writeFrames(spectrum, signal, first, frames, { to, stride: byColumns ? frames : 0 });
    const block = { data: /** @type {Float32Array} */ (to), frames, first };
    first += frames;
    return block;
  };
  return {
    buffer,
    /** Keeps samples, and gives the frames that are complete. Drops the samples that no later frame needs.
     * @type {(samples: Float32Array | Float64Array, out?: unknown) => Block} */
    push(samples, out) {
      buffer.push(samples);
      const { received } = buffer;
      // Reflected samples in front are known only when there are enough to reflect.
      const isWaiting = mode === 'reflect' && received <= left;
      // Complete frames: those that read nothing behind the samples, with the padding in front.
      const block = write(isWaiting ? 0 : Math.floor((left + received - reads) / hop) + 1, Infinity, out);
      // Kept are the samples of the next frame, and the last right + 1, which padding behind the end reflects.
      buffer.drop(Math.min(first * hop - left, received - right - 1));
      return block;
    },
    /** Gives the frames that padding behind the last sample completes.
     * @type {(out?: unknown) => Block} */
    end: (out) => write(frameCount(spectrum, buffer.received + left + right) - dropped, buffer.received, out),
  };
}

/** Samples wait until they fill this many hops: fewer calls of the module, longer runs where frames become columns. */
const maxWaiting = 64;

/** Opens a spectrogram of audio that comes in pieces, and keeps its frames. `end` gives them all as one matrix,
 * [frames, width] or, by columns, [width, frames].
 * @param {Spectrum} spectrum
 * @param {Cut} [cut] */
export function keepFrames(spectrum, cut) {
  const stream = frameStream(spectrum, cut);
  const { hop, width } = spectrum;
  /** @type {Block[]} */
  const blocks = [];
  let waiting = 0;
  return {
    buffer: stream.buffer,
    /** Takes samples. They wait in the buffer until they fill `maxWaiting` hops; then their frames are made and kept.
     * @type {(samples: Float32Array | Float64Array) => void} */
    push(samples) {
      waiting += samples.length;
      if (waiting < maxWaiting * hop) stream.buffer.push(samples);
      else {
        waiting = 0;
        blocks.push(stream.push(samples));
      }
    },
    /** Gives all frames of the stream, with those of samples that still wait, as one matrix, [frames, width] or, by
     * columns, [width, frames].
     * @type {(byColumns?: boolean) => Features} */
    end(byColumns) {
      blocks.push(stream.end());
      const frames = blocks.reduce((sum, block) => sum + block.frames, 0);
      const data = allocateNumbers('the features', frames * width);
      let at = 0;
      for (const block of blocks) {
        // Writes each block behind those before it: as rows, or as columns.
        if (byColumns) flipNumbers(block.data, block.frames, width, data, at, frames);
        else data.set(block.data, at * width);
        at += block.frames;
      }
      return features(data, frames, width, byColumns);
    },
  };
}

/** Gives the caller's memory for one output: the data of a tensor, or a typed array. undefined if there is none.
 * @type {(out: StreamOut | undefined, name: string) => unknown} */
export const memoryOf = (out, name) => /** @type {{ data?: unknown } | undefined} */ (out?.[name])?.data ?? out?.[name];

/** Makes a part of a mask, [1, length], whose first `count` entries are 1 and the others 0. It lies in `out` if that is
 * given.
 * @type {(type: 'bool' | 'int32', length: number, count: number, out?: unknown) =>
 *   import('../tensor/index.js').Tensor} */
export function maskPart(type, length, count, out) {
  const memory = roomFor(length, out, type === 'bool' ? Uint8Array : Int32Array);
  return tensor(type, memory.fill(0).fill(1, 0, count), [1, length]);
}

/** Makes the steps of a stream that gives frames as soon as they are complete. `mask`: a mask gets an entry for each
 * `hop` samples, once the window of `win` samples that begins there is complete; no mask if it is false. All entries
 * are 1, because nothing is padded. `change` changes each block of frames in place.
 * @type {(spectrum: Spectrum, cut: Cut, options: { change?: (block: Block) => void,
 *   mask?: [win: number, hop: number] | false }) => StreamSteps} */
export function frameSteps(spectrum, cut, { change, mask }) {
  const frames = frameStream(spectrum, cut);
  const { width } = spectrum;
  /** How many entries of the mask were given. */
  let masked = 0;
  /** Makes the outputs of a block of frames and of the entries of the mask that are new; undefined if there are
   * neither.
   * @type {(block: Block, out?: StreamOut) => Outputs | undefined} */
  const part = (block, out) => {
    if (block.frames > 0) change?.(block);
    const count = mask ? Math.max(0, Math.floor((frames.buffer.received - mask[0]) / mask[1]) + 1) - masked : 0;
    masked += count;
    if (block.frames === 0 && count === 0) return undefined;
    const { data, dims } = features(block.data, block.frames, width, cut.byColumns);
    return {
      input_features: tensor('float32', data, [1, ...dims]),
      // False without a mask: `withType` drops it from the outputs.
      attention_mask: mask && maskPart('bool', count, count, memoryOf(out, 'attention_mask')),
    };
  };
  return {
    push: (samples, out) => part(frames.push(samples, memoryOf(out, 'input_features')), out),
    end: (out) => part(frames.end(memoryOf(out, 'input_features')), out),
  };
}
