/** The pieces in which elements are read: how large they are, and the reading of one after another. */
import { rangeError, show, showList, typeError } from '../arguments/index.js';
import { sizeOf, tensorOf } from '../tensor/index.js';
import { cutRows, denseBox, wholeBox } from './boxes.js';

/** @import { Tensor } from '../tensor/index.js' */
/** @import { TensorData } from '../tensor/types.js' */
/** @import { Box, Elements } from './types.js' */
/** @import { Work } from './work.js' */

/** Most bytes of a piece: a few MiB pass through a second-level cache, and reads of 1 to 8 MiB are the fastest. */
export const pieceBytes = 4 * 2 ** 20;
/** Most bytes of a piece of a tensor whose axes are in another order than in its file: the longer a piece, the longer
 * the runs that it takes from the file. Twice as much memory is in use. */
export const transposedPieceBytes = 32 * 2 ** 20;

/** Counts the bytes of elements that are no strings.
 * @type {(elements: Pick<Elements, 'dtype' | 'dims'>) => number} */
export const byteLengthOf = ({ dtype, dims }) => Math.ceil((sizeOf(dims) * dtype.bits) / 8);

/** Tells whether a tensor's axes are in another order than in its file, so that neighbors in the tensor are far from
 * one another in the file: an axis of more than one index lies inside the axis whose neighbors lie side by side in the
 * file. False where the latter has one index, and so no neighbors, or is -1, that of a scalar.
 * @type {(elements: Elements) => boolean} */
export function isTransposed({ dims, contiguousAxis }) {
  const innerExtents = dims.slice(contiguousAxis + 1);
  return dims[contiguousAxis] > 1 && innerExtents.some((extent) => extent > 1);
}

/** Gives the most bytes of a piece in which elements are read.
 * @type {(elements: Elements) => number} */
export const maxPieceBytes = (elements) => (isTransposed(elements) ? transposedPieceBytes : pieceBytes);

/** Yields the rows `from` up to `to` in pieces. All share one buffer, so each is overwritten by the next. The rows
 * of a string tensor come in one piece.
 * @type {(elements: Elements, from: number, to: number, work: Work) => AsyncGenerator<Tensor, void, undefined>} */
export async function* piecesOf(elements, from, to, work) {
  const { dtype, dims, widestBits } = elements;
  const areStrings = dtype.array === 'Array';
  const boxes = areStrings ? [boxOfRows(dims, from, to)] : cutRows(dims, widestBits, pieceBytes, from, to);
  for (const box of boxes) {
    const data = await readBoxToBuffer(elements, box, work);
    yield tensorOf(dtype, data, [...box.counts]);
  }
}

/** Yields the elements in pieces: the data of a box, its extents, and its first index on each axis. All pieces share
 * one buffer, so each is overwritten by the next.
 * @type {(elements: Elements, work: Work) => AsyncGenerator<{ data: TensorData, counts: readonly number[], first:
 *   readonly number[] }, void, undefined>} */
export async function* placedPieces(elements, work) {
  const { dims, widestBits } = elements;
  for (const box of cutRows(dims, widestBits, maxPieceBytes(elements))) {
    const data = await readBoxToBuffer(elements, box, work);
    yield { data, counts: box.counts, first: box.first };
  }
}

/** Reads a box to the memory that the last box of this pass was read to.
 * @type {(elements: Elements, box: Box, work: Work) => Promise<TensorData>} */
async function readBoxToBuffer(elements, box, work) {
  work.signal?.throwIfAborted();
  const owner = work;
  const data = work.bufferFor(owner, elements.dtype, sizeOf(box.counts));
  await elements.readBox(box, data, work);
  return data;
}

/** Makes the box of the rows `from` up to `to` of axis 0; that of the only element of a scalar.
 * @type {(dims: readonly number[], from: number, to: number) => Box} */
function boxOfRows(dims, from, to) {
  if (dims.length === 0) return wholeBox(dims);
  const innerDims = dims.slice(1);
  const innerFirst = innerDims.map(() => 0);
  return denseBox([from, ...innerFirst], [to - from, ...innerDims]);
}

/** Reads the option `rows`, [from, to) of axis 0: all rows if omitted, none if `from` equals `to`.
 * @type {(rows: unknown, dims: readonly number[]) => [from: number, to: number]} */
export function readRows(rows, dims) {
  // A scalar is one row, which cannot be chosen.
  const extent = dims[0] ?? 1;
  if (rows === undefined) return [0, extent];
  if (!Array.isArray(rows)) typeError(`rows must be [from, to], got ${show(rows)}`);
  if (dims.length === 0) rangeError(`rows must not be given for a scalar, got ${show(rows)}`);
  const [from, to] = rows;
  const areIntegers = Number.isSafeInteger(from) && Number.isSafeInteger(to);
  const isInRange = areIntegers && 0 <= from && from <= to && to <= extent;
  if (rows.length !== 2 || !isInRange)
    rangeError(`rows must be [from, to] within [0, ${extent}], got ${showList(rows)}`);
  return [from, to];
}
