/** Where a file's bytes lie, and how parts of them are read: what callers hand in, checked. */
import * as args from '../arguments/index.js';

/** @import { ReadSome, SourceLike } from './types.js' */

/** @typedef {ArrayBuffer | Uint8Array} Bytes */

/** Read at most 8 MiB at a time: 1 to 8 MiB are fastest, and reads of 2 GiB abort Node. */
const maxBytes = 8 * 2 ** 20;

/** Makes memory of zeros, and refuses a length for which there is none.
 * @type {(length: number) => Uint8Array} */
export function newBytes(length) {
  try {
    return new Uint8Array(length);
  } catch {
    return args.rangeError(`there is no memory for ${length} bytes`);
  }
}

/** Refuses a part of a file unless it begins and ends at whole numbers, 0 <= start <= end.
 * @type {(start: unknown, end: unknown) => void} */
export function checkEnds(start, end) {
  const isPlace = (/** @type {unknown} */ value) => Number.isSafeInteger(value) && Number(value) >= 0;
  if (!isPlace(start) || !isPlace(end) || Number(start) > Number(end))
    args.rangeError(
      `start and end must be whole numbers with 0 <= start <= end, got ${args.show(start)} and ${args.show(end)}`,
    );
}

/** Refuses a target that is no Uint8Array, and a start that is no whole number from 0.
 * @type {(target: unknown, start: unknown) => void} */
export function checkTarget(target, start) {
  if (args.typedArrayName(target) !== 'Uint8Array')
    args.typeError(`target must be a Uint8Array, got ${args.showClass(target)}`);
  if (!Number.isSafeInteger(start) || Number(start) < 0)
    args.rangeError(`start must be a whole number from 0, got ${args.show(start)}`);
}

/** A source of any kind, behind one function: `readSome` reads some bytes, one at least, and says how many. `name`
 * stands in messages. */
export class Source {
  /** @param {string} name @param {number} byteLength @param {ReadSome} readSome */
  constructor(name, byteLength, readSome) {
    this.name = name;
    this.byteLength = byteLength;
    this.readSome = readSome;
  }

  /** Fills `target` with the bytes from `start` on, by as many calls of `readSome` as it takes. Refuses a call that
   * gives no byte or too many, and a source that ends before `target` is full.
   * @type {(target: Uint8Array, start: number, signal?: AbortSignal) => Promise<void>} */
  async read(target, start, signal) {
    const { length } = target;
    if (start + length > this.byteLength)
      args.rangeError(`${this.name} must have ${start + length} bytes, got ${this.byteLength}`);
    for (let done = 0; done < length;) {
      signal?.throwIfAborted();
      const part = args.bytesBetween(target, done, Math.min(length, done + maxBytes));
      // Read first: the source may transfer the memory of `part`, which has a length of 0 then.
      const limit = part.length;
      const answer = this.readSome(part, start + done);
      // Memory answers at once; all other sources promise a count, and an abort ends the wait for it.
      const count = typeof answer === 'number' ? answer : await args.abortable(answer, signal);
      // The source's own code had the target's memory, and may have transferred or shrunk it.
      if (target.length !== length)
        args.rangeError(`memory that is read to must stay in place, got ${target.length} of ${length} bytes`);
      if (!(Number.isInteger(count) && count > 0 && count <= limit))
        args.rangeError(`${this.name} must give ${limit} bytes from ${start + done}, got ${args.show(count)}`);
      done += count;
    }
  }

  /** Reads `length` bytes from `start` on to memory of their own.
   * @type {(start: number, length: number, signal?: AbortSignal) => Promise<Uint8Array>} */
  async bytes(start, length, signal) {
    const target = newBytes(length);
    await this.read(target, start, signal);
    return target;
  }
}

/** Opens a {@link SourceLike}: memory, `{ byteLength, slice, read? }`, a FileHandle or a Blob. `name` stands in
 * messages.
 * @type {(name: string, source: unknown) => Promise<Source>} */
