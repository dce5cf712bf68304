/**
 * Draws the extents and numbers of a call from a seed. The same seed draws the same call again, with one change: an
 * extent that is not the one that fits, or an array that lacks its last number.
 */

/** Numbers as models do not give them. */
const oddNumbers = [NaN, Infinity, -Infinity, -0, 1e30, -1e30, 2 ** 31, 1e-45, 3e5, -3e5];

const wrongExtents = [2 ** 20 + 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 40, 2 ** 53, 1e300, Infinity, -1, 0.5, NaN];

/** Extents in the place of `n`. All are refused. */
export const misfits = [(n) => 2 ** 32 + n, ...wrongExtents.map((extent) => () => extent), (n) => n + 1];

/** @typedef {{ place: number, misfit?: (n: number) => number }} Change which of the extents or arrays is changed, and
 *   how: without `misfit` the array of this place is cut */

export class Draw {
  /** The places that a change may name: misfits of each extent, and arrays.
   * @type {(typeof misfits)[]} */
  extents = [];
  arrays = 0;
  /** Arrays that the call writes to.
   * @type {{ before: Uint8Array, array: Uint8Array }[]} */
  outs = [];

  /** @type {(seed: number, change?: Change) => void} */
  constructor(seed, change) {
    this.state = Math.imul(seed + 1, 0x9e3779b1) | 1;
    this.change = change;
    this.isOdd = seed % 3 === 2;
  }

  /** @type {(end: number) => number} a whole number in [0, end) */
  below(end) {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return (this.state >>> 0) % end;
  }

  /** @type {(list: readonly any[]) => any} */
  one(list) {
    return list[this.below(list.length)];
  }

  flag() {
    return this.below(2) === 1;
  }

  /** An extent, also 0 in odd calls; a changed one times 0 would fit. */
  size(most = 9, least = 1) {
    if (this.isOdd && !this.change && this.below(12) === 0) return 0;
    return least + this.below(most - least + 1);
  }

  /** The extent that fits. */
  fit(n, wrong = misfits) {
    const { change } = this;
    const place = this.extents.push(wrong) - 1;
    return change?.misfit && change.place === place ? change.misfit(n) : n;
  }

  /** The same of a width: as many numbers may be rows of n + 1. */
  width(n) {
    return this.fit(n, misfits.slice(0, -1));
  }

  /** An array that lacks nothing. */
  exact(array) {
    const { change } = this;
    const place = this.arrays++;
    return change && !change.misfit && change.place === place ? array.slice(0, -1) : array;
  }

  number() {
    return this.isOdd && this.below(6) === 0 ? this.one(oddNumbers) : (this.below(4001) - 2000) / 128;
  }

  /** Numbers of any count. */
  any(count, Class = Float32Array) {
    return Class.from({ length: count }, () => this.number());
  }

  floats(count, Class = Float32Array) {
    return this.exact(this.any(count, Class));
  }

  /** Whole numbers in [0, end), of any count. */
  wholes(count, end, Class = Int32Array) {
    return Class.from({ length: count }, () => this.below(Math.max(end, 1)));
  }

  bytes(count, end = 256) {
    return this.exact(this.wholes(count, end, Uint8Array));
  }

  /** Memory that the call writes to. */
  out(length, Class = Float32Array) {
    const array = this.exact(new Class(length).fill(7));
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    this.outs.push({ before: bytes.slice(), array: bytes });
    return array;
  }
}
