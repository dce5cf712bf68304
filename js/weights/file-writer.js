/** Files that are written as they are made: their size is known before the first byte. */
import { bytesBetween, bytesOf, namedEach, readFunction, readOptions, readSignal } from '../arguments/index.js';
import { checkMemory } from '../engines/memory/index.js';
import { pack, unpack } from '../engines/tensors/index.js';
import { newData, sizeOf } from '../tensor/index.js';
import { cutRows, cutTiles, elementsInWholeBytes, runsOf, runStarts } from './boxes.js';
import { byteLengthOf, isTransposed, maxPieceBytes, pieceBytes, transposedPieceBytes } from './pieces.js';
import { Work } from './work.js';

/** @import { DType } from '../tensor/index.js' */
/** @import { Box, Elements, SaveOptions } from './types.js' */
/** @import { TensorData } from '../tensor/types.js' */

/** @typedef {{ done: number, total: number }} Progress in bytes of the file */
/** @typedef {{ at: number, bytes: Uint8Array }} Write bytes, and where they stand in the file */
/** Content that may depend on the parts in front of it. `onBytes` sees its bytes before they are given away.
 * @typedef {object} LaterPart
 * @property {number} length
 * @property {() => Uint8Array | Elements} content
 * @property {(at: number, bytes: Uint8Array) => void} [onBytes]
 */
/** @typedef {Uint8Array | Elements | LaterPart} Part */

/** Milliseconds between two reports of short pieces: a matrix in tiles has hundreds of thousands. */
const maxSilenceMs = 50;
/** A piece of so many bytes is always reported. */
const longPieceBytes = 2 ** 20;

/** A file in the making. It is an async iterable of its bytes in order, so `Readable.from`, `FileHandle.writeFile` and
 * `new Response(ReadableStream.from(file))` take it as it is. Iterating again makes it again. */
export class FileWriter {
  #name;
  #parts;
  #onProgress;
  #signal;
  #lengths;

  /** @param {string} name
   * @param {readonly Part[] | (() => readonly Part[])} parts a function where writing changes them
   * @param {SaveOptions} options */
  constructor(name, parts, options) {
    const { onProgress, signal } = checkSaving(options);
    this.#name = name;
    this.#parts = typeof parts === 'function' ? parts : () => parts;
    this.#onProgress = onProgress;
    this.#signal = signal;
    this.#lengths = this.#parts().map(byteLengthOfPart);
    /**
     * The size of the file.
     * @readonly
     * @type {number}
     */
    this.byteLength = this.#lengths.reduce((sum, length) => sum + length, 0);
  }

