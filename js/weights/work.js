/** The state of a pass over entries: the signal that ends it, and memory that is used for one piece after another. */
import { arrayClasses } from '../arguments/index.js';
import { dataLength } from '../tensor/index.js';

/** @import { DType } from '../tensor/index.js' */

/** Milliseconds of work without a pause. */
const mostStretch = 20;

/** @type {() => Promise<void>} Timers, signals and events run before it. Browsers hold a timer back for 4 ms, a message
 *   they do not; an engine without either has nothing else to run. */
const nextTask = () =>
  new Promise((resolve) => {
    const { setImmediate, MessageChannel } = /** @type {any} */ (globalThis);
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
    /** @type {Map<unknown, any>} */
    this.kept = new Map();
    this.paused = performance.now();
  }

  /** Any content. Its memory is used again as soon as `owner` asks anew.
   * @type {(owner: unknown, dtype: DType, size: number) => any} */
  buffer(owner, dtype, size) {
    if (dtype.array === 'Array') return new Array(size);
    const ArrayClass = arrayClasses[dtype.array];
    const length = dataLength(dtype, size);
    const bytes = length * ArrayClass.BYTES_PER_ELEMENT;
    const own = this.buffers.get(owner);
    const buffer = own && own.byteLength >= bytes ? own : this.take(bytes);
    this.buffers.set(owner, buffer);
    return new ArrayClass(buffer, 0, length);
  }

  /** @type {(bytes: number) => ArrayBuffer} A buffer that an earlier entry has left, or a new one in its place. */
  take(bytes) {
    const fits = this.spare.findIndex(({ byteLength }) => byteLength >= bytes);
    const [found] = this.spare.splice(Math.max(0, fits), 1);
    return fits >= 0 ? found : new ArrayBuffer(bytes);
  }

  /** Lets the signal and other tasks run every 20 ms: sources that answer at once would keep the loop busy to the end.
   * @type {() => Promise<void> | undefined} */
  pause() {
    if (performance.now() - this.paused < mostStretch) return undefined;
    return nextTask().then(() => {
      this.paused = performance.now();
      this.signal?.throwIfAborted();
    });
  }

  /** Leaves the memory of one entry to the next. */
  rest() {
    for (const buffer of this.buffers.values()) this.spare.push(buffer);
    this.buffers.clear();
    this.kept.clear();
  }

  /** @type {<T>(owner: unknown, make: () => Promise<T>) => Promise<T>} */
  async keep(owner, make) {
    if (!this.kept.has(owner)) this.kept.set(owner, await make());
    return this.kept.get(owner);
  }
}
