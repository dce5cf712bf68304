/** Elements that are made of others when they are read: cast, in another order, a part of them, several joined. */
import { bytesOf } from '../arguments/index.js';
import { checkMemory } from '../engines/memory/index.js';
import { clearTail, pack, stridesOf, unpack } from '../engines/tensors/index.js';
import { cast, transpose } from '../operators/index.js';
import { dtypes, sizeOf, tensorOf } from '../tensor/index.js';
import { wholeBox } from './boxes.js';
import { readToPart } from './place.js';

/** @import { DType } from '../tensor/index.js' */
/** @import { Box, Elements } from './types.js' */
/** @import { TensorData } from '../tensor/types.js' */

/** Puts a list in another order: item i of the result is item order[i].
 * @type {(list: readonly number[], order: readonly number[]) => number[]} */
const reordered = (list, order) => order.map((i) => list[i]);

/** Awaited by the `readBox` of conversions and joins before it calls that of other elements, so that this call begins
 * with an empty stack: a chain of any length does not overflow it. */
const nextMicrotask = Promise.resolve();

/** Puts the axes of a box in another order: axis i of the result is axis order[i].
 * @type {(box: Box, order: readonly number[]) => Box} */
const reorderedBox = ({ first, counts, steps }, order) => ({
  first: reordered(first, order),
  counts: reordered(counts, order),
  steps: reordered(steps, order),
});

/** Converts `inner`, a box whose indices count within the box `outer` of a tensor, to one whose indices count in that
 * tensor.
 * @type {(outer: Box, inner: Box) => Box} */
const boxWithin = (outer, { first, counts, steps }) => ({
  first: first.map((index, i) => outer.first[i] + index * outer.steps[i]),
  counts,
  steps: steps.map((step, i) => step * outer.steps[i]),
});

/** A slice and transpose of the elements `inner`: those of the box `part`, where axis i of the view is axis perm[i] of
 * the box. A chain of slices and transposes becomes one view. */
class View {
  /** @param {Elements} inner @param {Box} part @param {readonly number[]} perm */
  constructor(inner, part, perm) {
    this.inner = inner;
    this.part = part;
    this.perm = perm;
    this.inversePerm = perm.map((_, axis) => perm.indexOf(axis));
    this.dtype = inner.dtype;
    this.dims = reordered(part.counts, perm);
    this.contiguousAxis = perm.indexOf(inner.contiguousAxis);
    this.widestBits = inner.widestBits;
  }

  /** Finds the box of `inner` that has the elements of a box of the view.
   * @type {(box: Box) => Box} */
  boxOfInner(box) {
    return boxWithin(this.part, reorderedBox(box, this.inversePerm));
  }

  /** Reads a box of the view: reads the inner elements, in their own order, and transposes them to `data`.
   * @type {Elements['readBox']} */
  async readBox(box, data, work) {
    const { inner, dtype, perm } = this;
    const innerBox = this.boxOfInner(box);
    const isInOrder = perm.every((axis, i) => axis === i);
    if (isInOrder) return inner.readBox(innerBox, data, work);
    const innerData = work.bufferFor(this, dtype, sizeOf(innerBox.counts));
    await inner.readBox(innerBox, innerData, work);
    const out = tensorOf(dtype, data, [...box.counts]);
    // Not strict: of types that ONNX's Transpose does not take, such as float6e2m3, only bits are moved, too.
    transpose(tensorOf(dtype, innerData, [...innerBox.counts]), { perm, out, strict: false });
  }
}

/** Gives a View as it is, and makes a View of all other elements, whole and in their order.
 * @type {(elements: Elements) => View} */
const viewOf = (elements) =>
  elements instanceof View ? elements : new View(elements, wholeBox(elements.dims), [...elements.dims.keys()]);

/** Makes elements with the axes in another order: axis i of the result is axis perm[i]. The order is reversed if `perm`
 * is omitted.
 * @type {(elements: Elements, perm?: readonly number[]) => Elements} */
export function transposed(elements, perm = [...elements.dims.keys()].reverse()) {
  const { inner, part, perm: previousPerm } = viewOf(elements);
  return new View(inner, part, reordered(previousPerm, perm));
}

/** Makes elements that are those of a box of others.
 * @type {(elements: Elements, box: Box) => Elements} */
export function sliced(elements, box) {
  const view = viewOf(elements);
  return new View(view.inner, view.boxOfInner(box), view.perm);
}

/** Converts `source`, the elements of a box, to another type, and writes them to `data`. `counts` and `first` are the
 * box's extents and its first indices.
 * @typedef {(source: TensorData, data: TensorData, counts: readonly number[], first: readonly number[]) => void}
 *   Convert */

/** Makes elements of the type `dtype` from `inner`, which have the same dims: to read a box, reads that box of `inner`,
 * and lets `convert` write its elements to `data`.
 * @type {(inner: Elements, dtype: DType, convert: Convert) => Elements} */
export function convertedElements(inner, dtype, convert) {
  /** @type {Elements} */
  const elements = {
    dtype,
    dims: inner.dims,
    contiguousAxis: inner.contiguousAxis,
    widestBits: Math.max(dtype.bits, inner.widestBits),
    async readBox(box, data, work) {
      const source = work.bufferFor(elements, inner.dtype, sizeOf(box.counts));
      // The stack is empty after this: a long chain of conversions would overflow it.
      await nextMicrotask;
      await inner.readBox(box, source, work);
      convert(source, data, box.counts, box.first);
    },
  };
  return elements;
}

