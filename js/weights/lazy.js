/** Elements that are made of others when they are read: cast, in another order, a part of them, several joined. */
import { bytesOf } from '../arguments/index.js';
import { checkMemory } from '../engines/memory/index.js';
import { clearTail, pack, stridesOf, unpack } from '../engines/tensors/index.js';
import { cast, transpose } from '../operators/index.js';
import { dtypes, sizeOf, tensorOf } from '../tensor/index.js';
import { wholeBox } from './boxes.js';
import { fillPart } from './place.js';

/** @import { DType } from '../tensor/index.js' */
/** @import { Box, Elements } from './types.js' */
/** @import { TensorData } from '../tensor/types.js' */

/** @type {(list: readonly number[], order: readonly number[]) => number[]} */
const reordered = (list, order) => order.map((i) => list[i]);

/** Code after an await of it begins with an empty stack. The elements of a chain of transforms call one another: with
 * an await in each of them, a chain of any length does not overflow the stack. */
const emptyStack = Promise.resolve();

/** @type {(box: Box, order: readonly number[]) => Box} */
const reorderedBox = ({ first, counts, steps }, order) => ({
  first: reordered(first, order),
  counts: reordered(counts, order),
  steps: reordered(steps, order),
});

/** Converts a box whose indices count within another box to one whose indices count in the tensor.
 * @type {(outer: Box, inner: Box) => Box} */
const boxWithin = (outer, { first, counts, steps }) => ({
  first: first.map((index, i) => outer.first[i] + index * outer.steps[i]),
  counts,
  steps: steps.map((step, i) => step * outer.steps[i]),
});

/** A slice and transpose of the elements `inner`: those of the box `part`, with its axes in another order (axis i of
 * the view is axis perm[i] of the box). A chain of slices and transposes becomes one view. */
class View {
  /** @param {Elements} inner @param {Box} part @param {readonly number[]} perm */
  constructor(inner, part, perm) {
    this.inner = inner;
    this.part = part;
    this.perm = perm;
    this.inverse = perm.map((_, axis) => perm.indexOf(axis));
    this.dtype = inner.dtype;
    this.dims = reordered(part.counts, perm);
    this.along = perm.indexOf(inner.along);
    this.widest = inner.widest;
  }

  /** Maps a box of the view to the same elements' box of `inner`: the axes back in the order of `inner`, and the
   * indices within `part` turned into those of `inner`.
   * @type {(box: Box) => Box} */
  boxOfInner(box) {
    return boxWithin(this.part, reorderedBox(box, this.inverse));
  }

  /** Reads a box of the view: reads the inner elements, in their own order, and transposes them to `data`.
   * @type {Elements['fill']} */
  async fill(box, data, work) {
    const { inner, dtype, perm } = this;
    const innerBox = this.boxOfInner(box);
    const isInOrder = perm.every((axis, i) => axis === i);
    if (isInOrder) return inner.fill(innerBox, data, work);
    const source = work.buffer(this, dtype, sizeOf(innerBox.counts));
    await inner.fill(innerBox, source, work);
    const out = tensorOf(dtype, data, [...box.counts]);
    // Not strict: of types that ONNX's Transpose does not take, such as float6e2m3, only bits are moved, too.
    transpose(tensorOf(dtype, source, [...innerBox.counts]), { perm, out, strict: false });
  }
}

/** @type {(elements: Elements) => View} */
const viewOf = (elements) =>
  elements instanceof View ? elements : new View(elements, wholeBox(elements.dims), [...elements.dims.keys()]);

/** Makes elements with the axes in another order: axis i of the result is axis perm[i]. In reverse if `perm` is
 * omitted.
 * @type {(elements: Elements, perm?: readonly number[]) => Elements} */
export function transposed(elements, perm = elements.dims.map((_, i) => elements.dims.length - 1 - i)) {
  const { inner, part, perm: previousPerm } = viewOf(elements);
  return new View(inner, part, reordered(previousPerm, perm));
}

/** @type {(elements: Elements, box: Box) => Elements} */
export function sliced(elements, box) {
  const view = viewOf(elements);
  return new View(view.inner, view.boxOfInner(box), view.perm);
}

/** Gets the elements of a box in `source`, and writes as many of another type to `data`. `counts` and `first` are the
 * box's extents and its first indices.
 * @typedef {(source: TensorData, data: TensorData, counts: readonly number[], first: readonly number[]) => void}
 *   Change */

/** Makes elements of another type and the same dims: reading a box reads that of `inner`, and `change` converts it.
 * @type {(inner: Elements, dtype: DType, change: Change) => Elements} */
export function changed(inner, dtype, change) {
  /** @type {Elements} */
  const elements = {
    dtype,
    dims: inner.dims,
    along: inner.along,
    widest: Math.max(dtype.bits, inner.widest),
    async fill(box, data, work) {
      const source = work.buffer(elements, inner.dtype, sizeOf(box.counts));
      // `inner` may be changed elements, too: each of a chain begins with an empty stack.
      await emptyStack;
      await inner.fill(box, source, work);
      change(source, data, box.counts, box.first);
    },
  };
  return elements;
}

