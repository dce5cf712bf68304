/** Deflated members of archives (RFC 1951), inflated by fflate piece by piece: none becomes more than it says. */
import { Inflate } from '../../../dist/fflate/fflate.js';
import { bytesBetween, rangeError, namePart } from '../../arguments/index.js';
import { dtypes, newData } from '../../tensor/index.js';
import { Source } from '../../weights/index.js';

/** @import { Member } from '../types.js' */

/** Deflated bytes that are inflated at a time: they become 17 MB at most. */
const pieceBytes = 16 * 2 ** 10;
/** Deflated bytes that are read at a time. */
const readBytes = 2 ** 20;
/** @type {Uint8Array} */
const noBytes = new Uint8Array(0);

/** Inflates the deflated bytes of a member from its first to its last, and refuses a member that becomes more or fewer
 * bytes than the archive's directory says. */
class Inflater {
  #size;
  #inflate;
  /** @type {Uint8Array[]} */
  #pieces = [];

  /** @param {Member} member */
  constructor({ size, compressed }) {
    this.#size = size;
    this.#inflate = new Inflate((piece) => this.#pieces.push(piece));
    /** Deflated bytes that are not inflated yet. */
    this.deflatedLeft = compressed;
    /** Bytes that came out so far. */
    this.inflatedBytes = 0;
  }

  /** Inflates the next deflated bytes, and gives the bytes that they become. Throws a RangeError for invalid bytes, as
   * soon as the member has more bytes than its size says, and behind its last deflated byte if it has fewer.
   * @type {(deflated: Uint8Array) => Uint8Array} */
  push(deflated) {
    this.deflatedLeft -= deflated.length;
    try {
      const isLast = this.deflatedLeft === 0;
      this.#inflate.push(deflated, isLast);
    } catch (error) {
      rangeError(`deflated bytes must be valid, got ${/** @type {Error} */ (error).message}`);
    }
    // fflate calls back once for each push, so the list has one piece.
    const piece = /** @type {Uint8Array} */ (this.#pieces.pop());
    this.inflatedBytes += piece.length;
    if (this.inflatedBytes > this.#size) rangeError(`must become ${this.#size} bytes, got more`);
    if (this.deflatedLeft === 0 && this.inflatedBytes < this.#size)
      rangeError(`must become ${this.#size} bytes, got ${this.inflatedBytes}`);
    return piece;
  }
}

/** Inflates all deflated bytes of a member. One that becomes more bytes than it says is refused before these take
 * memory.
 * @type {(member: Member, deflated: Uint8Array) => Uint8Array} */
export function inflateMember(member, deflated) {
  const target = newData(dtypes.uint8, member.size, undefined);
  const inflater = new Inflater(member);
  for (let at = 0; at < deflated.length; at += pieceBytes) {
    const end = Math.min(deflated.length, at + pieceBytes);
    const bytesBefore = inflater.inflatedBytes;
    const piece = inflater.push(bytesBetween(deflated, at, end));
    target.set(piece, bytesBefore);
  }
  return target;
}

/** Makes the source of the bytes that a deflated member becomes. A read behind the last one inflates on from there; a
 * read before it begins again. `start`: where the deflated bytes begin in the archive.
 * @type {(file: Source, member: Member, start: number) => Source} */
export function inflatedSource(file, member, start) {
  const reader = new InflatedReader(file, member, start);
  // Each read waits for the last one, even a failed one, because they share the reader's place in the member.
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  return new Source(member.label, member.size, (part, from) => {
    const count = last.then(() => reader.read(part, from));
    last = count.catch(() => {});
    return count;
  });
}

/** Reads parts of a deflated member, of which it keeps the piece that was inflated last. `start`: where the deflated
 * bytes begin in `file`. */
class InflatedReader {
  /** @param {Source} file @param {Member} member @param {number} start */
  constructor(file, member, start) {
    this.file = file;
    this.member = member;
    this.start = start;
    this.inflater = new Inflater(member);
    /** Read, and not inflated yet. */
    this.deflated = noBytes;
    /** Inflated last. */
    this.piece = noBytes;
  }

  /** Goes back to the member's first byte. */
  rewind() {
    this.inflater = new Inflater(this.member);
    this.deflated = this.piece = noBytes;
  }

  /** Copies inflated bytes from `from` on to `part`, and gives their number: as many as the piece with the byte at
   * `from` has, 1 at least. The caller asks again for the rest.
   * @type {(part: Uint8Array, from: number) => Promise<number>} */
  async read(part, from) {
    const startOfPiece = () => this.inflater.inflatedBytes - this.piece.length;
    if (from < startOfPiece()) this.rewind();
    while (from >= this.inflater.inflatedBytes) await this.inflateNext();
    const at = from - startOfPiece();
    const available = this.piece.subarray(at, Math.min(this.piece.length, at + part.length));
    part.set(available);
    return available.length;
  }

  /** Inflates the next deflated bytes to `piece`, and reads more of them from the file if need be. */
  async inflateNext() {
    const { deflatedLeft } = this.inflater;
    if (this.deflated.length === 0) {
      const consumedBytes = this.member.compressed - deflatedLeft;
      this.deflated = await this.file.bytes(this.start + consumedBytes, Math.min(deflatedLeft, readBytes));
    }
    const bytes = this.deflated.subarray(0, pieceBytes);
    this.deflated = this.deflated.subarray(pieceBytes);
    try {
      this.piece = namePart(this.member.label, () => this.inflater.push(bytes));
    } catch (error) {
      // fflate's state is spoiled: the next read has to fail in the same way.
      this.rewind();
      throw error;
    }
  }
}
