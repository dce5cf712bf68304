/** The state of a pass over entries: the signal that ends it, and memory that is used for one piece after another. */
import { arrayClasses } from '../arguments/index.js';
import { dataLength } from '../tensor/index.js';

/** @import { DType } from '../tensor/index.js' */
/** @import { TensorData } from '../tensor/types.js' */

/** The milliseconds of work without a pause. */
const maxStretch = 20;

/** Lets timers and events run. MessageChannel, because browsers delay timers by 4 ms.
 * @type {() => Promise<void>} */
const nextTask = () =>
  new Promise((resolve) => {
    const { setImmediate, MessageChannel } = /** @type {Partial<typeof globalThis>} */ (globalThis);
    if (setImmediate) setImmediate(resolve);
    else if (MessageChannel) {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(0);
    } else resolve();
  });

/** A pass over entries. Pieces are made one after another, so that the memory of one is free for the next. */
export class Work {
  /** @param {AbortSignal} [signal] */
  constructor(signal) {
    this.signal = signal;
    /** @type {Map<unknown, ArrayBuffer>} */
    this.buffers = new Map();
    /** @type {ArrayBuffer[]} */
    this.spare = [];
    /** @type {Map<unknown, unknown>} */
    this.values = new Map();
    this.paused = performance.now();
  }

  /** Gives memory of any content, which the next request of the same `owner` uses again.
   * @type {(owner: unknown, dtype: DType, size: number) => TensorData} */
  buffer(owner, dtype, size) {
    if (dtype.array === 'Array') return new Array(size);
    const ArrayClass = arrayClasses[dtype.array];
    const length = dataLength(dtype, size);
    const bytes = length * ArrayClass.BYTES_PER_ELEMENT;
    const previous = this.buffers.get(owner);
    const buffer = previous && previous.byteLength >= bytes ? previous : this.take(bytes);
    this.buffers.set(owner, buffer);
    return new ArrayClass(buffer, 0, length);
  }

  /** Gives a spare buffer that is large enough, or a new one in the place of a spare one.
   * @type {(bytes: number) => ArrayBuffer} */
  take(bytes) {
    const fits = this.spare.findIndex(({ byteLength }) => byteLength >= bytes);
    const [buffer] = this.spare.splice(Math.max(0, fits), 1);
    return fits >= 0 ? buffer : new ArrayBuffer(bytes);
  }

  /** Lets the signal and other tasks run every 20 ms, because sources that answer at once never do.
   * @type {() => Promise<void> | undefined} */
  pause() {
    if (performance.now() - this.paused < maxStretch) return undefined;
    return nextTask().then(() => {
      this.paused = performance.now();
      this.signal?.throwIfAborted();
    });
  }

  /** Frees the memory of one entry for the next. */
  rest() {
    for (const buffer of this.buffers.values()) this.spare.push(buffer);
    this.buffers.clear();
    this.values.clear();
  }

  /** Gives the value that an owner has made in this pass, or makes it.
   * @template T
   * @param {unknown} owner
   * @param {() => Promise<T>} make */
  async keep(owner, make) {
    if (!this.values.has(owner)) this.values.set(owner, await make());
    return /** @type {T} */ (this.values.get(owner));
  }
}
