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

/** Inflates a member's bytes in order, and refuses more or fewer than it says. */
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
    this.left = compressed;
    /** Bytes so far. */
    this.length = 0;
  }

  /** Inflates the next deflated bytes, and gives the bytes that they become.
   * @type {(deflated: Uint8Array) => Uint8Array} */
  push(deflated) {
    this.left -= deflated.length;
    try {
      this.#inflate.push(deflated, this.left === 0);
    } catch (error) {
      rangeError(`deflated bytes must be valid, got ${/** @type {Error} */ (error).message}`);
    }
    const piece = /** @type {Uint8Array} */ (this.#pieces.pop());
    this.length += piece.length;
    if (this.length > this.#size) rangeError(`must become ${this.#size} bytes, got more`);
    if (this.left === 0 && this.length < this.#size) rangeError(`must become ${this.#size} bytes, got ${this.length}`);
    return piece;
  }
}

/** Inflates a whole member.
 * @type {(member: Member, deflated: Uint8Array) => Uint8Array} */
export function inflated(member, deflated) {
  const target = newData(dtypes.uint8, member.size, undefined);
  const inflater = new Inflater(member);
  for (let at = 0; at < deflated.length; at += pieceBytes) {
    const before = inflater.length;
    target.set(inflater.push(bytesBetween(deflated, at, Math.min(deflated.length, at + pieceBytes))), before);
  }
  return target;
}

/** Makes the source of a member, as a file of its own. Reads that follow one another go on; what lies before them is
 * inflated from the beginning again. Reads take turns. `start`: of the deflated bytes in the file.
 * @type {(file: Source, member: Member, start: number) => Source} */
export function inflatedSource(file, member, start) {
  const reader = new InflatedReader(file, member, start);
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  return new Source(member.label, member.size, (part, from) => {
    const count = last.then(() => reader.read(part, from));
    last = count.catch(() => {});
    return count;
  });
}

/** Reads parts of a deflated member of a file. */
class InflatedReader {
  /** @param {Source} file @param {Member} member @param {number} start */
  constructor(file, member, start) {
    this.file = file;
    this.member = member;
    this.start = start;
    this.inflater = new Inflater(member);
    /** The deflated bytes that were read last, and are not inflated yet. */
    this.deflated = noBytes;
    /** The piece that was inflated last. */
    this.piece = noBytes;
  }

  /** Goes back to the member's beginning. */
  rewind() {
    this.inflater = new Inflater(this.member);
    this.deflated = this.piece = noBytes;
  }

  /** Inflates up to the place `from`, copies the bytes that the last piece has there, and gives their number.
   * @type {(part: Uint8Array, from: number) => Promise<number>} */
  async read(part, from) {
    const first = () => this.inflater.length - this.piece.length;
    if (from < first()) this.rewind();
    while (from >= this.inflater.length) await this.inflateNext();
    const at = from - first();
    const available = this.piece.subarray(at, Math.min(this.piece.length, at + part.length));
    part.set(available);
    return available.length;
  }

  /** Reads more deflated bytes if none are left, and inflates the next 16 KiB of them. */
  async inflateNext() {
    const { left } = this.inflater;
    if (this.deflated.length === 0)
      this.deflated = await this.file.bytes(this.start + this.member.compressed - left, Math.min(left, readBytes));
    const bytes = this.deflated.subarray(0, pieceBytes);
    this.deflated = this.deflated.subarray(pieceBytes);
    try {
      this.piece = namePart(this.member.label, () => this.inflater.push(bytes));
    } catch (error) {
      this.rewind();
      throw error;
    }
  }
}
