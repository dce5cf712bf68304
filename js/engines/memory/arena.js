/** Memory of a module in which arrays lie, one behind the other, until a call or a piece of its work is done. */
import { bytesOf, rangeError } from '../../arguments/index.js';
import { structBytes } from './structs.js';

/** @import { Struct } from './structs.js' */

/** @typedef {{ readonly buffer: ArrayBuffer, grow: (pages: number) => number }} ModuleMemory a WebAssembly.Memory */

/** @typedef {Float32Array | Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array} Numbers */
/**
 * A class of numbers in the module.
 * @template {Numbers} T
 * @typedef {{ new (memory: ArrayBuffer, at: number, length: number): T, readonly BYTES_PER_ELEMENT: number }} Class
 */

const alignment = 16;

/**
 * Hands out addresses in a module's memory. Kernels compare nothing themselves, so they get addresses from here alone:
 * `allocate` and `copyIn` compare the bytes that kernels read and write, which callers compute from the extents of a
 * call, with the arrays and the memory that there are. Sizes are float64 products of extents, so they do not wrap.
 */
export class Arena {
  /** @type {ModuleMemory} undefined until the module is loaded */
  memory = /** @type {ModuleMemory} */ (/** @type {unknown} */ (undefined));
  /** Addresses: where the first array begins, where the next one will begin, and the end of the memory. */
  first = 0;
  next = 0;
  end = 0;
  /** How many arrays there are. */
  count = 0;
  /** Where each array begins and ends. Lists that only grow: a call that takes one array makes no object.
   * @type {number[]} */
  starts = [];
  /** @type {number[]} */
  ends = [];

  /** Sets the memory that the arena hands out, from address `first` to `end`. The arena holds no array then.
   * @type {(memory: ModuleMemory, first: number, end: number) => void} */
  setBounds(memory, first, end) {
    this.memory = memory;
    this.first = this.next = Math.ceil(first / alignment) * alignment;
    this.end = end;
    this.count = 0;
  }

  /** Frees all arrays but the first `count`.
   * @type {(count?: number) => void} */
  clear(count = 0) {
    // There are no more to free: behind them, `starts` has entries of arrays that were freed before.
    if (count >= this.count) return;
    this.next = this.starts[count];
    this.count = count;
  }

  /** Called where the next array does not fit: refuses it. A subclass whose memory grows raises `this.end` instead, and
   * refuses a next array of NaN or negative bytes. `totalBytes`: of all arrays, with the next one.
   * @type {(totalBytes: number, nextBytes: number) => void} */
  makeRoom(totalBytes, _nextBytes) {
    rangeError(`the work must fit in the module's ${this.end - this.first} bytes, got ${totalBytes}`);
  }

  /** Takes memory for an array, behind the arrays that there are. Its bytes are not set.
   * @type {(bytes: number) => number} its address, a multiple of 16 */
  allocate(bytes) {
    const at = this.next;
    const end = Math.ceil((at + bytes) / alignment) * alignment;
    // False for a size of NaN, too.
    const fits = bytes >= 0 && end <= this.end;
    if (!fits) this.makeRoom(end - this.first, bytes);
    this.next = end;
    this.starts[this.count] = at;
    this.ends[this.count] = at + bytes;
    this.count++;
    return at;
  }

  /** Copies all of an array into the module, behind the arrays that there are. Refuses one that is shorter than kernels
   * read.
   * @param {ArrayBufferView} data
   * @param {number} bytes how many of it kernels read, by the extents that they get
   * @returns {number} its address */
  copyIn(data, bytes) {
    const source = bytesOf(data);
    if (!(bytes <= source.length)) rangeError(`data must hold the ${bytes} bytes of its extents, got ${source.length}`);
    const at = this.allocate(source.length);
    new Uint8Array(this.memory.buffer).set(source, at);
    return at;
  }

  /** Writes a struct of these values into the module, behind the arrays that there are.
   * @type {<Values>(struct: Struct<Values>, values: Values) => number} its address */
  copyInStruct(struct, values) {
    return this.copyIn(structBytes(struct, values), struct.bytes);
  }

  /**
   * Views numbers that lie within one array of the arena. The view is dead once the module's memory grows.
   * @template {Numbers} T
   * @param {Class<T>} ArrayClass
   * @param {number} at
   * @param {number} length
   * @returns {T}
   */
  view(ArrayClass, at, length) {
    this.checkView(at, length, at + length * ArrayClass.BYTES_PER_ELEMENT);
    return new ArrayClass(this.memory.buffer, at, length);
  }

  /** Refuses a view, from address `at` to `end`, that lies in no array of the arena. A method of its own, so that
   * `view` is short: engines inline it then, and know the class that it makes.
   * @type {(at: number, length: number, end: number) => void} */
  checkView(at, length, end) {
    for (let i = 0; i < this.count; i++) {
      const isInArray = at >= this.starts[i] && end <= this.ends[i];
      if (length >= 0 && isInArray) return;
    }
    rangeError(`memory must hold ${length} numbers at ${at}, which no array of the call does`);
  }

  /**
   * Copies numbers out of the module: to `to`, which must have the same length, or to a new array.
   * @template {Numbers} T
   * @param {Class<T>} ArrayClass
   * @param {number} at
   * @param {number} length
   * @param {T} [to]
   * @returns {T}
   */
  copyOut(ArrayClass, at, length, to) {
    const numbers = this.view(ArrayClass, at, length);
    if (!to) return /** @type {T} */ (numbers.slice());
    if (to.length !== length) rangeError(`out data must have ${length} entries, got ${to.length}`);
    to.set(numbers);
    return to;
  }
}