/** Makes elements that are cast when they are read. A cast of a cast rounds twice, so the two are not merged.
 * @type {(inner: Elements, dtype: DType, options: object) => Elements} */
export const castTo = (inner, dtype, options) =>
  changed(inner, dtype, (source, data, counts) => {
    const out = tensorOf(dtype, data, [...counts]);
    cast(tensorOf(inner.dtype, source, [...counts]), dtype.name, { ...options, out });
  });

/** Makes elements of fewer than 8 bits, of which `inner` has one a byte.
 * @type {(inner: Elements, dtype: DType) => Elements} */
export const packed = (inner, dtype) =>
  changed(inner, dtype, (source, data) => {
    const bytes = pack(dtype.name, source);
    checkMemory('written', data, bytes.length);
    bytesOf(data).set(bytes);
  });

/** Makes elements of one byte each from those of fewer than 8 bits; those of signed types are bytes of int8.
 * @type {(inner: Elements) => Elements} */
export const unpacked = (inner) =>
  changed(inner, dtypes.uint8, (source, data, counts) => {
    const size = sizeOf(counts);
    checkMemory('written', data, size);
    data.set(bytesOf(unpack(inner.dtype.name, source, size)));
  });

/** Makes the elements of tensors of one type, one or more, that are joined along an axis; `dims` are those of the
 * result. A box is read piece by piece. `along` is that of the first tensor: it decides only the order of reading.
 * @type {(pieces: readonly Elements[], axis: number, dims: readonly number[]) => Elements} */
export function joinPieces(pieces, axis, dims) {
  const [{ dtype, along }] = pieces;
  /** @type {Elements} */
  const elements = {
    dtype,
    dims,
    along,
    widest: pieces.reduce((bits, { widest }) => Math.max(bits, widest), 0),
    async fill(box, data, work) {
      // A piece may be joined elements, too: each of a chain begins with an empty stack.
      await emptyStack;
      const strides = stridesOf(box.counts);
      // The first index of each piece on the joined axis.
      let low = 0;
      for (const piece of pieces) {
        const { from, pieceBox } = clipToPiece(box, axis, low, piece.dims[axis]);
        // A part that cannot be read straight to its place goes through memory that `work` keeps for `elements`.
        const part = { data, start: from * strides[axis], strides };
        if (pieceBox) await fillPart(piece, pieceBox, part, work, elements);
        low += piece.dims[axis];
      }
      // Moves of packed elements keep the bits after the last one.
      clearTail(dtype.bits, sizeOf(box.counts), data);
    },
  };
  return elements;
}

/** Clips a box of joined elements to a piece, which has the `extent` indices of the joined axis from `low` on. Gives
 * the part within the piece, whose indices count from `low`, or undefined if there is none; and as `from` how many of
 * the box's indices on that axis come before this part.
 * @type {(box: Box, axis: number, low: number, extent: number) => { from: number, pieceBox: Box | undefined }} */
function clipToPiece({ first, counts, steps }, axis, low, extent) {
  const [boxFirst, step] = [first[axis], steps[axis]];
  // In the direction of the step: the piece's first index, and the first one behind it.
  const [enter, leave] = step > 0 ? [low, low + extent] : [low + extent - 1, low - 1];
  // The box has the indices boxFirst + k * step: the first k in the piece, and the first k behind it.
  const from = Math.max(0, Math.ceil((enter - boxFirst) / step));
  const to = Math.min(counts[axis], Math.max(from, Math.ceil((leave - boxFirst) / step)));
  if (to <= from) return { from, pieceBox: undefined };
  const pieceFirst = boxFirst + from * step - low;
  const pieceBox = { first: first.with(axis, pieceFirst), counts: counts.with(axis, to - from), steps };
  return { from, pieceBox };
}

/** Makes elements without the leading axes, all of extent 1, so that `rank` axes are left. Where `along` is one of the
 * leading axes, it becomes negative: {@link isTurned} of entry.js is false then.
 * @type {(inner: Elements, rank: number) => Elements} */
export function squeezed(inner, rank) {
  const { dtype, widest } = inner;
  const leading = inner.dims.length - rank;
  /** @type {(value: number, list: readonly number[]) => number[]} */
  const withLeading = (value, list) => [...new Array(leading).fill(value), ...list];
  return {
    dtype,
    dims: inner.dims.slice(leading),
    along: inner.along - leading,
    widest,
    fill: ({ first, counts, steps }, data, work) =>
      inner.fill(
        { first: withLeading(0, first), counts: withLeading(1, counts), steps: withLeading(1, steps) },
        data,
        work,
      ),
  };
}
