/** Elements that are made of others when they are read: cast, in another order, a part of them, several joined. */
import { bytesOf } from '../arguments/index.js';
import { checkMemory, clearTail, pack, stridesOf, unpack } from '../engine/index.js';
import { cast, transpose } from '../operators/index.js';
import { dtypes, sizeOf, tensorOf } from '../tensor/index.js';
import { fillPart } from './place.js';

/** @import { DType } from '../tensor/index.js' */
/** @import { Work } from './work.js' */
/** @import { Box, Elements } from './types.js' */

/** @type {(list: readonly number[], order: readonly number[]) => number[]} */
const reordered = (list, order) => order.map((i) => list[i]);

/** Code behind an await of it begins with an empty stack: callers may chain as many transforms as they like. */
const emptyStack = Promise.resolve();

/** Of a chain of transposes and slices one of each is left, the transpose outside.
 * @type {(elements: Elements, perm: readonly number[]) => Elements} */
export function transposed(elements, perm) {
  const isTurned = elements instanceof Transposed;
  const order = isTurned ? reordered(elements.perm, perm) : perm;
  const inner = isTurned ? elements.inner : elements;
  return order.every((axis, i) => axis === i) ? inner : new Transposed(inner, order);
}

/** @type {(elements: Elements, box: Box) => Elements} */
export function sliced(elements, box) {
  if (elements instanceof Transposed) {
    const { inner, perm, inverse } = elements;
    return transposed(sliced(inner, reorderedBox(box, inverse)), perm);
  }
  return elements instanceof Sliced
    ? new Sliced(elements.inner, boxWithin(elements.box, box))
    : new Sliced(elements, box);
}

/** @type {(box: Box, order: readonly number[]) => Box} */
const reorderedBox = ({ first, counts, steps }, order) => ({
  first: reordered(first, order),
  counts: reordered(counts, order),
  steps: reordered(steps, order),
});

/** @type {(outer: Box, inner: Box) => Box} a box whose indices count within another box */
const boxWithin = (outer, { first, counts, steps }) => ({
  first: first.map((index, i) => outer.first[i] + index * outer.steps[i]),
  counts,
  steps: steps.map((step, i) => step * outer.steps[i]),
});

/** Elements of another type. Casts of casts round each time, so they stay apart. */
export class Cast {
  /** @param {Elements} inner @param {DType} dtype @param {object} options */
  constructor(inner, dtype, options) {
    this.inner = inner;
    this.dtype = dtype;
    this.options = options;
    this.dims = inner.dims;
    this.along = inner.along;
    this.widest = Math.max(dtype.bits, inner.widest);
  }

  /** @type {Elements['fill']} */
  async fill(box, data, work) {
    const { inner, dtype, options } = this;
    const counts = [...box.counts];
    const source = work.buffer(this, inner.dtype, sizeOf(counts));
    await emptyStack;
    await inner.fill(box, source, work);
    const out = tensorOf(dtype, data, counts);
    cast(tensorOf(inner.dtype, source, counts), dtype.name, { ...options, out });
  }
}

/** Elements with their axes in another order. */
export class Transposed {
  /** @param {Elements} inner @param {readonly number[]} perm */
  constructor(inner, perm) {
    this.inner = inner;
    this.perm = perm;
    this.dtype = inner.dtype;
    this.dims = reordered(inner.dims, perm);
    this.along = perm.indexOf(inner.along);
    this.widest = inner.widest;
    this.inverse = perm.map((_, axis) => perm.indexOf(axis));
  }

  /** @type {Elements['fill']} */
  async fill(box, data, work) {
    const { inner, dtype, perm, inverse } = this;
    const { counts } = box;
    const own = reorderedBox(box, inverse);
    const source = work.buffer(this, dtype, sizeOf(counts));
    await inner.fill(own, source, work);
    const out = tensorOf(dtype, data, [...counts]);
    transpose(tensorOf(dtype, source, [...own.counts]), { perm, out, strict: false });
  }
}

