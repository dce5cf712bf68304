/** SplitToSequence: a tensor passes through the scratch area in slabs of whole rows, pieces of one size together, each piece's part of a slab in one copy out. */
import { bytesBetween } from '../arguments/index.js';
import { ready, scratch, scratchBit, setAxis, sourceBytes, stagedAt } from './heap.js';
import { directBytes, lineBytes, slabBytes, slabLimit } from './stage.js';
import { putRun, viewsOfRuns } from './strips.js';

/** Rows of a slab, where that many fit, however long they are: with 8 of 64 KiB, a split by 64 elements takes 1.3 times as long. */
const leastRows = 32;
/** Most pieces that go through the kernel together, and their bytes: a second-level cache has to hold them with their part of the slab. */
const mostPieces = 256;
const togetherBytes = 256 * 2 ** 10;

/**
 * Cuts a dense tensor along one axis, in one pass over it. Bits after a packed piece's last element are written zero.
 * @param {number} elementBits
 * @param {number} outer number of rows: the product of the extents before the axis
 * @param {number} inner elements of one step along the axis
 * @param {readonly number[]} sizes of the pieces along the axis
 * @param {Uint8Array} source
 * @param {readonly Uint8Array[]} destinations one a piece, none overlapping the source or another
 */
export function splitBytes(elementBits, outer, inner, sizes, source, destinations) {
  const { transpose } = ready('splitToSequence');
  const stepBits = inner * elementBits;
  const rowBits = sizes.reduce((sum, size) => sum + size, 0) * stepBits;
  const longest = sizes.reduce((most, size) => Math.max(most, size), 0) * stepBits;
  const isShort = longest < 8 * directBytes;
  const rowsInSlab = Math.floor(
    Math.max((8 * slabBytes) / rowBits, isShort ? Math.min(leastRows, (8 * slabLimit) / rowBits) : 0),
  );
  // A slab pays where runs are short; it has to hold 8 rows, so that every slab of a packed tensor begins at a whole byte.
  const staged = (isShort || rowBits % 8 !== 0) && rowsInSlab >= 8 && outer > 1;
  const step = staged ? rowsInSlab - (rowsInSlab % 8) : 1;
  for (let row = 0; row < outer; row += step) {
    const rows = Math.min(step, outer - row);
    if (staged) scratch.set(bytesBetween(source, (row * rowBits) / 8, Math.ceil(((row + rows) * rowBits) / 8)));
    let offset = 0;
    for (let i = 0, count; i < sizes.length; i += count) {
      const bits = sizes[i] * stepBits;
      const bytes = Math.ceil((rows * bits) / 8);
      const stride = Math.ceil(bytes / lineBytes) * lineBytes + 64;
      count = staged ? piecesAlike(sizes, i, Math.min(mostPieces, Math.floor(togetherBytes / stride))) : 1;
      if (!staged) {
        copyBits(elementBits, source, row * rowBits + offset, destinations[i], row * bits, bits);
      } else if (bits > 0) {
        const first = stagedAt(destinations[i], (row * bits) / 8);
        for (let piece = 0; piece < count && (rows * bits) % 8; piece++)
          scratch[first + piece * stride + bytes - 1] = 0;
        setAxis(0, count, bits, 8 * stride);
        setAxis(1, rows, rowBits, bits);
        setAxis(2, sizes[i] * inner, elementBits, elementBits);
        transpose(elementBits, 3, scratchBit + offset, scratchBit + 8 * first);
        const views = viewsOfRuns(first, bytes, stride, count);
        for (let piece = 0; piece < count; piece++) destinations[i + piece].set(views[piece], (row * bits) / 8);
      }
      offset += count * bits;
    }
  }
}

/** How many pieces from one on have its size, at least that one, at most `most`. @type {(sizes: readonly number[], first: number, most: number) => number} */
function piecesAlike(sizes, first, most) {
  let end = first + 1;
  while (end < sizes.length && end < first + most && sizes[end] === sizes[first]) end++;
  return end - first;
}

/** Copies one run of elements from any bit to any bit. @type {(elementBits: number, source: Uint8Array, from: number, destination: Uint8Array, to: number, bits: number) => void} */
function copyBits(elementBits, source, from, destination, to, bits) {
  if (bits === 0) return;
  if ((from | to | bits) % 8 === 0 || (from % 8 === 0 && to % 8 === 0 && bits % 8 === 0)) {
    destination.set(bytesBetween(source, from / 8, (from + bits) / 8), to / 8);
    return;
  }
  const { transpose } = ready('splitToSequence');
  const lastByte = Math.ceil((to + bits) / 8) - 1;
  if (lastByte === destination.length - 1 && (to + bits) % 8) destination[lastByte] &= (1 << ((to + bits) % 8)) - 1;
  for (let done = 0; done < bits; done += 8 * slabBytes) {
    const part = Math.min(8 * slabBytes, bits - done);
    const at = from + done;
    scratch.set(bytesBetween(source, Math.floor(at / 8), Math.ceil((at + part) / 8)));
    setAxis(0, part / elementBits, elementBits, elementBits);
    transpose(elementBits, 1, scratchBit + (at % 8), scratchBit + 8 * sourceBytes + (to % 8));
    putRun(8 * sourceBytes + (to % 8), part, destination, to + done);
  }
}
