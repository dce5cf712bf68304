/** The state of a pass over entries: the signal that ends it, and memory that is used for one piece after another. */
import { arrayClasses } from '../arguments/index.js';
import { dataLength } from '../tensor/index.js';

/** @import { DType } from '../tensor/index.js' */
/** @import { TensorData } from '../tensor/types.js' */

/** The milliseconds that a pass works without a pause. */
const maxWorkMs = 20;

/** Resolves in a later task, so that timers and events run before it: by setImmediate in Node, by a message in
 * browsers, which delay timers by 4 ms, and at once where there is neither.
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

/** A pass over entries, which reads them once, piece by piece; the memory of one piece is used again for the next. */
export class Work {
  /** @param {AbortSignal} [signal] */
  constructor(signal) {
    this.signal = signal;
    /** @type {Map<unknown, ArrayBuffer>} */
    this.bufferByOwner = new Map();
    /** Memory that no owner needs any more. @type {ArrayBuffer[]} */
    this.spare = [];
    /** @type {Map<unknown, unknown>} */
    this.valueByOwner = new Map();
    this.pausedAt = performance.now();
  }

  /** Gives memory for `size` elements, with any content. `owner` is any object; its next request gets the same memory
   * again, or longer one. Strings get a new array each time.
   * @type {(owner: unknown, dtype: DType, size: number) => TensorData} */
  bufferFor(owner, dtype, size) {
    if (dtype.array === 'Array') return new Array(size);
    const ArrayClass = arrayClasses[dtype.array];
    const length = dataLength(dtype, size);
    const bytes = length * ArrayClass.BYTES_PER_ELEMENT;
    const previous = this.bufferByOwner.get(owner);
    const buffer = previous && previous.byteLength >= bytes ? previous : this.takeSpare(bytes);
    this.bufferByOwner.set(owner, buffer);
    return new ArrayClass(buffer, 0, length);
  }

  /** Takes the first spare buffer of at least `bytes`. Where there is none, makes a buffer, and drops the first spare
   * one in exchange, so that memory does not grow.
   * @type {(bytes: number) => ArrayBuffer} */
  takeSpare(bytes) {
    const fitting = this.spare.findIndex(({ byteLength }) => byteLength >= bytes);
    if (fitting >= 0) return this.spare.splice(fitting, 1)[0];
    this.spare.shift();
    return new ArrayBuffer(bytes);
  }

  /** Lets other tasks run if none has for 20 ms, and throws if the signal was aborted in them. Sources that answer at
   * once would else keep timers, events and aborts waiting to the end.
   * @type {() => Promise<void> | undefined} */
  pauseIfDue() {
    if (performance.now() - this.pausedAt < maxWorkMs) return undefined;
    return nextTask().then(() => {
      this.pausedAt = performance.now();
      this.signal?.throwIfAborted();
    });
  }

  /** Ends the work on one entry: its memory becomes spare for the next one, and its kept values are forgotten. */
  freeMemory() {
    for (const buffer of this.bufferByOwner.values()) this.spare.push(buffer);
    this.bufferByOwner.clear();
    this.valueByOwner.clear();
  }

  /** Gives the value that `owner`, any object, keeps while one entry is read; the first call makes it.
   * @template T
   * @param {unknown} owner
   * @param {() => Promise<T>} make */
  async cached(owner, make) {
    if (!this.valueByOwner.has(owner)) this.valueByOwner.set(owner, await make());
    return /** @type {T} */ (this.valueByOwner.get(owner));
  }
}