  /** @type {() => AsyncGenerator<Uint8Array, void, undefined>} The bytes in order. Each chunk has memory of its own. */
  async *[Symbol.asyncIterator]() {
    for await (const { bytes } of this.#run(inOrder)) yield bytes;
  }

  /** The bytes as they are made the fastest: in any order, each with its place. A piece is overwritten when the next
   * one is asked for. A tensor whose axes were put in another order comes in tiles.
   * @type {() => AsyncGenerator<Write, void, undefined>} */
  writes() {
    return this.#run(inTiles);
  }

  /** Yields the writes; errors get the name of the function that made the file.
   * @type {(strategy: typeof inOrder) => AsyncGenerator<Write, void, undefined>} */
  #run(strategy) {
    return namedEach(this.#name, () => this.#writeParts(strategy));
  }

  /** Yields the bytes of all parts with their places in the file, reports the progress, and lets other tasks run.
   * `strategy` gives the writes of elements: {@link inOrder} or {@link inTiles}.
   * @type {(strategy: typeof inOrder) => AsyncGenerator<Write, void, undefined>} */
  async *#writeParts(strategy) {
    const work = new Work(this.#signal);
    const report = reporterOf(this.#onProgress, this.byteLength);
    let partStart = 0;
    for (const [i, part] of this.#parts().entries()) {
      const isLater = 'content' in part;
      const content = isLater ? part.content() : part;
      const writes = content instanceof Uint8Array ? copyPart(content, this.#lengths[i]) : strategy(content, work);
      for await (const { at, bytes } of writes) {
        this.#signal?.throwIfAborted();
        if (isLater) part.onBytes?.(at, bytes);
        // Read the length first: the receiver may transfer the memory, and then the bytes have none.
        const { length } = bytes;
        yield { at: partStart + at, bytes };
        report(length);
        await work.pauseIfDue();
      }
      partStart += this.#lengths[i];
      work.freeMemory();
    }
  }
}

/** Makes a function that takes the length of each piece that was written, and reports the progress: of the first
 * piece, after 50 ms of silence, of each long piece, and at the end.
 * @type {(onProgress: SaveOptions['onProgress'], total: number) => (length: number) => void} */
function reporterOf(onProgress, total) {
  let done = 0;
  let reportedAt = -Infinity;
  return (length) => {
    done += length;
    const now = performance.now();
    const isDue = now - reportedAt >= maxSilenceMs || length >= longPieceBytes || done === total;
    if (!isDue) return;
    reportedAt = now;
    onProgress?.({ done, total });
  };
}

/** @type {(options: SaveOptions) => SaveOptions} */
export function checkSaving({ onProgress, signal }) {
  if (onProgress !== undefined) readFunction('onProgress', onProgress);
  return { onProgress, signal: readSignal('signal', signal) };
}

/** Reads an object of the options of saving and those of `names`, and refuses others.
 * @type {<T extends object>(options: (T & SaveOptions) | undefined, names?: readonly string[]) => Partial<T &
 *   SaveOptions>} */
export const readSaveOptions = (options, names = []) => readOptions(options, [...names, 'onProgress', 'signal']);

/** @type {(part: Part) => number} */
export const byteLengthOfPart = (part) =>
  part instanceof Uint8Array || 'content' in part ? part.length : byteLengthOf(part);

/** Yields a part's bytes in pieces. These are copies, because the receiver may transfer a piece, and the part is needed
 * again when the file is. `length`: of the part when the file was planned.
 * @type {(part: Uint8Array, length: number) => Generator<Write>} */
function* copyPart(part, length) {
  for (let at = 0; at < length; at += pieceBytes) {
    // The caller may have detached the part since the last piece.
    checkMemory('read', part, length);
    yield { at, bytes: part.slice(at, Math.min(length, at + pieceBytes)) };
  }
}

/** Yields the bytes of elements in order, each piece in memory of its own.
 * @type {(elements: Elements, work: Work) => AsyncGenerator<Write, void, undefined>} */
async function* inOrder(elements, work) {
  const { dtype } = elements;
  yield* bytesInOrder(elements, work, (size) => newData(dtype, size));
}

/** Yields the bytes of elements, all in one buffer: in order or, where the tensor is large and its axes are in another
 * order than in the file that is read, in tiles, so that both files have long runs.
 * @type {(elements: Elements, work: Work) => AsyncGenerator<Write, void, undefined>} */
async function* inTiles(elements, work) {
  const { dtype, dims, widestBits, contiguousAxis } = elements;
  const bufferOf = (/** @type {number} */ size) => work.bufferFor(work, dtype, size);
  // A tensor that is not large is one piece, so its axes may be in any order.
  const isLarge = (sizeOf(dims) * widestBits) / 8 > transposedPieceBytes;
  // Tiles of packed elements could begin and end within bytes of the file.
  const isPacked = dtype.bits % 8 !== 0;
  if (!isTransposed(elements) || !isLarge || isPacked) {
    yield* bytesInOrder(elements, work, bufferOf);
    return;
  }
  for (const box of cutTiles(dims, widestBits, transposedPieceBytes, contiguousAxis)) {
    const data = bufferOf(sizeOf(box.counts));
    await elements.readBox(box, data, work);
    yield* runsOfTile(elements, box, data);
  }
}

/** Yields the runs of a box, whose elements are `data`: one after another in memory, they lie apart in the file.
 * @type {(elements: Elements, box: Box, data: TensorData) => Generator<Write>} */
function* runsOfTile({ dtype, dims }, box, data) {
  const bytes = bytesOf(data);
  const { start, runLength, axes } = runsOf(dims, box);
  const length = (runLength * dtype.bits) / 8;
  let done = 0;
  for (const firstElement of runStarts(start, axes)) {
    // The receiver of the run before may have transferred the memory of both.
    checkMemory('read', data, done + length);
    yield { at: (firstElement * dtype.bits) / 8, bytes: bytesBetween(bytes, done, done + length) };
    done += length;
  }
}

/** Yields the bytes of elements in order, piece by piece, in memory for so many elements that `bufferOf` gives.
 * @type {(elements: Elements, work: Work, bufferOf: (size: number) => TensorData) => AsyncGenerator<Write, void,
 *   undefined>} */
async function* bytesInOrder(elements, work, bufferOf) {
  const { dtype, dims, widestBits } = elements;
  const byteFiller = new ByteFiller(dtype, sizeOf(dims));
  let at = 0;
  for (const box of cutRows(dims, widestBits, maxPieceBytes(elements))) {
    const count = sizeOf(box.counts);
    const data = bufferOf(count);
    await elements.readBox(box, data, work);
    const bytes = byteFiller.push(bytesOf(data), count);
    // Read the length first: the receiver may transfer the memory.
    const { length } = bytes;
    yield { at, bytes };
    at += length;
  }
}

/** Makes whole bytes of pieces of packed elements: where a piece ends within a byte, the elements of that byte wait for
 * the next piece. Bytes of other elements pass through it as they are. */
class ByteFiller {
  /** @param {DType} dtype
   * @param {number} size the elements of all pieces */
  constructor(dtype, size) {
    this.dtype = dtype;
    this.left = size;
    /** The elements of a byte that is not full yet, one a number. @type {number[]} */
    this.waiting = [];
  }

  /** Takes the `count` elements of the next piece, and gives all bytes that are full now; after the last piece, which
   * need not fill its last byte, all that are left.
   * @type {(piece: Uint8Array, count: number) => Uint8Array} */
  push(piece, count) {
    const { name, bits } = this.dtype;
    const elementsAtOnce = elementsInWholeBytes(bits);
    this.left -= count;
    const isLast = this.left === 0;
    const endsWithinByte = count % elementsAtOnce !== 0 && !isLast;
    if (this.waiting.length === 0 && !endsWithinByte) return piece;
    const all = joinUnpacked(this.waiting, unpack(name, piece, count));
    const full = isLast ? all.length : all.length - (all.length % elementsAtOnce);
    this.waiting = [...all.subarray(full)];
    return pack(name, all.subarray(0, full));
  }
}

/** Joins two lists of elements, one a byte.
 * @type {(first: readonly number[], second: ArrayLike<number>) => Uint8Array} */
function joinUnpacked(first, second) {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