export async function openSource(name, source) {
  const memory = memoryOf(source);
  if (memory) return new Source(name, memory.length, readerOfMemory(name, memory));
  // Typed arrays of other classes have a byteLength and a slice, too, but are refused.
  const isObject = typeof source === 'object' && source !== null && !ArrayBuffer.isView(source);
  if (!isObject) refuseSource(name, source);
  const { byteLength, size, slice, read, stat } = /** @type {Record<string, any>} */ (source);
  const has = (/** @type {unknown} */ method) => typeof method === 'function';
  // Tell the kinds apart by their members: first a source of the caller's own.
  if (byteLength !== undefined && has(slice)) {
    if (read !== undefined && !has(read)) args.typeError(`${name}.read must be a function, got ${args.show(read)}`);
    const readSome = read === undefined ? readerBySlice(name, source, slice) : readerByRead(source, read);
    return new Source(name, checkLength(`${name}.byteLength`, byteLength), readSome);
  }
  // A FileHandle.
  if (has(stat) && has(read)) {
    const { size: length } = await stat.call(source);
    return new Source(name, checkLength(`${name} size`, length), readerOfHandle(source, read));
  }
  // A Blob.
  if (size !== undefined && has(slice))
    return new Source(name, checkLength(`${name}.size`, size), readerOfBlob(name, source, slice));
  return refuseSource(name, source);
}

/** @type {(name: string, source: unknown) => never} */
function refuseSource(name, source) {
  const kinds = 'a Uint8Array, an ArrayBuffer, a Blob, a FileHandle or { byteLength, slice }';
  return args.typeError(`${name} must be ${kinds}, got ${args.showClass(source)}`);
}

/** @type {(argument: string, length: unknown) => number} */
function checkLength(argument, length) {
  if (!Number.isSafeInteger(length) || /** @type {number} */ (length) < 0)
    args.rangeError(`${argument} must be a whole number from 0, got ${args.show(length)}`);
  return /** @type {number} */ (length);
}

const isBuffer = args.checkerOf(ArrayBuffer, 'byteLength');

/** Views a Uint8Array or an ArrayBuffer as plain bytes; undefined for anything else.
 * @type {(value: unknown) => Uint8Array | undefined} */
function memoryOf(value) {
  if (args.typedArrayName(value) === 'Uint8Array') return args.bytesOf(/** @type {Uint8Array} */ (value));
  if (!isBuffer(value)) return undefined;
  // A detached buffer has no bytes, and no array can be made over it.
  const buffer = /** @type {ArrayBuffer} */ (value);
  return buffer.byteLength === 0 ? new Uint8Array(0) : new Uint8Array(buffer);
}

/** Makes the function that reads from memory, and refuses memory that was detached or resized meanwhile.
 * @type {(name: string, memory: Uint8Array) => ReadSome} */
function readerOfMemory(name, memory) {
  const { length } = memory;
  return (part, start) => {
    if (memory.length !== length) args.rangeError(`${name} must keep its ${length} bytes, got ${memory.length}`);
    part.set(args.bytesBetween(memory, start, start + part.length));
    return part.length;
  };
}

/** Makes the function that reads by `read` of a source of the caller's own.
 * @type {(source: unknown, read: Function) => ReadSome} */
const readerByRead = (source, read) => (part, start) => read.call(source, part, start);

/** Makes the function that reads by `read` of a FileHandle.
 * @type {(source: unknown, read: Function) => ReadSome} */
const readerOfHandle = (source, read) => async (part, start) => {
  const offset = 0;
  const { bytesRead } = await read.call(source, part, offset, part.length, start);
  return bytesRead;
};

/** Makes the function that reads by `slice` of a source of the caller's own.
 * @type {(name: string, source: unknown, slice: Function) => ReadSome} */
const readerBySlice = (name, source, slice) => async (part, start) =>
  copyAnswer(name, await slice.call(source, start, start + part.length), part, start);

/** Makes the function that reads by `slice` of a Blob.
 * @type {(name: string, source: unknown, slice: Function) => ReadSome} */
const readerOfBlob = (name, source, slice) => async (part, start) => {
  const blob = slice.call(source, start, start + part.length);
  return copyAnswer(name, await blob.arrayBuffer(), part, start);
};

/** Copies the bytes that a source gave to `part`, and gives their number, which has to be the length of `part`.
 * `start`, their place in the file, is for messages.
 * @type {(name: string, answer: unknown, part: Uint8Array, start: number) => number} */
function copyAnswer(name, answer, part, start) {
  const bytes = memoryOf(answer);
  if (!bytes) args.typeError(`${name} must give an ArrayBuffer or a Uint8Array, got ${args.showClass(answer)}`);
  if (bytes.length !== part.length)
    args.rangeError(`${name} must give ${part.length} bytes from ${start}, got ${bytes.length}`);
  part.set(bytes);
  return part.length;
}