/** Makes elements that are cast when they are read. A cast of a cast rounds twice, so the two are not merged.
 * @type {(inner: Elements, dtype: DType, options: object) => Elements} */
export const castTo = (inner, dtype, options) =>
  convertedElements(inner, dtype, (source, data, counts) => {
    const out = tensorOf(dtype, data, [...counts]);
    cast(tensorOf(inner.dtype, source, [...counts]), dtype.name, { ...options, out });
  });

/** Makes elements of fewer than 8 bits from `inner`, which has one in each byte.
 * @type {(inner: Elements, dtype: DType) => Elements} */
export const packed = (inner, dtype) =>
  convertedElements(inner, dtype, (source, data) => {
    const bytes = pack(dtype.name, source);
    checkMemory('written', data, bytes.length);
    bytesOf(data).set(bytes);
  });

/** Makes elements of one byte each, typed as uint8, from those of fewer than 8 bits. Signed ones are bytes of int8.
 * @type {(inner: Elements) => Elements} */
export const unpacked = (inner) =>
  convertedElements(inner, dtypes.uint8, (source, data, counts) => {
    const size = sizeOf(counts);
    checkMemory('written', data, size);
    data.set(bytesOf(unpack(inner.dtype.name, source, size)));
  });

/** Joins the elements of one or more tensors of one type along an axis; `dims` are those of the result.
 * @type {(pieces: readonly Elements[], axis: number, dims: readonly number[]) => Elements} */
export function joinPieces(pieces, axis, dims) {
  // The pieces may differ in `contiguousAxis`, which decides only the order of reading.
  const [{ dtype, contiguousAxis }] = pieces;
  /** @type {Elements} */
  const elements = {
    dtype,
    dims,
    contiguousAxis,
    widestBits: pieces.reduce((bits, { widestBits }) => Math.max(bits, widestBits), 0),
    async readBox(box, data, work) {
      // The stack is empty after this: a long chain of joins would overflow it.
      await nextMicrotask;
      const strides = stridesOf(box.counts);
      // The first index of each piece on the joined axis.
      let pieceStart = 0;
      for (const piece of pieces) {
        const { skipped, pieceBox } = clipToPiece(box, axis, pieceStart, piece.dims[axis]);
        // A part that cannot be read straight to its place goes through memory that `work` keeps for `elements`.
        const part = { data, start: skipped * strides[axis], strides };
        if (pieceBox) await readToPart(piece, pieceBox, part, work, elements);
        pieceStart += piece.dims[axis];
      }
      // Moves of packed elements keep the bits after the last one.
      clearTail(dtype.bits, sizeOf(box.counts), data);
    },
  };
  return elements;
}

/** Clips a box of joined elements to a piece, which has the `extent` indices of the joined axis from `pieceStart` on.
 * Gives the part within the piece, whose indices count from `pieceStart`, or undefined if there is none; and as
 * `skipped` how many of the box's indices on that axis come before this part.
 * @type {(box: Box, axis: number, pieceStart: number, extent: number) => { skipped: number, pieceBox: Box |
 *   undefined }} */
function clipToPiece({ first, counts, steps }, axis, pieceStart, extent) {
  const boxFirst = first[axis];
  const step = steps[axis];
  const pieceEnd = pieceStart + extent;
  // In the direction of the step: the piece's first index, and the one after its last.
  const [enter, leave] = step > 0 ? [pieceStart, pieceEnd] : [pieceEnd - 1, pieceStart - 1];
  // The box has the indices boxFirst + k * step, so k = (index - boxFirst) / step.
  const skipped = Math.max(0, Math.ceil((enter - boxFirst) / step));
  const end = Math.min(counts[axis], Math.ceil((leave - boxFirst) / step));
  if (end <= skipped) return { skipped, pieceBox: undefined };
  const firstInPiece = boxFirst + skipped * step - pieceStart;
  const pieceBox = { first: first.with(axis, firstInPiece), counts: counts.with(axis, end - skipped), steps };
  return { skipped, pieceBox };
}

/** Makes elements without the leading axes, all of extent 1, so that `rank` axes are left. Where `contiguousAxis` is
 * one of the leading axes, it becomes negative: no axis that is left has neighbors side by side in the file.
 * @type {(inner: Elements, rank: number) => Elements} */
export function squeezed(inner, rank) {
  const { dtype, widestBits } = inner;
  const leading = inner.dims.length - rank;
  /** @type {(value: number, list: readonly number[]) => number[]} */
  const withLeading = (value, list) => [...new Array(leading).fill(value), ...list];
  /** @type {(box: Box) => Box} */
  const boxOfInner = ({ first, counts, steps }) => ({
    first: withLeading(0, first),
    counts: withLeading(1, counts),
    steps: withLeading(1, steps),
  });
  return {
    dtype,
    dims: inner.dims.slice(leading),
    contiguousAxis: inner.contiguousAxis - leading,
    widestBits,
    readBox: (box, data, work) => inner.readBox(boxOfInner(box), data, work),
  };
}