/** A part of each axis. */
export class Sliced {
  /** @param {Elements} inner @param {Box} box */
  constructor(inner, box) {
    this.inner = inner;
    this.box = box;
    this.dtype = inner.dtype;
    this.dims = box.counts;
    this.along = inner.along;
    this.widest = inner.widest;
  }

  /** @type {Elements['fill']} */
  async fill(box, data, work) {
    await this.inner.fill(boxWithin(this.box, box), data, work);
  }
}

/** Several tensors joined along an axis. */
export class Joined {
  /** @param {readonly Elements[]} parts @param {number} axis @param {readonly number[]} dims */
  constructor(parts, axis, dims) {
    this.parts = parts;
    this.axis = axis;
    this.dims = dims;
    this.dtype = parts[0].dtype;
    this.along = parts[0].along;
    this.widest = Math.max(...parts.map(({ widest }) => widest));
  }

  /** @type {Elements['fill']} */
  async fill(box, data, work) {
    await emptyStack;
    let low = 0;
    for (const part of this.parts) {
      const extent = part.dims[this.axis];
      await this.fillFrom(part, low, low + extent, box, data, work);
      low += extent;
    }
    clearTail(this.dtype.bits, sizeOf(box.counts), data);
  }

  /** @type {(part: Elements, low: number, high: number, box: Box, data: any, work: Work) => Promise<void>} */
  async fillFrom(part, low, high, { first, counts, steps }, data, work) {
    const { axis } = this;
    const [zero, step] = [first[axis], steps[axis]];
    // Of the indices zero + k * step those from `low` up to `high`.
    const [near, far] = step > 0 ? [low, high] : [high - 1, low - 1];
    const from = Math.max(0, Math.ceil((near - zero) / step));
    const to = Math.min(counts[axis], Math.max(from, Math.ceil((far - zero) / step)));
    if (to <= from) return;
    const own = { first: first.with(axis, zero + from * step - low), counts: counts.with(axis, to - from), steps };
    const strides = stridesOf(counts);
    await fillPart(part, own, { data, start: from * strides[axis], strides }, work, this);
  }
}

/** Elements without leading axes of extent 1. */
export class Squeezed {
  /** @param {Elements} inner @param {number} rank */
  constructor(inner, rank) {
    this.inner = inner;
    this.dtype = inner.dtype;
    this.leading = inner.dims.length - rank;
    this.dims = inner.dims.slice(this.leading);
    this.along = inner.along - this.leading;
    this.widest = inner.widest;
  }

  /** @type {Elements['fill']} */
  async fill({ first, counts, steps }, data, work) {
    const leading = (/** @type {number} */ value) => new Array(this.leading).fill(value);
    const own = {
      first: [...leading(0), ...first],
      counts: [...leading(1), ...counts],
      steps: [...leading(1), ...steps],
    };
    await this.inner.fill(own, data, work);
  }
}

/** Elements of fewer than 8 bits, of which the file has one a byte. */
export class Packed {
  /** @param {Elements} inner @param {DType} dtype */
  constructor(inner, dtype) {
    this.inner = inner;
    this.dtype = dtype;
    this.dims = inner.dims;
    this.along = inner.along;
    this.widest = 8;
  }

  /** @type {Elements['fill']} */
  async fill(box, data, work) {
    const source = work.buffer(this, this.inner.dtype, sizeOf(box.counts));
    await this.inner.fill(box, source, work);
    const packed = pack(this.dtype.name, source);
    checkMemory('written', data, packed.length);
    bytesOf(data).set(packed);
  }
}

/** The elements of a type of fewer than 8 bits, one a byte. */
export class Unpacked {
  /** @param {Elements} inner */
  constructor(inner) {
    this.inner = inner;
    this.dtype = dtypes.uint8;
    this.dims = inner.dims;
    this.along = inner.along;
    this.widest = 8;
  }

  /** @type {Elements['fill']} */
  async fill(box, data, work) {
    const { dtype } = this.inner;
    const size = sizeOf(box.counts);
    const source = work.buffer(this, dtype, size);
    await this.inner.fill(box, source, work);
    const elements = unpack(dtype.name, source, size);
    checkMemory('written', data, size);
    data.set(new Uint8Array(elements.buffer, elements.byteOffset, elements.length));
  }
}
