/** Frames of audio that comes in pieces. A frame's results do not depend on where pieces end. */
import { flipNumbers, roomFor, SampleBuffer, writeFrames } from '../engines/audio/index.js';
import { features, frameCount, melStride, numbersOfFrame } from './frames.js';
import { allocateNumbers, tensor } from './tensors.js';

/** @import { Spectrum } from '../engines/audio/types.js' */
/** @import { Cut, Features, Outputs, Settings, StreamOut, StreamSteps } from './types.js' */

/** Results of frames, float64 where the spectrum is `wide`. `first`: the number of the first frame in the stream.
 * @typedef {{ data: Float32Array, frames: number, first?: number }} Block */

/** Opens a spectrogram of audio that comes in pieces. `push` takes samples and gives the frames that no later sample
 * changes, `end` the others; both write into `out` if it is given.
 * @param {Spectrum} spectrum
 * @param {Cut} [cut] */
export function frameStream(spectrum, cut = {}) {
  const { left = 0, right = left, mode = 'constant', byColumns = false, dropped = 0 } = cut;
  const { reads, hop, wide } = spectrum;
  const buffer = new SampleBuffer();
  let nextFrame = 0;
  /** Computes the frames from `nextFrame` to before `end`, and moves `nextFrame` there. There are none if `end` is not
   * above it, as while samples are too few. `total`: samples of the whole signal, Infinity if unknown.
   * @type {(end: number, total: number, out?: unknown) => Block} */
  const computeFrames = (end, total, out) => {
    const frames = Math.max(0, end - nextFrame);
    const to = roomFor(frames * numbersOfFrame(spectrum), out, wide ? Float64Array : Float32Array);
    const signal = { data: buffer.data, start: buffer.start, total, left, mode };
    if (frames > 0) writeFrames(spectrum, signal, nextFrame, frames, { to, stride: melStride(frames, byColumns) });
    const block = { data: /** @type {Float32Array} */ (to), frames, first: nextFrame };
    nextFrame += frames;
    return block;
  };
  return {
    buffer,
    /** @type {(samples: Float32Array | Float64Array, out?: unknown) => Block} */
    push(samples, out) {
      buffer.push(samples);
      const { received } = buffer;
      // Reflected samples in front are known only when there are enough to reflect.
      const isWaiting = mode === 'reflect' && received <= left;
      // Complete frames read nothing behind the samples, of which the padding in front is a part.
      const completeFrames = isWaiting ? 0 : Math.floor((left + received - reads) / hop) + 1;
      const block = computeFrames(completeFrames, Infinity, out);
      const firstOfNextFrame = nextFrame * hop - left;
      const firstToReflect = received - right - 1; // by the padding behind the end
      buffer.drop(Math.min(firstOfNextFrame, firstToReflect));
      return block;
    },
    /** @type {(out?: unknown) => Block} */
    end(out) {
      const allFrames = frameCount(spectrum, left + buffer.received + right) - dropped;
      return computeFrames(allFrames, buffer.received, out);
    },
  };
}

/** Samples wait until they fill this many hops: fewer calls of the module, longer runs where frames become columns. */
const mostWaitingHops = 64;

/** Opens a spectrogram of audio that comes in pieces, and keeps its frames until the end.
 * @param {Spectrum} spectrum
 * @param {Cut} [cut] */
export function keepFrames(spectrum, cut) {
  const stream = frameStream(spectrum, cut);
  const { hop, width } = spectrum;
  /** @type {Block[]} */
  const blocks = [];
  let waitingSamples = 0;
  return {
    buffer: stream.buffer,
    /** @type {(samples: Float32Array | Float64Array) => void} */
    push(samples) {
      waitingSamples += samples.length;
      if (waitingSamples < mostWaitingHops * hop) {
        stream.buffer.push(samples);
        return;
      }
      waitingSamples = 0;
      blocks.push(stream.push(samples));
    },
    /** Gives all frames, [frames, width] or, by columns, [width, frames].
     * @type {(byColumns?: boolean) => Features} */
    end(byColumns) {
      blocks.push(stream.end());
      const frames = blocks.reduce((sum, block) => sum + block.frames, 0);
      const data = allocateNumbers('the features', frames * width);
      let firstFrame = 0;
      for (const block of blocks) {
        if (byColumns) flipNumbers(block.data, block.frames, width, data, firstFrame, frames);
        else data.set(block.data, firstFrame * width);
        firstFrame += block.frames;
      }
      return features(data, frames, width, byColumns);
    },
  };
}

/** Gives the memory that the caller's option `out` has for an output: a typed array, or that of a tensor.
 * @type {(out: StreamOut | undefined, name: string) => unknown} */
export function memoryOf(out, name) {
  const memory = /** @type {{ data?: unknown } | undefined} */ (out?.[name]);
  return memory?.data ?? memory;
}

/** Makes a part of a mask, [1, length], whose first `count` entries are 1. It lies in `out` if that is given.
 * @type {(type: 'bool' | 'int32', length: number, count: number, out?: unknown) =>
 *   import('../tensor/index.js').Tensor} */
export function maskPart(type, length, count, out) {
  const memory = roomFor(length, out, type === 'bool' ? Uint8Array : Int32Array);
  return tensor(type, memory.fill(0).fill(1, 0, count), [1, length]);
}

/** Windows whose entries a mask of a stream has: their length and their distance, in samples.
 * @typedef {{ length: number, hop: number }} MaskWindow */

/** @type {(settings: Settings) => MaskWindow} */
export const windowOf = ({ win_length: length, hop_length: hop }) => ({ length, hop });

/** Makes the steps of a stream that gives frames as soon as they are complete. `maskWindow`: the mask gets an entry as
 * soon as such a window is complete; undefined for no mask. All entries are 1, because nothing is padded. `change`
 * changes each block of frames in place.
 * @type {(spectrum: Spectrum, cut: Cut, options: { change?: (block: Block) => void,
 *   maskWindow: MaskWindow | undefined }) => StreamSteps} */
export function frameSteps(spectrum, cut, { change, maskWindow }) {
  const frames = frameStream(spectrum, cut);
  const { width } = spectrum;
  let emittedEntries = 0;
  const countNewEntries = () => {
    if (!maskWindow) return 0;
    const completeWindows = Math.floor((frames.buffer.received - maskWindow.length) / maskWindow.hop) + 1;
    return Math.max(0, completeWindows) - emittedEntries;
  };
  /** Makes the outputs of a block of frames and of the new entries of the mask; undefined if there are neither.
   * @type {(block: Block, out?: StreamOut) => Outputs | undefined} */
  const outputsFor = (block, out) => {
    if (block.frames > 0) change?.(block);
    const entries = countNewEntries();
    emittedEntries += entries;
    if (block.frames === 0 && entries === 0) return undefined;
    const { data, dims } = features(block.data, block.frames, width, cut.byColumns);
    return {
      input_features: tensor('float32', data, [1, ...dims]),
      // Without a mask undefined, which `withType` drops.
      attention_mask: maskWindow && maskPart('bool', entries, entries, memoryOf(out, 'attention_mask')),
    };
  };
  return {
    push: (samples, out) => outputsFor(frames.push(samples, memoryOf(out, 'input_features')), out),
    end: (out) => outputsFor(frames.end(memoryOf(out, 'input_features')), out),
  };
}
