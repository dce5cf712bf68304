/** A tensor cut along one axis, and tensors joined along one: the copies of splitting and of concatenating. */
import { mostMemories, nextMemory, stridesOf } from '../../engines/tensors/index.js';
import { checkApart, checkData, checkOut, readOut, readOuts, sizeOf, tensorOf } from '../../tensor/index.js';
import { checkSize, copyInto, moveElements, resultData, stridesWithin } from '../core/index.js';

/** @import { Describe, LazyTensor, Move, Plan, Tensor } from '../types.js' */

/** The move that joins the plan's `tensors` along `axis`; their extents along it are `sizes`.
 * @type {Move} */
export const joined = {
  isMoving: true,
  out: 'out',
  /** Copies the tensors to a new one of the plan's `dims`, or over the option `out`. `inputs`: names, for messages. */
  run({ inputs }, { dims, axis, sizes, tensors }, _, options) {
    const listName = inputs[0];
    const target = options === undefined ? undefined : options.out;
    checkSize(dims);
    const { dtype, data: firstData } = tensors[0];
    const out = target === undefined ? undefined : readOut('out', target, dtype, dims);
    const sources = new Array(tensors.length);
    for (let i = 0; i < tensors.length; i++) sources[i] = checkData(tensors[i]);
    if (out) for (let i = 0; i < tensors.length; i++) checkOut('out', out, `${listName}[${i}]`, tensors[i]);
    // A new array is of the class of the first tensor's.
    const data = resultData(dtype, sizeOf(dims), out, firstData);
    moveElements(dtype, joinBoxes, extentsAround(dims, axis), sizes, sources, [data]);
    return tensorOf(dtype, data, dims);
  },
  join: joinViews,
  view: undefined,
};

/** Multiplies the extents of the axes before an axis, and of those behind it.
 * @type {(dims: readonly number[], axis: number) => [outer: number, inner: number]} */
const extentsAround = (dims, axis) => [sizeOf(dims, 0, axis), sizeOf(dims, axis + 1)];

/** Joins tensors along an axis into a new tensor of the plan's `dims`. Each source is a tensor and a view of it: the
 * strides by which its elements are read, because an operator before this one, such as a transpose, has copied nothing.
 * @type {(plan: Plan, sources: LazyTensor[]) => Tensor} */
function joinViews({ dims, axis }, sources) {
  const { dtype, data: firstData } = sources[0].tensor;
  // A new array, of the class of the first source's data.
  const data = resultData(dtype, sizeOf(checkSize(dims)), undefined, firstData);
  const strides = stridesOf(dims);
  let startIndex = 0; // of the source on the axis
  for (const { tensor, view } of sources) {
    const isEmpty = sizeOf(view.dims) === 0;
    if (!isEmpty) {
      const startElement = startIndex * strides[axis];
      copyInto(dtype, view, checkData(tensor), data, stridesWithin(view, strides), startElement);
    }
    startIndex += view.dims[axis];
  }
  return tensorOf(dtype, data, dims);
}

/** The move that cuts the first input into pieces: the plan's `outputs`, of which each has its `dims`. Their extents
 * along `axis` are `sizes`, 1 each where the pieces lose that axis.
 * @type {Move & { run: (...call: Parameters<Move['run']>) => Tensor[] }} */
export const cut = {
  isMoving: true,
  out: 'out',
  /** Copies the pieces to new tensors, or over those of the option `out`. `inputs`: names, for messages. */
  run({ inputs }, { outputs, axis, sizes }, values, options) {
    const target = options === undefined ? undefined : options.out;
    const source = values[0];
    const { dtype, dims } = source;
    const outs = target === undefined ? undefined : readOuts(target, dtype, outputs);
    const data = checkData(source);
    if (outs) {
      outs.forEach((out, i) => checkOut(`out[${i}]`, out, inputs[0], source));
      checkApart(outs); // from one another
    }

    const count = outputs.length;
    const pieces = new Array(count); // the data of each
    for (let i = 0; i < count; i++) pieces[i] = resultData(dtype, sizeOf(outputs[i].dims), outs?.[i], data);
    moveElements(dtype, cutBoxes, extentsAround(dims, axis), sizes, [data], pieces);
    const tensors = new Array(count);
    for (let i = 0; i < count; i++) tensors[i] = tensorOf(dtype, pieces[i], outputs[i].dims);
    return tensors;
  },
  view: undefined,
};

/** Lists the boxes that copy a tensor to its pieces: `from` and `to` are strides; reading begins at the element `first`
 * of the tensor, writing in the piece of the index `destination`.
 * @type {Describe} */
const cutBoxes = (around, sizes) =>
  copiesOfPieces(around, sizes).map(({ extents, pieceStrides, tensorStrides, first, piece }) => ({
    extents,
    from: tensorStrides,
    to: pieceStrides,
    first,
    destination: piece,
  }));

/** Lists the boxes that copy pieces to the tensor that they make: `from` and `to` are strides; reading begins in the
 * piece of the index `source`, writing at the element `start` of the tensor.
 * @type {Describe} */
const joinBoxes = (around, sizes) =>
  copiesOfPieces(around, sizes).map(({ extents, pieceStrides, tensorStrides, first, piece }) => ({
    extents,
    from: pieceStrides,
    to: tensorStrides,
    start: first,
    source: piece,
  }));

/** A copy between a tensor, from its element `first` on, and pieces of it, from the piece of the index `piece` on.
 * @typedef {{ extents: number[], pieceStrides: number[], tensorStrides: number[], first: number, piece: number }}
 *   Copy */

/** Lists the copies between a tensor and its pieces, whose extents along one axis are `sizes`; `outer` and `inner` are
 * the products of the extents before that axis and behind it. Neighboring pieces of one size, up to 4,096, share a
 * copy, whose first axis steps from one piece's memory to the next.
 * @type {(around: readonly number[], sizes: readonly number[]) => Copy[]} */
function copiesOfPieces([outer, inner], sizes) {
  // A row: all elements at one index of the axes before the axis.
  const tensorRow = inner * sizes.reduce((sum, size) => sum + size, 0);
  /** @type {Copy[]} */
  const copies = [];
  let first = 0; // the element of the tensor where the next copy begins
  let piece = 0; // the index of its first piece
  while (piece < sizes.length) {
    const count = countEqual(sizes, piece);
    const pieceRow = inner * sizes[piece];
    const extents = [count, outer, pieceRow]; // pieces, rows of each, elements of a row
    const pieceStrides = [nextMemory, pieceRow, 1];
    const tensorStrides = [pieceRow, tensorRow, 1];
    copies.push({ extents, pieceStrides, tensorStrides, first, piece });
    first += count * pieceRow;
    piece += count;
  }
  return copies;
}

/** Counts the sizes that are equal from index `start` on, as many as one box may have pieces of.
 * @type {(sizes: readonly number[], start: number) => number} */
function countEqual(sizes, start) {
  let count = 1;
  while (count < mostMemories && sizes[start + count] === sizes[start]) count++;
  return count;
}
