/**
 * The audio module and its memory. It is apart from the module that moves bytes, so a page that prepares no audio does
 * not load it. It imports nothing and has no glue: an AudioWorklet starts it from a compiled module alone.
 *
 * The memory has a fixed size, whatever the length of the audio. Its front half holds the tables of one spectrogram or
 * resampling at a time, its back half the piece of samples and results that is worked on.
 */
import { bytesOf, rangeError } from '../../arguments/index.js';
import { structBytes } from '../memory/index.js';

/** @import { Struct } from '../memory/index.js' */

/** The functions of cpp/modules/audio_exports.cpp. Addresses and counts are numbers.
 * @type {Record<string, (...numbers: number[]) => number>} */
export let kernels;
/** @type {any} */
let memory;
/** How many bytes tables have, and pieces likewise. */
export let halfBytes = 0;

/** @type {(instance: { exports: unknown }) => void} */
export function use(instance) {
  const { memory: instanceMemory, ...functions } = /** @type {any} */ (instance.exports);
  memory = instanceMemory;
  const first = functions.arena();
  halfBytes = functions.arena_size() / 2;
  tables.setBounds(first, first + halfBytes);
  pieces.setBounds(first + halfBytes, first + 2 * halfBytes);
  kernels = functions;
}

/** @typedef {Float32ArrayConstructor | Float64ArrayConstructor | Int32ArrayConstructor |
 *   Uint8ArrayConstructor} Class */

/**
 * An array in the module.
 * @template {Class} C
 * @param {C} ArrayClass
 * @param {number} at its address
 * @param {number} length
 * @returns {InstanceType<C>}
 */
export const view = (ArrayClass, at, length) => /** @type {any} */ (new ArrayClass(memory.buffer, at, length));

/** Refuses an array that lacks some of `count` numbers. Wrappers of kernels ask before they write anything.
 * @type {(data: ArrayLike<number>, count: number) => void} */
export function checkLength(data, count) {
  if (!(data.length >= count)) rangeError(`memory must hold ${count} numbers, got ${data.length}`);
}

/** Numbers `first` to `end` of an array that must hold them.
 * @template {Float32Array | Float64Array | Uint8Array} T
 * @param {T} data
 * @param {number} first
 * @param {number} end
 * @returns {T} */
export function span(data, first, end) {
  if (!(first >= 0 && first <= end && end <= data.length))
    rangeError(`memory must hold numbers ${first} to ${end}, got ${data.length} numbers`);
  return /** @type {any} */ (data.subarray(first, end));
}

/**
 * One half of the memory, which arrays are taken from one behind the other. This is the one place where lengths are
 * compared with the memory that there is: kernels get addresses from here alone. Sizes are float64 products of extents,
 * so they do not wrap.
 */
class Half {
  first = 0;
  next = 0;
  end = 0;

  /** @type {(first: number, end: number) => void} */
  setBounds(first, end) {
    this.first = this.next = first;
    this.end = end;
  }

  /** Frees all arrays. */
  clear() {
    this.next = this.first;
  }

  /** Takes memory. Its bytes are not set.
   * @type {(bytes: number) => number} its address, a multiple of 16 */
  space(bytes) {
    const at = this.next;
    const end = at + Math.ceil(bytes / 16) * 16;
    // A size that is NaN is refused, too.
    if (!(bytes >= 0 && end <= this.end))
      rangeError(`the work must fit in the module's ${halfBytes} bytes, got ${end - this.first}`);
    this.next = end;
    return at;
  }

  /** Copies an array into the module.
   * @type {(data: ArrayBufferView) => number} its address */
  put(data) {
    const source = bytesOf(data);
    const at = this.space(source.length);
    view(Uint8Array, at, source.length).set(source);
    return at;
  }

  /** @type {(struct: Struct<any>, values: unknown) => number} its address */
  putStruct(struct, values) {
    return this.put(structBytes(struct, values));
  }
}

/** The front half: the tables of one spectrogram or filter. */
export const tables = new Half();
/** The back half: a piece of samples and results. */
export const pieces = new Half();

/** @type {object | undefined} whose tables lie in the module now */
let resident;

/** Puts tables where kernels read them, unless they are there.
 * @type {(owner: { tables: Uint8Array }) => number} their address */
export function loadTables(owner) {
  if (resident === owner) return tables.first;
  startTables();
  const at = tables.put(owner.tables);
  resident = owner;
  return at;
}

/** Frees the memory of tables, to make others there. */
export function startTables() {
  resident = undefined;
  tables.clear();
}

/** @type {(bytes?: number) => Uint8Array} a copy of the tables that were made, or of the first of them */
export const copyTables = (bytes = tables.next - tables.first) => view(Uint8Array, tables.first, bytes).slice();
